"""The sampler on the built-in games: every decision of random games, the solver's worlds, the thesis's case."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np
import pytest

from fcdl.arena.bench_worlds import CaseRate, thesis_case
from fcdl.beliefs.deals import Deal
from fcdl.beliefs.sampler import EQUAL, Beliefs
from fcdl.beliefs.worlds import worlds
from fcdl.engines.native.engine import NativeEngine, State
from fcdl.language.load import load_flowchart
from fcdl.model import Event, Game, Observation, RandomChance

GAMES: list[tuple[str, int, dict[str, str | int]]] = [
    ("trumps", 2, {}),
    ("kings_and_jacks", 2, {}),
    ("crazy_eights", 2, {}),
    ("durak", 2, {}),
    ("durak", 4, {"lowestRank": 9}),
    ("oh_hell", 7, {"firstHand": 4, "blind": 2, "halfBlind": 3}),
    ("oh_hell", 3, {"firstHand": 5}),
    ("hearts", 4, {"target": 20}),
    ("hearts", 4, {"target": 0, "passTo": "across", "firstTrick": "noPoints"}),
    ("hearts", 4, {"target": 20, "passing": "no"}),
    ("skat", 3, {"deals": 3}),
]

Zones = tuple[frozenset[str], ...]


def native(name: str, players: int, options: dict[str, str | int]) -> NativeEngine:
    return NativeEngine(Game.make(load_flowchart(name), name=name, players=players, options=options))


def zones(engine: NativeEngine, position: bytes) -> Zones:
    """The cards of every zone of a position."""
    return tuple(frozenset(cards) for cards in engine.zones(position).values())


def decisions(engine: NativeEngine, seed: int) -> Iterator[tuple[State, Observation]]:
    """The decisions of a random game, as the mover sees them."""
    chance, rng = RandomChance(seed), random.Random(seed)
    views: list[list[Event]] = [[] for _ in range(engine.game.players)]
    state = engine.start(chance)
    while (mover := engine.mover(state)) is not None:
        for event in engine.latest(state):
            for seat, view in enumerate(views):
                if (seen := event.seen_by(seat)) is not None:
                    view.append(seen)
        yield state, Observation(mover, tuple(views[mover]))
        state = engine.apply(state, rng.choice(engine.legal(state)), chance)


def allows(engine: NativeEngine, deal: Deal, truth: Zones) -> bool:
    """Whether every card can be where it really is, by what is known of the deal."""
    code = engine.game.flowchart.deck.code
    zone_of_pool = {pool: zone for zone, pools in deal.zones.items() for pool in pools}
    for zone, cards in zip(engine.game.zones, truth, strict=True):
        for card in engine.game.cards:
            if code(card) not in cards:
                continue
            possible = {deal.where[card]} if card in deal.where else {
                zone_of_pool[pool] for pool in zone_of_pool if deal.allowed[card] >> pool & 1
            }  # fmt: skip
            if zone not in possible:
                return False
    return True


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 20))])
@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_every_decision_has_worlds_that_look_like_it(
    name: str, players: int, options: dict[str, str | int], seed: int
) -> None:
    engine = native(name, players, options)
    beliefs = Beliefs(engine)
    for number, (state, observation) in enumerate(decisions(engine, seed)):
        if number >= 150 and number % 7:
            continue
        found = beliefs.sample(observation, 6, number)
        assert found.exact
        assert len(found.positions) == 6
        assert found.weights.sum() == pytest.approx(1)
        truth, legal = zones(engine, state.data), engine.telling_program.legal(state.data)
        for position in found.positions:
            status, kind, mover, _, node, scores = engine.telling_program.look(position)
            assert (status, kind, mover, node, scores) == (1, state.kind, state.mover, state.node, state.scores)
            assert engine.telling_program.legal(position) == legal
            world = zones(engine, position)
            assert [len(cards) for cards in world] == [len(cards) for cards in truth]
            for zone, content, true_content in zip(engine.game.zones, world, truth, strict=True):
                owner = int(zone[:-1].split("(")[1]) if "(" in zone else None
                if observation.seat in engine.game.seers(zone.split("(")[0], owner):
                    assert content == true_content
        assert any(allows(engine, deal, truth) for path in beliefs.paths[observation.seat] for deal in path.deals), (
            "the truth is not thought possible"
        )


def late(engine: NativeEngine, seed: int, most: int) -> Iterator[tuple[Observation, Counter[Zones]]]:
    """Positions with few worlds, with what the solver finds: places of all cards, and how many worlds have them."""
    states = list(decisions(engine, seed))
    rng = random.Random(seed)
    beliefs = Beliefs(engine)
    for _, observation in rng.sample(states, min(5, len(states))) + states[-8::4]:
        if (beliefs.count(observation) or 0) > most:
            continue
        listed = [
            dict(world.zones) for world in worlds(engine.game, observation, limit=most + 1, seconds=60)
        ]  # fmt: skip
        if 1 < len(listed) <= most:
            yield (
                observation,
                Counter(tuple(frozenset(world.get(zone, ())) for zone in engine.game.zones) for world in listed),
            )


@pytest.mark.parametrize("seed", [3, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 14))])
@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_same_worlds_as_the_solver(name: str, players: int, options: dict[str, str | int], seed: int) -> None:
    engine = native(name, players, options)
    beliefs = Beliefs(engine, EQUAL)
    for observation, expected in late(engine, seed, 300):
        found = beliefs.sample(observation, 30 * expected.total() + 200, seed)
        weights: dict[Zones, float] = defaultdict(float)
        for position, weight in zip(found.positions, found.weights, strict=True):
            weights[zones(engine, position)] += weight
        assert weights.keys() == expected.keys()
        freedom = len(expected) - 1
        shares = {world: number / expected.total() for world, number in expected.items()}
        chi_square = found.effective_size * sum((weights[world] - p) ** 2 / p for world, p in shares.items())
        assert chi_square <= freedom + 7 * np.sqrt(2 * freedom) + 12


def test_the_thesis_case_has_2352_deals_all_equally_likely() -> None:
    """The case of the Hearts thesis (5.2.3), in which its own way of dealing was off by 13.2 percentage points."""
    engine, observation = thesis_case()
    assert Beliefs(engine).count(observation) == 2352
    found = Beliefs(engine, EQUAL).sample(observation, 47_040, 1)
    assert found.exact
    assert found.acceptance == 1
    assert found.weights == pytest.approx(1 / 47_040)
    at = engine.telling_program.zones_at
    one_of_each = {position[at:]: position for position in found.positions}
    numbers = Counter(position[at:] for position in found.positions)
    drawn = Counter({zones(engine, position): numbers[content] for content, position in one_of_each.items()})
    assert len(drawn) == 2352
    chi_square = sum((number - 20) ** 2 / 20 for number in drawn.values())
    assert abs(chi_square - 2351) <= 5 * np.sqrt(2 * 2351)
    # The thesis's three situations: west has one of the hearts, west has one of the clubs, north has one of the hearts.
    for hand, suit, deals in (("hand(1)", "H", 1008), ("hand(1)", "C", 504), ("hand(2)", "H", 840)):
        index = engine.game.zones.index(hand)
        number = sum(number for world, number in drawn.items() if any(card[1] == suit for card in world[index]))
        assert abs(number - 20 * deals) <= 5 * np.sqrt(20 * deals)


def test_marginals_of_the_thesis_case() -> None:
    engine, observation = thesis_case()
    marginals = Beliefs(engine, EQUAL).marginals(observation)
    assert len(marginals.places) == 16
    for card, places in marginals.places.items():
        assert sum(places.values()) == pytest.approx(1)
        share = {"C": 504 / 2352 / 2, "H": 1008 / 2352 / 4}.get(card[1])
        if share is not None:
            assert places["hand(1)"] == pytest.approx(share, abs=0.03)
        else:
            assert places.keys() == {"hand(1)", "hand(2)"}


def test_dealing_until_a_deal_fits_is_the_same_but_rarely_fits() -> None:
    rate = CaseRate(rejecting=True)
    drawn = rate.beliefs.dealer.draw(rate.beliefs.paths[0], 20, 1, 0)
    assert drawn.positions
    assert len(drawn.positions) / drawn.attempts == pytest.approx(2352 / 2018016, rel=0.9)
    for position in drawn.positions:
        hands = rate.beliefs.engine.zones(position)
        assert {card[1] for card in hands["hand(3)"]} <= {"C", "H"}
        assert "C" not in {card[1] for card in hands["hand(2)"]}


@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_as_many_worlds_as_the_solver_finds(name: str, players: int, options: dict[str, str | int]) -> None:
    engine = native(name, players, options)
    beliefs = Beliefs(engine)
    counts = [(observation, beliefs.count(observation)) for _, observation in decisions(engine, 2)]
    few = [(observation, number) for observation, number in counts if number is not None and 1 < number <= 400]
    for observation, number in few[-3:]:
        assert number == sum(1 for _ in worlds(engine.game, observation, seconds=60))
