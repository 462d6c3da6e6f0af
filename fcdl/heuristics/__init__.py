"""Pseudo-heuristics (Law 2013, 3.3 to 3.5): what one cycle of a game is worth, derived from the chart alone.

A cycle is one turn of the main loop. Each path through it is a heuristic: the conditions under which it is taken, in
the words `me`, `otherPlayer`, `myCard` and `otherCard`, and the change that it makes to what I want minus the others'.
`docs/heuristics.md` tells how.
"""

from __future__ import annotations

from fcdl.heuristics.derive import Heuristic, Heuristics, contradiction, derive
from fcdl.heuristics.goals import Goal
from fcdl.heuristics.paths import Condition
from fcdl.heuristics.situation import Parameter
from fcdl.heuristics.terms import Term
from fcdl.heuristics.words import describe, sentence

__all__ = [
    "Condition",
    "Goal",
    "Heuristic",
    "Heuristics",
    "Parameter",
    "Term",
    "contradiction",
    "derive",
    "describe",
    "sentence",
]
