"""What `simulate`, `tournament`, `sweep` and `tune` share: their options, their games, and how results are shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fcdl.cli.common import game_argument, json_option
from fcdl.cli.options import engine_option, make_game, players_option, seed_option, set_option
from fcdl.cli.runs import Places, chosen_seed, run_options
from fcdl.cli.tables import broken

if TYPE_CHECKING:
    from fcdl.arena.simulate import Counting, Setup
    from fcdl.model.game import Game

TRIED = 5
"""Games between random players that are tried first."""


def _confidence(ctx: click.Context, param: click.Parameter, value: float) -> float:
    if not 0 < value < 1:
        raise click.BadParameter("expected a number between 0 and 1, such as 0.95")
    return value


confidence_option = click.option(
    "--confidence",
    type=float,
    default=0.95,
    show_default=True,
    callback=_confidence,
    help="Confidence level of the intervals.",
)
_ties_option = click.option(
    "--ties",
    type=click.Choice(["share", "drop", "win"]),
    default="share",
    show_default=True,
    help="An n-way tie counts 1/n for each (a two-way tie is half a win), is left out, or counts as a win for each.",
)
_mirror_option = click.option("--mirror", is_flag=True, help="Use the same deals for every seating and every pair.")
_open_option = click.option("--open", "open_cards", is_flag=True, help="Show all cards to agents that can use them.")
_csv_option = click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
_records_option = click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Write the records of the games to this file, or to stdout with -. None are written by default.",
)
_MATCH_OPTIONS = (
    game_argument,
    confidence_option,
    _ties_option,
    _open_option,
    players_option,
    set_option,
    engine_option,
    seed_option,
    run_options,
)
_GAMES_OPTIONS = (_mirror_option, json_option, _csv_option, _records_option)


@dataclass(frozen=True, slots=True)
class Match:
    """Which game is played, how and where, and how it is counted."""

    game: str
    players: int | None
    settings: tuple[tuple[str, str], ...]
    engine: str
    seed: str | None
    open_cards: bool
    confidence: float
    ties: str
    places: Places

    def setup(self, agents: Sequence[str] = (), *, players: int | None = None, **more: Any) -> Setup:
        """Games between agents, which may yet be chosen; `players`: so many, whatever was asked for."""
        from fcdl.arena.simulate import Setup

        game = make_game(self.game, players or self.players, self.settings)
        seed = chosen_seed(self.seed, self.places)
        return Setup(game, self.engine, tuple(agents), seed, open_cards=self.open_cards, **more)

    @property
    def counting(self) -> Counting:
        """How games are counted."""
        from fcdl.arena.simulate import Counting

        return Counting(self.confidence, self.ties)


def match_options(command: Callable[..., None]) -> Callable[..., None]:
    """The game and all options of playing and counting many games of it, as one argument `match`."""

    @wraps(command)
    def with_match(**given: Any) -> None:
        match = Match(**{name: given.pop(name) for name in Match.__slots__})
        command(match=match, **given)

    return _with_options(with_match, _MATCH_OPTIONS)


def games_options(command: Callable[..., None]) -> Callable[..., None]:
    """The same, and the options of commands that write records."""
    return match_options(_with_options(command, _GAMES_OPTIONS))


def _with_options(
    command: Callable[..., None], options: Sequence[Callable[[Callable[..., None]], Callable[..., None]]]
) -> Callable[..., None]:
    for option in reversed(options):
        command = option(command)
    return command


def check_most(most: int | None, number: int) -> None:
    """Complains if no games could be added."""
    if most is not None and most < number:
        raise click.UsageError(f"--max-games {most} is less than --games {number}")


def tell_if_endless(game: Game) -> None:
    """Says on stderr, before anybody thinks, if games do not come to their end; where there is the native engine."""
    try:
        from fcdl.engines.native import NativeEngine
        from fcdl.engines.native.assembler import TooLargeError
        from fcdl.model.outcome import Reason
    except ImportError:
        return
    with suppress(TooLargeError):
        endless = NativeEngine(game).play_games(TRIED).reasons.get(Reason.STEP_LIMIT, 0)
        if endless:
            click.echo(
                f"fcdl: note: {endless} of {TRIED} games between random players never ended and were stopped; perhaps "
                "the yes and no of a diamond are swapped ('fcdl test' says more). This can take long; Ctrl-C stops it.",
                err=True,
            )


def flat(row: dict[str, Any]) -> dict[str, Any]:
    """A row of results for CSV: the interval as two columns."""
    cells: dict[str, Any] = {}
    for key, value in row.items():
        if key == "wilson":
            cells["wilson_low"], cells["wilson_high"] = value
        else:
            cells[key] = value
    return cells


def percent(value: float) -> str:
    """A share as people read it."""
    return f"{100 * value:.1f}"


def interval(bounds: Sequence[float]) -> str:
    """The interval of a share."""
    return f"{percent(bounds[0])}-{percent(bounds[1])}"


def interval_name(result: dict[str, Any]) -> str:
    """The heading of the intervals: `95 % interval`, in two lines."""
    return f"{100 * result['confidence']:g} %\ninterval"


def agent_name(row: dict[str, Any]) -> str:
    """An agent, with a mark if it saw all cards."""
    return broken(row["agent"]) + (" (sees all cards)" if row["sees_all"] else "")


def tell_reasons(reasons: dict[str, int], games: int) -> None:
    """Prints to stderr how many games did not end properly, and why."""
    for reason, count in reasons.items():
        if reason != "end":
            click.echo(f"{count} of {games} games did not end properly: {reason}", err=True)


def tell_notes(notes: dict[str, str]) -> None:
    """Prints to stderr what agents do instead of what they are meant to do."""
    for agent, note in notes.items():
        click.echo(f"fcdl: note: {agent}: {note}", err=True)
