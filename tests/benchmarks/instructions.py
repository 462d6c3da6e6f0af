"""Instructions of the processor for a decision in random playouts, counted by callgrind, so without noise.

`python -m tests.benchmarks.instructions [GAME ...]` counts them for the interpreter and for compiled code, with the
settings of `fcdl bench`. Needs valgrind and a C compiler.
"""

from __future__ import annotations

import argparse
import os
import pickle
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from fcdl.language.load import builtin_names

PLAYOUTS = 100
MEASURED = """
import pickle, sys
from fcdl.engines.native import _engine
for parts, library, state, count in pickle.load(open(sys.argv[1], "rb")):
    program = _engine.Program(parts)
    if library:
        assert program.use_library(library)
    scores = bytearray(4 * count * parts["players"])
    moves, reasons = program.playouts(state, 0, count, 1, scores, None)
    print(moves, flush=True)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="all built-in games, if none is named")
    names = parser.parse_args().games or builtin_names()
    with tempfile.TemporaryDirectory() as folder:
        cases = [case for name in names for case in _cases(name, Path(folder))]
        counts = _count(cases, Path(folder))
    print("| game | interpreter | compiled |\n|---|---|---|")
    for name, one, two in zip(names, counts[::2], counts[1::2], strict=True):
        print(f"| {name} | {one:.0f} | {two:.0f} |")


def _cases(name: str, folder: Path) -> list[Any]:
    """The interpreter's case and the compiled one."""
    from fcdl.arena.bench import SETTINGS, Setting
    from fcdl.engines.native import NativeEngine, libraries
    from fcdl.language.load import load_flowchart
    from fcdl.model import Game, RandomChance

    libraries.set_execution("interpreter")
    setting = SETTINGS.get(name, Setting())
    game = Game.make(load_flowchart(name), name=name, players=setting.players, options=setting.options)
    engine = NativeEngine(game)
    state = engine.start(RandomChance("instructions")).data
    where = folder / name
    where.mkdir()
    library = str(libraries.build_library(engine, where))
    parts = engine.node_program.parts()
    return [(parts, None, state, PLAYOUTS), (parts, library, state, PLAYOUTS)]


def _count(cases: list[Any], folder: Path) -> list[float]:
    """Instructions for a decision in each case."""
    given = folder / "cases"
    given.write_bytes(pickle.dumps(cases))
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/count"]
    options = ["--toggle-collect=program_playouts", "--dump-after=program_playouts"]
    done = subprocess.run(
        [*valgrind, *options, sys.executable, "-c", MEASURED, str(given)],
        env=os.environ | {"PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=True,
    )
    counts = []
    for number, moves in enumerate(done.stdout.split(), 1):
        found = re.search(r"^(?:summary|totals): (\d+)", (folder / f"count.{number}").read_text(), re.MULTILINE)
        assert found
        counts.append(int(found[1]) / int(moves))
    return counts


if __name__ == "__main__":
    main()
