"""`fcdl simulate`: many games between agents, and who won them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcdl.cli.common import game_argument, json_option, print_json, write_output
from fcdl.cli.options import (
    engine_option,
    jobs_option,
    new_seed,
    players_option,
    seed_option,
    set_option,
)

if TYPE_CHECKING:
    from fcdl.arena.simulate import Simulation


@click.command("simulate")
@game_argument
@click.option("--agents", required=True, help="One agent for each player: a/b/c, each name:key=value,...")
@click.option("--games", "number", type=click.IntRange(1), default=100, show_default=True, help="How many games.")
@click.option("--no-rotate", is_flag=True, help="Every agent keeps its seat.")
@players_option
@set_option
@engine_option
@seed_option
@jobs_option
@json_option
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="File to write the records of the games to, or - for stdout; without it none are written.",
)
def command(
    game: str,
    agents: str,
    number: int,
    no_rotate: bool,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    engine: str,
    seed: str | None,
    jobs: int,
    as_json: bool,
    output: Path | None,
) -> None:
    """Play many games between agents and count who wins.

    Seats rotate, so that each agent plays each seat equally often. -o writes one record a game, as JSON lines.
    """
    from fcdl.agents import make_agents
    from fcdl.arena.simulate import Setup, Simulation, run_games
    from fcdl.cli.progress import progress
    from fcdl.model.record import to_line

    names = tuple(agents.split("/"))
    setup = Setup(game, players, settings, engine, names, new_seed() if seed is None else seed, rotate=not no_rotate)
    played_game = setup.make_game()
    make_agents(agents, played_game)
    simulation = Simulation(setup, played_game)
    lines: list[str] = []
    try:
        for index, played in progress(run_games(setup, number, jobs), number, "games"):
            simulation.add(index, played)
            if output is not None:
                lines.append(to_line(played.record, played_game.flowchart.deck))
    finally:
        # An interrupted run keeps what was played.
        if simulation.games:
            if output is not None:
                write_output("".join(line + "\n" for line in lines), output)
            if as_json:
                print_json(simulation.summary())
            else:
                _print_table(simulation)


def _print_table(simulation: Simulation) -> None:
    from rich.console import Console
    from rich.table import Table

    result = simulation.summary()
    games = f"{result['games']} game{'s' if result['games'] != 1 else ''}"
    title = f"{result['game']}: {games}, {result['moves_mean']:.1f} moves each, seed {result['seed']}"
    table = Table(title=title, title_justify="left")
    table.add_column("agent")
    for column in ("wins", "ties", "losses", "win %", "95 %", "score", "ms/move"):
        table.add_column(column, justify="right", no_wrap=True)
    for number, row in enumerate(result["agents"], start=1):
        low, high = row["wilson"]
        table.add_row(
            f"{number} {row['agent']}",
            *(str(row[key]) for key in ("wins", "ties", "losses")),
            f"{100 * row['win_rate']:.1f}",
            f"{100 * low:.1f}-{100 * high:.1f}",
            f"{row['mean_score']:.2f}",
            f"{row['ms_per_move']:.2f}",
        )
    Console().print(table)
    for reason, count in result["reasons"].items():
        if reason != "end":
            click.echo(f"{count} of {games} did not end properly: {reason}", err=True)
