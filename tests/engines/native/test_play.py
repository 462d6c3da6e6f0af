"""Games that Python plays move by move: the same as on the contract, cheap to copy, and the past is told when asked."""

from __future__ import annotations

import pickle
import random
from functools import cache

import pytest

from fcdl.language.load import builtin_names, load_flowchart
from fcdl.model import Game, Move, RandomChance, RecordingChance, ScriptedChance, StreamChance
from fcdl.model.chance import Chance, ChanceError

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.engines.native import NativeEngine, _engine


@cache
def engine(name: str) -> NativeEngine:
    return NativeEngine(Game.make(load_flowchart(name), name=name))


def played(play: _engine.Play, seed: int, moves: int = 10**6) -> _engine.Play:
    choose = random.Random(seed).choice
    while moves and not play.over:
        play.play(choose(play.legal))
        moves -= 1
    return play


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("name", builtin_names())
def test_a_play_goes_as_on_the_contract(name: str, own: bool) -> None:
    table = engine(name)
    rng = random.Random(name)
    for seed in range(3):
        chance: Chance = StreamChance(seed) if own else RandomChance(seed)
        play = _engine.Play(table.book, seed, chance=None if own else RandomChance(seed))
        state = table.start(chance)
        while not play.over:
            assert (play.mover, play.node) == (table.mover(state), state.node)
            assert play.legal == table.legal(state)
            assert tuple(table.move(state, number) for number in play.legal_ids) == play.legal
            move = rng.choice(play.legal)
            if play.move_count % 7 == 0:  # what is told is kept up to date, not told again
                assert table.events_of(play.records(play.move_count - 1)) == table.latest(state) or not play.move_count
            play.play(move)
            state = table.apply(state, move, chance)
        assert play.mover is table.mover(state) is None
        assert play.scores == state.scores
        assert play.legal == ()
        assert table.events_of(play.records()) == table.events(state)
        assert table.events_of(play.records(play.move_count - 1)) == table.latest(state)
        assert play.records(play.move_count) == b""


def test_moves_are_shared_and_kept() -> None:
    play = _engine.Play(engine("skat").book, 3)
    moves = []
    while not play.over:
        assert play.legal is play.legal
        moves.append(play.legal[0])
        play.play(Move.parse(str(moves[-1])))  # an equal move is as good as the same
    assert play.moves == tuple(moves)


def test_a_copy_goes_its_own_way() -> None:
    play = played(_engine.Play(engine("hearts").book, 1), 1, 20)
    copy = play.copy()
    assert copy == play
    before = play.records()
    played(copy, 2)
    assert copy != play
    assert play.move_count == 20
    assert play.records() == before
    assert copy.records().startswith(before)
    assert played(play, 2) == copy  # chance is a part of it, too


def test_equal_plays_have_the_same_past() -> None:
    book = engine("hearts").book
    assert _engine.Play(book, 1) == _engine.Play(book, 1)
    assert _engine.Play(book, 1) != _engine.Play(book, 2)
    assert _engine.Play(book, 1) == _engine.Play(NativeEngine(engine("hearts").game).book, 1)
    assert _engine.Play(book, 1) != _engine.Play(engine("trumps").book, 1)
    with pytest.raises(TypeError, match="unhashable"):
        hash(_engine.Play(book, 1))


@pytest.mark.parametrize("asked", [False, True])
def test_a_play_comes_back_from_its_parts(asked: bool) -> None:
    book = engine("hearts").book
    play = played(_engine.Play(book, 5, chance=RandomChance(5) if asked else None), 5)
    assert play.move_count > 400
    assert len(pickle.dumps(play.parts())) < 8 * play.move_count + 1000
    again = _engine.Play(book, *play.parts())
    assert again == play
    assert again.records() == play.records()


def test_a_play_from_a_position_tells_what_happened_since() -> None:
    table = engine("trumps")
    state = table.start(RandomChance(1))
    play = _engine.Play(table.book, base=state.data)
    assert play.records() == b""
    after = table.apply(state, play.legal[0], RandomChance(2))
    play.play(play.legal[0])
    assert table.events_of(play.records()) == table.latest(after)
    assert _engine.Play(table.book, *play.parts()) == play


def test_a_move_that_is_not_legal_changes_nothing() -> None:
    play = _engine.Play(engine("hearts").book, 1)
    legal, position = play.legal, play.dump()
    for bad in (Move("play", "nothing"), "play QH", 7, None):
        with pytest.raises(_engine.IllegalMoveError):
            play.play(bad)
    for number in (-1, 10**6, 2**40):
        with pytest.raises(_engine.IllegalMoveError):
            play.play_id(number)
    assert (play.legal, play.dump(), play.move_count) == (legal, position, 0)
    play.play_id(play.legal_ids[0])
    assert play.moves == legal[:1]


def test_what_is_meant_is_up_to_a_subclass() -> None:
    class Reading(_engine.Play):
        def meant(self, move: object, /) -> Move:
            return Move.parse(str(move))

    play = Reading(engine("hearts").book, 1)
    play.play(str(play.legal[3]))
    assert play.move_count == 1
    with pytest.raises(_engine.IllegalMoveError):
        play.play("choose 3")
    assert type(play.copy()) is Reading


def test_chance_that_fails_leaves_the_play_where_it_was() -> None:
    table = engine("hearts")
    recorded = RecordingChance(RandomChance(3))
    whole = played(_engine.Play(table.book, chance=recorded), 3)
    script = ScriptedChance(recorded.outcomes[:1])
    play = _engine.Play(table.book, chance=script)
    move = next(whole.moves[n] for n in range(whole.move_count) if not safely_played(play, whole.moves[n]))
    legal, position = play.legal, play.dump()
    with pytest.raises(ChanceError, match="too short"):
        play.play(move)
    assert (play.legal, play.dump()) == (legal, position)
    script.outcomes = recorded.outcomes
    for move in whole.moves[play.move_count :]:
        play.play(move)
    assert play.records() == whole.records()


def safely_played(play: _engine.Play, move: Move) -> bool:
    try:
        play.play(move)
    except ChanceError:
        return False
    return True


@pytest.mark.parametrize(
    ("base", "moves", "outcomes"),
    [(b"x", b"", b""), (None, b"\1\0\0\0" * 3, b""), (None, b"", b"\1\0\0\0" * 52), (None, b"", b"\1\0\0\0")],
)
def test_parts_that_do_not_fit_are_refused(base: bytes | None, moves: bytes, outcomes: bytes) -> None:
    with pytest.raises(ValueError, match=r"not a state|illegal|do not fit"):
        _engine.Play(engine("hearts").book, 1, base, moves, outcomes)
