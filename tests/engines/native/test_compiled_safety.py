"""Compiled code in all forms of the built-in games, under limits and stops, and what is kept when things go wrong."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from io import FileIO
from pathlib import Path

import numpy as np
import pytest

from fcdl.language.flowchart import Type
from fcdl.language.load import builtin_names, load_flowchart, load_text
from fcdl.model import Game, RandomChance

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.agents.agent import make_agent
from fcdl.engines.native import NativeEngine, libraries
from fcdl.engines.native.functions import Function
from fcdl.engines.native.search import Budget, NoTimeError, Search
from fcdl.engines.native.trial import plays_alike
from tests.engines.compiled import (
    assert_same_playouts,
    assert_same_steps,
    compiled,
    engine_for,
    interpreted,
    make_library,
    needs_compiler,
)

pytestmark = needs_compiler

MOST_VALUES = 6
"""Of an option that is a number, its lowest and its highest value are among them."""


def forms() -> Iterator[tuple[str, int, dict[str, int | str]]]:
    """Every built-in game with every number of players, and with every value of each option."""
    for name in builtin_names():
        chart = load_flowchart(name)
        low, high = chart.players
        usual = Game.make(chart, name=name).players
        yield from ((name, players, {}) for players in range(low, high + 1))
        for option in chart.options.values():
            if option.type is Type.WORD:
                values: list[int | str] = [*option.words]
            else:
                values = sorted({*np.linspace(option.low, option.high, MOST_VALUES, dtype=int).tolist()})
            yield from ((name, usual, {option.name: value}) for value in values)


def check_form(name: str, players: int, options: dict[str, int | str], folder: Path) -> None:
    game = Game.make(load_flowchart(name), name=name, players=players, options=options)
    one, two = interpreted(game), compiled(game, folder)
    assert two.program.is_compiled
    assert_same_playouts(one, two, 20)
    assert_same_steps(one, two, 1, asked=True)


def test_compiled_code_plays_other_forms_of_games_as_the_interpreter(tmp_path: Path) -> None:
    for form in random.Random(14).sample(list(forms()), 6):
        check_form(*form, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", builtin_names())
def test_compiled_code_plays_all_forms_of_games_as_the_interpreter(name: str, tmp_path: Path) -> None:
    for form in forms():
        if form[0] == name:
            check_form(*form, tmp_path)


# --- limits and stops

LONG = """game "Long"
players 2
option turns = 120 from 1 to 1000

chart main
    start
    Shuffle
    Deal(3)
    turn = player(0)
again:
    playCard(turn, cards)
    worth = sum(sum(sum(a * b - c for c in 1 to turns) for b in 1 to turns) for a in 1 to turns)
    score(turn) = worth % 7
    turn = next(turn)
    cardsRemaining(turn) > 0?                       yes -> again
    end
