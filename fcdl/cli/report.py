"""`fcdl report`: a page with plots, from the rows of a run."""

from __future__ import annotations

from pathlib import Path

import click

from fcdl.cli.common import check_output, output_option, write_output


@click.command("report")
@click.argument("rows", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@output_option
def command(rows: Path, output: Path | None) -> None:
    """Make a page with plots of the ROWS that --rows wrote: win rates, ratings, scores, seats.

    The page is one HTML file that needs nothing else. If the run's manifest is beside the rows, the page says what was
    played.
    """
    from fcdl.arena.report import read_rows, report
    from fcdl.arena.rows import RowsError
    from fcdl.cli.runs import read_manifest

    check_output(output)
    found = read_rows(rows)
    if not found:
        raise RowsError(f"{rows}: there are no games in it")
    beside = rows.with_name(f"{rows.name}.manifest.json")
    manifest = read_manifest(beside).json() if beside.exists() else None
    write_output(
        report(found, manifest["game"].replace("_", " ").capitalize() if manifest else rows.stem, manifest), output
    )
