"""A game between one person and computers: what is needed to play it, and nothing about how it is shown."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from fcdl.agents import Agent, AgentError, make_agents
from fcdl.engines import make_engine
from fcdl.language import flowchart as fc
from fcdl.language.diagnostics import did_you_mean
from fcdl.model.chance import Chance, ChanceError, RandomChance, RecordingChance, ScriptedChance
from fcdl.model.engine import Engine, IllegalMoveError, State
from fcdl.model.events import Event, Observation
from fcdl.model.game import Game
from fcdl.model.moves import KINDS, PASS, Move, MoveError
from fcdl.model.outcome import Outcome
from fcdl.model.record import Record, RecordError, make_record
from fcdl.ui.journal import Journal, Saved, Step
from fcdl.ui.view import View, frames, make_view, player_name
from fcdl.ui.why import Explainer

HUMAN = "human"
DEFAULT_AGENT = "random"


@dataclass(frozen=True, slots=True)
class _Moment:
    """A position, and how much of everything there was when it came about."""

    state: State
    seen: tuple[int, ...]
    chance: int


class Session:
    """One game. The person's side gets `view`, `legal` and `prompt`; all else that the engine knows stays inside."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[str],
        seed: str,
        *,
        engine: str | Engine = "native",
        chance: Chance | None = None,
    ) -> None:
        """Deals the cards. `seats` has one person and agents; without `chance` it comes from the seed."""
        self.game = game
        self.seats = tuple(seats)
        self.seat = _human_seat(self.seats, game)
        self.seed = seed
        self.engine = make_engine(game, engine) if isinstance(engine, str) else engine
        self.moves: list[Move] = []
        self.journal: Journal | None = None
        self._agents: list[Agent] = make_agents(
            "/".join(DEFAULT_AGENT if name == HUMAN else name for name in self.seats), game
        )
        self._chance = RecordingChance(chance or RandomChance(seed))
        self._seen: list[list[Event]] = [[] for _ in self.seats]
        self._moments: list[_Moment] = []
        self._from_seed: int | None = None
        """How many outcomes of chance came straight from the seed; None: all."""
        self._add(self.engine.start(self._chance))

    @classmethod
    def resume(cls, saved: Saved, *, engine: str = "native", seats: Sequence[str] | None = None) -> Session:
        """The game of a journal, where it stood; raises RecordError if it does not replay."""
        answers = [answer for step in saved.steps for answer in step.chance]
        script = ScriptedChance(answers)
        try:
            session = cls(saved.game, seats or saved.seats, saved.seed, engine=engine, chance=script)
            for step in saved.steps[1:]:
                assert step.move is not None
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
        """Whether the person decides."""
        return self.mover == self.seat

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
        return make_view(self.game, self.observation)

    def frames(self) -> list[View]:
        """What the last move led to: the table before a finished trick was taken off, if it was, and the position."""
        before = self._moments[-2].seen[self.seat] if len(self._moments) > 1 else 0
        return frames(self.game, self.observation, before)

    @property
    def kind(self) -> str:
        """What is decided: `play` (perhaps `pass`), `pick` or `choose`; empty when the game is over."""
        statement = self.game.flowchart.nodes[self._moment.state.node].statement
        return type(statement).__name__.lower() if isinstance(statement, fc.Decision) else ""

    @property
    def prompt(self) -> str:
        """What is to be decided, for the person: `play a card`, `choose bid` ..."""
        statement = self.game.flowchart.nodes[self._moment.state.node].statement
        match statement:
            case fc.Choose(target=target):
                return f"choose {target.name}"
            case fc.Pick(target=target):
                picked = 0
                for event in reversed(self._seen[self.seat]):
                    if event.kind != "pick" or (event.target or "").partition("(")[0] != target.name:
                        break
                    picked += 1
                return f"pick card {picked + 1} for {target.name}"
            case fc.Play(may_pass=True):
                return "play a card or pass"
            case _:
                return "play a card"

    @property
    def waiting_for(self) -> str:
        """Whose turn it is, in words."""
        if self.mover is None:
            return "the game is over"
        if self.your_turn:
            return f"your turn: {self.prompt}"
        return f"{player_name(self.mover, self.seat)} ({self.seats[self.mover]}) is thinking"

    def results(self) -> list[str]:
        """How the game ended, in lines; none while it goes on."""
        outcome = self.outcome
        if outcome is None:
            return []
        lines = [f"{player_name(seat, self.seat)}: {score}" for seat, score in enumerate(outcome.scores)]
        if outcome.reason != "end":
            return [*lines, f"The game ended early: {outcome.reason}."]
        winners = outcome.winners(self.game.flowchart.lowest_wins)
        if len(winners) == self.game.players:
            return [*lines, "Nobody wins."]
        if winners == (self.seat,):
            return [*lines, "You win!"]
        verb = "wins" if len(winners) == 1 else "share the win"
        return [*lines, f"{' and '.join(player_name(seat, self.seat) for seat in winners)} {verb}."]

    # --- what one can do

    def apply(self, move: Move) -> None:
        """Makes a move for whoever decides; raises IllegalMoveError, or OSError if it was made but not saved."""
        state = self.engine.apply(self._moment.state, move, self._chance)
        self.moves.append(move)
        self._add(state)
        if self.journal is not None:
            journal, self.journal = self.journal, None  # a journal with a gap would be worth nothing
            journal.step(self._steps()[-1])
            self.journal = journal

    def think(self) -> Move:
        """The move that the deciding computer makes."""
        return self.thinking()()

    def thinking(self) -> Callable[[], Move]:
        """Finds the move of the deciding computer when called, in any thread: it keeps all that it needs."""
        mover = self.mover
        assert mover is not None
        observation = Observation(mover, tuple(self._seen[mover]))
        # The same in the same position, also after an undo or when a game is resumed.
        source = random.Random(f"{self.seed} seat {mover} move {len(self.moves)}")
        return partial(self._agents[mover].choose, observation, self.engine.legal(self._moment.state), source)

    def undo(self) -> bool:
        """Goes back to the person's last decision; False if there was none."""
        for left in range(len(self.moves) - 1, -1, -1):
            if self.engine.mover(self._moments[left].state) == self.seat:
                break
        else:
            return False
        del self.moves[left:], self._moments[left + 1 :]
        for seen, number in zip(self._seen, self._moment.seen, strict=True):
            del seen[number:]
        del self._chance.outcomes[self._moment.chance :]
        self._fresh_chance()
        if self.journal is not None:
            self.journal.undo(left)
        return True

    def why_not(self, move: Move) -> str:
        """Why the person may not make a move, in a sentence that says nothing he may not know."""
        try:
            self.engine.apply(self._moment.state, move, RandomChance("never used"))
        except IllegalMoveError as error:
            return self._explainer.sentence(self._steps(), self._moment.state.node, move) or str(error)
        return f"'{move}' is legal"

    def parse(self, text: str) -> Move:
        """The move that the person means: `QH`, `play QH`, `pass`, `choose 3`, `3`, a word or its beginning."""
        return parse_move(text, self.legal, self.game.flowchart.deck)

    def save(self, path: Path) -> None:
        """Writes the journal to a file, and from now on every move."""
        journal = Journal(path, self.game.flowchart.deck)
        journal.begin(self.game, self.seed, self.seats, self._steps())
        self.journal = journal

    def go_on_saving(self, path: Path) -> None:
        """Adds every move from now on to the journal that the game was resumed from."""
        self.journal = Journal(path, self.game.flowchart.deck)

    def record(self) -> Record:
        """The record of the finished game; raises RecordError before that."""
        from_seed = self._from_seed is None or len(self._chance.outcomes) <= self._from_seed
        seed = self.seed if from_seed else None
        return make_record(self.engine, self._moment.state, self._chance, self.moves, seed=seed, agents=self.seats)

    # --- inside

    @cached_property
    def _explainer(self) -> Explainer:
        return Explainer(self.game)

    def _add(self, state: State) -> None:
        for event in self.engine.latest(state):
            for seat, seen in enumerate(self._seen):
                if (part := event.seen_by(seat)) is not None:
                    seen.append(part)
        self._moments.append(_Moment(state, tuple(map(len, self._seen)), len(self._chance.outcomes)))

    def _fresh_chance(self) -> None:
        """From here on chance is new, but the same whenever the game comes here."""
        number = len(self._chance.outcomes)
        self._from_seed = number if self._from_seed is None else min(number, self._from_seed)
        self._chance = RecordingChance(RandomChance(f"{self.seed} after {number}"), self._chance.outcomes)

    def _steps(self) -> list[Step]:
        ends = [moment.chance for moment in self._moments]
        return [
            Step(move, tuple(self._chance.outcomes[start:end]))
            for move, start, end in zip([None, *self.moves], [0, *ends], ends, strict=False)
        ]


def _human_seat(seats: Sequence[str], game: Game) -> int:
    if len(seats) != game.players:
        raise AgentError(f"{game.players} players need {game.players} seats (human/random/...), not {len(seats)}")
    if seats.count(HUMAN) != 1:
        raise AgentError(f"one seat is for '{HUMAN}', the others for agents, not {'/'.join(seats)}")
    return seats.index(HUMAN)


def default_seats(players: int) -> tuple[str, ...]:
    """The person on seat 0, computers on all others."""
    return (HUMAN, *[DEFAULT_AGENT] * (players - 1))


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
    if kind in ("play", "pick"):
        code = what.upper()
        if not (cards := deck.cards_with_code(code)):
            raise MoveError(f"'{text}' is not a card (rank then suit, as in {deck.code(0)}) nor a command; ? helps")
        return Move(kind, deck.code(cards[0]))
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
