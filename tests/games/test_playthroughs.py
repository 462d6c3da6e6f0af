"""A golden playthrough of every built-in game: a change here is a change of a game and should be meant.

With FCDL_SNAPSHOTS=write the files in `playthroughs` are written anew. A game without one fails.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from fcdl.engines.native import NativeEngine
from fcdl.language.load import builtin_names
from fcdl.model.chance import StreamChance
from tests.games.some import SHORT
from tests.games.table import make_game

FOLDER = Path(__file__).parent / "playthroughs"
MOVES = 60
"""Decisions that are written down; then the game is played to its end, and the scores are."""


def playthrough(name: str) -> Iterator[str]:
    """A random game, shortened by options: every decision with all its moves, then the scores."""
    seats = sum(make_game(name).flowchart.players) // 2
    game = make_game(name, seats, SHORT.get(name))
    yield f"{game.flowchart.title}, {seats} players" + "".join(
        f", {key}={value}" for key, value in game.options.items()
    )
    engine, chance, dice = NativeEngine(game), StreamChance(7), random.Random(7)
    state = engine.start(chance)
    count = 0
    while (seat := engine.mover(state)) is not None:
        legal = engine.legal(state)
        move = dice.choice(legal)
        if count < MOVES:
            yield f"{seat}: {move}  of {', '.join(map(str, legal))}"
        state = engine.apply(state, move, chance)
        count += 1
    outcome = engine.outcome(state)
    assert outcome is not None
    yield f"{count} decisions, {outcome.reason}, scores {' '.join(map(str, outcome.scores))}"


@pytest.mark.parametrize("name", builtin_names())
def test_game_goes_as_it_went(name: str) -> None:
    path, text = FOLDER / f"{name}.txt", "\n".join(playthrough(name)) + "\n"
    if os.environ.get("FCDL_SNAPSHOTS") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.exists(), "this game has no playthrough; FCDL_SNAPSHOTS=write makes one"
    assert text == path.read_text(encoding="utf-8")


def test_every_playthrough_is_one_of_a_game() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} <= set(builtin_names())
