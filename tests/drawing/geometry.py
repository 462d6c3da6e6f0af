"""What must hold for every picture."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

from fcdl.drawing.layout import Box, ChartLayout, Line, Rect
from fcdl.drawing.page import Page
from fcdl.language.flowchart import Node, NodeKind

Segment = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def faults(page: Page) -> list[str]:
    """Everything that is wrong with a picture."""
    found = [fault for frame in page.frames for fault in _chart_faults(frame.chart)]
    frames = [frame.rect for frame in page.frames if frame.rect is not None]
    found += ["two frames overlap" for a, b in combinations(frames, 2) if _overlap(a, b)]
    for frame in page.frames:
        room = frame.rect or Rect(0, 0, page.width, page.height)
        things = [box.rect for box in frame.chart.boxes] + [label.rect for label in frame.chart.labels]
        things += [Rect(x, y, 0, 0) for line in frame.chart.lines for x, y in line.points]
        found += [f"{thing} sticks out of chart {frame.name}" for thing in things if not _inside(thing, room)]
    return found


def _chart_faults(chart: ChartLayout) -> Iterator[str]:
    boxes = {box.node.number: box for box in chart.boxes}
    rects = sorted((box.rect for box in chart.boxes), key=lambda rect: rect.y)
    yield from (f"boxes {a} and {b} overlap" for a, b in combinations(rects, 2) if _overlap(a, b))
    for line in chart.lines:
        yield from _line_faults(line, boxes)
    yield from _shared_stretches(chart)
    yield from _missing(chart)
    yield from _label_faults(chart)


def _line_faults(line: Line, boxes: dict[int, Box]) -> Iterator[str]:
    name = f"arrow {line.arrow} from {line.source} to {line.target}"
    source, target = boxes[line.source], boxes[line.target]
    first = source.rect.right if line.arrow == "no" else source.rect.middle[0]
    height = source.rect.middle[1] if line.arrow == "no" else source.rect.bottom
    if line.points[0] != (first, height):
        yield f"{name} starts at {line.points[0]}, not at its node"
    if not _is_on_border(line.points[-1], target):
        yield f"{name} ends at {line.points[-1]}, not at its node"
    segments = list(_segments(line))
    if any(left != right and top != bottom for left, top, right, bottom in segments):
        yield f"{name} is slanted"
    if any(left == right and top == bottom for left, top, right, bottom in segments):
        yield f"{name} has an empty stretch"
    for box in boxes.values():
        own = [segments[0]] * (box is source) + [segments[-1]] * (box is target)
        if any(segment not in own and _hits(segment, box.rect) for segment in segments):
            yield f"{name} runs through node {box.node.number}"
    if any(_hits(segment, target.rect, _inset(target)) for segment in segments):
        yield f"{name} runs into its own target"
    (x1, y1), (x2, y2) = line.points[:2]
    if (x2 <= x1 or y1 != y2) if line.arrow == "no" else (y2 <= y1 or x1 != x2):
        yield f"{name} leaves in the wrong direction"


def _inset(box: Box) -> float:
    """Arrows that meet a slanted border enter the rectangle around it."""
    return 1 if box.node.kind in (NodeKind.STATEMENT, NodeKind.CALL) else box.rect.height * 0.3


def _is_on_border(point: tuple[float, float], box: Box) -> bool:
    dx, dy = point[0] - box.rect.middle[0], point[1] - box.rect.middle[1]
    across, down = abs(dx) / (box.rect.width / 2), abs(dy) / (box.rect.height / 2)
    match box.node.kind:
        case NodeKind.CHOICE:
            return abs(across + down - 1) < 0.001
        case NodeKind.START | NodeKind.END:
            return abs(across**2 + down**2 - 1) < 0.001
        case _:
            return abs(max(across, down) - 1) < 0.001


def _shared_stretches(chart: ChartLayout) -> Iterator[str]:
    """Arrows to different nodes may cross but not run on top of each other, nor touch at a corner."""
    down: dict[float, list[tuple[float, float, int]]] = {}
    across: dict[float, list[tuple[float, float, int]]] = {}
    for line in chart.lines:
        for left, top, right, bottom in _segments(line):
            if left == right:
                down.setdefault(left, []).append((top, bottom, line.target))
            else:
                across.setdefault(top, []).append((left, right, line.target))
    for at, stretches in (*down.items(), *across.items()):
        for (low, high, one), (other_low, other_high, other) in combinations(stretches, 2):
            if one != other and low <= other_high and other_low <= high:
                yield f"arrows to {one} and {other} share a stretch at {at}"


def _missing(chart: ChartLayout) -> Iterator[str]:
    drawn = sorted((line.source, line.arrow, line.target) for line in chart.lines)
    wanted = sorted(arrow for box in chart.boxes for arrow in _arrows(box.node))
    if drawn != wanted:
        yield f"the arrows are {drawn}, not {wanted}"
    labels = sorted((label.node, label.text) for label in chart.labels)
    if labels != [(source, arrow) for source, arrow, _ in wanted if arrow != "next"]:
        yield "a diamond's arrow has no label"


def _arrows(node: Node) -> Iterator[tuple[int, str, int]]:
    for arrow, target in (("next", node.next), ("yes", node.yes), ("no", node.no)):
        if target is not None:
            yield node.number, arrow, target


def _label_faults(chart: ChartLayout) -> Iterator[str]:
    segments = [segment for line in chart.lines for segment in _segments(line)]
    rects = [label.rect for label in chart.labels]
    for label in chart.labels:
        if any(_overlap(label.rect, box.rect) for box in chart.boxes):
            yield f"the {label.text} of {label.node} lies over a box"
        if any(_hits(segment, label.rect, 0) for segment in segments):
            yield f"the {label.text} of {label.node} lies over an arrow"
    yield from ("two labels overlap" for a, b in combinations(rects, 2) if _overlap(a, b))


def _segments(line: Line) -> Iterator[Segment]:
    for (x1, y1), (x2, y2) in pairwise(line.points):
        yield min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)


def _hits(segment: Segment, rect: Rect, inset: float = 1) -> bool:
    left, top, right, bottom = segment
    return (
        left < rect.right - inset and right > rect.x + inset and top < rect.bottom - inset and bottom > rect.y + inset
    )


def _overlap(a: Rect, b: Rect) -> bool:
    return a.x < b.right and b.x < a.right and a.y < b.bottom and b.y < a.bottom


def _inside(inner: Rect, outer: Rect) -> bool:
    return outer.x <= inner.x and inner.right <= outer.right and outer.y <= inner.y and inner.bottom <= outer.bottom
