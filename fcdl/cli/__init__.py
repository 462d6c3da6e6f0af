"""The command line: `fcdl COMMAND GAME ...`.

Exit codes: 0 fine, 1 the game or the run is at fault, 2 usage, 130 interrupted. Data goes to stdout, messages
to stderr. A command is a module with a click command named `command`; it is imported only when it is called, and
imports the library inside its function, so that `fcdl --help` and completion stay fast.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any

import click

from fcdl import __version__

COMMANDS: Mapping[str, tuple[str, str]] = {
    "games": ("fcdl.cli.games", "List the built-in games."),
    "agents": ("fcdl.cli.agents", "List the computer players and their parameters."),
    "new": ("fcdl.cli.new", "Start a game of your own with a commented chart."),
    "check": ("fcdl.cli.check", "Check a chart and list every mistake."),
    "draw": ("fcdl.cli.draw", "Draw the flowchart (SVG, PNG, DOT, Mermaid)."),
    "fmt": ("fcdl.cli.fmt", "Tidy the layout of a chart's text."),
    "convert": ("fcdl.cli.convert", "Convert a chart to another form."),
    "compile": ("fcdl.cli.compile", "Compile a chart to C, for full speed."),
    "heuristics": ("fcdl.cli.heuristics", "Work out from the rules what is worth doing, and say it in words."),
    "test": ("fcdl.cli.test", "Test a game: does it end, is it fair, does skill matter?"),
    "verify": ("fcdl.cli.verify", "Prove what holds in every game, or refute it by a game."),
    "play": ("fcdl.cli.play", "Play a game against the computer."),
    "stats": ("fcdl.cli.stats", "Sum up the games that you have finished."),
    "web": ("fcdl.cli.web", "Draw games and play them with friends, in the browser."),
    "simulate": ("fcdl.cli.simulate", "Let agents play many games and count who wins."),
    "tournament": ("fcdl.cli.tournament", "Play every agent against every other until it is clear which is better."),
    "sweep": ("fcdl.cli.sweep", "Play an agent with one value of a parameter after the other, and draw the curve."),
    "learn": ("fcdl.cli.learn", "Learn a policy from games against itself."),
    "tune": ("fcdl.cli.tune", "Look for the best values of an agent's parameters."),
    "report": ("fcdl.cli.report", "Make a page with plots from the rows of a run."),
    "rerun": ("fcdl.cli.rerun", "Repeat a run from its manifest."),
    "replay": ("fcdl.cli.replay", "Replay recorded games and verify them."),
    "explain": ("fcdl.cli.explain", "Explain why a move is illegal, or how a game got where it is."),
    "worlds": ("fcdl.cli.worlds", "List the hidden hands that a seat cannot rule out."),
    "tssr": ("fcdl.cli.tssr", "Measure how much the others' moves tell about their cards."),
    "bench": ("fcdl.cli.bench", "Measure how fast the engines are."),
    "completion": ("fcdl.cli.completion", "Print a shell script that completes fcdl's commands."),
}
"""Every command: its module and its line in the help."""


ARGUMENTS = "fcdl.arguments"
"""Where a command finds what was typed, its own name first (`ctx.meta`)."""


class CommandTable(click.Group):
    """A group whose commands are imported when they are called and whose errors all end here."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports a command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name][0]).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds a command, or says which one was probably meant."""
        name = args[0]
        ctx.meta[ARGUMENTS] = list(args)
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            from fcdl.language.diagnostics import did_you_mean

            hint = did_you_mean(name, COMMANDS)
            raise click.UsageError(f"no command '{name}'" + (f" ({hint})" if hint else ""), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the help's table without importing the commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_line) for name, (_, help_line) in COMMANDS.items()])

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Switches colours off when NO_COLOR asks for it."""
        if os.environ.get("NO_COLOR"):
            extra.setdefault("color", False)
        return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs a command and turns what goes wrong into a message and an exit code."""
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        try:
            with _stopped_by_signals():
                result = super().invoke(ctx)
                sys.stdout.flush()
                return result
        except click.ClickException:
            raise
        except BrokenPipeError:
            # The reader has seen enough, as in `fcdl games | head -1`. Nothing more may be flushed into the pipe.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            ctx.exit(0)
        except Stopped as stop:
            click.echo(f"fcdl: stopped by {stop.signal.name}", err=True)
            ctx.exit(128 + stop.signal)
        except (KeyboardInterrupt, click.Abort):
            click.echo("fcdl: interrupted", err=True)
            ctx.exit(130)
        except (click.exceptions.Exit, SystemExit):
            raise
        except Exception as error:
            ctx.exit(_report(error))


class Stopped(KeyboardInterrupt):
    """A signal asked the process to end; what Ctrl-C would keep is kept."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.signal = signal.Signals(number)


@contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """SIGTERM and SIGHUP end a command as Ctrl-C does. Only the main thread of a process can say so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise Stopped(number)

    wanted = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]  # no SIGHUP on Windows
    before = {number: signal.signal(number, stop) for number in wanted}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _report(error: Exception) -> int:
    """Prints what went wrong and returns the exit code; FCDL_DEBUG shows where a bug of fcdl itself is."""
    from fcdl.cli.common import print_findings
    from fcdl.errors import FcdlError
    from fcdl.language.diagnostics import ChartError, printable

    match error:
        case FcdlError():
            click.echo("\n".join(map(printable, f"fcdl: {error}".split("\n"))), err=True)
            return error.exit_code
        case ChartError():
            errors = [item for item in error.findings if item.severity == "error"]
            print_findings(errors or error.findings, error.filename, error.source, err=True)
        case OSError():
            what = error.strerror or str(error)
            place = f"{click.format_filename(error.filename)}: " if error.filename is not None else ""
            click.echo(f"fcdl: {place}{what[:1].lower()}{what[1:]}", err=True)
        case RecursionError():
            click.echo("fcdl: the chart is nested too deeply", err=True)
        case MemoryError():
            click.echo("fcdl: out of memory", err=True)
        case _:
            if os.environ.get("FCDL_DEBUG"):
                traceback.print_exception(error)
            click.echo(
                f"fcdl: internal error: {type(error).__name__}: {error}\n"
                "This is a bug in fcdl, not in your chart. FCDL_DEBUG=1 shows where it happened.",
                err=True,
            )
    return 1


@click.group(
    cls=CommandTable,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="GAME is the name of a built-in game, or a file.",
)
@click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")
def main() -> None:
    """Card games as flowcharts: read, check, draw, play and study them."""
