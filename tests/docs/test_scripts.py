"""The programs in docs/scripts run as they are, and do what their pages say."""

import contextlib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from fcdl.cli import main

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "docs" / "scripts"


def run(name: str) -> str:
    """What a script prints."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    arguments = [sys.executable, "-W", "error", str(SCRIPTS / name)]
    return subprocess.run(arguments, capture_output=True, text=True, check=True, env=environment).stdout


def test_own_agent_beats_random() -> None:
    wins = {agent: int(share) for agent, share in re.findall(r"(\w+)\s+wins (\d+)%", run("own_agent.py"))}
    assert wins["Dreamer"] > 65


def test_own_agent_plays_in_a_tournament(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SCRIPTS)
    agents = ["--agents", "own_agent:Dreamer/random", "--games", "4", "--max-games", "4", "--seed", "1"]
    result = CliRunner().invoke(main, ["tournament", "trumps", *agents])
    assert result.exit_code == 0, result.output
    assert "own_agent:Dreamer" in result.output


def test_table_learns_to_bet_with_the_king_and_to_win() -> None:
    printed = run("tabular.py")
    bets = {card: int(share) for card, share in re.findall(r"(\w\w): bets (\d+)%", printed)}
    assert bets["QS"] < bets["JS"] < bets["KS"]
    assert float(printed.split("against random: ")[1].split()[0]) > 0.1


def test_data_frame_has_every_seat_of_every_game() -> None:
    printed = run("data_frame.py")
    assert "bids kept in the last round" in printed
    assert "seat 2" in printed


@pytest.mark.parametrize("script", sorted(path.name for path in SCRIPTS.glob("*.py")))
def test_page_names_every_script(script: str) -> None:
    assert f"(scripts/{script})" in (ROOT / "docs" / "api.md").read_text()


@pytest.mark.parametrize("page", ["experiments.md"])
def test_commands_that_a_page_shows_can_be_typed(page: str) -> None:
    lines = [line for line in (ROOT / "docs" / page).read_text().splitlines() if line.startswith("    fcdl ")]
    assert len(lines) > 5
    for line in lines:
        words = shlex.split(line, comments=True)[1:]
        name, command, rest = main.resolve_command(click.Context(main), words)
        assert command is not None, line
        with contextlib.suppress(click.exceptions.Exit):
            command.make_context(
                name, [str(ROOT / "README.md") if word.endswith((".json", ".csv")) else word for word in rest]
            )
