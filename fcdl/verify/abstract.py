"""A chart followed with the cards face down: how many lie where is known, which ones is not.

Every real position is covered by an abstract one, and whatever can happen in a real game can happen here, so what holds
in all abstract positions holds in all games. Chance, choices and everything that depends on which cards lie where have
every outcome; what a diamond answered is remembered as long as what it asked about stays as it is.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count

from fcdl.language import flowchart as fc
from fcdl.language.flow import live_variables, through_calls
from fcdl.language.flowchart import ANY, MAX_RANGE, NONE, Expr, MoveBy, Node, NodeKind, Type
from fcdl.language.melds import mask_of
from fcdl.language.ops import FUNCTIONS, OF_CARDS, OPS, depends_on_play
from fcdl.language.places import key_values
from fcdl.model.game import Game
from fcdl.model.static import NotStaticError, evaluate_static
from fcdl.verify.terms import (
    ANYTHING,
    EMPTY,
    INFINITE,
    Range,
    Term,
    Value,
    at_most_zero,
    combined,
    conditional,
    equal,
    intersection,
    is_symbol,
    joined,
    negated,
    parts,
    rebuilt,
    scaled,
    some,
    symbols,
    those,
    union,
)

Slot = tuple[str, int | None]
Bound = Mapping[str, Value]
_NOTHING: Bound = {}

SPLIT = 16
"""A value with at most so many possibilities is followed for each of them."""
_LARGE = 400
"""Expressions with more parts than this are taken as a whole."""
_LONG = 3
"""Sums of more parts than this are not remembered part by part."""
TOTAL = "the sum of "
"""What the sum of a variable over all players is called."""


class UnsupportedError(Exception):
    """Something that is not followed with the cards face down."""


@dataclass(slots=True)
class Position:
    """What is known at a node, before it is done."""

    node: int
    calls: tuple[int, ...]
    values: dict[Slot, Value]
    counts: dict[Slot, Value]
    cards: dict[Slot, Value]
    """What lies in each zone: a symbol, or a set of cards."""
    facts: dict[Value, bool] = field(default_factory=dict)
    ranges: dict[int, Range] = field(default_factory=dict)

    def copy(self) -> Position:
        """One of its own."""
        return Position(
            self.node,
            self.calls,
            dict(self.values),
            dict(self.counts),
            dict(self.cards),
            dict(self.facts),
            dict(self.ranges),
        )

    def forget(self) -> None:
        """Drops what is known about things that are nowhere any more."""
        kept: set[int] = set()
        for table in (self.values, self.counts, self.cards):
            for value in table.values():
                if not isinstance(value, int):
                    kept.update(symbols(value))
        self.facts = {fact: truth for fact, truth in self.facts.items() if kept.issuperset(symbols(fact))}
        self.ranges = {number: known for number, known in self.ranges.items() if number in kept}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What may come after a node: a position, or an end of the game that is none."""

    after: Position | None
    mover: int | None = None
    """Who has decided something, if it was a decision."""
    decisions: int = 0
    stops: str = ""
    """`no legal move`, `fault`."""


def _within(cards: Value) -> list[Value]:
    """Cards among which all of these are."""
    found = [cards]
    for one in found:
        if isinstance(one, tuple) and one[0] == "those":
            found.append(one[1])
        elif isinstance(one, tuple) and one[0] == "f" and one[1][0] == "intersect":
            found += one[2]
        elif isinstance(one, tuple) and one[0] == "f" and one[1][0] == "except":
            found.append(one[2][0])
    return found


