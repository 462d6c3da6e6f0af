"""The built-in games as a list to look through: what the first lines of each chart say, without reading the rest."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from fcdl.data import data_text
from fcdl.language import tree
from fcdl.language.diagnostics import Findings
from fcdl.language.load import builtin_names

OTHER = "other games"
"""The genre of a game that names none."""

_FIRST_CHART = re.compile(r"^chart\s", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Entry:
    """A game in the list."""

    name: str
    title: str
    genre: str
    tags: tuple[str, ...]
    rules: str
    """What the chart says it is about, in one line."""
    players: tuple[int, int]

    def fits(self, words: str) -> bool:
        """Whether each of these words stands somewhere in what is said about the game."""
        said = " ".join((self.name, self.title, self.genre, *self.tags, self.rules)).lower()
        return all(word in said for word in words.lower().split())


@cache
def catalogue() -> tuple[Entry, ...]:
    """The built-in games, by genre and title."""
    found = (_entry(name) for name in builtin_names())
    return tuple(sorted(found, key=lambda entry: (entry.genre == OTHER, entry.genre, entry.title)))


def _entry(name: str) -> Entry:
    from fcdl.language.parser import parse_text

    head = _FIRST_CHART.split(data_text("games", f"{name}.fcdl"), maxsplit=1)[0]
    title, genre, tags, about, players = name, OTHER, tuple[str, ...](), list[str](), (2, 2)
    for line in parse_text(head, Findings()).header:
        match line:
            case tree.Title(text):
                title = text
            case tree.Genre((first, *others)):
                genre, tags = first, tuple(others)
            case tree.About(text):
                about.append(text)
            case tree.Players(low, high):
                players = (low, high)
    return Entry(name, title, genre, tags, " ".join(about), players)
