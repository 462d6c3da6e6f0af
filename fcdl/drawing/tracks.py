"""Tracks: arrows that run along the same channel, put side by side in an order with few crossings.

A *wire* is what one net uses of one channel: a stretch, and the places where it turns off to one side or the other.
Wires whose stretches meet get different tracks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import pairwise

from fcdl.drawing.routing import Way

_MAX_ORDERED = 30
"""Larger bundles of wires are packed, not ordered."""

_COLLISION = 50
"""How many crossings a collision is worth."""

Channel = tuple[bool, int]
"""Whether it is vertical, and its line."""


@dataclass(slots=True, eq=False)
class Turn:
    """Where a wire turns off: a place along its channel, to which side (-1 or 1), and into which wire, if any."""

    place: float
    side: int
    into: Wire | None = None

    @property
    def fine_place(self) -> float:
        """The place, as exactly as the tracks of the other channel say it by now."""
        return self.place if self.into is None else self.place + self.into.shift


@dataclass(slots=True, eq=False)
class Wire:
    """What one net uses of one channel."""

    low: int
    high: int
    net: int
    turns: list[Turn] = field(default_factory=list)
    track: int = 0
    tracks: int = 1

    @property
    def shift(self) -> float:
        """Where in its channel the wire runs, between -0.4 and 0.4."""
        return 0.8 * ((self.track + 1) / (self.tracks + 1) - 0.5)

    def meets(self, other: Wire) -> bool:
        """Whether two wires cannot share a track."""
        return self.low <= other.high and other.low <= self.high

    @property
    def lean(self) -> int:
        """To which side most turns go."""
        return sum(turn.side for turn in self.turns)


@dataclass(frozen=True, slots=True)
class Tracks:
    """For each way the wire of each of its stretches (None along middle lines), and the wires of each channel."""

    wires: list[list[Wire | None]]
    channels: dict[Channel, list[Wire]]

    def count(self, vertical: bool, line: int) -> int:
        """The number of tracks that a channel needs."""
        wires = self.channels.get((vertical, line))
        return wires[0].tracks if wires else 0


def assign_tracks(ways: list[Way]) -> tuple[list[Way], Tracks]:
    """Finds all wires and gives each its track; ways that could only then be seen to collide are put beside."""
    tracks = _wires(ways)
    for vertical in (False, True, False):
        for channel, wires in tracks.channels.items():
            if channel[0] == vertical:
                _assign(wires)
    return _without_collisions(ways, tracks), tracks


def _without_collisions(ways: list[Way], tracks: Tracks) -> list[Way]:
    """Where one arrow comes down into a channel and another goes down from it, the first must turn off first.

    If it does not, the other one enters its node beside the middle.
    """
    coming: dict[tuple[int, int], Wire] = {}
    for way, wires in zip(ways, tracks.wires, strict=True):
        for before, corner, wire in zip(way.points, way.points[1:], wires[1:], strict=False):
            if wire is not None and before[0] == corner[0] and before[1] < corner[1] and corner[0] % 2:
                coming[corner] = wire
    return [_beside(way, wires, coming.get(way.points[-2])) for way, wires in zip(ways, tracks.wires, strict=True)]


def _beside(way: Way, wires: list[Wire | None], above: Wire | None) -> Way:
    """The way, moved beside the middle of its target's top if another one comes down there too far."""
    wire = wires[-2] if len(wires) > 1 else None
    enters_top = way.points[-2][0] == way.points[-1][0] and not way.offset
    if not enters_top or wire is None or above is None or above.net == wire.net or above.track < wire.track:
        return way
    return replace(way, offset=-1 if way.points[-3][0] < way.points[-1][0] else 1)


def _wires(ways: list[Way]) -> Tracks:
    stretches: dict[tuple[bool, int, int], list[tuple[int, int, int, int]]] = defaultdict(list)
    for number, way in enumerate(ways):
        for leg, ((x1, y1), (x2, y2)) in enumerate(pairwise(way.points)):
            line, a, b = (x1, y1, y2) if x1 == x2 else (y1, x1, x2)
            if line % 2 == 0:
                stretches[x1 == x2, line, way.edge.target].append((min(a, b), max(a, b), number, leg))
    wires: list[list[Wire | None]] = [[None] * (len(way.points) - 1) for way in ways]
    channels: dict[Channel, list[Wire]] = defaultdict(list)
    for (vertical, line, net), found in sorted(stretches.items()):
        for low, high, number, leg in sorted(found):
            known = channels[vertical, line]
            if known and known[-1].net == net and known[-1].high >= low:
                known[-1].high = max(known[-1].high, high)
            else:
                known.append(Wire(low, high, net))
            wires[number][leg] = known[-1]
    for way, legs in zip(ways, wires, strict=True):
        _add_turns(way, legs)
    return Tracks(wires, dict(channels))


