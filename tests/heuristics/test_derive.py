"""Heuristics derived from charts: the thesis's three games, made-up ones, and charts outside the method."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from fcdl.heuristics import Heuristics, contradiction, derive, walk
from fcdl.heuristics.clock import WORK
from fcdl.heuristics.terms import term_of
from fcdl.language.load import load_flowchart, load_text
from fcdl.language.loops import OutsideError
from fcdl.model.game import Game
from tests.heuristics.cycles import check

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


def derive_text(source: str, players: int | None = None, work: int | None = None) -> Heuristics:
    checked = load_text(source)
    assert checked.flowchart is not None, checked.findings
    return derive(Game.make(checked.flowchart, name="made_up", players=players), work=work)


def goals_of(derived: Heuristics) -> set[tuple[int, str]]:
    return {(goal.factor, str(term_of(goal.what, derived.game))) for goal in derived.goals}


def as_sets(derived: Heuristics) -> list[tuple[int | None, frozenset[str]]]:
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


@pytest.mark.parametrize("game", LAW)
def test_heuristics_of_the_two_players_mirror_each_other(game: str) -> None:
    def mirrored(text: str) -> str:
        for mine, other in (("me)", "otherPlayer)"), ("me,", "otherPlayer,"), ("myCard", "otherCard")):
            text = text.replace(other, "#").replace(mine, other).replace("#", mine)
        return text

    found = set(as_sets(derive_builtin(game)))
    assert {(-(weight or 0), frozenset(map(mirrored, conditions))) for weight, conditions in found} == found


@pytest.mark.parametrize("game", LAW)
def test_exactly_one_path_applies_to_every_cycle(game: str) -> None:
    assert contradiction(derive_builtin(game)) is None


def test_missing_path_is_found_as_a_contradiction() -> None:
    derived = derive_builtin("trumps")
    assert contradiction(replace(derived, heuristics=derived.heuristics[1:])) is not None


def test_goal_is_the_score_where_the_loop_changes_it() -> None:
    assert goals_of(derive_builtin("trumps")) == {(1, "score(me)"), (-1, "score(otherPlayer)")}


def test_goal_for_fewer_cards_is_inferred_from_the_scores_after_the_loop() -> None:
    assert goals_of(derive_builtin("crazy_eights")) == {(-1, "cardsRemaining(me)"), (1, "cardsRemaining(otherPlayer)")}


def test_lowest_score_wins_turns_the_weights_round() -> None:
    highest = as_sets(derive_text(HEADER + HIGH_CARD))
    lowest = as_sets(derive_text(HEADER.replace("players 2", "players 2\nlowest score wins") + HIGH_CARD))
    assert {weight for weight, _ in highest} == {2, -2}
    assert set(lowest) == {(-(weight or 0), conditions) for weight, conditions in highest}


def test_goal_can_be_a_comparison_of_variables_after_the_loop() -> None:
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
    assert goals_of(derived) == {(1, "tricks(me)"), (-1, "tricks(otherPlayer)")}
    assert {weight for weight, _ in as_sets(derived)} == {1, -1}


def test_seat_is_a_condition_where_the_seats_are_not_alike() -> None:
    unfair = HIGH_CARD.replace(
        "score(player(leader)) = score(player(leader)) + 2", "score(player(0)) = score(player(0)) + 2"
    )
    found = as_sets(derive_text(HEADER + unfair))
    assert len(found) == 4
    assert all(("equal(player(0),me)" in conditions) == (weight == 2) for weight, conditions in found)
    assert all(("equal(player(1),me)" in conditions) == (weight == -2) for weight, conditions in found)


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
    "no score ever changes": HEADER
    + HIGH_CARD.replace("score(player(leader)) = score(player(leader)) + 2", "leader = 1"),
    "chance decides this": HEADER + HIGH_CARD.replace("+ 2", "+ random(3)"),
    "what to want does not follow": HEADER
    + HIGH_CARD.replace("score(player(leader)) = score(player(leader)) + 2", "leader = 1").replace(
        "finish:\n", "finish:\n    score(player(0)) = random(3)\n"
    ),
}


def test_decisions_outside_of_loops_are_a_cycle_of_one() -> None:
    once = """
    playCard(player(leader), card(any, any))
    playCard(player(1 - leader), card(any, any))
    rankValue(middle(player(leader))) > rankValue(middle(player(1 - leader)))? no -> lost
    score(player(leader)) = 1                               -> finish
lost:
    score(player(1 - leader)) = 1
finish:
    end
