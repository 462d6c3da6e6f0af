"""A picture of paths and what they are worth: trees that grow from left to right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from fcdl.drawing import style
from fcdl.drawing.captions import FONT_SIZE, LINE_HEIGHT, text_width, wrap
from fcdl.drawing.layout import Rect
from fcdl.drawing.marks import Area, Group, Mark, Stroke, Words
from fcdl.drawing.page import MARGIN, TITLE_SIZE, Page, Wanted
from fcdl.drawing.shapes import outline
from fcdl.language.flowchart import NodeKind

_STEP_WIDTH = 200
_WORTH_WIDTH = 170
_PADDING = 10
_GAP_ACROSS, _GAP_DOWN = 36, 10
_BETWEEN_TREES = 26
_GOOD, _BAD, _OPEN = "#166534", "#b91c1c", style.LABEL
_NOTE = "At each step: what can come of it, from the worst to the best."


class Branch(Protocol):
    """Steps, what they are worth, and what may come next."""

    @property
    def steps(self) -> Sequence[str]:
        """What happens, one thing after the other."""
        ...

    @property
    def worth(self) -> str:
        """What that is worth, or from what to what; may be empty."""
        ...

    @property
    def good(self) -> bool | None:
        """Whether all that comes of it is good, or all bad."""
        ...

    @property
    def branches(self) -> Sequence[Branch]:
        """What may come next."""
        ...


@dataclass(frozen=True, slots=True)
class _Sized:
    """A branch, its lines, and the height that it needs with all that comes of it."""

    branch: Branch
    lines: tuple[str, ...]
    worth: tuple[str, ...]
    next: tuple[_Sized, ...]
    height: float

    @property
    def box(self) -> tuple[float, float]:
        """The size of its own box."""
        width = max([*map(text_width, self.lines), *map(text_width, self.worth)]) + 2 * _PADDING
        return width, (len(self.lines) + len(self.worth)) * LINE_HEIGHT + _PADDING


def path_page(title: str, goal: Sequence[str], trees: Sequence[Branch], wanted: Wanted | None = None) -> Page:
    """All trees below each other."""
    sized = [_sized(tree) for tree in trees]
    columns: list[float] = []
    for tree in sized:
        _widen(columns, tree, 0)
    lefts = [MARGIN + sum(columns[:depth]) + depth * _GAP_ACROSS for depth in range(len(columns) + 1)]
    lines = [line for text in goal for line in wrap(text, max(480, lefts[-1] - 2 * MARGIN))]
    marks: list[Mark] = []
    y = float(MARGIN + TITLE_SIZE + 18)
    for line in [*lines, _NOTE]:
        colour = style.INK if line is not _NOTE else style.LINE
        marks.append(Words((MARGIN, y), line, FONT_SIZE, colour))
        y += LINE_HEIGHT
    y += LINE_HEIGHT / 2
    for tree in sized:
        _place(marks, tree, lefts, 0, y)
        y += tree.height + _BETWEEN_TREES
    right = max([text_width(line) + MARGIN for line in [*lines, _NOTE]] + [lefts[-1] - _GAP_ACROSS])
    width, height = round(right) + MARGIN, round(y - _BETWEEN_TREES) + MARGIN
    group = Group("paths", tuple(marks), width, height)
    return Page(title, (), width, height, (), (group,), (wanted or Wanted()).size(width, height))


def _sized(branch: Branch) -> _Sized:
    lines = tuple(line for step in branch.steps for line in wrap(f"{step[:1].upper()}{step[1:]}", _STEP_WIDTH))
    worth = wrap(branch.worth, _WORTH_WIDTH) if branch.worth else ()
    following = tuple(map(_sized, branch.branches))
    own = _Sized(branch, lines, worth, following, 0).box[1]
    below = sum(item.height for item in following) + _GAP_DOWN * max(0, len(following) - 1)
    return _Sized(branch, lines, worth, following, max(own, below))


def _widen(columns: list[float], tree: _Sized, depth: int) -> None:
    """Makes the columns as wide as their boxes."""
    if depth == len(columns):
        columns.append(0.0)
    columns[depth] = max(columns[depth], tree.box[0])
    for item in tree.next:
        _widen(columns, item, depth + 1)


def _place(marks: list[Mark], tree: _Sized, lefts: Sequence[float], depth: int, top: float) -> float:
    """Draws a tree in its column; returns the height of the middle of its box."""
    width, height = tree.box
    left, middle = lefts[depth], top + tree.height / 2
    y = top + (tree.height - sum(item.height for item in tree.next) - _GAP_DOWN * max(0, len(tree.next) - 1)) / 2
    for item in tree.next:
        there = _place(marks, item, lefts, depth + 1, y)
        bend = lefts[depth + 1] - _GAP_ACROSS / 2
        marks.append(Stroke(((left + width, middle), (bend, middle), (bend, there), (lefts[depth + 1], there))))
        y += item.height + _GAP_DOWN
    rect = Rect(left, middle - height / 2, width, height)
    marks.append(Area(tuple(outline(NodeKind.STATEMENT, rect)), style.BACKGROUND if depth else style.FRAME_FILL))
    colour = {True: _GOOD, False: _BAD, None: _OPEN}[tree.branch.good]
    for number, line in enumerate([*tree.lines, *tree.worth]):
        at = left + _PADDING, rect.y + _PADDING / 2 + (number + 0.5) * LINE_HEIGHT
        is_worth = number >= len(tree.lines)
        marks.append(Words(at, line, colour=colour if is_worth else style.INK, bold=is_worth))
    return middle
