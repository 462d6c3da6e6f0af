"""The options that all commands which play share, and how they become a game."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from fcdl.api.game import Game

Command = TypeVar("Command", bound=Callable[..., Any])


def _settings(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """`--set option=value`, any number of times."""
    pairs = []
    for value in values:
        name, given, text = value.partition("=")
        if not given:
            raise click.BadParameter(f"'{value}': expected OPTION=VALUE")
        pairs.append((name.strip(), text.strip()))
    return tuple(pairs)


set_option = click.option(
    "--set", "settings", multiple=True, callback=_settings, metavar="OPTION=VALUE", help="Set an option of the game."
)
players_option = click.option("--players", type=click.IntRange(1), help="The number of players.")
engine_option = click.option(
    "--engine",
    type=click.Choice(["auto", "compiled", "interpreter", "native", "asp"]),
    default="auto",
    show_default=True,
    help="Which engine runs the chart: C code (auto: compiled as soon as it can be; native is the same), or ASP.",
)
seed_option = click.option("--seed", help="Seed of everything random. Default: a new one, which is printed.")
jobs_option = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Number of processes; the results are the same.",
)


def _model(ctx: click.Context, param: click.Parameter, text: str) -> str:
    """A model of the others."""
    from fcdl.agents.inference import read_model

    try:
        return read_model(text)
    except ValueError as error:
        raise click.BadParameter(f"'{text}': {error}") from None


def model_option(**settings: Any) -> Callable[[Command], Command]:
    """`--model`: how the others choose."""
    return click.option(
        "--model",
        metavar="MODEL",
        callback=_model,
        help="How the others choose. uniform: any legal move; equal: all worlds are equally likely; or a policy (the "
        "values of 'infer' in 'fcdl agents ismcts'): what they did then says what they may hold.",
        **settings,
    )


def given_or_new_seed(seed: str | None) -> str:
    """The seed, or a new one, which is printed to stderr."""
    if seed is None:
        seed = new_seed()
        click.echo(f"seed {seed}", err=True)
    return seed


def new_seed() -> str:
    """A new seed; results include it."""
    return str(secrets.randbelow(10**9))


def make_game(game: str, players: int | None, settings: tuple[tuple[str, str], ...]) -> Game:
    """The game that the options describe; raises ChartError or GameError."""
    from fcdl.api.game import load

    return load(game, players, options=dict(settings))
