"""How fast the door is: `State` beside OpenSpiel's states, `game.playouts` beside the C call itself."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import numpy as np

from fcdl.api.game import Game, load
from fcdl.arena.bench import CHUNK, SETTINGS, Peer, Row, Setting, compared

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
    choose = random.Random(1).choice
    moves = games = 0
    start = time.thread_time()
    while time.thread_time() - start < CHUNK:
        state = game.new(seed=games)
        games += 1
        if numbers:
            while not state.over:
                state.play(choose(state.actions))
                moves += 1
        else:
            while not state.over:
                state.play(choose(state.legal))
                moves += 1
    return moves / (time.thread_time() - start)


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
