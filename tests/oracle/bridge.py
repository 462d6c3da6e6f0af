"""Contract Bridge against OpenSpiel: one deal, every call, every card, the dummy's too, and the score."""

from __future__ import annotations

import random
from collections.abc import Sequence

from fcdl.model.chance import RandomChance
from fcdl.model.moves import Move
from tests.games.table import decisions, make_game, play, strength, suit
from tests.oracle.peer import Counts, Peer

FIRST_CALL = 52
"""OpenSpiel's calls are numbered after the cards, in the order of the chart's words."""


def number(card: str) -> int:
    """OpenSpiel's number of a card."""
    return 4 * strength(card) + "CDHS".index(suit(card))


def compare(seed: int) -> Counts:
    """One deal with a random dealer and vulnerability; every second auction is a short one."""
    dice = random.Random(seed)
    north, east = dice.random() < 0.5, dice.random() < 0.5
    vulnerable = {(0, 0): "nobody", (1, 0): "northSouth", (0, 1): "eastWest", (1, 1): "everybody"}[north, east]
    game = make_game("bridge", options={"vulnerable": vulnerable})
    words = game.flowchart.words
    calls = words[words.index("pass") :]
    shy = dice.choice([0.0, 0.3, 0.7])

    def choose(_seat: int, legal: Sequence[Move]) -> Move:
        if legal[0].what == "pass" and dice.random() < shy:
            return next((move for move in legal if move.what.endswith("double") and dice.random() < 0.7), legal[0])
        return dice.choice(legal)

    played = play(game, seed, choose, RandomChance(seed))
    story = list(decisions(played))
    dealer = int(story[0].values["dealer"])
    sides = (north, east)
    peer = Peer(
        "bridge",
        use_double_dummy_result=False,
        dealer=dealer,
        dealer_vul=sides[dealer % 2],
        non_dealer_vul=sides[1 - dealer % 2],
    )
    hands = [sorted(hand) for hand in story[0].hands]
    peer.chance(number(hands[dealt % 4][dealt // 4]) for dealt in range(52))
    for decision in story:
        if decision.move.startswith("choose"):
            legal = [FIRST_CALL + calls.index(move.split()[1]) for move in decision.legal]
            peer.decide(decision.seat, legal, FIRST_CALL + calls.index(decision.card))
        else:
            peer.decide(decision.seat, map(number, decision.legal_cards), number(decision.card))
    assert peer.returns() == list(played.outcome.scores)
    last = story[-1].values
    doubled = int(last["doubling"]) > 1
    return Counts(games=1, positions=peer.positions, results=1, doubled=doubled, passed_out=last["height"] == "-1")
