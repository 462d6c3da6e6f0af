"""How fast the engines are, alone or beside OpenSpiel.

Every measurement is repeated; with a peer the two sides take turns in one run. What is reported is the median of the
repetitions and their spread (largest minus smallest, as a part of the median). Except with several threads, time is
the processor time of the thread, so that other work on the machine counts as little as possible.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fcdl.engines.native import NativeEngine
from fcdl.language.load import load_flowchart
from fcdl.model import Game, RandomChance

if TYPE_CHECKING:
    from fcdl.arena.bench_search import PeerSearchRate

CHUNK = 0.05
"""Seconds that one measurement should at least take."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A game as it is measured, and OpenSpiel's game that is most like it."""

    players: int | None = None
    options: dict[str, str] = field(default_factory=dict)
    peer: str | None = None
    opening: tuple[int, ...] = ()
    """Actions of OpenSpiel before the deal."""
    same_game: bool = False
    """Whether playouts of the two are of the same length; if not, only moves are compared."""
    one_hand: bool = False
    """Whether the peer's game is one hand of ours."""
    can_search: bool = False
    """Whether OpenSpiel can draw worlds in its game, as its information set MCTS needs."""


SETTINGS = {
    "hearts": Setting(
        options={"target": "0", "passing": "no", "firstTrick": "anything"},
        peer="hearts(pass_cards=False,no_pts_on_first_trick=False,qs_breaks_hearts=False,must_break_hearts=True)",
        opening=(0,),
        same_game=True,
        can_search=True,
    ),
    "oh_hell": Setting(
        players=3,
        options={"firstHand": "10"},
        peer="oh_hell(players=3,num_tricks_fixed=10)",
        same_game=True,
        one_hand=True,
        can_search=True,
    ),
    "crazy_eights": Setting(peer="crazy_eights(players=2)"),
    "skat": Setting(peer="skat"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One figure."""

    game: str
    measure: str
    unit: str
    ours: float
    peer: float | None
    ratio: float | None
    spread: float

    def as_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)


Rate = Callable[[], float]
"""Measures once: things a second."""


ASP_DECISIONS = 40
"""Decisions of the ASP engine that are measured, times the repetitions."""


def bench(name: str, *, engine: str | None = None, peer: bool = False, repetitions: int = 5) -> Iterator[Row]:
    """All measurements of one game, of one engine or of all, as they are made."""
    if engine != "asp":
        executions = (engine,) if engine in ("compiled", "interpreter") else ("interpreter", "compiled")
        yield from bench_native(name, executions, peer=peer, repetitions=repetitions)
    if engine in (None, "asp"):
        yield from bench_asp(name, repetitions=repetitions)


def bench_asp(name: str, *, repetitions: int) -> Iterator[Row]:
    """Processor time of a decision: median, 95th percentile, and whether it grows in the course of a game."""
    from fcdl.engines.asp.bench import measure

    setting = SETTINGS.get(name.removesuffix(".fcdl"), Setting())
    game = Game.make(load_flowchart(name), name=name, players=setting.players, options=setting.options)
    figures = measure(game, ASP_DECISIONS * repetitions)
    for what, key in (
        ("asp, median", "cpu_median_ms"),
        ("asp, 95 %", "cpu_p95_ms"),
        ("asp, first quarter", "first_quarter_ms"),
        ("asp, last quarter", "last_quarter_ms"),
    ):
        yield _single(name, what, "ms/decision", [figures[key]])


def bench_native(name: str, executions: Sequence[str], *, peer: bool, repetitions: int) -> Iterator[Row]:
    """The native engine, beside OpenSpiel if wanted: playouts in each way to run programs, the rest in the last."""
    from fcdl.arena.bench_search import SearchRate, WorldSearch
    from fcdl.engines.native import libraries

    setting = SETTINGS.get(name.removesuffix(".fcdl"), Setting())
    start = time.perf_counter()
    flowchart = load_flowchart(name)
    game = Game.make(flowchart, name=name, players=setting.players, options=setting.options)
    parsed = time.perf_counter() - start
    other = Peer(setting) if peer and setting.peer else None
    yield _single(name, "load", "ms", [1000 * parsed])
    libraries.set_execution("interpreter")
    yield _single(name, "compile", "ms", [1000 * compile_seconds(game) for _ in range(repetitions)])
    if "compiled" in executions and libraries.can_compile() is None:
        yield _single(name, "compile to C code", "s", [library_seconds(game)])
    for execution in executions:
        libraries.set_execution(execution)
        yield from _bench_playouts(name, game, execution, setting, other, repetitions)
    engine = NativeEngine(game)
    yield _single(name, "state", "bytes", [float(engine.program.state_size)])
    yield _single(name, "two threads", "times one", [Playouts(engine).two_threads() for _ in range(repetitions)])
    yield from bench_worlds(name, engine, repetitions)
    searching = other.searching() if other is not None and setting.can_search else None
    yield compared(name, "ismcts", "simulations/s", SearchRate(engine), searching, repetitions)
    one_world = WorldSearch(engine)
    yield _single(name, "alpha-beta", "nodes/s", [one_world.nodes() for _ in range(repetitions)])
    yield _single(name, "ismcts, two threads", "times one", [one_world.two_threads() for _ in range(repetitions)])


def _bench_playouts(
    name: str, game: Game, execution: str, setting: Setting, other: Peer | None, repetitions: int
) -> Iterator[Row]:
    engine = NativeEngine(game)
    if execution == "compiled" and not engine.program.is_compiled:
        return
    playouts = Playouts(engine, one_hand=setting.one_hand)
    rivals = (other.playouts, other.moves, other.driven) if other is not None else (None, None, None)
    same = rivals[0] if setting.same_game else None
    yield compared(name, f"playouts, {execution}", "playouts/s", playouts.games, same, repetitions)
    yield compared(name, f"moves, {execution}", "moves/s", playouts.moves, rivals[1], repetitions)
    yield compared(name, f"whole games, {execution}", "moves/s", playouts.whole_games, None, repetitions)
    driver = Driver(engine)
    for measure, play in (("Python", driver.step), ("two calls", driver.ask_and_apply)):
        yield compared(
            name, f"{measure}, {execution}", "moves/s", partial(driven_from_python, play), rivals[2], repetitions
        )


def bench_worlds(name: str, engine: NativeEngine, repetitions: int) -> Iterator[Row]:
    """Drawing worlds; in Hearts also the thesis's case, beside dealing until a deal fits."""
    from fcdl.arena.bench_worlds import CaseRate, WorldsRate

    yield compared(name, "worlds", "worlds/s", WorldsRate(engine), None, repetitions)
    if name == "hearts":
        exact, rejection = CaseRate(rejecting=False), CaseRate(rejecting=True)
        yield compared(name, "2,352 deals (reject)", "worlds/s", exact, rejection, repetitions)


def _single(game: str, measure: str, unit: str, values: list[float]) -> Row:
    median = statistics.median(values)
    return Row(game, measure, unit, median, None, None, (max(values) - min(values)) / median if median else 0.0)


def compared(game: str, measure: str, unit: str, ours: Rate, peer: Rate | None, repetitions: int) -> Row:
    """A figure beside another; the two take turns."""
    if peer is None:
        return _single(game, measure, unit, [ours() for _ in range(repetitions)])
    pairs = [(ours(), peer()) for _ in range(repetitions)]
    mine, theirs = (statistics.median(values) for values in zip(*pairs, strict=True))
    ratios = [one / two for one, two in pairs]
    ratio = statistics.median(ratios)
    return Row(game, measure, unit, mine, theirs, ratio, (max(ratios) - min(ratios)) / ratio)


def library_seconds(game: Game) -> float:
    """The time of the C compiler for a program."""
    from fcdl.engines.native import libraries

    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        libraries.build_library(NativeEngine(game), Path(folder))
    return time.perf_counter() - start


def compile_seconds(game: Game) -> float:
    """The time from a checked chart to a program that runs."""
    start = time.thread_time()
    NativeEngine(game).program  # noqa: B018 - compiles
    return time.thread_time() - start


class Playouts:
    """Random playouts from the first decision after a deal."""

    def __init__(self, engine: NativeEngine, *, one_hand: bool = False) -> None:
        self.engine = engine
        self.one_hand = one_hand
        self.state = engine.start(RandomChance("bench"))
        self.count = 16
        self.seed = 0
        while self._timed()[0] < CHUNK and self.count < 10_000_000:
            self.count *= 2

    def _timed(self) -> tuple[float, int]:
        self.seed += 1
        start = time.thread_time()
        result = self.engine.playouts(self.state, self.count, self.seed, one_hand=self.one_hand)
        return time.thread_time() - start, result.moves

    def games(self) -> float:
        """Playouts a second."""
        return self.count / self._timed()[0]

    def moves(self) -> float:
        """Moves a second."""
        seconds, moves = self._timed()
        return moves / seconds

    def whole_games(self) -> float:
        """Moves a second in whole games: dealing is part of them."""
        self.seed += 1
        start = time.thread_time()
        result = self.engine.play_games(self.count, self.seed)
        return result.moves / (time.thread_time() - start)

    def two_threads(self) -> float:
        """How many times as fast two threads are as one."""
        seconds = []
        for threads in (1, 2):
            start = time.perf_counter()
            self.engine.playouts(self.state, 4 * self.count, self.seed, threads=threads)
            seconds.append(time.perf_counter() - start)
        return seconds[0] / seconds[1]


def driven_from_python(play: Callable[[int], int]) -> float:
    """Moves a second in games that Python plays to the end, each with its number; `play` returns its moves."""
    moves = games = 0
    start = time.thread_time()
    while time.thread_time() - start < CHUNK:
        moves += play(games)
        games += 1
    return moves / (time.thread_time() - start)


class Driver:
    """Games that Python plays at random on the C engine, in a call of one of these functions for each game.

    Both sides have such functions: Python makes code faster that it has called some times.
    """

    def __init__(self, engine: NativeEngine) -> None:
        self.engine = engine
        self.chance = random.Random(1).random

    def step(self, seed: int) -> int:
        """Makes a move and gets the next legal moves in one call."""
        game, chance = self.engine.new_game(seed), self.chance
        moves = 0
        legal = game.legal_ids()
        while legal:
            legal = game.step_id(legal[int(chance() * len(legal))])
            moves += 1
        return moves

    def ask_and_apply(self, seed: int) -> int:
        """Asks for the legal moves and makes one of them, in two calls, as OpenSpiel's are."""
        game, chance = self.engine.new_game(seed), self.chance
        moves = 0
        while legal := game.legal_ids():
            game.apply_id(legal[int(chance() * len(legal))])
            moves += 1
        return moves


class Peer:
    """The same measurements on OpenSpiel."""

    def __init__(self, setting: Setting) -> None:
        import pyspiel

        self.pyspiel = pyspiel
        self.opening = setting.opening
        self.game = pyspiel.load_game(setting.peer)
        self.rng = random.Random(1)
        self.state = self._dealt()
        while len(self.state.legal_actions()) < 2:
            self.state.apply_action(self.state.legal_actions()[0])
        self.length = statistics.fmean(self._play(self.state.clone()) for _ in range(200))
        self.count = 16
        self.seed = 0
        while self._timed() < CHUNK:
            self.count *= 2

    def _dealt(self) -> Any:
        state = self.game.new_initial_state()
        for action in self.opening:
            state.apply_action(action)
        self._pass_chance(state)
        return state

    def _pass_chance(self, state: Any) -> None:
        while state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(self.rng.choices(actions, weights)[0])

    def _play(self, state: Any) -> int:
        """Plays at random to the end; the number of moves."""
        chance = self.rng.random
        moves = 0
        while legal := state.legal_actions():
            state.apply_action(legal[int(chance() * len(legal))])
            moves += 1
            if state.is_chance_node():
                self._pass_chance(state)
        return moves

    def _timed(self) -> float:
        """The time of native random rollouts, as many as `count`."""
        self.seed += 1
        evaluator = self.pyspiel.RandomRolloutEvaluator(self.count, self.seed)
        bot = self.pyspiel.MCTSBot(self.game, evaluator, 1.0, 1, 1000, False, self.seed, False)
        start = time.thread_time()
        bot.mcts_search(self.state)
        return time.thread_time() - start

    def playouts(self) -> float:
        """Playouts a second."""
        return self.count / self._timed()

    def moves(self) -> float:
        """Moves of players a second in playouts (their mean length is measured apart)."""
        return self.playouts() * self.length

    def searching(self) -> PeerSearchRate:
        """Its information set MCTS."""
        from fcdl.arena.bench_search import PeerSearchRate

        return PeerSearchRate(self.pyspiel, self.state)

    def driven(self) -> float:
        """Moves of players a second when Python makes them."""
        return driven_from_python(lambda _: self._play(self._dealt()))
