"""The searching players: on every game, with every parameter, deterministic, and able to say why."""

from __future__ import annotations

import random

import pytest

from fcdl.agents.agent import AgentError, Clairvoyant, Thinker, kinds, make_agent, parse_agent
from fcdl.agents.search import SearchAgent
from fcdl.arena.play import play
from fcdl.engines.native import NativeEngine
from fcdl.language.load import load_flowchart
from fcdl.model import Game, RandomChance
from tests.games.some import SHORT, some_games
from tests.games.table import make_game

PLAYERS = (
    "montecarlo:playouts=4",
    "montecarlo:playouts=4,lookahead=2,clairvoyant",
    "mcts:limit=10,samples=2",
    "mcts:limit=10,samples=2,vote=no,pick=visits,utility=win",
    "minimax:depth=1,samples=2",
    "minimax:depth=2,samples=2,eval=score,rivals=maxn,vote=no,ties=first",
    "minimax:depth=1,samples=2,ties=oldest",
    "pimc:worlds=2,nodes=100",
    "ismcts:iterations=40,worlds=5",
    "ismcts:iterations=40,worlds=5,observer=single,utility=own,horizon=game",
    "ismcts:iterations=40,curiosity=0.3",
    "ismcts:iterations=40,worlds=5,rivals=random,curiosity=0.5",
)
DURAK_PLAYERS = (
    "minimax:depth=2,eval=heuristics,samples=2",
    "ismcts:iterations=3,simulation=greedy",
    "ismcts:iterations=20,rivals=durak.greedy",
    "ismcts:iterations=40,policy=durak.greedy",
    "ismcts:iterations=40,policy=durak.greedy,until=3",
    "ismcts:iterations=20,rivals=durak.greedy,prior=greedy",
    "mcts:limit=10,samples=2,policy=durak.greedy,simulation=random",
    "minimax:depth=3,eval=playout,samples=2,simulation=durak.greedy",
    "minimax:depth=3,eval=durak.basic,samples=2",
    "mcts:limit=30,c=1.4,simulation=durak.greedy,samples=2",
    "montecarlo:playouts=2,lookahead=3,simulation=durak.greedy",
)


def engine(name: str) -> NativeEngine:
    return NativeEngine(Game.make(load_flowchart(name), name=name, options=SHORT.get(name)))


@pytest.mark.parametrize("text", PLAYERS)
@pytest.mark.parametrize("name", some_games())
def test_every_player_plays_every_game(name: str, text: str) -> None:
    table = engine(name)
    seats = [make_agent(text if seat == 0 else "random", table.game) for seat in range(table.game.players)]
    scores = {play(table, seats, "deal", "seed").scores for _ in range(2)}
    assert len(scores) == 1  # the same seed gives the same game


@pytest.mark.parametrize("text", DURAK_PLAYERS)
def test_playouts_and_judgements_by_other_players(text: str) -> None:
    table = engine("durak")
    seats = [make_agent(text, table.game), make_agent("durak.greedy", table.game)]
    scores = {play(table, seats, "deal", "seed").scores for _ in range(2)}
    assert len(scores) == 1


@pytest.mark.parametrize(
    ("text", "simulation", "prior"),
    [
        ("", None, None),
        ("policy=durak.greedy", "durak.greedy", "durak.greedy"),
        ("simulation=durak.greedy", "durak.greedy", None),
        ("prior=durak.greedy", None, "durak.greedy"),
        ("policy=durak.greedy,simulation=random", None, "durak.greedy"),
        ("policy=durak.greedy,prior=none", "durak.greedy", None),
        ("policy=greedy,prior=durak.greedy", "greedy", "durak.greedy"),
    ],
)
def test_one_policy_serves_playouts_and_the_tree_unless_they_have_their_own(
    text: str, simulation: str | None, prior: str | None
) -> None:
    for kind in ("ismcts", "mcts", "best"):
        agent = make_agent(f"{kind}:{text}", engine("durak").game)
        assert isinstance(agent, SearchAgent)
        assert (agent.common.simulation, agent.prior) == (simulation, prior)


