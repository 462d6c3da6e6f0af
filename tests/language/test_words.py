"""`say` and `sort` lines: how a game is talked about. They change nothing in the rules."""

from __future__ import annotations

import pytest

from fcdl.language.diagnostics import Findings
from fcdl.language.forms import read_form, write_form
from fcdl.language.load import load_text
from fcdl.language.saying import called, decisions_called, meaning
from fcdl.language.text import format_source

CHART = """words left, right
chart main
    start
    Shuffle
    Deal(2)
    leader = player(0)
    choose(leader, side, {left, right})
    side == left?   no -> ask
    score(leader) = 1
ask:
    playCardOrPass(leader, cards)
    end
"""
WORDS = """say side: "way", "where it goes" if leader == player(0)
say left: "to the left of #{leader}"
say ask.pass: "stay"
say ask side: "Which way, #{me}?"
say tell score: "#{me} scores #{score(me)}"
say player: "North" if me == player(0)
say rules: "For #{numberOfPlayers}."
say summary: "It went #{side}."
sort hand by suit(card), rankValue(card)
"""


def test_words_are_no_part_of_the_hash() -> None:
    with_words, without = load_text(WORDS + CHART).flowchart, load_text(CHART).flowchart
    assert with_words is not None
    assert without is not None
    assert with_words.hash == without.hash
    assert len(with_words.says) == 8
    assert len(with_words.hand_order) == 2


def test_words_are_tidied() -> None:
    tidy = format_source(WORDS + CHART)
    assert tidy.startswith(WORDS)
    assert format_source((WORDS + CHART).replace(": ", ":   ")).startswith(WORDS)


@pytest.mark.parametrize("form", ["json", "facts", "states"])
def test_words_go_through_every_form(form: str) -> None:
    chart = load_text(WORDS + CHART).flowchart
    assert chart is not None
    document = chart.document
    findings = Findings()
    again = read_form(write_form(document, form), form, findings)
    assert not findings.has_errors
    assert again.header == document.header


def test_names_are_those_said_or_derived() -> None:
    chart = load_text(WORDS + CHART).flowchart
    assert chart is not None
    assert called(chart, "side") == "way"
    assert meaning(chart, "side") == "where it goes"
    assert called(chart, "left") == "to the left of"
    assert called(chart, "leadSuit") == "lead suit"


def test_a_decision_is_called_by_label_chart_variable_or_zone() -> None:
    chart = load_text(CHART).flowchart
    assert chart is not None
    choose, play = (number for number, node in chart.nodes.items() if node.is_decision)
    assert decisions_called(chart, "main") == {choose, play}
    assert decisions_called(chart, "side") == {choose}
    assert decisions_called(chart, "ask") == decisions_called(chart, "middle") == {play}
    assert not decisions_called(chart, "score")


@pytest.mark.parametrize(
    "line", ["say = 3", "sort = 3", "say: tell = 3", "ask: sort = 1\n    sort == 1?  yes -> x\nx: say = 1"]
)
def test_say_and_sort_are_still_names(line: str) -> None:
    assert load_text(f"chart main\n    start\n    {line}\n    end\n").flowchart is not None
