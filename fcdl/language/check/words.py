"""Core expressions in words: as the author would write them, and as a card player would say them."""

from __future__ import annotations

from fcdl.language import flowchart as fc
from fcdl.language.flowchart import ANY, Expr
from fcdl.language.written import expr_text

MAX_LENGTH = 60
MAX_DEPTH = 8


def code(flowchart: fc.Flowchart, expr: Expr) -> str:
    """An expression as text, cut short if it is long."""
    return shortened(expr_text(expr, flowchart, depth=MAX_DEPTH))


def shortened(text: str) -> str:
    """A text cut to a readable length."""
    return text if len(text) <= MAX_LENGTH else text[: MAX_LENGTH - 3] + "..."


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
            return f"a card {cards.name} where {code(flowchart, condition)}"
    return f"a card of {code(flowchart, cards)}"


def _is_any(expr: Expr) -> bool:
    return expr.op == "const" and expr.value == ANY
