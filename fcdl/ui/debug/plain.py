"""The debugger line by line: for pipes, scripts and terminals that cannot do more."""

from __future__ import annotations

from collections.abc import Callable

from fcdl.language.diagnostics import printable
from fcdl.ui.debug.commands import Commands
from fcdl.ui.debug.debugger import Debugger

MOST_EVENTS = 12
"""If more than this has happened, only the last of it is printed."""


class PlainDebugger:
    """Reads commands and writes what they lead to: `read_line` gives lines with their ends, nothing at the end."""

    def __init__(self, debugger: Debugger, read_line: Callable[[], str], write: Callable[[str], None]) -> None:
        self.debugger = debugger
        self.commands = Commands(debugger)
        self._read_line = read_line
        self._write = write

    def run(self) -> None:
        """Until the input ends or says quit; an empty line does the last command again."""
        game = self.debugger.game
        self._say(
            [f"{game.flowchart.title}, {game.players} players, seed {self.debugger.seed}. Type help for the commands."]
        )
        self._say(self.commands.run("where"))
        last = ""
        while not self.commands.done and (line := self._read_line()):
            if self.debugger.file.has_changed():
                self._say(self.commands.run("reload"))
            last = line.strip() or last
            self._do(last)

    def _do(self, line: str) -> None:
        before = self.debugger.state
        said = self.commands.run(line)
        if self.debugger.state is not before:
            events = self.commands.rows().new_events()
            if len(events) > MOST_EVENTS:
                self._say([f"  ... (events {len(events)} shows all)"])
            self._say([f"  {text}" for text in events[-MOST_EVENTS:]])
            said = [*said, *self.commands.run("where")]
        self._say(said)

    def _say(self, lines: list[str]) -> None:
        for line in lines:
            self._write(printable(line))
