"""Players for tests: one that can be told apart from random, and two that look at all cards."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest

from fcdl.agents import agent
from fcdl.agents.agent import AgentKind
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move


class First:
    """Always the first legal move."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        return legal[0]


class Peeping(First):
    """Remembers the positions it was shown."""

    clairvoyant = False
    shown: tuple[bytes, ...] = ()

    def peek(self, position: bytes) -> None:
        self.shown += (position,)


class AlwaysPeeping(Peeping):
    """Wants to see all cards in every game."""

    clairvoyant = True


KINDS: Mapping[str, AgentKind] = {
    "first": AgentKind(First, "the first legal move", {}),
    "peeping": AgentKind(Peeping, "looks if it may", {}),
    "always_peeping": AgentKind(AlwaysPeeping, "looks always", {}),
}


@pytest.fixture
def players(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes these players known."""
    monkeypatch.setattr(agent, "KIND_MODULES", (*agent.KIND_MODULES, __name__))
