"""The loops of a chart: the one that is the game, and those inside and after it.

Sub-charts are put in the place of their calls first, so that loops may cross charts: a `Place` is a node as it is come
to by certain calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

from fcdl.errors import FcdlError
from fcdl.language import flow
from fcdl.language.flow import Dominators, circles, predecessors
from fcdl.language.flowchart import (
    Assign,
    CallChart,
    Flowchart,
    Gather,
    Move,
    Node,
    NodeKind,
    Play,
    Publish,
    Show,
    Type,
)

_CAPTION = 80
MAX_PLACES = 20_000
"""Charts that call charts that call charts have copies beyond number."""


class OutsideError(FcdlError):
    """A chart that the method does not cover: `node` is where, the message says why, `hint` what to write instead."""

    def __init__(self, reason: str, node: Node | None = None, *, hint: str | None = None) -> None:
        super().__init__(reason if node is None else said_of(node, reason))
        self.reason, self.node, self.hint = str(reason), node, hint  # clingo hands on an error in the place of its text


class NoDecisionError(OutsideError):
    """A chart in which nobody decides anything."""


def said_of(node: Node, text: str) -> str:
    """Something that is said of a node: at which line it is, or its number if it comes from no text."""
    place = f"node {node.number}" if node.span is None else f"line {node.span.line}"
    caption = node.caption if len(node.caption) <= _CAPTION else f"{node.caption[: _CAPTION - 3]}..."
    return f"{place} ({caption}): {text}"


@dataclass(frozen=True, slots=True)
class Place:
    """A node where it stands when all sub-charts are drawn out; arrows lead to other places."""

    number: int
    node: Node
    next: int | None = None
    yes: int | None = None
    no: int | None = None

    @property
    def successors(self) -> tuple[int, ...]:
        """Where the arrows lead."""
        return tuple(n for n in (self.next, self.yes, self.no) if n is not None)


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop: the place where it is entered, all its places, and its diamonds with an arrow that leaves it."""

    head: int
    places: frozenset[int]
    exits: frozenset[int]


@dataclass(frozen=True, slots=True)
class MainLoop:
    """The loop that is the game, and all other loops that do not contain it, inner ones after outer ones.

    `closing`: its diamonds that ask only whether there is another turn. `left_out`: where cards are played outside.
    """

    places: Mapping[int, Place]
    loop: Loop
    others: tuple[Loop, ...]
    closing: frozenset[int]
    left_out: tuple[Place, ...]

    @property
    def after(self) -> dict[int, tuple[int, ...]]:
        """Where each place leads."""
        return {n: place.successors for n, place in self.places.items()}


def main_loop(flowchart: Flowchart) -> MainLoop:
    """The loop that is turned once for each trick, bout or turn; OutsideError if there is no decision.

    It is the smallest loop with all the cards that are played and with all changes of what each player has that a
    larger one has, unless cards are gathered and dealt there: bidding, dealing and scoring are around the main loop.
    In a chart without cards to play it has all decisions. If no loop has all of them it has as many as possible, at
    least half of them if no cards are gathered there.
    Decisions in no loop, or only in one that deals anew, are a cycle of one: from the first of them to the end.
    """
    places = draw_out(flowchart)
    after = {n: place.successors for n, place in places.items()}
    deciding = {n for n in places if isinstance(places[n].node.statement, Play)}
    deciding = deciding or {n for n in places if places[n].node.is_decision}
    if not deciding:
        raise NoDecisionError("nobody decides anything in this game, so nothing is better than anything else")
    loops = _all_loops(after, set(places), places)
    rounds = [loop for loop in loops if not _gathers(loop, places)]
    if 2 * max((len(loop.places & deciding) for loop in rounds), default=0) >= len(deciding):
        loops = rounds
    most = max((len(loop.places & deciding) for loop in loops), default=0)
    loop = (
        _main(sorted((loop for loop in loops if len(loop.places & deciding) == most), key=_size), places)
        if most
        else None
    )
    if loop is None or _gathers(loop, places):
        loop = _once(after, deciding if loop is None else deciding & loop.places, places)
    return _with_others(loop, places, deciding)


def whole_hand(flowchart: Flowchart) -> MainLoop:
    """All decisions as a cycle of one, from the first of them to the end of the hand."""
    places = draw_out(flowchart)
    deciding = {n for n in places if places[n].node.is_decision}
    return _with_others(_once({n: place.successors for n, place in places.items()}, deciding, places), places, deciding)


