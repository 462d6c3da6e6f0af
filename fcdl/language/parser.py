"""The text form: from the characters of a file to a `Document`, every syntax error of every line reported.

A file is cut into logical lines (`logical_lines` says which lines go on in the next one), each is parsed on its own
(`lines.py`), so that one bad line never hides another, and the node lines are joined to charts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, field, replace
from typing import Any

from lark import UnexpectedInput

from fcdl.language import tree
from fcdl.language.diagnostics import Findings, Span, nearest
from fcdl.language.lines import (
    MAX_DEPTH,
    MAX_INT,
    Arrow,
    ChartLine,
    Line,
    LineError,
    NodeLine,
    line_parser,
    unquote,
    whole_span,
    without_comment,
)
from fcdl.language.syntax import HEADER_WORDS, report_syntax

__all__ = [
    "MAX_DEPTH",
    "MAX_INT",
    "MAX_LINE",
    "MAX_NODES",
    "Arrow",
    "ChartLine",
    "Line",
    "LogicalLine",
    "NodeLine",
    "logical_lines",
    "parse_caption",
    "parse_expression",
    "parse_line",
    "parse_text",
    "unquote",
    "without_comment",
]

MAX_LINE = 20_000
MAX_LINES = 200_000
MAX_NODES = 50_000
MAX_HEADER_LINES = 10_000
MAX_ERRORS = 1_000
MAX_COMMENTS = 20
"""Lines of comments, or blank ones, in the middle of a line."""

_ENDS_OPEN = re.compile(
    r"""[,({|&+]$|[\w)}"]\s*(==|!=|<=|>=|[-*/%<>=])$"""
    r"""|[\w)}"]\s+(?<!\bdo\s)(?<!\bhas\s)(?<!\bsecret\s)(?<!\bchart\s)(where|with|for|and|or)$|"\s*if$"""
)
"""What no line ends in: there must be more."""
_ENDS_IN_WORD = re.compile(r"\s(where|with|for|and|or)$")
"""What no line ends in while a bracket is open; elsewhere it can be a name (`do where`)."""
_GOES_ON = re.compile(r"\s*([,)}|&+*/%<>=-]|!=|(where|with|for|in|to|if|from|and|or)\b)")
"""What no line begins with: if a bracket is open, it belongs to the line before."""
_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"?')
_FIRST_WORD = re.compile(r"\s*([a-z]+)\b(?!\s*[:=(.])")
_LABEL = re.compile(r"\s*([A-Za-z_]\w*)\s*:", re.ASCII)
_ARROWS = re.compile(r"(?:\b(yes|no)\s*)?->\s*(\w{1,100})", re.ASCII)


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """One or more physical lines that make one line of the language; `number` is the first one's, from 1."""

    number: int
    text: str


def logical_lines(source: str) -> Iterator[LogicalLine]:
    """Cuts a source into logical lines, blank ones and pure comments included.

    A line goes on in the next one after a comma, an operator, an opening bracket, `where` and `for`; and, while a
    bracket is open, if the next line begins with something that cannot begin a line. So a bracket that is never closed
    takes in nothing that makes sense on its own.
    """
    pending: list[str] = []
    length = opened = 0
    lines = source.split("\n")
    for number, line in enumerate(lines, start=1):
        pending.append(line)
        length += len(line)
        code = without_comment(line).rstrip()
        opened = max(0, opened + _brackets(code))
        more = _ENDS_OPEN.search(code) or (
            opened and (_ENDS_IN_WORD.search(code) or _GOES_ON.match(_following(lines, number)))
        )
        if not more or length > MAX_LINE:
            yield LogicalLine(number - len(pending) + 1, "\n".join(pending))
            pending, length, opened = [], 0, 0
    if pending:
        yield LogicalLine(source.count("\n") + 2 - len(pending), "\n".join(pending))


def _brackets(code: str) -> int:
    """How many more brackets a line opens than it closes."""
    if '"' in code:
        code = _QUOTED.sub("", code)
    return code.count("(") + code.count("{") - code.count(")") - code.count("}")


def _following(lines: list[str], number: int) -> str:
    """The next line that is more than a comment; nothing if there is none."""
    for line in lines[number : number + MAX_COMMENTS]:
        if line.strip() and not line.lstrip().startswith("#"):
            return line
    return ""


