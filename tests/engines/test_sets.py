"""Decisions for sets of cards, and sets as values: all engines agree, and records say them."""

from __future__ import annotations

import pytest

from fcdl.engines.asp import AspEngine
from fcdl.engines.stepping import SteppingEngine
from fcdl.language.load import load_text
from fcdl.model import Game, IllegalMoveError, Move, RandomChance
from tests.engines.lockstep import play_in_lockstep

native = pytest.importorskip("fcdl.engines.native")

FISHING = """
game "Fishing"
deck ranks ace 2 3 4 5 6 7 suits cups coins swords{copies}
order value: ace 2 3 4 5 6 7
zone board: face up
zone won(player): face down
zone used: face up
define captures = sets s in subsets(board) where sum(value(c) for c in s) == value(top(used))
chart main
    start
    Shuffle
    move(4, pack, board)
    p = player(0)
    Deal(3)
turn:
    playCard(p, cards, used)
    take(p, captures, board, won(p))
    count(won(p)) > 4? yes -> keep no -> lay
keep:
    move(all, used, won(p)) -> next
lay:
    move(all, used, board)
next:
    p = next(p)
    empty(hand(p))? no -> turn yes -> done
done:
    score(p) = count(won(p))
    end
"""
PRESIDENT = """
game "President"
deck ranks 3 4 5 6 7 8 suits clubs diamonds hearts spades{copies}
order power: 3 4 5 6 7 8
zone pile: face up
zone hidden: face down
define beats(s) = isGroup(s) & (empty(pile) | (count(s) == wanted & max(power(c) for c in s) > height))
chart main
    start
    Shuffle
    Deal(6)
    p = player(0)
    wanted = 0
    height = 0
turn:
    playCardsOrPass(p, sets s in subsets(hand(p), 1 to 4) where beats(s), pile)
    passed(p)? yes -> clear no -> on
clear:
    move(all, pile, hidden) -> next
on:
    height = power(top(pile))
    wanted = if(wanted == 0 | count(pile) < 5, 1, 2)
next:
    p = next(p)
    some(q in players where empty(hand(q)))? no -> turn yes -> over
over:
    best = count(s in subsets(hand(p)) where isGroup(s))
    score(p) = best + count(highest(sum(power(c) for c in s) for s in subsets(hand(p), 1 to 2) where isFlush(s)))
    score(next(p)) = max(count(s) for s in subsets(hand(p), 2 to 3) where isRun(s))
    end
"""
BLIND = """
game "Blind"
deck ranks 1 2 3 4 suits red blue{copies}
zone mine(player): seen by owner
zone away: face down
chart main
    start
    Shuffle
    Deal(3)
    playCards(player(0), sets s in subsets(hand(player(0)), 2), away)
    takeOrPass(player(1), sets s in subsets(away) where every(c in s where suit(c) == red), away, mine(player(1)))
    playCards(player(1), sets s in subsets(hand(player(1)), 5), away)
    end
"""
CHARTS = {"fishing": FISHING, "president": PRESIDENT, "blind": BLIND}


def game_of(text: str, copies: str = "") -> Game:
    loaded = load_text(text.replace("{copies}", copies))
    assert loaded.flowchart is not None, [item.message for item in loaded.findings]
    return Game.make(loaded.flowchart, name="sets")


@pytest.mark.parametrize("copies", ["", " copies 2", " copies 9"])
@pytest.mark.parametrize("name", CHARTS)
def test_engines_agree_on_sets(name: str, copies: str) -> None:
    game = game_of(CHARTS[name], copies)
    engine = native.NativeEngine(game)
    for seed in range(6):
        play_in_lockstep(engine, SteppingEngine(game), seed, max_moves=60)
    play_in_lockstep(engine, AspEngine(game), 1, max_moves=8)


def test_one_event_tells_a_set_and_who_sees_it() -> None:
    game = game_of(BLIND)
    engine = native.NativeEngine(game)
    state = engine.start(RandomChance(1))
    move = engine.legal(state)[1]
    assert len(engine.legal(state)) == 3
    assert move.kind == "play"
    assert len(move.cards) == 2
    state = engine.apply(state, move, RandomChance(2))
    mine, other = (engine.observe(state, seat).events[-1] for seat in (0, 1))
    assert (mine.kind, mine.number, mine.cards, mine.move) == ("play", 2, move.cards, move)
    assert (other.kind, other.number, other.cards, other.move) == ("play", 2, None, None)


