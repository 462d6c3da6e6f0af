"""Debuggers for tests: of built-in games, and of small charts in files of their own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fcdl.model import Game
from fcdl.ui.debug.chart_file import ChartFile
from fcdl.ui.debug.debugger import Debugger

TRICKS = """
game "Tricks"
players 2
zone won(player): face down
each player has tricks = 0

chart main
    start
    Shuffle
    Deal(3)
    leader = player(0)
again:
    do trick
    cardsRemaining(leader) > 0?  yes -> again
    do scoring
    end

chart trick
    start
    playCard(leader, cards)
    playCard(next(leader), cards)
    rankValue(middle(leader)) >= rankValue(middle(next(leader)))?  yes -> taken
    leader = next(leader)
taken:
    tricks(leader) = tricks(leader) + 1
    Stack.empty
    end

chart scoring
    start
    score(player(0)) = tricks(player(0))
    score(player(1)) = tricks(player(1))
    end
"""
"""Numbers of its nodes: main 0 to 7, trick 8 to 15, scoring 16 to 19; `again` is 4, `taken` 13."""

FAULTY = """
chart main
    start
    nobody = player(7)
    score(nobody) = 1
    end
"""

ENDLESS = """
chart main
    start
    x = 0
again:
    x = 1 - x
    x < 2?  yes -> again
    end
"""


def debug(
    name: str | Path, seats: Sequence[str] | None = None, seed: str = "1", players: int | None = None
) -> Debugger:
    """A debugger for a built-in game or a file."""
    stem = Path(name).stem
    file = ChartFile(str(name), lambda chart: Game.make(chart, name=stem, players=players))
    return Debugger(file, seats, seed)


def write(folder: Path, text: str = TRICKS) -> Path:
    """A chart in a file."""
    path = folder / "tricks.fcdl"
    path.write_text(text)
    return path
