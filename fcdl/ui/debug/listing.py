"""A chart as lines of text: one for each node, with the arrows that do not lead to the next line drawn at the left."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text

from fcdl.language.diagnostics import printable
from fcdl.language.flowchart import Flowchart, Node, NodeKind

MAX_LANES = 7
"""Arrows side by side; those for which there is no room are only named."""

_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_LINES = " ╵╷│╴╯╮┤╶╰╭├─┴┬┼"
"""Signs by the directions in which they go."""
_LIT = Style(bold=True, color="dark_orange")
_DIM = Style(dim=True)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the listing: a node, or (without one) the heading of a chart or a label."""

    text: str
    node: Node | None = None


@dataclass(frozen=True, slots=True)
class _Lane:
    """All arrows to one row, side by side with others."""

    column: int
    target: int
    sources: tuple[int, ...]

    @property
    def rows(self) -> range:
        """From the first to the last row that it touches."""
        ends = (self.target, *self.sources)
        return range(min(ends), max(ends) + 1)


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked in a listing: where the game stands and came from, a cursor, breakpoints, a fault."""

    current: int
    previous: int | None
    cursor: int
    breakpoints: Collection[int]
    conditional: Collection[int]
    fault: bool


class Listing:
    """The lines of all charts of a game."""

    def __init__(self, flowchart: Flowchart) -> None:
        self.rows: list[Row] = []
        self.row_of: dict[int, int] = {}
        for chart in flowchart.charts.values():
            self.rows.append(Row(f"chart {chart.name}"))
            for node in flowchart.drawn(chart.name):
                if node.label is not None and not node.label.isdigit():
                    self.rows.append(Row(f"{node.label}:"))
                self.row_of[node.number] = len(self.rows)
                self.rows.append(Row(_caption(node), node))
        self._digits = len(str(max(self.row_of)))
        self._lanes = self._place_lanes()
        self._columns = max((lane.column for lane in self._lanes), default=-1) + 1
        self._at: dict[int, list[_Lane]] = {}
        for lane in self._lanes:
            for row in lane.rows:
                self._at.setdefault(row, []).append(lane)
        self.row_of |= {node.number: self.row_of[node.box] for node in flowchart.nodes.values() if node.box is not None}

    def _place_lanes(self) -> list[_Lane]:
        """Gives the arrows to each node a column, short ones near the nodes; not all find room."""
        sources: dict[int, list[int]] = {}
        for number, row in self.row_of.items():
            node = self.rows[row].node
            assert node is not None
            for target in set(node.successors):
                if target != self._below(number):
                    sources.setdefault(self.row_of[target], []).append(row)
        lanes: list[_Lane] = []
        used: list[set[int]] = [set() for _ in range(MAX_LANES)]
        wanted = [_Lane(0, target, tuple(rows)) for target, rows in sources.items()]
        for lane in sorted(wanted, key=lambda lane: (len(lane.rows), lane.target)):
            for column, taken in enumerate(used):
                if taken.isdisjoint(lane.rows):
                    taken.update(lane.rows)
                    lanes.append(_Lane(column, lane.target, lane.sources))
                    break
        return lanes

    def _below(self, number: int) -> int | None:
        """The node in the next line, if it is of the same chart."""
        row, node = self.row_of[number] + 1, self.rows[self.row_of[number]].node
        while row < len(self.rows) and self.rows[row].node is None:
            row += 1
        below = self.rows[row].node if row < len(self.rows) else None
        return below.number if below is not None and node is not None and below.chart == node.chart else None

    @property
    def margin(self) -> int:
        """The columns before the number of a node: arrows and marks."""
        return self._columns + 3

    def line(self, row: int, width: int, marks: Marks) -> Text:
        """One line, cut to a width."""
        entry = self.rows[row]
        text = self._arrows(row, marks)
        node = entry.node
        if node is None:
            is_chart = entry.text.startswith("chart ")
            text.append(" " if is_chart else "   ").append(entry.text, "bold underline" if is_chart else "italic")
        else:
            here = node.number == marks.current
            mark = ("◆" if node.number in marks.conditional else "●") if node.number in marks.breakpoints else " "
            text.append(mark, "bold red")
            text.append("▶" if here else " ", "bold red" if marks.fault else "bold green")
            jumps = self._jumps(node)
            caption = Text(f"{node.number:>{self._digits}} {_SIGNS[node.kind]} {entry.text}")
            caption.truncate(max(10, width - len(text) - len(jumps)), overflow="ellipsis")
            if here:
                caption.stylize(Style(reverse=True, bold=True, color="red" if marks.fault else "green"))
            elif node.is_decision:
                caption.stylize("bold")
            text.append_text(caption)
            text.append(jumps, _DIM)
        text.truncate(width, overflow="ellipsis", pad=True)
        if node is not None and node.number == marks.cursor:
            text.stylize("underline", self.margin)
        return text

    def _jumps(self, node: Node) -> str:
        """Where the arrows lead that do not go to the next line."""
        below = self._below(node.number)
        if node.kind is NodeKind.CHOICE:
            arrows = [(word, to) for word, to in (("yes", node.yes), ("no", node.no)) if to != below]
            return "".join(f" {word}→{to}" for word, to in arrows)
        return f" →{node.next}" if node.next not in (None, below) else ""

    def _arrows(self, row: int, marks: Marks) -> Text:
        """The part at the left with the arrows."""
        cells = [0] * (self._columns + 1)
        lit = [False] * (self._columns + 1)
        for lane in self._at.get(row, ()):
            place = self._columns - 1 - lane.column
            taken = self._taken(lane, marks)
            if row > lane.rows[0]:
                cells[place] |= _UP
            if row < lane.rows[-1]:
                cells[place] |= _DOWN
            lit[place] |= row in taken
            if row == lane.target or row in lane.sources:
                cells[place] |= _RIGHT
                for other in range(place + 1, self._columns + 1):
                    cells[other] |= _LEFT | _RIGHT
                    lit[other] |= len(taken) > 0 and row in (taken[0], taken[-1])
        text = Text()
        for sign, is_lit in zip(cells, lit, strict=True):
            text.append(_LINES[sign], _LIT if is_lit else _DIM)
        if any(lane.target == row for lane in self._at.get(row, ())):
            text.right_crop(1)
            text.append("▸", _LIT if lit[-1] else _DIM)
        return text

    def _taken(self, lane: _Lane, marks: Marks) -> range:
        """The rows of the arrow that the game took last, if it is one of this lane."""
        source = self.row_of.get(marks.previous) if marks.previous is not None else None
        if source is None or source not in lane.sources or self.row_of.get(marks.current) != lane.target:
            return range(0)
        return range(min(source, lane.target), max(source, lane.target) + 1)


_SIGNS = {
    NodeKind.START: "○",
    NodeKind.END: "○",
    NodeKind.STATEMENT: "□",
    NodeKind.CHOICE: "◇",
    NodeKind.CALL: "▣",
}


def _caption(node: Node) -> str:
    return printable(" ".join(node.caption.split())) + ("?" if node.kind is NodeKind.CHOICE else "")
