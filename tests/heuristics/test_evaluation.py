"""Values of positions by heuristics: the native engine's are those that ASP finds, and appendix A's come out."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from fcdl.engines.asp.values import Position, Rule, card_values
from fcdl.engines.stepping import SteppingEngine, SteppingState
from fcdl.heuristics import derive
from fcdl.heuristics.evaluation import PRINTED, Evaluation, Style, rules
from fcdl.language.load import load_flowchart
from fcdl.model import Game, RandomChance
from tests.heuristics.positions import QUEEN_OR_NINE, SEVEN_OR_EIGHT, hands, queen_or_nine, seven_or_eight

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.engines.native import NativeEngine, _engine
from fcdl.engines.native.engine import State

STRONGEST = Style()
STYLES = [STRONGEST, PRINTED]
TWO_PLAYER_GAMES = ["trumps", "kings_and_jacks", "crazy_eights"]


class Valued:
    """A game with its evaluation, compiled, and its rules for ASP."""

    def __init__(self, name: str, style: Style) -> None:
        self.game = Game.make(load_flowchart(name), name=name)
        self.evaluation = Evaluation(self.game, derive(self.game), style=style)
        self.engine = NativeEngine(self.game, functions=self.evaluation.functions, pauses=self.evaluation.pauses)
        self.compiled: _engine.Evaluation = self.evaluation.compiled(self.engine.program, self.engine.function_numbers)

    def of_cards(self, data: bytes, seat: int) -> float:
        """The native value of the seat's cards."""
        return float(np.frombuffer(self.compiled.value(data, seat), np.float64)[1:].sum())

    def moves(self, *states: bytes, lines: int = 100) -> npt.NDArray[np.float64]:
        """The native values of all moves, a row for each world."""
        legal = np.array(self.engine.program.legal(states[0]), np.int32)
        values = np.zeros((len(states), len(legal)))
        self.compiled.values(b"".join(states), legal.tobytes(), lines, 1, values)
        return values

    @property
    def rules(self) -> list[Rule]:
        return rules(self.evaluation)

    def by_asp(self, state: SteppingState, seat: int) -> Fraction:
        """The value of the seat's cards, found by ASP."""
        held = [state.zones["hand", player] for player in range(2)]
        shares = self.evaluation.style.normalise == "shares"
        values = card_values(self.game, self.rules, Position(state.variables, held), seat, shares=shares)
        return sum(values.values(), Fraction()) / (max(1, len(values)) if self.evaluation.mean else 1)


@cache
def valued(name: str, style: Style = STRONGEST) -> Valued:
    return Valued(name, style)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", TWO_PLAYER_GAMES)
def test_native_values_of_cards_are_those_of_asp(name: str, style: Style) -> None:
    """Two random games, some decisions, both seats."""
    it = valued(name, style)
    stepping = SteppingEngine(it.game)
    compared = different_from_0 = 0
    for seed in range(2):
        rng = random.Random(seed)
        a, b = it.engine.start(RandomChance(seed)), stepping.start(RandomChance(seed))
        chances = RandomChance(f"{seed} on"), RandomChance(f"{seed} on")
        for number in range(14):
            if it.engine.mover(a) is None:
                break
            if number in (1, 4, 7, 10):
                for seat in range(2):
                    expected = it.by_asp(b, seat)
                    assert it.of_cards(a.data, seat) == pytest.approx(float(expected), abs=1e-9)
                    compared += 1
                    different_from_0 += expected != 0
            move = rng.choice(it.engine.legal(a))
            a, b = it.engine.apply(a, move, chances[0]), stepping.apply(b, move, chances[1])
    assert compared >= 16
    assert different_from_0 >= 8


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", ["trumps", "kings_and_jacks"])
def test_native_values_of_moves_are_those_of_minimax_with_asp(name: str, style: Style) -> None:
    """Late in a random game: the least or the mean value that the answers leave, with the change of the score."""
    it = valued(name, style)
    stepping = SteppingEngine(it.game)
    for seed, after in ((1, 8), (2, 9), (3, 10), (4, 11)):
        rng, chance = random.Random(seed), RandomChance(seed)
        a, b = it.engine.start(RandomChance(seed)), stepping.start(chance)
        for _ in range(after):
            move = rng.choice(it.engine.legal(a))
            a, b = it.engine.apply(a, move, chance), stepping.apply(b, move, chance)
        me = it.engine.mover(a)
        assert me is not None
        expected = []
        for move in stepping.legal(b):
            mine = stepping.apply(b, move, chance)
            leads = after % 2 == 0
            answers = [stepping.apply(mine, answer, chance) for answer in stepping.legal(mine)] if leads else [mine]
            values = []
            for end in answers:
                scores = [end.variables["score", seat] - b.variables["score", seat] for seat in range(2)]
                values.append(scores[me] - scores[1 - me] + float(it.by_asp(end, me)))
            expected.append(min(values) if style.replies == "min" else sum(values) / len(values))
        assert it.moves(a.data)[0] == pytest.approx(np.array(expected), abs=1e-9)


