"""Files of records, played again and verified."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from fcdl.arena.iss import as_record, game_texts, read_game
from fcdl.engines import make_engine
from fcdl.language.load import builtin_names, load_flowchart
from fcdl.model.engine import Engine, State
from fcdl.model.game import Game
from fcdl.model.moves import Move
from fcdl.model.record import MAX_LINE, Record, RecordError, from_line, game_name, record_game, replay


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a file, which may be packed (`.gz`); of one that is longer than any record only the beginning."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", errors="replace") as file:
        while line := file.readline(MAX_LINE + 1):
            yield line
            while len(line) > MAX_LINE and not line.endswith("\n"):
                line = file.readline(MAX_LINE + 1)


def read_records(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file of records with their numbers; blank lines are left out."""
    for number, line in enumerate(read_lines(path), start=1):
        if line.strip():
            yield number, line


def collected(paths: Iterable[Path], game: Game) -> Iterator[Record | RecordError]:
    """The records of many files, one by one, not replayed; instead of a bad one, what is wrong with it and where.

    Files of the International Skat Server are told by their names (`.sgf`, `.sgf.gz`). Raises RecordError if a file
    cannot be read, or if nothing in it can.
    """
    for path in paths:
        found = readable = 0
        first = ""
        try:
            for found, one in enumerate(_records_of(path, game), start=1):
                if isinstance(one, RecordError):
                    one = RecordError(f"{path}, record {found}: {one}")
                    first = first or str(one)
                else:
                    readable += 1
                yield one
        except (OSError, EOFError, zlib.error) as error:
            raise RecordError(f"{path} cannot be read: {error}") from None
        if not readable:
            raise RecordError(first or f"{path}: no records")


def _records_of(path: Path, game: Game) -> Iterator[Record | RecordError]:
    if ".sgf" in path.suffixes[-2:]:
        for text in game_texts(read_lines(path)):
            try:
                yield as_record(read_game(text))[0]
            except RecordError as error:
                yield error
        return
    for _, line in read_records(path):
        try:
            yield from_line(line, game.flowchart)
        except RecordError as error:
            yield error


def load_record(line: str, chart: str | None, engine: str) -> tuple[Record, Engine]:
    """A record and an engine for its game; raises RecordError."""
    name = game_name(line)
    if chart is None and name not in builtin_names():
        raise RecordError(f"'{name}' is not a built-in game; give its chart with --game")
    flowchart = load_flowchart(chart or name)
    record = from_line(line, flowchart)
    record_game(record, flowchart)
    return record, _engine(chart or name, record.game, record.players, tuple(sorted(record.options.items())), engine)


def verify_records(path: Path, chart: str | None, engine: str) -> Iterator[tuple[int, str | None]]:
    """For every record of a file its line number and what is wrong with it, None if it replays exactly."""
    for number, line in read_records(path):
        try:
            record, player = load_record(line, chart, engine)
            replay(player, record)
        except RecordError as error:
            yield number, str(error)
        else:
            yield number, None


def record_line(path: Path, number: int) -> str:
    """The line of a record in a file, the first being number 1; raises RecordError."""
    lines = [line for _, line in read_records(path)]
    if number > len(lines):
        raise RecordError(f"{path} has {len(lines)} records, not {number}")
    return lines[number - 1]


def numbered_record(path: Path, number: int, chart: str | None, engine: str) -> tuple[Record, Engine]:
    """A record of a file and an engine for its game; raises RecordError, which says where the record is."""
    line = record_line(path, number)
    with errors_of_record(path, number):
        return load_record(line, chart, engine)


@contextmanager
def errors_of_record(path: Path, number: int) -> Iterator[None]:
    """Whatever is wrong with a record is told with its place."""
    try:
        yield
    except RecordError as error:
        raise RecordError(f"{path}, record {number}: {error}") from None


def first_moves(record: Record, number: int) -> tuple[Move, ...]:
    """So many moves of a record; raises RecordError if it has fewer."""
    if number > len(record.moves):
        raise RecordError(f"the record has {len(record.moves)} moves, not {number}")
    return record.moves[:number]


def position(path: Path, number: int, chart: str | None, engine: str, moves: int) -> tuple[Engine, State]:
    """The position after so many moves of a record in a file, and an engine for it; raises RecordError."""
    record, player = numbered_record(path, number, chart, engine)
    return player, replay(player, record, until=len(first_moves(record, moves)))


@lru_cache(maxsize=8)
def _engine(chart: str, name: str, players: int, options: tuple[tuple[str, str], ...], engine: str) -> Engine:
    flowchart = load_flowchart(chart)
    return make_engine(Game.make(flowchart, name=name, players=players, options=dict(options)), engine)
