"""`fcdl heuristics`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcdl.cli.common import game_argument, json_option, output_option, write_output
from fcdl.cli.options import make_game, new_seed, players_option, seed_option, set_option
from fcdl.errors import FcdlError

if TYPE_CHECKING:
    from fcdl.heuristics.derive import Heuristics
    from fcdl.model.game import Game

_PICTURES = ("svg", "png")


@click.command("heuristics")
@game_argument
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "asp", "json", *_PICTURES]),
    help="Text to read, facts for clingo, JSON, or a picture of the paths and what they are worth. "
    "Default: text, or what the ending of -o says.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 3600),
    help="Time limit.  [default: about 2 seconds of work; 15 with --measured]",
)
@click.option("--measured", is_flag=True, help="Play the game and report which moves change the result.")
@click.option(
    "--decisions",
    type=click.IntRange(40, 100_000),
    default=2000,
    show_default=True,
    help="With --measured: how many decisions to look at, for each kind of decision.",
)
@seed_option
@json_option
@players_option
@set_option
@output_option
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    form: str | None,
    seconds: float | None,
    measured: bool,
    decisions: int,
    seed: str | None,
    as_json: bool,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    output: Path | None,
) -> None:
    """Work out from the rules of GAME what is worth doing: conditions and weights for every path through one cycle.

    Notes on stderr say what was left out, and at which node. The exit code is 1 if nothing could be derived. A weight
    that is not a number is a formula of the cards played.

    --measured plays the game instead and reports which kinds of moves change the result, in the words of the chart.
    The same --seed and --decisions give the same report, unless time runs out. Ctrl-C stops and prints what was found.
    """
    from fcdl.language.loops import NoDecisionError, OutsideError

    if form is None:
        ending = output.suffix.lower().removeprefix(".") if output is not None else ""
        form = "json" if as_json else ending if ending in _PICTURES else "text"
    if form == "png" and output is None and sys.stdout.isatty():
        raise click.UsageError("cannot print a PNG to a terminal; give a file with -o")
    chosen = make_game(game, players, settings)
    if measured:
        if form not in ("text", "json"):
            raise click.UsageError("--measured writes text or JSON, not facts for clingo and no pictures")
        if not _measured(chosen, form, seconds, decisions, new_seed() if seed is None else seed, output):
            ctx.exit(130)
        return
    try:
        derived = chosen.heuristics(seconds)
    except NoDecisionError:
        raise
    except OutsideError as error:
        hints = [error.hint] if error.hint else []
        lines = [str(error), *hints, "--measured finds out by play what is worth doing"]
        raise FcdlError("\nfcdl: ".join(lines)) from None
    for note in derived.notes:
        click.echo(f"fcdl: note: {note}", err=True)
    if form in _PICTURES:
        write_output(_picture(derived, form), output)
        return
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


def _picture(derived: Heuristics, form: str) -> bytes:
    from fcdl.drawing import draw_paths
    from fcdl.heuristics.tree import path_trees
    from fcdl.heuristics.words import goal_sentences

    title = f"{derived.game.flowchart.title}: what a cycle is worth"
    return draw_paths(title, goal_sentences(derived), path_trees(derived), "svg" if form == "svg" else "png")


def _measured(game: Game, form: str, seconds: float | None, decisions: int, seed: str, output: Path | None) -> bool:
    """Writes what was measured; returns whether nobody interrupted it."""
    from fcdl.cli.progress import Bar
    from fcdl.heuristics.compared import compare
    from fcdl.heuristics.layers import heuristics_for
    from fcdl.heuristics.measured import Effort, measure
    from fcdl.heuristics.measured_words import measured_json, measured_page

    standard = Effort()
    effort = Effort(
        decisions,
        max(1, standard.moves * decisions // standard.decisions),
        standard.seconds if seconds is None else seconds,
    )
    bar, shown = Bar(), 0
    bar.start("playing", 100)

    def tell(part: float) -> None:
        nonlocal shown
        while shown < round(part * 100):
            bar.advance()
            shown += 1

    compared, interrupted = [], False
    layer = heuristics_for(game)
    try:
        found = measure(game, seed, effort, tell)
        interrupted = found.interrupted
        if layer.derived is not None and not interrupted:
            compared = compare(layer.derived, found.aim, seed, effort.seconds / 3)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        bar.stop()
    if form == "json":
        text = json.dumps(measured_json(found, layer, compared), indent=2, ensure_ascii=False) + "\n"
    else:
        text = measured_page(found, layer, compared)
    write_output(text, output)
    return not interrupted
