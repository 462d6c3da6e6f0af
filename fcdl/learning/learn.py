"""Learning by self-play: round after round the policy is taught what its own games show of the moves.

In a round games are played by the policy of the round before (the first one at random), with some moves at random so
that all is seen. At some decisions every legal move is tried by playouts of the true position, which are played by the
policy, too. What a move gains over the mean of the legal moves is learned from what the deciding seat sees, so the
hidden cards average out: the network comes to say what a move is worth to a player who knows no more than that seat.
The next round plays better, by one step of looking ahead.
"""

from __future__ import annotations

import base64
import hashlib
import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from fcdl.engines.native import _engine
from fcdl.engines.native.engine import NativeEngine
from fcdl.engines.native.search import Aim, Budget, Search
from fcdl.errors import FcdlError
from fcdl.heuristics.layers import game_key
from fcdl.language.flow import scores_only_at_the_end
from fcdl.learning.files import PolicyFile, rounded
from fcdl.learning.network import Floats, NetworkPolicy, Weights
from fcdl.learning.training import Lessons, Trainer
from fcdl.learning.view import View, view_of
from fcdl.model.game import Game

PIECE = 200
"""So many decisions are looked at in one piece of the work."""
FROM_A_GAME = 4
"""So many decisions at each node are taken from a game."""
EXPLORING = (0.0, 0.05, 0.1, 0.3)
"""Of these one is drawn for every game: how often any legal move is made."""
LONGEST = 3000
"""Games are given up after so many moves."""
COOLNESS = 0.15
"""The temperature, in standard deviations of what moves gain."""
MATCHES = 2000
"""Games between the policies of two rounds."""
FIRST_RATES, RATES = (2e-3, 2e-3, 5e-4), (1e-3, 3e-4)
"""How large the steps are when the lessons of a round are learned, once for each number."""
POINTS, WINS = "points", "wins"
NAME, BEFORE = "learned", "before"


class LearningError(FcdlError):
    """There is nothing to learn."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a policy is learned: rounds, decisions in the first one and in the others, playouts of each move."""

    rounds: int = 8
    first: int = 100_000
    decisions: int = 40_000
    playouts: int = 8
    hidden: int = 64
    seed: str = "0"


@dataclass(frozen=True, slots=True)
class Progress:
    """After a round: the policy, what its network does not explain of new games, and how it did against the one before
    (the first round against random moves): wins with ties as halves, and points ahead.
    """

    round: int
    file: PolicyFile
    unexplained: float
    wins: float
    ahead: float


def aim_of(game: Game) -> tuple[Aim, str]:
    """What playouts go for, and its unit: points, to the end of the hand if anybody scores in it; or the win."""
    if not scores_only_at_the_end(game.flowchart):
        return Aim("hand", "score"), POINTS
    played = NativeEngine(game).play_games(100, 1).scores
    results = {tuple(sorted(row)) for row in played.tolist()}
    return (Aim("game", "win"), WINS) if len(results) == 1 and game.players > 1 else (Aim("game", "score"), POINTS)


