"""What in a chart is hidden from some seat, and which secrets last from hand to hand."""

from __future__ import annotations

from functools import cached_property

from fcdl.language import flowchart as fc
from fcdl.language.flow import live_variables, through_calls
from fcdl.language.sight import decisive, hidden_part, sees_value


class Hiding:
    """Which expressions can depend on something that not everybody sees."""

    def __init__(self, chart: fc.Flowchart) -> None:
        self.chart = chart
        self.found: dict[int, tuple[fc.Expr, bool]] = {}
        self.draws: dict[int, tuple[fc.Expr, fc.Expr | None]] = {}
        self.telling: dict[int, bool] = {}
        self.lasting = lasting_secrets(chart)

    def __call__(self, expr: fc.Expr) -> bool:
        """Whether an expression can depend on something hidden."""
        entry = self.found.get(id(expr))
        if entry is None:
            entry = self.found[id(expr)] = (expr, hidden_part(self.chart, expr) is not None)
        return entry[1]

    @cached_property
    def private(self) -> bool:
        """Whether there are private diamonds."""
        return any(node.private for node in self.chart.nodes.values())

    def moves_tell(self, node: int) -> bool:
        """Whether the list of legal moves at a node can depend on what the player who decides does not see."""
        found = self.telling.get(node)
        if found is None:
            deciding = decisive(self.chart.nodes[node].statement)
            found = deciding is None or any(hidden_part(self.chart, expr, deciding[0]) for expr in deciding[1])
            self.telling[node] = found
        return found

    def draw(self, expr: fc.Expr) -> fc.Expr | None:
        """The `random` in the value of an assignment, if there is one."""
        if id(expr) not in self.draws:
            draws = [part for part in expr.walk() if part.op == "random"]
            self.draws[id(expr)] = (expr, draws[0] if draws else None)
        return self.draws[id(expr)][1]


def lasting_secrets(chart: fc.Flowchart) -> frozenset[str]:
    """Secret variables that may be read after a shuffle of all cards before they are assigned again."""
    secrets = {name for name, variable in chart.variables.items() if not sees_value(variable, None)}
    if not secrets:
        return frozenset()
    after = through_calls(chart)
    live = live_variables(chart.nodes, after)
    gathers = [number for number, node in chart.nodes.items() if isinstance(node.statement, fc.Gather)]
    return frozenset(name for number in gathers for target in after[number] for name in live[target] & secrets)
