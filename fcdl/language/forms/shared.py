"""The facts that both fact forms have besides those of the thesis: what the language adds to it.

header("players 4").          a header line, in the order of the text
chart("main").                the charts in their order; without any there is one chart, `main`
inChart(11,"trick").          the chart of a node; without it, the first
label(11,"again").            the name of a node
private(11).                  a diamond whose outcome nobody sees
public(11).                   a node that is meant to tell what it tells of hidden things
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from fcdl.language import tree
from fcdl.language.diagnostics import Findings, Span, did_you_mean
from fcdl.language.forms.sketch import MAIN, Sketch
from fcdl.language.forms.source import Quoted, Source
from fcdl.language.forms.terms import Function, Integer, String, Term, function, quoted, read_facts
from fcdl.language.text import format_header


class BadArgumentError(Exception):
    """An argument of a fact that is not what it should be."""

    def __init__(self, message: str, term: Term, hint: str | None = None, code: str = "bad-argument") -> None:
        super().__init__(message)
        self.term, self.hint, self.code = term, hint, code


class FactReader:
    """Reads a fact file; a form says what its facts mean by `handlers`, by name and number of arguments."""

    def __init__(self, text: str, findings: Findings) -> None:
        self.source = Source(text)
        self.findings = findings
        self.sketch = Sketch(findings)

    @cached_property
    def handlers(self) -> dict[str, Callable[[Function], None]]:
        """What to do with each kind of fact; a form adds its own."""
        return {
            "header/1": lambda fact: self.sketch.header(self.string(fact, 0)),
            "chart/1": lambda fact: self.sketch.chart(self.string(fact, 0).value, self.span(fact)),
            "inChart/2": lambda fact: self.sketch.in_chart(
                self.integer(fact, 0), self.string(fact, 1).value, self.span(fact)
            ),
            "label/2": lambda fact: self.sketch.label(
                self.integer(fact, 0), self.string(fact, 1).value, self.span(fact)
            ),
            "private/1": lambda fact: self.sketch.private(self.integer(fact, 0), self.span(fact)),
            "public/1": lambda fact: self.sketch.public(self.integer(fact, 0), self.span(fact)),
        }

    def read(self) -> tree.Document:
        """The document, every mistake reported."""
        for fact in read_facts(self.source, self.findings):
            handler = self.handlers.get(fact.signature)
            if handler is not None:
                self.handle(handler, fact)
            else:
                self._report_unknown(fact)
        self.finish()
        return self.sketch.document()

    def finish(self) -> None:
        """What a form has to do when all facts have been read."""

    def handle(self, handler: Callable[[Function], None], fact: Function) -> None:
        """Handles a fact and reports the argument it stumbles over."""
        try:
            handler(fact)
        except BadArgumentError as error:
            self.findings.error(error.code, str(error), self.span(error.term), hint=error.hint)

    def _report_unknown(self, fact: Function) -> None:
        arities = [signature for signature in self.handlers if signature.startswith(f"{fact.name}/")]
        if arities:
            number = arities[0].rpartition("/")[2]
            message = f"'{fact.name}' has {number} argument{'s' if number != '1' else ''}, not {len(fact.args or ())}"
            self.findings.error("bad-argument", message, self.span(fact))
            return
        names = [signature.partition("/")[0] for signature in self.handlers]
        hint = did_you_mean(fact.name, names) or f"there are: {', '.join(sorted(names))}"
        self.findings.error("unknown-fact", f"unknown fact '{fact.name}'", self.span(fact), hint=hint)

    def span(self, term: Term) -> Span:
        """Where a term stands."""
        return self.source.span(term.start, term.end)

    def integer(self, fact: Function, index: int) -> int:
        """An argument that is a number."""
        term = (fact.args or ())[index]
        if isinstance(term, Integer):
            return term.value
        raise BadArgumentError(f"argument {index + 1} of '{fact.name}' is a number", term)

    def string(self, fact: Function, index: int) -> Quoted:
        """An argument that is a text."""
        term = (fact.args or ())[index]
        if isinstance(term, String):
            return quoted(term, self.source)
        raise BadArgumentError(f"argument {index + 1} of '{fact.name}' is a text", term, 'put text in quotes: "..."')

    def text(self, term: String, value: str) -> tree.Text:
        """A text of the language, which is one line."""
        if "\n" in value or "\r" in value:
            raise BadArgumentError("a text is one line", term)
        return tree.Text(value, span=self.span(term))


def header_facts(document: tree.Document) -> Iterator[Function]:
    """Header lines and charts; nothing for a chart of the thesis."""
    for header in document.header:
        yield function("header", format_header(header))
    charts = document.charts
    if len(charts) != 1 or charts[0].name != MAIN or not charts[0].nodes:
        for chart in charts:
            yield function("chart", chart.name)


def node_facts(document: tree.Document, chart: tree.Chart, node: tree.Node) -> Iterator[Function]:
    """What the language adds to a node."""
    if chart is not document.charts[0]:
        yield function("inChart", node.number, chart.name)
    if node.label is not None:
        yield function("label", node.number, node.label)
    if isinstance(node.body, tree.Choice) and node.body.private:
        yield function("private", node.number)
    if tree.is_meant(node.body):
        yield function("public", node.number)
