"""`python -m tests.games` measures a game, keeps it part by part, and makes a page and plots of it."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.games import figures
from tests.games.page import IMAGES, PAGE, complete, page, pictures


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Few games, and a store of one's own."""
    for name in ("STRENGTH_GAMES", "RANDOM_GAMES", "LEAD_GAMES", "SPREAD_DECISIONS", "ASP_DECISIONS"):
        monkeypatch.setattr(figures, name, 3)
    monkeypatch.setattr(figures, "STRONG", "ismcts:iterations=20")
    monkeypatch.setattr(figures, "STORE", tmp_path / "games.json")


@pytest.mark.usefixtures("quick")
def test_measured_game_has_its_row_in_each_table_and_its_place_in_each_plot() -> None:
    for part, measure in figures.PARTS.items():
        figures.keep("kuhn_poker", part, measure("kuhn_poker"))
    rows = figures.load_rows()
    assert list(rows) == list(complete(rows)) == ["kuhn_poker"]
    assert page(rows).count("| [Kuhn Poker](../games/kuhn_poker.fcdl) |") == 2
    for picture in pictures(rows).values():
        assert any(text.text == "Kuhn Poker" for text in ElementTree.fromstring(picture).iter() if text.text)


@pytest.mark.usefixtures("quick")
def test_what_has_been_measured_is_not_measured_again_until_the_chart_changes() -> None:
    assert figures.due({}, "agram", again=False, wanted=()) == list(figures.PARTS)
    figures.keep("agram", "about", figures.about("agram"))
    row = figures.load_rows()["agram"]
    assert figures.due(row, "agram", again=False, wanted=()) == [part for part in figures.PARTS if part != "about"]
    assert "about" in figures.due(row, "agram", again=True, wanted=())
    row["about"]["hash"] = "another"
    assert figures.due(row, "agram", again=False, wanted=["about"]) == ["about"]


def test_page_and_plots_are_what_was_measured() -> None:
    """`python -m tests.games` measures what is new or changed and writes them; with `--page` it only writes."""
    rows = complete(figures.load_rows())
    assert PAGE.read_text(encoding="utf-8") == page(rows)
    for name, picture in pictures(rows).items():
        assert (IMAGES / f"games-{name}.svg").read_text(encoding="utf-8") == picture


def test_valet_figures_are_found_under_our_names() -> None:
    valet = figures.published()
    assert valet["eights"]["players"] == "3"
    assert valet["leduc_poker"]["valet_mcts_rank1"] == "0.91"
    assert "crazy_eights" not in valet
    assert len(valet) == 21


def test_a_test_of_means_knows_equal_and_different_ones() -> None:
    assert figures.welch([1, 2, 3] * 20, [1, 2, 3] * 30) == 1.0
    assert figures.welch([1, 2, 3] * 20, [4, 5, 6] * 20) < 1e-6
