"""Weights of worlds: what the others' choices say, how many worlds weights are worth, and drawing by weight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fcdl.engines.native.program import WORD

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Decision:
    """What another player decided in a world: the position, who, the legal moves and the move (as numbers)."""

    position: bytes
    seat: int
    legal: tuple[int, ...]
    move: int


Policy = Callable[[Sequence[Decision]], Sequence[float]]
"""The probability of each of these decisions; asked for many at once."""


def judged(policy: Policy, worlds: list[list[Decision]]) -> Numbers:
    """The logarithm of the probability of each world's decisions under a policy."""
    decisions = [decision for world in worlds for decision in world]
    with np.errstate(divide="ignore"):
        logs = np.log(np.asarray(policy(decisions), np.float64)) if decisions else np.zeros(0)
    sizes = [len(world) for world in worlds]
    owners = np.repeat(np.arange(len(sizes)), sizes)
    return np.bincount(owners, logs, minlength=len(sizes)).astype(np.float64)


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
