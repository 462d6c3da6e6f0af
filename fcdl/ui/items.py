"""Items side by side, which can be clicked."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from fcdl.ui import picture
from fcdl.ui.menu import Item
from fcdl.ui.picture import Faces, Fan

LOW = 14
"""On a screen with fewer lines cards have no frames."""


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
        if self.as_fan:
            return picture.fan(self.faces, self.items, self.cursor, width, low=self.app.size.height < LOW)
        return picture.choices(self.faces, self.items, self.cursor, width)

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
