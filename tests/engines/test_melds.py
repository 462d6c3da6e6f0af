"""Melds and poker hands, against plain searches: all divisions of a hand, all choices of five cards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

import pytest

from fcdl.engines.stepping import SteppingEngine, Values
from fcdl.language.load import load_text
from fcdl.model import Game, RandomChance

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.engines.native import NativeEngine
from fcdl.engines.native.functions import Function

RUMMY = """
deck ranks {ranks} suits clubs diamonds hearts spades copies {copies}
order rankValue: {ranks}
table points: ace 1, 2 2, 3 3, 4 4, 5 5, 6 6, else 10
table odd: ace -3, 2 -1, 6 -2, else 4
chart main
    start
    Shuffle
    pickUp(player(0), {cards})
    choose(player(0), x, {{0, 1}})
    end
"""
FUNCTIONS = {
    "group": "if(isGroup(hand(player(0))), 1, 0)",
    "flush": "if(isFlush(hand(player(0))), 1, 0)",
    "sequence": "if(isSequence(hand(player(0))), 1, 0)",
    "run": "if(isRun(hand(player(0))), 1, 0)",
    "longest": "longestSequence(hand(player(0)))",
    "longest run": "longestRun(hand(player(0)))",
    "by points": "longestRun(hand(player(0)), points)",
    "deadwood": "deadwood(hand(player(0)), points)",
    "deadwood of two": "deadwood(hand(player(0)), points, 2)",
    "deadwood with gains": "deadwood(hand(player(0)), odd)",
    "left": "sum(points(c) for c in hand(player(0))) - sum(points(c) for c in melds(hand(player(0)), points))",
    "poker": "pokerValue(hand(player(0)))",
    "class": "pokerClass(hand(player(0)))",
}
Card = tuple[int, str]


RANKS = ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king"]
SMALL = 7
"""Ranks of the deck with copies."""


def dealt(cards: int, copies: int, seeds: range) -> Iterator[tuple[list[Card], dict[str, int]]]:
    """Hands, each as (rank from 1, suit), and what both engines say about it."""
    ranks = " ".join(RANKS[: 13 if copies == 1 else SMALL])
    loaded = load_text(RUMMY.format(ranks=ranks, copies=copies, cards=cards))
    assert loaded.flowchart is not None, [item.message for item in loaded.findings]
    game = Game.make(loaded.flowchart, name="rummy")
    functions = [Function.read(loaded.flowchart, name, text, {}) for name, text in FUNCTIONS.items()]
    native, stepping, values = NativeEngine(game, functions=functions), SteppingEngine(game), Values(game)
    order = "A23456789TJQK"
    for seed in seeds:
        position, plain = native.start(RandomChance(seed)), stepping.start(RandomChance(seed))
        said = {function.name: native.call(position, function.name) for function in functions}
        assert said == {function.name: values.value(function.body, plain) for function in functions}
        codes = native.zones(position)["hand(0)"]
        yield [(order.index(code[0]) + 1, code[1]) for code in codes], said


# --- divisions


def melds(cards: Sequence[Card], size: int) -> list[frozenset[int]]:
    """Every meld that can be made of some of the cards, by place in the hand."""
    found = []
    for number in range(size, len(cards) + 1):
        for chosen in combinations(range(len(cards)), number):
            ranks = sorted(cards[place][0] for place in chosen)
            suits = {cards[place][1] for place in chosen}
            if len(set(ranks)) == 1 or (len(suits) == 1 and ranks == list(range(ranks[0], ranks[0] + number))):
                found.append(frozenset(chosen))
    return found


def least(cards: Sequence[Card], points: Sequence[int], size: int) -> int:
    """The least sum over cards that are in no meld, of all sets of melds that share no card."""
    known = melds(cards, size)

    @cache
    def rest(left: frozenset[int]) -> int:
        if not left:
            return 0
        first = min(left)
        alone = points[first] + rest(left - {first})
        return min([alone, *(rest(left - meld) for meld in known if first in meld and meld <= left)])

    return rest(frozenset(range(len(cards))))


@pytest.mark.parametrize(("number", "copies"), [(7, 1), (10, 1), (11, 1), (9, 3)])
def test_deadwood_is_the_least_of_all_divisions(number: int, copies: int) -> None:
    for cards, said in dealt(number, copies, range(25)):
        points = [rank if rank < 7 else 10 for rank, _ in cards]
        assert said["deadwood"] == said["left"] == least(cards, points, 3)
        assert said["deadwood of two"] == least(cards, points, 2)
        odd = [{1: -3, 2: -1, 6: -2}.get(rank, 4) for rank, _ in cards]
        assert said["deadwood with gains"] == least(cards, odd, 3)


def test_large_hands_are_divided_in_bounded_time() -> None:
    for cards, said in dealt(30, 2, range(2)):
        assert 0 <= said["deadwood"] <= 10 * len(cards)


# --- sequences


@pytest.mark.parametrize(("number", "copies"), [(1, 1), (2, 1), (3, 4), (13, 1)])
def test_groups_and_sequences_are_what_they_are_called(number: int, copies: int) -> None:
    for cards, said in dealt(number, copies, range(60)):
        ranks, suits = sorted(rank for rank, _ in cards), {suit for _, suit in cards}
        in_sequence = ranks == list(range(ranks[0], ranks[0] + number))
        assert said["group"] == (len(set(ranks)) == 1)
        assert said["flush"] == (len(suits) == 1)
        assert said["sequence"] == in_sequence
        assert said["run"] == (in_sequence and len(suits) == 1)
        assert said["longest"] == longest(set(ranks))
        assert said["longest run"] == max(longest({rank for rank, own in cards if own == suit}) for suit in suits)


def longest(ranks: set[int]) -> int:
    return max(n for first in ranks for n in range(1, 14) if set(range(first, first + n)) <= ranks)


# --- poker

CLASSES = ["high card", "pair", "two pairs", "three", "straight", "flush", "full house", "four", "straight flush"]


def poker(cards: Sequence[Card], high: int) -> tuple[int, list[int]]:
    """The class of five cards, and their ranks in the order in which they decide; `high` counts below 1, too."""
    counts = Counter(rank for rank, _ in cards)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    flush = len({suit for _, suit in cards}) == 1 and len(cards) == 5
    straight = len(cards) == len(ranks) == 5 and (ranks[0] - ranks[4] == 4 or ranks == [high, 4, 3, 2, 1])
    if straight and ranks[0] == high and ranks[1] == 4:
        ranks = [4, 3, 2, 1, 0]
    shape = sorted(counts.values(), reverse=True)
    if straight:
        return CLASSES.index("straight flush" if flush else "straight"), ranks
    if shape[0] >= 4:
        return CLASSES.index("four"), ranks
    if shape[:2] == [3, 2]:
        return CLASSES.index("full house"), ranks
    if flush:
        return CLASSES.index("flush"), sorted((rank for rank, _ in cards), reverse=True)
    shapes = {3: "three", 2: "two pairs" if shape[:2] == [2, 2] else "pair", 1: "high card"}
    return CLASSES.index(shapes[shape[0]]), ranks


@pytest.mark.parametrize(("number", "copies"), [(7, 1), (5, 1), (3, 1), (8, 4)])
def test_poker_values_compare_as_the_best_five_cards_do(number: int, copies: int) -> None:
    hands = [
        (max(poker(five, 13 if copies == 1 else SMALL) for five in combinations(cards, min(5, number))), said)
        for cards, said in dealt(number, copies, range(60))
    ]
    for best, said in hands:
        assert said["class"] == best[0]
    for (mine, said), (other, told) in random.Random(1).sample(list(combinations(hands, 2)), 500):
        assert (said["poker"] > told["poker"]) == (mine > other)
        assert (said["poker"] == told["poker"]) == (mine == other)


# --- every poker hand

ALL_HANDS = """
game "All hands"
players 1
words on
table suitNumber: clubs 0, diamonds 1, hearts 2, spades 3
each 0 to 8 has hands = 0
define place(c) = 13 * suitNumber(suit(c)) + rankValue(c) - 2
define the(i) = card(rank(i % 13), suit(i / 13))
define later = cards c in cards where place(c) > j
chart main
    start
    i = 0
