"""A game under way, with all its cards face up: for programs that run games. A player gets an `Observation` of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fcdl.model.chance import SeededChance
from fcdl.model.engine import IllegalMoveError
from fcdl.model.events import Event, Observation
from fcdl.model.moves import Move
from fcdl.model.outcome import Outcome

if TYPE_CHECKING:
    from fcdl.api.game import Game

_PLAY, _PLAY_OR_PASS = 0, 1
"""Kinds of decisions of the C engine."""

AnyMove = Move | str | int
"""A move as a value, as text (`play QH`) or as its number in the game's table of actions."""


class State(ABC):
    """A game under way: who is to move, what is legal, and `play`, which changes it. Copies are cheap.

    Two states are equal if the same has happened in them and chance will go on alike. Everything that happens by chance
    comes from the seed.
    """

    __slots__ = ("_base", "_chance", "_now", "game", "seed")

    game: Game
    seed: int

    def __init__(self, game: Game, seed: int, base: Any = None) -> None:
        self.game = game
        self.seed = seed
        self._base = base
        self._now = base
        self._chance = SeededChance.of(seed)

    # --- what differs between engines

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
    def actions(self) -> list[int]:
        """The legal moves as numbers in `game.actions`, in the order of `legal`."""

    @property
    @abstractmethod
    def history(self) -> tuple[Any, ...]:
        """What was played since the base, in the engine's own terms."""

    @abstractmethod
    def play(self, move: AnyMove) -> State:
        """Makes a move and returns this state; raises IllegalMoveError, which says why, or MoveError for a bad text."""

    @abstractmethod
    def _told(self) -> Any:
        """The engine's immutable state of this position, with all events."""

    @abstractmethod
    def copy(self, seed: int | None = None) -> State:
        """A copy that can be played on by itself; with a seed, chance goes another way from here."""

    # --- what does not

    @property
    def outcome(self) -> Outcome | None:
        """Scores and the reason why the game ended; None while it goes on."""
        return self.game.engine.outcome(self._told())

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened so far, hidden parts included."""
        return self.game.engine.events(self._told())

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves so far."""
        return tuple(move for event in self.events if (move := event.move) is not None)

    def observation(self, seat: int | None = None) -> Observation:
        """What a seat has seen so far (the seat to move, if not said): the only thing that an agent gets."""
        seat = self.mover if seat is None else seat
        if seat is None or not 0 <= seat < self.game.players:
            raise ValueError("the game is over: name a seat" if seat is None else f"there is no seat {seat}")
        return self.game.engine.observe(self._told(), seat)

    @property
    def zones(self) -> dict[str, tuple[str, ...]]:
        """The cards of all zones that are not empty, in deck order."""
        deck = [self.game.flowchart.deck.code(card) for card in self.game.cards]
        found: dict[str, list[str]] = {zone: [] for zone in self.game.zones}
        found["pack"] = list(deck)
        for event in self.events:
            if event.kind == "shuffle" and event.source == "pack" and event.number == len(deck):
                found = {zone: [] for zone in found} | {"pack": list(deck)}
            elif event.source is not None and event.target is not None:
                for card in event.cards or ():
                    found[event.source].remove(card)
                found[event.target] += event.cards or ()
        return {zone: tuple(sorted(cards, key=deck.index)) for zone, cards in found.items() if cards}

    @property
    def values(self) -> dict[str, str]:
        """The values of all variables so far, as text: `turn`, `score(0)`."""
        found = {
            f"{variable.name}({seat})": self.game.value_text(variable.type, variable.initial)
            for variable in self.game.flowchart.variables.values()
            for seat in range(self.game.players)
            if variable.per_player and variable.initial is not None
        }
        for event in self.events:
            if event.kind in ("assign", "choose"):
                found[f"{event.name}" if event.owner is None else f"{event.name}({event.owner})"] = event.value or ""
        return found

    def _place(self, move: AnyMove) -> int:
        """The place of a move among the legal ones; raises IllegalMoveError with the reason in words."""
        legal = self.legal
        if isinstance(move, int):
            wanted = self.game.actions.move(move, legal)
            if wanted is None:
                raise IllegalMoveError(f"there is no action {move} here; legal: {self.actions}")
        else:
            wanted = self.game.read_move(move) if isinstance(move, str) else move
        if wanted in legal:
            return legal.index(wanted)
        if self.over:
            raise IllegalMoveError(f"illegal move '{wanted}': the game is over")
        raise IllegalMoveError(self.game.why_illegal(self.seed, self._base, self.moves, wanted, legal))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        mine, theirs = (self.seed, self.history, self._base), (other.seed, other.history, other._base)
        return mine == theirs and self.game == other.game

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: object) -> State:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (self.game, self.seed, self._base, self.history)

    def __repr__(self) -> str:
        mover = self.mover
        what = f"scores {', '.join(map(str, self.scores))}" if mover is None else f"seat {mover} to move"
        number = len(self.history)
        return f"<{self.game.name}, {self.game.players} players: {number} move{'' if number == 1 else 's'}, {what}>"

    def __str__(self) -> str:
        lines = [f"{zone}: {' '.join(cards)}" for zone, cards in self.zones.items()]
        mover = self.mover
        if mover is None:
            ending = f"over: {' '.join(map(str, self.scores))}"
        else:
            ending = f"seat {mover}: {', '.join(map(str, self.legal))}"
        return "\n".join([*lines, ending])


