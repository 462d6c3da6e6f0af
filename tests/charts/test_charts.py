"""Every chart of the corpus is clean, plays to its end, and means the same to all engines and in all forms.

The built-in ones are among the games of tests/engines and tests/language/forms.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fcdl.drawing import draw
from fcdl.engines.asp import AspEngine
from fcdl.engines.native import NativeEngine
from fcdl.engines.stepping import SteppingEngine
from fcdl.language.diagnostics import Severity
from fcdl.language.forms import FORMS, recognise, write_form
from fcdl.language.load import load
from fcdl.language.text import format_source
from fcdl.model import Reason
from tests.charts.corpus import HERE, NAMES, WITHOUT_DECISIONS, flowchart, make_game, path_of, tables
from tests.engines.lockstep import play_in_lockstep
from tests.language.forms.reading import read

GAMES = 300


def test_the_corpus_has_thirty_charts() -> None:
    assert len(NAMES) >= 30


@pytest.mark.parametrize("name", NAMES)
def test_chart_checks_without_errors_and_warnings(name: str) -> None:
    assert [item for item in load(str(path_of(name))).findings if item.severity is not Severity.NOTE] == []


@pytest.mark.parametrize("name", NAMES)
def test_chart_is_formatted_and_says_whose_rules_it_follows(name: str) -> None:
    source = path_of(name).read_text(encoding="utf-8")
    assert format_source(source) == source
    assert source.startswith("# ")


def test_agram_is_the_chart_of_the_readme() -> None:
    readme = Path(__file__).parents[2].joinpath("README.md").read_text(encoding="utf-8")
    shown = re.search(r"```fcdl\n(.*?)```", readme, re.DOTALL)
    assert shown is not None
    assert path_of("agram").read_text(encoding="utf-8").endswith("\n\n" + shown[1])


@pytest.mark.parametrize(
    ("name", "seats"), [(name, seats) for name in NAMES for seats in sorted(set(flowchart(name).players))]
)
def test_random_players_come_to_a_proper_end(name: str, seats: int) -> None:
    played = NativeEngine(make_game(name, seats)).play_games(GAMES, 1)
    assert played.reasons[Reason.END] > 0.99 * GAMES
    assert (played.moves > 0) == (name not in WITHOUT_DECISIONS)
    assert len(set(map(tuple, played.scores.tolist()))) > 1, "somebody always wins the same"


@pytest.mark.parametrize(("name", "seats"), tables())
def test_native_and_stepping_agree(name: str, seats: int) -> None:
    game = make_game(name, seats)
    play_in_lockstep(NativeEngine(game), SteppingEngine(game), seats, max_moves=40)


@pytest.mark.parametrize("name", HERE)
def test_native_and_asp_agree(name: str) -> None:
    game = make_game(name)
    play_in_lockstep(NativeEngine(game), AspEngine(game), 1, max_moves=8)


@pytest.mark.parametrize("name", HERE)
def test_chart_survives_in_every_form(name: str) -> None:
    document = read(path_of(name).read_text(encoding="utf-8"), "fcdl")
    for form in FORMS:
        written = write_form(document, form)
        assert recognise(written) == form
        assert read(written, form) == document


@pytest.mark.parametrize("name", HERE)
def test_every_box_is_drawn(name: str) -> None:
    drawing = draw(flowchart(name), "svg").decode()
    assert drawing.count('<g id="node-') == flowchart(name).size
