"""Charts of others run in a process with limits, and give the same games."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from fcdl.engines.asp import AspEngine, AspLimitError, SandboxEngine, asp_engine
from fcdl.engines.asp.limited import run_limited
from fcdl.errors import FcdlError
from fcdl.language.load import load_flowchart
from fcdl.model import Engine, Event, Game, IllegalMoveError, Move, RandomChance
from tests.engines.asp.charts import chart

HEAVY = "x = count(i in 0 to 999 where some(j in 0 to 999 where some(k in 0 to 999 where i + j + k < 0)))"


def game(name: str) -> Game:
    return Game.make(load_flowchart("trumps"), name=name)


def events(engine: Engine) -> tuple[Event, ...]:
    chance, rng = RandomChance(5), random.Random(5)
    state = engine.start(chance)
    while engine.mover(state) is not None:
        state = engine.apply(state, rng.choice(engine.legal(state)), chance)
    return engine.events(state)


def test_only_built_in_charts_run_in_this_process() -> None:
    assert isinstance(asp_engine(game("trumps")), AspEngine)
    assert isinstance(asp_engine(game("my_game")), SandboxEngine)


def test_the_sandbox_plays_the_same_game() -> None:
    sandbox = SandboxEngine(game("my_game"))
    assert events(sandbox) == events(AspEngine(game("my_game")))
    sandbox.close()


def test_the_sandbox_refuses_illegal_moves_and_goes_on() -> None:
    sandbox = SandboxEngine(game("my_game"))
    state = sandbox.start(RandomChance(0))
    with pytest.raises(IllegalMoveError, match="must play a card"):
        sandbox.apply(state, Move("pass"), RandomChance(0))
    assert sandbox.mover(sandbox.apply(state, sandbox.legal(state)[0], RandomChance(0))) is not None
    sandbox.close()


def test_a_chart_that_takes_too_long_is_given_up() -> None:
    sandbox = SandboxEngine(chart(HEAVY, 'publish("#{x}")').game, seconds=2)
    with pytest.raises(AspLimitError, match="more than 2 s"):
        sandbox.start(RandomChance(0))


@pytest.mark.slow
def test_a_chart_that_needs_too_much_memory_is_given_up() -> None:
    sandbox = SandboxEngine(chart(HEAVY, 'publish("#{x}")').game, memory_mb=600, seconds=120)
    with pytest.raises(AspLimitError, match="more than 600 MB"):
        sandbox.start(RandomChance(0))


def test_the_sandbox_imports_nothing_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fcdl").mkdir()
    (tmp_path / "clingo.py").write_text("raise SystemExit('not ours')")
    monkeypatch.chdir(tmp_path)
    sandbox = SandboxEngine(game("my_game"))
    assert sandbox.mover(sandbox.start(RandomChance(0))) is not None
    sandbox.close()


def test_a_child_that_cannot_start_is_not_called_out_of_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "clingo.py").write_text("raise SystemExit('not ours')")
    monkeypatch.setattr("fcdl.engines.asp.sandbox.__file__", str(tmp_path / "a/b/c/d.py"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    sandbox = SandboxEngine(game("my_game"))
    with pytest.raises(FcdlError, match="the process of the ASP engine failed: "):
        sandbox.start(RandomChance(0))


def test_limited_work_gives_its_result_its_errors_and_up() -> None:
    def refuse() -> None:
        raise IllegalMoveError("no")

    def take_long() -> None:
        time.sleep(60)

    assert run_limited(lambda: 6 * 7) == 42
    with pytest.raises(IllegalMoveError, match="no"):
        run_limited(refuse)
    with pytest.raises(AspLimitError, match=r"after 0\.2 s"):
        run_limited(take_long, seconds=0.2)
    with pytest.raises(AspLimitError, match="more than 300 MB"):
        run_limited(lambda: len(bytearray(10**9)), memory_mb=300)
