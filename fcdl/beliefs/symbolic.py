"""Values of expressions for someone who does not see all cards: numbers with conditions, cards with conditions.

The meaning of every op is that of `docs/language-design.md`; here it is computed on `Value`s and on sets whose
members are only possible. What cannot be said that way raises `UnclearError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice

from fcdl.beliefs.formula import (
    FALSE,
    TRUE,
    Count,
    Formula,
    TooManyCasesError,
    UnclearError,
    Value,
    both,
    combine,
    either,
    factored,
    holds,
    known,
    negated,
    the_number,
    truth,
)
from fcdl.language.flowchart import ANY, MAX_RANGE, NONE, QUESTION_STEPS, Expr, Type
from fcdl.language.melds import cards_of, mask_of
from fcdl.language.ops import FUNCTIONS, OF_CARDS, OPS, complete, saturate
from fcdl.language.sets import first_cards, lasting, sets_of
from fcdl.model.game import Game

CardSet = Mapping[int, Formula]
"""Cards that can be in a set, with the condition under which they are."""


@dataclass(slots=True)
class Zone:
    """What a seat knows of a zone: the cards that are surely there, those that perhaps are, how many, the order."""

    count: int = 0
    sure: set[int] = field(default_factory=set)
    perhaps: set[int] = field(default_factory=set)
    order: list[int] | None = field(default_factory=list)
    """The cards from bottom to top; None when the order is not known."""


@dataclass(slots=True)
class Knowledge:
    """What a seat knows at one moment: zones and variables; `step` numbers the movements of cards so far."""

    game: Game
    zones: dict[str, Zone]
    variables: dict[tuple[str, int | None], Value]
    step: int = 0
    templates: dict[tuple[int, int], CardSet] = field(default_factory=dict)
    """Cards by rank and suit, as far as they were asked for."""

    def copy(self) -> Knowledge:
        """An independent copy."""
        zones = {
            name: Zone(zone.count, set(zone.sure), set(zone.perhaps), None if zone.order is None else zone.order[:])
            for name, zone in self.zones.items()
        }
        return Knowledge(self.game, zones, dict(self.variables), self.step, self.templates)

    def members(self, zone: str) -> CardSet:
        """The cards of a zone."""
        content = self.zones[zone]
        cards: dict[int, Formula] = dict.fromkeys(sorted(content.sure), TRUE)
        if len(content.sure) < content.count:
            for card in sorted(content.perhaps):
                cards[card] = Formula("at", (self.step, card, zone))
        return cards


@dataclass(slots=True)
class Evaluator:
    """Evaluates expressions with what a seat knows; `chance` is the value of `random`, if there is one."""

    knowledge: Knowledge
    chance: Value | None = None
    bound: dict[str, int] = field(default_factory=dict)
    steps: int = 0

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.knowledge.game

    def value(self, expr: Expr) -> Value:
        """A scalar expression; raises UnclearError."""
        return self._value(expr)

    def number(self, expr: Expr) -> int:
        """A scalar expression whose value the seat knows; raises UnclearError."""
        number = the_number(self.value(expr))
        if number is None:
            raise UnclearError(f"{expr.op} depends on hidden cards")
        return number

    def zone_name(self, expr: Expr) -> str | None:
        """Which zone a zone expression means; None for a place that does not exist."""
        assert expr.name is not None
        if not expr.args:
            return expr.name
        place = self.number(expr.args[0])
        return self.game.place_text(expr.name, place) if place >= 0 else None

    # --- scalars

    def _value(self, expr: Expr) -> Value:
        op, args = expr.op, expr.args
        self.steps += 1
        if self.steps > QUESTION_STEPS:
            raise TooManyCasesError
        if op in ("and", "or"):
            first, decisive = self._value(args[0]), int(op == "or")
            if the_number(first) == decisive:
                return first
            return combine(FUNCTIONS[op], first, self._value(args[1]))
        if OPS[op].is_scalar:
            return self._each(expr, self.game.scalars.of(expr))
        if op in OF_CARDS:
            mask = mask_of(self._sure_cards(args[0]))
            numbers = (self._value(arg) for arg in args[1:])
            return combine(self.game.scalars.of(expr), known(mask), *numbers)
        method: Callable[[Expr], Value] = getattr(self, "_op_" + op)
        return method(expr)

    def _each(self, expr: Expr, operation: Callable[..., int]) -> Value:
        return combine(operation, *(self._value(arg) for arg in expr.args))

    def _op_const(self, expr: Expr) -> Value:
        assert expr.value is not None
        return known(expr.value)

    def _op_option(self, expr: Expr) -> Value:
        assert expr.name is not None
        return known(self.game.options[expr.name])

    def _op_numberOfPlayers(self, expr: Expr) -> Value:  # noqa: N802 - the op's name
        return known(self.game.players)

    def _op_local(self, expr: Expr) -> Value:
        assert expr.name is not None
        return known(self.bound[expr.name])

    def _op_variable(self, expr: Expr) -> Value:
        assert expr.name is not None
        try:
            return self.knowledge.variables[expr.name, None]
        except KeyError:
            raise UnclearError(f"{expr.name} is a secret") from None

    def _op_playerVariable(self, expr: Expr) -> Value:  # noqa: N802 - the op's name
        assert expr.name is not None
        name, nothing = expr.name, 0 if expr.type in (Type.INT, Type.BOOL) else NONE
        variables, seats = self.knowledge.variables, self._value(expr.args[0])
        if any(seat >= 0 and (name, seat) not in variables for seat in seats):
            raise UnclearError(f"{name} is a secret")
        return _collect(
            (number, both((condition, inner)))
            for seat, condition in seats.items()
            for number, inner in (variables[name, seat] if seat >= 0 else known(nothing)).items()
        )

    def _op_if(self, expr: Expr) -> Value:
        condition = holds(self._value(expr.args[0]))
        if condition is TRUE or condition is FALSE:
            return self._value(expr.args[1 if condition is TRUE else 2])
        return _collect(
            (number, both((guard, inner)))
            for guard, branch in ((condition, expr.args[1]), (negated(condition), expr.args[2]))
            for number, inner in self._value(branch).items()
        )

    def _op_random(self, expr: Expr) -> Value:
        if self.chance is None:
            raise UnclearError("chance")
        return self.chance

    def _op_top(self, expr: Expr) -> Value:
        return self._end_card(expr, 0)

    def _op_bottom(self, expr: Expr) -> Value:
        return self._end_card(expr, -1)

    def _order_of(self, zone: Expr) -> list[int]:
        """The cards of a zone from the top; raises UnclearError if the seat does not know their order."""
        name = self.zone_name(zone)
        if name is None or not self.knowledge.zones[name].count:
            return []
        order = self.knowledge.zones[name].order
        if order is None:
            raise UnclearError(f"the order of {name} is not known")
        return order[::-1]

    def _op_at(self, expr: Expr) -> Value:
        order = self._order_of(expr.args[0])
        return combine(lambda n: order[n - 1] if 1 <= n <= len(order) else NONE, self._value(expr.args[1]))

    def _op_position(self, expr: Expr) -> Value:
        code = self.game.flowchart.deck.code
        order = [code(card) for card in self._order_of(expr.args[1])]
        return combine(
            lambda card: order.index(code(card)) + 1 if card >= 0 and code(card) in order else 0,
            self._value(expr.args[0]),
        )

    def _some_of(self, expr: Expr) -> CardSet:
        """The first cards of a zone from one end."""
        zone, number = expr.args[0], max(0, self.number(expr.args[1]))
        name = self.zone_name(zone)
        if name is not None and number >= self.knowledge.zones[name].count:
            return self.knowledge.members(name)
        order = self._order_of(zone) if number else []
        return dict.fromkeys(sorted(order[:number] if expr.op == "topCards" else order[::-1][:number]), TRUE)

    def _end_card(self, expr: Expr, place: int) -> Value:
        order = self._order_of(expr.args[0])
        return known(order[place] if order else NONE)

    def _op_theCard(self, expr: Expr) -> Value:  # noqa: N802 - the op's name
        return self._winner(self.cards(expr.args[0]), lambda card: known(-card), highest=True)

    # --- sets

    def cards(self, expr: Expr) -> CardSet:
        """A set of cards; raises UnclearError."""
        return self._cards(expr)

    def contains(self, expr: Expr, card: int) -> Formula:
        """The condition under which a card is in a set; raises UnclearError."""
        match expr.op:
            case "those" if expr.args[0].type is Type.CARDS:
                there = self.contains(expr.args[0], card)
                return FALSE if there is FALSE else both((there, holds(self._element(expr, card))))
            case "union":
                return either(self.contains(part, card) for part in expr.args)
            case "intersect":
                return both(self.contains(part, card) for part in expr.args)
            case "allCards":
                return TRUE
        return self.cards(expr).get(card, FALSE)

    def contains_set(self, sets: Expr, mask: int) -> Formula:
        """The condition under which a set of cards is one of these sets; raises UnclearError."""
        if sets.op == "those":
            inside = self.contains_set(sets.args[0], mask)
            return FALSE if inside is FALSE else both((inside, holds(self._element(sets, mask))))
        low, high = self.number(sets.args[1]), self.number(sets.args[2])
        if not low <= mask.bit_count() <= high:
            return FALSE
        return both(self.contains(sets.args[0], card) for card in cards_of(mask))

    def _sure_cards(self, expr: Expr) -> list[int]:
        """The cards of a set that the seat knows; raises UnclearError."""
        cards = self._cards(expr)
        if any(condition is not TRUE for condition in cards.values()):
            raise UnclearError(f"{expr.op} depends on hidden cards")
        return list(cards)

    def _element(self, expr: Expr, element: int) -> Value:
        return self._with(expr, element, expr.args[1])

    def _cards(self, expr: Expr) -> CardSet:
        match expr.op:
            case "zone":
                name = self.zone_name(expr)
                return self.knowledge.members(name) if name is not None else {}
            case "topCards" | "bottomCards":
                return self._some_of(expr)
            case "allCards":
                return dict.fromkeys(self.game.cards, TRUE)
            case "single":
                return {card: condition for card, condition in self._value(expr.args[0]).items() if card >= 0}
            case "template":
                return self._template(expr)
            case "union":
                first, second = self._cards(expr.args[0]), self._cards(expr.args[1])
                return {c: either((first.get(c, FALSE), second.get(c, FALSE))) for c in sorted({*first, *second})}
            case "intersect":
                first, second = self._cards(expr.args[0]), self._cards(expr.args[1])
                return _possible({card: both((first[card], second.get(card, FALSE))) for card in first})
            case "except":
                first, second = self._cards(expr.args[0]), self._cards(expr.args[1])
                return _possible({card: both((first[card], negated(second.get(card, FALSE)))) for card in first})
            case "those":
                return dict(self._elements(expr))
            case "local":
                return dict.fromkeys(cards_of(self.bound[str(expr.name)]), TRUE)
            case "highest" | "lowest":
                found = self.number(expr)
                return dict.fromkeys(cards_of(max(found, 0)), TRUE)
            case "melds":
                return dict.fromkeys(cards_of(self.number(expr)), TRUE)
            case "if":
                guard = holds(self._value(expr.args[0]))
                first, second = self._cards(expr.args[1]), self._cards(expr.args[2])
                ways = {c: both((guard, condition)) for c, condition in first.items()}
                others = {c: both((negated(guard), condition)) for c, condition in second.items()}
                return _possible(
                    {c: either((ways.get(c, FALSE), others.get(c, FALSE))) for c in sorted({*ways, *others})}
                )
        raise AssertionError(expr.op)

    def _template(self, expr: Expr) -> CardSet:
        deck = self.game.flowchart.deck
        ranks, suits = self._value(expr.args[0]), self._value(expr.args[1])
        rank, suit = the_number(ranks), the_number(suits)
        if rank is not None and suit is not None:
            cards = self.knowledge.templates.get((rank, suit))
            if cards is None:
                cards = self.knowledge.templates[rank, suit] = {
                    card: TRUE
                    for card in self.game.cards
                    if rank in (ANY, deck.rank_of(card)) and suit in (ANY, deck.suit_of(card))
                }
            return cards
        return _possible({
            card: both((
                either(ranks.get(wanted, FALSE) for wanted in (ANY, deck.rank_of(card))),
                either(suits.get(wanted, FALSE) for wanted in (ANY, deck.suit_of(card))),
            ))
            for card in self.game.cards
        })  # fmt: skip

    # --- elements and aggregates

    def domain(self, expr: Expr) -> Mapping[int, Formula]:
        """The elements of a domain or a set of values, in order, each with its condition."""
        match expr.op:
            case "players":
                return dict.fromkeys(range(self.game.players), TRUE)
            case "playersFrom":
                first = max(0, self.number(expr.args[0]))
                return dict.fromkeys((*range(first, self.game.players), *range(first)), TRUE)
            case "suits":
                return dict.fromkeys(range(len(self.game.flowchart.deck.suits)), TRUE)
            case "ranks":
                return dict.fromkeys(range(len(self.game.flowchart.deck.ranks)), TRUE)
            case "range":
                low, high = self.number(expr.args[0]), self.number(expr.args[1])
                return dict.fromkeys(range(low, min(high, low + MAX_RANGE - 1) + 1), TRUE)
            case "subsets":
                return dict.fromkeys(self._sets(expr, lambda _: True), TRUE)
            case "values":
                return self._alternatives(self._item(item) for item in expr.args)
            case "those" if expr.type is Type.DOMAIN:
                return dict(self._elements(expr))
        return self._cards(expr)

    def _sets(self, expr: Expr, lasts: Callable[[int], bool]) -> list[int]:
        """The sets of a domain of cards that the seat knows; raises UnclearError."""
        cards = sorted(self._sure_cards(expr.args[0]))
        low, high = self.number(expr.args[1]), self.number(expr.args[2])
        before = first_cards(self.game.flowchart.deck, cards) if expr.value else None
        sets = list(islice(sets_of(cards, low, high, lasts, before), QUESTION_STEPS))
        if len(sets) == QUESTION_STEPS:
            raise UnclearError("too many sets of cards")
        return sets

    def _elements_of(self, expr: Expr) -> Mapping[int, Formula]:
        """The elements of an aggregate's domain; of sets only those for which what lasts can hold."""
        domain, condition = expr.args[:2]
        if domain.op != "subsets":
            return self.domain(domain)
        asked = condition if expr.op != "every" else Expr("not", Type.BOOL, (condition,))
        lasts = lasting(self.game.flowchart, domain, asked, str(expr.name))
        fits = self._sets(domain, lambda cards: holds(self._with(expr, cards, lasts)) is not FALSE)
        return dict.fromkeys(fits, TRUE)

    def _item(self, item: Expr) -> Mapping[int, Formula]:
        if item.op == "when":
            guard = holds(self._value(item.args[0]))
            return _possible({number: both((guard, inner)) for number, inner in self._item(item.args[1]).items()})
        if item.type in (Type.DOMAIN, Type.CARDS):
            return self.domain(item)
        return self._value(item)

    def _alternatives(self, parts: Iterable[Mapping[int, Formula]]) -> Mapping[int, Formula]:
        result: dict[int, Formula] = {}
        for part in parts:
            for number, condition in part.items():
                result[number] = either((result.get(number, FALSE), condition))
        return result

    def _elements(self, expr: Expr) -> Iterable[tuple[int, Formula]]:
        """The elements of an aggregate's domain for which its condition holds, with the condition of both."""
        for element, condition in self._elements_of(expr).items():
            together = both((condition, holds(self._with(expr, element, expr.args[1]))))
            if together is not FALSE:
                yield element, together

    def _with(self, expr: Expr, element: int, part: Expr) -> Value:
        assert expr.name is not None
        before = self.bound.get(expr.name)
        self.bound[expr.name] = element
        try:
            return self._value(part)
        finally:
            if before is None:
                del self.bound[expr.name]
            else:
                self.bound[expr.name] = before

    def _op_count(self, expr: Expr) -> Value:
        if expr.args[0].op == "zone":
            name = self.zone_name(expr.args[0])
            return known(self.knowledge.zones[name].count if name is not None else 0)
        return Count(self._cards(expr.args[0]).values())

    def _op_cardsRemaining(self, expr: Expr) -> Value:  # noqa: N802 - the op's name
        return self._each(expr, lambda seat: self.knowledge.zones[f"hand({seat})"].count if seat >= 0 else 0)

    def _op_empty(self, expr: Expr) -> Value:
        if expr.args[0].op == "zone":
            return combine(lambda number: int(number == 0), self._op_count(expr))
        return truth(negated(either(self._cards(expr.args[0]).values())))

    def _op_member(self, expr: Expr) -> Value:
        cards = self._cards(expr.args[1])
        chosen = self._value(expr.args[0])
        return truth(either(both((condition, cards.get(card, FALSE))) for card, condition in chosen.items()))

    def _op_playerHas(self, expr: Expr) -> Value:  # noqa: N802 - the op's name
        cards = self._cards(expr.args[1])
        ways = []
        for seat, condition in self._value(expr.args[0]).items():
            hand = self.knowledge.members(f"hand({seat})") if seat >= 0 else {}
            ways.append(both((condition, either(both((hand[card], cards.get(card, FALSE))) for card in hand))))
        return truth(either(ways))

    def _op_countOf(self, expr: Expr) -> Value:  # noqa: N802 - the op's name
        return Count(condition for _, condition in self._elements(expr))

    def _op_some(self, expr: Expr) -> Value:
        return truth(factored(condition for _, condition in self._elements(expr)))

    def _op_every(self, expr: Expr) -> Value:
        parts = []
        for element, condition in self._elements_of(expr).items():
            parts.append(either((negated(condition), holds(self._with(expr, element, expr.args[1])))))
        return truth(both(parts))

    def _op_sum(self, expr: Expr) -> Value:
        total: Value = known(0)
        for element, condition in self._elements(expr):
            value = self._with(expr, element, expr.args[2])
            part = combine(lambda here, number: number if here else 0, truth(condition), value)
            total = combine(lambda a, b: saturate(a + b), total, part)
        return total

    def _op_largest(self, expr: Expr) -> Value:
        return self._extreme(expr, highest=True)

    def _op_smallest(self, expr: Expr) -> Value:
        return self._extreme(expr, highest=False)

    def _extreme(self, expr: Expr, highest: bool) -> Value:
        ranked, nothing = self._ranked(dict(self._elements(expr)), self._rating(expr), highest)
        return _collect([(number, condition) for _, number, condition in ranked] + [(0, nothing)])

    def _op_highest(self, expr: Expr) -> Value:
        return self._winner(dict(self._elements(expr)), self._rating(expr), highest=True)

    def _op_lowest(self, expr: Expr) -> Value:
        return self._winner(dict(self._elements(expr)), self._rating(expr), highest=False)

    def _rating(self, expr: Expr) -> Callable[[int], Value]:
        return lambda element: self._with(expr, element, expr.args[2])

    def _winner(self, elements: Mapping[int, Formula], rate: Callable[[int], Value], highest: bool) -> Value:
        """The element rated best, the first of equals; none if there is no element."""
        ranked, nothing = self._ranked(elements, rate, highest)
        return _collect([(element, condition) for element, _, condition in ranked] + [(NONE, nothing)])

    def _ranked(
        self, elements: Mapping[int, Formula], rate: Callable[[int], Value], highest: bool
    ) -> tuple[list[tuple[int, int, Formula]], Formula]:
        """Who can be rated best, with which rating and when; and when there is nobody."""
        rated = [
            ((number if highest else -number, -place), element, number, both((condition, inner)))
            for place, (element, condition) in enumerate(elements.items())
            for number, inner in rate(element).items()
        ]
        if len(rated) > MAX_RANGE:
            raise UnclearError("too many elements")
        rated.sort(key=lambda entry: entry[0], reverse=True)
        ranked: list[tuple[int, int, Formula]] = []
        better: list[Formula] = []
        for _, element, number, condition in rated:
            ranked.append((element, number, both((condition, negated(either(better))))))
            better.append(condition)
            if condition is TRUE:
                break
        return ranked, negated(either(better))


def _collect(cases: Iterable[tuple[int, Formula]]) -> Value:
    """One value from cases that may give the same number."""
    results: dict[int, list[Formula]] = {}
    for number, condition in cases:
        if condition is not FALSE:
            results.setdefault(number, []).append(condition)
    return {number: either(conditions) for number, conditions in results.items()}


def _possible(cards: Mapping[int, Formula]) -> CardSet:
    return {card: condition for card, condition in cards.items() if condition is not FALSE}


_SETS = (
    "zone",
    "topCards",
    "bottomCards",
    "allCards",
    "single",
    "template",
    "union",
    "intersect",
    "except",
    "those",
    "if",
)
_DOMAINS = ("players", "playersFrom", "suits", "ranks", "range", "subsets", "values", "when", "those")
complete(
    "beliefs/symbolic.py",
    (name.removeprefix("_op_") for name in vars(Evaluator) if name.startswith("_op_")),
    (row.name for row in OPS.values() if row.is_scalar),
    _SETS,
    _DOMAINS,
    OF_CARDS,
)
