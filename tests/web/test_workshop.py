"""What the workshop makes of charts, good, broken and hostile; and that a child that takes too much is ended."""

import asyncio
import base64
import re

import pytest

from fcdl.data import data_text
from fcdl.language.load import builtin_names, load_text
from fcdl.web import workshop
from fcdl.web.child import AnswerError, Child, LimitError
from fcdl.web.picture import picture
from fcdl.web.server import page_files
from fcdl.web.templates import TEMPLATES
from fcdl.web.tryout import Tryout
from tests.language.test_bad_charts import CHARTS

HARD = "\n".join(
    [
        'game "Hard"',
        *(f"define f{i}(x) = sum(f{i - 1}(a) for a in 0 to 999)" if i else "define f0(x) = x" for i in range(6)),
        "chart main",
        "    start",
        "    Shuffle",
        "    n = f5(1)",
        "    end",
        "",
    ]
)
"""1,000 to the fifth power."""


@pytest.mark.parametrize("name", builtin_names())
def test_picture_has_every_box_and_every_arrow(name: str) -> None:
    text = data_text("games", f"{name}.fcdl")
    shown = picture(text)
    flowchart = load_text(text).flowchart
    assert flowchart is not None
    assert shown["good"]
    assert [chart["name"] for chart in shown["charts"]] == list(flowchart.charts)
    nodes = [node for chart in flowchart.charts for node in flowchart.drawn(chart)]
    lines = {node.number: node.span.line for node in nodes if node.span}
    boxes = {box["line"]: box for chart in shown["charts"] for box in chart["boxes"]}
    arrows = {(arrow["from"], arrow["kind"], arrow["to"]) for chart in shown["charts"] for arrow in chart["arrows"]}
    assert set(boxes) == set(lines.values())
    assert arrows == {(lines[node.number], kind, lines[to]) for node in nodes for kind, to in node.arrows}
    for node in nodes:
        assert boxes[lines[node.number]]["decision"] == node.is_decision


@pytest.mark.parametrize(
    "text", ["", "\n", "chart", "chart x", "start", "    x ->", "chart a\nb:", 'game "', "\x00", "a ? b ? c"]
)
def test_any_text_has_a_picture(text: str) -> None:
    assert "charts" in picture(text)


def test_broken_box_is_shown_with_its_finding() -> None:
    shown = picture("chart main\n    start\n    Shufle\n    end\n")
    box = shown["charts"][0]["boxes"][1]
    finding = next(one for one in shown["findings"] if one["severity"] == "error")
    assert (box["caption"], box["line"]) == ("Shufle", 3)
    assert (finding["line"], finding["hint"]) == (3, "did you mean 'Shuffle'?")


def test_templates_are_games_without_mistakes() -> None:
    for template in TEMPLATES:
        findings = [one for one in picture(template.chart)["findings"] if one["severity"] != "note"]
        assert template.name == "empty" or not findings


def test_forms_and_drawings() -> None:
    text = data_text("games", "trumps.fcdl")
    for form in ("facts", "states", "json"):
        other = workshop.convert(text, form)["text"]
        assert picture(workshop.import_text(other)["text"])["good"]
    assert base64.b64decode(workshop.draw_chart(text, "svg")["data"]).startswith(b"<?xml")
    with pytest.raises(AnswerError):
        workshop.convert("chart x\n    start\n    y(\n", "json")


def test_edit_that_makes_no_sense_is_refused() -> None:
    text = TEMPLATES[0].chart
    for edit in ({}, {"do": "insert"}, {"do": "delete", "lines": [6]}, {"do": "caption", "line": 99, "caption": "x"}):
        with pytest.raises(ValueError, match=r"edit|start|box"):
            workshop.edit(text, edit)


def test_heuristics_light_the_path_that_they_speak_of_and_no_other_box() -> None:
    text = data_text("games", "agram.fcdl")
    lines = text.split("\n")
    seen = set()
    for row in workshop.heuristics(text)["derived"]:
        captions = [lines[line - 1].strip().partition("?")[0] for line in row["lines"]]
        follows, higher = "must play one" in row["sentence"], "is higher" in row["sentence"]
        seen.add((follows, higher))
        assert captions[0] == "do trick"
        assert ("playCard(turn, card(any, led))" in captions) == follows
        assert ("playCard(turn, cards)" in captions) == (not follows)
        assert any(caption.startswith("winner = turn") for caption in captions) == higher
        answers = {kind for line, kind in row["arrows"] if lines[line - 1].strip().startswith("rankValue")}
        assert answers == ({"yes"} if higher else {"no"} if follows else set())
    assert len(seen) == 3


