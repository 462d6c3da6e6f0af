"""Decisions without a legal move: a card that must be played and is not held, nothing left to choose from.

Only a diamond can promise that a player holds one of the cards they must play. So the facts "player p holds one of the
cards cs" and "... none of ..." are followed along the arrows of the diamonds that ask, until something that they
depend on changes. A decision that such a fact covers is safe, or certainly stuck. Of the others, a plain template that
nothing in the chart ever asks about is most likely a mistake (a warning); the rest is a note.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from fcdl.language import flowchart as fc
from fcdl.language import tree
from fcdl.language.check.fold import Folder
from fcdl.language.check.program import Program, places_read
from fcdl.language.check.words import card_of, code, shortened
from fcdl.language.diagnostics import Findings
from fcdl.language.flow import BitProblem, BitSolution, solve
from fcdl.language.flowchart import ANY, Expr, Type
from fcdl.language.ops import BINDERS, OPS
from fcdl.language.text import format_expression

_TESTS = frozenset({"playerHas", "intersect", "member", "some", "every", "countOf", "those"})


def check(program: Program, findings: Findings) -> None:
    """Reports decisions that may leave a player without a move."""
    demands = dict(_demands(program))
    mentioned = _Mentioned(program)
    knowledge = _Knowledge(program, demands)
    folder = Folder(program.flowchart)
    for number, demand in demands.items():
        if isinstance(demand, _Holding):
            _play(program, number, demand, knowledge, mentioned, findings)
        else:
            _choose(program, number, demand, knowledge, folder, findings)


# --- what decisions ask for -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Holding:
    """A player holds one of these cards (all parts canonical)."""

    player: Expr
    cards: Expr


@dataclass(frozen=True, slots=True)
class _Choice:
    """One of these conditions holds; none of the values comes without one."""

    conditions: tuple[Expr, ...]


_Demand = _Holding | _Choice
_Fact = tuple[bool, _Holding | Expr]
"""Whether something holds: what a player has, or a condition."""


def _demands(program: Program) -> Iterator[tuple[int, _Demand]]:
    """What each decision needs that is not plain."""
    for node in program.in_text_order():
        match node.statement:
            case fc.Play(player=player, cards=cards, may_pass=False):
                holding = _Holding(canonical(player), canonical(cards))
                if not _any_card(holding.cards, holding.player) and not _unless_all(holding):
                    yield node.number, holding
            case fc.Choose(values=values):
                conditions = _conditions(values)
                if conditions is not None:
                    yield node.number, _Choice(conditions)


def _any_card(cards: Expr, player: Expr) -> bool:
    """Whether every card of the player's hand will do."""
    match cards:
        case Expr(op="allCards"):
            return True
        case Expr(op="template", args=(rank, suit)):
            return _is_any(rank) and _is_any(suit)
        case Expr(op="zone", name="hand", args=(owner,)):
            return owner == player
        case Expr(op="those", args=(domain, condition)):
            return condition == fc.TRUE and _any_card(domain, player)
        case Expr(op="union", args=parts):
            return any(_any_card(part, player) for part in parts)
        case Expr(op="if", args=(_, *parts)):
            return all(_any_card(part, player) for part in parts)
    return False


def _unless_all(holding: _Holding) -> bool:
    """Whether a rule lifts itself when no card obeys it.

    That is `cards c in hand(p) where A(c) | every(d in hand(p) where !A(d))`: no hearts, unless you have only hearts.
    """
    cards = holding.cards
    if cards.op != "those" or cards.args[0] != Expr("zone", Type.CARDS, (holding.player,), name="hand"):
        return False
    allowed = list(_disjuncts(cards.args[1]))
    refused = {_opposite(part) for part in allowed}
    for part in allowed:
        if part.op == "every" and part.args[0] == cards.args[0]:
            same_name = canonical(Expr("those", Type.CARDS, part.args, name=part.name)).args[1]
            if any(inner in refused for inner in _disjuncts(same_name)):
                return True
    return False


def _opposite(condition: Expr) -> Expr:
    """What holds exactly when the condition does not."""
    if condition.op == "not":
        return condition.args[0]
    return _negation(condition) or Expr("not", Type.BOOL, (condition,))


def _disjuncts(condition: Expr) -> Iterator[Expr]:
    pending = [condition]
    while pending:
        part = pending.pop()
        if part.op == "or":
            pending.extend(part.args)
        elif part.op == "not" and part.args[0].op == "and":
            pending.extend(Expr("not", Type.BOOL, (arg,)) for arg in part.args[0].args)
        else:
            yield part
    yield condition


