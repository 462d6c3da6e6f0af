"""Every way through a pass: the chart is walked with symbols, and forks at each diamond that nothing decides.

What constants and seats decide is decided at once, so a loop over the players unrolls itself. With two players each way
is kept apart, as in the thesis. With more, situations that differ only in how they came about are one (`merging`), so
that what several others do does not multiply; answers that concern me stay apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from fcdl.heuristics.situation import (
    Evaluator,
    Facts,
    Situation,
    UnclearError,
    concerns_me,
    passed,
)
from fcdl.heuristics.symbols import FALSE, Value, choice, conjunction, distance_of, implied, negated, truth
from fcdl.heuristics.terms import Term, term_of, written_term
from fcdl.heuristics.together import Together
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import TRUE, Expr, NodeKind, Type
from fcdl.language.loops import MainLoop, OutsideError, Place

MAX_FORKS = 20_000
MAX_STEPS = 20_000

ENDLESS = "how often this loop turns depends on the cards; a pass is followed up to here"
PICK = "cards are picked here; the method knows only cards that are played and values that are chosen"


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of a way: `test` is an expression of the chart's language, `term` the same in the thesis's words.

    `kind`: `who` says who somebody is, `card` from which cards one is played, `asked` is the answer of a diamond.
    """

    kind: str
    test: Expr
    term: Term
    answer: tuple[str, bool] | None = field(default=None, compare=False)
    """What the diamond asks, as the chart has it, and what was answered."""

    def __str__(self) -> str:
        return str(self.term)


@dataclass(frozen=True, slots=True, eq=False)
class End:
    """The end of a way: at the next pass, or where the walk cannot go on, and why."""

    at: Situation
    reason: str | None = None
    place: int | None = None
    """Where the reason lies."""


@dataclass(frozen=True, slots=True, eq=False)
class Fork:
    """A question that nothing decides; an arm that is None can never be."""

    condition: Expr
    yes: Arm | None
    no: Arm | None


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """What is said on the way to a fork or an end."""

    told: tuple[Condition, ...]
    to: Fork | End


