"""A run: games of one setup or of several, or other work, done by an executor and kept in a journal.

The journal is a file of JSON lines in a folder of the run: one for the run itself (its manifest), then one for each
batch of games, as soon as it is finished. So a run that was killed at any moment can be continued, and loses at most
the batches under way. Lines that a crash cut off are left out, and played again.

Commands get their run from `fcdl.cli.runs.playing`, which reads -j, --cluster and --resume, and use `Run.runner` for
games or `Run.pieces` for any other `Work`:

    with playing(ctx, game, agents, seed, places) as session:
        for number, piece in session.run.pieces(work, range(1000)):
            ...
"""

from __future__ import annotations

import itertools
import json
import os
import platform
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from fcdl import __version__
from fcdl.agents import AgentError
from fcdl.arena.executors import Executor, Failure, Here, Piece, Player, Work, Worker, batches
from fcdl.arena.executors import executor as make_executor
from fcdl.arena.play import Played
from fcdl.arena.simulate import Setup
from fcdl.errors import FcdlError
from fcdl.model.game import Game
from fcdl.model.record import RecordError, from_line, to_line

VERSION = 1
JOURNAL, MANIFEST, FAILED = "journal.jsonl", "manifest.json", "failed.jsonl"
MOST_FAILURES = 100
"""After so many games that could not be played a run is given up."""


class RunError(FcdlError):
    """A run that cannot be continued or repeated, or in which too many games failed."""


@dataclass
class Manifest:
    """What a run is: everything that is needed to repeat it, and where and when it was made."""

    command: list[str]
    """The arguments of `fcdl` that repeat it, with the seed."""
    game: str
    chart: str
    """The chart's hash."""
    options: Mapping[str, str]
    players: int
    agents: Sequence[str]
    seed: str
    version: str = __version__
    machine: Mapping[str, Any] = field(default_factory=lambda: machine())
    started: str = field(default_factory=lambda: now())
    ended: str | None = None
    games: int = 0

    @classmethod
    def of(cls, game: Game, agents: Sequence[str], seed: str, command: Sequence[str]) -> Manifest:
        """Of a run that begins now."""
        options = {name: game.option_text(name) for name in game.options}
        return cls(list(command), game.name, game.flowchart.hash, options, game.players, list(agents), seed)

    def json(self) -> dict[str, Any]:
        """As it is written down."""
        return {"fcdl_run": VERSION, **self.__dict__}

    @classmethod
    def read(cls, value: object, where: str) -> Manifest:
        """From JSON, of its own or with results; raises RunError."""
        if isinstance(value, dict) and "manifest" in value:
            value = value["manifest"]
        if not isinstance(value, dict) or value.get("fcdl_run") != VERSION:
            raise RunError(f"{where} is not the manifest of a run (--json, --rows and --resume write them)")
        try:
            manifest = cls(**{name: item for name, item in value.items() if name != "fcdl_run"})
        except TypeError:
            raise RunError(f"{where}: a manifest of another version of fcdl ({value.get('version')})") from None
        if not all(isinstance(word, str) for word in manifest.command):
            raise RunError(f"{where}: 'command' is not a list of texts")
        return manifest

    def differences(self, other: Manifest) -> list[str]:
        """In what two runs differ whose games should be the same."""
        names = ("game", "chart", "options", "players", "agents", "seed", "version")
        return [name for name in names if getattr(self, name) != getattr(other, name)]


def machine() -> dict[str, Any]:
    """Where this process runs."""
    return {"system": platform.system(), "machine": platform.machine(), "python": platform.python_version(),
            "cores": os.cpu_count()}  # fmt: skip


def now() -> str:
    """The time, as it is written down."""
    return time.strftime("%Y-%m-%dT%H:%M:%S%z")


# --- the journal


def _to_json(piece: Piece | Failure, work: Work) -> Any:
    if isinstance(piece, Failure):
        line = to_line(piece.record, work.game.flowchart.deck) if piece.record is not None else None
        return {"error": piece.error, "record": line}
    return work.to_json(piece)


