"""A position that is known only as far as the chart and the seats of an instance say, and what statements do to it.

At the start of a cycle every variable and zone is a symbol of itself. `Evaluator.value` says any expression by these
symbols, by `me` and by the cards played since; what cannot be said so raises UnclearError.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fcdl.heuristics.clock import is_large, tick
from fcdl.heuristics.comparing import compared
from fcdl.heuristics.symbols import (
    COMPARISONS,
    FALSE,
    Value,
    choice,
    constant,
    distance_of,
    number,
    operation,
    seat_expr,
    simple_sum,
    truth,
)
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import NONE, TRUE, Expr, MoveBy, Type
from fcdl.language.ops import OPS, Known, looked_into
from fcdl.language.places import KEY_TYPES, place_keys
from fcdl.model.game import Game
from fcdl.model.static import NotStaticError

Slot = tuple[str, int | None]
"""A variable or a zone, and its player's seat."""
Facts = Mapping[Expr, bool]
"""Conditions that have been answered."""

EMPTY = Expr("template", Type.CARDS, (Expr("const", Type.RANK, value=NONE), Expr("const", Type.SUIT, value=NONE)))
UNSAID = "?"
TOO_LONG = "this gets too long to be said"
_FOLDABLE = {row.name for row in OPS.values() if row.maker is not None and row.known is Known.CHART}
_LEAVES = {"const", "option", "numberOfPlayers", "listSize"}
_ORDINALS = {1: "", 2: "Second", 3: "Third"}
NO_PLACE = "where these cards are depends on the cards"
NOT_KNOWN_BEFORE = "which cards come is not known before"
"""Why something cannot be followed."""


class UnclearError(Exception):
    """Something that cannot be said by the position at the start of the cycle and the cards played.

    `place` is where it came about, if that is not where it is asked for.
    """

    def __init__(self, reason: str = "", place: int | None = None) -> None:
        super().__init__(reason)
        self.place = place


class WhoError(UnclearError):
    """A player who is not known: who it is must be asked first."""

    def __init__(self, player: Expr) -> None:
        super().__init__("who this is depends on the cards")
        self.player = player


@dataclass(frozen=True, slots=True)
class Parameter:
    """A card that is played in the cycle, or a value that is chosen; `name` is what expressions call it.

    `distance`: so many seats after me sits whoever decides. `turn`: it is this player's so many-th decision of the
    cycle, from 0. A card is none if the player passed.
    """

    name: str
    type: Type
    distance: int
    turn: int

    @property
    def expr(self) -> Expr:
        """The parameter as an expression."""
        return Expr("local", self.type, name=self.name)


@dataclass(frozen=True, slots=True)
class Contents:
    """The cards of a zone, their number and the top one; None where that cannot be said.

    `mark`: the number under which cards that cannot be said are spoken of.
    """

    cards: Expr | None
    count: Value | None
    top: Value | None
    mark: int = 0


@dataclass(frozen=True, slots=True)
class Instance:
    """Which seat I have, and which seat each variable names that names a player."""

    me: int
    seats: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """Where the chart is, what is where, and what has been decided and answered on the path there."""

    place: int
    variables: Mapping[Slot, Value | None]
    zones: Mapping[Slot, Contents]
    facts: Facts
    fresh: frozenset[str]
    """Variables with players that have not been assigned on the path."""
    parameters: tuple[Parameter, ...] = ()
    supposed: Facts = field(default_factory=dict)
    """Conditions that have been answered only for what is done next."""
    settled: tuple[Expr, ...] = ()
    """Answers that the worth depends on."""
    effects: tuple[tuple[str, int], ...] = ()
    """Cards that came into hands: from which zone, and into whose hand, as seats after me."""
    lost: Mapping[Slot, tuple[int, str]] = field(default_factory=dict)
    """Where and why the value of a variable came to be unclear."""
    marks: int = 0
    """How many things on the path cannot be said; each has a number."""

    def with_variable(self, slot: Slot, value: Value | None) -> Situation:
        """The same with another value of a variable."""
        fresh = self.fresh - {slot[0]} if slot[1] is None else self.fresh
        return replace(self, variables={**self.variables, slot: value}, fresh=fresh)

    def with_zones(self, zones: Mapping[Slot, Contents]) -> Situation:
        """The same with other contents of some zones."""
        marks, marked = self.marks, {}
        for slot, contents in zones.items():
            if contents.cards is None or contents.count is None:
                marks += 1
                contents = replace(contents, mark=marks)
            marked[slot] = contents
        return replace(self, zones={**self.zones, **marked}, marks=marks)


