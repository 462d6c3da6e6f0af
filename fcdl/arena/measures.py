"""What is computed from the results of games: shares with their intervals, means with their spread, paired scores."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

CONFIDENCE = 0.95


def wilson(successes: float, trials: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The Wilson interval of a share; (0, 1) without trials."""
    if not trials:
        return (0.0, 1.0)
    z = statistics.NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / trials
    centre = share + z * z / (2 * trials)
    spread = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return ((centre - spread) / (1 + z * z / trials), (centre + spread) / (1 + z * z / trials))


@dataclass(slots=True)
class Spread:
    """Count, mean and standard deviation of whole numbers, without keeping them."""

    count: int = 0
    total: int = 0
    squares: int = 0
    low: int | None = None
    high: int | None = None

    def add(self, value: int) -> None:
        """One more number."""
        self.count += 1
        self.total += value
        self.squares += value * value
        self.low = value if self.low is None else min(self.low, value)
        self.high = value if self.high is None else max(self.high, value)

    @property
    def mean(self) -> float:
        """The mean; 0 of nothing."""
        return self.total / self.count if self.count else 0.0

    @property
    def deviation(self) -> float:
        """The standard deviation of the sample; 0 of fewer than two."""
        if self.count < 2:
            return 0.0
        return math.sqrt((self.count * self.squares - self.total**2) / (self.count * (self.count - 1)))


@dataclass(frozen=True, slots=True)
class SignedRank:
    """Wilcoxon's signed-rank test of paired scores: how many pairs, their mean difference, two-sided p."""

    pairs: int
    mean_difference: float
    p: float


def signed_rank(differences: Sequence[float]) -> SignedRank:
    """Whether differences are as often and as far above zero as below; p is 1 if there is none at all."""
    if not any(differences):
        return SignedRank(len(differences), 0.0, 1.0)
    from scipy.stats import wilcoxon  # takes a second to import

    return SignedRank(len(differences), statistics.fmean(differences), float(wilcoxon(differences).pvalue))
