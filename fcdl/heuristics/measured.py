"""Heuristics measured by play: which conditions of the chart's own vocabulary change the result, and by how much.

Games are played at random. In some of their positions every legal move is tried by playouts of the true position; what
a move gains over the mean of the legal moves is explained by the features of the move (`features.py`), which depend on
nothing but what the deciding seat sees, so over many deals the hidden cards average out. Half of the games choose the
features, one by one, each for what the ones before it leave unexplained; the other half measures their weights, so the
intervals are those of weights that were not picked for being large. Errors are clustered by game.
"""

from __future__ import annotations

import random
import threading
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce

import numpy as np
import numpy.typing as npt

from fcdl.engines.native import _engine
from fcdl.engines.native.constants import NO_FUNCTION
from fcdl.engines.native.constants import PASS as PASS_ID
from fcdl.engines.native.engine import NativeEngine, State
from fcdl.engines.native.functions import Function
from fcdl.engines.native.search import Aim, Budget, NoTimeError, Search, Tally
from fcdl.heuristics.english import is_plural
from fcdl.heuristics.features import Decision, decisions
from fcdl.heuristics.layers import game_key
from fcdl.heuristics.symbols import conjunction, negated
from fcdl.heuristics.symbols import number as constant
from fcdl.heuristics.vocabulary import Feature
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import TRUE, Expr, Type
from fcdl.model import RandomChance
from fcdl.model.game import Game

Floats = npt.NDArray[np.float64]

MAX_MOVES = 3000
"""Games are given up after so many moves."""
A_GAME = 2
"""So many decisions are taken from a game."""
ENTER, LEAVE = 3.3, 1.96
"""How many standard errors from 0 a feature must be, where it is chosen and where it is measured."""
AT_MOST = 5
"""So many features of one decision."""
LEAST_PLAYOUTS, MOST_PLAYOUTS = 4, 16
"""Of each move; more decisions say more than more playouts do."""
ENOUGH = 12
"""In so many decisions, at least, a feature must make a difference."""
SENTENCES = 12
"""So many are said."""
AS_GOOD = 0.85
"""A feature that explains so much of what the best one explains is taken instead, if it is simpler."""
WEIGHT = 1000
"""Policies count in whole numbers: a weight of 1 is this much."""
POINTS, WINS = "points", "of a win"
"""The units of results."""
PASSING = Feature("", TRUE, 0)
SCOUTED, QUARTERS = 60, 4
"""In so many games numbers are looked at, for limits that part what they were into so many."""
TWICE, FEW = 80, 30
"""So many decisions are tried in two worlds where nothing is found; with fewer nothing is claimed."""
AT_MOST_SEEN = 60
"""So many moves of a game they come from."""
NOT_EXPLAINED = "No condition that was tried changes the result for certain."
ALL_THE_SAME = (
    "As far as games that are played on at random show, it makes no difference what you do: moves that did better "
    "than others did not do so again with other hidden cards ({decisions} decisions, each tried twice)."
)


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is played: decisions that are looked at for each place where one decides, moves in all, seconds.

    What is found depends on the seconds only where they run out.
    """

    decisions: int = 2000
    moves: int = 20_000_000
    seconds: float = 12.0


NORMAL = Effort()
SMALL = Effort(600, 4_000_000, 4.0)
"""For the table, where nobody waits for long."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a feature of a move is worth in some situation (None: always), with its 95 % interval."""

    decision: Decision
    feature: Feature
    situation: Feature | None
    leads: bool
    """Whether it is about leading."""
    leading: Expr | None
    """Asks about that, where one may lead or not."""
    weight: float
    low: float
    high: float
    cases: int
    """In how many decisions it made a difference."""

    @property
    def passes(self) -> bool:
        """Whether it is about passing."""
        return self.feature is PASSING

    @property
    def worth(self) -> Expr:
        """What it adds to the worth of a move, in thousandths."""
        weight, feature = constant(round(self.weight * WEIGHT)), self.feature.expr
        gain = Expr("multiply", Type.INT, (weight, feature)) if feature.type is Type.INT else weight
        conditions = [
            *([feature] if feature.type is not Type.INT else []),
            *([self.situation.expr] if self.situation is not None else []),
            *([self.leading] if self.leading is not None else []),
        ]
        return Expr("if", Type.INT, (conjunction(conditions), gain, constant(0))) if conditions else gain

    @property
    def parameters(self) -> tuple[tuple[str, Type], ...]:
        """Those of functions about it: me and the move, if that is not to pass."""
        move = self.decision.parameter
        return (("me", Type.PLAYER), *(() if self.passes else ((move.name or "", move.type),)))


