"""Where work is done: in this process, in several, or on a cluster. Nothing else depends on it.

A `Work` has pieces with numbers, such as the games of a `Setup`. Piece `n` is the same wherever and whenever it is
done, so the results are the same for any number of processes. A batch is a range of pieces; one whose process was lost
is simply done again.
"""

from __future__ import annotations

import hashlib
import itertools
import multiprocessing
import pickle
import signal
import threading
import time
import zlib
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

from fcdl import __version__
from fcdl.agents import Agent, AgentError, make_agent
from fcdl.arena.play import BrokenGameError, Played, play, sees_all
from fcdl.engines import make_engine
from fcdl.errors import FcdlError
from fcdl.model.record import Record
from fcdl.processes import end_with_parent

if TYPE_CHECKING:
    from fcdl.arena.simulate import Setup
    from fcdl.model.game import Game

BATCH_SECONDS = 0.5
"""How long a batch should take: what a kill costs at most, and many times what it costs to send one."""
LARGEST_BATCH = 4096
TRIES = 2
"""How often a batch may lose its process while it is the only one under way, before it is split or given up."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A game that could not be played: what went wrong, and as much of its record as there is."""

    index: int
    error: str
    record: Record | None = None


Piece = Any
"""What a worker makes of a number, never None; of a `Setup` a Played."""
Worker = Callable[[int], Piece]
Batch = Sequence[Piece | Failure]
"""The pieces of a range, in order."""


class Work(Protocol):
    """Work in pieces with numbers: the games of a `Setup`, or anything else that follows from a number.

    It is pickled to reach other processes, which check that they read the game's chart to the same hash. A worker that
    raises an exception ends the run; one that returns a Failure, or whose process dies more than once, does not.
    """

    @property
    def game(self) -> Game:
        """The game that it is about."""

    @property
    def key(self) -> str:
        """Equal for works whose pieces are the same, in every process: the journal goes by it."""

    def worker(self) -> Worker:
        """What does piece `n`; made once in every process (or thread)."""

    def to_json(self, piece: Piece) -> Any:
        """A piece as it is written in the journal; no object with `error`, which is a Failure."""

    def from_json(self, value: Any) -> Piece:
        """The piece in the journal; may raise KeyError, TypeError or ValueError for what is damaged."""


class Player:
    """Engine and agents of one setup in one thread."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        game = setup.game
        self.engine = make_engine(game, setup.engine)
        # An agent that has several seats in a game is there several times, because agents remember what they saw.
        self.agents: list[list[Agent]] = [
            [make_agent(source, game) for _ in range(max(1, *(seating.count(number) for seating in setup.seatings)))]
            for number, source in enumerate(setup.sources)
        ]
        self.sees_all = [sees_all(agents[0], setup.open_cards) for agents in self.agents]
        if any(self.sees_all) and not hasattr(self.engine, "telling_program"):
            agent = setup.agents[self.sees_all.index(True)]
            raise AgentError(f"agent '{agent}' sees all cards, which is possible on the native engine only")

    def play(self, index: int) -> Played | Failure:
        """Game number `index`, the same in every process."""
        setup = self.setup
        seating = setup.seating(index)
        free = [iter(agents) for agents in self.agents]
        try:
            return play(
                self.engine,
                [next(free[agent]) for agent in seating],
                setup.deal(index),
                f"{setup.seed}/{index}",
                open_cards=setup.open_cards,
                watch=setup.watch,
                names=[setup.agents[agent] for agent in seating],
                recorded=setup.records,
            )
        except BrokenGameError as error:
            return Failure(index, str(error), error.record)


class Executor(AbstractContextManager["Executor"], ABC):
    """Does pieces of the work that it was given last."""

    workers = 1

    @abstractmethod
    def begin(self, work: Work, worker: Worker | None = None) -> None:
        """From now on it is this work; `worker` is one of it that is there already, if any."""

    @abstractmethod
    def play(self, ranges: Iterator[range]) -> Iterator[tuple[int, Piece | Failure]]:
        """The pieces of these ranges, in order, each with its number."""

    def close(self, error: BaseException | None) -> None:
        """Ends what was started; after an error or an interrupt at once."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(error)


