"""The native engine: the `Engine` contract, batch calls, and positions for search, all run by the C extension."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from fcdl.engines.native import _engine, libraries
from fcdl.engines.native.compiler import compile_game
from fcdl.engines.native.constants import DECISION, KIND_CHOOSE, KIND_PICK, OVER, REASONS, SET_KINDS
from fcdl.engines.native.constants import PASS as PASS_ID
from fcdl.engines.native.events import EventReader
from fcdl.engines.native.functions import Function
from fcdl.engines.native.policies import AnyPolicy
from fcdl.engines.native.program import NodeProgram
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import Type
from fcdl.model import PASS, Chance, Event, Game, IllegalMoveError, Move, Observation, Outcome
from fcdl.model.events import observation
from fcdl.model.trail import Trail


@dataclass(frozen=True, slots=True)
class State:
    """A position; the bytes are the C engine's. Positions that are equal have the same cards and the same past."""

    data: bytes
    told: Trail[bytes] = field(repr=False)
    """What happened, as records: a part for every decision."""
    status: int = field(repr=False)
    kind: int = field(repr=False)
    mover: int
    reason: int = field(repr=False)
    node: int
    scores: tuple[int, ...]

    def __repr__(self) -> str:
        where = "over" if self.status == OVER else f"player {self.mover} decides"
        return f"<State at node {self.node}: {where}, {self.told.length - 1} moves made, scores {self.scores}>"

    def __hash__(self) -> int:
        return hash(self.data)


@dataclass(frozen=True, slots=True)
class Playouts:
    """Games played to the end: a row of scores for each, the moves made in all, and games by reason of their end."""

    scores: npt.NDArray[np.int32]
    moves: int
    reasons: dict[str, int]


