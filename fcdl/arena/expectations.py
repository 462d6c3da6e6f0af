"""`expect` lines: each is made into a small game of its own, which any engine can play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType

from fcdl.engines.stepping import SteppingEngine
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import CallChart, Expectation, Flowchart, Node, NodeKind
from fcdl.language.numbers import whole_number
from fcdl.model.chance import RandomChance
from fcdl.model.engine import Engine, IllegalMoveError
from fcdl.model.game import Game, GameError
from fcdl.model.moves import MoveError
from fcdl.model.outcome import Reason

_CHART = "the expectation"


@dataclass(frozen=True, slots=True)
class Failure:
    """An expectation that is not met, and why."""

    expectation: Expectation
    message: str

    @property
    def text(self) -> str:
        """Which one, and why."""
        return f"\u201c{self.expectation.text}\u201d: {self.message}"


def failures(flowchart: Flowchart, make: Callable[[Game], Engine] = SteppingEngine) -> Iterator[Failure]:
    """The expectations of a chart that are not met."""
    for expectation in flowchart.expectations:
        message = _failure(flowchart, expectation, make)
        if message is not None:
            yield Failure(expectation, message)


def _failure(flowchart: Flowchart, expectation: Expectation, make: Callable[[Game], Engine]) -> str | None:
    settings = dict(expectation.settings)
    written = settings.pop("numberOfPlayers", None)
    players = None if written is None else whole_number(written)
    if written is not None and players is None:
        return f"'{written}' is not a number of players"
    try:
        chart, asked = _as_game(flowchart, expectation)
        game = Game.make(chart, name=_CHART, players=players, options=settings)
    except GameError as error:
        return str(error)
    engine, chance = make(game), RandomChance(expectation.text)
    state = engine.start(chance)
    for step in expectation.run:
        if step.startswith("do "):
            continue
        mover = engine.mover(state)
        if mover is None:
            return f"there is nobody to {step}: {_ended(engine, state)}"
        try:
            state = engine.apply(state, game.read_move(step), chance)
        except (IllegalMoveError, MoveError) as error:
            return f"player {mover} cannot {step}: {error}"
    mover = engine.mover(state)
    if mover is not None:
        legal = ", ".join(map(str, engine.legal(state)[:8]))
        return f"a move is missing: player {mover} is to decide ({legal})"
    outcome = engine.outcome(state)
    if outcome is None or outcome.reason is not Reason.END:
        return _ended(engine, state)
    answers = {event.node: event.value for event in engine.events(state) if event.kind == "branch"}
    for node, caption in zip(asked, expectation.captions, strict=True):
        if answers[node] != "yes":
            return f"expected {caption}, but that does not hold"
    return None


def _ended(engine: Engine, state: object) -> str:
    outcome = engine.outcome(state)
    if outcome is None or outcome.reason is Reason.END:
        return "the chart has ended"
    return f"the chart stopped: {outcome.reason}"


def _as_game(flowchart: Flowchart, expectation: Expectation) -> tuple[Flowchart, list[int]]:
    """The chart with a new first chart, in which the position is set up, the charts are run and the conditions asked.

    Also the numbers of the diamonds that ask them.
    """
    runs = [CallChart(step.removeprefix("do ")) for step in expectation.run if step.startswith("do ")]
    bodies: list[fc.Statement | fc.Expr] = [*expectation.given, *runs, *expectation.conditions]
    first = max(flowchart.nodes) + 1
    end = first + len(bodies) + 1
    nodes = [Node(first, _CHART, NodeKind.START, "start", next=first + 1)]
    for number, body in enumerate(bodies, start=first + 1):
        if isinstance(body, fc.Expr):
            nodes.append(Node(number, _CHART, NodeKind.CHOICE, "", yes=number + 1, no=number + 1, condition=body))
        else:
            kind = NodeKind.CALL if isinstance(body, CallChart) else NodeKind.STATEMENT
            nodes.append(Node(number, _CHART, kind, "", next=number + 1, statement=body))
    nodes.append(Node(end, _CHART, NodeKind.END, "end"))
    chart = fc.Chart(_CHART, first, end, tuple(node.number for node in nodes))
    whole = replace(
        flowchart,
        nodes=MappingProxyType({**flowchart.nodes, **{node.number: node for node in nodes}}),
        charts=MappingProxyType({_CHART: chart, **flowchart.charts}),
        main=_CHART,
    )
    return whole, [node.number for node in nodes if node.kind is NodeKind.CHOICE]
