"""What a seat has seen as numbers that the C engine compares with the events of a world that it plays.

A script has a record for each event: its kind, the number of values, and the values as the C engine's events have them.
What the seat did not see is UNSEEN.
"""

from __future__ import annotations

import re
from functools import cached_property

from fcdl.engines.native.constants import EVENTS, LIKE_CARD, REASONS, SHOWN_TO_ALL, UNSEEN
from fcdl.errors import FcdlError
from fcdl.language import flowchart as fc
from fcdl.model.events import Event
from fcdl.model.game import Game

KIND = {kind: number for number, kind in enumerate(EVENTS)}
DECISIONS = frozenset(("play", "pick", "take", "pass", "choose"))


class Names:
    """Numbers of a game's names, as the C engine's events have them."""

    def __init__(self, game: Game) -> None:
        chart = game.flowchart
        self.game = game
        self.zones = {name: number for number, name in enumerate(game.zones)}
        self.variables = {name: number for number, name in enumerate(chart.variables)}
        self.nodes = {node: number for number, node in enumerate(chart.nodes)}
        self.cards = {chart.deck.code(card): card for card in reversed(range(chart.deck.size))}
        self.reasons = {str(reason): number for number, reason in enumerate(REASONS)}

    def values(self, event: Event) -> list[int]:
        """The values of an event's record; a published text has none."""
        match event.kind:
            case "branch":
                assert event.node is not None
                return [self.nodes[event.node], int(event.value == "yes")]
            case "assign":
                assert event.name is not None
                return [self.variables[event.name], _known(event.owner), self._value(event)]
            case "move":
                return [*self._ends(event), *self._cards(event, event.number or 0)]
            case "play" | "pick" | "take":
                return [_known(event.seat), *self._ends(event), *self._cards(event, event.number or 1)]
            case "pass":
                return [_known(event.seat)]
            case "choose":
                return [_known(event.seat), _known(event.owner), self._value(event)]
            case "shuffle":
                return [self.zones[event.source or ""], event.number or 0]
            case "show":
                zone = UNSEEN if event.source is None else self.zones[event.source]
                audience = SHOWN_TO_ALL if event.owner is None else event.owner
                return [audience, zone, *self._cards(event, event.number or 0)]
            case "end":
                return [self.reasons[event.value or ""]]
        return []

    def record(self, event: Event) -> list[int]:
        """The record of an event; a published text is what the nodes that can have said it would say it with."""
        values = self.said(event.value or "") if event.kind == "publish" else self.values(event)
        return [KIND[event.kind], len(values), *values]

    def _ends(self, event: Event) -> tuple[int, int]:
        return self.zones[event.source or ""], self.zones[event.target or ""]

    def _cards(self, event: Event, number: int) -> list[int]:
        if event.cards is None:
            return [UNSEEN] * number
        return [self.cards[code] for code in event.cards]

    def _value(self, event: Event) -> int:
        if event.value is None:
            return UNSEEN
        kind = self.game.flowchart.variables[event.name or ""].type
        value = self.game.value_from_text(kind, event.value)
        return LIKE_CARD - value if kind is fc.Type.CARD and value >= 0 else value

    # --- texts

    @cached_property
    def _sayings(self) -> list[tuple[int, fc.Publish, re.Pattern[str]]]:
        found = []
        for number, node in enumerate(self.game.flowchart.nodes.values()):
            if isinstance(node.statement, fc.Publish):
                parts = (re.escape(part) if isinstance(part, str) else "(.*)" for part in node.statement.parts)
                found.append((number, node.statement, re.compile("".join(parts), re.DOTALL)))
        return found

    def said(self, text: str) -> list[int]:
        """By node that can have published a text: its number, how many values it named (-1: any), and which."""
        result = []
        for node, statement, pattern in self._sayings:
            found = pattern.fullmatch(text)
            if found is None:
                continue
            values = self._said(statement, found.groups())
            result += [node, -1] if values is None else [node, len(values), *values]
        return result

    def _said(self, statement: fc.Publish, texts: tuple[str, ...]) -> list[int] | None:
        """The values in a text; None where it cannot be told which they were."""
        values: list[int] = []
        parts = [part for part in statement.parts if not isinstance(part, str)]
        copies = self.game.flowchart.deck.copies > 1
        for part, text in zip(parts, texts, strict=True):
            if copies and part.type in (fc.Type.CARD, fc.Type.CARDS):
                return None
            try:
                if part.type is fc.Type.CARDS:
                    cards = [] if text == "none" else [self.cards[code] for code in text.split(" ")]
                    values += [len(cards), *cards]
                else:
                    plain = text.removeprefix("player ") if part.type is fc.Type.PLAYER else text
                    values.append(self.game.value_from_text(part.type, plain))
            except (FcdlError, ValueError, KeyError):
                return None
        return values


def _known(number: int | None) -> int:
    return UNSEEN if number is None else number
