"""Compiled code plays as the interpreter does, and runs only for the program that it was made for."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from fcdl.language.load import builtin_names, load_flowchart, load_text
from fcdl.model import Game

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.engines.native import NativeEngine, libraries
from fcdl.engines.native.compiler import compile_game
from fcdl.engines.native.generator import c_source
from tests.engines.charts import charts
from tests.engines.compiled import (
    assert_same_playouts,
    assert_same_steps,
    compiled,
    engine_for,
    interpreted,
    make_library,
    needs_compiler,
)
from tests.engines.test_made_up_charts import made_up_game

pytestmark = needs_compiler


def make(name: str, **options: str) -> Game:
    return Game.make(load_flowchart(name), name=name, options=options)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "fcdl" / "compiled"


# --- the same meaning


@pytest.mark.parametrize("name", builtin_names())
def test_compiled_code_plays_as_the_interpreter(name: str, tmp_path: Path) -> None:
    game = make(name)
    one, two = interpreted(game), compiled(game, tmp_path)
    assert_same_playouts(one, two, 100)
    assert_same_steps(one, two, 1)
    assert_same_steps(one, two, 2, asked=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", builtin_names())
def test_compiled_code_plays_many_games_as_the_interpreter(name: str, tmp_path: Path) -> None:
    """FCDL_LOCKSTEP_GAMES says how many, of all games together."""
    count = int(os.environ.get("FCDL_LOCKSTEP_GAMES", "20000")) // len(builtin_names()) + 1
    game = make(name)
    one, two = interpreted(game), compiled(game, tmp_path)
    for seed in range(-(-count // 1000)):
        assert_same_playouts(one, two, 1000, seed)
    for seed in range(100):
        assert_same_steps(one, two, seed, most=2000, asked=bool(seed % 2))


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(charts())
def test_compiled_code_plays_made_up_charts_as_the_interpreter(tmp_path: Path, text: str) -> None:
    check_made_up(text, tmp_path)


@pytest.mark.slow
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(charts())
def test_compiled_code_plays_many_made_up_charts_as_the_interpreter(tmp_path: Path, text: str) -> None:
    check_made_up(text, tmp_path)


def check_made_up(text: str, folder: Path) -> None:
    game = made_up_game(text)
    one, two = interpreted(game), compiled(game, folder)
    assert_same_playouts(one, two, 5)
    assert_same_steps(one, two, 1, most=30)
    assert_same_steps(one, two, 2, most=30, asked=True)


ENDLESS = """game "Endless"
players 2

chart main
    start
    n = 0
again:
    n = n + 1
    n < 0?    no -> again
    end
