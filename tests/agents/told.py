"""Observations told by hand, for situations from the theses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fcdl.model.events import Event, Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move
from tests.games.table import make_game

__all__ = ["dealt", "make_game", "moved", "observed", "played", "plays", "said"]


def dealt(game: Game, seat: int, cards: str) -> list[Event]:
    """All cards are shuffled, and one seat gets these."""
    hand = tuple(cards.split())
    return [
        Event("shuffle", source="pack", number=len(game.cards)),
        Event("move", source="pack", target=f"hand({seat})", number=len(hand), cards=hand),
    ]


def moved(source: str, target: str, cards: str | int) -> Event:
    """Cards moved: these, or so many that were not seen."""
    if isinstance(cards, int):
        return Event("move", source=source, target=target, number=cards)
    return Event("move", source=source, target=target, number=len(cards.split()), cards=tuple(cards.split()))


def played(seat: int, card: str, zone: str | None = None) -> Event:
    """A card was played."""
    return Event("play", seat=seat, source=f"hand({seat})", target=zone or f"middle({seat})", cards=(card,))


def said(values: Mapping[str, str]) -> list[Event]:
    """Variables got values: `{"trumps": "hearts", "bid(1)": "2"}`."""
    events = []
    for key, value in values.items():
        name, _, owner = key.rstrip(")").partition("(")
        events.append(Event("assign", name=name, owner=int(owner) if owner else None, value=value))
    return events


def observed(seat: int, events: Sequence[Event]) -> Observation:
    """What a seat has seen."""
    return Observation(seat, tuple(events))


def plays(cards: str) -> list[Move]:
    """Moves that play these cards; `pass` is a pass."""
    return [Move("pass") if card == "pass" else Move("play", card) for card in cards.split()]
