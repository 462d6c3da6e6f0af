"""Many games between the same agents: seats rotated, results the same for any number of jobs."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fcdl.agents import AgentError, AgentSource
from fcdl.agents.own import source_name
from fcdl.arena.executors import Player, Worker
from fcdl.arena.measures import CONFIDENCE, Spread, signed_rank, wilson
from fcdl.arena.play import Played
from fcdl.arena.watching import check_watch
from fcdl.model.game import Game

if TYPE_CHECKING:
    from fcdl.arena.run import Runner

Seating = tuple[int, ...]
"""By seat, the number of the agent that sits there."""


@dataclass(frozen=True)
class Setup:
    """What is played, by whom, and from which seed: a `Work`, whose pieces are games."""

    game: Game
    engine: str
    sources: tuple[AgentSource, ...]
    seed: str
    seatings: tuple[Seating, ...] = ()
    """They take turns, one for each game; a *round* has each of them once."""
    mirror: bool = False
    """Whether all games of a round have the same deal."""
    open_cards: bool = False
    """Whether every agent that can sees the true position."""
    watch: tuple[str, ...] = ()
    """Variables whose last values are wanted, and diamonds whose answers are counted."""
    records: bool = False
    """Whether records of the games are wanted."""

    def __post_init__(self) -> None:
        check_watch(self.game.flowchart, self.watch)

    @cached_property
    def agents(self) -> tuple[str, ...]:
        """The names of the agents."""
        return tuple(map(agent_text, self.sources))

    def seating(self, index: int) -> Seating:
        """Which agent sits where in game `index`."""
        return self.seatings[index % len(self.seatings)]

    def deal(self, index: int) -> str:
        """The seed of the deal of game `index`."""
        return f"{self.seed}/{index // len(self.seatings) if self.mirror else index}"

    @cached_property
    def key(self) -> str:
        """Equal for setups whose games are the same: the chart, the rules, who plays and what is written down."""
        game = self.game
        parts: list[object] = [
            game.flowchart.hash,
            game.players,
            {name: str(value) for name, value in game.options.items()},
        ]
        parts += [self.engine == "asp", self.agents, self.seed, self.seatings, self.mirror, self.open_cards, self.watch]
        return hashlib.sha256(json.dumps([*parts, self.records], sort_keys=True).encode()).hexdigest()[:16]

    def worker(self) -> Worker:
        """Plays game `n`; what cannot be played is a Failure."""
        return Player(self).play

    def to_json(self, piece: Played) -> list[Any]:
        """A game as it is written in the journal."""
        return piece.to_json(self.game)

    def from_json(self, value: Any) -> Played:
        """The game in the journal; raises what damaged values raise."""
        return Played.from_json(value, self.game)

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The different agents; equal ones are on one side."""
        return tuple(dict.fromkeys(self.agents))


def seatings(agents: Sequence[str], rotate: str = "turn", *, mirror: bool = False) -> tuple[Seating, ...]:
    """The seatings of agents, one for each seat.

    `turn`: everybody moves on by one seat, so that each agent has each seat equally often; `all`: every order in which
    something changes; `none`: as given. With mirrored deals a seating of equal agents that looks like another is left
    out: it would be the same game again.
    """
    number = len(agents)
    if rotate == "none":
        return (tuple(range(number)),)
    orders: Iterator[Seating]
    if rotate == "all":
        orders = itertools.permutations(range(number))
    else:
        orders = (tuple((seat + shift) % number for seat in range(number)) for shift in range(number))
    if rotate == "turn" and not mirror:
        return tuple(orders)
    return tuple({tuple(agents[agent] for agent in order): order for order in orders}.values())


def agent_text(source: AgentSource) -> str:
    """What an agent is called."""
    return source if isinstance(source, str) else source_name(source)


def split_agents(text: str) -> tuple[str, ...]:
    """The agents of `a/b/c`; raises AgentError where one is missing."""
    agents = tuple(name.strip() for name in text.split("/"))
    if "" in agents:
        raise AgentError(f"'{text}' has no agent at place {agents.index('') + 1}")
    return agents


@dataclass(frozen=True, slots=True)
class Counting:
    """How results are counted."""

    confidence: float = CONFIDENCE
    """Of the Wilson intervals."""
    ties: str = "share"
    """What a tie for the best score is worth: one of TIES."""


TIES = {
    "share": "n players (or teams) with the best score win 1/n of the game each: of two, a draw is half a win",
    "drop": "games in which others have the best score, too, are left out",
    "win": "everybody with the best score has won",
}


