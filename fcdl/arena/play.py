"""One game between agents, from a seed, as a record."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from fcdl.agents import Agent
from fcdl.model.chance import RandomChance, RecordingChance
from fcdl.model.engine import Engine
from fcdl.model.events import Event, Observation
from fcdl.model.moves import Move
from fcdl.model.record import Record, make_record


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game: its record, and seconds and moves of each seat."""

    record: Record
    seconds: tuple[float, ...]
    moves: tuple[int, ...]


def play(engine: Engine, agents: Sequence[Agent], names: Sequence[str], seed: str) -> Played:
    """Plays one game; everything random in it comes from the seed."""
    chance = RecordingChance(RandomChance(seed))
    sources = [random.Random(f"{seed} seat {seat}") for seat in range(engine.game.players)]
    seconds = [0.0] * engine.game.players
    counts = [0] * engine.game.players
    moves: list[Move] = []
    views: list[list[Event]] = [[] for _ in agents]
    state = engine.start(chance)
    while (mover := engine.mover(state)) is not None:
        for event in engine.latest(state):
            for seat, view in enumerate(views):
                if (seen := event.seen_by(seat)) is not None:
                    view.append(seen)
        observation, legal = Observation(mover, tuple(views[mover])), engine.legal(state)
        before = time.perf_counter()
        move = agents[mover].choose(observation, legal, sources[mover])
        seconds[mover] += time.perf_counter() - before
        counts[mover] += 1
        moves.append(move)
        state = engine.apply(state, move, chance)
    record = make_record(engine, state, chance, moves, seed=seed, agents=names)
    return Played(record, tuple(seconds), tuple(counts))
