"""Rummy 500: what may be melded and taken, and what it counts, written here once more in plain Python."""

from __future__ import annotations

import pytest

from tests.charts.told import steps, told

LOW, HIGH = "A23456789TJQK", "23456789TJQKA"


def in_order(cards: list[str], order: str) -> bool:
    """Whether cards of one suit follow each other."""
    places = sorted(order.index(card[0]) for card in cards)
    return len({card[1] for card in cards}) == 1 and places == list(range(places[0], places[0] + len(places)))


def is_meld(cards: list[str]) -> bool:
    """Three or more of a rank or in a row."""
    return len(cards) >= 3 and (len({card[0] for card in cards}) == 1 or any(in_order(cards, o) for o in (LOW, HIGH)))


def worth(cards: list[str], low_ace: bool = False) -> int:
    """What cards count."""
    ace = 1 if low_ace else 15
    return sum(ace if card[0] == "A" else int(card[0]) if card[0].isdigit() else 10 for card in cards)


def laid(cards: list[str]) -> int:
    """What a meld counts: the ace is one only in a run from the ace on."""
    return worth(cards, low_ace=len(cards) > 0 and in_order(cards, LOW))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_rummy_500_counts_what_is_laid_and_what_is_left(seats: int, seed: int) -> None:
    played, deals = told("rummy_500", seed, seats, avoid=("pass",), deals=3)
    scores, wanted = [0] * seats, ""
    taken = melds = laid_off = 0
    for deal in deals:
        turn = 0
        for event, zones in steps(deal):
            cards, target = list(event.cards or ()), str(event.target)
            if event.kind == "choose" and event.name == "source":
                turn = event.seat or 0
                assert (str(event.value) == "stop") <= (not zones["pack"])
            elif event.kind == "choose":
                wanted = zones["stack"][-int(str(event.value))]
                taken += 1
            elif target.startswith("meld"):
                if event.kind == "play":
                    assert is_meld(cards)
                    assert not zones[target]
                    melds += 1
                else:
                    assert is_meld([*zones[target], *cards])
                    assert len(cards) == 1 <= len(zones[target])
                    laid_off += 1
                assert not wanted or wanted in cards, "the deepest card comes first"
                wanted = ""
                scores[turn] += laid([*zones[target], *cards]) - laid(zones[target])
            elif event.kind == "play" and target == "stack":
                assert not wanted
        for seat in range(seats):
            scores[seat] -= worth(deal.zones[f"middle({seat})"])
        assert not all(deal.zones[f"middle({seat})"] for seat in range(seats)) or not deal.zones["pack"]
    assert list(played.outcome.scores) == scores
    assert melds > 0
    assert taken + laid_off > 0


def test_an_ace_is_one_only_before_the_two() -> None:
    assert [laid(cards.split()) for cards in ("AH 2H 3H", "AH KH QH", "AH AS AD")] == [6, 35, 45]
