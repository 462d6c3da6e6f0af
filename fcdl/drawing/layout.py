"""The geometry of a picture: where every box, arrow, label and frame goes, in pixels, before anything is drawn."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from fcdl.drawing.captions import Caption, fit, text_width
from fcdl.drawing.placement import Arrow, Placement, Structure, analyse, place
from fcdl.drawing.routing import Way, reroutes, route
from fcdl.drawing.tracks import Tracks, Wire, assign_tracks
from fcdl.language.flowchart import Node, NodeKind

LABEL_SIZE = 11
LABEL_HEIGHT = 13
_TRACK = 13
"""Distance between arrows that run side by side."""
_SIDE = 15
"""Distance between a box and the arrows beside it: an arrowhead and a little more."""
_GAP_ACROSS = 34
_GAP_DOWN = 30
_OFFSET = 15
_MAX_TRIED_SIZE = 120
"""Larger charts are laid out once."""
_TRIALS = 1800
"""How many nodes may be laid out in search of a better arrangement, and again of better ways for arrows."""
_REROUTES = 8
_ELSE_BELOW = 900
"""What it costs to put an else below, so that the if's own way must lead around it."""
_LONG_BRANCH = 6


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle by its left upper corner and its size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height

    @property
    def middle(self) -> tuple[float, float]:
        """The point in the middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def moved(self, dx: float, dy: float) -> Rect:
        """The same rectangle elsewhere."""
        return Rect(self.x + dx, self.y + dy, self.width, self.height)


@dataclass(frozen=True, slots=True)
class Box:
    """A node in its place, with its caption broken into lines."""

    node: Node
    rect: Rect
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """An arrow: corner points from the border of its source to the border of its target."""

    source: int
    target: int
    arrow: Arrow
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Label:
    """`yes` or `no` on an arrow out of a diamond."""

    node: int
    text: str
    rect: Rect


@dataclass(frozen=True, slots=True)
class ChartLayout:
    """One chart, laid out from (0, 0) on."""

    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    labels: tuple[Label, ...]
    width: float
    height: float
    hops: tuple[tuple[tuple[float, float], ...], ...] = ()
    """For each line where it hops over others, which it crosses and which lead elsewhere."""

    def moved(self, dx: float, dy: float) -> ChartLayout:
        """The same chart elsewhere."""
        return replace(
            self,
            hops=tuple(tuple((x + dx, y + dy) for x, y in hops) for hops in self.hops),
            boxes=tuple(replace(box, rect=box.rect.moved(dx, dy)) for box in self.boxes),
            lines=tuple(replace(line, points=tuple((x + dx, y + dy) for x, y in line.points)) for line in self.lines),
            labels=tuple(replace(label, rect=label.rect.moved(dx, dy)) for label in self.labels),
        )


def lay_out(nodes: Sequence[Node]) -> ChartLayout:
    """Lays out one chart; of a chart that is not too large several arrangements are tried, and the best is taken."""
    sketch = _Sketch(nodes)
    if sketch.structure.size > _MAX_TRIED_SIZE:
        trial = sketch.arrange(_long_branches(sketch.structure))
    else:
        trial = _improve_ways(sketch, _best_arrangement(sketch))
    return replace(trial.layout, hops=_hops(trial.layout.lines))


@dataclass(frozen=True)
class _Trial:
    """One way to lay out a chart."""

    placement: Placement
    ways: list[Way]
    layout: ChartLayout

    @cached_property
    def cost(self) -> float:
        return _cost(self.layout)


class _Sketch:
    """A chart that is being laid out."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes
        self.structure = analyse(nodes)
        self.choices = [node.kind is NodeKind.CHOICE for node in nodes]
        self.captions = [fit(node.kind, node.caption) for node in nodes]

    def arrange(self, below: Set[int]) -> _Trial:
        """An arrangement with these side branches below their diamonds."""
        placement = place(self.structure, below)
        return self.finish(placement, route(self.structure, placement, self.choices))

    def finish(self, placement: Placement, ways: list[Way]) -> _Trial:
        """The layout that follows from a placement and ways."""
        settled, tracks = assign_tracks(ways)
        return _Trial(placement, ways, _Geometry(self.nodes, self.captions, placement, tracks).layout(settled))


def _best_arrangement(sketch: _Sketch) -> _Trial:
    """Moves side branches from beside to below their diamonds and back as long as it helps."""
    alternatives = sketch.structure.alternatives
    below: frozenset[int] = frozenset()
    best = sketch.arrange(below)
    cost = best.cost
    trials = _TRIALS // sketch.structure.size
    improved = True
    while improved and trials > 0:
        improved = False
        for side in sorted(sketch.structure.sides):
            changed = below ^ {side}
            trial = sketch.arrange(changed)
            trial_cost = trial.cost + _ELSE_BELOW * len(changed & alternatives)
            trials -= 1
            if trial_cost < cost:
                best, cost, below, improved = trial, trial_cost, changed, True
    return best


