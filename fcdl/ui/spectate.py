"""A game between computers, told as it goes, with all cards face up."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from fcdl.agents import make_agent
from fcdl.arena.play import play
from fcdl.engines import make_engine
from fcdl.model.engine import Engine, State
from fcdl.model.game import Game
from fcdl.model.moves import Move
from fcdl.model.record import Record
from fcdl.ui.opponents import find_opponent
from fcdl.ui.talk import sentence
from fcdl.ui.view import Watcher
from fcdl.ui.words import seat_names


class Teller:
    """Says what has happened since the last decision, at a pace that people can follow."""

    def __init__(self, engine: Engine, say: Callable[[str], None], pace: float) -> None:
        self.engine, self.say, self.pace = engine, say, pace
        self.watcher = Watcher(engine.game, None)
        self.said = 0

    def decision(self, state: State, seat: int, legal: Sequence[Move], move: Move) -> None:
        """In a position a seat has chosen a move."""
        self._tell(state)
        time.sleep(self.pace)

    def end(self, state: State) -> None:
        """The last position."""
        self._tell(state)

    def _tell(self, state: State) -> None:
        self.watcher.follow(tuple(self.engine.events(state)))
        for line in self.watcher.log[self.said :]:
            self.say(sentence(line))
        self.said = len(self.watcher.log)


def spectate(
    game: Game, seats: Sequence[str], seed: str, engine: str, say: Callable[[str], None], pace: float
) -> Record:
    """Plays a game between computers and says what happens; its record."""
    table = make_engine(game, engine)
    names = [find_opponent(seat, game).agent for seat in seats]
    agents = [make_agent(name, game) for name in names]
    played = play(table, agents, seed, seed, names=names, witness=Teller(table, say, pace))
    for player, name, score in zip(seat_names(game), seats, played.scores, strict=True):
        say(f"{player} ({name}): {score}")
    assert played.record is not None
    return played.record
