"""Law's player: it plays by worlds and heuristics, says why, and decides as in appendix A of the thesis."""

from __future__ import annotations

import random

import pytest

from fcdl.agents import AgentError, Thinker, make_agent
from fcdl.agents.agent import Clairvoyant
from fcdl.language.load import load_flowchart, load_text
from fcdl.model import Game, Move, RandomChance
from tests.games.some import some_games
from tests.heuristics.positions import ME, QUEEN_OR_NINE, SEVEN_OR_EIGHT, hands, queen_or_nine, seven_or_eight

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.agents.agent import tools
from fcdl.engines.native import NativeEngine

GAMES = ["trumps", "kings_and_jacks", "crazy_eights"]


def game_of(name: str) -> Game:
    return Game.make(load_flowchart(name), name=name)


def kings_and_jacks(text: str) -> tuple[NativeEngine, Thinker]:
    game = game_of("kings_and_jacks")
    agent = make_agent(text, game)
    assert isinstance(agent, Thinker)
    return NativeEngine(game), agent


@pytest.mark.parametrize("weights", ["hyperplay", "uniform"])
def test_example_7_1_it_plays_the_queen_and_says_why(weights: str) -> None:
    engine, agent = kings_and_jacks(f"hyperheur:worlds=200,weights={weights}")
    state = queen_or_nine(engine, hands(QUEEN_OR_NINE)[0])
    observation, legal = engine.observe(state, ME), engine.legal(state)
    assert legal == (Move("play", "9H"), Move("play", "QH"))
    thought = agent.think(observation, legal, random.Random(1))
    assert thought.move == Move("play", "QH")
    assert [value.move for value in thought.values] == [Move("play", "QH"), Move("play", "9H")]
    assert thought.values[0].value > thought.values[1].value
    assert thought.reasons[0].startswith("play QH rather than play 9H: +")
    assert any("they have a card of your card's suit and must play one" in reason for reason in thought.reasons[1:])
    assert agent.choose(observation, legal, random.Random(1)) == thought.move


def test_example_7_2_seven_and_eight_are_worth_the_same() -> None:
    engine, agent = kings_and_jacks("hyperheur:worlds=50")
    state = seven_or_eight(engine, hands(SEVEN_OR_EIGHT)[0])
    thought = agent.think(engine.observe(state, ME), engine.legal(state), random.Random(1))
    assert {value.move for value in thought.values} == {Move("play", "7C"), Move("play", "8C")}
    assert thought.values[0].value == thought.values[1].value
    assert thought.reasons == ("All moves are worth the same.",)


def test_greedy_sees_no_difference_where_hyperheur_does() -> None:
    engine, agent = kings_and_jacks("greedy:worlds=50")
    state = queen_or_nine(engine, hands(QUEEN_OR_NINE)[0])
    thought = agent.think(engine.observe(state, ME), engine.legal(state), random.Random(1))
    assert thought.values[0].value == thought.values[1].value == 0


@pytest.mark.parametrize(
    "kind", ["hyperheur:worlds=3", "greedy:worlds=3,weights=uniform", "hyperheur:worlds=2,lines=1"]
)
@pytest.mark.parametrize("name", some_games())
def test_it_plays_every_game(name: str, kind: str) -> None:
    """The first decisions of a game: bids, cards to pass on, the first tricks."""
    game = game_of(name)
    engine, agents = NativeEngine(game), [make_agent(kind, game), *[make_agent("random", game)] * (game.players - 1)]
    chance, rng = RandomChance(1), random.Random(1)
    state = engine.start(chance)
    for _ in range(24):
        mover = engine.mover(state)
        if mover is None:
            break
        move = agents[mover].choose(engine.observe(state, mover), engine.legal(state), rng)
        state = engine.apply(state, move, chance)


def test_with_open_cards_it_looks_at_the_position_alone() -> None:
    engine, agent = kings_and_jacks("hyperheur:worlds=1")
    assert isinstance(agent, Clairvoyant)
    with_jack = next(hand for hand in hands(QUEEN_OR_NINE) if "JH" in hand)
    without = hands(QUEEN_OR_NINE)[3]
    for hand, different in ((with_jack, True), (without, False)):
        state = queen_or_nine(engine, hand)
        agent.peek(state.data)
        thought = agent.think(engine.observe(state, ME), engine.legal(state), random.Random(1))
        assert (thought.values[0].value != thought.values[1].value) == different


def test_of_a_game_without_heuristics_it_says_why_and_plays_by_random_play() -> None:
    checked = load_text('game "One card"\nplayers 2\nchart main\nstart\nDeal(3)\nplayCard(player(0), cards)\nend\n')
    assert checked.flowchart is not None
    game = Game.make(checked.flowchart, name="one card")
    agent, engine = make_agent("hyperheur", game), NativeEngine(game)
    assert isinstance(agent, Thinker)
    state = engine.start(RandomChance(1))
    thought = agent.think(engine.observe(state, 0), engine.legal(state), random.Random(1))
    assert thought.move in engine.legal(state)
    assert thought.reasons[-1].startswith("There are no heuristics for this game (")
    assert thought.reasons[-1].endswith("), so moves are judged by random play.")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hyperheur:worlds=0", "a whole number from 1 to"),
        ("hyperheur:weights=equal", "one of hyperplay, uniform"),
        ("greedy:leader=now", "parameters: worlds, weights, lines, depth, replies"),
    ],
)
def test_bad_parameters_are_refused(text: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        make_agent(text, game_of("trumps"))


@pytest.mark.parametrize("name", GAMES)
def test_look_ahead_policies_play_better_than_chance(name: str) -> None:
    game = game_of(name)
    policies = [tools("POLICIES")[name](game) for name in ("greedy", "heuristics")]
    engine = NativeEngine(game, policies=policies)
    for policy in ("greedy", "heuristics"):
        first = engine.play_games(300, 1, policies=[policy, None]).scores
        second = engine.play_games(300, 2, policies=[None, policy]).scores
        ahead = (first[:, 0] - first[:, 1]).sum() + (second[:, 1] - second[:, 0]).sum()
        assert ahead > 0


def test_heuristics_help_where_players_may_pass() -> None:
    """In Durak: being able to beat a card must not look worse than having to take it."""
    game = game_of("durak")
    engine = NativeEngine(game, policies=[tools("POLICIES")[name](game) for name in ("greedy", "heuristics")])
    first = engine.play_games(60, 1, policies=["heuristics", "greedy"]).scores
    second = engine.play_games(60, 2, policies=["greedy", "heuristics"]).scores
    assert (first[:, 0] - first[:, 1]).sum() + (second[:, 1] - second[:, 0]).sum() > 0
