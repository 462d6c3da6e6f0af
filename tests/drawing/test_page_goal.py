"""A chart's goal line stands below the title of its drawing."""

from __future__ import annotations

import pytest

from fcdl.drawing import Form, draw
from fcdl.language.load import load_flowchart, load_text


@pytest.mark.parametrize("form", ["svg", "dot", "mmd"])
def test_the_goal_line_is_drawn(form: Form) -> None:
    assert "goal more tricks(me)" in draw(load_flowchart("euchre"), form).decode()


def test_a_very_long_goal_line_is_cut() -> None:
    wishes = ", ".join(f"more {number} * cardsRemaining(me)" for number in range(1, 60))
    flowchart = load_text(f'game "Long"\nplayers 2\ngoal {wishes}\nchart main\nstart\nend\n').flowchart
    assert flowchart is not None
    assert draw(flowchart, "svg").decode().count("cardsRemaining") < 20
