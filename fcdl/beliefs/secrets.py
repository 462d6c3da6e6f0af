"""What in a chart is hidden from some seat, and which secrets last from hand to hand."""

from __future__ import annotations

from fcdl.language import flowchart as fc
from fcdl.language.sight import hidden_part


class Hiding:
    """Which expressions can depend on something that not everybody sees."""

    def __init__(self, chart: fc.Flowchart) -> None:
        self.chart = chart
        self.found: dict[int, tuple[fc.Expr, bool]] = {}
        self.draws: dict[int, tuple[fc.Expr, fc.Expr | None]] = {}
        self.lasting = lasting_secrets(chart)

    def __call__(self, expr: fc.Expr) -> bool:
        """Whether an expression can depend on something hidden."""
        entry = self.found.get(id(expr))
        if entry is None:
            entry = self.found[id(expr)] = (expr, hidden_part(self.chart, expr) is not None)
        return entry[1]

    def draw(self, expr: fc.Expr) -> fc.Expr | None:
        """The `random` in the value of an assignment, if there is one."""
        if id(expr) not in self.draws:
            draws = [part for part in expr.walk() if part.op == "random"]
            self.draws[id(expr)] = (expr, draws[0] if draws else None)
        return self.draws[id(expr)][1]


def lasting_secrets(chart: fc.Flowchart) -> frozenset[str]:
    """Secret variables that may be read after a shuffle of all cards before they are assigned again."""
    calls: dict[str, list[int]] = {}
    for node in chart.nodes.values():
        if isinstance(node.statement, fc.CallChart) and node.next is not None:
            calls.setdefault(node.statement.chart, []).append(node.next)
    secrets = {name for name, variable in chart.variables.items() if variable.secret}
    wanted: dict[int, set[str]] = {number: set() for number in chart.nodes}
    after: dict[int, set[str]] = {number: set() for number in chart.nodes}
    changed = bool(secrets)
    while changed:
        changed = False
        for number, node in chart.nodes.items():
            following: tuple[int, ...] = node.successors
            if isinstance(node.statement, fc.CallChart):
                following = (chart.charts[node.statement.chart].start,)
            elif node.kind is fc.NodeKind.END:
                following = tuple(calls.get(node.chart, ()))
            after[number] = set().union(*(wanted[successor] for successor in following))
            read = {part.name for expr in node.exprs() for part in expr.walk() if part.name in secrets}
            before = read | (after[number] - _written(node)) if node.statement is not None else read | after[number]
            if before != wanted[number]:
                wanted[number] = {name for name in before if name is not None}
                changed = True
    gathers = [number for number, node in chart.nodes.items() if isinstance(node.statement, fc.Gather)]
    return frozenset(name for number in gathers for name in after[number])


def _written(node: fc.Node) -> set[str]:
    """The variables that are surely another's after a node."""
    statement = node.statement
    if isinstance(statement, fc.Assign | fc.Choose) and statement.target.player is None:
        return {statement.target.name}
    return set()
