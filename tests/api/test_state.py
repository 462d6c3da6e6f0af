"""States: moves in three forms, the same game from the same seed on every engine, copies, pickles, reasons in words."""

import copy
import pickle
import random

import pytest

import fcdl
from fcdl.api.state import EngineState
from fcdl.engines.asp import AspEngine
from fcdl.engines.stepping import SteppingEngine
from fcdl.model import Engine, StreamChance

GAMES = fcdl.builtin_names()

TWO_DECKS = """
game "Two Decks"
players 2
deck ranks 7 8 9 10 suits clubs spades copies 2

chart main
    start
    Shuffle
    Deal(4)
    turn = player(0)
next:
    playCardOrPass(turn, cards)
    turn = next(turn)
    cardsRemaining(turn) > 0?                               yes -> next
    end
"""


def play_at_random(state: fcdl.State, seed: int = 1, moves: int = 10_000) -> fcdl.State:
    rng = random.Random(seed)
    while not state.over and moves:
        state.play(rng.choice(state.actions))
        moves -= 1
    return state


@pytest.mark.parametrize("name", GAMES)
def test_numbers_values_and_texts_are_the_same_moves(name: str) -> None:
    game = fcdl.load(name)
    rng = random.Random(name)
    state = game.new(seed=3)
    for _ in range(60):
        if state.over:
            break
        legal, actions = state.legal, state.actions
        assert len(set(actions)) == len(legal)
        place = rng.randrange(len(legal))
        assert game.actions.move(actions[place], legal) == legal[place]
        assert game.actions.number(legal[place], legal) == actions[place]
        by_value, by_text = state.copy().play(legal[place]), state.copy().play(str(legal[place]))
        assert state.play(actions[place]) == by_value == by_text
        assert state.moves[-1] == legal[place]


@pytest.mark.parametrize("name", ["trumps", "durak"])
def test_same_seed_is_the_same_game_on_every_engine(name: str) -> None:
    game = fcdl.load(name)
    state = play_at_random(game.new(seed=8), moves=12)
    engines: list[Engine] = [AspEngine(game), SteppingEngine(game)]
    for engine in engines:
        chance = StreamChance(8)
        other = engine.start(chance)
        for move in state.moves:
            other = engine.apply(other, move, chance)
        assert engine.events(other) == state.events


def test_copies_of_a_card_are_one_move() -> None:
    game = fcdl.load(TWO_DECKS)
    assert len(game.actions) == 9
    for seed in range(20):
        state = game.new(seed)
        while not state.over:
            assert [game.actions[number] for number in state.actions] == list(state.legal)
            state.play(state.actions[0])
        assert sum(map(len, state.zones.values())) == 16


def test_copy_plays_on_by_itself() -> None:
    state = play_at_random(fcdl.load("hearts").new(seed=1), moves=20)
    twin, again = state.copy(), copy.deepcopy(state)
    assert twin == state == again
    play_at_random(twin, seed=2)
    assert twin != state
    assert state == again
    assert play_at_random(state, seed=2).events == twin.events


def test_reseeded_state_has_the_same_past_and_another_future() -> None:
    state = fcdl.load("oh_hell", 2, firstHand=2).new(seed=1)  # dealt anew after the first round
    others = [state.reseeded(seed) for seed in range(8)]
    assert all(other.events == state.events for other in others)
    assert len({play_at_random(other, moves=8).events for other in others}) > 1
    assert pickle.loads(pickle.dumps(others[3])) == others[3] != others[4]


@pytest.mark.parametrize("name", GAMES)
def test_pickled_state_is_the_same_in_every_respect(name: str) -> None:
    state = play_at_random(fcdl.load(name).new(seed=2), moves=30)
    twin = pickle.loads(pickle.dumps(state))
    assert twin == state
    assert (twin.events, twin.legal, repr(twin), str(twin)) == (state.events, state.legal, repr(state), str(state))
    assert play_at_random(twin).events == play_at_random(state).events


def test_long_game_is_compared_and_pickled() -> None:
    state = play_at_random(fcdl.load("hearts").new(seed=1), moves=600)
    assert len(state.moves) == 600
    assert pickle.loads(pickle.dumps(state)) == state.copy()
    assert state.reseeded(3) != state


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("pick QS", "player 0 does not have QS in hand"),
        ("play 8C", "player 0 must pick a card"),
        ("pick ZZ", "there is no card 'ZZ' in this game"),
        (0, "player 0 must pick a card"),
        (4000, "there is no action 4000 here"),
        (-1, "there is no action -1 here"),
        (fcdl.Move("choose", "4"), "player 0 must pick a card"),
    ],
)
def test_illegal_move_is_refused_with_the_reason(move: fcdl.Move | str | int, reason: str) -> None:
    state = fcdl.load("hearts").new(seed=1)
    before = state.copy()
    with pytest.raises(fcdl.IllegalMoveError, match=reason):
        state.play(move)
    assert state == before


def test_card_that_may_not_be_played_is_refused_by_its_number() -> None:
    state = fcdl.load("trumps").new(seed=1)
    state.play(state.legal[0])
    legal, unheld = state.actions, next(card for card in range(52) if card not in state.actions)
    assert legal
    with pytest.raises(fcdl.IllegalMoveError, match=f"illegal move '{state.game.actions[unheld]}': player"):
        state.play(unheld)


def test_text_that_is_not_a_move_is_refused() -> None:
    state = fcdl.load("hearts").new(seed=1)
    with pytest.raises(fcdl.MoveError, match="'hello' is not a move"):
        state.play("hello")


def test_game_that_is_over_takes_no_moves() -> None:
    state = play_at_random(fcdl.load("trumps").new(seed=1))
    assert (state.mover, state.legal, state.actions) == (None, (), [])
    for move in ("play QS", 3):
        with pytest.raises(fcdl.IllegalMoveError, match="the game is over"):
            state.play(move)


def test_people_may_write_cards_as_they_like() -> None:
    game = fcdl.load("trumps")
    state = next(state for seed in range(99) if "play TH" in map(str, (state := game.new(seed)).legal))
    assert str(state.play("play 10h").moves[-1]) == "play TH"


def test_engine_without_c_plays_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    game = fcdl.load("trumps")
    quick = game.new(seed=4)
    slow_game = fcdl.load("trumps")
    monkeypatch.setitem(slow_game.__dict__, "engine", SteppingEngine(slow_game))
    slow = slow_game.new(seed=4)
    assert isinstance(slow, EngineState)
    while not quick.over:
        assert (quick.mover, quick.legal, quick.actions, quick.scores) == (
            slow.mover,
            slow.legal,
            slow.actions,
            slow.scores,
        )
        move = quick.actions[-1]
        quick.play(move)
        slow.play(move)
        assert slow.copy() == slow
        assert slow.reseeded(1).moves == slow.moves
    assert (slow.over, slow.events, slow.scores) == (True, quick.events, quick.scores)
    with pytest.raises(fcdl.FcdlError, match="native"):
        slow_game.playouts(3)


def test_observation_is_of_the_seat_to_move_unless_said() -> None:
    state = play_at_random(fcdl.load("hearts").new(seed=1), moves=4)
    assert state.observation() == state.observation(state.mover)
    assert state.observation(2) != state.observation(3)
    with pytest.raises(ValueError, match="there is no seat 4"):
        state.observation(4)
    with pytest.raises(ValueError, match="name a seat"):
        play_at_random(state).observation()
