"""Which card can lie in which place: what a seat knows of a deal, in the form in which deals can be counted.

A *place* is a card's number in the order of the last shuffle of everything; places of later shuffles follow. Where a
place's card goes is public, as long as nobody picks cards unseen. A *pool* is a set of places that have gone the same
way so far. For every card that is not pinned to a place, a bit mask says in which pools it can lie: a card seen leaving
a zone lay in one of the pools there, a card that cannot be in a zone lies in none of them. The worlds are the ways to
put all cards into places by these masks. A hidden pick out of several pools splits a deal into several.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from math import comb, factorial, perm
from operator import sub
from typing import NamedTuple

from fcdl.beliefs.follower import Movement

MAX_DEALS = 128
"""Into so many a deal may be split by hidden picks; beyond that particles are better."""
MANY_DEALS, SOME_DEALS = 1024, 128
"""So many deals are looked at after a hidden pick; if they are more than MAX_DEALS, so many of them go on."""
MANY_POOLS = 2
"""A card seen leaving an ordered zone can have lain in so many pools; if it is more, the order is given up."""


class UncountableError(Exception):
    """What happened to the cards cannot be said with places and pools."""


def few(deals: Iterable[Deal]) -> list[Deal]:
    """The deals; raises UncountableError as soon as there are too many."""
    found = list(islice(deals, MAX_DEALS + 1))
    if len(found) > MAX_DEALS:
        raise UncountableError("hidden picks can have gone in too many ways")
    return found


class Limit(NamedTuple):
    """So many of some cards, at least and at most, lie in some places."""

    cards: frozenset[int]
    places: frozenset[int]
    low: int
    high: int


class Deal:
    """What is known of places and cards; `factor` deals are alike."""

    __slots__ = (
        "allowed",
        "batches",
        "copies",
        "factor",
        "last_batch",
        "limits",
        "loose",
        "order",
        "origins",
        "picks",
        "pinned",
        "pools",
        "possible",
        "serial",
        "where",
        "zones",
    )

    def __init__(self, cards: Sequence[int], ordered: Iterable[str], *, shuffled: bool, copies: bool = False) -> None:
        self.copies = copies
        self.pinned: list[int] = [-1] * len(cards) if shuffled else list(cards)
        """By place: the card, -1 if it is not known."""
        self.pools: dict[int, list[int]] = {0: list(range(len(cards)))} if shuffled else {}
        self.zones: dict[str, list[int]] = {"pack": [0]} if shuffled else {}
        """The pools of each zone."""
        self.allowed: dict[int, int] = dict.fromkeys(cards, 1) if shuffled else {}
        """By card that is not pinned: the pools in which it can lie, bit by bit."""
        self.where: dict[int, str] = {} if shuffled else dict.fromkeys(cards, "pack")
        """The zone of each card that is known to be there now."""
        self.loose: set[int] = set()
        """Cards whose zone is known, but not their place."""
        self.order: dict[str, list[int] | None] = {zone: [] for zone in ordered}
        """By ordered zone, from the top: cards, and ~place for cards that are not known; None: unknown."""
        self.order["pack"] = [~place for place in range(len(cards))] if shuffled else list(cards)
        self.picks: list[int] = []
        """By hidden pick: its place, or ~card."""
        self.batches: dict[int, int] = dict.fromkeys(range(len(cards)), 0) if shuffled else {}
        """By place: the cards that were always taken from piles together; their order among themselves is no secret."""
        self.origins: dict[int, tuple[int, ...]] = {}
        """By pinned card: the places that were as good as its own."""
        self.limits: list[Limit] = []
        """What is known of several cards together. Counting does not use it."""
        self.last_batch = 0
        self.serial = 1
        self.factor = 1
        self.possible = True

    def copy(self) -> Deal:
        """An independent copy."""
        other = Deal.__new__(Deal)
        other.copies = self.copies
        other.pinned = self.pinned[:]
        other.pools = {pool: places[:] for pool, places in self.pools.items()}
        other.zones = {zone: pools[:] for zone, pools in self.zones.items()}
        other.allowed = dict(self.allowed)
        other.where = dict(self.where)
        other.loose = set(self.loose)
        other.order = {zone: None if order is None else order[:] for zone, order in self.order.items()}
        other.picks = self.picks[:]
        other.batches = dict(self.batches)
        other.origins = dict(self.origins)
        other.limits = self.limits[:]
        other.last_batch, other.serial = self.last_batch, self.serial
        other.factor, other.possible = self.factor, self.possible
        return other

    # --- what is known

    def bits(self, zone: str) -> int:
        """The pools of a zone."""
        return sum(1 << pool for pool in self.zones.get(zone, ()))

    def restrict(self, card: int, zones: Iterable[str], inside: bool) -> None:
        """A card is in one of these zones, or in none of them."""
        here = self.where.get(card)
        if here is not None:
            self.possible &= (here in zones) == inside
            return
        bits = 0
        for zone in zones:
            bits |= self.bits(zone)
        self._allow(card, bits if inside else ~bits)

    def limit(self, cards: Iterable[int], zone: str, low: int, high: int) -> None:
        """At least `low` and at most `high` of these cards are in a zone."""
        here = [card for card in cards if self.where.get(card) == zone]
        rest = frozenset(card for card in cards if card not in self.where)
        places = frozenset(place for pool in self.zones.get(zone, ()) for place in self.pools[pool])
        found = Limit(rest, places, max(0, low - len(here)), high - len(here))
        if found.low > 0 or found.high < min(len(rest), len(places)):
            self.limits.append(found)

    def _allow(self, card: int, bits: int) -> None:
        self.allowed[card] &= bits
        if not self.allowed[card]:
            self.possible = False

    def _pin(self, card: int, place: int, zone: str) -> None:
        """A card is known to lie in a place, and to be in a zone now."""
        pool = next(pool for pool, places in self.pools.items() if place in places)
        if not self.allowed.pop(card, 0) >> pool & 1:
            self.possible = False
        self.pinned[place] = card
        self.loose.discard(card)
        self.where[card] = zone
        self._remove(pool, place)

    def _remove(self, pool: int, place: int) -> None:
        places = self.pools[pool]
        places.remove(place)
        if not places:
            self._drop(pool)

    def _drop(self, pool: int) -> None:
        """A pool without places is no pool."""
        del self.pools[pool]
        for pools in self.zones.values():
            if pool in pools:
                pools.remove(pool)

    # --- movements

    def move(self, movement: Movement, unmoved: set[int], must_move: set[int]) -> Iterator[Deal]:
        """Cards move; yields the deals that this one becomes.

        If they were not seen, none of `unmoved` is among them, and all of `must_move` that were there are.
        """
        order = self.order.get(movement.source, ()) if movement.source in self.order else ()
        if movement.source in self.order and (movement.end is not None or movement.everything):
            if order is None:
                raise UncountableError(f"the order of {movement.source} is not known")
            self._move_from_end(movement, order)
            yield self
        elif movement.cards is not None:
            yield from self._move_seen(movement, movement.cards)
        elif movement.everything or (not movement.decided and movement.number == self._count(movement.source)):
            self._move_all(movement)
            yield self
        else:
            yield from self._move_unseen(movement, unmoved, must_move)

    def _count(self, zone: str) -> int:
        known = sum(place == zone for place in self.where.values())
        loose = sum(self.allowed[card] & self.bits(zone) == self.allowed[card] for card in self.loose)
        return known + sum(len(self.pools[pool]) for pool in self.zones.get(zone, ())) - loose

    def _land(self, zone: str, entries: list[int] | None) -> None:
        """Cards land on top of a zone, one after another."""
        if zone in self.order:
            below = self.order[zone]
            self.order[zone] = None if entries is None or below is None else entries[::-1] + below

    def _move_from_end(self, movement: Movement, order: Sequence[int]) -> None:
        number = movement.number
        if number > len(order):
            self.possible = False
            return
        taken = list(order[:number]) if movement.end != -1 else list(order[-number:])
        self.order[movement.source] = list(order[number:]) if movement.end != -1 else list(order[: len(order) - number])
        hidden: list[int] = []
        for index, entry in enumerate(taken):
            if entry >= 0:
                if movement.cards is not None and movement.cards[index] != entry:
                    self.possible = False
                self.where[entry] = movement.target
            elif movement.cards is not None:
                self._pin(movement.cards[index], ~entry, movement.target)
                self.batches[~entry] = self._new_batch()
                taken[index] = movement.cards[index]
            else:
                hidden.append(~entry)
        batches = {batch: self._new_batch() for batch in {self.batches[place] for place in hidden}}
        for place in hidden:
            self.batches[place] = batches[self.batches[place]]
        self._split(hidden, movement.target)
        self._land(movement.target, taken)

    def see_end(self, zone: str, end: int, card: int) -> None:
        """The top (0) or the bottom (-1) card of a zone is seen, and stays there."""
        order = self.order.get(zone)
        if not order:
            return
        if order[end] >= 0:
            self.possible &= order[end] == card
        elif card in self.where:
            self.possible = False
        else:
            place = ~order[end]
            self._pin(card, place, zone)
            self.batches[place] = self._new_batch()
            order[end] = card

    def _new_batch(self) -> int:
        self.last_batch += 1
        return self.last_batch

    def _split(self, places: list[int], target: str) -> None:
        """Places of one or more pools go to another zone."""
        going = set(places)
        for pool in [pool for pool, here in self.pools.items() if not going.isdisjoint(here)]:
            moving = [place for place in self.pools[pool] if place in going]
            if any(self.allowed[card] >> pool & 1 for card in self.loose):
                raise UncountableError("cards are taken from a pile from which others may have been taken")
            if len(moving) == len(self.pools[pool]):
                for pools in self.zones.values():
                    if pool in pools:
                        pools.remove(pool)
                self.zones.setdefault(target, []).append(pool)
                continue
            self._new_pool(moving, pool, target)

    def _new_pool(self, places: list[int], parent: int, zone: str) -> int:
        """Places that part from their pool; the cards of that pool can lie in either."""
        new = self.serial
        self.serial += 1
        self.pools[new] = places
        self.pools[parent] = [place for place in self.pools[parent] if place not in places]
        self.zones.setdefault(zone, []).append(new)
        bit, old = 1 << new, 1 << parent
        for card, mask in self.allowed.items():
            if mask & old:
                self.allowed[card] = mask | bit
        return new

    def _move_all(self, movement: Movement) -> None:
        """All cards of a zone move unseen."""
        source, target = movement.source, movement.target
        known = sorted(card for card, zone in self.where.items() if zone == source)
        for card in known:
            self.where[card] = target
        entries: list[int] | None = known
        moving = self.zones.pop(source, [])
        if moving:
            self.zones.setdefault(target, []).extend(moving)
            places = [place for pool in moving for place in self.pools[pool]]
            entries = [~places[0]] if len(places) == 1 and not known else None
        if source in self.order:
            entries = self.order[source]
            self.order[source] = []
        self._land(target, entries)

    def _move_seen(self, movement: Movement, cards: tuple[int, ...]) -> Iterator[Deal]:
        deals = [self]
        for card in cards:
            deals = few(after for deal in deals for after in deal._reveal(card, movement))
        for deal in deals:
            deal._land(movement.target, list(cards))
            if movement.everything:
                deal._close(movement.source)
            yield deal

    def _close(self, zone: str) -> None:
        """No card that is still hidden can have been in a zone that was emptied openly."""
        bits = self.bits(zone)
        if bits:
            for card in self.allowed:
                if card not in self.loose:
                    self._allow(card, ~bits)
            self.zones[zone] = []

    def _reveal(self, card: int, movement: Movement) -> Iterator[Deal]:
        """A card is seen leaving a zone."""
        source, target = movement.source, movement.target
        order = self.order.get(source)
        here = self.where.get(card)
        if here is not None:
            self.possible &= here == source
            self.where[card] = target
            if order is not None and card in order:
                order.remove(card)
            yield self
            return
        pools = self._pools_of(card, source)
        if len(pools) > MANY_POOLS and order is not None:
            self.order[source] = None  # it is likely to be shuffled before somebody takes cards from an end of it
            self._unite(source)
            pools = self._pools_of(card, source)
        if not pools:
            self.possible = False
            yield self
        elif len(pools) > 1 and self.order.get(source) is None:
            self._allow(card, self.bits(source))
            self.where[card] = target
            self.loose.add(card)
            yield self
        else:
            yield from self._pin_to_one(card, pools, source, target)

    def _pools_of(self, card: int, zone: str) -> list[int]:
        """The pools of a zone in which a card can lie."""
        return [pool for pool in self.zones.get(zone, ()) if self.allowed[card] >> pool & 1]

    def _pin_to_one(self, card: int, pools: list[int], source: str, target: str) -> Iterator[Deal]:
        """A card lay in one of these pools; which place of a pool does not matter."""
        for index, pool in enumerate(pools):
            deal = self if index == len(pools) - 1 else self.copy()
            place = deal.pools[pool][0]
            deal.factor *= len(deal.pools[pool])
            deal.origins[card] = tuple(deal.pools[pool])
            deal._pin(card, place, target)
            order = deal.order.get(source)
            if order is not None:
                order.remove(~place)
            yield deal

    def _move_unseen(self, movement: Movement, unmoved: set[int], must_move: set[int]) -> Iterator[Deal]:
        """Some cards of a zone move unseen."""
        deals = [self]
        for card in sorted(self.loose):
            if self.allowed[card] & self.bits(movement.source):
                deals = few(after for deal in deals for after in deal._settle(card))
        for deal in deals:
            yield from deal._choose(movement, unmoved, must_move)

    def _settle(self, card: int) -> Iterator[Deal]:
        """The pool of a card that could have come from several."""
        pools = [pool for pool in self.pools if self.allowed[card] >> pool & 1]
        yield from self._pin_to_one(card, pools, "", self.where[card])

    def _choose(self, movement: Movement, unmoved: set[int], must_move: set[int]) -> Iterator[Deal]:
        self._unite(movement.source)
        source = movement.source
        known = [card for card, zone in self.where.items() if zone == source]
        free = [card for card in known if card not in unmoved and card not in must_move]
        forced = [card for card in known if card in must_move]
        for cards, counts in _compositions(
            movement.number - len(forced), len(free), [len(self.pools[pool]) for pool in self.zones.get(source, ())]
        ):
            deal = self.copy()
            going = forced + [free[index] for index in cards]
            entries = [*going]
            for card in going:
                deal.where[card] = movement.target
                deal.picks.append(~card)
            for pool, count in zip(self.zones.get(source, ()), counts, strict=True):
                entries.extend(~place for place in deal._part(pool, count, movement, unmoved, must_move))
            order = deal.order.get(source)
            if order is not None:
                deal.order[source] = [entry for entry in order if entry not in entries]
            deal._land(movement.target, entries if len(entries) == 1 else None)
            yield deal

    def _part(self, pool: int, count: int, movement: Movement, unmoved: set[int], must_move: set[int]) -> list[int]:
        """So many of a pool's places go on, the others stay; returns those that go."""
        places = self.pools[pool]
        if not count:
            for card in must_move & self.allowed.keys():
                self._allow(card, ~(1 << pool))
            return []
        self.factor *= comb(len(places), count)
        moving = places[:count]
        self.picks.extend(moving)
        if count == len(places):
            self.zones[movement.source].remove(pool)
            self.zones.setdefault(movement.target, []).append(pool)
            new = pool
        else:
            new = self._new_pool(moving, pool, movement.target)
            for card in must_move & self.allowed.keys():
                self._allow(card, ~(1 << pool))
        for card in unmoved & self.allowed.keys():
            self._allow(card, ~(1 << new))
        return moving

    def _unite(self, zone: str) -> None:
        """Pools of a zone in which the same cards can lie become one."""
        if self.order.get(zone) is not None:
            return
        alike: dict[tuple[int, ...], int] = {}
        for pool in list(self.zones.get(zone, ())):
            cards = tuple(mask >> pool & 1 for mask in self.allowed.values())
            if self.copies:  # then the places of a pool must not differ in their batches
                cards += tuple(sorted({self.batches[place] for place in self.pools[pool]}))
            first = alike.setdefault(cards, pool)
            if first != pool:
                self.pools[first].extend(self.pools.pop(pool))
                self.zones[zone].remove(pool)
                for card, mask in self.allowed.items():
                    self.allowed[card] = mask & ~(1 << pool)

    def shuffle(self, zone: str) -> list[int]:
        """A zone is shuffled; returns the places of its new order."""
        self.order[zone] = None
        self._unite(zone)
        known = [card for card, place in self.where.items() if place == zone]
        pools = self.zones.get(zone, [])
        mixed = bool(known and pools) or len(pools) > 1 or not self.loose.isdisjoint(known)
        if mixed or any(self.allowed[card] & self.bits(zone) for card in self.loose):
            raise UncountableError(f"{zone} is shuffled with cards of different origin")
        if known:
            new, pool = [len(self.pinned) + index for index in range(len(known))], self.serial
            self.serial += 1
            self.pinned.extend([-1] * len(known))
            self.pools[pool] = new
            self.zones[zone] = [pool]
            self.batches.update(dict.fromkeys(new, self._new_batch()))
            for card in known:
                del self.where[card]
                self.allowed[card] = 1 << pool
        else:
            new = list(self.pools[pools[0]])
        self.order[zone] = [~place for place in new]
        return new

    # --- for counting

    def worlds(self) -> int:
        """How many worlds there are if only single cards are restricted: deals that differ in more than order."""
        classes, groups = self.classes()
        number = self.factor * bijections([len(places) for places in classes], [(m, len(c)) for m, c in groups])
        for size in Counter(self.batches.values()).values():
            number, rest = divmod(number, factorial(size))
            assert rest == 0
        return number

    def alike(self, cards: Sequence[int]) -> tuple[list[int], list[int]]:
        """By place its batch, and by card the batches that may hold it, bit by bit: for decks with copies of a card."""
        if len(self.batches) != len(self.pinned):
            raise UncountableError("cards of which there are copies were shuffled again")
        numbers = {batch: number for number, batch in enumerate(dict.fromkeys(self.batches.values()))}
        batches = [numbers[self.batches[place]] for place in range(len(self.pinned))]
        place_of = {card: place for place, card in enumerate(self.pinned) if card >= 0}
        masks = []
        for card in cards:
            places = self.origins.get(card) or ((place_of[card],) if card in place_of else ())
            if card in self.allowed:
                places = tuple(
                    p for pool, content in self.pools.items() if self.allowed[card] >> pool & 1 for p in content
                )
            masks.append(sum(1 << batch for batch in {batches[place] for place in places}))
        return batches, masks

    def classes(self) -> tuple[list[list[int]], list[tuple[int, list[int]]]]:
        """Places by class, and cards by group with the classes where they can lie, bit by bit."""
        groups: dict[int, list[int]] = {}
        for card, mask in self.allowed.items():
            groups.setdefault(mask, []).append(card)
        masks = list(groups)
        numbers: dict[tuple[int, ...], int] = {}
        classes: list[list[int]] = []
        wanted = [0] * len(masks)
        for pool, places in self.pools.items():
            column = tuple(mask >> pool & 1 for mask in masks)
            number = numbers.setdefault(column, len(classes))
            if number == len(classes):
                classes.append([])
                for index, bit in enumerate(column):
                    wanted[index] |= bit << number
            classes[number].extend(places)
        merged: dict[int, list[int]] = {}
        for mask, bits in zip(masks, wanted, strict=True):
            merged.setdefault(bits, []).extend(groups[mask])
        return classes, sorted(merged.items(), key=lambda group: (group[0].bit_count(), group[0]))


