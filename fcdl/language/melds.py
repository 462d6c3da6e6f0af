"""What cards are together: groups, sequences, poker hands, and how much of a hand is in melds.

Sets of cards are bit masks over the deck. `docs/language-design.md` ("Melds") gives the meaning; the native engine has
the same in C (`engines/native/melds.c`), and tests compare both with plain searches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

MAX_WAYS = 4_096
"""How many steps a division of cards into melds may take; the best way found until then stands."""
MAX_POSITIONS = 45
"""Poker hands tell so many ranks apart, from the top."""
HAND = 5
"""Cards of a poker hand."""

Values = Callable[[int], int]
"""A number for each card."""


def cards_of(mask: int) -> Iterator[int]:
    """The cards of a set, in deck order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(cards: Sequence[int]) -> int:
    """The set of these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def alike(mask: int, value: Values) -> bool:
    """Whether there are cards and all have one value."""
    return len({value(card) for card in cards_of(mask)}) == 1


def is_sequence(mask: int, value: Values) -> bool:
    """Whether there are cards, with values one apart and no two equal."""
    values = {value(card) for card in cards_of(mask)}
    return bool(values) and len(values) == mask.bit_count() == max(values) - min(values) + 1


def longest_sequence(mask: int, value: Values) -> int:
    """How many cards the longest sequence has."""
    values = {value(card) for card in cards_of(mask)}
    longest = 0
    for first in values:
        if first - 1 not in values:
            last = first
            while last in values:
                last += 1
            longest = max(longest, last - first)
    return longest


def longest_run(mask: int, value: Values, suit: Values) -> int:
    """How many cards the longest sequence of one suit has."""
    suits: Counter[int] = Counter()
    for card in cards_of(mask):
        suits[suit(card)] |= 1 << card
    return max((longest_sequence(cards, value) for cards in suits.values()), default=0)


# --- poker ------------------------------------------------------------------------------------------------------------


def positions(values: Sequence[int]) -> list[int]:
    """By card: the place of its value among all of them, 1 for the lowest; at most so many are told apart."""
    places = sorted(set(values))
    lost = max(0, len(places) - MAX_POSITIONS)
    return [max(places.index(value) + 1 - lost, 1) for value in values]


class Poker:
    """Poker hands of one deck: the position and the suit of each card."""

    def __init__(self, position: Sequence[int], suit: Sequence[int]) -> None:
        self.position, self.suit = position, suit
        self.top = max(position)
        self.base = self.top + 1

    def value(self, mask: int) -> int:
        """What the best five of the cards (or all, if there are fewer) are worth: the class, then what decides ties."""
        kind, deciding = self._best(list(cards_of(mask)))
        worth = kind
        for position in (*deciding, *(0,) * (HAND - len(deciding))):
            worth = worth * self.base + position
        return worth

    def kind(self, mask: int) -> int:
        """The class of the best five cards: 0 for a high card to 8 for a straight flush."""
        return self._best(list(cards_of(mask)))[0]

    def _best(self, cards: list[int]) -> tuple[int, tuple[int, ...]]:
        """The class and the deciding positions, most important first."""
        found = sorted((self.position[card] for card in cards), reverse=True)
        suits: dict[int, list[int]] = {}
        for card in cards:
            suits.setdefault(self.suit[card], []).append(self.position[card])
        flushes = [sorted(own, reverse=True) for own in suits.values() if len(own) >= HAND]
        straight_flush = max((self._straight(own) for own in flushes), default=0)
        if straight_flush:
            return 8, (straight_flush,)
        counts = Counter(found)
        by_count = sorted(counts, key=lambda position: (counts[position], position), reverse=True)
        four = max((position for position in counts if counts[position] >= 4), default=0)
        if four:
            return 7, (four, *_rest(found, [four] * 4, 1))
        three = max((position for position in counts if counts[position] >= 3), default=0)
        pairs = sorted((position for position in by_count if counts[position] >= 2 and position != three), reverse=True)
        if three and pairs:
            return 6, (three, pairs[0])
        if flushes:
            return 5, tuple(max(own[:HAND] for own in flushes))
        straight = self._straight(found)
        if straight:
            return 4, (straight,)
        if three:
            return 3, (three, *_rest(found, [three] * 3, 2))
        if len(pairs) >= 2:
            return 2, (*pairs[:2], *_rest(found, pairs[:2] * 2, 1))
        if pairs:
            return 1, (pairs[0], *_rest(found, pairs[:1] * 2, 3))
        return 0, tuple(found[:HAND])

    def _straight(self, found: Sequence[int]) -> int:
        """The highest card of the best straight, 0 without one; the highest of the deck is also below the lowest."""
        there = set(found) | ({0} if self.top in found else set())
        tops = range(self.top, HAND - 2, -1)
        return next((top for top in tops if all(top - step in there for step in range(HAND))), 0)


def _rest(found: Sequence[int], used: Sequence[int], number: int) -> list[int]:
    """The highest cards besides those that are used."""
    left = list(found)
    for position in used:
        left.remove(position)
    return left[:number]


# --- melds ------------------------------------------------------------------------------------------------------------


def run_orders(values: Sequence[int]) -> list[int]:
    """Small numbers for values of cards: one apart where the values are, and farther apart where they are not."""
    places: dict[int, int] = {}
    for value in sorted(set(values)):
        places[value] = places[value - 1] + 1 if value - 1 in places else len(places) * 2
    return [places[value] for value in values]


class Melding:
    """Divides cards into runs and groups of at least so many cards, so that what is left is worth least.

    Cards are decided one after the other, by suit and then from the lowest. Each is in a run that begins with it
    (longest first), in a group with later ones (largest first), or in no meld; a way that cannot become better than the
    best one is left. Melds of twice the least size need not be tried: they are two melds.
    """

    def __init__(self, suit: Sequence[int], rank: Sequence[int], order: Sequence[int], points: Values) -> None:
        self.suit, self.rank, self.order, self.points = suit, rank, order, points

    def least(self, mask: int, size: int) -> tuple[int, int]:
        """The least sum of points of cards that are in no meld, and the cards that are in melds then."""
        self.size = max(1, min(size, mask.bit_count() + 1))
        cards = sorted(cards_of(mask), key=lambda card: (self.suit[card], self.order[card], card))
        self.ways = 0
        self.best: int | None = None
        self.melded = 0
        credit = sum(min(self.points(card), 0) for card in cards)
        self._divide(cards, 0, credit, 0)
        return self.best or 0, self.melded

    def _divide(self, cards: list[int], dead: int, credit: int, melded: int) -> None:
        """Decides the first of the cards; `credit` is what the others can at best take off the sum."""
        if self.ways >= MAX_WAYS or (self.best is not None and dead + credit >= self.best):
            return
        self.ways += 1
        if not cards:
            self.best, self.melded = dead, melded
            return
        first = cards[0]
        for meld in (*self._runs(cards), *self._groups(cards)):
            left = [card for card in cards if card not in meld]
            self._divide(left, dead, credit - sum(min(self.points(card), 0) for card in meld), melded | mask_of(meld))
        points = self.points(first)
        self._divide(cards[1:], dead + points, credit - min(points, 0), melded)

    def _runs(self, cards: list[int]) -> Iterator[list[int]]:
        run = [cards[0]]
        for card in cards[1:]:
            if self.suit[card] == self.suit[run[0]] and self.order[card] == self.order[run[-1]] + 1:
                run.append(card)
        for length in range(min(len(run), 2 * self.size - 1), self.size - 1, -1):
            yield run[:length]

    def _groups(self, cards: list[int]) -> Iterator[list[int]]:
        others = [card for card in cards[1:] if self.rank[card] == self.rank[cards[0]]]
        for length in range(min(len(others) + 1, 2 * self.size - 1), max(self.size, 2) - 1, -1):
            for chosen in combinations(others, length - 1):
                yield [cards[0], *chosen]