def test_try_out_steps_forth_and_back_and_keeps_its_place_over_an_edit() -> None:
    text = next(one.chart for one in TEMPLATES if one.name == "high card")
    pane = Tryout()
    first = pane.do({"do": "start", "text": text, "seed": "1"})
    assert text.split("\n")[first["line"] - 1].strip() == "start"
    there = pane.do({"do": "decision"})
    assert there["mover"] == 0
    assert there["legal"]
    assert pane.do({"do": "step"})["line"] != there["line"]
    assert pane.do({"do": "back"})["line"] == there["line"]
    changed = text.replace("    Shuffle\n", '    publish("Hello.")\n    Shuffle\n')
    after = pane.do({"do": "reload", "text": changed})
    assert after["line"] == there["line"] + 1
    assert after["legal"] == there["legal"]
    assert "not reloaded" in pane.do({"do": "reload", "text": "nonsense("})["said"]
    seen = pane.do({"do": "look", "seat": 1})
    hands = {pile["owner"]: pile["cards"] for pile in seen["view"]["piles"] if pile["zone"] == "hand"}
    assert hands[0] == []
    assert len(hands[1]) == 5
    assert seen["legal"] == [], "one seat is not told what another may play"


async def _ask(do: str, seconds: float = 2.0, memory_mb: int = 2048, **arguments: object) -> object:
    child = Child("fcdl.web.workshop", memory_mb=memory_mb)
    try:
        await child.ask("check", seconds=30, text=TEMPLATES[0].chart)  # it is there, so time is the chart's
        return await child.ask(do, seconds=seconds, **arguments)
    finally:
        await child.close()


def test_chart_that_takes_too_long_is_ended_and_the_next_one_is_served() -> None:
    async def both() -> object:
        child = Child("fcdl.web.tryout", memory_mb=2048)
        try:
            await child.ask("do", seconds=30, message={"do": "start", "text": HARD})
            with pytest.raises(LimitError):
                await child.ask("do", seconds=1.5, message={"do": "go"})
            return await child.ask("do", seconds=30, message={"do": "start", "text": TEMPLATES[1].chart})
        finally:
            await child.close()

    assert asyncio.run(both())


def test_errors_of_a_chart_are_answers() -> None:
    with pytest.raises(AnswerError):
        asyncio.run(_ask("draw", text="chart x\n    nonsense(\n", form="svg"))


def test_findings_of_all_bad_charts_have_a_picture() -> None:
    assert len(CHARTS) > 50
    for path in CHARTS[::7]:
        assert picture(path.read_text())["findings"]


def test_child_that_takes_too_much_memory_is_ended_and_the_next_one_is_served() -> None:
    async def both() -> object:
        child = Child("tests.web.greedy", memory_mb=600)
        try:
            assert await child.ask("take", seconds=30, mb=1) == 1
            with pytest.raises(LimitError, match="600 MB"):
                await child.ask("take", seconds=30, mb=2000)
            return await child.ask("take", seconds=30, mb=1)
        finally:
            await child.close()

    assert asyncio.run(both()) == 1


def test_every_part_of_the_palette_can_be_put_into_a_chart() -> None:
    bricks = page_files()["bricks.js"][0].decode().partition("];")[0]
    captions = [double or single for double, single in re.findall(r"""caption: (?:"([^"]*)"|'([^']*)')""", bricks)]
    assert len(captions) > 20
    text = TEMPLATES[0].chart.replace("    end", "    leader = player(0)\n    rounds = 0\n    turn = leader\n    end")
    line = text[: text.index("turn = leader")].count("\n") + 1
    for written in captions:
        caption = written
        for gap, first in re.findall(r"\{(\w+):\w+=([^{}]*)\}", written):
            caption = re.sub(rf"\{{{gap}(:\w+=[^{{}}]*)?\}}", first.replace("\\", ""), caption)
        shown = workshop.edit(text, {"do": "insert", "line": line, "arrow": "next", "caption": caption})["picture"]
        assert shown["good"], (caption, shown["findings"])
