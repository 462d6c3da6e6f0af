"""The searches: exact where they can be, the same for any number of threads, and not told what players cannot see."""

from __future__ import annotations

import _thread
import random
import threading
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from fcdl.heuristics.policies import LookAhead, evaluation_of
from fcdl.language.flowchart import Type
from fcdl.language.load import builtin_names, load_flowchart, load_text
from fcdl.model import Game, RandomChance
from tests.games.some import some_games

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.engines.native import NativeEngine
from fcdl.engines.native.constants import MAX_DEPTH, UTILITIES
from fcdl.engines.native.engine import State
from fcdl.engines.native.functions import Function
from fcdl.engines.native.policies import Policy
from fcdl.engines.native.search import UNLIMITED, Aim, Budget, NoTimeError, Search, Solved

NAMES = builtin_names()
ENDINGS: tuple[tuple[str, int, dict[str, str], int], ...] = (
    ("trumps", 2, {}, 6),
    ("kings_and_jacks", 2, {}, 6),
    ("oh_hell", 3, {"firstHand": "3"}, 6),
    ("hearts", 4, {"target": "0"}, 8),
    ("skat", 3, {}, 7),
)
"""Games, their players and options, and how many moves before the end their endings begin."""

PRIOR_C = 2.0
SHORT = {"skat": 30}
"""Moves of games that end before anything is played."""


@cache
def engine(name: str, players: int | None = None, **options: str) -> NativeEngine:
    return NativeEngine(Game.make(load_flowchart(name), name=name, players=players, options=options))


def made(text: str) -> NativeEngine:
    checked = load_text(text)
    assert checked.flowchart is not None, checked.findings
    return NativeEngine(Game.make(checked.flowchart, name="made"))


def ending(table: NativeEngine, seed: int, left: int) -> State:
    """A position of a random game, about that many moves before its hand ends, where there is a choice."""
    rng = random.Random(seed)
    while True:
        chance = RandomChance(rng.getrandbits(32))
        states = [table.start(chance)]
        while table.mover(states[-1]) is not None and len(states) < 400:
            state = table.apply(states[-1], rng.choice(table.legal(states[-1])), chance)
            if any(event.kind == "shuffle" for event in table.latest(state)):
                break
            states.append(state)
        for state in states[-left - 1 :]:
            if (
                len(states) > SHORT.get(table.game.name, 0)
                and table.mover(state) is not None
                and len(table.legal(state)) > 1
            ):
                return state


def question(table: NativeEngine, state: State, utility: str = "score", seed: int = 0, threads: int = 1) -> Search:
    return Search(table, [state.data], np.ones(1), state.mover, aim=Aim("hand", utility), seed=seed, threads=threads)


# --- plain minimax, to compare with


def utilities(table: NativeEngine, before: tuple[int, ...], after: tuple[int, ...], utility: str) -> list[float]:
    players, lowest = table.game.players, table.game.flowchart.lowest_wins
    if utility == "win":
        best = min(after) if lowest else max(after)
        return [(score == best) / after.count(best) for score in after]
    gains = [(b - a if lowest else a - b) for a, b in zip(after, before, strict=True)]
    if utility == "own":
        return [float(gain) for gain in gains]
    return [gain - (sum(gains) - gain) / (players - 1) for gain in gains]


def plain_values(
    table: NativeEngine,
    state: State,
    utility: str,
    *,
    max_n: bool = False,
    random_rivals: bool = False,
    depth: int = 1000,
) -> dict[int, float]:
    """The value of every move by searching everything; positions at the depth are worth what they would be now."""
    seat, before = state.mover, state.scores

    def value(position: State, depth: int) -> list[float]:
        mover = table.mover(position)
        hand_is_over = any(event.kind == "shuffle" for event in table.latest(position))
        if mover is None or hand_is_over or depth == 0:
            return utilities(table, before, position.scores, utility)
        if random_rivals and mover != seat:
            moves = table.legal(position)
            worths = [value(table.apply(position, move, RandomChance(0)), depth - 1) for move in moves]
            return [sum(of_player) / len(moves) for of_player in zip(*worths, strict=True)]
        best: list[float] | None = None
        for move in table.legal(position):
            worth = value(table.apply(position, move, RandomChance(0)), depth - 1)
            if max_n:
                better = best is None or worth[mover] > best[mover]
            else:
                better = best is None or (worth[seat] > best[seat] if mover == seat else worth[seat] < best[seat])
            best = worth if better else best
        assert best is not None
        return best

    return {
        number: value(table.apply(state, table.move(state, number), RandomChance(0)), depth - 1)[seat]
        for number in table.telling_program.legal(state.data)
    }


