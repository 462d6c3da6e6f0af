"""Expressions as terms of the thesis's vocabulary: `me`, `otherPlayer`, `myCard`, `otherCard`, `lessThan` ..."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fcdl.heuristics.clock import tick
from fcdl.heuristics.symbols import distance_of
from fcdl.language.flowchart import Expr, Type
from fcdl.language.ops import OPS
from fcdl.model.game import Game

_STATIC = {"const", "option", "numberOfPlayers", "listSize"}
TAKES = "setInstanceOf"
"""What says that a set of cards is played or taken, and by which of the two words."""
_VOCABULARY = re.compile(r"me|otherPlayer|(my|other)[A-Za-z0-9]*(Cards?|Choice)\d*")
_CARD = re.compile(r"((?:my|other)[A-Za-z0-9]*(?:Cards?|Choice))(\d*)")


@dataclass(frozen=True, slots=True)
class Term:
    """A term such as `equal(suit(myCard),trumps)`; a number's name is its text."""

    name: str
    args: tuple[Term, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({','.join(map(str, self.args))})" if self.args else self.name


def term_of(expr: Expr, game: Game) -> Term:
    """An expression over the start of a cycle, me and the cards played, as a term."""
    tick()
    distance = distance_of(expr)
    if distance is not None:
        if not distance:
            return Term("me")
        return Term("otherPlayer", () if game.players == 2 else (Term(str(distance)),))
    if expr.op == "local" and (match := _CARD.fullmatch(expr.name or "")):
        return Term(match[1], (Term(match[2]),) if match[2] else ())
    return _build(expr, game, lambda arg: term_of(arg, game))


def written_term(expr: Expr, game: Game) -> Term:
    """An expression as the chart has it, with nothing put in for its variables."""
    return _build(expr, game, lambda arg: written_term(arg, game))


def name_term(text: str) -> Term:
    """A name of the chart: as it is where ASP allows that, else quoted."""
    if re.fullmatch(r"\d{1,9}|[a-z][A-Za-z0-9_]*", text) and text != "not":
        return Term(text)
    return Term('"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"')


def _build(expr: Expr, game: Game, part: Callable[[Expr], Term]) -> Term:
    op, name = expr.op, expr.name or ""
    if op in _STATIC:
        return _constant(expr.type, game.static(expr), game)
    if op in ("variable", "local"):
        return Term(f'"{name}"') if _VOCABULARY.fullmatch(name) else name_term(name)
    parts = [part(arg) for arg in expr.args]
    if op == "top" and expr.args[0].op == "zone" and expr.args[0].args:
        return parts[0]
    if op in ("playerVariable", "zone", "table", "list"):
        return _applied(name_term(name), parts)
    if op in ("single", "theCard"):
        return parts[0]
    if op == "not":
        return parts[0].args[0] if parts[0].name == "neg" else Term("neg", tuple(parts))
    if op == "notEqual":
        return Term("neg", (Term("equal", tuple(parts)),))
    row = OPS.get(op)
    if row is not None and row.is_operation:
        return Term("operation", (Term(row.fact), *parts))
    bound = [name_term(name)] if name else []
    return Term(row.fact if row is not None else op, (*bound, *parts))


def _applied(name: Term, args: Sequence[Term]) -> Term:
    if not args:
        return name
    return Term("", (name, *args)) if name.name.startswith('"') else Term(name.name, tuple(args))


def _constant(kind: Type, value: int, game: Game) -> Term:
    if kind is Type.BOOL:
        return Term("true" if value else "false")
    if kind is Type.CARD and value >= 0:
        deck = game.flowchart.deck
        return Term("card", (name_term(deck.ranks[deck.rank_of(value)]), name_term(deck.suits[deck.suit_of(value)])))
    text = game.value_text(kind, value)
    return Term(text) if kind is Type.INT else name_term(text)
