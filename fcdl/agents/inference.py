"""What the others' moves say about the hidden cards: beliefs with a policy, by name, as the model of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcdl.agents.agent import policy_name, policy_of
from fcdl.model.game import Game

if TYPE_CHECKING:
    from fcdl.beliefs.sampler import Beliefs
    from fcdl.engines.native.engine import NativeEngine

LEAST = 0.1
"""Weights are tempered so that worlds are worth at least this part of as many of equal weight."""
PLAIN = ("uniform", "equal")
"""Models that are no policy: the others make any legal move, or all worlds are equally likely."""
read_model = policy_name(*PLAIN)
"""Reads the name of a model; raises ValueError, which names the valid ones."""


def engine_with(game: Game, model: str) -> NativeEngine:
    """A native engine that has the policy of a model; raises ImportError where there is none."""
    from fcdl.engines.native.engine import NativeEngine

    return NativeEngine(game, policies=() if model in PLAIN else (policy_of(model, game),))


def beliefs_with(engine: NativeEngine, model: str | None, least: float = LEAST) -> Beliefs:
    """Beliefs with this model of the others; its engine has the policy."""
    from fcdl.beliefs.models import PolicyModel
    from fcdl.beliefs.sampler import UNIFORM, Beliefs

    if model is None or model in PLAIN:
        return Beliefs(engine, model or UNIFORM)
    return Beliefs(engine, PolicyModel(engine.compiled_policies[model]), least)
