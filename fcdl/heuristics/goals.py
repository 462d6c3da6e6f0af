"""What a player should want: what the chart's goal line says; without one the score where a cycle changes it, otherwise
what the scores after the loop depend on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import product
from math import gcd

from fcdl.engines.asp.goals import find_goals as find_by_asp
from fcdl.heuristics.after import After, Case, changes, gains, natural_variables
from fcdl.heuristics.clock import work_left
from fcdl.heuristics.constants import Constants
from fcdl.heuristics.influence import Influence
from fcdl.heuristics.situation import Evaluator, Instance, UnclearError, is_unsaid
from fcdl.heuristics.symbols import ME, Linear, distance_of, linear, negated
from fcdl.heuristics.terms import Term, term_of
from fcdl.language import flowchart as fc
from fcdl.language.flow import reachable
from fcdl.language.flowchart import Expr, Type
from fcdl.language.loops import MainLoop, OutsideError, changes_score, live_variables, naming_variables, said_of
from fcdl.model.game import Game

MANY_INSTANCES = 30
NEGLIGIBLE = 0.01
"""What moves the scores by less is not wanted."""


@dataclass(frozen=True, slots=True)
class Goal:
    """I want more of `what` (less, if the factor is negative), where the conditions of the context hold.

    `final`: it counts as it is at the end of a cycle, however it was before: who wins the last trick.
    """

    factor: int
    what: Expr
    context: tuple[Expr, ...] = ()
    final: bool = False


@dataclass(frozen=True, slots=True)
class _Found:
    """A case that speaks for a goal."""

    size: int
    sign: int
    what: Expr
    conditions: frozenset[Expr]


class Goals:
    """The goals of a game, for every instance, and what to say about them."""

    def __init__(
        self,
        game: Game,
        main: MainLoop,
        constants: Constants,
        idle: frozenset[Goal] = frozenset(),
        *,
        stakes: frozenset[str] = frozenset(),
        last: bool = False,
    ) -> None:
        """`idle`: goals that come out the same on all paths. `last`: it counts only who is who at the end.

        `stakes`: variables that are no goals, as more of them is good for whoever wins and bad for the others.
        """
        self.game, self.main, self.idle, self.stakes, self.last = game, main, idle, stakes, last
        self.found_stakes: set[str] = set()
        """The stakes that were seen here."""
        self.notes: list[str] = []
        self.sign = -1 if game.flowchart.lowest_wins else 1
        self.said = game.flowchart.goals
        outside = frozenset(reachable([main.loop.head], main.after)) - main.loop.places
        scoring = [place for place in main.places.values() if changes_score(place.node)]
        self.inside = any(place.number in main.loop.places for place in scoring)
        after = [place for place in scoring if place.number in outside]
        if not scoring and not self.said:
            raise OutsideError("no score ever changes, so there is nothing to want")
        if self.inside and after and not self.said:
            self._note(after[0].node, "scores change here, too, after the cycle; that is left out")
        self.after = After(main, constants)
        stops = frozenset(n for n in outside if self.after.over(main.places[n]))
        leaving = [n for place in main.loop.exits for n in main.places[place].successors]
        live = live_variables(main, outside | main.loop.exits, stops)
        read = {name for place in main.loop.exits for name in live[place]}
        self.places = frozenset() if self.inside or self.said else outside - stops
        """What the goals come from."""
        self.following = frozenset(reachable(leaving, main.after, stop=stops.__contains__, known=main.loop.places))
        """What comes after the loop, up to the end of the hand."""
        self.alike = False
        """Whether all seats are known to be alike."""
        if self.said:
            mattering = {part.name or "" for goal in self.said for part in goal.what.walk()}
        else:
            mattering = read & self._mattering() if not self.inside else set()
        self.read = naming_variables(main, game.flowchart) & mattering
        """The variables naming players that are read there."""
        self._known: dict[Instance, tuple[Goal, ...]] = {}

    def _mattering(self) -> frozenset[str]:
        """The variables on which the scores after the loop may depend."""
        found, size = {"score"}, 0
        nodes = [self.main.places[n].node for n in self.places | self.main.loop.exits]
        asked = [node.condition for node in nodes if node.condition is not None]
        found |= {part.name or "" for expr in asked for part in expr.walk() if part.op == "variable"}
        while len(found) > size:
            size = len(found)
            for node in nodes:
                assigns = isinstance(node.statement, fc.Assign | fc.Choose) and node.statement.target.name in found
                if assigns or isinstance(node.statement, fc.Move):
                    found |= {part.name or "" for expr in node.exprs() for part in expr.walk() if part.op == "variable"}
        return frozenset(found)

    def _note(self, node: fc.Node, text: str) -> None:
        note = said_of(node, text)
        if note not in self.notes:
            self.notes.append(note)

    @property
    def naming(self) -> frozenset[str]:
        """The variables naming players on which the goals depend, but for those that a cycle changes itself."""
        return self._dependent - self._changing

    @cached_property
    def _dependent(self) -> frozenset[str]:
        """The variables naming players on which the goals depend; of many, those on which they may depend."""
        before, count = work_left(), self.game.players ** (len(self.read) + (not self.alike))
        self._of(next(iter(instances(self.game, self.read))))
        if before - work_left() > before / 2 / count:
            return self.read
        found = set()
        for name in self.read:
            by_others: dict[Instance, set[tuple[Goal, ...]]] = {}
            for instance in instances(self.game, self.read):
                if instance.me and self.alike:
                    continue
                others = replace(instance, seats=tuple(item for item in instance.seats if item[0] != name))
                by_others.setdefault(others, set()).add(self._of(instance))
            if any(len(goals) > 1 for goals in by_others.values()):
                found.add(name)
        return frozenset(found)

    @property
    def final(self) -> frozenset[str]:
        """The variables that should name somebody at the end."""
        goals = [goal for found in self._known.values() for goal in found if goal.final]
        return self.read & {part.name or "" for goal in goals for part in goal.what.walk()}

    def of(self, instance: Instance) -> tuple[Goal, ...]:
        """What to want in one instance, which has at least the variables of `naming`."""
        seats, changing = dict(instance.seats), sorted(self._dependent & self._changing)
        found: dict[tuple[Expr, tuple[Expr, ...], bool], int] = {}
        for others in product(range(self.game.players), repeat=len(changing)):
            seats.update(zip(changing, others, strict=True))
            for goal in self._of(
                Instance(instance.me, tuple((name, seats.get(name, 0)) for name in sorted(self.read)))
            ):
                key = goal.what, goal.context, goal.final
                found[key] = found.get(key, 0) + goal.factor
        goals = [Goal(factor, *key) for key, factor in found.items() if factor]
        return _normal(goals) if changing else tuple(goals)

    def _of(self, instance: Instance) -> tuple[Goal, ...]:
        if instance not in self._known:
            self._known[instance] = self._find(instance)
        return self._known[instance]

    def _find(self, instance: Instance) -> tuple[Goal, ...]:
        evaluator = Evaluator(self.game, instance)
        seats = range(self.game.players)
        if self.said:
            return tuple(goal for goal in said_goals(self.game, instance) if goal not in self.idle)
        if self.inside:
            return tuple(
                Goal(
                    self._sign(instance.me, seat),
                    Expr("playerVariable", Type.INT, (evaluator.who(seat).expr,), name="score"),
                )
                for seat in sorted(seats, key=evaluator.distance)
            )
        cases: list[tuple[int, Case]] = []
        own: list[Case] = []
        worth = Linear(0, {})
        for place in sorted(self.main.loop.exits):
            try:
                found_changes = changes(self.after, evaluator, self.main.places[place])[1]
                found_gains = gains(self.after, evaluator, self.main.places[place])
            except UnclearError as error:
                where = self.main.places[place if error.place is None else error.place]
                self._note(where.node, f"the scores after the cycle cannot be followed: {error}")
                continue
            for seat, found in found_gains.items():
                cases += [(self._sign(instance.me, seat), case) for case in found]
                worth = worth.plus(found_changes[seat], self._sign(instance.me, seat))
            own += found_gains[instance.me]
        moving = _moving(self.main, evaluator)
        self.found_stakes |= self._stakes(instance.me, own, moving)
        goals = self._without_stakes(_goals(cases, evaluator, moving))
        if not any(self._is_ours(goal) for goal in goals):
            goals = self._without_stakes(self._by_influence(worth)) or goals
        goals = [goal for goal in _normal(goals) if goal not in self.idle]
        return tuple(self._of_names(instance) if self.last else goals)

    def _stakes(self, me: int, own: Sequence[Case], moving: Iterable[Expr]) -> set[str]:
        """The variables of which I lose my own in some cases and win the others' in some only: chips in a pot."""
        ours = {(seat - me) % self.game.players for seat in _side(self.game, me)}
        lost, won = set(), set()
        for what in moving:
            if what.op != "playerVariable" or what.name == "score":
                continue
            if distance_of(what.args[0]) == 0 and any(self.sign * case.gain.parts.get(what, 0) < 0 for case in own):
                lost.add(what.name or "")
            elif distance_of(what.args[0]) not in ours:
                amounts = [
                    sum(self.sign * times for part, times in case.gain.parts.items() if what in part.walk())
                    for case in own
                    if case.gain.parts or case.gain.constant
                ]
                if any(amount > 0 for amount in amounts) and 0 in amounts:
                    won.add(what.name or "")
        return lost & won

    def _without_stakes(self, goals: Iterable[Goal]) -> list[Goal]:
        return [goal for goal in goals if not any(part.name in self.stakes for part in goal.what.walk())]

    def _of_names(self, instance: Instance) -> list[Goal]:
        """Whom a variable should name at the end: who wins the last trick wins the game."""
        found = []
        for name in sorted(self.read & self._changing):
            by_seat = self._by_name(instance, name)
            mine = _side(self.game, instance.me)
            ours = [worth for seat, worth in by_seat.items() if seat in mine]
            theirs = [worth for seat, worth in by_seat.items() if seat not in mine]
            if not ours or not theirs:
                continue
            gain = sum(ours) / len(ours) - sum(theirs) / len(theirs)
            if gain:
                found.append(Goal(1 if gain > 0 else -1, self._is_mine(name), (), final=True))
        return found

    def _is_mine(self, name: str) -> Expr:
        """1 if a variable names me or a partner of mine, else -1."""
        kind = self.game.flowchart.variables[name].type
        variable = Expr("variable", kind, name=name)
        player = variable if kind is Type.PLAYER else Expr("player", Type.PLAYER, (variable,))
        op = "sameTeam" if self.game.flowchart.teams else "equal"
        test = Expr(op, Type.BOOL, (player, ME))
        return Expr("if", Type.INT, (test, *(Expr("const", Type.INT, value=value) for value in (1, -1))))

    def _by_name(self, instance: Instance, name: str) -> dict[int, int]:
        """The points that are sure for my side if a variable names each of the players."""
        found = {}
        for seat in range(self.game.players):
            seats = tuple((other, seat if other == name else where) for other, where in instance.seats)
            evaluator = Evaluator(self.game, Instance(instance.me, seats))
            total = 0
            for place in sorted(self.main.loop.exits):
                try:
                    _, points = changes(self.after, evaluator, self.main.places[place])
                except UnclearError:
                    continue
                total += sum(self._sign(instance.me, one) * change.constant for one, change in points.items())
            found[seat] = total
        return found

    def _sign(self, me: int, seat: int) -> int:
        """1 if I want a player's points, -1 if I do not."""
        return self.sign if seat in _side(self.game, me) else -self.sign

    def _is_ours(self, goal: Goal) -> bool:
        """Whether a goal is about me, or about nobody else alone."""
        seats = {distance for part in goal.what.walk() if (distance := distance_of(part)) is not None}
        return not seats or 0 in seats

    def _by_influence(self, worth: Linear) -> list[Goal]:
        """What moves the scores after the loop up or down, roughly."""
        influence = Influence(self.game.flowchart, natural_variables(self.game.flowchart), self._moves)
        found = influence.slopes(worth.expr).items()
        slopes = {what: slope for what, slope in found if abs(slope) > NEGLIGIBLE and not is_unsaid(what)}
        least = min(map(abs, slopes.values()), default=1.0)
        return [Goal(round(slope / least), what) for what, slope in slopes.items()]

    def _moves(self, part: Expr) -> bool:
        """Whether the cycle may change a variable or a zone."""
        return (
            part.op in ("variable", "playerVariable", "zone", "cardsRemaining")
            and (part.name or "hand") in self._changing
        )

    @cached_property
    def _changing(self) -> frozenset[str]:
        """The variables and zones that the cycle changes."""
        found = set()
        for n in self.main.loop.places:
            statement = self.main.places[n].node.statement
            if isinstance(statement, fc.Assign | fc.Choose):
                found.add(statement.target.name)
            elif isinstance(statement, fc.Play | fc.Move | fc.Pick | fc.TakeSet):
                found |= {statement.source.name or "", statement.target.name or ""}
        return frozenset(found)


