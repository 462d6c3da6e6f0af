"""Beliefs: worlds drawn with the probability that chance and a model of the others' choices give them.

A world is a complete hidden history that looks to the seat as what it has seen. Deals are drawn uniformly by counting
(`deals.py`, `sampler.c`), played by the C engine beside the script of what was seen, and rejected if they contradict
it. The weight of a world is the probability of the others' choices in it under the model.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from fcdl.beliefs.deals import MAX_DEALS, Deal, UncountableError
from fcdl.beliefs.follower import PuzzleError
from fcdl.beliefs.particles import LINKED, Particles
from fcdl.beliefs.public import PublicFacts
from fcdl.beliefs.tracker import ForkError, Names, Tracker
from fcdl.engines.native import constants
from fcdl.engines.native.constants import (
    END_AT_DECISION,
    END_AT_SHUFFLE,
    MAX_BATCHES,
    MAX_CLASSES,
    MAX_COPIES,
    MAX_PICKS,
    MAX_PLACES,
    PASS,
)
from fcdl.engines.native.engine import NativeEngine
from fcdl.engines.native.events import EventReader
from fcdl.engines.native.program import WORD
from fcdl.errors import FcdlError
from fcdl.language import flowchart as fc
from fcdl.model.events import Event, Observation
from fcdl.model.moves import Move

UNIFORM = "uniform"
"""The others choose uniformly among their legal moves."""
EQUAL = "equal"
"""All worlds are equally likely."""
EXACT = "exact"
"""Worlds drawn by counting, each checked by playing it."""
SPARSE = "sparse"
"""The same, but next to no deal agreed with what was seen, so that they are few."""
PARTICLES = "particles"
"""Hidden histories carried from decision to decision."""
PUBLIC = "public facts"
"""Unseen cards dealt at random, with nothing concluded from what happened."""
LAYERS = {
    EXACT: "",
    SPARSE: "Few hidden deals were found that agree with what was seen.",
    PARTICLES: "The hidden cards were found by trying, so how likely each deal is may be skewed.",
    PUBLIC: "No hidden deal was found that agrees with everything seen, so unseen cards were dealt at random.",
}
"""How worlds can be found, the best first, with what is said about it."""
MODELS = {UNIFORM: constants.MODELS.index(UNIFORM), EQUAL: constants.MODELS.index(EQUAL)}
ATTEMPTS = 2000
"""How many deals are drawn for the first world, at most; for every further one it is ATTEMPTS_EACH."""
ATTEMPTS_EACH = 20
WORK = 1_000_000
"""What drawing may cost, about so many comparisons of events and rounds of loops: a twentieth of a second; for every
further world it is WORK_EACH."""
WORK_EACH = 5000
SECONDS = 5.0
"""The last guard: no draw takes longer, whatever a chart does."""
FEW = 20
"""So many worlds are better than more that may be skewed."""
EFFORT = 8
"""How many worlds are drawn for each that is wanted, at most, when their weights differ much."""
PUBLIC_WORLDS = 200
"""Positions made from public facts, at most."""
MAX_PATHS = 16


@dataclass(frozen=True, slots=True)
class Decision:
    """What another player decided in a world: the position, who, the legal moves and the move (as numbers)."""

    position: bytes
    seat: int
    legal: tuple[int, ...]
    move: int


Policy = Callable[[Sequence[Decision]], Sequence[float]]
"""The probability of each of these decisions; asked for many at once."""


class BeliefsError(FcdlError):
    """Worlds cannot be sampled for this game, seat or model; says why."""


class NoWorldError(FcdlError):
    """No world was found that agrees with what the seat has seen."""


@dataclass(frozen=True, slots=True, eq=False)
class Worlds:
    """Sampled worlds: native positions in which the seat is to move, with weights that sum to 1."""

    positions: tuple[bytes, ...]
    weights: npt.NDArray[np.float64]
    exact: bool
    """Whether they were drawn by counting and checked; otherwise they may be skewed."""
    attempts: int
    """How many deals were drawn."""
    accepted: int
    """How many of them agreed with what was seen."""
    layer: str = EXACT
    """How they were found: one of LAYERS."""
    note: str = ""
    """A sentence for people where they were not drawn exactly."""
    size: float | None = None
    """How many of them are independent, where their weights do not say it."""

    @property
    def acceptance(self) -> float:
        """The part of the deals that agreed with what was seen."""
        return self.accepted / self.attempts if self.attempts else 0.0

    @property
    def effective_size(self) -> float:
        """How many independent, equally weighted worlds would be as good."""
        return effective_size(self.weights) if self.size is None else self.size

    def resampled(self, count: int, seed: int) -> tuple[bytes, ...]:
        """So many worlds of equal weight, drawn from these."""
        chosen = _systematic(self.weights, count, _generator(seed))
        return tuple(self.positions[index] for index in chosen)


@dataclass(frozen=True, slots=True)
class Marginals:
    """For each card that can be in several zones, the probability of each."""

    places: Mapping[str, Mapping[str, float]]
    exact: bool
    effective_size: float
    layer: str = EXACT
    note: str = ""


@dataclass(slots=True)
class _Drawn:
    """Worlds with the logarithms of their weights."""

    positions: list[bytes]
    log_weights: npt.NDArray[np.float64]
    attempts: int
    exact: bool

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        return _normal(self.log_weights)

    def keep(self, kept: Sequence[int]) -> None:
        self.positions = [self.positions[n] for n in kept]
        self.log_weights = self.log_weights[list(kept)]

    def add(self, other: _Drawn) -> None:
        self.positions += other.positions
        self.log_weights = np.concatenate((self.log_weights, other.log_weights))
        self.attempts += other.attempts
        self.exact &= other.exact


class _Path(Tracker):
    """One way in which the chart can have been followed."""

    def __init__(self, beliefs: Beliefs, seat: int) -> None:
        super().__init__(beliefs.engine.game, seat, beliefs.names)
        self.beliefs = beliefs
        self.decided = False
        self._known: tuple[int, dict[str, Any]] | None = None

    def taken(self, event: Event) -> None:
        """One more record."""
        self.decided |= event.seat is not None
        super().taken(event)

    def before_gathering(self, lasting: bool) -> bytes | None:
        """Some worlds' positions at the last decision."""
        if not self.decided:
            return None
        count = LINKED if lasting else 1
        drawn = self.beliefs.draw([self], count, 0, END_AT_SHUFFLE)
        if not drawn.positions:
            return self.beliefs.particles_of(self.seat).bases(self.events[: self.position + 1])
        if not lasting:
            return drawn.positions[0]
        return b"".join(drawn.positions[index] for index in _systematic(drawn.weights, count, _generator(0)))

    @property
    def factors(self) -> list[float]:
        """How often each deal counts."""
        return [float(deal.factor) for deal in self.deals]

    def arguments(self) -> dict[str, Any]:
        """What the C engine has to know: bases, script, deals with their factors, seat; raises UncountableError."""
        if self._known is not None and self._known[0] == len(self.script):
            return self._known[1]
        deck = self.game.flowchart.deck
        numbers = array("i")
        for deal in self.deals:
            numbers.extend(_numbers(deal))
            numbers.extend(_copies(deal, range(deck.size)) if deck.copies > 1 else (0,))
        result = {
            "bases": self.bases,
            "script": self.script,
            "factors": array("d", self.factors),
            "deals": numbers,
            "seat": self.seat,
        }
        self._known = len(self.script), result
        return result

    def draw(self, model: int, ending: int, count: int, attempts: int, seed: int, tracing: bool) -> Any:
        """Asks the C engine for worlds."""
        program = self.beliefs.engine.telling_program
        return program.worlds(
            **self.arguments(),
            model=model,
            ending=ending,
            count=count,
            attempts=attempts,
            work=WORK + count * WORK_EACH,
            seconds=SECONDS,
            seed=seed & WORD,
            tracing=tracing,
        )


