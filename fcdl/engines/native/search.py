"""Searches for the best move in some worlds, run by the C extension without the GIL, on any number of threads.

What is budgeted in iterations is split into parts before it is given to threads, and the parts are put together in
order, so the result depends on the seed only. What is budgeted in seconds runs on all threads until the time is over.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from fcdl.engines.native import _engine
from fcdl.engines.native.constants import UTILITIES
from fcdl.engines.native.engine import NativeEngine
from fcdl.errors import FcdlError
from fcdl.language import flowchart as fc

UNLIMITED = 2**62
"""Iterations, playouts or nodes where time is the limit."""
_PARTS, _PART = 8, 1000
_SPREAD_PLAYOUTS = 64
_WORD = 2**64 - 1
T = TypeVar("T")


class NoTimeError(FcdlError):
    """The time was over before any move was tried to the end."""

    def __init__(self) -> None:
        super().__init__("the time was over before a move was tried")


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to search: a number of iterations (or playouts, or nodes), or seconds."""

    iterations: int = UNLIMITED
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Tally:
    """What a search found out about one move, by its number: how often it was tried, and what that was worth in all."""

    number: int
    visits: int
    total: float

    @property
    def value(self) -> float:
        """What the move is worth."""
        return self.total / self.visits if self.visits else float("-inf")


@dataclass(frozen=True, slots=True)
class Searched:
    """The moves tried, how many iterations that took, and how many nodes the trees have."""

    moves: tuple[Tally, ...]
    iterations: int
    nodes: int = 0


@dataclass(frozen=True, slots=True)
class Solved:
    """The values of the moves in one world, to which depth it was searched (`MAX_DEPTH`: to its end), and the nodes."""

    depth: int
    values: dict[int, float]
    nodes: int


@dataclass(frozen=True, slots=True)
class Aim:
    """What a search is after: how far it looks (`hand` or `game`), and what it wants there (one of UTILITIES)."""

    horizon: str = "hand"
    utility: str = "mixed"


DEFAULT_AIM = Aim()


