"""Many games between the same agents: seats rotated, results the same for any number of jobs."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fcdl.agents import make_agents
from fcdl.arena.play import Played, play
from fcdl.engines import make_engine
from fcdl.language.load import load_flowchart
from fcdl.model.game import Game

CONFIDENCE_Z = statistics.NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Setup:
    """What is played: the game by name or file, seats, options, engine, agents by agent number, seed, rotation."""

    game: str
    players: int | None
    options: tuple[tuple[str, str], ...]
    engine: str
    agents: tuple[str, ...]
    seed: str
    rotate: bool = True

    def make_game(self) -> Game:
        """The game, for as many players as there are agents unless said; raises ChartError or GameError."""
        players = self.players if self.players is not None else len(self.agents)
        name = Path(self.game).stem
        return Game.make(load_flowchart(self.game), name=name, players=players, options=dict(self.options))

    def seating(self, index: int) -> tuple[int, ...]:
        """Which agent sits where in game `index`: each agent plays each seat equally often."""
        number = len(self.agents)
        shift = index % number if self.rotate else 0
        return tuple((seat + shift) % number for seat in range(number))


@dataclass(slots=True)
class Tally:
    """The results of one agent."""

    agent: str
    wins: int = 0
    ties: int = 0
    losses: int = 0
    shares: float = 0.0
    scores: list[int] = field(default_factory=list)
    seconds: float = 0.0
    moves: int = 0

    def summary(self) -> dict[str, Any]:
        """The agent's row of the contract."""
        games = len(self.scores)
        low, high = wilson(self.shares, games)
        return {
            "agent": self.agent,
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "win_rate": self.shares / games if games else 0.0,
            "wilson": [low, high],
            "mean_score": statistics.fmean(self.scores) if games else 0.0,
            "score_sd": statistics.stdev(self.scores) if games > 1 else 0.0,
            "ms_per_move": 1000 * self.seconds / self.moves if self.moves else 0.0,
        }


def wilson(successes: float, trials: int, z: float = CONFIDENCE_Z) -> tuple[float, float]:
    """The Wilson interval of a share (95 % unless another z is given); (0, 1) without trials."""
    if not trials:
        return (0.0, 1.0)
    share = successes / trials
    centre = share + z * z / (2 * trials)
    spread = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return ((centre - spread) / (1 + z * z / trials), (centre + spread) / (1 + z * z / trials))


class Simulation:
    """The results of games so far; can be read at any time, so that an interrupted run keeps what it has."""

    def __init__(self, setup: Setup, game: Game) -> None:
        self.setup = setup
        self.game = game
        self.tallies = [Tally(agent) for agent in setup.agents]
        self.games = 0
        self.moves = 0
        self.reasons: dict[str, int] = {}
        self.started = time.perf_counter()

    def add(self, index: int, played: Played) -> None:
        """Counts one more game."""
        seating = self.setup.seating(index)
        scores = played.record.scores
        best = min(scores) if self.game.flowchart.lowest_wins else max(scores)
        winners = scores.count(best)
        for seat, agent in enumerate(seating):
            tally = self.tallies[agent]
            won = scores[seat] == best
            tally.wins += won and winners == 1
            tally.ties += won and winners > 1
            tally.losses += not won
            tally.shares += 1 / winners if won else 0
            tally.scores.append(scores[seat])
            tally.seconds += played.seconds[seat]
            tally.moves += played.moves[seat]
        self.games += 1
        self.moves += len(played.record.moves)
        self.reasons[played.record.reason] = self.reasons.get(played.record.reason, 0) + 1

    def summary(self) -> dict[str, Any]:
        """The JSON of the contract."""
        return {
            "game": self.game.name,
            "options": {name: self.game.option_text(name) for name in self.game.options},
            "players": self.game.players,
            "engine": self.setup.engine,
            "seed": self.setup.seed,
            "games": self.games,
            "elapsed_s": time.perf_counter() - self.started,
            "moves_mean": self.moves / self.games if self.games else 0.0,
            "reasons": self.reasons,
            "agents": [tally.summary() for tally in self.tallies],
        }


def run_games(setup: Setup, games: int, jobs: int = 1) -> Iterator[tuple[int, Played]]:
    """Plays games 0 to games - 1 and yields them in order."""
    if jobs <= 1 or games <= 1:
        one = _Worker(setup)
        for index in range(games):
            yield index, one.play(index)
        return
    with ProcessPoolExecutor(jobs, initializer=_start_worker, initargs=(setup,)) as pool:
        chunk = max(1, min(16, games // (4 * jobs)))
        yield from enumerate(pool.map(_play_in_worker, range(games), chunksize=chunk))


class _Worker:
    """Engine and agents of one process."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        game = setup.make_game()
        self.engine = make_engine(game, setup.engine)
        self.agents = make_agents("/".join(setup.agents), game)

    def play(self, index: int) -> Played:
        """Game number `index`, the same in every process."""
        seating: Sequence[int] = self.setup.seating(index)
        agents = [self.agents[agent] for agent in seating]
        names = [self.setup.agents[agent] for agent in seating]
        return play(self.engine, agents, names, f"{self.setup.seed}/{index}")


_worker: Callable[[int], Played] | None = None


def _start_worker(setup: Setup) -> None:
    global _worker  # one per process, set once when it starts
    _worker = _Worker(setup).play


def _play_in_worker(index: int) -> Played:
    assert _worker is not None
    return _worker(index)
