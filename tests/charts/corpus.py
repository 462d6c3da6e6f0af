"""Games written from published rules, as a user would write them: the charts of this folder and those in games/ since.

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
BUILT_IN = FOLDER.parents[1] / "games"
KNOWN = {"crazy_eights", "durak", "hearts", "kings_and_jacks", "oh_hell", "skat", "trumps"}
"""Games that fcdl was made with: players, heuristics and results of their own."""
HERE = sorted(path.stem for path in FOLDER.glob("*.fcdl"))
"""The charts that are not built in."""
NAMES = sorted({*HERE, *(path.stem for path in BUILT_IN.glob("*.fcdl"))} - KNOWN)
WITHOUT_DECISIONS = ("war",)
"""Charts that play themselves."""


def path_of(name: str) -> Path:
    """The file of a chart."""
    return (FOLDER if name in HERE else BUILT_IN) / f"{name}.fcdl"


@cache
def flowchart(name: str) -> Flowchart:
    """A chart, read once."""
    return load_flowchart(str(path_of(name)))


def make_game(name: str, players: int | None = None, options: Mapping[str, str | int] | None = None) -> Game:
    """A game of the corpus with its seats and options."""
    return Game.make(flowchart(name), name=name, players=players, options=options)


def tables() -> list[tuple[str, int]]:
    """Every chart that is not built in with the fewest and with the most players that it allows."""
    return [(name, seats) for name in HERE for seats in sorted(set(flowchart(name).players))]
