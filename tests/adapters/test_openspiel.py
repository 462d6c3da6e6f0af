"""OpenSpiel's own tests and algorithms on our charts; Kuhn and Leduc Poker are its own games to the last digit."""

import itertools
import random
from pathlib import Path
from typing import Any

import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, exploitability, mcts
from open_spiel.python.algorithms.get_all_states import get_all_states
from open_spiel.python.observation import make_observation

import fcdl.adapters.openspiel  # registers the game
from fcdl.adapters.tree import Tree
from fcdl.engines.stepping import SteppingEngine
from fcdl.model.chance import ScriptedChance

DRAWING = """
game "Drawing"
players 2
deck ranks jack queen king suits spades hearts

each player has guess = 0

chart main
    start
    Shuffle
    Deal(1)
    n = random(3)
    choose(player(0), guess(player(0)), {0 to 1})
    guess(player(0)) == n?                                  yes -> again
    move(1, pack, hand(player(0)))
    m = random(2) + n
    choose(player(1), guess(player(1)), {0 to 1})
    guess(player(1)) == m?                                  no -> count
    move(n, pack, hand(player(1)))                          -> count
again:
    shuffle(pack)
    move(1, pack, hand(player(1)))
count:
    score(player(0)) = sum(rankValue(c) for c in hand(player(0)))
    score(player(1)) = sum(rankValue(c) for c in hand(player(1)))
    end
"""
LOOKING = DRAWING.replace("n = random(3)", "n = if(suit(bottom(pack)) == spades, 1, 0)")


def ours(chart: str) -> Any:
    return pyspiel.load_game(NAME, {"chart": chart})


NAME = fcdl.adapters.openspiel.NAME


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "trumps", "durak"])
def test_api_test_of_open_spiel_passes(name: str) -> None:
    pyspiel.random_sim_test(ours(name), num_sims=2, serialize=False, verbose=False)


def test_kuhn_poker_is_open_spiels_game() -> None:
    mine, theirs = get_all_states(ours("kuhn_poker")), get_all_states(pyspiel.load_game("kuhn_poker"))
    assert len(mine) == len(theirs)
    for player in (0, 1):
        texts = {state.information_state_string(player) for state in mine.values() if state.current_player() == player}
        assert len(texts) == 6


def cfr_exploitability(game: Any, iterations: list[int]) -> list[float]:
    """How exploitable OpenSpiel's CFR is after so many iterations."""
    solver, found = cfr.CFRSolver(game), []
    for number in range(1, max(iterations) + 1):
        solver.evaluate_and_update_policy()
        if number in iterations:
            found.append(float(exploitability.exploitability(game, solver.average_policy())))
    return found


def test_cfr_on_kuhn_poker_is_as_exploitable_as_on_open_spiels() -> None:
    uniform = exploitability.exploitability(ours("kuhn_poker"), policy.UniformRandomPolicy(ours("kuhn_poker")))
    assert uniform == pytest.approx(11 / 24)
    found = cfr_exploitability(ours("kuhn_poker"), [1, 10, 50])
    assert found == pytest.approx(cfr_exploitability(pyspiel.load_game("kuhn_poker"), [1, 10, 50]), abs=1e-12)
    assert found[2] < 0.03 < found[0]


@pytest.mark.slow
def test_cfr_on_leduc_poker_is_as_exploitable_as_on_open_spiels() -> None:
    found = cfr_exploitability(ours("leduc_poker"), [1, 4])
    assert found == pytest.approx(cfr_exploitability(pyspiel.load_game("leduc_poker"), [1, 4]), abs=1e-12)


def test_leduc_poker_pays_as_open_spiels_does() -> None:
    """The same cards and the same actions (fold, call, raise) are legal at the same time and pay the same."""
    game, theirs, rng = ours("leduc_poker"), pyspiel.load_game("leduc_poker"), random.Random(1)
    actions = {
        str(move).removeprefix("choose "): number for number, move in enumerate(fcdl.load("leduc_poker").actions)
    }
    to_theirs = {actions[word]: number for number, word in enumerate(("fold", "call", "raise"))}
    codes = Tree(fcdl.load("leduc_poker")).codes
    card = {place: 2 * "JQK".index(code[0]) + "SH".index(code[1]) for place, code in enumerate(codes)}
    for _ in range(150):
        one, two = game.new_initial_state(), theirs.new_initial_state()
        while not one.is_terminal():
            assert one.current_player() == two.current_player()
            names = card if one.is_chance_node() else to_theirs
            assert sorted(names[action] for action in one.legal_actions()) == two.legal_actions()
            action = rng.choice(one.legal_actions())
            one.apply_action(action)
            two.apply_action(names[action])
        assert two.is_terminal()
        assert one.returns() == two.returns()


