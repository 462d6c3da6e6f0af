"""How fast the language is: `python -m tests.benchmarks.language` prints a table.

Each row is one command, run several times, start-up included: the best and the median of the time on the clock, and
the least processor time, which other work on the machine disturbs less.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fcdl.data import data_names, data_text

ROOT = Path(__file__).parents[2]
TEXT_HEADER = 'game "Generated"\nplayers 2\n\nchart main\n    start\n    Shuffle\n    Deal(7)\n'


def generated_chart(nodes: int) -> str:
    """A chart with about this many nodes: short tricks one after another, with assignments, diamonds and loops."""
    lines = [TEXT_HEADER, "    leader = player(0)\n    n = 0\n"]
    for block in range(max(1, (nodes - 6) // 10)):
        lines.append(
            f"block{block}:\n"
            f"    empty(hand(leader))?                                    yes -> last{block}\n"
            f"    playCard(leader, cards)\n"
            f"    led{block} = suit(middle(leader))\n"
            f"    playerHas(next(leader), card(any, led{block}))?         no -> other{block}\n"
            f"    playCard(next(leader), card(any, led{block}))           -> count{block}\n"
            f"other{block}:\n"
            f"    leader = next(leader)\n"
            f"count{block}:\n"
            f"    n = n + 1\n"
            f"    Stack.empty\n"
            f"    n % 5 == 0?                                             no -> block{block}\n"
            f"last{block}:\n"
            f"    score(leader) = score(leader) + n\n"
        )
    return "".join([*lines, "    end\n"])


def processor_time() -> float:
    """Seconds that finished child processes have computed so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(arguments: list[str], runs: int) -> list[tuple[float, float]]:
    """Seconds on the clock and of the processor that `fcdl ARGUMENTS` takes, several times."""
    seconds = []
    for _ in range(runs):
        begin, begin_processor = time.perf_counter(), processor_time()
        done = subprocess.run(
            [sys.executable, "-m", "fcdl", *arguments],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=False,
        )
        seconds.append((time.perf_counter() - begin, processor_time() - begin_processor))
        if done.returncode:
            raise SystemExit(f"fcdl {' '.join(arguments)} failed:\n{done.stdout.decode()}{done.stderr.decode()}")
    return seconds


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="how often each command is run")
    parser.add_argument("--nodes", type=int, nargs="*", default=[1000, 3000, 10_000], help="sizes of generated charts")
    options = parser.parse_args()
    largest = max(data_names("games", ".fcdl"), key=lambda name: len(data_text("games", name))).removesuffix(".fcdl")
    commands = {"--help": ["--help"], f"check {largest}": ["check", largest], "games --json": ["games", "--json"]}
    with tempfile.TemporaryDirectory() as directory:
        for nodes in options.nodes:
            file = Path(directory, f"generated_{nodes}.fcdl")
            file.write_text(generated_chart(nodes))
            commands[f"check of {nodes:,} nodes"] = ["check", str(file)]
        print(f"{'fcdl':<28}{'best s':>8}{'median s':>10}{'processor s':>13}")
        for title, arguments in commands.items():
            clock, processor = zip(*measure(arguments, options.runs), strict=True)
            print(f"{title:<28}{min(clock):>8.3f}{statistics.median(clock):>10.3f}{min(processor):>13.3f}", flush=True)


if __name__ == "__main__":
    main()
