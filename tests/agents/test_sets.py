"""Players and the API where a move is a set of cards."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

import numpy as np
import pytest

import fcdl
from fcdl.agents.agent import make_agent
from fcdl.arena.play import play
from fcdl.engines.native import NativeEngine
from tests.agents.test_no_cheating import twins
from tests.engines.test_sets import FISHING, PRESIDENT, TOGETHER, game_of

CHARTS = {"fishing": FISHING, "president": PRESIDENT, "together": TOGETHER}
PLAYERS = (
    "ismcts:iterations=40,worlds=5",
    "ismcts:iterations=40,worlds=5,observer=single",
    "pimc:worlds=2,nodes=100",
    "minimax:depth=2,samples=2",
    "mcts:limit=10,samples=2",
    "montecarlo:playouts=3",
    "greedy:worlds=2,lines=5",
)


def engine(name: str) -> NativeEngine:
    return NativeEngine(game_of(CHARTS[name], " copies 2" if name == "president" else ""))


@pytest.mark.parametrize("text", PLAYERS)
@pytest.mark.parametrize("name", CHARTS)
def test_same_seed_gives_the_same_game(name: str, text: str) -> None:
    table = engine(name)
    seats = [make_agent(text if seat == 0 else "random", table.game) for seat in range(table.game.players)]
    assert len({play(table, seats, "deal", "seed").scores for _ in range(2)}) == 1


@pytest.mark.parametrize("text", PLAYERS)
@pytest.mark.parametrize("name", CHARTS)
def test_what_looks_the_same_is_answered_the_same(name: str, text: str) -> None:
    table = engine(name)
    for number, (state, twin) in enumerate(twins(table, 5, 3)):
        answers = [
            make_agent(text, table.game).choose(
                table.observe(position, position.mover), table.legal(position), random.Random(number)
            )
            for position in (state, twin)
        ]
        assert answers[0] == answers[1]
        assert answers[0] in table.legal(state)


def loaded(name: str, folder: Path) -> fcdl.Game:
    path = folder / f"{name}.fcdl"
    path.write_text(CHARTS[name].replace("{copies}", ""))
    return fcdl.load(str(path))


@pytest.mark.parametrize("name", CHARTS)
def test_sets_are_actions_with_numbers_and_observations_have_one_shape(name: str, tmp_path: Path) -> None:
    game, rng, met = loaded(name, tmp_path), random.Random(1), 0
    for seed in range(3):
        state = game.new(seed=seed)
        while not state.over:
            assert len(set(state.actions)) == len(state.legal)
            mask = game.encoder.mask(state.legal)
            assert list(np.flatnonzero(mask)) == sorted(state.actions)
            assert game.encoder.encode(state.observation()).shape == game.encoder.shape
            move, action = rng.choice(list(zip(state.legal, state.actions, strict=True)))
            met += len(move.cards) > 1
            by_text = state.copy().play(str(move))
            state.play(action)
            assert by_text == state
    assert met > 0


@pytest.mark.parametrize("name", CHARTS)
def test_pettingzoo_plays_sets(name: str, tmp_path: Path) -> None:
    from pettingzoo.test import api_test

    from fcdl.adapters.pettingzoo import env

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns that vectors are flat and numbers have no bounds
        api_test(env(loaded(name, tmp_path)), num_cycles=60)


def test_pettingzoo_masks_all_but_the_legal_sets(tmp_path: Path) -> None:
    from fcdl.adapters.pettingzoo import env

    game = loaded("president", tmp_path)
    table, state = env(game), game.new(seed=4)
    table.reset(seed=4)
    mask = table.observe(table.agent_selection)["action_mask"]
    assert list(np.flatnonzero(mask)) == sorted(state.actions)


@pytest.mark.parametrize("name", CHARTS)
def test_openspiel_plays_sets(name: str, tmp_path: Path) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from fcdl.adapters.openspiel import NAME

    loaded(name, tmp_path)
    pyspiel.random_sim_test(
        pyspiel.load_game(NAME, {"chart": str(tmp_path / f"{name}.fcdl")}), num_sims=1, serialize=False, verbose=False
    )
