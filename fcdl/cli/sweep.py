"""`fcdl sweep`: a curve of one parameter of an agent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fcdl.cli.arena import Match, flat, interval, interval_name, match_options, percent
from fcdl.cli.common import check_output, json_option, print_csv, print_json, write_output
from fcdl.cli.runs import playing
from fcdl.cli.tables import console, table

if TYPE_CHECKING:
    from fcdl.arena.sweep import Value


@click.command("sweep")
@click.option(
    "--agent", "agent_text", required=True, help="The agent, with a range: 'minimax:depth=1..6' or 'c=0.5|1|2'."
)
@click.option("--against", required=True, help="The agent of the other seats.")
@click.option("--games", "number", type=click.IntRange(1), default=200, show_default=True, help="Games for each value.")
@click.option("--points", type=click.IntRange(2, 100), default=9, show_default=True, help="Most values of a range.")
@click.option("--pairs", is_flag=True, help="The agent has every other seat, not only one.")
@click.option("--mirror/--no-mirror", default=True, show_default=True, help="Use the same deals in every seating.")
@click.option(
    "--plot", type=click.Choice(["win", "score", "time"]), default="win", show_default=True, help="What to plot."
)
@match_options
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the curve to this file (.svg).")
@click.pass_context
def command(
    ctx: click.Context,
    match: Match,
    agent_text: str,
    against: str,
    number: int,
    points: int,
    pairs: bool,
    mirror: bool,
    plot: str,
    as_json: bool,
    as_csv: bool,
    output: Path | None,
) -> None:
    """Play an agent with one value of a parameter after the other, always on the same deals, and draw the curve.

    An interrupted run prints the values so far, and --resume continues it.
    """
    from fcdl.arena.ranges import read_open
    from fcdl.arena.sweep import Contest, Value, picture
    from fcdl.cli.progress import Bar

    agent = read_open(agent_text)
    key, values = agent.curve(points)
    check_output(output)
    base = match.setup(mirror=mirror)
    chosen = base.game
    contest = Contest(base, against, match.counting, pairs)
    found: list[Value] = []
    with playing(ctx, chosen, (agent_text, against), base.seed, match.places) as session:
        bar = Bar()
        try:
            for value in values:
                text = agent.with_values(value)
                bar.start(f"{key}={value[key]}", number)
                simulation, played = contest.play(session.run, text, number)
                found.append(Value(value[key], text, simulation))
                for index, one in played:
                    bar.advance()
                    session.note(simulation.setup, index, one, f"{key}={value[key]}")
        finally:
            bar.stop()
            found = [value for value in found if value.simulation.games]
            if found:
                rows = [value.summary() for value in found]
                if as_json:
                    head = {"game": chosen.name, "parameter": key, "against": against, "seed": base.seed}
                    print_json(session.result(head | {"values": rows}))
                elif as_csv:
                    print_csv([_csv(row) for row in rows])
                else:
                    _print(chosen.name, key, against, rows, match.confidence, base.seed)
                if output is not None:
                    heading = f"{chosen.flowchart.title}: {agent.name} against {against}"
                    write_output(picture(heading, key, rows, plot), output)


def _csv(row: dict[str, Any]) -> dict[str, Any]:
    cells = flat(row)
    cells["score_low"], cells["score_high"] = cells.pop("score_interval")
    return cells


def _print(game: str, key: str, against: str, rows: list[dict[str, Any]], confidence: float, seed: str) -> None:
    games = rows[0]["games"]
    bounds = interval_name({"confidence": confidence})
    columns = (key, "win %", bounds, "score", bounds, "ms/move")
    shown = table(f"{game}: {games} games for each value, against {against}, seed {seed}", [], columns)
    for row in rows:
        low, high = row["score_interval"]
        scores = (f"{row['mean_score']:.2f}", f"{low:.2f} to {high:.2f}")
        shown.add_row(
            row["value"], percent(row["win_rate"]), interval(row["wilson"]), *scores, f"{row['ms_per_move']:.2f}"
        )
    console().print(shown)
