"""The table as it is known from events: what is learned, what is forgotten, and that it is true."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fcdl.engines.stepping import SteppingEngine
from fcdl.language.load import load_text
from fcdl.model import Event, Game, Observation, RandomChance
from fcdl.model.table import Table
from tests.engines.charts import charts
from tests.engines.test_made_up_charts import SLOW_TO_MAKE, made_up_game
from tests.ui.tables import SHORT, session

CHART = """game "Table"
players 3
deck ranks 2 3 4 5 suits clubs hearts copies {copies}
zone pile: face up
zone deep: face down
zone box: face down
{pack}
each player has plan = 0
secret plan
chart main
    start
    Shuffle
    Deal(2)
    c = top(pile)
    c = top(deep)
    shuffle(pile)
    shuffle(deep)
    choose(player(0), plan(player(0)), {{1, 2}})
    playCardOrPass(player(0), cards)
    playCard(player(0), cards, pile)
    end
"""


def game(copies: int = 1, pack: str = "") -> Game:
    flowchart = load_text(CHART.format(copies=copies, pack=pack)).flowchart
    assert flowchart is not None
    return Game.make(flowchart, name="table")


def table(*events: Event, copies: int = 1, pack: str = "") -> Table:
    found = Table(game(copies, pack))
    found.follow(events)
    return found


def moved(source: str, target: str, cards: str | None = None, number: int | None = None) -> Event:
    codes = tuple(cards.split()) if cards is not None else None
    return Event("move", source=source, target=target, number=number or len(codes or ()), cards=codes)


SHUFFLE = Event("shuffle", source="pack", number=8)


def test_nothing_is_known_of_the_pack() -> None:
    start = table()
    assert start.count("pack") == 8
    assert start.known("pack") == []
    assert len(start.unseen) == 8


def test_a_face_up_pack_is_known_and_in_order_until_it_is_shuffled() -> None:
    start = table(pack="zone pack: face up")
    assert start.zones["pack"].top == "2C"
    assert start.unseen == []
    start.follow([SHUFFLE])
    assert sorted(start.known("pack")) == sorted(table().unseen)
    assert start.zones["pack"].top is None


def test_cards_that_are_seen_to_move_are_known() -> None:
    after = table(SHUFFLE, moved("pack", "hand(0)", "2C 5H"), moved("pack", "hand(1)", number=2))
    assert after.known("hand(0)") == ["2C", "5H"]
    assert after.zones["hand(1)"].cards == [None, None]
    assert after.count("pack") == 4
    assert after.unseen == ["3C", "4C", "5C", "2H", "3H", "4H"]


def test_a_known_card_may_have_been_the_one_that_left_unseen() -> None:
    given_away = [SHUFFLE, moved("pack", "hand(1)", "2C 5H"), moved("pack", "hand(1)", number=1)]
    assert table(*given_away).known("hand(1)") == ["2C", "5H"]
    after = table(*given_away, moved("hand(1)", "deep", number=1))
    assert after.known("hand(1)") == []
    assert after.known("deep") == []
    assert (after.count("hand(1)"), after.count("deep")) == (2, 1)
    assert len(after.unseen) == 8


def test_known_cards_go_along_when_all_cards_of_a_zone_move_unseen() -> None:
    after = table(
        SHUFFLE, moved("pack", "hand(1)", "2C"), moved("pack", "hand(1)", number=1), moved("hand(1)", "deep", number=2)
    )
    assert after.known("deep") == ["2C"]
    assert after.zones["deep"].top is None
    assert after.count("hand(1)") == 0


def test_of_equal_copies_some_are_surely_left() -> None:
    events = [Event("shuffle", source="pack", number=16), moved("pack", "hand(1)", "2C 2C 5H")]
    one_gone = table(*events, moved("hand(1)", "deep", number=1), copies=2)
    assert one_gone.known("hand(1)") == ["2C"]
    assert one_gone.known("deep") == []
    two_gone = table(*events, moved("hand(1)", "deep", number=2), copies=2)
    assert two_gone.known("hand(1)") == []
    assert two_gone.known("deep") == ["2C"]


def test_a_copy_that_is_seen_leaving_may_be_the_one_that_was_known() -> None:
    events = [
        Event("shuffle", source="pack", number=16),
        moved("pack", "hand(1)", "2C"),
        moved("pack", "hand(1)", number=2),
    ]
    after = table(*events, moved("hand(1)", "pile", "2C"), copies=2)
    assert after.zones["hand(1)"].cards == [None, None]
    assert after.unseen.count("2C") == 1


def test_a_shuffle_mixes_the_order_and_not_the_cards() -> None:
    events = [SHUFFLE, moved("pack", "pile", "5H 2C 3C")]
    assert table(*events).zones["pile"].top == "3C"
    mixed = table(*events, Event("shuffle", source="pile", number=3))
    assert mixed.known("pile") == ["2C", "3C", "5H"]
    assert mixed.zones["pile"].top is None
    mixed.follow([*events, Event("shuffle", source="pile", number=3), moved("pack", "pile", "4C")])
    assert mixed.zones["pile"].top == "4C"
    one = table(SHUFFLE, moved("pack", "pile", "5H"), Event("shuffle", source="pile", number=1))
    assert one.zones["pile"].top == "5H"


def test_a_shuffle_of_another_zone_that_has_all_cards_is_not_a_new_deal() -> None:
    everything = moved("pack", "pile", "2C 3C 4C 5C 2H 3H 4H 5H")
    after = table(SHUFFLE, everything, Event("shuffle", source="pile", number=8))
    assert (after.count("pile"), after.count("pack"), after.unseen) == (8, 0, [])


def test_a_new_deal_makes_everything_void_but_variables() -> None:
    events = [SHUFFLE, moved("pack", "hand(0)", "2C"), Event("assign", name="c", value="2C"), SHUFFLE]
    after = table(*events)
    assert after.count("pack") == 8
    assert len(after.unseen) == 8
    assert after.value("c") == "2C"


def test_a_zone_that_is_shown_is_known() -> None:
    dealt = [SHUFFLE, moved("pack", "hand(1)", number=2)]
    shown = Event("show", source="hand(1)", number=2, cards=("2C", "5H"))
    assert table(*dealt, shown).known("hand(1)") == ["2C", "5H"]
    unseen = Event("show", source="hand(1)", number=2)
    assert table(*dealt, unseen).known("hand(1)") == []
    nowhere = Event("show", number=1, cards=("2C",))
    assert "2C" in table(*dealt, nowhere).unseen


def test_showing_a_known_pile_does_not_change_its_order() -> None:
    pile = [SHUFFLE, moved("pack", "pile", "5H 2C"), Event("show", source="pile", number=2, cards=("2C", "5H"))]
    assert table(*pile).zones["pile"].cards == ["5H", "2C"]


def test_a_secret_that_changes_unseen_is_forgotten() -> None:
    start = table()
    assert start.value("plan", 1) == "0"
    start.follow([Event("choose", seat=1, name="plan", owner=1)])
    assert start.value("plan", 1) == ""
    assert start.value("plan", 0) == "0"


def test_passing_is_known_where_events_tell_it() -> None:
    passed = Event("pass", seat=0)
    play = [SHUFFLE, moved("pack", "hand(0)", "2C 5H"), passed]
    assert table(*play).value("passed", 0) == "yes"
    could_pass = Event("play", seat=0, source="hand(0)", target="middle(0)", cards=("2C",))
    assert table(*play, could_pass).value("passed", 0) == "no"
    could_not = Event("play", seat=0, source="hand(0)", target="pile", cards=("2C",))
    assert table(*play, could_not).value("passed", 0) == "yes"


def test_only_new_events_are_read() -> None:
    events = [SHUFFLE, moved("pack", "hand(0)", "2C"), moved("pack", "hand(1)", number=2)]
    found = Table(game())
    for number in range(len(events) + 1):
        found.read(Observation(0, tuple(events[:number])))
    found.read(Observation(0, tuple(events)))
    assert found.events_read == 3
    found.read(Observation(1, tuple(events)))
    assert found.events_read == 6
    found.read(Observation(1, (SHUFFLE,)))
    assert found.known("hand(0)") == []
    assert found.events_read == 7


def assert_true(played: Game, seed: int, most: int) -> None:
    """Numbers are right, known cards are there, known values are right, and zones that a seat sees are wholly known."""
    engine, source = SteppingEngine(played), random.Random(seed)
    chance, deck = RandomChance(seed), played.flowchart.deck
    tables = [Table(played) for _ in range(played.players)]
    state = engine.start(chance)
    for _ in range(most):
        for seat, found in enumerate(tables):
            found.read(engine.observe(state, seat))
            again = Table(played)
            again.read(engine.observe(state, seat))
            assert (again.zones, again.values) == (found.zones, found.values)
            for name, (zone, owner) in played.places.items():
                real = [deck.code(card) for card in state.zones.get((zone, owner), ())]
                pile = found.zones[name]
                assert len(pile.cards) == len(real), name
                assert not Counter(pile.known) - Counter(real), name
                if seat in played.seers(zone, owner):
                    assert None not in pile.cards, name
                if pile.top is not None and played.flowchart.zones[zone].ordered:
                    assert pile.top == real[0], name
            for (name, owner), text in found.values.items():
                kind = played.flowchart.variables[name].type
                assert text == played.value_text(kind, state.variables[name, owner]), name
        if engine.mover(state) is None:
            break
        state = engine.apply(state, source.choice(engine.legal(state)), chance)
    for seat, found in enumerate(tables):
        found.read(engine.observe(state, seat))
        assert found.events_read == len(engine.observe(state, seat).events)


@pytest.mark.parametrize("name", SHORT)
def test_table_of_built_in_games_is_true(name: str) -> None:
    assert_true(session(name).game, 1, 40)


@settings(max_examples=40, suppress_health_check=SLOW_TO_MAKE)
@given(charts(), st.integers(0, 9))
def test_table_of_made_up_charts_is_true(text: str, seed: int) -> None:
    assert_true(made_up_game(text), seed, 12)
