"""From a checked expression back to the syntax tree: as an author could have written it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import cycle

from fcdl.language import tree
from fcdl.language.flowchart import ANY, NONE, TRUE, Expr, Flowchart, Type
from fcdl.language.ops import OPS, Form
from fcdl.language.sets import sizes
from fcdl.language.text import format_expression

_DOTS = tree.Name("...")


def expr_text(
    expr: Expr,
    flowchart: Flowchart,
    names: Mapping[str, str] | None = None,
    depth: int | None = None,
    *,
    definitions: bool = False,
) -> str:
    """An expression as a chart would say it, with locals as `names` calls them; what is deeper than `depth` as dots.

    Definitions are expanded, or have their names if `definitions` is set.
    """
    writer = _Writer(flowchart, names or {}, flowchart.said if definitions else {})
    return format_expression(writer.write(expr, depth if depth is not None else 1_000, expr.type))


@dataclass(frozen=True, slots=True)
class _Writer:
    flowchart: Flowchart
    names: Mapping[str, str] = field(default_factory=dict)
    said: Mapping[Expr, tree.Expression] = field(default_factory=dict)

    def write(self, expr: Expr, depth: int, wanted: Type | None = None) -> tree.Expression:
        """The expression in a place that wants a type: where that is a card, a zone means its top card."""
        if depth < 0:
            return _DOTS
        if expr in self.said:
            return _renamed(self.said[expr], self.names)
        row = OPS[expr.op]
        if row.form is Form.SILENT or (expr.op == "top" and wanted is Type.CARD):
            return self.write(expr.args[0], depth)
        if row.form is Form.BINDER:
            return self._each(expr, depth - 1)
        if expr.op == "const":
            return constant(self.flowchart, expr)
        if expr.op == "subsets":
            return self._subsets(expr, depth - 1)
        if expr.op == "values":
            return tree.Values(tuple(self._item(item, depth - 1) for item in expr.args))
        kinds = [Type.CARD] if expr.op == "table" else row.takes
        parts = tuple(self.write(arg, depth - 1, kind) for arg, kind in zip(self._args(expr), cycle(kinds)))
        if expr.op == "range":
            return tree.Range(*parts)
        if expr.op == "playersFrom":
            return tree.PlayersFrom(*parts)
        if row.form in (Form.INFIX, Form.PREFIX):
            return tree.Operation(row.word, parts)
        if row.form is Form.NAMED or expr.op == "place":
            name = self.names.get(expr.name or "", expr.name or "") if expr.op == "local" else expr.name or ""
            return tree.Call(name, parts) if parts else tree.Name(name)
        if row.form is Form.TABLED:
            parts = (parts[0], tree.Name(expr.name or ""), *parts[1:])
        if expr.op == "listSize":
            parts = (tree.Name(expr.name or ""),)
        return tree.Call(row.word, parts) if parts else tree.Name(row.word)

    def _args(self, expr: Expr) -> Iterator[Expr]:
        """The arguments; of `union(union(a, b), c)` all three, of a place its keys."""
        for arg in expr.args:
            if arg.op == "place" or (OPS[expr.op].form is Form.FOLDED and arg.op == expr.op):
                yield from self._args(arg)
            else:
                yield arg

    def _subsets(self, expr: Expr, depth: int) -> tree.Call:
        low, high = sizes(expr)
        parts = [self.write(expr.args[0], depth)]
        if low == high:
            parts.append(self.write(low, depth))
        elif high is not None or low.value != 1:
            parts.append(tree.Range(self.write(low, depth), self.write(expr.args[2], depth)))
        return tree.Call("subsets", tuple(parts))

    def _item(self, item: Expr, depth: int) -> tree.Item:
        if item.op == "when":
            return tree.Item(self.write(item.args[1], depth), self.write(item.args[0], depth))
        return tree.Item(self.write(item, depth), None)

    def _each(self, expr: Expr, depth: int) -> tree.Each:
        domain, condition = expr.args[:2]
        return tree.Each(
            "those" if expr.op == "those" else OPS[expr.op].word,
            expr.name or "",
            self.write(domain, depth),
            self.write(condition, depth) if condition != TRUE else None,
            self.write(expr.args[2], depth) if len(expr.args) > 2 else None,
        )


def constant(flowchart: Flowchart, expr: Expr) -> tree.Expression:
    """A constant as it is written."""
    value = expr.value if expr.value is not None else NONE
    if expr.type is Type.INT:
        return tree.Number(value)
    if expr.type is Type.PLAYER and value >= 0:
        return tree.Call("player", (tree.Number(value),))
    return tree.Name(value_name(flowchart, expr.type, value))


def value_name(flowchart: Flowchart, kind: Type, value: int) -> str:
    """A value's name: `3`, `yes`, `hearts`, `queen`, `QS`, a word, a seat number, `none`, `any`."""
    if value < 0 and kind not in (Type.INT, Type.BOOL):
        return "any" if value == ANY else "none"
    match kind:
        case Type.BOOL:
            return "yes" if value else "no"
        case Type.SUIT:
            return flowchart.deck.suits[value]
        case Type.RANK:
            return flowchart.deck.ranks[value]
        case Type.CARD:
            return flowchart.deck.code(value)
        case Type.WORD:
            return flowchart.words[value]
    return str(value)


def _renamed(written: tree.Expression, names: Mapping[str, str]) -> tree.Expression:
    """What the author wrote, with other names for locals."""
    match written:
        case tree.Name(name=name):
            return tree.Name(names.get(name, name))
        case tree.Call(name=name, args=args):
            return tree.Call(name, tuple(_renamed(arg, names) for arg in args))
        case tree.Operation(operator=operator, operands=operands):
            return tree.Operation(operator, tuple(_renamed(operand, names) for operand in operands))
    return written
