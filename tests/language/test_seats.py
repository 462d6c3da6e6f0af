"""Boxes for all seats: what they are read as, and that everything points to the one box that was written."""

from __future__ import annotations

import re
from typing import Literal

import pytest

from fcdl.drawing import draw
from fcdl.language.diagnostics import Findings
from fcdl.language.flowchart import Flowchart
from fcdl.language.forms import FORMS, read_form, write_form
from fcdl.language.load import load_text
from fcdl.language.seats import spread
from fcdl.language.text import format_body, format_source

HEADER = """game "Seats"
players 2 to 4
each player has bid = 0, dealt = 0
"""
BOX = (
    HEADER
    + """
chart main
    start
    Shuffle
    leader = player(random(numberOfPlayers))
again:
    dealt(p) = dealt(p) + 1 for p in players
    pickUp(p, dealt(p)) for p in players from leader where cardsRemaining(p) < 3
    do turn for turn in players from next(leader)
    dealt(leader) < 2?                                      yes -> again
    score(p) = rankValue(hand(p)) for p in players
    end

chart turn
    start
    playCardOrPass(turn, cards)
    end
"""
)
TELLING = BOX.replace("cardsRemaining(p) < 3", "playerHas(p, QS)").replace("rankValue(hand(p))", "dealt(p)")
BY_HAND = (
    HEADER
    + """
chart main
    start
    Shuffle
    leader = player(random(numberOfPlayers))
again:
    p = player(0)
dealing:
    dealt(p) = dealt(p) + 1
    p = next(p)
    p == player(0)?                                         no -> dealing
    p = leader
drawing:
    cardsRemaining(p) < 3?                                  no -> drawn
    pickUp(p, dealt(p))
drawn:
    p = next(p)
    p == leader?                                            no -> drawing
    turn = next(leader)
turns:
    do turn
    turn = next(turn)
    turn == next(leader)?                                   no -> turns
    dealt(leader) < 2?                                      yes -> again
    p = player(0)
scoring:
    score(p) = rankValue(hand(p))
    p = next(p)
    p == player(0)?                                         no -> scoring
    end

chart turn
    start
    playCardOrPass(turn, cards)
    end
"""
)


def flowchart(text: str) -> Flowchart:
    checked = load_text(text)
    assert checked.flowchart is not None, [str(finding) for finding in checked.findings]
    return checked.flowchart


def lines_of(chart: Flowchart) -> list[str]:
    """What the nodes say, as a reader meets them; a loop's statement as it is without its seats."""
    document = spread(chart.document).document
    return [format_body(node.body) for part in document.charts for node in part.nodes]


def test_box_is_the_loop_that_one_would_write_by_hand() -> None:
    box, by_hand = flowchart(BOX), flowchart(BY_HAND)
    assert lines_of(box) == lines_of(by_hand)
    statements = [[node.statement or node.condition for node in chart.nodes.values()] for chart in (box, by_hand)]
    assert statements[0] == statements[1]
    assert box.variables == by_hand.variables


def test_node_that_does_what_the_box_says_has_its_number_and_caption() -> None:
    chart = flowchart(BOX)
    written = {node.number: node.body for part in chart.document.charts for node in part.nodes}
    assert {number for number, node in chart.nodes.items() if node.box is None} == set(written)
    assert chart.nodes[3].caption == "dealt(p) = dealt(p) + 1 for p in players"
    assert {chart.nodes[number].box for number in chart.nodes if number not in written} == {3, 4, 5, 7}


def test_arrows_of_the_drawing_are_those_of_the_text() -> None:
    chart = flowchart(BOX)
    for part in chart.document.charts:
        drawn = [(node.number, node.next, node.yes, node.no) for node in chart.drawn(part.name)]
        assert drawn == [(node.number, node.next, node.yes, node.no) for node in part.nodes]


@pytest.mark.parametrize("form", ["svg", "dot", "mmd"])
def test_box_is_drawn_as_one(form: Literal["svg", "dot", "mmd"]) -> None:
    picture = draw(flowchart(BOX), form)
    text = picture if isinstance(picture, str) else picture.decode()
    assert "next(p)" not in text
    assert flowchart(BOX).size == 12


def test_finding_in_a_box_names_its_line_and_number_once() -> None:
    checked = load_text(BOX.replace("from leader where", "from ledaer where").replace("dealt(p) + 1", "dealt(q) + 1"))
    found = [(item.code, item.span.line if item.span else 0, item.node) for item in checked.findings]
    assert found == [("unknown-name", 10, 3), ("unknown-name", 11, 4), ("reveals", 14, 7)]


def test_what_a_condition_of_a_box_tells_is_said_at_the_condition() -> None:
    (note,) = (item for item in load_text(TELLING).findings if item.code == "reveals")
    assert note.node == 4
    assert note.span is not None
    line = TELLING.split("\n")[note.span.line - 1]
    assert line[note.span.column - 1 : note.span.end_column - 1] == "playerHas(p, QS)"


@pytest.mark.parametrize("form", FORMS)
def test_box_survives_every_form(form: str) -> None:
    chart = flowchart(BOX.replace("pickUp(p", "public pickUp(p"))
    findings = Findings()
    again = read_form(write_form(chart.document, form), form, findings)
    assert not findings.items
    assert again == chart.document


def test_public_changes_nothing_but_the_note() -> None:
    meant = TELLING.replace("pickUp(p", "public pickUp(p")
    assert flowchart(TELLING).hash == flowchart(meant).hash
    assert not [item for item in load_text(meant).findings if item.code == "reveals"]


def test_words_of_boxes_can_still_be_names() -> None:
    text = "chart main\nstart\npublic = 3\ntogether = public - 1\nfrom = together\npublic - 1 > from?  no -> public\n"
    flowchart(text + "public:\nscore(player(0)) = from\nend\n")


def test_lines_go_on_inside_brackets_and_after_operators() -> None:
    text = """players 3
chart main
    start
    Shuffle
    Deal(3
        + 1  # four
        # and no more
        - 0
    )
    playCard(p, cards c in hand(p) where
        rank(c) == ace
        | suit(c) == hearts
        or every(d in hand(p) where rank(d) != ace and
            suit(d) != hearts)
    ) for p in players from player(1) where
        !empty(hand(p))
    score(player(0)) =
        3 *
        4
    end
"""
    chart = flowchart(text)
    assert len(chart.document.charts[0].nodes) == 6
    formatted = format_source(re.sub(r" *#.*", "", text))
    assert format_source(formatted) == formatted
    assert flowchart(formatted).hash == chart.hash


def test_lines_are_broken_where_they_go_on() -> None:
    names = [f"aVariableWithALongName{number}" for number in range(8)]
    start = "\n".join(f"{name} = {number}" for number, name in enumerate(names))
    for joined in (" * ".join(names), " - ".join(names), f"max({', '.join(names)})"):
        text = f"chart main\nstart\n{start}\nscore(player(0)) = {joined}\nend\n"
        formatted = format_source(text)
        assert max(map(len, formatted.split("\n"))) <= 120
        assert flowchart(formatted).hash == flowchart(text).hash
        assert format_source(formatted) == formatted
