"""Results as data: a row for every seat of every game, as CSV or Parquet."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from fcdl.arena.play import Played
from fcdl.arena.simulate import Setup
from fcdl.errors import FcdlError

FORMS = (".csv", ".parquet")
GROUP = 50_000
"""Rows that are written to a Parquet file at a time."""


class RowsError(FcdlError):
    """Rows that cannot be written in this form."""

    exit_code = 2


def game_rows(setup: Setup, index: int, played: Played) -> Iterator[dict[str, Any]]:
    """The seats of one game as rows of a data frame."""
    outcome, seating = played.outcome, setup.seating(index)
    sides = setup.game.winning_sides(outcome.scores)
    for seat, agent in enumerate(seating):
        row = {
            "game": index,
            "deal": setup.deal(index),
            "seat": seat,
            "agent": setup.agents[agent],
            "score": outcome.scores[seat],
            "won": any(seat in side for side in sides) / len(sides),
            "first": seat == played.first,
            "moves": played.moves[seat],
            "reason": str(outcome.reason),
        }
        for name, values in zip(setup.watch, played.watched, strict=True):
            row[name] = values[seat if len(values) > 1 else 0]
        yield row


class Sink(Protocol):
    """What rows are written to."""

    def add(self, row: dict[str, Any]) -> None:
        """One more row; all have the same columns."""

    def close(self) -> None:
        """That was all."""


class Rows:
    """A file of rows that appears when it is closed, whole; the rows of an interrupted run are written, too."""

    def __init__(self, path: Path) -> None:
        if path.suffix not in FORMS:
            raise RowsError(f"{path}: rows are written as {' or '.join(FORMS)}")
        self.path = path
        self._beside = path.with_name(f".{path.name}.{os.getpid()}")
        self._sink: Sink = (_Csv if path.suffix == ".csv" else _Parquet)(self._beside)

    def add(self, setup: Setup, index: int, played: Played, match: str = "") -> None:
        """The rows of a game; `match` says which of several series it belongs to."""
        for row, seconds in zip(game_rows(setup, index, played), played.seconds, strict=True):
            self._sink.add({"match": match, **row, "ms": round(1000 * seconds, 3)})

    def close(self) -> None:
        """Gives the file its name."""
        self._sink.close()
        if self._beside.exists():
            self._beside.replace(self.path)


class _Csv:
    def __init__(self, path: Path) -> None:
        self._file = path.open("w", newline="", encoding="utf-8")
        self._writer: csv.DictWriter[str] | None = None

    def add(self, row: dict[str, Any]) -> None:
        if self._writer is None:
            self._writer = csv.DictWriter(self._file, list(row), lineterminator="\n")
            self._writer.writeheader()
        self._writer.writerow(row)

    def close(self) -> None:
        self._file.close()


class _Parquet:
    def __init__(self, path: Path) -> None:
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            raise RowsError("Parquet needs pyarrow: pip install 'fcdl[frames]', or write a .csv") from None
        self._path, self._rows = path, list[dict[str, Any]]()
        self._writer: Any = None

    def add(self, row: dict[str, Any]) -> None:
        self._rows.append(row)
        if len(self._rows) >= GROUP:
            self._flush()

    def _flush(self) -> None:
        import pyarrow
        from pyarrow import parquet

        if self._rows:
            table = pyarrow.Table.from_pylist(self._rows)
            if self._writer is None:
                self._writer = parquet.ParquetWriter(self._path, table.schema)
            self._writer.write_table(table)
        self._rows = []

    def close(self) -> None:
        self._flush()
        if self._writer is not None:
            self._writer.close()