def parse_line(line: LogicalLine, findings: Findings) -> Line | None:
    """One logical line; None if it is blank or has a syntax error (then reported)."""
    if not line.text.strip() or not without_comment(line.text.replace("\n", " ")).strip():
        return None
    return _parse(line.text, "line", line.number, findings)  # type: ignore[no-any-return]


def parse_expression(text: str, findings: Findings, *, line: int = 1) -> tree.Expression | None:
    """An expression on its own."""
    return _parse(text, "expression", line, findings)  # type: ignore[no-any-return]


def parse_caption(text: str, findings: Findings, *, choice: bool = False, line: int = 1) -> tree.Body | None:
    """A caption on its own, as in a drawing; a diamond's comes without its `?`."""
    if choice:
        expression = parse_expression(text, findings, line=line)
        return tree.Choice(expression) if expression is not None else None
    parsed = _parse(text, "line", line, findings)
    if isinstance(parsed, NodeLine) and parsed.body is not None and parsed.label is None and not parsed.arrows:
        return parsed.body
    if parsed is not None:
        findings.error("syntax", f"'{text}' is not a caption", Span(line, 1, line, len(text) + 1))
    return None


def _parse(text: str, start: str, first_line: int, findings: Findings) -> Any:
    if len(text) > MAX_LINE:
        findings.error(
            "line-too-long", f"line of {len(text)} characters (at most {MAX_LINE})", Span(first_line, 1, first_line, 2)
        )
        return None
    try:
        return line_parser().parse(text, start, first_line)
    except UnexpectedInput as error:
        report_syntax(error, text, first_line, findings)
    except LineError as error:
        findings.error(error.code, str(error), error.span, hint=error.hint)
    return None


# --- from lines to charts -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _OpenNode:
    """A node whose arrows have not been followed yet."""

    line: NodeLine
    number: int
    label: str | None


@dataclass(slots=True)
class _OpenChart:
    name: str
    span: Span
    nodes: list[_OpenNode] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)


def parse_text(source: str, findings: Findings) -> tree.Document:
    """A whole file in the text form; what cannot be parsed is reported and left out."""
    header: list[tree.Header] = []
    chart_lines: list[tuple[ChartLine, list[NodeLine]]] = []
    count = 0
    if source.count("\n") >= MAX_LINES:
        findings.error("too-large", f"the file has more than {MAX_LINES} lines", Span(1, 1, 1, 2))
        return tree.Document((), ())
    for logical in logical_lines(source):
        errors = len(findings.items)
        line = parse_line(logical, findings)
        if line is None and len(findings.items) > errors:
            line = _broken_line(logical, bool(chart_lines), findings)
        if len(findings.items) >= MAX_ERRORS:
            place = whole_span(logical.text, logical.number)
            findings.error("too-many-errors", f"stopped after {MAX_ERRORS} errors", place)
            break
        if line is None:
            continue
        if isinstance(line, ChartLine):
            chart_lines.append((line, []))
        elif isinstance(line, NodeLine):
            if not chart_lines:
                chart_lines.append((ChartLine("main", line.span), []))
            chart_lines[-1][1].append(line)
            count += 1
            if count > MAX_NODES:
                findings.error("too-many-nodes", f"more than {MAX_NODES} nodes", line.span)
                break
        else:
            header.append(line)
            if len(header) > MAX_HEADER_LINES:
                findings.error("too-large", f"more than {MAX_HEADER_LINES} header lines", line.span)
                break
    return tree.Document(tuple(header), _join_charts(chart_lines, findings))


def _broken_line(logical: LogicalLine, in_chart: bool, findings: Findings) -> Line | None:
    """What can be told of a line with a syntax error, so that it does not make other lines look wrong.

    A node keeps its label and its arrows; the names that a header line would have declared count as known.
    """
    text = without_comment(logical.text.split("\n", 1)[0])[:MAX_LINE]
    span = whole_span(logical.text[:MAX_LINE], logical.number)
    first = _FIRST_WORD.match(text)
    word = _meant(first.group(1), in_chart) if first else None
    if first and word is not None:
        if word == "chart":
            name = re.search(r"\w+", text[first.end() :])
            return ChartLine(name.group(), span) if name else None
        findings.lost_names.update(re.findall(r"[A-Za-z_]\w*", text[first.end() :])[:100])
        return None
    if not in_chart:
        return None
    label = _LABEL.match(text)
    arrows = tuple(Arrow(kind or "next", target, span) for kind, target in _ARROWS.findall(text))
    choice = "?" in text or any(arrow.kind != "next" for arrow in arrows)
    return NodeLine(label.group(1) if label else None, tree.Broken("", choice=choice), arrows, span, span)


