"""`python -m tests.charts` measures a chart and makes a page of it."""

from __future__ import annotations

from tests.charts.corpus import HERE
from tests.charts.measure import PAGE, load_rows, measure
from tests.charts.page import page


def test_measured_chart_has_its_row_in_each_table() -> None:
    row = measure("agram", games=2, seconds=1)
    assert row["worlds"]["failures"] == 0
    assert row["worlds"]["decisions"] == 6
    assert row["strength"]["games"] == 2
    assert page({"agram": row}).count("| [Agram](../games/agram.fcdl) |") == 4


def test_page_is_what_was_measured() -> None:
    """`python -m tests.charts` measures charts and writes the page; with `--page` it only writes.

    Charts that are built in from the first are in docs/games.md.
    """
    rows = load_rows()
    assert set(HERE) <= set(rows)
    assert PAGE.read_text(encoding="utf-8") == page(rows)