def learn(
    game: Game,
    plan: Plan,
    *,
    pieces: Pieces | None = None,
    minutes: float | None = None,
    made: Mapping[str, Any] | None = None,
    start: PolicyFile | None = None,
    tell: Callable[[int, float], None] = lambda number, part: None,
) -> Iterator[Progress]:
    """Learns round after round until the minutes are over. `tell` hears the round and its part.

    `pieces` does the pieces of a work with these numbers, in order (default: here); what it cannot do is no bytes.
    """
    deadline = time.monotonic() + 60 * minutes if minutes is not None else float("inf")
    aim, unit = aim_of(game)
    policy = start.policy(game) if start is not None else None
    view, weights = (start.view, start.weights) if start is not None else beginning(game, plan.hidden, plan.seed)
    for number in range(plan.rounds):
        if time.monotonic() > deadline:
            return
        work = Collecting(game, view, weights, policy.temperature if policy is not None else 0.0, aim, plan, number)
        wanted = plan.first if policy is None else plan.decisions
        lessons, held_out = Lessons(), Lessons()
        count = max(2, wanted // PIECE)
        for index, piece in (pieces or _here)(work, range(count)):
            if not isinstance(piece, bytes):
                continue
            (held_out if index % 10 == 9 else lessons).take(piece)
            tell(number, 0.8 * (index + 1) / count)
            if minutes is not None and time.monotonic() > deadline and index > count // 10:
                break
        if not lessons.gains:
            raise LearningError(f"there is never more than one legal move in {game.flowchart.title}")
        weights, spread, unexplained = _taught(view, weights, lessons, held_out, policy is None, number)
        before, policy = policy, NetworkPolicy(game, view, weights, float(f"{COOLNESS * spread:.3g}"))
        wins, ahead = compared(game, policy, before)
        story = dict(made or {}) | {"rounds": number + 1, "playouts": plan.playouts, "seed": plan.seed}
        file = PolicyFile(game.flowchart.hash, game.players, view, weights, policy.temperature, unit, story)
        tell(number, 1.0)
        yield Progress(number, file, unexplained, wins, ahead)


def beginning(game: Game, hidden: int, seed: str) -> tuple[View, Weights]:
    """What a network for a game sees, and its weights before anything was learned; raises LearningError."""
    number = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:6], "big")
    view = view_of(NativeEngine(game), number)
    if not view.answers:
        raise LearningError(f"nobody decides anything in {game.flowchart.title}")
    return view, rounded(Weights.start(view, hidden, number))


SMALL = Plan(rounds=2, first=4000, decisions=1600, playouts=4, hidden=32)
SECONDS = 4.0
"""What may be spent on a game for which nothing was learned before."""


def learned_for(game: Game) -> NetworkPolicy:
    """What can be learned of a game in a few seconds, learned once; where nothing can, any move is as good."""
    key = game_key(game)
    with _ONE_AT_A_TIME:
        if key not in _FOUND:
            found = None
            try:
                for progress in learn(game, SMALL, minutes=SECONDS / 60):
                    found = progress.file
            except Exception:  # a fault of ours must not end somebody's game
                found = None
            if found is None:
                view = view_of(NativeEngine(game))
                found = PolicyFile(game.flowchart.hash, game.players, view, Weights.start(view, 32, 0), 1.0, POINTS, {})
            _FOUND[key] = found
        return _FOUND[key].policy(game)


_FOUND: dict[tuple[object, ...], PolicyFile] = {}
_ONE_AT_A_TIME = threading.Lock()


def _taught(
    view: View, weights: Weights, lessons: Lessons, held_out: Lessons, is_first: bool, number: int
) -> tuple[Weights, float, float]:
    """The weights after a round, the spread of what moves gained, and what is not explained of other games."""
    data = lessons.joined()
    spread = float(np.std(data.gains)) or 1.0
    trainer = Trainer(view, weights, spread, seed=number)
    for rate in FIRST_RATES if is_first else RATES:
        trainer.epoch(data, rate)
    unexplained = trainer.unexplained(held_out.joined()) if held_out.gains else float("nan")
    return rounded(trainer.weights()), spread, unexplained


