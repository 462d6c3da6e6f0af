"""Players for experiments: as those of the theses are by their programs, but not by their texts.

Hearts: Monte Carlo that forgets what it knows. Durak: searches that know too much.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fcdl.agents.agent import AgentKind, Thought
from fcdl.agents.search import KINDS as SEARCH_KINDS
from fcdl.agents.search import MinimaxAgent, MonteCarloAgent, SearchAgent, TreeAgent, maker
from fcdl.model.events import Event, Observation
from fcdl.model.moves import Move

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class RandomDeal(MonteCarloAgent):
    """Deals the cards of the others at random: voids and passed cards are forgotten, numbers of cards are not."""

    def _worlds(
        self, observation: Observation, legal: Sequence[Move], position: bytes | None, seed: int
    ) -> tuple[Sequence[bytes], npt.NDArray[np.float64], str]:
        import numpy as np

        (world,) = self.beliefs.sample(observation, 1, seed).positions
        dice = random.Random(seed)
        deals = [self.dealt_anew(world, observation.seat, dice) for _ in range(self.worlds)]
        return deals, np.full(len(deals), 1 / len(deals)), ""

    def dealt_anew(self, world: bytes, seat: int, dice: random.Random) -> bytes:
        """A position with the cards of the other hands changed about."""
        width = 16 if self.game.flowchart.deck.size > 64 else 8
        places = {
            zone: self.engine.telling_program.zones_at + width * number
            for number, zone in enumerate(self.game.zones)
            if zone.startswith("hand(") and zone != f"hand({seat})"
        }
        held = [_cards(world[place : place + width]) for place in places.values()]
        cards = [card for hand in held for card in hand]
        dice.shuffle(cards)
        changed = bytearray(world)
        for place, hand in zip(places.values(), held, strict=True):
            mine, cards = cards[: len(hand)], cards[len(hand) :]
            changed[place : place + width] = sum(1 << card for card in mine).to_bytes(width, "little")
        return bytes(changed)


class _Told(SearchAgent):
    """Knows what its opponent draws, from its own first decision on.

    So the searching players of the Durak thesis do with closed cards. Playouts in its program play cards of the true
    pack, and to play a card marks it as seen; what is so marked stays where it is when worlds are made.
    """

    clairvoyant = True

    def __init__(self, *arguments: Any, **parameters: Any) -> None:
        super().__init__(*arguments, **parameters)
        self._forget()

    def _forget(self) -> None:
        self._read: tuple[Event, ...] = ()
        self._events: tuple[Event, ...] = ()
        self._held: set[str] | None = None

    def think(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Thought:
        """Searches with what it should not know."""
        position, self._peeked = self._peeked, None
        if position is not None:
            observation = self.told(observation, position)
        return super().think(observation, legal, rng)

    def told(self, observation: Observation, position: bytes) -> Observation:
        """What it has seen, and which cards were drawn."""
        events, seat = observation.events, observation.seat
        if events[: len(self._read)] != self._read:
            self._forget()
        theirs = f"hand({1 - seat})"
        held = set(self.engine.zones(position)[theirs])
        new = events[len(self._read) :]
        hidden = [event for event in new if event.target == theirs and event.cards is None]
        if self._held is not None and hidden:
            gone = {card for event in new if event.source == theirs for card in event.cards or ()}
            come = {card for event in new if event.target == theirs for card in event.cards or ()}
            drawn = sorted((held | gone) - self._held - come)
            assert len(drawn) == sum(event.number or 1 for event in hidden)
            new = tuple(_shown(event, drawn) if event in hidden else event for event in new)
        self._read, self._held = events, held
        self._events += new
        return Observation(seat, self._events)


def _shown(event: Event, cards: list[str]) -> Event:
    """The same with so many of the cards, which are taken off the list."""
    shown = [cards.pop() for _ in range(event.number or 1)]
    return replace(event, cards=tuple(shown))


class ToldTree(_Told, TreeAgent):
    """UCT that knows what its opponent draws."""


class ToldMinimax(_Told, MinimaxAgent):
    """Minimax that knows what its opponent draws."""


def _cards(mask: bytes) -> list[int]:
    bits = int.from_bytes(mask, "little")
    return [card for card in range(bits.bit_length()) if bits >> card & 1]


_MONTE_CARLO = SEARCH_KINDS["montecarlo"].parameters


KINDS: Mapping[str, AgentKind] = {
    "random_deal": AgentKind(maker(RandomDeal), "Monte Carlo in random deals", _MONTE_CARLO),
    "told_mcts": AgentKind(maker(ToldTree), "mcts that knows draws at Durak", SEARCH_KINDS["mcts"].parameters),
    "told_minimax": AgentKind(maker(ToldMinimax), "minimax that does", SEARCH_KINDS["minimax"].parameters),
}
