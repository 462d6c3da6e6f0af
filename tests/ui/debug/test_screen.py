"""The debugger's screen, driven without one."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from textual.events import MouseScrollDown
from textual.pilot import Pilot
from textual.widgets import Input

from fcdl.model import Move, Observation
from fcdl.ui.debug.chart_view import ChartView
from fcdl.ui.debug.debugger import Debugger
from fcdl.ui.debug.screen import DebugApp
from fcdl.ui.items import ItemsView
from fcdl.ui.panels import Page
from tests.games.some import some_games
from tests.ui.debug.charts import ENDLESS, FAULTY, TRICKS, debug, write

SMALL, LARGE = (80, 24), (120, 40)
SCREENS = Path(__file__).parent / "screens"
Play = Callable[[DebugApp, Pilot[None]], Awaitable[None]]


def on_screen(debugger: Debugger, play: Play, size: tuple[int, int] = LARGE) -> DebugApp:
    """Shows a debugger and runs the test's part."""
    app = DebugApp(debugger)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await play(app, pilot)

    asyncio.run(run())
    return app


async def settle(app: DebugApp, pilot: Pilot[None]) -> None:
    """Until all commands are done and all is drawn."""
    await pilot.pause()
    await app._queue.join()
    await pilot.pause()
    await pilot.pause()


async def press(app: DebugApp, pilot: Pilot[None], *keys: str) -> None:
    """Presses keys, each when the screen has settled."""
    for key in keys:
        await pilot.press(key)
        await settle(app, pilot)


async def command(app: DebugApp, pilot: Pilot[None], line: str) -> None:
    """Types a command after a colon."""
    await press(app, pilot, ":")
    app.query_one(Input).value = line
    await press(app, pilot, "enter")


def lines_of(app: DebugApp) -> list[str]:
    """What stands on the screen, line by line."""
    return [strip.text.rstrip() for strip in app.screen._compositor.render_strips()]


def text_of(app: DebugApp) -> str:
    return "\n".join(lines_of(app))


@pytest.fixture
def tricks(tmp_path: Path) -> Debugger:
    return debug(write(tmp_path))


def test_keys_go_through_the_chart_and_back(tricks: Debugger) -> None:
    async def play(app: DebugApp, pilot: Pilot[None]) -> None:
        nodes = []
        for key in ["s", "s", "s", "s", "n", "s", "s", "s", "o", "c", "b", "backspace", "p", "g", "p", "r"]:
            await press(app, pilot, key)
            nodes.append(tricks.node.number)
        assert nodes == [1, 2, 3, 4, 5, 4, 8, 9, 5, 9, 8, 4, 10, 7, 10, 0]

    on_screen(tricks, play)


def test_the_current_node_is_lit_and_its_values_are_shown(tricks: Debugger) -> None:
    async def play(app: DebugApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "c", "c", "s")
        text = text_of(app)
        assert "▶11 ◇ rankValue" in text
        assert "node 11, line 22: rankValue(middle(leader)) >=" in text
        assert "middle(leader)  8♣" in text or "middle(leader)  6♥" in text or "middle(leader)  A♠" in text
        assert "answer  yes, on to node 13" in text or "answer  no, on to node 12" in text
        await press(app, pilot, "s", "s")
        assert "*" in next(line for line in lines_of(app) if "tricks" in line and "│ tricks" in line)

    on_screen(tricks, play)


def test_moves_are_made_by_keys_and_by_mouse_for_any_seat(tricks: Debugger) -> None:
    async def play(app: DebugApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "c")
        assert "▸[8♣]  [6♥]  [A♠]" in text_of(app)
        await press(app, pilot, "right", "right", "left", "enter")
        assert tricks.moves[-1].move == Move("play", "6H")
        assert tricks.mover == 1
        await pilot.click(ItemsView, offset=(8, 0))
        await settle(app, pilot)
        assert tricks.moves[-1].move == Move("play", "4S")
        await press(app, pilot, "enter")  # nobody decides
        assert len(tricks.moves) == 2
        await press(app, pilot, "p")
        assert "last time: play 4S" in text_of(app)
        assert "▸[4♠]" in text_of(app)

    on_screen(tricks, play, SMALL)


def test_the_next_decision_begins_at_its_first_move() -> None:
    debugger = debug("skat")

    async def play(app: DebugApp, pilot: Pilot[None]) -> None:
        await command(app, pilot, "break 32")  # bid or pass
        await press(app, pilot, "g", "right")
        assert "▸[pass]" in text_of(app)
        await press(app, pilot, "g")
        assert debugger.node.number == 32
        assert "▸[bid]" in text_of(app)

    on_screen(debugger, play, SMALL)


