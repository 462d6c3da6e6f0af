"""Colours and fonts of pictures."""

from __future__ import annotations

from fcdl.language.flowchart import Node, NodeKind

FONTS = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
BACKGROUND = "#ffffff"
INK = "#1f2937"
LINE = "#475569"
LABEL = "#0f766e"
FRAME = "#94a3b8"
FRAME_FILL = "#f8fafc"
STROKE = 1.4
ARROW_LENGTH = 9
ARROW_WIDTH = 7
CORNER = 6
HOP = 5
"""The radius of the bow in which an arrow hops over another."""
CALL_BAR = 7
"""Distance of a sub-chart's inner lines from its sides."""

_FILLS = {
    NodeKind.START: "#dcfce7",
    NodeKind.END: "#dcfce7",
    NodeKind.STATEMENT: "#ffffff",
    NodeKind.CHOICE: "#fef3c7",
    NodeKind.CALL: "#ede9fe",
}
_DECISION = "#dbeafe"


def fill_of(node: Node) -> str:
    """The colour of a node: by kind, and decisions of players stand out."""
    return _DECISION if node.is_decision else _FILLS[node.kind]
