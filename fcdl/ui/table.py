"""The full-screen table. It shows a session and sends moves to it; everything about the game is in the session."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.geometry import Size
from textual.message import Message
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import RichLog, Static
from textual.worker import Worker

from fcdl.model.moves import Move
from fcdl.ui import picture
from fcdl.ui.menu import Item, Menu
from fcdl.ui.picture import Faces, Fan
from fcdl.ui.session import Session
from fcdl.ui.view import View, printable
from fcdl.ui.words import rules

KEYS = """←→ choose, enter play; or type the card (QH), or click it
tab: next legal card   ↑↓: between cards and options
u: undo   s: save   q: quit   page up/down: the log
A letter that begins a card or an option means that: press it twice,
or use ctrl+z (undo), ctrl+s (save), ctrl+q (quit)."""
FOOTER = "←→ choose  enter play  tab next legal  u undo  s save  ? rules  q quit"
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧"


def play_on_table(session: Session, pace: float) -> int:
    """Plays until the person leaves; returns an exit code."""
    app = TableApp(session, pace)
    app.run()
    return app.return_code or 0


class Picked(Message):
    """An item was clicked."""

    def __init__(self, item: Item) -> None:
        super().__init__()
        self.item = item


class ItemsView(Widget):
    """Items side by side, as a fan of cards or as buttons."""

    def __init__(self, faces: Faces, *, as_fan: bool, id: str) -> None:
        super().__init__(id=id)
        self.faces = faces
        self.as_fan = as_fan
        self.items: list[Item] = []
        self.cursor: int | None = None

    def set_items(self, items: list[Item], cursor: int | None) -> None:
        """Shows other items, or the cursor elsewhere."""
        self.items, self.cursor = items, cursor
        self.refresh(layout=True)

    def _fan(self, width: int) -> Fan:
        draw = picture.fan if self.as_fan else picture.choices
        return draw(self.faces, self.items, self.cursor, width)

    def render(self) -> Text:
        """The items."""
        return self._fan(self.size.width).text

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the items need."""
        return self._fan(width).text.plain.count("\n") + 1 if self.items else 0

    def on_click(self, event: events.Click) -> None:
        """Picks the item under the mouse."""
        number = self._fan(self.size.width).at(event.x, event.y)
        if number is not None:
            self.post_message(Picked(self.items[number]))