def minimax(search: Search, *, depth: int = 0, max_n: bool = False) -> Solved:
    """One world, as deep as said."""
    (solved,) = search.minimax(Budget(10_000_000), depth=depth, max_n=max_n, table_bits=12)
    return solved


@pytest.mark.parametrize("utility", UTILITIES[:3])
@pytest.mark.parametrize(("name", "players", "options", "left"), ENDINGS)
def test_minimax_to_the_end_is_what_searching_everything_gives(
    name: str, players: int, options: dict[str, str], left: int, utility: str
) -> None:
    table = engine(name, players, **options)
    for seed in range(4):
        state = ending(table, seed, left)
        solved = minimax(question(table, state, utility))
        assert solved.depth == MAX_DEPTH
        assert solved.values == pytest.approx(plain_values(table, state, utility))


@pytest.mark.parametrize(("name", "players", "options", "left"), [row for row in ENDINGS if row[1] > 2])
def test_every_player_for_himself(name: str, players: int, options: dict[str, str], left: int) -> None:
    table = engine(name, players, **options)
    for seed in range(4):
        state = ending(table, seed, left)
        assert minimax(question(table, state), max_n=True).values == pytest.approx(
            plain_values(table, state, "score", max_n=True)
        )


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["trumps", "kings_and_jacks", "durak", "hearts"])
def test_minimax_to_a_depth_judges_by_the_score_there(name: str, depth: int) -> None:
    table = engine(name)
    state = ending(table, depth, 12)
    solved = minimax(question(table, state), depth=depth)
    assert solved.values == pytest.approx(plain_values(table, state, "score", depth=depth))


def test_a_function_judges_and_ends_outweigh_it() -> None:
    chart = engine("trumps").game.flowchart
    held = Function.read(chart, "held", "cardsRemaining(me) * 10 + playerNumber(me)", {"me": Type.PLAYER})
    table = NativeEngine(engine("trumps").game, functions=[held])
    state = table.start(RandomChance(1))
    (solved,) = question(table, state).minimax(Budget(1000), depth=1, table_bits=8, judge="held")
    assert set(solved.values.values()) == {10 * 6 + state.mover}  # one of seven cards is played
    state = ending(table, 1, 6)
    (solved,) = question(table, state).minimax(Budget(10**6), depth=0, table_bits=12, judge="held")
    exact = plain_values(table, state, "score")
    assert solved.values == pytest.approx({number: 1e6 * value for number, value in exact.items()})


def test_heuristics_judge_as_they_say() -> None:
    game = engine("trumps").game
    evaluation = evaluation_of(game, "heuristics")
    table = NativeEngine(game, functions=evaluation.functions, pauses=evaluation.pauses)
    compiled = evaluation.compiled(table.program, table.function_numbers)
    for seed in range(4):
        state = ending(table, seed, 6)
        exact = plain_values(table, state, "score")
        (solved,) = question(table, state).minimax(Budget(10**6), depth=0, table_bits=12, judge=compiled)
        ahead = state.scores[state.mover] - state.scores[1 - state.mover]
        # To each of the two the heuristics say how far they are ahead, and their difference is taken.
        assert solved.values == pytest.approx({number: 2 * (value + ahead) for number, value in exact.items()})


def test_a_deeper_search_that_does_not_finish_leaves_the_one_before() -> None:
    table = engine("hearts")
    state = ending(table, 5, 40)
    (solved,) = question(table, state).minimax(Budget(500), depth=0, playouts=1, table_bits=12)
    assert 1 <= solved.depth < 8
    assert set(solved.values) == set(table.telling_program.legal(state.data))