"""


def game_of(text: str) -> Game:
    flowchart = load_text(text).flowchart
    assert flowchart is not None
    return Game.make(flowchart, name="mine")


def test_a_chart_without_an_end_ends_alike(tmp_path: Path) -> None:
    game = game_of(ENDLESS)
    one, two = interpreted(game), compiled(game, tmp_path)
    assert one.play_games(2).reasons["step limit"] == 2
    assert_same_playouts(one, two, 2)
    assert_same_steps(one, two, 1)


def test_a_game_goes_on_in_compiled_code_where_the_interpreter_left_it(tmp_path: Path) -> None:
    game = make("skat")
    one, two = interpreted(game), engine_for(game, "interpreter")
    a, b = one.new_game(3), two.new_game(3)
    for number in range(20):
        if number == 7:
            library = make_library(two, tmp_path)
            assert two.program.use_library(library)
        move = a.legal_ids()[number % len(a.legal_ids())]
        a.apply_id(move)
        b.apply_id(move)
        assert a.dump() == b.dump()


# --- the code


def test_c_code_has_the_lines_of_the_chart_and_an_instruction_a_line() -> None:
    game = make("hearts")
    program = compile_game(game)
    text = c_source(program, game.flowchart)
    lines = Path("games/hearts.fcdl").read_text().splitlines()
    number = next(number for number, line in enumerate(lines, 1) if line.split()[:3] == ["winner", "=", "turn"])
    assert f"/* line {number}: winner = turn */" in text
    jumped_over = text.count("\n    I_OVER_COPY(")
    assert jumped_over == 1  # winner = turn, if the card is higher
    assert text.count("\n    I(") + 2 * jumped_over == program.game_size


def test_a_caption_cannot_leave_its_comment() -> None:
    game = game_of(ENDLESS.replace("Endless", "End */ int x; /* \\\\"))
    first = c_source(compile_game(game), game.flowchart).splitlines()[0]
    assert first.count("*/") == 1
    assert "\\" not in first


# --- which library is used


def test_a_library_serves_its_own_program_only(tmp_path: Path) -> None:
    first = interpreted(make("trumps"))
    library = make_library(first, tmp_path)
    assert not interpreted(make("kings_and_jacks")).program.use_library(library)
    assert not interpreted(make("hearts", target="0")).program.use_library(library)
    other = NativeEngine(make("trumps"), functions=())
    assert other.program.use_library(library)
    assert not interpreted(make("trumps")).program.use_library(tmp_path / "nowhere.so")


def test_a_library_of_another_build_of_the_engine_is_refused(tmp_path: Path) -> None:
    engine = interpreted(make("trumps"))
    library = make_library(engine, tmp_path, abi="another")
    assert not engine.program.use_library(library)


def test_a_chart_is_compiled_once_and_then_kept(cache: Path) -> None:
    game = game_of(ENDLESS)
    engine = engine_for(game, "compiled")
    assert engine.program.is_compiled
    (kept,) = cache.glob("*.so")
    assert [path.name for path in cache.iterdir() if path.name.startswith(libraries.MAKING)] == []
    assert engine_for(game, "ready").program.is_compiled
    kept.chmod(0o777)
    assert not engine_for(game, "ready").program.is_compiled
    kept.chmod(0o700)
    cache.chmod(0o777)
    assert not engine_for(game, "ready").program.is_compiled
    cache.chmod(0o700)
    real = kept.rename(kept.with_suffix(".elsewhere"))
    kept.symlink_to(real)
    assert not engine_for(game, "ready").program.is_compiled


def test_a_broken_library_is_made_again(cache: Path) -> None:
    game = game_of(ENDLESS)
    path = libraries.library_path(interpreted(game).program)
    assert path is not None
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no library")
    path.chmod(0o700)
    assert not engine_for(game, "ready").program.is_compiled
    assert engine_for(game, "compiled").program.is_compiled


@pytest.mark.parametrize(
    "damage", [lambda data: data[: len(data) // 2], lambda data: data[:8192] + bytes(len(data) - 8192)]
)
def test_a_damaged_library_is_not_loaded(cache: Path, damage: Callable[[bytes], bytes]) -> None:
    game = game_of(ENDLESS)
    assert engine_for(game, "compiled").program.is_compiled
    (kept,) = cache.glob("*.so")
    whole = kept.read_bytes()
    kept.unlink()  # those who run it go on with the file that it was
    kept.write_bytes(damage(whole))
    kept.chmod(0o700)
    assert not engine_for(game, "ready").program.is_compiled
    assert engine_for(game, "compiled").program.is_compiled


def test_a_busy_process_compiles_in_the_background(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libraries, "BUSY_SECONDS", 0)
    engine = engine_for(game_of(ENDLESS), "auto")
    assert not engine.program.is_compiled
    until = time.monotonic() + 60
    while not engine.program.is_compiled and time.monotonic() < until:
        time.sleep(0.05)
    assert engine.program.is_compiled


def test_without_a_compiler_the_interpreter_plays(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    assert libraries.can_compile() == "there is no C compiler (cc)"
    engine = engine_for(game_of(ENDLESS), "compiled")
    assert not engine.program.is_compiled
    assert engine.play_games(1).reasons["step limit"] == 1


@pytest.mark.parametrize(
    "spoil",
    [
        "sed -i 's/(7), 0/(8), 0/' $file",
        "echo '__attribute__((constructor)) static void crash(void) { __builtin_trap(); }' >> $file",
        "echo 'no C' >> $file",
    ],
    ids=["plays otherwise", "crashes", "does not compile"],
)
def test_a_library_that_is_no_good_is_not_kept(
    cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, spoil: str
) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text(f'#!/bin/sh\nfor file in "$@"; do case "$file" in *.c) {spoil};; esac; done\nexec cc "$@"\n')
    compiler.chmod(0o700)
    monkeypatch.setenv("CC", str(compiler))
    game = game_of('game "Seven"\nplayers 2\n\nchart main\n    start\n    score(player(0)) = 7\n    end\n')
    assert not engine_for(game, "compiled").program.is_compiled
    assert list(cache.glob("*.so")) == []
    monkeypatch.delenv("CC")
    assert engine_for(game, "compiled").program.is_compiled


def test_only_the_newest_libraries_are_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libraries, "KEPT_FILES", 3)
    cache.mkdir(parents=True)
    for age in range(6):
        path = cache / f"{age}.so"
        path.write_bytes(b"")
        os.utime(path, (1000 - age, 1000 - age))
    engine_for(game_of(ENDLESS), "compiled")
    assert {"0.so", "1.so"} == {path.name for path in cache.glob("?.so")}
