"""Limit hold'em pays the best five of seven cards, found here by trying all of them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tests.charts.told import Deal, told

HIGH = "23456789TJQKA"


def poker_rank(five: tuple[str, ...]) -> tuple[int, list[int]]:
    """The kind of a poker hand and what decides among its kind."""
    ranks = sorted((HIGH.index(card[0]) + 2 for card in five), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
    shape, order = [count for _, count in groups], [rank for rank, _ in groups]
    flush = len({card[1] for card in five}) == 1
    if ranks == [14, 5, 4, 3, 2]:
        ranks = order = [5, 4, 3, 2, 1]
    straight = len(set(ranks)) == 5 and ranks[0] - ranks[4] == 4
    kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
    kind = 8 if straight and flush else 5 if flush else 4 if straight else 0
    return max(kind, kinds[tuple(shape)]), order


def gains(deal: Deal, seats: int, dealer: int) -> list[int]:
    """What everybody wins or loses in a deal."""
    paid = [int(deal.values[f"paid({seat})"]) for seat in range(seats)]
    folded = {seat for seat, action in deal.chosen("action") if action == "fold"}
    staying = [(dealer + 1 + seat) % seats for seat in range(seats) if (dealer + 1 + seat) % seats not in folded]
    if len(staying) > 1:
        assert len({paid[seat] for seat in staying}) == 1, "those who stay have paid the same"
        assert len(deal.zones["board"]) == 5
        seven = {seat: deal.zones[f"middle({seat})"] + deal.zones["board"] for seat in staying}
        best = {seat: max(map(poker_rank, combinations(cards, 5))) for seat, cards in seven.items()}
        staying = [seat for seat in staying if best[seat] == max(best.values())]
    share, odd = divmod(sum(paid), len(staying))
    won = [-amount for amount in paid]
    for place, seat in enumerate(staying):
        won[seat] += share + (odd if place == 0 else 0)
    return won


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_holdem_pays_the_best_five_of_seven(seats: int, seed: int) -> None:
    played, deals = told("holdem", seed, seats, avoid=("choose fold",) if seed else (), deals=12)
    first = deals[0].of("choose")[0].seat or 0
    dealer = first if seats == 2 else (first - 3) % seats
    totals = [0] * seats
    for number, deal in enumerate(deals):
        totals = [
            total + gain for total, gain in zip(totals, gains(deal, seats, (dealer + number) % seats), strict=True)
        ]
    assert list(played.outcome.scores) == totals
    assert sum(totals) == 0


@pytest.mark.parametrize("seats", [2, 4])
def test_at_most_four_bets_a_round_and_nobody_folds_for_nothing(seats: int) -> None:
    played, deals = told("holdem", 1, seats, deals=20)
    for deal in deals:
        raises, street = 1, 0
        for event in deal.events:
            if event.target == "board":
                raises, street = 0, street + 1
            elif event.kind == "choose" and str(event.value) == "raise":
                raises += 1
                assert raises <= 4
    assert all(("choose fold" in legal) == ("choose check" not in legal) for legal in played.legal)
