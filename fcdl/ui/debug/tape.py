"""Chance that remembers, so that going back and on again, or a new chart, meets the same cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from fcdl.model.chance import RandomChance

Answer = int | list[int]


class Tape:
    """Gives the answers of before as long as they fit the questions, then new ones; from a seed as any other game."""

    def __init__(self, seed: str, answers: Iterable[int | Sequence[int]] = ()) -> None:
        self.seed = seed
        self.answers: list[Answer] = [answer if isinstance(answer, int) else list(answer) for answer in answers]
        self.used = 0
        """How many answers were given up to now; set it back to give them again."""
        self.misfits = 0
        """How often an answer of before did not fit any more."""
        self._source = self._new_source(len(self.answers))

    def shuffle(self, cards: Sequence[int]) -> list[int]:
        """The order of before, or a new one."""
        wanted = sorted(cards)
        answer = self._answer(
            lambda old: isinstance(old, list) and sorted(old) == wanted, lambda: self._source.shuffle(cards)
        )
        assert isinstance(answer, list)
        return list(answer)

    def number(self, below: int) -> int:
        """The number of before, or a new one."""
        answer = self._answer(lambda old: isinstance(old, int) and 0 <= old < below, lambda: self._source.number(below))
        assert isinstance(answer, int)
        return answer

    def _new_source(self, number: int) -> RandomChance:
        """Chance after so many answers of before."""
        return RandomChance(f"{self.seed} after {number}" if number else self.seed)

    def _answer(self, fits: Callable[[Answer], bool], draw: Callable[[], Answer]) -> Answer:
        if self.used < len(self.answers) and not fits(self.answers[self.used]):
            del self.answers[self.used :]
            self.misfits += 1
            self._source = self._new_source(self.used)
        if self.used == len(self.answers):
            self.answers.append(draw())
        self.used += 1
        return self.answers[self.used - 1]
