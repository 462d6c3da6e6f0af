"""Events: what happened in a game, who saw how much of it, and what one seat has seen so far.

Every event has a hidden part (card names, a value) that only the seats in `seers` see, and a public part that all
see unless the event is private. Cards and values are text, zones are written `hand(0)`, `pack` or `row(0, hearts)`, so
that events of all engines can be compared and read. The kinds and their fields (all others stay at their defaults):

  assign   name=variable, owner=place or None, value*                   a variable got a value
  branch   node, value* = "yes" or "no"                                 a diamond; private ones: nobody sees them
  move     source, target, number, cards*                               cards moved (Deal: one event per seat)
  shuffle  source=zone, number of cards in it                           a zone was shuffled (Shuffle: the pack)
  play     seat, source, target, cards* (one card)                      a decision
  pick     seat, source, target, cards* (one card)                      a decision
  play, take   the same with number and cards* (a set, in deck order)   a decision for a set of cards
  pass     seat                                                         a decision
  choose   seat, name=variable, owner=place or None, value*             a decision
  publish  value=text                                                   said to all
  show     source=zone if a whole zone is shown, number, cards*,         cards were shown
           owner=audience seat or None for all
  end      value=reason                                                 the game is over

Fields with * are the hidden part. The place of a variable is its number: of a player the seat (`Game.place_text`).
A `move` of no cards makes no event, nor does a `show` of none.
The order of cards in a move is the order in which they moved; in a `show` it is deck order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from fcdl.model.moves import PASS, Move


@dataclass(frozen=True, slots=True)
class Event:
    """One event; see the module's docstring for the kinds."""

    kind: str
    seat: int | None = None
    name: str | None = None
    owner: int | None = None
    node: int | None = None
    source: str | None = None
    target: str | None = None
    number: int | None = None
    cards: tuple[str, ...] | None = None
    value: str | None = None
    seers: frozenset[int] = frozenset()
    """The seats that see the hidden part."""
    private: bool = False
    """Whether those who are not seers see nothing at all."""

    @property
    def move(self) -> Move | None:
        """The decision that this tells, as a move; None if it tells none, or none that can be seen."""
        match self.kind:
            case "pass":
                return PASS
            case "play" | "pick" | "take" if self.cards is not None:
                return Move(self.kind, " ".join(self.cards))
            case "choose" if self.value is not None:
                return Move(self.kind, self.value)
        return None

    def seen_by(self, seat: int) -> Event | None:
        """What a seat sees of this: everything, the public part, or nothing (None). Who else sees it is not told."""
        told, public = both_views(self)
        return told if seat in self.seers else public


@lru_cache(maxsize=50_000)
def both_views(event: Event) -> tuple[Event, Event | None]:
    """What the seers of an event see of it, and what the others see."""
    told = replace(event, seers=frozenset())
    return told, None if event.private else replace(told, cards=None, value=None)


class Observation:
    """What one seat has seen of a game so far, in order. The only thing a player ever gets of a position.

    The events may be given as a function that is called when somebody first asks for them; many players never do.
    """

    __slots__ = ("_events", "seat")

    def __init__(self, seat: int, events: tuple[Event, ...] | Callable[[], tuple[Event, ...]]) -> None:
        self.seat = seat
        self._events = events

    @property
    def events(self) -> tuple[Event, ...]:
        """What the seat has seen."""
        if not isinstance(self._events, tuple):
            self._events = self._events()
        return self._events

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Observation) and (self.seat, self.events) == (other.seat, other.events)

    def __hash__(self) -> int:
        return hash((self.seat, self.events))

    def __repr__(self) -> str:
        return f"Observation({self.seat}, {self.events})"


def observation(events: tuple[Event, ...], seat: int) -> Observation:
    """One seat's view of a list of events."""
    return Observation(seat, tuple(seen for event in events if (seen := event.seen_by(seat)) is not None))
