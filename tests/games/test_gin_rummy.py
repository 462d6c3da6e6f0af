"""Gin Rummy: melds, lay-offs and what is left, written here once more in plain Python."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.charts.told import Zones, steps, told
from tests.games.table import ClumpedChance

LOW = "A23456789TJQK"


def pips(card: str) -> int:
    """Aces one, faces ten."""
    return min(10, LOW.index(card[0]) + 1)


def is_meld(cards: list[str] | tuple[str, ...]) -> bool:
    """Three or more of a rank, or in a row in one suit."""
    numbers = sorted(LOW.index(card[0]) for card in cards)
    group = len({card[0] for card in cards}) == 1
    run = len({card[1] for card in cards}) == 1 and numbers == list(range(numbers[0], numbers[0] + len(cards)))
    return len(cards) >= 3 and (group or run)


def deadwood(hand: list[str]) -> int:
    """The least that can be left over, by trying every meld for the first card that can be in one."""
    best = sum(map(pips, hand))
    for size in range(3, len(hand) + 1):
        for some in combinations(hand, size):
            if is_meld(some):
                best = min(best, deadwood([card for card in hand if card not in some]))
    return best


def test_referee_knows_hands_that_are_hard_to_divide() -> None:
    assert deadwood(["5C", "5D", "5H", "6H", "7H"]) == 10  # the five of hearts is in one meld only
    assert deadwood(["5C", "5D", "5H", "5S", "6H", "7H"]) == 0
    assert deadwood(["AC", "2C", "3C", "QC", "KC"]) == 20  # no run goes round the ace


@pytest.mark.parametrize("seed", range(12))
def test_gin_rummy_is_laid_down_laid_off_and_counted(seed: int) -> None:
    chance = ClumpedChance(seed) if seed % 2 else None
    played, deals = told(
        "gin_rummy", seed, avoid=("choose no", "choose pass", "pass"), chance=chance, knockAt=30, deals=3
    )
    scores = [0, 0]
    for deal in deals:
        hands: Zones = {}
        knocker = None
        for event, zones in steps(deal):
            if event.kind == "choose" and event.name == "knocks" and str(event.value) == "yes":
                knocker = event.seat
                hands = {name: list(cards) for name, cards in zones.items() if name.startswith("hand")}
            if knocker is not None and event.kind == "play" and event.seat == knocker:
                assert is_meld(event.cards or ())
            if knocker is not None and event.kind == "move" and event.source == f"middle({1 - knocker})":
                assert is_meld([*zones[str(event.target)], *(event.cards or ())]), "melds stay as they were laid down"
        if knocker is None:
            continue
        mine = deadwood(hands[f"hand({knocker})"])
        assert mine <= 30
        assert sum(map(pips, deal.zones[f"hand({knocker})"])) == mine, "the knocker lays down all that can be laid down"
        theirs = deadwood(deal.zones[f"hand({1 - knocker})"])
        if mine == 0:
            scores[knocker] += 25 + theirs
            assert sorted(deal.zones[f"hand({1 - knocker})"]) == sorted(hands[f"hand({1 - knocker})"])
        elif theirs > mine:
            scores[knocker] += theirs - mine
        else:
            scores[1 - knocker] += 25 + mine - theirs
    assert list(played.outcome.scores) == scores
