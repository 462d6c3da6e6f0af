"""The chart's definitions, found again in expressions in which they have been expanded, so that they can be named."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from fcdl.heuristics.clock import tick
from fcdl.heuristics.situation import Evaluator, Facts, Instance, UnclearError
from fcdl.heuristics.symbols import COMPARISONS, Value, linear, seat_expr
from fcdl.language import tree
from fcdl.language.diagnostics import Findings
from fcdl.language.flowchart import Expr, Type
from fcdl.language.ops import BINDERS
from fcdl.language.resolve import resolve_expression
from fcdl.model.game import Game

DEFINED = "defined"
"""The op of an expression that names a definition; its first argument is whom or what it is about."""
_KINDS = (Type.CARD, Type.PLAYER, Type.RANK, Type.SUIT, Type.INT)
_VALUES = (Type.BOOL, Type.INT, Type.SUIT, Type.RANK)
"""What definitions that have names to be said by are."""
_MAX_PLAYERS = 2
_COUNTS = {"count", "cardsRemaining"}


@dataclass(frozen=True, slots=True)
class _Definition:
    """A condition or a number that the chart defines: its parameters with their types, and other players it names."""

    name: str
    parameters: tuple[tuple[str, Type], ...]
    value: Expr
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Pattern:
    """What a definition can look like; `args` has the players that are fixed, and None for what is to be found."""

    name: str
    args: tuple[tuple[str, Expr | None], ...]
    value: Expr


class Definitions:
    """The definitions of one game's chart; `moving` are the variables that a cycle changes."""

    def __init__(self, game: Game, moving: Iterable[str]) -> None:
        self.game, self.moving = game, frozenset(moving)
        self._definitions: list[_Definition] | None = None
        self._patterns: dict[frozenset[tuple[Expr, bool]], list[_Pattern]] = {}

    def named(self, expr: Expr, facts: Facts, caption: str = "") -> Expr:
        """An expression in which the definitions have their names again, where some conditions have been answered.

        What the cycle changed since it began may stand in for variables and numbers of cards, if the chart's caption
        for the expression has the definition's name.
        """
        if expr.type in _VALUES and expr.args:
            for pattern in self._all(facts):
                found = self._match(pattern, expr, caption)
                if found is not None:
                    args = tuple(self.named(arg, facts, caption) for arg in found)
                    return Expr(DEFINED, expr.type, args, name=pattern.name)
        return replace(expr, args=tuple(self.named(arg, facts, caption) for arg in expr.args))

    def _all(self, facts: Facts) -> list[_Pattern]:
        """The patterns, larger ones first."""
        key = frozenset(facts.items())
        if key not in self._patterns:
            if self._definitions is None:
                self._definitions = list(_definitions(self.game))
            found = {pattern: None for one in self._definitions for pattern in self._looks(one, facts)}
            self._patterns[key] = sorted(found, key=lambda pattern: -sum(1 for _ in pattern.value.walk()))
        return self._patterns[key]

    def _looks(self, definition: _Definition, facts: Facts) -> Iterator[_Pattern]:
        """A definition as the walk would say it, for each choice of the players it names."""
        given = [name for name, kind in definition.parameters if kind is Type.PLAYER]
        names = [*definition.players, *given]
        if len(names) > _MAX_PLAYERS:
            return
        for seats in product(range(self.game.players), repeat=len(names)):
            seated = dict(zip(names, seats, strict=True))
            own = tuple((name, seated[name]) for name in definition.players)
            evaluator = Evaluator(self.game, Instance(0, own))
            bound = {
                name: evaluator.who(seated[name]) if name in seated else Value(Expr("local", kind, name=name))
                for name, kind in definition.parameters
            }
            at = evaluator.start(0)
            for known in dict.fromkeys((True, bool(facts))):
                try:
                    value = evaluator.value(definition.value, at, facts if known else {}, bound)
                except UnclearError:
                    continue
                if value.known is None and value.expr.args:
                    args = [(name, seat_expr(seated[name]) if name in seated else None) for name, _ in bound.items()]
                    if not args and len(definition.players) == 1:
                        args = [(definition.players[0], seat_expr(seated[definition.players[0]]))]
                    yield _Pattern(definition.name, tuple(args), value.expr)

    def _match(self, pattern: _Pattern, expr: Expr, caption: str) -> tuple[Expr, ...] | None:
        """The arguments with which the pattern is the expression, if there are any."""
        found: dict[str, Expr] = {}
        free = {name for name, fixed in pattern.args if fixed is None}
        mentioned = re.search(rf"\b{pattern.name}\b", caption) is not None
        if mentioned:
            free |= self.moving
        if not self._fits(pattern.value, expr, free, found, {}) and not (
            mentioned and _same_but_for_cards_played(pattern.value, expr)
        ):
            return None
        args = [found.get(name) if fixed is None else fixed for name, fixed in pattern.args]
        return tuple(arg for arg in args if arg is not None) if None not in args else None

    def _fits(
        self, pattern: Expr, expr: Expr, free: Collection[str], found: dict[str, Expr], bound: Mapping[str, str]
    ) -> bool:
        """Whether an expression is the pattern with something put in for what is free or changes in a cycle."""
        tick()
        if pattern.type is not expr.type:
            return False
        if pattern.op in ("local", "variable") and pattern.name is not None:
            if pattern.op == "local" and pattern.name in bound:
                return expr.op == "local" and expr.name == bound[pattern.name]
            if pattern.name in free:
                return found.setdefault(pattern.name, expr) == expr
        if pattern.op == "zone":
            return pattern == _without_cards_played(expr)
        same = pattern.op == expr.op and pattern.value == expr.value and len(pattern.args) == len(expr.args)
        if same and pattern.op in BINDERS and pattern.name is not None and expr.name is not None:
            bound = {**bound, pattern.name: expr.name}
        else:
            same = same and pattern.name == expr.name
        return same and all(
            self._fits(part, other, free, found, bound) for part, other in zip(pattern.args, expr.args, strict=True)
        )


