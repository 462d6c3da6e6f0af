"""`fcdl heuristics`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from fcdl.cli.common import game_argument, output_option, write_output
from fcdl.cli.options import make_game, players_option, set_option


@click.command("heuristics")
@game_argument
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "asp", "json"]),
    default="text",
    show_default=True,
    help="Text to read, facts for clingo, or JSON.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 3600),
    help="Time limit.  [default: about 2 seconds of work]",
)
@players_option
@set_option
@output_option
def command(
    game: str,
    form: str,
    seconds: float | None,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    output: Path | None,
) -> None:
    """Work out from the rules of GAME what is worth doing: conditions and weights for every path through one cycle.

    Notes on stderr say what was left out, and at which node. The exit code is 1 if nothing could be derived. A weight
    that is not a number is a formula of the cards played.
    """
    derived = make_game(game, players, settings).heuristics(seconds)
    for note in derived.notes:
        click.echo(f"fcdl: note: {note}", err=True)
    if form == "text":
        text = str(derived)
    elif form == "asp":
        lines = []
        for row in derived.rows():
            lines.append(f"% {row['sentence']}")
            lines.append(f"heuristic({row['id']},{row['weight']}).")
            lines += [f"condition({row['id']},{condition})." for condition in row["conditions"]]
        text = "\n".join(lines) + "\n"
    else:
        text = json.dumps(derived.rows(), indent=2, ensure_ascii=False) + "\n"
    write_output(text, output)
