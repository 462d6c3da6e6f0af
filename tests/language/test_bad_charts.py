"""Broken charts, each with the expected findings marked on the faulty lines.

`#! error[code]: message (hint)` at the end of a line, or on a line of its own before it, says what the checker must say
about that line; `#! file error[code]: ...` is about the whole file. The hint may be left out. Errors and warnings must
be exactly the expected ones; notes count only in charts that expect some.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fcdl.language.diagnostics import Finding
from fcdl.language.load import load

CHARTS = sorted((Path(__file__).parent / "bad").glob("*.fcdl"))
MARK = re.compile(r"#!\s*(file )?(error|warning|note)\[([a-z-]+)\]: (.*)$")

Expectation = tuple[int | None, str, str, str]


def expectations(source: str) -> list[Expectation]:
    """Line (None: the file), severity, code and message of every expected finding."""
    expected: list[Expectation] = []
    pending: list[tuple[str, str, str]] = []
    for number, line in enumerate(source.split("\n"), start=1):
        mark = MARK.search(line)
        if mark is None:
            expected.extend((number, *item) for item in pending)
            pending = []
            continue
        whole_file, severity, code, message = mark.groups()
        if whole_file:
            expected.append((None, severity, code, message))
        elif line[: mark.start()].strip():
            expected.extend((number, *item) for item in [*pending, (severity, code, message)])
            pending = []
        else:
            pending.append((severity, code, message))
    assert not pending, "an expectation after the last line"
    return expected


def described(finding: Finding, *, with_hint: bool) -> Expectation:
    hint = f" ({finding.hint})" if finding.hint and with_hint else ""
    line = finding.span.line if finding.span else None
    return line, str(finding.severity), finding.code, finding.message + hint


@pytest.mark.parametrize("path", CHARTS, ids=lambda path: path.stem)
def test_broken_chart_gets_its_findings(path: Path) -> None:
    checked = load(path)
    expected = expectations(checked.source)
    assert expected, "no finding is expected"
    wanted = {"error", "warning", *(severity for _, severity, _, _ in expected)}
    findings = [item for item in checked.findings if item.severity in wanted]
    plain = {described(item, with_hint=False): described(item, with_hint=True) for item in findings}
    assert sorted(plain.get(item, item) for item in expected) == sorted(plain.values()), "\n".join(map(str, findings))
    assert (checked.flowchart is None) == any(severity == "error" for _, severity, _, _ in expected)


def test_there_are_many_broken_charts() -> None:
    assert len(CHARTS) >= 60


def test_every_code_has_a_broken_chart() -> None:
    """The codes of facts, JSON, unreadable files and expressions on their own have tests of their own."""
    text = (Path(__file__).parents[2] / "docs" / "findings.md").read_text()
    sections = [part for part in text.split("\n## ") if not part.startswith(("The file", "Facts and JSON"))]
    codes = {
        code
        for row in re.findall(r"^\| (`.*?) \|", "\n".join(sections), re.MULTILINE)
        for code in re.findall(r"`([a-z-]+)`", row)
    }
    shown = {code for path in CHARTS for _, _, code, _ in expectations(path.read_text())}
    not_of_written_charts = {"dangling-connection", "other-chart", "no-order"}
    assert codes - shown == not_of_written_charts
