"""The dealer: deals that are possible are drawn uniformly by counting, played by the C engine beside the script, and
rejected if they contradict it. The weight of a world is the probability of the others' choices in it.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from fcdl.beliefs.clock import NO_CLOCK, Clock
from fcdl.beliefs.deals import Deal, UncountableError
from fcdl.beliefs.path import Path
from fcdl.beliefs.secrets import Hiding
from fcdl.beliefs.weights import Decisions, Numbers, Policy, generator, judged, tempered
from fcdl.engines.native import constants
from fcdl.engines.native.constants import END_AT_DECISION, MAX_BATCHES, MAX_CLASSES, MAX_LIMITS, MAX_PICKS, MAX_PLACES
from fcdl.engines.native.engine import NativeEngine
from fcdl.engines.native.events import EventReader
from fcdl.engines.native.program import WORD
from fcdl.language import flowchart as fc

UNIFORM = "uniform"
"""The others choose uniformly among their legal moves."""
EQUAL = "equal"
"""All worlds are equally likely."""
MODELS = {UNIFORM: constants.MODELS.index(UNIFORM), EQUAL: constants.MODELS.index(EQUAL)}
ATTEMPTS = 2000
"""How many deals are drawn for the first world, at most; for every further one it is ATTEMPTS_EACH."""
ATTEMPTS_EACH = 20
FIRST_ATTEMPTS = 1000
"""After so many it is given up if not even eight worlds are to be expected of all: particles are better there."""
WORK = 1_000_000
"""What drawing may cost, about so many comparisons of events and rounds of loops: a twentieth of a second; for every
further world it is WORK_EACH."""
WORK_EACH = 5000
MOST_DEALS = 16
"""Of so many ways in which hidden picks can have gone orders are drawn."""
JUDGED_FIRST = 64
"""So many worlds are drawn and judged by a policy before the clock is looked at; then twice as many, and so on."""
SECONDS = 5.0
"""The last guard: no draw takes longer, whatever a chart does."""


@dataclass(slots=True)
class Drawn:
    """Worlds with the logarithms of their weights."""

    positions: list[bytes]
    log_weights: Numbers
    """Without what a policy says of the others' decisions."""
    judged: Numbers
    """The logarithm of the probability of the others' decisions under a policy, if there is one; NaN: not known."""
    attempts: int
    exact: bool

    def weights(self, least: float = 0.0) -> tuple[Numbers, float]:
        """Weights that sum to 1, and the power to which what was judged counts, for an effective size of `least`."""
        return tempered(self.log_weights, self.judged, least)

    def keep(self, kept: Sequence[int]) -> None:
        """Drops all others."""
        self.positions = [self.positions[n] for n in kept]
        self.log_weights = self.log_weights[list(kept)]
        self.judged = self.judged[list(kept)]

    def add(self, other: Drawn) -> None:
        """Takes more."""
        self.positions += other.positions
        self.log_weights = np.concatenate((self.log_weights, other.log_weights))
        self.judged = np.concatenate((self.judged, other.judged))
        self.attempts += other.attempts
        self.exact &= other.exact


