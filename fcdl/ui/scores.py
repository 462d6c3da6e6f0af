"""The score sheet: what everybody had at the end of each round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fcdl.model.events import Event
from fcdl.model.game import Game
from fcdl.model.table import Reader


@dataclass(frozen=True, slots=True)
class Round:
    """A round that is over: the scores after it, and what is said about it."""

    scores: tuple[str, ...]
    lines: tuple[str, ...] = ()


def gathers(game: Game, event: Event) -> bool:
    """Whether all cards go back to the pack."""
    return event.kind == "shuffle" and event.source == "pack" and event.number == len(game.cards)


class ScoreSheet(Reader):
    """The scores at the end of each round, a round being what lies between two times that all cards are gathered."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self.restart()

    def restart(self) -> None:
        """As at the start of the game."""
        self.rounds: list[list[str]] = []
        self._scores = ["0"] * self.game.players
        self._played = False

    def see(self, event: Event) -> None:
        """One more event."""
        if event.kind == "assign" and event.name == "score" and event.owner is not None:
            self._scores[event.owner] = event.value if event.value is not None else "?"
        if self.ends(event):
            self.rounds.append(list(self._scores))
            self._played = False
        self._played |= event.seat is not None

    def ends(self, event: Event) -> bool:
        """Whether a round is over with an event."""
        return event.kind == "end" or (gathers(self.game, event) and self._played)


def gain(now: str, before: str) -> str:
    """What a round brought: `+5`, `-10`, `0`; empty where that is not known."""
    try:
        change = int(now) - int(before)
    except ValueError:
        return ""
    return f"{change:+d}" if change else "0"


def gains(rounds: Sequence[Round]) -> list[list[str]]:
    """For each round what it brought everybody."""
    before = ("0",) * (len(rounds[0].scores) if rounds else 0)
    found = []
    for one in rounds:
        found.append([gain(now, then) for now, then in zip(one.scores, before, strict=True)])
        before = one.scores
    return found
