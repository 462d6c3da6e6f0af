"""Checking takes time in proportion to the chart. `python -m tests.benchmarks.language` gives the figures."""

import time

import pytest

from fcdl.language.load import load_text
from tests.benchmarks.language import generated_chart


def seconds(nodes: int) -> float:
    """The least processor time of three checks of a generated chart."""
    source = generated_chart(nodes)
    times = []
    for _ in range(3):
        before = time.process_time()
        assert load_text(source).flowchart is not None
        times.append(time.process_time() - before)
    return min(times)


@pytest.mark.slow
def test_ten_times_the_nodes_take_about_ten_times_as_long() -> None:
    seconds(100)  # loads the grammar
    small, large = seconds(1_000), seconds(10_000)
    assert large < 20 * small


def test_thousands_of_nodes_take_seconds() -> None:
    before = time.process_time()
    assert load_text(generated_chart(3_000)).flowchart is not None
    assert time.process_time() - before < 10
