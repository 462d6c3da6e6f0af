"""Which variables are shown: those that still matter, under names that can be read."""

import pytest

from fcdl.language.saying import spaced
from fcdl.ui.words import public_values, seat_values
from tests.ui.tables import SHORT, crowded, play_on, play_to_your_turn, session


def shown_after(name: str, moves: int) -> dict[str, str]:
    table = session(name)
    play_on(table, moves)
    play_to_your_turn(table)
    return dict(public_values(table.game, table.view()))


@pytest.mark.parametrize(
    ("name", "moves", "names"),
    [
        ("trumps", 4, {"trumps", "suit led"}),
        ("kings_and_jacks", 4, set()),
        ("crazy_eights", 4, {"suit to match", "rank to match"}),
        ("hearts", 22, {"hearts broken"}),
        ("oh_hell", 22, {"trumps", "suit led", "dealer"}),
        ("durak", 4, {"trumps", "attacker", "defender"}),
        ("skat", 4, {"bid", "declarer"}),
        ("skat", 22, {"trumps", "bid", "declarer"}),
    ],
)
def test_what_matters_is_shown_and_nothing_else(name: str, moves: int, names: set[str]) -> None:
    assert set(shown_after(name, moves)) == names


def test_numbers_of_players_are_shown_as_players() -> None:
    assert shown_after("oh_hell", 22)["dealer"].startswith("player ")


def test_suit_of_the_finished_trick_is_forgotten() -> None:
    table = session("trumps")
    play_on(table, 2)
    assert "suit led" not in dict(public_values(table.game, table.view()))


def test_variables_of_players_are_shown_for_each() -> None:
    table = session("oh_hell")
    play_on(table, 5)
    assert dict(seat_values(table.game, table.view(), 1)).keys() == {"bid", "tricks"}


def test_what_mattered_last_is_still_shown_at_the_end() -> None:
    table = session("trumps")
    play_on(table, 100)
    assert table.outcome is not None
    assert "trumps" in dict(public_values(table.game, table.view()))


def test_counters_and_cursors_are_not_shown() -> None:
    table = crowded()
    play_to_your_turn(table)
    assert dict(public_values(table.game, table.view())) == {"trump suit": "hearts"}


@pytest.mark.parametrize("name", SHORT)
def test_what_is_shown_can_be_read_at_every_moment(name: str) -> None:
    table = session(name)
    for _ in range(40):
        view = table.view()
        for text, value in public_values(table.game, view):
            assert text == text.lower()
            assert value
        play_on(table, 1)


@pytest.mark.parametrize(
    ("name", "text"),
    [("trumpSuit", "trump suit"), ("bid", "bid"), ("oh_hell", "oh hell"), ("QS", "QS"), ("x2y", "x2y")],
)
def test_names_are_spaced(name: str, text: str) -> None:
    assert spaced(name) == text
