"""A game: a flowchart with its number of players and its options fixed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Self

from fcdl.errors import FcdlError
from fcdl.language.diagnostics import did_you_mean
from fcdl.language.flowchart import ANY, NONE, Expr, Family, Flowchart, Option, Type
from fcdl.language.numbers import whole_number
from fcdl.language.ops import Scalars
from fcdl.language.places import KEY_TYPES, owners, place_count, place_keys
from fcdl.language.sight import sees_cards, sees_value
from fcdl.language.written import value_name
from fcdl.model.moves import Move
from fcdl.model.static import evaluate_static

LONGEST_NAME = 16
"""Characters of the name of somebody who plays."""


class GameError(FcdlError):
    """A number of players or an option that the game does not have."""

    exit_code = 2


@dataclass(frozen=True)
class Game:
    """A flowchart with seats and options fixed; `name` is the built-in name or the file's stem."""

    flowchart: Flowchart
    players: int
    options: Mapping[str, int]
    name: str
    people: tuple[str, ...] = field(default=(), compare=False)
    """What those who play are called, by seat; none, or an empty one, if nobody has said so."""

    @classmethod
    def make(
        cls,
        flowchart: Flowchart,
        *,
        name: str,
        players: int | None = None,
        options: Mapping[str, str | int] | None = None,
    ) -> Self:
        """Fixes players (default: as few as allowed, but 2 if possible) and options; GameError names what is valid."""
        low, high = flowchart.players
        number = players if players is not None else max(low, min(2, high))
        if not low <= number <= high:
            allowed = str(low) if low == high else f"{low} to {high}"
            raise GameError(f"{flowchart.title} is for {allowed} players, not {number}")
        values = {option.name: option.default for option in flowchart.options.values()}
        for key, text in (options or {}).items():
            if key not in flowchart.options:
                hint = did_you_mean(key, flowchart.options) or f"options: {', '.join(flowchart.options) or 'none'}"
                raise GameError(f"{flowchart.title} has no option '{key}' ({hint})")
            values[key] = option_value(flowchart, flowchart.options[key], str(text))
        game = cls(flowchart, number, MappingProxyType(values), name)
        if not game.cards:
            raise GameError(f"with these options {flowchart.title} has no cards")
        return game

    def with_people(self, names: Sequence[str]) -> Self:
        """The same game, with names for those who play; raises GameError."""
        people = tuple(name.strip() for name in names)
        given = [name for name in people if name]
        if people and len(people) != self.players:
            raise GameError(f"{self.players} players have {self.players} names (Ann/Ben/...), not {len(people)}")
        for name in given:
            if not name.isprintable() or len(name) > LONGEST_NAME or name.lower() == "you" or given.count(name) > 1:
                raise GameError(
                    f"'{name}' cannot be a player's name (at most {LONGEST_NAME} characters, all different, not 'you')"
                )
        return replace(self, people=people)

    def person(self, seat: int) -> str:
        """What whoever sits there is called; empty if nobody has said so."""
        return self.people[seat] if self.people else ""

    def __reduce__(self) -> tuple[object, ...]:
        """A game travels as the text of its chart; who receives the same game twice gets one object."""
        from fcdl.language.text import format_document

        text = format_document(self.flowchart.document)
        return game_from_text, (type(self), text, self.name, self.players, tuple(self.options.items()))

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """The cards in play, by index, in deck order."""
        return tuple(card for card in range(self.flowchart.deck.size) if self._is_used(card))

    def _is_used(self, card: int) -> bool:
        restriction = self.flowchart.deck.restriction_of(card)
        return restriction is None or bool(evaluate_static(restriction.args[1], self, {str(restriction.name): card}))

    @cached_property
    def scalars(self) -> Scalars:
        """The operators that make numbers of numbers."""
        return Scalars(self.flowchart, self.players)

    @cached_property
    def places(self) -> Mapping[str, tuple[str, int | None]]:
        """All zones as they are written in events, `hand(0)`, `pack` ..., in a fixed order: their names and places."""
        return {
            self.place_text(zone.name, place): (zone.name, place)
            for zone in self.flowchart.zones.values()
            for place in self.places_of(zone)
        }

    def places_of(self, family: Family) -> Sequence[int | None]:
        """The places of a zone or variable: numbers, or None alone if it has no keys."""
        return range(place_count(self.flowchart, family, self.players)) if family.keys else (None,)

    def place_text(self, name: str, place: int | None) -> str:
        """A zone or variable as it is written in events: `hand(0)`, `pack`, `slot(1, 3)`, `row(0, hearts)`."""
        return name if place is None else f"{name}({', '.join(self.key_texts(name, place))})"

    def key_texts(self, name: str, place: int) -> tuple[str, ...]:
        """What a place's keys are, in words: seat numbers, suits, ranks, numbers."""
        return self._key_texts[name][place]

    @cached_property
    def _key_texts(self) -> Mapping[str, list[tuple[str, ...]]]:
        chart = self.flowchart
        return {
            family.name: [
                tuple(
                    self.value_text(KEY_TYPES[key.kind], value) for key, value in zip(family.keys, values, strict=True)
                )
                for values in place_keys(chart, family, self.players)
            ]
            for family in (*chart.zones.values(), *chart.variables.values())
            if family.keys
        }

    def owners(self, name: str, place: int | None) -> frozenset[int]:
        """The players whose a zone or variable is; nobody's if it has no owner."""
        return frozenset() if place is None else self._owners[name][place]

    @cached_property
    def _owners(self) -> Mapping[str, list[frozenset[int]]]:
        chart = self.flowchart
        families = (*chart.zones.values(), *chart.variables.values())
        return {family.name: owners(chart, family, self.players) for family in families if family.keys}

    @cached_property
    def zones(self) -> tuple[str, ...]:
        """All zones as they are written in events, in a fixed order."""
        return tuple(self.places)

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """Who wins and loses together: the teams; without teams, each seat alone."""
        return self.flowchart.teams or tuple((seat,) for seat in range(self.players))

    def winning_sides(self, scores: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """The sides with the best score; several share a tie. The score of a team is the mean of its members'."""
        means = [Fraction(sum(scores[seat] for seat in side), len(side)) for side in self.sides]
        best = (min if self.flowchart.lowest_wins else max)(means)
        return tuple(side for side, mean in zip(self.sides, means, strict=True) if mean == best)

    def in_deck_order(self, codes: Iterable[str]) -> list[str]:
        """Cards suit by suit, rank by rank."""
        return sorted(codes, key=lambda code: self.flowchart.deck.cards_with_code(code)[0])

    def seers(self, zone: str, place: int | None) -> frozenset[int]:
        """The seats that see the cards of a zone (at a place)."""
        seats, own = range(self.players), self.owners(zone, place)
        return frozenset(seat for seat in seats if sees_cards(self.flowchart.zones[zone], seat in own))

    def value_seers(self, variable: str, place: int | None) -> frozenset[int]:
        """The seats that see the values of a variable (at a place)."""
        seats, own = range(self.players), self.owners(variable, place)
        return frozenset(seat for seat in seats if sees_value(self.flowchart.variables[variable], seat in own))

    def option_text(self, name: str) -> str:
        """An option's value as the user writes it."""
        return self.value_text(self.flowchart.options[name].type, self.options[name])

    def value_text(self, kind: Type, value: int) -> str:
        """A value as text: `3`, `yes`, `hearts`, `queen`, `QS`, a word, a seat number, `none`, `any`."""
        return value_name(self.flowchart, kind, value)

    def value_from_text(self, kind: Type, text: str) -> int:
        """The value that `value_text` writes as this text; raises GameError if there is none."""
        number = whole_number(text)
        if number is not None and kind in (Type.INT, Type.PLAYER):
            return number
        if text in ("none", "any") and kind not in (Type.BOOL, Type.WORD):
            return NONE if text == "none" else ANY
        deck = self.flowchart.deck
        names: Sequence[str] = {
            Type.BOOL: ("no", "yes"),
            Type.SUIT: deck.suits,
            Type.RANK: deck.ranks,
            Type.WORD: self.flowchart.words,
            Type.CARD: [deck.code(card) for card in range(deck.size)] if kind is Type.CARD else (),
        }.get(kind, ())
        if text not in names:
            raise GameError(f"'{text}' is not a {kind} of {self.flowchart.title}")
        return names.index(text)

    def read_move(self, text: str) -> Move:
        """The move that a person's text says: `10h` is TH; raises MoveError, but does not know what is legal."""
        move = Move.parse(text)
        deck = self.flowchart.deck
        found = [deck.cards_with_code(code.upper()) for code in move.cards]
        if not found or not all(found):
            return move
        return Move(move.kind, " ".join(self.in_deck_order(deck.code(copies[0]) for copies in found)))

    def move_of_set(self, word: str, cards: Iterable[int]) -> Move:
        """The move `play` or `take` of a set of cards, given in deck order."""
        return Move(word, " ".join(map(self.flowchart.deck.code, cards)))

    def published_text(self, kind: Type, value: int) -> str:
        """A value as published texts show it: a player is `player 0`."""
        text = self.value_text(kind, value)
        return f"player {text}" if kind is Type.PLAYER and value >= 0 else text

    def published_cards(self, cards: Sequence[int]) -> str:
        """Cards, given in deck order, as published texts show them."""
        return " ".join(map(self.flowchart.deck.code, cards)) or "none"

    def static(self, expr: Expr) -> int:
        """The value of an expression of constants, options and the number of players."""
        return evaluate_static(expr, self, {})


@lru_cache(maxsize=64)
def game_from_text(kind: type[Game], text: str, name: str, players: int, options: tuple[tuple[str, int], ...]) -> Game:
    """A game that was taken apart by `Game.__reduce__`."""
    from fcdl.language.load import load_text

    flowchart = load_text(text).flowchart
    if flowchart is None:
        raise GameError(f"the chart of {name} has errors in this version of fcdl")
    return kind(flowchart, players, MappingProxyType(dict(options)), name)


def option_value(flowchart: Flowchart, option: Option, text: str) -> int:
    """The value of an option from its text; raises GameError naming the valid ones."""
    if option.type is Type.BOOL:
        values = {"yes": 1, "true": 1, "no": 0, "false": 0, "1": 1, "0": 0, "True": 1, "False": 0}
        if text in values:
            return values[text]
        raise GameError(f"option {option.name} is yes or no, not '{text}'")
    if option.type is Type.WORD:
        if text in option.words:
            return flowchart.words.index(text)
        raise GameError(f"option {option.name} is one of {', '.join(option.words)}, not '{text}'")
    try:
        value = int(text)
    except ValueError:
        value = option.low - 1
    if not option.low <= value <= option.high:
        raise GameError(f"option {option.name} is a number from {option.low} to {option.high}, not '{text}'")
    return value
