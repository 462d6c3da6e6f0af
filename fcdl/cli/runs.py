"""What all commands that play many games share: where the games are played, kept and written as rows."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fcdl.cli.common import check_output
from fcdl.cli.options import jobs_option, new_seed

if TYPE_CHECKING:
    from fcdl.arena.play import Played
    from fcdl.arena.rows import Rows
    from fcdl.arena.run import Manifest, Run, Runner
    from fcdl.arena.simulate import Setup
    from fcdl.model.game import Game

LAST = "last"
EXPECTED_CHART = "fcdl.chart"
"""The hash that the chart of a repeated run must have (`ctx.meta`)."""
KEPT_AFTER = 5.0
"""A run that takes longer than so many seconds is kept, so that it can be continued whatever happens."""
KEPT_RUNS = 20
"""So many runs that were not finished are kept, the newest."""

_OPTIONS = (
    jobs_option,
    click.option(
        "--cluster",
        metavar="ADDRESS|local:N",
        help="Play on the workers of a Dask scheduler, or in N processes of a new one; the results are the same.",
    ),
    click.option(
        "--resume",
        metavar="FOLDER|last",
        help="Keep finished games in this folder, and continue from those that are there; last: the last run that was "
        "not finished.",
    ),
    click.option(
        "--rows",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Write a row for every seat of every game, as .csv or .parquet, and the run's manifest beside it.",
    ),
)
_NOT_REPEATED = ("-j", "--jobs", "--cluster", "--resume", "--rows", "-o", "--output")
"""Options that do not change what is played, so that a manifest's command leaves them out; all have a value."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where games are played, kept and written as rows."""

    jobs: int
    cluster: str | None
    resume: str | None
    rows: Path | None


def run_options(command: Callable[..., None]) -> Callable[..., None]:
    """-j, --cluster, --resume and --rows, as one argument `places`."""
    return _with_places(command, _OPTIONS)


def work_options(command: Callable[..., None]) -> Callable[..., None]:
    """The same without --rows, for work that is not simply games."""
    return _with_places(command, _OPTIONS[:-1])


def _with_places(command: Callable[..., None], options: Sequence[Callable[..., Any]]) -> Callable[..., None]:
    @wraps(command)
    def with_places(
        *, jobs: int, cluster: str | None, resume: str | None, rows: Path | None = None, **others: Any
    ) -> None:
        command(places=Places(jobs, cluster, resume, rows), **others)

    decorated: Callable[..., None] = with_places
    for option in reversed(options):
        decorated = option(decorated)
    return decorated


class Session:
    """A run of a command, its manifest, and the rows that it writes."""

    def __init__(self, run: Run, manifest: Manifest, rows: Rows | None, folder: Path) -> None:
        self.run, self.manifest, self.rows, self.folder = run, manifest, rows, folder

    def runner(self, setup: Setup) -> Runner:
        """Plays games of a setup."""
        return self.run.runner(setup)

    def note(self, setup: Setup, index: int, played: Played, match: str = "") -> None:
        """Writes the rows of a game."""
        if self.rows is not None:
            self.rows.add(setup, index, played, match)

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """Results with what could not be played, and the manifest."""
        self.manifest.games = self.run.games
        failed = {"failed": len(self.run.failures)} if self.run.failures else {}
        return result | failed | {"manifest": self.manifest.json()}


def run_folder(resume: str | None) -> Path | None:
    """The folder of the run to continue, or to begin; raises ClickException if there is none to continue."""
    if resume != LAST:
        return Path(resume) if resume is not None else None
    kept = _kept_runs()
    if not kept:
        raise click.ClickException("there is no run to continue")
    return kept[-1]


def chosen_seed(seed: str | None, places: Places) -> str:
    """The seed that was given, that of the run to continue, or a new one."""
    from fcdl.arena.run import MANIFEST

    folder = run_folder(places.resume)
    if seed is None and folder is not None and (folder / MANIFEST).exists():
        return read_manifest(folder).seed
    return new_seed() if seed is None else seed


