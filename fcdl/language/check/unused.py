"""What the header declares and nothing uses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from fcdl.language import tree
from fcdl.language.check.program import Program
from fcdl.language.check.structure import place
from fcdl.language.diagnostics import Findings, Span
from fcdl.language.seats import spread

_EMBEDDED = re.compile(r"#\{([^}]*)\}")
_WORD = re.compile(r"[A-Za-z_]\w*")
_IMPLIED = {
    "Deal": ("pack", "hand"), "pickUp": ("pack", "hand"), "playCard": ("hand", "middle"), "Shuffle": ("pack",),
    "playCardOrPass": ("hand", "middle"), "Stack.empty": ("middle", "stack"), "cardsRemaining": ("hand",),
    "playerHas": ("hand",), "isSequence": ("rankValue",), "isRun": ("rankValue",), "longestSequence": ("rankValue",),
    "longestRun": ("rankValue",), "deadwood": ("rankValue",), "melds": ("rankValue",),
}  # fmt: skip
"""Statements and functions that use zones and the order of ranks without naming them."""


def check(program: Program, findings: Findings) -> None:
    """Reports header lines that make no difference."""
    document = program.flowchart.document
    used = _used_names(spread(document).document)
    for name, code, what, span in _declared(document):
        if name not in used:
            findings.warning(code, f"{what} '{name}' is never used", place(span))
    for chart in document.charts:
        if chart.name not in program.order:
            hint = f"write 'do {chart.name}' where it belongs"
            findings.warning("unused-chart", f"chart '{chart.name}' is never used", place(chart.span), hint=hint)
    if "score" not in used:
        first = place(document.charts[0].span)
        findings.note("no-score", "nobody ever scores, so every game ends in a tie", first)


def _declared(document: tree.Document) -> Iterator[tuple[str, str, str, Span]]:
    """Every name that the header declares for others to use, with the code and the word for what it is, and where."""
    for header in document.header:
        span = header.span
        match header:
            case tree.Order(name=name):
                yield name, "unused-order", "order", span
            case tree.Table(name=name):
                yield name, "unused-table", "table", span
            case tree.List(name=name):
                yield name, "unused-list", "list", span
            case tree.Option(name=name):
                yield name, "unused-option", "option", span
            case tree.Zone(name=name):
                yield name, "unused-zone", "zone", span
            case tree.Define(name=name):
                yield name, "unused-definition", "definition", span
            case tree.Words(words=words):
                yield from ((word, "unused-word", "word", span) for word in words)


def _used_names(document: tree.Document) -> set[str]:
    """Every name that the charts use, directly or through definitions."""
    definitions = {item.name: item for item in document.header if isinstance(item, tree.Define)}
    used: set[str] = set()
    pending = list(_names(_outermost(document)))
    pending += [word for chart in document.charts for node in chart.nodes for word in _statement_names(node.body)]
    while pending:
        name = pending.pop()
        if name in used:
            continue
        used.add(name)
        pending.extend(_IMPLIED.get(name, ()))
        if name in definitions:
            pending.extend(_names((definitions[name].value,)))
    return used


def _outermost(document: tree.Document) -> Iterator[tree.Expression]:
    """The expressions of nodes, first values, the deck, the goal and the words."""
    for header in document.header:
        match header:
            case tree.Variables(variables=variables):
                yield from (value for _, value in variables if value is not None)
            case tree.Goal(wishes=wishes):
                yield from (of for _, of in wishes)
            case tree.Always(condition=condition):
                yield condition
            case tree.Say(text=text, condition=condition):
                yield from (text, *([condition] if condition is not None else []))
            case tree.Sort(keys=keys):
                yield from keys
            case tree.Deck(restriction=restriction) if restriction is not None:
                yield restriction
    for chart in document.charts:
        for node in chart.nodes:
            match node.body:
                case tree.Assign(target=target, value=value):
                    yield from (target, value)
                case tree.Action(args=args):
                    yield from args
                case tree.Choice(condition=condition):
                    yield condition


def _statement_names(body: tree.Body) -> Iterator[str]:
    if isinstance(body, tree.Action):
        yield body.name


def _names(expressions: Iterable[tree.Expression]) -> Iterator[str]:
    """Every name in expressions, those in published texts included."""
    pending = list(expressions)
    while pending:
        expression = pending.pop()
        if isinstance(expression, (tree.Name, tree.Call)):
            yield expression.name
        elif isinstance(expression, tree.Text):
            for piece in _EMBEDDED.findall(expression.value):
                yield from _WORD.findall(piece)
        pending.extend(tree.children(expression))