@pytest.mark.parametrize(("multiple", "curiosity"), [(False, 1.0), (True, 1.0), (True, 0.3)])
@pytest.mark.parametrize(("name", "players", "options", "left"), [row for row in ENDINGS if row[1] == 2])
def test_trees_in_one_world_find_a_best_move(
    name: str, players: int, options: dict[str, str], left: int, multiple: bool, curiosity: float
) -> None:
    table = engine(name, players, **options)
    for seed in range(6):
        state = ending(table, seed, left)
        values = plain_values(table, state, "score")
        search = question(table, state, seed=seed)
        found = search.tree(Budget(20_000), c=0.7, multiple=multiple, nodes=10**6, curiosity=curiosity)
        chosen = max(found.moves, key=lambda tally: tally.visits)
        assert values[chosen.number] == max(values.values())


@pytest.mark.parametrize(("multiple", "curiosity"), [(False, 1.0), (True, 1.0), (True, 0.3)])
@pytest.mark.parametrize(("name", "players", "options", "left"), ENDINGS)
def test_scripted_rivals_are_answered_best(
    name: str, players: int, options: dict[str, str], left: int, multiple: bool, curiosity: float
) -> None:
    table = engine(name, players, **options)
    differing = 0
    for seed in range(6):
        state = ending(table, seed, left)
        values = plain_values(table, state, "score", random_rivals=True)
        search = question(table, state, seed=seed)
        budget = Budget(20_000)
        found = search.tree(budget, c=0.7, multiple=multiple, nodes=10**6, curiosity=curiosity, scripted=True)
        chosen = max(found.moves, key=lambda tally: tally.visits)
        assert values[chosen.number] == pytest.approx(max(values.values()), abs=0.05)
        differing += len(set(values.values())) > 1
    assert differing  # or any move would have been right


@pytest.mark.parametrize("policy", ["greedy", "heuristics"])
@pytest.mark.parametrize("name", ["trumps", "kings_and_jacks", "crazy_eights"])
def test_where_all_moves_are_seen_one_observer_and_many_search_the_same_tree(name: str, policy: str) -> None:
    # Rivals that look ahead leave the decision and come back to it; who sees their move is asked after that.
    game = engine(name).game
    table = NativeEngine(game, policies=[LookAhead(policy, evaluation_of(game, policy))])
    starts = [state for state in (table.start(RandomChance(seed)) for seed in range(40)) if state.mover == 1]
    search = Search(table, [state.data for state in starts], np.ones(len(starts)), 1, simulation=policy, seed=3)
    one, many = (
        search.tree(Budget(2000), c=0.7, multiple=multiple, nodes=10**5, scripted=True) for multiple in (False, True)
    )
    assert one.moves == many.moves


# --- priors

HIGH = Policy("high", play="rankValue(card)", pick="rankValue(card)", passing="-1")
LOW = Policy("low", play="-rankValue(card)", pick="-rankValue(card)", passing="100")


@cache
def with_priors(name: str, players: int | None = None, **options: str) -> NativeEngine:
    return NativeEngine(engine(name, players, **options).game, policies=[HIGH, LOW])


@pytest.mark.parametrize("multiple", [False, True])
@pytest.mark.parametrize(("name", "players", "options", "left"), [row for row in ENDINGS if row[1] == 2])
def test_no_prior_keeps_a_tree_from_finding_a_best_move(
    name: str, players: int, options: dict[str, str], left: int, multiple: bool
) -> None:
    table = with_priors(name, players, **options)
    against = 0
    for seed in range(6):
        state = ending(table, seed, left)
        values = plain_values(table, state, "score")
        for prior in ("high", "low"):
            found = question(table, state, seed=seed).tree(
                Budget(20_000), c=PRIOR_C, multiple=multiple, nodes=10**6, prior=prior
            )
            chosen = max(found.moves, key=lambda tally: tally.visits)
            assert values[chosen.number] == max(values.values())
            worths = {number: worth for number, worth, _ in table.compiled_policies[prior].worths(state.data)}
            against += worths[chosen.number] < max(worths.values())
    assert against  # or the prior would have been right


@pytest.mark.parametrize("prior", ["high", "low"])
def test_a_tree_tries_the_moves_first_that_its_prior_prefers(prior: str) -> None:
    table = with_priors("trumps")
    for seed in range(10):
        state = table.start(RandomChance(seed))
        worths = {number: worth for number, worth, _ in table.compiled_policies[prior].worths(state.data)}
        found = question(table, state, seed=seed).tree(Budget(1), c=1, multiple=True, nodes=100, prior=prior)
        assert worths[found.moves[0].number] == max(worths.values())


