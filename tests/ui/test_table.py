"""The full-screen table, driven without a screen."""

import asyncio
import random
import re
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from textual.pilot import Pilot

from fcdl.model import Move, Observation
from fcdl.ui.panels import Leave, Page
from fcdl.ui.picture import Faces
from fcdl.ui.session import Session
from fcdl.ui.store import new_file
from fcdl.ui.table import TableApp
from tests.ui.driving import LARGE, SMALL, on_table, press, screen_lines, settle, shown
from tests.ui.tables import SHORT, crowded, everything, play_on, session


def test_every_kind_of_decision_is_made_with_keys() -> None:
    table = everything()

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        assert "Bid: 0 to 12?" in shown(app, "#prompt")
        await press(app, pilot, "1", "1", "enter")
        assert table.moves[-1] == Move("choose", "11")
        assert "hearts ♥" in shown(app, "#options")
        await press(app, pilot, "right", "enter")
        assert table.moves[-1].kind == "choose"
        await press(app, pilot, "r", "enter")
        assert table.moves[-1] == Move("choose", "right")
        await press(app, pilot, "1", "enter")
        assert table.moves[-1] == Move("choose", "1")
        await press(app, pilot, "enter")
        assert table.moves[-1] == Move("choose", "yes")
        assert "Pick 2 cards for the parcel (1 of 2)" in shown(app, "#prompt")
        await press(app, pilot, "right", "enter", "enter")
        assert [move.kind for move in table.moves[-2:]] == ["pick", "pick"]
        assert len(table.view().piles["parcel", 0].known) == 2
        await press(app, pilot, "enter")  # a card of the shop, which is no card of the hand
        assert len(table.view().piles["shop", None].cards) == 2
        assert "[pass]" in shown(app, "#options")
        await press(app, pilot, "p", "enter")
        assert table.moves[-1] == Move("pass")
        card = table.view().hand[-1]
        await press(app, pilot, *card.lower())
        assert table.moves[-2] == Move("play", card)
        assert "You win!" in shown(app, "#prompt")

    on_table(table, play)
    assert table.outcome is not None


def test_an_enter_after_a_typed_card_does_not_play_another() -> None:
    table = session("hearts")

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        first, second, *_ = table.view().hand
        await press(app, pilot, *first.lower(), "enter")
        assert table.moves == [Move("pick", first)]
        await press(app, pilot, *second.lower(), "right", "enter")
        assert len(table.moves) > 2

    on_table(table, play)


def test_an_enter_some_time_after_a_typed_card_picks_what_it_stands_on(monkeypatch: pytest.MonkeyPatch) -> None:
    table = everything()  # Skat's declarer types the cards for the skat, then chooses the contract with enter
    monkeypatch.setattr("fcdl.ui.table.TYPED_ENTER", 0.0)

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "enter", "enter", "enter", "enter", "enter", *table.view().hand[0].lower())
        assert table.moves[-1].kind == "pick"
        await press(app, pilot, "enter")
        assert [move.kind for move in table.moves[-2:]] == ["pick", "pick"]

    on_table(table, play)


def test_leaving_asks_in_a_frame_of_its_own() -> None:
    table = session("trumps", "5")

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "enter", "q")
        question = app.screen.query_one(".page")
        assert question.styles.border_top[0] == "round"
        assert question.region.x > 0 < question.region.y

    on_table(table, play, size=(100, 30))


def test_ctrl_c_leaves() -> None:
    table = session("trumps", "5")

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "ctrl+c")
        assert not app.is_running

    on_table(table, play)


def test_file_names_and_code_have_no_suit_symbols(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = session("hearts")
    faces = Faces(table.game)
    said = "you may not play QS: playerHas(turn, card(any, clubs)), so follow clubs"
    assert faces.sentence(said).plain == "you may not play Q♠: playerHas(turn, card(any, clubs)), so follow clubs ♣"
    monkeypatch.chdir(tmp_path)

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "ctrl+s")
        assert "Saved to hearts-1.journal" in shown(app, "#prompt")

    on_table(table, play)