def said_goals(game: Game, instance: Instance | None = None) -> tuple[Goal, ...]:
    """What the chart's goal line says that I want, less of it for the others, more of it for my partners."""
    instance = instance or Instance(0, ())
    evaluator, found = Evaluator(game, instance), Linear(0, {})
    start, ours = evaluator.start(0), _side(game, instance.me)
    for seat in sorted(range(game.players), key=evaluator.distance):
        for wish in game.flowchart.goals:
            what = evaluator.value(wish.what, start, {}, {"me": evaluator.who(seat)}).expr
            found = found.plus(linear(what), wish.sign if seat in ours else -wish.sign)
    return _normal([Goal(factor, what) for what, factor in found.parts.items()])


def _side(game: Game, me: int) -> tuple[int, ...]:
    """My partners and me."""
    return next((side for side in game.sides if me in side), (me,))


def instances(game: Game, names: Iterable[str]) -> Iterable[Instance]:
    """Every seat for me and for each of the variables."""
    ordered = sorted(names)
    for me, *seats in product(range(game.players), repeat=1 + len(ordered)):
        yield Instance(me, tuple(zip(ordered, seats, strict=True)))


def _moving(main: MainLoop, evaluator: Evaluator) -> list[Expr]:
    """The numbers that the cycle may change."""
    found: dict[Expr, None] = {}
    start = evaluator.start(0)
    for n in sorted(main.loop.places):
        statement = main.places[n].node.statement
        if isinstance(statement, fc.Assign):
            for slot, value in start.variables.items():
                if slot[0] == statement.target.name and value is not None and value.expr.type is Type.INT:
                    found[value.expr] = None
        if isinstance(statement, fc.Play | fc.Move):
            for slot, contents in start.zones.items():
                if slot[0] == "hand" and contents.count is not None:
                    found[contents.count.expr] = None
    return list(found)