@dataclass(frozen=True)
class Measured:
    """What was measured: effects, the strongest first; `note` says why there is nothing, or not all.

    `learned` are for playing: chosen and weighed by all decisions, so their intervals are too narrow.
    """

    game: Game
    effects: tuple[Effect, ...]
    learned: tuple[Effect, ...]
    unit: str
    games: int
    decisions: int
    seed: str
    note: str = ""
    interrupted: bool = False

    @property
    def aim(self) -> Aim:
        """What results are counted in."""
        return aim_of(self.unit)

    @property
    def strongest(self) -> tuple[Effect, ...]:
        """Those that are worth saying."""
        return self.effects[:SENTENCES]

    @cached_property
    def policy(self) -> MeasuredPolicy:
        """What was learned as a policy."""
        return MeasuredPolicy(self.learned)


@dataclass(frozen=True, slots=True)
class MeasuredPolicy:
    """A policy that makes the move of which the measured effects promise most, any of them if there are several."""

    effects: tuple[Effect, ...]
    name: str = "measured"
    epsilon: float = 0.0
    open: bool = False

    @property
    def pauses(self) -> frozenset[int]:
        """None: worths are looked up, not played for."""
        return frozenset()

    def functions(self, flowchart: fc.Flowchart) -> tuple[Function, ...]:
        """What a move is worth, for every node with effects, and what passing is."""
        return tuple(self._functions())

    def _functions(self) -> Iterator[Function]:
        for number in dict.fromkeys(effect.decision.node.number for effect in self.effects):
            for passes in (False, True):
                here = [one for one in self.effects if one.decision.node.number == number and one.passes == passes]
                if here:
                    body = reduce(lambda a, b: Expr("add", Type.INT, (a, b)), [effect.worth for effect in here])
                    yield Function(self._name(number, passes), here[0].parameters, body)

    def _name(self, number: int, passes: bool) -> str:
        return f"{self.name}.{number}{'.pass' if passes else ''}"

    def compiled(self, flowchart: fc.Flowchart, program: _engine.Program, numbers: Mapping[str, int]) -> _engine.Policy:
        """The C engine's form."""
        worth, passing = (
            array("i", [numbers.get(self._name(number, passes), NO_FUNCTION) for number in flowchart.nodes]).tobytes()
            for passes in (False, True)
        )
        return _engine.Policy(program, worth, passing, self.epsilon)


def aim_of(unit: str) -> Aim:
    """What playouts go for where results are counted in this unit."""
    return Aim("game", "win") if unit == WINS else Aim("hand", "score")


def measure(
    game: Game,
    seed: str = "0",
    effort: Effort = NORMAL,
    tell: Callable[[float], None] = lambda part: None,
) -> Measured:
    """Plays and measures; `tell` hears which part of the work is done. KeyboardInterrupt ends the playing early."""
    return _Measuring(game, seed, effort, tell).result()


