"""Crazy Eights against OpenSpiel's with two players, special cards and one card to draw a turn.

What is the same, once it is written in OpenSpiel's words:

- its queen gives another turn as Law's king does, so kings and queens change places; its ace does nothing for two
- to pass, and so to pick up a card, is to draw one and then to pass
- an eight names the suit that it has

What is not the same, and how both are kept together:

- OpenSpiel deals seven cards and turns one up: the chart's last card of the pack is turned up there, both draw their
  eighth card, and the leader plays the card that the chart's leader begins with
- whoever picks up for a two loses the turn there, but not here: the other one draws a card and passes there. This
  stray card, from the bottom of the pack, is one that the chart's player does not have; he wins when he has no others
- the empty pack: no comparison from there on
- a last card ends the game there, but a last two may be answered here: then the winner is not compared
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from fcdl.model.chance import ScriptedChance
from fcdl.model.moves import PASS as PASSES
from fcdl.model.moves import Move
from fcdl.model.outcome import Reason
from tests.games.table import RANKS, decisions, make_game, play, suit
from tests.oracle.peer import Counts, Peer

DEALER, DRAW, PASS, NAME_SUIT = 52, 52, 53, 54
ORDINARY = "345679TJQ"


def number(card: str) -> int:
    """OpenSpiel's number of a card, with kings and queens changed over."""
    rank = {"K": "Q", "Q": "K"}.get(card[0], card[0])
    return 4 * RANKS.index(rank) + "CDHS".index(suit(card))


def fits(card: str, last: str) -> bool:
    """Whether a card may be played on another."""
    return card[0] in (last[0], "8") or suit(card) == suit(last)


class Table:
    """OpenSpiel's game, and the pack: drawn from the top for both, from the bottom for OpenSpiel alone."""

    def __init__(self, pack: Sequence[str]) -> None:
        self.pack = list(pack)
        self.peer = Peer("crazy_eights", players=2, max_draw_cards=1, max_turns=100_000, use_special_cards=True)
        self.strays: tuple[list[int], list[int]] = ([], [])

    def play(self, seat: int, card: str) -> None:
        """What comes after a card."""
        if card[0] == "8" and not self.peer.over:
            self.peer.move(seat, NAME_SUIT + "CDHS".index(suit(card)))

    def pick_up(self, seat: int, number_of_cards: int) -> None:
        """Cards for one player; more than one of them cost the turn, which comes back at the price of a stray card."""
        self.peer.chance(number(self.pack.pop(0)) for _ in range(number_of_cards))
        if number_of_cards == 1:
            self.peer.move(seat, PASS)
        else:
            other = 1 - seat
            self.peer.move(other, DRAW)
            self.strays[other].append(number(self.pack.pop()))
            self.peer.chance(self.strays[other][-1:])
            self.peer.move(other, PASS)


def compare(seed: int) -> Counts:
    """One game: every card and pass, and who wins."""
    dice = random.Random(seed)
    game = make_game("crazy_eights")
    deck = game.flowchart.deck
    cards = [deck.code(card) for card in game.cards]
    dice.shuffle(cards)
    leader = dice.randrange(2)
    hands = [cards[:8], cards[8:16]]
    first, turned = dice.choice(
        [(card, last) for card in hands[leader] for last in cards[16:] if last[0] in ORDINARY and fits(card, last)]
    )
    cards.remove(turned)
    cards.append(turned)

    def choose(_seat: int, legal: Sequence[Move]) -> Move:
        if len(legal) == 9 and not begun:
            begun.append(True)
            return Move("play", first)
        return PASSES if dice.random() < 0.05 else dice.choice([move for move in legal if move != PASSES] or legal)

    begun: list[bool] = []
    script = ScriptedChance([[deck.cards_with_code(card)[0] for card in cards], leader])
    played = play(game, seed, choose, script)
    story = list(decisions(played))
    assert (story[0].seat, [set(hand) for hand in hands]) == (leader, [set(hand) for hand in story[0].hands])

    table = Table(cards[16:-1])
    peer, other = table.peer, 1 - leader
    peer.chance([DEALER + leader, *(number(hands[seat][place]) for place in range(7) for seat in (other, leader))])
    peer.chance([number(turned)])
    for seat in (other, leader):
        peer.move(seat, DRAW)
        peer.chance([number(hands[seat][7])])
        if seat == other:
            peer.move(seat, PASS)
    peer.move(leader, number(first))
    table.play(leader, first)

    counts = Counts(games=1)
    answering = first[0] == "2"
    for decision in story[1:]:
        seat = decision.seat
        if peer.over:
            break
        passes = decision.move == "pass"
        cost = (2 if passes else 4) if answering else int(passes)
        if cost and len(table.pack) < cost + 2:
            counts["packs_used_up"] += 1
            break
        assert peer.hand(seat) == set(map(number, decision.hand)) | set(table.strays[seat])
        legal = [DRAW if move == "pass" else number(move.split()[1]) for move in decision.legal]
        peer.decide(seat, legal, DRAW if passes else number(decision.card), table.strays[seat])
        counts["answers_to_twos"] += int(answering)
        if not passes:
            table.play(seat, decision.card)
        if cost == 4 and not peer.over:
            peer.move(1 - seat, DRAW)
        if cost and not peer.over:
            table.pick_up(seat if passes else 1 - seat, cost)
        answering = not answering and not passes and decision.card[0] == "2"
    else:
        # The game ended here, and there perhaps: the winner has at most stray cards.
        counts["results"] = 1
    counts["positions"] = peer.positions
    if peer.over and not counts["results"]:
        # It ended there with a two that was still to be answered here.
        assert answering
        counts["last_twos_answered" if decision.move != "pass" else "results"] = 1
    if counts["results"]:
        winner = played.outcome.scores.index(1)
        assert (played.outcome.reason, sum(played.outcome.scores)) == (Reason.END, 1)
        if peer.over:
            assert [result == 0 for result in peer.returns()] == [seat == winner for seat in range(2)]
        else:
            assert peer.hand(winner) == set(table.strays[winner]) != set()
    return counts