def _with_others(loop: Loop, places: Mapping[int, Place], deciding: Set[int]) -> MainLoop:
    after = {n: place.successors for n, place in places.items()}
    others = _all_loops(after, set(places) - loop.places, places) + _all_loops(after, loop.places - {loop.head}, places)
    left_out = tuple(places[n] for n in sorted(deciding - loop.places))
    return MainLoop(places, loop, tuple(others), _closing(loop, places), left_out)


def _once(after: Mapping[int, Sequence[int]], deciding: Set[int], places: Mapping[int, Place]) -> Loop:
    """From the last place before all of some decisions to the end of the hand: a loop that is never turned."""
    before = predecessors(after)
    dominators = Dominators(0, after, before)
    nearest, first = dominators.nearest(), min(deciding)
    while not all(dominators.dominates(first, other) for other in deciding):
        first = nearest[first]
    while first in nearest and any(first in places[n].successors for n in _until_gathered(first, places)):
        first = nearest[first]
    while len(before[first]) == 1 and _prepares(places[before[first][0]].node):
        first = before[first][0]
    return Loop(first, frozenset(_until_gathered(first, places)), frozenset())


def _until_gathered(first: int, places: Mapping[int, Place]) -> set[int]:
    """All places from one on, up to the end or to where the cards are gathered again."""
    inside, pending = set[int](), [first]
    while pending:
        n = pending.pop()
        if n not in inside and places[n].successors and not isinstance(places[n].node.statement, Gather):
            inside.add(n)
            pending += places[n].successors
    return inside


def _prepares(node: Node) -> bool:
    """Whether a node only says who begins, or the like, with nothing left to chance."""
    if isinstance(node.statement, Assign):
        return all(part.op != "random" for part in node.statement.value.walk())
    return node.kind in (NodeKind.START, NodeKind.END, NodeKind.CALL)


def _gathers(loop: Loop, places: Mapping[int, Place]) -> bool:
    """Whether all cards are gathered, to be dealt anew, in a loop."""
    return any(isinstance(places[n].node.statement, Gather) for n in loop.places)


def _size(loop: Loop) -> int:
    return -len(loop.places)


def _main(loops: Sequence[Loop], places: Mapping[int, Place]) -> Loop:
    """The main loop among loops with the same decisions, outer ones first."""
    rounds = [loop for loop in loops if not _gathers(loop, places)]
    if not rounds:
        return loops[-1]
    changing = {n for n in rounds[0].places if _changes_players(places[n].node)}
    return [loop for loop in rounds if loop.places >= changing][-1]


def _changes_players(node: Node) -> bool:
    """Whether a node changes something that each player has: a variable, a hand, or what they have won."""
    statement = node.statement
    if isinstance(statement, Assign):
        return statement.target.player is not None
    if not isinstance(statement, Move):
        return False
    of_player = any(arg.type is Type.PLAYER for arg in statement.target.args)
    return statement.source.name == "hand" or (of_player and statement.target.name != "middle")


def _closing(loop: Loop, places: Mapping[int, Place]) -> frozenset[int]:
    """Places from which nothing but diamonds comes before the next turn or the loop's end."""
    closing: set[int] = set()
    idle = {NodeKind.CHOICE, NodeKind.START, NodeKind.END, NodeKind.CALL}
    while True:
        more = {
            n
            for n in loop.places - closing - {loop.head}
            if places[n].node.kind in idle
            and all(m == loop.head or m in closing or m not in loop.places for m in places[n].successors)
        }
        if not more:
            return frozenset(n for n in closing if places[n].yes is not None)
        closing |= more


def meeting_places(main: MainLoop, within: Set[int], over: Callable[[Place], bool]) -> dict[int, int]:
    """Where the two arrows of each diamond among some places meet again before it is over, if they do."""
    nowhere = -1
    after: dict[int, list[int]] = {nowhere: []}
    for n in within:
        place = main.places[n]
        after[n] = [m for m in place.successors if m in within and not over(place)]
        if over(place) or not place.successors or any(m not in within for m in place.successors):
            after[n].append(nowhere)
    found = Dominators(nowhere, predecessors(after), after).nearest()
    return {n: to for n, to in found.items() if to != nowhere and main.places[n].yes is not None}


