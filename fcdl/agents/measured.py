"""The player `measured`, and the policy of that name: what heuristics measured by play promise of each move."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fcdl.agents.agent import AgentKind, Parameter, Thought, whole
from fcdl.agents.policy import PolicyAgent
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move

if TYPE_CHECKING:
    from fcdl.heuristics.measured import Measured, MeasuredPolicy

REASONS = 2
"""How many sentences speak for a move, at most."""


class MeasuredAgent(PolicyAgent):
    """Makes the move that the measured heuristics favour most; where there are none, any move."""

    def __init__(self, game: Game, *, decisions: int | None = None, measured: Measured | None = None) -> None:
        from fcdl.engines.native.functions import Function
        from fcdl.heuristics.measured import SMALL, measured_for

        self.measured = measured or measured_for(game, decisions or SMALL.decisions)
        names = [f"effect {number}" for number in range(len(self.measured.effects))]
        functions = [
            Function(name, effect.parameters, effect.worth)
            for name, effect in zip(names, self.measured.effects, strict=True)
        ]
        super().__init__(game, self.measured.policy, functions)

    def think(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Thought:
        """The choice with what the moves promise, and the sentences that speak for it."""
        thought = super().think(observation, legal, rng)
        reasons = self.speaking_for(observation, legal, thought.move) or (self.measured.note,)
        return thought if thought.reasons else replace(thought, reasons=tuple(filter(None, reasons)))

    def speaking_for(self, observation: Observation, legal: Sequence[Move], move: Move) -> tuple[str, ...]:
        """The measured heuristics that speak for a move and against the others, as sentences, the strongest first."""
        from fcdl.engines.native.constants import PASS
        from fcdl.heuristics.measured_words import effect_sentence

        if len(legal) < 2 or not self.measured.effects:
            return ()
        position = self.beliefs.sample(observation, 1, 0).positions[0]
        state = self.engine.state(position)
        numbers = {self.engine.move(state, number): number for number in self.engine.program.legal(position)}
        found, chart = [], self.measured.game.flowchart
        for index, effect in enumerate(self.measured.effects):
            if effect.decision.node.number != state.node:
                continue
            gains = {}
            for one in legal:
                passes = numbers[one] == PASS and effect.decision.may_pass
                arguments = (state.mover,) if effect.passes else (state.mover, numbers[one])
                gains[one] = self.engine.call(position, f"effect {index}", *arguments) if passes == effect.passes else 0
            others = [gain for one, gain in gains.items() if one != move]
            difference = gains[move] - sum(others) / len(others)
            if difference > 0:
                sentence = effect_sentence(chart, effect, self.measured.unit, interval=False)
                found.append((-difference, sentence))
        return tuple(sentence for _, sentence in sorted(found)[:REASONS])


def _policy(game: Game) -> MeasuredPolicy:
    from fcdl.heuristics.measured import measured_for

    return measured_for(game).policy


POLICIES: Mapping[str, Callable[[Game], MeasuredPolicy]] = {"measured": _policy}
KINDS: Mapping[str, AgentKind] = {
    "measured": AgentKind(
        MeasuredAgent,
        "plays test games first, then makes the kinds of moves that won most in them",
        {
            "decisions": Parameter(
                whole(40, 100_000), 600, "decisions to look at in the test games, for each kind of decision"
            )
        },
    ),
}
