"""The text form: from the characters of a file to a `Document`, every syntax error of every line reported.

A file is cut into logical lines (a line that ends in `, ( { | & +` goes on in the next), each is parsed on its own by
the LALR grammar `grammars/line.lark`, so that one bad line never hides another, and the node lines are joined to charts.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from lark import Lark, Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken, v_args
from lark.exceptions import VisitError
from lark.tree import Meta
from lark.visitors import Transformer_NonRecursive

from fcdl.data import data_text
from fcdl.language import tree
from fcdl.language.diagnostics import Findings, Span, did_you_mean

MAX_LINE = 20_000
MAX_NODES = 50_000
MAX_DEPTH = 100
MAX_INT = 2**31 - 1

CONTINUES = (",", "(", "{", "|", "&", "+")
_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"?|#.*')
_HEADER_WORDS = (
    "game", "about", "players", "teams", "lowest", "highest", "deck", "order", "table", "list", "words", "option",
    "zone", "each", "secret", "define", "chart",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """One or more physical lines that make one line of the language; `number` is the first one's, from 1."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class ChartLine:
    """`chart NAME`."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Arrow:
    """`-> target`, `yes -> target`, `no -> target`; kind is next, yes or no."""

    kind: str
    target: str
    span: Span


@dataclass(frozen=True, slots=True)
class NodeLine:
    """A node line: label, caption and arrows, each of which may be missing."""

    label: str | None
    body: tree.Body | None
    arrows: tuple[Arrow, ...]
    span: Span
    label_span: Span | None = None


Line = tree.Header | ChartLine | NodeLine


E = TypeVar("E", tree.Operation, tree.Range, tree.Each, tree.Values, tree.Call)


class TooDeep(Exception):
    """An expression nested deeper than the language allows."""

    def __init__(self, span: Span) -> None:
        super().__init__(f"nested more than {MAX_DEPTH} deep")
        self.span = span


class BadNumber(Exception):
    """A number that does not fit."""

    def __init__(self, span: Span) -> None:
        super().__init__("number too large")
        self.span = span


class BadText(Exception):
    """A construct that the grammar lets through and the language does not."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.span = span


def without_comment(line: str) -> str:
    """The line up to its comment, a `#` outside quotes."""
    for match in _COMMENT.finditer(line):
        if match.group().startswith("#"):
            return line[: match.start()]
    return line


def logical_lines(source: str) -> Iterator[LogicalLine]:
    """Cuts a source into logical lines, blank ones and pure comments included."""
    pending: list[str] = []
    first = 1
    for number, line in enumerate(source.split("\n"), start=1):
        if not pending:
            first = number
        pending.append(line)
        if not without_comment(line).rstrip().endswith(CONTINUES) or sum(map(len, pending)) > MAX_LINE:
            yield LogicalLine(first, "\n".join(pending))
            pending = []
    if pending:
        yield LogicalLine(first, "\n".join(pending))


def unquote(token: str) -> str:
    """The text inside a quoted token."""
    return re.sub(r"\\(.)", r"\1", token[1:-1])


if TYPE_CHECKING:
    _Base = Transformer_NonRecursive[Token, Any]
else:
    _Base = Transformer_NonRecursive


