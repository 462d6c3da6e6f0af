"""Who can see what: one row for each case of the table in docs/language-design.md."""

from __future__ import annotations

import pytest

from fcdl.language.expression import read_expression
from fcdl.language.flowchart import Expr, Flowchart, Type
from fcdl.language.load import load_text
from fcdl.language.sight import hidden_parts, seat_named
from fcdl.model import Game

ZONES = """zone open(player): face up
zone deep(player): face down
zone own(player): seen by owner
zone gifts(player): seen by others
zone pile: face up
zone cellar: face down
zone mixed: face up
"""
CHART = """game "Sight"
players {players}
{zones}each player has plain = 0, plan = 0, mate = none
secret plan, dark, chief
chart main
    start
    dark = 0
    turn = player(0)
    chief = player(1)
    c = top(pile)
    c = top(cellar)
    c = top(mixed)
    c = top(own(turn))
    c = top(gifts(turn))
    c = top(open(turn))
    Shuffle
    shuffle(mixed)
    Deal(1)
    playCard(turn, cards)
    end
"""
ME = Expr("local", Type.PLAYER, name="me")


def chart(players: str = "3", zones: str = ZONES) -> Flowchart:
    checked = load_text(CHART.format(players=players, zones=zones))
    assert checked.flowchart is not None, checked.findings
    return checked.flowchart


def hidden(text: str, viewer: Expr | None, flowchart: Flowchart | None = None) -> list[str]:
    """The ops or names of what a viewer may not see in an expression."""
    flowchart = flowchart or chart()
    expr = read_expression(flowchart, text, {"me": Type.PLAYER}, wanted=None)
    return [part.name or part.op for part in hidden_parts(flowchart, expr, viewer)]


EVERYBODY_SEES = [
    "turn", "plain(me)", "plain(next(me))", "score(turn)", "passed(turn)", "numberOfPlayers", "17", "QS",
    "pile", "top(pile)", "bottom(pile)", "open(turn)", "open(next(me))", "top(open(turn))", "middle(me)",
    "mixed", "count(mixed)", "empty(mixed)", "QS in mixed", "sum(rankValue(x) for x in mixed)",
    "count(cellar)", "empty(cellar)", "count(pack)", "empty(pack)", "count(hand(turn))", "empty(hand(next(me)))",
    "count(deep(turn))", "count(own(turn))", "count(gifts(turn))", "cardsRemaining(turn)", "cardsRemaining(next(me))",
    "sum(cardsRemaining(p) for p in players)", "sameTeam(me, turn)", "card(any, hearts)", "cards",
]  # fmt: skip
NOBODY_SEES = [
    "cellar", "top(cellar)", "top(pack)", "pack", "deep(me)", "deep(turn)", "QS in deep(me)", "dark", "chief",
    "top(mixed)", "bottom(mixed)", "suit(mixed)", "count(except(pack, pile))", "if(true, dark, 0)", "plain(chief)",
    "cardsRemaining(chief)", "count(hand(chief))", "open(chief)", "score(highest(dark for p in players))",
]  # fmt: skip
ONLY_THE_OWNER_SEES = [
    "hand(me)", "own(me)", "top(own(me))", "QS in hand(me)", "playerHas(me, card(any, hearts))", "plan(me)",
    "some(x in hand(me) where suit(x) == hearts)", "hand(previous(next(me)))", "hand(next(next(next(me))))",
]  # fmt: skip
ONLY_THE_OTHERS_SEE = ["gifts(next(me))", "gifts(previous(me))", "gifts(next(next(me)))", "top(gifts(next(me)))"]
NOT_SURE = [
    "hand(turn)", "own(turn)", "gifts(turn)", "plan(turn)", "playerHas(turn, cards)", "top(gifts(turn))",
    "hand(next(me))", "plan(next(me))", "playerHas(next(me), cards)", "gifts(me)", "hand(mate(me))",
    "own(player(plain(me)))",
    "hand(highest(count(open(p)) for p in players))", "some(p in players where playerHas(p, QS))",
    "every(p in players where plan(p) == 0)", "hand(if(turn == me, me, turn))",
]  # fmt: skip


