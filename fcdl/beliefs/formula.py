"""Formulas about hidden cards, and values that depend on them.

A formula is made of atoms: *card C is in zone Z before step T*, *step T moved card C*, *the hidden value of event E
is V*. A `Value` is a number that depends on the hidden part: each number it can be, with the formula under which it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar, Self

MAX_CASES = 100
MANY_FORMULAS = 100_000
"""So many are kept; formulas that are made again after that are only not recognised as the same."""


class UnclearError(Exception):
    """Something that depends on hidden cards in a way that formulas here do not express."""


class TooManyCasesError(UnclearError):
    """A value that depends on the hidden cards in too many ways to be written as a formula."""

    def __init__(self) -> None:
        super().__init__("it depends on hidden cards in too many ways")


class Formula:
    """`true`, `false`, `at` (step, card, zone), `moved` (step, card), `hidden` (event, value), or made of `parts`.

    Made of parts: `and`, `or`, `not`, and `atLeast` (number). The same formula is made once, so that formulas that
    share their parts many times over are compared in no time.
    """

    __slots__ = ("atom", "kind", "parts")
    kind: str
    atom: tuple[int | str, ...]
    parts: tuple[Formula, ...]
    _made: ClassVar[dict[tuple[object, ...], Formula]] = {}

    def __new__(cls, kind: str, atom: tuple[int | str, ...] = (), parts: tuple[Formula, ...] = ()) -> Self:
        """The formula, which is another one only if it differs."""
        key = (kind, atom, parts)
        made = cls._made.get(key)
        if made is None:
            if len(cls._made) >= MANY_FORMULAS:
                cls._made.clear()
            made = super().__new__(cls)
            made.kind, made.atom, made.parts = key
            made = cls._made.setdefault(key, made)
        return made  # type: ignore[return-value]

    def __repr__(self) -> str:
        return f"Formula{(self.kind, self.atom, self.parts)}"


TRUE = Formula("true")
FALSE = Formula("false")


def both(parts: Iterable[Formula]) -> Formula:
    """All of the parts hold."""
    kept = tuple(dict.fromkeys(part for part in parts if part is not TRUE))
    if FALSE in kept:
        return FALSE
    return TRUE if not kept else kept[0] if len(kept) == 1 else Formula("and", parts=kept)


def either(parts: Iterable[Formula]) -> Formula:
    """At least one of the parts holds."""
    kept = tuple(dict.fromkeys(part for part in parts if part is not FALSE))
    if TRUE in kept:
        return TRUE
    return FALSE if not kept else kept[0] if len(kept) == 1 else Formula("or", parts=kept)


def negated(part: Formula) -> Formula:
    """The part does not hold."""
    if part is TRUE or part is FALSE:
        return FALSE if part is TRUE else TRUE
    return part.parts[0] if part.kind == "not" else Formula("not", parts=(part,))


def same(first: Formula, second: Formula) -> Formula:
    """Both hold or neither does."""
    return either((both((first, second)), both((negated(first), negated(second)))))


def at_least(number: int, parts: Iterable[Formula]) -> Formula:
    """At least so many of the parts hold (parts that are the same formula count once each)."""
    listed = list(parts)
    number -= sum(part is TRUE for part in listed)
    unknown = tuple(part for part in listed if part is not TRUE and part is not FALSE)
    if number <= 0:
        return TRUE
    if number > len(unknown):
        return FALSE
    if number == 1:
        return either(unknown)
    if number == len(unknown):
        return both(unknown)
    return Formula("atLeast", (number,), unknown)


Value = Mapping[int, Formula]
"""Each number something can be, with the condition under which it is; exactly one condition holds."""


def known(number: int) -> Value:
    """A value that does not depend on anything hidden."""
    return {number: TRUE}


def truth(formula: Formula) -> Value:
    """A formula as a value, 1 or 0."""
    cases = {1: formula, 0: negated(formula)}
    return {number: condition for number, condition in cases.items() if condition is not FALSE}


def holds(value: Value) -> Formula:
    """A value, 1 or 0, as a formula."""
    return value.get(1, FALSE)


def the_number(value: Value) -> int | None:
    """The number, if it is known."""
    return next(iter(value)) if len(value) == 1 else None


def combine(operation: Callable[..., int], *values: Value) -> Value:
    """The operation on values, case by case."""
    cases: dict[tuple[int, ...], list[Formula]] = {(): [TRUE]}
    for value in values:
        grown: dict[tuple[int, ...], list[Formula]] = {}
        for numbers, conditions in cases.items():
            for number, condition in value.items():
                together = both((*conditions, condition))
                if together is not FALSE:
                    grown[(*numbers, number)] = [together]
                    if len(grown) > MAX_CASES:
                        raise TooManyCasesError
        cases = grown
    results: dict[int, list[Formula]] = {}
    for numbers, conditions in cases.items():
        results.setdefault(operation(*numbers), []).extend(conditions)
    return {number: either(conditions) for number, conditions in results.items()}


def count_of(parts: Iterable[Formula]) -> Value:
    """How many of the parts hold."""
    listed = [part for part in parts if part is not FALSE]
    result: dict[int, Formula] = {}
    for number in range(len(listed) + 1):
        condition = both((at_least(number, listed), negated(at_least(number + 1, listed))))
        if condition is not FALSE:
            result[number] = condition
    return result
