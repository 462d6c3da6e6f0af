"""A line of keys that fits the screen."""

from __future__ import annotations

from textual.widget import Widget


class KeyLine(Widget):
    """Shows the first of several texts that fits, from the longest to the shortest."""

    DEFAULT_CSS = """
    KeyLine { height: 1; color: $text-muted; padding: 0 1; }
    """

    def __init__(self, *texts: str, id: str) -> None:
        super().__init__(id=id)
        self.texts = texts

    def show(self, *texts: str) -> None:
        """Shows other keys."""
        self.texts = texts
        self.refresh()

    def render(self) -> str:
        """The keys."""
        return next((text for text in self.texts if len(text) <= self.size.width), self.texts[-1])
