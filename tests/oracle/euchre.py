"""Euchre against OpenSpiel: the first deal of a game, every bid, the dealer's discard, every card, and the points.

OpenSpiel's dealer may not discard the card that was turned up, which Pagat allows: it is not discarded here. Naming a
suit in the second round is one action there and two moves here.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from fcdl.model.chance import RandomChance, RecordingChance
from fcdl.model.moves import Move
from tests.games.table import Decision, decisions, make_game, play, suit
from tests.oracle.peer import Counts, Peer

PASS, FIRST_SUIT, ALONE, WITH_PARTNER = 24, 25, 29, 30
DEALT = 20


def number(card: str) -> int:
    """OpenSpiel's number of a card."""
    return 4 * "9TJQKA".index(card[0]) + "CDHS".index(suit(card))


def suit_action(name: str) -> int:
    """OpenSpiel's action that names a suit."""
    return FIRST_SUIT + "cdhs".index(name[0])


def compare(seed: int) -> Counts:
    """One deal."""
    dice = random.Random(seed)
    game = make_game("euchre", options={"target": 1})
    deck = game.flowchart.deck
    chance = RecordingChance(RandomChance(seed))

    def turned() -> str:
        order = chance.outcomes[-1]
        assert isinstance(order, list)
        return deck.code(order[DEALT])

    def choose(_seat: int, legal: Sequence[Move]) -> Move:
        return dice.choice([move for move in legal if move.kind != "pick" or move.what != turned()])

    played = play(game, seed, choose, chance)
    story = list(decisions(played))
    order = chance.outcomes[1]
    assert isinstance(order, list)
    upcard = deck.code(order[DEALT])
    dealer = story[0].values["dealer"]
    later = [decision for decision in story if decision.values["dealer"] != dealer]
    after = [int(later[0].values.get(f"score({seat})", 0)) for seat in range(4)] if later else played.outcome.scores
    peer = Peer("euchre", stick_the_dealer=False)
    hands = [sorted(hand) for hand in story[0].hands]
    dealt = (hands[(int(dealer) + place) % 4][place // 4] for place in range(DEALT))
    peer.chance([int(dealer), *map(number, dealt), number(upcard)])
    deal = story[: len(story) - len(later)] if later else story
    counts = Counts(games=1, results=1)
    for decision, following in zip(deal, [*deal[1:], None], strict=True):
        counts.update(_decide(peer, decision, following, upcard))
    gains = peer.returns()
    assert [max(0.0, gain) for gain in gains] == list(after)
    return counts + Counts(positions=peer.positions)


def _decide(peer: Peer, decision: Decision, following: Decision | None, upcard: str) -> Counts:
    """One decision; what is said in the second round is compared with the suit that follows it."""
    kind, what = decision.move.split()
    if kind == "pick":
        peer.decide(decision.seat, map(number, decision.legal_cards - {upcard}), number(what))
    elif kind == "play":
        peer.decide(decision.seat, map(number, decision.legal_cards), number(what))
    elif what in ("yes", "no"):
        peer.decide(decision.seat, (ALONE, WITH_PARTNER), ALONE if what == "yes" else WITH_PARTNER)
        return Counts(alone=what == "yes")
    elif what in ("pass", "order") and "choose order" in decision.legal:
        up = "CDHS".index(suit(upcard)) + FIRST_SUIT
        peer.decide(decision.seat, (PASS, up), PASS if what == "pass" else up)
    elif what == "name":
        assert following is not None
        suits = [suit_action(move.split()[1]) for move in following.legal]
        peer.decide(decision.seat, (PASS, *suits), suit_action(following.move.split()[1]))
        return Counts(named=1)
    elif what == "pass":
        others = set(range(FIRST_SUIT, FIRST_SUIT + 4)) - {"CDHS".index(suit(upcard)) + FIRST_SUIT}
        peer.decide(decision.seat, (PASS, *others), PASS)
    return Counts()
