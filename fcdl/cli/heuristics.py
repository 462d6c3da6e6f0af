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
    help="A page to read, facts for clingo, or JSON.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 3600),
    help="How long it may take.  [default: about 2 seconds' work]",
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
    """Derive from the rules of GAME what is worth doing: conditions and weights for every path through one cycle.

    What the method leaves out is noted on stderr, with the node. If it can derive nothing, the exit code is 1. A weight
    that is not a number is a term of the cards played.
    """
    from fcdl.heuristics import derive, describe, sentence
    from fcdl.heuristics.clock import WORK
    from fcdl.heuristics.terms import term_of

    derived = derive(make_game(game, players, settings), work=WORK if seconds is None else None, seconds=seconds)
    for note in derived.notes:
        click.echo(f"fcdl: note: {note}", err=True)
    weights = {
        heuristic.number: heuristic.weight
        if heuristic.weight is not None or heuristic.worth is None
        else str(term_of(heuristic.worth, derived.game))
        for heuristic in derived.heuristics
    }
    if form == "text":
        text = describe(derived)
    elif form == "asp":
        lines = []
        for heuristic in derived.heuristics:
            lines.append(f"% {sentence(derived, heuristic)}")
            lines.append(f"heuristic({heuristic.number},{weights[heuristic.number]}).")
            lines += [f"condition({heuristic.number},{condition})." for condition in heuristic.conditions]
        text = "\n".join(lines) + "\n"
    else:
        found = [
            {
                "id": heuristic.number,
                "weight": weights[heuristic.number],
                "conditions": [str(condition) for condition in heuristic.conditions],
                "sentence": sentence(derived, heuristic),
            }
            for heuristic in derived.heuristics
        ]
        text = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    write_output(text, output)