def test_a_prior_leaves_no_move_untried() -> None:
    table = with_priors("hearts")
    state = table.start(RandomChance(3))
    found = question(table, state).tree(Budget(5000), c=PRIOR_C, multiple=True, nodes=10**6, prior="high")
    assert {tally.number for tally in found.moves} == set(table.program.legal(state.data))
    assert all(tally.visits > 1 for tally in found.moves)


TWO_DECKS = """game "Two decks"
players 2
deck ranks 2 3 4 suits clubs copies 4

chart main
    start
    Shuffle
    Deal(5)
    turn = player(0)
again:
    playCard(turn, cards)
    score(turn) = cardsRemaining(next(turn))
    turn = next(turn)
    cardsRemaining(turn) > 0?                       yes -> again
    end
"""


def test_copies_of_a_card_are_one_move_to_a_prior() -> None:
    game = made(TWO_DECKS).game
    table = NativeEngine(game, policies=[HIGH])
    for seed in range(5):
        state = table.start(RandomChance(seed))
        found = question(table, state).tree(Budget(500), c=PRIOR_C, multiple=True, nodes=10**5, prior="high")
        labels = [str(table.move(state, tally.number)) for tally in found.moves]
        assert sorted(labels) == sorted({str(move) for move in table.legal(state)})


@pytest.mark.parametrize("name", ["trumps", "crazy_eights"])
def test_priors_that_look_ahead_search_the_same_tree_for_one_observer_and_many(name: str) -> None:
    game = engine(name).game
    table = NativeEngine(game, policies=[LookAhead("greedy", evaluation_of(game, "greedy"))])
    starts = [state for state in (table.start(RandomChance(seed)) for seed in range(40)) if state.mover == 1]
    search = Search(table, [state.data for state in starts], np.ones(len(starts)), 1, seed=3)
    found = [
        search.tree(Budget(300), c=PRIOR_C, multiple=True, nodes=10**5, prior="greedy", scripted=scripted)
        for scripted in (False, True, False)
    ]
    assert found[0].moves == found[2].moves
    assert all(searched.iterations == 300 for searched in found)


def test_a_prior_is_a_policy_of_the_same_program() -> None:
    table, other = with_priors("trumps"), with_priors("durak")
    search = question(table, table.start(RandomChance(1)))
    search.engine = other
    with pytest.raises(ValueError, match="a policy is None, or one of this program"):
        search.tree(Budget(10), c=1, multiple=True, nodes=100, prior="high")


# --- playouts


def test_flat_playouts_to_the_end_are_right_on_average() -> None:
    table = engine("trumps")
    state = ending(table, 1, 6)
    found = question(table, state).flat(Budget(4000))
    for tally in found.moves:
        position = table.position(state)
        position.apply_id(tally.number)
        mean = table.playouts(position.dump(), 4000).scores.mean(axis=0)
        gain = mean - np.array(state.scores)
        assert tally.visits == 4000
        assert tally.value == pytest.approx(gain[state.mover] - gain[1 - state.mover], abs=0.1)


def test_a_playout_ends_when_the_seat_would_decide_again() -> None:
    # In Trumps and Hearts a seat decides once in a trick, so one own move ahead is the end of the trick.
    table = engine("hearts")
    state = ending(table, 3, 30)
    found = question(table, state, "own").flat(Budget(200), 1)
    assert all(-4 - 13 <= tally.value <= 0 for tally in found.moves)  # a trick has at most four cards
    far = question(table, state, "own").flat(Budget(200), 13)
    same = question(table, state, "own").flat(Budget(200), 1000)
    assert far.moves == same.moves  # a hand has no more tricks than that


def test_playouts_by_a_policy_may_go_on_at_random() -> None:
    table = with_priors("trumps")
    state = ending(table, 1, 8)

    def found(simulation: str | None, until: int | None) -> tuple[object, ...]:
        search = Search(table, [state.data], np.ones(1), state.mover, simulation=simulation, until=until, seed=2)
        return search.flat(Budget(2000)).moves

    at_random, by_policy = found(None, None), found("high", None)
    assert found("high", 0) == at_random
    assert found("high", 100) == by_policy != at_random
    assert found("high", 2) not in (at_random, by_policy)


