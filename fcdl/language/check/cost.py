"""Lines that are expensive: loops inside loops, and answers from which nobody can work out the hidden cards.

What a public line tells about hidden cards is worked out case by case (`fcdl/beliefs`). Where there are too many cases,
computer players deal at random until a deal fits, and that may take long.
"""

from __future__ import annotations

from collections.abc import Mapping

from fcdl.language import flowchart as fc
from fcdl.language.check.fold import Folder
from fcdl.language.check.program import Program
from fcdl.language.check.reveals import told_by
from fcdl.language.diagnostics import Findings, Span
from fcdl.language.flow import reachable, through_calls
from fcdl.language.flowchart import MAX_RANGE, QUESTION_CASES, QUESTION_STEPS, Expr, Type
from fcdl.language.ops import BINDERS
from fcdl.language.sight import hidden_part

TYPICAL = 4
"""A pile has this part of all cards, as a rule; a hand its player's part."""
SLOW = 200_000
"""So many steps for one line are felt by people and by players that search."""


def check(program: Program, findings: Findings) -> None:
    """Tells the author which lines are expensive, and what to write instead."""
    flowchart = program.flowchart
    costs, cases = _Costs(flowchart, typical=True), _Costs(flowchart, typical=False)
    after = through_calls(flowchart)
    said: set[Span | None] = set()
    for node in program.in_text_order():
        steps = max((costs.steps(expr) for expr in node.exprs()), default=0)
        if steps > SLOW:
            findings.note(
                "slow",
                f"may take about {round(steps, 1 - len(str(steps))):,} steps each time: loops inside loops",
                program.place(node, node.condition),
                node=node.number,
                hint="loop over ranks or suits instead of cards, or keep what the inner loop finds in a variable",
            )
        told = told_by(flowchart, node)
        hard = cases.hard_part(told) if told is not None else None
        if (
            hard is not None and hard.span not in said and _matters(flowchart, node, after)
        ):  # a definition that many lines use is one thing to mend
            said.add(hard.span)
            findings.note(
                "hard-to-guess",
                "computer players cannot work out what this tells of hidden cards: they deal until it fits",
                program.place(node, hard),
                node=node.number,
                hint=_instead(hard),
            )


def _matters(flowchart: fc.Flowchart, node: fc.Node, after: Mapping[int, tuple[int, ...]]) -> bool:
    """Whether anybody decides anything before all cards are shuffled again."""
    later = reachable(
        after[node.number], after, stop=lambda number: isinstance(flowchart.nodes[number].statement, fc.Gather)
    )
    return any(flowchart.nodes[number].is_decision for number in later)


def _instead(hard: Expr) -> str:
    if hard.op == "sum":
        return "compare numbers of cards, as in count(c in hand(p) where ...), or hide the answer with 'private'"
    return "loop over ranks or suits, as in count(intersect(hand(p), card(r, any))), or hide the answer with 'private'"


class _Costs:
    """What the expressions of a chart cost, as far as it can be seen from the chart."""

    def __init__(self, flowchart: fc.Flowchart, *, typical: bool) -> None:
        """`typical`: zones have as many cards as is usual; otherwise any card that is not seen may be anywhere."""
        self.flowchart = flowchart
        self.typical = typical
        self.folder = Folder(flowchart)
        self.known: dict[Expr, int] = {}

    def steps(self, expr: Expr) -> int:
        """How many parts are looked at, at most."""
        found = self.known.get(expr)
        if found is None:
            inner = [self.steps(arg) for arg in expr.args]
            if expr.op in BINDERS:
                found = 1 + inner[0] + self._size(expr.args[0]) * (1 + sum(inner[1:]))
            else:
                found = 1 + sum(inner)
            self.known[expr] = found
        return found

    def _size(self, domain: Expr) -> int:
        """How many elements a domain has, at most."""
        deck = self.flowchart.deck
        match domain.op:
            case "players":
                return self.flowchart.players[1]
            case "suits":
                return len(deck.suits)
            case "ranks":
                return len(deck.ranks)
            case "those":
                return self._size(domain.args[0])
            case "range" | "values":
                return min(MAX_RANGE, 2 * len(domain.args)) if domain.op == "values" else self._range(domain)
        if domain.type is not Type.CARDS:
            return 1
        most = self.folder.bounds(domain, None)[1].bit_count()
        if self.typical and any(part.op == "zone" for part in domain.walk()):
            per_player = any(part.op == "zone" and part.args for part in domain.walk())
            return -(-most // (self.flowchart.players[0] if per_player else TYPICAL))
        return most

    def _range(self, domain: Expr) -> int:
        low, high = (arg.value if arg.op == "const" and arg.value is not None else 0 for arg in domain.args)
        return min(MAX_RANGE, max(1, high - low + 1))

    def hard_part(self, told: Expr) -> Expr | None:
        """The part of what everybody is told that depends on hidden cards in too many ways."""
        if hidden_part(self.flowchart, told) is None:
            return None
        for part in told.walk():
            if hidden_part(self.flowchart, part) is None:
                continue
            if part.op == "sum" and part.args[0].type is Type.CARDS and self._has_many_sums(part):
                return part
            if part.op in BINDERS and self.steps(part) > QUESTION_STEPS:
                return part
        return None

    def _has_many_sums(self, expr: Expr) -> bool:
        """Whether a sum over cards can be too many numbers."""
        sums = {0}
        for card in range(self.flowchart.deck.size):
            value = self._of_card(expr.args[2], expr.name, card)
            if value is None:
                return True
            sums |= {number + value for number in sums}
            if 2 * len(sums) > QUESTION_CASES:
                return True
        return False

    def _of_card(self, value: Expr, name: str | None, card: int) -> int | None:
        """What a card adds to a sum; None if that is not a matter of the card alone."""
        if value.op == "const":
            return value.value
        local = len(value.args) == 1 and value.args[0].op == "local" and value.args[0].name == name
        table = self.flowchart.tables.get(value.name or "") if value.op == "table" and local else None
        return table.of_card(self.flowchart.deck, card) if table is not None else None
