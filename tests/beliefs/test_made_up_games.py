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
    """All agree with what was seen; at a blind pick the cards offered may be others (1 of 10,000 when last run)."""
    layers, failures, _ = ask(10_000)
    assert layers["public facts"] == 0
    assert len(failures) <= 3
