"""Where nodes stand: places for a drawing that has none yet, and the order in which a chart is best read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from fcdl.language import tree

COLUMN, ROW = 400, 200
"""The distances in the drawings of the thesis."""
_TRIED_COLUMNS = 20


def runs(chart: tree.Chart) -> Iterator[tuple[int | None, list[tree.Node]]]:
    """The chart as a reader follows it: runs of nodes along `next` and `yes`, each with the node that leads to it.

    What an inner diamond leads to comes before what an outer one leads to; what nothing leads to comes last.
    """
    nodes = {node.number: node for node in chart.nodes}
    starts = [node.number for node in chart.nodes if isinstance(node.body, tree.Start)]
    pending: list[tuple[int | None, int]] = [(None, number) for number in (*reversed(nodes), *reversed(starts))]
    seen: set[int] = set()
    while pending:
        origin, first = pending.pop()
        run: list[tree.Node] = []
        following: int | None = first
        while following in nodes and following not in seen:
            node = nodes[following]
            seen.add(following)
            run.append(node)
            pending.extend((following, to) for to in (*reversed(node.extra), node.no) if to is not None)
            following = node.next if node.next is not None else node.yes
        if run:
            yield origin, run


def in_reading_order(document: tree.Document) -> tree.Document:
    """The same document for a person to read: a chart in which few nodes lead to the next one is put in order.

    Facts come in any order, those of the thesis from the end to the start. What somebody has written stays as it is.
    """
    charts = (chart if _reads_well(chart) else _in_flow_order(chart) for chart in document.charts)
    return replace(document, charts=tuple(charts))


def _reads_well(chart: tree.Chart) -> bool:
    pairs = list(pairwise(chart.nodes))
    return sum(after.number in (node.next, node.yes, node.no) for node, after in pairs) * 2 >= len(pairs)


def _in_flow_order(chart: tree.Chart) -> tree.Chart:
    return replace(chart, nodes=tuple(node for _, run in runs(chart) for node in run))


def placed(document: tree.Document) -> dict[int, tuple[int, int]]:
    """A place for every node: its own, or else one to the right of everything that has one, in the thesis's grid."""
    places = {
        node.number: node.position for chart in document.charts for node in chart.nodes if node.position is not None
    }
    left = max((x for x, _ in places.values()), default=-COLUMN) + COLUMN
    for chart in document.charts:
        if all(node.position is not None for node in chart.nodes):
            continue
        grid = _Grid()
        for origin, run in runs(chart):
            grid.add(origin, run)
        for number, (column, row) in grid.cells.items():
            places.setdefault(number, (left + column * COLUMN, row * ROW))
        left += len(grid.columns) * COLUMN
    return places


@dataclass(slots=True)
class _Grid:
    """Cells for the nodes of one chart; `columns` has a bit for every row that is taken."""

    cells: dict[int, tuple[int, int]] = field(default_factory=dict)
    columns: list[int] = field(default_factory=list)

    def add(self, origin: int | None, run: list[tree.Node]) -> None:
        """Puts a run of nodes beneath each other, to the right of the node that leads to it."""
        before, row = self.cells[origin] if origin is not None else (-1, 0)
        rows = ((1 << len(run)) - 1) << row
        column = self._free_column(before + 1, rows)
        self.columns[column] |= rows
        for index, node in enumerate(run):
            self.cells[node.number] = (column, row + index)

    def _free_column(self, first: int, rows: int) -> int:
        for column in range(first, min(first + _TRIED_COLUMNS, len(self.columns))):
            if not self.columns[column] & rows:
                return column
        self.columns.append(0)
        return len(self.columns) - 1
