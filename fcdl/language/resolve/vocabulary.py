"""The words of the language: functions, statements, constants, operators, and what they take."""

from __future__ import annotations

from collections.abc import Mapping

from fcdl.language.flowchart import ANY, NONE, TRUE, Expr, Type
from fcdl.language.ops import Form, Op, ops_of
from fcdl.language.resolve.kinds import NOTHING, WILD
from fcdl.language.tree import PER_PLAYER, Key

STANDARD_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")
STANDARD_SUITS = ("clubs", "diamonds", "hearts", "spades")
FACE_VALUES = {"jack": 11, "queen": 12, "king": 13, "ace": 14}
MAX_EXPANSION = 20_000
MAX_TOTAL_EXPANSION = 1_000_000
MAX_EXPANDED_DEPTH = 120

BUILT_IN_ZONES: Mapping[str, tuple[tuple[Key, ...], str]] = {
    "hand": (PER_PLAYER, "owner"),
    "pack": ((), "nobody"),
    "middle": (PER_PLAYER, "all"),
    "stack": ((), "all"),
}

SIMPLE_FUNCTIONS: Mapping[str, Op] = {row.word: row for row in ops_of(Form.CALL)}
"""Functions with fixed types."""

FOLDED_FUNCTIONS: Mapping[str, Op] = {row.word: row for row in ops_of(Form.FOLDED)}
"""Functions of two or more arguments of one type, folded into a tree of pairs."""

TABLED_FUNCTIONS: Mapping[str, Op] = {row.word: row for row in ops_of(Form.TABLED)}
"""Functions of cards by a table."""

SPECIAL_FUNCTIONS = (*dict.fromkeys(row.word for row in ops_of(Form.SPECIAL)), "isRun")
LATER = frozenset({*TABLED_FUNCTIONS, "isGroup", "isFlush", "isRun", "pokerValue", "pokerClass"})
"""Functions that the first version of the language did not have: a chart may use these names for things of its own."""
AGGREGATES: Mapping[str, Op] = {row.word: row for row in ops_of(Form.BINDER) if row.name != "those"}
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
OPERATORS: Mapping[str, Op] = {row.word: row for row in ops_of(Form.INFIX)}

STATEMENTS: Mapping[str, tuple[tuple[int, ...], str]] = {
    "Shuffle": ((0,), "_do_gather"),
    "shuffle": ((1,), "_do_shuffle"),
    "Deal": ((1,), "_do_deal"),
    "pickUp": ((2,), "_do_pick_up"),
    "move": ((3, 4), "_do_move"),
    "Stack.empty": ((0,), "_do_stack_empty"),
    "playCard": ((2, 3), "_do_play"),
    "playCardOrPass": ((2, 3), "_do_play_or_pass"),
    "pick": ((5,), "_do_pick"),
    "playCards": ((2, 3), "_do_play_cards"),
    "playCardsOrPass": ((2, 3), "_do_play_cards_or_pass"),
    "take": ((4,), "_do_take"),
    "takeOrPass": ((4,), "_do_take_or_pass"),
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
    "move": "move(number or cards or all, from, to) or move(..., from, to, place)",
    "Stack.empty": "Stack.empty",
    "playCard": "playCard(player, cards) or playCard(player, cards, to)",
    "playCardOrPass": "playCardOrPass(player, cards) or playCardOrPass(player, cards, to)",
    "pick": "pick(player, number, cards, from, to)",
    "playCards": "playCards(player, sets) or playCards(player, sets, to)",
    "playCardsOrPass": "playCardsOrPass(player, sets) or playCardsOrPass(player, sets, to)",
    "take": "take(player, sets, from, to)",
    "takeOrPass": "takeOrPass(player, sets, from, to)",
    "subsets": "subsets(cards), subsets(cards, number) or subsets(cards, low to high)",
    "choose": "choose(player, variable, values)",
    "publish": 'publish("text")',
    "show": "show(cards, player or all)",
    **{row.word: row.written for row in reversed(ops_of(Form.CALL, Form.FOLDED, Form.SPECIAL, Form.TABLED))},
    "isRun": "isRun(cards, table)",
    "rankValue": "rankValue(card)",
}
"""How each statement and function is written, for hints."""

CONSTANT_EXPRESSIONS: Mapping[str, Expr] = {
    "any": Expr(WILD, Type.SUIT, value=ANY), "none": Expr(NOTHING, Type.CARD, value=NONE),
    "numberOfPlayers": Expr("numberOfPlayers", Type.INT), "cards": Expr("allCards", Type.CARDS),
    "true": TRUE, "yes": TRUE, "false": Expr("const", Type.BOOL, value=0), "no": Expr("const", Type.BOOL, value=0),
}  # fmt: skip

_WORDS = frozenset({*SIMPLE_FUNCTIONS, *FOLDED_FUNCTIONS, *SPECIAL_FUNCTIONS, *AGGREGATES, *CONSTANTS, "standard"})
RESERVED = _WORDS - LATER
