"""JSON with places: every value knows where in the file it stands."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from fcdl.language.diagnostics import Findings
from fcdl.language.forms.source import Quoted, Source

MAX_NESTING = 100

_TOKEN = re.compile(r'[\s,:]*([\[\]{}]|"(?:[^"\\]|\\.)*+"|[^\s,:\[\]{}"]+)')
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(slots=True)
class Value:
    """A value of a JSON file: None, bool, int, float, str, a list of values, or a dict of them by name."""

    data: Any
    source: Source
    start: int
    end: int

    @property
    def quoted(self) -> Quoted:
        """A string with the places of its characters."""
        return Quoted(self.data, self.source, self.start, self.end)


class _RefusedError(Exception):
    """What Python's JSON reader lets through and a chart may not contain."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def read_located(source: Source, findings: Findings) -> Value | None:
    """The value of a JSON file; None if it is not JSON, which is reported."""
    try:
        json.loads(source.text)
    except json.JSONDecodeError as error:
        message = error.msg[:1].lower() + error.msg[1:]
        findings.error("bad-json", f"this is not JSON: {message}", source.span(error.pos, error.pos + 1))
    except RecursionError:
        findings.error("too-deep", f"nested more than {MAX_NESTING} deep", source.span(0, 1))
    except ValueError:
        findings.error("number-too-large", "a number in this file is too large", source.span(0, 1))
    else:
        return _locate(source, findings)
    return None


def _locate(source: Source, findings: Findings) -> Value | None:
    """Reads valid JSON once more, with places."""
    containers = _Containers()
    for match in _TOKEN.finditer(source.text):
        start, end = match.span(1)
        try:
            containers.add(match.group(1), source, start, end)
        except _RefusedError as error:
            findings.error(error.code, str(error), source.span(start, end))
            return None
    return containers.root


class _Containers:
    """The lists and objects that are open, innermost last, and the name that waits for its value in each."""

    def __init__(self) -> None:
        self.root: Value | None = None
        self._open: list[Value] = []
        self._keys: list[str | None] = []

    def add(self, token: str, source: Source, start: int, end: int) -> None:
        """Takes the next token."""
        if token in "]}":
            self._keys.pop()
            self._open.pop().end = end
            return
        value = Value(_data(token), source, start, end)
        if self._open and isinstance(self._open[-1].data, dict) and self._keys[-1] is None:
            self._keys[-1] = value.data
            return
        self._put(value)
        if token in "[{":
            if len(self._open) >= MAX_NESTING:
                raise _RefusedError("too-deep", f"nested more than {MAX_NESTING} deep")
            self._open.append(value)
            self._keys.append(None)

    def _put(self, value: Value) -> None:
        if not self._open:
            self.root = value
        elif isinstance(container := self._open[-1].data, list):
            container.append(value)
        else:
            name = self._keys[-1]
            if name in container:
                raise _RefusedError("doubled-field", f"duplicate field '{name}' in one object")
            container[name] = value
            self._keys[-1] = None


def _data(token: str) -> Any:
    if token in "[{":
        return [] if token == "[" else {}
    if token[0] == '"' and "\\" not in token:
        return token[1:-1]
    if token in ("NaN", "Infinity", "-Infinity"):
        raise _RefusedError("bad-json", f"'{token}' is not a JSON number")
    data = json.loads(token)
    if isinstance(data, str) and _SURROGATE.search(data):
        raise _RefusedError("bad-json", "half a character (an unpaired surrogate)")
    return data