class NativeState(State):
    """A state on the C engine; what happened is told when somebody asks."""

    __slots__ = ("_numbers", "_position", "_told_moves")

    _numbers: list[int]

    def __init__(self, game: Game, seed: int, base: Any = None) -> None:
        super().__init__(game, seed, base)
        self._position = game.native.new_game(seed) if base is None else game.native.position(base, seed)
        self._numbers = []
        self._told_moves = 0

    @property
    def mover(self) -> int | None:
        """The seat to move; None when the game is over."""
        mover = self._position.mover
        return None if mover < 0 else mover

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._position.is_over

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores by seat, as they stand."""
        return self._position.scores

    @property
    def legal(self) -> tuple[Move, ...]:
        """The legal moves."""
        position, move = self._position, self.game.native.move
        return tuple([move(position, number) for number in position.legal_ids()])

    @property
    def actions(self) -> list[int]:
        """The legal moves as numbers in `game.actions`."""
        position, game = self._position, self.game
        numbers = position.legal_ids()
        if game.plain_numbers:
            if position.kind == _PLAY:  # the usual case: the number of a card is its number in the table
                return numbers
            if position.kind == _PLAY_OR_PASS:
                numbers[-1] = game.pass_number
                return numbers
        legal, number = self.legal, game.actions.number
        return [number(move, legal) for move in legal]

    @property
    def history(self) -> tuple[int, ...]:
        """The numbers of the moves as the C engine has them."""
        return tuple(self._numbers)

    def play(self, move: AnyMove) -> NativeState:
        """Makes a move and returns this state; raises IllegalMoveError, which says why, or MoveError for a bad text."""
        position = self._position
        if type(move) is int and position.kind == _PLAY and self.game.plain_numbers:
            number = move
            try:
                position.apply_id(number)
            except ValueError:
                self._place(move)  # says why
                raise
        else:
            number = position.legal_ids()[self._place(move)]
            position.apply_id(number)
        self._numbers.append(number)
        return self

    def _told(self) -> Any:
        engine, numbers = self.game.native, self._numbers
        if self._now is None:
            self._now = engine.start(self._chance)
        for number in numbers[self._told_moves :]:
            self._now = engine.apply(self._now, engine.move(self._now, number), self._chance)
        self._told_moves = len(numbers)
        return self._now

    def copy(self, seed: int | None = None) -> NativeState:
        """A copy that can be played on by itself; with a seed, chance goes another way from here."""
        if seed is not None:
            return NativeState(self.game, seed, self._told())
        twin = NativeState.__new__(NativeState)
        twin.game, twin.seed, twin._base, twin._now = self.game, self.seed, self._base, self._now
        twin._chance = SeededChance(self._chance.state)
        twin._position = self._position.clone()
        twin._numbers = self._numbers.copy()
        twin._told_moves = self._told_moves
        return twin


class EngineState(State):
    """A state on any engine."""

    __slots__ = ("_moves",)

    def __init__(self, game: Game, seed: int, base: Any = None) -> None:
        super().__init__(game, seed, base)
        self._moves: list[Move] = []
        if base is None:
            self._now = game.engine.start(self._chance)

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
        """The legal moves."""
        return self.game.engine.legal(self._now)

    @property
    def actions(self) -> list[int]:
        """The legal moves as numbers in `game.actions`."""
        legal = self.legal
        return [self.game.actions.number(move, legal) for move in legal]

    @property
    def history(self) -> tuple[Move, ...]:
        """The moves since the base."""
        return tuple(self._moves)

    def play(self, move: AnyMove) -> EngineState:
        """Makes a move and returns this state; raises IllegalMoveError, which says why, or MoveError for a bad text."""
        made = self.legal[self._place(move)]
        self._now = self.game.engine.apply(self._now, made, self._chance)
        self._moves.append(made)
        return self

    def _told(self) -> Any:
        return self._now

    def copy(self, seed: int | None = None) -> EngineState:
        """A copy that can be played on by itself; with a seed, chance goes another way from here."""
        twin = EngineState(self.game, self.seed if seed is None else seed, self._now)
        if seed is None:
            twin._base, twin._moves, twin._chance.state = self._base, self._moves.copy(), self._chance.state
        return twin


def restored(game: Game, seed: int, base: Any, history: Sequence[Any]) -> State:
    """A state that was taken apart by `State.__reduce__`."""
    state = game.state(seed, base)
    for item in history:
        if isinstance(state, NativeState):
            state._position.apply_id(item)
            state._numbers.append(item)
        else:
            state.play(item)
    return state
