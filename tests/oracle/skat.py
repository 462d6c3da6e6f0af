"""Skat against OpenSpiel, from the declaration on: the same deal, declarer, contract and discards.

The declarer gets the game at 18, so that nothing is overbid, and takes the skat, as OpenSpiel's always does.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from fcdl.model.chance import RandomChance
from fcdl.model.moves import Move
from tests.games.table import ClumpedChance, decisions, make_game, play, suit
from tests.oracle.peer import Counts, Peer

CONTRACTS = ["diamonds", "hearts", "spades", "clubs", "grand", "null"]
PASS = 32
PACK = frozenset(rank + color for rank in "789TJQKA" for color in "CDHS")
DEAL = [0] * 3 + [1] * 3 + [2] * 3 + [3] * 2 + [0] * 4 + [1] * 4 + [2] * 4 + [0] * 3 + [1] * 3 + [2] * 3
"""Who gets each card in turn; 3 is the skat."""


def number(card: str) -> int:
    """OpenSpiel's number of a card."""
    return 8 * "DHSC".index(suit(card)) + "789QKTAJ".index(card[0])


def compare(seed: int) -> Counts:
    """One deal: the discards, every card of the play, card points and who wins."""
    dice = random.Random(seed)
    declarer, contract = dice.randrange(3), dice.choice(CONTRACTS)
    kind = contract if contract == "grand" else "nullGame" if contract == "null" else "suitGame"

    def choose(seat: int, legal: Sequence[Move]) -> Move:
        call = "bid" if seat == declarer else "pass"
        wanted = {Move("choose", word) for word in (call, "takeSkat", kind, contract)}
        return next((move for move in legal if move in wanted), dice.choice(legal))

    played = play(make_game("skat"), seed, choose, chance=(ClumpedChance if seed % 2 else RandomChance)(seed))
    story = list(decisions(played))
    hands = [sorted(hand) for hand in story[0].hands]
    hands.append(sorted(PACK.difference(*hands)))
    piles = [iter(hand) for hand in hands]
    peer = Peer("skat")
    peer.chance(number(next(piles[pile])) for pile in DEAL)
    for seat in range(declarer):
        peer.move(seat, PASS)
    peer.move(declarer, PASS + 1 + CONTRACTS.index(contract))
    for decision in story:
        if decision.move.startswith(("pick", "play")):
            peer.decide(decision.seat, map(number, decision.legal_cards), number(decision.card))

    final = {event.name: event.value for event in played.events if event.kind == "assign" and event.owner is None}
    won = final["won"] == "yes"
    points = int(str(final["cardPoints"]))
    if contract == "null":
        points = 90 if won else 30  # what OpenSpiel makes of it
    assert won == (points > 60)
    assert [score > 0 for score in played.outcome.scores] == [won and seat == declarer for seat in range(3)]
    assert peer.returns() == [(points - 60) / 120 if seat == declarer else (60 - points) / 240 for seat in range(3)]
    return Counts(["games", "results", f"{contract}_games", "won" if won else "lost"]) + Counts(
        positions=peer.positions
    )
