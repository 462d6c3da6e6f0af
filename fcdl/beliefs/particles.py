"""Worlds by particles: hidden histories that are carried from decision to decision, for every chart.

They need the engine and the script of what the seat has seen, nothing else. `engines/native/particles.h` does the work.
What is carried on depends on the observation only, never on the seed or on which decisions somebody asked for before,
so the same observation and seed give the same worlds.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from fcdl.beliefs.clock import NO_CLOCK, Clock, OutOfTimeError
from fcdl.beliefs.formula import UnclearError
from fcdl.beliefs.script import DECISIONS, Names
from fcdl.beliefs.weights import Decisions, Numbers, Policy, judged
from fcdl.engines.native import _engine
from fcdl.engines.native.constants import END_AT_DECISION, END_AT_SHUFFLE, NOBODY
from fcdl.engines.native.engine import NativeEngine
from fcdl.engines.native.program import WORD
from fcdl.model.events import Event

PARTICLES = 128
ORDERS = 4 * PARTICLES
"""So many orders are drawn for particles to begin with."""
STEPS = 4
"""Steps from one drawn world to the next of the same history."""
LINKED = 256
"""Positions kept of the hand before when something hidden may outlive it."""
WORK = 10_000_000
"""What drawing may cost, about so many comparisons of events and rounds of loops."""
WORK_TO_GO_ON = 12_000_000
"""What going on to the next decision may cost, about an eighth of a second. It is counted for each, so that it does not
matter how many a call follows."""
WORK_TO_RESTART = 45_000_000
"""What all attempts to begin again may cost together."""
SECONDS = 5.0
"""The last guard: no call takes longer, whatever a chart does."""


Orders = Callable[[int, int], bytes]
"""So many orders of the last shuffle of all cards, from a seed, in which cards lie where the seat knows (or none)."""


@dataclass(slots=True)
class _Hand:
    """The particles of one hand: since the last decision before the last shuffle of all cards."""

    bases: bytes
    number: int
    script: array[int] = field(default_factory=lambda: array("i"))
    """All that they have followed."""
    since: array[int] = field(default_factory=lambda: array("i"))
    """The script from the last decision on."""
    particles: _engine.Particles | None = None


@dataclass(frozen=True, slots=True)
class Histories:
    """Positions that were drawn."""

    positions: tuple[bytes, ...]
    identities: npt.NDArray[np.uint64]
    """By position: the same number for those that are copies of one."""
    judged: Numbers
    """By position, the logarithm of the probability of the others' decisions under a policy, if there is one."""


