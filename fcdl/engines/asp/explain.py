"""Why: in one sentence why a move is not legal, and which way the game took through the chart and why.

All values come from the referee's own grounding; only the words are made here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clingo import Control, Function, Number, String, Symbol, SymbolType, Tuple_

from fcdl.engines.asp.program import derived
from fcdl.engines.asp.translate import Translation
from fcdl.language.flowchart import ANY, Choose, Expr, Node, NodeKind, Pick, Play, Type
from fcdl.model import Chance, Move
from fcdl.model.expressions import expr_text
from fcdl.model.game import Game

if TYPE_CHECKING:
    from fcdl.engines.asp.engine import AspEngine, AspState

_NO_BINDING = Tuple_([])


@dataclass(frozen=True, slots=True)
class Passed:
    """A node that the game passed, and for a diamond which way it went and why."""

    node: Node
    went: str | None
    why: tuple[str, ...]


class Values:
    """The values that one grounding found, by version of the store, binding of locals and expression."""

    def __init__(self, game: Game, control: Control) -> None:
        self.game = game
        self._translation = Translation(game)
        self._values = {tuple(atom.arguments[:3]): atom.arguments[3] for atom in derived(control, "eval", 4)}

    def get(self, expr: Expr, version: Symbol, binding: Symbol = _NO_BINDING) -> Symbol | None:
        """The value of an expression; None if it was not evaluated."""
        for inside in (False, True):
            value = self._values.get((version, binding, self._translation.expression(expr, inside)))
            if value is not None:
                return value
        if binding != _NO_BINDING:
            return self.get(expr, version)
        return None

    def hand(self, player: Expr, version: Symbol, binding: Symbol) -> tuple[Symbol, Symbol] | None:
        """A player and the cards of his hand, if they were evaluated."""
        seat = self.get(player, version, binding)
        zone = Function("zone", [String("hand"), self._translation.expression(player)])
        cards = self._values.get((version, binding, zone))
        return None if seat is None or cards is None else (seat, cards)

    def text(self, expr: Expr, value: Symbol) -> str:
        """A value in words."""
        if expr.type in (Type.CARDS, Type.DOMAIN):
            kind = Type.CARD if expr.type is Type.CARDS else Type.INT
            return " ".join(self.game.value_text(kind, item.number) for item in value.arguments) or "none"
        if value.type is not SymbolType.Number:
            return str(value)
        return self.game.published_text(expr.type, value.number)


def why_illegal(engine: AspEngine, state: AspState, move: Move) -> str:
    """One sentence: which node, which condition and which facts forbid the move."""
    start = f"illegal move '{move}': "
    if state.over is not None:
        return f"{start}the game is over"
    legal = "; legal: " + ", ".join(map(str, state.legal[:20])) + (" ..." if len(state.legal) > 20 else "")
    node = engine.game.flowchart.nodes[state.node]
    return start + _reason(engine, state, move, node) + legal


def _reason(engine: AspEngine, state: AspState, move: Move, node: Node) -> str:
    player = f"player {engine.mover(state)}"
    statement = node.statement
    place = f"(node {node.number}: {node.caption})"
    if isinstance(statement, Choose):
        wanted = f"{player} chooses a value for {statement.target.name} {place}"
        return wanted if move.kind != "choose" else f"'{move.what}' is not offered: {wanted}"
    assert isinstance(statement, Play | Pick)
    kind = "play" if isinstance(statement, Play) else "pick"
    if move.kind != kind:
        return f"{player} must {kind} a card {place}"
    cards = engine.game.flowchart.deck.cards_with_code(move.what)
    in_play = [card for card in cards if card in engine.game.cards]
    if not in_play:
        return f"there is no card '{move.what}' in this game"
    values = Values(engine.game, engine.ground_again(state))
    now = Tuple_([Number(0), Number(0)])
    held = values.get(statement.source, now)
    if held is not None and not any(Number(card) in held.arguments for card in in_play):
        where = "in hand" if statement.source.name == "hand" else f"in {expr_text(statement.source, engine.game)}"
        return f"{player} does not have {move.what} {where} {place}"
    rule = _forbids(values, statement.cards, in_play[0], kind, now)
    return f"{player} {rule} {place}{_last_diamond(engine, state, statement.cards, player)}"


def _forbids(values: Values, cards: Expr, card: int, kind: str, version: Symbol) -> str:
    """What cards are asked for, or which conditions the card does not meet."""
    if cards.op == "those" and cards.name is not None:
        domain, condition = cards.args
        binding = Tuple_([String(cards.name), Number(card), _NO_BINDING])
        inside = values.get(domain, version)
        if inside is not None and Number(card) not in inside.arguments:
            return _forbids(values, domain, card, kind, version)
        code = values.game.value_text(Type.CARD, card)
        facts = _parts(values, condition, version, binding, {cards.name: code}, wanted=False)
        return f"may not {kind} {code}: {'; '.join(facts)}"
    if cards.op == "if":
        return _forbids(values, _taken(values, cards, version, _NO_BINDING), card, kind, version)
    return f"must {kind} {_kind_of_cards(values, cards, version)}"


def _taken(values: Values, expr: Expr, version: Symbol, binding: Symbol) -> Expr:
    """Of an `if` the branch that was taken, of all else the expression itself."""
    while expr.op == "if" and (chosen := values.get(expr.args[0], version, binding)) is not None:
        expr = expr.args[1 if chosen.number else 2]
    return expr


def _kind_of_cards(values: Values, cards: Expr, version: Symbol) -> str:
    """Cards in the words of card players."""
    if cards.op == "template":
        rank, suit = (values.get(arg, version) for arg in cards.args)
        if rank is not None and suit is not None:
            rank_text = values.game.value_text(Type.RANK, rank.number)
            suit_text = values.game.value_text(Type.SUIT, suit.number)
            if rank.number == ANY:
                return "a card" if suit.number == ANY else suit_text
            return f"a {rank_text}" if suit.number == ANY else f"the {rank_text} of {suit_text}"
    if cards.op == "union":
        return " or ".join(_kind_of_cards(values, arg, version) for arg in cards.args)
    value = values.get(cards, version)
    listed = f" ({values.text(cards, value)})" if value is not None else ""
    return f"one of {expr_text(cards, values.game)}{listed}"


def _last_diamond(engine: AspEngine, state: AspState, cards: Expr, player: str) -> str:
    """The diamond right before the decision, if the game came straight from one; `cards` are asked for then."""
    events = state.history.events
    if not events or events[-1].arguments[2].name != "branch":
        return ""
    number, went = events[-1].arguments[2].arguments
    node = engine.game.flowchart.nodes[number.number]
    if state.node not in node.successors:
        return ""
    caption = node.caption.removesuffix("?")
    if went.number and node.condition is not None and _asks_for(node.condition, cards):
        return f" because {player} has such a card (node {node.number}: {caption})"
    return f" because {caption}{'' if went.number else ' does not hold'} (node {node.number})"


def _asks_for(condition: Expr, cards: Expr) -> bool:
    """Whether a condition is that somebody has one of these cards."""
    if condition.op == "playerHas":
        return condition.args[1] == cards
    return (
        condition.op == "some" and cards.op == "those" and (condition.name, condition.args) == (cards.name, cards.args)
    )


def explain_path(engine: AspEngine, state: AspState | None, move: Move | None, chance: Chance) -> list[Passed]:
    """The nodes that the game passes from a position by a move (or from the start) to the next decision, and why."""
    controls: list[Control] = []
    if state is None or move is None:
        engine.start(chance, controls.append)
    else:
        engine.apply(state, move, chance, controls.append)
    passed: list[Passed] = []
    for control in controls:
        values = Values(engine.game, control)
        path = sorted(derived(control, "at", 4), key=lambda atom: atom.arguments[0].number)
        for step in path:
            number, version = step.arguments[2].number, step.arguments[1]
            node = engine.game.flowchart.nodes[number]
            if passed and passed[-1].node is node and step.arguments[0].number == 0:
                continue
            if node.kind is NodeKind.CHOICE and node.condition is not None:
                held = values.get(node.condition, version)
                went = "yes" if held is not None and held.number else "no"
                why = tuple(_parts(values, node.condition, version, _NO_BINDING, {}))
                passed.append(Passed(node, went, why))
            else:
                passed.append(Passed(node, None, ()))
    return passed


def _parts(
    values: Values,
    condition: Expr,
    version: Symbol,
    binding: Symbol,
    names: Mapping[str, str],
    wanted: bool | None = None,
) -> Iterator[str]:
    """Each comparison (or other simple condition) in a condition with its value and those of its sides.

    With `wanted`, only those that have this value (`!` turns it round). `names` says what locals stand for.
    """
    game = values.game
    condition = _taken(values, condition, version, binding)
    if condition.op in ("and", "or", "not"):
        turned = None if wanted is None else not wanted
        for arg in condition.args:
            yield from _parts(values, arg, version, binding, names, turned if condition.op == "not" else wanted)
        return
    value = values.get(condition, version, binding)
    if value is None or condition.op == "const" or (wanted is not None and bool(value.number) is not wanted):
        return
    args = [_taken(values, arg, version, binding) for arg in condition.args]
    sides = []
    for arg in args:
        side = values.get(arg, version, binding) if arg.op not in ("const", "local") else None
        if side is not None and arg.type is not Type.DOMAIN:
            sides.append(f"{expr_text(arg, game, names=names)} is {values.text(arg, side)}")
    if condition.op == "playerHas" and (held := values.hand(args[0], version, binding)) is not None:
        sides = [f"{values.text(args[0], held[0])} holds {values.text(condition.args[1], held[1])}"]
    text = expr_text(replace(condition, args=tuple(args)), game, names=names)
    yield f"{text} is {'yes' if value.number else 'no'}" + (f", {', '.join(sides)}" if sides else "")