def _from_json(value: Any, index: int, work: Work) -> Piece | Failure:
    if isinstance(value, dict) and "error" in value:
        line = value["record"]
        return Failure(index, str(value["error"]), from_line(line, work.game.flowchart) if line else None)
    return work.from_json(value)


class Journal:
    """The finished games of a run in its folder; a folder that has some is continued.

    With `after`, nothing is written in the first seconds: most runs are over by then, and need no journal.
    """

    def __init__(self, folder: Path, manifest: Manifest, after: float = 0.0) -> None:
        """Raises RunError if another run is there."""
        self.folder, self.manifest = folder, manifest
        self.path = folder / JOURNAL
        self.found: dict[str, dict[int, Any]] = {}
        """By the key of a work and the number of a piece what is written of it."""
        self.file: BinaryIO | None = None
        self._opens = time.monotonic() + after
        self._waiting: list[bytes] = []
        if self.path.exists():
            self._read()
        if not after:
            self._open()

    def _open(self) -> BinaryIO:
        if self.file is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.file = self.path.open("ab")
            if not self.path.stat().st_size:
                self.file.write(_line({"run": self.manifest.json()}))
            write_json(self.folder / MANIFEST, self.manifest.json())
        return self.file

    def _read(self) -> None:
        """Everything that is whole; what a crash cut off is ended, so that the next line is one again."""
        data = self.path.read_bytes()
        if data and not data.endswith(b"\n"):
            with self.path.open("ab") as file:
                file.write(b"\n")
        values = [value for value in map(_value, data.splitlines()) if value is not None]
        if not values:
            self.path.unlink()  # it did not get beyond its first line
            return
        before = Manifest.read(values[0].get("run"), str(self.path))
        if different := before.differences(self.manifest):
            raise RunError(
                f"{self.folder} has another run: {', '.join(different)} differ{'s' * (len(different) == 1)} "
                f"(it was: fcdl {' '.join(before.command)})"
            )
        self.manifest.started = before.started
        for value in values[1:]:
            setup, first, games = value.get("setup"), value.get("first"), value.get("games")
            if isinstance(setup, str) and isinstance(first, int) and isinstance(games, list):
                self.found.setdefault(setup, {}).update(enumerate(games, start=first))

    def take(self, work: Work, index: int) -> Piece | Failure | None:
        """A piece that was finished before; None if there is none, or none that can be read."""
        value = self.found.get(work.key, {}).pop(index, None)
        try:
            return None if value is None else _from_json(value, index, work)
        except (KeyError, TypeError, ValueError, RecordError):
            return None

    def has(self, work: Work) -> frozenset[int]:
        """The numbers of the pieces of a work that are there."""
        return frozenset(self.found.get(work.key, ()))

    def add(self, work: Work, first: int, pieces: Sequence[Piece | Failure]) -> None:
        """A finished batch."""
        value = {"setup": work.key, "first": first, "games": [_to_json(piece, work) for piece in pieces]}
        self._waiting.append(_line(value))
        if time.monotonic() >= self._opens:
            self.flush()

    def flush(self) -> None:
        """Writes what has waited."""
        file = self._open()
        file.writelines(self._waiting)
        file.flush()
        self._waiting = []

    def close(self, games: int, failures: Sequence[tuple[Setup, Failure]]) -> None:
        """Writes down what the run came to, if anything of it was written."""
        if self.file is None:
            return
        self.flush()
        self.file.close()
        self.manifest.games, self.manifest.ended = games, now()
        write_json(self.folder / MANIFEST, self.manifest.json())
        if failures:
            lines = [to_line(one.record, setup.game.flowchart.deck) for setup, one in failures if one.record]
            (self.folder / FAILED).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _line(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _value(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def write_json(path: Path, value: object) -> None:
    """Writes a small file, whole or not at all."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    beside.replace(path)


# --- playing


class Run(AbstractContextManager["Run"]):
    """Where the work of a command is done and kept; it has a runner for each of its setups."""

    def __init__(self, executor: Executor | None = None, journal: Journal | None = None) -> None:
        self.executor = executor or Here()
        self.journal = journal
        self.failures: list[tuple[Setup, Failure]] = []
        self.games = 0

    def runner(self, setup: Setup) -> Runner:
        """Plays games of a setup; agents are checked now."""
        return Runner(setup, run=self)

    def pieces(self, work: Work, indexes: range, worker: Worker | None = None) -> Iterator[tuple[int, Piece | Failure]]:
        """Does the pieces of a work with these numbers and yields them in order; those of the journal are there.

        A piece that could not be done is a Failure. `worker` is one of the work that is there already, if any.
        """
        journal, executor = self.journal, self.executor
        there = journal.has(work) if journal is not None else frozenset[int]()
        missing = list(_ranges(index for index in indexes if index not in there))
        if missing:
            executor.begin(work, worker)
        done = executor.play(batches(iter(missing), executor.workers))
        writer = _Writer(work, journal)
        try:
            for index in indexes:
                found = journal.take(work, index) if journal is not None and index in there else None
                if found is None and index in there:  # damaged
                    worker = worker or work.worker()
                    found = worker(index)
                if found is None:
                    number, found = next(done)
                    assert number == index
                    writer.add(index, found)
                yield index, found
        finally:
            writer.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.executor.close(error)
        finally:
            if self.journal is not None:
                self.journal.close(self.games, self.failures)


class Runner(AbstractContextManager["Runner"]):
    """Plays games of one setup, in this process or in several; agents are checked when it is made."""

    def __init__(self, setup: Setup, jobs: int = 1, *, run: Run | None = None) -> None:
        self.setup = setup
        self.player = Player(setup)
        self.run = run or Run(make_executor(jobs))
        self._own_run = run is None

    @property
    def sees_all(self) -> list[bool]:
        """For each agent whether it is shown the true position."""
        return self.player.sees_all

    @property
    def notes(self) -> dict[str, str]:
        """What there is to say about agents that cannot play as they are meant to."""
        agents = zip(self.setup.agents, self.player.agents, strict=True)
        return {name: note for name, (agent, *_) in agents if (note := getattr(agent, "note", ""))}

    def play(self, indexes: range) -> Iterator[tuple[int, Played]]:
        """Plays the games with these numbers and yields them in order; those of the journal are not played again.

        A game that cannot be played is left out and kept in `failures`. Raises AgentError if already the first fails.
        """
        for index, game in self.run.pieces(self.setup, indexes, self.player.play):
            if isinstance(game, Played):
                self.run.games += 1
                yield index, game
                continue
            if not self.run.games:
                raise AgentError(game.error)
            self.run.failures.append((self.setup, game))
            if len(self.run.failures) >= MOST_FAILURES:
                raise RunError(f"{MOST_FAILURES} games could not be played; the last because: {game.error}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._own_run:
            self.run.__exit__(kind, error, trace)


def _ranges(numbers: Iterator[int]) -> Iterator[range]:
    """Numbers that rise, as ranges."""
    for _, group in itertools.groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        members = [number for _, number in group]
        yield range(members[0], members[-1] + 1)


WRITE_SECONDS = 1.0
"""Finished games are written down at least so often."""


class _Writer:
    """Gathers pieces that follow each other and writes them down, all that came within a second at once."""

    def __init__(self, work: Work, journal: Journal | None) -> None:
        self.work, self.journal = work, journal
        self.first = 0
        self.pieces: list[Piece | Failure] = []
        self.written = time.monotonic()

    def add(self, index: int, piece: Piece | Failure) -> None:
        """One more piece."""
        if self.journal is None:
            return
        if self.pieces and index != self.first + len(self.pieces):
            self.flush()
        if not self.pieces:
            self.first = index
        self.pieces.append(piece)
        if time.monotonic() - self.written > WRITE_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Writes what there is."""
        if self.journal is not None and self.pieces:
            self.journal.add(self.work, self.first, self.pieces)
        self.pieces, self.written = [], time.monotonic()
