"""The checked flowchart: every name resolved, every expression typed, definitions expanded, immutable.

This is the contract between the language and everything that executes or draws a chart. Its expressions and
statements form a small core language; `docs/language-design.md` gives its meaning.

Expressions are `Expr(op, type, args, value, name)`; `ops.py` has the ops, a row each:

  leaves        const (value)   variable, playerVariable, option, local, numberOfPlayers: `local` is bound by an
                aggregate, or is `seat` in a Move for each seat
  binders       (name; domain, condition) or (name; domain, condition, value); without `where` the condition is const
                true; `those` over a domain that is not cards has type DOMAIN
  by name       table, list, listSize and zone have the name of what they look into
  places        zone and playerVariable have one argument if they are families: a player if that is the only key,
                otherwise place (name; keys), whose value is the number of the place, or none if there is no such place
  domains       any cards expression, or of type DOMAIN: players, suits, ranks, range, values, subsets (cards, least and
                largest number of cards; value 1: copies of a card are one), whose elements are of type CARDS
  choices       values (items), with items any expression, range, or when (condition, item)
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from fcdl.language import tree
from fcdl.language.diagnostics import Span

if TYPE_CHECKING:
    import networkx as nx

NONE = -1
"""The value of `none`: no card, no player, no suit ..."""
ANY = -2
"""The value of `any`, of suits and ranks."""

MAX_CARDS = 256
MAX_PLAYERS = 8
MAX_CHOICES = 256
MAX_RANGE = 1000
MAX_KEYS = 2
MAX_ZONES = 1000
MAX_VARIABLES = 10_000
QUESTION_STEPS = 5000
"""So many parts are looked at, at most, to work out what one line tells about hidden cards."""
QUESTION_CASES = 100
"""So many values something may have, at most, that depends on hidden cards."""


class Type(StrEnum):
    """The static types."""

    INT = "int"
    BOOL = "bool"
    PLAYER = "player"
    SUIT = "suit"
    RANK = "rank"
    CARD = "card"
    CARDS = "cards"
    WORD = "word"
    TEXT = "text"
    DOMAIN = "domain"
    PLACE = "place"


@dataclass(frozen=True, slots=True)
class Expr:
    """A typed expression of the core language; the module's docstring lists the ops."""

    op: str
    type: Type
    args: tuple[Expr, ...] = ()
    value: int | None = None
    name: str | None = None
    span: Span | None = field(default=None, compare=False, repr=False)
    _hash: int = field(init=False, compare=False, repr=False)
    """Found once: expressions are deep, and looked up often."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.op, self.args, self.value, self.name)))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        return Expr, (self.op, self.type, self.args, self.value, self.name, self.span)

    def walk(self) -> Iterator[Expr]:
        """This expression and all its parts, outermost first."""
        pending = [self]
        while pending:
            expr = pending.pop()
            yield expr
            pending.extend(reversed(expr.args))


TRUE = Expr("const", Type.BOOL, value=1)


@dataclass(frozen=True, slots=True)
class VariableRef:
    """Where a value goes: a variable, or one of a family: that of a player, or at a `place`."""

    name: str
    player: Expr | None = None


@dataclass(frozen=True, slots=True)
class Assign:
    """`target = value`; the value may contain one `random`."""

    target: VariableRef
    value: Expr


@dataclass(frozen=True, slots=True)
class Gather:
    """`Shuffle`: every card goes back to the pack, which is then shuffled."""


@dataclass(frozen=True, slots=True)
class ShuffleZone:
    """`shuffle(zone)`."""

    zone: Expr


class MoveBy(StrEnum):
    """What a Move moves: a number of cards from the top, all, or the given cards as far as they are there."""

    NUMBER = "number"
    ALL = "all"
    CARDS = "cards"


@dataclass(frozen=True, slots=True)
class Move:
    """Cards go from one zone to another, one at a time, each landing on top, or at a place of the target (1: the top).

    `Deal(n)`, `pickUp` and `Stack.empty` are moves too. With `each_seat` the move happens once for every
    seat in turn, from seat 0, and `local seat` in the zones is that seat. `what` is None for `ALL`.
    """

    by: MoveBy
    what: Expr | None
    source: Expr
    target: Expr
    each_seat: bool = False
    place: Expr | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """Decision `play C` (or `pass`): a card of `hand(player)` that is in `cards` goes to `target`."""

    player: Expr
    cards: Expr
    source: Expr
    target: Expr
    may_pass: bool


@dataclass(frozen=True, slots=True)
class Pick:
    """Decision `pick C`, `number` times: a card of `source` that is in `cards` goes to `target`."""

    player: Expr
    number: Expr
    cards: Expr
    source: Expr
    target: Expr


@dataclass(frozen=True, slots=True)
class TakeSet:
    """Decision `play C D` or `take C D` (or `pass`): one of `sets`, whose cards are all in `source`, goes to `target`.

    `word` is "play" or "take". With no set to take the game goes on; with none to play it is stuck.
    """

    player: Expr
    sets: Expr
    source: Expr
    target: Expr
    may_pass: bool
    word: str


@dataclass(frozen=True, slots=True)
class Choose:
    """Decision `choose V`: `target` becomes one of `values` (a DOMAIN expression)."""

    player: Expr
    target: VariableRef
    values: Expr


@dataclass(frozen=True, slots=True)
class Publish:
    """Text for everybody: plain pieces and expressions in turn."""

    parts: tuple[str | Expr, ...]


@dataclass(frozen=True, slots=True)
class Show:
    """The cards are shown to one player, or to all (None)."""

    cards: Expr
    audience: Expr | None


@dataclass(frozen=True, slots=True)
class CallChart:
    """`do chart`."""

    chart: str


Statement = Assign | Gather | ShuffleZone | Move | Play | Pick | TakeSet | Choose | Publish | Show | CallChart
Decision = Play | Pick | TakeSet | Choose


def statement_exprs(statement: Statement) -> Iterator[Expr]:
    """The outermost expressions of a statement (the target's player included)."""
    match statement:
        case Assign(target=target, value=value):
            if target.player is not None:
                yield target.player
            yield value
        case Choose(player=player, target=target, values=values):
            yield player
            if target.player is not None:
                yield target.player
            yield values
        case ShuffleZone(zone=zone):
            yield zone
        case Move(what=what, source=source, target=to, place=place):
            if what is not None:
                yield what
            yield source
            yield to
            if place is not None:
                yield place
        case Play(player=player, cards=cards, source=source, target=to):
            yield from (player, cards, source, to)
        case TakeSet(player=player, sets=sets, source=source, target=to):
            yield from (player, sets, source, to)
        case Pick(player=player, number=number, cards=cards, source=source, target=to):
            yield from (player, number, cards, source, to)
        case Publish(parts=parts):
            yield from (part for part in parts if isinstance(part, Expr))
        case Show(cards=cards, audience=audience):
            yield cards
            if audience is not None:
                yield audience
        case _:
            return


class NodeKind(StrEnum):
    """The elements of a flowchart."""

    START = "start"
    END = "end"
    STATEMENT = "statement"
    CHOICE = "choice"
    CALL = "call"


@dataclass(frozen=True, slots=True)
class Node:
    """One node of a checked chart. Statements and calls have `next`, choices `yes` and `no`, ends nothing."""

    number: int
    chart: str
    kind: NodeKind
    caption: str
    next: int | None = None
    yes: int | None = None
    no: int | None = None
    statement: Statement | None = None
    condition: Expr | None = None
    private: bool = False
    label: str | None = None
    position: tuple[int, int] | None = None
    box: int | None = None
    """The box to which this belongs, if nobody wrote it: a box for all seats, or a blind pick."""
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def arrows(self) -> tuple[tuple[str, int], ...]:
        """The arrows, each with where it leads, yes before no."""
        arrows = (("next", self.next), ("yes", self.yes), ("no", self.no))
        return tuple((arrow, to) for arrow, to in arrows if to is not None)

    @property
    def successors(self) -> tuple[int, ...]:
        """Where the arrows lead, yes before no."""
        return tuple(n for n in (self.next, self.yes, self.no) if n is not None)

    @property
    def is_turning(self) -> bool:
        """Whether it belongs to a box that is several nodes and asks nothing that the author wrote."""
        return self.box is not None and self.yes != self.box

    @property
    def is_decision(self) -> bool:
        """Whether a player decides something here."""
        return isinstance(self.statement, Decision)

    def exprs(self) -> Iterator[Expr]:
        """The outermost expressions of this node."""
        if self.condition is not None:
            yield self.condition
        if self.statement is not None:
            yield from statement_exprs(self.statement)


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart: its start, its end and all its nodes in the order of the text."""

    name: str
    start: int
    end: int
    nodes: tuple[int, ...]


class Visibility(StrEnum):
    """Who sees the cards of a zone."""

    ALL = "all"
    NOBODY = "nobody"
    OWNER = "owner"
    OTHERS = "others"


@dataclass(frozen=True, slots=True)
class Family:
    """A zone or a variable: one, or with keys one at each place.

    A place is a number: of one key its position among the key's values, of two the first one's times the number of the
    second's values, plus the second one's. So the place of a player is the seat. Whose a place is and how it is written
    is for `places.py`.
    """

    name: str
    keys: tuple[tree.Key, ...]

    @property
    def per_player(self) -> bool:
        """Whether each player has one, and that is all."""
        return self.keys == tree.PER_PLAYER

    @property
    def owned(self) -> bool:
        """Whether each place belongs to a player or a team."""
        return bool(self.keys) and self.keys[0].kind in ("player", "team")


@dataclass(frozen=True, slots=True)
class Zone(Family):
    """A place for cards; `ordered` when the chart looks at the order of its cards."""

    visibility: Visibility
    ordered: bool


@dataclass(frozen=True, slots=True)
class Variable(Family):
    """A variable; those with keys have a first value, the others None (assigned before they are read)."""

    type: Type
    initial: int | None
    secret: bool


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game: an int from low to high, a yes/no (BOOL) or one of several words (WORD).

    `default` and the values of words are the values that engines use; `words` are the allowed ones.
    """

    name: str
    type: Type
    default: int
    low: int
    high: int
    words: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Face:
    """What is on a card: the index of its rank and of its suit. `part` is the `deck` line that it comes from."""

    rank: int
    suit: int
    part: int = 0


@dataclass(frozen=True)
class Deck:
    """All cards there can be, in deck order: copies of a card, also those of several parts, lie next to each other."""

    ranks: tuple[str, ...]
    suits: tuple[str, ...]
    rank_codes: tuple[str, ...]
    suit_codes: tuple[str, ...]
    cards: tuple[Face, ...]
    restrictions: tuple[Expr | None, ...] = (None,)
    """By part: a `those` expression over allCards, of options and numberOfPlayers only; None: all its cards."""

    @property
    def size(self) -> int:
        """Number of cards before restrictions."""
        return len(self.cards)

    @cached_property
    def copies(self) -> int:
        """The largest number of copies of a card."""
        return max(self.first_copies.count(card) for card in set(self.first_copies))

    @cached_property
    def first_copies(self) -> tuple[int, ...]:
        """For each card the first card that looks like it."""
        first: dict[tuple[int, int], int] = {}
        return tuple(first.setdefault((face.rank, face.suit), card) for card, face in enumerate(self.cards))

    def rank_of(self, card: int) -> int:
        """Index of the card's rank."""
        return self.cards[card].rank

    def suit_of(self, card: int) -> int:
        """Index of the card's suit."""
        return self.cards[card].suit

    def restriction_of(self, card: int) -> Expr | None:
        """What decides whether a card is used; None if it always is."""
        return self.restrictions[self.cards[card].part]

    def code(self, card: int) -> str:
        """The card's short name, rank then suit: `QS`."""
        return self._codes[card]

    @cached_property
    def _codes(self) -> tuple[str, ...]:
        return tuple(self.rank_codes[face.rank] + self.suit_codes[face.suit] for face in self.cards)

    def cards_with_code(self, code: str) -> tuple[int, ...]:
        """All copies of the card with this short name (`10H` is `TH`), none if there is no such card."""
        return self._by_code.get(code, ())

    @cached_property
    def _by_code(self) -> Mapping[str, tuple[int, ...]]:
        codes: dict[str, tuple[int, ...]] = {}
        for card, code in enumerate(self._codes):
            codes[code] = (*codes.get(code, ()), card)
        for code, cards in list(codes.items()):
            if code.startswith("T") and self.ranks[self.rank_of(cards[0])] == "10":
                codes.setdefault("10" + code[1:], cards)
        return MappingProxyType(codes)


@dataclass(frozen=True, slots=True)
class Table:
    """Card, rank or suit → int."""

    name: str
    cards: Mapping[int, int]
    ranks: Mapping[int, int]
    suits: Mapping[int, int]
    otherwise: int

    def of_card(self, deck: Deck, card: int) -> int:
        """The card's value: by card, then by rank, then by suit."""
        if card < 0:
            return 0
        if card in self.cards:
            return self.cards[card]
        if deck.rank_of(card) in self.ranks:
            return self.ranks[deck.rank_of(card)]
        return self.suits.get(deck.suit_of(card), self.otherwise)

    def of_rank(self, rank: int) -> int:
        """A rank's value, 0 for none and any."""
        return self.ranks.get(rank, self.otherwise) if rank >= 0 else 0

    def of_suit(self, suit: int) -> int:
        """A suit's value, 0 for none and any."""
        return self.suits.get(suit, self.otherwise) if suit >= 0 else 0


@dataclass(frozen=True, slots=True)
class Goal:
    """What a player wants by a `goal` line, more (`sign` 1) or less (-1) of it; in it `me` is the player."""

    sign: int
    what: Expr


@dataclass(frozen=True, slots=True)
class Say:
    """What a `say` line says: how a thing is called, a decision asked (`ask`) or an event told (`tell`).

    In its expressions `me` is the player whom it is about. `docs/language-design.md`, section 11, has the meaning.
    """

    role: str
    name: str
    answer: str
    text: tuple[str | Expr, ...]
    meaning: str
    condition: Expr | None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the author expects: with these settings and after these statements, the charts and moves of `run` lead to a
    position in which the conditions hold. `settings` are options and `numberOfPlayers`, as text.
    """

    text: str
    settings: tuple[tuple[str, str], ...]
    given: tuple[Statement, ...]
    run: tuple[str, ...]
    conditions: tuple[Expr, ...]
    captions: tuple[str, ...]
    """The conditions as they are written."""
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Flowchart:
    """A checked chart. Immutable; `graph` has every node of every chart and an edge for every arrow."""

    title: str
    genre: str
    """What kind of game it is, such as `trick-taking`; empty if the author does not say."""
    tags: tuple[str, ...]
    about: tuple[str, ...]
    players: tuple[int, int]
    teams: tuple[tuple[int, ...], ...]
    lowest_wins: bool
    deck: Deck
    tables: Mapping[str, Table]
    lists: Mapping[str, tuple[int, ...]]
    words: tuple[str, ...]
    options: Mapping[str, Option]
    zones: Mapping[str, Zone]
    variables: Mapping[str, Variable]
    charts: Mapping[str, Chart]
    main: str
    nodes: Mapping[int, Node]
    document: tree.Document
    expectations: tuple[Expectation, ...] = ()
    goals: tuple[Goal, ...] = ()
    """What the `goal` line says; nothing if there is none."""
    always: tuple[Expr, ...] = ()
    """What holds at the end of every game, by the `always` lines."""
    says: tuple[Say, ...] = ()
    """The words of the chart, in the order of the text."""
    hand_order: tuple[Expr, ...] = ()
    """What the `sort` line says: numbers of `card`, the highest first; `me` holds the hand."""
    said: Mapping[Expr, tree.Expression] = field(default_factory=dict, compare=False, repr=False)
    """Expressions that the author wrote as the name of a definition, as they were written."""

    @cached_property
    def graph(self) -> nx.DiGraph[int]:
        """Nodes by number; edges with `arrow` = next, yes or no (`arrows` when yes and no lead to the same node)."""
        import networkx as nx  # takes longer to import than a chart takes to check

        graph: nx.DiGraph[int] = nx.DiGraph()
        for node in self.nodes.values():
            graph.add_node(node.number, node=node)
        for node in self.nodes.values():
            for arrow, to in node.arrows:
                if graph.has_edge(node.number, to):
                    graph.edges[node.number, to]["arrows"] += (arrow,)
                else:
                    graph.add_edge(node.number, to, arrows=(arrow,))
        return nx.freeze(graph)

    def family(self, name: str) -> Family:
        """The zone or variable of this name."""
        return self.zones.get(name) or self.variables[name]

    def drawn(self, chart: str) -> list[Node]:
        """The nodes of a chart as they are written and drawn, with every loop over the seats as one box."""
        nodes = [self.nodes[number] for number in self.charts[chart].nodes]
        leads: dict[int, int] = {}
        """Where the loop of a box leads in the end; back to the box if nowhere else."""
        for node in nodes:
            if node.box is not None:
                out = [to for to in node.successors if self.box_of(to).number != node.box]
                leads[node.box] = out[0] if out else leads.get(node.box, node.box)

        def drawn(to: int | None) -> int | None:
            return self.box_of(to).number if to is not None else None

        return [
            replace(node, next=drawn(leads.get(node.number, node.next)), yes=drawn(node.yes), no=drawn(node.no))
            for node in nodes
            if node.box is None
        ]

    @property
    def size(self) -> int:
        """The number of nodes that are written and drawn."""
        return sum(node.box is None for node in self.nodes.values())

    def box_of(self, number: int) -> Node:
        """The node that is drawn for a node."""
        node = self.nodes[number]
        return node if node.box is None else self.nodes[node.box]

    @cached_property
    def shuffled(self) -> frozenset[str]:
        """The names of the zones whose order may come from chance."""
        statements = [node.statement for node in self.nodes.values()]
        names = {statement.zone.name or "" for statement in statements if isinstance(statement, ShuffleZone)}
        return frozenset(names | ({"pack"} if any(isinstance(found, Gather) for found in statements) else set()))

    @cached_property
    def hash(self) -> str:
        """Hex digest of what the chart says: equal for equal charts, whatever their layout, comments and form.

        What the author expects of a chart, says that players want or that always holds, its genre and its words are not
        part of it.
        """
        from fcdl.language.text import first_text

        not_rules = tree.Expect | tree.Goal | tree.Always | tree.Genre | tree.Say | tree.Sort
        rules = tuple(line for line in self.document.header if not isinstance(line, not_rules))
        return hashlib.sha256(first_text(replace(self.document, header=rules)).encode()).hexdigest()
