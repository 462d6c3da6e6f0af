"""Whatever is wrong with a file in one of the forms is reported at its place, and never raises."""

from __future__ import annotations

import random
from typing import Any

import pytest

from fcdl.data import data_text
from fcdl.language import tree
from fcdl.language.diagnostics import Findings
from fcdl.language.forms import FORMS, read_form, sketch, write_form
from fcdl.language.forms.source import Source
from fcdl.language.forms.terms import read_facts
from tests.language.forms.reading import THESIS_FILES, findings_of, read, thesis_file

START = 'terminal(0,0,0,"StartGame").'
END = 'terminal(9,0,0,"TerminateGame").'

# What is wrong, where (line and column), and what is said about it.
FACTS: list[tuple[str, int, int, str, str]] = [
    ('terminal(0,0,0,"StartGame")', 1, 28, "syntax", "the fact ends too soon"),
    (f"{START}\n{START}", 2, 1, "doubled-node", "two nodes have the number 0"),
    (f"{START}\nconnection(1,0,2,7,0).", 2, 1, "unknown-node", "there is no node 7"),
    (f"{START}\nconnection(1,7,2,0,0).", 2, 1, "unknown-node", "there is no node 7"),
    (f"{START}\nconnection(1,0,4,0,0).", 2, 1, "bad-argument", "there is no side 4"),
    (f"{START}\nconnection(1,0,2,0,-1).", 2, 1, "bad-argument", "there is no side -1"),
    (f"{START}\nconnection(0,0,2,0,0).", 2, 1, "doubled-number", "number 0 is used twice"),
    (f"{END}\nconnection(1,9,2,9,0).", 2, 1, "wrong-arrow", "node 9 is an end"),
    (f'{END}choice(1,0,0,"a").\nconnection(2,1,3,9,0).', 2, 1, "wrong-arrow", "leaves a choice at the left"),
    (f'{END}choice(1,0,0,"a").\nconnection(2,1,0,9,0).', 2, 1, "wrong-arrow", "leaves a choice at the top"),
    ('statement(X,0,0,"Shuffle").', 1, 11, "not-a-fact", "'X' is a variable"),
    ("statement(1,0,0,_).", 1, 17, "not-a-fact", "'_' is a variable"),
    ('statement(1,0,0,"Shuffle") :- a.', 1, 28, "not-a-fact", "this is a rule"),
    (":- a.", 1, 1, "not-a-fact", "this is a rule"),
    ("#show a.", 1, 1, "not-a-fact", "this is a directive"),
    ("label(1..3,2).", 1, 8, "not-a-fact", "intervals are not allowed"),
    ('statement(1,0,0,"Shuffle).\n', 1, 17, "syntax", "unclosed text"),
    ('statement(1,0,0,"a\\qb").', 1, 17, "syntax", "unknown escape"),
    ("%* a comment", 1, 1, "syntax", "unclosed comment"),
    ("a chart", 1, 3, "syntax", "unexpected 'chart'"),
    ('statement(1,0,0,"x = = 3").', 1, 22, "syntax", "unexpected '='"),
    ('choice(3,0,0,"\\"abc\\" == = 3").', 1, 26, "syntax", "unexpected '='"),
    ('choice(3,0,0,"a\\n= = 3").', 1, 18, "syntax", "unexpected '='"),
    ('statement(1,0,0,"x?").', 1, 17, "syntax", "a diamond's caption"),
    ('statement(1,0,0,"end").', 1, 17, "syntax", "a terminal's caption"),
    ("statement(1,0,0,shuffle).", 1, 17, "bad-argument", "a caption is a text"),
    ('statement(1,0,0,publish("a\\nb")).', 1, 25, "bad-argument", "a text is one line"),
    ('statement(1,0,"Shuffle").', 1, 1, "bad-argument", "'statement' has 4 arguments, not 3"),
    ('statement(1,"a",0,"Shuffle").', 1, 13, "bad-argument", "argument 2 of 'statement' is a number"),
    ('statment(1,0,0,"Shuffle").', 1, 1, "unknown-fact", "unknown fact 'statment'"),
    ('subchart(1,0,0,"no name").', 1, 16, "bad-name", "a chart cannot be called 'no name'"),
    ('terminal(0,0,0,"Begin").', 1, 16, "bad-argument", "unknown terminal 'Begin'"),
    ('terminal(99999999999,0,0,"StartGame").', 1, 10, "number-too-large", "number too large"),
    ('terminal(-1,0,0,"StartGame").', 1, 1, "bad-number", "a node cannot have the number -1"),
    (f'{START}\nlabel(0,"deck").', 2, 1, "bad-name", "a label cannot be called 'deck'"),
    (f'{START}label(0,"a").\nlabel(0,"b").', 2, 1, "doubled-label", "a second label 'b'"),
    (f'{START}label(0,"a").label(9,"a").\n{END}', 2, 1, "doubled-label", "duplicate label 'a'"),
    ('label(3,"a").', 1, 1, "unknown-node", "there is no node 3"),
    (f"{START}\nprivate(0).", 2, 1, "not-a-diamond", "node 0 is not a diamond"),
    (f'chart("trick").{START}\ninChart(0,"tirck").', 2, 1, "unknown-chart", "there is no chart 'tirck'"),
    ('chart("a").\nchart("a").', 2, 1, "doubled-chart", "duplicate chart 'a'"),
    (f'chart("a").chart("b").{START}inChart(0,"a").\ninChart(0,"b").', 2, 1, "doubled-chart", "in two charts"),
    (f'chart("a").chart("b").{START}{END}inChart(9,"b").\nconnection(1,0,2,9,0).', 2, 1, "other-chart", "in another"),
    ('header("plyers 3").', 1, 16, "syntax", "unexpected '3'"),
    ('header("start").', 1, 9, "syntax", "this is not a header line"),
    ('header("").', 1, 9, "syntax", "this is not a header line"),
    ("f(" * 400 + "1" + ")" * 400 + ".", 1, 201, "too-deep", "nested more than 300 deep"),
]

