"""What the server keeps, in one SQLite file in WAL mode: visitors, drafts and their versions, tables, seats, logs.

Nothing else in fcdl knows SQL. The log of a table is append-only: its start, moves, and how far moves were taken back;
what was written is safe from a crash of the server when a call returns.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fcdl.errors import FcdlError

VERSION = 1
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Of ids that people may have to read out: nothing that looks like something else."""

_SCHEMA = """
CREATE TABLE visitors (id TEXT PRIMARY KEY, name TEXT NOT NULL, author INTEGER NOT NULL, made REAL NOT NULL);
CREATE TABLE charts (hash TEXT PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE drafts (
    id TEXT PRIMARY KEY, visitor TEXT NOT NULL REFERENCES visitors ON DELETE CASCADE, title TEXT NOT NULL,
    text TEXT NOT NULL, published TEXT, made REAL NOT NULL, changed REAL NOT NULL
);
CREATE INDEX drafts_of ON drafts (visitor);
CREATE TABLE versions (
    number INTEGER PRIMARY KEY, draft TEXT NOT NULL REFERENCES drafts ON DELETE CASCADE,
    text TEXT NOT NULL, note TEXT NOT NULL, made REAL NOT NULL
);
CREATE INDEX versions_of ON versions (draft);
CREATE TABLE tables (
    id TEXT PRIMARY KEY, visitor TEXT NOT NULL REFERENCES visitors ON DELETE CASCADE, chart TEXT NOT NULL,
    name TEXT NOT NULL, title TEXT NOT NULL, builtin INTEGER NOT NULL, players INTEGER NOT NULL,
    options TEXT NOT NULL, seed TEXT NOT NULL, open INTEGER NOT NULL, begun INTEGER NOT NULL, over TEXT,
    rematch TEXT, made REAL NOT NULL, changed REAL NOT NULL
);
CREATE INDEX tables_of ON tables (visitor);
CREATE INDEX tables_changed ON tables (changed);
CREATE TABLE seats (
    "table" TEXT NOT NULL REFERENCES tables ON DELETE CASCADE, seat INTEGER NOT NULL, token TEXT NOT NULL,
    name TEXT NOT NULL, person INTEGER NOT NULL, computer TEXT NOT NULL, visitor TEXT,
    PRIMARY KEY ("table", seat)
);
CREATE INDEX seats_of ON seats (visitor);
CREATE TABLE log (
    number INTEGER PRIMARY KEY, "table" TEXT NOT NULL REFERENCES tables ON DELETE CASCADE, entry TEXT NOT NULL
);
CREATE INDEX log_of ON log ("table");
CREATE TABLE chats (
    number INTEGER PRIMARY KEY, "table" TEXT NOT NULL REFERENCES tables ON DELETE CASCADE, seat INTEGER,
    name TEXT NOT NULL, text TEXT NOT NULL, made REAL NOT NULL
);
CREATE INDEX chats_of ON chats ("table");
"""


class StoreError(FcdlError):
    """Something that is not there, or not yours, or more than anybody may keep."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A chart that somebody draws."""

    id: str
    visitor: str
    title: str
    text: str
    published: str | None
    """The text that others may play, if there is one."""
    made: float
    changed: float


@dataclass(frozen=True, slots=True)
class Version:
    """A draft as it was once."""

    number: int
    text: str
    note: str
    made: float


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat: `person` if it is meant for one; `computer` is who plays it now, empty if a person does."""

    seat: int
    token: str
    name: str
    person: bool
    computer: str
    visitor: str | None


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as it was set up; `over` has the result in JSON when the game is over."""

    id: str
    visitor: str
    chart: str
    name: str
    title: str
    builtin: bool
    players: int
    options: dict[str, str]
    seed: str
    open: bool
    begun: bool
    over: dict[str, Any] | None
    rematch: str | None
    made: float
    changed: float


def new_token() -> str:
    """A secret that nobody can guess."""
    return secrets.token_urlsafe(24)


