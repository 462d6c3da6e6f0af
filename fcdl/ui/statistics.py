"""What a person has achieved: their finished games, summed up by game and opponents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from fcdl.arena.measures import Spread, wilson
from fcdl.errors import FcdlError
from fcdl.language.diagnostics import ChartError
from fcdl.language.load import builtin_names, load_flowchart
from fcdl.model.game import Game
from fcdl.ui.opponents import shown_name
from fcdl.ui.session import HUMAN


@dataclass(slots=True)
class Standing:
    """The games of one kind against the same opponents."""

    game: str
    opponents: str
    games: int = 0
    won: float = 0.0
    """Games won; n sides with the best score have won 1/n each."""
    judged: int = 0
    """Games of which the winner is known: those whose chart is still the same."""
    scores: Spread = field(default_factory=Spread)
    others: Spread = field(default_factory=Spread)

    def summary(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "game": self.game,
            "opponents": self.opponents,
            "games": self.games,
            "won": self.won,
            "win_rate": self.won / self.judged if self.judged else None,
            "wilson": list(wilson(self.won, self.judged)),
            "mean_score": self.scores.mean,
            "best_score": self.scores.high,
            "worst_score": self.scores.low,
            "others_mean_score": self.others.mean,
        }


def standings(records: Path) -> list[Standing]:
    """The finished games in a file of records in which one person sat, those played most often first."""
    found: dict[tuple[str, str], Standing] = {}
    for record in _records(records):
        agents, scores = record["agents"], record["scores"]
        seat = agents.index(HUMAN)
        others = ", ".join(sorted(shown_name(agent) for place, agent in enumerate(agents) if place != seat))
        standing = found.setdefault((record["game"], others), Standing(record["game"], others))
        standing.games += 1
        standing.scores.add(scores[seat])
        for place, score in enumerate(scores):
            if place != seat:
                standing.others.add(score)
        game = _game(record["game"], record["hash"], record["players"], json.dumps(record["options"], sort_keys=True))
        if game is not None:
            winners = game.winning_sides(scores)
            standing.judged += 1
            standing.won += any(seat in side for side in winners) / len(winners)
    return sorted(found.values(), key=lambda standing: -standing.games)


def _records(path: Path) -> Iterator[dict[str, Any]]:
    """Lines that are records of games which one person played to the end; others are left out."""
    if not path.is_file():
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                value = json.loads(line)
                agents, scores = value["agents"], value["scores"]
                whole = agents.count(HUMAN) == 1 and len(agents) == len(scores) == value["players"]
                whole = whole and all(isinstance(score, int) for score in scores) and value["reason"] == "end"
                if whole and isinstance(value["game"], str) and isinstance(value["options"], dict):
                    yield value
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                continue


@cache
def _game(name: str, chart: str, players: int, options: str) -> Game | None:
    """The game, if its chart is built in and has not changed."""
    if name not in builtin_names():
        return None
    try:
        flowchart = load_flowchart(name)
        return (
            Game.make(flowchart, name=name, players=players, options=json.loads(options))
            if flowchart.hash == chart
            else None
        )
    except (FcdlError, ChartError):
        return None