class Evaluator:
    """Says what expressions are and what statements do, in one instance of a game."""

    def __init__(self, game: Game, instance: Instance) -> None:
        self.game = game
        self.chart = game.flowchart
        self.instance = instance

    # Who is who, and what is where at the start

    def who(self, seat: int) -> Value:
        """A player."""
        return Value(seat_expr(self.distance(seat)), seat)

    def distance(self, seat: int) -> int:
        """How many seats after me a seat is."""
        return (seat - self.instance.me) % self.game.players

    def start(self, place: int) -> Situation:
        """The start of a cycle: everything is a symbol of itself."""
        seats = dict(self.instance.seats)
        variables: dict[Slot, Value | None] = {}
        for variable in self.chart.variables.values():
            if variable.keys:
                for number in self.game.places_of(variable):
                    expr = Expr("playerVariable", variable.type, self._place(variable, number), name=variable.name)
                    variables[variable.name, number] = Value(expr)
            elif variable.name in seats:
                expr = Expr("variable", variable.type, name=variable.name)
                seat = seats[variable.name]
                player = variable.type is Type.PLAYER
                variables[variable.name, None] = self.who(seat) if player else Value(expr, seat)
            else:
                variables[variable.name, None] = Value(Expr("variable", variable.type, name=variable.name))
        zones: dict[Slot, Contents] = {}
        for zone in self.chart.zones.values():
            for number in self.game.places_of(zone):
                args = self._place(zone, number)
                cards = Expr("zone", Type.CARDS, args, name=zone.name)
                if zone.name == "hand":
                    count = Expr("cardsRemaining", Type.INT, args)
                else:
                    count = Expr("count", Type.INT, (cards,))
                zones[zone.name, number] = Contents(cards, Value(count), Value(Expr("top", Type.CARD, (cards,))))
        fresh = frozenset(name for name in seats if self.chart.variables[name].type is Type.PLAYER)
        return Situation(place, variables, zones, {}, fresh)

    def _place(self, family: fc.Family, number: int | None) -> tuple[Expr, ...]:
        """Which of a family is meant, as an argument."""
        if number is None:
            return ()
        if family.per_player:
            return (self.who(number).expr,)
        keys = place_keys(self.chart, family, self.game.players)[number]
        kinds = [KEY_TYPES[key.kind] for key in family.keys]
        args = (
            self.who(key).expr if kind is Type.PLAYER else constant(kind, key).expr
            for kind, key in zip(kinds, keys, strict=True)
        )
        return (Expr("place", Type.PLACE, tuple(args), name=family.name),)

    # Expressions

    def value(self, expr: Expr, at: Situation, facts: Facts, bound: Mapping[str, Value] | None = None) -> Value:
        """What an expression is, in a situation in which certain conditions have been answered."""
        return _Reader(self, at, facts).value(expr, bound or {})

    def seat(self, expr: Expr, at: Situation, facts: Facts, bound: Mapping[str, Value] | None = None) -> int:
        """The seat of a player."""
        value = self.value(expr, at, facts, bound)
        return _somebody(value)

    def slot(self, zone: Expr, at: Situation, facts: Facts, bound: Mapping[str, Value] | None = None) -> Slot:
        """A zone and its owner."""
        assert zone.name is not None
        return zone.name, self.seat(zone.args[0], at, facts, bound) if zone.args else None

    # Statements

    def assign(self, statement: fc.Assign, at: Situation, facts: Facts, place: int) -> Situation:
        """`x = e` at a place; what is unclear or left to chance matters only if it is asked for."""
        owner = statement.target.player
        slot = statement.target.name, None if owner is None else self.seat(owner, at, facts)
        try:
            value = self.value(statement.value, at, facts)
            if is_large(value.expr):
                raise UnclearError(TOO_LONG)
            return at.with_variable(slot, value)
        except WhoError:
            raise
        except UnclearError as error:
            origin = place if error.place is None else error.place
            kind, mark = self.chart.variables[slot[0]].type, at.marks + 1
            hidden = Value(unsaid(kind, f"the {slot[0]} then", mark))
            lost = {**at.lost, slot: (origin, str(error))}
            return replace(at.with_variable(slot, hidden), lost=lost, marks=mark)

    def parameter(self, seat: int, kind: Type, at: Situation) -> Parameter:
        """A name for what a player decides next."""
        distance = self.distance(seat)
        turn = sum(parameter.distance == distance for parameter in at.parameters)
        ordinal = _ORDINALS.get(turn + 1, f"{turn + 1}th")
        number = str(distance) if distance and self.game.players > 2 else ""
        noun = {Type.CARD: "Card", Type.CARDS: "Cards"}.get(kind, "Choice")
        return Parameter(f"{'other' if distance else 'my'}{ordinal}{noun}{number}", kind, distance, turn)

    def play(self, statement: fc.Play, card: Parameter, at: Situation, facts: Facts) -> Situation:
        """A card goes from a hand to its target."""
        source, target = self.slot(statement.source, at, facts), self.slot(statement.target, at, facts)
        single = Expr("single", Type.CARDS, (card.expr,))
        hand, middle = at.zones[source], at.zones[target]
        return at.with_zones(
            {
                source: Contents(_less(hand.cards, single), _plus(hand.count, number(1), -1), None),
                target: Contents(_more(middle.cards, single), _plus(middle.count, number(1)), Value(card.expr)),
            }
        )

    def picked(self, picked: Parameter, number: Value, source: Slot, target: Slot, at: Situation) -> Situation:
        """A card, or a set of so many, goes from zone to zone."""
        one = picked.type is Type.CARD
        cards = Expr("single", Type.CARDS, (picked.expr,)) if one else picked.expr
        size = Expr("const", Type.INT, value=1) if one else number.expr
        out, to = at.zones[source], at.zones[target]
        if source == target:
            return at
        return at.with_zones(
            {
                source: Contents(_less(out.cards, cards), _plus(out.count, size, -1), None),
                target: Contents(_more(to.cards, cards), _plus(to.count, size), Value(picked.expr) if one else None),
            }
        )

    def taken_away(self, chosen: Parameter, size: Value, source: Slot, target: str, at: Situation) -> Situation:
        """A set of cards goes from a zone to a place of another, of which it is not known which."""
        out = at.zones[source]
        places = {slot: Contents(None, None, None) for slot in at.zones if slot[0] == target}
        left = Contents(_less(out.cards, chosen.expr), _plus(out.count, size.expr, -1), None)
        return at.with_zones({**places, source: Contents(None, None, None) if source in places else left})

    def move(self, statement: fc.Move, at: Situation, facts: Facts) -> Situation:
        """Cards go from zone to zone."""
        for bound in [{"seat": self.who(seat)} for seat in range(self.game.players)] if statement.each_seat else [{}]:
            source = self.slot(statement.source, at, facts, bound)
            target = self.slot(statement.target, at, facts, bound)
            if source != target:
                at = at.with_zones(self._moved(statement, source, target, at, facts))
                if target[0] == "hand" and target[1] is not None:
                    at = replace(at, effects=(*at.effects, (source[0], self.distance(target[1]))))
        return at

    def _moved(
        self, statement: fc.Move, source: Slot, target: Slot, at: Situation, facts: Facts
    ) -> dict[Slot, Contents]:
        out, to = at.zones[source], at.zones[target]
        if statement.by is MoveBy.ALL:
            count = None if out.count is None else _plus(to.count, out.count.expr)
            everything = None if out.cards is None else _more(to.cards, out.cards)
            empty = Contents(EMPTY, constant(Type.INT, 0), constant(Type.CARD, NONE))
            top = (
                out.top if out.top is not None and out.top.expr.op == "local" else None
            )  # it was played there just now
            return {source: empty, target: to if out == empty else Contents(everything, count, top)}
        assert statement.what is not None
        try:
            what = self.value(statement.what, at, facts)
            if statement.by is MoveBy.NUMBER:
                return self._some_moved(what, source, target, at)
            if out.cards is None:
                raise UnclearError
        except UnclearError:
            unknown = Contents(None, None, None)
            return {source: unknown, target: unknown}
        moved = Expr("intersect", Type.CARDS, (out.cards, what.expr))
        size = Expr("count", Type.INT, (moved,))
        return {
            source: Contents(_less(out.cards, what.expr), _plus(out.count, size, -1), None),
            target: Contents(_more(to.cards, moved), _plus(to.count, size), None),
        }

    def _some_moved(self, what: Value, source: Slot, target: Slot, at: Situation) -> dict[Slot, Contents]:
        """A number of cards from the top: a fixed number counts as such, as if there were always enough of them."""
        out, to = at.zones[source], at.zones[target]
        size = what.expr
        if what.known == 1 and out.cards is not None and out.top is not None:
            card = Expr("single", Type.CARDS, (out.top.expr,))
            return {
                source: Contents(_less(out.cards, card), _plus(out.count, size, -1), None),
                target: Contents(_more(to.cards, card), _plus(to.count, size), out.top),
            }
        if what.known is None:
            if out.count is None:
                raise UnclearError
            size = Expr("minimum", Type.INT, (size, out.count.expr))
        return {
            source: Contents(None, _plus(out.count, size, -1), None),
            target: Contents(None, _plus(to.count, size), None),
        }

    def gather(self, at: Situation) -> Situation:
        """All cards go back to the pack."""
        return at.with_zones(dict.fromkeys(at.zones, Contents(None, None, None)))

    def shuffle(self, statement: fc.ShuffleZone, at: Situation, facts: Facts) -> Situation:
        """The order of a zone is lost."""
        slot = self.slot(statement.zone, at, facts)
        return at.with_zones({slot: replace(at.zones[slot], top=None)})


