"""Captions: how wide text is, where it is broken into lines, and how large a box it needs.

Widths come from a table (DejaVu Sans, the widest of the usual sans-serif fonts), so that a picture is the same on
every machine, with or without fonts, and no caption is ever wider than its box.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, inf, sqrt

from fcdl.language.flowchart import NodeKind

FONT_SIZE = 13
LINE_HEIGHT = 17
MAX_CAPTION = 600
"""Longer captions are cut; no box is larger than a page."""

_ASCII_WIDTHS = (
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863,
    748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635,
    615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
    337, 636, 838,
)  # fmt: skip
_WIDTHS = {chr(32 + i): width / 1000 for i, width in enumerate(_ASCII_WIDTHS)}

_STATEMENT_WIDTH = 250
_CHOICE_WIDTHS = (90, 120, 150, 180, 210, 240)
_RHOMBUS_RATIOS = (2.4, 4.5)
"""How many times wider than high a rhombus may be: wide ones for one line, higher ones for many."""

_TOKENS = re.compile(r"\s+|\w+|[=!<>]=|[^\w\s]")
_BREAK_BEFORE = {
    "&": 1, "|": 1, "and": 1, "or": 1, "with": 2, "for": 2, "if": 3, "==": 3, "!=": 3, "<": 3, "<=": 3, ">": 3, ">=": 3,
    "+": 4, "-": 4, "*": 5, "/": 5, "%": 5,
}  # fmt: skip
"""What a line may begin with, and how bad that is."""
_BREAK_AFTER = {",": 1, "=": 2, "(": 18, "{": 18}
"""What a line may end with."""
_AT_SPACE = 18
_AT_QUOTED_SPACE = 2
_INSIDE_WORD = 30


@dataclass(frozen=True, slots=True)
class Caption:
    """A caption broken into lines, and the size of the box that holds it."""

    lines: tuple[str, ...]
    width: int
    height: int

    @staticmethod
    def sized(lines: tuple[str, ...], width: float, height: float) -> Caption:
        """A caption in a box of at least this size; sides are even, so that middles are whole pixels."""
        return Caption(lines, 2 * ceil(width / 2), 2 * ceil(height / 2))


def text_width(text: str, size: float = FONT_SIZE) -> float:
    """The width of a line of text in pixels; no common sans-serif font needs more."""
    return size * sum(_WIDTHS.get(char) or _unusual_width(char) for char in text)


def _unusual_width(char: str) -> float:
    if unicodedata.combining(char) or unicodedata.category(char) == "Cf":
        return 0.0
    return 1.2 if unicodedata.east_asian_width(char) in "WF" else 0.9


@lru_cache(maxsize=4096)
def fit(kind: NodeKind, text: str) -> Caption:
    """The lines of a caption and the size of its box."""
    text = _clean(text)
    match kind:
        case NodeKind.CHOICE:
            return _fit_rhombus(text)
        case NodeKind.START | NodeKind.END:
            lines = wrap(text, _STATEMENT_WIDTH)
            return Caption.sized(lines, _widest(lines) * 1.2 + 44, len(lines) * LINE_HEIGHT * 1.2 + 16)
        case _:
            lines = wrap(text, _STATEMENT_WIDTH)
            sides = 44 if kind is NodeKind.CALL else 26
            return Caption.sized(lines, max(70, _widest(lines) + sides), len(lines) * LINE_HEIGHT + 18)


def _widest(lines: tuple[str, ...]) -> float:
    return max(text_width(line) for line in lines)


def _fit_rhombus(text: str) -> Caption:
    """Tries several widths and takes the smallest rhombus; lines near the middle may be longer."""
    best, best_cost = Caption((), 0, 0), inf
    for limit in _CHOICE_WIDTHS:
        lines, cost = _wrap(text, limit)
        caption = _rhombus(lines)
        cost = caption.width + 2 * caption.height + 10 * cost
        if cost < best_cost:
            best, best_cost = caption, cost
        if len(lines) == 1:
            break
    return best


def _rhombus(lines: tuple[str, ...]) -> Caption:
    """A rhombus in which the corners of every line lie inside."""
    step = LINE_HEIGHT - 2
    low, high = _RHOMBUS_RATIOS
    ratio = min(high, max(low, sqrt(1.5 * _widest(lines) / (step * len(lines)))))
    middle = len(lines) / 2
    height = 8 + max(
        (text_width(line) + 6) / ratio + 2 * step * max(abs(index - middle), abs(index + 1 - middle))
        for index, line in enumerate(lines)
    )
    return Caption.sized(lines, max(100, height * ratio), max(40, height))


def _clean(text: str) -> str:
    """One line without control characters, not too long."""
    text = "".join(
        " " if unicodedata.category(char) in ("Cc", "Cs", "Co", "Cn") else char for char in text[: MAX_CAPTION + 1]
    )
    return text if len(text) <= MAX_CAPTION else text[: MAX_CAPTION - 1] + "…"


def wrap(text: str, limit: float) -> tuple[str, ...]:
    """The lines of a text, each at most `limit` pixels wide."""
    return _wrap(text, limit)[0]


def _wrap(text: str, limit: float) -> tuple[tuple[str, ...], float]:
    """Breaks text into lines of at most `limit` pixels, at operators and commas, the outermost ones first.

    The breaks are the cheapest ones: every line costs something, so do ragged lines and deep breaks.
    Returns the cost, too.
    """
    if text_width(text) <= limit:
        return (text,), 0.0
    pieces = list(_pieces(text, limit))
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, len(pieces) + 1):
        best.append(min(_line_costs(pieces, best, end, limit)))
    lines: list[str] = []
    end = len(pieces)
    while end > 0:
        start = best[end][1]
        lines.append("".join(piece.text for piece in pieces[start:end]).strip())
        end = start
    return tuple(reversed(lines)), best[-1][0]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a text that stays on one line, and what a break after it costs."""

    text: str
    width: float
    cost: float


