"""Training networks: least squares on what moves gained, by Adam, one decision of the chart at a time."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from fcdl.engines.native import _engine
from fcdl.learning.network import Floats, Weights
from fcdl.learning.view import View

Places = npt.NDArray[np.int64]
BATCH = 256
RATE, FADING, STEADINESS = 2e-3, 0.9, 0.999
"""Of Adam: the step, and how slowly its means of gradients and of their squares fade."""
DECAY = 1e-4
"""By this part of themselves weights shrink in a step, times the rate."""


@dataclass(slots=True)
class Lessons:
    """Decisions to learn from: the inputs that are 1, the outputs of each legal move, what the move gained, and how
    much that counts; the arrays lie one after the other, and `..._ends` says where each one's part ends."""

    inputs: list[npt.NDArray[np.uint16]] = field(default_factory=list)
    input_counts: list[npt.NDArray[np.int64]] = field(default_factory=list)
    outputs: list[npt.NDArray[np.uint16]] = field(default_factory=list)
    output_counts: list[npt.NDArray[np.int64]] = field(default_factory=list)
    move_counts: list[npt.NDArray[np.int64]] = field(default_factory=list)
    gains: list[Floats] = field(default_factory=list)

    def add(self, network: _engine.Network, states: Sequence[bytes], gains: Sequence[Floats]) -> None:
        """Positions with what each of their legal moves gained."""
        found = network.describe(b"".join(states))
        inputs, input_ends, _, move_ends, outputs, output_ends = found
        self.inputs.append(np.frombuffer(inputs, np.uint16))
        self.input_counts.append(_counts(input_ends))
        self.outputs.append(np.frombuffer(outputs, np.uint16))
        self.output_counts.append(_counts(output_ends))
        self.move_counts.append(_counts(move_ends))
        self.gains.append(np.concatenate(gains).astype(np.float32))

    def packed(self) -> bytes:
        """As bytes."""
        target = io.BytesIO()
        arrays: dict[str, Any] = {name: np.concatenate(getattr(self, name) or [_NOTHING]) for name in _ARRAYS}
        np.savez_compressed(target, **arrays)
        return target.getvalue()

    def take(self, packed: bytes) -> None:
        """Adds what was packed; raises ValueError where it is damaged."""
        with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
            found = {name: arrays[name] for name in _ARRAYS}
        if len(found["gains"]):
            for name, array in found.items():
                getattr(self, name).append(array)

    def joined(self) -> Joined:
        """All of them, ready to be learned."""
        return Joined(**{name: np.concatenate(getattr(self, name)) for name in _ARRAYS})


_ARRAYS = ("inputs", "input_counts", "outputs", "output_counts", "move_counts", "gains")
_NOTHING = np.zeros(0, np.int64)


def _counts(ends: bytes) -> npt.NDArray[np.int64]:
    found = np.frombuffer(ends, np.uint32).astype(np.int64)
    found[1:] -= found[:-1].copy()
    return found


@dataclass
class Joined:
    """Lessons in flat arrays."""

    inputs: npt.NDArray[np.uint16]
    input_counts: Places
    outputs: npt.NDArray[np.uint16]
    output_counts: Places
    move_counts: Places
    gains: Floats

    def __post_init__(self) -> None:
        self.input_starts = np.cumsum(self.input_counts) - self.input_counts
        self.output_starts = np.cumsum(self.output_counts) - self.output_counts
        self.move_starts = np.cumsum(self.move_counts) - self.move_counts

    def __len__(self) -> int:
        return len(self.move_counts)

    def blocks(self, view: View) -> Places:
        """The number of the answer that each decision belongs to."""
        ends = np.cumsum([answer.count for answer in view.answers])
        first = self.outputs[np.minimum(self.output_starts[self.move_starts], max(0, len(self.outputs) - 1))]
        return np.asarray(np.searchsorted(ends, first, side="right"), np.int64)


def _spans(starts: Places, counts: Places) -> Places:
    """The numbers from each start on, one span after the other."""
    total = int(counts.sum())
    ends = np.cumsum(counts)
    return np.asarray(np.arange(total) - np.repeat(ends - counts, counts) + np.repeat(starts, counts), np.int64)


@dataclass(slots=True)
class Batch:
    """Some decisions of one answer: inputs as a matrix, and where each part of a worth lies."""

    x: Floats
    decision: Places
    """By move."""
    move: Places
    """By part of a worth: the move, its decision, and its output within the answer."""
    row: Places
    column: Places
    gains: Floats
    counts: Places


def batch_of(lessons: Joined, chosen: Places, inputs: int, first: int) -> Batch:
    """These lessons, which belong to the answer whose outputs begin at `first`."""
    counts = lessons.input_counts[chosen]
    x = np.zeros((len(chosen), inputs), np.float32)
    x[np.repeat(np.arange(len(chosen)), counts), lessons.inputs[_spans(lessons.input_starts[chosen], counts)]] = 1
    moves = lessons.move_counts[chosen]
    which = _spans(lessons.move_starts[chosen], moves)
    decision = np.repeat(np.arange(len(chosen)), moves)
    parts = lessons.output_counts[which]
    column = lessons.outputs[_spans(lessons.output_starts[which], parts)].astype(np.int64) - first
    move = np.repeat(np.arange(len(which)), parts)
    return Batch(x, decision, move, decision[move], column, lessons.gains[which], moves)