@pytest.mark.parametrize("text", EVERYBODY_SEES)
def test_everybody_sees(text: str) -> None:
    assert not hidden(text, None)
    assert not hidden(text, ME)


@pytest.mark.parametrize("text", NOBODY_SEES)
def test_nobody_sees(text: str) -> None:
    assert hidden(text, None)
    assert hidden(text, ME)


@pytest.mark.parametrize("text", [*ONLY_THE_OWNER_SEES, *ONLY_THE_OTHERS_SEE])
def test_one_sees_what_not_everybody_sees(text: str) -> None:
    assert hidden(text, None)
    assert not hidden(text, ME)


@pytest.mark.parametrize("text", NOT_SURE)
def test_what_is_seen_by_somebody_who_may_be_another_is_not_seen(text: str) -> None:
    assert hidden(text, None)
    assert hidden(text, ME)


def test_who_has_a_card_is_seen_where_hands_lie_face_up() -> None:
    face_up = chart(zones=ZONES + "zone hand(player): face up\n")
    assert hidden("playerHas(turn, card(any, hearts))", None) == ["playerHas"]
    assert not hidden("playerHas(turn, card(any, hearts))", None, face_up)
    assert hidden("playerHas(turn, cellar)", None, face_up) == ["cellar"]
    others = chart(zones=ZONES + "zone hand(player): seen by others\n")
    assert not hidden("playerHas(next(me), QS)", ME, others)
    assert hidden("playerHas(me, QS)", ME, others) == ["playerHas"]


def test_seats_are_viewers_too() -> None:
    assert not hidden("hand(player(1))", seat_named(1))
    assert not hidden("hand(next(player(0)))", seat_named(1))
    assert hidden("hand(player(1))", seat_named(0)) == ["hand"]
    assert not hidden("gifts(player(1))", seat_named(0))
    assert hidden("gifts(player(1))", seat_named(1)) == ["gifts"]
    assert hidden("hand(turn)", seat_named(0)) == ["hand"]


def test_who_sits_where_may_depend_on_the_number_of_players() -> None:
    assert hidden("hand(next(next(me)))", ME, chart("2 to 3")) == ["hand"]
    assert hidden("gifts(next(next(me)))", ME, chart("2 to 3")) == ["gifts"]
    assert not hidden("hand(next(next(me)))", ME, chart("2"))
    assert not hidden("hand(player(2))", seat_named(2), chart("2 to 3"))
    assert hidden("hand(next(player(2)))", seat_named(0), chart("2 to 3")) == ["hand"]
    assert hidden("gifts(next(me))", ME, chart("1 to 3")) == ["gifts"]


def test_a_player_who_is_asked_knows_that_even_if_nobody_else_does() -> None:
    flowchart = chart()
    chief = read_expression(flowchart, "chief", wanted=Type.PLAYER)
    assert not hidden("hand(chief)", chief)
    assert not hidden("gifts(next(chief))", chief)
    assert hidden("chief", chief) == ["chief"]  # the name alone may be said about anybody


def test_a_name_that_is_bound_again_is_not_the_viewer() -> None:
    assert hidden("some(me in players where playerHas(me, QS))", ME) == ["playerHas"]
    assert hidden("hand(me)", ME) == []


def test_partners_see_of_each_other_what_others_see() -> None:
    teams = chart("4", ZONES + "teams 0 2, 1 3\n")
    assert not hidden("partner(turn)", None, teams)
    assert not hidden("plain(partner(me))", ME, teams)
    assert hidden("hand(partner(me))", ME, teams) == ["hand"]
    assert hidden("plan(partner(me))", ME, teams) == ["plan"]


def test_every_hidden_part_is_found_in_the_order_of_the_text() -> None:
    assert hidden("count(intersect(hand(turn), deep(chief))) + dark + plan(me)", None) == [
        "hand", "deep", "chief", "dark", "plan",
    ]  # fmt: skip


def test_seats_that_see_a_zone() -> None:
    game = Game.make(chart(), name="sight")
    assert game.seers("open", 0) == game.seers("pile", None) == {0, 1, 2}
    assert game.seers("deep", 0) == game.seers("cellar", None) == set()
    assert game.seers("own", 1) == {1}
    assert game.seers("gifts", 1) == {0, 2}