class Particles:
    """The particles of one seat."""

    def __init__(
        self, engine: NativeEngine, names: Names, seat: int, model: int, lasting: bool, orders: Orders
    ) -> None:
        game = engine.game
        self.orders = orders
        self.engine, self.names, self.seat, self.model = engine, names, seat, model
        self.sees = bytes(seat in seers for seers in engine.zone_seers)
        self.owners = bytes(_owner(game.owners(*place)) for place in game.places.values())
        self.private = bytes(node.private for node in game.flowchart.nodes.values())
        self.linked = LINKED if lasting or any(self.private) else 1
        self.all_cards = len(game.cards)
        self._start_again()

    def _start_again(self) -> None:
        self.events: tuple[Event, ...] = ()
        self.decided = self.lost = self.late = False
        self.furthest = 0
        self.hand = _Hand(b"", 0)
        self.unfollowed = array("i")
        """The script of events that the particles have not followed yet."""

    def bases(self, events: tuple[Event, ...], clock: Clock = NO_CLOCK) -> bytes:
        """Positions at the last decision before the last of these events, which is a shuffle of all cards.

        Raises UnclearError, and OutOfTimeError where another call can go on.
        """
        if not self._read(events, clock):
            raise OutOfTimeError
        if self.lost or not self.hand.bases:
            raise UnclearError("no world of the hand before was found")
        return self.hand.bases

    def follow(self, events: tuple[Event, ...], clock: Clock = NO_CLOCK) -> bool:
        """Goes on to what the seat has seen by now; whether there are histories that agree with it.

        Where the time is over before, there are none yet; the next call goes on.
        """
        if not self._read(events, clock):
            return False
        if not self.lost and (self.unfollowed or self.late or self.hand.particles is None):
            self._extend(END_AT_DECISION, clock)
        return not self.lost and not self.late

    def _read(self, events: tuple[Event, ...], clock: Clock) -> bool:
        """Takes what the seat has seen since, and follows it up to the last shuffle of all cards.

        Where the time is over before, what is left is taken by the next call.
        """
        if events[: len(self.events)] != self.events:
            self._start_again()
        for position in range(len(self.events), len(events)):
            event = events[position]
            if self._gathers(event) and self.decided and not self.lost:
                self._extend(END_AT_SHUFFLE, clock)
                if self.late:
                    self.events = events[:position]
                    return False
                self.unfollowed = self.hand.since[:]
                self.hand = _Hand(self._draw_bases(), self.hand.number + 1, since=self.hand.since)
            record = self.names.record(event)
            if event.kind in DECISIONS:
                self.decided = True
                self.hand.since = array("i")
            self.unfollowed.extend(record)
            self.hand.since.extend(record)
        self.events = events
        return True

    def _gathers(self, event: Event) -> bool:
        return event.kind == "shuffle" and event.source == "pack" and event.number == self.all_cards

    def _new(self, number: int, orders: bytes) -> _engine.Particles:
        hand = self.hand
        return _engine.Particles(
            program=self.engine.telling_program,
            seat=self.seat,
            model=self.model,
            sees=self.sees,
            owners=self.owners,
            private=self.private,
            bases=hand.bases,
            orders=orders,
            count=PARTICLES,
            seed=3 * hand.number + number & WORD,
        )

    def _extend(self, ending: int, clock: Clock) -> None:
        """Follows; begins again if no history is left."""
        hand, script = self.hand, self.unfollowed
        self.unfollowed = array("i")
        hand.script.extend(script)
        if hand.particles is not None and self._try(hand.particles, script, ending, clock, False, WORK_TO_RESTART)[0]:
            return
        left = WORK_TO_RESTART
        orders = self.orders(ORDERS, hand.number) if ending == END_AT_DECISION else b""
        for number, (whole, begin) in enumerate(((True, orders), (False, orders), (False, b""))):
            if orders or number == 2:
                hand.particles = self._new(number, begin)
                found, left = self._try(hand.particles, hand.script, ending, clock, whole, left)
                if found:
                    return
        self.lost = True

    def _try(
        self, particles: _engine.Particles, script: array[int], ending: int, clock: Clock, whole: bool, total: int
    ) -> tuple[bool, int]:
        """Whether particles can go on (when the time is over: another time), and what work is left."""
        found, furthest, left = particles.extend(script, ending, whole, WORK_TO_GO_ON, total, clock.left(SECONDS))
        self.furthest = max(self.furthest, furthest)
        self.late = found < 0
        return found != 0, left

    def _draw_bases(self) -> bytes:
        if self.lost or self.hand.particles is None:
            return b""
        states, _, _ = self.hand.particles.draw(self.linked, STEPS, 0, None, WORK, SECONDS, False)
        return b"".join(states)

    def draw(
        self,
        count: int,
        seed: int,
        legal: array[int] | None = None,
        clock: Clock = NO_CLOCK,
        policy: Policy | None = None,
    ) -> Histories:
        """So many positions; they are judged if there is a policy."""
        if self.lost or self.hand.particles is None:
            return Histories((), np.zeros(0, np.uint64), np.zeros(0))
        states, identities, traced = self.hand.particles.draw(
            count, STEPS, seed & WORD, legal, WORK, clock.left(SECONDS), policy is not None
        )
        found = np.zeros(len(states))
        if policy is not None and traced is not None:
            decisions = Decisions(self.engine.telling_program, traced, clock.left(math.inf))
            found = judged(policy, decisions)
        return Histories(states, np.frombuffer(identities, np.uint64), found)


def _owner(owners: frozenset[int]) -> int:
    """The one player whose a zone is; NOBODY if there is no such player."""
    return min(owners) if len(owners) == 1 else NOBODY