class NativeEngine:
    """Plays a game on the C engine; raises ImportError where that was not built.

    Functions and policies are compiled with the game; states do not depend on them.
    """

    def __init__(
        self,
        game: Game,
        *,
        functions: Sequence[Function] = (),
        policies: Sequence[AnyPolicy] = (),
        pauses: frozenset[int] = frozenset(),
    ) -> None:
        self._game = game
        self._events = EventReader(game)
        self._offered: tuple[bytes, dict[int, Move]] = (b"", {})
        self._moves: dict[tuple[int, int, int], Move] = {}  # as they were made, by kind, node and number
        chart = game.flowchart
        of_policies = (function for policy in policies for function in policy.functions(chart))
        self.functions = tuple(dict.fromkeys((*functions, *of_policies)))
        if len({function.name for function in self.functions}) < len(self.functions):
            raise ValueError("two functions have the same name")
        self.policies = tuple(policies)
        self.pauses = pauses.union(*(policy.pauses for policy in policies))

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._game

    @cached_property
    def node_program(self) -> NodeProgram:
        """The program without events, for speed."""
        return compile_game(self._game, functions=self.functions, pauses=self.pauses)

    @cached_property
    def program(self) -> _engine.Program:
        """The C engine's form of the program without events; it may run compiled code, now or later."""
        program = _engine.Program(self.node_program.parts())
        libraries.serve(self, program)
        return program

    @cached_property
    def telling_program(self) -> _engine.Program:
        """The program that tells events; its states are the same."""
        return _engine.Program(compile_game(self._game, events=True).parts())

    @property
    def zone_seers(self) -> tuple[frozenset[int], ...]:
        """Who sees the cards of each zone of the program."""
        return self._events.zone_seers

    @cached_property
    def function_numbers(self) -> Mapping[str, int]:
        """The numbers of the functions by name, for `program.call` and the C engine."""
        return {function.name: number for number, function in enumerate(self.functions)}

    def call(self, state: State | bytes, name: str, *arguments: int) -> int:
        """The value of a function of a position."""
        data = state if isinstance(state, bytes) else state.data
        return self.program.call(data, self.function_numbers[name], arguments)

    @cached_property
    def compiled_policies(self) -> Mapping[str, _engine.Policy]:
        """The C engine's form of the policies by name, for its `program`."""
        chart, program, numbers = self._game.flowchart, self.program, self.function_numbers
        return {policy.name: policy.compiled(chart, program, numbers) for policy in self.policies}

    def by_seat(self, policies: str | Sequence[str | None] | None) -> tuple[_engine.Policy | None, ...] | None:
        """The policies of the seats, from one name for all or a name for each; None is any legal move."""
        names = [policies] * self._game.players if policies is None or isinstance(policies, str) else policies
        if not any(names):
            return None
        return tuple(None if name is None else self.compiled_policies[name] for name in names)

    # --- the contract

    def start(self, chance: Chance) -> State:
        """From the start to the first decision (or the end)."""
        return self._state(*self.telling_program.start(chance), None)

    def mover(self, state: State) -> int | None:
        """The seat that decides; None when the game is over."""
        return state.mover if state.status == DECISION else None

    def legal(self, state: State) -> tuple[Move, ...]:
        """All legal moves, in order."""
        return tuple(self.move(state, number) for number in self.telling_program.legal(state.data))

    def apply(self, state: State, move: Move, chance: Chance) -> State:
        """On to the next decision (or the end); raises IllegalMoveError."""
        number = self.move_id(state, move)
        try:
            if number is not None:
                return self._state(*self.telling_program.apply(state.data, number, chance), state.told)
        except _engine.IllegalMoveError:
            pass
        legal = " ".join(str(move) if move.kind == "pass" else move.what for move in self.legal(state))
        where = f"node {state.node}: {self._game.flowchart.nodes[state.node].caption}"
        reason = f"the game is over ({where})" if state.status == OVER else f"{where}; legal: {legal}"
        raise IllegalMoveError(f"illegal move '{move}': {reason}")

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if state.status != OVER:
            return None
        return Outcome(state.scores, REASONS[state.reason], state.node if state.reason else None)

    def events(self, state: State) -> tuple[Event, ...]:
        """Everything that happened so far."""
        return tuple(self._events.read(b"".join(state.told.since())))

    def latest(self, state: State) -> tuple[Event, ...]:
        """What happened since the decision before."""
        return tuple(self._events.read(state.told.newest))

    def observe(self, state: State, seat: int) -> Observation:
        """What one seat has seen so far."""
        return observation(self.events(state), seat)

    def _state(self, data: bytes, records: bytes, before: Trail[bytes] | None) -> State:
        return State(data, Trail(before, records), *self.telling_program.look(data))

    def state(self, position: bytes) -> State:
        """A state of which only the position is known, not what happened before."""
        return self._state(position, b"", None)

    def zones(self, position: State | bytes) -> dict[str, tuple[str, ...]]:
        """The cards of every zone, in deck order."""
        data = position if isinstance(position, bytes) else position.data
        deck, at = self._game.flowchart.deck, self.telling_program.zones_at
        width = 32 if deck.size > 128 else 16 if deck.size > 64 else 8
        result = {}
        for number, zone in enumerate(self._game.zones):
            content = int.from_bytes(data[at + number * width : at + (number + 1) * width], "little")
            result[zone] = tuple(deck.code(card) for card in self._game.cards if content >> card & 1)
        return result

    # --- moves and their numbers

    def move(self, state: State, number: int) -> Move:
        """The move with this number in this state."""
        if state.kind in SET_KINDS and number != PASS_ID:
            return self._sets_of(state)[number]
        key = (state.kind, state.node if state.kind == KIND_CHOOSE else 0, number)
        move = self._moves.get(key)
        if move is None:
            move = self._moves[key] = self._make_move(state, number)
        return move

    def _sets_of(self, state: State) -> dict[int, Move]:
        """The sets that are offered, by their numbers; those of the last state that was asked for are kept."""
        if self._offered[0] != state.data:
            numbers, sets = self.telling_program.legal(state.data), self.telling_program.sets(state.data)
            moves = {number: self._take(state.node, cards) for number, cards in zip(numbers, sets, strict=False)}
            self._offered = state.data, moves
        return self._offered[1]

    def _take(self, node: int, cards: bytes) -> Move:
        statement = self._game.flowchart.nodes[node].statement
        assert isinstance(statement, fc.TakeSet)
        return self._game.move_of_set(statement.word, cards)

    def _make_move(self, state: State, number: int) -> Move:
        if state.kind == KIND_CHOOSE:
            return Move("choose", self._game.value_text(self._chosen_type(state.node), number))
        if number == PASS_ID:
            return PASS
        return Move("pick" if state.kind == KIND_PICK else "play", self._game.flowchart.deck.code(number))

    def move_id(self, state: State, move: Move) -> int | None:
        """The number of a move in this state; None if there is none like it."""
        numbers = self.telling_program.legal(state.data)
        return next((number for number in numbers if self.move(state, number) == move), None)

    @cached_property
    def book(self) -> _engine.Book:
        """The programs and the moves, as `_engine.Play` needs them; a play tells events by `events_of`."""
        deck, game = self._game.flowchart.deck, self._game
        codes = [deck.code(card) for card in range(deck.size)]
        return _engine.Book(
            self.program,
            self.telling_program,
            (game.flowchart.hash, game.players, tuple(game.options.items())),
            tuple(Move("play", code) for code in codes),
            tuple(Move("pick", code) for code in codes),
            PASS,
            lambda node, value: Move("choose", game.value_text(self._chosen_type(node), value)),
            self._take,
        )

    def events_of(self, records: bytes) -> tuple[Event, ...]:
        """The events that records of a play tell (`play.records()`)."""
        return tuple(self._events.read(records))

    def _chosen_type(self, node: int) -> Type:
        statement = self._game.flowchart.nodes[node].statement
        assert isinstance(statement, fc.Choose)
        return self._game.flowchart.variables[statement.target.name].type

    # --- many games at once

    def new_game(self, seed: int = 0) -> _engine.NativeState:
        """A game whose position changes with every move, with chance from a seed."""
        return _engine.NativeState(self.program, seed)

    def position(self, state: State, seed: int = 0) -> _engine.NativeState:
        """A state as a position that changes with every move, with chance from a seed."""
        return _engine.NativeState(self.program, seed, state.data)

    def play_games(
        self, count: int, seed: int = 0, *, policies: str | Sequence[str | None] | None = None, threads: int = 1
    ) -> Playouts:
        """Plays whole games, at random or by policies (one name for all seats, or one for each).

        The result does not depend on the number of threads.
        """
        return self._play_out(None, count, seed, policies, threads, one_hand=False)

    def playouts(
        self,
        state: State | bytes,
        count: int,
        seed: int = 0,
        *,
        policies: str | Sequence[str | None] | None = None,
        threads: int = 1,
        one_hand: bool = False,
    ) -> Playouts:
        """Plays a position to its end many times, as `play_games` does whole games; or to the end of the hand."""
        data = state if isinstance(state, bytes) else state.data
        return self._play_out(data, count, seed, policies, threads, one_hand=one_hand)

    def _play_out(
        self,
        data: bytes | None,
        count: int,
        seed: int,
        policies: str | Sequence[str | None] | None,
        threads: int,
        *,
        one_hand: bool,
    ) -> Playouts:
        scores = np.zeros((count, self._game.players), np.int32)
        program, by_seat = self.program, self.by_seat(policies)

        def part(first: int, last: int) -> tuple[int, tuple[int, ...]]:
            return program.playouts(
                data, first, last - first, seed & (2**64 - 1), scores[first:last], by_seat, one_hand
            )

        bounds = [count * part // threads for part in range(threads + 1)]
        if threads == 1:
            results = [part(0, count)]
        else:
            with ThreadPoolExecutor(threads) as pool:
                results = list(pool.map(part, bounds[:-1], bounds[1:]))
        reasons = {str(reason): sum(result[1][index] for result in results) for index, reason in enumerate(REASONS)}
        return Playouts(scores, sum(result[0] for result in results), reasons)
