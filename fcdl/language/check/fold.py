"""Values that are known before anyone plays: constants, options and the number of players.

`value` gives an expression's value in one setting of the game, or None when it depends on the play. `bounds` gives the
cards that are certainly and the cards that are possibly in a set, as bit masks over the deck.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

from fcdl.language import flowchart as fc
from fcdl.language.flowchart import ANY, MAX_RANGE, Expr, Type
from fcdl.language.ops import OF_CARDS, OPS, Known, Scalars, complete, depends_on_play, saturate

MAX_SETTINGS = 512
MAX_WORK = 300_000
"""How many parts of expressions are looked at for one chart; what is beyond counts as unknown."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A number of players and values of options."""

    players: int
    options: Mapping[str, int] = field(default_factory=dict)

    def describe(self, flowchart: fc.Flowchart) -> str:
        """`with target = 3: `, the options that are not at their defaults."""
        parts = []
        for name, number in self.options.items():
            option = flowchart.options[name]
            word = flowchart.words[number] if option.type is Type.WORD else ("no", "yes")[number == 1]
            if number != option.default:
                parts.append(f"{name} = {number if option.type is Type.INT else word}")
        return f"with {' and '.join(parts)}: " if parts else ""


def settings(flowchart: fc.Flowchart, exprs: Iterable[Expr], limit: int = MAX_SETTINGS) -> list[Setting] | None:
    """Every setting that matters to the expressions, the defaults first; None if there are too many to go through."""
    read = {part.name for expr in exprs for part in expr.walk() if part.op == "option" and part.name is not None}
    low, high = flowchart.players
    names = sorted(read)
    choices = [option_values(flowchart, flowchart.options[name]) for name in names]
    number = high - low + 1
    for values in choices:
        number *= len(values)
    if number > limit:
        return None
    return [
        Setting(players, dict(zip(names, values, strict=True)))
        for values in product(*choices)
        for players in range(low, high + 1)
    ]


def option_values(flowchart: fc.Flowchart, option: fc.Option) -> list[int]:
    """The values of an option, the default first."""
    if option.type is Type.WORD:
        values = [flowchart.words.index(word) for word in option.words]
    else:
        values = list(range(option.low, option.high + 1)) if option.high - option.low <= MAX_SETTINGS else [
            option.low, option.high
        ]  # fmt: skip
    return list(dict.fromkeys([option.default, *values]))