def conditions(game: Game, setup: Setup, counting: Counting) -> dict[str, Any]:
    """How games are played and counted, for the JSON of simulations and tournaments."""
    return {
        "game": game.name,
        "options": {name: game.option_text(name) for name in game.options},
        "players": game.players,
        "engine": setup.engine,
        "seed": setup.seed,
        "mirror": setup.mirror,
        "open": setup.open_cards,
        "confidence": counting.confidence,
        "ties": counting.ties,
    }


@dataclass(slots=True)
class Tally:
    """The results of one agent, or of all equal agents. In a game they have one or more seats."""

    agent: str
    sees_all: bool
    wins: int = 0
    """Games in which nobody else had the best score."""
    ties: int = 0
    """Games in which others had it, too."""
    losses: int = 0
    shares: float = 0.0
    """Games won, where n sides with the best score have won 1/n each."""
    scores: Spread = field(default_factory=Spread)
    seconds: float = 0.0
    moves: int = 0
    watched: dict[str, Spread] = field(default_factory=dict)
    """Of what is watched for each player."""

    def add(
        self, played: Played, seats: Sequence[int], winners: Sequence[Sequence[int]], watch: Sequence[str] = ()
    ) -> None:
        """One more game, in these seats. Each winner is a team (or one seat); its win is a win of all its members."""
        won = sum(not set(side).isdisjoint(seats) for side in winners)
        self.wins += won == len(winners)
        self.ties += 0 < won < len(winners)
        self.losses += not won
        self.shares += won / len(winners)
        for seat in seats:
            self.scores.add(played.scores[seat])
            self.seconds += played.seconds[seat]
            self.moves += played.moves[seat]
            for name, values in zip(watch, played.watched, strict=False):
                if len(values) == len(played.scores):
                    self.watched.setdefault(name, Spread()).add(values[seat])

    @property
    def games(self) -> int:
        """Games played."""
        return self.wins + self.ties + self.losses

    def won(self, ties: str) -> tuple[float, int]:
        """Games won and games that count, for a way to count ties."""
        match ties:
            case "share":
                return self.shares, self.games
            case "drop":
                return self.wins, self.wins + self.losses
            case _:
                return self.wins + self.ties, self.games

    def summary(self, counting: Counting) -> dict[str, Any]:
        """The agent's row of the contract."""
        won, games = self.won(counting.ties)
        return {
            "agent": self.agent,
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "win_rate": won / games if games else 0.0,
            "wilson": list(wilson(won, games, counting.confidence)),
            "mean_score": self.scores.mean,
            "score_sd": self.scores.deviation,
            "score_min": self.scores.low,
            "score_max": self.scores.high,
            "ms_per_move": 1000 * self.seconds / self.moves if self.moves else 0.0,
            "sees_all": self.sees_all,
        } | {
            f"{name}_{what}": value
            for name, one in self.watched.items()
            for what, value in (("mean", one.mean), ("sd", one.deviation))
        }


