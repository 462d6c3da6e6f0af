"""Cribbage against OpenSpiel: whole games, every discard, every card of the pegging, the score before each deal.

OpenSpiel's seat 0 deals first, so its seats are counted from the chart's first dealer. Who cannot play says so there
(an action `Pass`) and is passed over here; the two cards for the crib are one action there and two moves here.

OpenSpiel 2.0.2 counts a flush of four in the crib, where the rules want all five cards: no comparison after that. It
also counts the whole deal after somebody has 121 points: the winner is compared where only one player gets there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from tests.games.table import Decision, decisions, make_game, play, suit
from tests.oracle.peer import Counts, Peer

PASS = 2756


def number(card: str) -> int:
    """OpenSpiel's number of a card."""
    return 13 * "CDHS".index(suit(card)) + "A23456789TJQK".index(card[0])


def compare(seed: int) -> Counts:
    """One game to 121 points."""
    played = play(make_game("cribbage"), seed)
    story = list(decisions(played))
    starters = iter(
        event.cards[0]
        for event in played.events
        if event.kind == "move" and (event.source, event.target) == ("pack", "starter") and event.cards
    )
    peer = Peer("cribbage")
    counts = Counts(games=1)
    for deal in _deals(story):
        if _compare_deal(peer, deal, next(starters), int(story[0].values["dealer"])):
            return counts + Counts(positions=peer.positions, flushes_in_the_crib=1)
        counts["deals"] += 1
    _pass_on(peer)
    theirs = re.search(r"Scores: (\d+) (\d+)", str(peer.state))
    assert theirs is not None
    reached = [score for score in map(int, theirs.groups()) if score >= 121]
    if len(reached) == 1:
        first_dealer, scores = int(story[0].values["dealer"]), played.outcome.scores
        assert [score > 0 for score in peer.returns()] == [scores[first_dealer] >= 121, scores[1 - first_dealer] >= 121]
    return counts + Counts(positions=peer.positions, results=int(len(reached) == 1))


def _deals(story: list[Decision]) -> Iterator[list[Decision]]:
    """The decisions of each deal; one begins when both have six cards."""
    starts = [place for place, decision in enumerate(story) if all(len(hand) == 6 for hand in decision.hands)]
    yield from (story[start:end] for start, end in zip(starts, [*starts[1:], len(story)], strict=True))


def _compare_deal(peer: Peer, deal: list[Decision], starter: str, first_dealer: int) -> bool:
    """Compares a deal; returns whether its crib is a flush for OpenSpiel and none here."""

    def theirs(seat: int) -> int:
        return (seat - first_dealer) % 2

    _pass_on(peer)
    ours = [int(deal[0].values.get(f"score({(seat + first_dealer) % 2})", 0)) for seat in range(2)]
    assert f"Scores: {ours[0]} {ours[1]}\n" in str(peer.state)
    hands = {theirs(seat): sorted(hand) for seat, hand in enumerate(deal[0].hands)}
    peer.chance(number(hands[dealt // 6][dealt % 6]) for dealt in range(12))
    crib = deal[:4]
    for seat in range(2):
        names = {
            frozenset(peer.state.action_to_string(seat, action).split()[1:]): action
            for action in peer.state.legal_actions()
        }
        assert set(names) == set(map(frozenset, combinations(hands[seat], 2)))
        peer.decide(seat, names.values(), names[frozenset(d.card for d in crib if theirs(d.seat) == seat)])
    peer.chance([number(starter)])
    for decision in deal[4:]:
        _pass_on(peer)
        peer.decide(theirs(decision.seat), map(number, decision.legal_cards), number(decision.card))
    return {suit(decision.card) for decision in crib} != {suit(starter)} and len({suit(d.card) for d in crib}) == 1


def _pass_on(peer: Peer) -> None:
    """Everybody who cannot play says so."""
    while not peer.over and not peer.state.is_chance_node() and peer.state.legal_actions() == [PASS]:
        peer.state.apply_action(PASS)
