"""The player of Skat that bids by what contracts are worth."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from fcdl.agents import AgentError, make_agent
from fcdl.agents import skat_training as training
from fcdl.agents import skat_values as sv
from fcdl.agents.skat import SkatBidder
from fcdl.engines import make_engine
from fcdl.model import RandomChance, ScriptedChance
from fcdl.model.moves import Move
from tests.games.table import make_game

GAME = make_game("skat")
ENGINE = make_engine(GAME)
GRAND_HAND = "JC JS JH JD AC TC AS TS AH 7D"
NULL_HAND = "7C 8C 9C 7S 8S 9S 7H 8H 7D 8D"
POOR_HAND = "7C 9C QC 7S 9S QS 8H KH 8D KD"
CLUBS_HAND = "JC JS AC TC KC QC 9C 7C AS 7D"


def bidder(play: str = "random", **parameters: float) -> SkatBidder:
    text = ",".join(f"{key}={value}" for key, value in parameters.items())
    agent = make_agent(f"skat.bidder:play={play}" + (f",{text}" if text else ""), GAME)
    assert isinstance(agent, SkatBidder)
    return agent


def expected(hand: str, bid: int = 18) -> float:
    return float(sv.builtin().expectation(hand.split(), [bid], 0, "plain", 40)[0])


def deal(first: str) -> ScriptedChance:
    deck = GAME.flowchart.deck
    mine = [deck.cards_with_code(code)[0] for code in first.split()]
    return ScriptedChance([[*mine, *(card for card in range(32) if card not in mine)]])


def said(hand: str, agent: SkatBidder) -> list[str]:
    """What forehand says and puts away after two passes, up to the first card."""
    chance = deal(hand)
    state = ENGINE.start(chance)
    moves: list[str] = []
    dice = random.Random(1)
    while (seat := ENGINE.mover(state)) is not None and ENGINE.legal(state)[0].kind != "play":
        move = Move("choose", "pass") if seat else agent.choose(ENGINE.observe(state, 0), ENGINE.legal(state), dice)
        if seat == 0:
            moves.append(str(move))
        state = ENGINE.apply(state, move, chance)
    return moves


def test_better_hands_are_expected_to_bring_more() -> None:
    assert expected(GRAND_HAND) > expected(CLUBS_HAND) > 0 > expected(POOR_HAND)
    assert expected(NULL_HAND) > 0
    assert expected(GRAND_HAND, 18) > expected(GRAND_HAND, 264)


def test_matadors_are_counted_with_and_without() -> None:
    held = {
        "JC JS AD": (2, 2),
        "JS JH": (1, 1),
        "JC JS JH JD AC TC": (6, 4),
        "AC TC": (4, 4),
        "JD AC": (3, 3),
    }
    for cards, counts in held.items():
        row = sv._held([sv.number(card) for card in cards.split()])
        assert (sv.matadors(3, row), sv.matadors(sv.GRAND, row)) == counts, cards
    assert sv.matadors(sv.NULL, row) == 0


def test_results_are_those_of_the_rules() -> None:
    """Clubs with one at 18: 24 points, or 36 with schneider; overbid at 30 (unless schneider), then lost as 36."""
    sure, none = np.ones(1, np.float32), np.zeros(1, np.float32)
    assert sv.results(3, sure, none, 1, False, 18, "plain") == 24
    assert sv.results(3, sure, sure, 1, False, 18, "plain") == 36
    assert sv.results(3, none, none, 1, False, 18, "plain") == -48
    assert sv.results(3, sure, none, 1, False, 30, "plain") == -72
    assert sv.results(3, sure, sure, 1, False, 30, "plain") == 36
    assert sv.results(3, sure, none, 1, True, 30, "plain") == 36
    assert sv.results(sv.GRAND, none, none, 4, False, 18, "seegerFabian") == -240 - 90
    assert sv.results(sv.OUVERT, sure, none, 0, True, 18, "seegerFabian") == 59 + 50
    assert sv.results(sv.NULL, sure, none, 0, False, 24, "plain") == -48


def test_suits_may_change_places() -> None:
    """What is seen of a hand is the same whichever suits the cards other than trumps have."""
    swapped = {"C": "H", "H": "C", "S": "S", "D": "D"}
    cards = ["JC", "JS", "AS", "TS", "KS", "AC", "7C", "AH", "9H", "8D"]
    other = [card if card[0] == "J" else card[0] + swapped[card[1]] for card in cards]
    hands = np.array([sv._held([sv.number(card) for card in hand]) for hand in (cards, other)])
    skats = np.zeros_like(hands)
    for contract in (2, sv.GRAND):
        seen = sv.inputs(contract, hands, skats, 1)
        assert seen.shape == (2, sv.INPUTS[sv.KINDS[contract]])
        assert (seen[0] == seen[1]).all()
    assert sv.inputs(sv.NULL, hands, skats, 0).shape == (2, sv.INPUTS["null"])


def test_a_good_hand_is_played_and_a_poor_one_is_not() -> None:
    moves = said(GRAND_HAND, bidder())
    assert moves[0] == "choose bid"
    assert "choose grand" in moves
    assert said(POOR_HAND, bidder()) == ["choose pass"]
    assert said(POOR_HAND, bidder(aggression=200))[0] == "choose bid"


def test_discards_are_picked_and_the_contract_is_the_one_they_were_picked_for() -> None:
    agent = bidder(aggression=200)
    for hand in (CLUBS_HAND, NULL_HAND, POOR_HAND):
        moves = said(hand, agent)
        if "choose takeSkat" in moves:
            assert len([move for move in moves if move.startswith("pick")]) == 2
    assert "choose clubs" in said(CLUBS_HAND, agent) or "choose grand" in said(CLUBS_HAND, agent)


def test_reasons_are_said() -> None:
    agent = bidder()
    chance = deal(GRAND_HAND)
    state = ENGINE.start(chance)
    for _ in range(2):
        state = ENGINE.apply(state, Move("choose", "pass"), chance)
    thought = agent.think(ENGINE.observe(state, 0), ENGINE.legal(state), random.Random(1))
    assert thought.move == Move("choose", "bid")
    assert thought.reasons[0].startswith("Playing alone at 18 is expected to bring +")
    assert [value.move.what for value in thought.values] == ["bid", "pass"]


@pytest.mark.parametrize("options", [{}, {"jumpBids": "yes"}, {"deals": "2", "scoring": "seegerFabian"}])
def test_whole_games_are_played(options: dict[str, str]) -> None:
    game = make_game("skat", options=options)
    engine = make_engine(game)
    agents = [make_agent("skat.bidder:play=ismcts:iterations=20+worlds=5,skats=5", game) for _ in range(3)]
    chance, dice = RandomChance(3), random.Random(3)
    state = engine.start(chance)
    while (seat := engine.mover(state)) is not None:
        move = agents[seat].choose(engine.observe(state, seat), engine.legal(state), dice)
        state = engine.apply(state, move, chance)
    assert engine.outcome(state) is not None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("skat.bidder:play=nobody", "unknown agent 'nobody'"),
        ("skat.bidder:play=ismcts:iterations=0", "expected a whole number"),
        ("skat.bidder:aggression=x", "expected a number"),
    ],
)
def test_bad_parameters_are_refused(text: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        make_agent(text, GAME)


def test_it_plays_skat_only() -> None:
    with pytest.raises(AgentError, match="plays Skat only"):
        make_agent("skat.bidder", make_game("hearts"))


def test_files_of_values_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "v.npz"
    sv.save(sv.builtin(), path)
    again = sv.load(path)
    assert all(
        (one == two).all()
        for kind in sv.INPUTS
        for layers in zip(again.networks[kind].layers, sv.builtin().networks[kind].layers, strict=True)
        for one, two in zip(*layers, strict=True)
    )
    whole = path.read_bytes()
    for bad in (b"", whole[: len(whole) // 2], b"x" * 100):
        path.write_bytes(bad)
        with pytest.raises(sv.ValuesError, match="not a file of values"):
            sv.load(path)
    path.write_bytes(b"x" * (sv.MAX_BYTES + 1))
    with pytest.raises(sv.ValuesError, match="larger than"):
        sv.load(path)
    np.savez(path, version=np.array(99))
    with pytest.raises(sv.ValuesError, match="another version"):
        sv.load(path)
    np.savez(path, version=np.array(1), suit_0_weights=np.array([object()], dtype=object))
    with pytest.raises(sv.ValuesError, match="not a file of values"):
        sv.load(path)


def test_values_can_be_learned_again() -> None:
    first, second = (training.learned(1, 60, 3, "random") for _ in range(2))
    for kind in sv.INPUTS:
        for one, two in zip(first.networks[kind].layers, second.networks[kind].layers, strict=True):
            assert (one[0] == two[0]).all()


def test_training_sees_who_won_and_with_schneider() -> None:
    hand = tuple(sv.number(card) for card in CLUBS_HAND.split())
    choice = training.Choice(3, hand, (sv.number("7H"), sv.number("8H")), False)
    # two matadors: 36, with schneider 48
    assert training._outcome(36, choice) == (True, False)
    assert training._outcome(48, choice) == (True, True)
    assert training._outcome(-72, choice) == (False, False)


def test_a_line_corrects_odds() -> None:
    rng = np.random.default_rng(1)
    odds = rng.standard_normal(4000).astype(np.float32)
    outcomes = (rng.random(4000) < 1 / (1 + np.exp(-(2 * odds + 1)))).astype(np.float32)
    slope, height = training._line(odds, outcomes)
    assert slope == pytest.approx(2, abs=0.3)
    assert height == pytest.approx(1, abs=0.2)
