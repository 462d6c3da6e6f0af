"""The chart on the screen: only the lines that can be seen are drawn, however large the chart is."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.message import Message
from textual.widget import Widget

from fcdl.ui.debug.listing import Listing, Marks


class NodeClicked(Message):
    """A node was clicked; twice, or at its mark, to stop there."""

    def __init__(self, number: int, *, stops: bool) -> None:
        super().__init__()
        self.number = number
        self.stops = stops


class ChartView(Widget):
    """A part of a listing, with a cursor."""

    def __init__(self, listing: Listing, marks: Marks, id: str) -> None:
        super().__init__(id=id)
        self._listing = listing
        self._marks = marks
        self._top = 0

    def show(self, listing: Listing, marks: Marks) -> None:
        """Shows a listing with other marks, and so that the node under the cursor can be seen."""
        self._listing, self._marks = listing, marks
        self._look()

    def on_resize(self, event: events.Resize) -> None:
        """Keeps the node under the cursor in sight."""
        self._look()

    def _look(self) -> None:
        row, height = self._listing.row_of[self._marks.cursor], max(1, self.size.height)
        margin = min(3, height // 3)
        if not self._top + margin <= row < self._top + height - margin:
            self._top = row - height // 2
        self.scroll_lines(0)

    def scroll_lines(self, number: int) -> None:
        """Shows what is further down, or up."""
        self._top = max(0, min(self._top + number, len(self._listing.rows) - self.size.height))
        self.refresh()

    def render(self) -> Text:
        """The lines that can be seen."""
        rows = range(self._top, min(self._top + self.size.height, len(self._listing.rows)))
        return Text("\n", no_wrap=True).join(self._listing.line(row, self.size.width, self._marks) for row in rows)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel."""
        event.stop()
        self.scroll_lines(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel."""
        event.stop()
        self.scroll_lines(-3)

    def on_click(self, event: events.Click) -> None:
        """Tells which node was clicked."""
        row = self._top + event.y
        node = self._listing.rows[row].node if row < len(self._listing.rows) else None
        if node is not None:
            at_mark = event.x < self._listing.margin
            self.post_message(NodeClicked(node.number, stops=at_mark or event.chain == 2))
