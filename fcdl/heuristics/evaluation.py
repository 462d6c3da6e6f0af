"""What a position is worth by heuristics (Law 2013, 3.4.2), in functions for the native engine.

A position at the start of a cycle is worth what I have of what I want, and the sum of what my cards are worth. A card
is worth the mean over its semi-active instances of weight / (1 + count)², where an instance puts one of my cards and
one of each other player's into a heuristic. It is semi-active if all conditions hold but those that can change: who
somebody is (1 to the count if any of these is wrong) and what somebody does not have (as much as they have of it).

Whoever passes plays no card, but only for want of one: the instances of a path on which a player passes at their
first decision have a card of theirs that may not be played there. So a card that can be played counts for what playing
it is worth, and a card that cannot for what passing is worth.

The thesis has this for games of tricks, where every card is played. Where the number of cards itself is what is wanted,
each card is one too many or too few already, so the mean of the cards' values counts and not their sum.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fcdl.engines.asp.values import Rule
from fcdl.engines.native import _engine
from fcdl.engines.native.constants import NO_FUNCTION
from fcdl.engines.native.functions import Function
from fcdl.heuristics.derive import Heuristic, Heuristics
from fcdl.heuristics.goals import Goal
from fcdl.heuristics.paths import Condition
from fcdl.heuristics.situation import Parameter, is_unsaid
from fcdl.heuristics.symbols import seat_expr
from fcdl.heuristics.terms import Term, term_of
from fcdl.language.flowchart import NONE, TRUE, Assign, Expr, Type
from fcdl.language.loops import MainLoop, main_loop
from fcdl.model.game import Game

MAX_SIZE = 20_000
"""So many parts all conditions together may have; the engine has room for about three times as many instructions."""
SCORED = 100
"""What a point is worth where the cycle is played for something else than points, such as having few cards."""
NO_CARD = Expr("const", Type.CARD, value=NONE)
_ZERO, _ONE = Expr("const", Type.INT, value=0), Expr("const", Type.INT, value=1)


@dataclass(frozen=True, slots=True)
class Style:
    """How the thesis's evaluation is read. The defaults are the strongest that we found.

    `normalise`: a card's value is divided by what its instances count together (`shares`) or by their number. `leader`:
    who somebody is makes no difference (`any`), or is one more thing that has to change (`now`). `impossible`:
    instances by which somebody plays what they must not have are dropped or kept. `replies`: the others' moves are
    averaged (`mean`) or the worst is feared (`min`). `depth`: so many cycles are looked ahead.
    """

    normalise: str = "shares"
    leader: str = "any"
    impossible: str = "drop"
    replies: str = "mean"
    depth: int = 1


PRINTED = Style("instances", "now", "keep", "min", 1)
"""The formula as it is printed in the thesis."""


@dataclass(frozen=True, slots=True)
class Case:
    """A heuristic ready to be looked for among the cards: conditions that must hold, and those that can change."""

    heuristic: Heuristic
    mine: str
    """What expressions call my card."""
    others: tuple[Parameter, ...]
    """The other cards of the cycle, those of others and further ones of mine."""
    who: tuple[Expr, ...]
    must: tuple[Expr, ...]
    lacks: tuple[Expr, ...]
    """Cards that a player's hand must not have."""
    worth: Expr
    rule: Rule | None
    """The same in terms, for ASP; only where the weight is fixed."""

    @property
    def size(self) -> int:
        """How many parts the functions have."""
        exprs = (*self.who, *self.must, *self.lacks, self.worth)
        return sum(1 for expr in exprs for _ in expr.walk())


def cases(derived: Heuristics, main: MainLoop, style: Style) -> tuple[Case, ...]:
    """The heuristics of the main loop's own cycles that say something about a card of mine; not those with choices."""
    head = main.places[main.loop.head].node.number
    statements = (main.places[place].node.statement for place in main.loop.places)
    changing = frozenset(statement.target.name for statement in statements if isinstance(statement, Assign))
    here = (heuristic for heuristic in derived.heuristics if heuristic.start == head)
    found = (_case(derived.game, heuristic, changing, style) for heuristic in here)
    return tuple(case for case in found if case is not None)


