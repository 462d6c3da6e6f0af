"""Engines with and without compiled code, and what has to be the same for both."""

from __future__ import annotations

import os
import random
import subprocess
import tempfile
from pathlib import Path

import pytest

from fcdl.engines.native import NativeEngine, _engine, toolchain
from fcdl.engines.native.libraries import GAME, VARIABLE, part_source
from fcdl.model import Game, RandomChance

needs_compiler = pytest.mark.skipif(toolchain.compiler() is None, reason="there is no C compiler")


def engine_for(game: Game, execution: str) -> NativeEngine:
    """An engine whose program runs in this way."""
    before = os.environ[VARIABLE]
    os.environ[VARIABLE] = execution
    try:
        engine = NativeEngine(game)
        engine.program  # noqa: B018 - chooses how to run
    finally:
        os.environ[VARIABLE] = before
    return engine


def interpreted(game: Game) -> NativeEngine:
    engine = engine_for(game, "interpreter")
    assert not engine.program.is_compiled
    return engine


def compiled(game: Game, folder: Path) -> NativeEngine:
    """With code that came with the package, or made here, quickly, where there is none or an old one."""
    engine = engine_for(game, "ready")
    if not engine.program.is_compiled:
        library = make_library(engine, folder)
        assert engine.program.use_library(library)
    return engine


def make_library(
    engine: NativeEngine, folder: Path, part: str = GAME, *, abi: str = _engine.ABI, source: str = ""
) -> Path:
    """A library of the game, or of the functions, of an engine, compiled quickly; or of another source."""
    folder = Path(tempfile.mkdtemp(dir=folder))  # a library that is loaded keeps its name
    file, library = folder / "game.c", folder / "game.so"
    file.write_text(source or part_source(engine, part))
    command = [*(toolchain.compiler() or []), *toolchain.flags(), "-O0", "-fPIC", "-shared"]
    macro = "-D{}={}".format(*toolchain.abi_macro(abi))
    command += [macro, "-I", str(toolchain.FOLDER), str(file), "-o", str(library)]
    subprocess.run(command, check=True)
    return library


def assert_same_playouts(one: NativeEngine, two: NativeEngine, count: int, seed: int = 1) -> None:
    compiled = two.program.is_compiled
    first, second = one.play_games(count, seed), two.play_games(count, seed)
    assert (first.scores == second.scores).all()
    assert (first.moves, first.reasons) == (second.moves, second.reasons)
    assert two.program.is_compiled == compiled, "the compiled code crashed"


def assert_same_steps(one: NativeEngine, two: NativeEngine, seed: int, *, most: int = 200, asked: bool = False) -> None:
    """Plays a game on both, with chance of their own or asked for; positions are the same to the last byte."""
    rng, compiled = random.Random(seed), two.program.is_compiled
    chances = [RandomChance(seed) if asked else None for _ in range(2)]
    a, b = (_engine.Play(engine.book, seed, chance=chance) for engine, chance in zip((one, two), chances, strict=True))
    for _ in range(most):
        assert a.dump() == b.dump()
        assert (a.node, a.mover, a.over, a.reason, a.legal_ids) == (b.node, b.mover, b.over, b.reason, b.legal_ids)
        if a.over:
            break
        move = rng.choice(a.legal_ids)
        a.play_id(move)
        b.play_id(move)
    assert two.program.is_compiled == compiled, "the compiled code crashed"
