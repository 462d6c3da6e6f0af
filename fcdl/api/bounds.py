"""Which values a choice can ever offer, by the chart alone: intervals of its numbers at every node.

The chart is followed from its start with an interval for every variable that is a number, joined where paths meet and
narrowed by what a diamond says. Bounds that keep moving are moved on to the next number that the chart names, so that
they come to rest soon, as at 13 by `round <= 13?`; some are won back afterwards.
"""

from __future__ import annotations

import contextlib
from bisect import bisect_left, bisect_right
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce

from fcdl.language.flow import predecessors, through_calls
from fcdl.language.flowchart import ANY, MAX_RANGE, NONE, Assign, Choose, Expr, Node, Type
from fcdl.model.game import Game
from fcdl.model.static import NotStaticError, evaluate_static

VISITS = 3
"""After so many visits of a node a bound that still moves is moved on."""
WON_BACK = 4
"""How often every node is looked at again to win bounds back."""
WORK = 50_000
"""Nodes passed before it is given up that anything has a bound."""
_INFINITY = 2**31


@dataclass(frozen=True, slots=True)
class Interval:
    """Numbers from low to high."""

    low: int
    high: int

    def __or__(self, other: Interval) -> Interval:
        return Interval(min(self.low, other.low), max(self.high, other.high))

    def __and__(self, other: Interval) -> Interval | None:
        low, high = max(self.low, other.low), min(self.high, other.high)
        return Interval(low, high) if low <= high else None


ALL = Interval(-_INFINITY, _INFINITY)
Env = Mapping[str, Interval]
"""The bounds of the variables that are numbers, and of locals, with a dot before their names; others have none."""


def _joined(one: Env, two: Env) -> Env:
    """What holds where two paths meet."""
    return {name: one[name] | two[name] for name in one}


def _cut(*values: int) -> Interval:
    return Interval(max(-_INFINITY, min(values)), min(_INFINITY, max(values)))