class Folder:
    """Evaluates expressions of one flowchart as far as they are known."""

    def __init__(self, flowchart: fc.Flowchart, constants: Mapping[str, Expr] | None = None) -> None:
        self.flowchart = flowchart
        self.constants = constants or {}
        """Variables whose values are known."""
        self.deck = flowchart.deck
        self.work = MAX_WORK
        self.all_cards = (1 << self.deck.size) - 1
        self._by_players: dict[int, Scalars] = {}
        self._decks: dict[tuple[int, tuple[tuple[str, int], ...]] | None, tuple[int, int]] = {}
        self._ranks, self._suits = [0] * len(self.deck.ranks), [0] * len(self.deck.suits)
        self._parts = [0] * len(self.deck.restrictions)
        for card, face in enumerate(self.deck.cards):
            self._ranks[face.rank] |= 1 << card
            self._suits[face.suit] |= 1 << card
            self._parts[face.part] |= 1 << card

    def _cards(self) -> range:
        return range(self.deck.size)

    def deck_bounds(self, setting: Setting | None) -> tuple[int, int]:
        """The cards that are certainly used in a setting (without one: in every setting), and those that can be."""
        if not any(self.deck.restrictions):
            return self.all_cards, self.all_cards
        key = None if setting is None else (setting.players, tuple(setting.options.items()))
        if key not in self._decks:
            self._decks[key] = (0, self.all_cards)  # what restrictions themselves see
            self._decks[key] = self._restricted(setting)
        return self._decks[key]

    def _restricted(self, setting: Setting | None) -> tuple[int, int]:
        if setting is not None:
            low = high = 0
            for part, restriction in zip(self._parts, self.deck.restrictions, strict=True):
                found = (part, part) if restriction is None else self._filtered(restriction, part, part, setting, {})
                low, high = low | found[0], high | found[1]
            return low, high
        restrictions = [one for one in self.deck.restrictions if one is not None]
        decks = [self._restricted(one) for one in settings(self.flowchart, restrictions) or []]
        if not decks:
            return 0, self.all_cards
        low, high = decks[0]
        for other_low, other_high in decks[1:]:
            low, high = low & other_low, high | other_high
        return low, high

    # --- single values

    def value(self, expr: Expr, setting: Setting | None, bound: Mapping[str, int] | None = None) -> int | None:
        """The value, or None if it is not known; without a setting, options and the number of players are not."""
        self.work -= 1
        if self.work < 0:
            return None
        bound = bound or {}
        match expr.op:
            case "const":
                return expr.value
            case "local":
                return bound.get(expr.name or "")
            case "option":
                return setting.options.get(expr.name or "") if setting is not None else None
            case "variable":
                known = self.constants.get(expr.name or "")
                return self.value(known, setting) if known is not None else None
            case "numberOfPlayers":
                return setting.players if setting is not None else None
            case "and" | "or" | "if":
                return self._lazy(expr, setting, bound)
            case "count" | "empty" | "member":
                return self._of_cards(expr, setting, bound)
            case "sum" | "largest" | "smallest" | "countOf" | "some" | "every":
                return self._aggregate(expr, setting, bound)
        if expr.op in OF_CARDS:
            return self._function_of_cards(expr, setting, bound)
        if expr.op in _NOT_FOLLOWED or (setting is None and OPS[expr.op].known is Known.GAME):
            return None
        args = []
        for arg in expr.args:
            arg_value = self.value(arg, setting, bound)
            if arg_value is None:
                return None
            args.append(arg_value)
        return self._scalars(setting).of(expr)(*args)

    def _scalars(self, setting: Setting | None) -> Scalars:
        players = setting.players if setting is not None else 0
        if players not in self._by_players:
            self._by_players[players] = Scalars(self.flowchart, players)
        return self._by_players[players]

    def _lazy(self, expr: Expr, setting: Setting | None, bound: Mapping[str, int]) -> int | None:
        first = self.value(expr.args[0], setting, bound)
        if expr.op == "if":
            return self.value(expr.args[1 if first else 2], setting, bound) if first is not None else None
        decisive = 0 if expr.op == "and" else 1
        if first == decisive:
            return decisive
        second = self.value(expr.args[1], setting, bound)
        return second if first is not None or second == decisive else None

    # --- sets of cards

    def bounds(self, expr: Expr, setting: Setting | None, bound: Mapping[str, int] | None = None) -> tuple[int, int]:
        """The cards that are certainly in the set, and those that can be."""
        self.work -= 1
        bound = bound or {}
        if self.work < 0:
            return 0, self.all_cards
        match expr.op:
            case "allCards":
                return self.deck_bounds(setting)
            case "template":
                return self._template(expr, setting, bound)
            case "single":
                card = self.value(expr.args[0], setting, bound)
                if card is None:
                    inner = expr.args[0]
                    return (
                        (0, self.bounds(inner.args[0], setting, bound)[1])
                        if inner.op == "theCard"
                        else (0, self.all_cards)
                    )
                return (1 << card, 1 << card) if card >= 0 else (0, 0)
            case "union" | "intersect" | "except":
                low, high = self.bounds(expr.args[0], setting, bound)
                other_low, other_high = self.bounds(expr.args[1], setting, bound)
                if expr.op == "union":
                    return low | other_low, high | other_high
                if expr.op == "intersect":
                    return low & other_low, high & other_high
                return low & ~other_high, high & ~other_low
            case "those":
                return self._those(expr, setting, bound)
            case "melds":
                melded = self._function_of_cards(expr, setting, bound)
                return (melded, melded) if melded is not None else (0, self.bounds(expr.args[0], setting, bound)[1])
            case "if":
                first = self.value(expr.args[0], setting, bound)
                low, high = self.bounds(expr.args[1], setting, bound)
                other_low, other_high = self.bounds(expr.args[2], setting, bound)
                if first is None:
                    return low & other_low, high | other_high
                return (low, high) if first else (other_low, other_high)
        return 0, self.all_cards

    def _function_of_cards(self, expr: Expr, setting: Setting | None, bound: Mapping[str, int]) -> int | None:
        low, high = self.bounds(expr.args[0], setting, bound)
        numbers = [self.value(arg, setting, bound) for arg in expr.args[1:]]
        if low != high or None in numbers:
            return None
        return self._scalars(setting).of(expr)(low, *numbers)

    def _template(self, expr: Expr, setting: Setting | None, bound: Mapping[str, int]) -> tuple[int, int]:
        masks = []
        for arg, cards in zip(expr.args, (self._ranks, self._suits), strict=True):
            known = self.value(arg, setting, bound)
            if known is None:
                masks.append((0, self.all_cards))
            elif known == ANY:
                masks.append((self.all_cards, self.all_cards))
            else:
                mask = cards[known] if 0 <= known < len(cards) else 0
                masks.append((mask, mask))
        low, high = self.deck_bounds(setting)
        return low & masks[0][0] & masks[1][0], high & masks[0][1] & masks[1][1]

    def _those(self, expr: Expr, setting: Setting | None, bound: Mapping[str, int]) -> tuple[int, int]:
        low, high = self.bounds(expr.args[0], setting, bound)
        condition = expr.args[1]
        if depends_on_play(condition):
            return 0, high
        return self._filtered(expr, low, high, setting, bound)

    def _filtered(
        self, those: Expr, low: int, high: int, setting: Setting | None, bound: Mapping[str, int]
    ) -> tuple[int, int]:
        """The cards of a set for which the condition of a `those` certainly, and possibly, holds."""
        kept_low = kept_high = 0
        for card in self._cards():
            if high >> card & 1:
                known = self.value(those.args[1], setting, {**bound, those.name or "": card})
                kept_low |= (1 << card) if known else 0
                kept_high |= (1 << card) if known != 0 else 0
        return low & kept_low, kept_high

    def _of_cards(self, expr: Expr, setting: Setting | None, bound: Mapping[str, int]) -> int | None:
        low, high = self.bounds(expr.args[-1], setting, bound)
        if expr.op == "member":
            card = self.value(expr.args[0], setting, bound)
            if card is None or card < 0:
                return 0 if card is not None or high == 0 else None
            return 1 if low >> card & 1 else 0 if not high >> card & 1 else None
        if low != high:
            return (0 if low else None) if expr.op == "empty" else None
        return int(low == 0) if expr.op == "empty" else low.bit_count()

    # --- aggregates

    def _aggregate(self, expr: Expr, setting: Setting | None, bound: Mapping[str, int]) -> int | None:
        elements = self._elements(expr.args[0], setting, bound)
        if elements is None:
            return None
        results: list[int] = []
        for element in elements:
            inner = {**bound, expr.name or "": element}
            known = self.value(expr.args[1], setting, inner)
            if known is None:
                return None
            if known and len(expr.args) == 3:
                result = self.value(expr.args[2], setting, inner)
                if result is None:
                    return None
                results.append(result)
            elif len(expr.args) == 2:
                results.append(known)
        match expr.op:
            case "sum" | "countOf":
                return saturate(sum(results))
            case "largest":
                return max(results, default=0)
            case "smallest":
                return min(results, default=0)
            case "some":
                return int(any(results))
        return int(all(results))

    def _elements(self, domain: Expr, setting: Setting | None, bound: Mapping[str, int]) -> Iterator[int] | None:
        match domain.op:
            case "players":
                return iter(range(setting.players)) if setting is not None else None
            case "suits":
                return iter(range(len(self.deck.suits)))
            case "ranks":
                return iter(range(len(self.deck.ranks)))
            case "range":
                low, high = (self.value(arg, setting, bound) for arg in domain.args)
                if low is None or high is None:
                    return None
                return iter(range(low, min(high + 1, low + MAX_RANGE)))
        if domain.type is not Type.CARDS or setting is None:
            return None
        certain, possible = self.bounds(domain, setting, bound)
        if certain != possible:
            return None
        return iter([card for card in self._cards() if certain >> card & 1])


_CASES = frozenset({
    "const", "local", "option", "variable", "numberOfPlayers", "and", "or", "if", "count", "empty", "member", "sum",
    "largest", "smallest", "countOf", "some", "every",
})  # fmt: skip
"""Ops that `value` has cases for."""
_NOT_FOLLOWED = frozenset({
    "playerVariable", "random", "playerHas", "cardsRemaining", "top", "bottom", "at", "topCards", "bottomCards",
    "position", "theCard", "highest", "lowest",
    "zone", "template", "single", "allCards", "union", "intersect", "except", "those",
    "players", "playersFrom", "suits", "ranks", "range", "subsets", "values", "when",
})  # fmt: skip
"""Ops whose values the play decides or that have no single value."""
complete("check/fold.py", _CASES, _NOT_FOLLOWED, OF_CARDS, (row.name for row in OPS.values() if row.is_scalar))
