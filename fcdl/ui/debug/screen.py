"""The debugger on a full screen: the chart beside the table. It shows a debugger and sends commands to it."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Footer, Input, Static

from fcdl.engines.stepping import SteppingState
from fcdl.language.diagnostics import printable
from fcdl.model import Reason
from fcdl.ui.app import ThemedApp
from fcdl.ui.background import in_background
from fcdl.ui.debug import paint
from fcdl.ui.debug.chart_view import ChartView, NodeClicked
from fcdl.ui.debug.commands import HELP, Commands
from fcdl.ui.debug.debugger import Debugger
from fcdl.ui.debug.listing import Listing, Marks
from fcdl.ui.items import ItemsView, Picked
from fcdl.ui.menu import Item, Menu
from fcdl.ui.panels import Page
from fcdl.ui.picture import Faces

KEYS = """↑ ↓: a node of the chart   x: set or clear a breakpoint   page up/down: scroll
← →: a move   enter: make it, for whoever decides
v: what the next seat sees   tab: table, values or events (small screens)
esc: stop running; back to the next node   : a command
Click a node, its mark (for a breakpoint), a move, or a key below."""
PANELS = ("table", "values", "events")
MOST_MOVES = 40
"""Of more moves than this only those near the cursor are shown."""
FILE_SECONDS = 0.5
"""How often to look whether the chart's file has changed."""


def debug_on_screen(debugger: Debugger, theme: str) -> int:
    """Debugs until the person leaves; returns an exit code."""
    app = DebugApp(debugger, theme)
    app.run()
    return app.return_code or 0


