"""Small pictures of results, as SVG: curves with intervals, rows with intervals, distributions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Protocol

WIDTH, HEIGHT = 560, 320
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 34, 44
STYLE = (
    "text{font:12px sans-serif;fill:#333}.title{font-weight:bold}.grid{stroke:#ddd}.axis{stroke:#888}"
    ".line{stroke:#1f6f8b;stroke-width:2;fill:none}.bar{stroke:#1f6f8b}.dot{fill:#1f6f8b}"
    ".level{stroke:#c0561b;stroke-dasharray:5 4}.name{fill:#c0561b}"
)
LONGEST = 64
"""Letters of a name that are shown."""
BINS = 25
COLOURS = ("#1f6f8b", "#c0561b", "#4b7f3a", "#7a4b9a", "#a8842c", "#a33a5b")
STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


class Interval(Protocol):
    """A figure with the bounds between which it may well lie."""

    @property
    def value(self) -> float:
        """The figure."""

    @property
    def low(self) -> float:
        """The lower bound."""

    @property
    def high(self) -> float:
        """The upper bound."""


def line_chart(
    title: str,
    across: str,
    up: str,
    points: Sequence[tuple[float, Interval]],
    levels: Sequence[tuple[float, str]] = (),
    least_step: float = 1,
    *,
    joined: bool = True,
) -> str:
    """Points with their intervals, joined by a line, and levels to compare them with."""
    low = min([number.low for _, number in points] + [value for value, _ in levels])
    high = max([number.high for _, number in points] + [value for value, _ in levels])
    ticks = _ticks(low, high, least_step)
    bottom, top = ticks[0], ticks[-1]
    first, last = min(x for x, _ in points), max(x for x, _ in points)
    span = last - first or 1

    def x_of(value: float) -> float:
        return LEFT + 10 + (value - first) / span * (WIDTH - LEFT - RIGHT - 20)

    def y_of(value: float) -> float:
        return HEIGHT - BOTTOM - (value - bottom) / (top - bottom) * (HEIGHT - TOP - BOTTOM)

    parts = [f'<text class="title" x="{LEFT}" y="20">{escape(title)}</text>']
    for tick in ticks:
        y = y_of(tick)
        parts.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for value, name in levels:
        y = y_of(value)
        parts.append(f'<line class="level" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>')
        parts.append(f'<text class="name" x="{WIDTH - RIGHT}" y="{y - 5:.1f}" text-anchor="end">{escape(name)}</text>')
    base = HEIGHT - BOTTOM
    parts.append(f'<line class="axis" x1="{LEFT}" y1="{base}" x2="{WIDTH - RIGHT}" y2="{base}"/>')
    if joined:
        path = " ".join(f"{x_of(x):.1f},{y_of(number.value):.1f}" for x, number in points)
        parts.append(f'<polyline class="line" points="{path}"/>')
    labels = {x for x, _ in points} if len({x for x, _ in points}) <= 20 else {first, last}
    for x, number in points:
        across_at = f"{x_of(x):.1f}"
        ends = f'y1="{y_of(number.low):.1f}" x2="{across_at}" y2="{y_of(number.high):.1f}"'
        parts.append(f'<line class="bar" x1="{across_at}" {ends}/>')
        parts.append(f'<circle class="dot" cx="{across_at}" cy="{y_of(number.value):.1f}" r="3.5"/>')
        if x in labels:
            parts.append(f'<text x="{across_at}" y="{base + 16}" text-anchor="middle">{x:g}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH) / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">{escape(across)}</text>')
    turned = f'transform="rotate(-90 14 {(TOP + base) // 2})"'
    parts.append(f'<text x="14" y="{(TOP + base) // 2}" text-anchor="middle" {turned}>{escape(up)}</text>')
    return _svg(parts)


def row_chart(title: str, across: str, rows: Sequence[tuple[str, Interval]], level: float | None = None) -> str:
    """A row for each name: its figure and its interval, and a level to compare them with."""
    left = 8 + min(7 * LONGEST, 7 * max(len(name) for name, _ in rows))
    width, height = left + 360, TOP + 24 * len(rows) + BOTTOM
    bounds = [bound for _, number in rows for bound in (number.low, number.high)]
    ticks = _ticks(
        min([*bounds, *([level] if level is not None else [])]),
        max([*bounds, *([level] if level is not None else [])]),
        STEPS[0],
    )

    def x_of(value: float) -> float:
        return left + 10 + (value - ticks[0]) / (ticks[-1] - ticks[0]) * (width - left - RIGHT - 20)

    base = height - BOTTOM
    parts = [f'<text class="title" x="8" y="20">{escape(title)}</text>']
    for tick in ticks:
        parts.append(f'<line class="grid" x1="{x_of(tick):.1f}" y1="{TOP}" x2="{x_of(tick):.1f}" y2="{base}"/>')
        parts.append(f'<text x="{x_of(tick):.1f}" y="{base + 16}" text-anchor="middle">{tick:g}</text>')
    if level is not None:
        parts.append(f'<line class="level" x1="{x_of(level):.1f}" y1="{TOP}" x2="{x_of(level):.1f}" y2="{base}"/>')
    for place, (name, number) in enumerate(rows):
        y = TOP + 24 * place + 12
        shown = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
        parts.append(f'<text x="{left}" y="{y + 4}" text-anchor="end">{escape(shown)}</text>')
        parts.append(f'<line class="bar" x1="{x_of(number.low):.1f}" y1="{y}" x2="{x_of(number.high):.1f}" y2="{y}"/>')
        parts.append(f'<circle class="dot" cx="{x_of(number.value):.1f}" cy="{y}" r="3.5"/>')
    parts.append(f'<text x="{(left + width) / 2:.0f}" y="{height - 8}" text-anchor="middle">{escape(across)}</text>')
    return _svg(parts, width, height)


def distribution_chart(title: str, across: str, series: Mapping[str, Mapping[int, int]]) -> str:
    """How often each number came, as a line for each series, in percent of the series."""
    shares = {
        name: {number: 100 * count / sum(counts.values()) for number, count in counts.items()}
        for name, counts in series.items()
        if counts
    }
    low = min(min(counts) for counts in shares.values())
    high = max(max(counts) for counts in shares.values())
    width = max(1, -(-(high - low + 1) // BINS))  # numbers to a bin
    bins = {
        name: [sum(counts.get(first + n, 0.0) for n in range(width)) for first in range(low, high + 1, width)]
        for name, counts in shares.items()
    }
    ticks = _ticks(0, max(max(values) for values in bins.values()), STEPS[0])
    number = len(next(iter(bins.values())))
    height = HEIGHT + 16 * len(bins)

    def x_of(place: float) -> float:
        return LEFT + 10 + place / max(1, number - 1) * (WIDTH - LEFT - RIGHT - 20)

    def y_of(value: float) -> float:
        return HEIGHT - BOTTOM - value / ticks[-1] * (HEIGHT - TOP - BOTTOM)

    base = HEIGHT - BOTTOM
    parts = [f'<text class="title" x="{LEFT}" y="20">{escape(title)}</text>']
    for tick in ticks:
        parts.append(
            f'<line class="grid" x1="{LEFT}" y1="{y_of(tick):.1f}" x2="{WIDTH - RIGHT}" y2="{y_of(tick):.1f}"/>'
        )
        parts.append(f'<text x="{LEFT - 6}" y="{y_of(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for place in dict.fromkeys(round(n * (number - 1) / 6) for n in range(7)):
        parts.append(f'<text x="{x_of(place):.1f}" y="{base + 16}" text-anchor="middle">{low + width * place}</text>')
    for place, (name, values) in enumerate(bins.items()):
        colour = COLOURS[place % len(COLOURS)]
        path = " ".join(f"{x_of(n):.1f},{y_of(value):.1f}" for n, value in enumerate(values))
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        y = HEIGHT + 16 * place
        parts.append(
            f'<line x1="{LEFT}" y1="{y - 4}" x2="{LEFT + 20}" y2="{y - 4}" stroke="{colour}" stroke-width="2"/>'
        )
        parts.append(f'<text x="{LEFT + 26}" y="{y}">{escape(name[:80])}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH) / 2:.0f}" y="{base + 32}" text-anchor="middle">{escape(across)}</text>')
    parts.append(f'<text x="{LEFT - 6}" y="{TOP - 12}" text-anchor="end">%</text>')
    return _svg(parts, WIDTH, height)


def _ticks(low: float, high: float, least_step: float) -> list[float]:
    """Round numbers around an interval, eight or so."""
    step = next((step for step in STEPS if step >= least_step and (high - low) / step <= 7), STEPS[-1])
    first, last = int(low // step), int(-(-high // step))
    return [round(step * n, 6) for n in range(first, max(last, first + 1) + 1)]


def _svg(parts: Sequence[str], width: float = WIDTH, height: float = HEIGHT) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n'
        f'<style>{STYLE}</style>\n<rect width="100%" height="100%" fill="#fff"/>\n{body}\n</svg>\n'
    )
