"""The functions that the rules call as @name: arithmetic and lists, nothing about games.

Cards and values are numbers, lists of them tuples. All functions are total: on terms that they are not meant for they
give `none`, because a grounder may try them on any binding. They never raise.
"""

from __future__ import annotations

from collections.abc import Iterable

from clingo import Function, Number, Symbol, SymbolType, Tuple_

from fcdl.language.flowchart import ANY, MAX_CHOICES, MAX_RANGE, Type
from fcdl.language.melds import cards_of, mask_of
from fcdl.language.ops import ARITHMETIC, OF_CARDS
from fcdl.language.sets import MAX_LOOKED_AT, MAX_OFFERED, first_cards
from fcdl.model.game import Game

_NOTHING = Function("none")
_END = Function("end")


class Primitives:
    """The functions for one game."""

    def __init__(self, game: Game) -> None:
        self._deck = game.flowchart.deck
        self._cards = game.cards
        self._scalars = game.scalars

    # Numbers

    def operations(self) -> list[Symbol]:
        """The names of all operations on numbers."""
        return [Function(name) for name in ARITHMETIC]

    def calculate(self, operation: Symbol, a: Symbol, *more: Symbol) -> Symbol:
        """An operation on one number or two; 32 bits, saturating."""
        numbers = [one.number for one in (a, *more) if one.type is SymbolType.Number]
        if len(numbers) == 1 + len(more) and operation.name in ARITHMETIC:
            return Number(ARITHMETIC[operation.name](*numbers))
        return _NOTHING

    def range(self, low: Symbol, high: Symbol) -> Symbol:
        """The numbers from low to high, at most so many as a range may have."""
        if low.type is high.type is SymbolType.Number:
            first = low.number
            return _tuple(range(first, min(high.number + 1, first + MAX_RANGE)))
        return _NOTHING

    # Lists

    def elements(self, values: Symbol) -> list[Symbol]:
        """The places and elements of a list, and `end` at the place after the last."""
        items = _items(values)
        pairs = [Tuple_([Number(place), item]) for place, item in enumerate(items)]
        return [*pairs, Tuple_([Number(len(items)), _END])]

    def listed(self, pairs: Symbol) -> Symbol:
        """The list of what was collected in pairs, (last, (..., (first, ()))), from first to last."""
        found = []
        while len(pair := _items(pairs)) == 2:
            found.append(pair[0])
            pairs = pair[1]
        return Tuple_(found[::-1])

    def distinct(self, values: Symbol) -> Symbol:
        """The list without repetitions, cut where a choice must end."""
        return Tuple_(list(dict.fromkeys(_items(values)))[:MAX_CHOICES])

    def count(self, values: Symbol) -> Symbol:
        """The length of a list."""
        return Number(len(_items(values)))

    def member(self, value: Symbol, values: Symbol) -> Symbol:
        """Whether a list has this element."""
        return Number(int(value in _items(values)))

    def meet(self, a: Symbol, b: Symbol) -> Symbol:
        """Whether two lists have an element in common."""
        return Number(int(not set(_items(a)).isdisjoint(_items(b))))

    def at(self, end: Symbol, cards: Symbol) -> Symbol:
        """The top or the bottom card of a list, -1 of an empty one."""
        items = _items(cards)
        if not items:
            return Number(-1)
        return items[-1 if end.name == "bottom" else 0]

    def placed(self, operation: Symbol, cards: Symbol, value: Symbol) -> Symbol:
        """Of a pile, from the top: the card at a place, the first or last cards, or the place of a card like one."""
        items = [item.number for item in _items(cards) if item.type is SymbolType.Number]
        if value.type is not SymbolType.Number:
            return _NOTHING
        number = value.number
        match operation.name:
            case "at":
                return Number(items[number - 1] if 1 <= number <= len(items) else -1)
            case "topCards":
                return _tuple(sorted(items[: max(0, number)]))
            case "bottomCards":
                return _tuple(sorted(items[::-1][: max(0, number)]))
        alike = self._deck.cards_with_code(self._deck.code(number)) if number >= 0 else ()
        return Number(next((place for place, card in enumerate(items, 1) if card in alike), 0))

    def inserted(self, moved: Symbol, cards: Symbol, place: Symbol) -> Symbol:
        """A pile, from the top, after cards came to a place of it one by one; 1 is the top."""
        pile, at = list(_items(cards)), max(1, place.number) if place.type is SymbolType.Number else 1
        for card in _items(moved):
            if card in pile:
                pile.remove(card)
            pile.insert(at - 1, card)
        return Tuple_(pile)

    def single(self, value: Symbol) -> Symbol:
        """The list of one element, the empty list of -1."""
        return Tuple_([value] if value.type is SymbolType.Number and value.number >= 0 else [])

    def combine(self, operation: Symbol, a: Symbol, b: Symbol) -> Symbol:
        """Two lists put together: as sets in deck order (union, intersect, except), or appended."""
        if a.type is not SymbolType.Function or b.type is not SymbolType.Function:
            return _NOTHING
        match operation.name:
            case "union":
                return a if not b.arguments else _tuple(sorted(_ints(a) | _ints(b)))
            case "intersect":
                return _tuple(sorted(_ints(a) & _ints(b)))
            case "except":
                return _tuple(sorted(_ints(a) - _ints(b)))
            case "append":
                return Tuple_([*a.arguments, *b.arguments])
        return _NOTHING

    # Cards

    def sorted(self, cards: Symbol) -> Symbol:
        """Cards in deck order."""
        return cards if len(_items(cards)) < 2 else _tuple(sorted(_ints(cards)))

    def without(self, cards: Symbol, gone: Symbol) -> Symbol:
        """The cards that are left when some have gone, in their order."""
        left_out = set(_items(gone))
        return Tuple_([card for card in _items(cards) if card not in left_out])

    def on(self, moved: Symbol, cards: Symbol) -> Symbol:
        """A pile, from the top, after cards were laid on it one by one."""
        return Tuple_([*_items(moved)[::-1], *_items(cards)])

    def taken(self, what: Symbol, cards: Symbol) -> Symbol:
        """What is taken from a pile: all, a number from the top, or certain cards in deck order."""
        match what.name:
            case "number":
                number = what.arguments[0]
                return Tuple_(_items(cards)[: max(0, number.number)] if number.type is SymbolType.Number else [])
            case "cards":
                return _tuple(sorted(_ints(cards) & _ints(what.arguments[0])))
        return cards

    def template(self, rank: Symbol, suit: Symbol) -> Symbol:
        """The cards in play of a rank and a suit, each of which may be any (-2)."""
        if not rank.type is suit.type is SymbolType.Number:
            return _NOTHING
        r, s, deck = rank.number, suit.number, self._deck
        return _tuple(c for c in self._cards if r in (ANY, deck.rank_of(c)) and s in (ANY, deck.suit_of(c)))

    def meld(self, operation: Symbol, table: Symbol, cards: Symbol, *numbers: Symbol) -> Symbol:
        """A function of cards by a table, and perhaps of a number."""
        row = OF_CARDS.get(operation.name)
        if row is None or any(number.type is not SymbolType.Number for number in numbers):
            return _NOTHING
        function = self._scalars.function(row.name, table.string)
        value = function(mask_of(sorted(_ints(cards))), *(number.number for number in numbers))
        return _tuple(cards_of(value)) if row.gives is Type.CARDS else Number(value)

    # Sets of cards

    def next_set(self, domain: Symbol, last: Symbol, extends: Symbol, looked_at: Symbol | None = None) -> Symbol:
        """The set of the domain (cards, sizes, whether copies are one) after another one, or `end`."""
        parts = _items(domain)
        if len(parts) != 4 or (looked_at is not None and looked_at.number >= MAX_LOOKED_AT):
            return _END
        cards, low, high = sorted(_ints(parts[0])), parts[1].number, parts[2].number
        before = first_cards(self._deck, cards) if parts[3].number else dict.fromkeys(cards, -1)
        chosen = sorted(_ints(last))
        place = cards.index(chosen[-1]) + 1 if chosen else 0
        if chosen and not extends.number:
            chosen.pop()
        while True:
            if len(chosen) < high and place < len(cards) and len(chosen) + len(cards) - place >= low:
                if before[cards[place]] < 0 or before[cards[place]] in chosen:
                    return _tuple([*chosen, cards[place]])
                place += 1
            elif chosen:
                place = cards.index(chosen.pop()) + 1
            else:
                return _END

    def with_set(self, domain: Symbol, cards: Symbol, lasts: Symbol, collected: Symbol) -> Symbol:
        """What was collected, with another set if that lasts and is large enough."""
        parts = _items(domain)
        fits = len(parts) == 4 and lasts.number == 1 and len(_items(cards)) >= parts[1].number
        return Tuple_([cards, collected]) if fits else collected

    def offered(self, sets: Symbol) -> Symbol:
        """The sets that a decision offers."""
        return Tuple_(_items(sets)[:MAX_OFFERED])

    def set(self, value: Symbol) -> Symbol:
        """A set of cards, or none of -1."""
        return Tuple_([]) if value.type is SymbolType.Number else value

    def playable(self, cards: Symbol, allowed: Symbol) -> Symbol:
        """The cards that are allowed, in deck order, one of each kind of copies."""
        found: dict[str, int] = {}
        for card in sorted(_ints(cards) & _ints(allowed)):
            found.setdefault(self._deck.code(card), card)
        return _tuple(found.values())


def _items(values: Symbol) -> list[Symbol]:
    return values.arguments if values.type is SymbolType.Function else []


def _ints(values: Symbol) -> set[int]:
    return {item.number for item in _items(values) if item.type is SymbolType.Number}


def _tuple(values: Iterable[int]) -> Symbol:
    return Tuple_([Number(value) for value in values])
