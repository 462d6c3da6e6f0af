"""Ways for the arrows of a placed chart, on a grid of lines between and through its rows and columns.

Lines are numbered: odd ones run through the middle of a column or row, even ones through the channels between them
(line 0 is left of, or above, everything). A node in row r and column c stands where the lines 2c+1 and 2r+1 cross.
A channel holds any number of arrows side by side; a middle line holds one arrow at a time, where no node stands.

All arrows to the same node form a net and may run together. An arrow leaves a node at the bottom (`no`: on the right)
and enters at the top or at a side. The router tries a few shapes for each arrow and takes the cheapest that is free;
entering from the channel above beside the middle of the top (a way with `offset`) is always free.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from math import ceil, inf

from fcdl.drawing.placement import Edge, Placement, Structure

Point = tuple[int, int]

_BORDER = 0.5
_BEND_ROOM = 0.1
"""Arrows that bend in a channel above or below a node leave this much of the way to the channel's middle free.

So one arrow may come down from a node and another go down to the node under it; their tracks keep them apart.
"""
_BEND = 3.0
_CROSSING = 7.0
_ACROSS = 2.5
"""What a step to the side costs; a step up or down costs 1."""
_OFFSET = 8.0
_MAX_COUNTED = 60
"""Of long stretches and crowded lines only this many others are looked at, so that routing stays near-linear."""
_BUCKET = 32
_MAX_CHANNELS_TRIED = 8


@dataclass(frozen=True, slots=True, order=True)
class Way:
    """The way of one arrow: points on grid lines, from the middle of its source to the middle of its target.

    With `offset` -1 or 1 the last stretch runs down to the top of the target, left or right of its middle.
    """

    edge: Edge
    points: tuple[Point, ...]
    offset: int = 0


@dataclass(slots=True)
class _Line:
    """What runs along a middle line: stretches of different nets never touch."""

    starts: list[float] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)
    nets: list[int] = field(default_factory=list)

    def is_free(self, low: float, high: float, net: int) -> bool:
        at = bisect_right(self.starts, high) - 1
        while at >= 0 and self.ends[at] >= low:
            if self.nets[at] != net:
                return False
            at -= 1
        return True

    def take(self, low: float, high: float, net: int) -> None:
        last = bisect_right(self.starts, high)
        first = bisect_left(self.ends, low)
        if first < last:
            low, high = min(low, self.starts[first]), max(high, self.ends[last - 1])
        self.starts[first:last] = [low]
        self.ends[first:last] = [high]
        self.nets[first:last] = [net]


class _Stretches:
    """All stretches in one direction, by their lines and roughly by their places, to count what crosses them."""

    def __init__(self) -> None:
        self.buckets: dict[tuple[int, int], list[tuple[float, float, int]]] = defaultdict(list)

    def add(self, line: int, low: float, high: float, net: int) -> None:
        for bucket in range(int(low) // _BUCKET, int(high) // _BUCKET + 1):
            self.buckets[line, bucket].append((low, high, net))

    def crossings(self, place: int, low: float, high: float, net: int) -> int:
        """How many stretches of other nets a perpendicular one at this place, over these lines, crosses."""
        lines: Iterable[int] = range(int(low) + 1, ceil(high))
        if high - low > _MAX_COUNTED:
            half = _MAX_COUNTED // 2
            lines = chain(range(int(low) + 1, int(low) + half), range(ceil(high) - half, ceil(high)))
        found = 0
        for line in lines:
            for other_low, other_high, other in self.buckets.get((line, place // _BUCKET), ())[:_MAX_COUNTED]:
                found += other != net and other_low < place < other_high
        return found


Segment = tuple[int, float, float]
"""A grid line and the stretch that is used of it."""


class _Router:
    def __init__(self, structure: Structure, placement: Placement, choices: Sequence[bool]) -> None:
        self.choices = choices
        self.at = [(2 * c + 1, 2 * r + 1) for r, c in zip(placement.rows, placement.columns, strict=True)]
        self.right = 2 * max(placement.columns, default=0) + 2
        self.nodes_down: dict[int, list[int]] = defaultdict(list)
        self.nodes_across: dict[int, list[int]] = defaultdict(list)
        for x, y in sorted(self.at):
            self.nodes_down[x].append(y)
        for x, y in sorted(self.at):
            self.nodes_across[y].append(x)
        self.down: dict[int, _Line] = defaultdict(_Line)
        self.across: dict[int, _Line] = defaultdict(_Line)
        self.verticals = _Stretches()
        self.horizontals = _Stretches()
        for edge in structure.edges:
            x, y = self.at[edge.source]
            if edge.arrow == "no":
                self.across[y].take(x + _BORDER, x + 1, edge.target)
            else:
                self.down[x].take(y + _BORDER, y + 1 - _BEND_ROOM, edge.target)

    def route(self, edge: Edge) -> Way:
        """Takes the cheapest free way; crossings are only counted for ways that would be the best without any."""
        best, best_cost = None, inf
        for cost, way in sorted((_plain_cost(way), way) for way in self.candidates(edge)):
            if cost >= best_cost:
                break
            if self.is_free(way):
                cost += _CROSSING * self.crossings(way)
                if cost < best_cost:
                    best, best_cost = way, cost
        assert best is not None, "a way that enters beside the middle is always free"
        self.take(best)
        return best

    def alternatives(self, edge: Edge) -> list[Way]:
        """All free ways, the cheapest first."""
        ways = {way for way in self.candidates(edge) if self.is_free(way)}
        return sorted(ways, key=lambda way: (_plain_cost(way) + _CROSSING * self.crossings(way), way))

    def candidates(self, edge: Edge) -> Iterator[Way]:
        start, goal = self.at[edge.source], self.at[edge.target]
        channels = self.channels(start[0], goal[0])
        shapes = _from_right(start, goal, channels) if edge.arrow == "no" else _from_bottom(start, goal, channels)
        for points in shapes:
            tidy = _tidy(points)
            if not _leaves_well(tidy, edge):
                continue
            if tidy[-2][0] == goal[0]:
                if tidy[-2][1] < goal[1]:
                    yield Way(edge, tidy)
                    if tidy[-2][1] == goal[1] - 1:
                        yield Way(edge, tidy, -1 if tidy[-3][0] < goal[0] else 1)
            elif tidy[-2][0] < goal[0] or not self.choices[edge.target]:
                yield Way(edge, tidy)

    def channels(self, start: int, goal: int) -> list[int]:
        """The channels that an arrow between these columns might run along."""
        low, high = min(start, goal), max(start, goal)
        near = range(max(0, low - 3), min(self.right, high + 3) + 1, 2)
        if len(near) <= _MAX_CHANNELS_TRIED:
            return sorted({*near, 0, self.right})
        return sorted({0, low - 1, low + 1, high - 1, high + 1, self.right})

    def is_free(self, way: Way) -> bool:
        verticals, horizontals = _segments(way)
        net = way.edge.target
        bends = way.points[1:-1]
        if any(x % 2 and y % 2 and _between(self.nodes_down[x], y - 1, y + 1) for x, y in bends):
            return False
        return all(
            x % 2 == 0 or (not _between(self.nodes_down[x], low, high) and self.down[x].is_free(low, high, net))
            for x, low, high in verticals
        ) and all(
            y % 2 == 0 or (not _between(self.nodes_across[y], low, high) and self.across[y].is_free(low, high, net))
            for y, low, high in horizontals
        )

    def crossings(self, way: Way) -> int:
        """How many arrows to other nodes a way crosses."""
        verticals, horizontals = _segments(way)
        net = way.edge.target
        return sum(self.horizontals.crossings(*segment, net) for segment in verticals) + sum(
            self.verticals.crossings(*segment, net) for segment in horizontals
        )

    def take(self, way: Way) -> None:
        verticals, horizontals = _segments(way)
        net = way.edge.target
        for x, low, high in verticals:
            self.verticals.add(x, low, high, net)
            if x % 2:
                self.down[x].take(low, high, net)
        for y, low, high in horizontals:
            self.horizontals.add(y, low, high, net)
            if y % 2:
                self.across[y].take(low, high, net)


def route(structure: Structure, placement: Placement, choices: Sequence[bool]) -> list[Way]:
    """A way for every edge, straight and short ones first; `choices` says which nodes are diamonds."""
    router = _Router(structure, placement, choices)

    def rank(edge: Edge) -> tuple[bool, int, int, int]:
        (x1, y1), (x2, y2) = router.at[edge.source], router.at[edge.target]
        return x1 != x2 and y1 != y2, abs(x1 - x2) * 2 + abs(y1 - y2), y1, x1

    ways = {edge: router.route(edge) for edge in sorted(structure.edges, key=rank)}
    return [ways[edge] for edge in structure.edges]


def reroutes(
    structure: Structure, placement: Placement, choices: Sequence[bool], ways: list[Way], number: int, limit: int
) -> list[Way]:
    """Other ways for one of the edges while the others stay as they are, the cheapest first."""
    router = _Router(structure, placement, choices)
    for i, way in enumerate(ways):
        if i != number:
            router.take(way)
    return [way for way in router.alternatives(ways[number].edge)[: limit + 1] if way != ways[number]][:limit]


def _from_bottom(start: Point, goal: Point, channels: Iterable[int]) -> Iterator[list[Point]]:
    """Ways from the bottom of a node to the top or a side of another."""
    (x1, y1), (x2, y2) = start, goal
    if y1 < y2:
        yield [start, (x1, y2), goal]
        yield [start, (x1, y1 + 1), (x2, y1 + 1), goal]
        yield [start, (x1, y2 - 1), (x2, y2 - 1), goal]
    for x in channels:
        leave = [start, (x1, y1 + 1), (x, y1 + 1)]
        yield [*leave, (x, y2), goal]
        yield [*leave, (x, y2 - 1), (x2, y2 - 1), goal]


def _from_right(start: Point, goal: Point, channels: Iterable[int]) -> Iterator[list[Point]]:
    """Ways from the right of a node to the top or a side of another."""
    (x1, y1), (x2, y2) = start, goal
    if x1 < x2:
        yield [start, (x2, y1), goal]
    for x in channels:
        if x < x1:
            leave = [start, (x1 + 1, y1)]
            for y in {y1 - 1, y1 + 1}:
                yield [*leave, (x1 + 1, y), (x, y), (x, y2), goal]
                yield [*leave, (x1 + 1, y), (x, y), (x, y2 - 1), (x2, y2 - 1), goal]
            continue
        yield [start, (x, y1), (x, y2), goal]
        yield [start, (x, y1), (x, y2 - 1), (x2, y2 - 1), goal]


def _plain_cost(way: Way) -> float:
    """The cost of length and bends."""
    cost = _BEND * len(way.points) + (_OFFSET if way.offset else 0)
    for (x1, y1), (x2, y2) in pairwise(way.points):
        cost += _ACROSS * abs(x1 - x2) + abs(y1 - y2)
    return cost


def _leaves_well(points: tuple[Point, ...], edge: Edge) -> bool:
    """Whether the first step goes right for `no`, else down."""
    (x1, y1), (x2, y2) = points[0], points[1]
    return x2 > x1 if edge.arrow == "no" else y2 > y1


def _tidy(points: list[Point]) -> tuple[Point, ...]:
    """Without repeated points and points on a straight line."""
    kept: list[Point] = []
    for point in points:
        if kept and kept[-1] == point:
            continue
        if len(kept) > 1 and (kept[-2][0] == kept[-1][0] == point[0] or kept[-2][1] == kept[-1][1] == point[1]):
            kept.pop()
        kept.append(point)
    return tuple(kept)


def _segments(way: Way) -> tuple[list[Segment], list[Segment]]:
    """The vertical and the horizontal stretches of a way, from border to border, without an offset last one."""
    points = way.points[:-1] if way.offset else way.points
    verticals: list[Segment] = []
    horizontals: list[Segment] = []
    last = len(points) - 2
    for i, ((x1, y1), (x2, y2)) in enumerate(pairwise(points)):
        vertical = x1 == x2
        a, b = (y1, y2) if vertical else (x1, x2)
        sign = _BORDER if a < b else -_BORDER
        room = (_BEND_ROOM if a < b else -_BEND_ROOM) if vertical and x1 % 2 else 0
        low, high = sorted((a + (sign if i == 0 else room), b - (sign if i == last and not way.offset else room)))
        (verticals if vertical else horizontals).append((x1 if vertical else y1, low, high))
    return verticals, horizontals


def _between(places: list[int], low: float, high: float) -> bool:
    """Whether one of the sorted places lies between the bounds."""
    return bisect_right(places, low) < bisect_left(places, high)
