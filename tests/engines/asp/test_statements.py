"""The small print of docs/language-design.md, one fact a test, on tiny charts."""

from __future__ import annotations

import pytest

from fcdl.engines.asp import AspEngine, AspState
from fcdl.engines.asp.primitives import Primitives
from fcdl.engines.asp.program import RuleError, Rules, _parse, statements
from fcdl.model import Event, IllegalMoveError, Move, RandomChance, Reason, ScriptedChance
from tests.engines.asp.charts import chart

SMALL = "deck ranks 7 8 9 suits hearts spades"
ORDER = [3, 0, 4, 1, 5, 2]  # 7S 7H 8S 8H 9S 9H, from the top


def begin(engine: AspEngine, *answers: int | list[int]) -> AspState:
    return engine.start(ScriptedChance(answers))


def last(engine: AspEngine, state: AspState, kind: str) -> Event:
    return [event for event in engine.events(state) if event.kind == kind][-1]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("7 / 2", "3"),
        ("-7 / 2", "-4"),
        ("-7 % 2", "1"),
        ("7 % -2", "-1"),
        ("5 / 0 + 5 % 0", "0"),
        ("2147483647 + 1", "2147483647"),
        ("-2147483647 - 5", "-2147483648"),
        ("65536 * 65536", "2147483647"),
        ("max(3, 1, 2) - min(3, 1, 2) + abs(-4)", "6"),
        ("if(1 < 2, 10, 20)", "10"),
        ("count(cards c in cards where suit(c) == hearts)", "3"),
        ("sum(rankValue(c) for c in cards where suit(c) == spades)", "24"),
        ("max(rankValue(c) for c in cards where rankValue(c) > 99)", "0"),
        ("count(i in 3 to 7 where i % 2 == 1)", "3"),
        ("count(c in union(card(7, any), card(any, hearts)))", "4"),
        ("count(except(cards, card(any, hearts)))", "3"),
        ("count(i in 0 to 5000)", "1000"),
        ("playerNumber(next(player(1)))", "0"),
        ("playerNumber(player(7))", "-1"),
        ("rankValue(top(stack))", "0"),
        ("cardsRemaining(player(9))", "0"),
        ("score(player(9))", "0"),
        ("sum(count(d in cards where rankValue(d) < rankValue(c)) for c in cards)", "12"),
    ],
)
def test_expression_has_value(expression: str, value: str) -> None:
    engine = chart(f"x = {expression}", 'publish("#{x}")', header=SMALL)
    assert last(engine, begin(engine), "publish").value == value


@pytest.mark.parametrize(
    ("condition", "outcome"),
    [
        ("every(c in cards where rankValue(c) > 6)", "yes"),
        ("some(c in cards where rankValue(c) > 9)", "no"),
        ("every(c in stack where false)", "yes"),
        ("7H in card(7, any) & !(7H in card(any, spades))", "yes"),
        ("highest(rankValue(c) for c in cards) == 9H", "yes"),
        ("lowest(rankValue(c) for c in stack) == none", "yes"),
        ("suit(none) == none | false", "yes"),
        ("sameTeam(player(0), player(1))", "no"),
    ],
)
def test_condition_goes(condition: str, outcome: str) -> None:
    engine = chart(f"{condition}? no -> out", "x = 1", 'publish("#{x}")', "out:", header=SMALL)
    assert last(engine, begin(engine), "branch").value == outcome


def test_deal_takes_its_number_before_the_first_card_moves() -> None:
    engine = chart("Shuffle", "Deal(count(pack) / 3)", header=SMALL)
    state = begin(engine, ORDER)
    assert [engine.cards(state, "hand", seat) for seat in (0, 1)] == [(0, 3), (1, 4)]
    moves = [event for event in engine.events(state) if event.kind == "move"]
    assert [(event.target, event.cards, *event.seers) for event in moves] == [
        ("hand(0)", ("7S", "7H"), 0),
        ("hand(1)", ("8S", "8H"), 1),
    ]


def test_cards_land_on_top_one_by_one() -> None:
    engine = chart("Shuffle", "move(2, pack, stack)", "x = rankValue(top(stack))", 'publish("#{x}")', header=SMALL)
    assert engine.cards(begin(engine, ORDER), "stack") == (0, 3)


def test_moving_no_cards_makes_no_event() -> None:
    engine = chart("move(all, stack, hand(player(0)))", "move(0, pack, stack)", header=SMALL)
    assert [event.kind for event in engine.events(begin(engine))] == ["end"]


def test_shuffling_a_zone_asks_for_an_order_only_of_two_cards() -> None:
    engine = chart("move(1, pack, stack)", "shuffle(stack)", "shuffle(pack)", header=SMALL)
    events = [event for event in engine.events(begin(engine, [5, 4, 3, 2, 1])) if event.kind == "shuffle"]
    assert [(event.source, event.number) for event in events] == [("stack", 1), ("pack", 5)]


def test_random_of_one_does_not_ask_chance() -> None:
    engine = chart("x = random(1) + 4", 'publish("#{x}")')
    assert last(engine, begin(engine), "assign").value == "4"


