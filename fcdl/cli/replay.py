"""`fcdl replay`: plays records again and verifies them."""

from __future__ import annotations

from pathlib import Path

import click

from fcdl.cli.common import json_option, print_json
from fcdl.cli.options import engine_option

MOST_TOLD = 10
"""More bad records than this are counted, not told one by one."""


@click.command("replay")
@click.argument("records", type=click.Path(path_type=Path))
@click.option("--game", help="The chart to use; otherwise the built-in game that each record names.")
@engine_option
@json_option
@click.pass_context
def command(ctx: click.Context, records: Path, game: str | None, engine: str, as_json: bool) -> None:
    """Play records (JSON lines) again and verify every event and score."""
    from fcdl.arena.replay import verify_records

    rows: list[dict[str, object]] = []
    for line_number, error in verify_records(records, game, engine):
        rows.append({"line": line_number, "ok": error is None, "error": error})
        told = sum(not row["ok"] for row in rows)
        if error is not None and not as_json and told <= MOST_TOLD:
            click.echo(f"{records}:{line_number}: {error}", err=True)
    bad = sum(not row["ok"] for row in rows)
    if bad > MOST_TOLD and not as_json:
        click.echo(f"... and {bad - MOST_TOLD} more (--json lists all)", err=True)
    if as_json:
        print_json(rows)
    else:
        click.echo(f"{len(rows) - bad} of {len(rows)} records replayed exactly")
    if bad or not rows:
        if not rows:
            click.echo(f"{records}: no records", err=True)
        ctx.exit(1)
