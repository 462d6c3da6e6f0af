"""One path on which a chart can have been followed: the script to check worlds by, and what is known of the deals.

The script is the seat's events since the last decision before the last shuffle of everything, with what chance is
asked: records of kind, number of values, values.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import Any

from fcdl.beliefs.clock import NO_CLOCK, Clock
from fcdl.beliefs.constraints import Constraints
from fcdl.beliefs.deals import Deal
from fcdl.beliefs.follower import Follower, Listener, Movement
from fcdl.beliefs.formula import FALSE, TRUE, Formula, negated
from fcdl.beliefs.script import DECISIONS, KIND, Names
from fcdl.beliefs.secrets import Hiding
from fcdl.beliefs.symbolic import CardSet
from fcdl.engines.native.constants import FIRST_PICK, SCRIPT_NUMBER, SCRIPT_ORDER
from fcdl.language import flowchart as fc
from fcdl.model.events import Event


class ForkError(Exception):
    """The seat cannot tell how the chart goes on: both ways have to be followed."""


Bases = Callable[["Path", bool, Clock], bytes]
"""Positions at the last decision before a shuffle of all cards, of one world, or of many if secrets last, in time."""


class Path(Listener):
    """Listens to a follower; keeps script and constraints up to date."""

    def __init__(self, names: Names, hiding: Hiding, seat: int, bases_of: Bases) -> None:
        self.names = names
        self.seat = seat
        self.bases_of = bases_of
        self.follower = Follower(names.game, seat, self, hiding)
        self.constraints = Constraints(names.game)
        self.script = array("i")
        self.last_decision = 0
        """Where in the script the last decision is."""
        self.decided = False
        """Whether anybody has decided anything."""
        self.bases = b""
        """The positions in which the script can begin; none: the start of the game."""
        self.texts: list[tuple[int, str]] = []
        """Published texts that depend on something hidden, with their places in the script."""
        self.assumed: bool | None = None
        """How the next private diamond is to be left."""
        self.linked = False
        """Whether something hidden outlived a shuffle of all cards."""
        self.clock = NO_CLOCK
        """How long following may take."""
        self.packed: dict[str, Any] | None = None
        """What the C engine is told of this, once it has been made."""

    @property
    def deals(self) -> list[Deal]:
        """The deals that are possible."""
        return self.constraints.deals

    @property
    def events(self) -> tuple[Event, ...]:
        """What has been followed."""
        return self.follower.events

    def follow(self, events: tuple[Event, ...], clock: Clock = NO_CLOCK) -> None:
        """Goes on; raises PuzzleError, OutOfTimeError, or ForkError where there are two ways to go on (see `fork`)."""
        self.packed = None
        self.clock = clock
        self.follower.follow(events, clock)
        self.follower.finish()

    def fork(self) -> Path:
        """The other of two ways to go on."""
        other = Path.__new__(Path)
        other.__dict__.update(self.__dict__)
        other.follower = self.follower.copy_for(other)
        other.constraints = self.constraints.copy()
        other.script, other.texts = self.script[:], self.texts[:]
        self.assumed, other.assumed = False, True
        return other

    # --- the script

    def _write(self, kind: int, values: Iterable[int]) -> None:
        listed = list(values)
        self.script.extend((kind, len(listed)))
        self.script.extend(listed)

    def taken(self, event: Event) -> None:
        """One more record."""
        if event.kind in DECISIONS:
            self.last_decision, self.decided = len(self.script), True
        values = self.names.values(event)
        if event.kind in ("play", "pick") and event.number is None and event.cards is None:
            values[3] = FIRST_PICK - self.constraints.picks
        self._write(KIND[event.kind], values)

    def published(self, text: str) -> None:
        """A text by which worlds are checked."""
        self.texts.append((len(self.script), text))

    def number_drawn(self, below: int | None, candidates: tuple[int, ...] | None) -> None:
        """Chance answers with one of the candidates, or with any number."""
        self._write(SCRIPT_NUMBER, candidates or ())

    def private_answer(self, node: fc.Node, condition: Formula | None) -> bool:
        """A known answer, or the one that is assumed; worlds in which it is another are rejected."""
        if condition is TRUE or condition is FALSE:
            answer = condition is TRUE
        elif self.assumed is None:
            raise ForkError
        else:
            answer, self.assumed = self.assumed, None
            if condition is not None:
                self.require(condition if answer else negated(condition))
        self._write(KIND["branch"], (self.names.nodes[node.number], int(answer)))
        return answer

    def gathered(self) -> None:
        """Everything begins anew, from the last decision on."""
        follower, constraints = self.follower, self.constraints
        if self.decided:
            lasting = bool(follower.unknown_secrets() & follower.hiding.lasting)
            self.packed = None
            self.bases = self.bases_of(self, lasting, self.clock)
            self.packed = None
            self.linked |= lasting
            self.texts = [(at - self.last_decision, text) for at, text in self.texts if at > self.last_decision]
            del self.script[: self.last_decision]
        elif follower.knowledge.step:
            constraints.uncountable = "cards were dealt twice before anybody decided anything"
            return
        self.last_decision = 0
        self._forget_orders()
        constraints.begin(shuffled=True)
        self._write(SCRIPT_ORDER, range(len(constraints.cards)))

    def _forget_orders(self) -> None:
        """An earlier order does not matter any more."""
        at = 0
        while at < len(self.script):
            kind, length = self.script[at], self.script[at + 1]
            if kind == SCRIPT_ORDER:
                self.script[at + 1 : at + 2 + length] = array("i", [0])
                self.texts = [(where - length if where > at else where, text) for where, text in self.texts]
                length = 0
            at += 2 + length

    # --- the constraints

    def require(self, formula: Formula) -> None:
        """What a formula says about single cards."""
        self.constraints.step = self.follower.knowledge.step
        self.constraints.require(formula)

    def unclear(self, reason: str) -> None:
        """Worlds are checked by playing them, so nothing is lost."""
        self.constraints.unclear()

    def shuffled(self, zone: str) -> None:
        """A new order of a zone."""
        self._write(SCRIPT_ORDER, self.constraints.shuffle(zone))

    def end_seen(self, zone: str, end: int, card: int) -> None:
        """The card lies there in all deals."""
        if self.constraints.uncountable is None:
            for deal in self.deals:
                deal.see_end(zone, end, card)

    def moved(self, movement: Movement, chosen: CardSet | None) -> None:
        """The deals after a movement."""
        knowledge, constraints = self.follower.knowledge, self.constraints
        constraints.step = knowledge.step
        before = constraints.picks
        constraints.move(movement, knowledge.members(movement.source), chosen)
        if not movement.decided and constraints.picks > before:
            picks = range(before, constraints.picks)
            self.script[-movement.number :] = array("i", [FIRST_PICK - number for number in picks])