def _fitting(found: Sequence[Case], size: int) -> tuple[Case, ...]:
    """As many cases as there is room for, in their order; the smallest ones are preferred."""
    sizes = {id(case): case.size for case in found}
    kept = set()
    for case in sorted(found, key=lambda case: sizes[id(case)]):
        size -= sizes[id(case)]
        if size < 0:
            break
        kept.add(id(case))
    return tuple(case for case in found if id(case) in kept)


def _case(game: Game, heuristic: Heuristic, changing: frozenset[str], style: Style) -> Case | None:
    passed = {_passer(condition.test) for condition in heuristic.conditions} - {None}
    kept = {one.name for one in heuristic.parameters if one.name in passed and one.turn == 0}
    cards = [one for one in heuristic.parameters if one.name not in passed or one.name in kept]
    mine = next((one for one in cards if one.distance == 0 and one.turn == 0), None)
    if mine is None or heuristic.worth is None or any(one.type is not Type.CARD for one in cards):
        return None
    if any(is_unsaid(expr) for expr in (heuristic.worth, *(condition.test for condition in heuristic.conditions))):
        return None
    who, must, lacks, unplayable = list[Condition](), list[Condition](), list[Condition](), list[Condition]()
    for condition in heuristic.conditions:
        test, card = condition.test, _player_of(condition)
        if card in kept:
            unplayable.append(condition)
        elif card in passed or _passer(_positive(test)) is not None:
            continue
        elif condition.kind == "who" and any(part.name in changing for part in test.walk()):
            if style.leader == "now":
                who.append(condition)
        elif test.op == "not" and test.args[0].op == "playerHas":
            lacks.append(condition)
        else:
            must.append(condition)

    if style.impossible == "drop":
        must += [condition for lack in lacks for condition in _possible(lack, cards, game)]

    def tests(conditions: Sequence[Condition]) -> tuple[Expr, ...]:
        return tuple(_without(_played(condition.test), passed) for condition in conditions)

    hands = (test.args[0].args for test in tests(lacks))
    rule = None
    if heuristic.weight is not None:
        not_had = [condition.term.args[0] for condition in lacks]
        names = [term_of(condition.test, game) for condition in who]  # as they are when the cycle begins
        held = [*(one.term for one in must), *(Term("neg", (one.term,)) for one in unplayable)]
        rule = Rule(heuristic.weight, names, held, not_had)
    return Case(
        heuristic,
        mine.name,
        tuple(one for one in cards if one is not mine),
        tests(who),
        (*tests(must), *(_unplayable(condition, passed) for condition in unplayable)),
        tuple(Expr("intersect", Type.CARDS, (_hand(player), cards)) for player, cards in hands),
        _without(heuristic.worth, passed),
        rule,
    )


def _possible(lack: Condition, cards: Sequence[Parameter], game: Game) -> Iterator[Condition]:
    """That whoever must not have certain cards plays none of them."""
    player, lacked = lack.test.args[0].args
    for card in cards:
        if card.turn == 0 and seat_expr(card.distance) == player and all(part != card.expr for part in lacked.walk()):
            plays = Expr("member", Type.BOOL, (card.expr, lacked))
            term = Term("cardInstanceOf", (term_of(card.expr, game), term_of(lacked, game)))
            yield Condition("asked", Expr("not", Type.BOOL, (plays,)), Term("neg", (term,)))


def _unplayable(condition: Condition, passed: set[str | None]) -> Expr:
    """That the card of somebody who passes is not one that could have been played."""
    card, cards = _played(condition.test).args
    return Expr("not", Type.BOOL, (Expr("member", Type.BOOL, (card, _without(cards, passed))),))


