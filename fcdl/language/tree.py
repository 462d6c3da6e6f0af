"""The syntax tree: a chart as it was written, with positions, before names and types mean anything.

A `Document` is what all forms of a chart (text, drawing facts, `state/2` facts, JSON) are read into and written
from. Its nodes carry numbers and point to each other by number; what is missing or doubled is for the checker.
Spans never take part in comparison: two documents are equal when they say the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fcdl.language.diagnostics import Span

NO_SPAN = Span(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Placed:
    """Something that stands at a place in a file."""

    span: Span = field(default=NO_SPAN, compare=False, repr=False, kw_only=True)


# --- expressions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number(Placed):
    """`17`."""

    value: int


@dataclass(frozen=True, slots=True)
class Text(Placed):
    """`"text"`, with `#{...}` still inside."""

    value: str


@dataclass(frozen=True, slots=True)
class Name(Placed):
    """A name: variable, constant, zone, card (`QS`, `10H`) ..."""

    name: str


@dataclass(frozen=True, slots=True)
class Call(Placed):
    """`f(x, y)`: function, table, definition, zone or variable of a player."""

    name: str
    args: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Operation(Placed):
    """An operator and its operands: `+ - * / % == != < <= > >= & | ! in`, and `-` with one operand."""

    operator: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Range(Placed):
    """`low to high`, both included."""

    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class PlayersFrom(Placed):
    """`players from leader`: all of them, in the order of play from there."""

    first: Expression


@dataclass(frozen=True, slots=True)
class Each(Placed):
    """`sum(e for x in D where c)`, `some(x in D where c)` ...: kind is the first word.

    `cards x in D where c`, and the same of other values, is of kind `those`, its first word in the first version of the
    language; `noun` is the word that was written instead.
    """

    kind: str
    variable: str
    domain: Expression
    condition: Expression | None
    value: Expression | None
    noun: str = field(default="", compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Item(Placed):
    """One item of a set of values, `raise if raises < 2`."""

    value: Expression
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class Values(Placed):
    """`{fold, call, raise if raises < 2}`."""

    items: tuple[Item, ...]


Expression = Number | Text | Name | Call | Operation | Range | PlayersFrom | Each | Values


def children(expression: Expression) -> Iterator[Expression]:
    """The direct parts of an expression, left to right."""
    match expression:
        case Call(args=parts) | Operation(operands=parts):
            yield from parts
        case Range(low=low, high=high):
            yield low
            yield high
        case PlayersFrom(first=first):
            yield first
        case Each():
            for part in (expression.value, expression.domain, expression.condition):
                if part is not None:
                    yield part
        case Values(items=items):
            for item in items:
                yield item.value
                if item.condition is not None:
                    yield item.condition
        case _:
            return


# --- what nodes say -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Start:
    """The start terminal (ellipse)."""


@dataclass(frozen=True, slots=True)
class End:
    """The end terminal (ellipse)."""


@dataclass(frozen=True, slots=True)
class Assign:
    """`target = value`."""

    target: Name | Call
    value: Expression
    public: bool = False
    """Whether it is meant to tell what it tells of hidden things."""


@dataclass(frozen=True, slots=True)
class Action(Placed):
    """A statement that is a word with arguments: `Shuffle`, `Deal(7)`, `Stack.empty`, `playCard(...)`."""

    name: str
    args: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Do(Placed):
    """`do trick`: a sub-chart (rectangle with double sides)."""

    chart: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A diamond."""

    condition: Expression
    private: bool = False
    public: bool = False
    """Whether it is meant to tell what it tells of hidden things."""


@dataclass(frozen=True, slots=True)
class ForSeats(Placed):
    """`statement for p in players from leader where c`: one box, a loop over the seats when the chart is read.

    `first` is the player after `from`. With `together` nobody sees what the others decide before all have decided. The
    span is that of the variable.
    """

    body: Assign | Action | Do
    variable: str
    first: Expression | None = None
    condition: Expression | None = None
    together: bool = False
    public: bool = False


@dataclass(frozen=True, slots=True)
class Broken(Action):
    """A caption that could not be read; stands only in documents with errors, and keeps the node's place."""

    choice: bool = False


Body = Start | End | Assign | Action | Do | Choice | ForSeats


def called_chart(body: Body) -> Do | None:
    """The sub-chart that a node stands for, once or for each seat."""
    return called_chart(body.body) if isinstance(body, ForSeats) else body if isinstance(body, Do) else None


def is_meant(body: Body) -> bool:
    """Whether a node is meant to tell what it tells of hidden things: its line begins with `public`."""
    return isinstance(body, Assign | Choice | ForSeats) and body.public


def arrow_kinds(body: Body) -> tuple[str, ...]:
    """The arrows that a node must have, by what it says."""
    match body:
        case Choice() | Broken(choice=True):
            return ("yes", "no")
        case End():
            return ()
    return ("next",)


