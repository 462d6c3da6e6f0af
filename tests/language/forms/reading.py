"""Reading that must succeed, for the tests of the forms."""

from __future__ import annotations

from pathlib import Path

from fcdl.language import tree
from fcdl.language.diagnostics import Finding, Findings
from fcdl.language.forms import read_form

LAW = Path(__file__).parents[2] / "data" / "law2013"
THESIS_FILES = sorted(path.name for path in LAW.glob("*.lp"))


def read(text: str, form: str) -> tree.Document:
    """The document of a text that has no faults."""
    findings = Findings()
    document = read_form(text, form, findings)
    assert not findings.items, text
    return document


def findings_of(text: str, form: str) -> list[Finding]:
    """What is wrong with a text."""
    findings = Findings()
    read_form(text, form, findings)
    return findings.sorted()


def thesis_file(name: str) -> str:
    """A file of the thesis."""
    return (LAW / name).read_text(encoding="utf-8")
