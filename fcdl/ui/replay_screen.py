"""A played game on the screen, forwards and backwards, as one seat saw it or face up."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from fcdl.language.diagnostics import printable
from fcdl.ui.app import ThemedApp
from fcdl.ui.board import Board
from fcdl.ui.items import ItemsView
from fcdl.ui.keys import KeyLine
from fcdl.ui.menu import Item
from fcdl.ui.picture import Faces
from fcdl.ui.preferences import SPEEDS, faster, preferences, remember
from fcdl.ui.replay import Replay

FOOTER = (
    "←→ move  a play by itself  page up/down ten  home/end  12 enter: jump  v view  q back",
    "←→ move  a autoplay  home/end  12 enter: jump  v view  q back",
    "←→ move  a autoplay  v view  q back",
)
PLAYING = ("a stop  + faster  - slower  v view  q back", "a stop  +- speed  q back")
LONGER = 1.5
"""Nobody thinks in a replay, so a move is shown so many times as long as at the table, and at least a moment."""
MOMENT = 0.1


class ReplayScreen(Screen[None]):
    """Shows one position of a game at a time."""

    DEFAULT_CSS = """
    ReplayScreen #title { height: 1; background: $primary-darken-2; color: $text; text-style: bold; padding: 0 1; }
    ReplayScreen #note { height: auto; padding: 0 1; text-style: bold; }
    ReplayScreen #hand { height: auto; max-height: 8; padding: 0 1; }
    """

    def __init__(self, replay: Replay, *, seat: int | None = None, number: int = 0, note: Text | None = None) -> None:
        """`note` is about the first position that is shown."""
        super().__init__()
        self.note = (number, note)
        self.replay = replay
        self.seat = seat
        self.number = number
        self.typed = ""
        self.speed = preferences().speed
        self.clock: Timer | None = None
        """Goes on by itself."""

    def compose(self) -> ComposeResult:
        """Title, board, the cards of the seat that looks, keys."""
        yield Static(id="title")
        yield Board(self.replay.game, self.replay.names, id="board")
        yield Static(id="note")
        yield ItemsView(Faces(self.replay.game), as_fan=True, id="hand")
        yield KeyLine(*FOOTER, id="footer")

    def on_mount(self) -> None:
        """Shows the first position."""
        self.show(self.number)

    def show(self, number: int) -> None:
        """Shows the position after so many moves, or the nearest there is."""
        replay = self.replay
        self.number = max(0, min(number, len(replay.moves)))
        view = replay.view(self.number, self.seat)
        seen = "face up" if self.seat is None else f"as {replay.players[self.seat]} saw it"
        title = f"{printable(replay.game.flowchart.title)}: {self.number} of {len(replay.moves)} moves, {seen}"
        made = f" ({replay.made(self.number)})" if self.number else ""
        self.query_one("#title", Static).update(Text(title + made))
        self.query_one(Board).show(view, replay.mover(self.number))
        cards = [Item(card, None, False, True) for card in view.hand]
        self.query_one("#hand", ItemsView).set_items(cards, None)
        number_of_note, note = self.note
        self.query_one("#note", Static).update(note if note is not None and number_of_note == self.number else "")
        keys: tuple[str, ...] = PLAYING if self.clock is not None else FOOTER
        keys = (f"go to move {self.typed}: press enter",) if self.typed else keys
        self.query_one("#footer", KeyLine).show(*keys)

    def on_key(self, event: events.Key) -> None:
        """Goes to another position, changes the view, or leaves."""
        step = {"right": 1, "space": 1, "left": -1, "pagedown": 10, "pageup": -10}.get(event.key)
        number = self.number
        if event.character is not None and event.character.isdigit():
            self.typed = (self.typed + event.character)[-6:]
        elif event.key == "enter":
            number, self.typed = int(self.typed) if self.typed else self.number + 1, ""
        elif step is not None:
            number += step
        elif event.key in ("home", "end"):
            number = 0 if event.key == "home" else len(self.replay.moves)
        elif event.key in ("v", "tab"):
            seats = [None, *range(self.replay.game.players)]
            self.seat = seats[(seats.index(self.seat) + 1) % len(seats)]
        elif event.key in ("q", "escape"):
            event.stop()
            self.dismiss(None)
            return
        else:
            return
        if number != self.number or self.typed:
            self.autoplay(on=False)
        event.stop()
        event.prevent_default()
        self.show(number)

    def key_a(self) -> None:
        """Goes on by itself, or stops."""
        self.autoplay(on=self.clock is None)

    def key_plus(self) -> None:
        """Goes on faster."""
        self._change_speed(1)

    def key_minus(self) -> None:
        """Goes on more slowly."""
        self._change_speed(-1)

    def _change_speed(self, by: int) -> None:
        if self.clock is not None:
            self.speed = faster(self.speed, by)
            remember(speed=self.speed)
            self.autoplay(on=True)

    def autoplay(self, *, on: bool) -> None:
        """Goes on by itself, from the beginning if this is the end, or stops."""
        if self.clock is not None:
            self.clock.stop()
            self.clock = None
        if on and self.replay.moves:
            self.number %= len(self.replay.moves)
            self.clock = self.set_interval(max(MOMENT, LONGER * SPEEDS[self.speed]), self._go_on)
        self.show(self.number)

    def _go_on(self) -> None:
        self.show(self.number + 1)
        if self.number == len(self.replay.moves):
            self.autoplay(on=False)


class ReplayApp(ThemedApp[None]):
    """A replay on its own."""

    def __init__(self, replay: Replay, seat: int | None = None, theme: str = "dark") -> None:
        super().__init__(theme)
        self.replay = replay
        self.seat = seat

    def on_mount(self) -> None:
        """Shows the game; leaving it leaves."""
        self.push_screen(ReplayScreen(self.replay, seat=self.seat), lambda _: self.exit())
