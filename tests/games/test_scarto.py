"""Scarto: who may play what, who takes tricks, what cards count, written here once more in plain Python."""

from __future__ import annotations

import pytest

from tests.charts.told import Deal, told

NUMBERS = {"T": 10, "J": 11, "KN": 12, "Q": 13, "KI": 14}


def suit(card: str) -> str:
    """The suit of a card: S, B, C, D or T."""
    return card[-1]


def power(card: str) -> int:
    """How high a card is in its suit: low numbers beat high ones in cups and denari, and the angel beats the world."""
    rank = card[:-1]
    number = NUMBERS.get(rank) or int(rank)
    if suit(card) in "CD" and number <= 10:
        return 11 - number
    return {20: 21, 21: 20}.get(number, number)


def points(card: str) -> int:
    """What a card counts."""
    if suit(card) == "T":
        return {"0T": 4, "1T": 5, "20T": 5}.get(card, 1)
    return {"KI": 5, "Q": 4, "KN": 3, "J": 2}.get(card[:-1], 1)


def winner_of(trick: list[tuple[int, str]]) -> int:
    """The highest trump, else the highest card of the suit that was led; the fool is no card."""
    cards = [play for play in trick if play[1] != "0T"]
    led = suit(cards[0][1])
    return max(cards, key=lambda play: (suit(play[1]) == "T", suit(play[1]) == led, power(play[1])))[0]


def count(deal: Deal) -> list[int]:
    """The points of a deal."""
    won: list[list[str]] = [[], [], []]
    dealer = deal.of("pick")[0].seat or 0
    won[dealer] = [card for event in deal.of("pick") for card in event.cards or ()]
    assert all(points(card) < 5 for card in won[dealer])
    leader, debt = (dealer + 1) % 3, None
    for trick in deal.tricks(3):
        assert trick[0][0] == leader
        leader = winner_of(trick)
        for seat, card in trick:
            won[seat if card == "0T" else leader].append(card)
            debt = (seat, leader) if card == "0T" else debt
    if debt is not None:
        worthless = min(won[debt[0]], key=points)
        won[debt[0]].remove(worthless)
        won[debt[1]].append(worthless)
    return [sum(map(points, cards)) - 2 * len(cards) // 3 for cards in won]


@pytest.mark.parametrize("seed", range(6))
def test_scarto_is_played_and_counted(seed: int) -> None:
    played, deals = told("scarto", seed)
    totals = [count(deal) for deal in deals]
    assert list(played.outcome.scores) == [sum(column) for column in zip(*totals, strict=True)]
    # 20 + 16 + 12 + 8 for the court cards, 10 for bagatto and angel, 4 for the fool, 59 others; two less for 26 threes.
    assert all(sum(total) == 20 + 16 + 12 + 8 + 10 + 4 + 59 - 52 for total in totals)