first:  # sets are counted for every two lowest cards, because only so many are looked at for one expression
    choose(player(0), go, {on})
    j = i + 1
second:
    k = 0
class:
    hands(k) = hands(k) + count(s in subsets(later, 3) where pokerClass(union(s, the(i), the(j))) == k)
    k = k + 1
    k < 9?                                                  yes -> class
    j = j + 1
    j < 50?                                                 yes -> second
    i = i + 1
    i < 49?                                                 yes -> first
    publish("#{hands(0)} #{hands(1)} #{hands(2)} #{hands(3)} #{hands(4)}")
    publish("#{hands(5)} #{hands(6)} #{hands(7)} #{hands(8)}")
    end
"""


@pytest.mark.slow
def test_all_poker_hands_of_five_cards_are_told_apart() -> None:
    loaded = load_text(ALL_HANDS)
    assert loaded.flowchart is not None, [item.message for item in loaded.findings]
    engine = NativeEngine(Game.make(loaded.flowchart, name="hands"))
    chance = RandomChance(1)
    state = engine.start(chance)
    while engine.mover(state) is not None:
        state = engine.apply(state, engine.legal(state)[0], chance)
    said = " ".join(event.value or "" for event in engine.events(state) if event.kind == "publish")
    counted = list(map(int, said.split()))
    assert sum(counted) == 2_598_960  # 52 over 5
    # From a high card to a straight flush (36 and 4 royal ones).
    assert counted == [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]