def _improve_ways(sketch: _Sketch, best: _Trial) -> _Trial:
    """Tries other ways for arrows that cross others or bend often."""
    trials = _TRIALS // sketch.structure.size
    for number in _worst_lines(best.layout):
        for way in reroutes(sketch.structure, best.placement, sketch.choices, best.ways, number, _REROUTES):
            trial = sketch.finish(best.placement, [*best.ways[:number], way, *best.ways[number + 1 :]])
            trials -= 1
            if trial.cost < best.cost:
                best = trial
        if trials <= 0:
            break
    return best


def _worst_lines(layout: ChartLayout) -> list[int]:
    """The lines that cross others, then those with many bends."""
    crossing = [0] * len(layout.lines)
    for one, other in _crossing_pairs(layout.lines):
        crossing[one] += 1
        crossing[other] += 1
    bad = [i for i, line in enumerate(layout.lines) if crossing[i] or len(line.points) > 4]
    return sorted(bad, key=lambda i: (-crossing[i], -len(layout.lines[i].points), i))


def _long_branches(structure: Structure) -> set[int]:
    """The side branches of a large chart that are too long to stand beside their diamonds."""
    size = [1] * structure.size + [0]
    for node in reversed(structure.order):
        size[structure.dominators[node]] += size[node]
    return {side for side in structure.sides if size[side] > _LONG_BRANCH}


def _cost(layout: ChartLayout) -> float:
    """How bad a layout looks: long and crooked arrows, crossings, wasted paper."""
    middles = {box.node.number: box.rect.middle for box in layout.boxes}
    narrow = max(0.0, layout.height - 1.5 * layout.width)
    wide = max(0.0, layout.width - layout.height)
    arrows = sum(_line_cost(line, middles[line.source], middles[line.target]) for line in layout.lines)
    return arrows + 220 * crossings(layout.lines) + 0.3 * narrow + wide + 0.5 * layout.width + _late_boxes(layout)


def _late_boxes(layout: ChartLayout) -> float:
    """The cost of boxes below an end in its column: readers expect nothing there."""
    ends = [box.rect for box in layout.boxes if box.node.kind is NodeKind.END]
    return 150 * sum(
        any(box.rect.middle[0] == end.middle[0] and box.rect.y > end.y for box in layout.boxes) for end in ends
    )


def _line_cost(line: Line, source: tuple[float, float], target: tuple[float, float]) -> float:
    """Length and bends; what goes on downwards should be straight, and no arrow should miss the middle."""
    length = sum(abs(x1 - x2) + abs(y1 - y2) for (x1, y1), (x2, y2) in pairwise(line.points))
    goes_on = line.arrow != "no" and source[1] < target[1]
    bends = (len(line.points) - 2) * (100 if goes_on else 30)
    end = line.points[-1]
    return 0.5 * length + bends + (50 if end[0] != target[0] and end[1] != target[1] else 0)


def crossings(lines: Sequence[Line]) -> int:
    """How often arrows to different nodes cross."""
    return sum(1 for _ in _crossing_pairs(lines))


def _hops(lines: Sequence[Line]) -> tuple[tuple[tuple[float, float], ...], ...]:
    """For each line the places where, on its way across, it meets lines that go up or down."""
    places: list[dict[tuple[float, float], None]] = [{} for _ in lines]
    for _, across, at in _crossings(lines):
        places[across][at] = None
    return tuple(map(tuple, places))