def _without_cards_played(cards: Expr) -> Expr:
    """What a zone had in it before cards were played to it or from it."""
    while cards.op in ("union", "except") and cards.args[1].op in ("single", "zone"):
        cards = cards.args[0]
    return cards


def _same_but_for_cards_played(pattern: Expr, expr: Expr) -> bool:
    """Whether two comparisons of numbers of cards differ by a fixed number only."""
    if pattern.op != expr.op or pattern.op not in COMPARISONS or pattern.args[0].type is not Type.INT:
        return False
    ours, theirs = (linear(one.args[0]).plus(linear(one.args[1]), -1).parts for one in (pattern, expr))
    return ours == theirs and any(part.op in _COUNTS for part in ours)


def _definitions(game: Game) -> Iterator[_Definition]:
    """The conditions and numbers that the chart defines, with types for their parameters."""
    for item in game.flowchart.document.header:
        if not isinstance(item, tree.Define):
            continue
        found = (_resolved(game, item, kinds) for kinds in product(_KINDS, repeat=len(item.parameters)))
        first = next((one for one in found if one is not None), None)
        of_cards = _resolved(game, item, (Type.CARDS,)) if len(item.parameters) == 1 else None
        if of_cards is not None and of_cards.value.type is Type.INT:  # whether cards are a meld has words of its own
            yield of_cards
        if first is not None:
            yield first


def _resolved(game: Game, item: tree.Define, kinds: tuple[Type, ...]) -> _Definition | None:
    """A definition with these types of its parameters, if it is a value then that is said by its name."""
    parameters = tuple(zip(item.parameters, kinds, strict=True))
    value = resolve_expression(game.flowchart, item.value, dict(parameters), None, Findings(hints=False))
    if value is None or value.type not in _VALUES:
        return None
    return _Definition(item.name, parameters, value, _players(value.walk()))


def _players(parts: Iterable[Expr]) -> tuple[str, ...]:
    named = (part.name for part in parts if part.op == "variable" and part.type is Type.PLAYER)
    return tuple(dict.fromkeys(name for name in named if name is not None))
