"""Derivations end in time, and players of games without heuristics play on and say what they do instead."""

from __future__ import annotations

import random

import pytest
from click.testing import CliRunner

from fcdl.agents import Thinker, make_agent
from fcdl.cli import main
from fcdl.heuristics import clock, derive
from fcdl.heuristics.clock import WORK, OutOfTimeError
from fcdl.heuristics.layers import heuristics_for
from fcdl.language.load import load_flowchart, load_text
from fcdl.model import Game, RandomChance

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.engines.native import NativeEngine


def game_of(name: str, players: int) -> Game:
    return Game.make(load_flowchart(name), name=name, players=players)


def no_scores() -> Game:
    checked = load_text('game "Nothing"\nplayers 2\nchart main\nstart\nDeal(3)\nplayCard(player(0), cards)\nend\n')
    assert checked.flowchart is not None
    return Game.make(checked.flowchart, name="nothing")


def first_reasons(text: str, game: Game) -> tuple[str, ...]:
    """What a player says at the first decision of a game."""
    engine, agent = NativeEngine(game), make_agent(text, game)
    assert isinstance(agent, Thinker)
    state = engine.start(RandomChance(1))
    seat, legal = engine.mover(state), engine.legal(state)
    assert seat is not None
    assert len(legal) > 1
    thought = agent.think(engine.observe(state, seat), legal, random.Random(1))
    assert thought.move in legal
    return thought.reasons


@pytest.mark.parametrize("limit", [{"work": 500}, {"seconds": 0.01}])
def test_a_derivation_ends_when_it_is_too_much_work_or_takes_too_long(limit: dict[str, float]) -> None:
    with pytest.raises(OutOfTimeError, match="more ways than can be followed"):
        derive(game_of("durak", 3), **limit)  # type: ignore[arg-type]


def test_a_command_that_gives_up_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "WORK", 100)
    result = CliRunner().invoke(main, ["heuristics", "trumps"])
    assert result.exit_code == 1
    assert "more ways than can be followed" in result.stderr


def test_a_game_without_heuristics_has_a_layer_that_says_why() -> None:
    layer = heuristics_for(no_scores())
    assert (layer.kind, layer.derived) == ("none", None)
    assert layer.reason.endswith("no score ever changes, so there is nothing to want")
    assert heuristics_for(game_of("trumps", 2)).kind == "derived"


@pytest.mark.parametrize(
    "agent", ["hyperheur:worlds=2", "greedy:worlds=2", "ismcts:iterations=20,simulation=heuristics"]
)
def test_without_heuristics_moves_are_judged_by_random_play(agent: str) -> None:
    said = " ".join(first_reasons(agent, no_scores()))
    assert ("judged by random play" in said) == (not agent.startswith("ismcts"))


def test_of_too_many_cases_as_many_are_told_as_there_is_time_for() -> None:
    derived = derive(game_of("oh_hell", 6), work=WORK)
    assert len(derived.heuristics) >= 5
    assert any("only those looked at in the time are told" in note for note in derived.notes)


def test_heuristics_that_are_too_large_for_the_engine_are_left_out() -> None:
    said = " ".join(first_reasons("hyperheur:worlds=2", game_of("oh_hell", 5)))
    assert "are too large for the engine and left out" in said


def test_which_copy_of_a_card_is_held_makes_no_difference() -> None:
    """In Pinochle, with two copies of each card, worlds differ in which of them I hold."""
    game = Game.make(load_flowchart("pinochle"), name="pinochle")
    engine, agent, chance = NativeEngine(game), make_agent("hyperheur:worlds=5,lines=5", game), RandomChance(1)
    assert isinstance(agent, Thinker)
    state, rng = engine.start(chance), random.Random(1)
    for _ in range(20):
        seat, legal = engine.mover(state), engine.legal(state)
        assert seat is not None
        thought = agent.think(engine.observe(state, seat), legal, rng)
        assert not any("internal error" in reason for reason in thought.reasons)
        state = engine.apply(state, thought.move, chance)