def _crossing_pairs(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """The places of two lines in the list, once for each time that they cross."""
    return ((one, other) for one, other, _ in _crossings(lines))


def _crossings(lines: Sequence[Line]) -> Iterator[tuple[int, int, tuple[float, float]]]:
    """Where a line that goes up or down there crosses one that goes across."""
    across: list[tuple[float, float, float, int]] = []
    for i, line in enumerate(lines):
        for (x1, y1), (x2, y2) in pairwise(line.points):
            if y1 == y2:
                across.append((y1, min(x1, x2), max(x1, x2), i))
    across.sort()
    heights = [stretch[0] for stretch in across]
    for i, line in enumerate(lines):
        for (x, y1), (x2, y2) in pairwise(line.points):
            if x == x2:
                first, last = bisect_right(heights, min(y1, y2)), bisect_left(heights, max(y1, y2))
                for y, left, right, other in across[first:last]:
                    if left < x < right and lines[other].target != line.target:
                        yield i, other, (x, y)


class _Geometry:
    """Turns rows, columns, lines and tracks into pixels."""

    def __init__(self, nodes: Sequence[Node], captions: list[Caption], placement: Placement, tracks: Tracks) -> None:
        self.nodes = nodes
        self.captions = captions
        self.tracks = tracks
        widths = _largest([caption.width for caption in captions], placement.columns)
        heights = _largest([caption.height for caption in captions], placement.rows)
        beside = [0.0] * (len(widths) + 1)
        under = [0.0] * (len(heights) + 1)
        for node, caption, row, column in zip(nodes, captions, placement.rows, placement.columns, strict=True):
            if node.kind is NodeKind.CHOICE:
                space = text_width("no", LABEL_SIZE) + 12 - (widths[column] - caption.width) / 2
                beside[column + 1] = max(beside[column + 1], space)
                under[row + 1] = max(under[row + 1], LABEL_HEIGHT + 6 - (heights[row] - caption.height) / 2)
        self.xs = _Axis(widths, beside, [tracks.count(True, 2 * i) for i in range(len(widths) + 1)], _GAP_ACROSS)
        self.ys = _Axis(heights, under, [tracks.count(False, 2 * i) for i in range(len(heights) + 1)], _GAP_DOWN)
        self.boxes = [self._box(i, placement) for i in range(len(nodes))]

    def _box(self, i: int, placement: Placement) -> Box:
        caption = self.captions[i]
        x = self.xs.middles[placement.columns[i]] - caption.width / 2
        y = self.ys.middles[placement.rows[i]] - caption.height / 2
        return Box(self.nodes[i], Rect(x, y, caption.width, caption.height), caption.lines)

    def layout(self, ways: list[Way]) -> ChartLayout:
        """Everything in its place."""
        lines = [self._line(way, wires) for way, wires in zip(ways, self.tracks.wires, strict=True)]
        labels = [self._label(way) for way in ways if way.edge.arrow != "next"]
        return ChartLayout(tuple(self.boxes), tuple(lines), tuple(labels), self.xs.size, self.ys.size)

    def _line(self, way: Way, wires: list[Wire | None]) -> Line:
        source, target = self.boxes[way.edge.source], self.boxes[way.edge.target]
        start = source.rect.middle
        points: list[tuple[float, float]] = [
            (source.rect.right, start[1]) if way.edge.arrow == "no" else (start[0], source.rect.bottom)
        ]
        for i in range(1, len(way.points) - 1):
            points.append(self._corner(way, wires, i))
        if way.offset:
            x = target.rect.middle[0] + way.offset * _OFFSET
            points[-1] = (x, points[-1][1])
            points.append((x, _top_border(target, way.offset * _OFFSET)))
        else:
            points.append(_entry(target.rect, way.points[-2], way.points[-1]))
        return Line(source.node.number, target.node.number, way.edge.arrow, tuple(points))

    def _corner(self, way: Way, wires: list[Wire | None], i: int) -> tuple[float, float]:
        x, y = way.points[i]
        down, across = (i - 1, i) if way.points[i - 1][0] == x else (i, i - 1)
        return self.xs.position(x, wires[down]), self.ys.position(y, wires[across])

    def _label(self, way: Way) -> Label:
        box = self.boxes[way.edge.source]
        arrow = way.edge.arrow
        width = text_width(arrow, LABEL_SIZE)
        if arrow == "no":
            rect = Rect(box.rect.right + 5, box.rect.middle[1] - LABEL_HEIGHT - 2, width, LABEL_HEIGHT)
        else:
            rect = Rect(box.rect.middle[0] + 6, box.rect.bottom + 2, width, LABEL_HEIGHT)
        return Label(box.node.number, arrow, rect)


class _Axis:
    """Positions along one axis: cells and the channels before, between and after them."""

    def __init__(self, cells: list[int], labels: list[float], tracks: list[int], gap: float) -> None:
        self.middles: list[float] = []
        self.first_tracks: list[float] = []
        at = 0.0
        for i, count in enumerate(tracks):
            outer = i in (0, len(cells))
            before = max(labels[i], 0 if i == 0 else _SIDE)
            after = 0 if i == len(cells) else _SIDE
            needed = before + max(0, count - 1) * _TRACK + after
            size = max(needed, 0 if outer else gap) if count or not outer else labels[i]
            self.first_tracks.append(round(at + before + (size - needed) / 2))
            at = round(at + size)
            if i < len(cells):
                self.middles.append(at + cells[i] / 2)
                at += cells[i]
        self.size = at

    def position(self, line: int, wire: Wire | None) -> float:
        """Where a grid line runs: the middle of a cell, or a track of a channel."""
        if line % 2:
            return self.middles[line // 2]
        return self.first_tracks[line // 2] + (wire.track if wire else 0) * _TRACK


def _largest(sizes: list[int], cells: Sequence[int]) -> list[int]:
    """The largest size in each row or column, made even so that middles are whole pixels."""
    largest = [0] * (max(cells, default=-1) + 1)
    for size, cell in zip(sizes, cells, strict=True):
        largest[cell] = max(largest[cell], size + size % 2)
    return largest


def _entry(rect: Rect, before: tuple[int, int], goal: tuple[int, int]) -> tuple[float, float]:
    """Where an arrow that comes from this grid point meets the border."""
    x, y = rect.middle
    if before[0] == goal[0]:
        return x, rect.y
    return (rect.x, y) if before[0] < goal[0] else (rect.right, y)


def _top_border(box: Box, dx: float) -> float:
    """The height of a box's upper border at this distance from its middle."""
    part = abs(dx) / (box.rect.width / 2)
    middle = box.rect.middle[1]
    match box.node.kind:
        case NodeKind.CHOICE:
            return middle - box.rect.height / 2 * (1 - part)
        case NodeKind.START | NodeKind.END:
            return float(middle - box.rect.height / 2 * (1 - part * part) ** 0.5)
        case _:
            return box.rect.y
