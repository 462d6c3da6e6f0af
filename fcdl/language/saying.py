"""What the things of a chart are called, and which decisions a name means: the words of its `say` lines, or derived."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fcdl.language import tree
from fcdl.language.flowchart import Expr, Flowchart, Node, Say, Type

ALL_SAID = ("rules", "summary")
"""Subjects of which every line is said whose condition holds."""
SPECIAL = ("player", "pass", *ALL_SAID)
ME = Expr("local", Type.PLAYER, name="me")
"""The player whom words are about."""


def spaced(name: str) -> str:
    """A name of a chart as people write it: `trumpSuit` is `trump suit`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", name).lower() if not name.isupper() else name


def lines_about(chart: Flowchart, name: str, role: str = "", answer: str = "") -> Iterator[Say]:
    """The lines about a subject, in order."""
    return (say for say in chart.says if (say.role, say.name, say.answer) == (role, name, answer))


def called(chart: Flowchart, name: str) -> str:
    """What a thing is called in general: what is said of it but for what play decides; else the words of its name."""
    for say in lines_about(chart, name):
        text = fixed_text(say)
        if text:
            return text
    return spaced(name)


def fixed_text(say: Say) -> str:
    """A text as far as it does not depend on play: `bid #{n}` is `bid`."""
    return " ".join("".join(part for part in say.text if isinstance(part, str)).split())


def meaning(chart: Flowchart, name: str) -> str:
    """What a thing means, as the author says it; empty if nothing is said."""
    return next((say.meaning for say in lines_about(chart, name) if say.meaning), "")


def decisions_called(chart: Flowchart, name: str) -> frozenset[int]:
    """The decisions that a name means, by number: a label, a chart, what is chosen or where cards go."""
    return frozenset(
        node.number for drawn in chart.document.charts for node in drawn.nodes if name in decision_names(drawn, node)
    )


def answer_words(chart: Flowchart, node: Node, answer: str) -> str:
    """What an answer of a decision, `pass` or a word, is called in general: if it is always called the same."""
    lines = [say for say in chart.says if (say.role, say.answer) == ("", answer)]
    said = {fixed_text(say) for say in lines if node.number in decisions_called(chart, say.name)}
    return said.pop() if len(said) == 1 else called(chart, answer)


def says_exprs(say: Say) -> list[Expr]:
    """The expressions of a line."""
    return [part for part in (*say.text, say.condition) if isinstance(part, Expr)]


_ZONE_AT = {
    "playCard": 2, "playCardOrPass": 2, "playCards": 2, "playCardsOrPass": 2, "pick": 4, "take": 3, "takeOrPass": 3,
}  # fmt: skip
"""Which argument of a decision is the zone that cards go to."""


def decision_names(chart: tree.Chart, node: tree.Node) -> set[str]:
    """What a decision can be called: its label, its chart, what is chosen, where cards go; nothing if it is none."""
    body = node.body.body if isinstance(node.body, tree.ForSeats) else node.body
    if not isinstance(body, tree.Action) or body.name not in (*_ZONE_AT, "choose"):
        return set()
    place: tree.Expression = tree.Name("middle")
    at = _ZONE_AT.get(body.name, 1)
    if len(body.args) > at:
        place = body.args[at]
    named = {place.name} if isinstance(place, tree.Name | tree.Call) else set()
    return {chart.name, *named, *([node.label] if node.label else [])}