def test_example_7_1_the_queen_before_the_nine() -> None:
    """The greedy player sees no difference; the heuristics do, because of the jack of hearts."""
    it = valued("kings_and_jacks")
    states = [queen_or_nine(it.engine, hand).data for hand in hands(QUEEN_OR_NINE)]
    nine, queen = it.moves(*states).mean(axis=0)
    assert queen > nine
    jack = next(index for index, hand in enumerate(hands(QUEEN_OR_NINE)) if "JH" in hand)
    differing = [index for index, row in enumerate(it.moves(*states)) if row[0] != row[1]]
    assert differing == [jack]
    greedy = Evaluation(it.game, derive(it.game), goals_only=True)
    engine = NativeEngine(it.game, functions=greedy.functions, pauses=greedy.pauses)
    values = np.ones((1, 2))
    legal = np.array(engine.program.legal(states[0]), np.int32)
    greedy.compiled(engine.program, engine.function_numbers).values(states[jack], legal.tobytes(), 100, 1, values)
    assert values.tolist() == [[0, 0]]


def test_appendix_a_was_not_computed_by_the_printed_formula() -> None:
    """What the queen is better than the nine has a 17 in its denominator, which no number of instances can bring.

    With shares it comes from 1 + 1 + 1/9 + 1/4 = 85/36: the jack is met leading and following, the king when two hearts
    of the other's are gone or a diamond of mine is.
    """
    printed = Fraction(0.44247107565357924 + 0.08040474133988484).limit_denominator(10_000)
    assert printed == Fraction(80, 153)
    assert Fraction(0.44247107565357924).limit_denominator(10**8) == Fraction(3603907, 3**4 * 5 * 7 * 13**2 * 17)
    jack = next(hand for hand in hands(QUEEN_OR_NINE) if "JH" in hand)
    found = {}
    for style in STYLES:
        it = valued("kings_and_jacks", style)
        nine, queen = it.moves(queen_or_nine(it.engine, jack).data)[0]
        found[style] = Fraction(float(queen - nine)).limit_denominator(10_000)
    assert found == {STRONGEST: Fraction(40) / Fraction(85, 36), PRINTED: Fraction(25, 6)}


def test_two_cycles_deep_a_move_is_worth_what_the_best_next_moves_bring() -> None:
    """With one card each after this trick, the second cycle is the rest of the game, whose end is known."""
    style = replace(STRONGEST, replies="min")
    near, far = valued("trumps", style), valued("trumps", replace(style, depth=2))
    chance, rng = RandomChance(3), random.Random(3)
    state = near.engine.start(chance)
    for _ in range(10):
        state = near.engine.apply(state, rng.choice(near.engine.legal(state)), chance)
    me = near.engine.mover(state)
    assert me is not None

    def outcome(state: State, left: int) -> int:
        """The score that I gain on the other when all play for it."""
        if (end := near.engine.outcome(state)) is not None:
            return end.scores[me] - end.scores[1 - me]
        values = [outcome(near.engine.apply(state, move, chance), left - 1) for move in near.engine.legal(state)]
        return max(values) if near.engine.mover(state) == me else min(values)

    now = near.engine.call(state, near.evaluation.goal, me)
    expected = [outcome(near.engine.apply(state, move, chance), 3) - now for move in near.engine.legal(state)]
    assert far.moves(state.data)[0].tolist() == expected
    assert near.moves(state.data)[0].tolist() != expected


def test_example_7_2_seven_and_eight_are_worth_exactly_the_same() -> None:
    it = valued("kings_and_jacks")
    values = it.moves(*(seven_or_eight(it.engine, hand).data for hand in hands(SEVEN_OR_EIGHT)))
    assert (values[:, 0] == values[:, 1]).all()
    assert len({float(row[0]) for row in values}) > 4


def test_fewer_lines_of_play_are_a_sample_of_all() -> None:
    it = valued("trumps", PRINTED)
    state = it.engine.start(RandomChance(6)).data
    exact, sampled = it.moves(state), it.moves(state, lines=1)
    assert (sampled >= exact).all()
    assert (it.moves(state, lines=7) == exact).all()
    assert (it.moves(state, lines=1) == sampled).all()
    assert (sampled != exact).any()


def test_bad_worlds_and_moves_are_refused() -> None:
    it = valued("trumps", PRINTED)
    state = it.engine.start(RandomChance(5)).data
    values = np.zeros((1, 1))
    with pytest.raises(ValueError, match="not legal in one of the worlds"):
        it.compiled.values(state, np.array([99], np.int32).tobytes(), 10, 1, values)
    for states, lines in ((state[1:], 10), (state * 2, 10), (state, 0), (b"\0" * len(state), 10)):
        with pytest.raises(ValueError, match="bad worlds"):
            it.compiled.values(states, np.array([0], np.int32).tobytes(), lines, 1, values)
    with pytest.raises(ValueError, match="no such seat"):
        it.compiled.value(state, 2)
    asked: dict[str, Any] = {"program": it.engine.program, "goal": 0, "ahead": 1, "hand": 0, "friends": bytes(16)}
    asked |= {"mean": False, "shares": False, "average": False, "depth": 1}
    inside = bytes(len(it.game.flowchart.nodes))
    with pytest.raises(ValueError, match="bad heuristic"):
        _engine.Evaluation(**asked, inside=inside, heuristics=((1.0, 0, 99, -1, -1, ()),))
    with pytest.raises(ValueError, match="bad evaluation"):
        _engine.Evaluation(**asked, inside=b"", heuristics=())
