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
    help="Draw to this file; the ending (.svg, .png, .dot, .mmd) decides the form. Default: stdout, with --to.",
)
@click.option("--to", "form", type=click.Choice(_FORMS), help="The form to draw in. Default: the ending of -o decides.")
def command(game: str, output: Path | None, form: Form | None) -> None:
    """Draw the flowchart GAME as a picture (svg, png) or as the text of one (dot for Graphviz, mmd for Mermaid)."""
    from fcdl.drawing import draw, form_of
    from fcdl.errors import FcdlError
    from fcdl.language.load import load_flowchart

    if form is None and output is None:
        raise click.UsageError("give a file with -o, or a form with --to")
    if form is None:
        try:
            form = form_of(str(output))
        except FcdlError as error:
            raise click.UsageError(str(error)) from None
    if form == "png" and output is None and sys.stdout.isatty():
        raise click.UsageError("cannot print a PNG to a terminal; give a file with -o")
    write_output(draw(load_flowchart(game), form), output)
