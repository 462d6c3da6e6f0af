"""The drawing facts of the thesis (section 4.2.1 and appendix C).

    terminal(0,X,Y,"StartGame").    terminal(54,X,Y,"TerminateGame").
    statement(1,X,Y,"Shuffle").     statement(9,X,Y,publish("#{trumps} has been chosen as trumps.")).
    choice(11,X,Y,"cardsRemaining(player(0))>0").
    connection(12,9,2,11,0).        number 12: from the bottom of 9 to the top of 11

Sides are 0 top, 1 right, 2 bottom, 3 left; a choice is left at the bottom when its condition holds, to the right
when not. The language adds `subchart(20,X,Y,"trick")` and the facts in `shared`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import count

from fcdl.language import tree
from fcdl.language.diagnostics import Findings
from fcdl.language.forms.positions import placed
from fcdl.language.forms.shared import BadArgumentError, FactReader, header_facts, node_facts
from fcdl.language.forms.sketch import NEXT, NO, YES, read_condition, read_statement, read_subchart, subchart_caption
from fcdl.language.forms.terms import Function, String, Term, function, quoted, write_facts
from fcdl.language.text import format_body

START, END = "StartGame", "TerminateGame"
TOP, RIGHT, BOTTOM, LEFT = range(4)

_STARTS, _ENDS = frozenset({"startgame", "start"}), frozenset({"terminategame", "endgame", "end"})
_SPACES = re.compile(r'"(?:\\.|[^"\\])*"|(?<=[-,=<>!&|+*/%])\s+|\s+(?=[-,=<>!&|+*/%])')


def read_drawing(text: str, findings: Findings) -> tree.Document:
    """A file of drawing facts."""
    return _Reader(text, findings).read()


class _Reader(FactReader):
    """Reads drawing facts."""

    @cached_property
    def handlers(self) -> dict[str, Callable[[Function], None]]:
        return super().handlers | {
            "terminal/4": lambda fact: self._node(fact, self._terminal),
            "statement/4": lambda fact: self._node(fact, self._statement),
            "choice/4": lambda fact: self._node(fact, lambda f: read_condition(self.string(f, 3), self.findings)),
            "subchart/4": lambda fact: self._node(fact, lambda f: read_subchart(self.string(f, 3), self.findings)),
            "connection/5": self._connections.append,
        }

    @cached_property
    def _connections(self) -> list[Function]:
        return []

    def _node(self, fact: Function, read_body: Callable[[Function], tree.Body | None]) -> None:
        number = self.integer(fact, 0)
        position = (self.integer(fact, 1), self.integer(fact, 2))
        body: tree.Body | None = None
        try:
            body = read_body(fact)
        finally:
            self.sketch.node(number, body, self.span(fact), position)

    def _terminal(self, fact: Function) -> tree.Body:
        caption = self.string(fact, 3)
        word = "".join(caption.value.split()).lower()
        if word in _STARTS:
            return tree.Start()
        if word in _ENDS:
            return tree.End()
        raise BadArgumentError(f"unknown terminal '{caption.value}'", (fact.args or ())[3], f"'{START}' or '{END}'")

    def _statement(self, fact: Function) -> tree.Body | None:
        match (fact.args or ())[3]:
            case Function("publish", (String() as text,)) as term:
                return tree.Action("publish", (self.text(text, text.value),), span=self.span(term))
            case String() as caption:
                return read_statement(quoted(caption, self.source), self.findings)
            case term:
                hint = 'put statements in quotes; only publish("...") may go without'
                raise BadArgumentError("a caption is a text", term, hint)

    def finish(self) -> None:
        """Follows the connections, now that all nodes are known."""
        numbers = set(self.sketch.numbers)
        for fact in self._connections:
            self.handle(lambda connection: self._connection(connection, numbers), fact)

    def _connection(self, fact: Function, numbers: set[int]) -> None:
        number, source, side, target, target_side = (self.integer(fact, index) for index in range(5))
        if number in numbers:
            self.findings.warning("doubled-number", f"number {number} is used twice", self.span(fact),
                                  hint="nodes and connections share their numbers")  # fmt: skip
        numbers.add(number)
        for given in (side, target_side):
            if not TOP <= given <= LEFT:
                raise BadArgumentError(f"there is no side {given}", fact, "0 top, 1 right, 2 bottom, 3 left")
        kind: str | None = NEXT
        if isinstance(self.sketch.body(source), tree.Choice):
            kind = {BOTTOM: YES, RIGHT: NO}.get(side)
        if kind is not None:
            self.sketch.arrow(source, kind, target, self.span(fact))
            return
        name = "the top" if side == TOP else "the left"
        self.findings.error("wrong-arrow", f"this connection leaves a choice at {name}", self.span(fact), node=source,
                            hint="yes leaves at the bottom, 2; no leaves at the right, 1")  # fmt: skip


# --- writing ------------------------------------------------------------------------------------------------------


def write_drawing(document: tree.Document) -> str:
    """The drawing facts of a document."""
    return write_facts(_facts(document), ",")


def _facts(document: tree.Document) -> Iterator[Function]:
    yield from header_facts(document)
    places = placed(document)
    numbers = (number for number in count() if number not in places)
    for chart in document.charts:
        for node in chart.nodes:
            kind, caption = _caption(node.body)
            yield function(kind, node.number, *places[node.number], caption)
            yield from node_facts(document, chart, node)
            for side, target in _arrows(node):
                yield function("connection", next(numbers), node.number, side, target, TOP)


def _caption(body: tree.Body) -> tuple[str, Term | str]:
    """The predicate of a node and its last argument."""
    match body:
        case tree.Start():
            return "terminal", START
        case tree.End():
            return "terminal", END
        case _ if tree.called_chart(body) is not None:
            return "subchart", subchart_caption(body)
        case tree.Choice():
            return "choice", _compact(format_body(body))
        case tree.Action("publish", (tree.Text(text),)):
            return "statement", function("publish", text)
        case _:
            return "statement", _compact(format_body(body))


def _compact(caption: str) -> str:
    """A caption as the thesis writes it, without spaces around signs."""
    return _SPACES.sub(lambda match: "" if match.group().isspace() else match.group(), caption)


def _arrows(node: tree.Node) -> Iterator[tuple[int, int]]:
    """The sides and targets of a node's arrows; those too many leave where another one leaves."""
    arrows = [(BOTTOM, node.next), (BOTTOM, node.yes), (RIGHT, node.no)]
    taken = [(side, target) for side, target in arrows if target is not None]
    yield from taken
    yield from ((taken[0][0] if taken else BOTTOM, target) for target in node.extra)