def read_manifest(path: Path) -> Manifest:
    """The manifest in a file, of a folder, or within results; raises RunError or OSError."""
    import json

    from fcdl.arena.run import MANIFEST, Manifest, RunError

    file = path / MANIFEST if path.is_dir() else path
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        raise RunError(f"{file} is not a manifest") from None
    return Manifest.read(value, str(file))


@contextmanager
def playing(
    ctx: click.Context,
    game: Game,
    agents: Sequence[str],
    seed: str,
    places: Places,
    *,
    keep: bool = False,
) -> Iterator[Session]:
    """A run for the length of a command; what was played is kept until the run is finished, and then thrown away
    unless a folder was given, or it is to `keep`.
    """
    from fcdl.arena.executors import executor
    from fcdl.arena.rows import Rows
    from fcdl.arena.run import Journal, Manifest, Run, RunError, now, write_json

    resume, rows = places.resume, places.rows
    if places.cluster is not None and places.jobs > 1:
        raise click.UsageError("--jobs is for this machine, --cluster for others: give one of them")
    check_output(rows)
    manifest = Manifest.of(game, agents, seed, repeated(ctx, seed))
    if ctx.meta.get(EXPECTED_CHART, manifest.chart) != manifest.chart:
        raise RunError(f"the chart of {game.name} is not the one of this run any more")
    folder = run_folder(resume)
    is_own = resume in (None, LAST) and not keep
    if folder is None:
        folder = _new_folder(str(ctx.info_name), game.name)
    journal = Journal(folder, manifest, KEPT_AFTER if resume is None and not keep else 0.0)
    table = Rows(rows) if rows is not None else None
    run = Run(executor(places.jobs, places.cluster), journal)
    finished = False
    try:
        with run:
            yield Session(run, manifest, table, folder)
            finished = True
    finally:
        if table is not None and rows is not None:
            table.close()
            manifest.games, manifest.ended = run.games, now()
            write_json(rows.with_name(f"{rows.name}.manifest.json"), manifest.json())
        _tell_failures(run, folder)
        if is_own and folder.exists():
            if finished and not run.failures:
                shutil.rmtree(folder, ignore_errors=True)
            elif not finished:
                click.echo("fcdl: what was played is kept; the same command with --resume last goes on", err=True)
    if run.failures:
        ctx.exit(1)


def _tell_failures(run: Run, folder: Path) -> None:
    from fcdl.arena.run import FAILED

    for setup, failure in run.failures[:5]:
        click.echo(f"fcdl: game {failure.index} of {'/'.join(setup.agents)}: {failure.error}", err=True)
    if run.failures:
        where = f"; records: {folder / FAILED}" if (folder / FAILED).exists() else ""
        click.echo(f"fcdl: {len(run.failures)} games could not be played and are not counted{where}", err=True)


def repeated(ctx: click.Context, seed: str) -> list[str]:
    """The arguments that repeat a command: with its seed, without where it was played and what it wrote."""
    from fcdl.cli import ARGUMENTS

    words: list[str] = []
    given = iter(ctx.meta.get(ARGUMENTS, ()))
    for word in given:
        name = word.partition("=")[0] if word.startswith("--") else word
        if name in _NOT_REPEATED:
            if "=" not in word:
                next(given, None)
        elif not (word[:2] in ("-j", "-o") and len(word) > 2):
            words.append(word)
    has_seed = any(word == "--seed" or word.startswith("--seed=") for word in words)
    return words if has_seed else [*words, "--seed", seed]


def _runs_folder() -> Path:
    from fcdl.ui.store import data_folder

    return data_folder() / "runs"


def _kept_runs() -> list[Path]:
    """The runs that were not finished, the newest last."""
    from fcdl.arena.run import MANIFEST

    folder = _runs_folder()
    found = [path for path in folder.iterdir() if (path / MANIFEST).exists()] if folder.is_dir() else []
    return sorted(found, key=lambda path: path.stat().st_mtime)


def _new_folder(command: str, game: str) -> Path:
    """Where a run is kept for which no folder was given; old ones make room."""
    from fcdl.ui.store import new_file

    for old in _kept_runs()[:-KEPT_RUNS]:
        shutil.rmtree(old, ignore_errors=True)
    return new_file(_runs_folder(), f"{command}-{game}", "")