def _goals(cases: Sequence[tuple[int, Case]], evaluator: Evaluator, moving: Collection[Expr]) -> list[Goal]:
    """What the cases say: by the conditions that make the score change, and by what it changes with."""
    game = evaluator.game
    by_term = {term_of(expr, game): expr for expr in moving}
    exprs = {str(term): expr for term, expr in by_term.items()}
    natural = natural_variables(game.flowchart)
    never_negative = [
        term for term, expr in by_term.items() if expr.op == "cardsRemaining" or (expr.name in natural and expr.name)
    ]
    gaining = [(sign * case.gain.constant, case) for sign, case in cases if case.gain.constant]
    properties = dict(exprs)
    for _, case in gaining:
        properties.update(_distances(case.conditions, evaluator))
    terms: dict[Expr, Term] = {}
    for condition in (condition for _, case in gaining for condition in case.conditions):
        if condition not in terms:
            terms[condition] = term_of(condition, game)
    facts = [(gain, [terms[condition] for condition in case.conditions]) for gain, case in gaining]
    found = []
    for number, sign, text in sorted(find_by_asp(facts, list(by_term), never_negative)):
        gain, case = gaining[number]
        found.append(_Found(abs(gain), sign, properties[text], frozenset(case.conditions)))
    goals = _with_contexts(found, moving)
    for expr in moving:
        amounts = {sign * case.gain.parts.get(expr, 0) for sign, case in cases if expr in case.gain.parts}
        if len(amounts) == 1:
            goals.append(Goal(amounts.pop(), expr))
    return goals


