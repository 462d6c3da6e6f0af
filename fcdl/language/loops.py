"""The loops of a chart: the one that is the game, and those inside and after it.

Sub-charts are put in the place of their calls first, so that loops may cross charts: a `Place` is a node on one way of
calling it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fcdl.errors import FcdlError
from fcdl.language.flowchart import Assign, CallChart, Flowchart, Node, NodeKind

if TYPE_CHECKING:
    import networkx as nx


class OutsideError(FcdlError):
    """A chart that the method does not cover: `node` is where, the message says why."""

    def __init__(self, reason: str, node: Node | None = None) -> None:
        super().__init__(reason if node is None else f"node {node.number} ({node.caption}): {reason}")
        self.node = node


@dataclass(frozen=True, slots=True)
class Place:
    """A node where it stands when all sub-charts are drawn out; arrows lead to other places."""

    number: int
    node: Node
    next: int | None = None
    yes: int | None = None
    no: int | None = None

    @property
    def successors(self) -> tuple[int, ...]:
        """Where the arrows lead."""
        return tuple(n for n in (self.next, self.yes, self.no) if n is not None)


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop: the place where it is entered, all its places, and its diamonds with an arrow that leaves it."""

    head: int
    places: frozenset[int]
    exits: frozenset[int]


@dataclass(frozen=True, slots=True)
class MainLoop:
    """The loop that is the game, and all other loops that do not contain it, inner ones after outer ones."""

    places: Mapping[int, Place]
    loop: Loop
    others: tuple[Loop, ...]


def main_loop(flowchart: Flowchart) -> MainLoop:
    """The smallest loop with all decisions and all changes of the score that a larger one has; OutsideError if none."""
    places = draw_out(flowchart)
    graph = _graph(places)
    deciding = [n for n in places if places[n].node.is_decision]
    if not deciding:
        raise OutsideError("the chart has no decision")
    loop = _containing(graph, set(places), deciding, places)
    if loop is None:
        raise _not_repetitive(graph, deciding, places)
    scoring = {n for n in loop.places if changes_score(places[n].node)}
    while inner := _containing(graph, loop.places - {loop.head}, {*deciding, *scoring}, places):
        loop = inner
    for n in sorted(loop.places - {loop.head}):
        if any(m not in loop.places for m in graph.predecessors(n)):
            raise OutsideError("the main loop is entered here and elsewhere", places[n].node)
    others = _all_loops(graph, set(places) - loop.places, places) + _all_loops(graph, loop.places - {loop.head}, places)
    return MainLoop(places, loop, tuple(others))


def changes_score(node: Node) -> bool:
    """Whether a node assigns to somebody's score."""
    return isinstance(node.statement, Assign) and node.statement.target.name == "score"


def draw_out(flowchart: Flowchart) -> dict[int, Place]:
    """All places that can be reached, numbered in the order in which they are met; the start is 0."""
    numbers: dict[tuple[tuple[int, ...], int], int] = {}
    pending: list[tuple[tuple[int, ...], int]] = []

    def number(calls: tuple[int, ...], node: int | None) -> int | None:
        if node is None:
            return None
        key = (calls, node)
        if key not in numbers:
            numbers[key] = len(numbers)
            pending.append(key)
        return numbers[key]

    number((), flowchart.charts[flowchart.main].start)
    places = {}
    while pending:
        key = calls, at = pending.pop()
        node = flowchart.nodes[at]
        to = number(calls, node.next) if not isinstance(node.statement, CallChart) else None
        if isinstance(node.statement, CallChart):
            to = number((*calls, at), flowchart.charts[node.statement.chart].start)
        elif node.kind is NodeKind.END and calls:
            to = number(calls[:-1], flowchart.nodes[calls[-1]].next)
        places[numbers[key]] = Place(numbers[key], node, to, number(calls, node.yes), number(calls, node.no))
    return dict(sorted(places.items()))


def _graph(places: Mapping[int, Place]) -> nx.DiGraph[int]:
    import networkx as nx  # takes longer to import than a chart takes to check

    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(places)
    graph.add_edges_from((place.number, to) for place in places.values() for to in place.successors)
    return graph


def _loops(graph: nx.DiGraph[int], within: Set[int], places: Mapping[int, Place]) -> list[Loop]:
    """The largest loops among some places."""
    import networkx as nx

    part = graph.subgraph(within)
    found = []
    for component in nx.strongly_connected_components(part):
        first = min(component)
        if len(component) == 1 and not part.has_edge(first, first):
            continue
        entries = sorted(n for n in component if any(m not in component for m in graph.predecessors(n)))
        exits = frozenset(
            n for n in component if places[n].yes is not None and any(m not in component for m in places[n].successors)
        )
        found.append(Loop(entries[0] if entries else first, frozenset(component), exits))
    return sorted(found, key=lambda loop: loop.head)


def _all_loops(graph: nx.DiGraph[int], within: Set[int], places: Mapping[int, Place]) -> list[Loop]:
    """The loops among some places and the loops inside of them."""
    found = []
    for loop in _loops(graph, within, places):
        found.append(loop)
        found.extend(_all_loops(graph, loop.places - {loop.head}, places))
    return found


def _containing(
    graph: nx.DiGraph[int], within: Set[int], wanted: Iterable[int], places: Mapping[int, Place]
) -> Loop | None:
    """The loop among some places that contains all the wanted ones."""
    for loop in _loops(graph, within, places):
        if loop.places.issuperset(wanted):
            return loop
    return None


def _not_repetitive(graph: nx.DiGraph[int], deciding: list[int], places: Mapping[int, Place]) -> OutsideError:
    loops = _loops(graph, set(places), places)
    largest = max(loops, key=lambda loop: len(loop.places.intersection(deciding)), default=None)
    for n in deciding:
        if largest is None or n not in largest.places:
            return OutsideError("no loop contains this decision together with all others", places[n].node)
    raise AssertionError("every decision is in one loop")
