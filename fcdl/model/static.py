"""Values of expressions that do not depend on a position: constants, options, the number of players, the deck."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fcdl.language.arithmetic import BINARY, UNARY, saturate
from fcdl.language.flowchart import ANY, NONE, Expr, Type

if TYPE_CHECKING:
    from fcdl.model.game import Game


class NotStaticError(ValueError):
    """An expression that depends on the position."""


def evaluate_static(expr: Expr, game: Game, bound: Mapping[str, int]) -> int:
    """The value of an expression without a position; raises NotStaticError if it needs one."""
    deck = game.flowchart.deck
    op = expr.op
    if op == "const":
        assert expr.value is not None
        return expr.value
    if op == "option":
        assert expr.name is not None
        return game.options[expr.name]
    if op == "numberOfPlayers":
        return game.players
    if op == "local" and expr.name is not None and expr.name in bound:
        return bound[expr.name]
    if op == "if":
        return evaluate_static(expr.args[1 if evaluate_static(expr.args[0], game, bound) else 2], game, bound)
    if op == "listSize":
        assert expr.name is not None
        return len(game.flowchart.lists[expr.name])
    if op == "member":
        return int(evaluate_static(expr.args[0], game, bound) in _static_cards(expr.args[1], game, bound))
    if op == "count":
        return len(_static_cards(expr.args[0], game, bound))
    values = [evaluate_static(arg, game, bound) for arg in expr.args]
    if op in BINARY:
        return saturate(BINARY[op](values[0], values[1]))
    if op in UNARY:
        return saturate(UNARY[op](values[0]))
    if op == "suit":
        return deck.suit_of(values[0]) if values[0] >= 0 else NONE
    if op == "rank":
        return deck.rank_of(values[0]) if values[0] >= 0 else NONE
    if op == "suitAt":
        return values[0] if 0 <= values[0] < len(deck.suits) else NONE
    if op == "rankAt":
        return values[0] if 0 <= values[0] < len(deck.ranks) else NONE
    if op == "player":
        return values[0] if 0 <= values[0] < game.players else NONE
    if op == "table":
        assert expr.name is not None
        table = game.flowchart.tables[expr.name]
        kind = expr.args[0].type
        if kind is Type.CARD:
            return table.of_card(deck, values[0])
        return table.of_rank(values[0]) if kind is Type.RANK else table.of_suit(values[0])
    if op == "list":
        assert expr.name is not None
        numbers = game.flowchart.lists[expr.name]
        return numbers[values[0]] if 0 <= values[0] < len(numbers) else 0
    raise NotStaticError(f"{op} depends on the position")


def _static_cards(expr: Expr, game: Game, bound: Mapping[str, int]) -> set[int]:
    """A set of cards of the whole deck that does not depend on the position."""
    deck = game.flowchart.deck
    everything = range(deck.size)
    match expr.op:
        case "allCards":
            return set(everything)
        case "single":
            card = evaluate_static(expr.args[0], game, bound)
            return {card} if card >= 0 else set()
        case "template":
            rank, suit = (evaluate_static(arg, game, bound) for arg in expr.args)
            return {c for c in everything if rank in (ANY, deck.rank_of(c)) and suit in (ANY, deck.suit_of(c))}
        case "union":
            return _static_cards(expr.args[0], game, bound) | _static_cards(expr.args[1], game, bound)
        case "intersect":
            return _static_cards(expr.args[0], game, bound) & _static_cards(expr.args[1], game, bound)
        case "except":
            return _static_cards(expr.args[0], game, bound) - _static_cards(expr.args[1], game, bound)
    raise NotStaticError(f"{expr.op} depends on the position")
