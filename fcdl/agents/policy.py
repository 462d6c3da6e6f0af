"""Policies as players: the worths of the moves in any world that agrees with what the seat has seen."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fcdl.agents.agent import AgentError, MoveValue, Thought, at_random
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move

if TYPE_CHECKING:
    from fcdl.engines.native.functions import Function
    from fcdl.engines.native.policies import Policy
    from fcdl.heuristics.measured import MeasuredPolicy


class PolicyAgent:
    """Makes a legal move of the highest worth, which is the same in all worlds: it looks at nothing hidden."""

    def __init__(self, game: Game, policy: Policy | MeasuredPolicy, functions: Sequence[Function] = ()) -> None:
        from fcdl.beliefs.sampler import Beliefs
        from fcdl.engines.native import NativeEngine

        if policy.open:
            raise AgentError(f"policy '{policy.name}' looks at hidden cards and cannot be a player")
        self.policy = policy
        self.engine = NativeEngine(game, policies=[policy], functions=functions)
        self.beliefs = Beliefs(self.engine)

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        """A move of the highest worth, any of them if there are several; at times, any move."""
        if len(legal) == 1 or rng.random() < self.policy.epsilon:
            return legal[rng.randrange(len(legal))]
        try:
            worths = self.worths(observation, legal, rng)
        except Exception as error:  # whatever it is, it must not end a game
            return at_random(legal, rng, error).move
        best = [move for move, worth in zip(legal, worths, strict=True) if worth == max(worths)]
        return best[rng.randrange(len(best))]

    def think(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Thought:
        """The choice with the worths of all moves."""
        state = rng.getstate()
        move = self.choose(observation, legal, rng)
        rng.setstate(state)
        try:
            worths = self.worths(observation, legal, rng)
        except Exception as error:  # whatever it is, it must not end a game
            return at_random(legal, rng, error)
        ranked = sorted(zip(legal, worths, strict=True), key=lambda pair: -pair[1])
        return Thought(move, tuple(MoveValue(one, worth) for one, worth in ranked))

    def worths(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> list[float]:
        """What the policy finds the moves worth."""
        position = self.beliefs.sample(observation, 1, rng.getrandbits(63), legal).positions[0]
        state = self.engine.state(position)
        found = self.engine.compiled_policies[self.policy.name].worths(position)
        worths = {self.engine.move(state, number): worth for number, worth, _ in found}
        return [worths[move] for move in legal]
