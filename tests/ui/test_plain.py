"""Play line by line, as a pipe or a script uses it."""

import contextlib
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fcdl.cli import main
from fcdl.ui.plain import PlainTable
from fcdl.ui.session import Session
from tests.ui.tables import EVERYTHING, SHORT, everything, session

ROOT = Path(__file__).parents[2]


def first_legal(table: Session) -> str:
    """A line of somebody who always takes the first legal move, in one of the ways that are understood."""
    if table.outcome is not None:
        return ""
    move = table.legal[0]
    return f"{move if len(table.moves) % 2 or not move.what else move.what.lower()}\n"


@pytest.mark.parametrize("name", SHORT)
def test_every_game_can_be_played_to_its_end(name: str) -> None:
    table = session(name)
    lines: list[str] = []
    assert PlainTable(table, lambda: first_legal(table), lines.append).run()
    assert table.outcome is not None
    assert any(line.startswith(f"you: {table.outcome.scores[0]}") for line in lines)
    assert lines[-2] == table.results()[-1]


def fcdl_play(*arguments: str, keys: str = "") -> Result:
    """Runs the command with scripted input; `seed` lines of stderr are part of the output."""
    against = ["--seats", "human/random"] if arguments[:1] == ("trumps",) and "--seats" not in arguments else []
    return CliRunner().invoke(main, ["play", *arguments, *against], input=keys)


@pytest.mark.parametrize("name", SHORT)
def test_input_that_ends_at_once_is_no_error(name: str) -> None:
    result = fcdl_play(name, "--seed", "1")
    assert result.exit_code == 0, result.output
    assert "your hand:" in result.output


def test_script_goes_through_every_kind_of_decision(tmp_path: Path) -> None:
    chart = tmp_path / "everything.fcdl"
    chart.write_text(EVERYTHING)
    table = everything()
    keys = ["7", "hea", "choose right", "1", "y"]
    for key in keys:
        table.apply(table.parse(key))
    for _ in range(3):
        keys.append(table.legal[0].what)
        table.apply(table.legal[0])
    keys += ["pass", table.view().hand[0]]
    record = tmp_path / "record.jsonl"
    result = fcdl_play(str(chart), "--seed", "1", "-o", str(record), keys="\n".join(keys) + "\n")
    assert result.exit_code == 0, result.output
    assert "Player 1 is the mate, hearts are trumps, yes." in result.output
    assert "You win!" in result.output
    replayed = CliRunner().invoke(main, ["replay", str(record), "--game", str(chart)])
    assert replayed.output == "1 of 1 records replayed exactly\n"


def test_illegal_card_says_why_and_asks_again() -> None:
    result = fcdl_play("trumps", "--seed", "5", keys="4H\n2D\n")
    assert "You must follow diamonds" in result.output
    assert result.output.count("Follow diamonds: 2D") == 2
    assert "You play 2D" in result.output


def test_text_that_means_nothing_is_answered() -> None:
    result = fcdl_play("trumps", "--seed", "5", keys="hello\n\nlog\n")
    assert "'hello' is neither a card" in result.output
    assert result.exit_code == 0


def test_question_mark_shows_rules_and_options() -> None:
    result = fcdl_play("hearts", "--seed", "1", keys="?\n")
    assert "Every heart taken costs 1 point" in result.output
    assert "target = 100" in result.output
    assert "The lowest score wins." in result.output


def test_undo_takes_back_a_move() -> None:
    result = fcdl_play("trumps", "--seed", "5", keys="undo\n2D\nundo\nquit\n")
    assert "there is nothing to undo" in result.output
    assert "undone" in result.output
    assert result.output.rstrip().endswith("Follow diamonds: 2D")


def test_saved_game_goes_on_where_it_stood(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    first = fcdl_play("trumps", "--seed", "5", "--save", str(path), keys="2D\n")
    assert first.exit_code == 0
    assert f"--resume {path}" in first.output
    second = fcdl_play("--resume", str(path), keys="")
    assert second.exit_code == 0
    assert "you: score 0, 6 cards" in second.output
    third = fcdl_play("--resume", str(path), keys="undo\nquit\n")
    assert "you: score 0, 7 cards" in third.output


def test_saved_game_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    fcdl_play("trumps", "--save", str(path))
    before = path.read_bytes()
    result = fcdl_play("trumps", "--save", str(path))
    assert result.exit_code == 2
    assert "--resume" in result.output
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "which GAME?"),
        (["trumps", "--seats", "random/random/random"], "is for 2 players"),
        (["trumps", "--seats", "random/nobody"], "nobody is called 'nobody'"),
        (
            ["trumps", "--seats", "human/nobody"],
            "'nobody' (human, easy, normal, hard, random; 'fcdl agents' lists more)",
        ),
        (["trumps", "--seats", "human"], "is for 2 players"),
        (["hearts", "--players", "3"], "is for 4 players"),
    ],
)
def test_what_cannot_be_played_is_a_usage_error(arguments: list[str], message: str) -> None:
    result = fcdl_play(*arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_saved_game_has_its_own_options(tmp_path: Path) -> None:
    result = fcdl_play("--resume", str(tmp_path / "x"), "--seed", "1")
    assert result.exit_code == 2


def test_missing_journal_is_said_plainly(tmp_path: Path) -> None:
    result = fcdl_play("--resume", str(tmp_path / "missing"))
    assert result.exit_code == 1
    assert "no such file" in result.output


def test_plain_play_does_not_import_textual() -> None:
    program = """
import sys
from fcdl.cli import main
try:
    main(["play", "trumps"])
except SystemExit as end:
    assert not end.code
assert "textual" not in sys.modules
"""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, input=b"", capture_output=True, check=False, timeout=60
    )
    assert run.returncode == 0, run.stderr.decode()


@pytest.mark.parametrize("command", ["save", "record"])
def test_files_of_others_are_not_overwritten(command: str, tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ada")
    result = fcdl_play("trumps", "--seed", "5", keys=f"{command} {path}\n")
    assert "letter.txt already exists" in result.output
    assert path.read_text() == "Dear Ada"


def test_dumb_terminal_gets_lines() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "fcdl", "play", "trumps", "--seats", "human/random", "--seed", "5"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "dumb"}
    ) as process:
        os.close(theirs)
        os.write(ours, b"quit\n")
        said = b""
        with contextlib.suppress(OSError):  # how a terminal says that nobody is there any more
            while piece := os.read(ours, 4096):
                said += piece
    os.close(ours)
    assert process.returncode == 0
    assert b"Follow diamonds: " in said
    assert b"\x1b" not in said
