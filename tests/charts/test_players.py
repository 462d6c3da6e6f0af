"""Players that search, and the worlds they search in, cope with every chart of the corpus."""

from __future__ import annotations

import random
from functools import cache

import pytest

from fcdl.agents.agent import make_agent
from fcdl.beliefs.sampler import Beliefs
from fcdl.engines.native import NativeEngine
from fcdl.engines.native.engine import State
from fcdl.model import RandomChance
from tests.charts.corpus import NAMES, WITHOUT_DECISIONS, make_game

PLAYED = [name for name in NAMES if name not in WITHOUT_DECISIONS]
LONGEST = 120


@cache
def engine(name: str) -> NativeEngine:
    return NativeEngine(make_game(name))


@cache
def decisions(name: str) -> list[State]:
    """Three decisions of a random game: the first, one in the middle, and a late one."""
    table, rng, chance = engine(name), random.Random(name), RandomChance(name)
    states = [table.start(chance)]
    while table.mover(states[-1]) is not None and len(states) < LONGEST:
        states.append(table.apply(states[-1], rng.choice(table.legal(states[-1])), chance))
    return [states[0], states[len(states) // 2], states[-2]]


def moves_legally(name: str, player: str) -> None:
    """Lets a player choose at each of the decisions."""
    table = engine(name)
    for state in decisions(name):
        seat = table.mover(state)
        assert seat is not None
        thought = make_agent(player, table.game).think(table.observe(state, seat), table.legal(state), random.Random(1))  # type: ignore[attr-defined]
        assert thought.move in table.legal(state)
        assert "internal error" not in thought.note


@pytest.mark.parametrize("name", PLAYED)
@pytest.mark.parametrize("player", ["ismcts:iterations=20,worlds=3", "pimc:worlds=2,nodes=200"])
def test_searching_player_makes_a_legal_move(name: str, player: str) -> None:
    moves_legally(name, player)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYED)
@pytest.mark.parametrize("player", ["greedy:worlds=2,lines=5", "hyperheur:worlds=2,lines=5"])
def test_player_with_heuristics_makes_a_legal_move(name: str, player: str) -> None:
    moves_legally(name, player)


@pytest.mark.parametrize("name", PLAYED)
def test_worlds_look_to_the_seat_like_the_truth(name: str) -> None:
    table = engine(name)
    for state in decisions(name):
        seat = table.mover(state)
        assert seat is not None
        truth = table.zones(state)
        for position in Beliefs(table).sample(table.observe(state, seat), 5, 1, table.legal(state)).positions:
            world = table.state(position)
            zones = table.zones(position)
            assert table.mover(world) == seat
            assert sorted(map(str, table.legal(world))) == sorted(map(str, table.legal(state)))
            assert sorted(zones[f"hand({seat})"]) == sorted(truth[f"hand({seat})"])
            assert {zone: len(cards) for zone, cards in zones.items()} == {z: len(cards) for z, cards in truth.items()}
            seen = [zone for zone, seers in zip(truth, table.zone_seers, strict=True) if seat in seers]
            assert [sorted(zones[zone]) for zone in seen] == [sorted(truth[zone]) for zone in seen]
