"""A flowchart as DOT, for Graphviz."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fcdl.drawing import style
from fcdl.drawing.captions import fit
from fcdl.language.flowchart import Chart, Flowchart, Node, NodeKind
from fcdl.language.text import goal_text

_SHAPES = {
    NodeKind.START: "ellipse",
    NodeKind.END: "ellipse",
    NodeKind.STATEMENT: "box",
    NodeKind.CHOICE: "diamond",
    NodeKind.CALL: "record",
}
_ARROWS = {"next": "    n{} -> n{}", "yes": "    n{}:s -> n{} [label=yes]", "no": "    n{}:e -> n{} [label=no]"}


def write_dot(flowchart: Flowchart) -> str:
    """The text of a DOT file; each chart is a cluster."""
    return "\n".join(_lines(flowchart)) + "\n"


def _lines(flowchart: Flowchart) -> Iterator[str]:
    heading = "\n".join(filter(None, (flowchart.title, goal_text(flowchart.document))))
    yield "digraph {"
    yield f'  graph [label={_quote(heading)}, labelloc=t, fontsize=22, fontname="Helvetica", bgcolor=white]'
    yield f'  node [fontname="Helvetica", fontsize=12, style=filled, fillcolor=white, color="{style.INK}"]'
    yield f'  edge [fontname="Helvetica", fontsize=11, color="{style.LINE}", fontcolor="{style.LABEL}"]'
    for number, chart in enumerate(flowchart.charts.values()):
        yield f"  subgraph cluster_{number} {{"
        label = chart.name if len(flowchart.charts) > 1 else ""
        pen = "" if label else ', color="white"'
        yield f"    graph [label={_quote(label)}, labeljust=l, fontsize=15, style=rounded{pen}]"
        yield from _chart(flowchart, chart)
        yield "  }"
    yield "}"


def _chart(flowchart: Flowchart, chart: Chart) -> Iterator[str]:
    nodes = flowchart.drawn(chart.name)
    for node in nodes:
        dashes = ', style="filled,dashed"' if node.private else ""
        fill = style.fill_of(node)
        yield f'    n{node.number} [shape={_SHAPES[node.kind]}, label={_label(node)}, fillcolor="{fill}"{dashes}]'
    for node in nodes:
        yield from (_ARROWS[arrow].format(node.number, to) for arrow, to in node.arrows)


def _label(node: Node) -> str:
    lines = fit(node.kind, node.caption).lines
    if node.kind is NodeKind.CALL:
        return _quote("|" + re.sub(r"([{}|<>\\ ])", r"\\\1", " ".join(lines)) + "|", raw=True)
    return _quote("\n".join(lines))


def _quote(text: str, *, raw: bool = False) -> str:
    """A quoted string; `raw` keeps backslashes, which escape in labels."""
    if not raw:
        text = text.replace("\\", "\\\\").replace("\n", "\\n")
    return '"' + text.replace('"', '\\"') + '"'
