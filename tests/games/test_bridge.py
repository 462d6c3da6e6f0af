"""Contract Bridge: auction, play and scores as the laws say, written here once more in plain Python."""

from __future__ import annotations

import pytest

from tests.charts.told import Deal, taker, told

SUITS = ["clubs", "diamonds", "hearts", "spades", "none"]


def score(level: int, strain: str, times: int, vulnerable: bool, tricks: int) -> int:
    """What a contract is worth to the declarer's side, by the table of duplicate bridge; less than 0 for the others."""
    over = tricks - 6 - level
    if over < 0:
        if times == 1:
            return over * (100 if vulnerable else 50)
        steps = [200, 300, 300, 300] if vulnerable else [100, 200, 200, 300]
        return -sum(steps[min(step, 3)] for step in range(-over)) * times // 2
    minor = strain in ("clubs", "diamonds")
    odd = {True: 20, False: 30}[minor]
    below = (odd * level + (10 if strain == "none" else 0)) * times
    total = below + (50 if below < 100 else 500 if vulnerable else 300)
    total += {6: (500, 750), 7: (1000, 1500)}.get(level, (0, 0))[vulnerable]
    total += {1: 0, 2: 50, 4: 100}[times]
    return total + over * {1: odd, 2: (100, 200)[vulnerable], 4: (200, 400)[vulnerable]}[times]


def test_referee_knows_the_table_of_scores() -> None:
    assert score(4, "spades", 1, False, 10) == 420
    assert score(4, "spades", 1, True, 10) == 620
    assert score(3, "none", 1, False, 10) == 430
    assert score(2, "clubs", 1, False, 8) == 90
    assert score(2, "hearts", 2, True, 9) == 870
    assert score(6, "diamonds", 1, True, 12) == 1370
    assert score(7, "none", 4, True, 13) == 2980
    assert score(1, "none", 2, True, 5) == -500
    assert score(3, "none", 2, False, 5) == -800
    assert score(1, "hearts", 4, False, 3) == -1600
    assert score(4, "hearts", 1, False, 8) == -100


def side_of(seat: int) -> int:
    """Which of the two sides a seat belongs to."""
    return seat % 2


def follow(deal: Deal) -> tuple[int, int, str, int] | None:
    """Declarer, level, strain and times of the contract, from the calls."""
    first: dict[tuple[int, str], int] = {}
    level, strain, times, bidder, kind = 0, "none", 1, 0, ""
    for event in deal.of("choose"):
        value, seat = str(event.value), event.seat or 0
        if event.name == "level":
            level, times, bidder = int(value), 1, seat
            strain = "none"
        elif event.name == "strain":
            strain = value
        elif event.name == "call" and value in ("double", "redouble"):
            times *= 2
        if event.name == "strain" or (event.name == "level" and kind == "noTrumps"):
            first.setdefault((side_of(seat), strain), seat)
        kind = value if event.name == "call" else kind
    return (first[side_of(bidder), strain], level, strain, times) if level else None


@pytest.mark.parametrize("vulnerability", ["chicago", "everybody", "dealers"])
@pytest.mark.parametrize("seed", range(4))
def test_bridge_is_bid_played_and_scored(seed: int, vulnerability: str) -> None:
    played, deals = told("bridge", seed, vulnerability=vulnerability, deals=4)
    scores = [0, 0]
    for number, deal in enumerate(deals, start=1):
        dealer = deal.of("choose")[0].seat or 0
        contract = follow(deal)
        if contract is None:
            continue
        declarer, level, strain, times = contract
        cards = [(int(str(event.target)[-2]), (event.cards or ("",))[0]) for event in deal.of("play", "pick")]
        assert all(event.seat == declarer for event in deal.of("pick")), "the declarer plays for the dummy"
        assert cards[0][0] == (declarer + 1) % 4
        tricks = [cards[first : first + 4] for first in range(0, 52, 4)]
        trump = "" if strain == "none" else strain[0].upper()
        winners = [taker(trick, "23456789TJQKA", trump) for trick in tricks]
        assert [trick[0][0] for trick in tricks[1:]] == winners[:-1]
        made = sum(side_of(winner) == side_of(declarer) for winner in winners)
        mine = side_of(declarer) == side_of(dealer)
        vulnerable = {
            "everybody": True,
            "dealers": mine,
            "chicago": number == 4 or (number in (2, 3) and mine),
        }[vulnerability]
        worth = score(level, strain, times, vulnerable, made)
        scores[side_of(declarer) if worth > 0 else 1 - side_of(declarer)] += abs(worth)
    assert played.outcome.scores == (*scores, *scores)
