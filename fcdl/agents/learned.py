"""The player `policy`: moves by a learned policy, in microseconds; and the policy `learned` for players that search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from fcdl.agents.agent import AgentError, AgentKind, Parameter, is_policy_file, policy_of
from fcdl.agents.policy import PolicyAgent
from fcdl.model.game import Game

if TYPE_CHECKING:
    from fcdl.learning.network import NetworkPolicy

LEARNED = "learned"


class LearnedAgent(PolicyAgent):
    """Makes the move that a learned policy finds best."""

    def __init__(self, game: Game, *, file: str) -> None:
        super().__init__(game, policy_of(file, game))


def shipped_policy(game: Game) -> NetworkPolicy:
    """The policy that comes with fcdl for a game; raises AgentError if there is none."""
    from fcdl.learning.files import shipped

    file = shipped(game)
    if file is None:
        raise AgentError(
            f"there is no learned policy for {game.flowchart.title} with {game.players} players: "
            f"'fcdl learn {game.name} -o {game.name}.policy' makes one, 'policy={game.name}.policy' uses it"
        )
    return file.policy(game, LEARNED)


def policy_in(path: str, game: Game) -> NetworkPolicy:
    """The policy in a file; raises PolicyError."""
    from fcdl.learning.files import read_policy

    return read_policy(Path(path)).policy(game, path)


def _name(text: str) -> str:
    """Reads the name of a learned policy."""
    if text == LEARNED or is_policy_file(text):
        return text
    raise ValueError("expected learned, or a file of a policy (.policy)")


POLICIES: Mapping[str, Callable[[Game], NetworkPolicy]] = {LEARNED: shipped_policy}
KINDS: Mapping[str, AgentKind] = {
    "policy": AgentKind(
        LearnedAgent,
        "plays by what it learned from games against itself, at once ('fcdl learn')",
        {"file": Parameter(_name, LEARNED, "the policy: learned (the one that comes with the game), or a file")},
    ),
}
