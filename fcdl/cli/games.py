"""`fcdl games`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fcdl.cli.common import json_option, print_json
from fcdl.cli.tables import console, table

if TYPE_CHECKING:
    from fcdl.language.catalogue import Entry
    from fcdl.language.flowchart import Flowchart, Option

WIDE = 160
"""Tags are listed in terminals of at least so many columns."""


@click.command("games")
@click.argument("words", nargs=-1)
@json_option
def command(words: tuple[str, ...], as_json: bool) -> None:
    """List the built-in games by genre, each with its rules in one line.

    WORDS are looked for in names, genres, tags and rules: `fcdl games partners bidding`.
    """
    from fcdl.language.catalogue import catalogue
    from fcdl.language.load import load_flowchart

    found = [entry for entry in catalogue() if entry.fits(" ".join(words))]
    if not found:
        raise click.ClickException(f"no game fits '{' '.join(words)}'; `fcdl games` lists all")
    if as_json:
        print_json([_describe(entry.name, load_flowchart(entry.name)) for entry in sorted(found, key=_name)])
    else:
        _print_list(found)


def _name(entry: Entry) -> str:
    return entry.name


def _describe(name: str, chart: Flowchart) -> dict[str, Any]:
    return {
        "name": name,
        "title": chart.title,
        "genre": chart.genre,
        "tags": list(chart.tags),
        "about": " ".join(chart.about),
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


def _print_list(entries: list[Entry]) -> None:
    from itertools import groupby

    from rich.text import Text

    screen = console()
    wide = screen.width >= WIDE
    listed = table("", ["game", "players", *(["tags"] if wide else []), "rules"], ())
    for column in listed.columns[:2]:
        column.no_wrap = True
    for genre, games in groupby(entries, key=lambda entry: entry.genre):
        listed.add_row(Text(genre, "bold"))
        for entry in games:
            low, high = entry.players
            seats = f"{low}" if low == high else f"{low} to {high}"
            tags = [", ".join(entry.tags)] if wide else []
            listed.add_row(f"  {entry.name}", seats, *tags, Text(entry.rules))
    screen.print(listed)
