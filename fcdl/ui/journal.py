"""A game in progress as a file: JSON lines, one for the setting and one for each move, so that a crash loses no more.

The lines: `{"fcdl": 1, "journal": 1, "game", "hash", "players", "options", "seed", "seats"}` (and the file
of the `chart` if it is not built in, and the names of `people` if they have some), then for the start and
for each move `{"move", "chance", "scores"}` (the start has no move; chance as in records: numbers, and shuffles as card
names; with `"over": true` at the end of the game, so that lists of games need not play them again),
and `{"undo": n}` when only the first n moves are left.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fcdl.language.flowchart import Deck, Flowchart
from fcdl.model.game import Game, GameError
from fcdl.model.moves import Move, MoveError
from fcdl.model.record import RecordError

VERSION = 1
MAX_BYTES = 50_000_000
Answer = int | list[int]


@dataclass(frozen=True, slots=True)
class Step:
    """The start (no move) or a move, with what chance answered until the next decision."""

    move: Move | None
    chance: tuple[Answer, ...]
    scores: tuple[str, ...] = field(default=(), compare=False)
    """What everybody had then, for lists of games."""
    over: bool = field(default=False, compare=False)


@dataclass(slots=True)
class Saved:
    """What a journal holds."""

    game: Game
    seed: str
    seats: tuple[str, ...]
    chart: Path | None
    steps: list[Step] = field(default_factory=list)


class Journal:
    """Writes a game in progress; what was written is safe from a crash of fcdl when a call returns."""

    def __init__(self, path: Path, deck: Deck) -> None:
        """Continues a file, if there is one; `begin` writes it anew."""
        self.path = path
        self.deck = deck
        self._size = path.stat().st_size if path.is_file() else 0
        """Bytes of the file as this journal knows it."""

    def begin(self, game: Game, seed: str, seats: Sequence[str], steps: Sequence[Step], chart: Path | None) -> None:
        """Writes the file anew, whole or not at all."""
        options = {name: game.option_text(name) for name in game.options}
        setting: dict[str, Any] = {"fcdl": VERSION, "journal": VERSION, "game": game.name}
        setting |= {"hash": game.flowchart.hash, "players": game.players, "options": options}
        setting |= {"people": list(game.people)} if game.people else {}
        setting |= {"seed": seed, "seats": list(seats)} | ({"chart": str(chart.resolve())} if chart is not None else {})
        text = "".join(map(_line, [setting, *map(self._step, steps)]))
        temporary = self.path.with_name(f".{self.path.name[:50]}.{os.getpid()}")
        try:
            self._size = temporary.write_bytes(text.encode())
            temporary.replace(self.path)
        finally:
            temporary.unlink(missing_ok=True)

    def step(self, step: Step) -> None:
        """Adds the start or a move."""
        self._add(self._step(step))

    def undo(self, moves: int) -> None:
        """Adds that only so many moves are left."""
        self._add({"undo": moves})

    def _step(self, step: Step) -> dict[str, Any]:
        chance = [
            answer if isinstance(answer, int) else " ".join(map(self.deck.code, answer)) for answer in step.chance
        ]
        line: dict[str, Any] = ({"move": str(step.move)} if step.move is not None else {}) | {"chance": chance}
        return line | ({"scores": step.scores} if step.scores else {}) | ({"over": True} if step.over else {})

    def _add(self, value: dict[str, Any]) -> None:
        with self.path.open("r+b") as file:
            if file.seek(0, os.SEEK_END) != self._size:  # two games in one file would be worth nothing
                raise OSError(errno.EBUSY, "it is also being played elsewhere")
            self._size += file.write(_line(value).encode())


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


@dataclass(frozen=True, slots=True)
class JournalHead:
    """What a journal is of, without its game."""

    game: str
    chart: Path | None
    """The file of a chart that is not built in."""
    seats: tuple[str, ...]
    moves: int
    scores: tuple[str, ...] = ()
    """What everybody has, if the journal says so."""
    over: bool = False
    people: tuple[str, ...] = ()


def journal_head(path: Path) -> JournalHead:
    """What a journal is of; raises RecordError."""
    setting, *lines = _lines(path)
    steps: list[dict[str, Any]] = []
    for line in lines:
        if isinstance(undo := line.get("undo"), int):
            del steps[1 + max(0, undo) :]
        else:
            steps.append(line)
    last = steps[-1] if steps else {}
    seats, scores = setting.get("seats"), last.get("scores")
    chart = setting.get("chart")
    return JournalHead(
        _text(setting, "game"),
        Path(chart) if isinstance(chart, str) else None,
        tuple(map(str, seats)) if isinstance(seats, list) else (),
        max(0, len(steps) - 1),
        tuple(map(str, scores)) if isinstance(scores, list) else (),
        last.get("over") is True,
        tuple(map(str, people)) if isinstance(people := setting.get("people"), list) else (),
    )


def read_journal(path: Path, flowchart: Flowchart) -> Saved:
    """The game in a journal, on its chart; raises RecordError saying what is wrong with it."""
    setting, *lines = _lines(path)
    if _text(setting, "hash") != flowchart.hash:
        raise RecordError(f"{path} was made with another version of the chart '{setting['game']}'")
    players, options, seats = setting.get("players"), setting.get("options"), setting.get("seats")
    if not isinstance(players, int) or not isinstance(options, dict) or not isinstance(seats, list):
        raise RecordError(f"{path}: 'players', 'options' or 'seats' is missing")
    try:
        game = Game.make(flowchart, name=_text(setting, "game"), players=players, options=options)
        if isinstance(people := setting.get("people"), list):
            game = game.with_people(list(map(str, people)))
        chart = Path(_text(setting, "chart")) if "chart" in setting else None
        saved = Saved(game, _text(setting, "seed"), tuple(map(str, seats)), chart)
        for line in lines:
            if "undo" in line:
                if not isinstance(line["undo"], int) or not 0 <= line["undo"] < max(1, len(saved.steps)):
                    raise RecordError(f"{path}: 'undo' is not a number of moves")
                del saved.steps[1 + line["undo"] :]
            else:
                move = Move.parse(_text(line, "move")) if saved.steps else None
                chance = line.get("chance")
                if not isinstance(chance, list):
                    raise RecordError(f"{path}: 'chance' is not a list")
                saved.steps.append(Step(move, tuple(_answer(item, flowchart.deck) for item in chance)))
    except (GameError, MoveError) as error:
        raise RecordError(f"{path}: {error}") from None
    if not saved.steps:
        raise RecordError(f"{path}: the game has not begun")
    return saved


def _lines(path: Path) -> list[dict[str, Any]]:
    """The journal's lines; a last line that a crash cut off is removed from the file, too."""
    if path.stat().st_size > MAX_BYTES:
        raise RecordError(f"{path}: a journal of more than {MAX_BYTES} bytes")
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    values = []
    for number, line in enumerate(whole.splitlines(), start=1):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise RecordError(f"{path}:{number}: not a line of a journal")
        values.append(value)
    if not values or values[0].get("journal") != VERSION:
        raise RecordError(f"{path} is not a journal of version {VERSION} (fcdl play --save writes them)")
    if whole != data:
        path.write_bytes(whole)
    return values


def _text(line: dict[str, Any], name: str) -> str:
    value = line.get(name)
    if not isinstance(value, str):
        raise RecordError(f"'{name}' is missing or not a text")
    return value


def _answer(answer: object, deck: Deck) -> Answer:
    """A number, or the cards of a shuffle (the n-th time a name comes it is the n-th copy)."""
    if isinstance(answer, int):
        return answer
    cards: list[int] = []
    for code in str(answer).split():
        card = next((card for card in deck.cards_with_code(code) if card not in cards), None)
        if card is None:
            raise RecordError(f"'chance' names a card '{code}' that the deck does not have (so often)")
        cards.append(card)
    return cards
