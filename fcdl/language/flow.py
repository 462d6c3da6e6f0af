"""Where the arrows of a chart lead, and what follows from it: the one home of such questions.

A graph here is a mapping from each node to its successors. What a call of a sub-chart means in it depends on the
question, and there are three answers:

  one step      `Node.successors`: a call leads to the node after it. A chart by itself, for its loops and dominators.
  through       `through_calls`: a call leads into its chart, whose end leads back to every call. There are paths among
                these that no game takes (in by one call, back by another), so it is for questions where too much does
                no harm: what may be read later (view, beliefs), what may come next (segments, compiler).
  matched       `solve`: each chart returns to where it was called, exactly, because what a chart does to the facts is
                found once and used at every call. For the checker, which must not complain of paths that do not exist.

Heuristics follow paths one by one and put every sub-chart in the place of its calls (`loops.draw_out`): exact, too,
but the copies may be many.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import reduce
from typing import Generic, Protocol, TypeVar

from fcdl.language.flowchart import Assign, CallChart, Choose, Flowchart, Gather, Node, VariableRef

T = TypeVar("T", bound=Hashable)
Effect = TypeVar("Effect")
Value = TypeVar("Value")

# --- graphs -----------------------------------------------------------------------------------------------------------


def callee(node: Node) -> str | None:
    """The chart that a node does."""
    return node.statement.chart if isinstance(node.statement, CallChart) else None


def calls(flowchart: Flowchart) -> dict[str, list[Node]]:
    """The nodes that do each chart, in the order of the text; none for the main chart."""
    found: dict[str, list[Node]] = {name: [] for name in flowchart.charts}
    for node in flowchart.nodes.values():
        if isinstance(node.statement, CallChart):
            found[node.statement.chart].append(node)
    return found


def through_calls(flowchart: Flowchart) -> dict[int, tuple[int, ...]]:
    """Where each node leads: a call into its chart, whose end leads to what comes after each of its calls."""
    after = {number: node.successors for number, node in flowchart.nodes.items()}
    for name, nodes in calls(flowchart).items():
        chart = flowchart.charts[name]
        after[chart.end] = tuple(node.next for node in nodes if node.next is not None)
        after.update((node.number, (chart.start,)) for node in nodes)
    return after


def predecessors(after: Mapping[T, Iterable[T]]) -> dict[T, list[T]]:
    """From where arrows lead to each node."""
    before: dict[T, list[T]] = {number: [] for number in after}
    for number, targets in after.items():
        for target in targets:
            before[target].append(number)
    return before


# --- what can be reached ----------------------------------------------------------------------------------------------


def reachable(
    roots: Iterable[T],
    after: Mapping[T, Iterable[T]],
    *,
    stop: Callable[[T], bool] | None = None,
    known: Collection[T] = (),
) -> dict[T, None]:
    """Everything that can be reached, the roots included, without going on where it stops or to what is known."""
    found: dict[T, None] = {}
    pending = list(roots)
    while pending:
        number = pending.pop()
        if number not in found and number not in known:
            found[number] = None
            if stop is None or not stop(number):
                pending.extend(after[number])
    return found


def deals_again(flowchart: Flowchart) -> bool:
    """Whether all cards can be shuffled more than once."""
    after = through_calls(flowchart)
    deals = _dealing(flowchart)
    later = reachable([target for number in deals for target in after[number]], after)
    return not deals.isdisjoint(later)


def scores_only_at_the_end(flowchart: Flowchart) -> bool:
    """Whether cards are dealt again and again, but nobody scores before the last of these deals is over."""
    after = through_calls(flowchart)
    scoring = [
        number
        for number, node in flowchart.nodes.items()
        if isinstance(node.statement, Assign) and node.statement.target.name == "score"
    ]
    scored = reachable(scoring, after)
    return deals_again(flowchart) and _dealing(flowchart).isdisjoint(scored)


def _dealing(flowchart: Flowchart) -> set[int]:
    return {number for number, node in flowchart.nodes.items() if isinstance(node.statement, Gather)}


def shortest_path(
    start: T, after: Mapping[T, Iterable[T]], goal: Callable[[T], bool], *, stop: Callable[[T], bool] | None = None
) -> list[T] | None:
    """A path with the fewest arrows to a goal, which does not go on where it stops; None if there is none."""
    came_from = {start: start}
    pending = deque([start])
    while pending:
        number = pending.popleft()
        if goal(number):
            path = [number]
            while path[-1] != start:
                path.append(came_from[path[-1]])
            return path[::-1]
        if stop is None or not stop(number):
            for target in after[number]:
                if target not in came_from:
                    came_from[target] = number
                    pending.append(target)
    return None


def reverse_postorder(start: T, after: Mapping[T, Iterable[T]]) -> list[T]:
    """The nodes that can be reached, each before its successors as far as there are no loops."""
    order: list[T] = []
    seen = {start}
    pending = [(start, iter(after[start]))]
    while pending:
        number, targets = pending[-1]
        for target in targets:
            if target not in seen:
                seen.add(target)
                pending.append((target, iter(after[target])))
                break
        else:
            order.append(number)
            pending.pop()
    order.reverse()
    return order


# --- variables --------------------------------------------------------------------------------------------------------


def assigned(node: Node) -> VariableRef | None:
    """The variable to which a node gives a value."""
    return node.statement.target if isinstance(node.statement, (Assign, Choose)) else None


def overwritten(node: Node) -> str | None:
    """The variable whose value before a node does not matter after it; of what each player has, others keep theirs."""
    target = assigned(node)
    return target.name if target is not None and target.player is None else None


def variables_read(node: Node) -> frozenset[str]:
    """The variables that a node reads, also those that each player has."""
    return frozenset(
        part.name
        for expr in node.exprs()
        for part in expr.walk()
        if part.op in ("variable", "playerVariable") and part.name is not None
    )


def live_variables(
    nodes: Mapping[T, Node],
    after: Mapping[T, Iterable[T]],
    read: Callable[[Node, Set[str]], Set[str]] | None = None,
    wanted: Mapping[T, frozenset[str]] | None = None,
) -> dict[T, frozenset[str]]:
    """The variables that some path from each node on reads before they are assigned.

    `read`: what a node reads that matters, given what is live after it; otherwise all that it reads. `wanted`: what is
    read after a node by somebody outside the graph.
    """
    before = predecessors(after)
    plain = {} if read is not None else {number: variables_read(nodes[number]) for number in after}
    live: dict[T, frozenset[str]] = dict.fromkeys(after, frozenset())
    pending = list(after)
    waiting = set(pending)
    while pending:
        number = pending.pop()
        waiting.discard(number)
        node = nodes[number]
        later = frozenset[str]().union(*(live[target] for target in after[number]))
        if wanted is not None:
            later |= wanted.get(number, frozenset())
        now = later - {overwritten(node)} | (plain[number] if read is None else read(node, later))
        if now != live[number]:
            live[number] = now
            for other in before[number]:
                if other not in waiting:
                    waiting.add(other)
                    pending.append(other)
    return live


# --- facts along paths that the calls allow ---------------------------------------------------------------------------


class ReachableCharts:
    """The reachable nodes of each chart, a call being one step, and who calls whom; callers come first."""

    def __init__(self, flowchart: Flowchart) -> None:
        self.flowchart = flowchart
        self.nodes = flowchart.nodes
        self.after = {number: node.successors for number, node in flowchart.nodes.items()}
        self.order: dict[str, list[int]] = {}
        """The reachable nodes of each reachable chart, in reverse postorder."""
        self.calls: dict[str, list[int]] = {}
        """The reachable nodes that do a chart, by its name."""
        self._collect()

    def _collect(self) -> None:
        orders: dict[str, list[int]] = {}
        callees: dict[str, list[str]] = {}
        pending = [self.flowchart.main]
        while pending:
            name = pending.pop()
            if name not in orders:
                orders[name] = reverse_postorder(self.flowchart.charts[name].start, self.after)
                callees[name] = [done for number in orders[name] if (done := self.callee(number)) is not None]
                pending.extend(callees[name])
        self.order = {name: orders[name] for name in reverse_postorder(self.flowchart.main, callees)}
        self.calls = {name: [] for name in self.order}
        for number in self.reachable():
            done = self.callee(number)
            if done is not None:
                self.calls[done].append(number)

    def reachable(self) -> Iterator[int]:
        """The numbers of all reachable nodes."""
        for order in self.order.values():
            yield from order

    def callee(self, number: int) -> str | None:
        """The chart that a node does."""
        return callee(self.nodes[number])


class Problem(Protocol[Value, Effect]):
    """What `solve` has to know: values, which hold at a node, and effects, which say what paths make of any value."""

    at_start: Value
    """What holds where the game begins."""
    identity: Effect
    """What the path without arrows does: nothing."""
    unreached: Effect
    """What a chart does that never comes to its end."""

    def leave(self, node: Node, effect: Effect) -> Iterable[tuple[int | None, Effect]]:
        """Where a node that is no call leads, with the effect of the paths to there."""

    def then(self, first: Effect, second: Effect) -> Effect:
        """The effect of one after the other."""

    def either(self, first: Effect, second: Effect) -> Effect:
        """The effect of two paths that meet."""

    def apply(self, effect: Effect, value: Value) -> Value:
        """What holds after paths with this effect."""

    def meet(self, first: Value, second: Value) -> Value:
        """What holds in a chart that two calls lead to."""


@dataclass(frozen=True, slots=True)
class Solution(Generic[Value, Effect]):
    """What holds before each reachable node, and what each chart does to what holds at its start."""

    before: dict[int, Value]
    through: dict[str, Effect]


def solve(charts: ReachableCharts, problem: Problem[Value, Effect]) -> Solution[Value, Effect]:
    """What holds before each node over all paths on which charts return to where they were called.

    Exact if effects are (`apply` of `then` is one `apply` after the other, `either` loses nothing), because charts are
    not recursive. It takes little more than one look at each node.
    """
    effects: dict[int, Effect] = {}
    through: dict[str, Effect] = {}
    for name in reversed(charts.order):
        _solve_chart(charts, problem, charts.order[name], effects, through)
        through[name] = effects.get(charts.flowchart.charts[name].end, problem.unreached)
    before: dict[int, Value] = {}
    for name, order in charts.order.items():
        entries = [before[call] for call in charts.calls[name]]
        entry = reduce(problem.meet, entries) if entries else problem.at_start
        before.update((number, problem.apply(effects[number], entry)) for number in order)
    return Solution(before, through)


def _solve_chart(
    charts: ReachableCharts,
    problem: Problem[Value, Effect],
    order: Sequence[int],
    effects: dict[int, Effect],
    through: Mapping[str, Effect],
) -> None:
    """Finds the effects of the paths from a chart's start to each of its nodes."""
    nodes, leave, then, either = charts.nodes, problem.leave, problem.then, problem.either
    position = {number: index for index, number in enumerate(order)}
    effects[order[0]] = problem.identity
    waiting = [0]
    queued = {0}
    while waiting:
        index = heapq.heappop(waiting)
        queued.discard(index)
        number = order[index]
        node = nodes[number]
        statement = node.statement
        arrows: Iterable[tuple[int | None, Effect]]
        if isinstance(statement, CallChart):
            arrows = ((node.next, then(effects[number], through[statement.chart])),)
        else:
            arrows = leave(node, effects[number])
        for target, effect in arrows:
            if target is None:
                continue
            known = effects.get(target)
            new = effect if known is None else either(known, effect)
            if new != known:
                effects[target] = new
                if position[target] not in queued:
                    queued.add(position[target])
                    heapq.heappush(waiting, position[target])


