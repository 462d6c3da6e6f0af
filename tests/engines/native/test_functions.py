"""Functions compiled with a game say what the stepping engine says, and leave the position alone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from fcdl.engines.stepping import SteppingEngine, SteppingState, Values
from fcdl.language.diagnostics import ChartError
from fcdl.language.expression import read_expression
from fcdl.language.flowchart import Expr, Flowchart, Type
from fcdl.language.load import builtin_names, load_flowchart, load_text
from fcdl.model import Game, RandomChance
from tests.engines.charts import FIRST, HEADER, Writer
from tests.games.some import some_games

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.engines.native import NativeEngine, _engine
from fcdl.engines.native.functions import Function

NAMES = builtin_names()
OF_ALL_GAMES = {
    "cards like this": "count(cards c in hand(me) where suit(c) == suit(card))",
    "higher": "count(cards c in hand(next(me)) where rankValue(c) > rankValue(card) & suit(c) == suit(card))",
    "worth": "if(card in hand(me), 100, -5) * rankValue(card) - value / 3 % 4",
    "rank": "sum(rankValue(c) for c in hand(me) where rank(c) != rank(card) | value > 2)",
    "lowest": "rankValue(lowest(rankValue(c) for c in hand(me) where c != card))",
    "leader": "playerNumber(highest(cardsRemaining(p) + value for p in players where p != me))",
    "far": "sum(i * value for i in 1 to value where i % 2 == 1)",
    "beaten": "count(cards c in hand(me) where card in card(any, suit(c)) & rankValue(c) < rankValue(card))",
    "like": "count(cards c in cards where c in card(rank(card), any) & card in card(rank(c), any) & c != card)",
    "own": "score(me) - score(previous(me)) + value",
}
PARAMETERS = {"me": Type.PLAYER, "card": Type.CARD, "value": Type.INT}


def of_chart(flowchart: Flowchart) -> Iterator[Function]:
    """Everything that the chart itself asks, as functions without parameters; cards are counted."""
    for node in flowchart.nodes.values():
        for number, expr in enumerate(node.exprs()):
            if any(part.op in ("random", "local") and part.name in (None, "seat") for part in expr.walk()):
                continue
            if expr.type is Type.CARDS:
                yield Function(f"{node.number}.{number}", (), Expr("count", Type.INT, (expr,)))
            elif expr.type not in (Type.DOMAIN, Type.TEXT, Type.PLACE):  # places have numbers of each engine's own
                yield Function(f"{node.number}.{number}", (), expr)


def of_me(flowchart: Flowchart) -> Iterator[Function]:
    for name, text in OF_ALL_GAMES.items():
        yield Function.read(flowchart, name, text, PARAMETERS)


def compare(native: NativeEngine, seed: int, most: int, calls: int = 40) -> int:
    """Plays a random game on both engines and compares some values at every decision; returns their number."""
    game, functions = native.game, native.functions
    stepping, values = SteppingEngine(game), Values(game)
    rng = random.Random(seed)
    a, b = native.start(RandomChance(seed)), stepping.start(RandomChance(seed))
    chances = RandomChance(f"{seed} on"), RandomChance(f"{seed} on")
    compared = 0
    for _ in range(most):
        for function in rng.sample(functions, min(calls, len(functions))):
            compared += 1
            same_value(native, values, function, a.data, b, rng)
        if native.mover(a) is None:
            break
        move = rng.choice(native.legal(a))
        a, b = native.apply(a, move, chances[0]), stepping.apply(b, move, chances[1])
    return compared


def same_value(
    native: NativeEngine,
    reference: Values,
    function: Function,
    data: bytes,
    state: SteppingState,
    rng: random.Random,
) -> None:
    game = native.game
    chosen = {
        Type.PLAYER: rng.randrange(-1, game.players),
        Type.CARD: rng.choice((-1, *game.cards)),
        Type.INT: rng.choice((0, 1, 2, 5, -3, 40, 2**31 - 1)),
    }
    values = {name: chosen[kind] for name, kind in function.parameters}
    expected = reference.value(function.body, state, values)
    assert native.call(data, function.name, *values.values()) == expected, (function.name, values)


@pytest.mark.parametrize("name", some_games())
def test_functions_agree_with_the_stepping_engine(name: str) -> None:
    chart = load_flowchart(name)
    functions = [*of_chart(chart), *of_me(chart)]
    for players in range(chart.players[0], chart.players[1] + 1):
        native = NativeEngine(Game.make(chart, name=name, players=players), functions=functions)
        assert compare(native, seed=players, most=60 // (chart.players[1] - chart.players[0] + 1)) > 100


def made_up() -> Flowchart:
    """A chart whose only purpose is to have everything: variables of all types, zones of all kinds, all in order."""
    text = HEADER.format(players=3, copies=2, teams="", part="", side="player") + FIRST.format(deal=4)
    text += "    gone = 0\n"
    for zone in ("hand", "middle", "secrets", "gifts"):
        text += f"    move({zone}(p), {zone}(p), pile)\n    move(2, pack, {zone}(p))\n    c = top({zone}(p))\n"
    for zone in ("slot(p, 1)", "row(s)", "box(p, r)", "heap(0)"):
        text += f"    move(1, pack, {zone})\n    c = top({zone})\n"
    text += "    c = top(pile)\n    c = top(stack)\n    c = top(deep)\n"
    text += "again:\n    playCardOrPass(p, cards, pile)\n    p = next(p)\n    gone = gone + 1\n    n = n + 3\n"
    text += "    gone < 5? yes -> again\n    end\n"
    checked = load_text(text)
    assert checked.flowchart is not None, checked.findings
    return checked.flowchart


MADE_UP = made_up()


@st.composite
def made_up_functions(draw: DrawFn) -> list[Function]:
    """Some functions of the made-up chart."""
    writer = Writer(draw)
    bound = [("me", "player"), ("card", "card"), ("value", "int")]
    writer.bound = draw(st.lists(st.sampled_from(bound), max_size=2, unique=True))  # three of them: no aggregates
    functions = []
    for number in range(4):
        kind = writer.one_of("int", "bool", "player", "card", "suit", "rank")
        text = writer.expr(kind, 3)
        body = read_expression(MADE_UP, text, PARAMETERS, wanted=Type(kind))
        functions.append(Function(f"{number}: {text}", tuple(PARAMETERS.items()), body))
    return functions


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(made_up_functions())
def test_made_up_functions_agree_with_the_stepping_engine(functions: list[Function]) -> None:
    compare(NativeEngine(Game.make(MADE_UP, name="made_up", players=3), functions=functions), seed=1, most=4)


@pytest.mark.parametrize("name", NAMES)
def test_a_call_does_not_disturb_the_game(name: str) -> None:
    """Games with calls at every decision go as those without functions do."""
    chart = load_flowchart(name)
    game = Game.make(chart, name=name)
    functions = [*of_chart(chart), *of_me(chart)]
    plain, asked = NativeEngine(game).new_game(7), NativeEngine(game, functions=functions).new_game(7)
    rng = random.Random(name)
    for _ in range(80):
        before = asked.dump()
        for number, function in enumerate(functions):
            asked.call(number, (asked.mover, 3, 2) if function.parameters else ())
        assert asked.dump() == before == plain.dump()
        legal = plain.legal_ids()
        assert asked.legal_ids() == legal
        if not legal:
            break
        move = rng.choice(legal)
        plain.apply_id(move)
        asked.apply_id(move)


def long_and_short() -> NativeEngine:
    """An engine with a function that has a thousand million rounds, and one that says 7."""
    chart = load_flowchart("trumps")
    text = "1"
    for x in "abc":
        text = f"sum({text} for {x} in 1 to 1000)"
    functions = [Function.read(chart, "long", text, {}), Function.read(chart, "short", "7", {})]
    return NativeEngine(Game.make(chart, name="trumps"), functions=functions)


def test_a_function_that_runs_too_long_is_worth_nothing() -> None:
    game = long_and_short().new_game(1)
    before = game.dump()
    assert game.call(0, ()) == 0
    assert game.call(1, ()) == 7
    assert game.dump() == before


def test_calls_with_wrong_arguments_are_refused() -> None:
    chart = load_flowchart("trumps")
    function = Function.read(chart, "one", "value + 1", {"value": Type.INT})
    program = NativeEngine(Game.make(chart, name="trumps"), functions=[function]).program
    state = NativeEngine(Game.make(chart, name="trumps")).start(RandomChance(1)).data
    assert program.call(state, 0, (4,)) == 5
    assert program.call(state, 0, (2**80,)) == 2**31 - 1
    for number, arguments in ((1, (4,)), (0, ()), (0, (4, 5))):
        with pytest.raises(ValueError, match="no such function"):
            program.call(state, number, arguments)
    with pytest.raises(ValueError, match="not a state"):
        program.call(state[1:], 0, (4,))


@pytest.mark.parametrize("name", ["trumps", "durak"])
def test_damaged_functions_are_refused_or_run_safely(name: str) -> None:
    chart = load_flowchart(name)
    engine = NativeEngine(Game.make(chart, name=name), functions=[*of_chart(chart), *of_me(chart)])
    parts = engine.node_program.parts()
    state = engine.start(RandomChance(1)).data
    rng = random.Random(name)
    refused = 0
    size = engine.node_program.game_size
    for _ in range(400):
        damaged = dict(parts)
        if rng.random() < 0.2:
            field: Any = rng.choice(["functions", "game_size"])
        else:
            field = "code"
        if field == "game_size":
            damaged[field] = rng.randrange(1, len(parts["code"]) // 16 + 2)
        else:
            changed = bytearray(parts[field])
            low = size * 16 if field == "code" else 0
            changed[rng.randrange(low, len(changed))] = rng.choice((0, 1, 2, 5, 20, rng.randrange(256)))
            damaged[field] = bytes(changed)
        try:
            program = _engine.Program(damaged)
        except ValueError:
            refused += 1
            continue
        for number, function in enumerate(engine.functions):
            try:
                program.call(state, number, tuple(rng.choice((-1, 0, 3, 999)) for _ in function.parameters))
            except ValueError:
                break  # the number of its parameters was changed
        program.playouts(state, 0, 1, 1, bytearray(4 * 8))
    assert 50 < refused < 400


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rankValue(crad)", r"test:1:11: error\[unknown-name\]: unknown name 'crad' \(did you mean 'card'\?\)"),
        ("rankValue(card) +", r"test:1:\d+: error\[syntax\]"),
        ("suit(card)", r"expected a number, not a suit"),
        ("random(5)", r"random may only appear in the value of an assignment"),
        ("rankValue(top(hand(me)))", r"error\[no-order\]: .*'hand'"),
        ("hand(me)", r"count"),
        ("score(card)", r"expected a player, not a card"),
        ("", r"error\[syntax\]"),
        ("1 + " * 6000 + "1", r"line-too-long|too-deep|too-large"),
    ],
)
def test_bad_expressions_are_refused_with_their_place(text: str, message: str) -> None:
    with pytest.raises(ChartError, match=message):
        read_expression(load_flowchart("trumps"), text, PARAMETERS, name="test")


def test_parameters_come_before_names_of_the_chart() -> None:
    chart = load_flowchart("durak")
    expr = read_expression(chart, "rankValue(attacker)", {"attacker": Type.CARD})
    assert expr.args[0] == Expr("local", Type.CARD, name="attacker")
    assert read_expression(chart, "playersIn", {"p": Type.PLAYER}).op == "countOf"


def test_programs_without_functions_are_as_before() -> None:
    game = Game.make(load_flowchart("hearts"), name="hearts")
    with_function = NativeEngine(game, functions=[Function("two", (), Expr("const", Type.INT, value=2))]).node_program
    without = NativeEngine(game).node_program
    assert [i.op for i in with_function.code[: without.game_size]] == [i.op for i in without.code]
    assert without.game_size == len(without.code)
    assert NativeEngine(game).program.state_size == _engine.Program(with_function.parts()).state_size
    assert "function two():" in with_function.disassemble()
