"""`python -m tests.benchmarks.cluster`: what a batch of games costs beside the games, for docs/experiments.md."""

from __future__ import annotations

import json
import pickle
import time

from distributed import Client, LocalCluster

from fcdl.arena.executors import Parcel, play_parcel
from fcdl.arena.play import Played
from fcdl.arena.simulate import Setup, Simulation, seatings
from fcdl.cli.options import make_game

GAMES, TASKS = 200, 500


def sizes(name: str, agents: tuple[str, ...]) -> None:
    """What is sent and kept, and the time of a game and of counting it."""
    setup = Setup(make_game(name, len(agents), ()), "native", agents, "1", seatings(agents))
    parcel = Parcel.of(setup)
    play_parcel(parcel, 0, 1)
    began = time.process_time()
    games = [game for game in play_parcel(parcel, 0, GAMES) if isinstance(game, Played)]
    played = time.process_time()
    simulation = Simulation(setup, [False] * len(agents))
    for index, game in enumerate(games):
        simulation.add(index, game)
    counted = time.process_time()
    kept = sum(len(json.dumps(setup.to_json(game), separators=(",", ":"))) for game in games)
    print(
        f"{name}: setup {len(parcel.data)} bytes, game {len(pickle.dumps(games)) / GAMES:.0f} bytes, in the journal "
        f"{kept / GAMES:.0f}; {1000 * (played - began) / GAMES:.2f} ms to play, "
        f"{1000 * (counted - played) / GAMES:.3f} to count"
    )


def nothing(parcel: bytes, number: int) -> int:
    """A task that does nothing."""
    return number


def overhead() -> None:
    """Processor time of client and scheduler, which are in this process, for a task with a setup."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local, Client(local) as client:  # type: ignore[no-untyped-call]
        client.gather([client.submit(nothing, b"x" * 2000, n, pure=False) for n in range(50)])
        began = time.process_time()
        client.gather([client.submit(nothing, b"x" * 2000, n, pure=False) for n in range(TASKS)])
        spent = time.process_time() - began
    print(f"client and scheduler: {1000 * spent / TASKS:.2f} ms for a batch")


if __name__ == "__main__":
    sizes("durak", ("durak.random", "durak.greedy"))
    sizes("hearts", ("random",) * 4)
    overhead()
