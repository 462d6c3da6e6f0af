"""`expect` lines: executable examples in a chart, the same on every engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from fcdl.arena.expectations import failures
from fcdl.arena.trial import Trial
from fcdl.cli import main
from fcdl.engines.asp.engine import AspEngine
from fcdl.engines.native import NativeEngine
from fcdl.language.flowchart import Flowchart
from fcdl.language.load import load_text
from fcdl.language.text import format_source
from fcdl.model.game import Game
from tests.arena.test_trial import AGRAM

HIGHER = """
expect "the higher card of the suit led wins": leader = player(0),
    hand(player(0)): 5C, hand(player(1)): KC, hand(player(2)): AH,
    do trick, play 5C, play KC, play AH, then leader == player(1), count(stack) == 3
"""
LOWER = HIGHER.replace("leader == player(1)", "leader == player(2)")


def chart(expectation: str, rules: str = AGRAM) -> Flowchart:
    checked = load_text(rules.replace("\nchart main", f"{expectation}chart main"))
    assert checked.flowchart is not None, [finding.message for finding in checked.findings]
    return checked.flowchart


def messages(expectation: str, rules: str = AGRAM) -> list[str]:
    found = [failure.message for failure in failures(chart(expectation, rules))]
    for engine in (NativeEngine, AspEngine):
        assert [failure.message for failure in failures(chart(expectation, rules), engine)] == found
    return found


def test_an_expectation_that_is_met_says_nothing() -> None:
    assert messages(HIGHER) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("rankValue(middle(turn)) > rankValue", "rankValue(middle(turn)) < rankValue"),
        ("    winner = turn ", "    winner = leader "),
        ("    leader = winner\n", "    leader = turn\n"),
    ],
    ids=["comparison reversed", "wrong winner", "wrong player leads"],
)
def test_mistakes_that_play_well_are_found_by_an_expectation(right: str, wrong: str) -> None:
    assert right in AGRAM
    assert messages(HIGHER, AGRAM.replace(right, wrong)) == ["expected leader == player(1), but that does not hold"]


def test_wrong_player_scored_is_found_by_an_expectation() -> None:
    last = """
expect "who wins the last trick wins": do main, then score(leader) == 1
"""
    rules = AGRAM.replace("Deal(6)", "Deal(0)").replace(
        "trick:\n    do trick\n    cardsRemaining(leader) > 0?     yes -> trick\n", ""
    )
    assert messages(last, rules) == []
    assert messages(last, rules.replace("score(leader) = 1", "score(next(leader)) = 1")) != []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("play KC, play AH,", "play KC,"), "a move is missing: player 2 is to decide (play AH)"),
        (("play AH, then", "play AH, play 2C, then"), "there is nobody to play 2C: the chart has ended"),
        (("play KC,", "play 2C,"), "player 1 cannot play 2C"),
        (("hand(player(2)): AH,", ""), "there is nobody to play AH: the chart stopped: no legal move"),
    ],
)
def test_moves_that_do_not_fit_are_explained(change: tuple[str, str], message: str) -> None:
    (found,) = [failure.message for failure in failures(chart(HIGHER.replace(*change)))]
    assert found.startswith(message)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("KC,", "KX,"), "unknown-name"),
        (("hand(player(1)): KC", "hand(player(1)): 5C"), "expectation"),
        (("leader = player(0)", "chief = player(0)"), "unknown-name"),
        (("do trick", "do tirck"), "unknown-chart"),
        (("do trick, ", ""), "expectation"),
        (("hand(player(0)): 5C", "hand(player(0)) = 5C"), "expectation"),
        (("play 5C", "throw 5C"), "syntax"),
        (("count(stack) == 3", "top(stack) == AH"), "no-order"),
    ],
)
def test_an_expectation_that_cannot_be_read_is_an_error(change: tuple[str, str], code: str) -> None:
    right, wrong = change
    assert right in HIGHER
    checked = load_text(AGRAM.replace("\nchart main", f"{HIGHER.replace(right, wrong)}chart main"))
    assert [finding.code for finding in checked.findings if finding.severity == "error"] == [code]


def test_an_expectation_is_no_part_of_the_rules() -> None:
    assert chart(HIGHER).hash == chart("\n").hash
    assert chart(HIGHER).zones == chart("\n").zones


def test_an_expectation_is_formatted_and_read_again() -> None:
    text = AGRAM.replace("\nchart main", f"{HIGHER}chart main")
    tidy = format_source(text)
    assert 'expect "the higher card' in tidy
    again = load_text(tidy).flowchart
    assert again is not None
    assert again.expectations == chart(HIGHER).expectations
    assert format_source(tidy) == tidy


def test_options_and_players_can_be_given() -> None:
    rules = AGRAM.replace("players 3", "players 2 to 4\noption bonus = 1 from 1 to 5").replace(
        "= 1\n    end", "= bonus\n    end"
    )
    expectation = HIGHER.replace("leader = player(0),", "numberOfPlayers = 3, bonus = 2, leader = player(0),")
    assert messages(expectation, rules) == []
    wrong = expectation.replace("bonus = 2", "bonus = 9")
    assert messages(wrong, rules) == ["option bonus is a number from 1 to 5, not '9'"]


def test_check_and_test_play_expectations(tmp_path: Path) -> None:
    file = tmp_path / "mine.fcdl"
    file.write_text(AGRAM.replace("\nchart main", f"{LOWER}chart main"))
    result = CliRunner().invoke(main, ["check", str(file), "--expect"])
    assert result.exit_code == 1
    assert "mine.fcdl:5:1: error[expectation]" in result.output
    assert "expectations: 0 of 1 hold" in result.output
    assert CliRunner().invoke(main, ["check", str(file)]).exit_code == 0
    trial = Trial(Game.make(chart(LOWER), name="mine"), "1")
    (concern,) = trial.concerns()
    assert (concern.code, concern.line) == ("expectation", 5)