STATE = "state(1, endTerminal).\nstate(0, choice(1, 1, {})).".format
STATES: list[tuple[str, int, int, str, str]] = [
    ("state(0, startTerminal(x)).", 1, 24, "bad-argument", "an arrow leads to the number of a node"),
    ("state(0, startTerminal(7)).", 1, 24, "unknown-node", "there is no node 7"),
    ("state(0, begin).", 1, 10, "bad-argument", "unknown kind of state"),
    ("state(0, endTerminal).\nstate(0, endTerminal).", 2, 1, "doubled-node", "two nodes have the number 0"),
    ("state(0, statement(0, assign(3, 4))).", 1, 30, "bad-argument", "only variables can be assigned"),
    ("state(0, statement(0, 5)).", 1, 23, "bad-argument", "a statement is a text or a term"),
    ("state(0, statement(0, deck(1))).", 1, 23, "bad-name", "'deck' cannot be a name"),
    ('state(0, statement(0, "x = = 3")).', 1, 28, "syntax", "unexpected '='"),
    (STATE("operation(plus, 1, 2)"), 2, 23, "bad-argument", "unknown operation"),
    (STATE("equal(1)"), 2, 23, "bad-argument", "'equal' has 2 arguments, not 1"),
    (STATE("neg(a, b)"), 2, 23, "bad-argument", "'neg' has 1 argument, not 2"),
    (STATE("equal(range(1, 2), 1)"), 2, 29, "bad-argument", "a range may only appear in"),
    (STATE("when(1, 2)"), 2, 23, "bad-argument", "'when' may only appear in values"),
    (STATE("each(sum, c, cards)"), 2, 23, "bad-argument", "'sum' is not a kind of 'each' here"),
    (STATE("each(those, 3, cards)"), 2, 35, "bad-argument", "the second argument of 'each' is a name"),
    (STATE("each(those, c, cards, if(a))"), 2, 45, "bad-argument", "'each' ends in"),
    (STATE("each(those)"), 2, 23, "bad-argument", "unknown kind of 'each'"),
    (STATE("not"), 2, 23, "bad-name", "'not' cannot be a name"),
    (STATE('name("a b")'), 2, 23, "bad-name", "'a b' cannot be a name"),
    (STATE("name(a)"), 2, 23, "bad-argument", "'name' has one text"),
    (STATE("call(a)"), 2, 23, "bad-argument", "the first argument of 'call'"),
    (STATE('"a\\nb"'), 2, 23, "bad-argument", "a text is one line"),
    (STATE("neg(" * 100 + "a" + ")" * 100), 2, 423, "too-deep", "nested more than 100 deep"),
    (STATE("neg(" * 99 + "-1" + ")" * 99), 2, 419, "too-deep", "nested more than 100 deep"),
]

