"""Types of the C extension."""

from collections.abc import Callable
from os import PathLike
from typing import Any, Self, final

from fcdl.model import Chance, Move

class IllegalMoveError(ValueError): ...

def use_fast_bits(wanted: bool, /) -> bool: ...

ABI: str

@final
class Program:
    def __new__(cls, parts: dict[str, Any], /) -> Program: ...
    @property
    def is_compiled(self) -> bool: ...
    @property
    def functions_are_compiled(self) -> bool: ...
    @property
    def state_size(self) -> int: ...
    @property
    def variables_size(self) -> int: ...
    @property
    def zones_at(self) -> int: ...
    def start(self, chance: Chance, /) -> tuple[bytes, bytes]: ...
    def apply(self, state: bytes, move: int, chance: Chance, /) -> tuple[bytes, bytes]: ...
    def legal(self, state: bytes, /) -> tuple[int, ...]: ...
    def sets(self, state: bytes, /) -> list[bytes]: ...
    def look(self, state: bytes, /) -> tuple[int, int, int, int, int, tuple[int, ...]]: ...
    def call(self, state: bytes, number: int, arguments: tuple[int, ...], /) -> int: ...
    def call_all(self, state: bytes, first: int, count: int, rows: list[tuple[int, ...]], /) -> bytes: ...
    def text(self, functions: bool = False, /) -> bytes: ...
    def use_library(self, path: str | PathLike[str], /) -> bool: ...
    def playouts(
        self,
        state: bytes | None,
        first: int,
        count: int,
        seed: int,
        scores: Any,
        policies: tuple[Policy | None, ...] | None = None,
        one_hand: bool = False,
        /,
    ) -> tuple[int, tuple[int, ...]]: ...
    def arranged(self, state: bytes, variables: Any, zones: Any, /) -> bytes | None: ...
    def orders(self, *, factors: Any, deals: Any, limits: Any, count: int, seconds: float, seed: int) -> bytes: ...
    def worlds(
        self,
        *,
        bases: bytes,
        script: Any,
        factors: Any,
        deals: Any,
        seat: int,
        model: int,
        ending: int,
        count: int,
        attempts: int,
        work: int,
        seconds: float,
        seed: int,
        tracing: bool,
        texts: bool,
    ) -> tuple[
        tuple[bytes, ...],
        bytes,
        int,
        bytes,
        tuple[bytes, bytes, bytes, bytes] | None,
        list[list[tuple[int, list[int]]]] | None,
    ]: ...

@final
class Evaluation:
    def __new__(
        cls,
        *,
        program: Program,
        goal: int,
        ahead: int,
        mean: bool,
        shares: bool,
        average: bool,
        depth: int,
        hand: int,
        inside: bytes,
        friends: bytes,
        heuristics: tuple[tuple[float, int, int, int, int, tuple[int, ...]], ...],
    ) -> Evaluation: ...
    def value(self, state: bytes, seat: int, /) -> bytearray: ...
    def values(self, states: bytes, moves: bytes, lines: int, seed: int, values: Any, parts: Any = None, /) -> None: ...

@final
class Network:
    def __new__(
        cls,
        *,
        program: Program,
        fields: bytes,
        answers: bytes,
        limits: bytes,
        places: bytes,
        suits: bytes,
        ranks: bytes,
        inputs: int,
        hidden: int,
        outputs: int,
        first: Any,
        first_bias: Any,
        second: Any,
        second_bias: Any,
    ) -> Network: ...
    def describe(self, states: bytes, /) -> tuple[bytes, bytes, bytes, bytes, bytes, bytes]: ...
    def values(self, states: bytes, seats: bytes, /) -> bytes: ...

@final
class Policy:
    def __new__(
        cls,
        program: Program,
        worth: bytes,
        passing: bytes,
        random_part: float = 0.0,
        evaluation: Evaluation | None = None,
        lines: int = 1,
        temperature: float = 0.0,
        network: Network | None = None,
    ) -> Policy: ...
    def worths(self, state: bytes, /) -> list[tuple[int, float, float]]: ...
    def likelihoods(self, states: bytes, moves: bytes, softness: float = 0.0, seconds: float = 0.0, /) -> bytes: ...

