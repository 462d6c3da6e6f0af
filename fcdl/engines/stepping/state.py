"""A position between two nodes: all that a chart can look at, and what has happened so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fcdl.model import Event, Outcome

Slot = tuple[str, int | None]
"""A variable or a zone, and its player."""
Trail = tuple["Trail | None", Event]
"""The last event and all those before it; positions share what happened before them."""


@dataclass(slots=True)
class SteppingState:
    """A position; nobody changes one after it was given out, so parts are shared between positions.

    `node` is the node that comes next; when a player has to decide there (`waiting`), arriving has been done already.
    """

    node: int
    variables: Mapping[Slot, int]
    zones: Mapping[Slot, tuple[int, ...]]
    """From the top; deck-ordered only when read, where the chart does not look at the order."""
    calls: tuple[int, ...] = ()
    """The `do` nodes that are being done, the innermost last."""
    waiting: bool = False
    steps: int = 0
    since_move: int = 0
    picks_left: int = 0
    passes: int = 0
    trail: Trail | None = field(default=None, repr=False, compare=False)
    before_move: Trail | None = field(default=None, repr=False, compare=False)
    """The trail before the last move."""
    result: Outcome | None = None

    def tell(self, event: Event) -> None:
        """One more event."""
        self.trail = (self.trail, event)

    def newest_events(self, until: Trail | None = None) -> Iterator[Event]:
        """The events, the last first, back to a trail of before."""
        trail = self.trail
        while trail is not None and trail is not until:
            yield trail[1]
            trail = trail[0]
