"""Learning from recorded games: a policy that makes each move as often as whoever played them did.

The probabilities of the legal moves are a softmax of the network's outputs, fitted to the moves that were made (by
maximum likelihood). Every tenth game is held out and says how well that works.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fcdl.engines.native import _engine
from fcdl.engines.native.engine import NativeEngine
from fcdl.learning.files import PolicyFile, rounded
from fcdl.learning.learn import LearningError, beginning, compared
from fcdl.learning.network import Floats, NetworkPolicy
from fcdl.learning.records import Decision, Tally, decisions
from fcdl.learning.training import Batch, Joined, Lessons, Trainer, batch_of
from fcdl.model.game import Game
from fcdl.model.record import Record, RecordError

MOST = 2_000_000
"""Decisions that are read, about a gigabyte."""
PIECE = 1000
"""So many are described at once."""
RATES = (2e-3, 1e-3, 5e-4, 2e-4)
"""How large the steps are, once for each reading of all lessons."""
LIKELIHOOD = "likelihood"
"""The unit of worths: logarithms of how often moves are made."""


@dataclass(frozen=True, slots=True)
class Imitated:
    """After a reading of all lessons: the policy, and of the games held out how often its favourite move was made, and
    how often it would be by chance (None of fewer than ten games); and how it does against random moves."""

    round: int
    file: PolicyFile
    hits: float | None
    chance: float | None
    wins: float
    ahead: float


class Imitator(Trainer):
    """Makes the moves that were made (gain 1, the others 0) likelier."""

    def _errors(self, batch: Batch, first: int, count: int) -> tuple[Floats, Floats]:
        worths, units = self._worths(batch, first, count)
        return _likely(worths, batch.decision, len(batch.counts)) - batch.gains, units

    def hits(self, lessons: Joined) -> tuple[float, float]:
        """How often the likeliest move was made, and how often one at random would be."""
        right = chance = 0.0
        for first, count, chosen in self._batches(lessons):
            batch = batch_of(lessons, chosen, self.view.inputs, first)
            worths, _ = self._worths(batch, first, count)
            best = np.full(len(batch.counts), -np.inf)
            np.maximum.at(best, batch.decision, worths)
            right += float(batch.gains[worths == best[batch.decision]].sum())
            chance += float((1 / batch.counts).sum())
        return right / max(1, len(lessons)), chance / max(1, len(lessons))


def _likely(worths: Floats, decision: Any, count: int) -> Floats:
    """The softmax of the worths of each decision."""
    best = np.full(count, -np.inf, np.float32)
    np.maximum.at(best, decision, worths)
    powers = np.exp(worths - best[decision])
    likely: Floats = powers / np.bincount(decision, powers, minlength=count).astype(np.float32)[decision]
    return likely


def imitate(
    game: Game,
    records: Iterable[Record | RecordError],
    hidden: int,
    seed: str,
    *,
    made: Mapping[str, Any] | None = None,
    tell: Callable[[Tally], None] = lambda tally: None,
) -> Iterator[Imitated]:
    """Learns from records; `tell` hears how many were read. Raises LearningError."""
    engine = NativeEngine(game)
    view, weights = beginning(game, hidden, seed)
    network = NetworkPolicy(game, view, weights, 1.0).network(engine.program)
    tally = Tally()
    learned, held_out = _lessons(network, decisions(engine, records, tally), tally, tell)
    if not learned.gains:
        raise LearningError(f"no record can be used ({tally.told[0] if tally.told else 'none was found'})")
    data = learned.joined()
    trainer = Imitator(view, weights, 1.0, seed=0)
    for place, rate in enumerate(RATES):
        trainer.epoch(data, rate)
        weights = rounded(trainer.weights())
        hits, chance = trainer.hits(held_out.joined()) if held_out.gains else (None, None)
        wins, ahead = compared(game, NetworkPolicy(game, view, weights, 1.0), None)
        story = dict(made or {}) | {"records": tally.used, "decisions": tally.decisions, "seed": seed}
        file = PolicyFile(game.flowchart.hash, game.players, view, weights, 1.0, LIKELIHOOD, story)
        yield Imitated(place, file, hits, chance, wins, ahead)


def _lessons(
    network: _engine.Network, found: Iterator[Decision], tally: Tally, tell: Callable[[Tally], None]
) -> tuple[Lessons, Lessons]:
    """Those to learn, and those held out; at most so many that they fit into memory."""
    both = Lessons(), Lessons()
    waiting: tuple[list[Decision], list[Decision]] = [], []

    def describe(which: int) -> None:
        gains = [np.array([move == one.move for move in one.legal], np.float32) for one in waiting[which]]
        both[which].add(network, [one.position for one in waiting[which]], gains)
        waiting[which].clear()
        tell(tally)

    for one in found:
        which = int(one.record % 10 == 9)
        waiting[which].append(one)
        if len(waiting[which]) == PIECE:
            describe(which)
        if tally.decisions >= MOST:
            break
    for which in range(2):
        if waiting[which]:
            describe(which)
    return both