def _passer(test: Expr) -> str | None:
    """The card of `card == none`: its player passes."""
    if test.op == "equal" and test.args[0].op == "local" and test.args[1] == NO_CARD:
        return test.args[0].name
    return None


def _positive(test: Expr) -> Expr:
    return test.args[0] if test.op == "not" else test


def _player_of(condition: Condition) -> str | None:
    """The card that a condition of cards to play is about."""
    test = _played(condition.test)
    return test.args[0].name if condition.kind == "card" and test.op == "member" else None


def _played(test: Expr) -> Expr:
    """`card in cards` of `card == none | card in cards`: it is known who passes."""
    return test.args[1] if test.op == "or" and _passer(test.args[0]) is not None else test


def _without(expr: Expr, passed: set[str | None]) -> Expr:
    """An expression with no card for those who pass."""
    if expr.op == "local" and expr.name in passed:
        return NO_CARD
    args = tuple(_without(arg, passed) for arg in expr.args)
    return replace(expr, args=args) if args != expr.args else expr


class Evaluation:
    """The functions by which the native engine values positions of a game, and where its cycles begin.

    With `goals_only` there are no heuristics, and only what I have counts. Where nothing was derived there are no
    cycles either, and moves are judged by random play to the end of the hand. Functions that would be too large for
    the engine are left out, the largest first: `left_out` of the heuristics.
    """

    def __init__(
        self,
        game: Game,
        derived: Heuristics | None,
        *,
        name: str = "evaluation",
        goals_only: bool = False,
        style: Style | None = None,
        size: int = MAX_SIZE,
    ) -> None:
        self.game = game
        self.style = Style() if style is None else style
        self.name = name
        self.derived = derived
        self.main: MainLoop | None = None if derived is None else main_loop(game.flowchart)
        every = () if goals_only or derived is None or self.main is None else cases(derived, self.main, self.style)
        self.cases = _fitting(every, size)
        self.left_out = len(every) - len(self.cases)
        self._functions: dict[tuple[tuple[str, ...], Expr], Function] = {}
        goals = () if derived is None else derived.goals
        self.goal = self._function((), self._goal(goals))
        self.ahead = self._function((), self._ahead(1))
        self.mean = any(part.op == "cardsRemaining" for goal in goals for part in goal.what.walk())
        self._rows = tuple(self._row(case) for case in self.cases)

    @property
    def functions(self) -> tuple[Function, ...]:
        """All functions, each once."""
        return tuple(self._functions.values())

    @property
    def pauses(self) -> frozenset[int]:
        """The node where cycles begin."""
        return frozenset() if self.main is None else frozenset({self.main.places[self.main.loop.head].node.number})

    def compiled(self, program: _engine.Program, numbers: Mapping[str, int]) -> _engine.Evaluation:
        """The C engine's form, for a program that has the functions under these numbers and the pauses."""
        chart = self.game.flowchart
        places = () if self.main is None else [self.main.places[place] for place in self.main.loop.places]
        within = {place.node.number for place in places}
        numbered = dict[str | None, int](numbers) | {None: NO_FUNCTION}
        rows = tuple(
            (float(case.heuristic.weight or 0), numbered[away], numbers[fits], numbered[total], numbered[change], seats)
            for case, ((away, fits, total, change), seats) in zip(self.cases, self._rows, strict=True)
        )
        return _engine.Evaluation(
            program=program,
            goal=numbers[self.goal],
            ahead=numbers[self.ahead],
            mean=self.mean,
            shares=self.style.normalise == "shares",
            average=self.style.replies == "mean",
            depth=self.style.depth,
            hand=self.game.zones.index("hand(0)"),
            inside=bytes(number in within for number in chart.nodes),
            friends=array("Q", map(self._friends, range(self.game.players))).tobytes(),
            heuristics=rows,
        )

    def _friends(self, seat: int) -> int:
        team = next((team for team in self.game.flowchart.teams if seat in team), (seat,))
        return sum(1 << member for member in team)

    def _function(self, cards: Sequence[str], body: Expr) -> str:
        """The name of a function of me and of these cards."""
        key = (tuple(cards), body)
        if key not in self._functions:
            parameters = (("me", Type.PLAYER), *((card, Type.CARD) for card in cards))
            self._functions[key] = Function(f"{self.name} {len(self._functions)}", parameters, body)
        return self._functions[key].name

    def _goal(self, goals: Sequence[Goal]) -> Expr:
        """What I have of what I want; where that is not the score, what points there are count for more."""
        parts = [_times(goal.factor, _if(goal.context, goal.what)) for goal in goals]
        if not any(part.name == "score" for goal in goals for part in goal.what.walk()):
            parts.append(self._ahead(SCORED))
        return _total(parts)

    def _ahead(self, factor: int) -> Expr:
        """How far I am ahead of the others in the score: my points times their number, less theirs."""
        sign = -factor if self.game.flowchart.lowest_wins else factor
        others = self.game.players - 1
        scores = [
            _times(-sign if distance else sign * max(1, others), _of_player("score", distance))
            for distance in range(self.game.players)
        ]
        return _total(scores)

    def _row(self, case: Case) -> tuple[tuple[str | None, str, str | None, str | None], tuple[int, ...]]:
        """The functions away, fits, total and change of a heuristic, and whose cards are their arguments.

        The cards of others are counted within the functions if there is one other and nothing that they lack depends on
        their card; else they are arguments.
        """
        counted = {part.name for cards in case.lacks for part in cards.walk() if part.op == "local"}
        within = case.others if len(case.others) == 1 and case.others[0].name not in counted else ()
        given = () if within else case.others
        names = (case.mine, *(one.name for one in given))
        away = self._function((), Expr("not", Type.BOOL, (_all(case.who),))) if case.who else None
        fits = self._function(names, _instances(case.must, within, _ONE))
        total = change = None
        if case.heuristic.weight is None:
            total = self._function(names, _instances(case.must, within, case.worth))
        if case.lacks:
            change = self._function(names, _total([Expr("count", Type.INT, (cards,)) for cards in case.lacks]))
        return (away, fits, total, change), tuple(one.distance for one in given)


