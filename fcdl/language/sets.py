"""Sets of cards as elements of a domain: `subsets(cards, low to high)`, which of them are looked at, in which order.

A set comes before the sets that add later cards to it; otherwise sets go by the first card in which they differ, in
deck order. A set that fails a *lasting* condition, one that fails with any further card, is not extended. What is
lasting is found here and nowhere else, so that all engines look at the same sets. Sets are bit masks over the deck.

A set is extended by later cards only. So what lasts need hold only for the sets that are met on the way: a run is met
as shorter runs if its last card in the deck is always one of its ends.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from fcdl.language.flowchart import MAX_CARDS, TRUE, Deck, Expr, Flowchart, Table, Type

MAX_LOOKED_AT = 65_536
"""So many sets of one domain are looked at; no more are elements of it."""
MAX_OFFERED = 4_096
"""So many sets can be offered in one decision."""


def is_of_sets(domain: Expr) -> bool:
    """Whether the elements of a domain are sets of cards."""
    return domain.op == "subsets" or (domain.op == "those" and is_of_sets(domain.args[0]))


def innermost(domain: Expr) -> Expr:
    """The `subsets` of a domain of sets."""
    return domain if domain.op == "subsets" else innermost(domain.args[0])


def sizes(subsets: Expr) -> tuple[Expr, Expr | None]:
    """The least and the largest number of cards as they are written; without a largest one there is no limit."""
    low, high = subsets.args[1:]
    return low, None if high.op == "const" and high.value == MAX_CARDS else high


def first_cards(deck: Deck, cards: Sequence[int]) -> dict[int, int]:
    """By card, given in deck order: the one that looks like it and comes right before it, or -1."""
    before: dict[int, int] = {}
    last: dict[str, int] = {}
    for card in cards:
        before[card] = last.get(deck.code(card), -1)
        last[deck.code(card)] = card
    return before


def sets_of(
    cards: Sequence[int], low: int, high: int, lasts: Callable[[int], bool], before: dict[int, int] | None = None
) -> Iterator[int]:
    """The sets of so many cards (given in deck order) for which the lasting condition holds, in order.

    With `before` copies of a card are one: only sets with the first of them are made.
    """
    places: list[int] = []
    mask, looked_at, place = 0, 0, 0
    low = max(low, 1)
    while True:
        if len(places) < high and place < len(cards) and len(places) + len(cards) - place >= low:
            card = cards[place]
            if before is not None and before[card] >= 0 and not mask >> before[card] & 1:
                place += 1
                continue
            if looked_at == MAX_LOOKED_AT:
                return
            looked_at += 1
            mask |= 1 << card
            if lasts(mask):
                places.append(place)
                if len(places) >= low:
                    yield mask
            else:
                mask ^= 1 << card
            place += 1
        elif places:
            place = places.pop()
            mask ^= 1 << cards[place]
            place += 1
        else:
            return


# --- which sets are looked at -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Looking:
    """How the sets of a domain that fit a condition are looked for."""

    domain: Expr
    """The `subsets` with the fewest cards and the narrowest sizes."""
    lasts: Expr
    """A set that fails it is not extended."""
    asked: Expr
    """What the condition asks besides."""


def looking(chart: Flowchart, domain: Expr, condition: Expr, name: str) -> Looking:
    """Finds out from the condition which cards and sizes `subsets` need, and what lasts of the rest."""
    growth = _Growth(chart, name)
    cards, low, high = domain.args
    left: list[Expr] = []
    for part in parts(condition):
        least, most = growth.size(part)
        if least is not None:
            low = _of_numbers("maximum", low, least)
        if most is not None:
            high = _of_numbers("minimum", high, most)
        of_each = growth.of_each(part)
        for card, fits in of_each:
            cards = Expr("those", Type.CARDS, (cards, fits), name=card)
        is_said = least is not None or most is not None or (part.op == "every" and of_each)
        if not is_said:
            left.append(part)
    asked = _all_of(left)
    lasts = growth.lasting(asked)
    return Looking(replace(domain, args=(cards, low, high)), lasts, besides(asked, lasts))


def _of_numbers(operation: str, one: Expr, two: Expr) -> Expr:
    if one.op == two.op == "const" and one.value is not None and two.value is not None:
        return replace(one, value=_ON_NUMBERS[operation](one.value, two.value))
    return Expr(operation, Type.INT, (one, two))


_ON_NUMBERS: dict[str, Callable[[int, int], int]] = {"add": operator.add, "maximum": max, "minimum": min}


# --- lasting conditions -----------------------------------------------------------------------------------------------


def lasting(chart: Flowchart, domain: Expr, condition: Expr, name: str) -> Expr:
    """The strongest condition found that holds for all smaller sets, too, if `condition` holds for a set."""
    if domain.op != "subsets":
        return TRUE
    return _Growth(chart, name).lasting(condition)


def besides(condition: Expr, lasts: Expr) -> Expr:
    """What a condition asks besides its lasting parts."""
    known = set(parts(lasts))
    return _all_of(part for part in parts(condition) if part not in known)


def _all_of(conditions: Iterable[Expr]) -> Expr:
    result = TRUE
    for one in conditions:
        result = one if result == TRUE else Expr("and", Type.BOOL, (result, one))
    return result


def parts(condition: Expr) -> Iterator[Expr]:
    """The parts of a condition that are joined by `&`."""
    if condition.op == "and":
        for part in condition.args:
            yield from parts(part)
    else:
        yield condition


class _Growth:
    """What can be said of expressions while cards are added to a set."""

    def __init__(self, chart: Flowchart, name: str) -> None:
        self.chart, self.name = chart, name

    def lasting(self, part: Expr) -> Expr:
        """What a condition says that lasts: TRUE if nothing does."""
        args = part.args
        match part.op:
            case "and":
                joined = list(parts(part))
                of_one_suit = any(one.op == "isFlush" and self._is_the_set(one.args[0]) for one in joined)
                return _all_of(
                    found
                    for one in joined
                    if (found := one if of_one_suit and self._is_run(one) else self.lasting(one)) != TRUE
                )
            case "or":
                first, second = map(self.lasting, args)
                return TRUE if TRUE in (first, second) else replace(part, args=(first, second))
            case "if" if self.fixed(args[0]):
                return replace(part, args=(args[0], *map(self.lasting, args[1:])))
            case "not":
                return part if self._denial_lasts(args[0]) else TRUE
            case "equal":
                for mine, other in (args, args[::-1]):
                    if mine.type is Type.INT and self.grows(mine) and self.fixed(other):
                        return Expr("lessEqual", Type.BOOL, (mine, other))
        return part if self._lasts(part) else TRUE

    def _lasts(self, part: Expr) -> bool:
        """Whether a condition that fails for a set fails for all larger ones."""
        args = part.args
        match part.op:
            case _ if self.fixed(part):
                return True
            case "less" | "lessEqual":
                return self.grows(args[0]) and self.fixed(args[1])
            case "greater" | "greaterEqual":
                return self.fixed(args[0]) and self.grows(args[1])
            case "empty":
                return self.grows(args[0])
            case "isGroup" | "isFlush":
                return self._grows_from_a_card(args[0])
            case "every":
                return self.grows(args[0]) and self.fixed(args[1])
        return False

    def _denial_lasts(self, part: Expr) -> bool:
        """Whether a condition that holds for a set holds for all larger ones."""
        args = part.args
        match part.op:
            case "some":
                return self.grows(args[0]) and self.fixed(args[1])
            case "member":
                return self.fixed(args[0]) and self.grows(args[1])
            case "less" | "lessEqual":
                return self.fixed(args[0]) and self.grows(args[1])
            case "greater" | "greaterEqual":
                return self.grows(args[0]) and self.fixed(args[1])
        return self.fixed(part)

    def _is_run(self, part: Expr) -> bool:
        """Whether a condition on cards of one suit that holds for a set holds for those met on the way to it."""
        if part.op != "isSequence" or not self._is_the_set(part.args[0]):
            return False
        return _runs_end_last(self.chart.deck, self.chart.tables[part.name or ""])

    def size(self, part: Expr) -> tuple[Expr | None, Expr | None]:
        """The least and the largest number of cards that a condition says a set has, and nothing else."""
        args, one = part.args, Expr("const", Type.INT, value=1)
        for mine, other, is_first in ((*args, True), (*args[::-1], False)) if len(args) == 2 else ():
            if mine.op != "count" or not self._is_the_set(mine.args[0]) or not self.fixed(other):
                continue
            match part.op, is_first:
                case "equal", _:
                    return other, other
                case ("lessEqual", True) | ("greaterEqual", False):
                    return None, other
                case ("greaterEqual", True) | ("lessEqual", False):
                    return other, None
                case ("greater", True) | ("less", False):
                    return _of_numbers("add", other, one), None
        return None, None

    def of_each(self, part: Expr) -> list[tuple[str, Expr]]:
        """Conditions that every card of a set fits for which a condition holds, each with the name of the card."""
        args = part.args
        match part.op:
            case "every" if self._is_the_set(args[0]) and self.fixed(args[1]):
                return [(str(part.name), args[1])]
            case "and":
                return [found for one in args for found in self.of_each(one)]
            case "or" | "if" if part.op == "or" or self.fixed(args[0]):
                first, second = map(self.of_each, args[-2:])
                if len(first) == len(second) == 1 and first[0][0] == second[0][0]:
                    return [(first[0][0], replace(part, args=(*args[:-2], first[0][1], second[0][1])))]
            case "equal" | "lessEqual" | "less":
                bound = replace(part, op="lessEqual") if part.op == "equal" else part
                for mine, other in (args, args[::-1]) if part.op == "equal" else (args,):
                    if mine.op == "sum" and self._is_the_set(mine.args[0]) and self.grows(mine) and self.fixed(other):
                        nothing = Expr("const", Type.INT, value=0)
                        own = Expr("if", Type.INT, (mine.args[1], mine.args[2], nothing))
                        value = mine.args[2] if mine.args[1] == TRUE else own
                        return [(str(mine.name), replace(bound, args=(value, other)))]
        return []

    def _is_the_set(self, part: Expr) -> bool:
        return part.op == "local" and part.name == self.name

    def fixed(self, part: Expr) -> bool:
        """Whether an expression has nothing to do with the set."""
        return not any(inner.op == "local" and inner.name == self.name for inner in part.walk())

    def grows(self, part: Expr) -> bool:
        """Whether cards, or a number, can only become more."""
        args = part.args
        match part.op:
            case "local" if self._is_the_set(part):
                return True
            case "union" | "intersect" | "add" | "minimum" | "maximum":
                return all(map(self.grows, args))
            case "except" | "subtract":
                return self.grows(args[0]) and self.fixed(args[1])
            case "those" if part.type is Type.CARDS:
                return self.grows(args[0]) and self.fixed(args[1])
            case "if":
                return self.fixed(args[0]) and all(map(self.grows, args[1:]))
            case "count" | "longestSequence" | "longestRun":
                return self.grows(args[0])
            case "countOf":
                return args[0].type is Type.CARDS and self.grows(args[0]) and self.fixed(args[1])
            case "sum" | "largest":
                inside = args[0].type is Type.CARDS and self.grows(args[0]) and self.fixed(args[1])
                return inside and self.fixed(args[2]) and self._never_negative(args[2])
            case "multiply" | "divide":
                return self.grows(args[0]) and args[1].op == "const" and (args[1].value or 0) > 0
        return self.fixed(part)

    def _grows_from_a_card(self, part: Expr) -> bool:
        """Whether cards are the set itself, perhaps with others: never none, then."""
        if part.op == "union":
            return any(map(self._grows_from_a_card, part.args)) and all(map(self.grows, part.args))
        return self._is_the_set(part)

    def _never_negative(self, part: Expr) -> bool:
        args = part.args
        match part.op:
            case "const":
                return (part.value or 0) >= 0
            case "table":
                return _least(self.chart.tables[part.name or ""]) >= 0
            case "list":
                return min(self.chart.lists[part.name or ""], default=0) >= 0
            case "count" | "countOf" | "cardsRemaining" | "numberOfPlayers" | "listSize" | "absolute":
                return True
            case "option":
                return self.chart.options[part.name or ""].low >= 0
            case "add" | "multiply" | "minimum":
                return all(map(self._never_negative, args))
            case "maximum":
                return any(map(self._never_negative, args))
            case "divide" | "modulo":
                return self._never_negative(args[0]) and args[1].op == "const" and (args[1].value or 0) >= 0
            case "if":
                return all(map(self._never_negative, args[1:]))
        return False


def _runs_end_last(deck: Deck, table: Table) -> bool:
    """Whether in every run by a table the last card in deck order is the lowest or the highest."""
    places: dict[tuple[int, int], list[int]] = {}
    for card in range(deck.size):
        places.setdefault((deck.suit_of(card), table.of_card(deck, card)), []).append(card)
    return not any(
        (suit, value - 1) in places
        and (suit, value + 1) in places
        and cards[-1] > max(places[suit, value - 1][0], places[suit, value + 1][0])
        for (suit, value), cards in places.items()
    )


def _least(table: Table) -> int:
    return min((*table.cards.values(), *table.ranks.values(), *table.suits.values(), table.otherwise))
