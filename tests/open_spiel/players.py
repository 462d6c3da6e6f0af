"""OpenSpiel's own search player as one of our agents, for comparison: it sees what its seat has seen, and no more."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from fcdl.agents import AgentError
from fcdl.agents.agent import AgentKind, Parameter, real, whole
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move
from tests.open_spiel.hearts import Hearts
from tests.open_spiel.oh_hell import OhHell


class Bridge(Protocol):
    """A game in OpenSpiel's words."""

    def state(self, observation: Observation) -> Any:
        """One of OpenSpiel's states in which the seat has seen what it has seen."""

    def action(self, move: Move) -> int:
        """OpenSpiel's number of a move."""


BRIDGES: Mapping[str, Callable[[Game], Bridge]] = {"Hearts": Hearts, "Oh Hell": OhHell}
NO_LIMIT = 1_000_000_000


class OpenSpielPlayer:
    """Information set MCTS of OpenSpiel, with random rollouts, for a time or for a number of simulations."""

    def __init__(self, game: Game, ms: int, simulations: int, c: float) -> None:
        if game.flowchart.title not in BRIDGES:
            raise AgentError(f"OpenSpiel's player is there for {' and '.join(BRIDGES)} only")
        if not ms and not simulations:
            raise AgentError("OpenSpiel's player needs a limit: ms or simulations")
        self.bridge = BRIDGES[game.flowchart.title](game)
        self.seconds = ms / 1000 if ms else -1.0
        self.simulations = simulations if simulations else NO_LIMIT
        self.c = c

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        """The move that OpenSpiel visited most often."""
        import pyspiel

        if len(legal) == 1:
            return legal[0]
        seed = rng.getrandbits(31)
        moves = {self.bridge.action(move): move for move in legal}
        state = self.bridge.state(observation)
        assert sorted(moves) == sorted(state.legal_actions()), "the rules differ"
        bot = pyspiel.ISMCTSBot(
            seed,
            pyspiel.RandomRolloutEvaluator(1, seed),
            self.c,
            self.simulations,
            max_world_samples=-1,
            final_policy_type=pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            use_observation_string=False,
            allow_inconsistent_action_sets=False,
            max_wall_clock_time=self.seconds,
        )
        return moves[bot.step(state)]


KINDS: Mapping[str, AgentKind] = {
    "open_spiel.ismcts": AgentKind(
        OpenSpielPlayer,
        "OpenSpiel's information set MCTS",
        {
            "ms": Parameter(whole(0, 3_600_000), 100, "milliseconds for a move (0: no limit)"),
            "simulations": Parameter(whole(0, NO_LIMIT), 0, "simulations for a move (0: no limit)"),
            "c": Parameter(real(0, 1000), 5.0, "how much it explores"),
        },
    ),
}
