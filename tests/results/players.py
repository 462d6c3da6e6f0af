"""Players for experiments of the Hearts thesis: Monte Carlo that passes at random, and that forgets what it knows."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from fcdl.agents.agent import AgentKind, Thought
from fcdl.agents.search import KINDS as SEARCH_KINDS
from fcdl.agents.search import Common, MonteCarloAgent
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class RandomPassing(MonteCarloAgent):
    """Monte Carlo of the Hearts thesis, whose players all pass random cards (section 6.3)."""

    def think(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Thought:
        """Searches for cards to play only."""
        if legal[0].kind == "pick":
            return Thought(rng.choice(legal), ())
        return super().think(observation, legal, rng)


class RandomDeal(RandomPassing):
    """Deals the cards of the others at random: voids and passed cards are forgotten, numbers of cards are not."""

    def _worlds(
        self, observation: Observation, position: bytes | None, seed: int
    ) -> tuple[Sequence[bytes], npt.NDArray[np.float64]]:
        import numpy as np

        (world,) = self.beliefs.sample(observation, 1, seed).positions
        dice = random.Random(seed)
        deals = [self.dealt_anew(world, observation.seat, dice) for _ in range(self.worlds)]
        return deals, np.full(len(deals), 1 / len(deals))

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


def _cards(mask: bytes) -> list[int]:
    bits = int.from_bytes(mask, "little")
    return [card for card in range(bits.bit_length()) if bits >> card & 1]


def _maker(kind: type[RandomPassing]) -> Callable[..., RandomPassing]:
    """How a player is made with the parameters of `montecarlo`."""

    def make(game: Game, **parameters: Any) -> RandomPassing:
        common = Common(**{field.name: parameters.pop(field.name) for field in fields(Common)})
        return kind(game, common, **parameters)

    return make


_MONTE_CARLO = SEARCH_KINDS["montecarlo"].parameters


KINDS: Mapping[str, AgentKind] = {
    "random_passing": AgentKind(_maker(RandomPassing), "Monte Carlo that passes random cards", _MONTE_CARLO),
    "random_deal": AgentKind(_maker(RandomDeal), "the same in random deals", _MONTE_CARLO),
}
