"""Any chart as an OpenSpiel game: `pyspiel.load_game("fcdl(chart=kuhn_poker)")` after this module was imported.

Chance is explicit, cards are drawn one by one as they are needed (see `tree.py`). Actions are the numbers of
`game.actions`; what a player gets is the score minus the mean of all scores (reversed where the lowest wins), so
every game is zero-sum. The string of an information state is everything that the seat has seen.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fcdl.adapters.tree import Point, Tree
from fcdl.api.bounds import Bounds
from fcdl.api.game import Game, load
from fcdl.language.flowchart import MAX_PLAYERS
from fcdl.model.engine import STEP_LIMIT
from fcdl.model.events import Event

try:
    import pyspiel
except ImportError as missing:
    raise ImportError("this needs OpenSpiel: pip install -e '.[openspiel]' in the checkout of fcdl") from missing

NAME = "fcdl"
MOST_OUTCOMES = 10_000
"""Of chance, where the chart sets no bound."""


def _type(players: tuple[int, int]) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=NAME,
        long_name="A card game as a flowchart",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players[1],
        min_num_players=players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"chart": "kuhn_poker", "players": 0, "options": ""},
    )


class FcdlGame(pyspiel.Game):  # type: ignore[misc]
    """A chart. Parameters: `chart`, a built-in name or a file; `players`; `options`, written `target=0;passing=no`."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        options = dict(item.split("=", 1) for item in str(given.get("options", "")).split(";") if item)
        self.fcdl = load(str(given.get("chart", "kuhn_poker")), given.get("players") or None, options=options)
        self.tree = Tree(self.fcdl)
        best = _best(self.fcdl)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.fcdl.actions),
            max_chance_outcomes=_most_outcomes(self.fcdl, self.tree),
            num_players=self.fcdl.players,
            min_utility=-best,
            max_utility=best,
            utility_sum=0.0,
            max_game_length=STEP_LIMIT,
        )
        super().__init__(_type(self.fcdl.flowchart.players), info, given)

    def new_initial_state(self) -> FcdlState:
        """The start of a game."""
        return FcdlState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> FcdlObserver:
        """Observes states."""
        return FcdlObserver(self.fcdl)


class FcdlState(pyspiel.State):  # type: ignore[misc]
    """A node of the tree. Its parts are never changed and are not copied with it."""

    def __init__(self, game: FcdlGame) -> None:
        super().__init__(game)
        self.tree = game.tree
        self.point = self.tree.reach((), ())
        self.decided: Point | None = None
        """Where the last decision was made."""

    def current_player(self) -> int:
        """Who is to move."""
        if self.point.question is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.point.mover is None else self.point.mover

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.tree.game.actions.numbers(self.point.legal))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of chance with their probabilities."""
        assert self.point.question is not None
        return list(self.point.question.outcomes)

    def _apply_action(self, action: int) -> None:
        if self.point.question is None:
            self.decided = self.point
        self.point = self.tree.after(self.point, action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return str(self.tree.game.actions.move(action, self.point.legal))
        question = self.point.question
        return f"draw {self.tree.codes[action]}" if question is None or question.is_card else f"random {action}"

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.point.question is None and self.point.mover is None

    def returns(self) -> list[float]:
        """What each player got."""
        outcome = self.tree.game.engine.outcome(self.point.state) if self.is_terminal() else None
        return [0.0] * self.tree.game.players if outcome is None else self.tree.game.rewards(outcome.scores)

    @property
    def seen_point(self) -> Point | None:
        """The point that players have seen: before a question to chance, the last decision; None at the very start."""
        return self.point if self.point.question is None else self.decided

    def __str__(self) -> str:
        chance = " ".join(
            str(answer) if isinstance(answer, int) else "".join(self.tree.codes[card] for card in answer)
            for _, answer in self.point.answers
        )
        return f"{chance}: {', '.join(map(str, self.point.moves))}"


class FcdlObserver:
    """What one player has seen, as a vector (see `fcdl.api.encoder`) and as a text with everything in it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.encoder = game.encoder
        self.tensor = np.zeros(self.encoder.shape, np.float32)
        self.dict = self.encoder.split(self.tensor)

    def set_from(self, state: FcdlState, player: int) -> None:
        """Fills the tensor."""
        point = state.seen_point
        self.tensor[:] = 0 if point is None else self.encoder.encode(self.game.engine.observe(point.state, player))

    def string_from(self, state: FcdlState, player: int) -> str:
        """Everything the player has seen, as text."""
        point = state.seen_point
        if point is None:
            return f"{player}:"
        if player not in point.texts:
            events = self.game.engine.observe(point.state, player).events
            point.texts[player] = f"{player}: " + "; ".join(map(_said, events))
        return point.texts[player]


def _said(event: Event) -> str:
    """An event in short; equal for equal events only."""
    owner = "" if event.owner is None else f"({event.owner})"
    parts = [event.kind, event.seat, event.node, f"{event.name or ''}{owner}", event.source, event.target, event.number]
    cards = None if event.cards is None else " ".join(event.cards)
    return " ".join(str(part) for part in (*parts, cards, event.value) if part not in (None, ""))


def _best(game: Game) -> float:
    """More than any player can get."""
    scores = Bounds(game).variable("score")
    return float(scores.high - scores.low)


def _most_outcomes(game: Game, tree: Tree) -> int:
    bounds = Bounds(game)
    randoms = [
        bounds.interval(part.args[0], env).high
        for number, env in bounds.at.items()
        for expr in game.flowchart.nodes[number].exprs()
        for part in expr.walk()
        if part.op == "random"
    ]
    return max([len(tree.codes), *(min(MOST_OUTCOMES, most) for most in randoms)])


pyspiel.register_game(_type((1, MAX_PLAYERS)), FcdlGame)
