"""Play line by line: for pipes, screen readers and terminals that cannot do more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from fcdl.errors import FcdlError
from fcdl.language.diagnostics import printable
from fcdl.model.engine import IllegalMoveError
from fcdl.model.moves import PASS, Move, MoveError
from fcdl.model.record import RecordError, to_line
from fcdl.ui.plain_lessons import hint_lines, known_lines, review_lines
from fcdl.ui.session import Session, listed_moves
from fcdl.ui.ticks import Ticks
from fcdl.ui.view import View
from fcdl.ui.words import (
    count_text,
    own_zones,
    pile_is_long,
    public_values,
    rules,
    seat_names,
    seat_values,
    shared_piles,
    zone_words,
)

HELP = """A move: a card (QH), several (3C 4H), a value (3, hearts), pass, or the whole text (play QH, choose 3).
tick CARDS, untick CARDS: puts a set together and says what it comes to; then play (or take) plays it
moves: all legal moves
hint: what your moves are worth      known: who may hold which unseen card
why CARDS: why they are not legal    table, log: the position, what happened
undo   save FILE   record FILE (after the game, also: review)   rules   quit"""


OVER = "review, undo, record FILE or quit?"
BLANK_LINES = "\n" * 40
"""Between two people, so that nobody sees the other's cards."""
TOLD_AGAIN = 12
"""Lines of the log that the next person is shown."""
LISTED = 40
"""Of more legal sets of cards than this only the first are listed."""


