"""What variables always are when the chart comes to a place: `winner = none` before the bets.

What chance, cards and players decide is not known; a diamond that asks for a value tells it on one of its arrows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from fcdl.heuristics.situation import Evaluator, Instance, Situation, Slot, UnclearError
from fcdl.heuristics.symbols import Value, constant, distance_of, implied, negated
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import Expr, NodeKind, Type
from fcdl.language.loops import Place
from fcdl.model.game import Game

Known = Mapping[Slot, int]


class Constants:
    """The values that variables always have at the places of a chart."""

    def __init__(self, game: Game, places: Mapping[int, Place]) -> None:
        self.game = game
        self._evaluator = Evaluator(game, Instance(0, ()))
        self._start = self._evaluator.start(0)
        variables = game.flowchart.variables.values()
        first = {
            (variable.name, number): variable.initial
            for variable in variables
            for number in game.places_of(variable)
            if variable.initial is not None
        }
        self._known: dict[int, Known] = {0: first} if places else {}
        pending = [0] if places else []
        while pending:
            place = places[pending.pop()]
            for to, known in self._leave(place, self._known[place.number]):
                before = self._known.get(to)
                now = known if before is None else {s: v for s, v in before.items() if known.get(s) == v}
                if now != before:
                    self._known[to] = now
                    pending.append(to)

    def nobody(self, place: int) -> frozenset[str]:
        """The variables that name nobody there."""
        known = self._known.get(place, {})
        return frozenset(
            name for (name, number), value in known.items() if number is None and self._is_nobody(name, value)
        )

    def start(self, evaluator: Evaluator, place: int) -> Situation:
        """The start of a cycle at a place, with its numbers; players only where a variable names nobody.

        Suits, ranks and words keep the names of their variables, which say more: a trump is a trump.
        """
        at = evaluator.start(place)
        named = dict(evaluator.instance.seats)
        values = {
            slot: constant(kind, value)
            for slot, value in self._known.get(place, {}).items()
            if slot[0] not in named
            and ((kind := self._kind(slot[0])) in (Type.INT, Type.BOOL) or self._is_nobody(slot[0], value))
        }
        return replace(at, variables={**at.variables, **values})

    def _kind(self, name: str) -> Type:
        return self.game.flowchart.variables[name].type

    def _is_nobody(self, name: str, value: int) -> bool:
        return self._kind(name) is Type.PLAYER and value < 0

    def _situation(self, known: Known) -> Situation:
        return replace(
            self._start, variables={**self._start.variables, **{s: self._value(s, v) for s, v in known.items()}}
        )

    def _value(self, slot: Slot, value: int) -> Value:
        kind = self._kind(slot[0])
        return self._evaluator.who(value) if kind is Type.PLAYER and value >= 0 else constant(kind, value)

    def _leave(self, place: Place, known: Known) -> Iterator[tuple[int, Known]]:
        if place.node.kind is NodeKind.CHOICE:
            yield from self._asked(place, known)
        elif place.next is not None:
            yield place.next, self._done(place.node.statement, known)

    def _asked(self, place: Place, known: Known) -> Iterator[tuple[int, Known]]:
        assert place.node.condition is not None
        try:
            value = self._evaluator.value(place.node.condition, self._situation(known), {})
        except UnclearError:
            value = None
        for holds, to in ((True, place.yes), (False, place.no)):
            if to is None:
                continue
            if value is None:
                yield to, known
            elif value.known is None:
                told = implied(value.expr if holds else negated(value.expr))
                yield to, {**known, **dict(filter(None, map(self._told, told.items())))}
            elif bool(value.known) == holds:
                yield to, known

    def _told(self, answer: tuple[Expr, bool]) -> tuple[Slot, int] | None:
        """The value of a variable that the answer to a question tells."""
        asked, holds = answer
        if asked.op == "variable" and asked.type is Type.BOOL:
            return (asked.name or "", None), int(holds)
        if asked.op == "equal" and holds and asked.args[0].op == "variable" and not asked.args[0].args:
            value = self._number(asked.args[1])
            return None if value is None else ((asked.args[0].name or "", None), value)
        return None

    def _number(self, expr: Expr) -> int | None:
        return expr.value if expr.op == "const" else distance_of(expr)

    def _done(self, statement: object, known: Known) -> Known:
        """What is known after a statement."""
        if isinstance(statement, fc.Assign | fc.Choose):
            at = self._situation(known)
            owner = statement.target.player
            try:
                number = None if owner is None else self._evaluator.seat(owner, at, {})
            except UnclearError:
                return {slot: value for slot, value in known.items() if slot[0] != statement.target.name}
            slot = statement.target.name, number
            others = {s: v for s, v in known.items() if s != slot}
            if isinstance(statement, fc.Choose):
                return others
            try:
                value = self._number(self._evaluator.value(statement.value, at, {}).expr)
            except UnclearError:
                return others
            return others if value is None else {**others, slot: value}
        if isinstance(statement, fc.Decision):
            return {slot: value for slot, value in known.items() if slot[0] != "passed"}
        return known