@dataclass(frozen=True, slots=True)
class Node(Placed):
    """One node: its number, its label if it has a name, what it says, and where its arrows lead.

    `next` is for everything but diamonds and the end; `yes` and `no` are for diamonds. None: no arrow.
    `extra` are arrows too many, kept for the checker (only the fact and JSON forms can have them).
    """

    number: int
    body: Body
    next: int | None = None
    yes: int | None = None
    no: int | None = None
    label: str | None = None
    position: tuple[int, int] | None = field(default=None, compare=False)
    extra: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Chart(Placed):
    """A chart: its name and its nodes in the order of the text."""

    name: str
    nodes: tuple[Node, ...]


# --- header lines -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Title(Placed):
    """`game "Hearts"`."""

    title: str


@dataclass(frozen=True, slots=True)
class Genre(Placed):
    """`genre "trick-taking", "partners", "bidding"`: the genre of a game, then tags."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class About(Placed):
    """`about "One line of description."`."""

    text: str


@dataclass(frozen=True, slots=True)
class Players(Placed):
    """`players 2 to 7`."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Teams(Placed):
    """`teams 0 2, 1 3`."""

    teams: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Wins(Placed):
    """`lowest score wins`."""

    lowest: bool


@dataclass(frozen=True, slots=True)
class Deck(Placed):
    """`deck standard`, `deck ranks ... suits ... copies N`, `deck cards c in standard where ...`: a part of the deck.

    Empty ranks and suits mean the standard ones. The restriction is an `Each` of kind `those` over the part's cards;
    its domain is the name `standard` or, for listed ones, `cards`.
    """

    ranks: tuple[str, ...] = ()
    suits: tuple[str, ...] = ()
    copies: int = 1
    restriction: Each | None = None


@dataclass(frozen=True, slots=True)
class Order(Placed):
    """`order power: 7 8 9 queen king 10 ace`."""

    name: str
    ranks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table(Placed):
    """`table points: hearts 1, QS 13, else 0`; `otherwise` is None when there is no `else`."""

    name: str
    entries: tuple[tuple[str, int], ...]
    otherwise: int | None


@dataclass(frozen=True, slots=True)
class List(Placed):
    """`list bids: 18, 20, 22`."""

    name: str
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Words(Placed):
    """`words left, right`."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Option(Placed):
    """`option target = 100 from 1 to 1000 "text"`, `option passing = yes`, `option rounds = down of down, up`.

    Exactly one of: `low` and `high` (an int option), `words` (one of several words), neither (yes or no).
    """

    name: str
    default: int | str | bool
    low: int | None = None
    high: int | None = None
    words: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Key:
    """What tells the places of a zone or variable apart: `player`, `team`, `suit`, `rank`, a `number` (low, high)."""

    kind: str
    low: int = 0
    high: int = 0


PER_PLAYER = (Key("player"),)


@dataclass(frozen=True, slots=True)
class Zone(Placed):
    """`zone won(player): face down`; visibility is `all`, `nobody`, `owner` or `others`."""

    name: str
    keys: tuple[Key, ...]
    visibility: str


@dataclass(frozen=True, slots=True)
class Variables(Placed):
    """`each player has tricks = 0, bid`; a first value is an int or a constant's name, None if not given."""

    keys: tuple[Key, ...]
    variables: tuple[tuple[str, Expression | None], ...]


@dataclass(frozen=True, slots=True)
class Secret(Placed):
    """`secret bid`."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Define(Placed):
    """`define isTrump(c) = ...`."""

    name: str
    parameters: tuple[str, ...]
    value: Expression


@dataclass(frozen=True, slots=True)
class Goal(Placed):
    """`goal more tricks(me), fewer count(hand(me))`: of each wish whether more is wanted, and of what."""

    wishes: tuple[tuple[bool, Expression], ...]


@dataclass(frozen=True, slots=True)
class Always(Placed):
    """`always score(player(0)) + score(player(1)) == 7`: what holds at the end of every game."""

    condition: Expression


@dataclass(frozen=True, slots=True)
class GivenValue(Placed):
    """`leader = player(0)` of an expectation."""

    target: Name | Call
    value: Expression


@dataclass(frozen=True, slots=True)
class GivenCards(Placed):
    """`hand(player(0)): AS KH` of an expectation; the last card is the top one."""

    zone: Name | Call
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Expect(Placed):
    """`expect "text": trumps = hearts, hand(player(0)): AS, do trick, play AS, then leader == player(0)`.

    `run` has the charts (`do trick`) and moves (`play AS`) in order, as texts.
    """

    text: str
    given: tuple[GivenValue | GivenCards, ...]
    run: tuple[str, ...]
    conditions: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Say(Placed):
    """`say ask defend.pass: "text", "meaning" if condition`; the role is `ask`, `tell` or empty."""

    role: str
    name: str
    answer: str
    text: Text
    meaning: str
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class Sort(Placed):
    """`sort hand by isTrump(card), power(card)`."""

    keys: tuple[Expression, ...]


Header = (
    Title | Genre | About | Players | Teams | Wins | Goal | Always | Deck | Order | Table | List | Words | Option | Zone
    | Variables | Secret | Define | Expect | Say | Sort
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Document:
    """A whole file: header lines in order, then charts in order; the first chart is the game."""

    header: tuple[Header, ...]
    charts: tuple[Chart, ...]
