"""All abstract positions of a game: found until there are no new ones, then looked at once more to draw conclusions.

Positions with the same node, counts and known values are taken together: what differs becomes a symbol. Variables with
too many values are not told apart any more (`coarse`); then only what all their positions have in common is known.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fcdl.language.flow import reachable, through_calls
from fcdl.language.flowchart import Gather, Move, MoveBy, NodeKind, Pick, Play, ShuffleZone, TakeSet, Type
from fcdl.model.game import Game
from fcdl.verify.abstract import TOTAL, Abstract, Position, Slot, UnsupportedError
from fcdl.verify.ranking import Step
from fcdl.verify.terms import ANYTHING, INFINITE, Range, Term, Value, combined, is_symbol, parts, rebuilt, symbols

MAX_POSITIONS = 8_000
"""Abstract positions of one game; with more of them, fewer are told apart."""
_MANY_VALUES = 150
_MANY_PLACES = 8
"""Variables with at most so many places are also looked at one by one."""
_FLOORS = (1, 0, -1, -INFINITE)
_PATIENCE = 4
"""After so many changes of a position, ranges that still grow are taken to be endless."""

Key = tuple[object, ...]


class OutOfTimeError(Exception):
    """The time was over before all positions were found."""


class _TooManyError(Exception):
    """More positions than there is room for."""


@dataclass(slots=True)
class Edge:
    """One step between abstract positions."""

    step: Step
    decisions: int
    mover: int | None


@dataclass(slots=True)
class Findings:
    """What was seen in all abstract positions of one game."""

    positions: int = 0
    reached: set[int] = field(default_factory=set)
    movers: set[int] = field(default_factory=set)
    first_movers: set[int] = field(default_factory=set)
    stuck: set[int] = field(default_factory=set)
    """Nodes where perhaps a player has no legal move."""
    faults: set[int] = field(default_factory=set)
    ends: list[Position] = field(default_factory=list)
    lost: set[tuple[int, str]] = field(default_factory=set)
    """Nodes where cards are shuffled to be dealt, and zones where cards may be left that nothing takes."""
    edges: list[Edge] = field(default_factory=list)
    coarse: frozenset[str] = frozenset()


class Explorer:
    """Finds the abstract positions of one game."""

    def __init__(self, rules: Abstract, until: float) -> None:
        self.rules = rules
        self._until = until
        self._live_order: dict[int, list[Slot]] = {}
        rules.begin()
        self._all_slots = rules.slots
        self.found: dict[Key, Position] = {}

    def run(self) -> Findings:
        """Everything; raises OutOfTimeError and UnsupportedError."""
        while True:
            try:
                self._fill()
                return self._conclude()
            except _TooManyError:
                self._give_up_on_one()

    # --- finding positions

    def _fill(self) -> None:
        begin = self.rules.begin()
        self.found = {}
        changes: Counter[Key] = Counter()
        first = self.key(begin)
        self.found[first] = begin
        waiting: dict[Key, None] = {first: None}
        steps = 0
        while waiting:
            key = next(iter(waiting))
            del waiting[key]
            steps += 1
            if steps % 64 == 0 and time.process_time() > self._until:
                raise OutOfTimeError
            if steps % 2000 == 0 and self._runs_away():
                raise _TooManyError
            for outcome in self.rules.follow(self.found[key].copy()):
                if outcome.after is None:
                    continue
                target = self.key(outcome.after)
                known = self.found.get(target)
                if known is None:
                    if len(self.found) >= MAX_POSITIONS:
                        raise _TooManyError
                    outcome.after.forget()
                    self.found[target] = outcome.after
                    waiting[target] = None
                else:
                    merged = Merger(self.rules, known, outcome.after).merged(widen=changes[target] >= _PATIENCE)
                    if merged is not None:
                        self.found[target] = merged
                        changes[target] += 1
                        waiting[target] = None

    def key(self, position: Position) -> Key:
        """What positions have to have in common to be taken together."""
        coarse = self.rules.coarse
        slots = self._live_order.get(position.node)
        if slots is None:
            live = self.rules.live[position.node]
            slots = [slot for slot in self._all_slots if slot[0] in live or slot[0].startswith(TOTAL)]
            self._live_order[position.node] = slots
        values = tuple(
            value if isinstance(value, int) and slot[0] not in coarse else None
            for slot, value in ((slot, position.values.get(slot)) for slot in slots)
        )
        counts = tuple(
            number if isinstance(number, int) and f"@{slot[0]}" not in coarse else None
            for slot, number in position.counts.items()
        )
        return (position.node, position.calls, values, counts)

    def _values_of(self) -> dict[str, set[object]]:
        """The numbers that each variable and the size of each zone has been."""
        seen: dict[str, set[object]] = {}
        for position in self.found.values():
            for slot, value in position.values.items():
                if isinstance(value, int):
                    seen.setdefault(slot[0], set()).add((slot[1], value))
            for slot, value in position.counts.items():
                if isinstance(value, int):
                    seen.setdefault("@" + slot[0], set()).add((slot[1], value))
        return {name: values for name, values in seen.items() if name not in self.rules.coarse}

    def _runs_away(self) -> bool:
        return any(len(values) > _MANY_VALUES * self.rules.players for values in self._values_of().values())

    def _give_up_on_one(self) -> None:
        """Tells the variable with the most values no more apart."""
        seen = self._values_of()
        chart = self.rules.chart

        def rank(name: str) -> tuple[int, int]:
            number = len(seen[name])
            if name.startswith("@"):
                return 1, number
            plain = name.removeprefix(TOTAL)
            players = plain in chart.variables and chart.variables[plain].type is Type.PLAYER
            return (0 if players else 2 if number > 3 * self.rules.players else 1), number

        if not seen:
            raise UnsupportedError("there are too many positions, even when hardly any are told apart")
        worst = max(seen, key=rank)
        if len(seen[worst]) < 2:
            raise UnsupportedError("there are too many positions, even when hardly any are told apart")
        self.rules.coarse.add(worst)

    # --- conclusions

    def _conclude(self) -> Findings:
        rules, chart = self.rules, self.rules.chart
        numbers = {key: number for number, key in enumerate(self.found)}
        seen = Findings(len(numbers), coarse=frozenset(rules.coarse))
        deals = Deals(rules.game)
        measures = Measures(rules)
        for steps, (key, position) in enumerate(self.found.items()):
            if steps % 64 == 0 and time.process_time() > self._until:
                raise OutOfTimeError
            node = chart.nodes[position.node]
            seen.reached.add(node.number)
            if node.kind is NodeKind.END and not position.calls:
                seen.ends.append(position)
                continue
            for zone in deals.lost(node.number, position.counts):
                seen.lost.add((node.number, zone))
            start = position.copy()
            for outcome in rules.follow(start):
                if outcome.stops == "fault":
                    seen.faults.add(node.number)
                elif outcome.stops:
                    seen.stuck.add(node.number)
                if outcome.mover is not None:
                    seen.movers.add(outcome.mover)
                if outcome.after is None:
                    continue
                target = numbers[self.key(outcome.after)]
                changes, before = measures.changes(position, outcome.after)
                step = Step(numbers[key], target, changes, before)
                seen.edges.append(Edge(step, outcome.decisions, outcome.mover))
        seen.first_movers = _first_movers(seen.edges)
        return seen


def _first_movers(edges: list[Edge]) -> set[int]:
    """The seats that may make the first decision of a game, which begins at position 0."""
    after: dict[int, list[Edge]] = {}
    for edge in edges:
        after.setdefault(edge.step.source, []).append(edge)
    found, known, pending = set(), {0}, [0]
    while pending:
        for edge in after.get(pending.pop(), ()):
            if edge.decisions and edge.mover is not None:
                found.add(edge.mover)
            elif edge.step.target not in known:
                known.add(edge.step.target)
                pending.append(edge.step.target)
    return found


class Measures:
    """Numbers that positions have, of which some get less and less: see `ranking.py`."""

    def __init__(self, rules: Abstract) -> None:
        self._rules = rules
        self._zones: dict[str, list[Slot]] = {}
        self._variables: dict[str, list[Slot]] = {}
        start = rules.begin()
        for slot in start.counts:
            self._zones.setdefault(slot[0], []).append(slot)
            if slot[0] == "hand":
                self._zones[f"hand {slot[1]}"] = [slot]
        for slot in rules.slots:
            if not slot[0].startswith(TOTAL) and rules.chart.variables[slot[0]].type in (Type.INT, Type.BOOL):
                self._variables.setdefault(slot[0], []).append(slot)
        for name, slots in list(self._variables.items()):
            if 1 < len(slots) <= _MANY_PLACES:
                self._variables.update({f"{name} {slot[1]}": [slot] for slot in slots})

    def changes(self, before: Position, after: Position) -> tuple[tuple[Range, ...], tuple[Range, ...]]:
        """By how much each measure changes at least and at most, and what it is before."""
        known = Position(after.node, (), {}, before.counts, before.cards, {}, {**before.ranges, **after.ranges})
        changes, values = [], []
        for groups, olds, news in (
            (self._zones, before.counts, after.counts),
            (self._variables, before.values, after.values),
        ):
            for slots in groups.values():
                if not all(slot in olds and slot in news for slot in slots):
                    changes.append(ANYTHING)
                    values.append(ANYTHING)
                    continue
                old: Value = 0
                change: Value = 0
                for slot in slots:
                    old = combined(old, olds[slot])
                    if olds[slot] != news[slot]:
                        change = combined(combined(change, news[slot]), olds[slot], -1)
                changes.append(self._rules.range_of(change, known))
                values.append(self._rules.range_of(old, known))
        return tuple(changes), tuple(values)


class Merger:
    """What two positions with the same key have in common."""

    def __init__(self, rules: Abstract, known: Position, new: Position) -> None:
        self._rules, self._known, self._new = rules, known, new
        self._means: dict[Value, Value] = {}
        self._pairs: dict[tuple[Value, Value], Value] = {}
        self._shifts: dict[Value, tuple[Value, Value | None]] = {}
        """For each change of a number the number that first changed so, and its symbol."""
        self._of_cards = False
        self._result = Position(known.node, known.calls, {}, {}, {}, {}, {})

    def merged(self, *, widen: bool) -> Position | None:
        """A position that covers both; None if the known one does."""
        result, known, new = self._result, self._known, self._new
        changed = False
        for name in ("values", "counts", "cards"):
            olds, news, into = getattr(known, name), getattr(new, name), getattr(result, name)
            self._of_cards = name == "cards"
            for slot, old in olds.items():
                if slot not in news:
                    changed = True
                    continue
                into[slot] = self._common(old, news[slot])
                changed = changed or into[slot] != old
        for symbol, meant in self._means.items():
            assert isinstance(symbol, tuple)
            low, high = known.ranges.get(symbol[1], (-INFINITE, INFINITE))
            least, most = self._rules.range_of(meant, new)
            if least < low:
                low, changed = (next(bound for bound in _FLOORS if bound <= least) if widen else least), True
            if most > high:
                high, changed = (INFINITE if widen else most), True
            if (low, high) != (-INFINITE, INFINITE):
                result.ranges[symbol[1]] = (low, high)
        for fact, truth in known.facts.items():
            if all(("sym", number) in self._means for number in symbols(fact)):
                meant = rebuilt(fact, self._means.get, self._rules.function)
                if self._rules.truth(meant, new) is truth:
                    result.facts[fact] = truth
                    continue
            changed = True
        if not changed:
            return None
        result.forget()
        return result

    def _common(self, old: Value, new: Value) -> Value:
        if is_symbol(old):
            meant = self._means.setdefault(old, new)
            return old if meant == new else self._pair(old, new)
        if isinstance(old, tuple) and old[0] == "lin" and len(old[2]) == 1:
            ((atom, factor),) = old[2]
            if factor == 1 and is_symbol(atom):  # so much more, or less, than something else
                meant = combined(new, -old[1])
                if self._means.setdefault(atom, meant) == meant:
                    return old
        if old == new and not symbols(old):
            return old
        if isinstance(old, tuple) and isinstance(new, tuple) and old[0] == new[0] and len(old) == len(new):
            inner = self._inside(old, new)
            if inner is not None:
                return inner
        return self._with_same_part(old, new) or self._pair(old, new)

    def _with_same_part(self, old: Value, new: Value) -> Value | None:
        """Sums of something and the same function: what they have in common, part by part."""
        if self._of_cards:
            return None
        (_, olds), (_, news) = parts(old), parts(new)
        one, other = ([atom for atom in atoms if not is_symbol(atom)] for atoms in (olds, news))
        if len(one) != 1 or len(other) != 1 or olds[one[0]] != news[other[0]]:
            return None
        first, second, factor = one[0], other[0], olds[one[0]]
        if not isinstance(first, tuple) or not isinstance(second, tuple) or first[0] != second[0]:
            return None
        inner = self._inside(first, second)
        if inner is None:
            return None
        rest = self._common(combined(old, first, -factor), combined(new, second, -factor))
        return combined(rest, inner, factor)

    def _inside(self, old: Term, new: Term) -> Value | None:
        """The same function of what the arguments have in common."""
        if old[0] == "f" and old[1] == new[1] and len(old[2]) == len(new[2]):
            return self._rules.function(
                old[1], tuple(self._common(one, other) for one, other in zip(old[2], new[2], strict=True))
            )
        if old[0] == "lin" and old[1] == new[1] and [f for _, f in old[2]] == [f for _, f in new[2]]:
            total: Value = old[1]
            for (one, factor), (other, _) in zip(old[2], new[2], strict=True):
                total = combined(total, self._common(one, other), factor)
            return total
        return None

    def _pair(self, old: Value, new: Value) -> Value:
        if (old, new) not in self._pairs:
            if not self._of_cards:  # what is always so much more, or less, than something else stays so
                shift = combined(new, old, -1)
                first, symbol = self._shifts.get(shift, (old, None))
                more = combined(old, first, -1)
                if symbol is not None and isinstance(more, int):
                    return combined(symbol, more)
            low, high = self._rules.range_of(old, self._known)
            least, most = self._rules.range_of(new, self._new)
            cards = isinstance(old, tuple) and old[0] in ("set", "those")
            known = (-INFINITE, INFINITE) if cards else (min(low, least), max(high, most))
            self._pairs[old, new] = self._rules.symbol(self._result, known)
            if not self._of_cards:
                self._shifts.setdefault(shift, (old, self._pairs[old, new]))
        return self._pairs[old, new]


class Deals:
    """Where cards are shuffled to be dealt to all, and what can be taken from where afterwards."""

    def __init__(self, game: Game) -> None:
        chart = game.flowchart
        after = through_calls(chart)
        boxes = {node.box for node in chart.nodes.values()}
        dealt = {
            number: node.statement.source.name
            for number, node in chart.nodes.items()
            if isinstance(node.statement, Move) and node.statement.by is MoveBy.NUMBER
            if node.statement.each_seat or number in boxes
        }
        self._taken: dict[int, set[str]] = {}
        """For each such shuffle the zones from which cards are taken later."""
        for number, node in chart.nodes.items():
            if not isinstance(node.statement, ShuffleZone):
                continue
            later = reachable([number], after)
            statements = [chart.nodes[one].statement for one in later]
            if any(at in later and zone == node.statement.zone.name for at, zone in dealt.items()) and not any(
                isinstance(one, Gather) for one in statements
            ):
                self._taken[number] = {
                    one.source.name or "" for one in statements if isinstance(one, Move | Play | Pick | TakeSet)
                }

    def lost(self, node: int, counts: Mapping[Slot, Value]) -> Iterator[str]:
        """The zones where cards may lie that nothing takes any more, where cards are shuffled to be dealt."""
        taken = self._taken.get(node)
        if taken is not None:
            for slot, number in counts.items():
                if slot[0] not in taken and number != 0:
                    yield slot[0]
