"""Heuristics derived from charts: the thesis's three games, made-up ones, and charts outside the method."""

import json
import time
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from fcdl.heuristics import Heuristics, contradiction, derive, sentence
from fcdl.language.load import load_flowchart, load_text
from fcdl.language.loops import OutsideError
from fcdl.model.game import Game

LAW = json.loads((Path(__file__).parents[1] / "data" / "law2013" / "heuristics.json").read_text())

HEADER = """
game "Made up"
players 2
chart main
    start
    Shuffle
    Deal(5)
    leader = random(2)
"""
HIGH_CARD = """
turn:
    cardsRemaining(player(0)) > 0?                          no -> finish
    playCard(player(leader), card(any, any))
    playCard(player(1 - leader), card(any, any))
    rankValue(middle(player(leader))) < rankValue(middle(player(1 - leader)))? no -> turn
    score(player(leader)) = score(player(leader)) + 2       -> turn
finish:
    end
"""


@cache
def derive_builtin(name: str) -> Heuristics:
    return derive(Game.make(load_flowchart(name), name=name))


def derive_text(source: str, players: int | None = None) -> Heuristics:
    checked = load_text(source)
    assert checked.flowchart is not None, checked.findings
    return derive(Game.make(checked.flowchart, name="made_up", players=players))


def as_sets(derived: Heuristics) -> list[tuple[int, frozenset[str]]]:
    return [(item.weight, frozenset(map(str, item.conditions))) for item in derived.heuristics]


@pytest.mark.parametrize(("game", "number"), [("trumps", 12), ("kings_and_jacks", 18), ("crazy_eights", 12)])
def test_thesis_heuristics_are_reproduced(game: str, number: int) -> None:
    expected = {(item["weight"], frozenset(item["conditions"])) for item in LAW[game]}
    found = as_sets(derive_builtin(game))
    assert len(found) == len(expected) == number
    assert set(found) == expected


@pytest.mark.parametrize("game", LAW)
def test_thesis_charts_in_the_thesis_form_give_the_same(game: str) -> None:
    chart = Path(__file__).parents[1] / "data" / "law2013" / f"{game}.states.lp"
    found = as_sets(derive(Game.make(load_flowchart(str(chart)), name=game)))
    assert set(found) == set(as_sets(derive_builtin(game)))


def test_derivation_takes_less_than_a_second() -> None:
    derive_builtin("trumps")  # imports
    for name in LAW:
        game = Game.make(load_flowchart(name), name=name)
        start = time.process_time()
        derive(game)
        assert time.process_time() - start < 1


@pytest.mark.parametrize("game", LAW)
def test_heuristics_of_the_two_players_mirror_each_other(game: str) -> None:
    def mirrored(text: str) -> str:
        for mine, other in (("me)", "otherPlayer)"), ("me,", "otherPlayer,"), ("myCard", "otherCard")):
            text = text.replace(other, "#").replace(mine, other).replace("#", mine)
        return text

    found = set(as_sets(derive_builtin(game)))
    assert {(-weight, frozenset(map(mirrored, conditions))) for weight, conditions in found} == found


@pytest.mark.parametrize("game", LAW)
def test_exactly_one_way_applies_to_every_pass(game: str) -> None:
    assert contradiction(derive_builtin(game)) is None


def test_missing_way_is_found_as_a_contradiction() -> None:
    derived = derive_builtin("trumps")
    assert contradiction(replace(derived, heuristics=derived.heuristics[1:])) is not None


def test_wish_is_the_score_where_the_loop_changes_it() -> None:
    wishes = {(sign, str(what)) for sign, what in derive_builtin("trumps").wishes}
    assert wishes == {(1, "score(me)"), (-1, "score(otherPlayer)")}


def test_wish_for_fewer_cards_is_inferred_from_the_scores_after_the_loop() -> None:
    wishes = {(sign, str(what)) for sign, what in derive_builtin("crazy_eights").wishes}
    assert wishes == {(-1, "cardsRemaining(me)"), (1, "cardsRemaining(otherPlayer)")}


def test_lowest_score_wins_turns_the_weights_round() -> None:
    highest = as_sets(derive_text(HEADER + HIGH_CARD))
    lowest = as_sets(derive_text(HEADER.replace("players 2", "players 2\nlowest score wins") + HIGH_CARD))
    assert {weight for weight, _ in highest} == {2, -2}
    assert set(lowest) == {(-weight, conditions) for weight, conditions in highest}


def test_wish_can_be_a_comparison_of_variables_after_the_loop() -> None:
    source = """
game "Most tricks"
players 2
each player has tricks = 0
chart main
    start
    Shuffle
    Deal(5)
    leader = random(2)
turn:
    cardsRemaining(player(0)) > 0?                          no -> count
    playCard(player(leader), card(any, any))
    playCard(player(1 - leader), card(any, any))
    rankValue(middle(player(leader))) < rankValue(middle(player(1 - leader)))? no -> turn
    tricks(player(leader)) = tricks(player(leader)) + 1     -> turn
count:
    tricks(player(0)) > tricks(player(1))?                  no -> second
    score(player(0)) = 1 + score(player(0))                 -> finish
second:
    tricks(player(0)) < tricks(player(1))?                  no -> finish
    score(player(1)) = score(player(1)) + 1
finish:
    end
"""
    derived = derive_text(source)
    assert {(sign, str(what)) for sign, what in derived.wishes} == {(1, "tricks(me)"), (-1, "tricks(otherPlayer)")}
    assert {weight for weight, _ in as_sets(derived)} == {1, -1}


