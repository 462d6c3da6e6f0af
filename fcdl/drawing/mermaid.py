"""A flowchart as Mermaid, which GitHub draws in Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterator

from fcdl.drawing import style
from fcdl.drawing.captions import fit
from fcdl.language.flowchart import Chart, Flowchart, Node, NodeKind
from fcdl.language.text import goal_text

_BRACKETS = {
    NodeKind.START: ("([", "])"),
    NodeKind.END: ("([", "])"),
    NodeKind.STATEMENT: ("[", "]"),
    NodeKind.CHOICE: ("{", "}"),
    NodeKind.CALL: ("[[", "]]"),
}
_ARROWS = {"next": "    n{} --> n{}", "yes": "    n{} -->|yes| n{}", "no": "    n{} -->|no| n{}"}
_PLAIN = frozenset(" ()+-*/%=!,.:'_?")


def write_mermaid(flowchart: Flowchart) -> str:
    """The text of a Mermaid file; each chart is a subgraph if there are several."""
    return "\n".join(_lines(flowchart)) + "\n"


def _lines(flowchart: Flowchart) -> Iterator[str]:
    heading = " · ".join(filter(None, (flowchart.title, goal_text(flowchart.document))))
    if heading:
        yield "---"
        yield "title: " + json.dumps(heading).replace("<", "\\u003c").replace(">", "\\u003e")
        yield "---"
    yield "flowchart TD"
    for number, chart in enumerate(flowchart.charts.values()):
        if len(flowchart.charts) > 1:
            yield f'  subgraph c{number}["{_escape(chart.name)}"]'
        yield from _chart(flowchart, chart)
        if len(flowchart.charts) > 1:
            yield "  end"
    yield from _colours(flowchart)


def _chart(flowchart: Flowchart, chart: Chart) -> Iterator[str]:
    nodes = flowchart.drawn(chart.name)
    for node in nodes:
        left, right = _BRACKETS[node.kind]
        caption = "<br/>".join(_escape(line) for line in fit(node.kind, node.caption).lines)
        yield f'    n{node.number}{left}"{caption}"{right}'
    for node in nodes:
        yield from (_ARROWS[arrow].format(node.number, to) for arrow, to in node.arrows)


def _colours(flowchart: Flowchart) -> Iterator[str]:
    """Class definitions for the colours that occur, and the nodes that have them."""
    groups: dict[tuple[str, bool], list[Node]] = {}
    for node in (node for name in flowchart.charts for node in flowchart.drawn(name)):
        groups.setdefault((style.fill_of(node), node.private), []).append(node)
    for number, ((fill, private), nodes) in enumerate(sorted(groups.items())):
        dashes = ",stroke-dasharray:5 3" if private else ""
        yield f"  classDef k{number} fill:{fill},stroke:{style.INK},color:{style.INK}{dashes}"
        yield f"  class {','.join(f'n{node.number}' for node in nodes)} k{number}"


def _escape(text: str) -> str:
    """Text for a quoted label: everything that Mermaid or Markdown might take for markup becomes an entity."""
    return "".join(char if (char.isalnum() and char.isascii()) or char in _PLAIN else f"#{ord(char)};" for char in text)