class Simulation:
    """The results of games so far; can be read at any time, so that an interrupted run keeps what it has."""

    def __init__(self, setup: Setup, sees_all: Sequence[bool], counting: Counting | None = None) -> None:
        self.setup = setup
        self.game = setup.game
        self.counting = counting or Counting()
        self.tallies = [Tally(agent, sees) for agent, sees in zip(setup.agents, sees_all, strict=True)]
        self.sides = [Tally(side, sees_all[setup.agents.index(side)]) for side in setup.sides]
        self.lengths = Spread()
        self.choices = 0
        self.log_choices = 0.0
        self.log_plays = 0.0
        self.forced_passes = 0
        self.reasons: dict[str, int] = {}
        self.watched = {name: Spread() for name in setup.watch}
        self.first_mover = 0.0
        """Games that whoever had the first decision has won; of n sides that tie each has 1/n."""
        self.round: list[tuple[float, float]] = []
        """Mean scores of the first two sides in the games of a round that is not over."""
        self.differences: list[float] = []
        """By how much the first side's mean score was above the second's, in each finished round."""
        self.started = time.perf_counter()
        self.seconds = 0.0
        """From the start to the last game."""

    @property
    def games(self) -> int:
        """Games played."""
        return self.lengths.count

    def add(self, index: int, played: Played) -> None:
        """Counts one more game."""
        self.seconds = time.perf_counter() - self.started
        winners = self.game.winning_sides(played.scores)
        seating = self.setup.seating(index)
        for number, tally in enumerate(self.tallies):
            if seats := [seat for seat, agent in enumerate(seating) if agent == number]:
                tally.add(played, seats, winners, self.setup.watch)
        means = []
        for tally in self.sides:
            seats = [seat for seat, agent in enumerate(seating) if self.setup.agents[agent] == tally.agent]
            tally.add(played, seats, winners, self.setup.watch)
            means.append(sum(played.scores[seat] for seat in seats) / len(seats))
        if len(means) == 2:
            self._pair(index, means[0], means[1])
        self.lengths.add(sum(played.moves))
        self.choices += played.choices
        self.log_choices += played.log_choices
        self.log_plays += played.log_plays
        self.forced_passes += played.forced_passes
        self.reasons[played.reason] = self.reasons.get(played.reason, 0) + 1
        self.first_mover += sum(played.first in side for side in winners) / len(winners)
        for name, values in zip(self.setup.watch, played.watched, strict=True):
            for value in values:
                self.watched[name].add(value)

    def _pair(self, index: int, first: float, second: float) -> None:
        """Scores are paired by rounds, in which both sides have all seats."""
        self.round.append((first, second))
        if (index + 1) % len(self.setup.seatings) == 0:
            self.differences.append(sum(one - two for one, two in self.round) / len(self.round))
            self.round = []

    def fair_share(self, agents: Collection[int]) -> float:
        """The share of games that these agents, by their numbers, would win if all were equally strong."""
        seated = [
            any(seating[seat] in agents for seat in side) for seating in self.setup.seatings for side in self.game.sides
        ]
        return sum(seated) / len(seated)

    def _numbers(self, side: str) -> list[int]:
        """The agents of a side."""
        return [number for number, agent in enumerate(self.setup.agents) if agent == side]

    @property
    def decided(self) -> bool:
        """Whether the interval of the first side's share leaves out what equally strong sides would have.

        Where everybody with the best score wins, the shares of equally strong sides are unknown; ties are shared then.
        """
        won, games = self.sides[0].won("share" if self.counting.ties == "win" else self.counting.ties)
        low, high = wilson(won, games, self.counting.confidence)
        return not low <= self.fair_share(self._numbers(self.setup.sides[0])) <= high

    def summary(self) -> dict[str, Any]:
        """The JSON of the contract."""
        moves = self.lengths.total
        result: dict[str, Any] = {
            **conditions(self.game, self.setup, self.counting),
            "games": self.games,
            "elapsed_s": self.seconds,
            "moves_mean": self.lengths.mean,
            "moves_sd": self.lengths.deviation,
            "moves_min": self.lengths.low,
            "moves_max": self.lengths.high,
            "branching_mean": self.choices / moves if moves else 0.0,
            "branching_geometric": math.exp(self.log_choices / moves) if moves else 0.0,
            "branching_without_pass": math.exp(self.log_plays / moves) if moves else 0.0,
            "forced_passes_mean": self.forced_passes / self.games if self.games else 0.0,
            "reasons": self.reasons,
            "first_mover": {
                "win_rate": self.first_mover / self.games if self.games else 0.0,
                "wilson": list(wilson(self.first_mover, self.games, self.counting.confidence)),
            },
            "agents": [
                tally.summary(self.counting) | {"fair_share": self.fair_share([number])}
                for number, tally in enumerate(self.tallies)
            ],
        }
        if 1 < len(self.sides) < len(self.tallies):
            result["sides"] = [
                side.summary(self.counting) | {"fair_share": self.fair_share(self._numbers(side.agent))}
                for side in self.sides
            ]
        if len(self.sides) == 2:
            result["decided"] = self.decided
            if self.setup.mirror:
                result["paired_scores"] = asdict(signed_rank(self.differences))
        if self.watched:
            result["watched"] = {
                name: {
                    "mean": one.mean,
                    "sd": one.deviation,
                    "moves_for_each": moves / one.total if one.count == self.games and one.total > 0 else None,
                }
                for name, one in self.watched.items()
            }
        return result


def simulate(
    runner: Runner, simulation: Simulation, games: int, most: int | None = None
) -> Iterator[tuple[int, Played]]:
    """Plays so many games, counts them and yields them; with `most`, as many again until it is decided who is better.

    Whether it is decided is asked after every `games` games only, so that the answer does not depend on the jobs.
    """
    limit = games if most is None else most
    for first in range(0, limit, games):
        for index, played in runner.play(range(first, min(first + games, limit))):
            simulation.add(index, played)
            yield index, played
        if simulation.decided:
            return
