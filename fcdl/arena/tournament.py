"""Every agent against every other, with games added until it is decided which of the two is better."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from fcdl.agents import AgentError
from fcdl.arena.play import Played
from fcdl.arena.run import Run, Runner
from fcdl.arena.simulate import Counting, Seating, Setup, Simulation, conditions, simulate
from fcdl.model.game import Game


def pair_seatings(game: Game) -> tuple[Seating, ...]:
    """Seatings of two agents at a table: alternating around the table, or team by team, in every order.

    With an even number of sides that is two seatings; with an odd one somebody has a side more, and everybody has been
    that.
    """
    number = len(game.sides)
    side_of = {seat: place for place, side in enumerate(game.sides) for seat in side}
    alternating = [tuple((place + first) % 2 for place in range(number)) for first in (0, 1)]
    turned = dict.fromkeys(order[shift:] + order[:shift] for order in alternating for shift in range(number))
    return tuple(tuple(order[side_of[seat]] for seat in range(game.players)) for order in turned)


@dataclass(frozen=True, slots=True)
class Schedule:
    """How many games each pair plays: `games` at a time, at most `most`, until the interval of its share decides."""

    games: int
    most: int
    counting: Counting


@dataclass(slots=True)
class Pair:
    """Two agents and their games so far."""

    agents: tuple[str, str]
    simulation: Simulation
    finished: bool = False

    def summary(self) -> dict[str, Any]:
        """The pair's part of the JSON; win, loss and the like are those of its first agent."""
        result = self.simulation.summary()
        first, second = result["agents"]
        better = 0 if first["win_rate"] > second["win_rate"] else 1
        kept = ("games", "elapsed_s", "moves_mean", "branching_geometric", "reasons", "decided")
        pair = {"agents": list(self.agents)} | {key: result[key] for key in kept}
        pair["better"] = self.agents[better] if result["decided"] else None
        pair |= {key: first[key] for key in ("wins", "ties", "losses", "win_rate", "fair_share", "wilson")}
        pair["mean_scores"] = [first["mean_score"], second["mean_score"]]
        pair["ms_per_move"] = [first["ms_per_move"], second["ms_per_move"]]
        if "paired_scores" in result:
            pair["paired_scores"] = result["paired_scores"]
        return pair


class Tournament:
    """All pairs of the agents of a setup (which has no seatings); agents are checked when it is made."""

    def __init__(self, setup: Setup, schedule: Schedule) -> None:
        if len(setup.agents) < 2:
            raise AgentError("a tournament needs at least two agents (a/b/...)")
        if len(setup.sides) < len(setup.agents):
            twice = next(agent for agent in setup.agents if setup.agents.count(agent) > 1)
            raise AgentError(f"agent '{twice}' is named twice, and would play against itself")
        self.schedule = schedule
        self.setup = replace(setup, seatings=pair_seatings(setup.game))
        self.game, self.sees_all = setup.game, Runner(self.setup).sees_all
        self.pairs: list[Pair] = []

    def play(self, run: Run) -> Iterator[tuple[Pair, int, Played]]:
        """Plays everything and yields the games with their numbers; `pairs` can be read at any time."""
        schedule = self.schedule
        for one, two in itertools.combinations(range(len(self.setup.agents)), 2):
            agents = (self.setup.agents[one], self.setup.agents[two])
            # Mirrored deals are the same for all pairs, other games have a seed of their own.
            seed = self.setup.seed if self.setup.mirror else f"{self.setup.seed}/{agents[0]}/{agents[1]}"
            setup = replace(self.setup, sources=(self.setup.sources[one], self.setup.sources[two]), seed=seed)
            runner = run.runner(setup)
            pair = Pair(agents, Simulation(setup, runner.sees_all, schedule.counting))
            self.pairs.append(pair)
            for index, played in simulate(runner, pair.simulation, schedule.games, schedule.most):
                yield pair, index, played
            pair.finished = True

    def summary(self) -> dict[str, Any]:
        """The results as JSON; an agent's row has its share of all games, and the pairs in which it was better."""
        played = [pair for pair in self.pairs if pair.simulation.games]
        pairs = [pair.summary() for pair in played]
        return {
            **conditions(self.game, self.setup, self.schedule.counting),
            "games": sum(pair["games"] for pair in pairs),
            "max_games": self.schedule.most,
            "finished": all(pair.finished for pair in self.pairs),
            "agents": self._standings(played, pairs),
            "pairs": pairs,
        }

    def _standings(self, played: list[Pair], pairs: list[dict[str, Any]]) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        for agent, sees in zip(self.setup.agents, self.sees_all, strict=True):
            tallies = [tally for pair in played for tally in pair.simulation.tallies if tally.agent == agent]
            counts = [tally.won(self.schedule.counting.ties) for tally in tallies]
            rows.append(
                {
                    "agent": agent,
                    "sees_all": sees,
                    "better_than": sum(pair["better"] == agent for pair in pairs),
                    "worse_than": sum(
                        agent in pair["agents"] and pair["better"] not in (agent, None) for pair in pairs
                    ),
                    "games": sum(tally.games for tally in tallies),
                    "win_rate": sum(won for won, _ in counts) / max(1, sum(games for _, games in counts)),
                }
            )
        return sorted(rows, key=lambda row: (row["better_than"] - row["worse_than"], row["win_rate"]), reverse=True)
