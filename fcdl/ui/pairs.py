"""Cards that answer others, as the chart has them: a defence beside the attack that it beats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fcdl.language.flowchart import Expr, Flowchart, Move, Play

Played = tuple[int, str]
Pair = tuple[Played, Played | None]
"""Who played a card, and who answered it with which; None: it has no answer yet."""


def answering_zones(chart: Flowchart) -> dict[str, str]:
    """Zones whose cards answer the top card of another, by that one: what may be played there depends on it.

    Both belong to nobody, cards are played to both, and none goes from the first to the second.
    """
    statements = [node.statement for node in chart.nodes.values()]
    plays = [statement for statement in statements if isinstance(statement, Play)]
    moves = [statement for statement in statements if isinstance(statement, Move)]
    moved = {(_shared(move.source), _shared(move.target)) for move in moves}
    played_to = {_shared(play.target) for play in plays}
    found: dict[str, str] = {}
    for play in plays:
        zone = _shared(play.target)
        asked = [_shared(part.args[0]) for part in play.cards.walk() if part.op == "top"]
        for other in asked:
            if zone and other and other != zone and other in played_to and (zone, other) not in moved:
                found[zone] = other
    return found


def _shared(place: Expr) -> str | None:
    """The name of a zone that belongs to nobody."""
    return place.name if place.op == "zone" and not place.args else None


def pairs(played: Sequence[Played], answers: Mapping[int, int]) -> list[Pair] | None:
    """Cards, each with its answer; `answers` has the place of the card that one answers. None where none does."""
    if not answers:
        return None
    answered = {asked: played[place] for place, asked in answers.items()}
    return [(card, answered.get(place)) for place, card in enumerate(played) if place not in answers]
