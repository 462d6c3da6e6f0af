"""`python -m tests.results`: plays the experiments that are missing and writes docs/results.md.

It lives with the tests because it is for a checkout only: it writes into docs/, and some experiments need OpenSpiel, a
development dependency.
"""

from __future__ import annotations

import time
from fnmatch import fnmatch

import click

from fcdl.cli.common import write_output
from tests.results.experiments import Curve, everything
from tests.results.page import pages
from tests.results.run import ROOT, FailedError, is_due, load, run, save


@click.command()
@click.argument("names", nargs=-1)
@click.option("--quick", is_flag=True, help="Few games: minutes, not hours.")
@click.option("--again", is_flag=True, help="Play also what has been played.")
@click.option("--page", is_flag=True, help="Play nothing, only write the page.")
@click.option("--list", "listed", is_flag=True, help="Only name the experiments and their commands.")
@click.option("--minutes", type=float, help="Begin no experiment after so many minutes.")
@click.option("-j", "--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@click.option("--cluster", metavar="ADDRESS|local:N", help="Play on a Dask cluster what needs no player of the tests.")
def main(
    names: tuple[str, ...],
    quick: bool,
    again: bool,
    page: bool,
    listed: bool,
    minutes: float | None,
    jobs: int,
    cluster: str | None,
) -> None:
    """Play the experiments whose NAMES match (durak-*; all by default) and write docs/results.md.

    Each result is kept at once, and what was killed in its middle goes on where it was.
    """
    started = time.monotonic()
    for experiment in everything().values():
        if page or (names and not any(fnmatch(experiment.name, name) for name in names)):
            continue
        if listed:
            click.echo(f"{experiment.name}: {experiment.command(quick)}")
            continue
        if not again and not is_due(experiment, load(), quick):
            continue
        if minutes is not None and time.monotonic() - started > 60 * minutes:
            click.echo("no time left; the same command continues")
            break
        click.echo(f"{experiment.name}: {experiment.command(quick)}")
        begun = time.monotonic()
        try:
            elsewhere = cluster is not None and experiment.program == "fcdl"
            found = run(experiment, quick, ["--cluster", str(cluster)] if elsewhere else ["-j", str(jobs)])
        except FailedError as error:
            click.echo(f"  not played: {error}", err=True)
            continue
        save(load() | {experiment.name: found})
        result = found["result"]
        if isinstance(experiment, Curve):
            click.echo("  " + ", ".join(f"{row['value']}: {100 * row['win_rate']:.1f}" for row in result["values"]))
        else:
            for figure in experiment.figures:
                click.echo(f"  {figure.what}: {figure.ours(result).value:.2f}")
        click.echo(f"  {time.monotonic() - begun:.0f} s")
    if not listed:
        for path, text in pages(load()).items():
            write_output(text, ROOT / "docs" / path)


if __name__ == "__main__":
    main()
