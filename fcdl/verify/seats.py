"""Whether a chart treats all seats alike, as far as its words tell."""

from __future__ import annotations

from fcdl.language import flowchart as fc
from fcdl.language.flowchart import Expr, Flowchart, statement_exprs


def names_seats(chart: Flowchart) -> set[int]:
    """The nodes where a seat is named, or the seats are taken in their order from the first one on."""
    found = set()
    first_seat = {
        node.box
        for node in chart.nodes.values()
        if node.box is not None and isinstance(node.statement, fc.Assign) and node.statement.value.op == "player"
    }
    """Boxes for all seats that begin with the first one."""
    for number, node in chart.nodes.items():
        if node.box is not None:
            continue  # nobody wrote it
        exprs = list(statement_exprs(node.statement)) if node.statement is not None else []
        if node.condition is not None:
            exprs.append(node.condition)
        named = any(_names_a_seat(part) for expr in exprs for part in expr.walk())
        if named or (number in first_seat and isinstance(node.statement, fc.Decision)):
            found.add(number)
    return found


def _names_a_seat(part: Expr) -> bool:
    match part.op:
        case "player":
            return part.args[0].op != "random"
        case "playerNumber":
            return True
        case "const":
            return part.type is fc.Type.PLAYER and part.value is not None and part.value >= 0
        case "highest" | "lowest":
            return part.args[0].op == "players"
        case "team":
            return True
    return False