@pytest.mark.parametrize("simulation", ["random", "greedy", "heuristics"])
@pytest.mark.parametrize("rivals", ["search", "random", "greedy", "heuristics"])
@pytest.mark.parametrize("name", ["trumps", "crazy_eights"])
def test_every_kind_of_rivals_and_playouts_plays_the_same_game_again(name: str, rivals: str, simulation: str) -> None:
    table = engine(name)
    text = f"ismcts:iterations=20,worlds=3,rivals={rivals},simulation={simulation}"
    games = [
        play(table, [make_agent("random", table.game), make_agent(text, table.game)], "deal", "seed") for _ in "12"
    ]
    assert games[0].moves == games[1].moves


@pytest.mark.parametrize("text", PLAYERS)
def test_thoughts_have_all_moves_the_chosen_one_first_and_sentences(text: str) -> None:
    table = engine("hearts")
    state = table.start(RandomChance(1))
    agent = make_agent(text, table.game)
    assert isinstance(agent, Thinker)
    seen, legal = table.observe(state, state.mover), table.legal(state)
    if isinstance(agent, Clairvoyant) and agent.clairvoyant:
        agent.peek(state.data)
    thought = agent.think(seen, legal, random.Random(1))
    assert thought.values[0].move == thought.move
    assert {value.move for value in thought.values} == set(legal)
    assert len(thought.reasons) == 2
    assert all(reason.endswith(".") for reason in thought.reasons)
    again = make_agent(text, table.game)
    if isinstance(again, Clairvoyant) and again.clairvoyant:
        again.peek(state.data)
    assert again.choose(seen, legal, random.Random(1)) == thought.move


@pytest.mark.parametrize("text", [text for text in PLAYERS if "clairvoyant" not in text])
def test_results_do_not_depend_on_threads(text: str) -> None:
    table = engine("trumps")
    state = table.start(RandomChance(1))
    seen, legal = table.observe(state, state.mover), table.legal(state)
    thoughts = []
    for threads in (1, 3):
        agent = make_agent(f"{text},threads={threads}", table.game)
        assert isinstance(agent, Thinker)
        thoughts.append(agent.think(seen, legal, random.Random(7)))
    assert thoughts[0] == thoughts[1]


def test_a_forced_move_is_made_at_once() -> None:
    table = engine("hearts")
    state = table.start(RandomChance(1))
    only = table.legal(state)[:1]
    agent = make_agent("ismcts:iterations=1000000000", table.game)
    assert agent.choose(table.observe(state, state.mover), only, random.Random(1)) == only[0]


