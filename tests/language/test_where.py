"""`cards c in D where ...`: the form that is written, beside the first form of the language, which is still read."""

import pytest

from fcdl.language.diagnostics import Findings
from fcdl.language.load import load_flowchart, load_text
from fcdl.language.parser import logical_lines, parse_expression
from fcdl.language.text import format_expression, format_source

HASHES = {
    "crazy_eights": "6b8fbd7b543f8e93d0431ff76664173647dc070b3262c48d2e2fb0f79786689c",
    "durak": "e08aed9e4558d88ef2c8a653b69342fadec7bc52438a6f7b4adf8eb6d27e0b51",
    "hearts": "bf903d3386facd58186b8c0250bbd201e7bb0129a487c61fefc5df8a6e9476e9",
    "kings_and_jacks": "98bfa048fc934ceab62b5284fb5309c9341bffc186cd34e983315b2fa6d2eae7",
    "oh_hell": "eedcf02fd34a3f4cc53bf74a52a02d974c9716e7c50312ddd42e9e4f4b87c568",
    "skat": "0be96c1583cbebf5ba8daf366e880d8ce874ceb3ed5d0e24630d478f18797db3",
    "trumps": "34370da5462f051b624393f66fc0b2f298b8b5e77cb3a4c4b782f68bb1a39664",
}
"""Hashes of the built-in games before there was `where`; only a game whose rules change gets a new one.

Durak (transfers) and Oh Hell (numbers of rounds) have new options, and so new hashes.
"""

FIRST = """
players 2 to 4
deck those c in standard with rankValue(c) >= 9
define low(p) = those c in hand(p) with rankValue(c) < 12
define others(d) = count(x in (those y in d with y != player(0)))
chart main
    start
    Shuffle
    Deal(3)
    p = player(0)
    choose(p, n, those k in 0 to 3 with k != count(c in hand(p) with suit(c) == hearts))
    choose(p, q, those q in players with others(players) > 1)
    choose(p, s, those s in suits with !(s == hearts))
    playCard(p, those c in hand(p) with c in low(p) | every(d in hand(p) with !(d in low(p))))
    score(p) = sum(rankValue(c) for c in hand(p) with rank(c) != ace) + if(q == p, n, 0) + if(s == spades, 1, 0)
    end
"""


def test_first_form_is_written_in_the_new_one() -> None:
    text = format_source(FIRST)
    assert "those" not in text
    assert "with" not in text
    assert "deck cards c in standard where rankValue(c) >= 9" in text
    assert "numbers k in 0 to 3 where k != count(c in hand(p) where suit(c) == hearts)" in text
    assert "suits s in suits where !(s == hearts)" in text
    assert format_source(text) == text


def test_both_forms_are_the_same_chart_with_the_same_hash() -> None:
    first, new = (load_text(text).flowchart for text in (FIRST, format_source(FIRST)))
    assert first is not None
    assert new is not None
    assert first.document == new.document
    assert first.nodes == new.nodes
    assert first.hash == new.hash


@pytest.mark.parametrize("name", HASHES)
def test_games_have_the_hashes_of_before(name: str) -> None:
    assert load_flowchart(name).hash == HASHES[name]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("those c in hand(p) with c != QS", "cards c in hand(p) where c != QS"),
        ("those c in hand(p)", "cards c in hand(p)"),
        ("players p in players with p != q", "players p in players where p != q"),
        ("those r in ranks with r != ace", "ranks r in ranks where r != ace"),
        ("those k in {1, 3 to 5} with k > 1", "numbers k in {1, 3 to 5} where k > 1"),
        ("those v in {left, right} with v != x", "values v in {left, right} where v != x"),
        ("max(e for x in (those p in players with a))", "max(e for x in (players p in players where a))"),
        ("count(cards)", "count(cards)"),
        ("union(cards, players)", "union(cards, players)"),
        ("some(cards in ranks where where)", "some(cards in ranks where where)"),
    ],
)  # fmt: skip
def test_expression_is_written_with_where(text: str, written: str) -> None:
    findings = Findings()
    expression = parse_expression(text, findings)
    assert not findings.items
    assert expression is not None
    assert format_expression(expression) == written


@pytest.mark.parametrize(
    ("value", "message", "hint"),
    [
        ("players c in hand(p) where c != QS", "these are cards, not players", "write cards c in ..."),
        ("cards q in players where q != p", "these are players, not cards", "write players q in ..."),
        ("those cards in hand(p) where yes", "'cards' is a word of the language", "write cards c in ... where ..."),
        ("c in pack where yes", "'where' does not belong in 'choose' like this", "write 'cards c in ... where ...'"),
    ],
)  # fmt: skip
def test_wrong_noun_is_told(value: str, message: str, hint: str) -> None:
    chart = f"chart main\nstart\np = player(0)\nchoose(p, x, {value})\nscore(p) = if(x == none, 1, 2)\nend\n"
    assert [(item.message, item.hint) for item in load_text(chart).findings if item.message == message] == [
        (message, hint)
    ]


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("    x = sum(1 for q in players from has where\n        q == p)", 1),  # a player that is called so
        ("    do where\n    p = player(0)", 2),
    ],
)
def test_line_goes_on_after_where_inside_brackets(source: str, lines: int) -> None:
    assert len(list(logical_lines(source))) == lines