def test_seat_is_a_condition_where_the_seats_are_not_alike() -> None:
    unfair = HIGH_CARD.replace(
        "score(player(leader)) = score(player(leader)) + 2", "score(player(0)) = score(player(0)) + 2"
    )
    found = as_sets(derive_text(HEADER + unfair))
    assert len(found) == 4
    assert all(("equal(player(0),me)" in conditions) == (weight > 0) for weight, conditions in found)
    assert all(("equal(player(1),me)" in conditions) == (weight < 0) for weight, conditions in found)


def test_sub_charts_are_drawn_out() -> None:
    body = HIGH_CARD.replace("    playCard(player(1 - leader), card(any, any))\n", "    do answer\n")
    answer = "chart answer\n    start\n    playCard(player(1 - leader), card(any, any))\n    end\n"
    assert as_sets(derive_text(HEADER + body + answer)) == as_sets(derive_text(HEADER + HIGH_CARD))


def test_loop_may_ask_at_its_end_whether_it_goes_on() -> None:
    last = """
turn:
    playCard(player(leader), card(any, any))
    playCard(player(1 - leader), card(any, any))
    rankValue(middle(player(leader))) < rankValue(middle(player(1 - leader)))? no -> more
    score(player(leader)) = score(player(leader)) + 2
more:
    cardsRemaining(player(0)) > 0?                          yes -> turn
    end
"""
    assert as_sets(derive_text(HEADER + last)) == as_sets(derive_text(HEADER + HIGH_CARD))


def test_three_players_are_counted_from_me() -> None:
    source = load_flowchart_text("trumps").replace("players 2", "players 3")
    derived = derive_text(source)
    conditions = {str(condition) for item in derived.heuristics for condition in item.conditions}
    assert {"equal(player(leader),me)", "equal(player(leader),otherPlayer(2))"} < conditions
    assert {item.weight for item in derived.heuristics} == {1, -1}


def load_flowchart_text(name: str) -> str:
    return (Path(__file__).parents[2] / "games" / f"{name}.fcdl").read_text()


OUTSIDE = {
    "no loop contains this decision": HEADER
    + """
    playCard(player(leader), card(any, any))
    playCard(player(1 - leader), card(any, any))
    score(player(leader)) = 1
    end
""",
    "a player plays a second card": HEADER
    + HIGH_CARD.replace("playCard(player(1 - leader), card(any, any))", "playCard(player(leader), card(any, any))"),
    "only a fixed number of turns": HEADER
    + """
turn:
    cardsRemaining(player(0)) > 3?                          no -> finish
    playCard(player(leader), card(any, any))
    score(player(leader)) = score(player(leader)) + 1
draw:
    cardsRemaining(player(leader)) > 4?                     yes -> turn
    pickUp(player(leader), 1)                               -> draw
finish:
    end
""",
    "not a fixed number": HEADER + HIGH_CARD.replace("+ 2", "+ rankValue(middle(player(leader)))"),
    "a value is chosen": HEADER + HIGH_CARD.replace("turn:\n", "turn:\n    choose(player(leader), bid, {1, 2})\n"),
    "and here, after it": HEADER
    + HIGH_CARD.replace("finish:\n", "finish:\n    score(player(0)) = score(player(0)) + 1\n"),
    "entered here and elsewhere": HEADER
    + "    leader == 0?                                            yes -> second\n"
    + HIGH_CARD.replace("    playCard(player(1 - leader)", "second:\n    playCard(player(1 - leader)"),
    "no score ever changes": HEADER
    + HIGH_CARD.replace("score(player(leader)) = score(player(leader)) + 2", "leader = 1"),
}


@pytest.mark.parametrize("reason", OUTSIDE)
def test_chart_outside_the_method_is_told_why(reason: str) -> None:
    with pytest.raises(OutsideError, match=reason):
        derive_text(OUTSIDE[reason])


@pytest.mark.parametrize("game", ["hearts", "oh_hell", "durak", "skat"])
def test_games_outside_the_method_are_told_where(game: str) -> None:
    with pytest.raises(OutsideError, match=r"^node \d+ \(.*\): ") as error:
        derive_builtin(game)
    assert error.value.node is not None


def test_reason_names_the_node_at_fault() -> None:
    with pytest.raises(OutsideError, match=r"score\(player\(leader\)\) = .* not a fixed number"):
        derive_text(OUTSIDE["not a fixed number"])


def test_variables_may_have_the_names_of_the_vocabulary() -> None:
    found = as_sets(derive_text((HEADER + HIGH_CARD).replace("leader", "me")))
    assert {weight for weight, _ in found} == {2, -2}
    assert all(any(term.startswith('equal(player("me"),') for term in conditions) for _, conditions in found)


def test_players_in_variables_are_named_as_they_are() -> None:
    source = """
game "Player variables"
players 2
chart main
    start
    Shuffle
    Deal(5)
    leader = player(random(2))
turn:
    cardsRemaining(leader) > 0?                             no -> finish
    playCard(leader, card(any, any))
    playCard(next(leader), card(any, any))
    rankValue(middle(leader)) < rankValue(middle(next(leader)))? yes -> turn
    score(leader) = score(leader) + 1                       -> turn
finish:
    end
"""
    found = as_sets(derive_text(source))
    assert {term for _, conditions in found for term in conditions if term.startswith("equal")} == {
        "equal(leader,me)",
        "equal(leader,otherPlayer)",
    }


def test_sentences() -> None:
    trumps = derive_builtin("trumps")
    sentences = [sentence(trumps, item) for item in trumps.heuristics]
    assert len(set(sentences)) == 12
    assert (
        "You lead any card; they have a card of your card's suit and must play one; your card is lower than theirs: −1."
        in sentences
    )
    eights = derive_builtin("crazy_eights")
    assert "They pass: +1." in [sentence(eights, item) for item in eights.heuristics]
