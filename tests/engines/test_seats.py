"""Boxes for all seats: all engines agree on them, and what is decided together is seen by nobody before it is shown."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest

from fcdl.beliefs.sampler import Beliefs
from fcdl.engines.asp import AspEngine
from fcdl.engines.stepping import SteppingEngine
from fcdl.language.load import load_text
from fcdl.model import Game, Move, RandomChance
from tests.engines.lockstep import play_in_lockstep

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.engines.native import NativeEngine

HEADER = """game "Seats"
players 3
deck ranks 2 3 4 5 suits clubs hearts spades
zone won(player): face up
each player has bid = 0, tricks = 0
"""
TOGETHER = (
    HEADER
    + """
chart main
    start
    Shuffle
    Deal(2)
    second = player(1)
    {box}
    score(p) = bid(p) + count(middle(p)) + count(won(p)) for p in players
    publish("Done.")
    end
"""
)
BOXES = {
    "choose": "together choose(p, bid(p), {0, 1, 2 if playerHas(p, card(any, hearts))}) for p in players from second",
    "some": "together choose(p, bid(p), {4, 5}) for p in players where p != player(1) & bid(player(0)) == 0",
    "play": "together playCard(p, cards) for p in players",
    "pick": "together pick(p, 1, cards, hand(p), won(next(p))) for p in players from player(2)",
    "pass on": "together pick(p, 2, cards, hand(p), hand(next(p))) for p in players",
}
ORDER = (
    HEADER
    + """
chart main
    start
    Shuffle
    Deal(3)
    leader = player(random(3))
    tricks(p) = tricks(p) + 1 for p in players from leader where p != leader
    best = highest(tricks(p) for p in players from leader)
    worst = lowest(tricks(p) for p in players from next(leader) where p != leader)
    nobody = highest(tricks(p) for p in players from leader where tricks(p) > 9)
    publish("#{p}") for p in players from best
    choose(p, mate, players q in players from p where q != p) for p in players from leader
    winner = leader
    winner = p for p in players from winner where rankValue(top(hand(p))) > rankValue(top(hand(winner)))
    score(best) = 1
    score(worst) = if(nobody == none & winner == highest(rankValue(top(hand(p))) for p in players from leader), 2, 0)
    end
"""
)


def make(text: str) -> Game:
    checked = load_text(text)
    assert checked.flowchart is not None, [str(finding) for finding in checked.findings]
    return Game.make(checked.flowchart, name="seats")


@pytest.mark.parametrize("text", [ORDER, *(TOGETHER.replace("{box}", box) for box in BOXES.values())])
def test_engines_agree_on_boxes(text: str) -> None:
    game = make(text)
    for seed in range(6):
        play_in_lockstep(NativeEngine(game), SteppingEngine(game), seed)
    play_in_lockstep(NativeEngine(game), AspEngine(game), 1)


@pytest.mark.parametrize("box", BOXES)
def test_nobody_sees_what_is_decided_together_before_all_have_decided(box: str) -> None:
    """All combinations of what the seats decide: each seat's view and moves depend on its own decisions only."""
    engine = SteppingEngine(make(TOGETHER.replace("{box}", BOXES[box])))
    seen: dict[tuple[int, int, tuple[Move, ...]], object] = {}

    def play(moves: list[tuple[int, Move]]) -> None:
        chance = RandomChance(5)
        state = engine.start(chance)
        for _, move in moves:
            state = engine.apply(state, move, chance)
        seat = engine.mover(state)
        if seat is None:
            return
        own = tuple(move for mover, move in moves if mover == seat)
        view = (engine.observe(state, seat), engine.legal(state))
        assert seen.setdefault((len(moves), seat, own), view) == view
        for move in engine.legal(state):
            play([*moves, (seat, move)])

    play([])
    assert len(seen) >= 2


def test_all_is_shown_when_all_have_decided() -> None:
    game = make(TOGETHER.replace("{box}", BOXES["choose"]))
    engine = NativeEngine(game)
    chance = RandomChance(1)
    state = engine.start(chance)
    for value in (1, 0, 1):
        state = engine.apply(state, Move("choose", str(value)), chance)
    assert state.scores == (1, 1, 0)
    shown = {
        seat: [event.value for event in engine.observe(state, seat).events if event.name == "bid"] for seat in range(3)
    }
    assert shown == {seat: ["1", "0", "1"] for seat in range(3)}


def test_worlds_of_a_simultaneous_choice_are_drawn_as_often_as_they_are_likely() -> None:
    """Two of three have bid, unseen: who holds a heart can bid 2, and all bids that one can make are equally likely."""
    game = make(TOGETHER.replace("{box}", BOXES["choose"]))
    engine = NativeEngine(game)
    chance = RandomChance(3)
    state = engine.start(chance)
    for _ in range(2):
        state = engine.apply(state, Move("choose", "1"), chance)
    seat = engine.mover(state)
    assert seat == 0
    found = Beliefs(engine).sample(engine.observe(state, seat), 2000, 1, engine.legal(state))
    assert found.layer == "exact"
    drawn: Counter[tuple[str, ...]] = Counter()
    for position in found.positions:
        after = engine.apply(engine.state(position), Move("choose", "0"), chance)
        drawn[tuple(event.value or "" for event in engine.latest(after) if event.name == "bid")[:2]] += 1
    unseen = sorted({*map(game.flowchart.deck.code, game.cards)} - {*engine.zones(state)["hand(0)"]})
    likely: Counter[tuple[str, ...]] = Counter()
    for one in combinations(unseen, 2):
        for two in combinations([card for card in unseen if card not in one], 2):
            bids = [["0", "1", "2"] if any(card[1] == "H" for card in cards) else ["0", "1"] for cards in (one, two)]
            for pair in product(*bids):
                likely[pair] += 36 // (len(bids[0]) * len(bids[1]))
    assert drawn.keys() == likely.keys()
    for pair, weight in likely.items():
        assert abs(drawn[pair] / 2000 - weight / likely.total()) < 0.035


def test_ties_go_to_the_first_in_the_order_of_play() -> None:
    game = make(ORDER)
    engine = SteppingEngine(game)
    for seed in range(6):
        state = engine.start(RandomChance(seed))
        values = state.variables
        leader = values["leader", None]
        assert values["best", None] == (leader + 1) % 3
        assert values["worst", None] == (leader + 1) % 3
        assert values["nobody", None] == -1
