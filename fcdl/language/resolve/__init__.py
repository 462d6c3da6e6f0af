"""From a syntax tree to a checked flowchart: names resolved, types inferred, definitions expanded.

Types are inferred: every statement is elaborated with what is known of the variables so far, each assignment and each
use narrows what a variable can be, until nothing changes; a last look reports what is wrong. Three literals have more
than one type until their surroundings decide: a numeral (int or rank), `any` (suit or rank) and `none` (player, card,
suit or rank).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from fcdl.language import flowchart as fc
from fcdl.language import tree
from fcdl.language.blind import with_blind_picks
from fcdl.language.diagnostics import Findings
from fcdl.language.flowchart import NONE, Expr, Type
from fcdl.language.ops import BINDERS, depends_on_play
from fcdl.language.resolve.expressions import Scope
from fcdl.language.resolve.kinds import DEFAULT_TYPE
from fcdl.language.resolve.sayings import Sayings
from fcdl.language.resolve.vocabulary import BUILT_IN_ZONES, MAX_EXPANSION
from fcdl.language.seats import check_boxes
from fcdl.language.text import format_body


def resolve(document: tree.Document, findings: Findings) -> fc.Flowchart | None:
    """The checked flowchart, or None when there are errors (then all are in `findings`)."""
    return _Resolver(document, findings).run()


def resolve_expression(
    flowchart: fc.Flowchart,
    expression: tree.Expression,
    parameters: Mapping[str, Type],
    wanted: Type | None,
    findings: Findings,
) -> Expr | None:
    """An expression about a checked chart's positions; None with the error reported."""
    return _Resolver(flowchart.document, findings).expression(flowchart, expression, parameters, wanted)


