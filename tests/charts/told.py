"""Random games of the corpus told again, deal by deal, for referees that know the published rules in plain Python."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fcdl.model.chance import Chance
from fcdl.model.events import Event
from fcdl.model.moves import Move
from tests.charts.corpus import make_game
from tests.games.table import Played, play

Zones = dict[str, list[str]]
Trick = list[tuple[int, str]]


@dataclass
class Deal:
    """What happened from one shuffle of all cards to the next, and the table as it was at the end of it."""

    events: list[Event] = field(default_factory=list)
    zones: Zones = field(default_factory=lambda: defaultdict(list))
    values: dict[str, str] = field(default_factory=dict)
    """Variables at the end of the deal; a seat as its number."""

    def of(self, *kinds: str) -> list[Event]:
        """The events of these kinds."""
        return [event for event in self.events if event.kind in kinds]

    def chosen(self, name: str) -> list[tuple[int, str]]:
        """Who chose what for a variable, in order."""
        return [(event.seat or 0, str(event.value)) for event in self.of("choose") if event.name == name]

    def plays(self) -> Trick:
        """Who played which card, in order."""
        return [(event.seat or 0, (event.cards or ("",))[0]) for event in self.of("play")]

    def tricks(self, seats: int) -> list[Trick]:
        """The plays in tricks of one card for each seat."""
        plays = self.plays()
        return [plays[first : first + seats] for first in range(0, len(plays), seats)]

    def suit(self, name: str = "trumps") -> str:
        """A variable that is a suit, as the letter of its cards; "N" is none."""
        return self.values[name][0].upper()


def told(
    name: str,
    seed: int,
    players: int | None = None,
    *,
    avoid: tuple[str, ...] = (),
    chance: Chance | None = None,
    **options: str | int,
) -> tuple[Played, list[Deal]]:
    """A random game and its deals; what happens before the first shuffle is left out.

    Moves that begin with one of `avoid` are made only where there are no others, to see what is rare.
    """
    game = make_game(name, players, options)
    dice = random.Random(seed)

    def choose(_: int, moves: Sequence[Move]) -> Move:
        return dice.choice([move for move in moves if not str(move).startswith(avoid)] or moves)

    played = play(game, seed, choose if avoid else None, chance)
    all_cards = [game.flowchart.deck.code(card) for card in game.cards]
    values: dict[str, str] = {}
    zones: Zones = defaultdict(list)
    deals: list[Deal] = []
    for event in played.events:
        if event.kind == "shuffle" and event.source == "pack" and event.number == len(all_cards):
            zones = defaultdict(list, pack=list(all_cards))
            values = dict(values)
            deals.append(Deal([], zones, values))
        follow(event, zones, values)
        if deals:
            deals[-1].events.append(event)
    return played, deals


def follow(event: Event, zones: Zones, values: dict[str, str]) -> None:
    """What an event changes on the table."""
    if event.kind in ("move", "play", "pick", "take"):
        for card in event.cards or ():
            zones[str(event.source)].remove(card)
            zones[str(event.target)].append(card)
    elif event.kind in ("assign", "choose"):
        values[f"{event.name}({event.owner})" if event.owner is not None else str(event.name)] = str(event.value)


def steps(deal: Deal) -> Iterator[tuple[Event, Zones]]:
    """The events of a deal, each with the table before it; the table is one object that changes."""
    zones: Zones = defaultdict(list)
    zones["pack"] = [card for cards in deal.zones.values() for card in cards]
    for event in deal.events:
        yield event, zones
        follow(event, zones, {})


def taker(trick: Trick, order: str, trumps: str = "") -> int:
    """Who wins a trick, with ranks from low to high: the highest trump, else the highest card of the suit led."""
    led = trick[0][1][1]
    return max(trick, key=lambda play: (play[1][1] == trumps, play[1][1] == led, order.index(play[1][0])))[0]


def takers(tricks: Sequence[Trick], order: str, trumps: str = "") -> list[int]:
    """Who wins each trick; the winner of one must have led to the next."""
    return leaders(tricks, [taker(trick, order, trumps) for trick in tricks])


def leaders(tricks: Sequence[Trick], winners: list[int]) -> list[int]:
    """The winners of these tricks, who must have led to the next."""
    assert [trick[0][0] for trick in tricks[1:]] == winners[:-1]
    return winners
