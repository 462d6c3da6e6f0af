"""Koi-Koi: what a card takes, what combinations are worth, and who scores, written here once more in plain Python."""

from __future__ import annotations

import pytest

from tests.charts.told import Deal, steps, told

MONTHS = ("PI", "PL", "CHE", "WIS", "I", "PE", "CL", "PAM", "CHR", "M", "WIL", "PAU")
PACK = {"B": (1, 3, 8, 11, 12), "A": (2, 4, 5, 6, 7, 8, 9, 10, 11), "R": (1, 2, 3, 4, 5, 6, 7, 9, 10, 11)}
POEMS, BLUES, HUNT = {"R1", "R2", "R3"}, {"R6", "R9", "R10"}, {"A6", "A7", "A10"}


def known(code: str) -> str:
    """A card as its kind and the number of its month."""
    return f"{code[0]}{MONTHS.index(code[1:]) + 1}"


def worth(codes: list[str], *, views: bool) -> int:
    """What the cards that somebody has won are worth."""
    cards = list(map(known, codes))
    kinds = {kind: sum(card[0] == kind for card in cards) for kind in "BARC"}
    mine, rain = set(cards), "B11" in cards
    points = {3: 0 if rain else 5, 4: 7 if rain else 8, 5: 10}.get(kinds["B"], 0)
    if views and "A9" in mine:
        points += 5 * ("B8" in mine) + 5 * ("B3" in mine)
    points += 5 + kinds["A"] - 3 if mine >= HUNT else max(0, kinds["A"] - 4)
    if mine >= POEMS | BLUES:
        points += 10 + kinds["R"] - 6
    else:
        points += 5 + kinds["R"] - 3 if mine >= POEMS or mine >= BLUES else max(0, kinds["R"] - 4)
    return points + max(0, kinds["C"] - 9)


def month(code: str) -> str:
    return known(code)[1:]


def winner(deal: Deal, *, views: bool, doubling: bool) -> tuple[int, int] | None:
    """Who stopped, and with how many points; what is against the rules fails."""
    called = [False, False]
    for event, zones in steps(deal):
        if event.kind == "move" and event.source == "turned":
            (card,) = event.cards or ()
            same = [other for other in zones["board"] if month(other) == month(card)]
            assert event.target != "board" or not same, "a card that fits takes"
        elif event.kind == "pick":
            (taken,), (card,) = event.cards or (), zones["turned"]
            assert month(taken) == month(card)
            assert sum(month(other) == month(card) for other in zones["board"]) in (1, 2)
        elif event.kind == "choose":
            seat = event.seat or 0
            points = worth(zones[f"won({seat})"], views=views)
            assert points > 0
            if event.value != "stop":
                called[seat] = True
                continue
            return seat, points * (2 if doubling and points >= 7 else 1) * (2 if doubling and called[1 - seat] else 1)
    return None


def test_the_pack_has_twelve_months_of_four_cards() -> None:
    _, (deal, *_) = told("koi_koi", 1)
    cards = [known(card) for zone in deal.zones.values() for card in zone]
    assert len(cards) == 48
    assert all(sum(card[1:] == str(number) for card in cards) == 4 for number in range(1, 13))
    for kind, months in PACK.items():
        assert sorted(int(card[1:]) for card in cards if card[0] == kind) == list(months)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("views", "doubling"), [("yes", "yes"), ("no", "no")])
def test_koi_koi_is_matched_and_paid(seed: int, views: str, doubling: str) -> None:
    played, deals = told("koi_koi", seed, views=views, doubling=doubling, deals=12)
    scores, stops = [0, 0], 0
    for deal in deals:
        found = winner(deal, views=views == "yes", doubling=doubling == "yes")
        if found:
            scores[found[0]] += found[1]
            stops += 1
    assert list(played.outcome.scores) == scores
    assert stops > 0
