"""Child processes with limits of memory and time, because charts come from anybody; both ends talk in lines of JSON.

The parent's end is `Child`. The child's end is `serve`: it calls one of its functions for each request, and what such
a function returns is the answer, now, or later if it is a `Later`, which one of a few threads works out.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fcdl.errors import FcdlError

MAX_ANSWER = 64_000_000
"""Bytes of one answer."""
THREADS = max(2, os.cpu_count() or 2)

Handler = Callable[..., Any]


class AnswerError(FcdlError):
    """What a child says is wrong with a request; `code` names what the parent can do something about."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class LimitError(FcdlError):
    """A child took too much time or memory, and has been ended."""


class Child:
    """A child process that is started when it is first asked, and again after it was ended."""

    def __init__(self, module: str, *, memory_mb: int) -> None:
        self.module = module
        self.memory_mb = memory_mb
        self.pending: dict[int, asyncio.Future[Any]] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._number = 0
        self._starting = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """The process, if there is one now."""
        return self._process.pid if self._process is not None else None

    async def ask(self, do: str, *, seconds: float, **arguments: Any) -> Any:
        """The answer to a request; raises AnswerError if it says what is wrong, and LimitError."""
        async with self._starting:
            if self._process is None:
                await self._start()
        process = self._process
        if process is None or process.stdin is None:
            raise LimitError("the process of this chart was ended")
        self._number += 1
        number = self._number
        future = self.pending[number] = asyncio.get_running_loop().create_future()
        try:
            process.stdin.write(json.dumps({"id": number, "do": do, **arguments}).encode() + b"\n")
            return await asyncio.wait_for(future, seconds)
        except TimeoutError:
            self.end()
            raise LimitError(f"this chart took more than {seconds:g} seconds") from None
        finally:
            self.pending.pop(number, None)

    def end(self) -> None:
        """Ends the process; whoever waits for it gets a LimitError."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        if self._reader is not None:
            self._reader.cancel()
        self._gone("the process of this chart was ended")

    async def close(self) -> None:
        """Ends the process and waits until it is gone."""
        process = self._process
        self.end()
        if process is not None:
            await process.wait()

    def _gone(self, why: str) -> None:
        self._process = self._reader = None
        pending, self.pending = self.pending, {}
        for future in pending.values():
            if not future.done():
                future.set_exception(LimitError(why))

    async def _start(self) -> None:
        # -P: nothing is imported from the current folder, which may hold anybody's files; only from where we are.
        given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        paths = [str(Path(__file__).parents[2]), *(path for path in given if Path(path).is_absolute())]
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            self.module,
            str(self.memory_mb),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=None if os.environ.get("FCDL_DEBUG") else asyncio.subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            limit=MAX_ANSWER,
        )
        self._reader = asyncio.get_running_loop().create_task(self._read(self._process))

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        with contextlib.suppress(ValueError, ConnectionError):  # a line that is longer than the limit ends it, too
            while line := await process.stdout.readline():
                answer = json.loads(line)
                future = self.pending.get(answer["id"])
                if future is None or future.done():
                    continue
                if "error" in answer:
                    future.set_exception(AnswerError(answer["error"], answer["code"]))
                else:
                    future.set_result(answer["answer"])
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        if process is self._process:
            self._gone(f"this chart needs more than {self.memory_mb} MB of memory, or its process failed")


class Pool:
    """Several children of one kind; a request goes to one that has nothing to do."""

    def __init__(self, module: str, number: int, *, memory_mb: int) -> None:
        self.children = [Child(module, memory_mb=memory_mb) for _ in range(number)]
        self._idle: asyncio.Queue[Child] = asyncio.Queue()
        for child in self.children:
            self._idle.put_nowait(child)

    async def ask(self, do: str, *, seconds: float, **arguments: Any) -> Any:
        """As `Child.ask`; waits for a child that is idle."""
        child = await self._idle.get()
        try:
            return await child.ask(do, seconds=seconds, **arguments)
        finally:
            self._idle.put_nowait(child)

    async def close(self) -> None:
        """Ends all of them."""
        for child in self.children:
            await child.close()


# --- the child's end -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Later:
    """An answer that is still to be found, in a thread, while other requests are answered."""

    work: Callable[[], Any]


def serve(handlers: Mapping[str, Handler]) -> None:
    """The child's life: requests until the parent has gone."""
    _limit(int(sys.argv[1]))
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever prints something does not disturb the parent
    lock = threading.Lock()
    threads = ThreadPoolExecutor(THREADS)

    def send(message: dict[str, Any]) -> None:
        line = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        with lock, contextlib.suppress(BrokenPipeError):
            out.write(line + "\n")
            out.flush()

    def answer(number: int, work: Callable[[], Any]) -> None:
        try:
            found = work()
            if isinstance(found, Later):
                threads.submit(answer, number, found.work)
                return
            message = {"id": number, "answer": found}
        except MemoryError:
            os._exit(3)
        except Exception as error:
            message = {"id": number, **_error(error)}
        send(message)

    for line in sys.stdin:
        request = json.loads(line)
        number, do = request.pop("id"), request.pop("do")
        answer(number, lambda do=do, request=request: handlers[do](**request))  # type: ignore[misc]
    os._exit(0)


def _error(error: Exception) -> dict[str, str]:
    from fcdl.language.diagnostics import ChartError

    if os.environ.get("FCDL_DEBUG"):
        traceback.print_exception(error)
    if isinstance(error, AnswerError):
        return {"error": str(error), "code": error.code}
    if isinstance(error, ChartError):
        return {"error": "the chart has errors", "code": "chart"}
    if isinstance(error, FcdlError):
        return {"error": str(error), "code": ""}
    if isinstance(error, RecursionError):
        return {"error": "the chart is nested too deeply", "code": ""}
    return {"error": f"internal error: {type(error).__name__}: {error}", "code": "internal"}


def _limit(memory_mb: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has none
        return
    size = memory_mb * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError):
        os.nice(5)  # pages stay quick while games are thought about
