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


def _span() -> Span:
    return field(default=NO_SPAN, compare=False, repr=False, kw_only=True)


# --- expressions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number:
    """`17`."""

    value: int
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Text:
    """`"text"`, with `#{...}` still inside."""

    value: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Name:
    """A name: variable, constant, zone, card (`QS`, `10H`) ..."""

    name: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Call:
    """`f(x, y)`: function, table, definition, zone or variable of a player."""

    name: str
    args: tuple[Expression, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator and its operands: `+ - * / % == != < <= > >= & | ! in`, and `-` with one operand."""

    operator: str
    operands: tuple[Expression, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Range:
    """`low to high`, both included."""

    low: Expression
    high: Expression
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Each:
    """`those x in D with c`, `sum(e for x in D with c)`, `some(x in D with c)` ...: kind is the first word."""

    kind: str
    variable: str
    domain: Expression
    condition: Expression | None
    value: Expression | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a set of values, `raise if raises < 2`."""

    value: Expression
    condition: Expression | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Values:
    """`{fold, call, raise if raises < 2}`."""

    items: tuple[Item, ...]
    span: Span = _span()


Expression = Number | Text | Name | Call | Operation | Range | Each | Values


def children(expression: Expression) -> Iterator[Expression]:
    """The direct parts of an expression, left to right."""
    match expression:
        case Call(args=parts) | Operation(operands=parts):
            yield from parts
        case Range(low=low, high=high):
            yield low
            yield high
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


@dataclass(frozen=True, slots=True)
class Action:
    """A statement that is a word with arguments: `Shuffle`, `Deal(7)`, `Stack.empty`, `playCard(...)`."""

    name: str
    args: tuple[Expression, ...] = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Do:
    """`do trick`: a sub-chart (rectangle with double sides)."""

    chart: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Choice:
    """A diamond."""

    condition: Expression
    private: bool = False


Body = Start | End | Assign | Action | Do | Choice


@dataclass(frozen=True, slots=True)
class Node:
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
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart: its name and its nodes in the order of the text."""

    name: str
    nodes: tuple[Node, ...]
    span: Span = _span()


# --- header lines -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Title:
    """`game "Hearts"`."""

    title: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class About:
    """`about "One line of description."`."""

    text: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Players:
    """`players 2 to 7`."""

    low: int
    high: int
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Teams:
    """`teams 0 2, 1 3`."""

    teams: tuple[tuple[int, ...], ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Goal:
    """`lowest score wins`."""

    lowest: bool
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Deck:
    """`deck standard`, `deck ranks ... suits ... copies N`, `deck those c in standard with ...`.

    Empty ranks and suits mean the standard ones. The restriction is an `Each` of kind `those`
    whose domain is the name `standard`.
    """

    ranks: tuple[str, ...] = ()
    suits: tuple[str, ...] = ()
    copies: int = 1
    restriction: Each | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Order:
    """`order power: 7 8 9 queen king 10 ace`."""

    name: str
    ranks: tuple[str, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Table:
    """`table points: hearts 1, QS 13, else 0`; `otherwise` is None when there is no `else`."""

    name: str
    entries: tuple[tuple[str, int], ...]
    otherwise: int | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class List:
    """`list bids: 18, 20, 22`."""

    name: str
    values: tuple[int, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Words:
    """`words left, right`."""

    words: tuple[str, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Option:
    """`option target = 100 from 1 to 1000 "text"`, `option passing = yes`, `option rounds = down of down, up`.

    Exactly one of: `low` and `high` (an int option), `words` (one of several words), neither (yes or no).
    """

    name: str
    default: int | str | bool
    low: int | None = None
    high: int | None = None
    words: tuple[str, ...] = ()
    text: str = ""
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Zone:
    """`zone won(player): face down`; visibility is `all`, `nobody`, `owner` or `others`."""

    name: str
    per_player: bool
    visibility: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class PlayerVariables:
    """`each player has tricks = 0, bid`; a first value is an int or a constant's name, None if not given."""

    variables: tuple[tuple[str, Expression | None], ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Secret:
    """`secret bid`."""

    names: tuple[str, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Define:
    """`define isTrump(c) = ...`."""

    name: str
    parameters: tuple[str, ...]
    value: Expression
    span: Span = _span()


Header = (
    Title | About | Players | Teams | Goal | Deck | Order | Table | List | Words | Option | Zone | PlayerVariables
    | Secret | Define
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Document:
    """A whole file: header lines in order, then charts in order; the first chart is the game."""

    header: tuple[Header, ...]
    charts: tuple[Chart, ...]
