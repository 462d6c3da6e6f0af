"""Cards that answer others, as the chart has them: a defence beside the attack that it beats."""

from __future__ import annotations

from collections.abc import Set

from fcdl.language.flowchart import Expr, Flowchart, Play

Played = tuple[int, str]
Pair = tuple[Played, Played | None]
"""Who played a card, and who answered it with which; None: it has no answer yet."""


def answering_zones(chart: Flowchart) -> frozenset[str]:
    """Zones whose cards answer the top card of another: what may be played there depends on it.

    Both belong to nobody, and cards are played to both.
    """
    plays = [node.statement for node in chart.nodes.values() if isinstance(node.statement, Play)]
    played_to = {name for play in plays if (name := _shared(play.target)) is not None}
    return frozenset(
        name
        for play in plays
        if (name := _shared(play.target)) is not None
        and any(part.op == "top" and _shared(part.args[0]) in played_to - {name} for part in play.cards.walk())
    )


def _shared(place: Expr) -> str | None:
    """The name of a zone that belongs to nobody."""
    return place.name if place.op == "zone" and not place.args else None


def pairs(played: tuple[Played, ...], answers: Set[int]) -> list[Pair] | None:
    """Cards, each with its answer; None where no card answers another."""
    if not answers:
        return None
    found: list[Pair] = []
    for place, card in enumerate(played):
        if place in answers and found and found[-1][1] is None:
            found[-1] = found[-1][0], card
        else:
            found.append((card, None))
    return found