def _add_turns(way: Way, legs: list[Wire | None]) -> None:
    """Notes at each end of each wire of a way where it turns off."""
    for leg, wire in enumerate(legs):
        if wire is None:
            continue
        vertical = way.points[leg][0] == way.points[leg + 1][0]
        for corner, beyond, other in ((leg, leg - 1, leg - 1), (leg + 1, leg + 2, leg + 1)):
            place = float(way.points[corner][vertical])
            side = 1 if way.points[beyond][not vertical] > way.points[corner][not vertical] else -1
            if way.offset and beyond == len(way.points) - 1:
                place += 0.1 * way.offset
            wire.turns.append(Turn(place, side, legs[other]))


def _assign(wires: list[Wire]) -> None:
    """Tracks for the wires of one channel."""
    needed = 1
    for bundle in _bundles(wires):
        if len(bundle) > _MAX_ORDERED:
            needed = max(needed, _pack(bundle))
        else:
            needed = max(needed, _stack(_ordered(bundle)))
    for wire in wires:
        wire.tracks = needed
    _settle(wires, needed)


def _bundles(wires: list[Wire]) -> Iterator[list[Wire]]:
    """Groups of wires that meet, directly or by way of others."""
    bundle: list[Wire] = []
    high = -1
    for wire in sorted(wires, key=lambda wire: (wire.low, wire.high, wire.net)):
        if bundle and wire.low > high:
            yield bundle
            bundle = []
        bundle.append(wire)
        high = max(high, wire.high)
    yield bundle


def _pack(bundle: list[Wire]) -> int:
    """The fewest tracks, in any order; how many."""
    free: list[int] = []
    busy: list[tuple[int, int]] = []
    needed = 0
    for wire in bundle:
        while busy and busy[0][0] < wire.low:
            heappush(free, heappop(busy)[1])
        if free:
            wire.track = heappop(free)
        else:
            wire.track = needed
            needed += 1
        heappush(busy, (wire.high, wire.track))
    return needed


def _ordered(bundle: list[Wire]) -> list[Wire]:
    """An order, first track first, with few crossings: each wire is moved to its best place until nothing changes."""
    order = sorted(bundle, key=lambda wire: (wire.lean, (wire.high - wire.low) * (1 if wire.lean < 0 else -1)))
    for _ in range(4):
        changed = False
        for wire in bundle:
            changed |= _sift(order, wire)
        if not changed:
            break
    return order


def _sift(order: list[Wire], wire: Wire) -> bool:
    """Moves one wire to the place with the fewest crossings; whether that was another place."""
    old = order.index(wire)
    order.pop(old)
    cost = [0.0]
    for other in order:
        cost.append(cost[-1] + _crossings(other, wire) - _crossings(wire, other))
    best = min(range(len(cost)), key=lambda place: (cost[place], place != old))
    order.insert(best, wire)
    return best != old


def _crossings(first: Wire, second: Wire) -> float:
    """How often two wires cross when the first has the lower track."""
    return _hits(first, second, 1) + _hits(second, first, -1) + _COLLISION * _collides(first, second)


def _collides(first: Wire, second: Wire) -> bool:
    """Whether the first turns up, and the second down, at the same place of a middle line."""
    places = {turn.place for turn in first.turns if turn.side > 0 and turn.into is None}
    return any(turn.side < 0 and turn.into is None and turn.place in places for turn in second.turns)


def _hits(turning: Wire, other: Wire, side: int) -> float:
    """How many turns of one wire to this side hit the other; half a hit at its ends."""
    places = [turn.fine_place for turn in other.turns]
    low, high = min(places), max(places)
    hits = 0.0
    for turn in turning.turns:
        if turn.side == side and low <= turn.fine_place <= high:
            hits += 1 if low < turn.fine_place < high else 0.5
    return hits


def _stack(order: list[Wire]) -> int:
    """The lowest tracks that keep the order; how many."""
    needed = 0
    for i, wire in enumerate(order):
        wire.track = 1 + max((other.track for other in order[:i] if other.meets(wire)), default=-1)
        needed = max(needed, wire.track + 1)
    return needed


def _settle(wires: list[Wire], needed: int) -> None:
    """Moves wires that turn to the high side, and what is above them, up as far as they can go."""
    for bundle in _bundles(wires):
        if len(bundle) > _MAX_ORDERED:
            continue
        placed: list[Wire] = []
        for wire in sorted(bundle, key=lambda wire: -wire.track):
            limit = min((other.track - 1 for other in placed if other.meets(wire)), default=needed - 1)
            if wire.lean > 0:
                wire.track = limit
            elif wire.lean == 0:
                wire.track = max(wire.track, min(limit, needed // 2))
            placed.append(wire)
