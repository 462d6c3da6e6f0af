"""`fcdl heuristics`: its three formats, and what it says about charts that have no heuristics."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from clingo import Control

from fcdl.cli import main
from tests.heuristics.test_derive import OUTSIDE


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["heuristics", *arguments])
    assert "internal error" not in result.stderr, result.stderr
    return result


def test_json_has_what_the_contract_says() -> None:
    found = json.loads(run("trumps", "--format", "json").stdout)
    assert [item["id"] for item in found] == list(range(1, 13))
    assert all(set(item) == {"id", "weight", "conditions", "sentence"} for item in found)


def test_asp_is_read_by_clingo() -> None:
    text = run("crazy_eights", "--format", "asp").stdout
    control = Control()
    control.add("base", [], text)
    control.ground([("base", [])])
    facts = [atom.symbol for atom in control.symbolic_atoms]
    assert len([fact for fact in facts if fact.name == "heuristic"]) == 12
    assert {fact.arguments[0].number for fact in facts if fact.name == "condition"} == set(range(1, 13))


@pytest.mark.parametrize(("game", "number"), [("hearts", 11), ("skat", 30), ("durak", 28)])
def test_asp_with_weights_that_are_terms_is_read_by_clingo(game: str, number: int) -> None:
    control = Control()
    control.add("base", [], run(game, "--format", "asp").stdout)
    control.ground([("base", [])])
    assert len([atom for atom in control.symbolic_atoms if atom.symbol.name == "heuristic"]) == number


def test_text_says_what_to_want_and_groups_by_who_plays_first() -> None:
    lines = run("crazy_eights").stdout.splitlines()
    assert lines[:2] == [
        "Crazy Eights: 12 heuristics",
        "You want fewer cards in your hand and more cards in their hand.",
    ]
    assert [line for line in lines if line.endswith(":")] == [
        "When you play first, good for you:",
        "When you play first, bad for you:",
        "On your turn, good for you:",
        "On your turn, bad for you:",
        "When they play first, good for you:",
        "When they play first, bad for you:",
    ]
    assert "    −1  You pass." in lines


def test_game_outside_the_method_ends_with_the_reason_and_the_line(tmp_path: Path) -> None:
    chart = tmp_path / "chance.fcdl"
    chart.write_text(OUTSIDE["chance decides this"])
    result = run(str(chart))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("fcdl: line 15 (score(")
    assert "chance decides this" in result.stderr


def test_what_the_method_leaves_out_is_noted() -> None:
    result = run("hearts")
    assert result.exit_code == 0
    assert "Hearts: 11 heuristics" in result.stdout
    assert result.stderr.startswith("fcdl: note: line ")
