"""Derived heuristics beside play: is a cycle that the rules call good followed by better results?

Random games are played. Wherever a cycle may begin, its decisions are put into each derived heuristic; those whose
conditions hold apply. What came of the cycle, and then of the hand in playouts, is compared between the cycles to which
a good heuristic applies and those of players in the same part to which no good one applies; for bad ones likewise.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from fcdl.engines.native.engine import NativeEngine
from fcdl.engines.native.functions import Function
from fcdl.engines.native.search import Aim, Budget, Search
from fcdl.heuristics.derive import Heuristic, Heuristics
from fcdl.heuristics.evaluation import MAX_SIZE
from fcdl.heuristics.situation import is_unsaid
from fcdl.heuristics.symbols import conjunction
from fcdl.heuristics.words import is_good
from fcdl.language.flow import reachable, through_calls
from fcdl.language.flowchart import Flowchart, Type

CYCLES, GAMES, SECONDS = 3000, 1000, 5.0
"""So many cycles of so many games are looked at, at most, in so many seconds."""
PLAYOUTS = 4
ENOUGH = 20
"""So many cycles are needed on both sides of a comparison."""
SURE = 2.6
"""So many standard errors from 0 contradict a heuristic: there are many comparisons."""
MAX_MOVES = 1000


@dataclass(frozen=True, slots=True)
class Comparison:
    """A derived heuristic, and by how much results are better where it applies, with a 95 % interval."""

    heuristic: Heuristic
    good: bool
    difference: float
    low: float
    high: float
    cases: int

    @property
    def verdict(self) -> Literal["agrees", "contradicts", "not clear"]:
        """Whether play agrees with the sign."""
        middle, half = self.difference, (self.high - self.low) / 2
        if (self.low > 0) if self.good else (self.high < 0):
            return "agrees"
        return "contradicts" if abs(middle) > half / 1.96 * SURE and (middle > 0) != self.good else "not clear"


def compare(derived: Heuristics, aim: Aim, seed: str, seconds: float = SECONDS) -> list[Comparison]:
    """Compares all heuristics that have a sign and that cycles were seen for."""
    return _Comparing(derived, aim, seed, seconds).result()


@dataclass(frozen=True, slots=True)
class _Seen:
    """A cycle as one player saw it: in which game, which heuristic applied (-1: none with a sign), what came of it."""

    game: int
    path: int
    result: float


class _Comparing:
    def __init__(self, derived: Heuristics, aim: Aim, seed: str, seconds: float) -> None:
        self.derived, self.game, self.aim = derived, derived.game, aim
        self.rng = random.Random(f"compare {seed}")
        self.deadline = time.monotonic() + seconds
        room = MAX_SIZE
        self.paths: list[tuple[Heuristic, bool]] = []
        for path in (*derived.heuristics, *derived.neutral):
            tests = [condition.test for condition in path.conditions]
            room -= sum(1 for test in tests for _ in test.walk())
            sets = any(item.type is Type.CARDS for item in path.parameters)  # not offered yet where the cycle begins
            if path.parameters and not sets and room > 0 and not any(map(is_unsaid, tests)):
                self.paths.append((path, path.number == 0))
        self.firsts = {node.number: _first_decisions(self.game.flowchart, node.number) for node in derived.starts}
        self.engine = NativeEngine(self.game, functions=list(self._functions()))
        self.seen: defaultdict[tuple[int, ...], list[_Seen]] = defaultdict(list)

    def _functions(self) -> Iterator[Function]:
        for number, (path, _) in enumerate(self.paths):
            parameters = (("me", Type.PLAYER), *((item.name, item.type) for item in path.parameters))
            yield Function(f"applies {number}", parameters, conjunction(one.test for one in path.conditions))

    def result(self) -> list[Comparison]:
        cycles = 0
        for game in range(GAMES):
            if cycles >= CYCLES or time.monotonic() > self.deadline:
                break
            cycles += self._game(game)
        return list(self._compared())

    def _game(self, number: int) -> int:
        """Plays a game and looks at its cycles; returns how many there were."""
        state = self.engine.new_game(self.rng.getrandbits(63))
        positions: list[tuple[bytes, int, int, int]] = []
        while not state.is_over and len(positions) < MAX_MOVES:
            legal = state.legal_ids()
            move = legal[self.rng.randrange(len(legal))]
            positions.append((state.dump(), state.node, state.mover, move))
            state.apply_id(move)
        end, found = state.dump(), 0
        for at in range(len(positions)):
            for start, firsts in self.firsts.items():
                if positions[at][1] in firsts:
                    found += self._cycle(number, positions, at, start, end)
        return found

    def _cycle(
        self, game: int, positions: Sequence[tuple[bytes, int, int, int]], at: int, start: int, end: bytes
    ) -> bool:
        """Looks at a cycle that may begin at a decision, with the eyes of all players."""
        players, before = self.game.players, positions[at][0]
        applied = False
        for me in range(players):
            for index, (path, _) in enumerate(self.paths):
                length = len(path.parameters)
                made = positions[at : at + length]
                seats = [(me + item.distance) % players for item in path.parameters]
                if path.start != start or len(made) < length or seats != [mover for _, _, mover, _ in made]:
                    continue
                if self.engine.call(before, f"applies {index}", me, *(move for *_, move in made)):
                    after = positions[at + length][0] if at + length < len(positions) else end
                    part = (start, *(item.distance for item in path.parameters))
                    self.seen[part].append(_Seen(game, index, self._result(before, after, me, after is end)))
                    applied = True
                    break
        return applied

    def _result(self, before: bytes, after: bytes, me: int, over: bool) -> float:
        """What a player gains from before a cycle to the end of the hand, against the others."""
        if over and self.aim.utility == "win":
            winners = self.game.winning_sides(self.engine.state(after).scores)
            return sum(me in side for side in winners) / len(winners)
        gains = np.array(self.engine.state(after).scores) - np.array(self.engine.state(before).scores)
        gains = -gains if self.game.flowchart.lowest_wins else gains
        side = next(side for side in self.game.sides if me in side)
        others = [seat for seat in range(self.game.players) if seat not in side]
        value = float(gains[list(side)].mean() - (gains[others].mean() if others else 0))
        if over:
            return value
        search = Search(self.engine, [after], np.ones(1), me, aim=self.aim, seed=self.rng.getrandbits(63))
        tallies = search.flat(Budget(PLAYOUTS)).moves
        later = float(np.mean([tally.value for tally in tallies])) if tallies else 0.0
        return later if self.aim.utility == "win" else value + later

    def _compared(self) -> Iterator[Comparison]:
        signs = [None if neutral else is_good(self.derived, path) for path, neutral in self.paths]
        for index, (path, _) in enumerate(self.paths):
            good = signs[index]
            if good is None:
                continue
            mine: list[_Seen] = []
            others: list[_Seen] = []
            for seen in self.seen.values():
                if any(one.path == index for one in seen):
                    mine += [one for one in seen if one.path == index]
                    others += [one for one in seen if signs[one.path] is not good]
            if min(len(mine), len(others)) >= ENOUGH:
                yield _difference(path, good, mine, others)


def _difference(path: Heuristic, good: bool, mine: Sequence[_Seen], others: Sequence[_Seen]) -> Comparison:
    """The difference of two means, with a standard error that allows for cycles of the same game."""
    values = [np.array([one.result for one in part]) for part in (mine, others)]
    games: defaultdict[int, float] = defaultdict(float)
    for part, results, sign in zip((mine, others), values, (1, -1), strict=True):
        for one in part:
            games[one.game] += sign * (one.result - results.mean()) / len(part)
    half = 1.96 * float(np.sqrt(sum(value**2 for value in games.values())))
    middle = float(values[0].mean() - values[1].mean())
    return Comparison(path, good, middle, middle - half, middle + half, len(mine))


def _first_decisions(chart: Flowchart, start: int) -> frozenset[int]:
    """The decisions that may be the first after a node."""
    found = reachable([start], through_calls(chart), stop=lambda number: chart.nodes[number].is_decision)
    return frozenset(number for number in found if chart.nodes[number].is_decision)
