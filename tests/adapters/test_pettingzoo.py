"""PettingZoo's own tests on all built-in games, and what they do not ask for."""

import random
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import fcdl
from fcdl.adapters.pettingzoo import env
from tests.games.some import some_games


@pytest.mark.parametrize("name", some_games())
def test_api_test_of_pettingzoo_passes(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns that vectors are flat and numbers have no bounds
        options = {"target": 0} if name == "hearts" else {}
        api_test(env(fcdl.load(name, options=options)), num_cycles=150)


def test_seed_test_of_pettingzoo_passes() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed_test(lambda: env("trumps"), num_cycles=20)


def test_game_goes_as_it_does_without_the_environment() -> None:
    game = fcdl.load("hearts", target=0)
    table, state, rng = env(game), game.new(seed=4), random.Random(1)
    table.reset(seed=4)
    while not state.over:
        assert table.agent_selection == f"player_{state.mover}"
        seen = table.observe(table.agent_selection)
        assert list(np.flatnonzero(seen["action_mask"])) == sorted(state.actions)
        action = rng.choice(state.actions)
        state.play(action)
        table.step(action)
    assert all(table.terminations.values())
    mean = sum(state.scores) / 4
    assert table.rewards == {f"player_{seat}": mean - score for seat, score in enumerate(state.scores)}
    assert table.infos["player_0"]["scores"] == state.scores


def test_who_is_not_to_move_has_no_legal_action() -> None:
    table = env("trumps")
    table.reset(seed=1)
    other = next(agent for agent in table.agents if agent != table.agent_selection)
    assert table.observe(other)["action_mask"].sum() == 0
    assert "hand(0)" in table.render()


def test_illegal_action_says_why() -> None:
    table = env("trumps")
    table.reset(seed=1)
    seen = table.observe(table.agent_selection)
    illegal = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    with pytest.raises(fcdl.IllegalMoveError, match="illegal move 'play"):
        table.step(illegal)


def test_stalemate_is_truncated() -> None:
    game = fcdl.load("crazy_eights")
    passing = game.actions.number(fcdl.Move("pass"))
    table = env(game)
    table.reset(seed=1)
    while not (any(table.terminations.values()) or any(table.truncations.values())):
        mask = table.observe(table.agent_selection)["action_mask"]
        table.step(passing if mask[passing] else int(np.flatnonzero(mask)[0]))
    assert (all(table.truncations.values()), table.infos["player_1"]["reason"]) == (True, "stalemate")
