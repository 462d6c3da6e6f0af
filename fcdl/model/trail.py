"""What happened so far, part by part, shared between the positions that came after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Generic, TypeVar

Part = TypeVar("Part")


class Trail(Generic[Part]):
    """Parts in order, newest last; immutable. One more part costs the same however many there are.

    Nothing here recurses, so a trail may be of any length. Pickling keeps the parts, not who shares them.
    """

    __slots__ = ("before", "length", "newest")

    def __init__(self, before: Trail[Part] | None, newest: Part) -> None:
        self.before = before
        self.newest = newest
        self.length: int = 1 if before is None else before.length + 1

    @classmethod
    def of(cls, parts: Iterable[Part]) -> Trail[Part] | None:
        """The trail of these parts; None if there are none."""
        trail: Trail[Part] | None = None
        for part in parts:
            trail = cls(trail, part)
        return trail

    def since(self, earlier: Trail[Part] | None = None) -> list[Part]:
        """The parts after those of an earlier trail (None: all), oldest first."""
        known = 0 if earlier is None else earlier.length
        return [link.newest for link in islice(self._links(), self.length - known)][::-1]

    def _links(self) -> Iterator[Trail[Part]]:
        link: Trail[Part] | None = self
        while link is not None:
            yield link
            link = link.before

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trail):
            return NotImplemented
        if self.length != other.length:
            return False
        for mine, theirs in zip(self._links(), other._links(), strict=True):
            if mine is theirs:
                return True  # and so is all before
            if mine.newest != theirs.newest:
                return False
        return True

    def __hash__(self) -> int:
        return hash((self.length, self.newest))

    def __repr__(self) -> str:
        return f"<trail of {self.length}, newest {self.newest!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Trail.of, (tuple(self.since()),)
