"""Fact files: from text to ground terms with places, and back.

The grammar is `grammars/facts.lark`. Every fact is parsed on its own, so that a mistake in one does not hide
the mistakes in the others.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedInput, UnexpectedToken, v_args

from fcdl.data import data_text
from fcdl.language.diagnostics import Findings
from fcdl.language.forms.source import Quoted, Source
from fcdl.language.parser import MAX_DEPTH, MAX_INT

MAX_TERM_DEPTH = 3 * MAX_DEPTH
"""An expression of depth `MAX_DEPTH` needs at most two terms for each of its levels."""
MAX_FAULTY_FACTS = 50

_PIECE = r'[^"%.]++|\.\.|"(?:\\.|[^"\\\n])*+"|%\*(?:[^*]|\*(?!%))*+\*%|%(?!\*)[^\n]*+'
_FACT = re.compile(rf"(?:{_PIECE})*+")
_BLANK = re.compile(r"(?:\s++|%\*(?:[^*]|\*(?!%))*+\*%|%(?!\*)[^\n]*+)*+")
_FLAT_ARGUMENT = r'-?[0-9]{1,9}|"[^"\\\n]*"'
_FLAT_ARGUMENTS = re.compile(_FLAT_ARGUMENT)
_FLAT = re.compile(rf"([a-z][A-Za-z0-9]*)\(((?:{_FLAT_ARGUMENT})(?:, *(?:{_FLAT_ARGUMENT}))*)\)\.(?!\.)")
_CONSTANT = re.compile(r"_*[a-z][A-Za-z0-9_]*")
_ESCAPES = {"n": "\n", "\\": "\\", '"': '"'}


@dataclass(frozen=True, slots=True)
class Integer:
    """A number."""

    value: int
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class String:
    """A text in quotes, escapes resolved."""

    value: str
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Function:
    """`name(args)`; without arguments and brackets (`args` is None) a constant."""

    name: str
    args: tuple[Term, ...] | None = None
    start: int = 0
    end: int = 0
    depth: int = 1

    @property
    def signature(self) -> str:
        """`name/arity`."""
        return f"{self.name}/{len(self.args or ())}"


Term = Integer | String | Function


def function(name: str, *args: Term | int | str) -> Function:
    """A term to be written; numbers and texts among the arguments become terms."""
    return Function(name, tuple(_as_term(arg) for arg in args))


def _as_term(value: Term | int | str) -> Term:
    match value:
        case int():
            return Integer(value)
        case str():
            return String(value)
        case _:
            return value


def is_constant(name: str) -> bool:
    """Whether a name can stand in a fact as it is (others would be variables or no names at all)."""
    return _CONSTANT.fullmatch(name) is not None and name != "not"


# --- writing ------------------------------------------------------------------------------------------------------


def write_facts(facts: Iterator[Function], separator: str) -> str:
    """Facts as text, one to a line."""
    return "".join(f"{write_term(fact, separator)}.\n" for fact in facts)


def write_term(term: Term, separator: str = ",") -> str:
    """A term as text."""
    match term:
        case Integer(value):
            return str(value)
        case String(value):
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
        case Function(name, None):
            return name
        case Function(name, args):
            return f"{name}({separator.join(write_term(arg, separator) for arg in args or ())})"


# --- reading ------------------------------------------------------------------------------------------------------


class _RefusedError(Exception):
    """What the grammar lets through and fact files may not contain."""

    def __init__(self, code: str, message: str, token: Token, hint: str | None = None) -> None:
        super().__init__(message)
        self.code, self.token, self.hint = code, token, hint


if TYPE_CHECKING:
    _Base = Transformer[Token, Any]
else:
    _Base = Transformer


@v_args(inline=True)
class _Builder(_Base):
    """Builds terms while a fact is parsed; method names are those of the grammar."""

    base = 0

    def fact(self, term: Function, _stop: Token) -> Function:
        return term

    def function(self, name: Token, arguments: tuple[tuple[Term, ...], Token] | None) -> Function:
        start = self.base + _start(name)
        if arguments is None:
            return Function(str(name), None, start, start + len(name))
        args, closing = arguments
        depth = 1 + max((arg.depth for arg in args if isinstance(arg, Function)), default=1)
        if depth > MAX_TERM_DEPTH:
            raise _RefusedError("too-deep", f"nested more than {MAX_TERM_DEPTH} deep", name)
        return Function(str(name), args, start, self.base + _start(closing) + 1, depth)

    def arguments(self, _opening: Token, *rest: Term | Token | None) -> tuple[tuple[Term, ...], Token]:
        *args, closing = rest
        assert isinstance(closing, Token)
        return tuple(arg for arg in args if isinstance(arg, Term)), closing

    def INTEGER(self, token: Token) -> Integer:  # noqa: N802
        if len(token) > 11 or abs(int(token)) > MAX_INT:
            raise _RefusedError("number-too-large", "number too large", token)
        start = self.base + _start(token)
        return Integer(int(token), start, start + len(token))

    def STRING(self, token: Token) -> String:  # noqa: N802
        start = self.base + _start(token)
        return String(_unquote(token), start, start + len(token))

    def VARIABLE(self, token: Token) -> Term:  # noqa: N802
        hint = "facts have no variables; names start with a lower-case letter"
        raise _RefusedError("not-a-fact", f"'{token}' is a variable", token, hint)


def _start(token: Token) -> int:
    return token.start_pos or 0


def _unquote(token: Token) -> str:
    body = str(token)[1:-1]
    if "\\" not in body:
        return body
    for escape in re.findall(r"\\(.)", body):
        if escape not in _ESCAPES:
            raise _RefusedError(
                "syntax", f"unknown escape '\\{escape}' in a text", token, 'there are \\n, \\" and \\\\'
            )
    return re.sub(r"\\(.)", lambda match: _ESCAPES[match.group(1)], body)


class _FactParser:
    """The LALR parser of facts; one for the process, guarded by a lock."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.builder = _Builder()
        self.lark = Lark(
            data_text("grammars", "facts.lark"), parser="lalr", start="fact", maybe_placeholders=True,
            keep_all_tokens=True, transformer=self.builder,
        )  # fmt: skip

    def parse(self, text: str, base: int) -> Function:
        """Parses one fact that stands at the offset `base`."""
        with self.lock:
            self.builder.base = base
            return self.lark.parse(text)  # type: ignore[return-value]


