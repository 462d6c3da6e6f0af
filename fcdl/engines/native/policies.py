"""Policies: how a seat chooses its moves, said by what each move is worth, in the chart's language."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from fcdl.engines.native import _engine
from fcdl.engines.native.constants import NO_FUNCTION
from fcdl.engines.native.functions import Function
from fcdl.language import flowchart as fc
from fcdl.language.diagnostics import ChartError, Findings, Span
from fcdl.language.flowchart import Expr, Flowchart, Type
from fcdl.language.sight import hidden_part

ME = Expr("local", Type.PLAYER, name="me")
"""The player whose policy it is."""


class AnyPolicy(Protocol):
    """A policy of any kind, for engines that it is compiled with."""

    @property
    def name(self) -> str:
        """What engines call it."""

    @property
    def epsilon(self) -> float:
        """How often any legal move is made."""

    @property
    def open(self) -> bool:
        """Whether it looks at hidden cards."""

    @property
    def pauses(self) -> frozenset[int]:
        """The nodes where the game has to pause for it."""

    def functions(self, flowchart: Flowchart) -> tuple[Function, ...]:
        """The functions that it needs; raises ChartError."""

    def compiled(self, flowchart: Flowchart, program: _engine.Program, numbers: Mapping[str, int]) -> _engine.Policy:
        """The C engine's form, for a program that has the functions under these numbers."""


@dataclass(frozen=True, slots=True)
class Policy:
    """A legal move of the highest worth is made, any of them if there are several.

    Worths are numbers in the chart's language, of `me` and of `card` (to play or to pick) or `value` (to choose, by
    the variable that gets it); what has no worth is worth 0. With the probability `epsilon` any legal move is made.
    A policy may look at what its seat sees only, unless it is `open`: then it is for positions whose cards are known,
    as in playouts, and cannot be a player.
    """

    name: str
    play: str | None = None
    pick: str | None = None
    passing: str | None = None
    choose: Mapping[str, str] = field(default_factory=dict)
    epsilon: float = 0.0
    open: bool = False

    @property
    def pauses(self) -> frozenset[int]:
        """None: worths are looked up, not played for."""
        return frozenset()

    def functions(self, flowchart: Flowchart) -> tuple[Function, ...]:
        """The worths as functions; raises ChartError."""
        return tuple(self._functions(flowchart))

    def _functions(self, flowchart: Flowchart) -> Iterator[Function]:
        for kind, text in (("play", self.play), ("pick", self.pick), ("passing", self.passing)):
            if text is not None:
                parameters = {"me": Type.PLAYER} | ({} if kind == "passing" else {"card": Type.CARD})
                yield self._function(flowchart, kind, text, parameters)
        for variable, text in self.choose.items():
            if variable not in flowchart.variables:
                findings = Findings()
                hint = findings.near(variable, flowchart.variables)
                findings.error("unknown-name", f"the chart has no variable '{variable}'", hint=hint)
                raise ChartError(findings.items, self.name)
            parameters = {"me": Type.PLAYER, "value": flowchart.variables[variable].type}
            yield self._function(flowchart, variable, text, parameters)

    def _function(self, flowchart: Flowchart, what: str, text: str, parameters: Mapping[str, Type]) -> Function:
        function = Function.read(flowchart, self._name(what), text, parameters)
        hidden = None if self.open else hidden_part(flowchart, function.body, ME)
        if hidden is not None:
            findings = Findings()
            place = f"'{hidden.name}'" if hidden.name is not None else "other hands"
            span = Span(1, 1, 1, len(text) + 1)
            hint = "write hand(me) for its own" if hidden.name in ("hand", None) else None
            findings.error(
                "hidden", f"a policy cannot look at {place} here: its seat may not see that", span, hint=hint
            )
            raise ChartError(findings.items, function.name, text)
        return function

    def _name(self, what: str) -> str:
        return f"{self.name}.{what}"

    def compiled(self, flowchart: Flowchart, program: _engine.Program, numbers: Mapping[str, int]) -> _engine.Policy:
        """The C engine's form, for a program that has the functions under these numbers."""
        worth, passing = array("i"), array("i")
        for node in flowchart.nodes.values():
            what = _decided(node.statement)
            worth.append(numbers.get(self._name(what), NO_FUNCTION) if what is not None else NO_FUNCTION)
            passing.append(numbers.get(self._name("passing"), NO_FUNCTION))
        return _engine.Policy(program, worth.tobytes(), passing.tobytes(), self.epsilon)


def _decided(statement: fc.Statement | None) -> str | None:
    """What a policy's worth is called at a node; None where nothing is decided."""
    match statement:
        case fc.Play():
            return "play"
        case fc.Pick():
            return "pick"
        case fc.Choose(target=target):
            return target.name
    return None
