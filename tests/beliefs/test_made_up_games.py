"""Every position of made-up games gives worlds that look to the seat as what it has seen."""

import pytest

from tests.beliefs.made_up import ask


@pytest.mark.parametrize("first_seed", [0, 1000, 2000])
def test_worlds_are_found_in_every_position(first_seed: int) -> None:
    layers, failures, _ = ask(60, first_seed)
    assert failures == []
    assert layers["exact"] > 20


@pytest.mark.slow
def test_worlds_are_found_in_ten_thousand_positions() -> None:
    _, failures, _ = ask(10_000)
    assert failures == []
