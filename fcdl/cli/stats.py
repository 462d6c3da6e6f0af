"""`fcdl stats`: a person's own results."""

from __future__ import annotations

from pathlib import Path

import click

from fcdl.cli.arena import interval, percent
from fcdl.cli.common import json_option, print_json
from fcdl.cli.tables import console, table


@click.command("stats")
@click.argument("records", required=False, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@json_option
def command(records: Path | None, as_json: bool) -> None:
    """Sum up the games you have finished (fcdl play keeps them), or those in a file of RECORDS.

    Games of charts that have changed since, or are not built in, count as played; who won them is not known.
    """
    from fcdl.ui.statistics import standings
    from fcdl.ui.store import records_file

    rows = [standing.summary() for standing in standings(records or records_file())]
    if as_json:
        print_json(rows)
        return
    if not rows:
        click.echo("You have not finished a game yet.")
        return
    figures = ("games", "won %", "95 %", "your score", "best", "their score")
    shown = table(f"{sum(row['games'] for row in rows)} games", ("game", "against"), figures)
    for row in rows:
        known = row["win_rate"] is not None
        won = (percent(row["win_rate"]), interval(row["wilson"])) if known else ("?", "")
        scores = (f"{row['mean_score']:.1f}", str(row["best_score"]), f"{row['others_mean_score']:.1f}")
        shown.add_row(row["game"], row["opponents"], str(row["games"]), *won, *scores)
    console().print(shown)
