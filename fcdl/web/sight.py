"""What the page of one seat, or of somebody who only watches, is sent of a position: from its own view, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fcdl.model.events import Event
from fcdl.model.expressions import spaced
from fcdl.model.game import Game
from fcdl.model.table import Reader
from fcdl.ui.view import Pile, View
from fcdl.ui.words import public_values, seat_values

LAST_LINES = 40
"""So many of the last messages come with every position; a page that has just been opened gets MOST_LINES."""
MOST_LINES = 400


def view_json(game: Game, view: View) -> dict[str, Any]:
    """A view: cards as codes, None for those that the seat does not know."""
    return {
        "hand": game.in_deck_order(view.hand),
        "piles": [_pile(game, pile) for pile in view.piles.values() if pile.cards],
        "values": public_values(game, view),
        "seatValues": [seat_values(game, view, seat) for seat in range(game.players)],
        "scores": [view.values.get(("score", seat), "?") for seat in range(game.players)],
        "played": view.played,
        "lastTrick": view.last_trick,
    }


def _pile(game: Game, pile: Pile) -> dict[str, Any]:
    known = pile.known
    if pile.zone == "hand":
        cards: list[str | None] = [*game.in_deck_order(known), *[None] * (len(pile.cards) - len(known))]
    else:
        cards = list(pile.cards)
    owner, name = _place(game, pile)
    return {
        "zone": pile.zone,
        "name": name,
        "owner": owner,
        "count": len(cards),
        "cards": cards if known else [],
        "top": pile.top,
        "up": pile.face_up,
    }


def _place(game: Game, pile: Pile) -> tuple[int | None, str]:
    """The seat that a pile lies before, if it is one's own, and what it is called: `won`, `row hearts`, `slot 3`."""
    if pile.owner is None:
        return None, spaced(pile.zone)
    owners = game.owners(pile.zone, pile.owner)
    keys = game.key_texts(pile.zone, pile.owner)
    shown = keys[1:] if len(owners) == 1 else keys
    return min(owners) if len(owners) == 1 else None, " ".join((spaced(pile.zone), *shown))


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
