"""The proof that paths are worth what cycles change: all cycles of a small game, judged by `asp/cycles.lp`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, permutations

from clingo import Function, Number, String, Symbol, Tuple_
from clingo.ast import AST, ASTType, Transformer, Variable

from fcdl.engines.asp.engine import STATIC, static_facts
from fcdl.engines.asp.primitives import Primitives
from fcdl.engines.asp.program import Grounding, Rules, merge, statements
from fcdl.engines.asp.translate import Translation, numbers, start_facts
from fcdl.language.flowchart import Expr
from fcdl.model.game import Game

_INPUTS = (
    "origin/1", "arrive/3", "now/2", "head/1", "turn/1", "over/1", "within/1", "path/3", "asks/3", "number/2",
    "worth/2", "goal/4", "supply/1", "limit/1",
)  # fmt: skip
_STEPS = 500
"""More nodes than there are between two decisions."""
_BATCH = 100
"""First positions in one grounding."""
_NOWHERE = Function("none")


@dataclass(frozen=True, slots=True)
class Path:
    """A path through a cycle: the node where it begins, parameters (name, distance, turn), conditions and worth."""

    start: int
    parameters: Sequence[tuple[str, int, int]]
    conditions: Sequence[Expr]
    worth: Expr


@dataclass(frozen=True, slots=True)
class Claim:
    """What is to be proved: the paths, and the goals (factor, context, what) whose change they are worth.

    `starts`: the nodes where cycles begin, the main loop's first. `over`: other nodes that end a cycle.
    `apart`: variables that cycles do not depend on. `supply`: a zone from which a fixed number of cards is taken;
    cycles that leave it empty are not compared.
    """

    paths: Sequence[Path]
    goals: Sequence[tuple[int, Expr, Expr]]
    starts: Sequence[int]
    over: Collection[int]
    apart: Collection[str]
    supply: str | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """How many cycles were judged, which paths applied to any of them, and what was wrong (as text), if anything."""

    cycles: int
    applied: frozenset[int]
    mismatches: tuple[str, ...]


def judge(game: Game, claim: Claim, orders: Sequence[Sequence[int]], turns: int | None = None) -> Verdict:
    """Judges every cycle that is possible in the first hand of a game, or in so many turns of the main loop.

    `orders`: those that the pack can be shuffled into.
    """
    return _Judge(game, claim, orders).verdict(turns)


def orders_in_piles(cards: Sequence[int], piles: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All orders of cards that differ in more than the order within piles of so many cards."""
    if not piles:
        yield from permutations(cards)
        return
    for pile in combinations(cards, piles[0]):
        rest = [card for card in cards if card not in pile]
        yield from ((*pile, *order) for order in orders_in_piles(rest, piles[1:]))


@dataclass(frozen=True, slots=True)
class _Place:
    """A position, and the node where the game stands, with the calls to return to: the referee's terms."""

    node: Symbol
    calls: Symbol
    position: tuple[Symbol, ...]


class _Judge:
    """Rounds of groundings: each follows some positions to the next ones at the head of the main loop."""

    def __init__(self, game: Game, claim: Claim, orders: Sequence[Sequence[int]]) -> None:
        self._game, self._claim = game, claim
        self._orders = [numbers(order) for order in orders]
        asked = [expr for path in claim.paths for expr in (*path.conditions, path.worth)]
        asked += [expr for _, context, what in claim.goals for expr in (context, what)]
        self._translation = Translation(game, asked)
        self._facts = merge(static_facts(self._translation), dict(self._claimed()))

    def verdict(self, turns: int | None) -> Verdict:
        """What can happen from the start of the game."""
        chart = self._game.flowchart
        pending = [_Place(Number(chart.charts[chart.main].start), Tuple_([]), tuple(start_facts(self._game)))]
        seen = set[_Place]()
        cycles, applied, mismatches = 0, set[int](), list[str]()
        turn = 0
        while pending and (turns is None or turn <= turns):
            following: list[_Place] = []
            for first in range(0, len(pending), _BATCH):
                grounding = self._ground(pending[first : first + _BATCH])
                cycles += len(grounding.facts("_cycle", 4))
                applied.update(fact.arguments[2].number for fact in grounding.facts("applies", 3))
                mismatches += map(str, grounding.facts("mismatch", 4))
                for place in _begins(grounding):
                    key = self._relevant(place)
                    if key not in seen:
                        seen.add(key)
                        following.append(place)
            pending, turn = following, turn + 1
        return Verdict(cycles, frozenset(applied), tuple(mismatches))

    def _relevant(self, place: _Place) -> _Place:
        """The same without the variables that cycles do not depend on."""
        kept = [fact for fact in place.position if fact.arguments[0].arguments[0].string not in self._claim.apart]
        return replace(place, position=tuple(sorted(kept)))

    def _ground(self, places: Sequence[_Place]) -> Grounding:
        worlds = [(Number(number), place) for number, place in enumerate(places)]
        inputs = {
            "origin/1": [Tuple_([world]) for world, _ in worlds],
            "arrive/3": [Tuple_([world, place.node, place.calls]) for world, place in worlds],
            "now/2": [Tuple_([world, fact]) for world, place in worlds for fact in place.position],
        }
        functions = _Lists(self._game, self._orders)
        return _many_worlds().ground(merge(self._facts, inputs), functions)

    def _claimed(self) -> Iterator[tuple[str, list[Symbol]]]:
        """The claim as facts."""
        claim = self._claim
        head, *others = claim.starts
        over = set(claim.over) - set(claim.starts)
        yield "head/1", [numbers([head])]
        yield "turn/1", [numbers([node]) for node in others]
        yield "over/1", [numbers([node]) for node in over]
        yield "within/1", [numbers([node]) for node in self._game.flowchart.nodes if node not in over and node != head]
        paths = [(Number(number), path) for number, path in enumerate(claim.paths)]
        yield "path/3", [Tuple_([number, Number(path.start), _parameters(path)]) for number, path in paths]
        yield (
            "asks/3",
            [
                Tuple_([number, Number(place), self._term(test)])
                for number, path in paths
                for place, test in enumerate(path.conditions)
            ],
        )
        yield "number/2", [Tuple_([number, Number(len(path.conditions))]) for number, path in paths]
        yield "worth/2", [Tuple_([number, self._term(path.worth)]) for number, path in paths]
        yield (
            "goal/4",
            [
                Tuple_([Number(number), Number(factor), self._term(context), self._term(what)])
                for number, (factor, context, what) in enumerate(claim.goals)
            ],
        )
        yield "supply/1", [Tuple_([Function("zone", [String(claim.supply)])])] if claim.supply is not None else []
        yield "limit/1", [numbers([_STEPS])]

    def _term(self, expr: Expr) -> Symbol:
        return self._translation.expression(expr, True)


