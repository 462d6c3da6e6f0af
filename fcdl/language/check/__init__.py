"""The checker: what is wrong with a chart before anyone plays it.

`check_structure` looks at the drawing (charts, terminals, arrows) of any document. `check_flow` looks at what can
happen along the paths of a chart whose names and types are fine, `check_rest` at what can be told of the others. Every
check has one module; all of them grow about linearly with the number of nodes. `docs/findings.md` lists the codes.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from fcdl.language.check.rest import check_rest
from fcdl.language.check.structure import check_structure
from fcdl.language.diagnostics import Finding, Findings
from fcdl.language.flowchart import Flowchart

if TYPE_CHECKING:
    from fcdl.language.check.program import Program

__all__ = ["check_flow", "check_rest", "check_structure"]


_QUOTED = re.compile(r"'(\w+)'")


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
        replace(item, node=flowchart.box_of(item.node).number) if item.node is not None else item
        for item in own.items
        if not _due_to_unused_charts(item, program)
    )
    findings.items.extend(dict.fromkeys(items))  # a definition that is used twice is reported once


def _due_to_unused_charts(item: Finding, program: Program) -> bool:
    """Whether a finding is about something that a chart that is never used would do."""
    name = _QUOTED.search(item.message)
    return (
        item.code in ("unused-variable", "empty-zone")
        and name is not None
        and any(
            re.search(rf"\b{re.escape(name.group(1))}\b", node.caption)
            for chart in program.flowchart.charts.values()
            if chart.name not in program.order
            for node in map(program.flowchart.nodes.__getitem__, chart.nodes)
        )
    )
