"""Outlines of boxes, arrowheads and rounded corners as lists of points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, pi, sin

from fcdl.drawing import style
from fcdl.drawing.layout import Rect
from fcdl.language.flowchart import NodeKind

Point = tuple[float, float]
_ROUND_STEPS = 5
_ELLIPSE_STEPS = 72


def outline(kind: NodeKind, rect: Rect, corner: float = 3) -> list[Point]:
    """The border of a node."""
    x, y = rect.middle
    match kind:
        case NodeKind.START | NodeKind.END:
            angles = [2 * pi * step / _ELLIPSE_STEPS for step in range(_ELLIPSE_STEPS)]
            return [(x + rect.width / 2 * cos(angle), y + rect.height / 2 * sin(angle)) for angle in angles]
        case NodeKind.CHOICE:
            return [(x, rect.y), (rect.right, y), (x, rect.bottom), (rect.x, y)]
        case NodeKind.CALL:
            return [(rect.x, rect.y), (rect.right, rect.y), (rect.right, rect.bottom), (rect.x, rect.bottom)]
        case _:
            corners = [(rect.x, rect.y), (rect.right, rect.y), (rect.right, rect.bottom), (rect.x, rect.bottom)]
            closed = [corners[-1], *corners, corners[0]]
            return [point for i in range(1, 5) for point in _curve(closed[i - 1], closed[i], closed[i + 1], corner)]


def corner_cuts(points: Sequence[Point]) -> Iterator[tuple[Point, Point, Point]]:
    """For each corner of a line: where its rounding begins, the corner, and where it ends."""
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        yield _towards(corner, before, style.CORNER), corner, _towards(corner, after, style.CORNER)


def shortened(points: Sequence[Point]) -> list[Point]:
    """A line that ends inside its arrowhead."""
    (x1, y1), (x, y) = points[-2:]
    length = abs(x - x1) + abs(y - y1)
    part = min(style.ARROW_LENGTH - 2, length) / length if length else 0.0
    return [*points[:-1], (x + (x1 - x) * part, y + (y1 - y) * part)]


def rounded(points: Sequence[Point], hops: Sequence[Point] = ()) -> list[Point]:
    """A line with rounded corners and bows over others, which ends inside its arrowhead."""
    points = shortened(points)
    found = [points[0]]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        curve = _curve(before, corner, after, style.CORNER)
        found += [*_bows(found[-1], curve[0], hops), *curve]
    return [*found, *_bows(found[-1], points[-1], hops), points[-1]]


def hops_between(start: Point, end: Point, hops: Sequence[Point]) -> list[Point]:
    """The hops on a stretch that goes across, in its direction, with room for a bow on both sides."""
    (x1, y), (x2, y2) = start, end
    if y != y2:
        return []
    low, high = min(x1, x2) + style.HOP, max(x1, x2) - style.HOP
    return sorted((hop for hop in hops if hop[1] == y and low <= hop[0] <= high), reverse=x2 < x1)


def _bows(start: Point, end: Point, hops: Sequence[Point]) -> list[Point]:
    """Points of half circles over all hops of a stretch."""
    found: list[Point] = []
    side = 1 if end[0] > start[0] else -1
    for x, y in hops_between(start, end, hops):
        angles = [pi * step / (2 * _ROUND_STEPS) for step in range(2 * _ROUND_STEPS + 1)]
        found += [(x - side * style.HOP * cos(angle), y - style.HOP * sin(angle)) for angle in angles]
    return found


def arrowhead(points: Sequence[Point]) -> list[Point]:
    """The triangle at the end of a line."""
    (x1, y1), (x, y) = points[-2:]
    long, half = style.ARROW_LENGTH, style.ARROW_WIDTH / 2
    if x1 == x:
        back = y - long if y > y1 else y + long
        return [(x, y), (x - half, back), (x + half, back)]
    back = x - long if x > x1 else x + long
    return [(x, y), (back, y - half), (back, y + half)]


def _curve(before: Point, corner: Point, after: Point, radius: float) -> list[Point]:
    """Points on a quadratic curve around a corner."""
    start, end = _towards(corner, before, radius), _towards(corner, after, radius)
    found: list[Point] = []
    for step in range(_ROUND_STEPS + 1):
        t = step / _ROUND_STEPS
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        found.append((a * start[0] + b * corner[0] + c * end[0], a * start[1] + b * corner[1] + c * end[1]))
    return found


def _towards(point: Point, other: Point, distance: float) -> Point:
    """The point at this distance, but at most half the way, towards another one on the same line."""
    dx, dy = other[0] - point[0], other[1] - point[1]
    length = abs(dx) + abs(dy)
    part = min(distance, length / 2) / length if length else 0.0
    return point[0] + dx * part, point[1] + dy * part
