"""Every player plays every other in all games that it is made for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pytest

from fcdl.agents.agent import kinds, make_agent
from fcdl.arena.play import play
from fcdl.engines.native import NativeEngine
from fcdl.language.load import builtin_names, load_flowchart
from fcdl.model import Game
from tests.agents.test_no_cheating import QUICK
from tests.games.some import SHORT, SOME, some_games

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


def pairs_of(name: str) -> list[tuple[str, str]]:
    """All pairs of players of a game."""
    return list(combinations(players_of(name), 2))


def third_of_pairs(name: str) -> list[tuple[str, str]]:
    """A third of these, in which each player is several times; the next game by name has another third of them."""
    players, part = players_of(name), builtin_names().index(name) % 3
    places = combinations(range(len(players)), 2)
    return [(players[first], players[second]) for first, second in places if (first + second) % 3 == part]


def all_play(name: str, pairs: Sequence[tuple[str, str]], games: int) -> None:
    """Plays games of pairs of players, every other seat each."""
    game = Game.make(load_flowchart(name), name=name, options=SHORT.get(name))
    table = NativeEngine(game)
    for pair in pairs:
        for index in range(games):
            seats = [make_agent(pair[(seat + index) % 2], game) for seat in range(game.players)]
            played = play(table, seats, f"{name}/{'/'.join(pair)}/{index}", "agents")
            assert len(played.scores) == game.players


@pytest.mark.parametrize("name", some_games())
def test_pairs_of_players_play_a_game(name: str) -> None:
    pairs = third_of_pairs(name)
    for player in (players := players_of(name)):
        assert sum(player in pair for pair in pairs) >= len(players) // 3 - 1 >= 2
    all_play(name, pairs, 1)


def test_every_pair_plays_some_game() -> None:
    shared = set(pairs_of("trumps"))
    played = {pair for name in SOME for pair in third_of_pairs(name)}
    assert shared <= {pair for one in played for pair in (one, one[::-1])}


@pytest.mark.slow
@pytest.mark.parametrize("name", builtin_names())
def test_every_pair_of_players_plays_several_games(name: str) -> None:
    all_play(name, pairs_of(name), 6)