def rules(evaluation: Evaluation) -> list[Rule]:
    """The same heuristics as ASP reads them: the slow reference."""
    return [case.rule for case in evaluation.cases if case.rule is not None]


def _instances(conditions: Sequence[Expr], others: Sequence[Parameter], value: Expr) -> Expr:
    """The sum of a value over the cards of one other player, or over nothing, that fulfil the conditions."""
    if not others:
        return _if(conditions, value)
    (other,) = others
    asked = [item for item in conditions if any(part == other.expr for part in item.walk())]
    ready = [item for item in conditions if item not in asked]
    domain = _hand(seat_expr(other.distance))
    if value is _ONE:
        return _if(ready, Expr("countOf", Type.INT, (domain, _all(asked)), name=other.name))
    return _if(ready, Expr("sum", Type.INT, (domain, _all(asked), value), name=other.name))


def _of_player(variable: str, distance: int) -> Expr:
    return Expr("playerVariable", Type.INT, (seat_expr(distance),), name=variable)


def _hand(player: Expr) -> Expr:
    return Expr("zone", Type.CARDS, (player,), name="hand")


def _if(conditions: Sequence[Expr], value: Expr) -> Expr:
    return Expr("if", Type.INT, (_all(conditions), value, _ZERO)) if conditions else value


def _times(factor: int, expr: Expr) -> Expr:
    return expr if factor == 1 else Expr("multiply", Type.INT, (Expr("const", Type.INT, value=factor), expr))


def _total(parts: Sequence[Expr]) -> Expr:
    total = parts[0]
    for part in parts[1:]:
        total = Expr("add", Type.INT, (total, part))
    return total


def _all(conditions: Sequence[Expr]) -> Expr:
    whole = conditions[0] if conditions else TRUE
    for condition in conditions[1:]:
        whole = Expr("and", Type.BOOL, (whole, condition))
    return whole
