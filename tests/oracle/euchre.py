"""Euchre against OpenSpiel: the first deal of a game; bids, the dealer's discard, playing alone, cards, points."""

from __future__ import annotations

from fcdl.model.chance import RandomChance
from tests.games.table import ClumpedChance, decisions, make_game, play, suit
from tests.oracle.peer import Counts, Peer

RANKS = "9TJQKA"
PASS = 24
CALLS = {"clubs": 25, "diamonds": 26, "hearts": 27, "spades": 28}
ALONE = {"yes": 29, "no": 30}


def number(card: str) -> int:
    """OpenSpiel's number of a card."""
    return 4 * RANKS.index(card[0]) + "CDHS".index(suit(card))


def compare(seed: int) -> Counts:
    """The first deal; in OpenSpiel the dealer may not discard the card just picked up."""
    chance = (ClumpedChance if seed % 2 else RandomChance)(seed)
    played = play(make_game("euchre", options={"target": 1}), seed, chance=chance)
    story = list(decisions(played))
    turned = next(event.cards[0] for event in played.events if event.target == "turned" and event.cards)
    ordered = 25 + "CDHS".index(turned[1])
    dealer = (story[0].seat - 1) % 4
    hands = [sorted(hand) for hand in story[0].hands]
    peer = Peer("euchre", stick_the_dealer=False)
    peer.chance([dealer, *(number(hands[(dealer + dealt) % 4][dealt // 4]) for dealt in range(20)), number(turned)])
    for decision in story:
        seat, word = decision.seat, decision.move.partition(" ")[2]
        legal = {move.partition(" ")[2] for move in decision.legal}
        if peer.over:
            break
        if decision.move.startswith("pick") and word == turned:
            return Counts(games=1, positions=peer.positions, turned_card_discarded=1)
        if decision.move.startswith("pick"):
            peer.decide(seat, map(number, decision.legal_cards - {turned}), number(word))
        elif decision.move.startswith("play"):
            peer.decide(seat, map(number, decision.legal_cards), number(word))
        elif word in CALLS:
            peer.decide(seat, [PASS, *(CALLS[suit] for suit in legal)], CALLS[word])
        elif word in ALONE:
            peer.decide(seat, (ALONE[one] for one in legal), ALONE[word])
        elif word == "order" or "order" in legal:
            peer.decide(seat, [PASS, ordered], ordered if word == "order" else PASS)
        elif word == "pass":
            peer.decide(seat, [PASS, *(set(CALLS.values()) - {ordered})], PASS)
    if not any(peer.returns()):
        return Counts(games=1, positions=peer.positions, passed_out=1)
    scored = [event for event in played.events if event.kind == "assign" and event.name == "score"][:2]
    side = {event.owner for event in scored}
    gain = int(str(scored[0].value))
    assert peer.returns() == [gain if seat in side else -gain for seat in range(4)]
    alone = any(event.name == "alone" and str(event.value) == "yes" for event in played.events)
    return Counts(games=1, positions=peer.positions, results=1, alone=int(alone))