def _parameters(path: Path) -> Symbol:
    return Tuple_([Tuple_([String(name), Number(seat), Number(turn)]) for name, seat, turn in path.parameters])


def _begins(grounding: Grounding) -> Iterator[_Place]:
    """The positions where the head of the main loop was reached."""
    positions: dict[tuple[Symbol, Symbol], list[Symbol]] = {}
    for fact in grounding.facts("found", 3):
        world, step, what = fact.arguments
        positions.setdefault((world, step), []).append(what)
    for fact in grounding.facts("begins", 4):
        world, step, node, calls = fact.arguments
        yield _Place(node, calls, tuple(positions[world, step]))


class _Lists(Primitives):
    """What the rules of cycles.lp call in addition."""

    def __init__(self, game: Game, orders: Sequence[Symbol]) -> None:
        super().__init__(game)
        self._orders = orders

    def orders(self, cards: Symbol) -> Sequence[Symbol]:
        """The orders into which the pack is shuffled; of other cards, none."""
        return [order for order in self._orders if sorted(order.arguments) == sorted(cards.arguments)]

    def bound(self, parameters: Symbol, decisions: Symbol, me: Symbol, players: Symbol) -> Symbol:
        """The locals: me and the parameters, each a decision of a seat after me; none if one was not made."""
        made: dict[int, list[Symbol]] = {}
        for who, value in reversed(list(_pairs(decisions))):
            made.setdefault(who.number, []).append(value)
        found = Tuple_([String("me"), me, Tuple_([])])
        for parameter in parameters.arguments:
            name, distance, turn = parameter.arguments
            values = made.get((me.number + distance.number) % players.number, [])
            if len(values) <= turn.number:
                return _NOWHERE
            found = Tuple_([name, values[turn.number], found])
        return found


def _pairs(decisions: Symbol) -> Iterator[Sequence[Symbol]]:
    while decisions.arguments:
        first, decisions = decisions.arguments
        yield first.arguments


class _WithWorld(Transformer):
    """Adds the world as the first argument to every predicate but some."""

    def __init__(self, without: Collection[str]) -> None:
        self._without = without

    def visit_SymbolicAtom(self, atom: AST) -> AST:  # noqa: N802 (clingo's name)
        """An atom with the world."""
        symbol = atom.symbol
        if f"{symbol.name}/{len(symbol.arguments)}" in self._without:
            return atom
        return atom.update(symbol=symbol.update(arguments=[Variable(symbol.location, "World"), *symbol.arguments]))

    def visit_Defined(self, statement: AST) -> AST:  # noqa: N802
        """A declaration, as the atoms are."""
        if f"{statement.name}/{statement.arity}" in self._without:
            return statement
        return statement.update(arity=statement.arity + 1)


@cache
def _many_worlds() -> Rules:
    """The referee's rules for many worlds at once, and those of cycles.lp; facts among them are true in all worlds."""
    plain = list(statements(("referee.lp", "expressions.lp")))
    everywhere = {*STATIC, "limit/1", *_stated(item for _, item in plain)}
    with_world = _WithWorld(everywhere)
    worlds = [(part, with_world(item)) for part, item in plain if item.ast_type is not ASTType.ShowSignature]
    return Rules([*worlds, *statements(("cycles.lp",))], [*STATIC, *_INPUTS])


def _stated(rules: Iterable[AST]) -> set[str]:
    """The predicates of facts."""
    heads = [
        (rule.head.atom.symbol, bool(rule.body))
        for rule in rules
        if rule.ast_type is ASTType.Rule and rule.head.ast_type is ASTType.Literal
    ]
    return {f"{head.name}/{len(head.arguments)}" for head, has_body in heads if not has_body}
