"""Kuhn and Leduc Poker against OpenSpiel: everything is compared."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from tests.games.table import decisions, make_game, play
from tests.oracle.peer import Counts, Peer

KUHN = {"check": 0, "fold": 0, "bet": 1, "call": 1}
LEDUC = {"fold": 0, "call": 1, "raise": 2}


def compare(name: str, actions: Mapping[str, int], seed: int) -> Counts:
    """One game: every word, and the chips."""
    played = play(make_game(name), seed)
    deck = played.game.flowchart.deck
    suits = len(deck.suits)

    def number(code: str) -> int:
        card = deck.cards_with_code(code)[0]
        return deck.rank_of(card) * suits + deck.suit_of(card)

    story = list(decisions(played))
    board = [
        event.cards[0] for event in played.events if event.kind == "move" and event.target == "board" and event.cards
    ]
    peer = Peer(name)
    peer.chance(number(card) for hand in story[0].hands for card in hand)
    for decision in story:
        if peer.state.is_chance_node():
            peer.chance(map(number, board))
        legal = [actions[move.split()[1]] for move in decision.legal]
        peer.decide(decision.seat, legal, actions[decision.move.split()[1]])
    assert peer.returns() == list(played.outcome.scores)
    return Counts(games=1, positions=peer.positions, results=1, boards=len(board))


kuhn = partial(compare, "kuhn_poker", KUHN)
leduc = partial(compare, "leduc_poker", LEDUC)
