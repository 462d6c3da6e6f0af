"""What the built-in charts are made of, as golden values: a change here is a change of a game and should be meant."""

from __future__ import annotations

import pytest

from fcdl.data import data_text
from fcdl.language.diagnostics import Severity
from fcdl.language.flowchart import Type
from fcdl.language.load import load, load_flowchart
from fcdl.language.text import format_source

NODES = {
    "trumps": {"main": 26},
    "kings_and_jacks": {"main": 21},
    "crazy_eights": {"main": 32},
    "oh_hell": {"main": 25, "trumps": 9, "bidding": 9, "trick": 18, "scoring": 8},
    "hearts": {"main": 15, "pass": 9, "trick": 21, "scoring": 13},
}
PLAYERS = {"trumps": (2, 2), "kings_and_jacks": (2, 2), "crazy_eights": (2, 2), "oh_hell": (2, 7), "hearts": (4, 4)}
OPTIONS = {
    "oh_hell": {"firstHand": "13", "rounds": "down", "numberOfRounds": "0", "hook": "yes", "noTrumps": "0",
                "halfBlind": "0", "blind": "0"},
    "hearts": {
        "target": "100", "passing": "yes", "passTo": "clockwise", "firstTrick": "noQueen", "anyClub": "no",
        "breaking": "yes", "queenBreaks": "no", "heartsForQueen": "no", "jackBonus": "no", "noTrickBonus": "no",
    },
}  # fmt: skip


@pytest.mark.parametrize("game", NODES)
def test_chart_checks_without_errors_and_warnings(game: str) -> None:
    assert [item for item in load(game).findings if item.severity is not Severity.NOTE] == []


@pytest.mark.parametrize("game", NODES)
def test_chart_has_these_nodes_and_seats(game: str) -> None:
    flowchart = load_flowchart(game)
    assert {chart.name: len(chart.nodes) for chart in flowchart.charts.values()} == NODES[game]
    assert flowchart.players == PLAYERS[game]
    assert flowchart.lowest_wins == (game == "hearts")


@pytest.mark.parametrize("game", NODES)
def test_chart_has_these_options_with_a_text_each(game: str) -> None:
    flowchart = load_flowchart(game)

    def text(name: str) -> str:
        option = flowchart.options[name]
        match option.type:
            case Type.BOOL:
                return "yes" if option.default else "no"
            case Type.WORD:
                return flowchart.words[option.default]
            case _:
                return str(option.default)

    assert {name: text(name) for name in flowchart.options} == OPTIONS.get(game, {})
    assert all(option.text for option in flowchart.options.values())


@pytest.mark.parametrize("game", NODES)
def test_file_is_formatted_and_short(game: str) -> None:
    source = data_text("games", f"{game}.fcdl")
    assert format_source(source) == source
    rules, _, _ = source.partition("\nsay ")  # the words stand behind the rules
    assert len(rules.splitlines()) <= 120
