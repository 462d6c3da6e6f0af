"""Oh Hell against OpenSpiel, which knows a single round: every round of a game is compared with one of those.

OpenSpiel turns up a card for trumps. It gets one of the suit that the chart names, from the cards that nobody holds;
for a round without trumps, one of a suit that nobody holds. A round for which there is no such card is left out.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import groupby

from fcdl.model.chance import RandomChance
from tests.games.table import RANKS, Decision, decisions, make_game, play, strength, suit
from tests.oracle.peer import Counts, Peer

PACK = frozenset(rank + color for rank in RANKS for color in "CDSH")


def number(card: str) -> int:
    """OpenSpiel's number of a card."""
    return 4 * strength(card) + "CDSH".index(suit(card))


class ShortChance(RandomChance):
    """Every second time leaves one suit at the bottom of the pack, where nobody gets it from a small deal."""

    def shuffle(self, cards: Sequence[int]) -> list[int]:
        """A random order, perhaps with a suit at the end."""
        order = super().shuffle(cards)
        last = self.number(8)
        return sorted(order, key=lambda card: card // 13 == last)


def turned_up(hands: Sequence[frozenset[str]], trumps: str) -> str | None:
    """A card to turn up for trumps."""
    held = frozenset[str]().union(*hands)
    suits = {trumps[0].upper()} if trumps != "none" else set("CDSH") - set(map(suit, held))
    return min((card for card in PACK - held if suit(card) in suits), default=None)


def scores(decision: Decision) -> list[int]:
    """The scores before a decision."""
    return [int(decision.values.get(f"score({seat})", 0)) for seat in range(len(decision.hands))]


def compare_round(story: Sequence[Decision], after: Sequence[int]) -> Counts:
    """One round: every bid, every card, the points."""
    seats = len(story[0].hands)
    bids, cards = story[:seats], story[seats:]
    hands, trumps = cards[0].hands, cards[0].values["trumps"]
    card = turned_up(hands, trumps)
    if card is None:
        return Counts(rounds_left_out=1)
    size = len(hands[0])
    dealt = [sorted(hand) for hand in hands]
    peer = Peer("oh_hell", players=seats)
    peer.chance([size, bids[-1].seat])
    peer.chance(number(dealt[place % seats][place // seats]) for place in range(size * seats))
    peer.chance([number(card)])
    for bid in bids:
        peer.decide(bid.seat, [52 + int(move.split()[1]) for move in bid.legal], 52 + int(bid.move.split()[1]))
    for decision in cards:
        peer.decide(decision.seat, map(number, decision.legal_cards), number(decision.card))
    before = scores(story[0])
    assert peer.returns() == [now - then for now, then in zip(after, before, strict=True)]
    return Counts(rounds=1, positions=peer.positions, results=1, rounds_without_trumps=int(trumps == "none"))


def compare(seed: int) -> Counts:
    """A game of several rounds with random options."""
    dice = random.Random(seed)
    players = dice.randint(3, 7)
    options: dict[str, str | int] = {
        "firstHand": dice.randint(1, 51 // players),
        "rounds": dice.choice(["down", "downAndUp"]),
        "noTrumps": dice.choice([0, 0, 3]),
        "halfBlind": dice.choice([0, 0, 2]),
        "blind": dice.choice([0, 0, 4]),
    }
    played = play(make_game("oh_hell", players, options), seed, chance=ShortChance(seed))
    rounds = [list(part) for _, part in groupby(decisions(played), lambda decision: decision.values["round"])]
    ends = [scores(story[0]) for story in rounds[1:]] + [list(played.outcome.scores)]
    counts = Counts(games=1)
    for story, after in zip(rounds, ends, strict=True):
        counts += compare_round(story, after)
    return counts
