"""Spades against OpenSpiel: the first deal of a game, every bid, every card, and the score of the deal.

OpenSpiel's bidders start with seat 0, so its seats are counted from the first bidder of the chart. It does not let
partners bid more than 13 together, and a spade thrown on another suit does not let a player lead spades there: such
bids are not made here, and spades are led only by a player who has nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from fcdl.model.moves import Move
from tests.games.table import RANKS, Decision, decisions, make_game, play, strength, suit
from tests.oracle.peer import Counts, Peer

FIRST_BID = 52


def number(card: str) -> int:
    """OpenSpiel's number of a card."""
    return len(RANKS) * "CDHS".index(suit(card)) + strength(card)


def compare(seed: int) -> Counts:
    """One deal."""
    dice = random.Random(seed)
    bids: dict[int, int] = {}
    cards = 0

    def choose(seat: int, legal: Sequence[Move]) -> Move:
        nonlocal cards
        if legal[0].kind != "choose":
            cards += 1
            return dice.choice([move for move in legal if suit(move.what) != "S"] or legal if cards % 4 == 1 else legal)
        if len(bids) == 4:
            bids.clear()
        most = 13 - bids.get((seat + 2) % 4, 0)
        bids[seat] = 0 if dice.random() < 0.15 else dice.randint(0, min(6, most))
        return Move("choose", str(bids[seat]))

    played = play(make_game("spades", options={"target": 100, "nilHelps": "yes"}), seed, choose)
    story = list(decisions(played))
    first, rest = story[:56], story[56:]
    start = first[0].seat
    after = _scores(rest[0]) if rest else list(played.outcome.scores)
    peer = Peer("spades")
    hands = [sorted(first[0].hands[(start + seat) % 4]) for seat in range(4)]
    peer.chance(number(hands[dealt % 4][dealt // 4]) for dealt in range(52))
    for decision in first[:4]:
        made = {int(move.split()[1]) for move in decision.legal}
        assert made == set(range(14))
        partner = decision.values.get(f"bid({(decision.seat + 2) % 4})", "0") if decision in first[2:4] else "0"
        legal = [FIRST_BID + bid for bid in made if bid + int(partner) <= 13]
        peer.decide((decision.seat - start) % 4, legal, FIRST_BID + int(decision.card))
    for place, decision in enumerate(first[4:]):
        others = {card for card in decision.hand if suit(card) != "S"} if place % 4 == 0 else set()
        legal = list(map(number, decision.legal_cards & others or decision.legal_cards))
        peer.decide((decision.seat - start) % 4, legal, number(decision.card))
    theirs = peer.returns()
    assert [theirs[(seat - start) % 4] for seat in range(4)] == after
    nils = sum(decision.card == "0" for decision in first[:4])
    return Counts(games=1, positions=peer.positions, results=1, nils=nils)


def _scores(decision: Decision) -> list[int]:
    return [int(decision.values.get(f"score({seat})", 0)) for seat in range(4)]
