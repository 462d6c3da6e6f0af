"""How numbers move with what they are made of: by roughly how much, up or down, if there is one more of something.

Rules of thumb, where `asp/goals.lp` finds no reasons: a sum moves as its parts do, a comparison that decides between
two numbers moves by their difference, spread over some steps. Only the sign matters, and which of two is larger.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fcdl.heuristics.after import never_negative
from fcdl.heuristics.clock import tick
from fcdl.language.flowchart import Expr, Flowchart, Type

STEPS = 10
"""A condition turns when something has changed by about so much."""
_SOME = 3.0
"""What a number is that is not known."""
_COUNTED = {"playerVariable", "variable", "cardsRemaining", "count", "countOf", "sum", "table"}
_CARDS = {"member": (1, 1), "some": (0, 1), "every": (0, -1), "empty": (0, -1), "playerHas": (0, 1)}
"""Conditions about cards: which argument has the cards, and whether more of them make it true."""

Slopes = Mapping[Expr, float]


class Influence:
    """Reads the numbers of one game; `moves` says whether a cycle may change a variable or a zone."""

    def __init__(self, chart: Flowchart, natural: frozenset[str], moves: Callable[[Expr], bool]) -> None:
        self.chart, self.natural, self.moves = chart, natural, moves

    def slopes(self, expr: Expr) -> Slopes:
        """By how much a number changes with one more of each property that a cycle may change."""
        tick()
        op, args = expr.op, expr.args
        if op in ("add", "subtract"):
            return _sum(self.slopes(args[0]), self.slopes(args[1]), -1.0 if op == "subtract" else 1.0)
        if op == "negate":
            return _times(self.slopes(args[0]), -1.0)
        if op == "multiply":
            left, right = (self._times(arg, other) for arg, other in ((args[0], args[1]), (args[1], args[0])))
            return _sum(left, right)
        if op == "divide":
            return _times(self.slopes(args[0]), 1 / max(1.0, abs(self.rough(args[1]))))
        if op in ("minimum", "maximum"):
            return _times(_sum(self.slopes(args[0]), self.slopes(args[1])), 0.5)
        if op == "if":
            condition, yes, no = args
            sides = _times(_sum(self.slopes(yes), self.slopes(no)), 0.5)
            return _sum(sides, _times(self._turning(condition), self.rough(yes) - self.rough(no)))
        if op in _COUNTED and expr.type is Type.INT and any(self.moves(part) for part in expr.walk()):
            return {expr: 1.0}
        return {}

    def _times(self, expr: Expr, other: Expr) -> Slopes:
        if other.op != "const" and not never_negative(other, self.chart, self.natural):
            return {}
        return _times(self.slopes(expr), self.rough(other))

    def _turning(self, condition: Expr) -> Slopes:
        """How much nearer a condition comes to being true."""
        tick()
        op, args = condition.op, condition.args
        if op == "not":
            return _times(self._turning(args[0]), -1.0)
        if op in ("and", "or"):
            return _times(_sum(self._turning(args[0]), self._turning(args[1])), 0.5)
        if op in ("less", "lessEqual", "greater", "greaterEqual"):
            apart = _sum(self.slopes(args[0]), self.slopes(args[1]), -1.0)
            return _times(apart, (-1.0 if op.startswith("less") else 1.0) / STEPS)
        if op in ("equal", "notEqual") and args[0].type is Type.INT and "const" in (args[0].op, args[1].op):
            number, limit = (args[0], args[1]) if args[1].op == "const" else (args[1], args[0])
            return _times(
                self.slopes(number), ((limit.value or 0) > 0 or -1) * (1.0 if op == "equal" else -1.0) / STEPS
            )
        if op in _CARDS:
            place, sign = _CARDS[op]
            zones = (part for part in args[place].walk() if part.op == "zone" and self.moves(part))
            if op == "playerHas":
                return {Expr("cardsRemaining", Type.INT, (args[0],)): sign / STEPS}
            return {number_in(zone): sign / STEPS for zone in zones}
        return {}

    def rough(self, expr: Expr) -> float:
        """About how large a number is."""
        op, args = expr.op, expr.args
        if op == "const":
            return float(expr.value or 0)
        if op in ("add", "subtract", "negate", "multiply"):
            parts = [self.rough(arg) for arg in args]
            return {
                "add": lambda: parts[0] + parts[1],
                "subtract": lambda: parts[0] - parts[1],
                "negate": lambda: -parts[0],
                "multiply": lambda: parts[0] * parts[1],
            }[op]()
        if op == "if":
            return (self.rough(args[1]) + self.rough(args[2])) / 2
        if op in ("minimum", "maximum"):
            return (min if op == "minimum" else max)(self.rough(arg) for arg in args)
        return _SOME


def number_in(zone: Expr) -> Expr:
    """How many cards a zone has."""
    if zone.name == "hand":
        return Expr("cardsRemaining", Type.INT, zone.args)
    return Expr("count", Type.INT, (zone,))


def _sum(a: Slopes, b: Slopes, factor: float = 1.0) -> Slopes:
    total = dict(a)
    for expr, slope in b.items():
        total[expr] = total.get(expr, 0.0) + factor * slope
    return total


def _times(slopes: Slopes, factor: float) -> Slopes:
    return {expr: factor * slope for expr, slope in slopes.items() if slope * factor}
