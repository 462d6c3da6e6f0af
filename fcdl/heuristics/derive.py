"""From a game to its heuristics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import Any, TypeVar

from fcdl.engines.asp.program import GaveUpError
from fcdl.engines.asp.proof import counterexample
from fcdl.heuristics.clock import LESS, TOO_LARGE, OutOfTimeError, limited
from fcdl.heuristics.constants import Constants
from fcdl.heuristics.definitions import Definitions
from fcdl.heuristics.english import DONE, words
from fcdl.heuristics.goals import MANY_INSTANCES, Goal, Goals, instances
from fcdl.heuristics.paths import Arrow, Condition, End, Step, arrows_to, ends, legality, paths_through, reaching, said
from fcdl.heuristics.situation import (
    NO_PLACE,
    NOT_KNOWN_BEFORE,
    Evaluator,
    Facts,
    Instance,
    Parameter,
    Situation,
    UnclearError,
    is_unsaid,
)
from fcdl.heuristics.symbols import ME, Linear, distance_of, flattened, linear, negated
from fcdl.heuristics.terms import Term, term_of
from fcdl.heuristics.walk import ENDLESS, Walker
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import TRUE, Expr, Node, Type
from fcdl.language.loops import (
    MainLoop,
    OutsideError,
    changes_score,
    live_variables,
    main_loop,
    meeting_places,
    naming_variables,
    said_of,
    whole_hand,
)
from fcdl.model.game import Game
from fcdl.model.static import NotStaticError

_T = TypeVar("_T")
MAX_INSTANCES = 5000
OTHERS, OURS = -1, -2
"""Whom a variable names, if it is one of several others, or me or a partner."""
WHOLE = 0.7
"""Part of the work that may be done at the first try, with whole cycles; the rest is for other ones."""
SAY_THE_GOAL = "a line in the chart can say what to want: 'goal more tricks(me)'"
UNCHANGED = "what the goal line says does not change in play, as far as it can be followed"
AT_STAKE = "what the players {} goes to whoever wins, so the rules alone do not say what a bet is worth"
SIMPLER = "a turn with fewer decisions, or with fewer cases after them, can be followed"
_INSTEAD = {
    NO_PLACE: "places with a fixed number, or of a player whom a variable names, can be followed",
    NOT_KNOWN_BEFORE: "a 'goal' line about how many cards there are, not which, can be followed: "
    "'goal fewer cardsRemaining(me)'",
    UNCHANGED: "name something that a move changes: tricks(me), cardsRemaining(me), count(won(me))",
}
"""What to write instead, by the reason why something cannot be followed."""
MANY_TO_READ = 60
"""Of more heuristics than this, if paths are kept apart, the page tells what single decisions do."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a path is about, in short, for those who read it.

    `mine`: the answers that concern me; `settled`: those that the worth depends on. `outcome`: variables and the player
    whom they name at the end, as seats after me, OTHERS or OURS. `effects`: from which zones cards came into
    whose hand. `merged`: whether several paths are one here, so that the conditions say much that this does not.
    """

    mine: tuple[Condition, ...]
    settled: tuple[Condition, ...]
    outcome: tuple[tuple[str, int], ...]
    effects: tuple[tuple[str, int], ...]
    merged: bool


@dataclass(frozen=True, slots=True)
class Heuristic:
    """Under these conditions a cycle is worth `weight` to me.

    Each condition has a `test` and the heuristic has its `worth` as expressions of the chart's language. They are to be
    evaluated in a position in which a cycle begins (before its first decision), with these values for their `local`
    parts: `me`, the seat whose heuristic it is, and the `parameters`, the cards and choices of the cycle in the order
    in which they are made; each says who makes it. Nothing else is needed, but hands of all players are looked at.
    `weight` is None if the worth is not a fixed number; `worth` is None, too, if it is not known.
    `start` is the node at which such a cycle begins, `arrows` are those of the chart that it takes.
    Numbers count from 1; paths that are worth nothing have 0.
    """

    number: int
    weight: int | None
    worth: Expr | None
    conditions: tuple[Condition, ...]
    parameters: tuple[Parameter, ...]
    start: int
    summary: Summary
    arrows: frozenset[Arrow] = field(default=frozenset(), repr=False, compare=False)

    @property
    def leads(self) -> bool:
        """Whether I make the first decision of the cycle."""
        return self.parameters[:1] != () and self.parameters[0].distance == 0


@dataclass(frozen=True, slots=True)
class Heuristics:
    """What was derived from a game.

    `goals`: what I want. `neutral`: the paths that are worth nothing, which are no heuristics; with them exactly one
    path fits every cycle. `open`: paths of which the worth is not known. `starts`: the nodes at which cycles begin, the
    main loop's first. `notes`: what the method left out, and why. `instances`: for each, who is who.
    `definitions`: those of the chart, to name conditions by. `later`: variables that name the
    right player only after the cycles. `short`: what single decisions do, to read instead of all.
    """

    game: Game
    goals: tuple[Goal, ...]
    heuristics: tuple[Heuristic, ...]
    neutral: tuple[Heuristic, ...]
    open: tuple[Heuristic, ...]
    starts: tuple[Node, ...]
    notes: tuple[str, ...]
    instances: tuple[tuple[int, frozenset[Term]], ...] = field(repr=False)
    definitions: Definitions = field(repr=False, compare=False)
    later: frozenset[str] = frozenset()
    short: Heuristics | None = field(default=None, repr=False, compare=False)

    @staticmethod
    def of_goals(game: Game, goals: tuple[Goal, ...]) -> Heuristics:
        """Only what to want."""
        return Heuristics(game, goals, (), (), (), (), (), (), Definitions(game, ()))

    def rows(self) -> list[dict[str, Any]]:
        """Each heuristic as JSON has it; a weight that is not a number is a term of the cards."""
        from fcdl.heuristics.terms import term_of
        from fcdl.heuristics.words import sentence

        return [
            {
                "id": one.number,
                "weight": one.weight
                if one.weight is not None or one.worth is None
                else str(term_of(one.worth, self.game)),
                "conditions": [str(condition) for condition in one.conditions],
                "sentence": sentence(self, one),
            }
            for one in self.heuristics
        ]

    def __str__(self) -> str:
        """A page to read."""
        from fcdl.heuristics.words import describe

        return describe(self)


@dataclass(frozen=True, slots=True)
class _Start:
    """Where a cycle begins: a place, who is who there, and what else is known."""

    place: int
    instance: Instance
    values: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class _Path:
    """A path before it is merged with those of other instances."""

    start: int
    me: int
    worth: Linear | None
    conditions: tuple[Condition, ...]
    parameters: tuple[Parameter, ...]
    summary: Summary
    arrows: frozenset[Arrow]


def derive(game: Game, *, work: int | None = None, seconds: float | None = None) -> Heuristics:
    """All heuristics of a game; OutsideError says why, and at which node, there are none.

    OutOfTimeError, one of these, if it is more work or takes more time than it may.
    """
    main, hand = main_loop(game.flowchart), whole_hand(game.flowchart)
    cycles = [main] if main.loop == hand.loop else [hand, main] if main.left_out else [main, hand]
    ways = [(cycle, merged) for cycle in cycles for merged in ((False, True) if game.players == 2 else (True,))]
    constants = _constants(game, main, work, seconds)
    reasons: dict[bool, OutsideError] = {}
    found: Heuristics | None = None
    for number, (cycle, merged) in enumerate(ways):
        try:
            part = WHOLE if not number else (1 - WHOLE) / len(ways)
            another = _within(part, work, seconds, partial(_derived, game, cycle, constants, merged=merged))
        except OutsideError as error:
            reasons.setdefault(cycle is main, error)
            continue
        if merged or len(another.heuristics) <= MANY_TO_READ:
            return another
        found = another
        break
    try:
        left = (1 - WHOLE) / (len(ways) if found is None else 1)
        single = _within(left, work, seconds, partial(_by_decisions, game, main if found is None else cycle, constants))
        return single if found is None else replace(found, short=single)
    except OutsideError as error:
        if found is not None:
            return found
        raise _placed(reasons.get(True, error), game, main) from None


def _placed(error: OutsideError, game: Game, main: MainLoop) -> OutsideError:
    """A refusal with its line and with what to write instead."""
    node, reason, hint = error.node, error.reason, error.hint or _INSTEAD.get(error.reason)
    if node is None:
        asks = hint == SAY_THE_GOAL
        places = [main.places[n] for n in sorted(main.places if asks else main.loop.places)]
        node = next((p.node for p in places if (changes_score(p.node) if asks else p.node.is_decision)), None)
    if reason == TOO_LARGE:
        hint = SIMPLER if game.flowchart.goals else LESS
    kind = OutOfTimeError if isinstance(error, OutOfTimeError) else OutsideError
    return kind(reason, node, hint=hint)


def _constants(game: Game, main: MainLoop, work: int | None, seconds: float | None) -> Constants:
    """What variables always are, if that is found in a tenth of the work; otherwise nothing is known of them."""
    try:
        return _within(0.1, work, seconds, partial(Constants, game, main.places))
    except OutsideError:
        return Constants(game, {})


def _within(part: float, work: int | None, seconds: float | None, find: Callable[[], _T]) -> _T:
    """What is found in a part of the work and the time there is."""
    try:
        with limited(None if work is None else int(part * work), None if seconds is None else part * seconds):
            return find()
    except GaveUpError:
        raise OutOfTimeError(TOO_LARGE, hint=LESS) from None
    except RecursionError:
        raise OutsideError("what a cycle does to the cards cannot be said: expressions get too deep") from None
    except (AssertionError, AttributeError, LookupError, TypeError) as error:
        raise OutsideError(f"fcdl cannot follow this chart, which is a fault of fcdl ({error!r})") from error


def partners(game: Game) -> set[int | None]:
    """How many seats after me my side sits, me included, if that is the same for all."""
    found = [{(seat - me) % game.players for seat in side} for side in game.sides for me in side]
    return set(found[0]) if all(one == found[0] for one in found) else {0}


def contradiction(derived: Heuristics) -> tuple[str, ...] | None:
    """A cycle to which none or several of the paths apply, found by ASP; None is the proof that there is none."""
    everything = (*derived.heuristics, *derived.neutral, *derived.open)
    for start in derived.starts:
        paths = [
            tuple([part.term for part in path.conditions if part.kind == kind] for kind in ("who", "asked"))
            for path in everything
            if path.start == start.number
        ]
        names = [terms for node, terms in derived.instances if node == start.number]
        if found := counterexample([(who, asked) for who, asked in paths], names):
            return found
    return None


def _derived(game: Game, main: MainLoop, constants: Constants, *, merged: bool) -> Heuristics:
    """The heuristics of a main loop; goals that come out the same whatever is done are left out.

    `merged`: paths are one where they come to the same.
    """
    derivation, idle, last = _Derivation(game, main, constants, merged=merged), frozenset[Goal](), False
    stakes = frozenset[str]()
    while True:
        goals = derivation.walk_all()
        if derivation.goals.found_stakes - stakes:
            stakes |= derivation.goals.found_stakes
            derivation = _Derivation(game, main, constants, idle, stakes=stakes, last=last, merged=merged)
            continue
        more = derivation.idle() - idle
        if more or (not goals and not last):
            idle |= more
            last = last or not derivation.changes.keys() - idle
            derivation = _Derivation(game, main, constants, idle, stakes=stakes, last=last, merged=merged)
            continue
        return derivation.result(goals)


def _by_decisions(game: Game, main: MainLoop, constants: Constants) -> Heuristics:
    """The heuristics of cycles that have one decision only, where whole cycles are too much."""
    decisions = [n for n in sorted(main.loop.places) if main.places[n].node.is_decision]
    found = []
    for number in decisions:
        others = frozenset({main.loop.head, *decisions}) - {number}
        loop = replace(main.loop, head=number)
        try:
            single = replace(main, loop=loop, closing=main.closing | others)
            found.append(_derived(game, single, constants, merged=game.players > 2))
        except OutsideError:
            continue
    if not found:
        raise OutsideError("no decision by itself changes what the players want")
    every = [heuristic for one in found for heuristic in one.heuristics]
    return replace(
        found[0],
        goals=tuple(dict.fromkeys(goal for one in found for goal in one.goals)),
        heuristics=tuple(replace(heuristic, number=number) for number, heuristic in enumerate(every, start=1)),
        neutral=tuple(heuristic for one in found for heuristic in one.neutral),
        open=tuple(heuristic for one in found for heuristic in one.open),
        starts=tuple(dict.fromkeys(start for one in found for start in one.starts)),
        notes=("the cycles are too long to be followed whole; each decision is looked at by itself",),
        instances=tuple(instance for one in found for instance in one.instances),
    )


class _Derivation:
    """The derivation of one game's heuristics."""

    def __init__(
        self,
        game: Game,
        main: MainLoop,
        constants: Constants,
        idle: frozenset[Goal] = frozenset(),
        *,
        stakes: frozenset[str] = frozenset(),
        last: bool = False,
        merged: bool,
    ) -> None:
        self.game = game
        self.main, self.constants = main, constants
        self.merged = merged
        self.goals = Goals(game, main, constants, idle, stakes=stakes, last=last)
        self.changes: dict[Goal, set[object]] = {}
        self.complete = True
        loop = self.main.loop
        stops = {loop.head, *self.main.closing}
        self.live = live_variables(self.main, loop.places, stops, self.goals.read if last else frozenset())
        self.meeting = meeting_places(self.main, loop.places, lambda place: place.number in stops)
        self.naming = naming_variables(self.main, game.flowchart)
        self.notes = [
            said_of(place.node, "this is decided outside the main loop and left out") for place in self.main.left_out
        ]
        self.paths: list[_Path] = []
        self.reasons: list[tuple[Node, str]] = []
        self.who: dict[_Start, set[Term]] = {}
        self._plain: dict[tuple[_Start, tuple[tuple[Expr, bool], ...]], list[Step]] = {}

    def idle(self) -> frozenset[Goal]:
        """The goals that come out the same on all paths."""
        return frozenset(
            goal for goal, found in self.changes.items() if len(found) == 1 and len(self.paths) > 1 and not goal.final
        )

    def result(self, goals: tuple[Goal, ...]) -> Heuristics:
        """Everything that can be derived."""
        seats = self.game.players if self.complete else len({path.me for path in self.paths})
        merged = list(_merge(self.paths, 1 if self._seats_are_alike() else seats))
        merged.sort(key=lambda path: _order(path, self.game))
        known = [path for path in merged if path.worth is not None]
        good = [path for path in known if path.weight != 0]
        if not good or (self.reasons and not any(map(_is_advice, good))):
            self._refuse(goals)
        return Heuristics(
            self.game,
            goals,
            tuple(replace(path, number=number) for number, path in enumerate(good, start=1)),
            tuple(path for path in known if path.weight == 0),
            tuple(path for path in merged if path.worth is None),
            tuple(self.game.flowchart.nodes[n] for n in dict.fromkeys(path.start for path in self.paths)),
            tuple(dict.fromkeys([*self.notes, *self.goals.notes, *(said_of(node, why) for node, why in self.reasons)])),
            tuple((self.main.places[start.place].node.number, frozenset(terms)) for start, terms in self.who.items()),
            Definitions(self.game, self._changed()),
            self.naming & frozenset(self._assigned(self.goals.following)),
        )

    def _changed(self) -> Iterator[str]:
        """The variables that a cycle changes."""
        return self._assigned(self.main.loop.places)

    def _assigned(self, places: Iterable[int]) -> Iterator[str]:
        for number in places:
            statement = self.main.places[number].node.statement
            if isinstance(statement, fc.Assign | fc.Choose):
                yield statement.target.name

    def _refuse(self, goals: Sequence[Goal]) -> None:
        if self.goals.stakes and not goals:
            raise OutsideError(AT_STAKE.format(_put_in(min(self.goals.stakes))), hint=SAY_THE_GOAL)
        if self.reasons:
            node, why = self.reasons[0]
            raise OutsideError(why, node)
        if self.goals.said:
            raise OutsideError(UNCHANGED)
        if not goals:
            raise OutsideError("what to want does not follow from how the scores change", hint=SAY_THE_GOAL)
        raise OutsideError("no path through a cycle changes what the players want")

    # Walking

    def walk_all(self) -> tuple[Goal, ...]:
        """Walks from every start, or from as many as there is time for; returns all goals there are."""
        head = self.main.loop.head
        self.goals.alike = alike = self._seats_are_alike()
        names = self.naming & self.live[head] - self.constants.nobody(head) | self.goals.naming | self.goals.final
        if self.game.players ** (1 + len(names)) > MAX_INSTANCES:
            raise OutsideError(f"too many variables name players: {', '.join(sorted(names))}")
        pending = [_Start(head, one) for one in instances(self.game, names) if one.me == 0 or not alike]
        if len(pending) > MANY_INSTANCES:
            pending.sort(key=lambda start: sum(seat != start.instance.me for _, seat in start.instance.seats))
        seen = set(pending)
        found: dict[Goal, None] = {}
        while pending:
            start = pending.pop(0)
            goals = self.goals.of(start.instance)
            named = self._named_by_goals(start.instance, Evaluator(self.game, start.instance))
            who = tuple(condition.test for condition in named)
            found.update((replace(goal, context=(*who, *goal.context)), None) for goal in goals)
            try:
                following = self._walk(start, goals)
            except OutOfTimeError:
                if not self.paths:
                    raise
                self.complete = False
                self.notes.append("there are too many cases; only those looked at in the time are told")
                break
            for more in following:
                if more not in seen:
                    seen.add(more)
                    pending.append(more)
        return tuple(found)

    def _seats_are_alike(self) -> bool:
        """Whether nothing in the cycle, nor what the goals come from, says who somebody is by a number."""
        loop = self.main.loop
        variables = self.game.flowchart.variables
        read = self.naming & self.live[loop.head] | self.goals.read
        if any(variables[name].type is not Type.PLAYER for name in read):
            return False
        asking = {*self.main.closing, *({loop.head} & loop.exits)}
        places = {*loop.places, *self.goals.places} - asking
        exprs = (part for n in places for expr in self.main.places[n].node.exprs() for part in expr.walk())
        return not any(
            part.op in ("player", "const") and part.type is Type.PLAYER and self._is_seat(part) for part in exprs
        )

    def _is_seat(self, expr: Expr) -> bool:
        try:
            return self.game.static(expr) >= 0
        except NotStaticError:
            return False

    def _walk(self, start: _Start, goals: Sequence[Goal]) -> list[_Start]:
        """All paths from one start; returns the starts at which they end, if those are not the main loop's."""
        evaluator = Evaluator(self.game, start.instance)
        contexts = list(dict.fromkeys(_positive(c) for goal in goals for c in goal.context))
        following: list[_Start] = []
        for answers in product((True, False), repeat=len(contexts)):
            facts = dict(zip(contexts, answers, strict=True))
            valid = [goal for goal in goals if all(facts[_positive(c)] == (c in facts) for c in goal.context)]
            scales = _Scales(evaluator, valid, self.constants.start(evaluator, start.place))
            steps = self._steps(start, facts, scales)
            asked = [
                *self._named_by_goals(start.instance, evaluator),
                *(_asked(c if answer else negated(c), self.game) for c, answer in facts.items()),
            ]
            self._add(start, steps, scales, asked)
            for goal, changes in scales.changes.items():
                self.changes.setdefault(goal, set()).update(changes)
            following += self._following(start, steps)
        return following

    def _steps(self, start: _Start, facts: Facts, scales: _Scales) -> list[Step]:
        """All paths from a start. Who is named only by the goals changes nothing but what is asked at the ends."""
        seats = tuple(item for item in start.instance.seats if item[0] in self.live[start.place])
        if seats == start.instance.seats:
            return self._walked(start, facts, scales.question)
        plain = replace(start, instance=Instance(start.instance.me, seats))
        key = plain, tuple(facts.items())
        if key not in self._plain:
            self._plain[key] = self._walked(plain, facts, lambda at: None)
        whole = [end for end in ends(self._plain[key]) if end.reason is None]
        if any(scales.question(end.at) is not None for end in whole):
            return self._walked(start, facts, scales.question)
        return self._plain[key]

    def _walked(self, start: _Start, facts: Facts, asks: Callable[[Situation], Expr | None]) -> list[Step]:
        evaluator = Evaluator(self.game, start.instance)
        begin = self.constants.start(evaluator, start.place)
        walker = Walker(self.main, evaluator, begin, self.live, self.meeting, asks, merging=self.merged)
        return walker.walk(facts, dict(start.values))

    def _named_by_goals(self, instance: Instance, evaluator: Evaluator) -> list[Condition]:
        """Who is who among those on whom the goals depend."""
        found = []
        for name, seat in instance.seats:
            if name in self.goals.naming:
                variable = Expr("variable", self.game.flowchart.variables[name].type, name=name)
                player = variable if variable.type is Type.PLAYER else Expr("player", Type.PLAYER, (variable,))
                test = Expr("equal", Type.BOOL, (player, evaluator.who(seat).expr))
                found.append(Condition("who", test, term_of(test, self.game)))
        return found

    def _add(self, start: _Start, steps: Sequence[Step], scales: _Scales, asked: Sequence[Condition]) -> None:
        node = self.main.places[start.place].node.number
        me = start.instance.me
        who = said(steps, "who")
        named = [*who, *(condition for condition in asked if condition.kind == "who")]
        self.who.setdefault(start, {_seat_term(me)}).update(condition.term for condition in named)
        if not self.merged:
            for told, end in paths_through(steps):
                summary = self._summary(asked, [end], [])
                arrows = arrows_to(steps, [end].__contains__)
                worth = scales.worth(end)
                self.paths.append(_Path(node, me, worth, (*asked, *told), end.at.parameters, summary, arrows))
            return
        groups: dict[object, list[End]] = {}
        for end in ends(steps):
            groups.setdefault((scales.key(end), end.mine, end.at.parameters), []).append(end)
        for group in groups.values():
            test = reaching(steps, group.__contains__)
            answers = [_asked(part, self.game) for part in flattened("and", test) if part != TRUE]
            cards = flattened("and", legality(steps, group.__contains__))
            allowed = [_card(test, self.game) for test in cards if test != TRUE]
            conditions = (*who, *asked, *allowed, *answers)
            summary = self._summary(asked, group, ends(steps))
            arrows, worth = arrows_to(steps, group.__contains__), scales.worth(group[0])
            self.paths.append(_Path(node, me, worth, conditions, group[0].at.parameters, summary, arrows))

    def _summary(self, asked: Sequence[Condition], group: Sequence[End], every: Sequence[End]) -> Summary:
        """What some ends have in common, among all of them."""
        at = group[0].at
        return Summary(
            (*asked, *(replace(_asked(test, self.game), answer=(what, yes)) for test, what, yes in group[0].mine)),
            tuple(_asked(test, self.game) for test in at.settled),
            tuple(self._outcome(group, every)),
            at.effects,
            self.merged,
        )

    def _outcome(self, group: Sequence[End], every: Sequence[End]) -> Iterator[tuple[str, int]]:
        """Whom variables name at the end, if that is not the same for all ends."""
        columns = set()
        for name in sorted(self.naming, key=lambda name: (name in self.live[self.main.loop.head], name)):
            values = [end.at.variables[name, None] for end in every]
            seats = tuple(value.known for value in values if value is not None and value.known is not None)
            if len(seats) < len(every) or len(set(seats)) < 2 or seats in columns:
                continue
            columns.add(seats)
            found = {distance_of(value.expr) for end in group if (value := end.at.variables[name, None]) is not None}
            if len(found) == 1 or 0 not in found:
                yield name, found.pop() or 0 if len(found) == 1 else OTHERS
            elif found <= partners(self.game):
                yield name, OURS

    def _following(self, start: _Start, steps: Sequence[Step]) -> list[_Start]:
        found = []
        for end in ends(steps):
            node = self.main.places[end.place].node
            if end.reason is not None and end.reason != ENDLESS:
                self.reasons.append((node, end.reason))
            elif end.reason == ENDLESS:
                if not end.at.parameters:
                    self.reasons.append((node, ENDLESS))
                    continue
                found.append(self._start_at(end.at, start.instance))
        return found

    def _start_at(self, at: Situation, instance: Instance) -> _Start:
        """A cycle that begins where another one ended inside the main loop."""
        live = self.live[at.place]
        seats = dict(instance.seats)
        values = {}
        for name in live:
            value = at.variables[name, None]
            if value is None or value.known is None:
                continue
            if name in self.naming and value.known >= 0:
                seats[name] = value.known
            else:
                values[name] = value.known
        kept = {name: seat for name, seat in seats.items() if name in live | self.goals.naming}
        return _Start(at.place, Instance(instance.me, tuple(sorted(kept.items()))), tuple(sorted(values.items())))


