"""The operators of the core language, one row each: everything about an operator that more than one module asks for.

A row says what an operator takes and gives, how it is written in charts, in facts and in words, when its value is
known, and what it does to numbers. The vocabulary, the printers, the checker's and the model's evaluators and the
scalar parts of beliefs, heuristics and engines are made from these rows. An evaluator that has cases of its own says
with `complete` which operators it knows, so that a forgotten one stops the program at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from types import MappingProxyType

from fcdl.language import melds
from fcdl.language.flowchart import NONE, Expr, Flowchart, Type
from fcdl.language.places import place_number

LOWEST, HIGHEST = -(2**31), 2**31 - 1


class Form(StrEnum):
    """How an operator is written."""

    INFIX = "infix"
    PREFIX = "prefix"
    CALL = "call"
    """`abs(x)`: the types of its arguments are fixed."""
    FOLDED = "folded"
    """`max(x, y, ...)`: two or more arguments of one type, a tree of pairs."""
    SPECIAL = "special"
    """Written as a call whose arguments decide which operator it is: `suit(c)`, `suit(3)`, `size(bids)`."""
    BINDER = "binder"
    """`count(x in D where c)`: binds a name to the elements of a domain."""
    NAMED = "named"
    """By the name of the author's variable, zone, table ..., with its argument in brackets."""
    WORD = "word"
    """One word: `cards`, `numberOfPlayers`."""
    TABLED = "tabled"
    """`isSequence(cards, table)`: of cards by a table, without one by `rankValue`; then perhaps a number."""
    SILENT = "silent"
    """Nothing is written; the place where an expression stands decides: a card as cards, cards as a card."""
    OWN = "own"
    """In a way of its own: constants, ranges, sets of values."""


class Strength(IntEnum):
    """How tightly the parts of an expression hold together, loosest first."""

    LOOSE = 0
    OR = 1
    AND = 2
    NOT = 3
    COMPARISON = 4
    SUM = 5
    PRODUCT = 6
    UNARY = 7
    PRIMARY = 8


class Known(IntEnum):
    """What decides an operator's value once its arguments are known."""

    CHART = 0
    """Nothing else, or the chart: its deck, tables, lists and teams."""
    GAME = 1
    """The number of players and the options."""
    PLAY = 2
    """The position."""
    CHANCE = 3


@dataclass(frozen=True, slots=True)
class World:
    """What scalar operators may look at besides their arguments."""

    flowchart: Flowchart
    players: int


Function = Callable[..., int]
Maker = Callable[[World, str, Type], Function]
"""Makes the function of a game, for a name (of a table, a list) and the type of the first argument."""


@dataclass(frozen=True, slots=True)
class Op:
    """One operator."""

    name: str
    takes: tuple[Type | None, ...]
    """Types of the arguments, in the order of `Expr.args`; None for any type."""
    gives: Type | None
    """Type of the result; None for any."""
    form: Form
    written: str
    """How it is written, for hints: `a + b`, `abs(number)`."""
    strength: Strength = Strength.PRIMARY
    known: Known = Known.CHART
    commutes: bool = False
    term: str = ""
    """Its name in facts if that is another one: they have the vocabulary of Law's thesis (2013)."""
    is_operation: bool = False
    """In facts it is `operation(name, ...)`."""
    says: str = ""
    """Words between two operands (`plus`, `is at most`), or what a value is called (`absolute value`)."""
    denies: str = ""
    """The words of a comparison that does not hold."""
    opposite: str = ""
    """The comparison that holds when this one does not."""
    function: Function | None = None
    """What it does to numbers, whatever the game is."""
    maker: Maker | None = None
    """What it does to numbers in a game."""
    of_cards: Maker | None = None
    """What it makes of cards in a game; cards are bit masks over the deck."""
    lowered: Callable[..., Expr] | None = None
    """The same said by other operators, for engines that have no instruction for it."""

    word: str = field(init=False)
    """Its sign or the name under which it is called."""
    is_scalar: bool = field(init=False)
    """Whether it makes a number of numbers."""

    def __post_init__(self) -> None:
        first, *others = self.written.partition("(")[0].split()
        word = others[0] if self.form is Form.INFIX else first[0] if self.form is Form.PREFIX else first
        object.__setattr__(self, "word", word)
        object.__setattr__(self, "is_scalar", self.function is not None or self.maker is not None)

    @property
    def fact(self) -> str:
        """Its name in facts."""
        return self.term or self.name

    @property
    def has_value(self) -> bool:
        """Whether a binder has a value `for` each element."""
        return self.form is Form.BINDER and len(self.takes) == 3


