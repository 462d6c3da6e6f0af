"""What the forms look like."""

from __future__ import annotations

import json

import pytest

from fcdl.language.forms import recognise, write_form
from tests.language.forms.reading import read

SMALL = """
game "Small \\"one\\""
players 3

chart main
    start
    do round
    end

chart round
    start
again:
    private score(player(0)) >= -2 & !passed(player(1))?  no -> 6
    choose(player(0), bid, {0 to 3, 7 if c in hand(player(0))})  -> again
6:
    x = sum(points(c) for c in won(player(0)) where c != QS)
    publish("a ~ b")
    end
"""

FACTS = r"""
header("game \"Small \\\"one\\\"\"").
header("players 3").
chart("main").
chart("round").
terminal(0,0,0,"StartGame").
connection(9,0,2,1,0).
subchart(1,0,200,"round").
connection(10,1,2,2,0).
terminal(2,0,400,"TerminateGame").
terminal(3,400,0,"StartGame").
inChart(3,"round").
connection(11,3,2,4,0).
choice(4,400,200,"score(player(0))>=-2&!passed(player(1))").
inChart(4,"round").
label(4,"again").
private(4).
connection(12,4,2,5,0).
connection(13,4,1,6,0).
statement(5,400,400,"choose(player(0),bid,{0 to 3,7 if c in hand(player(0))})").
inChart(5,"round").
connection(14,5,2,4,0).
statement(6,800,200,"x=sum(points(c) for c in won(player(0)) where c!=QS)").
inChart(6,"round").
connection(15,6,2,7,0).
statement(7,800,400,publish("a ~ b")).
inChart(7,"round").
connection(16,7,2,8,0).
terminal(8,800,600,"TerminateGame").
inChart(8,"round").
"""

STATES = r"""
header("game \"Small \\\"one\\\"\"").
header("players 3").
chart("main").
chart("round").
state(0, startTerminal(1)).
state(1, subchart(2, "round")).
state(2, endTerminal).
state(3, startTerminal(4)).
inChart(3, "round").
state(4, choice(5, 6, operation(and, greaterOrEqual(score(player(0)), -2), neg(passed(player(1)))))).
inChart(4, "round").
label(4, "again").
private(4).
state(5, statement(4, "choose(player(0), bid, {0 to 3, 7 if c in hand(player(0))})")).
inChart(5, "round").
state(6, statement(7, assign(x, each(sum, c, won(player(0)), value(points(c)), with(notEqual(c, name("QS"))))))).
inChart(6, "round").
state(7, statement(8, publish("a~\\~~b"))).
inChart(7, "round").
state(8, endTerminal).
inChart(8, "round").
"""

JSON = r"""
{
  "format": "fcdl",
  "version": 1,
  "header": [
    "game \"Small \\\"one\\\"\"",
    "players 3"
  ],
  "charts": [
    "main",
    "round"
  ],
  "nodes": [
    {"number": 0, "kind": "start", "chart": "main", "arrows": {"next": 1}},
    {"number": 1, "kind": "subchart", "caption": "round", "chart": "main", "arrows": {"next": 2}},
    {"number": 2, "kind": "end", "chart": "main"},
    {"number": 3, "kind": "start", "chart": "round", "arrows": {"next": 4}},
    {"number": 4, "kind": "choice", "caption": "score(player(0)) >= -2 & !passed(player(1))", "chart": "round", "label": "again", "private": true, "arrows": {"yes": 5, "no": 6}},
    {"number": 5, "kind": "statement", "caption": "choose(player(0), bid, {0 to 3, 7 if c in hand(player(0))})", "chart": "round", "arrows": {"next": 4}},
    {"number": 6, "kind": "statement", "caption": "x = sum(points(c) for c in won(player(0)) where c != QS)", "chart": "round", "arrows": {"next": 7}},
    {"number": 7, "kind": "statement", "caption": "publish(\"a ~ b\")", "chart": "round", "arrows": {"next": 8}},
    {"number": 8, "kind": "end", "chart": "round"}
  ]
}
"""  # noqa: E501


@pytest.mark.parametrize(("form", "expected"), [("facts", FACTS), ("states", STATES), ("json", JSON)])
def test_small_chart_in_every_form(form: str, expected: str) -> None:
    assert write_form(read(SMALL, "fcdl"), form) == expected.lstrip("\n")
    assert recognise(expected) == form


def test_chart_of_the_thesis_needs_nothing_that_is_not_in_the_thesis() -> None:
    document = read("start\nx = 1\nx == 1? no -> 1\nend", "fcdl")
    drawing = {line.partition("(")[0] for line in write_form(document, "facts").splitlines()}
    assert drawing == {"terminal", "statement", "choice", "connection"}
    assert {line.partition("(")[0] for line in write_form(document, "states").splitlines()} == {"state"}


def test_names_that_mean_something_else_in_states_are_quoted() -> None:
    document = read("start\nx = equal(Foo, 10H) + _1 + F(values, values()) + -0\nend", "fcdl")
    term = write_form(document, "states").splitlines()[1]
    assert 'call("equal", name("Foo"), name("10H"))' in term
    assert 'name("_1")' in term
    assert 'call("F", values, call("values"))' in term
    assert "operation(negate, 0)" in term


def test_new_nodes_are_put_beside_those_that_have_a_place() -> None:
    text = 'terminal(0,100,50,"StartGame"). connection(3,0,2,1,0). statement(1,100,250,"Shuffle").'
    document = read(text, "facts")
    nodes = json.loads(write_form(document, "json"))
    nodes["nodes"].append({"number": 2, "kind": "end"})
    assert "terminal(2,900," in write_form(read(json.dumps(nodes), "json"), "facts")
