"""One line of the text form: the grammar's rules become tree classes, inside the LALR parser.

`grammars/line.lark` is parsed with all its tokens kept, and every rule's method below gets them; a span reaches from
the first part of a rule to its last. No parse tree is built in between, which makes reading a chart twice as fast.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import zlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lark import Lark, Token, Transformer
from lark import __version__ as lark_version

from fcdl.data import cache_folder, data_text
from fcdl.language import tree
from fcdl.language.diagnostics import Span
from fcdl.language.flowchart import MAX_CARDS
from fcdl.language.lalr import fast_parser
from fcdl.language.ops import BINDERS

MAX_DEPTH = 100
MAX_INT = 2**31 - 1

_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"?|#.*')
WITH_VALUE = tuple(row.word for row in BINDERS.values() if row.has_value)
WITHOUT_VALUE = tuple(row.word for row in BINDERS.values() if not row.has_value and row.name != "those")


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


class LineError(Exception):
    """What the grammar lets through and the language does not."""

    def __init__(self, message: str, span: Span, code: str = "syntax", hint: str | None = None) -> None:
        super().__init__(message)
        self.span = span
        self.code = code
        self.hint = hint


def without_comment(line: str) -> str:
    """The line up to its comment, a `#` outside quotes."""
    if "#" not in line:
        return line
    for match in _COMMENT.finditer(line):
        if match.group().startswith("#"):
            return line[: match.start()]
    return line


def unquote(token: str) -> str:
    """The text inside a quoted token."""
    text = token[1:-1]
    return re.sub(r"\\(.)", r"\1", text) if "\\" in text else text


def whole_span(text: str, first_line: int) -> Span:
    """Where a line stands, without the blanks and the comment around it."""
    before = text[: len(text) - len(text.lstrip())]
    start_line = first_line + before.count("\n")
    start = len(before) - (before.rfind("\n") + 1) + 1
    last = without_comment(text[text.rfind("\n") + 1 :]).rstrip()
    end_line = first_line + text.count("\n")
    return Span(start_line, start, end_line, max(len(last) + 1, start + 1 if end_line == start_line else 1))


E = TypeVar("E", tree.Operation, tree.Range, tree.PlayersFrom, tree.Each, tree.Values, tree.Call)

if TYPE_CHECKING:
    _Base = Transformer[Token, Any]
else:
    _Base = Transformer


class _Builder(_Base):
    """Builds tree classes from grammar rules; method names are rule names, `c` are all parts of the rule."""

    def __init__(self) -> None:
        super().__init__()
        self.begin("", 1)

    def begin(self, text: str, first_line: int) -> None:
        """Prepares for one more text whose first line has this number."""
        self.source = text
        self.shift = first_line - 1
        self.depths: dict[int, int] = {}
        self.measured: list[object] = []

    # -- helpers

    def at(self, token: Token) -> Span:
        """The place of one token."""
        return Span(
            token.line + self.shift,  # type: ignore[operator]
            token.column,  # type: ignore[arg-type]
            token.end_line + self.shift,  # type: ignore[operator]
            token.end_column,  # type: ignore[arg-type]
        )

    def span(self, first: Any, last: Any) -> Span:
        """From the beginning of one part to the end of another."""
        start = self.at(first) if isinstance(first, Token) else first.span
        end = self.at(last) if isinstance(last, Token) else last.span
        return Span(start.line, start.column, end.end_line, end.end_column)

    def line(self) -> Span:
        """The whole line."""
        return whole_span(self.source, self.shift + 1)

    def deep(self, expression: E, parts: Iterable[object]) -> E:
        """Notes how deep an expression is nested and refuses what is too deep."""
        depth = 1 + max((self.depths.get(id(part), 1) for part in parts if part is not None), default=0)
        if depth > MAX_DEPTH:
            raise LineError(f"nested more than {MAX_DEPTH} deep", expression.span, "too-deep")
        self.note(expression, depth)
        return expression

    def note(self, part: object, depth: int) -> None:
        """Remembers a depth, and the part itself, so that no other object gets its id."""
        self.depths[id(part)] = depth
        self.measured.append(part)

    def checked_int(self, token: Token) -> int:
        if len(token) > 10 or int(token) > MAX_INT:
            raise LineError("number too large", self.at(token), "number-too-large", f"numbers go up to {MAX_INT}")
        return int(token)

    # -- header lines

    def title(self, c: Any) -> tree.Title:
        return tree.Title(unquote(c[1]), span=self.line())

    def genre(self, c: Any) -> tree.Genre:
        return tree.Genre(tuple(unquote(text) for text in c[1::2]), span=self.line())

    def about(self, c: Any) -> tree.About:
        return tree.About(unquote(c[1]), span=self.line())

    def players(self, c: Any) -> tree.Players:
        low = self.checked_int(c[1])
        return tree.Players(low, self.checked_int(c[3]) if c[3] is not None else low, span=self.line())

    def team(self, c: Any) -> tuple[int, ...]:
        return tuple(self.checked_int(token) for token in c)

    def teams(self, c: Any) -> tree.Teams:
        return tree.Teams(tuple(c[1::2]), span=self.line())

    def lowest_wins(self, c: Any) -> tree.Wins:
        return tree.Wins(True, span=self.line())

    def highest_wins(self, c: Any) -> tree.Wins:
        return tree.Wins(False, span=self.line())

    def wish(self, c: Any) -> tuple[bool, tree.Expression]:
        return str(c[0]) == "more", c[1]

    def goal(self, c: Any) -> tree.Goal:
        return tree.Goal(tuple(c[1::2]), span=self.line())

    def always(self, c: Any) -> tree.Always:
        return tree.Always(c[1], span=self.line())

    def part_named(self, c: Any) -> tree.Deck:
        if c[0] != "standard":
            raise LineError(
                f"unknown deck '{c[0]}'", self.at(c[0]), hint="write 'deck standard' or 'deck ranks ... suits ...'"
            )
        return tree.Deck(copies=self._copies(c[-1]))

    def rank_item(self, c: Any) -> list[str]:
        first, _, last = c
        if last is None:
            return [str(first)]
        span = self.span(first, last)
        if not (first.isdigit() and last.isdigit()):
            raise LineError("a range of ranks goes from number to number", span)
        low, high = self.checked_int(first), self.checked_int(last)
        if not low <= high < low + MAX_CARDS:
            raise LineError("this range of ranks is empty or too long", span)
        return [str(number) for number in range(low, high + 1)]

    def ranks(self, c: Any) -> tuple[str, ...]:
        return tuple(rank for item in c for rank in item)

    def part_listed(self, c: Any) -> tree.Deck:
        return tree.Deck(c[1], tuple(map(str, c[3:-2])), self._copies(c[-1]))

    def _copies(self, number: Token | None) -> int:
        return self.checked_int(number) if number is not None else 1

    def deck(self, c: Any) -> tree.Deck:
        part: tree.Deck = c[1]
        return replace(part, span=self.line())

    def deck_restricted(self, c: Any) -> tree.Deck:
        span = self.line()
        part: tree.Deck = c[4]
        noun, name, condition = c[1], c[2], c[6]
        domain = tree.Name("standard" if not part.ranks else "cards", span=span)
        those = tree.Each("those", str(name), domain, condition, None, span=span, noun=self._noun(noun))
        return replace(part, restriction=those, span=span)

    def order(self, c: Any) -> tree.Order:
        return tree.Order(str(c[1]), c[3], span=self.line())

    def integer(self, c: Any) -> int:
        return self.checked_int(c[0])

    def negative(self, c: Any) -> int:
        return -self.checked_int(c[1])

    def entry(self, c: Any) -> tuple[str, int]:
        return (str(c[0]), c[1])

    def table(self, c: Any) -> tree.Table:
        entries = tuple(part for part in c[3:-3] if isinstance(part, tuple))
        return tree.Table(str(c[1]), entries, c[-1], span=self.line())

    def int_list(self, c: Any) -> tree.List:
        return tree.List(str(c[1]), tuple(c[3::2]), span=self.line())

    def words(self, c: Any) -> tree.Words:
        return tree.Words(tuple(map(str, c[1::2])), span=self.line())

    def option_int(self, c: Any) -> tree.Option:
        text = unquote(c[8]) if c[8] is not None else ""
        return tree.Option(str(c[1]), c[3], c[5], c[7], (), text, span=self.line())

    def option_word(self, c: Any) -> tree.Option:
        text = unquote(c[-1]) if c[-1] is not None else ""
        return tree.Option(str(c[1]), str(c[3]), words=tuple(map(str, c[5:-1:2])), text=text, span=self.line())

    def option_bool(self, c: Any) -> tree.Option:
        if c[3] not in ("yes", "no", "true", "false"):
            raise LineError(f"an option without 'from ... to' or 'of' is yes or no, not '{c[3]}'", self.at(c[3]),
                          hint=f"write 'option {c[1]} = {c[3]} of {c[3]}, ...'")  # fmt: skip
        text = unquote(c[4]) if c[4] is not None else ""
        return tree.Option(str(c[1]), c[3] in ("yes", "true"), text=text, span=self.line())

    def visibility(self, c: Any) -> str:
        return {"up": "all", "down": "nobody"}.get(str(c[-1]), str(c[-1]))

    def key(self, c: Any) -> tree.Key:
        return tree.Key("number", c[0], c[2]) if len(c) > 1 else tree.Key(str(c[0]))

    def keys(self, c: Any) -> tuple[tree.Key, ...]:
        return tuple(c[1::2])

    def zone(self, c: Any) -> tree.Zone:
        return tree.Zone(str(c[1]), c[2] or (), c[4], span=self.line())

    def variable(self, c: Any) -> tuple[str, tree.Expression | None]:
        return (str(c[0]), c[2])

    def variables(self, c: Any) -> tree.Variables:
        keys = tuple(part for part in c if isinstance(part, tree.Key))
        return tree.Variables(keys, tuple(part for part in c if isinstance(part, tuple)), span=self.line())

    def secret(self, c: Any) -> tree.Secret:
        return tree.Secret(tuple(map(str, c[1::2])), span=self.line())

    def define(self, c: Any) -> tree.Define:
        parameters = tuple(str(p) for p in c[2:-2] if isinstance(p, Token) and p.type == "NAME")
        return tree.Define(str(c[1]), parameters, c[-1], span=self.line())

    def given_value(self, c: Any) -> tree.GivenValue:
        return tree.GivenValue(c[0], c[2], span=c[0].span)

    def given_cards(self, c: Any) -> tree.GivenCards:
        return tree.GivenCards(c[0], tuple(map(str, c[2:])), span=c[0].span)

    def negative_text(self, c: Any) -> str:
        return f"-{c[1]}"

    def expect_do(self, c: Any) -> str:
        return f"do {c[1]}"

    def expect_move(self, c: Any) -> str:
        return " ".join(map(str, c))

    def expect(self, c: Any) -> tree.Expect:
        then = next(place for place, part in enumerate(c) if isinstance(part, Token) and part.type == "THEN")
        parts, conditions = c[3:then:2], tuple(c[then + 1 :: 2])
        given = tuple(part for part in parts if not isinstance(part, str))
        run = tuple(str(part) for part in parts if isinstance(part, str))
        return tree.Expect(unquote(c[1]), given, run, conditions, span=self.line())

    def say(self, c: Any) -> tree.Say:
        _, role, name, _, answer, _, text, _, meaning, _, condition = c
        said = tree.Text(unquote(text), span=self.at(text))
        words = (str(role or ""), str(name), str(answer or ""))
        return tree.Say(*words, said, unquote(meaning) if meaning else "", condition, span=self.line())

    def sort(self, c: Any) -> tree.Sort:
        return tree.Sort(tuple(c[3::2]), span=self.line())

    def chart(self, c: Any) -> ChartLine:
        return ChartLine(str(c[1]), self.line())

    # -- node lines

    def label(self, c: Any) -> tuple[str, Span]:
        return (self._target(c[0]), self.span(c[0], c[1]))

    def node(self, c: Any) -> NodeLine:
        label, body, arrows = c
        name, label_span = label if label is not None else (None, None)
        return NodeLine(name, body, arrows or (), self.line(), label_span)

    def start(self, c: Any) -> tree.Start:
        return tree.Start()

    def end(self, c: Any) -> tree.End:
        return tree.End()

    def do(self, c: Any) -> tree.Do:
        return tree.Do(str(c[1]), span=self.span(c[0], c[1]))

    def assign(self, c: Any) -> tree.Assign:
        return tree.Assign(c[0], c[2])

    def action(self, c: Any) -> tree.Action:
        place = c[0]
        if isinstance(place, tree.Each):
            raise LineError(f"'{place.kind}' is not a statement", place.span)
        return tree.Action(place.name, place.args if isinstance(place, tree.Call) else (), span=place.span)

    def seats(self, c: Any) -> tree.ForSeats:
        """`for p in players from leader where c`, still without its statement."""
        _, variable, _, domain, _, condition = c
        first = None
        if isinstance(domain, tree.PlayersFrom):
            first = domain.first
        elif domain != tree.Name("players"):
            hint = "a box is done for each seat: for p in players, from a player, where a condition holds"
            raise LineError("a statement can be done only for players", domain.span, hint=hint)
        return tree.ForSeats(tree.Action(""), str(variable), first, condition, span=self.at(variable))

    def for_seats(self, c: Any) -> tree.ForSeats:
        seats: tree.ForSeats = c[1]
        return replace(seats, body=c[0])

    def together(self, c: Any) -> tree.ForSeats:
        seats: tree.ForSeats = c[2]
        if isinstance(c[1], tree.Do):
            raise LineError("a chart cannot be done by all at once", self.at(c[0]), hint="leave out 'together'")
        return replace(seats, body=c[1], together=True)

    def public(self, c: Any) -> tree.Body:
        body = c[1]
        if isinstance(body, tree.Choice) and body.private:
            raise LineError("a diamond cannot be public and private", self.at(c[0]))
        if not isinstance(body, tree.Choice | tree.Assign | tree.ForSeats):
            hint = "it goes before a diamond, an assignment or a box for all seats"
            raise LineError("'public' does not belong here", self.at(c[0]), hint=hint)
        return replace(body, public=True)

    def dotted(self, c: Any) -> tree.Action:
        return tree.Action(f"{c[0]}.{c[2]}", span=self.span(c[0], c[2]))

    def choice(self, c: Any) -> tree.Choice:
        return tree.Choice(c[0])

    def private_choice(self, c: Any) -> tree.Choice:
        return tree.Choice(c[1], private=True)

    def target(self, c: Any) -> Token:
        return c[0]  # type: ignore[no-any-return]

    def arrow(self, c: Any) -> Arrow:
        return Arrow(str(c[0]), self._target(c[2]), self.span(c[0], c[2]))

    def arrow_next(self, c: Any) -> tuple[Arrow, ...]:
        return (Arrow("next", self._target(c[1]), self.span(c[0], c[1])),)

    def arrow_choice(self, c: Any) -> tuple[Arrow, ...]:
        return tuple(c)

    def _target(self, token: Token) -> str:
        return str(self.checked_int(token)) if token.type == "INT" else str(token)

    # -- expressions

    def name(self, c: Any) -> tree.Name:
        return tree.Name(str(c[0]), span=self.at(c[0]))

    def number(self, c: Any) -> tree.Number:
        return tree.Number(self.checked_int(c[0]), span=self.at(c[0]))

    def text(self, c: Any) -> tree.Text:
        return tree.Text(unquote(c[0]), span=self.at(c[0]))

    def primary(self, c: Any) -> tree.Expression:
        """An expression in brackets, which belong to it."""
        expression: tree.Expression = c[1]
        widened = replace(expression, span=self.span(c[0], c[2]))
        self.note(widened, self.depths.get(id(expression), 1))
        return widened

    def binary(self, c: Any) -> tree.Operation:
        left, operator, right = c
        word = {"or": "|", "and": "&"}.get(operator, str(operator))
        return self.deep(tree.Operation(word, (left, right), span=self.span(left, right)), (left, right))

    or_ = and_ = compare = add = multiply = member = binary

    def prefix(self, c: Any) -> tree.Operation:
        operator, operand = c
        word = "!" if operator == "not" else str(operator)
        return self.deep(tree.Operation(word, (operand,), span=self.span(operator, operand)), (operand,))

    not_ = negate = prefix

    def from_to(self, c: Any) -> tree.Range:
        low, _, high = c
        return self.deep(tree.Range(low, high, span=self.span(low, high)), (low, high))

    def players_from(self, c: Any) -> tree.PlayersFrom:
        players, _, first = c
        if players != tree.Name("players"):
            raise LineError("only 'players' can be taken from one of them on", players.span, hint="players from p")
        return self.deep(tree.PlayersFrom(first, span=self.span(players, first)), (first,))

    def those(self, c: Any) -> tree.Each:
        _, variable, _, domain, _, condition = c
        span = self.span(c[0], condition if condition is not None else domain)
        noun = self._noun(c[0])
        each = tree.Each("those", str(variable), domain, condition, None, span=span, noun=noun)
        return self.deep(each, (domain, condition))

    def _noun(self, token: Token) -> str:
        return "" if token == "those" else str(token)

    def for_each(self, c: Any) -> tree.Each:
        value, _, variable, _, domain, _, condition = c
        span = self.span(value, condition if condition is not None else domain)
        return self.deep(tree.Each("", str(variable), domain, condition, value, span=span), (value, domain, condition))

    def in_each(self, c: Any) -> tree.Each:
        variable, _, domain, _, condition = c
        if not isinstance(variable, tree.Name):
            raise LineError("expected a name for each element before 'in'", variable.span)
        each = tree.Each("", variable.name, domain, condition, None, span=self.span(variable, condition))
        return self.deep(each, (domain, condition))

    def item(self, c: Any) -> tree.Item:
        value, _, condition = c
        item = tree.Item(value, condition, span=self.span(value, condition if condition is not None else value))
        self.note(item, max(self.depths.get(id(part), 1) for part in (value, condition)))
        return item

    def values(self, c: Any) -> tree.Values:
        items = tuple(part for part in c if isinstance(part, tree.Item))
        return self.deep(tree.Values(items, span=self.span(c[0], c[-1])), items)

    def call(self, c: Any) -> tree.Call | tree.Each:
        name = str(c[0])
        args = tuple(part for part in c[2:-1] if part is not None and not isinstance(part, Token))
        span = self.span(c[0], c[-1])
        each = self._as_each(name, args[0], span) if len(args) == 1 else None
        if each is not None:
            return each
        for arg in args:
            if isinstance(arg, tree.Each) and not arg.kind:
                word, hint = "for", "it belongs in sum, max, min, highest and lowest"
                if arg.value is None:
                    word, hint = (
                        "where",
                        f"write 'cards {'c' if arg.variable == 'cards' else arg.variable} in ... where ...'",
                    )
                raise LineError(f"'{word}' does not belong in '{name}' like this", arg.span, hint=hint)
        return self.deep(tree.Call(name, args, span=span), args)

    def _as_each(self, name: str, arg: tree.Expression, span: Span) -> tree.Each | None:
        """`sum(e for x in D)`, `some(x in D where c)` and `count(x in D)`: an aggregate and not a call."""
        match arg:
            case tree.Each(kind="") if name in (WITH_VALUE if arg.value is not None else WITHOUT_VALUE):
                each = tree.Each(name, arg.variable, arg.domain, arg.condition, arg.value, span=span)
            case tree.Operation("in", (tree.Name(variable), domain)) if name in WITHOUT_VALUE:
                each = tree.Each(name, variable, domain, None, None, span=span)
            case _:
                return None
        return self.deep(each, (each.domain, each.condition, each.value))


class LineParser:
    """The LALR parser of lines and expressions; one for the process, guarded by a lock."""

    def __init__(self) -> None:
        self._builder = _Builder()
        self._lock = threading.Lock()
        self._parser = fast_parser(load_lark("line.lark", self._builder))

    def parse(self, text: str, start: str, first_line: int) -> Any:
        """Parses one logical line or expression; raises lark's UnexpectedInput, or LineError."""
        with self._lock:
            self._builder.begin(text, first_line)
            return self._parser.parse(text, start)


