"""Why a node does what it does: the values of its expressions and of their parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from fcdl.engines.stepping import SteppingState, Values
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import Expr, Node, Type
from fcdl.language.ops import BINDERS
from fcdl.language.written import expr_text

MAX_PARTS = 60
MAX_CARDS = 16
"""More cards than this are counted, not listed."""
MAX_ELEMENTS = 10
"""Of more elements than this an aggregate's condition is not shown for each of them."""

_PLAIN = frozenset({"const", "local", "numberOfPlayers", "allCards"})
"""What needs no explanation."""


@dataclass(frozen=True, slots=True)
class Part:
    """An expression with its value, and how deep inside others it is."""

    depth: int
    text: str
    value: str


def parts(node: Node, values: Values, state: SteppingState) -> list[Part]:
    """The values of a node's expressions and of their parts, each once, outermost first; of a diamond its answer."""
    finder = _Parts(values, state)
    exprs: Iterator[Expr] = node.exprs()
    if isinstance(node.statement, fc.Move) and node.statement.each_seat:
        exprs = filter(None, [node.statement.what])  # its zones are others for each seat
    found = list(islice((part for expr in exprs for part in finder.of(expr, 0)), MAX_PARTS))
    if node.condition is not None:
        answer = "yes" if values.value(node.condition, state) else "no"
        to = node.yes if answer == "yes" else node.no
        shown = values.game.flowchart.box_of(to).number if to is not None else to
        whole = Part(0, "answer", f"{answer}, on to node {shown}")
        found[:1] = [whole]  # the condition itself stands above
    return found


class _Parts:
    def __init__(self, values: Values, state: SteppingState) -> None:
        self.values = values
        self.state = state
        self.said: set[str] = set()

    def of(self, expr: Expr, depth: int) -> Iterator[Part]:
        """An expression and its parts."""
        if expr.op in _PLAIN or (expr.op == "player" and expr.args[0].op == "const"):
            return
        by_chance = any(part.op == "random" for part in expr.walk())
        text = expr_text(expr, self.values.game.flowchart)
        offered = expr.op == "when"  # a value of a choice with its condition; it has no value of its own
        if expr.type is not Type.DOMAIN and not offered and text not in self.said:
            self.said.add(text)
            yield Part(depth, text, "by chance" if by_chance else self._value(expr))
            depth += 1
        if expr.op in BINDERS:
            yield from self._elements(expr, depth)
            return
        args = expr.args
        if expr.op == "if" and not by_chance:
            args = (args[0], args[1 if self.values.value(args[0], self.state) else 2])
        elif expr.op == "playerHas":
            args = (args[0], Expr("zone", Type.CARDS, args[:1], name="hand"), args[1])
        for arg in args:
            yield from self.of(arg, depth)

    def _value(self, expr: Expr) -> str:
        if expr.type is Type.CARDS and (number := len(self.values.cards(expr, self.state))) > MAX_CARDS:
            return f"{number} cards"
        return self.values.text(expr, self.state)

    def _elements(self, expr: Expr, depth: int) -> Iterator[Part]:
        """What an aggregate goes through, and its condition and its value for each element."""
        domain, *each = expr.args
        yield from self.of(domain, depth)
        elements = list(islice(self.values.elements(domain, self.state), MAX_ELEMENTS + 1))
        if len(elements) > MAX_ELEMENTS:
            return
        for element in elements:
            for inner in each:
                if inner.op not in _PLAIN:
                    closed = _put_in(inner, expr.name, element)
                    yield Part(depth, expr_text(closed, self.values.game.flowchart), self._value(closed))


def _put_in(expr: Expr, name: str | None, value: int) -> Expr:
    """An expression in which a local has a value; loops inside loops have names of their own."""
    if expr.op == "local" and expr.name == name:
        return Expr("const", expr.type, value=value)
    return replace(expr, args=tuple(_put_in(arg, name, value) for arg in expr.args))
