"""Charts as lines of text."""

from __future__ import annotations

import pytest

from fcdl.language.load import builtin_names, load_flowchart, load_text
from fcdl.ui.debug.listing import Listing, Marks
from tests.ui.debug.charts import TRICKS

NO_MARKS = Marks(0, None, 0, (), (), fault=False)


def listing(source: str) -> Listing:
    flowchart = load_text(source).flowchart
    assert flowchart is not None
    return Listing(flowchart)


def lines(shown: Listing, marks: Marks = NO_MARKS, width: int = 60) -> list[str]:
    return [shown.line(row, width, marks).plain.rstrip() for row in range(len(shown.rows))]


def test_arrows_that_do_not_lead_to_the_next_line_are_drawn() -> None:
    assert lines(listing(TRICKS)) == [
        "   chart main",
        "   ▶ 0 ○ start",
        "     1 □ Shuffle",
        "     2 □ Deal(3)",
        "     3 □ leader = player(0)",
        "     again:",
        "╭▸   4 ▣ do trick",
        "╰─   5 ◇ cardsRemaining(leader) > 0? yes→4",
        "     6 ▣ do scoring",
        "     7 ○ end",
        "   chart trick",
        "     8 ○ start",
        "     9 □ playCard(leader, cards)",
        "    10 □ playCard(next(leader), cards)",
        "╭─  11 ◇ rankValue(middle(leader)) >= rankValue(midd… yes→13",
        "│   12 □ leader = next(leader)",
        "│    taken:",
        "╰▸  13 □ tricks(leader) = tricks(leader) + 1",
        "    14 □ Stack.empty",
        "    15 ○ end",
        "   chart scoring",
        "    16 ○ start",
        "    17 □ score(player(0)) = tricks(player(0))",
        "    18 □ score(player(1)) = tricks(player(1))",
        "    19 ○ end",
    ]


def test_arrows_with_one_target_share_a_line_and_others_cross_it() -> None:
    source = """
chart main
    start
    x = 0
a:
    x > 1?  yes -> c
    x > 2?  yes -> b no -> c
b:
    x = x + 1  -> a
c:
    end
"""
    assert lines(listing(source))[3:] == [
        "      a:",
        "╭┬▸  2 ◇ x > 1? yes→5",
        "├┼─  3 ◇ x > 2? no→5",
        "││    b:",
        "│╰─  4 □ x = x + 1 →2",
        "│     c:",
        "╰─▸  5 ○ end",
    ]


def test_marks_show_where_the_game_stands_where_it_stops_and_what_the_person_looks_at() -> None:
    shown = listing(TRICKS)
    marked = lines(shown, Marks(13, 11, 12, {9, 13}, {9}, fault=False))
    assert marked[shown.row_of[13]] == "╰▸●▶13 □ tricks(leader) = tricks(leader) + 1"
    assert marked[shown.row_of[9]] == "  ◆  9 □ playCard(leader, cards)"
    under_cursor = shown.line(shown.row_of[12], 60, Marks(13, 11, 12, (), (), fault=False))
    assert any("underline" in str(span.style) for span in under_cursor.spans)


def test_the_arrow_that_was_taken_is_lit() -> None:
    shown = listing(TRICKS)

    def lit(row: int, marks: Marks) -> bool:
        line = shown.line(row, 60, marks)
        return any("orange" in str(span.style) for span in line.spans)

    taken = Marks(13, 11, 13, (), (), fault=False)
    straight = Marks(13, 12, 13, (), (), fault=False)
    rows = range(shown.row_of[11], shown.row_of[13] + 1)
    assert all(lit(row, taken) for row in rows)
    assert not any(lit(row, straight) for row in rows)
    assert not lit(shown.row_of[5], taken)


@pytest.mark.parametrize("name", builtin_names())
@pytest.mark.parametrize("width", [30, 60, 200])
def test_no_line_is_wider_than_asked_and_every_jump_is_named(name: str, width: int) -> None:
    flowchart = load_flowchart(name)
    shown = Listing(flowchart)
    for row, entry in enumerate(shown.rows):
        text = shown.line(row, width, NO_MARKS).plain
        assert len(text) == width
        if width == 200 and entry.node is not None:
            below = next((later.node.number for later in shown.rows[row + 1 :] if later.node is not None), None)
            for target in entry.node.successors:
                assert target == below or f"→{target}" in text
    assert set(shown.row_of) == set(flowchart.nodes)


def test_large_charts_are_listed_and_only_near_arrows_drawn() -> None:
    jumps = "".join(f"n{i}:\n    x > {i}?  yes -> n{min(1999, i + 2 + i * 7919 % 50)}\n" for i in range(1999))
    shown = listing(f"chart main\n    start\n    x = 1\n{jumps}n1999:\n    end\n")
    assert len(shown.rows) == 2 * 2000 + 3
    assert all(len(shown.line(row, 40, NO_MARKS).plain) == 40 for row in range(0, 4000, 100))