@v_args(meta=True)
class _Builder(_Base):
    """Builds tree classes from grammar rules; method names are rule names."""

    def __init__(self) -> None:
        super().__init__()
        self.first_line = 1
        self.depths: dict[int, int] = {}

    def begin(self, first_line: int) -> None:
        """Prepares for one more text whose first line has this number."""
        self.first_line = first_line
        self.depths = {}

    # -- helpers

    def span(self, meta: Meta | Token) -> Span:
        if getattr(meta, "empty", False):
            return Span(self.first_line, 1, self.first_line, 2)
        shift = self.first_line - 1
        assert meta.line is not None and meta.end_line is not None
        assert meta.column is not None and meta.end_column is not None
        return Span(meta.line + shift, meta.column, meta.end_line + shift, meta.end_column)

    def deep(self, expression: E, parts: Iterable[object]) -> E:
        """Notes how deep an expression is nested and refuses what is too deep."""
        depth = 1 + max((self.depths.get(id(part), 1) for part in parts if part is not None), default=0)
        if depth > MAX_DEPTH:
            raise TooDeep(expression.span)
        self.depths[id(expression)] = depth
        return expression

    def checked_int(self, token: Token) -> int:
        if len(token) > 10 or int(token) > MAX_INT:
            raise BadNumber(self.span(token))
        return int(token)

    # -- header lines

    def title(self, meta: Meta, c: Any) -> tree.Title:
        return tree.Title(unquote(c[0]), span=self.span(meta))

    def about(self, meta: Meta, c: Any) -> tree.About:
        return tree.About(unquote(c[0]), span=self.span(meta))

    def players(self, meta: Meta, c: Any) -> tree.Players:
        low = self.checked_int(c[0])
        return tree.Players(low, self.checked_int(c[1]) if c[1] is not None else low, span=self.span(meta))

    def team(self, meta: Meta, c: Any) -> tuple[int, ...]:
        return tuple(self.checked_int(token) for token in c)

    def teams(self, meta: Meta, c: Any) -> tree.Teams:
        return tree.Teams(tuple(c), span=self.span(meta))

    def lowest_wins(self, meta: Meta, c: Any) -> tree.Goal:
        return tree.Goal(True, span=self.span(meta))

    def highest_wins(self, meta: Meta, c: Any) -> tree.Goal:
        return tree.Goal(False, span=self.span(meta))

    def deck_named(self, meta: Meta, c: Any) -> tree.Deck:
        if c[0] != "standard":
            raise BadText(f"unknown deck '{c[0]}' (write 'deck standard' or 'deck ranks ... suits ...')", self.span(c[0]))
        return tree.Deck(span=self.span(meta))

    def rank_item(self, meta: Meta, c: Any) -> list[str]:
        first, last = c
        if last is None:
            return [str(first)]
        if not (first.isdigit() and last.isdigit()):
            raise BadText("a range of ranks goes from number to number", self.span(meta))
        low, high = self.checked_int(first), self.checked_int(last)
        if not low <= high < low + 128:
            raise BadText("this range of ranks is empty or too long", self.span(meta))
        return [str(number) for number in range(low, high + 1)]

    def ranks(self, meta: Meta, c: Any) -> tuple[str, ...]:
        return tuple(rank for item in c for rank in item)

    def deck_listed(self, meta: Meta, c: Any) -> tree.Deck:
        *suits, copies = c[1:]
        number = self.checked_int(copies) if copies is not None else 1
        return tree.Deck(c[0], tuple(map(str, suits)), number, span=self.span(meta))

    def deck_restricted(self, meta: Meta, c: Any) -> tree.Deck:
        span = self.span(meta)
        if c[1] != "standard":
            raise BadText(f"unknown deck '{c[1]}' (only 'standard' can be restricted)", self.span(c[1]))
        those = tree.Each("those", str(c[0]), tree.Name("standard", span=self.span(c[1])), c[2], None, span=span)
        return tree.Deck(restriction=those, span=span)

    def order(self, meta: Meta, c: Any) -> tree.Order:
        return tree.Order(str(c[0]), tuple(map(str, c[1:])), span=self.span(meta))

    def integer(self, meta: Meta, c: Any) -> int:
        return self.checked_int(c[0])

    def negative(self, meta: Meta, c: Any) -> int:
        return -self.checked_int(c[0])

    def entry(self, meta: Meta, c: Any) -> tuple[str, int]:
        return (str(c[0]), c[1])

    def table(self, meta: Meta, c: Any) -> tree.Table:
        return tree.Table(str(c[0]), tuple(c[1:-1]), c[-1], span=self.span(meta))

    def int_list(self, meta: Meta, c: Any) -> tree.List:
        return tree.List(str(c[0]), tuple(c[1:]), span=self.span(meta))

    def words(self, meta: Meta, c: Any) -> tree.Words:
        return tree.Words(tuple(map(str, c)), span=self.span(meta))

    def option_int(self, meta: Meta, c: Any) -> tree.Option:
        text = unquote(c[4]) if c[4] is not None else ""
        return tree.Option(str(c[0]), c[1], c[2], c[3], (), text, span=self.span(meta))

    def option_word(self, meta: Meta, c: Any) -> tree.Option:
        name, default, *words, text = c
        return tree.Option(
            str(name), str(default), words=tuple(map(str, words)), text=unquote(text) if text else "", span=self.span(meta)
        )

    def option_bool(self, meta: Meta, c: Any) -> tree.Option:
        if c[1] not in ("yes", "no", "true", "false"):
            raise BadText(
                f"an option without 'from ... to' or 'of' is yes or no, not '{c[1]}'", self.span(c[1])
            )
        text = unquote(c[2]) if c[2] is not None else ""
        return tree.Option(str(c[0]), c[1] in ("yes", "true"), text=text, span=self.span(meta))

    def visibility(self, meta: Meta, c: Any) -> str:
        return {"up": "all", "down": "nobody"}.get(str(c[0]), str(c[0]))

    def zone(self, meta: Meta, c: Any) -> tree.Zone:
        return tree.Zone(str(c[0]), c[1] is not None, c[2], span=self.span(meta))

    def variable(self, meta: Meta, c: Any) -> tuple[str, tree.Expression | None]:
        return (str(c[0]), c[1])

    def player_variables(self, meta: Meta, c: Any) -> tree.PlayerVariables:
        return tree.PlayerVariables(tuple(c), span=self.span(meta))

    def secret(self, meta: Meta, c: Any) -> tree.Secret:
        return tree.Secret(tuple(map(str, c)), span=self.span(meta))

    def define(self, meta: Meta, c: Any) -> tree.Define:
        return tree.Define(str(c[0]), tuple(str(p) for p in c[1:-1] if p is not None), c[-1], span=self.span(meta))

    def chart(self, meta: Meta, c: Any) -> ChartLine:
        return ChartLine(str(c[0]), self.span(meta))

    # -- node lines

    def label(self, meta: Meta, c: Any) -> tuple[str, Span]:
        if c[0].type == "INT":
            return (str(self.checked_int(c[0])), self.span(meta))
        return (str(c[0]), self.span(meta))

    def node(self, meta: Meta, c: Any) -> NodeLine:
        label, body, arrows = c
        name, label_span = label if label is not None else (None, None)
        return NodeLine(name, body, arrows or (), self.span(meta), label_span)

    def start(self, meta: Meta, c: Any) -> tree.Start:
        return tree.Start()

    def end(self, meta: Meta, c: Any) -> tree.End:
        return tree.End()

    def do(self, meta: Meta, c: Any) -> tree.Do:
        return tree.Do(str(c[0]), span=self.span(meta))

    def assign(self, meta: Meta, c: Any) -> tree.Assign:
        return tree.Assign(c[0], c[1])

    def action(self, meta: Meta, c: Any) -> tree.Action:
        place = c[0]
        return tree.Action(place.name, place.args if isinstance(place, tree.Call) else (), span=self.span(meta))

    def dotted(self, meta: Meta, c: Any) -> tree.Action:
        return tree.Action(f"{c[0]}.{c[1]}", span=self.span(meta))

    def choice(self, meta: Meta, c: Any) -> tree.Choice:
        return tree.Choice(c[0])

    def private_choice(self, meta: Meta, c: Any) -> tree.Choice:
        return tree.Choice(c[0], private=True)

    def target(self, meta: Meta, c: Any) -> Token:
        return c[0]  # type: ignore[no-any-return]

    def arrow(self, meta: Meta, c: Any) -> Arrow:
        return Arrow(str(c[0]), self._target(c[1]), self.span(meta))

    def arrow_next(self, meta: Meta, c: Any) -> tuple[Arrow, ...]:
        return (Arrow("next", self._target(c[0]), self.span(meta)),)

    def arrow_choice(self, meta: Meta, c: Any) -> tuple[Arrow, ...]:
        return tuple(c)

    def _target(self, token: Token) -> str:
        return str(self.checked_int(token)) if token.type == "INT" else str(token)

    # -- expressions

    def name(self, meta: Meta, c: Any) -> tree.Name:
        return tree.Name(str(c[0]), span=self.span(meta))

    def number(self, meta: Meta, c: Any) -> tree.Number:
        return tree.Number(self.checked_int(c[0]), span=self.span(meta))

    def text(self, meta: Meta, c: Any) -> tree.Text:
        return tree.Text(unquote(c[0]), span=self.span(meta))

    def _operation(self, meta: Meta, operator: str, *operands: tree.Expression) -> tree.Operation:
        return self.deep(tree.Operation(operator, operands, span=self.span(meta)), operands)

    def or_(self, meta: Meta, c: Any) -> tree.Operation:
        return self._operation(meta, "|", *c)

    def and_(self, meta: Meta, c: Any) -> tree.Operation:
        return self._operation(meta, "&", *c)

    def not_(self, meta: Meta, c: Any) -> tree.Operation:
        return self._operation(meta, "!", *c)

    def compare(self, meta: Meta, c: Any) -> tree.Operation:
        return self._operation(meta, str(c[1]), c[0], c[2])

    add = compare
    multiply = compare

    def member(self, meta: Meta, c: Any) -> tree.Operation:
        return self._operation(meta, "in", *c)

    def negate(self, meta: Meta, c: Any) -> tree.Operation:
        return self._operation(meta, "-", c[1])

    def from_to(self, meta: Meta, c: Any) -> tree.Range:
        return self.deep(tree.Range(c[0], c[1], span=self.span(meta)), c)

    def _each(self, meta: Meta, kind: str, variable: Any, domain: Any, condition: Any, value: Any) -> tree.Each:
        each = tree.Each(kind, variable, domain, condition, value, span=self.span(meta))
        return self.deep(each, (domain, condition, value))

    def those(self, meta: Meta, c: Any) -> tree.Each:
        return self._each(meta, "those", str(c[0]), c[1], c[2], None)

    def for_each(self, meta: Meta, c: Any) -> tree.Each:
        value, variable, domain, condition = c
        return self._each(meta, "", str(variable), domain, condition, value)

    def in_each(self, meta: Meta, c: Any) -> tree.Each:
        variable, domain, condition = c
        if not isinstance(variable, tree.Name):
            raise BadText("before 'in' stands the name of each element", variable.span)
        return self._each(meta, "", variable.name, domain, condition, None)

    def item(self, meta: Meta, c: Any) -> tree.Item:
        item = tree.Item(c[0], c[1], span=self.span(meta))
        self.depths[id(item)] = max(self.depths.get(id(part), 1) for part in c)
        return item

    def values(self, meta: Meta, c: Any) -> tree.Values:
        items = tuple(item for item in c if item is not None)
        return self.deep(tree.Values(items, span=self.span(meta)), items)

    def call(self, meta: Meta, c: Any) -> tree.Expression:
        name = str(c[0])
        args = tuple(arg for arg in c[1:] if arg is not None)
        if len(args) == 1:
            each = self._as_each(meta, name, args[0])
            if each is not None:
                return each
        if any(isinstance(arg, tree.Each) and not arg.kind for arg in args):
            raise BadText(f"'for' and 'with' belong into sum, max, min, highest, lowest, count, some, every; not '{name}'",
                          self.span(meta))  # fmt: skip
        return self.deep(tree.Call(name, args, span=self.span(meta)), args)

    def _as_each(self, meta: Meta, name: str, arg: tree.Expression) -> tree.Each | None:
        """`sum(e for x in D)`, `some(x in D with c)` and `count(x in D)`: an aggregate and not a call."""
        with_value = name in ("sum", "max", "min", "highest", "lowest")
        without_value = name in ("count", "some", "every")
        match arg:
            case tree.Each(kind="") if (with_value if arg.value is not None else without_value):
                return self._each(meta, name, arg.variable, arg.domain, arg.condition, arg.value)
            case tree.Operation("in", (tree.Name(variable), domain)) if without_value:
                return self._each(meta, name, variable, domain, None, None)
        return None


