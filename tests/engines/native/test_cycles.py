"""Looks to the end of a cycle, in all games: safe (see sanitize.sh), repeatable, without a trace in the position."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from fcdl.heuristics import derive
from fcdl.language.load import load_flowchart
from fcdl.model import Game
from tests.games.some import some_games

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.engines.native import NativeEngine, _engine
from fcdl.heuristics.evaluation import Evaluation
from fcdl.heuristics.policies import LookAhead

NAMES = some_games("kuhn_poker")  # has no loop, and so no cycles


@cache
def made(name: str) -> tuple[NativeEngine, _engine.Evaluation, int]:
    game = Game.make(load_flowchart(name), name=name)
    evaluation = Evaluation(game, derive(game), name="by heuristics")
    engine = NativeEngine(
        game, policies=[LookAhead("heuristics", evaluation), LookAhead("longer", evaluation, lines=5)]
    )
    return engine, evaluation.compiled(engine.program, engine.function_numbers), len(evaluation.cases)


@pytest.mark.parametrize("name", NAMES)
def test_values_of_moves_are_repeatable_and_are_the_sum_of_their_parts(name: str) -> None:
    engine, evaluation, heuristics = made(name)
    game, rng = engine.new_game(2), random.Random(2)
    for _ in range(12):
        if game.is_over:
            break
        data = game.dump()
        legal = np.array(game.legal_ids(), np.int32)
        for lines in (1, 9):
            values, again = np.zeros((2, len(legal))), np.zeros((2, len(legal)))
            parts = np.zeros((2, len(legal), 1 + heuristics))
            evaluation.values(data * 2, legal.tobytes(), lines, 7, values, parts)
            evaluation.values(data * 2, legal.tobytes(), lines, 7, again)
            assert (values == again).all()
            assert np.allclose(parts.sum(axis=2), values)
        assert game.dump() == data
        game.apply_id(rng.choice(game.legal_ids()))


@pytest.mark.parametrize("name", NAMES)
def test_games_played_by_looking_ahead_end_and_depend_on_the_seed_only(name: str) -> None:
    engine, _, _ = made(name)
    seats = ["heuristics", None, "longer", "heuristics"][: engine.game.players]
    games = [engine.new_game(5) for _ in range(2)]
    for game in games:
        game.play_out(engine.by_seat(seats), 30)
    assert games[0].dump() == games[1].dump()
    worths = engine.compiled_policies["heuristics"].worths(games[0].dump())
    assert tuple(move for move, _, _ in worths) == games[0].legal_ids()


def test_a_run_for_one_cycle_ends_where_the_next_one_begins() -> None:
    """In Trumps the value of the last card is that of the trick, for then all hands are empty."""
    engine, evaluation, _ = made("trumps")
    game, rng = engine.new_game(1), random.Random(1)
    while len(game.legal_ids()) > 1 or sum(game.scores) < 6:
        game.apply_id(rng.choice(game.legal_ids()))
    me, scores = game.mover, game.scores
    values = np.zeros((1, 1))
    evaluation.values(game.dump(), np.array(game.legal_ids(), np.int32).tobytes(), 9, 1, values)
    while not game.is_over:
        game.apply_id(game.legal_ids()[0])
    gained = [after - before for after, before in zip(game.scores, scores, strict=True)]
    assert values[0, 0] == gained[me] - gained[1 - me]


def test_damaged_positions_are_refused_or_valued_safely() -> None:
    for name in ("trumps", "hearts"):
        engine, evaluation, _ = made(name)
        data, rng = engine.new_game(1).dump(), random.Random(name)
        for _ in range(100):
            broken = bytearray(data)
            for _ in range(rng.randint(1, 4)):
                broken[rng.randrange(len(broken))] = rng.choice((0, 1, 2, 5, 20, rng.randrange(256)))
            try:
                evaluation.value(bytes(broken), 0)
                legal = np.array(engine.program.legal(bytes(broken))[:2], np.int32)
                values = np.zeros((1, len(legal)))
                evaluation.values(bytes(broken), legal.tobytes(), 3, 1, values)
            except ValueError:
                continue
