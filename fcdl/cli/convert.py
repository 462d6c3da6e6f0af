"""`fcdl convert`."""

from __future__ import annotations

from pathlib import Path

import click

from fcdl.cli.common import FORMS, game_argument, output_option, read_chart, write_output


@click.command("convert")
@game_argument
@click.option("--to", "target", type=click.Choice([*FORMS, "records"]), required=True, help="The form to convert to.")
@click.option(
    "--from",
    "form",
    type=click.Choice([*FORMS, "iss"]),
    help="The form GAME is written in, if fcdl does not recognise it.",
)
@output_option
def command(game: str, target: str, form: str | None, output: Path | None) -> None:
    """Convert the chart GAME to another form.

    The forms are fcdl (text), facts (the drawing facts of Law's thesis), states (its state/2 facts), json (for
    editors). Games of the International Skat Server become records: fcdl convert games.sgf --from iss --to records.
    """
    from fcdl.language.forms import in_reading_order, write_form

    if (form == "iss") != (target == "records"):
        raise click.UsageError("--from iss and --to records only work together")
    if form == "iss":
        write_output(_records(Path(game)), output)
        return
    document, filename, source = read_chart(game, form)
    if target == "fcdl":
        document = in_reading_order(document)
    write_output(write_form(document, target, filename=filename, source=source), output)


def _records(path: Path) -> str:
    """The games of an ISS file as JSON lines."""
    from fcdl.arena.iss import convert
    from fcdl.arena.replay import read_lines
    from fcdl.model.record import to_line

    return "".join(to_line(record, game.flowchart.deck) + "\n" for record, game in convert(read_lines(path)))
