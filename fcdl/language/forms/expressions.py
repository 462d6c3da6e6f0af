r"""Expressions as terms, in the vocabulary of the `state/2` facts of the thesis.

    a + b, a - b, a * b, a / b, a % b      operation(add, a, b), subtract, multiply, divide, modulo
    a & b, a | b, -a                       operation(and, a, b), operation(or, a, b), operation(negate, a)
    a == b, a < b, a > b                   equal(a, b), lessThan(a, b), greaterThan(a, b)
    a != b, a <= b, a >= b                 notEqual(a, b), lessOrEqual(a, b), greaterOrEqual(a, b)
    !a, c in D, low to high                neg(a), member(c, D), range(low, high)
    cards c in D where x                   each(those, c, D, with(x))
    players from p                         playersFrom(p)
    sum(e for c in D where x)              each(sum, c, D, value(e), with(x))
    {a, b if x}                            values(a, when(b, x))
    f(a, b), name, 17, -17                 f(a, b), name, 17, -17
    "a text"                               "a~text"; a real ~ is \~, a real \ is \\ (and a fact doubles each \)

Names that are no constants of ASP, or that mean something else here, are quoted: `name("QS")`, `call("equal", a, b)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from fcdl.language import tree
from fcdl.language.forms.shared import BadArgumentError, FactReader
from fcdl.language.forms.sketch import is_name
from fcdl.language.forms.terms import Function, Integer, String, Term, function, is_constant
from fcdl.language.lines import WITH_VALUE, WITHOUT_VALUE
from fcdl.language.ops import Form, ops_of
from fcdl.language.parser import MAX_DEPTH

OPERATIONS = {row.word: row.fact for row in ops_of(Form.INFIX) if row.is_operation}
RELATIONS = {row.word: row.fact for row in ops_of(Form.INFIX) if not row.is_operation}
_OPERATORS = {word: operator for operator, word in OPERATIONS.items()}
_RELATORS = {word: operator for operator, word in RELATIONS.items()}
_RESERVED = frozenset(
    {*_RELATORS, "operation", "neg", "range", "playersFrom", "each", "values", "when", "name", "call"}
)

_CARD = re.compile(r"[0-9]+[A-Z][A-Za-z]*")
_TILDE = re.compile(r"\\([\\~])|~")


# --- writing ------------------------------------------------------------------------------------------------------


def write_expression(expression: tree.Expression) -> Term:
    """An expression as a term."""
    match expression:
        case tree.Number(value):
            return Integer(value)
        case tree.Text(value):
            return String(encode_text(value))
        case tree.Name(name):
            return _write_name(name)
        case tree.Call(name, args):
            return write_call(name, args)
        case tree.Operation():
            return _write_operation(expression)
        case tree.Range(low, high):
            return function("range", write_expression(low), write_expression(high))
        case tree.PlayersFrom(first):
            return function("playersFrom", write_expression(first))
        case tree.Each():
            return _write_each(expression)
        case tree.Values(items):
            return function("values", *map(_write_item, items))


def write_call(name: str, args: tuple[tree.Expression, ...]) -> Function:
    """A name with arguments as a term."""
    terms = map(write_expression, args)
    return function(name, *terms) if is_constant(name) and name not in _RESERVED else function("call", name, *terms)


def encode_text(text: str) -> str:
    """A text as the thesis writes it, with `~` for spaces."""
    return text.replace("\\", "\\\\").replace("~", "\\~").replace(" ", "~")


def _write_name(name: str) -> Term:
    return Function(name) if is_constant(name) else function("name", name)


def _write_operation(operation: tree.Operation) -> Term:
    match operation:
        case tree.Operation("-", (tree.Number(value),)) if value > 0:
            return Integer(-value)
        case tree.Operation("-", (operand,)):
            return function("operation", Function("negate"), write_expression(operand))
        case tree.Operation("!", operands):
            return function("neg", *map(write_expression, operands))
        case tree.Operation(operator, operands) if operator in OPERATIONS:
            return function("operation", Function(OPERATIONS[operator]), *map(write_expression, operands))
        case tree.Operation(operator, operands):
            return function(RELATIONS[operator], *map(write_expression, operands))


def _write_each(each: tree.Each) -> Term:
    parts = [Function(each.kind), _write_name(each.variable), write_expression(each.domain)]
    if each.value is not None:
        parts.append(function("value", write_expression(each.value)))
    if each.condition is not None:
        parts.append(function("with", write_expression(each.condition)))
    return function("each", *parts)


def _write_item(item: tree.Item) -> Term:
    value = write_expression(item.value)
    return value if item.condition is None else function("when", value, write_expression(item.condition))


# --- reading ------------------------------------------------------------------------------------------------------


def decode_text(text: str) -> str:
    """The text that `encode_text` wrote; real spaces are accepted, too."""
    return _TILDE.sub(lambda match: match.group(1) or " ", text)


class ExpressionReader:
    """Reads terms as expressions; what is none raises BadArgumentError."""

    def __init__(self, reader: FactReader) -> None:
        self._reader = reader
        self._special = {
            "operation": self._operation, "neg": self._negation, "range": self._misplaced_range,
            "playersFrom": self._misplaced_players, "each": self._each,
            "values": self._values, "when": self._misplaced_when, "name": self._quoted_name, "call": self._quoted_call,
        }  # fmt: skip

    def expression(self, term: Term, depth: int = 1) -> tree.Expression:
        """A term as an expression; `depth` is how deep it stands."""
        if depth > MAX_DEPTH:
            raise BadArgumentError(f"nested more than {MAX_DEPTH} deep", term, code="too-deep")
        match term:
            case Integer():
                return self._number(term, depth)
            case String(value):
                return self._reader.text(term, decode_text(value))
            case Function(name, None):
                return tree.Name(self.name(name, term), span=self._reader.span(term))
            case Function(name, args) if name in self._special:
                return self._special[name](term, args or (), depth)
            case Function(name, args) if name in _RELATORS:
                return self._relation(term, args or (), depth)
            case Function(name, args):
                return self._call(self.name(name, term), args or (), term, depth)

    def name(self, name: str, term: Term, *, begins_line: bool = False) -> str:
        """A name, which must not be a word that means something else."""
        if not is_name(name, begins_line=begins_line):
            raise BadArgumentError(f"'{name}' cannot be a name", term, code="bad-name")
        return name

    def arguments(self, terms: Iterable[Term], depth: int = 0) -> tuple[tree.Expression, ...]:
        """Several expressions."""
        return tuple(self.expression(term, depth + 1) for term in terms)

    def _number(self, term: Integer, depth: int) -> tree.Expression:
        span = self._reader.span(term)
        if term.value >= 0:
            return tree.Number(term.value, span=span)
        if depth >= MAX_DEPTH:
            raise BadArgumentError(f"nested more than {MAX_DEPTH} deep", term, code="too-deep")
        return tree.Operation("-", (tree.Number(-term.value, span=span),), span=span)

    def _operation(self, term: Term, args: tuple[Term, ...], depth: int) -> tree.Expression:
        match args:
            case (Function("negate", None), operand):
                operator, operands = "-", [operand]
            case (Function(word, None), left, right) if word in _OPERATORS:
                operator, operands = _OPERATORS[word], [left, right]
            case _:
                hint = f"operation(negate, a), or operation(w, a, b) with w one of {', '.join(_OPERATORS)}"
                raise BadArgumentError("unknown operation", term, hint)
        return tree.Operation(operator, self.arguments(operands, depth), span=self._reader.span(term))

    def _relation(self, term: Function, args: tuple[Term, ...], depth: int) -> tree.Expression:
        if len(args) != 2:
            raise BadArgumentError(f"'{term.name}' has 2 arguments, not {len(args)}", term)
        left = self.expression(args[0], depth + 1)
        right = self._domain(args[1], depth + 1) if term.name == "member" else self.expression(args[1], depth + 1)
        return tree.Operation(_RELATORS[term.name], (left, right), span=self._reader.span(term))

    def _negation(self, term: Term, args: tuple[Term, ...], depth: int) -> tree.Expression:
        if len(args) != 1:
            raise BadArgumentError(f"'neg' has 1 argument, not {len(args)}", term)
        return tree.Operation("!", self.arguments(args, depth), span=self._reader.span(term))

    def _domain(self, term: Term, depth: int) -> tree.Expression:
        """An expression or a range."""
        match term:
            case Function("range", (low, high)):
                return tree.Range(*self.arguments((low, high), depth), span=self._reader.span(term))
            case Function("playersFrom", (first,)):
                return tree.PlayersFrom(self.expression(first, depth + 1), span=self._reader.span(term))
            case _:
                return self.expression(term, depth)

    def _misplaced_range(self, term: Term, _args: tuple[Term, ...], _depth: int) -> tree.Expression:
        raise BadArgumentError("a range may only appear in member, each, values or a call", term, "range(low, high)")

    def _misplaced_players(self, term: Term, _args: tuple[Term, ...], _depth: int) -> tree.Expression:
        raise BadArgumentError("playersFrom(p) may only appear in each or values", term)

    def _misplaced_when(self, term: Term, _args: tuple[Term, ...], _depth: int) -> tree.Expression:
        raise BadArgumentError("'when' may only appear in values", term, "when(value, condition)")

    def _each(self, term: Term, args: tuple[Term, ...], depth: int) -> tree.Expression:
        match args:
            case (Function(kind, None), variable, domain, *more):
                value, condition = self._parts(more, depth)
            case _:
                raise BadArgumentError("unknown kind of 'each'", term, "each(those, c, cards, with(condition))")
        if not (kind in WITH_VALUE if value is not None else kind in WITHOUT_VALUE or kind == "those"):
            kinds = sorted(WITH_VALUE) if value is not None else ["those", *sorted(WITHOUT_VALUE)]
            raise BadArgumentError(f"'{kind}' is not a kind of 'each' here", term, f"there are: {', '.join(kinds)}")
        span = self._reader.span(term)
        return tree.Each(kind, self._variable(variable), self._domain(domain, depth + 1), condition, value, span=span)

    def _parts(self, more: list[Term], depth: int) -> tuple[tree.Expression | None, tree.Expression | None]:
        """Value and condition of an `each`."""
        found: dict[str, tree.Expression] = {}
        for part in more:
            match part:
                case Function("value" | "with" as word, (inner,)) if word not in found:
                    found[word] = self.expression(inner, depth + 1)
                case _:
                    raise BadArgumentError("'each' ends in value(e) and with(condition), once each", part)
        return found.get("value"), found.get("with")

    def _variable(self, term: Term) -> str:
        match self.expression(term):
            case tree.Name(name) if is_name(name):
                return name
        raise BadArgumentError("the second argument of 'each' is a name", term)

    def _values(self, term: Term, args: tuple[Term, ...], depth: int) -> tree.Expression:
        items = tuple(self._item(arg, depth + 1) for arg in args)
        return tree.Values(items, span=self._reader.span(term))

    def _item(self, term: Term, depth: int) -> tree.Item:
        match term:
            case Function("when", (value, condition)):
                parts = self._domain(value, depth), self.expression(condition, depth)
                return tree.Item(*parts, span=self._reader.span(term))
            case _:
                return tree.Item(self._domain(term, depth), None, span=self._reader.span(term))

    def _quoted_name(self, term: Term, args: tuple[Term, ...], _depth: int) -> tree.Expression:
        match args:
            case (String(name),):
                if not _CARD.fullmatch(name):
                    self.name(name, term)
                return tree.Name(name, span=self._reader.span(term))
        raise BadArgumentError("'name' has one text as its argument", term)

    def _quoted_call(self, term: Term, args: tuple[Term, ...], depth: int) -> tree.Expression:
        match args:
            case (String(name), *rest):
                return self._call(self.name(name, term), tuple(rest), term, depth)
        raise BadArgumentError("the first argument of 'call' is a name in quotes", term)

    def _call(self, name: str, args: tuple[Term, ...], term: Term, depth: int) -> tree.Expression:
        """A call; as in the text form, `count(c in cards)` is an aggregate without a condition."""
        span = self._reader.span(term)
        match tuple(self._domain(arg, depth + 1) for arg in args):
            case (tree.Operation("in", (tree.Name(variable), domain)),) if name in WITHOUT_VALUE:
                return tree.Each(name, variable, domain, None, None, span=span)
            case parts:
                return tree.Call(name, parts, span=span)