@pytest.mark.parametrize(
    "statement",
    ["score(player(5)) = 1", "playCard(player(5), cards)", "move(1, pack, hand(player(5)))"],
)
def test_nobody_is_a_fault(statement: str) -> None:
    engine = chart(statement, header=SMALL)
    state = begin(engine)
    outcome = engine.outcome(state)
    assert outcome is not None
    assert (outcome.reason, outcome.node) == (Reason.FAULT, 1)
    assert [(event.kind, event.value) for event in engine.events(state)] == [("end", "fault")]


def test_a_play_without_cards_ends_the_game() -> None:
    engine = chart("playCard(player(0), cards)", header=SMALL)
    outcome = engine.outcome(begin(engine))
    assert outcome is not None
    assert outcome.reason is Reason.NO_LEGAL_MOVE


def test_passing_is_always_possible_where_allowed() -> None:
    diamond = "passed(player(0))? no -> out"
    engine = chart("playCardOrPass(player(0), cards)", diamond, "x = 1", 'publish("#{x}")', "out:", header=SMALL)
    state = begin(engine)
    assert engine.legal(state) == (Move("pass"),)
    after = engine.apply(state, Move("pass"), RandomChance(0))
    assert [event.kind for event in engine.events(after)] == ["pass", "branch", "assign", "publish", "end"]


def test_a_pick_takes_what_there_is() -> None:
    engine = chart("Shuffle", "Deal(2)", "pick(player(0), 3, card(any, hearts), hand(player(0)), stack)", header=SMALL)
    state = begin(engine, ORDER)
    assert engine.legal(state) == (Move("pick", "7H"),)
    after = engine.apply(state, Move("pick", "7H"), RandomChance(0))
    assert engine.outcome(after) is not None
    assert last(engine, after, "pick").seers == {0, 1}


def test_copies_of_a_card_are_one_move() -> None:
    engine = chart("Deal(4)", "playCard(player(0), cards)", header="deck ranks 7 8 suits hearts copies 2\nplayers 1")
    assert engine.legal(begin(engine)) == (Move("play", "7H"), Move("play", "8H"))


def test_values_are_offered_in_the_order_written_without_repetitions() -> None:
    engine = chart("y = 1", "choose(player(0), x, {3, 1 to 2, 3, 7 if y == 1, 8 if y == 2})", 'publish("#{x}")')
    state = begin(engine)
    assert [move.what for move in engine.legal(state)] == ["3", "1", "2", "7"]


def test_a_secret_is_seen_by_its_owner_and_the_chooser() -> None:
    header = "each player has bid = 0\nsecret bid, plan"
    choice = "choose(player(1), bid(player(0)), {1, 2})"
    engine = chart(choice, "plan = 3", "x = plan + bid(player(0))", 'publish("#{x}")', header=header, players=2)
    state = engine.apply(begin(engine), Move("choose", "2"), RandomChance(0))
    assert last(engine, state, "choose").seers == {0, 1}
    assert last(engine, state, "choose").owner == 0
    assert next(event for event in engine.events(state) if event.name == "plan").seers == frozenset()


def test_a_private_diamond_is_seen_by_nobody() -> None:
    engine = chart("private empty(stack)? no -> out", "x = 1", 'publish("#{x}")', "out:")
    state = begin(engine)
    assert [event.kind for event in engine.observe(state, 0).events] == ["assign", "publish", "end"]


def test_shown_cards_are_seen_by_those_to_whom_they_are_shown() -> None:
    engine = chart("Deal(1)", "show(hand(player(0)), player(1))", "show(card(8, any), all)", header=SMALL)
    one, other = (event for event in engine.events(begin(engine)) if event.kind == "show")
    assert (one.source, one.owner, one.cards, *one.seers) == ("hand(0)", 1, ("7H",), 1)
    assert (other.source, other.owner, other.cards, *other.seers) == (None, None, ("8H", "8S"), 0, 1)


def test_a_loop_without_decisions_ends_with_the_step_limit() -> None:
    engine = chart("x = 0", "again:", "x = x + 1", "x < 0? no -> again")
    state = begin(engine)
    outcome = engine.outcome(state)
    assert outcome is not None
    assert outcome.reason is Reason.STEP_LIMIT
    assert engine.events(state)[-1].value == "step limit"


def test_an_illegal_move_is_refused_with_the_reason() -> None:
    engine = chart("Shuffle", "Deal(3)", "playCard(player(0), card(any, spades))", header=SMALL)
    state = begin(engine, ORDER)
    with pytest.raises(IllegalMoveError, match=r"player 0 must play spades \(node 3: .*\); legal: play 7S, play 8S"):
        engine.apply(state, Move("play", "7H"), RandomChance(0))
    with pytest.raises(IllegalMoveError, match="does not have 9S in hand"):
        engine.apply(state, Move("play", "9S"), RandomChance(0))


def test_names_that_look_like_rules_stay_names() -> None:
    engine = chart('publish("). a. %*")')
    assert last(engine, begin(engine), "publish").value == "). a. %*"


def test_a_warning_of_clingo_is_an_error() -> None:
    rules = Rules(statements(("chart.lp",)), ())
    rules._sections["base"] += _parse("_never(X) :- _unheard(X).")[1:]
    engine = chart("x = 1", 'publish("#{x}")')
    with pytest.raises(RuleError, match="AtomUndefined"):
        rules.ground({}, Primitives(engine.game))
