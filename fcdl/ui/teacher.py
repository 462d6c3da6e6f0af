"""The teacher: where unseen cards may be, what the moves are worth and why, and how good the moves of a game were.

Like every player it gets observations only, so it cannot tell what the person may not know.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from fcdl.agents import AgentError, MoveValue, Thinker, Thought, make_agent
from fcdl.errors import FcdlError
from fcdl.language.flow import deals_again, reachable, scores_only_at_the_end, through_calls
from fcdl.language.flowchart import Assign, Deck
from fcdl.model.engine import Engine
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move
from fcdl.ui.view import Watcher

if TYPE_CHECKING:
    from fcdl.agents.measured import MeasuredAgent
    from fcdl.beliefs.sampler import Beliefs, Marginals
    from fcdl.ui.outlook import Outlook

ADVISERS = ("ismcts:iterations=10000,utility=score",)
"""Who judges moves, the best first; the first one that can play the game does it. Values are points, not chances. Hints
and reviews ask the same one, and not by the clock: so they agree, and the same game is judged the same."""
TALKERS = ("hyperheur:worlds=20",)
"""Who adds reasons in sentences, where the game has heuristics."""
WORLDS = 10_000
"""From so many worlds it is estimated who may hold a card."""
SAME = 0.05
"""Moves whose values differ by less are equally good: a search cannot tell them apart."""
SAME_CHANCE = 0.02
"""The same where values are chances to win, from -1 to 1."""
COMPARED = 4
"""So many of the best moves are followed to see what they lead to."""
CANNOT = "no player can judge moves of this game yet"


class TeacherError(FcdlError):
    """The teacher cannot help here; says why."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What the moves are worth, the best first, and why."""

    values: tuple[MoveValue, ...]
    reasons: tuple[str, ...]
    heuristics: tuple[str, ...]
    """What the heuristics derived from the chart say on their own; they may prefer another move."""
    adviser: str
    measured: tuple[str, ...] = ()
    """What heuristics measured by play say for the best move."""
    until: str = "the next deal"
    """How far it looks."""
    move: Move | None = None
    """What to do."""
    thumb: Move | None = None
    """What the heuristics derived from the chart would do."""
    outlook: Mapping[Move, Outlook] = field(default_factory=dict)
    """What the best moves lead to at once."""
    lowest_wins: bool = False
    only_wins: bool = False
    """Whether values are chances to win rather than points: between -1 and 1, at the end of the game."""
    deck: Deck | None = None

    def is_higher(self, move: Move, other: Move) -> bool:
        """Whether a card ranks higher than another."""
        if self.deck is None:
            return False
        first, second = (self.deck.cards_with_code(one.cards[0])[0] for one in (move, other))
        return self.deck.rank_of(first) > self.deck.rank_of(second)

    @property
    def best(self) -> MoveValue:
        """The move to make, with its value: what the adviser would play; one hardly looked at can seem better."""
        return next((value for value in self.values if value.move == self.move), self.values[0])

    @property
    def same(self) -> float:
        """What makes no difference."""
        return SAME_CHANCE if self.only_wins else SAME

    @property
    def as_good(self) -> tuple[Move, ...]:
        """Other moves that cannot be told from the best."""
        others = (value for value in self.values if value.move != self.best.move)
        return tuple(value.move for value in others if value.value > self.best.value - self.same)

    @property
    def runner_up(self) -> MoveValue | None:
        """The best move that is worse."""
        worse = [value for value in self.values if value.value <= self.best.value - self.same]
        return max(worse, key=lambda value: value.value, default=None)


