"""The values of expressions in a position, in the plainest way; everything but sets of cards is an int."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from fcdl.engines.stepping.state import Slot, SteppingState
from fcdl.language.flowchart import ANY, MAX_RANGE, NONE, Expr, Type
from fcdl.language.melds import cards_of, mask_of
from fcdl.language.ops import BINDERS, FUNCTIONS, OF_CARDS, saturate
from fcdl.language.sets import first_cards, looking, sets_of
from fcdl.model import Chance, Game
from fcdl.model.reasons import NOTHING_BOUND, Bound, Value

_AGGREGATES = BINDERS.keys() - {"those"}


class Values:
    """Evaluates the expressions of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.chart = game.flowchart
        self.deck = game.flowchart.deck
        self.teams = {seat: team for team in self.chart.teams for seat in team}

    def text(self, expr: Expr, state: SteppingState, bound: Bound = NOTHING_BOUND) -> str:
        """The value of an expression as published texts say it; elements of other domains with spaces between them."""
        if expr.type is Type.CARDS:
            return self.game.published_cards(sorted(self.cards(expr, state, bound)))
        if expr.type is Type.DOMAIN:
            return " ".join(map(str, self.elements(expr, state, bound))) or "none"
        return self.game.published_text(expr.type, self.value(expr, state, bound))

    # --- cards

    def slot(self, zone: Expr, state: SteppingState, bound: Bound = NOTHING_BOUND) -> Slot:
        """The zone that an expression means."""
        assert zone.name is not None
        return zone.name, self.value(zone.args[0], state, bound) if zone.args else None

    def zone(self, zone: Expr, state: SteppingState, bound: Bound = NOTHING_BOUND) -> tuple[int, ...]:
        """The cards of a zone from the top (or in deck order)."""
        slot = self.slot(zone, state, bound)
        cards = state.zones.get(slot, ())
        return cards if self.is_ordered(slot[0]) else tuple(sorted(cards))

    def is_ordered(self, zone: str) -> bool:
        """Whether the order of a zone's cards means anything."""
        return self.chart.zones[zone].ordered or zone == "pack"

    def cards(self, expr: Expr, state: SteppingState, bound: Bound = NOTHING_BOUND) -> set[int]:
        """The cards that an expression means."""
        args = expr.args
        match expr.op:
            case "zone":
                return set(self.zone(expr, state, bound))
            case "topCards":
                return set(self.zone(args[0], state, bound)[: max(0, self.value(args[1], state, bound))])
            case "bottomCards":
                return set(self.zone(args[0], state, bound)[::-1][: max(0, self.value(args[1], state, bound))])
            case "allCards":
                return set(self.game.cards)
            case "single":
                return {self.value(args[0], state, bound)} - {NONE}
            case "template":
                rank, suit = (self.value(arg, state, bound) for arg in args)
                return {
                    card
                    for card in self.game.cards
                    if rank in (ANY, self.deck.rank_of(card)) and suit in (ANY, self.deck.suit_of(card))
                }
            case "union":
                return self.cards(args[0], state, bound) | self.cards(args[1], state, bound)
            case "intersect":
                return self.cards(args[0], state, bound) & self.cards(args[1], state, bound)
            case "except":
                return self.cards(args[0], state, bound) - self.cards(args[1], state, bound)
            case "if":
                return self.cards(args[1 if self.value(args[0], state, bound) else 2], state, bound)
            case "those":
                return set(self.elements(expr, state, bound))
            case "local":
                return set(cards_of(bound[str(expr.name)]))
            case "melds" | "highest" | "lowest":
                return set(cards_of(self.value(expr, state, bound)))
        raise AssertionError(expr.op)

    def elements(self, expr: Expr, state: SteppingState, bound: Bound = NOTHING_BOUND) -> Iterator[int]:
        """The elements of a domain, in order."""
        match expr.op:
            case "players":
                yield from range(self.game.players)
            case "playersFrom":
                first = max(0, self.value(expr.args[0], state, bound))
                yield from (*range(first, self.game.players), *range(first))
            case "suits":
                yield from range(len(self.deck.suits))
            case "ranks":
                yield from range(len(self.deck.ranks))
            case "range":
                low, high = (self.value(arg, state, bound) for arg in expr.args)
                yield from range(low, min(high + 1, low + MAX_RANGE))
            case "subsets":
                yield from self._sets(expr, lambda _: True, state, bound)
            case "values":
                for item in expr.args:
                    yield from self.elements(item, state, bound)
            case "when":
                if self.value(expr.args[0], state, bound):
                    yield from self.elements(expr.args[1], state, bound)
            case "those":
                for element, _ in self._chosen(expr, state, bound):
                    yield element
            case _ if expr.type is Type.CARDS:
                yield from sorted(self.cards(expr, state, bound))
            case _:
                yield self.value(expr, state, bound)

    def _sets(self, subsets: Expr, lasts: Callable[[int], bool], state: SteppingState, bound: Bound) -> Iterator[int]:
        cards = sorted(self.cards(subsets.args[0], state, bound))
        low, high = (self.value(arg, state, bound) for arg in subsets.args[1:])
        before = first_cards(self.deck, cards) if subsets.value else None
        return sets_of(cards, low, high, lasts, before)

    def _chosen(self, each: Expr, state: SteppingState, bound: Bound) -> Iterator[tuple[int, Bound]]:
        """The elements of an aggregate's domain for which its condition holds, each with what is bound then."""
        domain, condition, name = each.args[0], each.args[1], str(each.name)
        elements = self.elements(domain, state, bound)
        if domain.op == "subsets":
            found = looking(self.chart, domain, condition, name)
            elements = self._sets(
                found.domain, lambda cards: bool(self.value(found.lasts, state, {**bound, name: cards})), state, bound
            )
        for element in elements:
            inner = {**bound, name: element}
            if self.value(condition, state, inner):
                yield element, inner

    # --- single values

    def assigned(self, expr: Expr, state: SteppingState, chance: Chance) -> int:
        """The value of an expression in which `random` may stand; that is drawn first, whether it matters or not."""
        bound = {}
        for part in expr.walk():
            if part.op == "random":
                below = self.value(part.args[0], state)
                bound["random"] = chance.number(below) if below >= 2 else 0
        return self.value(expr, state, bound)

    def value(self, expr: Expr, state: SteppingState, bound: Bound = NOTHING_BOUND) -> int:
        """The value of an expression; what was drawn is bound to the name `random`."""
        op, args, name = expr.op, expr.args, expr.name
        if op in _AGGREGATES:
            return self._aggregate(expr, state, bound)
        if op in OF_CARDS:
            cards = mask_of(sorted(self.cards(args[0], state, bound)))
            return self.game.scalars.of(expr)(cards, *(self.value(arg, state, bound) for arg in args[1:]))
        if op in ("count", "empty"):
            size = len(self.cards(args[0], state, bound))
            return size if op == "count" else int(size == 0)
        if op == "theCard":
            return min(self.cards(args[0], state, bound), default=NONE)
        if op in ("top", "bottom"):
            pile = self.zone(args[0], state, bound)
            return (pile[0] if op == "top" else pile[-1]) if pile else NONE
        if op == "at":
            pile, number = self.zone(args[0], state, bound), self.value(args[1], state, bound)
            return pile[number - 1] if 1 <= number <= len(pile) else NONE
        if op == "position":
            wanted, pile = self.value(args[0], state, bound), self.zone(args[1], state, bound)
            alike = [number for number, card in enumerate(pile, 1) if wanted >= 0 and self._alike(card, wanted)]
            return alike[0] if alike else 0
        if op == "member":
            return int(self.value(args[0], state, bound) in self.cards(args[1], state, bound))
        if op == "playerHas":
            hand = state.zones.get(("hand", self.value(args[0], state, bound)), ())
            return int(not self.cards(args[1], state, bound).isdisjoint(hand))
        if op == "if":
            return self.value(args[1 if self.value(args[0], state, bound) else 2], state, bound)
        if op == "random":
            return bound[op]
        values = [self.value(arg, state, bound) for arg in args]
        if op == "cardsRemaining":
            return len(state.zones.get(("hand", values[0]), ()))
        if op == "playerVariable":
            default = 0 if expr.type in (Type.INT, Type.BOOL) else NONE
            return state.variables.get((str(name), values[0]), default)
        match op:
            case "const":
                assert expr.value is not None
                return expr.value
            case "variable":
                return state.variables[str(name), None]
            case "option":
                return self.game.options[str(name)]
            case "numberOfPlayers":
                return self.game.players
            case "local":
                return bound[str(name)]
            case "listSize":
                return len(self.chart.lists[str(name)])
            case "list":
                numbers = self.chart.lists[str(name)]
                return numbers[values[0]] if 0 <= values[0] < len(numbers) else 0
            case "table":
                return self._table(str(name), args[0].type, values[0])
            case "place":
                return self._place(str(name), values)
        function = FUNCTIONS.get(op)
        if function is not None:
            return function(*values)
        return self._function(op, *values)

    def _alike(self, card: int, other: int) -> bool:
        return self.deck.code(card) == self.deck.code(other)

    def _table(self, name: str, kind: Type, key: int) -> int:
        table = self.chart.tables[name]
        if kind is Type.CARD:
            return table.of_card(self.deck, key)
        return table.of_rank(key) if kind is Type.RANK else table.of_suit(key)

    def _place(self, name: str, values: list[int]) -> int:
        """The number of a place: the places of a family are counted through its keys, the last one first."""
        number = 0
        for key, value in zip(self.chart.family(name).keys, values, strict=True):
            match key.kind:
                case "player":
                    position, size = value, self.game.players
                case "team":
                    position, size = self._team(value), len(self.chart.teams)
                case "suit":
                    position, size = value, len(self.deck.suits)
                case "rank":
                    position, size = value, len(self.deck.ranks)
                case _:
                    position, size = value - key.low, key.high - key.low + 1
            if not 0 <= position < size:
                return NONE
            number = number * size + position
        return number

    def _team(self, player: int) -> int:
        return next((number for number, team in enumerate(self.chart.teams) if player in team), NONE)

    def _function(self, op: str, a: int, b: int = 0) -> int:
        players = self.game.players
        match op:
            case "player" | "suitAt" | "rankAt":
                limit = {"player": players, "suitAt": len(self.deck.suits), "rankAt": len(self.deck.ranks)}[op]
                return a if 0 <= a < limit else NONE
            case "sameTeam":
                return int(a == b or (a >= 0 and b in self.teams.get(a, ())))
        if a < 0:
            return NONE
        match op:
            case "next":
                return (a + 1) % players
            case "previous":
                return (a - 1) % players
            case "partner":
                team = self.teams[a]
                return team[(team.index(a) + 1) % len(team)]
            case "suit":
                return self.deck.suit_of(a)
            case "rank":
                return self.deck.rank_of(a)
        raise AssertionError(op)

    def _aggregate(self, expr: Expr, state: SteppingState, bound: Bound) -> int:
        if expr.op == "every":
            denied = replace(expr, op="some", args=(expr.args[0], Expr("not", Type.BOOL, (expr.args[1],))))
            return 1 - self._aggregate(denied, state, bound)
        chosen = list(self._chosen(expr, state, bound))
        match expr.op:
            case "countOf":
                return len(chosen)
            case "some":
                return int(bool(chosen))
        values = [(element, self.value(expr.args[2], state, inner)) for element, inner in chosen]
        nothing = 0 if expr.type is Type.CARDS else NONE
        match expr.op:
            case "sum":
                total = 0
                for _, value in values:
                    total = saturate(total + value)
                return total
            case "largest":
                return max((value for _, value in values), default=0)
            case "smallest":
                return min((value for _, value in values), default=0)
            case "highest":
                return max(values, key=lambda pair: pair[1])[0] if values else nothing
        return min(values, key=lambda pair: pair[1])[0] if values else nothing


@dataclass(frozen=True, slots=True)
class SteppingFacts:
    """The `Facts` of a position."""

    values: Values
    state: SteppingState

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.values.game

    def value(self, expr: Expr, bound: Bound = NOTHING_BOUND) -> Value | None:
        """The value of an expression; None if chance has a part in it."""
        if any(part.op == "random" for part in expr.walk()):
            return None
        if expr.type in (Type.CARDS, Type.DOMAIN):
            return tuple(self.values.elements(expr, self.state, bound))
        return self.values.value(expr, self.state, bound)
