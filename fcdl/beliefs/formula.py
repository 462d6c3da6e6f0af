"""Formulas about hidden cards, and values that depend on them.

A formula is made of atoms: *card C is in zone Z before step T*, *step T moved card C*, *the hidden value of event E
is V*. A `Value` is a number that depends on the hidden part: each number it can be, with the formula under which it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import ClassVar, Self

from fcdl.language.flowchart import QUESTION_CASES

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
    kept = tuple(dict.fromkeys(flat for part in parts for flat in (part.parts if part.kind == "and" else (part,))))
    if TRUE in kept:
        kept = tuple(part for part in kept if part is not TRUE)
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


class Count(dict[int, Formula]):
    """How many of its parts hold, as a value. It knows its parts, so that "at least two" stays one formula."""

    __slots__ = ("parts",)

    def __init__(self, parts: Iterable[Formula]) -> None:
        self.parts = tuple(part for part in parts if part is not FALSE)
        for number in range(len(self.parts) + 1):
            condition = self.between(number, number)
            if condition is not FALSE:
                self[number] = condition

    def between(self, low: int, high: int) -> Formula:
        """The count is one of these numbers."""
        return both((at_least(low, self.parts), negated(at_least(high + 1, self.parts))))

    def mapped(self, operation: Callable[[int], int]) -> Value:
        """The operation on the count."""
        results: dict[int, list[Formula]] = {}
        for result, numbers in groupby(sorted(self), operation):
            listed = list(numbers)
            results.setdefault(result, []).append(self.between(listed[0], listed[-1]))
        return {number: either(conditions) for number, conditions in results.items()}


def combine(operation: Callable[..., int], *values: Value) -> Value:
    """The operation on values, case by case."""
    unknown = [index for index, value in enumerate(values) if len(value) != 1]
    if len(unknown) == 1 and isinstance(count := values[unknown[0]], Count):
        given = [next(iter(value)) for value in values]
        return count.mapped(lambda number: operation(*given[: unknown[0]], number, *given[unknown[0] + 1 :]))
    cases: dict[tuple[int, ...], list[Formula]] = {(): [TRUE]}
    for value in values:
        grown: dict[tuple[int, ...], list[Formula]] = {}
        for numbers, conditions in cases.items():
            for number, condition in value.items():
                together = both((*conditions, condition))
                if together is not FALSE:
                    grown[(*numbers, number)] = [together]
                    if len(grown) > QUESTION_CASES:
                        raise TooManyCasesError
        cases = grown
    results: dict[int, list[Formula]] = {}
    for numbers, conditions in cases.items():
        results.setdefault(operation(*numbers), []).extend(conditions)
    return {number: either(conditions) for number, conditions in results.items()}


def factored(parts: Iterable[Formula]) -> Formula:
    """At least one of the parts holds; what several of them have in common is said once.

    So "some card of the hand has a twin there" becomes "at least two of this rank, or at least two of that".
    """
    groups: dict[Formula, list[Formula]] = {}
    rest: list[Formula] = []
    for part in parts:
        shared = [sub for sub in part.parts if sub.kind in ("atLeast", "or")] if part.kind == "and" else []
        if shared and len(part.parts) == 2:
            other = part.parts[0] if part.parts[1] is shared[0] else part.parts[1]
            groups.setdefault(shared[0], []).append(other)
        else:
            rest.append(part)
    for shared_part, others in groups.items():
        number = int(shared_part.atom[0]) if shared_part.kind == "atLeast" else 1
        common = set(others) & set(shared_part.parts)
        covered = len(common) > len(shared_part.parts) - number  # so many hold that one of these must be among them
        rest.append(shared_part if covered else both((shared_part, either(others))))
    return either(rest)
