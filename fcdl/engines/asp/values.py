"""The slow reference for values of cards by heuristics: semi-active instances as `asp/values.lp` finds them.

Conditions are terms of the thesis's vocabulary; for two players.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from clingo import Function, Number, Symbol, SymbolType

from fcdl.engines.asp.program import Budget, Term, by_signature, rules, symbol_of
from fcdl.language.flowchart import Type
from fcdl.model.game import Game

SECONDS = 30.0
_INPUTS = (
    "heuristic/1", "who/2", "must/2", "lacks/2", "leaf/2", "one/3", "two/4", "variable/2", "ofPlayer/3", "table/3",
    "held/2", "me/1", "other/1", "withOther/1",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rule:
    """A heuristic's weight and its conditions: who is who, what must hold, and `playerHas` of what must not be had."""

    weight: int
    who: Sequence[Term]
    must: Sequence[Term]
    lacks: Sequence[Term]


@dataclass(frozen=True, slots=True)
class Position:
    """What is looked at: the values of variables by name and owner, and the hands."""

    variables: Mapping[tuple[str, int | None], int]
    hands: Sequence[Iterable[int]]


def card_values(
    game: Game, heuristics: Sequence[Rule], position: Position, me: int, *, shares: bool = False
) -> dict[str, Fraction]:
    """What each of my cards is worth: the mean over its semi-active instances of weight / (1 + count)².

    With `shares` an instance counts as 1 / (1 + count)², so that it is the weighted mean of the weights.
    """
    budget = Budget(SECONDS)
    facts = by_signature([*_rule_facts(heuristics), *_position_facts(game, position, me)])
    grounding = rules(("values.lp",), _INPUTS).ground(facts, budget=budget)
    totals: dict[Symbol, list[tuple[Fraction, Fraction]]] = {}
    for atom in next(grounding.answers(budget)):
        number, card, _, count = atom.arguments
        share = Fraction(1, (1 + count.number) ** 2)
        part = heuristics[number.number].weight * share, share if shares else Fraction(1)
        totals.setdefault(card, []).append(part)
    deck = game.flowchart.deck
    found = {}
    for held in position.hands[me]:
        parts = totals.get(_card(game, held), [])
        total, divisor = (sum(column, Fraction()) for column in zip(*parts, strict=True)) if parts else (0, 1)
        found[deck.code(held)] = Fraction(total) / divisor
    return found


def _rule_facts(heuristics: Sequence[Rule]) -> Iterable[Symbol]:
    numbers: dict[Symbol, int] = {}
    for index, rule in enumerate(heuristics):
        yield Function("heuristic", [Number(index)])
        terms = {"who": rule.who, "must": rule.must, "lacks": rule.lacks}
        for kind, conditions in terms.items():
            for term in map(symbol_of, conditions):
                yield Function(kind, [Number(index), _number(term, numbers)])
                if kind == "must" and _is_about_other_card(term):
                    yield Function("withOther", [Number(index)])
    yield from [fact for term, number in numbers.items() for fact in _part_facts(term, Number(number), numbers)]


def _is_about_other_card(term: Symbol) -> bool:
    """Whether a condition says that the other's card may be played, or that it may not."""
    term = term.arguments[0] if term.name == "neg" else term
    return term.name == "cardInstanceOf" and str(term.arguments[0]) == "otherCard"


def _number(term: Symbol, numbers: dict[Symbol, int]) -> Symbol:
    """A term's number; its parts get theirs first."""
    if term.type is SymbolType.Function:
        for part in term.arguments:
            _number(part, numbers)
    return Number(numbers.setdefault(term, len(numbers)))


def _part_facts(term: Symbol, number: Symbol, numbers: Mapping[Symbol, int]) -> Iterable[Symbol]:
    parts = list(term.arguments) if term.type is SymbolType.Function else []
    name = Function(term.name) if term.type is SymbolType.Function else term
    if parts and term.name == "operation":
        name, parts = parts[0], parts[1:]
    if not parts:
        yield Function("leaf", [number, name])
    else:
        predicate = "one" if len(parts) == 1 else "two"
        yield Function(predicate, [number, name, *(Number(numbers[part]) for part in parts)])


def _position_facts(game: Game, position: Position, me: int) -> Iterable[Symbol]:
    yield Function("me", [Number(me)])
    yield Function("other", [Number(1 - me)])
    for seat, hand in enumerate(position.hands):
        for card in hand:
            yield Function("held", [Number(seat), _card(game, card)])
    for (name, owner), value in position.variables.items():
        symbol = _symbol(game, game.flowchart.variables[name].type, value)
        if owner is None:
            yield Function("variable", [Function(name), symbol])
        else:
            yield Function("ofPlayer", [Function(name), Number(owner), symbol])
    for table in game.flowchart.tables.values():
        for card in game.cards:
            value = table.of_card(game.flowchart.deck, card)
            yield Function("table", [Function(table.name), _card(game, card), Number(value)])


def _card(game: Game, card: int) -> Symbol:
    deck = game.flowchart.deck
    rank, suit = deck.rank_of(card), deck.suit_of(card)
    return Function("card", [_symbol(game, Type.RANK, rank), _symbol(game, Type.SUIT, suit)])


def _symbol(game: Game, kind: Type, value: int) -> Symbol:
    if kind in (Type.INT, Type.PLAYER):
        return Number(value)
    if kind is Type.BOOL:
        return Function("true" if value else "false")
    text = game.value_text(kind, value)
    return Number(int(text)) if text.isdigit() else Function(text)
