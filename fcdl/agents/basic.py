"""Players that need nothing but their legal moves, and the table of all kinds of players."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from fcdl.agents.agent import AgentKind
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move


class RandomAgent:
    """Plays every legal move with the same probability."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        """Any of the legal moves."""
        return legal[rng.randrange(len(legal))]


KINDS: Mapping[str, AgentKind] = {
    "random": AgentKind(RandomAgent, "plays any legal move, all equally likely", {}),
}