class Dealer:
    """Draws worlds of paths."""

    def __init__(self, engine: NativeEngine, hiding: Hiding, model: str | Policy) -> None:
        self.engine = engine
        self.hiding = hiding
        self.model = model

    @cached_property
    def texts(self) -> EventReader:
        """Writes published texts."""
        return EventReader(self.engine.game)

    def draw(self, paths: Sequence[Path], count: int, seed: int, ending: int, clock: Clock = NO_CLOCK) -> Drawn:
        """Worlds drawn by counting; fewer than `count` if most are rejected."""
        result = Drawn(
            [], np.zeros(0), np.zeros(0), 0, not any(path.linked or path.constraints.thinned for path in paths)
        )
        if any(path.constraints.uncountable is not None or not path.deals for path in paths):
            return result
        try:
            return self._draw_all(paths, count, seed, ending, result, clock)
        except UncountableError:
            return Drawn([], np.zeros(0), np.zeros(0), 0, True)

    def _draw_all(
        self, paths: Sequence[Path], count: int, seed: int, ending: int, result: Drawn, clock: Clock
    ) -> Drawn:
        """Draws from each path as often as its share of the deals says."""
        limit = ATTEMPTS + count * ATTEMPTS_EACH
        if len(paths) == 1:
            shares = np.ones(1)
        else:
            shares = _shares(np.array([self._ways(path) for path in paths]))
        while len(result.positions) < count and result.attempts < limit:
            missing, left = count - len(result.positions), limit - result.attempts
            parts = [min(left, FIRST_ATTEMPTS) if not result.attempts else left]
            if len(paths) > 1:
                batch = min(left, max(missing, result.attempts))
                parts = list(generator(seed + result.attempts).multinomial(batch, shares))
            before = result.attempts
            for path, attempts in zip(paths, parts, strict=True):
                wanted = missing if len(paths) == 1 else int(attempts)
                if callable(self.model):
                    wanted = min(wanted, max(JUDGED_FIRST, len(result.positions)))
                result.add(self._draw(path, wanted, int(attempts), seed + result.attempts, ending, clock))
            hopeless = result.attempts >= FIRST_ATTEMPTS and len(result.positions) * limit < 8 * result.attempts
            if result.attempts == before or clock.is_over or hopeless:
                break
        return result

    def _ways(self, path: Path) -> float:
        ways = self._ask(path, 0, END_AT_DECISION, 0, 0, 0, False, False, NO_CLOCK)[3]
        return float(np.dot(np.abs(np.frombuffer(ways, np.float64)), _factors(path.deals)))

    def _draw(self, path: Path, count: int, attempts: int, seed: int, ending: int, clock: Clock) -> Drawn:
        policy = self.model if callable(self.model) else None
        model = MODELS[EQUAL if callable(self.model) else self.model]
        tracing, wants_texts = policy is not None, bool(path.texts)
        answer = self._ask(path, model, ending, count, attempts, seed, tracing, wants_texts, clock)
        positions, logs, tried, ways, traced, texts = answer
        exact = bool((np.frombuffer(ways, np.float64) >= 0).all())
        drawn = Drawn(list(positions), np.frombuffer(logs, np.float64), np.zeros(len(positions)), tried, exact)
        if policy is not None and traced is not None:
            drawn.judged = judged(policy, Decisions(self.engine.telling_program, traced, clock.left(math.inf)))
        if texts is not None:
            expected = [text for _, text in path.texts]
            drawn.keep([n for n, world in enumerate(texts) if self._said(world) == expected])
        return drawn

    def _said(self, world: list[tuple[int, list[int]]]) -> list[str]:
        """The texts that a world publishes, as far as they depend on something hidden."""
        said = []
        for node, values in world:
            statement = self.texts.nodes[node].statement
            assert isinstance(statement, fc.Publish)
            if any(self.hiding(part) for part in statement.parts if not isinstance(part, str)):
                said.append(self.texts.text(statement, values))
        return said

    def orders(self, path: Path, count: int, seed: int) -> bytes:
        """Orders of the last shuffle of all cards in which they lie where the seat knows, one after another (int32).

        Each keeps as many of the deal's limits as a short search can. Fewer, or none, where deals cannot be counted.
        """
        deals = path.deals[:: -(-len(path.deals) // MOST_DEALS)] if path.deals else []
        limits = array("i")
        for deal in deals:
            limits.extend(_limits(deal))
        try:
            return self.engine.telling_program.orders(
                factors=_factors(deals),
                deals=self._packed(deals),
                limits=limits,
                count=count,
                seconds=SECONDS,
                seed=seed & WORD,
            )
        except (UncountableError, ValueError):
            return b""

    def arguments(self, path: Path) -> dict[str, Any]:
        """What the C engine has to know: bases, script, deals with their factors, seat; raises UncountableError."""
        if path.packed is None:
            path.packed = {
                "bases": path.bases,
                "script": path.script,
                "factors": _factors(path.deals),
                "deals": self._packed(path.deals),
                "seat": path.seat,
            }
        return path.packed

    def _packed(self, deals: Sequence[Deal]) -> array[int]:
        """Deals as the C engine reads them; raises UncountableError."""
        deck = self.engine.game.flowchart.deck
        numbers = array("i")
        for deal in deals:
            numbers.extend(_numbers(deal))
            numbers.extend(_copies(deal, range(deck.size)) if deck.copies > 1 else (0,))
        return numbers

    def _ask(
        self,
        path: Path,
        model: int,
        ending: int,
        count: int,
        attempts: int,
        seed: int,
        tracing: bool,
        texts: bool,
        clock: Clock,
    ) -> Any:
        """Asks the C engine for worlds."""
        return self.engine.telling_program.worlds(
            **self.arguments(path),
            model=model,
            ending=ending,
            count=count,
            attempts=attempts,
            work=WORK + count * WORK_EACH,
            seconds=clock.left(SECONDS),
            seed=seed & WORD,
            tracing=tracing,
            texts=texts,
        )


def _shares(ways: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """How often each of several paths is drawn from; numbers of deals may be too large for any number, or all 0."""
    if not np.isfinite(ways).all():
        ways = np.where(np.isfinite(ways), 0.0, 1.0)
    largest = ways.max()
    if largest <= 0:
        return np.full(len(ways), 1 / len(ways))
    shares: npt.NDArray[np.float64] = ways / largest
    shares /= shares.sum()
    return shares


def _factors(deals: Sequence[Deal]) -> array[float]:
    """How often each deal counts."""
    return array("d", [float(deal.factor) for deal in deals])


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


def _limits(deal: Deal) -> Iterator[int]:
    """The limits of a deal as the C engine reads them: at least, at most, cards, places."""
    limits = list(dict.fromkeys(deal.limits))[-MAX_LIMITS:]
    yield len(limits)
    for limit in limits:
        yield from (limit.low, limit.high, len(limit.cards), *sorted(limit.cards), len(limit.places))
        yield from sorted(limit.places)


def _signed(word: int) -> int:
    return word - 2**32 if word >= 2**31 else word
