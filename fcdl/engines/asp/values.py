"""The slow reference for values of cards by heuristics: semi-active instances as `asp/values.lp` finds them.

Conditions are terms of the thesis's vocabulary; for two players.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from clingo import Control, Function, Number, Symbol, SymbolType, parse_term

from fcdl.data import data_text
from fcdl.engines.asp.program import Complaints
from fcdl.language.flowchart import Type
from fcdl.model.game import Game


@dataclass(frozen=True, slots=True)
class Rule:
    """A heuristic's weight and its conditions: who is who, what must hold, and `playerHas` of what must not be had."""

    weight: int
    who: list[str]
    must: list[str]
    lacks: list[str]


@dataclass(frozen=True, slots=True)
class Position:
    """What is looked at: the values of variables by name and owner, and the hands."""

    variables: Mapping[tuple[str, int | None], int]
    hands: Sequence[Iterable[int]]


def card_values(
    game: Game, rules: Sequence[Rule], position: Position, me: int, *, shares: bool = False
) -> dict[str, Fraction]:
    """What each of my cards is worth: the mean over its semi-active instances of weight / (1 + count)².

    With `shares` an instance counts as 1 / (1 + count)², so that it is the weighted mean of the weights.
    """
    complaints = Complaints()
    control = Control(logger=complaints)
    control.add("base", [], data_text("asp", "values.lp"))
    facts = [*_rule_facts(rules), *_position_facts(game, position, me)]
    with control.backend() as backend:
        for fact in dict.fromkeys(facts):
            backend.add_rule([backend.add_atom(fact)])
    complaints.watch(lambda: control.ground([("base", [])]))
    totals: dict[str, list[tuple[Fraction, Fraction]]] = {}
    with control.solve(yield_=True) as handle:
        model = handle.model()
        assert model is not None
        for atom in model.symbols(shown=True):
            number, card, _, count = atom.arguments
            share = Fraction(1, (1 + count.number) ** 2)
            part = rules[number.number].weight * share, share if shares else Fraction(1)
            totals.setdefault(str(card), []).append(part)
    deck = game.flowchart.deck
    found = {}
    for held in position.hands[me]:
        parts = totals.get(str(_card(game, held)), [])
        total, divisor = (sum(column, Fraction()) for column in zip(*parts, strict=True)) if parts else (0, 1)
        found[deck.code(held)] = Fraction(total) / divisor
    return found


def _rule_facts(rules: Sequence[Rule]) -> Iterable[Symbol]:
    numbers: dict[Symbol, int] = {}
    for index, rule in enumerate(rules):
        yield Function("heuristic", [Number(index)])
        terms = {"who": rule.who, "must": rule.must, "lacks": rule.lacks}
        for kind, texts in terms.items():
            for text in texts:
                term = parse_term(text)
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
