"""What players that follow rules made for one game have in common."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence

from fcdl.agents.agent import AgentError, Thought
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move
from fcdl.model.table import Table

RANKS = "23456789TJQKA"
Advice = tuple[Sequence[Move], str]
"""Legal moves that are equally good, and why, as a sentence."""


def forced(legal: Sequence[Move]) -> Thought:
    """The thought where only one move is legal."""
    return Thought(legal[0], (), ("There is nothing else to do.",))


class RulePlayer(ABC):
    """Reads the table, lets its rules advise some of the legal moves, and takes any of those."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.table = Table(game)

    @abstractmethod
    def advise(self, seat: int, legal: Sequence[Move], rng: random.Random) -> Advice:
        """The moves the rules are for; the table is up to date, and there is more than one legal move."""

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        """One of the moves the rules are for."""
        return self.think(observation, legal, rng).move

    def think(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Thought:
        """The same with the rule in words."""
        if len(legal) == 1:
            return forced(legal)
        self.table.read(observation)
        moves, why = self.advise(observation.seat, legal, rng)
        move = moves[0] if len(moves) == 1 else moves[rng.randrange(len(moves))]
        return Thought(move, (), (why,))


def rank_value(card: str) -> int:
    """2 to 10, jack 11, queen 12, king 13, ace 14."""
    return RANKS.index(card[0]) + 2


def suit_code(suit: str) -> str:
    """The second letter of cards of a suit (`hearts`: `H`); nothing for `none`."""
    return "" if suit == "none" else suit[0].upper()


def require_game(game: Game, agent: str, title: str, names: Collection[str]) -> None:
    """Raises AgentError unless the chart has this title and all these zones, variables and options."""
    chart = game.flowchart
    if chart.title != title:
        raise AgentError(f"agent '{agent}' plays {title} only, not {chart.title}")
    missing = [name for name in names if not (name in chart.zones or name in chart.variables or name in chart.options)]
    if missing:
        raise AgentError(f"agent '{agent}' needs {', '.join(missing)}, which this chart of {title} does not have")
