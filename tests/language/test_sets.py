"""Sets of cards: which are looked at, in which order, and what lasts of a condition."""

from __future__ import annotations

from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcdl.language.diagnostics import Findings
from fcdl.language.flowchart import TRUE, Expr, Flowchart, TakeSet
from fcdl.language.forms import read_form, write_form
from fcdl.language.load import load_text
from fcdl.language.melds import cards_of, mask_of
from fcdl.language.sets import MAX_LOOKED_AT, besides, lasting, looking, sets_of
from fcdl.language.text import format_document
from fcdl.language.written import expr_text

CHART = """
order aceLow: ace 2 3 4 5 6 7 8 9 10 jack queen king
order mixed: 2 queen 4 3 5 6 7 8 9 10 jack king ace
table points: hearts 1, QS 13
table shift: hearts -1, else 2
zone board: face up
define s3(s) = some(t in subsets(s, 3) where true)
chart main
    start
    n = 3
    p = player(0)
    Deal(5)
    playCardsOrPass(p, sets s in subsets(hand(p)) where {condition})
    end
"""


def chart_with(condition: str) -> Flowchart:
    loaded = load_text(CHART.replace("{condition}", condition))
    assert loaded.flowchart is not None, [item.message for item in loaded.findings]
    return loaded.flowchart


def sets_in(chart: Flowchart) -> Expr:
    (statement,) = (node.statement for node in chart.nodes.values() if isinstance(node.statement, TakeSet))
    return statement.sets


@pytest.mark.parametrize(
    ("condition", "lasts"),
    [
        ("count(s) < 3", "count(s) < 3"),
        ("n >= count(s)", "n >= count(s)"),
        ("count(s) == 2", "count(s) <= 2"),
        ("count(s) > 2", "true"),
        ("sum(points(c) for c in s) == n", "sum(points(c) for c in s) <= n"),
        ("n == sum(points(c) for c in s)", "sum(points(c) for c in s) <= n"),
        ("sum(shift(c) for c in s) == n", "true"),
        ("max(points(c) for c in s where c in board) <= n", "max(points(c) for c in s where c in board) <= n"),
        ("isGroup(s) & count(s) >= 2", "isGroup(s)"),
        ("isRun(s)", "isFlush(s) & isSequence(s, rankValue)"),
        ("isRun(s, aceLow)", "isFlush(s) & isSequence(s, aceLow)"),
        ("isRun(s, mixed)", "isFlush(s)"),
        ("isGroup(s) | isRun(s, aceLow)", "isGroup(s) | isFlush(s) & isSequence(s, aceLow)"),
        ("isSequence(s)", "true"),
        ("isGroup(s) | isFlush(s)", "isGroup(s) | isFlush(s)"),
        ("isGroup(s) | count(s) > 2", "true"),
        ("every(c in s where c in board)", "every(c in s where c in board)"),
        ("empty(except(s, board))", "empty(except(s, board))"),
        ("!(QS in s)", "!(QS in s)"),
        ("QS in s", "true"),
        ("!some(c in s where suit(c) == hearts)", "!some(c in s where suit(c) == hearts)"),
        ("n > 2", "n > 2"),
        ("isGroup(union(s, board))", "isGroup(union(s, board))"),
        ("isGroup(intersect(s, board))", "true"),
        ("if(n > 1, isGroup(s), count(s) > 4)", "if(n > 1, isGroup(s), true)"),
        ("!(count(s) > 2)", "!(count(s) > 2)"),
    ],
)  # fmt: skip
def test_what_lasts_of_a_condition_is_found(condition: str, lasts: str) -> None:
    chart = chart_with(condition)
    sets = sets_in(chart)
    found = lasting(chart, sets.args[0], sets.args[1], str(sets.name))
    said = "true" if found == TRUE else expr_text(found, chart).replace("yes", "true")
    assert said == lasts
    rest = besides(sets.args[1], found)
    assert rest == TRUE or found in (TRUE, rest) or expr_text(rest, chart) != expr_text(found, chart)