@cache
def line_parser() -> LineParser:
    """The process's parser."""
    return LineParser()


# --- the compiled grammar, kept between runs --------------------------------------------------------------------------


def load_lark(name: str, builder: Transformer[Token, Any]) -> Lark:
    """The LALR parser of a grammar, from the cache if it is there: that takes a fifth of the time."""
    grammar = data_text("grammars", name)
    path = cache_file(name, grammar)
    if path is not None:
        with suppress(Exception), path.open("rb") as file:  # whatever is wrong with the file, it is only a cache
            return Lark.__new__(Lark)._load(file, transformer=builder)
    lark = Lark(
        grammar,
        parser="lalr",
        start=["line", "expression"],
        maybe_placeholders=True,
        keep_all_tokens=True,
        transformer=builder,
    )
    if path is not None:
        _save(lark, path)
    return lark


def cache_file(name: str, grammar: str) -> Path | None:
    """Where a compiled grammar is kept, or nowhere (None)."""
    folder = cache_folder()
    version = f"{lark_version}-{sys.implementation.cache_tag}-{len(grammar)}-{zlib.crc32(grammar.encode()):x}"
    return None if folder is None else folder / f"{name}-{version}"


def _save(lark: Lark, path: Path) -> None:
    """Writes the compiled grammar, whole or not at all."""
    import tempfile

    with suppress(OSError):
        descriptor, temporary = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            lark.save(file, ("transformer",))
        Path(temporary).replace(path)
