"""The `goal` line: what a player wants. It changes nothing but what heuristics start from."""

from __future__ import annotations

import pytest

from fcdl.language.load import load_text
from fcdl.language.text import format_source

CHART = """chart main
    start
    Shuffle
    Deal(2)
    playCard(player(0), cards)
    end
"""


def test_a_goal_is_a_sign_and_a_number_with_me_in_it() -> None:
    flowchart = load_text(f"goal more score(me), fewer 2 * cardsRemaining(me)\n{CHART}").flowchart
    assert flowchart is not None
    assert [goal.sign for goal in flowchart.goals] == [1, -1]
    assert all(any(part.name == "me" for part in goal.what.walk()) for goal in flowchart.goals)


def test_a_goal_is_no_part_of_the_hash() -> None:
    with_goal, without = (load_text(header + CHART).flowchart for header in ("goal more score(me)\n", ""))
    assert with_goal is not None
    assert without is not None
    assert with_goal.hash == without.hash
    assert with_goal.goals
    assert not without.goals


def test_a_goal_line_is_tidied() -> None:
    assert format_source(f"goal   more score( me ),fewer count(hand(me))\n{CHART}").startswith(
        "goal more score(me), fewer count(hand(me))\n"
    )


@pytest.mark.parametrize("line", ["goal = 3", "goal: goal = 3", "goal = 3\n    goal == 3?  yes -> x\nx: x = 1"])
def test_goal_is_still_a_name(line: str) -> None:
    text = f"chart main\n    start\n    {line}\n    end\n"
    assert load_text(text).flowchart is not None


def test_a_goal_line_twice_is_an_error() -> None:
    found = load_text(f"goal more score(me)\ngoal fewer score(me)\n{CHART}")
    assert [finding.code for finding in found.findings if finding.severity == "error"] == ["doubled-line"]
