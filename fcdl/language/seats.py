"""Boxes for all seats, read as the loops that they are.

    playCard(p, cards) for p in players from leader where in(p)

        p = leader                          the box before: nodes that nobody wrote
        in(p)?                              no -> step
        playCard(p, cards)                  has the number of the box
    step:
        p = next(p)
        p == leader?                        no -> in(p)?

    together choose(p, bid(p), {0 to n}) for p in players

        choose(p, secret bid(p), {0 to n}) for p in players
        bid(p) = secret bid(p) for p in players

What is laid aside in secret has a place that no author can name. Everything after the syntax tree sees such loops only;
what is drawn, written and reported is the box (`Flowchart.drawn`, `Node.box`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count

from fcdl.language import tree
from fcdl.language.diagnostics import Findings

LAID_ASIDE = "laid aside"
"""The zone of each player for cards that nobody else may see yet."""

_TARGETS = {"playCard": 2, "playCards": 2, "pick": 4, "take": 3}
"""The statements by which cards are laid aside, and which of their arguments is the zone where the cards end up."""
_SEATS = frozenset({"player", "next", "previous", "partner"})
"""Functions that depend on nothing but their argument."""


def secret_name(variable: str) -> str:
    """The variable that keeps a choice until all have chosen."""
    return f"secret {variable}"


def chosen_name(variable: str) -> str:
    """What a player calls a variable: the one that keeps a choice is the choice."""
    return variable.removeprefix("secret ")


@dataclass(frozen=True, slots=True)
class Spread:
    """A document without boxes for all seats; `boxes` has the box of each node that nobody wrote."""

    document: tree.Document
    boxes: Mapping[int, int]


def spread(document: tree.Document) -> Spread:
    """The document with every box for all seats as a loop; the node that does what the box says keeps its number."""
    if not any(isinstance(node.body, tree.ForSeats) for chart in document.charts for node in chart.nodes):
        return Spread(document, {})
    return _Spreader(document).spread()


def check_boxes(document: tree.Document, findings: Findings) -> None:
    """Reports boxes that cannot be read as loops."""
    changes = _Changes(document)
    for chart in document.charts:
        for node in chart.nodes:
            if isinstance(node.body, tree.ForSeats):
                _check_box(node, node.body, changes, findings)


def _check_box(node: tree.Node, box: tree.ForSeats, changes: _Changes, findings: Findings) -> None:
    if box.variable in changes.of(box.body):
        findings.error(
            "loop-variable",
            f"'{box.variable}' goes from seat to seat here, so nothing in the box may change it",
            box.span,
            node=node.number,
            hint="use another name",
        )
    if box.together and (reason := _not_together(box)) is not None:
        findings.error("together", reason[0], node.span, node=node.number, hint=reason[1])


def _not_together(box: tree.ForSeats) -> tuple[str, str] | None:
    """Why players cannot do this at the same time, and what can be written instead; None if they can."""
    seat = tree.Name(box.variable)
    match box.body:
        case tree.Action("choose", (player, target, _)):
            if player == seat and isinstance(target, tree.Call) and target.args == (seat,):
                return None
            return "each seat has to choose a value of its own", f"write choose({seat.name}, x({seat.name}), ...)"
        case tree.Action(name, args) if name in _TARGETS and args:
            whose = None if args[0] == seat else f"write {name}({seat.name}, ...)"
            return None if whose is None else ("each seat has to decide for itself", whose)
    return "only choose, playCard, playCards, pick and take can be done together", "leave out 'together'"


class _Changes:
    """The variables that statements assign, also in the charts that they run."""

    def __init__(self, document: tree.Document) -> None:
        self._charts = {chart.name: chart for chart in document.charts}
        self._found: dict[str, frozenset[str]] = {}

    def of(self, body: tree.Body) -> frozenset[str]:
        match body:
            case tree.ForSeats():
                return self.of(body.body) | {body.variable}
            case tree.Assign(target=target) | tree.Action("choose", (_, tree.Name() | tree.Call() as target, _)):
                return frozenset({target.name})
            case tree.Do(chart):
                return self._of_chart(chart)
        return frozenset()

    def _of_chart(self, name: str) -> frozenset[str]:
        if name not in self._found:
            self._found[name] = frozenset()  # charts that run each other in a circle are reported elsewhere
            chart = self._charts.get(name)
            found = [self.of(node.body) for node in chart.nodes] if chart is not None else []
            self._found[name] = frozenset[str]().union(*found)
        return self._found[name]


class _Spreader:
    """Reads the boxes of one document."""

    def __init__(self, document: tree.Document) -> None:
        self.document = document
        self.changes = _Changes(document)
        self.definitions = {line.name for line in document.header if isinstance(line, tree.Define)}
        nodes = [node for chart in document.charts for node in chart.nodes]
        taken = {node.number for node in nodes}
        self.numbers = (number for number in count() if number not in taken)
        self.entries = {node.number: next(self.numbers) for node in nodes if isinstance(node.body, tree.ForSeats)}
        """Where arrows to a box lead now."""
        self.boxes: dict[int, int] = {}
        self.header: dict[str, tree.Header] = {}

    def spread(self) -> Spread:
        """The whole document."""
        charts = tuple(
            replace(chart, nodes=tuple(new for node in chart.nodes for new in self._nodes(node)))
            for chart in self.document.charts
        )
        header = (*self.document.header, *self.header.values())
        return Spread(tree.Document(header, charts), self.boxes)

    def _nodes(self, node: tree.Node) -> Iterator[tree.Node]:
        node = replace(node, next=self._to(node.next), yes=self._to(node.yes), no=self._to(node.no))
        if not isinstance(node.body, tree.ForSeats):
            yield node
            return
        loop = _Loop(self, node, node.body)
        yield from loop.nodes()

    def _to(self, number: int | None) -> int | None:
        return self.entries.get(number, number) if number is not None else None

    def is_fixed(self, first: tree.Expression, box: tree.ForSeats) -> bool:
        """Whether the player from whom a box goes round stays the same while it does."""
        changed = self.changes.of(box.body) | {box.variable} | self.definitions
        pending = [first]
        while pending:
            part = pending.pop()
            match part:
                case tree.Name(name) if name in changed:
                    return False
                case tree.Name() | tree.Number():
                    continue
                case tree.Call(name, args) if name in _SEATS:
                    pending += args
                case _:
                    return False
        return True

    def declare(self, header: tree.Header, name: str) -> None:
        """A header line for what a box lays aside."""
        self.header.setdefault(f"{type(header).__name__} {name}", header)

    def declared_like(self, variable: str, name: str) -> tree.Variables:
        """The declaration of another variable with the same keys and first value."""
        for line in self.document.header:
            if isinstance(line, tree.Variables):
                for other, value in line.variables:
                    if other == variable:
                        return tree.Variables(line.keys, ((name, value),))
        return tree.Variables(tree.PER_PLAYER, ((name, None),))


class _Loop:
    """The nodes of one box."""

    def __init__(self, spreader: _Spreader, node: tree.Node, box: tree.ForSeats) -> None:
        self.spreader = spreader
        self.node = node
        self.box = box
        self.seat = tree.Name(box.variable, span=box.span)
        self.start: tree.Expression = tree.Call("player", (tree.Number(0),), span=box.span)
        """The first seat, as it can be named anywhere in the loop."""
        self.written: list[tree.Node] = []

    def nodes(self) -> list[tree.Node]:
        """All of them, the entry first."""
        box, spreader = self.box, self.spreader
        entry = spreader.entries[self.node.number]
        if box.first is not None and spreader.is_fixed(box.first, box):
            self.start = box.first
        elif box.first is not None:
            self.start = tree.Name(f"first {box.variable}", span=box.span)
            following = next(spreader.numbers)
            self._add(entry, tree.Assign(self.start, box.first), following)
            entry = following
        if box.together and _not_together(box) is None:
            self._together(entry)
        else:
            self._round(entry, box.body, self.node.next, number=self.node.number)
        return self.written

    def _add(
        self,
        number: int,
        body: tree.Body,
        to: int | None = None,
        yes: int | None = None,
        no: int | None = None,
    ) -> None:
        node = tree.Node(number, body, to, yes, no, span=self.node.span)
        if number == self.node.number:
            node = replace(node, label=self.node.label, position=self.node.position, extra=self.node.extra)
        else:
            self.spreader.boxes[number] = self.node.number
        self.written.append(node)

    def _round(
        self,
        entry: int,
        body: tree.Assign | tree.Action | tree.Do,
        after: int | None,
        *,
        number: int | None = None,
        everybody: bool = False,
    ) -> None:
        """Once round the table, from `entry` to `after`; `everybody`: also those whom the box leaves out."""
        numbers = self.spreader.numbers
        does = number if number is not None else next(numbers)
        step, closing = next(numbers), next(numbers)
        condition = self.box.condition if not everybody else None
        asks = next(numbers) if condition is not None else does
        span = self.box.span
        self._add(entry, tree.Assign(self.seat, self.start), asks)
        if condition is not None:
            self._add(asks, tree.Choice(condition, public=self.box.public), yes=does, no=step)
        self._add(does, replace(body, public=True) if isinstance(body, tree.Assign) and self.box.public else body, step)
        self._add(step, tree.Assign(self.seat, tree.Call("next", (self.seat,), span=span)), closing)
        ends = tree.Operation("==", (self.seat, self.start), span=span)
        self._add(closing, tree.Choice(ends), yes=after, no=asks)

    # --- together

    def _together(self, entry: int) -> None:
        """All decide in secret, then all is shown."""
        assert isinstance(self.box.body, tree.Action)
        action = self.box.body
        shows = next(self.spreader.numbers)
        if action.name == "choose":
            target = action.args[1]
            assert isinstance(target, tree.Call)
            secret = self._secret(target)
            if self.box.condition is not None:  # who is not asked keeps what they have
                before, entry = entry, next(self.spreader.numbers)
                self._round(before, tree.Assign(secret, target), entry, everybody=True)
            decides = replace(action, args=(action.args[0], secret, action.args[2]))
            tells: tree.Assign | tree.Action = tree.Assign(target, secret)
        else:
            place = _TARGETS[action.name]
            own = tree.Call("middle", (self.seat,), span=action.span)
            target_zone = action.args[place] if place < len(action.args) else own
            aside = tree.Call(LAID_ASIDE, (self.seat,), span=action.span)
            self.spreader.declare(tree.Zone(LAID_ASIDE, tree.PER_PLAYER, "owner"), LAID_ASIDE)
            decides = replace(action, args=(*action.args[:place], aside, *action.args[place + 1 :]))
            tells = tree.Action("move", (tree.Name("all"), aside, target_zone), span=action.span)
        self._round(entry, decides, shows, number=self.node.number)
        self._round(shows, tells, self.node.next, everybody=True)

    def _secret(self, target: tree.Call) -> tree.Call:
        name = secret_name(target.name)
        self.spreader.declare(self.spreader.declared_like(target.name, name), name)
        self.spreader.declare(tree.Secret((name,)), name)
        return replace(target, name=name)
