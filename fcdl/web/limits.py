"""How much a visitor may have of the server; more on one's own machine than on a network."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Numbers that hold for every visitor, or for the whole server."""

    chart_bytes: int = 200_000
    body_bytes: int = 1_000_000
    drafts: int = 200
    versions: int = 200
    tables: int = 50
    """Tables of one visitor that are not finished."""
    croupiers: int = 6
    """Charts of visitors that are played at once, each in its own process."""
    tryouts: int = 6
    """"Try it" panes at once."""
    watchers: int = 60
    """Pages open at one table."""
    sockets: int = 60
    """WebSockets from one address."""
    chat_letters: int = 500
    name_letters: int = 24
    check_seconds: float = 8.0
    move_seconds: float = 15.0
    think_seconds: float = 60.0
    long_seconds: float = 45.0
    """Heuristics, tests, reviews."""
    memory_mb: int = 2048
    """Address space of a child, of which Python and its libraries take some 500 MB."""
    requests: tuple[float, float] = (20.0, 100.0)
    """Requests of one address a second, and how many at once."""
    messages: tuple[float, float] = (20.0, 60.0)
    """The same for the messages of one WebSocket."""
    chats: tuple[float, float] = (0.5, 6.0)
    long_work: tuple[float, float] = (0.1, 5.0)
    """The same for what takes long, for one visitor."""
    passphrases: tuple[float, float] = (0.1, 5.0)
    days: float = 90.0
    """So long a table is kept after its last move."""


LOCAL = Limits(
    tables=1000, sockets=10_000, watchers=1000, requests=(500.0, 2000.0), messages=(200.0, 500.0), days=3650.0
)
"""For 127.0.0.1: there is only oneself."""
NETWORK = Limits()


class Bucket:
    """Lets so many things happen in a second, and some more at once."""

    __slots__ = ("_at", "_left", "burst", "rate")

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._left = burst
        self._at = time.monotonic()

    def take(self) -> bool:
        """Whether one more may happen now."""
        now = time.monotonic()
        self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """One bucket for each key; those that were not used for longest are forgotten."""

    def __init__(self, rate: tuple[float, float], most: int = 10_000) -> None:
        self._rate = rate
        self._most = most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, key: str) -> bool:
        """Whether one more may happen for this key."""
        bucket = self._buckets.pop(key, None) or Bucket(*self._rate)
        self._buckets[key] = bucket
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket.take()
