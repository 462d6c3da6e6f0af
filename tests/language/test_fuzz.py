"""Whatever stands in a file: no exception, no hang, and every finding points into the file."""

from __future__ import annotations

import re
import time
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fcdl.data import data_text
from fcdl.language.diagnostics import Findings, Severity, render_finding
from fcdl.language.forms import FORMS, write_form
from fcdl.language.load import builtin_names, load, load_text
from fcdl.language.parser import parse_text

if TYPE_CHECKING:
    from pathlib import Path

MAX_SECONDS = 10
"""Of processor time for one chart, far more than any needs."""

TOKEN = re.compile(r'"[^"\n]*"|\w+|->|[<>=!]=|[^\w\s]|\n|[ \t]+')
INSERTED = [
    "?", "->", "=", "==", "(", ")", "{", "}", ",", ":", "#", '"', "|", "&", "!", "-", "any", "none", "all", "random(2)",
    "hand(player(0))", "pack", "those c in cards with", "cards c in cards where", "players p in players where", "where",
    "for", "in", "to", "with", "if", "yes", "no", "do", "end",
    "start", "chart", "zone x: face up", "x", "0", "99999999999", "\n", "\\", "“", "♥", "≥", "\0", "\r",
    "\t", "\u2028", "😀",
]  # fmt: skip


@cache
def chart(name: str, form: str) -> str:
    text = data_text("games", f"{name}.fcdl")
    return text if form == "fcdl" else write_form(parse_text(text, Findings()), form)


def check(source: str, form: str | None = None) -> None:
    """Checks a text and what is said about it."""
    before = time.process_time()
    checked = load_text(source, form=form)
    assert time.process_time() - before < MAX_SECONDS
    lines = source.split("\n")
    for finding in checked.findings:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", finding.code)
        assert "\n" not in finding.message
        span = finding.span
        if span is None:
            continue
        assert (span.line, span.column) <= (span.end_line, span.end_column), finding
        for line, column in ((span.line, span.column), (span.end_line, span.end_column)):
            assert 1 <= line <= len(lines), finding
            assert 1 <= column <= len(lines[line - 1]) + 2, finding
    assert all(render_finding(finding, "chart.fcdl", source) for finding in checked.findings[:20])
    has_errors = any(finding.severity is Severity.ERROR for finding in checked.findings)
    assert (checked.flowchart is None) == has_errors


@st.composite
def mutated(draw: st.DrawFn, form: str, pattern: re.Pattern[str]) -> str:
    """A built-in game with a few pieces deleted, doubled, swapped or replaced."""
    pieces = pattern.findall(chart(draw(st.sampled_from(builtin_names())), form))
    for _ in range(draw(st.integers(1, 6))):
        place = draw(st.integers(0, max(0, len(pieces) - 1)))
        other = draw(st.integers(0, max(0, len(pieces) - 1)))
        match draw(st.sampled_from(("delete", "double", "swap", "replace", "cut", "insert"))):
            case "delete":
                del pieces[place : place + 1]
            case "double":
                pieces[place:place] = pieces[place : place + 1]
            case "swap" if pieces:
                pieces[place], pieces[other] = pieces[other], pieces[place]
            case "replace" if pieces:
                pieces[place] = pieces[other]
            case "cut":
                del pieces[place : place + 20]
            case _:
                pieces.insert(place, draw(st.sampled_from(INSERTED) | st.text(max_size=5)))
    return "".join(pieces)


@given(mutated("fcdl", TOKEN))
@settings(max_examples=100)
def test_chart_with_changed_words(source: str) -> None:
    check(source, "fcdl")


@given(mutated("fcdl", re.compile(r"[^\n]*\n")))
@settings(max_examples=100)
def test_chart_with_changed_lines(source: str) -> None:
    check(source)


@pytest.mark.parametrize("form", [form for form in FORMS if form != "fcdl"])
def test_other_forms_with_changes(form: str) -> None:
    @given(mutated(form, TOKEN))
    @settings(max_examples=25)
    def run(source: str) -> None:
        check(source, form)
        check(source)

    run()


@given(st.text(max_size=200))
def test_any_text(source: str) -> None:
    check(source)


@given(st.lists(st.sampled_from([*INSERTED, "playCard", "x", " ", "card(any, any)", "\nx = ", "\n"]), max_size=40))
@settings(max_examples=200)
def test_any_words(words: list[str]) -> None:
    check("chart main\nstart\n" + " ".join(words) + "\nend\n")


