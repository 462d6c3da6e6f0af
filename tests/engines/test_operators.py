"""Every operator of the table (`fcdl/language/ops.py`) is known to all who read, write or evaluate expressions.

The samples are made from the rows, so a new row is tested here without a word.
"""

from __future__ import annotations

from itertools import product

import pytest

from fcdl.beliefs.follower import Follower, Listener
from fcdl.beliefs.formula import the_number
from fcdl.beliefs.symbolic import Evaluator
from fcdl.engines.asp import AspEngine
from fcdl.engines.stepping import SteppingEngine, SteppingState, Values
from fcdl.heuristics.terms import written_term
from fcdl.language.check.fold import Folder, Setting
from fcdl.language.flowchart import NONE, TRUE, Expr, Type
from fcdl.language.load import load_text
from fcdl.language.ops import HIGHEST, LOWEST, OPS, Form, Known, Op, complete
from fcdl.language.written import expr_text
from fcdl.model import Game, RandomChance
from fcdl.model.static import evaluate_static
from tests.engines.lockstep import play_in_lockstep

CHART = """
players 4
teams 0 2, 1 3
deck ranks 7 8 9 suits clubs hearts
list bids: 18, 20, -3
words low, high
option target = 3 from 1 to 9
zone heap(1 to 9): face up
chart main
    start
    a = -7
    b = 3
    sure = a < b
    side = if(sure, high, low)
    p = player(2)
    move(2, pack, hand(p))
    {lines}
    choose(p, last, {1, 2 if sure, 3 to 4})
    score(p) = a + b + last
    end
"""


def variable(name: str, kind: Type) -> Expr:
    return Expr("variable", kind, name=name)


PACK = Expr("zone", Type.CARDS, name="pack")
PLAYER = variable("p", Type.PLAYER)
TOP = Expr("top", Type.CARD, (PACK,))
SAMPLES = {
    Type.INT: variable("a", Type.INT),
    Type.BOOL: variable("sure", Type.BOOL),
    Type.PLAYER: PLAYER,
    Type.CARD: TOP,
    Type.CARDS: PACK,
    Type.SUIT: Expr("suit", Type.SUIT, (TOP,)),
    Type.RANK: Expr("rank", Type.RANK, (TOP,)),
    Type.WORD: variable("side", Type.WORD),
    Type.DOMAIN: Expr("suits", Type.DOMAIN),
}
CONSTANTS: dict[Type, Expr] = {
    kind: Expr("const", kind, value=1) for kind in Type if kind not in (Type.CARDS, Type.TEXT, Type.DOMAIN)
}
NAMES = {"variable": "a", "playerVariable": "score", "option": "target", "local": "x", "table": "rankValue",
         "list": "bids", "listSize": "bids", "zone": "hand", "place": "heap"}  # fmt: skip
NAMES |= {row.name: "rankValue" for row in OPS.values() if row.form is Form.TABLED}
INSIDE_VALUES = ("values", "when", "random")
"""Operators that stand in choices and assignments only; the chart has them in its own lines."""


def argument(row: Op, place: int, kind: Type | None) -> Expr:
    if row.name in ("table", "theCard"):
        return TOP if row.name == "table" else Expr("template", Type.CARDS, (SAMPLES[Type.RANK], SAMPLES[Type.SUIT]))
    if kind is Type.INT and place:
        return Expr("local", Type.INT, name="x") if row.has_value else variable("b", Type.INT)
    return SAMPLES[kind or Type.INT]


def sample(row: Op) -> Expr:
    """An expression with this operator outside."""
    args = tuple(argument(row, place, kind) for place, kind in enumerate(row.takes))
    if row.form is Form.BINDER:
        low, high = Expr("const", Type.INT, value=1), variable("b", Type.INT)
        domain = Expr("allCards", Type.CARDS) if row.name == "those" else Expr("range", Type.DOMAIN, (low, high))
        args = (domain, SAMPLES[Type.BOOL], *args[2:])
    gives = row.gives or (Type.CARDS if row.name == "those" else Type.INT)
    value = 17 if row.name == "const" else None
    return Expr(row.name, gives, args, value, NAMES.get(row.name, "x" if row.form is Form.BINDER else None))


def with_value(expr: Expr) -> Expr:
    """An expression that can be published: a domain is counted, a local is bound, what is not written has a place."""
    if expr.op == "theCard":
        return Expr("suit", Type.SUIT, (expr,))
    if expr.op in ("single", "top"):
        cards = Expr("single", Type.CARDS, (expr,)) if expr.op == "top" else expr
        return Expr("count", Type.INT, (cards,))
    if expr.op == "place":
        return Expr("count", Type.INT, (Expr("zone", Type.CARDS, (expr,), name=expr.name),))
    x = Expr("local", Type.INT, name="x")
    if expr.op == "local":
        return Expr("sum", Type.INT, (Expr("range", Type.DOMAIN, (CONSTANTS[Type.INT],) * 2), TRUE, x), name="x")
    if expr.type is Type.DOMAIN:
        return Expr("countOf", Type.INT, (expr, TRUE), name="x")
    return expr