class Here(Executor):
    """This process. Pieces come one by one."""

    worker: Worker

    def begin(self, work: Work, worker: Worker | None = None) -> None:
        """It does the work itself."""
        self.worker = worker or work.worker()

    def play(self, ranges: Iterator[range]) -> Iterator[tuple[int, Piece | Failure]]:
        """One after the other."""
        for indexes in ranges:
            yield from ((index, self.worker(index)) for index in indexes)


class _Future(Protocol):
    def result(self) -> Batch: ...


@dataclass(slots=True)
class _Task:
    """A batch under way; without a future it waits until it is the only one."""

    indexes: range
    future: _Future | None
    lost: int = 0
    """How often its process was lost while nothing else was under way, so that it must be the reason."""


class Elsewhere(Executor):
    """Other processes, which can be lost.

    A batch whose process was lost is done again, alone, so that it is clear which one is to blame. One that loses its
    process again is split into its pieces, and a piece that does is given up.
    """

    @abstractmethod
    def submit(self, indexes: range) -> _Future:
        """Starts a batch."""

    @abstractmethod
    def is_loss(self, error: Exception) -> bool:
        """Whether an exception says that a process was lost."""

    def restart(self) -> None:
        """Makes it work again after a loss."""

    def play(self, ranges: Iterator[range]) -> Iterator[tuple[int, Piece | Failure]]:
        """Gives every process something to do and something in reserve."""
        tasks: deque[_Task] = deque()
        while True:
            if all(task.future is not None for task in tasks):
                missing = max(0, 2 * self.workers - len(tasks))
                tasks.extend(_Task(indexes, self.submit(indexes)) for indexes in itertools.islice(ranges, missing))
            if not tasks:
                return
            task = tasks[0]
            if task.future is None:
                task.future = self.submit(task.indexes)
            try:
                games = task.future.result()
            except Exception as error:
                if not self.is_loss(error):
                    raise
                self.restart()
                alone = all(other.future is None for other in itertools.islice(tasks, 1, None))
                task.lost += alone
                for other in tasks:
                    other.future = None
                if task.lost < TRIES:
                    continue
                if len(task.indexes) > 1:
                    tasks.popleft()
                    tasks.extendleft(_Task(range(n, n + 1), None, TRIES - 1) for n in reversed(task.indexes))
                    continue
                games = [Failure(task.indexes[0], "the process that played it died, more than once")]
            tasks.popleft()
            yield from zip(task.indexes, games, strict=True)


class Processes(Elsewhere):
    """Processes of this machine."""

    def __init__(self, jobs: int) -> None:
        self.workers = jobs
        self.pool: ProcessPoolExecutor | None = None

    def begin(self, work: Work, worker: Worker | None = None) -> None:
        """Starts processes with workers of their own."""
        self.close(None)
        self.work, self.pool = work, None
        self.restart()

    def restart(self) -> None:
        """Starts new processes."""
        if self.pool is not None:
            self.pool.shutdown(wait=False)
        self.pool = ProcessPoolExecutor(self.workers, initializer=_start_process, initargs=(self.work,))

    def submit(self, indexes: range) -> _Future:
        """Starts a batch."""
        assert self.pool is not None
        return self.pool.submit(_work_in_process, indexes)

    def is_loss(self, error: Exception) -> bool:
        """The pool says so."""
        return isinstance(error, BrokenProcessPool)

    def close(self, error: BaseException | None) -> None:
        """Ends the processes; after an error or an interrupt at once, whatever they are doing."""
        if self.pool is None:
            return
        if error is not None:
            children = multiprocessing.active_children()
            for process in children:
                process.kill()
            for process in children:
                process.join()
        # A process that was killed may have held a lock of the pool: waiting for the pool could take for ever.
        self.pool.shutdown(wait=error is None, cancel_futures=True)


_worker: Worker | None = None


def _start_process(work: Work) -> None:
    global _worker  # one per process, set once when it starts
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process decides what an interrupt means
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with_parent()
    _worker = work.worker()


def _work_in_process(indexes: range) -> Batch:
    assert _worker is not None
    return [_worker(index) for index in indexes]


# --- a cluster


