"""Networks in C: they see what the seat sees, every move has a worth, and one that does not fit is refused."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from fcdl.beliefs.sampler import Beliefs
from fcdl.engines.native.constants import MAX_INPUTS, MAX_OUTPUTS
from fcdl.engines.native.engine import NativeEngine
from fcdl.language.load import builtin_names
from fcdl.learning.files import PolicyError, PolicyFile, rounded
from fcdl.learning.network import NetworkPolicy, Weights
from fcdl.learning.view import view_of
from fcdl.model import RandomChance
from tests.games.table import make_game


def random_policy(engine: NativeEngine, seed: int = 1) -> NetworkPolicy:
    """One whose worths differ, as if something was learned."""
    view, rng = view_of(engine), np.random.default_rng(seed)
    weights = Weights.start(view, 32, seed)
    second = rng.standard_normal(weights.second.shape).astype(np.float32)
    return NetworkPolicy(engine.game, view, rounded(replace(weights, second=second)), 1.0)


def file_of(policy: NetworkPolicy) -> PolicyFile:
    game = policy.game
    return PolicyFile(game.flowchart.hash, game.players, policy.view, policy.weights, 0.5, "points", {"by": "a test"})


@pytest.mark.parametrize("name", builtin_names())
def test_every_game_has_a_view_and_worths_for_all_its_moves(name: str) -> None:
    """Moves differ in what they are worth, unless they look alike."""
    engine = NativeEngine(make_game(name))
    policy = random_policy(engine)
    engine = NativeEngine(engine.game, policies=[policy])
    compiled, alike, decided = engine.compiled_policies["learned"], 0, 0
    for seed in range(3):
        state = engine.new_game(seed)
        for _ in range(60):
            if state.is_over:
                break
            legal = state.legal_ids()
            found = compiled.worths(state.dump())
            assert tuple(move for move, _, _ in found) == legal
            assert sum(likely for _, _, likely in found) == pytest.approx(1)
            if len(legal) > 1:
                decided += 1
                alike += len({worth for _, worth, _ in found}) == 1
            state.play_out(engine.by_seat("learned"), 1)
    assert alike <= decided / 2


@pytest.mark.parametrize("name", ["hearts", "skat", "durak", "go_fish", "cassino", "holdem", "euchre", "rummy"])
def test_inputs_are_the_same_in_all_worlds_that_look_the_same(name: str) -> None:
    engine = NativeEngine(make_game(name))
    policy = random_policy(engine)
    network, beliefs = policy.network(engine.program), Beliefs(engine)
    chance, rng, looked = RandomChance(5), random.Random(5), 0
    state = engine.start(chance)
    for _ in range(40):
        mover = engine.mover(state)
        if mover is None:
            break
        legal = engine.legal(state)
        if len(legal) > 1:
            seen = engine.observe(state, mover)
            worlds = beliefs.sample(seen, 4, 3, legal).positions
            described = {network.describe(world)[0] for world in (state.data, *worlds)}
            assert len(described) == 1
            looked += 1
        state = engine.apply(state, rng.choice(legal), chance)
    assert looked > 3


def test_views_that_do_not_fit_the_chart_are_refused() -> None:
    """Nothing of a file is used as an index before it was checked."""
    engine = NativeEngine(make_game("trumps"))
    policy = random_policy(engine)
    rng, refused = random.Random(3), 0
    for _ in range(300):
        data = policy.view.to_json()
        rows = data["fields"] if rng.random() < 0.5 else data["answers"]
        row = rng.choice(rows)
        key = rng.choice(["kind", "count", "of", "place", "low", "levels", "node"])
        row[key] = rng.choice([-1, 0, 1, 7, 52, 1000, 10**6, -(10**6), 2**31, "hand", "pack", "seat", "call", "top"])
        try:
            view = type(policy.view).from_json(data)
            if not (0 < view.inputs <= MAX_INPUTS and 0 < view.outputs <= MAX_OUTPUTS):
                raise PolicyError("too large: what reads files has refused it")
            weights = Weights.start(view, 32, 1)
            changed = file_of(replace(policy, view=view, weights=weights)).policy(engine.game)
            compiled = NativeEngine(engine.game, policies=[changed])
            compiled.play_games(2, 1, policies="learned")
        except (PolicyError, ValueError, TypeError, OverflowError, MemoryError):
            refused += 1
    assert refused > 50
