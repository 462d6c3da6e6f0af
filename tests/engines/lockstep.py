"""Two engines play the same game; whatever they say differently is reported with the game that leads there."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from fcdl.model import Engine, Game, Move, RandomChance, RecordingChance, ScriptedChance


@dataclass
class DisagreementError(AssertionError):
    """Where two engines differ, and how to get there."""

    game: Game
    outcomes: list[int | list[int]]
    moves: list[Move]
    what: str
    first: Any
    second: Any

    def __str__(self) -> str:
        options = {name: self.game.option_text(name) for name in self.game.options}
        return (
            f"{self.what} differ in {self.game.name}, {self.game.players} players, {options}\n"
            f"  chance: {self.outcomes}\n  moves: {' / '.join(map(str, self.moves))}\n"
            f"  first engine:  {self.first}\n  second engine: {self.second}"
        )


def play_in_lockstep(first: Engine, second: Engine, seed: int, *, max_moves: int = 100_000) -> int:
    """Plays a random game on both engines; raises DisagreementError; returns the number of moves.

    The first engine draws chance, the second is given the same. Legal moves and movers are compared at every decision,
    all events, every seat's observation and the outcome at the end; a difference in the events is told first.
    """
    rng = random.Random(seed)
    chance = RecordingChance(RandomChance(seed))
    scripted = ScriptedChance(chance.outcomes)
    moves: list[Move] = []
    a: Any = first.start(chance)
    b: Any = second.start(scripted)

    def same(what: str, one: Any, two: Any) -> None:
        if one != two:
            same_events()
            raise DisagreementError(first.game, list(chance.outcomes), moves, what, one, two)

    def same_events() -> None:
        lines = first.events(a), second.events(b)
        for index in range(max(map(len, lines))):
            one, two = (line[index] if index < len(line) else None for line in lines)
            if one != two:
                raise DisagreementError(first.game, list(chance.outcomes), moves, f"events {index}", one, two)

    while True:
        same("outcomes", first.outcome(a), second.outcome(b))
        same("movers", first.mover(a), second.mover(b))
        same("nodes", a.node, b.node)
        same("legal moves", first.legal(a), second.legal(b))
        same("answers of chance used", len(chance.outcomes), scripted.used)
        if first.mover(a) is None or len(moves) >= max_moves:
            break
        move = rng.choice(first.legal(a))
        moves.append(move)
        a, b = first.apply(a, move, chance), second.apply(b, move, scripted)
    same_events()
    for seat in range(first.game.players):
        same(f"observations of seat {seat}", first.observe(a, seat), second.observe(b, seat))
    return len(moves)
