"""The debugger's panels as styled text; all can be read without colours, too."""

from __future__ import annotations

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text

from fcdl.language.diagnostics import printable
from fcdl.ui.debug.rows import Cell, Rows
from fcdl.ui.picture import Faces

SHOWN_EVENTS = 50

_CHANGED = Style(bold=True, color="dark_orange")


def node(rows: Rows) -> RenderableType:
    """The node that comes next, and the values that decide what it does."""
    faces = _faces(rows)
    lines = Table.grid()
    lines.add_column(overflow="fold")
    lines.add_row(Text(printable(rows.node()), "bold"))
    for part in rows.parts():
        line = Text.assemble((f"{part.text}  ", "dim"), faces.sentence(part.value))
        lines.add_row(Padding(line, (0, 0, 0, 2 * part.depth + 2)))
    return lines


def table(rows: Rows) -> RenderableType:
    """What lies where."""
    faces = _faces(rows)
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column(overflow="fold")
    for row in rows.table():
        grid.add_row(printable(row.name), _cell(row.cells[0], faces))
    return Group(_heading(f"table, {_whose(rows)}"), grid)


def values(rows: Rows) -> RenderableType:
    """All variables: side by side, and those of players with a column for each seat."""
    faces = _faces(rows)
    shared = Columns(
        [Text.assemble((f"{printable(row.name)} ", "dim"), _cell(row.cells[0], faces)) for row in rows.values()],
        padding=(0, 2),
    )
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_row("player", *(Text(str(seat), "dim") for seat in range(rows.debugger.game.players)))
    for row in rows.seat_values():
        grid.add_row(printable(row.name), *(_cell(cell, faces) for cell in row.cells))
    return Group(_heading(f"values, {_whose(rows)}"), shared, grid)


def events(rows: Rows) -> RenderableType:
    """The last events; a star marks those since the stop before."""
    faces, shown = _faces(rows), rows.events(SHOWN_EVENTS)
    old = len(shown) - len(rows.new_events())
    lines = [
        Text.assemble("  " if number < old else ("* ", _CHANGED), faces.sentence(line))
        for number, line in enumerate(shown)
    ]
    return Group(_heading("events"), *lines)


def _faces(rows: Rows) -> Faces:
    return Faces(rows.debugger.game)


def _whose(rows: Rows) -> str:
    return "all face up" if rows.seat is None else f"as player {rows.seat} sees it"


def _heading(text: str) -> Text:
    return Text(text, "dim underline")


def _cell(cell: Cell, faces: Faces) -> Text:
    """A value; a star marks one that has changed."""
    if not cell.changed:
        return faces.sentence(cell.text)
    return Text.assemble(("*", _CHANGED), faces.sentence(cell.text))
