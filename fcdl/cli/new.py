"""`fcdl new`."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import click


@click.command("new")
@click.argument("name")
def command(name: str) -> None:
    """Write NAME.fcdl, a small commented game to turn into your own.

    An existing file is not overwritten.
    """
    name = name.removesuffix(".fcdl")
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", name):
        raise click.BadParameter(
            "a name consists of letters, digits, _ and -, and starts with a letter", param_hint="NAME"
        )
    path = Path(f"{name}.fcdl")
    title = re.sub("[_-]+", " ", name).strip().capitalize()
    text = (files("fcdl.cli") / "new_game.fcdl").read_text(encoding="utf-8").replace("TITLE", title)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise click.ClickException(f"{path} already exists") from None
    click.echo(
        f"{path} is yours now. Change it, then:\n  fcdl check {path}\n  fcdl draw {path} -o {name}.svg", err=True
    )
