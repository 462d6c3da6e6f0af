"""Picks from a zone that the player cannot see: a move names a place, never a card, and all engines agree on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fcdl.beliefs.sampler import Beliefs
from fcdl.engines.asp import AspEngine
from fcdl.engines.stepping import SteppingEngine
from fcdl.language.load import load_text
from fcdl.model import Game, Move, RandomChance
from tests.engines.lockstep import play_in_lockstep

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.engines.native import NativeEngine
from tests.engines.compiled import compiled, needs_compiler

HEADER = """game "Fans"
players 3
{deck}
zone well: face down
zone back(player): seen by others
zone drawer(player, 1 to 2): seen by owner
chart main
    start
    Shuffle
    Deal(3)
    move(3, pack, well)
    move(2, pack, back(player(0)))
    move(1, pack, drawer(player(1), 2))
    q = player(random(3))
    p = player(0)
"""
DECK = "deck ranks 2 3 4 5 6 7 suits clubs hearts spades"
COPIES = "deck ranks 2 3 4 suits clubs hearts spades copies 2"
REST = """
    playCard(p, cards) for p in players where cardsRemaining(p) > 0
    score(p) = count(hand(p)) for p in players
    end
"""
PICKS = {
    "a neighbour's hand": "pick(p, 1, cards, hand(next(p)), hand(p))",
    "two of them": "pick(p, 2, card(any, any), hand(next(p)), hand(p))",
    "more than there are": "pick(p, 9, cards, hand(next(p)), hand(p))",
    "none": "pick(p, 0, cards, hand(next(p)), hand(p))",
    "a face-down zone": "pick(p, 2, well, well, hand(p))",
    "one's own back": "pick(p, 1, cards, back(p), middle(p))",
    "only hearts": "pick(p, 2, cards c in hand(next(p)) where suit(c) == hearts, hand(next(p)), hand(p))",
    "perhaps one's own": "pick(p, 1, cards, hand(q), middle(p))",
    "perhaps one's own hearts": "pick(p, 2, cards c in hand(q) where suit(c) == hearts, hand(q), middle(p))",
    "perhaps one's own back": "pick(p, 1, cards, back(q), middle(p))",
    "a place with keys": "pick(p, 1, cards, drawer(q, 2), middle(p))",
    "the pack": "pick(p, 1, cards, pack, hand(p))",
    "all seats": "pick(p, 1, cards, hand(next(p)), hand(p)) for p in players where p != q",
    "together": "together pick(p, 1, cards, hand(next(p)), hand(p)) for p in players",
}


def game(pick: str, deck: str = DECK) -> Game:
    checked = load_text(HEADER.format(deck=deck) + "    " + pick + REST)
    assert checked.flowchart is not None, checked.findings
    return Game.make(checked.flowchart, name="fans")


@pytest.mark.parametrize("deck", [DECK, COPIES], ids=["deck", "copies"])
@pytest.mark.parametrize("pick", PICKS.values(), ids=PICKS)
def test_engines_agree_on_blind_picks(pick: str, deck: str) -> None:
    made = game(pick, deck)
    for seed in range(8):
        play_in_lockstep(NativeEngine(made), SteppingEngine(made), seed)
    play_in_lockstep(NativeEngine(made), AspEngine(made), 1)


@needs_compiler
def test_compiled_code_agrees_on_blind_picks(tmp_path: Path) -> None:
    made = game(PICKS["perhaps one's own hearts"], COPIES)
    engine = compiled(made, tmp_path)
    for seed in range(20):
        play_in_lockstep(engine, SteppingEngine(made), seed)


@pytest.mark.parametrize("pick", [PICKS["a neighbour's hand"], PICKS["a face-down zone"], PICKS["one's own back"]])
def test_moves_of_a_blind_pick_are_places(pick: str) -> None:
    engine = NativeEngine(game(pick))
    legal = engine.legal(engine.start(RandomChance(1)))
    assert tuple(legal) == tuple(Move("choose", str(place)) for place in range(1, len(legal) + 1))
    assert len(legal) in (2, 3)


def test_a_pick_from_ones_own_hand_still_names_cards() -> None:
    engine = NativeEngine(game(PICKS["perhaps one's own"]))
    for seed in range(20):
        state = engine.start(RandomChance(seed))
        own = next(event for event in engine.observe(state, 0).events if event.name == "q").value == "0"
        assert {move.kind for move in engine.legal(state)} == ({"pick"} if own else {"choose"})


def test_every_card_is_drawn_equally_often_whatever_place_is_named() -> None:
    engine = NativeEngine(game(PICKS["a neighbour's hand"]))
    drawn = {
        str(place): [
            next(event.cards for event in engine.latest(after) if event.kind == "move" and event.source == "hand(1)")
            for seed in range(150)
            if (chance := RandomChance(seed))
            and (after := engine.apply(engine.start(chance), Move("choose", str(place)), chance))
        ]
        for place in (1, 3)
    }
    for cards in drawn.values():
        assert len(set(cards)) > 14, "nearly every card of the deck, not the lowest of the hand"


@pytest.mark.parametrize("pick", PICKS.values(), ids=PICKS)
def test_worlds_offer_the_moves_that_the_seat_sees(pick: str) -> None:
    made = game(pick)
    engine = NativeEngine(made)
    state = engine.start(RandomChance(4))
    seat = engine.mover(state)
    assert seat is not None
    legal = engine.legal(state)
    worlds = Beliefs(engine).sample(engine.observe(state, seat), 20, seed=1, legal=legal)
    assert {tuple(engine.legal(engine.state(world))) for world in worlds.positions} == {tuple(legal)}


def test_an_order_that_the_chart_looks_at_is_not_mixed() -> None:
    made = game("pick(p, 1, cards, well, hand(p))\n    move(1, well, hand(p))")
    engine = NativeEngine(made)
    state = engine.start(RandomChance(1))
    assert [event.source for event in engine.events(state) if event.kind == "shuffle"] == ["pack"]
