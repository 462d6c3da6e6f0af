"""A game under way, with all its cards face up: for programs that run games. A player gets an `Observation` of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Self

from fcdl.model.chance import StreamChance
from fcdl.model.engine import IllegalMoveError
from fcdl.model.events import Event, Observation
from fcdl.model.moves import Move
from fcdl.model.outcome import Outcome
from fcdl.model.table import Table

if TYPE_CHECKING:
    from fcdl.api.game import Game

AnyMove = Move | str | int
"""A move as a value, as text (`play QH`) or as its number in the game's table of actions."""


class State(ABC):
    """A game under way: who is to move, what is legal, and `play`, which changes it. Copies are cheap.

    Everything that happens by chance comes from the seed. Two states are equal if the same has happened in them and
    chance will go on alike.
    """

    __slots__ = ()

    game: Game
    _seen: dict[int, tuple[int, tuple[Event, ...]]]
    """By seat: how many events it was shown, and what it saw of them."""

    # --- what each engine has in its own way

    @property
    @abstractmethod
    def mover(self) -> int | None:
        """The seat to move; None when the game is over."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether the game is over."""

    @property
    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """The scores by seat, as they stand."""

    @property
    @abstractmethod
    def legal(self) -> tuple[Move, ...]:
        """The legal moves: cards in deck order, then pass; or values in the order in which the chart offers them."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Scores and the reason why the game ended; None while it goes on."""

    @property
    @abstractmethod
    def events(self) -> tuple[Event, ...]:
        """Everything that happened so far, hidden parts included."""

    @abstractmethod
    def play(self, move: AnyMove, /) -> Self:
        """Makes a move and returns the state; raises IllegalMoveError, which says why, or MoveError for a bad text."""

    @abstractmethod
    def copy(self) -> Self:
        """A copy that can be played on by itself."""

    @abstractmethod
    def reseeded(self, seed: int) -> Self:
        """A copy with the same past for which chance goes another way from here."""

    # --- what all have

    @property
    def actions(self) -> list[int]:
        """The legal moves as numbers in `game.actions`, in the order of `legal`."""
        return self.game.actions.numbers(self.legal)

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves so far."""
        return tuple(move for event in self.events if (move := event.move) is not None)

    def observation(self, seat: int | None = None) -> Observation:
        """What a seat has seen so far (the seat to move, if not said): the only thing that an agent gets."""
        seat = self.mover if seat is None else seat
        if seat is None or not 0 <= seat < self.game.players:
            raise ValueError("the game is over: name a seat" if seat is None else f"there is no seat {seat}")
        events = self.events
        read, seen = self._seen.get(seat, (0, ()))
        if read < len(events):
            seen += tuple(view for event in events[read:] if (view := event.seen_by(seat)) is not None)
            self._seen[seat] = len(events), seen
        return Observation(seat, seen)

    @property
    def zones(self) -> dict[str, tuple[str, ...]]:
        """The cards of every zone, in deck order."""
        table = self._table()
        found = {zone: table.known(zone) for zone in self.game.zones}
        found["pack"] += table.unseen  # whatever was never moved
        return {zone: tuple(self.game.in_deck_order(cards)) for zone, cards in found.items()}

    @property
    def values(self) -> dict[str, str]:
        """The values of the variables so far, as text: `turn`, `score(0)`."""
        values = self._table().values.items()
        return {self.game.place_text(name, place): value for (name, place), value in values}

    def _table(self) -> Table:
        table = Table(self.game)
        table.follow(self.events)
        return table

    def _meant(self, move: object) -> Move:
        """The legal move that is meant by a number, a text or a value; raises IllegalMoveError with the reason."""
        legal = self.legal
        if isinstance(move, int):
            wanted = self.game.actions.move(move, legal)
            if wanted is None:
                raise IllegalMoveError(f"there is no action {move} here; legal: {self.actions}")
        else:
            wanted = move if isinstance(move, Move) else self.game.read_move(str(move))
        if wanted in legal:
            return wanted
        if self.over:
            raise IllegalMoveError(f"illegal move '{wanted}': the game is over")
        raise IllegalMoveError(
            self._why_illegal(wanted) or f"illegal move '{wanted}'; legal: {', '.join(map(str, legal))}"
        )

    def _why_illegal(self, move: Move) -> str | None:
        """The reason in words, if this state knows its whole past: the game is followed once more, node by node."""
        from fcdl.engines.stepping import SteppingEngine

        seed = self._seed_of_all
        if seed is None:
            return None
        engine, chance = SteppingEngine(self.game), StreamChance(seed)
        state = engine.start(chance)
        try:
            for made in self.moves:
                state = engine.apply(state, made, chance)
            engine.decide(state, move)
        except IllegalMoveError as error:
            return str(error)
        return None

    @property
    @abstractmethod
    def _seed_of_all(self) -> int | None:
        """The seed from which all chance so far came; None if the state began in the middle of a game."""

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __repr__(self) -> str:
        mover, number = self.mover, len(self.moves)
        what = f"scores {', '.join(map(str, self.scores))}" if mover is None else f"seat {mover} to move"
        return f"<{self.game.name}, {self.game.players} players: {number} move{'' if number == 1 else 's'}, {what}>"

    def __str__(self) -> str:
        lines = [f"{zone}: {' '.join(cards)}" for zone, cards in self.zones.items() if cards]
        mover = self.mover
        if mover is None:
            ending = f"over: {' '.join(map(str, self.scores))}"
        else:
            ending = f"seat {mover}: {', '.join(map(str, self.legal))}"
        return "\n".join([*lines, ending])


class EngineState(State):
    """A state on any engine, however slow."""

    __slots__ = ("_began", "_chance", "_moves", "_now", "_seed", "_seen", "game")

    def __init__(self, game: Game, seed: int, now: Any = None) -> None:
        self.game = game
        self._seed = seed
        self._chance = StreamChance(seed)
        self._began = now
        self._now = game.engine.start(self._chance) if now is None else now
        self._moves: tuple[Move, ...] = ()
        self._seen = {}

    @property
    def mover(self) -> int | None:
        """The seat to move; None when the game is over."""
        return self.game.engine.mover(self._now)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.mover is None

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores by seat, as they stand."""
        values = self.values
        return tuple(int(values[f"score({seat})"]) for seat in range(self.game.players))

    @property
    def legal(self) -> tuple[Move, ...]:
        """The legal moves, in order."""
        return self.game.engine.legal(self._now)

    @property
    def outcome(self) -> Outcome | None:
        """Scores and the reason why the game ended; None while it goes on."""
        return self.game.engine.outcome(self._now)

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened so far, hidden parts included."""
        return self.game.engine.events(self._now)

    def play(self, move: AnyMove, /) -> Self:
        """Makes a move and returns the state; raises IllegalMoveError, which says why, or MoveError for a bad text."""
        meant = self._meant(move)
        self._now = self.game.engine.apply(self._now, meant, self._chance)
        self._moves += (meant,)
        return self

    def copy(self) -> Self:
        """A copy that can be played on by itself."""
        twin = type(self)(self.game, self._seed, self._now)
        twin._began, twin._moves, twin._seen = self._began, self._moves, dict(self._seen)
        twin._chance.state = self._chance.state
        return twin

    def reseeded(self, seed: int) -> Self:
        """A copy with the same past for which chance goes another way from here."""
        return type(self)(self.game, seed, self._now)

    @property
    def _seed_of_all(self) -> int | None:
        return self._seed if self._began is None else None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EngineState):
            return NotImplemented
        mine, theirs = (self._seed, self._moves, self._began), (other._seed, other._moves, other._began)
        return mine == theirs and self.game == other.game

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __copy__(self) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.game, self._seed, self._began, self._moves)


def _restored(kind: type[EngineState], game: Game, seed: int, began: Any, moves: tuple[Move, ...]) -> EngineState:
    state = kind(game, seed, began)
    for move in moves:
        state.play(move)
    return state
