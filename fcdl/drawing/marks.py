"""Marks: text, areas and lines at places of a page; what stands beside the charts is made of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fcdl.drawing import style
from fcdl.drawing.captions import FONT_SIZE, LINE_HEIGHT, text_width, wrap
from fcdl.drawing.layout import Rect
from fcdl.drawing.shapes import Point, outline
from fcdl.language import tree
from fcdl.language.flowchart import Flowchart, Node, NodeKind
from fcdl.language.text import format_header

PANEL_TITLE_SIZE = 15
PADDING = 16
_HEAD = 38
_INDENT = 14
_PANEL_WIDTH = 340
_SAMPLE = 44, 24
"""The size of a shape of the legend."""
_BETWEEN_SAMPLES = 22
_RULES = (
    tree.Players, tree.Teams, tree.Wins, tree.Deck, tree.Order, tree.Table, tree.List, tree.Option, tree.Zone,
    tree.Variables, tree.Secret, tree.Define,
)  # fmt: skip
"""The header lines that are rules of the game."""


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text by the middle of its left side, or by its middle if it is `centred`."""

    at: Point
    text: str
    size: float = FONT_SIZE
    colour: str = style.INK
    centred: bool = False
    bold: bool = False

    def moved(self, dx: float, dy: float) -> Words:
        """The same elsewhere."""
        return replace(self, at=(self.at[0] + dx, self.at[1] + dy))


@dataclass(frozen=True, slots=True)
class Area:
    """A filled shape."""

    corners: tuple[Point, ...]
    fill: str
    stroke: str = style.INK
    dashed: bool = False

    def moved(self, dx: float, dy: float) -> Area:
        """The same elsewhere."""
        return replace(self, corners=tuple((x + dx, y + dy) for x, y in self.corners))


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line."""

    points: tuple[Point, ...]
    colour: str = style.LINE

    def moved(self, dx: float, dy: float) -> Stroke:
        """The same elsewhere."""
        return replace(self, points=tuple((x + dx, y + dy) for x, y in self.points))


Mark = Words | Area | Stroke


@dataclass(frozen=True, slots=True)
class Group:
    """Marks that belong together, from (0, 0) on unless they were moved."""

    name: str
    marks: tuple[Mark, ...]
    width: float
    height: float

    def moved(self, dx: float, dy: float) -> Group:
        """The same elsewhere."""
        return replace(self, marks=tuple(mark.moved(dx, dy) for mark in self.marks))


def frame(width: float, height: float) -> Area:
    """The frame of a panel."""
    corners = outline(NodeKind.STATEMENT, Rect(0, 0, width, height), corner=8)
    return Area(tuple(corners), style.FRAME_FILL, style.FRAME)


def definitions(flowchart: Flowchart) -> Group | None:
    """A panel with the rules that stand in no box: deck, zones, options, definitions; None if there are hardly any."""
    rules = [header for header in flowchart.document.header if isinstance(header, _RULES)]
    if all(isinstance(header, tree.Players) for header in rules):
        return None
    texts = map(format_header, rules)
    lines: list[tuple[float, str]] = []
    for text in texts:
        first, *others = wrap(text, _PANEL_WIDTH)
        lines += [(0.0, first), *((float(_INDENT), line) for line in others)]
    title = Words((PADDING, 20), "Definitions", PANEL_TITLE_SIZE, bold=True)
    widths = [indent + text_width(line) for indent, line in lines]
    width = 2 * PADDING + max(1.1 * text_width(title.text, title.size), *widths)
    height = _HEAD + len(lines) * LINE_HEIGHT + PADDING / 2
    marks: list[Mark] = [frame(width, height), title]
    for number, (indent, line) in enumerate(lines):
        marks.append(Words((PADDING + indent, _HEAD + (number + 0.5) * LINE_HEIGHT), line))
    return Group("definitions", tuple(marks), width, height)


_MEANINGS = (
    ("start, end", NodeKind.START, lambda node: node.kind in (NodeKind.START, NodeKind.END)),
    ("what happens", NodeKind.STATEMENT, lambda node: node.kind is NodeKind.STATEMENT and not node.is_decision),
    ("a player decides", NodeKind.STATEMENT, lambda node: node.is_decision),
    ("a question", NodeKind.CHOICE, lambda node: node.kind is NodeKind.CHOICE and not node.private),
    ("answered in secret", NodeKind.CHOICE, lambda node: node.kind is NodeKind.CHOICE and node.private),
    ("another chart", NodeKind.CALL, lambda node: node.kind is NodeKind.CALL),
)


def legend(flowchart: Flowchart, most: float) -> Group:
    """What the shapes that occur mean, in rows of at most this width."""
    marks: list[Mark] = []
    x = y = width = 0.0
    nodes = [node for name in flowchart.charts for node in flowchart.drawn(name)]
    for text, kind, fits in _MEANINGS:
        node = next((node for node in nodes if fits(node)), None)
        if node is None:
            continue
        room = _SAMPLE[0] + 8 + text_width(text)
        if x and x + room > most:
            x, y = 0.0, y + _SAMPLE[1] + 10
        marks += (mark.moved(x, y) for mark in _sample(kind, node))
        marks.append(Words((x + _SAMPLE[0] + 8, y + _SAMPLE[1] / 2), text))
        width = max(width, x + room)
        x += room + _BETWEEN_SAMPLES
    return Group("legend", tuple(marks), width, y + _SAMPLE[1])


def _sample(kind: NodeKind, node: Node) -> Iterator[Mark]:
    width, height = _SAMPLE
    yield Area(tuple(outline(kind, Rect(0, 0, width, height))), style.fill_of(node), dashed=node.private)
    if kind is NodeKind.CALL:
        for x in (5, width - 5):
            yield Stroke(((x, 0), (x, height)), style.INK)
