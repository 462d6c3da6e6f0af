"""Which of the built-in games a test that takes long runs on."""

from __future__ import annotations

import pytest

from fcdl.language.load import builtin_names

SOME = frozenset({
    "crazy_eights", "durak", "go_fish", "hearts", "kings_and_jacks", "kuhn_poker", "leduc_poker", "oh_hell", "skat",
    "trumps", "whist",
})  # fmt: skip
"""Those with players and results of their own, one with teams and one about asking."""
SHORT: dict[str, dict[str, str | int]] = {
    "cribbage": {"target": 31},
    "cuckoo": {"lives": 1},
    "euchre": {"target": 3},
    "gin_rummy": {"knockAt": 30},
    "hearts": {"target": 0},
    "klaverjassen": {"deals": 1},
    "ninety_nine": {"deals": 1},
    "oh_hell": {"firstHand": 3},
    "pinochle": {"target": 100},
    "pitch": {"deals": 3},
    "president": {"rounds": 1},
    "rummy_500": {"deals": 1},
    "schnapsen": {"target": 2},
    "schwimmen": {"lives": 1},
    "scopa": {"target": 3},
    "spades": {"target": 100},
    "sueca": {"target": 1},
    "whist": {"target": 1},
}
"""Options that make a game short, for the games of players that search."""


def some_games(*without: str) -> list[object]:
    """Parameters for a test that takes long: some games in every run, the others only with `-m slow`."""
    names = (name for name in builtin_names() if name not in without)
    return [name if name in SOME else pytest.param(name, marks=pytest.mark.slow) for name in names]
