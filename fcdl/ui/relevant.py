"""Which variables tell a player something: those that the chart will still read, as far as the seat can know that.

A seat does not always know where in the chart the game stands (private diamonds), so `Whereabouts` follows its own
events only and keeps all nodes that fit. A variable is live there if some path reads it before it is assigned.
"""

from __future__ import annotations

from collections.abc import Iterable

from fcdl.language.flow import live_variables, reachable, through_calls, variables_read
from fcdl.language.flowchart import (
    Assign,
    Choose,
    Decision,
    Flowchart,
    Move,
    Node,
    NodeKind,
    Pick,
    Play,
    TakeSet,
    Type,
    Variable,
)
from fcdl.language.saying import lines_about
from fcdl.language.sight import sees_value
from fcdl.model.events import Event

OTHERWISE_SHOWN = frozenset({"score", "passed"})


class Whereabouts:
    """Where the game may stand, for one who sees these events."""

    def __init__(self, flowchart: Flowchart) -> None:
        self._map = _chart_map(flowchart)
        self._nodes = self._map.stops([flowchart.charts[flowchart.main].start])

    def see(self, event: Event) -> None:
        """One more event."""
        if event.kind == "branch" and event.node is not None:
            node = self._map.nodes[event.node]
            targets = {"yes": (node.yes,), "no": (node.no,)}.get(event.value or "", (node.yes, node.no))
            self._go(self._map.stops(target for target in targets if target is not None))
        elif made := self.made(event):
            after = self._map.stops(target for number in made for target in self._map.successors[number])
            again = [number for number in made if isinstance(self._map.nodes[number].statement, Pick)]
            self._go(after.union(again))

    def made(self, event: Event) -> list[int]:
        """The decisions that an event may come from, for one who has seen what was before it; none if it is none."""
        if event.kind not in ("play", "pick", "take", "pass", "choose"):
            return []
        here = [number for number in self._nodes if _fits(self._map.nodes[number], event)]
        return here or [number for number, node in self._map.nodes.items() if _fits(node, event)]

    def _go(self, nodes: frozenset[int]) -> None:
        """Stands elsewhere; at the very end what mattered before is still of interest."""
        if any(self._map.successors[number] for number in nodes):
            self._nodes = nodes

    def knows(self, number: int) -> bool:
        """Whether one who sees these events knows that the game stands at this decision."""
        if not any(node.private for node in self._map.nodes.values()):
            return True
        return {other for other in self._nodes if self._map.nodes[other].is_decision} == {number}

    def telling(self) -> frozenset[str]:
        """The names of the variables worth showing here."""
        return frozenset(name for name in self._map.live_at(self._nodes) if self._tells(name))

    def _tells(self, name: str) -> bool:
        chart = self._map
        variable = chart.flowchart.variables[name]
        if not sees_value(variable, None) or name in OTHERWISE_SHOWN:
            return False
        if variable.keys or any(lines_about(chart.flowchart, name)):
            return True  # words of the chart say when it is shown
        deciding = [node for number in self._nodes if (node := chart.nodes[number]).is_decision]
        if deciding and all(_decider(node) == name for node in deciding):
            return False  # only says whose turn it is
        if is_seat(chart.flowchart, variable):
            return name not in chart.turns and "winner" not in name.lower()  # who wins so far can be seen
        if variable.type is Type.INT:
            return name in chart.weighed and name not in chart.counters
        return True


def idle_zones(flowchart: Flowchart) -> frozenset[str]:
    """The built-in stack, if cards only ever go there: nobody plays with it."""
    used = {
        expr.name
        for node in flowchart.nodes.values()
        for whole in node.exprs()
        for expr in whole.walk()
        if expr.op == "zone" and not (isinstance(node.statement, Move) and expr == node.statement.target)
    }
    return frozenset({"stack"} - used)


def telling_order(flowchart: Flowchart) -> list[Variable]:
    """All variables in the order in which they are shown: cards and words, what is chosen, then the rest."""
    chosen = _chart_map(flowchart).chosen
    cards = (Type.SUIT, Type.WORD, Type.CARD, Type.RANK)
    return sorted(flowchart.variables.values(), key=lambda found: (found.type not in cards, found.name not in chosen))


