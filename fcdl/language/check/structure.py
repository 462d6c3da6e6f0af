"""The drawing: charts, terminals and arrows that are missing, doubled or lead nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fcdl.language import tree
from fcdl.language.diagnostics import Findings, Severity, Span
from fcdl.language.flow import predecessors, reachable, strong_components


def check_structure(document: tree.Document, findings: Findings) -> None:
    """Reports charts, terminals and connections that are missing, doubled or lead nowhere."""
    if not document.charts:
        findings.error("no-chart", "the file has no chart", hint="a chart begins with a line like 'chart main'")
        return
    _Structure(document, findings).check()


def place(span: Span) -> Span | None:
    """The span, or None when the form of the chart has no places."""
    return span if span != tree.NO_SPAN else None


class _Structure:
    def __init__(self, document: tree.Document, findings: Findings) -> None:
        self.document = document
        self.findings = findings
        self.charts: dict[str, tree.Chart] = {}
        self.home = {node.number: chart.name for chart in document.charts for node in chart.nodes}
        self.reported = {item.node for item in findings.items if item.severity is Severity.ERROR}

    def check(self) -> None:
        self._numbers()
        for chart in self.document.charts:
            self._name(chart)
            self._terminals(chart)
            faulty = [node for node in chart.nodes if not self._connections(chart, node)]
            if not faulty and not _has_broken_nodes(chart):
                self._reachable(chart)
        self._calls()

    def _error(self, code: str, message: str, span: Span, node: int | None = None, hint: str | None = None) -> None:
        self.findings.error(code, message, place(span), node=node, hint=hint)

    # --- names and terminals

    def _numbers(self) -> None:
        seen: set[int] = set()
        for chart in self.document.charts:
            for node in chart.nodes:
                if node.number in seen and node.number not in self.reported:
                    self._error("doubled-label", f"two nodes have the number {node.number}", node.span, node.number)
                seen.add(node.number)

    def _name(self, chart: tree.Chart) -> None:
        if chart.name in self.charts:
            self._error("doubled-chart", f"there are two charts named '{chart.name}'", chart.span)
        self.charts.setdefault(chart.name, chart)

    def _terminals(self, chart: tree.Chart) -> None:
        starts = [node for node in chart.nodes if isinstance(node.body, tree.Start)]
        ends = [node for node in chart.nodes if isinstance(node.body, tree.End)]
        complete = not _has_broken_nodes(chart)
        if not starts and complete:
            self._error(
                "no-start", f"chart '{chart.name}' has no 'start'", chart.span, hint="its first line is 'start'"
            )
        if not ends and complete:
            self._error("no-end", f"chart '{chart.name}' has no 'end'", chart.span, hint="its last line is 'end'")
        for node in starts[1:]:
            message, hint = f"chart '{chart.name}' has a second 'start'", "a new chart begins with 'chart NAME'"
            self._error("doubled-start", message, node.span, node.number, hint)
        for node in ends[1:]:
            message, hint = f"chart '{chart.name}' has a second 'end'", "point the arrows to the one end"
            self._error("doubled-end", message, node.span, node.number, hint)

    # --- connections

    def _connections(self, chart: tree.Chart, node: tree.Node) -> bool:
        """Whether all arrows of a node are there and lead somewhere in its chart."""
        wanted = tree.arrow_kinds(node.body)
        arrows = {"next": node.next, "yes": node.yes, "no": node.no}
        missing = [kind for kind in wanted if arrows[kind] is None]
        if node.number in self.reported or isinstance(node.body, tree.Broken):
            return not missing
        for kind, target in arrows.items():
            if target is not None and kind not in wanted:
                self._wrong_arrow(node, kind)
        for target in node.extra:
            self._error("doubled-connection", f"one arrow too many, to node {target}", node.span, node.number)
        for kind in missing:
            self._missing(chart, node, kind)
        fine = [self._target(chart, node, target) for target in arrows.values() if target is not None]
        return all(fine) and not missing and not node.extra

    def _wrong_arrow(self, node: tree.Node, kind: str) -> None:
        hint = "nothing follows the end" if isinstance(node.body, tree.End) else "only a diamond has yes and no"
        if isinstance(node.body, tree.Choice):
            hint = "a diamond has yes and no"
        self._error("wrong-arrow", f"this node has no '{kind}' arrow", node.span, node.number, hint)

    def _missing(self, chart: tree.Chart, node: tree.Node, kind: str) -> None:
        if kind != "next":
            self._error(
                "missing-connection",
                f"this diamond has no '{kind}' arrow",
                node.span,
                node.number,
                f"write '{kind} -> label'",
            )
        elif any(isinstance(other.body, tree.End) for other in chart.nodes):
            self._error("missing-connection", "this node leads nowhere", node.span, node.number, "write '-> label'")

    def _target(self, chart: tree.Chart, node: tree.Node, target: int) -> bool:
        home = self.home.get(target)
        if home is None:
            self._error(
                "dangling-connection", f"an arrow to node {target}, which does not exist", node.span, node.number
            )
        elif home != chart.name:
            self._error(
                "other-chart",
                f"an arrow into another chart, '{home}'",
                node.span,
                node.number,
                f"to run that chart, write 'do {home}'",
            )
        return home == chart.name

    # --- ways through a chart

    def _reachable(self, chart: tree.Chart) -> None:
        starts = [node.number for node in chart.nodes if isinstance(node.body, tree.Start)]
        ends = [node.number for node in chart.nodes if isinstance(node.body, tree.End)]
        if len(starts) != 1 or len(ends) != 1:
            return
        after = {node.number: _successors(node) for node in chart.nodes}
        before = predecessors(after)
        reached = reachable(starts, after)
        finishing = reachable(ends, before)
        covered = {*reached, *ends}
        if starts[0] not in finishing:
            self._no_way_out(chart, after, reached)
        for node in chart.nodes:
            if node.number not in covered:
                covered.update(reachable([node.number], after, known=covered))
                self.findings.warning(
                    "unreachable",
                    "nothing leads to this node",
                    place(node.span),
                    node=node.number,
                    hint="add a label before it and an arrow to that label",
                )
            elif (
                node.number in reached
                and node.number not in finishing
                and any(other in reached and other in finishing for other in before[node.number])
            ):
                self._error("no-way-to-end", "the end cannot be reached from here", node.span, node.number)

    def _no_way_out(self, chart: tree.Chart, after: Mapping[int, list[int]], reached: Iterable[int]) -> None:
        """No path leads from the start to the end: names the diamond that should let the loop end, if any."""
        for loop in map(frozenset, strong_components(reached, after)):
            if any(other not in loop for number in loop for other in after[number]):
                continue  # it leads on into another loop
            nodes = [node for node in chart.nodes if node.number in loop]
            diamonds = [node for node in nodes if isinstance(node.body, tree.Choice)]
            node = (diamonds or nodes)[-1]
            if diamonds:
                message, hint = "neither answer leads to the end", "one of the two should lead out of the loop"
            else:
                message, hint = "the end cannot be reached from here", "a diamond in the loop can lead out of it"
            self._error("no-way-to-end", message, node.span, node.number, hint)

    # --- sub-charts

    def _calls(self) -> None:
        main = self.document.charts[0].name
        calls: dict[str, list[tree.Node]] = {name: [] for name in self.charts}
        for chart in self.document.charts:
            for node in chart.nodes:
                call = tree.called_chart(node.body)
                if call is not None and self._is_sub_chart(node, call, main):
                    calls[chart.name].append(node)
        self._recursion(calls)

    def _is_sub_chart(self, node: tree.Node, body: tree.Do, main: str) -> bool:
        if body.chart == main:
            self._error(
                "do-main",
                f"'{main}' is the game itself, not a part of it",
                body.span,
                node.number,
                "use an arrow back instead",
            )
        elif body.chart not in self.charts:
            self._error(
                "unknown-chart",
                f"there is no chart '{body.chart}'",
                body.span,
                node.number,
                self.findings.near(body.chart, self.charts),
            )
        return body.chart != main and body.chart in self.charts

    def _recursion(self, calls: Mapping[str, list[tree.Node]]) -> None:
        """Charts that do each other in a circle, each circle once."""
        done: set[str] = set()
        for root in calls:
            path: dict[str, None] = {}
            pending: list[tuple[str, tree.Node | None]] = [(root, None)]
            while pending:
                name, node = pending.pop()
                if name == "":
                    done.add(path.popitem()[0])
                elif name in path:
                    assert node is not None
                    circle = " → ".join([*list(path)[list(path).index(name) :][:20], name])
                    self._error("recursion", f"charts call each other in a circle: {circle}", node.span, node.number)
                elif name not in done:
                    path[name] = None
                    pending.append(("", None))
                    pending.extend((_callee(call), call) for call in reversed(calls[name]))


def _has_broken_nodes(chart: tree.Chart) -> bool:
    return any(isinstance(node.body, tree.Broken) for node in chart.nodes)


def _successors(node: tree.Node) -> list[int]:
    return [target for target in (node.next, node.yes, node.no) if target is not None]


def _callee(node: tree.Node) -> str:
    call = tree.called_chart(node.body)
    assert call is not None
    return call.chart