class ClusterError(FcdlError):
    """A cluster that cannot be used, or a worker on which something else is installed."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """A work as it is sent to a cluster, with what has to be the same there."""

    version: str
    chart: str
    data: bytes

    @classmethod
    def of(cls, work: Work) -> Parcel:
        """Packs a work."""
        return cls(__version__, work.game.flowchart.hash, zlib.compress(pickle.dumps(work)))

    @property
    def key(self) -> str:
        """Equal for equal works."""
        return hashlib.sha256(self.data).hexdigest()

    def open(self) -> Work:
        """Unpacks it on a worker; raises ClusterError if another fcdl or another chart would play there."""
        if self.version != __version__:
            raise ClusterError(f"a worker has fcdl {__version__}, not {self.version}; install the same everywhere")
        work: Work = pickle.loads(zlib.decompress(self.data))
        if work.game.flowchart.hash != self.chart:
            raise ClusterError(f"a worker reads the chart of {work.game.name} differently; install the same fcdl")
        return work


_kept = threading.local()
"""For each thread of a cluster's worker what it needed last, by the key of its parcel."""


def play_parcel(parcel: Parcel, first: int, last: int) -> Batch:
    """Does a batch on a cluster's worker."""
    if getattr(_kept, "key", None) != parcel.key:
        _kept.worker, _kept.key = parcel.open().worker(), parcel.key
    worker: Worker = _kept.worker
    return [worker(index) for index in range(first, last)]


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes that are started now ignore Ctrl-C: this one decides what it means."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class Cluster(Elsewhere):
    """The workers of a Dask scheduler at an address, or `local:N` processes of this machine."""

    def __init__(self, address: str, timeout: float = 10.0) -> None:
        try:
            import dask
            from distributed import Client, LocalCluster
        except ImportError:
            raise ClusterError("--cluster needs Dask: pip install 'fcdl[dist]'") from None
        dask.config.set({"distributed.comm.timeouts.connect": f"{timeout}s"})
        kind, _, number = address.partition(":")
        self.local: Any = None
        if kind == "local":
            if not number.isdigit() or not 1 <= int(number) <= 512:
                raise ClusterError(f"--cluster {address}: expected local:N with a number of processes")
            with _deaf_to_interrupts():
                self.local = LocalCluster(  # type: ignore[no-untyped-call]
                    n_workers=int(number), threads_per_worker=1, dashboard_address=None, silence_logs="CRITICAL"
                )
        try:
            self.client: Any = Client(self.local or address, timeout=timeout, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, TimeoutError, ValueError) as error:
            raise ClusterError(f"no Dask scheduler answers at {address} ({type(error).__name__})") from None
        self.parcel: Any = None

    @property
    def workers(self) -> int:  # type: ignore[override]
        """Threads of all workers now; they may come and go."""
        return max(1, int(sum(self.client.ncores().values())))

    def begin(self, work: Work, worker: Worker | None = None) -> None:
        """Sends nothing yet: every batch carries its work, and a worker opens it once."""
        self.parcel = Parcel.of(work)

    def submit(self, indexes: range) -> _Future:
        """Starts a batch; where a worker dies, the scheduler gives it to another."""
        future: _Future = self.client.submit(
            play_parcel, self.parcel, indexes.start, indexes.stop, pure=False, retries=TRIES
        )
        return future

    def is_loss(self, error: Exception) -> bool:
        """Several workers in a row died with this batch, or it was forgotten."""
        from concurrent.futures import CancelledError

        from distributed.scheduler import KilledWorker

        return isinstance(error, KilledWorker | CancelledError)

    def close(self, error: BaseException | None) -> None:
        """Leaves the cluster; one that was started here is ended."""
        self.client.close(timeout=2)
        if self.local is not None:
            self.local.close(timeout=5)


def executor(jobs: int = 1, cluster: str | None = None) -> Executor:
    """Where work is done; raises ClusterError."""
    if cluster is not None:
        return Cluster(cluster)
    return Processes(jobs) if jobs > 1 else Here()


def batches(indexes: Iterator[range], workers: int) -> Iterator[range]:
    """Cuts ranges into batches: small ones first, then as large as `BATCH_SECONDS` allows by the pieces before.

    It is asked for the next batch when there is room for one, so the pace is that of all workers together.
    """
    size, asked = 1, 0
    began = time.monotonic()
    for whole in indexes:
        first = whole.start
        while first < whole.stop:
            if asked > 4 * workers:
                pace = asked / max(1e-6, time.monotonic() - began)
                size = max(1, min(LARGEST_BATCH, 2 * size, int(pace * BATCH_SECONDS / workers)))
            last = min(whole.stop, first + size, first + max(1, len(whole) // (2 * workers)))
            asked += last - first
            yield range(first, last)
            first = last
