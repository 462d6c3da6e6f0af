"""What a network sees of a game, derived from its chart: a row of inputs for all that a seat knows, as from its chair.

The cards of every zone that it sees or remembers, how many there are in every zone, how many of each suit and rank it
holds, what the variables are that it sees, which decision it is and whose. Players are counted from the seat that
looks. The outputs are the moves of every decision, and the worth of the position.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from fcdl.engines.native.constants import FIELDS, MAX_ANSWERS, SET_SIZES, WORTHS
from fcdl.engines.native.engine import NativeEngine
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import MAX_PLAYERS, NONE, Family, Type
from fcdl.language.sight import remembered_zones
from fcdl.model.game import Game

SCOUTED, LONGEST, MOST_SEEN = 200, 2000, 20_000
"""Games played at random to see which values there are, moves in one of them, and positions in all."""
MOST_LIMITS = 20
"""Numbers have so many steps at most."""
MOST_INPUTS = 6000
"""What would be more is left out: the cards of zones, the last ones first."""
SUIT_SIZES, RANK_SIZES = 10, 4
"""So many cards of a suit or rank, or more, are one input."""
COPIES = 2
"""So many copies of a card in one zone are told apart."""


@dataclass(frozen=True, slots=True)
class Field:
    """Some inputs about one thing: a zone or variable `of` that name, at a place counted from the seat that looks."""

    kind: str
    count: int
    of: str = ""
    place: int | None = None
    low: int = 0
    levels: int = 0
    limits: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The outputs for the moves of a decision."""

    node: int
    kind: str
    count: int
    low: int = 0
    limits: tuple[int, ...] = ()


@dataclass(frozen=True)
class View:
    """The inputs and outputs of the networks of a game."""

    fields: tuple[Field, ...]
    answers: tuple[Answer, ...]

    @property
    def inputs(self) -> int:
        """How many there are."""
        return sum(field.count for field in self.fields)

    @property
    def outputs(self) -> int:
        """How many there are, with the worth of the position."""
        return sum(answer.count for answer in self.answers) + 1

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"fields": [_short(field) for field in self.fields], "answers": [_short(one) for one in self.answers]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> View:
        """From plain data; raises TypeError, ValueError or KeyError."""
        return cls(
            tuple(Field(**(row | {"limits": _numbers(row)})) for row in data["fields"]),
            tuple(Answer(**(row | {"limits": _numbers(row)})) for row in data["answers"]),
        )

    def parts(self, game: Game) -> dict[str, bytes]:
        """What `_engine.Network` wants to know of it; raises ValueError if it is of another game."""
        limits, rows, first = array("i"), array("i"), 0
        for field in self.fields:
            sources = [_source(game, field, seat) for seat in range(game.players)]
            sources += [NONE] * (MAX_PLAYERS - game.players)
            at = len(limits)
            limits.extend(field.limits)
            row = (FIELDS.index(field.kind), first, field.count, field.low, field.levels, at, len(field.limits))
            rows.extend((*row, *sources))
            first += field.count
        answers, first = dict[int, tuple[int, ...]](), 0
        for answer in self.answers:
            at = len(limits)
            limits.extend(answer.limits)
            kind = WORTHS.index(answer.kind)
            answers[answer.node] = (kind, first, answer.count, answer.low, at, len(answer.limits))
            first += answer.count
        deck = game.flowchart.deck
        number = {card: place for place, card in enumerate(dict.fromkeys(deck.first_copies))}
        return {
            "fields": rows.tobytes(),
            "answers": array(
                "i", [cell for node in game.flowchart.nodes for cell in answers.get(node, (NONE, 0, 0, 0, 0, 0))]
            ).tobytes(),
            "limits": limits.tobytes(),
            "places": array("H", [number[first] for first in deck.first_copies]).tobytes(),
            "suits": bytes(face.suit for face in deck.cards),
            "ranks": bytes(face.rank for face in deck.cards),
        }


def _short(row: Field | Answer) -> dict[str, Any]:
    """The parts of a row that are not as in most."""
    usual = {part.name: part.default for part in fields(row)}
    return {key: value for key, value in asdict(row).items() if value != usual[key]}