def measured_for(game: Game, decisions: int = SMALL.decisions) -> Measured:
    """What a little play says of a game, measured once; never raises and takes a few seconds at most."""
    key = (*game_key(game), decisions)
    with _ONE_AT_A_TIME:
        if key not in _FOUND:
            effort = Effort(decisions, SMALL.moves * decisions // SMALL.decisions, SMALL.seconds)
            try:
                _FOUND[key] = measure(game, "0", effort)
            except Exception as error:  # a fault of ours must not end somebody's game
                _FOUND[key] = Measured(game, (), (), "", 0, 0, "0", f"Nothing could be measured ({error}).")
        return _FOUND[key]


def measured_soon(game: Game) -> Measured | None:
    """The same, measured in the background: None until it is there."""
    key = (*game_key(game), SMALL.decisions)
    if key not in _FOUND and key not in _BEGUN:
        _BEGUN.add(key)
        threading.Thread(target=measured_for, args=(game,), daemon=True).start()
    return _FOUND.get(key)


_FOUND: dict[tuple[object, ...], Measured] = {}
_BEGUN: set[tuple[object, ...]] = set()
_ONE_AT_A_TIME = threading.Lock()


@dataclass(slots=True)
class _Sample:
    """A decision in a game, with what its moves gain over their mean, and their features."""

    game: int
    gains: Floats
    moves: Floats
    situations: Floats
    leading: bool


@dataclass(slots=True)
class _Place:
    """A decision of the chart, the functions of its features, and what was seen there."""

    decision: Decision
    moves: tuple[Feature, ...]
    situations: tuple[Feature, ...]
    samples: list[_Sample] = field(default_factory=list)


def at_least(number: Feature, limit: int) -> Feature:
    """The situation that a number is at least this large: `when your total is 16 or more`."""
    test = Expr("greaterEqual", Type.BOOL, (number.expr, constant(limit)))
    verb = "are" if is_plural(number.phrase.split(" of ")[0]) else "is"
    return Feature(f"when {number.phrase} {verb} {limit} or more", test, number.size)


class _Measuring:
    def __init__(self, game: Game, seed: str, effort: Effort, tell: Callable[[float], None]) -> None:
        self.game, self.seed, self.effort, self.tell = game, seed, effort, tell
        self.rng = random.Random(f"measure {seed}")
        self.deadline = time.monotonic() + effort.seconds
        self.games = 0
        self.interrupted = False

    def result(self) -> Measured:
        note = ""
        self.places = {
            found.node.number: _Place(found, found.moves, found.situations) for found in decisions(self.game)
        }
        if not self.places:
            return self._measured((), (), "", "Nobody decides anything in this game.")
        self._find_limits()
        self.engine = self._engine()
        unit = self._unit()
        try:
            out_of_time = self._play(aim_of(unit))
            note = "Time ran out before all decisions were looked at." if out_of_time else ""
        except KeyboardInterrupt:
            self.interrupted = True
            note = "Interrupted: this is what was found so far."
        effects, learned = (
            sorted(
                (effect for place in self.places.values() for effect in _effects(place, honest=honest)),
                key=lambda effect: -abs(effect.weight),
            )
            for honest in (True, False)
        )
        if not any(place.samples for place in self.places.values()):
            note = note or "There is never more than one legal move."
        elif not effects:
            note = f"{note} {NOT_EXPLAINED if self.interrupted else self._nothing_found(aim_of(unit))}".strip()
        return self._measured(effects, learned, unit, note)

    def _measured(self, effects: Sequence[Effect], learned: Sequence[Effect], unit: str, note: str) -> Measured:
        looked_at = sum(len(place.samples) for place in self.places.values())
        return Measured(
            self.game, tuple(effects), tuple(learned), unit, self.games, looked_at, self.seed, note, self.interrupted
        )

    def _find_limits(self) -> None:
        """Situations from the numbers that the chart counts: those that are large, by what some games show."""
        numbers = {
            f"{node} {index}": feature
            for node, place in self.places.items()
            for index, feature in enumerate(place.decision.numbers)
        }
        found = self._counted(numbers) if numbers else {}
        for node, place in self.places.items():
            more = []
            for index, feature in enumerate(place.decision.numbers):
                values = sorted(found.get(f"{node} {index}", ()))
                limits = dict.fromkeys(values[len(values) * part // QUARTERS] for part in range(1, QUARTERS) if values)
                more += [at_least(feature, limit) for limit in limits if limit > values[0]]
            place.decision = replace(place.decision, situations=(*place.decision.situations, *more))

    def _counted(self, numbers: Mapping[str, Feature]) -> dict[str, list[int]]:
        """What the numbers of decisions were in some random games; nothing if they are too large for the engine."""
        from fcdl.engines.native.assembler import TooLargeError

        me = (("me", Type.PLAYER),)
        engine = NativeEngine(self.game, functions=[Function(name, me, one.expr) for name, one in numbers.items()])
        try:
            called = engine.function_numbers
        except TooLargeError:
            return {}
        found: dict[str, list[int]] = {}
        for _ in range(SCOUTED):
            state = engine.new_game(self.rng.getrandbits(63))
            for _ in range(AT_MOST_SEEN):
                if state.is_over or time.monotonic() > self.deadline:
                    break
                legal = state.legal_ids()
                place = self.places.get(state.node)
                for index in range(len(place.decision.numbers) if place is not None and len(legal) > 1 else 0):
                    name = f"{state.node} {index}"
                    found.setdefault(name, []).append(engine.program.call(state.dump(), called[name], (state.mover,)))
                state.apply_id(legal[self.rng.randrange(len(legal))])
        return found

    def _engine(self) -> NativeEngine:
        """An engine that knows the features; if they are too large for it, it knows the simpler ones."""
        from fcdl.engines.native.assembler import TooLargeError

        decided = [place.decision for place in self.places.values()]
        largest = max((one.size for decision in decided for one in (*decision.moves, *decision.situations)), default=0)
        while True:
            for place in self.places.values():
                place.moves = tuple(one for one in place.decision.moves if one.size <= largest)
                place.situations = tuple(one for one in place.decision.situations if one.size <= largest)
            engine = NativeEngine(self.game, functions=list(self._functions()))
            try:
                engine.node_program  # noqa: B018
            except TooLargeError:
                if largest < 0:
                    raise
                largest -= 1
            else:
                return engine

    def _functions(self) -> Iterator[Function]:
        for number, place in self.places.items():
            move = (place.decision.parameter.name or "", place.decision.parameter.type)
            for index, feature in enumerate(place.moves):
                yield Function(f"{number} move {index}", (("me", Type.PLAYER), move), feature.expr)
            for index, feature in enumerate(place.situations):
                yield Function(f"{number} situation {index}", (("me", Type.PLAYER),), feature.expr)
            if place.decision.leading is not None:
                yield Function(f"{number} leading", (("me", Type.PLAYER),), place.decision.leading)

    def _unit(self) -> str:
        """What results are counted in: points; but the win where there are only winners and losers."""
        played = self.engine.play_games(100, self.rng.getrandbits(63))
        self.moves_left = min(100, max(1, played.moves / 100)) / 2  # of a hand, if a game has many
        results = {tuple(sorted(row)) for row in played.scores.tolist()}
        if len(results) == 1 and self.game.players > 1:
            return WINS
        return POINTS

    # Playing

    def _play(self, aim: Aim) -> bool:
        """Looks at decisions until there are enough; returns whether time ran out."""
        wanted, taken = self.effort.decisions, Counter[int]()
        barren = 0
        total = wanted * len(self.places)
        while barren < 50:
            if time.monotonic() > self.deadline:
                return True
            found = self._decisions(taken, wanted)
            barren = 0 if found else barren + 1
            for number, position, seat, legal in found:
                taken[number] += 1
                self._look(number, position, seat, legal, aim)
            self.games += 1
            self.tell(min(1.0, sum(taken.values()) / total))
        return False

    def _decisions(self, taken: Mapping[int, int], wanted: int) -> list[tuple[int, bytes, int, Sequence[int]]]:
        """Some decisions of a random game, at places that have been seen least."""
        state = self.engine.new_game(self.rng.getrandbits(63))
        found: dict[int, list[tuple[int, bytes, int, Sequence[int]]]] = {}
        for _ in range(MAX_MOVES):
            if state.is_over:
                break
            legal, number = state.legal_ids(), state.node
            if len(legal) > 1 and number in self.places and taken[number] < wanted:
                found.setdefault(number, []).append((number, state.dump(), state.mover, legal))
            state.apply_id(legal[self.rng.randrange(len(legal))])
        chosen = sorted(found, key=lambda number: taken[number])[:A_GAME]
        return [found[number][self.rng.randrange(len(found[number]))] for number in chosen]

    def _look(self, number: int, position: bytes, seat: int, legal: Sequence[int], aim: Aim) -> None:
        """Tries all moves of a position."""
        moves = self.effort.moves / (self.effort.decisions * len(self.places))
        playouts = int(min(MOST_PLAYOUTS, max(LEAST_PLAYOUTS, moves / (len(legal) * self.moves_left))))
        tallies = self._tried(position, seat, playouts, aim)
        if len(tallies) < 2 or not all(tally.visits for tally in tallies):
            return
        place, numbers = self.places[number], self.engine.function_numbers
        values = np.array([tally.value for tally in tallies])
        described = np.zeros((len(tallies), len(place.moves) + 1))
        passes = np.array([tally.number == PASS_ID and place.decision.may_pass for tally in tallies])
        described[passes, -1] = 1
        made: list[tuple[int, ...]] = [
            (seat, tally.number) for tally, one in zip(tallies, passes, strict=True) if not one
        ]
        described[~passes, :-1] = self._called(position, f"{number} move 0", len(place.moves), made)
        situations = self._called(position, f"{number} situation 0", len(place.situations), [(seat,)])[0]
        leading = place.decision.leading is not None and (
            self.engine.program.call(position, numbers[f"{number} leading"], (seat,)) == 1
        )
        place.samples.append(_Sample(self.games, values - values.mean(), described, situations, leading))

    def _tried(self, position: bytes, seat: int, playouts: int, aim: Aim) -> tuple[Tally, ...]:
        """What so many playouts of each move bring; nothing where there is no time left."""
        left = max(0.01, self.deadline - time.monotonic())
        search = Search(self.engine, [position], np.ones(1), seat, aim=aim, seed=self.rng.getrandbits(63))
        try:
            return search.flat(Budget(playouts, left)).moves
        except NoTimeError:
            return ()

    def _nothing_found(self, aim: Aim) -> str:
        """Whether there is anything to know, where no feature says which moves are better.

        All moves are tried in two worlds that look the same to the player. What the hidden cards and chance bring in
        one of them does not come back in the other, so the two agree only in what a player can know of the moves.
        """
        from fcdl.beliefs.sampler import Beliefs

        beliefs, agree = Beliefs(self.engine), list[float]()
        self.deadline = time.monotonic() + self.effort.seconds / 2
        for _ in range(TWICE):
            state = self._some_decision()
            if time.monotonic() > self.deadline:
                break
            if state is None:
                continue
            try:
                seen = self.engine.observe(state, state.mover)
                worlds = beliefs.sample(seen, 2, self.rng.getrandbits(63), self.engine.legal(state)).positions
            except Exception:  # whatever is wrong with the worlds, nothing is claimed then
                return NOT_EXPLAINED
            tried = [self._tried(world, state.mover, MOST_PLAYOUTS, aim) for world in (worlds[0], worlds[-1])]
            if len(tried[0]) == len(tried[1]) > 1:
                gains = [values - values.mean() for values in (np.array([one.value for one in t]) for t in tried)]
                agree.append(float(np.mean(gains[0] * gains[1])))
        error = float(np.std(agree)) / max(1, len(agree)) ** 0.5
        if len(agree) < FEW or np.mean(agree) > LEAVE * error:
            return NOT_EXPLAINED
        return ALL_THE_SAME.format(decisions=len(agree))

    def _some_decision(self) -> State | None:
        """A decision of a random game, with all that was seen before; None where there was none."""
        chance = RandomChance(self.rng.getrandbits(32))
        state, found = self.engine.start(chance), list[State]()
        for _ in range(AT_MOST_SEEN):
            if self.engine.mover(state) is None:
                break
            legal = self.engine.legal(state)
            if len(legal) > 1:
                found.append(state)
            state = self.engine.apply(state, legal[self.rng.randrange(len(legal))], chance)
        return found[self.rng.randrange(len(found))] if found else None

    def _called(self, position: bytes, first: str, count: int, rows: list[tuple[int, ...]]) -> Floats:
        """The values of functions from the first on, for each row of arguments."""
        number = self.engine.function_numbers.get(first, 0)
        found = self.engine.program.call_all(position, number, count, rows)
        return np.frombuffer(found, np.int32).reshape(len(rows), count).astype(float)


# Statistics


@dataclass(frozen=True, slots=True)
class _Column:
    """A candidate: a feature of moves in a situation."""

    feature: int
    situation: int | None
    leading: bool | None
    size: int


def _effects(place: _Place, *, honest: bool) -> Iterator[Effect]:
    """The effects at one decision that chance does not explain; honest ones are weighed by other decisions."""
    samples = place.samples
    if len(samples) < 2 * ENOUGH:
        return
    columns, rows = _candidates(place)
    if not columns:
        return
    gains = np.concatenate([sample.gains for sample in samples])
    sizes = [len(sample.gains) for sample in samples]
    game = np.repeat([sample.game for sample in samples], sizes)
    decision = np.repeat(np.arange(len(samples)), sizes)
    choosing = (decision % 2 == 0) | (not honest)
    weighing = (decision % 2 == 1) | (not honest)
    chosen = _choose(rows[choosing], gains[choosing], game[choosing], columns)
    if not chosen:
        return
    x, y = rows[weighing][:, chosen], gains[weighing]
    weights, errors = _fit(x, y, game[weighing])
    for index, column in enumerate(chosen):
        weight, error = float(weights[index]), float(errors[index])
        alone = float(x[:, index] @ y)
        if abs(weight) <= LEAVE * error or weight * alone <= 0:
            continue
        found = columns[column]
        yield Effect(
            place.decision,
            PASSING if found.feature == len(place.moves) else place.moves[found.feature],
            None if found.situation is None else place.situations[found.situation],
            bool(found.leading),
            _leading(place, found),
            weight,
            weight - LEAVE * error,
            weight + LEAVE * error,
            len(set(decision[weighing][x[:, index] != 0].tolist())),
        )


def _leading(place: _Place, column: _Column) -> Expr | None:
    """What has to be asked of a position for a column about leading, or about not leading."""
    if column.leading is None or place.decision.leading is None or all(one.leading for one in place.samples):
        return None
    return place.decision.leading if column.leading else negated(place.decision.leading)


def _candidates(place: _Place) -> tuple[list[_Column], Floats]:
    """All features, alone and in situations, as columns of what differs from the mean of the legal moves."""
    samples = place.samples
    sizes = [len(sample.gains) for sample in samples]
    moves = np.concatenate([sample.moves - sample.moves.mean(0) for sample in samples])
    leading = np.array([sample.leading for sample in samples])
    situations = np.array([sample.situations for sample in samples])
    always = bool(leading.all())
    split = 0.1 < leading.mean() < 0.9 and place.decision.leading is not None
    decision = np.repeat(np.arange(len(samples)), sizes)
    columns: list[_Column] = []
    rows: list[Floats] = []
    sized = [feature.size for feature in place.moves] + [1]
    where: list[tuple[int | None, bool | None, Floats, int]] = [
        (None, True if always else None, np.ones(len(samples)), 0)
    ]
    if split:
        where += [(None, True, leading.astype(float), 1), (None, False, 1.0 - leading, 1)]
    for index, feature in enumerate(place.situations):
        if 0.1 < situations[:, index].mean() < 0.9:
            where.append((index, True if always else None, situations[:, index], 1 + feature.size))
    for situation, led, active, more in where:
        spread = moves * np.repeat(active, sizes)[:, None]
        for column in np.flatnonzero(np.abs(spread).sum(0) > 0).tolist():
            if len(set(decision[spread[:, column] != 0].tolist())) >= ENOUGH:
                columns.append(_Column(column, situation, led, sized[column] + more))
                rows.append(spread[:, column])
    return columns, np.array(rows).T if rows else np.zeros((len(moves), 0))


def _choose(x: Floats, y: Floats, game: npt.NDArray[np.int64], columns: Sequence[_Column]) -> list[int]:
    """The columns that explain most, one after another, each of what is left; simpler ones if they explain as much."""
    chosen: list[int] = []
    rest, columns_left = y.copy(), x.copy()
    for _ in range(AT_MOST):
        usable = (columns_left**2).sum(0) > 0.05 * (x**2).sum(0) + 1e-9
        scores = _by_game(columns_left * rest[:, None], game)
        with np.errstate(divide="ignore", invalid="ignore"):
            strength = np.nan_to_num(scores.sum(0) ** 2 / (scores**2).sum(0)) * usable
        explained = np.nan_to_num(
            (columns_left * rest[:, None]).sum(0) ** 2 / np.maximum((columns_left**2).sum(0), 1e-9)
        )
        worth = np.where(strength >= ENTER**2, explained, 0.0)
        if not len(worth) or worth.max() <= 1e-6 * (y @ y):
            break
        near = [index for index in range(len(columns)) if worth[index] >= AS_GOOD * worth.max()]
        best = min(near, key=lambda index: (columns[index].size, -worth[index]))
        chosen.append(best)
        base = np.linalg.qr(x[:, chosen])[0]
        rest = y - base @ (base.T @ y)
        columns_left = x - base @ (base.T @ x)
    return chosen


def _fit(x: Floats, y: Floats, game: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Weights by least squares, and their standard errors, clustered by game."""
    inverse = np.linalg.pinv(x.T @ x)
    weights = inverse @ (x.T @ y)
    scores = _by_game(x * (y - x @ weights)[:, None], game)
    groups = len(scores)
    spread = inverse @ (scores.T @ scores) @ inverse * groups / max(1, groups - x.shape[1])
    return weights, np.sqrt(np.maximum(0, np.diag(spread)))


def _by_game(values: Floats, game: npt.NDArray[np.int64]) -> Floats:
    """The sums of rows that belong to one game."""
    _, groups = np.unique(game, return_inverse=True)
    sums = np.zeros((groups.max() + 1 if len(groups) else 0, values.shape[1]))
    np.add.at(sums, groups, values)
    return sums