def _line_costs(
    pieces: list[_Piece], best: list[tuple[float, int]], end: int, limit: float
) -> Iterator[tuple[float, int]]:
    """The cost of everything up to `end` for each place where its last line may begin."""
    width = 0.0
    raggedness, break_cost = (0.6, 0.0) if end == len(pieces) else (2.0, pieces[end - 1].cost)
    for start in range(end - 1, -1, -1):
        width += pieces[start].width
        if width > limit + 4 and start < end - 1:
            return
        slack = max(0.0, 1 - width / limit)
        yield best[start][0] + 3 + raggedness * slack * slack + break_cost, start


def _pieces(text: str, limit: float) -> Iterator[_Piece]:
    current, before, depth, quoted = "", "", 0, False
    for token in _chunks(text, limit):
        cost = 0 if token.isspace() or not current else _break_cost(before, current[-1].isspace(), token, quoted)
        if not cost and text_width(current + token) > limit:
            cost = _INSIDE_WORD
        if cost and current:
            yield _Piece(current, text_width(current), 0.3 * cost + 1.4 * max(0, depth))
            current = ""
        current += token
        quoted ^= token == '"'
        if not quoted:
            depth += (token in "({") - (token in ")}")
        before = before if token.isspace() else token
    yield _Piece(current, text_width(current), 0.0)


def _break_cost(before: str, spaced: bool, token: str, quoted: bool) -> float:
    """The cost of a break between two tokens, 0 where there must be none."""
    if quoted and spaced:
        return _AT_QUOTED_SPACE
    if before in _BREAK_AFTER and not quoted:
        return 0 if token in ")}" else _BREAK_AFTER[before]
    if before in _BREAK_BEFORE:
        return 0
    if token in _BREAK_BEFORE and not quoted:
        return _BREAK_BEFORE[token]
    if spaced:
        return _AT_SPACE
    return _INSIDE_WORD if token[0].isalnum() and before[-1].isalnum() else 0


def _chunks(text: str, limit: float) -> Iterator[str]:
    """The tokens of a text; those that are too long for a line come in parts."""
    size = max(1, int(limit / (FONT_SIZE * 1.2)))
    for match in _TOKENS.finditer(text):
        token = match.group()
        if len(token) <= size or text_width(token) <= limit:
            yield token
        else:
            yield from (token[start : start + size] for start in range(0, len(token), size))
