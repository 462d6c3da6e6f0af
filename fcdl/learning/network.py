"""Networks as policies: what the moves are worth, from what the deciding seat sees.

A worth is in points (or wins): how much better than the mean of the legal moves it is to make the move and to play on
by the policy. Between inputs and outputs is one layer of hidden units.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fcdl.engines.native import _engine
from fcdl.engines.native.functions import Function
from fcdl.language.flowchart import Flowchart
from fcdl.learning.view import View
from fcdl.model.game import Game

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Weights:
    """The numbers of a network: inputs × hidden and their bias, outputs × hidden and their bias."""

    first: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats

    @property
    def hidden(self) -> int:
        """The number of hidden units."""
        return len(self.first_bias)

    @classmethod
    def start(cls, view: View, hidden: int, seed: int) -> Weights:
        """Random ones for the hidden units, 0 for the outputs: every move is worth the same."""
        rng = np.random.default_rng(seed)
        shape = (view.inputs, hidden)
        return cls(
            (rng.standard_normal(shape) * 0.15).astype(np.float32),
            np.full(hidden, 0.1, np.float32),
            np.zeros((view.outputs, hidden), np.float32),
            np.zeros(view.outputs, np.float32),
        )

    def arrays(self) -> tuple[Floats, ...]:
        """All of them, in order."""
        return self.first, self.first_bias, self.second, self.second_bias

    @staticmethod
    def shapes(inputs: int, hidden: int, outputs: int) -> tuple[tuple[int, ...], ...]:
        """The shapes of the arrays, in order."""
        return (inputs, hidden), (hidden,), (outputs, hidden), (outputs,)


@dataclass(frozen=True, eq=False)
class NetworkPolicy:
    """A policy that a network says: moves by the softmax of what they are worth."""

    game: Game
    view: View
    weights: Weights
    temperature: float
    name: str = "learned"
    epsilon: float = 0.0
    open: bool = False

    @property
    def pauses(self) -> frozenset[int]:
        """None: worths are looked up, not played for."""
        return frozenset()

    def functions(self, flowchart: Flowchart) -> tuple[Function, ...]:
        """None: the network knows where to look."""
        return ()

    def compiled(self, flowchart: Flowchart, program: _engine.Program, numbers: Mapping[str, int]) -> _engine.Policy:
        """The C engine's form."""
        nothing = b"\xff" * (4 * len(flowchart.nodes))
        network = self.network(program)
        return _engine.Policy(program, nothing, nothing, self.epsilon, temperature=self.temperature, network=network)

    def network(self, program: _engine.Program) -> _engine.Network:
        """The network in C; raises ValueError if it does not fit the game."""
        weights = self.weights
        return _engine.Network(
            program=program,
            inputs=self.view.inputs,
            hidden=weights.hidden,
            outputs=self.view.outputs,
            first=weights.first,
            first_bias=weights.first_bias,
            second=weights.second,
            second_bias=weights.second_bias,
            **self.view.parts(self.game),
        )
