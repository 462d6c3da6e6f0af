"""Tournaments: every pair, decided or not, and errors before anything is played."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from fcdl.cli import main
from fcdl.cli.tables import broken
from tests.arena.players import players

__all__ = ["players"]


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["tournament", *arguments, "--seed", "3"])
    assert result.exit_code == 0, result.output
    return result.output


def test_every_pair_plays_until_it_is_decided(players: None) -> None:
    limits = ["--games", "20", "--max-games", "300", "--confidence", "0.98"]
    result = json.loads(run("durak", "--agents", "random/first/random:", *limits, "--json"))
    assert [pair["agents"] for pair in result["pairs"]] == [
        ["random", "first"],
        ["random", "random:"],
        ["first", "random:"],
    ]
    assert [pair["better"] for pair in result["pairs"]] == ["first", None, "first"]
    assert [pair["games"] for pair in result["pairs"]][1] == 300
    assert all(pair["games"] < 300 for pair in result["pairs"][::2])
    for pair in result["pairs"]:
        low, high = pair["wilson"]
        assert pair["decided"] == (not low <= 0.5 <= high)
    assert result["agents"][0]["agent"] == "first"
    assert (result["agents"][0]["better_than"], result["agents"][0]["worse_than"]) == (2, 0)
    assert sum(row["worse_than"] for row in result["agents"]) == 2
    assert result["finished"]


def test_mirrored_deals_are_the_same_for_every_pair(tmp_path: Path, players: None) -> None:
    file = tmp_path / "games.jsonl"
    run("hearts", "--agents", "random/first/random:", "--set", "target=0", "--games", "4", "--max-games", "4",
        "--mirror", "-o", str(file))  # fmt: skip
    records = [json.loads(line) for line in file.read_text().splitlines()]
    deals = [record["chance"] for record in records]
    assert len(records) == 12
    assert deals[0:4] == deals[4:8] == deals[8:12]
    assert deals[0] == deals[1] != deals[2]
    assert records[0]["agents"] == ["random", "first", "random", "first"]


def test_table_and_csv(players: None) -> None:
    arguments = ["trumps", "--agents", "random/first", "--games", "10", "--max-games", "10"]
    table = run(*arguments)
    assert "better than" in table
    assert "10 games, seed 3" in table
    (row,) = csv.DictReader(io.StringIO(run(*arguments, "--csv", "--mirror")))
    assert (row["agent_1"], row["agent_2"], row["games"]) == ("random", "first", "10")
    assert 0 <= float(row["p"]) <= 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--agents", "random"], "a tournament needs at least two agents"),
        (["--agents", "random/random"], "agent 'random' is named twice"),
        (["--agents", "random/randon"], "unknown agent 'randon' (did you mean 'random'?)"),
        (["--agents", "random//random:"], "'random//random:' has no agent at place 2"),
        (["--agents", "random/random:", "--games", "0"], "0 is not in the range"),
        (["--agents", "random/random:", "--games", "10", "--max-games", "5"], "is less than --games 10"),
        (["--agents", "random/random:", "--players", "3"], "Trumps is for 2 players, not 3"),
    ],
)
def test_bad_requests_end_with_a_clear_usage_error(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(main, ["tournament", "trumps", *arguments])
    assert result.exit_code == 2
    assert message in result.output


def test_tables_name_the_interval_the_fair_share_and_who_is_better(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("rich.console.Console.is_terminal", True)  # otherwise tables are as wide as they like
    long = "ismcts:iterations=5,rivals=greedy"
    result = CliRunner().invoke(
        main, ["tournament", "trumps", "--agents", f"random/{long}", "--games", "2", "--max-games", "2", "--seed", "1"]
    )
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip() for line in result.stdout.splitlines()]
    assert all(len(line) <= 80 for line in lines)
    assert "95 %" in result.stdout
    heading = next(line for line in lines if line.startswith("pair"))
    assert heading.split() == ["pair", "win", "%", "fair", "%", "interval", "ties", "games", "better"]
    first = lines.index(next(line for line in lines if line.startswith("random  ") and "50.0" in line))
    assert [line.split()[0] for line in lines[first : first + 3]] == ["random", "v", "rivals=greedy"]
    assert "not decided" in lines[first]


def test_long_names_are_broken_after_commas() -> None:
    assert broken("random") == "random"
    assert broken("ismcts:iterations=60,rivals=greedy") == "ismcts:\n  iterations=60,\n  rivals=greedy"
