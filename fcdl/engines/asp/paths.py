"""The paths through a cycle, followed by `asp/paths.lp`.

To the rules situations and conditions are terms that say nothing; functions that know what they mean come with them.
Nothing is solved: all states are facts after grounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from operator import itemgetter
from typing import Any

from clingo import Function, Number, String, Symbol, SymbolType, Tuple_

from fcdl.engines.asp.program import by_signature, rules
from fcdl.language.flowchart import Expr
from fcdl.language.loops import MainLoop

_INPUTS = (
    "begins/2", "head/1", "inside/1", "closing/1", "loop/2", "arrow/3", "is/2", "apart/0", "merged/0",
)  # fmt: skip
_NAMES = {True: Function("yes"), False: Function("no"), None: Function("none")}


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a condition holds; `said`: whether that is the arrow for yes at the place, None if no arrow is taken."""

    place: int
    condition: Expr
    holds: bool
    said: bool | None


@dataclass(slots=True, eq=False)
class State:
    """A state on some path: what is told there, and to which states it leads, by which answer if there are two.

    `end` is why a path ends there (None: the cycle is over) and the place of the reason, `remembered` are its answers.
    """

    situation: Any
    told: list[Any] = field(default_factory=list)
    to: list[tuple[Answer | None, State]] = field(default_factory=list)
    end: tuple[str | None, int] | None = None
    remembered: tuple[Answer, ...] = ()


def follow(main: MainLoop, start: tuple[int, object], functions: object, *, merged: bool) -> list[State]:
    """The states of all paths from a place and a situation, each before those to which it leads; none if no path ends.

    `functions` has a method for each function that the rules call; what these raise is raised.
    """
    terms = _Terms(functions)
    begins = [terms.symbol(("begins", *start)), Function("merged" if merged else "apart")]
    grounding = rules(("paths.lp",), _INPUTS).ground(by_signature([*_facts(main), *begins]), terms)

    @cache
    def state(symbol: Symbol) -> State:
        return State(terms.value(symbol.arguments[1]) if symbol.arguments else start[1])

    def rows(name: str) -> list[list[Symbol]]:
        return [fact.arguments for fact in grounding.facts(name, 3)]

    for source, answer, target in rows("leads"):
        state(source).to.append((terms.answer(*answer.arguments) if answer.arguments else None, state(target)))
    for source, _, condition in sorted(rows("tells"), key=itemgetter(1)):
        state(source).told.append(terms.value(condition))
    for source, reason, place in rows("ends"):
        state(source).end = terms.value(reason), place.number
        state(source).remembered = tuple(terms.remembered(source.arguments[-1]))[::-1]
    first = state(Function("start"))
    return _in_order(first) if first.to else []


def _facts(main: MainLoop) -> Iterator[Symbol]:
    """The main loop as the rules read it."""
    yield Function("head", [Number(main.loop.head)])
    yield from (Function("closing", [Number(n)]) for n in main.closing)
    yield from (Function("loop", [Number(loop.head), Number(n)]) for loop in main.others for n in loop.places)
    for n in main.loop.places:
        place, node = main.places[n], main.places[n].node
        kind = "diamond" if place.yes is not None else "statement"
        yield Function("inside", [Number(n)])
        yield Function("is", [Number(n), Function(kind)])
        if node.is_decision:
            yield Function("is", [Number(n), Function("decision")])
        arrows = {"on": place.next, "yes": place.yes, "no": place.no}
        for answer, to in arrows.items():
            if to is not None:
                yield Function("arrow", [Number(n), Function(answer), Number(to)])


def _in_order(first: State) -> list[State]:
    """All states, each before those to which it leads; a step back to where the path came from is left out."""
    left: list[State] = []
    entered: set[State] = set()
    pending = [(first, False)]
    while pending:
        state, leaving = pending.pop()
        if leaving:
            left.append(state)
        elif state not in entered:
            entered.add(state)
            state.to.sort(key=lambda item: item[0] is not None and not item[0].holds)
            pending += [(state, True), *((to, False) for _, to in state.to)]
    order = {state: number for number, state in enumerate(reversed(left))}
    for state, number in order.items():
        state.to = [(answer, to) for answer, to in state.to if order[to] > number]
    return list(order)


class _Terms:
    """Terms for objects: of their own kind for numbers, texts, truth and tuples, otherwise `x(number)`.

    A tuple that begins with a text is a term of that name. As the context of a grounding this calls the functions, once
    for the same arguments, so that what they find is one term.
    """

    def __init__(self, functions: object) -> None:
        self._functions = functions
        self._symbols: dict[object, Symbol] = {}
        self._values: dict[Symbol, object] = {symbol: value for value, symbol in _NAMES.items()}

    def __getattr__(self, name: str) -> Callable[..., Symbol | list[Symbol]]:
        function = getattr(self._functions, name)

        @cache
        def call(*symbols: Symbol) -> Symbol | list[Symbol]:
            found = function(*map(self.value, symbols))
            return [self.symbol(item) for item in found] if isinstance(found, list) else self.symbol(found)

        setattr(self, name, call)
        return call

    def symbol(self, value: object) -> Symbol:
        """The term for an object."""
        match value:
            case None | bool():
                return _NAMES[value]
            case int():
                return Number(value)
            case str():
                return String(value)
            case (str() as name, *rest):
                return Function(name, [self.symbol(item) for item in rest])
            case tuple():
                return Tuple_([self.symbol(item) for item in value])
        if value not in self._symbols:
            self._symbols[value] = symbol = Function("x", [Number(len(self._symbols))])
            self._values[symbol] = value
        return self._symbols[value]

    def value(self, symbol: Symbol) -> Any:
        """The object that a term stands for; the name of any other term."""
        if symbol not in self._values:
            kinds = {SymbolType.Number: "number", SymbolType.String: "string"}
            self._values[symbol] = getattr(symbol, kinds.get(symbol.type, "name"))
        return self._values[symbol]

    def answer(self, place: Symbol, *answer: Symbol) -> Answer:
        """What `answer(N,C,A,Said)` says."""
        return Answer(place.number, *map(self.value, answer))

    def remembered(self, said: Symbol) -> Iterator[Answer]:
        """The answers of `said(Last,said(...))`, the last one first."""
        while said.arguments:
            answer, said = said.arguments
            yield self.answer(*answer.arguments)