class Trainer:
    """Makes weights better step by step; the steps' means belong to it."""

    def __init__(self, view: View, weights: Weights, scale: float, seed: int = 0) -> None:
        self.view, self.scale = view, scale
        self.arrays = [array.copy() for array in weights.arrays()]
        self.arrays[2] /= scale
        self.arrays[3] /= scale
        self.means = [np.zeros_like(array) for array in self.arrays]
        self.squares = [np.zeros_like(array) for array in self.arrays]
        self.steps = 0
        self.rng = np.random.default_rng(seed)

    def weights(self) -> Weights:
        """As they are now."""
        first, first_bias, second, second_bias = (array.copy() for array in self.arrays)
        return Weights(first, first_bias, second * self.scale, second_bias * self.scale)

    def epoch(self, lessons: Joined, rate: float = RATE) -> float:
        """All lessons once; returns the mean square of what was not explained, of what there was to explain."""
        left = total = 0.0
        for first, count, chosen in self._batches(lessons):
            batch = batch_of(lessons, chosen, self.view.inputs, first)
            off, gains = self._step(batch, first, count, rate)
            left, total = left + off, total + gains
        return left / max(total, 1e-12)

    def unexplained(self, lessons: Joined) -> float:
        """The same for lessons that are not learned."""
        left = total = 0.0
        for first, count, chosen in self._batches(lessons):
            batch = batch_of(lessons, chosen, self.view.inputs, first)
            error, _ = self._errors(batch, first, count)
            gains = self._centred(batch, batch.gains / self.scale)
            left, total = left + float(error @ error), total + float(gains @ gains)
        return left / max(total, 1e-12)

    def _batches(self, lessons: Joined) -> Iterator[tuple[int, int, Places]]:
        blocks = lessons.blocks(self.view)
        firsts = np.cumsum([0, *(answer.count for answer in self.view.answers)])
        batches = []
        for block, answer in enumerate(self.view.answers):
            members = self.rng.permutation(np.flatnonzero(blocks == block))
            batches += [
                (int(firsts[block]), answer.count, members[at : at + BATCH]) for at in range(0, len(members), BATCH)
            ]
        for number in self.rng.permutation(len(batches)):
            yield batches[number]

    @staticmethod
    def _centred(batch: Batch, values: Floats) -> Floats:
        """Less the mean of the legal moves."""
        sums = np.bincount(batch.decision, values, minlength=len(batch.counts))
        return values - (sums / batch.counts).astype(np.float32)[batch.decision]

    def _errors(self, batch: Batch, first: int, count: int) -> tuple[Floats, Floats]:
        """By move what the network is off, and the hidden units."""
        worths, units = self._worths(batch, first, count)
        return self._centred(batch, worths - batch.gains / self.scale), units

    def _worths(self, batch: Batch, first: int, count: int) -> tuple[Floats, Floats]:
        """By move what the network finds it worth, and the hidden units."""
        units = np.maximum(batch.x @ self.arrays[0] + self.arrays[1], 0)
        block = slice(first, first + count)
        outputs = units @ self.arrays[2][block].T + self.arrays[3][block]
        parts = outputs[batch.row, batch.column]
        return np.bincount(batch.move, parts, minlength=len(batch.gains)).astype(np.float32), units

    def _step(self, batch: Batch, first: int, count: int, rate: float) -> tuple[float, float]:
        error, units = self._errors(batch, first, count)
        gains = self._centred(batch, batch.gains / self.scale)
        cells = batch.row * count + batch.column
        sums = np.bincount(cells, error[batch.move], minlength=len(batch.counts) * count) / len(batch.counts)
        slope = sums.astype(np.float32).reshape(len(batch.counts), count)
        block = slice(first, first + count)
        back = (slope @ self.arrays[2][block]) * (units > 0)
        self.steps += 1
        everything = slice(None)
        self._adam(0, everything, batch.x.T @ back, rate)
        self._adam(1, everything, back.sum(0), rate)
        self._adam(2, block, slope.T @ units, rate)
        self._adam(3, block, slope.sum(0), rate)
        return float(error @ error), float(gains @ gains)

    def _adam(self, number: int, where: slice, slope: Floats, rate: float) -> None:
        array, mean, square = self.arrays[number], self.means[number], self.squares[number]
        mean[where] += (1 - FADING) * (slope - mean[where])
        square[where] += (1 - STEADINESS) * (slope**2 - square[where])
        tall = 1 - STEADINESS ** min(self.steps, 5000)
        step = mean[where] / (np.sqrt(square[where] / tall) + 1e-8)
        array[where] -= rate * (step + DECAY * array[where])
