"""Games of the corpus that are not about tricks score as their published rules say, written here in plain Python."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tests.charts.told import steps, told
from tests.games.table import ClumpedChance

LOW = "A23456789TJQK"
HIGH = "23456789TJQKA"
SEEDS = range(3)


def pips(card: str) -> int:
    """Aces one, faces ten."""
    return min(10, LOW.index(card[0]) + 1)


def number(card: str) -> int:
    """Ace 1 to king 13."""
    return LOW.index(card[0]) + 1


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("seats", [2, 3])
def test_goofspiel_prizes_go_to_the_highest_bid_and_ties_carry_over(seats: int, seed: int) -> None:
    played, (deal,) = told("goofspiel", seed, seats)
    scores, prizes, bids = [0] * seats, 0, dict[int, str]()
    for event in deal.of("move", "pick"):
        card = (event.cards or ("",))[0]
        if event.target == "prizes":
            prizes += number(card)
        elif event.kind == "pick":
            bids[event.seat or 0] = card
            if len(bids) == seats:
                best = max(map(number, bids.values()))
                winners = [seat for seat, bid in bids.items() if number(bid) == best]
                if len(winners) == 1:
                    scores[winners[0]] += prizes
                    prizes = 0
                bids = {}
    assert list(played.outcome.scores) == scores
    assert sum(scores) + prizes == 91


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("seats", [2, 4])
def test_go_fish_counts_complete_books(seats: int, seed: int) -> None:
    played, (deal,) = told("go_fish", seed, seats)
    for seat, score in enumerate(played.outcome.scores):
        ranks = Counter(card[0] for card in deal.zones[f"books({seat})"])
        assert set(ranks.values()) <= {4}
        assert len(ranks) == score
        assert max(Counter(card[0] for card in deal.zones[f"hand({seat})"]).values(), default=0) < 4
    assert not deal.zones["pack"] or any(not deal.zones[f"hand({seat})"] for seat in range(seats))


def test_go_fish_gives_all_cards_of_the_rank_asked_for() -> None:
    _, (deal,) = told("go_fish", 1, 3)
    asked = wanted = ""
    for event, zones in steps(deal):
        if event.kind == "choose" and event.name == "asked":
            asked = str(event.value)
        elif event.kind == "choose":
            wanted = {"jack": "J", "queen": "Q", "king": "K", "ace": "A", "10": "T"}.get(
                str(event.value), str(event.value)
            )
            assert any(card[0] == wanted for card in zones[f"hand({event.seat})"]), "one asks for a rank one holds"
        elif event.target == f"middle({asked})":
            assert sorted(event.cards or ()) == sorted(card for card in zones[f"hand({asked})"] if card[0] == wanted)


@pytest.mark.parametrize("seed", SEEDS)
def test_golf_counts_nothing_for_a_column_of_equal_ranks(seed: int) -> None:
    played, (deal,) = told("golf", seed, 3)
    points = {"A": 1, "2": -2, "K": 0}
    for seat, score in enumerate(played.outcome.scores):
        cards = [deal.zones[f"up({seat}, {place})"][0] for place in range(1, 7)]
        columns = [cards[0:2], cards[2:4], cards[4:6]]
        worth = [[points.get(card[0], pips(card)) for card in column] for column in columns]
        assert score == sum(sum(w) for w, column in zip(worth, columns, strict=True) if column[0][0] != column[1][0])


@pytest.mark.parametrize("seed", SEEDS)
def test_old_maid_is_lost_with_the_odd_queen(seed: int) -> None:
    played, (deal,) = told("old_maid", seed, 4)
    hands = [deal.zones[f"hand({seat})"] for seat in range(4)]
    assert [card[0] for hand in hands for card in hand] == ["Q"]
    assert played.outcome.scores == tuple(-len(hand) for hand in hands)
    discards = deal.zones["stack"]
    assert all(one[0] == two[0] for one, two in zip(discards[::2], discards[1::2], strict=True))


def blackjack_total(cards: list[str]) -> int:
    """The best total of a hand."""
    hard = sum(map(pips, cards))
    return hard + 10 if hard <= 11 and any(card[0] == "A" for card in cards) else hard


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("soft17", ["no", "yes"])
def test_blackjack_pays_as_the_house_does(seed: int, soft17: str) -> None:
    played, deals = told("blackjack", seed, 3, soft17=soft17)
    scores = [0] * 3
    for deal in deals:
        house = deal.zones["upcard"]
        dealer, dealer_natural = blackjack_total(house), len(house) == 2 and blackjack_total(house) == 21
        doubled = {seat for seat, action in deal.chosen("action") if action == "double"}
        for seat in range(3):
            cards = deal.zones[f"box({seat})"]
            mine, stake = blackjack_total(cards), 4 if seat in doubled else 2
            natural = len(cards) == 2 and mine == 21
            if natural or dealer_natural:
                scores[seat] += 0 if natural and dealer_natural else 3 if natural else -stake
            elif mine > 21:
                scores[seat] -= stake
            elif dealer > 21 or mine != dealer:
                scores[seat] += stake if dealer > 21 or mine > dealer else -stake
        assert dealer >= 17 or len(house) == 2
        before = house[:-1]  # the last card drawn
        if len(house) > 2:
            is_soft = blackjack_total(before) > sum(map(pips, before))
            assert blackjack_total(before) < 17 + (soft17 == "yes" and is_soft)
    assert list(played.outcome.scores) == scores


@pytest.mark.parametrize("seed", SEEDS)
def test_president_pays_two_to_the_first_out_and_one_to_the_second(seed: int) -> None:
    played, deals = told("president", seed, 4)
    scores = [0] * 4
    for deal in deals:
        out: list[int] = []
        for event, zones in steps(deal):
            if event.kind == "assign" and not zones["pack"]:
                out += [seat for seat in range(4) if not zones[f"hand({seat})"] and seat not in out]
        scores[out[0]] += 2
        scores[out[1]] += 1
    assert list(played.outcome.scores) == scores


@pytest.mark.parametrize("seed", SEEDS)
def test_scopa_takes_what_adds_up_and_counts_four_points_and_the_sweeps(seed: int) -> None:
    played, deals = told("scopa", seed)
    prime = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12}
    scores = [0, 0]

    def value(card: str) -> int:
        return "A234567JQK".index(card[0]) + 1

    for deal in deals:
        turn, taken, before = (0, ""), list[str](), list[str]()
        if not deal.plays():
            continue  # three kings lay there
        for event, zones in steps(deal):
            card = (event.cards or ("",))[0]
            if event.kind == "play":
                turn, taken, before = (event.seat or 0, card), [], list(zones["board"])
            elif event.kind == "take":
                taken = list(event.cards or ())
            elif event.source == f"middle({turn[0]})":
                need = value(turn[1])
                if event.target == "board":
                    sizes = range(1, len(before) + 1)
                    assert need not in (sum(some) for n in sizes for some in combinations(map(value, before), n))
                else:
                    assert sum(map(value, taken)) == need
                    assert len(taken) == 1 or need not in map(value, before), "one card of that value is taken first"
                    last = not zones["pack"] and not zones["hand(0)"] and not zones["hand(1)"]
                    scores[turn[0]] += len(taken) == len(before) and not last
        won = [deal.zones[f"won({seat})"] for seat in range(2)]
        assert len(won[0]) + len(won[1]) == 40
        primes = [sum(max((prime.get(c[0], 10) for c in w if c[1] == s), default=0) for s in "CDHS") for w in won]
        for seat in range(2):
            scores[seat] += len(won[seat]) > 20
            scores[seat] += sum(card[1] == "D" for card in won[seat]) > 5
            scores[seat] += "7D" in won[seat]
            scores[seat] += primes[seat] > primes[1 - seat]
    assert list(played.outcome.scores) == scores


def show_score(hand: list[str], starter: str, crib: bool) -> int:
    """What five cards count in the show of Cribbage."""
    cards = [*hand, starter]
    sets = [some for size in range(2, 6) for some in combinations(cards, size)]
    score = 2 * sum(sum(map(pips, some)) == 15 for some in sets)
    score += 2 * sum(one[0] == two[0] for one, two in combinations(cards, 2))
    for size in (5, 4, 3):
        runs = sum(is_run([number(card) for card in some]) for some in combinations(cards, size))
        if runs:
            score += size * runs
            break
    if len({card[1] for card in hand}) == 1:
        score += 5 if starter[1] == hand[0][1] else 0 if crib else 4
    return score + ("J" + starter[1] in hand)


def is_run(numbers: list[int]) -> bool:
    """Whether numbers follow one another."""
    return len(set(numbers)) == len(numbers) == max(numbers) - min(numbers) + 1


def pegging_score(row: list[str]) -> int:
    """What the last card of a row counts in the pegging of Cribbage."""
    score = 2 * (sum(map(pips, row)) in (15, 31))
    alike = 1
    while alike < len(row) and row[-1 - alike][0] == row[-1][0]:
        alike += 1
    score += {1: 0, 2: 2, 3: 6, 4: 12}[alike]
    return score + max((size for size in range(3, len(row) + 1) if is_run(list(map(number, row[-size:])))), default=0)


@pytest.mark.parametrize("seed", range(30))
def test_cribbage_pegs_and_counts_as_by_hand(seed: int) -> None:
    played, deals = told("cribbage", seed, chance=ClumpedChance(seed) if seed % 2 else None)
    scores = [0, 0]

    def peg(seat: int, points: int) -> None:
        if max(scores) < 121:
            scores[seat] += points

    for deal in deals:
        pone = deal.of("pick")[0].seat or 0
        starter = next((e.cards or ("",))[0] for e in deal.of("move") if e.target == "starter")
        peg(1 - pone, 2 * (starter[0] == "J"))
        row, hands = list[str](), list[list[str]]()
        for event, zones in steps(deal):
            if event.kind == "play":
                row.append((event.cards or ("",))[0])
                last = event.seat or 0
                peg(last, pegging_score(row))
                hands = [[c for c in zones[f"hand({s})"] if c != row[-1]] for s in range(2)]
                total = sum(map(pips, row))
                if not any(total + pips(card) <= 31 for hand in hands for card in hand):
                    peg(last, int(total < 31))
                    row = []
        crib = [(e.cards or ("",))[0] for e in deal.of("pick")]
        kept = [[card for seat, card in deal.plays() if seat == s] for s in range(2)]
        if len(kept[0] + kept[1]) == 8:
            peg(pone, show_score(kept[pone], starter, crib=False))
            peg(1 - pone, show_score(kept[1 - pone], starter, crib=False))
            peg(1 - pone, show_score(crib, starter, crib=True))
    assert list(played.outcome.scores) == scores
    assert max(scores) >= 121


def test_cribbage_referee_knows_the_famous_hands() -> None:
    assert show_score(["5C", "5D", "5H", "JS"], "5S", crib=False) == 29
    assert show_score(["5C", "5D", "5H", "5S"], "JS", crib=False) == 28
    assert show_score(["7C", "8D", "8H", "9S"], "2C", crib=False) == 12
    assert show_score(["2C", "4C", "6C", "8C"], "TD", crib=True) == 0
    assert pegging_score(["4C", "2D", "3H"]) == 3
    assert pegging_score(["7C", "7D", "7H"]) == 6


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("high", ["no", "yes"])
def test_rummy_counts_what_is_left_in_the_hands_and_melds_are_right(seed: int, high: str) -> None:
    played, (deal,) = told("rummy", seed, 3, avoid=("pass",), aceHigh=high)
    assert list(played.outcome.scores) == [sum(map(pips, deal.zones[f"middle({seat})"])) for seat in range(3)]
    melds = [cards for name, cards in deal.zones.items() if name.startswith("meld") and cards]
    for cards in melds:
        group, run = len({card[0] for card in cards}) == 1, len({card[1] for card in cards}) == 1
        assert len(cards) >= 3
        steps = [14 if card[0] == "A" else number(card) for card in cards]
        assert group or (run and (is_run(list(map(number, cards))) or (high == "yes" and is_run(steps))))


@pytest.mark.parametrize("seed", SEEDS)
def test_last_card_pays_what_the_others_hold(seed: int) -> None:
    played, deals = told("last_card", seed, 3)
    hands = [deals[-1].zones[f"hand({seat})"] for seat in range(3)]
    points = {"W": 50, "S": 20, "R": 20, "T": 20}
    left = sum(points.get(card[0], 0) or int(card[0]) for hand in hands for card in hand)
    assert played.outcome.scores == tuple(0 if hand else left for hand in hands)


@pytest.mark.parametrize("seed", SEEDS)
def test_cuckoo_takes_a_life_from_every_lowest_card(seed: int) -> None:
    played, deals = told("cuckoo", seed, 4)
    lives = [3] * 4
    for deal in deals:
        shown = {seat: number(deal.zones[f"middle({seat})"][0]) for seat in range(4) if lives[seat]}
        for seat, card in shown.items():
            lives[seat] -= card == min(shown.values())
    alive = [seat for seat in range(4) if lives[seat]]
    assert len(alive) <= 1
    assert played.outcome.scores == tuple(int(seat in alive) for seat in range(4))


def schwimmen_worth(hand: list[str]) -> float:
    """The points of three cards."""
    value = {"A": 11, "K": 10, "Q": 10, "J": 10, "T": 10}
    if len({card[0] for card in hand}) == 1:
        return 30.5
    return max(sum(value.get(card[0], 0) or int(card[0]) for card in hand if card[1] == suit) for suit in "CDHS")


@pytest.mark.parametrize("seed", SEEDS)
def test_schwimmen_takes_a_life_from_every_lowest_hand(seed: int) -> None:
    played, deals = told("schwimmen", seed, 3)
    lives = [3] * 3
    for deal in deals:
        worth = {seat: schwimmen_worth(deal.zones[f"hand({seat})"]) for seat in range(3) if lives[seat] >= 0}
        for seat, points in worth.items():
            lives[seat] -= points == min(worth.values())
    alive = [seat for seat in range(3) if lives[seat] >= 0]
    assert len(alive) <= 1
    assert played.outcome.scores == tuple(int(seat in alive) for seat in range(3))


@pytest.mark.parametrize("seed", SEEDS)
def test_war_is_won_with_more_cards(seed: int) -> None:
    played, deals = told("war", seed)
    owned = [len(deals[-1].zones[f"own({seat})"]) + len(deals[-1].zones[f"won({seat})"]) for seat in range(2)]
    if 0 in owned:
        assert played.outcome.scores[owned.index(0)] == 0
    else:
        assert list(played.outcome.scores) == owned
    assert sum(played.outcome.scores) == 52


@pytest.mark.parametrize("seed", SEEDS)
def test_lighthouse_counts_the_longest_suit_less_ships_of_others(seed: int) -> None:
    played, (deal,) = told("lighthouse", seed, 3)
    for seat, score in enumerate(played.outcome.scores):
        hand = deal.zones[f"middle({seat})"]
        suits = {s: (sum(c[1] == s for c in hand), sum(pips(c) for c in hand if c[1] == s)) for s in "CDHS"}
        best = max("CDHS", key=lambda s: 20 * suits[s][0] + suits[s][1])
        assert score == suits[best][1] - 5 * sum(card[0] == "Q" and card[1] != best for card in hand)


@pytest.mark.parametrize("seed", SEEDS)
def test_cheat_punishes_the_liar_or_the_doubter(seed: int) -> None:
    played, (deal,) = told("cheat", seed, 3)
    assert played.outcome.scores == tuple(-len(deal.zones[f"hand({seat})"]) for seat in range(3))
    turn, doubter = 0, 0
    claim = iter("89TJQKA" * 100)
    rank = ""
    for event in deal.events:
        if event.kind == "pick":
            turn, rank = event.seat or 0, next(claim)
        elif event.kind == "choose" and event.value == "doubt":
            doubter = event.seat or 0
        elif event.source == f"middle({turn})":
            honest = (event.cards or ("",))[0][0] == rank
            assert event.target == f"hand({doubter if honest else turn})"