def _distances(conditions: Iterable[Expr], evaluator: Evaluator) -> dict[str, Expr]:
    found = {}
    for condition in conditions:
        for part in condition.walk():
            if part.op == "equal" and part.args[0].type is Type.INT:
                a, b = (str(term_of(arg, evaluator.game)) for arg in part.args)
                apart = Expr("subtract", Type.INT, part.args)
                found[f"distance({a},{b})"] = Expr("absolute", Type.INT, (apart,))
    return found


def _with_contexts(found: Sequence[_Found], moving: Collection[Expr]) -> list[Goal]:
    """Goals, each with those conditions that hold in all of its cases and not in those of some other goal."""
    groups: dict[Expr, list[_Found]] = {}
    for item in found:
        groups.setdefault(item.what, []).append(item)
    shared = {what: frozenset.intersection(*(item.conditions for item in items)) for what, items in groups.items()}
    goals = []
    for what, items in groups.items():
        context = tuple(
            condition
            for condition in shared[what]
            if not any(part in moving for part in condition.walk())
            and any(negated(condition) in others for others in shared.values())
        )
        largest = max(item.size for item in items)
        goals.append(Goal(items[0].sign * largest, what, context))
    return goals


def _normal(goals: Sequence[Goal]) -> tuple[Goal, ...]:
    """Only the proportions matter: factors without a common divisor."""
    divisor = reduce(gcd, (goal.factor for goal in goals), 0) or 1
    return tuple(replace(goal, factor=goal.factor // divisor) for goal in goals)
