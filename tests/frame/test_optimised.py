"""`python -O` leaves out asserts and nothing else: the same games, the same refusals."""

import subprocess
import sys

import pytest

pytest.importorskip("fcdl.engines.native._engine")

SMOKE = """
from fcdl.agents.agent import make_agent
from fcdl.arena.play import play
from fcdl.engines.asp import asp_engine
from fcdl.engines.native import NativeEngine, _engine
from fcdl.engines.stepping.engine import SteppingEngine
from fcdl.heuristics import derive
from fcdl.language.load import load_flowchart, load_text
from fcdl.model import Game, Move, RandomChance
from fcdl.model.record import from_line

def refused(call):
    try:
        return call()
    except Exception as error:
        return type(error).__name__, str(error)[:60]

game = Game.make(load_flowchart("trumps"), name="trumps")
native, stepping, asp = NativeEngine(game), SteppingEngine(game), asp_engine(game)
state = native.start(RandomChance(1))
for agent in ("ismcts:iterations=20,rivals=greedy", "minimax:depth=2,samples=2", "greedy:worlds=2"):
    print(play(native, [make_agent(agent, game), make_agent("random", game)], "deal", "seed").scores)
print(len(derive(game).heuristics), native.events(state) == asp.events(asp.start(RandomChance(1))))
first = stepping.begin()
while not first.waiting:
    first = stepping.step(first, RandomChance(1))
print(refused(lambda: stepping.step(first, RandomChance(1))))
for engine in (native, asp):
    print(refused(lambda: engine.apply(engine.start(RandomChance(1)), Move("play", "no card"), RandomChance(1))))
print(refused(lambda: asp.legal(state)))
print(refused(lambda: native.program.legal(b"nothing")))
print(refused(lambda: _engine.Program({"players": 9})), refused(lambda: _engine.Play(native.book, 1, b"nothing")))
print(refused(lambda: make_agent("ismcts:simulation=durak.greedy", game)))
for text in ("", "{}", '{"fcdl": 1}', "[1]"):
    print(refused(lambda: from_line(text, game.flowchart)))
chart = "game \\"x\\"\\nplayers 99\\nchart main\\n start\\n q(1)\\n end\\n"
print([finding.code for finding in load_text(chart).findings])
"""


def test_without_asserts_everything_goes_as_with_them() -> None:
    runs = []
    for options in ([], ["-O"]):
        command = [sys.executable, *options, "-c", SMOKE]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        runs.append(done.stdout)
    assert "AssertionError" not in runs[0]
    assert runs[0] == runs[1]
