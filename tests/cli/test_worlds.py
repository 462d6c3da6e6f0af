"""`fcdl worlds`: all ways to ask."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_commands import run


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    command = ["simulate", "trumps", "--agents", "random/random", "--games", "2", "--seed", "3", "-o", str(path)]
    assert run(*command).exit_code == 0
    return path


def ask(record: Path, *arguments: str) -> Any:
    """The JSON that the command prints after ten moves."""
    result = run("worlds", "trumps", "--record", record, "--at", "10", "--seat", "0", "--json", *arguments)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_drawn_worlds_are_listed_worlds_with_weights(record: Path) -> None:
    drawn = ask(record, "-n", "50")
    zones = [str(world["zones"]) for world in drawn]
    assert 1 < len(drawn) == len(set(zones)) < 50  # one that is drawn again adds to its weight
    assert sum(world["weight"] for world in drawn) == pytest.approx(1)
    listed = [world["zones"] for world in ask(record, "--all")]
    assert all(world["zones"] in listed for world in drawn)
    assert ask(record, "-n", "50") == drawn
    assert ask(record, "-n", "50", "--seed", "4") != drawn


def test_a_policy_weighs_worlds(record: Path) -> None:
    weighed = ask(record, "-n", "50", "--model", "greedy")
    assert sum(world["weight"] for world in weighed) == pytest.approx(1)
    assert 0 < weighed[0]["power"] <= 1
    assert weighed[0]["effective_size"] >= 5
    places, plain = ask(record, "--marginals", "--model", "greedy")["places"], ask(record, "--marginals")["places"]
    assert places.keys() == plain.keys()
    moved = [abs(share - plain[card][zone]) for card, zones in places.items() for zone, share in zones.items()]
    assert max(moved) > 0.03


@pytest.mark.parametrize(
    "others", [["--model", "gredy"], ["--model", "greedy", "--all"], ["--model", "nothing.policy"]]
)
def test_bad_models(record: Path, others: list[str]) -> None:
    result = run("worlds", "trumps", "--record", record, "--at", "10", "--seat", "0", *others)
    assert result.exit_code in (1, 2)
    assert "Traceback" not in result.stderr
    assert "model" in result.stderr or "nothing.policy" in result.stderr


def test_equal_worlds_have_equal_weights(record: Path) -> None:
    weights = [world["weight"] for world in ask(record, "-n", "10", "--model", "equal")]
    assert all(10 * weight == pytest.approx(round(10 * weight)) for weight in weights)
    assert sum(weights) == pytest.approx(1)


def test_counting_and_enumerating_agree(record: Path) -> None:
    number = ask(record, "--count")
    assert number == ask(record, "--count", "--method", "asp")
    assert number["worlds"] == len(ask(record, "--all"))


def test_where_cards_can_be(record: Path) -> None:
    found = ask(record, "--marginals")
    assert found["exact"]
    assert all(sum(zones.values()) == pytest.approx(1) for zones in found["places"].values())
    assert {zone for zones in found["places"].values() for zone in zones} == {"hand(1)", "pack"}


def test_how_good_they_are_is_told_apart_from_the_data(record: Path) -> None:
    result = run("worlds", "trumps", "--record", record, "--at", "10", "--seat", "0", "-n", "3")
    assert len(result.stdout.splitlines()) == 3
    assert "drawn by counting" in result.stderr


def test_without_the_native_engine_they_are_listed(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcdl.engines.native_engine", lambda game: None)
    assert len(ask(record, "-n", "3", "--engine", "asp")) == 3
    result = run("worlds", "trumps", "--record", record, "--at", "10", "--seat", "0", "--marginals", "--engine", "asp")
    assert result.exit_code == 1
    assert "need the native engine" in result.stderr


def test_a_seat_that_is_not_there(record: Path) -> None:
    result = run("worlds", "trumps", "--record", record, "--at", "10", "--seat", "2")
    assert result.exit_code == 2
    assert "seats are numbered 0 to 1" in result.stderr


@pytest.mark.parametrize("other", [("--all",), ("--method", "asp")])
def test_probabilities_are_of_drawn_worlds_only(record: Path, other: tuple[str, ...]) -> None:
    result = run("worlds", "trumps", "--record", record, "--at", "10", "--seat", "0", "--marginals", *other)
    assert result.exit_code == 2
    assert "--marginals" in result.stderr


def test_a_file_without_records_is_named(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no record\n")
    result = run("worlds", "trumps", "--record", tmp_path / "notes.txt", "--at", "1", "--seat", "0")
    assert result.exit_code == 1
    assert "notes.txt, record 1: not a line of JSON" in result.stderr
