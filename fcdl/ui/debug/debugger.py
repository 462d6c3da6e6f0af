"""A game that goes from node to node, forwards and backwards; knows no user interface."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from fcdl.agents import AgentError, make_agent
from fcdl.engines.stepping import SteppingEngine, SteppingState
from fcdl.errors import FcdlError
from fcdl.language.diagnostics import ChartError, Severity, render_finding
from fcdl.language.expression import read_expression
from fcdl.language.flowchart import Expr, Node, Type
from fcdl.language.load import Checked
from fcdl.model import Move, Outcome, Reason
from fcdl.ui.background import begin
from fcdl.ui.debug.chart_file import ChartFile, same_nodes
from fcdl.ui.debug.tape import Tape
from fcdl.ui.opponents import FALLBACK, find_opponent
from fcdl.ui.session import HUMAN

KEPT = 30_000
"""Positions that one can go back to; longer games forget their beginnings."""

INTERRUPTED = "interrupted"
PATIENCE = 0.05
"""Seconds of an agent's thought after which it is looked whether one still waits for it."""


class DebugError(FcdlError):
    """Something that the debugger cannot do here."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A position, and how many moves and answers of chance led to it."""

    state: SteppingState
    moves: int
    chance: int


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """Where to stop, and when: always (no text), or if a condition holds."""

    node: int
    text: str = ""
    condition: Expr | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """A move and who made it, if that is known."""

    seat: int | None
    move: Move