def test_breakpoints_are_set_under_the_cursor_and_by_mouse(tricks: Debugger) -> None:
    async def play(app: DebugApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "down", "down", "down", "up", "x")
        assert list(tricks.breakpoints) == [2]
        assert "●  2 □ Deal(3)" in text_of(app)
        await press(app, pilot, "g")
        assert tricks.node.number == 2
        assert "breakpoint at node 2" in text_of(app)
        await press(app, pilot, "x")
        assert not tricks.breakpoints
        row = app._listing.row_of[6]
        await pilot.click(ChartView, offset=(2, row))
        await settle(app, pilot)
        assert list(tricks.breakpoints) == [6]
        await pilot.click(ChartView, offset=(20, app._listing.row_of[7]))
        await settle(app, pilot)
        assert app.cursor == 7
        assert list(tricks.breakpoints) == [6]
        await press(app, pilot, "escape")
        assert app.cursor == 2

    on_screen(tricks, play)


def test_commands_are_typed_after_a_colon(tricks: Debugger) -> None:
    async def play(app: DebugApp, pilot: Pilot[None]) -> None:
        await command(app, pilot, "break 5 if cardsRemaining(leader) == 1")
        assert "◆  5 ◇" in text_of(app)
        await press(app, pilot, "g")
        assert tricks.value("cardsRemaining(leader)") == "1"
        await command(app, pilot, "print cardsRemaining(leader) * 21")
        assert "\n 21" in text_of(app)
        await command(app, pilot, "watch cardsRemaining(leader)")
        assert "cardsRemaining(leader) *1" in text_of(app)
        await command(app, pilot, "print nonsense")
        assert "unknown name 'nonsense'" in text_of(app)
        await press(app, pilot, ":", "s", "escape")
        assert app.query_one(Input).value == ""
        assert tricks.node.number == 5
        await command(app, pilot, "quit")

    on_screen(tricks, play)


def test_each_seats_view_hides_what_it_has_not_seen(tricks: Debugger) -> None:
    async def play(app: DebugApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "c")
        assert "hand(1) *(3) K♥ 4♠ 5♠" in text_of(app)
        await press(app, pilot, "v")
        text = text_of(app)
        assert "table, as player 0 sees it" in text
        assert "K♥" not in text
        assert "[8♣]" in text
        await press(app, pilot, "v")
        text = text_of(app)
        assert "8♣" not in text
        assert "K♥ 4♠ 5♠" in text
        await press(app, pilot, "v")
        assert "table, all face up" in text_of(app)

    on_screen(tricks, play)


def test_a_small_screen_shows_one_panel_after_the_other(tricks: Debugger) -> None:
    async def play(app: DebugApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "c")
        for panel, others in [("table,", "values,"), ("values,", "events"), ("events", "table,"), ("table,", "events")]:
            text = text_of(app)
            assert panel in text
            assert others not in text
            await press(app, pilot, "tab")

    on_screen(tricks, play, SMALL)


def test_the_chart_is_scrolled_by_keys_and_wheel() -> None:
    debugger = debug("skat")

    async def play(app: DebugApp, pilot: Pilot[None]) -> None:
        chart = app.query_one(ChartView)
        first = lines_of(app)[1]
        await press(app, pilot, "pagedown")
        assert lines_of(app)[1] != first
        await press(app, pilot, "pageup")
        assert lines_of(app)[1] == first
        await pilot._post_mouse_events([MouseScrollDown], chart)
        await settle(app, pilot)
        assert lines_of(app)[1] != first
        await press(app, pilot, "s")
        assert "▶  1 □" in text_of(app)

    on_screen(debugger, play, SMALL)


def test_help_shows_keys_and_commands(tricks: Debugger) -> None:
    async def play(app: DebugApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "question_mark")
        assert isinstance(app.screen, Page)
        assert "step [N]" in text_of(app)
        await press(app, pilot, "s")
        assert not isinstance(app.screen, Page)
        assert tricks.node.number == 0
        await command(app, pilot, "help")
        assert isinstance(app.screen, Page)
        await press(app, pilot, "escape")
        assert not isinstance(app.screen, Page)
        await press(app, pilot, "q")

    assert on_screen(tricks, play).return_code == 0


def test_a_fault_is_shown_at_its_node(tmp_path: Path) -> None:
    debugger = debug(write(tmp_path, FAULTY))

    async def play(app: DebugApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "g")
        text = text_of(app)
        assert "the game is over: fault at node 2" in text
        assert "▶2 □ score(nobody) = 1" in text
        assert "nobody  none" in text
        assert "scores: 0 0" in text
        assert app._marks().fault

    on_screen(debugger, play, SMALL)