def test_playouts_end_with_the_hand_unless_the_game_is_the_horizon() -> None:
    table = engine("oh_hell", 3)
    state = ending(table, 1, 4)
    means = []
    for horizon in ("hand", "game"):
        search = Search(table, [state.data], np.ones(1), state.mover, aim=Aim(horizon, "own"))
        means.append(max(tally.value for tally in search.flat(Budget(50)).moves))
    assert means[0] <= 10 + 13 < means[1]


# --- what holds for all of them

QUESTIONS: dict[str, Callable[[Search], object]] = {
    "flat": lambda search: search.flat(Budget(2500)),
    "tree": lambda search: search.tree(Budget(2500), c=0.7, multiple=True, nodes=10**6),
    "statistics": lambda search: search.tree(Budget(2500), c=0.7, multiple=True, nodes=10**6, curiosity=0.3),
    "trees": lambda search: search.trees(Budget(40), c=0.7, nodes=1000),
    "prior": lambda search: search.tree(Budget(2500), c=1.0, multiple=True, nodes=10**6, prior="high"),
    "trees by priors": lambda search: search.trees(Budget(40), c=1.0, nodes=1000, prior="low"),
    "minimax": lambda search: search.minimax(Budget(400), depth=0, playouts=2, table_bits=10),
}


def three_worlds(table: NativeEngine) -> tuple[list[bytes], int]:
    """Three positions in which the same seat is to move."""
    states = [table.start(RandomChance(seed)) for seed in range(200)]
    seat = states[0].mover
    return [state.data for state in states if state.mover == seat][:3], seat


@pytest.mark.parametrize("kind", QUESTIONS)
@pytest.mark.parametrize("name", some_games())
def test_results_depend_on_the_seed_only(name: str, kind: str) -> None:
    table = with_priors(name)
    positions, seat = three_worlds(table)
    weights = np.array([0.5, 0.3, 0.2])
    searches = [Search(table, positions, weights, seat, seed=9, threads=threads) for threads in (1, 2, 5, 1)]
    answers = [QUESTIONS[kind](search) for search in searches]
    assert all(answer == answers[0] for answer in answers)


def test_worlds_are_searched_as_often_as_they_weigh() -> None:
    table = engine("trumps")
    positions, seat = three_worlds(table)
    search = Search(table, positions, np.array([0.0, 1.0, 0.0]), seat)
    alone = Search(table, positions[1:2], np.ones(1), seat)
    assert {tally.number for tally in search.flat(Budget(50)).moves} == {
        tally.number for tally in alone.flat(Budget(50)).moves
    }


def test_equal_worlds_are_searched_as_one() -> None:
    table = engine("durak")
    positions, seat = three_worlds(table)
    one, two, _ = positions
    search = Search(table, [one, two, one, one], np.full(4, 0.25), seat, seed=3)
    assert search.copies == {0: [0, 2, 3], 1: [1]}
    trees = search.trees(Budget(40), c=0.7, nodes=1000)
    assert [tree.iterations for tree in trees] == [120, 40]
    solved = search.minimax(Budget(10_000), depth=2, playouts=1, table_bits=10)
    alone = Search(table, [one, two], np.full(2, 0.5), seat, seed=3).minimax(
        Budget(10_000), depth=2, playouts=1, table_bits=10
    )
    assert solved == [alone[0], alone[1], alone[0], alone[0]]


def test_a_tree_grows_no_larger_than_it_may() -> None:
    table = with_priors("hearts")
    state = table.start(RandomChance(3))
    for multiple, prior in ((False, None), (True, None), (False, "high"), (True, "high")):
        found = question(table, state).tree(Budget(900), c=0.7, multiple=multiple, nodes=50, prior=prior)
        assert found.nodes <= 50
        assert found.iterations == 900
        assert sum(tally.visits for tally in found.moves) <= 900


def test_a_search_by_time_ends() -> None:
    table = engine("hearts")
    state = table.start(RandomChance(3))
    for kind in ("flat", "tree"):
        search = question(table, state, threads=2)
        budget = Budget(UNLIMITED, 0.02)
        found = search.flat(budget) if kind == "flat" else search.tree(budget, c=0.7, multiple=True, nodes=10**6)
        assert found.iterations > 0


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_search(threads: int) -> None:
    search = question(engine("hearts"), engine("hearts").start(RandomChance(3)), threads=threads)
    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        search.tree(Budget(UNLIMITED), c=0.7, multiple=False, nodes=1000)
    timer.join()


