"""From a game to its heuristics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fcdl.engines.asp.paths import Term, Way, find_ways
from fcdl.engines.asp.proof import counterexample
from fcdl.language.loops import OutsideError, main_loop
from fcdl.model.game import Game

ME = Term("me")


@dataclass(frozen=True, slots=True)
class Heuristic:
    """A way through one pass: under these conditions, in this order of play, it is worth `weight` to me.

    Numbers count from 1, in the order of `Heuristics`; ways that are worth nothing have 0.
    """

    number: int
    weight: int
    conditions: tuple[Term, ...]
    order: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Heuristics:
    """What was derived from a game.

    `wishes`: what I want more (1) or less (-1) of. `neutral`: the ways that are worth nothing, which are no
    heuristics; with them exactly one way fits every pass. `names`: for each instance, who is who.
    """

    game: Game
    wishes: tuple[tuple[int, Term], ...]
    heuristics: tuple[Heuristic, ...]
    neutral: tuple[Heuristic, ...]
    names: tuple[frozenset[Term], ...]


def derive(game: Game) -> Heuristics:
    """All heuristics of a game; OutsideError says why, and at which node, there are none."""
    ways = find_ways(game, main_loop(game.flowchart))
    wishes = dict.fromkeys(wish for way in ways for wish in way.wishes)
    if not wishes:
        raise OutsideError("what to want does not follow from how the scores change")
    merged = sorted(_merge(ways, game.players), key=_order)
    heuristics = [way for way in merged if way.weight]
    if not heuristics:
        raise OutsideError("no way through a pass changes what the players want")
    return Heuristics(
        game,
        tuple(wishes),
        tuple(
            Heuristic(number, way.weight, way.conditions, way.order) for number, way in enumerate(heuristics, start=1)
        ),
        tuple(way for way in merged if not way.weight),
        tuple(_names(ways)),
    )


def contradiction(derived: Heuristics) -> tuple[str, ...] | None:
    """A pass to which none or several of the ways apply, found by ASP; None is the proof that there is none."""
    ways = [
        (
            [condition for condition in way.conditions if is_identity(condition)],
            [term for term in way.conditions if not is_identity(term) and term.name != "cardInstanceOf"],
        )
        for way in (*derived.heuristics, *derived.neutral)
    ]
    return counterexample(ways, derived.names)


def is_identity(condition: Term) -> bool:
    """Whether a condition says who somebody is."""
    return condition.name == "equal" and condition.args[1].name in ("me", "otherPlayer")


def _merge(ways: Iterable[Way], players: int) -> Iterator[Heuristic]:
    """Equal conditions are one heuristic if they mean the same for every seat; otherwise my seat is a condition too."""
    groups: dict[frozenset[Term], list[Way]] = {}
    for way in ways:
        groups.setdefault(frozenset(way.conditions), []).append(way)
    for group in groups.values():
        weights = {(way.seat, way.weight) for way in group}
        seats = {seat for seat, _ in weights}
        if len(weights) > len(seats):
            raise OutsideError(f"the same conditions change the score in different ways: {_text(group[0].conditions)}")
        if len({weight for _, weight in weights}) == 1 and len(seats) == players:
            yield Heuristic(0, group[0].weight, group[0].conditions, group[0].order)
            continue
        for seat, weight in sorted(weights):
            mine = Term("equal", (Term("player", (Term(str(seat)),)), ME))
            yield Heuristic(0, weight, (mine, *group[0].conditions), group[0].order)


def _order(heuristic: Heuristic) -> tuple[bool, int, str]:
    leads = heuristic.order[:1] == (ME,)
    return not leads, -heuristic.weight, _text(heuristic.conditions)


def _text(conditions: Iterable[Term]) -> str:
    return ", ".join(map(str, conditions))


def _names(ways: Iterable[Way]) -> Iterator[frozenset[Term]]:
    instances: dict[int, set[Term]] = {}
    for way in ways:
        seat = Term("equal", (Term("player", (Term(str(way.seat)),)), ME))
        instances.setdefault(way.instance, {seat}).update(filter(is_identity, way.conditions))
    yield from (frozenset(names) for _, names in sorted(instances.items()))
