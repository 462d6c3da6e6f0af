"""How fast the door is: `State` beside OpenSpiel's states, `game.playouts` beside the C call itself."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

import numpy as np

from fcdl.api.game import Game, load
from fcdl.api.state import State
from fcdl.arena.bench import SETTINGS, Peer, Row, Setting, compared, driven_from_python

PLAYOUTS = 20_000
"""Games of one measurement."""


def bench_api(name: str, *, peer: bool, repetitions: int) -> Iterator[Row]:
    """The measurements of one game; OpenSpiel is beside them if wanted, the C call always."""
    setting = SETTINGS.get(name.removesuffix(".fcdl"), Setting())
    game = load(name, setting.players, options=setting.options)
    stepped(game, numbers=True)  # compiles and imports what is needed
    driven = Peer(setting).driven if peer and setting.peer else None
    yield compared(name, "state.play(move)", "moves/s", lambda: stepped(game, numbers=False), driven, repetitions)
    yield compared(name, "state.play(number)", "moves/s", lambda: stepped(game, numbers=True), driven, repetitions)
    yield compared(name, "game.playouts (C)", "games/s", lambda: played(game), lambda: played_in_c(game), repetitions)


def stepped(game: Game, *, numbers: bool) -> float:
    """Moves a second when a program asks for the legal moves and plays one of them, to the end of game after game."""
    chance = random.Random(1).random
    play = _play_numbers if numbers else _play_moves
    return driven_from_python(lambda seed: play(game.new(seed=seed), chance))


def _play_moves(state: State, chance: Callable[[], float]) -> int:
    moves = 0
    while legal := state.legal:
        state.play(legal[int(chance() * len(legal))])
        moves += 1
    return moves


def _play_numbers(state: State, chance: Callable[[], float]) -> int:
    moves = 0
    while legal := state.actions:
        state.play(legal[int(chance() * len(legal))])
        moves += 1
    return moves


def played(game: Game) -> float:
    """Games a second with `game.playouts`."""
    start = time.thread_time()
    game.playouts(PLAYOUTS)
    return PLAYOUTS / (time.thread_time() - start)


def played_in_c(game: Game) -> float:
    """Games a second of the call that is behind it."""
    scores = np.zeros((PLAYOUTS, game.players), np.int32)
    program = game.native.program
    start = time.thread_time()
    program.playouts(None, 0, PLAYOUTS, 0, scores)
    return PLAYOUTS / (time.thread_time() - start)
