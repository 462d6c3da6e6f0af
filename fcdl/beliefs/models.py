"""Policies as models of the others: how likely their decisions are."""

from __future__ import annotations

import numpy as np

from fcdl.beliefs.weights import Decisions, Numbers
from fcdl.engines.native import _engine

SOFTNESS = 1.0
"""The temperature of a policy that has none, in standard deviations of what it finds the moves of a decision worth."""
DOUBT = 0.3
"""How often somebody makes any move, whatever the policy says, so that no move is impossible. Less doubt is better with
players who play just so, but with others the true world gets less likely than by chance (`fcdl tssr`)."""


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

    def probabilities(self, program: _engine.Program, position: bytes) -> tuple[tuple[int, ...], Numbers]:
        """The legal moves of a position, and how likely each is."""
        legal = program.legal(position)
        numbers = np.array(legal, np.int32)
        choices = np.full(len(legal), len(legal), np.int32)
        packed = (len(legal) * position, numbers.tobytes(), choices.tobytes(), np.ones_like(numbers).tobytes())
        return legal, self(Decisions(program, packed))
