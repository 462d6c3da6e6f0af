"""All engines agree on every event of every game: the native engine, ASP, and the plain stepping engine."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from fcdl.engines.asp import AspEngine
from fcdl.engines.stepping import SteppingEngine
from fcdl.language.flowchart import Flowchart, Type
from fcdl.language.load import builtin_names, load_flowchart
from fcdl.model import Game, RandomChance
from tests.engines.lockstep import DisagreementError, play_in_lockstep
from tests.games.some import SOME

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.engines.native import NativeEngine


@cache
def chart(name: str) -> Flowchart:
    return load_flowchart(name)


def settings(name: str) -> Iterator[tuple[str, int, str]]:
    """Every game with every allowed number of players, and with every option at each of its values (or its limits)."""
    flowchart = chart(name)
    fewest, most = flowchart.players
    for players in range(fewest, most + 1):
        yield name, players, ""
    for option in flowchart.options.values():
        if option.type is Type.INT:
            values = {str(option.low), str(option.high), str((option.low + option.high) // 2)}
        else:
            values = set(option.words) or {"yes", "no"}
        for value in sorted(values):
            yield name, (fewest + most) // 2, f"{option.name}={value}"


SETTINGS = [setting for name in builtin_names() for setting in settings(name)]


def make_game(name: str, players: int, option: str) -> Game:
    options = dict([option.split("=")]) if option else {}
    return Game.make(chart(name), name=name, players=players, options=options)


@pytest.mark.parametrize(("name", "players", "option"), SETTINGS)
def test_native_and_stepping_agree(name: str, players: int, option: str) -> None:
    game = make_game(name, players, option)
    for seed in range(2):
        play_in_lockstep(NativeEngine(game), SteppingEngine(game), seed, max_moves=80)


@pytest.mark.parametrize("name", builtin_names())
def test_native_and_asp_agree(name: str) -> None:
    game = Game.make(chart(name), name=name)
    play_in_lockstep(NativeEngine(game), AspEngine(game), 1, max_moves=40 if name in SOME else 8)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players", "option"), SETTINGS)
def test_native_and_asp_agree_on_every_setting(name: str, players: int, option: str) -> None:
    game = make_game(name, players, option)
    play_in_lockstep(NativeEngine(game), AspEngine(game), 2, max_moves=150)


@pytest.mark.slow
@pytest.mark.parametrize("name", builtin_names())
def test_native_and_stepping_agree_to_the_end_of_games(name: str) -> None:
    game = Game.make(chart(name), name=name)
    for seed in range(20):
        play_in_lockstep(NativeEngine(game), SteppingEngine(game), seed, max_moves=2000)


@pytest.mark.parametrize(("name", "players", "option"), SETTINGS)
def test_fast_program_plays_the_same_game_as_the_telling_one(name: str, players: int, option: str) -> None:
    import random

    engine = NativeEngine(make_game(name, players, option))
    rng, chance = random.Random(3), RandomChance(3)
    state = engine.start(chance)
    fast_chance = RandomChance(3)
    fast, _ = engine.program.start(fast_chance)
    for _ in range(300):
        assert fast == state.data
        numbers = engine.program.legal(fast)
        assert numbers == engine.telling_program.legal(state.data)
        if not numbers:
            break
        number = rng.choice(numbers)
        state = engine.apply(state, engine.move(state, number), chance)
        fast, _ = engine.program.apply(fast, number, fast_chance)


def test_a_disagreement_tells_the_shortest_way_to_it() -> None:
    game = Game.make(chart("trumps"), name="trumps")

    class Liar(SteppingEngine):
        def mover(self, state):  # type: ignore[no-untyped-def]
            seat = super().mover(state)
            return 0 if seat == 1 else seat

    with pytest.raises(DisagreementError) as found:
        play_in_lockstep(NativeEngine(game), Liar(game), 1)
    assert "movers differ in trumps, 2 players" in str(found.value)
    assert "chance: [[" in str(found.value)
