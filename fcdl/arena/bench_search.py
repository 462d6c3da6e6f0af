"""How fast information set MCTS is, alone or beside OpenSpiel's; drawing worlds is part of it."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Any

from fcdl.agents.agent import make_agent
from fcdl.model import RandomChance

if TYPE_CHECKING:
    from fcdl.engines.native.engine import NativeEngine

SIMULATIONS = 5000
"""For one decision."""


class SearchRate:
    """Simulations a second of `ismcts` at the first decision of a game that is one."""

    def __init__(self, engine: NativeEngine) -> None:
        chance = RandomChance("bench")
        state = engine.start(chance)
        while len(legal := engine.legal(state)) == 1:
            state = engine.apply(state, legal[0], chance)
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
