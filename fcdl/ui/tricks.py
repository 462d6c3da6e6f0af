"""Who takes a trick: found from what happens between two decisions, for charts that do not say it in words."""

from __future__ import annotations

from collections.abc import Collection

from fcdl.model.events import Event
from fcdl.model.game import Game

_GETS_CARDS, _CHANGES_FIRST, _CHANGES_LATER, _NAMED = 4, 3, 2, 1


class TakerFinder:
    """Reads the events between two decisions.

    The taker is the owner of the place to which the cards of the trick go; else the only player of whom a variable
    changes, before the cards are taken away or after; else the winner whom the chart names.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._claims: list[tuple[int, int]] = []
        self.winner: int | None = None
        """The last value of a variable that is called winner."""

    def decided(self) -> None:
        """A decision was made: what came before does not count any more."""
        self._claims.clear()

    def see(self, event: Event, *, changed: bool, trick: Collection[str], cleared: bool) -> None:
        """One more event; `changed`: a variable has got another value than before, `trick`: the cards of the trick."""
        if event.kind == "move" and cleared and event.cards and not set(trick).isdisjoint(event.cards):
            owners = self.game.owners(*self.game.places[event.target or ""])
            if len(owners) == 1 and not (event.target or "").startswith("middle"):
                self._claims.append((_GETS_CARDS, min(owners)))
        elif event.kind == "assign" and event.name is not None:
            if changed and event.owner is not None and self.game.flowchart.variables[event.name].per_player:
                self._claims.append((_CHANGES_LATER if cleared else _CHANGES_FIRST, event.owner))
            elif "winner" in event.name.lower() and (event.value or "").isdigit():
                self.winner = int(event.value or 0)
                self._claims.append((_NAMED, self.winner))

    def taker(self) -> int | None:
        """Who takes the trick; None if that cannot be told."""
        for sure in (_GETS_CARDS, _CHANGES_FIRST, _CHANGES_LATER, _NAMED):
            seats = [seat for how, seat in self._claims if how == sure]
            if seats and (sure == _NAMED or len(set(seats)) == 1):
                return seats[-1]
        return self.winner if self.winner is not None and self.winner < self.game.players else None
