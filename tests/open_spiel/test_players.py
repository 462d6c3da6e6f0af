"""OpenSpiel's player behind the bridge: it knows what its seat has seen, no less and no more."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from fcdl.agents.agent import AgentError
from fcdl.arena.play import play
from fcdl.engines import make_engine
from fcdl.language.load import load_text
from fcdl.model import Game, Move, Observation, RandomChance
from tests.games.table import make_game
from tests.open_spiel.deals import share_out
from tests.open_spiel.hearts import Hearts
from tests.open_spiel.players import BRIDGES, OpenSpielPlayer
from tests.oracle.hearts import number as hearts_number
from tests.results.variants import VARIANTS, variant

pytest.importorskip("pyspiel")


def up_card_game(players: int = 4, hand: int = 6) -> Game:
    flowchart = load_text(variant("oh_hell_up_card")).flowchart
    assert flowchart is not None
    return Game.make(flowchart, name="oh_hell_up_card", players=players, options={"firstHand": hand})


def hearts_game(**options: str | int) -> Game:
    defaults: dict[str, str | int] = {"target": 60, "firstTrick": "noPoints", "passing": "no"}
    return make_game("hearts", options=defaults | options)


GAMES = {
    "hearts": hearts_game(),
    "hearts, other rules": hearts_game(firstTrick="anything", queenBreaks="yes", anyClub="yes"),
    "oh_hell": up_card_game(),
    "oh_hell, 3 players": up_card_game(3, 10),
}


class Checking:
    """Plays at random and compares the bridge's state with what the seat has seen, at every decision."""

    def __init__(self, game: Game) -> None:
        self.bridge = BRIDGES[game.flowchart.title](game)
        self.decisions = 0

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        self.decisions += 1
        state = self.bridge.state(observation)
        assert state.current_player() == observation.seat
        assert sorted(state.legal_actions()) == sorted(map(self.bridge.action, legal))
        return rng.choice(legal)


@pytest.mark.parametrize("name", GAMES)
def test_state_has_the_seat_to_move_and_its_legal_moves(name: str) -> None:
    game = GAMES[name]
    engine = make_engine(game)
    for seed in range(4):
        agents = [Checking(game) for _ in range(game.players)]
        play(engine, agents, f"{seed}", f"{seed}")
        assert min(agent.decisions for agent in agents) > 20


def open_spiel_hearts(hands: Sequence[Sequence[str]]) -> list[int]:
    """What chance does in OpenSpiel: no cards are passed, and these are dealt."""
    return [0, *(hearts_number(hands[place % 4][place // 4]) for place in range(52))]


@pytest.mark.parametrize("seed", range(5))
def test_seat_knows_in_the_state_what_it_knows_in_the_true_one(seed: int) -> None:
    """OpenSpiel's own description of what a player knows, in our state and in one made of the true cards."""
    game = hearts_game(target=0)
    engine = make_engine(game)
    bridge = Hearts(game)
    chance, dice = RandomChance(seed), random.Random(seed)
    state = engine.start(chance)
    dealt = [event.cards or () for event in engine.events(state) if event.kind == "move"]
    truth = bridge.peer.new_initial_state()
    for action in open_spiel_hearts([sorted(cards) for cards in dealt]):
        truth.apply_action(action)
    compared = 0
    while (mover := engine.mover(state)) is not None:
        made = bridge.state(engine.observe(state, mover))
        assert made.information_state_string(mover) == truth.information_state_string(mover)
        move = dice.choice(engine.legal(state))
        truth.apply_action(bridge.action(move))
        state = engine.apply(state, move, chance)
        compared += 1
    assert compared == 52
    outcome = engine.outcome(state)
    assert outcome is not None
    assert [26 - result for result in truth.returns()] == list(outcome.scores)


@pytest.mark.parametrize("name", ["hearts", "oh_hell"])
def test_it_plays_whole_games(name: str) -> None:
    game = hearts_game(target=0) if name == "hearts" else up_card_game(hand=3)
    agents = [OpenSpielPlayer(game, ms=0, simulations=20, c=5.0) for _ in range(4)]
    assert play(make_engine(game), agents, "1", "1").reason == "end"


def test_cards_are_shared_out_among_those_who_can_have_them() -> None:
    cards = ["2C", "3C", "2D", "3D", "2H"]
    shares = share_out(cards, {0: 2, 1: 2}, [{"C"}, {"D", "H"}])
    assert shares[1] == {"2C", "3C"}
    assert shares[0] < {"2D", "3D", "2H"}
    with pytest.raises(ValueError, match="no deal agrees"):
        share_out(cards, {0: 4}, [{"C"}])


def test_rules_that_open_spiel_does_not_have_are_refused() -> None:
    for game, message in (
        (make_game("hearts"), "no firstTrick=noQueen"),
        (hearts_game(passing="yes"), "cannot pass cards"),
        (make_game("oh_hell", 4), "turns up a card"),
        (make_game("trumps"), "for Hearts and Oh Hell only"),
    ):
        with pytest.raises(AgentError, match=message):
            OpenSpielPlayer(game, ms=100, simulations=0, c=5.0)


@pytest.mark.parametrize("name", VARIANTS)
def test_variants_of_charts_are_charts(name: str) -> None:
    assert load_text(variant(name)).flowchart is not None