def _plus(count: Value | None, amount: Expr, factor: int = 1) -> Value | None:
    if count is None:
        return None
    total = simple_sum(count.expr, amount, factor)
    return Value(total, total.value if total.op == "const" else None)


def _more(cards: Expr | None, others: Expr) -> Expr | None:
    if cards is None or others == EMPTY:
        return cards
    return others if cards == EMPTY else Expr("union", Type.CARDS, (cards, others))


def _less(cards: Expr | None, others: Expr) -> Expr | None:
    return None if cards is None else Expr("except", Type.CARDS, (cards, others))


def _somebody(player: Value) -> int:
    """The seat of a player who is known."""
    if player.known is None:
        raise WhoError(player.expr)
    if player.known < 0:
        raise UnclearError("this is nobody")
    return player.known


class _Reader:
    """Reads expressions in one situation."""

    def __init__(self, evaluator: Evaluator, at: Situation, facts: Facts) -> None:
        self.evaluator, self.at, self.facts = evaluator, at, facts
        self.game = evaluator.game

    def value(self, expr: Expr, bound: Mapping[str, Value]) -> Value:
        """What an expression is; `bound` are the variables of aggregates."""
        tick()
        found = self._value(expr, bound)
        if found.expr.type is Type.BOOL:
            return self._answered(found)
        return self._known_player(found) if found.expr.type is Type.PLAYER and found.known is None else found

    def _known_player(self, value: Value) -> Value:
        """A player who has been asked for."""
        for seat in range(self.game.players):
            if self.facts.get(is_player(value.expr, self.evaluator.who(seat).expr)):
                return self.evaluator.who(seat)
        if value.expr.op == "local":  # somebody has been chosen: the one who is left
            seats = (self.evaluator.who(seat) for seat in range(self.game.players))
            left = [who for who in seats if self.facts.get(is_player(value.expr, who.expr)) is not False]
            return left[0] if len(left) == 1 else value
        return value

    def _answered(self, value: Value) -> Value:
        if value.known is not None:
            return value
        positive = value.expr.args[0] if value.expr.op == "not" else value.expr
        if positive in self.facts:
            return truth(self.facts[positive] == (positive is value.expr))
        if value.expr.op in COMPARISONS:
            simple = compared(value.expr, self.facts, self.game.flowchart)
            return value if simple.expr == value.expr else self._answered(simple)
        return value

    def _value(self, expr: Expr, bound: Mapping[str, Value]) -> Value:
        op = expr.op
        if op in _LEAVES:
            return self._constant(expr)
        if op == "local":
            assert expr.name is not None
            return bound[expr.name]
        if op in ("variable", "playerVariable"):
            return self._variable(expr, bound)
        if op in ("top", "bottom", "zone", "count", "empty", "cardsRemaining", "playerHas"):
            return self._zone(expr, bound)
        if op in ("player", "next", "previous", "partner", "sameTeam"):
            return self._player(expr, [self.value(arg, bound) for arg in expr.args])
        if op == "random":
            raise UnclearError("chance decides this")
        if op == "place":
            keys = [self.value(arg, bound).known for arg in expr.args]
            known = [key for key in keys if key is not None]
            if len(known) < len(keys):
                raise UnclearError(NO_PLACE)
            return constant(Type.PLACE, self.game.scalars.of(expr)(*known))
        if expr.name is not None and op not in ("table", "list"):
            return self._aggregate(expr, bound)
        values = [self.value(arg, bound) for arg in expr.args]
        if op in _FOLDABLE and all(value.expr.op == "const" for value in values):
            try:
                return constant(expr.type, self.game.static(replace(expr, args=tuple(v.expr for v in values))))
            except NotStaticError:
                pass
        return operation(op, expr.type, values, expr.name)

    def _constant(self, expr: Expr) -> Value:
        value = self.game.static(expr)
        if expr.type is Type.PLAYER and value >= 0:
            return self.evaluator.who(value)
        return constant(expr.type, value)

    def _variable(self, expr: Expr, bound: Mapping[str, Value]) -> Value:
        assert expr.name is not None
        if not expr.args:
            return self._read((expr.name, None))
        owner = self.value(expr.args[0], bound)
        if owner.known is not None:
            return self._read((expr.name, _somebody(owner)))
        seats = range(self.game.players)
        start = self.evaluator.start(0)
        if all(self.at.variables[expr.name, seat] == start.variables[expr.name, seat] for seat in seats):
            return Value(Expr(expr.op, expr.type, (owner.expr,), name=expr.name))
        found = self._read((expr.name, seats[-1]))
        for seat in reversed(seats[:-1]):
            is_his = operation("equal", Type.BOOL, [owner, self.evaluator.who(seat)])
            found = operation("if", expr.type, [is_his, self._read((expr.name, seat)), found])
        return found

    def _read(self, slot: Slot) -> Value:
        value = self.at.variables[slot]
        return unsaid_value(self.game, slot) if value is None else value

    def _player(self, expr: Expr, values: Sequence[Value]) -> Value:
        known = [value.known for value in values]
        if any(value is None for value in known):
            return Value(replace(expr, args=tuple(value.expr for value in values), span=None))
        numbers = [value for value in known if value is not None]
        seat = self.game.scalars.of(expr)(*numbers)
        if expr.type is Type.BOOL:
            return truth(seat)
        return self.evaluator.who(seat) if seat >= 0 else constant(Type.PLAYER, NONE)

    # Zones

    def _zone(self, expr: Expr, bound: Mapping[str, Value]) -> Value:
        if expr.op == "playerHas":
            return self._player_has(expr, bound)
        if expr.op == "cardsRemaining":
            return self._count(("hand", _somebody(self.value(expr.args[0], bound))))
        if expr.args[0:1] and expr.op in ("count", "empty", "top", "bottom") and expr.args[0].op != "zone":
            return operation(expr.op, expr.type, [self.value(expr.args[0], bound)])
        zone = expr if expr.op == "zone" else expr.args[0]
        if zone.args and (self.value(zone.args[0], bound).known or 0) < 0:
            return self._of_nobody(expr)
        slot = self.evaluator.slot(zone, self.at, self.facts, bound)
        contents = self.at.zones[slot]
        if expr.op == "zone":
            return Value(self._cards(slot))
        if expr.op == "count":
            return self._count(slot)
        if expr.op == "top" and contents.top is not None:
            return contents.top
        if contents.cards is not None and contents.cards.op == "zone":
            return Value(Expr(expr.op, expr.type, (contents.cards,)))
        if expr.op in ("top", "bottom"):
            return Value(Expr(expr.op, expr.type, (self._cards(slot),)))
        return operation("equal", Type.BOOL, [self._count(slot), constant(Type.INT, 0)])

    def _of_nobody(self, expr: Expr) -> Value:
        """What is asked of a zone of nobody, which is empty."""
        if expr.op == "zone":
            return Value(EMPTY)
        return constant(expr.type, {"count": 0, "empty": 1}.get(expr.op, NONE))

    def _cards(self, slot: Slot) -> Expr:
        """The cards of a zone, under a name of their own if they cannot be said."""
        contents = self.at.zones[slot]
        return (
            unsaid(Type.CARDS, _then(self.evaluator, slot), contents.mark) if contents.cards is None else contents.cards
        )

    def _count(self, slot: Slot) -> Value:
        contents = self.at.zones[slot]
        return Value(Expr("count", Type.INT, (self._cards(slot),))) if contents.count is None else contents.count

    def _player_has(self, expr: Expr, bound: Mapping[str, Value]) -> Value:
        owner, cards = (self.value(arg, bound) for arg in expr.args)
        hand = self._cards(("hand", _somebody(owner)))
        if hand.op == "zone":
            return Value(Expr("playerHas", Type.BOOL, (owner.expr, cards.expr)))
        shared = Expr("intersect", Type.CARDS, (hand, cards.expr))
        return Value(Expr("not", Type.BOOL, (Expr("empty", Type.BOOL, (shared,)),)))

    # Aggregates

    def _in_order(self, domain: Expr, bound: Mapping[str, Value]) -> list[int]:
        """The seats in the order of a domain of players."""
        first = _somebody(self.value(domain.args[0], bound)) if domain.args else 0
        return [*range(first, self.game.players), *range(first)]

    def _aggregate(self, expr: Expr, bound: Mapping[str, Value]) -> Value:
        """Over players: element by element; over anything else it stays as it is, said by what is known."""
        assert expr.name is not None
        domain, rest = expr.args[0], expr.args[1:]
        if is_of_players(domain) and expr.op != "those":
            each = []
            for seat in self._in_order(domain, bound):
                inner = {**bound, expr.name: self.evaluator.who(seat)}
                each.append((self.evaluator.who(seat), [self.value(arg, inner) for arg in rest]))
            return _over_players(expr, each, self._answered)
        element = _element_type(domain)
        taken = (
            {parameter.name for parameter in self.at.parameters}
            | {"me"}
            | {value.expr.name for value in bound.values() if value.expr.op == "local"}
        )
        name = expr.name
        while name in taken:
            name += "'"
        inner = {**bound, expr.name: Value(Expr("local", element, name=name))}
        if domain.op in ("players", "playersFrom", "suits", "ranks"):
            source = domain
        else:
            source = self.value(domain, bound).expr
        if domain.op == "zone" and expr.op in ("sum", "countOf") and source.op != "zone":
            return self._by_parts(replace(expr, name=name), expr.name, source, bound)
        args = (source, *(self.value(arg, inner).expr for arg in rest))
        return Value(Expr(expr.op, expr.type, args, name=name))

    def _is_part(self, cards: Expr) -> bool:
        """Whether cards that have gone from somewhere were surely there: somebody chose them."""
        return cards.op == "single" or cards in [one.expr for one in self.at.parameters]

    def _by_parts(self, expr: Expr, variable: str, cards: Expr, bound: Mapping[str, Value]) -> Value:
        """A sum over a zone to which cards have come, or from which they have gone: what was there, more or less."""
        if cards.op == "union" or (cards.op == "except" and self._is_part(cards.args[1])):
            whole, other = (self._by_parts(expr, variable, part, bound) for part in cards.args)
            total = simple_sum(whole.expr, other.expr, 1 if cards.op == "union" else -1)
            return Value(total, total.value if total.op == "const" else None)
        if cards.op == "single":
            inner = {**bound, variable: Value(cards.args[0])}
            condition, *amount = (self.value(arg, inner) for arg in expr.args[1:])
            one, nothing = (constant(Type.INT, n) for n in (1, 0))
            return operation("if", Type.INT, [condition, amount[0] if amount else one, nothing])
        assert expr.name is not None
        inner = {**bound, variable: Value(Expr("local", Type.CARD, name=expr.name))}
        args = (cards, *(self.value(arg, inner).expr for arg in expr.args[1:]))
        return Value(Expr(expr.op, expr.type, args, name=expr.name))


