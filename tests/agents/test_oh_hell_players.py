"""The players of the Oh Hell thesis: its unit tests (appendix B), its heuristics, its bids."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from fcdl.agents import make_agent
from fcdl.agents.agent import kinds
from fcdl.agents.oh_hell import BIDDING, FOLLOWING, LEADING, Heuristics, Informed, OhHellRandom, beats
from fcdl.agents.oh_hell_tree import Deal, Limits, MonteCarlo, search
from fcdl.model.chance import RandomChance, ScriptedChance
from fcdl.model.moves import Move
from tests.agents.told import dealt, make_game, moved, observed, played, plays, said

GAME = make_game("oh_hell", 4)
ALL = [GAME.flowchart.deck.code(card) for card in GAME.cards]
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def choices(version: int, hand: str, trick: str, legal: str, *, bid: int, tricks: int = 0) -> set[str]:
    """The cards that player 3 plays on a trick that the players before them played; hearts are trumps."""
    events = [*dealt(GAME, 3, hand), *said({"trumps": "hearts", "bid(3)": str(bid), "tricks(3)": str(tricks)})]
    before = trick.split()
    for seat, card in enumerate(before, 3 - len(before)):
        events.append(played(seat, card))
    if before:
        events += said({"leadSuit": SUITS[before[0][1]]})
    agent = Informed(GAME, version)
    return {agent.choose(observed(3, events), plays(legal), random.Random(seed)).what for seed in range(30)}


HAND = "2H 5H QD AD"


@pytest.mark.parametrize("version", [1, 2, 3])
def test_under_its_bid_it_wins_and_on_its_bid_it_loses(version: int) -> None:
    # testWinWhenUnderBid, testLoseWhenOnBid
    assert choices(version, HAND, "4H", "2H 5H", bid=1) == {"5H"}
    assert choices(version, HAND, "KD", "QD AD", bid=1, tricks=1) == {"QD"}


def test_forced_to_win_it_plays_any_card() -> None:
    # testForcedWinWhenOnBid, queen or ace
    assert choices(3, HAND, "JD", "QD AD", bid=1, tricks=1) == {"QD", "AD"}


def test_forced_to_lose_it_keeps_the_better_card() -> None:
    # testForcedLoseWhenUnderBid
    assert choices(3, HAND, "AH", "2H 5H", bid=1) == {"2H"}
    assert choices(2, HAND, "AH", "2H 5H", bid=1) == {"2H", "5H"}, "any card, section 3.2.3"


def test_over_its_bid_it_wins_on() -> None:
    # Section 5.2: "try and win every trick once they go above their bid"
    assert choices(3, HAND, "4H", "2H 5H", bid=0, tricks=2) == {"5H"}


def test_last_it_wins_with_the_weakest_and_loses_with_the_strongest() -> None:
    # Section 3.2.3
    for version in (2, 3):
        assert choices(version, "2D QD AD", "JD 3D 4D", "2D QD AD", bid=1) == {"QD"}
        assert choices(version, "2D QD AD", "JD 3D", "2D QD AD", bid=1) == {"AD"}
        assert choices(version, "2D 5D 9D KD", "QD 3D 4D", "2D 5D 9D KD", bid=0) == {"9D"}
        assert choices(version, "2D 5D 9D KD", "QD 3D", "2D 5D 9D KD", bid=0) == {"2D"}


def test_version_1_plays_any_card_that_wins_and_leads_by_rank() -> None:
    # Section 3.2.2
    assert choices(1, "2D QD KD AD", "JD 3D 4D", "2D QD KD AD", bid=1) == {"QD", "KD", "AD"}
    assert choices(1, "9H KD 3S", "", "9H KD 3S", bid=1) == {"KD"}
    assert choices(1, "9H KD 3S", "", "9H KD 3S", bid=0) == {"3S"}


def test_version_2_leads_the_card_that_beats_most() -> None:
    # Section 3.2.3: a king whose ace is still out may be worse than a lower card.
    events = [*dealt(GAME, 0, "KD QS"), *said({"trumps": "hearts", "bid(0)": "1", "tricks(0)": "0"})]
    for card in ("KS", "AS"):
        events.append(played(1, card, "stack"))
    agent = Informed(GAME, 2)
    assert agent.choose(observed(0, events), plays("KD QS"), random.Random(1)).what == "QS"


def test_the_heuristics_are_shares() -> None:
    # Sections 3.2.3 and 3.2.4 with eight unseen cards; spades are trumps.
    unseen = ["2H", "9H", "AH", "3D", "4C", "5C", "2S", "KS"]
    figures = Heuristics(["QH", "TH", "JS", "3C"], unseen, "S")
    assert figures.win("QH", "H") == 5 / 8, "2H 9H 3D 4C 5C"
    assert figures.win("JS", "H") == 7 / 8, "all but the king of spades"
    assert figures.win("3C", "H") == 0
    assert figures.win("3C", "C") == 4 / 8, "2H 9H AH 3D"
    assert figures.same_suit("QH") == 2 / 3
    assert figures.same_suit("JS") == 1 / 2
    assert Heuristics(["QH"], ["2S"], "S").same_suit("QH") == 1, "nobody can follow"
    assert figures.follow_suit("QH") == 3 / 8
    assert figures.trump("QH") == 2 / 8
    assert figures.trump("JS") == 1
    assert figures.safety("QH") == 2 / 4
    for card in figures.hand:
        led = sum(beats(card, other, card[1], "S") for other in unseen) / 8
        assert figures.win(card, card[1]) == led


def test_the_thirteen_weights_add_up_to_one_in_each_situation() -> None:
    for weights in (LEADING, BIDDING, FOLLOWING):
        total = weights.win + weights.same_suit + weights.follow_suit + weights.trumps + weights.safety
        assert total == pytest.approx(1)
    assert BIDDING.win == FOLLOWING.safety == 0
    assert Heuristics(["AH"], ["2H", "3S"], "H").value("AH", "H", LEADING) == pytest.approx(
        LEADING.win + LEADING.same_suit + LEADING.follow_suit / 2 + LEADING.trumps + LEADING.safety
    )


def bids(version: int, hand: str, legal: Sequence[int], **values: str) -> set[int]:
    known = {"trumps": "hearts", "handSize": "4"} | values
    told = observed(3, [*dealt(GAME, 3, hand), *said(known)])
    moves = [Move("choose", str(bid)) for bid in legal]
    agent = Informed(GAME, version)
    return {int(agent.choose(told, moves, random.Random(seed)).what) for seed in range(60)}


def test_good_cards_are_bid_and_a_forbidden_bid_becomes_one_more() -> None:
    assert bids(3, "AH KH 2C 3D", range(5)) == {2}
    assert bids(3, "AH KH 2C 3D", [0, 1, 3, 4]) == {3}
    assert bids(2, "AH KH 2C 3D", range(5)) == {2}
    assert bids(2, "AH KH QH AD", [0, 1, 2, 3]) == {3}, "there are not five tricks"


def test_version_1_bids_by_chance() -> None:
    # Section 3.2.2: a number from 7 to 14 below the rank; trumps above seven always.
    assert bids(1, "2C 7D 3S 8H", range(5)) == {1}
    assert bids(1, "JC JD JS 2H", range(5)) == {0, 1, 2, 3}


def test_without_cards_it_bids_its_share() -> None:
    assert bids(3, "", range(14), handSize="13") == {3}


def test_random_never_bids_all_tricks() -> None:
    told = observed(3, [*dealt(GAME, 3, "AH KH"), *said({"trumps": "hearts", "handSize": "2"})])
    moves = [Move("choose", str(bid)) for bid in range(3)]
    agent = OhHellRandom(GAME)
    assert {agent.choose(told, moves, random.Random(seed)).what for seed in range(40)} == {"0", "1"}


# --- appendix B, the four game trees: two cards each, hearts are trumps, the bids are 0, 1, 1 and 2

HANDS = ("9H 2D", "AH 6S", "KH AD", "QH AS")
BIDS = (0, 1, 1, 2)


def test_the_game_trees_of_appendix_b_have_their_values() -> None:
    """In all four, what matters is the same for every way to play on.

    The thesis has one value wrong: its tree gives 0 or 22/3 for the six of spades in the second, although the ace of
    trumps then takes the last trick. Its playouts (appendix A, line 173) take cards that would win out of the hand
    itself, and so end before the last trick.
    """
    pytest.importorskip("fcdl.engines.native._engine")
    from fcdl.engines.native import NativeEngine
    from fcdl.engines.native.engine import State

    engine = NativeEngine(make_game("oh_hell", 4, {"firstHand": 2}))
    chance = RandomChance(0)

    def points(state: State, seat: int) -> set[int]:
        """The points of a player after the first hand, for every way to play it."""
        if any((event.name, event.value) == ("round", "2") for event in engine.latest(state)):
            return {state.scores[seat]}
        return set().union(*(points(engine.apply(state, move, chance), seat) for move in engine.legal(state)))

    def leading(leader: int, card: str) -> set[int]:
        dealt_cards = [ALL.index(card) for hand in HANDS for card in hand.split()]
        others = [card for card in range(52) if card not in dealt_cards]
        state = engine.start(ScriptedChance([(leader - 1) % 4, [*dealt_cards, *others]]))
        for turn in range(4):
            state = engine.apply(state, Move("choose", str(BIDS[(leader + turn) % 4])), chance)
        assert engine.mover(state) == leader
        return points(engine.apply(state, Move("play", card), chance), leader)

    assert leading(0, "9H") == leading(0, "2D") == {10}, "both cards cannot win when leading"
    assert leading(1, "AH") == leading(1, "6S") == {11}
    assert leading(2, "KH") == {0}, "king of hearts always loses"
    assert leading(2, "AD") == {0, 11}, "depends on players 2 and 4 not trumping"
    assert leading(3, "QH") == {1}, "player 1 wins and then leads a spade"
    assert leading(3, "AS") == {0, 1}, "can win but more likely to get trumped"


def test_the_tree_of_the_monte_carlo_player_finds_them() -> None:
    found = []
    for leader in range(4):
        hands = [[ALL.index(card) for card in hand.split()] for hand in HANDS]
        found.append(
            search(Deal(hands, [], leader, [0] * 4, BIDS, 0), Limits(200, 100, 2.0, 12), random.Random(leader))
        )
    assert found[:2] == [[10, 10], [11, 11]]
    assert found[2][0] == 0
    assert found[3][0] == 1
    assert found[2][1] > 0
    assert 0 < found[3][1] < 1


def test_thirteen_weights_can_be_given() -> None:
    kind = kinds()["oh_hell.informed"].parameters
    weights = {name for name in kind if name.partition("_")[0] in ("lead", "bid", "follow")} - {"bid_above"}
    assert len(weights) == 13
    agent = make_agent("oh_hell.informed:bid_safety=1,bid_same_suit=0", GAME)
    assert isinstance(agent, Informed)
    assert (agent.bidding.safety, agent.bidding.same_suit, agent.bidding.win) == (1, 0, 0)
    assert (agent.leading, agent.following) == (LEADING, FOLLOWING)


def test_with_the_fault_of_the_program_bids_are_read_by_turn() -> None:
    # Dealer is seat 0, so the bids were made by seats 1, 2, 3, 0. Read as if seat 0 had bid first, seat 3 bids what
    # seat 0 did.
    events = dealt(GAME, 3, "AH KH QH") + said({"dealer": "0", "trumps": "hearts", "handSize": "3"})
    for seat, bid in enumerate((0, 1, 2, 3)):
        events += said({f"bid({seat})": str(bid)})
    bids = []
    for reading in ("seat", "turn"):
        agent = monte_carlo(f"samples=1,iterations=100,bids={reading}")
        agent.table.read(observed(3, events))
        bids.append(agent._deal(3, [0, 1, 2], False, random.Random(1)).bids)
    assert bids == [[0, 1, 2, 3], [1, 2, 3, 0]]


def monte_carlo(parameters: str) -> MonteCarlo:
    agent = make_agent(f"oh_hell.montecarlo:{parameters}", GAME)
    assert isinstance(agent, MonteCarlo)
    return agent


def monte_carlo_bids(hand: str, legal: Sequence[int], *, total: int, dealer: int) -> set[int]:
    """The bids of player 3, who is last when dealing; all four have as many cards."""
    number = len(hand.split())
    known = {"trumps": "hearts", "handSize": str(number), "total": str(total), "dealer": str(dealer)}
    events = dealt(GAME, 3, hand)
    for seat in range(3):
        events.append(moved("pack", f"hand({seat})", number))
    moves = [Move("choose", str(bid)) for bid in legal]
    agent = monte_carlo("samples=3,iterations=100,visits=50")
    return {int(agent.choose(observed(3, events + said(known)), moves, random.Random(seed)).what) for seed in range(5)}


def test_the_monte_carlo_player_bids_what_its_cards_take() -> None:
    # Algorithm 2: with the four highest trumps it takes all, with the lowest cards nothing.
    assert monte_carlo_bids("AH KH QH JH", range(5), total=0, dealer=0) == {4}
    assert monte_carlo_bids("2C 2D 2S 3C", range(5), total=4, dealer=0) == {0}
    # The last to bid goes down if the others bid too many, else up: 1 to 2 tricks here.
    assert monte_carlo_bids("AH KH 2C 2D", range(5), total=1, dealer=3) <= {2, 3}
    assert monte_carlo_bids("2C 2D 2S 3C", [1, 2, 3, 4], total=4, dealer=3) == {1}, "zero is forbidden"


def test_the_monte_carlo_player_wins_if_it_needs_to() -> None:
    numbers = {f"bid({seat})": "0" for seat in range(4)} | {f"tricks({seat})": "0" for seat in range(4)}
    events = [*dealt(GAME, 3, "2D AD"), *said(numbers | {"trumps": "hearts"})]
    for seat, card in enumerate(("JD", "3D", "4D")):
        events += [moved("pack", f"hand({seat})", 2), played(seat, card)]
    events += said({"leadSuit": "diamonds"})
    agent = monte_carlo("samples=5,iterations=100,visits=50")
    thought = agent.think(observed(3, events), plays("2D AD"), random.Random(1))
    assert thought.move == Move("play", "2D"), "it bid nothing"
    events += said({"bid(3)": "1"})
    thought = agent.think(observed(3, events), plays("2D AD"), random.Random(1))
    assert thought.move == Move("play", "AD")
    assert [value.move for value in thought.values] == plays("AD 2D")
    assert thought.values[0].value > thought.values[1].value
