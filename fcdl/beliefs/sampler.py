"""Beliefs: worlds drawn with the probability that chance and a model of the others' choices give them.

A world is a complete hidden history that looks to the seat as what it has seen. `Beliefs` asks one layer after another
until one has worlds: the dealer (`dealer.py`: follower, constraints, counting, checking, weights), particles
(`particles.py`), public facts (`public.py`).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fcdl.beliefs.clock import NO_CLOCK, Clock, OutOfTimeError
from fcdl.beliefs.dealer import EQUAL, MODELS, UNIFORM, Dealer, Drawn
from fcdl.beliefs.deals import MAX_DEALS
from fcdl.beliefs.follower import PuzzleError
from fcdl.beliefs.particles import LINKED, Particles
from fcdl.beliefs.path import ForkError, Path
from fcdl.beliefs.public import PublicFacts
from fcdl.beliefs.script import Names
from fcdl.beliefs.secrets import Hiding
from fcdl.beliefs.weights import (
    Decision,
    Numbers,
    Policy,
    effective_size,
    generator,
    systematic,
    tempered,
    thinned,
)
from fcdl.engines.native.constants import END_AT_DECISION, END_AT_SHUFFLE, MAX_COPIES, PASS
from fcdl.engines.native.engine import NativeEngine
from fcdl.errors import FcdlError
from fcdl.language import flowchart as fc
from fcdl.model.events import Event, Observation
from fcdl.model.moves import Move

__all__ = ["EQUAL", "EXACT", "LAYERS", "UNIFORM", "Beliefs", "BeliefsError", "Decision", "Marginals", "NoWorldError"]
__all__ += ["PARTICLES", "PUBLIC", "SOME", "SPARSE", "Policy", "Worlds"]
EXACT = "exact"
"""Worlds drawn by counting, each checked by playing it."""
SPARSE = "sparse"
"""The same, but next to no deal agreed with what was seen, so that they are few."""
SOME = "some deals"
"""The same, but hidden picks can have gone in so many ways that some of them, drawn at random, stand for all."""
PARTICLES = "particles"
"""Hidden histories carried from decision to decision."""
PUBLIC = "public facts"
"""Unseen cards dealt at random, with nothing concluded from what happened."""
LAYERS = {
    EXACT: "",
    SPARSE: "Few hidden deals were found that agree with what was seen.",
    SOME: "The hidden cards can have gone in very many ways; some of these were looked at.",
    PARTICLES: "The hidden cards were found by trying, so how likely each deal is may be skewed.",
    PUBLIC: "No hidden deal was found that agrees with everything seen, so unseen cards were dealt at random.",
}
"""How worlds can be found, the best first, with what is said about it."""
NOT_WEIGHED = "What the others did was not weighed."
TEMPERED = "What the others did fits few hidden deals, so it counts for less (to the power of {power:.2f})."
FEW = 20
"""So many worlds are better than more that may be skewed."""
LEAST_JUDGED = 200
"""If worlds are weighed by a policy, at least so many are drawn, of which those that are wanted are then taken."""
EFFORT = 8
"""Where weights differ much, more worlds are drawn than are wanted, up to this many deals for each world wanted."""
PUBLIC_WORLDS = 200
"""Positions made from public facts, at most."""
MAX_PATHS = 16
AGAIN = 6
"""If the deals that stand for all turn out to be wrong, so many times others are tried."""
LOOKED_AT = 8000
"""No others are tried after so many deals were looked at: about a quarter of a second."""


class BeliefsError(FcdlError):
    """Worlds cannot be sampled for this game, seat or model; says why."""


class NoWorldError(FcdlError):
    """No world was found that agrees with what the seat has seen."""


@dataclass(frozen=True, slots=True, eq=False)
class Worlds:
    """Sampled worlds: native positions in which the seat is to move, with weights that sum to 1."""

    positions: tuple[bytes, ...]
    weights: Numbers
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
    power: float = 1.0
    """The power to which what the others decided counts: less than 1 where hardly any world would be left."""

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
        chosen = systematic(self.weights, count, generator(seed))
        return tuple(self.positions[index] for index in chosen)


@dataclass(frozen=True, slots=True)
class Marginals:
    """For each card that can be in several zones, the probability of each."""

    places: Mapping[str, Mapping[str, float]]
    exact: bool
    effective_size: float
    layer: str = EXACT
    note: str = ""


class Beliefs:
    """Worlds for any seat of a game; keeps what it followed when an observation goes on where the last one ended."""

    def __init__(self, engine: NativeEngine, model: str | Policy = UNIFORM, least: float = 0.0) -> None:
        """Weights by a function are tempered so that they are worth `least` times the worlds wanted."""
        if not callable(model) and model not in MODELS:
            raise BeliefsError(f"a model of the others is {', '.join(MODELS)} or a function, not '{model}'")
        if engine.game.flowchart.deck.copies > MAX_COPIES:
            raise BeliefsError(f"worlds of decks with more than {MAX_COPIES} copies of a card are not sampled")
        self.engine = engine
        self.model = model
        self.least = least
        self.paths: dict[int, list[Path]] = {}
        self.particles: dict[int, Particles] = {}
        self.lost: dict[int, tuple[Event, ...]] = {}
        """By seat: what could not be followed so that deals can be counted."""

    @cached_property
    def hiding(self) -> Hiding:
        """What in the chart is hidden."""
        return Hiding(self.engine.game.flowchart)

    @cached_property
    def dealer(self) -> Dealer:
        """Draws by counting."""
        return Dealer(self.engine, self.hiding, self.model)

    @cached_property
    def names(self) -> Names:
        """Numbers of the game's names."""
        return Names(self.engine.game)

    @cached_property
    def public(self) -> PublicFacts:
        """Makes positions where no world is found."""
        return PublicFacts(self.engine)

    def sample(
        self,
        observation: Observation,
        count: int,
        seed: int,
        legal: Collection[Move] | None = None,
        seconds: float = math.inf,
    ) -> Worlds:
        """So many worlds, the best that can be found (fewer, if they are hard to find); `layer` says how.

        The seat's legal moves, if they are given, are something it has seen, too: worlds with others are none.
        Where the seconds are not enough, a simpler layer answers, and the next call finishes what was begun.
        Raises NoWorldError only if the observation is not one of this game.
        """
        if count < 1:
            raise BeliefsError(f"expected at least one world, not {count}")
        if not 0 <= observation.seat < self.engine.game.players:
            raise BeliefsError(f"there is no seat {observation.seat}")
        offered = None if legal is None else frozenset(legal)
        clock = Clock(seconds)
        exact = self._exact(observation, count, seed, offered, clock)
        if exact is not None and (exact.layer in (EXACT, SOME) or clock.is_over):
            return exact
        found = self._by_particles(observation, count, seed, offered, clock)
        if found is not None and (exact is None or found.effective_size > len(exact.positions)):
            return found
        if exact is not None and exact.positions:
            return exact
        return self._by_public_facts(observation, count, seed, offered)

    def _exact(
        self, observation: Observation, count: int, seed: int, legal: frozenset[Move] | None, clock: Clock
    ) -> Worlds | None:
        """Worlds drawn by counting; None where that cannot be done.

        Where weights differ much, more are drawn and then thinned out again, which keeps all probabilities.
        """
        seat, events = observation.seat, observation.events
        lost = self.lost.get(seat)
        if lost is not None and events[: len(lost)] == lost:
            return None
        try:
            paths = self._follow(observation, clock)
        except OutOfTimeError:
            return None
        except Exception:  # whatever the chart says, or a fault of ours: there are other layers
            self.lost[seat] = events
            return None
        wanted = max(count, LEAST_JUDGED) if callable(self.model) else count
        drawn = self.dealer.draw(paths, wanted, seed, END_AT_DECISION, clock)
        enough = len(drawn.positions) == wanted
        size = effective_size(drawn.weights()[0])
        room = (EFFORT * count - drawn.attempts) * len(drawn.positions) // max(1, drawn.attempts)
        if enough and room > 0 and size < wanted / 2 and not clock.is_over:
            more = min(wanted * int(wanted / 2 / size), room)
            drawn.add(self.dealer.draw(paths, more, seed + 1, END_AT_DECISION, clock))
        self._keep_offered(drawn, legal)
        in_time = np.flatnonzero(~np.isnan(drawn.judged))
        if 0 < len(in_time) < len(drawn.positions):
            drawn.keep(in_time.tolist())
        accepted = len(drawn.positions)
        if not accepted:
            return None
        positions, (weights, power) = tuple(drawn.positions), drawn.weights(self.least * count)
        if accepted > count:
            chosen, weights = thinned(weights, count, generator(seed))
            positions = tuple(positions[index] for index in chosen)
        some = any(path.constraints.thinned for path in paths)
        enough = accepted >= min(count, max(FEW, count // 5))
        layer = SPARSE if not enough else SOME if some else EXACT
        note = LAYERS[layer] or ("" if drawn.exact else "How likely each hidden deal is was estimated.")
        if not len(in_time):
            power = 0.0
        exact = drawn.exact and layer == EXACT
        note = _joined(note, _tempering(power))
        return Worlds(positions, weights, exact, drawn.attempts, accepted, layer, note, None, power)

    def drawn(self, observation: Observation, count: int, seed: int, legal: Collection[Move]) -> Drawn:
        """So many worlds as they are drawn, neither thinned nor tempered, for those who measure how good beliefs are.

        Where deals cannot be counted they come from particles. Raises NoWorldError.
        """
        offered = frozenset(legal)
        try:
            drawn = self.dealer.draw(self._follow(observation), count, seed, END_AT_DECISION)
            self._keep_offered(drawn, offered)
        except Exception:  # whatever the chart says: there are particles
            drawn = Drawn([], np.zeros(0), np.zeros(0), 0, False)
        if len(drawn.positions) < FEW:
            particles = self.particles_of(observation.seat)
            policy = self.model if callable(self.model) else None
            if particles.follow(observation.events):
                found = particles.draw(count, seed, policy=policy)
                drawn = Drawn(list(found.positions), np.zeros(len(found.positions)), found.judged, count, False)
                self._keep_offered(drawn, offered)
        if not drawn.positions:
            raise NoWorldError("no world agrees with what the seat has seen")
        return drawn

    def _keep_offered(self, drawn: Drawn, legal: frozenset[Move] | None) -> None:
        """Drops worlds in which the seat would have other legal moves."""
        if legal is not None and self._moves_tell(drawn.positions):
            drawn.keep([n for n, offered in enumerate(self._offered(drawn.positions)) if offered == legal])

    def _moves_tell(self, positions: Sequence[bytes]) -> bool:
        """Whether the list of moves at this decision can tell the seat something that it does not see."""
        if not positions or self.hiding.private:
            return bool(positions)
        return self.hiding.moves_tell(self.engine.state(positions[0]).node)

    def _offered(self, positions: Sequence[bytes]) -> Iterator[frozenset[Move]]:
        """The legal moves of positions that look the same to the seat."""
        engine = self.engine
        for position in positions:
            state = engine.state(position)
            yield frozenset(engine.move(state, number) for number in engine.telling_program.legal(position))

    def _by_particles(
        self, observation: Observation, count: int, seed: int, legal: frozenset[Move] | None, clock: Clock
    ) -> Worlds | None:
        """Worlds by particles; None where no history is left, or no time."""
        particles = self.particles_of(observation.seat)
        if not particles.follow(observation.events, clock):
            return None
        policy = self.model if callable(self.model) else None
        drawn = particles.draw(count, seed, clock=clock, policy=policy)
        tell = legal is not None and self._moves_tell(drawn.positions)
        if tell and legal is not None and any(moves != legal for moves in self._offered(drawn.positions)):
            offered = particles.draw(count, seed, self._numbers(drawn.positions[0], legal), clock, policy)
            drawn = offered if offered.positions else drawn
        if not drawn.positions:
            return None
        in_time = not np.isnan(drawn.judged).any()
        number = len(drawn.positions)
        weights, power = np.full(number, 1 / number), 0.0
        if in_time:
            weights, power = tempered(np.zeros(number), drawn.judged, self.least * count)
        _, places = np.unique(drawn.identities, return_inverse=True)
        size = effective_size(np.bincount(places, weights).astype(np.float64))
        note = _joined(LAYERS[PARTICLES], _tempering(power))
        return Worlds(drawn.positions, weights, False, number, number, PARTICLES, note, size, power)

    def particles_of(self, seat: int) -> Particles:
        """The particles of a seat."""
        particles = self.particles.get(seat)
        if particles is None:
            model = MODELS[EQUAL if callable(self.model) else self.model]
            lasting = bool(self.hiding.lasting)
            particles = self.particles[seat] = Particles(
                self.engine, self.names, seat, model, lasting, lambda count, number: self._orders(seat, count, number)
            )
        return particles

    def _orders(self, seat: int, count: int, seed: int) -> bytes:
        """Orders for particles to begin with, as far as the dealer can tell."""
        paths = self.paths.get(seat)
        return self.dealer.orders(paths[0], count, seed) if paths else b""

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
        power = 0.0 if callable(self.model) else 1.0
        note = _joined(LAYERS[PUBLIC], _tempering(power))
        return Worlds(positions, weights, False, len(positions), len(positions), PUBLIC, note, None, power)

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
        constraints = paths[0].constraints
        uncounted = constraints.uncountable is not None or constraints.thinned
        if len(paths) > 1 or paths[0].linked or uncounted or constraints.open_questions:
            return None
        if self.engine.game.flowchart.deck.copies > 1:
            return None
        return sum(deal.worlds() for deal in paths[0].deals)

    # --- following

    def _bases(self, path: Path, lasting: bool, clock: Clock) -> bytes:
        """Some worlds' positions at the last decision before a shuffle of all cards."""
        count = LINKED if lasting else 1
        drawn = self.dealer.draw([path], count, 0, END_AT_SHUFFLE)
        if not drawn.positions:
            return self.particles_of(path.seat).bases(path.events[: path.follower.position + 1], clock)
        if not lasting:
            return drawn.positions[0]
        return b"".join(drawn.positions[index] for index in systematic(drawn.weights()[0], count, generator(0)))

    def _follow(self, observation: Observation, clock: Clock = NO_CLOCK) -> list[Path]:
        seat, events = observation.seat, observation.events
        paths = self.paths.pop(seat, None)
        if paths is None or paths[0].events != events[: len(paths[0].events)]:
            paths = [Path(self.names, self.hiding, seat, self._bases)]
        thinned = [path.constraints for path in paths]
        looked_at = 0
        for attempt in range(AGAIN + 1):
            try:
                self.paths[seat] = self._go_on(paths, events, clock)
                return self.paths[seat]
            except NoWorldError:
                looked_at += thinned[0].looked_at
                if attempt == AGAIN or looked_at > LOOKED_AT or not any(given.thinned for given in thinned):
                    raise
            paths = [Path(self.names, self.hiding, seat, self._bases)]  # with other deals that stand for all
            paths[0].constraints.seed = thinned[0].seed + 1
            thinned = [paths[0].constraints]
        raise AssertionError

    def _go_on(self, paths: list[Path], events: tuple[Event, ...], clock: Clock) -> list[Path]:
        """Follows the chart on every path; a private diamond can make two of one."""
        pending, done = list(paths), list[Path]()
        problem: FcdlError = NoWorldError("no world agrees with what the seat has seen")
        while pending:
            path = pending.pop()
            try:
                path.follow(events, clock)
            except OutOfTimeError:
                self.paths[path.seat] = [*done, path, *pending]
                raise
            except ForkError:
                pending += [path, path.fork()]
                ways = len(pending) + len(done)
                if ways > MAX_PATHS or ways * len(path.deals) > MAX_DEALS:
                    raise BeliefsError("the chart can have been followed in too many ways") from None
            except (PuzzleError, NoWorldError) as error:
                problem = error
            else:
                if path.deals or path.constraints.uncountable is not None:
                    done.append(path)
        if not done:
            raise problem
        return sorted(done, key=lambda path: path.script.tobytes())


def _tempering(power: float) -> str:
    """A sentence where what the others did counts for less, or not at all."""
    return "" if power == 1 else TEMPERED.format(power=power) if power else NOT_WEIGHED


def _joined(*sentences: str) -> str:
    return " ".join(filter(None, sentences))
