"""The fast parser says what lark says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark, UnexpectedInput

from fcdl.data import data_names, data_text
from fcdl.language import lines
from fcdl.language.lalr import fast_parser
from fcdl.language.lines import LineError
from fcdl.language.parser import logical_lines
from fcdl.language.syntax import MISTAKES

CHARTS = [data_text("games", name) for name in data_names("games", ".fcdl")]
CHARTS += [path.read_text() for path in (Path(__file__).parent / "bad").glob("*.fcdl")]
LINES = sorted({line.text for chart in CHARTS for line in logical_lines(chart) if len(line.text) < 1_000})
LINES += [example for mistake in MISTAKES for example in mistake.examples]
PIECES = sorted({piece for line in LINES for piece in re.findall(r"\w+|[^\w\s]+|\s+", line)})


class Both:
    """Two parsers of lines that build the same things, one of them lark's own."""

    def __init__(self) -> None:
        self.builder = lines._Builder()
        self.lark = lines.load_lark("line.lark", self.builder)
        self.fast = fast_parser(self.lark)
        assert not isinstance(self.fast, Lark), "lark's insides have changed; see fcdl/language/lalr.py"

    def outcome(self, parser: Any, text: str, start: str) -> tuple[str, Any]:
        self.builder.begin(text, 1)
        try:
            return "parsed", repr(parser.parse(text, start=start)) + spans(parser.parse(text, start=start))
        except UnexpectedInput as error:
            return "unexpected", (error.line, error.column)
        except LineError as error:
            return "refused", (str(error), error.span)


def spans(value: Any) -> str:
    """All places in a tree, which `repr` leaves out."""
    if hasattr(value, "__dataclass_fields__"):
        places = [str(getattr(value, name)) for name in ("span", "label_span") if hasattr(value, name)]
        return " ".join(places + [spans(getattr(value, name)) for name in value.__dataclass_fields__])
    return " ".join(map(spans, value)) if isinstance(value, tuple) and not hasattr(value, "line") else ""


@pytest.fixture(scope="module")
def both() -> Both:
    return Both()


def test_all_lines_of_all_charts_are_parsed_alike(both: Both) -> None:
    for line in LINES:
        assert both.outcome(both.fast, line, "line") == both.outcome(both.lark, line, "line")


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.sampled_from(("line", "expression")))
@settings(max_examples=500)
def test_any_pieces_are_parsed_alike(both: Both, pieces: list[str], start: str) -> None:
    text = "".join(pieces)
    assert both.outcome(both.fast, text, start) == both.outcome(both.lark, text, start)


@given(st.data())
@settings(max_examples=300)
def test_changed_lines_are_parsed_alike(both: Both, data: st.DataObject) -> None:
    pieces = re.findall(r"\w+|[^\w\s]+|\s+", data.draw(st.sampled_from(LINES)))
    place = data.draw(st.integers(0, len(pieces)))
    pieces[place : place + data.draw(st.integers(0, 2))] = data.draw(st.lists(st.sampled_from(PIECES), max_size=2))
    text = "".join(pieces)
    assert both.outcome(both.fast, text, "line") == both.outcome(both.lark, text, "line")


# --- the cache of compiled grammars -----------------------------------------------------------------------------------


def test_grammar_is_kept_between_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert lines.load_lark("line.lark", lines._Builder()).parse("end", start="line")
    (kept,) = (tmp_path / "fcdl").iterdir()
    written = kept.stat().st_mtime_ns
    assert lines.load_lark("line.lark", lines._Builder()).parse("end", start="line")
    assert kept.stat().st_mtime_ns == written


def test_damaged_cache_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    lines.load_lark("line.lark", lines._Builder())
    (kept,) = (tmp_path / "fcdl").iterdir()
    kept.write_bytes(kept.read_bytes()[:1000])
    assert lines.load_lark("line.lark", lines._Builder()).parse("end", start="line")
    assert kept.stat().st_size > 1000


def test_folder_that_others_can_write_to_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "fcdl").mkdir()
    (tmp_path / "fcdl").chmod(0o777)
    assert lines.cache_file("line.lark", "") is None
    assert lines.load_lark("line.lark", lines._Builder()).parse("end", start="line")
    assert list((tmp_path / "fcdl").iterdir()) == []


def test_cache_can_be_switched_off_and_need_not_be_possible(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert lines.cache_file("line.lark", "") is None
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("FCDL_CACHE", "no")
    assert lines.cache_file("line.lark", "") is None
