"""`fcdl worlds`: the hidden worlds that a seat cannot tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fcdl.cli.common import game_argument, json_option, print_json
from fcdl.cli.options import engine_option, model_option

if TYPE_CHECKING:
    from fcdl.beliefs.sampler import Beliefs
    from fcdl.model.events import Observation
    from fcdl.model.game import Game


@click.command("worlds")
@game_argument
@click.option("--record", type=click.Path(path_type=Path), required=True, help="A file of recorded games (JSON lines).")
@click.option("--line", type=click.IntRange(1), default=1, show_default=True, help="Which record of the file.")
@click.option("--at", "moves", type=click.IntRange(0), required=True, help="The position after this many moves.")
@click.option("--seat", type=click.IntRange(0), required=True, help="The seat whose view it is.")
@click.option("-n", "number", type=click.IntRange(1), default=10, show_default=True, help="How many worlds.")
@click.option("--all", "everything", is_flag=True, help="List all worlds, enumerated by clingo.")
@click.option("--count", is_flag=True, help="Only print how many worlds there are.")
@click.option("--marginals", is_flag=True, help="Print where each unseen card can be, with probabilities.")
@click.option(
    "--method",
    type=click.Choice(["exact", "asp", "asp-random"]),
    default="exact",
    show_default=True,
    help="exact: drawn by counting, with weights; asp: enumerated by clingo; "
    "asp-random: clingo's random answer sets, as the thesis did (not uniform).",
)
@model_option(default="uniform", show_default=True)
@click.option("--seconds", type=click.FloatRange(0, min_open=True), default=60.0, show_default=True, help="Time limit.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of everything random.")
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
    marginals: bool,
    method: str,
    model: str,
    seconds: float,
    seed: int,
    engine: str,
    as_json: bool,
) -> None:
    """Draw or list the hidden worlds that are consistent with what a seat has seen."""
    from fcdl.arena.replay import position
    from fcdl.errors import FcdlError

    if model not in ("uniform", "equal") and (everything or count or method != "exact"):
        raise click.UsageError("--model with a policy works only with --method exact, without --all and --count")
    if marginals and (everything or method != "exact"):
        raise click.UsageError("--marginals works only with --method exact and without --all")
    player, state = position(record, line, game, engine, moves)
    if seat >= player.game.players:
        raise click.UsageError(f"seats are numbered 0 to {player.game.players - 1}")
    observation = player.observe(state, seat)
    beliefs = _beliefs(player.game, model) if method == "exact" or marginals else None
    if marginals:
        if beliefs is None:
            raise FcdlError("probabilities need the native engine")
        _tell_marginals(beliefs, observation, seed, as_json)
    elif count:
        _tell_count(player.game, beliefs, observation, seconds, as_json)
    elif beliefs is not None and not everything:
        _tell(_drawn(beliefs, observation, number, seed), as_json)
    else:
        limit = None if everything else number
        random_seed = seed if method == "asp-random" else None
        _tell(islice(_listed(player.game, observation, limit, seconds, random_seed), limit), as_json)


def _beliefs(game: Game, model: str) -> Beliefs | None:
    """The sampler; None, with a message, where there is no native engine."""
    from fcdl.engines import native_engine

    if native_engine(game) is None:
        return None
    from fcdl.agents.inference import beliefs_with, engine_with

    return beliefs_with(engine_with(game, model), model)


def _drawn(beliefs: Beliefs, observation: Observation, number: int, seed: int) -> Iterator[dict[str, Any]]:
    """Worlds, the likeliest first; one that is drawn several times is told once, with the sum of its weights."""
    found = beliefs.sample(observation, number, seed)
    shares: dict[tuple[tuple[str, tuple[str, ...]], ...], float] = {}
    for position, weight in zip(found.positions, found.weights, strict=True):
        world = tuple((zone, tuple(cards)) for zone, cards in beliefs.engine.zones(position).items() if cards)
        shares[world] = shares.get(world, 0.0) + float(weight)
    different = f", {len(shares)} of them different" if len(shares) < len(found.positions) else ""
    click.echo(
        f"{len(found.positions)} worlds{different}, worth {found.effective_size:.1f} of equal weight; "
        f"{_quality(found.exact, found.layer, found.note)}; "
        f"{found.accepted} of {found.attempts} deals agreed with what was seen",
        err=True,
    )
    quality = {"layer": found.layer, "exact": found.exact, "effective_size": found.effective_size, "power": found.power}
    for world, share in sorted(shares.items(), key=lambda item: -item[1]):
        yield {"weight": share, "zones": {zone: list(cards) for zone, cards in world}, **quality}


def _quality(exact: bool, layer: str, note: str) -> str:
    """How worlds were found, for people."""
    return "; ".join(filter(None, ("drawn by counting" if exact else f"NOT exact ({layer})", note.rstrip("."))))


def _listed(
    game: Game, observation: Observation, limit: int | None, seconds: float, random_seed: int | None
) -> Iterator[dict[str, Any]]:
    from fcdl.beliefs.worlds import worlds

    for world in worlds(game, observation, limit=limit or 0, seconds=seconds, random_seed=random_seed):
        yield {"hidden": dict(world.hidden), "zones": dict(world.zones)}


def _tell(found: Iterator[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        print_json(list(found))
        return
    for world in found:
        weight = f"{world['weight']:8.3%}  " if "weight" in world else ""
        click.echo(weight + "  ".join(f"{zone}: {' '.join(cards)}" for zone, cards in world["zones"].items()))


def _tell_count(game: Game, beliefs: Beliefs | None, observation: Observation, seconds: float, as_json: bool) -> None:
    from fcdl.beliefs.worlds import worlds

    total = beliefs.count(observation) if beliefs is not None else None
    if total is None:
        total = sum(1 for _ in worlds(game, observation, seconds=seconds))
    print_json({"worlds": total}) if as_json else click.echo(str(total))


def _tell_marginals(beliefs: Beliefs, observation: Observation, seed: int, as_json: bool) -> None:
    found = beliefs.marginals(observation, seed=seed)
    if as_json:
        places = {card: dict(zones) for card, zones in found.places.items()}
        quality = {"layer": found.layer, "exact": found.exact, "effective_size": found.effective_size}
        print_json({**quality, "places": places})
        return
    if not found.exact:
        click.echo(_quality(found.exact, found.layer, found.note), err=True)
    for card, zones in found.places.items():
        click.echo(f"{card:<4} " + "  ".join(f"{zone} {share:.1%}" for zone, share in zones.items()))
