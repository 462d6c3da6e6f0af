"""Expressions with parts that are known: built from the start of a cycle, folded where constants and seats decide.

A `Value` is an expression of the chart's language over the position at the start of the cycle, the player `me` and the
cards played (both are `local`), with its number where that is known. The folding keeps what the thesis keeps: an
expression of variables stays as it is written, even where the seats of this instance decide its number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from fcdl.heuristics.clock import tick
from fcdl.language.flowchart import NONE, TRUE, Expr, Type
from fcdl.language.ops import FUNCTIONS

FALSE = Expr("const", Type.BOOL, value=0)
ME = Expr("local", Type.PLAYER, name="me")
_COUNTS = {"cardsRemaining", "count", "countOf"}
COMPARISONS = {"equal", "less", "lessEqual", "greater", "greaterEqual"}


@dataclass(frozen=True, slots=True)
class Value:
    """An expression, and its number if that is known."""

    expr: Expr
    known: int | None = None


def number(value: int) -> Expr:
    """A constant number."""
    return Expr("const", Type.INT, value=value)


def constant(kind: Type, value: int) -> Value:
    """A constant of any type."""
    return Value(Expr("const", kind, value=value), value)


def truth(value: bool | int) -> Value:
    """True or false."""
    return Value(TRUE, 1) if value else Value(FALSE, 0)


def seat_expr(distance: int) -> Expr:
    """The player so many seats after me."""
    return reduce(lambda player, _: Expr("next", Type.PLAYER, (player,)), range(distance), ME)


def distance_of(expr: Expr) -> int | None:
    """How many seats after me a player sits that `seat_expr` made; None for other expressions."""
    distance = 0
    while expr.op == "next":
        expr, distance = expr.args[0], distance + 1
    return distance if expr == ME else None


def negated(expr: Expr) -> Expr:
    """The opposite of a condition."""
    if expr.op == "not":
        return expr.args[0]
    if expr.op == "const":
        return FALSE if expr.value else TRUE
    return Expr("not", Type.BOOL, (expr,))


def operation(op: str, kind: Type, values: Sequence[Value], name: str | None = None) -> Value:
    """An operation on values, folded as far as they are known."""
    if op in ("and", "or"):
        decisive = int(op == "or")
        if any(value.known == decisive for value in values):
            return truth(decisive)
        values = [value for value in values if value.known is None]
        if len(values) < 2:
            return values[0] if values else truth(not decisive)
        return Value(Expr(op, Type.BOOL, tuple(value.expr for value in values)))
    if op == "not":
        return truth(1 - values[0].known) if values[0].known is not None else Value(negated(values[0].expr))
    if op == "if":
        condition, then, otherwise = values
        if condition.known is not None:
            return then if condition.known else otherwise
        if then == otherwise:
            return then
    if op in ("equal", "notEqual") and values[0].expr == values[1].expr:
        return truth(op == "equal")
    known = _calculate(op, [value.known for value in values])
    if known is None and op in COMPARISONS and values[0].expr.type is Type.INT:
        known = _decided(op, values[0].expr, values[1].expr)
    if known is not None and (kind is Type.BOOL):
        return truth(known)
    if known is not None and op != "playerNumber" and all(value.expr.op == "const" for value in values):
        return constant(kind, known)
    if op == "notEqual":
        return Value(negated(Expr("equal", Type.BOOL, tuple(value.expr for value in values))))
    return Value(Expr(op, kind, tuple(value.expr for value in values), name=name), known)


def _decided(op: str, left: Expr, right: Expr) -> int | None:
    """The answer of a comparison that numbers of cards, which are never negative, decide: one card more is not none."""
    if left.op not in ("add", "subtract") and right.op not in ("add", "subtract"):
        return None
    apart = linear(left).plus(linear(right), -1)
    if not all(part.op in _COUNTS for part in apart.parts):
        return None
    if apart.constant > 0 and all(times > 0 for times in apart.parts.values()):
        return int(op in ("greater", "greaterEqual"))
    if apart.constant < 0 and all(times < 0 for times in apart.parts.values()):
        return int(op in ("less", "lessEqual"))
    return None


def _calculate(op: str, known: Sequence[int | None]) -> int | None:
    numbers = [value for value in known if value is not None]
    function = FUNCTIONS.get(op)
    return function(*numbers) if function is not None and len(numbers) == len(known) else None


def conjunction(parts: Iterable[Expr]) -> Expr:
    """All of the conditions."""
    return _joined("and", parts)


def disjunction(parts: Iterable[Expr]) -> Expr:
    """Any of the conditions."""
    return _joined("or", parts)


def _joined(op: str, parts: Iterable[Expr]) -> Expr:
    tick()
    neutral, decisive = (TRUE, FALSE) if op == "and" else (FALSE, TRUE)
    flat = [part for whole in parts for part in flattened(op, whole) if part != neutral]
    unique = list(dict.fromkeys(flat))
    if decisive in unique or any(negated(part) in unique for part in unique):
        return decisive
    return reduce(lambda a, b: Expr(op, Type.BOOL, (a, b)), unique) if unique else neutral


def flattened(op: str, expr: Expr) -> list[Expr]:
    """The parts of `a and b and c`."""
    return [part for arg in expr.args for part in flattened(op, arg)] if expr.op == op else [expr]


def implied(expr: Expr) -> dict[Expr, bool]:
    """Answers that follow from a condition that holds."""
    found: dict[Expr, bool] = {}
    for part in flattened("and", expr):
        positive = part.args[0] if part.op == "not" else part
        found[positive] = positive is part
        if part.op == "greater" and part.args[1].op == "const":
            counted = [item.args for item in flattened("add", part.args[0])]
            ones = all(len(args) == 3 and args[1:] == (number(1), number(0)) for args in counted)
            if ones and len(counted) == (part.args[1].value or 0) + 1:
                found.update((args[0], True) for args in counted)
    return found


def choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """`if(condition, then, otherwise)` of conditions, said as simply as possible."""
    tick()
    if then == otherwise:
        return then
    if condition.op == "not":
        return choice(condition.args[0], otherwise, then)
    if condition.op == "const":
        return then if condition.value else otherwise
    opposite = negated(condition)
    if TRUE in (then, otherwise) or FALSE in (then, otherwise):
        if then == FALSE:
            return conjunction([opposite, otherwise])
        if otherwise == FALSE:
            return conjunction([condition, then])
        if then == TRUE:
            return disjunction([condition, otherwise])
        return negated(conjunction([condition, negated(then)])) if then.op == "not" else disjunction([opposite, then])
    for op, join in (("and", conjunction), ("or", disjunction)):
        ours, theirs = flattened(op, then), flattened(op, otherwise)
        shared = [part for part in ours if part in theirs]
        if shared:
            mine = join(part for part in ours if part not in shared)
            other = join(part for part in theirs if part not in shared)
            return join([choice(condition, mine, other), *shared])
    return _inside(condition, then, otherwise)


def _inside(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """An `if` between two expressions that differ in one place only is put there."""
    same = then.op == otherwise.op and then.name == otherwise.name and len(then.args) == len(otherwise.args)
    if same and then.args and then.op not in ("and", "or", "if", "not") and then.value == otherwise.value:
        differing = [i for i, pair in enumerate(zip(then.args, otherwise.args, strict=True)) if pair[0] != pair[1]]
        if len(differing) == 1 and then.args[differing[0]].type == otherwise.args[differing[0]].type:
            args = list(then.args)
            args[differing[0]] = _inside(condition, args[differing[0]], otherwise.args[differing[0]])
            return Expr(then.op, then.type, tuple(args), then.value, then.name)
    if then.op == otherwise.op == "not":
        return negated(_inside(condition, then.args[0], otherwise.args[0]))
    return Expr("if", then.type, (condition, then, otherwise))


@dataclass(frozen=True, slots=True)
class Linear:
    """A number as a constant and multiples of expressions."""

    constant: int
    parts: Mapping[Expr, int]

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        """The sum with a multiple of another one."""
        parts = dict(self.parts)
        for expr, times in other.parts.items():
            parts[expr] = parts.get(expr, 0) + factor * times
        return Linear(self.constant + factor * other.constant, {e: times for e, times in parts.items() if times})

    @property
    def expr(self) -> Expr:
        """As an expression: what is added, then what is taken away, the constant last."""
        total: Expr | None = None
        for expr, times in sorted(self.parts.items(), key=lambda item: (item[1] < 0, _shape(item[0]))):
            part = expr if abs(times) == 1 else Expr("multiply", Type.INT, (number(abs(times)), expr))
            if total is None:
                total = part if times > 0 else Expr("negate", Type.INT, (part,))
            else:
                total = Expr("add" if times > 0 else "subtract", Type.INT, (total, part))
        if total is None:
            return number(self.constant)
        if not self.constant:
            return total
        return Expr("add" if self.constant > 0 else "subtract", Type.INT, (total, number(abs(self.constant))))


def _shape(expr: Expr) -> tuple[int, list[tuple[str, str, int]]]:
    """Something to sort expressions by, shorter ones first."""
    shape = [(part.op, part.name or "", part.value or 0) for part in expr.walk()]
    return len(shape), shape


def linear(expr: Expr) -> Linear:
    """The constant and the multiples of which an expression is the sum."""
    tick()
    match expr.op, expr.args:
        case "const", ():
            return Linear(expr.value or 0, {})
        case "add", (a, b):
            return linear(a).plus(linear(b))
        case "subtract", (a, b):
            return linear(a).plus(linear(b), -1)
        case "negate", (a,):
            return Linear(0, {}).plus(linear(a), -1)
        case "multiply", (a, b) if "const" in (a.op, b.op):
            factor, other = (a, b) if a.op == "const" else (b, a)
            return Linear(0, {}).plus(linear(other), factor.value or 0)
        case "if", (condition, a, b):
            then, otherwise = linear(a), linear(b)
            shared = Linear(0, {e: k for e, k in then.parts.items() if otherwise.parts.get(e) == k})
            rest, different = then.plus(shared, -1), otherwise.plus(shared, -1)
            if rest == different:
                return then
            both = Linear(0, {Expr("if", Type.INT, (condition, rest.expr, different.expr)): 1})
            return shared.plus(both)
    return Linear(0, {expr: 1})


def simple_sum(value: Expr, amount: Expr, factor: int = 1) -> Expr:
    """`value + factor * amount`, with its constants added up."""
    return linear(value).plus(linear(amount), factor).expr


def is_none(expr: Expr) -> Expr:
    """Whether a card is none."""
    return Expr("equal", Type.BOOL, (expr, Expr("const", expr.type, value=NONE)))
