"""Values of positions by heuristics: the native engine's are those that ASP finds, and appendix A's come out."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest

from fcdl.engines.asp.values import Position, Rule, card_values
from fcdl.engines.stepping import SteppingEngine, SteppingState
from fcdl.heuristics import derive
from fcdl.heuristics.evaluation import Evaluation, rules
from fcdl.language.load import load_flowchart
from fcdl.model import Game, RandomChance
from tests.heuristics.positions import QUEEN_OR_NINE, SEVEN_OR_EIGHT, hands, queen_or_nine, seven_or_eight

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.engines.native import NativeEngine, _engine

TWO_PLAYER_GAMES = ["trumps", "kings_and_jacks", "crazy_eights"]


class Valued:
    """A game with its evaluation, compiled, and its rules for ASP."""

    def __init__(self, name: str) -> None:
        self.game = Game.make(load_flowchart(name), name=name)
        self.evaluation = Evaluation(self.game, derive(self.game))
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
        values = card_values(self.game, self.rules, Position(state.variables, held), seat)
        return sum(values.values(), Fraction()) / (max(1, len(values)) if self.evaluation.mean else 1)


@cache
def valued(name: str) -> Valued:
    return Valued(name)


@pytest.mark.parametrize("name", TWO_PLAYER_GAMES)
def test_native_values_of_cards_are_those_of_asp(name: str) -> None:
    """Two random games, some decisions, both seats."""
    it = valued(name)
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


@pytest.mark.parametrize("name", ["trumps", "kings_and_jacks"])
def test_native_values_of_moves_are_those_of_minimax_with_asp(name: str) -> None:
    """Late in a random game: the least value that any answer leaves, with the change of the score."""
    it = valued(name)
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
            expected.append(min(values))
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


def test_example_7_2_seven_and_eight_are_worth_exactly_the_same() -> None:
    it = valued("kings_and_jacks")
    values = it.moves(*(seven_or_eight(it.engine, hand).data for hand in hands(SEVEN_OR_EIGHT)))
    assert (values[:, 0] == values[:, 1]).all()
    assert len({float(row[0]) for row in values}) > 4


def test_fewer_lines_of_play_are_a_sample_of_all() -> None:
    it = valued("trumps")
    state = it.engine.start(RandomChance(6)).data
    exact, sampled = it.moves(state), it.moves(state, lines=1)
    assert (sampled >= exact).all()
    assert (it.moves(state, lines=7) == exact).all()
    assert (it.moves(state, lines=1) == sampled).all()
    assert (sampled != exact).any()


def test_bad_worlds_and_moves_are_refused() -> None:
    it = valued("trumps")
    state = it.engine.start(RandomChance(5)).data
    values = np.zeros((1, 1))
    with pytest.raises(ValueError, match="not legal in one of the worlds"):
        it.compiled.values(state, np.array([99], np.int32).tobytes(), 10, 1, values)
    for states, lines in ((state[1:], 10), (state * 2, 10), (state, 0), (b"\0" * len(state), 10)):
        with pytest.raises(ValueError, match="bad worlds"):
            it.compiled.values(states, np.array([0], np.int32).tobytes(), lines, 1, values)
    with pytest.raises(ValueError, match="no such seat"):
        it.compiled.value(state, 2)
    program, inside, friends = it.engine.program, bytes(len(it.game.flowchart.nodes)), bytes(16)
    with pytest.raises(ValueError, match="bad heuristic"):
        _engine.Evaluation(program, 0, 1, False, 0, inside, friends, ((1.0, 0, 99, -1, -1, ()),))
    with pytest.raises(ValueError, match="bad evaluation"):
        _engine.Evaluation(program, 0, 1, False, 0, b"", friends, ())
