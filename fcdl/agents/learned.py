"""The player `policy`: moves by a learned policy, in microseconds; and the policy `learned` for players that search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from fcdl.agents.agent import AgentKind, Parameter, is_policy_file, policy_of
from fcdl.agents.policy import PolicyAgent
from fcdl.model.game import Game

if TYPE_CHECKING:
    from fcdl.learning.network import NetworkPolicy

LEARNED = "learned"


class LearnedAgent(PolicyAgent):
    """Makes the move that a learned policy finds best."""

    def __init__(self, game: Game, *, file: str) -> None:
        super().__init__(game, policy_of(file, game))


def best_known(game: Game) -> NetworkPolicy:
    """The policy that comes with fcdl for a game; if there is none, what can be learned in a few seconds."""
    from fcdl.learning.files import shipped
    from fcdl.learning.learn import learned_for

    file = shipped(game)
    return file.policy(game, LEARNED) if file is not None else learned_for(game)


def policy_in(path: str, game: Game) -> NetworkPolicy:
    """The policy in a file; raises PolicyError."""
    from fcdl.learning.files import read_policy

    return read_policy(Path(path)).policy(game, path)


def _name(text: str) -> str:
    """Reads the name of a learned policy."""
    if text == LEARNED or is_policy_file(text):
        return text
    raise ValueError("expected one of learned, FILE.policy")


POLICIES: Mapping[str, Callable[[Game], NetworkPolicy]] = {LEARNED: best_known}
KINDS: Mapping[str, AgentKind] = {
    "policy": AgentKind(
        LearnedAgent,
        "plays by what it learned from games against itself, at once ('fcdl learn')",
        {
            "file": Parameter(
                _name,
                LEARNED,
                "the policy: a file; learned: the one that comes with the game, or a few seconds of learning",
            )
        },
    ),
}
