"""`fcdl fmt`."""

from __future__ import annotations

from pathlib import Path

import click

from fcdl.cli.common import game_argument, output_option, read_chart, write_output


@click.command("fmt")
@game_argument
@output_option
@click.option("--write", is_flag=True, help="Change the file itself.")
@click.option("--check", is_flag=True, help="Change nothing; exit with 1 if the layout would change.")
@click.pass_context
def command(ctx: click.Context, game: str, output: Path | None, write: bool, check: bool) -> None:
    """Tidy the layout of the chart GAME. Comments are kept."""
    from fcdl.language.forms import recognise
    from fcdl.language.text import format_source

    if write + check + (output is not None) > 1:
        raise click.UsageError("give only one of --write, --check and -o")
    if write and not Path(game).is_file():
        raise click.UsageError(f"--write needs a file, and '{game}' is none")
    _, filename, source = read_chart(game)
    if (form := recognise(source)) != "fcdl":
        raise click.ClickException(f"{filename} is written as {form}; 'fcdl convert --to fcdl' turns it into text")
    formatted = format_source(source, filename)
    if check:
        if formatted != source:
            click.echo(f"{filename}: the layout would change", err=True)
            ctx.exit(1)
    elif not write:
        write_output(formatted, output)
    elif formatted != source:
        write_output(formatted, Path(game))
