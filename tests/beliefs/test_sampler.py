"""Sampled worlds have exactly the probability that a brute-force search finds, and only worlds come out.

The search plays every order of the pack, every random number and every move of the others, with its probability; it
knows nothing of places, pools and scripts.
"""

import contextlib
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from math import factorial

import numpy as np
import pytest

from fcdl.beliefs.dealer import _shares
from fcdl.beliefs.sampler import (
    EQUAL,
    PARTICLES,
    PUBLIC,
    UNIFORM,
    Beliefs,
    BeliefsError,
    Decision,
    NoWorldError,
    Worlds,
)
from fcdl.beliefs.weights import thinned
from fcdl.beliefs.worlds import worlds
from fcdl.engines.native.engine import NativeEngine, State
from fcdl.language.load import load_text
from fcdl.model import Game, Move, Observation, RandomChance
from tests.beliefs.charts import LASTING, PASSES, SAMPLED, TWIN_DRAWS, TWINS
from tests.beliefs.test_worlds import CHARTS, SearchChance

Key = tuple[bytes, bytes]


def key(engine: NativeEngine, position: bytes) -> Key:
    """A position without the order of its piles: variables and zones; copies of a card are the same."""
    program = engine.telling_program
    zones = position[program.zones_at :]
    if engine.game.flowchart.deck.copies > 1:
        zones = repr([sorted(cards) for cards in engine.zones(position).values()]).encode()
    return position[: program.variables_size], zones


def continuations(engine: NativeEngine, state: State | None, move: Move | None) -> Iterator[tuple[State, float]]:
    """Every position that a move (or the start) can lead to, with its probability."""
    pending: list[tuple[list[int | tuple[int, ...]], float]] = [([], 1.0)]
    while pending:
        script, probability = pending.pop()
        chance = SearchChance(script)
        try:
            after = engine.start(chance) if state is None or move is None else engine.apply(state, move, chance)
        except LookupError:
            question = chance.question
            if isinstance(question, int):
                pending.extend(([*script, answer], probability / question) for answer in range(question))
            else:
                cards = question or ()
                share = probability / factorial(len(cards))
                pending.extend(([*script, answer], share) for answer in permutations(cards))
        else:
            yield after, probability


def probabilities(
    engine: NativeEngine,
    observation: Observation,
    model: str,
    weigh: Callable[[State, int], float] | None = None,
) -> dict[Key, float]:
    """The probability of each position that the seat cannot tell from the true one."""
    seat, seen = observation.seat, observation.events
    found: dict[Key, float] = defaultdict(float)
    pending = list(continuations(engine, None, None))
    while pending:
        state, probability = pending.pop()
        view = engine.observe(state, seat).events
        if view != seen[: len(view)]:
            continue
        if len(view) == len(seen):
            found[key(engine, state.data)] += probability
            continue
        mover = engine.mover(state)
        if mover is None:
            continue
        moves = engine.legal(state)
        for move in moves:
            share = probability if mover == seat or model == EQUAL else probability / len(moves)
            if weigh is not None and mover != seat:
                share = probability * weigh(state, engine.move_id(state, move) or 0)
            pending.extend((after, share * chance) for after, chance in continuations(engine, state, move))
    total = sum(found.values())
    return {position: probability / total for position, probability in found.items()}


ALL = {**CHARTS, **SAMPLED, "twins": TWINS, "twin draws": TWIN_DRAWS}


def small_game(name: str, text: str) -> NativeEngine:
    flowchart = load_text(text).flowchart
    assert flowchart is not None
    return NativeEngine(Game.make(flowchart, name=name))


def observations(engine: NativeEngine, seed: int) -> Iterator[tuple[State, Observation]]:
    chance, rng = RandomChance(seed), random.Random(seed)
    state = engine.start(chance)
    while engine.mover(state) is not None:
        for seat in range(engine.game.players):
            yield state, engine.observe(state, seat)
        state = engine.apply(state, rng.choice(engine.legal(state)), chance)


def assert_close(expected: dict[Key, float], found: dict[Key, float], size: float) -> None:
    """Chi-square and total variation stay within what chance explains (one failure in a million)."""
    freedom = len(expected) - 1
    chi_square = size * sum((found[world] - p) ** 2 / p for world, p in expected.items())
    assert chi_square <= freedom + 7 * np.sqrt(2 * freedom) + 12
    distance = sum(abs(found[world] - p) for world, p in expected.items()) / 2
    assert distance <= sum(np.sqrt(p * (1 - p) / size) for p in expected.values()) / 2 + 5 / np.sqrt(size)


