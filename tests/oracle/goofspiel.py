"""Goofspiel against OpenSpiel: every bid and the points, with the rule that nobody takes the prize of a tie."""

from __future__ import annotations

from tests.games.table import decisions, make_game, play
from tests.oracle.peer import Counts, Peer

RANKS = "A23456789TJQK"


def compare(seed: int) -> Counts:
    """A game of two or three; bids that are made at once are made one after the other here."""
    seats = 2 + seed % 2
    played = play(make_game("goofspiel", seats, {"ties": "lost"}), seed)
    prizes = [card for event in played.events if event.target == "prizes" for card in event.cards or ()]
    peer = Peer("goofspiel", players=seats, points_order="random", returns_type="total_points")
    story = list(decisions(played))
    for turn in range(12):  # OpenSpiel plays the last cards by itself
        peer.chance([RANKS.index(prizes[turn][0])])
        bids = story[seats * turn : seats * (turn + 1)]
        for seat, bid in enumerate(bids):
            assert bid.seat == seat
            assert sorted(RANKS.index(card[0]) for card in bid.legal_cards) == peer.state.legal_actions(seat)
            peer.positions += 1
        peer.state.apply_actions([RANKS.index(bid.card[0]) for bid in bids])
    assert peer.returns() == list(played.outcome.scores)
    return Counts(games=1, positions=peer.positions, results=1)
