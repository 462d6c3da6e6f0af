"""Places in the text of a fact file or a JSON file, also inside its quoted strings."""

from __future__ import annotations

import dataclasses
import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from fcdl.language.diagnostics import Finding, Findings, Span

T = TypeVar("T")

_ESCAPE = re.compile(r"\\u[dD][89abAB]..\\u....|\\u....|\\.", re.DOTALL)


@dataclass(frozen=True)
class Source:
    """The text of a file, whose offsets can be turned into lines and columns."""

    text: str

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def span(self, start: int, end: int) -> Span:
        """The stretch from one offset to another, at least one column long."""
        line, column = self._place(start)
        end_line, end_column = self._place(max(start, end))
        if (end_line, end_column) == (line, column):
            end_column += 1
        return Span(line, column, end_line, end_column)

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1


@dataclass(frozen=True)
class Quoted:
    """A string of a file: what it says, and the offsets of its opening quote and of what follows its closing one."""

    value: str
    source: Source
    start: int
    end: int

    @property
    def span(self) -> Span:
        """The whole string with its quotes."""
        return self.source.span(self.start, self.end)

    def relocate(self, inner: Span) -> Span:
        """Where in the file a stretch of the string's value stands."""
        start = self._offset(inner.line, inner.column)
        return self.source.span(start, max(start + 1, self._offset(inner.end_line, inner.end_column)))

    def mover(self) -> Callable[[Span], Span]:
        """`relocate`, faster for strings that stand in the file just as they are."""
        if "\n" in self.value or self.end - self.start - 2 != len(self.value):
            return self.relocate
        place = self.source.span(self.start, self.end)
        line, shift = place.line, place.column
        return lambda inner: Span(line, inner.column + shift, line, inner.end_column + shift)

    def _offset(self, line: int, column: int) -> int:
        """The offset in the file of a line and column of the value."""
        start = self._value_lines[min(line, len(self._value_lines)) - 1]
        index = min(start + column - 1, len(self.value))
        shift = sum(length - characters for place, length, characters in self._escapes if place < index)
        return self.start + 1 + index + shift

    @cached_property
    def _value_lines(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.value))]

    @cached_property
    def _escapes(self) -> list[tuple[int, int, int]]:
        """Every escape sequence: index in the value, its length in the file, and 1 for the character it stands for."""
        found = []
        shift = 0
        for match in _ESCAPE.finditer(self.source.text, self.start + 1, self.end - 1):
            found.append((match.start() - self.start - 1 - shift, len(match.group()), 1))
            shift += len(match.group()) - 1
        return found


def parse_quoted(text: Quoted, parse: Callable[[str, Findings], T], findings: Findings) -> T:
    """Parses what a string says; the spans of the result and of the findings point into the file."""
    inner = Findings()
    result = parse(text.value, inner)
    for item in inner.items:
        findings.items.append(_moved_finding(item, text))
    return relocated(result, text.mover())


def _moved_finding(item: Finding, text: Quoted) -> Finding:
    return dataclasses.replace(item, span=text.relocate(item.span) if item.span else text.span)


def relocated(part: T, move: Callable[[Span], Span]) -> T:
    """The same piece of tree with every span moved; what has no place (line 0) stays without one."""
    if isinstance(part, tuple):
        return tuple(relocated(item, move) for item in part)  # type: ignore[return-value]
    names: dict[str, object] = getattr(part, "__dataclass_fields__", {})
    if not names:
        return part
    changed = {name: relocated(getattr(part, name), move) for name in names if name != "span"}
    if "span" in names:
        span: Span = getattr(part, "span")  # noqa: B009
        changed["span"] = move(span) if span.line else span
    return type(part)(**changed)