@pytest.mark.parametrize(
    ("condition", "domain", "asked"),
    [
        ("count(s) == 2", "subsets(hand(p), 2)", "true"),
        ("count(s) == n", "subsets(hand(p), max(1, n) to min(256, n))", "true"),
        ("n < count(s) & isGroup(s)", "subsets(hand(p), max(1, n + 1) to 256)", "isGroup(s)"),
        ("3 >= count(s) & count(s) >= 2", "subsets(hand(p), 2 to 3)", "true"),
        ("every(c in s where suit(c) == hearts)", "subsets(cards c in hand(p) where suit(c) == hearts)", "true"),
        ("sum(points(c) for c in s) == n", "subsets(cards c in hand(p) where points(c) <= n)",
         "sum(points(c) for c in s) <= n & sum(points(c) for c in s) == n"),
        ("sum(shift(c) for c in s) == n", "subsets(hand(p))", "sum(shift(c) for c in s) == n"),
        ("if(n > 2, every(c in s where c in board), every(c in s where c == QS))",
         "subsets(cards c in hand(p) where if(n > 2, c in board, c == QS))",
         "if(n > 2, every(c in s where c in board), every(c in s where c == QS))"),
        ("every(c in s where c in board) | every(c in s where c == QS)",
         "subsets(cards c in hand(p) where c in board | c == QS)",
         "every(c in s where c in board) | every(c in s where c == QS)"),
        ("every(c in board where c in s)", "subsets(hand(p))", "every(c in board where c in s)"),
        ("every(q in players where score(q) > n)", "subsets(hand(p))", "every(q in players where score(q) > n)"),
        ("every(c in s where c in board) | count(s) > 2", "subsets(hand(p))",
         "every(c in s where c in board) | count(s) > 2"),
    ],
)  # fmt: skip
def test_a_condition_tells_which_cards_and_sizes_are_looked_at(condition: str, domain: str, asked: str) -> None:
    chart = chart_with(condition)
    sets = sets_in(chart)
    found = looking(chart, sets.args[0], sets.args[1], str(sets.name))
    assert expr_text(found.domain, chart) == domain
    said = [expr_text(part, chart) for part in (found.lasts, found.asked) if part != TRUE]
    assert (" & ".join(said) or "true") == asked


def all_sets(cards: list[int], low: int, high: int) -> list[tuple[int, ...]]:
    """All sets, sorted as words are in a dictionary."""
    sizes = range(max(low, 1), min(high, len(cards)) + 1)
    return sorted(chain.from_iterable(combinations(cards, size) for size in sizes))


@given(st.sets(st.integers(0, 60), max_size=8), st.integers(-1, 4), st.integers(-1, 9), st.integers(0, 200))
def test_sets_are_those_of_a_dictionary_that_fit_what_lasts(cards: set[int], low: int, high: int, most: int) -> None:
    ordered = sorted(cards)
    found = [tuple(cards_of(mask)) for mask in sets_of(ordered, low, high, lambda mask: sum(cards_of(mask)) <= most)]
    assert found == [one for one in all_sets(ordered, low, high) if sum(one) <= most]


def test_copies_are_one() -> None:
    before = {0: -1, 1: 0, 2: -1, 3: 2, 4: 3}
    found = [tuple(cards_of(mask)) for mask in sets_of([0, 1, 2, 3, 4], 1, 5, lambda _: True, before)]
    assert found == [(0,), (0, 1), (0, 1, 2), (0, 1, 2, 3), (0, 1, 2, 3, 4), (0, 2), (0, 2, 3), (0, 2, 3, 4),
                     (2,), (2, 3), (2, 3, 4)]  # fmt: skip


def test_no_more_than_the_limit_is_looked_at() -> None:
    assert sum(1 for _ in sets_of(range(20), 1, 20, lambda _: True)) == MAX_LOOKED_AT
    looked_at: list[int] = []

    def fails(mask: int) -> bool:
        looked_at.append(mask)
        return False

    assert list(sets_of(range(17), 1, 17, fails)) == []
    assert looked_at == [mask_of([card]) for card in range(17)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("playCards(p, hand(p))", "expected sets of cards, not cards"),
        ("take(p, suits, hand(p), board)", "expected sets of cards, not suits"),
        ("playCards(p, cards s in subsets(hand(p)))", "these are sets, not cards"),
        ("x = count(s in subsets(hand(p), 1, 2) where isGroup(s))", "'subsets' takes 1 or 2 arguments, not 3"),
        ("show(sets s in subsets(hand(p)) where isGroup(s), all)", "only cards can be used here"),
        ("x = deadwood(hand(p), 3)", "expected the name of a table or an order"),
        ("x = isRun(hand(p), points, 3)", "'isSequence' takes 1 or 2 arguments, not 3"),
    ],
)
def test_mistakes_are_named(line: str, message: str) -> None:
    text = CHART.replace("playCardsOrPass(p, sets s in subsets(hand(p)) where {condition})", line)
    assert any(message in item.message for item in load_text(text).findings)


@pytest.mark.parametrize("form", ["facts", "states", "json"])
def test_all_forms_say_sets(form: str) -> None:
    document = chart_with("isRun(s, points) & some(t in subsets(s, 2 to n) where isGroup(t) & s3(t))").document
    findings = Findings()
    read = read_form(write_form(document, form), form, findings)
    assert not findings.items
    assert format_document(read) == format_document(document)
