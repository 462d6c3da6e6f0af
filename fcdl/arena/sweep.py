"""An agent against others on the same deals, for one value of a parameter after the other."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fcdl.agents import AgentError
from fcdl.arena.play import Played
from fcdl.arena.plots import STEPS, line_chart, row_chart
from fcdl.arena.run import Run
from fcdl.arena.simulate import Counting, Setup, Simulation, seatings, simulate


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Contest:
    """A table at which one agent, or every other seat, is open; the others are given."""

    setup: Setup
    """Without agents and seatings."""
    against: str
    counting: Counting
    pairs: bool = False
    """Whether the agent has every other seat; otherwise it has one."""

    def __post_init__(self) -> None:
        if self.pairs and self.setup.game.players % 2:
            raise AgentError("pairs need an even number of players")

    def seated(self, agent: str, seed: str | None = None) -> Setup:
        """The games of an agent; an agent against itself is called `agent:` so that the two are told apart."""
        number = self.setup.game.players
        against = self.against
        if against == agent:
            against = f"{agent}," if ":" in agent else f"{agent}:"
        names = tuple((agent, against) * (number // 2)) if self.pairs else (agent, *[against] * (number - 1))
        order = seatings(names, mirror=self.setup.mirror)
        return replace(self.setup, sources=names, seatings=order, seed=seed or self.setup.seed)

    def play(
        self, run: Run, agent: str, games: int, seed: str | None = None
    ) -> tuple[Simulation, Iterator[tuple[int, Played]]]:
        """The results of an agent, which come with its games."""
        runner = run.runner(self.seated(agent, seed))
        simulation = Simulation(runner.setup, runner.sees_all, self.counting)
        return simulation, simulate(runner, simulation, games)


def share(simulation: Simulation) -> Figure:
    """The share of games that the agent won."""
    row = simulation.sides[0].summary(simulation.counting)
    return Figure(row["win_rate"], *row["wilson"])


def points(simulation: Simulation) -> Figure:
    """The agent's mean score."""
    scores = simulation.sides[0].scores
    z = statistics.NormalDist().inv_cdf((1 + simulation.counting.confidence) / 2)
    half = z * scores.deviation / max(1, scores.count) ** 0.5
    return Figure(scores.mean, scores.mean - half, scores.mean + half)


@dataclass(frozen=True, slots=True)
class Value:
    """What one value of the parameter gave."""

    value: str
    agent: str
    simulation: Simulation

    def summary(self) -> dict[str, Any]:
        """As JSON."""
        won, scored = share(self.simulation), points(self.simulation)
        row = self.simulation.sides[0].summary(self.simulation.counting)
        return {
            "value": self.value,
            "agent": self.agent,
            "games": self.simulation.games,
            "win_rate": won.value,
            "wilson": [won.low, won.high],
            "mean_score": scored.value,
            "score_interval": [scored.low, scored.high],
            "ms_per_move": row["ms_per_move"],
        }


PLOTTED = {"win": "games won, %", "score": "mean score", "time": "ms a move"}
"""What can be drawn of a curve."""


def picture(heading: str, key: str, rows: Sequence[Mapping[str, Any]], plot: str = "win") -> str:
    """The curve of these values (`Value.summary`) as SVG; values that are words are drawn as rows."""

    def figure(row: Mapping[str, Any]) -> Figure:
        match plot:
            case "win":
                return Figure(100 * row["win_rate"], *(100 * bound for bound in row["wilson"]))
            case "score":
                return Figure(row["mean_score"], *row["score_interval"])
            case _:
                return Figure(row["ms_per_move"], row["ms_per_move"], row["ms_per_move"])

    try:
        pairs = [(float(row["value"]), figure(row)) for row in rows]
    except ValueError:
        return row_chart(heading, PLOTTED[plot], [(row["value"], figure(row)) for row in rows])
    return line_chart(heading, key, PLOTTED[plot], pairs, (), STEPS[0])
