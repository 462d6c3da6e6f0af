"""Plays random games with a compiled library and with the interpreter: `python -m fcdl.engines.native.trial LIBRARY`.

The program's parts come pickled on stdin, from the process that made the library. A library that plays otherwise, whose
functions have other values, or that crashes, ends this process with an error, and no other.
"""

from __future__ import annotations

import pickle
import random
import sys
from array import array
from typing import Any

from fcdl.engines.native import _engine

GAMES = 200
POSITIONS = 100
"""Where functions are asked, and how often each of them."""
MOVES = 20
"""The most moves from one of these positions to the next."""


def plays_alike(parts: dict[str, Any], library: str) -> bool:
    """Whether the library is for this program, its games end as the interpreter's do and its functions say the same."""
    compiled, interpreted = _engine.Program(parts), _engine.Program(parts)
    if not compiled.use_library(library):
        return False
    played, valued = compiled.is_compiled, compiled.functions_are_compiled
    ends = []
    for program in (compiled, interpreted):
        scores = bytearray(GAMES * 4 * parts["players"])
        ends.append((program.playouts(None, 0, GAMES, 1, scores), scores))
    same = ends[0] == ends[1] and _values(compiled, parts) == _values(interpreted, parts)
    return same and compiled.is_compiled == played and compiled.functions_are_compiled == valued  # nothing crashed


def _values(program: _engine.Program, parts: dict[str, Any]) -> list[int]:
    """What the functions say in the course of random games, of any players and cards."""
    parameters = array("I", parts["functions"])[1::4]
    rng, state, values = random.Random(1), _engine.NativeState(program, 1), []
    for seed in range(POSITIONS if parameters else 0):
        if state.is_over:
            state = _engine.NativeState(program, seed)
        position = state.dump()
        for number, count in enumerate(parameters):
            others = (rng.randrange(-1, parts["deck_size"]) for _ in range(1, count))
            arguments = (rng.randrange(parts["players"]), *others)[:count]
            values.append(program.call(position, number, arguments))
        state.play_out(None, rng.randrange(1, MOVES))
    return values


if __name__ == "__main__":
    sys.exit(0 if plays_alike(pickle.load(sys.stdin.buffer), sys.argv[1]) else 1)
