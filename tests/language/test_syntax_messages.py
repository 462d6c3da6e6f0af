"""What is said about lines that cannot be read."""

import pytest

from fcdl.language.diagnostics import Finding, Findings
from fcdl.language.parser import LogicalLine, parse_line
from fcdl.language.syntax import MISTAKES


def findings_of(line: str) -> list[Finding]:
    findings = Findings()
    parse_line(LogicalLine(1, line), findings)
    return findings.items


@pytest.mark.parametrize(
    ("line", "hint"), [(example, mistake.hint) for mistake in MISTAKES for example in mistake.examples]
)
def test_typical_mistake_gets_its_hint(line: str, hint: str) -> None:
    assert [item.hint for item in findings_of(line)] == [hint]


def test_every_mistake_has_an_example() -> None:
    assert all(mistake.examples for mistake in MISTAKES)


@pytest.mark.parametrize(
    ("line", "message", "hint", "place"),
    [
        ("Deal(7", "this '(' is never closed", "a ')' is missing", (5, 6)),
        ("Deal(7))", "unexpected ')'", "there is no '(' for this ')'", (8, 9)),
        ("choose(p, x, {1, 2)", "unexpected ')'", "a '}' is missing", (19, 20)),
        ("choose(p, x, 1})", "unexpected '}'", "a ')' is missing", (15, 16)),
        ("playerHas(p, card(any, hearts)? no -> a", "this '(' is never closed", "a ')' is missing", (10, 11)),
        ("zoen won: face up", "unexpected 'won'", "did you mean 'zone'?", (6, 9)),
        ("optoin x = 3", "unexpected 'x'", "did you mean 'option'?", (8, 9)),
        ("x = 3 @ 4", "unexpected '@'", None, (7, 8)),
        ("x = \x07", "unexpected '\\x07'", None, (5, 6)),
    ],
)
def test_fault_is_named_and_placed(line: str, message: str, hint: str | None, place: tuple[int, int]) -> None:
    (finding,) = findings_of(line)
    assert finding.span is not None
    assert (finding.message, finding.hint) == (message, hint)
    assert (finding.span.line, finding.span.column, finding.span.end_column) == (1, *place)


def test_line_that_goes_on_by_mistake_is_named() -> None:
    (finding,) = findings_of("x = y +\nShuffle Deal")
    assert finding.hint == "the line before ends in '+', so it continues on this one"
    assert finding.span is not None
    assert finding.span.line == 2


def test_long_line_does_not_take_long_to_explain() -> None:
    assert findings_of("x = " + "(a & " * 3_000)[0].code in ("syntax", "too-deep")
