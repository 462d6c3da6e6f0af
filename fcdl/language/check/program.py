"""What all checks of the flow share: the reachable nodes in order, what each reads and changes, and one solver.

The solver computes facts that hold before each node, as bits of an integer, over every path that the sub-charts allow:
a chart is solved once for "no fact holds at its start" and once for "every fact does", which says what it does to any
facts; its callers use that, and then it gets the facts of its callers. Both are exact because a node sets and clears
each fact independently of the others, and charts are not recursive.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from fcdl.language import flowchart as fc
from fcdl.language import tree
from fcdl.language.diagnostics import Span
from fcdl.language.flowchart import Expr, MoveBy, NodeKind

ZONE = "@"
"""Zones and variables are places; the names of zones begin with this."""


@dataclass(slots=True)
class Facts:
    """What one node reads (each place with the first expression that reads it) and what it may change."""

    reads: dict[str, Expr] = field(default_factory=dict)
    writes: tuple[str, ...] = ()


class Program:
    """The reachable part of a flowchart, with what the checks ask of it."""

    def __init__(self, flowchart: fc.Flowchart) -> None:
        self.flowchart = flowchart
        self.nodes = flowchart.nodes
        self.order: dict[str, list[int]] = {}
        """The reachable nodes of each reachable chart, in reverse postorder."""
        self.calls: dict[str, list[int]] = {flowchart.main: []}
        """The reachable nodes that do a chart, by its name; callers come before what they call."""
        self._collect_charts()
        every_zone = tuple(ZONE + name for name in flowchart.zones)
        self.facts = {number: _facts(self.nodes[number], every_zone) for number in self.reachable()}
        self.tree_nodes = {node.number: node for chart in flowchart.document.charts for node in chart.nodes}

    def _collect_charts(self) -> None:
        """Fills `order` and `calls`, callers before callees."""
        charts = self.flowchart.charts
        postorder: list[str] = []
        pending: list[tuple[str, bool]] = [(self.flowchart.main, False)]
        while pending:
            name, finished = pending.pop()
            if finished:
                postorder.append(name)
            elif name not in self.order:
                self.order[name] = reverse_postorder(charts[name].start, self.nodes)
                pending.append((name, True))
                pending.extend((callee, False) for _, callee in self._callees(name))
        self.order = {name: self.order[name] for name in reversed(postorder)}
        self.calls = {name: [] for name in self.order}
        for name in self.order:
            for number, callee in self._callees(name):
                self.calls[callee].append(number)

    def _callees(self, chart: str) -> Iterator[tuple[int, str]]:
        for number in self.order[chart]:
            statement = self.nodes[number].statement
            if isinstance(statement, fc.CallChart):
                yield number, statement.chart

    def reachable(self) -> Iterator[int]:
        """The numbers of all reachable nodes."""
        for order in self.order.values():
            yield from order

    def in_text_order(self) -> Iterator[fc.Node]:
        """All reachable nodes, as they are written."""
        for name, chart in self.flowchart.charts.items():
            if name in self.order:
                known = set(self.order[name])
                yield from (self.nodes[number] for number in chart.nodes if number in known)

    def callee(self, number: int) -> str | None:
        """The chart that a node does."""
        statement = self.nodes[number].statement
        return statement.chart if isinstance(statement, fc.CallChart) else None

    def place(self, node: fc.Node, expr: Expr | None = None) -> Span | None:
        """Where a finding about a node, or about a part of it, points."""
        for span in (expr.span if expr is not None else None, node.span):
            if span is not None and span != tree.NO_SPAN:
                return span
        return None

    def where(self, node: fc.Node) -> str:
        """How to name a node in a message: by its line if it has one."""
        span = self.place(node)
        return f"line {span.line}" if span is not None else f"node {node.number}"


def reverse_postorder(start: int, nodes: Mapping[int, fc.Node]) -> list[int]:
    """The nodes that can be reached, each before its successors as far as there are no loops."""
    order: list[int] = []
    seen = {start}
    pending = [(start, iter(nodes[start].successors))]
    while pending:
        number, successors = pending[-1]
        for target in successors:
            if target not in seen:
                seen.add(target)
                pending.append((target, iter(nodes[target].successors)))
                break
        else:
            order.append(number)
            pending.pop()
    order.reverse()
    return order


# --- what a node reads and changes ------------------------------------------------------------------------------------


def places_read(exprs: Iterable[Expr]) -> dict[str, Expr]:
    """Every place that expressions read, with the first part that reads it."""
    reads: dict[str, Expr] = {}
    for expr in exprs:
        for part in expr.walk():
            if part.op in ("variable", "playerVariable"):
                assert part.name is not None
                reads.setdefault(part.name, part)
            elif part.op == "zone":
                assert part.name is not None
                reads.setdefault(ZONE + part.name, part)
            elif part.op in ("cardsRemaining", "playerHas"):
                reads.setdefault(ZONE + "hand", part)
    return reads


def zone_name(zone: Expr) -> str:
    """The name of a zone expression."""
    assert zone.name is not None
    return zone.name


def _facts(node: fc.Node, every_zone: tuple[str, ...]) -> Facts:
    if node.condition is not None:
        return Facts(places_read((node.condition,)))
    statement = node.statement
    match statement:
        case fc.Assign(target=target) | fc.Choose(target=target):
            return Facts(places_read(fc.statement_exprs(statement)), (target.name,))
        case fc.Gather():
            return Facts(writes=every_zone)
        case fc.ShuffleZone(zone=zone):
            return Facts(places_read(zone.args), (ZONE + zone_name(zone),))
        case fc.Move(what=what, source=source, target=target_zone):
            parts = (*source.args, *target_zone.args, *((what,) if what is not None else ()))
            return Facts(places_read(parts), (ZONE + zone_name(source), ZONE + zone_name(target_zone)))
        case fc.Play(source=source, target=target_zone):
            parts = (statement.player, statement.cards, *target_zone.args)
            passed = ("passed",) if statement.may_pass else ()
            return Facts(places_read(parts), (ZONE + zone_name(source), ZONE + zone_name(target_zone), *passed))
        case fc.Pick(source=source, target=target_zone):
            parts = (statement.player, statement.number, statement.cards, *source.args, *target_zone.args)
            return Facts(places_read(parts), (ZONE + zone_name(source), ZONE + zone_name(target_zone)))
        case None:
            return Facts()
    return Facts(places_read(fc.statement_exprs(statement)))


def moves_all(statement: fc.Move, flowchart: fc.Flowchart) -> bool:
    """Whether a move leaves nothing behind in any zone of the source's name."""
    zone = flowchart.zones[zone_name(statement.source)]
    whole = statement.each_seat or not zone.per_player
    return statement.by is MoveBy.ALL and whole and zone_name(statement.source) != zone_name(statement.target)


