"""Hold'em: who is asked what, who pays what and who wins which pot, by the usual rules written down in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import pytest

from tests.charts.told import Deal, told

RANKS = "23456789TJQKA"
Asked = Iterator[tuple[int, str, set[str]]]
"""The decisions of a game in order: who made it, what was chosen, what could have been."""


def poker_rank(five: Sequence[str]) -> tuple[int, list[int]]:
    """The kind of a poker hand and what decides among its kind."""
    ranks = sorted((RANKS.index(card[0]) + 2 for card in five), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
    shape, order = [count for _, count in groups], [rank for rank, _ in groups]
    flush = len({card[1] for card in five}) == 1
    if ranks == [14, 5, 4, 3, 2]:
        ranks = order = [5, 4, 3, 2, 1]
    straight = len(groups) == 5 and ranks[0] - ranks[4] == 4
    kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
    kind = 8 if straight and flush else 5 if flush else 4 if straight else 0
    return max(kind, kinds[tuple(shape)]), order


def divided(paid: Sequence[int], best: dict[int, object], dealer: int) -> list[int]:
    """What each seat gets: chips are peeled off in layers; layers for the same players are one pot.

    `best` has the hands of those who have not folded; None is better than nothing.
    """
    seats = len(paid)
    left, pots = list(paid), list[tuple[frozenset[int], int]]()
    while any(left):
        layer = min(chips for chips in left if chips)
        payers = [seat for seat in range(seats) if left[seat]]
        playing = frozenset(seat for seat in payers if seat in best)
        if pots and (not playing or pots[-1][0] == playing):
            pots[-1] = (pots[-1][0], pots[-1][1] + layer * len(payers))
        else:
            pots.append((playing, layer * len(payers)))
        left = [max(0, chips - layer) for chips in left]
    won = [0] * seats
    for playing, pot in pots:
        top = max((best[seat] for seat in playing if best[seat] is not None), default=None)  # type: ignore[type-var]
        winners = [seat for step in range(seats) if (seat := (dealer + 1 + step) % seats) in playing]
        winners = [seat for seat in winners if best[seat] == top]
        for place, seat in enumerate(winners):
            won[seat] += pot // len(winners) + (place < pot % len(winners))
    return won


def hands(deal: Deal, seats: Sequence[int]) -> dict[int, object]:
    """The best five of seven of those who are left; None if only one is."""
    if len(seats) == 1:
        return dict.fromkeys(seats)
    seven = {seat: deal.zones[f"middle({seat})"] + deal.zones["board"] for seat in seats}
    return {seat: max(map(poker_rank, combinations(cards, 5))) for seat, cards in seven.items()}


@dataclass(frozen=True)
class Told:
    """A random game: its scores, deals, first dealer and decisions."""

    scores: list[int]
    deals: list[Deal]
    dealer: int
    asked: Asked


def game_of(name: str, seed: int, seats: int, avoid: tuple[str, ...], **options: str | int) -> Told:
    """A random game, told."""
    played, deals = told(name, seed, seats, avoid=avoid, chance=None, **options)
    chosen = [choice for deal in deals for choice in deal.chosen("action")]
    legal = ({move.removeprefix("choose ") for move in moves} for moves in played.legal)
    asked = ((seat, action, moves) for (seat, action), moves in zip(chosen, legal, strict=True))
    dealer = next(event.value for event in played.events if event.name == "dealer")
    return Told(list(played.outcome.scores), deals, int(str(dealer)), asked)


AVOIDED = [(), ("choose fold",), ("choose fold", "choose allIn"), ("choose fold", "choose c")]


# --- limit ------------------------------------------------------------------------------------------------------------


def limit_deal(asked: Asked, dealer: int, seats: int) -> tuple[list[int], list[int]]:
    """One deal's betting: what each seat has paid, and who is left."""
    small = dealer if seats == 2 else (dealer + 1) % seats
    paid, live = [0] * seats, list(range(seats))
    paid[small], paid[(small + 1) % seats] = 1, 2
    turn = (small + 2) % seats
    for street, size in enumerate((2, 2, 4, 4)):
        bets, waiting = int(street == 0), len(live)
        while waiting and len(live) > 1:
            if turn in live:
                owed = max(paid) - paid[turn]
                fixed = {"fold", "call"} if owed else {"check"}
                seat, action, legal = next(asked)
                assert (seat, legal) == (turn, fixed | ({"raise" if bets else "bet"} if bets < 4 else set()))
                waiting -= 1
                if action == "fold":
                    live.remove(turn)
                else:
                    paid[turn] += owed
                if action in ("bet", "raise"):
                    paid[turn] += size
                    bets, waiting = bets + 1, len(live) - 1
            turn = (turn + 1) % seats
        if len(live) == 1:
            break
        turn = (dealer + 1) % seats
    return paid, live


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_limit_holdem_is_bet_and_paid_as_the_rules_say(seats: int, seed: int) -> None:
    game = game_of("holdem", seed, seats, AVOIDED[seed % 2], deals=30)
    dealer, scores = game.dealer, [0] * seats
    for deal in game.deals:
        paid, live = limit_deal(game.asked, dealer, seats)
        won = divided(paid, hands(deal, live), dealer)
        scores = [total + gain - cost for total, gain, cost in zip(scores, won, paid, strict=True)]
        dealer = (dealer + 1) % seats
    assert next(game.asked, None) is None
    assert game.scores == scores


