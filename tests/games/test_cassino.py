"""Cassino: what may be taken, built and raised, and what counts, written here once more in plain Python."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.charts.told import Deal, steps, told
from tests.games.table import RANKS


def value(card: str) -> int:
    """What a card counts for adding up; an ace is one."""
    return 1 if card[0] == "A" else RANKS.index(card[0]) + 2


def adds_up(cards: list[str], total: int) -> bool:
    """Whether the cards can be divided into sets that are worth a number each."""
    if not cards:
        return True
    first, rest = cards[0], cards[1:]
    return any(
        value(first) + sum(map(value, others)) == total
        and adds_up([card for card in rest if card not in others], total)
        for size in range(len(rest) + 1)
        for others in combinations(rest, size)
    )


def points(won: list[list[str]], seat: int) -> int:
    """What the cards of a player count."""
    mine = won[seat]
    others = [cards for other, cards in enumerate(won) if other != seat]
    total = 3 * all(len(mine) > len(cards) for cards in others)
    total += all(sum(c[1] == "S" for c in mine) > sum(c[1] == "S" for c in cards) for cards in others)
    total += 2 * ("TD" in mine) + ("2S" in mine)
    return total + sum(card[0] == "A" for card in mine)


def referee(deal: Deal, seats: int, *, royal: bool) -> tuple[list[int], int]:
    """The sweeps of each player in a deal, and how many builds were made or raised; what is against the rules fails."""
    sweeps, builds = [0] * seats, 0
    worth: dict[str, int] = {}
    action, goal, seat, taken = "", 0, 0, 0

    def can_add(*cards: str) -> bool:
        return royal or not any(card[0] in "JQK" for card in cards)

    for event, zones in steps(deal):
        source, target = str(event.source), str(event.target)
        moved = list(event.cards or ())
        if event.kind == "choose":
            seat = event.seat or 0
            action, taken = (str(event.value), 0) if event.name == "action" else (action, taken)
            goal = int(str(event.value)) if event.name == "goal" else goal
        elif event.kind == "take" and action == "capture":
            (card,) = zones[f"middle({seat})"]
            taken += len(moved)
            equal = len(moved) == 1 and moved[0][0] == card[0]
            assert equal or (can_add(card, *moved) and sum(map(value, moved)) == value(card))
        elif event.kind == "move" and source.startswith("built") and action == "capture":
            (card,) = zones[f"middle({seat})"]
            taken += len(moved)
            assert value(card) == worth.pop(source)
        elif event.kind == "move" and source.startswith("middle") and action:
            if target.startswith("built"):
                (card,) = moved
                pile = [*zones[target], card]
                if action == "raise":
                    goal = worth[target] + value(card)
                assert can_add(*pile)
                assert adds_up(pile, goal)
                assert any(value(held) == goal for held in zones[f"hand({seat})"]), "one must be able to take it"
                worth[target], builds = goal, builds + 1
            elif action == "capture":
                assert taken, "who takes nothing trails"
                sweeps[seat] += not zones["board"] and not worth
            if action != "build":
                action = ""
    return sweeps, builds


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("royal", ["no", "yes"])
def test_cassino_takes_what_adds_up_and_counts_the_cards(seats: int, seed: int, royal: str) -> None:
    played, deals = told("cassino", seed, seats, deals=4, sweeps="yes", royal=royal)
    totals, made = [0] * seats, 0
    for deal in deals:
        sweeps, builds = referee(deal, seats, royal=royal == "yes")
        won = [deal.zones[f"won({seat})"] for seat in range(seats)]
        assert sum(map(len, won)) == 4 + 4 * seats * (48 // (4 * seats))
        totals = [total + points(won, seat) + sweeps[seat] for seat, total in enumerate(totals)]
        made += builds
    assert list(played.outcome.scores) == totals
    assert made > 0
