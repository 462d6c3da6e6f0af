"""Every path through a cycle: `asp/paths.lp` follows the chart, by what is said here about situations and conditions.

What constants and seats decide is decided at once, so a loop over the players unrolls itself. With two players each
path is kept apart, as in the thesis. With more, situations that differ only in how they came about are one, so that
what several others do does not multiply; answers that concern me stay apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import wraps

from fcdl.engines.asp.paths import Answer, State, follow
from fcdl.heuristics.clock import LESS, TOO_LARGE, tick
from fcdl.heuristics.comparing import case_of
from fcdl.heuristics.paths import Arrow, Condition, End, Step
from fcdl.heuristics.situation import (
    Evaluator,
    Facts,
    Parameter,
    Situation,
    UnclearError,
    WhoError,
    is_of_players,
    is_player,
)
from fcdl.heuristics.symbols import ME, Value, disjunction, distance_of, implied, is_none, negated, truth
from fcdl.heuristics.terms import TAKES, Term, term_of, written_term
from fcdl.heuristics.together import Together
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import TRUE, Expr, Type
from fcdl.language.loops import MainLoop, OutsideError, Place

MAX_STATES = 50_000
_STATE = 10
"""How much work a state is."""

ENDLESS = "how often this loop turns depends on the cards; a cycle is followed up to here"
_REASONS = {"endless": ENDLESS}
_PICKS = 2
"""So many cards that are picked at once have a name each; more are a set."""

Found = tuple[object, ...] | bool | None
"""What a function says to the rules: yes, no, none, or a name and arguments."""


def _clear(function: Callable[[Walker, Situation], Found]) -> Callable[[Walker, Situation], Found]:
    """The same function, which says why and where if something is unclear."""

    @wraps(function)
    def clear(walker: Walker, at: Situation) -> Found:
        try:
            return function(walker, at)
        except WhoError as error:
            return walker.who_first(error.player, at)
        except UnclearError as error:
            return "unclear", str(error), at.place if error.place is None else error.place

    return clear


class Walker:
    """Walks the cycles of one instance; the methods with public names, but for `walk`, are called by `asp/paths.lp`."""

    def __init__(
        self,
        main: MainLoop,
        evaluator: Evaluator,
        start: Situation,
        live: Mapping[int, frozenset[str]],
        meeting: Mapping[int, int],
        asks: Callable[[Situation], Expr | None],
        *,
        merging: bool,
    ) -> None:
        """`start`: where the cycle begins; `live`: what is read from a place on; `meeting`: where arrows meet.

        `asks`: what the end of a path asks.
        """
        self.main, self.evaluator, self.live, self.asks = main, evaluator, live, asks
        self.merging = merging
        self.places = main.places
        self._meeting = meeting
        self._seated = frozenset(name for name, _ in evaluator.instance.seats)
        self._start = start
        self._states = 0
        self._situations: dict[object, Situation] = {}
        self._numbers: dict[int, tuple[object, int]] = {}
        self._equal: dict[object, int] = {}
        self._players: dict[tuple[int, ...], tuple[Situation, Value | None]] = {}
        self._passing: dict[Expr, Term] = {}
        self._ways: dict[tuple[int, int, bool], frozenset[Arrow]] = {}

    def walk(self, facts: Facts, values: Mapping[str, int]) -> list[Step]:
        """All paths from the start, where some conditions are answered and some values known."""
        place = self._start.place
        variables = dict(self._start.variables)
        for name, known in values.items():
            symbol = variables[name, None]
            assert symbol is not None
            variables[name, None] = replace(symbol, known=known)
        start = replace(self._start, facts=dict(facts), variables=variables)
        if place == self.main.loop.head and place in self.main.loop.exits:
            start = replace(start, facts={**self._entry_facts(start), **facts})
        states = follow(self.main, (place, start), self, merged=self.merging)
        if not states:
            raise OutsideError("no path leads through a cycle", self.places[place].node)
        steps: dict[State, Step] = {}
        for state in reversed(states):
            steps[state] = self._step(state, steps)
        return [steps[state] for state in states]

    def _entry_facts(self, at: Situation) -> Facts:
        """What is known because there is a cycle at all."""
        place = self.places[at.place]
        assert place.node.condition is not None
        try:
            value = self.evaluator.value(place.node.condition, at, {})
        except UnclearError:
            return {}
        return implied(value.expr if place.yes in self.main.loop.places else negated(value.expr))

    def _term(self, expr: Expr) -> Term:
        """An expression in the thesis's words; where paths are merged conditions are put into words only later."""
        return Term("merged") if self.merging else term_of(expr, self.evaluator.game)

    # Situations

    def at(self, place: int, at: Situation, remembered: object) -> Situation:
        """A situation at a place; those that differ only in what is not read any more are one.

        It is called for each state, in which certain answers are remembered, and counts them.
        """
        self._states += 1
        tick(_STATE)
        if self._states > MAX_STATES:
            raise OutsideError(TOO_LARGE, self.places[place].node, hint=LESS)
        start, live = self._start, self.live[place]
        variables = [
            (slot, self._number(value))
            for slot, value in at.variables.items()
            if value is not start.variables[slot] and (slot[0] in live or slot[1] is not None or not self.merging)
        ]
        zones = [(slot, self._number(value)) for slot, value in at.zones.items() if value is not start.zones[slot]]
        key = place, frozenset((*variables, *zones)), self._number(at.facts), at.parameters
        if key not in self._situations:
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
        tick(_STATE)
        return replace(at, supposed={**at.supposed, condition: holds})

    def settled(self, at: Situation, condition: Expr, holds: bool) -> Situation:
        """The same when a condition has been answered on which the worth depends."""
        test = condition if holds else negated(condition)
        return replace(self.answered(at, condition, holds), settled=(*at.settled, test))

    # Diamonds

    def who_first(self, player: Expr, at: Situation) -> Found:
        """Who a player is must be asked first: each seat in turn."""
        facts = _facts(at)
        if player.op == "if":
            return "first", *_open(player.args[0])[1:]
        for seat in range(self.evaluator.game.players):
            asked = is_player(player, self.evaluator.who(seat).expr)
            if asked not in facts:
                return "first", asked, True, False
        return "unclear", "this is nobody", at.place

    @_clear
    def asked(self, at: Situation) -> Found:
        """What the diamond asks."""
        condition = self.places[at.place].node.condition
        assert condition is not None
        value = self.evaluator.value(condition, at, _facts(at))
        if value.known is not None:
            return bool(value.known)
        first = self._first(value.expr, at)
        return _open(value.expr) if first is None or self.together(at)[0] == "both" else first

    def _first(self, question: Expr, at: Situation) -> tuple[object, ...] | None:
        """If a question compares numbers that have cases: which case it is, to be asked first."""
        case = case_of(question, _facts(at))
        return None if case is None else ("first", *_open(case)[1:])

    def together(self, at: Situation) -> tuple[object, ...]:
        """Both answers at once, if no decision is made before they meet."""

        def over(place: Place) -> bool:
            if place.node.is_decision or isinstance(place.node.statement, fc.Gather):
                raise UnclearError
            return False

        try:
            meet = self._meeting[at.place]
            end = Together(self.places, self.evaluator, self._meeting, over).run(at, at.facts, meet)
        except (KeyError, UnclearError):
            return ("apart",)
        lost = (value.expr.op == "if" for value in end.variables.values() if value and value.expr.type is Type.PLAYER)
        return ("apart",) if any(lost) else ("both", meet, end)

    def about_cards(self, condition: Expr) -> bool:
        """Whether a condition is about the cards played in the cycle."""
        return any(part.op == "local" and part.type is not Type.PLAYER for part in condition.walk())

    def about_me(self, condition: Expr) -> bool:
        """Whether a condition names me, other than to say who another one is."""
        return condition == ME or (distance_of(condition) is None and any(map(self.about_me, condition.args)))

    @_clear
    def question(self, at: Situation) -> Found:
        """What the worth of a path depends on at its end."""
        question = self.asks(at)
        return None if question is None else _open(question)

    # Statements

    @_clear
    def done(self, at: Situation) -> Found:
        """What a statement does, or what must be known first."""
        evaluator = self.evaluator
        match self.places[at.place].node.statement:
            case fc.Assign() as statement:
                return self._assigned(statement, at)
            case fc.Play() as statement:
                return self._played(statement, at)
            case fc.Pick() as statement:
                return self._picked(statement, at)
            case fc.TakeSet() as statement:
                return self._taken(statement, at)
            case fc.Choose(target=target, player=player, values=values):
                kind = evaluator.chart.variables[target.name].type
                choice = evaluator.parameter(evaluator.seat(player, at, _facts(at)), kind, at)
                slot = target.name, None if target.player is None else evaluator.seat(target.player, at, _facts(at))
                ruled_out = self._ruled_out(choice, values, at)
                at = replace(at.with_variable(slot, Value(choice.expr)), parameters=(*at.parameters, choice))
                at = replace(at, facts={**at.facts, **dict.fromkeys(ruled_out, False)})
            case fc.Move() as statement:
                at = evaluator.move(statement, at, _facts(at))
            case fc.Gather():
                at = evaluator.gather(at)
            case fc.ShuffleZone() as statement:
                at = evaluator.shuffle(statement, at, _facts(at))
        return "to", at

    def _ruled_out(self, choice: Parameter, values: Expr, at: Situation) -> Iterator[Expr]:
        """What cannot be chosen here: players of whom that is known, values whose conditions are known not to hold."""
        if values.op == "values":
            for item in values.args:
                if item.op == "when" and self.evaluator.value(item.args[0], at, _facts(at)).known == 0:
                    value = self.evaluator.value(item.args[1], at, _facts(at))
                    yield Expr("equal", Type.BOOL, (choice.expr, value.expr))
        elif choice.type is Type.PLAYER and values.op == "those" and is_of_players(values.args[0]):
            for seat in range(self.evaluator.game.players):
                bound = {values.name or "": self.evaluator.who(seat)}
                if self.evaluator.value(values.args[1], at, _facts(at), bound).known == 0:
                    yield is_player(choice.expr, self.evaluator.who(seat).expr)

    def _assigned(self, statement: fc.Assign, at: Situation) -> Found:
        """An assignment; whom it concerns is asked if that depends on the cards."""
        owner = statement.target.player
        players = [owner] if owner is not None and owner.type is Type.PLAYER else []
        if statement.value.type is Type.PLAYER or statement.target.name in self._seated:
            players.append(statement.value)
        for player in players:
            try:
                value = self._player(player, at)
            except WhoError as error:
                return self.who_first(error.player, at)
            if value is None:
                continue
            if value.known is None and value.expr.op == "if":
                return self._first(value.expr.args[0], at) or _open(value.expr.args[0])
            if player is statement.value and owner is None:
                return "to", at.with_variable((statement.target.name, None), value)
        return "to", self.evaluator.assign(statement, at, _facts(at), at.place)

    def _player(self, expr: Expr, at: Situation) -> Value | None:
        """A player, as far as the answers say who it is; None if that is unclear. It is found out only once."""
        key = id(expr), id(at.variables), id(at.zones), id(at.facts)
        if key not in self._players:
            try:
                self._players[key] = at, self.evaluator.value(expr, at, at.facts)
            except WhoError:
                return self.evaluator.value(expr, at, _facts(at))
            except UnclearError:
                self._players[key] = at, None
        value = self._players[key][1]
        facts = _facts(at)
        if value is not None and value.known is None and value.expr.op != "if":
            value = self.evaluator.value(expr, at, facts)
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

    def _played(self, statement: fc.Play, at: Situation) -> Found:
        evaluator, facts = self.evaluator, _facts(at)
        seat = evaluator.seat(statement.player, at, facts)
        cards = evaluator.value(statement.cards, at, facts).expr
        card = evaluator.parameter(seat, Type.CARD, at)
        fits = Expr("member", Type.BOOL, (card.expr, cards))
        term = Term("cardInstanceOf", (self._term(card.expr), self._term(cards)))
        decided = replace(at, parameters=(*at.parameters, card))
        played = evaluator.play(statement, card, decided, facts)
        if not statement.may_pass:
            return "plays", Condition("card", fits, term), played
        passed = is_none(card.expr)
        allowed = Condition("card", Expr("or", Type.BOOL, (passed, fits)), term)
        return self._or_passes(allowed, passed, seat, played, decided)

    def _picked(self, statement: fc.Pick, at: Situation) -> Found:
        """Cards that are picked: each like a card that is played, many of them as a set."""
        evaluator, facts = self.evaluator, _facts(at)
        seat = evaluator.seat(statement.player, at, facts)
        number = evaluator.value(statement.number, at, facts)
        cards = evaluator.value(statement.cards, at, facts).expr
        source, target = (evaluator.slot(zone, at, facts) for zone in (statement.source, statement.target))
        known = number.known is not None and 0 < number.known <= _PICKS
        allowed = []
        for _ in range(number.known or 1 if known else 1):
            picked = evaluator.parameter(seat, Type.CARD if known else Type.CARDS, at)
            if known:
                fits = Expr("member", Type.BOOL, (picked.expr, cards))
                term = Term("cardInstanceOf", (self._term(picked.expr), self._term(cards)))
                allowed.append(Condition("card", fits, term))
            at = replace(at, parameters=(*at.parameters, picked))
            at = evaluator.picked(picked, number, source, target, at)
        if len(allowed) == 1:
            return "plays", allowed[0], at
        return "to", at

    def _taken(self, statement: fc.TakeSet, at: Situation) -> Found:
        """A set of cards goes from zone to zone as one; if the player may pass, it is empty then."""
        evaluator, facts = self.evaluator, _facts(at)
        seat = evaluator.seat(statement.player, at, facts)
        chosen = evaluator.parameter(seat, Type.CARDS, at)
        bound = {statement.sets.name or "": Value(chosen.expr)}
        named = statement.sets.op == "those"
        fits = evaluator.value(statement.sets.args[1], at, facts, bound).expr if named else TRUE
        allowed = Condition("card", fits, Term(TAKES, (term_of(chosen.expr, evaluator.game), Term(statement.word))))
        decided = replace(at, parameters=(*at.parameters, chosen))
        size = Value(Expr("count", Type.INT, (chosen.expr,)))
        source = evaluator.slot(statement.source, at, facts)
        try:
            target = evaluator.slot(statement.target, at, facts)
        except WhoError:
            raise
        except UnclearError:  # somewhere among the places of a zone
            taken = evaluator.taken_away(chosen, size, source, statement.target.name or "", decided)
        else:
            taken = evaluator.picked(chosen, size, source, target, decided)
        if not statement.may_pass:
            return "plays", allowed, taken
        nothing = Expr("empty", Type.BOOL, (chosen.expr,))
        allowed = replace(allowed, test=disjunction([nothing, fits]))
        return self._or_passes(allowed, nothing, seat, taken, decided)

    def _or_passes(self, allowed: Condition, passed: Expr, seat: int, done: Situation, not_done: Situation) -> Found:
        """What a player is told who may pass, the condition for that, and the two situations that may follow."""
        who = term_of(self.evaluator.who(seat).expr, self.evaluator.game)
        self._passing[passed] = Term("equal", (Term("passed", (who,)), Term("true")))
        paths = (one.with_variable(("passed", seat), truth(one is not_done)) for one in (done, not_done))
        return "mayPass", allowed, passed, *paths

    # Who is who

    def names(self, at: Situation) -> list[object]:
        """Whom a diamond or a play names: a number, the seat, and the condition that says so."""
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

    def _step(self, state: State, steps: Mapping[State, Step]) -> Step:
        to = [(None if answer is None else self._asked(answer), steps[after]) for answer, after in state.to]
        end = None if state.end is None else self._end(state, *state.end)
        arrows = tuple(self._arrows(state.situation, answer, after.situation.place) for answer, after in state.to)
        return Step(tuple(state.told), tuple(to), end, arrows)

    def _arrows(self, at: Situation, answer: Answer | None, to: int) -> frozenset[Arrow]:
        """The arrows from one place to the next one; those of both answers if they were followed at once."""
        if answer is not None and answer.said is not None:
            return frozenset({(self.places[at.place].node.number, "yes" if answer.said else "no")})
        if at.place == to:
            return frozenset()
        both = self._meeting.get(at.place) == to and not isinstance(self.asked(at), bool)
        if (at.place, to, both) not in self._ways:
            self._ways[at.place, to, both] = frozenset(self._way(at.place, to, both=both))
        return self._ways[at.place, to, both]

    def _way(self, place: int, to: int, *, both: bool) -> Iterator[Arrow]:
        """The arrows between two places."""
        seen, pending = {place, to}, [place]
        while pending:
            here = self.places[pending.pop()]
            for kind, after in (("next", here.next), ("yes", here.yes), ("no", here.no)):
                if after is not None and (both or after == to):
                    yield here.node.number, kind
                    if after not in seen:
                        seen.add(after)
                        pending.append(after)

    def _end(self, state: State, reason: str | None, place: int) -> End:
        asked = [self._asked(answer) for answer in state.remembered] if self.merging else []
        mine = tuple((condition.test, *condition.answer) for condition in asked if condition.answer is not None)
        return End(state.situation, mine, _REASONS.get(reason or "", reason), place)

    def _asked(self, answer: Answer) -> Condition:
        condition = answer.condition
        test = condition if answer.holds else negated(condition)
        term = self._passing.get(condition)
        term = self._term(test) if term is None else term if answer.holds else Term("neg", (term,))
        said = None if answer.said is None else (self.places[answer.place].node.caption, answer.said)
        return Condition("asked", test, term, said)


def _facts(at: Situation) -> Facts:
    """What has been answered, and what is supposed for what is done next."""
    return {**at.facts, **at.supposed} if at.supposed else at.facts


def _naming(node: fc.Node) -> list[Expr]:
    """The expressions of a diamond or a decision that may say who a player is."""
    if isinstance(node.statement, fc.Decision):
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