@dataclass(frozen=True, slots=True)
class DecisionMade:
    """A decision of the person, with what they saw and could do."""

    number: int
    """How many moves of all players came before."""
    observation: Observation
    legal: tuple[Move, ...]
    move: Move
    names: Mapping[Move, str] = field(default_factory=dict)
    """What moves without cards are called there."""

    def said(self, move: Move) -> str:
        """What a move is called: `play 6C`, `take`."""
        return self.names.get(move, str(move))


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision and the best move found."""

    made: DecisionMade
    value: float
    best: Move
    best_value: float
    same: float = SAME
    """What makes no difference."""

    @property
    def is_best(self) -> bool:
        """Whether no better move was found."""
        return self.lost < self.same

    @property
    def lost(self) -> float:
        """What the decision cost, in hundredths: what is said of several decisions adds up."""
        return max(0.0, round(self.best_value - self.value, 2))


class Teacher:
    """Helps with one game; calls may take seconds and may come from any thread, but wait for each other."""

    def __init__(
        self,
        game: Game,
        engine: Engine,
        *,
        advisers: Sequence[str] = ADVISERS,
        talkers: Sequence[str] = TALKERS,
    ) -> None:
        self.game = game
        self.engine = engine
        self._names = {"adviser": advisers, "talker": talkers}
        self._lock = threading.Lock()
        self._measurer: MeasuredAgent | None = None
        self._thoughts: dict[Observation, Thought] = {}
        self.seconds = 2.0
        """How long the last hint took."""

    def hint(self, observation: Observation, legal: Sequence[Move]) -> Hint:
        """What the legal moves are worth; raises TeacherError."""
        with self._lock:
            name, _ = self._adviser
            self._measured_for(observation, legal, legal[0])  # begins in the background while the adviser thinks
            began = time.monotonic()
            thought = self._judge(observation, legal)
            said, thumb = self._said(observation, legal)
            measured = self._measured_for(observation, legal, thought.move)
            outlook = self._outlook(observation, legal, thought)
            self.seconds = time.monotonic() - began
        chart = self.game.flowchart
        only_wins = self._are_chances(thought)
        return Hint(
            thought.values,
            thought.reasons,
            said,
            name,
            measured,
            self._until,
            thought.move,
            thumb,
            outlook,
            chart.lowest_wins,
            only_wins,
            chart.deck,
        )

    def _judge(self, observation: Observation, legal: Sequence[Move]) -> Thought:
        """What the adviser thinks of a position; asked again, the same."""
        if observation not in self._thoughts:
            self._thoughts[observation] = self._adviser[1].think(observation, legal, random.Random("hint"))
        return self._thoughts[observation]

    def _outlook(self, observation: Observation, legal: Sequence[Move], thought: Thought) -> dict[Move, Outlook]:
        """What the best moves lead to at once; nothing where that cannot be found."""
        from fcdl.ui.outlook import outlooks

        best = sorted(thought.values, key=lambda value: (value.move != thought.move, -value.value))[:COMPARED]
        watcher = Watcher(self.game, observation.seat)
        try:
            watcher.follow(observation.events)
            return outlooks(self._beliefs, self.engine, watcher, legal, [value.move for value in best])
        except Exception:  # a hint without reasons is still a hint
            return {}

    def _are_chances(self, thought: Thought) -> bool:
        """Whether values are chances to win rather than points."""
        return self._only_wins and all(abs(value.value) <= 1 for value in thought.values)

    @cached_property
    def _only_wins(self) -> bool:
        """Whether nobody decides any more when the first score is given."""
        nodes = self.game.flowchart.nodes
        scoring = [
            number
            for number, node in nodes.items()
            if isinstance(node.statement, Assign) and node.statement.target.name == "score"
        ]
        return not any(nodes[number].is_decision for number in reachable(scoring, through_calls(self.game.flowchart)))

    @cached_property
    def _until(self) -> str:
        """How far advisers look."""
        chart = self.game.flowchart
        return "the next deal" if deals_again(chart) and not scores_only_at_the_end(chart) else "the end of the game"

    def _said(self, observation: Observation, legal: Sequence[Move]) -> tuple[tuple[str, ...], Move | None]:
        """What the heuristics say and would do; nothing where there are none, or they cannot be asked."""
        if self._talker is None or not getattr(self._talker, "has_heuristics", True):
            return (), None
        try:
            thought = self._talker.think(observation, legal, random.Random("hint"))
        except Exception:  # a hint without heuristics is still a hint
            return (), None
        return thought.reasons, thought.move

    def _measured(self) -> MeasuredAgent | None:
        """Who knows what was measured by play; None until that is done, which nobody waits for."""
        from fcdl.agents.measured import MeasuredAgent
        from fcdl.heuristics.measured import measured_soon

        found = measured_soon(self.game)
        if found is not None and self._measurer is None:
            self._measurer = MeasuredAgent(self.game, measured=found)
        return self._measurer

    def _measured_for(self, observation: Observation, legal: Sequence[Move], move: Move) -> tuple[str, ...]:
        """The measured heuristics that speak for a move; nothing where they cannot be asked."""
        try:
            measurer = self._measured()
            return () if measurer is None else measurer.speaking_for(observation, legal, move)
        except Exception:  # a hint without heuristics is still a hint
            return ()

    def known(self, observation: Observation) -> Marginals:
        """Where the unseen cards may be; raises FcdlError where that cannot be said."""
        with self._lock:
            try:
                return self._beliefs.marginals(observation, WORLDS)
            except FcdlError:
                raise
            except Exception as error:
                raise TeacherError(f"cannot say here who may hold which card ({error!r})") from error

    def review(
        self, decisions: Sequence[DecisionMade], stopped: Callable[[], bool] = lambda: False
    ) -> Iterator[Judged | None]:
        """Judges decisions one by one, None where there was no choice; raises TeacherError."""
        _ = self._adviser
        for made in decisions:
            if stopped():
                return
            if len(made.legal) < 2:
                yield None
                continue
            with self._lock:
                thought = self._judge(made.observation, made.legal)
            values = {value.move: value.value for value in thought.values}
            # The best is what the reviewer would play: a move that was hardly looked at can seem better by chance.
            if made.move not in values:
                yield None
            else:
                same = SAME_CHANCE if self._are_chances(thought) else SAME
                yield Judged(made, values[made.move], thought.move, values[thought.move], same)

    @cached_property
    def _beliefs(self) -> Beliefs:
        from fcdl.beliefs.sampler import Beliefs
        from fcdl.engines.native.engine import NativeEngine

        if not isinstance(self.engine, NativeEngine):
            raise TeacherError("only the native engine can work out who may hold a card")
        return Beliefs(self.engine)

    @cached_property
    def _adviser(self) -> tuple[str, Thinker]:
        return self._thinker("adviser")

    @cached_property
    def _talker(self) -> Thinker | None:
        try:
            return self._thinker("talker")[1]
        except TeacherError:
            return None

    def _thinker(self, role: str) -> tuple[str, Thinker]:
        why = CANNOT
        for name in self._names[role]:
            try:
                agent = make_agent(name, self.game)
            except AgentError as error:
                why = str(error)
                continue
            except Exception as error:  # a chart that a player cannot be made for still has a table to play at
                why = f"{CANNOT} ({error!r})"
                continue
            if isinstance(agent, Thinker):
                return name, agent
        raise TeacherError(f"there is no hint for this game: {why}")


def worst_first(judged: Sequence[Judged]) -> list[Judged]:
    """Decisions by what they cost; those that cost the same in the order of the game."""
    return sorted(judged, key=lambda one: (-round(one.lost, 3), one.made.number))
