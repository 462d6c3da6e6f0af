"""`python -m tests.charts`: measures the charts of this folder and writes docs/charts.md.

It lives with the tests because it is for a checkout only: it writes into docs/.
"""

from __future__ import annotations

import time
from fnmatch import fnmatch

import click

from fcdl.cli.common import write_output
from tests.charts.corpus import NAMES
from tests.charts.measure import PAGE, PARTS, load_rows, measure, save_rows
from tests.charts.page import page


@click.command()
@click.argument("names", nargs=-1)
@click.option("--games", type=click.IntRange(1), default=16, show_default=True, help="Games of the searching player.")
@click.option("--seconds", type=float, default=8.0, show_default=True, help="Limit for worlds, and for those games.")
@click.option("--again", is_flag=True, help="Measure also what has been measured.")
@click.option("--part", "parts", multiple=True, type=click.Choice(PARTS), help="Measure only this part, again.")
@click.option("--page", "page_only", is_flag=True, help="Measure nothing, only write the page.")
def main(
    names: tuple[str, ...], games: int, seconds: float, again: bool, parts: tuple[str, ...], page_only: bool
) -> None:
    """Measure the charts whose NAMES match (all by default) and write docs/charts.md.

    Each chart is kept at once, so a run can be stopped at any time.
    """
    for name in NAMES:
        asked = not names or any(fnmatch(name, pattern) for pattern in names)
        known = load_rows().get(name, {})
        due = PARTS if again else parts or tuple(part for part in PARTS if part not in known)
        if page_only or not asked or not due:
            continue
        begun = time.monotonic()
        found = measure(name, games, seconds, due)
        save_rows(load_rows() | {name: load_rows().get(name, {}) | found})
        click.echo(f"{name}: {time.monotonic() - begun:.0f} s")
    rows = load_rows()
    if any(set(row) != set(PARTS) for row in rows.values()):
        raise click.ClickException("some charts are not measured in all parts; the page was not written")
    write_output(page(rows), PAGE)


if __name__ == "__main__":
    main()
