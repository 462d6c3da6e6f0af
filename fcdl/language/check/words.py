"""Core expressions in words: as the author would write them, and as a card player would say them."""

from __future__ import annotations

from fcdl.language import flowchart as fc
from fcdl.language.flowchart import ANY, NONE, Expr, Type

MAX_LENGTH = 60

_SIGNS = {
    "add": "+", "subtract": "-", "multiply": "*", "divide": "/", "modulo": "%", "equal": "==", "notEqual": "!=",
    "less": "<", "lessEqual": "<=", "greater": ">", "greaterEqual": ">=", "and": "&", "or": "|", "member": "in",
}  # fmt: skip
_FUNCTIONS = {
    "minimum": "min",
    "maximum": "max",
    "absolute": "abs",
    "suitAt": "suit",
    "rankAt": "rank",
    "template": "card",
}
_AGGREGATES = {"sum": "sum", "largest": "max", "smallest": "min", "highest": "highest", "lowest": "lowest",
               "countOf": "count", "some": "some", "every": "every"}  # fmt: skip


def code(flowchart: fc.Flowchart, expr: Expr) -> str:
    """An expression as text, cut short if it is long."""
    return shortened(_code(flowchart, expr, 0))


def shortened(text: str) -> str:
    """A text cut to a readable length."""
    return text if len(text) <= MAX_LENGTH else text[: MAX_LENGTH - 3] + "..."


def _code(flowchart: fc.Flowchart, expr: Expr, depth: int) -> str:
    if depth > 8:
        return "..."
    parts = [_code(flowchart, arg, depth + 1) for arg in expr.args[:4]]
    match expr.op:
        case "const":
            return constant(flowchart, expr)
        case "variable" | "option" | "local":
            return expr.name or ""
        case "playerVariable" | "table" | "list":
            return f"{expr.name}({parts[0]})"
        case "zone":
            return f"{expr.name}({parts[0]})" if parts else expr.name or ""
        case "not":
            return f"!{parts[0]}"
        case "negate":
            return f"-{parts[0]}"
        case "single" | "theCard":
            return parts[0]
        case "listSize":
            return f"size({expr.name})"
        case "allCards":
            return "cards"
        case "range":
            return f"{parts[0]} to {parts[1]}"
        case "values":
            return "{" + ", ".join(parts) + "}"
        case "when":
            return f"{parts[1]} if {parts[0]}"
        case "those":
            return f"those {expr.name} in {parts[0]} with {parts[1]}"
    if expr.op in _SIGNS:
        return f"{parts[0]} {_SIGNS[expr.op]} {parts[1]}"
    if expr.op in _AGGREGATES:
        value = f"{parts[2]} for " if len(parts) == 3 else ""
        condition = f" with {parts[1]}" if expr.args[1] != fc.TRUE else ""
        return f"{_AGGREGATES[expr.op]}({value}{expr.name} in {parts[0]}{condition})"
    name = _FUNCTIONS.get(expr.op, expr.op)
    return f"{name}({', '.join(parts)})" if parts else name


def constant(flowchart: fc.Flowchart, expr: Expr) -> str:
    """The name of a constant."""
    value = expr.value if expr.value is not None else NONE
    if value in (NONE, ANY) and expr.type is not Type.INT:
        return "any" if value == ANY else "none"
    match expr.type:
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
        case Type.PLAYER:
            return f"player({value})"
    return str(value)


def card_of(flowchart: fc.Flowchart, cards: Expr) -> str:
    """One card of a set, as a card player would say it: `a card of leadSuit`, `the queen of spades`, `a king`."""
    match cards:
        case Expr(op="template", args=(rank, suit)):
            any_rank, any_suit = _is_any(rank), _is_any(suit)
            if any_rank:
                return "a card" if any_suit else f"a card of {code(flowchart, suit)}"
            if any_suit:
                name = code(flowchart, rank)
                article = "an" if name in ("ace", "8") else "a"
                return f"{article} {name}" if rank.op == "const" else f"a card of rank {name}"
            return f"the {code(flowchart, rank)} of {code(flowchart, suit)}"
        case Expr(op="single"):
            return code(flowchart, cards)
        case Expr(op="allCards" | "zone"):
            return "a card"
        case Expr(op="union", args=(first, second)):
            return f"{card_of(flowchart, first)} or {card_of(flowchart, second)}"
        case Expr(op="those", args=(_, condition)):
            return f"a card {cards.name} with {code(flowchart, condition)}"
    return f"a card of {code(flowchart, cards)}"


def _is_any(expr: Expr) -> bool:
    return expr.op == "const" and expr.value == ANY
