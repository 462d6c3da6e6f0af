"""The proof that exactly one path applies to every cycle: `asp/exactly_one.lp` has no answer set."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from clingo import Function, Number, Symbol

from fcdl.engines.asp.program import Budget, Term, by_signature, rules, symbol_of

SECONDS = 60.0
_INPUTS = ("path/1", "names/2", "asks/2", "instance/1", "is/2")


def counterexample(
    paths: Sequence[tuple[Collection[Term], Collection[Term]]],
    instances: Sequence[Collection[Term]],
    seconds: float = SECONDS,
) -> tuple[str, ...] | None:
    """A cycle to which not exactly one path applies, None if there is no such cycle; raises GaveUpError.

    A path is who is who, and its conditions; an instance is who is who at the same time.
    """
    budget = Budget(seconds)
    grounding = rules(("exactly_one.lp",), _INPUTS).ground(by_signature(_facts(paths, instances)), budget=budget)
    found = next(grounding.answers(budget), None)
    return None if found is None else tuple(sorted(map(str, found)))


def _facts(
    paths: Sequence[tuple[Collection[Term], Collection[Term]]], instances: Sequence[Collection[Term]]
) -> Iterator[Symbol]:
    for number, (names, conditions) in enumerate(paths):
        path = Number(number)
        yield Function("path", [path])
        yield from (Function("names", [path, symbol_of(term)]) for term in names)
        yield from (Function("asks", [path, symbol_of(term)]) for term in conditions)
    for number, names in enumerate(instances):
        instance = Number(number)
        yield Function("instance", [instance])
        yield from (Function("is", [instance, symbol_of(term)]) for term in names)
