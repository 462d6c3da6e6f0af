"""Solutions of puzzles about hidden cards, as answer sets of `asp/worlds.lp`."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from clingo import Control, MessageCode, Model

from fcdl.data import data_text
from fcdl.errors import FcdlError

RANDOM_OPTIONS = ("--restart-on-model", "--rand-freq=1", "--sign-def=rnd")
"""What of the thesis's options for random answer sets (4.6) today's clingo still has."""


class GaveUpError(FcdlError):
    """Solving took longer than it may."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact whose arguments are numbers; nothing that a user wrote gets here."""

    name: str
    arguments: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.name}({','.join(map(str, self.arguments))})."


@dataclass(frozen=True, slots=True)
class Solution:
    """One answer set: the cards that hidden steps moved, and the hidden values of events."""

    moves: tuple[tuple[int, int], ...]
    values: tuple[tuple[int, int], ...]


def solve(
    facts: Iterable[Fact], *, limit: int = 0, seconds: float | None = None, random_seed: int | None = None
) -> Iterator[Solution]:
    """Answer sets, at most `limit` (0: all); with a seed clingo's randomised search makes them, one after another.

    Raises GaveUpError when they have not all come after so many seconds.
    """
    options = [f"--models={limit}"]
    if random_seed is not None:
        options += [*RANDOM_OPTIONS, f"--seed={random_seed % 2**31}"]
    control = Control(options, logger=_refuse)
    control.add("base", [], data_text("asp", "worlds.lp"))
    control.add("base", [], "\n".join(map(str, facts)))
    deadline = None if seconds is None else time.monotonic() + seconds
    control.ground([("base", [])])
    with control.solve(yield_=True, async_=True) as handle:
        while True:
            handle.resume()
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and (left <= 0 or not handle.wait(left)):
                handle.cancel()
                raise GaveUpError(f"gave up after {seconds:g} s")
            model = handle.model()
            if model is None:
                return
            yield _solution(model)


def _solution(model: Model) -> Solution:
    moves: list[tuple[int, int]] = []
    values: list[tuple[int, int]] = []
    for symbol in model.symbols(shown=True):
        pair = (symbol.arguments[0].number, symbol.arguments[1].number)
        (moves if symbol.name == "moves" else values).append(pair)
    return Solution(tuple(sorted(moves)), tuple(sorted(values)))


def _refuse(code: MessageCode, message: str) -> None:
    raise AssertionError(f"clingo: {message}")