class DebugApp(ThemedApp[None]):
    """The debugger's screen."""

    AUTO_FOCUS = ""
    CSS = """
    #title { height: 1; background: $primary-darken-2; color: $text; text-style: bold; padding: 0 1; }
    #main { height: 1fr; }
    #chart { width: 50%; }
    #right { width: 1fr; border-left: solid $primary; padding: 0 0 0 1; }
    VerticalScroll { height: auto; scrollbar-size: 1 1; }
    VerticalScroll Static { height: auto; }
    #node, #table { max-height: 35%; }
    #values { max-height: 45%; }
    #events { height: 1fr; min-height: 4; }
    .small #node { max-height: 9; }
    .small #table, .small #values, .small #events { display: none; max-height: 100%; height: 1fr; }
    .small #table.chosen, .small #values.chosen, .small #events.chosen { display: block; }
    #message { height: auto; max-height: 10; padding: 0 1; }
    #moves { height: auto; max-height: 4; padding: 0 1; }
    #command { display: none; height: 1; border: none; padding: 0 1; }
    #command.open { display: block; }
    .page { width: 100; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "command('step')", "step"),
        Binding("n", "command('next')", "over"),
        Binding("o", "command('out')", "out"),
        Binding("c", "command('continue')", "move"),
        Binding("g", "command('go')", "go"),
        Binding("b,backspace", "command('back')", "back"),
        Binding("p", "command('previous')", "prev"),
        Binding("x", "toggle_breakpoint", "break"),
        Binding("v", "next_view", "view"),
        Binding("colon", "ask", "cmd", key_display=":"),
        Binding("question_mark", "help", "help", key_display="?"),
        Binding("q", "quit", "quit"),
        Binding("ctrl+q", "quit", show=False),
        Binding("enter", "play", "play", show=False),
        Binding("r", "command('restart')", "restart", show=False),
        Binding("tab", "next_panel", "panel", show=False, priority=True),
        Binding("escape", "escape", "stop", show=False, priority=True),
        Binding("up", "move_cursor(-1)", show=False),
        Binding("down", "move_cursor(1)", show=False),
        Binding("left", "move_choice(-1)", show=False),
        Binding("right", "move_choice(1)", show=False),
        Binding("pageup", "scroll_chart(-1)", show=False),
        Binding("pagedown", "scroll_chart(1)", show=False),
    ]

    def __init__(self, debugger: Debugger, theme: str = "dark") -> None:
        super().__init__(theme)
        self.debugger = debugger
        self.commands = Commands(debugger)
        self.cursor = debugger.box.number
        """The node that the person looks at."""
        self.panel = 0
        self.menu = Menu([])
        self._menu_of: tuple[SteppingState | None, int | None] = None, None
        """The position and the seat whose moves are in the menu."""
        self._listing = Listing(debugger.game.flowchart)
        self._said: list[str] = []
        self._queue: asyncio.Queue[str] = asyncio.Queue(20)
        self._doing = ""

    def compose(self) -> ComposeResult:
        """The chart on the left, everything else on the right, what to do below."""
        yield Static(id="title")
        with Horizontal(id="main"):
            yield ChartView(self._listing, self._marks(), id="chart")
            with Vertical(id="right"):
                for name in ("node", *PANELS):
                    with VerticalScroll(id=name, can_focus=False):
                        yield Static()
        yield Static(id="message")
        yield ItemsView(Faces(self.debugger.game), as_fan=False, id="moves")
        yield Input(id="command", placeholder="a command, such as: break 12 if i > 1")
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Shows the start of the chart and waits for commands."""
        self.set_interval(FILE_SECONDS, self._look_at_file)
        self.run_worker(self._serve())
        self.call_after_refresh(self._draw)

    def on_resize(self, event: events.Resize) -> None:
        """Lays everything out for the new size."""
        self.screen_stack[0].set_class(event.size.height < 34, "small")
        self.call_after_refresh(self._draw)

    # --- commands

    def action_command(self, line: str) -> None:
        """Does a command, after those that are waiting."""
        if not self._queue.full():
            self._queue.put_nowait(line)

    async def _serve(self) -> None:
        """Does one command after another, in another thread, for agents may think long."""
        while True:
            line = await self._queue.get()
            self._doing = line
            game, moment = self.debugger.game, self.debugger.moment
            try:
                self._said = await in_background(partial(self.commands.run, line))
            finally:
                self._doing = ""
                self._queue.task_done()
            if self.commands.done:
                self.exit()
            if self.debugger.game is not game:
                self._listing = Listing(self.debugger.game.flowchart)
            if self.debugger.moment is not moment:
                self.cursor = self.debugger.box.number
            self._draw()

    def _look_at_file(self) -> None:
        if self._doing:
            self.query_one("#title", Static).update(self._title())
        elif self._queue.empty() and self.debugger.file.has_changed():
            self.action_command("reload")

    # --- showing

    def _draw(self) -> None:
        """Shows where the game stands; not while it runs in another thread."""
        if self._doing:
            return
        rows, main = self.commands.rows(), self.screen_stack[0]
        main.query_one("#title", Static).update(self._title())
        main.query_one(ChartView).show(self._listing, self._marks())
        contents = {"node": paint.node, "table": paint.table, "values": paint.values, "events": paint.events}
        for name, draw in contents.items():
            main.query_one(f"#{name} Static", Static).update(draw(rows))
            main.query_one(f"#{name}").set_class(name == PANELS[self.panel], "chosen")
        main.query_one("#node").scroll_home(animate=False)
        main.query_one("#events").scroll_end(animate=False)
        self._draw_moves()
        said = [printable(line) for line in self._said]
        if self.debugger.outcome is not None:
            said.append(rows.decision())
        elif self.debugger.planned is not None:
            said.append(f"last time: {self.debugger.planned}")
        main.query_one("#message", Static).update(Text("\n".join(said)))

    def _title(self) -> Text:
        if self._doing:
            text = f"{self._doing} ... (esc stops)"
        else:
            text = self.commands.rows().title()
            if self.debugger.trouble:
                text += " - the file has errors; this is the old chart"
        self.title = printable(self.debugger.game.flowchart.title)
        return Text(f"{self.title}: {text}", no_wrap=True, overflow="ellipsis")

    def _marks(self) -> Marks:
        debugger = self.debugger
        points = debugger.breakpoints
        return Marks(
            debugger.box.number,
            debugger.previous_node,
            self.cursor,
            points.keys(),
            {number for number, point in points.items() if point.condition is not None},
            debugger.outcome is not None and debugger.outcome.reason is not Reason.END,
        )

    def _draw_moves(self) -> None:
        """The legal moves, unless another seat's view is shown; the one that was made before is chosen."""
        debugger, seat = self.debugger, self.commands.seat
        if self._menu_of[0] is not debugger.state or self._menu_of[1] != seat:
            shown = debugger.legal if seat in (None, debugger.mover) else ()
            planned = shown.index(debugger.planned) if debugger.planned in shown else None
            items = [Item(move.what or str(move), move, legal=True, in_hand=False) for move in shown]
            self.menu, self._menu_of = Menu(items, planned), (debugger.state, seat)
        cursor = self.menu.cursor or 0
        first = max(0, min(cursor - MOST_MOVES // 2, len(self.menu.items) - MOST_MOVES))
        view = self.screen_stack[0].query_one("#moves", ItemsView)
        view.faces = Faces(debugger.game)
        view.set_items(self.menu.items[first : first + MOST_MOVES], cursor - first)

    # --- keys and mouse

    def action_play(self) -> None:
        """Makes the chosen move."""
        if self.menu.current is not None:
            self.action_command(str(self.menu.current.move))

    def on_picked(self, message: Picked) -> None:
        """A click makes a move at once."""
        self.action_command(str(message.item.move))

    def on_node_clicked(self, message: NodeClicked) -> None:
        """A click moves the cursor, or sets a breakpoint."""
        self.cursor = message.number
        if message.stops:
            self.action_toggle_breakpoint()
        self._draw()

    def action_toggle_breakpoint(self) -> None:
        """Stops at the node under the cursor from now on, or no more."""
        verb = "clear" if self.cursor in self.debugger.breakpoints else "break"
        self.action_command(f"{verb} {self.cursor}")

    def action_move_cursor(self, by: int) -> None:
        """To the next node of the chart, or the one before."""
        numbers = list(self._listing.row_of)
        place = numbers.index(self.cursor) + by
        self.cursor = numbers[max(0, min(place, len(numbers) - 1))]
        self._draw()

    def action_move_choice(self, by: int) -> None:
        """To the next move, or the one before."""
        self.menu.step(by)
        self._draw()

    def action_scroll_chart(self, pages: int) -> None:
        """Turns the pages of the chart."""
        view = self.screen_stack[0].query_one(ChartView)
        view.scroll_lines(pages * max(1, view.size.height - 2))

    def action_next_view(self) -> None:
        """Everything face up, then what each seat sees."""
        seat = 0 if self.commands.seat is None else self.commands.seat + 1
        self.action_command(f"view {seat if seat < self.debugger.game.players else 'all'}")

    def action_next_panel(self) -> None:
        """On a small screen: table, values or events."""
        self.panel = (self.panel + 1) % len(PANELS)
        self._draw()

    def action_ask(self) -> None:
        """Asks for a command."""
        line = self.query_one("#command", Input)
        line.add_class("open")
        line.focus()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Does what was written."""
        self._close_input()
        if message.value.strip() in ("help", "?"):
            self.action_help()
        elif message.value.strip():
            self.action_command(message.value)

    def _close_input(self) -> None:
        line = self.query_one("#command", Input)
        line.clear()
        line.remove_class("open")
        self.set_focus(None)

    def action_escape(self) -> None:
        """Forgets a command, stops what runs, or goes back to where the game stands."""
        if len(self.screen_stack) > 1:
            self.pop_screen()
        elif self.query_one("#command", Input).has_class("open"):
            self._close_input()
        elif self._doing:
            self.debugger.interrupted = True
            while not self._queue.empty():
                self._queue.get_nowait()
                self._queue.task_done()
        else:
            self.cursor = self.debugger.box.number
            self._draw()

    async def action_quit(self) -> None:
        """Leaves."""
        self.action_leave()

    def action_leave(self) -> None:
        """Leaves; nobody waits for a move that an agent thinks about."""
        self.debugger.interrupted = True
        self.exit()

    def action_help(self) -> None:
        """Shows keys and commands."""
        self.push_screen(Page(f"{KEYS}\n\n{HELP}"))
