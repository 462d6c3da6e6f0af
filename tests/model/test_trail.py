"""Trails of any length are compared, printed, pickled and freed without recursion."""

import pickle

from fcdl.model.trail import Trail

LONG = 200_000


def test_parts_come_oldest_first_and_since_an_earlier_trail() -> None:
    first = Trail(None, "a")
    second = Trail(first, "b")
    third = Trail(second, "c")
    assert third.since() == ["a", "b", "c"]
    assert third.since(first) == ["b", "c"]
    assert third.since(third) == []
    assert third.length == 3


def test_trails_are_equal_if_their_parts_are() -> None:
    assert Trail.of("abc") == Trail.of("abc")
    assert hash(Trail.of("abc")) == hash(Trail.of("abc"))
    assert Trail.of("abc") != Trail.of("abd")
    assert Trail.of("abc") != Trail.of("xbc")
    assert Trail.of("bc") != Trail.of("abc")
    shared = Trail.of("ab")
    assert Trail(shared, "c") == Trail(shared, "c")
    assert Trail.of("") is None


def test_a_long_trail_is_like_any_other() -> None:
    one, other = Trail.of(range(LONG)), Trail.of(range(LONG))
    assert one == other
    assert hash(one) == hash(other)
    assert repr(one) == f"<trail of {LONG}, newest {LONG - 1}>"
    assert pickle.loads(pickle.dumps(one)) == one
    del one, other  # which frees them part by part
