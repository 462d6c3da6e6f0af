"""The limits of a derivation: so much work, so many seconds; whatever comes first ends it with an OutsideError.

Work is counted, so that the same chart gives the same heuristics on a slow machine; the seconds, of computing and not
of the clock on the wall, are for the person who waits. Both hold for the derivation under way in this context.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from math import inf
from time import thread_time

from fcdl.language.flowchart import Expr
from fcdl.language.loops import OutsideError

TOO_LARGE = "from here a turn can go on in more ways than can be followed in the time"
LESS = "there may be less to follow with a line that says what to want: 'goal more tricks(me)'"
WORK = 200_000
"""What is done for a game unless more is asked for: one to two seconds."""
MAX_SIZE = 4000
"""An expression with more parts than this is not followed any further."""
_LOOK = 256
"""The clock is looked at so often."""


class OutOfTimeError(OutsideError):
    """A derivation that took too long."""


class _Clock:
    def __init__(self, work: int | None, seconds: float | None) -> None:
        self.left = work
        self.end = None if seconds is None else thread_time() + seconds
        self.until_look = _LOOK


_CLOCK: ContextVar[_Clock | None] = ContextVar("clock", default=None)


@contextmanager
def limited(work: int | None, seconds: float | None) -> Iterator[None]:
    """Within this, `tick` raises OutOfTimeError when the work is too much or the time is over."""
    token = _CLOCK.set(_Clock(work, seconds))
    try:
        yield
    finally:
        _CLOCK.reset(token)


def tick(work: int = 1) -> None:
    """Some work is done."""
    clock = _CLOCK.get()
    if clock is None:
        return
    if clock.left is not None:
        clock.left -= work
        if clock.left < 0:
            raise OutOfTimeError(TOO_LARGE, hint=LESS)
    clock.until_look -= work
    if clock.until_look <= 0:
        clock.until_look = _LOOK
        if clock.end is not None and thread_time() > clock.end:
            raise OutOfTimeError(TOO_LARGE, hint=LESS)


def work_left() -> float:
    """How much more work may be done."""
    clock = _CLOCK.get()
    return inf if clock is None or clock.left is None else clock.left


def is_large(expr: Expr) -> bool:
    """Whether an expression has too many parts."""
    return next(islice(expr.walk(), MAX_SIZE, None), None) is not None
