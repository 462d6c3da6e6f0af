"""Which of the built-in games a test that takes long runs on."""

from __future__ import annotations

import pytest

from fcdl.language.load import builtin_names

SOME = frozenset({
    "crazy_eights", "cribbage", "durak", "go_fish", "hearts", "kings_and_jacks", "kuhn_poker", "leduc_poker", "oh_hell",
    "skat", "trumps", "whist",
})  # fmt: skip
"""Those with players and results of their own, and one each of teams, sets and asking."""


def some_games(*without: str) -> list[object]:
    """Parameters for a test that takes long: some games in every run, the others only with `-m slow`."""
    names = (name for name in builtin_names() if name not in without)
    return [name if name in SOME else pytest.param(name, marks=pytest.mark.slow) for name in names]