def is_of_players(domain: Expr) -> bool:
    """Whether a domain is all players, in whatever order."""
    return domain.op in ("players", "playersFrom")


def is_player(player: Expr, who: Expr) -> Expr:
    """The condition that a player is a certain one."""
    if player.op == "if":
        condition, yes, no = player.args
        return choice(condition, is_player(yes, who), is_player(no, who))
    if distance_of(player) is not None and distance_of(who) is not None:
        return TRUE if player == who else FALSE
    return Expr("equal", Type.BOOL, (player, who))


def unsaid(kind: Type, what: str, mark: int) -> Expr:
    """Something that cannot be said by the position at the start of the cycle: a name that is used for nothing else."""
    return Expr("local", kind, name=f"{UNSAID}{what}{UNSAID}{mark}")


def unsaid_value(game: Game, slot: Slot) -> Value:
    """A variable of which nothing is known."""
    return Value(
        unsaid(game.flowchart.variables[slot[0]].type, f"the {slot[0]} then", -1 if slot[1] is None else slot[1])
    )


def is_unsaid(expr: Expr) -> bool:
    """Whether something in an expression cannot be said, so that it cannot be computed at the start of the cycle."""
    return any(
        (part.op == "local" and (part.name or "").startswith(UNSAID))
        or ((zone := looked_into(part)) is not None and zone.op != "zone")
        for part in expr.walk()
    )