class Bounds:
    """Bounds of the numbers of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.size = len(game.cards)
        chart = game.flowchart
        self._numbers = {name: variable for name, variable in chart.variables.items() if variable.type is Type.INT}
        self._after = through_calls(chart)
        self.at: dict[int, Env] = {}
        """By node that can be reached: what holds before it."""
        if not self._follow(chart.charts[chart.main].start):
            self.at = {number: {} for number in chart.nodes}

    def variable(self, name: str) -> Interval:
        """The bounds of a variable anywhere."""
        whole: Interval | None = None
        for env in self.at.values():
            one = env.get(name, ALL)
            whole = one if whole is None else whole | one
        return whole or ALL

    def _follow(self, start: int) -> bool:
        """Finds what holds at every node; whether that was possible within the limit of work."""
        first = {name: Interval(found.initial or 0, found.initial or 0) for name, found in self._numbers.items()}
        self.at[start] = first
        pending, visits = deque([start]), Counter[int]()
        while pending:
            number = pending.popleft()
            visits[number] += 1
            if visits.total() > WORK:
                return False
            for target, env in self._leads(number):
                before = self.at.get(target)
                now = env if before is None else _joined(before, env)
                if before is not None and visits[target] >= VISITS:
                    now = {name: self._widened(before[name], one) for name, one in now.items()}
                if now != before:
                    self.at[target] = now
                    if target not in pending:
                        pending.append(target)
        before_node = predecessors(self._after)
        for number in [*self.at] * WON_BACK:
            envs = [
                env
                for other in before_node[number]
                if other in self.at
                for target, env in self._leads(other)
                if target == number
            ]
            if number == start:
                envs.append(first)
            if envs:
                self.at[number] = reduce(_joined, envs)
            else:
                self.at.pop(number, None)
        return True

    @cached_property
    def _steps(self) -> list[int]:
        """The numbers that the chart names, and those next to them: where a bound that moves may come to rest."""
        found = {-_INFINITY, _INFINITY, *range(-1, 2), self.size}
        for node in self.game.flowchart.nodes.values():
            for part in (part for expr in node.exprs() for part in expr.walk() if part.type is Type.INT):
                with contextlib.suppress(NotStaticError):
                    value = evaluate_static(part, self.game, {})
                    found |= {value - 1, value, value + 1}
        return sorted(found)

    def _widened(self, before: Interval, now: Interval) -> Interval:
        """A bound that still moves goes on to the next number that the chart names."""
        low, high = now.low, now.high
        if low < before.low:
            low = self._steps[max(0, bisect_right(self._steps, low) - 1)]
        if high > before.high:
            high = self._steps[min(len(self._steps) - 1, bisect_left(self._steps, high))]
        return Interval(low, high)

    def _leads(self, number: int) -> Iterator[tuple[int, Env]]:
        """Where a node leads, and what holds there."""
        node, env = self.game.flowchart.nodes[number], self.at[number]
        if node.condition is not None:
            for target, holds in ((node.yes, True), (node.no, False)):
                narrowed = self._narrowed(env, node.condition, holds)
                if target is not None and narrowed is not None:
                    yield target, narrowed
            return
        after = self._done(node, env)
        yield from ((target, after) for target in self._after[number])

    def _done(self, node: Node, env: Env) -> Env:
        """What holds after a statement."""
        statement = node.statement
        if not isinstance(statement, Assign | Choose) or statement.target.name not in self._numbers:
            return env
        name = statement.target.name
        given = self.interval(statement.value if isinstance(statement, Assign) else statement.values, env)
        return {**env, name: given if statement.target.player is None else env[name] | given}

    def _narrowed(self, env: Env, condition: Expr, holds: bool) -> Env | None:
        """What holds when a condition does, or does not; None if that cannot be."""
        op, args = condition.op, condition.args
        try:
            return env if bool(evaluate_static(condition, self.game, {})) == holds else None
        except NotStaticError:
            pass
        if op == "not":
            return self._narrowed(env, args[0], not holds)
        if (op, holds) in (("and", True), ("or", False)):
            first = self._narrowed(env, args[0], holds)
            return None if first is None else self._narrowed(first, args[1], holds)
        if op not in _OPPOSITE or args[0].type is not Type.INT:
            return env
        relation = op if holds else _OPPOSITE[op]
        for expr, other, said in ((args[0], args[1], relation), (args[1], args[0], _TURNED.get(relation))):
            if expr.op == "variable" and expr.name in self._numbers and said is not None:
                cut = env[expr.name] & _allowed(said, self.interval(other, env))
                if cut is None:
                    return None
                env = {**env, expr.name: cut}
        return env

    def choices(self, node: Node) -> frozenset[int] | None:
        """All values that a node can ever offer; None if there is no end to them."""
        assert isinstance(node.statement, Choose)
        if node.number not in self.at:
            return frozenset()
        return self._values(node.statement.values, self.at[node.number])

    def _values(self, domain: Expr, env: Env) -> frozenset[int] | None:
        match domain.op:
            case "values":
                return self._together(domain.args, env)
            case "when":
                return self._values(domain.args[1], env)
            case "if":
                return self._together(domain.args[1:], env)
            case "those" if domain.name is not None:
                values = self._values(domain.args[0], env)
                return None if values is None else frozenset(self._filtered(values, domain.name, domain.args[1]))
            case "players" | "playersFrom":
                return frozenset(range(self.game.players))
            case "suits" | "ranks":
                deck = self.game.flowchart.deck
                return frozenset(range(len(deck.suits if domain.op == "suits" else deck.ranks)))
            case "const" if domain.value is not None:
                return frozenset({domain.value})
        if domain.type is Type.CARDS:
            return frozenset(self.game.cards)
        if domain.op == "range" or domain.type is Type.INT:
            found = self.interval(domain, env)
            if found.high - found.low >= MAX_RANGE:
                return None
            return frozenset(range(found.low, found.high + 1))
        return self._all_of(domain.type)

    def _together(self, parts: tuple[Expr, ...], env: Env) -> frozenset[int] | None:
        found = [self._values(part, env) for part in parts]
        return None if None in found else frozenset().union(*(values for values in found if values is not None))

    def _filtered(self, values: frozenset[int], name: str, condition: Expr) -> list[int]:
        try:
            return [value for value in values if evaluate_static(condition, self.game, {name: value})]
        except NotStaticError:
            return list(values)

    def _all_of(self, kind: Type) -> frozenset[int]:
        chart = self.game.flowchart
        match kind:
            case Type.BOOL:
                return frozenset({0, 1})
            case Type.PLAYER:
                return frozenset({NONE, *range(self.game.players)})
            case Type.SUIT:
                return frozenset({ANY, NONE, *range(len(chart.deck.suits))})
            case Type.RANK:
                return frozenset({ANY, NONE, *range(len(chart.deck.ranks))})
            case Type.CARD:
                return frozenset({NONE, *self.game.cards})
            case _:
                return frozenset(range(len(chart.words)))

    def interval(self, expr: Expr, env: Env) -> Interval:
        """The numbers that an expression (or a domain's elements) can be."""
        try:
            value = evaluate_static(expr, self.game, {})
            return Interval(value, value)
        except NotStaticError:
            pass
        args = expr.args
        match expr.op:
            case "variable" | "playerVariable":
                return env.get(expr.name or "", ALL)
            case "local":
                return env.get(f".{expr.name}", ALL)
            case "add" | "subtract" | "multiply" | "minimum" | "maximum":
                return self._arithmetic(expr.op, self.interval(args[0], env), self.interval(args[1], env))
            case "divide":
                top, by = self.interval(args[0], env), self.interval(args[1], env)
                widest = max(abs(top.low), abs(top.high))
                return Interval(0 if top.low >= 0 and by.low >= 0 else -widest, widest)
            case "modulo":
                by = self.interval(args[1], env)
                return Interval(min(0, by.low + 1), max(0, by.high - 1))
            case "negate":
                one = self.interval(args[0], env)
                return _cut(-one.low, -one.high)
            case "absolute":
                one = self.interval(args[0], env)
                return _cut(max(0, one.low, -one.high), abs(one.low), abs(one.high))
            case "if":
                with contextlib.suppress(NotStaticError):
                    chosen = args[1 if evaluate_static(args[0], self.game, {}) else 2]
                    return self.interval(chosen, env)
                return self.interval(args[1], env) | self.interval(args[2], env)
            case "count" | "cardsRemaining" | "countOf":
                return Interval(0, max(self.size, self.game.players, MAX_RANGE if expr.op == "countOf" else 0))
            case "playerNumber":
                return Interval(NONE, self.game.players - 1)
            case "random":
                return Interval(0, max(0, self.interval(args[0], env).high - 1))
            case "list":
                numbers = self.game.flowchart.lists[expr.name or ""]
                return _cut(0, *numbers)
            case "table":
                table = self.game.flowchart.tables[expr.name or ""]
                groups = (table.cards, table.ranks, table.suits)
                return _cut(0, table.otherwise, *(value for group in groups for value in group.values()))
            case "largest" | "smallest" | "sum":
                inside = {**env, f".{expr.name}": self.interval(args[0], env)}
                one = self.interval(args[2], inside) | Interval(0, 0)
                times = max(self.size, self.game.players) if expr.op == "sum" and args[0].op != "range" else 1
                return ALL if expr.op == "sum" and args[0].op == "range" else _cut(times * one.low, times * one.high)
            case "range":
                return Interval(self.interval(args[0], env).low, self.interval(args[1], env).high)
            case "those" | "when":
                return self.interval(args[0 if expr.op == "those" else 1], env)
            case "values" if args:
                whole = self.interval(args[0], env)
                for item in args[1:]:
                    whole |= self.interval(item, env)
                return whole
        return ALL

    @staticmethod
    def _arithmetic(op: str, one: Interval, two: Interval) -> Interval:
        match op:
            case "add":
                return _cut(one.low + two.low, one.high + two.high)
            case "subtract":
                return _cut(one.low - two.high, one.high - two.low)
            case "multiply":
                return _cut(*(a * b for a in (one.low, one.high) for b in (two.low, two.high)))
            case "minimum":
                return Interval(min(one.low, two.low), min(one.high, two.high))
            case _:
                return Interval(max(one.low, two.low), max(one.high, two.high))


_OPPOSITE = {
    "equal": "notEqual",
    "notEqual": "equal",
    "less": "greaterEqual",
    "lessEqual": "greater",
    "greater": "lessEqual",
    "greaterEqual": "less",
}
_TURNED = {
    "equal": "equal",
    "less": "greater",
    "lessEqual": "greaterEqual",
    "greater": "less",
    "greaterEqual": "lessEqual",
}


def _allowed(relation: str, other: Interval) -> Interval:
    """The numbers that can stand in a relation to some number of an interval."""
    match relation:
        case "equal":
            return other
        case "less":
            return Interval(-_INFINITY, other.high - 1)
        case "lessEqual":
            return Interval(-_INFINITY, other.high)
        case "greater":
            return Interval(other.low + 1, _INFINITY)
        case "greaterEqual":
            return Interval(other.low, _INFINITY)
        case _:
            return ALL
