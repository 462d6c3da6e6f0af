"""Plays random games with a compiled library and with the interpreter: `python -m fcdl.engines.native.trial LIBRARY`.

The program's parts come pickled on stdin, from the process that made the library. A library that plays otherwise, or
that crashes, ends this process with an error, and no other.
"""

from __future__ import annotations

import pickle
import sys

from fcdl.engines.native import _engine

GAMES = 200


def plays_alike(parts: dict[str, object], library: str) -> bool:
    """Whether the library is for this program and its games end as the interpreter's do."""
    compiled, interpreted = _engine.Program(parts), _engine.Program(parts)
    if not compiled.use_library(library):
        return False
    ends = []
    for program in (compiled, interpreted):
        scores = bytearray(GAMES * 4 * int(str(parts["players"])))
        ends.append((program.playouts(None, 0, GAMES, 1, scores), scores))
    return ends[0] == ends[1]


if __name__ == "__main__":
    sys.exit(0 if plays_alike(pickle.load(sys.stdin.buffer), sys.argv[1]) else 1)