_Bits = tuple[int, int]
BitSolution = Solution[int, _Bits]


@dataclass(slots=True)
class BitProblem:
    """Facts as bits of an integer: which of them each node sets and clears; diamonds also along their arrows.

    With `must`, a fact holds when it does on every path, otherwise when it does on some path. An effect is what holds
    if nothing held before, and if everything did: exact, for nodes set and clear each fact without regard to others.
    """

    must: bool
    sets: dict[int, int] = field(default_factory=dict)
    clears: dict[int, int] = field(default_factory=dict)
    on_yes: dict[int, int] = field(default_factory=dict)
    on_no: dict[int, int] = field(default_factory=dict)
    at_start: int = 0
    identity: _Bits = (0, -1)
    unreached: _Bits = (0, -1)

    def leave(self, node: Node, effect: _Bits) -> tuple[tuple[int | None, _Bits], ...]:
        """Where a node leads, with the facts that it sets and clears."""
        number = node.number
        low, high = effect
        kept, new = ~self.clears.get(number, 0), self.sets.get(number, 0)
        low, high = low & kept | new, high & kept | new
        if node.next is not None:
            return ((node.next, (low, high)),)
        yes, no = self.on_yes.get(number, 0), self.on_no.get(number, 0)
        return (node.yes, (low | yes, high | yes)), (node.no, (low | no, high | no))

    def then(self, first: _Bits, second: _Bits) -> _Bits:
        """One after the other."""
        return self.apply(second, first[0]), self.apply(second, first[1])

    def either(self, first: _Bits, second: _Bits) -> _Bits:
        """What holds on both paths, or on one."""
        return self.meet(first[0], second[0]), self.meet(first[1], second[1])

    def apply(self, effect: _Bits, value: int) -> int:
        """The facts after a path."""
        return effect[0] | effect[1] & value

    def meet(self, first: int, second: int) -> int:
        """What holds by both calls, or by one."""
        return first & second if self.must else first | second


