"""The page: all charts of a game in one picture, each in its frame, under the game's title."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

from fcdl.drawing.captions import FONT_SIZE, LINE_HEIGHT, text_width, wrap
from fcdl.drawing.layout import ChartLayout, Rect, lay_out
from fcdl.drawing.marks import Group, definitions, legend
from fcdl.language.flowchart import Flowchart
from fcdl.language.text import goal_text

TITLE_SIZE = 22
FRAME_TITLE_SIZE = 15
TITLE_MIDDLE = 34
"""The height of the middle of the title."""
GOAL_MIDDLE = 60
"""The height of the middle of the first line of the goal, which stands below the title."""
_GOAL_WIDTH, _GOAL_LINES = 480, 3
FRAME_TITLE_AT = (14, 18)
"""Where in a frame the middle of the left side of its title is."""
MARGIN = 24
_PADDING = 22
_FRAME_HEAD = 34
_BETWEEN = 26
_ASPECT = 1.3
"""The wanted proportion of width to height of a page that is for nothing special."""
_MILLIMETRES = 25.4 / 96
"""Of a pixel of the page, at its natural size."""
_DOTS_PER_INCH = 300


@dataclass(frozen=True, slots=True)
class Frame:
    """A chart in its place; `rect` is the frame around it, None for the only chart of a game."""

    name: str
    rect: Rect | None
    chart: ChartLayout


@dataclass(frozen=True, slots=True)
class Size:
    """How large a picture is shown: lengths as SVG writes them, and the width in pixels, if it was asked for."""

    width: str
    height: str
    pixels: int | None = None


@dataclass(frozen=True, slots=True)
class Paper:
    """What a picture is for: how wide and high it may be, in millimetres or pixels."""

    width: float
    height: float
    millimetres: bool = False

    @property
    def proportion(self) -> float:
        """Of width to height."""
        return self.width / self.height

    def size(self, width: float, height: float) -> Size:
        """How large a page of this size is on it; on paper letters are not made larger."""
        scale = min(self.width / width, self.height / height)
        if not self.millimetres:
            return Size(f"{width * scale:.0f}", f"{height * scale:.0f}", round(width * scale))
        scale = min(scale, _MILLIMETRES)
        return Size(f"{width * scale:.1f}mm", f"{height * scale:.1f}mm", round(width * scale / 25.4 * _DOTS_PER_INCH))


PAPERS = {"paper": Paper(180, 267, millimetres=True), "slide": Paper(1920, 1080)}
"""An A4 page within its margins, and a screen."""


@dataclass(frozen=True, slots=True)
class Page:
    """A whole picture."""

    title: str
    goal: tuple[str, ...]
    """What a player wants, as the chart says it, in lines."""
    width: float
    height: float
    frames: tuple[Frame, ...]
    groups: tuple[Group, ...]
    """What stands beside and below the charts."""
    size: Size


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a picture is to show besides the charts, and how wide it is to be: pixels, or one of PAPERS."""

    definitions: bool = True
    legend: bool = True
    width: int | str | None = None

    @property
    def proportion(self) -> float:
        """The wanted proportion of width to height."""
        return PAPERS[self.width].proportion if isinstance(self.width, str) else _ASPECT

    def size(self, width: float, height: float) -> Size:
        """How large a page is shown."""
        if isinstance(self.width, str):
            return PAPERS[self.width].size(width, height)
        if self.width is None:
            return Size(f"{width:g}", f"{height:g}")
        return Size(str(self.width), f"{self.width * height / width:.0f}", self.width)


def make_page(flowchart: Flowchart, wanted: Wanted | None = None) -> Page:
    """Lays out every chart and puts them on one page, the first chart first."""
    wanted = wanted or Wanted()
    title = " ".join(flowchart.title.split())
    layouts = {name: lay_out(flowchart.drawn(name)) for name in flowchart.charts}
    panel = definitions(flowchart) if wanted.definitions else None
    goal = _goal(flowchart)
    top = GOAL_MIDDLE + len(goal) * LINE_HEIGHT if goal else MARGIN + (TITLE_SIZE + 18 if title else 0)
    arrange = _single if len(layouts) == 1 else _many
    frames, groups, width, height = arrange(layouts, panel, top, wanted.proportion)
    width = max(width, text_width(title, TITLE_SIZE) * 1.1, *(text_width(line, FONT_SIZE) for line in goal))
    if wanted.legend:
        key = legend(flowchart, width)
        groups = (*groups, key.moved(MARGIN, top + height + _BETWEEN))
        width, height = max(width, key.width), height + _BETWEEN + key.height
    width, height = round(width) + 2 * MARGIN, round(top + height) + MARGIN
    return Page(title, goal, width, height, frames, groups, wanted.size(width, height))


