"""Expressions on their own, read as if they stood in a chart, with names for what is given from outside."""

from __future__ import annotations

from collections.abc import Mapping

from fcdl.language.diagnostics import ChartError, Findings
from fcdl.language.flowchart import Expr, Flowchart, Type


def read_expression(
    flowchart: Flowchart,
    text: str,
    parameters: Mapping[str, Type] | None = None,
    *,
    wanted: Type | None = Type.INT,
    name: str = "expression",
) -> Expr:
    """The expression that a text says about a chart's positions; raises ChartError, which calls the text `name`.

    Parameters become locals and come before the chart's own names. Chance has no place here, nor has the order of
    cards in zones where the chart does not look at it. If no type is `wanted`, every type will do.
    """
    from fcdl.language.parser import parse_expression
    from fcdl.language.resolve import resolve_expression

    findings = Findings()
    parsed = parse_expression(text, findings)
    expr = resolve_expression(flowchart, parsed, parameters or {}, wanted, findings) if parsed is not None else None
    if expr is None or findings.has_errors:
        raise ChartError(findings.sorted(), name, text)
    return expr
