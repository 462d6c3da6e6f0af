"""How many tables a server carries: `python -m tests.benchmarks.web` plays on real WebSockets of 127.0.0.1.

Every table has four seats. People (`--people`, each a WebSocket) play legal moves when it is their turn, computers
(`--computer`) play the others. A move's round trip is the time from sending it to hearing that it was made. At the end
the log of every table is read back: every move that was confirmed must be there.
"""

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from fcdl.web.store import Store
from tests.web.serving import Person, Server, serving


@dataclass
class Load:
    """What was measured."""

    trips: list[float] = field(default_factory=list)
    confirmed: dict[str, int] = field(default_factory=dict)
    """The highest number of moves that any page of a table was told."""
    finished: int = 0
    errors: list[str] = field(default_factory=list)


def resident_mb(pid: int) -> float:
    """The memory of a process and all its children."""
    total = 0.0
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            if int(path.name) == pid or parent == pid:
                pages = int((path / "statm").read_text().split()[1])
                total += pages * os.sysconf("SC_PAGESIZE") / 1e6
        except (OSError, ValueError):
            continue
    return total


async def play(server: Server, person: Person, table: str, load: Load, until: float, think: float) -> None:
    """One person at one table, until the time is over or the game is."""
    address = f"ws://127.0.0.1:{server.port}/ws/table/{table}"
    async with connect(address, origin=Origin(server.address), max_size=None, open_timeout=60) as socket:
        await socket.send(json.dumps({"do": "hello", "visitor": person.token, "name": person.name, "token": ""}))
        you: int | None = None
        sent: tuple[int, float] | None = None
        while time.monotonic() < until:
            message = await _next(socket, until)
            if message is None:
                return
            if "table" in message:
                you = message["table"]["you"]
                if you is None and message["do"] == "hello":
                    free = next(row["seat"] for row in message["table"]["seats"] if row["person"] and not row["taken"])
                    await socket.send(json.dumps({"do": "sit", "seat": free}))
            if message["do"] in ("error", "illegal", "fatal"):
                load.errors.append(message["text"])
            sight = message.get("sight")
            if not sight:
                continue
            load.confirmed[table] = max(load.confirmed.get(table, 0), sight["number"])
            if sent is not None and sight["number"] > sent[0]:
                load.trips.append(time.perf_counter() - sent[1])
                sent = None
            if sight["over"]:
                load.finished += 1
                return
            if sight["mover"] == you and sent is None and sight["legal"]:
                await asyncio.sleep(think)
                kind, what = sight["legal"][len(sight["legal"]) // 2]
                sent = sight["number"], time.perf_counter()
                await socket.send(
                    json.dumps({"do": "move", "move": f"{kind} {what}".strip(), "number": sight["number"]})
                )


async def _next(socket: ClientConnection, until: float) -> dict[str, Any] | None:
    try:
        text = await asyncio.wait_for(socket.recv(), max(0.1, until - time.monotonic()))
    except TimeoutError:
        return None
    message: dict[str, Any] = json.loads(text)
    return message


async def run(server: Server, load: Load, options: argparse.Namespace) -> tuple[float, float]:
    """Sets up all tables and plays; the memory before and at the end."""
    before = resident_mb(server.process.pid)
    seats = ["person"] * (options.people - 1) + [options.computer] * (4 - options.people)
    tables = []
    for number in range(options.tables):
        host = Person(server, f"host {number}")
        tables.append((host, host.table(options.game, *seats)))
    until = time.monotonic() + options.seconds
    players = [
        play(server, host if seat == 0 else Person(server, f"guest {seat} {table}"), table, load, until, options.think)
        for host, table in tables
        for seat in range(options.people)
    ]
    running = [asyncio.create_task(player) for player in players]
    await asyncio.wait(running, timeout=options.seconds * 0.9)
    at_work = resident_mb(server.process.pid)
    await asyncio.gather(*running)
    return before, at_work


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--people", type=int, default=1, choices=range(1, 5))
    parser.add_argument("--computer", default="easy")
    parser.add_argument("--game", default="hearts")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--think", type=float, default=0.5, help="seconds that a person thinks about a move")
    options = parser.parse_args()
    load = Load()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "web.sqlite") as server:
        before, at_work = asyncio.run(run(server, load, options))
        store = Store(server.data)
        lost = sum(max(0, number - (len(store.steps(table)) - 1)) for table, number in load.confirmed.items())
        moves = sum(len(store.steps(table)) - 1 for table in load.confirmed)
        store.close()
    trips = sorted(load.trips)
    print(
        json.dumps(
            {
                "tables": options.tables,
                "people": options.people,
                "computer": options.computer,
                "tables_played": len(load.confirmed),
                "moves": moves,
                "moves_per_second": round(moves / options.seconds, 1),
                "people_moves": len(trips),
                "median_ms": round(1000 * statistics.median(trips), 1),
                "p99_ms": round(1000 * trips[int(0.99 * (len(trips) - 1))], 1),
                "mb_per_table": round((at_work - before) / options.tables, 2),
                "mb_all": round(at_work),
                "finished": load.finished,
                "confirmed_but_lost": lost,
                "errors": sorted(set(load.errors)),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