def live_variables(
    main: MainLoop, places: Set[int], stops: Set[int], kept: frozenset[str] = frozenset()
) -> dict[int, frozenset[str]]:
    """The variables that are read before they are assigned, from each of some places on, up to where that stops.

    `kept`: variables whose values there are asked for.
    """
    nodes = {n: main.places[n].node for n in places}
    after = {n: [m for m in main.places[n].successors if m in places and m not in stops] for n in places}
    last = {n: kept for n in places if any(m in stops or m not in places for m in main.places[n].successors)}
    return dict.fromkeys(main.places, frozenset[str]()) | flow.live_variables(nodes, after, _read, last)


def _read(node: Node, after: Set[str]) -> set[str]:
    """The variables that a node reads for something that matters: not to say it, nor for what is not read after it."""
    written = flow.overwritten(node)
    if isinstance(node.statement, Publish | Show) or (
        isinstance(node.statement, Assign) and written not in {None, *after}
    ):
        return set()
    return {part.name or "" for expr in node.exprs() for part in expr.walk() if part.op == "variable"}


def naming_variables(main: MainLoop, flowchart: Flowchart) -> frozenset[str]:
    """The variables that hold players or numbers from which players are made, but for those that each player has."""
    found = {name for name, variable in flowchart.variables.items() if variable.type is Type.PLAYER}
    exprs = [part for place in main.places.values() for expr in place.node.exprs() for part in expr.walk()]
    found |= {part.name or "" for expr in exprs if expr.op == "player" for part in expr.walk() if part.op == "variable"}
    while True:
        sources = [
            statement.value
            for place in main.places.values()
            if isinstance(statement := place.node.statement, Assign) and statement.target.name in found
        ]
        more = {
            part.name or ""
            for source in sources
            for part in source.walk()
            if part.op == "variable" and part.type in (Type.INT, Type.PLAYER)
        }
        if more <= found:
            return frozenset(
                name for name in found if name in flowchart.variables and not flowchart.variables[name].keys
            )
        found |= more


def changes_score(node: Node) -> bool:
    """Whether a node assigns to somebody's score."""
    return isinstance(node.statement, Assign) and node.statement.target.name == "score"


def draw_out(flowchart: Flowchart) -> dict[int, Place]:
    """All places that can be reached, numbered in the order in which they are met; the start is 0.

    Raises OutsideError if there are too many.
    """
    numbers: dict[tuple[tuple[int, ...], int], int] = {}
    pending: list[tuple[tuple[int, ...], int]] = []

    def number(calls: tuple[int, ...], node: int | None) -> int | None:
        if node is None:
            return None
        key = (calls, node)
        if key not in numbers:
            numbers[key] = len(numbers)
            pending.append(key)
        return numbers[key]

    number((), flowchart.charts[flowchart.main].start)
    places = {}
    while pending:
        key = calls, at = pending.pop()
        node = flowchart.nodes[at]
        if len(numbers) > MAX_PLACES:
            raise OutsideError(f"with each sub-chart in the place of its calls there are over {MAX_PLACES:,} nodes")
        to = number(calls, node.next) if not isinstance(node.statement, CallChart) else None
        if isinstance(node.statement, CallChart):
            to = number((*calls, at), flowchart.charts[node.statement.chart].start)
        elif node.kind is NodeKind.END and calls:
            to = number(calls[:-1], flowchart.nodes[calls[-1]].next)
        places[numbers[key]] = Place(numbers[key], node, to, number(calls, node.yes), number(calls, node.no))
    return dict(sorted(places.items()))


def _all_loops(after: Mapping[int, Sequence[int]], within: Set[int], places: Mapping[int, Place]) -> list[Loop]:
    """The loops among some places and the loops inside of them."""
    before = predecessors(after)
    found = []
    pending = [within]
    while pending:
        inside = pending.pop()
        if inside is not within:
            found.append(_loop(inside, before, places))
            inside = inside - {found[-1].head}
        inner = [frozenset(members) for members in circles(inside, after)]
        pending += sorted(inner, key=lambda circle: -_head(circle, before))
    return found


def _loop(circle: Set[int], before: Mapping[int, Sequence[int]], places: Mapping[int, Place]) -> Loop:
    exits = [n for n in circle if places[n].yes is not None and any(m not in circle for m in places[n].successors)]
    return Loop(_head(circle, before), frozenset(circle), frozenset(exits))


def _head(circle: Set[int], before: Mapping[int, Sequence[int]]) -> int:
    """Where a loop is entered first."""
    return min((n for n in circle if any(m not in circle for m in before[n])), default=min(circle))
