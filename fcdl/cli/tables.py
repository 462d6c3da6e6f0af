"""The one style of tables that commands print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

LONG_NAME = 20
"""Names of agents that are longer are broken after a comma."""


def console() -> Console:
    """Where tables are printed; wide, if it is no terminal, so that names stay whole."""
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 200
    return console


def table(title: str, words: Sequence[str], figures: Sequence[str], more: Sequence[str] = ()) -> Table:
    """A table: columns of words, of figures, and again of words; lines are broken between words, figures never."""
    from rich import box
    from rich.table import Table

    made = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    made.show_edge = made.pad_edge = False
    for column in words:
        made.add_column(column, overflow="fold")
    for column in figures:
        made.add_column(column, justify="right", no_wrap=True)
    for column in more:
        made.add_column(column, overflow="fold")
    return made


def broken(name: str) -> str:
    """The name of an agent, in lines of a bearable length: long ones are broken after commas and the colon."""
    lines = [""]
    for part in name.replace(",", ",\n").replace(":", ":\n", 1).split("\n"):
        if lines[-1] and len(lines[-1]) + len(part) > LONG_NAME:
            lines.append("  ")
        lines[-1] += part
    return "\n".join(lines)
