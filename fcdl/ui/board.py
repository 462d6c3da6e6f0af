"""The part of the screen that shows a view: players, what was played, zones and variables, and the log beside them."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.events import Resize
from textual.widgets import RichLog, Static

from fcdl.model.game import Game
from fcdl.ui import picture
from fcdl.ui.compass import compass, has_room, pairs_text
from fcdl.ui.opponents import shown_name
from fcdl.ui.pairs import pairs
from fcdl.ui.picture import Faces
from fcdl.ui.view import View

NARROW, WIDE = 64, 110
"""Below the first width there is no room for the log; from the second on it is wider."""
MARGINS = 2
"""Empty lines above and below the large table."""
LARGE = 100, 30
"""From this size of the screen on everybody sits at their side of the table."""


class Board(Horizontal):
    """Shows views of one game."""

    DEFAULT_CSS = """
    Board { height: 1fr; }
    Board #left { width: 1fr; padding: 0 1; overflow-y: auto; scrollbar-size: 1 1; }
    Board #left Static { height: auto; }
    Board #log { width: 28; border-left: solid $primary; padding: 0 0 0 1; scrollbar-size: 1 1; }
    Board.wide #log { width: 40; }
    Board.narrow #log { display: none; }
    Board.tall #trick { margin: 1 0; }
    Board.low #trick { dock: top; }
    Board.large #seats { margin: 1 0; text-wrap: nowrap; text-overflow: clip; }
    Board.large #trick { display: none; }
    """

    def __init__(self, game: Game, names: Sequence[str], id: str | None = None) -> None:
        super().__init__(id=id)
        self.game = game
        self.names = [shown_name(name) for name in names]
        self._faces = Faces(game)
        self._view: View | None = None
        self._mover: int | None = None
        self._told: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        """The parts."""
        with Vertical(id="left"):
            yield Static(id="seats")
            yield Static(id="trick")
            yield Static(id="facts")
        log = RichLog(id="log", wrap=True, min_width=10)
        log.can_focus = False
        yield log

    def show(self, view: View, mover: int | None) -> None:
        """Shows another view."""
        self._view, self._mover = view, mover
        self._draw()

    def on_resize(self, event: Resize) -> None:
        """Lays everything out for the new size."""
        self.set_class(event.size.width < NARROW, "narrow")
        self.set_class(event.size.width >= WIDE, "wide")
        self.call_after_refresh(self._draw)
        self.call_after_refresh(self.query_one("#log", RichLog).scroll_end, animate=False)

    def scroll_log(self, pages: int) -> None:
        """Turns the pages of the log."""
        log = self.query_one("#log", RichLog)
        (log.scroll_page_up if pages < 0 else log.scroll_page_down)(animate=False)

    def _draw(self) -> None:
        view = self._view
        if view is None or not self.is_mounted:
            return
        left = self.query_one("#left")
        width, height = max(20, left.content_size.width), left.content_size.height
        seats, cards, facts = (self.query_one(name, Static) for name in ("#seats", "#trick", "#facts"))
        told = picture.facts(self.game, view, width)
        facts.update(told)
        room = height - (told.plain.count("\n") + 1 if told.plain else 0)
        large = self.app.size.width >= LARGE[0] and self.app.size.height >= LARGE[1]
        large = large and has_room(width, room, view.players)
        self.set_class(large, "large")
        found = pairs(view.played or view.last_trick, view.answers)
        if large:
            seats.update(compass(self.game, view, self._mover, self.names, width, room - MARGINS))
            cards.update("")
        else:
            rows = view.players + 1 + 4 + 3
            boxes = height >= rows + (2 if found is not None else 0)
            self.set_class(height >= rows + 6, "tall")
            self.set_class(height < view.players + 3, "low")
            seats.update(picture.seats(self.game, view, self._mover, self.names, width))
            if boxes and found is not None:
                cards.update(pairs_text(self._faces, found, width, is_old=not view.played))
            else:
                cards.update(picture.trick(self.game, view, width, boxes=boxes))
        self._draw_log(view.log)

    def _draw_log(self, lines: tuple[str, ...]) -> None:
        log = self.query_one("#log", RichLog)
        told, self._told = self._told, lines
        if lines[: len(told)] != told:
            log.clear()
            told = ()
        for line in lines[len(told) :]:
            log.write(picture.Hanging(self._faces.sentence(line)))
