"""OpenSpiel's side of a comparison: a state that is driven along, and what was compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from functools import cache
from typing import Any

Counts = Counter[str]
"""What was compared, by name: games, positions and so on."""


@cache
def load_game(name: str, parameters: tuple[tuple[str, int | bool | str], ...]) -> Any:
    """One of OpenSpiel's games; the only place that imports OpenSpiel."""
    import pyspiel

    return pyspiel.load_game(name, dict(parameters))


class Peer:
    """A game of OpenSpiel. `decide` compares who moves and what is legal, then moves."""

    def __init__(self, name: str, **parameters: int | bool | str) -> None:
        self.state = load_game(name, tuple(parameters.items())).new_initial_state()
        self.positions = 0

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.is_terminal())

    def chance(self, outcomes: Iterable[int]) -> None:
        """What chance does, in order."""
        for outcome in outcomes:
            assert self.state.is_chance_node()
            self.state.apply_action(outcome)

    def move(self, seat: int, *actions: int) -> None:
        """Moves that the other engine does not know; OpenSpiel has to allow them."""
        for action in actions:
            assert self.state.current_player() == seat
            assert action in self.state.legal_actions()
            self.state.apply_action(action)

    def decide(self, seat: int, legal: Iterable[int], action: int, unknown: Collection[int] = ()) -> None:
        """A decision of both engines; `unknown` are legal actions that only OpenSpiel can have."""
        assert self.state.current_player() == seat
        assert sorted(legal) == sorted(set(self.state.legal_actions()) - set(unknown))
        self.positions += 1
        self.state.apply_action(action)

    def hand(self, seat: int) -> set[int]:
        """The cards that a player of crazy_eights holds (one pack, the play has begun)."""
        return {card for card in range(52) if self.state.observation_tensor(seat)[2 * card + 1]}

    def returns(self) -> list[float]:
        """The results by seat, of a game that is over."""
        assert self.over
        return list(self.state.returns())