class Search:
    """The question which move is best for a seat in some worlds, and several ways to answer it (or NoTimeError).

    Playouts choose by the policy of the engine that is named, for all or for each seat, or (None) any move; after
    `until` moves, if that is given, they go on at random.
    """

    def __init__(
        self,
        engine: NativeEngine,
        positions: Sequence[bytes],
        weights: npt.NDArray[np.float64],
        seat: int,
        *,
        aim: Aim = DEFAULT_AIM,
        simulation: str | Sequence[str | None] | None = None,
        until: int | None = None,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        self.engine = engine
        self.worlds = len(positions)
        self.weights = [float(weight) for weight in weights]
        self.threads = threads
        self.seed = seed & _WORD
        chart = engine.game.flowchart
        self._search = _engine.Search(
            program=engine.program,
            worlds=b"".join(positions),
            weights=np.ascontiguousarray(weights, np.float64),
            seat=seat,
            one_hand=aim.horizon == "hand",
            utility=UTILITIES.index(aim.utility),
            lowest_wins=chart.lowest_wins,
            friends=_friends(engine),
            zone_seers=array("Q", [sum(1 << seat for seat in seers) for seers in engine.zone_seers]).tobytes(),
            secrets=bytes(_secrecy(engine, number) for number in engine.node_program.nodes),
            policies=engine.by_seat(simulation),
            until=-1 if until is None else until,
        )
        self.utility = aim.utility
        if aim.utility == "mixed":
            self._search.win_weight = self._search.spread(_SPREAD_PLAYOUTS, self.seed)[1] or 1.0

    @cached_property
    def scale(self) -> float:
        """How much ends differ, by which trees set what is worth trying."""
        return 1.0 if self.utility == "win" else 2 * self._search.spread(_SPREAD_PLAYOUTS, self.seed)[0] or 1.0

    def flat(self, budget: Budget, lookahead: int = 0) -> Searched:
        """Playouts for every move, until the seat has made `lookahead` moves (0: to the horizon)."""

        def part(first: int, last: int) -> Searched:
            done, rows = self._search.flat(
                first=first, count=last - first, own_moves=lookahead, seed=self.seed, seconds=budget.seconds
            )
            return _searched(rows, done)

        return _tried(summed(self._in_threads([partial(part, first, last) for first, last in self._parts(budget)])))

    def tree(
        self,
        budget: Budget,
        *,
        c: float,
        multiple: bool,
        nodes: int,
        curiosity: float = 1.0,
        scripted: bool = False,
        prior: str | None = None,
    ) -> Searched:
        """Trees over all worlds: one if there are few iterations, several that share them if there are many.

        `scripted`: in the tree, too, the others choose as in playouts, and the seat looks for its best answer to that.
        `prior`: the policy of the engine that moves are tried by (PUCT); without it all are tried (UCB).
        """

        def part(first: int, last: int) -> Searched:
            done, used, rows = self._search.tree(
                world=-1,
                iterations=last - first,
                seconds=budget.seconds,
                c=c * self.scale,
                curiosity=curiosity,
                multiple=multiple,
                scripted=scripted,
                prior=self._policy(prior),
                nodes=share,
                seed=(self.seed + first) & _WORD,
            )
            return _searched(rows, done, used)

        parts = self._parts(budget)
        share = max(1, nodes // len(parts))
        return _tried(summed(self._in_threads([partial(part, first, last) for first, last in parts])))

    @cached_property
    def copies(self) -> dict[int, list[int]]:
        """The worlds that differ, by number, and with each those that equal it: all of them where nothing is hidden."""
        found: dict[int, list[int]] = {}
        for world, number in enumerate(self._search.hashes()):
            found.setdefault(number, []).append(world)
        return {worlds[0]: worlds for worlds in found.values()}

    def trees(
        self, budget: Budget, *, c: float, nodes: int, curiosity: float = 1.0, prior: str | None = None
    ) -> list[Searched]:
        """A tree for every world, each with that many iterations, or its part of the time.

        Equal worlds have one tree (see `copies`), which has the iterations or the time of all of them.
        """

        def one(world: int, copies: int) -> Searched:
            done, used, rows = self._search.tree(
                world=world,
                iterations=min(UNLIMITED, copies * budget.iterations),
                seconds=copies * seconds,
                c=c * self.scale,
                curiosity=curiosity,
                multiple=False,
                scripted=False,
                prior=self._policy(prior),
                nodes=nodes,
                seed=(self.seed + world) & _WORD,
            )
            return _searched(rows, done, used)

        seconds = budget.seconds * min(self.threads, len(self.copies)) / self.worlds
        done = self._in_threads([partial(one, world, len(worlds)) for world, worlds in self.copies.items()])
        if not any(searched.iterations for searched in done):
            raise NoTimeError
        return done

    def minimax(
        self,
        budget: Budget,
        *,
        depth: int,
        table_bits: int,
        playouts: int = 0,
        judge: str | _engine.Evaluation | None = None,
        max_n: bool = False,
        preferring: bool = False,
        pruning: bool = True,
    ) -> list[Solved]:
        """Minimax in every world, deeper and deeper with that many nodes for each, or its part of the time.

        Of equal worlds one is searched.

        Depth 0 is to the horizon. A position that is not searched further is worth what heuristics say (ends, too), or
        a function of the engine (of a player), then ends outweigh all judgements; or the mean of playouts, a little
        less for every move before it; or (0) as if the game ended there. `preferring`: of equal moves the one that
        playouts prefer is better. Without `pruning` (alpha-beta) or a table (0 bits) the values are the same, later.
        """

        def part(first: int, last: int) -> list[Solved]:
            rows = self._search.minimax(
                first=first,
                last=last,
                depth=depth,
                playouts=playouts,
                judge=judging,
                max_n=max_n,
                preferring=preferring,
                pruning=pruning,
                nodes=budget.iterations,
                table_bits=table_bits,
                seconds=seconds,
                seed=self.seed,
            )
            return [Solved(depth, dict(values), nodes) for depth, nodes, values in rows]

        judging = self.engine.function_numbers[judge] if isinstance(judge, str) else judge
        different = list(self.copies)
        seconds = budget.seconds * min(self.threads, len(different)) / len(different)
        if len(different) == self.worlds:
            count = min(_PARTS, self.worlds)
            bounds = [self.worlds * n // count for n in range(count + 1)]
            done = self._in_threads([partial(part, first, last) for first, last in pairwise(bounds)])
            return [solved for part_of_worlds in done for solved in part_of_worlds]
        done = self._in_threads([partial(part, world, world + 1) for world in different])
        found = {
            world: solved for first, (solved,) in zip(different, done, strict=True) for world in self.copies[first]
        }
        return [found[world] for world in range(self.worlds)]

    def _policy(self, name: str | None) -> _engine.Policy | None:
        return None if name is None else self.engine.compiled_policies[name]

    def _parts(self, budget: Budget) -> list[tuple[int, int]]:
        """The iterations of each part: by their number only, or one part for each thread where time is the limit."""
        count = self.threads if budget.seconds else max(1, min(_PARTS, budget.iterations // _PART))
        bounds = [budget.iterations * n // count for n in range(count + 1)]
        return list(pairwise(bounds))

    def _in_threads(self, calls: Sequence[Callable[[], T]]) -> list[T]:
        if self.threads == 1 or len(calls) == 1:
            return [call() for call in calls]
        with ThreadPoolExecutor(min(self.threads, len(calls))) as pool:
            try:
                futures = [pool.submit(call) for call in calls]
                while wait(futures, timeout=0.1).not_done:  # awake now and then, for Ctrl-C
                    pass
                return [future.result() for future in futures]
            except BaseException:
                self._search.cancel()
                raise


def _tried(searched: Searched) -> Searched:
    if not searched.iterations:
        raise NoTimeError
    return searched


def summed(parts: Sequence[Searched]) -> Searched:
    """What parts of a search found out, put together by move."""
    sums: dict[int, Tally] = {}
    for tally in (tally for part in parts for tally in part.moves):
        before = sums.get(tally.number, Tally(tally.number, 0, 0.0))
        sums[tally.number] = Tally(tally.number, before.visits + tally.visits, before.total + tally.total)
    moves = tuple(sums[number] for number in sorted(sums))
    return Searched(moves, sum(part.iterations for part in parts), sum(part.nodes for part in parts))


def _searched(rows: Sequence[tuple[int, int, float]], iterations: int, nodes: int = 0) -> Searched:
    return Searched(tuple(Tally(*row) for row in rows), iterations, nodes)


def _friends(engine: NativeEngine) -> bytes:
    """By player: the mask of their team."""
    masks = [1 << seat for seat in range(engine.game.players)]
    for team in engine.game.flowchart.teams:
        members = sum(1 << seat for seat in team if seat < engine.game.players)
        for seat in team:
            if seat < engine.game.players:
                masks[seat] = members
    return array("Q", masks).tobytes()


def _secrecy(engine: NativeEngine, number: int) -> int:
    """What a node's choice hides: 0 nothing, 1 all but the chooser must not see it, 2 its player sees it, too."""
    statement = engine.game.flowchart.nodes[number].statement
    if not isinstance(statement, fc.Choose):
        return 0
    variable = engine.game.flowchart.variables[statement.target.name]
    return (2 if variable.per_player else 1) if variable.secret else 0
