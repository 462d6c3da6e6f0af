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


_PAPERS = ("paper", "slide")
_WIDTHS = (50, 60_000)


def _width(ctx: click.Context, param: click.Parameter, value: str | None) -> int | str | None:
    if value is None or value in _PAPERS:
        return value
    if not value.isdecimal() or not _WIDTHS[0] <= int(value) <= _WIDTHS[1]:
        raise click.BadParameter(f"expected {_WIDTHS[0]} to {_WIDTHS[1]} pixels, or one of: {', '.join(_PAPERS)}")
    return int(value)


@click.command("draw")
@game_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Draw to this file; the ending (.svg, .png, .dot, .mmd) decides the form. Default: stdout, with --to.",
)
@click.option("--to", "form", type=click.Choice(_FORMS), help="The form to draw in. Default: the ending of -o decides.")
@click.option(
    "--definitions/--no-definitions",
    default=True,
    show_default=True,
    help="Show the rules that stand in no box (deck, zones, options, definitions) in a panel beside the charts.",
)
@click.option("--legend/--no-legend", default=True, show_default=True, help="Say what the shapes mean.")
@click.option(
    "--width",
    metavar="PIXELS|paper|slide",
    callback=_width,
    help="How wide: pixels, or 'paper' (fits an A4 page) or 'slide' (fits 1920 x 1080). Default: as it comes.",
)
def command(
    game: str, output: Path | None, form: Form | None, definitions: bool, legend: bool, width: int | str | None
) -> None:
    """Draw the flowchart GAME as a picture (svg, png) or as the text of one (dot for Graphviz, mmd for Mermaid).

    --definitions, --legend and --width are for pictures. 'fcdl heuristics GAME -o paths.svg' draws what the paths
    through a cycle are worth.
    """
    from fcdl.drawing import draw, form_of
    from fcdl.drawing.page import Wanted
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
    write_output(draw(load_flowchart(game), form, Wanted(definitions, legend, width)), output)