"""
    found = as_sets(derive_text(HEADER + once))
    assert sorted(weight or 0 for weight, _ in found) == [-1, -1, 1, 1]
    assert all(any("rankValue(myCard)" in text for text in conditions) for _, conditions in found)


def test_a_loop_that_is_entered_in_two_places_is_followed_from_one() -> None:
    twice = HIGH_CARD.replace("    playCard(player(1 - leader)", "second:\n    playCard(player(1 - leader)")
    jump = "    leader == 0?                                            yes -> second\n"
    assert {weight for weight, _ in as_sets(derive_text(HEADER + jump + twice))} == {2, -2}


def test_a_card_that_is_picked_is_a_card_of_the_cycle() -> None:
    picked = HIGH_CARD.replace(
        "playCard(player(leader), card(any, any))",
        "pick(player(leader), 1, cards, hand(player(leader)), middle(player(leader)))",
    )
    found = as_sets(derive_text(HEADER + picked))
    assert {weight for weight, _ in found} == {2, -2}
    assert any("lessThan(rankValue(myCard),rankValue(otherCard))" in conditions for _, conditions in found)


def test_who_is_chosen_is_asked_for_each_player() -> None:
    source = """
game "Take"
players 3
chart main
    start
    Shuffle
    Deal(5)
    turn = player(random(3))
turn:
    choose(turn, whom, those p in players with p != turn)
    score(whom) = score(whom) - 1
    playCard(turn, cards)
    turn = next(turn)
    cardsRemaining(turn) > 0?                               yes -> turn
    end
"""
    weights = {item.weight for item in derive_text(source).heuristics}
    assert weights == {1, -1}


@pytest.mark.parametrize("reason", OUTSIDE)
def test_chart_outside_the_method_is_told_why(reason: str) -> None:
    with pytest.raises(OutsideError, match=reason):
        derive_text(OUTSIDE[reason])


def test_reason_names_the_line_at_fault() -> None:
    with pytest.raises(OutsideError, match=r"line \d+ \(score\(player\(leader\)\) = .*chance") as error:
        derive_text(OUTSIDE["chance decides this"])
    assert error.value.node is not None


def test_too_many_states_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "MAX_STATES", 10)
    with pytest.raises(OutsideError, match=r"line \d+ .*more ways than can be followed"):
        derive(Game.make(load_flowchart("trumps"), name="trumps"))


def test_answer_belongs_to_the_node_that_asked() -> None:
    answers = [condition.answer for path in derive_builtin("crazy_eights").heuristics for condition in path.conditions]
    asked = {answer[0].partition("(")[0] for answer in answers if answer is not None}
    assert asked == {"playCardOrPass", "rank"}


def test_what_can_be_derived_is_derived_with_a_note() -> None:
    """A trick whose winner gets what chance says, unless the cards are equal: only that path's worth is known."""
    half = HIGH_CARD.replace(
        "? no -> turn\n",
        "? no -> equal\n    score(player(leader)) = score(player(leader)) + random(3) -> turn\nequal:\n",
    )
    derived = derive_text(HEADER + half)
    assert {item.weight for item in derived.heuristics} == {2, -2}
    assert len(derived.open) == 2
    assert all(item.worth is None for item in derived.open)
    assert any("chance decides this" in note and note.startswith("line ") for note in derived.notes)
    assert contradiction(derived) is None


def test_loop_that_turns_as_the_cards_say_is_followed_up_to_its_next_turn() -> None:
    source = """
turn:
    cardsRemaining(player(0)) > 3?                          no -> finish
    playCard(player(leader), card(any, any))
    score(player(leader)) = score(player(leader)) + 1
draw:
    cardsRemaining(player(leader)) > 4?                     yes -> turn
    pickUp(player(leader), 1)                               -> draw
finish:
    end
"""
    derived = derive_text(HEADER + source)
    assert {item.weight for item in derived.heuristics} == {1, -1}


def test_scores_after_the_loop_are_left_out_with_a_note() -> None:
    moon = HIGH_CARD.replace("finish:\n", "finish:\n    score(player(0)) = score(player(0)) + 1\n")
    derived = derive_text(HEADER + moon)
    assert as_sets(derived) == as_sets(derive_text(HEADER + HIGH_CARD))
    assert any("after the cycle" in note for note in derived.notes)


def test_player_may_play_two_cards_in_a_cycle() -> None:
    two = HIGH_CARD.replace("    rankValue", "    playCard(player(leader), card(any, any))\n    rankValue", 1)
    derived = derive_text(HEADER + two)
    assert {part.name for item in derived.heuristics for part in item.parameters} >= {"mySecondCard", "otherSecondCard"}
    check(derived, 20)


def test_worth_can_be_more_than_a_number() -> None:
    derived = derive_text(HEADER + HIGH_CARD.replace("+ 2", "+ rankValue(middle(player(leader)))"))
    assert {item.weight for item in derived.heuristics} == {None}
    worths = {str(term_of(item.worth, derived.game)) for item in derived.heuristics if item.worth is not None}
    assert worths == {"rankValue(myCard)", "operation(negate,rankValue(otherCard))"}
    check(derived, 20)


