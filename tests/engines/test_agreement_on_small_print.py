"""Small print on which engines once differed: all three give the same events and outcomes."""

from __future__ import annotations

import pytest

from fcdl.engines.asp import AspEngine
from fcdl.engines.stepping import SteppingEngine
from fcdl.language.load import load_text
from fcdl.model import Game, RandomChance, Reason
from tests.engines.lockstep import play_in_lockstep

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.engines.native import NativeEngine

SEEN_BY_OTHERS = """
players 3
zone forehead(player): seen by others
chart main
start
Shuffle
p = player(0)
again:
move(1, pack, forehead(p))
p = next(p)
p == player(0)?  no -> again
end
"""

SHUFFLE_OF_NOBODY = """
chart main
start
p = player(7)
shuffle(hand(p))
end
"""

TEAMS_OF_NOBODY = """
players 4
teams 0 2, 1 3
chart main
start
p = player(7)
score(player(0)) = if(sameTeam(p, p), 1, 0)
score(player(1)) = playerNumber(partner(p))
score(player(2)) = if(sameTeam(player(0), player(2)), 5, 6)
end
"""

DEAL_OF_WHAT_IS_THERE = """
deck ranks 2 3 4 5 suits clubs hearts
chart main
start
Shuffle
Deal(count(pack) / numberOfPlayers)
score(player(1)) = cardsRemaining(player(1))
end
"""

PASSING_FOR_EVER = """
chart main
start
turn = player(0)
again:
playCardOrPass(turn, cards)
turn = next(turn)
score(turn) < 1?  yes -> again
end
"""

CHOOSING_WHO_CHOOSES = """
players 3
chart main
start
p = player(2)
choose(p, p, players q in players where q == player(1))
choose(if(p == p, p, p), p, players q in players where q == player(0))
score(p) = 1
end
"""

DRAWN_ONCE_AND_ALWAYS = """
players 4
chart main
start
a = 3
b = if(a > 0, a, random(6))
sure = a > 0 | random(2) == 1
either = if(random(2) == 1, a > 0, b > 3)
c = sum(random(6) * 0 for x in 1 to 3)
score(player(0)) = 1
score(player(3)) = if(sure | either, b, c)
end
"""

WIDE_DECK_OF_PARTS = """
deck ranks 1 to 30 suits stars moons copies 3
deck ranks 5 to 10 suits moons
deck ranks joker suits red black copies 4
table points: joker 50, moons 2, else 1
chart main
start
Shuffle
Deal(60)
move(cards c in hand(player(1)) where rankValue(c) > 9, hand(player(1)), stack)
again:
playCard(player(0), cards)
pick(player(0), 2, card(any, moons), hand(player(0)), middle(player(0)))
cardsRemaining(player(0)) > 40? yes -> again
score(player(0)) = count(union(union(stack, pack), union(hand(player(0)), union(hand(player(1)), middle(player(0))))))
score(player(1)) = sum(points(c) for c in cards)
end
"""

PLACES_IN_A_ZONE = """
deck ranks 1 to 8 suits stars
chart main
start
move(4, pack, stack)
move(2, pack, stack, 3)
move(7S, pack, stack, 99)
move(8S, pack, stack, 0)
move(all, middle(none), stack, 2)
score(player(0)) = sum(rankValue(at(stack, k)) * k for k in 1 to 9) + position(7S, stack) * 10000
high = sum(rankValue(c) for c in top(stack, 3))
score(player(1)) = high * 100 + sum(rankValue(c) for c in bottom(stack, 2)) + position(none, stack)
end
"""

MOVED_WITHIN_A_ZONE = """
deck ranks 1 to 5 suits stars
chart main
start
move(card(any, stars), pack, stack)
move(top(stack, 2), stack, stack, 3)
n = rankValue(at(stack, 1)) * 1000 + rankValue(at(stack, 2)) * 100
score(player(0)) = n + rankValue(at(stack, 3)) * 10 + rankValue(at(stack, 4))
score(player(1)) = rankValue(at(stack, 5)) + rankValue(at(stack, 6)) + rankValue(at(stack, 0))
end
"""

