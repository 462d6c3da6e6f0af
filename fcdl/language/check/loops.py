"""Loops that never end: nothing in them changes what their diamonds ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fcdl.language import flowchart as fc
from fcdl.language.check.program import Program, strong_components
from fcdl.language.diagnostics import Findings

MAX_STEPS = 2_000_000
"""Loops nested thousands deep are not looked at to the end."""


def check(program: Program, findings: Findings) -> None:
    """Reports loops that go on for ever once they have gone round."""
    places = _Places(program)
    for name in program.order:
        for number in _Loops(program, places, name).endless():
            node = program.nodes[number]
            findings.error(
                "endless-loop",
                "this loop never ends: nothing in it changes what this diamond asks",
                program.place(node, node.condition),
                node=number,
                hint="change something on the way back, or lead the arrow elsewhere",
            )


class _Places:
    """What nodes and whole charts ask and change, as bits."""

    def __init__(self, program: Program) -> None:
        self._bits: dict[str, int] = {}
        self.asks: dict[int, int] = {}
        self.changes: dict[int, int] = {}
        charts: dict[str, tuple[int, int]] = {}
        for name in reversed(program.order):
            asks = changes = 0
            for number in program.order[name]:
                node, facts = program.nodes[number], program.facts[number]
                callee = program.callee(number)
                if callee is not None:
                    self.asks[number], self.changes[number] = charts[callee]
                else:
                    self.asks[number] = self._mask(facts.reads) if node.condition is not None else 0
                    self.changes[number] = self._mask(facts.writes)
                asks |= self.asks[number]
                changes |= self.changes[number]
            charts[name] = (asks, changes)

    def _mask(self, names: dict[str, fc.Expr] | tuple[str, ...]) -> int:
        mask = 0
        for name in names:
            mask |= self._bits.setdefault(name, 1 << len(self._bits))
        return mask


class _Loops:
    """The loops of one chart."""

    def __init__(self, program: Program, places: _Places, chart: str) -> None:
        self.nodes = program.nodes
        self.places = places
        self.order = program.order[chart]
        self.position = {number: index for index, number in enumerate(self.order)}
        self.after = {number: self.nodes[number].successors for number in self.order}
        self.before: dict[int, list[int]] = {number: [] for number in self.order}
        for number, targets in self.after.items():
            for target in targets:
                self.before[target].append(number)

    def endless(self) -> list[int]:
        """One diamond of each endless loop, in the order of the chart."""
        found = {*self._idle_circles(), *self._constant_exits()}
        return sorted(found, key=self.position.__getitem__)

    def _idle_circles(self) -> list[int]:
        """Circles on which no node changes anything that a diamond of the loops around it asks."""
        found = []
        for component in strong_components(self.order, self.after):
            asked = 0
            for number in component:
                asked |= self.places.asks[number]
            idle = [number for number in component if not self.places.changes[number] & asked]
            for circle in strong_components(idle, self.after):
                if len(circle) > 1 or circle[0] in self.after[circle[0]]:
                    found.extend(self._first_diamond(circle))
        return found

    def _first_diamond(self, members: list[int]) -> list[int]:
        diamonds = [number for number in members if self.nodes[number].condition is not None]
        return [min(diamonds, key=self.position.__getitem__)] if diamonds else []

    def _constant_exits(self) -> list[int]:
        """Loops whose every round passes all diamonds that lead out, and changes nothing that these ask."""
        dominators = Dominators(self.order[0], self.after, self.before)
        latches: dict[int, list[int]] = {}
        for number in self.order:
            for target in self.after[number]:
                if dominators.dominates(target, number):
                    latches.setdefault(target, []).append(number)
        found = []
        steps = 0
        for head, ends in latches.items():
            body = self._body(head, ends)
            steps += len(body)
            if steps > MAX_STEPS:
                break
            changed = 0
            for number in body:
                changed |= self.places.changes[number]
            exits = [number for number in body if any(target not in body for target in self.after[number])]
            if exits and all(
                not self.places.asks[number] & changed and all(dominators.dominates(number, end) for end in ends)
                for number in exits
            ):
                found.append(min(exits, key=self.position.__getitem__))
        return found

    def _body(self, head: int, latches: list[int]) -> set[int]:
        """The nodes of the loop with this head."""
        body = {head}
        pending = list(latches)
        while pending:
            number = pending.pop()
            if number not in body:
                body.add(number)
                pending.extend(self.before[number])
        return body


class Dominators:
    """Which nodes lie on every path to which (Lengauer and Tarjan's algorithm); each answer takes constant time."""

    def __init__(self, start: int, after: Mapping[int, Sequence[int]], before: Mapping[int, Sequence[int]]) -> None:
        self._index: dict[int, int] = {}
        """Nodes in preorder; everything below works on these numbers."""
        parent = self._number(start, after)
        members = list(self._index)
        size = len(members)
        self._semi = list(range(size))
        self._best = list(range(size))
        self._ancestor = [-1] * size
        dominator = [0] * size
        buckets: list[list[int]] = [[] for _ in members]
        for vertex in range(size - 1, 0, -1):
            for other in before[members[vertex]]:
                self._semi[vertex] = min(self._semi[vertex], self._semi[self._evaluate(self._index[other])])
            buckets[self._semi[vertex]].append(vertex)
            self._ancestor[vertex] = parent[vertex]
            for waiting in buckets[parent[vertex]]:
                best = self._evaluate(waiting)
                dominator[waiting] = best if self._semi[best] < self._semi[waiting] else parent[vertex]
            buckets[parent[vertex]].clear()
        for vertex in range(1, size):
            if dominator[vertex] != self._semi[vertex]:
                dominator[vertex] = dominator[dominator[vertex]]
        self._enter, self._leave = _intervals(dominator)

    def _number(self, start: int, after: Mapping[int, Sequence[int]]) -> list[int]:
        """Numbers the nodes in the order of a depth-first walk; returns where each was come upon from."""
        parent: list[int] = []
        pending = [(start, 0)]
        while pending:
            number, origin = pending.pop()
            if number not in self._index:
                self._index[number] = len(parent)
                parent.append(origin)
                pending.extend((target, len(parent) - 1) for target in after[number])
        return parent

    def _evaluate(self, vertex: int) -> int:
        """The vertex of least semidominator on the way up the forest, which is shortened on the way."""
        if self._ancestor[vertex] < 0:
            return vertex
        path = []
        at = vertex
        while self._ancestor[self._ancestor[at]] >= 0:
            path.append(at)
            at = self._ancestor[at]
        for below in reversed(path):
            above = self._ancestor[below]
            if self._semi[self._best[above]] < self._semi[self._best[below]]:
                self._best[below] = self._best[above]
            self._ancestor[below] = self._ancestor[above]
        return self._best[vertex]

    def dominates(self, number: int, other: int) -> bool:
        """Whether every path from the start to `other` goes through `number`."""
        first, second = self._index[number], self._index[other]
        return self._enter[first] <= self._enter[second] and self._leave[second] <= self._leave[first]


def _intervals(parent: list[int]) -> tuple[list[int], list[int]]:
    """When a walk through a tree, whose root is 0, enters and leaves each vertex."""
    children: list[list[int]] = [[] for _ in parent]
    for vertex in range(1, len(parent)):
        children[parent[vertex]].append(vertex)
    enter, leave = [0] * len(parent), [0] * len(parent)
    clock = 0
    pending = [(0, False)]
    while pending:
        vertex, finished = pending.pop()
        clock += 1
        if finished:
            leave[vertex] = clock
            continue
        enter[vertex] = clock
        pending.append((vertex, True))
        pending.extend((child, False) for child in children[vertex])
    return enter, leave