def saturate(value: int) -> int:
    """Integers of charts are 32-bit and saturate."""
    return value if LOWEST <= value <= HIGHEST else LOWEST if value < 0 else HIGHEST


# --- functions that look at the game ----------------------------------------------------------------------------------


def _teams(world: World) -> Mapping[int, tuple[int, ...]]:
    return {seat: team for team in world.flowchart.teams for seat in team}


def _partner(world: World, name: str, kind: Type) -> Function:
    teams = _teams(world)

    def partner(p: int) -> int:
        team = teams.get(p, (p,))
        return team[(team.index(p) + 1) % len(team)] if p >= 0 else NONE

    return partner


def _same_team(world: World, name: str, kind: Type) -> Function:
    teams = _teams(world)
    return lambda p, q: int(p == q or q in teams.get(p, ()))


def _table(world: World, name: str, kind: Type) -> Function:
    table, deck = world.flowchart.tables[name], world.flowchart.deck
    if kind is Type.CARD:
        return lambda card: table.of_card(deck, card)
    return table.of_rank if kind is Type.RANK else table.of_suit


def _list(world: World, name: str, kind: Type) -> Function:
    numbers = world.flowchart.lists[name]
    return lambda i: numbers[i] if 0 <= i < len(numbers) else 0


def _place(world: World, name: str, kind: Type) -> Function:
    return place_number(world.flowchart, world.flowchart.family(name), world.players)


def _below(limit: Callable[[World], int]) -> Maker:
    """A number that stands for an element: itself from 0 to below the limit."""

    def make(world: World, name: str, kind: Type) -> Function:
        end = limit(world)
        return lambda i: i if 0 <= i < end else NONE

    return make


def _around(step: int) -> Maker:
    def make(world: World, name: str, kind: Type) -> Function:
        players = world.players
        return lambda p: (p + step) % players if p >= 0 else NONE

    return make


def _of_card(part: Callable[[World], Callable[[int], int]]) -> Maker:
    def make(world: World, name: str, kind: Type) -> Function:
        of = part(world)
        return lambda card: of(card) if card >= 0 else NONE

    return make


# --- functions of cards -----------------------------------------------------------------------------------------------


def _deck_values(world: World, table: str) -> list[int]:
    chart = world.flowchart
    return [chart.tables[table].of_card(chart.deck, card) for card in range(chart.deck.size)]


def _suits(world: World) -> list[int]:
    return [world.flowchart.deck.suit_of(card) for card in range(world.flowchart.deck.size)]


def _ranks(world: World) -> list[int]:
    return [world.flowchart.deck.rank_of(card) for card in range(world.flowchart.deck.size)]


def _is_group(world: World, name: str, kind: Type) -> Function:
    ranks = _ranks(world)
    return lambda cards: int(melds.alike(cards, ranks.__getitem__))


def _is_flush(world: World, name: str, kind: Type) -> Function:
    suits = _suits(world)
    return lambda cards: int(melds.alike(cards, suits.__getitem__))


def _is_sequence(world: World, name: str, kind: Type) -> Function:
    values = _deck_values(world, name)
    return lambda cards: int(melds.is_sequence(cards, values.__getitem__))


def _longest_sequence(world: World, name: str, kind: Type) -> Function:
    values = _deck_values(world, name)
    return lambda cards: melds.longest_sequence(cards, values.__getitem__)


def _longest_run(world: World, name: str, kind: Type) -> Function:
    values, suits = _deck_values(world, name), _suits(world)
    return lambda cards: melds.longest_run(cards, values.__getitem__, suits.__getitem__)


