"""`fcdl rerun`: a run again, from its manifest."""

from __future__ import annotations

from pathlib import Path

import click

from fcdl.cli.runs import EXPECTED_CHART, read_manifest


@click.command("rerun", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("manifest", type=click.Path(path_type=Path, exists=True))
@click.argument("more", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def command(ctx: click.Context, manifest: Path, more: tuple[str, ...]) -> None:
    """Repeat a run: MANIFEST is its manifest, the folder of a run (--resume), or a result (--json).

    Options after it are added, such as -j 4 or --rows FILE. The games are the same if the chart is; another version of
    fcdl is noted. Agents with a time limit instead of a number of steps may play otherwise.
    """
    from fcdl import __version__
    from fcdl.arena.run import RunError
    from fcdl.cli import COMMANDS, main

    found = read_manifest(manifest)
    if not found.command or found.command[0] not in COMMANDS or found.command[0] == "rerun":
        raise RunError(f"{manifest}: 'command' is none that can be repeated")
    if found.version != __version__:
        click.echo(f"fcdl: note: this was fcdl {found.version}, now it is {__version__}", err=True)
    words = [*found.command, *more]
    click.echo(f"fcdl {' '.join(words)}", err=True)
    ctx.meta[EXPECTED_CHART] = found.chart
    code = main.main(words, prog_name="fcdl", standalone_mode=False, parent=ctx.parent)
    ctx.exit(code if isinstance(code, int) else 0)
