"""Types that are not decided yet: numerals, `any`, `none`, and variables of which too little is known."""

from __future__ import annotations

from collections.abc import Mapping

from fcdl.language.flowchart import Expr, Type

# Ops of literals and variables whose type is not decided yet; they never leave this package.
NUMERAL, WILD, NOTHING, UNKNOWN = "numeral", "wild", "nothing", "unknown"
FLEXIBLE: Mapping[str, frozenset[Type]] = {
    NUMERAL: frozenset({Type.INT, Type.RANK}),
    WILD: frozenset({Type.SUIT, Type.RANK}),
    NOTHING: frozenset({Type.PLAYER, Type.CARD, Type.SUIT, Type.RANK}),
    UNKNOWN: frozenset(Type) - {Type.CARDS, Type.TEXT, Type.DOMAIN},
}
DEFAULT_TYPE = {NUMERAL: Type.INT, WILD: Type.SUIT, NOTHING: Type.PLAYER, UNKNOWN: Type.INT}

# An undecided variable carries the reason in `value`, so that `kind_of` needs no table.
FLEX_MARK = {NUMERAL: -11, WILD: -12, NOTHING: -13, UNKNOWN: -14}
_MARK_FLEX = {mark: kind for kind, mark in FLEX_MARK.items()}


PLURALS = {
    Type.CARD: "cards", Type.CARDS: "sets", Type.PLAYER: "players", Type.SUIT: "suits", Type.RANK: "ranks",
    Type.INT: "numbers",
}  # fmt: skip
"""What the elements of a domain are called in `cards c in D where ...`; the others are `values`."""


DOMAIN_TYPES = {
    "range": Type.INT, "players": Type.PLAYER, "playersFrom": Type.PLAYER, "suits": Type.SUIT, "ranks": Type.RANK,
}  # fmt: skip
"""The types of the elements of domains that have only one."""


def kind_of(expr: Expr) -> Type | str:
    """The expression's type, or which kind of undecided literal or variable it is."""
    if expr.op in FLEXIBLE:
        return expr.op
    if expr.op in ("variable", "playerVariable", "if") and expr.value is not None:
        return _MARK_FLEX[expr.value]
    return expr.type


def item_kind(item: Expr) -> Type | str:
    """The type of the values that an item of a set of values stands for."""
    if item.op == "when":
        return item_kind(item.args[1])
    own = DOMAIN_TYPES.get(item.op)
    if item.op == "values":
        return item_kind(item.args[0])
    return own or kind_of(item)


def flexible_value(pair: tuple[Expr, Expr]) -> int | None:
    """The mark that an undecided choice between two expressions carries; None if it is decided."""
    kind = kind_of(pair[0])
    return None if isinstance(kind, Type) else FLEX_MARK[kind]


def join(first: Type | str, second: Type | str) -> Type | str | None:
    """What something is that is both; None if it cannot be."""
    if first == second or second == UNKNOWN:
        return first
    if first == UNKNOWN:
        return second
    if isinstance(first, Type) and isinstance(second, Type):
        return None
    if isinstance(first, Type):
        return first if first in FLEXIBLE[second] else None
    if isinstance(second, Type):
        return second if second in FLEXIBLE[first] else None
    both = FLEXIBLE[first] & FLEXIBLE[second]
    return next(iter(both)) if len(both) == 1 else first if FLEXIBLE[first] <= FLEXIBLE[second] else second


def expected(kind: Type) -> str:
    """That a value of a type is expected, as the beginning of a message."""
    return f"expected {described(kind)}"


def with_article(word: str) -> str:
    """`a zone`, `an option`."""
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def described(kind: Type | str) -> str:
    """A type in words, for messages."""
    if not isinstance(kind, Type):
        return {NUMERAL: "a number", WILD: "'any'", NOTHING: "'none'"}.get(kind, "this")
    article = "an" if kind is Type.INT else "" if kind is Type.CARDS else "a"
    words = {Type.INT: "number", Type.BOOL: "yes or no", Type.CARDS: "cards", Type.DOMAIN: "set of values"}
    word = words.get(kind, str(kind))
    return word if kind in (Type.CARDS, Type.BOOL) else f"{'a' if article == 'an' else article} {word}"