def new_id(length: int = 10) -> str:
    """A short name that is not taken, with near certainty."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def visitor_of(token: str) -> str:
    """Who has this secret; the store never has the secret itself."""
    return hashlib.sha256(token.encode()).hexdigest()[:32]


class Store:
    """The file. All calls come from one thread and are short."""

    def __init__(self, path: Path | None) -> None:
        """Opens or makes the file; None keeps everything in memory only. Raises StoreError, OSError."""
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600, exist_ok=True)
        try:
            self._db = sqlite3.connect(path or ":memory:", isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute("PRAGMA foreign_keys = ON")
            self._db.execute("PRAGMA busy_timeout = 5000")
            self._migrate()
        except sqlite3.DatabaseError as error:
            raise StoreError(f"cannot use {path}: {error}") from None

    def _migrate(self) -> None:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version == 0:
            with self._transaction():
                for statement in _SCHEMA.split(";"):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {VERSION}")
        elif version != VERSION:
            raise StoreError(f"the file of the server has version {version}, and this fcdl knows {VERSION}")

    def close(self) -> None:
        """Closes the file."""
        self._db.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _one(self, sql: str, *values: Any) -> Any:
        return self._db.execute(sql, values).fetchone()

    # --- visitors

    def visitor(self, visitor: str) -> tuple[str, bool]:
        """The name of a visitor and whether they may draw, who need not have come before."""
        row = self._one("SELECT name, author FROM visitors WHERE id = ?", visitor)
        return (row[0], bool(row[1])) if row else ("", False)

    def set_name(self, visitor: str, name: str) -> None:
        """What others call a visitor."""
        self._visit(visitor)
        self._db.execute("UPDATE visitors SET name = ? WHERE id = ?", (name, visitor))

    def make_author(self, visitor: str) -> None:
        """From now on the visitor may draw."""
        self._visit(visitor)
        self._db.execute("UPDATE visitors SET author = 1 WHERE id = ?", (visitor,))

    def _visit(self, visitor: str) -> None:
        self._db.execute("INSERT OR IGNORE INTO visitors VALUES (?, '', 0, ?)", (visitor, time.time()))

    def forget(self, visitor: str) -> None:
        """Deletes all that a visitor made, and their name wherever they sat."""
        with self._transaction():
            self._db.execute(
                'DELETE FROM chats WHERE EXISTS (SELECT 1 FROM seats WHERE seats."table" = chats."table"'
                " AND seats.seat = chats.seat AND seats.visitor = ?)",
                (visitor,),
            )
            self._db.execute("UPDATE seats SET name = '', visitor = NULL WHERE visitor = ?", (visitor,))
            self._db.execute("DELETE FROM visitors WHERE id = ?", (visitor,))
            self._db.execute("DELETE FROM charts WHERE hash NOT IN (SELECT chart FROM tables)")

    def everything_of(self, visitor: str) -> dict[str, Any]:
        """All that the server keeps of a visitor."""
        name, author = self.visitor(visitor)
        tables = self.tables_of(visitor)
        return {
            "name": name,
            "author": author,
            "drafts": [
                {
                    "title": draft.title,
                    "text": draft.text,
                    "published": draft.published,
                    "made": draft.made,
                    "changed": draft.changed,
                    "versions": [
                        {"text": one.text, "note": one.note, "made": one.made} for one in self.versions(draft.id)
                    ],
                }
                for draft in self.drafts(visitor)
            ],
            "tables": [
                {"id": row.id, "title": row.title, "options": row.options, "over": row.over, "made": row.made}
                for row in tables
            ],
            "chats": [
                {"table": table, "text": text, "made": made}
                for table, text, made in self._db.execute(
                    'SELECT chats."table", text, chats.made FROM chats JOIN seats ON seats."table" = chats."table"'
                    " AND seats.seat = chats.seat WHERE seats.visitor = ?",
                    (visitor,),
                )
            ],
        }

    # --- drafts

    _DRAFT = "SELECT id, visitor, title, text, published, made, changed FROM drafts"

    def drafts(self, visitor: str) -> list[Draft]:
        """A visitor's drafts, the last one first."""
        rows = self._db.execute(f"{self._DRAFT} WHERE visitor = ? ORDER BY changed DESC", (visitor,))
        return [Draft(*row) for row in rows]

    def published(self) -> list[Draft]:
        """What anybody may play, the last one first."""
        return [Draft(*row) for row in self._db.execute(f"{self._DRAFT} WHERE published IS NOT NULL ORDER BY title")]

    def draft(self, draft: str) -> Draft | None:
        """A draft by its id."""
        row = self._one(f"{self._DRAFT} WHERE id = ?", draft)
        return Draft(*row) if row else None

    def new_draft(self, visitor: str, title: str, text: str, most: int) -> str:
        """Begins a draft; raises StoreError if there are too many."""
        self._visit(visitor)
        (number,) = self._one("SELECT count(*) FROM drafts WHERE visitor = ?", visitor)
        if number >= most:
            raise StoreError(f"you have {number} drafts, and that is as many as the server keeps; delete one first")
        draft, now = new_id(), time.time()
        self._db.execute("INSERT INTO drafts VALUES (?, ?, ?, ?, NULL, ?, ?)", (draft, visitor, title, text, now, now))
        return draft

    def save_draft(self, draft: str, title: str, text: str) -> None:
        """What the draft says now."""
        self._db.execute(
            "UPDATE drafts SET title = ?, text = ?, changed = ? WHERE id = ?", (title, text, time.time(), draft)
        )

    def publish(self, draft: str, text: str | None) -> None:
        """Lets others play a text, or no longer (None)."""
        self._db.execute("UPDATE drafts SET published = ? WHERE id = ?", (text, draft))

    def delete_draft(self, draft: str) -> None:
        """A draft and all its versions."""
        self._db.execute("DELETE FROM drafts WHERE id = ?", (draft,))

    def versions(self, draft: str) -> list[Version]:
        """The versions of a draft, the last one first."""
        rows = self._db.execute(
            "SELECT number, text, note, made FROM versions WHERE draft = ? ORDER BY number DESC", (draft,)
        )
        return [Version(*row) for row in rows]

    def add_version(self, draft: str, text: str, note: str, most: int) -> None:
        """Keeps what a draft says, if it is not kept already; the oldest versions go when there are too many."""
        last = self._one("SELECT text FROM versions WHERE draft = ? ORDER BY number DESC LIMIT 1", draft)
        if last is not None and last[0] == text:
            return
        with self._transaction():
            self._db.execute(
                "INSERT INTO versions (draft, text, note, made) VALUES (?, ?, ?, ?)", (draft, text, note, time.time())
            )
            self._db.execute(
                "DELETE FROM versions WHERE draft = ? AND number NOT IN"
                " (SELECT number FROM versions WHERE draft = ? ORDER BY number DESC LIMIT ?)",
                (draft, draft, most),
            )

    # --- tables

    _TABLE = (
        "SELECT id, visitor, charts.text, name, title, builtin, players, options, seed, open, begun, over, rematch,"
        " made, changed FROM tables JOIN charts ON charts.hash = tables.chart"
    )

    def new_table(
        self,
        visitor: str,
        *,
        chart: str,
        name: str,
        title: str,
        builtin: bool,
        options: dict[str, str],
        is_open: bool,
        seats: Sequence[tuple[bool, str]],
        most: int,
    ) -> str:
        """Sets up a table; each seat is for a person or not, and has a computer or none. Raises StoreError."""
        self._visit(visitor)
        (number,) = self._one("SELECT count(*) FROM tables WHERE visitor = ? AND over IS NULL", visitor)
        if number >= most:
            raise StoreError(f"you have {number} tables that are not finished; delete one first")
        table, now = new_id(), time.time()
        digest = hashlib.sha256(chart.encode()).hexdigest()
        with self._transaction():
            self._db.execute("INSERT OR IGNORE INTO charts VALUES (?, ?)", (digest, chart))
            self._db.execute(
                "INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, NULL, NULL, ?, ?)",
                (
                    table,
                    visitor,
                    digest,
                    name,
                    title,
                    int(builtin),
                    len(seats),
                    json.dumps(options),
                    secrets.token_hex(16),
                    int(is_open),
                    now,
                    now,
                ),
            )
            self._db.executemany(
                "INSERT INTO seats VALUES (?, ?, ?, '', ?, ?, NULL)",
                [(table, seat, new_token(), int(person), computer) for seat, (person, computer) in enumerate(seats)],
            )
        return table

    def table(self, table: str) -> TableRow | None:
        """A table by its id."""
        row = self._one(f"{self._TABLE} WHERE id = ?", table)
        return _table(row) if row else None

    def tables_of(self, visitor: str) -> list[TableRow]:
        """The tables that a visitor set up or sits at, the last one first."""
        rows = self._db.execute(
            f'{self._TABLE} WHERE visitor = ? OR id IN (SELECT "table" FROM seats WHERE visitor = ?)'
            " ORDER BY changed DESC LIMIT 200",
            (visitor, visitor),
        )
        return [_table(row) for row in rows]

    def times_played(self) -> dict[str, int]:
        """How many tables there are of each game."""
        return dict(self._db.execute("SELECT name, count(*) FROM tables GROUP BY name").fetchall())

    def open_tables(self, *, over: bool, limit: int = 50) -> list[TableRow]:
        """Tables that anybody may join or watch, or that are finished, the last one first."""
        rows = self._db.execute(
            f"{self._TABLE} WHERE open = 1 AND (over IS NOT NULL) = ? ORDER BY changed DESC LIMIT ?", (int(over), limit)
        )
        return [_table(row) for row in rows]

    def seats(self, table: str) -> list[SeatRow]:
        """The seats of a table."""
        rows = self._db.execute(
            'SELECT seat, token, name, person, computer, visitor FROM seats WHERE "table" = ? ORDER BY seat', (table,)
        )
        return [
            SeatRow(seat, token, name, bool(person), computer, visitor)
            for seat, token, name, person, computer, visitor in rows
        ]

    def save_seat(self, table: str, row: SeatRow) -> None:
        """Who sits where, as it is now."""
        self._db.execute(
            "UPDATE seats SET name = ?, person = ?, computer = ?, visitor = ?, token = ?"
            ' WHERE "table" = ? AND seat = ?',
            (row.name, int(row.person), row.computer, row.visitor, row.token, table, row.seat),
        )

    def begin(self, table: str, step: dict[str, Any]) -> None:
        """The game begins; its first step."""
        with self._transaction():
            self._db.execute("UPDATE tables SET begun = 1, changed = ? WHERE id = ?", (time.time(), table))
            self._append(table, step)

    def append(self, table: str, entry: dict[str, Any], over: dict[str, Any] | None = None) -> None:
        """A move, or `{"undo": n}`: only n moves are left; and the result with the last one."""
        with self._transaction():
            result = None if over is None else json.dumps(over)
            self._db.execute("UPDATE tables SET changed = ?, over = ? WHERE id = ?", (time.time(), result, table))
            self._append(table, entry)

    def _append(self, table: str, entry: dict[str, Any]) -> None:
        text = json.dumps(entry, separators=(",", ":"))
        self._db.execute('INSERT INTO log ("table", entry) VALUES (?, ?)', (table, text))

    def steps(self, table: str) -> list[dict[str, Any]]:
        """The game as its log tells it: the start, then the moves that have not been taken back."""
        steps: list[dict[str, Any]] = []
        for (text,) in self._db.execute('SELECT entry FROM log WHERE "table" = ? ORDER BY number', (table,)):
            entry = json.loads(text)
            if "undo" in entry:
                del steps[1 + entry["undo"] :]
            else:
                steps.append(entry)
        return steps

    def set_rematch(self, table: str, other: str) -> None:
        """Where the players meet again."""
        self._db.execute("UPDATE tables SET rematch = ? WHERE id = ?", (other, table))

    def delete_table(self, table: str) -> None:
        """A table with its log."""
        self._db.execute("DELETE FROM tables WHERE id = ?", (table,))

    def delete_old(self, days: float) -> int:
        """Deletes tables that nobody has touched for so long, and charts that only they had."""
        with self._transaction():
            gone = self._db.execute("DELETE FROM tables WHERE changed < ?", (time.time() - days * 86_400,)).rowcount
            if gone:
                self._db.execute("DELETE FROM charts WHERE hash NOT IN (SELECT chart FROM tables)")
        return gone

    # --- chat

    def add_chat(self, table: str, seat: int | None, name: str, text: str) -> dict[str, Any]:
        """Somebody says something."""
        now = time.time()
        cursor = self._db.execute(
            'INSERT INTO chats ("table", seat, name, text, made) VALUES (?, ?, ?, ?, ?)', (table, seat, name, text, now)
        )
        return {"number": cursor.lastrowid, "seat": seat, "name": name, "text": text, "made": now}

    def chats(self, table: str, limit: int = 200) -> list[dict[str, Any]]:
        """What was said last."""
        rows = self._db.execute(
            'SELECT number, seat, name, text, made FROM chats WHERE "table" = ? ORDER BY number DESC LIMIT ?',
            (table, limit),
        ).fetchall()
        names = ("number", "seat", "name", "text", "made")
        return [dict(zip(names, row, strict=True)) for row in reversed(rows)]


def _table(row: Sequence[Any]) -> TableRow:
    values = list(row)
    values[5], values[9], values[10] = bool(row[5]), bool(row[9]), bool(row[10])
    values[7] = json.loads(row[7])
    values[11] = None if row[11] is None else json.loads(row[11])
    return TableRow(*values)