class Beliefs:
    """Worlds for any seat of a game; keeps what it followed when an observation goes on where the last one ended."""

    def __init__(self, engine: NativeEngine, model: str | Policy = UNIFORM) -> None:
        if not callable(model) and model not in MODELS:
            raise BeliefsError(f"a model of the others is {', '.join(MODELS)} or a function, not '{model}'")
        if engine.game.flowchart.deck.copies > MAX_COPIES:
            raise BeliefsError(f"worlds of decks with more than {MAX_COPIES} copies of a card are not sampled")
        self.engine = engine
        self.model = model
        self.paths: dict[int, list[_Path]] = {}
        self.particles: dict[int, Particles] = {}
        self.lost: dict[int, tuple[Event, ...]] = {}
        """By seat: what could not be followed so that deals can be counted."""

    @cached_property
    def names(self) -> Names:
        """Numbers of the game's names."""
        return Names(self.engine.game)

    @cached_property
    def public(self) -> PublicFacts:
        """Makes positions where no world is found."""
        return PublicFacts(self.engine)

    @cached_property
    def texts(self) -> EventReader:
        """Writes published texts."""
        return EventReader(self.engine.game)

    def sample(self, observation: Observation, count: int, seed: int, legal: Collection[Move] | None = None) -> Worlds:
        """So many worlds, the best that can be found (fewer, if they are hard to find); `layer` says how.

        The seat's legal moves, if they are given, are something it has seen, too: worlds with others are none.
        Raises NoWorldError only if the observation is not one of this game.
        """
        if count < 1:
            raise BeliefsError(f"at least one world is wanted, not {count}")
        if not 0 <= observation.seat < self.engine.game.players:
            raise BeliefsError(f"there is no seat {observation.seat}")
        offered = None if legal is None else frozenset(legal)
        exact = self._exact(observation, count, seed, offered)
        if exact is not None and exact.layer == EXACT:
            return exact
        found = self._by_particles(observation, count, seed, offered)
        if found is not None and (exact is None or found.effective_size > len(exact.positions)):
            return found
        if exact is not None and exact.positions:
            return exact
        return self._by_public_facts(observation, count, seed, offered)

    def _exact(self, observation: Observation, count: int, seed: int, legal: frozenset[Move] | None) -> Worlds | None:
        """Worlds drawn by counting; None where that cannot be done.

        Where weights differ much, more are drawn and then thinned out again, which keeps all probabilities.
        """
        seat, events = observation.seat, observation.events
        lost = self.lost.get(seat)
        if lost is not None and events[: len(lost)] == lost:
            return None
        try:
            paths = self._follow(observation)
        except Exception:  # whatever the chart says, or a fault of ours: there are other layers
            self.lost[seat] = events
            return None
        drawn = self.draw(paths, count, seed, END_AT_DECISION)
        enough = len(drawn.positions) == count
        size = effective_size(drawn.weights)
        if enough and size < count / 2:
            more = count * min(EFFORT - 1, int(count / 2 / size))
            drawn.add(self.draw(paths, more, seed + 1, END_AT_DECISION))
        if legal is not None:
            drawn.keep([n for n, offered in enumerate(self._offered(drawn.positions)) if offered == legal])
        accepted = len(drawn.positions)
        if not accepted:
            return None
        positions, weights = tuple(drawn.positions), drawn.weights
        if accepted > count:
            chosen, weights = _thinned(weights, count, _generator(seed))
            positions = tuple(positions[index] for index in chosen)
        layer = EXACT if accepted >= min(count, max(FEW, count // 5)) else SPARSE
        note = LAYERS[layer] or ("" if drawn.exact else "How likely each hidden deal is was estimated.")
        return Worlds(positions, weights, drawn.exact and layer == EXACT, drawn.attempts, accepted, layer, note)

    def _offered(self, positions: Sequence[bytes]) -> Iterator[frozenset[Move]]:
        """The legal moves of positions that look the same to the seat."""
        engine = self.engine
        for position in positions:
            state = engine.state(position)
            yield frozenset(engine.move(state, number) for number in engine.telling_program.legal(position))

    def _by_particles(
        self, observation: Observation, count: int, seed: int, legal: frozenset[Move] | None
    ) -> Worlds | None:
        """Worlds by particles; None where no history is left."""
        particles = self.particles_of(observation.seat)
        if not particles.follow(observation.events):
            return None
        positions, identities = particles.draw(count, seed)
        if positions and legal is not None and any(offered != legal for offered in self._offered(positions)):
            positions, identities = particles.draw(count, seed, self._numbers(positions[0], legal))
        if not positions:
            return None
        weights = np.full(len(positions), 1 / len(positions))
        _, copies = np.unique(identities, return_counts=True)
        size = float(len(positions) ** 2 / np.square(copies).sum())
        note = LAYERS[PARTICLES]
        return Worlds(positions, weights, False, len(positions), len(positions), PARTICLES, note, size)

    def particles_of(self, seat: int) -> Particles:
        """The particles of a seat."""
        particles = self.particles.get(seat)
        if particles is None:
            model = 0 if callable(self.model) else MODELS[self.model]
            lasting = bool(self.names.hiding.lasting)
            particles = self.particles[seat] = Particles(self.engine, self.names, seat, model, lasting)
        return particles

    def _numbers(self, position: bytes, legal: frozenset[Move]) -> array[int]:
        """The numbers of moves at the decision of a position."""
        game, state = self.engine.game, self.engine.state(position)
        statement = game.flowchart.nodes[state.node].statement
        numbers = array("i")
        for move in sorted(legal, key=str):
            if move.kind == "pass":
                numbers.append(PASS)
            elif isinstance(statement, fc.Choose):
                numbers.append(game.value_from_text(game.flowchart.variables[statement.target.name].type, move.what))
            else:
                numbers.append(self.names.cards[move.what])
        return numbers

    def _by_public_facts(
        self, observation: Observation, count: int, seed: int, legal: frozenset[Move] | None
    ) -> Worlds:
        positions = self.public.sample(observation, min(count, PUBLIC_WORLDS), seed, legal)
        if not positions:
            raise NoWorldError("no world agrees with what the seat has seen")
        weights = np.full(len(positions), 1 / len(positions))
        return Worlds(positions, weights, False, len(positions), len(positions), PUBLIC, LAYERS[PUBLIC])

    def marginals(self, observation: Observation, count: int = 4000, seed: int = 0) -> Marginals:
        """Where each card can be that the seat does not see, with probabilities estimated from so many worlds."""
        game, program = self.engine.game, self.engine.telling_program
        found = self.sample(observation, count, seed)
        width = 16 if game.flowchart.deck.size > 64 else 8
        states = np.frombuffer(b"".join(found.positions), np.uint8).reshape(len(found.positions), -1)
        zones = states[:, program.zones_at : program.zones_at + width * len(game.zones)]
        bits = np.unpackbits(zones.reshape(len(found.positions), len(game.zones), width), axis=2, bitorder="little")
        shares = np.tensordot(found.weights, bits.astype(np.float64), axes=1)
        places = {}
        for code in dict.fromkeys(map(game.flowchart.deck.code, game.cards)):
            copies = [card for card in game.flowchart.deck.cards_with_code(code) if card in game.cards]
            chances = shares[:, copies].mean(axis=1)
            zones_of = {zone: float(share) for zone, share in zip(game.zones, chances, strict=True) if share}
            if len(zones_of) > 1:
                places[code] = zones_of
        return Marginals(places, found.exact, found.effective_size, found.layer, found.note)

    def count(self, observation: Observation) -> int | None:
        """How many worlds there are since the last shuffle of all cards; None if counting cannot tell."""
        paths = self._follow(observation)
        if len(paths) > 1 or paths[0].uncountable is not None or paths[0].linked or paths[0].open_questions:
            return None
        if self.engine.game.flowchart.deck.copies > 1:
            return None
        return sum(deal.worlds() for deal in paths[0].deals)

    # --- following

    def _follow(self, observation: Observation) -> list[_Path]:
        seat, events = observation.seat, observation.events
        paths = self.paths.pop(seat, None)
        if paths is None or paths[0].events != events[: len(paths[0].events)]:
            paths = [_Path(self, seat)]
        self.paths[seat] = self._go_on(paths, events)
        return self.paths[seat]

    def _go_on(self, paths: list[_Path], events: tuple[Event, ...]) -> list[_Path]:
        """Follows the chart on every path; a private diamond can make two of one."""
        pending, done = list(paths), list[_Path]()
        problem: FcdlError = NoWorldError("no world agrees with what the seat has seen")
        while pending:
            path = pending.pop()
            try:
                path.follow(events)
                path.finish()
            except ForkError:
                other = path.copy()
                path.assumed, other.assumed = False, True
                pending += [path, other]
                ways = len(pending) + len(done)
                if ways > MAX_PATHS or ways * len(path.deals) > MAX_DEALS:
                    raise BeliefsError("the chart can have been followed in too many ways") from None
            except (PuzzleError, NoWorldError) as error:
                problem = error
            else:
                if path.deals or path.uncountable is not None:
                    done.append(path)
        if not done:
            raise problem
        return sorted(done, key=lambda path: path.script.tobytes())

    # --- drawing

    def draw(self, paths: Sequence[_Path], count: int, seed: int, ending: int) -> _Drawn:
        """Worlds drawn by counting; fewer than `count` if most are rejected."""
        result = _Drawn([], np.zeros(0), 0, not any(path.linked for path in paths))
        if any(path.uncountable is not None or not path.deals for path in paths):
            return result
        try:
            return self._draw_all(paths, count, seed, ending, result)
        except UncountableError:
            return _Drawn([], np.zeros(0), 0, True)

    def _draw_all(self, paths: Sequence[_Path], count: int, seed: int, ending: int, result: _Drawn) -> _Drawn:
        """Draws from each path as often as its share of the deals says."""
        limit = ATTEMPTS + count * ATTEMPTS_EACH
        if len(paths) == 1:
            shares = np.ones(1)
        else:
            shares = np.array([self._ways(path) for path in paths])
            shares /= shares.sum() or 1.0
        while len(result.positions) < count and result.attempts < limit:
            missing, left = count - len(result.positions), limit - result.attempts
            parts = [left]
            if len(paths) > 1:
                batch = min(left, max(missing, result.attempts))
                parts = list(_generator(seed + result.attempts).multinomial(batch, shares))
            before = result.attempts
            for path, attempts in zip(paths, parts, strict=True):
                wanted = missing if len(paths) == 1 else int(attempts)
                result.add(self._draw(path, wanted, int(attempts), seed + result.attempts, ending))
            if result.attempts == before:
                break
        return result

    def _ways(self, path: _Path) -> float:
        _, _, _, ways, _ = path.draw(0, END_AT_DECISION, 0, 0, 0, False)
        return float(np.dot(np.abs(np.frombuffer(ways, np.float64)), path.factors))

    def _draw(self, path: _Path, count: int, attempts: int, seed: int, ending: int) -> _Drawn:
        policy = self.model if callable(self.model) else None
        model = 0 if callable(self.model) else MODELS[self.model]
        tracing = policy is not None or bool(path.texts)
        positions, logs, tried, ways, traced = path.draw(model, ending, count, attempts, seed, tracing)
        exact = bool((np.frombuffer(ways, np.float64) >= 0).all())
        drawn = _Drawn(list(positions), np.frombuffer(logs, np.float64), tried, exact)
        if traced is None:
            return drawn
        decisions = [[Decision(*entry[:4]) for entry in world if len(entry) == 5] for world in traced]
        proposed = [sum(math.log(entry[4]) for entry in world if len(entry) == 5) for world in traced]
        if policy is not None:
            chosen = _judged(policy, decisions)
        else:
            chosen = np.array([-sum(math.log(len(d.legal)) for d in world) for world in decisions])
            chosen *= model == MODELS[UNIFORM]
        drawn.log_weights = drawn.log_weights + chosen - np.array(proposed)
        expected = [text for _, text in path.texts]
        kept = [n for n, world in enumerate(traced) if not expected or self._said(world) == expected]
        drawn.keep(kept)
        return drawn

    def _said(self, world: list[tuple[Any, ...]]) -> list[str]:
        """The texts that a world publishes, as far as they depend on something hidden."""
        said = []
        for entry in world:
            if len(entry) == 2:
                statement = self.texts.nodes[entry[0]].statement
                assert isinstance(statement, fc.Publish)
                if any(self.names.hiding(part) for part in statement.parts if not isinstance(part, str)):
                    said.append(self.texts.text(statement, entry[1]))
        return said


def effective_size(weights: npt.NDArray[np.float64]) -> float:
    """How many equally weighted things would be as good."""
    return float(1 / np.square(weights).sum()) if len(weights) else 0.0


def _generator(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed & WORD)


def _systematic(weights: npt.NDArray[np.float64], count: int, rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """So many draws, each thing as often as its weight says, rounded up or down by chance."""
    steps = (np.arange(count) + rng.random()) / count
    return np.searchsorted(np.cumsum(weights) / weights.sum(), steps).clip(0, len(weights) - 1)


def _thinned(
    weights: npt.NDArray[np.float64], count: int, rng: np.random.Generator
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float64]]:
    """So many of the things, of which there are more; expectations of weights stay (Fearnhead and Clifford).

    What weighs less than a threshold stays by chance, and then weighs as much as the threshold.
    """
    order = np.argsort(-weights)
    ranked = weights[order]
    rest = np.concatenate((np.cumsum(ranked[::-1])[::-1], [0.0]))
    kept = 0
    while kept < count - 1 and ranked[kept] * (count - kept) > rest[kept]:
        kept += 1
    threshold = rest[kept] / (count - kept)
    light = np.sort(order[kept:])
    chosen = light[_systematic(weights[light], count - kept, rng)] if threshold > 0 else light[:0]
    indices = np.concatenate((order[:kept], chosen))
    result = np.concatenate((ranked[:kept], np.full(len(chosen), threshold)))
    by_place = np.argsort(indices, kind="stable")
    return indices[by_place], result[by_place] / result.sum()


def _normal(log_weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Weights that sum to 1."""
    if not len(log_weights):
        return log_weights
    largest = log_weights.max()
    if largest == -np.inf:
        return np.full(len(log_weights), 1 / len(log_weights))
    weights: npt.NDArray[np.float64] = np.exp(log_weights - largest)
    weights /= weights.sum()
    return weights


def _judged(policy: Policy, worlds: list[list[Decision]]) -> npt.NDArray[np.float64]:
    """The logarithm of the probability of each world's decisions under a policy."""
    decisions = [decision for world in worlds for decision in world]
    with np.errstate(divide="ignore"):
        logs = np.log(np.asarray(policy(decisions), np.float64)) if decisions else np.zeros(0)
    sizes = [len(world) for world in worlds]
    owners = np.repeat(np.arange(len(sizes)), sizes)
    return np.bincount(owners, logs, minlength=len(sizes)).astype(np.float64)


def _numbers(deal: Deal) -> Iterator[int]:
    """A deal as the C engine reads it; raises UncountableError if it is too large."""
    classes, groups = deal.classes()
    if len(classes) > MAX_CLASSES or len(deal.pinned) > MAX_PLACES or len(deal.picks) > MAX_PICKS:
        raise UncountableError("there are too many hidden movements to count")
    yield len(deal.pinned)
    yield from deal.pinned
    yield len(classes)
    for places in classes:
        yield len(places)
        yield from places
    yield len(groups)
    for mask, cards in groups:
        yield _signed(mask & 0xFFFFFFFF)
        yield _signed(mask >> 32 & 0xFFFFFFFF)
        yield len(cards)
        yield from cards
    yield len(deal.picks)
    yield from deal.picks


def _copies(deal: Deal, cards: Sequence[int]) -> Iterator[int]:
    """Which copies of a card could be exchanged, as the C engine reads it."""
    batches, masks = deal.alike(cards)
    if max(batches) >= MAX_BATCHES:
        raise UncountableError("there are too many hidden movements to count")
    yield 1
    yield from batches
    for mask in masks:
        for word in range(4):
            yield _signed(mask >> 32 * word & 0xFFFFFFFF)


def _signed(word: int) -> int:
    return word - 2**32 if word >= 2**31 else word
