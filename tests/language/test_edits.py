"""Edits of the text: the chart changes as it was meant to, and everything else stays as the author wrote it."""

import random

import pytest

from fcdl.data import data_text
from fcdl.language import tree
from fcdl.language.diagnostics import Findings
from fcdl.language.edits import EditError, Sheet
from fcdl.language.load import builtin_names
from fcdl.language.parser import parse_text
from fcdl.language.text import format_body

GAMES = builtin_names()
Graph = dict[str, list[tuple[str, tuple[int | None, ...]]]]


def graph(text: str) -> Graph:
    """Each chart's captions and where its arrows lead, as places in the chart; the text must be readable."""
    findings = Findings()
    document = parse_text(text, findings)
    assert not findings.has_errors, findings.sorted()[0]
    found: Graph = {}
    for chart in document.charts:
        place: dict[int | None, int] = {node.number: number for number, node in enumerate(chart.nodes)}
        found[chart.name] = [
            (format_body(node.body), tuple(place.get(to) for to in (node.next, node.yes, node.no)))
            for node in chart.nodes
        ]
    return found


def arrows_of(text: str) -> list[tuple[int, str]]:
    return [(box.row.line, kind) for chart in Sheet(text).charts for box in chart.boxes for kind in box.kinds]


def comments(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip().startswith("#")]


@pytest.mark.parametrize("name", GAMES)
def test_text_that_is_not_edited_stays_as_it_is(name: str) -> None:
    text = data_text("games", f"{name}.fcdl")
    assert Sheet(text).text() == text


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("caption", ["zzz = 1", "zzz == 1?"])
def test_box_comes_between_two_others_and_goes_again(name: str, caption: str) -> None:
    text = data_text("games", f"{name}.fcdl")
    before = graph(text)
    for line, kind in random.Random(name).sample(arrows_of(text), 12):
        sheet = Sheet(text)
        row = sheet.insert(line, kind, caption)
        changed = sheet.text()
        assert comments(changed) == comments(text)
        chart, box = Sheet(changed).find(row.line)
        nodes = graph(changed)[chart.name]
        at = chart.boxes.index(box)
        assert nodes[at][0] == caption.removesuffix("?")
        sources = [number for number, (_, to) in enumerate(nodes) if at in to]
        assert len(sources) == 1, "one arrow leads there"
        old_chart, old_box = Sheet(text).find(line)
        old_target = old_box.leads[kind]
        assert old_target is not None
        wanted = before[chart.name][old_chart.boxes.index(old_target)][0]
        assert {nodes[to][0] for to in nodes[at][1] if to is not None} == {wanted}
        again = Sheet(changed)
        again.delete(row.line)
        assert graph(again.text()) == before


@pytest.mark.parametrize("name", GAMES)
def test_arrow_leads_where_it_is_led(name: str) -> None:
    text = data_text("games", f"{name}.fcdl")
    source = random.Random(name)
    for line, kind in source.sample(arrows_of(text), 10):
        sheet = Sheet(text)
        chart, box = sheet.find(line)
        target = source.choice(chart.boxes[1:])
        sheet.connect(line, kind, target.row.line)
        places = chart.boxes.index(box), chart.boxes.index(target), ("next", "yes", "no").index(kind)
        after, before = graph(sheet.text()), graph(text)
        assert after[chart.name][places[0]][1][places[2]] == places[1]
        changed = list(before[chart.name][places[0]][1])
        changed[places[2]] = places[1]
        before[chart.name][places[0]] = (before[chart.name][places[0]][0], tuple(changed))
        assert after == before, "no other arrow has moved"


@pytest.mark.parametrize("name", GAMES)
def test_deleted_box_is_passed_by(name: str) -> None:
    text = data_text("games", f"{name}.fcdl")
    sheet = Sheet(text)
    boxes = [box.row.line for chart in sheet.charts for box in chart.boxes if box.caption not in ("start", "end")]
    for line in random.Random(name).sample(boxes, 6):
        sheet = Sheet(text)
        chart, box = sheet.find(line)
        at = chart.boxes.index(box)
        sheet.delete(line)
        after, before = graph(sheet.text())[chart.name], graph(text)[chart.name]
        assert [caption for caption, _ in after] == [caption for caption, _ in before[:at] + before[at + 1 :]]


