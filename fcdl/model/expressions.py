"""Expressions and names in words: as a chart would write them, and names as people write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from fcdl.language.flowchart import Expr, Type
from fcdl.model.game import Game

_INFIX = {
    "or": (1, "|"), "and": (2, "&"), "equal": (3, "=="), "notEqual": (3, "!="), "less": (3, "<"),
    "lessEqual": (3, "<="), "greater": (3, ">"), "greaterEqual": (3, ">="), "member": (3, "in"), "add": (4, "+"),
    "subtract": (4, "-"), "multiply": (5, "*"), "divide": (5, "/"), "modulo": (5, "%"),
}  # fmt: skip
_NAMES = {
    "minimum": "min", "maximum": "max", "absolute": "abs", "suitAt": "suit", "rankAt": "rank", "template": "card",
    "countOf": "count", "largest": "max", "smallest": "min",
}  # fmt: skip


def spaced(name: str) -> str:
    """A name of a chart as people write it: `trumpSuit` is `trump suit`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", name).lower() if not name.isupper() else name


def expr_text(expr: Expr, game: Game, strength: int = 0, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """An expression as a chart would say it, with definitions expanded and locals as `names` calls them."""
    op, args = expr.op, expr.args
    if op == "local" and expr.name is not None and expr.name in names:
        return names[expr.name]
    if op == "const":
        assert expr.value is not None
        text = game.value_text(expr.type, expr.value)
        return f"player({text})" if expr.type is Type.PLAYER and expr.value >= 0 else text
    if op in _INFIX:
        level, sign = _INFIX[op]
        text = f"{expr_text(args[0], game, level, names)} {sign} {expr_text(args[1], game, level + 1, names)}"
        return f"({text})" if level < strength else text
    if op in ("not", "negate"):
        return ("!" if op == "not" else "-") + expr_text(args[0], game, 6, names)
    if op in ("theCard", "single"):
        return expr_text(args[0], game, strength, names)
    if op == "top" and args[0].op == "zone":
        return expr_text(args[0], game, 0, names)
    if op == "range":
        return f"{expr_text(args[0], game, 0, names)} to {expr_text(args[1], game, 0, names)}"
    if op == "values":
        return "{" + ", ".join(expr_text(arg, game, 0, names) for arg in args) + "}"
    if op == "when":
        return f"{expr_text(args[1], game, 0, names)} if {expr_text(args[0], game, 0, names)}"
    if expr.name is not None and op in BINDERS:
        return _binder_text(expr, game, strength, names)
    name = expr.name if expr.name is not None else _NAMES.get(op, "cards" if op == "allCards" else op)
    if op == "listSize":
        return f"size({name})"
    return f"{name}({', '.join(expr_text(arg, game, 0, names) for arg in args)})" if args else name


BINDERS: Mapping[str, bool] = {
    "those": False, "countOf": False, "some": False, "every": False, "sum": True, "largest": True, "smallest": True,
    "highest": True, "lowest": True,
}  # fmt: skip
"""What binds a local, and whether it has a value `for` each element."""


def _binder_text(expr: Expr, game: Game, strength: int, names: Mapping[str, str]) -> str:
    domain, condition = expr.args[0], expr.args[1]
    always = condition.op == "const" and condition.value == 1
    each = f"{expr.name} in {expr_text(domain, game, 0, names)}" + (
        "" if always else f" with {expr_text(condition, game, 0, names)}"
    )
    if expr.op == "those":
        return f"(those {each})" if strength else f"those {each}"
    value = f"{expr_text(expr.args[2], game, 0, names)} for " if BINDERS[expr.op] else ""
    return f"{_NAMES.get(expr.op, expr.op)}({value}{each})"
