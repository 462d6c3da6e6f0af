"""How fast searches are: information set MCTS, alone or beside OpenSpiel's, and minimax."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from fcdl.agents.agent import make_agent
from fcdl.model import RandomChance

if TYPE_CHECKING:
    from fcdl.engines.native.engine import NativeEngine, State
    from fcdl.model import Move

SIMULATIONS = 5000
"""For one decision."""
NODES = 100_000
WALL_CHUNK = 0.2
"""Seconds that a search should at least take where the clock on the wall is read."""


def first_choice(engine: NativeEngine) -> tuple[State, tuple[Move, ...]]:
    """The first decision of a game that is one, and its moves."""
    chance = RandomChance("bench")
    state = engine.start(chance)
    while len(legal := engine.legal(state)) == 1:
        state = engine.apply(state, legal[0], chance)
    return state, legal


class SearchRate:
    """Simulations a second of `ismcts`, which draws worlds for them."""

    def __init__(self, engine: NativeEngine) -> None:
        state, legal = first_choice(engine)
        self.agent = make_agent(f"ismcts:iterations={SIMULATIONS}", engine.game)
        self.observation = engine.observe(state, engine.mover(state) or 0)
        self.legal = legal
        self.seed = 0
        self.agent.choose(self.observation, self.legal, random.Random(0))  # follows what was seen

    def __call__(self) -> float:
        """Measures once."""
        self.seed += 1
        start = time.thread_time()
        self.agent.choose(self.observation, self.legal, random.Random(self.seed))
        return SIMULATIONS / (time.thread_time() - start)


class WorldSearch:
    """Searches of one world, the true one, from the first decision."""

    def __init__(self, engine: NativeEngine) -> None:
        from fcdl.engines.native.search import Search

        state, _ = first_choice(engine)
        worlds, seat = [state.data], engine.mover(state) or 0
        self.by_threads = {n: Search(engine, worlds, np.ones(1), seat, seed=1, threads=n) for n in (1, 2)}
        self.iterations = 4 * SIMULATIONS
        while self._tree_seconds(1) < WALL_CHUNK and self.iterations < 10_000_000:
            self.iterations *= 2

    def nodes(self) -> float:
        """Positions a second of alpha-beta, which judges by the score."""
        from fcdl.engines.native.search import Budget

        start = time.thread_time()
        (solved,) = self.by_threads[1].minimax(Budget(NODES), depth=0, table_bits=16)
        return solved.nodes / (time.thread_time() - start)

    def _tree_seconds(self, threads: int) -> float:
        from fcdl.engines.native.search import Budget

        start = time.perf_counter()
        self.by_threads[threads].tree(Budget(self.iterations), c=0.7, multiple=True, nodes=1_000_000)
        return time.perf_counter() - start

    def two_threads(self) -> float:
        """How many times as fast two threads build trees as one."""
        return self._tree_seconds(1) / self._tree_seconds(2)


class PeerSearchRate:
    """Simulations a second of OpenSpiel's player in a state of its own."""

    def __init__(self, pyspiel: Any, state: Any) -> None:
        self.pyspiel = pyspiel
        self.state = state
        self.seed = 0

    def __call__(self) -> float:
        """Measures once."""
        self.seed += 1
        policy = self.pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        evaluator = self.pyspiel.RandomRolloutEvaluator(1, self.seed)
        bot = self.pyspiel.ISMCTSBot(self.seed, evaluator, 5.0, SIMULATIONS, -1, policy, False, False)
        start = time.thread_time()
        bot.step(self.state)
        return SIMULATIONS / (time.thread_time() - start)
