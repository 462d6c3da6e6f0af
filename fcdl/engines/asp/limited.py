"""A piece of work in a forked process with limits of memory and time, for charts that come from anybody."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TypeVar

from fcdl.engines.asp.sandbox import MEMORY_MB, SECONDS, AspLimitError, limit_process
from fcdl.errors import FcdlError
from fcdl.processes import end_with_parent

Result = TypeVar("Result")


def run_limited(work: Callable[[], Result], *, memory_mb: int = MEMORY_MB, seconds: float = SECONDS) -> Result:
    """What the work returns (it must be picklable); raises its FcdlErrors, and AspLimitError if it needs too much."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_work, args=(work, there, memory_mb, seconds))
    child.start()
    there.close()
    try:
        if not here.poll(seconds):
            raise AspLimitError(f"the ASP engine gave up after {seconds:g} s")
        good, value = here.recv()
    except EOFError:
        raise AspLimitError(f"the ASP engine gave up, it needed more than {memory_mb} MB of memory") from None
    finally:
        child.kill()
        child.join()
        here.close()
    if not good:
        raise value
    result: Result = value
    return result


def _work(work: Callable[[], Result], answer: Connection, memory_mb: int, seconds: float) -> None:
    end_with_parent()
    limit_process(memory_mb, seconds)
    try:
        answer.send((True, work()))
    except FcdlError as error:
        answer.send((False, error))
    except MemoryError:
        return  # the parent sees that nothing came
