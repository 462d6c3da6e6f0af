"""The full-screen table. It shows a session and sends moves to it; everything about the game is in the session."""

from __future__ import annotations

import asyncio
import contextlib
import time
from functools import partial
from pathlib import Path
from typing import ClassVar

from rich.console import Group
from rich.text import Text
from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static
from textual.worker import Worker

from fcdl.errors import FcdlError
from fcdl.language.diagnostics import printable
from fcdl.model.moves import PASS, Move
from fcdl.model.record import RecordError
from fcdl.ui.app import ThemedApp
from fcdl.ui.background import in_background
from fcdl.ui.board import Board
from fcdl.ui.items import ItemsView, Picked
from fcdl.ui.keys import KeyLine
from fcdl.ui.lessons import hint_table
from fcdl.ui.menu import Item, Menu, TickMenu
from fcdl.ui.panels import Handover, Leave, Page, Result, Review, RoundPage, known_lesson
from fcdl.ui.picture import Faces, Hanging
from fcdl.ui.plain_lessons import advice
from fcdl.ui.preferences import SPEEDS, faster, nearest_speed, remember
from fcdl.ui.session import Session
from fcdl.ui.store import export, new_file
from fcdl.ui.teacher import Hint
from fcdl.ui.view import View
from fcdl.ui.words import rules

KEYS = """←→ choose, enter play; or type the card (QH), or click it
several cards: space or a click ticks one, enter plays them; or type them
tab: next legal card   ↑↓: between cards and options
h: hint, which enter plays; h again: its figures
?: who may hold which card   r: these rules
u: undo   s: save   after the game: v review, n new game, e export
+ and -: speed   ctrl+t: colours   page up/down: the log   q: quit
If the letter also begins a card or an option, press it twice,
or use ctrl+z (undo), ctrl+s (save), ctrl+q (quit), f1 (rules), f2 (hint)."""
FOOTER = (
    "←→ choose  enter play  h hint  ? who has what  u undo  r rules  q quit",
    "←→ enter  h hint  ? cards  u undo  r rules  q quit",
    "h hint  ? cards  r rules  q quit",
)
TICKING_FOOTER = (
    "←→ choose  space tick  enter play  esc untick  h hint  ? who has what  u undo  r rules  q quit",
    "←→  space tick  enter play  h hint  ? cards  u undo  r rules  q quit",
    "space tick  enter play  q quit",
)
HINT_FOOTER = (
    "enter play the hint  h its figures  esc forget it  ←→ choose  r rules  q quit",
    "enter play it  h figures  esc forget it  q quit",
    "enter play it  h figures",
)
OVER_FOOTER = (
    "enter result  v review  n new game  e export  u undo  r rules  q leave",
    "enter result  v review  n new game  q leave",
    "v review  n new  q leave",
)
NOT_YET = "You can get a hint when it is your turn."
TYPED_ENTER = 0.7
"""Seconds after a typed card in which an enter belongs to it and picks nothing else."""
BAR = 8
"""Columns that show how much of its time a computer has used."""


def play_on_table(session: Session, pace: float, theme: str = "dark") -> tuple[int, bool]:
    """Plays until the person leaves; returns an exit code, and whether they want another game with the same seats."""
    app = TableApp(session, pace, theme)
    app.run()
    return app.return_code or 0, app.again