class Walker:
    """Walks the passes of one instance."""

    def __init__(
        self,
        main: MainLoop,
        evaluator: Evaluator,
        live: Mapping[int, frozenset[str]],
        meeting: Mapping[int, int],
        asks: Callable[[Situation], Expr | None],
    ) -> None:
        """`live`: what is read from a place on; `meeting`: where arrows meet; `asks`: what the end of a way asks."""
        self.main, self.evaluator, self.live, self.asks = main, evaluator, live, asks
        self.merging = evaluator.game.players > 2
        self.places = main.places
        self.seated = frozenset(name for name, _ in evaluator.instance.seats)
        self._start = evaluator.start(main.loop.head)
        self._nodes: dict[object, Arm | None] = {}
        self._forks = 0
        self._players: dict[tuple[int, int], tuple[Situation, Value | None]] = {}
        self._meeting = meeting

    def walk(self, place: int, facts: Facts, values: Mapping[str, int]) -> Arm:
        """All ways from a place of the main loop, when some conditions have been answered and some values are known."""
        start = replace(self._start, place=place, facts=dict(facts))
        variables = dict(start.variables)
        for name, known in values.items():
            symbol = variables[name, None]
            assert symbol is not None
            variables[name, None] = replace(symbol, known=known)
        start = replace(start, variables=variables)
        if self._is_entry(place):
            start = replace(start, facts={**self._entry_facts(start), **facts})
        arm = self._run(start, {}, first=True)
        if arm is None:
            raise OutsideError("no way leads through a pass", self.places[place].node)
        return arm

    def _entry_facts(self, at: Situation) -> Facts:
        """What is known because there is a pass at all."""
        place = self.places[at.place]
        assert place.node.condition is not None
        try:
            value = self.evaluator.value(place.node.condition, at, {})
        except UnclearError:
            return {}
        return implied(value.expr if place.yes in self.main.loop.places else negated(value.expr))

    def _term(self, expr: Expr) -> Term:
        """An expression in the thesis's words; where ways are merged conditions are put into words only later."""
        return Term("merged") if self.merging else term_of(expr, self.evaluator.game)

    # Running until something is open

    def _run(self, at: Situation, assumed: Facts, *, first: bool = False) -> Arm | None:
        told: list[Condition] = []
        for _ in range(MAX_STEPS):
            if not first and self._ends(at.place):
                return Arm(tuple(told), self._ended(at))
            entered = self._entered(at)
            if entered is None:
                return None
            if isinstance(entered, End):
                return Arm(tuple(told), entered)
            at = entered
            facts = {**at.facts, **assumed} if assumed else at.facts
            entering = first and self._is_entry(at.place)
            try:
                if not entering:
                    at = self._named(at, facts, told)
                following = self._step(at, facts, told, entering=entering)
            except UnclearError as error:
                return Arm(tuple(told), _unclear(at, error))
            if not isinstance(following, Situation):
                return Arm(tuple(told), following) if following is not None else None
            at, assumed, first = following, {}, False
        raise OutsideError(f"one pass takes more than {MAX_STEPS} steps", self.places[at.place].node)

    def _ended(self, at: Situation) -> Fork | End:
        """The end of a way, after the questions that its worth depends on."""
        try:
            question = self.asks(at)
        except UnclearError as error:
            return _unclear(at, error)
        if question is None:
            return End(at)
        condition = question.args[0] if question.op == "not" else question
        arms = []
        for answer in (True, False):
            test = condition if answer else negated(condition)
            after = replace(at, facts={**at.facts, condition: answer}, settled=(*at.settled, test))
            asked = Condition("asked", test, self._term(test))
            arms.append(Arm((asked,), self._ended(after)))
        return Fork(condition, *arms)

    def _ends(self, place: int) -> bool:
        loop = self.main.loop
        return place == loop.head or place not in loop.places or place in self.main.closing

    def _is_entry(self, place: int) -> bool:
        return place == self.main.loop.head and place in self.main.loop.exits

    def _entered(self, at: Situation) -> Situation | End | None:
        """Inner loops that are left or entered here; an end if one turns without end, None if nothing can stop it."""
        inner = self.main.others
        still = frozenset(item for item in at.open if at.place in inner[item[0]].places)
        for k, loop in enumerate(inner):
            if loop.head == at.place:
                live = sorted(self.live[at.place])
                turn = (k, tuple(self._known(name, at) for name in live))
                what = hash((*(at.variables[name, None] for name in live), *at.zones.values()))
                earlier = [item[2:] for item in still if item[:2] == turn]
                if (what, len(at.facts)) in earlier:
                    return None
                if any(item[0] != what for item in earlier):
                    return End(at, ENDLESS, at.place)
                still |= {(*turn, what, len(at.facts))}
        return replace(at, open=still) if still != at.open else at

    def _known(self, name: str, at: Situation) -> int | None:
        value = at.variables[name, None]
        return None if value is None else value.known

    def _step(
        self, at: Situation, facts: Facts, told: list[Condition], *, entering: bool
    ) -> Situation | Fork | End | None:
        place = self.places[at.place]
        node, statement = place.node, place.node.statement
        if node.kind is NodeKind.CHOICE:
            return self._choice(at, facts, entering=entering)
        assert place.next is not None
        onward = replace(at, place=place.next)
        evaluator = self.evaluator
        match statement:
            case fc.Assign():
                return self._assign(statement, at, onward, facts)
            case fc.Play():
                return self._play(statement, onward, facts, told)
            case fc.Choose():
                seat = evaluator.seat(statement.player, at, facts)
                kind = evaluator.chart.variables[statement.target.name].type
                parameter = evaluator.parameter(seat, kind, at)
                owner = statement.target.player
                slot = statement.target.name, None if owner is None else evaluator.seat(owner, at, facts)
                chosen = onward.with_variable(slot, Value(parameter.expr))
                return replace(chosen, parameters=(*at.parameters, parameter))
            case fc.Pick():
                return End(at, PICK, at.place)
            case fc.Move():
                return evaluator.move(statement, onward, facts)
            case fc.Gather():
                return evaluator.gather(onward)
            case fc.ShuffleZone():
                return evaluator.shuffle(statement, onward, facts)
        return onward

    # Diamonds

    def _choice(self, at: Situation, facts: Facts, *, entering: bool) -> Situation | Fork | End | None:
        place = self.places[at.place]
        assert place.node.condition is not None
        assert place.yes is not None
        assert place.no is not None
        if entering:
            inside = place.yes if place.yes in self.main.loop.places else place.no
            return replace(at, place=inside)
        value = self.evaluator.value(place.node.condition, at, facts)
        if value.known is not None:
            return replace(at, place=place.yes if value.known else place.no)
        if not _about_decisions(value.expr) and (together := self._together(at, facts)) is not None:
            return together
        arrows = {True: place.yes, False: place.no}
        return self._fork(at, value.expr, lambda yes: (replace(at, place=arrows[yes]), {}))

    def _together(self, at: Situation, facts: Facts) -> Situation | None:
        """Both answers at once, if no decision is made before they meet: what nobody plays for is no way of its own."""
        meet = self._meeting.get(at.place)
        if meet is None:
            return None

        def over(place: Place) -> bool:
            if place.node.is_decision or isinstance(place.node.statement, fc.Gather) or self._ends(place.number):
                raise UnclearError
            return False

        try:
            end = Together(self.places, self.evaluator, self._meeting, over).run(at, facts, meet)
        except UnclearError:
            return None
        lost = (value.expr.op == "if" for value in end.variables.values() if value and value.expr.type is Type.PLAYER)
        return None if any(lost) else end

    def _fork(
        self,
        at: Situation,
        question: Expr,
        onward: Callable[[bool], tuple[Situation, Facts]],
        terms: tuple[Term, Term] | None = None,
    ) -> Fork | None:
        """Both answers; `onward` says where each leads and what it lets one assume there."""
        condition = question.args[0] if question.op == "not" else question
        self._forks += 1
        if self._forks > MAX_FORKS:
            raise OutsideError(f"there are more than {MAX_FORKS} forks in one pass", self.places[at.place].node)
        arms: list[Arm | None] = []
        for answer in (True, False):
            test = condition if answer else negated(condition)
            after, assumed = onward(answer == (condition is question))
            if not self.merging or not _about_decisions(condition):
                after = replace(after, facts={**after.facts, condition: answer})
            caption = self.places[at.place].node.caption
            said_yes = answer == (condition is question)
            if self.merging and concerns_me(condition):
                after = replace(after, mine=(*after.mine, (test, caption, said_yes)))
            arm = self._remembered(after, assumed)
            asked = Condition("asked", test, terms[not answer] if terms else self._term(test), (caption, said_yes))
            arms.append(None if arm is None else replace(arm, told=(asked, *arm.told)))
        return Fork(condition, arms[0], arms[1]) if any(arms) else None

    def _remembered(self, at: Situation, assumed: Facts) -> Arm | None:
        """Goes on from a situation, or finds what came of an equal one; None if it comes back to itself for ever."""
        if not self.merging:
            return self._run(at, assumed)
        start = self._start
        changed = frozenset(
            (slot, value)
            for slot, value in at.variables.items()
            if value is not start.variables[slot] and (slot[1] is not None or slot[0] in self.live[at.place])
        )
        zones = frozenset((slot, value) for slot, value in at.zones.items() if value is not start.zones[slot])
        answers = frozenset((*at.facts.items(), *assumed.items()))
        key = (at.place, changed, zones, answers, at.parameters, at.open, at.mine)
        if key not in self._nodes:
            self._nodes[key] = None
            self._nodes[key] = self._run(at, assumed)
        return self._nodes[key]

    # Statements that can fork

    def _assign(self, statement: fc.Assign, at: Situation, onward: Situation, facts: Facts) -> Situation | Fork | None:
        """An assignment; whom it concerns is asked if that depends on the cards."""
        owner = statement.target.player
        players = [] if owner is None else [owner]
        if statement.value.type is Type.PLAYER or statement.target.name in self.seated:
            players.append(statement.value)
        for player in players:
            value = self._player(player, at, facts)
            if value is None:
                continue
            if value.known is None and value.expr.op == "if":
                question = value.expr.args[0]
                positive = question.args[0] if question.op == "not" else question
                assumed = {answer: {**facts, positive: answer == (positive is question)} for answer in (True, False)}
                return self._fork(at, question, partial(_assuming, at, assumed))
            if player is statement.value and owner is None:
                return onward.with_variable((statement.target.name, None), value)
        return self.evaluator.assign(statement, onward, facts, at.place)

    def _player(self, expr: Expr, at: Situation, facts: Facts) -> Value | None:
        """A player, as far as the answers say who it is; None if that is unclear. It is found out only once."""
        key = id(expr), id(at)
        if key not in self._players:
            try:
                self._players[key] = at, self.evaluator.value(expr, at, at.facts)
            except UnclearError:
                self._players[key] = at, None
        value = self._players[key][1]
        while value is not None and value.known is None and value.expr.op == "if":
            condition, yes, no = value.expr.args
            positive = condition.args[0] if condition.op == "not" else condition
            if positive not in facts:
                break
            arm = yes if facts[positive] == (positive is condition) else no
            distance = distance_of(arm)
            players = self.evaluator.game.players
            value = Value(arm, None if distance is None else (self.evaluator.instance.me + distance) % players)
        return value

    def _play(
        self, statement: fc.Play, onward: Situation, facts: Facts, told: list[Condition]
    ) -> Situation | Fork | End | None:
        evaluator, game = self.evaluator, self.evaluator.game
        seat = evaluator.seat(statement.player, onward, facts)
        cards = evaluator.value(statement.cards, onward, facts).expr
        card = evaluator.parameter(seat, Type.CARD, onward)
        fits = Expr("member", Type.BOOL, (card.expr, cards))
        term = Term("cardInstanceOf", (self._term(card.expr), self._term(cards)))
        decided = replace(onward, parameters=(*onward.parameters, card))
        played = evaluator.play(statement, card, decided, facts)
        if not statement.may_pass:
            told.append(Condition("card", fits, term))
            return played
        told.append(Condition("card", _or(passed(card), fits), term))
        slot = "passed", seat
        terms = Term("equal", (Term("passed", (term_of(evaluator.who(seat).expr, game),)), Term("true")))
        return self._fork(
            onward,
            passed(card),
            lambda yes: ((decided if yes else played).with_variable(slot, truth(yes)), {}),
            (terms, Term("neg", (terms,))),
        )

    # Who is who

    def _named(self, at: Situation, facts: Facts, told: list[Condition]) -> Situation:
        """Who it is that a diamond or a play names is said once for each player."""
        known, game = set(at.known), self.evaluator.game
        for player, term in self._names(at, facts):
            value = self.evaluator.value(player, at, facts)
            if value.known is None or value.known in at.known:
                continue
            known.add(value.known)
            named = (
                replace(player, args=(self.evaluator.value(player.args[0], at, facts).expr,)) if player.args else player
            )
            who = self.evaluator.who(value.known).expr
            test = Expr("equal", Type.BOOL, (named, who))
            told.append(Condition("who", test, Term("equal", (term or term_of(named, game), term_of(who, game)))))
        return replace(at, known=frozenset(known)) if len(known) > len(at.known) else at

    def _names(self, at: Situation, facts: Facts) -> list[tuple[Expr, Term | None]]:
        """The expressions that name players here, with the term that says it, if that is not the value's."""
        node = self.places[at.place].node
        if isinstance(node.statement, fc.Play | fc.Choose):
            player = node.statement.player
            if player.op == "player":
                return [(player, Term("player", (written_term(player.args[0], self.evaluator.game),)))]
            return [(player, None)] if player.op == "variable" and player.name in at.fresh else []
        if node.condition is None:
            return []
        found: list[tuple[Expr, Term | None]] = []
        for expr in _outside_aggregates(node.condition):
            if expr.op == "player" or (expr.op == "variable" and expr.name in at.fresh and expr.type is Type.PLAYER):
                found.append((expr, None))
        return found


