"""A short, deterministic attack on everything that reads strangers' files; `python -m tests.fuzz` makes long ones."""

from __future__ import annotations

import pytest

pytest.importorskip("fcdl.engines.native._engine")
from tests.fuzz.mutate import CORPUS, mutated, seeds
from tests.fuzz.targets import TARGETS, attack

RUNS = 40


def test_every_target_has_seeds() -> None:
    assert {path.name for path in CORPUS.iterdir()} == set(TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_hostile_input_is_refused_or_read(target: str) -> None:
    for data in seeds(target):
        attack(target, data)
    for number in range(RUNS):
        attack(target, mutated(target, number))
