"""What in a chart is hidden from some seat, and which secrets last from hand to hand."""

from __future__ import annotations

from fcdl.language import flowchart as fc
from fcdl.language.flow import live_variables, through_calls
from fcdl.language.sight import hidden_part, sees_value


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
    secrets = {name for name, variable in chart.variables.items() if not sees_value(variable, None)}
    if not secrets:
        return frozenset()
    after = through_calls(chart)
    live = live_variables(chart.nodes, after)
    gathers = [number for number, node in chart.nodes.items() if isinstance(node.statement, fc.Gather)]
    return frozenset(name for number in gathers for target in after[number] for name in live[target] & secrets)
