"""Work in threads that nobody waits for when the program ends: whoever leaves the table need not see a thought out."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

Result = TypeVar("Result")


def begin(work: Callable[[], Result]) -> Future[Result]:
    """Begins to work; the future has what comes of it."""
    future: Future[Result] = Future()
    future.set_running_or_notify_cancel()  # it cannot be stopped, so it is not cancelled either

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future


async def in_background(work: Callable[[], Result]) -> Result:
    """What comes of a piece of work, while the screen stays alive."""
    return await asyncio.wrap_future(begin(work))
