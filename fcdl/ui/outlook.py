"""What moves lead to at once: whether the person takes the trick, and what it brings, in worlds that they cannot tell
apart. The others play anything that is legal."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fcdl.model.chance import RandomChance
from fcdl.model.engine import Engine, State
from fcdl.model.events import Event, Observation
from fcdl.model.moves import Move
from fcdl.ui.tricks import TakerFinder
from fcdl.ui.view import Watcher

if TYPE_CHECKING:
    from fcdl.beliefs.sampler import Beliefs

WORLDS = 60
MOST_MOVES = 24
"""So many decisions of others are looked at in each world."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What came of a move before the person's next decision."""

    gain: float
    """The change of their score, in the mean."""
    takes: float | None
    """In which share of worlds they took the trick; None if no trick was taken in some."""


def outlooks(
    beliefs: Beliefs, engine: Engine, watcher: Watcher, legal: Sequence[Move], moves: Sequence[Move]
) -> dict[Move, Outlook]:
    """What each of these moves leads to, where `watcher` has seen what the person has seen."""
    from fcdl.engines.native.engine import NativeEngine

    assert isinstance(engine, NativeEngine)
    seat = watcher.seat
    assert seat is not None
    observation = Observation(seat, watcher.events)
    positions = beliefs.sample(observation, WORLDS, 1, legal, seconds=1.0).positions
    found = {}
    for move in moves:
        results = []
        for number, position in enumerate(positions):
            state = engine.state(position)
            if move in engine.legal(state):
                results.append(_follow(engine, watcher, state, move, random.Random(number)))
        if results:
            takers = [taker for _, taker in results]
            share = None if None in takers else sum(taker == seat for taker in takers) / len(takers)
            found[move] = Outlook(sum(gain for gain, _ in results) / len(results), share)
    return found


def _follow(engine: Engine, watcher: Watcher, state: State, move: Move, rng: random.Random) -> tuple[float, int | None]:
    """What a move brings before the next decision of the same seat, and who takes the trick."""
    seat = watcher.seat
    values = dict(watcher.table.values)
    before = _number(values.get(("score", seat)))
    finder = TakerFinder(engine.game)
    finder.winner = watcher.finder.winner
    trick = [card for _, card in watcher.played]
    chance = RandomChance(f"outlook {rng.random()}")
    cleared, taker = False, None
    for _ in range(MOST_MOVES):
        state = engine.apply(state, move, chance)
        finder.decided()
        for event in engine.latest(state):
            if event.kind == "play" and event.cards:
                trick += event.cards
            cleared = cleared or _clears(event, trick)
            slot = (event.name or "", event.owner)
            changed = event.kind == "assign" and values.get(slot) != event.value
            finder.see(event, changed=changed, trick=trick, cleared=cleared)
            if event.kind in ("assign", "choose") and event.value is not None:
                values[slot] = event.value
        if cleared:
            taker = finder.taker()
        mover = engine.mover(state)
        if cleared or mover is None or mover == seat:
            break
        legal = engine.legal(state)
        move = legal[rng.randrange(len(legal))]
    return _number(values.get(("score", seat))) - before, taker


def _clears(event: Event, trick: Sequence[str]) -> bool:
    """Whether played cards leave the table."""
    leaves = event.kind == "move" and not (event.source or "").startswith("hand")
    return leaves and not set(trick).isdisjoint(event.cards or ())


def _number(text: str | None) -> int:
    try:
        return int(text or 0)
    except ValueError:
        return 0
