"""Policies that look to the end of the cycle: `greedy` at what it brings, `heuristics` also at the cards then left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fcdl.engines.native import _engine
from fcdl.engines.native.functions import Function
from fcdl.heuristics.derive import derive
from fcdl.heuristics.evaluation import Evaluation
from fcdl.language.flowchart import Flowchart
from fcdl.model.game import Game

GREEDY, HEURISTICS = "greedy", "heuristics"
_EVALUATIONS: dict[tuple[object, ...], Evaluation] = {}


def evaluation_of(game: Game, name: str) -> Evaluation:
    """The evaluation of this name, made once for a game; raises OutsideError."""
    key = (game.flowchart.hash, game.players, tuple(game.options.items()), name)
    if key not in _EVALUATIONS:
        _EVALUATIONS[key] = Evaluation(game, derive(game), name=name, goals_only=name == GREEDY)
    return _EVALUATIONS[key]


@dataclass(frozen=True, slots=True)
class LookAhead:
    """A policy for playouts: the move after which the end of the cycle, in so many lines of play, is worth most.

    It looks at all hands, so it is for worlds and not for players.
    """

    name: str
    evaluation: Evaluation
    lines: int = 1
    epsilon: float = 0.0

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
        evaluation = self.evaluation.compiled(program, numbers)
        return _engine.Policy(program, nothing, nothing, self.epsilon, evaluation, self.lines)
