"""`fcdl worlds`: the hidden worlds that a seat cannot tell apart."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import click

from fcdl.cli.common import game_argument, json_option, print_json
from fcdl.cli.options import engine_option


@click.command("worlds")
@game_argument
@click.option("--record", type=click.Path(path_type=Path), required=True, help="A file of records (JSON lines).")
@click.option("--line", type=click.IntRange(1), default=1, show_default=True, help="Which record of the file.")
@click.option("--at", "moves", type=click.IntRange(0), required=True, help="After how many moves.")
@click.option("--seat", type=click.IntRange(0), required=True, help="Whose view.")
@click.option("-n", "number", type=click.IntRange(1), default=10, show_default=True, help="How many worlds.")
@click.option("--all", "everything", is_flag=True, help="All worlds.")
@click.option("--count", is_flag=True, help="Only say how many worlds there are.")
@click.option(
    "--method",
    type=click.Choice(["asp", "asp-random"]),
    default="asp",
    show_default=True,
    help="asp: enumerated; asp-random: clingo's random answer sets, as the thesis did (not uniform).",
)
@click.option("--seconds", type=click.FloatRange(0, min_open=True), default=60.0, show_default=True, help="Time limit.")
@click.option("--seed", type=int, default=0, show_default=True, help="For asp-random.")
@engine_option
@json_option
def command(
    game: str,
    record: Path,
    line: int,
    moves: int,
    seat: int,
    number: int,
    everything: bool,
    count: bool,
    method: str,
    seconds: float,
    seed: int,
    engine: str,
    as_json: bool,
) -> None:
    """List the hidden worlds that do not contradict what a seat has seen."""
    from fcdl.arena.replay import position
    from fcdl.beliefs.worlds import worlds

    player, state = position(record, line, game, engine, moves)
    if seat >= player.game.players:
        raise click.UsageError(f"seats go from 0 to {player.game.players - 1}")
    limit = 0 if everything or count else number
    found = worlds(
        player.game,
        player.observe(state, seat),
        limit=limit,
        seconds=seconds,
        random_seed=seed if method == "asp-random" else None,
    )
    if count:
        total = sum(1 for _ in found)
        print_json({"worlds": total}) if as_json else click.echo(str(total))
        return
    listed = islice(found, limit or None)
    if as_json:
        print_json([{"hidden": dict(world.hidden), "zones": dict(world.zones)} for world in listed])
        return
    for world in listed:
        click.echo("  ".join(f"{zone}: {' '.join(cards)}" for zone, cards in world.zones))
