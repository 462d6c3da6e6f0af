"""A page as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from fcdl.drawing import style
from fcdl.drawing.captions import FONT_SIZE, LINE_HEIGHT
from fcdl.drawing.layout import LABEL_HEIGHT, LABEL_SIZE, Box, Label, Line, Rect
from fcdl.drawing.marks import Area, Group, Stroke, Words
from fcdl.drawing.page import (
    FRAME_TITLE_AT,
    FRAME_TITLE_SIZE,
    GOAL_MIDDLE,
    TITLE_MIDDLE,
    TITLE_SIZE,
    Frame,
    Page,
)
from fcdl.drawing.shapes import Point, arrowhead, corner_cuts, hops_between, outline, shortened
from fcdl.language.flowchart import CallChart, NodeKind

_BASELINE = 0.36
"""How far below the middle of a line its baseline lies, in parts of the font's size."""


def write_svg(page: Page) -> bytes:
    """The picture as an SVG document."""
    return ("\n".join(_elements(page)) + "\n").encode()


def _elements(page: Page) -> Iterator[str]:
    width, height = _number(page.width), _number(page.height)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{page.size.width}" height="{page.size.height}" '
        f'viewBox="0 0 {width} {height}" '
        f'font-family={quoteattr(style.FONTS)} font-size="{FONT_SIZE}" fill="{style.INK}">'
    )
    yield f"<title>{_text(page.title)}</title>"
    yield f'<rect width="100%" height="100%" fill="{style.BACKGROUND}"/>'
    if page.title:
        x, y = _number(page.width / 2), _number(TITLE_MIDDLE + TITLE_SIZE * _BASELINE)
        yield (
            f'<text x="{x}" y="{y}" text-anchor="middle" '
            f'font-size="{TITLE_SIZE}" font-weight="bold">{_text(page.title)}</text>'
        )
    for number, line in enumerate(page.goal):
        x, y = _number(page.width / 2), _number(GOAL_MIDDLE + number * LINE_HEIGHT + FONT_SIZE * _BASELINE)
        yield f'<text x="{x}" y="{y}" text-anchor="middle">{_text(line)}</text>'
    for frame in page.frames:
        yield from _frame(frame)
    for group in page.groups:
        yield from _group(group)
    yield "</svg>"


def _frame(frame: Frame) -> Iterator[str]:
    yield f"<g id={quoteattr('chart-' + _xml(frame.name))}>"
    if frame.rect is not None:
        yield f'<rect {_area(frame.rect)} rx="8" fill="{style.FRAME_FILL}" stroke="{style.FRAME}"/>'
        x, y = frame.rect.x + FRAME_TITLE_AT[0], frame.rect.y + FRAME_TITLE_AT[1] + FRAME_TITLE_SIZE * _BASELINE
        yield (
            f'<text x="{_number(x)}" y="{_number(y)}" '
            f'font-size="{FRAME_TITLE_SIZE}" font-weight="bold">{_text(frame.name)}</text>'
        )
    yield f'<g fill="none" stroke="{style.LINE}" stroke-width="{style.STROKE}">'
    nets: dict[int, list[str]] = {}
    for line, hops in zip(frame.chart.lines, frame.chart.hops, strict=True):
        nets.setdefault(line.target, []).append(_path(line.points, hops))
    for paths in nets.values():
        yield f'<path d="{"".join(paths)}"/>'
    yield "</g>"
    yield f'<path fill="{style.LINE}" d="{"".join(_arrowhead(line) for line in _heads(frame.chart.lines))}"/>'
    for box in frame.chart.boxes:
        yield from _box(box)
    yield f'<g font-size="{LABEL_SIZE}" fill="{style.LABEL}">'
    for label in frame.chart.labels:
        yield _label(label)
    yield "</g>"
    yield "</g>"


def _box(box: Box) -> Iterator[str]:
    node, statement = box.node, box.node.statement
    yield f'<g id="node-{node.number}">'
    yield f"<title>{_text(node.caption)}</title>"
    link = isinstance(statement, CallChart)
    if isinstance(statement, CallChart):
        yield f"<a href={quoteattr('#chart-' + _xml(statement.chart))}>"
    dashes = ' stroke-dasharray="5 3"' if node.private else ""
    paint = f'fill="{style.fill_of(node)}" stroke="{style.INK}" stroke-width="{style.STROKE}"{dashes}'
    yield _shape(box, paint)
    x, middle = box.rect.middle
    first = middle - (len(box.lines) - 1) * LINE_HEIGHT / 2 + FONT_SIZE * _BASELINE
    for i, line in enumerate(box.lines):
        y = _number(first + i * LINE_HEIGHT)
        yield f'<text x="{_number(x)}" y="{y}" text-anchor="middle">{_text(line)}</text>'
    if link:
        yield "</a>"
    yield "</g>"


