"""Small pictures: points with their intervals, joined by a line, and published levels."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from tests.results.measured import Number

WIDTH, HEIGHT = 560, 320
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 34, 44
STYLE = (
    "text{font:12px sans-serif;fill:#333}.title{font-weight:bold}.grid{stroke:#ddd}.axis{stroke:#888}"
    ".line{stroke:#1f6f8b;stroke-width:2;fill:none}.bar{stroke:#1f6f8b}.dot{fill:#1f6f8b}"
    ".level{stroke:#c0561b;stroke-dasharray:5 4}.name{fill:#c0561b}"
)


def line_chart(
    title: str,
    across: str,
    up: str,
    points: Sequence[tuple[float, Number]],
    levels: Sequence[tuple[float, str]] = (),
) -> str:
    """The chart as SVG."""
    low = min([number.low for _, number in points] + [value for value, _ in levels])
    high = max([number.high for _, number in points] + [value for value, _ in levels])
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100) if (high - low) / step <= 7)
    bottom, top = step * int(low // step), step * int(-(-high // step))
    first, last = min(x for x, _ in points), max(x for x, _ in points)

    def x_of(value: float) -> float:
        return LEFT + 10 + (value - first) / max(last - first, 1) * (WIDTH - LEFT - RIGHT - 20)

    def y_of(value: float) -> float:
        return HEIGHT - BOTTOM - (value - bottom) / (top - bottom) * (HEIGHT - TOP - BOTTOM)

    parts = [f'<text class="title" x="{LEFT}" y="20">{escape(title)}</text>']
    for tick in range(bottom, top + 1, step):
        y = y_of(tick)
        parts.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick}</text>')
    for value, name in levels:
        y = y_of(value)
        parts.append(f'<line class="level" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>')
        parts.append(f'<text class="name" x="{WIDTH - RIGHT}" y="{y - 5:.1f}" text-anchor="end">{escape(name)}</text>')
    base = HEIGHT - BOTTOM
    parts.append(f'<line class="axis" x1="{LEFT}" y1="{base}" x2="{WIDTH - RIGHT}" y2="{base}"/>')
    path = " ".join(f"{x_of(x):.1f},{y_of(number.value):.1f}" for x, number in points)
    parts.append(f'<polyline class="line" points="{path}"/>')
    for x, number in points:
        across_at = f"{x_of(x):.1f}"
        ends = f'y1="{y_of(number.low):.1f}" x2="{across_at}" y2="{y_of(number.high):.1f}"'
        parts.append(f'<line class="bar" x1="{across_at}" {ends}/>')
        parts.append(f'<circle class="dot" cx="{across_at}" cy="{y_of(number.value):.1f}" r="3.5"/>')
        parts.append(f'<text x="{across_at}" y="{base + 16}" text-anchor="middle">{x:g}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH) / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">{escape(across)}</text>')
    turned = f'transform="rotate(-90 14 {(TOP + base) // 2})"'
    parts.append(f'<text x="14" y="{(TOP + base) // 2}" text-anchor="middle" {turned}>{escape(up)}</text>')
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">\n'
        f'<style>{STYLE}</style>\n<rect width="100%" height="100%" fill="#fff"/>\n{body}\n</svg>\n'
    )
