"""What stands beside the charts, how large pictures are, hops, and trees of paths."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from fcdl.drawing import draw, draw_paths
from fcdl.drawing.layout import Line, _hops
from fcdl.drawing.page import Wanted, make_page
from fcdl.drawing.shapes import hops_between, rounded
from fcdl.language.load import builtin_names, load_flowchart
from tests.drawing.charts import flowchart

SVG = "{http://www.w3.org/2000/svg}"


def words(svg: bytes, group: str) -> str:
    """The text of a group of an SVG picture."""
    found = ElementTree.fromstring(svg).find(f".//*[@id='{group}']")
    return "" if found is None else " ".join(text.text or "" for text in found.iter(f"{SVG}text"))


def test_definitions_are_drawn_unless_switched_off() -> None:
    durak = load_flowchart("durak")
    assert "define isTrump(c) = suit(c) == trumpSuit" in words(draw(durak, "svg"), "definitions")
    assert "zone trumpCard: face up" in words(draw(durak, "svg"), "definitions")
    assert words(draw(durak, "svg", Wanted(definitions=False)), "definitions") == ""


def test_the_legend_has_the_shapes_that_occur() -> None:
    durak, trumps = (draw(load_flowchart(name), "svg") for name in ("durak", "trumps"))
    assert words(durak, "legend") == "start, end what happens a player decides a question another chart"
    assert words(trumps, "legend") == "start, end what happens a player decides a question"
    assert words(draw(load_flowchart("trumps"), "svg", Wanted(legend=False)), "legend") == ""


@pytest.mark.parametrize("name", ["trumps", "durak", "skat"])
def test_nothing_beside_the_charts_overlaps_them_or_leaves_the_page(name: str) -> None:
    page = make_page(load_flowchart(name))
    frames = [frame.rect for frame in page.frames if frame.rect is not None]
    for group in page.groups:
        corners = [point for mark in group.marks for point in getattr(mark, "corners", ())]
        left, right = min(x for x, _ in corners), max(x for x, _ in corners)
        top, bottom = min(y for _, y in corners), max(y for _, y in corners)
        assert left >= 0 <= top
        assert right <= page.width
        assert bottom <= page.height
        for rect in frames:
            assert right <= rect.x or left >= rect.right or bottom <= rect.y or top >= rect.bottom


@pytest.mark.parametrize(
    ("width", "fits"),
    [(900, (900, 10_000)), ("paper", (180 / 25.4 * 300 + 1, 267 / 25.4 * 300 + 1)), ("slide", (1920, 1080))],
)
def test_pictures_are_as_wide_as_they_are_to_be(width: int | str, fits: tuple[float, float]) -> None:
    image = Image.open(io.BytesIO(draw(load_flowchart("durak"), "png", Wanted(width=width))))
    assert image.width <= fits[0]
    assert image.height <= fits[1]
    root = ElementTree.fromstring(draw(load_flowchart("durak"), "svg", Wanted(width=width)))
    assert root.attrib["width"].endswith("mm") == (width == "paper")
    if isinstance(width, int):
        assert image.width == width == int(root.attrib["width"])


def test_arrows_hop_over_arrows_to_other_boxes_only() -> None:
    across = Line(0, 1, "next", ((0, 10), (100, 10)))
    other, same = (Line(2, target, "next", ((x, 0), (x, 50))) for target, x in ((3, 40), (1, 70)))
    assert _hops([across, other, same]) == (((40, 10),), (), ())
    assert hops_between((100, 10), (0, 10), [(20, 10), (40, 10), (40, 20)]) == [(40, 10), (20, 10)]
    assert hops_between((0, 10), (100, 10), [(3, 10), (98, 10)]) == []  # no room at the ends
    assert min(y for _, y in rounded(across.points, [(40, 10)])) == pytest.approx(5)


def test_every_crossing_in_a_picture_is_a_bow() -> None:
    layouts = [frame.chart for name in builtin_names()[:12] for frame in make_page(load_flowchart(name)).frames]
    assert sum(len(hops) for chart in layouts for hops in chart.hops) > 0
    trumps = draw(load_flowchart("trumps"), "svg").decode()
    (chart,) = (frame.chart for frame in make_page(load_flowchart("trumps")).frames)
    assert len(re.findall(r"A5 5 0 0 [01]", trumps)) == sum(map(len, chart.hops))


def test_a_chart_with_nothing_to_define_has_no_panel() -> None:
    assert words(draw(flowchart({"main": ["start", "Shuffle", "end"]}), "svg"), "definitions") == ""


@dataclass
class Twig:
    steps: tuple[str, ...]
    worth: str = ""
    good: bool | None = None
    branches: list[Twig] = field(default_factory=list)


def test_paths_are_drawn_with_their_worth() -> None:
    tree = Twig(("when you lead",), "−1 to +1", None, [Twig(("high",), "+1", True), Twig(("low",), "−1", False)])
    svg = draw_paths("A game", ["You want more."], [tree], "svg")
    text = words(svg, "paths")
    assert text.startswith("You want more. At each step: what can come of it, from the worst to the best.")
    assert "When you lead −1 to +1" in text
    assert b'fill="#166534"' in svg
    assert Image.open(io.BytesIO(draw_paths("A game", [], [tree], "png"))).width > 300


def test_picture_of_paths_in_the_docs_is_what_fcdl_draws(tmp_path: Path) -> None:
    """If it has changed for the better: `fcdl heuristics trumps -o docs/images/trumps-paths.svg`."""
    from click.testing import CliRunner

    from fcdl.cli import main

    result = CliRunner().invoke(main, ["heuristics", "trumps", "-o", str(tmp_path / "paths.svg")])
    assert result.exit_code == 0, result.output
    picture = Path(__file__).parents[2] / "docs" / "images" / "trumps-paths.svg"
    assert (tmp_path / "paths.svg").read_bytes() == picture.read_bytes()