def bijections(sizes: list[int], groups: list[tuple[int, int]]) -> int:
    """In how many ways cards fill places: places by class, and cards by group with the classes they may fill (bits)."""

    @cache
    def ways(group: int, left: tuple[int, ...]) -> int:
        if group == len(groups):
            return int(not any(left))
        mask, count = groups[group]
        futures = [tuple(later >> index & 1 for later, _ in groups[group + 1 :]) for index in range(len(left))]
        total = 0
        for taken, number in spread(count, [size if mask >> index & 1 else 0 for index, size in enumerate(left)]):
            total += number * ways(group + 1, merged(tuple(map(sub, left, taken)), futures))
        return total

    def merged(left: tuple[int, ...], futures: list[tuple[int, ...]]) -> tuple[int, ...]:
        """Classes that no later group can tell apart count as one, in the place of the first."""
        first: dict[tuple[int, ...], int] = {}
        result = [0] * len(left)
        for index, size in enumerate(left):
            result[first.setdefault(futures[index], index)] += size
        return tuple(result)

    if sum(sizes) != sum(count for _, count in groups):
        return 0
    everything = [tuple(mask >> index & 1 for mask, _ in groups) for index in range(len(sizes))]
    return ways(0, merged(tuple(sizes), everything))


def spread(count: int, sizes: list[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """All ways to spread so many different cards over classes of different places, with how often each comes."""
    if not sizes:
        if count == 0:
            yield (), 1
        return
    for taken in range(max(0, count - sum(sizes[1:])), min(count, sizes[0]) + 1):
        for rest, number in spread(count - taken, sizes[1:]):
            yield (taken, *rest), number * comb(count, taken) * perm(sizes[0], taken)


def _compositions(number: int, singles: int, sizes: list[int]) -> Iterator[tuple[list[int], list[int]]]:
    """All ways to take so many from single things and from pools: which singles, how many of each pool."""

    def of_pools(left: int, index: int) -> Iterator[list[int]]:
        if index == len(sizes):
            if left == 0:
                yield []
            return
        for count in range(min(left, sizes[index]) + 1):
            for rest in of_pools(left - count, index + 1):
                yield [count, *rest]

    def of_singles(left: int, index: int, chosen: list[int]) -> Iterator[tuple[list[int], list[int]]]:
        if index == singles:
            for counts in of_pools(left, 0):
                yield chosen, counts
            return
        yield from of_singles(left, index + 1, chosen)
        if left > 0:
            yield from of_singles(left - 1, index + 1, [*chosen, index])

    if number >= 0:
        yield from of_singles(number, 0, [])
