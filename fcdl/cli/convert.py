"""`fcdl convert`."""

from __future__ import annotations

from pathlib import Path

import click

from fcdl.cli.common import FORMS, form_option, game_argument, output_option, read_chart, write_output


@click.command("convert")
@game_argument
@click.option("--to", "target", type=click.Choice(FORMS), required=True, help="The form to write.")
@form_option
@output_option
def command(game: str, target: str, form: str | None, output: Path | None) -> None:
    """Write the chart GAME in another form.

    The forms: fcdl (text), facts (the drawing facts of Law's thesis), states (its state/2 facts), json (for editors).
    """
    from fcdl.language.forms import write_form

    document, _, _ = read_chart(game, form)
    write_output(write_form(document, target), output)
