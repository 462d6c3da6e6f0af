"""Decisions of recorded games, for learning from them: what was the position, what could be done, what was done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from fcdl.engines.native import _engine
from fcdl.engines.native.engine import NativeEngine
from fcdl.model.chance import ChanceError, ScriptedChance
from fcdl.model.engine import IllegalMoveError
from fcdl.model.record import Record, RecordError

MOST_TOLD = 10
"""So many of the records that cannot be used are told of; the others are counted."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A move of a recorded game. Positions and numbers of moves are those of the native engine."""

    record: int
    """The number of its record among those used, from 0: games can be held out whole."""
    position: bytes
    """Before the move."""
    seat: int
    legal: tuple[int, ...]
    move: int
    """The one of `legal` that was made."""
    scores: tuple[int, ...] | None
    """What the game came to, by seat; None if it was broken off."""


@dataclass(slots=True)
class Tally:
    """How many records were found, and what was wrong with those that could not be used."""

    used: int = 0
    decisions: int = 0
    broken_off: int = 0
    """Of those used: games that were not played to their end."""
    bad: int = 0
    told: list[str] = field(default_factory=list)
    """What was wrong, of the first bad ones."""

    def refuse(self, error: RecordError) -> None:
        """One more that cannot be used."""
        self.bad += 1
        if len(self.told) < MOST_TOLD:
            self.told.append(str(error))

    def __str__(self) -> str:
        text = f"{self.used} of {self.used + self.bad} records, {self.decisions} decisions"
        return f"{text}, {self.broken_off} games broken off" if self.broken_off else text


def decisions(
    engine: NativeEngine, records: Iterable[Record | RecordError], tally: Tally | None = None
) -> Iterator[Decision]:
    """The decisions of the records that replay on this engine, game by game, some 10,000 games a second.

    A record is used whole or not at all: it must be of the engine's chart and options, every move must be legal, and
    the scores at the end those of the record. Others are counted and left out. Forced moves are left out, too.
    """
    tally = Tally() if tally is None else tally
    for found in records:
        try:
            if isinstance(found, RecordError):
                raise found
            made = _replayed(engine, found, tally.used)
        except RecordError as error:
            tally.refuse(error)
            continue
        tally.used += 1
        tally.broken_off += found.broken_off
        tally.decisions += len(made)
        yield from made


def _replayed(engine: NativeEngine, record: Record, number: int) -> list[Decision]:
    """The decisions of one record; raises RecordError if it does not replay."""
    _check(engine, record)
    scores = None if record.broken_off else record.scores
    made: list[Decision] = []
    chance = ScriptedChance(record.chance)
    try:
        play = _engine.Play(engine.book, chance=chance)
        for place, move in enumerate(record.moves, start=1):
            seat = play.mover
            if seat is None:
                raise RecordError(f"the game is over after {place - 1} of {len(record.moves)} moves")
            legal = play.legal
            if move not in legal:
                raise RecordError(f"move {place} of {len(record.moves)}: illegal move '{move}'")
            if len(legal) > 1:
                numbers = play.legal_ids
                made.append(Decision(number, play.dump(), seat, numbers, numbers[legal.index(move)], scores))
            play.play(move)
    except (ChanceError, IllegalMoveError) as error:
        raise RecordError(str(error)) from None
    if play.over:
        if record.broken_off:
            raise RecordError(f"the record says '{record.reason}', but the game was played to its end")
        if play.scores != record.scores:
            raise RecordError(f"the record says {list(record.scores)}, the game gives {list(play.scores)}")
    elif not record.broken_off:
        raise RecordError(f"the game is not over after the record's {len(record.moves)} moves")
    return made


def _check(engine: NativeEngine, record: Record) -> None:
    game = engine.game
    if record.hash != game.flowchart.hash:
        raise RecordError(f"the record was made with another chart, or another version of it: '{record.game}'")
    if record.players != game.players:
        raise RecordError(f"the record has {record.players} players, not {game.players}")
    for name in game.options:
        if record.options.get(name) != game.option_text(name):
            raise RecordError(f"the record has {name}={record.options.get(name)}, not {game.option_text(name)}")