def test_an_endless_loop_does_not_hang_the_screen(tmp_path: Path) -> None:
    debugger = debug(write(tmp_path, ENDLESS))

    async def play(app: DebugApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "g")
        assert "step limit" in text_of(app)

    on_screen(debugger, play, SMALL)


def test_escape_stops_what_runs(tricks: Debugger) -> None:
    thinking, decided = threading.Event(), threading.Event()

    class Slow:
        def choose(self, observation: Observation, legal: Sequence[Move], rng: object) -> Move:
            thinking.set()
            assert decided.wait(10)
            return legal[0]

    tricks._agents = {0: Slow(), 1: Slow()}

    async def play(app: DebugApp, pilot: Pilot[None]) -> None:
        await pilot.press("g", "s", "s")
        assert await asyncio.to_thread(thinking.wait, 10)
        app._look_at_file()
        await pilot.pause()
        assert "go ... (esc stops)" in lines_of(app)[0]
        await pilot.press("escape")
        while app._doing:
            await pilot.pause()
        await settle(app, pilot)
        assert "interrupted" in text_of(app)
        assert len(tricks.moves) == 0
        decided.set()
        await press(app, pilot, "c")
        assert len(tricks.moves) == 1

    on_screen(tricks, play, SMALL)


def test_who_leaves_does_not_wait_for_a_slow_agent(tricks: Debugger) -> None:
    thinking, decided = threading.Event(), threading.Event()

    class Slow:
        def choose(self, observation: Observation, legal: Sequence[Move], rng: object) -> Move:
            thinking.set()
            decided.wait(30)
            return legal[0]

    tricks._agents = {0: Slow(), 1: Slow()}

    async def play(app: DebugApp, pilot: Pilot[None]) -> None:
        await pilot.press("g")
        assert await asyncio.to_thread(thinking.wait, 10)
        await pilot.press("q")

    started = time.monotonic()
    on_screen(tricks, play, SMALL)
    assert time.monotonic() - started < 20
    assert not decided.is_set()
    decided.set()


def test_a_changed_file_is_loaded_and_one_with_errors_is_told(tmp_path: Path) -> None:
    path = write(tmp_path)
    debugger = debug(path)

    async def play(app: DebugApp, pilot: Pilot[None]) -> None:
        async def change(text: str) -> None:
            path.write_text(text)
            app._look_at_file()
            await settle(app, pilot)

        await press(app, pilot, "c", "c")
        await change(TRICKS.replace("do scoring", "do scorign"))
        text = text_of(app)
        assert "not reloaded: 1 error; still using the old chart" in text
        assert "error[unknown-chart]: there is no chart 'scorign'" in text.replace("\n ", " ")
        assert "the file has errors" in text
        await press(app, pilot, "s")
        assert "the file has errors" in text_of(app)
        await press(app, pilot, "b")
        await change(TRICKS.replace("    Deal(3)", '    publish("Hello")\n    Deal(3)'))
        text = text_of(app)
        assert "reloaded; the game is at the same node as before" in text
        assert 'publish("Hello")' in text
        assert "▶11 □ playCard(next(leader), cards)" in text
        path.unlink()
        app._look_at_file()
        await settle(app, pilot)
        assert "there is no game or file" in text_of(app).replace("\n ", " ")
        await press(app, pilot, "g")
        assert debugger.outcome is not None

    on_screen(debugger, play)


@pytest.mark.parametrize("name", some_games())
def test_every_game_fits_the_screen(name: str) -> None:
    debugger = debug(name)

    async def play(app: DebugApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, *"ccss")
        for size in (LARGE, SMALL):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            lines = lines_of(app)
            assert len(lines) == size[1]
            assert lines[0].startswith(f" {debugger.game.flowchart.title}: main")
            assert "quit" in lines[-1]
            assert any(f"▶{debugger.node.number:>{app._listing._digits}} " in line for line in lines)
            assert f"node {debugger.node.number}, line" in "\n".join(lines)

    on_screen(debugger, play)


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_screen_looks_as_it_did(size: tuple[int, int]) -> None:
    """Compared with the files in `screens`; with FCDL_NEW_SCREENS set they are written anew."""
    path = SCREENS / f"trumps_{size[0]}x{size[1]}.txt"
    debugger = debug("trumps")

    async def play(app: DebugApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, *"cccsx")
        shown = text_of(app) + "\n"
        if os.environ.get("FCDL_NEW_SCREENS"):
            path.write_text(shown)
        assert shown == path.read_text()

    on_screen(debugger, play, size)
