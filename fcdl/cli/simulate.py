"""`fcdl simulate`: many games between agents, and who won them."""

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
    tell_notes,
    tell_reasons,
)
from fcdl.cli.common import check_output, print_csv, print_json, write_output
from fcdl.cli.runs import playing
from fcdl.cli.tables import console, table


@click.command("simulate")
@click.option(
    "--agents",
    required=True,
    help="One agent for each player: a/b/c, each name:key=value,... (see 'fcdl agents') or mymodule:MyAgent.",
)
@click.option("--games", "number", type=click.IntRange(1), default=100, show_default=True, help="Number of games.")
@click.option(
    "--max-games",
    "most",
    type=click.IntRange(1),
    help="Keep playing, --games at a time, until it is clear which of two agents is better, up to this many games.",
)
@click.option(
    "--rotate",
    type=click.Choice(["turn", "all"]),
    default="turn",
    show_default=True,
    help="After each game everybody moves on by one seat, or all orders of the agents take turns.",
)
@click.option("--no-rotate", is_flag=True, help="Every agent keeps its seat.")
@click.option(
    "--watch",
    multiple=True,
    metavar="VARIABLE|DIAMOND",
    help="Print the mean of this variable at the end of the games, or how often the answer in this diamond was yes.",
)
@games_options
@click.pass_context
def command(
    ctx: click.Context,
    match: Match,
    agents: str,
    number: int,
    most: int | None,
    rotate: str,
    no_rotate: bool,
    mirror: bool,
    watch: tuple[str, ...],
    as_json: bool,
    as_csv: bool,
    output: Path | None,
) -> None:
    """Let agents play many games and count who wins.

    Seats rotate, so that each agent plays each seat equally often. Agents written the same way are also counted
    together: a/b/a/b is a match of two pairs. -o writes one record per game, as JSON lines. An interrupted run prints
    the results so far.
    """
    from fcdl.agents import AgentError
    from fcdl.arena.simulate import Simulation, seatings, simulate, split_agents
    from fcdl.cli.progress import progress
    from fcdl.model.record import to_line

    names = split_agents(agents)
    if match.players not in (None, len(names)):
        raise AgentError(f"{match.players} players need {match.players} agents (a/b/...), not {len(names)}")
    if most is not None and len(set(names)) != 2:
        raise click.UsageError("--max-games needs two different agents, in as many seats as you like")
    check_most(most, number)
    check_output(output)
    setup = match.setup(
        names,
        players=len(names),
        seatings=seatings(names, "none" if no_rotate else rotate, mirror=mirror),
        mirror=mirror,
        watch=watch,
        records=output is not None,
    )
    tell_if_endless(setup.game)
    lines: list[str] = []
    with playing(ctx, setup.game, names, setup.seed, match.places) as session:
        runner = session.runner(setup)
        tell_notes(runner.notes)
        simulation = Simulation(setup, runner.sees_all, match.counting)
        try:
            for index, played in progress(simulate(runner, simulation, number, most), most or number, "games"):
                session.note(setup, index, played)
                if played.record is not None:
                    lines.append(to_line(played.record, setup.game.flowchart.deck) + "\n")
        finally:
            # An interrupted run keeps what was played.
            if simulation.games:
                result = session.result(simulation.summary())
                if as_json:
                    print_json(result)
                elif as_csv:
                    print_csv([flat(row) for row in result["agents"]])
                else:
                    _print_table(result)
                if output is not None:  # last: a full disk must not cost the summary
                    write_output("".join(lines), output)


def _print_table(result: dict[str, Any]) -> None:
    games = f"{result['games']} game{'s' if result['games'] != 1 else ''}"
    title = f"{result['game']}: {games}, {result['moves_mean']:.1f} moves each, seed {result['seed']}"
    columns = ("wins", "ties", "losses", "win %", "fair %", interval_name(result), "score", "ms/move")
    shown = table(title, ["agent"], columns)
    for number, row in enumerate(result["agents"], start=1):
        shown.add_row(f"{number} {agent_name(row)}", *_cells(row), end_section=number == result["players"])
    for row in result.get("sides", []):
        shown.add_row(f"all {agent_name(row)}", *_cells(row))
    console().print(shown)
    click.echo(
        f"moves per game: {result['moves_min']} to {result['moves_max']}, standard deviation {result['moves_sd']:.1f}; "
        f"legal moves per decision: mean {result['branching_mean']:.2f}, geometric {result['branching_geometric']:.2f}"
    )
    if result["forced_passes_mean"]:
        click.echo(
            f"forced to pass: {result['forced_passes_mean']:.1f} times a game; legal moves not counting passes: "
            f"geometric {result['branching_without_pass']:.2f}"
        )
    first = result["first_mover"]
    click.echo(f"whoever moved first won {percent(first['win_rate'])} % ({interval(first['wilson'])})")
    for name, values in result.get("watched", {}).items():
        moves = f", {values['moves_for_each']:.1f} moves for each" if values["moves_for_each"] else ""
        click.echo(f"{name}: mean {values['mean']:.2f}, standard deviation {values['sd']:.2f}{moves}")
        for row in result.get("sides", result["agents"]):
            if f"{name}_mean" in row:
                click.echo(f"    {agent_name(row)}: {row[f'{name}_mean']:.2f} ({row[f'{name}_sd']:.2f})")
    if "paired_scores" in result:
        pairs = result["paired_scores"]
        click.echo(
            f"scores on the same deals: {pairs['mean_difference']:+.2f} for agent 1 over {pairs['pairs']} deals, "
            f"Wilcoxon signed-rank p = {pairs['p']:.2g}"
        )
    tell_reasons(result["reasons"], result["games"])


def _cells(row: dict[str, Any]) -> list[str]:
    return [
        *(str(row[key]) for key in ("wins", "ties", "losses")),
        percent(row["win_rate"]),
        percent(row["fair_share"]),
        interval(row["wilson"]),
        f"{row['mean_score']:.2f}",
        f"{row['ms_per_move']:.2f}",
    ]
