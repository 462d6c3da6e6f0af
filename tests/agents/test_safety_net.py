"""Whatever goes wrong while a player thinks, it makes a legal move and says how it came to it."""

import random

import pytest

from fcdl.agents import Thinker, make_agent
from fcdl.beliefs.sampler import Beliefs, NoWorldError
from fcdl.engines.native.engine import NativeEngine
from fcdl.language.load import load_flowchart
from fcdl.model import Game, RandomChance

PLAYERS = (
    "ismcts:iterations=20",
    "best:ms=5",
    "pimc:worlds=2,nodes=100",
    "mcts:limit=5,samples=2",
    "minimax:depth=1,samples=2",
    "montecarlo:playouts=2",
    "greedy:worlds=2",
    "hyperheur:worlds=2",
)


@pytest.mark.parametrize("error", [NoWorldError("no world was found"), MemoryError(), RecursionError("too deep")])
@pytest.mark.parametrize("player", PLAYERS)
def test_a_player_without_worlds_makes_a_legal_move_and_says_so(
    player: str, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game.make(load_flowchart("trumps"), name="trumps")
    engine = NativeEngine(game)
    state = engine.start(RandomChance(1))
    agent = make_agent(player, game)
    seat = engine.mover(state)
    assert seat is not None
    observation, legal = engine.observe(state, seat), engine.legal(state)

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(Beliefs, "sample", fail)
    assert agent.choose(observation, legal, random.Random(1)) in legal
    assert isinstance(agent, Thinker)
    thought = agent.think(observation, legal, random.Random(1))
    assert thought.move == agent.choose(observation, legal, random.Random(1))
    assert "at random" in thought.note
    assert {value.move for value in thought.values} == set(legal)
