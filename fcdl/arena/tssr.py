"""The true state sampling ratio (TSSR): how much likelier a model of the others makes the true world than chance does.

Rebstock (2019), section 5.2: TSSR = η(s*|I) · |I|, the probability of the true world among those that a seat cannot
tell apart, by the model, over its probability if all of them are equally likely (5.2). Where there are more worlds than
are looked at, n of them are drawn, and the ratio is what it comes to if the true one is k of them, by the probability
of k (5.3). So it is at most n.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fcdl.agents import Agent, make_agent
from fcdl.agents.inference import engine_with
from fcdl.arena.executors import Failure, Worker
from fcdl.arena.measures import CONFIDENCE
from fcdl.arena.play import BrokenGameError, play
from fcdl.beliefs.models import PolicyModel
from fcdl.beliefs.sampler import Beliefs, NoWorldError
from fcdl.beliefs.weights import Decisions, Numbers, Policy
from fcdl.engines.native.engine import NativeEngine, State
from fcdl.errors import FcdlError
from fcdl.language.diagnostics import did_you_mean
from fcdl.language.flowchart import Type
from fcdl.language.sight import sees_value
from fcdl.model.engine import State as AnyState
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move
from fcdl.model.table import Table

SEAT = "seat"
"""Not a variable: the seat whose worlds they are."""
LEAST_PROBABILITY = 1e-7
"""Numbers of copies of the true world that are less likely are left out (as in the thesis)."""
RESAMPLES = 1000
"""Of the bootstrap."""


class RatioError(FcdlError):
    """Something that cannot be measured."""

    exit_code = 2


def ratio(true: float, others: Numbers, shares: Numbers, chance: float) -> float:
    """TSSR by equation 5.3, from logarithms of probabilities: of the true world, and of others that were drawn.

    `shares` says how often each of the others counts (logarithm); `chance` is the part of all that were drawn which are
    the true one, 0 if there are so many worlds that it was not.
    """
    if not len(others) or chance >= 1:
        return 1.0
    mean = math.exp(_log_mean(others, shares) - true) if true > -math.inf else math.inf
    if chance <= 0:
        return (len(others) + 1) / (1 + len(others) * mean)
    drawn = round(len(others) / (1 - chance))
    total = 0.0
    for copies in range(1, drawn + 1):
        likely = math.exp(
            math.lgamma(drawn + 1) - math.lgamma(copies + 1) - math.lgamma(drawn - copies + 1)
            + copies * math.log(chance) + (drawn - copies) * math.log1p(-chance)
        )  # fmt: skip
        if likely > LEAST_PROBABILITY or copies == 1:
            total += likely * copies / (copies + (drawn - copies) * mean)
        elif copies > drawn * chance:
            break
    return total / chance


def _log_mean(values: Numbers, shares: Numbers) -> float:
    """The logarithm of the mean of numbers whose logarithms are given, each with its share."""
    sums, weights = values + shares, shares
    return float(np.logaddexp.reduce(sums) - np.logaddexp.reduce(weights))


@dataclass(frozen=True, slots=True)
class Measured:
    """A decision: how many cards had been played (None: not even the first was due), groups, the ratio, its quality."""

    cards: int | None
    groups: tuple[str, ...]
    ratio: float
    worlds: int | None
    """How many worlds there are, if that can be counted."""
    exact: bool
    """Whether worlds were drawn by counting."""


@dataclass(frozen=True)
class Study:
    """Games in which ratios are measured: a `Work`, whose pieces are games."""

    game: Game
    model: str
    agents: tuple[str, ...]
    """One for each seat; none: everybody plays by the model."""
    seed: str
    worlds: int = 1000
    """How many are drawn for each decision."""
    by: tuple[str, ...] = ()
    """Variables of the chart, or `seat`: what decisions are grouped by."""
    decisions: int | None = None
    """So many of a game, at random; None: all."""

    def __post_init__(self) -> None:
        variables = self.game.flowchart.variables
        public = [name for name, variable in variables.items() if sees_value(variable, None)]
        for name in self.by:
            if name in variables and name not in public:
                raise RatioError(f"'{name}' is secret: only what everybody sees can be grouped by")
            if name not in public and name != SEAT:
                hint = did_you_mean(name, [*public, SEAT]) or f"variables: {', '.join(public)}, or {SEAT}"
                raise RatioError(f"{self.game.flowchart.title} has no variable '{name}' ({hint})")
        if self.agents and len(self.agents) != self.game.players:
            raise RatioError(f"{self.game.players} players need {self.game.players} agents, not {len(self.agents)}")

    @cached_property
    def key(self) -> str:
        """Equal for studies whose figures are the same."""
        game = self.game
        options = {name: str(value) for name, value in game.options.items()}
        parts: list[object] = ["tssr", game.flowchart.hash, game.players, options, self.model, self.agents, self.seed]
        parts += [self.worlds, self.by, self.decisions]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]

    def worker(self) -> Worker:
        """Plays and measures game `n`."""
        return _Measuring(self).game

    def to_json(self, piece: list[Measured]) -> list[Any]:
        """The figures of a game as they are written in the journal."""
        return [[one.cards, one.groups, one.ratio, one.worlds, one.exact] for one in piece]

    def from_json(self, value: Any) -> list[Measured]:
        """The figures in the journal."""
        return [Measured(cards, tuple(groups), float(ratio), n, exact) for cards, groups, ratio, n, exact in value]


_PLAIN: dict[str, Policy] = {
    "uniform": lambda decisions: 1 / decisions.choices,
    "equal": lambda decisions: np.ones(len(decisions)),
}
"""Models that are no policy."""


class _ByModel:
    """Plays as a model says, which may look at all cards where its policy does."""

    clairvoyant = True

    def __init__(self, engine: NativeEngine, model: PolicyModel | None) -> None:
        self.engine, self.model = engine, model
        self.position = b""

    def peek(self, position: bytes) -> None:
        """The true position of the next choice."""
        self.position = position

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        """Any move, each as likely as the model says."""
        if len(legal) == 1 or self.model is None:
            return legal[rng.randrange(len(legal))]
        numbers, chances = self.model.probabilities(self.engine.telling_program, self.position)
        number = rng.choices(numbers, chances.tolist())[0]
        return self.engine.move(self.engine.state(self.position), number)


class _Measuring:
    """Engine, players and beliefs of a study in one process."""

    def __init__(self, study: Study) -> None:
        self.study = study
        game = study.game
        try:
            self.engine = engine_with(game, study.model)
        except ImportError:
            raise RatioError("this needs the native engine, which is not available here") from None
        policy = None if study.model in _PLAIN else PolicyModel(self.engine.compiled_policies[study.model])
        self.model: Policy = policy or _PLAIN[study.model]
        self.beliefs = Beliefs(self.engine, self.model)
        self.agents: list[Agent] = (
            [make_agent(agent, game) for agent in study.agents]
            if study.agents
            else [_ByModel(self.engine, policy) for _ in range(game.players)]
        )

    def game(self, index: int) -> list[Measured] | Failure:
        """The figures of game `index`."""
        study = self.study
        shift = index % len(self.agents)
        agents = [*self.agents[shift:], *self.agents[:shift]]
        names = [*study.agents[shift:], *study.agents[:shift]] or [study.model] * len(agents)
        witness = _Witness(self, random.Random(f"{study.seed}/{index} decisions"))
        try:
            play(self.engine, agents, f"{study.seed}/{index}", f"{study.seed}/{index}", names=names, witness=witness)
        except BrokenGameError as error:
            return Failure(index, str(error), error.record)
        return witness.measured(index)


@dataclass(frozen=True, slots=True)
class _Position:
    """A position in which somebody decides: what is needed to measure there later."""

    state: State
    seat: int
    legal: tuple[Move, ...]
    cards: int | None
    true: float
    """The logarithm of the probability of what the others have decided since all cards were shuffled."""


class _Witness:
    """Sees a game, and keeps its positions with the probability of what led to them."""

    def __init__(self, measuring: _Measuring, rng: random.Random) -> None:
        self.measuring, self.rng = measuring, rng
        self.positions: list[_Position] = []
        self.cards = 0
        self.decided: list[tuple[int, float]] = []

    def decision(self, state: AnyState, seat: int, legal: Sequence[Move], move: Move) -> None:
        """In a position a seat has chosen a move."""
        assert isinstance(state, State)
        engine = self.measuring.engine
        for event in engine.latest(state):
            if event.kind == "shuffle" and event.source == "pack" and event.number == len(engine.game.cards):
                self.cards, self.decided = 0, []
            elif event.kind == "play":
                self.cards += event.number or 1
        first = not self.cards and not any(one.kind == "play" for one in legal)
        true = sum(likely for who, likely in self.decided if who != seat)
        self.positions.append(_Position(state, seat, tuple(legal), None if first else self.cards, true))
        if len(legal) > 1:
            self.decided.append((seat, self._likely(state, move, len(legal))))

    def _likely(self, state: State, move: Move, choices: int) -> float:
        """The logarithm of the probability of a move."""
        engine, model = self.measuring.engine, self.measuring.model
        number = np.array([engine.move_id(state, move)], np.int32).tobytes()
        packed = (state.data, number, np.array([choices], np.int32).tobytes(), np.ones(1, np.int32).tobytes())
        return math.log(float(model(Decisions(engine.telling_program, packed))[0]))

    def end(self, state: AnyState) -> None:
        """The last position."""

    def measured(self, index: int) -> list[Measured]:
        """The ratios of the decisions of this game."""
        study, wanted = self.measuring.study, self.positions
        if study.decisions is not None and len(wanted) > study.decisions:
            chosen = sorted(self.rng.sample(range(len(wanted)), study.decisions))
            wanted = [wanted[place] for place in chosen]
        tables = [Table(study.game) for _ in range(study.game.players)]
        found = []
        for number, position in enumerate(wanted):
            observation = self.measuring.engine.observe(position.state, position.seat)
            try:
                found.append(self._measure(position, observation, tables[position.seat], 1_000_003 * index + number))
            except NoWorldError:
                continue
        return found

    def _measure(self, position: _Position, observation: Observation, table: Table, seed: int) -> Measured:
        study, beliefs = self.measuring.study, self.measuring.beliefs
        drawn = beliefs.drawn(observation, study.worlds, seed, position.legal)
        judged = drawn.judged
        try:
            count = beliefs.count(observation)
        except FcdlError:
            count = None
        found = [(self._world(data), round(value, 9)) for data, value in zip(drawn.positions, judged, strict=True)]
        different = dict(zip(found, judged, strict=True))
        if len(different) == count:
            all_of_them = np.fromiter(different.values(), np.float64)
            value = count * math.exp(position.true - float(np.logaddexp.reduce(all_of_them)))
        else:
            true = (self._world(position.state.data), round(position.true, 9))
            other = np.array([world != true for world in found])
            likely = np.exp(drawn.log_weights - drawn.log_weights.max())
            chance = float(likely[~other].sum() / likely.sum())
            value = ratio(position.true, judged[other], drawn.log_weights[other], chance)
        table.read(observation)
        groups = tuple(_group(study.game, table, name, position.seat) for name in study.by)
        return Measured(position.cards, groups, value, count, drawn.exact)

    def _world(self, position: bytes) -> bytes:
        """A position without the order of its piles; copies of a card are the same."""
        engine = self.measuring.engine
        program = engine.telling_program
        zones = position[program.zones_at :]
        if engine.game.flowchart.deck.copies > 1:
            zones = repr([sorted(cards) for cards in engine.zones(position).values()]).encode()
        return position[: program.variables_size] + zones


def _group(game: Game, table: Table, name: str, seat: int) -> str:
    """The group of a decision by a variable: its value, the seat's own value, or whether the seat is that player."""
    if name == SEAT:
        return str(seat)
    variable = game.flowchart.variables[name]
    value = table.values.get((name, seat if variable.owned else None), "none")
    if variable.type is Type.PLAYER and not variable.owned:
        return name if value == str(seat) else "none" if value == "none" else f"not {name}"
    return value


