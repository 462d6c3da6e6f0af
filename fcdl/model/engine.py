"""What every engine can do: the contract that the ASP engine and the native engine share."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from fcdl.errors import FcdlError
from fcdl.model.chance import Chance
from fcdl.model.events import Event, Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move
from fcdl.model.outcome import Outcome

T = TypeVar("T")
LOOP_LIMIT = 10_000
"""Nodes visited without a decision after which a game ends with the reason `step limit`."""
STEP_LIMIT = 1_000_000
"""Nodes visited in all after which a game ends with the reason `step limit`."""
PASS_LIMIT = 200
"""Passes in a row, by whomever, after which a game ends with the reason `stalemate`."""


class IllegalMoveError(FcdlError):
    """A move that the rules do not allow here; says why as far as the engine can."""


class ForeignStateError(FcdlError):
    """A state that another engine made."""


def own_state(state: object, kind: type[T]) -> T:
    """The state, if it is of this kind; raises ForeignStateError."""
    if not isinstance(state, kind):
        raise ForeignStateError(f"an engine takes only states of its own ({kind.__name__}), not {state!r:.80}")
    return state


class State(Protocol):
    """A position with its hidden parts; immutable, and only its own engine looks inside."""

    @property
    def node(self) -> int:
        """The node where the game stands: a decision, or the end."""


class Engine(Protocol):
    """Plays one game. States are immutable: `apply` returns a new one. An engine takes only states of its own."""

    @property
    def game(self) -> Game:
        """The game that is played."""

    def start(self, chance: Chance) -> State:
        """From the start to the first decision (or the end)."""

    def mover(self, state: Any) -> int | None:
        """The seat that decides; None when the game is over."""

    def legal(self, state: Any) -> tuple[Move, ...]:
        """All legal moves: cards in deck order then pass, values in the order the chart offers them."""

    def apply(self, state: Any, move: Move, chance: Chance) -> State:
        """On to the next decision (or the end); raises IllegalMoveError."""

    def outcome(self, state: Any) -> Outcome | None:
        """How the game ended; None while it goes on."""

    def events(self, state: Any) -> tuple[Event, ...]:
        """Everything that happened so far."""

    def latest(self, state: Any) -> tuple[Event, ...]:
        """What happened since the decision before."""

    def observe(self, state: Any, seat: int) -> Observation:
        """What one seat has seen so far."""
