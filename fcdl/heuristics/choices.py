"""What players choose, in card language: a word that is a verb is done (`you fold`), anything else is chosen."""

from __future__ import annotations

import re

from fcdl.heuristics.english import doing, is_plural, join, named, verb_of, with_article
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import Expr, Flowchart, Node, Type
from fcdl.language.saying import answer_words, called

_FEW = 6


def suit_words(chart: Flowchart, name: str) -> str:
    """A variable that has a suit: `trump suit`, `trumps`, `suit led`, `colour`."""
    said = named(chart, name).rstrip("0123456789") or name
    if said == "led":
        return "suit led"
    return said if said.endswith("s") or re.search("suit|colou?r", said) else f"{said} suit"


def rank_words(chart: Flowchart, name: str) -> str:
    """A variable that has a rank: `wanted rank`."""
    said = named(chart, name).rstrip("0123456789") or name
    return said if "rank" in said else f"{said} rank"


def chosen(chart: Flowchart, name: str, kind: Type, phrase: str) -> str:
    """What one does who chooses a value of a kind for a variable of the chart.

    `folding`, `bidding 6 or less`, `choosing 2 fingers`, `choosing a suit that you do not hold`.
    """
    said = named(chart, name)
    verb = verb_of(called(chart, name), third=kind is Type.BOOL)
    if kind is Type.WORD:
        word = verb_of(phrase)
        return f"choosing {phrase}" if word is None else doing(word)
    if kind is Type.BOOL:
        return f"saying yes to “{called(chart, name)}”" if verb is None else doing(verb)
    if kind is Type.SUIT and is_plural(said):
        return f"choosing {phrase} as {said}"
    if kind is not Type.INT:
        return f"choosing {phrase}"
    if verb is not None:
        return f"{doing(verb)} {phrase}"
    number, *more = phrase.split(" ", 1)
    if is_plural(said):
        return " ".join(("choosing", number, said, *more)).replace(" or less", " or fewer")
    return f"choosing {with_article(said)} of {phrase}"


def one_more(chart: Flowchart, name: str) -> str:
    """Each one more of a number that is chosen: `each one more that you bid`, `each finger more that you choose`."""
    verb = verb_of(called(chart, name))
    if verb is not None:
        return f"each one more that you {verb}"
    said = named(chart, name)
    return (
        f"each {said[:-1]} more that you choose"
        if said.endswith("s") and is_plural(said)
        else f"each one more in {said} that you choose"
    )


def asked(chart: Flowchart, node: Node, kind: Type) -> str:
    """What there is to choose at a node: `fold, call or raise`, `bid`, `choose a player`."""
    statement = node.statement
    assert isinstance(statement, fc.Choose)
    name = statement.target.name
    said = named(chart, name)
    verb = verb_of(called(chart, name), third=kind is Type.BOOL)
    match kind:
        case Type.WORD:
            offered = [answer_words(chart, node, chart.words[item.value or 0]) for item in offers(statement)]
            if not 0 < len(offered) <= _FEW:
                return f"choose {with_article(said)}"
            verbs = [verb_of(word) for word in offered]
            if None not in verbs:
                return join([word for word in verbs if word], "or")
            return f"choose {join(offered, 'or')}"
        case Type.BOOL:
            return f"say yes or no to “{called(chart, name)}”" if verb is None else f"may {verb}"
        case Type.INT:
            return f"choose the {said}" if verb is None else verb
        case Type.SUIT:
            said = suit_words(chart, name)
            return f"choose {'' if is_plural(said) else 'the '}{said}"
        case Type.RANK:
            return f"choose the {rank_words(chart, name)}"
    return f"choose a {kind}"


def offers(statement: fc.Choose) -> list[Expr]:
    """The words that a choice offers, perhaps not all of them each time; none if they are not listed."""
    items = [item.args[1] if item.op == "when" else item for item in statement.values.args]
    listed = statement.values.op == "values"
    return items if listed and all(item.op == "const" and item.type is Type.WORD for item in items) else []
