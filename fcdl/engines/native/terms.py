"""Terms: a chart's expressions with options, players and the deck filled in, folded as far as possible.

Every term is made once (equal terms are identical) and knows its *atoms*: the parts that a position decides and that
cannot be looked into further, such as a variable or the top card of a zone. A term with one atom of few values is a
table over these values, and a condition on a card with at most one further such atom is a table of card sets. That is
how most of a chart's expressions become a single instruction.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

from fcdl.language.flowchart import ANY, NONE, TRUE, Expr, Type
from fcdl.language.ops import BINDERS, HIGHEST, LOWEST, OPS, players_from
from fcdl.language.places import key_values, position_among
from fcdl.language.sets import looking
from fcdl.language.tree import Key
from fcdl.model.game import Game

UNROLL_LIMIT = 400
"""An aggregate over the players is written out if that takes no more than so many terms."""

NO_PLACE = -(1 << 20)
"""What a key adds to the number of a place if it is none of its values: the sum stays negative."""

_DECIDED_BY_POSITION = frozenset(
    ("variable", "playerVariable", "local", "top", "bottom", "at", "topCards",
     "bottomCards", "position", "theCard", "count", "full", "random", "zone", "those",
     "sum", "countOf", "some", "every", "largest", "smallest", "highest", "lowest", "range", "subsets", "values",
     "when", "bestSeat")
)  # fmt: skip
_COMPARISONS = ("equal", "notEqual", "less", "lessEqual")
"""The comparisons that terms have; the others are these, reversed."""
MAX_PAIRS = 1 << 13
"""A condition on a card and another value is tabulated pair by pair if there are not more of them."""

_EMPTY: frozenset[Any] = frozenset()


class Term:
    """A folded expression; `value` is the number of a const and the bit mask of constant cards."""

    __slots__ = ("args", "atoms", "is_const", "locals", "name", "op", "size", "type", "value")

    def __init__(self, op: str, kind: Type, args: tuple[Term, ...], value: int | None, name: str | None) -> None:
        self.op = op
        self.is_const = op in ("const", "cards")
        self.type = kind
        self.args = args
        self.value = value
        self.name = name
        inner = _union([arg.locals for arg in args])
        if op == "local":
            assert name is not None
            inner = frozenset((name,))
        elif name is not None and op in _BINDERS:
            inner -= {name}
        self.locals: frozenset[str] = inner
        if op in ("const", "cards"):
            self.atoms: frozenset[Term] = _EMPTY
        elif op in _DECIDED_BY_POSITION:
            self.atoms = frozenset((self,))
        else:
            self.atoms = _union([arg.atoms for arg in args])
        self.size: int = 1 + sum(arg.size for arg in args)

    @property
    def number(self) -> int:
        """The value of a constant."""
        assert self.value is not None
        return self.value

    def __repr__(self) -> str:
        words = [str(word) for word in (self.op, self.value, self.name) if word is not None]
        return f"{' '.join(words)}({', '.join(map(repr, self.args))})"


_BINDERS = frozenset(("those", "sum", "largest", "smallest", "highest", "lowest", "subsets"))


def _union(sets: list[frozenset[Any]]) -> frozenset[Any]:
    """The union; most often of sets that are empty or the same, which is quick."""
    result: frozenset[Any] = _EMPTY
    for one in sets:
        if one is not result and one:
            result = result | one if result else one
    return result


_Maker = Callable[[str | None, tuple[Term, ...]], Callable[..., int]]


class Terms:
    """Makes the terms of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.chart = game.flowchart
        self.deck = game.flowchart.deck
        self.made: dict[tuple[Any, ...], Term] = {}
        self.simplified: dict[tuple[Any, ...], Term] = {}
        self.in_play = sum(1 << card for card in game.cards)
        self.of_suit, self.of_rank = [0] * len(self.deck.suits), [0] * len(self.deck.ranks)
        for card in game.cards:
            self.of_suit[self.deck.suit_of(card)] |= 1 << card
            self.of_rank[self.deck.rank_of(card)] |= 1 << card
        self.teams = {seat: team for team in self.chart.teams for seat in team}
        self.table_values: dict[tuple[str, Type], Mapping[int, int]] = {}
        self.functions = self._functions()
        self.columns: dict[tuple[Term, Term | None, int], list[int]] = {}
        self.simplifiers: dict[str, Callable[[Type, tuple[Term, ...], str | None], Term | None]] = {
            name.removeprefix("_make_"): getattr(self, name) for name in _SIMPLIFIERS
        }
        self.true, self.false = self.const(1, Type.BOOL), self.const(0, Type.BOOL)
        self.nothing, self.everything = self.cards(0), self.cards(self.in_play)

    # --- making terms

    def const(self, value: int, kind: Type) -> Term:
        """A known value."""
        return self.intern("const", kind, (), value, None)

    def cards(self, mask: int) -> Term:
        """A known set of cards."""
        return self.intern("cards", Type.CARDS, (), mask, None)

    def intern(self, op: str, kind: Type, args: tuple[Term, ...], value: int | None, name: str | None) -> Term:
        """The one term of this kind, as it is."""
        key = (op, kind, args, value, name)
        term = self.made.get(key)
        if term is None:
            term = self.made[key] = Term(op, kind, args, value, name)
        return term

    def make(self, op: str, kind: Type, *args: Term, name: str | None = None) -> Term:
        """A term, simplified."""
        key = (op, kind, args, name)
        term = self.simplified.get(key)
        if term is None:
            term = self.simplified[key] = self._simplify(op, kind, args, name)
        return term

    def _simplify(self, op: str, kind: Type, args: tuple[Term, ...], name: str | None) -> Term:
        simplify = self.simplifiers.get(op)
        if simplify is not None:
            simpler = simplify(kind, args, name)
            if simpler is not None:
                return simpler
        if op in self.functions and all(arg.is_const for arg in args):
            value = self.functions[op](name, args)(*(arg.number for arg in args))
            return self.cards(value) if kind is Type.CARDS else self.const(value, kind)
        return self.intern(op, kind, args, None, name)

    def negation(self, term: Term) -> Term:
        """`not term`."""
        return self.make("not", Type.BOOL, term)

    def both(self, first: Term, second: Term) -> Term:
        """`first & second`."""
        return self.make("and", Type.BOOL, first, second)

    def either(self, first: Term, second: Term) -> Term:
        """`first | second`."""
        return self.make("or", Type.BOOL, first, second)

    def _make_not(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:
        (arg,) = args
        if arg.op == "not":
            return arg.args[0]
        if arg.op in _COMPARISONS:
            return self.make(OPS[arg.op].opposite, Type.BOOL, *arg.args)
        if arg.op in ("and", "or"):
            parts = (self.negation(arg.args[0]), self.negation(arg.args[1]))
            return self.make("or" if arg.op == "and" else "and", Type.BOOL, *parts)
        return None

    def _make_and(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:
        first, second = args
        if first is self.false or second is self.false:
            return self.false
        if first is self.true or first is second:
            return second
        return first if second is self.true else None

    def _make_or(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:
        first, second = args
        if first is self.true or second is self.true:
            return self.true
        if first is self.false or first is second:
            return second
        if second is self.false:
            return first
        return self._with_common_part(first, second)

    def _with_common_part(self, first: Term, second: Term) -> Term | None:
        """`x & y | x & z` as `x & (y | z)`, also where there is something before it."""
        before, last = (first.args[0], first.args[1]) if first.op == "or" else (None, first)
        if last.op != "and" or second.op != "and" or last.args[0] is not second.args[0]:
            return None
        common = self.both(last.args[0], self.either(last.args[1], second.args[1]))
        return common if before is None else self.either(before, common)

    def _make_if(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:
        condition, yes, no = args
        if condition.is_const:
            return yes if condition.number else no
        if yes is no:
            return yes
        if kind is Type.BOOL:
            return self.either(self.both(condition, yes), self.both(self.negation(condition), no))
        return None

    def _make_greater(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:
        return self.make("less", kind, args[1], args[0])

    def _make_greaterEqual(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:  # noqa: N802
        return self.make("lessEqual", kind, args[1], args[0])

    def _make_less(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:
        first, second = args
        if first.op == "const" and first.value == 0 and second.op == "count":
            return self.make("full", Type.BOOL, second.args[0])
        if first.op == "count" and second.op == "const" and second.value == 1:
            return self.negation(self.make("full", Type.BOOL, first.args[0]))
        return None

    def _make_lessEqual(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:  # noqa: N802
        first, second = args
        if first.op == "const" and first.value == 1 and second.op == "count":
            return self.make("full", Type.BOOL, second.args[0])
        if first.op == "count" and second.op == "const" and second.value == 0:
            return self.negation(self.make("full", Type.BOOL, first.args[0]))
        return None

    def _make_equal(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:
        first, second = args
        if first is second:
            return self.true
        if (first.is_const and not second.is_const) or (second.op == "if" and first.op != "if"):
            first, second = second, first
        if second.op == "const" and second.value == 0 and first.op == "count":
            return self.negation(self.make("full", Type.BOOL, first.args[0]))
        if second.is_const and first.type is Type.BOOL and not first.is_const:
            return first if second.value == 1 else self.negation(first)
        if first.op == "if":
            condition, yes, no = first.args
            if condition.locals or yes.is_const or no.is_const:
                both = (self.make("equal", kind, yes, second), self.make("equal", kind, no, second))
                return self.make("if", Type.BOOL, condition, *both)
        return None if args == (first, second) else self.intern("equal", kind, (first, second), None, None)

    def _make_notEqual(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:  # noqa: N802
        equal = self.make("equal", kind, *args)
        if equal.op != "equal":
            return self.negation(equal)
        return None if equal.args == args else self.intern("notEqual", kind, equal.args, None, None)

    def _make_full(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:
        (cards,) = args
        return self.const(int(cards.number != 0), Type.BOOL) if cards.is_const else None

    def _make_count(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:
        (cards,) = args
        return self.const(cards.number.bit_count(), Type.INT) if cards.is_const else None

    def _make_theCard(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:  # noqa: N802
        (cards,) = args
        if not cards.is_const:
            return None
        return self.const((cards.number & -cards.number).bit_length() - 1, Type.CARD)

    def _make_empty(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:
        return self.negation(self.make("full", kind, *args))

    def _make_intersect(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:
        first, second = args
        if first is self.everything or first is second:
            return second
        if second is self.everything:
            return first
        if self.nothing in args:
            return self.nothing
        if second.is_const and first.op == "intersect" and first.args[1].is_const:
            return self.make("intersect", kind, first.args[0], self.cards(first.args[1].number & second.number))
        return None

    def _make_union(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:
        first, second = args
        if first is self.nothing or first is second:
            return second
        return first if second is self.nothing else None

    def _make_except(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:
        first, second = args
        return first if second is self.nothing else self.nothing if first is self.nothing else None

    def _make_template(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:
        rank, suit = args
        if rank.is_const or suit.is_const:
            return None
        anything = self.const(ANY, Type.RANK), self.const(ANY, Type.SUIT)
        of_rank = self.make("template", kind, rank, anything[1])
        return self.make("intersect", kind, of_rank, self.make("template", kind, anything[0], suit))

    def _make_those(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:
        domain, condition = args
        if condition is self.true:
            return domain
        if kind is not Type.CARDS:
            return None
        if condition is self.false or domain is self.nothing:
            return self.nothing
        assert name is not None
        if name not in condition.locals:
            return self.make("if", kind, condition, domain, self.nothing)
        element = self.intern("local", Type.CARD, (), None, name)
        if condition.atoms == {element}:
            masks = self.selections(condition, element, None, (0,))
            if masks is not None:
                return self.make("intersect", kind, domain, self.cards(masks[0] & self.in_play))
        return None

    def _make_player(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:
        return self._itself_below(self.game.players, args[0])

    def _make_suitAt(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:  # noqa: N802
        return self._itself_below(len(self.deck.suits), args[0])

    def _make_rankAt(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:  # noqa: N802
        return self._itself_below(len(self.deck.ranks), args[0])

    def _make_place(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:
        """Without keys that are known, the sum of what each adds to the number; negative if there is no such place."""
        if all(arg.is_const for arg in args):
            return None
        keys = self.chart.family(str(name)).keys
        if len(keys) == 1 and keys[0].kind in ("suit", "rank"):
            return args[0]
        parts = [self.make("keyAdds", Type.PLACE, arg, name=f"{at} {name}") for at, arg in enumerate(args)]
        return parts[0] if len(parts) == 1 else self.make("add", Type.PLACE, *parts)

    def key(self, name: str) -> tuple[Key, int]:
        """The key that a term `keyAdds` is about, and how much one more of it adds to the number of a place."""
        at, _, family = name.partition(" ")
        keys = self.chart.family(family).keys
        each = [len(key_values(self.chart, key, self.game.players)) for key in keys[int(at) + 1 :]]
        return keys[int(at)], prod(each)

    def _key_adds(self, name: str) -> Callable[[int], int]:
        key, each = self.key(name)
        position = position_among(self.chart, key, self.game.players)
        return lambda value: each * at if (at := position(value)) >= 0 else NO_PLACE

    def _itself_below(self, limit: int, index: Term) -> Term | None:
        """The number itself if it is known to lie from 0 to below the limit."""
        low, high = self.bounds(index)
        return index if low >= 0 and high < limit and not index.is_const else None

    def _make_sameTeam(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:  # noqa: N802
        teams = [self.make("teamOf", Type.INT, arg) for arg in args]
        return self.make("equal", Type.BOOL, *teams)

    def _make_playerNumber(self, kind: Type, args: tuple[Term, ...], name: str | None) -> Term | None:  # noqa: N802
        return None if args[0].is_const else args[0]

    _make_wordNumber = _make_playerNumber  # noqa: N815

    def bounds(self, term: Term) -> tuple[int, int]:
        """Values between which an int or player term always is."""
        if term.op == "const":
            return term.number, term.number
        if term.type is Type.PLAYER:
            return NONE, self.game.players - 1
        if term.type is Type.BOOL:
            return 0, 1
        if term.op == "modulo" and term.args[1].op == "const" and term.args[1].number > 0:
            return 0, term.args[1].number - 1
        if term.op == "random" and term.args[0].op == "const":
            return 0, max(term.args[0].number - 1, 0)
        if term.op == "count":
            return 0, self.deck.size
        return LOWEST, HIGHEST

    def assume(self, term: Term, condition: Term, holds: bool) -> Term:
        """The term where a condition is known to hold, or not to."""
        opposite, atoms = self.negation(condition), condition.atoms

        def known(part: Term) -> Term:
            if part is condition:
                return self.true if holds else self.false
            if part is opposite:
                return self.false if holds else self.true
            if not atoms <= part.atoms or part.op in _DECIDED_BY_POSITION:
                return part
            args = tuple(map(known, part.args))
            return part if args == part.args else self.make(part.op, part.type, *args, name=part.name)

        return known(term)

    def repeated_condition(self, term: Term, element: Term) -> Term | None:
        """The condition without the element that stands most often within a term, if any does more than once."""
        counts: dict[Term, int] = {}
        pending = [term]
        while pending:
            part = pending.pop()
            if part.type is Type.BOOL and element.name not in part.locals and part.op not in ("and", "or", "not"):
                if not part.is_const:
                    opposite = self.negation(part)
                    known = opposite if opposite in counts else part
                    counts[known] = counts.get(known, 0) + 1
            elif part.op not in _DECIDED_BY_POSITION:
                pending.extend(reversed(part.args))
        best = max(counts, key=lambda condition: counts[condition], default=None)
        return best if best is not None and counts[best] > 1 else None

    # --- functions of known values

    def _functions(self) -> dict[str, _Maker]:
        """Makers of functions: called with a term's name and arguments, they give the function of the values."""

        def plain(function: Callable[..., int]) -> _Maker:
            return lambda name, args: function

        def scalar(op: str) -> _Maker:
            return lambda name, args: self.game.scalars.function(op, name)

        def team_of(p: int) -> int:
            return min(self.teams.get(p, (p,)))

        def template(rank: int, suit: int) -> int:
            of_rank = self.in_play if rank == ANY else self.of_rank[rank] if rank >= 0 else 0
            of_suit = self.in_play if suit == ANY else self.of_suit[suit] if suit >= 0 else 0
            return of_rank & of_suit

        own: dict[str, Callable[..., int]] = {
            "if": lambda a, b, c: b if a else c,
            "teamOf": team_of,
            "template": template,
            "single": lambda c: 1 << c if c >= 0 else 0,
            "union": lambda a, b: a | b,
            "intersect": lambda a, b: a & b,
            "except": lambda a, b: a & ~b,
            "member": lambda c, cards: cards >> c & 1 if c >= 0 else 0,
        }
        makers: dict[str, _Maker] = {op: plain(function) for op, function in own.items()}
        makers |= {row.name: scalar(row.name) for row in OPS.values() if row.is_scalar or row.of_cards}
        makers["keyAdds"] = lambda name, args: self._key_adds(str(name))
        makers["table"] = lambda name, args: self._table_function(str(name), args[0].type)
        return makers

    def _table_function(self, name: str, kind: Type) -> Callable[[int], int]:
        values = self.table_values.get((name, kind))
        if values is None:
            of = self.game.scalars.function("table", name, kind)
            values = {value: of(value) for value in self.domain(kind)}
            self.table_values[name, kind] = values
        return values.__getitem__

    def domain(self, kind: Type) -> range:
        """All values of a type with few values."""
        match kind:
            case Type.BOOL:
                return range(2)
            case Type.PLAYER:
                return range(NONE, self.game.players)
            case Type.SUIT:
                return range(ANY, len(self.deck.suits))
            case Type.RANK:
                return range(ANY, len(self.deck.ranks))
            case Type.CARD:
                return range(NONE, self.deck.size)
            case Type.WORD:
                return range(NONE, len(self.chart.words))
        raise AssertionError(kind)

    def values(self, term: Term, atom: Term | None, domain: Sequence[int]) -> list[int]:
        """A term's value (a card set's mask) for every value of its only atom."""
        if term is atom:
            return list(domain)
        if term.is_const:
            return [term.number] * len(domain)
        known = self.columns.get((term, atom, len(domain)))
        if known is None:
            function = self.functions[term.op](term.name, term.args)
            known = list(map(function, *(self.values(arg, atom, domain) for arg in term.args)))
            self.columns[term, atom, len(domain)] = known
        return known

    def selections(self, condition: Term, element: Term, atom: Term | None, domain: Sequence[int]) -> list[int] | None:
        """For every value of an atom the cards for which a condition holds; None if that is not to be had like this.

        `element` is the local that stands for the card; the condition has no other atoms than these two.
        """
        if element not in condition.atoms:
            return [self.in_all if value else 0 for value in self.values(condition, atom, domain)]
        if condition.op in ("and", "or"):
            parts = [self.selections(arg, element, atom, domain) for arg in condition.args]
            if parts[0] is None or parts[1] is None:
                return None
            if condition.op == "and":
                return [a & b for a, b in zip(parts[0], parts[1], strict=True)]
            return [a | b for a, b in zip(parts[0], parts[1], strict=True)]
        if condition.op == "not":
            part = self.selections(condition.args[0], element, atom, domain)
            return [self.in_all & ~mask for mask in part] if part is not None else None
        if condition.op == "member" and condition.args[0] is element and element not in condition.args[1].atoms:
            return self.values(condition.args[1], atom, domain)
        if condition.op == "member" and condition.args[1].atoms == {element} and element not in condition.args[0].atoms:
            return self._containing(condition, element, atom, domain)
        if len(condition.atoms) == 1:
            cards = range(self.deck.size)
            mask = sum(
                1 << card for card, holds in zip(cards, self.values(condition, element, cards), strict=True) if holds
            )
            return [mask] * len(domain)
        if condition.op in _COMPARISONS:
            return self._compared(condition, element, atom, domain)
        return None

    def _containing(self, member: Term, element: Term, atom: Term | None, domain: Sequence[int]) -> list[int]:
        """Of `c in D(element)` for every value of c's atom the elements: D is a function of the element."""
        sets = self.values(member.args[1], element, range(self.deck.size))
        found = {NONE: 0}
        for card in range(self.deck.size):
            found[card] = sum(1 << number for number, cards in enumerate(sets) if cards >> card & 1)
        return [found[card] for card in self.values(member.args[0], atom, domain)]

    @property
    def in_all(self) -> int:
        """All cards of the deck, in play or not."""
        return (1 << self.deck.size) - 1

    def _compared(self, condition: Term, element: Term, atom: Term | None, domain: Sequence[int]) -> list[int] | None:
        """The same of a comparison in which only one side is about the element."""
        first, second = condition.args
        if first.atoms == {element} and element not in second.atoms:
            mine, other, turned = first, second, False
        elif second.atoms == {element} and element not in first.atoms:
            mine, other, turned = second, first, True
        else:
            return self._compared_in_pairs(condition, element, atom, domain)
        by_value = self.by_value(mine, element)
        if condition.op == "equal":
            return [by_value.get(value, 0) for value in self.values(other, atom, domain)]
        if condition.op == "notEqual":
            return [self.in_all & ~by_value.get(value, 0) for value in self.values(other, atom, domain)]
        values, below = sorted(by_value), [0]
        for value in values:
            below.append(below[-1] | by_value[value])
        less = bisect_left if (condition.op == "less") != turned else bisect_right
        masks = [below[less(values, value)] for value in self.values(other, atom, domain)]
        return [self.in_all & ~mask for mask in masks] if turned else masks

    def _compared_in_pairs(
        self, condition: Term, element: Term, atom: Term | None, domain: Sequence[int]
    ) -> list[int] | None:
        """Of a comparison that mixes card and atom: it is found for each pair of them, if these are not too many."""
        cards = range(self.deck.size)
        if len(domain) * len(cards) > MAX_PAIRS:
            return None

        def rows(term: Term) -> list[list[int]] | None:
            """For every value of the atom the term's values by card."""
            if element not in term.atoms:
                return [[value] * len(cards) for value in self.values(term, atom, domain)]
            if len(term.atoms) == 1:
                return [self.values(term, element, cards)] * len(domain)
            args = [found for arg in term.args if (found := rows(arg)) is not None]
            if len(args) < len(term.args) or term.op not in self.functions:
                return None
            function = self.functions[term.op](term.name, term.args)
            return [list(map(function, *columns)) for columns in zip(*args, strict=True)]

        found = rows(condition)
        if found is None:
            return None
        return [sum(1 << card for card, holds in zip(cards, row, strict=True) if holds) for row in found]

    def by_value(self, term: Term, element: Term) -> dict[int, int]:
        """For every value that a function of a card takes, the cards where it does."""
        groups: dict[int, int] = {}
        cards = range(self.deck.size)
        for card, value in zip(cards, self.values(term, element, cards), strict=True):
            groups[value] = groups.get(value, 0) | 1 << card
        return groups

    # --- from expressions

    def from_expr(self, expr: Expr, bound: Mapping[str, Term]) -> Term:
        """The term of an expression; `bound` has the terms of its locals."""
        op, kind = expr.op, expr.type
        if op == "const":
            assert expr.value is not None
            return self.const(expr.value, kind)
        if op == "option":
            assert expr.name is not None
            return self.const(self.game.options[expr.name], kind)
        if op == "numberOfPlayers":
            return self.const(self.game.players, kind)
        if op == "local":
            assert expr.name is not None
            return bound[expr.name]
        if op == "allCards":
            return self.everything
        if op in BINDERS:
            return self._aggregate(expr, bound)
        if op == "subsets":
            return self._subsets(expr, TRUE, "set", bound)
        lowered = OPS[op].lowered
        if lowered is not None:
            return self.from_expr(lowered(*expr.args), bound)
        if op == "playersFrom":
            return self.from_expr(players_from(expr.args[0], self.game.players), bound)
        args = tuple(self.from_expr(arg, bound) for arg in expr.args)
        if op in ("players", "suits", "ranks"):
            count = {"players": self.game.players, "suits": len(self.deck.suits), "ranks": len(self.deck.ranks)}[op]
            limits = (self.const(0, Type.INT), self.const(count - 1, Type.INT))
            return self.intern("range", Type.DOMAIN, limits, None, None)
        return self.make(op, kind, *args, name=expr.name)

    def _aggregate(self, expr: Expr, bound: Mapping[str, Term]) -> Term:
        name = expr.name
        assert name is not None
        if expr.args[0].op in ("players", "playersFrom") and expr.op != "those":
            written_out = self._over_players(expr, bound)
            if written_out is not None:
                return written_out
        element = self.intern("local", _element_type(expr.args[0]), (), None, name)
        inner = {**bound, name: element}
        asked = expr.args[1] if expr.op != "every" else Expr("not", Type.BOOL, (expr.args[1],))
        if expr.args[0].op == "subsets":
            found = looking(self.chart, expr.args[0], asked, name)
            domain = self._subsets(found.domain, found.lasts, name, bound)
            asked = found.asked
        else:
            domain = self.from_expr(expr.args[0], bound)
        condition = self.from_expr(asked, inner)
        kind = Type.CARDS if domain.type is Type.CARDS else Type.DOMAIN
        those = self.make("those", kind, domain, condition, name=name)
        if expr.op == "those":
            return those
        if kind is Type.CARDS and expr.op in ("some", "every", "countOf"):
            if expr.op == "countOf":
                return self.make("count", Type.INT, those)
            full = self.make("full", Type.BOOL, those)
            return full if expr.op == "some" else self.negation(full)
        if expr.op == "every":
            return self.negation(self.intern("some", Type.BOOL, (those,), None, name))
        if expr.op in ("some", "countOf"):
            return self.intern(expr.op, expr.type, (those,), None, name)
        value = self.from_expr(expr.args[2], inner)
        return self.intern(expr.op, expr.type, (those, value), None, name)

    def _subsets(self, expr: Expr, lasts: Expr, name: str, bound: Mapping[str, Term]) -> Term:
        """The sets of a domain: its cards, its sizes, and the condition without which a set is not extended."""
        args = [self.from_expr(arg, bound) for arg in expr.args]
        inner = {**bound, name: self.intern("local", Type.CARDS, (), None, name)}
        return self.intern("subsets", Type.DOMAIN, (*args, self.from_expr(lasts, inner)), expr.value, name)

    def _over_players(self, expr: Expr, bound: Mapping[str, Term]) -> Term | None:
        """An aggregate over the players, written out."""
        assert expr.name is not None
        zero, one = self.const(0, Type.INT), self.const(1, Type.INT)
        conditions, values = [], []
        domain = expr.args[0]
        in_order = domain.op == "playersFrom" and expr.op in ("highest", "lowest")
        if in_order:
            seats = [self.from_expr(seat, bound) for seat in players_from(domain.args[0], self.game.players).args]
        else:
            seats = [self.const(seat, Type.PLAYER) for seat in range(self.game.players)]
        for seat in seats:
            inner = {**bound, expr.name: seat}
            conditions.append(self.from_expr(expr.args[1], inner))
            values.append(self.from_expr(expr.args[2], inner) if len(expr.args) > 2 else one)
            if (conditions[-1].size + values[-1].size) * self.game.players > UNROLL_LIMIT:
                return None
        if expr.op in ("highest", "lowest"):
            pairs = tuple(term for pair in zip(conditions, values, strict=True) for term in pair)
            best = self.intern("bestSeat", Type.PLAYER, pairs, None, expr.op)
            return self._after(seats[0], best) if in_order else best
        if expr.op in ("largest", "smallest"):
            if any(condition is not self.true for condition in conditions):
                return None
            parts, combine = values, "maximum" if expr.op == "largest" else "minimum"
        elif expr.op in ("some", "every"):
            parts, combine = conditions, "or" if expr.op == "some" else "and"
        else:
            pairs_of = zip(conditions, values, strict=True)
            parts, combine = [self.make("if", Type.INT, *pair, zero) for pair in pairs_of], "add"
        result = parts[0]
        for part in parts[1:]:
            result = self.make(combine, expr.type, result, part)
        return result

    def _after(self, first: Term, steps: Term) -> Term:
        """The seat so many steps after another; none after none (-1) steps."""
        players = self.const(self.game.players, Type.INT)
        seat = self.make("modulo", Type.INT, self.make("add", Type.INT, first, steps), players)
        nobody = self.make("less", Type.BOOL, steps, self.const(0, Type.INT))
        return self.make("if", Type.PLAYER, nobody, self.const(NONE, Type.PLAYER), seat)


_SIMPLIFIERS = tuple(name for name in vars(Terms) if name.startswith("_make_"))


def _element_type(domain: Expr) -> Type:
    match domain.op:
        case "players" | "playersFrom":
            return Type.PLAYER
        case "suits":
            return Type.SUIT
        case "ranks":
            return Type.RANK
        case "range":
            return Type.INT
        case "subsets":
            return Type.CARDS
        case "those" if domain.type is Type.DOMAIN:
            return _element_type(domain.args[0])
        case "values":
            return _element_type(domain.args[0])
        case "when":
            return _element_type(domain.args[1])
    return Type.CARD if domain.type is Type.CARDS else domain.type
