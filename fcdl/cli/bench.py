"""`fcdl bench`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fcdl.cli.common import json_option, print_json

if TYPE_CHECKING:
    from fcdl.arena.bench import Row


@click.command("bench")
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--peer", type=click.Choice(["open_spiel"]), help="Also measure OpenSpiel, where it has the same game.")
@click.option(
    "--repetitions", type=click.IntRange(1), default=5, show_default=True, help="How often to repeat each measurement."
)
@click.option(
    "--engine", type=click.Choice(["native", "compiled", "interpreter", "asp"]), help="Measure only this engine."
)
@json_option
def command(games: tuple[str, ...], peer: str | None, repetitions: int, engine: str | None, as_json: bool) -> None:
    """Measure the engines: playouts, moves made from Python, threads, ASP, `import fcdl`. Default: all built-in games.

    Figures are medians, with the spread of the repetitions. With --peer the two sides take turns in one run.
    """
    from importlib.util import find_spec

    from fcdl.errors import FcdlError

    if find_spec("fcdl.engines.native._engine") is None:
        if engine not in (None, "asp"):
            raise FcdlError("the native engine is not available (there was no C compiler at installation)")
        engine = "asp"
    if peer is not None and find_spec("pyspiel") is None:
        raise FcdlError("OpenSpiel is not installed (pip install open_spiel)")
    from itertools import chain

    from fcdl.api.bench import bench_api
    from fcdl.arena.bench import bench
    from fcdl.language.load import builtin_names

    rows: list[Row] = []
    for game in games or builtin_names():
        by_engine = bench(game, engine=engine, peer=peer is not None, repetitions=repetitions)
        by_api = bench_api(game, peer=peer is not None, repetitions=repetitions) if engine != "asp" else ()
        for row in chain(by_engine, by_api):
            rows.append(row)
            if not as_json:
                click.echo(_line(row))
    if as_json:
        print_json([row.as_dict() for row in rows])


def _line(row: Row) -> str:
    """One row of the table."""
    beside = "" if row.peer is None else f"{_number(row.peer):>12} {row.ratio:>8.2f} ×"
    ours = f"{_number(row.ours):>12} ±{row.spread / 2:>4.0%}"
    return f"{row.game:<16} {row.measure:<24} {row.unit:<13} {ours} {beside}".rstrip()


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"
