"""Which row and which column of a grid each node of a chart goes to.

The way of the thesis: a chart flows down its column, and what follows a diamond's `no` stands to its right. Charts
are taken apart by dominance: what can only be reached through a node belongs to that node's region. A region's
nodes share a column (its trunk), except that the region behind a `no` gets a column of its own, unless it is
placed `below`. Rows are longest paths, so all arrows but those of loops lead down (or straight to the right).
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence, Set
from dataclasses import dataclass
from math import inf
from typing import Literal

from fcdl.language.flowchart import Node

Arrow = Literal["next", "yes", "no"]


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    """An arrow between two nodes, which are given by their place in the chart's list of nodes."""

    source: int
    target: int
    arrow: Arrow


@dataclass(frozen=True, slots=True)
class Structure:
    """What placement needs to know about a chart, whatever stands beside and below."""

    size: int
    edges: tuple[Edge, ...]
    loops: frozenset[Edge]
    """The edges that lead back."""
    order: tuple[int, ...]
    """All nodes, every region in one piece; edges that are not loops lead forward."""
    dominators: tuple[int, ...]
    """The nearest node through which all ways to a node lead; `size` for none."""
    sides: frozenset[int]
    """Nodes that are reached by one diamond's `no` and nothing else: they may stand beside it."""
    alternatives: frozenset[int]
    """The sides whose diamond is an if with an else: its `yes` and `no` come together again."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Rows and columns of all nodes."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]


def analyse(nodes: Sequence[Node]) -> Structure:
    """Finds loops, regions and side branches."""
    edges = _edges(nodes)
    size = len(nodes)
    leaving: list[list[Edge]] = [[] for _ in range(size)]
    for edge in edges:
        leaving[edge.source].append(edge)
    roots, loops, topological = _search(leaving)
    entering: list[list[Edge]] = [[] for _ in range(size)]
    for edge in edges:
        if edge not in loops:
            entering[edge.target].append(edge)
    dominators = _dominators(topological, entering, set(roots))
    sides = {
        edge.target
        for edge in edges
        if edge.arrow == "no" and entering[edge.target] == [edge] and dominators[edge.target] == edge.source
    }
    joins = {dominators[node] for node in range(size) if len(entering[node]) > 1}
    alternatives = {side for side in sides if dominators[side] in joins}
    order = _preorder(topological, dominators)
    return Structure(size, edges, loops, order, dominators, frozenset(sides), frozenset(alternatives))


def _edges(nodes: Sequence[Node]) -> tuple[Edge, ...]:
    index = {node.number: i for i, node in enumerate(nodes)}
    found: list[Edge] = []
    for i, node in enumerate(nodes):
        arrows: tuple[tuple[Arrow, int | None], ...] = (("next", node.next), ("yes", node.yes), ("no", node.no))
        found += [Edge(i, index[to], arrow) for arrow, to in arrows if to is not None and to in index]
    return tuple(found)


def _search(leaving: list[list[Edge]]) -> tuple[list[int], frozenset[Edge], list[int]]:
    """Depth-first search, `no` before `yes`: the roots, the edges that lead back, and a topological order without them.

    A reverse postorder puts what is visited last first, so the `yes` region comes before the `no` region.
    """
    new, open_, done = 0, 1, 2
    state = [new] * len(leaving)
    roots, loops, postorder = [], set(), []
    for root in range(len(leaving)):
        if state[root] != new:
            continue
        roots.append(root)
        state[root] = open_
        stack = [(root, iter(reversed(leaving[root])))]
        while stack:
            node, edges = stack[-1]
            for edge in edges:
                if state[edge.target] == open_:
                    loops.add(edge)
                elif state[edge.target] == new:
                    state[edge.target] = open_
                    stack.append((edge.target, iter(reversed(leaving[edge.target]))))
                    break
            else:
                state[node] = done
                postorder.append(node)
                stack.pop()
    return roots, frozenset(loops), postorder[::-1]


def _dominators(topological: list[int], entering: list[list[Edge]], roots: set[int]) -> tuple[int, ...]:
    """Immediate dominators in a graph without loops: the nearest common ancestors of all predecessors.

    Every node has a jump pointer as well as a parent, so that a common ancestor is found in logarithmic time.
    """
    top = len(topological)
    parent, jump, depth = [top] * (top + 1), [top] * (top + 1), [0] * (top + 1)
    for node in topological:
        predecessors = [edge.source for edge in entering[node]]
        found = top if node in roots or not predecessors else predecessors[0]
        for other in predecessors[1:]:
            found = _common(found, other, parent, jump, depth)
        parent[node] = found
        depth[node] = depth[found] + 1
        far = jump[found]
        jump[node] = jump[far] if depth[found] - depth[far] == depth[far] - depth[jump[far]] else found
    return tuple(parent[:top])


def _common(a: int, b: int, parent: list[int], jump: list[int], depth: list[int]) -> int:
    """The deepest common ancestor of two nodes."""
    if depth[a] < depth[b]:
        a, b = b, a
    while depth[a] > depth[b]:
        a = jump[a] if depth[jump[a]] >= depth[b] else parent[a]
    while a != b:
        a, b = (jump[a], jump[b]) if jump[a] != jump[b] else (parent[a], parent[b])
    return a


def _preorder(topological: list[int], dominators: tuple[int, ...]) -> tuple[int, ...]:
    """All nodes, each region in one piece and in topological order."""
    size = len(topological)
    children: list[list[int]] = [[] for _ in range(size + 1)]
    for node in reversed(topological):
        children[dominators[node]].append(node)
    order: list[int] = []
    stack = list(children[size])
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(children[node])
    return tuple(order)


def place(structure: Structure, below: Set[int] = frozenset()) -> Placement:
    """Rows and columns; `below` has the side branches that stand under their diamond's region, not beside it."""
    beside = structure.sides - below
    trunk_of = _trunks(structure, beside)
    rows = _rows(structure, beside, trunk_of)
    return Placement(tuple(rows), tuple(_columns(structure, beside, trunk_of, rows)))


