"""What all checks of the flow share: the reachable nodes in order, and what each reads and changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from fcdl.language import flowchart as fc
from fcdl.language import tree
from fcdl.language.diagnostics import Span
from fcdl.language.flow import ReachableCharts
from fcdl.language.flowchart import Expr, MoveBy
from fcdl.language.seats import spread

ZONE = "@"
"""Zones and variables are places; the names of zones begin with this."""


@dataclass(slots=True)
class Facts:
    """What one node reads (each place with the first expression that reads it) and what it may change."""

    reads: dict[str, Expr] = field(default_factory=dict)
    writes: tuple[str, ...] = ()


class Program(ReachableCharts):
    """The reachable part of a flowchart, with what the checks ask of it."""

    def __init__(self, flowchart: fc.Flowchart) -> None:
        super().__init__(flowchart)
        every_zone = tuple(ZONE + name for name in flowchart.zones)
        self.facts = {number: _facts(self.nodes[number], every_zone) for number in self.reachable()}
        document = spread(flowchart.document).document
        written = {node.number: node for chart in document.charts for node in chart.nodes}
        self.tree_nodes = {
            number: written[number if number in written or node.box is None else node.box]
            for number, node in flowchart.nodes.items()
        }

    def in_text_order(self) -> Iterator[fc.Node]:
        """All reachable nodes, as they are written."""
        for name, chart in self.flowchart.charts.items():
            if name in self.order:
                known = set(self.order[name])
                yield from (self.nodes[number] for number in chart.nodes if number in known)

    def place(self, node: fc.Node, expr: Expr | None = None) -> Span | None:
        """Where a finding about a node, or about a part of it, points."""
        for span in (expr.span if expr is not None else None, node.span):
            if span is not None and span != tree.NO_SPAN:
                return span
        return None

    def where(self, node: fc.Node) -> str:
        """How to name a node in a message: by its line if it has one."""
        span = self.place(node)
        return f"line {span.line}" if span is not None else f"node {node.number}"


# --- what a node reads and changes ------------------------------------------------------------------------------------


def places_read(exprs: Iterable[Expr]) -> dict[str, Expr]:
    """Every place that expressions read, with the first part that reads it."""
    reads: dict[str, Expr] = {}
    for expr in exprs:
        for part in expr.walk():
            if part.op in ("variable", "playerVariable"):
                assert part.name is not None
                reads.setdefault(part.name, part)
            elif part.op == "zone":
                assert part.name is not None
                reads.setdefault(ZONE + part.name, part)
            elif part.op in ("cardsRemaining", "playerHas"):
                reads.setdefault(ZONE + "hand", part)
    return reads


def zone_name(zone: Expr) -> str:
    """The name of a zone expression."""
    assert zone.name is not None
    return zone.name


def _facts(node: fc.Node, every_zone: tuple[str, ...]) -> Facts:
    if node.condition is not None:
        return Facts(places_read((node.condition,)))
    statement = node.statement
    match statement:
        case fc.Assign(target=target) | fc.Choose(target=target):
            return Facts(places_read(fc.statement_exprs(statement)), (target.name,))
        case fc.Gather():
            return Facts(writes=every_zone)
        case fc.ShuffleZone(zone=zone):
            return Facts(places_read(zone.args), (ZONE + zone_name(zone),))
        case fc.Move(what=what, source=source, target=target_zone, place=place):
            parts = (*source.args, *target_zone.args, *(part for part in (what, place) if part is not None))
            return Facts(places_read(parts), (ZONE + zone_name(source), ZONE + zone_name(target_zone)))
        case fc.Play(source=source, target=target_zone):
            parts = (statement.player, statement.cards, *target_zone.args)
            passed = ("passed",) if statement.may_pass else ()
            return Facts(places_read(parts), (ZONE + zone_name(source), ZONE + zone_name(target_zone), *passed))
        case fc.Pick(source=source, target=target_zone):
            parts = (statement.player, statement.number, statement.cards, *source.args, *target_zone.args)
            return Facts(places_read(parts), (ZONE + zone_name(source), ZONE + zone_name(target_zone)))
        case fc.TakeSet(source=source, target=target_zone):
            parts = (statement.player, statement.sets, *source.args, *target_zone.args)
            passed = ("passed",) if statement.may_pass else ()
            return Facts(places_read(parts), (ZONE + zone_name(source), ZONE + zone_name(target_zone), *passed))
        case None:
            return Facts()
    return Facts(places_read(fc.statement_exprs(statement)))


def moves_all(statement: fc.Move, flowchart: fc.Flowchart) -> bool:
    """Whether a move leaves nothing behind in any zone of the source's name."""
    zone = flowchart.zones[zone_name(statement.source)]
    whole = statement.each_seat or not zone.keys
    return statement.by is MoveBy.ALL and whole and zone_name(statement.source) != zone_name(statement.target)
