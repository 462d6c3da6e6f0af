"""How fast playouts and searches by policies are beside random ones: `python -m tests.benchmarks.policies [GAME...]`
(`--policy NAME`, any number of times, `learned` and files included; `--repetitions N`).

Everything takes turns in one run, in processor time of the thread, with compiled code; what is printed are ratios of
medians. Playouts start at the first decision; searches are `ismcts` without the drawing of worlds.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

from fcdl.agents.agent import policy_of
from fcdl.agents.search import ISMCTS_C, PRIOR_C
from fcdl.arena.bench_search import first_choice
from fcdl.engines.native import NativeEngine, libraries
from fcdl.engines.native.search import Budget, Search
from fcdl.errors import FcdlError
from fcdl.language.load import load_flowchart
from fcdl.model import Game
from tests.games.some import SHORT

GAMES = ("hearts", "oh_hell", "durak", "skat", "trumps", "whist")
CHUNK = 0.05
"""Seconds that one measurement should at least take."""


class Rate:
    """How many playouts or iterations a second."""

    def __init__(self, work: Callable[[int], object]) -> None:
        self.work, self.count, self.found = work, 64, list[float]()
        while self._seconds() < CHUNK and self.count < 10_000_000:
            self.count *= 2

    def _seconds(self) -> float:
        start = time.thread_time()
        self.work(self.count)
        return time.thread_time() - start

    def measure(self) -> None:
        """Once more."""
        self.found.append(self.count / self._seconds())

    @property
    def median(self) -> float:
        """Of the measurements."""
        return statistics.median(self.found)


def rates(game: Game, policy: str | None) -> dict[str, Rate]:
    """Playouts by a policy (None: at random), and searches that use it so or otherwise."""
    engine = NativeEngine(game, policies=() if policy is None else (policy_of(policy, game),))
    if not libraries.compile_now(engine, engine.program):
        print(f"{game.name}, {policy or 'random'}: runs in the interpreter", flush=True)
    state, _ = first_choice(engine)

    def tree(simulation: str | None, prior: str | None) -> Rate:
        search = Search(engine, [state.data], np.ones(1), state.mover, simulation=simulation, seed=1)
        c = ISMCTS_C if prior is None else PRIOR_C
        return Rate(lambda count: search.tree(Budget(count), c=c, multiple=True, nodes=1_000_000, prior=prior))

    found = {
        "playouts": Rate(lambda count: engine.playouts(state, count, 1, policies=policy)),
        "simulation": tree(policy, None),
    }
    return found if policy is None else found | {"prior": tree(None, policy), "policy": tree(policy, policy)}


def measure(name: str, policies: list[str], repetitions: int) -> list[str]:
    """The rows of a game."""
    game = Game.make(load_flowchart(name), name=name, options=SHORT.get(name))
    plain, by_policy = rates(game, None), dict[str, dict[str, Rate]]()
    for policy in policies:
        try:
            by_policy[policy] = rates(game, policy)
        except FcdlError as error:
            print(f"{name}, {policy}: left out, {error}", flush=True)
    for _ in range(repetitions):
        for rate in (rate for found in (plain, *by_policy.values()) for rate in found.values()):
            rate.measure()
    random, search = plain["playouts"].median, plain["simulation"].median
    rows = [f"| {name} | random | {random:,.0f}/s | {search:,.0f}/s | | |"]
    for policy, found in by_policy.items():
        uses = " | ".join(f"{found[use].median / search:.2f}" for use in ("simulation", "prior", "policy"))
        rows.append(f"| {name} | {policy} | {found['playouts'].median / random:.2f} | {uses} |")
    return rows


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--policy", action="append", dest="policies")
    parser.add_argument("--repetitions", type=int, default=7)
    given = parser.parse_args()
    print(
        "| game | policy | playouts, times random | ismcts: simulation= | prior= | policy= |\n|---|---|---|---|---|---|"
    )
    for name in given.games:
        for row in measure(name, given.policies or ["learned", "measured"], given.repetitions):
            print(row, flush=True)


if __name__ == "__main__":
    main()
