"""Go Fish against OpenSpiel: every question, every card that is drawn, the books."""

from __future__ import annotations

from tests.games.table import decisions, make_game, play
from tests.oracle.peer import Counts, Peer

RANKS = "23456789TJQKA"
NAMES = {"10": "T", "jack": "J", "queen": "Q", "king": "K", "ace": "A"}


def rank(name: str) -> int:
    """OpenSpiel's number of a rank."""
    return RANKS.index(NAMES.get(name, name))


def compare(seed: int) -> Counts:
    """A game until somebody has no cards or the pack is used up, where OpenSpiel goes on."""
    seats = 2 + seed % 4
    played = play(make_game("go_fish", seats), seed)
    story = iter(decisions(played))
    dealt = [event for event in played.events if event.source == "pack" and str(event.target).startswith("hand")]
    hands = [event.cards or () for event in dealt[:seats]]
    if any([card[0] for card in hand].count(rank) == 4 for hand in hands for rank in RANKS):
        return Counts(games=1, dealt_books=1)  # OpenSpiel deals four more cards for it
    first, size = next(int(str(event.value)) for event in played.events if event.name == "turn"), len(hands[0])
    peer = Peer("go_fish", players=seats, initial_cards=size)
    peer.chance(RANKS.index(card[0]) for seat in range(seats) for card in hands[(first + seat) % seats])
    asked = 0
    for event in played.events:
        if event.kind == "choose":
            decision = next(story)
            seat, legal = (decision.seat - first) % seats, [move.partition(" ")[2] for move in decision.legal]
            theirs = peer.state.legal_actions()
            if event.name == "asked":
                asked = (int(str(event.value)) - first) % seats
                assert {(int(one) - first) % seats for one in legal} == {action // 13 for action in theirs}
            else:
                assert {rank(one) for one in legal} == {action % 13 for action in theirs}
                peer.decide(seat, theirs, 13 * asked + rank(str(event.value)))
        elif event.source == "pack" and str(event.target).startswith("fish"):
            peer.chance(RANKS.index(card[0]) for card in event.cards or ())
    books = [int(line.partition(":")[2]) for line in str(peer.state).splitlines()[2 : 2 + seats]]
    assert books == [played.outcome.scores[(first + seat) % seats] for seat in range(seats)]
    return Counts(games=1, positions=peer.positions, results=1)
