"""Every chart of the corpus can be played in the terminal, and everything that a person may ask is answered."""

from __future__ import annotations

import pytest

from fcdl.ui.plain import PlainTable
from fcdl.ui.session import Session, default_seats
from tests.charts.corpus import NAMES, WITHOUT_DECISIONS, make_game

ASKED = ["table", "log", "rules", "known", "why 2C", "nonsense"]
MOVES = 8


def sit_down(name: str, questions: list[str]) -> tuple[list[str], Session]:
    """Asks these questions, makes some moves, takes one back and asks again; what was written."""
    game = make_game(name)
    session = Session(game, default_seats(game.players, "random"), "1")
    lines: list[str] = []
    script = iter([*questions, *[""] * MOVES, "undo", *questions])

    def read_line() -> str:
        line = next(script, None)
        if line is None:
            return ""
        return f"{line or (session.legal[0] if session.outcome is None else 'table')}\n"

    PlainTable(session, read_line, lines.append).run()
    return lines, session


@pytest.mark.parametrize("name", NAMES)
def test_chart_is_played_in_the_terminal(name: str) -> None:
    lines, session = sit_down(name, ASKED)
    assert lines[0].startswith(session.game.flowchart.title)
    assert ("there is nothing to undo" if name in WITHOUT_DECISIONS else "undone") in lines


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_hint_says_what_the_moves_are_worth(name: str) -> None:
    lines, _ = sit_down(name, ["hint"])
    assert any(line.startswith("best: ") or line == "you can get a hint when it is your turn" for line in lines)


def test_there_is_no_hint_after_the_game() -> None:
    lines, _ = sit_down("war", ["hint", "known", "review"])
    assert "you can get a hint when it is your turn" in lines