class _Resolver(Sayings):
    """All the passes, in order."""

    def expression(
        self, flowchart: fc.Flowchart, expression: tree.Expression, parameters: Mapping[str, Type], wanted: Type | None
    ) -> Expr | None:
        """An expression with parameters, of which the chart itself knows nothing."""
        self._collect_header()
        self._collect_deck()
        self._collect_tables()
        self.variable_types = {variable.name: variable.type for variable in flowchart.variables.values()}
        self.ordered = set()
        scope = Scope(locals={name: Expr("local", kind, name=name) for name, kind in parameters.items()})
        if wanted is not None:
            expr = self._typed(expression, wanted, scope)
        elif (expr := self._expr(expression, scope)) is not None:
            expr = self._settle(expr)
        for name in sorted(self.ordered):
            if not flowchart.zones[name].ordered:
                message = f"the chart does not look at the order of the cards in '{name}', so it has no top or bottom"
                self._error("no-order", message, expression.span)
        return expr

    def run(self) -> fc.Flowchart | None:
        """The flowchart, or None when there are errors."""
        check_boxes(self.written, self.findings)
        self._collect_header()
        self._collect_deck()
        self._check_places()
        self._collect_tables()
        self._collect_variables()
        statements = self._infer()
        self._check_unused_definitions()
        expectations, goals, always = self._expectations(), self._goals(), self._always()
        says, hand_order = self._says(), self._hand_order()
        self.findings.items = list(dict.fromkeys(self.findings.items))  # a box names its first player twice
        self.findings.join_unknown()
        if self.findings.has_errors:
            return None
        chart = with_blind_picks(self._flowchart(statements))
        return replace(chart, expectations=expectations, goals=goals, always=always, says=says, hand_order=hand_order)

    def _infer(self) -> dict[int, fc.Statement | Expr | None]:
        """Every node's statement or condition; None where it has none or an error.

        A node is elaborated again when it names a variable of undecided type about which something has been learnt, and
        once more at the end if its variables are still undecided or there is something to report about it.
        """
        reported, self.findings = self.findings, Findings(hints=False)
        result: dict[int, fc.Statement | Expr | None] = {}
        faulty: set[int] = set()
        waiting: dict[str, dict[int, tree.Node]] = {}
        queue = deque(self._nodes())
        queued = {node.number for node in queue}
        self._elaborate_header()
        while queue:
            node = queue.popleft()
            queued.discard(node.number)
            errors = len(self.findings.items)
            result[node.number] = self._elaborate(node)
            if len(self.findings.items) > errors:
                faulty.add(node.number)
            else:
                faulty.discard(node.number)
            for name in self.undecided:
                waiting.setdefault(name, {})[node.number] = node
            while self.learned:
                again = waiting.pop(self.learned.pop(), {})
                queue.extend(other for number, other in again.items() if number not in queued)
                queued.update(again)
        for name, kind in self.variable_types.items():
            if not isinstance(kind, Type):
                self.variable_types[name] = DEFAULT_TYPE[kind]
        self.findings = reported
        self.total_budget = max(self.total_budget, 0)  # if it is used up, that is still to be said
        self._elaborate_header()
        self.restrictions = tuple(map(self._restriction, self.header.decks or [tree.Deck()]))
        last = faulty.union(*waiting.values())
        for node in self._nodes():
            if node.number in last:
                result[node.number] = self._elaborate(node)
        return result

    def _elaborate(self, node: tree.Node) -> fc.Statement | Expr | None:
        """One node's statement or condition; the variables that left its types open are then in `undecided`."""
        self.node, self.node_span = node.number, node.span
        self.budget = MAX_EXPANSION
        self.random_allowed = False
        self.undecided.clear()
        body = self._body(node)
        self.node = self.node_span = None
        return body

    def _elaborate_header(self) -> None:
        for name, (_, value) in self.header.variables.items():
            if value is not None:
                expr = self._expr(value, Scope())
                if expr is not None:
                    self._narrow_variable(name, expr, value.span)

    def _restriction(self, part: tree.Deck) -> Expr | None:
        those = part.restriction
        if those is None:
            return None
        assert those.condition is not None
        name = those.variable
        scope = Scope(locals={name: Expr("local", Type.CARD, name=name)})
        condition = self._typed(those.condition, Type.BOOL, scope)
        if condition is None:
            return None
        if depends_on_play(condition):
            self._error("deck-restriction", "a deck may depend only on options and the number of players", those.span)
            return None
        if any(part.op in BINDERS for part in condition.walk()):
            message = "a deck's condition may look only at the card itself, not through other cards"
            self._error("deck-restriction", message, those.span, "a table can say which cards are used")
            return None
        return Expr("those", Type.CARDS, (Expr("allCards", Type.CARDS), condition), name=name, span=those.span)

    def _check_unused_definitions(self) -> None:
        """Definitions that nothing uses are elaborated as far as possible, so that mistakes in them show."""
        for name, definition in self.header.definitions.items():
            if name not in self.used_definitions and not definition.parameters:
                self.budget = MAX_EXPANSION
                elaborate = self._domain if self._defines_domain(name, Scope()) else self._expr
                elaborate(definition.value, Scope(expanding=(name,)))

    def _flowchart(self, bodies: dict[int, fc.Statement | Expr | None]) -> fc.Flowchart:
        nodes: dict[int, fc.Node] = {}
        charts: dict[str, fc.Chart] = {}
        captions = {
            node.number: format_body(node.body)
            for chart in self.written.charts
            for node in chart.nodes
            if isinstance(node.body, tree.ForSeats)
        }
        for chart in self.document.charts:
            for node in chart.nodes:
                caption = captions.get(node.number) or format_body(node.body)
                box = self.boxes.get(node.number)
                nodes[node.number] = _node(chart.name, node, bodies[node.number], caption, box)
            start = next(node.number for node in chart.nodes if isinstance(node.body, tree.Start))
            end = next(node.number for node in chart.nodes if isinstance(node.body, tree.End))
            charts[chart.name] = fc.Chart(chart.name, start, end, tuple(node.number for node in chart.nodes))
        header = self.header
        return fc.Flowchart(
            title=header.title or "Untitled",
            genre=header.genre,
            tags=header.tags,
            about=tuple(header.about),
            players=header.players,
            teams=header.teams,
            lowest_wins=header.lowest_wins,
            deck=replace(self.deck, restrictions=self.restrictions),
            tables=MappingProxyType(self.tables),
            lists=MappingProxyType(header.lists),
            words=tuple(header.words),
            options=MappingProxyType({name: self._option(option) for name, option in header.options.items()}),
            zones=MappingProxyType(self._zones()),
            variables=MappingProxyType({name: self._final_variable(name) for name in self.variable_types}),
            charts=MappingProxyType(charts),
            main=self.document.charts[0].name,
            nodes=MappingProxyType(nodes),
            document=self.written,
            said=MappingProxyType(self.said),
        )

    def _option(self, option: tree.Option) -> fc.Option:
        kind = self._option_type(option.name)
        if kind is Type.WORD:
            values = [self.header.words[word] for word in option.words]
            default = self.header.words[str(option.default)]
            return fc.Option(option.name, kind, default, min(values), max(values), option.words, option.text)
        low, high = (option.low, option.high) if option.low is not None and option.high is not None else (0, 1)
        return fc.Option(option.name, kind, int(option.default), low, high, (), option.text)

    def _zones(self) -> dict[str, fc.Zone]:
        declared = {name: (zone.keys, zone.visibility) for name, zone in self.header.zones.items()}
        return {
            name: fc.Zone(name, keys, fc.Visibility(visibility), name in self.ordered)
            for name, (keys, visibility) in {**BUILT_IN_ZONES, **declared}.items()
        }

    def _final_variable(self, name: str) -> fc.Variable:
        kind = self.variable_types[name]
        assert isinstance(kind, Type)
        initial: int | None = None
        keys, given = self.header.variables.get(name, ((), None))
        if keys:
            initial = 0 if kind in (Type.INT, Type.BOOL) else NONE
            if given is not None:
                expr = self._typed(given, kind, Scope())
                if expr is not None and expr.op == "negate" and expr.args[0].op == "const":
                    expr = replace(expr.args[0], value=-(expr.args[0].value or 0))
                if expr is None or expr.op != "const" or expr.value is None:
                    self._error("not-constant", f"the first value of '{name}' must be a constant", given.span)
                else:
                    initial = expr.value
        return fc.Variable(name, keys, kind, initial, name in self.header.secrets)


_KINDS = {
    tree.Start: fc.NodeKind.START,
    tree.End: fc.NodeKind.END,
    tree.Choice: fc.NodeKind.CHOICE,
    tree.Do: fc.NodeKind.CALL,
}


def _node(chart: str, node: tree.Node, body: fc.Statement | Expr | None, caption: str, box: int | None) -> fc.Node:
    kind = _KINDS.get(type(node.body), fc.NodeKind.STATEMENT)
    return fc.Node(
        number=node.number,
        chart=chart,
        kind=kind,
        caption=caption,
        next=node.next,
        yes=node.yes,
        no=node.no,
        statement=body if not isinstance(body, Expr) else None,
        condition=body if isinstance(body, Expr) else None,
        private=isinstance(node.body, tree.Choice) and node.body.private,
        label=node.label,
        position=node.position,
        box=box,
        span=node.span,
    )