def test_a_set_is_read_in_any_order_and_other_sets_are_refused() -> None:
    game = game_of(BLIND)
    engine = SteppingEngine(game)
    state = engine.start(RandomChance(1))
    move = engine.legal(state)[0]
    first, second = move.cards
    assert game.read_move(f"play {second.lower()}  {first}") == move
    assert Move.parse(str(move)) == move
    with pytest.raises(IllegalMoveError):
        engine.apply(state, Move("play", first), RandomChance(1))
    with pytest.raises(IllegalMoveError):
        engine.apply(state, Move("take", move.what), RandomChance(1))


def test_large_hands_offer_the_first_sets_up_to_the_limit() -> None:
    text = """
deck ranks 1 to 20 suits red
chart main
    start
    Deal(20)
    playCards(player(0), subsets(hand(player(0))))
    end
"""
    text = text.replace("chart main", "players 1\nchart main")
    game = game_of(text)
    engines = native.NativeEngine(game), SteppingEngine(game)
    lists = [engine.legal(engine.start(RandomChance(1))) for engine in engines]
    assert lists[0] == lists[1]
    assert len(lists[0]) == 4096
    assert [str(move) for move in lists[0][:3]] == ["play 1R", "play 1R 2R", "play 1R 2R 3R"]


@pytest.mark.parametrize(
    "condition",
    [
        "isGroup(s) | isFlush(s) & count(s) <= 6",
        "isFlush(s) & count(s) >= 3 & count(s) <= 5",
        "sum(value(c) for c in s) == 40",
        "sum(value(c) for c in s) == -1",
        "9 == sum(value(c) for c in s)",
    ],
)
def test_engines_count_as_many_sets_of_many_cards(condition: str) -> None:
    text = f"""
players 1
deck ranks 0 to 15 suits red blue
order value: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
chart main
    start
    Deal(32)
    score(player(0)) = count(s in subsets(hand(player(0))) where {condition})
    end
"""
    game = game_of(text)
    engines = native.NativeEngine(game), SteppingEngine(game)
    mine, other = (engine.outcome(engine.start(RandomChance(1))) for engine in engines)
    assert mine is not None
    assert other is not None
    assert mine.scores == other.scores


TOGETHER = """
game "All at once"
players 3
deck ranks 1 2 3 4 5 suits red blue green{copies}
zone board: face up
zone won(player): face down
order value: 1 2 3 4 5
chart main
    start
    Shuffle
    Deal(4)
    move(3, pack, board)
round:
    together playCards(p, sets s in subsets(hand(p), 1 to 2) where isGroup(s) | isFlush(s)) for p in players
    winner = highest(sum(value(c) for c in middle(q)) for q in players)
    move(all, middle(p), won(winner)) for p in players
    together take(p, sets s in subsets(hand(p), 1 to 2), hand(p), hand(next(p))) for
        p in players where cardsRemaining(p) > 1
    some(q in players where empty(hand(q)))?                no -> round
    score(p) = count(won(p)) for p in players
    end
"""


@pytest.mark.parametrize("copies", ["", " copies 2"])
def test_engines_agree_on_sets_that_all_choose_at_once(copies: str) -> None:
    game = game_of(TOGETHER, copies)
    engine = native.NativeEngine(game)
    for seed in range(8):
        play_in_lockstep(engine, SteppingEngine(game), seed, max_moves=60)
    play_in_lockstep(engine, AspEngine(game), 1, max_moves=7)


def test_nobody_sees_a_set_before_all_have_chosen() -> None:
    game = game_of(TOGETHER)
    engine = native.NativeEngine(game)
    chance = RandomChance(3)
    state = engine.start(chance)
    first = engine.legal(state)[-1]
    state = engine.apply(state, first, chance)
    told = [event for event in engine.observe(state, 1).events if event.kind == "play"]
    assert [(event.number, event.cards) for event in told] == [(len(first.cards), None)]
    for _ in range(2):
        state = engine.apply(state, engine.legal(state)[0], chance)
    shown = [event.cards for event in engine.observe(state, 1).events if event.target == "middle(0)"]
    assert shown == [first.cards]
