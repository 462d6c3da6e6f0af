"""Values that are only partly known, as `abstract.py` follows them through a chart.

A value is a number, or a term over symbols that stand for some number each (a tuple, its kind first):

  ("sym", n)                 anything within the range that a position gives for it
  ("lin", c, ((a, f), ...))  c + f*a + ...; sums are always in this form, so that a difference that is fixed is seen
  ("le", v)                  v <= 0            ("eq", a, b)    a is b, for values that are no sums, or v is 0
  ("and" | "or" | "not", ...)                  ("if", c, a, b)
  ("f", key, args)           a function of the language, by `(op, name, type of the first argument, type)`
  ("pick", seats, why)       one of these seats
  cards: ("set", mask)       exactly these cards; a symbol is what lies in a zone
  ("some", cards)            there is one                ("those", cards, condition)    ("agg", op, cards, c, value)
  ("local", depth)           the card that an aggregate is looking at
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

Term = tuple[Any, ...]
Value = int | Term
Range = tuple[float, float]

INFINITE = float("inf")
ANYTHING: Range = (-INFINITE, INFINITE)
EMPTY: Term = ("set", 0)


def is_symbol(value: Value) -> bool:
    """Whether a value is a symbol and nothing else."""
    return isinstance(value, tuple) and value[0] == "sym"


def _order(term: Value) -> str:
    return repr(term)


# --- sums -------------------------------------------------------------------------------------------------------------


def parts(value: Value) -> tuple[int, dict[Value, int]]:
    """A value as a fixed number and so many times other values."""
    if isinstance(value, int):
        return value, {}
    if value[0] == "lin":
        return value[1], dict(value[2])
    return 0, {value: 1}


def combined(first: Value, second: Value, factor: int = 1) -> Value:
    """first + factor * second."""
    if isinstance(first, int) and isinstance(second, int):
        return first + factor * second
    constant, factors = parts(first)
    more, others = parts(second)
    for atom, number in others.items():
        factors[atom] = factors.get(atom, 0) + factor * number
    return _sum(constant + factor * more, factors)


def scaled(value: Value, factor: int) -> Value:
    """factor * value."""
    return combined(0, value, factor)


def _sum(constant: int, factors: Mapping[Value, int]) -> Value:
    left = [(atom, factor) for atom, factor in factors.items() if factor]
    if not left:
        return constant
    if constant == 0 and len(left) == 1 and left[0][1] == 1:
        return left[0][0]
    return ("lin", constant, tuple(sorted(left, key=lambda item: _order(item[0]))))


# --- truth ------------------------------------------------------------------------------------------------------------


def at_most_zero(value: Value) -> Value:
    """Whether a value is at most 0."""
    if isinstance(value, int):
        return int(value <= 0)
    constant, factors = parts(value)
    if len(factors) == 1:
        ((atom, factor),) = factors.items()
        if isinstance(atom, tuple) and atom[0] == "f" and atom[1][0] == "count" and abs(factor) == 1:
            if factor == -1 and constant == 1:
                return some(atom[2][0])
            if factor == 1 and constant == 0:
                return negated(some(atom[2][0]))
    return ("le", value)


def equal(first: Value, second: Value, *, numbers: bool) -> Value:
    """Whether two values are the same."""
    if first == second:
        return 1
    if isinstance(first, int) and isinstance(second, int):
        return 0
    if not numbers:
        return ("eq", *sorted((first, second), key=_order))
    difference = combined(first, second, -1)
    if isinstance(difference, int):
        return int(difference == 0)
    constant, factors = parts(difference)
    if len(factors) == 1:
        ((atom, factor),) = factors.items()
        if constant == 0 and isinstance(atom, tuple) and atom[0] == "f" and atom[1][0] == "count":
            return negated(some(atom[2][0]))
        if constant % factor:
            return 0
        return ("eq", *sorted((atom, -constant // factor), key=_order))
    other = scaled(difference, -1)
    return ("eq", min(difference, other, key=_order), 0)


def negated(value: Value) -> Value:
    """Not."""
    if isinstance(value, int):
        return 1 - value
    if value[0] == "not":
        inner: Value = value[1]
        return inner
    if value[0] == "le":
        return at_most_zero(combined(1, value[1], -1))
    return ("not", value)


def joined(word: str, values: Iterable[Value]) -> Value:
    """`and` or `or` of truths."""
    decides = 0 if word == "and" else 1
    found: dict[Value, None] = {}
    for value in values:
        if isinstance(value, int):
            if value == decides:
                return decides
        elif value[0] == word:
            found.update(dict.fromkeys(value[1]))
        else:
            found[value] = None
    if any(negated(value) in found for value in found):
        return decides
    if len(found) < 2:
        return next(iter(found), 1 - decides)
    return (word, tuple(sorted(found, key=_order)))


def conditional(condition: Value, yes: Value, no: Value) -> Value:
    """One of two values."""
    if isinstance(condition, int):
        return yes if condition else no
    return yes if yes == no else ("if", condition, yes, no)


# --- cards ------------------------------------------------------------------------------------------------------------


def some(cards: Value) -> Value:
    """Whether there is a card."""
    assert isinstance(cards, tuple)
    match cards[0]:
        case "set":
            return int(cards[1] != 0)
        case "if":
            return conditional(cards[1], some(cards[2]), some(cards[3]))
        case "f" if cards[1][0] == "union":
            return joined("or", map(some, cards[2]))
    return ("some", cards)


def intersection(first: Value, second: Value, all_cards: int) -> Value:
    """The cards of both."""
    assert isinstance(first, tuple)
    assert isinstance(second, tuple)
    if first == second or EMPTY in (first, second):
        return EMPTY if EMPTY in (first, second) else first
    for one, other in ((first, second), (second, first)):
        match one[0]:
            case "set" if one[1] == all_cards:
                return other
            case "set" if other[0] == "set":
                return ("set", one[1] & other[1])
            case "if":
                return conditional(
                    one[1], intersection(one[2], other, all_cards), intersection(one[3], other, all_cards)
                )
            case "those" if one[1] == other:
                return one
            case "those" if one[1] == ("set", all_cards):
                return those(other, one[2])
            case "f" if one[1][0] == "union":
                return union(*(intersection(part, other, all_cards) for part in one[2]))
    return ("f", ("intersect",), tuple(sorted((first, second), key=_order)))


def union(first: Value, second: Value) -> Value:
    """The cards of either."""
    assert isinstance(first, tuple)
    assert isinstance(second, tuple)
    if first in (EMPTY, second):
        return second
    if second == EMPTY:
        return first
    if first[0] == second[0] == "set":
        return ("set", first[1] | second[1])
    return ("f", ("union",), tuple(sorted((first, second), key=_order)))


def those(cards: Value, condition: Value) -> Value:
    """The cards for which a condition holds."""
    if isinstance(condition, int):
        return cards if condition else EMPTY
    return cards if cards == EMPTY else ("those", cards, condition)


# --- symbols ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=50_000)
def symbols(value: Value) -> frozenset[int]:
    """The numbers of the symbols in a term."""
    found: set[int] = set()
    pending: list[Any] = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, tuple):
            if len(part) == 2 and part[0] == "sym":
                found.add(part[1])
            else:
                pending.extend(part)
    return frozenset(found)


Function = Callable[[Term, tuple[Value, ...]], Value]
"""What a function of the language is worth, by its key and its arguments."""


def rebuilt(value: Any, replace: Callable[[Term], Value | None], apply: Function) -> Any:
    """A term with some of its parts replaced, in normal form again."""
    if not isinstance(value, tuple):
        return value
    new = replace(value)
    if new is not None:
        return new
    kind = value[0] if value else None
    if kind == "sym" or kind in ("set", "local"):
        return value
    if kind == "lin":
        total: Value = value[1]
        for atom, factor in value[2]:
            total = combined(total, rebuilt(atom, replace, apply), factor)
        return total
    args = tuple(rebuilt(part, replace, apply) for part in value)
    if args == value:
        return value
    match kind:
        case "le":
            return at_most_zero(args[1])
        case "eq":
            return equal(args[1], args[2], numbers=args[2] == 0 or args[1] == 0)
        case "and" | "or":
            return joined(kind, args[1])
        case "not":
            return negated(args[1])
        case "if":
            return conditional(*args[1:])
        case "some":
            return some(args[1])
        case "those":
            return those(args[1], args[2])
        case "f":
            return apply(args[1], args[2])
    return args