class _LineParser:
    """The LALR parser of lines and captions; one for the process, guarded by a lock."""

    def __init__(self) -> None:
        self.builder = _Builder()
        self.lock = threading.Lock()
        self.lark = Lark(
            data_text("grammars", "line.lark"),
            parser="lalr",
            start=["line", "expression"],
            propagate_positions=True,
            maybe_placeholders=True,
        )

    def parse(self, text: str, start: str, first_line: int) -> Any:
        """Parses one logical line or expression."""
        with self.lock:
            self.builder.begin(first_line)
            return self.builder.transform(self.lark.parse(text, start=start))


@cache
def _line_parser() -> _LineParser:
    return _LineParser()


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
    whole = Span(first_line, 1, first_line, max(2, len(text.split("\n", 1)[0]) + 1))
    if len(text) > MAX_LINE:
        findings.error("line-too-long", f"line of {len(text)} characters (at most {MAX_LINE})",
                       Span(first_line, 1, first_line, 2))  # fmt: skip
        return None
    if "\0" in text:
        findings.error("syntax", "unexpected character '\\0'", whole, hint="is this a text file?")
        return None
    try:
        return _line_parser().parse(text, start, first_line)
    except UnexpectedInput as error:
        _report_syntax(error, text, start, first_line, findings)
    except (TooDeep, BadNumber, BadText) as error:
        _report_refusal(error, findings)
    except VisitError as error:
        if not isinstance(error.orig_exc, (TooDeep, BadNumber, BadText)):
            raise
        _report_refusal(error.orig_exc, findings)
    return None