def compared(game: Game, policy: NetworkPolicy, other: NetworkPolicy | None) -> tuple[float, float]:
    """How a policy does against another one (None: random moves), alternating seats: wins, and points ahead."""
    rivals = [] if other is None else [replace(other, name=BEFORE)]
    engine = NativeEngine(game, policies=[replace(policy, name=NAME), *rivals])
    sides = game.sides
    if len(sides) < 2:
        scores = engine.play_games(MATCHES, 1, policies=NAME).scores - engine.play_games(MATCHES, 1).scores
        return float((scores > 0).mean() + 0.5 * (scores == 0).mean()), float(scores.mean())
    wins, ahead = [], []
    for turn in range(2):
        own = {seat for number, side in enumerate(sides) for seat in side if number % 2 == turn}
        names = [NAME if seat in own else (BEFORE if rivals else None) for seat in range(game.players)]
        scores = engine.play_games(MATCHES // 2, 1, policies=names).scores.astype(float)
        mine = scores[:, sorted(own)].mean(1) - np.delete(scores, sorted(own), 1).mean(1)
        mine = -mine if game.flowchart.lowest_wins else mine
        wins.append(float((mine > 0).mean() + 0.5 * (mine == 0).mean()))
        ahead.append(float(mine.mean()))
    return sum(wins) / 2, sum(ahead) / 2


@dataclass(frozen=True, eq=False)
class Collecting:
    """The work of a round: lessons, in pieces of so many decisions."""

    game: Game
    view: View
    weights: Weights
    temperature: float
    """0: moves are random."""
    aim: Aim
    plan: Plan
    round: int

    @cached_property
    def key(self) -> str:
        """By all that the lessons depend on."""
        digest = hashlib.sha256(repr((self.view, self.temperature, self.aim, self.plan, self.round)).encode())
        for array in self.weights.arrays():
            digest.update(array.tobytes())
        return f"lessons {self.round} {digest.hexdigest()[:20]}"

    def worker(self) -> Callable[[int], bytes]:
        """Plays and tries moves."""
        return _Collector(self).piece

    def to_json(self, piece: Any) -> Any:
        """As text."""
        return {"lessons": base64.b64encode(piece).decode()}

    def from_json(self, value: Any) -> Any:
        """From text."""
        return base64.b64decode(value["lessons"], validate=True)


Pieces = Callable[[Collecting, range], Iterable[tuple[int, object]]]
"""Does the pieces of a work with these numbers, in order, each with its number: `Run.pieces`."""


def _here(work: Collecting, indexes: range) -> Iterator[tuple[int, object]]:
    worker = work.worker()
    return ((index, worker(index)) for index in indexes)


class _Collector:
    def __init__(self, work: Collecting) -> None:
        policy = NetworkPolicy(work.game, work.view, work.weights, work.temperature or 1.0)
        self.work = work
        self.engine = NativeEngine(work.game, policies=[policy])
        self.network = policy.network(self.engine.program)
        self.simulation = NAME if work.temperature else None

    def piece(self, number: int) -> bytes:
        """Lessons from some games."""
        rng = random.Random(f"{self.work.plan.seed}/{self.work.round}/{number}")
        states, gains = list[bytes](), list[Floats]()
        for _ in range(PIECE):
            for state, seat, legal in self._decisions(rng):
                found = self._tried(state, seat, legal, rng)
                if found is not None:
                    states.append(state)
                    gains.append(found)
            if len(states) >= PIECE:
                break
        lessons = Lessons()
        if states:
            lessons.add(self.network, states, gains)
        return lessons.packed()

    def _decisions(self, rng: random.Random) -> list[tuple[bytes, int, Sequence[int]]]:
        """Some decisions of a game."""
        state, seats = self.engine.new_game(rng.getrandbits(63)), self.engine.by_seat(self.simulation)
        exploring = EXPLORING[rng.randrange(len(EXPLORING))]
        found: dict[int, list[tuple[bytes, int, Sequence[int]]]] = {}
        seen: dict[int, int] = {}
        for _ in range(LONGEST):
            if state.is_over:
                break
            legal, node = state.legal_ids(), state.node
            if len(legal) > 1:
                _sample(found.setdefault(node, []), seen, node, (state, legal), rng)
            if rng.random() < exploring:
                state.apply_id(legal[rng.randrange(len(legal))])
            else:
                state.play_out(seats, 1)
        return [decision for decisions in found.values() for decision in decisions]

    def _tried(self, position: bytes, seat: int, legal: Sequence[int], rng: random.Random) -> Floats | None:
        """What each of the moves gains over their mean; None where that is not known."""
        search = Search(
            self.engine,
            [position],
            np.ones(1),
            seat,
            aim=self.work.aim,
            simulation=self.simulation,
            seed=rng.getrandbits(63),
        )
        values = {tally.number: tally.value for tally in search.flat(Budget(self.work.plan.playouts)).moves}
        if not all(number in values for number in legal):
            return None
        found: Floats = np.array([values[number] for number in legal], np.float32)
        found -= found.mean()
        return found


def _sample(
    kept: list[tuple[bytes, int, Sequence[int]]],
    seen: dict[int, int],
    node: int,
    decision: tuple[_engine.NativeState, Sequence[int]],
    rng: random.Random,
) -> None:
    """Keeps some of the decisions at a node, each with the same chance."""
    state, legal = decision
    seen[node] = seen.get(node, 0) + 1
    place = len(kept) if len(kept) < FROM_A_GAME else rng.randrange(seen[node])
    if place < FROM_A_GAME:
        kept[place : place + 1] = [(state.dump(), state.mover, legal)]
