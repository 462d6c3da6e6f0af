"""Every player plays every other in all games that it is made for."""

from __future__ import annotations

from itertools import combinations

import pytest

from fcdl.agents.agent import kinds, make_agent
from fcdl.arena.play import play
from fcdl.engines.native import NativeEngine
from fcdl.language.load import builtin_names, load_flowchart
from fcdl.model import Game
from tests.agents.test_no_cheating import QUICK
from tests.games.some import SHORT, some_games

QUICKER = QUICK | {
    "best": "ms=1",
    "oh_hell.montecarlo": "samples=2",
    "greedy": "worlds=2,lines=5",
    "hyperheur": "worlds=1,lines=2",
}


def players_of(name: str) -> list[str]:
    """All players of a game, with parameters that make them quick."""
    made_for = {kind: kind.partition(".")[0] for kind in kinds()}
    claimed = [kind for kind, game in made_for.items() if game == name or game not in builtin_names()]
    return [f"{kind}:{QUICKER[kind]}" if kind in QUICKER else kind for kind in claimed]


def all_pairs_play(name: str, games: int) -> int:
    """Plays games of each pair of players, every other seat each; returns how many pairs there are."""
    game = Game.make(load_flowchart(name), name=name, options=SHORT.get(name))
    table, pairs = NativeEngine(game), list(combinations(players_of(name), 2))
    for number, pair in enumerate(pairs):
        for index in range(games):
            seats = [make_agent(pair[(seat + index) % 2], game) for seat in range(game.players)]
            played = play(table, seats, f"{name}/{number}/{index}", "agents")
            assert len(played.scores) == game.players
    return len(pairs)


@pytest.mark.parametrize("name", some_games())
def test_every_pair_of_players_plays_a_game(name: str) -> None:
    players = len(players_of(name))
    assert players >= 9
    assert all_pairs_play(name, 1) == players * (players - 1) // 2


@pytest.mark.slow
@pytest.mark.parametrize("name", builtin_names())
def test_every_pair_of_players_plays_several_games(name: str) -> None:
    all_pairs_play(name, 6)
