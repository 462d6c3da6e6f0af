"""Game records of the International Skat Server (ISS), converted to records of the built-in game of Skat.

An ISS record is SGF-like: `MV[...]` holds pairs of who (`w` the world, or a seat) and what: the 32 cards (seat 0, 1, 2,
ten each, then the skat), bids (a value, `y`, `p`), `s` for taking the skat, a declaration (`G.S8.C9`: game, discards;
`GH`, `NHO` ... without the skat), then cards. Cards are suit, then rank. `R[...]` is the server's result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from fcdl.engines import make_engine
from fcdl.language.load import load_flowchart
from fcdl.language.numbers import whole_number
from fcdl.model.chance import ChanceError, RecordingChance, ScriptedChance
from fcdl.model.engine import Engine, IllegalMoveError
from fcdl.model.game import Game
from fcdl.model.moves import Move
from fcdl.model.outcome import Reason
from fcdl.model.record import Record, RecordError, digest, make_record

MAX_GAME = 100_000
"""Characters of one game; a whole game of the server has some 800."""
_EARLY_ENDS = {"RE": "resigned", "SC": "cards shown", "LE": "left", "TI": "time out"}
_SUITS = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds"}
_ENDS = re.compile(r"(?<=\))\s*(?=\(;)")
_CARD = re.compile(r"[CSHD][789TJQKA]")


@dataclass(frozen=True, slots=True)
class IssGame:
    """One game of the server: the pairs of its moves, and the words of its result."""

    moves: tuple[tuple[str, str], ...]
    result: dict[str, str]


def game_texts(lines: Iterable[str]) -> Iterator[str]:
    """The text of every game, read line by line; lines that belong to no game are games that cannot be read."""
    parts: list[str] = []
    size = 0
    for line in lines:
        if line.startswith("(;") and parts:  # the one before was cut off
            yield "".join(parts)
            parts, size = [], 0
        if line.strip() and size <= MAX_GAME:
            parts.append(line)
            size += len(line)
        if line.rstrip().endswith(")"):
            yield from filter(None, _ENDS.split("".join(parts)))
            parts, size = [], 0
    if parts:
        yield "".join(parts)


def read_game(text: str) -> IssGame:
    """One game of a file; raises RecordError."""
    if len(text) > MAX_GAME:
        raise RecordError(f"more than {MAX_GAME} characters without an end")
    fields = dict(re.findall(r"(\w+)\[(.*?)\]", text, re.DOTALL))
    if fields.get("GM") != "Skat" or "MV" not in fields or "R" not in fields:
        raise RecordError("not a record of Skat (GM, MV or R is missing)")
    words = fields["MV"].split()
    if len(words) % 2 or not words:
        raise RecordError("the moves are cut off")
    result = dict(word.partition(":")[::2] for word in fields["R"].split())
    return IssGame(tuple(zip(words[::2], words[1::2], strict=True)), result)


def convert(lines: Iterable[str]) -> Iterator[tuple[Record, Game]]:
    """Every game of a file as a record; raises RecordError when one does not replay to the server's result."""
    found = 0
    for found, text in enumerate(game_texts(lines), start=1):
        try:
            record, game = as_record(read_game(text))
            yield _replayed(record, game), game
        except RecordError as error:
            raise RecordError(f"game {found}: {error}") from None
    if not found:
        raise RecordError("no game of the International Skat Server")


def as_record(played: IssGame) -> tuple[Record, Game]:
    """A game as a record that was not replayed yet: nobody has checked its moves, scores or end."""
    (who, dealt), *rest = played.moves
    cards = [_card(name) for name in dealt.split(".")] if who == "w" else []
    if len(cards) != 32 or len(set(cards)) != 32:
        raise RecordError("the deal is not of 32 different cards")
    bids = [bid for who, what in rest if (bid := whole_number(what)) is not None]
    game = _game("no")
    jumps = bids != list(game.flowchart.lists["bids"][: len(bids)])
    game = _game("yes" if jumps else "no")
    moves, early = _moves(rest, jumps)
    record = Record(
        game=game.name,
        hash=game.flowchart.hash,
        players=game.players,
        options={name: game.option_text(name) for name in game.options},
        seed=None,
        chance=(tuple(game.flowchart.deck.cards_with_code(card)[0] for card in cards),),
        moves=tuple(moves),
        scores=_server_scores(played.result),
        reason=early or str(Reason.END),
        events="",
    )
    return record, game


