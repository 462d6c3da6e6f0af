"""`say` and `sort` lines, with their names and types resolved. They change nothing in the chart itself."""

from __future__ import annotations

import re

from fcdl.language import flowchart as fc
from fcdl.language import tree
from fcdl.language.flowchart import Expr, Type
from fcdl.language.ops import depends_on_play
from fcdl.language.resolve.expectations import Expectations
from fcdl.language.resolve.expressions import Scope
from fcdl.language.resolve.vocabulary import BUILT_IN_ZONES
from fcdl.language.saying import ALL_SAID, ME, SPECIAL, decision_names

MAX_SAYS = 1_000
MAX_TEXT = 500
_CARD_IN_TEXT = re.compile(r"#\{[^}]*\bcard\b")
"""Not everybody may have seen the card."""
CARD = Expr("local", Type.CARD, name="card")


class Sayings(Expectations):
    """Elaborates `say` and `sort` lines, after all types are known."""

    def _says(self) -> tuple[fc.Say, ...]:
        lines = self.header.says
        if len(lines) > MAX_SAYS:
            self._error("too-large", f"more than {MAX_SAYS} lines of words", lines[MAX_SAYS].span)
            return ()
        settled: set[tuple[str, str, str]] = set()
        found = []
        for line in lines:
            subject = (line.role, line.name, line.answer)
            if subject in settled:
                hint = "put lines with 'if' before the one without"
                self.findings.warning("said-before", "a line before this one always counts", line.span, hint=hint)
            always = line.condition is None and not _CARD_IN_TEXT.search(line.text.value)
            if always and not (line.name in ALL_SAID and not line.role):
                settled.add(subject)
            with self._beside_the_chart(line.span):
                said = self._say(line)
            if said is not None:
                found.append(said)
        return tuple(found)

    def _say(self, line: tree.Say) -> fc.Say | None:
        if max(len(line.text.value), len(line.meaning)) > MAX_TEXT:
            self._error("too-large", f"a text of words has at most {MAX_TEXT} letters", line.span)
            return None
        if not self._is_about_something(line):
            return None
        about_all = not line.role and line.name in ALL_SAID
        scope = Scope() if about_all else Scope(locals={"me": ME, **({"card": CARD} if line.role == "tell" else {})})
        text = self._template(line.text, scope)
        condition = self._typed(line.condition, Type.BOOL, scope) if line.condition is not None else None
        if text is None or (condition is None and line.condition is not None):
            return None
        exprs = [part for part in (*text, condition) if isinstance(part, Expr)]
        if not line.role and line.name == "rules" and any(map(depends_on_play, exprs)):
            message = "the rules may depend only on options and the number of players"
            self._error(
                "rules-words", message, line.span, "what happens in play is said by 'say tell' or 'say summary'"
            )
        return fc.Say(line.role, line.name, line.answer, text, line.meaning, condition, line.span)

    def _embedded(self, expression: tree.Expression, scope: Scope) -> Expr | None:
        """An expression in a text; words may also list players."""
        if isinstance(expression, tree.Each) and expression.kind == "those" and expression.noun == "players":
            domain = self._domain(expression, scope)
            return domain[0] if domain is not None else None
        return super()._embedded(expression, scope)

    def _is_about_something(self, line: tree.Say) -> bool:
        """Whether there is such a subject; reports it if not."""
        decisions = self._decisions()
        if line.role or line.answer:
            names = decisions | (self.variable_types.keys() if line.role == "tell" else set())
            if line.name not in names:
                what = "nothing happens" if line.role == "tell" else "there is no decision"
                hint = self.findings.near(line.name, names) or "name a label, a chart, a variable or a zone"
                self._error("no-decision", f"{what} that is called '{line.name}'", line.span, hint)
                return False
            answers = {"pass", "yes", "no", *self.header.words, *self.deck.suits, *self.deck.ranks}
            if line.answer and line.answer not in answers:
                hint = self.findings.near(line.answer, answers) or "an answer is 'pass' or a value that can be chosen"
                self._error("unknown-name", f"unknown answer '{line.answer}'", line.span, hint)
                return False
            return True
        header = self.header
        names = {*SPECIAL, *self.variable_types, *header.zones, *BUILT_IN_ZONES, *header.words, *header.options}
        names |= {*self.tables, *header.lists, *header.definitions, *(chart.name for chart in self.document.charts)}
        if line.name not in names:
            self._error("unknown-name", f"unknown name '{line.name}'", line.span, self.findings.near(line.name, names))
            return False
        return True

    def _decisions(self) -> set[str]:
        """What decisions can be called: their labels and charts, what is chosen, and where cards go."""
        return {name for chart in self.written.charts for node in chart.nodes for name in decision_names(chart, node)}

    def _hand_order(self) -> tuple[Expr, ...]:
        scope = Scope(locals={"me": ME, "card": CARD})
        found = []
        for key in self.header.hand_order:
            with self._beside_the_chart(key.span):
                expr = self._expr(key, scope)
            expr = self._settle(expr) if expr is not None else None
            if expr is None:
                continue
            if expr.type not in (Type.INT, Type.BOOL, Type.SUIT, Type.RANK):
                self._error(
                    "type", f"cards are sorted by numbers, suits, ranks or yes and no, not {expr.type}", key.span
                )
            found.append(expr)
        return tuple(found)
