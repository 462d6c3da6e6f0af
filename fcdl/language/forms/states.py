"""The `state/2` facts of the thesis (definitions 4.3 to 4.7 and appendix B).

    state(0, startTerminal(1)).     state(54, endTerminal).
    state(1, statement(3, "Shuffle")).
    state(33, statement(21, assign(i, operation(add, i, 1)))).
    state(70, statement(9, publish("#{trumps}~has~been~chosen~as~trumps."))).
    state(21, choice(23, 49, lessThan(i, numberOfPlayers))).       yes, no, condition

The language adds `state(20, subchart(21, "trick"))`, more words for expressions (see `expressions`), the facts in
`shared`, `none` for an arrow that is missing and `extraArrow(20, 21)` for one too many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from fcdl.language import tree
from fcdl.language.diagnostics import Findings
from fcdl.language.forms.expressions import ExpressionReader, write_call, write_expression
from fcdl.language.forms.shared import BadArgumentError, FactReader, header_facts, node_facts
from fcdl.language.forms.sketch import EXTRA, NEXT, NO, YES, read_statement, read_subchart, subchart_caption
from fcdl.language.forms.terms import Function, Integer, String, Term, function, quoted, write_facts
from fcdl.language.text import format_body

NO_ARROW = Function("none")


def read_states(text: str, findings: Findings) -> tree.Document:
    """A file of `state/2` facts."""
    return _Reader(text, findings).read()


class _Reader(FactReader):
    """Reads `state/2` facts."""

    @cached_property
    def handlers(self) -> dict[str, Callable[[Function], None]]:
        return super().handlers | {"state/2": self._state, "extraArrow/2": self._extra_arrow}

    @cached_property
    def _expressions(self) -> ExpressionReader:
        return ExpressionReader(self)

    def _extra_arrow(self, fact: Function) -> None:
        self.sketch.arrow(self.integer(fact, 0), EXTRA, self.integer(fact, 1), self.span(fact))

    def _state(self, fact: Function) -> None:
        number = self.integer(fact, 0)
        body: tree.Body | None = None
        try:
            body = self._body(number, (fact.args or ())[1])
        finally:
            self.sketch.node(number, body, self.span(fact))

    def _body(self, number: int, state: Term) -> tree.Body | None:
        """What a node says; its arrows are noted."""
        match state:
            case Function("startTerminal", (target,)):
                self._arrow(number, NEXT, target)
                return tree.Start()
            case Function("endTerminal", None):
                return tree.End()
            case Function("statement", (target, statement)):
                self._arrow(number, NEXT, target)
                return self._statement(statement)
            case Function("choice", (yes, no, condition)):
                self._arrow(number, YES, yes)
                self._arrow(number, NO, no)
                return tree.Choice(self._expressions.expression(condition))
            case Function("subchart", (target, String() as chart)):
                self._arrow(number, NEXT, target)
                return read_subchart(quoted(chart, self.source), self.findings)
        hint = 'startTerminal(N), endTerminal, statement(N, S), choice(Yes, No, C), subchart(N, "chart")'
        raise BadArgumentError("unknown kind of state", state, hint)

    def _arrow(self, number: int, kind: str, target: Term) -> None:
        match target:
            case Integer(to):
                self.sketch.arrow(number, kind, to, self.span(target))
            case Function("none", None):
                return
            case _:
                raise BadArgumentError("an arrow leads to the number of a node", target, "'none' if there is no arrow")

    def _statement(self, term: Term) -> tree.Body | None:
        match term:
            case String():
                return read_statement(quoted(term, self.source), self.findings)
            case Function("assign", (target, value)):
                return tree.Assign(self._target(target), self._expressions.expression(value))
            case Function("call", (String(name), *args)) | Function(name, args):
                name = self._expressions.name(name, term, begins_line=True)
                return tree.Action(name, self._expressions.arguments(tuple(args or ())), span=self.span(term))
        raise BadArgumentError("a statement is a text or a term", term)

    def _target(self, term: Term) -> tree.Name | tree.Call:
        target = self._expressions.expression(term)
        if not isinstance(target, tree.Name | tree.Call) or target.name[0].isdigit():
            raise BadArgumentError("only variables can be assigned", term)
        self._expressions.name(target.name, term, begins_line=True)
        return target


# --- writing ------------------------------------------------------------------------------------------------------


def write_states(document: tree.Document) -> str:
    """The `state/2` facts of a document."""
    return write_facts(_facts(document), ", ")


def _facts(document: tree.Document) -> Iterator[Function]:
    yield from header_facts(document)
    for chart in document.charts:
        for node in chart.nodes:
            yield function("state", node.number, _state(node))
            yield from node_facts(document, chart, node)
            yield from (function("extraArrow", node.number, target) for target in node.extra)


def _state(node: tree.Node) -> Term:
    match node.body:
        case tree.Start():
            return function("startTerminal", _target(node.next))
        case tree.End():
            return Function("endTerminal")
        case tree.Choice(condition):
            return function("choice", _target(node.yes), _target(node.no), write_expression(condition))
        case body if tree.called_chart(body) is not None:
            return function("subchart", _target(node.next), subchart_caption(body))
        case statement:
            return function("statement", _target(node.next), _write_statement(statement))


def _target(number: int | None) -> Term:
    return NO_ARROW if number is None else Integer(number)


def _write_statement(statement: tree.Assign | tree.Action | tree.Do | tree.ForSeats) -> Term:
    match statement:
        case tree.Assign(target, value):
            return function("assign", write_expression(target), write_expression(value))
        case tree.Action("publish", (tree.Text(),) as args):
            return write_call("publish", args)
        case _:
            return String(format_body(statement))
