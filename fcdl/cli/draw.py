"""`fcdl draw`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

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
    from fcdl.drawing import draw, form_of
    from fcdl.errors import FcdlError
    from fcdl.language.load import load_flowchart

    if form is None and output is None:
        raise click.UsageError("give a file to draw to with -o, or a form with --to")
    if form is None:
        try:
            form = form_of(str(output))
        except FcdlError as error:
            raise click.UsageError(str(error)) from None
    if form == "png" and output is None and sys.stdout.isatty():
        raise click.UsageError("a PNG does not belong on a terminal; give a file with -o")
    write_output(draw(load_flowchart(game), form), output)
