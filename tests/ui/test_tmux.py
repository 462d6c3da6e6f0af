"""Real sessions in a terminal, driven with keys."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from fcdl.ui.store import kept_games, records_file

ROOT = Path(__file__).parents[2]
PATIENCE = 60
"""Seconds after which a screen that does not come is a failure."""

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux")


class Terminal:
    """A terminal of 80×24 with a program in it."""

    def __init__(self, folder: Path) -> None:
        self.socket = folder / "tmux"
        self.folder = folder

    def tmux(self, *arguments: str) -> str:
        command = ["tmux", "-S", str(self.socket), "-f", os.devnull, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE).stdout

    def start(self, *arguments: str) -> None:
        environment = {"PYTHONPATH": str(ROOT), "FCDL_DATA": os.environ["FCDL_DATA"], "TERM": "xterm-256color"}
        settings = [part for name, value in environment.items() for part in ("-e", f"{name}={value}")]
        # The shell stays, so that what is printed after the game can be read.
        program = f"{sys.executable} -m fcdl {' '.join(arguments)}; echo ended with $?; cat"
        self.tmux("new-session", "-d", "-x", "80", "-y", "24", "-c", str(self.folder), *settings, program)

    def press(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def click(self, x: int, y: int) -> None:
        """Presses the left button of the mouse at a column and a line, both from 0, and lets it go."""
        self.tmux("send-keys", "-l", f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")

    def screen(self) -> str:
        return self.tmux("capture-pane", "-p")

    def until(self, *texts: str) -> str:
        """Waits for a screen with all these texts."""
        return self.wait(lambda screen: all(text in screen for text in texts), f"{texts}")

    def wait(self, wanted: Callable[[str], bool], what: str) -> str:
        end = time.monotonic() + PATIENCE
        before, screen = "", self.screen()
        while screen != before or not wanted(screen):  # the same twice: it has been drawn wholly
            assert time.monotonic() < end, f"{what} did not come:\n{screen}"
            time.sleep(0.1)
            before, screen = screen, self.screen()
        return screen

    def end(self) -> None:
        self.tmux("kill-server")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    terminal = Terminal(tmp_path)
    yield terminal
    terminal.end()


def is_turn_with(cards: int, screen: str) -> bool:
    """Whether the person is to play and has so many cards."""
    return bool(re.search(rf"you +▮+ ?{cards} ", screen)) and "your turn" in screen


def test_trumps_is_played_to_its_end(terminal: Terminal) -> None:
    terminal.start("play", "trumps", "--seed", "5", "--seats", "human/random", "--pace", "0")
    screen = terminal.until("Follow diamonds ♦", "hearts ♥")
    assert "▮▮▮▮▮▮ 6" in screen
    terminal.press("K", "S")
    terminal.until("must follow diamonds ♦")
    for left in range(6, -1, -1):
        if left == 5:  # with the mouse: the card above the cursor's arrow
            lines = terminal.screen().split("\n")
            row = next(number for number, line in enumerate(lines) if "▲" in line)
            terminal.click(lines[row].index("▲"), row - 2)
        else:
            terminal.press("Tab", "Enter")
        if left:
            terminal.wait(partial(is_turn_with, left), f"{left} cards")
    terminal.until("n new game, same seats")
    terminal.press("q")
    terminal.until("ended with 0")
    assert len(records_file().read_text().splitlines()) == 1
    assert kept_games() == []


def test_hearts_is_left_and_gone_on_with(terminal: Terminal) -> None:
    terminal.start("play", "hearts", "--seed", "1", "--seats", "human/random/random/random", "--pace", "0")
    terminal.until("Pass 3 cards to player 1, on your left (1 of 3)")
    terminal.press("Enter")
    terminal.until("(2 of 3)")
    terminal.press("Enter")
    terminal.until("(3 of 3)")
    terminal.press("Enter")
    terminal.until("your turn", "▶ you")
    terminal.press("r")
    terminal.until("Every heart taken costs 1 point")
    terminal.press("Escape")
    terminal.wait(lambda screen: "Every heart" not in screen, "the table")
    terminal.press("Enter")
    terminal.wait(partial(is_turn_with, 12), "the next turn")
    terminal.press("u")
    terminal.until("Undone.")
    terminal.press("C-q")
    terminal.until("to continue: fcdl play --resume", "ended with 0")
    terminal.end()
    terminal.socket = terminal.socket.with_name("second")  # the first server may still be about to end
    terminal.start("play", "--pace", "0")
    terminal.until("saved games", "Hearts, not over yet")
    terminal.press("Enter")
    terminal.until("your turn", "▶ you")
    terminal.press("C-q")
    terminal.until("fcdl: choose a game")
    terminal.press("q")
    terminal.until("ended with 0")


def test_a_chart_is_debugged_while_its_file_changes(terminal: Terminal) -> None:
    chart = terminal.folder / "mine.fcdl"
    source = (ROOT / "games" / "trumps.fcdl").read_text()
    chart.write_text(source)
    terminal.start("play", "mine.fcdl", "--debug", "--seed", "1")
    terminal.until("▶ 0 ○ start", "q quit")
    terminal.press("c")
    terminal.until("▶ 7 □ playCard", "player 0 (random) decides", "▸[8♣]")
    terminal.press("Right", "Enter")
    terminal.until("▶ 8 □ trickWinner", "middle(0) *10♦")
    chart.write_text(source.replace("    i = 1\n", "    i = = 1\n"))
    terminal.until("not reloaded: 1 error", "mine.fcdl:22:9: error[syntax]", "▶ 8 □ trickWinner")
    chart.write_text(source.replace("    i = 1\n", "    i = 2 - 1\n"))
    terminal.until("reloaded; the game is at the same node as before", "10 □ i = 2 - 1", "▶ 8 □ trickWinner", "10♦")
    terminal.press("g")
    terminal.until("the game is over", "scores: ")
    terminal.press("q")
    terminal.until("ended with 0")
