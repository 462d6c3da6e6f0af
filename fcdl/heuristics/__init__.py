"""Pseudo-heuristics (Law 2013, 3.3 to 3.5): what one pass of a game is worth, derived from the chart alone.

A pass is one turn of the main loop. Each way through it is a heuristic: the conditions under which it is taken, in the
words `me`, `otherPlayer`, `myCard` and `otherCard`, and the change that it makes to what I want minus the others'.
`docs/heuristics.md` tells how.
"""

from __future__ import annotations

from fcdl.heuristics.derive import Heuristic, Heuristics, contradiction, derive
from fcdl.heuristics.situation import Parameter
from fcdl.heuristics.terms import Term
from fcdl.heuristics.ways import Condition
from fcdl.heuristics.wishes import Wish
from fcdl.heuristics.words import describe, sentence

__all__ = [
    "Condition",
    "Heuristic",
    "Heuristics",
    "Parameter",
    "Term",
    "Wish",
    "contradiction",
    "derive",
    "describe",
    "sentence",
]
