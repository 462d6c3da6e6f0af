"""How long it takes from `fcdl play GAME` until the person can play: `python -m tests.benchmarks.play hearts --runs 5`.

The processor time is that of the whole process, its end included; other work on the machine disturbs it less.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import os
import pty
import select
import statistics
import struct
import sys
import tempfile
import termios
import time

PATIENCE = 60
READY = b"Your turn"


def seconds_to_first_turn(game: str, folder: str) -> tuple[float, float]:
    """Starts the game in a terminal and waits for the person's turn; gives the clock's and the processor's time."""
    started = time.perf_counter()
    process, terminal = pty.fork()
    if process == 0:
        os.environ |= {"FCDL_DATA": folder, "TERM": "xterm-256color"}
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # compiled modules are kept, as for everybody
        os.execv(sys.executable, [sys.executable, "-m", "fcdl", "play", game, "--seed", "1", "--pace", "0"])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    seen = b""
    try:
        while READY not in seen:
            ready, _, _ = select.select([terminal], [], [], PATIENCE)
            if not ready:
                raise SystemExit(f"{game}: no turn came in {PATIENCE} s")
            seen += os.read(terminal, 65536)
        seconds = time.perf_counter() - started
        os.write(terminal, b"\x11")  # ctrl+q
        with contextlib.suppress(OSError):  # how a terminal says that nobody is there any more
            while os.read(terminal, 65536):
                pass
    finally:
        os.close(terminal)
        usage = os.wait4(process, 0)[2]
    return seconds, usage.ru_utime + usage.ru_stime


def main() -> None:
    """Prints the median and the spread for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=["trumps", "hearts"])
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for game in arguments.games:
            seconds_to_first_turn(game, folder)  # compiles modules that have changed
            times = [seconds_to_first_turn(game, folder) for _ in range(arguments.runs)]
            clock, processor = zip(*times, strict=True)
            print(
                f"{game}: {statistics.median(clock):.2f} s ({min(clock):.2f} to {max(clock):.2f}), "
                f"processor {statistics.median(processor):.2f} s"
            )


if __name__ == "__main__":
    main()
