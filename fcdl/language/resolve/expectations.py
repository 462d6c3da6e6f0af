"""`expect`, `goal` and `always` lines, with their names and types resolved. They change nothing in the chart itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from fcdl.language import flowchart as fc
from fcdl.language import tree
from fcdl.language.diagnostics import Span
from fcdl.language.flowchart import Expr, MoveBy, Type
from fcdl.language.ops import depends_on_play
from fcdl.language.resolve.expressions import Scope, zone_expr
from fcdl.language.resolve.statements import Statements
from fcdl.language.resolve.vocabulary import MAX_EXPANSION
from fcdl.language.text import format_expression

MAX_EXPECTATIONS = 1_000


class Expectations(Statements):
    """Elaborates `expect`, `goal` and `always` lines, after all types are known."""

    def _expectations(self) -> tuple[fc.Expectation, ...]:
        lines = self.header.expectations
        if len(lines) > MAX_EXPECTATIONS:
            self._error("too-large", f"more than {MAX_EXPECTATIONS} expectations", lines[MAX_EXPECTATIONS].span)
            return ()
        found = []
        for line in lines:
            with self._beside_the_chart(line.span):
                found.append(self._expectation(line))
        return tuple(found)

    @contextmanager
    def _beside_the_chart(self, span: Span | None) -> Iterator[None]:
        """What is elaborated here may look at the order of a zone only if the chart does."""
        self.budget = MAX_EXPANSION
        chart_order, self.ordered = self.ordered, set[str]()
        yield
        for name in sorted(self.ordered - chart_order):
            message = f"the chart does not look at the order of the cards in '{name}', so it has no top or bottom"
            self._error("no-order", message, span)
        self.ordered = chart_order

    def _goals(self) -> tuple[fc.Goal, ...]:
        me = Expr("local", Type.PLAYER, name="me")
        found = []
        for more, wish in self.header.wishes:
            with self._beside_the_chart(wish.span):
                what = self._typed(wish, Type.INT, Scope(locals={"me": me}))
            if what is None:
                continue
            if not depends_on_play(what):
                self._error("goal", "play does not change this", wish.span)
            elif me not in what.walk():
                self._error("goal", "this is the same for all players", wish.span, "'me' is the player who wants it")
            found.append(fc.Goal(1 if more else -1, what))
        return tuple(found)

    def _always(self) -> tuple[Expr, ...]:
        lines = self.header.always
        if len(lines) > MAX_EXPECTATIONS:
            self._error("too-large", f"more than {MAX_EXPECTATIONS} 'always' lines", lines[MAX_EXPECTATIONS].span)
            return ()
        found = []
        for line in lines:
            with self._beside_the_chart(line.span):
                condition = self._typed(line, Type.BOOL, Scope())
            if condition is not None:
                found.append(condition)
        return tuple(found)

    def _expectation(self, line: tree.Expect) -> fc.Expectation:
        settings: list[tuple[str, str]] = []
        given: list[fc.Statement] = []
        dealt: Counter[str] = Counter()
        for item in line.given:
            match item:
                case tree.GivenValue(tree.Name(name), value) if (
                    name == "numberOfPlayers" or name in self.header.options
                ):
                    settings.append((name, format_expression(value)))
                case tree.GivenValue(target, value):
                    given += self._given_value(target, value)
                case tree.GivenCards():
                    given += self._given_cards(item, dealt)
        self._check_run(line)
        conditions = [self._typed(condition, Type.BOOL, Scope()) for condition in line.conditions]
        return fc.Expectation(
            line.text,
            tuple(settings),
            tuple(given),
            line.run,
            tuple(condition for condition in conditions if condition is not None),
            tuple(map(format_expression, line.conditions)),
            line.span,
        )

    def _given_value(self, target: tree.Name | tree.Call, value: tree.Expression) -> Iterator[fc.Statement]:
        if target.name in self._zone_names():
            self._error("expectation", "cards are given after ':'", target.span, f"write '{target.name}(...): AS KH'")
        elif target.name not in self.variable_types:
            self._error(
                "unknown-name",
                f"unknown variable '{target.name}'",
                target.span,
                self.findings.near(target.name, self.variable_types),
            )
        elif (statement := self._assign(target, value, target.span)) is not None:
            yield statement

    def _given_cards(self, item: tree.GivenCards, dealt: Counter[str]) -> Iterator[fc.Statement]:
        zone = self._zone(item.zone)
        for code in item.cards:
            copies = self.deck.cards_with_code(code)
            if not copies:
                hint = self.findings.near(code, self.card_names)
                self._error("unknown-name", f"the deck has no card '{code}'", item.span, hint)
            elif dealt[code] >= len(copies):
                self._error("expectation", f"{code} cannot be given twice", item.span)
            elif zone is not None:
                card = Expr("const", Type.CARD, value=copies[dealt[code]])
                yield fc.Move(MoveBy.CARDS, Expr("single", Type.CARDS, (card,)), zone_expr("pack"), zone)
            dealt[code] += 1

    def _check_run(self, line: tree.Expect) -> None:
        charts = [chart.name for chart in self.document.charts]
        if not any(step.startswith("do ") for step in line.run):
            self._error(
                "expectation", "an expectation needs a chart to run", line.span, "add 'do NAME' before the moves"
            )
        for step in line.run:
            kind, _, what = step.partition(" ")
            if kind == "do" and what not in charts:
                self._error("unknown-chart", f"unknown chart '{what}'", line.span, self.findings.near(what, charts))
