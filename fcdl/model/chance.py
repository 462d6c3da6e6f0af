"""Where randomness comes from: always from outside the engines, so that every game can be replayed exactly."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from fcdl.errors import FcdlError


class ChanceError(FcdlError):
    """A scripted chance that does not fit the game."""


class Chance(Protocol):
    """Answers the two questions an engine asks."""

    def shuffle(self, cards: Sequence[int]) -> list[int]:
        """The cards in a new order, from the top of the pile; `cards` come in deck order."""

    def number(self, below: int) -> int:
        """A number from 0 to below - 1 (below is at least 1)."""


class RandomChance:
    """Chance from a seed; the same seed gives the same game on every engine."""

    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(f"fcdl chance {seed}")

    def shuffle(self, cards: Sequence[int]) -> list[int]:
        """A uniformly random order."""
        order = list(cards)
        self.random.shuffle(order)
        return order

    def number(self, below: int) -> int:
        """A uniformly random number."""
        return self.random.randrange(below)


_WORD = 2**64 - 1


class StreamChance:
    """Chance from one number of 64 bits, which is all that a copy or a pickle of it takes.

    It gives what the C engine's own chance gives for the same seed (`_engine.Play`), on every engine.
    """

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        mixed = (seed + 0x9E3779B97F4A7C15) & _WORD
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _WORD
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD
        self.state = mixed ^ mixed >> 31

    def shuffle(self, cards: Sequence[int]) -> list[int]:
        """A uniformly random order."""
        order = list(cards)
        for last in range(len(order) - 1, 0, -1):
            other = self.number(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def number(self, below: int) -> int:
        """A uniformly random number."""
        self.state = (self.state + 0xA0761D6478BD642F) & _WORD
        product = self.state * (self.state ^ 0xE7037ED1A0B428DB)
        return ((product >> 64 ^ product) & _WORD) * below >> 64


@dataclass(slots=True)
class RecordingChance:
    """Passes questions on and keeps the answers: a list of cards for a shuffle, a number for a random."""

    source: Chance
    outcomes: list[int | list[int]] = field(default_factory=list)

    def shuffle(self, cards: Sequence[int]) -> list[int]:
        """Asks the source and keeps the answer."""
        answer = self.source.shuffle(cards)
        self.outcomes.append(answer)
        return list(answer)

    def number(self, below: int) -> int:
        """Asks the source and keeps the answer."""
        answer = self.source.number(below)
        self.outcomes.append(answer)
        return answer


@dataclass(slots=True)
class ScriptedChance:
    """Gives recorded answers again; raises ChanceError when they do not fit the questions."""

    outcomes: Sequence[int | Sequence[int]]
    used: int = 0

    def _next(self) -> int | Sequence[int]:
        if self.used >= len(self.outcomes):
            raise ChanceError("the script of chance is too short for this game")
        self.used += 1
        return self.outcomes[self.used - 1]

    def shuffle(self, cards: Sequence[int]) -> list[int]:
        """The recorded order."""
        answer = self._next()
        if isinstance(answer, int) or sorted(answer) != sorted(cards):
            raise ChanceError(f"outcome {self.used} of chance is not an order of the {len(cards)} cards to shuffle")
        return list(answer)

    def number(self, below: int) -> int:
        """The recorded number."""
        answer = self._next()
        if not isinstance(answer, int) or not 0 <= answer < below:
            raise ChanceError(f"outcome {self.used} of chance is not a number below {below}")
        return answer
