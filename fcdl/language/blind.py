"""Picks from a zone that the player cannot see, read as what they are: one of so many face-down cards is drawn.

    pick(p, n, cards, hand(next(p)), hand(p))

        picks left = n                                      left out if n is 1
    again:
        picks left > 0 & !empty(hand(next(p)))?             no -> done
        shuffle(hand(next(p)))                              left out if the chart itself looks at the order of the zone
        choose(p, face-down card, {1, 2 to count(hand(next(p)))})       has the number of the pick
        move(at(hand(next(p)), face-down card), hand(next(p)), hand(p))
        picks left = picks left - 1                         -> again
    done:

Where it depends on the position whether the player sees the zone, a diamond asks whose it is. Nobody but the author
knows of picks that are blind: engines, beliefs and players see these nodes only, as with boxes for all seats.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from types import MappingProxyType

from fcdl.language import flowchart as fc
from fcdl.language.flowchart import ANY, TRUE, Expr, Type, VariableRef
from fcdl.language.sight import owner_of, sees_zone

PLACE = "face-down card"
"""The variable that says which card was drawn, counted from the top."""
_LEFT = "picks left"


def with_blind_picks(chart: fc.Flowchart) -> fc.Flowchart:
    """The chart with every pick that is, or may be, blind as the nodes that it means."""
    picks = {
        node.number: node.statement
        for node in chart.nodes.values()
        if isinstance(node.statement, fc.Pick)
        and sees_zone(chart, node.statement.source, node.statement.player) is not True
    }
    return _Reader(chart, picks).read() if picks else chart


class _Reader:
    """Reads the blind picks of one chart."""

    def __init__(self, chart: fc.Flowchart, picks: dict[int, fc.Pick]) -> None:
        self.chart = chart
        self.picks = picks
        self.numbers = (number for number in count() if number not in chart.nodes)
        self.entries = {number: next(self.numbers) for number in picks}

    def read(self) -> fc.Flowchart:
        """The whole chart."""
        nodes: dict[int, fc.Node] = {}
        charts: dict[str, fc.Chart] = {}
        for name, part in self.chart.charts.items():
            read = [new for number in part.nodes for new in self._nodes(self.chart.nodes[number])]
            nodes |= {node.number: node for node in read}
            charts[name] = replace(part, nodes=tuple(node.number for node in read))
        drawn_from = {pick.source.name or "" for pick in self.picks.values()}
        zones = {
            name: replace(zone, ordered=zone.ordered or name in drawn_from) for name, zone in self.chart.zones.items()
        }
        counts = (_LEFT,) if any(pick.number != _number(1) for pick in self.picks.values()) else ()
        variables = {name: fc.Variable(name, (), Type.INT, None, secret=False) for name in (PLACE, *counts)}
        return replace(
            self.chart,
            nodes=MappingProxyType(nodes),
            charts=MappingProxyType(charts),
            zones=MappingProxyType(zones),
            variables=MappingProxyType({**self.chart.variables, **variables}),
        )

    def _nodes(self, node: fc.Node) -> Iterator[fc.Node]:
        node = replace(node, next=self._to(node.next), yes=self._to(node.yes), no=self._to(node.no))
        pick = self.picks.get(node.number)
        if pick is None:
            yield node
            return
        entry = self.entries[node.number]
        if sees_zone(self.chart, pick.source, pick.player) is None:
            blind, seen = next(self.numbers), next(self.numbers)
            own_is_seen = self.chart.zones[pick.source.name or ""].visibility is fc.Visibility.OWNER
            yes, no = (seen, blind) if own_is_seen else (blind, seen)
            yield _question(node, entry, self._is_own(pick), yes, no)
            yield _statement(node, seen, _of_own(self.chart, pick) if own_is_seen else pick, node.next)
            entry = blind
        yield from self._blind(node, pick, entry)

    def _to(self, number: int | None) -> int | None:
        return self.entries.get(number, number) if number is not None else None

    def _is_own(self, pick: fc.Pick) -> Expr:
        zone = self.chart.zones[pick.source.name or ""]
        same = "equal" if zone.keys[0].kind == "player" else "sameTeam"
        return Expr(same, Type.BOOL, (owner_of(pick.source), pick.player))

    def _blind(self, node: fc.Node, pick: fc.Pick, entry: int) -> Iterator[fc.Node]:
        """The nodes that draw face-down cards, from `entry` on."""
        several = pick.number != _number(1)
        asks = next(self.numbers) if several else entry
        mixes = next(self.numbers) if not self.chart.zones[pick.source.name or ""].ordered else node.number
        takes, counts = next(self.numbers), next(self.numbers)
        left, place = Expr("variable", Type.INT, name=_LEFT), Expr("variable", Type.INT, name=PLACE)
        drawn = _Drawn(pick)
        there = Expr("not", Type.BOOL, (Expr("empty", Type.BOOL, (drawn.cards,)),))
        if several:
            yield _statement(node, entry, fc.Assign(VariableRef(_LEFT), pick.number), asks)
            there = Expr("and", Type.BOOL, (Expr("greater", Type.BOOL, (left, _number(0))), there))
        yield _question(node, asks, there, mixes, node.next)
        if mixes != node.number:
            yield _statement(node, mixes, fc.ShuffleZone(pick.source), node.number)
        others = Expr("range", Type.DOMAIN, (_number(2), Expr("count", Type.INT, (drawn.cards,))))
        places = Expr("values", Type.DOMAIN, (_number(1), others))
        yield replace(node, statement=fc.Choose(pick.player, VariableRef(PLACE), places), next=takes)
        card = Expr("single", Type.CARDS, (drawn.card(place),))
        move = fc.Move(fc.MoveBy.CARDS, card, pick.source, pick.target)
        yield _statement(node, takes, move, counts if several else node.next)
        if several:
            less = Expr("subtract", Type.INT, (left, _number(1)))
            yield _statement(node, counts, fc.Assign(VariableRef(_LEFT), less), asks)


class _Drawn:
    """The cards among which somebody draws, and each of them by its place."""

    def __init__(self, pick: fc.Pick) -> None:
        self.source = pick.source
        self.all = _is_any_of(pick.cards, pick.source)
        self.cards = pick.source if self.all else Expr("intersect", Type.CARDS, (pick.cards, pick.source))

    def card(self, place: Expr) -> Expr:
        """The card at a place, counted from the top; cards that may not be drawn do not count."""
        if self.all:
            return Expr("at", Type.CARD, (self.source, place))
        one, other = (Expr("local", Type.CARD, name=name) for name in ("drawn", "above"))
        one_at, other_at = (Expr("position", Type.INT, (card, self.source)) for card in (one, other))
        above = Expr("lessEqual", Type.BOOL, (other_at, one_at))
        number = Expr("countOf", Type.INT, (self.cards, above), name=other.name)
        found = Expr("equal", Type.BOOL, (number, place))
        return Expr("highest", Type.CARD, (self.cards, found, _number(1)), name=one.name)


def _is_any_of(cards: Expr, source: Expr) -> bool:
    """Whether all cards of a zone are among these."""
    match cards:
        case Expr(op="allCards"):
            return True
        case Expr(op="template", args=parts):
            return all(part.op == "const" and part.value == ANY for part in parts)
        case Expr(op="those", args=(domain, condition)):
            return condition == TRUE and _is_any_of(domain, source)
    return cards == source


def _of_own(chart: fc.Flowchart, pick: fc.Pick) -> fc.Pick:
    """The pick where the zone turned out to be the player's own, and so that this can be seen."""
    if chart.zones[pick.source.name or ""].keys[0].kind != "player":
        return pick
    place = pick.source.args[0]
    mine = replace(place, args=(pick.player, *place.args[1:])) if place.op == "place" else pick.player
    own = replace(pick.source, args=(mine,))

    def with_own(part: Expr) -> Expr:
        if part == pick.source:
            return own
        return replace(part, args=tuple(map(with_own, part.args)))

    return replace(pick, cards=with_own(pick.cards), source=own)


def _number(value: int) -> Expr:
    return Expr("const", Type.INT, value=value)


def _statement(box: fc.Node, number: int, statement: fc.Statement, to: int | None) -> fc.Node:
    return replace(box, number=number, statement=statement, next=to, label=None, position=None, box=box.number)


def _question(box: fc.Node, number: int, condition: Expr, yes: int | None, no: int | None) -> fc.Node:
    node = _statement(box, number, fc.Gather(), None)
    return replace(node, kind=fc.NodeKind.CHOICE, statement=None, condition=condition, yes=yes, no=no)
