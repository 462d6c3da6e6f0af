"""How long somebody may think about what a seat can know."""

from __future__ import annotations

import math
import time

SHORTEST = 0.001
"""Calls of C take no less than this as their limit, in seconds; 0 would be none."""


class OutOfTimeError(Exception):
    """The time is over; what was begun can be finished later."""


class Clock:
    """A deadline so many seconds from now."""

    def __init__(self, seconds: float = math.inf) -> None:
        self.deadline = time.perf_counter() + seconds

    def left(self, most: float) -> float:
        """The seconds that are left, at most so many."""
        return max(SHORTEST, min(most, self.deadline - time.perf_counter()))

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return time.perf_counter() >= self.deadline


NO_CLOCK = Clock()