def _shape(box: Box, paint: str) -> str:
    rect = box.rect
    x, y = rect.middle
    match box.node.kind:
        case NodeKind.START | NodeKind.END:
            size = f'rx="{_number(rect.width / 2)}" ry="{_number(rect.height / 2)}"'
            return f'<ellipse cx="{_number(x)}" cy="{_number(y)}" {size} {paint}/>'
        case NodeKind.CHOICE:
            points = " ".join(f"{_number(a)},{_number(b)}" for a, b in outline(box.node.kind, rect))
            return f'<polygon points="{points}" {paint}/>'
        case NodeKind.CALL:
            bars = "".join(
                f"M{_number(bar)} {_number(rect.y)}V{_number(rect.bottom)}"
                for bar in (rect.x + style.CALL_BAR, rect.right - style.CALL_BAR)
            )
            return f'<rect {_area(rect)} {paint}/><path d="{bars}" {paint}/>'
        case _:
            return f'<rect {_area(rect)} rx="3" {paint}/>'


def _path(line: Sequence[Point], hops: Sequence[Point] = ()) -> str:
    """A line with rounded corners and bows over others, which ends inside its arrowhead."""
    points = shortened(line)
    path, here = f"M{_pair(points[0])}", points[0]
    for a, corner, b in corner_cuts(points):
        path += f"{_bows(here, a, hops)}L{_pair(a)}Q{_pair(corner)} {_pair(b)}"
        here = b
    return f"{path}{_bows(here, points[-1], hops)}L{_pair(points[-1])}"


def _bows(start: Point, end: Point, hops: Sequence[Point]) -> str:
    side = 1 if end[0] > start[0] else -1
    return "".join(
        f"L{_pair((x - side * style.HOP, y))}"
        f"A{style.HOP} {style.HOP} 0 0 {int(side > 0)} {_pair((x + side * style.HOP, y))}"
        for x, y in hops_between(start, end, hops)
    )


def _group(group: Group) -> Iterator[str]:
    yield f"<g id={quoteattr(group.name)}>"
    for mark in group.marks:
        match mark:
            case Words(at=(x, y), text=text, size=size, colour=colour, centred=centred, bold=bold):
                how = ' text-anchor="middle"' if centred else ""
                how += ' font-weight="bold"' if bold else ""
                place = f'x="{_number(x)}" y="{_number(y + size * _BASELINE)}" font-size="{_number(size)}"'
                yield f'<text {place} fill="{colour}"{how}>{_text(text)}</text>'
            case Area(corners=corners, fill=fill, stroke=stroke, dashed=dashed):
                dashes = ' stroke-dasharray="5 3"' if dashed else ""
                path = "M" + "L".join(map(_pair, corners)) + "Z"
                yield f'<path d="{path}" fill="{fill}" stroke="{stroke}" stroke-width="{style.STROKE}"{dashes}/>'
            case Stroke(points=points, colour=colour):
                path = "M" + "L".join(map(_pair, points))
                yield f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{style.STROKE}"/>'
    yield "</g>"


def _heads(lines: Sequence[Line]) -> list[Line]:
    """One line for each arrowhead: arrows that end at the same point share it."""
    return list({line.points[-1]: line for line in lines}.values())


def _arrowhead(line: Line) -> str:
    return "M" + "L".join(map(_pair, arrowhead(line.points))) + "Z"


def _label(label: Label) -> str:
    y = label.rect.y + LABEL_HEIGHT / 2 + LABEL_SIZE * _BASELINE
    return f'<text x="{_number(label.rect.x)}" y="{_number(y)}">{_text(label.text)}</text>'


def _area(rect: Rect) -> str:
    return f'x="{_number(rect.x)}" y="{_number(rect.y)}" width="{_number(rect.width)}" height="{_number(rect.height)}"'


def _pair(point: tuple[float, float]) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


def _number(value: float) -> str:
    text = f"{value:.1f}"
    return text.removesuffix(".0")


def _text(text: str) -> str:
    return escape(_xml(text))


def _xml(text: str) -> str:
    """Text without the characters that XML does not allow."""
    return "".join(char if _is_allowed(char) else "\ufffd" for char in text)


def _is_allowed(char: str) -> bool:
    return char in "\t\n\r" or " " <= char <= "\ud7ff" or "\ue000" <= char <= "\ufffd" or char > "\uffff"
