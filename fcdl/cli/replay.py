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
@click.option("--text", "as_text", is_flag=True, help="Tell the games move by move instead, all cards face up.")
@click.option("--line", type=click.IntRange(1), help="With --text: only this record.")
@click.option("--view", type=click.IntRange(0), help="With --text: as this seat saw it.")
@engine_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    records: Path,
    game: str | None,
    as_text: bool,
    line: int | None,
    view: int | None,
    engine: str,
    as_json: bool,
) -> None:
    """Replay recorded games (JSON lines) and verify every event and score, or tell them (--text)."""
    if as_text:
        _tell(records, line, view, game, engine)
        return
    if line is not None or view is not None:
        raise click.UsageError("--line and --view need --text")
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


def _tell(path: Path, line: int | None, seat: int | None, chart: str | None, engine: str) -> None:
    """A log of each game: what happened, then the scores."""
    from fcdl.arena.replay import numbered_record, read_records
    from fcdl.ui.replay import Replay

    numbers = range(1, 1 + sum(1 for _ in read_records(path))) if line is None else [line]
    for number in numbers:
        record, player = numbered_record(path, number, chart, engine)
        if seat is not None and seat >= record.players:
            raise click.UsageError(f"seats are numbered 0 to {record.players - 1}")
        told = Replay(player, record.chance, record.moves, record.agents)
        names = "/".join(record.agents) or f"{record.players} players"
        click.echo(f"{record.game}, {names}" + (f", seed {record.seed}" if record.seed is not None else ""))
        for text in told.view(len(record.moves), seat).log:
            click.echo(f"  {text}")
        if record.broken_off:
            click.echo(f"  ({record.reason})")
