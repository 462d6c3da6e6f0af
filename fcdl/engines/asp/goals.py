"""What a player should want when scores change only after the main loop, found by `asp/goals.lp`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from clingo import Function, Number, Symbol

from fcdl.engines.asp.program import Budget, Term, by_signature, rules, symbol_of

SECONDS = 30.0
_INPUTS = ("case/2", "told/2", "moves/1", "natural/1")


def find_goals(
    cases: Sequence[tuple[int, Collection[Term]]], moves: Collection[Term], natural: Collection[Term]
) -> set[tuple[int, int, str]]:
    """From cases (a gain, and the conditions that hold): in which case to want more (1) or less (-1) of which property.

    Properties are told as texts of terms; distances are `distance(A,B)`. Raises GaveUpError.
    """
    budget = Budget(SECONDS)
    facts = by_signature(_facts(cases, moves, natural))
    grounding = rules(("goals.lp",), _INPUTS).ground(facts, budget=budget)
    found: set[tuple[int, int, str]] = set()
    for symbol in next(grounding.answers(budget)):
        case, sign, what = symbol.arguments
        found.add((case.number, sign.number, str(what)))
    return found


def _facts(
    cases: Sequence[tuple[int, Collection[Term]]], moves: Collection[Term], natural: Collection[Term]
) -> Iterator[Symbol]:
    yield from (Function("moves", [symbol_of(term)]) for term in moves)
    yield from (Function("natural", [symbol_of(term)]) for term in natural)
    for number, (gain, conditions) in enumerate(cases):
        yield Function("case", [Number(number), Number(gain)])
        yield from (Function("told", [Number(number), symbol_of(term)]) for term in conditions)
