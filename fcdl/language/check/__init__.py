"""The checker: what is wrong with a chart before anyone plays it.

`check_structure` looks at the drawing (charts, terminals, arrows) of any document. `check_flow` looks at what can
happen along the paths of a chart whose names and types are fine. Every check has one module; all of them grow about
linearly with the number of nodes. `docs/findings.md` lists the codes.
"""

from __future__ import annotations

from dataclasses import replace

from fcdl.language.check.structure import check_structure
from fcdl.language.diagnostics import Findings
from fcdl.language.flowchart import Flowchart

__all__ = ["check_flow", "check_structure"]


def check_flow(flowchart: Flowchart, findings: Findings) -> None:
    """Reports what can go wrong along the paths of a chart whose names and types are fine."""
    from fcdl.language.check import (
        cards,
        cost,
        deals,
        decisions,
        loops,
        reveals,
        sayings,
        sets,
        teams,
        unused,
        variables,
        zones,
    )
    from fcdl.language.check.program import Program

    program = Program(flowchart)
    own = Findings()
    for check in (variables, unused, loops, cards, zones, deals, decisions, sets, teams, reveals, sayings, cost):
        check.check(program, own)
    items = (
        replace(item, node=flowchart.box_of(item.node).number) if item.node is not None else item for item in own.items
    )
    findings.items.extend(dict.fromkeys(items))  # a definition that is used twice is reported once
