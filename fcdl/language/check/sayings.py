"""Words that not everybody could be told: they are never shown to those who cannot see what they are made of."""

from __future__ import annotations

from fcdl.language import tree
from fcdl.language.check.program import Program
from fcdl.language.check.words import code
from fcdl.language.diagnostics import Findings, Span
from fcdl.language.saying import ME, says_exprs
from fcdl.language.sight import hidden_part


def check(program: Program, findings: Findings) -> None:
    """Warns of words that would tell what their reader cannot see."""
    chart = program.flowchart
    for say in chart.says:
        to_me = say.role == "ask" or (say.role == "" and (say.answer != "" or say.name in (*chart.words, "pass")))
        for expr in says_exprs(say):
            if (hidden := hidden_part(chart, expr, ME if to_me else None)) is not None:
                who = "the player who decides" if to_me else "everybody"
                message = (
                    f"not {who} can see {code(chart, hidden)}"
                    if not to_me
                    else f"{who} may not see {code(chart, hidden)}"
                )
                hint = "in a question 'me' is the player who decides" if to_me else "these words are shown to all"
                findings.warning("says-hidden", message, _place(say.span), hint=hint)
                break
    for expr in chart.hand_order:
        if (hidden := hidden_part(chart, expr, ME)) is not None:
            message = f"the player may not see {code(chart, hidden)}"
            hint = "'me' is the player who holds the hand"
            findings.warning("says-hidden", message, _place(expr.span), hint=hint)


def _place(span: Span | None) -> Span | None:
    return span if span != tree.NO_SPAN else None
