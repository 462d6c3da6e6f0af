"""Players that search: flat Monte Carlo, minimax, perfect information Monte Carlo, UCT, and information set MCTS.

All of them search in worlds that the belief sampler draws from what their seat has seen, for any chart. In games with
open cards, and if they are clairvoyant, they search in the true position instead.
"""

from __future__ import annotations

import math
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fcdl.agents.agent import (
    AgentError,
    AgentKind,
    MoveValue,
    Parameter,
    Thought,
    at_random,
    flag,
    one_of,
    policy_name,
    policy_of,
    real,
    tools,
    whole,
)
from fcdl.language.flow import scores_only_at_the_end
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from fcdl.beliefs.sampler import Beliefs
    from fcdl.engines.native import _engine
    from fcdl.engines.native.engine import NativeEngine, State
    from fcdl.engines.native.functions import Function
    from fcdl.engines.native.search import Budget, Search, Searched, Solved
    from fcdl.heuristics.evaluation import Evaluation

AUTO = "auto"
"""A playout goes as far as is needed to see scores."""
SEARCH = "search"
"""The others do what the search finds best for them."""
ITERATIONS_PER_MS = 50
"""About as many as are made in a millisecond of `ismcts`, to know how many worlds are worth drawing."""
ISMCTS_C, UCT_C, PRIOR_C = 0.7, 1.0, 2.0
"""How much trees explore unless it is said: of all worlds, of one world, and by a prior (see docs/learning.md)."""
WITHOUT_POLICY = {"simulation": "random", "prior": "none", "infer": "no"}
"""What a policy can be used for by a search, and the word for doing without."""
WORLDS_SHARE = 0.5
"""The part of a player's time that drawing worlds may take."""


@dataclass(frozen=True, slots=True)
class Common:
    """The parameters that all searching players have."""

    ms: int | None
    horizon: str
    utility: str
    simulation: str | None
    until: int | None
    infer: str | None
    threads: int


@dataclass(frozen=True, slots=True)
class _Opinion:
    """What a search thinks of the moves by number: (value, visits), what it chooses by (more is better), and why."""

    values: Mapping[int, tuple[float, int | None]]
    merit: Mapping[int, float]
    reasons: tuple[str, ...]