# --- figures


@dataclass(frozen=True, slots=True)
class Row:
    """The ratios of some decisions: their mean and geometric mean, each with its bootstrap interval by game."""

    groups: tuple[str, ...]
    cards: tuple[int, int] | None
    """From how many cards to how many had been played; None: any number, or for `before`, none was due."""
    before: bool
    decisions: int
    games: int
    mean: float
    interval: tuple[float, float]
    geometric: float
    geometric_interval: tuple[float, float]

    def summary(self, by: Sequence[str]) -> dict[str, Any]:
        """As JSON."""
        return {
            **dict(zip(by, self.groups, strict=True)),
            "cards": "before" if self.before else None if self.cards is None else list(self.cards),
            "decisions": self.decisions, "games": self.games,
            "tssr": self.mean, "interval": list(self.interval),
            "geometric": self.geometric, "geometric_interval": list(self.geometric_interval),
        }  # fmt: skip


def rows(study: Study, games: Sequence[Sequence[Measured]], width: int, confidence: float = CONFIDENCE) -> list[Row]:
    """All decisions, then group by group; of each first all, then by how many cards had been played, by `width`."""
    found = []
    for group in [(), *sorted({one.groups for game in games for one in game if study.by})]:
        here = [one for game in games for one in game if one.groups == group or not group]
        found.append(_row(study, games, group, None, False, confidence))
        if any(one.cards is None for one in here):
            found.append(_row(study, games, group, None, True, confidence))
        for first in sorted({one.cards // width * width for one in here if one.cards is not None}):
            found.append(_row(study, games, group, (first, first + width - 1), False, confidence))
    return found


def _row(
    study: Study,
    games: Sequence[Sequence[Measured]],
    group: tuple[str, ...],
    cards: tuple[int, int] | None,
    before: bool,
    confidence: float,
) -> Row:
    def belongs(one: Measured) -> bool:
        if group and one.groups != group:
            return False
        if before or cards is None:
            return not before or one.cards is None
        return one.cards is not None and cards[0] <= one.cards <= cards[1]

    by_game = [[one.ratio for one in game if belongs(one)] for game in games]
    by_game = [ratios for ratios in by_game if ratios]
    counts = np.array([len(ratios) for ratios in by_game], np.float64)
    named = group or ("all",) * len(study.by)
    sums = np.array([sum(ratios) for ratios in by_game])
    logs = np.array([sum(math.log(max(ratio, 1e-12)) for ratio in ratios) for ratios in by_game])
    rng = np.random.default_rng(0)
    drawn = rng.multinomial(len(by_game), np.full(len(by_game), 1 / len(by_game)), RESAMPLES).astype(np.float64)
    sizes = drawn @ counts
    low, high = (1 - confidence) / 2, (1 + confidence) / 2
    means, geometric = np.quantile(drawn @ sums / sizes, (low, high)), np.quantile(drawn @ logs / sizes, (low, high))
    return Row(
        named,
        cards,
        before,
        int(counts.sum()),
        len(by_game),
        float(sums.sum() / counts.sum()),
        (float(means[0]), float(means[1])),
        math.exp(float(logs.sum() / counts.sum())),
        (math.exp(float(geometric[0])), math.exp(float(geometric[1]))),
    )
