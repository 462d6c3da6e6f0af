"""What a seat has seen as numbers: one vector with named parts, for every chart, seen from that seat.

Seats are counted from the one that sees: `me`, `+1` is the next player, `+2` the one after. The parts, in order:

  seat      which seat it is                                                       one of the players
  held      how many copies of each card are surely in each place                  places × cards
  maybe     1 where a copy of a card that is not known to be anywhere may be       places × cards
  sizes     how many cards are in each place                                       places
  values    the variables of the chart that are known: numbers as they are, yes as 1, players, suits, ranks, words and
            cards as one of several; before each a 1 if it is known
  history   the last moves, the newest first: who made it, and which it was if it could be seen

A place is a zone of one player (`hand(me)`, `hand(+1)`) or of all (`pack`). Nothing but the observation is looked at:
worlds that a seat cannot tell apart give the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from fcdl.language.flowchart import Type, Variable
from fcdl.model.events import Observation
from fcdl.model.moves import Move
from fcdl.model.table import Table

if TYPE_CHECKING:
    from fcdl.api.game import Game

HISTORY = 8
"""How many moves are remembered unless said."""
Vector = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the vector: where it is, and its shape."""

    first: int
    shape: tuple[int, ...]

    @property
    def last(self) -> int:
        """The column after its last."""
        return self.first + int(np.prod(self.shape))


