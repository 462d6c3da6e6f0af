"""What all full-screen programs share: light or dark, and colours that can be read on both."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from rich.terminal_theme import TerminalTheme
from textual.app import App
from textual.binding import Binding, BindingType

from fcdl.ui.preferences import THEMES, remember

Result = TypeVar("Result")

_DARK = TerminalTheme(
    (12, 12, 12),
    (217, 217, 217),
    [(26, 26, 26), (255, 95, 95), (152, 224, 36), (253, 151, 31), (97, 150, 255), (244, 0, 95), (88, 209, 235),
     (196, 197, 181)],
    [(98, 94, 76), (255, 110, 110), (152, 224, 36), (224, 213, 97), (97, 150, 255), (244, 0, 95), (88, 209, 235),
     (246, 246, 239)],
)  # fmt: skip
"""A red that can still be read when it is dimmed, as on cards that may not be played."""


class ThemedApp(App[Result]):
    """An app that is light or dark, or has other colours."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+t", "other_theme", "theme", show=False)]

    def __init__(self, theme: str) -> None:
        """The theme is one of `preferences.THEMES`."""
        super().__init__()
        self.ansi_theme_dark = _DARK
        self.theme = THEMES[theme]

    def action_help_quit(self) -> None:
        """Ctrl-C leaves, as everywhere in a terminal, unless text was selected to be copied."""
        self.action_leave()

    def action_leave(self) -> None:
        """Leaves."""
        self.exit()

    def action_other_theme(self) -> None:
        """The next colours, also for the next time."""
        names = list(THEMES)
        now = next((name for name in names if THEMES[name] == self.theme), names[-1])
        name = names[(names.index(now) + 1) % len(names)]
        self.theme = THEMES[name]
        self.notify(f"Colours: {name}", timeout=2)
        remember(theme=name)
