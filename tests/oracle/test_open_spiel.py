"""The native engine's games beside OpenSpiel's: the same deals and moves, legal moves at every step, and results.

docs/oracle.md says what is compared and where the rules differ. `-m slow -s` compares 1,000 games of each and counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from fcdl.engines import make_engine
from tests.games.table import make_game
from tests.oracle import (
    blackjack,
    bridge,
    crazy_eights,
    cribbage,
    euchre,
    gin_rummy,
    go_fish,
    goofspiel,
    hearts,
    holdem,
    oh_hell,
    skat,
    small_poker,
    spades,
)
from tests.oracle.peer import Counts, Peer

COMPARE: dict[str, Callable[[int], Counts]] = {
    "hearts": hearts.compare,
    "oh_hell": oh_hell.compare,
    "skat": skat.compare,
    "crazy_eights": crazy_eights.compare,
    "bridge": bridge.compare,
    "kuhn_poker": small_poker.kuhn,
    "leduc_poker": small_poker.leduc,
    "spades": spades.compare,
    "euchre": euchre.compare,
    "blackjack": blackjack.compare,
    "go_fish": go_fish.compare,
    "goofspiel": goofspiel.compare,
    "holdem": holdem.compare,
    "cribbage": cribbage.compare,
    "gin_rummy": gin_rummy.compare,
}
DECISIONS = {"blackjack": 1, "holdem": 5, "kuhn_poker": 2, "leduc_poker": 2, "euchre": 8}
"""The fewest decisions of a game; 25 of the others: 30 cards of Skat, less in null games."""


def compare(name: str, seeds: Iterable[int]) -> Counts:
    """Compares games; names the seed of one where the engines disagree."""
    pytest.importorskip("pyspiel")
    counts = Counts()
    for seed in seeds:
        try:
            counts.update(COMPARE[name](seed))
        except AssertionError as error:
            raise AssertionError(f"{name}, seed {seed}: the engines disagree") from error
    print(f"\n{name}: " + ", ".join(f"{number} {what}" for what, number in sorted(counts.items())))
    return counts


def test_the_native_engine_is_the_one_compared() -> None:
    assert {type(make_engine(make_game(name))).__name__ for name in COMPARE} == {"NativeEngine"}


@pytest.mark.parametrize("name", COMPARE)
def test_legal_moves_and_results_of_20_games(name: str) -> None:
    counts = compare(name, range(20))
    assert counts["games"] == 20
    assert counts["positions"] >= 20 * DECISIONS.get(name, 25)
    assert counts["results"] > 5


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPARE)
def test_legal_moves_and_results_of_1000_games(name: str) -> None:
    counts = compare(name, range(1000))
    assert counts["games"] == 1000
    assert counts["positions"] >= 1000 * DECISIONS.get(name, 25)
    assert counts["results"] > 500
    rare = {"hearts": ["moons"], "oh_hell": ["rounds_without_trumps"], "crazy_eights": ["answers_to_twos"]}
    rare["bridge"] = ["doubled"]
    rare["skat"] = [f"{contract}_games" for contract in skat.CONTRACTS] + ["won", "lost"]
    rare |= {
        "leduc_poker": ["boards"],
        "spades": ["nils"],
        "cribbage": ["flushes_in_the_crib"],
        "euchre": ["alone", "named"],
        "gin_rummy": ["gins", "undercuts", "ties", "laid_off", "void"],
    }
    assert all(counts[what] > 0 for what in rare.get(name, []))


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("hearts", {"must_break_hearts": False}),
        ("hearts", {"jd_bonus": False}),
        ("oh_hell", {"points_per_trick": 2}),
        ("oh_hell", {"off_bid_penalty": True}),
        ("crazy_eights", {"use_special_cards": False}),
        ("gin_rummy", {"knock_card": 9}),
        ("gin_rummy", {"gin_bonus": 24}),
    ],
)
def test_a_wrong_rule_is_noticed(name: str, wrong: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    modules = {"hearts": hearts, "oh_hell": oh_hell, "crazy_eights": crazy_eights, "gin_rummy": gin_rummy}
    monkeypatch.setattr(modules[name], "Peer", lambda game, **parameters: Peer(game, **(parameters | wrong)))
    with pytest.raises(AssertionError, match="the engines disagree"):
        compare(name, range(20))
