"""Functions, policies and evaluations as compiled code: the same values, the same games, kept like games are."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from fcdl.language.load import builtin_names, load_flowchart
from fcdl.model import Game

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.agents.agent import tools
from fcdl.engines.native import NativeEngine, libraries
from fcdl.engines.native.functions import Function
from fcdl.engines.native.policies import AnyPolicy
from fcdl.engines.native.trial import plays_alike
from tests.engines.compiled import make_library, needs_compiler
from tests.engines.native.test_functions import MADE_UP, compare, long_and_short, made_up_functions, of_chart, of_me
from tests.engines.native.test_policies import BIDDER, HIGH, LOW

pytestmark = needs_compiler


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own; nothing is compiled unless it is asked for."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv(libraries.VARIABLE, "interpreter")
    return tmp_path / "fcdl" / "compiled"


def compile_functions(engine: NativeEngine, folder: Path) -> None:
    assert "functions" in libraries.lacking(engine.program)
    assert engine.program.use_library(make_library(engine, folder, "functions"))
    assert libraries.lacking(engine.program) == ("game",)


def check_functions_of(name: str, folder: Path) -> None:
    """All that the chart asks, and more, beside the stepping engine."""
    chart = load_flowchart(name)
    engine = NativeEngine(Game.make(chart, name=name), functions=[*of_chart(chart), *of_me(chart)])
    compile_functions(engine, folder)
    assert compare(engine, seed=1, most=30) > 50


@pytest.mark.parametrize("name", ["hearts", "gin_rummy", "cassino", "pinochle"])
def test_compiled_functions_agree_with_the_stepping_engine(name: str, tmp_path: Path) -> None:
    check_functions_of(name, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", builtin_names())
def test_compiled_functions_of_all_games_agree_with_the_stepping_engine(name: str, tmp_path: Path) -> None:
    check_functions_of(name, tmp_path)


def check_made_up(functions: list[Function], folder: Path) -> None:
    engine = NativeEngine(Game.make(MADE_UP, name="made_up", players=3), functions=functions)
    compile_functions(engine, folder)
    compare(engine, seed=1, most=4)


@settings(max_examples=6, suppress_health_check=list(HealthCheck))
@given(made_up_functions())
def test_compiled_made_up_functions_agree_with_the_stepping_engine(tmp_path: Path, functions: list[Function]) -> None:
    check_made_up(functions, tmp_path)


@pytest.mark.slow
@settings(max_examples=200, suppress_health_check=list(HealthCheck))
@given(made_up_functions())
def test_many_compiled_made_up_functions_agree_with_the_stepping_engine(
    tmp_path: Path, functions: list[Function]
) -> None:
    check_made_up(functions, tmp_path)


def test_a_compiled_function_that_runs_too_long_is_worth_nothing(tmp_path: Path) -> None:
    engine = long_and_short()
    compile_functions(engine, tmp_path)
    assert engine.new_game(1).call(0, ()) == 0
    assert engine.new_game(1).call(1, ()) == 7


def played_alike(game: Game, policies: list[AnyPolicy], folder: Path) -> None:
    """Games by policies go the same whether nothing, the game, the functions or both are compiled."""
    engines = [NativeEngine(game, policies=policies) for _ in range(4)]
    parts = [(), ("game",), ("functions",), ("game", "functions")]
    for engine, compiled in zip(engines, parts, strict=True):
        for part in compiled:
            assert engine.program.use_library(make_library(engine, folder, part))
        assert set(libraries.lacking(engine.program)) == {"game", "functions"} - {*compiled}
    rng = random.Random(1)
    names = [rng.choice([*(policy.name for policy in policies), None]) for _ in range(game.players)]
    names[0] = policies[0].name
    plays = [engine.play_games(5, 3, policies=names) for engine in engines]
    assert all((play.scores == plays[0].scores).all() for play in plays)
    assert {play.moves for play in plays} == {plays[0].moves}


@pytest.mark.parametrize("name", ["hearts", "durak", "oh_hell"])
def test_policies_play_alike_as_compiled_code(name: str, tmp_path: Path) -> None:
    bidder = [BIDDER] if name == "oh_hell" else []
    played_alike(Game.make(load_flowchart(name), name=name), [HIGH, LOW, *bidder], tmp_path)


@pytest.mark.parametrize("policy", ["greedy", "heuristics"])
@pytest.mark.parametrize("name", ["trumps", "crazy_eights"])
def test_evaluations_play_alike_as_compiled_code(name: str, policy: str, tmp_path: Path) -> None:
    game = Game.make(load_flowchart(name), name=name)
    played_alike(game, [tools("POLICIES")[policy](game)], tmp_path)


def test_functions_are_kept_beside_the_game_and_used_without_being_asked(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game.make(load_flowchart("trumps"), name="trumps")
    monkeypatch.setenv(libraries.VARIABLE, "compiled")
    assert libraries.lacking(NativeEngine(game, policies=[HIGH]).program) == ()
    assert len(list(cache.glob("*.so"))) <= 2  # the game may have come with the package
    monkeypatch.setenv(libraries.VARIABLE, "auto")
    assert libraries.lacking(NativeEngine(game, policies=[HIGH]).program) == ()
    assert "functions" in libraries.lacking(NativeEngine(game, policies=[LOW]).program)
    assert libraries.lacking(NativeEngine(game).program) == ()


def test_a_trial_finds_functions_that_say_something_else(tmp_path: Path) -> None:
    game = Game.make(load_flowchart("trumps"), name="trumps")
    engine = NativeEngine(game, policies=[HIGH])
    library = make_library(engine, tmp_path, "functions")
    assert plays_alike(engine.node_program.parts(), str(library))
    wrong = library.with_name("game.c").read_text().replace("FUNCTION_ENDS(", "FUNCTION_ENDS(1 + ")
    spoiled = make_library(engine, tmp_path, source=wrong)
    assert not plays_alike(engine.node_program.parts(), str(spoiled))
