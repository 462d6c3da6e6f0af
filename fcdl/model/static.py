"""Values of expressions that do not depend on a position: constants, options, the number of players, the deck."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fcdl.language.flowchart import ANY, NONE, Expr
from fcdl.language.melds import cards_of, mask_of
from fcdl.language.ops import OF_CARDS, OPS, complete

if TYPE_CHECKING:
    from fcdl.model.game import Game


class NotStaticError(ValueError):
    """An expression that depends on the position."""


_CASES = frozenset({"const", "option", "numberOfPlayers", "local", "if", "member", "count", "empty", "theCard"})
_POSITIONAL = frozenset({
    "variable", "playerVariable", "random", "playerHas", "cardsRemaining", "top", "bottom", "at", "topCards",
    "bottomCards", "position",
    "zone", "template", "single", "allCards", "union", "intersect", "except", "those", "sum", "largest", "smallest",
    "highest", "lowest", "countOf", "some", "every", "players", "playersFrom", "suits", "ranks", "range", "subsets",
    "values", "when",
})  # fmt: skip
"""Ops that a position decides, or that static expressions do not have."""
complete("model/static.py", _CASES, _POSITIONAL, OF_CARDS, (row.name for row in OPS.values() if row.is_scalar))


def evaluate_static(expr: Expr, game: Game, bound: Mapping[str, int]) -> int:
    """The value of an expression without a position; raises NotStaticError if it needs one."""
    op = expr.op
    if op == "const":
        assert expr.value is not None
        return expr.value
    if op == "option":
        assert expr.name is not None
        return game.options[expr.name]
    if op == "numberOfPlayers":
        return game.players
    if op == "local":
        assert expr.name is not None
        if expr.name not in bound:
            raise NotStaticError(f"{expr.name} is not bound")
        return bound[expr.name]
    if op == "if":
        return evaluate_static(expr.args[1 if evaluate_static(expr.args[0], game, bound) else 2], game, bound)
    if op == "member":
        return int(evaluate_static(expr.args[0], game, bound) in _static_cards(expr.args[1], game, bound))
    if op in ("count", "empty"):
        number = len(_static_cards(expr.args[0], game, bound))
        return number if op == "count" else int(number == 0)
    if op == "theCard":
        return min(_static_cards(expr.args[0], game, bound), default=NONE)
    if op in OF_CARDS:
        cards = mask_of(list(_static_cards(expr.args[0], game, bound)))
        return game.scalars.of(expr)(cards, *(evaluate_static(arg, game, bound) for arg in expr.args[1:]))
    if op in _POSITIONAL:
        raise NotStaticError(f"{op} depends on the position")
    return game.scalars.of(expr)(*(evaluate_static(arg, game, bound) for arg in expr.args))


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
        case "if":
            return _static_cards(expr.args[1 if evaluate_static(expr.args[0], game, bound) else 2], game, bound)
        case "local" if str(expr.name) in bound:
            return set(cards_of(bound[str(expr.name)]))
        case "melds":
            return set(cards_of(evaluate_static(expr, game, bound)))
        case "except":
            return _static_cards(expr.args[0], game, bound) - _static_cards(expr.args[1], game, bound)
    raise NotStaticError(f"{expr.op} depends on the position")
