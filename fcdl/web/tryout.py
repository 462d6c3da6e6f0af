"""The process of a "try it" pane: a draft under the debugger of `fcdl.ui.debug`, one answer for each thing to do.

The answer says where the game stands (the line of the box, and of the boxes that called its chart), what a seat or
everybody sees, what can be played, and what has just happened.
"""

from __future__ import annotations

from typing import Any

from fcdl.language.diagnostics import ChartError
from fcdl.language.flowchart import Flowchart
from fcdl.language.load import Checked, load_text
from fcdl.model.engine import IllegalMoveError
from fcdl.model.events import observation
from fcdl.model.game import Game
from fcdl.model.moves import Move, MoveError
from fcdl.ui.debug.chart_file import ChartFile
from fcdl.ui.debug.debugger import DebugError, Debugger
from fcdl.ui.debug.rows import Rows
from fcdl.ui.session import HUMAN
from fcdl.ui.view import Watcher
from fcdl.web.child import AnswerError, serve
from fcdl.web.sight import view_json

EVENTS = 12
"""So many of the last events are told."""


class DraftFile(ChartFile):
    """A chart that is not in a file but in the editor."""

    def __init__(self, text: str, players: int | None) -> None:
        self.text = text
        self.players = players
        super().__init__("draft", self._game)

    def _game(self, flowchart: Flowchart) -> Game:
        low, high = flowchart.players
        fits = self.players is not None and low <= self.players <= high
        return Game.make(flowchart, name="draft", players=self.players if fits else None)

    def read(self) -> Checked:
        """What the editor says now."""
        return load_text(self.text, filename="draft", form="fcdl")


class Tryout:
    """One pane."""

    def __init__(self) -> None:
        self.debugger: Debugger | None = None
        self.file: DraftFile | None = None
        self.seat: int | None = None

    def do(self, message: dict[str, Any]) -> dict[str, Any]:
        """What the pane wants, and how the game stands then."""
        do = message.get("do")
        if do == "start" or self.debugger is None or self.file is None:
            self._start(message)
            before, said = self._now.state, ""
        else:
            before = self._now.state
            try:
                said = self._act(str(do), message)
            except (DebugError, IllegalMoveError, MoveError) as error:
                said = str(error)
            except ChartError as error:
                said = error.findings[0].message if error.findings else "this cannot be read"
        if "seat" in message:
            seat = message["seat"]
            self.seat = seat if isinstance(seat, int) and 0 <= seat < self._now.game.players else None
        return self._answer(said, before)

    @property
    def _now(self) -> Debugger:
        assert self.debugger is not None
        return self.debugger

    def _start(self, message: dict[str, Any]) -> None:
        players = message.get("players")
        self.file = DraftFile(str(message.get("text", "")), players if isinstance(players, int) else None)
        computers = bool(message.get("computers", True))
        try:
            self.debugger = Debugger(self.file, None, str(message.get("seed", "1"))[:40])
            if not computers:
                people = (HUMAN,) * self._now.game.players
                self.debugger = Debugger(self.file, people, str(message.get("seed", "1"))[:40])
        except ChartError:
            raise AnswerError("the chart has errors; mend them first", "chart") from None
        for line in message.get("breakpoints", [])[:200]:
            self._breakpoint(line)

    def _act(self, do: str, message: dict[str, Any]) -> str:
        debugger, file = self._now, self.file
        assert file is not None
        actions = {
            "step": debugger.step,
            "over": debugger.over,
            "out": debugger.out,
            "decision": debugger.to_decision,
            "go": debugger.go,
            "back": debugger.back,
            "backDecision": debugger.back_to_decision,
            "restart": debugger.restart,
        }
        if do in actions:
            return actions[do]()
        if do == "play":
            return debugger.play(Move.parse(str(message.get("move", ""))))
        if do == "reload":
            file.text = str(message.get("text", ""))
            said = debugger.reload()
            return "" if said.startswith("reloaded; the game is at the same node") else said
        if do == "break":
            self._breakpoint(message.get("line"))
            return ""
        if do == "value":
            return f"{message.get('expression')} = {debugger.value(str(message.get('expression', '')))}"
        if do == "look":
            return ""
        raise AnswerError("this is not something to try")

    def _breakpoint(self, line: object) -> None:
        """Sets a breakpoint at a line, or takes it away."""
        debugger = self._now
        for node in debugger.game.flowchart.nodes.values():
            if node.span is not None and node.span.line == line and node.box is None:
                if node.number in debugger.breakpoints:
                    del debugger.breakpoints[node.number]
                else:
                    debugger.set_breakpoint(node.number)

    def _answer(self, said: str, before: Any) -> dict[str, Any]:
        debugger, seat = self._now, self.seat
        game, state = debugger.game, debugger.state
        nodes = game.flowchart.nodes
        rows = Rows(debugger, seat, before)
        watcher = Watcher(game, seat)
        events = debugger.engine.events(state)
        watcher.follow(events if seat is None else observation(events, seat).events)
        sees_moves = seat is None or seat == debugger.mover
        outcome = debugger.outcome
        return {
            "said": said,
            "trouble": debugger.trouble,
            "line": _line(nodes[state.node].span),
            "chart": nodes[state.node].chart,
            "calls": [_line(nodes[call].span) for call in state.calls],
            "title": rows.title(),
            "players": game.players,
            "range": game.flowchart.players,
            "seat": seat,
            "mover": debugger.mover,
            "legal": [[move.kind, move.what] for move in debugger.legal] if sees_moves else [],
            "planned": str(debugger.planned) if debugger.planned is not None and sees_moves else None,
            "view": view_json(game, watcher.view()) | {"faceUp": seat is None},
            "values": [[row.name, [[cell.text, cell.changed] for cell in row.cells]] for row in rows.values()],
            "seatValues": [[row.name, [[cell.text, cell.changed] for cell in row.cells]] for row in rows.seat_values()],
            "parts": [[part.text, part.value] for part in rows.parts()][:12],
            "events": rows.events(EVENTS),
            "breakpoints": [_line(nodes[number].span) for number in debugger.breakpoints],
            "over": None if outcome is None else {"scores": outcome.scores, "reason": str(outcome.reason)},
            "cards": {
                game.flowchart.deck.code(card): [
                    game.flowchart.deck.ranks[game.flowchart.deck.rank_of(card)],
                    game.flowchart.deck.suits[game.flowchart.deck.suit_of(card)],
                ]
                for card in range(game.flowchart.deck.size)
            },
        }


def _line(span: Any) -> int | None:
    return span.line if span is not None else None


if __name__ == "__main__":
    serve({"do": Tryout().do})
