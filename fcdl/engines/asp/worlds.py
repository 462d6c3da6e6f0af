"""Solutions of puzzles about hidden cards, as answer sets of `asp/worlds.lp`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from clingo import Function, Number, Symbol

from fcdl.engines.asp.program import Budget, by_signature, rules

RANDOM_OPTIONS = ("--restart-on-model", "--rand-freq=1", "--sign-def=rnd")
"""What of the thesis's options for random answer sets (4.6) today's clingo still has."""


SECONDS = 600.0
_INPUTS = (
    "card/1", "start/1", "step/4", "seen/2", "hidden/1", "alternative/2", "isTrue/1", "isAt/4", "isMoved/3",
    "isValue/3", "isAnd/1", "isOr/1", "isNot/1", "isAtLeast/2", "part/2", "required/1",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact whose arguments are numbers; nothing that a user wrote gets here."""

    name: str
    arguments: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Solution:
    """One answer set: the cards that hidden steps moved, and the hidden values of events."""

    moves: tuple[tuple[int, int], ...]
    values: tuple[tuple[int, int], ...]


def solve(
    facts: Iterable[Fact], *, limit: int = 0, seconds: float | None = None, random_seed: int | None = None
) -> Iterator[Solution]:
    """Answer sets, at most `limit` (0: all); with a seed clingo's randomised search makes them, one after another.

    Raises GaveUpError when they have not all come after so many seconds.
    """
    budget = Budget(SECONDS if seconds is None else seconds)
    options = [f"--models={limit}"]
    if random_seed is not None:
        options += [*RANDOM_OPTIONS, f"--seed={random_seed % 2**31}"]
    symbols = by_signature(Function(fact.name, [Number(n) for n in fact.arguments]) for fact in facts)
    grounding = rules(("worlds.lp",), _INPUTS).ground(symbols, budget=budget, options=options)
    yield from map(_solution, islice(grounding.answers(budget), limit or None))


def _solution(answer: Sequence[Symbol]) -> Solution:
    moves: list[tuple[int, int]] = []
    values: list[tuple[int, int]] = []
    for symbol in answer:
        pair = (symbol.arguments[0].number, symbol.arguments[1].number)
        (moves if symbol.name == "moves" else values).append(pair)
    return Solution(tuple(sorted(moves)), tuple(sorted(values)))