def test_a_player_that_peeks_searches_the_true_position() -> None:
    table = engine("hearts")
    state = table.start(RandomChance(1))
    agent = make_agent("mcts:limit=50", table.game)
    assert isinstance(agent, Clairvoyant)
    assert isinstance(agent, Thinker)
    seen, legal = table.observe(state, state.mover), table.legal(state)
    agent.peek(state.data)
    assert "50 iterations in 1 world," in agent.think(seen, legal, random.Random(1)).reasons[0]
    assert "in 30 worlds," in agent.think(seen, legal, random.Random(1)).reasons[0]  # and only once


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ismcts:iterations=0", "a whole number from 1"),
        ("ismcts:ms=0", "a whole number from 1"),
        ("mcts:limit=0", "a whole number from 1"),
        ("montecarlo:playouts=0", "a whole number from 1"),
        ("pimc:worlds=0", "a whole number from 1"),
        ("minimax:samples=0", "a whole number from 1"),
        ("minimax:eval=guess", "one of score, playout"),
        ("mcts:simulation=guess", "one of random"),
        ("mcts:prior=guess", "one of none"),
        ("ismcts:policy=guess", "one of greedy"),
        ("mcts:c=-1", "a number from 0"),
        ("mcts:c=nan", "a number from 0"),
        ("ismcts:observer=nobody", "one of single, multiple"),
        ("ismcts:horizon=week", "one of auto, hand, game"),
        ("ismcts:utility=fun", "one of score, own, win, mixed"),
        ("ismcts:threads=0", "a whole number from 1"),
        ("ismcts:curiosity=2", "a number from 0"),
        ("ismcts:limit=5", "has no parameter 'limit'"),
    ],
)
def test_bad_parameters_are_named(text: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        parse_agent(text)


@pytest.mark.parametrize("name", ["durak", "trumps"])
def test_pruning_and_the_table_of_positions_change_nothing_but_the_time(name: str) -> None:
    game = make_game(name)
    agents = [
        make_agent(f"minimax:depth=4,samples=3,{more}", game)
        for more in ("", "pruning=no", "table=0", "pruning=no,table=0")
    ]
    engine, chance, dice = NativeEngine(game), RandomChance(5), random.Random(5)
    state = engine.start(chance)
    for _ in range(8):
        seat, legal = engine.mover(state), engine.legal(state)
        assert seat is not None
        thoughts = [agent.think(engine.observe(state, seat), legal, random.Random(1)) for agent in agents]  # type: ignore[attr-defined]
        assert len({thought.values for thought in thoughts}) == 1
        state = engine.apply(state, dice.choice(legal), chance)


def test_montecarlo_can_pass_at_random() -> None:
    game = make_game("hearts")
    engine, chance = NativeEngine(game), RandomChance(5)
    state = engine.start(chance)
    agent = make_agent("montecarlo:playouts=1,passing=random", game)
    picks = {agent.choose(engine.observe(state, 0), engine.legal(state), random.Random(seed)) for seed in range(60)}
    assert len(picks) > 8


@pytest.mark.parametrize("text", ["mcts:simulation=durak.greedy", "minimax:eval=durak.basic"])
def test_what_is_made_for_another_game_is_refused_before_anything_is_played(text: str) -> None:
    with pytest.raises(AgentError, match="Durak"):
        make_agent(text, engine("trumps").game)


def test_a_player_with_a_time_limit_plays() -> None:
    table = engine("trumps")
    state = table.start(RandomChance(1))
    seen, legal = table.observe(state, state.mover), table.legal(state)
    for kind in ("montecarlo", "mcts", "minimax", "pimc", "ismcts", "best"):
        agent = make_agent(f"{kind}:ms=20", table.game)
        assert agent.choose(seen, legal, random.Random(1)) in legal


def test_all_parameters_say_what_they_mean() -> None:
    for kind in kinds().values():
        assert kind.meaning
        assert all(parameter.meaning for parameter in kind.parameters.values())


@pytest.mark.parametrize("vote", ["yes", "no"])
def test_of_equal_moves_the_oldest_card_can_be_the_first(vote: str) -> None:
    """Nobody has points before the end of Durak, so that all moves are equal to who looks one move ahead."""
    table = engine("durak")
    agent = make_agent(f"minimax:depth=1,eval=score,samples=3,ties=oldest,vote={vote}", table.game)
    chance, dice = RandomChance(2), random.Random(2)
    state = table.start(chance)
    surprises = 0
    for _ in range(30):
        seat, legal = table.mover(state), table.legal(state)
        assert seat is not None
        observed = table.observe(state, seat)
        if seat == 0 and len(legal) > 1:
            arrivals = [event.cards or () for event in observed.events if event.target == "hand(0)"]
            came = {card: number for number, cards in enumerate(arrivals) for card in cards}
            expected = min(legal, key=lambda move: came.get(move.what, len(came)))
            assert agent.choose(observed, legal, dice) == expected
            surprises += expected != legal[0]
        state = table.apply(state, dice.choice(legal), chance)
    assert surprises
