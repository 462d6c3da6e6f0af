"""What a set of cards comes to beside what a decision asks for: `7 of 7`, `2 of 3 cards`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fcdl.language.flowchart import MAX_CARDS, Expr, TakeSet, Type
from fcdl.language.sets import parts

if TYPE_CHECKING:
    from fcdl.model.reasons import Bound, Facts

_MIRRORED = {"less": "greater", "lessEqual": "greaterEqual", "greater": "less", "greaterEqual": "lessEqual"}
_AMOUNTS = frozenset({"sum", "count", "countOf"})
_SUMS_OF_AMOUNTS = frozenset({"add", "subtract", "multiply"})


@dataclass(frozen=True, slots=True)
class Tally:
    """A number that belongs to a set, and the least and the largest that are asked for."""

    number: int
    low: int | None
    high: int | None
    of_cards: bool
    """Whether it is the number of its cards."""

    @property
    def fits(self) -> bool:
        """Whether nothing more is asked for."""
        return (self.low is None or self.low <= self.number) and (self.high is None or self.number <= self.high)

    @property
    def wanted(self) -> str:
        """What is asked for: `7`, `at least 3`."""
        if self.low == self.high:
            return str(self.low)
        if self.high is None:
            return f"at least {self.low}"
        return f"at most {self.high}" if self.low is None else f"{self.low} to {self.high}"

    @property
    def failure(self) -> str:
        """Why it does not fit."""
        if self.of_cards:
            return f"it takes {self.wanted} card{'' if self.wanted == '1' else 's'}, not {self.number}"
        return f"the cards make {self.number}, not {self.wanted}"

    def __str__(self) -> str:
        return f"{self.number} of {self.wanted}{' cards' if self.of_cards else ''}"


def tallies(facts: Facts, statement: TakeSet, cards: int) -> list[Tally]:
    """What a set (a bit mask over the deck) comes to at a decision, as far as that are sums and numbers of cards."""
    found: dict[Tally, None] = {}
    sets = statement.sets
    while sets.op == "those":
        for part in parts(sets.args[1]):
            for tally in _of(facts, part, str(sets.name), {str(sets.name): cards}):
                found[tally] = None
        sets = sets.args[0]
    low, high = (facts.value(size) for size in sets.args[1:])
    if isinstance(low, int) and isinstance(high, int) and (low > 1 or high < MAX_CARDS):
        size = Tally(cards.bit_count(), max(low, 1), high if high < MAX_CARDS else None, of_cards=True)
        if low == high or not size.fits:
            found[size] = None
    return list(found)


def _of(facts: Facts, part: Expr, name: str, bound: Bound) -> Iterator[Tally]:
    """What a part of a condition asks of the set `name`: one tally if it compares an amount with something else."""
    if part.op == "if" and not _about(part.args[0], name):
        for inner in parts(part.args[1 if facts.value(part.args[0], bound) else 2]):
            yield from _of(facts, inner, name, bound)
        return
    if part.op not in ("equal", *_MIRRORED):
        return
    for (mine, other), op in (part.args, part.op), (part.args[::-1], _MIRRORED.get(part.op, "equal")):
        if not _is_amount(mine, name) or _about(other, name):
            continue
        number, goal = facts.value(mine, bound), facts.value(other, bound)
        if isinstance(number, int) and isinstance(goal, int):
            low = {"equal": goal, "greater": goal + 1, "greaterEqual": goal}.get(op)
            high = {"equal": goal, "less": goal - 1, "lessEqual": goal}.get(op)
            yield Tally(number, low, high, of_cards=mine.op == "count")


def _is_amount(expr: Expr, name: str) -> bool:
    """Whether an expression is a sum over the set, or a number of its cards, perhaps with something added."""
    if expr.type is not Type.INT or not _about(expr, name):
        return False
    if expr.op in _SUMS_OF_AMOUNTS:
        return all(_is_amount(arg, name) or not _about(arg, name) for arg in expr.args)
    return expr.op in _AMOUNTS


def _about(expr: Expr, name: str) -> bool:
    return any(part.op == "local" and part.name == name for part in expr.walk())
