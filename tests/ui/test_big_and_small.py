"""Large tables, small ones, cards in pairs, names and speed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest
from click.testing import CliRunner
from textual.pilot import Pilot

from fcdl.cli import main
from fcdl.language.load import builtin_names, load_flowchart, load_text
from fcdl.model import PASS, GameError, Move
from fcdl.ui.board import Board
from fcdl.ui.journal import read_journal
from fcdl.ui.pairs import answering_zones, pairs
from fcdl.ui.picture import Faces
from fcdl.ui.preferences import SPEEDS, preferences
from fcdl.ui.session import Session
from fcdl.ui.setup import PEOPLE, Offer
from fcdl.ui.store import keep, kept_games
from fcdl.ui.table import TableApp
from tests.ui.driving import LARGE, on_table, press, shown, with_app
from tests.ui.tables import play_on, play_to_your_turn, session

ANSWERED = """
players 2
zone asked: face up
zone given: face up
zone other: face up
chart main
    start
    Shuffle
    Deal(5)
    playCard(player(0), cards, asked)
    playCard(player(1), cards c in hand(player(1)) where suit(c) != suit(top(asked)), given)
    playCard(player(0), cards, other)
    end
"""


def after(name: str, moves: int) -> Session:
    table = session(name)
    play_on(table, moves)
    play_to_your_turn(table)
    return table


# --- pairs


def test_zones_that_answer_others_are_found_in_the_chart() -> None:
    chart = load_text(ANSWERED).flowchart
    assert chart is not None
    assert answering_zones(chart) == {"given": "asked"}
    assert answering_zones(load_flowchart("durak")) == {"defence": "attack"}  # not the cards that are passed on
    tricks = [name for name in builtin_names() if load_flowchart(name).genre == "trick-taking"]
    assert len(tricks) > 5
    assert not any(answering_zones(load_flowchart(name)) for name in tricks)


def test_an_answer_belongs_to_the_card_that_it_answers() -> None:
    cards = ((0, "6H"), (1, "6S"), (2, "7H"), (0, "7S"))
    assert pairs(cards, {}) is None
    assert pairs(cards, {2: 0}) == [((0, "6H"), (2, "7H")), ((1, "6S"), None), ((0, "7S"), None)]


@pytest.mark.parametrize("size", [LARGE, (80, 24), (30, 10)])
def test_attack_and_defence_lie_in_pairs(size: tuple[int, int]) -> None:
    table = after("durak", 15)
    assert [card for _, card in table.view().played] == ["AH", "8D", "8S"]
    lines = with_app(TableApp(table, pace=0), size=size)
    if size == (30, 10):
        assert "A♥←8♦  8♠" in "".join(lines)
    else:
        above = next(line for line in lines if "│ A♥ │" in line)
        assert "│ 8♠ │" in above
        below = lines[lines.index(above) + 2]
        assert below.index("│ 8♦ │") == above.index("│ A♥ │") + 2
    assert not any("defence" in line for line in lines)


# --- large and small


def test_everybody_sits_at_their_side_of_a_large_table() -> None:
    lines = [line[:80] for line in with_app(TableApp(after("hearts", 22), pace=0), size=LARGE)]
    rows = {
        seat: next(y for y, line in enumerate(lines) if name in line)
        for seat, name in enumerate(["▶ you", "player 1", "player 2", "player 3"])
    }
    assert rows[2] < rows[1] == rows[3] < rows[0]
    side = lines[rows[1]]
    assert side.index("player 1") < 5 < 50 < side.index("player 3")
    card = {code: next((y, line.index(code)) for y, line in enumerate(lines) if code in line) for code in ("6♠", "2♠")}
    assert rows[2] < card["6♠"][0] < rows[1]  # before player 2, above the middle
    assert rows[3] <= card["2♠"][0] <= rows[3] + 2  # before player 3
    assert card["2♠"][1] < side.index("player 3")


def test_the_large_table_leaves_room_for_what_lies_beside_it() -> None:
    table = after("hearts", 22)

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        board = app.query_one(Board)
        assert board.has_class("large")
        assert board.query_one("#left").max_scroll_y == 0

    on_table(table, play, size=(100, 30))


@pytest.mark.parametrize("size", [(99, 40), (120, 29)])
def test_smaller_screens_have_no_large_table(size: tuple[int, int]) -> None:
    assert any(
        "score" in line and "cards" in line for line in with_app(TableApp(after("hearts", 22), pace=0), size=size)
    )


@pytest.mark.parametrize("name", ["trumps", "hearts", "skat", "oh_hell", "kings_and_jacks", "durak"])
def test_the_card_to_beat_is_seen_on_the_smallest_screens(name: str) -> None:
    table = after(name, 5)
    for _ in range(60):
        if table.view().played and table.your_turn:
            break
        play_on(table, 1)
        play_to_your_turn(table)
    (_, card), *_ = reversed(table.view().played)
    face = Faces(table.game).label(card)
    lines = with_app(TableApp(table, pace=0), size=(30, 10))
    assert any(face in line for line in lines[:7]), lines


def test_a_ten_takes_no_more_room_than_other_cards() -> None:
    view = dataclasses.replace(session("hearts").view(), played=((1, "TH"), (2, "9H"), (3, "TC")))
    from fcdl.ui import picture

    top, faces, *_ = picture.trick(session("hearts").game, view, 60, boxes=True).plain.split("\n")
    assert [len(part) for part in top.split()] == [6, 6, 6]
    starts = [x for x, sign in enumerate(faces) if sign == "│"][::2]
    assert starts[1] - starts[0] == starts[2] - starts[1]


# --- pace and names


def test_plus_and_minus_change_the_speed() -> None:
    table = session("hearts")

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        app.pace = SPEEDS["normal"]
        await press(app, pilot, "plus")
        assert app.pace == SPEEDS["fast"]
        assert "Speed: fast." in shown(app, "#prompt")
        await press(app, pilot, "minus", "minus")
        assert app.pace == SPEEDS["slow"]

    on_table(table, play)
    assert preferences().speed == "slow"


def test_computers_that_must_pass_do_so_without_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    table = session("durak")
    while not table.must_pass:
        play_on(table, 1)
    number, thinking = len(table.moves), table.thinking
    thought: list[int] = []

    def noted() -> Callable[[], Move]:
        thought.append(len(table.moves))
        return thinking()

    monkeypatch.setattr(table, "thinking", noted)
    on_table(table, lambda app, pilot: pilot.pause())
    assert table.moves[number] == PASS
    assert number not in thought


def test_people_have_names_everywhere_and_in_saved_games() -> None:
    table = session("hearts")
    game = table.game.with_people(["", "Ada", "Ben", "Cleo"])
    named = Session(game, table.seats, "1")
    keep(named)
    play_on(named, 22)
    play_to_your_turn(named)
    lines = "\n".join(with_app(TableApp(named, pace=0), size=LARGE))
    assert "Ben takes the trick" in lines
    assert "player 2" not in lines
    (kept,) = kept_games()
    assert kept.head.people == ("", "Ada", "Ben", "Cleo")
    assert read_journal(kept.path, game.flowchart).game.person(3) == "Cleo"


@pytest.mark.parametrize("names", [["Ann"], ["Ann", "Ann"], ["you", ""], ["x" * 17, ""], ["a\x1b", ""]])
def test_names_that_would_confuse_are_refused(names: list[str]) -> None:
    with pytest.raises(GameError, match=r"names|cannot be a player's name"):
        session("trumps").game.with_people(names)


def test_names_on_the_command_line_and_the_start_screen() -> None:
    result = CliRunner().invoke(
        main, ["play", "trumps", "--names", "/Ben", "--seats", "human/random", "--seed", "5", "--plain"], input="q\n"
    )
    assert "Ben" in result.output
    setup = Offer("hearts", None).setup()
    setup.names.value = PEOPLE
    assert setup.game().people == ("", "Ada", "Ben", "Cleo")


# --- the mouse


def test_games_and_saved_games_are_chosen_with_the_mouse(tmp_path_factory: pytest.TempPathFactory) -> None:
    from fcdl.ui.start import StartApp

    app = StartApp(tmp_path_factory.mktemp("empty"))

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.click("#games", offset=(4, 3))
            await pilot.pause()
            assert app.query_one("#setup").has_focus or app.query_one("#games").has_focus
            assert app._chosen() is not None

    import asyncio

    asyncio.run(run())


def test_a_click_on_an_illegal_card_says_why() -> None:
    table = after("hearts", 22)

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        place = next(number for number, item in enumerate(app.menu.hand) if not item.legal)
        await pilot.click("#hand", offset=(1 + 5 * place + 2, 2))
        await pilot.pause()
        assert app.message
        assert isinstance(app.menu.items[place].move, Move)

    on_table(table, play, size=(100, 24))