@given(data=st.binary(max_size=300))
def test_any_bytes(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "bytes.fcdl"
    path.write_bytes(data)
    checked = load(path)
    assert checked.flowchart is None
    assert checked.findings


# --- large and odd files ----------------------------------------------------------------------------------------------

NESTINGS = {
    "brackets": ("(" * 5_000, "1", ")" * 5_000),
    "brackets in small": ("(" * 90, "1", ")" * 90),
    "signs": ("-" * 5_000, "1", ""),
    "calls": ("abs(" * 3_000, "1", ")" * 3_000),
    "calls in small": ("abs(" * 90, "1", ")" * 90),
    "sums": ("", "1" + " + 1" * 3_000, ""),
    "choices": ("if(yes, 1, " * 1_000, "1", ")" * 1_000),
    "choices in small": ("if(yes, 1, " * 90, "1", ")" * 90),
    "arguments": ("min(", "1" + ", 1" * 3_000, ")"),
    "aggregates": ("sum(1 for c in cards where " * 90, "yes", ")" * 90),
    "nots": ("if(" + "!" * 90, "yes", ", 1, 2)"),
    "minima": ("min(1, 2, 3, " * 90, "1", ")" * 90),
}


@pytest.mark.parametrize("nesting", NESTINGS.values(), ids=NESTINGS)
def test_any_nesting(nesting: tuple[str, str, str]) -> None:
    check(f"chart main\n    start\n    score(player(0)) = {''.join(nesting)}\n    end\n")


def test_definitions_that_nest_each_other() -> None:
    definitions = "\n".join(f"define f{n}(x) = abs(abs(abs(f{n - 1}(x))))" for n in range(1, 200))
    check(f"define f0(x) = x\n{definitions}\nchart main\n    start\n    score(player(0)) = f199(1)\n    end\n")


def test_charts_that_do_each_other() -> None:
    """Twice at each of 40 levels: a million million paths, but 40 charts."""
    charts = "\n".join(f"chart c{n}\nstart\ndo c{n + 1}\ndo c{n + 1}\nx = x + 1\nend" for n in range(40))
    check(f"chart main\nstart\nx = 0\ndo c0\nscore(player(0)) = x\nend\n{charts}\nchart c40\nstart\nShuffle\nend\n")


@pytest.mark.parametrize(
    "line",
    [
        "x" * 1_000_000,
        "x = " + "1 + " * 250_000 + "1",
        '"' * 1_000_000,
        "#" * 1_000_000,
        " " * 1_000_000,
        "(" * 1_000_000,
    ],
    ids=["word", "sum", "quotes", "comment", "blanks", "brackets"],
)
def test_line_of_a_million_characters(line: str) -> None:
    check(f"chart main\n    start\n{line}\n    end\n")


@pytest.mark.parametrize(
    "source",
    [
        "\n" * 1_000_000,
        "x,\n" * 100_000,
        "x\n" * 20_000,
        "zone x: face up\n" * 20_000,
        ")\n" * 100_000,
        "a:\n" * 20_000,
    ],
    ids=["blank", "going on", "nodes", "zones", "errors", "labels"],
)
def test_file_of_very_many_lines(source: str) -> None:
    check(source)


def test_very_many_zones_and_variables() -> None:
    zones = "\n".join(f"zone z{n}: face up" for n in range(3_000))
    nodes = "\n".join(f"    v{n} = {n}\n    move(1, pack, z{n})" for n in range(3_000))
    check(f"{zones}\nchart main\n    start\n    Shuffle\n{nodes}\n    end\n")


def test_directory_is_no_chart(tmp_path: Path) -> None:
    (finding,) = load(tmp_path).findings
    assert (finding.severity, finding.code) == (Severity.ERROR, "unreadable")
    assert "is a directory" in finding.message


def test_missing_file_is_no_chart() -> None:
    (finding,) = load("no/such/chart.fcdl").findings
    assert (finding.severity, finding.code) == (Severity.ERROR, "unreadable")


def test_misspelt_game_is_recognised() -> None:
    (finding,) = load("haerts").findings
    assert finding.hint == "did you mean 'hearts'?"


@pytest.mark.parametrize("name", ["", "\0", "a" * 5_000, "~", "-", "//"])
def test_odd_names_of_files(name: str) -> None:
    assert load(name).flowchart is None
