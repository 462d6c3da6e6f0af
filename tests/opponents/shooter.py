"""An opponent that tries to shoot the moon in Hearts whenever its hand allows, for tests of other players.

At every decision it plays each of its moves out in worlds that fit what it has seen: itself by a policy that wants all
tricks, the others by one that avoids points, as most players do. Is the moon shot often enough after one of the moves,
it makes that move; else it plays like `hearts.rules`, which then never shoots. `shoot=no` is that player alone, so that
the two differ in nothing but the moon.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from fcdl.agents.agent import AgentKind, Parameter, flag, real, whole
from fcdl.agents.hearts import HeartsRules, points
from fcdl.beliefs.sampler import Beliefs
from fcdl.engines.native.engine import NativeEngine
from fcdl.engines.native.policies import Policy
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move

NEVER = 26
"""The threshold of `hearts.rules` above which it shoots: it never does."""

LEADS = "empty(middle(leader))"
FOLLOWS = "suit(card) == leadSuit"
TAKES = "rankValue(card) > rankValue(middle(winner))"
HIGHER_OUT = (
    "count(c in cards where suit(c) == suit(card) & rankValue(c) > rankValue(card) & !(c in hand(me))"
    " & every(p in players where !(c in won(p)) & !(c in middle(p))))"
)
"""How many cards that nobody has played yet would beat this one."""

WANTS_ALL = Policy(
    "wants all",
    play=f"if({LEADS}, 20 - 100 * {HIGHER_OUT} + rankValue(card),"
    f" if({FOLLOWS} & {TAKES}, 100 + rankValue(card) * if(next(me) == leader, -1, 1),"
    f" 0 - rankValue(card) - if(!({FOLLOWS}) & points(card) > 0, 1000, 0)))",
    pick="if(suit(card) == hearts, 6, 0) - rankValue(card)",
)
"""Leads what is highest, takes what it can, keeps points and high cards; passes low cards, low hearts first."""

AVOIDS = Policy(
    "avoids points",
    play=f"if({LEADS}, 0 - rankValue(card),"
    f" if({FOLLOWS}, if({TAKES}, 0 - rankValue(card), rankValue(card)), 5 * points(card) + rankValue(card)))",
    pick="rankValue(card) + points(card)",
    epsilon=0.1,
)
"""Stays below if it can, gets rid of points when it cannot follow; passes high cards."""


class Shooter:
    """`hearts.rules`, and shoots the moon if one of its moves leads there often enough."""

    def __init__(self, game: Game, shoot: bool, chance: float, worlds: int) -> None:
        self.rules = HeartsRules(game, NEVER)
        self.shoot = shoot
        self.chance = chance
        self.worlds = worlds
        self.engine = NativeEngine(game, policies=(WANTS_ALL, AVOIDS))
        self.beliefs = Beliefs(self.engine)
        self.tries = 0
        """Cards it played to shoot the moon, in all games."""

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        """The move after which the moon is shot most often, if that is often enough; else by the rules."""
        seed = rng.getrandbits(63)
        usual = self.rules.choose(observation, legal, rng)
        if not self.shoot or len(legal) == 1:
            return usual
        table = self.rules.table
        table.read(observation)
        others = [seat for seat in range(4) if seat != observation.seat]
        if any(points(card) for seat in others for card in table.known(f"won({seat})")):
            return usual
        found = self.chances(observation, legal, seed)
        move = max(found, key=found.__getitem__)
        picking = move.kind == "pick"
        # Three more cards will come, and what is kept for the moon can still be played as usual.
        if found[move] < (self.chance / 2 if picking else self.chance):
            return usual
        self.tries += not picking
        return move

    def chances(self, observation: Observation, legal: Sequence[Move], seed: int) -> dict[Move, float]:
        """How often the moon is shot after each move, in playouts."""
        me = observation.seat
        worlds = self.beliefs.sample(observation, self.worlds, seed, legal)
        names: list[str | None] = [WANTS_ALL.name if seat == me else AVOIDS.name for seat in range(4)]
        shot = dict.fromkeys(legal, 0.0)
        for number, (position, weight) in enumerate(zip(worlds.positions, worlds.weights, strict=True)):
            state = self.engine.state(position)
            before = self._before(state.scores, position)
            for move in legal:
                chosen = self.engine.move_id(state, move)
                assert chosen is not None
                game = self.engine.position(state, seed + number)
                game.apply_id(chosen)
                played = self.engine.playouts(game.dump(), 1, seed + number, policies=names, one_hand=True)
                scores = played.scores[0]
                shot[move] += weight * all(scores[seat] - before[seat] == 26 for seat in range(4) if seat != me)
        return shot

    def _before(self, scores: tuple[int, ...], position: bytes) -> tuple[int, ...]:
        """The scores when the round began."""
        zones = self.engine.zones(position)
        return tuple(score - sum(map(points, zones[f"won({seat})"])) for seat, score in enumerate(scores))


KINDS: Mapping[str, AgentKind] = {
    "hearts.shooter": AgentKind(
        Shooter,
        "shoots the moon in Hearts whenever its hand allows",
        {
            "shoot": Parameter(flag, True, "no: never, but plays the same otherwise"),
            "chance": Parameter(real(0, 1), 0.35, "how likely the moon has to be for it to try"),
            "worlds": Parameter(whole(1, 10_000), 100, "guesses at the hidden cards"),
        },
    )
}