def poker_of(world: World) -> melds.Poker:
    """The poker hands of a game's deck."""
    return melds.Poker(melds.positions(_deck_values(world, "rankValue")), _suits(world))


def melding_of(world: World, table: str) -> melds.Melding:
    """How cards of a game's deck are divided into melds; what is left counts by a table."""
    orders = melds.run_orders(_deck_values(world, "rankValue"))
    return melds.Melding(_suits(world), _ranks(world), orders, _deck_values(world, table).__getitem__)


def _deadwood(world: World, name: str, kind: Type) -> Function:
    melding = melding_of(world, name)
    return lambda cards, size: saturate(melding.least(cards, size)[0])


def _melds(world: World, name: str, kind: Type) -> Function:
    melding = melding_of(world, name)
    return lambda cards, size: melding.least(cards, size)[1]


# --- operators said by others -----------------------------------------------------------------------------------------


def _hand(player: Expr) -> Expr:
    return Expr("zone", Type.CARDS, (player,), name="hand")


def _player_has(player: Expr, cards: Expr) -> Expr:
    shared = Expr("intersect", Type.CARDS, (_hand(player), cards))
    return Expr("not", Type.BOOL, (Expr("empty", Type.BOOL, (shared,)),))


def players_from(first: Expr, players: int) -> Expr:
    """`players from p` as a set of values, once the number of players is known; from nobody is from seat 0."""
    nobody, seat_0 = Expr("const", Type.PLAYER, value=NONE), Expr("const", Type.PLAYER, value=0)
    seat = Expr("if", Type.PLAYER, (Expr("equal", Type.BOOL, (first, nobody)), seat_0, first))
    seats = [seat]
    for _ in range(players - 1):
        seats.append(Expr("next", Type.PLAYER, (seats[-1],)))
    return Expr("values", Type.DOMAIN, tuple(seats))


# --- the rows ---------------------------------------------------------------------------------------------------------

_I, _B, _P, _S, _R, _C, _CS = Type.INT, Type.BOOL, Type.PLAYER, Type.SUIT, Type.RANK, Type.CARD, Type.CARDS
_D, _X = Type.DOMAIN, None


def _arithmetic(
    name: str, sign: str, strength: Strength, says: str, function: Function, *, commutes: bool = False
) -> Op:
    return Op(
        name, (_I, _I), _I, Form.INFIX, f"a {sign} b", strength, commutes=commutes, is_operation=True, says=says,
        function=function,
    )  # fmt: skip


def _comparison(
    name: str, kind: Type | None, sign: str, says: tuple[str, str], opposite: str, term: str, function: Function
) -> Op:
    return Op(
        name, (kind, kind), _B, Form.INFIX, f"a {sign} b", Strength.COMPARISON, commutes=kind is None, term=term,
        says=says[0], denies=says[1], opposite=opposite, function=function,
    )  # fmt: skip


def _logic(name: str, sign: str, strength: Strength, function: Function) -> Op:
    return Op(
        name, (_B, _B), _B, Form.INFIX, f"a {sign} b", strength, commutes=True, is_operation=True, says=name,
        function=function,
    )  # fmt: skip


def _binder(name: str, gives: Type | None, word: str, *, valued: bool) -> Op:
    takes = (_D, _B, _I) if valued else (_D, _B)
    return Op(name, takes, gives, Form.BINDER, f"{word}({'e for ' if valued else ''}x in D where c)")


