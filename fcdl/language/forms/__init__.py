"""The forms a chart can be written in: text, the two fact formats of the thesis, and JSON for editors.

All are read into and written from one `tree.Document`, so every form says all that the others say, up to layout.
"""

from __future__ import annotations

import re

from fcdl.language import tree
from fcdl.language.diagnostics import ChartError, Findings, Span
from fcdl.language.forms.facts import read_drawing, write_drawing
from fcdl.language.forms.json_form import read_json, write_json
from fcdl.language.forms.positions import in_reading_order
from fcdl.language.forms.states import read_states, write_states
from fcdl.language.parser import parse_text
from fcdl.language.text import format_document

__all__ = ["FORMS", "in_reading_order", "read_form", "recognise", "write_form"]

FORMS = ("fcdl", "facts", "states", "json")
MAX_CHARACTERS = 8_000_000

_READERS = {"fcdl": parse_text, "facts": read_drawing, "states": read_states, "json": read_json}
_WRITERS = {"fcdl": format_document, "facts": write_drawing, "states": write_states, "json": write_json}

_BEGINNING = re.compile(r"(?:\s++|%[^\n]*+)*+")
_PREDICATE = re.compile(
    r"(?:terminal|statement|choice|subchart|connection|state|header|chart|inChart|label|private|public|extraArrow)\s*\("
    r"|[a-z]\w*\s*\([^\n]*\)\s*(?:\.|:-)"
)
_STATE = re.compile(r"^\s*state\s*\(", re.MULTILINE)


def recognise(text: str) -> str:
    """Which form a text is in; what looks like nothing else is text."""
    text = text.removeprefix("\ufeff")
    blank = _BEGINNING.match(text)
    start = blank.end() if blank else 0
    if text[start : start + 1] in ("{", "["):
        return "json"
    if "%" in text[:start] or _PREDICATE.match(text, start):
        return "states" if _STATE.search(text) else "facts"
    return "fcdl"


def read_form(text: str, form: str, findings: Findings) -> tree.Document:
    """Reads a text in a form of `FORMS`; whatever is wrong with it becomes a finding, never an exception."""
    if len(text) > MAX_CHARACTERS:
        message = f"{len(text)} characters (at most {MAX_CHARACTERS})"
        findings.error("too-large", message, Span(1, 1, 1, 2), hint="is this a chart?")
        return tree.Document((), ())
    return _READERS[form](text.removeprefix("\ufeff"), findings)


def write_form(document: tree.Document, form: str, *, filename: str = "<chart>", source: str = "") -> str:
    """Writes a document in a form of `FORMS`.

    Raises ChartError for `fcdl` when arrows are missing or too many: in text a line without an arrow leads to the next.
    The error names the file that the document was read from.
    """
    if form == "fcdl":
        findings = Findings()
        _report_what_text_cannot_say(document, findings)
        if findings.items:
            raise ChartError(findings.items, filename, source)
    return _WRITERS[form](document)


def _report_what_text_cannot_say(document: tree.Document, findings: Findings) -> None:
    for chart in document.charts:
        for node, following in zip(chart.nodes, (*chart.nodes[1:], None), strict=False):
            if node.extra:
                findings.error("doubled-connection", f"node {node.number} has an arrow too many", node.span,
                               node=node.number, hint="the text form cannot express this")  # fmt: skip
            elif following is not None and not _sayable(node, following.number):
                findings.error("missing-connection", f"node {node.number} lacks an arrow", node.span,
                               node=node.number, hint="the text form cannot express this")  # fmt: skip


def _sayable(node: tree.Node, following: int) -> bool:
    """Whether a line that another one follows has the arrows that it would be read with."""
    match node.body:
        case tree.Choice():
            return node.yes is not None and (node.no is not None or node.yes == following)
        case tree.End():
            return True
        case _:
            return node.next is not None