def _conditions(values: Expr) -> tuple[Expr, ...] | None:
    """The conditions of which one must hold so that there is a value; None if there is always one."""
    match values:
        case Expr(op="values", args=items):
            conditions: list[Expr] = []
            for item in items:
                inner = _conditions(item)
                if inner is None:
                    return None
                conditions.extend(inner)
            return tuple(conditions)
        case Expr(op="when", args=(condition, item)):
            return (canonical(condition),) if _conditions(item) is None else (canonical(values),)
        case Expr(op="range", args=(low, high)):
            fixed = low.op == high.op == "const" and (low.value or 0) <= (high.value or 0)
            zero_up = low.op == "const" and low.value == 0
            return None if fixed or zero_up or low == high else (Expr("lessEqual", Type.BOOL, (low, high)),)
        case Expr(op="those", args=(_, condition)):
            return (canonical(values),) if condition != fc.TRUE else None
    return None


# --- facts ------------------------------------------------------------------------------------------------------------


class _Knowledge:
    """What is known, before each decision, of what decisions need."""

    def __init__(self, program: Program, demands: dict[int, _Demand]) -> None:
        self._program = program
        holdings = {demand.player: True for demand in demands.values() if isinstance(demand, _Holding)}
        choices = [demand.conditions for demand in demands.values() if isinstance(demand, _Choice)]
        conditions = {wanted for group in choices for wanted in (*group, *_disjunctions(group))}
        self._bits: dict[_Fact, int] = {}
        self._facts: list[_Fact] = []
        self._about: dict[Expr, int] = {}
        """The facts about each player's hand."""
        problem = BitProblem(must=True)
        for number in program.reachable() if demands else ():
            condition = program.nodes[number].condition
            if condition is None:
                continue
            for answers, answer in ((problem.on_yes, True), (problem.on_no, False)):
                for fact in _facts(condition, answer):
                    wanted = fact[1].player in holdings if isinstance(fact[1], _Holding) else fact[1] in conditions
                    if wanted:
                        answers[number] = answers.get(number, 0) | self._bit(fact)
        self._solution: BitSolution | None = None
        if self._bits:
            self._forget(problem)
            self._solution = solve(program, problem)

    def _bit(self, fact: _Fact) -> int:
        if fact not in self._bits:
            bit = self._bits[fact] = 1 << len(self._bits)
            self._facts.append(fact)
            if isinstance(fact[1], _Holding):
                self._about[fact[1].player] = self._about.get(fact[1].player, 0) | bit
        return self._bits[fact]

    def _forget(self, problem: BitProblem) -> None:
        """A fact is forgotten where anything changes that it depends on."""
        about: dict[str, int] = {}
        for (_, subject), bit in self._bits.items():
            parts = (subject.player, subject.cards) if isinstance(subject, _Holding) else (subject,)
            places = set(places_read(parts)) | ({"@hand"} if isinstance(subject, _Holding) else set())
            for place in places:
                about[place] = about.get(place, 0) | bit
        for number in self._program.reachable():
            for place in self._program.facts[number].writes:
                if place in about:
                    problem.clears[number] = problem.clears.get(number, 0) | about[place]

    def holds(self, number: int, demand: _Holding) -> bool | None:
        """Whether the player holds such a card there; None if that is not known."""
        known = self._solution.before[number] & self._about.get(demand.player, 0) if self._solution is not None else 0
        while known:
            lowest = known & -known
            known ^= lowest
            positive, subject = self._facts[lowest.bit_length() - 1]
            assert isinstance(subject, _Holding)
            if positive and covers(demand.cards, subject.cards):
                return True
            if not positive and covers(subject.cards, demand.cards):
                return False
        return None

    def is_true(self, number: int, condition: Expr) -> bool:
        """Whether a condition certainly holds there."""
        bit = self._bits.get((True, condition), 0)
        return self._solution is not None and bool(self._solution.before[number] & bit)


def _facts(condition: Expr, answer: bool) -> Iterator[_Fact]:
    """What is known after a diamond has given an answer."""
    pending = [(condition, answer)]
    while pending:
        expr, positive = pending.pop()
        if expr.op == "not":
            pending.append((expr.args[0], not positive))
            continue
        if (expr.op == "and" and positive) or (expr.op == "or" and not positive):
            pending.extend((arg, positive) for arg in expr.args)
        yield positive, canonical(expr)
        negated = _negation(expr)
        if negated is not None:
            yield not positive, canonical(negated)
        yield from ((sign, holding) for sign, holding in _holdings(expr, positive))


