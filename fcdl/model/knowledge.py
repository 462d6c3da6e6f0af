"""What a seat can know of a position without reasoning: which expressions look only at what it sees."""

from __future__ import annotations

from fcdl.language.flowchart import Expr, Flowchart, Visibility


def hidden_part(flowchart: Flowchart, expr: Expr, me: str = "me") -> Expr | None:
    """The first part of an expression that the player named by the local `me` may not know; None if there is none.

    How many cards are in a zone is known to all.
    """
    match expr.op:
        case "count" | "empty" if expr.args[0].op == "zone":
            return _first(flowchart, expr.args[0].args, me)
        case "zone" if not _sees(flowchart, str(expr.name), expr.args, me):
            return expr
        case "playerHas" if not _sees(flowchart, "hand", expr.args[:1], me):
            return expr
        case "variable" | "playerVariable" if flowchart.variables[str(expr.name)].secret and not _is_me(expr.args, me):
            return expr
    return _first(flowchart, expr.args, me)


def _first(flowchart: Flowchart, parts: tuple[Expr, ...], me: str) -> Expr | None:
    found = (hidden_part(flowchart, part, me) for part in parts)
    return next((part for part in found if part is not None), None)


def _sees(flowchart: Flowchart, zone: str, owner: tuple[Expr, ...], me: str) -> bool:
    visibility = flowchart.zones[zone].visibility
    return visibility is Visibility.ALL or (visibility is Visibility.OWNER and _is_me(owner, me))


def _is_me(owner: tuple[Expr, ...], me: str) -> bool:
    return len(owner) == 1 and owner[0].op == "local" and owner[0].name == me
