"""`fcdl compile`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcdl.cli.common import game_argument, output_option, write_output
from fcdl.cli.options import make_game, players_option, set_option

if TYPE_CHECKING:
    from fcdl.model import Game


@click.command("compile")
@game_argument
@click.option(
    "--to",
    "target",
    type=click.Choice(["c", "program", "library"]),
    default="library",
    show_default=True,
    help="What to make.",
)
@players_option
@set_option
@output_option
def command(
    game: str, target: str, players: int | None, settings: tuple[tuple[str, str], ...], output: Path | None
) -> None:
    """Compile the chart GAME: to C, to the program that the engine runs, or to a library.

    The C code has the chart's lines as comments; the program is text, an instruction a line. A library is built by the
    C compiler and kept, so that the game is played at full speed from then on. That also happens by itself in a command
    that takes long.
    """
    chosen = make_game(game, players, settings)
    if target == "library":
        if output is not None:
            raise click.UsageError("a library is kept where fcdl finds it; --output is for --to c and --to program")
        click.echo(_library(chosen))
        return
    from fcdl.engines.native.compiler import compile_game
    from fcdl.engines.native.generator import c_source, library_source

    program = compile_game(chosen)
    if target == "c":
        write_output(c_source(program, chosen.flowchart) + library_source(["game"]), output)
    else:
        write_output(program.disassemble(), output)


def _library(game: Game) -> str:
    """Makes sure that there is a library for the game, and says what was done."""
    from fcdl.engines import native_engine
    from fcdl.engines.native import libraries

    libraries.set_execution("ready")
    engine = native_engine(game)
    if engine is None:
        raise click.ClickException("only the native engine runs compiled charts")
    name = f"{game.flowchart.title}, {game.players} players"
    if engine.program.is_compiled:
        return f"{name}: compiled already"
    why_not = libraries.can_compile()
    if why_not is not None:
        raise click.ClickException(f"cannot compile: {why_not}")
    start = time.perf_counter()
    if not libraries.compile_now(engine, engine.program):
        raise click.ClickException("compiling failed; the interpreter plays the game all the same")
    seconds = time.perf_counter() - start
    return f"{name}: {engine.node_program.game_size} instructions compiled and tried out in {seconds:.1f} s"
