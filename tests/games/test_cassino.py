"""Cassino: what may be taken and built, and what counts, written here once more in plain Python."""

from __future__ import annotations

import pytest

from tests.charts.told import steps, told

NUMBERS = {"A": 1, "T": 10}


def value(card: str) -> int:
    """What a card counts for adding up; court cards do not."""
    return NUMBERS.get(card[0]) or (int(card[0]) if card[0].isdigit() else 0)


def points(won: list[list[str]], seat: int) -> int:
    """What the cards of a player count."""
    mine = won[seat]
    others = [cards for other, cards in enumerate(won) if other != seat]
    total = 3 * all(len(mine) > len(cards) for cards in others)
    total += all(sum(c[1] == "S" for c in mine) > sum(c[1] == "S" for c in cards) for cards in others)
    total += 2 * ("TD" in mine) + ("2S" in mine)
    return total + sum(card[0] == "A" for card in mine)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_cassino_takes_what_adds_up_and_counts_the_cards(seats: int, seed: int) -> None:
    played, deals = told("cassino", seed, seats)
    totals = [0] * seats
    takes = builds = 0
    for deal in deals:
        for event, zones in steps(deal):
            if event.kind != "take":
                continue
            (card,) = zones[f"middle({event.seat})"]
            cards = list(event.cards or ())
            assert set(cards) <= set(zones["board"])
            if str(event.target).startswith("won"):
                takes += 1
                equal = len(cards) == 1 and cards[0][0] == card[0]
                assert equal or (all(map(value, cards)) and sum(map(value, cards)) == value(card) > 0)
            else:
                builds += 1
                goal = sum(map(value, cards)) + value(card)
                assert all(map(value, [*cards, card]))
                assert any(value(other) == goal for other in zones[f"hand({event.seat})"]), (
                    "one must be able to take it"
                )
        won = [deal.zones[f"won({seat})"] for seat in range(seats)]
        assert sum(map(len, won)) == 4 + 4 * seats * (48 // (4 * seats))
        totals = [total + points(won, seat) for seat, total in enumerate(totals)]
    assert list(played.outcome.scores) == totals
    assert takes > 0