"""
SHORT = LONG.replace("turns = 120", "turns = 2")


def game_of(text: str, **options: int) -> Game:
    flowchart = load_text(text).flowchart
    assert flowchart is not None
    return Game.make(flowchart, name="mine", options=options)


@pytest.mark.slow  # 200 million rounds, twice
def test_fuel_runs_out_in_compiled_loops_as_in_the_interpreter(tmp_path: Path) -> None:
    game = game_of(LONG, turns=1000)
    one, two = interpreted(game), compiled(game, tmp_path)
    assert two.program.is_compiled
    assert one.play_games(1).reasons["step limit"] == 1
    assert_same_playouts(one, two, 1)


def test_a_search_that_is_cancelled_ends_in_the_middle_of_a_compiled_run(tmp_path: Path) -> None:
    engine = compiled(game_of(LONG), tmp_path)
    assert engine.program.is_compiled
    state = engine.start(RandomChance(1))
    search = Search(engine, [state.data], np.ones(1), 0, seed=1)
    search._search.cancel()
    with pytest.raises(NoTimeError):
        search.flat(Budget(100))
    with pytest.raises(NoTimeError):
        search.tree(Budget(100), c=0.7, multiple=True, nodes=1000)


CRASHES = {
    "wild pointer": "*(volatile int *)8 = 1;",
    "division": "volatile int none = 0; none = 7 / none;",
    "instruction": "__builtin_trap();",
}
needs_crashes = pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="the sanitizers report crashes")


def crashing(engine: NativeEngine, folder: Path, crash: str, part: str = "game") -> Path:
    """A library that spoils the position and crashes when it has made many moves, or called a function many times."""
    source = libraries.part_source(engine, part)
    instruction = re.search(r"^ +(I\(\d+, \d+, PLAY|F\(\d+, )", source, re.MULTILINE)
    assert instruction is not None
    at = instruction.start()
    spoil = "" if part == "functions" else "v[0] = 77; m[0] = 3; t[0] = 5;"
    crashes = f"{{ static int count; if (++count == 300) {{ {spoil} {crash} }} }}\n"
    return make_library(engine, folder, part, source=source[:at] + crashes + source[at:])


@needs_crashes
@pytest.mark.parametrize("crash", CRASHES.values(), ids=CRASHES)
def test_where_compiled_code_crashes_the_interpreter_goes_on(tmp_path: Path, crash: str) -> None:
    game = Game.make(load_flowchart("crazy_eights"), name="crazy_eights")
    one, two = interpreted(game), interpreted(game)
    library = crashing(two, tmp_path, crash)
    assert two.program.use_library(library)
    first, second = one.play_games(100, seed=1, threads=2), two.play_games(100, seed=1, threads=2)
    assert not two.program.is_compiled
    assert (first.scores == second.scores).all()
    assert (first.moves, first.reasons) == (second.moves, second.reasons)


@needs_crashes
def test_a_game_played_step_by_step_survives_a_crash(tmp_path: Path) -> None:
    game = Game.make(load_flowchart("crazy_eights"), name="crazy_eights")
    one, two = interpreted(game), interpreted(game)
    assert two.program.use_library(crashing(two, tmp_path, CRASHES["wild pointer"]))
    said = []
    for seed in range(20):
        try:
            assert_same_steps(one, two, seed, asked=seed % 2 == 1)
        except AssertionError as error:
            said.append(str(error))
    assert ["the compiled code crashed" in text for text in said] == [True]  # and all else was the same


@needs_crashes
def test_a_function_that_crashes_has_the_value_that_the_interpreter_finds(tmp_path: Path) -> None:
    game = Game.make(load_flowchart("hearts"), name="hearts")
    twice = Function.read(game.flowchart, "twice", "2 * cardsRemaining(p)", {"p": Type.PLAYER})
    engine = NativeEngine(game, functions=[twice])
    assert engine.program.use_library(crashing(engine, tmp_path, CRASHES["division"], "functions"))
    state = engine.start(RandomChance(1)).data
    assert [engine.program.call(state, 0, (0,)) for _ in range(400)] == [26] * 400
    assert not engine.program.functions_are_compiled


@needs_crashes
def test_a_library_that_crashes_at_its_trial_is_not_kept(tmp_path: Path) -> None:
    engine = interpreted(Game.make(load_flowchart("crazy_eights"), name="crazy_eights"))
    library = crashing(engine, tmp_path, CRASHES["wild pointer"])
    assert not plays_alike(engine.node_program.parts(), str(library))


ENDLESS_RUN = """
import sys
from fcdl.engines.native import NativeEngine, libraries
from fcdl.language.load import load_text
from fcdl.model import Game
libraries.set_execution("compiled")
engine = NativeEngine(Game.make(load_text(sys.stdin.read()).flowchart, name="mine"))
try:
    print(engine.program.is_compiled, flush=True)
    engine.play_games(10**8)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_ends_compiled_playouts(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ENDLESS_RUN],
        env=os.environ | {"XDG_CACHE_HOME": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(SHORT)
        process.stdin.close()
        assert process.stdout.readline() == "True\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "interrupted\n"


# --- what is kept

COMPILES = """
import sys
from fcdl.engines.native import NativeEngine, libraries
from fcdl.language.load import load_text
from fcdl.model import Game
libraries.set_execution("compiled")
engine = NativeEngine(Game.make(load_text(sys.argv[1]).flowchart, name="mine"))
print(engine.program.is_compiled)
"""


def start_compiling(folder: Path, **environment: str) -> subprocess.Popen[str]:
    """A process of its own session that compiles a chart for a cache folder."""
    return subprocess.Popen(
        [sys.executable, "-c", COMPILES, SHORT],
        env=os.environ | {"XDG_CACHE_HOME": str(folder)} | environment,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def slow_compiler(folder: Path, begun: Path) -> str:
    """A compiler that says that it has begun, and then what it was asked to do and half a library."""
    compiler = folder / "cc"
    compiler.write_text(
        '#!/bin/sh\nfor last; do :; done\nprintf half > "$last"\n'
        f'echo "$last" >> {begun}\nread line < {begun}.go\nexec cc "$@"\n'
    )
    compiler.chmod(0o700)
    os.mkfifo(f"{begun}.go")
    return str(compiler)


def gate(begun: Path) -> FileIO:
    """What lets the slow compiler go on; opened for reading, too, so that nobody waits for one that never comes."""
    return Path(f"{begun}.go").open("r+b", buffering=0)


def test_two_processes_that_compile_the_same_chart_make_it_once(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    compiler = slow_compiler(tmp_path, begun)
    first, second = (start_compiling(tmp_path, CC=compiler) for _ in range(2))
    with gate(begun) as go:
        go.write(b"go\n")
        assert [process.communicate(timeout=300)[0] for process in (first, second)] == ["True\n", "True\n"]
    assert len(begun.read_text().splitlines()) == 1
    assert len(list((tmp_path / "fcdl" / "compiled").glob("*.so"))) == 1


def test_a_process_killed_while_it_compiles_leaves_nothing_that_is_used(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    process = start_compiling(tmp_path, CC=slow_compiler(tmp_path, begun))
    with gate(begun):  # the compiler waits for a line that never comes
        while not begun.exists():
            assert process.poll() is None
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    cache = tmp_path / "fcdl" / "compiled"
    assert list(cache.glob("*.so")) == []
    again = start_compiling(tmp_path)
    assert again.communicate()[0] == "True\n"
    assert len(list(cache.glob("*.so"))) == 1
    assert list(cache.glob(f"{libraries.MAKING}*")) == []


def test_a_library_of_another_owner_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    game = game_of(SHORT)
    assert engine_for(game, "compiled").program.is_compiled
    assert engine_for(game, "ready").program.is_compiled
    somebody = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: somebody)
    assert not engine_for(game, "ready").program.is_compiled


# --- used without being asked


@pytest.mark.parametrize("spec", ["montecarlo:ms=20", "mcts:ms=20", "minimax:ms=20", "pimc:ms=20", "ismcts:ms=20"])
def test_search_players_use_compiled_code_without_being_asked(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    game = game_of(SHORT)
    assert engine_for(game, "compiled").program.is_compiled
    monkeypatch.setenv(libraries.VARIABLE, "auto")
    served: list[bool] = []
    plain = libraries.serve

    def noted(engine: NativeEngine, program: object) -> None:
        plain(engine, program)  # type: ignore[arg-type]
        served.append(program.is_compiled)  # type: ignore[attr-defined]

    monkeypatch.setattr(libraries, "serve", noted)
    engine = NativeEngine(game)
    state = engine.start(RandomChance(1))
    agent = make_agent(spec, game)
    agent.choose(engine.observe(state, 0), engine.legal(state), random.Random(1))
    assert served
    assert all(served)
