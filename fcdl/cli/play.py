"""`fcdl play`: a game in the terminal, against computers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcdl.cli.common import complete_game, write_output
from fcdl.cli.options import engine_option, given_or_new_seed, make_game, players_option, seed_option, set_option

if TYPE_CHECKING:
    from fcdl.ui.session import Session


@click.command("play")
@click.argument("game", required=False, shell_complete=complete_game)
@click.option("--seats", help="Who plays: human/random/..., one for each player; without it you have seat 0.")
@click.option("--plain", is_flag=True, help="Line by line; chosen by itself when input or output is not a terminal.")
@click.option("--save", type=click.Path(path_type=Path, dir_okay=False), help="Keep the game here after every move.")
@click.option("--resume", type=click.Path(path_type=Path, dir_okay=False), help="Go on with a game that was saved.")
@click.option(
    "--pace",
    type=click.FloatRange(0, 10),
    default=0.6,
    show_default=True,
    help="Seconds that each move of a computer, and each finished trick, can be seen.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the record of the finished game here.")
@players_option
@set_option
@engine_option
@seed_option
@click.pass_context
def command(
    ctx: click.Context,
    game: str | None,
    seats: str | None,
    plain: bool,
    save: Path | None,
    resume: Path | None,
    pace: float,
    output: Path | None,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    engine: str,
    seed: str | None,
) -> None:
    """Play GAME against computers.

    --resume goes on with a saved game; GAME is then needed only if it is not a built-in one.
    """
    if resume is not None:
        if players is not None or settings or seed is not None:
            raise click.UsageError("a saved game has its own players, options and seed")
        _refuse_to_overwrite(save)
        session = _resumed(resume, game, seats, engine)
        if save is not None or seats is not None:
            session.save(save or resume)
        else:
            session.go_on_saving(resume)
    elif game is None:
        raise click.UsageError("which GAME? fcdl games lists them")
    else:
        _refuse_to_overwrite(save)
        session = _started(game, seats, players, settings, engine, seed)
        if save is not None:
            session.save(save)
    code = 0
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        from fcdl.ui.plain import PlainTable

        PlainTable(session, sys.stdin.readline, click.echo).run()
    else:
        from fcdl.ui.table import play_on_table

        code = play_on_table(session, pace)
        for line in session.results():
            click.echo(line)
    _finish(session, output)
    ctx.exit(code)


def _refuse_to_overwrite(save: Path | None) -> None:
    """A saved game is not lost by starting another."""
    if save is not None and save.is_file() and save.stat().st_size:
        raise click.UsageError(f"{save} exists; --resume {save} goes on with a saved game")


def _started(
    game: str,
    seats: str | None,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    engine: str,
    seed: str | None,
) -> Session:
    from fcdl.ui.session import Session, default_seats

    names = tuple(seats.split("/")) if seats is not None else None
    played = make_game(game, len(names) if players is None and names is not None else players, settings)
    return Session(played, names or default_seats(played.players), given_or_new_seed(seed), engine=engine)


def _resumed(path: Path, game: str | None, seats: str | None, engine: str) -> Session:
    from fcdl.language.load import builtin_names, load_flowchart
    from fcdl.model.record import RecordError
    from fcdl.ui.journal import journal_game, read_journal
    from fcdl.ui.session import Session

    name = game or journal_game(path)
    if game is None and name not in builtin_names():
        raise RecordError(f"'{name}' is not a built-in game; give its chart: fcdl play CHART --resume {path}")
    saved = read_journal(path, load_flowchart(name))
    return Session.resume(saved, engine=engine, seats=tuple(seats.split("/")) if seats is not None else None)


def _finish(session: Session, output: Path | None) -> None:
    """Writes the record of a finished game, or says how to go on with another."""
    from fcdl.model.record import to_line

    if session.outcome is None:
        if session.journal is not None:
            click.echo(f"go on with: fcdl play --resume {session.journal.path}", err=True)
        if output is not None:
            click.echo("the game is not over, so there is no record of it", err=True)
    elif output is not None:
        write_output(to_line(session.record(), session.game.flowchart.deck) + "\n", output)
