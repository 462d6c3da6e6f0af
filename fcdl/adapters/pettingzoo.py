"""Any chart as a PettingZoo environment (AEC: agents move one after another), with action masks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from fcdl.api.game import Game, load
from fcdl.api.state import State

try:
    import gymnasium
    from pettingzoo import AECEnv
except ImportError as missing:
    raise ImportError("this needs PettingZoo: pip install -e '.[pettingzoo]' in the checkout of fcdl") from missing


def env(
    chart: str | Path | Game, players: int | None = None, *, options: Mapping[str, str | int] | None = None, **more: Any
) -> FcdlEnv:
    """The environment of a chart, which is given as to `fcdl.load`, or of a game."""
    return FcdlEnv(chart if isinstance(chart, Game) else load(chart, players, options=options, **more))


class FcdlEnv(AECEnv):  # type: ignore[misc]
    """A game between agents `player_0`, `player_1` ...: a step is a move, given by its number in `game.actions`.

    An observation has `observation`, the vector of `game.encoder`, and `action_mask`, 1 for every legal action. When
    the game ends every agent is terminated and rewarded once: its score minus the mean of all scores; where the lowest
    score wins, the other way round. A game that does not end properly is truncated.
    """

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.metadata = {"name": game.name, "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = "ansi"
        self.game = game
        self.possible_agents = [f"player_{seat}" for seat in range(game.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        numbers = gymnasium.spaces.Box(-np.inf, np.inf, game.encoder.shape, np.float32)
        mask = gymnasium.spaces.Box(0, 1, (len(game.actions),), np.int8)
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict({"observation": numbers, "action_mask": mask})
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(max(1, len(game.actions))) for agent in self.possible_agents
        }
        self.state_of_game: State = game.new(0)

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """The space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """The space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Starts a new game; the same seed gives the same game."""
        self.state_of_game = self.game.new(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def step(self, action: int | None) -> None:
        """Makes the move of the agent whose turn it is; raises IllegalMoveError with the reason."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{self.agent_selection} must act")
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self.state_of_game.play(int(action))
        self._go_on()
        self._accumulate_rewards()

    def _go_on(self) -> None:
        """Turns to whoever moves next, or ends the game."""
        outcome = self.state_of_game.outcome
        if outcome is None:
            self.agent_selection = self.possible_agents[self.state_of_game.mover or 0]
            return
        self.rewards = dict(zip(self.agents, self.game.rewards(outcome.scores), strict=True))
        ended = self.terminations if outcome.reason == "end" else self.truncations
        ended.update(dict.fromkeys(self.agents, True))
        self.infos = {agent: {"scores": outcome.scores, "reason": str(outcome.reason)} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        """What an agent has seen, as numbers, and which actions are legal for it now."""
        seat, state = self._seats[agent], self.state_of_game
        legal = state.legal if state.mover == seat else ()
        encoder = self.game.encoder
        return {"observation": encoder.encode(state.observation(seat)), "action_mask": encoder.mask(legal)}

    def render(self) -> str:
        """The table, all cards face up."""
        return str(self.state_of_game)

    def close(self) -> None:
        """Nothing is open."""
