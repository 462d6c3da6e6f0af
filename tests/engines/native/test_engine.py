"""The native engine's own promises: batch calls, positions for search, sizes, errors."""

from __future__ import annotations

import pickle
import subprocess
import sys
from functools import cache

import numpy as np
import pytest

from fcdl.language.load import builtin_names, load_flowchart, load_text
from fcdl.model import PASS, Game, IllegalMoveError, Move, RandomChance, Reason

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.engines.native import NativeEngine, _engine
from fcdl.engines.native.engine import State

NAMES = builtin_names()


@cache
def engine(name: str, **options: str) -> NativeEngine:
    return NativeEngine(Game.make(load_flowchart(name), name=name, options=options))


def made(text: str) -> NativeEngine:
    checked = load_text(text)
    assert checked.flowchart is not None, checked.findings
    return NativeEngine(Game.make(checked.flowchart, name="made"))


@pytest.mark.parametrize("name", NAMES)
def test_a_state_has_less_than_four_kilobytes(name: str) -> None:
    assert engine(name).program.state_size < 4096


@pytest.mark.parametrize("copies", [1, 2, 3, 4])
def test_the_cards_of_zones_are_told_for_small_and_large_decks(copies: int) -> None:
    text = f"""game "Many cards"
players 2
deck standard copies {copies}

chart main
    start
    Shuffle
    Deal(10)
    playCard(player(1), cards)
    end
"""
    dealt = made(text)
    zones = dealt.zones(dealt.start(RandomChance(1)))
    assert {name: len(cards) for name, cards in zones.items() if cards} == {
        "hand(0)": 10,
        "hand(1)": 10,
        "pack": 52 * copies - 20,
    }
    codes = [dealt.game.flowchart.deck.code(card) for card in dealt.game.cards]
    assert sorted(card for cards in zones.values() for card in cards) == sorted(codes)


def test_playouts_do_not_depend_on_the_number_of_threads() -> None:
    hearts = engine("hearts", target="0")
    state = hearts.start(RandomChance(1))
    one, two = (hearts.playouts(state, 301, 7, threads=threads) for threads in (1, 2))
    assert np.array_equal(one.scores, two.scores)
    assert one.moves == two.moves
    assert one.reasons == two.reasons
    assert one.reasons["end"] == 301


def test_both_builds_play_the_same_games() -> None:
    try:
        scores = []
        for fast in (True, False):
            _engine.use_fast_bits(fast)
            scores.append([engine(name).play_games(3, 5).scores.tolist() for name in NAMES if name != "crazy_eights"])
    finally:
        _engine.use_fast_bits(True)
    assert scores[0] == scores[1]


def test_every_round_of_hearts_has_26_points() -> None:
    # 13 hearts and 13 for the queen; whoever takes all gives 26 to each of the three others.
    totals = engine("hearts", target="0").play_games(2000, 1).scores.sum(axis=1)
    assert set(totals.tolist()) <= {26, 78}


def test_random_plays_are_uniform() -> None:
    crowd = made(
        'game "One card"\nplayers 2\ndeck ranks 2 3 4 5 6 suits clubs\nchart main\nstart\nDeal(1)\n'
        "pickUp(player(0), 2)\nplayCard(player(0), cards)\nscore(player(0)) = rankValue(middle(player(0)))\nend\n"
    )
    scores = crowd.play_games(30_000, 3).scores[:, 0]
    counts = [int((scores == value).sum()) for value in (2, 4, 5)]
    assert sum(counts) == 30_000
    # Standard deviation of each count: sqrt(30000 * 1/3 * 2/3) = 82.
    assert all(abs(count - 10_000) < 5 * 82 for count in counts)


def test_shuffles_are_uniform() -> None:
    cut = made(
        'game "Cut"\nplayers 2\ndeck ranks 2 3 4 5 suits clubs\nchart main\nstart\nShuffle\n'
        "score(player(0)) = rankValue(top(pack)) * 10 + rankValue(bottom(pack))\nend\n"
    )
    values, counts = np.unique(cut.play_games(24_000, 1).scores[:, 0], return_counts=True)
    assert len(values) == 12
    # 24000 / 12 = 2000 each, standard deviation sqrt(24000 * 1/12 * 11/12) = 43.
    assert abs(counts - 2000).max() < 5 * 43


