"""What happens to the scores between the main loop and the end of the hand, as expressions and as cases."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from fcdl.heuristics.clock import tick
from fcdl.heuristics.constants import Constants
from fcdl.heuristics.situation import Evaluator, UnclearError, is_unsaid
from fcdl.heuristics.symbols import Linear, flattened, linear, negated
from fcdl.heuristics.together import Together
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import Expr, NodeKind, Type
from fcdl.language.loops import MainLoop, Place, meeting_places

MAX_CASES = 200


@dataclass(frozen=True, slots=True)
class Case:
    """In the cases in which these conditions hold the score changes by a number and by multiples of properties."""

    conditions: tuple[Expr, ...]
    gain: Linear


class After:
    """What comes after a main loop: up to the end of the game, or to where cards are gathered or played again."""

    def __init__(self, main: MainLoop, constants: Constants) -> None:
        self.main, self.constants = main, constants
        self.places = frozenset(main.places) - main.loop.places
        self.meeting = meeting_places(main, self.places, self.over)

    def over(self, place: Place) -> bool:
        """Whether nothing is followed any more there."""
        return (
            place.number in self.main.loop.places
            or (place.node.kind is NodeKind.END and place.next is None)
            or isinstance(place.node.statement, fc.Gather | fc.Play | fc.Pick | fc.TakeSet)
        )


def gains(after: After, evaluator: Evaluator, leaving: Place) -> Mapping[int, list[Case]]:
    """How each seat's score changes when the main loop is left at a diamond; UnclearError if that cannot be said."""
    test, found = changes(after, evaluator, leaving)
    return {
        seat: [Case((*test, *case.conditions), case.gain) for case in _cases(change, evaluator.chart)]
        for seat, change in found.items()
    }


def changes(after: After, evaluator: Evaluator, leaving: Place) -> tuple[list[Expr], dict[int, Linear]]:
    """The conditions under which the main loop is left at a diamond, and by how much each seat's score changes then."""
    main = after.main
    start = after.constants.start(evaluator, leaving.number)
    assert leaving.node.condition is not None
    asked = evaluator.value(leaving.node.condition, start, {})
    stays = leaving.yes in main.loop.places
    test = negated(asked.expr) if stays else asked.expr
    out = leaving.no if stays else leaving.yes
    assert out is not None
    run = Together(main.places, evaluator, after.meeting, after.over)
    end = run.run(replace(start, place=out), {})
    found = {}
    for seat in range(evaluator.game.players):
        value = end.variables["score", seat]
        before = start.variables["score", seat]
        assert before is not None
        if value is None:
            raise UnclearError("the score is not known before")
        if is_unsaid(value.expr) and ("score", seat) in end.lost:
            place, reason = end.lost["score", seat]
            raise UnclearError(reason, place)
        change = linear(value.expr).plus(linear(before.expr), -1)
        found[seat] = Linear(change.constant, {e: k for e, k in change.parts.items() if e != before.expr})
    return flattened("and", test), found


# Cases


def _cases(gain: Linear, chart: fc.Flowchart) -> list[Case]:
    """One case for each answer of the conditions that a change depends on."""
    pending, found = [Case((), gain)], []
    while pending:
        tick()
        case = pending.pop()
        split = next((part for part in case.gain.parts if _split(part, chart) is not None), None)
        if split is None:
            found.append(case)
            continue
        times = case.gain.parts[split]
        rest = case.gain.plus(Linear(0, {split: times}), -1)
        condition, yes, no = _split(split, chart) or (split, split, split)
        for conditions, part in ((_told(condition), yes), (_told(negated(condition)), no)):
            pending += [Case((*case.conditions, *one), rest.plus(linear(part), times)) for one in conditions]
        if len(pending) + len(found) > MAX_CASES:
            raise UnclearError("the score depends on too many conditions")
    return found