def _outside_aggregates(expr: Expr) -> list[Expr]:
    """All parts of an expression but those of its aggregates, which have variables of their own."""
    if expr.name is not None and expr.op not in ("table", "list", "variable", "playerVariable", "zone"):
        return []
    return [expr, *(part for arg in expr.args for part in _outside_aggregates(arg))]


def _unclear(at: Situation, error: UnclearError) -> End:
    return End(at, str(error), at.place if error.place is None else error.place)


def _assuming(at: Situation, facts: Mapping[bool, Facts], answer: bool) -> tuple[Situation, Facts]:
    return at, facts[answer]


def _or(a: Expr, b: Expr) -> Expr:
    return Expr("or", Type.BOOL, (a, b))


def _about_decisions(expr: Expr) -> bool:
    """Whether a condition is about the cards played in the pass."""
    return any(part.op == "local" and part.type is not Type.PLAYER for part in expr.walk())


# What was walked


def ends(arm: Arm) -> list[End]:
    """All ends, each once."""
    found: dict[int, End] = {}
    pending: list[Fork | End] = [arm.to]
    seen: set[int] = set()
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, End):
            found[id(node)] = node
        else:
            pending.extend(side.to for side in (node.no, node.yes) if side is not None)
    return list(found.values())


def paths(arm: Arm) -> list[tuple[tuple[Condition, ...], End]]:
    """All ways, one by one, with what is said on each."""
    found = []
    pending: list[tuple[tuple[Condition, ...], Arm]] = [((), arm)]
    while pending:
        told, at = pending.pop()
        told = (*told, *at.told)
        if isinstance(at.to, End):
            found.append((told, at.to))
        else:
            pending.extend((told, side) for side in (at.to.no, at.to.yes) if side is not None)
    return found