def _numbers(row: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(int(limit) for limit in row.get("limits", ()))


def _source(game: Game, field: Field, seat: int) -> int:
    """The number of the zone or variable that a field is about for this seat; NONE if the seat does not see it."""
    if field.kind in ("node", "mover"):
        return 0
    chart = game.flowchart
    if field.of == PICKS_LEFT:
        return sum(len(game.places_of(variable)) for variable in chart.variables.values())
    families: Mapping[str, Family] = chart.zones if field.of in chart.zones else chart.variables
    if field.of not in families:
        raise ValueError(f"the chart has no '{field.of}'")
    before = 0
    for name, family in families.items():
        if name == field.of:
            break
        before += len(game.places_of(family))
    if field.place not in game.places_of(family):
        raise ValueError(f"there is no place {field.place} of '{field.of}'")
    place = _turned(game, family, field.place, seat)
    if families is chart.zones:
        seen = field.kind == "size" or field.of in remembered_zones(chart) or seat in game.seers(field.of, place)
    else:
        seen = seat in game.value_seers(field.of, place)
    return before + (place or 0) if seen else NONE


PICKS_LEFT = "picks left"
"""How many cards are still to be picked: no variable of the chart."""


def _turned(game: Game, family: Family, place: int | None, seat: int) -> int | None:
    """A place that is counted from a seat, as it is counted from seat 0."""
    if place is None or not family.owned:
        return place
    teams = family.keys[0].kind == "team"
    owners = len(game.flowchart.teams) if teams else game.players
    own = next(index for index, team in enumerate(game.flowchart.teams) if seat in team) if teams else seat
    rest = len(game.places_of(family)) // owners
    return (place // rest + own) % owners * rest + place % rest


def view_of(engine: NativeEngine, seed: int = 0) -> View:
    """What a network for a game looks at; games played at random show which numbers there are."""
    return _Viewer(engine, seed).view()


class _Viewer:
    def __init__(self, engine: NativeEngine, seed: int) -> None:
        self.engine, self.game, self.chart = engine, engine.game, engine.game.flowchart
        self.kinds = len(set(self.chart.deck.first_copies))
        self.remembered = remembered_zones(self.chart)
        states: list[bytes] = []
        self.chosen: dict[int, set[int]] = {}
        for number in range(SCOUTED):
            state = engine.new_game(seed * SCOUTED + number)
            for _ in range(LONGEST):
                if state.is_over or len(states) == MOST_SEEN:
                    break
                legal = state.legal_ids()
                states.append(state.dump())
                if isinstance(self.chart.nodes[state.node].statement, fc.Choose):
                    self.chosen.setdefault(state.node, set()).update(legal)
                state.play_out(None, 1)
        size = engine.program.state_size
        seen = np.frombuffer(b"".join(states), np.uint8).reshape(len(states), size)
        variables = engine.program.variables_size
        self.values = seen[:, :variables].copy().view(np.int32)
        zones = len(self.game.zones)
        width = 4 if self.chart.deck.size > 128 else 2 if self.chart.deck.size > 64 else 1
        at = engine.program.zones_at
        words = seen[:, at : at + zones * width * 8].copy().view(np.uint64).reshape(len(states), zones, width)
        self.sizes = np.bitwise_count(words).sum(2).astype(np.int64)

    def view(self) -> View:
        """All of it."""
        numbers = sorted(index for index, node in enumerate(self.chart.nodes.values()) if node.is_decision)
        found = [
            Field("node", len(numbers), limits=tuple(numbers)),
            *([Field("mover", self.game.players)] if self.game.players > 1 else []),
            *self._variables(),
            *self._sizes(),
            *self._cards(),
        ]
        kept, count = [], 0
        for field in found:
            if count + field.count <= MOST_INPUTS:
                kept.append(field)
                count += field.count
        return View(tuple(kept), tuple(self._answers()))

    def _variables(self) -> Iterator[Field]:
        at = 0
        for variable in self.chart.variables.values():
            for place in self.game.places_of(variable):
                yield from self._variable(variable.type, variable.name, place, self.values[:, at])
                at += 1
        yield from self._variable(Type.INT, PICKS_LEFT, None, self.values[:, at])

    def _variable(self, kind: Type, name: str, place: int | None, values: Any) -> Iterator[Field]:
        distinct = np.unique(values)
        if len(distinct) < 2:
            return
        match kind:
            case Type.PLAYER:
                yield Field("seat", self.game.players, name, place)
            case Type.CARD:
                yield Field("card", self.kinds, name, place)
            case Type.INT:
                limits = steps(values)
                yield Field("number", len(limits) + 1, name, place, limits=limits)
            case _:
                low, high = max(0, int(distinct[0])), min(int(distinct[-1]), int(distinct[0]) + MAX_ANSWERS)
                yield Field("value", high - low + 1, name, place, low=low)

    def _sizes(self) -> Iterator[Field]:
        """Of zones whose cards are not seen, and of the hand."""
        at = 0
        for zone in self.chart.zones.values():
            for place in self.game.places_of(zone):
                limits = steps(self.sizes[:, at])
                if limits and (not self._sees(zone, place) or self._holds(zone, place)):
                    yield Field("size", len(limits) + 1, zone.name, place, limits=limits)
                at += 1

    def _sees(self, zone: fc.Zone, place: int | None) -> bool:
        """Whether the seat from which places are counted knows which cards are there."""
        return zone.name in self.remembered or 0 in self.game.seers(zone.name, _turned(self.game, zone, place, 0))

    def _holds(self, zone: fc.Zone, place: int | None) -> bool:
        """Whether they are its own, and only it sees them."""
        return zone.visibility is fc.Visibility.OWNER and 0 in self.game.owners(
            zone.name, _turned(self.game, zone, place, 0)
        )

    def _cards(self) -> Iterator[Field]:
        """Own cards first, then what lies on the table; so that what is most important is not left out."""
        at = 0
        found: list[tuple[bool, list[Field]]] = []
        copies = min(COPIES, self.chart.deck.copies)
        for zone in self.chart.zones.values():
            for place in self.game.places_of(zone):
                if self._sees(zone, place) and self.sizes[:, at].any():
                    held = self._holds(zone, place)
                    rows = [Field("cards", self.kinds * copies, zone.name, place, low=copies)]
                    if held and self.sizes[:, at].mean() > 1:
                        suits, ranks = len(self.chart.deck.suits), len(self.chart.deck.ranks)
                        rows.append(Field("groups", suits * SUIT_SIZES, zone.name, place, 0, SUIT_SIZES))
                        rows.append(Field("groups", ranks * RANK_SIZES, zone.name, place, 1, RANK_SIZES))
                    ordered = zone.ordered and zone.name not in self.chart.shuffled
                    if ordered and zone.visibility is fc.Visibility.ALL and self.sizes[:, at].max() > 1:
                        rows.append(Field("top", self.kinds, zone.name, place))
                    found.append((held, rows))
                at += 1
        for _, rows in sorted(found, key=lambda one: not one[0]):
            yield from rows

    def _answers(self) -> Iterator[Answer]:
        for number, node in self.chart.nodes.items():
            match node.statement:
                case fc.Play() | fc.Pick():
                    yield Answer(number, "cards", self.kinds + 1)
                case fc.TakeSet():
                    yield Answer(number, "sets", self.kinds + SET_SIZES + 1)
                case fc.Choose(target=target):
                    yield self._choice(number, self.chart.variables[target.name].type)

    def _choice(self, number: int, kind: Type) -> Answer:
        values = sorted(self.chosen.get(number, {0}))
        match kind:
            case Type.PLAYER:
                return Answer(number, "seat", self.game.players)
            case Type.CARD:
                return Answer(number, "card", self.kinds)
            case Type.INT if len(values) > MAX_ANSWERS // 2 or values[-1] - values[0] >= MAX_ANSWERS:
                limits = steps(np.array(values), MAX_ANSWERS // 4)
                return Answer(number, "number", len(limits) + 1, limits=limits)
            case Type.INT:
                return Answer(number, "number", len(values), limits=tuple(values[1:]))
            case _:
                return Answer(number, "value", min(MAX_ANSWERS, max(0, values[-1]) + 1))


def steps(values: Any, most: int = MOST_LIMITS) -> tuple[int, ...]:
    """Limits that part numbers: between all of them that differ, or, where those are many, into equal parts."""
    distinct = np.unique(values)
    if len(distinct) > most + 1:
        distinct = np.unique(np.quantile(values, np.linspace(0, 1, most + 1), method="lower"))
    return tuple(int(value) for value in distinct[1:])


def checked(view: View, game: Game) -> None:
    """Raises ValueError where a view from a file is not one of this game."""
    nodes: Sequence[int] = tuple(game.flowchart.nodes)
    for field in view.fields:
        if field.kind not in FIELDS or field.kind == "call" or field.count < 1:
            raise ValueError("an input is of no known kind")
    for answer in view.answers:
        if answer.kind not in WORTHS or answer.node not in nodes or answer.count < 1:
            raise ValueError("an output is of no known kind")
