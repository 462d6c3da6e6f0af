"""`python -m tests.benchmarks.deadlines [MS]`: how long players with a time limit really take, in processor time."""

from __future__ import annotations

import random
import sys
import time

from fcdl.agents.agent import make_agent
from fcdl.engines.native import NativeEngine
from fcdl.language.load import load_flowchart
from fcdl.model import Game, RandomChance

GAMES = (("go_fish", 2), ("go_fish", 5), ("rummy_500", 2), ("president", 5), ("cassino", 4))
SECONDS = 12.0
"""So long a game is followed."""


def worst(name: str, players: int, ms: int) -> tuple[int, float]:
    """The number of decisions that were timed, and the longest of them."""
    table = NativeEngine(Game.make(load_flowchart(name), name=name, players=players))
    agents = [make_agent(f"ismcts:ms={ms}", table.game) for _ in range(players)]
    rng, chance, begin = random.Random(3), RandomChance("deadlines"), time.monotonic()
    state, decisions, longest = table.start(chance), 0, 0.0
    while (seat := table.mover(state)) is not None and time.monotonic() - begin < SECONDS:
        legal = table.legal(state)
        move = rng.choice(legal)
        if len(legal) > 1 and rng.random() < 0.4:
            before = time.process_time()
            move = agents[seat].choose(table.observe(state, seat), legal, rng)
            longest = max(longest, time.process_time() - before)
            decisions += 1
        state = table.apply(state, move, chance)
    return decisions, longest


if __name__ == "__main__":
    limit = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    for game, number in GAMES:
        timed, longest = worst(game, number, limit)
        print(
            f"{game}, {number} players: {timed} decisions, the longest {1000 * longest:.0f} ms of {limit}", flush=True
        )
