"""Blackjack against OpenSpiel: one player, hitting and standing, the cards of the dealer, who wins."""

from __future__ import annotations

import random
from collections.abc import Sequence

from fcdl.model.moves import Move
from tests.games.table import decisions, make_game, play, suit
from tests.oracle.peer import Counts, Peer

HIT, STAND = 0, 1


def number(card: str) -> int:
    """OpenSpiel's number of a card."""
    return 13 * "CDHS".index(suit(card)) + "A23456789TJQK".index(card[0])


def compare(seed: int) -> Counts:
    """One deal without doubling and without naturals, which OpenSpiel does not know."""
    dice = random.Random(seed)

    def choose(_: int, legal: Sequence[Move]) -> Move:
        return dice.choice([move for move in legal if move.what != "double"])

    played = play(make_game("blackjack", 1, {"deals": 1}), seed, choose)
    moves = [(str(event.target), event.cards or ()) for event in played.events if event.source == "pack"]
    mine = [card for target, cards in moves if target == "box(0)" for card in cards]
    house = [card for target, cards in moves if target in ("upcard", "hole") for card in cards]
    naturals = [
        {cards[0][0], cards[1][0]} & {"A"} and {cards[0][0], cards[1][0]} & set("TJQK") for cards in (mine, house)
    ]
    if any(naturals):
        return Counts(games=1, naturals=1)
    peer = Peer("blackjack")
    peer.chance(map(number, mine[:2] + house[:2]))
    drawn = iter(mine[2:])
    for decision in decisions(played):
        legal = {move.partition(" ")[2] for move in decision.legal} - {"double"}
        assert legal == {"hit", "stand"}
        hits = decision.move == "choose hit"
        peer.decide(0, [HIT, STAND], HIT if hits else STAND)
        if hits:
            peer.chance([number(next(drawn))])
    if peer.state.current_player() == 0:
        peer.move(0, STAND)  # who has 21 is not asked here
    peer.chance(map(number, house[2:]))
    (score,) = played.outcome.scores
    assert peer.returns() == [(score > 0) - (score < 0)]
    return Counts(games=1, positions=peer.positions, results=1)
