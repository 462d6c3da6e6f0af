"""`fcdl replay`: plays records again and verifies them."""

from __future__ import annotations

from pathlib import Path

import click

from fcdl.cli.common import json_option, print_json
from fcdl.cli.options import engine_option

MOST_SHOWN = 10
"""More bad records than this are counted but not listed."""


@click.command("replay")
@click.argument("records", type=click.Path(path_type=Path))
@click.option("--game", help="The chart to use. Default: the built-in game that each record names.")
@engine_option
@json_option
@click.pass_context
def command(ctx: click.Context, records: Path, game: str | None, engine: str, as_json: bool) -> None:
    """Replay recorded games (JSON lines) and verify every event and score."""
    from fcdl.arena.replay import verify_records
    from fcdl.language.diagnostics import printable

    rows: list[dict[str, object]] = []
    for line_number, error in verify_records(records, game, engine):
        rows.append({"line": line_number, "ok": error is None, "error": error})
        told = sum(not row["ok"] for row in rows)
        if error is not None and not as_json and told <= MOST_SHOWN:
            click.echo(f"{records}:{line_number}: {printable(str(error))}", err=True)
    bad = sum(not row["ok"] for row in rows)
    if bad > MOST_SHOWN and not as_json:
        click.echo(f"... and {bad - MOST_SHOWN} more (--json lists all)", err=True)
    if as_json:
        print_json(rows)
    else:
        click.echo(f"{len(rows) - bad} of {len(rows)} records replayed exactly")
    if bad or not rows:
        if not rows:
            click.echo(f"{records}: no records", err=True)
        ctx.exit(1)
