"""Policies: the best legal moves by their worth, ties and a part of all moves at random, nothing that is hidden."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from fcdl.language.diagnostics import ChartError
from fcdl.language.load import builtin_names, load_flowchart
from fcdl.model import Game, RandomChance

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.engines.native import NativeEngine, _engine
from fcdl.engines.native.policies import Policy

NAMES = builtin_names()
ONE_DEAL = ("crazy_eights", "durak", "hearts", "kings_and_jacks", "kuhn_poker", "leduc_poker", "oh_hell", "trumps")
HIGH = Policy("high", play="rankValue(card)", pick="rankValue(card)", passing="-1")
LOW = Policy("low", play="-rankValue(card)", pick="-rankValue(card)", passing="100")
BIDDER = Policy("bidder", choose={"bid": "if(value == count(cards c in hand(me) where rankValue(c) > 12), 1, 0)"})


def engine(name: str, *policies: Policy) -> NativeEngine:
    return NativeEngine(Game.make(load_flowchart(name), name=name), policies=policies)


def worth(native: NativeEngine, policy: Policy, data: bytes, mover: int, move: int) -> int:
    """What a policy of plays and passes finds a move worth, by a call from Python."""
    if move == -1:
        return native.call(data, f"{policy.name}.passing", mover)
    return native.call(data, f"{policy.name}.play", mover, move)


@pytest.mark.parametrize("name", ONE_DEAL)
@pytest.mark.parametrize("policy", [HIGH, LOW])
def test_a_policy_makes_a_legal_move_of_the_highest_worth(name: str, policy: Policy) -> None:
    native = engine(name, policy)
    game = native.new_game(3)
    policies = native.by_seat(policy.name)
    for _ in range(60):
        if game.is_over:
            break
        data, mover, legal, kind = game.dump(), game.mover, game.legal_ids(), game.kind
        assert game.play_out(policies, 1) == 1
        after = game.dump()
        if kind == 3:
            continue
        worths = {move: worth(native, policy, data, mover, move) for move in legal}
        best = [move for move in legal if worths[move] == max(worths.values())]
        reached = set()
        for move in best:
            position = _engine.NativeState(native.program, 0, data)
            position.apply_id(move)
            reached.add((position.mover, position.node, position.legal_ids().__repr__()))
        now = _engine.NativeState(native.program, 0, after)
        drew = name in ("crazy_eights", "durak")  # what is drawn comes from an unseen order, the same in both
        assert (now.mover, now.node, now.legal_ids().__repr__()) in reached or (now.is_over and drew)


def test_ties_are_broken_at_random_and_evenly() -> None:
    native = engine("trumps", Policy("same", play="7"))
    data = native.start(RandomChance(1)).data
    policies = native.by_seat("same")
    counts: Counter[bytes] = Counter()
    for seed in range(7000):
        position = _engine.NativeState(native.program, seed, data)
        position.play_out(policies, 1)
        counts[position.dump()] += 1
    # 7 cards, 1000 each, standard deviation sqrt(7000 * 1/7 * 6/7) = 29.
    assert len(counts) == 7
    assert all(abs(count - 1000) < 5 * 29 for count in counts.values())


def test_epsilon_is_the_part_of_random_moves() -> None:
    native = engine("trumps", Policy("mostly", play="rankValue(card) * 4 + playerNumber(me)", epsilon=0.25))
    data = native.start(RandomChance(2)).data
    policies = native.by_seat("mostly")
    counts: Counter[bytes] = Counter()
    for seed in range(7000):
        position = _engine.NativeState(native.program, seed, data)
        position.play_out(policies, 1)
        counts[position.dump()] += 1
    best = counts.most_common(1)[0][1]
    # 3/4 + 1/4 * 1/7 of 7000, if one card is the highest: 5500; standard deviation sqrt(5500 * 1500 / 7000) = 34.
    legal = _engine.NativeState(native.program, 0, data).legal_ids()
    ranks = sorted(card % 13 for card in legal)
    assert ranks[-1] > ranks[-2]
    assert abs(best - 5500) < 5 * 34


def test_policies_of_seats_play_games() -> None:
    trumps = engine("trumps", HIGH, LOW)
    high_first, low_first = (
        trumps.play_games(2000, 5, policies=seats).scores.mean(axis=0) for seats in (["high", "low"], ["low", "high"])
    )
    # Whoever plays high cards takes more than half of the seven tricks, wherever they sit.
    assert high_first[0] > 3.6 > 3.4 > high_first[1]
    assert low_first[1] > 3.6 > 3.4 > low_first[0]


def test_playouts_by_policies_do_not_depend_on_the_number_of_threads() -> None:
    durak = engine("durak", HIGH, LOW)
    state = durak.start(RandomChance(1))
    one, two = (durak.playouts(state, 101, 7, policies=["high", "low"], threads=threads) for threads in (1, 2))
    assert np.array_equal(one.scores, two.scores)
    assert one.moves == two.moves


def test_values_are_chosen_by_their_worth() -> None:
    oh_hell = engine("oh_hell", BIDDER)
    position = oh_hell.new_game(1)
    for _ in range(4):
        high = oh_hell.call(position.dump(), "bidder.bid", position.mover, 0)
        legal = position.legal_ids()
        wanted = [v for v in legal if oh_hell.call(position.dump(), "bidder.bid", position.mover, v)]
        before = position.clone()
        position.play_out(oh_hell.by_seat("bidder"), 1)
        if wanted:
            before.apply_id(wanted[0])
            assert before.dump() == position.dump()
        assert high in (0, 1)


def test_all_games_end_under_policies() -> None:
    for name in NAMES:
        native = engine(name, HIGH, LOW)
        seats = ["high", "low", None, "high"][: native.game.players]
        played = native.play_games(20, 1, policies=seats)
        assert played.moves > 0
        assert sum(played.reasons.values()) == 20
        assert played.reasons["fault"] == 0


@pytest.mark.parametrize(
    ("name", "worth", "hidden"),
    [
        ("trumps", "count(hand(next(me)))", None),
        ("trumps", "cardsRemaining(next(me)) - count(pack)", None),
        ("trumps", "count(intersect(hand(next(me)), card(any, hearts)))", "hand"),
        ("trumps", "if(playerHas(next(me), card(any, suit(card))), 1, 0)", "other hands"),
        ("trumps", "if(playerHas(me, card(any, suit(card))), 1, 0)", None),
        ("trumps", "rankValue(top(pack))", "pack"),
        ("trumps", "sum(rankValue(c) for p in players where p != me)", "unknown name"),
        ("trumps", "max(count(cards c in hand(p) where suit(c) == trumps) for p in players)", "hand"),
        ("durak", "rankValue(card) + if(isTrump(card), 100, 0)", None),
        ("durak", "lowestTrump(defender)", "hand"),
        ("durak", "lowestTrump(me)", None),
        ("durak", "count(discard) + rankValue(highest(rankValue(c) for c in union(attack, trumpCard)))", None),
        ("durak", "rankValue(highest(rankValue(c) for c in discard))", "discard"),
        ("skat", "matadors", "matadors"),
        ("hearts", "count(cards c in parcel(me) where suit(c) == hearts)", None),
        ("hearts", "count(cards c in parcel(leader) where suit(c) == hearts)", "parcel"),
    ],
)
def test_a_policy_looks_at_nothing_that_its_seat_may_not_see(name: str, worth: str, hidden: str | None) -> None:
    chart = load_flowchart(name)
    policy = Policy("peeping", play=worth)
    if hidden is None:
        assert len(policy.functions(chart)) == 1
        return
    with pytest.raises(ChartError, match=hidden):
        policy.functions(chart)
    if hidden != "unknown name":
        assert len(Policy("peeping", play=worth, open=True).functions(chart)) == 1


def test_a_worth_of_an_unknown_variable_is_refused() -> None:
    with pytest.raises(ChartError, match=r"no variable 'bids' \(did you mean 'bid'\?\)"):
        Policy("bidder", choose={"bids": "1"}).functions(load_flowchart("oh_hell"))


def test_policies_of_another_program_are_refused() -> None:
    one, other = engine("trumps", HIGH), engine("trumps", HIGH)
    with pytest.raises(ValueError, match="policies are None, or one of this program"):
        one.new_game(1).play_out(other.by_seat("high"))
    with pytest.raises(ValueError, match="policies are None, or one of this program"):
        one.new_game(1).play_out((None,))
    nodes = len(one.node_program.nodes)
    for numbers in (b"", b"\5\0\0\0" * nodes, b"\2\0\0\0" * nodes):
        with pytest.raises(ValueError, match="bad policy"):
            _engine.Policy(one.program, numbers, b"\xff" * 4 * nodes)
    with pytest.raises(ValueError, match="bad policy"):
        _engine.Policy(one.program, b"\xff" * 4 * nodes, b"\xff" * 4 * nodes, 1.0)