def by_key(engine: NativeEngine, found: Worlds) -> dict[Key, float]:
    weights: dict[Key, float] = defaultdict(float)
    for position, weight in zip(found.positions, found.weights, strict=True):
        weights[key(engine, position)] += weight
    return weights


@pytest.mark.parametrize("model", [UNIFORM, EQUAL])
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 12))])
@pytest.mark.parametrize("name", ALL)
def test_weighted_frequencies_are_the_probabilities(name: str, seed: int, model: str) -> None:
    engine = small_game(name, ALL[name])
    beliefs = Beliefs(engine, model)
    for state, observation in observations(engine, seed):
        expected = probabilities(engine, observation, model)
        found = beliefs.sample(observation, 2000, seed)
        assert found.exact
        assert len(found.positions) == 2000
        weights = by_key(engine, found)
        assert weights.keys() <= expected.keys(), "a world that is none"
        assert key(engine, state.data) in expected
        assert_close(expected, weights, found.effective_size)


@pytest.mark.parametrize("name", CHARTS)
def test_counting_counts_what_the_solver_finds(name: str) -> None:
    engine = small_game(name, CHARTS[name])
    beliefs = Beliefs(engine)
    counted = 0
    for _, observation in observations(engine, 5):
        number = beliefs.count(observation)
        if number is not None:
            counted += 1
            assert number == sum(1 for _ in worlds(engine.game, observation))
    assert counted


def test_secrets_that_outlive_a_shuffle_are_followed_but_not_called_exact() -> None:
    engine = small_game("lasting", LASTING)
    beliefs = Beliefs(engine)
    inexact = 0
    for _, observation in observations(engine, 1):
        expected = probabilities(engine, observation, UNIFORM)
        found = beliefs.sample(observation, 2000, 1)
        inexact += not found.exact
        assert by_key(engine, found).keys() == expected.keys()
        assert_close(expected, by_key(engine, found), min(found.effective_size, 256))
    assert inexact


def prefers_high_cards(decisions: Sequence[Decision]) -> list[float]:
    """A model of the others: the n-th legal move is chosen n times as often as the first."""
    chances = []
    for decision in decisions:
        count = len(decision.legal)
        chances.append((decision.legal.index(decision.move) + 1) / (count * (count + 1) / 2))
    return chances


@pytest.mark.parametrize("name", ["passing", "secret bids"])
def test_a_policy_as_model_of_the_others(name: str) -> None:
    engine = small_game(name, ALL[name])
    beliefs = Beliefs(engine, prefers_high_cards)

    def weigh(state: State, move: int) -> float:
        legal = engine.telling_program.legal(state.data)
        return prefers_high_cards([Decision(state.data, state.mover, tuple(legal), move)])[0]

    for _, observation in observations(engine, 3):
        expected = probabilities(engine, observation, UNIFORM, weigh)
        found = beliefs.sample(observation, 2000, 3)
        assert by_key(engine, found).keys() <= expected.keys()
        assert_close(expected, by_key(engine, found), found.effective_size)


def without_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Beliefs, "_exact", lambda *_: None)


