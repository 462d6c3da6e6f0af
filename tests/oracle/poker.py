"""Kuhn and Leduc poker against OpenSpiel: every bet and the chips won."""

from __future__ import annotations

from tests.games.table import decisions, make_game, play
from tests.oracle.peer import Counts, Peer

KUHN = {"check": 0, "bet": 1, "fold": 0, "call": 1}
LEDUC = {"fold": 0, "call": 1, "raise": 2}
RANKS = "JQK"


def _compare(name: str, words: dict[str, int], copies: int, seed: int) -> Counts:
    """One deal; OpenSpiel's cards are numbered by rank, `copies` of each."""
    played = play(make_game(name), seed)
    story = list(decisions(played))
    left = {rank: [copies * place + copy for copy in range(copies)] for place, rank in enumerate(RANKS)}
    peer = Peer(name)
    peer.chance(left[next(iter(hand))[0]].pop() for hand in story[0].hands)
    board = [card for event in played.events if event.target == "board" for card in event.cards or ()]
    for decision in story:
        if peer.state.is_chance_node():
            peer.chance([left[board.pop()[0]].pop()])
        legal = (move.partition(" ")[2] for move in decision.legal)
        peer.decide(decision.seat, (words[word] for word in legal), words[decision.move.partition(" ")[2]])
    assert peer.returns() == list(played.outcome.scores)
    return Counts(games=1, positions=peer.positions, results=1)


def compare_kuhn(seed: int) -> Counts:
    """One deal of Kuhn poker."""
    return _compare("kuhn_poker", KUHN, 1, seed)


def compare_leduc(seed: int) -> Counts:
    """One deal of Leduc poker."""
    return _compare("leduc_poker", LEDUC, 2, seed)
