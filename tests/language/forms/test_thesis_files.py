"""The files of the thesis are accepted as they are and come back as they were."""

from __future__ import annotations

import pytest

from fcdl.language import tree
from fcdl.language.diagnostics import Findings
from fcdl.language.forms import in_reading_order, recognise, write_form
from fcdl.language.forms.source import Source
from fcdl.language.forms.terms import Function, Term, read_facts, write_term
from tests.language.forms.reading import THESIS_FILES, read, thesis_file


def fact_set(text: str) -> set[str]:
    """The facts of a file without layout: coordinates and numbers of connections are left out."""
    findings = Findings()
    facts = {write_term(_bare(fact)).replace(" ", "") for fact in read_facts(Source(text), findings)}
    assert not findings.items
    return facts


def _bare(fact: Function) -> Term:
    args = fact.args or ()
    if fact.name == "connection":
        return Function(fact.name, args[1:])
    return Function(fact.name, (args[0], args[3])) if len(args) == 4 else fact


def test_all_four_files_are_here() -> None:
    assert THESIS_FILES == [
        "crazy_eights.states.lp", "kings_and_jacks.states.lp", "trumps.facts.lp", "trumps.states.lp",
    ]  # fmt: skip


@pytest.mark.parametrize("name", THESIS_FILES)
def test_form_is_recognised(name: str) -> None:
    assert recognise(thesis_file(name)) == name.split(".")[1]


@pytest.mark.parametrize("name", THESIS_FILES)
def test_facts_come_back_from_text(name: str) -> None:
    form = name.split(".")[1]
    document = read(thesis_file(name), form)
    for version in (document, in_reading_order(document)):
        text = write_form(version, "fcdl")
        assert fact_set(write_form(read(text, "fcdl"), form)) == fact_set(thesis_file(name))


@pytest.mark.parametrize("name", THESIS_FILES)
def test_states_come_back_from_drawing_and_drawing_from_states(name: str) -> None:
    form = name.split(".")[1]
    text = thesis_file(name)
    for other in ("facts", "states", "json"):
        text = write_form(read(text, recognise(text)), other)
    assert fact_set(write_form(read(text, "json"), form)) == fact_set(thesis_file(name))


def test_trumps_drawing_comes_back_letter_by_letter_but_for_connections() -> None:
    lines = set(write_form(read(thesis_file("trumps.facts.lp"), "facts"), "facts").splitlines())
    elements = {line for line in thesis_file("trumps.facts.lp").splitlines() if not line.startswith("connection")}
    assert elements <= lines
    assert all(line.startswith("connection(") for line in lines - elements)


def test_drawing_of_trumps_means_what_the_thesis_says() -> None:
    document = read(thesis_file("trumps.facts.lp"), "facts")
    nodes = {node.number: node for node in document.charts[0].nodes}
    assert nodes[0].body == tree.Start()
    assert nodes[54].body == tree.End()
    assert (nodes[25].yes, nodes[25].no) == (27, 36)
    assert nodes[9].body == tree.Action("publish", (tree.Text("#{trumps} has been chosen as trumps."),))
    assert nodes[49].position == (400, 2200)


def test_states_of_trumps_mean_what_the_thesis_says() -> None:
    document = read(thesis_file("trumps.states.lp"), "states")
    nodes = {node.number: node for node in document.charts[0].nodes}
    assert nodes[70].body == tree.Action("publish", (tree.Text("#{trumps} has been chosen as trumps."),))
    one_more = tree.Operation("+", (tree.Name("i"), tree.Number(1)))
    assert nodes[33].body == tree.Assign(tree.Name("i"), one_more)
    assert (nodes[25].yes, nodes[25].no) == (27, 36)


def test_reading_order_goes_from_start_to_end() -> None:
    document = in_reading_order(read(thesis_file("kings_and_jacks.states.lp"), "states"))
    numbers = [node.number for node in document.charts[0].nodes]
    assert numbers == [0, 1, 3, 5, 7, 45, 9, 11, 13, 17, 21, 24, 26, 28, 30, 32, 38, 40, 19, 15, 36]


def test_reading_order_leaves_a_drawing_in_order_alone() -> None:
    document = read(thesis_file("trumps.facts.lp"), "facts")
    assert in_reading_order(document) == document
