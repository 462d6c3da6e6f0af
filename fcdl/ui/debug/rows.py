"""What the debugger's panels say, as plain rows, for the screen and for play line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from fcdl.engines.stepping.state import SteppingState, Trail
from fcdl.ui.debug.debugger import Debugger
from fcdl.ui.debug.reasons import Part, parts
from fcdl.ui.debug.seen import event_text, seen_by
from fcdl.ui.words import seat_names

SHOWN_OF_PACK = 8
"""So many cards of the pack are shown, from the top."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A value, and whether it is another one than at the stop before."""

    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A name and its value, or one value for each seat."""

    name: str
    cells: tuple[Cell, ...]


class Rows:
    """All that is shown of a moment, as `seat` sees it (None: everything), compared with the position `before`."""

    def __init__(self, debugger: Debugger, seat: int | None, before: SteppingState) -> None:
        self.debugger = debugger
        self.seat = seat
        self.before = before
        self._now = seen_by(debugger.engine, debugger.state, seat)
        self._old = seen_by(debugger.engine, before, seat) if before is not debugger.state else self._now

    def title(self) -> str:
        """Where the game stands: charts from the outermost, the number of moves, who decides."""
        debugger = self.debugger
        nodes = debugger.game.flowchart.nodes
        charts = [nodes[call].chart for call in debugger.state.calls] + [debugger.node.chart]
        moves = len(debugger.moves)
        turn = "the game is over" if debugger.outcome is not None else ""
        if debugger.mover is not None:
            turn = f"{seat_names(debugger.game)[debugger.mover]} ({debugger.seats[debugger.mover]}) decides"
        return ", ".join(filter(None, [" › ".join(charts), f"{moves} move{'s' if moves != 1 else ''}", turn]))

    def node(self) -> str:
        """The node that comes next, with its line in the file."""
        node, box = self.debugger.node, self.debugger.box
        line = f", line {box.span.line}" if box.span is not None else ""
        part = "" if node is box else f" ({node.caption}{'?' if node.condition is not None else ''})"
        return f"node {box.number}{line}: {self.debugger.source_line(box) or box.caption}{part}"

    def parts(self) -> list[Part]:
        """The values of the node's expressions and their parts; one seat is not told."""
        debugger = self.debugger
        return parts(debugger.node, debugger.engine.values, debugger.state) if self.seat is None else []

    def table(self) -> list[Row]:
        """All zones that are not empty, and every hand; from the top, or sorted where the order means nothing."""
        rows = []
        for slot, cards in self._now.piles.items():
            if cards or slot[0] == "hand":
                text = self._pile(slot[0], cards)
                rows.append(
                    Row(
                        self.debugger.game.place_text(*slot),
                        (Cell(text, self._pile(slot[0], self._old.piles[slot]) != text),),
                    )
                )
        return rows

    def _pile(self, zone: str, cards: Sequence[str | None]) -> str:
        known = [card for card in cards if card is not None]
        shown = [card or "?" for card in cards]
        if not self.debugger.engine.values.is_ordered(zone):
            shown = [*self.debugger.game.in_deck_order(known), *["?"] * (len(cards) - len(known))]
        if len(shown) > SHOWN_OF_PACK and zone == "pack":
            shown[SHOWN_OF_PACK:] = ["..."]
        number = f"({len(cards)}) " if len(cards) > 1 or (cards and not known) else ""
        return f"{number}{' '.join(shown) if known else ''}".strip() or "-"

    def values(self) -> list[Row]:
        """What is watched, then all variables but those that each player has."""
        values, game = self.debugger.engine.values, self.debugger.game
        rows = []
        for text, expr in self.debugger.watches.items() if self.seat is None else ():
            now, then = (values.text(expr, state) for state in (self.debugger.state, self.before))
            rows.append(Row(text, (Cell(now, now != then),)))
        return rows + [
            Row(game.place_text(variable.name, place), (self._cell(variable.name, place),))
            for variable in game.flowchart.variables.values()
            if not variable.per_player
            for place in game.places_of(variable)
        ]

    def seat_values(self) -> list[Row]:
        """All variables that players have, with a cell for each seat."""
        game = self.debugger.game
        return [
            Row(variable.name, tuple(self._cell(variable.name, seat) for seat in range(game.players)))
            for variable in game.flowchart.variables.values()
            if variable.per_player
        ]

    def _cell(self, name: str, owner: int | None) -> Cell:
        text = self._now.values.get((name, owner), "?")
        return Cell(text, self._old.values.get((name, owner), "?") != text)

    def events(self, most: int) -> list[str]:
        """The last events, the newest last, as far as the seat sees them."""
        return list(islice(self._newest_events(None), most))[::-1]

    def new_events(self) -> list[str]:
        """What has happened since the position before; nothing if one has gone back."""
        if self.debugger.state.steps < self.before.steps:
            return []
        return list(self._newest_events(self.before.trail))[::-1]

    def _newest_events(self, until: Trail | None) -> Iterator[str]:
        for event in self.debugger.state.newest_events(until):
            seen = event if self.seat is None else event.seen_by(self.seat)
            if seen is not None and seen.node is not None:
                node = self.debugger.game.flowchart.nodes[seen.node]
                seen = None if node.is_turning else replace(seen, node=node.box or node.number)
            if seen is not None:
                yield event_text(seen)

    def decision(self) -> str:
        """Who decides what, or how the game ended."""
        debugger = self.debugger
        if debugger.outcome is not None:
            return f"scores: {' '.join(map(str, debugger.outcome.scores))}"
        if debugger.mover is None:
            return ""
        legal = " ".join(move.what or str(move) for move in debugger.legal)
        planned = f" (last time: {debugger.planned})" if debugger.planned is not None else ""
        return f"{seat_names(debugger.game)[debugger.mover]} decides: {legal}{planned}"
