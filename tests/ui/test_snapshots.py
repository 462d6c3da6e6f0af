"""What stands on the screen, compared letter by letter with `snapshots/`.

After a wanted change look at what `FCDL_SNAPSHOTS=write pytest tests/ui/test_snapshots.py` writes, with git diff.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fcdl.language.catalogue import catalogue
from fcdl.ui.replay_screen import ReplayApp
from fcdl.ui.session import Session
from fcdl.ui.start import StartApp
from fcdl.ui.table import TableApp
from fcdl.ui.teacher import Teacher
from tests.ui import guessing
from tests.ui.driving import LARGE, SMALL, with_app
from tests.ui.tables import LONGER, SHORT, crowded, everything, play_on, play_to_your_turn, session

SNAPSHOTS = Path(__file__).parent / "snapshots"


def compare(name: str, lines: list[str]) -> None:
    """Fails if the screen is not as it was."""
    path = SNAPSHOTS / f"{name}.txt"
    text = "".join(f"{line.rstrip()}\n" for line in lines)
    if os.environ.get("FCDL_SNAPSHOTS") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def after(table: Session, moves: int) -> Session:
    play_on(table, moves)
    play_to_your_turn(table)
    return table


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("name", LONGER)
def test_table(name: str, size: tuple[int, int]) -> None:
    app = TableApp(after(session(name), 18 if name != "trumps" else 5), pace=0)
    compare(f"{name}-{size[0]}x{size[1]}", with_app(app, size=size))


@pytest.mark.parametrize("size", [SMALL, (40, 16), (20, 8)])
def test_crowded_table(size: tuple[int, int]) -> None:
    compare(f"crowded-{size[0]}x{size[1]}", with_app(TableApp(crowded(), pace=0), size=size))


@pytest.mark.parametrize("number", range(9))
def test_decisions_of_every_kind(number: int) -> None:
    compare(f"decision-{number}", with_app(TableApp(after(everything(), number), pace=0)))


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("rules", "r"),
        ("hint", "h"),
        ("known", "?"),
        ("over", "enter enter"),
        ("review", "enter enter v"),
        ("position", "enter enter v enter"),
    ],
)
def test_panels(name: str, keys: str, monkeypatch: pytest.MonkeyPatch) -> None:
    guessing.make_known(monkeypatch)
    table = after(session("trumps"), 10)
    table.teacher = Teacher(table.game, table.engine, advisers=("guesser",), talkers=())
    compare(f"panel-{name}", with_app(TableApp(table, pace=0), *keys.split()))


def test_face_up_table() -> None:
    table = session("hearts")
    table.face_up = True
    compare("face-up", with_app(TableApp(after(table, 18), pace=0)))


def test_handover() -> None:
    table = session("trumps")
    people = Session(table.game, ("human", "human"), "1", engine=table.engine)
    compare("handover", with_app(TableApp(people, pace=0)))


@pytest.mark.parametrize("keys", ["", "right right v", "end v v"])
def test_replay(keys: str) -> None:
    table = session("oh_hell")
    play_on(table, 1000)
    compare(f"replay-{keys.replace(' ', '-') or 'start'}", with_app(ReplayApp(table.replay()), *keys.split()))


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("keys", ["", "down down enter down down right", "down down down down down down right right"])
def test_start_screen(keys: str, size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = tuple(entry for entry in catalogue() if entry.name in SHORT)  # so that a new game changes nothing here
    monkeypatch.setattr("fcdl.ui.setup.catalogue", lambda: some)
    (tmp_path / "mine.fcdl").write_text('game "Mine"\n')
    name = f"start-{keys.replace(' ', '-') or 'first'}-{size[0]}x{size[1]}"
    compare(name, with_app(StartApp(tmp_path), *keys.split(), size=size))