def is_seat(flowchart: Flowchart, variable: Variable) -> bool:
    """Whether a variable's value is a player, or the number of one."""
    return variable.type is Type.PLAYER or variable.name in _chart_map(flowchart).seats


class _ChartMap:
    """What a chart says about its variables, and where each node leads."""

    def __init__(self, flowchart: Flowchart) -> None:
        self.flowchart = flowchart
        self.nodes = flowchart.nodes
        self.successors = through_calls(flowchart)
        self._live = live_variables(self.nodes, self.successors)
        exprs = [expr for node in self.nodes.values() for whole in node.exprs() for expr in whole.walk()]
        self.seats = {expr.args[0].name for expr in exprs if expr.op == "player" and expr.args[0].op == "variable"}
        """Numbers that are used as players."""
        self.chosen = {node.statement.target.name for node in self.nodes.values() if isinstance(node.statement, Choose)}
        self.weighed = self.chosen | {
            name for node in self.nodes.values() if node.is_decision for name in variables_read(node)
        }
        """What decides which moves are legal, or is itself decided."""
        self.counters = {
            node.statement.target.name
            for node in self.nodes.values()
            if isinstance(node.statement, Assign) and _counts(node.statement)
        }

        deciders = {_decider(node) for node in self.nodes.values() if node.is_decision}
        self.turns = {
            node.statement.target.name
            for node in self.nodes.values()
            if isinstance(node.statement, Assign) and node.statement.target.name in deciders and _steps(node.statement)
        }
        """Who is asked one after the other."""

    def live_at(self, numbers: Iterable[int]) -> set[str]:
        """The variables that may be read from here on before they are assigned."""
        return set().union(*(self._live[number] for number in numbers))

    def stops(self, starts: Iterable[int]) -> frozenset[int]:
        """Where the game may stand after these nodes: decisions, diamonds that all see, the end."""
        return frozenset(filter(self._stops, reachable(starts, self.successors, stop=self._stops)))

    def _stops(self, number: int) -> bool:
        node = self.nodes[number]
        return node.is_decision or (node.kind is NodeKind.CHOICE and not node.private) or not self.successors[number]


_MAPS: dict[int, _ChartMap] = {}


def _chart_map(flowchart: Flowchart) -> _ChartMap:
    """The map of a chart, made once; a map keeps its chart, so that the number stays the chart's own."""
    if id(flowchart) not in _MAPS:
        _MAPS[id(flowchart)] = _ChartMap(flowchart)
    return _MAPS[id(flowchart)]


def _counts(statement: Assign) -> bool:
    """Whether it is `v = v + 1` and the like."""
    value = statement.value
    if value.op not in ("add", "subtract"):
        return False
    return {part.op for part in value.args} == {"variable", "const"} and any(
        part.name == statement.target.name for part in value.args
    )


def _steps(statement: Assign) -> bool:
    """Whether it is `p = next(p)` and the like."""
    value = statement.value
    return value.op in ("next", "previous") and value.args[0].name == statement.target.name


def _decider(node: Node) -> str | None:
    """The variable that alone says who decides."""
    assert isinstance(node.statement, Decision)
    player = node.statement.player
    if player.op == "player":
        player = player.args[0]
    return player.name if player.op == "variable" else None


def _fits(node: Node, event: Event) -> bool:
    """Whether an event is of the decision that a node asks for."""
    match node.statement:
        case Choose(target=target):
            return event.kind == "choose" and event.name == target.name
        case Pick(target=zone):
            return event.kind == "pick" and (event.target or "").partition("(")[0] == zone.name
        case TakeSet(target=zone, may_pass=may_pass, word=word):
            if event.kind == "pass":
                return may_pass
            return event.kind == word and (event.target or "").partition("(")[0] == zone.name
        case Play(target=zone, may_pass=may_pass):
            if event.kind == "pass":
                return may_pass
            return event.kind == "play" and (event.target or "").partition("(")[0] == zone.name
        case _:
            return False
