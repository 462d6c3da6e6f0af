"""Every way through a pass: the chart is walked with symbols, and forks at each diamond that nothing decides.

What constants and seats decide is decided at once, so a loop over the players unrolls itself. With two players each way
is kept apart, as in the thesis. With more, situations that differ only in how they came about are one (`merging`), so
that what several others do does not multiply; answers that concern me stay apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fcdl.engines.asp.ways import Answer, State, follow
from fcdl.heuristics.situation import Evaluator, Facts, Parameter, Situation, UnclearError, concerns_me
from fcdl.heuristics.symbols import FALSE, Value, choice, conjunction, distance_of, implied, is_none, negated, truth
from fcdl.heuristics.terms import Term, term_of, written_term
from fcdl.heuristics.together import Together
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import TRUE, Expr, Type
from fcdl.language.loops import MainLoop, OutsideError, Place

MAX_SITUATIONS = 50_000

ENDLESS = "how often this loop turns depends on the cards; a pass is followed up to here"
PICK = "cards are picked here; the method knows only cards that are played and values that are chosen"
_REASONS = {"endless": ENDLESS, "pick": PICK}


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
    mine: tuple[tuple[Expr, str, bool], ...]
    """Where ways are merged, the answers that concern me, with what was asked and whether yes was said."""
    reason: str | None
    place: int
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
    """Walks the passes of one instance by `asp/ways.lp`: these are the functions that it calls."""

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
        self._situations: dict[object, Situation] = {}
        self._numbers: dict[int, tuple[object, int]] = {}
        self._equal: dict[object, int] = {}
        self._players: dict[tuple[int, ...], tuple[Situation, Value | None]] = {}
        self._passing: dict[Expr, Term] = {}
        self._meeting = meeting

    def walk(self, place: int, facts: Facts, values: Mapping[str, int]) -> Arm:
        """All ways from a place of the main loop, when some conditions have been answered and some values are known."""
        variables = dict(self._start.variables)
        for name, known in values.items():
            symbol = variables[name, None]
            assert symbol is not None
            variables[name, None] = replace(symbol, known=known)
        start = replace(self._start, place=place, facts=dict(facts), variables=variables)
        if place == self.main.loop.head and place in self.main.loop.exits:
            start = replace(start, facts={**self._entry_facts(start), **facts})
        first = follow(_chart(self.main, merging=self.merging), place, start, self)
        if first is None:
            raise OutsideError("no way leads through a pass", self.places[place].node)
        arm = self._arm(first, {})
        assert arm is not None
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

    # Situations

    def at(self, place: int, at: Situation) -> Situation:
        """A situation at a place; those that differ only in what is not read any more are one."""
        start, read = self._start, None if not self.merging else self.live[place]
        changed = [
            (slot, self._number(value))
            for slot, value in at.variables.items()
            if value is not start.variables[slot] and (read is None or slot[1] is not None or slot[0] in read)
        ]
        zones = [(slot, self._number(value)) for slot, value in at.zones.items() if value is not start.zones[slot]]
        key = place, frozenset((*changed, *zones)), self._number(at.facts), at.parameters
        if key not in self._situations:
            if len(self._situations) > MAX_SITUATIONS:
                reason = f"there are more than {MAX_SITUATIONS} situations in one pass"
                raise OutsideError(reason, self.places[place].node)
            self._situations[key] = replace(at, place=place, supposed={})
        return self._situations[key]

    def _number(self, value: object) -> int:
        """A number for a value, its contents or answers; the same for equal ones."""
        if id(value) not in self._numbers:
            key = frozenset(value.items()) if isinstance(value, Mapping) else value
            self._numbers[id(value)] = value, self._equal.setdefault(key, len(self._equal))
        return self._numbers[id(value)][1]

    def turn(self, at: Situation) -> tuple[tuple[int | None, ...], int]:
        """The known numbers of what is still read, and a number for all of it."""
        values = [at.variables[name, None] for name in sorted(self.live[at.place])]
        content = tuple(self._number(value) for value in (*values, *at.zones.values()))
        return tuple(None if value is None else value.known for value in values), self._number(content)

    def answered(self, at: Situation, condition: Expr, holds: bool) -> Situation:
        """The same when a condition has been answered."""
        return replace(at, facts={**at.facts, condition: holds})

    def supposed(self, at: Situation, condition: Expr, holds: bool) -> Situation:
        """The same when a condition has been answered for what is done next."""
        return replace(at, supposed={**at.supposed, condition: holds})

    def settled(self, at: Situation, condition: Expr, holds: bool) -> Situation:
        """The same when a condition has been answered on which the worth depends."""
        test = condition if holds else negated(condition)
        return replace(self.answered(at, condition, holds), settled=(*at.settled, test))

    # Diamonds

    def asked(self, at: Situation) -> object:
        """What the diamond asks."""
        condition = self.places[at.place].node.condition
        assert condition is not None
        try:
            value = self.evaluator.value(condition, at, at.facts)
        except UnclearError as error:
            return _unclear(at, error)
        return bool(value.known) if value.known is not None else _open(value.expr)

    def together(self, at: Situation) -> tuple[object, ...]:
        """Both answers at once, if no decision is made before they meet and what is asked is not about cards played."""
        meet, condition = self._meeting.get(at.place), self.places[at.place].node.condition
        assert condition is not None
        if meet is None or self.about_cards(self.evaluator.value(condition, at, at.facts).expr):
            return ("apart",)

        def over(place: Place) -> bool:
            n, loop = place.number, self.main.loop
            ending = n == loop.head or n not in loop.places or n in self.main.closing
            if place.node.is_decision or isinstance(place.node.statement, fc.Gather) or ending:
                raise UnclearError
            return False

        try:
            end = Together(self.places, self.evaluator, self._meeting, over).run(at, at.facts, meet)
        except UnclearError:
            return ("apart",)
        lost = (value.expr.op == "if" for value in end.variables.values() if value and value.expr.type is Type.PLAYER)
        return ("apart",) if any(lost) else ("both", meet, end)

    def about_cards(self, condition: Expr) -> bool:
        """Whether a condition is about the cards played in the pass."""
        return any(part.op == "local" and part.type is not Type.PLAYER for part in condition.walk())

    def about_me(self, condition: Expr) -> bool:
        """Whether a condition names me, other than to say who another one is."""
        return concerns_me(condition)

    def question(self, at: Situation) -> object:
        """What the worth of a way depends on at its end."""
        try:
            question = self.asks(at)
        except UnclearError as error:
            return _unclear(at, error)
        return None if question is None else _open(question)

    # Statements

    def done(self, at: Situation) -> tuple[object, ...]:
        """What a statement does, or what must be known first."""
        statement, evaluator = self.places[at.place].node.statement, self.evaluator
        try:
            match statement:
                case fc.Assign():
                    return self._assigned(statement, at)
                case fc.Play():
                    return self._played(statement, at)
                case fc.Choose(target=target):
                    seat = evaluator.seat(statement.player, at, at.facts)
                    choice = evaluator.parameter(seat, evaluator.chart.variables[target.name].type, at)
                    slot = target.name, None if target.player is None else evaluator.seat(target.player, at, at.facts)
                    chosen = at.with_variable(slot, Value(choice.expr))
                    return "to", replace(chosen, parameters=(*at.parameters, choice))
                case fc.Move():
                    return "to", evaluator.move(statement, at, at.facts)
                case fc.Gather():
                    return "to", evaluator.gather(at)
                case fc.ShuffleZone():
                    return "to", evaluator.shuffle(statement, at, at.facts)
        except UnclearError as error:
            return _unclear(at, error)
        return "to", at

    def _assigned(self, statement: fc.Assign, at: Situation) -> tuple[object, ...]:
        """An assignment; whom it concerns is asked if that depends on the cards."""
        owner = statement.target.player
        players = [] if owner is None else [owner]
        if statement.value.type is Type.PLAYER or statement.target.name in self.seated:
            players.append(statement.value)
        for player in players:
            value = self._player(player, at)
            if value is None:
                continue
            if value.known is None and value.expr.op == "if":
                return _open(value.expr.args[0])
            if player is statement.value and owner is None:
                return "to", at.with_variable((statement.target.name, None), value)
        return "to", self.evaluator.assign(statement, at, {**at.facts, **at.supposed}, at.place)

    def _player(self, expr: Expr, at: Situation) -> Value | None:
        """A player, as far as the answers say who it is; None if that is unclear. It is found out only once."""
        key = id(expr), id(at.variables), id(at.zones), id(at.facts)
        if key not in self._players:
            try:
                self._players[key] = at, self.evaluator.value(expr, at, at.facts)
            except UnclearError:
                self._players[key] = at, None
        value = self._players[key][1]
        facts = {**at.facts, **at.supposed}
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

    def _played(self, statement: fc.Play, at: Situation) -> tuple[object, ...]:
        evaluator, game = self.evaluator, self.evaluator.game
        seat = evaluator.seat(statement.player, at, at.facts)
        cards = evaluator.value(statement.cards, at, at.facts).expr
        card = evaluator.parameter(seat, Type.CARD, at)
        fits = Expr("member", Type.BOOL, (card.expr, cards))
        term = Term("cardInstanceOf", (self._term(card.expr), self._term(cards)))
        decided = replace(at, parameters=(*at.parameters, card))
        played = evaluator.play(statement, card, decided, at.facts)
        if not statement.may_pass:
            return "plays", Condition("card", fits, term), played
        passed, slot = is_none(card.expr), ("passed", seat)
        who = term_of(evaluator.who(seat).expr, game)
        self._passing[passed] = Term("equal", (Term("passed", (who,)), Term("true")))
        allowed = Condition("card", Expr("or", Type.BOOL, (passed, fits)), term)
        return "mayPass", allowed, played.with_variable(slot, truth(False)), passed, decided.with_variable(slot, truth(True))

    # Who is who

    def names(self, at: Situation) -> list[object]:
        """Whom a diamond or a play names: a number, his seat, and the condition that says so."""
        found: list[object] = []
        evaluator, game = self.evaluator, self.evaluator.game
        for number, player in enumerate(_naming(self.places[at.place].node)):
            if player.op == "variable" and player.name not in at.fresh:
                continue
            try:
                value = evaluator.value(player, at, at.facts)
                parts = [evaluator.value(arg, at, at.facts).expr for arg in player.args]
            except UnclearError:
                continue
            if value.known is not None:
                written = self.places[at.place].node.condition is None and player.op == "player"
                named, who = replace(player, args=tuple(parts)), evaluator.who(value.known).expr
                term = Term("player", (written_term(player.args[0], game),)) if written else term_of(named, game)
                test = Expr("equal", Type.BOOL, (named, who))
                found.append((number, value.known, Condition("who", test, Term("equal", (term, term_of(who, game))))))
        return found

    # What was walked

    def _arm(self, state: State, found: dict[State, Fork | End | None]) -> Arm | None:
        """What is told from a state to the next fork or end; None if it comes back to itself."""
        told: list[Condition] = [*state.told]
        while len(state.to) == 1 and state.to[0][0] is None:
            state = state.to[0][1]
            told += state.told
        if state not in found:
            found[state] = None
            found[state] = self._fork(state, found) if state.end is None else self._end(state)
        to = found[state]
        return None if to is None else Arm(tuple(told), to)

    def _fork(self, state: State, found: dict[State, Fork | End | None]) -> Fork | None:
        arms: dict[bool, Arm] = {}
        answers = {answer.holds: (answer, to) for answer, to in state.to if answer is not None}
        for holds, (answer, to) in sorted(answers.items(), reverse=True):
            if (arm := self._arm(to, found)) is not None:
                arms[holds] = replace(arm, told=(self._asked(state.place, answer), *arm.told))
        return Fork(answer.condition, arms.get(True), arms.get(False)) if arms else None

    def _end(self, state: State) -> End:
        assert state.end is not None
        reason, place = state.end
        told = [self._asked(*item) for item in state.remembered] if self.merging else []
        mine = tuple((condition.test, *condition.answer) for condition in told if condition.answer is not None)
        return End(replace(state.situation, place=state.place), mine, _REASONS.get(reason, reason), place)

    def _asked(self, place: int, answer: Answer) -> Condition:
        condition = answer.condition
        test = condition if answer.holds else negated(condition)
        term = self._passing.get(condition)
        term = self._term(test) if term is None else term if answer.holds else Term("neg", (term,))
        said = None if answer.said is None else (self.places[place].node.caption, answer.said)
        return Condition("asked", test, term, said)


def _naming(node: fc.Node) -> list[Expr]:
    """The expressions of a diamond or a decision that may say who a player is."""
    if isinstance(node.statement, fc.Play | fc.Choose):
        exprs = [node.statement.player]
    else:
        exprs = [] if node.condition is None else _outside_aggregates(node.condition)
    return [expr for expr in exprs if expr.type is Type.PLAYER and expr.op in ("player", "variable")]


def _outside_aggregates(expr: Expr) -> list[Expr]:
    """All parts of an expression but those of its aggregates, which have variables of their own."""
    if expr.name is not None and expr.op not in ("table", "list", "variable", "playerVariable", "zone"):
        return []
    return [expr, *(part for arg in expr.args for part in _outside_aggregates(arg))]


def _open(question: Expr) -> tuple[object, ...]:
    """A question that nothing decides: its condition, and which answers to that are yes and no."""
    if question.op == "not":
        return "open", question.args[0], False, True
    return "open", question, True, False


def _unclear(at: Situation, error: UnclearError) -> tuple[object, ...]:
    return "unclear", str(error), at.place if error.place is None else error.place


def _chart(main: MainLoop, *, merging: bool) -> list[tuple[object, ...]]:
    """The main loop as facts."""
    facts: list[tuple[object, ...]] = [("merged" if merging else "apart",), ("head", main.loop.head)]
    facts += [("closing", n) for n in main.closing]
    facts += [("loop", loop.head, n) for loop in main.others for n in loop.places]
    for n in main.loop.places:
        place, statement = main.places[n], main.places[n].node.statement
        kind = "diamond" if place.yes is not None else "pick" if isinstance(statement, fc.Pick) else "statement"
        facts += [("inside", n), ("is", n, (kind,))]
        if _naming(place.node):
            facts.append(("is", n, ("names",)))
        arrows = {("on",): place.next, True: place.yes, False: place.no}
        facts += [("arrow", n, said, to) for said, to in arrows.items() if to is not None]
    return facts


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
