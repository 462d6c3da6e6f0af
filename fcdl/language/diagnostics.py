"""What the language layer has to say about a chart: findings with a place, a stable code and a hint."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

MAX_HINTS = 100
"""Charts with more findings than this get no "did you mean" for the others."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of source text: lines and columns from 1, the end column exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Severity(StrEnum):
    """How serious a finding is; only errors keep a chart from being played."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to tell the author of a chart."""

    severity: Severity
    code: str
    message: str
    span: Span | None = None
    node: int | None = None
    hint: str | None = None

    @property
    def sort_key(self) -> tuple[int, int, str]:
        """Orders findings by place; those without one come first."""
        return (self.span.line, self.span.column, self.code) if self.span else (0, 0, self.code)


@dataclass(slots=True)
class Findings:
    """Collects findings, so that a whole file is reported at once.

    `lost_names` are the names that header lines with errors would have declared; nobody complains about them.
    Without `hints` nobody looks for names that are near.
    """

    items: list[Finding] = field(default_factory=list)
    lost_names: set[str] = field(default_factory=set)
    hints: bool = True

    def error(
        self, code: str, message: str, span: Span | None = None, *, node: int | None = None, hint: str | None = None
    ) -> None:
        """Adds an error."""
        self.items.append(Finding(Severity.ERROR, code, message, span, node, hint))

    def warning(
        self, code: str, message: str, span: Span | None = None, *, node: int | None = None, hint: str | None = None
    ) -> None:
        """Adds a warning."""
        self.items.append(Finding(Severity.WARNING, code, message, span, node, hint))

    def note(
        self, code: str, message: str, span: Span | None = None, *, node: int | None = None, hint: str | None = None
    ) -> None:
        """Adds a note."""
        self.items.append(Finding(Severity.NOTE, code, message, span, node, hint))

    def near(self, word: str, candidates: Iterable[str]) -> str | None:
        """The hint that names the nearest candidate, if one is near; looked for only for the first findings."""
        return did_you_mean(word, candidates) if self.hints and len(self.items) < MAX_HINTS else None

    def join_unknown(self) -> None:
        """Keeps, of all that is said about one unknown name, only the first, and adds the other lines to its hint."""
        groups: dict[str, list[Finding]] = {}
        for item in self.sorted():
            name = _UNKNOWN.fullmatch(item.message)
            if name is not None and item.span is not None:
                groups.setdefault(name.group(name.lastindex or 0), []).append(item)
        joined: dict[int, Finding | None] = {}
        for group in groups.values():
            first = group[0]
            telling = (item for item in group if item.code == "unknown-zone" or (item.hint or "").startswith("declare"))
            said = next(telling, first)
            lines = sorted({item.span.line for item in group if item.span} - {first.span.line if first.span else 0})
            also = f"also in line{'s' if len(lines) > 1 else ''} {_listed(lines)}" if lines else None
            hint = "; ".join(part for part in (said.hint, also) if part) or None
            joined.update((id(item), None) for item in group)
            joined[id(first)] = replace(said, span=first.span, node=first.node, hint=hint)
        kept = (joined.get(id(item), item) for item in self.items)
        self.items = [item for item in kept if item is not None]

    @property
    def has_errors(self) -> bool:
        """Whether anything keeps the chart from being played."""
        return any(item.severity is Severity.ERROR for item in self.items)

    def sorted(self) -> list[Finding]:
        """All findings in the order of the text."""
        return sorted(self.items, key=lambda item: item.sort_key)


_UNKNOWN = re.compile(
    r"unknown (?:name|zone|function|statement) '(.*)'|'(.*)' is not a variable of each player"
    r"|(no label '.*' in chart '.*')|(there is no chart '.*')"
)


def _listed(lines: list[int], most: int = 5) -> str:
    """Some of the numbers of lines, and how many more there are."""
    shown = ", ".join(map(str, lines[:most]))
    return f"{shown} and {len(lines) - most} more" if len(lines) > most else shown


class ChartError(Exception):
    """A chart that cannot be used; carries all findings and the source they point into."""

    def __init__(self, findings: Iterable[Finding], filename: str, source: str = "") -> None:
        self.findings = list(findings)
        self.filename = filename
        self.source = source
        errors = [item for item in self.findings if item.severity is Severity.ERROR]
        super().__init__(render_finding(errors[0], filename, source) if errors else f"{filename}: unusable chart")


_STEERING = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters, and those that turn the direction of writing; tabs and ends of lines and pages are fine."""


def check_characters(text: str, findings: Findings) -> None:
    """Adds an error where a chart has the first character that steers a terminal instead of being seen."""
    if (found := _STEERING.search(text)) is not None:
        line = text.count("\n", 0, found.start()) + 1
        column = found.start() - text.rfind("\n", 0, found.start())
        findings.error(
            "control-character",
            f"the invisible character U+{ord(found[0]):04X} cannot be part of a chart",
            Span(line, column, line, column + 1),
            hint="delete it",
        )


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """The hint that names the nearest candidate, if one is near."""
    near = nearest(word, candidates)
    return f"did you mean '{near}'?" if near is not None else None


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that was probably meant, if one is near."""
    if len(word) > 50:
        return None
    alike = [name for name in candidates if abs(len(name) - len(word)) <= 3 and name != word]
    if len(alike) > 300:
        alike = [name for name in alike if name[:1].lower() == word[:1].lower()][:300]
    import difflib  # only when something is wrong

    return next(iter(difflib.get_close_matches(word, alike, n=1, cutoff=0.6)), None)


def printable(text: str) -> str:
    """A line of text from outside without what could steer a terminal."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def render_finding(finding: Finding, filename: str, source: str) -> str:
    """One finding as text: place, severity, code, message, hint, and the line with a caret under the fault."""
    place = f"{filename}:{finding.span.line}:{finding.span.column}" if finding.span else filename
    hint = f" ({finding.hint})" if finding.hint else ""
    lines = [printable(f"{place}: {finding.severity}[{finding.code}]: {finding.message}{hint}")]
    source_lines = source.split("\n")
    if source and finding.span and 0 < finding.span.line <= len(source_lines):
        lines.extend(_excerpt(source_lines[finding.span.line - 1], finding.span))
    return "\n".join(lines)


def _excerpt(line: str, span: Span, width: int = 100) -> list[str]:
    """The faulty line, cut to a readable width around the fault, and the carets under it."""
    line = printable(line.expandtabs(1))
    first = span.column - 1
    last = span.end_column - 1 if span.end_line == span.line else len(line)
    last = max(last, first + 1)
    cut = 0 if last <= width else max(0, min(first - 20, len(line) - width))
    shown = line[cut : cut + width]
    carets = max(1, min(last, cut + width) - first)
    return [f"    {shown}", "    " + " " * (first - cut) + "^" * carets]