def _then(evaluator: Evaluator, slot: Slot) -> str:
    """What cards of a zone are called after some of them have come or gone."""
    distance = None if slot[1] is None else evaluator.distance(slot[1])
    whose = "the" if distance is None else "your" if not distance else "their"
    return f"{whose} {slot[0]} then"


def _element_type(domain: Expr) -> Type:
    if domain.type is Type.CARDS:
        return Type.CARD
    if domain.op == "those":
        return _element_type(domain.args[0])
    kinds = {"players": Type.PLAYER, "playersFrom": Type.PLAYER, "suits": Type.SUIT, "ranks": Type.RANK}
    return {**kinds, "subsets": Type.CARDS}.get(domain.op, Type.INT)


def _over_players(expr: Expr, each: Sequence[tuple[Value, list[Value]]], answered: Callable[[Value], Value]) -> Value:
    """An aggregate over the players, of whom each has a condition and perhaps a value."""
    nothing, one = constant(Type.INT, 0), constant(Type.INT, 1)
    conditions = [values[0] for _, values in each]
    if expr.op == "some":
        return _chain("or", Type.BOOL, conditions)
    if expr.op == "every":
        return _chain("and", Type.BOOL, conditions)
    if expr.op == "countOf":
        return _chain(
            "add", Type.INT, [operation("if", Type.INT, [condition, one, nothing]) for condition in conditions]
        )
    if expr.op == "sum":
        return _chain("add", Type.INT, [operation("if", Type.INT, [*values, nothing]) for _, values in each])
    some = [(who, *values) for who, values in each if values[0].known != 0]
    if expr.op in ("largest", "smallest"):
        if any(condition.known is None for _, condition, _ in some):
            raise UnclearError("of which players this is the largest depends on the cards")
        op = "maximum" if expr.op == "largest" else "minimum"
        return _chain(op, Type.INT, [value for _, _, value in some]) if some else nothing
    found = constant(Type.PLAYER, NONE)
    for i, (who, condition, value) in reversed(list(enumerate(some))):
        better = ("greater", "greaterEqual") if expr.op == "highest" else ("less", "lessEqual")
        beats = [condition]
        for j, (_, other, rival) in enumerate(some):
            if j != i:
                wins = operation(better[j > i], Type.BOOL, [value, rival])
                beats.append(operation("or", Type.BOOL, [operation("not", Type.BOOL, [other]), wins]))
        best = answered(_chain("and", Type.BOOL, beats))
        last = found.known == NONE and all(value.known for _, value, _ in some)
        found = who if last else operation("if", Type.PLAYER, [best, who, found])
    return found


def _chain(op: str, kind: Type, values: Sequence[Value]) -> Value:
    total = values[0]
    for value in values[1:]:
        total = operation(op, kind, [total, value])
        if op == "add" and total.expr.op == "add" and "const" in (total.expr.args[0].op, total.expr.args[1].op):
            simple = simple_sum(number(0), total.expr)
            total = Value(simple, total.known)
    return total
