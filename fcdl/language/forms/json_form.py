"""The JSON form, for editors; `docs/json-form.md` describes it field by field."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from fcdl.language import tree
from fcdl.language.diagnostics import Findings, Span, did_you_mean
from fcdl.language.forms.located_json import Value, read_located
from fcdl.language.forms.sketch import (
    EXTRA,
    NEXT,
    NO,
    YES,
    Sketch,
    read_condition,
    read_statement,
    read_subchart,
    subchart_caption,
)  # fmt: skip
from fcdl.language.forms.source import Quoted, Source
from fcdl.language.parser import MAX_INT
from fcdl.language.text import format_body, format_header

FORMAT, VERSION = "fcdl", 1

DOCUMENT_FIELDS = ("format", "version", "header", "charts", "nodes")
NODE_FIELDS = ("number", "kind", "caption", "chart", "label", "private", "public", "position", "arrows")
ARROW_FIELDS = (NEXT, YES, NO, EXTRA)
KINDS: dict[str, Callable[[Quoted, Findings], tree.Body | None] | None] = {
    "start": None, "end": None, "statement": read_statement, "choice": read_condition, "subchart": read_subchart,
}  # fmt: skip
"""The kinds of nodes, each with what reads its caption; terminals have none."""


# --- writing ------------------------------------------------------------------------------------------------------


def write_json(document: tree.Document) -> str:
    """A document as JSON, one node to a line."""
    nodes = [_node(chart, node) for chart in document.charts for node in chart.nodes]
    fields: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "header": [format_header(header) for header in document.header],
        "charts": [chart.name for chart in document.charts],
        "nodes": nodes,
    }
    return "{\n" + ",\n".join(f"  {_dump(name)}: {_lines(value)}" for name, value in fields.items()) + "\n}\n"


def _lines(value: Any) -> str:
    if not isinstance(value, list) or not value:
        return _dump(value)
    return "[\n" + ",\n".join(f"    {_dump(item)}" for item in value) + "\n  ]"


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _node(chart: tree.Chart, node: tree.Node) -> dict[str, Any]:
    kind, caption = _kind(node.body)
    arrows = {NEXT: node.next, YES: node.yes, NO: node.no, EXTRA: list(node.extra) or None}
    fields: dict[str, Any] = {
        "number": node.number,
        "kind": kind,
        "caption": caption,
        "chart": chart.name,
        "label": node.label,
        "private": True if isinstance(node.body, tree.Choice) and node.body.private else None,
        "public": True if tree.is_meant(node.body) else None,
        "position": list(node.position) if node.position is not None else None,
        "arrows": {name: target for name, target in arrows.items() if target is not None} or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _kind(body: tree.Body) -> tuple[str, str | None]:
    match body:
        case tree.Start():
            return "start", None
        case tree.End():
            return "end", None
        case _ if tree.called_chart(body) is not None:
            return "subchart", subchart_caption(body)
        case tree.Choice():
            return "choice", format_body(body)
        case _:
            return "statement", format_body(body)


# --- reading ------------------------------------------------------------------------------------------------------


class _BadFieldError(Exception):
    """A field whose value is not what it should be."""

    def __init__(self, code: str, message: str, value: Value, hint: str | None = None) -> None:
        super().__init__(message)
        self.code, self.value, self.hint = code, value, hint


def read_json(text: str, findings: Findings) -> tree.Document:
    """A document in JSON; every mistake is reported."""
    source = Source(text)
    root = read_located(source, findings)
    return _Reader(source, findings).read(root) if root is not None else tree.Document((), ())


class _Reader:
    """Reads JSON values into a sketch."""

    def __init__(self, source: Source, findings: Findings) -> None:
        self.source = source
        self.findings = findings
        self.sketch = Sketch(findings)

    def read(self, root: Value) -> tree.Document:
        """The document."""
        self._try(self._document, root)
        return self.sketch.document()

    def _try(self, action: Callable[[Value], None], value: Value) -> None:
        """Does something with a value and reports the field it stumbles over."""
        try:
            action(value)
        except _BadFieldError as error:
            self.findings.error(error.code, str(error), self._span(error.value), hint=error.hint)

    def _span(self, value: Value) -> Span:
        return self.source.span(value.start, value.end)

    def _document(self, root: Value) -> None:
        fields = self._object(root, "the file", DOCUMENT_FIELDS, ("format", "version", "nodes"))
        self._check_format(fields)
        for name, action in (("header", self._header), ("charts", self._chart), ("nodes", self._node)):
            for item in self._list(fields, name):
                self._try(action, item)

    def _object(
        self, value: Value, what: str, names: tuple[str, ...], needed: tuple[str, ...] = ()
    ) -> dict[str, Value]:
        """The fields of an object; unknown ones are reported, missing ones raise."""
        fields: dict[str, Value] = _typed(value, dict, what).data
        for name in fields:
            if name not in names:
                hint = did_you_mean(name, names) or f"there are: {', '.join(names)}"
                self.findings.error("unknown-field", f"unknown field '{name[:40]}' in {what}", self._span(fields[name]),
                                    hint=hint)  # fmt: skip
        for name in needed:
            if name not in fields:
                raise _BadFieldError("missing-field", f"{what} has no field '{name}'", value)
        return fields

    def _list(self, fields: dict[str, Value], name: str) -> list[Value]:
        return _typed(fields[name], list, f"'{name}'").data if name in fields else []

    def _check_format(self, fields: dict[str, Value]) -> None:
        if _typed(fields["format"], str, "'format'").data != FORMAT:
            raise _BadFieldError("unknown-format", f"this is not the format '{FORMAT}'", fields["format"])
        version = _typed(fields["version"], int, "'version'").data
        if version != VERSION:
            raise _BadFieldError("unknown-format", f"version {version} is not known", fields["version"],
                            f"this program reads version {VERSION}")  # fmt: skip

    def _header(self, item: Value) -> None:
        self.sketch.header(_typed(item, str, "a header line").quoted)

    def _chart(self, item: Value) -> None:
        self.sketch.chart(_typed(item, str, "the name of a chart").data, self._span(item))

    def _node(self, item: Value) -> None:
        fields = self._object(item, "a node", NODE_FIELDS, ("number", "kind"))
        number: int = _typed(fields["number"], int, "'number'").data
        body: tree.Body | None = None
        position: tuple[int, int] | None = None
        try:
            position = _position(fields)
            body = self._body(fields, item)
        finally:
            self.sketch.node(number, body, self._span(item), position)
        self._details(number, fields)
        self._arrows(number, fields)

    def _body(self, fields: dict[str, Value], item: Value) -> tree.Body | None:
        kind = _typed(fields["kind"], str, "'kind'").data
        if kind not in KINDS:
            hint = did_you_mean(kind, KINDS) or f"there are: {', '.join(KINDS)}"
            raise _BadFieldError("unknown-kind", f"unknown kind of node '{kind[:40]}'", fields["kind"], hint)
        read = KINDS[kind]
        if read is None:
            if "caption" in fields:
                raise _BadFieldError("unknown-field", f"a node of kind '{kind}' has no caption", fields["caption"])
            return tree.Start() if kind == "start" else tree.End()
        if "caption" not in fields:
            raise _BadFieldError("missing-field", f"a node of kind '{kind}' has a caption", item)
        return read(_typed(fields["caption"], str, "'caption'").quoted, self.findings)

    def _details(self, number: int, fields: dict[str, Value]) -> None:
        if "chart" in fields:
            self.sketch.in_chart(number, _typed(fields["chart"], str, "'chart'").data, self._span(fields["chart"]))
        if "label" in fields:
            self.sketch.label(number, _typed(fields["label"], str, "'label'").data, self._span(fields["label"]))
        if "private" in fields and _typed(fields["private"], bool, "'private'").data:
            self.sketch.private(number, self._span(fields["private"]))
        if "public" in fields and _typed(fields["public"], bool, "'public'").data:
            self.sketch.public(number, self._span(fields["public"]))

    def _arrows(self, number: int, fields: dict[str, Value]) -> None:
        if "arrows" not in fields:
            return
        arrows = self._object(fields["arrows"], "'arrows'", ARROW_FIELDS)
        for kind in (NEXT, YES, NO):
            if kind in arrows:
                target = _typed(arrows[kind], int, f"'{kind}'")
                self.sketch.arrow(number, kind, target.data, self._span(target))
        for item in self._list(arrows, EXTRA):
            self.sketch.arrow(number, EXTRA, _typed(item, int, "an arrow").data, self._span(item))


_TYPE_NAMES = {str: "a text", int: "a whole number", bool: "true or false", list: "a list", dict: "an object"}


def _typed(value: Value, kind: type, what: str) -> Value:
    """The value, which must be of a type (true and false are no numbers)."""
    if type(value.data) is not kind:
        raise _BadFieldError("bad-value", f"{what} is {_TYPE_NAMES[kind]}", value)
    return value


def _position(fields: dict[str, Value]) -> tuple[int, int] | None:
    """The place of a node: two numbers, rounded."""
    if "position" not in fields:
        return None
    numbers = _typed(fields["position"], list, "'position'").data
    if len(numbers) != 2 or any(type(number.data) not in (int, float) for number in numbers):
        raise _BadFieldError("bad-value", "'position' is a list of two numbers, [x, y]", fields["position"])
    x, y = (round(min(max(number.data, -MAX_INT), MAX_INT)) for number in numbers)
    return x, y
