"""What can be said along the paths of a chart although some of its lines have errors.

Those lines are taken to do nothing, or to ask something that nobody knows; what is then found is reported only where it
cannot be due to that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fcdl.language import tree
from fcdl.language.check.structure import check_structure
from fcdl.language.diagnostics import Finding, Findings, Severity
from fcdl.language.flow import reachable, through_calls
from fcdl.language.flowchart import Flowchart

_OF_ONE_LINE = frozenset(
    {
        "idle-diamond", "same-zone", "no-matching-card", "out-of-range", "shows-hidden", "not-together",
        "needless-public", "many-sets", "slow", "hard-to-guess", "moves-tell", "reveals",
    }
)  # fmt: skip
"""What a line is told for its own sake, whatever the others do."""
_OF_A_PATH = frozenset(
    {
        "unassigned", "empty-zone", "unshuffled", "too-many-cards", "too-few-left", "no-legal-move", "perhaps-no-move",
        "endless-loop", "fixed-diamond",
    }
)  # fmt: skip
"""What depends on the lines before."""
_UNKNOWN = tree.Choice(tree.Call("empty", (tree.Call("hand", (tree.Call("player", (tree.Number(0),)),)),)))
_NOTHING = tree.Action("publish", (tree.Text(""),))
_VALUES: tuple[tree.Expression, ...] = (tree.Name("none"), tree.Number(0))
"""Values for what a faulty line sets: one of them has the right type, or nobody can tell."""


def check_rest(document: tree.Document, findings: Findings) -> None:
    """Adds what does not depend on the lines with errors; nothing, if the header or whole charts are at fault."""
    faulty = set(_faulty(document, findings))
    if None in faulty or any(item.code == "too-large" for item in findings.items):
        return
    stuck = {item.node for item in findings.items if item.code == "no-way-to-end"}
    for value in _VALUES:
        flowchart = _repaired(document, faulty, stuck, value)
        if flowchart is not None:
            from fcdl.language.check import check_flow

            found = Findings()
            check_flow(flowchart, found)
            findings.items += _independent(flowchart, faulty, found)
            return


def _faulty(document: tree.Document, findings: Findings) -> Iterator[int | None]:
    """The nodes with errors; None stands for an error that is not in a node."""
    at_line = {
        line: node.number
        for chart in document.charts
        for node in chart.nodes
        for line in range(node.span.line, node.span.end_line + 1)
    }
    for item in findings.items:
        if item.severity is Severity.ERROR:
            yield item.node if item.node is not None else at_line.get(item.span.line if item.span else 0)


def _repaired(
    document: tree.Document, faulty: set[int | None], stuck: set[int | None], value: tree.Expression
) -> Flowchart | None:
    """The chart with other lines in the place of faulty ones; None if that does not help."""
    from fcdl.language.resolve import resolve

    charts = []
    for chart in document.charts:
        own = {node.number for node in chart.nodes}
        end = next((node.number for node in chart.nodes if isinstance(node.body, tree.End)), None)
        nodes = []
        for node in chart.nodes:
            known = own if node.number not in stuck else set()
            nodes.append(_repaired_node(node, known, end, value) if node.number in faulty else node)
        charts.append(replace(chart, nodes=tuple(nodes)))
    whole, found = replace(document, charts=tuple(charts)), Findings(hints=False)
    check_structure(whole, found)
    return resolve(whole, found) if not found.has_errors else None


def _repaired_node(node: tree.Node, own: set[int], end: int | None, value: tree.Expression) -> tree.Node:
    match node.body:
        case tree.Start() | tree.End():
            return node
        case tree.Choice() | tree.Broken(choice=True):
            body: tree.Body = _UNKNOWN
        case tree.Assign(target=target):
            body = tree.Assign(target, value)
        case _:
            body = _NOTHING
    kinds = tree.arrow_kinds(body)
    following, yes, no = (
        (to if to in own else end) if kind in kinds else None
        for kind, to in (("next", node.next), ("yes", node.yes), ("no", node.no))
    )
    return replace(node, body=body, next=following, yes=yes, no=no, extra=())


def _independent(flowchart: Flowchart, faulty: set[int | None], found: Findings) -> Iterator[Finding]:
    behind = reachable([number for number in faulty if number is not None], through_calls(flowchart))
    for item in found.items:
        own = item.node is not None and item.node not in faulty
        if own and (item.code in _OF_ONE_LINE or (item.code in _OF_A_PATH and item.node not in behind)):
            yield item