@pytest.mark.parametrize("name", NAMES)
def test_a_clone_plays_on_independently(name: str) -> None:
    game = engine(name).new_game(4)
    game.apply_id(game.legal_ids()[0])
    before = game.dump()
    clone = game.clone()
    assert clone.dump() == before
    assert clone.legal_ids() == game.legal_ids()
    clone.apply_id(clone.legal_ids()[-1])
    assert clone.dump() != before
    assert game.dump() == before
    game.apply_id(game.legal_ids()[-1])
    assert game.mover == clone.mover


@pytest.mark.parametrize("name", NAMES)
def test_a_position_goes_on_from_a_state(name: str) -> None:
    native = engine(name)
    state = native.start(RandomChance(2))
    position = native.position(state)
    assert position.legal_ids() == native.program.legal(state.data)
    assert (position.mover, position.node) == (native.mover(state), state.node)


def test_an_illegal_move_says_what_is_legal() -> None:
    trumps = engine("trumps")
    state = trumps.start(RandomChance(1))
    with pytest.raises(IllegalMoveError, match=r"illegal move 'pass': node \d+: playCard.*; legal: "):
        trumps.apply(state, PASS, RandomChance(1))
    with pytest.raises(IllegalMoveError, match="illegal move 'choose 3'"):
        trumps.apply(state, Move("choose", "3"), RandomChance(1))


def test_a_move_after_the_end_is_illegal() -> None:
    game = engine("trumps").new_game(1)
    game.play_out()
    assert game.is_over
    assert game.legal_ids() == ()
    with pytest.raises(ValueError, match="the game is over"):
        game.apply_id(0)


def test_states_of_another_game_are_refused() -> None:
    state = engine("trumps").start(RandomChance(1))
    with pytest.raises(ValueError, match="not a state of this game"):
        engine("hearts").program.legal(state.data)


def test_an_endless_loop_ends_at_the_step_limit() -> None:
    loop = made('game "Loop"\nplayers 2\nchart main\nstart\nx = 0\nagain: x = x + 1\nx < 0? no -> again\nend\n')
    state = loop.start(RandomChance(1))
    outcome = loop.outcome(state)
    assert outcome is not None
    assert outcome.reason is Reason.STEP_LIMIT
    # start, x = 0, then 4,999 times x = x + 1 and the question: 10,000 nodes.
    assert sum(event.kind == "assign" for event in loop.events(state)) == 5_000


def test_a_chance_that_answers_nonsense_is_refused() -> None:
    class Nonsense(RandomChance):
        def shuffle(self, cards):  # type: ignore[no-untyped-def]
            return [0] * len(cards)

    with pytest.raises(ValueError, match="not an order of the cards"):
        engine("trumps").start(Nonsense(1))


def test_without_the_extension_asp_takes_over_with_one_line() -> None:
    script = (
        "import sys; sys.modules['fcdl.engines.native._engine'] = None\n"
        "from fcdl.engines import make_engine\nfrom fcdl.language.load import load_flowchart\n"
        "from fcdl.model import Game\n"
        "print(type(make_engine(Game.make(load_flowchart('trumps'), name='trumps'))).__name__)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "AspEngine\n"
    assert done.stderr.count("\n") == 1
    assert "using the slower ASP engine" in done.stderr


def test_a_state_after_many_moves_is_compared_printed_and_pickled() -> None:
    table = NativeEngine(Game.make(load_flowchart("hearts"), name="hearts"))
    one, other = (play_on(table, table.start(RandomChance(1)), moves=450) for _ in range(2))
    assert one.told.length == 451
    assert one == other
    assert hash(one) == hash(other)
    assert one != play_on(table, table.start(RandomChance(2)), moves=450)
    assert repr(one).startswith(f"<State at node {one.node}: player {one.mover} decides, 450 moves made, scores (")
    again = pickle.loads(pickle.dumps(one))
    assert again == one
    assert table.events(again) == table.events(one)
    assert table.latest(again) == table.latest(one)


def play_on(table: NativeEngine, state: State, moves: int) -> State:
    chance = RandomChance(7)
    for _ in range(moves):
        state = table.apply(state, table.legal(state)[0], chance)
    return state
