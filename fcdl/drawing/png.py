"""A page as PNG, drawn by Pillow with the font that it carries, so that no fonts need to be installed.

The picture is drawn in bands at twice the size and reduced, which smooths it and keeps memory small.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import pairwise

from PIL import Image, ImageDraw, ImageFont

from fcdl.drawing import style
from fcdl.drawing.captions import FONT_SIZE, LINE_HEIGHT
from fcdl.drawing.layout import LABEL_SIZE, Box, Label, Line
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
from fcdl.drawing.shapes import arrowhead, outline, rounded
from fcdl.language.flowchart import NodeKind

SCALE = 2.0
"""Pixels of the picture for one of the page."""
_SMOOTHING = 2
_MAX_PIXELS = 40_000_000
_MAX_SIDE = 60_000
_BAND = 512
_FALLBACK_FONTS = ("DejaVuSans.ttf", "Arial Unicode.ttf", "seguisym.ttf", "arial.ttf", "NotoSans-Regular.ttf")
"""Fonts that a system may have, for characters that Pillow's own font has not."""

Point = tuple[float, float]
Painter = Callable[["_Canvas"], None]


def write_png(page: Page) -> bytes:
    """The picture as a PNG file; very large charts are drawn smaller, down to what can still be opened."""
    scale = SCALE if page.size.pixels is None else page.size.pixels / page.width
    scale = min(scale, _MAX_SIDE / max(page.width, page.height), (_MAX_PIXELS / (page.width * page.height)) ** 0.5)
    width, height = max(1, round(page.width * scale)), max(1, round(page.height * scale))
    image = Image.new("RGB", (width, height), style.BACKGROUND)
    bands: list[list[Painter]] = [[] for _ in range(0, height, _BAND)]
    for top, bottom, paint in _items(page):
        first, last = int(top * scale // _BAND), int(bottom * scale // _BAND)
        for band in bands[max(0, first) : last + 1]:
            band.append(paint)
    for number, painters in enumerate(bands):
        canvas = _Canvas(width, min(_BAND, height - number * _BAND), number * _BAND, scale)
        for paint in painters:
            paint(canvas)
        image.paste(canvas.image.reduce(_SMOOTHING), (0, number * _BAND))
    data = io.BytesIO()
    image.save(data, "PNG", dpi=(72 * scale, 72 * scale))
    return data.getvalue()


class _Canvas:
    """A band of the picture, larger than it will be; takes coordinates of the page."""

    def __init__(self, width: int, height: int, top: int, scale: float) -> None:
        self.image = Image.new("RGB", (width * _SMOOTHING, height * _SMOOTHING), style.BACKGROUND)
        self.scale = scale * _SMOOTHING
        self.top = top * _SMOOTHING
        self.pen = ImageDraw.Draw(self.image)

    def _points(self, points: Sequence[Point]) -> list[Point]:
        return [(x * self.scale, y * self.scale - self.top) for x, y in points]

    def line(self, points: Sequence[Point], colour: str, width: float = style.STROKE) -> None:
        """A line through points."""
        self.pen.line(self._points(points), colour, max(1, round(width * self.scale)), joint="curve")

    def shape(self, corners: Sequence[Point], fill: str, stroke: str | None = None, *, dashed: bool = False) -> None:
        """A filled shape with or without a border."""
        self.pen.polygon(self._points(corners), fill)
        if stroke is None:
            return
        if dashed:
            for piece in _dashes([*corners, corners[0]]):
                self.line(piece, stroke)
        else:
            self.line([*corners, corners[0], corners[1]], stroke)

    def text(self, at: Point, text: str, size: float, colour: str, *, anchor: str = "mm") -> None:
        """A line of text, given by its middle (or, with anchor lm, by the middle of its left side)."""
        pixels = size * self.scale
        if pixels < 2:
            return
        font, shown = _readable(text, pixels)
        ((x, y),) = self._points([at])
        ascent = 0.36 * pixels
        self.pen.text((x, y + ascent), shown, colour, font, anchor[0] + "s")  # the font has no bold letters


def _items(page: Page) -> Iterator[tuple[float, float, Painter]]:
    """Everything on the page, from the back to the front: where it begins and ends, and how it is painted."""
    if page.title:
        at = (page.width / 2, TITLE_MIDDLE)
        yield (
            0,
            2 * TITLE_MIDDLE,
            partial(_Canvas.text, at=at, text=page.title, size=TITLE_SIZE, colour=style.INK),
        )
    for number, line in enumerate(page.goal):
        at = (page.width / 2, GOAL_MIDDLE + number * LINE_HEIGHT)
        goal = partial(_Canvas.text, at=at, text=line, size=FONT_SIZE, colour=style.INK)
        yield at[1] - LINE_HEIGHT, at[1] + LINE_HEIGHT, goal
    for frame in page.frames:
        yield from _frame(frame)
    for group in page.groups:
        yield from _group(group)


def _frame(frame: Frame) -> Iterator[tuple[float, float, Painter]]:
    if frame.rect is not None:
        rect = frame.rect
        corners = outline(NodeKind.STATEMENT, rect, corner=8)
        yield (
            rect.y - 2,
            rect.bottom + 2,
            partial(_Canvas.shape, corners=corners, fill=style.FRAME_FILL, stroke=style.FRAME),
        )
        at = (rect.x + FRAME_TITLE_AT[0], rect.y + FRAME_TITLE_AT[1])
        title = partial(_Canvas.text, at=at, text=frame.name, size=FRAME_TITLE_SIZE, colour=style.INK, anchor="lm")
        yield rect.y, rect.y + 40, title
    for line, hops in zip(frame.chart.lines, frame.chart.hops, strict=True):
        ys = [y for _, y in line.points]
        yield min(ys) - 8, max(ys) + 8, partial(_paint_line, line=line, hops=hops)
    for box in frame.chart.boxes:
        yield box.rect.y - 2, box.rect.bottom + 2, partial(_paint_box, box=box)
    for label in frame.chart.labels:
        yield label.rect.y - 2, label.rect.bottom + 2, partial(_paint_label, label=label)


def _group(group: Group) -> Iterator[tuple[float, float, Painter]]:
    for mark in group.marks:
        match mark:
            case Words(at=at, text=text, size=size, colour=colour, centred=centred):
                anchor = "mm" if centred else "lm"
                paint = partial(_Canvas.text, at=at, text=text, size=size, colour=colour, anchor=anchor)
                yield at[1] - size, at[1] + size, paint
            case Area(corners=corners, fill=fill, stroke=stroke, dashed=dashed):
                ys = [y for _, y in corners]
                shape = partial(_Canvas.shape, corners=corners, fill=fill, stroke=stroke, dashed=dashed)
                yield min(ys) - 2, max(ys) + 2, shape
            case Stroke(points=points, colour=colour):
                ys = [y for _, y in points]
                yield min(ys) - 2, max(ys) + 2, partial(_Canvas.line, points=points, colour=colour)


def _paint_line(canvas: _Canvas, line: Line, hops: Sequence[Point]) -> None:
    canvas.line(rounded(line.points, hops), style.LINE)
    canvas.shape(arrowhead(line.points), style.LINE)


def _paint_box(canvas: _Canvas, box: Box) -> None:
    rect = box.rect
    fill = style.fill_of(box.node)
    canvas.shape(outline(box.node.kind, rect), fill, style.INK, dashed=box.node.private)
    if box.node.kind is NodeKind.CALL:
        for x in (rect.x + style.CALL_BAR, rect.right - style.CALL_BAR):
            canvas.line([(x, rect.y), (x, rect.bottom)], style.INK)
    x, y = rect.middle
    y -= (len(box.lines) - 1) * LINE_HEIGHT / 2
    for i, line in enumerate(box.lines):
        canvas.text((x, y + i * LINE_HEIGHT), line, FONT_SIZE, style.INK)


def _paint_label(canvas: _Canvas, label: Label) -> None:
    at = (label.rect.x, label.rect.middle[1])
    canvas.text(at, label.text, LABEL_SIZE, style.LABEL, anchor="lm")


def _dashes(points: Sequence[Point], on: float = 5, off: float = 3) -> Iterator[list[Point]]:
    """The pieces of a dashed line."""
    for (x1, y1), (x2, y2) in pairwise(points):
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        at = 0.0
        while at < length:
            a, b = at / length, min(length, at + on) / length
            yield [(x1 + (x2 - x1) * t, y1 + (y2 - y1) * t) for t in (a, b)]
            at += on + off


@lru_cache(maxsize=32)
def _font(pixels: float) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(pixels)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise RuntimeError("this Pillow was built without FreeType and cannot write text")
    return font


@lru_cache(maxsize=32)
def _fallback_font(pixels: float) -> ImageFont.FreeTypeFont | None:
    for name in _FALLBACK_FONTS:
        try:
            return ImageFont.truetype(name, pixels)
        except OSError:
            continue
    return None


def _readable(text: str, pixels: float) -> tuple[ImageFont.FreeTypeFont, str]:
    """A font that can show the text, and the text, without what no font at hand can show."""
    if all(map(_is_known, text)):
        return _font(pixels), text
    fallback = _fallback_font(pixels)
    if fallback is not None:
        return fallback, text
    plain = "".join(char if _is_known(char) else unicodedata.normalize("NFKD", char)[0] for char in text)
    return _font(pixels), "".join(char if _is_known(char) else "?" for char in plain)


@lru_cache(maxsize=1024)
def _is_known(char: str) -> bool:
    """Whether Pillow's own font has this character."""
    if char.isascii() and char.isprintable():
        return True
    font = _font(32)
    missing, found = font.getmask("\ufffe"), font.getmask(char)
    return found.size != missing.size or bytes(found) != bytes(missing)
