"""The table from events: what whoever sees these events knows of zones and variables, without reasoning.

A card is *known* to be in a zone when it is surely there. This is what is learned and forgotten:

- Cards that are seen to move are known in their new zone. Of equal copies one that was known leaves first: how many of
  them are surely left is all that one can know.
- Unseen cards leave: any of those that lay there can have gone. With n cards in a zone, m of them known copies of one
  card, and k gone, at least m - k of these are still there, and at least k - (n - m) went along. So all go along when
  a whole zone moves, and when one of three goes nothing is sure unless copies are among them.
- Where the chart only ever takes cards from the top of a zone, it was the top cards that went, seen or not.
- A shuffle of a zone mixes its order, not its cards. `Shuffle` takes all cards back: nothing is known then (but what is
  in a pack that lies face up).
- Where cards may be put into the middle of a zone, its order is not known.
- A whole zone that is shown is known; of other cards that are shown nobody says where they are.
- A variable is known as long as its last value was seen; its first value is known. `passed` has no events of its own,
  so it is forgotten where the card that was played does not say whether the player could have passed.

What follows by reasoning (the last unseen card must be in the last unseen place) is left to beliefs. The order of the
cards in a zone is that in which they came, as far as it can be told (`Pile.mixed`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from fcdl.language.flowchart import Move, MoveBy, Pick, Play, Statement, TakeSet
from fcdl.language.sight import sees_cards
from fcdl.model.events import Event, Observation
from fcdl.model.game import Game


class Reader(ABC):
    """Reads events as they come; of a list that begins with what was read before, only the new ones."""

    def __init__(self) -> None:
        self._events: tuple[Event, ...] = ()
        self.events_read = 0
        """How many events were read in all, those that were read again included."""

    @property
    def events(self) -> tuple[Event, ...]:
        """What was read."""
        return self._events

    @abstractmethod
    def restart(self) -> None:
        """Forgets everything."""

    @abstractmethod
    def see(self, event: Event) -> None:
        """One more event."""

    def follow(self, events: Sequence[Event]) -> None:
        """Brings the reader to the end of these events; starts again if they are not those of before and more."""
        now, known = tuple(events), len(self._events)
        if now[:known] != self._events:
            self.restart()
            known = 0
        self._events = now
        self.events_read += len(now) - known
        for event in now[known:]:
            self.see(event)


@dataclass(slots=True)
class Pile:
    """The cards of one zone, the bottom first; None is a card that is not known."""

    cards: list[str | None] = field(default_factory=list)
    mixed: int = 0
    """How many of the lowest cards lie in an order that cannot be told."""

    @property
    def known(self) -> list[str]:
        """The cards that are surely here."""
        return [card for card in self.cards if card is not None]

    @property
    def top(self) -> str | None:
        """The top card, if there is one and it is known."""
        in_order = len(self.cards) > self.mixed or len(self.cards) == 1
        return self.cards[-1] if self.cards and in_order else None


class Table(Reader):
    """Zones and variables as they are known from events."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        deck = game.flowchart.deck
        self._codes = tuple(map(deck.code, game.cards))
        self._open_pack = sees_cards(game.flowchart.zones["pack"], None)
        self._copies = deck.copies > 1
        statements = [node.statement for node in game.flowchart.nodes.values()]
        chosen_from = {found.source.name for found in statements if _takes_chosen_cards(found)}
        self._from_top = {
            zone.name
            for zone in game.flowchart.zones.values()
            if (zone.ordered or zone.name == "pack") and zone.name not in chosen_from
        }
        self._put_into = {
            found.target.name for found in statements if isinstance(found, Move) and found.place is not None
        }
        """Zones whose order is lost when cards come, for events do not say where they are put."""
        plays = [found for found in statements if isinstance(found, Play | TakeSet)]
        self._passing = {play.target.name for play in plays if play.may_pass}
        self._forced = {play.target.name for play in plays if not play.may_pass}
        self._seat: int | None = None
        self.restart()

    def restart(self) -> None:
        """As at the start of the game."""
        self.values: dict[tuple[str, int | None], str] = {
            (variable.name, place): self.game.value_text(variable.type, variable.initial)
            for variable in self.game.flowchart.variables.values()
            for place in self.game.places_of(variable)
            if variable.initial is not None
        }
        self._gather()
        if self._open_pack:
            self.zones["pack"] = Pile(list(self._codes[::-1]))

    def read(self, observation: Observation) -> None:
        """Brings the table up to date with what a seat has seen."""
        if observation.seat != self._seat:
            self._seat, self._events = observation.seat, ()
            self.restart()
        self.follow(observation.events)

    # --- what is known

    def known(self, zone: str) -> list[str]:
        """The cards that are surely in a zone, which is written as in events: `hand(0)`, `pack`."""
        return self.zones[zone].known

    def count(self, zone: str) -> int:
        """How many cards are in a zone."""
        return len(self.zones[zone].cards)

    def value(self, name: str, owner: int | None = None) -> str:
        """The value of a variable, empty if it is not known."""
        return self.values.get((name, owner), "")

    @property
    def unseen(self) -> list[str]:
        """The cards that are not known to be anywhere, in deck order."""
        known = Counter(card for pile in self.zones.values() for card in pile.cards)
        unseen = []
        for code in self._codes:
            if known[code]:
                known[code] -= 1
            else:
                unseen.append(code)
        return unseen

    # --- what events change

    def see(self, event: Event) -> None:
        """One more event."""
        match event.kind:
            case "assign" | "choose":
                assert event.name is not None
                if event.value is not None:
                    self.values[event.name, event.owner] = event.value
                else:
                    self.values.pop((event.name, event.owner), None)
            case "move" | "play" | "pick" | "take":
                self._move(event)
                if event.kind in ("play", "take"):
                    self._played(event)
            case "pass":
                self.values["passed", event.seat] = "yes"
            case "shuffle" if event.source == "pack" and event.number == len(self._codes):
                self._gather()
            case "shuffle":
                assert event.source is not None
                self._mix(self.zones[event.source], self.zones[event.source].cards)
            case "show" if event.source is not None and event.cards is not None:
                pile = self.zones[event.source]
                if Counter(pile.cards) != Counter(event.cards):
                    self._mix(pile, event.cards)

    def _gather(self) -> None:
        self.zones = {zone: Pile() for zone in self.game.zones}
        self._mix(self.zones["pack"], self._codes if self._open_pack else [None] * len(self._codes))

    def _mix(self, pile: Pile, cards: Sequence[str | None]) -> None:
        """Lays these cards down in an order that nobody knows."""
        known = self.game.in_deck_order(card for card in cards if card is not None)
        pile.cards = [*known, *[None] * (len(cards) - len(known))]
        pile.mixed = len(cards)

    def _move(self, event: Event) -> None:
        source, target = self.zones[event.source or ""], self.zones[event.target or ""]
        self._transfer(event, source, target)
        if self.game.places[event.target or ""][0] in self._put_into:
            target.mixed = len(target.cards)

    def _transfer(self, event: Event, source: Pile, target: Pile) -> None:
        from_top = self.game.places[event.source or ""][0] in self._from_top
        if event.cards is not None:
            for card in event.cards:
                self._take(source, card, from_top)
            target.cards += event.cards
            return
        number = min(1 if event.number is None else event.number, len(source.cards))
        while from_top and number and len(source.cards) > source.mixed:
            target.cards.append(source.cards.pop())
            number -= 1
        moved = self._take_any(source, number)
        target.cards += moved
        if len(moved) > 1 and any(moved):
            target.mixed = len(target.cards)

    def _take(self, pile: Pile, card: str, from_top: bool) -> None:
        """Takes a card away that was seen; if it can be one of several, the order is not sure any more."""
        cards = pile.cards
        if from_top and len(cards) > pile.mixed:
            cards.pop()
            return
        here, unknown = cards.count(card), cards.count(None)
        if here + unknown == 0:
            return  # events of another game: nothing can be made of them
        at = len(cards) - 1 - cards[::-1].index(card if here else None)
        del cards[at]
        if here + (unknown if self._copies or not here else 0) > 1:
            pile.mixed = len(cards)
        else:
            pile.mixed -= at < pile.mixed

    def _take_any(self, pile: Pile, number: int) -> Sequence[str | None]:
        """Takes so many cards away, nobody says which; returns what is known about them."""
        total = len(pile.cards)
        if number == 0:
            return ()
        if number == total:
            moved, pile.cards, pile.mixed = pile.cards, [], 0
            return moved
        left: list[str] = []
        gone: list[str] = []
        for card, copies in Counter(pile.known).items():
            left += [card] * (copies - number)
            gone += [card] * (number - (total - copies))
        self._mix(pile, [*left, *[None] * (total - number - len(left))])
        return [*gone, *[None] * (number - len(gone))]

    def _played(self, event: Event) -> None:
        """A card where one could have passed says that the player did not."""
        zone = self.game.places[event.target or ""][0]
        passed = ("passed", event.seat)
        if zone in self._passing and zone not in self._forced:
            self.values[passed] = "no"
        elif zone in self._passing and self.values.get(passed) == "yes":
            del self.values[passed]


def _takes_chosen_cards(statement: Statement | None) -> TypeGuard[Play | Pick | TakeSet | Move]:
    """Whether cards can leave a zone otherwise than from its top."""
    return isinstance(statement, Play | Pick | TakeSet) or (
        isinstance(statement, Move) and statement.by is MoveBy.CARDS
    )