def test_leduc_poker_has_120_deals() -> None:
    """6 × 5 hands, and 4 cards for the board when the first round of bets is over."""
    state, sizes = ours("leduc_poker").new_initial_state(), []
    while not state.is_terminal():
        if state.is_chance_node():
            sizes.append(len(state.chance_outcomes()))
            state.apply_action(state.chance_outcomes()[0][0])
        else:
            state.apply_action(fcdl.load("leduc_poker").actions.number(fcdl.Move("choose", "call")))
    assert sizes == [6, 5, 4]


def test_search_of_open_spiel_plays_a_chart() -> None:
    game = ours("kuhn_poker")
    bot = mcts.MCTSBot(game, 2.0, 30, mcts.RandomRolloutEvaluator(1, random_state=None))
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    assert bot.step(state) in state.legal_actions()


def uniform_value(state: Any, player: int) -> float:
    """What a player can expect if everybody plays at random."""
    if state.is_terminal():
        return float(state.returns()[player])
    if state.is_chance_node():
        chances = state.chance_outcomes()
        return sum([weight * uniform_value(state.child(action), player) for action, weight in chances], 0.0)
    values = [uniform_value(state.child(action), player) for action in state.legal_actions()]
    return sum(values) / len(values)


def brute_force(game: fcdl.Game, outcomes: list[Any], moves: list[fcdl.Move]) -> float:
    """The same for player 0 with every order of every shuffle and every number."""

    class Asking(ScriptedChance):
        def shuffle(self, cards: Any) -> list[int]:
            if self.used == len(self.outcomes):
                raise MoreError([list(order) for order in itertools.permutations(cards)])
            return super().shuffle(cards)

        def number(self, below: int) -> int:
            if self.used == len(self.outcomes):
                raise MoreError(list(range(below)))
            return super().number(below)

    chance, engine = Asking(outcomes), SteppingEngine(game)
    try:
        state = engine.start(chance)
        for move in moves:
            state = engine.apply(state, move, chance)
    except MoreError as more:
        values = [brute_force(game, [*outcomes, answer], moves) for answer in more.answers]
        return sum(values) / len(values)
    if (outcome := engine.outcome(state)) is not None:
        return game.rewards(outcome.scores)[0]
    legal = engine.legal(state)
    return sum(brute_force(game, outcomes, [*moves, move]) for move in legal) / len(legal)


class MoreError(Exception):
    """Chance is asked something new."""

    def __init__(self, answers: list[Any]) -> None:
        self.answers = answers


@pytest.mark.parametrize("chart", [DRAWING, LOOKING], ids=["drawing", "looking"])
def test_cards_drawn_as_needed_are_as_probable_as_in_whole_shuffles(chart: str, tmp_path: Path) -> None:
    text = chart.replace("jack queen king suits spades hearts", "jack queen suits spades hearts")
    (tmp_path / "x.fcdl").write_text(text)
    game = ours(str(tmp_path / "x.fcdl"))
    found = uniform_value(game.new_initial_state(), 0)
    assert found == pytest.approx(brute_force(fcdl.load(text), [], []), abs=1e-9)


def test_pile_that_is_looked_into_is_drawn_wholly() -> None:
    looking, drawing = Tree(fcdl.load(LOOKING)), Tree(fcdl.load(DRAWING))
    assert looking._looked_into == {*drawing._looked_into, "pack"}


def test_nobody_sees_what_was_only_filled_in() -> None:
    """Before a card is drawn every player has seen the same whatever it will be; vectors and texts say so."""
    game = ours("leduc_poker")
    watch = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    state = game.new_initial_state()
    assert [state.information_state_string(player) for player in (0, 1)] == ["0:", "1:"]
    for action in (0, 1):
        state.apply_action(action)
    twin = game.new_initial_state()
    for action in (0, 2):
        twin.apply_action(action)
    watch.set_from(state, 0)
    one = watch.tensor.copy()
    watch.set_from(twin, 0)
    assert (one == watch.tensor).all()
    assert state.information_state_string(0) == twin.information_state_string(0)
    assert state.information_state_string(1) != twin.information_state_string(1)
