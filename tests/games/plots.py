"""Valet's four plots, made from our games: choices, leads, how much decisions matter, scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

Row = Mapping[str, Any]

STYLE = (
    "text{font:11px sans-serif;fill:#333}.title{font-weight:bold;font-size:13px}.grid{stroke:#e4e4e4}"
    ".line{stroke:#1f6f8b;stroke-width:1.6;fill:none}.box{fill:#1f6f8b;fill-opacity:.35;stroke:#1f6f8b}"
    ".bar{fill:#1f6f8b}.mean{fill:#c0561b}.half{stroke:#c0561b;stroke-dasharray:3 3}"
)
WIDTH = 640
NAMES = 110
LINE = 18
CELL_WIDTH, CELL_HEIGHT, COLUMNS = 128, 84, 5


def boxes(title: str, rows: Mapping[str, tuple[Sequence[float], float]], ticks: Sequence[float]) -> str:
    """A line for each game from its lowest value to its highest, a box for the quartiles, a dot for the mean."""
    left, right, top = NAMES, WIDTH - 16, 44
    low, high = ticks[0], ticks[-1]

    def x_of(value: float) -> float:
        return left + (min(max(value, low), high) - low) / (high - low) * (right - left)

    parts = []
    bottom = top + LINE * len(rows)
    for tick in ticks:
        parts.append(f'<line class="grid" x1="{x_of(tick):.1f}" y1="{top}" x2="{x_of(tick):.1f}" y2="{bottom}"/>')
        parts.append(f'<text x="{x_of(tick):.1f}" y="{top - 6}" text-anchor="middle">{tick:g}</text>')
    for place, (name, (found, mean)) in enumerate(rows.items()):
        y = top + LINE * place + LINE / 2
        lowest, first, _, third, highest = found
        parts.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{escape(name)}</text>')
        parts.append(f'<line class="line" x1="{x_of(lowest):.1f}" y1="{y}" x2="{x_of(highest):.1f}" y2="{y}"/>')
        width = max(1.0, x_of(third) - x_of(first))
        parts.append(f'<rect class="box" x="{x_of(first):.1f}" y="{y - 5}" width="{width:.1f}" height="10"/>')
        parts.append(f'<circle class="mean" cx="{x_of(mean):.1f}" cy="{y}" r="3"/>')
    return _picture(title, parts, WIDTH, bottom + 10)


def cells(title: str, rows: Mapping[str, Any], draw: Callable[[Any, float, float], list[str]]) -> str:
    """A small picture for each game, side by side."""
    parts = []
    for place, (name, found) in enumerate(rows.items()):
        x, y = 10 + CELL_WIDTH * (place % COLUMNS), 34 + CELL_HEIGHT * (place // COLUMNS)
        parts.append(f'<text x="{x}" y="{y + 12}">{escape(name)}</text>')
        parts += draw(found, x, y + 18)
    height = 34 + CELL_HEIGHT * -(-len(rows) // COLUMNS) + 4
    return _picture(title, parts, 10 + CELL_WIDTH * COLUMNS, height)


INNER_WIDTH, INNER_HEIGHT = CELL_WIDTH - 16, CELL_HEIGHT - 28


def curve(points: Sequence[float], x: float, y: float) -> list[str]:
    """Shares between 0 and 1 from left to right, with a line at one half."""
    base = y + INNER_HEIGHT
    path = " ".join(
        f"{x + INNER_WIDTH * place / max(1, len(points) - 1):.1f},{base - INNER_HEIGHT * point:.1f}"
        for place, point in enumerate(points)
    )
    half = y + INNER_HEIGHT / 2
    return [
        f'<line class="grid" x1="{x}" y1="{base}" x2="{x + INNER_WIDTH}" y2="{base}"/>',
        f'<line class="half" x1="{x}" y1="{half}" x2="{x + INNER_WIDTH}" y2="{half}"/>',
        f'<polyline class="line" points="{path}"/>',
    ]


def bars(found: Row, x: float, y: float) -> list[str]:
    """Shares of scores from the lowest to the highest."""
    shares, base = found["shares"], y + INNER_HEIGHT
    most, width = max(shares), INNER_WIDTH / len(shares)
    drawn = [f'<line class="grid" x1="{x}" y1="{base}" x2="{x + INNER_WIDTH}" y2="{base}"/>']
    for place, share in enumerate(shares):
        height = (INNER_HEIGHT - 10) * share / most
        at = f'x="{x + width * place:.1f}" y="{base - height:.1f}"'
        drawn.append(f'<rect class="bar" {at} width="{width - 0.6:.1f}" height="{height:.1f}"/>')
    drawn.append(f'<text x="{x}" y="{base + 9}" style="font-size:8px">{found["low"]}</text>')
    end = f'x="{x + INNER_WIDTH}" y="{base + 9}" text-anchor="end"'
    return [*drawn, f'<text {end} style="font-size:8px">{found["high"]}</text>']


def _picture(title: str, parts: Sequence[str], width: float, height: float) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n'
        f'<style>{STYLE}</style>\n<rect width="100%" height="100%" fill="#fff"/>\n'
        f'<text class="title" x="10" y="20">{escape(title)}</text>\n{body}\n</svg>\n'
    )
