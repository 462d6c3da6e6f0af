"""`python -m tests.charts` measures a chart and makes a page of it."""

from __future__ import annotations

from tests.charts.measure import measure
from tests.charts.page import page


def test_measured_chart_has_its_row_in_each_table() -> None:
    row = measure("agram", games=2, seconds=1)
    assert row["worlds"]["failures"] == 0
    assert row["worlds"]["decisions"] == 6
    assert row["strength"]["games"] == 2
    assert page({"agram": row}).count("| [Agram](../tests/charts/agram.fcdl) |") == 4
