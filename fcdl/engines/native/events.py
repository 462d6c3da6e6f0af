"""From the records of the C engine to events."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from fcdl.engines.native.constants import EVENTS, REASONS, SHOWN_TO_ALL
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import NONE, Type
from fcdl.model import Event, Game

COMMON_RECORD = 8
"""Records of at most so many numbers come again and again in the games of a chart, and so do their events."""
MANY_EVENTS = 50_000
"""So many events are kept."""


class EventReader:
    """Reads the records of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.chart = game.flowchart
        self.all = frozenset(range(game.players))
        self.variables = tuple(self.chart.variables.values())
        self.nodes = tuple(self.chart.nodes.values())
        self.known: dict[bytes, Event] = {}
        self.codes = tuple(self.chart.deck.code(card) for card in range(self.chart.deck.size))

    @cached_property
    def zone_seers(self) -> tuple[frozenset[int], ...]:
        """Who sees the cards of each zone."""
        return tuple(self.game.seers(name, place) for name, place in self.game.places.values())

    def read(self, records: bytes) -> Iterator[Event]:
        """The events, in order."""
        numbers = array("i", records)
        at = 0
        while at < len(numbers):
            end = at + 3 + numbers[at + 1]
            record = records[4 * at : 4 * end]
            event = self.known.get(record)
            if event is None:
                event = self._event(EVENTS[numbers[at]], self.nodes[numbers[at + 2]], numbers[at + 3 : end])
                if end - at <= COMMON_RECORD and len(self.known) < MANY_EVENTS:
                    self.known[record] = event
            at = end
            yield event

    def _event(self, kind: str, node: fc.Node, values: Sequence[int]) -> Event:
        match kind:
            case "assign":
                return self._assign(self.variables[values[0]], values[1], values[2])
            case "branch":
                seers = frozenset[int]() if node.private else self.all
                return Event(
                    "branch", node=node.number, value="yes" if values[0] else "no", seers=seers, private=node.private
                )
            case "move":
                source, target, *cards = values
                return self._cards_event(kind, None, source, target, cards)
            case "shuffle":
                return Event("shuffle", source=self.game.zones[values[0]], number=values[1], seers=self.all)
            case "play" | "pick" | "take":
                seat, source, target, *cards = values
                event = self._cards_event(kind, seat, source, target, cards)
                return replace(event, number=len(cards)) if isinstance(node.statement, fc.TakeSet) else event
            case "pass":
                return Event("pass", seat=values[0], seers=self.all)
            case "choose":
                assert isinstance(node.statement, fc.Choose)
                return self._choose(node.statement.target, *values)
            case "publish":
                assert isinstance(node.statement, fc.Publish)
                return Event("publish", value=self.text(node.statement, values), seers=self.all)
            case "show":
                audience, zone, *cards = values
                seers = self.all if audience == SHOWN_TO_ALL else frozenset((audience,)) - {NONE}
                owner = None if audience < 0 else audience
                shown = None if zone == NONE else self.game.zones[zone]
                codes = self._codes(cards)
                return Event("show", source=shown, number=len(cards), cards=codes, owner=owner, seers=seers)
            case _:
                return Event("end", value=str(REASONS[values[0]]), seers=self.all)

    def _codes(self, cards: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.codes[card] for card in cards)

    def _assign(self, variable: fc.Variable, number: int, value: int) -> Event:
        place = number if variable.keys else None
        text = self.game.value_text(variable.type, value)
        seers = self.game.value_seers(variable.name, place)
        return Event("assign", name=variable.name, owner=place, value=text, seers=seers)

    def _choose(self, target: fc.VariableRef, seat: int, number: int, value: int) -> Event:
        variable = self.chart.variables[target.name]
        place = number if variable.keys else None
        text = self.game.value_text(variable.type, value)
        seers = self.game.value_seers(variable.name, place) | {seat}
        return Event("choose", seat=seat, name=variable.name, owner=place, value=text, seers=seers)

    def _cards_event(self, kind: str, seat: int | None, source: int, target: int, cards: Sequence[int]) -> Event:
        seers = self.zone_seers[source] | self.zone_seers[target]
        if seat is not None:
            seers |= {seat}
        zones = self.game.zones
        number = len(cards) if kind == "move" else None
        return Event(
            kind,
            seat=seat,
            source=zones[source],
            target=zones[target],
            number=number,
            cards=self._codes(cards),
            seers=seers,
        )

    def text(self, statement: fc.Publish, values: Sequence[int]) -> str:
        """The text that a node publishes, from the values in its record."""
        pieces: list[str] = []
        at = 0
        for part in statement.parts:
            if isinstance(part, str):
                pieces.append(part)
            elif part.type is Type.CARDS:
                count = values[at]
                pieces.append(self.game.published_cards(values[at + 1 : at + 1 + count]))
                at += 1 + count
            else:
                pieces.append(self.game.published_text(part.type, values[at]))
                at += 1
        return "".join(pieces)
