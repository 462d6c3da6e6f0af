"""That every game ends, although positions come again: something always gets less, and cannot do so for ever.

A measure is a number that a position has: how many cards lie in the hands, a counter, a score. Every step changes it by
an amount of which the least and the most are known. In a part of the chart in which a game could stay (a strongly
connected component) a sum of measures, each with a weight, is looked for that no step makes larger and some steps make
smaller, while what gets smaller there is known to be at least something. Such steps cannot come for ever; they are
taken away, and what is left is looked at again, until no game can stay anywhere. (A lexicographic linear ranking.)
The weights come from linear programming with floating point numbers; they are rounded, and then checked exactly.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from fcdl.language.flow import strong_components
from fcdl.verify.terms import INFINITE, Range

_MAX_EDGES = 6000
_ROUNDS = 40


@dataclass(frozen=True, slots=True)
class Step:
    """A step between positions: by how much each measure changes at least and at most, and what it is before."""

    source: int
    target: int
    changes: tuple[Range, ...]
    before: tuple[Range, ...]


def always_ends(steps: Sequence[Step], until: float) -> bool:
    """Whether it is proved that no game goes on for ever; False says nothing."""
    left = [list(steps)]
    for _ in range(_ROUNDS):
        parts = [part for edges in left for part in _components(edges)]
        if not parts:
            return True
        left = []
        for part in parts:
            if time.process_time() > until or len(part) > _MAX_EDGES:
                return False
            remaining = _without_decreasing(part)
            if remaining is None:
                return False
            left.append(remaining)
    return False


def _components(steps: Iterable[Step]) -> list[list[Step]]:
    """The steps within each part of the graph in which a game could stay."""
    listed = list(steps)
    after: dict[int, list[int]] = {}
    for step in listed:
        after.setdefault(step.source, []).append(step.target)
        after.setdefault(step.target, [])
    number = {node: index for index, part in enumerate(strong_components(after, after)) for node in part}
    found: dict[int, list[Step]] = {}
    for step in listed:
        if number[step.source] == number[step.target]:
            found.setdefault(number[step.source], []).append(step)
    return list(found.values())


def _without_decreasing(steps: list[Step]) -> list[Step] | None:
    """The steps that are left when those are taken away that cannot come for ever; None if none are found."""
    rows = list(dict.fromkeys(step.changes for step in steps))
    columns = _usable(steps)
    if not columns:
        return None
    weights = _weights(rows, columns)
    if weights is None:
        return None
    worst = {row: _worst(row, columns, weights) for row in rows}
    if any(change > 0 for change in worst.values()) or not any(change < 0 for change in worst.values()):
        return None
    return [step for step in steps if worst[step.changes] == 0]


def _usable(steps: list[Step]) -> list[tuple[int, int]]:
    """Measures (by number) with a direction (1: it gets less, -1: it gets more) that cannot go on for ever."""
    found = []
    for measure in range(len(steps[0].changes)):
        if all(step.changes[measure] == (0, 0) for step in steps):
            continue
        changes = [(*step.changes[measure], *step.before[measure]) for step in steps]
        if all(most < INFINITE and (least >= 0 or low > -INFINITE) for least, most, low, _ in changes):
            found.append((measure, 1))
        if all(least > -INFINITE and (most <= 0 or high < INFINITE) for least, most, _, high in changes):
            found.append((measure, -1))
    return found


def _most(change: Range, direction: int) -> float:
    """The largest change of a measure in a direction."""
    return change[1] if direction > 0 else -change[0]


def _weights(rows: list[tuple[Range, ...]], columns: list[tuple[int, int]]) -> list[Fraction] | None:
    """Weights with which as many kinds of steps as possible make the sum smaller, and none makes it larger."""
    import numpy as np
    from scipy.optimize import linprog

    changes = np.array([[_most(row[measure], direction) for measure, direction in columns] for row in rows])
    less = np.eye(len(rows))
    found = linprog(
        c=np.concatenate([np.full(len(columns), 1e-6), -np.ones(len(rows))]),
        A_ub=np.hstack([changes, less]),
        b_ub=np.zeros(len(rows)),
        bounds=[(0, 1000)] * len(columns) + [(0, 1)] * len(rows),
        method="highs",
        options={"time_limit": 5.0},
    )
    if found.x is None:
        return None
    return [Fraction(float(weight)).limit_denominator(1000) for weight in found.x[: len(columns)]]


def _worst(row: tuple[Range, ...], columns: list[tuple[int, int]], weights: list[Fraction]) -> Fraction:
    """How much larger a step may make the sum."""
    return sum(
        (
            weight * Fraction(int(_most(row[measure], direction)))
            for (measure, direction), weight in zip(columns, weights, strict=True)
            if weight
        ),
        Fraction(0),
    )