def test_value_chosen_in_the_cycle_is_a_parameter() -> None:
    play = "    playCard(player(leader)"
    chosen = HIGH_CARD.replace(play, "    choose(player(leader), stake, {1, 2})\n" + play, 1).replace("+ 2", "+ stake")
    derived = derive_text(HEADER + chosen)
    assert {part.name for item in derived.heuristics for part in item.parameters} >= {"myChoice", "otherChoice"}
    check(derived, 20)


@pytest.mark.parametrize(("game", "number"), [("hearts", 11), ("oh_hell", 20), ("durak", 28), ("skat", 30)])
def test_other_games(game: str, number: int) -> None:
    derived = derive_builtin(game)
    assert len(derived.heuristics) == number
    assert not derived.open
    assert contradiction(derived) is None


def test_oh_hell_wants_exactly_the_bid() -> None:
    goals = goals_of(derive_builtin("oh_hell"))
    assert (-10, "operation(absolute,operation(subtract,tricks(me),bid(me)))") in goals
    assert (1, "tricks(me)") in goals
    assert {item.weight for item in derive_builtin("oh_hell").heuristics} == {11, 9, -9, -11}


def test_durak_wants_few_cards_and_skat_what_the_contract_says() -> None:
    assert goals_of(derive_builtin("durak")) == {(-1, "cardsRemaining(me)"), (1, "cardsRemaining(otherPlayer)")}
    skat = derive_builtin("skat")
    mine = {
        (goal.factor, str(term_of(goal.what, skat.game)), tuple(str(term_of(test, skat.game)) for test in goal.context))
        for goal in skat.goals
    }
    assert (1, "taken(me)", ("equal(declarer,me)", "neg(equal(contract,nullGame))")) in mine
    assert (-1, "tricks(me)", ("equal(declarer,me)", "equal(contract,nullGame)")) in mine
    assert (-1, "taken(otherPlayer(1))", ("equal(declarer,otherPlayer(1))", "neg(equal(contract,nullGame))")) in mine


def test_hearts_counts_the_points_of_the_trick() -> None:
    worths = {str(item.worth) for item in derive_builtin("hearts").heuristics}
    assert len(worths) == 2
    assert any("9 " not in note and "shot" not in note for note in derive_builtin("hearts").notes)


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


BRIEFS = """
game "Trump whist"
players 2 to 4
each player has tricks = 0
chart main
    start
    Shuffle
    Deal(5)
    leader = player(random(numberOfPlayers))
    trumps = suit(top(pack))
trick:
    playCard(leader, card(any, any))
    best = leader
    turn = next(leader)
follow:
    playerHas(turn, card(any, suit(middle(leader))))?       no -> discard
    playCard(turn, card(any, suit(middle(leader))))         -> laid
discard:
    playCard(turn, card(any, any))
laid:
    suit(middle(turn)) == suit(middle(best)) & rankValue(middle(turn)) > rankValue(middle(best)) |
            suit(middle(turn)) == trumps & suit(middle(best)) != trumps? no -> next
    best = turn
next:
    turn = next(turn)
    turn == leader?                                         no -> follow
    tricks(best) = tricks(best) + 1
    leader = best
    Stack.empty
    cardsRemaining(leader) > 0?                             yes -> trick
    turn = player(0)
count:
    tricks(turn) > 2?                                       no -> counted
    score(turn) = score(turn) + 5
counted:
    turn = next(turn)
    turn == player(0)?                                      no -> count
    end
"""
SHEDDING = """
game "Ranks up"
players 2 to 4
chart main
    start
    Shuffle
    Deal(4)
    turn = player(0)
    last = 0
play:
    playCardOrPass(turn, cards c in hand(turn) where rankValue(c) >= last)
    passed(turn)?                                           yes -> draw
    last = rankValue(middle(turn))
    Stack.empty
    cardsRemaining(turn) == 0?                              yes -> out no -> next
draw:
    pickUp(turn, 1)
    last = 0
next:
    turn = next(turn)                                       -> play
out:
    score(turn) = score(turn) + 1
    end
"""


@pytest.mark.parametrize("players", [2, 3])
def test_made_up_trick_game_with_trumps(players: int) -> None:
    derived = derive_text(BRIEFS, players)
    others = ["otherPlayer"] if players == 2 else [f"otherPlayer({k})" for k in range(1, players)]
    assert goals_of(derived) == {(1, "tricks(me)"), *((-1, f"tricks({other})") for other in others)}
    assert {item.weight for item in derived.heuristics} == {1, -1}
    assert contradiction(derived) is None
    check(derived, 40)


@pytest.mark.parametrize("players", [2, 3])
def test_made_up_shedding_game(players: int) -> None:
    derived = derive_text(SHEDDING, players)
    assert (-1, "cardsRemaining(me)") in goals_of(derived)
    assert {item.weight for item in derived.heuristics} == {1, -1}
    assert contradiction(derived) is None
    check(derived, 40)