LONG = """
game "Long"
players 2
option turns = 120 from 1 to 1000

chart main
    start
    Shuffle
    Deal(3)
    turn = player(0)
again:
    playCard(turn, cards)
    worth = sum(sum(sum(a * b - c for c in 1 to turns) for b in 1 to turns) for a in 1 to turns)
    score(turn) = worth % 7
    turn = next(turn)
    cardsRemaining(turn) > 0?                       yes -> again
    end
"""


def test_a_search_that_is_cancelled_ends_in_the_middle_of_a_run() -> None:
    table = made(LONG)  # every move takes 1.7 million rounds of a loop
    search = question(table, table.start(RandomChance(1)))
    search._search.cancel()
    for call in (
        lambda: search.flat(Budget(100)),
        lambda: search.tree(Budget(100), c=0.7, multiple=True, nodes=1000),
        lambda: search.trees(Budget(100), c=0.7, nodes=1000),
    ):
        with pytest.raises(NoTimeError, match="the time was over"):
            call()
    assert search.minimax(Budget(100), depth=2, table_bits=8)[0].values == {}


def test_ctrl_c_ends_playouts() -> None:
    table = engine("durak")
    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        table.play_games(4_000_000)
    timer.join()


def test_bad_questions_are_refused() -> None:
    table = engine("trumps")
    state = table.start(RandomChance(1))
    with pytest.raises(ValueError, match="needs worlds"):
        Search(table, [], np.zeros(0), 0)
    with pytest.raises(ValueError, match="not a state"):
        Search(table, [b"\xff" * table.program.state_size], np.ones(1), 0)
    with pytest.raises(ValueError, match="bytes"):
        Search(table, [b"short"], np.ones(1), 0)
    with pytest.raises(ValueError, match="zero"):
        Search(table, [state.data], np.zeros(1), 0)
    with pytest.raises(ValueError, match="negative"):
        Search(table, [state.data], np.array([float("nan")]), 0)
    with pytest.raises(ValueError, match="seat"):
        Search(table, [state.data], np.ones(1), 2)


# --- observers

GUESSING = """game "Guessing"
players 2
deck ranks 2 3 4 suits clubs
zone cover(player): seen by owner
words stay, dare

chart main
    start
    Shuffle
    move(all, pack, hand(player(1)))
    choose(player(0), plan, {stay, dare})
    pick(player(1), 1, card(any, any), hand(player(1)), cover(player(1)))
    choose(player(0), guess, ranks)
    plan == stay?                                           yes -> over
    score(player(0)) = if(rank(cover(player(1))) == guess, 3, -3)
over:
    end
"""


def test_one_observer_believes_that_a_secret_pick_can_be_seen_and_many_do_not() -> None:
    # Who dares wins 3 with the right guess and loses 3 with a wrong one: 1 of 3 is right, unless the pick is seen.
    table = made(GUESSING)
    state = table.start(RandomChance(1))
    assert [str(move) for move in table.legal(state)] == ["choose stay", "choose dare"]
    chosen = []
    for multiple in (False, True):
        found = question(table, state).tree(Budget(9000), c=0.7, multiple=multiple, nodes=10**6)
        best = max(found.moves, key=lambda tally: tally.visits)
        chosen.append(str(table.move(state, best.number)))
    assert chosen == ["choose dare", "choose stay"]


SECRET_CHOICE = (
    GUESSING.replace("words stay", "each player has hidden = 2\nsecret hidden\nwords stay")
    .replace(
        "pick(player(1), 1, card(any, any), hand(player(1)), cover(player(1)))",
        "choose(player(1), hidden(player(1)), ranks)",
    )
    .replace("rank(cover(player(1)))", "hidden(player(1))")
)


def test_the_same_with_a_secret_variable() -> None:
    table = made(SECRET_CHOICE)
    state = table.start(RandomChance(1))
    found = question(table, state).tree(Budget(9000), c=0.7, multiple=True, nodes=10**6)
    best = max(found.moves, key=lambda tally: tally.visits)
    assert str(table.move(state, best.number)) == "choose stay"