def test_the_newest_event_stays_in_sight_when_a_message_takes_room() -> None:
    table = session("hearts")

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "enter", "enter", "enter", "enter")
        cannot = next(number for number, item in enumerate(app.menu.items) if not item.legal)
        app.menu.cursor = cannot
        await press(app, pilot, "enter")
        await settle(app, pilot)
        lines = screen_lines(app)
        assert any("You may not play" in line or "You must" in line for line in lines)
        newest = app._faces.sentence(table.view().log[-1]).plain
        assert any(line.rstrip().endswith(newest) for line in lines)

    on_table(table, play)


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_every_game_fits_the_screen(name: str, size: tuple[int, int]) -> None:
    table = session(name)

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "enter", "enter")
        lines = screen_lines(app)
        assert len(lines) == size[1]
        assert lines[0].startswith(f" {table.game.flowchart.title}: ")
        text = "\n".join(lines)
        assert all(name in text for name in table.view().names)
        assert "q quit" in lines[-1] or "q leave" in lines[-1]

    on_table(table, play, size)


@pytest.mark.parametrize("name", ["trumps", "hearts", "oh_hell", "skat"])
def test_game_is_played_to_its_end_with_enter(name: str) -> None:
    table = session(name)

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        for _ in range(200):
            if table.outcome is not None:
                break
            await press(app, pilot, "enter")
        assert table.results()[-1] in shown(app, "#prompt")

    on_table(table, play)
    assert table.outcome is not None


def test_seven_players_with_thirteen_cards_fit_a_small_screen() -> None:
    table = crowded()

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        lines = screen_lines(app)
        text = "\n".join(lines)
        assert all(f"player {seat}" in text for seat in range(1, 7))
        assert "▶ you" in text or " you " in text
        assert all(f"p{seat}" in text for seat in range(1, 7))
        assert "trump suit: hearts" in text
        assert "Play a card" in text
        assert len(app.menu.hand) == 13
        for card in table.view().hand:
            assert any(app._faces.label(card) in line for line in lines[-6:])

    on_table(table, play)


@pytest.mark.parametrize("size", [(40, 16), (30, 10), (20, 8)])
def test_narrow_screens_still_show_the_hand(size: tuple[int, int]) -> None:
    table = session("hearts")

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        assert not app.query_one("#log").display
        assert all(app._faces.label(card)[-1] in shown(app, "#hand") for card in table.view().hand)
        assert not [line for line in screen_lines(app) if len(line) > size[0]]

    on_table(table, play, size)


def test_screen_may_change_its_size() -> None:
    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        for width, height in (LARGE, (50, 15), SMALL):
            await pilot.resize_terminal(width, height)
            await settle(app, pilot)
            assert len(screen_lines(app)) == height

    on_table(session("skat"), play)


def test_legal_cards_stand_higher() -> None:
    table = session("trumps", "5")

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        second = shown(app, "#hand").splitlines()[1]
        assert "2♦" in second
        assert "K♠" not in second

    on_table(table, play)


def test_illegal_card_is_explained_and_not_played() -> None:
    table = session("trumps", "5")

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        number = len(table.moves)
        await press(app, pilot, "k", "s")
        assert "must follow diamonds ♦" in shown(app, "#prompt")
        assert len(table.moves) == number
        await press(app, pilot, "tab", "enter")
        assert len(table.moves) > number
        assert "must play" not in shown(app, "#prompt")

    on_table(table, play)


def test_card_is_played_with_the_mouse() -> None:
    table = session("trumps", "1")

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await pilot.click("#hand", offset=(1 + 5 * 2 + 2, 1))
        await settle(app, pilot)
        assert table.moves[0] == Move("play", "8C")

    on_table(table, play)


def test_option_is_chosen_with_the_mouse() -> None:
    table = everything()

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await pilot.click("#options", offset=(1 + 5 + 2, 0))
        await settle(app, pilot)
        assert table.moves == [Move("choose", "1")]

    on_table(table, play)


def test_undo_and_nothing_to_undo() -> None:
    table = session("trumps", "5")

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        before = app.view
        await press(app, pilot, "u")
        assert "nothing to undo" in shown(app, "#prompt")
        await press(app, pilot, "enter")
        assert app.view != before
        await press(app, pilot, "u")
        assert app.view == before

    on_table(table, play)


def test_save_key_keeps_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table = session("trumps")

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "s")
        assert "trumps-1.journal" in shown(app, "#prompt")
        await press(app, pilot, "enter")

    on_table(table, play)
    assert len((tmp_path / "trumps-1.journal").read_text().splitlines()) == 2 + len(table.moves)
    assert new_file(tmp_path, "trumps").name == "trumps-2.journal"


def test_rules_are_shown_and_closed_again() -> None:
    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "r")
        assert isinstance(app.screen, Page)
        assert any("Every heart taken costs 1 point" in line for line in screen_lines(app))
        await press(app, pilot, "escape")
        assert not isinstance(app.screen, Page)

    on_table(session("hearts"), play)


