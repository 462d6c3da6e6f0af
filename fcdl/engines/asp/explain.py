"""Which path the game took through the chart and why, and why a move is not legal.

All values come from the referee's own grounding; `fcdl.model.reasons` makes the words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clingo import Number, String, Symbol, SymbolType, Tuple_

from fcdl.engines.asp.program import Grounding
from fcdl.engines.asp.translate import Translation
from fcdl.language.flowchart import Expr, Node, NodeKind
from fcdl.model import Chance, Move, reasons
from fcdl.model.game import Game
from fcdl.model.reasons import NOTHING_BOUND, Bound, Value, why_so

if TYPE_CHECKING:
    from fcdl.engines.asp.engine import AspEngine, AspState

_NO_BINDING = Tuple_([])
_AT_FIRST = Tuple_([Number(0), Number(0)])
"""The version of the store when a grounding begins."""


@dataclass(frozen=True, slots=True)
class Visited:
    """A node that the game visited, and for a diamond its answer and why."""

    node: Node
    went: str | None
    why: tuple[str, ...]

    @property
    def box(self) -> int:
        """The number of the node that is drawn for it."""
        return self.node.number if self.node.box is None else self.node.box


class GroundValues:
    """The values that one grounding found, by version of the store, binding of locals and expression."""

    def __init__(self, game: Game, grounding: Grounding) -> None:
        self.game = game
        self._translation = Translation(game)
        self._values = {tuple(atom.arguments[:3]): atom.arguments[3] for atom in grounding.facts("eval", 4)}

    def at(self, version: Symbol) -> GroundFacts:
        """The values in one version of the store."""
        return GroundFacts(self, version)

    def get(self, expr: Expr, version: Symbol, binding: Symbol) -> Symbol | None:
        """The value of an expression; None if it was not evaluated."""
        for inside in (False, True):
            value = self._values.get((version, binding, self._translation.expression(expr, inside)))
            if value is not None:
                return value
        if binding != _NO_BINDING:
            return self.get(expr, version, _NO_BINDING)
        return None


@dataclass(frozen=True, slots=True)
class GroundFacts:
    """The `Facts` of one version of the store."""

    values: GroundValues
    version: Symbol

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.values.game

    def value(self, expr: Expr, bound: Bound = NOTHING_BOUND) -> Value | None:
        """The value of an expression; None if it was not evaluated."""
        binding = _NO_BINDING
        for name, element in bound.items():
            binding = Tuple_([String(name), Number(element), binding])
        found = self.values.get(expr, self.version, binding)
        if found is None:
            return None
        if found.type is SymbolType.Number:
            return found.number
        return tuple(item.number for item in found.arguments)


def why_illegal(engine: AspEngine, state: AspState, move: Move) -> str:
    """One sentence: which node, which condition and which facts forbid the move."""
    player = engine.mover(state)
    if player is None:
        return f"illegal move '{move}': the game is over"
    facts = GroundValues(engine.game, engine.ground_again(state)).at(_AT_FIRST)
    node = engine.game.flowchart.nodes[state.node]
    return reasons.why_illegal(facts, node, player, move, state.legal, _last_diamond(state))


def _last_diamond(state: AspState) -> tuple[int, bool] | None:
    """The diamond right before the decision, if the game came straight from one, and its answer."""
    events = state.history.newest
    if not events or events[-1].arguments[2].name != "branch":
        return None
    number, went = events[-1].arguments[2].arguments
    return number.number, bool(went.number)


def explain_path(engine: AspEngine, state: AspState | None, move: Move | None, chance: Chance) -> list[Visited]:
    """The nodes that the game visits from a position by a move (or from the start) to the next decision, and why."""
    groundings: list[Grounding] = []
    if state is None or move is None:
        engine.start(chance, groundings.append)
    else:
        engine.apply(state, move, chance, groundings.append)
    visited: list[Visited] = []
    for grounding in groundings:
        values = GroundValues(engine.game, grounding)
        path = sorted(grounding.facts("at", 4), key=lambda atom: atom.arguments[0].number)
        for step in path:
            number, version = step.arguments[2].number, step.arguments[1]
            node = engine.game.flowchart.nodes[number]
            again = visited and visited[-1].node is node and step.arguments[0].number == 0
            if again or node.is_turning:
                continue
            if node.kind is NodeKind.CHOICE and node.condition is not None:
                facts = values.at(version)
                went = "yes" if facts.value(node.condition) else "no"
                visited.append(Visited(node, went, tuple(why_so(facts, node.condition))))
            else:
                visited.append(Visited(node, None, ()))
    return visited