class PlainTable:
    """One game as lines of text: `read_line` gives the next with its line end, nothing at the end of the input."""

    def __init__(self, session: Session, read_line: Callable[[], str], write: Callable[[str], None]) -> None:
        self.session = session
        self._read_line = read_line
        self._write = write
        self._told = 0
        self._ticks: Ticks | None = None
        """The set that is put together, where a decision is for one."""

    def run(self) -> bool:
        """Plays until the game is over (True), or the input ends or says quit (False)."""
        session = self.session
        self._write(f"{printable(session.game.flowchart.title)}, {session.game.players} players. ? for help.")
        for note in session.notes:
            self._write(note)
        while self._play():
            if not self._after_game():
                return True
        return False

    def _play(self) -> bool:
        """Plays until the game is over (True), or the input ends or says quit (False)."""
        session = self.session
        asked = -1
        while session.mover is not None:
            if (seat := session.handover) is not None:
                if not self._hand_over(seat):
                    return False
                asked = -1
                continue
            if not session.your_turn:
                self._apply(session.think())
                continue
            view = session.view()
            self._tell(view)
            if asked != len(session.moves):
                asked = len(session.moves)
                self._ticks = None
                self._table(view)
            self._write(f"{session.prompt}{'' if session.prompt.endswith('?') else ':'} {self._legal()}")
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
        self._write(OVER)
        return True

    def _hand_over(self, seat: int) -> bool:
        """Waits until the person of another seat is there; False if the input ends first."""
        if not self.session.face_up:
            self._write(
                f"{BLANK_LINES}{seat_names(self.session.game)[seat]} is next; everybody else, look away. Press enter."
            )
            if not self._read_line():
                return False
        self.session.take_seat(seat)
        self._told = max(0, len(self.session.view().log) - TOLD_AGAIN)
        return True

    def _after_game(self) -> bool:
        """Takes commands when the game is over; True if it goes on after an undo."""
        while line := self._read_line():
            match line.split():
                case [] | ["quit"] | ["exit"] | ["q"]:
                    return False
                case ["review"]:
                    self._review()
                case _:
                    self._command(line.strip())
                    if self.session.mover is not None:
                        return True
        return False

    def _is_value(self, text: str) -> bool:
        return any(move.what.startswith(text) for move in self.session.legal if move.kind == "choose")

    def _legal(self) -> str:
        if self.session.set_decision is None:
            return self._listed(self.session.legal)
        fitting = self._set().fitting
        legal = [*fitting, *(move for move in self.session.legal if move == PASS)] if fitting else self.session.legal
        return listed_moves(legal, LISTED)

    def _listed(self, moves: Sequence[Move]) -> str:
        """Moves as the person reads them: cards with blanks between them, then what else there is."""
        cards = self.session.view().in_order(move.what for move in moves if move.cards)
        others = [self.session.said(move) for move in moves if not move.cards]
        return ", ".join(filter(None, [" ".join(cards), *others]))

    def _set(self) -> Ticks:
        if self._ticks is None:
            self._ticks = Ticks(self.session.game, self.session.kind, self.session.legal)
        return self._ticks

    def _tick(self, texts: Sequence[str], *, on: bool) -> None:
        """Ticks cards, or not any more (without cards: all), and says what is ticked and what that comes to."""
        session, deck = self.session, self.session.game.flowchart.deck
        if session.set_decision is None:
            self._write("cards are ticked where several make one move")
            return
        ticks = self._set()
        for text in texts:
            if copies := deck.cards_with_code(text.upper()):
                ticks.toggle(deck.code(copies[0]), on=on)
            else:
                self._write(f"'{text}' is not a card (rank then suit, as in {deck.code(0)})")
        if not texts and not on:
            ticks.ticked.clear()
        move = ticks.move
        self._write(ticks.said(session.tally(move) if move is not None else "", f"Say {ticks.kind}."))

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
                try:
                    if not session.undo():
                        self._write("there is nothing to undo")
                        return False
                except OSError as error:
                    self._not_saved(error)
                self._told = len(session.view().log)
                self._write("undone")
                return True
            case ["hint"] if not session.your_turn:
                self._write("you can get a hint when it is your turn")
            case ["hint"]:
                self._teach(lambda: hint_lines(session.hint()(), session.whole))
            case ["known"]:
                self._teach(lambda: known_lines(session.known()(), session.game, session.seat))
            case ["why", *cards] if cards:
                self._why(" ".join(cards))
            case ["tick" | "untick" as word, *cards]:
                self._tick(cards, on=word == "tick")
            case ["play" | "take"] if self._ticks is not None and (move := self._ticks.move) is not None:
                self._move(str(move))
            case ["moves"]:
                self._write(listed_moves(session.legal) if session.set_decision else self._listed(session.legal))
            case ["review"]:
                self._write("the review comes after the game")
            case ["save" | "record", path] if Path(path).exists():
                self._write(f"{path} already exists; choose another name")
            case ["record", path]:
                self._record(Path(path))
            case ["save", path]:
                try:
                    session.save(Path(path))
                    self._write(f"saved to {path}, and again after every move")
                except OSError as error:
                    self._write(f"{path}: {error.strerror}")
            case _:
                self._move(text)
        return False

    def _teach(self, find: Callable[[], Iterable[str]]) -> None:
        """Writes what the teacher says, or why there is nothing to say."""
        try:
            for line in find():
                self._write(line)
        except FcdlError as error:
            self._write(str(error))

    def _why(self, card: str) -> None:
        try:
            self._write(self.session.why_not(self.session.parse(card)))
        except MoveError as error:
            self._write(str(error))

    def _record(self, path: Path) -> None:
        try:
            line = to_line(self.session.record(), self.session.game.flowchart.deck)
            path.write_text(line + "\n", encoding="utf-8")
            self._write(f"the record was written to {path}")
        except (RecordError, OSError) as error:
            self._write(f"there is no record: {error}")

    def _review(self) -> None:
        judging = self.session.teacher.review(self.session.decisions())
        self._teach(lambda: review_lines([one for one in judging if one is not None]))

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
            self._not_saved(error)

    def _not_saved(self, error: OSError) -> None:
        self._write(f"the game is no longer being saved ({error.strerror}); save FILE saves it to a new file")

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
            scores = [f"{view.score_label} {view.scores[seat]}"] if view.score_label else []
            parts = [*scores, count_text(len(pile.cards))]
            if seat != view.seat and pile.known:
                parts.append(f"has {' '.join(view.in_order(pile.known))}")
            parts += [f"{name} {value}" for name, value in seat_values(game, view, seat)]
            for zone in own_zones(view):
                own = view.piles[zone, seat]
                if own.cards:
                    in_slot = own.cards == (None,) and zone not in game.flowchart.zones  # one of several places
                    cards = "?" if in_slot else len(own.cards) if pile_is_long(own) else " ".join(own.known)
                    parts.append(f"{zone_words(game, zone)} {cards}")
            position = f", {view.positions[seat]}" if view.positions[seat] else ""
            self._write(f"{view.titles[seat]}{position}: {', '.join(parts)}")
        for pile in shared_piles(view):
            top = f", top {pile.top}" if pile.top is not None and pile.face_up and pile.ordered else ""
            known = (
                count_text(len(pile.cards)) + top
                if pile_is_long(pile)
                else " ".join(card or "?" for card in pile.cards)
            )
            self._write(f"{zone_words(game, pile.zone)}: {known}")
        values = public_values(game, view)
        if values:
            self._write(", ".join(f"{name} {value}" for name, value in values))
        self._write(f"your hand: {' '.join(view.hand) or 'no cards'}")