_ROWS = (
    # leaves
    Op("const", (), _X, Form.OWN, "17"),
    Op("variable", (), _X, Form.NAMED, "name", known=Known.PLAY),
    Op("playerVariable", (_P,), _X, Form.NAMED, "name(player)", known=Known.PLAY),
    Op("option", (), _X, Form.NAMED, "name", known=Known.GAME),
    Op("local", (), _X, Form.NAMED, "name"),
    Op("numberOfPlayers", (), _I, Form.WORD, "numberOfPlayers", known=Known.GAME),
    Op("place", (_X,), Type.PLACE, Form.OWN, "name(key, key)", known=Known.GAME, maker=_place),
    # numbers
    _arithmetic("add", "+", Strength.SUM, "plus", lambda a, b: saturate(a + b), commutes=True),
    _arithmetic("subtract", "-", Strength.SUM, "minus", lambda a, b: saturate(a - b)),
    _arithmetic("multiply", "*", Strength.PRODUCT, "times", lambda a, b: saturate(a * b), commutes=True),
    _arithmetic("divide", "/", Strength.PRODUCT, "divided by", lambda a, b: saturate(a // b) if b else 0),
    _arithmetic("modulo", "%", Strength.PRODUCT, "modulo", lambda a, b: a % b if b else 0),
    Op("negate", (_I,), _I, Form.PREFIX, "-a", Strength.UNARY, is_operation=True, says="negative",
       function=lambda a: saturate(-a)),
    Op("absolute", (_I,), _I, Form.CALL, "abs(number)", is_operation=True, says="absolute value",
       function=lambda a: saturate(abs(a))),
    Op("minimum", (_I, _I), _I, Form.FOLDED, "min(number, number)", commutes=True, is_operation=True, function=min),
    Op("maximum", (_I, _I), _I, Form.FOLDED, "max(number, number)", commutes=True, is_operation=True, function=max),
    Op("wordNumber", (Type.WORD,), _I, Form.CALL, "wordNumber(word)", is_operation=True, says="place of the word",
       function=lambda word: word),
    # comparisons
    _comparison("equal", _X, "==", ("is", "is not"), "notEqual", "", lambda a, b: int(a == b)),
    _comparison("notEqual", _X, "!=", ("is not", "is"), "equal", "", lambda a, b: int(a != b)),
    _comparison("less", _I, "<", ("is less than", "is not less than"), "greaterEqual", "lessThan",
                lambda a, b: int(a < b)),
    _comparison("lessEqual", _I, "<=", ("is at most", "is more than"), "greater", "lessOrEqual",
                lambda a, b: int(a <= b)),
    _comparison("greater", _I, ">", ("is more than", "is not more than"), "lessEqual", "greaterThan",
                lambda a, b: int(a > b)),
    _comparison("greaterEqual", _I, ">=", ("is at least", "is less than"), "less", "greaterOrEqual",
                lambda a, b: int(a >= b)),
    # logic
    _logic("and", "&", Strength.AND, lambda a, b: a & b),
    _logic("or", "|", Strength.OR, lambda a, b: a | b),
    Op("not", (_B,), _B, Form.PREFIX, "!a", Strength.NOT, term="negation", is_operation=True, says="not",
       function=lambda a: 1 - a),
    Op("if", (_B, _X, _X), _X, Form.SPECIAL, "if(condition, value, other)"),
    # players
    Op("player", (_I,), _P, Form.CALL, "player(number)", known=Known.GAME, maker=_below(lambda world: world.players)),
    Op("playerNumber", (_P,), _I, Form.CALL, "playerNumber(player)", function=lambda p: p),
    Op("next", (_P,), _P, Form.CALL, "next(player)", known=Known.GAME, maker=_around(1)),
    Op("previous", (_P,), _P, Form.CALL, "previous(player)", known=Known.GAME, maker=_around(-1)),
    Op("partner", (_P,), _P, Form.CALL, "partner(player)", maker=_partner),
    Op("sameTeam", (_P, _P), _B, Form.CALL, "sameTeam(player, player)", commutes=True, maker=_same_team),
    # what is on a card
    Op("suit", (_C,), _S, Form.SPECIAL, "suit(card)", maker=_of_card(lambda world: world.flowchart.deck.suit_of)),
    Op("rank", (_C,), _R, Form.SPECIAL, "rank(card)", maker=_of_card(lambda world: world.flowchart.deck.rank_of)),
    Op("suitAt", (_I,), _S, Form.SPECIAL, "suit(number)", maker=_below(lambda world: len(world.flowchart.deck.suits))),
    Op("rankAt", (_I,), _R, Form.SPECIAL, "rank(number)", maker=_below(lambda world: len(world.flowchart.deck.ranks))),
    Op("table", (_X,), _I, Form.NAMED, "name(card)", maker=_table),
    Op("list", (_I,), _I, Form.NAMED, "name(number)", maker=_list),
    Op("listSize", (), _I, Form.SPECIAL, "size(list)",
       maker=lambda world, name, kind: lambda: len(world.flowchart.lists[name])),
    # one card
    Op("top", (_CS,), _C, Form.SPECIAL, "top(zone)"),
    Op("bottom", (_CS,), _C, Form.SPECIAL, "bottom(zone)"),
    Op("at", (_CS, _I), _C, Form.SPECIAL, "at(zone, number)"),
    Op("theCard", (_CS,), _C, Form.SILENT, "cards"),
    # cards
    Op("topCards", (_CS, _I), _CS, Form.SPECIAL, "top(zone, number)"),
    Op("bottomCards", (_CS, _I), _CS, Form.SPECIAL, "bottom(zone, number)"),
    Op("zone", (_P,), _CS, Form.NAMED, "name(player)", known=Known.PLAY),
    Op("template", (_R, _S), _CS, Form.CALL, "card(rank, suit)", known=Known.GAME, term="card"),
    Op("single", (_C,), _CS, Form.SILENT, "card"),
    Op("allCards", (), _CS, Form.WORD, "cards", known=Known.GAME),
    Op("union", (_CS, _CS), _CS, Form.FOLDED, "union(cards, cards)", commutes=True),
    Op("intersect", (_CS, _CS), _CS, Form.FOLDED, "intersect(cards, cards)", commutes=True),
    Op("except", (_CS, _CS), _CS, Form.CALL, "except(cards, cards)"),
    Op("those", (_D, _B), _X, Form.BINDER, "cards x in D where c"),
    # numbers and truths about cards
    Op("count", (_CS,), _I, Form.CALL, "count(cards)"),
    Op("empty", (_CS,), _B, Form.CALL, "empty(cards)"),
    Op("member", (_C, _CS), _B, Form.INFIX, "c in cards", Strength.COMPARISON, says="is among",
       denies="is not among"),
    Op("position", (_C, _CS), _I, Form.SPECIAL, "position(card, zone)"),
    Op("playerHas", (_P, _CS), _B, Form.CALL, "playerHas(player, cards)", known=Known.PLAY, lowered=_player_has),
    Op("cardsRemaining", (_P,), _I, Form.CALL, "cardsRemaining(player)", known=Known.PLAY,
       lowered=lambda player: Expr("count", Type.INT, (_hand(player),))),
    # melds
    Op("isGroup", (_CS,), _B, Form.CALL, "isGroup(cards)", says="a group", of_cards=_is_group),
    Op("isFlush", (_CS,), _B, Form.CALL, "isFlush(cards)", says="of one suit", of_cards=_is_flush),
    Op("isSequence", (_CS,), _B, Form.TABLED, "isSequence(cards, table)", says="a sequence", of_cards=_is_sequence),
    Op("longestSequence", (_CS,), _I, Form.TABLED, "longestSequence(cards, table)", of_cards=_longest_sequence),
    Op("longestRun", (_CS,), _I, Form.TABLED, "longestRun(cards, table)", of_cards=_longest_run),
    Op("pokerValue", (_CS,), _I, Form.CALL, "pokerValue(cards)",
       of_cards=lambda world, name, kind: poker_of(world).value),
    Op("pokerClass", (_CS,), _I, Form.CALL, "pokerClass(cards)",
       of_cards=lambda world, name, kind: poker_of(world).kind),
    Op("deadwood", (_CS, _I), _I, Form.TABLED, "deadwood(cards, table, number)", of_cards=_deadwood),
    Op("melds", (_CS, _I), _CS, Form.TABLED, "melds(cards, table, number)", of_cards=_melds),
    # aggregates
    _binder("sum", _I, "sum", valued=True),
    _binder("largest", _I, "max", valued=True),
    _binder("smallest", _I, "min", valued=True),
    _binder("highest", _X, "highest", valued=True),
    _binder("lowest", _X, "lowest", valued=True),
    _binder("countOf", _I, "count", valued=False),
    _binder("some", _B, "some", valued=False),
    _binder("every", _B, "every", valued=False),
    # domains and choices
    Op("players", (), _D, Form.WORD, "players", known=Known.GAME),
    Op("playersFrom", (_P,), _D, Form.OWN, "players from player", known=Known.GAME),
    Op("suits", (), _D, Form.WORD, "suits"),
    Op("ranks", (), _D, Form.WORD, "ranks"),
    Op("range", (_I, _I), _D, Form.OWN, "low to high"),
    Op("subsets", (_CS, _I, _I), _D, Form.OWN, "subsets(cards, low to high)"),
    Op("values", (_X,), _D, Form.OWN, "{a, b}"),
    Op("when", (_B, _X), _X, Form.OWN, "a if c"),
    # chance
    Op("random", (_I,), _I, Form.CALL, "random(number)", known=Known.CHANCE),
)  # fmt: skip

OPS: Mapping[str, Op] = MappingProxyType({row.name: row for row in _ROWS})
"""All operators by name."""

FUNCTIONS: Mapping[str, Function] = MappingProxyType(
    {row.name: row.function for row in _ROWS if row.function is not None}
)
"""What operators do to numbers, whatever the game is."""


def ops_of(*forms: Form) -> tuple[Op, ...]:
    """The operators that are written in one of these ways."""
    return tuple(row for row in _ROWS if row.form in forms)


ARITHMETIC: Mapping[str, Function] = MappingProxyType(
    {name: function for name, function in FUNCTIONS.items() if OPS[name].is_operation and OPS[name].gives is Type.INT}
)
"""What operations on numbers do: `operation(name, ...)` in facts."""

BINDERS: Mapping[str, Op] = MappingProxyType({row.name: row for row in ops_of(Form.BINDER)})
"""The operators that bind a local."""


BY_ORDER: Mapping[str, int] = MappingProxyType(
    {"top": 0, "bottom": 0, "at": 0, "topCards": 0, "bottomCards": 0, "position": 1}
)
"""The operators that look at the order of a zone: which argument it is."""


def looked_into(expr: Expr) -> Expr | None:
    """The zone whose order an expression looks at itself, if it does."""
    return expr.args[BY_ORDER[expr.op]] if expr.op in BY_ORDER else None


def depends_on_play(expr: Expr) -> bool:
    """Whether only the play decides the value of an expression."""
    return any(OPS[part.op].known >= Known.PLAY for part in expr.walk())


def complete(who: str, *known: Iterable[str]) -> frozenset[str]:
    """All operators; raises AssertionError if `who` does not know exactly these."""
    names = frozenset(name for part in known for name in part)
    if names != OPS.keys():
        raise AssertionError(f"{who} forgets {sorted(OPS.keys() - names)} and invents {sorted(names - OPS.keys())}")
    return names


OF_CARDS: Mapping[str, Op] = MappingProxyType({row.name: row for row in _ROWS if row.of_cards is not None})
"""The operators that are functions of cards, whatever the position is."""


class Scalars:
    """The operators of one game that are functions of their arguments: of numbers, or of cards as bit masks."""

    def __init__(self, flowchart: Flowchart, players: int) -> None:
        self._world = World(flowchart, players)
        self._made: dict[tuple[str, str, Type | None], Function] = {}

    def __reduce__(self) -> tuple[type[Scalars], tuple[Flowchart, int]]:
        return Scalars, (self._world.flowchart, self._world.players)

    def function(self, op: str, name: str | None = None, kind: Type | None = None) -> Function:
        """The function of an operator; `kind` is the type of its first argument."""
        function = FUNCTIONS.get(op)
        if function is not None:
            return function
        key = (op, name or "", kind)
        made = self._made.get(key)
        if made is None:
            maker = OPS[op].maker or OPS[op].of_cards
            if maker is None:
                raise LookupError(f"{op} is not a function of values")
            made = self._made[key] = maker(self._world, name or "", kind or Type.INT)
        return made

    def of(self, expr: Expr) -> Function:
        """The function of an expression's operator."""
        return self.function(expr.op, expr.name, expr.args[0].type if expr.args else None)
