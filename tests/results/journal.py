"""A list of JSON values in a file, one to a line, to which a command adds as it goes on: killed, it continues there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fcdl import __version__


class Journal:
    """The values so far, and more; without a folder they are kept in memory only."""

    def __init__(self, folder: Path | None, name: str) -> None:
        self.path = None if folder is None else folder / name
        self.values: list[Any] = []
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists():
                text = self.path.read_text(encoding="utf-8")
                whole = text[: text.rfind("\n") + 1]  # the last line may have been cut off
                self.values = [json.loads(line) for line in whole.splitlines()]
                self.path.write_text(whole, encoding="utf-8")

    def add(self, value: Any) -> None:
        """One more, kept at once."""
        self.values.append(value)
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(value) + "\n")


def manifest(started: str) -> dict[str, str]:
    """What is told of a measurement besides its figures."""
    return {"version": __version__, "started": started}