class TableApp(ThemedApp[None]):
    """The table."""

    CSS = """
    #title { height: 1; background: $primary-darken-2; color: $text; text-style: bold; padding: 0 1; }
    #prompt { height: auto; max-height: 7; padding: 0 1; }
    #hand { height: auto; max-height: 8; padding: 0 1; }
    #options { height: auto; max-height: 6; padding: 0 1; }
    .low #footer { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        ("ctrl+z", "undo", "undo"),
        ("ctrl+s", "save", "save"),
        ("ctrl+q", "leave", "quit"),
        ("f1", "rules", "rules"),
        ("f2", "hint", "hint"),
    ]
    COMMANDS_BY_KEY: ClassVar[dict[str, str]] = {
        "u": "undo",
        "s": "save",
        "q": "leave",
        "r": "rules",
        "?": "known",
        "h": "hint",
        "v": "review",
        "e": "export",
        "n": "again",
    }

    def __init__(self, session: Session, pace: float = 0.6, theme: str = "dark") -> None:
        super().__init__(theme)
        self.session = session
        self.pace = pace
        self.view = session.view()
        self.menu = Menu.of(session, self.view)
        self.message: str | Text = " ".join(session.notes)
        """What the person is told; in a `Text`, as with the names of files, nothing is shown as a card."""
        self._faces = Faces(session.game)
        self.idle = False
        """Whether all moves of computers have been made and shown."""
        self._worker: Worker[None] | None = None
        self._hurry = asyncio.Event()
        self._thinking_since: float | None = None
        self._laid_out = False
        self._typed_at: float | None = None
        """When a card was typed, until the next key: an enter soon after it belongs to the typed card."""
        self._tally: tuple[Move | None, str] = (None, "")
        """What the cards of a set come to."""
        self._hint: tuple[int, Hint] | None = None
        """The last hint, and after how many moves it was given."""
        self._hinting_since: float | None = None
        self._rounds_seen = len(self.view.rounds)
        self.again = False
        """Whether the person wants another game with the same seats."""

    def compose(self) -> ComposeResult:
        """Title, the board, then the person's part."""
        yield Static(id="title")
        yield Board(self.session.game, self.session.seats, id="board")
        yield Static(id="prompt")
        yield ItemsView(self._faces, as_fan=False, id="options")
        yield ItemsView(self._faces, as_fan=True, id="hand")
        yield KeyLine(*FOOTER, id="footer")

    def on_mount(self) -> None:
        """Shows the first position and lets computers begin."""
        self.title = printable(self.session.game.flowchart.title)
        self._laid_out = True
        self.set_interval(0.1, self._tick)
        self.call_after_refresh(self._go_on)

    def on_resize(self, event: events.Resize) -> None:
        """Lays the table out for the new size."""
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
        self.screen_stack[0].query_one(Board).show(self.view, self.session.mover)
        self._draw_title()
        self._draw_menu()

    def _draw_title(self) -> None:
        turn = self.session.waiting_for
        if self._thinking_since is not None:
            turn += f" {thinking_bar(time.monotonic() - self._thinking_since, self.session.budget)}"
        self.screen_stack[0].query_one("#title", Static).update(Text(f"{self.title}: {turn}"))

    def _draw_menu(self) -> None:
        main = self.screen_stack[0]
        hand, options, cursor = self.menu.hand, self.menu.options, self.menu.cursor
        in_hand = cursor if cursor is not None and cursor < len(hand) else None
        in_options = cursor - len(hand) if cursor is not None and cursor >= len(hand) else None
        main.query_one("#hand", ItemsView).set_items(hand, in_hand)
        main.query_one("#options", ItemsView).set_items(options, in_options)
        main.query_one("#prompt", Static).update(self._prompt())
        main.query_one("#footer", KeyLine).show(*self._keys())

    def _keys(self) -> tuple[str, ...]:
        if self.session.outcome is not None:
            return OVER_FOOTER
        if self._given_hint() is not None:
            return HINT_FOOTER
        return TICKING_FOOTER if isinstance(self.menu, TickMenu) else FOOTER

    def _prompt(self) -> Text:
        """What the person is told and asked."""
        session = self.session
        said = self.message
        lines = [said if isinstance(said, Text) else self._faces.sentence(said)] if said else []
        if session.outcome is not None:
            lines.append(Text(session.verdict, "bold"))
        elif self.menu.typed:
            lines.append(self._typed())
        elif session.your_turn and self.idle:
            prompt = self._faces.sentence(session.prompt)
            prompt.stylize("bold")
            lines.append(prompt)
            if isinstance(self.menu, TickMenu):
                ticks = self.menu.ticks
                tally = self._tally[1] if self._tally[0] == ticks.move else ""
                said = ticks.said(tally, f"Enter: {ticks.kind} {'it' if ticks.ticked.total() == 1 else 'them'}.")
                lines[-1] = Text(" ").join([lines[-1], self._faces.sentence(said)])
            if self._hinting_since is not None:
                seconds = time.monotonic() - self._hinting_since
                bar = thinking_bar(seconds, max(session.teacher.seconds, 0.5))
                lines.append(Text(f"looking for a hint {bar}   esc: never mind", "dim"))
            elif (hint := self._given_hint()) is not None:
                lines.append(Text("Hint: ", "bold") + self._faces.sentence(advice(hint, session.whole)))
        elif not lines:
            lines.append(Text(session.waiting_for, "dim"))
        return Text("\n").join(lines)

    def _given_hint(self) -> Hint | None:
        """The hint for this position, if there was one."""
        return self._hint[1] if self._hint is not None and self._hint[0] == len(self.session.moves) else None

    def _typed(self) -> Text:
        """What was typed, and what the next key will do with it."""
        item, letters = self.menu.current, self.menu.typed
        text = Text(f"typed: {letters.upper()}")
        if item is not None:
            text.append("   enter: ").append_text(self._faces.sentence(item.text))
        if letters in self.COMMANDS_BY_KEY:
            text.append(f"   {letters} again: {self.COMMANDS_BY_KEY[letters]}")
        return text.append("   esc: cancel")

    def _tick(self) -> None:
        if self._thinking_since is not None:
            self._draw_title()
        if self._hinting_since is not None:
            self._draw_menu()

    # --- playing

    def _go_on(self) -> None:
        """Shows what the last move led to and lets computers move, in the background."""
        self.idle = False
        self._worker = self._moves()

    @work(exclusive=True)
    async def _moves(self) -> None:
        if self.session.handover is None or self.session.moves:
            await self._show_frames()
        while self.session.mover is not None and not self.session.your_turn:
            if (seat := self.session.handover) is not None:
                await self._hand_over(seat)
                continue
            shown, pace = time.monotonic(), self.pace if self.session.moves else 0.0
            if self.session.must_pass:  # nobody needs time for that
                self._apply(PASS)
                await self._show_frames()
                continue
            move = await self._think()
            await self._wait(
                pace - (time.monotonic() - shown)
            )  # the last move could be seen meanwhile, if there was one
            self._apply(move)
            await self._show_frames()
        self.idle = True
        self.message = "" if self.message == NOT_YET else self.message
        self._show(self.session.view())
        if self.session.outcome is not None:
            self._show_result()

    async def _think(self) -> Move:
        self._thinking_since = time.monotonic()
        try:
            return await in_background(self.session.thinking())
        finally:
            self._thinking_since = None

    async def _hand_over(self, seat: int) -> None:
        """Lets the person of another seat look, and nobody see two hands."""
        if not self.session.face_up:
            who = self.session.game.person(seat) or f"Player {seat}"
            await self.push_screen_wait(Handover(who, self.title))
        self.session.take_seat(seat)
        self.message = ""
        self._show(self.session.view())

    async def _show_frames(self) -> None:
        *before, now = self.session.frames()
        for view in before:
            self._show(view, final=False)
            await self._wait(2 * self.pace)
        await self._show_round(now)
        self._show(now, final=self.session.your_turn or self.session.mover is None)

    async def _show_round(self, view: View) -> None:
        """Tells what a round came to, and waits; the last one is told with the result."""
        new, self._rounds_seen = len(view.rounds) > self._rounds_seen, len(view.rounds)
        if new and self.session.outcome is None and self.session.handover is None:
            await self.push_screen_wait(RoundPage(self.session.game, view))

    async def _wait(self, seconds: float) -> None:
        """Waits, or until a key is pressed."""
        self._hurry.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._hurry.wait(), seconds)

    def _pick(self, item: Item) -> None:
        """Makes the move of an item, or says why it is not legal; ticks a card where several make one move."""
        if not self.idle or not self.session.your_turn or item.move is None:
            self._hurry.set()
            return
        self.menu.typed = ""
        if isinstance(self.menu, TickMenu) and item.ticked is not None:
            self._tick_card(self.menu, item)
            return
        if not item.legal:
            self._explain(item.move)
            return
        self.message = ""
        self._apply(item.move)
        self._go_on()

    def _enter(self, item: Item) -> None:
        """Picks an item; of cards that can be ticked, plays those that are, or else this one if that is legal."""
        menu = self.menu
        if not isinstance(menu, TickMenu) or item.ticked is None or menu.typed:
            self._pick(item)
            return
        move = menu.ticks.move or item.move
        if menu.ticks.move is None and move not in menu.ticks.fitting:
            self._pick(item)
        else:
            self._pick(Item(str(move), move, move in menu.ticks.fitting, in_hand=False))

    def _tick_card(self, menu: TickMenu, item: Item) -> None:
        self.message = ""
        menu.tick(menu.cursor if menu.current is item and menu.cursor is not None else menu.items.index(item))
        if (move := menu.ticks.move) is not None:
            self._ask_tally(move)

    @work(exclusive=True, group="tally")
    async def _ask_tally(self, move: Move) -> None:
        number = len(self.session.moves)
        text = await in_background(partial(self.session.tally, move))
        if len(self.session.moves) == number:
            self._tally = move, text
            self._draw_menu()

    def _apply(self, move: Move) -> None:
        try:
            self.session.apply(move)
        except OSError as error:
            self.message = Text(f"Now {_not_saved(error)}")

    def _explain(self, move: Move) -> None:
        """Says why a move is not legal; that may take a moment, so not in this thread."""
        self._say(f"'{move}' is not legal ...")
        self._ask_why(move)

    @work(exclusive=True, group="why")
    async def _ask_why(self, move: Move) -> None:
        number = len(self.session.moves)
        sentence = await in_background(partial(self.session.why_not, move))
        if len(self.session.moves) == number:
            self._say(sentence.partition("; legal:")[0])

    def _say(self, text: str | Text) -> None:
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
        typed_at, self._typed_at = self._typed_at, None
        match event.key:
            case "left" | "right":
                menu.step(1 if event.key == "right" else -1)
            case "tab" | "shift+tab":
                menu.step(1 if event.key == "tab" else -1, legal=True)
            case "up" | "down":
                menu.cross()
            case "enter" | "space" if self._hinting_since is not None:
                pass  # whoever asked for a hint does not want to play before it is there
            case "enter" if self.session.outcome is not None and self.idle:
                self._show_result()
            case "enter" | "space":
                self._hurry.set()
                if menu.current is not None and not (typed_at and time.monotonic() - typed_at < TYPED_ENTER):
                    (self._enter if event.key == "enter" else self._pick)(menu.current)
            case "escape" if isinstance(menu, TickMenu) and not menu.typed:
                menu.untick()
            case "escape":
                menu.typed, self._hint, self._hinting_since = "", None, None
                self.workers.cancel_group(self, "hint")
            case "plus" | "minus" if not menu.typed:
                self._change_speed(1 if event.key == "plus" else -1)
            case "pageup" | "pagedown":
                self.query_one(Board).scroll_log(-1 if event.key == "pageup" else 1)
            case _:
                self._type(event.character)
                return
        event.prevent_default()
        self._draw_menu()

    def _change_speed(self, by: int) -> None:
        speed = faster(nearest_speed(self.pace), by)
        self.pace = SPEEDS[speed]
        remember(speed=speed)
        self._say(f"Speed: {speed}.")

    def _type(self, letter: str | None) -> None:
        if letter is None or not letter.isprintable():
            return
        if self.idle and self.session.your_turn and self.menu.type(letter):
            if self.menu.card_typed and self.menu.current is not None:
                ticks = self.menu.current.ticked is not None
                self._pick(self.menu.current)
                self._typed_at = None if ticks else time.monotonic()
        elif letter in self.COMMANDS_BY_KEY:
            getattr(self, f"action_{self.COMMANDS_BY_KEY[letter]}")()
            return
        self._draw_menu()

    # --- commands

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While another screen is open, keys are for that one."""
        return len(self.screen_stack) == 1 or action in ("leave", "help_quit", "other_theme")

    def action_undo(self) -> None:
        """Goes back to the last decision of a person."""
        if self._worker is not None:
            self._worker.cancel()
            self._thinking_since = None
        try:
            undone, self.message = self.session.undo(), "Undone."
        except OSError as error:
            undone, self.message = True, Text(f"Undone, but {_not_saved(error)}")
        if undone:
            if self.session.handover is None:
                self.idle = True
                self._show(self.session.view())
                return
        else:
            self.message = "There is nothing to undo."
        self._go_on()

    def action_save(self) -> None:
        """Saves the game, in a new file unless it has one."""
        if self.session.journal is not None:
            self._say(Text(f"The game is saved to {self.session.journal.path} after every move."))
            return
        path = new_file(Path(), self.session.game.name)
        try:
            self.session.save(path)
            self._say(Text(f"Saved to {path}, and again after every move."))
        except OSError as error:
            self._say(Text(f"{path}: {error.strerror}"))

    def action_export(self) -> None:
        """Writes the record of the finished game beside others in the current folder."""
        try:
            self._say(Text(f"The record was written to {export(self.session, Path())}."))
        except (RecordError, OSError) as error:
            self._say(Text(f"There is no record: {error}."))

    def action_rules(self) -> None:
        """Shows the game in words, and the keys."""
        lines = [Hanging(Text(line), by=2) for line in rules(self.session.game)]
        self.push_screen(Page(Group(*lines, Text(""), Text(KEYS))))

    def action_known(self) -> None:
        """Shows where unseen cards may be."""
        self.push_screen(known_lesson(self.session))

    def action_hint(self) -> None:
        """Says what to do and why; asked again, shows what all moves are worth."""
        if not (self.session.your_turn and self.idle):
            self._say(NOT_YET)
        elif (hint := self._given_hint()) is not None:
            self.push_screen(Page(hint_table(hint, self._faces, self.session.whole)))
        elif self._hinting_since is None:
            self.message = ""
            self._hinting_since = time.monotonic()
            self._ask_hint()
            self._draw_menu()

    @work(exclusive=True, group="hint")
    async def _ask_hint(self) -> None:
        number = len(self.session.moves)
        try:
            hint = await in_background(self.session.hint())
        except FcdlError as error:
            self._hinting_since = None
            self._say(str(error))
            return
        self._hinting_since = None
        if len(self.session.moves) == number:
            self._hint = number, hint
            self.menu.point_at(hint.best.move)
        self._draw_menu()

    def _show_result(self) -> None:
        """How the game ended, and what to do now."""
        if len(self.screen_stack) == 1:
            self.push_screen(Result(self.session, self.session.view()), self._after_result)

    def _after_result(self, answer: str | None) -> None:
        if answer not in (None, "table"):
            getattr(self, f"action_{answer}")()

    def action_again(self) -> None:
        """Another game with the same seats, when this one is over."""
        if self.session.outcome is None:
            self._say("A new game comes after this one; q leaves it.")
        else:
            self.again = True
            self.exit()

    def action_review(self) -> None:
        """Shows what the person's moves were worth."""
        if self.session.outcome is None:
            self._say("The review comes after the game; h gives a hint now.")
        else:
            self.push_screen(Review(self.session))

    def action_leave(self) -> None:
        """Leaves; asks if something would be lost."""
        if self.session.outcome is not None or self.session.journal is not None or not self.session.decided:
            self.exit()
        elif not isinstance(self.screen, Leave):
            self.push_screen(Leave(), self._answered)

    def _answered(self, answer: str | None) -> None:
        if answer == "save":
            self.action_save()
        if answer in ("save", "leave"):
            self.exit()


def _not_saved(error: OSError) -> str:
    return f"the game is no longer being saved: {error.strerror}. s saves it to a new file."


def thinking_bar(seconds: float, budget: float | None) -> str:
    """How long a computer has been thinking, and how much of its time that is."""
    if budget is None:
        return f"{seconds:.1f} s"
    used = min(BAR, round(BAR * seconds / budget))
    return f"{'▰' * used}{'▱' * (BAR - used)} {min(seconds, budget):.1f} of {budget:.1f} s"
