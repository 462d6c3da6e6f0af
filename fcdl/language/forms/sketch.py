"""From what a file says about a chart, in any order, to a `Document`: shared by all forms but the text.

A drawing or a list of states names a node here, its label there and its arrows elsewhere. A `Sketch` collects all
that and joins it at the end, reporting what does not fit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from fcdl.language import tree
from fcdl.language.diagnostics import Findings, Span, did_you_mean
from fcdl.language.forms.source import Quoted, parse_quoted, relocated
from fcdl.language.parser import MAX_INT, MAX_NODES, LogicalLine, parse_caption, parse_line
from fcdl.language.text import LINE_WORDS, format_body

MAIN = "main"
"""The name of the chart in files that name none."""

NEXT, YES, NO, EXTRA = "next", "yes", "no", "extra"

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")

EXPRESSION_WORDS = frozenset({"those", "not"})
"""The words that begin expressions of their own kind."""


def is_name(word: str, *, begins_line: bool = False) -> bool:
    """Whether a word can be the name of something in an expression or at the beginning of a line."""
    if not _NAME.fullmatch(word) or word in EXPRESSION_WORDS:
        return False
    return not (begins_line and word in LINE_WORDS)


def arrow_kinds(body: tree.Body) -> tuple[str, ...]:
    """The arrows that a node must have."""
    if isinstance(body, tree.Choice):
        return (YES, NO)
    return () if isinstance(body, tree.End) else (NEXT,)


@dataclass(frozen=True, slots=True)
class _Arrow:
    kind: str
    target: int
    span: Span


@dataclass(slots=True)
class _Element:
    """A node as far as it is known; the body is None when its caption could not be read."""

    number: int
    body: tree.Body | None
    span: Span
    position: tuple[int, int] | None
    chart: str | None = None
    label: str | None = None
    arrows: list[_Arrow] = field(default_factory=list)


class Sketch:
    """Collects header lines, charts, nodes, labels and arrows; `document` joins them."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self._header: list[tree.Header] = []
        self._charts: dict[str, Span] = {}
        self._elements: dict[int, _Element] = {}
        self._later: list[Callable[[], None]] = []

    # -- what a file says

    def header(self, line: Quoted) -> None:
        """A header line."""
        parsed = parse_quoted(line, _parse_header, self.findings)
        if parsed is not None:
            self._header.append(parsed)

    def chart(self, name: str, span: Span) -> None:
        """A chart, named in the order of the charts."""
        if not _NAME.fullmatch(name):
            self.findings.error("bad-name", f"a chart cannot be called '{name}'", span)
        elif name in self._charts:
            self.findings.error("doubled-chart", f"duplicate chart '{name}'", span)
        else:
            self._charts[name] = span

    def node(self, number: int, body: tree.Body | None, span: Span, position: tuple[int, int] | None = None) -> None:
        """A node; without a body (which was reported) it only serves as the end of arrows."""
        if not 0 <= number <= MAX_INT:
            self.findings.error("bad-number", f"a node cannot have the number {number}", span)
        elif number in self._elements:
            self.findings.error("doubled-node", f"two nodes have the number {number}", span, node=number,
                                hint=f"the other one is in line {self._elements[number].span.line}")  # fmt: skip
        elif len(self._elements) == MAX_NODES:
            self.findings.error("too-many-nodes", f"more than {MAX_NODES} nodes", span)
            self._elements[number] = _Element(number, None, span, None)
        elif len(self._elements) < MAX_NODES:
            self._elements[number] = _Element(number, body, span, position)

    def in_chart(self, number: int, chart: str, span: Span) -> None:
        """Says to which chart a node belongs."""
        self._later.append(lambda: self._set_chart(number, chart, span))

    def label(self, number: int, label: str, span: Span) -> None:
        """Gives a node a name."""
        self._later.append(lambda: self._set_label(number, label, span))

    def private(self, number: int, span: Span) -> None:
        """Makes a diamond private."""
        self._later.append(lambda: self._set_private(number, span))

    def public(self, number: int, span: Span) -> None:
        """Says that a node is meant to tell what it tells."""
        self._later.append(lambda: self._set_public(number, span))

    def arrow(self, number: int, kind: str, target: int, span: Span) -> None:
        """An arrow from a node; the second of a kind is kept as one too many."""
        self._later.append(lambda: self._add_arrow(number, _Arrow(kind, target, span)))

    # -- what is known so far

    @property
    def numbers(self) -> Iterable[int]:
        """The numbers of all nodes."""
        return self._elements.keys()

    def body(self, number: int) -> tree.Body | None:
        """What a node says, if it is known."""
        element = self._elements.get(number)
        return element.body if element is not None else None

    # -- joining

    def document(self) -> tree.Document:
        """Everything together."""
        for action in self._later:
            action()
        if not self._charts and self._elements:
            self._charts[MAIN] = next(iter(self._elements.values())).span
        first = next(iter(self._charts), MAIN)
        nodes: dict[str, list[tree.Node]] = {name: [] for name in self._charts}
        for element in self._elements.values():
            element.chart = element.chart or first
        for element in self._elements.values():
            if element.body is not None and element.chart in nodes:
                nodes[element.chart].append(self._joined(element, element.body))
        self._check_labels(nodes)
        charts = (tree.Chart(name, tuple(nodes[name]), span=span) for name, span in self._charts.items())
        return tree.Document(tuple(self._header), tuple(charts))

    def _find(self, number: int, span: Span) -> _Element | None:
        if number not in self._elements and len(self._elements) <= MAX_NODES:
            self.findings.error("unknown-node", f"there is no node {number}", span)
        return self._elements.get(number)

    def _set_chart(self, number: int, chart: str, span: Span) -> None:
        element = self._find(number, span)
        if chart not in self._charts:
            self.findings.error("unknown-chart", f"there is no chart '{chart}'", span, node=number,
                                hint=did_you_mean(chart, self._charts))  # fmt: skip
        elif element is not None and element.chart not in (None, chart):
            self.findings.error("doubled-chart", f"node {number} is in two charts", span, node=number)
        elif element is not None:
            element.chart = chart

    def _set_label(self, number: int, label: str, span: Span) -> None:
        element = self._find(number, span)
        if not is_name(label, begins_line=True):
            self.findings.error("bad-name", f"a label cannot be called '{label}'", span, node=number,
                                hint="use letters, digits and '_', but no word that starts a line")  # fmt: skip
        elif element is not None and element.label is not None:
            self.findings.error("doubled-label", f"the node has a second label '{label}'", span, node=number)
        elif element is not None:
            element.label = label

    def _set_private(self, number: int, span: Span) -> None:
        element = self._find(number, span)
        if element is None or element.body is None:
            return
        if isinstance(element.body, tree.Choice):
            element.body = replace(element.body, private=True)
        else:
            self.findings.error("not-a-diamond", f"node {number} is not a diamond and cannot be private", span,
                                node=number)  # fmt: skip

    def _set_public(self, number: int, span: Span) -> None:
        element = self._find(number, span)
        if element is None or element.body is None:
            return
        body = element.body
        if isinstance(body, tree.Choice) and body.private:
            self.findings.error("private-public", f"node {number} cannot be private and public", span, node=number)
        elif isinstance(body, tree.Choice | tree.Assign | tree.ForSeats):
            element.body = replace(body, public=True)
        else:
            self.findings.error("not-a-diamond", f"node {number} tells nothing that could be meant to be public", span,
                                node=number)  # fmt: skip

    def _add_arrow(self, number: int, arrow: _Arrow) -> None:
        element = self._find(number, arrow.span)
        target = self._find(arrow.target, arrow.span)
        if element is None or target is None or element.body is None:
            return
        kinds = arrow_kinds(element.body)
        if not kinds:
            self.findings.error("wrong-arrow", f"node {number} is an end", arrow.span, node=number,
                                hint="nothing follows the end")  # fmt: skip
        elif arrow.kind not in (*kinds, EXTRA):
            hint = "a diamond has 'yes' and 'no'" if YES in kinds else "only a diamond has 'yes' and 'no'"
            self.findings.error("wrong-arrow", f"node {number} has no '{arrow.kind}' arrow", arrow.span, node=number,
                                hint=hint)  # fmt: skip
        else:
            element.arrows.append(arrow)

    def _joined(self, element: _Element, body: tree.Body) -> tree.Node:
        """The node with its arrows."""
        targets: dict[str, int] = {}
        extra: list[int] = []
        for arrow in element.arrows:
            target = self._elements[arrow.target]
            if target.body is None:
                continue
            if target.chart != element.chart:
                self.findings.error("other-chart", f"node {arrow.target} is in another chart", arrow.span,
                                    node=element.number, hint="use a sub-chart to get there")  # fmt: skip
            elif arrow.kind == EXTRA or arrow.kind in targets:
                extra.append(arrow.target)
            else:
                targets[arrow.kind] = arrow.target
        return tree.Node(
            element.number, body, targets.get(NEXT), targets.get(YES), targets.get(NO), element.label,
            element.position, tuple(extra), span=element.span,
        )  # fmt: skip

    def _check_labels(self, charts: dict[str, list[tree.Node]]) -> None:
        for name, nodes in charts.items():
            seen: set[str] = set()
            for node in nodes:
                if node.label is not None and node.label in seen:
                    self.findings.error("doubled-label", f"duplicate label '{node.label}' in chart '{name}'",
                                        node.span, node=node.number)  # fmt: skip
                seen.add(node.label or "")