def _meant(word: str, in_chart: bool) -> str | None:
    """The word of the header, or `chart`, with which a line was meant to begin, perhaps misspelt."""
    if word in HEADER_WORDS:
        return word
    near = nearest(word, HEADER_WORDS)
    return near if near == "chart" or not in_chart else None


def _join_charts(chart_lines: list[tuple[ChartLine, list[NodeLine]]], findings: Findings) -> tuple[tree.Chart, ...]:
    """Numbers the nodes, resolves labels and falls through to the next line where no arrow says otherwise."""
    taken = {
        int(line.label) for _, lines in chart_lines for line in lines if line.label is not None and line.label.isdigit()
    }
    numbers = (number for number in range(2 * MAX_NODES) if number not in taken)
    charts = []
    for chart_line, lines in chart_lines:
        chart = _OpenChart(chart_line.name, chart_line.span)
        _collect_nodes(chart, lines, numbers, findings)
        charts.append(chart)
    all_numbers: dict[int, str] = {}
    for chart in charts:
        for node in chart.nodes:
            if node.number in all_numbers:
                findings.error(
                    "doubled-label", f"two nodes have the number {node.number}", node.line.span, node=node.number
                )
            all_numbers[node.number] = chart.name
    return tuple(_close_chart(chart, findings) for chart in charts)


def _collect_nodes(chart: _OpenChart, lines: list[NodeLine], numbers: Iterator[int], findings: Findings) -> None:
    pending: list[NodeLine] = []
    labels = {line.label for line in lines}
    targets = {arrow.target for line in lines for arrow in line.arrows} - labels
    for line in lines:
        line = _with_its_mark(_with_its_colon(line, targets, findings), findings)
        if line.label is not None:
            pending.append(line)
        line = _with_its_word(line)
        if line.body is None and line.arrows:
            above = chart.nodes[-1] if chart.nodes and not pending else None
            hint = "put the arrow at the end of the line above" if above is not None else None
            findings.error("syntax", "an arrow needs a caption before it", line.span, hint=hint)
            if above is not None:
                taken = {arrow.kind for arrow in above.line.arrows}
                more = (arrow for arrow in line.arrows if arrow.kind not in taken)
                above.line = replace(above.line, arrows=(*above.line.arrows, *more))
                continue
            line = replace(line, body=tree.Broken(""))
        if line.body is None:
            continue
        names = [item for item in pending if item.label is not None and not item.label.isdigit()]
        given = [item for item in pending if item.label is not None and item.label.isdigit()]
        for extra in (*names[1:], *given[1:]):
            findings.error("doubled-label", f"the node has a second label '{extra.label}'", extra.label_span)
        number = int(given[0].label or 0) if given else next(numbers)
        label = names[0].label if names else None
        if label is not None and label in chart.labels:
            findings.error("doubled-label", f"duplicate label '{label}' in chart '{chart.name}'", names[0].label_span)
        if label is not None:
            chart.labels.setdefault(label, number)
        chart.nodes.append(_OpenNode(line, number, label))
        pending = []
    if pending and not any(isinstance(node.line.body, tree.End) for node in chart.nodes):
        last = pending[-1]
        hint = f"write 'end' after '{last.label}:'"
        findings.error("no-end", f"chart '{chart.name}' has no 'end'", last.label_span, hint=hint)
        chart.nodes.append(_OpenNode(replace(last, body=tree.End()), next(numbers), last.label))
        chart.labels.update((line.label, chart.nodes[-1].number) for line in pending if line.label is not None)
        pending = []
    for line in pending:
        findings.error("dangling-label", f"no node follows label '{line.label}'", line.label_span)


