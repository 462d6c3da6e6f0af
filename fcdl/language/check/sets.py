"""Sets of cards that may be more than an engine looks at."""

from __future__ import annotations

from collections.abc import Iterator

from fcdl.language import flowchart as fc
from fcdl.language.check.fold import Folder
from fcdl.language.check.program import Program
from fcdl.language.diagnostics import Findings
from fcdl.language.flowchart import Expr
from fcdl.language.ops import BINDERS
from fcdl.language.sets import MAX_LOOKED_AT, lasting, sizes


def check(program: Program, findings: Findings) -> None:
    """Tells the author of sets of any size of which no condition says that they cannot become larger."""
    few = MAX_LOOKED_AT.bit_length() - 1
    folder = Folder(program.flowchart)
    for node in program.in_text_order():
        for expr in node.exprs():
            for subsets, condition, name in _domains(expr):
                _, high = sizes(subsets)
                unlimited = high is None and lasting(program.flowchart, subsets, condition, name) == fc.TRUE
                if unlimited and folder.bounds(subsets.args[0], None)[1].bit_count() > few:
                    findings.note(
                        "many-sets",
                        f"of more than {few} cards not all sets are looked at",
                        program.place(node, subsets),
                        node=node.number,
                        hint="give the sets a size: subsets(cards, 1 to 4), or a condition that larger sets fail, too",
                    )


def _domains(expr: Expr) -> Iterator[tuple[Expr, Expr, str]]:
    """Each `subsets` in an expression, with the condition on its sets and what a set is called in it."""
    for part in expr.walk():
        if part.op in BINDERS and part.args[0].op == "subsets":
            yield part.args[0], part.args[1], part.name or ""
    if expr.op == "subsets":
        yield expr, fc.TRUE, ""