@cache
def _game(jump_bids: str) -> Game:
    return Game.make(load_flowchart("skat"), name="skat", options={"jumpBids": jump_bids})


@cache
def _engine(jump_bids: str) -> Engine:
    return make_engine(_game(jump_bids))


def _card(name: str) -> str:
    if not _CARD.fullmatch(name):
        raise RecordError(f"'{name}' is not a card")
    return name[1] + name[0]


def _moves(rest: list[tuple[str, str]], jumps: bool) -> tuple[list[Move], str | None]:
    """The moves of our chart, and why the game ended early, if it did."""
    texts: list[str] = []
    took_skat = False
    declared = len(rest)
    for place, (who, what) in enumerate(rest):
        head, *cards = what.split(".")
        if head in _EARLY_ENDS:
            return [Move.parse(text) for text in texts], _EARLY_ENDS[head]
        if who == "w":
            continue
        if what in ("p", "y", "s"):
            took_skat = took_skat or what == "s"
            texts.append({"p": "choose pass", "y": "choose hold", "s": "choose takeSkat"}[what])
        elif whole_number(what) is not None:
            # Forehand's own bid, after two passes, is always 18.
            in_duel = texts != ["choose pass", "choose pass"]
            texts += ["choose bid", f"choose {what}"] if jumps and in_duel else ["choose bid"]
        elif declared == len(rest):
            declared = place
            if took_skat and not cards and place + 1 < len(rest):
                cards = rest[place + 1][1].split(".")  # older records name the discards in a pair of their own
            texts += _declaration(head, cards if took_skat else None)
        elif place > declared + 1 or _CARD.fullmatch(what):
            texts.append(f"play {_card(what)}")
    return [Move.parse(text) for text in texts], None


def _declaration(head: str, discards: list[str] | None) -> list[str]:
    """`G`, `DH`, `NHO`, `GHS` ...: the game, H hand, S and Z announcing schneider and schwarz, O ouvert."""
    if not re.fullmatch(r"[CSHDGN][HSZO]*", head):
        raise RecordError(f"'{head}' is not a move of the International Skat Server")
    kind, extras = head[0], head[1:]
    texts = ["choose handGame"] if discards is None else [f"pick {_card(card)}" for card in discards[:2]]
    if kind in _SUITS:
        texts += ["choose suitGame", f"choose {_SUITS[kind]}"]
    else:
        texts.append("choose grand" if kind == "G" else "choose nullGame")
    words = {"O": "ouvert", "Z": "schwarz", "S": "schneider"}
    if kind == "N" or discards is None:
        announced = next((word for letter, word in words.items() if letter in extras), "nothing")
        texts.append(f"choose {announced}")
    return texts


def _replayed(record: Record, game: Game) -> Record:
    """The record of a game that replays with the server's scores; it may be over before it is broken off."""
    engine = _engine(game.option_text("jumpBids"))
    chance = RecordingChance(ScriptedChance(record.chance))
    try:
        state = engine.start(chance)
        for number, move in enumerate(record.moves, start=1):
            if engine.mover(state) is None:
                raise RecordError(f"the game is over after {number - 1} of {len(record.moves)} moves")
            state = engine.apply(state, move, chance)
    except (IllegalMoveError, ChanceError) as error:
        raise RecordError(str(error)) from None
    outcome = engine.outcome(state)
    if outcome is not None:
        if outcome.scores != record.scores:
            raise RecordError(f"the server says {list(record.scores)}, the chart {list(outcome.scores)}")
        return make_record(engine, state, chance, record.moves)
    if not record.broken_off:
        raise RecordError("the record ends before the game does")
    return replace(record, events=digest(engine.events(state)))


def _server_scores(result: dict[str, str]) -> tuple[int, ...]:
    """The declarer's value, nothing for the others."""
    if "passed" in result:
        return (0, 0, 0)
    declarer, value = whole_number(result.get("d", "")), whole_number(result.get("v", ""))
    if declarer is None or value is None:
        raise RecordError("the result names no declarer or value")
    return tuple(value if seat == declarer else 0 for seat in range(3))
