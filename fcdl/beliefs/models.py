"""Policies as models of the others: how likely their decisions are."""

from __future__ import annotations

import numpy as np

from fcdl.beliefs.weights import Decisions, Numbers
from fcdl.engines.native import _engine

SOFTNESS = 0.5
"""The temperature of a policy that has none, in standard deviations of what it finds the moves of a decision worth."""
DOUBT = 0.05
"""How often somebody makes any move, whatever the policy says: no move is impossible."""


class PolicyModel:
    """The others choose by a policy, or, once in a while, any move."""

    def __init__(self, policy: _engine.Policy, softness: float = SOFTNESS, doubt: float = DOUBT) -> None:
        self.policy, self.softness, self.doubt = policy, softness, doubt

    def __call__(self, decisions: Decisions) -> Numbers:
        """The probabilities of these decisions; NaN from where the time was over."""
        seconds = decisions.seconds if np.isfinite(decisions.seconds) else 0.0
        answer = self.policy.likelihoods(decisions.positions, decisions.moves, self.softness, seconds)
        found = np.frombuffer(answer, np.float64)
        mixed: Numbers = (1 - self.doubt) * found + self.doubt / decisions.choices
        mixed[found < 0] = np.nan
        return mixed
