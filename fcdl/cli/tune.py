"""`fcdl tune`: the best values of an agent's parameters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fcdl.cli.arena import Match, interval, match_options, percent
from fcdl.cli.common import json_option, print_json, write_output
from fcdl.cli.runs import playing
from fcdl.cli.tables import broken, console, table

if TYPE_CHECKING:
    from fcdl.arena.tune import Tuning

SHOWN = 5
"""The best trials, so many of them."""
COLUMNS = 4
"""More parameters than these do not have columns of their own."""


@click.command("tune")
@click.option(
    "--agent", "agent_text", required=True, help="The agent, with ranges: 'ismcts:c=0.1..2,pick=visits|value'."
)
@click.option("--against", required=True, help="The agent of the other seats.")
@click.option("--trials", type=click.IntRange(1), default=50, show_default=True, help="How many values are tried.")
@click.option("--games", "number", type=click.IntRange(5), default=200, show_default=True, help="Games for each trial.")
@click.option(
    "--held-out", type=click.IntRange(2), help="Games on new deals with what was found.  [default: twice --games]"
)
@click.option(
    "--goal",
    type=click.Choice(["win", "score"]),
    default="win",
    show_default=True,
    help="Games won, or the mean score.",
)
@click.option("--pairs", is_flag=True, help="The agent has every other seat, not only one.")
@match_options
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    match: Match,
    agent_text: str,
    against: str,
    trials: int,
    number: int,
    held_out: int | None,
    goal: str,
    pairs: bool,
    as_json: bool,
) -> None:
    """Look for the best values of an agent's parameters, on the same deals for all of them, with Optuna.

    A trial that is clearly worse than the best so far is given up. At the end what was found plays on deals that were
    not tuned on. The study (study.db, which Optuna's own tools read, too), the games and the plots are kept in a folder
    (--resume); the same command with --resume continues it, or adds --trials.
    """
    from fcdl.arena.ranges import read_open
    from fcdl.arena.sweep import Contest
    from fcdl.arena.tune import Tuning
    from fcdl.cli.progress import Bar

    agent = read_open(agent_text)
    base = match.setup(mirror=True)
    chosen = base.game
    contest = Contest(base, against, match.counting, pairs)
    with playing(ctx, chosen, (agent_text, against), base.seed, match.places, keep=True) as session:
        tuning = Tuning(contest, agent, session.folder, number, goal)
        bar, rows = Bar(), list[dict[str, Any]]()
        try:
            bar.start("trials", trials)
            bar.advance(len(tuning.tried()))
            for _ in tuning.play(session.run, trials):
                bar.advance()
            bar.start("held-out deals", 1)
            rows = tuning.held_out(session.run, held_out or 2 * number)
        finally:
            bar.stop()
            if tuning.best() is not None:
                for name, picture in tuning.plots().items():
                    write_output(picture, session.folder / name)
                result = _result(tuning, rows, base.seed)
                write_output(json.dumps(result, indent=1, ensure_ascii=False) + "\n", session.folder / "result.json")
                if as_json:
                    print_json(session.result(result))
                else:
                    _print(chosen.name, result, session.folder)


def _result(tuning: Tuning, rows: list[dict[str, Any]], seed: str) -> dict[str, Any]:
    tried, best = tuning.tried(), tuning.best()
    assert best is not None
    return {
        "game": tuning.contest.setup.game.name,
        "against": tuning.contest.against,
        "seed": seed,
        "best": best.summary(),
        "trials": [one.summary() for one in tried],
        "pruned": sum(one.pruned for one in tried),
        "games": sum(one.games for one in tried),
        "held_out": rows,
    }


def _print(game: str, result: dict[str, Any], folder: Path) -> None:

    trials = result["trials"]
    title = f"{game}: {len(trials)} trials ({result['pruned']} given up early), {result['games']} games"
    names = list(result["best"]["values"])
    few = len(names) <= COLUMNS
    columns = ("trial", *(names if few else ()), "value", "interval", "games")
    shown = table(f"{title}, seed {result['seed']}", [], columns, () if few else ("values",))
    whole = [trial for trial in trials if not trial["pruned"]]
    best = result["best"]["trial"]
    order = sorted(whole, key=lambda trial: (trial["trial"] != best, -trial["value"]))
    for trial in order[:SHOWN]:
        low, high = trial["interval"]
        values = trial["values"]
        cells = [str(trial["trial"] + 1), *(values.values() if few else ())]
        cells += [f"{trial['value']:.3f}", f"{low:.3f} to {high:.3f}", str(trial["games"])]
        shown.add_row(*cells, *([] if few else [", ".join(f"{name}={value}" for name, value in values.items())]))
    console().print(shown)
    if result["held_out"]:
        columns = ("win %", "interval", "score", "games")
        new = table("On deals that were not tuned on", ["agent", "against"], columns)
        for row in result["held_out"]:
            figures = (percent(row["win_rate"]), interval(row["wilson"]), f"{row['mean_score']:.2f}", str(row["games"]))
            new.add_row(broken(row["agent"]), broken(row["against"]), *figures)
        console().print(new)
    click.echo(f"The study and its plots: {folder}", err=True)
