"""The charts of this folder: games written from published rules, as a user would write them.

Nothing in fcdl knows them. What works here works for games that nobody has thought of.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from fcdl.language.flowchart import Flowchart
from fcdl.language.load import load_flowchart
from fcdl.model import Game

FOLDER = Path(__file__).parent
NAMES = sorted(path.stem for path in FOLDER.glob("*.fcdl"))
WITHOUT_DECISIONS = ("war",)
"""Charts that play themselves."""


def path_of(name: str) -> Path:
    """The file of a chart."""
    return FOLDER / f"{name}.fcdl"


@cache
def flowchart(name: str) -> Flowchart:
    """A chart, read once."""
    return load_flowchart(str(path_of(name)))


def make_game(name: str, players: int | None = None, options: Mapping[str, str | int] | None = None) -> Game:
    """A game of the corpus with its seats and options."""
    return Game.make(flowchart(name), name=name, players=players, options=options)


def tables() -> list[tuple[str, int]]:
    """Every chart with the fewest and with the most players that it allows."""
    return [(name, seats) for name in NAMES for seats in sorted(set(flowchart(name).players))]