NODES = '{{"format": "fcdl", "version": 1, "nodes": [\n{}]}}'.format
JSON: list[tuple[str, int, int, str, str]] = [
    ("", 1, 1, "bad-json", "this is not JSON"),
    ("{", 1, 2, "bad-json", "this is not JSON"),
    ("[]", 1, 1, "bad-value", "the file is an object"),
    ("{}", 1, 1, "missing-field", "the file has no field 'format'"),
    ('{"format": "dot", "version": 1, "nodes": []}', 1, 12, "unknown-format", "not the format 'fcdl'"),
    ('{"format": "fcdl", "version": 2, "nodes": []}', 1, 31, "unknown-format", "version 2 is not known"),
    ('{"format": "fcdl", "version": true, "nodes": []}', 1, 31, "bad-value", "'version' is a whole number"),
    ('{"format": "fcdl", "version": 1, "nodes": {}}', 1, 43, "bad-value", "'nodes' is a list"),
    ('{"format": "fcdl", "version": NaN, "nodes": []}', 1, 31, "bad-json", "'NaN' is not a JSON number"),
    ('{"format": "fcdl", "format": "fcdl"}', 1, 30, "doubled-field", "duplicate field 'format'"),
    ('{"format": "\\ud800"}', 1, 12, "bad-json", "half a character"),
    ("1" * 5000, 1, 1, "number-too-large", "too large"),
    ("[" * 100_000, 1, 1, "too-deep", "nested more than 100 deep"),
    (NODES("[" * 200 + "]" * 200), 2, 99, "too-deep", "nested more than 100 deep"),
    (NODES("7"), 2, 1, "bad-value", "a node is an object"),
    (NODES('{"number": 1}'), 2, 1, "missing-field", "a node has no field 'kind'"),
    (NODES('{"number": 1.5, "kind": "end"}'), 2, 12, "bad-value", "'number' is a whole number"),
    (NODES('{"number": 1, "kind": "diamond"}'), 2, 23, "unknown-kind", "unknown kind of node 'diamond'"),
    (NODES('{"number": 1, "kind": "end", "lable": "a"}'), 2, 39, "unknown-field", "unknown field 'lable'"),
    (NODES('{"number": 1, "kind": "end", "caption": "a"}'), 2, 41, "unknown-field", "has no caption"),
    (NODES('{"number": 1, "kind": "statement"}'), 2, 1, "missing-field", "has a caption"),
    (NODES('{"number": 1, "kind": "statement", "caption": "x = = 1"}'), 2, 52, "syntax", "unexpected '='"),
    (NODES('{"number": 1, "kind": "choice", "caption": "\\u0041 = = 1"}'), 2, 52, "syntax", "unexpected '='"),
    (NODES('{"number": 1, "kind": "end", "position": [1]}'), 2, 42, "bad-value", "a list of two numbers"),
    (NODES('{"number": 1, "kind": "end", "private": 1}'), 2, 41, "bad-value", "'private' is true or false"),
    (NODES('{"number": 1, "kind": "end", "private": true}'), 2, 41, "not-a-diamond", "cannot be private"),
    (NODES('{"number": 1, "kind": "end", "chart": "x"}'), 2, 39, "unknown-chart", "there is no chart 'x'"),
    (NODES('{"number": 1, "kind": "end", "label": "a b"}'), 2, 39, "bad-name", "a label cannot be called 'a b'"),
    (NODES('{"number": 1, "kind": "end", "arrows": {"next": 1}}'), 2, 49, "wrong-arrow", "node 1 is an end"),
    (NODES('{"number": 1, "kind": "start", "arrows": {"yes": 1}}'), 2, 50, "wrong-arrow", "has no 'yes' arrow"),
    (NODES('{"number": 1, "kind": "start", "arrows": {"next": 2}}'), 2, 51, "unknown-node", "there is no node 2"),
    (NODES('{"number": 1, "kind": "start", "arrows": {"to": 1}}'), 2, 49, "unknown-field", "unknown field 'to'"),
]


@pytest.mark.parametrize(
    ("form", "fault"),
    [(form, fault) for form, faults in (("facts", FACTS), ("states", STATES), ("json", JSON)) for fault in faults],
)
def test_fault_is_reported_at_its_place(form: str, fault: tuple[str, int, int, str, str]) -> None:
    text, line, column, code, message = fault
    (finding,) = findings_of(text, form)
    assert finding.span is not None
    assert (finding.code, finding.span.line, finding.span.column) == (code, line, column)
    assert message in finding.message