def _report_refusal(error: TooDeep | BadNumber | BadText, findings: Findings) -> None:
    code = {TooDeep: "too-deep", BadNumber: "number-too-large", BadText: "syntax"}[type(error)]
    findings.error(code, str(error), error.span)


# --- syntax errors in words ----------------------------------------------------------------------------------------


def _report_syntax(error: UnexpectedInput, text: str, start: str, first_line: int, findings: Findings) -> None:
    """Says what is wrong with a line, at the place where it goes wrong."""
    lines = text.split("\n")
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        last = without_comment(lines[-1]).rstrip()
        place = Span(first_line + len(lines) - 1, len(last) + 1, first_line + len(lines) - 1, len(last) + 2)
        expected = {"RPAR": "')'", "RBRACE": "'}'", "COLON": "':'", "WITH": "'with'"}
        missing = [word for name, word in expected.items() if name in error.accepts | set(error.expected)]
        findings.error("syntax", "the line stops too soon", place,
                       hint=f"{missing[0]} is missing" if missing and missing[0] in "')''}'" else _hint(text, error))  # fmt: skip
        return
    line, column = error.line, error.column
    if isinstance(error, UnexpectedToken):
        found = str(error.token)
    elif isinstance(error, UnexpectedCharacters):
        found = lines[line - 1][column - 1 : column]
    else:
        found = text.strip()[:1]
        line, column = 1, 1
    span = Span(first_line + line - 1, column, first_line + line - 1, column + max(1, len(found)))
    findings.error("syntax", f"unexpected {_quoted(found)}", span, hint=_hint(text, error))


