#!/usr/bin/env bash
# Instructions of the processor for one random playout of a round of Hearts, counted by callgrind: no noise.
# Usage: tests/benchmarks/instructions.sh; PYTHON names the interpreter. Needs valgrind.
set -euo pipefail
cd "$(dirname "$0")/../.."
count() {
    PYTHONPATH=. valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=program_playouts \
        "${PYTHON:-python3}" - "$1" 2>&1 <<'PY' | sed -n 's/.*Collected : //p'
import sys
from fcdl.arena.bench import SETTINGS
from fcdl.engines.native import NativeEngine
from fcdl.language.load import load_flowchart
from fcdl.model import Game, RandomChance
engine = NativeEngine(Game.make(load_flowchart("hearts"), name="hearts", options=SETTINGS["hearts"].options))
state = engine.start(RandomChance("instructions"))
engine.program
engine.playouts(state, int(sys.argv[1]), 1)
PY
}
few=$(count 100)
many=$(count 1100)
echo $(((many - few) / 1000)) instructions per playout
