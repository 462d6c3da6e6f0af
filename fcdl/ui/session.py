"""A game between people and computers: what is needed to play it, and nothing about how it is shown."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from fcdl.agents import AgentError, make_agent, parse_agent
from fcdl.agents.agent import at_random
from fcdl.engines import make_engine
from fcdl.language import flowchart as fc
from fcdl.language.diagnostics import did_you_mean
from fcdl.language.saying import answer_words
from fcdl.model.chance import Chance, ChanceError, RandomChance, RecordingChance, ScriptedChance
from fcdl.model.engine import Engine, IllegalMoveError, State
from fcdl.model.events import Event, Observation
from fcdl.model.game import Game
from fcdl.model.moves import KINDS, OF_CARDS, PASS, Move, MoveError
from fcdl.model.outcome import Outcome
from fcdl.model.record import Record, RecordError, make_record
from fcdl.ui.background import begin
from fcdl.ui.journal import Journal, Saved, Step
from fcdl.ui.must import TableTalk
from fcdl.ui.opponents import DEFAULT_STRENGTH, Opponent, find_opponent, shown_name
from fcdl.ui.replay import Replay
from fcdl.ui.talk import either, sentence
from fcdl.ui.teacher import DecisionMade, Hint, Teacher
from fcdl.ui.view import View, Watcher
from fcdl.ui.why import Explainer

if TYPE_CHECKING:
    from fcdl.beliefs.sampler import Marginals

HUMAN = "human"
NO_SEAT = -1
"""Sees what is public."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """A position, and how much of everything there was when it came about."""

    state: State
    happened: int
    seen: tuple[int, ...]
    chance: int


class Session:
    """One game. The person's side gets `view`, `legal` and `prompt`; all else that the engine knows stays inside.

    `seat` is the seat of the person who looks at the screen. With several people it changes by `take_seat`, which
    the user interface calls when `handover` names somebody and nobody else looks.
    """

    def __init__(
        self,
        game: Game,
        seats: Sequence[str],
        seed: str,
        *,
        engine: str | Engine = "native",
        chance: Chance | None = None,
        face_up: bool = False,
        chart: Path | None = None,
    ) -> None:
        """Deals the cards. `seats` has people and agents; without `chance` it comes from the seed.

        With `face_up` the person sees all cards; computers do not. `chart` is the file of a chart that is not built in.
        """
        self.game = game
        self.humans = _human_seats(seats, game)
        opponents = [Opponent(HUMAN) if name == HUMAN else find_opponent(name, game) for name in seats]
        self.seats = tuple(opponent.agent for opponent in opponents)
        self.notes = tuple(dict.fromkeys(opponent.note for opponent in opponents if opponent.note))
        """What the person should know about the computers, such as that one of them cannot play this game."""
        self.seat = self.humans[0]
        self.seed = seed
        self.face_up = face_up
        self.chart = chart
        self.engine = make_engine(game, engine) if isinstance(engine, str) else engine
        self.moves: list[Move] = []
        self.journal: Journal | None = None
        self._agents = {seat: make_agent(name, game) for seat, name in enumerate(self.seats) if name != HUMAN}
        self._looked = len(self.humans) == 1
        self._thinking = threading.Lock()
        """Agents keep what they know of the game, so a thought that nobody waits for any more must end first."""
        self._chance = RecordingChance(chance or RandomChance(seed))
        self._ahead: tuple[int, Future[Move]] | None = None
        """A thought that was begun before anybody asked for it, and after how many moves."""
        self._events: list[Event] = []
        self._seen: list[list[Event]] = [[] for _ in self.seats]
        self._watchers = [Watcher(game, seat) for seat in range(len(self.seats))]
        self._public = Watcher(game, None)
        self._moments: list[_Moment] = []
        self._from_seed: int | None = None
        """How many outcomes of chance came straight from the seed; None: all."""
        self._add(self.engine.start(self._chance))

    @classmethod
    def resume(
        cls,
        saved: Saved,
        *,
        engine: str | Engine = "native",
        seats: Sequence[str] | None = None,
        face_up: bool = False,
    ) -> Session:
        """The game of a journal, where it stood; raises RecordError if it does not replay."""
        answers = [answer for step in saved.steps for answer in step.chance]
        script = ScriptedChance(answers)
        try:
            session = cls(
                saved.game,
                seats or saved.seats,
                saved.seed,
                engine=engine,
                chance=script,
                face_up=face_up,
                chart=saved.chart,
            )
            for step in saved.steps[1:]:
                if step.move is None:
                    raise RecordError("the journal does not replay: a step has no move")
                session.apply(step.move)
        except (ChanceError, IllegalMoveError) as error:
            raise RecordError(f"the journal does not replay: {error}") from None
        if script.used != len(answers):
            raise RecordError("the journal has more outcomes of chance than the game needs")
        session._fresh_chance()
        session._from_seed = 0  # an earlier undo or resume may have changed chance already
        return session

    # --- the position

    @property
    def _moment(self) -> _Moment:
        return self._moments[-1]

    @property
    def mover(self) -> int | None:
        """The seat that decides; None when the game is over."""
        return self.engine.mover(self._moment.state)

    @property
    def your_turn(self) -> bool:
        """Whether the person who looks decides."""
        return self.mover == self.seat and self.handover is None

    @property
    def decided(self) -> bool:
        """Whether a person has made a move."""
        return any(self.engine.mover(moment.state) in self.humans for moment in self._moments[:-1])

    @property
    def handover(self) -> int | None:
        """The seat whose person must look now, and nobody else; None if the right one does already."""
        if not self._looked:
            return self.mover if self.mover in self.humans else self.seat
        return self.mover if self.mover in self.humans and self.mover != self.seat else None

    def take_seat(self, seat: int) -> None:
        """From now on the person of this seat looks."""
        if seat not in self.humans:
            raise ValueError(f"nobody sits at seat {seat}")
        self.seat = seat
        self._looked = True

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.engine.outcome(self._moment.state)

    @property
    def legal(self) -> tuple[Move, ...]:
        """The person's legal moves; none when somebody else decides."""
        return self.engine.legal(self._moment.state) if self.your_turn else ()

    @property
    def observation(self) -> Observation:
        """What the person has seen so far."""
        return Observation(self.seat, tuple(self._seen[self.seat]))

    def view(self) -> View:
        """The position as the person sees it."""
        return self._watcher().view()

    def frames(self) -> list[View]:
        """What the last move led to: the table before a finished trick was taken off, if it was, and the position."""
        return self._watcher().frames()

    @property
    def public_events(self) -> tuple[Event, ...]:
        """What somebody who has no seat may see."""
        return tuple(seen for event in self._events if (seen := event.seen_by(NO_SEAT)) is not None)

    def public_frames(self) -> list[View]:
        """`frames` for somebody who has no seat."""
        self._public.follow(self.public_events)
        return self._public.frames()

    def mover_at(self, number: int) -> int | None:
        """The seat that decided after so many moves."""
        return self.engine.mover(self._moments[number].state)

    def _watcher(self) -> Watcher:
        """Who has seen what the person has seen; only events that are new are read."""
        watcher = self._watchers[self.seat]
        watcher.follow(self._events if self.face_up else self._seen[self.seat])
        return watcher

    @property
    def set_decision(self) -> fc.TakeSet | None:
        """The person's decision, if it is for one of several sets of cards."""
        statement = self.game.flowchart.nodes[self._moment.state.node].statement
        return statement if self.your_turn and isinstance(statement, fc.TakeSet) else None

    @property
    def kind(self) -> str:
        """What is decided: `play` (perhaps `pass`), `pick`, `take` or `choose`; empty when the game is over."""
        statement = self.game.flowchart.nodes[self._moment.state.node].statement
        if isinstance(statement, fc.TakeSet):
            return statement.word
        return type(statement).__name__.lower() if isinstance(statement, fc.Decision) else ""

    @property
    def prompt(self) -> str:
        """What is to be decided, for the person: `Play a card`, `Bid: 0 to 7?`; without a full stop."""
        node = self.game.flowchart.nodes[self._moment.state.node]
        picked = 0
        if isinstance(node.statement, fc.Pick):
            for event in reversed(self._seen[self.seat]):
                if event.kind != "pick" or (event.target or "").partition("(")[0] != node.statement.target.name:
                    break
                picked += 1
        return self._watcher().talk.question(node, self.seat, self.legal, picked)

    def said(self, move: Move) -> str:
        """What one of the person's moves is called: a card by its name, `bid 18`, `take`."""
        if move.cards:
            return move.what
        node = self.game.flowchart.nodes[self._moment.state.node]
        return self._watcher().talk.answer(node, move, self.seat)

    def whole(self, move: Move) -> str:
        """What the person does with a move: `play 6C`, `pass 6C`, `bid 18`."""
        node = self.game.flowchart.nodes[self._moment.state.node]
        return self._watcher().talk.deed(node, move, self.seat)

    def name(self, seat: int) -> str:
        """A player to the person: `player 2`, `you`, `Ann (you)`."""
        return self._watcher().talk.title(seat)

    @property
    def waiting_for(self) -> str:
        """Whose turn it is, in words."""
        if self.mover is None:
            return "the game is over"
        if self.your_turn:
            return "your turn"
        if self.mover in self.humans:
            return f"{self.name(self.mover)} is next"
        return f"{self.name(self.mover)} ({shown_name(self.seats[self.mover])}) is thinking"

    def results(self) -> list[str]:
        """How the game ended, in lines; none while it goes on."""
        outcome = self.outcome
        if outcome is None:
            return []
        lines = [f"{self.name(seat)}: {score}" for seat, score in enumerate(outcome.scores)]
        return [*lines, self.verdict]

    @property
    def verdict(self) -> str:
        """Who won, in a sentence; empty while the game goes on."""
        outcome = self.outcome
        if outcome is None:
            return ""
        if outcome.reason != "end":
            return f"The game ended early: {outcome.reason}."
        sides = self.game.winning_sides(outcome.scores)
        if len(sides) == len(self.game.sides):
            return "Nobody wins."
        if sides == ((self.seat,),):
            return "You win!"
        seats = sorted(seat for side in sides for seat in side)
        if len(sides) == 1 and self.seat in seats:
            partners = " and ".join(self.name(seat) for seat in seats if seat != self.seat)
            return f"You and {partners} win!"
        verb = "share the win" if len(sides) > 1 else "wins" if len(seats) == 1 else "win"
        talk = self._watcher().talk
        return sentence(f"{either([talk.name(seat) for seat in seats], 'and')} {verb}.")

    def ranking(self) -> list[tuple[int, str, str]]:
        """Everybody's place, name and score, the best first; none while the game goes on."""
        outcome = self.outcome
        if outcome is None:
            return []
        best_first = sorted(outcome.scores, reverse=not self.game.flowchart.lowest_wins)
        rows = [(best_first.index(score) + 1, self.name(seat), str(score)) for seat, score in enumerate(outcome.scores)]
        return sorted(rows, key=lambda row: row[0])

    def again(self, seed: str) -> Session:
        """Another game with the same seats."""
        return Session(self.game, self.seats, seed, engine=self.engine, face_up=self.face_up, chart=self.chart)

    # --- what one can do

    def apply(self, move: Move) -> None:
        """Makes a move for whoever decides; raises IllegalMoveError, or OSError if it was made but not saved."""
        state = self.engine.apply(self._moment.state, move, self._chance)
        self.moves.append(move)
        self._add(state)
        self._write(lambda journal: journal.step(self._step(len(self.moves))))

    def think(self) -> Move:
        """The move that the deciding computer makes."""
        return self.thinking()()

    def think_ahead(self) -> None:
        """Lets the computer that decides think already, while the screen is being made."""
        if self.mover is not None and self.mover not in self.humans:
            self._ahead = len(self.moves), begin(self.thinking())

    def thinking(self) -> Callable[[], Move]:
        """Finds the move of the deciding computer when called, in any thread: it keeps all that it needs."""
        mover = self.mover
        assert mover is not None
        if self._ahead is not None and self._ahead[0] == len(self.moves):
            return self._ahead[1].result
        observation = Observation(mover, tuple(self._seen[mover]))
        # The same in the same position, also after an undo or when a game is resumed.
        source = random.Random(f"{self.seed} seat {mover} move {len(self.moves)}")
        legal = self.engine.legal(self._moment.state)
        agent = self._agents[mover]

        def work() -> Move:
            with self._thinking:
                try:
                    return agent.choose(observation, legal, source)
                except Exception as error:  # whatever happens to a computer player, people can play on
                    return at_random(legal, source, error).move

        return work

    @property
    def must_pass(self) -> bool:
        """Whether a computer decides and can only pass."""
        return self.mover not in (None, *self.humans) and self.engine.legal(self._moment.state) == (PASS,)

    @property
    def budget(self) -> float | None:
        """The seconds that the deciding computer takes; None where it does not go by the clock."""
        if self.mover is None or self.mover in self.humans:
            return None
        milliseconds = parse_agent(self.seats[self.mover])[1].get("ms")
        return milliseconds / 1000 if isinstance(milliseconds, int | float) and milliseconds > 0 else None

    def undo(self) -> bool:
        """Goes back to the last decision of a person; False if there was none. Raises OSError if it was not saved."""
        for left in range(len(self.moves) - 1, -1, -1):
            if self.engine.mover(self._moments[left].state) in self.humans:
                break
        else:
            return False
        del self.moves[left:], self._moments[left + 1 :]
        del self._events[self._moment.happened :]
        for seen, number in zip(self._seen, self._moment.seen, strict=True):
            del seen[number:]
        del self._chance.outcomes[self._moment.chance :]
        self._fresh_chance()
        self._write(lambda journal: journal.undo(left))
        return True

    def why_not(self, move: Move) -> str:
        """Why the person may not make a move, in a sentence that says nothing they may not know."""
        legal = self.engine.legal(self._moment.state)
        if move in legal:
            return f"'{move}' is legal"
        node = self.game.flowchart.nodes[self._moment.state.node]
        listed = listed_moves(legal)
        # An engine's own reason may name hidden cards, and after a private diamond a node tells how it was left.
        plain = f"You may not {self.whole(move)} now; legal: {listed}"
        watcher = self._watcher()
        if not watcher.whereabouts.knows(node.number):
            return plain
        led = self._led(watcher, node)
        otherwise, verb = watcher.talk.answer(node, PASS, self.seat), self.whole(move).partition(" ")[0]
        at_table = TableTalk(led, otherwise, verb, answers=bool(watcher.answering))
        return self._explainer.sentence(self.steps(), node.number, move, at_table) or plain

    def _led(self, watcher: Watcher, node: fc.Node) -> str | None:
        """The first card of a trick that the person is to play to; None if there is none."""
        seats = [seat for seat, _ in watcher.played]
        once = len(set(seats)) == len(seats) and self.seat not in seats
        to_trick = isinstance(node.statement, fc.Play) and not node.statement.may_pass
        return watcher.played[0][1] if seats and once and to_trick else None

    def tally(self, move: Move) -> str:
        """What the cards of a set come to, beside what is asked for (`7 of 7`); empty where there is nothing to add."""
        node = self._moment.state.node
        if not self._watcher().whereabouts.knows(node):
            return ""
        return self._explainer.tally(self.steps(), node, move)

    def hint(self) -> Callable[[], Hint]:
        """Finds what the person's moves are worth when called, in any thread; that raises TeacherError."""
        return partial(self.teacher.hint, self.observation, self.legal)

    def known(self) -> Callable[[], Marginals]:
        """Finds where unseen cards may be when called, in any thread; that raises FcdlError."""
        return partial(self.teacher.known, self.observation)

    def decisions(self) -> list[DecisionMade]:
        """All decisions of the person who looks."""
        found = []
        for number, (moment, move) in enumerate(zip(self._moments, self.moves, strict=False)):
            if self.engine.mover(moment.state) == self.seat:
                seen = Observation(self.seat, tuple(self._seen[self.seat][: moment.seen[self.seat]]))
                legal, node = self.engine.legal(moment.state), self.game.flowchart.nodes[moment.state.node]
                found.append(DecisionMade(number, seen, legal, move, self._names(node, legal)))
        return found

    def _names(self, node: fc.Node, legal: Sequence[Move]) -> dict[Move, str]:
        """What moves are called at a decision, whatever the position; without those that are called `play 6C`."""
        chart, talk, names = self.game.flowchart, self._watcher().talk, {}
        for move in legal:
            if move.cards and (deed := talk.deed(node, move, self.seat)) != str(move):
                names[move] = deed
            answer = "pass" if move == PASS else move.what
            if not move.cards and (move == PASS or answer in chart.words):
                names[move] = answer_words(chart, node, answer)
        return names

    def replay(self) -> Replay:
        """The game so far, position by position."""
        return Replay(self.engine, self._chance.outcomes, self.moves, self.seats)

    def parse(self, text: str) -> Move:
        """The move that the person means: `QH`, `play QH`, `pass`, `choose 3`, `3`, a word or its beginning."""
        named = {move: self.said(move).lower() for move in self.legal if not move.cards}
        wanted = text.strip().lower()
        meant = [move for move, said in named.items() if said == wanted] or [
            move for move, said in named.items() if wanted and not wanted.isdigit() and said.startswith(wanted)
        ]
        if len(meant) == 1:
            return meant[0]
        return parse_move(text, self.legal, self.game.flowchart.deck)

    def steps(self) -> list[Step]:
        """The game so far, as journals keep it."""
        return [self._step(number) for number in range(len(self._moments))]

    def last_step(self) -> Step:
        """The last of the steps."""
        return self._step(len(self.moves))

    def save(self, path: Path) -> None:
        """Writes the journal to a file, and from now on every move."""
        journal = Journal(path, self.game.flowchart.deck)
        journal.begin(self.game, self.seed, self.seats, self.steps(), self.chart)
        self.journal = journal

    def go_on_saving(self, path: Path) -> None:
        """Adds every move from now on to the journal that the game was resumed from."""
        self.journal = Journal(path, self.game.flowchart.deck)

    def record(self) -> Record:
        """The record of the finished game; raises RecordError before that."""
        from_seed = self._from_seed is None or len(self._chance.outcomes) <= self._from_seed
        seed = self.seed if from_seed else None
        return make_record(self.engine, self._moment.state, self._chance, self.moves, seed=seed, agents=self.seats)

    @cached_property
    def teacher(self) -> Teacher:
        """Who helps the person."""
        return Teacher(self.game, self.engine)

    # --- inside

    def _write(self, write: Callable[[Journal], None]) -> None:
        if self.journal is not None:
            journal, self.journal = self.journal, None  # a journal with a gap would be worth nothing
            write(journal)
            self.journal = journal

    @cached_property
    def _explainer(self) -> Explainer:
        return Explainer(self.game)

    def _add(self, state: State) -> None:
        for event in self.engine.latest(state):
            self._events.append(event)
            for seat, seen in enumerate(self._seen):
                if (part := event.seen_by(seat)) is not None:
                    seen.append(part)
        seen_by_all = tuple(map(len, self._seen))
        self._moments.append(_Moment(state, len(self._events), seen_by_all, len(self._chance.outcomes)))

    def _fresh_chance(self) -> None:
        """From here on chance is new, but the same whenever the game comes here."""
        number = len(self._chance.outcomes)
        self._from_seed = number if self._from_seed is None else min(number, self._from_seed)
        self._chance = RecordingChance(RandomChance(f"{self.seed} after {number}"), self._chance.outcomes)

    def _step(self, number: int) -> Step:
        """The start (0) or a move; the last one with what everybody has now."""
        scores, over = ((), False) if number < len(self.moves) else (self.view().scores, self.outcome is not None)
        if number == 0:
            return Step(None, tuple(self._chance.outcomes[: self._moments[0].chance]), scores, over)
        before, after = self._moments[number - 1 : number + 1]
        chance = tuple(self._chance.outcomes[before.chance : after.chance])
        return Step(self.moves[number - 1], chance, scores, over)


