"""`fcdl play`: a game in the terminal, against computers or with others."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcdl.cli.common import check_output, complete_game, write_output
from fcdl.cli.debug import debug_kept, debug_new, debug_record, run_debugger
from fcdl.cli.options import (
    engine_option,
    given_or_new_seed,
    make_game,
    new_seed,
    players_option,
    seed_option,
    set_option,
)

if TYPE_CHECKING:
    from fcdl.ui.debug.debugger import Debugger
    from fcdl.ui.journal import Saved
    from fcdl.ui.session import Session

LAST = "last"
_THEMES = ("dark", "light", "nord", "gruvbox", "solarized", "dracula")


@click.command("play")
@click.argument("game", required=False, shell_complete=complete_game)
@click.option(
    "--seats",
    help="Who sits where, separated by /: human, easy, normal, hard or an agent (see 'fcdl agents'). "
    "Default: you in seat 0.",
)
@click.option("--names", help="What those who play are called, by seat, separated by /: Ann/Ben/Cleo.")
@click.option("--open", "face_up", is_flag=True, help="Show you all cards (the computers do not see them).")
@click.option("--menu", is_flag=True, help="Set up GAME on the start screen first.")
@click.option("--debug", is_flag=True, help="Step through the chart node by node, with all cards face up.")
@click.option("--plain", is_flag=True, help="Play line by line. Default if there is no terminal, or a dumb one.")
@click.option(
    "--save", type=click.Path(path_type=Path, dir_okay=False), help="Save the game to this file after every move."
)
@click.option("--no-keep", is_flag=True, help="Do not save the game.")
@click.option("--kept", "list_kept", is_flag=True, help="List the saved games and exit.")
@click.option("--resume", metavar="FILE|last", help="Continue a saved game.")
@click.option(
    "--replay",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Show a recorded game from this file, move by move.",
)
@click.option("--line", type=click.IntRange(1), default=1, show_default=True, help="Which record of the --replay file.")
@click.option("--view", type=click.IntRange(0), help="Show --replay as this seat saw it. Default: all cards face up.")
@click.option(
    "--pace",
    type=click.FloatRange(0, 10),
    help="Seconds to show each computer's move and each finished trick. "
    "Default: the speed chosen last (+ and - change it).",
)
@click.option("--theme", type=click.Choice(_THEMES), help="Colours. Default: those chosen last (ctrl+t changes them).")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Write the record of the finished game to this file."
)
@players_option
@set_option
@engine_option
@seed_option
@click.pass_context
def command(
    ctx: click.Context,
    game: str | None,
    seats: str | None,
    names: str | None,
    face_up: bool,
    menu: bool,
    debug: bool,
    plain: bool,
    save: Path | None,
    no_keep: bool,
    list_kept: bool,
    resume: str | None,
    replay: Path | None,
    line: int,
    view: int | None,
    pace: float | None,
    theme: str | None,
    output: Path | None,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    engine: str,
    seed: str | None,
) -> None:
    """Play GAME in the terminal; without GAME, choose one on the start screen.

    If all seats are computers (--seats normal/hard), you watch them play, at the --pace you like.

    Games are saved after every move; --resume last continues the last one. With --resume and --replay, GAME is needed
    only if its chart is not built in and has moved.
    """
    from fcdl.ui.preferences import SPEEDS, preferences

    liked = preferences()
    pace, theme = SPEEDS[liked.speed] if pace is None else pace, theme or liked.theme
    full_screen = not plain and sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    if list_kept:
        _list_kept()
        return
    if debug:
        if save is not None or output is not None or menu or engine != "auto":
            raise click.UsageError("--debug does not work with --save, --output, --menu or --engine")
        debugger = _debugger(game, seats, players, settings, seed, resume, replay, line)
        ctx.exit(run_debugger(debugger, theme if full_screen else None))
    if replay is not None:
        _show_replay(replay, line, game, view, engine, theme if full_screen else None)
        return
    if resume is not None:
        if players is not None or settings or seed is not None or names is not None:
            raise click.UsageError("a saved game already has its players, options, names and seed")
        _refuse_to_overwrite(save)
        path = _journal(resume)
        session = _resumed(path, game, seats, engine, face_up)
        if save is not None or seats is not None:
            session.save(save or path)
        else:
            session.go_on_saving(path)
    elif game is None or menu:
        if not full_screen:
            raise click.UsageError("which GAME? 'fcdl games' lists them; 'fcdl play --kept' lists saved games")
        if any(given is not None for given in (seats, names, players, save, output)) or settings:
            raise click.UsageError("seats, players and options are set on the start screen; leave them out")
        ctx.exit(_from_start_screen(game, engine, seed, pace, theme, keep_games=not no_keep))
    elif seats is not None and "human" not in seats.split("/"):
        _watch(game, seats, players, settings, engine, seed, pace, output)
        return
    else:
        _refuse_to_overwrite(save)
        session = _started(game, seats, names, players, settings, engine, seed, face_up)
        if save is not None:
            session.save(save)
        elif not no_keep:
            _keep(session)
    again = True
    while again:
        try:
            code, again = _play(session, pace, theme) if full_screen else (_play_plain(session), False)
        finally:
            _finish(session, output)
        if again:
            session, output = _another(session, keep_it=not no_keep), None
    ctx.exit(code)


def _another(session: Session, *, keep_it: bool) -> Session:
    """Another game with the same seats."""
    session = session.again(new_seed())
    if keep_it:
        _keep(session)
    return session


def _play(session: Session, pace: float, theme: str) -> tuple[int, bool]:
    """Plays at the table; an exit code, and whether another game is wanted."""
    session.think_ahead()
    from fcdl.ui.table import play_on_table

    code, again = play_on_table(session, pace, theme)
    for text in session.results():
        click.echo(text)
    return code, again


def _play_plain(session: Session) -> int:
    from fcdl.ui.plain import PlainTable

    PlainTable(session, sys.stdin.readline, click.echo).run()
    return 0


def _from_start_screen(
    game: str | None, engine: str, seed: str | None, pace: float, theme: str, *, keep_games: bool
) -> int:
    """Plays game after game until the person leaves the start screen."""
    from fcdl.errors import FcdlError
    from fcdl.language.diagnostics import ChartError
    from fcdl.ui.preferences import SPEEDS, remember
    from fcdl.ui.setup import Setup
    from fcdl.ui.start import StartApp

    trouble = ""
    _put_away_finished()
    while True:
        app = StartApp(Path(), theme, game, trouble)
        chosen = app.run()
        if chosen is None:
            return app.return_code or 0
        try:
            if isinstance(chosen, Setup):
                session = chosen.session(seed or new_seed(), engine)
                pace = SPEEDS[chosen.speed.value]
                remember(speed=chosen.speed.value)
                if keep_games:
                    _keep(session)
            else:
                session = _resumed(chosen.path, None, None, engine, face_up=False)
                session.go_on_saving(chosen.path)
        except (FcdlError, ChartError, OSError) as error:
            trouble = str(error)
            continue
        again = True
        while again:
            try:
                code, again = _play(session, pace, theme)
            finally:
                _finish(session, None)
            if code:
                return code
            if again:
                session = _another(session, keep_it=keep_games)
        game, seed, trouble = None, None, ""


def _keep(session: Session) -> None:
    from fcdl.ui.store import keep

    if (trouble := keep(session)) is not None:
        click.echo(trouble, err=True)


def _list_kept() -> None:
    from fcdl.ui.store import kept_games, records_file

    _put_away_finished()
    for kept in kept_games():
        click.echo(f"{kept.path}: {kept.text}")
    if records_file().is_file():
        click.echo(f"finished games: {records_file()} (fcdl play --replay shows them)", err=True)


def _put_away_finished() -> None:
    """Makes records of games that are over, but were left in the middle of their last screen."""
    from fcdl.errors import FcdlError
    from fcdl.language.diagnostics import ChartError
    from fcdl.ui.store import finished_games, put_away

    for kept in finished_games():
        with suppress(FcdlError, ChartError, OSError):  # its file stays as it is
            session = _resumed(kept.path, None, None, "auto", face_up=False)
            session.go_on_saving(kept.path)
            put_away(session)


def _journal(resume: str) -> Path:
    """The file of a kept game."""
    if resume != LAST or Path(resume).is_file():
        return Path(resume)
    from fcdl.ui.store import kept_games

    kept = kept_games()
    if not kept:
        raise click.UsageError("there is no saved game")
    return kept[0].path


def _refuse_to_overwrite(save: Path | None) -> None:
    """A saved game is not lost by starting another."""
    if save is not None and save.is_file() and save.stat().st_size:
        raise click.UsageError(f"{save} already exists; --resume {save} continues a saved game")


def _started(
    game: str,
    seats: str | None,
    people: str | None,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    engine: str,
    seed: str | None,
    face_up: bool,
) -> Session:
    from fcdl.language.load import builtin_names
    from fcdl.ui.session import Session, default_seats

    names = tuple(seats.split("/")) if seats is not None else None
    number = len(names) if players is None and names is not None else players
    if number is None and people is not None:
        number = people.count("/") + 1
    played = make_game(game, number, settings).with_people(people.split("/") if people is not None else ())
    return Session(
        played,
        names or default_seats(played.players),
        given_or_new_seed(seed),
        engine=engine,
        face_up=face_up,
        chart=Path(game) if game not in builtin_names() or Path(game).is_file() else None,
    )


def _watch(
    game: str,
    seats: str,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    engine: str,
    seed: str | None,
    pace: float,
    output: Path | None,
) -> None:
    """A game between computers, line by line."""
    from fcdl.agents import AgentError
    from fcdl.model.record import to_line
    from fcdl.ui.spectate import spectate

    names = seats.split("/")
    played = make_game(game, players or len(names), settings)
    if len(names) != played.players:
        raise AgentError(f"{played.players} players need {played.players} seats (human/normal/...), not {len(names)}")
    check_output(output)
    record = spectate(played, names, given_or_new_seed(seed), engine, click.echo, pace if sys.stdout.isatty() else 0.0)
    if output is not None:
        write_output(to_line(record, played.flowchart.deck) + "\n", output)


def _saved(path: Path, game: str | None) -> tuple[str, Saved]:
    """The chart of a kept game, and the game."""
    from fcdl.language.load import builtin_names, load_flowchart
    from fcdl.model.record import RecordError
    from fcdl.ui.journal import journal_head, read_journal

    head = journal_head(path)
    chart = game or (str(head.chart) if head.chart is not None and head.chart.is_file() else head.game)
    if chart == head.game and game is None and chart not in builtin_names():
        raise RecordError(f"cannot find the chart of '{chart}'; name it: fcdl play CHART --resume {path}")
    return chart, read_journal(path, load_flowchart(chart))


def _resumed(path: Path, game: str | None, seats: str | None, engine: str, face_up: bool) -> Session:
    from fcdl.ui.session import Session

    _, saved = _saved(path, game)
    names = tuple(seats.split("/")) if seats is not None else None
    return Session.resume(saved, engine=engine, seats=names, face_up=face_up)


def _debugger(
    game: str | None,
    seats: str | None,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    seed: str | None,
    resume: str | None,
    replay: Path | None,
    line: int,
) -> Debugger:
    """A new game, a kept one or a record under the debugger."""
    if resume is None and replay is None:
        if game is None:
            raise click.UsageError("which GAME? 'fcdl games' lists them")
        return debug_new(game, seats, players, settings, given_or_new_seed(seed))
    if players is not None or settings or seed is not None:
        raise click.UsageError("a recorded game already has its players, options and seed")
    if replay is not None:
        return debug_record(replay, line, game, seats)
    assert resume is not None
    return debug_kept(*_saved(_journal(resume), game), seats)


def _show_replay(path: Path, line: int, chart: str | None, seat: int | None, engine: str, theme: str | None) -> None:
    """Shows a record, on the screen if there is a theme, else line by line."""
    from fcdl.arena.replay import numbered_record
    from fcdl.ui.replay import Replay

    record, player = numbered_record(path, line, chart, engine)
    if seat is not None and seat >= record.players:
        raise click.UsageError(f"seats are numbered 0 to {record.players - 1}")
    shown = Replay(player, record.chance, record.moves, record.agents)
    if theme is not None:
        from fcdl.ui.replay_screen import ReplayApp

        ReplayApp(shown, seat, theme).run()
    else:
        for text in shown.view(len(record.moves), seat).log:
            click.echo(text)


def _finish(session: Session, output: Path | None) -> None:
    """Writes the record of a finished game, or says how to continue an unfinished one."""
    from fcdl.model.record import to_line
    from fcdl.ui.store import put_away

    put_away(session)
    if session.outcome is None:
        if session.journal is not None and session.journal.path.is_file():
            click.echo(f"to continue: fcdl play --resume {session.journal.path}", err=True)
        if output is not None:
            click.echo("the game is not over, so there is no record of it", err=True)
    elif output is not None:
        write_output(to_line(session.record(), session.game.flowchart.deck) + "\n", output)
