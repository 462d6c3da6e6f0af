"""Spades against OpenSpiel: the first deal of a game, bids, every card, the points.

In OpenSpiel 2.0.2 spades are never broken: they may be led only by a player who has nothing else. So they are here.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from fcdl.model.chance import RandomChance
from fcdl.model.moves import Move
from tests.games.table import ClumpedChance, decisions, make_game, play, strength, suit
from tests.oracle.peer import Counts, Peer

NIL = 52
BIDS, CARDS = 4, 52


def number(card: str) -> int:
    """OpenSpiel's number of a card."""
    return 13 * "CDHS".index(suit(card)) + strength(card)


def without_spades(cards: set[str]) -> set[str]:
    """What may be led before spades are broken."""
    return {card for card in cards if suit(card) != "S"} or cards


def compare(seed: int) -> Counts:
    """The first deal; in OpenSpiel partners may not bid more than 13 tricks together, so they do not here."""
    dice = random.Random(seed)
    bids: dict[int, int] = {}
    made = 0

    def choose(seat: int, legal: Sequence[Move]) -> Move:
        nonlocal made
        made += 1
        if made <= BIDS:
            bids[seat] = min(13 - bids.get((seat + 2) % 4, 0), dice.choice([0, 1, 2, 3, 4, 5, 9, 13]))
            return legal[bids[seat]]
        if (made - BIDS) % 4 == 1 and made <= BIDS + CARDS:
            cards = without_spades({move.what for move in legal})
            return dice.choice([move for move in legal if move.what in cards])
        return dice.choice(legal)

    chance = (ClumpedChance if seed % 2 else RandomChance)(seed)
    played = play(make_game("spades", options={"target": 100}), seed, choose, chance)
    story = list(decisions(played))[: BIDS + CARDS]
    first = story[0].seat
    hands = [sorted(story[0].hands[(first + seat) % 4]) for seat in range(4)]
    peer = Peer("spades", win_threshold=100_000, use_mercy_rule=False)
    peer.chance(number(hands[dealt % 4][dealt // 4]) for dealt in range(CARDS))
    for count, decision in enumerate(story):
        seat, word = (decision.seat - first) % 4, decision.move.partition(" ")[2]
        if count < BIDS:
            most = 13 - bids[(decision.seat + 2) % 4] if count >= 2 else 13
            peer.decide(seat, range(NIL, NIL + most + 1), NIL + int(word))
            assert len(decision.legal) == 14
        else:
            leads = (count - BIDS) % 4 == 0
            legal = without_spades(decision.legal_cards) if leads else decision.legal_cards
            peer.decide(seat, map(number, legal), number(word))
    deals = [place for place, event in enumerate(played.events) if event.kind == "shuffle"]
    first_deal = played.events[: deals[1] if len(deals) > 1 else None]
    scores = {event.owner: int(str(event.value)) for event in first_deal if event.name == "score"}
    tricks = {event.owner: int(str(event.value)) for event in first_deal if event.name == "tricks"}
    if any(
        tricks[seat] for seat, bid in bids.items() if bid == 0
    ):  # OpenSpiel counts the tricks of a failed nil otherwise
        return Counts(games=1, positions=peer.positions, failed_nils=1)
    assert peer.returns() == [scores[(first + seat) % 4] for seat in range(4)]
    return Counts(games=1, positions=peer.positions, results=1, nils=list(bids.values()).count(0))