# --- loops ------------------------------------------------------------------------------------------------------------


def strong_components(members: Iterable[T], after: Mapping[T, Iterable[T]]) -> list[list[T]]:
    """The groups of nodes that lead to each other, each node in exactly one (Tarjan's algorithm)."""
    allowed = set(members)
    index: dict[T, int] = {}
    low: dict[T, int] = {}
    stack: list[T] = []
    on_stack: set[T] = set()
    components: list[list[T]] = []
    for root in allowed:
        if root in index:
            continue
        pending: list[tuple[T, Iterator[T]]] = [(root, iter(after[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while pending:
            number, targets = pending[-1]
            for target in targets:
                if target not in allowed:
                    continue
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    pending.append((target, iter(after[target])))
                    break
                if target in on_stack:
                    low[number] = min(low[number], index[target])
            else:
                pending.pop()
                if pending:
                    low[pending[-1][0]] = min(low[pending[-1][0]], low[number])
                if low[number] == index[number]:
                    component: list[T] = []
                    while not component or component[-1] != number:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                    components.append(component)
    return components


def circles(members: Iterable[T], after: Mapping[T, Collection[T]]) -> list[list[T]]:
    """The groups of nodes from which a path leads back to where it began: the largest loops."""
    return [
        component
        for component in strong_components(members, after)
        if len(component) > 1 or component[0] in after[component[0]]
    ]


def loop_body(head: T, ends: Iterable[T], before: Mapping[T, Iterable[T]]) -> set[T]:
    """The nodes of the loop with this head whose last nodes, which lead back to it, are these."""
    return set(reachable(ends, before, known={head})) | {head}


class Dominators(Generic[T]):
    """Which nodes lie on every path to which (Lengauer and Tarjan's algorithm); each answer takes constant time.

    In a reversed graph, these are the nodes on every path *from* each.
    """

    def __init__(self, start: T, after: Mapping[T, Iterable[T]], before: Mapping[T, Iterable[T]]) -> None:
        self._index: dict[T, int] = {}
        """Nodes in preorder; everything below works on these numbers."""
        parent = self._number(start, after)
        self._members = list(self._index)
        size = len(self._members)
        self._semi = list(range(size))
        self._best = list(range(size))
        self._ancestor = [-1] * size
        dominator = [0] * size
        buckets: list[list[int]] = [[] for _ in self._members]
        for vertex in range(size - 1, 0, -1):
            for other in before[self._members[vertex]]:
                if other in self._index:
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
        self._dominator = dominator
        self._enter, self._leave = _intervals(dominator)

    def _number(self, start: T, after: Mapping[T, Iterable[T]]) -> list[int]:
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

    def dominates(self, number: T, other: T) -> bool:
        """Whether every path from the start to `other` goes through `number`."""
        first, second = self._index[number], self._index[other]
        return self._enter[first] <= self._enter[second] and self._leave[second] <= self._leave[first]

    def nearest(self) -> dict[T, T]:
        """For each node but the start the last other one on every path to it."""
        members = self._members
        return {members[vertex]: members[self._dominator[vertex]] for vertex in range(1, len(members))}


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