def _negation(expr: Expr) -> Expr | None:
    """The comparison that says the opposite."""
    opposite = OPS[expr.op].opposite
    return replace(expr, op=opposite) if opposite else None


def _holdings(expr: Expr, positive: bool) -> Iterator[tuple[bool, _Holding]]:
    """What an answer says about a hand: `playerHas`, `some`, `every`, `empty`, `count > 0`, `in`."""
    match expr:
        case Expr(op="playerHas", args=(player, cards)):
            yield positive, _Holding(canonical(player), canonical(cards))
        case Expr(op="some", args=(Expr(op="zone", name="hand", args=(player,)), _)):
            yield positive, _Holding(canonical(player), canonical(_those(expr)))
        case Expr(op="every", args=(Expr(op="zone", name="hand", args=(player,)) as hand, condition)):
            refused = Expr("not", Type.BOOL, (condition,))
            yield not positive, _Holding(canonical(player), canonical(_those(replace(expr, args=(hand, refused)))))
        case Expr(op="member", args=(card, Expr(op="zone", name="hand", args=(player,)))):
            yield positive, _Holding(canonical(player), canonical(Expr("single", Type.CARDS, (card,))))
        case Expr(op="empty", args=(cards,)):
            yield from ((not positive, holding) for holding in _part_of_hand(cards))
        case Expr(op="greater" | "notEqual" | "equal" | "greaterEqual" | "less" | "lessEqual", args=(left, right)):
            if right.op == "const" and (expr.op, right.value) in _MEANS_SOME:
                sign = positive if _MEANS_SOME[expr.op, right.value] else not positive
                yield from ((sign, holding) for holding in _counted(left))


_MEANS_SOME: dict[tuple[str, int | None], bool] = {
    ("greater", 0): True, ("notEqual", 0): True, ("greaterEqual", 1): True,
    ("equal", 0): False, ("less", 1): False, ("lessEqual", 0): False,
}  # fmt: skip
"""Comparisons of a count that say that there is one, or that there is none."""


def _counted(expr: Expr) -> Iterator[_Holding]:
    match expr:
        case Expr(op="cardsRemaining", args=(player,)):
            yield _Holding(canonical(player), Expr("allCards", Type.CARDS))
        case Expr(op="count", args=(cards,)):
            yield from _part_of_hand(cards)
        case Expr(op="countOf", args=(Expr(op="zone", name="hand", args=(player,)), _)):
            yield _Holding(canonical(player), canonical(_those(expr)))


def _part_of_hand(cards: Expr) -> Iterator[_Holding]:
    """Sets of cards that are taken from a hand."""
    match cards:
        case Expr(op="zone", name="hand", args=(player,)):
            yield _Holding(canonical(player), Expr("allCards", Type.CARDS))
        case Expr(op="those", args=(Expr(op="zone", name="hand", args=(player,)), _)):
            yield _Holding(canonical(player), canonical(cards))
        case Expr(op="intersect", args=(first, second)):
            for hand, other in ((first, second), (second, first)):
                if hand.op == "zone" and hand.name == "hand":
                    yield _Holding(canonical(hand.args[0]), canonical(other))


def _those(expr: Expr) -> Expr:
    """The cards that an aggregate over a hand goes through."""
    return Expr("those", Type.CARDS, expr.args[:2], name=expr.name)


# --- comparing sets of cards ------------------------------------------------------------------------------------------


def canonical(expr: Expr, depth: int = 0, names: dict[str, str] | None = None) -> Expr:
    """The expression with its bound names numbered, so that `cards c in ...` and `cards d in ...` are equal."""
    names = names or {}
    if expr.op == "local":
        return Expr("local", expr.type, name=names.get(expr.name or "", expr.name))
    if expr.op not in BINDERS:
        if not expr.args:
            return expr
        return Expr(expr.op, expr.type, tuple(canonical(arg, depth, names) for arg in expr.args), expr.value, expr.name)
    name = f"_{depth}"
    domain = canonical(expr.args[0], depth, names)
    inner = {**names, expr.name or "": name}
    rest = tuple(canonical(arg, depth + 1, inner) for arg in expr.args[1:])
    return Expr(expr.op, expr.type, (domain, *rest), expr.value, name)


