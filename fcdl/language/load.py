"""One door to charts: a built-in name or a file in any form comes in, a checked flowchart and all findings come out."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from fcdl.data import data_names, data_text
from fcdl.language import tree
from fcdl.language.diagnostics import ChartError, Finding, Findings, Span, check_characters, did_you_mean
from fcdl.language.flowchart import Flowchart

MAX_BYTES = 8_000_000


@dataclass(frozen=True, slots=True)
class Checked:
    """What checking a chart gave: the flowchart (None if there are errors) and every finding, in order."""

    flowchart: Flowchart | None
    findings: list[Finding]
    filename: str
    source: str


def builtin_names() -> list[str]:
    """The names of the games that come with fcdl."""
    return [name.removesuffix(".fcdl") for name in data_names("games", ".fcdl")]


def load(game: str | Path, *, form: str | None = None) -> Checked:
    """Reads and checks a chart; never raises for a bad chart, only OSError-like trouble becomes a finding too."""
    document, findings, filename, source = read_document(game, form=form)
    flowchart = check_document(document, findings) if document is not None else None
    return Checked(flowchart, findings.sorted(), filename, source)


def load_flowchart(game: str | Path, *, form: str | None = None) -> Flowchart:
    """The checked flowchart; raises ChartError with all findings if it has errors."""
    checked = load(game, form=form)
    if checked.flowchart is None:
        raise ChartError(checked.findings, checked.filename, checked.source)
    return checked.flowchart


def load_text(source: str, *, filename: str = "<text>", form: str | None = None) -> Checked:
    """Checks a chart that is already in memory."""
    findings = Findings()
    document = _parse(source, form, findings)
    flowchart = check_document(document, findings) if document is not None else None
    return Checked(flowchart, findings.sorted(), filename, source)


def check_document(document: tree.Document, findings: Findings) -> Flowchart | None:
    """All checks on a parsed document; the flowchart if there are no errors."""
    from fcdl.language.check import check_flow, check_rest, check_structure
    from fcdl.language.resolve import resolve

    check_structure(document, findings)
    flowchart = resolve(document, findings)
    if flowchart is not None:
        check_flow(flowchart, findings)
    else:
        check_rest(document, findings)
    return None if findings.has_errors else flowchart


def read_document(game: str | Path, *, form: str | None = None) -> tuple[tree.Document | None, Findings, str, str]:
    """The syntax tree of a chart, the findings so far, the file's name and its text; None if it cannot be read."""
    findings = Findings()
    filename, source = _read(game, findings)
    if source is None:
        return None, findings, filename, ""
    return _parse(source, form, findings), findings, filename, source


def _parse(source: str, form: str | None, findings: Findings) -> tree.Document | None:
    from fcdl.language.forms import FORMS, read_form, recognise
    from fcdl.language.text import format_document

    if form is not None and form not in FORMS:
        findings.error("unknown-form", f"unknown form '{form}'", hint=f"forms: {', '.join(FORMS)}")
        return None
    form = form or recognise(source)
    check_characters(source, findings)
    document = read_form(source, form, findings)
    if document is not None and form == "json" and not findings.has_errors:
        check_characters(format_document(document), findings)  # JSON can spell any character
    return document


def _read(game: str | Path, findings: Findings) -> tuple[str, str | None]:
    """The file's name and its text; None when it cannot be read."""
    name = str(game)
    if isinstance(game, str) and not name.strip():
        findings.error("unreadable", "there is no file name", hint="give a file or the name of a built-in game")
        return "''", None
    if name in builtin_names() and not Path(name).is_file():
        return f"{name}.fcdl", data_text("games", f"{name}.fcdl")
    path = Path(name)
    try:
        if path.is_dir():
            findings.error("unreadable", f"'{name}' is a directory, not a chart")
            return name, None
        if not path.exists():
            findings.error("unreadable", f"there is no game or file '{name}'", hint=_near_file(path))
            return name, None
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        findings.error("unreadable", f"cannot read '{name}': {reason}")
        return name, None
    return name, _decode(data, findings)


def _near_file(path: Path) -> str:
    """What may have been meant instead of a file that is not there: a file beside it or a built-in game."""
    import itertools

    folder = path.parent
    if not folder.is_dir():
        return f"there is no folder '{folder}'"
    with_ending = path.with_name(f"{path.name}.fcdl")
    if with_ending.is_file():
        return f"did you mean '{with_ending}'?"
    files = [] if not os.access(folder, os.R_OK) else [file.name for file in itertools.islice(folder.iterdir(), 1000)]
    charts = [name for name in files if name.endswith((path.suffix or ".fcdl", ".fcdl"))]
    near = did_you_mean(path.name, charts) or (did_you_mean(f"{path.name}.fcdl", charts) if not path.suffix else None)
    if near is not None:
        return near
    return did_you_mean(str(path), builtin_names()) or f"built-in games: {', '.join(builtin_names())}"


def _decode(data: bytes, findings: Findings) -> str | None:
    if len(data) > MAX_BYTES:
        findings.error("too-large", f"the file has more than {MAX_BYTES} bytes")
        return None
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        if _is_other_text(data[:100_000]):
            line = data.count(b"\n", 0, error.start) + 1
            column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
            place = Span(line, column, line, column + 1)
            findings.error("not-text", "this text is not UTF-8", place, hint="save it as UTF-8 in your editor")
        else:
            findings.error("not-text", "this is not a text file")
        return None


def _is_other_text(data: bytes) -> bool:
    """Whether bytes that are not UTF-8 look like text all the same: UTF-16, or nearly all of them plain signs."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    plain = sum(byte in b"\t\n\r" or 32 <= byte < 127 for byte in data)
    return 0 not in data and plain >= 0.8 * len(data)
