"""What `sight.py` says a seat sees has one value in all worlds that the seat cannot tell apart, at every position."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fcdl.engines.stepping import SteppingEngine, SteppingState
from fcdl.engines.stepping.values import SteppingFacts
from fcdl.language.flowchart import Expr, Flowchart
from fcdl.language.load import load_text
from fcdl.language.sight import hidden_part, seat_named
from fcdl.model import ChanceError, Game, IllegalMoveError, Move, RandomChance, RecordingChance, ScriptedChance
from fcdl.model.reasons import Value
from tests.engines.charts import charts
from tests.engines.test_made_up_charts import SLOW_TO_MAKE, made_up_game
from tests.ui.tables import SHORT, session

Outcomes = list[int | list[int]]
Played = tuple[SteppingState, Outcomes, list[Move]]


def random_game(
    engine: SteppingEngine, source: random.Random, moves: int
) -> tuple[SteppingState, Outcomes, list[Move]]:
    """A position after so many random moves, and how it came about."""
    chance = RecordingChance(RandomChance(source.randrange(1000)))
    state, made = engine.start(chance), list[Move]()
    while len(made) < moves and engine.mover(state) is not None:
        made.append(source.choice(engine.legal(state)))
        state = engine.apply(state, made[-1], chance)
    return state, chance.outcomes, made


def other_worlds(engine: SteppingEngine, played: Played, seat: int, source: random.Random) -> Iterator[SteppingState]:
    """Positions that look the same to a seat: unseen cards swapped, unseen draws and decisions made anew."""
    state, outcomes, moves = played
    seen = engine.observe(state, seat)
    for _ in range(12):
        a, b = source.sample(engine.game.cards, 2)
        first = source.randrange(len(outcomes) + 1)
        changed = outcomes[:first] + [_changed(answer, {a: b, b: a}, source) for answer in outcomes[first:]]
        try:
            other = _again(engine, changed, moves, seat, source)
        except (IllegalMoveError, ChanceError, IndexError):
            continue
        if engine.observe(other, seat) == seen:
            yield other


def _changed(answer: int | list[int], swap: dict[int, int], source: random.Random) -> int | list[int]:
    if isinstance(answer, int):
        return max(0, answer + source.choice((0, 0, -1, 1)))
    return [swap.get(card, card) for card in answer]


def _again(
    engine: SteppingEngine, outcomes: Outcomes, moves: list[Move], seat: int, source: random.Random
) -> SteppingState:
    script = ScriptedChance(outcomes)
    state = engine.start(script)
    for move in moves:
        after = None
        if engine.mover(state) != seat:
            guess = source.choice(engine.legal(state))
            tried = engine.apply(state, guess, ScriptedChance(outcomes[script.used :]))
            made = next(event for event in engine.latest(tried) if event.kind == guess.kind)
            if seat not in made.seers:  # nobody told the seat which it was
                after = engine.apply(state, guess, script)
        state = after or engine.apply(state, move, script)
    return state


def closed_parts(chart: Flowchart) -> list[Expr]:
    """All expressions of a chart, and their parts, that mean something on their own."""
    found = dict.fromkeys(part for node in chart.nodes.values() for whole in node.exprs() for part in whole.walk())
    return [part for part in found if not any(inner.op in ("random", "local", "when") for inner in part.walk())]


def value(engine: SteppingEngine, state: SteppingState, expr: Expr) -> Value | None:
    try:
        return SteppingFacts(engine.values, state).value(expr)
    except KeyError:  # a variable that has no value yet
        return None


def differing(game: Game, seed: int, moves: int, *, mine: bool) -> tuple[set[Expr], int]:
    """Expressions that a seat sees (or does not) and that differ between its worlds, and how many worlds there were."""
    source, engine, worlds = random.Random(seed), SteppingEngine(game), 0
    parts, found = closed_parts(game.flowchart), set[Expr]()
    played = random_game(engine, source, moves)
    for seat in range(game.players):
        asked = [part for part in parts if (hidden_part(game.flowchart, part, seat_named(seat)) is None) is mine]
        for other in other_worlds(engine, played, seat, source):
            worlds += 1
            found.update(part for part in asked if value(engine, played[0], part) != value(engine, other, part))
    return found, worlds


@pytest.mark.parametrize("name", SHORT)
def test_what_is_seen_is_the_same_in_all_worlds(name: str) -> None:
    game = session(name).game
    hidden, worlds = set[Expr](), 0
    for moves in (0, 2, 7):
        seen, number = differing(game, moves, moves, mine=True)
        assert not seen
        worlds += number
        hidden |= differing(game, moves, moves, mine=False)[0]
    assert worlds > 5
    assert hidden  # so that somebody who sees everything would be found out


def one_of_each_card(text: str) -> str:
    """Copies look alike, but expressions tell them apart (docs/language-design.md says what that means)."""
    return re.sub(r"copies \d", "copies 1", text)


@settings(max_examples=40, suppress_health_check=SLOW_TO_MAKE)
@given(charts(), st.integers(0, 9), st.integers(0, 6))
def test_what_is_seen_in_made_up_charts_is_the_same_in_all_worlds(text: str, seed: int, moves: int) -> None:
    seen, _ = differing(made_up_game(one_of_each_card(text)), seed, moves, mine=True)
    assert not seen


@pytest.mark.slow
@settings(max_examples=1500, suppress_health_check=SLOW_TO_MAKE)
@given(charts(), st.integers(0, 9), st.integers(0, 6))
def test_what_is_seen_in_many_made_up_charts_is_the_same_in_all_worlds(text: str, seed: int, moves: int) -> None:
    seen, _ = differing(made_up_game(one_of_each_card(text)), seed, moves, mine=True)
    assert not seen


ORDER = """game "Order"
players 2
deck ranks 2 3 4 5 suits clubs hearts
zone pile: face up
chart main
    start
    Shuffle
    Deal(1)
    move(4, pack, pile)
    c = 2C
    shuffle(pile)
    playCard(player(0), cards)
    c = top(pile)
    end
"""


def test_order_of_a_face_up_zone_is_not_seen_after_a_shuffle() -> None:
    flowchart = load_text(ORDER).flowchart
    assert flowchart is not None
    game = Game.make(flowchart, name="order")
    hidden = set[Expr]()
    for seed in range(10):
        hidden |= differing(game, seed, 0, mine=False)[0]
        assert not differing(game, seed, 0, mine=True)[0]
    assert "top" in {part.op for part in hidden}
