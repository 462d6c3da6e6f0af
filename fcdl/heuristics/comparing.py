"""Comparisons of numbers that have cases: `rankValue(c) + if(pair, 100, 0) > ...` asks for a pair, then a higher card.

What the cases leave is decided where the numbers cannot be otherwise, and said in its simplest form.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from math import inf

from fcdl.heuristics.symbols import COMPARISONS, Linear, Value, linear, truth
from fcdl.language.flowchart import Expr, Flowchart, Table, Type

_COUNTS = {"cardsRemaining", "count", "countOf"}


def case_of(question: Expr, facts: Mapping[Expr, bool]) -> Expr | None:
    """What should be asked before a comparison of numbers with cases, if that has to do with no card that is played."""
    asked = question.args[0] if question.op == "not" else question
    if asked.op not in COMPARISONS or asked.args[0].type is not Type.INT:
        return None
    parts = (part for arg in asked.args for part in linear(arg).parts if part.op == "if")
    cases = (part.args[0] for part in parts if all(arm.op == "const" for arm in part.args[1:]))
    return next((case for case in cases if _known(case, facts) is None and not _is_of_cards_played(case)), None)


def _is_of_cards_played(condition: Expr) -> bool:
    return any(part.op == "local" and part.type is not Type.PLAYER for part in condition.walk())


def _known(condition: Expr, facts: Mapping[Expr, bool]) -> bool | None:
    """The answer to a condition, if it has been answered."""
    positive = condition.args[0] if condition.op == "not" else condition
    return facts[positive] == (positive is condition) if positive in facts else None


def compared(question: Expr, facts: Mapping[Expr, bool], chart: Flowchart) -> Value:
    """A comparison of numbers, decided or made simpler as far as the answers and the bounds of numbers say."""
    left, right = question.args
    if left.type is not Type.INT or not any(part.op == "table" for part in left.walk()):
        return Value(question)
    apart = _apart(left, right, facts)
    least, most = _bounds(apart, facts, chart)
    for op, holds, fails in (
        ("greater", least > 0, most <= 0),
        ("greaterEqual", least >= 0, most < 0),
        ("less", most < 0, least >= 0),
        ("lessEqual", most <= 0, least > 0),
        ("equal", least == most == 0, least > 0 or most < 0),
    ):
        if question.op == op and (holds or fails):
            return truth(holds)
    cards = sorted(apart.parts, key=lambda part: -apart.parts[part])
    if not apart.constant and [(part.op, apart.parts[part]) for part in cards] == [("table", 1), ("table", -1)]:
        return Value(Expr(question.op, Type.BOOL, tuple(cards)))
    return Value(question)


def _apart(left: Expr, right: Expr, facts: Mapping[Expr, bool]) -> Linear:
    """By how much two numbers differ, in the cases that are known."""
    apart = linear(left).plus(linear(right), -1)
    while True:
        cases = (part for part in apart.parts if part.op == "if" and _known(part.args[0], facts) is not None)
        case = next(cases, None)
        if case is None:
            return apart
        arm = case.args[1 if _known(case.args[0], facts) else 2]
        times = apart.parts[case]
        apart = apart.plus(Linear(0, {case: 1}), -times).plus(linear(arm), times)


def _bounds(total: Linear, facts: Mapping[Expr, bool], chart: Flowchart) -> tuple[float, float]:
    """Between which numbers a sum is; cards of the same rank count the same."""
    alike: dict[Hashable, tuple[int, Expr]] = {}
    for part, times in total.parts.items():
        key = _alike(part, facts, chart)
        alike[key] = alike.get(key, (0, part))[0] + times, part
    least = most = float(total.constant)
    for times, part in alike.values():
        low, high = _range(part, chart)
        if times:
            least, most = least + times * (low if times > 0 else high), most + times * (high if times > 0 else low)
    return least, most


def _alike(part: Expr, facts: Mapping[Expr, bool], chart: Flowchart) -> Hashable:
    """Equal for numbers that are known to be the same: those of cards whose rank is known to be that of another one."""
    if part.op == "table" and part.args[0].type is Type.CARD and _is_of_ranks(chart.tables[part.name or ""]):
        rank = Expr("rank", Type.RANK, part.args)
        for fact, holds in facts.items():
            if holds and fact.op == "equal" and rank in fact.args:
                return part.name, fact.args[1 - fact.args.index(rank)]
        return part.name, rank
    return part


def _is_of_ranks(table: Table) -> bool:
    return not table.cards and not table.suits


def _range(part: Expr, chart: Flowchart) -> tuple[float, float]:
    if part.op == "if":
        ranges = [_bounds(linear(arm), {}, chart) for arm in part.args[1:]]
        return min(low for low, _ in ranges), max(high for _, high in ranges)
    if part.op == "table":
        table = chart.tables[part.name or ""]
        values = (0, table.otherwise, *table.cards.values(), *table.ranks.values(), *table.suits.values())
        return min(values), max(values)
    return (0, inf) if part.op in _COUNTS else (-inf, inf)