def _told(condition: Expr) -> list[tuple[Expr, ...]]:
    """The paths in which a condition can be true, as far as `if` makes them different."""
    paths: list[tuple[Expr, ...]] = [()]
    for part in flattened("and", condition):
        if part.op == "if":
            test, yes, no = part.args
            options = [(test, *one) for one in _told(yes)] + [(negated(test), *one) for one in _told(no)]
        else:
            options = [(part,)]
        paths = [(*path, *option) for path in paths for option in options]
    return paths


def _split(part: Expr, chart: fc.Flowchart) -> tuple[Expr, Expr, Expr] | None:
    """`if(c, a, b)`; a product of it with what is never negative counts as 1 or -1 where its sign follows from c."""
    if part.op == "if":
        condition, yes, no = part.args
        return condition, yes, no
    factors = flattened("multiply", part)
    for factor in factors if len(factors) > 1 else ():
        if factor.op == "if" and all(arg.op == "const" for arg in factor.args[1:]):
            if_so, if_not = (arg.value or 0 for arg in factor.args[1:])
            others = [other for other in factors if other is not factor]
            if if_so * if_not <= 0 and all(never_negative(other, chart) for other in others):
                return factor.args[0], _sign(if_so), _sign(if_not)
    return None


def _sign(value: int) -> Expr:
    return Expr("const", Type.INT, value=(value > 0) - (value < 0))


def never_negative(expr: Expr, chart: fc.Flowchart, natural: Collection[str] = ()) -> bool:
    """Whether a number is never below 0, as far as can be seen; `natural` are variables that are known not to be."""
    match expr.op, expr.args:
        case "const", ():
            return (expr.value or 0) >= 0
        case (("absolute" | "count" | "countOf" | "cardsRemaining" | "listSize"), _):
            return True
        case (("add" | "multiply" | "minimum" | "divide"), args):
            return all(never_negative(arg, chart, natural) for arg in args)
        case "maximum", args:
            return any(never_negative(arg, chart, natural) for arg in args)
        case "if", (_, yes, no):
            return never_negative(yes, chart, natural) and never_negative(no, chart, natural)
        case "sum", (_, _, value):
            return never_negative(value, chart, natural)
        case (("variable" | "playerVariable"), _):
            return expr.name in natural
        case "local", ():
            return (expr.name or "").endswith("Choice") and not any(
                isinstance(node.statement, fc.Choose) and _may_be_negative(node.statement.values)
                for node in chart.nodes.values()
            )
        case "table", _:
            table = chart.tables[expr.name or ""]
            return min(0, table.otherwise, *table.cards.values(), *table.ranks.values(), *table.suits.values()) == 0
    return False


def natural_variables(chart: fc.Flowchart) -> frozenset[str]:
    """The variables to which nothing negative is ever assigned."""
    assigned: dict[str, list[Expr | None]] = {variable.name: [] for variable in chart.variables.values()}
    for node in chart.nodes.values():
        if isinstance(node.statement, fc.Assign):
            assigned[node.statement.target.name].append(node.statement.value)
        elif isinstance(node.statement, fc.Choose) and _may_be_negative(node.statement.values):
            assigned[node.statement.target.name].append(None)
    found = {name for name, variable in chart.variables.items() if (variable.initial or 0) >= 0}
    while True:
        negative = {
            name
            for name in found
            if any(value is None or not never_negative(value, chart, found) for value in assigned[name])
        }
        if not negative:
            return frozenset(found)
        found -= negative


def _may_be_negative(values: Expr) -> bool:
    """Whether a number below 0 may be chosen."""
    if values.op == "those":
        return _may_be_negative(values.args[0])
    if values.op == "range":
        return values.args[0].op != "const" or (values.args[0].value or 0) < 0
    items = [item.args[1] if item.op == "when" else item for item in values.args] if values.op == "values" else []
    return any(
        _may_be_negative(item) if item.op == "range" else item.op != "const" or (item.value or 0) < 0 for item in items
    )
