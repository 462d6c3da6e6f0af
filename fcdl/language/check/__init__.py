"""The checker: what is wrong with a chart before anyone plays it."""

from __future__ import annotations

from fcdl.language import tree
from fcdl.language.diagnostics import Findings
from fcdl.language.flowchart import Flowchart


def check_structure(document: tree.Document, findings: Findings) -> None:
    """Reports charts, terminals and connections that are missing, doubled or lead nowhere."""
    if not document.charts:
        findings.error("no-chart", "the file has no chart")


def check_flow(flowchart: Flowchart, findings: Findings) -> None:
    """Reports what can go wrong along the paths of a chart whose names and types are fine."""
