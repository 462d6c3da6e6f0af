"""`fcdl games`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fcdl.cli.common import json_option, print_json, table_console

if TYPE_CHECKING:
    from fcdl.language.flowchart import Flowchart, Option


@click.command("games")
@json_option
def command(as_json: bool) -> None:
    """List the built-in games: name, title, number of players, options, nodes."""
    from fcdl.language.load import builtin_names, load_flowchart

    charts = {name: load_flowchart(name) for name in builtin_names()}
    if as_json:
        print_json([_describe(name, chart) for name, chart in charts.items()])
    else:
        _print_table(charts)


def _describe(name: str, chart: Flowchart) -> dict[str, Any]:
    return {
        "name": name,
        "title": chart.title,
        "players": list(chart.players),
        "options": [_describe_option(option, chart) for option in chart.options.values()],
        "nodes": chart.size,
    }


def _describe_option(option: Option, chart: Flowchart) -> dict[str, Any]:
    described: dict[str, Any] = {"name": option.name, "type": str(option.type), "default": _default(option, chart)}
    if option.words:
        described["values"] = list(option.words)
    elif option.type == "int":
        described["range"] = [option.low, option.high]
    return {**described, "text": option.text}


def _default(option: Option, chart: Flowchart) -> int | bool | str:
    if option.words:
        return chart.words[option.default]
    return bool(option.default) if option.type == "bool" else option.default


def _print_table(charts: dict[str, Flowchart]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table("game", "title", "players", "options", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("nodes", justify="right")
    for name, chart in charts.items():
        low, high = chart.players
        options = ", ".join(chart.options) or "-"
        table.add_row(name, chart.title, str(low) if low == high else f"{low}-{high}", options, str(chart.size))
    table_console().print(table)
