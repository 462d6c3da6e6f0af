"""The ASP engine in a process of its own, with limits: grounding cannot be interrupted, and charts come from anybody.

Parent and child talk in lines of JSON: the child loads the chart from its text, keeps the states, and asks back when
the game needs chance. A child that uses too much memory or time is ended, and the game with it, by AspLimitError.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import selectors
import signal
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from fcdl.errors import FcdlError
from fcdl.model import Chance, Event, Game, IllegalMoveError, Move, Observation, Outcome, Reason, State
from fcdl.model.engine import own_state
from fcdl.model.events import observation

MEMORY_MB = 2048
"""Address space of the child; Python, numpy and clingo take some 400 MB of it."""
SECONDS = 30.0
"""Time for one move, chance included."""


class AspLimitError(FcdlError):
    """A chart that needs more memory or time than it may have."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class SandboxState:
    """A position in the child process, and what the parent knows of it."""

    key: int
    node: int
    mover: int | None
    legal: tuple[Move, ...]
    outcome: Outcome | None
    events: tuple[Event, ...] = field(repr=False)
    before: SandboxState | None = field(repr=False)


class SandboxEngine:
    """The ASP engine for charts that are not our own."""

    def __init__(self, game: Game, *, memory_mb: int = MEMORY_MB, seconds: float = SECONDS) -> None:
        self._game = game
        self._memory_mb = memory_mb
        self._seconds = seconds
        self._child: subprocess.Popen[str] | None = None
        self._forgotten: list[int] = []
        self._said: IO[bytes]

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._game

    def start(self, chance: Chance) -> SandboxState:
        """From the start to the first decision (or the end); raises AspLimitError."""
        return self._state(self._ask({"do": "start"}, chance), None)

    def apply(self, state: State, move: Move, chance: Chance) -> SandboxState:
        """On to the next decision (or the end); raises IllegalMoveError and AspLimitError."""
        state = own_state(state, SandboxState)
        return self._state(self._ask({"do": "apply", "state": state.key, "move": str(move)}, chance), state)

    def mover(self, state: State) -> int | None:
        """The seat that decides; None when the game is over."""
        state = own_state(state, SandboxState)
        return state.mover

    def legal(self, state: State) -> tuple[Move, ...]:
        """All legal moves: cards in deck order then pass, values in the order the chart offers them."""
        state = own_state(state, SandboxState)
        return state.legal

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended; None while it goes on."""
        state = own_state(state, SandboxState)
        return state.outcome

    def events(self, state: State) -> tuple[Event, ...]:
        """Everything that happened so far."""
        state = own_state(state, SandboxState)
        chain = [state]
        while chain[-1].before is not None:
            chain.append(chain[-1].before)
        return tuple(event for one in reversed(chain) for event in one.events)

    def latest(self, state: State) -> tuple[Event, ...]:
        """What happened since the decision before."""
        state = own_state(state, SandboxState)
        return state.events

    def observe(self, state: State, seat: int) -> Observation:
        """What one seat has seen so far."""
        return observation(self.events(state), seat)

    def close(self) -> None:
        """Ends the child."""
        if self._child is not None:
            _end(self._child, self._said)
            self._child = None

    def _state(self, answer: dict[str, Any], before: SandboxState | None) -> SandboxState:
        over = answer["over"]
        outcome = None if over is None else Outcome(tuple(over["scores"]), Reason(over["reason"]), over["node"])
        legal = tuple(Move.parse(text) for text in answer["legal"])
        events = tuple(_event(fields) for fields in answer["events"])
        state = SandboxState(answer["state"], answer["node"], answer["mover"], legal, outcome, events, before)
        weakref.finalize(state, self._forgotten.append, state.key)
        return state

    def _ask(self, request: dict[str, Any], chance: Chance) -> dict[str, Any]:
        child = self._child or self._launch()
        request["forget"], self._forgotten[:] = self._forgotten[:], []
        try:
            _send(child.stdin, request)
            while True:
                answer = self._receive(child)
                if "shuffle" in answer:
                    _send(child.stdin, {"answer": chance.shuffle(answer["shuffle"])})
                elif "number" in answer:
                    _send(child.stdin, {"answer": chance.number(answer["number"])})
                elif "illegal" in answer:
                    raise IllegalMoveError(answer["illegal"])
                elif "memory" in answer:
                    raise self._limit("memory")
                else:
                    return answer
        except (BrokenPipeError, EOFError, json.JSONDecodeError):
            raise self._failure() from None
        except TimeoutError:
            raise self._limit("time") from None

    def _launch(self) -> subprocess.Popen[str]:
        from fcdl.language.text import format_document

        # -P: nothing is imported from the current folder, which may hold anybody's files; only from where we are.
        command = [sys.executable, "-P", "-m", "fcdl.engines.asp.sandbox"]
        given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        paths = [str(Path(__file__).parents[3]), *(path for path in given if Path(path).is_absolute())]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        pipe = subprocess.PIPE
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the child
        child = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=self._said, text=True, env=environment)
        weakref.finalize(self, _end, child, self._said)
        game = self._game
        setup = {
            "chart": format_document(game.flowchart.document),
            "name": game.name,
            "players": game.players,
            "options": {name: game.option_text(name) for name in game.options},
            "memory_mb": self._memory_mb,
            "seconds": self._seconds,
        }
        _send(child.stdin, setup)
        self._child = child
        return child

    def _receive(self, child: subprocess.Popen[str]) -> dict[str, Any]:
        assert child.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(child.stdout, selectors.EVENT_READ)
            if not selector.select(self._seconds):
                raise TimeoutError
        line = child.stdout.readline()
        if not line:
            raise EOFError
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _failure(self) -> FcdlError:
        """Why the child has gone: killed for its time, out of memory, or something that should not happen."""
        assert self._child is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(timeout=5)
        code = self._child.poll()
        self._said.seek(0)
        words = self._said.read().decode(errors="replace").strip().splitlines()
        if code in (-signal.SIGXCPU, -signal.SIGKILL):
            return self._limit("time")
        out_of_memory = any("alloc" in line or "Memory" in line for line in words[-3:])
        if out_of_memory or code in (-signal.SIGABRT, -signal.SIGSEGV):
            return self._limit("memory")
        self.close()
        return FcdlError(f"the process of the ASP engine failed: {words[-1] if words else f'exit code {code}'}")

    def _limit(self, what: str) -> AspLimitError:
        self.close()
        game = f"{self._game.flowchart.title} ({self._game.name})"
        if what == "time":
            return AspLimitError(f"{game}: the ASP engine gave up, one move took more than {self._seconds:g} s")
        return AspLimitError(f"{game}: the ASP engine gave up, it needed more than {self._memory_mb} MB of memory")


def _send(stream: IO[str] | None, message: dict[str, Any]) -> None:
    assert stream is not None
    stream.write(json.dumps(message) + "\n")
    stream.flush()


def _end(child: subprocess.Popen[str], said: IO[bytes]) -> None:
    child.kill()
    said.close()
    for stream in (child.stdin, child.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
    child.wait()


def _event(fields: dict[str, Any]) -> Event:
    cards = fields["cards"]
    return Event(**{**fields, "cards": None if cards is None else tuple(cards), "seers": frozenset(fields["seers"])})


# --- the child -----------------------------------------------------------------------------------------------------


class _AskingChance:
    """Chance that asks the parent."""

    def shuffle(self, cards: Sequence[int]) -> list[int]:
        """The parent's order."""
        _send(sys.stdout, {"shuffle": list(cards)})
        return [int(card) for card in json.loads(sys.stdin.readline())["answer"]]

    def number(self, below: int) -> int:
        """The parent's number."""
        _send(sys.stdout, {"number": below})
        return int(json.loads(sys.stdin.readline())["answer"])


