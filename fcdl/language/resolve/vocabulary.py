"""The words of the language: functions, statements, constants, operators, and what they take."""

from __future__ import annotations

from collections.abc import Mapping

from fcdl.language.flowchart import ANY, NONE, TRUE, Expr, Type
from fcdl.language.resolve.kinds import NOTHING, WILD

STANDARD_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")
STANDARD_SUITS = ("clubs", "diamonds", "hearts", "spades")
FACE_VALUES = {"jack": 11, "queen": 12, "king": 13, "ace": 14}
MAX_EXPANSION = 20_000
MAX_TOTAL_EXPANSION = 3_000_000
MAX_EXPANDED_DEPTH = 120

BUILT_IN_ZONES = {
    "hand": (True, "owner"),
    "pack": (False, "nobody"),
    "middle": (True, "all"),
    "stack": (False, "all"),
}

_I, _B, _P, _S, _R, _C, _CS = Type.INT, Type.BOOL, Type.PLAYER, Type.SUIT, Type.RANK, Type.CARD, Type.CARDS

SIMPLE_FUNCTIONS: Mapping[str, tuple[tuple[Type, ...], Type, str]] = {
    "player": ((_I,), _P, "player"),
    "playerNumber": ((_P,), _I, "playerNumber"),
    "next": ((_P,), _P, "next"),
    "previous": ((_P,), _P, "previous"),
    "partner": ((_P,), _P, "partner"),
    "sameTeam": ((_P, _P), _B, "sameTeam"),
    "card": ((_R, _S), _CS, "template"),
    "except": ((_CS, _CS), _CS, "except"),
    "empty": ((_CS,), _B, "empty"),
    "count": ((_CS,), _I, "count"),
    "cardsRemaining": ((_P,), _I, "cardsRemaining"),
    "playerHas": ((_P, _CS), _B, "playerHas"),
    "abs": ((_I,), _I, "absolute"),
    "random": ((_I,), _I, "random"),
}
"""Functions with fixed types: arguments, result, op. A new pure function is one more row (and an op in the engines)."""

FOLDED_FUNCTIONS: Mapping[str, tuple[Type, str]] = {
    "union": (_CS, "union"),
    "intersect": (_CS, "intersect"),
    "min": (_I, "minimum"),
    "max": (_I, "maximum"),
}
"""Functions of two or more arguments of one type, folded into a tree of pairs."""

SPECIAL_FUNCTIONS = ("suit", "rank", "top", "bottom", "if", "size")
AGGREGATES = {
    "sum": "sum",
    "max": "largest",
    "min": "smallest",
    "highest": "highest",
    "lowest": "lowest",
    "count": "countOf",
    "some": "some",
    "every": "every",
}
CONSTANTS = (
    "any",
    "none",
    "true",
    "false",
    "yes",
    "no",
    "numberOfPlayers",
    "cards",
    "players",
    "suits",
    "ranks",
    "all",
)
OPERATORS: Mapping[str, tuple[Type, Type, str]] = {
    "+": (_I, _I, "add"),
    "-": (_I, _I, "subtract"),
    "*": (_I, _I, "multiply"),
    "/": (_I, _I, "divide"),
    "%": (_I, _I, "modulo"),
    "<": (_I, _B, "less"),
    "<=": (_I, _B, "lessEqual"),
    ">": (_I, _B, "greater"),
    ">=": (_I, _B, "greaterEqual"),
    "&": (_B, _B, "and"),
    "|": (_B, _B, "or"),
}

STATEMENTS: Mapping[str, tuple[tuple[int, ...], str]] = {
    "Shuffle": ((0,), "_do_gather"),
    "shuffle": ((1,), "_do_shuffle"),
    "Deal": ((1,), "_do_deal"),
    "pickUp": ((2,), "_do_pick_up"),
    "move": ((3,), "_do_move"),
    "Stack.empty": ((0,), "_do_stack_empty"),
    "playCard": ((2, 3), "_do_play"),
    "playCardOrPass": ((2, 3), "_do_play_or_pass"),
    "pick": ((5,), "_do_pick"),
    "choose": ((3,), "_do_choose"),
    "publish": ((1,), "_do_publish"),
    "show": ((2,), "_do_show"),
}
"""Statements by name: the numbers of arguments they take, and the method that elaborates them."""

SIGNATURES: Mapping[str, str] = {
    "Shuffle": "Shuffle alone, or shuffle(zone) for one zone",
    "shuffle": "Shuffle for all cards, shuffle(zone) for one zone",
    "Deal": "Deal(number)",
    "pickUp": "pickUp(player, number)",
    "move": "move(number or cards or all, from, to)",
    "Stack.empty": "Stack.empty",
    "playCard": "playCard(player, cards) or playCard(player, cards, to)",
    "playCardOrPass": "playCardOrPass(player, cards) or playCardOrPass(player, cards, to)",
    "pick": "pick(player, number, cards, from, to)",
    "choose": "choose(player, variable, values)",
    "publish": 'publish("text")',
    "show": "show(cards, player or all)",
    "player": "player(number)",
    "playerNumber": "playerNumber(player)",
    "next": "next(player)",
    "previous": "previous(player)",
    "partner": "partner(player)",
    "sameTeam": "sameTeam(player, player)",
    "card": "card(rank, suit)",
    "except": "except(cards, cards)",
    "empty": "empty(cards)",
    "count": "count(cards)",
    "cardsRemaining": "cardsRemaining(player)",
    "playerHas": "playerHas(player, cards)",
    "abs": "abs(number)",
    "random": "random(number)",
    "union": "union(cards, cards)",
    "intersect": "intersect(cards, cards)",
    "min": "min(number, number)",
    "max": "max(number, number)",
    "suit": "suit(card)",
    "rank": "rank(card)",
    "top": "top(zone)",
    "bottom": "bottom(zone)",
    "if": "if(condition, value, other)",
    "size": "size(list)",
    "rankValue": "rankValue(card)",
}
"""How each statement and function is written, for hints."""

CONSTANT_EXPRESSIONS: Mapping[str, Expr] = {
    "any": Expr(WILD, Type.SUIT, value=ANY), "none": Expr(NOTHING, Type.CARD, value=NONE),
    "numberOfPlayers": Expr("numberOfPlayers", Type.INT), "cards": Expr("allCards", Type.CARDS),
    "true": TRUE, "yes": TRUE, "false": Expr("const", Type.BOOL, value=0), "no": Expr("const", Type.BOOL, value=0),
}  # fmt: skip

RESERVED = frozenset({*SIMPLE_FUNCTIONS, *FOLDED_FUNCTIONS, *SPECIAL_FUNCTIONS, *AGGREGATES, *CONSTANTS, "standard"})
