"""How somebody gets a part that heuristics speak of: `You become the winner if your card beats the winner's card.`"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fcdl.heuristics.definitions import DEFINED
from fcdl.heuristics.derive import Heuristics
from fcdl.heuristics.english import named, part_name
from fcdl.heuristics.speech import Speaker, is_clear
from fcdl.heuristics.symbols import flattened, negated
from fcdl.heuristics.terms import Term, term_of
from fcdl.language import flowchart as fc
from fcdl.language import tree
from fcdl.language.flowchart import Expr, Flowchart, Type

_MY_CARD = Expr("local", Type.CARD, name="myCard")


def role_lines(derived: Heuristics) -> Iterator[str]:
    """One sentence, or two, for each part that some heuristic says somebody gets."""
    every = (*derived.heuristics, *derived.open)
    roles = dict.fromkeys(name for item in every if item.summary.merged for name, _ in item.summary.outcome)
    chart = derived.game.flowchart
    for role in roles:
        ways = list(dict.fromkeys(_ways(chart, role, Speaker(derived, None).movers)))
        if len(ways) == 1:
            yield from _said(derived, role, *ways[0])


def _ways(chart: Flowchart, role: str, movers: set[str]) -> Iterator[tuple[str, Expr]]:
    """Whose turn it is when they get the part, and what was asked before; or of what the best has it."""
    for node in chart.nodes.values():
        statement = node.statement
        if not isinstance(statement, fc.Assign) or statement.target.name != role or statement.target.player is not None:
            continue
        value = statement.value
        if value.op in ("highest", "lowest") and value.args[0].op in ("players", "playersFrom"):
            yield value.name or "", value
        elif value.op == "variable" and value.name in movers:
            for before in chart.nodes.values():
                arrows = dict(before.arrows)
                if before.condition is not None and node.number in arrows.values():
                    yes = arrows.get("yes") == node.number
                    yield value.name or "", before.condition if yes else negated(before.condition)


def _said(derived: Heuristics, role: str, mover: str, asked: Expr) -> Iterator[str]:
    chart = derived.game.flowchart
    called, written = named(chart, role), chart.said
    part_of = part_name(called)
    if asked.op in ("highest", "lowest"):
        measure = written.get(asked.args[-1])
        if isinstance(measure, tree.Call) and [*map(_owner, measure.args)] == [mover]:
            yield f"Whose card has the {asked.op} {named(chart, measure.name)} becomes {part_of}."
        return
    speaker, test = Speaker(derived, None), _of_my_card(asked, mover)
    for one in test.walk():
        if (owner := _owner_of_card(one)) is not None:
            speaker.call(term_of(one, derived.game), f"the {named(chart, owner)}'s card")
    alternatives = [speaker.condition(term_of(one, derived.game)) for one in flattened("or", test)]
    whole = _short(", or ".join(alternatives), called)
    test_of = written.get(asked)
    if isinstance(test_of, tree.Call) and [*map(_owner, test_of.args)] == [mover, role]:
        cards = Term("myCard"), Term(role)
        speaker.call(cards[1], f"the {called}'s card")
        said = speaker.condition(Term(DEFINED, (Term(test_of.name), *cards)))
        yield f"You become {part_of} if {said}."
        if is_clear(whole):
            yield f"That means that {whole}."
    elif "your card" in whole and is_clear(whole):
        yield f"You become {part_of} if {whole}."


def _short(text: str, called: str) -> str:
    """Two cards of one suit that are compared, as one says it at the table."""
    theirs = f"the {called}'s card"
    long = f"your card's suit is the suit of {theirs} and your card is higher than {theirs}"
    return text.replace(long, f"your card is of the same suit as {theirs} and higher")


def _owner(expression: tree.Expression) -> str | None:
    """The player before whom a card lies, as it is written: `middle(turn)`."""
    match expression:
        case tree.Call(_, (tree.Name(name),)):
            return name
    return None


def _owner_of_card(expr: Expr) -> str | None:
    """The variable naming the player before whom a card lies."""
    if expr.op != "top" or expr.args[0].op != "zone" or not expr.args[0].args:
        return None
    owner = expr.args[0].args[0]
    return owner.name if owner.op == "variable" else None


def _of_my_card(expr: Expr, mover: str) -> Expr:
    """The card that lies before whoever's turn it is as my card."""
    if _owner_of_card(expr) == mover:
        return _MY_CARD
    return replace(expr, args=tuple(_of_my_card(arg, mover) for arg in expr.args))
