"""The page: all charts of a game in one picture, each in its frame, under the game's title."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from fcdl.drawing.captions import FONT_SIZE, LINE_HEIGHT, text_width, wrap
from fcdl.drawing.layout import ChartLayout, Rect, lay_out
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
_MARGIN = 24
_PADDING = 22
_FRAME_HEAD = 34
_BETWEEN = 26
_ASPECT = 1.3
"""The wanted proportion of width to height of a page with many charts."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A chart in its place; `rect` is the frame around it, None for the only chart of a game."""

    name: str
    rect: Rect | None
    chart: ChartLayout


@dataclass(frozen=True, slots=True)
class Page:
    """A whole picture."""

    title: str
    goal: tuple[str, ...]
    """What a player wants, as the chart says it, in lines."""
    width: float
    height: float
    frames: tuple[Frame, ...]


def make_page(flowchart: Flowchart) -> Page:
    """Lays out every chart and puts them on one page, the first chart first."""
    title = " ".join(flowchart.title.split())
    layouts = {name: lay_out(flowchart.drawn(name)) for name in flowchart.charts}
    goal = _goal(flowchart)
    top = GOAL_MIDDLE + len(goal) * LINE_HEIGHT if goal else _MARGIN + (TITLE_SIZE + 18 if title else 0)
    if len(layouts) == 1:
        frames, width, height = _single(layouts, top)
    else:
        frames, width, height = _many(layouts, top)
    width = max(width, text_width(title, TITLE_SIZE) * 1.1, *(text_width(line, FONT_SIZE) for line in goal))
    return Page(title, goal, round(width) + 2 * _MARGIN, round(top + height) + _MARGIN, frames)


def _goal(flowchart: Flowchart) -> tuple[str, ...]:
    """The goal line, broken into lines; of a very long one the beginning."""
    text = goal_text(flowchart.document)
    lines = wrap(text, _GOAL_WIDTH) if text else ()
    return lines if len(lines) <= _GOAL_LINES else (*lines[: _GOAL_LINES - 1], lines[_GOAL_LINES - 1] + " …")


def _single(layouts: dict[str, ChartLayout], top: float) -> tuple[tuple[Frame, ...], float, float]:
    ((name, chart),) = layouts.items()
    return (Frame(name, None, chart.moved(_MARGIN, top)),), chart.width, chart.height


def _many(layouts: dict[str, ChartLayout], top: float) -> tuple[tuple[Frame, ...], float, float]:
    """Frames in columns from left to right, in the order of the charts."""
    sizes = {
        name: (
            max(chart.width, text_width(name, FRAME_TITLE_SIZE) * 1.1) + 2 * _PADDING,
            chart.height + _FRAME_HEAD + _PADDING,
        )
        for name, chart in layouts.items()
    }
    columns = _pack(sizes)
    frames: list[Frame] = []
    x, height = float(_MARGIN), 0.0
    for column in columns:
        y = float(top)
        w = max(sizes[name][0] for name in column)
        for name in column:
            h = sizes[name][1]
            chart = layouts[name].moved(round(x + (w - layouts[name].width) / 2), y + _FRAME_HEAD)
            frames.append(Frame(name, Rect(x, y, w, h), chart))
            y += h + _BETWEEN
        height = max(height, y - _BETWEEN - top)
        x += w + _BETWEEN
    return tuple(frames), x - _BETWEEN - _MARGIN, height


def _pack(sizes: dict[str, tuple[float, float]]) -> list[list[str]]:
    """The charts in columns: the height limit is the one that gives the best proportions and wastes least."""
    heights = [height for _, height in sizes.values()]
    limits = {max(heights), sum(heights) + len(heights) * _BETWEEN}
    limits |= {max(heights) * (1 + step / 12) for step in range(1, 24)}
    return min((_columns(sizes, limit) for limit in sorted(limits)), key=lambda columns: _badness(columns, sizes))


def _columns(sizes: dict[str, tuple[float, float]], limit: float) -> list[list[str]]:
    """First fit: each chart goes to the first column with room for it."""
    columns: list[list[str]] = []
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


def _badness(columns: list[list[str]], sizes: dict[str, tuple[float, float]]) -> float:
    width = sum(max(sizes[name][0] for name in column) + _BETWEEN for column in columns)
    height = max(sum(sizes[name][1] + _BETWEEN for name in column) for column in columns)
    proportion = width / height / _ASPECT
    return width * height * sqrt(max(proportion, 1 / proportion))
