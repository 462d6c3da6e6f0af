"""Variables: read before they have a value on some path; given values that nothing reads."""

from __future__ import annotations

from itertools import pairwise

from fcdl.language import flowchart as fc
from fcdl.language import tree
from fcdl.language.check.program import Program
from fcdl.language.check.structure import place
from fcdl.language.diagnostics import Findings, Span
from fcdl.language.flow import (
    BitProblem,
    BitSolution,
    assigned,
    overwritten,
    predecessors,
    reachable,
    shortest_path,
    solve,
)

MAX_EXPLAINED = 50
"""How many variables get their path explained; each costs a walk through a chart."""


def check(program: Program, findings: Findings) -> None:
    """Reports variables that are read too early or never."""
    _unassigned(program, findings)
    _unused(program, findings)


# --- read before assigned ---------------------------------------------------------------------------------------------


def _unassigned(program: Program, findings: Findings) -> None:
    names = [name for name, variable in program.flowchart.variables.items() if not variable.keys]
    bits = {name: 1 << index for index, name in enumerate(names)}
    problem = BitProblem(must=True)
    for number in program.reachable():
        name = overwritten(program.nodes[number])
        if name is not None:
            problem.sets[number] = bits[name]
    solution = solve(program, problem)
    reported: set[str] = set()
    for node in program.in_text_order():
        surely = solution.before[node.number]
        for name, expr in program.facts[node.number].reads.items():
            if name in bits and not surely & bits[name] and name not in reported:
                reported.add(name)
                path = _Path(program, solution, name, bits[name]) if len(reported) <= MAX_EXPLAINED else None
                findings.error(
                    "unassigned",
                    f"'{name}' has no value yet" + (path.to(node.number) if path is not None else ""),
                    program.place(node, expr),
                    node=node.number,
                    hint="assign it on every path that leads here",
                )


class _Path:
    """Finds the path on which a variable has no value, and the diamond that leads around its assignment."""

    def __init__(self, program: Program, solution: BitSolution, name: str, bit: int) -> None:
        self.program = program
        self.solution = solution
        self.name = name
        self.bit = bit
        self.may_assign: dict[str, bool] = {}
        for chart in reversed(program.order):
            self.may_assign[chart] = any(self._assigns(number, always=False) for number in program.order[chart])

    def to(self, number: int) -> str:
        """The path in words: ` if the answer in line 7 is no`."""
        for _ in range(len(self.program.order)):
            chart = self.program.nodes[number].chart
            path = self._path(self.program.flowchart.charts[chart].start, number)
            diamond = self._detour(chart, path)
            if diamond is not None:
                return diamond
            calls = [call for call in self.program.calls[chart] if not self.solution.before[call] & self.bit]
            if not calls:
                break
            number = calls[0]
        return ""

    def _path(self, start: int, goal: int) -> list[int]:
        """A shortest path on which nothing assigns the variable."""
        path = shortest_path(
            start, self.program.after, goal.__eq__, stop=lambda number: self._assigns(number, always=True)
        )
        assert path is not None, "the solver found one"
        return path

    def _detour(self, chart: str, path: list[int]) -> str | None:
        """The last diamond on the path whose other arrow can lead to an assignment."""
        leading = self._leading_to_assignments(chart)
        for number, following in reversed(list(pairwise(path))):
            node = self.program.nodes[number]
            if node.condition is None or node.yes == node.no:
                continue
            other, answer = (node.no, "yes") if node.yes == following else (node.yes, "no")
            if other in leading:
                return f" if the answer in {self.program.where(node)} is {answer}"
        return None

    def _leading_to_assignments(self, chart: str) -> set[int]:
        order = self.program.order[chart]
        before = predecessors({number: self.program.after[number] for number in order})
        return set(reachable((number for number in order if self._assigns(number, always=False)), before))

    def _assigns(self, number: int, *, always: bool) -> bool:
        target = assigned(self.program.nodes[number])
        if target is not None:
            return target.name == self.name
        callee = self.program.callee(number)
        if callee is None:
            return False
        return bool(self.solution.through[callee][0] & self.bit) if always else self.may_assign[callee]


# --- never read -------------------------------------------------------------------------------------------------------


def _unused(program: Program, findings: Findings) -> None:
    read: set[str] = {"score", "passed"}
    first: dict[str, fc.Node] = {}
    for node in program.in_text_order():
        target = assigned(node)
        read.update(name for name in program.facts[node.number].reads if target is None or name != target.name)
        if target is not None:
            first.setdefault(target.name, node)
    for name, variable in program.flowchart.variables.items():
        if name in read:
            continue
        assignment = first.get(name)
        span = _declaration(program, name) if variable.keys else None
        if assignment is None:
            if variable.keys:
                findings.warning("unused-variable", f"'{name}' is never used", span)
            continue
        findings.warning(
            "unused-variable",
            f"'{name}' gets a value that is never used",
            span or _target_span(program, assignment),
            node=assignment.number,
            hint="remove it, or use it",
        )


def _declaration(program: Program, name: str) -> Span | None:
    """The header line that declares a variable with keys."""
    for header in program.flowchart.document.header:
        if isinstance(header, tree.Variables) and name in dict(header.variables):
            return place(header.span)
    return None


def _target_span(program: Program, node: fc.Node) -> Span | None:
    """Where the name of the assigned variable stands."""
    match program.tree_nodes[node.number].body:
        case tree.Assign(target=target):
            return place(target.span)
        case tree.Action(args=(_, target, _)):
            return place(target.span)
    return program.place(node)
