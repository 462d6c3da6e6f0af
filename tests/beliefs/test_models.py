"""Policies as models of the others: their probabilities are the weights, and nothing they say can leave no world."""

import random

import numpy as np
import pytest

from fcdl.agents.agent import make_agent
from fcdl.agents.inference import beliefs_with, engine_with
from fcdl.beliefs.models import PolicyModel
from fcdl.beliefs.sampler import EQUAL, PARTICLES, PUBLIC, UNIFORM, Beliefs
from fcdl.beliefs.weights import Policy as Model
from fcdl.beliefs.weights import effective_size, tempered
from fcdl.engines.native.engine import NativeEngine, State
from fcdl.engines.native.policies import Policy
from fcdl.language.load import load_flowchart
from fcdl.model import Game, RandomChance
from tests.beliefs.test_sampler import (
    ALL,
    by_key,
    observations,
    probabilities,
    small_game,
    without_counting,
)

HIGH = Policy("high", play="rankValue(rank(card))", pick="rankValue(rank(card))")
"""Somebody who plays the highest card."""


def positions(engine: NativeEngine, seed: int, moves: tuple[int, ...]) -> list[State]:
    """Some positions of a game that is played at random."""
    rng, chance = random.Random(seed), RandomChance(seed)
    state, found = engine.start(chance), list[State]()
    for number in range(max(moves) + 1):
        if engine.mover(state) is None:
            break
        if number in moves:
            found.append(state)
        state = engine.apply(state, rng.choice(engine.legal(state)), chance)
    return found


@pytest.mark.parametrize("counting", [True, False])
def test_weights_are_the_policys_probabilities(counting: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not counting:
        without_counting(monkeypatch)
    made = small_game("passing", ALL["passing"])
    engine = NativeEngine(made.game, policies=[HIGH])
    policy = engine.compiled_policies["high"]
    model = PolicyModel(policy, softness=0.8, doubt=0.3)

    def weigh(state: State, move: int) -> float:
        worths = {number: worth for number, worth, _ in policy.worths(state.data)}
        spread = float(np.std(list(worths.values())))
        best = max(worths.values())
        soft = {n: np.exp((worth - best) / (0.8 * spread)) if spread else 1.0 for n, worth in worths.items()}
        return float(0.7 * soft[move] / sum(soft.values()) + 0.3 / len(worths))

    for _, observation in observations(engine, 3):
        expected = probabilities(engine, observation, UNIFORM, weigh)
        found = Beliefs(engine, model).sample(observation, 2000, 3)
        weights = by_key(engine, found)
        assert (found.layer == PARTICLES) == (not counting)
        assert weights.keys() <= expected.keys()
        assert sum(abs(weights[world] - chance) for world, chance in expected.items()) / 2 < 0.1


@pytest.mark.parametrize(("name", "players"), [("hearts", 4), ("skat", 3), ("durak", 2)])
def test_a_policy_without_opinions_is_uniform(name: str, players: int) -> None:
    game = Game.make(load_flowchart(name), name=name, players=players)
    engine = NativeEngine(game, policies=[Policy("any")])
    for state in positions(engine, 2, (6, 14)):
        observation = engine.observe(state, state.mover)
        paths = Beliefs(engine)._follow(observation)
        models = (UNIFORM, PolicyModel(engine.compiled_policies["any"], doubt=0))
        plain, policy = (Beliefs(engine, model).dealer.draw(paths, 64, 5, 0).weights()[0] for model in models)
        assert np.allclose(plain, policy)


def test_no_move_is_impossible_and_tempering_keeps_worlds() -> None:
    game = Game.make(load_flowchart("hearts"), name="hearts", players=4)
    engine = NativeEngine(game)
    (state,) = positions(engine, 4, (30,))
    observation = engine.observe(state, state.mover)
    nothing: list[Model] = [lambda decisions: [0.0] * len(decisions), lambda decisions: [np.nan] * len(decisions)]
    for model in nothing:
        found = Beliefs(engine, model, 0.1).sample(observation, 50, 1)
        assert len(found.positions) == 50
        assert found.weights.sum() == pytest.approx(1)
        assert found.power == 0
        assert "not weighed" in found.note
    rng = np.random.default_rng(1)
    found = Beliefs(engine, lambda decisions: rng.random(len(decisions)) ** 40, 0.1).sample(observation, 300, 1)
    assert 0 < found.power < 1
    assert "counts for less" in found.note
    assert Beliefs(engine, EQUAL).sample(observation, 50, 1).power == 1


def test_tempering_takes_the_largest_power() -> None:
    judged = np.linspace(-50, 0, 100)
    weights, power = tempered(np.zeros(100), judged, 20)
    assert effective_size(weights) == pytest.approx(20, rel=1e-3)
    assert np.allclose(np.log(weights[1:] / weights[:-1]), power * np.diff(judged))
    assert tempered(np.zeros(100), judged, 1)[1] == 1
    weights, power = tempered(np.zeros(100), judged, 1000)
    assert np.allclose(weights, 0.01)
    assert power < 1e-6


def test_likelihoods_stop_in_time() -> None:
    game = Game.make(load_flowchart("hearts"), name="hearts", players=4)
    engine = engine_with(game, "greedy")
    (state,) = positions(engine, 4, (20,))
    policy = engine.compiled_policies["greedy"]
    number = policy.worths(state.data)[0][0]
    many = 3000
    found = np.frombuffer(
        policy.likelihoods(many * state.data, np.full(many, number, np.int32).tobytes(), 0.5, 0.001), np.float64
    )
    assert found[-1] == -1
    assert found[0] > 0 or found[0] == -1


def test_public_facts_are_not_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    without_counting(monkeypatch)
    monkeypatch.setattr(Beliefs, "_by_particles", lambda *_: None)
    game = Game.make(load_flowchart("durak"), name="durak", players=2)
    engine = engine_with(game, "durak.greedy")
    (state,) = positions(engine, 4, (9,))
    found = beliefs_with(engine, "durak.greedy").sample(engine.observe(state, state.mover), 20, 1)
    assert (found.layer, found.power) == (PUBLIC, 0)
    assert "not weighed" in found.note


@pytest.mark.parametrize("kind", ["montecarlo:playouts=5", "mcts:limit=5,samples=3", "minimax:samples=3,depth=1"])
def test_every_searching_player_infers(kind: str) -> None:
    game = Game.make(load_flowchart("durak"), name="durak", players=2)
    engine = NativeEngine(game)
    agent = make_agent(f"{kind},infer=durak.greedy", game)
    for state in positions(engine, 4, (5, 9)):
        legal = engine.legal(state)
        assert agent.choose(engine.observe(state, state.mover), legal, random.Random(1)) in legal
    assert isinstance(agent.beliefs.model, PolicyModel)  # type: ignore[attr-defined]
