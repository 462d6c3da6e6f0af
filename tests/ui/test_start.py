"""The start screen: games, settings, kept games."""

from itertools import groupby
from pathlib import Path

import pytest

from fcdl.language.load import builtin_names
from fcdl.ui.session import HUMAN
from fcdl.ui.setup import FACE_UP, Offer, Setting, Setup, offers
from fcdl.ui.start import StartApp
from fcdl.ui.store import Kept, keep, kept_games
from tests.ui.driving import with_app
from tests.ui.tables import EVERYTHING, SHORT, play_on, session


def chosen(app: StartApp, *keys: str) -> Setup | Kept | None:
    with_app(app, *keys)
    return app.return_value


def test_all_games_and_charts_are_offered(tmp_path: Path) -> None:
    (tmp_path / "mine.fcdl").write_text(EVERYTHING)
    (tmp_path / "notes.txt").write_text("no chart")
    found = offers(tmp_path)
    assert sorted(offer.name for offer in found[:-1]) == builtin_names()
    assert found[-1].title == "mine.fcdl"


def test_games_stand_under_their_genres(tmp_path: Path) -> None:
    groups = [group for group, _ in groupby(offer.group for offer in offers(tmp_path))]
    assert len(groups) == len(set(groups)) > 5
    lines = [line[2:24].strip() for line in with_app(StartApp(tmp_path), size=(80, 80))]
    assert lines.index("poker") < lines.index("Kuhn Poker") < lines.index("rummy") < lines.index("trick-taking")


@pytest.mark.parametrize("name", SHORT)
def test_every_game_can_be_started_as_it_is(name: str) -> None:
    setup = Offer(name, None).setup()
    for seat in setup.seats[1:]:
        seat.value = "random"
    table = setup.session("1")
    assert table.game.name == name
    assert table.seats[0] == HUMAN
    assert {setting.name for setting in setup.options} == set(table.game.options)


def test_options_seats_and_players_can_be_set() -> None:
    setup = Offer("oh_hell", None).setup()
    setup.players.value = "4"
    first, *others = setup.seats
    first.value = "random"
    for seat in others:
        seat.value = HUMAN if seat.name == "seat 2" else "random"
    setup.cards.value = FACE_UP
    next(setting for setting in setup.options if setting.name == "firstHand").value = "3"
    table = setup.session("1")
    assert table.humans == (2,)
    assert table.face_up
    assert table.game.option_text("firstHand") == "3"


def test_words_go_round_and_numbers_stop() -> None:
    word = Setting("x", "b", ("a", "b"))
    word.step(1)
    assert word.value == "a"
    number = Setting("n", "9", (), low=0, high=10)
    number.step(5)
    assert number.value == "10"
    number.step(-50)
    assert number.value == "0"


def test_values_can_be_typed() -> None:
    number = Setting("n", "0", (), low=0, high=100)
    assert [number.type(digit) and number.value for digit in "1234"] == ["1", "12", "3", "34"]
    assert not number.type("x")
    word = Setting("x", "hard", ("human", "easy", "hard"))
    assert word.type("h")
    assert word.value == "human"
    assert not word.type("z")


def test_game_is_chosen_with_keys(tmp_path: Path) -> None:
    setup = chosen(StartApp(tmp_path), "end", "enter", "down", "right", "enter")
    assert isinstance(setup, Setup)
    assert setup.offer.name == "whist"
    assert [seat.value for seat in setup.seats] == ["human", "hard", "normal", "normal"]


def test_wanted_game_is_open_at_once(tmp_path: Path) -> None:
    setup = chosen(StartApp(tmp_path, wanted="skat"), "enter")
    assert isinstance(setup, Setup)
    assert setup.offer.name == "skat"


def test_leaving_chooses_nothing(tmp_path: Path) -> None:
    assert chosen(StartApp(tmp_path), "q") is None
    assert chosen(StartApp(tmp_path), "enter", "escape", "escape") is None


def test_somebody_must_play(tmp_path: Path) -> None:
    app = StartApp(tmp_path)
    lines = with_app(app, "enter", "right", "enter")
    assert "You have no seat" in lines[-1]
    assert app.return_value is None


def test_bad_chart_says_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "bad.fcdl").write_text('game "Bad"\nplayers 2\nchart main\n    start\n    nonsense here\n    end\n')
    lines = with_app(StartApp(tmp_path), "end")
    assert "cannot be played" in "\n".join(lines)
    assert "bad.fcdl" in "\n".join(lines)


def test_kept_game_is_offered_first_and_goes_on(tmp_path: Path) -> None:
    table = session("trumps")
    keep(table)
    play_on(table, 3)
    kept = chosen(StartApp(tmp_path), "enter")
    assert isinstance(kept, Kept)
    assert kept.head.moves == 3


def test_kept_game_is_dropped_when_asked_twice(tmp_path: Path) -> None:
    keep(session("trumps"))
    lines = with_app(StartApp(tmp_path), "d")
    assert "Press d again" in lines[-1]
    assert len(kept_games()) == 1
    lines = with_app(StartApp(tmp_path), "d", "d")
    assert kept_games() == []
    assert "saved games" not in "\n".join(lines)


def test_kept_games_take_one_line_each(tmp_path: Path) -> None:
    for name in ("kings_and_jacks", "trumps"):
        table = session(name)
        keep(table)
        play_on(table, 1)
    lines = with_app(StartApp(tmp_path))
    assert sorted(line[2:24].rstrip() for line in lines[3:5]) == ["▸ Kings and Jacks, 1…", "▸ Trumps, 1 move"]


def test_older_kept_games_do_not_push_games_off_the_screen(tmp_path: Path) -> None:
    for _ in range(12):
        keep(session("trumps"))
    lines = with_app(StartApp(tmp_path))
    text = "\n".join(lines)
    assert text.index("▸ Trumps, 0 moves") < text.index(offers(tmp_path)[0].title)
    assert "older games" not in text, "they stand below the games"
    assert isinstance(chosen(StartApp(tmp_path), "end", "enter"), Kept)


def test_the_cursor_stands_where_the_keys_go(tmp_path: Path) -> None:
    def cursor(*keys: str) -> list[str]:
        return [line for line in with_app(StartApp(tmp_path, wanted="trumps"), *keys) if "‹" in line]

    assert len(cursor()) == 1
    assert cursor("escape") == []
    assert len(cursor("escape", "enter")) == 1