def test_one_fault_does_not_hide_another() -> None:
    text = 'statement(1,0,0,"Shuffle").\nstatement(X,0,0,"").\nfoo(.\nstatement(2,0,0,"x=").\nstatement(1,0,0,"y=1").'
    assert [finding.span.line for finding in findings_of(text, "facts") if finding.span] == [2, 3, 4, 5]


def test_node_with_a_faulty_caption_is_no_unknown_node() -> None:
    text = f'{START}statement(1,0,0,"x=").connection(2,0,2,1,0).connection(3,1,2,0,0).'
    assert [finding.code for finding in findings_of(text, "facts")] == ["syntax"]


def test_second_arrow_of_a_statement_is_kept_for_the_checker() -> None:
    document = read(f"{START}{END}connection(1,0,2,9,0).connection(2,0,1,0,0).", "facts")
    node = document.charts[0].nodes[0]
    assert (node.next, node.extra) == (9, (0,))


def test_places_of_expressions_point_into_the_file() -> None:
    document = read('statement(1,0,0,"x = \\n f(\\"a\\", yy)").', "facts")
    body = document.charts[0].nodes[0].body
    assert isinstance(body, tree.Assign)
    assert isinstance(body.value, tree.Call)
    name = body.value.args[1]
    assert (name.span.column, name.span.end_column) == (34, 36)


def test_flat_facts_are_read_as_the_grammar_reads_them() -> None:
    text = 'connection(1,-2,3, 4,5).\nlabel(1,"a % b. c").'
    flat = list(read_facts(Source(text), Findings()))
    spaced = list(read_facts(Source(text.replace("(", " (")), Findings()))
    assert [_shape(fact) for fact in flat] == [_shape(fact) for fact in spaced]
    assert [text[fact.start : fact.end] for fact in flat] == [line[:-1] for line in text.split("\n")]


def _shape(fact: Any) -> list[object]:
    return [fact.name, *(arg.value for arg in fact.args)]


def test_comments_and_blanks_are_skipped() -> None:
    text = '% a comment.\n%* another\none. *% terminal ( 0 , 0,\n0, "StartGame" ) . % done'
    assert len(read(text, "facts").charts[0].nodes) == 1


def test_too_many_faults_end_the_reading() -> None:
    assert len(findings_of("a b.\n" * 1000, "facts")) == 51


def test_too_many_nodes_are_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sketch, "MAX_NODES", 100)
    text = "".join(f'terminal({number},0,0,"StartGame").\n' for number in range(103))
    (finding,) = findings_of(text, "facts")
    assert finding.code == "too-many-nodes"
    assert finding.span is not None
    assert finding.span.line == 101


@pytest.mark.parametrize("form", FORMS)
def test_too_large_file_is_refused(form: str) -> None:
    (finding,) = findings_of(" " * 8_000_001, form)
    assert finding.code == "too-large"


def _specimens() -> list[tuple[str, str]]:
    hearts = read(data_text("games", "hearts.fcdl"), "fcdl")
    thesis = [(name.split(".")[1], thesis_file(name)) for name in THESIS_FILES]
    return [*thesis, *((form, write_form(hearts, form)) for form in ("facts", "states", "json"))]


@pytest.mark.parametrize("seed", range(12))
def test_mutilated_files_never_raise(seed: int) -> None:
    chance = random.Random(seed)
    for form, text in _specimens():
        for _ in range(3):
            broken = text
            for _ in range(chance.randint(1, 4)):
                broken = _mutilated(broken, chance)
            read_form(broken, form, Findings())


def _mutilated(text: str, chance: random.Random) -> str:
    """Cuts out, doubles, moves or inserts a little."""
    start, length = chance.randrange(len(text)), chance.randint(1, 12)
    piece = text[start : start + length]
    inserted = chance.choice(["", piece * 2, "(", ")", '"', "\\", ",", ".", "-1", "none", "\0", "é", "{", "]", ":"])
    text = text[:start] + inserted + text[start + length :]
    place = chance.randrange(len(text))
    return text[:place] + piece + text[place:] if chance.random() < 0.3 else text


@pytest.mark.parametrize("text", ["\0" * 100, "(" * 5000, '"' * 999, "%" * 999, "é\u2028", "1" * 30_000, "{" * 999])
@pytest.mark.parametrize("form", FORMS)
def test_rubbish_never_raises(form: str, text: str) -> None:
    assert findings_of(text, form) or form == "fcdl" or text.startswith("%")
