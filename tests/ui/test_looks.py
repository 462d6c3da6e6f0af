"""Colours and none, light and dark, and what is said while a computer thinks."""

from collections.abc import Sequence

import pytest
from textual.color import Color

from fcdl.agents import AgentError
from fcdl.language.load import load_flowchart
from fcdl.model import Game
from fcdl.ui import opponents
from fcdl.ui.opponents import STRENGTHS, find_opponent, shown_name
from fcdl.ui.session import Session, default_seats
from fcdl.ui.table import TableApp, thinking_bar
from tests.ui.driving import with_app
from tests.ui.tables import session


@pytest.mark.parametrize(
    ("seconds", "budget", "text"),
    [
        (0.0, 1.0, "▱▱▱▱▱▱▱▱ 0.0 of 1.0 s"),
        (0.5, 1.0, "▰▰▰▰▱▱▱▱ 0.5 of 1.0 s"),
        (9.0, 1.0, "▰▰▰▰▰▰▰▰ 1.0 of 1.0 s"),
        (2.25, None, "2.2 s"),
    ],
)
def test_time_that_a_computer_has_used_is_shown(seconds: float, budget: float | None, text: str) -> None:
    assert thinking_bar(seconds, budget) == text


def test_budget_is_that_of_whoever_decides() -> None:
    game = Game.make(load_flowchart("trumps"), name="trumps")
    table = Session(game, ("human", "ismcts:ms=700"), "5")
    assert table.mover == 1
    assert table.budget == 0.7
    assert session("trumps", "5").budget is None


def test_strengths_are_agents() -> None:
    game = Game.make(load_flowchart("trumps"), name="trumps")
    for word, agent in STRENGTHS.items():
        assert find_opponent(word, game).agent == agent
        assert shown_name(agent) == word
    assert default_seats(3) == ("human", "normal", "normal")
    assert find_opponent("random", game).agent == "random"
    assert shown_name("random") == "random"
    with pytest.raises(AgentError):
        find_opponent("strong", game)


def test_strength_that_cannot_play_a_chart_plays_at_random_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def cannot(text: str, game: Game) -> None:
        raise AgentError("too large")

    monkeypatch.setattr(opponents, "make_agent", cannot)
    game = Game.make(load_flowchart("trumps"), name="trumps")
    table = Session(game, ("human", "hard"), "1")
    assert table.seats == ("human", "random")
    assert "No 'hard' player can play this game (too large)" in "\n".join(with_app(TableApp(table, pace=0)))


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_both_themes_show_the_same_text(theme: str) -> None:
    lines = with_app(TableApp(session("hearts"), pace=0, theme=theme))
    assert lines == with_app(TableApp(session("hearts"), pace=0))


def test_theme_can_be_changed() -> None:
    app = TableApp(session("trumps"), pace=0)
    with_app(app, "ctrl+t")
    assert app.theme == "textual-light"


def test_without_colours_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = TableApp(session("hearts"), pace=0)
    lines = with_app(app)
    assert app.no_color
    assert any("▲" in line for line in lines)  # the cursor can be seen without colours


@pytest.mark.parametrize("width", [40, 60, 80])
def test_keys_fit_every_width(width: int) -> None:
    lines = with_app(TableApp(session("hearts"), pace=0), size=(width, 24))
    assert lines[-1].rstrip().endswith("q quit")
    assert "r rules" in lines[-1]


def test_misspelt_strength_is_mended() -> None:
    with pytest.raises(AgentError, match=r"nobody is called 'noraml' \(did you mean 'normal'\?\)"):
        find_opponent("noraml", Game.make(load_flowchart("trumps"), name="trumps"))


def test_red_cards_that_may_not_be_played_can_be_read() -> None:
    app = TableApp(session("hearts"))
    back, red = (rgb(color) for color in ("#121212", app.ansi_theme_dark.ansi_colors[9].hex))
    dimmed = tuple((a + b) / 2 for a, b in zip(back, red, strict=True))
    assert (luminance(dimmed) + 0.05) / (luminance(back) + 0.05) > 2.5


def rgb(text: str) -> tuple[float, ...]:
    return Color.parse(text).normalized


def luminance(color: Sequence[float]) -> float:
    """As the accessibility guidelines of the web have it."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