def test_quit_asks_when_something_would_be_lost() -> None:
    table = session("trumps", "5")

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "enter", "q")
        assert isinstance(app.screen, Leave)
        await press(app, pilot, "n")
        assert not isinstance(app.screen, Leave)
        await press(app, pilot, "q", "y")
        assert app._exit

    on_table(table, play)


def test_letter_of_a_card_in_hand_is_typed_before_it_is_a_command() -> None:
    table = session("oh_hell")

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        while table.kind != "play":
            await press(app, pilot, "enter")
        assert any(card.startswith("Q") for card in table.view().hand)
        await press(app, pilot, "q")
        assert "typed: Q" in shown(app, "#prompt")
        await press(app, pilot, "q")
        assert isinstance(app.screen, Leave)

    on_table(table, play)


def test_hidden_cards_are_not_on_the_screen() -> None:
    table = session("trumps", "5")

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        seen = {app._faces.label(card) for event in table.observation.events for card in event.cards or ()}
        assert set(re.findall("(?:10|[2-9JQKA])[♣♦♥♠]", "\n".join(screen_lines(app)))) == seen

    on_table(table, play)


async def no_keys(app: TableApp, pilot: Pilot[None]) -> None:
    """Only looks."""


class Patient:
    """An agent that waits until it is let go: in the table's own thread that would be for ever."""

    def __init__(self, table: Session) -> None:
        self.agent = table._agents[1]
        self.may_go = threading.Event()
        self.waited: list[bool] = []
        table._agents[1] = self

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        self.waited.append(self.may_go.wait(30))
        return self.agent.choose(observation, legal, rng)


def test_table_stays_alive_while_a_computer_thinks() -> None:
    table = session("trumps", "5")
    patient = Patient(table)
    app = TableApp(table, pace=0)

    async def run() -> None:
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            assert "is thinking" in screen_lines(app)[0]
            await pilot.press("r")
            assert isinstance(app.screen, Page)
            patient.may_go.set()
            await settle(app, pilot)

    asyncio.run(run())
    assert patient.waited == [True]
    assert table.your_turn


def test_undo_while_a_computer_thinks_forgets_its_thoughts() -> None:
    table = session("trumps", "1")
    patient = Patient(table)
    app = TableApp(table, pace=0)

    async def run() -> None:
        async with app.run_test(size=SMALL) as pilot:
            await settle(app, pilot)
            await pilot.press("enter")
            await pilot.pause()
            assert len(table.moves) == 1
            await pilot.press("u")
            await pilot.pause()
            patient.may_go.set()
            await pilot.pause()
            assert "Undone." in shown(app, "#prompt")

    asyncio.run(run())
    assert table.moves == []
    assert table.your_turn


def test_who_leaves_does_not_wait_for_a_computer() -> None:
    table = session("trumps", "5")
    patient = Patient(table)
    app = TableApp(table, pace=0)

    async def run() -> None:
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            await pilot.press("ctrl+q")

    started = time.monotonic()
    asyncio.run(run())
    assert time.monotonic() - started < 20
    assert patient.waited == []
    patient.may_go.set()


def test_computer_thinks_while_the_screen_is_made() -> None:
    table = session("trumps", "5")
    patient = Patient(table)
    table.think_ahead()
    assert patient.waited == []
    patient.may_go.set()
    on_table(table, no_keys)
    assert patient.waited == [True]
    assert table.your_turn


@pytest.mark.parametrize(("seed", "keys", "longest"), [("1", ["enter"], 9.8), ("5", [], 0.0)])
def test_only_what_a_computer_does_not_think_is_waited_and_not_before_the_first_move(
    seed: str, keys: list[str], longest: float
) -> None:
    table = session("trumps", seed)
    patient = Patient(table)
    app = TableApp(table, pace=10)
    waited: list[float] = []

    async def wait(seconds: float) -> None:
        waited.append(seconds)

    app._wait = wait  # type: ignore[method-assign]

    async def run() -> None:
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            await pilot.press(*keys)
            await asyncio.sleep(0.2)
            patient.may_go.set()
            await settle(app, pilot)

    asyncio.run(run())
    assert waited
    assert waited[0] <= longest


def test_letter_of_a_command_that_begins_an_option_says_what_comes_next() -> None:
    table = session("skat")
    while not table.your_turn or Move("choose", "hold") not in table.legal:
        play_on(table, 1)

    async def play(app: TableApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "h")
        assert "typed: H   enter: hold 18   h again: hint   esc: cancel" in shown(app, "#prompt")

    on_table(table, play)