# --- no limit ---------------------------------------------------------------------------------------------------------


def no_limit_deal(asked: Asked, dealer: int, chips: list[int], blind: int) -> tuple[list[int], list[int]]:
    """One deal's betting: takes what is paid from the chips; what each seat has paid, and who is left."""
    seats = len(chips)
    live = [seat for seat in range(seats) if chips[seat]]
    paid = [0] * seats

    def pay(seat: int, amount: int) -> None:
        paid[seat] += amount
        chips[seat] -= amount

    around = [seat for step in range(1, seats + 1) if (seat := (dealer + step) % seats) in live]
    small, big = (dealer, around[0]) if len(live) == 2 else (around[0], around[1])
    pay(small, min(blind // 2, chips[small]))
    pay(big, min(blind, chips[big]))
    turn = (big + 1) % seats
    for _ in range(4):
        closed, least = set[int](), blind
        while len(live) > 1:
            able = [seat for seat in live if chips[seat]]
            waiting = [s for s in able if paid[s] < max(paid) or (s not in closed and len(able) > 1)]
            if not waiting:
                break
            while turn not in waiting:
                turn = (turn + 1) % seats
            owed = min(max(paid) - paid[turn], chips[turn])
            whole = sum(paid) + owed
            legal = {"fold", "call"} if owed else {"check"}
            raises = {"raiseLeast": least, "raiseHalfPot": whole // 2, "raisePot": whole, "allIn": chips[turn] - owed}
            if turn not in closed and chips[turn] > owed:
                legal.add("allIn")
                legal |= {name for name in raises if least < raises[name] < raises["allIn"] and name != "raiseLeast"}
                legal |= {"raiseLeast"} if least < raises["allIn"] else set()
            seat, action, offered = next(asked)
            assert (seat, offered) == (turn, legal)
            closed.add(turn)
            if action == "fold":
                live.remove(turn)
            else:
                by = raises.get(action, 0)
                pay(turn, owed + by)
                if by >= least:
                    closed, least = {turn}, by
            turn = (turn + 1) % seats
        if len(live) == 1:
            break
        turn = (dealer + 1) % seats
    return paid, live


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_no_limit_holdem_is_bet_and_its_pots_are_divided_as_the_rules_say(seats: int, seed: int) -> None:
    stack, blind = (40, 2) if seed % 2 else (100, 5)
    game = game_of("no_limit_holdem", seed, seats, AVOIDED[seed % 4], buyIn=stack, bigBlind=blind, deals=20)
    dealer, chips, side_pots = game.dealer, [stack] * seats, 0
    for deal in game.deals:
        paid, live = no_limit_deal(game.asked, dealer, chips, blind)
        side_pots += len({paid[seat] for seat in live}) - 1
        won = divided(paid, hands(deal, live), dealer)
        chips = [had + gain for had, gain in zip(chips, won, strict=True)]
        dealer = next(s for step in range(1, seats + 1) if chips[s := (dealer + step) % seats])
    assert next(game.asked, None) is None
    assert game.scores == [had - stack for had in chips]
    assert side_pots or seats == 2 or seed % 4 < 2