Arranged = tuple[tuple[Frame, ...], tuple[Group, ...], float, float]


def _goal(flowchart: Flowchart) -> tuple[str, ...]:
    """The goal line, broken into lines; of a very long one the beginning."""
    text = goal_text(flowchart.document)
    lines = wrap(text, _GOAL_WIDTH) if text else ()
    return lines if len(lines) <= _GOAL_LINES else (*lines[: _GOAL_LINES - 1], lines[_GOAL_LINES - 1] + " …")


def _single(layouts: dict[str, ChartLayout], panel: Group | None, top: float, proportion: float) -> Arranged:
    """The only chart, with the definitions beside or below it."""
    ((name, chart),) = layouts.items()
    frames = (Frame(name, None, chart.moved(MARGIN, top)),)
    if panel is None:
        return frames, (), chart.width, chart.height
    beside = chart.width + _BETWEEN + panel.width, max(chart.height, panel.height)
    below = max(chart.width, panel.width), chart.height + _BETWEEN + panel.height
    if _unlike(*beside, proportion) <= _unlike(*below, proportion):
        return frames, (panel.moved(MARGIN + chart.width + _BETWEEN, top),), *beside
    return frames, (panel.moved(MARGIN, top + chart.height + _BETWEEN),), *below


def _many(layouts: dict[str, ChartLayout], panel: Group | None, top: float, proportion: float) -> Arranged:
    """Frames in columns from left to right, in the order of the charts; the definitions are the last of them."""
    sizes: dict[str | None, tuple[float, float]] = {
        name: (
            max(chart.width, text_width(name, FRAME_TITLE_SIZE) * 1.1) + 2 * _PADDING,
            chart.height + _FRAME_HEAD + _PADDING,
        )
        for name, chart in layouts.items()
    }
    if panel is not None:
        sizes[None] = panel.width, panel.height
    frames: list[Frame] = []
    groups: list[Group] = []
    x, height = float(MARGIN), 0.0
    for column in _pack(sizes, proportion):
        y = float(top)
        w = max(sizes[name][0] for name in column)
        for name in column:
            h = sizes[name][1]
            if name is None:
                assert panel is not None
                groups.append(panel.moved(x, y))
            else:
                chart = layouts[name].moved(round(x + (w - layouts[name].width) / 2), y + _FRAME_HEAD)
                frames.append(Frame(name, Rect(x, y, w, h), chart))
            y += h + _BETWEEN
        height = max(height, y - _BETWEEN - top)
        x += w + _BETWEEN
    return tuple(frames), tuple(groups), x - _BETWEEN - MARGIN, height


Sizes = Mapping[str | None, tuple[float, float]]


def _pack(sizes: Sizes, proportion: float) -> list[list[str | None]]:
    """The charts in columns: the height limit is the one that gives the best proportions and wastes least."""
    heights = [height for _, height in sizes.values()]
    limits = {max(heights), sum(heights) + len(heights) * _BETWEEN}
    limits |= {max(heights) * (1 + step / 12) for step in range(1, 24)}
    tried = (_columns(sizes, limit) for limit in sorted(limits))
    return min(tried, key=lambda columns: _badness(columns, sizes, proportion))


def _columns(sizes: Sizes, limit: float) -> list[list[str | None]]:
    """First fit: each chart goes to the first column with room for it."""
    columns: list[list[str | None]] = []
    used: list[float] = []
    for name, (_, height) in sizes.items():
        for i, full in enumerate(used):
            if full + _BETWEEN + height <= limit:
                columns[i].append(name)
                used[i] += _BETWEEN + height
                break
        else:
            columns.append([name])
            used.append(height)
    return columns


def _badness(columns: list[list[str | None]], sizes: Sizes, proportion: float) -> float:
    width = sum(max(sizes[name][0] for name in column) + _BETWEEN for column in columns)
    height = max(sum(sizes[name][1] + _BETWEEN for name in column) for column in columns)
    return _unlike(width, height, proportion)


def _unlike(width: float, height: float, proportion: float) -> float:
    """How large a page is, and how far from the wanted proportion."""
    off = width / height / proportion
    return width * height * sqrt(max(off, 1 / off))
