"""How fast worlds are drawn, and the case in which the Hearts thesis compares ways to draw them."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from fcdl.language.load import load_flowchart
from fcdl.model import Game, RandomChance, ScriptedChance

if TYPE_CHECKING:
    from fcdl.engines.native.engine import NativeEngine
    from fcdl.model import Observation

COUNT = 200
MAX_MOVES = 400
CASE_ORDER = """
    TC 6C KS 7H 6S 7D 5D 9D 5C 2H AC 2C 3C 5H 2D 4D KC 3D 4C 3S 7C AD 2S 6D 5S 7S
    9C QD QS JH JD 8H 8S AS 9S TS 4S 8D JS 8C JC QC KH 3H 4H 6H TH QH 9H AH TD KD
"""
CASE_PLAYED = "2C 7C 9C QC KD 9D 4D QD TD 5D 2D 8D JC 3C 4C 8H TH 2H 5H JH TS 9H KS 7S 7D 3D JD 3H 9S AH"


def thesis_case() -> tuple[NativeEngine, Observation]:
    """The case of the Hearts thesis (Teunisse 2018, 5.2.3), as seat 0 sees it.

    16 cards are left to deal: 6 to west, 5 to north, who has no clubs, 5 to east, who has only clubs and hearts; two
    of the cards are clubs and four are hearts. 2,352 of 2,018,016 deals are possible.
    """
    from fcdl.engines.native.engine import NativeEngine

    options: dict[str, str | int] = {"passing": "no", "target": 0}
    engine = NativeEngine(Game.make(load_flowchart("hearts"), name="hearts", players=4, options=options))
    deck = engine.game.flowchart.deck
    state = engine.start(ScriptedChance([[deck.cards_with_code(code)[0] for code in CASE_ORDER.split()]]))
    for code in CASE_PLAYED.split():
        state = engine.apply(state, engine.game.read_move(f"play {code}"), ScriptedChance([]))
    return engine, engine.observe(state, 0)


class WorldsRate:
    """Worlds a second, at a decision in the middle of a random game."""

    def __init__(self, engine: NativeEngine) -> None:
        from fcdl.beliefs.sampler import Beliefs

        chance, rng = RandomChance("bench"), random.Random(1)
        states = [engine.start(chance)]
        while engine.mover(states[-1]) is not None and len(states) < MAX_MOVES:
            states.append(engine.apply(states[-1], rng.choice(engine.legal(states[-1])), chance))
        state = states[len(states) // 2]
        self.beliefs = Beliefs(engine)
        self.observation = engine.observe(state, engine.mover(state) or 0)
        self.seed = 0
        self.beliefs.sample(self.observation, 1, 0)

    def __call__(self) -> float:
        """Measures once."""
        self.seed += 1
        start = time.thread_time()
        found = self.beliefs.sample(self.observation, COUNT, self.seed)
        return len(found.positions) / (time.thread_time() - start)


class CaseRate:
    """Worlds a second in the thesis's case: by counting, or (the thesis's ideal) by dealing until a deal fits."""

    def __init__(self, *, rejecting: bool) -> None:
        from fcdl.beliefs.sampler import Beliefs

        engine, self.observation = thesis_case()
        self.beliefs = Beliefs(engine)
        self.beliefs.sample(self.observation, 1, 0)
        if rejecting:
            (path,) = self.beliefs.paths[0]
            for deal in path.deals:
                anywhere = sum(1 << pool for pool in deal.pools)
                deal.allowed = dict.fromkeys(deal.allowed, anywhere)
            path.packed = None
        self.count = 20 if rejecting else 2000
        self.seed = 0

    def __call__(self) -> float:
        """Measures once."""
        self.seed += 1
        start = time.thread_time()
        found = self.beliefs.dealer.draw(self.beliefs.paths[0], self.count, self.seed, 0)
        return len(found.positions) / (time.thread_time() - start)
