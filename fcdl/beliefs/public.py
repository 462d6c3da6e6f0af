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
from fcdl.model.events import Event, Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move

GAMES, MOVES = 40, 4000
"""So many games and moves are played at random, at most, to meet the decisions of a chart."""
_DECISION = 1


class Table:
    """The table as a seat has seen it: the cards of each zone from the bottom up (None: unknown), and the variables."""

    def __init__(self, game: Game, observation: Observation) -> None:
        self.game = game
        self.zones: defaultdict[str, list[str | None]] = defaultdict(list)
        self.zones["pack"] = [game.flowchart.deck.code(card) for card in reversed(game.cards)]
        self.variables: dict[tuple[str, int | None], str] = {}
        self.mixed: set[str] = set()
        """Zones that were shuffled."""
        self.seat = observation.seat
        for event in observation.events:
            self._follow(event)

    def _follow(self, event: Event) -> None:
        match event.kind:
            case "assign" | "choose" if event.value is not None:
                self.variables[event.name or "", event.owner] = event.value
            case "move":
                self._move(event.source or "", event.target or "", event.number or 0, event.cards)
            case "play" | "pick":
                self._move(event.source or "", event.target or "", 1, event.cards)
                if event.kind == "play":
                    self.variables["passed", event.seat] = "no"
            case "pass":
                self.variables["passed", event.seat] = "yes"
            case "shuffle":
                zone, number = event.source or "", event.number or 0
                if zone == "pack" and number == len(self.game.cards):
                    self.zones.clear()
                    self.zones[zone] = [None] * number
                self.mixed.add(zone)
            case "show" if event.source is not None and event.cards is not None:
                self.zones[event.source] = list(event.cards)

    def _move(self, source: str, target: str, number: int, cards: tuple[str, ...] | None) -> None:
        here = self.zones[source]
        if cards is None:
            if number < len(here) and (source != "pack" or source in self.mixed):  # any of them may have gone
                here[:] = [None] * len(here)
            taken = [here.pop() if here else None for _ in range(number)]
        else:
            taken = list(cards)
            for card in cards:
                if card in here:
                    del here[len(here) - 1 - here[::-1].index(card)]
                elif None in here:
                    del here[len(here) - 1 - here[::-1].index(None)]
                elif here:
                    here.pop()
        self.zones[target] += taken

    def dealt(self, rng: random.Random) -> dict[str, list[int]]:
        """The zones with all unknown cards dealt at random."""
        deck = self.game.flowchart.deck
        left = list(self.game.cards)
        codes: defaultdict[str, list[int]] = defaultdict(list)
        for card in left:
            codes[deck.code(card)].append(card)
        found: dict[str, list[int | None]] = {}
        for zone, content in self.zones.items():
            found[zone] = [codes[card].pop(0) if card is not None and codes[card] else None for card in content]
        unseen = [card for cards in codes.values() for card in cards]
        rng.shuffle(unseen)
        for zone in sorted(self.mixed & found.keys()):
            rng.shuffle(found[zone])
        result = {
            zone: [card if card is not None else unseen.pop() for card in content if card is not None or unseen]
            for zone, content in found.items()
        }
        result.setdefault("pack", []).extend(unseen)
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
        moves = 0
        returns = [slot for name, slot in self.slots.items() if name.startswith("return of ")]
        for seed in range(GAMES):
            position = self.engine.new_game(seed)
            rng = random.Random(seed)
            while not position.is_over and moves < MOVES:
                state = position.dump()
                values = array("i", state[: 4 * len(self.slots)])
                found.setdefault((position.node, bytes(array("i", [values[slot] for slot in returns]))), state)
                position.apply_id(rng.choice(position.legal_ids()))
                moves += 1
        return list(found.values())

    def sample(
        self, observation: Observation, count: int, seed: int, legal: frozenset[Move] | None
    ) -> tuple[bytes, ...]:
        """So many positions; if the legal moves are given, such in which the seat has them (or nearly)."""
        rng = random.Random(seed)
        table = Table(self.engine.game, observation)
        variables = self._variables(table)
        order = self._preferred(table, variables, legal, rng)
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
        for (name, owner), text in table.variables.items():
            slot = self.slots.get(name if owner is None else f"{name}({owner})")
            if slot is not None:
                pairs.extend((slot, self.engine.game.value_from_text(chart.variables[name].type, text)))
        return pairs

    def _arranged(self, template: bytes, variables: array[int], table: Table, rng: random.Random) -> bytes | None:
        dealt = table.dealt(rng)
        zones = array("i")
        for name in self.engine.game.zones:
            cards = dealt.get(name, [])
            zones.append(len(cards))
            zones.extend(cards)
        return self.engine.telling_program.arranged(template, variables, zones)

    def _mover(self, position: bytes) -> int | None:
        return self.engine.mover(self.engine.state(position))

    def _preferred(
        self, table: Table, variables: array[int], legal: frozenset[Move] | None, rng: random.Random
    ) -> list[bytes]:
        """Positions at decisions of the chart, those first at which the seat would have the most of these moves."""
        rated = []
        for number, template in enumerate(self.decisions):
            position = self._arranged(template, variables, table, rng)
            if position is None or self._mover(position) != table.seat:
                continue
            offered = frozenset(self.engine.legal(self.engine.state(position)))
            rated.append((-len(offered ^ legal) if legal is not None else 0, -number, template))
        rated.sort(key=lambda entry: entry[:2], reverse=True)
        return [template for _, _, template in rated]