class _Scales:
    """Weighs the ends of paths by the goals."""

    def __init__(self, evaluator: Evaluator, goals: Sequence[Goal], start: Situation) -> None:
        self.evaluator, self.goals, self.start = evaluator, goals, start
        self.changes: dict[Goal, set[tuple[int, frozenset[tuple[Expr, int]]]]] = {}
        """By how much each goal changes on the paths."""
        self._known: dict[int, tuple[Situation, Linear]] = {}

    def question(self, at: Situation) -> Expr | None:
        """What must be asked before the worth of a path is a number, if that helps."""
        total = Linear(0, {})
        for goal in self.goals:
            change = self._change(goal, at)
            if isinstance(change, Expr):
                return change
            if is_unsaid(change.expr):
                place, why = next(iter(at.lost.values()), (None, NOT_KNOWN_BEFORE))
                raise UnclearError(why, place)
            self.changes.setdefault(goal, set()).add((change.constant, frozenset(change.parts.items())))
            total = total.plus(change, goal.factor)
        choices = [part for part in total.parts if part.op == "if" and all(arg.op == "const" for arg in part.args[1:])]
        unanswered = [part.args[0] for part in choices if _positive(part.args[0]) not in at.facts]
        for part in choices:
            condition, positive = part.args[0], _positive(part.args[0])
            if positive in at.facts:
                arm = part.args[1 if at.facts[positive] == (positive is condition) else 2]
                total = total.plus(linear(part).plus(linear(arm), -1), -total.parts[part])
        self._known[id(at)] = at, total
        return unanswered[0] if unanswered else None

    def worth(self, end: End) -> Linear | None:
        """What a path is worth; None if that is not known."""
        if end.reason is not None and end.reason != ENDLESS:
            return None
        if id(end.at) not in self._known:
            try:
                self.question(end.at)
            except UnclearError:
                return None
        return self._known[id(end.at)][1]

    def key(self, end: End) -> object:
        """Equal for equal worths."""
        worth = self.worth(end)
        return None if worth is None else (worth.constant, frozenset(worth.parts.items()))

    def _change(self, goal: Goal, at: Situation) -> Linear | Expr:
        """By how much a property has changed; or a question, if an absolute difference goes up or down by one."""
        bound = {"me": self.evaluator.who(self.evaluator.instance.me)}
        what = goal.what
        if goal.final:
            return linear(self.evaluator.value(what, at, at.facts, bound).expr)
        if what.op != "absolute":
            after = self.evaluator.value(what, at, at.facts, bound)
            if what.name == "score" and what not in after.expr.walk():
                return linear(after.expr)  # a score that is set, whatever it was, was nothing before
            return linear(after.expr).plus(linear(self._before(what)), -1)
        apart = what.args[0]
        after = self.evaluator.value(apart, at, at.facts, bound)
        change = linear(after.expr).plus(linear(self._before(apart)), -1)
        if change.parts or abs(change.constant) > 1:
            whole = Expr("absolute", Type.INT, (after.expr,))
            return linear(whole).plus(linear(self._before(what)), -1)
        if not change.constant:
            return change
        nearer = Expr("less" if change.constant > 0 else "greater", Type.BOOL, apart.args)
        if nearer not in at.facts:
            return nearer
        return Linear(-1 if at.facts[nearer] else 1, {})

    def _before(self, what: Expr) -> Expr:
        """A property as it was when the cycle began."""
        return self.evaluator.value(what, self.start, {}, {"me": self.evaluator.who(self.evaluator.instance.me)}).expr


