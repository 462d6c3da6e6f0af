"""Engines agree on charts that nobody wrote: see charts.py."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings

from fcdl.engines.asp import AspEngine
from fcdl.engines.stepping import SteppingEngine
from fcdl.language.load import load_text
from fcdl.model import Engine, Game
from tests.engines.charts import charts
from tests.engines.lockstep import play_in_lockstep

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.engines.native import NativeEngine

SLOW_TO_MAKE = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


def made_up_game(text: str) -> Game:
    """The game of a chart; charts that the checker refuses (too few cards to deal, say) are left out."""
    checked = load_text(text)
    assume(checked.flowchart is not None)
    assert checked.flowchart is not None
    return Game.make(checked.flowchart, name="made_up")


def agree(first: Engine, second: Engine) -> None:
    for seed in range(2):
        play_in_lockstep(first, second, seed, max_moves=30)


@settings(max_examples=60, suppress_health_check=SLOW_TO_MAKE)
@given(charts())
def test_native_and_stepping_agree_on_made_up_charts(text: str) -> None:
    game = made_up_game(text)
    agree(NativeEngine(game), SteppingEngine(game))


@pytest.mark.slow
@settings(max_examples=2000, suppress_health_check=SLOW_TO_MAKE)
@given(charts())
def test_native_and_stepping_agree_on_many_made_up_charts(text: str) -> None:
    game = made_up_game(text)
    agree(NativeEngine(game), SteppingEngine(game))


@pytest.mark.slow
@settings(max_examples=100, suppress_health_check=SLOW_TO_MAKE)
@given(charts())
def test_native_and_asp_agree_on_made_up_charts(text: str) -> None:
    game = made_up_game(text)
    agree(NativeEngine(game), AspEngine(game))
