"""How long the ASP engine takes for a decision, and that this does not grow with the history of the game."""

from __future__ import annotations

import random
import statistics
import time
from typing import Any

from fcdl.engines.asp.engine import AspEngine
from fcdl.model import Game, RandomChance


def measure(game: Game, decisions: int = 200, seed: int = 0) -> dict[str, Any]:
    """Milliseconds a decision under random players: median and p95, also of processor time (other work on the machine
    counts less there), and the medians of the first and last quarter.
    """
    engine = AspEngine(game)
    engine.segments  # noqa: B018 - prepared once per game
    rng = random.Random(f"bench {seed}")
    times: list[float] = []
    processor: list[float] = []
    chance = RandomChance(seed)
    state = engine.start(chance)
    games = 0
    while len(times) < decisions:
        if engine.mover(state) is None:
            games += 1
            chance = RandomChance(f"{seed} {games}")
            state = engine.start(chance)
            continue
        move = rng.choice(engine.legal(state))
        begin, busy = time.perf_counter(), time.process_time()
        state = engine.apply(state, move, chance)
        times.append((time.perf_counter() - begin) * 1000)
        processor.append((time.process_time() - busy) * 1000)
    quarter = max(1, len(times) // 4)
    return {
        "game": game.name,
        "decisions": len(times),
        "median_ms": round(statistics.median(times), 2),
        "p95_ms": round(sorted(times)[int(len(times) * 0.95)], 2),
        "cpu_median_ms": round(statistics.median(processor), 2),
        "cpu_p95_ms": round(sorted(processor)[int(len(processor) * 0.95)], 2),
        "first_quarter_ms": round(statistics.median(processor[:quarter]), 2),
        "last_quarter_ms": round(statistics.median(processor[-quarter:]), 2),
    }


if __name__ == "__main__":
    from fcdl.language.load import builtin_names, load_flowchart

    for name in builtin_names():
        print(measure(Game.make(load_flowchart(name), name=name)))