def _serve() -> None:
    """The child's life: a game, then requests until the parent has gone."""
    from fcdl.engines.asp.engine import AspEngine, AspState
    from fcdl.language.load import load_text

    setup = json.loads(sys.stdin.readline())
    limit_process(setup["memory_mb"], setup["seconds"])
    flowchart = load_text(setup["chart"], form="fcdl").flowchart
    if flowchart is None:
        raise ValueError("the chart has errors")
    engine = AspEngine(Game.make(flowchart, name=setup["name"], players=setup["players"], options=setup["options"]))
    states: dict[int, AspState] = {}
    known: dict[int, int] = {}
    chance = _AskingChance()
    next_key = 0
    for line in sys.stdin:
        request = json.loads(line)
        for key in request["forget"]:
            states.pop(key, None)
            known.pop(key, None)
        _allow_time(setup["seconds"])
        try:
            if request["do"] == "start":
                state, seen = engine.start(chance), 0
            else:
                before = states[request["state"]]
                state, seen = engine.apply(before, Move.parse(request["move"]), chance), known[request["state"]]
            events = engine.events(state)
        except IllegalMoveError as error:
            _send(sys.stdout, {"illegal": str(error)})
            continue
        except (MemoryError, RuntimeError):
            _send(sys.stdout, {"memory": True})
            return
        states[next_key], known[next_key] = state, len(events)
        outcome = engine.outcome(state)
        over = (
            None if outcome is None else {"scores": outcome.scores, "reason": str(outcome.reason), "node": outcome.node}
        )
        new = [{**asdict(event), "seers": sorted(event.seers)} for event in events[seen:]]
        answer = {
            "state": next_key,
            "node": state.node,
            "mover": engine.mover(state),
            "legal": [str(move) for move in state.legal],
            "over": over,
            "events": new,
        }
        _send(sys.stdout, answer)
        next_key += 1


def limit_process(memory_mb: int, seconds: float) -> None:
    """So much memory and processor time for this process, and no dump of it."""
    size = memory_mb * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _allow_time(seconds)


def _allow_time(seconds: float) -> None:
    """So much more processor time for this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.getrlimit(resource.RLIMIT_CPU)[1]))


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        _serve()
    os._exit(0)