def _human_seats(seats: Sequence[str], game: Game) -> tuple[int, ...]:
    if len(seats) != game.players:
        raise AgentError(f"{game.players} players need {game.players} seats (human/normal/...), not {len(seats)}")
    humans = tuple(seat for seat, name in enumerate(seats) if name == HUMAN)
    if not humans:
        raise AgentError(f"at least one seat must be '{HUMAN}', not {'/'.join(seats)}")
    return humans


def default_seats(players: int, opponent: str = DEFAULT_STRENGTH) -> tuple[str, ...]:
    """The person on seat 0, computers on all others."""
    return (HUMAN, *[opponent] * (players - 1))


def listed_moves(moves: Sequence[Move], most: int | None = None) -> str:
    """Moves as one line, with commas between sets of cards; at most so many, then how many more there are."""
    texts = [str(move) if move == PASS else move.what for move in moves]
    between = ", " if any(len(move.cards) > 1 for move in moves) else " "
    left_out = 0 if most is None else max(0, len(texts) - most)
    return between.join(texts[:most]) + (f" and {left_out:,} more" if left_out else "")


def parse_move(text: str, legal: Sequence[Move], deck: fc.Deck) -> Move:
    """The move that a text means where these are legal; it may be illegal itself, but MoveError if it is no move."""
    words = text.strip()
    first, _, rest = words.partition(" ")
    if words.lower() == "pass" and Move("choose", "pass") not in legal:
        return PASS
    if first.lower() in KINDS and rest:
        kind, what = first.lower(), rest.strip()
    else:
        kind, what = (legal[0].kind if legal and legal[0] != PASS else "play"), words
    if kind in OF_CARDS:
        found = [deck.cards_with_code(code) for code in what.upper().split()]
        if not all(found):
            raise MoveError(
                f"'{text}' is neither a card (rank then suit, as in {deck.code(0)}) nor a command; ? for help"
            )
        return Move(kind, " ".join(deck.code(card) for card in sorted(copies[0] for copies in found)))
    values = [move.what for move in legal if move.kind == "choose"]
    if what in values or kind != "choose":
        return Move(kind, what)
    meant = [value for value in values if value.lower().startswith(what.lower())]
    if len(meant) == 1 and not what.lstrip("-").isdigit():
        return Move("choose", meant[0])
    if not meant and not what.lstrip("-").isdigit():
        hint = did_you_mean(what, values)
        raise MoveError(f"'{text}' is not one of {', '.join(values[:20])}" + (f" ({hint})" if hint else ""))
    return Move("choose", what)
