"""Running a chart with both arms of each diamond together: where they meet again, values are `if(condition, a, b)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from fcdl.heuristics.clock import tick
from fcdl.heuristics.situation import Contents, Evaluator, Facts, Situation, Slot, UnclearError, WhoError, is_player
from fcdl.heuristics.symbols import FALSE, Value, choice, operation
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import Expr, NodeKind, Type
from fcdl.language.loops import Place

MAX_DEPTH = 60
MAX_STEPS = 5000


class Together:
    """Runs from a situation to where `over` says, without paths of their own for the answers of diamonds."""

    def __init__(
        self,
        places: Mapping[int, Place],
        evaluator: Evaluator,
        meeting: Mapping[int, int],
        over: Callable[[Place], bool],
    ) -> None:
        """`meeting`: where the two arrows of a diamond meet again."""
        self.places, self.evaluator, self.meeting, self.over = places, evaluator, meeting, over
        self._steps = 0

    def run(self, at: Situation, facts: Facts, until: int | None = None, depth: int = 0) -> Situation:
        """The situation at the end; UnclearError if a loop turns as often as the cards say."""
        while at.place != until and not self.over(place := self.places[at.place]):
            self._steps += 1
            tick()
            if self._steps > MAX_STEPS or depth > MAX_DEPTH:
                raise UnclearError("how often a loop turns depends on the cards")
            if place.node.kind is NodeKind.CHOICE:
                at = self._choice(place, at, facts, until, depth)
            else:
                assert place.next is not None
                at = self._done(place, replace(at, place=place.next), facts)
        return at

    def _choice(self, place: Place, at: Situation, facts: Facts, until: int | None, depth: int) -> Situation:
        assert place.node.condition is not None
        assert place.yes is not None
        assert place.no is not None
        value = self.evaluator.value(place.node.condition, at, facts)
        if value.known is not None:
            return replace(at, place=place.yes if value.known else place.no)
        meet = self.meeting.get(place.number, until)
        yes, no = (self.run(replace(at, place=to), facts, meet, depth + 1) for to in (place.yes, place.no))
        return merged(value.expr, yes, no)

    def _done(self, place: Place, at: Situation, facts: Facts, asked: int = 0) -> Situation:
        """What a statement does; if that depends on who somebody is, for each of the players."""
        try:
            return self._do(place, at, facts)
        except WhoError as error:
            if asked >= self.evaluator.game.players:
                raise
            condition = is_player(error.player, self.evaluator.who(asked).expr)
            yes = self._done(place, at, {**facts, condition: True}, asked) if condition != FALSE else None
            last = asked + 1 == self.evaluator.game.players
            no = self._done(place, at, {**facts, condition: False}, asked + 1) if not last or yes is None else yes
            return merged(condition, yes, no) if yes is not None else no

    def _do(self, place: Place, at: Situation, facts: Facts) -> Situation:
        match place.node.statement:
            case fc.Assign() as statement:
                return self.evaluator.assign(statement, at, facts, place.number)
            case fc.Choose(target=target):
                game = self.evaluator.game
                for place_number in game.places_of(game.flowchart.variables[target.name]):
                    at = at.with_variable((target.name, place_number), None)
            case fc.Move() as statement:
                return self.evaluator.move(statement, at, facts)
        return at


def merged(condition: Expr, yes: Situation, no: Situation) -> Situation:
    """One situation for both answers."""
    variables: dict[Slot, Value | None] = {}
    for slot, value in yes.variables.items():
        other = no.variables[slot]
        variables[slot] = value if value is other else _either(condition, value, other)
    zones: dict[Slot, Contents] = {}
    for slot, contents in yes.zones.items():
        there = no.zones[slot]
        same = contents is there or contents == there
        zones[slot] = contents if same else Contents(None, _either(condition, contents.count, there.count), None)
    effects = tuple(dict.fromkeys((*yes.effects, *no.effects)))
    return replace(yes, variables=variables, zones=zones, effects=effects, lost={**no.lost, **yes.lost})


def _either(condition: Expr, yes: Value | None, no: Value | None) -> Value | None:
    if yes is None or no is None or yes == no:
        return None if yes is None or no is None else yes
    if yes.expr.type is Type.BOOL:
        return Value(choice(condition, yes.expr, no.expr))
    return operation("if", yes.expr.type, [Value(condition), yes, no])
