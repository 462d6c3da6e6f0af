"""`fcdl play --debug`: the debugger for a new game, for one that is kept, and for a record."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from fcdl.ui.debug.chart_file import ChartFile
    from fcdl.ui.debug.debugger import Debugger
    from fcdl.ui.journal import Saved


def debug_new(
    game: str, seats: str | None, players: int | None, settings: tuple[tuple[str, str], ...], seed: str
) -> Debugger:
    """A new game."""
    from fcdl.ui.debug.debugger import Debugger

    names = _names(seats)
    number = len(names) if players is None and names is not None else players
    return Debugger(_file(game, Path(game).stem, number, dict(settings)), names, seed)


def debug_record(path: Path, line: int, chart: str | None, seats: str | None) -> Debugger:
    """A game of a file of records, whose moves are made again on the way."""
    from fcdl.arena.replay import numbered_record
    from fcdl.ui.debug.debugger import Debugger

    record, _ = numbered_record(path, line, chart, "native")
    file = _file(chart or record.game, record.game, record.players, record.options)
    return Debugger(file, _names(seats), record.seed or "record", moves=record.moves, chance=record.chance)


def debug_kept(chart: str, saved: Saved, seats: str | None) -> Debugger:
    """A kept game, whose moves are made again on the way; people and computers sit where they sat."""
    from fcdl.ui.debug.debugger import Debugger

    game = saved.game
    options = {name: game.option_text(name) for name in game.options}
    moves = [step.move for step in saved.steps if step.move is not None]
    chance = [answer for step in saved.steps for answer in step.chance]
    file = _file(chart, game.name, game.players, options)
    return Debugger(file, _names(seats) or saved.seats, saved.seed, moves=moves, chance=chance)


def run_debugger(debugger: Debugger, theme: str | None) -> int:
    """On the screen if there is a theme, else line by line; returns an exit code."""
    if theme is None:
        from fcdl.ui.debug.plain import PlainDebugger

        PlainDebugger(debugger, sys.stdin.readline, click.echo).run()
        return 0
    from fcdl.ui.debug.screen import debug_on_screen

    return debug_on_screen(debugger, theme)


def _names(seats: str | None) -> tuple[str, ...] | None:
    return tuple(seats.split("/")) if seats is not None else None


def _file(chart: str, name: str, players: int | None, options: Mapping[str, str]) -> ChartFile:
    from fcdl.model.game import Game
    from fcdl.ui.debug.chart_file import ChartFile

    return ChartFile(chart, lambda flowchart: Game.make(flowchart, name=name, players=players, options=options))
