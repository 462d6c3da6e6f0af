"""What one seat knows of the table, read from its observation event by event."""

from __future__ import annotations

from collections import defaultdict

from fcdl.model.events import Event, Observation
from fcdl.model.game import Game

RANKS = "23456789TJQKA"


def rank_value(card: str) -> int:
    """2 to 10, jack 11, queen 12, king 13, ace 14."""
    return RANKS.index(card[0]) + 2


def suit_code(suit: str) -> str:
    """The second letter of cards of a suit (`hearts`: `H`); nothing for `none`."""
    return "" if suit == "none" else suit[0].upper()


class Table:
    """Zones, variables and unseen cards as the observing seat knows them; for decks without copies of a card.

    A card whose place the seat knows is in `zones`, all others are in `unseen`; `counts` has the sizes of all zones.
    Reading an observation that goes on where the last one ended costs only its new events.
    """

    def __init__(self, game: Game) -> None:
        self._all_cards = tuple(game.flowchart.deck.code(card) for card in game.cards)
        self._first_values = {
            f"{variable.name}({seat})": game.value_text(variable.type, variable.initial)
            for variable in game.flowchart.variables.values()
            for seat in range(game.players)
            if variable.per_player and variable.initial is not None
        }
        self._read_for = -1
        self._read: tuple[Event, ...] = ()
        self._start_again()

    def _start_again(self) -> None:
        self.values = dict(self._first_values)
        self._gather()

    def _gather(self) -> None:
        self.zones: defaultdict[str, list[str]] = defaultdict(list)
        self.counts: defaultdict[str, int] = defaultdict(int, pack=len(self._all_cards))
        self.unseen = set(self._all_cards)

    def read(self, observation: Observation) -> None:
        """Brings the table up to date."""
        events, known = observation.events, len(self._read)
        if observation.seat != self._read_for or events[:known] != self._read:
            self._start_again()
            known = 0
        for event in events[known:]:
            self._follow(event)
        self._read_for, self._read = observation.seat, events

    def _follow(self, event: Event) -> None:
        kind = event.kind
        if kind in ("assign", "choose"):
            name = event.name if event.owner is None else f"{event.name}({event.owner})"
            assert name is not None
            self.values[name] = event.value or ""
        elif kind in ("move", "play", "pick"):
            assert event.source is not None
            assert event.target is not None
            number = 1 if event.number is None else event.number
            self._move(event.source, event.target, number, event.cards)
        elif kind == "shuffle" and event.source == "pack" and event.number == len(self._all_cards):
            self._gather()

    def _move(self, source: str, target: str, number: int, cards: tuple[str, ...] | None) -> None:
        if cards is None:
            known = self.zones.pop(source, [])
            if number == self.counts[source]:
                self.zones[target] += known
            else:  # any of them may have gone
                self.unseen.update(known)
        else:
            known = self.zones[source]
            for card in cards:
                if card in known:
                    known.remove(card)
                else:
                    self.unseen.discard(card)
            self.zones[target] += cards
        self.counts[source] -= number
        self.counts[target] += number