NAMES_MEAN_ALL_COPIES = """
deck ranks 2 3 suits hearts copies 3
chart main
start
move(bottom(pack), pack, stack)
move(bottom(pack), pack, stack)
score(player(0)) = count(c in cards where c == 3H) + if(3H in stack, 10, 0) + if(2H in stack, 100, 0)
move(3H, stack, middle(player(0)))
score(player(1)) = count(middle(player(0))) + position(3H, pack) * 10 + count(c in pack where c != 3H) * 100
end
"""

KEYS_THAT_ARE_NOT_THERE = """
players 4
teams 0 2, 1 3
zone slot(player, 1 to 2): face up
each team has won = 0
each suit has led = none
chart main
start
p = player(7)
move(all, slot(p, 1), stack)
won(player(1)) = 3
won(player(3)) = won(player(3)) + 4
led(hearts) = 2S
n = count(slot(player(0), 3)) + won(p) + won(player(1))
score(player(0)) = n + rankValue(led(none)) + rankValue(led(hearts)) * 10
led(suit(top(slot(p, 1)))) = 2S
end
"""


@pytest.mark.parametrize(
    ("source", "reason", "scores"),
    [
        (SEEN_BY_OTHERS, Reason.END, (0, 0, 0)),
        (SHUFFLE_OF_NOBODY, Reason.FAULT, (0, 0)),
        (TEAMS_OF_NOBODY, Reason.END, (1, -1, 5, 0)),
        (DEAL_OF_WHAT_IS_THERE, Reason.END, (0, 4)),
        (PASSING_FOR_EVER, Reason.STALEMATE, (0, 0)),
        (CHOOSING_WHO_CHOOSES, Reason.END, (1, 0, 0)),
        (DRAWN_ONCE_AND_ALWAYS, Reason.END, (1, 0, 0, 3)),
        # The stack from the top, in order: 8 4 3 6 5 2 1 7.
        (PLACES_IN_A_ZONE, Reason.END, (8 + 8 + 9 + 24 + 25 + 12 + 7 + 56 + 80000, 1500 + 8)),
        (MOVED_WITHIN_A_ZONE, Reason.END, (3 * 1000 + 4 * 100 + 5 * 10 + 2, 1)),
        (NAMES_MEAN_ALL_COPIES, Reason.END, (3 + 10, 2 + 40 + 300)),
        (KEYS_THAT_ARE_NOT_THERE, Reason.FAULT, (7 + 20, 0, 0, 0)),
        (WIDE_DECK_OF_PARTS, Reason.END, (194, 90 + 2 * 96 + 8 * 50)),
    ],
)
def test_all_engines_agree(source: str, reason: Reason, scores: tuple[int, ...]) -> None:
    flowchart = load_text(source).flowchart
    assert flowchart is not None
    game = Game.make(flowchart, name="small")
    native = NativeEngine(game)
    play_in_lockstep(native, AspEngine(game), 1)
    play_in_lockstep(native, SteppingEngine(game), 1)
    played = native.play_games(1, 1)
    assert tuple(played.scores[0]) == scores
    assert played.reasons[str(reason)] == 1


def test_moves_come_in_the_same_order_whatever_copies_are_held() -> None:
    """With the first copies of some cards and the second of others in hand, the list is that of the cards' names."""
    source = "deck standard copies 2\nchart main\nstart\nShuffle\nDeal(13)\nplayCard(player(0), cards)\nend\n"
    flowchart = load_text(source).flowchart
    assert flowchart is not None
    engine = NativeEngine(Game.make(flowchart, name="small"))
    order = [flowchart.deck.code(card) for card in range(flowchart.deck.size)]
    for seed in range(10):
        legal = [move.what for move in engine.legal(engine.start(RandomChance(seed)))]
        assert legal == sorted(legal, key=order.index)
