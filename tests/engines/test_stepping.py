"""Node by node: what the stepping engine can do beyond the contract that the lockstep tests check."""

from __future__ import annotations

from itertools import pairwise

import pytest

from fcdl.engines.stepping import SteppingEngine, SteppingState
from fcdl.language.load import load_flowchart, load_text
from fcdl.model import LOOP_LIMIT, Game, IllegalMoveError, Move, RandomChance, Reason
from fcdl.model.events import observation

CALLS = """
chart main
    start
    x = 1
    do inner
    x = x + 10
    end

chart inner
    start
    do innermost
    end

chart innermost
    start
    x = x * 2
    end
"""

ENDLESS = """
chart main
    start
    x = 0
again:
    x = 1 - x
    x < 2?  yes -> again
    end
"""

FAULTY = """
chart main
    start
    p = player(7)
    score(p) = 1
    end
"""


def engine_of(source: str) -> SteppingEngine:
    checked = load_text(source)
    assert checked.flowchart is not None, checked.findings
    return SteppingEngine(Game.make(checked.flowchart, name="small"))


def walk(engine: SteppingEngine) -> list[SteppingState]:
    """All positions from the beginning to the first decision or the end."""
    chance = RandomChance(1)
    states = [engine.begin()]
    while not states[-1].waiting and states[-1].result is None:
        states.append(engine.step(states[-1], chance))
    return states


def test_a_step_passes_one_node_and_leaves_the_position_before_alone() -> None:
    engine = engine_of(CALLS)
    states = walk(engine)
    assert [state.variables["x", None] for state in states] == [0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 12, 12]
    assert [len(state.calls) for state in states] == [0, 0, 0, 1, 1, 2, 2, 2, 1, 0, 0, 0]
    assert [state.steps for state in states] == [*range(1, 12), 11]
    charts = [engine.chart.nodes[state.node].chart for state in states]
    assert charts == ["main"] * 3 + ["inner"] * 2 + ["innermost"] * 3 + ["inner"] + ["main"] * 3


def test_the_game_waits_at_a_decision_until_a_move_is_made() -> None:
    engine = SteppingEngine(Game.make(load_flowchart("trumps"), name="trumps"))
    waiting = walk(engine)[-1]
    assert waiting.waiting
    assert engine.mover(waiting) is not None
    with pytest.raises(IllegalMoveError, match=r"'pass': player 0 must play a card \(node 7: playCard.*; legal: "):
        engine.decide(waiting, Move("pass"))
    after = engine.decide(waiting, engine.legal(waiting)[0])
    assert after.node == waiting.node + 1
    assert engine.mover(after) is None
    assert engine.legal(after) == ()
    assert len(waiting.zones["middle", engine.mover(waiting)]) == 0


def test_the_events_of_a_step_come_after_those_of_before() -> None:
    engine = SteppingEngine(Game.make(load_flowchart("trumps"), name="trumps"))
    numbers = []
    for state, after in pairwise(walk(engine)):
        new = list(after.newest_events(state.trail))
        assert engine.events(after) == (*engine.events(state), *reversed(new))
        numbers.append(len(new))
    assert numbers == [0, 1, 2, 1, 1, 1, 1]  # start, Shuffle, Deal to two hands, two assignments, publish, a diamond


def test_observations_are_the_same_in_whatever_order_positions_are_asked_for() -> None:
    engine = SteppingEngine(Game.make(load_flowchart("trumps"), name="trumps"))
    chance, states = RandomChance(1), walk(engine)
    for _ in range(4):
        states.append(engine.apply(states[-1], engine.legal(states[-1])[0], chance))
    states.append(engine.apply(states[-3], engine.legal(states[-3])[-1], chance))  # another branch of the game
    for state in [states[3], states[8], states[0], states[-1], states[-2], states[5], *states]:
        for seat in (0, 1):
            assert engine.observe(state, seat) == observation(engine.events(state), seat)


def test_an_endless_loop_ends_with_the_step_limit() -> None:
    last = walk(engine_of(ENDLESS))[-1]
    assert last.result is not None
    assert last.result.reason is Reason.STEP_LIMIT
    assert last.steps == LOOP_LIMIT + 1


def test_a_fault_stays_at_its_node() -> None:
    last = walk(engine_of(FAULTY))[-1]
    assert last.result is not None
    assert (last.result.reason, last.result.node, last.node) == (Reason.FAULT, 2, 2)
