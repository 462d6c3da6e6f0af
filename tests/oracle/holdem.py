"""Limit hold'em against OpenSpiel's universal poker: two to four players, every bet, the chips won."""

from __future__ import annotations

import random
from collections.abc import Sequence

from fcdl.model.moves import Move
from tests.games.table import decisions, make_game, play, strength, suit
from tests.oracle.peer import Counts, Peer

WORDS = {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2}


def number(card: str) -> int:
    """OpenSpiel's number of a card."""
    return 4 * strength(card) + "CDHS".index(suit(card))


def compare(seed: int) -> Counts:
    """One deal; OpenSpiel's first player sits after the dealer."""
    seats = 2 + seed % 3
    dice = random.Random(seed)

    def choose(_: int, legal: Sequence[Move]) -> Move:
        return dice.choice([move for move in legal if move.what != "fold" or dice.random() < 0.4])

    played = play(make_game("holdem", seats, {"deals": 1}), seed, choose)
    story = list(decisions(played))
    first = (story[0].seat + (1 if seats == 2 else -2)) % seats
    board = iter([card for event in played.events if event.target == "board" for card in event.cards or ()])
    peer = Peer(
        "universal_poker",
        betting="limit",
        numPlayers=seats,
        numRounds=4,
        blind="2 1" if seats == 2 else " ".join(["1", "2", *"0" * (seats - 2)]),
        firstPlayer="2 1 1 1" if seats == 2 else "3 1 1 1",
        numSuits=4,
        numRanks=13,
        numHoleCards=2,
        numBoardCards="0 3 1 1",
        raiseSize="2 2 4 4",
        maxRaises="3 4 4 4",
        stack=" ".join(["99"] * seats),
    )
    peer.chance(number(card) for seat in range(seats) for card in sorted(story[0].hands[(first + seat) % seats]))
    for decision in story:
        while peer.state.is_chance_node():
            peer.chance([number(next(board))])
        legal = (WORDS[move.partition(" ")[2]] for move in decision.legal)
        peer.decide((decision.seat - first) % seats, legal, WORDS[decision.move.partition(" ")[2]])
    while peer.state.is_chance_node():
        peer.chance([number(next(board))])
    ours = [played.outcome.scores[(first + seat) % seats] for seat in range(seats)]
    shared = any(result != int(result) for result in peer.returns())  # odd chips are divided there
    assert shared or peer.returns() == ours
    return Counts(games=1, positions=peer.positions, results=int(not shared), shared_odd_chips=int(shared))
