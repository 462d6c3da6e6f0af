"""Progress of long work: a bar on stderr when that is a terminal, nothing otherwise."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

Item = TypeVar("Item")


class Bar:
    """A bar for one piece of work after another; does nothing when stderr is no terminal."""

    def __init__(self) -> None:
        self.progress: Progress | None = None
        self.task: TaskID | None = None
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress

            self.progress = Progress(console=Console(stderr=True), transient=True)
            self.progress.start()

    def start(self, what: str, total: int) -> None:
        """A new piece of work; the one before is done."""
        if self.progress is not None:
            if self.task is not None:
                self.progress.remove_task(self.task)
            self.task = self.progress.add_task(what, total=total)

    def advance(self, steps: int = 1) -> None:
        """One step is done, or more."""
        if self.progress is not None and self.task is not None:
            self.progress.advance(self.task, steps)

    def stop(self) -> None:
        """Takes the bar away."""
        if self.progress is not None:
            self.progress.stop()
            self.progress = None


def progress(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Passes items on and shows how many of them have come."""
    bar = Bar()
    bar.start(what, total)
    try:
        for item in items:
            yield item
            bar.advance()
    finally:
        bar.stop()
