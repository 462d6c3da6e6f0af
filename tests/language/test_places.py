"""Zones and variables with keys: how they are declared, written and named, and what is wrong with some."""

from __future__ import annotations

import pytest

from fcdl.language.flowchart import Expr, Flowchart, Type
from fcdl.language.load import load_text
from fcdl.language.sight import hidden_part
from fcdl.language.text import format_document
from fcdl.language.written import expr_text
from fcdl.model import Game

CHART = """players 4
teams 0 2, 1 3
zone slot(player, 1 to 3): face down
zone row(player, suit): seen by owner
zone won(team): seen by owner
zone fire(rank): face up
zone heap(-1 to 1): face up
each team has tricks = 0
each suit has led = none
each player and -2 to 2 has deep = 4
secret tricks

chart main
    start
    p = player(0)
    move(1, pack, slot(p, 2))
    move(1, pack, won(p))
    led(hearts) = top(heap(0))
    tricks(p) = count(row(next(p), spades)) + deep(p, -1)
    move(1, fire(ace), heap(1))
    score(p) = tricks(p) + rankValue(led(clubs))
    end
"""


@pytest.fixture(scope="module")
def chart() -> Flowchart:
    flowchart = load_text(CHART).flowchart
    assert flowchart is not None
    return flowchart


def codes_found(*lines: str) -> list[str]:
    text = "\n".join(lines) + "\nchart main\nstart\nShuffle\nend\n"
    return [finding.code for finding in load_text(text).findings if finding.severity == "error"]


def test_lines_are_written_as_they_were_read(chart: Flowchart) -> None:
    assert format_document(chart.document) == CHART


def test_places_are_named_by_their_keys(chart: Flowchart) -> None:
    game = Game.make(chart, name="places")
    named = [zone for zone in game.zones if zone.startswith(("slot", "row(1", "won", "heap"))]
    assert named == [
        "slot(0, 1)", "slot(0, 2)", "slot(0, 3)", "slot(1, 1)", "slot(1, 2)", "slot(1, 3)",
        "slot(2, 1)", "slot(2, 2)", "slot(2, 3)", "slot(3, 1)", "slot(3, 2)", "slot(3, 3)",
        "row(1, clubs)", "row(1, diamonds)", "row(1, hearts)", "row(1, spades)", "won(0)", "won(1)",
        "heap(-1)", "heap(0)", "heap(1)",
    ]  # fmt: skip
    assert len(game.places_of(chart.zones["fire"])) == 13
    assert game.place_text("deep", 5) == "deep(1, -2)"


def test_what_belongs_to_a_team_belongs_to_both(chart: Flowchart) -> None:
    game = Game.make(chart, name="places")
    assert game.seers("won", 1) == {1, 3}
    assert game.value_seers("tricks", 0) == {0, 2}
    assert game.seers("row", 5) == {1}
    assert game.seers("slot", 5) == frozenset()


def test_expressions_are_written_as_charts_do(chart: Flowchart) -> None:
    texts = {expr_text(expr, chart) for node in chart.nodes.values() for expr in node.exprs()}
    assert {"slot(p, 2)", "won(p)", "heap(0)", "count(row(next(p), spades)) + deep(p, -1)"} <= texts


def test_partners_see_what_is_their_teams(chart: Flowchart) -> None:
    me = Expr("local", Type.PLAYER, name="me")

    def won(player: Expr) -> Expr:
        return Expr("zone", Type.CARDS, (Expr("place", Type.PLACE, (player,), name="won"),), name="won")

    def after(player: Expr) -> Expr:
        return Expr("next", Type.PLAYER, (player,))

    assert hidden_part(chart, won(me), me) is None
    assert hidden_part(chart, won(after(after(me))), me) is None
    assert hidden_part(chart, won(after(me)), me) is not None
    assert hidden_part(chart, won(me), None) is not None


def test_the_other_keys_of_ones_own_zone_must_be_seen(chart: Flowchart) -> None:
    me = Expr("local", Type.PLAYER, name="me")
    secret = Expr("playerVariable", Type.INT, (Expr("place", Type.PLACE, (me,), name="tricks"),), name="tricks")
    suit = Expr("suitAt", Type.SUIT, (secret,))
    row = Expr("zone", Type.CARDS, (Expr("place", Type.PLACE, (me, suit), name="row"),), name="row")
    assert hidden_part(chart, row, me) is None
    other = Expr("next", Type.PLAYER, (me,))
    assert hidden_part(chart, row, other) is not None


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("zone a(suit, player): face up", "keys"),
        ("zone a(player, team): face up", "keys"),
        ("zone a(player, suit, rank): face up", "keys"),
        ("zone a(6 to 1): face up", "keys"),
        ("zone a(1 to 2000): face up", "keys"),
        ("zone a(1 to 900): face up\nzone b(1 to 900): face up", "keys"),
        ("each 1 to 1000 and 1 to 1000 has x = 0", "keys"),
        ("zone a(team): face up", "teams"),
        ("each team has x = 0", "teams"),
        ("zone a(suit): seen by owner", "zone-owner"),
        ("zone hand(player, suit): face up", "zone-owner"),
    ],
)
def test_keys_that_cannot_be_are_reported(line: str, code: str) -> None:
    assert codes_found(line) == [code]