class Debugger:
    """A game under the eyes of its author.

    Moves that were made stay known when one goes back, and are made again on the way forward until another one is made
    by hand; so are the answers of chance. All that goes on returns why it stopped, if there is anything to say.
    """

    def __init__(
        self,
        file: ChartFile,
        seats: Sequence[str] | None,
        seed: str,
        *,
        moves: Iterable[Move] = (),
        chance: Iterable[int | Sequence[int]] = (),
    ) -> None:
        """At the start of the chart, perhaps with the moves and answers of chance of a game that was played before.

        Raises ChartError, GameError or AgentError.
        """
        self.file = file
        self.seed = seed
        self.breakpoints: dict[int, Breakpoint] = {}
        self.watches: dict[str, Expr] = {}
        self.trouble: list[str] = []
        """What is wrong with the file as it is now, in lines, if it could not be read again."""
        self.interrupted = False
        """May be set from another thread to stop what runs."""
        self._thinking = threading.Lock()
        """Agents keep what they know of the game, so a thought that nobody waits for any more must end first."""
        self._given_seats = tuple(seats) if seats is not None else None
        self._tape = Tape(seed, chance)
        self._made = [Made(None, move) for move in moves]
        """All moves, those that are still to be made again included."""
        self._set_chart(file.read())

    def _set_chart(self, checked: Checked) -> None:
        game = self.file.game(checked)
        seats = self._given_seats or (FALLBACK,) * game.players
        if len(seats) != game.players:
            raise AgentError(f"{game.players} players need {game.players} seats (human/random/...), not {len(seats)}")
        names = tuple(name if name == HUMAN else find_opponent(name, game).agent for name in seats)
        self._agents = {seat: make_agent(name, game) for seat, name in enumerate(names) if name != HUMAN}
        self._source = checked.source.split("\n")
        self.seats = names
        self.game = game
        self.engine = SteppingEngine(game)
        self.restart()

    # --- where the game stands

    @property
    def moment(self) -> Moment:
        """Where the game stands."""
        return self._history[-1]

    @property
    def state(self) -> SteppingState:
        """The position."""
        return self.moment.state

    @property
    def node(self) -> Node:
        """The node that comes next, or where the game ended."""
        return self.game.flowchart.nodes[self.state.node]

    @property
    def box(self) -> Node:
        """The node as it is drawn: a loop over the seats is one box."""
        return self.game.flowchart.box_of(self.state.node)

    @property
    def previous_node(self) -> int | None:
        """The node that was visited last, if it is known."""
        return self._history[-2].state.node if len(self._history) > 1 else None

    @property
    def mover(self) -> int | None:
        """The seat that decides here."""
        return self.engine.mover(self.state)

    @property
    def legal(self) -> tuple[Move, ...]:
        """The legal moves of whoever decides here."""
        return self.engine.legal(self.state)

    @property
    def planned(self) -> Move | None:
        """The move that was made here before, if one has gone back and it is still legal."""
        made = self._made[self.moment.moves] if self.moment.moves < len(self._made) else None
        fits = made is not None and made.seat in (None, self.mover) and made.move in self.legal
        return made.move if made is not None and fits else None

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended."""
        return self.state.result

    @property
    def moves(self) -> list[Made]:
        """The moves that led here."""
        return self._made[: self.moment.moves]

    def source_line(self, node: Node) -> str:
        """The text of a node in the file."""
        if node.span is None:
            return ""
        return " ".join(" ".join(self._source[node.span.line - 1 : node.span.end_line]).split())

    def expression(self, text: str, wanted: Type | None = None) -> Expr:
        """An expression of the chart's language; raises ChartError."""
        return read_expression(self.game.flowchart, text, wanted=wanted)

    def value(self, text: str) -> str:
        """The value of an expression here; raises ChartError."""
        return self.engine.values.text(self.expression(text), self.state)

    # --- forwards

    def step(self) -> str:
        """Passes one node, into sub-charts."""
        return self._run(lambda: True)

    def over(self) -> str:
        """Passes one node, and all of a sub-chart if it is a `do`."""
        depth = len(self.state.calls)
        return self._run(lambda: len(self.state.calls) <= depth)

    def out(self) -> str:
        """To the end of this sub-chart; raises DebugError in the outermost chart."""
        depth = len(self.state.calls)
        if not depth:
            raise DebugError(f"chart {self.node.chart} is the outermost one")
        return self._run(lambda: len(self.state.calls) < depth)

    def to_decision(self) -> str:
        """To the next decision."""
        return self._run(lambda: self.state.waiting)

    def go(self) -> str:
        """To the next breakpoint, to a decision of a person, or to the end."""
        return self._run(lambda: False)

    def play(self, move: Move) -> str:
        """Makes a move for whoever decides; raises IllegalMoveError or DebugError."""
        mover = self.mover
        if mover is None:
            raise DebugError("nobody decides here")
        after = self.engine.decide(self.state, move)
        number = self.moment.moves
        if move != self.planned:
            del self._made[number:]
        self._made[number : number + 1] = [Made(mover, move)]
        self._add(after, number + 1)
        return self._stop_here() or ""

    # --- backwards

    def back(self) -> str:
        """To the node before; raises DebugError at the start."""
        return self._back_to(len(self._history) - 2)

    def back_to_decision(self) -> str:
        """To the decision before; to the start, if there was none."""
        places = range(len(self._history) - 2, 0, -1)
        return self._back_to(next((place for place in places if self._history[place].state.waiting), 0))

    def restart(self) -> str:
        """To the start of the chart."""
        self._history = [Moment(self.engine.begin(), 0, 0)]
        self._tape.used = 0
        return ""

    def _back_to(self, place: int) -> str:
        if len(self._history) == 1:
            raise DebugError("this is the start" if self.state.steps == 1 else f"only {KEPT} nodes are kept")
        del self._history[place + 1 :]
        self._tape.used = self.moment.chance
        return ""

    # --- where to stop, what to watch

    def set_breakpoint(self, number: int, condition: str = "") -> None:
        """Stops at a node, if a condition holds there; raises ChartError."""
        expr = self.expression(condition, Type.BOOL) if condition else None
        self.breakpoints[number] = Breakpoint(number, condition, expr)

    def watch(self, text: str) -> None:
        """Watches an expression; raises ChartError."""
        self.watches[text] = self.expression(text)

    def find_node(self, text: str) -> int:
        """The node with this number or label; raises DebugError."""
        nodes = (node for node in self.game.flowchart.nodes.values() if node.box is None)
        found = [node.number for node in nodes if text in (str(node.number), node.label)]
        if len(found) > 1:
            raise DebugError(f"several charts have a label '{text}': nodes {', '.join(map(str, found))}")
        if not found:
            raise DebugError(f"there is no node '{text}'; give its number or its label")
        return found[0]

    # --- another chart

    def reload(self) -> str:
        """Reads the chart again and plays the same game on it; says how far that goes, or why the old chart stays."""
        checked = self.file.read()
        old, history = self.game.flowchart, self._history
        try:
            self._set_chart(checked)
        except ChartError as error:
            errors = [finding for finding in error.findings if finding.severity is Severity.ERROR]
            texts = (render_finding(finding, error.filename, error.source) for finding in errors)
            self.trouble = [line for text in texts for line in text.splitlines()]
            return f"not reloaded: {len(errors)} error{'s' if len(errors) > 1 else ''}; still using the old chart"
        except FcdlError as error:
            self.trouble = [str(error)]
            return f"not reloaded: {error}; still using the old chart"
        self.trouble = []
        same, misfits = same_nodes(old, self.game.flowchart), self._tape.misfits
        followed, lost = self._follow(history, same), self._keep_points(same)
        dealt = "with new cards, because the old ones do not fit" if self._tape.misfits > misfits else ""
        return "; ".join(filter(None, ["reloaded", followed, dealt, lost]))

    def _keep_points(self, same: dict[int, int]) -> str:
        """Moves breakpoints and watches to the new chart; says which of them are lost."""
        lost = []
        points, self.breakpoints = self.breakpoints, {}
        for point in points.values():
            try:
                self.set_breakpoint(same[point.node], point.text)
            except (KeyError, ChartError):
                lost.append(f"breakpoint {point.node}")
        watches, self.watches = self.watches, {}
        for text in watches:
            try:
                self.watch(text)
            except ChartError:
                lost.append(f"watch {text}")
        return f"gone: {', '.join(lost)}" if lost else ""

    def _follow(self, history: list[Moment], same: dict[int, int]) -> str:
        """Goes to where the game stood on the old chart; says where that is impossible."""
        last = history[-1]
        node = same.get(last.state.node)
        while self.moment.moves < last.moves:
            if self.outcome is not None:
                return f"the game is now over after {self.moment.moves} moves"
            if self.state.waiting and self.planned is None:
                return self._parting()
            self._advance()
        since_move = takewhile(lambda moment: moment.moves == last.moves, reversed(history))
        visits = sum(moment.state.node == last.state.node for moment in since_move)
        while not self.state.waiting and self.outcome is None:
            visits -= self.state.node == node
            if not visits and not last.state.waiting:
                return "the game is at the same node as before"
            self._advance()
        if self.state.node != node:
            return "the game no longer reaches the node where it was"
        return "the game is at the same node as before"

    def _parting(self) -> str:
        """Where the next known move cannot be made again."""
        made = self._made[self.moment.moves]
        place = f"the game differs from the old one from move {self.moment.moves + 1}, node {self.state.node}"
        if made.seat != self.mover:
            return f"{place}: player {self.mover} decides, not player {made.seat}"
        return f"{place}: '{made.move}' of player {made.seat} is no longer legal"

    # --- inside

    def _run(self, arrived: Callable[[], bool]) -> str:
        """Steps from node to node until one has arrived, or to a breakpoint, or to where it cannot continue."""
        self.interrupted = False
        if self.outcome is not None:
            return self._ending(self.outcome)
        while True:
            stop = self._advance() or self._stop_here()
            if stop is not None or arrived():
                return stop or ""
            if self.interrupted:
                return INTERRUPTED

    def _advance(self) -> str | None:
        """Passes one node, or makes the move of whoever decides; why it cannot, if it cannot."""
        if not self.state.waiting:
            self._add(self.engine.step(self.state, self._tape), self.moment.moves)
            return None
        mover, move = self.mover, self.planned
        assert mover is not None
        if move is None:
            if mover not in self._agents:
                return f"player {mover} decides"
            move = self._think(mover)
            if move is None:
                return INTERRUPTED
        self.play(move)
        return None

    def _think(self, mover: int) -> Move | None:
        """The move of an agent; None if one does not wait for it any more."""
        source = random.Random(f"{self.seed} seat {mover} move {self.moment.moves}")
        agent, observation, legal = self._agents[mover], self.engine.observe(self.state, mover), self.legal

        def choose() -> Move:
            with self._thinking:
                return agent.choose(observation, legal, source)

        thought = begin(choose)
        while True:
            try:
                return thought.result(PATIENCE)
            except TimeoutError:
                if self.interrupted:
                    return None

    def _add(self, state: SteppingState, moves: int) -> None:
        self._history.append(Moment(state, moves, self._tape.used))
        if len(self._history) > KEPT:
            del self._history[: KEPT // 10]

    def _stop_here(self) -> str | None:
        """Why one stops at this node, if one does."""
        if self.outcome is not None:
            return self._ending(self.outcome)
        point = self.breakpoints.get(self.state.node)
        if point is None:
            return None
        if point.condition is None:
            return f"breakpoint at node {point.node}"
        holds = self.engine.values.value(point.condition, self.state)
        return f"breakpoint at node {point.node}: {point.text}" if holds else None

    def _ending(self, outcome: Outcome) -> str:
        if outcome.reason is Reason.END:
            return "the game is over"
        return f"the game is over: {outcome.reason} at node {self.box.number}"
