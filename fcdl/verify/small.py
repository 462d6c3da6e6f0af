"""Exhaustive search on small decks: every deck of a few of the game's cards, every deal, every choice.

That says nothing about the whole deck, and the answer says so in its words: "holds for all decks up to N cards and P
players". It is what is left to say where nothing is proved.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from fcdl.engines import native_engine
from fcdl.model.game import Game
from fcdl.model.outcome import Outcome, Reason

if TYPE_CHECKING:
    from fcdl.engines.native.engine import NativeEngine, State
    from fcdl.verify.answers import Answer

_MAX_STATES = 20_000
"""Positions of one small deck."""
_BROKEN = {
    Reason.NO_LEGAL_MOVE: {"legal-move", "end"},
    Reason.FAULT: {"fault", "end"},
    Reason.STEP_LIMIT: {"ends", "end"},
    Reason.STALEMATE: {"ends", "end"},
}
_ASKED = frozenset({"legal-move", "fault", "ends", "end", "partners"})


class _GaveUpError(Exception):
    """The time, or the room for positions, was not enough."""


class SmallDecks:
    """Looks at small decks when an answer is asked for that nothing has proved."""

    def __init__(self, games: Sequence[Game], until: float) -> None:
        self._games, self._until = games, until
        self._broken: set[str] = set()
        self._cards: int | None = None

    def instead(self, answer: Answer) -> Answer:
        """The same answer, or what small decks say where it is not decided."""
        if answer.verdict != "not decided" or answer.property not in _ASKED:
            return answer
        if self._cards is None:
            self._cards = self._search()
        if self._cards < 2 or answer.property in self._broken:
            return answer
        players = max(game.players for game in self._games)
        words = f"holds for all decks up to {self._cards} cards and {players} players"
        return replace(answer, how=f"{words}; beyond that: {answer.how}")

    def _search(self) -> int:
        """Up to how many cards all decks were searched."""
        done = 0
        try:
            for number in range(1, len(self._games[0].cards) + 1):
                for game in self._games:
                    for cards in combinations(game.cards, number):
                        self._look_at(game, cards)
                done = number
        except _GaveUpError:
            pass
        return done

    def _look_at(self, game: Game, cards: tuple[int, ...]) -> None:
        """All games with a small deck."""
        small = Game(game.flowchart, game.players, game.options, game.name)
        small.__dict__["cards"] = cards  # a cached property
        engine = native_engine(small)
        if engine is None:
            raise _GaveUpError
        known: dict[bytes, bool] = {}
        """Positions, and whether everything that comes after them is known."""
        for state in _started(engine):
            self._follow(engine, state, known)

    def _follow(self, engine: NativeEngine, state: State, known: dict[bytes, bool]) -> None:
        path: list[tuple[bytes, Iterator[State]]] = [(b"", iter((state,)))]
        while path:
            following = next(path[-1][1], None)
            if following is None:
                known[path.pop()[0]] = True
                continue
            if time.process_time() > self._until or len(known) > _MAX_STATES:
                raise _GaveUpError
            outcome = engine.outcome(following)
            if outcome is not None:
                self._judge(engine.game, outcome)
            elif following.data not in known:
                known[following.data] = False
                path.append((following.data, _after(engine, following)))
            elif not known[following.data]:  # it comes again on this very way: the game can go on for ever
                self._broken.add("ends")

    def _judge(self, game: Game, outcome: Outcome) -> None:
        self._broken |= _BROKEN.get(outcome.reason, set())
        if any(len({outcome.scores[seat] for seat in team}) > 1 for team in game.flowchart.teams):
            self._broken.add("partners")


class _Every:
    """Chance that goes through all its answers: `next` is the script of the answers to be given."""

    def __init__(self, script: list[int]) -> None:
        self.script = script
        self.widths: list[int] = []

    def _pick(self, width: int) -> int:
        at = len(self.widths)
        self.widths.append(width)
        if at == len(self.script):
            self.script.append(0)
        return self.script[at]

    def shuffle(self, cards: Sequence[int]) -> list[int]:
        """One of all orders."""
        orders = list(permutations(cards))
        if len(orders) > 5040:
            raise _GaveUpError
        return list(orders[self._pick(len(orders))])

    def number(self, below: int) -> int:
        """One of all numbers."""
        if below > 5040:
            raise _GaveUpError
        return self._pick(max(1, below))


def _scripts() -> Iterator[_Every]:
    """All ways in which chance can go, each to be used once before the next is asked for."""
    script: list[int] = []
    while True:
        chance = _Every(script)
        yield chance
        while script and script[-1] + 1 >= chance.widths[len(script) - 1]:
            script.pop()
        if not script:
            return
        script[-1] += 1


def _started(engine: NativeEngine) -> Iterator[State]:
    for chance in _scripts():
        yield engine.start(chance)


def _after(engine: NativeEngine, state: State) -> Iterator[State]:
    for move in engine.legal(state):
        for chance in _scripts():
            yield engine.apply(state, move, chance)
