"""`fcdl completion`."""

from __future__ import annotations

import click
from click.shell_completion import BashComplete, FishComplete, ZshComplete

_SHELLS = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


@click.command("completion")
@click.argument("shell", type=click.Choice(list(_SHELLS)))
def command(shell: str) -> None:
    """Print a script that completes fcdl's commands, options and games in SHELL.

    For bash, put this line into ~/.bashrc:

        eval "$(fcdl completion bash)"
    """
    from fcdl.cli import main

    click.echo(_SHELLS[shell](main, {}, "fcdl", "_FCDL_COMPLETE").source())
