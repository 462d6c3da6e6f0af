"""The C sampler with damaged arguments: it refuses them or finds nothing, but never crashes (see sanitize.sh)."""

import random
from array import array
from typing import Any

import pytest

from fcdl.beliefs.sampler import Beliefs
from fcdl.engines.native.engine import NativeEngine
from fcdl.language.load import load_flowchart
from fcdl.model import Game, RandomChance


def call(name: str, players: int, moves: int, seed: int) -> tuple[NativeEngine, dict[str, Any]]:
    """The arguments with which worlds are drawn after some moves of a random game."""
    game = Game.make(load_flowchart(name), name=name, players=players)
    engine = NativeEngine(game)
    chance, rng = RandomChance(seed), random.Random(seed)
    state = engine.start(chance)
    for _ in range(moves):
        state = engine.apply(state, rng.choice(engine.legal(state)), chance)
    beliefs = Beliefs(engine)
    beliefs.sample(engine.observe(state, state.mover), 5, 0)
    (path,) = beliefs.paths[state.mover]
    how = {"model": 0, "ending": 0, "count": 5, "attempts": 100, "work": 10_000_000, "seconds": 10.0, "seed": 1}
    arguments = {**beliefs.dealer.arguments(path), **how, "tracing": False, "texts": False}
    assert engine.telling_program.worlds(**arguments)[0]
    return engine, arguments


@pytest.mark.parametrize(("name", "players"), [("hearts", 4), ("durak", 3), ("skat", 3), ("crazy_eights", 2)])
def test_damaged_arguments(name: str, players: int) -> None:
    engine, arguments = call(name, players, 14, 5)
    rng = random.Random(name)
    refused = 0
    for _ in range(300):
        damaged = dict(arguments)
        part = rng.choice(("script", "script", "deals", "deals", "factors", "bases"))
        numbers = array("d" if part == "factors" else "i", bytes(damaged[part]))
        for _ in range(rng.randint(1, 3)):
            if numbers:
                at = rng.randrange(len(numbers))
                numbers[at] = rng.choice((-1, 0, 1, 5, 63, 64, 127, 128, 1000, -1000, -(2**31), 2**31 - 1))
        if rng.random() < 0.2:
            del numbers[rng.randrange(len(numbers) + 1) :]
        damaged[part] = numbers.tobytes()
        damaged |= {"model": rng.choice((0, 1, 9)), "ending": rng.choice((0, 1)), "count": rng.choice((0, 1, 4))}
        damaged |= {
            "attempts": 50,
            "work": rng.choice((0, 1000, 10_000_000)),
            "tracing": rng.random() < 0.3,
            "texts": rng.random() < 0.3,
        }
        try:
            states, *_ = engine.telling_program.worlds(**damaged)
        except ValueError:
            refused += 1
        else:
            for state in states:
                engine.telling_program.look(state)
    assert refused
