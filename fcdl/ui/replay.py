"""A game that was played, position by position, as a seat saw it or face up."""

from __future__ import annotations

from collections.abc import Sequence

from fcdl.model.chance import ChanceError, ScriptedChance
from fcdl.model.engine import Engine, IllegalMoveError
from fcdl.model.events import Event, observation
from fcdl.model.moves import Move
from fcdl.model.record import RecordError
from fcdl.ui.view import View, Watcher
from fcdl.ui.words import seat_names


class Replay:
    """Plays moves again; `moves` of them, so that positions have the numbers 0 to `moves`."""

    def __init__(
        self, engine: Engine, chance: Sequence[int | Sequence[int]], moves: Sequence[Move], names: Sequence[str]
    ) -> None:
        """Raises RecordError if the moves cannot be played."""
        self.game = engine.game
        self.names = tuple(names) or ("",) * engine.game.players
        self.players = seat_names(self.game)
        self.moves = tuple(moves)
        self._events: list[Event] = []
        self._happened: list[int] = []
        self._movers: list[int | None] = []
        self._watchers: dict[int | None, Watcher] = {}
        script = ScriptedChance(chance)
        try:
            state = engine.start(script)
            for move in (*moves, None):
                self._events += engine.latest(state)
                self._happened.append(len(self._events))
                self._movers.append(engine.mover(state))
                if move is not None:
                    state = engine.apply(state, move, script)
        except (ChanceError, IllegalMoveError) as error:
            raise RecordError(f"move {len(self._happened)} of {len(moves)}: {error}") from None
        self.outcome = engine.outcome(state)

    def view(self, number: int, seat: int | None) -> View:
        """The position after so many moves as a seat saw it; None: face up."""
        events = tuple(self._events[: self._happened[number]])
        watcher = self._watchers.setdefault(seat, Watcher(self.game, seat))
        watcher.follow(events if seat is None else observation(events, seat).events)
        return watcher.view()

    def mover(self, number: int) -> int | None:
        """The seat that decides there; None at the end."""
        return self._movers[number]

    def made(self, number: int) -> str:
        """The move that led to a position: `player 1: play QH`."""
        if number == 0:
            return "the start"
        mover = self._movers[number - 1]
        assert mover is not None
        return f"{self.players[mover]}: {self.moves[number - 1]}"
