"""Games as Python programs use them."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fcdl import model
from fcdl.agents import Agent, AgentError, AgentSource, make_agent
from fcdl.api.actions import Actions
from fcdl.api.state import EngineState, State
from fcdl.arena.executors import executor
from fcdl.arena.rows import game_rows
from fcdl.arena.run import Run, Runner
from fcdl.arena.simulate import Counting, Setup, Simulation, agent_text, seatings, simulate, split_agents
from fcdl.arena.tournament import Schedule, Tournament
from fcdl.engines import make_engine
from fcdl.errors import FcdlError
from fcdl.language.diagnostics import ChartError, Finding
from fcdl.language.load import Checked, load_text
from fcdl.language.load import load as load_chart
from fcdl.model.engine import Engine
from fcdl.model.events import Observation
from fcdl.model.game import GameError

if TYPE_CHECKING:
    from fcdl.api.encoder import Encoder
    from fcdl.beliefs.sampler import Beliefs
    from fcdl.engines.native.engine import NativeEngine, Playouts
    from fcdl.heuristics import Heuristics


def load(
    chart: str | Path, players: int | None = None, *, options: Mapping[str, str | int] | None = None, **more: str | int
) -> Game:
    """The game of a chart: a built-in name, a file, or the chart's text; `more` are options of the game.

    Raises ChartError with all findings if the chart has errors, GameError for players or options that it does not have.
    """
    checked = _checked(chart)
    if checked.flowchart is None:
        raise ChartError(checked.findings, checked.filename, checked.source)
    name = "game" if _is_text(chart) else Path(chart).stem
    return Game.make(checked.flowchart, name=name, players=players, options={**(options or {}), **more})


def check(chart: str | Path) -> list[Finding]:
    """Everything that is wrong with a chart (a built-in name, a file, or the chart's text), in order."""
    return _checked(chart).findings


def _checked(chart: str | Path) -> Checked:
    return load_text(str(chart)) if _is_text(chart) else load_chart(chart)


def _is_text(chart: str | Path) -> bool:
    return isinstance(chart, str) and "\n" in chart


@dataclass(frozen=True)
class Game(model.Game):
    """A chart with its players and options fixed: starts games, and answers what can be asked of the rules alone."""

    def __repr__(self) -> str:
        options = "".join(f", {name}={self.option_text(name)}" for name in self.options)
        return f"<{self.name}, {self.players} player{'s' if self.players > 1 else ''}{options}>"

    # --- playing

    def new(self, seed: int | None = None) -> State:
        """A new game at its first decision; the same seed gives the same game, None gives a new one each time."""
        if seed is None:
            seed = secrets.randbits(64)
        elif not isinstance(seed, int):
            raise GameError(f"a seed is a whole number, not {seed!r}")
        return self._state_of(self, seed & (2**64 - 1))

    @cached_property
    def _state_of(self) -> Callable[[Game, int], State]:
        """What makes a state of a game and a seed."""
        if self._native is None:
            return EngineState
        from fcdl.api.native import NativeState

        return NativeState.of

    @cached_property
    def engine(self) -> Engine:
        """What plays the game: the C engine, or clingo where that was not built."""
        return make_engine(self)

    @cached_property
    def _native(self) -> NativeEngine | None:
        return self.engine if hasattr(self.engine, "play_games") else None  # type: ignore[return-value]

    @property
    def native(self) -> NativeEngine:
        """The C engine; raises FcdlError where it was not built."""
        if self._native is None:
            raise FcdlError("this needs the native engine, which is not there")
        return self._native

    @cached_property
    def actions(self) -> Actions:
        """All moves of the game; a move's place in this table is its number."""
        return Actions(self)

    # --- players

    def agent(self, source: AgentSource) -> Agent:
        """A computer player: a text as on the command line (`ismcts:ms=100`, `mymodule:MyAgent`) or a class."""
        return make_agent(source, self)

    def simulate(
        self,
        agents: str | Sequence[AgentSource],
        games: int = 100,
        *,
        seed: int | str = 0,
        rotate: str = "turn",
        mirror: bool = False,
        watch: Sequence[str] = (),
        jobs: int = 1,
    ) -> Results:
        """Games between agents, one for each seat (`"a/b"`, or texts, classes and agents); seats rotate.

        `mirror` deals the same cards for all seatings; `watch` names variables whose last values are wanted; `jobs` are
        processes. Raises AgentError before anything is played.
        """
        sources = split_agents(agents) if isinstance(agents, str) else tuple(agents)
        if len(sources) != self.players:
            raise AgentError(f"{self.players} players need {self.players} agents, not {len(sources)}")
        order = seatings(tuple(map(agent_text, sources)), rotate, mirror=mirror)
        setup = Setup(self, "native", sources, str(seed), order, mirror=mirror, watch=tuple(watch))
        with Runner(setup, jobs) as runner:
            simulation = Simulation(setup, runner.sees_all)
            rows = [
                row for index, played in simulate(runner, simulation, games) for row in game_rows(setup, index, played)
            ]
        return Results(simulation.summary(), rows)

    def tournament(
        self, agents: str | Sequence[AgentSource], games: int = 100, *, seed: int | str = 0, jobs: int = 1
    ) -> dict[str, Any]:
        """Every agent against every other, up to 20 times `games` until it is decided who is better: what
        `fcdl tournament --json` prints.
        """
        sources = split_agents(agents) if isinstance(agents, str) else tuple(agents)
        whole = Tournament(Setup(self, "native", sources, str(seed)), Schedule(games, 20 * games, Counting()))
        with Run(executor(jobs)) as run:
            for _ in whole.play(run):
                pass
        return whole.summary()

    def rewards(self, scores: Sequence[int]) -> list[float]:
        """Scores as rewards that add up to nothing: each minus the mean; reversed where the lowest score wins."""
        mean, sign = sum(scores) / len(scores), -1 if self.flowchart.lowest_wins else 1
        return [sign * (score - mean) for score in scores]

    # --- knowledge

    @cached_property
    def encoder(self) -> Encoder:
        """Turns observations into vectors of numbers."""
        from fcdl.api.encoder import Encoder

        return Encoder(self)

    def worlds(self, observation: Observation, count: int, seed: int = 0) -> list[World]:
        """Worlds that agree with what a seat has seen, drawn with their probabilities; playable.

        Others are taken to have chosen any of their moves alike. Raises FcdlError where no world can be found.
        """
        from fcdl.api.native import NativeState

        found = self._beliefs.sample(observation, count, seed)
        return [
            World(float(weight), self.native.zones(position), NativeState.of(self, seed + place, position, None))
            for place, (position, weight) in enumerate(zip(found.positions, found.weights, strict=True))
        ]

    @cached_property
    def _beliefs(self) -> Beliefs:
        from fcdl.beliefs.sampler import Beliefs

        return Beliefs(self.native)

    def heuristics(self, seconds: float | None = None) -> Heuristics:
        """What is worth doing, derived from the chart alone: `rows()` for programs, `str` for people.

        Without a time limit there is a limit of work, so that the result is always the same.
        """
        from fcdl.heuristics import derive
        from fcdl.heuristics.clock import WORK

        return derive(self, work=WORK if seconds is None else None, seconds=seconds)

    # --- many games, and the rules themselves

    def playouts(self, count: int, seed: int = 0, *, threads: int = 1) -> Playouts:
        """Plays so many games at random in C: `scores` has a row for each; `moves` and `reasons` are summed up."""
        return self.native.play_games(count, seed, threads=threads)

    def draw(self, path: str | Path) -> None:
        """Draws the flowchart; the ending says what: .svg, .png, .dot (Graphviz), .mmd (Mermaid)."""
        from fcdl.drawing import draw, form_of

        Path(path).write_bytes(draw(self.flowchart, form_of(path)))


@dataclass(frozen=True, slots=True)
class World:
    """One hidden world: its weight (all weights add up to 1), its cards by zone, and a state to play on from.

    That state has no past, so nobody has an observation in it.
    """

    weight: float
    zones: Mapping[str, tuple[str, ...]]
    state: State


@dataclass(frozen=True, slots=True)
class Results:
    """Games between agents: `summary` is what `fcdl simulate --json` prints; `rows` has every seat of every game."""

    summary: dict[str, Any]
    rows: list[dict[str, Any]]
