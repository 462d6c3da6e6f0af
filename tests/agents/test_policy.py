"""Policies as players: the move of the highest worth, from what the seat has seen alone."""

from __future__ import annotations

import random

import pytest

from fcdl.agents import AgentError
from fcdl.agents.policy import PolicyAgent
from fcdl.language.load import load_flowchart
from fcdl.model import Game, RandomChance

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.engines.native import NativeEngine
from fcdl.engines.native.policies import Policy

LOWEST = "-rankValue(card) - if(isTrump(card), 100, 0)"


def test_it_plays_the_card_of_the_highest_worth() -> None:
    game = Game.make(load_flowchart("durak"), name="durak")
    engine, agent = NativeEngine(game), PolicyAgent(game, Policy("lowest", play=LOWEST, passing="-1000"))
    chance, rng = RandomChance(1), random.Random(1)
    state = engine.start(chance)
    decided = 0
    for _ in range(30):
        mover = engine.mover(state)
        if mover is None:
            break
        observation, legal = engine.observe(state, mover), engine.legal(state)
        thought = agent.think(observation, legal, random.Random(2))
        assert agent.choose(observation, legal, random.Random(2)) == thought.move
        assert thought.values[0].value == next(value.value for value in thought.values if value.move == thought.move)
        # The true position gives the same worths: nothing hidden was looked at.
        true = {move: worth for move, worth, _ in agent.engine.compiled_policies["lowest"].worths(state.data)}
        assert {value.move: value.value for value in thought.values} == {
            engine.move(state, number): worth for number, worth in true.items()
        }
        decided += len(legal) > 1
        state = engine.apply(state, rng.choice(legal), chance)
    assert decided > 5


def test_a_policy_that_looks_at_hidden_cards_is_no_player() -> None:
    game = Game.make(load_flowchart("trumps"), name="trumps")
    with pytest.raises(AgentError, match="policy 'peeping' looks at hidden cards"):
        PolicyAgent(game, Policy("peeping", play="count(hand(next(me)))", open=True))
