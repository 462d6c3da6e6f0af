"""`fcdl draw`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from fcdl.cli.common import game_argument, write_output

if TYPE_CHECKING:
    from fcdl.drawing import Form

_FORMS = ["svg", "png", "dot", "mmd"]


@click.command("draw")
@game_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="File to draw to; its ending (.svg, .png, .dot, .mmd) says what. Without it --to goes to stdout.",
)
@click.option("--to", "form", type=click.Choice(_FORMS), help="What to draw; otherwise the ending of -o says it.")
def command(game: str, output: Path | None, form: Form | None) -> None:
    """Draw the flowchart GAME as a picture (svg, png) or as the text of one (dot for Graphviz, mmd for Mermaid)."""
    from fcdl.drawing import draw
    from fcdl.language.load import load_flowchart

    form = form or _form_of(output)
    if form == "png" and output is None and sys.stdout.isatty():
        raise click.UsageError("a PNG does not belong on a terminal; give a file with -o")
    write_output(draw(load_flowchart(game), form), output)


def _form_of(output: Path | None) -> Form:
    if output is None:
        raise click.UsageError("give a file to draw to with -o, or a form with --to")
    form = output.suffix.lower().removeprefix(".")
    if form not in _FORMS:
        raise click.UsageError(f"cannot draw '{output}'; it must end in one of: .{', .'.join(_FORMS)}")
    return cast("Form", form)
