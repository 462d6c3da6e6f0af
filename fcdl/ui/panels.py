"""Screens over the table: a page to read, questions, and what the teacher says."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import ClassVar, TypeVar

from rich.console import Group, RenderableType
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from fcdl.errors import FcdlError
from fcdl.language.diagnostics import printable
from fcdl.model.game import Game
from fcdl.ui import lessons
from fcdl.ui.background import in_background
from fcdl.ui.picture import Faces, ranking_table, score_sheet
from fcdl.ui.replay_screen import ReplayScreen
from fcdl.ui.session import Session
from fcdl.ui.teacher import Judged, worst_first
from fcdl.ui.view import View

Answer = TypeVar("Answer")
SCROLLING = ("up", "down", "pageup", "pagedown", "home", "end")


class Over(ModalScreen[Answer]):
    """A frame in the middle of the screen, over the table."""

    DEFAULT_CSS = """
    Over { align: center middle; }
    Over .page {
        width: 78; max-width: 100%; height: auto; max-height: 90%;
        border: round $primary; padding: 0 1; background: $surface; scrollbar-size: 1 1;
    }
    """


class Page(Over[None]):
    """A page to read, closed by any key that does not scroll."""

    KEYS = "↑↓ scroll, any other key: back"

    def __init__(self, content: str | RenderableType) -> None:
        super().__init__()
        self.content = Text(content) if isinstance(content, str) else content

    def compose(self) -> ComposeResult:
        """The text."""
        with VerticalScroll(classes="page") as page:
            page.border_subtitle = self.KEYS
            yield Static(self.content, id="content")

    def on_key(self, event: events.Key) -> None:
        """Closes the page."""
        if event.key not in SCROLLING:
            event.stop()
            self.dismiss(None)


class Leave(Over[str]):
    """Asks whether to leave a game that is not over and not saved: answers `leave`, `save` or `stay`."""

    ANSWERS = {"y": "leave", "s": "save", "n": "stay", "escape": "stay"}  # noqa: RUF012

    def compose(self) -> ComposeResult:
        """The question."""
        yield Static(
            "Leave the game? It is not saved.\n\ny: leave   s: save and leave   n: keep playing", classes="page"
        )

    def on_key(self, event: events.Key) -> None:
        """The answer."""
        event.stop()
        if event.key in self.ANSWERS:
            self.dismiss(self.ANSWERS[event.key])


class Handover(ModalScreen[None]):
    """Hides everything until the next person sits at the screen."""

    DEFAULT_CSS = """
    Handover { align: center middle; background: $background; }
    Handover Static { width: auto; height: auto; padding: 1 4; border: round $primary; text-align: center; }
    """

    def __init__(self, who: str, title: str) -> None:
        super().__init__()
        self.who = who
        self.heading = title

    def compose(self) -> ComposeResult:
        """Who is next."""
        yield Static(
            Text.assemble(
                (f"{self.heading}\n\n", "dim"),
                (f"{self.who} is next.\n\n", "bold"),
                "Everybody else, look away.\nThen press enter.",
            )
        )

    def on_key(self, event: events.Key) -> None:
        """Shows the table again; ctrl+q still leaves."""
        if event.key in ("enter", "space"):
            event.stop()
            self.dismiss(None)


class RoundPage(Page):
    """What a round came to, with the score sheet; any key goes on."""

    KEYS = "enter: go on"

    def __init__(self, game: Game, view: View) -> None:
        number = len(view.rounds)
        lines = [faces_sentence(game, text) for text in view.rounds[-1].lines]
        super().__init__(
            Group(
                Text(f"{printable(game.flowchart.title)}: round {number} is over", "bold"),
                Text(""),
                *lines,
                *([Text("")] if lines else []),
                score_sheet(view),
            )
        )


class Result(Over[str]):
    """How the game ended; answers with what to do next."""

    ANSWERS: ClassVar[dict[str, str]] = {
        "v": "review",
        "n": "again",
        "e": "export",
        "u": "undo",
        "r": "rules",
        "q": "leave",
        "enter": "table",
        "escape": "table",
    }

    def __init__(self, session: Session, view: View) -> None:
        super().__init__()
        self.session, self.view = session, view

    def compose(self) -> ComposeResult:
        """Ranking, what was said of the last round, the score sheet, keys."""
        session, view = self.session, self.view
        said = [faces_sentence(session.game, text) for text in (view.rounds[-1].lines if view.rounds else ())]
        content: list[RenderableType] = [Text(session.verdict, "bold"), Text("")]
        content += [*said, *([Text("")] if said else []), ranking_table(session.ranking()), Text("")]
        if len(view.rounds) > 1:
            content += [score_sheet(view), Text("")]
        content.append(Text("v review your moves   n new game, same seats   e export", "dim"))
        content.append(Text("u undo   enter look at the table   q leave", "dim"))
        with VerticalScroll(classes="page"):
            yield Static(Group(*content), id="content")

    def on_key(self, event: events.Key) -> None:
        """The answer."""
        if event.key in self.ANSWERS:
            event.stop()
            event.prevent_default()
            self.dismiss(self.ANSWERS[event.key])


def faces_sentence(game: Game, text: str) -> Text:
    """A sentence with the faces of cards."""
    return Faces(game).sentence(text)


THINKING = "thinking ..."


class Lesson(Page):
    """A page that takes a moment to find out; escape forgets it."""

    DEFAULT_CSS = """
    Lesson { align: center top; }
    """

    def __init__(self, heading: str, find: Callable[[], RenderableType]) -> None:
        """`find` runs in another thread."""
        super().__init__(_waiting(heading, 0))
        self.heading = heading
        self._find = find
        self._since = time.monotonic()

    def on_mount(self) -> None:
        """Begins to find out, and says how long it takes."""
        self._clock = self.set_interval(1, self._tick)
        self.run_worker(self._work())

    def _tick(self) -> None:
        self.query_one("#content", Static).update(_waiting(self.heading, time.monotonic() - self._since))

    async def _work(self) -> None:
        try:
            found = await in_background(self._find)
        except FcdlError as error:
            found = Text(str(error))
        self._clock.stop()
        self.content = Group(Text(self.heading, "bold"), Text(""), found)
        self.query_one("#content", Static).update(self.content)


def _waiting(heading: str, seconds: float) -> Text:
    passed = f" {seconds:.0f} s" if seconds >= 1 else ""
    return Text.assemble((heading, "bold"), f"\n\n{THINKING}{passed}   (esc: cancel)")


def known_lesson(session: Session) -> Lesson:
    """Where the unseen cards may be."""
    known, game, seat = session.known(), session.game, session.seat
    return Lesson("Cards you have not seen", lambda: lessons.known_table(known(), game, seat))


class Review(ModalScreen[None]):
    """The person's decisions against the best moves found, the worst first; enter shows the position."""

    DEFAULT_CSS = """
    Review { align: center middle; }
    Review VerticalScroll { width: 78; max-width: 100%; height: 90%; border: round $primary; background: $surface; }
    Review Static { height: auto; padding: 0 1; }
    Review OptionList, Review OptionList:focus { height: 1fr; border: none; padding: 0; }
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.judged: list[Judged] = []
        self._done = 0
        self._decisions = session.decisions()
        self._faces = Faces(session.game)
        self._left = False

    def compose(self) -> ComposeResult:
        """A summary over the list."""
        with VerticalScroll():
            yield Static(id="summary")
            yield OptionList(id="decisions")
            yield Static(Text("enter: show the position   esc: back", "dim"))

    def on_mount(self) -> None:
        """Begins to judge."""
        self._tell()
        self.query_one(OptionList).focus()
        self.run_worker(self._work())

    def on_unmount(self) -> None:
        """Stops judging."""
        self._left = True

    async def _work(self) -> None:
        judging = self.session.teacher.review(self._decisions, lambda: self._left)
        try:
            while (result := await in_background(partial(next, judging, "end"))) != "end":
                self._done += 1
                if isinstance(result, Judged):
                    self.judged = worst_first([*self.judged, result])
                self._tell()
        except FcdlError as error:
            self.query_one("#summary", Static).update(str(error))

    def _tell(self) -> None:
        number = len(self._decisions)
        self.query_one("#summary", Static).update(lessons.review_summary(self.judged, self._done, number))
        options = self.query_one(OptionList)
        here = options.highlighted
        options.set_options(Option(lessons.judged_line(one, self._faces)) for one in self.judged)
        if self.judged:
            options.highlighted = here or 0

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Shows the position of a decision, as the person saw it."""
        one = self.judged[message.option_index]
        self.app.push_screen(
            ReplayScreen(
                self.session.replay(),
                seat=self.session.seat,
                number=one.made.number,
                note=lessons.judged_line(one, self._faces),
            )
        )

    def on_key(self, event: events.Key) -> None:
        """Goes back."""
        if event.key in ("escape", "q"):
            event.stop()
            self.dismiss(None)
