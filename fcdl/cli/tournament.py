"""`fcdl tournament`: every agent against every other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from fcdl.cli.arena import (
    Match,
    agent_name,
    check_most,
    flat,
    games_options,
    interval,
    interval_name,
    percent,
    tell_if_endless,
    tell_reasons,
)
from fcdl.cli.common import check_output, print_csv, print_json, write_output
from fcdl.cli.runs import playing
from fcdl.cli.tables import broken, console, table


@click.command("tournament")
@click.option(
    "--agents",
    required=True,
    help="Two or more agents: a/b/c, each name:key=value,... (see 'fcdl agents') or mymodule:MyAgent.",
)
@click.option(
    "--games", "number", type=click.IntRange(1), default=100, show_default=True, help="Games per pair at a time."
)
@click.option(
    "--max-games",
    "most",
    type=click.IntRange(1),
    help="Add games until a pair is decided, up to this many. [default: 20 times --games]",
)
@games_options
@click.pass_context
def command(
    ctx: click.Context,
    match: Match,
    agents: str,
    number: int,
    most: int | None,
    mirror: bool,
    as_json: bool,
    as_csv: bool,
    output: Path | None,
) -> None:
    """Play every agent against every other, adding games until it is clear which of the two is better.

    A pair is decided when the interval of its win rate excludes 50 %. At tables of more than two, the two agents
    alternate around the table, and each has every seat equally often. An interrupted run prints the results so far.
    """
    from fcdl.arena.simulate import split_agents
    from fcdl.arena.tournament import Schedule, Tournament
    from fcdl.cli.progress import Bar
    from fcdl.model.record import to_line

    names = split_agents(agents)
    most = 20 * number if most is None else most
    check_most(most, number)
    check_output(output)
    setup = match.setup(names, mirror=mirror, records=output is not None)
    tell_if_endless(setup.game)
    tournament = Tournament(setup, Schedule(number, most, match.counting))
    lines: list[str] = []
    with playing(ctx, setup.game, names, setup.seed, match.places) as session:
        bar = Bar()
        try:
            for pair, index, played in tournament.play(session.run):
                rivals = " v ".join(pair.agents)
                if pair.simulation.games == 1:
                    bar.start(rivals, most)
                bar.advance()
                session.note(pair.simulation.setup, index, played, rivals)
                if played.record is not None:
                    lines.append(to_line(played.record, tournament.game.flowchart.deck) + "\n")
        finally:
            bar.stop()
            # An interrupted run keeps what was played.
            if any(pair.simulation.games for pair in tournament.pairs):
                _print(session.result(tournament.summary()), as_json, as_csv)
                if output is not None:  # last: a full disk must not cost the summary
                    write_output("".join(lines), output)


def _print(result: dict[str, Any], as_json: bool, as_csv: bool) -> None:
    if as_json:
        print_json(result)
    elif as_csv:
        print_csv([_csv_row(pair) for pair in result["pairs"]])
    else:
        _print_tables(result)


def _csv_row(pair: dict[str, Any]) -> dict[str, Any]:
    cells = flat(pair)
    for name in ("agents", "mean_scores", "ms_per_move"):
        first, second = cells.pop(name)
        cells |= {f"{name.rstrip('s')}_1": first, f"{name.rstrip('s')}_2": second}
    cells.pop("reasons")
    cells |= cells.pop("paired_scores", {})
    return cells


def _print_tables(result: dict[str, Any]) -> None:
    title = f"{result['game']}: {result['games']} games, seed {result['seed']}"
    standings = table(title, ["agent"], ["better than", "worse than", "win %"])
    for row in result["agents"]:
        cells = (str(row["better_than"]), str(row["worse_than"]), percent(row["win_rate"]))
        standings.add_row(agent_name(row), *cells)
    console().print(standings)
    click.echo()
    columns = ("win %", "fair %", interval_name(result), "ties", "games")
    pairs = table("", ["pair"], columns, ["better"])
    for pair in result["pairs"]:
        first, second = pair["agents"]
        better = "not decided" if pair["better"] is None else broken(pair["better"])
        figures = [percent(pair["win_rate"]), percent(pair["fair_share"]), interval(pair["wilson"])]
        names = f"{broken(first)}\nv {broken(second)}"
        pairs.add_row(names, *figures, str(pair["ties"]), str(pair["games"]), better)
    console().print(pairs)
    for pair in result["pairs"]:
        tell_reasons(pair["reasons"], pair["games"])