class SearchAgent(ABC):
    """A player that searches; what differs is how many worlds it wants and how it searches them."""

    clairvoyant = False
    takes_first = False
    """Whether it makes the first of equal moves, not any of them."""
    prior: str | None = None
    """The policy by which trees try moves; None: all alike."""
    remark = ""
    """What there is to say about the player with every move."""

    def __init__(self, game: Game, common: Common, worlds: int) -> None:
        self.game = game
        self.worlds = worlds
        self.common = common
        self._peeked: bytes | None = None

    @cached_property
    def engine(self) -> NativeEngine:
        """The engine that the worlds are positions of; raises AgentError where there is none for this player."""
        try:
            from fcdl.engines.native.engine import NativeEngine
        except ImportError:
            raise AgentError("players that search need the native engine, which is not available here") from None
        wanted = (self.common.simulation, self.rivals, self.prior, self.common.infer)
        names = dict.fromkeys(name for name in wanted if name is not None)
        policies = tuple(policy_of(name, self.game) for name in names)
        return NativeEngine(self.game, policies=policies, functions=self.functions(), pauses=self.pauses())

    @property
    def rivals(self) -> str | None:
        """The policy by which the others choose in playouts; None: any move."""
        return self.common.simulation

    def functions(self) -> Sequence[Function]:
        """What the engine has to be able to compute."""
        return ()

    def pauses(self) -> frozenset[int]:
        """Nodes where the engine has to be able to stop."""
        return frozenset()

    @cached_property
    def beliefs(self) -> Beliefs:
        """Where worlds come from; keeps what it knows of the game that is played."""
        from fcdl.agents.inference import beliefs_with

        return beliefs_with(self.engine, self.common.infer)

    def peek(self, position: bytes) -> None:
        """The true position of the next choice."""
        self._peeked = position

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        """The best move found."""
        return self.think(observation, legal, rng).move

    def think(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Thought:
        """The best move found, with the values of all; any move, with a note, if something goes wrong."""
        position, self._peeked = self._peeked, None
        if len(legal) == 1:
            return Thought(legal[0], (MoveValue(legal[0], 0.0, 0),), ("It is the only legal move.",))
        try:
            return self._think(observation, legal, rng, position)
        except Exception as error:  # whatever it is, it must not end a game
            return at_random(legal, rng, error)

    def _think(
        self, observation: Observation, legal: Sequence[Move], rng: random.Random, position: bytes | None
    ) -> Thought:
        started = time.perf_counter()
        seed = rng.getrandbits(63)
        positions, weights, note = self._worlds(observation, legal, position, seed)
        state = self.engine.state(positions[0])
        legal = self._in_order(legal, observation, state)
        opinion = self._search(self._question(positions, weights, observation.seat, seed), started)
        merits = {self.engine.move(state, number): merit for number, merit in opinion.merit.items()}
        best = max(merits.get(move, float("-inf")) for move in legal)
        equals = [move for move in legal if merits.get(move, float("-inf")) == best]
        chosen = equals[0] if self.takes_first else rng.choice(equals)
        found = {self.engine.move(state, number): value for number, value in opinion.values.items()}
        worst = min(value for value, _ in found.values())
        values = [MoveValue(move, *found.get(move, (worst, 0))) for move in legal]
        values.sort(key=lambda value: (value.move != chosen, -merits.get(value.move, float("-inf")), -value.value))
        reasons = (*opinion.reasons, *filter(None, (self.remark, note)))
        return Thought(chosen, tuple(values), reasons, note)

    def _worlds(
        self, observation: Observation, legal: Sequence[Move], position: bytes | None, seed: int
    ) -> tuple[Sequence[bytes], npt.NDArray[np.float64], str]:
        """Positions, their weights, and a note where they are not drawn exactly."""
        import numpy as np

        if position is not None:
            return (position,), np.ones(1), ""
        seconds = math.inf if self.common.ms is None else WORLDS_SHARE * self.common.ms / 1000
        worlds = self.beliefs.sample(observation, self.worlds, seed, legal, seconds)
        return worlds.positions, worlds.weights, worlds.note

    def _question(self, positions: Sequence[bytes], weights: npt.NDArray[np.float64], seat: int, seed: int) -> Search:
        from fcdl.engines.native.search import Aim, Search

        simulation = [self.rivals] * self.game.players
        simulation[seat] = self.common.simulation
        return Search(
            self.engine,
            positions,
            weights,
            seat,
            aim=Aim(self.horizon, self.common.utility),
            simulation=simulation,
            until=self.common.until,
            seed=seed,
            threads=self.common.threads,
        )

    @cached_property
    def horizon(self) -> str:
        """How far playouts go: to the end of the hand, or of the game."""
        if self.common.horizon != AUTO:
            return self.common.horizon
        return "game" if scores_only_at_the_end(self.game.flowchart) else "hand"

    def _budget(self, iterations: int, started: float) -> Budget:
        """So many iterations, or what is left of the time since `started`."""
        from fcdl.engines.native.search import UNLIMITED, Budget

        if self.common.ms is None:
            return Budget(iterations)
        return Budget(UNLIMITED, max(0.001, self.common.ms / 1000 - (time.perf_counter() - started)))

    def _in_order(self, legal: Sequence[Move], observation: Observation, state: State) -> Sequence[Move]:
        """The legal moves in the order in which equal ones are preferred, where that counts."""
        return legal

    @abstractmethod
    def _search(self, search: Search, started: float) -> _Opinion:
        """Searches."""


def _arrivals(observation: Observation) -> dict[str, int]:
    """When the cards of the seat's hand came into it, as far as it has seen that."""
    hand = f"hand({observation.seat})"
    return {
        card: number
        for number, event in enumerate(observation.events)
        if event.target == hand
        for card in event.cards or ()
    }


def _mean(moves: Mapping[int, tuple[float, int | None]]) -> str:
    """The best value in words."""
    return f"The best value found is {max(value for value, _ in moves.values()):+.2f}."


def _of_trees(searched: Searched, by_visits: bool, worlds: int) -> _Opinion:
    values: dict[int, tuple[float, int | None]] = {
        tally.number: (tally.value, tally.visits) for tally in searched.moves
    }
    merit = {tally.number: float(tally.visits) if by_visits else tally.value for tally in searched.moves}
    size = f"{_number(searched.iterations, 'iteration')} in {_number(worlds, 'world')}"
    return _Opinion(values, merit, (f"{size}, {_number(searched.nodes, 'node')} in the tree.", _mean(values)))


def _number(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


class MonteCarloAgent(SearchAgent):
    """Plays every move out many times."""

    def __init__(
        self, game: Game, common: Common, *, playouts: int, lookahead: int, passing: str, clairvoyant: bool
    ) -> None:
        super().__init__(game, common, playouts)
        self.playouts = playouts
        self.lookahead = lookahead
        self.passes_at_random = passing == "random"
        self.clairvoyant = clairvoyant

    def think(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Thought:
        """The best move found; cards that are put away in secret may be any."""
        if self.passes_at_random and legal[0].kind == "pick":
            self._peeked = None
            return Thought(rng.choice(legal), (), ("Cards are passed at random.",))
        return super().think(observation, legal, rng)

    def _search(self, search: Search, started: float) -> _Opinion:
        searched = search.flat(self._budget(self.playouts, started), self.lookahead)
        values: dict[int, tuple[float, int | None]] = {
            tally.number: (tally.value, tally.visits) for tally in searched.moves
        }
        ahead = f", {_number(self.lookahead, 'move')} ahead" if self.lookahead else ""
        reason = f"{_number(searched.iterations, 'playout')} for each move in {_number(search.worlds, 'world')}{ahead}."
        return _Opinion(values, {number: value for number, (value, _) in values.items()}, (reason, _mean(values)))


class TreeAgent(SearchAgent):
    """UCT in one world (open cards), or a tree for every sampled world; worlds that are equal have one tree."""

    def __init__(
        self,
        game: Game,
        common: Common,
        *,
        limit: int,
        c: float | None,
        prior: str | None,
        samples: int,
        vote: bool,
        pick: str,
        nodes: int,
    ) -> None:
        super().__init__(game, common, samples)
        self.limit = limit
        self.prior = prior
        self.c = _exploration(c, prior, UCT_C)
        self.vote = vote
        self.by_visits = pick == "visits"
        self.nodes = nodes

    def _search(self, search: Search, started: float) -> _Opinion:
        from fcdl.engines.native.search import summed

        trees = search.trees(self._budget(self.limit, started), c=self.c, nodes=self.nodes, prior=self.prior)
        opinion = _of_trees(summed(trees), self.by_visits, search.worlds)
        if self.vote and len(trees) > 1:
            single = [_of_trees(tree, self.by_visits, 1).merit for tree in trees]
            voters = [merit for merit, equal in zip(single, search.copies.values(), strict=True) for _ in equal]
            return _Opinion(opinion.values, _votes(voters, opinion.merit), opinion.reasons)
        return opinion


def _votes(
    worlds: Sequence[Mapping[int, float]], second: Mapping[int, float], first_only: bool = False
) -> dict[int, float]:
    """In how many worlds each move is the best (equals share the vote, or the first has it), and then the second."""
    votes = dict.fromkeys(second, 0.0)
    for merit in worlds:
        if merit:
            best = [number for number, value in merit.items() if value == max(merit.values())]
            best = best[:1] if first_only else best
            for number in best:
                votes[number] = votes.get(number, 0.0) + 1 / len(best)
    order = {number: place for place, number in enumerate(sorted(second, key=second.__getitem__))}
    return {number: count + 1e-9 * order.get(number, 0) for number, count in votes.items()}


class MinimaxAgent(SearchAgent):
    """Minimax in every world."""

    def __init__(
        self,
        game: Game,
        common: Common,
        *,
        depth: int,
        eval: str,
        playouts: int,
        samples: int,
        vote: bool,
        rivals: str,
        ties: str,
        nodes: int,
        table: int,
        pruning: bool,
    ) -> None:
        super().__init__(game, common, samples)
        self.depth = depth
        self.eval = eval
        self.playouts = playouts if eval == "playout" else 0
        self.vote = vote
        self.max_n = rivals == "maxn" and game.players > 2
        self.preferring = ties == "simulation"
        self.takes_first = ties in ("first", "oldest")
        self.oldest = ties == "oldest"
        self._places: dict[int, int] = {}
        self.nodes = nodes
        self.table = table
        self.pruning = pruning

    @cached_property
    def evaluation(self) -> Function | Evaluation | None:
        """What judges positions, if not their scores or playouts."""
        found: Function | Evaluation | None = None
        if self.eval not in ("score", "playout"):
            found = tools("EVALUATIONS")[self.eval](self.game)
        return found

    def functions(self) -> Sequence[Function]:
        """Those that judge."""
        from fcdl.heuristics.evaluation import Evaluation

        if self.evaluation is None:
            return ()
        return self.evaluation.functions if isinstance(self.evaluation, Evaluation) else (self.evaluation,)

    def pauses(self) -> frozenset[int]:
        """Where heuristics begin to count."""
        from fcdl.heuristics.evaluation import Evaluation

        return self.evaluation.pauses if isinstance(self.evaluation, Evaluation) else frozenset()

    @cached_property
    def judge(self) -> str | _engine.Evaluation | None:
        """What judges positions, as the search takes it."""
        from fcdl.heuristics.evaluation import Evaluation

        if isinstance(self.evaluation, Evaluation):
            return self.evaluation.compiled(self.engine.program, self.engine.function_numbers)
        return None if self.evaluation is None else self.evaluation.name

    def _in_order(self, legal: Sequence[Move], observation: Observation, state: State) -> Sequence[Move]:
        """The cards that came into the hand first are the first if they shall be."""
        if not self.oldest:
            return legal
        came = _arrivals(observation)
        legal = sorted(legal, key=lambda move: came.get(move.what, len(observation.events)))
        numbers = [self.engine.move_id(state, move) for move in legal]
        self._places = {number: place for place, number in enumerate(numbers) if number is not None}
        return legal

    def _search(self, search: Search, started: float) -> _Opinion:
        solved = search.minimax(
            self._budget(self.nodes, started),
            depth=self.depth,
            table_bits=self.table,
            playouts=self.playouts,
            judge=self.judge,
            max_n=self.max_n,
            preferring=self.preferring,
            pruning=self.pruning,
        )
        if self.oldest:
            solved = [replace(one, values=self._sorted(one.values)) for one in solved]
        return _of_worlds(solved, search.weights, self.vote, self.takes_first)

    def _sorted(self, values: dict[int, float]) -> dict[int, float]:
        return dict(sorted(values.items(), key=lambda pair: self._places.get(pair[0], len(self._places))))


def _of_worlds(solved: Sequence[Solved], weights: Sequence[float], vote: bool, first_only: bool) -> _Opinion:
    from fcdl.engines.native.constants import MAX_DEPTH

    sums: dict[int, float] = {}
    shares: dict[int, float] = {}
    counts: dict[int, int] = {}
    for world, weight in zip(solved, weights, strict=True):
        for number, value in world.values.items():
            sums[number] = sums.get(number, 0.0) + weight * value
            shares[number] = shares.get(number, 0.0) + weight
            counts[number] = counts.get(number, 0) + 1
    means = {number: total / shares[number] if shares[number] else 0.0 for number, total in sums.items()}
    values: dict[int, tuple[float, int | None]] = {number: (mean, counts[number]) for number, mean in means.items()}
    depths = [world.depth for world in solved if world.depth]
    exact = sum(depth == MAX_DEPTH for depth in depths)
    shallow = [depth for depth in depths if depth < MAX_DEPTH]
    how = f"{exact} of {_number(len(solved), 'world')} searched to the end"
    if shallow:
        how += f", the others {min(shallow)} to {max(shallow)} moves deep"
    merit = _votes([world.values for world in solved], means, first_only) if vote and len(solved) > 1 else means
    return _Opinion(values, merit, (f"{how}.", _mean(values)))


class PerfectInformationAgent(MinimaxAgent):
    """The same, with its worlds called by that name."""

    def __init__(self, game: Game, common: Common, *, worlds: int, **others: Any) -> None:
        super().__init__(game, common, samples=worlds, **others)


class InformationSetAgent(SearchAgent):
    """Information set MCTS: one tree for all worlds."""

    def __init__(
        self,
        game: Game,
        common: Common,
        *,
        iterations: int,
        c: float | None,
        prior: str | None,
        worlds: int | None,
        observer: str,
        curiosity: float,
        rivals: str,
        pick: str,
        nodes: int,
    ) -> None:
        self._rivals = rivals
        effort = iterations if common.ms is None else ITERATIONS_PER_MS * common.ms
        super().__init__(game, common, worlds or max(20, min(1000, effort // 5)))
        self.iterations = iterations
        self.prior = prior
        self.c = _exploration(c, prior, ISMCTS_C)
        self.multiple = observer == "multiple"
        self.curiosity = curiosity
        self.by_visits = pick == "visits"
        self.nodes = nodes

    @property
    def rivals(self) -> str | None:
        """The policy that the best answer is looked for to, or as in all playouts."""
        if self._rivals == SEARCH:
            return self.common.simulation
        return None if self._rivals == "random" else self._rivals

    def _search(self, search: Search, started: float) -> _Opinion:
        budget = self._budget(self.iterations, started)
        searched = search.tree(
            budget,
            c=self.c,
            multiple=self.multiple,
            nodes=self.nodes,
            curiosity=self.curiosity,
            scripted=self._rivals != SEARCH,
            prior=self.prior,
        )
        return _of_trees(searched, self.by_visits, search.worlds)


def _exploration(c: float | None, prior: str | None, usual: float) -> float:
    """How much a tree explores, where that is not given."""
    if c is not None:
        return c
    return usual if prior is None else PRIOR_C


def maker(kind: Callable[..., SearchAgent]) -> Callable[..., SearchAgent]:
    """How a player of this kind is made of the parameters of its table."""

    def make(game: Game, **parameters: Any) -> SearchAgent:
        policy = parameters.pop("policy", None)
        for use, without in WITHOUT_POLICY.items():
            if use in parameters:
                chosen = parameters[use] or (policy if use != "infer" else None)
                parameters[use] = None if chosen == without else chosen
        common = Common(**{field.name: parameters.pop(field.name) for field in fields(Common)})
        agent = kind(game, common, **parameters)
        agent.engine  # noqa: B018 - made now, so that what is wrong is said before anything is played
        return agent

    return make


def _evaluation(text: str) -> str:
    """Reads how minimax judges positions."""
    return one_of("score", "playout", *tools("EVALUATIONS"))(text)


def _table_bits(text: str) -> int:
    """Reads the size of the table of positions."""
    return 0 if text == "0" else whole(4, 26)(text)


_COMMON = {
    "ms": Parameter(whole(1, 3_600_000), None, "milliseconds per move; replaces the other limit"),
    "horizon": Parameter(
        one_of(AUTO, "hand", "game"),
        AUTO,
        "how far a playout goes: to the end of the hand or of the game; auto: of the hand if anybody scores in it",
    ),
    "utility": Parameter(
        one_of("score", "own", "win", "mixed"),
        "mixed",
        "what it plays for: points ahead of the others, its own points, the win, or points and the win",
    ),
    "simulation": Parameter(
        policy_name(WITHOUT_POLICY["simulation"]),
        None,
        "how playouts choose moves: at random, or the way this player does",
    ),
    "until": Parameter(
        whole(0, 1_000_000),
        None,
        "playouts go on at random after so many moves; default: never, if simulation is given",
    ),
    "infer": Parameter(
        policy_name(WITHOUT_POLICY["infer"]),
        None,
        "what the others' moves say about their cards: nothing (no), or what they say of somebody who plays this way",
    ),
    "threads": Parameter(whole(1, 64), 1, "number of threads; the result is the same"),
}
_NODES = whole(100, 100_000_000)


def _exploring(usual: float) -> Parameter:
    default = f"default: {usual}, with a prior {PRIOR_C}"
    return Parameter(real(0, 100), None, f"how eagerly it tries moves that looked worse so far; {default}")


_TREE = {
    "pick": Parameter(
        one_of("visits", "value"), "visits", "play the move tried most often, or the one with the highest value"
    ),
    "nodes": Parameter(_NODES, 1_000_000, "most nodes in the tree"),
    "prior": Parameter(
        policy_name(WITHOUT_POLICY["prior"]),
        None,
        "which moves the tree tries first, and most: those that this player would make",
    ),
    "policy": Parameter(policy_name(), None, "sets both simulation and prior"),
}
_MINIMAX = {
    "eval": Parameter(_evaluation, "playout", "how to judge a position where the search stops"),
    "playouts": Parameter(whole(1, 10_000), 1, "playouts to judge one position"),
    "rivals": Parameter(
        one_of("paranoid", "maxn"),
        "paranoid",
        "paranoid: all others play against this seat; maxn: everyone plays for themselves",
    ),
    "ties": Parameter(
        one_of("simulation", "random", "first", "oldest"),
        "simulation",
        "which of equal moves to play: what playouts prefer, any, the first, or the card held longest",
    ),
    "table": Parameter(
        _table_bits, 16, "the table of positions has 2 to the power of this many entries (0: there is none)"
    ),
    "pruning": Parameter(flag, True, "leave out moves that cannot change the value (alpha-beta)"),
}

_INFORMATION_SET = (
    {
        "iterations": Parameter(whole(1, 1_000_000_000), 2000, "iterations"),
        "c": _exploring(ISMCTS_C),
        "worlds": Parameter(
            whole(1, 1_000_000), None, "guesses at the hidden cards; default: set by the limit, at most 1000"
        ),
        "curiosity": Parameter(real(0, 1), 1.0, "how often playouts make a random move instead of the best so far"),
        "observer": Parameter(
            one_of("single", "multiple"),
            "multiple",
            "single: all players know every move in the tree; multiple: each knows only what they saw",
        ),
        "rivals": Parameter(
            policy_name(SEARCH, "random"),
            SEARCH,
            "how the others move in the tree: what is best for them (search), or the way this player does",
        ),
    }
    | _TREE
    | _COMMON
)

KINDS: Mapping[str, AgentKind] = {
    "montecarlo": AgentKind(
        maker(MonteCarloAgent),
        "tries each move in many random games from here and plays the best on average",
        {
            "playouts": Parameter(
                whole(1, 10_000_000), 50, "playouts for each move, each with its own guess at the hidden cards"
            ),
            "lookahead": Parameter(whole(0, 10_000), 0, "end a playout after this many own moves (0: at the horizon)"),
            "passing": Parameter(
                one_of("search", "random"), "search", "which cards it passes (or puts away unseen): the best, or any"
            ),
            "clairvoyant": Parameter(flag, False, "cheat: see all cards"),
        }
        | _COMMON
        | {"utility": Parameter(_COMMON["utility"].read, "own", _COMMON["utility"].meaning)},
    ),
    "mcts": AgentKind(
        maker(TreeAgent),
        "guesses the hidden cards many times and searches each guess with random games (MCTS)",
        {
            "limit": Parameter(whole(1, 100_000_000), 800, "iterations in each guess"),
            "c": _exploring(UCT_C),
            "samples": Parameter(whole(1, 100_000), 30, "guesses at the hidden cards"),
            "vote": Parameter(flag, True, "each guess votes for its best move (no: the trees are added up)"),
        }
        | _TREE
        | {"pick": Parameter(one_of("visits", "value"), "value", _TREE["pick"].meaning)}
        | _COMMON,
    ),
    "minimax": AgentKind(
        maker(MinimaxAgent),
        "guesses the hidden cards many times and looks a few moves ahead in each guess (minimax)",
        {
            "depth": Parameter(whole(0, 256), 3, "moves to look ahead (0: to the horizon)"),
            "samples": Parameter(whole(1, 100_000), 30, "guesses at the hidden cards"),
            "vote": Parameter(flag, True, "each guess votes for its best move (no: values are averaged)"),
            "nodes": Parameter(_NODES, 100_000_000, "most positions in each guess; deeper searches are given up"),
        }
        | _MINIMAX
        | _COMMON,
    ),
    "pimc": AgentKind(
        maker(PerfectInformationAgent),
        "guesses the hidden cards, then plays each guess to the end as if all cards were face up",
        {
            "worlds": Parameter(whole(1, 100_000), 20, "guesses at the hidden cards"),
            "depth": Parameter(whole(0, 256), 0, "moves to look ahead (0: as far as nodes allows)"),
            "vote": Parameter(flag, False, "each guess votes for its best move (no: values are averaged)"),
            "nodes": Parameter(_NODES, 20_000, "most positions in each guess"),
        }
        | _MINIMAX
        | _COMMON,
    ),
    "ismcts": AgentKind(
        maker(InformationSetAgent),
        "searches many guesses at the hidden cards together, with random games (information set MCTS)",
        _INFORMATION_SET,
    ),
}
