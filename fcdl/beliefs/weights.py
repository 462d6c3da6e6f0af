"""Weights of worlds: what the others' choices say, how many worlds weights are worth, and drawing by weight."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt

from fcdl.engines.native import _engine
from fcdl.engines.native.program import WORD

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Decision:
    """What another player decided in a world: the position, who, the legal moves and the move (as numbers)."""

    position: bytes
    seat: int
    legal: tuple[int, ...]
    move: int


class Decisions(Sequence[Decision]):
    """The others' decisions in some worlds since all cards were last shuffled, where there was a choice.

    They lie one after another as bytes, which is fast; one at a time, or in a loop, they are `Decision`s.
    """

    def __init__(
        self, program: _engine.Program, packed: tuple[bytes, bytes, bytes, bytes], seconds: float = math.inf
    ) -> None:
        self.program = program
        self.positions, self.moves, choices, counts = packed
        self.choices = np.frombuffer(choices, np.int32)
        """How many legal moves there were."""
        self.counts = np.frombuffer(counts, np.int32)
        """How many decisions there are, by world."""
        self.seconds = seconds
        """How long judging them may take."""

    def __len__(self) -> int:
        return len(self.choices)

    @overload
    def __getitem__(self, index: int) -> Decision: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Decision]: ...
    def __getitem__(self, index: int | slice) -> Decision | Sequence[Decision]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        index %= len(self)
        size = self.program.state_size
        position = self.positions[index * size : (index + 1) * size]
        move = int(np.frombuffer(self.moves, np.int32)[index])
        return Decision(position, self.program.look(position)[2], self.program.legal(position), move)


Policy = Callable[[Decisions], Sequence[float] | Numbers]
"""The probability of each of these decisions, asked for many at once; NaN: there was no time to find out."""


def judged(policy: Policy, decisions: Decisions) -> Numbers:
    """By world, the logarithm of the probability of its decisions under a policy; NaN where some were not judged."""
    with np.errstate(divide="ignore"):
        logs = np.log(np.asarray(policy(decisions), np.float64)) if len(decisions) else np.zeros(0)
    owners = np.repeat(np.arange(len(decisions.counts)), decisions.counts)
    return np.bincount(owners, logs, minlength=len(decisions.counts)).astype(np.float64)


def effective_size(weights: Numbers) -> float:
    """How many equally weighted things would be as good."""
    return float(1 / np.square(weights).sum()) if len(weights) else 0.0


def normal(log_weights: Numbers) -> Numbers:
    """Weights that sum to 1."""
    if not len(log_weights):
        return log_weights
    largest = log_weights.max()
    if largest == -np.inf:
        return np.full(len(log_weights), 1 / len(log_weights))
    weights: Numbers = np.exp(log_weights - largest)
    weights /= weights.sum()
    return weights


def tempered(logs: Numbers, judged: Numbers, least: float) -> tuple[Numbers, float]:
    """Weights that sum to 1, and the power to which what was judged counts in them.

    The power is 1 unless the effective size would be below `least`; then it is the largest with which it is not (or 0).
    """
    judged = np.where(np.isnan(judged), 0.0, judged)
    if len(judged) and judged.max() == -np.inf:
        return normal(logs), 0.0

    def size(power: float) -> float:
        return effective_size(normal(logs + (power * judged if power else 0.0)))

    low, high = 0.0, 1.0
    if size(1.0) >= least:
        return normal(logs + judged), 1.0
    for _ in range(30):
        power = (low + high) / 2
        low, high = (power, high) if size(power) >= least else (low, power)
    return normal(logs + (low * judged if low else 0.0)), low


def generator(seed: int) -> np.random.Generator:
    """Random numbers from a seed of any size."""
    return np.random.default_rng(seed & WORD)


def systematic(weights: Numbers, count: int, rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """So many draws, each thing as often as its weight says, rounded up or down by chance."""
    steps = (np.arange(count) + rng.random()) / count
    return np.searchsorted(np.cumsum(weights) / weights.sum(), steps).clip(0, len(weights) - 1)


def thinned(weights: Numbers, count: int, rng: np.random.Generator) -> tuple[npt.NDArray[np.intp], Numbers]:
    """So many of the things, of which there are more; expectations of weights stay (Fearnhead and Clifford).

    What weighs less than a threshold stays by chance, and then weighs as much as the threshold.
    """
    order = np.argsort(-weights)
    ranked = weights[order]
    rest = np.concatenate((np.cumsum(ranked[::-1])[::-1], [0.0]))
    kept = 0
    while kept < count - 1 and ranked[kept] * (count - kept) > rest[kept]:
        kept += 1
    threshold = rest[kept] / (count - kept)
    light = np.sort(order[kept:])
    chosen = light[systematic(weights[light], count - kept, rng)] if threshold > 0 else light[:0]
    indices = np.concatenate((order[:kept], chosen))
    result = np.concatenate((ranked[:kept], np.full(len(chosen), threshold)))
    by_place = np.argsort(indices, kind="stable")
    return indices[by_place], result[by_place] / result.sum()
