"""The table of actions has every move that is ever legal, in charts that nobody has seen, too."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings

import fcdl
from fcdl.api.bounds import Bounds
from tests.engines.charts import charts
from tests.engines.test_made_up_charts import SLOW_TO_MAKE, made_up_game

CHARTS = sorted((Path(__file__).parents[1] / "charts").glob("*.fcdl"))

COUNTING = """
game "Counting"
players 2
deck standard
option most = 7 from 1 to 20 "The last round."

chart main
    start
    round = 1
again:
    choose(player(0), bid, {0 to round})
    round = round + 1
    round <= most?                                          yes -> again
    choose(player(1), last, {round to 2 * round})
    end
"""
ENDLESS = COUNTING.replace("round <= most?", "bid > 0?")


def assert_all_have_numbers(game: fcdl.Game, seeds: int, moves: int = 80) -> None:
    for seed in range(seeds):
        state, rng = game.new(seed), random.Random(seed)
        for _ in range(moves):
            if state.over:
                break
            legal, actions = state.legal, state.actions
            assert len(set(actions)) == len(legal)
            assert [game.actions.move(number, legal) for number in actions] == list(legal)
            state.play(actions[rng.randrange(len(actions))])


@pytest.mark.parametrize("chart", CHARTS, ids=lambda path: path.stem)
def test_every_legal_move_has_a_number(chart: Path) -> None:
    assert_all_have_numbers(fcdl.load(chart), 6)


@settings(max_examples=40, suppress_health_check=SLOW_TO_MAKE)
@given(charts())
def test_every_legal_move_of_a_made_up_chart_has_a_number(text: str) -> None:
    made_up_game(text)
    assert_all_have_numbers(fcdl.load(text), 2, 30)


def test_diamond_that_ends_a_loop_bounds_what_is_counted() -> None:
    game = fcdl.load(COUNTING)
    assert [str(move) for move in game.actions] == [f"choose {number}" for number in range(17)]
    assert not game.actions.by_place
    assert len(fcdl.load(COUNTING, most=3).actions) == 9
    assert_all_have_numbers(game, 3)


def test_number_without_a_bound_is_chosen_by_its_place() -> None:
    game = fcdl.load(ENDLESS)
    assert game.actions.by_place
    assert str(game.actions[-1]) == "choose #256"
    assert_all_have_numbers(game, 3)


def test_bids_of_oh_hell_end_with_the_largest_hand() -> None:
    assert str(fcdl.load("oh_hell", 4).actions[-1]) == "choose 13"
    assert str(fcdl.load("oh_hell", 7, rounds="downAndUp").actions[-1]) == "choose 7"


def test_option_that_is_off_takes_its_choices_out_of_the_table() -> None:
    plain, jumping = fcdl.load("skat"), fcdl.load("skat", jumpBids="yes")
    bid = fcdl.Move("choose", "18")
    assert (plain.actions.find(bid), jumping.actions.find(bid) is not None) == (None, True)
    assert_all_have_numbers(jumping, 8)


def test_what_cannot_be_reached_bounds_nothing() -> None:
    text = COUNTING.replace("round = 1\n", "round = 1\n    1 > 2?     no -> again\n    round = 900\n")
    assert Bounds(fcdl.load(text)).variable("round").high == 8
