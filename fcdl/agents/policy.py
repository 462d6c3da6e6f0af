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
    from fcdl.engines.native.policies import AnyPolicy


class PolicyAgent:
    """Moves as its policy says, which is the same in all worlds: it looks at nothing hidden."""

    def __init__(self, game: Game, policy: AnyPolicy, functions: Sequence[Function] = ()) -> None:
        from fcdl.beliefs.sampler import Beliefs
        from fcdl.engines.native import NativeEngine

        if policy.open:
            raise AgentError(f"policy '{policy.name}' looks at hidden cards and cannot be a player")
        self.policy = policy
        self.engine = NativeEngine(game, policies=[policy], functions=functions)
        self.beliefs = Beliefs(self.engine)

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        """A move, by its probability."""
        if len(legal) == 1:
            return legal[0]
        try:
            return self._drawn(legal, self.weighed(observation, legal, rng), rng)
        except Exception as error:  # whatever it is, it must not end a game
            return at_random(legal, rng, error).move

    @staticmethod
    def _drawn(legal: Sequence[Move], weighed: Sequence[tuple[float, float]], rng: random.Random) -> Move:
        return rng.choices(legal, [probability for _, probability in weighed])[0]

    def think(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Thought:
        """The choice with the worths of all moves."""
        try:
            weighed = self.weighed(observation, legal, rng)
        except Exception as error:  # whatever it is, it must not end a game
            return at_random(legal, rng, error)
        move = legal[0] if len(legal) == 1 else self._drawn(legal, weighed, rng)
        worths = [worth for worth, _ in weighed]
        ranked = sorted(zip(legal, worths, strict=True), key=lambda pair: (pair[0] != move, -pair[1]))
        return Thought(move, tuple(MoveValue(one, worth) for one, worth in ranked))

    def weighed(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> list[tuple[float, float]]:
        """What the policy finds the moves worth, and how likely it makes them."""
        position = self.beliefs.sample(observation, 1, rng.getrandbits(63), legal).positions[0]
        state = self.engine.state(position)
        found = self.engine.compiled_policies[self.policy.name].worths(position)
        weighed = {self.engine.move(state, number): (worth, likely) for number, worth, likely in found}
        return [weighed[move] for move in legal]