class Page(ModalScreen[None]):
    """A page to read, closed by any key."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def compose(self) -> ComposeResult:
        """The text."""
        with VerticalScroll(id="page"):
            yield Static(Text(self.text))

    def on_key(self, event: events.Key) -> None:
        """Closes the page, unless the key scrolls."""
        if event.key not in ("up", "down", "pageup", "pagedown"):
            event.stop()
            self.dismiss(None)


class Leave(ModalScreen[bool]):
    """Asks whether to leave a game that is not over and not saved."""

    def compose(self) -> ComposeResult:
        """The question."""
        yield Static("Leave the game? It is not saved.\n\ny: leave   s: save and leave   n: play on", id="page")

    def on_key(self, event: events.Key) -> None:
        """The answer."""
        event.stop()
        if event.key in ("y", "n", "escape", "s"):
            if event.key == "s" and isinstance(self.app, TableApp):
                self.app.action_save()
            self.dismiss(event.key in ("y", "s"))


class TableApp(App[None]):
    """The table."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #title { height: 1; background: $primary-darken-2; color: $text; text-style: bold; padding: 0 1; }
    #middle { height: 1fr; }
    #left { width: 1fr; padding: 0 1; overflow-y: auto; }
    #left Static { height: auto; }
    #log { width: 28; border-left: solid $primary; padding: 0 0 0 1; scrollbar-size: 1 1; }
    #prompt { height: auto; max-height: 4; padding: 0 1; }
    #hand { height: auto; max-height: 8; padding: 0 1; }
    #options { height: auto; max-height: 6; padding: 0 1; }
    #footer { height: 1; color: $text-muted; padding: 0 1; }
    .wide #log { width: 40; }
    .narrow #log { display: none; }
    .low #footer { display: none; }
    Page, Leave { align: center middle; }
    #page {
        width: 76; max-width: 95%; height: auto; max-height: 90%;
        border: round $primary; padding: 0 1; background: $surface;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        ("ctrl+z", "undo", "undo"),
        ("ctrl+s", "save", "save"),
        ("ctrl+q", "leave", "quit"),
        ("f1", "rules", "rules"),
    ]
    COMMANDS_BY_KEY: ClassVar[dict[str, str]] = {"u": "undo", "s": "save", "q": "leave", "?": "rules"}

    def __init__(self, session: Session, pace: float = 0.6) -> None:
        super().__init__()
        self.session = session
        self.pace = pace
        self.view = session.view()
        self.menu = Menu.of(session, self.view)
        self.message = ""
        self._faces = Faces(session.game)
        self._worker: Worker[None] | None = None
        self._hurry = asyncio.Event()
        self._told: tuple[str, ...] = ()
        self._spin = 0
        self._laid_out = False

    def compose(self) -> ComposeResult:
        """Title, players and table beside the log, then the person's part."""
        yield Static(id="title")
        with Horizontal(id="middle"):
            with Vertical(id="left"):
                yield Static(id="seats")
                yield Static(id="trick")
                yield Static(id="facts")
            yield RichLog(id="log", wrap=True, min_width=10)
        yield Static(id="prompt")
        yield ItemsView(self._faces, as_fan=False, id="options")
        yield ItemsView(self._faces, as_fan=True, id="hand")
        yield Static(FOOTER, id="footer")

    def on_mount(self) -> None:
        """Shows the first position and lets computers begin."""
        self.title = printable(self.session.game.flowchart.title)
        self.query_one("#log").can_focus = False
        self._laid_out = True
        self.set_interval(0.25, self._turn_spinner)
        self.call_after_refresh(self._go_on)

    def on_resize(self, event: events.Resize) -> None:
        """Lays the table out for the new size."""
        self.screen_stack[0].set_class(event.size.width < 64, "narrow")
        self.screen_stack[0].set_class(event.size.width >= 110, "wide")
        self.screen_stack[0].set_class(event.size.height < 20, "low")
        self.call_after_refresh(self._draw)

    # --- showing

    def _show(self, view: View, *, final: bool = True) -> None:
        """Shows a view; the person can pick something only if it is the final one of a move."""
        self.view = view
        if final:
            before, self.menu = self.menu.current, Menu.of(self.session, view)
            same = (number for number, item in enumerate(self.menu.items) if before is not None and item == before)
            if (number := next(same, None)) is not None and self.menu.items[number].legal:
                self.menu.cursor = number
        else:
            self.menu = Menu([Item(item.text, None, False, True) for item in self.menu.hand if item.text in view.hand])
        self._draw()

    def _draw(self) -> None:
        if not self._laid_out:
            return
        main = self.screen_stack[0]
        left = main.query_one("#left")
        width, game, view = max(20, left.content_size.width), self.session.game, self.view
        rows = view.players + 1 + 4 + 3
        main.query_one("#seats", Static).update(
            picture.seats(game, view, self.session.mover, self.session.seats, width)
        )
        boxes = left.content_size.height >= rows
        main.query_one("#trick", Static).update(picture.trick(game, view, width, boxes=boxes))
        main.query_one("#facts", Static).update(picture.facts(game, view, width))
        self._draw_log(main.query_one("#log", RichLog))
        self._draw_title()
        self._draw_menu()

    def _draw_log(self, log: RichLog) -> None:
        told, self._told = self._told, self.view.log
        if self._told[: len(told)] != told:
            log.clear()
            told = ()
        for line in self._told[len(told) :]:
            log.write(self._faces.sentence(line))

    def _draw_title(self) -> None:
        session = self.session
        turn = session.waiting_for
        if session.mover is not None and not session.your_turn:
            turn += f" {SPINNER[self._spin % len(SPINNER)]}"
        self.screen_stack[0].query_one("#title", Static).update(Text(f"{self.title}: {turn}"))

    def _draw_menu(self) -> None:
        main = self.screen_stack[0]
        hand, options, cursor = self.menu.hand, self.menu.options, self.menu.cursor
        in_hand = cursor if cursor is not None and cursor < len(hand) else None
        in_options = cursor - len(hand) if cursor is not None and cursor >= len(hand) else None
        main.query_one("#hand", ItemsView).set_items(hand, in_hand)
        main.query_one("#options", ItemsView).set_items(options, in_options)
        main.query_one("#prompt", Static).update(self._prompt())

    def _prompt(self) -> Text:
        """What the person is told and asked."""
        session = self.session
        lines = [self._faces.sentence(self.message)] if self.message else []
        if session.outcome is not None:
            lines.append(Text(f"{session.results()[-1]}  u: undo   q: leave", "bold"))
        elif self.menu.typed:
            lines.append(Text(f"typed: {self.menu.typed.upper()}   (esc forgets it)"))
        elif session.your_turn and not self._busy:
            lines.append(Text(f"Your turn: {session.prompt}.", "bold"))
        elif not lines:
            lines.append(Text(session.waiting_for, "dim"))
        return Text("\n").join(lines)

    def _turn_spinner(self) -> None:
        if self.session.mover is not None and not self.session.your_turn:
            self._spin += 1
            self._draw_title()

    # --- playing

    @property
    def _busy(self) -> bool:
        return self._worker is not None and self._worker.is_running

    def _go_on(self) -> None:
        """Shows what the last move led to and lets computers move, in the background."""
        self._worker = self.run_worker(self._moves(), exclusive=True)

    async def _moves(self) -> None:
        await self._show_frames()
        while self.session.mover is not None and not self.session.your_turn:
            move = await asyncio.to_thread(self.session.thinking())
            await self._wait(self.pace)
            self._apply(move)
            await self._show_frames()
        self._worker = None
        self._show(self.session.view())

    async def _show_frames(self) -> None:
        *before, now = self.session.frames()
        for view in before:
            self._show(view, final=False)
            await self._wait(2 * self.pace)
        self._show(now, final=self.session.your_turn or self.session.mover is None)

    async def _wait(self, seconds: float) -> None:
        """Waits, or until a key is pressed."""
        self._hurry.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._hurry.wait(), seconds)

    def _pick(self, item: Item) -> None:
        """Makes the move of an item, or says why it is not legal."""
        if self._busy or not self.session.your_turn or item.move is None:
            self._hurry.set()
            return
        self.menu.typed = ""
        if not item.legal:
            self._explain(item.move)
            return
        self.message = ""
        self._apply(item.move)
        self._go_on()

    def _apply(self, move: Move) -> None:
        try:
            self.session.apply(move)
        except OSError as error:
            self.message = f"The game could not be saved: {error.strerror}. It goes on without."

    def _explain(self, move: Move) -> None:
        """Says why a move is not legal; that may take a moment, so not in this thread."""
        self._say(f"'{move}' is not legal ...")

        async def ask() -> None:
            number = len(self.session.moves)
            sentence = await asyncio.to_thread(self.session.why_not, move)
            if len(self.session.moves) == number:
                self._say(sentence.partition("; legal:")[0])

        self.run_worker(ask(), exclusive=True, group="why")

    def _say(self, text: str) -> None:
        self.message = text
        self._draw_menu()

    # --- keys and mouse

    def on_picked(self, message: Picked) -> None:
        """A click picks at once."""
        for number, item in enumerate(self.menu.items):
            if item is message.item and item.move is not None:
                self.menu.cursor = number
        self._pick(message.item)
        self._draw_menu()

    def on_key(self, event: events.Key) -> None:
        """Moves the cursor, picks, types, or runs a command."""
        if len(self.screen_stack) > 1:
            return
        menu = self.menu
        match event.key:
            case "left" | "right":
                menu.step(1 if event.key == "right" else -1)
            case "tab" | "shift+tab":
                menu.step(1 if event.key == "tab" else -1, legal=True)
            case "up" | "down":
                menu.cross()
            case "enter" | "space":
                self._hurry.set()
                if menu.current is not None:
                    self._pick(menu.current)
            case "escape":
                menu.typed = ""
            case "pageup" | "pagedown":
                log = self.query_one("#log", RichLog)
                (log.scroll_page_up if event.key == "pageup" else log.scroll_page_down)()
            case _:
                self._type(event.character)
                return
        event.prevent_default()
        self._draw_menu()

    def _type(self, letter: str | None) -> None:
        if letter is None or not letter.isprintable():
            return
        if not self._busy and self.session.your_turn and self.menu.type(letter):
            if self.menu.card_typed and self.menu.current is not None:
                self._pick(self.menu.current)
        elif letter in self.COMMANDS_BY_KEY:
            getattr(self, f"action_{self.COMMANDS_BY_KEY[letter]}")()
            return
        self._draw_menu()

    # --- commands

    def action_undo(self) -> None:
        """Goes back to the person's last decision."""
        if self._worker is not None:
            self._worker.cancel()
            self._worker = None
        if self.session.undo():
            self.message = "Undone."
            self._show(self.session.view())
        else:
            self.message = "There is nothing to undo."
            self._go_on()

    def action_save(self) -> None:
        """Saves the game, in a new file unless it has one."""
        if self.session.journal is not None:
            self._say(f"The game is kept in {self.session.journal.path} after every move.")
            return
        path = new_file(Path(), self.session.game.name)
        try:
            self.session.save(path)
            self._say(f"Saved in {path}, from now on after every move.")
        except OSError as error:
            self._say(f"{path}: {error.strerror}")

    def action_rules(self) -> None:
        """Shows the game in words, and the keys."""
        self.push_screen(Page("\n".join([*rules(self.session.game), "", KEYS])))

    def action_leave(self) -> None:
        """Leaves; asks if something would be lost."""
        if self.session.outcome is not None or self.session.journal is not None or not self.session.moves:
            self.exit()
        else:
            self.push_screen(Leave(), lambda leave: self.exit() if leave else None)


def new_file(folder: Path, name: str) -> Path:
    """A file name for a saved game that does not exist yet."""
    number = 1
    while (path := folder / f"{name}-{number}.journal").exists():
        number += 1
    return path
