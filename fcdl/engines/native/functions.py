"""Functions of a position: expressions of a chart's language with parameters, compiled together with the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fcdl.language.expression import read_expression
from fcdl.language.flowchart import Expr, Flowchart, Type


@dataclass(frozen=True, slots=True)
class Function:
    """An expression whose locals are the parameters; its value is an int, as variables have them (no set of cards).

    Arguments are ints, too: for a parameter of type cards, the number as a move of a set that is offered.
    """

    name: str
    parameters: tuple[tuple[str, Type], ...]
    body: Expr

    @classmethod
    def read(
        cls, flowchart: Flowchart, name: str, text: str, parameters: Mapping[str, Type], wanted: Type = Type.INT
    ) -> Function:
        """The function that a text says; raises ChartError."""
        body = read_expression(flowchart, text, parameters, wanted=wanted, name=name)
        return cls(name, tuple(parameters.items()), body)