def _is_advice(path: Heuristic) -> bool:
    """Whether it can be said and has to do with what I decide, not only with luck."""
    mine = {item.expr for item in path.parameters if item.distance == 0}
    exprs = [condition.test for condition in path.conditions if condition.kind == "asked"]
    exprs += [] if path.worth is None else [path.worth]
    return not any(map(is_unsaid, exprs)) and any(part in mine for expr in exprs for part in expr.walk())


def _put_in(name: str) -> str:
    """A stake in words: what the players `have paid`."""
    return f"have {words(name)}" if name in DONE else f"have as {words(name)}"


def _positive(condition: Expr) -> Expr:
    return condition.args[0] if condition.op == "not" else condition


def _asked(test: Expr, game: Game) -> Condition:
    return Condition("asked", test, term_of(test, game))


def _card(test: Expr, game: Game) -> Condition:
    """A condition on the cards from which one is played."""
    term = term_of(test, game)
    return Condition("card", test, Term("cardInstanceOf", term.args) if test.op == "member" else term)


def _seat_term(seat: int) -> Term:
    return Term("equal", (Term("player", (Term(str(seat)),)), Term("me")))


def _merge(paths: Iterable[_Path], seats: int) -> Iterator[Heuristic]:
    """Equal conditions are one heuristic if they mean the same for every seat; otherwise my seat is a condition too."""
    groups: dict[tuple[int, frozenset[Term]], list[_Path]] = {}
    for path in paths:
        groups.setdefault((path.start, frozenset(condition.term for condition in path.conditions)), []).append(path)
    for group in groups.values():
        by_seat: dict[int, set[Expr | None]] = {}
        for path in group:
            by_seat.setdefault(path.me, set()).add(None if path.worth is None else path.worth.expr)
        if any(len(worths) > 1 for worths in by_seat.values()):
            text = ", ".join(str(condition) for condition in group[0].conditions)
            raise OutsideError(f"the same conditions change the score in different paths: {text}")
        if len({worth for worths in by_seat.values() for worth in worths}) == 1 and len(by_seat) == seats:
            every = frozenset[Arrow]().union(*(path.arrows for path in group))
            yield _heuristic(replace(group[0], arrows=every), ())
            continue
        for seat, path in sorted({path.me: path for path in group}.items()):
            player = Expr("player", Type.PLAYER, (Expr("const", Type.INT, value=seat),))
            test = Expr("equal", Type.BOOL, (player, ME))
            yield _heuristic(path, (Condition("who", test, _seat_term(seat)),))


def _heuristic(path: _Path, more: tuple[Condition, ...]) -> Heuristic:
    conditions = tuple(dict.fromkeys((*more, *path.conditions)))
    worth = None if path.worth is None else path.worth.expr
    weight = path.worth.constant if path.worth is not None and not path.worth.parts else None
    return Heuristic(0, weight, worth, conditions, path.parameters, path.start, path.summary, path.arrows)


def _order(path: Heuristic, game: Game) -> tuple[int, int, int, str]:
    first = path.parameters[0].distance if path.parameters else 0
    weight = path.weight if path.weight is not None else 0
    return path.start, (game.players - first) % game.players, -weight, ", ".join(map(str, path.conditions))
