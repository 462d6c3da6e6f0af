"""Policies that look to the end of the cycle: `greedy` at what it brings, `heuristics` also at the cards then left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fcdl.engines.native import _engine
from fcdl.engines.native.functions import Function
from fcdl.heuristics.evaluation import MAX_SIZE, Evaluation, Style
from fcdl.heuristics.layers import game_key, heuristics_for
from fcdl.language.flowchart import Flowchart
from fcdl.model.game import Game

GREEDY, HEURISTICS = "greedy", "heuristics"
_EVALUATIONS: dict[tuple[object, ...], Evaluation] = {}


def evaluation_of(game: Game, name: str, style: Style | None = None) -> Evaluation:
    """The evaluation of this name, made once for a game; of a game without heuristics, one by random play."""
    key = (*game_key(game), name, style)
    if key not in _EVALUATIONS:
        _EVALUATIONS[key] = _make(game, name, style)
    return _EVALUATIONS[key]


def _make(game: Game, name: str, style: Style | None) -> Evaluation:
    """As much of an evaluation as the engine has room for."""
    from fcdl.engines.native import NativeEngine
    from fcdl.engines.native.assembler import TooLargeError

    derived, size = heuristics_for(game).derived, MAX_SIZE
    while True:
        evaluation = Evaluation(game, derived, name=name, goals_only=name == GREEDY, style=style, size=size)
        try:
            NativeEngine(game, functions=evaluation.functions, pauses=evaluation.pauses).node_program  # noqa: B018
        except TooLargeError:
            if derived is None:
                return evaluation  # the game itself is too large: whoever plays it says so
            derived, size = (derived, size // 2) if evaluation.cases else (None, 0)
        else:
            return evaluation


@dataclass(frozen=True, slots=True)
class LookAhead:
    """A policy for playouts: the move after which the end of the cycle, in so many lines of play, is worth most.

    It looks at all hands, so it is for worlds and not for players. Of a game without heuristics any move is as good.
    """

    name: str
    evaluation: Evaluation
    lines: int = 1
    epsilon: float = 0.0
    open: bool = True

    @property
    def pauses(self) -> frozenset[int]:
        """Where cycles begin."""
        return self.evaluation.pauses

    def functions(self, flowchart: Flowchart) -> tuple[Function, ...]:
        """Those of the evaluation."""
        return self.evaluation.functions

    def compiled(self, flowchart: Flowchart, program: _engine.Program, numbers: Mapping[str, int]) -> _engine.Policy:
        """The C engine's form."""
        nothing = b"\xff" * (4 * len(flowchart.nodes))
        evaluation = None if self.evaluation.derived is None else self.evaluation.compiled(program, numbers)
        return _engine.Policy(program, nothing, nothing, self.epsilon, evaluation, self.lines)
