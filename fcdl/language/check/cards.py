"""Values that can never be: cards that the deck does not have, seats and entries out of range, fixed diamonds."""

from __future__ import annotations

from collections.abc import Iterator

from fcdl.language import flowchart as fc
from fcdl.language.check.fold import Folder
from fcdl.language.check.program import Program
from fcdl.language.diagnostics import Findings
from fcdl.language.flowchart import Expr, Type
from fcdl.language.ops import depends_on_play

_SETS = frozenset({"template", "union", "intersect", "except", "those"})


def check(program: Program, findings: Findings) -> None:
    """Reports expressions whose value is fixed by mistake."""
    folder = Folder(program.flowchart)
    for node in program.in_text_order():
        for expr in node.exprs():
            _no_cards(program, folder, node, expr, findings)
            _out_of_range(program, node, expr, findings)
        _fixed_diamond(program, folder, node, findings)


# --- cards that are not in the deck -----------------------------------------------------------------------------------


def _no_cards(program: Program, folder: Folder, node: fc.Node, expr: Expr, findings: Findings) -> None:
    """Reports the smallest sets of cards in an expression that no card of the deck is in."""
    sets = [part for part in expr.walk() if part.op in _SETS and part.type is Type.CARDS]
    empty: set[int] = set()
    for part in reversed(sets):  # parts come after the whole
        if any(id(inner) in empty for inner in part.args):
            empty.add(id(part))
        elif not _names_none(part) and folder.bounds(part, None)[1] == 0:
            empty.add(id(part))
            findings.warning(
                "no-matching-card", "no card in the deck matches", program.place(node, part), node=node.number
            )


def _names_none(part: Expr) -> bool:
    """Whether `none` is meant: a template of it matches nothing on purpose."""
    return any(inner.op == "const" and inner.value == fc.NONE for inner in part.args)


# --- numbers out of range ---------------------------------------------------------------------------------------------


def _out_of_range(program: Program, node: fc.Node, expr: Expr, findings: Findings) -> None:
    for part, number, size, what in _indices(program.flowchart, expr):
        if not 0 <= number < size:
            numbers = f"they are numbered 0 to {size - 1}" if size > 1 else "there is only number 0"
            findings.warning(
                "out-of-range",
                f"there is no {what} number {number}",
                program.place(node, part),
                node=node.number,
                hint=numbers,
            )


def _indices(flowchart: fc.Flowchart, expr: Expr) -> Iterator[tuple[Expr, int, int, str]]:
    """Constant numbers of players, suits, ranks and entries of lists, with how many there are."""
    for part in expr.walk():
        if part.op not in ("player", "suitAt", "rankAt", "list") or part.args[0].op not in ("const", "negate"):
            continue
        inner = part.args[0] if part.args[0].op == "const" else part.args[0].args[0]
        if inner.op != "const" or inner.value is None:
            continue
        number = inner.value if inner is part.args[0] else -inner.value
        match part.op:
            case "player":
                yield part, number, flowchart.players[1], "player"
            case "suitAt":
                yield part, number, len(flowchart.deck.suits), "suit"
            case "rankAt":
                yield part, number, len(flowchart.deck.ranks), "rank"
            case _:
                yield part, number, len(flowchart.lists[part.name or ""]), f"entry of '{part.name}'"


# --- diamonds that are no question ------------------------------------------------------------------------------------


def _fixed_diamond(program: Program, folder: Folder, node: fc.Node, findings: Findings) -> None:
    condition = node.condition
    if condition is None:
        return
    if node.yes == node.no:
        findings.warning(
            "idle-diamond",
            "both arrows of this diamond lead to the same node",
            program.place(node, condition),
            node=node.number,
        )
    elif not depends_on_play(condition):
        answer = folder.value(condition, None)
        if answer is not None:
            findings.warning(
                "fixed-diamond",
                f"the answer is always {'yes' if answer else 'no'}",
                program.place(node, condition),
                node=node.number,
            )
