"""The four forms of a picture."""

from __future__ import annotations

import io
import random
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from fcdl.drawing import FORMS, Form, draw
from fcdl.drawing import png as png_module
from fcdl.language.load import builtin_names, load_flowchart
from tests.drawing.charts import flowchart, random_lines

SVG = "{http://www.w3.org/2000/svg}"
CHART = flowchart(
    {
        "main": ["start", 'publish("<&> \\" #{x}")', "a: private x < 3 & y > 1? no -> b", "do sub -> a", "b: end"],
        "sub": ["start", "Deal(7)", "end"],
    },
    title='A "game" <of> & cards',
)  # fmt: skip


def svg(text: bytes) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def image(data: bytes) -> Image.Image:
    found = Image.open(io.BytesIO(data))
    found.load()
    return found


@pytest.mark.parametrize("game", builtin_names())
@pytest.mark.parametrize("form", ["svg", "dot", "mmd"])
def test_built_in_games_can_be_drawn(game: str, form: Form) -> None:
    chart = load_flowchart(game)
    text = draw(chart, form).decode()
    assert chart.title in text
    for node in chart.nodes.values():
        assert (re.search(rf"\b(node-|n){node.number}\b", text) is not None) == (node.box is None)


def test_unknown_form_is_refused() -> None:
    with pytest.raises(ValueError, match=r"cannot draw 'gif' \(forms: svg, png, dot, mmd\)"):
        draw(CHART, "gif")  # type: ignore[arg-type]


@pytest.mark.parametrize("form", FORMS)
def test_drawing_twice_gives_the_same_bytes(form: Form) -> None:
    assert draw(CHART, form) == draw(CHART, form)


def test_svg_shows_each_kind_of_node_by_its_shape() -> None:
    root = svg(draw(CHART, "svg"))
    count = Counter(element.tag.removeprefix(SVG) for element in root.iter())
    assert count["ellipse"] == 4
    assert count["polygon"] == 1
    assert count["rect"] == 1 + 2 + 3  # the background, two frames, two statements and a call
    assert count["a"] == 1


def test_svg_keeps_every_character_of_the_captions() -> None:
    root = svg(draw(CHART, "svg"))
    assert root.findtext(f"{SVG}title") == 'A "game" <of> & cards'
    group = root.find(".//*[@id='node-1']")
    assert group is not None
    assert "".join(text.text or "" for text in group.iter(f"{SVG}text")).replace(" ", "") == 'publish("<&>\\"#{x}")'


def test_svg_has_a_white_background() -> None:
    (background, *_) = svg(draw(CHART, "svg")).iter(f"{SVG}rect")
    assert background.get("fill") == "#ffffff"


def test_svg_labels_every_arrow_out_of_a_diamond() -> None:
    texts = [element.text for element in svg(draw(CHART, "svg")).iter(f"{SVG}text")]
    assert texts.count("yes") == texts.count("no") == 1


@settings(max_examples=40)
@given(st.text(max_size=60), st.text(max_size=20))
def test_any_text_can_be_drawn(caption: str, title: str) -> None:
    chart = flowchart({"main": ["start", "x", "x?", "end"]}, title)
    chart = replace(chart, nodes={number: replace(node, caption=caption) for number, node in chart.nodes.items()})
    svg(draw(chart, "svg"))
    assert draw(chart, "dot").decode().count("\n    n") - 4 == draw(chart, "mmd").decode().count(" -->") == 4


def test_png_needs_no_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    png_module._fallback_font.cache_clear()
    monkeypatch.setattr(png_module, "_FALLBACK_FONTS", ())
    empty, plain, accented = (
        image(draw(flowchart({"main": ["start", caption, "end"]}, title=""), "png")).convert("L")
        for caption in ("      ", "abcdef", "äöü♠漢")
    )
    png_module._fallback_font.cache_clear()
    dark = [sum(shape.histogram()[:90]) for shape in (empty, plain, accented)]
    assert dark[1] > dark[0] + 300
    assert dark[2] > dark[0] + 300


def test_png_is_twice_as_large_as_the_page() -> None:
    root = svg(draw(CHART, "svg"))
    assert image(draw(CHART, "png")).size == (2 * int(root.get("width", "")), 2 * int(root.get("height", "")))


def test_png_of_a_large_chart_is_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png_module, "_MAX_PIXELS", 1_000_000)
    chart = flowchart({"main": random_lines(400, random.Random(2), wild=False)})
    width, height = image(draw(chart, "png")).size
    assert 900_000 < width * height < 1_100_000


def test_dot_has_a_cluster_for_each_chart() -> None:
    text = draw(CHART, "dot").decode()
    assert text.count("subgraph cluster_") == 2
    assert "n2:s -> n3 [label=yes]" in text
    assert "n2:e -> n4 [label=no]" in text
    assert r'label="publish(\"<&> \\\" #{x}\")"' in text
    assert r'n3 [shape=record, label="|do\ sub|"' in text


def test_mermaid_has_a_subgraph_for_each_chart() -> None:
    text = draw(CHART, "mmd").decode()
    assert text.startswith('---\ntitle: "A \\"game\\" \\u003cof\\u003e & cards"\n---\nflowchart TD\n')
    assert text.count("  subgraph ") == text.count("\n  end\n") == 2
    assert "n2 -->|yes| n3" in text
    assert "n2 -->|no| n4" in text
    assert 'n3[["do sub"]]' in text
    assert 'n1["publish(#34;#60;#38;#62; #92;#34; #35;#123;x#125;#34;)"]' in text


def test_picture_in_the_docs_is_what_fcdl_draws() -> None:
    """If the drawing has changed for the better: `fcdl draw trumps -o docs/images/trumps.svg`."""
    picture = Path(__file__).parents[2] / "docs" / "images" / "trumps.svg"
    assert picture.read_bytes() == draw(load_flowchart("trumps"), "svg")
