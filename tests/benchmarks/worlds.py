"""How long worlds take at every decision of random games, and how they were found, for the built-in games and all
charts in tests/charts: `python -m tests.benchmarks.worlds [CHART...]` (`--worlds N`, `--games N`, `--moves N`). In
processor time.
"""

import argparse
import random
import time
from collections import Counter
from pathlib import Path

import numpy as np

from fcdl.beliefs.sampler import LAYERS, Beliefs
from fcdl.data import data_names
from fcdl.engines.native.engine import NativeEngine
from fcdl.language.load import load_flowchart
from fcdl.model import Game, RandomChance

CHARTS = Path(__file__).parent.parent / "charts"


def measure(chart: str, players: int | None, games: int, moves: int, worlds: int) -> str:
    """A row of the table."""
    name = Path(chart).stem
    game = Game.make(load_flowchart(chart), name=name, players=players)
    engine = NativeEngine(game)
    times: list[float] = []
    sizes: list[float] = []
    layers: Counter[str] = Counter()
    for seed in range(games):
        beliefs = Beliefs(engine)
        chance, rng = RandomChance(seed), random.Random(seed)
        state = engine.start(chance)
        for number in range(moves):
            seat = engine.mover(state)
            if seat is None:
                break
            legal = engine.legal(state)
            if len(legal) > 1:
                observation = engine.observe(state, seat)
                started = time.process_time()
                found = beliefs.sample(observation, worlds, number, legal)
                times.append(1000 * (time.process_time() - started))
                sizes.append(found.effective_size / len(found.positions))
                layers[found.layer] += 1
            state = engine.apply(state, rng.choice(legal), chance)
    if not times:
        return f"| {name} | {game.players} | 0 |"
    shares = " | ".join(f"{layers[layer] / len(times):.0%}" for layer in LAYERS)
    spent = f"{np.median(times):.1f} | {max(times):.0f}"
    return f"| {name} | {game.players} | {len(times)} | {shares} | {np.median(sizes):.0%} | {spent} |"


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("charts", nargs="*")
    parser.add_argument("--worlds", type=int, default=100)
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--moves", type=int, default=150)
    parser.add_argument("--players", type=int)
    given = parser.parse_args()
    builtin = [name.removesuffix(".fcdl") for name in data_names("games", ".fcdl")]
    charts = given.charts or [*builtin, *sorted(map(str, CHARTS.glob("*.fcdl")))]
    print(f"| chart | players | decisions | {' | '.join(LAYERS)} | effective | median ms | worst ms |", flush=True)
    print("|---" * (6 + len(LAYERS)) + "|")
    for chart in charts:
        print(measure(chart, given.players, given.games, given.moves, given.worlds), flush=True)


if __name__ == "__main__":
    main()