def read_statement(caption: Quoted, findings: Findings) -> tree.Body | None:
    """The caption of a rectangle."""
    body = parse_quoted(caption, parse_caption, findings)
    if body is None or isinstance(body, tree.Assign | tree.Action | tree.Do | tree.ForSeats):
        return body
    what = "a diamond's caption" if isinstance(body, tree.Choice) else "a terminal's caption"
    findings.error("syntax", f"this is {what}, not a statement", caption.span)
    return None


def read_condition(caption: Quoted, findings: Findings) -> tree.Choice | None:
    """The caption of a diamond, which has no '?' at its end."""
    body = parse_quoted(caption, lambda text, inner: parse_caption(text, inner, choice=True), findings)
    return body if isinstance(body, tree.Choice) else None


def subchart_caption(body: tree.Body) -> str:
    """What stands in a rectangle with double sides: the name of a chart, and perhaps for which seats it is done."""
    return format_body(body).removeprefix("do ")


def read_subchart(name: Quoted, findings: Findings) -> tree.Do | tree.ForSeats | None:
    """The caption of a rectangle with double sides."""
    if _NAME.fullmatch(name.value):
        return tree.Do(name.value, span=name.span)
    if _NAME.match(name.value) and " for " in name.value:
        body = parse_quoted(name, _parse_subchart, findings)
        return body if isinstance(body, tree.ForSeats) else None
    findings.error("bad-name", f"a chart cannot be called '{name.value}'", name.span)
    return None


def _parse_subchart(text: str, findings: Findings) -> tree.Body | None:
    """`trick for p in players`, read behind a `do` that stands before the first column."""
    inner = Findings()
    body = parse_caption(f"do {text}", inner)

    def moved(span: Span) -> Span:
        return Span(span.line, max(1, span.column - 3), span.end_line, max(2, span.end_column - 3))

    findings.items += [replace(item, span=moved(item.span)) if item.span else item for item in inner.items]
    return relocated(body, moved)


def _parse_header(text: str, findings: Findings) -> tree.Header | None:
    parsed = parse_line(LogicalLine(1, text), findings)
    if isinstance(parsed, tree.Header):
        return parsed
    if parsed is not None or not findings.items:
        findings.error("syntax", "this is not a header line", Span(1, 1, 1, len(text) + 1))
    return None