@cache
def _fact_parser() -> _FactParser:
    return _FactParser()


def read_facts(source: Source, findings: Findings) -> Iterator[Function]:
    """All facts of a file; what is no fact is reported and left out."""
    faulty = 0
    position = 0
    while (position := _skip_blank(source.text, position)) < len(source.text):
        start = position
        flat = _FLAT.match(source.text, start)
        position = flat.end() if flat else _end_of_fact(source.text, start)
        fact = _flat_fact(flat) if flat else _read_fact(source, start, position, findings)
        if fact is not None:
            yield fact
        else:
            faulty += 1
            if faulty >= MAX_FAULTY_FACTS:
                findings.error("syntax", "too many mistakes; the rest was not read", source.span(position, position))
                return


def _flat_fact(match: re.Match[str]) -> Function:
    """A fact of numbers and plain texts, as most are: read without the grammar, which takes ten times as long."""
    text, start, end = match.string, match.start(2), match.end(2)
    args = tuple(_flat_argument(arg) for arg in _FLAT_ARGUMENTS.finditer(text, start, end))
    return Function(match.group(1), args, match.start(), match.end() - 1, 2)


def _flat_argument(match: re.Match[str]) -> Term:
    text = match.group()
    if text.startswith('"'):
        return String(text[1:-1], match.start(), match.end())
    return Integer(int(text), match.start(), match.end())


def _skip_blank(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position


def _end_of_fact(text: str, start: int) -> int:
    """The offset behind the full stop; if there is none, behind the line where the fact goes wrong."""
    match = _FACT.match(text, start)
    end = match.end() if match else start
    if text[end : end + 1] == ".":
        return end + 1
    newline = text.find("\n", end)
    return newline + 1 if newline >= 0 else len(text)


def _read_fact(source: Source, start: int, end: int, findings: Findings) -> Function | None:
    text = source.text[start:end]
    try:
        return _fact_parser().parse(text, start)
    except UnexpectedInput as error:
        _report_syntax(error, text, source, start, findings)
    except _RefusedError as error:
        place = start + _start(error.token)
        findings.error(error.code, str(error), source.span(place, place + len(error.token)), hint=error.hint)
    return None


def _report_syntax(error: UnexpectedInput, text: str, source: Source, start: int, findings: Findings) -> None:
    """Says what is wrong with a fact, at the place where it goes wrong."""
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        end = start + len(text.rstrip())
        findings.error("syntax", "the fact ends too soon", source.span(end, end), hint="a fact ends in '.'")
        return
    found, place = "", 0
    if isinstance(error, UnexpectedToken):
        found, place = str(error.token), _start(error.token)
    elif isinstance(error, UnexpectedCharacters):
        found, place = text[error.pos_in_stream or 0 :][:1], error.pos_in_stream or 0
    code, message, hint = _explain(found, text[place:], text)
    length = len(found.split("\n")[0])
    findings.error(code, message, source.span(start + place, start + place + length), hint=hint)


def _explain(found: str, rest: str, fact: str) -> tuple[str, str, str | None]:
    """Code, message and hint for something that does not belong into a fact."""
    if rest.startswith(":"):
        return "not-a-fact", "this is a rule, not a fact", "fact files hold facts only: name(arguments)."
    if found == "#" or fact.startswith("#"):
        return "not-a-fact", "this is a directive, not a fact", "comments start with '%'"
    if found == '"':
        return "syntax", "unclosed text", "a text ends with '\"' on the same line"
    if rest.startswith(".."):
        return "not-a-fact", "intervals are not allowed in facts", "write one fact for each number"
    if rest.startswith("%*"):
        return "syntax", "unclosed comment", "it ends with '*%'"
    return "syntax", f"unexpected '{found[:40]}'", None


def quoted(term: String, source: Source) -> Quoted:
    """A string with the places of its characters."""
    return Quoted(term.value, source, term.start, term.end)
