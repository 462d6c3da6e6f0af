"""Damaged programs and states are refused or run safely; run under the sanitizers this is a proof of the verifier."""

from __future__ import annotations

import random
from typing import Any

import pytest

from fcdl.engines.native.compiler import compile_game
from fcdl.language.load import load_flowchart
from fcdl.model import Game, RandomChance
from tests.games.some import some_games

_engine = pytest.importorskip("fcdl.engines.native._engine")

PARTS = some_games("crazy_eights")


def program_parts(name: str, *, events: bool) -> dict[str, Any]:
    return compile_game(Game.make(load_flowchart(name), name=name), events=events).parts()


def damaged(data: bytes, rng: random.Random) -> bytes:
    """A few bytes changed, most often to small numbers, which are more often valid."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        if changed:
            changed[rng.randrange(len(changed))] = rng.choice((0, 1, 2, 5, 20, rng.randrange(256)))
    return bytes(changed)


def run_safely(program: Any, rng: random.Random) -> None:
    """Plays a few moves in every way there is."""
    chance = RandomChance(rng.random().hex())
    state, _ = program.start(chance)
    for _ in range(60):
        legal = program.legal(state)
        if not legal:
            break
        state, _ = program.apply(state, rng.choice(legal), chance)
    program.look(state)
    scores = bytearray(4 * 8 * 3)
    program.playouts(state, 0, 3, 1, scores)


@pytest.mark.parametrize("events", [False, True])
@pytest.mark.parametrize("name", PARTS)
def test_damaged_programs_are_refused_or_run_safely(name: str, events: bool) -> None:
    parts = program_parts(name, events=events)
    rng = random.Random(f"{name} {events}")
    refused = 0
    for _ in range(150):
        field = rng.choice(["code"] * 6 + [key for key, value in parts.items() if isinstance(value, bytes) and value])
        try:
            run_safely(_engine.Program({**parts, field: damaged(parts[field], rng)}), rng)
        except ValueError:  # the program is refused, or a state that it makes
            refused += 1
    assert 0 < refused < 150


@pytest.mark.parametrize("name", PARTS)
def test_damaged_states_are_refused_or_run_safely(name: str) -> None:
    program = _engine.Program(program_parts(name, events=True))
    rng = random.Random(name)
    state, _ = program.start(RandomChance(1))
    for _ in range(300):
        broken = damaged(state, rng)
        try:
            legal = program.legal(broken)
        except ValueError:
            continue
        for move in legal[:2]:
            program.apply(broken, move, RandomChance(2))
        program.playouts(broken, 0, 2, 1, bytearray(4 * 8 * 2))


@pytest.mark.parametrize("name", PARTS)
def test_moves_that_are_not_legal_are_refused(name: str) -> None:
    game = _engine.NativeState(_engine.Program(program_parts(name, events=False)), 1)
    rng = random.Random(name)
    for _ in range(300):
        move = rng.choice((rng.randint(-5, 140), rng.randint(-(2**31), 2**31 - 1)))
        if move in game.legal_ids():
            game.apply_id(move)
        else:
            with pytest.raises(ValueError, match=r"illegal|over"):
                game.apply_id(move)
