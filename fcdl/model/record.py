"""Records: one game as one line of JSON, with everything that is needed to play it again exactly."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from fcdl.errors import FcdlError
from fcdl.language.flowchart import Deck, Flowchart
from fcdl.model.chance import ChanceError, RecordingChance, ScriptedChance
from fcdl.model.engine import Engine, IllegalMoveError, State
from fcdl.model.events import Event
from fcdl.model.game import Game, GameError
from fcdl.model.moves import Move, MoveError
from fcdl.model.outcome import Reason

VERSION = 1
MAX_LINE = 10_000_000


class RecordError(FcdlError):
    """A record that is damaged, belongs to another chart, or does not replay."""


@dataclass(frozen=True, slots=True)
class Record:
    """One game. `reason` is a `Reason`, or another word if the game was broken off (then `scores` are as agreed)."""

    game: str
    hash: str
    players: int
    options: dict[str, str]
    seed: str | None
    chance: tuple[int | tuple[int, ...], ...]
    moves: tuple[Move, ...]
    scores: tuple[int, ...]
    reason: str
    events: str
    """Digest of all events, see `digest`; empty if not known."""
    agents: tuple[str, ...] = ()

    @property
    def broken_off(self) -> bool:
        """Whether the game was not played to its end."""
        return self.reason not in tuple(Reason)


def digest(events: Iterable[Event]) -> str:
    """A short hash of a list of events: equal on all engines for the same game."""
    sha = hashlib.sha256()
    for e in events:
        part = (
            e.kind,
            e.seat,
            e.name,
            e.owner,
            e.node,
            e.source,
            e.target,
            e.number,
            e.cards,
            e.value,
            sorted(e.seers),
        )
        sha.update(repr(part).encode())
    return sha.hexdigest()[:16]


def make_record(
    engine: Engine,
    state: State,
    chance: RecordingChance,
    moves: Sequence[Move],
    *,
    seed: str | None = None,
    agents: Sequence[str] = (),
) -> Record:
    """The record of a finished game."""
    outcome = engine.outcome(state)
    if outcome is None:
        raise RecordError("the game is not over")
    game = engine.game
    return Record(
        game=game.name,
        hash=game.flowchart.hash,
        players=game.players,
        options={name: game.option_text(name) for name in game.options},
        seed=seed,
        chance=tuple(answer if isinstance(answer, int) else tuple(answer) for answer in chance.outcomes),
        moves=tuple(moves),
        scores=outcome.scores,
        reason=str(outcome.reason),
        events=digest(engine.events(state)),
        agents=tuple(agents),
    )


def broken_record(
    game: Game, chance: RecordingChance, moves: Sequence[Move], *, seed: str | None = None, agents: Sequence[str] = ()
) -> Record:
    """The record of a game that something kept from going on: nobody has a score."""
    return Record(
        game=game.name,
        hash=game.flowchart.hash,
        players=game.players,
        options={name: game.option_text(name) for name in game.options},
        seed=seed,
        chance=tuple(answer if isinstance(answer, int) else tuple(answer) for answer in chance.outcomes),
        moves=tuple(moves),
        scores=(0,) * game.players,
        reason="broken off",
        events="",
        agents=tuple(agents),
    )


# --- text ----------------------------------------------------------------------------------------------------------


def to_line(record: Record, deck: Deck) -> str:
    """The record as one line of JSON; shuffles are written as card names, from the top."""
    value = {
        "fcdl": VERSION,
        "game": record.game,
        "hash": record.hash,
        "players": record.players,
        "options": record.options,
        "seed": record.seed,
        "agents": list(record.agents),
        "chance": [answer if isinstance(answer, int) else " ".join(map(deck.code, answer)) for answer in record.chance],
        "moves": [str(move) for move in record.moves],
        "scores": list(record.scores),
        "reason": record.reason,
        "events": record.events,
    }
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def game_name(line: str) -> str:
    """The name of the game that a record is of."""
    return _Fields(line).text("game")


def from_line(line: str, flowchart: Flowchart) -> Record:
    """The record in a line of JSON; raises RecordError saying what is wrong with it."""
    fields = _Fields(line)
    if fields.value.get("fcdl") != VERSION:
        raise RecordError(f"not a record of version {VERSION}")
    players = fields.integer("players")
    options = fields.value.get("options")
    if not isinstance(options, dict) or not all(isinstance(text, str) for text in options.values()):
        raise RecordError("'options' is not an object of texts")
    seed = fields.value.get("seed")
    if seed is not None and not isinstance(seed, str):
        raise RecordError("'seed' is not a text")
    try:
        moves = tuple(Move.parse(text) for text in fields.texts("moves"))
    except MoveError as error:
        raise RecordError(str(error)) from None
    scores = fields.items("scores")
    if len(scores) != players or not all(_is_int(score) for score in scores):
        raise RecordError(f"'scores' is not a list of {players} numbers")
    return Record(
        game=fields.text("game"),
        hash=fields.text("hash"),
        players=players,
        options=options,
        seed=seed,
        chance=tuple(_answer(answer, flowchart.deck) for answer in fields.items("chance")),
        moves=moves,
        scores=tuple(scores),
        reason=fields.text("reason"),
        events=fields.text("events"),
        agents=tuple(fields.texts("agents")),
    )


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


class _Fields:
    """A JSON object whose fields are checked when they are read."""

    def __init__(self, line: str) -> None:
        if len(line) > MAX_LINE:
            raise RecordError(f"a record of more than {MAX_LINE} characters")
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise RecordError("not a line of JSON (damaged or cut off?)") from None
        if not isinstance(value, dict):
            raise RecordError("not a record: expected a JSON object")
        self.value: dict[str, Any] = value

    def text(self, name: str) -> str:
        """A field that is a text."""
        value = self.value.get(name)
        if not isinstance(value, str):
            raise RecordError(f"'{name}' is missing or not a text")
        return value

    def integer(self, name: str) -> int:
        """A field that is a number."""
        value = self.value.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise RecordError(f"'{name}' is missing or not a number")
        return value

    def items(self, name: str) -> list[Any]:
        """A field that is a list."""
        value = self.value.get(name)
        if not isinstance(value, list):
            raise RecordError(f"'{name}' is missing or not a list")
        return value

    def texts(self, name: str) -> list[str]:
        """A field that is a list of texts."""
        value = self.items(name)
        if not all(isinstance(item, str) for item in value):
            raise RecordError(f"'{name}' is not a list of texts")
        return value


def _answer(answer: object, deck: Deck) -> int | tuple[int, ...]:
    """An outcome of chance: a number, or the cards of a shuffle (the n-th time a name comes it is the n-th copy)."""
    if isinstance(answer, int) and not isinstance(answer, bool):
        return answer
    if not isinstance(answer, str):
        raise RecordError("'chance' holds something that is neither a number nor a list of cards")
    seen: Counter[str] = Counter()
    cards = []
    for code in answer.split():
        copies = deck.cards_with_code(code)
        if seen[code] >= len(copies):
            raise RecordError(f"'chance' names a card '{code}' that the deck does not have (so often)")
        cards.append(copies[seen[code]])
        seen[code] += 1
    return tuple(cards)


# --- replay --------------------------------------------------------------------------------------------------------


def record_game(record: Record, flowchart: Flowchart) -> Game:
    """The game of a record, on its chart; raises RecordError if the record belongs to another chart."""
    if record.hash != flowchart.hash:
        raise RecordError(f"the record was made with another chart, or another version of it: '{record.game}'")
    try:
        return Game.make(flowchart, name=record.game, players=record.players, options=record.options)
    except GameError as error:
        raise RecordError(str(error)) from None


def replay(engine: Engine, record: Record, *, until: int | None = None) -> State:
    """Plays a record again, wholly or up to `until` moves; a whole one is verified: scores, reason and every event."""
    chance = ScriptedChance(record.chance)
    moves = record.moves if until is None else record.moves[:until]
    try:
        state = engine.start(chance)
        for number, move in enumerate(moves, start=1):
            if engine.mover(state) is None:
                raise RecordError(f"the game is over after {number - 1} of {len(record.moves)} moves")
            try:
                state = engine.apply(state, move, chance)
            except IllegalMoveError as error:
                raise RecordError(f"move {number} of {len(record.moves)}: {error}") from None
    except ChanceError as error:
        raise RecordError(str(error)) from None
    if until is None:
        _verify(engine, state, record, chance)
    return state


def _verify(engine: Engine, state: State, record: Record, chance: ScriptedChance) -> None:
    outcome = engine.outcome(state)
    if record.broken_off:
        if outcome is not None:
            raise RecordError(f"the record says '{record.reason}', but the game was played to its end")
        return
    if outcome is None:
        raise RecordError(f"the game is not over after the record's {len(record.moves)} moves")
    if chance.used != len(record.chance):
        raise RecordError(f"the record has {len(record.chance)} outcomes of chance, the game needed {chance.used}")
    if (outcome.scores, str(outcome.reason)) != (record.scores, record.reason):
        raise RecordError(
            f"the record says {list(record.scores)} ({record.reason}), "
            f"the game gives {list(outcome.scores)} ({outcome.reason})"
        )
    if record.events and digest(engine.events(state)) != record.events:
        raise RecordError("moves and scores are the same, but not every event is")
