"""The geometry of pictures: nothing overlaps, no arrow runs through a box, everything is there."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fcdl.drawing.layout import ChartLayout, crossings, lay_out
from fcdl.drawing.page import make_page
from fcdl.language.flowchart import Flowchart
from fcdl.language.load import builtin_names, load_flowchart
from tests.drawing.charts import flowchart, random_lines
from tests.drawing.geometry import faults


def layout(lines: list[str]) -> ChartLayout:
    chart = flowchart({"main": lines})
    return lay_out(list(chart.nodes.values()))


def middles(chart: ChartLayout) -> list[tuple[float, float]]:
    return [box.rect.middle for box in chart.boxes]


@pytest.mark.parametrize("game", builtin_names())
def test_pictures_of_built_in_games_are_sound(game: str) -> None:
    assert faults(make_page(load_flowchart(game))) == []


@settings(max_examples=40)
@given(st.integers(3, 30), st.randoms(use_true_random=False), st.booleans())
def test_pictures_of_random_charts_are_sound(size: int, rng: random.Random, wild: bool) -> None:
    assert faults(make_page(flowchart({"main": random_lines(size, rng, wild=wild)}))) == []


@pytest.mark.parametrize("wild", [True, False])
def test_picture_of_a_chart_too_large_to_try_arrangements_is_sound(wild: bool) -> None:
    lines = random_lines(300, random.Random(7), wild=wild)
    assert faults(make_page(flowchart({"main": lines}))) == []


@settings(max_examples=15)
@given(st.lists(st.integers(3, 12), min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_pictures_of_several_charts_are_sound(sizes: list[int], rng: random.Random) -> None:
    charts = {f"c{i}": random_lines(size, rng, wild=False) for i, size in enumerate(sizes)}
    assert faults(make_page(flowchart(charts))) == []


@pytest.mark.parametrize(
    "lines",
    [
        ["start", "end"],
        ["start", "a: x? yes -> a no -> a", "end"],
        ["start", "a: x? no -> a", "end"],
        ["start", "x? yes -> e no -> e", "e: end"],
        ["start", "a: x -> a", "end"],
    ],
)
def test_odd_charts_are_drawn(lines: list[str]) -> None:
    assert faults(make_page(flowchart({"main": lines}))) == []


def ladder(size: int) -> list[str]:
    """`if`, `else if`, `else if` ..."""
    steps = [line for i in range(size) for line in (f"c{i}: x == {i}? no -> c{i + 1}", f"y = {i} -> out")]
    return ["start", *steps, f"c{size}: y = 0", "out: end"]


def exits(size: int) -> list[str]:
    return ["start", *(f"x > {i}? no -> out" for i in range(size)), "out: end"]


def nested_loops(size: int) -> list[str]:
    return ["start", *(f"l{i}: x = {i}" for i in range(size)), *(f"y? no -> l{i}" for i in range(size)), "end"]


@pytest.mark.parametrize("shape", [ladder, exits, nested_loops])
@pytest.mark.parametrize("size", [12, 150])
def test_extreme_charts_are_sound(shape: Callable[[int], list[str]], size: int) -> None:
    assert faults(make_page(flowchart({"main": shape(size)}))) == []


def test_yes_goes_down_and_no_goes_right() -> None:
    chart = layout(["start", "x? no -> b", "a", "-> e", "b: b", "e: end"])
    at = middles(chart)
    assert at[2][0] == at[1][0]
    assert at[2][1] > at[1][1]
    assert at[4][0] > at[1][0]
    assert at[4][1] == at[1][1]


def test_straight_chart_has_straight_arrows() -> None:
    chart = layout(["start", "a", "b", "c", "end"])
    assert len({x for x, _ in middles(chart)}) == 1
    assert all(len(line.points) == 2 for line in chart.lines)


def test_loop_returns_along_the_side_without_crossings() -> None:
    chart = layout(["start", "again: i < 3? no -> out", "i = i + 1 -> again", "out: end"])
    (back,) = [line for line in chart.lines if line.source == 2]
    assert min(x for x, _ in back.points) < min(box.rect.x for box in chart.boxes)
    assert crossings(chart.lines) == 0


def test_both_branches_come_together_below() -> None:
    chart = layout(["start", "x? no -> b", "a -> j", "b: b", "j: j", "end"])
    at = middles(chart)
    assert at[4][0] == at[1][0]
    assert at[4][1] > max(at[2][1], at[3][1])


def test_trumps_looks_like_the_thesis() -> None:
    """Column by column as on page 52: the trunk, the discard beside its diamond, the score beside the inner loop."""
    chart = make_page(load_flowchart("trumps")).frames[0].chart
    columns: dict[float, list[str]] = {}
    for box in sorted(chart.boxes, key=lambda box: box.rect.y):
        columns.setdefault(box.rect.middle[0], []).append(box.node.caption)
    trunk, discard, score = (columns[x] for x in sorted(columns))
    assert len(trunk) == 18
    assert discard[0] == "end"
    assert discard[1] == "playCard(currentPlayer, card(any, any))"
    assert score[-1] == "Stack.empty"
    assert crossings(chart.lines) <= 3


@pytest.mark.parametrize("wild", [True, False])
def test_large_charts_are_laid_out_in_seconds(wild: bool) -> None:
    chart = flowchart({"main": random_lines(3000, random.Random(1), wild=wild)})
    began = time.process_time()
    page = make_page(chart)
    assert time.process_time() - began < 15
    assert len(page.frames[0].chart.boxes) == 3000


def test_layout_is_the_same_every_time() -> None:
    def picture() -> Flowchart:
        return flowchart({"main": random_lines(40, random.Random(3), wild=True)})

    assert make_page(picture()) == make_page(picture())
