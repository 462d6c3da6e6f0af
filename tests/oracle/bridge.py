"""Contract Bridge against OpenSpiel: one deal with every vulnerability, the auction, every card, the score."""

from __future__ import annotations

import random
from collections.abc import Sequence

from fcdl.model.chance import RandomChance
from fcdl.model.moves import Move
from tests.games.table import ClumpedChance, decisions, make_game, play, strength, suit
from tests.oracle.peer import Counts, Peer

PASS, DOUBLE, REDOUBLE, FIRST_BID = 52, 53, 54, 55
WORDS = {"pass": PASS, "double": DOUBLE, "redouble": REDOUBLE}
SUITS = ["clubs", "diamonds", "hearts", "spades"]
NO_TRUMPS = 4
VULNERABLE = {"nobody": (False, False), "everybody": (True, True), "dealers": (True, False), "others": (False, True)}


def number(card: str) -> int:
    """OpenSpiel's number of a card."""
    return 4 * strength(card) + "CDHS".index(suit(card))


def compare(seed: int) -> Counts:
    """One deal: calls in their parts, cards, the score."""
    dice = random.Random(seed)
    vulnerability = dice.choice(list(VULNERABLE))

    def choose(_: int, legal: Sequence[Move]) -> Move:
        return legal[0] if str(legal[0]) == "choose pass" and dice.random() < 0.6 else dice.choice(legal)

    game = make_game("bridge", options={"deals": 1, "vulnerability": vulnerability})
    played = play(game, seed, choose, chance=(ClumpedChance if seed % 2 else RandomChance)(seed))
    story = list(decisions(played))
    dealer = story[0].seat
    hands = [sorted(story[0].hands[(dealer + seat) % 4]) for seat in range(4)]
    dealers, others = VULNERABLE[vulnerability]
    peer = Peer("bridge", use_double_dummy_result=False, dealer_vul=dealers, non_dealer_vul=others)
    peer.chance(number(hands[dealt % 4][dealt // 4]) for dealt in range(52))
    level, kind = 0, ""
    for decision in story:
        seat, word = (decision.seat - dealer) % 4, decision.move.partition(" ")[2]
        legal = {move.partition(" ")[2] for move in decision.legal}
        if not decision.move.startswith("choose"):
            peer.decide(seat, map(number, decision.legal_cards), number(decision.card))
            continue
        actions = peer.state.legal_actions()
        bids = [divmod(action - FIRST_BID, 5) for action in actions if action >= FIRST_BID]
        if word in ("trumps", "noTrumps", *WORDS):
            suits, without = any(s < NO_TRUMPS for _, s in bids), any(s == NO_TRUMPS for _, s in bids)
            expected = {name for name, action in WORDS.items() if action in actions}
            assert legal == expected | ({"trumps"} if suits else set()) | ({"noTrumps"} if without else set())
            kind = word
            if word in WORDS:
                peer.decide(seat, actions, WORDS[word])
        elif word.isdigit():
            level = int(word)
            assert legal == {str(k + 1) for k, s in bids if (s == NO_TRUMPS) == (kind == "noTrumps")}
            if kind == "noTrumps":
                peer.decide(seat, actions, FIRST_BID + 5 * (level - 1) + NO_TRUMPS)
        else:
            assert legal == {SUITS[s] for k, s in bids if k == level - 1 and s < NO_TRUMPS}
            peer.decide(seat, actions, FIRST_BID + 5 * (level - 1) + SUITS.index(word))
    ours, theirs = (played.outcome.scores[(dealer + seat) % 4] for seat in range(2))
    assert peer.returns() == [ours - theirs, theirs - ours] * 2
    return Counts(games=1, positions=peer.positions, results=1, passed_out=int(len(story) == 4))
