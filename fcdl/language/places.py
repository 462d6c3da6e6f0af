"""The places of zones and variables with keys: how many there are, their numbers, their keys, whose they are."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod
from typing import Protocol

from fcdl.language.flowchart import NONE, Deck, Family, Type
from fcdl.language.tree import Key

KEY_TYPES = {
    "player": Type.PLAYER,
    "team": Type.PLAYER,
    "suit": Type.SUIT,
    "rank": Type.RANK,
    "number": Type.INT,
}
"""What is written for a key; for a team any of its players."""


class Sizes(Protocol):
    """What decides how many values a key has, besides the number of players."""

    @property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        """The teams."""

    @property
    def deck(self) -> Deck:
        """The deck."""


def key_values(chart: Sizes, key: Key, players: int) -> range:
    """The values of a key in order; teams by number."""
    match key.kind:
        case "player":
            return range(players)
        case "team":
            return range(len(chart.teams))
        case "suit":
            return range(len(chart.deck.suits))
        case "rank":
            return range(len(chart.deck.ranks))
    return range(key.low, key.high + 1)


def place_count(chart: Sizes, family: Family, players: int) -> int:
    """How many places a family with keys has."""
    return prod(len(key_values(chart, key, players)) for key in family.keys)


def position_among(chart: Sizes, key: Key, players: int) -> Callable[[int], int]:
    """The position of what is written for a key among its values; none if it is none of them."""
    if key.kind == "team":
        team_of = {seat: number for number, team in enumerate(chart.teams) for seat in team}
        return lambda seat: team_of.get(seat, NONE)
    values = key_values(chart, key, players)
    return lambda value: value - values.start if value in values else NONE


def place_number(chart: Sizes, family: Family, players: int) -> Callable[..., int]:
    """The number of the place that keys name; none if there is no such place."""
    positions = [position_among(chart, key, players) for key in family.keys]
    sizes = [len(key_values(chart, key, players)) for key in family.keys]

    def number(*values: int) -> int:
        place = 0
        for value, position, size in zip(values, positions, sizes, strict=True):
            at = position(value)
            if at < 0:
                return NONE
            place = place * size + at
        return place

    return number


def place_keys(chart: Sizes, family: Family, players: int) -> list[tuple[int, ...]]:
    """For each place of a family with keys what is written for it; for a team its first player."""
    written = []
    for key in family.keys:
        values = key_values(chart, key, players)
        written.append([chart.teams[team][0] for team in values] if key.kind == "team" else list(values))
    return list(product(*written))


def owners(chart: Sizes, family: Family, players: int) -> list[frozenset[int]]:
    """For each place of a family with keys the players whose it is."""
    if not family.owned:
        return [frozenset()] * place_count(chart, family, players)
    first = family.keys[0]
    groups = [frozenset(team) for team in chart.teams] if first.kind == "team" else [
        frozenset((seat,)) for seat in range(players)
    ]  # fmt: skip
    each = place_count(chart, family, players) // len(groups)
    return [group for group in groups for _ in range(each)]