def covers(wide: Expr, narrow: Expr) -> bool:
    """Whether every card of a set is certainly in another."""
    if wide == narrow or wide.op == "allCards":
        return True
    match wide, narrow:
        case Expr(op="template", args=wide_parts), Expr(op="template", args=narrow_parts):
            return all(_is_any(a) or a == b for a, b in zip(wide_parts, narrow_parts, strict=True))
        case _, Expr(op="union" | "if", args=parts) if narrow.type is Type.CARDS:
            return all(covers(wide, part) for part in parts[-2:])
        case Expr(op="union", args=parts), _:
            return any(covers(part, narrow) for part in parts)
        case Expr(op="if", args=(_, *parts)), _:
            return all(covers(part, narrow) for part in parts)
        case Expr(op="those", args=(domain, wide_condition)), Expr(op="those", args=(other, condition)):
            return covers(domain, other) and (
                wide_condition == condition or (wide_condition.op == "or" and condition in wide_condition.args)
            )
        case _, Expr(op="those", args=(domain, _)):
            return covers(wide, domain)
    return False


def _is_any(expr: Expr) -> bool:
    return expr.op == "const" and expr.value == ANY


# --- reports ----------------------------------------------------------------------------------------------------------


class _Mentioned:
    """The templates that some expression of the chart looks for among a player's cards."""

    def __init__(self, program: Program) -> None:
        self._program = program

    @cached_property
    def _templates(self) -> set[Expr]:
        found = set()
        for number in self._program.reachable():
            for expr in self._program.nodes[number].exprs():
                pending = [(canonical(expr), False)]
                while pending:
                    part, tested = pending.pop()
                    if tested and part.op == "template":
                        found.add(part)
                    tested = tested or part.op in _TESTS
                    pending.extend((arg, tested) for arg in part.args)
        return found

    def __contains__(self, cards: Expr) -> bool:
        return any(part in self._templates for part in cards.walk() if part.op == "template")


def _play(
    program: Program, number: int, demand: _Holding, knowledge: _Knowledge, mentioned: _Mentioned, findings: Findings
) -> None:
    holds = knowledge.holds(number, demand)
    if holds:
        return
    node = program.nodes[number]
    assert isinstance(node.statement, fc.Play)
    who = code(program.flowchart, node.statement.player)
    card = _wanted(program, node, node.statement.cards)
    span = program.place(node, node.statement.cards)
    hint = "ask first with playerHas, or use playCardOrPass"
    if holds is False:
        findings.warning(
            "no-legal-move",
            f"{who} has just been shown not to hold {card}",
            span,
            node=number,
            hint="are the diamond's arrows the wrong way round?",
        )
    elif _plain(demand.cards) and demand.cards not in mentioned:
        findings.warning("no-legal-move", f"{who} must play {card}, but may hold none", span, node=number, hint=hint)
    else:
        findings.note(
            "perhaps-no-move", f"{who} must play {card}; without one, the game ends here", span, node=number, hint=hint
        )


def _wanted(program: Program, node: fc.Node, cards: Expr) -> str:
    """The card that must be played: in a card player's words, or as the author wrote it."""
    body = program.tree_nodes[node.number].body
    if _plain(cards) or not isinstance(body, tree.Action):
        return card_of(program.flowchart, cards)
    return f"one of {shortened(format_expression(body.args[1]))}"


def _plain(cards: Expr) -> bool:
    """Whether a set is made of templates only."""
    if cards.op == "union":
        return all(_plain(part) for part in cards.args)
    return cards.op == "template"


def _choose(
    program: Program, number: int, demand: _Choice, knowledge: _Knowledge, folder: Folder, findings: Findings
) -> None:
    conditions = demand.conditions
    if any(knowledge.is_true(number, condition) for condition in conditions) or _exhaustive(conditions):
        return
    if any(knowledge.is_true(number, both) for both in _disjunctions(conditions)):
        return
    node = program.nodes[number]
    assert isinstance(node.statement, fc.Choose)
    who, span = code(program.flowchart, node.statement.player), program.place(node, node.statement.values)
    values = [folder.value(condition, None) for condition in conditions if condition.type is Type.BOOL]
    if len(values) == len(conditions) and all(value == 0 for value in values):
        findings.warning("no-legal-move", f"{who} has nothing to choose from", span, node=number)
    elif all(value != 1 for value in values):
        findings.note(
            "perhaps-no-move",
            f"{who} may have nothing to choose from; then the game ends here",
            span,
            node=number,
            hint="a value without a condition is always offered",
        )


def _exhaustive(conditions: tuple[Expr, ...]) -> bool:
    """Whether one of the conditions is the opposite of another."""
    known = set(conditions)
    return any(_opposite(condition) in known for condition in conditions)


def _disjunctions(conditions: Iterable[Expr]) -> Iterator[Expr]:
    """`a | b` of the conditions, which a diamond may have asked."""
    listed = list(conditions)[:8]
    for first in listed:
        for second in listed:
            if first is not second:
                yield Expr("or", Type.BOOL, (first, second))
