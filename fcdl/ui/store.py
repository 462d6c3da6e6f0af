"""Where games are kept by themselves: a folder for the user's data, with a journal of every game that is not over."""

from __future__ import annotations

import errno
import os
import re
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fcdl.errors import FcdlError
from fcdl.model.record import to_line
from fcdl.ui.journal import JournalHead, journal_head
from fcdl.ui.opponents import shown_name
from fcdl.ui.session import Session

FOLDER_VARIABLE = "FCDL_DATA"
"""The environment variable that names another folder."""


def data_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The folder for what fcdl keeps for the user, where the platform wants it; it may not exist. Raises OSError."""
    if given := environment.get(FOLDER_VARIABLE):
        return Path(given)
    if platform == "darwin":
        return _home() / "Library" / "Application Support" / "fcdl"
    if platform == "win32":
        local = environment.get("LOCALAPPDATA")
        return (Path(local) if local else _home() / "AppData" / "Local") / "fcdl"
    given = environment.get("XDG_DATA_HOME", "")
    return (Path(given) if Path(given).is_absolute() else _home() / ".local" / "share") / "fcdl"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        raise FileNotFoundError(errno.ENOENT, f"this user has no home folder; set {FOLDER_VARIABLE}") from None


@dataclass(frozen=True, slots=True)
class Kept:
    """A game that can be continued."""

    path: Path
    head: JournalHead
    changed: float
    """When the last move was made, in seconds since 1970."""

    @property
    def moves(self) -> str:
        """How far the game is: `12 moves`."""
        return f"{self.head.moves} move{'s' if self.head.moves != 1 else ''}"

    @property
    def text(self) -> str:
        """The game in a line: `hearts, 12 moves, scores 3/0/10/0, human/normal/normal/normal, 2026-01-31 20:15`."""
        scores = f"scores {'/'.join(self.head.scores)}, " if self.head.scores else ""
        return f"{self.head.game}, {self.moves}, {scores}{'/'.join(map(shown_name, self.head.seats))}, {self.when}"

    @property
    def when(self) -> str:
        """When the last move was made: `2026-01-31 20:15`."""
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(self.changed))


def kept_games() -> list[Kept]:
    """The games that were not finished, the last one first; files that are none are left out."""
    return [kept for kept in _journals() if not kept.head.over]


def finished_games() -> list[Kept]:
    """Games that are over, but were not put away, as when the power failed; and those on a result screen elsewhere."""
    return [kept for kept in _journals() if kept.head.over]


def _journals() -> list[Kept]:
    found: list[Kept] = []
    try:
        folder = data_folder()
    except OSError:
        return found
    for path in folder.glob("*.journal") if folder.is_dir() else ():
        try:
            found.append(Kept(path, journal_head(path), path.stat().st_mtime))
        except (FcdlError, OSError):
            continue
    return sorted(found, key=lambda kept: (-kept.changed, kept.path.name))


def records_file() -> Path:
    """The file with the records of all games that were finished."""
    return data_folder() / "games.jsonl"


def keep(session: Session) -> str | None:
    """Keeps a game from now on after every move; says what is wrong if that cannot be done."""
    try:
        folder = data_folder()
        folder.mkdir(parents=True, exist_ok=True)
        session.save(new_file(folder, session.game.name))
    except OSError as error:
        place = f" in {error.filename}" if error.filename else ""
        return f"The game cannot be saved{place}: {error.strerror}."
    return None


def put_away(session: Session) -> None:
    """Ends keeping a game: a finished one becomes a record, one in which nobody has decided anything is dropped."""
    journal = session.journal
    if journal is None or journal.path.parent != data_folder() or not journal.path.is_file():
        return
    if session.outcome is not None:
        _append(records_file(), to_line(session.record(), session.game.flowchart.deck))
    elif session.decided:
        return
    journal.path.unlink(missing_ok=True)


def _append(path: Path, line: str) -> None:
    """Adds a line that is on the disk when this returns; one that a crash left half written is ended first."""
    with path.open("a+b") as file:
        if file.seek(0, os.SEEK_END):
            file.seek(-1, os.SEEK_END)
            if file.read() != b"\n":
                file.write(b"\n")
        file.write(f"{line}\n".encode())
        file.flush()
        os.fsync(file.fileno())


def export(session: Session, folder: Path) -> Path:
    """Writes the record of a finished game into a new file; raises RecordError before its end, or OSError."""
    line = to_line(session.record(), session.game.flowchart.deck)
    path = new_file(folder, session.game.name, ".jsonl")
    path.write_text(line + "\n", encoding="utf-8")
    return path


def new_file(folder: Path, name: str, ending: str = ".journal") -> Path:
    """A file name for a game that does not exist yet."""
    number, name = 1, re.sub(r"[^\w .-]|^\.+", "_", name)[:100]  # the name may come from anybody's journal
    while (path := folder / f"{name}-{number}{ending}").exists():
        number += 1
    return path