@final
class NativeState:
    def __new__(cls, program: Program, seed: int = 0, state: bytes | None = None) -> NativeState: ...
    @property
    def mover(self) -> int: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def scores(self) -> tuple[int, ...]: ...
    @property
    def kind(self) -> int: ...
    @property
    def reason(self) -> int: ...
    @property
    def node(self) -> int: ...
    def legal_ids(self) -> tuple[int, ...]: ...
    def apply_id(self, move: int, /) -> None: ...
    def step_id(self, move: int, /) -> tuple[int, ...]: ...
    def clone(self) -> NativeState: ...
    def dump(self) -> bytes: ...
    def reseed(self, seed: int, /) -> None: ...
    def call(self, number: int, arguments: tuple[int, ...], /) -> int: ...
    def play_out(self, policies: tuple[Policy | None, ...] | None = None, moves: int = -1, /) -> int: ...

@final
class Book:
    def __new__(
        cls,
        program: Program,
        telling: Program,
        key: object,
        plays: tuple[Move, ...],
        picks: tuple[Move, ...],
        passing: Move,
        choose: Callable[[int, int], Move],
        take: Callable[[int, bytes], Move],
    ) -> Book: ...
    def number_moves(self, numbers: dict[Move, int], first_place: int, /) -> None: ...

class Play:
    def __new__(
        cls,
        book: Book,
        seed: int = 0,
        base: bytes | None = None,
        moves: bytes = b"",
        outcomes: bytes = b"",
        chance: Chance | None = None,
    ) -> Self: ...
    @property
    def legal(self) -> tuple[Move, ...]: ...
    @property
    def legal_ids(self) -> tuple[int, ...]: ...
    @property
    def actions(self) -> list[int]: ...
    @property
    def mover(self) -> int | None: ...
    @property
    def over(self) -> bool: ...
    @property
    def scores(self) -> tuple[int, ...]: ...
    @property
    def reason(self) -> int: ...
    @property
    def node(self) -> int: ...
    @property
    def moves(self) -> tuple[Move, ...]: ...
    @property
    def move_count(self) -> int: ...
    @property
    def book(self) -> Book: ...
    def play(self, move: object, /) -> Self: ...
    def play_id(self, number: int, /) -> None: ...
    def number_moves(self) -> None: ...
    def meant(self, move: object, /) -> Move: ...
    def copy(self) -> Self: ...
    def __copy__(self) -> Self: ...
    def parts(self) -> tuple[int, bytes | None, bytes, bytes]: ...
    def records(self, since: int = -1, /) -> bytes: ...
    def dump(self) -> bytes: ...

@final
class Search:
    win_weight: float
    def __new__(
        cls,
        *,
        program: Program,
        worlds: bytes,
        weights: Any,
        seat: int,
        one_hand: bool,
        utility: int,
        lowest_wins: bool,
        friends: bytes,
        zone_seers: bytes,
        secrets: bytes,
        policies: tuple[Policy | None, ...] | None,
        until: int,
    ) -> Search: ...
    def cancel(self) -> None: ...
    def hashes(self) -> list[int]: ...
    def spread(self, playouts: int, seed: int, /) -> tuple[float, float]: ...
    def flat(
        self, *, first: int, count: int, own_moves: int, seed: int, seconds: float
    ) -> tuple[int, list[tuple[int, int, float]]]: ...
    def tree(
        self,
        *,
        world: int,
        iterations: int,
        seconds: float,
        c: float,
        curiosity: float,
        multiple: bool,
        scripted: bool,
        prior: Policy | None,
        nodes: int,
        seed: int,
    ) -> tuple[int, int, list[tuple[int, int, float]]]: ...
    def minimax(
        self,
        *,
        first: int,
        last: int,
        depth: int,
        playouts: int,
        judge: Evaluation | int | None,
        max_n: bool,
        preferring: bool,
        pruning: bool,
        nodes: int,
        table_bits: int,
        seconds: float,
        seed: int,
    ) -> list[tuple[int, int, list[tuple[int, float]]]]: ...

@final
class Particles:
    def __new__(
        cls,
        *,
        program: Program,
        seat: int,
        model: int,
        sees: bytes,
        owners: bytes,
        private: bytes,
        bases: bytes,
        orders: bytes,
        count: int,
        seed: int,
    ) -> Particles: ...
    def extend(
        self, script: Any, ending: int, whole: bool, work: int, total: int, seconds: float, /
    ) -> tuple[int, int, int]: ...
    def draw(
        self, count: int, steps: int, seed: int, legal: Any, work: int, seconds: float, tracing: bool, /
    ) -> tuple[tuple[bytes, ...], bytes, tuple[bytes, bytes, bytes, bytes] | None]: ...
