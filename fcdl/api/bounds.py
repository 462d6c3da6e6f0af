"""Which values a choice can ever offer, by the chart alone: intervals of numbers, followed through all assignments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fcdl.language.flowchart import ANY, NONE, Assign, Choose, Expr, Type
from fcdl.model.game import Game
from fcdl.model.static import NotStaticError, evaluate_static

MAX_VALUES = 1000
"""More values than this are no table."""
ROUNDS = 4
"""After so many rounds a bound of a variable that still moves is given up."""
_INFINITY = 2**31


@dataclass(frozen=True, slots=True)
class Interval:
    """Numbers from low to high."""

    low: int
    high: int

    def __or__(self, other: Interval) -> Interval:
        return Interval(min(self.low, other.low), max(self.high, other.high))


ALL = Interval(-_INFINITY, _INFINITY)
Bound = Mapping[str, Interval]


def _cut(*values: int) -> Interval:
    return Interval(max(-_INFINITY, min(values)), min(_INFINITY, max(values)))


class Bounds:
    """Bounds of the numbers of one game; every variable is followed through all its assignments, in any order."""

    def __init__(self, game: Game) -> None:
        self.game = game
        chart = game.flowchart
        self.size = len(game.cards)
        self.variables = {
            variable.name: Interval(variable.initial or 0, variable.initial or 0)
            for variable in chart.variables.values()
            if variable.type is Type.INT
        }
        statements = [node.statement for node in chart.nodes.values() if node.statement is not None]
        for number in range(2 * ROUNDS):
            before = dict(self.variables)
            for statement in statements:
                if isinstance(statement, Assign | Choose) and statement.target.name in self.variables:
                    name = statement.target.name
                    given = statement.value if isinstance(statement, Assign) else statement.values
                    self.variables[name] |= self.interval(given, {})
            if self.variables == before:
                return
            if number >= ROUNDS:
                self.variables = {name: _widened(before[name], now) for name, now in self.variables.items()}
        self.variables = dict.fromkeys(self.variables, ALL)

    def choices(self, domain: Expr) -> frozenset[int] | None:
        """All values that a domain can ever have; None if there is no end to them."""
        match domain.op:
            case "values":
                return self._together(domain.args)
            case "when":
                return self.choices(domain.args[1])
            case "if":
                return self._together(domain.args[1:])
            case "those" if domain.name is not None:
                values = self.choices(domain.args[0])
                return None if values is None else frozenset(self._filtered(values, domain.name, domain.args[1]))
            case "players":
                return frozenset(range(self.game.players))
            case "suits" | "ranks":
                deck = self.game.flowchart.deck
                return frozenset(range(len(deck.suits if domain.op == "suits" else deck.ranks)))
            case "const" if domain.value is not None:
                return frozenset({domain.value})
        if domain.type is Type.CARDS:
            return frozenset(self.game.cards)
        if domain.op == "range" or domain.type is Type.INT:
            found = self.interval(domain, {})
            if found.high - found.low >= MAX_VALUES:
                return None
            return frozenset(range(found.low, found.high + 1))
        return self._all_of(domain.type)

    def _together(self, parts: tuple[Expr, ...]) -> frozenset[int] | None:
        found = [self.choices(part) for part in parts]
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

    def interval(self, expr: Expr, bound: Bound) -> Interval:
        """The numbers that an expression (or a domain's elements) can be."""
        try:
            value = evaluate_static(expr, self.game, {})
            return Interval(value, value)
        except NotStaticError:
            pass
        args = expr.args
        match expr.op:
            case "variable" | "playerVariable":
                return self.variables.get(expr.name or "", ALL)
            case "local":
                return bound.get(expr.name or "", ALL)
            case "add" | "subtract" | "multiply" | "minimum" | "maximum":
                return self._arithmetic(expr.op, self.interval(args[0], bound), self.interval(args[1], bound))
            case "divide":
                top, by = self.interval(args[0], bound), self.interval(args[1], bound)
                widest = max(abs(top.low), abs(top.high))
                return Interval(0 if top.low >= 0 and by.low >= 0 else -widest, widest)
            case "modulo":
                by = self.interval(args[1], bound)
                return Interval(min(0, by.low + 1), max(0, by.high - 1))
            case "negate":
                one = self.interval(args[0], bound)
                return _cut(-one.low, -one.high)
            case "absolute":
                one = self.interval(args[0], bound)
                return _cut(max(0, one.low, -one.high), abs(one.low), abs(one.high))
            case "if":
                return self.interval(args[1], bound) | self.interval(args[2], bound)
            case "count" | "cardsRemaining" | "countOf":
                return Interval(0, max(self.size, self.game.players, MAX_VALUES if expr.op == "countOf" else 0))
            case "playerNumber":
                return Interval(NONE, self.game.players - 1)
            case "random":
                return Interval(0, max(0, self.interval(args[0], bound).high - 1))
            case "list":
                numbers = self.game.flowchart.lists[expr.name or ""]
                return _cut(0, *numbers)
            case "table":
                table = self.game.flowchart.tables[expr.name or ""]
                groups = (table.cards, table.ranks, table.suits)
                return _cut(0, table.otherwise, *(value for group in groups for value in group.values()))
            case "largest" | "smallest" | "sum":
                inside = {**bound, expr.name or "": self.interval(args[0], bound)}
                one = self.interval(args[2], inside) | Interval(0, 0)
                times = max(self.size, self.game.players) if expr.op == "sum" and args[0].op != "range" else 1
                return ALL if expr.op == "sum" and args[0].op == "range" else _cut(times * one.low, times * one.high)
            case "range":
                return Interval(self.interval(args[0], bound).low, self.interval(args[1], bound).high)
            case "those" | "when":
                return self.interval(args[0 if expr.op == "those" else 1], bound)
            case "values" if args:
                whole = self.interval(args[0], bound)
                for item in args[1:]:
                    whole |= self.interval(item, bound)
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


def _widened(before: Interval, now: Interval) -> Interval:
    """A bound that still moves is given up."""
    return Interval(
        now.low if now.low == before.low else -_INFINITY, now.high if now.high == before.high else _INFINITY
    )
