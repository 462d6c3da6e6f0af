"""The ways through a pass, followed by `asp/ways.lp`.

Situations and conditions are nothing but numbers to the rules; `algebra` has the functions that know what they mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from clingo import Control, Function, Number, String, Symbol, SymbolType, Tuple_

from fcdl.data import data_text
from fcdl.engines.asp.program import Complaints, derived
from fcdl.language.flowchart import Expr


@dataclass(frozen=True, slots=True)
class Answer:
    """A condition, whether it holds, and whether this was to say yes to what the chart asks, if it does."""

    condition: Expr
    holds: bool
    said: bool | None


@dataclass(slots=True, eq=False)
class State:
    """A state on some way: the place, the situation, and the answers that are remembered, each with its place.

    `told` are conditions. `to` are the states that follow, with the answer that leads there if there are two. `end` is
    why and where it ends, if it does.
    """

    place: int = 0
    situation: Any = None
    remembered: tuple[tuple[int, Answer], ...] = ()
    told: list[Any] = field(default_factory=list)
    to: list[tuple[Answer | None, State]] = field(default_factory=list)
    end: tuple[str | None, int] | None = None


class _Terms:
    """Terms for Python's objects: of their own kind for numbers, texts, truth and tuples, otherwise `x(number)`.

    A tuple that begins with a text is a term of that name. As the context of a grounding it has the algebra's functions.
    """

    def __init__(self, algebra: object) -> None:
        self._algebra = algebra
        self._values: dict[Symbol, object] = {}
        self._symbols: dict[object, Symbol] = {}

    def __getattr__(self, name: str) -> Callable[..., Symbol | list[Symbol]]:
        function = getattr(self._algebra, name)

        def call(*symbols: Symbol) -> Symbol | list[Symbol]:
            found = function(*map(self.value, symbols))
            return [self.symbol(item) for item in found] if isinstance(found, list) else self.symbol(found)

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
            match symbol.type:
                case SymbolType.Number:
                    self._values[symbol] = symbol.number
                case SymbolType.String:
                    self._values[symbol] = symbol.string
                case _:
                    self._values[symbol] = {"yes": True, "no": False, "none": None}.get(symbol.name, symbol.name)
        return self._values[symbol]

    def answer(self, symbol: Symbol) -> Answer | None:
        """What an answer's term says."""
        return Answer(*map(self.value, symbol.arguments)) if symbol.name == "answer" else None

    def state(self, symbol: Symbol) -> State:
        """What a state's term says."""
        if not symbol.arguments:
            return State()
        place, situation = symbol.arguments[:2]
        return State(place.number, self.value(situation))

    def remembered(self, symbol: Symbol) -> Iterator[tuple[int, Answer]]:
        """The answers that are remembered in a state, the last one first."""
        said = symbol.arguments[-1]
        while said.arguments:
            where, answer, said = said.arguments
            yield where.number, Answer(*map(self.value, answer.arguments))


def follow(chart: Iterable[tuple[object, ...]], place: int, situation: object, algebra: object) -> State | None:
    """The first state of all ways that begin at a place; None if none of them ever ends.

    `chart` are facts and `algebra` has functions as `asp/ways.lp` wants them.
    """
    terms = _Terms(algebra)
    complaints = Complaints()
    control = Control(logger=complaints)
    control.add("base", [], data_text("asp", "ways.lp"))
    facts = [terms.symbol(fact) for fact in (*chart, ("begins", place, situation))]
    control.add("base", [], "".join(f"{fact}." for fact in facts))
    complaints.watch(lambda: control.ground([("base", [])], context=terms))
    states = {atom.arguments[0]: terms.state(atom.arguments[0]) for atom in derived(control, "_arrives", 1)}
    for atom in sorted(derived(control, "tells", 3)):
        state, _, condition = atom.arguments
        if state in states:
            states[state].told.append(terms.value(condition))
    for atom in derived(control, "ends", 3):
        state, reason, where = atom.arguments
        states[state].end = terms.value(reason), where.number
        states[state].remembered = tuple(terms.remembered(state))[::-1]
    for atom in derived(control, "leads", 3):
        state, answer, target = atom.arguments
        if target in states:
            states[state].to.append((terms.answer(answer), states[target]))
    return states.get(Function("start"))