def test_comments_and_blank_lines_stay() -> None:
    text = '# head\ngame "X"  # title\n\nchart main\n    start\n\n    # why\n    a = 1  # one\n    end\n'
    sheet = Sheet(text)
    sheet.set_caption(8, "a = 2")
    assert sheet.text() == text.replace("a = 1", "a = 2")
    sheet = Sheet(text)
    sheet.set_header(2, 'game "Y"')
    assert sheet.text() == text.replace('"X"', '"Y"')


def test_statement_becomes_a_diamond_and_back() -> None:
    text = "chart main\n    start\n    a = 1\n    end\n"
    sheet = Sheet(text)
    sheet.set_caption(3, "a == 1?")
    diamond = sheet.text()
    assert graph(diamond)["main"][1] == ("a == 1", (None, 2, 2))
    sheet = Sheet(diamond)
    sheet.set_caption(3, "a = 1")
    assert graph(sheet.text()) == graph(text)


def test_chart_with_mistakes_can_be_edited() -> None:
    text = "chart main\n    start\n    what is (this\n    ok?   no -> nowhere\n    end\n"
    sheet = Sheet(text)
    row = sheet.insert(3, "next", "Shuffle")
    changed = sheet.text()
    assert changed.split("\n")[row.line - 1] == "    Shuffle"
    assert "no -> nowhere" in changed
    assert "what is (this" in changed


def test_sub_chart_is_made_with_its_box_and_renamed_with_it() -> None:
    sheet = Sheet("chart main\n    start\n    end\n")
    sheet.insert(2, "next", "do trick")
    text = sheet.text()
    assert set(graph(text)) == {"main", "trick"}
    sheet = Sheet(text)
    with pytest.raises(EditError, match="still says"):
        sheet.delete_chart("trick")
    sheet.rename_chart("trick", "round")
    assert set(graph(sheet.text())) == {"main", "round"}
    assert graph(sheet.text())["main"][1][0] == "do round"


@pytest.mark.parametrize(
    "edit",
    [
        lambda sheet: sheet.delete(2),
        lambda sheet: sheet.insert(2, "next", "end"),
        lambda sheet: sheet.insert(2, "yes", "Shuffle"),
        lambda sheet: sheet.insert(2, "next", "a -> b"),
        lambda sheet: sheet.insert(2, "next", "a # b"),
        lambda sheet: sheet.insert(2, "next", "  "),
        lambda sheet: sheet.connect(2, "next", 2),
        lambda sheet: sheet.connect(2, "next", 77),
        lambda sheet: sheet.set_header(None, "chart x"),
        lambda sheet: sheet.set_header(None, "nonsense"),
        lambda sheet: sheet.add_chart("main"),
        lambda sheet: sheet.add_chart("two words"),
        lambda sheet: sheet.delete_chart("main"),
        lambda sheet: sheet.swap(2),
    ],
)
def test_edit_that_makes_no_chart_is_refused(edit: object) -> None:
    with pytest.raises(EditError):
        edit(Sheet("chart main\n    start\n    end\n"))  # type: ignore[operator]


def test_new_header_line_stands_among_its_kind() -> None:
    sheet = Sheet('game "X"\nplayers 2\nzone a: face up\nchart main\n    start\n    end\n')
    sheet.set_header(None, "zone b: face down")
    sheet.set_header(None, "deck standard")
    lines = sheet.text().split("\n")
    assert lines[:5] == ['game "X"', "players 2", "deck standard", "zone a: face up", "zone b: face down"]
    assert all(
        not isinstance(header, tree.Title) or header.title == "X"
        for header in parse_text(sheet.text(), Findings()).header
    )
