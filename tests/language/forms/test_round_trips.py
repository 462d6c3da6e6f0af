"""Every form says the same: a document that is written and read again is the same document."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from fcdl.data import data_names, data_text
from fcdl.language import tree
from fcdl.language.diagnostics import ChartError
from fcdl.language.forms import FORMS, in_reading_order, recognise, write_form
from tests.language.forms.reading import read
from tests.language.strategies import documents

generated = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", data_names("games", ".fcdl"))
def test_built_in_games_survive(name: str, form: str) -> None:
    document = read(data_text("games", name), "fcdl")
    written = write_form(document, form)
    assert recognise(written) == form
    assert in_reading_order(document) == document
    assert read(written, form) == document


@generated
@given(document=documents())
def test_generated_documents_survive_as_text(document: tree.Document) -> None:
    assert read(write_form(document, "fcdl"), "fcdl") == document


@pytest.mark.parametrize("form", ["facts", "states", "json"])
@generated
@given(document=documents(faulty_arrows=True))
def test_generated_documents_survive_with_their_faults(form: str, document: tree.Document) -> None:
    assert read(write_form(document, form), form) == document


@generated
@given(document=documents())
def test_chain_of_all_forms_changes_nothing(document: tree.Document) -> None:
    changed = document
    for form in ("facts", "fcdl", "states", "json", "facts", "json", "states", "fcdl"):
        changed = read(write_form(changed, form), form)
    assert changed == document


@pytest.mark.parametrize("form", ["facts", "json"])
@generated
@given(document=documents(positions=True))
def test_positions_survive_in_drawings_and_json(form: str, document: tree.Document) -> None:
    back = read(write_form(document, form), form)
    assert _positions(back) == _positions(document)


def _positions(document: tree.Document) -> dict[int, tuple[int, int] | None]:
    return {node.number: node.position for chart in document.charts for node in chart.nodes}


@pytest.mark.parametrize(
    "node",
    [
        tree.Node(0, tree.Start()),
        tree.Node(0, tree.Choice(tree.Name("a")), yes=1),
        tree.Node(0, tree.Choice(tree.Name("a")), no=1),
        tree.Node(0, tree.Start(), 1, extra=(1,)),
    ],
)
def test_text_refuses_arrows_that_it_cannot_say(node: tree.Node) -> None:
    chart = tree.Chart("main", (node, tree.Node(2, tree.End()), tree.Node(1, tree.End())))
    with pytest.raises(ChartError):
        write_form(tree.Document((), (chart,)), "fcdl")


def test_text_may_leave_out_the_second_arrow_of_a_diamond() -> None:
    document = read("chart main\nx?\nend", "fcdl")
    assert read(write_form(document, "fcdl"), "fcdl") == document


def test_numbers_are_shown_only_where_they_are_needed() -> None:
    document = read('state(0, startTerminal(1)). state(1, statement(1, "Shuffle")). state(2, endTerminal).', "states")
    assert [line.split() for line in write_form(document, "fcdl").splitlines()] == [
        ["chart", "main"], ["start"], ["1:", "Shuffle", "->", "1"], ["end"],
    ]  # fmt: skip


def test_diamond_may_begin_with_a_word_that_begins_lines() -> None:
    document = read('terminal(0,0,0,"StartGame"). choice(1,0,0,"players==3"). connection(2,0,2,1,0).', "facts")
    assert read(write_form(document, "fcdl"), "fcdl") == document


@pytest.mark.parametrize("noun", ["cards", "sets", "players", "suits", "ranks", "numbers", "values"])
@pytest.mark.parametrize("form", FORMS)
def test_nouns_are_names_too_even_before_a_zone_called_in(noun: str, form: str) -> None:
    places = tree.Name(noun), tree.Name("in")
    for value in (tree.Operation("in", places), tree.Each("count", noun, places[1], None, None)):
        nodes = (
            tree.Node(0, tree.Start(), 1),
            tree.Node(1, tree.Assign(tree.Name("x"), value), 2),
            tree.Node(2, tree.End()),
        )
        document = tree.Document((), (tree.Chart("main", nodes),))
        assert read(write_form(document, form), form) == document


def test_deepest_expression_survives() -> None:
    document = read("chart main\nstart\nx = " + "f(" * 99 + "1" + ")" * 99 + "\nend", "fcdl")
    for form in FORMS:
        assert read(write_form(document, form), form) == document


@pytest.mark.parametrize("form", FORMS)
def test_empty_documents_survive(form: str) -> None:
    for charts in ((), (tree.Chart("main", ()),), (tree.Chart("trick", ()),)):
        document = tree.Document((), charts)
        assert read(write_form(document, form), form) == document