def reaching(arm: Arm, wanted: Callable[[End], bool]) -> Expr:
    """The condition under which one of the wanted ends is reached."""
    return _folded(arm, lambda end: TRUE if wanted(end) else FALSE, lambda told, rest: rest) or FALSE


def legality(arm: Arm, wanted: Callable[[End], bool]) -> Expr:
    """The condition that every card is one of those that may be played, on the ways to the wanted ends."""

    def with_cards(told: Sequence[Condition], rest: Expr) -> Expr:
        return conjunction([*(condition.test for condition in told if condition.kind == "card"), rest])

    return _folded(arm, lambda end: TRUE if wanted(end) else None, with_cards) or TRUE


def _folded(
    arm: Arm, of_end: Callable[[End], Expr | None], of_arm: Callable[[Sequence[Condition], Expr], Expr]
) -> Expr | None:
    """A condition made from the ends back to the start; None is what does not matter."""
    found: dict[int, Expr | None] = {}

    def of(one: Arm | None) -> Expr | None:
        if one is None:
            return None
        node = one.to
        if id(node) not in found:
            found[id(node)] = of_end(node) if isinstance(node, End) else either(node)
        rest = found[id(node)]
        return None if rest is None else of_arm(one.told, rest)

    def either(fork: Fork) -> Expr | None:
        yes, no = of(fork.yes), of(fork.no)
        return choice(fork.condition, yes, no) if yes is not None and no is not None else yes if no is None else no

    return of(arm)


def said(arm: Arm, kind: str) -> list[Condition]:
    """Everything of one kind that is said on any way, each once, in order."""
    found = {condition: None for condition in arm.told if condition.kind == kind}
    seen: set[int] = set()
    pending = [arm.to]
    while pending:
        node = pending.pop(0)
        if isinstance(node, End) or id(node) in seen:
            continue
        seen.add(id(node))
        for side in (node.yes, node.no):
            if side is not None:
                found.update(dict.fromkeys(condition for condition in side.told if condition.kind == kind))
                pending.append(side.to)
    return list(found)