class Encoder:
    """Observations of one game as vectors; remembers what it read, so that an observation that goes on is read on."""

    def __init__(self, game: Game, history: int = HISTORY) -> None:
        self.game = game
        self.history = history
        self.cards = tuple(dict.fromkeys(game.flowchart.deck.code(card) for card in game.cards))
        self._card_places = {code: place for place, code in enumerate(self.cards)}
        self._variables = tuple(
            (variable, place) for variable in game.flowchart.variables.values() for place in game.places_of(variable)
        )
        self._tables: dict[int, Table] = {}
        shapes = {
            "seat": (game.players,),
            "held": (len(self.places), len(self.cards)),
            "maybe": (len(self.places), len(self.cards)),
            "sizes": (len(self.places),),
            "values": (sum(1 + self._width(variable) for variable, _ in self._variables),),
            "history": (history, game.players + len(game.actions)),
        }
        self.parts: dict[str, Part] = {}
        first = 0
        for name, shape in shapes.items():
            self.parts[name] = Part(first, shape)
            first = self.parts[name].last
        self.shape = (first,)

    @cached_property
    def places(self) -> tuple[str, ...]:
        """The places that cards can be in, as this seat calls them."""
        return tuple(self._spoken(*place, 0) for place in self.game.places.values())

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """What each number of the vector means."""
        return tuple(f"{part} {name}".rstrip() for part in self.parts for name in self._names(part))

    def split(self, vector: Vector) -> dict[str, Vector]:
        """The parts of a vector by name, in their shapes; they share its memory."""
        return {name: vector[part.first : part.last].reshape(part.shape) for name, part in self.parts.items()}

    def mask(self, legal: Sequence[Move]) -> npt.NDArray[np.int8]:
        """1 for every action that is legal."""
        mask = np.zeros(len(self.game.actions), np.int8)
        mask[self.game.actions.numbers(legal)] = 1
        return mask

    def encode(self, observation: Observation) -> Vector:
        """The vector of what a seat has seen."""
        me = observation.seat
        table = self._tables.setdefault(me, Table(self.game))
        table.read(observation)
        vector = np.zeros(self.shape, np.float32)
        parts = self.split(vector)
        parts["seat"][me] = 1
        unseen = [self._card_places[code] for code in dict.fromkeys(table.unseen)]
        for zone in self.game.zones:
            place, pile = self._places_of[me][zone], table.zones[zone]
            parts["sizes"][place] = len(pile.cards)
            for code in pile.known:
                parts["held"][place, self._card_places[code]] += 1
            if len(pile.known) < len(pile.cards):
                parts["maybe"][place, unseen] = 1
        self._write_values(parts["values"], table, me)
        self._write_history(parts["history"], observation)
        return vector

    # --- parts

    @cached_property
    def _places_of(self) -> list[dict[str, int]]:
        """By seat: where in `places` each zone is."""
        names = {name: place for place, name in enumerate(self.places)}
        return [
            {zone: names[self._spoken(*place, seat)] for zone, place in self.game.places.items()}
            for seat in range(self.game.players)
        ]

    @cached_property
    def _variables_of(self) -> list[list[tuple[Variable, int | None]]]:
        """By seat: the variables in the order of the columns, those of players and teams from the seat's own on."""
        order = {self._spoken(variable.name, place, 0): n for n, (variable, place) in enumerate(self._variables)}
        return [
            sorted(self._variables, key=lambda found: order[self._spoken(found[0].name, found[1], seat)])
            for seat in range(self.game.players)
        ]

    def _spoken(self, name: str, place: int | None, me: int) -> str:
        """A zone or variable as a seat calls it: its own `me`, that of the next player or team `+1`."""
        if place is None:
            return name
        keys, family = list(self.game.key_texts(name, place)), self.game.flowchart.family(name)
        if family.owned and family.keys[0].kind == "team":
            teams = self.game.flowchart.teams
            mine, its = (next(n for n, team in enumerate(teams) if seat in team) for seat in (me, int(keys[0])))
            keys[0] = f"+{(its - mine) % len(teams)}" if its != mine else "me"
        elif family.owned:
            keys[0] = self._relative(int(keys[0]), me)
        return f"{name}({', '.join(keys)})"

    def _relative(self, seat: int, me: int) -> str:
        distance = (seat - me) % self.game.players
        return f"+{distance}" if distance else "me"

    def _width(self, variable: Variable) -> int:
        return len(self._value_names(variable.type)) or 1

    def _value_names(self, kind: Type) -> Sequence[str]:
        """The values of a type that has some; nothing for numbers and yes or no."""
        chart = self.game.flowchart
        match kind:
            case Type.PLAYER:
                return [self._relative(seat, 0) for seat in range(self.game.players)]
            case Type.SUIT:
                return chart.deck.suits
            case Type.RANK:
                return chart.deck.ranks
            case Type.CARD:
                return self.cards
            case Type.WORD:
                return chart.words
            case _:
                return ()

    def _write_values(self, part: Vector, table: Table, me: int) -> None:
        column = 0
        for variable, place in self._variables_of[me]:
            text = table.value(variable.name, place)
            names = self._value_names(variable.type)
            part[column] = text != ""
            if text and not names:
                part[column + 1] = self.game.value_from_text(variable.type, text)
            elif text and variable.type is Type.PLAYER and text.isdigit():
                part[column + 1 + (int(text) - me) % self.game.players] = 1
            elif text in names:
                part[column + 1 + names.index(text)] = 1
            column += 1 + self._width(variable)

    def _write_history(self, part: Vector, observation: Observation) -> None:
        actions, players = self.game.actions, self.game.players
        decisions = (
            event for event in reversed(observation.events) if event.kind in ("play", "pick", "take", "pass", "choose")
        )
        for row, event in zip(part, islice(decisions, self.history), strict=False):
            if event.seat is not None:
                row[(event.seat - observation.seat) % players] = 1
            if event.move is not None and (number := actions.find(event.move)) is not None:
                row[players + number] = 1

    def _names(self, part: str) -> Iterator[str]:
        match part:
            case "seat":
                yield from map(str, range(self.game.players))
            case "held" | "maybe":
                yield from (f"{place} {card}" for place in self.places for card in self.cards)
            case "sizes":
                yield from self.places
            case "values":
                for variable, place in self._variables:
                    name = self._spoken(variable.name, place, 0)
                    yield f"{name} known"
                    yield from (f"{name} {value}".rstrip() for value in self._value_names(variable.type) or [""])
            case "history":
                for ago in range(1, self.history + 1):
                    yield from (f"{ago} ago by {self._relative(seat, 0)}" for seat in range(self.game.players))
                    yield from (f"{ago} ago {move}" for move in self.game.actions)