CASES = """
game "Cases"
players 2
deck ranks 2 to 10 suits hearts spades
chart main
    start
    leader = player(0)
    trumpSuit = suit(random(2))
    Shuffle
    Deal(4)
trick:
    playCard(leader, cards)
    playCard(next(leader), cards)
    rankValue(middle(leader)) > rankValue(middle(next(leader)))? no -> lost
    trumpSuit == spades?                                    yes -> lost
    score(leader) = score(leader) + 1                       -> done
lost:
    score(leader) = score(leader) - 1
done:
    leader = next(leader)
    Stack.empty
    cardsRemaining(leader) > 0?                             yes -> trick
    end
"""


def test_a_worth_that_depends_on_the_position_is_asked_once() -> None:
    derived = derive_text(CASES)
    assert {heuristic.weight for heuristic in derived.heuristics} == {-1, 1}
    assert contradiction(derived) is None
    check(derived, 20)


def test_a_player_who_is_nobody_is_told_with_the_node() -> None:
    nobody = CASES.replace("trumpSuit == spades?", "cardsRemaining(player(7)) > 0?")
    assert any(
        "cardsRemaining(player(7)) > 0" in note and "this is nobody" in note
        for note in map(str, derive_text(nobody).notes)
    )


POT = """
game "Pot"
players 2
words more, stop, leave

each player has chips = 1

chart main
    start
    Shuffle
    Deal(1)
    turn = player(0)
    gone = no
ask:
    choose(turn, said, {more, stop, leave})
    said == leave?                                          yes -> leave
    said == stop?                                           yes -> show
    chips(turn) = chips(turn) + 1
    turn = next(turn)                                       -> ask
leave:
    gone = yes
show:
    move(all, hand(player(0)), middle(player(0)))
    move(all, hand(player(1)), middle(player(1)))
    rankValue(middle(player(0))) > rankValue(middle(player(1)))? no -> second
    WIN0
    WIN1                                                    -> done
second:
    LOSE0
    LOSE1
done:
    end
"""


def pot(first: str, second: str, third: str, fourth: str) -> str:
    return POT.replace("WIN0", first).replace("WIN1", second).replace("LOSE0", third).replace("LOSE1", fourth)


def test_what_the_winner_takes_is_no_goal() -> None:
    won, lost = "score(player({})) = chips(player({}))", "score(player({})) = -chips(player({}))"
    staked = pot(won.format(0, 1), lost.format(1, 1), lost.format(0, 0), won.format(1, 0))
    with pytest.raises(OutsideError, match="what the players have as chips goes to whoever wins") as refused:
        derive_text(staked, work=WORK)
    assert refused.value.node is not None
    assert refused.value.hint is not None

    always = pot(*(lost.format(seat, seat) for seat in (0, 1, 0, 1)))
    assert goals_of(derive_text(always, work=WORK)) == {(-1, "chips(me)"), (1, "chips(otherPlayer)")}


@pytest.mark.parametrize(
    ("game", "why"),
    [
        ("holdem", r"line 86 .*what the players have paid goes to whoever wins"),
        ("cribbage", r"line 78 .*where these cards are depends on the cards"),
    ],
)
def test_what_is_no_advice_is_refused(game: str, why: str) -> None:
    with pytest.raises(OutsideError, match=why):
        derive(Game.make(load_flowchart(game), name=game), work=WORK)


def test_a_pair_and_a_higher_card_win_the_pot() -> None:
    derived = derive(Game.make(load_flowchart("leduc_poker"), name="leduc_poker"), work=WORK)
    weights = {one.weight for one in derived.heuristics}
    assert (
        max(filter(None, weights)) == 26
    )  # an ante of 1 and raises of 2, 2, 4, 4: one has 13 more, the other 13 fewer
    assert None not in weights
    page = str(derived)
    for line in (
        "good for you (plus twice what they have paid):",
        "You call, betting is over, you have a pair and they have no pair.",
        "You call, betting is over, they have no pair and your card is higher than theirs.",
        "You fold: minus twice what you have paid.",
    ):
        assert line in page


BIDS = """
game "Bids"
players 2
words more, stop

chart main
    start
    Shuffle
    turn = player(0)
    bids = 0
ask:
    choose(turn, said, {more if bids < 2, stop})
    said == more?                                           no -> done
    bids = bids + 1
    turn = next(turn)                                       -> ask
done:
    score(turn) = bids
    end
"""


def test_what_may_not_be_chosen_is_not_followed() -> None:
    derived = derive_text(BIDS, work=WORK)
    assert {one.weight for one in (*derived.heuristics, *derived.neutral)} == {-2, -1, 0, 1, 2}
    assert contradiction(derived) is None