class Abstract:
    """The rules of one chart for one number of players, with the cards face down; some options may be left open."""

    def __init__(self, game: Game, kept: frozenset[str] = frozenset()) -> None:
        self.game = game
        self.chart = game.flowchart
        self.players = game.players
        self.all_cards = mask_of(list(game.cards))
        self.size = len(game.cards)
        self._numbers = count()
        self._sizes: dict[int, int] = {}
        self._static: dict[Expr, int | None] = {}
        self._keep = kept | {"score"}
        self.slots: list[Slot] = []
        """All variables."""
        self.coarse: set[str] = set()
        """Variables, and zones (with an @ before the name), that are not told apart by their values."""
        self.totals = [
            variable.name
            for variable in self.chart.variables.values()
            if variable.per_player and variable.type is Type.INT and variable.name in self._keep
        ]

    @cached_property
    def live(self) -> dict[int, frozenset[str]]:
        """The variables whose values matter at each node, and for what is asked at the end."""
        after = through_calls(self.chart)
        wanted = dict.fromkeys(after, frozenset(self._keep))
        return live_variables(self.chart.nodes, after, wanted=wanted)

    # --- positions

    def begin(self) -> Position:
        """At the start."""
        values: dict[Slot, Value] = {}
        for variable in self.chart.variables.values():
            first = variable.initial
            if first is None:
                first = 0 if variable.type in (Type.INT, Type.BOOL) else NONE
            for place in self.game.places_of(variable):
                values[variable.name, place] = first
        for name in self.totals:
            values[TOTAL + name, None] = sum(
                value for (other, _), value in values.items() if other == name and isinstance(value, int)
            )
        counts: dict[Slot, Value] = {}
        cards: dict[Slot, Value] = {}
        for zone in self.chart.zones.values():
            for place in self.game.places_of(zone):
                counts[zone.name, place], cards[zone.name, place] = 0, EMPTY
        counts["pack", None], cards["pack", None] = self.size, ("set", self.all_cards)
        position = Position(self.chart.charts[self.chart.main].start, (), values, counts, cards)
        self.slots = list(values)
        self._prune(position)
        return position

    def symbol(self, position: Position, known: Range = ANYTHING) -> Term:
        """A new symbol."""
        number = next(self._numbers)
        if known != ANYTHING:
            position.ranges[number] = known
        return ("sym", number)

    def _prune(self, position: Position) -> None:
        """Drops variables that nothing reads any more."""
        live = self.live[position.node]
        dead = [slot for slot in position.values if slot[0] not in live and not slot[0].startswith(TOTAL)]
        for slot in dead:
            del position.values[slot]

    # --- what a node does

    def follow(self, position: Position) -> Iterator[Outcome]:
        """Everything that may come next."""
        node = self.chart.nodes[position.node]
        for outcome in self._do(node, position):
            if outcome.after is not None:
                self._prune(outcome.after)
            yield outcome

    def _do(self, node: Node, position: Position) -> Iterator[Outcome]:
        if node.kind is NodeKind.END:
            if position.calls:
                yield self._go(position, self.chart.nodes[position.calls[-1]].next, position.calls[:-1])
            return
        if node.condition is not None:
            asked = self.value(node.condition, position)
            for truth, to in ((True, node.yes), (False, node.no)):
                after = self.assume(position.copy(), asked, truth)
                if after is not None:
                    yield self._go(after, to)
            return
        statement = node.statement
        if isinstance(statement, fc.CallChart):
            start = self.chart.charts[statement.chart].start
            yield self._go(position, start, (*position.calls, node.number))
        elif isinstance(statement, fc.Decision):
            for outcome in self._decide(statement, position):
                yield (
                    outcome
                    if outcome.after is None
                    else self._go(outcome.after, node.next, mover=outcome.mover, decisions=outcome.decisions)
                )
        else:
            for after in self._execute(statement, position):
                yield Outcome(None, stops="fault") if after is None else self._go(after, node.next)

    def _go(
        self,
        position: Position,
        to: int | None,
        calls: tuple[int, ...] | None = None,
        mover: int | None = None,
        decisions: int = 0,
    ) -> Outcome:
        assert to is not None
        after = position.copy()
        after.node = to
        after.calls = position.calls if calls is None else calls
        return Outcome(after, mover, decisions)

    def _execute(self, statement: fc.Statement | None, position: Position) -> Iterator[Position | None]:
        match statement:
            case fc.Assign(target=target, value=expr):
                for before, place in self._places(target, position):
                    if place == NONE:
                        yield None
                        continue
                    yield from self._assign(before, target, place, self._assigned(expr, before))
            case fc.Gather():
                after = position.copy()
                for slot in after.counts:
                    after.counts[slot], after.cards[slot] = 0, EMPTY
                after.counts["pack", None], after.cards["pack", None] = self.size, ("set", self.all_cards)
                yield after
            case fc.ShuffleZone(zone=zone):
                for before, slot in self._slots(zone, position):
                    if slot[1] == NONE:
                        yield None
                        continue
                    after = before.copy()
                    if is_symbol(after.cards[slot]):
                        after.cards[slot] = self.symbol(after)
                    yield after
            case fc.Move():
                yield from self._move(statement, position)
            case _:
                yield position

    def _assigned(self, expr: Expr, position: Position) -> Value:
        bound: dict[str, Value] = {}
        for part in expr.walk():
            if part.op == "random":
                below = self.value(part.args[0], position)
                high = self.range_of(below, position)[1] - 1
                bound["random"] = 0 if below in (0, 1) else self.symbol(position, (0, max(0, high)))
        return self.value(expr, position, bound)

    def _assign(
        self, position: Position, target: fc.VariableRef, place: int | None, value: Value
    ) -> Iterator[Position]:
        variable = self.chart.variables[target.name]
        for before, known in self._told_apart(position, value, variable):
            after = before.copy()
            self._set(after, (target.name, place), known)
            yield after

    def _set(self, position: Position, slot: Slot, value: Value) -> None:
        if isinstance(value, tuple) and value[0] == "lin" and len(value[2]) > _LONG:
            value = self.symbol(position, self.range_of(value, position))
        if slot[0] in self.totals:
            total = (TOTAL + slot[0], None)
            old = position.values.get(slot)
            if old is None:
                raise UnsupportedError(f"{slot[0]} is not followed")
            whole = combined(combined(position.values[total], value), old, -1)
            if isinstance(whole, tuple) and whole[0] == "lin" and len(whole[2]) > 2 * _LONG:
                whole = self.symbol(position, self.range_of(whole, position))
            position.values[total] = whole
        position.values[slot] = value

    def _told_apart(self, position: Position, value: Value, variable: fc.Variable) -> Iterator[tuple[Position, Value]]:
        """The cases of a value that are worth telling apart."""
        if isinstance(value, int) or (variable.name in self.coarse and variable.type is not Type.PLAYER):
            yield position, value
        elif variable.type in (Type.PLAYER, Type.BOOL):
            yield from self.cases(position, value, variable.type)
        elif variable.type is Type.INT and self._width(value, position) < SPLIT // 2:
            yield from self.cases(position, value, Type.INT)
        else:
            yield position, value

    def _width(self, value: Value, position: Position) -> float:
        low, high = self.range_of(value, position)
        return high - low

    def cases(self, position: Position, value: Value, kind: Type) -> Iterator[tuple[Position, int]]:
        """The numbers that a value may be, each with what is then known."""
        if isinstance(value, int):
            yield position, value
            return
        if value[0] == "if":
            for truth, part in ((True, value[2]), (False, value[3])):
                after = self.assume(position.copy(), value[1], truth)
                if after is not None:
                    yield from self.cases(after, part, kind)
            return
        if kind is Type.BOOL:
            for truth in (False, True):
                after = self.assume(position.copy(), value, truth)
                if after is not None:
                    yield after, int(truth)
            return
        if value[0] == "pick":
            candidates = list(value[1])
        else:
            low, high = self.range_of(value, position)
            if kind is Type.PLAYER:
                low, high = max(low, NONE), min(high, self.players - 1)
            if high - low > 4 * SPLIT:
                raise UnsupportedError("a number that may be anything decides where something happens")
            candidates = list(range(int(low), int(high) + 1))
        for number in candidates:
            after = self.assume(position.copy(), equal(value, number, numbers=kind is Type.INT), True)
            if after is not None:
                yield after, number

    # --- places

    def _place_cases(self, expr: Expr, position: Position, bound: Bound) -> Iterator[tuple[Position, int]]:
        """The places that an expression may mean."""
        if expr.op != "place":
            yield from self.cases(position, self.value(expr, position, bound), Type.PLAYER)
            return
        function = self.game.scalars.of(expr)
        found: list[tuple[Position, tuple[int, ...]]] = [(position, ())]
        name = expr.name or ""
        family = self.chart.zones[name] if name in self.chart.zones else self.chart.variables[name]
        for key, written in zip(family.keys, expr.args, strict=True):
            allowed = key_values(self.chart, key, self.players) if key.kind == "number" else None
            found = [
                (after, (*known, number))
                for before, known in found
                for after, number in self._key_cases(written, before, bound, allowed)
            ]
        for after, known in found:
            yield after, function(*known)

    def _key_cases(
        self, key: Expr, position: Position, bound: Bound, allowed: range | None
    ) -> Iterator[tuple[Position, int]]:
        """The values of a key; of numbers for which there is no place one is enough."""
        value = self.value(key, position, bound)
        if allowed is None or isinstance(value, int):
            yield from self.cases(position, value, key.type)
            return
        low, high = self.range_of(value, position)
        for number in allowed:
            after = self.assume(position.copy(), equal(value, number, numbers=True), True)
            if after is not None:
                yield after, number
        if low < allowed.start or high >= allowed.stop:
            yield position, allowed.stop

    def _places(self, target: fc.VariableRef, position: Position) -> Iterator[tuple[Position, int | None]]:
        if target.player is None:
            yield position, None
        else:
            yield from self._place_cases(target.player, position, _NOTHING)

    def _slots(self, zone: Expr, position: Position, bound: Bound = _NOTHING) -> Iterator[tuple[Position, Slot]]:
        assert zone.name is not None
        if not zone.args:
            yield position, (zone.name, None)
        else:
            for after, place in self._place_cases(zone.args[0], position, bound):
                yield after, (zone.name, place)

    # --- cards move

    def _move(self, statement: fc.Move, position: Position) -> Iterator[Position | None]:
        seats = range(self.players) if statement.each_seat else (NONE,)
        fixed: Value | None = None
        if statement.by is MoveBy.NUMBER and statement.what is not None:
            fixed = self.value(statement.what, position)
        pending: list[Position | None] = [position]
        for seat in seats:
            following: list[Position | None] = []
            for one in pending:
                if one is None:
                    following.append(None)
                else:
                    following += self._move_once(statement, one, {"seat": seat}, fixed)
            pending = following
        yield from pending

    def _move_once(
        self, statement: fc.Move, position: Position, bound: Bound, fixed: Value | None
    ) -> Iterator[Position | None]:
        for first, source in self._slots(statement.source, position, bound):
            for second, target in self._slots(statement.target, first, bound):
                if target[1] == NONE:
                    yield None
                elif source[1] == NONE or second.counts[source] == 0:
                    yield second
                elif statement.by is MoveBy.ALL:
                    yield self._put(second, source, target, second.counts[source])
                elif fixed is not None:
                    for third, number in self._amounts(second, source, fixed):
                        yield self._put(third, source, target, number)
                else:
                    assert statement.what is not None
                    what = self.cards_of(statement.what, second, bound)
                    yield from self._put_some(second, source, target, what)

    def _amounts(self, position: Position, source: Slot, wanted: Value) -> Iterator[tuple[Position, Value]]:
        """How many cards may go from the top."""
        there = position.counts[source]
        if isinstance(wanted, int) and isinstance(there, int):
            yield position, min(max(wanted, 0), there)
            return
        low, high = self.range_of(wanted, position)
        least, most = self.range_of(there, position)
        if isinstance(wanted, int) and least >= wanted:
            yield position, max(0, wanted)
        elif isinstance(there, int) and high - low < SPLIT:
            for after, number in self.cases(position, wanted, Type.INT):
                yield after, min(max(number, 0), there)
        elif low >= 0:
            enough = at_most_zero(combined(wanted, there, -1))
            all_of_them = self.assume(position.copy(), enough, True)
            if all_of_them is not None:
                yield all_of_them, wanted
            too_few = self.assume(position.copy(), enough, False)
            if too_few is not None:
                yield too_few, too_few.counts[source]
        else:
            after = position.copy()
            yield after, self.symbol(after, (max(0, min(low, least)), max(0, min(high, most))))

    def _put_some(self, position: Position, source: Slot, target: Slot, what: Value) -> Iterator[Position]:
        """Those of some cards that are in the source go to the target."""
        moved = intersection(position.cards[source], what, self.all_cards)
        there = position.cards[source]
        if moved == there:
            yield self._put(position, source, target, position.counts[source])
            return
        assert isinstance(moved, tuple)
        assert isinstance(there, tuple)
        if moved == EMPTY:
            yield position
            return
        if moved[0] == "set":
            after = self._put(position, source, target, moved[1].bit_count(), contents=False)
            if there[0] == "set":
                after.cards[source] = ("set", there[1] & ~moved[1])
            else:
                after.cards[source] = self.symbol(after)
            landed = after.cards[target]
            after.cards[target] = (
                ("set", landed[1] | moved[1])
                if isinstance(landed, tuple) and landed[0] == "set"
                else self.symbol(after)
            )
            yield after
            return
        most = self.most_cards(moved, position)
        low = 1 if self.truth(some(moved), position) else 0
        if most - low < SPLIT and f"@{source[0]}" not in self.coarse:
            for number in range(low, int(most) + 1):
                before = self.assume(position.copy(), some(moved), number > 0)
                if before is not None:
                    yield self._put(before, source, target, number) if number else before
        else:
            after = position.copy()
            yield self._put(after, source, target, self.symbol(after, (low, most)))

    def _put(self, position: Position, source: Slot, target: Slot, number: Value, *, contents: bool = True) -> Position:
        """So many cards go from one zone to another."""
        if number == 0 or source == target:
            return position
        after = position.copy()
        self._narrow(after, combined(number, after.counts[source], -1))  # they were there
        left = combined(after.counts[source], number, -1)
        lands = combined(after.counts[target], number)
        if contents:
            if left == 0 and after.counts[target] == 0 and self._same_order(after, source, target, number):
                after.cards[target] = after.cards[source]
            elif after.cards[source] != EMPTY:
                after.cards[target] = self.symbol(after)
            after.cards[source] = EMPTY if left == 0 else self.symbol(after)
        after.counts[source] = self._counted(after, left)
        after.counts[target] = self._counted(after, lands)
        return after

    def _same_order(self, position: Position, source: Slot, target: Slot, number: Value) -> bool:
        """Whether cards that go one by one from the top lie as before, or nobody asks how."""
        zones = self.chart.zones
        asked = zones[source[0]].ordered or zones[target[0]].ordered or "pack" in (source[0], target[0])
        return number == 1 or not asked or not is_symbol(position.cards[source])

    def _counted(self, position: Position, number: Value) -> Value:
        """A number of cards, of which there are at least 0 and at most all."""
        if isinstance(number, int):
            return number
        low, high = self.range_of(number, position)
        if low < 0 or high > self.size:
            return self.symbol(position, (max(0, low), min(self.size, high)))
        return number

    # --- decisions

    def _decide(self, statement: fc.Decision, position: Position) -> Iterator[Outcome]:
        for before, player in self.cases(position, self.value(statement.player, position), Type.PLAYER):
            if player == NONE:
                yield Outcome(None, stops="fault")
            elif isinstance(statement, fc.Choose):
                yield from self._choose(statement, before, player)
            else:
                for first, source in self._slots(statement.source, before):
                    for second, target in self._slots(statement.target, first):
                        if target[1] == NONE:
                            yield Outcome(None, stops="fault")
                        else:
                            yield from self._cards_decided(statement, second, player, source, target)

    def _cards_decided(
        self, statement: fc.Play | fc.Pick | fc.TakeSet, position: Position, player: int, source: Slot, target: Slot
    ) -> Iterator[Outcome]:
        there: Value = 0 if source[1] == NONE else position.counts[source]
        most = self.range_of(there, position)[1]
        if isinstance(statement, fc.Pick):
            yield from self._pick(statement, position, player, source, target)
            return
        may_pass = statement.may_pass
        if may_pass:
            after = position.copy()
            self._set(after, ("passed", player), 1)
            yield Outcome(after, player, 1)
        if isinstance(statement, fc.Play):
            allowed = self.allowed(statement, position, source)
            has = some(allowed)
        else:
            sizes = self._set_sizes(statement, position, most)
            has = 1 if self._any_set(statement, position, source) else self.symbol(position, (0, 1)) if most >= 1 else 0
        can = self.assume(position.copy(), has, True) if most >= 1 else None
        if can is not None:
            for number in (1,) if isinstance(statement, fc.Play) else sizes:
                if number <= most:
                    after = self._put(can, source, target, number)
                    after = after.copy() if after is can else after
                    if may_pass:
                        self._set(after, ("passed", player), 0)
                    yield Outcome(after, player, 1)
        if not may_pass:
            cannot = self.assume(position.copy(), has, False)
            if cannot is not None:
                if isinstance(statement, fc.TakeSet) and statement.word == "take":
                    yield Outcome(cannot)
                else:
                    yield Outcome(None, player, stops="no legal move")

    def allowed(self, statement: fc.Play | fc.Pick, position: Position, source: Slot) -> Value:
        """The cards that may be played."""
        if source[1] == NONE or position.counts[source] == 0:
            return EMPTY
        return intersection(position.cards[source], self.cards_of(statement.cards, position), self.all_cards)

    def _pick(
        self, statement: fc.Pick, position: Position, player: int, source: Slot, target: Slot
    ) -> Iterator[Outcome]:
        if any(
            part.op == "zone"
            for expr in (statement.player, *statement.source.args, *statement.target.args)
            for part in expr.walk()
        ):
            raise UnsupportedError("who picks, or where, depends on cards")
        wanted = self.value(statement.number, position)
        if source[1] == NONE or wanted == 0 or position.counts[source] == 0:
            yield Outcome(position)
            return
        if source == target:
            most = self.range_of(wanted, position)[1]
            if most == INFINITE:
                raise UnsupportedError("any number of cards is picked that stay where they are")
            shifted = position.copy()
            shifted.cards[source] = self.symbol(shifted)
            yield Outcome(shifted, player, int(max(most, 0)))
            yield Outcome(position)
            return
        allowed = self.allowed(statement, position, source)
        for before, number in self._amounts(position, source, wanted):
            every = allowed == before.cards[source]
            most = self.range_of(number, before)[1]
            if every:
                yield Outcome(self._put(before, source, target, number), player, int(min(most, self.size)))
                continue
            low = 1 if self.truth(some(allowed), before) and self.range_of(number, before)[0] >= 1 else 0
            most = min(most, self.most_cards(allowed, before))
            for picked in range(low, int(most) + 1):
                after = self.assume(before.copy(), some(allowed), True) if picked else before
                if after is not None:
                    yield Outcome(self._put(after, source, target, picked), player if picked else None, picked)

    def _set_sizes(self, statement: fc.TakeSet, position: Position, most: float) -> range:
        sets = statement.sets.args[0] if statement.sets.op == "those" else statement.sets
        low, high = 1, most
        if sets.op == "subsets":
            bounds = [self.value(arg, position) for arg in sets.args[1:]]
            if isinstance(bounds[0], int):
                low = max(1, bounds[0])
            if isinstance(bounds[1], int):
                high = min(high, bounds[1])
        return range(low, int(min(high, self.size)) + 1)

    def _any_set(self, statement: fc.TakeSet, position: Position, source: Slot) -> bool:
        """Whether there surely is a set: single cards will do, whichever they are."""
        sets, condition = statement.sets, fc.TRUE
        if sets.op == "those":
            condition, sets = sets.args[1], sets.args[0]
        if sets.op != "subsets" or self.cards_of(sets.args[0], position) != position.cards.get(source):
            return False
        low = self.value(sets.args[1], position)
        if not isinstance(low, int) or low > 1 or self.range_of(position.counts[source], position)[0] < 1:
            return False
        name = statement.sets.name
        return condition == fc.TRUE or condition == Expr("isGroup", Type.BOOL, (Expr("local", Type.CARDS, name=name),))

    def _choose(self, statement: fc.Choose, position: Position, player: int) -> Iterator[Outcome]:
        variable = self.chart.variables[statement.target.name]
        for before, place in self._places(statement.target, position):
            if place == NONE:
                yield Outcome(None, stops="fault")
                continue
            offers = list(self._offers(statement.values, before, _NOTHING, 1))
            for offered, value in offers:
                can = self.assume(before.copy(), offered, True)
                if can is None:
                    continue
                for after, known in self._told_apart(can, value, variable):
                    after = after.copy()
                    self._set(after, (statement.target.name, place), known)
                    yield Outcome(after, player, 1)
            if self.assume(before.copy(), joined("or", [offered for offered, _ in offers]), False) is not None:
                yield Outcome(None, player, stops="no legal move")

    def _offers(
        self, domain: Expr, position: Position, bound: Bound, condition: Value
    ) -> Iterator[tuple[Value, Value]]:
        """The values of a choice, each with when it is offered."""
        match domain.op:
            case "values":
                for item in domain.args:
                    yield from self._offers(item, position, bound, condition)
            case "when":
                asked = joined("and", (condition, self.value(domain.args[0], position, bound)))
                yield from self._offers(domain.args[1], position, bound, asked)
            case "range":
                low, high = (self.value(arg, position, bound) for arg in domain.args)
                least, most = self.range_of(low, position)[0], self.range_of(high, position)[1]
                if isinstance(low, int) and isinstance(high, int) and high - low < SPLIT:
                    yield from ((condition, number) for number in range(low, high + 1))
                else:
                    there_is = joined("and", (condition, at_most_zero(combined(low, high, -1))))
                    if isinstance(there_is, tuple) or there_is:
                        yield there_is, self.symbol(position, (least, max(least, min(most, least + MAX_RANGE))))
            case "those":
                elements = self._elements(domain.args[0], position, bound)
                if elements is None:
                    yield from self._any_of(domain, position, bound, condition)
                    return
                for element in elements:
                    inner = {**bound, domain.name or "": element}
                    asked = joined("and", (condition, self.value(domain.args[1], position, inner)))
                    yield asked, element
            case "players" | "playersFrom" | "suits" | "ranks":
                elements = self._elements(domain, position, bound)
                yield from ((condition, element) for element in elements or ())
            case _ if domain.type in (Type.DOMAIN, Type.CARDS):
                yield from self._any_of(domain, position, bound, condition)
            case _:
                yield condition, self.value(domain, position, bound)

    def _any_of(
        self, domain: Expr, position: Position, bound: Bound, condition: Value
    ) -> Iterator[tuple[Value, Value]]:
        """One of values that cannot be listed."""
        if domain.type is Type.CARDS:
            there_is = some(self.cards_of(domain, position, bound))
        else:
            there_is = self.symbol(position, (0, 1))
        yield joined("and", (condition, there_is)), self.symbol(position)

    # --- values

    def _elements(self, domain: Expr, position: Position, bound: Bound) -> list[Value] | None:
        """The elements of a domain, if they can be listed."""
        match domain.op:
            case "players":
                return list(range(self.players))
            case "playersFrom":
                first = self.value(domain.args[0], position, bound)
                if not isinstance(first, int):
                    return None
                first = max(0, first)
                return [*range(first, self.players), *range(first)]
            case "suits":
                return list(range(len(self.chart.deck.suits)))
            case "ranks":
                return list(range(len(self.chart.deck.ranks)))
            case "range":
                low, high = (self.value(arg, position, bound) for arg in domain.args)
                if isinstance(low, int) and isinstance(high, int) and high - low < 4 * SPLIT:
                    return list(range(low, high + 1))
            case "values":
                found: list[Value] = []
                for item in domain.args:
                    if item.op == "when":
                        return None
                    if item.type is Type.DOMAIN:
                        more = self._elements(item, position, bound)
                        if more is None:
                            return None
                        found += more
                    else:
                        found.append(self.value(item, position, bound))
                return found
        return None

    def value(self, expr: Expr, position: Position, bound: Bound = _NOTHING) -> Value:
        """The value of an expression, as far as it is known."""
        op, args = expr.op, expr.args
        match op:
            case "const":
                assert expr.value is not None
                return expr.value
            case "local":
                return bound[expr.name or ""]
            case "variable":
                return self._variable(expr, None, position)
            case "playerVariable":
                place = self.value(args[0], position, bound)
                if place == NONE:
                    return 0 if expr.type in (Type.INT, Type.BOOL) else NONE
                if isinstance(place, int):
                    return self._variable(expr, place, position)
                return self.symbol(position, self._range_of_type(expr.type))
            case "option":
                return self.game.options[expr.name or ""]
            case "numberOfPlayers":
                return self.players
            case "random":
                return bound[op]
            case "if":
                return conditional(*(self.value(arg, position, bound) for arg in args))
            case "and" | "or":
                return self._decided(joined(op, [self.value(arg, position, bound) for arg in args]), position)
            case "not":
                return negated(self.value(args[0], position, bound))
            case "add" | "subtract":
                return combined(
                    self.value(args[0], position, bound),
                    self.value(args[1], position, bound),
                    1 if op == "add" else -1,
                )
            case "negate":
                return scaled(self.value(args[0], position, bound), -1)
            case "multiply":
                first, second = (self.value(arg, position, bound) for arg in args)
                if isinstance(first, int):
                    return scaled(second, first)
                if isinstance(second, int):
                    return scaled(first, second)
            case "equal" | "notEqual" | "less" | "lessEqual" | "greater" | "greaterEqual":
                return self._decided(self._compared(expr, position, bound), position)
            case "cardsRemaining":
                return self._number_in(Expr("zone", Type.CARDS, args, name="hand"), position, bound)
            case "count":
                if args[0].op == "zone":
                    return self._number_in(args[0], position, bound)
                return self._counting(self.cards_of(args[0], position, bound))
            case "empty":
                if args[0].op == "zone":
                    return self._decided(equal(self._number_in(args[0], position, bound), 0, numbers=True), position)
                return self._decided(negated(some(self.cards_of(args[0], position, bound))), position)
            case "playerHas":
                hand = self.cards_of(Expr("zone", Type.CARDS, args[:1], name="hand"), position, bound)
                found = intersection(hand, self.cards_of(args[1], position, bound), self.all_cards)
                return self._decided(some(found), position)
            case "member":
                card, cards = self.value(args[0], position, bound), self.cards_of(args[1], position, bound)
                if isinstance(card, int) and isinstance(cards, tuple) and cards[0] == "set":
                    return int(card >= 0 and cards[1] >> card & 1)
                return ("f", ("member", None, None, Type.BOOL), (card, cards))
            case "top" | "bottom" | "at" | "theCard" | "position":
                return self._of_pile(expr, position, bound)
        if op in ("sum", "largest", "smallest", "highest", "lowest", "countOf", "some", "every"):
            return self._aggregate(expr, position, bound)
        if op in OF_CARDS:
            values = (self.cards_of(args[0], position, bound), *(self.value(arg, position, bound) for arg in args[1:]))
        else:
            values = tuple(self.value(arg, position, bound) for arg in args)
        return self._decided(
            self.function((op, expr.name, args[0].type if args else None, expr.type), values), position
        )

    def function(self, key: Term, values: tuple[Value, ...]) -> Value:
        """A function of the language; its value, if its arguments are known."""
        op, *rest = key
        name, kind = (rest[0], rest[1]) if len(rest) >= 2 else (None, None)
        if op == "intersect":
            return intersection(values[0], values[1], self.all_cards)
        if op == "union":
            return union(values[0], values[1])
        if op in OPS and (OPS[op].is_scalar or op in OF_CARDS) and op not in ("melds",):
            known = [value[1] if isinstance(value, tuple) and value[0] == "set" else value for value in values]
            if all(isinstance(value, int) for value in known):
                return self.game.scalars.function(op, name, kind)(*known)
            if op in ("maximum", "minimum"):
                return self._extreme(key, values)
        return ("f", key, values)

    def _extreme(self, key: Term, values: tuple[Value, ...]) -> Value:
        """max or min of values, one after the other, as a flat term."""
        flat: list[Value] = []
        for value in values:
            flat += value[2] if isinstance(value, tuple) and value[0] == "f" and value[1] == key else (value,)
        numbers = [value for value in flat if isinstance(value, int)]
        terms: dict[Value, None] = {value: None for value in flat if not isinstance(value, int)}
        if numbers:
            terms[FUNCTIONS[key[0]](*numbers) if len(numbers) > 1 else numbers[0]] = None
        if len(terms) == 1:
            return next(iter(terms))
        return ("f", key, tuple(sorted(terms, key=repr)))

    def _variable(self, expr: Expr, place: int | None, position: Position) -> Value:
        found = position.values.get((expr.name or "", place))
        return found if found is not None else self.symbol(position, self._range_of_type(expr.type))

    def _number_in(self, zone: Expr, position: Position, bound: Bound) -> Value:
        if not zone.args:
            return position.counts[zone.name or "", None]
        place = self.value(zone.args[0], position, bound)
        if place == NONE:
            return 0
        if isinstance(place, int):
            return position.counts[zone.name or "", place]
        return self.symbol(position, (0, self.size))

    def _counting(self, cards: Value) -> Value:
        if isinstance(cards, tuple) and cards[0] == "set":
            return int(cards[1].bit_count())
        return ("f", ("count", None, None, Type.INT), (cards,))

    def _compared(self, expr: Expr, position: Position, bound: Bound) -> Value:
        first, second = (self.value(arg, position, bound) for arg in expr.args)
        numbers = expr.args[0].type is Type.INT
        match expr.op:
            case "equal" | "notEqual":
                if expr.args[0].type is Type.BOOL:
                    for one, other in ((first, second), (second, first)):
                        if isinstance(other, int):
                            same = one if other else negated(one)
                            return same if expr.op == "equal" else negated(same)
                same = equal(first, second, numbers=numbers)
                return same if expr.op == "equal" else negated(same)
            case "less":
                return at_most_zero(combined(combined(first, 1), second, -1))
            case "lessEqual":
                return at_most_zero(combined(first, second, -1))
            case "greater":
                return at_most_zero(combined(combined(second, 1), first, -1))
        return at_most_zero(combined(second, first, -1))

    def _of_pile(self, expr: Expr, position: Position, bound: Bound) -> Value:
        arguments: list[Value] = []
        for arg in expr.args:
            if arg.type is Type.CARDS:
                cards = self.cards_of(arg, position, bound)
                if cards == EMPTY:
                    return 0 if expr.op == "position" else NONE
                if isinstance(cards, tuple) and cards[0] == "set":
                    if expr.op == "theCard" or (expr.op in ("top", "bottom") and cards[1].bit_count() == 1):
                        return int((cards[1] & -cards[1]).bit_length() - 1)
                    return self.symbol(position, self._range_of_type(expr.type))  # in an order that nobody knows
                arguments.append(cards)
            else:
                arguments.append(self.value(arg, position, bound))
        return ("f", (expr.op, None, None, expr.type), tuple(arguments))

    def _aggregate(self, expr: Expr, position: Position, bound: Bound) -> Value:
        op, domain = expr.op, expr.args[0]
        if domain.type is Type.CARDS:
            return self._over_cards(expr, position, bound)
        elements = self._elements(domain, position, bound)
        if elements is None or self._size(expr) * len(elements) > 20 * _LARGE:
            return self.symbol(position, self._range_of_type(expr.type))
        chosen: list[tuple[Value, Value, Value]] = []
        for element in elements:
            inner = {**bound, expr.name or "": element}
            condition = self.value(expr.args[1], position, inner)
            if op == "every":
                condition = negated(condition)
            if condition != 0:
                result = self.value(expr.args[2], position, inner) if len(expr.args) == 3 else 1
                chosen.append((element, condition, result))
        match op:
            case "some":
                return self._decided(joined("or", [condition for _, condition, _ in chosen]), position)
            case "every":
                return self._decided(negated(joined("or", [condition for _, condition, _ in chosen])), position)
            case "sum" | "countOf":
                total: Value = 0
                for _, condition, result in chosen:
                    total = combined(total, conditional(condition, result, 0))
                return total
            case "largest" | "smallest":
                if all(condition == 1 for _, condition, _ in chosen):
                    results = [result for _, _, result in chosen]
                    if not results:
                        return 0
                    key = ("maximum" if op == "largest" else "minimum", None, Type.INT, Type.INT)
                    return results[0] if len(results) == 1 else self.function(key, tuple(results))
                return self.symbol(position, self._hull([*(result for *_, result in chosen), 0], position))
        return self._best(expr, chosen, position)

    def _best(self, expr: Expr, chosen: list[tuple[Value, Value, Value]], position: Position) -> Value:
        """The element with the highest or lowest value."""
        if not chosen:
            return NONE
        if all(condition == 1 and isinstance(result, int) for _, condition, result in chosen):
            pairs = [(element, result) for element, _, result in chosen if isinstance(result, int)]
            pick = max if expr.op == "highest" else min
            return pick(pairs, key=lambda pair: pair[1])[0]
        nobody = not (
            any(condition == 1 for _, condition, _ in chosen)
            or self.truth(joined("or", [condition for _, condition, _ in chosen]), position)
            or self._somebody_has(expr, position)
        )
        candidates = [element for element, _, _ in chosen if isinstance(element, int)]
        if len(candidates) < len(chosen):
            return self.symbol(position)
        if nobody:
            candidates.append(NONE)
        why = (expr.op, tuple((condition, result) for _, condition, result in chosen))
        return ("pick", tuple(candidates), why)

    def _somebody_has(self, expr: Expr, position: Position) -> bool:
        """Whether all cards are in the players' hands, and it is asked who has one of some of them."""
        condition = expr.args[1]
        if condition.op != "playerHas" or condition.args[0].op != "local" or expr.args[0].op != "players":
            return False
        held: Value = 0
        for seat in range(self.players):
            held = combined(held, position.counts["hand", seat])
        cards = self.cards_of(condition.args[1], position, {})
        return held == self.size and isinstance(cards, tuple) and cards[0] == "set" and bool(cards[1] & self.all_cards)

    def _over_cards(self, expr: Expr, position: Position, bound: Bound) -> Value:
        op = expr.op
        cards = self.cards_of(expr.args[0], position, bound)
        if cards == EMPTY:
            return {"highest": NONE, "lowest": NONE, "every": 1}.get(op, 0) if expr.type is not Type.CARDS else EMPTY
        inner = {**bound, expr.name or "": self._local(bound)}
        condition = self.value(expr.args[1], position, inner)
        match op:
            case "some":
                return self._decided(some(those(cards, condition)), position)
            case "every":
                return self._decided(negated(some(those(cards, negated(condition)))), position)
            case "countOf":
                return self._counting(those(cards, condition))
        result = self.value(expr.args[2], position, inner)
        return ("agg", (op, expr.type), those(cards, condition), result)

    def _local(self, bound: Bound) -> Term:
        return ("local", sum(isinstance(value, tuple) and value[0] == "local" for value in bound.values()))

    def cards_of(self, expr: Expr, position: Position, bound: Bound = _NOTHING) -> Value:
        """The cards that an expression means."""
        args = expr.args
        match expr.op:
            case "zone":
                place: Value | None = self.value(args[0], position, bound) if args else None
                if place == NONE:
                    return EMPTY
                if place is None or isinstance(place, int):
                    slot = (expr.name or "", place)
                    return EMPTY if position.counts[slot] == 0 else position.cards[slot]
                return self.symbol(position)
            case "allCards":
                return ("set", self.all_cards)
            case "single":
                card = self.value(args[0], position, bound)
                if isinstance(card, int):
                    return ("set", 1 << card if card >= 0 else 0)
                return ("f", ("single", None, None, Type.CARDS), (card,))
            case "template":
                rank, suit = (self.value(arg, position, bound) for arg in args)
                if isinstance(rank, int) and isinstance(suit, int):
                    return ("set", self._template(rank, suit))
                return ("f", ("template", None, None, Type.CARDS), (rank, suit))
            case "union":
                return union(*(self.cards_of(arg, position, bound) for arg in args))
            case "intersect":
                first, second = (self.cards_of(arg, position, bound) for arg in args)
                return intersection(first, second, self.all_cards)
            case "if":
                condition = self.value(args[0], position, bound)
                return conditional(condition, *(self.cards_of(arg, position, bound) for arg in args[1:]))
            case "local":
                return bound[expr.name or ""]
            case "those" if args[0].type is Type.CARDS:
                return self._filtered(expr, position, bound)
        if expr.op in ("highest", "lowest") and args[0].type is Type.CARDS:
            return self._over_cards(expr, position, bound)
        if expr.op in ("topCards", "bottomCards", "except"):
            values = [
                self.cards_of(arg, position, bound) if arg.type is Type.CARDS else self.value(arg, position, bound)
                for arg in args
            ]
            if values[0] == EMPTY:
                return EMPTY
            if expr.op != "except" and not is_symbol(values[0]):
                return self.symbol(position)  # in an order that nobody knows
            if expr.op == "except" and all(isinstance(value, tuple) and value[0] == "set" for value in values):
                return ("set", values[0][1] & ~values[1][1])  # type: ignore[index]
            return ("f", (expr.op, None, None, Type.CARDS), tuple(values))
        return self.symbol(position)

    def _filtered(self, expr: Expr, position: Position, bound: Bound) -> Value:
        cards = self.cards_of(expr.args[0], position, bound)
        condition = self.value(expr.args[1], position, {**bound, expr.name or "": self._local(bound)})
        if isinstance(cards, tuple) and cards[0] == "set" and not isinstance(condition, int):
            known = self._static_mask(expr)
            if known is not None:
                return ("set", cards[1] & known)
        return those(cards, condition)

    def _static_mask(self, expr: Expr) -> int | None:
        """The cards for which a condition holds that no play decides."""
        if expr not in self._static:
            self._static[expr] = None
            if not depends_on_play(expr.args[1]):
                with contextlib.suppress(NotStaticError, KeyError):
                    self._static[expr] = mask_of(
                        [
                            card
                            for card in self.game.cards
                            if evaluate_static(expr.args[1], self.game, {expr.name or "": card})
                        ]
                    )
        return self._static[expr]

    def _template(self, rank: int, suit: int) -> int:
        deck = self.chart.deck
        return mask_of(
            [
                card
                for card in self.game.cards
                if rank in (ANY, deck.rank_of(card)) and suit in (ANY, deck.suit_of(card))
            ]
        )

    def _size(self, expr: Expr) -> int:
        """How many parts an expression has."""
        known = self._sizes.get(id(expr))
        if known is None:
            known = self._sizes[id(expr)] = sum(1 for _ in expr.walk())
        return known

    # --- what is known

    def truth(self, value: Value, position: Position) -> bool | None:
        """Whether something is known to hold, or not to."""
        if isinstance(value, int):
            return bool(value)
        known = position.facts.get(value)
        if known is not None:
            return known
        match value[0]:
            case "not":
                inner = self.truth(value[1], position)
                return None if inner is None else not inner
            case "and" | "or":
                decides = value[0] == "or"
                all_known = True
                for part in value[1]:
                    truth = self.truth(part, position)
                    if truth is decides:
                        return decides
                    all_known = all_known and truth is not None
                return (not decides) if all_known else None
            case "le":
                low, high = self.range_of(value[1], position)
                if high <= 0:
                    return True
                if low > 0:
                    return False
                other = negated(value)
                known = position.facts.get(other) if other != value else None
                return None if known is None else not known
            case "eq":
                low, high = self.range_of(value[1], position)
                least, most = self.range_of(value[2], position)
                if high < least or most < low:
                    return False
            case "some":
                return self._is_there(value[1], position)
        return None

    def _is_there(self, cards: Value, position: Position) -> bool | None:
        """Whether there surely is a card, or none."""
        if self.most_cards(cards, position) == 0:
            return False
        if is_symbol(cards):
            for slot, there in position.cards.items():
                if there == cards:
                    low, _high = self.range_of(position.counts[slot], position)
                    if low >= 1:
                        return True
        return None

    def _decided(self, value: Value, position: Position) -> Value:
        known = self.truth(value, position) if isinstance(value, tuple) and self._is_truth(value) else None
        return value if known is None else int(known)

    @staticmethod
    def _is_truth(value: Term) -> bool:
        return value[0] in ("le", "eq", "and", "or", "not", "some") or (value[0] == "f" and value[1][-1] is Type.BOOL)

    def assume(self, position: Position, value: Value, truth: bool) -> Position | None:
        """The same with one more thing known; None if that cannot be. Changes the position."""
        known = self.truth(value, position)
        if known is not None:
            return position if known is truth else None
        assert isinstance(value, tuple)
        kind = value[0]
        if kind == "not":
            return self.assume(position, value[1], not truth)
        if kind == "if":
            found = self.truth(value[1], position)
            if found is not None:
                return self.assume(position, value[2 if found else 3], truth)
        if (kind == "and" and truth) or (kind == "or" and not truth):
            for part in value[1]:
                after = self.assume(position, part, truth)
                if after is None:
                    return None
                position = after
            return position
        position.facts[value] = truth
        if kind in ("and", "or"):
            rest = [part for part in value[1] if self.truth(part, position) is None]
            if len(rest) == 1:
                return self.assume(position, rest[0], truth)
        elif kind == "le":
            bound = value[1] if truth else combined(1, value[1], -1)
            return position if self._narrow(position, bound) else None
        elif kind == "eq" and truth:
            return self._same(position, value[1], value[2])
        elif kind == "eq":
            self._not_equal(position, value[1], value[2])
        elif kind == "sym":
            return self._replace(position, value, int(truth))
        elif kind == "some" and truth:
            for slot, there in position.cards.items():
                if is_symbol(there) and there in _within(value[1]):
                    least = combined(1, position.counts[slot], -1)
                    if not self._narrow(position, least):
                        return None
        return position

    def _narrow(self, position: Position, value: Value) -> bool:
        """Knows that a sum is at most 0; False if it cannot be."""
        constant, factors = parts(value)
        if constant + sum(self._least(atom, factor, position) for atom, factor in factors.items()) > 0:
            return False
        for atom, factor in factors.items():
            others = constant + sum(
                self._least(other, number, position) for other, number in factors.items() if other != atom
            )
            self._bound(position, atom, factor, others)
        return True

    def _least(self, atom: Value, factor: int, position: Position) -> float:
        low, high = self.range_of(atom, position)
        return factor * (low if factor > 0 else high)

    def _bound(self, position: Position, atom: Value, factor: int, others: float) -> None:
        """factor * atom + others <= 0."""
        if others == -INFINITE:
            return
        if isinstance(atom, tuple) and atom[0] == "f" and atom[1][0] == "maximum" and factor > 0:
            for part in atom[2]:
                self._narrow(position, combined(scaled(part, factor), int(others)))
        if isinstance(atom, tuple) and atom[0] == "f" and atom[1][0] == "minimum" and factor < 0:
            for part in atom[2]:
                self._narrow(position, combined(scaled(part, factor), int(others)))
        if is_symbol(atom):
            assert isinstance(atom, tuple)
            low, high = position.ranges.get(atom[1], ANYTHING)
            if factor > 0:
                high = min(high, -others // factor)
            else:
                low = max(low, -(-others // -factor))
            position.ranges[atom[1]] = (low, high)

    def _same(self, position: Position, first: Value, second: Value) -> Position | None:
        """Knows that two values are equal."""
        for one, other in ((first, second), (second, first)):
            if is_symbol(one):
                low, high = self.range_of(one, position)
                least, most = self.range_of(other, position)
                if least > high or most < low:
                    return None
                assert isinstance(one, tuple)
                if isinstance(other, int):
                    return self._replace(position, one, other)
        for one, other in ((first, second), (second, first)):
            if isinstance(other, int) and isinstance(one, tuple):
                if not self._narrow(position, combined(one, -other)):
                    return None
                if not self._narrow(position, combined(other, one, -1)):
                    return None
                if one[0] != "lin":
                    return self._replace(position, one, other)
        return position

    def _not_equal(self, position: Position, first: Value, second: Value) -> None:
        for one, other in ((first, second), (second, first)):
            if is_symbol(one) and isinstance(other, int):
                assert isinstance(one, tuple)
                low, high = position.ranges.get(one[1], ANYTHING)
                position.ranges[one[1]] = (low + (low == other), high - (high == other))

    def _replace(self, position: Position, old: Value, new: Value) -> Position:
        """The same with a value known to be another."""

        def replace(term: Term) -> Value | None:
            return new if term == old else None

        for table in (position.values, position.counts, position.cards):
            for slot, value in table.items():
                if isinstance(value, tuple):
                    table[slot] = rebuilt(value, replace, self.function)
        for slot, number in position.counts.items():
            if number == 0:
                position.cards[slot] = EMPTY
        facts: dict[Value, bool] = {}
        for fact, truth in position.facts.items():
            known = rebuilt(fact, replace, self.function)
            if isinstance(known, tuple):
                facts[known] = truth
        position.facts = facts
        return position

    # --- ranges

    def _range_of_type(self, kind: Type | None) -> Range:
        match kind:
            case Type.BOOL:
                return 0, 1
            case Type.PLAYER:
                return NONE, self.players - 1
            case Type.SUIT:
                return ANY, len(self.chart.deck.suits) - 1
            case Type.RANK:
                return ANY, len(self.chart.deck.ranks) - 1
            case Type.CARD:
                return NONE, self.chart.deck.size - 1
            case Type.WORD:
                return NONE, len(self.chart.words) - 1
        return ANYTHING

    def _hull(self, values: list[Value], position: Position) -> Range:
        ranges = [self.range_of(value, position) for value in values]
        return min(low for low, _ in ranges), max(high for _, high in ranges)

    def range_of(self, value: Value, position: Position) -> Range:
        """The lowest and the highest number that a value can be."""
        if isinstance(value, int):
            return value, value
        match value[0]:
            case "sym":
                return position.ranges.get(value[1], ANYTHING)
            case "lin":
                low = high = float(value[1])
                for atom, factor in value[2]:
                    least, most = self.range_of(atom, position)
                    low += factor * (least if factor > 0 else most)
                    high += factor * (most if factor > 0 else least)
                return low, high
            case "if":
                return self._hull([value[2], value[3]], position)
            case "pick":
                return min(value[1]), max(value[1])
            case "agg":
                return self._range_of_aggregate(value, position)
            case "f":
                return self._range_of_function(value[1], value[2], position)
            case "local":
                return 0, self.chart.deck.size - 1
        return 0, 1

    def _range_of_aggregate(self, value: Term, position: Position) -> Range:
        (op, kind), cards, result = value[1], value[2], value[3]
        low, high = self.range_of(result, position)
        most = self.most_cards(cards, position)
        match op:
            case "sum":
                return (min(0, low) * most if most else 0, max(0, high) * most if most else 0)
            case "largest" | "smallest":
                return min(0, low), max(0, high)
        return self._range_of_type(kind)

    def _range_of_function(self, key: Term, args: tuple[Value, ...], position: Position) -> Range:
        op = key[0]
        match op:
            case "count":
                return 0, self.most_cards(args[0], position)
            case "table":
                table = self.chart.tables[key[1]]
                numbers = [0, table.otherwise, *table.cards.values(), *table.ranks.values(), *table.suits.values()]
                return min(numbers), max(numbers)
            case "list":
                numbers = [0, *self.chart.lists[key[1]]]
                return min(numbers), max(numbers)
            case "maximum" | "minimum":
                pick = max if op == "maximum" else min
                ranges = [self.range_of(arg, position) for arg in args]
                return pick(low for low, _ in ranges), pick(high for _, high in ranges)
            case "absolute":
                low, high = self.range_of(args[0], position)
                return (0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))
            case "modulo" if isinstance(args[1], int) and args[1] > 0:
                return 0, args[1] - 1
            case "divide" if isinstance(args[1], int) and args[1] > 0:
                low, high = self.range_of(args[0], position)
                return self._divided(low, args[1]), self._divided(high, args[1])
            case "playerNumber" | "wordNumber":
                return self.range_of(args[0], position)
            case "player":
                low, high = self.range_of(args[0], position)
                return (low, high) if low >= 0 and high < self.players else (NONE, self.players - 1)
            case "next" | "previous" if self.range_of(args[0], position)[0] >= 0:
                return 0, self.players - 1
            case "pokerValue" | "deadwood" | "longestSequence" | "longestRun" | "position":
                return 0, INFINITE
            case "pokerClass":
                return 0, 8
            case "multiply":
                products = [
                    a * b if a and b else 0
                    for a in self.range_of(args[0], position)
                    for b in self.range_of(args[1], position)
                ]
                return min(products), max(products)
        return self._range_of_type(key[-1])

    @staticmethod
    def _divided(number: float, by: int) -> float:
        return number if abs(number) == INFINITE else number // by

    def most_cards(self, cards: Value, position: Position) -> float:
        """So many cards there are at most."""
        if isinstance(cards, int):
            return self.size
        match cards[0]:
            case "set":
                return int(cards[1].bit_count())
            case "sym":
                for slot, there in position.cards.items():
                    if there == cards:
                        return self.range_of(position.counts[slot], position)[1]
            case "those" | "agg":
                return self.most_cards(cards[1] if cards[0] == "those" else cards[2], position)
            case "if":
                return max(self.most_cards(cards[2], position), self.most_cards(cards[3], position))
            case "f":
                return self._most_of_function(cards, position)
        return self.size

    def _most_of_function(self, cards: Term, position: Position) -> float:
        match cards[1][0]:
            case "intersect":
                return min(self.most_cards(part, position) for part in cards[2])
            case "union":
                return min(self.size, sum(self.most_cards(part, position) for part in cards[2]))
            case "single":
                return 1
            case "topCards" | "bottomCards":
                high = self.range_of(cards[2][1], position)[1]
                return max(0, min(high, self.most_cards(cards[2][0], position)))
            case "except":
                return self.most_cards(cards[2][0], position)
            case "template":
                rank, suit = cards[2]
                deck = self.chart.deck
                if isinstance(rank, int) and rank == ANY and not isinstance(suit, int):
                    return self.size
                if not isinstance(rank, int) and suit == ANY:
                    return (
                        max(
                            (sum(deck.rank_of(card) == r for card in self.game.cards) for r in range(len(deck.ranks))),
                            default=0,
                        )
                        if self.range_of(rank, position)[0] > ANY
                        else self.size
                    )
        return self.size
