"""Positions from public facts alone: zones have as many cards as everybody can count, the cards that the seat has seen
are where it saw them, all others lie anywhere.

This is what is left when nothing else finds worlds. What a chart gives away by its diamonds is forgotten here.
"""

from __future__ import annotations

import random
from array import array
from collections import defaultdict
from functools import cached_property

from fcdl.engines.native.engine import NativeEngine
from fcdl.model.events import Observation
from fcdl.model.moves import Move
from fcdl.model.table import Table

GAMES, MOVES = 40, 4000
"""So many games and moves are played at random, at most, to meet the decisions of a chart."""
QUIET = 5
"""After so many games that met no new one it is enough."""
_DECISION = 1


def _dealt(table: Table, rng: random.Random) -> dict[str, list[int]]:
    """The zones, from the bottom up, with all cards of unknown place dealt at random."""
    deck = table.game.flowchart.deck
    codes: defaultdict[str, list[int]] = defaultdict(list)
    for card in table.game.cards:
        codes[deck.code(card)].append(card)
    found: dict[str, list[int | None]] = {}
    for zone, pile in table.zones.items():
        cards = [codes[card].pop(0) if card is not None and codes[card] else None for card in pile.cards]
        lowest = cards[: pile.mixed]
        rng.shuffle(lowest)
        found[zone] = lowest + cards[pile.mixed :]
    unseen = [card for cards in codes.values() for card in cards]
    rng.shuffle(unseen)
    result = {
        zone: [card if card is not None else unseen.pop() for card in content if card is not None or unseen]
        for zone, content in found.items()
    }
    result["pack"].extend(unseen)
    return result


class PublicFacts:
    """Makes positions of a game in which a seat is to move."""

    def __init__(self, engine: NativeEngine) -> None:
        self.engine = engine
        self.slots = {name: slot for slot, name in enumerate(engine.node_program.variables)}

    @cached_property
    def decisions(self) -> list[bytes]:
        """A position at each decision of the chart that random games meet."""
        found: dict[tuple[int, bytes], bytes] = {}
        moves = quiet = 0
        returns = [slot for name, slot in self.slots.items() if name.startswith("return of ")]
        for seed in range(GAMES):
            before = len(found)
            position = self.engine.new_game(seed)
            rng = random.Random(seed)
            while not position.is_over and moves < MOVES:
                state = position.dump()
                values = array("i", state[: 4 * len(self.slots)])
                found.setdefault((position.node, bytes(array("i", [values[slot] for slot in returns]))), state)
                position.apply_id(rng.choice(position.legal_ids()))
                moves += 1
            quiet = quiet + 1 if len(found) == before else 0
            if quiet == QUIET:
                break
        return list(found.values())

    def sample(
        self, observation: Observation, count: int, seed: int, legal: frozenset[Move] | None
    ) -> tuple[bytes, ...]:
        """So many positions; if the legal moves are given, such in which the seat has them (or nearly)."""
        rng = random.Random(seed)
        table = Table(self.engine.game)
        table.read(observation)
        variables = self._variables(table)
        order = self._preferred(table, variables, observation.seat, legal, rng)
        result: list[bytes] = []
        for template in order[:3]:
            for _ in range(2 * count):
                position = self._arranged(template, variables, table, rng)
                if position is not None and self._mover(position) == observation.seat:
                    result.append(position)
                if len(result) == count:
                    return tuple(result)
            if result:
                break
        return tuple(result)

    def _variables(self, table: Table) -> array[int]:
        pairs = array("i")
        chart = self.engine.game.flowchart
        for (name, owner), text in table.values.items():
            slot = self.slots.get(self.engine.game.place_text(name, owner))
            if slot is not None:
                pairs.extend((slot, self.engine.game.value_from_text(chart.variables[name].type, text)))
        return pairs

    def _arranged(self, template: bytes, variables: array[int], table: Table, rng: random.Random) -> bytes | None:
        dealt = _dealt(table, rng)
        zones = array("i")
        for name in self.engine.game.zones:
            cards = dealt[name]
            zones.append(len(cards))
            zones.extend(cards)
        return self.engine.telling_program.arranged(template, variables, zones)

    def _mover(self, position: bytes) -> int | None:
        return self.engine.mover(self.engine.state(position))

    def _preferred(
        self, table: Table, variables: array[int], seat: int, legal: frozenset[Move] | None, rng: random.Random
    ) -> list[bytes]:
        """Positions at decisions of the chart, those first at which the seat would have the most of these moves."""
        rated = []
        for number, template in enumerate(self.decisions):
            position = self._arranged(template, variables, table, rng)
            if position is None or self._mover(position) != seat:
                continue
            offered = frozenset(self.engine.legal(self.engine.state(position)))
            rated.append((-len(offered ^ legal) if legal is not None else 0, -number, template))
        rated.sort(key=lambda entry: entry[:2], reverse=True)
        return [template for _, _, template in rated]
