"""One game between agents, from a seed."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from fcdl.agents import Agent
from fcdl.agents.agent import Clairvoyant
from fcdl.arena.watching import Watched, watched_values
from fcdl.errors import FcdlError
from fcdl.model.chance import RandomChance, RecordingChance
from fcdl.model.engine import Engine, State
from fcdl.model.events import Event, Observation, both_views
from fcdl.model.moves import PASS, Move
from fcdl.model.outcome import Outcome, Reason
from fcdl.model.record import Record, broken_record, from_line, make_record, to_line

if TYPE_CHECKING:
    from fcdl.model.game import Game


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game."""

    outcome: Outcome
    seconds: tuple[float, ...]
    """Time that each seat took to choose."""
    moves: tuple[int, ...]
    """Decisions of each seat."""
    choices: int
    """Legal moves, summed over all decisions."""
    log_choices: float
    """Logarithms of the numbers of legal moves, summed over all decisions."""
    log_plays: float
    """The same without counting passes, where there is anything else."""
    forced_passes: int
    """Decisions at which there was nothing but to pass."""
    watched: Watched
    """What was to be watched."""
    first: int | None
    """The seat that had the first decision."""
    record: Record | None
    """Everything needed to play it again, if it was to be kept."""

    @property
    def scores(self) -> tuple[int, ...]:
        """By seat."""
        return self.outcome.scores

    @property
    def reason(self) -> str:
        """Why it ended."""
        return str(self.outcome.reason)

    def to_json(self, game: Game) -> list[Any]:
        """As it is written in a journal."""
        outcome = self.outcome
        line = to_line(self.record, game.flowchart.deck) if self.record is not None else None
        return [
            outcome.scores, str(outcome.reason), outcome.node, self.seconds, self.moves, self.choices,
            self.log_choices, self.log_plays, self.forced_passes, self.watched, self.first, line,
        ]  # fmt: skip

    @classmethod
    def from_json(cls, value: Any, game: Game) -> Played:
        """The game in a journal; raises what damaged values raise."""
        scores, reason, node, seconds, moves, choices, log_choices, log_plays, passes, watched, first, line = value
        if len(scores) != game.players:
            raise ValueError
        record = from_line(line, game.flowchart) if line is not None else None
        outcome = Outcome(tuple(scores), Reason(reason), node)
        watched = tuple(tuple(values) for values in watched)
        return cls(
            outcome, tuple(seconds), tuple(moves), choices, log_choices, log_plays, passes, watched, first, record
        )


class BrokenGameError(FcdlError):
    """A game that something kept from going on, with its record until then."""

    def __init__(self, error: Exception, record: Record) -> None:
        super().__init__(str(error) if isinstance(error, FcdlError) else f"{type(error).__name__}: {error}")
        self.record = record
        self.exit_code = getattr(error, "exit_code", self.exit_code)


class Witness(Protocol):
    """Watches a game from outside, and sees everything."""

    def decision(self, state: State, seat: int, legal: Sequence[Move], move: Move) -> None:
        """In a position a seat has chosen a move."""

    def end(self, state: State) -> None:
        """The last position."""


class _Views:
    """What the seats have seen: events are read once, and only when an agent asks for what it saw."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.seen: list[list[Event]] = [[] for _ in range(engine.game.players)]
        self.states: list[State] = []
        self.read = 0

    def observation(self, state: State, seat: int) -> Observation:
        """One seat's view of the newest state."""
        self.states.append(state)
        number = len(self.states)
        return Observation(seat, lambda: self._events(number, seat))

    def _events(self, number: int, seat: int) -> tuple[Event, ...]:
        """What a seat has seen up to the state with this number."""
        if self.read > number:  # somebody asks late
            return self.engine.observe(self.states[number - 1], seat).events
        for state in self.states[self.read : number]:
            for event in self.engine.latest(state):
                told, public = both_views(event)
                for viewer, view in enumerate(self.seen):
                    seen = told if viewer in event.seers else public
                    if seen is not None:
                        view.append(seen)
        self.read = number
        return tuple(self.seen[seat])


def play(
    engine: Engine,
    agents: Sequence[Agent],
    deal: str,
    seed: str,
    *,
    open_cards: bool = False,
    watch: Sequence[str] = (),
    names: Sequence[str] | None = None,
    recorded: bool = True,
    witness: Witness | None = None,
) -> Played:
    """Plays one game: chance comes from the seed `deal`, the agents' randomness from `seed`.

    With open cards every agent that can sees the true position. With `names` of the agents there is a record, if it is
    to be `recorded`, and what goes wrong is a BrokenGameError. A `witness` is told of every position.
    """
    players = range(engine.game.players)
    chance = RecordingChance(RandomChance(deal))
    sources = [random.Random(f"{seed} seat {seat}") for seat in players]
    peek = [agent.peek if sees_all(agent, open_cards) else None for agent in agents]  # type: ignore[attr-defined]
    choose = [agent.choose for agent in agents]
    seconds, counts = [0.0] * len(players), [0] * len(players)
    choices, log_choices, log_plays, forced_passes = 0, 0.0, 0.0, 0
    moves: list[Move] = []
    views = _Views(engine)
    state = engine.start(chance)
    first = engine.mover(state)
    while (mover := engine.mover(state)) is not None:
        legal = engine.legal(state)
        observation = views.observation(state, mover)
        before = time.perf_counter()
        try:
            if (show := peek[mover]) is not None:
                show(native_position(state))
            move = choose[mover](observation, legal, sources[mover])
        except Exception as error:
            if names is None:
                raise
            raise BrokenGameError(error, broken_record(engine.game, chance, moves, seed=deal, agents=names)) from error
        seconds[mover] += time.perf_counter() - before
        counts[mover] += 1
        number = len(legal)
        choices += number
        log_choices += math.log(number)
        if legal[-1] != PASS:  # which comes last
            log_plays += math.log(number)
        elif number > 1:
            log_plays += math.log(number - 1)
        else:
            forced_passes += 1
        moves.append(move)
        if witness is not None:
            witness.decision(state, mover, legal, move)
        state = engine.apply(state, move, chance)
    if witness is not None:
        witness.end(state)
    outcome = engine.outcome(state)
    assert outcome is not None
    return Played(
        outcome,
        tuple(seconds),
        tuple(counts),
        choices,
        log_choices,
        log_plays,
        forced_passes,
        watched_values(engine.game, engine.events(state), watch) if watch else (),
        first,
        make_record(engine, state, chance, moves, seed=deal, agents=names) if names is not None and recorded else None,
    )


def sees_all(agent: Agent, open_cards: bool) -> bool:
    """Whether an agent is shown the true position."""
    return isinstance(agent, Clairvoyant) and (open_cards or agent.clairvoyant)


def native_position(state: State) -> bytes:
    """The C engine's form of a state; raises FcdlError if another engine made it."""
    data = getattr(state, "data", None)
    if not isinstance(data, bytes):
        raise FcdlError("agents can see all cards on the native engine only")
    return data
