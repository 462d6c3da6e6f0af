"""A played game on the screen, forwards and backwards, as one seat saw it or face up."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from fcdl.language.diagnostics import printable
from fcdl.ui.app import ThemedApp
from fcdl.ui.board import Board
from fcdl.ui.items import ItemsView
from fcdl.ui.keys import KeyLine
from fcdl.ui.menu import Item
from fcdl.ui.picture import Faces
from fcdl.ui.replay import Replay

FOOTER = (
    "←→ move  page up/down ten  home/end  12 enter: jump  v view  q back",
    "←→ move  home/end  12 enter: jump  v view  q back",
    "←→ move  v view  q back",
)


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
        seen = "face up" if self.seat is None else f"as player {self.seat} saw it"
        title = f"{printable(replay.game.flowchart.title)}: {self.number} of {len(replay.moves)} moves, {seen}"
        made = f" ({replay.made(self.number)})" if self.number else ""
        self.query_one("#title", Static).update(Text(title + made))
        self.query_one(Board).show(view, replay.mover(self.number))
        cards = [Item(card, None, False, True) for card in view.hand]
        self.query_one("#hand", ItemsView).set_items(cards, None)
        number_of_note, note = self.note
        self.query_one("#note", Static).update(note if note is not None and number_of_note == self.number else "")
        keys = (f"go to move {self.typed}: press enter",) if self.typed else FOOTER
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
        event.stop()
        event.prevent_default()
        self.show(number)


class ReplayApp(ThemedApp[None]):
    """A replay on its own."""

    def __init__(self, replay: Replay, seat: int | None = None, theme: str = "dark") -> None:
        super().__init__(theme)
        self.replay = replay
        self.seat = seat

    def on_mount(self) -> None:
        """Shows the game; leaving it leaves."""
        self.push_screen(ReplayScreen(self.replay, seat=self.seat), lambda _: self.exit())
