"""What the page of one seat, or of somebody who only watches, is sent of a position: from its own view, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fcdl.model.game import Game
from fcdl.ui.view import Pile, View, shown_as
from fcdl.ui.words import public_values, seat_values, zone_words

LAST_LINES = 40
"""So many of the last messages come with every position; a page that has just been opened gets MOST_LINES."""
MOST_LINES = 400


def view_json(game: Game, view: View) -> dict[str, Any]:
    """A view: cards as codes, None for those that the seat does not know."""
    return {
        "hand": view.hand,
        "piles": _piles(game, view),
        "values": public_values(game, view),
        "seatValues": [seat_values(game, view, seat) for seat in range(game.players)],
        "scores": [view.values.get(("score", seat), "?") for seat in range(game.players)],
        "played": view.played,
        "lastTrick": view.last_trick,
        "taker": view.taker,
        "seats": [_seat_words(view, seat) for seat in range(game.players)],
    }


def _seat_words(view: View, seat: int) -> str:
    """What the chart calls a seat, besides the name of who sits there: `forehand`, `North`; often nothing."""
    named = view.titles[seat].removesuffix(" (you)")
    return view.positions[seat] or ("" if named in ("you", f"player {seat}") else named)


def _piles(game: Game, view: View) -> list[dict[str, Any]]:
    """The zones that have cards. `zone` is the name in the chart, `key` which of its places it is: `3`, `hearts`."""
    found = []
    for zone, place in game.places.values():
        pile = view.piles[shown_as(game, zone, place)]
        if pile.cards:
            found.append({"zone": zone, "key": pile.zone.removeprefix(zone).strip(), **_pile(game, view, pile)})
    return found


def _pile(game: Game, view: View, pile: Pile) -> dict[str, Any]:
    known = pile.known
    if pile.zone == "hand":
        cards: list[str | None] = [*view.in_order(known), *[None] * (len(pile.cards) - len(known))]
    else:
        cards = list(pile.cards)
    return {
        "name": zone_words(game, pile.zone),
        "owner": pile.owner,
        "count": len(cards),
        "cards": cards if known else [],
        "top": pile.top,
        "up": pile.face_up,
    }


def lines_json(log: Sequence[str], *, whole: bool) -> dict[str, Any]:
    """The last messages, and how many there were in all."""
    return {"total": len(log), "lines": list(log[-(MOST_LINES if whole else LAST_LINES) :])}
