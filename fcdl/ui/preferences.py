"""What a person likes at the table: its speed and its colours; kept in a file for the next time."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from fcdl.ui.store import data_folder

SPEEDS = {"slow": 1.5, "normal": 0.6, "fast": 0.2, "instant": 0.0}
"""Seconds for which a computer's move is shown."""
THEMES = {
    "dark": "textual-dark",
    "light": "textual-light",
    "nord": "nord",
    "gruvbox": "gruvbox",
    "solarized": "solarized-light",
    "dracula": "dracula",
}
"""The names of colours and what Textual calls them."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """What is kept."""

    speed: str = "normal"
    theme: str = "dark"


def preferences() -> Preferences:
    """What was kept, as far as it can be read and makes sense."""
    with suppress(OSError, ValueError, RecursionError):
        found = json.loads(_file().read_text(encoding="utf-8"))
        kept = {field.name: found[field.name] for field in fields(Preferences) if field.name in found}
        read = replace(Preferences(), **kept)
        if read.speed in SPEEDS and read.theme in THEMES:
            return read
    return Preferences()


def remember(**changes: str) -> None:
    """Keeps something for the next time; if that cannot be done, nobody minds."""
    with suppress(OSError):
        file = _file()
        file.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(asdict(replace(preferences(), **changes))) + "\n"
        temporary = file.with_name(f".{file.name}")
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(file)


def nearest_speed(seconds: float) -> str:
    """The speed that shows moves about so long."""
    return min(SPEEDS, key=lambda name: abs(SPEEDS[name] - seconds))


def faster(speed: str, by: int) -> str:
    """The next speed: faster, or slower with a negative number."""
    names = list(SPEEDS)
    return names[max(0, min(len(names) - 1, names.index(speed) + by))]


def _file() -> Path:
    return data_folder() / "preferences.json"
