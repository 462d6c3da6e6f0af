"""Play line by line: for pipes, screen readers and terminals that cannot do more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fcdl.model.engine import IllegalMoveError
from fcdl.model.moves import Move, MoveError
from fcdl.ui.session import Session
from fcdl.ui.view import View, player_name, printable
from fcdl.ui.words import (
    count_text,
    own_zones,
    pile_is_long,
    public_values,
    rules,
    seat_values,
    shared_piles,
    sorted_cards,
)

HELP = """A move: a card (QH), a value (3, hearts), pass, or the whole text of a move (play QH, choose 3).
? rules   table   log   undo   save FILE   quit"""


class PlainTable:
    """One game as lines of text: `read_line` gives the next with its line end, nothing at the end of the input."""

    def __init__(self, session: Session, read_line: Callable[[], str], write: Callable[[str], None]) -> None:
        self.session = session
        self._read_line = read_line
        self._write = write
        self._told = 0

    def run(self) -> bool:
        """Plays until the game is over (True), or the input ends or says quit (False)."""
        session = self.session
        self._write(f"{printable(session.game.flowchart.title)}, {session.game.players} players. ? for help.")
        asked = -1
        while session.mover is not None:
            if not session.your_turn:
                self._apply(session.think())
                continue
            view = session.view()
            self._tell(view)
            if asked != len(session.moves):
                asked = len(session.moves)
                self._table(view)
            self._write(f"{session.prompt}: {self._legal()}")
            line = self._read_line()
            if not line:
                return False
            if line.strip() in ("quit", "exit") or (line.strip() == "q" and not self._is_value("q")):
                return False
            if self._command(line.strip()):
                asked = -1
        self._tell(session.view())
        for text in session.results():
            self._write(text)
        return True

    def _is_value(self, text: str) -> bool:
        return any(move.what.startswith(text) for move in self.session.legal if move.kind == "choose")

    def _legal(self) -> str:
        return " ".join(move.what or str(move) for move in self.session.legal)

    def _command(self, text: str) -> bool:
        """Does what a line says; whether the table should be shown again."""
        session = self.session
        match text.split():
            case []:
                return True
            case ["?"] | ["help"] | ["rules"]:
                for line in (*rules(session.game), "", *HELP.splitlines()):
                    self._write(line)
            case ["table"]:
                return True
            case ["log"]:
                for line in session.view().log:
                    self._write(line)
            case ["undo"]:
                if not session.undo():
                    self._write("there is nothing to undo")
                    return False
                self._told = len(session.view().log)
                self._write("undone")
                return True
            case ["save", path]:
                try:
                    session.save(Path(path))
                    self._write(f"saved in {path}, from now on after every move")
                except OSError as error:
                    self._write(f"{path}: {error.strerror}")
            case _:
                self._move(text)
        return False

    def _move(self, text: str) -> None:
        session = self.session
        try:
            move = session.parse(text)
        except MoveError as error:
            self._write(str(error))
            return
        try:
            self._apply(move)
        except IllegalMoveError:
            self._write(session.why_not(move))

    def _apply(self, move: Move) -> None:
        try:
            self.session.apply(move)
        except OSError as error:
            self._write(f"the game could not be saved ({error.strerror}); it goes on without")

    def _tell(self, view: View) -> None:
        """What has happened since the last time."""
        for line in view.log[self._told :]:
            self._write(line)
        self._told = len(view.log)

    def _table(self, view: View) -> None:
        game = self.session.game
        self._write("")
        for seat in range(view.players):
            pile = view.piles["hand", seat]
            parts = [f"score {view.scores[seat]}", count_text(len(pile.cards))]
            if seat != view.seat and pile.known:
                parts.append(f"has {' '.join(sorted_cards(game, pile.known))}")
            parts += [f"{name} {value}" for name, value in seat_values(game, view, seat)]
            for zone in own_zones(view):
                own = view.piles[zone, seat]
                if own.cards:
                    parts.append(f"{zone} {len(own.cards) if pile_is_long(own) else ' '.join(own.known)}")
            self._write(f"{player_name(seat, view.seat)}: {', '.join(parts)}")
        for pile in shared_piles(view):
            top = f", top {pile.cards[-1]}" if pile.known and pile.face_up else ""
            known = (
                count_text(len(pile.cards)) + top
                if pile_is_long(pile)
                else " ".join(card or "?" for card in pile.cards)
            )
            self._write(f"{pile.zone}: {known}")
        values = public_values(game, view)
        if values:
            self._write(", ".join(f"{name} {value}" for name, value in values))
        self._write(f"your hand: {' '.join(sorted_cards(game, view.hand)) or 'no cards'}")