# --- the solver -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class BitProblem:
    """Which facts each node sets and clears; `on_yes` and `on_no` are set along a diamond's arrows.

    With `must`, a fact holds when it holds on every path; otherwise when it does on some path.
    """

    must: bool
    sets: dict[int, int] = field(default_factory=dict)
    clears: dict[int, int] = field(default_factory=dict)
    on_yes: dict[int, int] = field(default_factory=dict)
    on_no: dict[int, int] = field(default_factory=dict)
    at_start: int = 0


_State = tuple[int, int]
"""The facts before a node if none holds at its chart's start, and if all do."""


@dataclass(slots=True)
class Solution:
    """The facts before each reachable node, and what each chart makes of the facts at its start."""

    before: dict[int, int]
    through: dict[str, _State]


def solve(program: Program, problem: BitProblem) -> Solution:
    """Solves a problem; takes little more than one look at each node."""
    everything = -1  # all bits
    states: dict[int, _State] = {}
    through: dict[str, _State] = {}
    for name in reversed(program.order):
        _solve_chart(program, problem, name, everything, states, through)
        through[name] = states.get(program.flowchart.charts[name].end, (0, everything))
    before: dict[int, int] = {}
    for name, order in program.order.items():
        entry = problem.at_start
        for index, call in enumerate(program.calls[name]):
            entry = before[call] if index == 0 else entry & before[call] if problem.must else entry | before[call]
        for number in order:
            low, high = states[number]
            before[number] = low | (high & entry)
    return Solution(before, through)


def _solve_chart(
    program: Program,
    problem: BitProblem,
    name: str,
    everything: int,
    states: dict[int, _State],
    through: Mapping[str, _State],
) -> None:
    nodes, order, must = program.nodes, program.order[name], problem.must
    position = {number: index for index, number in enumerate(order)}
    states[order[0]] = (0, everything)
    waiting = [0]
    queued = {0}
    while waiting:
        index = heapq.heappop(waiting)
        queued.discard(index)
        number = order[index]
        node = nodes[number]
        low, high = states[number]
        if node.kind is NodeKind.CALL:
            callee_low, callee_high = through[program.callee(number) or ""]
            low, high = callee_low | (callee_high & low), callee_low | (callee_high & high)
        else:
            kept, new = ~problem.clears.get(number, 0), problem.sets.get(number, 0)
            low, high = (low & kept) | new, (high & kept) | new
        for target, extra in (
            (node.next, 0),
            (node.yes, problem.on_yes.get(number, 0)),
            (node.no, problem.on_no.get(number, 0)),
        ):
            if target is None:
                continue
            known = states.get(target)
            if known is None:
                state = (low | extra, high | extra)
            elif must:
                state = (known[0] & (low | extra), known[1] & (high | extra))
            else:
                state = (known[0] | low | extra, known[1] | high | extra)
            if state != known:
                states[target] = state
                if position[target] not in queued:
                    queued.add(position[target])
                    heapq.heappush(waiting, position[target])


# --- loops ------------------------------------------------------------------------------------------------------------


def strong_components(members: Iterable[int], after: Mapping[int, Iterable[int]]) -> list[list[int]]:
    """The groups of nodes that lead to each other, each node in exactly one (Tarjan's algorithm)."""
    allowed = set(members)
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    components: list[list[int]] = []
    for root in allowed:
        if root in index:
            continue
        pending: list[tuple[int, Iterator[int]]] = [(root, iter(after[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while pending:
            number, successors = pending[-1]
            for target in successors:
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
                    component: list[int] = []
                    while not component or component[-1] != number:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                    components.append(component)
    return components
