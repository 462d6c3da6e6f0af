"""Which part of a chart and of the rules one grounding can need: gringo's time goes into rules and facts, used or not.

A segment is what the game can reach from one node before somebody must decide. It is read off the graph; that a longer
path than the game takes is prepared costs time only. Nothing here says what a node or an expression means.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from clingo import Symbol, SymbolType

from fcdl.language.flow import reachable, through_calls
from fcdl.language.flowchart import Choose, Flowchart, Gather, Play, Statement, TakeSet
from fcdl.language.ops import ARITHMETIC

_COMPARISON = ("equal", "notEqual", "lessThan", "lessOrEqual", "greaterThan", "greaterOrEqual")
_BY_OPERATION: Mapping[str, str] = {
    **dict.fromkeys(ARITHMETIC, "arithmetic"),
    **dict.fromkeys(_COMPARISON, "comparison"),
    **dict.fromkeys(("and", "or"), "logic"),
    **dict.fromkeys(("card", "count", "meet"), "cards"),
    **dict.fromkeys(("single", "theCard", "union", "intersect", "except", "empty", "member"), "sets"),
    **dict.fromkeys(("range", "one", "append", "number", "cards"), "lists"),
    "variable": "players",
    "place": "places",
    "meld": "melds",
    "theSet": "subsets",
}
"""The section of expressions.lp for each operation that is not a table."""
_BY_SIGNATURE: Mapping[str, tuple[str, ...]] = {
    "part/3": ("one",),
    "part/4": ("two",),
    "conditional/4": ("conditional",),
    "place/2": ("zones",),
    "placeOf/3": ("zones",),
    "pile/3": ("zones", "piles"),
    "pile/4": ("zones", "order"),
    "variableOf/3": ("players",),
    "aggregate/6": ("aggregate",),
    "subsets/7": ("aggregate", "subsets"),
}
_BY_AGGREGATE: Mapping[str, str] = {
    **dict.fromkeys(("sum", "count", "some"), "counting"),
    **dict.fromkeys(("largest", "smallest", "highest", "lowest"), "extremes"),
    "those": "those",
}
_BY_KIND: Mapping[str, str] = {
    "branch": "branch",
    "assign": "assign",
    "draw": "draw",
    "choose": "choose",
    "play": "play",
    "pick": "pick",
    "takeSet": "takeSet",
    "move": "move",
    "insert": "insert",
    "deal": "deal",
    "gather": "shuffle",
    "shuffle": "shuffle",
    "publish": "tell",
    "show": "tell",
}
"""The section of referee.lp for each kind of node."""
_ALWAYS = ("everyone/1", "players/1", "absent/2", "sees/2", "knows/2", "ordered/1", "plain/1", "key/4")
_OF_NODES = {"kind/3": 0, "leads/3": 0, "needs/5": 1, "arity/3": 1, "turn/4": 0, "watches/2": 0}
"""Facts about nodes and the place of the node's number in them."""
_OF_OPERATIONS = ("function/3", "function/4", "limits/3")

Facts = dict[str, list[Symbol]]


class Segments:
    """The facts and the sections for every place from which the referee can start."""

    def __init__(self, flowchart: Flowchart, static: Mapping[str, Sequence[Symbol]]) -> None:
        self._flowchart = flowchart
        self._nodes: dict[int, list[tuple[str, Symbol]]] = {}
        self._expressions: dict[Symbol, list[tuple[str, Symbol]]] = {}
        self._operations: dict[Symbol, list[tuple[str, Symbol]]] = {}
        self._always: Facts = {signature: list(static[signature]) for signature in _ALWAYS}
        self._after = through_calls(flowchart)
        for signature, facts in static.items():
            for fact in facts:
                arguments = fact.arguments
                if signature in _OF_NODES:
                    self._nodes.setdefault(arguments[_OF_NODES[signature]].number, []).append((signature, fact))
                elif signature in _OF_OPERATIONS:
                    self._operations.setdefault(arguments[0], []).append((signature, fact))
                elif signature not in _ALWAYS:
                    self._expressions.setdefault(arguments[0], []).append((signature, fact))
        self._known: dict[tuple[int, bool], tuple[Facts, frozenset[str]]] = {}

    def get(self, node: int, resumed: bool) -> tuple[Facts, frozenset[str]]:
        """The facts and the sections for a start at this node: on arrival, or resumed when its answer has come."""
        if (node, resumed) not in self._known:
            self._known[node, resumed] = self._make(node, resumed)
        return self._known[node, resumed]

    def _make(self, start: int, resumed: bool) -> tuple[Facts, frozenset[str]]:
        facts: Facts = {signature: list(items) for signature, items in self._always.items()}
        sections = {"base", "values", "carrying"}
        expressions: list[Symbol] = []
        reached = self._reach(start, resumed)
        if resumed:
            sections |= _resumed_sections(next(self._kinds(start)))
        for number in reached:
            for signature, fact in self._nodes.get(number, ()):
                facts.setdefault(signature, []).append(fact)
                if signature == "needs/5":
                    expressions.append(fact.arguments[4])
            sections.update(_BY_KIND[kind.name] for kind in self._kinds(number) if kind.name in _BY_KIND)
        operations: dict[Symbol, None] = {}
        for signature, fact in self._closure(expressions):
            facts.setdefault(signature, []).append(fact)
            sections.update(_BY_SIGNATURE.get(signature, ()))
            if signature in ("part/3", "part/4"):
                operations[fact.arguments[1]] = None
            elif signature == "aggregate/6":
                sections.add(_BY_AGGREGATE[fact.arguments[1].name])
        for operation in operations:
            if operation in self._operations:
                sections.add("functions")
                for signature, fact in self._operations[operation]:
                    facts.setdefault(signature, []).append(fact)
            else:
                sections.add(_BY_OPERATION.get(operation.name, "functions"))
        if "draw" in sections:
            sections.add("chance")
        return facts, frozenset(sections)

    def _kinds(self, number: int) -> Iterator[Symbol]:
        return (fact.arguments[1] for signature, fact in self._nodes[number] if signature == "kind/3")

    def _closure(self, expressions: Iterable[Symbol]) -> Iterator[tuple[str, Symbol]]:
        """The facts about expressions and all their parts."""
        pending = list(expressions)
        seen: set[Symbol] = set()
        while pending:
            expression = pending.pop()
            if expression in seen:
                continue
            seen.add(expression)
            for signature, fact in self._expressions.get(expression, ()):
                yield signature, fact
                pending.extend(part for part in fact.arguments[1:] if part.type is not SymbolType.String)

    def _reach(self, start: int, resumed: bool) -> Iterable[int]:
        """The nodes that can come before the next decision, that decision included."""
        roots = [*self._after[start], start] if resumed else [start]
        return reachable(roots, self._after, stop=lambda number: _waits(self._flowchart.nodes[number].statement))


def _waits(statement: Statement | None) -> bool:
    """Whether the game surely waits at a statement: not where there may be nothing to pick or take."""
    if isinstance(statement, TakeSet):
        return statement.may_pass or statement.word == "play"
    return isinstance(statement, Play | Choose | Gather)


def _resumed_sections(kind: Symbol) -> set[str]:
    """The sections for the answer that a node of this kind waits for."""
    if kind.name == "choose":
        return {"chosen"}
    if kind.name == "takeSet":
        return {"tookSet"}
    if kind.name == "play":
        return {"played", "passed"} if kind.arguments[0].number else {"played"}
    return set()