ROWS = [row for row in OPS.values() if row.name not in INSIDE_VALUES]
SCALARS = [row for row in OPS.values() if row.is_scalar]


def game_with(lines: list[str]) -> Game:
    loaded = load_text(CHART.replace("{lines}", "\n    ".join(lines)))
    assert loaded.flowchart is not None, [item.message for item in loaded.findings]
    return Game.make(loaded.flowchart, name="operators")


@pytest.fixture(scope="module")
def game() -> Game:
    """A game that publishes a sample of every operator, as the printers write it."""
    plain = game_with([]).flowchart
    lines = [f'publish("#{{{expr_text(with_value(sample(row)), plain)}}}")' for row in ROWS]
    return game_with([*lines, "drawn = random(3)"])


@pytest.fixture(scope="module")
def position(game: Game) -> SteppingState:
    return SteppingEngine(game).start(RandomChance(1))


def test_what_is_written_of_every_operator_is_read_again(game: Game) -> None:
    read = [expr for node in game.flowchart.nodes.values() for expr in node.exprs()]
    for row in ROWS:
        assert with_value(sample(row)) in read, expr_text(sample(row), game.flowchart)
    assert {part.op for expr in read for part in expr.walk()} == OPS.keys()


def test_every_engine_knows_every_operator(game: Game) -> None:
    native = pytest.importorskip("fcdl.engines.native")
    engine = native.NativeEngine(game)
    play_in_lockstep(engine, AspEngine(game), 1)
    play_in_lockstep(engine, SteppingEngine(game), 1)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_beliefs_know_every_operator(row: Op, game: Game, position: SteppingState) -> None:
    follower = Follower(game, 2, Listener())
    follower.follow(SteppingEngine(game).observe(position, 2).events)
    expr, evaluator, values = with_value(sample(row)), Evaluator(follower.knowledge), Values(game)
    if expr.type is Type.CARDS:
        assert set(evaluator.cards(expr)) == values.cards(expr, position)
    else:
        assert the_number(evaluator.value(expr)) == values.value(expr, position)


def of_constants(row: Op) -> Expr:
    args = tuple(CONSTANTS[kind or Type.CARD] for kind in row.takes)
    return Expr(row.name, row.gives or Type.INT, args, name=NAMES.get(row.name))


@pytest.mark.parametrize("row", SCALARS, ids=lambda row: row.name)
def test_scalar_operators_of_constants_are_known_before_play(row: Op, game: Game, position: SteppingState) -> None:
    expr = of_constants(row)
    value = Values(game).value(expr, position)
    assert evaluate_static(expr, game, {}) == value
    assert Folder(game.flowchart).value(expr, Setting(4)) == value
    in_every_setting = Folder(game.flowchart).value(expr, None)
    assert in_every_setting == (value if row.known is Known.CHART else None)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_operator_has_a_term(row: Op, game: Game) -> None:
    assert str(written_term(sample(row), game))


NUMBERS = (LOWEST, LOWEST + 1, -100, -7, -2, NONE, 0, 1, 2, 3, 46341, HIGHEST)


@pytest.mark.parametrize("row", [row for row in SCALARS if row.function is not None], ids=lambda row: row.name)
def test_operators_on_numbers_are_total_and_commute_as_their_rows_say(row: Op) -> None:
    assert row.function is not None
    numbers = {Type.BOOL: (0, 1), Type.PLAYER: (NONE, 0, 1, 2)}.get(row.takes[0] or Type.INT, NUMBERS)
    results = {args: row.function(*args) for args in product(numbers, repeat=len(row.takes))}
    assert all(LOWEST <= value <= HIGHEST for value in results.values())
    if row.gives is Type.BOOL:
        assert set(results.values()) <= {0, 1}
    if len(row.takes) == 2:
        assert row.commutes == all(results[a, b] == results[b, a] for a, b in results)
    if row.opposite:
        opposite = OPS[row.opposite].function
        assert opposite is not None
        assert all(opposite(*args) == 1 - value for args, value in results.items())


@pytest.mark.parametrize("row", [row for row in ROWS if row.lowered is not None], ids=lambda row: row.name)
def test_what_an_operator_is_lowered_to_means_the_same(row: Op, game: Game, position: SteppingState) -> None:
    expr, values = sample(row), Values(game)
    assert row.lowered is not None
    assert values.value(row.lowered(*expr.args), position) == values.value(expr, position)


def test_forgotten_operator_is_an_error() -> None:
    with pytest.raises(AssertionError, match=r"an evaluator forgets \['add'\]"):
        complete("an evaluator", OPS.keys() - {"add"})
