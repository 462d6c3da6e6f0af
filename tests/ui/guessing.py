"""An agent for tests of the teacher: it values moves by their place among the legal ones, and says so."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest

from fcdl.agents import MoveValue, Thought, agent
from fcdl.agents.agent import AgentKind, Parameter, whole
from fcdl.model import Game, Move, Observation


class Guesser:
    """Likes the last legal move best; each one before is worth a point less."""

    def __init__(self, game: Game, ms: int) -> None:
        self.game = game

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        """The last one."""
        return legal[-1]

    def think(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Thought:
        """The last one, and why."""
        values = [MoveValue(move, float(number + 1 - len(legal)), 10) for number, move in enumerate(legal)]
        return Thought(legal[-1], tuple(reversed(values)), (f"{legal[-1]} comes last.",))


KINDS: Mapping[str, AgentKind] = {
    "guesser": AgentKind(Guesser, "likes the last legal move", {"ms": Parameter(whole(1, 9), 5, "is not used")}),
}


def make_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on there is an agent `guesser`, which is the teacher, too."""
    monkeypatch.setattr(agent, "KIND_MODULES", (*agent.KIND_MODULES, __name__))