def _trunks(structure: Structure, beside: Set[int]) -> list[int]:
    """For each node the first node of its trunk."""
    trunk_of = [0] * structure.size + [structure.size]
    for node in structure.order:
        trunk_of[node] = node if node in beside else trunk_of[structure.dominators[node]]
    return trunk_of


def _rows(structure: Structure, beside: Set[int], trunk_of: list[int]) -> list[int]:
    """Longest paths; nodes of one trunk never share a row."""
    leaving: list[list[Edge]] = [[] for _ in range(structure.size)]
    for edge in structure.edges:
        if edge not in structure.loops:
            leaving[edge.source].append(edge)
    rows = [0] * structure.size
    last: dict[int, int] = {}
    for node in structure.order:
        trunk = trunk_of[node]
        if trunk in last:
            rows[node] = max(rows[node], rows[last[trunk]] + 1)
        last[trunk] = node
        for edge in leaving[node]:
            step = 0 if edge.arrow == "no" and edge.target in beside else 1
            rows[edge.target] = max(rows[edge.target], rows[node] + step)
    return rows


def _columns(structure: Structure, beside: Set[int], trunk_of: list[int], rows: list[int]) -> list[int]:
    """The first trunk on the left; each side trunk, inner ones first, in the next column that is free."""
    trunks: dict[int, list[int]] = {}
    for node in structure.order:
        trunks.setdefault(trunk_of[node], []).append(node)
    branches: dict[int, list[int]] = {}
    for node in structure.order:
        if node in beside:
            branches.setdefault(trunk_of[structure.dominators[node]], []).append(node)
    for found in branches.values():
        found.sort(key=lambda node: rows[structure.dominators[node]])
    columns = [0] * structure.size
    taken: list[list[tuple[int, int]]] = []
    pending = [(structure.size, 0)]
    while pending:
        trunk, first = pending.pop()
        members = trunks[trunk]
        column = _reserve(taken, first, rows[members[0]], rows[members[-1]])
        for node in members:
            columns[node] = column
        pending += [(branch, column + 1) for branch in branches.get(trunk, ())]
    return columns


def _reserve(taken: list[list[tuple[int, int]]], first: int, top: int, bottom: int) -> int:
    """The first column from `first` on in which the rows from top to bottom are free; takes them."""
    while len(taken) <= first:
        taken.append([])
    for column in range(first, len(taken)):
        before = bisect_right(taken[column], (bottom, inf))
        if before == 0 or taken[column][before - 1][1] < top:
            insort(taken[column], (top, bottom))
            return column
    taken.append([(top, bottom)])
    return len(taken) - 1