def _quoted(found: str) -> str:
    return f"'{found}'" if found != "'" else '"\'"'


def _hint(text: str, error: UnexpectedInput) -> str | None:
    """What the author probably meant."""
    bare = without_comment(text.split("\n")[0]).strip()
    found = str(getattr(error, "token", "")) or bare[(error.column or 1) - 1 :][:1]
    if bare.count('"') % 2 == 1 or found == '"':
        return "a text ends with '\"' on the same line"
    if found == "=" and "?" in bare:
        return "to compare, write '=='"
    if found == "?" and "=" in bare and "==" not in bare:
        return "to compare, write '=='"
    words = bare.split()
    first = re.match(r"[A-Za-z_]+", bare)
    if first and len(words) > 1 and re.match(r'["\w]', words[1]) and first.group() not in _HEADER_WORDS:
        near = did_you_mean(first.group(), _HEADER_WORDS)
        if near:
            return near
    if found == "?" and "->" in bare:
        return "arrows come after the '?'"
    if found in ("yes", "no", "->") and not bare.rstrip().endswith("?") and found != "->":
        return "a diamond's caption ends in '?'"
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
    for logical in logical_lines(source):
        line = parse_line(logical, findings)
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
    return tree.Document(tuple(header), _join_charts(chart_lines, findings))