@pytest.mark.parametrize("model", [UNIFORM, EQUAL])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 6))])
@pytest.mark.parametrize("name", ALL)
def test_particles_have_the_probabilities(name: str, seed: int, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    without_counting(monkeypatch)
    engine = small_game(name, ALL[name])
    beliefs = Beliefs(engine, model)
    for _, observation in observations(engine, seed):
        expected = probabilities(engine, observation, model)
        found = beliefs.sample(observation, 2000, seed)
        assert found.layer == PARTICLES
        assert not found.exact
        assert found.note
        assert 1 <= found.effective_size <= 2000.5
        weights = by_key(engine, found)
        assert weights.keys() <= expected.keys(), "a world that is none"
        # 128 histories, each moved some steps from one world to the next: about as good as so many.
        assert sum(abs(weights[world] - p) for world, p in expected.items()) / 2 < 0.1


@pytest.mark.parametrize("name", ["hands", "passing", "private", "twin draws"])
def test_particles_do_not_depend_on_what_was_asked_before(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    without_counting(monkeypatch)
    engine = small_game(name, ALL[name])
    kept = Beliefs(engine)
    for number, (_, observation) in enumerate(observations(engine, 4)):
        assert (
            kept.sample(observation, 20, number).positions == Beliefs(engine).sample(observation, 20, number).positions
        )


@pytest.mark.parametrize("name", ALL)
def test_public_facts_keep_the_numbers_of_cards_and_the_cards_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    without_counting(monkeypatch)
    monkeypatch.setattr(Beliefs, "_by_particles", lambda *_: None)
    engine = small_game(name, ALL[name])
    beliefs = Beliefs(engine)
    for state, observation in observations(engine, 3):
        seat = observation.seat
        if engine.mover(state) != seat:
            continue
        legal = engine.legal(state)
        found = beliefs.sample(observation, 10, 1, legal)
        assert found.layer == PUBLIC
        truth = engine.zones(state)
        for position in found.positions:
            assert {move.kind for move in engine.legal(engine.state(position))} == {move.kind for move in legal}
            zones = engine.zones(position)
            assert {zone: len(cards) for zone, cards in zones.items()} == {z: len(cards) for z, cards in truth.items()}
            for zone, seers in zip(engine.game.zones, engine.zone_seers, strict=True):
                if seat in seers:
                    assert zones[zone] == truth[zone]


@pytest.mark.parametrize("name", ["hands", "passing", "private"])
def test_what_was_followed_before_does_not_matter(name: str) -> None:
    engine = small_game(name, ALL[name])
    kept = Beliefs(engine)
    for number, (_, observation) in enumerate(observations(engine, 4)):
        first = kept.sample(observation, 20, number)
        second = Beliefs(engine).sample(observation, 20, number)
        assert first.positions == second.positions
        assert (first.weights == second.weights).all()


def test_resampled_worlds_have_equal_weight() -> None:
    engine = small_game("tricks", ALL["tricks"])
    *_, (_, observation) = observations(engine, 0)
    found = Beliefs(engine).sample(observation, 500, 0)
    resampled = Counter(key(engine, position) for position in found.resampled(1000, 1))
    for world, weight in by_key(engine, found).items():
        assert resampled[world] == pytest.approx(1000 * weight, abs=len(found.positions))
    assert sum(resampled.values()) == 1000


def test_thinning_keeps_large_weights_and_all_expectations() -> None:
    weights = np.array([0.4, 0.3, *[0.03] * 10])
    sums = np.zeros(12)
    for seed in range(2000):
        chosen, new = thinned(weights, 6, np.random.default_rng(seed))
        assert len(chosen) == 6
        assert {0, 1} <= set(chosen)
        assert new.sum() == pytest.approx(1)
        sums[chosen] += new
    assert sums / 2000 == pytest.approx(weights, abs=0.01)


def test_wrong_uses_are_refused() -> None:
    engine = small_game("tricks", ALL["tricks"])
    state, observation = next(observations(engine, 0))
    with pytest.raises(BeliefsError, match="uniform, equal or a function"):
        Beliefs(engine, "clever")
    with pytest.raises(BeliefsError, match="at least one world"):
        Beliefs(engine).sample(observation, 0, 0)
    with pytest.raises(BeliefsError, match="no seat 7"):
        Beliefs(engine).sample(Observation(7, observation.events), 1, 0)
    other = engine.observe(state, 1 - observation.seat)
    nonsense = Observation(observation.seat, other.events[::-1])
    with contextlib.suppress(NoWorldError):
        assert Beliefs(engine).sample(nonsense, 1, 0).layer == PUBLIC


@pytest.mark.parametrize("ways", [(0.0, 0.0), (1e308, 1e308), (float("inf"), 3.0), (float("nan"), 1.0), (1.0, 3.0)])
def test_shares_of_paths_are_probabilities_whatever_the_numbers_of_deals(ways: tuple[float, ...]) -> None:
    shares = _shares(np.array(ways))
    assert shares.sum() == pytest.approx(1)
    assert (shares >= 0).all()


def test_a_diamond_that_was_seen_says_how_private_ones_were_left() -> None:
    engine = small_game("passes", PASSES)
    passed = 0
    for seed in range(20):
        chance = RandomChance(seed)
        state = engine.start(chance)
        while engine.mover(state) == 1:
            passes = next(move for move in engine.legal(state) if move.kind == "pass")
            state = engine.apply(state, passes, chance)
            passed += 1
        beliefs = Beliefs(engine)
        beliefs.sample(engine.observe(state, 0), 10, 0)
        assert len(beliefs.paths[0]) == 1
    assert passed > 10
