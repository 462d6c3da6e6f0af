"""`python -m tests.fuzz.lockstep`: made-up charts of all the language has (tests/engines/charts.py), in lockstep.

Each chart is played on the native and the stepping engine, every so many on ASP, too; where a player is to move, worlds
are drawn for that seat, and each has to offer what the player sees. The same numbers give the same charts.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
import traceback

from fcdl.beliefs.sampler import EXACT, Beliefs
from fcdl.engines.asp import AspEngine
from fcdl.engines.native import NativeEngine
from fcdl.engines.native.constants import MAX_COPIES
from fcdl.engines.stepping import SteppingEngine
from fcdl.language.load import load_text
from fcdl.model import Game, RandomChance
from tests.engines.charts import Writer, chart_text
from tests.engines.lockstep import play_in_lockstep

MOVES = 30


class RandomWriter(Writer):
    """Writes charts from a seed instead of hypothesis's choices."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.bound = []

    def one_of(self, *options: str) -> str:
        """One of them."""
        return self.rng.choice(options)

    def number(self, low: int, high: int) -> int:
        """A number."""
        return self.rng.randint(low, high)


def beliefs_agree(engine: NativeEngine, seed: int) -> int:
    """Draws worlds at some decisions of a game; returns at how many. Exact ones offer the moves that the seat sees."""
    chance, rng, beliefs = RandomChance(seed), random.Random(seed), Beliefs(engine)
    state, asked = engine.start(chance), 0
    for number in range(MOVES):
        seat = engine.mover(state)
        if seat is None:
            break
        legal = engine.legal(state)
        if number % 10 == 3:
            worlds = beliefs.sample(engine.observe(state, seat), 3, seed, legal, seconds=1.0)
            asked += 1
            if worlds.layer == EXACT:
                assert all(set(engine.legal(engine.state(position))) == set(legal) for position in worlds.positions)
        state = engine.apply(state, rng.choice(legal), chance)
    return asked


def main() -> None:
    """Reads the command line, plays, and says what was played."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.lockstep", description=__doc__)
    parser.add_argument("--charts", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the number of the first chart")
    parser.add_argument("--asp", type=int, default=20, help="every so many charts are played on ASP, too")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="of processor time")
    given = parser.parse_args()
    made = valid = games = moves = positions = asp = faults = 0
    for number in range(given.first, given.first + given.charts):
        if time.process_time() > given.seconds:
            break
        made += 1
        text = chart_text(RandomWriter(random.Random(f"chart {number}")))
        try:
            flowchart = load_text(text).flowchart
            if flowchart is None:
                continue
            valid += 1
            game = Game.make(flowchart, name="made_up")
            engine = NativeEngine(game)
            for seed in range(2):
                moves += play_in_lockstep(engine, SteppingEngine(game), seed, max_moves=MOVES)
                games += 1
            if valid % given.asp == 0:
                play_in_lockstep(engine, AspEngine(game), 0, max_moves=MOVES)
                asp += 1
            if flowchart.deck.copies <= MAX_COPIES:
                positions += beliefs_agree(engine, number)
        except Exception:
            faults += 1
            print(f"chart {number}:\n{text}", file=sys.stderr)
            traceback.print_exc()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{made} charts from {given.first}, {valid} of them valid, {games} games and {moves} moves in lockstep, "
        f"{asp} charts on ASP, worlds at {positions} decisions, {faults} faults, "
        f"{time.process_time():.0f} s of processor time, peak memory {memory} MB"
    )
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
