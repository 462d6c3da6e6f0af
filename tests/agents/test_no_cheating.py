"""No player of any kind sees hidden cards: what looks the same to its seat is answered the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from fcdl.agents.agent import kinds, make_agent
from fcdl.engines.native import NativeEngine
from fcdl.engines.native.engine import State
from fcdl.language.load import builtin_names, load_flowchart
from fcdl.model import Game, IllegalMoveError, Move, RandomChance, RecordingChance, ScriptedChance
from tests.games.some import SHORT

QUICK = {
    "montecarlo": "playouts=5",
    "mcts": "limit=10,samples=3",
    "minimax": "depth=1,samples=3",
    "pimc": "worlds=2,nodes=200",
    "ismcts": "iterations=60,worlds=5",
    "greedy": "worlds=3,lines=10",
    "hyperheur": "worlds=3,lines=10",
    "measured": "decisions=60",
    "skat.bidder": "play=ismcts:iterations=60+worlds=5,skats=5",
}
"""Parameters that make players quick."""
GENERAL = ("trumps", "durak", "hearts", "skat")
"""Games for players of any game."""
WITH_SETS = {"measured": ("president", "scopa")}
"""Players that weigh sets of cards, and games where these are played or taken."""


TIMED = ("best",)
"""Players whose choices depend on the clock; they are others of these kinds with a time limit."""


def pairings() -> list[tuple[str, str]]:
    """Every kind of player with the games it is asked to play here."""
    return [
        (kind, game)
        for kind in kinds()
        if kind not in TIMED
        for game in (
            (kind.split(".")[0],) if kind.split(".")[0] in builtin_names() else (*GENERAL, *WITH_SETS.get(kind, ()))
        )
    ]


@cache
def engine(name: str) -> NativeEngine:
    return NativeEngine(Game.make(load_flowchart(name), name=name, options=SHORT.get(name)))


def play(table: NativeEngine, outcomes: list[int | list[int]], moves: list[Move]) -> State | None:
    """The position after these moves, or None if they cannot be made."""
    chance = ScriptedChance(outcomes)
    try:
        state = table.start(chance)
        for move in moves:
            state = table.apply(state, move, chance)
    except IllegalMoveError:
        return None
    return state


def twins(table: NativeEngine, seed: int, wanted: int) -> Iterator[tuple[State, State]]:
    """Positions that look the same to who is to move, although two hidden cards are swapped."""
    rng = random.Random(seed)
    while wanted:
        chance = RecordingChance(RandomChance(rng.getrandbits(32)))
        state, moves = table.start(chance), list[Move]()
        length = rng.randrange(12)
        while table.mover(state) is not None and (len(moves) < length or len(table.legal(state)) < 2):
            moves.append(rng.choice(table.legal(state)))
            state = table.apply(state, moves[-1], chance)
        if (seat := table.mover(state)) is None:
            continue
        view = table.observe(state, seat)
        for _ in range(40):
            outcomes = [list(outcome) if isinstance(outcome, list) else outcome for outcome in chance.outcomes]
            order = next(outcome for outcome in outcomes if isinstance(outcome, list))
            one, other = rng.sample(range(len(order)), 2)
            order[one], order[other] = order[other], order[one]
            twin = play(table, outcomes, moves)
            if twin is not None and twin.data != state.data and table.observe(twin, seat) == view:
                yield state, twin
                wanted -= 1
                break


BY_POLICY = (
    *(("infer=greedy", game) for game in GENERAL),
    ("policy=durak.greedy", "durak"),
    ("policy=greedy", "trumps"),
    ("prior=heuristics", "hearts"),
)
"""Searches by policies, some that conclude from what the others did, and games for them."""


@pytest.mark.parametrize(
    ("text", "name"),
    [(f"{kind}:{QUICK[kind]}" if kind in QUICK else kind, name) for kind, name in pairings()]
    + [(f"ismcts:iterations=20,worlds=5,{policy}", name) for policy, name in BY_POLICY],
)
def test_what_looks_the_same_is_answered_the_same(text: str, name: str) -> None:
    table = engine(name)
    for number, (state, twin) in enumerate(twins(table, 5, 4)):
        answers = []
        for position in (state, twin):
            agent = make_agent(text, table.game)
            seen = table.observe(position, position.mover)
            answers.append(agent.choose(seen, table.legal(position), random.Random(number)))
        assert answers[0] == answers[1]
        assert answers[0] in table.legal(state)
