"""Progress of long work: a bar on stderr when that is a terminal, nothing otherwise."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def progress(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Passes items on and shows how many of them have come."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, total=total, description=what, console=Console(stderr=True), transient=True)