def _with_its_colon(line: NodeLine, targets: Set[str], findings: Findings) -> NodeLine:
    """A line that is only a word to which arrows lead, as the label that it was meant to be (then reported)."""
    match line:
        case NodeLine(None, tree.Action(name, ()), ()) if name in targets:
            from fcdl.language.resolve.vocabulary import STATEMENTS  # which needs the parser

            if name in STATEMENTS:
                return line
            findings.error("syntax", f"label '{name}' has no ':'", line.span, hint=f"write '{name}:'")
            return replace(line, label=name, label_span=line.span, body=None)
    return line


def _with_its_mark(line: NodeLine, findings: Findings) -> NodeLine:
    """A condition with an answer at its arrow, but without its `?` (then reported), as a diamond."""
    if not isinstance(line.body, tree.Action) or isinstance(line.body, tree.Broken):
        return line
    from fcdl.language.resolve.vocabulary import STATEMENTS  # which needs the parser

    if line.body.name in STATEMENTS or all(arrow.kind == "next" for arrow in line.arrows):
        return line
    message = "a diamond's line has a '?' after what it asks"
    findings.error("syntax", message, line.span, hint="write '?' before the arrows")
    return replace(line, body=tree.Broken("", choice=True))


def _with_its_word(line: NodeLine) -> NodeLine:
    """A line that is only `no -> label`, with the word as part of the arrow and not as a caption."""
    match line.body:
        case tree.Action("yes" | "no" as kind, ()) if line.arrows:
            return replace(line, body=None, arrows=tuple(replace(arrow, kind=kind) for arrow in line.arrows))
    return line


def _close_chart(chart: _OpenChart, findings: Findings) -> tree.Chart:
    own = {node.number for node in chart.nodes}
    nodes = []
    for index, node in enumerate(chart.nodes):
        following = chart.nodes[index + 1].number if index + 1 < len(chart.nodes) else None
        nodes.append(_close_node(chart, node, following, own, findings))
    return tree.Chart(chart.name, tuple(nodes), span=chart.span)


def _close_node(
    chart: _OpenChart, node: _OpenNode, following: int | None, own: set[int], findings: Findings
) -> tree.Node:
    """One node with its arrows resolved to numbers."""
    body = node.line.body
    assert body is not None
    kinds = tree.arrow_kinds(body)
    targets: dict[str, int | None] = {}
    if isinstance(body, tree.Broken):
        findings = Findings()  # its line is reported already
    for arrow in node.line.arrows:
        if arrow.kind not in kinds:
            target = arrow.target
            message, hint = {
                ("yes", "no"): (
                    "a diamond's arrow needs 'yes' or 'no' before it",
                    f"write 'yes -> {target}' or 'no -> {target}'",
                ),
                (): ("the end has no arrow", "nothing follows the end"),
                ("next",): (
                    "only a diamond has 'yes' and 'no' arrows",
                    f"a diamond's line ends in '?'; any other box just has '-> {target}'",
                ),
            }[kinds]
            findings.error("wrong-arrow", message, arrow.span, node=node.number, hint=hint)
            continue
        if arrow.kind in targets:
            findings.error("doubled-connection", f"a second '{arrow.kind}' arrow", arrow.span, node=node.number)
            continue
        targets[arrow.kind] = _target(chart, arrow, own, node.number, findings)
    open_kinds = [kind for kind in kinds if kind not in targets]
    if open_kinds:
        targets[open_kinds[0]] = following
    return tree.Node(
        node.number, body, targets.get("next"), targets.get("yes"), targets.get("no"), node.label, span=node.line.span
    )


def _target(chart: _OpenChart, arrow: Arrow, own: set[int], node: int, findings: Findings) -> int | None:
    if arrow.target in chart.labels:
        return chart.labels[arrow.target]
    if arrow.target.isdigit() and int(arrow.target) in own:
        return int(arrow.target)
    end_line, end = arrow.span.end_line, arrow.span.end_column
    start = max(1, end - len(arrow.target))
    findings.error(
        "unknown-label",
        f"no label '{arrow.target}' in chart '{chart.name}'",
        Span(end_line, start, end_line, end),
        node=node,
        hint=findings.near(arrow.target, chart.labels),
    )
    return None
