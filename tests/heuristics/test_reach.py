"""Charts of strangers: heuristics that a player of the game nods at, in sentences without chart syntax."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from fcdl.data import data_text
from fcdl.heuristics import Heuristics, derive, describe, sentence
from fcdl.heuristics.clock import WORK
from fcdl.language.load import builtin_names, load_flowchart, load_text
from fcdl.language.loops import OutsideError
from fcdl.model import Game

ROOT = Path(__file__).parents[2]
CHARTS = ROOT / "tests" / "charts"
EVERY = [*sorted(path.stem for path in CHARTS.glob("*.fcdl")), *builtin_names()]
QUICK = 20_000
"""Enough work for the smaller charts."""
SYNTAX = re.compile(
    r"[()\[\]{}=_\"<>&|]|[a-z][A-Z]|\b(union|intersect|except|those|neg|operation|template|true|false)\b|[Aa]lways"
)
NOT_DERIVED = {"blackjack", "cuckoo", "war"}
"""Charts for which nothing is derived (yet); they have measured heuristics."""


@cache
def derived(name: str, work: int = WORK) -> Heuristics | None:
    chart = CHARTS / f"{name}.fcdl"
    game = Game.make(load_flowchart(str(chart) if chart.exists() else name), name=name)
    try:
        return derive(game, work=work)
    except OutsideError:
        return None


def page(name: str) -> str:
    found = derived(name)
    assert found is not None
    return describe(found)


def unclear(found: Heuristics) -> list[str]:
    """What reads like a formula on the page and in the sentences, but for what is counted in brackets."""
    lines = [re.sub(r"\([^()]*\)", "", line) for line in describe(found).splitlines()[1:]]
    lines += [sentence(found, one) for one in (*found.heuristics, *found.open)]
    return [line for line in lines if SYNTAX.search(line)]


@pytest.mark.parametrize("name", EVERY)
def test_sentences_have_no_chart_syntax(name: str) -> None:
    found = derived(name, QUICK)
    assert found is None or unclear(found) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in EVERY if name not in NOT_DERIVED])
def test_heuristics_are_derived_and_readable(name: str) -> None:
    found = derived(name)
    assert found is not None
    assert found.heuristics
    assert unclear(found) == []


def test_agram_is_about_the_last_trick() -> None:
    text = page("agram")
    assert "You want to be the leader at the end." in text
    assert "+1  You lead any card; they have no card of your card's suit and play any card." in text
    assert "−1  They lead any card; you have no card of their card's suit and play any card." in text


def test_a_partners_tricks_are_ours() -> None:
    text = page("whist")
    assert "You want more tricks for you and your partner, and fewer tricks for them." in text
    assert "+1  You or your partner become the winner." in text
    assert "−1  An opponent becomes the winner." in text


def test_eyes_and_tricks_of_both_partners_count_in_sueca() -> None:
    text = page("sueca")
    assert "more eyes and more tricks (counts 3) for you and your partner, and fewer" in text
    assert "plus the points of all cards played" in text


def test_in_goofspiel_the_cards_that_are_picked_are_compared() -> None:
    assert "higher score for you" in page("goofspiel")


def test_where_nobody_decides_nothing_is_derived() -> None:
    with pytest.raises(OutsideError, match="nobody decides anything"):
        derive(Game.make(load_flowchart(str(CHARTS / "war.fcdl")), name="war"))


@pytest.mark.parametrize("players", [2, 3, 5])
def test_whoever_leads_in_agram_may_win_or_lose_the_trick(players: int) -> None:
    flowchart = load_flowchart("agram")
    derived = derive(Game.make(flowchart, name="agram", players=players))
    assert {heuristic.weight for heuristic in derived.heuristics if heuristic.leads} == {1, -1}


def test_the_goal_line_says_what_to_want() -> None:
    """Whist turned around: whoever takes fewer tricks has what the chart says."""
    source = data_text("games", "whist.fcdl").replace("\nplayers 4\n", "\nplayers 4\ngoal fewer tricks(me)\n", 1)
    flowchart = load_text(source).flowchart
    assert flowchart is not None
    text = describe(derive(Game.make(flowchart, name="whist"), work=WORK))
    assert "fewer tricks for you and your partner, and more tricks for them, as the chart says." in text
    assert "+1  An opponent becomes the winner." in text


def test_the_example_of_the_documentation_gives_its_page() -> None:
    """The chart under `When the chart says what to want`, and the page after it."""
    text = (ROOT / "docs" / "heuristics.md").read_text(encoding="utf-8")
    found = re.search(
        r"^### When the chart says.*?^```fcdl\n(.*?)^```\n\n^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE
    )
    assert found is not None
    flowchart = load_text(found[1]).flowchart
    assert flowchart is not None
    assert describe(derive(Game.make(flowchart, name="near and far"))) == found[2]


def test_playing_a_set_of_cards_is_a_move() -> None:
    assert "good for you (plus the number of cards that you play)" in page("president")
    rummy = page("rummy")
    assert "good for you (plus the value of the cards that you play)" in rummy
    assert "you have a group or a run" in rummy
    assert "a card that is a group" not in rummy


def test_taking_a_set_of_cards_is_a_move() -> None:
    assert "+1  You lead any card; you take cards; the board is then empty; they play any card" in page("scopa")