def _join_charts(
    chart_lines: list[tuple[ChartLine, list[NodeLine]]], findings: Findings
) -> tuple[tree.Chart, ...]:
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
                findings.error("doubled-label", f"two nodes have the number {node.number}", node.line.span,
                               node=node.number)  # fmt: skip
            all_numbers[node.number] = chart.name
    return tuple(_close_chart(chart, findings) for chart in charts)


def _collect_nodes(chart: _OpenChart, lines: list[NodeLine], numbers: Iterator[int], findings: Findings) -> None:
    pending: list[NodeLine] = []
    for line in lines:
        if line.label is not None:
            pending.append(line)
        if line.body is None:
            if line.arrows:
                findings.error("syntax", "an arrow needs a caption before it", line.span)
            continue
        names = [item for item in pending if item.label is not None and not item.label.isdigit()]
        given = [item for item in pending if item.label is not None and item.label.isdigit()]
        for extra in (*names[1:], *given[1:]):
            findings.error("doubled-label", f"the node has a second label '{extra.label}'", extra.label_span)
        number = int(given[0].label or 0) if given else next(numbers)
        label = names[0].label if names else None
        if label is not None and label in chart.labels:
            findings.error("doubled-label", f"label '{label}' stands twice in chart '{chart.name}'", names[0].label_span)
        if label is not None:
            chart.labels.setdefault(label, number)
        chart.nodes.append(_OpenNode(line, number, label))
        pending = []
    for line in pending:
        findings.error("dangling-label", f"label '{line.label}' stands before no node", line.label_span)


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
    kinds = ("yes", "no") if isinstance(body, tree.Choice) else () if isinstance(body, tree.End) else ("next",)
    targets: dict[str, int | None] = {}
    for arrow in node.line.arrows:
        if arrow.kind not in kinds:
            hints = {("yes", "no"): "a diamond has 'yes -> label' and 'no -> label'", (): "nothing follows the end",
                     ("next",): "only a diamond (a line that ends in '?') has yes and no"}  # fmt: skip
            findings.error("wrong-arrow", f"this node has no '{arrow.kind}' arrow", arrow.span, node=node.number,
                           hint=hints[kinds])  # fmt: skip
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
    findings.error("unknown-label", f"no label '{arrow.target}' in chart '{chart.name}'",
                   replace(arrow.span, column=arrow.span.end_column - len(arrow.target)) , node=node,
                   hint=did_you_mean(arrow.target, chart.labels))  # fmt: skip
    return None
