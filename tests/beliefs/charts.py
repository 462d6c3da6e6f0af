"""Small charts whose hidden worlds can all be searched, each with another kind of secret."""

PRIVATE = """
deck ranks 2 3 4 suits clubs hearts
secret luck
chart main
start
Shuffle
Deal(2)
private some(c in hand(player(0)) where rank(c) == 4)?    no -> plain
luck = 1 -> play
plain:
luck = 2
play:
playCard(player(0), card(any, any))
private playerHas(player(1), card(any, clubs))?    no -> other
score(player(0)) = score(player(0)) + 1 -> done
other:
score(player(1)) = score(player(1)) + 2
done:
playCard(player(1), card(any, any))
score(player(0)) = score(player(0)) + luck
playCard(player(0), card(any, any))
end
"""

PASSES = """
deck ranks 2 3 4 suits clubs hearts
chart main
start
Shuffle
Deal(2)
private playerHas(player(1), card(any, clubs))?    no -> second
playCardOrPass(player(1), card(any, clubs))
passed(player(1))?    no -> done
second:
private playerHas(player(1), card(4, any))?    no -> done
playCardOrPass(player(1), card(4, any))
passed(player(1))?    yes -> done
score(player(1)) = 1
done:
score(player(0)) = 1
playCard(player(0), card(any, any))
end
"""

LASTING = """
deck ranks 2 3 suits clubs hearts
each player has bid = 0
secret bid
chart main
start
round = 0
again:
Shuffle
Deal(1)
choose(player(1), bid(player(1)), {0, 1 if playerHas(player(1), card(3, any)), 2})
playCard(player(0), card(any, any))
round = round + 1
round < 2?    yes -> again
bid(player(1)) == 0?    no -> rich
playCard(player(1), card(any, any)) -> finish
rich:
score(player(0)) = 1
playCard(player(1), card(any, any))
finish:
playCardOrPass(player(0), card(any, any))
end
"""

TOLD = """
deck ranks 2 3 4 suits clubs hearts
chart main
start
Shuffle
Deal(2)
publish("Player 1 has #{count(c in hand(player(1)) where suit(c) == hearts)} hearts and #{top(pack)} is on top.")
playCard(player(0), card(any, any))
publish("In his hand: #{cards c in hand(player(1)) where rank(c) == 2}.")
playCard(player(1), card(any, any))
playCard(player(0), card(any, any))
end
"""

RESHUFFLED = """
deck ranks 2 3 4 suits clubs hearts
chart main
start
Shuffle
Deal(2)
move(bottom(pack), pack, stack)
playCard(player(0), card(any, any))
playCard(player(1), card(any, any))
Stack.empty
move(all, pack, hand(player(0)))
move(all, stack, pack)
shuffle(pack)
pickUp(player(1), 1)
playCard(player(0), card(any, any))
playCard(player(1), card(any, any))
pickUp(player(0), 1)
playCardOrPass(player(0), card(any, any))
end
"""

BLIND_PICKS = """
deck ranks 2 3 4 suits clubs hearts
zone heap: face down
chart main
start
Shuffle
Deal(2)
pick(player(0), 1, card(any, any), hand(player(0)), heap)
pick(player(1), 1, cards c in hand(player(1)) where suit(c) == clubs | rank(c) == 4, hand(player(1)), heap)
playCardOrPass(player(1), card(any, any))
move(all, heap, hand(player(1)))
pick(player(1), 2, card(any, any), hand(player(1)), heap)
move(card(any, hearts), heap, hand(player(0)))
playCardOrPass(player(0), card(any, any))
playCardOrPass(player(1), card(any, any))
pickUp(player(1), 1)
playCardOrPass(player(0), card(any, any))
end
"""

SORTED_MOVES = """
deck ranks 2 3 4 suits clubs hearts
zone kitty(player): seen by owner
chart main
start
Shuffle
Deal(3)
move(cards c in hand(player(1)) where rank(c) == 2, hand(player(1)), kitty(player(1)))
playCardOrPass(player(0), card(any, any))
move(cards c in cards where suit(c) == hearts, hand(player(1)), kitty(player(1)))
playCardOrPass(player(1), card(any, any))
show(kitty(player(1)), player(0))
playCardOrPass(player(0), card(any, any))
end
"""

HANDS = """
deck ranks 2 3 suits clubs hearts
zone table: face up
chart main
start
turn = player(0)
hand:
Shuffle
Deal(1)
move(1, pack, table)
playCardOrPass(turn, card(any, suit(table)))
playCardOrPass(next(turn), cards c in cards where suit(c) == suit(table) | rank(c) == 3)
score(turn) = score(turn) + 1
turn = next(turn)
turn == player(0)?    no -> hand
end
"""

UNSHUFFLED = """
deck ranks 2 3 suits clubs hearts
zone pot: face down
chart main
start
first = player(random(2))
pickUp(first, 2)
pick(first, 1, card(any, any), hand(first), pot)
pickUp(next(first), 1)
playCard(next(first), card(any, any))
playCard(first, card(any, any))
end
"""

OPEN_ORDER = """
deck ranks 2 3 4 5 suits clubs
zone pile: face up
chart main
start
Shuffle
Deal(1)
move(2, pack, pile)
shuffle(pile)
rankValue(top(pile)) > rankValue(bottom(pile))?    no -> low
score(player(0)) = 1
low:
playCard(player(0), card(any, any))
playCard(player(1), card(any, any))
move(1, pile, stack)
playCard(player(0), card(any, any))
end
"""
"""A pile lies face up, but nobody sees its order after a shuffle."""

SAMPLED = {
    "private": PRIVATE,
    "passes": PASSES,
    "told": TOLD,
    "reshuffled": RESHUFFLED,
    "blind picks": BLIND_PICKS,
    "sorted moves": SORTED_MOVES,
    "hands": HANDS,
    "unshuffled": UNSHUFFLED,
    "order of an open pile": OPEN_ORDER,
}

TWINS = """
deck ranks 2 3 4 suits clubs copies 2
zone secrets: face down
chart main
start
Shuffle
Deal(2)
playCard(player(0), card(any, any))
playerHas(player(1), card(rank(middle(player(0))), any))?    no -> free
playCard(player(1), card(rank(middle(player(0))), any)) -> draw
free:
playCard(player(1), card(any, any))
draw:
pickUp(player(1), 1)
pick(player(1), 1, cards c in hand(player(1)) where rank(c) != 2, hand(player(1)), secrets)
playCardOrPass(player(0), card(any, any))
playCardOrPass(player(1), card(any, any))
playCardOrPass(player(0), card(any, any))
end
"""

TWIN_DRAWS = """
deck ranks 2 3 4 suits clubs copies 2
chart main
start
Shuffle
Deal(1)
turn = player(0)
again:
playCardOrPass(turn, card(any, any))
pickUp(turn, 1)
turn = next(turn)
count(pack) > 1?    yes -> again
playCardOrPass(turn, card(any, any))
end
"""
