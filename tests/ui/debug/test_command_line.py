"""`fcdl play --debug`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fcdl.cli import main
from tests.ui.debug.charts import FAULTY, write


def play(*arguments: str | Path, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["play", *map(str, arguments)], input=typed)


def test_input_that_is_no_terminal_is_debugged_line_by_line() -> None:
    result = play("trumps", "--debug", "--seed", "1", typed="c\nprint trumps\n")
    assert result.exit_code == 0
    assert result.stdout.startswith("Trumps, 2 players, seed 1. Type help for the commands.\nnode 0, line 10: start\n")
    assert result.stdout.endswith("player 0 decides: 8C TD 6H KH 4S 5S AS\nhearts\n")


def test_seats_players_and_options_are_those_of_play() -> None:
    result = play("oh_hell", "--debug", "--seats", "human/random/random", "--set", "firstHand=2", typed="go\n")
    assert "Oh Hell, 3 players" in result.stdout
    assert "player 0 decides\n" in result.stdout
    assert "firstHand: 2" in play("oh_hell", "--debug", "--set", "firstHand=2", typed="s 2\n").stdout


def test_a_record_is_debugged_with_its_own_moves(tmp_path: Path) -> None:
    records = tmp_path / "games.jsonl"
    CliRunner().invoke(
        main, ["simulate", "trumps", "--agents", "random/random", "--games", "2", "--seed", "1", "-o", str(records)]
    )
    shown = play("--replay", records, "--line", "2").stdout.replace("You play ", "Player 0 plays ")
    result = play("--debug", "--replay", records, "--line", "2", typed="go\nevents 200\n")
    told = result.stdout.partition("scores: ")[2]
    played = [line.split(" from ")[0].strip() for line in told.splitlines() if " plays " in line]
    assert len(played) == 14
    assert [line.capitalize() for line in played] == [
        line.capitalize() for line in shown.splitlines() if " plays " in line
    ]
    assert "(last time: play " in play("--debug", "--replay", records, "--line", "2", typed="c\n").stdout


def test_a_kept_game_is_debugged_where_people_and_computers_sit(tmp_path: Path) -> None:
    journal = tmp_path / "game.journal"
    play("trumps", "--save", journal, "--seats", "human/random", "--seed", "1", typed="AS\n")
    result = play("--debug", "--resume", journal, typed="go\nevents 30\n")
    assert "\nplayer 0 plays AS from hand(0) to middle(0)\n" in result.stdout
    assert "player 0 decides\n" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        (["--debug"], "which GAME?", 2),
        (["nowhere.fcdl", "--debug"], "there is no game or file 'nowhere.fcdl'", 1),
        (["trumps", "--debug", "--players", "3"], "Trumps is for 2 players, not 3", 2),
        (["trumps", "--debug", "--seats", "random"], "Trumps is for 2 players, not 1", 2),
        (["trumps", "--debug", "--seats", "random/rndom"], "nobody is called 'rndom' (did you mean 'random'?)", 2),
        (["trumps", "--debug", "--output", "x"], "--debug does not work with", 2),
        (["trumps", "--debug", "--resume", "x", "--seed", "1"], "already has its players, options and seed", 2),
    ],
)
def test_what_cannot_be_debugged_is_refused(arguments: list[str], message: str, code: int) -> None:
    result = play(*arguments)
    assert message in result.stderr
    assert result.exit_code == code
    assert "Traceback" not in result.stderr


def test_a_faulty_chart_is_followed_to_its_fault(tmp_path: Path) -> None:
    result = play(write(tmp_path, FAULTY), "--debug", typed="go\n")
    assert result.exit_code == 0
    assert "the game is over: fault at node 2\nnode 2, line 5: score(nobody) = 1\n  nobody: none\n" in result.stdout
