"""The player `best`: `ismcts` as it was measured to be strongest, for every game that was measured (`best.json`).

`python -m tests.best GAME` measures: candidates play against plain `ismcts` with the same time for each move, and the
one that did best is measured again on other deals. A game without a row is played by plain `ismcts`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from fcdl.agents.agent import Agent, AgentKind, parse_agent
from fcdl.agents.search import KINDS as SEARCHING
from fcdl.agents.search import SearchAgent
from fcdl.errors import FcdlError
from fcdl.model.game import Game

PLAIN = "ismcts"
TABLE = "best.json"
NEARLY = 8
"""What was measured counts for up to so many times the time, and down to this part of it."""


@dataclass(frozen=True, slots=True)
class Row:
    """What was found strongest for a game with so many milliseconds a move, and how it did against plain `ismcts`."""

    game: str
    ms: int
    parameters: str
    """Those of `ismcts`, beside the time."""
    win_rate: float
    interval: tuple[float, float]
    games: int
    command: str
    players: int | None = None
    """Of the games; None: it counts for any number."""

    @property
    def agent(self) -> str:
        """The player."""
        return f"{PLAIN}:{self.parameters}"

    @property
    def result(self) -> str:
        """How it did, in words."""
        low, high = self.interval
        return f"{self.win_rate:.0%} ({low:.0%} to {high:.0%}) of {self.games} games against plain {PLAIN}"


@cache
def rows() -> Mapping[str, Sequence[Row]]:
    """All rows, by the hash of the chart."""
    table = json.loads((files(__package__) / TABLE).read_text(encoding="utf-8"))
    return {
        chart: [Row(**{**row, "interval": tuple(row["interval"])}) for row in found] for chart, found in table.items()
    }


def row_for(game: Game, ms: int) -> Row | None:
    """The row of a game that was measured with as many players and nearly so much time, if any was."""
    found = [
        row
        for row in rows().get(game.flowchart.hash, ())
        if row.players in (None, game.players) and 1 / NEARLY <= row.ms / ms <= NEARLY
    ]
    return min(found, key=lambda row: abs(math.log(row.ms / ms)), default=None)


def _make(game: Game, **given: Any) -> Agent:
    """By the row of the game, unless parameters are given; plain where there is none, or it cannot be used here."""
    given = {name: value for name, value in given.items() if value is not None}
    row = row_for(game, given["ms"])
    why = "Nothing was measured for this game with these players and this time."
    if row is not None:
        try:
            strongest = f"This is {row.agent}, the strongest that was measured for this game: {row.result}."
            return _remarking(strongest, row.agent, game, given)
        except FcdlError as error:
            why = f"What was measured to be strongest, {row.agent}, cannot be used here: {error}."
    return _remarking(f"This is plain {PLAIN}. {why}", PLAIN, game, given)


def _remarking(remark: str, text: str, game: Game, given: Mapping[str, Any]) -> Agent:
    """The player of this text, with what is given, that says something about itself."""
    agent = SEARCHING[PLAIN].make(game, **{**parse_agent(text)[1], **given})
    assert isinstance(agent, SearchAgent)
    agent.remark = remark
    return agent


_PARAMETERS = {name: replace(parameter, default=None) for name, parameter in SEARCHING[PLAIN].parameters.items()}
KINDS: Mapping[str, AgentKind] = {
    "best": AgentKind(
        _make,
        "the strongest player for any game within a time limit: ismcts with what was measured to make it strongest",
        _PARAMETERS | {"ms": replace(_PARAMETERS["ms"], default=300)},
    ),
}
