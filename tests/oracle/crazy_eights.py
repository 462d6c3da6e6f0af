"""Crazy Eights against OpenSpiel's with two players, special cards and one card to draw a turn.

What is the same, once it is written in OpenSpiel's words:

- its queen gives another turn as Law's king does, so kings and queens change places; its ace does nothing for two
- to pass, and so to pick up a card, is to draw one and then to pass
- an eight names the suit that it has

What is not the same, and how both are kept together:

- OpenSpiel deals seven cards and turns one up: the chart's last card of the pack is turned up there, both draw their
  eighth card, and the leader plays the card that the chart's leader begins with
- whoever picks up for a two loses the turn there, but not here: the other one draws a card and passes there. This
  stray card, from the bottom of the pack, is one that the chart's player does not have; that player wins with no others
- the empty pack: no comparison once a stray card might be missing
- a last card ends the game there, but a last two may be answered here: then the winner is not compared
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from fcdl.model.chance import ScriptedChance
from fcdl.model.moves import PASS as CHART_PASS
from fcdl.model.moves import Move
from fcdl.model.outcome import Reason
from tests.games.table import RANKS, Decision, decisions, make_game, play, suit
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
        self.answering = False
        """Whether the next decision is the answer to a two."""

    def begin(self, leader: int, hands: Sequence[Sequence[str]], turned: str, first: str) -> None:
        """The deal and the first card."""
        other = 1 - leader
        dealt = [hands[seat][place] for place in range(7) for seat in (other, leader)]
        self.peer.chance([DEALER + leader, *map(number, dealt), number(turned)])
        self.peer.move(other, DRAW)
        self.peer.chance([number(hands[other][7])])
        self.peer.move(other, PASS)
        self.peer.move(leader, DRAW)
        self.peer.chance([number(hands[leader][7])])
        self.peer.move(leader, number(first))
        self.name_suit(leader, first)
        self.answering = first[0] == "2"

    def name_suit(self, seat: int, card: str) -> None:
        """What follows an eight."""
        if card[0] == "8" and not self.peer.over:
            self.peer.move(seat, NAME_SUIT + "CDHS".index(suit(card)))

    def cost(self, decision: Decision) -> int:
        """How many cards somebody picks up after a decision."""
        passes = decision.move == "pass"
        return (2 if passes else 4) if self.answering else int(passes)

    def decide(self, decision: Decision) -> None:
        """Compares a decision and all that comes before the next one."""
        seat, passes, cost = decision.seat, decision.move == "pass", self.cost(decision)
        assert self.peer.hand(seat) == {*map(number, decision.hand), *self.strays[seat]}
        legal = [DRAW if move == "pass" else number(move.split()[1]) for move in decision.legal]
        self.peer.decide(seat, legal, DRAW if passes else number(decision.card), self.strays[seat])
        if not passes:
            self.name_suit(seat, decision.card)
        self.answering = not self.answering and not passes and decision.card[0] == "2"
        if self.peer.over:
            return
        if cost == 4:
            self.peer.move(1 - seat, DRAW)
        self.pick_up(seat if passes else 1 - seat, cost)

    def pick_up(self, seat: int, cost: int) -> None:
        """Cards for one player; more than one of them cost the turn, which comes back at the price of a stray card."""
        self.peer.chance(number(self.pack.pop(0)) for _ in range(cost))
        if cost == 1:
            self.peer.move(seat, PASS)
        elif cost > 1:
            other = 1 - seat
            self.peer.move(other, DRAW)
            self.strays[other].append(number(self.pack.pop()))
            self.peer.chance(self.strays[other][-1:])
            self.peer.move(other, PASS)

    def check_winner(self, winner: int) -> None:
        """The winner is the same, or has only stray cards."""
        if self.peer.over:
            assert [result == 0 for result in self.peer.returns()] == [seat == winner for seat in range(2)]
        else:
            assert self.peer.hand(winner) == set(self.strays[winner])


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
    opening = [Move("play", first)]

    def choose(_seat: int, legal: Sequence[Move]) -> Move:
        if opening:
            return opening.pop()
        plays = [move for move in legal if move != CHART_PASS]
        return dice.choice(plays) if plays and dice.random() < 0.95 else CHART_PASS

    script = ScriptedChance([[deck.cards_with_code(card)[0] for card in cards], leader])
    played = play(game, seed, choose, script)
    story = list(decisions(played))
    assert (story[0].seat, story[0].hands) == (leader, tuple(map(frozenset, hands)))

    table = Table(cards[16:-1])
    table.begin(leader, hands, turned, first)
    counts = Counts(games=1)
    compared = True
    for decision in story[1:]:
        if table.peer.over:  # with a two, to which there is an answer here
            assert table.answering
            compared = decision.move == "pass"
            counts["last_twos_answered"] += not compared
            break
        if (cost := table.cost(decision)) and len(table.pack) < cost + 2:
            compared = False
            counts["packs_used_up"] += 1
            break
        counts["answers_to_twos"] += table.answering
        table.decide(decision)
    if compared:
        assert (played.outcome.reason, sum(played.outcome.scores)) == (Reason.END, 1)
        table.check_winner(played.outcome.scores.index(1))
    return counts + Counts(results=int(compared), positions=table.peer.positions)
