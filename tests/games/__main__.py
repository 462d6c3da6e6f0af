"""`python -m tests.games`: measures the built-in games and writes docs/games.md with its plots.

It lives with the tests because it is for a checkout only: it writes into docs/.
"""

from __future__ import annotations

import time
from fnmatch import fnmatch

import click

from fcdl.language.load import builtin_names
from tests.games.figures import PARTS, due, keep, load_rows
from tests.games.page import write_page


@click.command()
@click.argument("names", nargs=-1)
@click.option("--part", "parts", multiple=True, type=click.Choice(list(PARTS)), help="Measure only this part.")
@click.option("--again", is_flag=True, help="Measure also what has been measured.")
@click.option("--page", "page_only", is_flag=True, help="Measure nothing, only write the page.")
def main(names: tuple[str, ...], parts: tuple[str, ...], again: bool, page_only: bool) -> None:
    """Measure the games whose NAMES match (all by default), as far as they are new or changed, and write the page.

    Each part of each game is kept at once, so a run can be stopped at any time.
    """
    for name in [] if page_only else builtin_names():
        if names and not any(fnmatch(name, pattern) for pattern in names):
            continue
        for part in due(load_rows().get(name, {}), name, again, parts):
            begun = time.monotonic()
            keep(name, part, PARTS[part](name))
            click.echo(f"{name}: {part}, {time.monotonic() - begun:.0f} s", err=True)
    write_page(load_rows())


if __name__ == "__main__":
    main()
