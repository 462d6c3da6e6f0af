"""The ways through a pass, followed by `asp/ways.lp`.

To the rules, situations and conditions are terms that say nothing; the functions that know what they mean come with
them. Nothing is solved: all states are facts after grounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from operator import itemgetter
from typing import Any

from clingo import Control, Function, Number, String, Symbol, SymbolType, Tuple_

from fcdl.data import data_text
from fcdl.engines.asp.program import Complaints, derived
from fcdl.language.flowchart import Expr, Pick
from fcdl.language.loops import MainLoop


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a condition holds, asked at a place; `said` is whether this is to say yes there, None if nobody asks."""

    place: int
    condition: Expr
    holds: bool
    said: bool | None


@dataclass(slots=True, eq=False)
class State:
    """A state on some way: what is told there, and where it leads, with the answer to it if there are two.

    `end` is why the way ends there (None: the pass is over) and the place of the reason, `remembered` what was answered
    on the way to an end.
    """

    place: int = 0
    situation: Any = None
    told: list[Any] = field(default_factory=list)
    to: list[tuple[Answer | None, State]] = field(default_factory=list)
    end: tuple[str | None, int] | None = None
    remembered: tuple[Answer, ...] = ()


def follow(main: MainLoop, start: tuple[int, object], functions: object, *, merged: bool) -> list[State]:
    """The states of all ways from a place and a situation there, each before those to which it leads.

    `functions` has a method for each function that the rules call. There are no states if no way ever ends.
    """
    terms = _Terms(functions)
    complaints = Complaints()
    control = Control(logger=complaints)
    control.add("base", [], data_text("asp", "ways.lp"))
    control.add("base", [], " ".join(_facts(main)))
    control.add("base", [], f"{terms.symbol(('begins', *start))}. {'merged' if merged else 'apart'}.")
    complaints.watch(lambda: control.ground([("base", [])], context=terms))
    states: dict[Symbol, State] = {}
    for source, answer, target in _rows(control, "leads"):
        for symbol in (source, target):
            if symbol not in states:
                states[symbol] = terms.state(symbol)
        states[source].to.append((terms.answer(states[source].place, answer), states[target]))
    for source, _, condition in sorted(_rows(control, "tells"), key=itemgetter(1)):
        states[source].told.append(terms.value(condition))
    for source, reason, place in _rows(control, "ends"):
        states[source].end = terms.value(reason), place.number
        states[source].remembered = tuple(terms.remembered(source))[::-1]
    return _in_order(states[_START]) if states else []


def _facts(main: MainLoop) -> Iterator[str]:
    """The main loop as the rules read it."""
    yield f"head({main.loop.head})."
    yield from (f"closing({n})." for n in main.closing)
    yield from (f"loop({loop.head},{n})." for loop in main.others for n in loop.places)
    for n in main.loop.places:
        place, node = main.places[n], main.places[n].node
        kind = "diamond" if place.yes is not None else "pick" if isinstance(node.statement, Pick) else "statement"
        yield f"inside({n}). is({n},{kind})."
        if node.is_decision or kind == "diamond":
            yield f"is({n},naming)."
        arrows = {"on": place.next, "yes": place.yes, "no": place.no}
        yield from (f"arrow({n},{answer},{to})." for answer, to in arrows.items() if to is not None)


def _rows(control: Control, name: str) -> list[list[Symbol]]:
    """The arguments of all facts of a name."""
    return [symbol.arguments for symbol in derived(control, name, 3)]


def _in_order(first: State) -> list[State]:
    """All states, each before those to which it leads; an arrow back to where the way came from is left out."""
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


_START = Function("start")
_NAMES = {"yes": True, "no": False, "none": None}


class _Terms:
    """Terms for objects: of their own kind for numbers, texts, truth and tuples, otherwise `x(number)`.

    A tuple that begins with a text is a term of that name. As the context of a grounding this calls the functions,
    once for the same arguments, so that what they find is one term.
    """

    def __init__(self, functions: object) -> None:
        self._functions = functions
        self._values: dict[Symbol, object] = {}
        self._symbols: dict[object, Symbol] = {}

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
            case None:
                return Function("none")
            case bool():
                return Function("yes" if value else "no")
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
        """The object that a term stands for."""
        if symbol not in self._values:
            if symbol.type is SymbolType.Number:
                self._values[symbol] = symbol.number
            elif symbol.type is SymbolType.String:
                self._values[symbol] = symbol.string
            else:
                self._values[symbol] = _NAMES.get(symbol.name, symbol.name)
        return self._values[symbol]

    def state(self, symbol: Symbol) -> State:
        """The state that a term stands for; at the start there is nothing yet."""
        return State(*map(self.value, symbol.arguments[:2]))

    def answer(self, place: int, symbol: Symbol) -> Answer | None:
        """The answer that leads on from a place, if there is one."""
        return Answer(place, *map(self.value, symbol.arguments)) if symbol.arguments else None

    def remembered(self, symbol: Symbol) -> Iterator[Answer]:
        """The answers that are remembered at the end of a way, the last one first."""
        said = symbol.arguments[-1]
        while said.arguments:
            place, answer, said = said.arguments
            yield Answer(place.number, *map(self.value, answer.arguments))
