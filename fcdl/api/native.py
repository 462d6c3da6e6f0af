"""States on the C engine: a play that is stepped in C, with what `State` adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from fcdl.api.state import State
from fcdl.engines.native import _engine
from fcdl.engines.native.constants import REASONS
from fcdl.errors import FcdlError
from fcdl.model.events import Event
from fcdl.model.moves import Move
from fcdl.model.outcome import Outcome

if TYPE_CHECKING:
    from fcdl.api.game import Game


class NativeState(_engine.Play, State):
    """A state on the C engine; what happened is told when somebody asks."""

    __slots__ = ("_past", "_seen", "_told", "_told_moves", "game")

    _past: tuple[Event, ...] | None
    """What happened before the position with which the play began; None: not known, as in a world."""
    _told: tuple[Event, ...]
    _told_moves: int
    """How many moves `_told` covers; -1 if nothing was told yet."""

    @classmethod
    def of(
        cls,
        game: Game,
        seed: int,
        base: bytes | None = None,
        past: tuple[Event, ...] | None = (),
        moves: bytes = b"",
        outcomes: bytes = b"",
    ) -> Self:
        """A play from the start or from a position, after moves and outcomes of chance as `parts` gives them."""
        state = cls(game.native.book, seed, base, moves, outcomes)
        state.game, state._past = game, past
        state._told, state._told_moves, state._seen = past or (), -1, {}
        return state

    def number_moves(self) -> None:
        """Tells the engine the numbers of the moves in `game.actions`."""
        self.book.number_moves(*self.game.actions.table)

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves so far."""
        return (*(move for event in self._past or () if (move := event.move) is not None), *super().moves)

    @property
    def outcome(self) -> Outcome | None:
        """Scores and the reason why the game ended; None while it goes on."""
        if not self.over:
            return None
        return Outcome(self.scores, REASONS[self.reason], self.node if self.reason else None)

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened so far, hidden parts included; raises FcdlError in a world, which has no past."""
        if self._past is None:
            raise FcdlError(
                "a world has no past: nobody has seen anything in it, so agents cannot play here; "
                "ask them about the real game, and play worlds by legal moves of your own"
            )
        if self._told_moves < self.move_count:
            self._told += self.game.native.events_of(self.records(self._told_moves))
            self._told_moves = self.move_count
        return self._told

    @property
    def zones(self) -> dict[str, tuple[str, ...]]:
        """The cards of every zone, in deck order."""
        return self.game.native.zones(self.dump())

    def meant(self, move: object, /) -> Move:
        """The legal move that is meant by what is none of the legal moves itself."""
        return self._meant(move)

    def copy(self) -> Self:
        """A copy that can be played on by itself."""
        twin = super().copy()
        twin.game, twin._past, twin._told, twin._told_moves = self.game, self._past, self._told, self._told_moves
        twin._seen = dict(self._seen)
        return twin

    __copy__ = copy

    def reseeded(self, seed: int) -> Self:
        """A copy with the same past for which chance goes another way from here."""
        return self.of(self.game, seed, self.dump(), None if self._past is None else self.events)

    @property
    def _seed_of_all(self) -> int | None:
        seed, base, _, outcomes = self.parts()
        return seed if base is None and not outcomes else None

    def __reduce__(self) -> tuple[Any, ...]:
        seed, base, *more = self.parts()
        return self.of, (self.game, seed, base, self._past, *more)
