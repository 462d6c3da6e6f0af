"""What the page of one seat, or of somebody who only watches, is sent of a position: from its own view, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fcdl.model.events import Event
from fcdl.model.expressions import spaced
from fcdl.model.game import Game
from fcdl.model.table import Reader
from fcdl.ui.view import Pile, View, shown_as
from fcdl.ui.words import public_values, seat_values

LAST_LINES = 40
"""So many of the last messages come with every position; a page that has just been opened gets MOST_LINES."""
MOST_LINES = 400


def view_json(game: Game, view: View) -> dict[str, Any]:
    """A view: cards as codes, None for those that the seat does not know."""
    return {
        "hand": game.in_deck_order(view.hand),
        "piles": _piles(game, view),
        "values": public_values(game, view),
        "seatValues": [seat_values(game, view, seat) for seat in range(game.players)],
        "scores": [view.values.get(("score", seat), "?") for seat in range(game.players)],
        "played": view.played,
        "lastTrick": view.last_trick,
    }


def _piles(game: Game, view: View) -> list[dict[str, Any]]:
    """The zones that have cards. `zone` is the name in the chart, `key` which of its places it is: `3`, `hearts`."""
    found = []
    for zone, place in game.places.values():
        pile = view.piles[shown_as(game, zone, place)]
        if pile.cards:
            found.append({"zone": zone, "key": pile.zone.removeprefix(zone).strip(), **_pile(game, pile)})
    return found


def _pile(game: Game, pile: Pile) -> dict[str, Any]:
    known = pile.known
    if pile.zone == "hand":
        cards: list[str | None] = [*game.in_deck_order(known), *[None] * (len(pile.cards) - len(known))]
    else:
        cards = list(pile.cards)
    return {
        "name": spaced(pile.zone),
        "owner": pile.owner,
        "count": len(cards),
        "cards": cards if known else [],
        "top": pile.top,
        "up": pile.face_up,
    }


class ScoreSheet(Reader):
    """The scores at the end of each round, a round being what lies between two times that all cards are gathered."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self.restart()

    def restart(self) -> None:
        """As at the start of the game."""
        self.rounds: list[list[str]] = []
        self._scores = ["0"] * self.game.players
        self._played = False

    def see(self, event: Event) -> None:
        """One more event."""
        if event.kind == "assign" and event.name == "score" and event.owner is not None:
            self._scores[event.owner] = event.value if event.value is not None else "?"
        gathers = event.kind == "shuffle" and event.source == "pack" and event.number == len(self.game.cards)
        if event.kind == "end" or (gathers and self._played):
            self.rounds.append(list(self._scores))
            self._played = False
        self._played |= event.seat is not None


def lines_json(log: Sequence[str], *, whole: bool) -> dict[str, Any]:
    """The last messages, and how many there were in all."""
    return {"total": len(log), "lines": list(log[-(MOST_LINES if whole else LAST_LINES) :])}
