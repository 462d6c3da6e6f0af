"""From a syntax tree to a checked flowchart: names resolved, types inferred, definitions expanded.

Types are inferred: every statement is elaborated with what is known of the variables so far, each assignment and each
use narrows what a variable can be, until nothing changes; a last look reports what is wrong. Three literals have more
than one type until their surroundings decide: a numeral (int or rank), `any` (suit or rank) and `none` (player, card,
suit or rank).
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from fcdl.language import flowchart as fc
from fcdl.language import tree
from fcdl.language.diagnostics import Findings, Span
from fcdl.language.flowchart import ANY, MAX_CARDS, MAX_PLAYERS, NONE, TRUE, Expr, MoveBy, Type
from fcdl.language.parser import parse_expression
from fcdl.language.text import format_body

STANDARD_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")
STANDARD_SUITS = ("clubs", "diamonds", "hearts", "spades")
FACE_VALUES = {"jack": 11, "queen": 12, "king": 13, "ace": 14}
MAX_EXPANSION = 20_000
MAX_TOTAL_EXPANSION = 3_000_000
MAX_EXPANDED_DEPTH = 120

_EMBEDDED = re.compile(r"#\{([^}]*)\}")

BUILT_IN_ZONES = {
    "hand": (True, "owner"),
    "pack": (False, "nobody"),
    "middle": (True, "all"),
    "stack": (False, "all"),
}

# Ops of literals and variables whose type is not decided yet; they never leave this module.
_NUMERAL, _WILD, _NOTHING, _UNKNOWN = "numeral", "wild", "nothing", "unknown"
_FLEXIBLE: Mapping[str, frozenset[Type]] = {
    _NUMERAL: frozenset({Type.INT, Type.RANK}),
    _WILD: frozenset({Type.SUIT, Type.RANK}),
    _NOTHING: frozenset({Type.PLAYER, Type.CARD, Type.SUIT, Type.RANK}),
    _UNKNOWN: frozenset(Type) - {Type.CARDS, Type.TEXT, Type.DOMAIN},
}
_DEFAULT_TYPE = {_NUMERAL: Type.INT, _WILD: Type.SUIT, _NOTHING: Type.PLAYER, _UNKNOWN: Type.INT}

_I, _B, _P, _S, _R, _C, _CS = Type.INT, Type.BOOL, Type.PLAYER, Type.SUIT, Type.RANK, Type.CARD, Type.CARDS

SIMPLE_FUNCTIONS: Mapping[str, tuple[tuple[Type, ...], Type, str]] = {
    "player": ((_I,), _P, "player"),
    "playerNumber": ((_P,), _I, "playerNumber"),
    "next": ((_P,), _P, "next"),
    "previous": ((_P,), _P, "previous"),
    "partner": ((_P,), _P, "partner"),
    "sameTeam": ((_P, _P), _B, "sameTeam"),
    "card": ((_R, _S), _CS, "template"),
    "except": ((_CS, _CS), _CS, "except"),
    "empty": ((_CS,), _B, "empty"),
    "count": ((_CS,), _I, "count"),
    "cardsRemaining": ((_P,), _I, "cardsRemaining"),
    "playerHas": ((_P, _CS), _B, "playerHas"),
    "abs": ((_I,), _I, "absolute"),
    "random": ((_I,), _I, "random"),
}
"""Functions with fixed types: arguments, result, op. A new pure function is one more row (and an op in the engines)."""

FOLDED_FUNCTIONS: Mapping[str, tuple[Type, str]] = {
    "union": (_CS, "union"),
    "intersect": (_CS, "intersect"),
    "min": (_I, "minimum"),
    "max": (_I, "maximum"),
}
"""Functions of two or more arguments of one type, folded into a tree of pairs."""

SPECIAL_FUNCTIONS = ("suit", "rank", "top", "bottom", "if", "size")
AGGREGATES = {
    "sum": "sum",
    "max": "largest",
    "min": "smallest",
    "highest": "highest",
    "lowest": "lowest",
    "count": "countOf",
    "some": "some",
    "every": "every",
}
CONSTANTS = (
    "any",
    "none",
    "true",
    "false",
    "yes",
    "no",
    "numberOfPlayers",
    "cards",
    "players",
    "suits",
    "ranks",
    "all",
)
OPERATORS: Mapping[str, tuple[Type, Type, str]] = {
    "+": (_I, _I, "add"),
    "-": (_I, _I, "subtract"),
    "*": (_I, _I, "multiply"),
    "/": (_I, _I, "divide"),
    "%": (_I, _I, "modulo"),
    "<": (_I, _B, "less"),
    "<=": (_I, _B, "lessEqual"),
    ">": (_I, _B, "greater"),
    ">=": (_I, _B, "greaterEqual"),
    "&": (_B, _B, "and"),
    "|": (_B, _B, "or"),
}

STATEMENTS: Mapping[str, tuple[tuple[int, ...], str]] = {
    "Shuffle": ((0,), "_do_gather"),
    "shuffle": ((1,), "_do_shuffle"),
    "Deal": ((1,), "_do_deal"),
    "pickUp": ((2,), "_do_pick_up"),
    "move": ((3,), "_do_move"),
    "Stack.empty": ((0,), "_do_stack_empty"),
    "playCard": ((2, 3), "_do_play"),
    "playCardOrPass": ((2, 3), "_do_play_or_pass"),
    "pick": ((5,), "_do_pick"),
    "choose": ((3,), "_do_choose"),
    "publish": ((1,), "_do_publish"),
    "show": ((2,), "_do_show"),
}
"""Statements by name: the numbers of arguments they take, and the method that elaborates them."""

_CONSTANTS: Mapping[str, Expr] = {
    "any": Expr(_WILD, Type.SUIT, value=ANY), "none": Expr(_NOTHING, Type.CARD, value=NONE),
    "numberOfPlayers": Expr("numberOfPlayers", Type.INT), "cards": Expr("allCards", Type.CARDS),
    "true": TRUE, "yes": TRUE, "false": Expr("const", Type.BOOL, value=0), "no": Expr("const", Type.BOOL, value=0),
}  # fmt: skip

RESERVED = frozenset({*SIMPLE_FUNCTIONS, *FOLDED_FUNCTIONS, *SPECIAL_FUNCTIONS, *AGGREGATES, *CONSTANTS, "standard"})


@dataclass(slots=True)
class _Scope:
    """What names mean inside definitions and aggregates: bound elements, and parameters with the caller's scope."""

    locals: dict[str, Expr] = field(default_factory=dict)
    parameters: dict[str, tuple[tree.Expression, _Scope]] = field(default_factory=dict)
    expanding: tuple[str, ...] = ()


@dataclass(slots=True)
class _Header:
    """Everything the header lines declare."""

    title: str = ""
    about: list[str] = field(default_factory=list)
    players: tuple[int, int] = (2, 2)
    teams: tuple[tuple[int, ...], ...] = ()
    lowest_wins: bool = False
    deck: tree.Deck = field(default_factory=tree.Deck)
    orders: list[tree.Order] = field(default_factory=list)
    tables: list[tree.Table] = field(default_factory=list)
    lists: dict[str, tuple[int, ...]] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)
    options: dict[str, tree.Option] = field(default_factory=dict)
    zones: dict[str, tree.Zone] = field(default_factory=dict)
    player_variables: dict[str, tree.Expression | None] = field(default_factory=dict)
    secrets: dict[str, Span] = field(default_factory=dict)
    definitions: dict[str, tree.Define] = field(default_factory=dict)


def resolve(document: tree.Document, findings: Findings) -> fc.Flowchart | None:
    """The checked flowchart, or None when there are errors (then all are in `findings`)."""
    return _Resolver(document, findings).run()


class _Resolver:
    def __init__(self, document: tree.Document, findings: Findings) -> None:
        self.document = document
        self.findings = findings
        self.header = _Header()
        self.variable_types: dict[str, str | Type] = {}
        self.ordered = {"pack"}
        self.budget = MAX_EXPANSION
        self.total_budget = MAX_TOTAL_EXPANSION
        self.depth = 0
        self.random_allowed = False
        self.node: int | None = None
        self.node_span: Span | None = None
        self.declared = dict.fromkeys(BUILT_IN_ZONES, "zone") | dict.fromkeys(("score", "passed"), "player variable")
        self.undecided: set[str] = set()
        self.learned: set[str] = set()
        self.used_definitions: set[str] = set()

    # --- the passes

    def run(self) -> fc.Flowchart | None:
        self._collect_header()
        self._collect_deck()
        self._collect_tables()
        self._collect_variables()
        statements = self._infer()
        self._check_unused_definitions()
        if self.findings.has_errors:
            return None
        return self._flowchart(statements)

    def _infer(self) -> dict[int, fc.Statement | Expr | None]:
        """Every node's statement or condition; None where it has none or an error.

        A node is elaborated again when it names a variable of undecided type about which something has been learnt, and
        once more at the end if its variables are still undecided or there is something to report about it.
        """
        reported, self.findings = self.findings, Findings(hints=False)
        result: dict[int, fc.Statement | Expr | None] = {}
        faulty: set[int] = set()
        waiting: dict[str, dict[int, tree.Node]] = {}
        queue = deque(self._nodes())
        queued = {node.number for node in queue}
        self._elaborate_header()
        while queue:
            node = queue.popleft()
            queued.discard(node.number)
            errors = len(self.findings.items)
            result[node.number] = self._elaborate(node)
            if len(self.findings.items) > errors:
                faulty.add(node.number)
            else:
                faulty.discard(node.number)
            for name in self.undecided:
                waiting.setdefault(name, {})[node.number] = node
            while self.learned:
                again = waiting.pop(self.learned.pop(), {})
                queue.extend(other for number, other in again.items() if number not in queued)
                queued.update(again)
        for name, kind in self.variable_types.items():
            if not isinstance(kind, Type):
                self.variable_types[name] = _DEFAULT_TYPE[kind]
        self.findings = reported
        self._elaborate_header()
        self.restriction = self._restriction()
        last = faulty.union(*waiting.values())
        for node in self._nodes():
            if node.number in last:
                result[node.number] = self._elaborate(node)
        return result

    def _elaborate(self, node: tree.Node) -> fc.Statement | Expr | None:
        """One node's statement or condition; the variables that left its types open are then in `undecided`."""
        self.node, self.node_span = node.number, node.span
        self.budget = MAX_EXPANSION
        self.random_allowed = False
        self.undecided.clear()
        body = self._body(node)
        self.node = self.node_span = None
        return body

    def _learn(self, name: str, kind: Type | str) -> None:
        """Notes what a variable's type is, as far as it is known now."""
        self.variable_types[name] = kind
        self.learned.add(name)

    def _error(self, code: str, message: str, span: Span | None, hint: str | None = None) -> None:
        self.findings.error(code, message, span, node=self.node, hint=hint)

    # --- header

    def _collect_header(self) -> None:
        once: dict[type, tree.Header] = {}
        for item in self.document.header:
            if isinstance(item, (tree.Title, tree.Players, tree.Teams, tree.Goal, tree.Deck)):
                if type(item) in once:
                    self._error("doubled-line", "this line stands twice in the file", item.span)
                once[type(item)] = item
            self._collect(item)
        self._check_players(once.get(tree.Players), once.get(tree.Teams))

    def _collect(self, item: tree.Header) -> None:
        header = self.header
        match item:
            case tree.Title(title):
                header.title = title
            case tree.About(text):
                header.about.append(text)
            case tree.Players(low, high):
                header.players = (low, high)
            case tree.Teams(teams):
                header.teams = teams
            case tree.Goal(lowest):
                header.lowest_wins = lowest
            case tree.Deck():
                header.deck = item
            case tree.Order(name):
                if name == "rankValue" or self._declare(name, item.span, "order"):
                    header.orders.append(item)
            case tree.Table(name):
                if self._declare(name, item.span, "table"):
                    header.tables.append(item)
            case tree.List(name, values):
                if self._declare(name, item.span, "list"):
                    header.lists[name] = values
            case tree.Words(words):
                for word in words:
                    if word in header.words:
                        self._error("doubled-name", f"word '{word}' is declared twice", item.span)
                    elif self._declare(word, item.span, "word"):
                        header.words[word] = len(header.words)
            case tree.Option():
                self._collect_option(item)
            case tree.Zone(name, per_player):
                built_in = BUILT_IN_ZONES.get(name)
                if built_in is not None and built_in[0] != per_player:
                    self._error(
                        "zone-owner",
                        f"'{name}' is {'one zone for each' if built_in[0] else 'not a zone of a'} player",
                        item.span,
                    )
                elif name in header.zones or built_in is not None or self._declare(name, item.span, "zone"):
                    if name in header.zones:
                        self._error("doubled-name", f"zone '{name}' is declared twice", item.span)
                    header.zones[name] = item
                if not per_player and item.visibility in ("owner", "others"):
                    self._error(
                        "zone-owner", f"zone '{name}' has no owner: write 'zone {name}(player): ...'", item.span
                    )
            case tree.PlayerVariables(variables):
                for name, value in variables:
                    if self._declare(name, item.span, "player variable"):
                        header.player_variables[name] = value
            case tree.Secret(names):
                for name in names:
                    header.secrets[name] = item.span
            case tree.Define(name, parameters):
                if self._declare(name, item.span, "definition"):
                    header.definitions[name] = item
                if len(set(parameters)) < len(parameters):
                    self._error("doubled-name", f"definition '{name}' has two parameters of one name", item.span)

    def _declare(self, name: str, span: Span, what: str) -> bool:
        """Notes a name and what it is; False if it is taken."""
        if name in RESERVED or name == "rankValue" or name in STATEMENTS:
            self._error("reserved-name", f"'{name}' is a word of the language", span, "choose another name")
            return False
        kind = self.declared.get(name)
        if kind is not None:
            self._error("doubled-name", f"'{name}' is already the name of a {kind}", span)
            return False
        self.declared[name] = what
        return True

    def _collect_option(self, item: tree.Option) -> None:
        if not self._declare(item.name, item.span, "option"):
            return
        self.header.options[item.name] = item
        if item.low is not None and item.high is not None:
            assert isinstance(item.default, int)
            if not item.low <= item.default <= item.high:
                self._error("option-range", f"{item.default} is not from {item.low} to {item.high}", item.span)
        for word in item.words:
            if word not in self.header.words and self._declare(word, item.span, "word"):
                self.header.words[word] = len(self.header.words)
        if item.words and item.default not in item.words:
            self._error(
                "option-range",
                f"'{item.default}' is not one of {', '.join(item.words)}",
                item.span,
                self.findings.near(str(item.default), item.words),
            )

    def _check_players(self, players: tree.Header | None, teams: tree.Header | None) -> None:
        low, high = self.header.players
        if not 1 <= low <= high <= MAX_PLAYERS and players is not None:
            self._error("players", f"the number of players goes from 1 to {MAX_PLAYERS}", players.span)
            self.header.players = (2, 2)
        if teams is None:
            return
        members = sorted(member for team in self.header.teams for member in team)
        if low != high or members != list(range(high)):
            self._error(
                "teams", "each of the players (a fixed number, seats from 0) is in exactly one team", teams.span
            )
            self.header.teams = ()

    # --- deck, tables, variables

    def _collect_deck(self) -> None:
        deck = self.header.deck
        ranks, suits = deck.ranks or STANDARD_RANKS, deck.suits or STANDARD_SUITS
        for names, what in ((ranks, "rank"), (suits, "suit")):
            for name in {name for name in names if names.count(name) > 1}:
                self._error("doubled-name", f"{what} '{name}' stands twice in the deck", deck.span)
        size = len(ranks) * len(suits) * deck.copies
        if not 1 <= size <= MAX_CARDS:
            self._error("deck-size", f"a deck has 1 to {MAX_CARDS} cards, not {size}", deck.span)
            ranks, suits, deck = STANDARD_RANKS, STANDARD_SUITS, tree.Deck()
        ranks, suits = tuple(dict.fromkeys(ranks)), tuple(dict.fromkeys(suits))
        declared = self.declared
        for name in (*ranks, *suits):
            if name in declared or name in RESERVED:
                self._error(
                    "doubled-name",
                    f"'{name}' is a rank or suit and also a {declared.get(name, 'word of the language')}",
                    deck.span,
                )
        self.deck = fc.Deck(ranks, suits, deck.copies, None, _codes(ranks), _codes(suits))
        self.card_names = {name: cards for name, cards in _all_card_names(self.deck).items() if name not in declared}

    def _collect_tables(self) -> None:
        values = {
            index: int(rank) if rank.isdigit() else FACE_VALUES.get(rank, index + 1)
            for index, rank in enumerate(self.deck.ranks)
        }
        self.tables = {"rankValue": fc.Table("rankValue", {}, MappingProxyType(values), {}, 0)}
        for order in self.header.orders:
            entries = tuple((rank, position) for position, rank in enumerate(order.ranks, start=1))
            self.tables[order.name] = self._table(tree.Table(order.name, entries, 0, span=order.span), ranks_only=True)
        for table in self.header.tables:
            self.tables[table.name] = self._table(table)

    def _table(self, table: tree.Table, ranks_only: bool = False) -> fc.Table:
        cards: dict[int, int] = {}
        ranks: dict[int, int] = {}
        suits: dict[int, int] = {}
        for key, value in table.entries:
            found = [
                (place, keys)
                for place, keys in (
                    (ranks, [self.deck.ranks.index(key)] if key in self.deck.ranks else []),
                    (suits, [self.deck.suits.index(key)] if key in self.deck.suits and not ranks_only else []),
                    (cards, list(self.card_names.get(key, ())) if not ranks_only else []),
                )
                if keys
            ]
            if not found:
                self._error(
                    "unknown-name",
                    f"'{key}' is no {'rank' if ranks_only else 'rank, suit or card'} of the deck",
                    table.span,
                    self.findings.near(key, (*self.deck.ranks, *self.deck.suits)),
                )
                continue
            place, keys = found[0]
            for number in keys:
                if number in place:
                    self._error("doubled-name", f"'{key}' stands twice in '{table.name}'", table.span)
                place[number] = value
        return fc.Table(
            table.name, MappingProxyType(cards), MappingProxyType(ranks), MappingProxyType(suits), table.otherwise or 0
        )

    def _collect_variables(self) -> None:
        """Names that are assigned somewhere are variables."""
        self.variable_types = {"score": Type.INT, "passed": Type.BOOL}
        for name, value in self.header.player_variables.items():
            self.variable_types[name] = _UNKNOWN if value is not None else _NUMERAL
        declared = self.declared
        self.first_assignment: dict[str, Span] = {}
        for node in self._nodes():
            target = _target(node.body)
            if isinstance(target, tree.Name):
                name = target.name
                if name in RESERVED or name in self.tables:
                    self._reserved_target(name, target.span, node.number)
                elif name in declared:
                    self._reserved_target(name, target.span, node.number, declared[name])
                elif name in self.deck.ranks or name in self.deck.suits or name in self.card_names:
                    self._reserved_target(name, target.span, node.number, "rank, suit or card")
                else:
                    self.variable_types.setdefault(name, _UNKNOWN)
                    self.first_assignment.setdefault(name, target.span)
        for name, span in self.header.secrets.items():
            if name not in self.variable_types:
                self._error(
                    "unknown-name", f"no variable '{name}'", span, self.findings.near(name, self.variable_types)
                )

    def _reserved_target(self, name: str, span: Span, node: int, kind: str = "word of the language") -> None:
        self.node = node
        hint = f"write '{name}(player)'" if kind == "player variable" else "choose another name"
        self._error("not-a-variable", f"'{name}' is a {kind} and cannot be assigned", span, hint)
        self.node = None

    def _nodes(self) -> Iterable[tree.Node]:
        for chart in self.document.charts:
            yield from chart.nodes

    # --- all nodes

    def _elaborate_header(self) -> None:
        for name, value in self.header.player_variables.items():
            if value is not None:
                expr = self._expr(value, _Scope())
                if expr is not None:
                    self._narrow_variable(name, expr, value.span)

    def _restriction(self) -> Expr | None:
        those = self.header.deck.restriction
        if those is None:
            return None
        assert those.condition is not None
        name = those.variable
        scope = _Scope(locals={name: Expr("local", Type.CARD, name=name)})
        condition = self._typed(those.condition, Type.BOOL, scope)
        if condition is None:
            return None
        for part in condition.walk():
            if part.op in ("variable", "playerVariable", "zone", "random", "cardsRemaining", "playerHas"):
                self._error("deck-restriction", "a deck depends on options and the number of players only", those.span)
                return None
        return Expr("those", Type.CARDS, (Expr("allCards", Type.CARDS), condition), name=name, span=those.span)

    def _body(self, node: tree.Node) -> fc.Statement | Expr | None:
        match node.body:
            case tree.Assign(target, value):
                return self._assign(target, value, node.span)
            case tree.Broken():
                return None  # reported by the parser
            case tree.Action():
                return self._action(node.body, node.span)
            case tree.Do(chart):
                return fc.CallChart(chart)
            case tree.Choice(condition):
                return self._typed(condition, Type.BOOL, _Scope())
        return None

    # --- statements

    def _assign(self, target: tree.Name | tree.Call, value: tree.Expression, span: Span) -> fc.Assign | None:
        place = self._place(target)
        self.random_allowed = True
        expr = self._expr(value, _Scope())
        self.random_allowed = False
        if place is None or expr is None:
            return None
        self._narrow_variable(place.name, expr, value.span)
        kind = self.variable_types[place.name]
        if not isinstance(kind, Type):
            self.undecided.add(place.name)
        coerced = self._coerce(expr, kind, value.span) if isinstance(kind, Type) else expr
        if coerced is None:
            return None
        if sum(part.op == "random" for part in coerced.walk()) > 1:
            self._error("random", "random stands twice in one assignment", value.span, "use two assignments")
        return fc.Assign(place, coerced)

    def _place(self, target: tree.Expression) -> fc.VariableRef | None:
        match target:
            case tree.Name(name):
                if name in self.variable_types and not self._per_player(name):
                    return fc.VariableRef(name)
                if self._per_player(name):
                    return None  # reported with the variables
                return None
            case tree.Call(name, (owner,)) if self._per_player(name):
                player = self._typed(owner, Type.PLAYER, _Scope())
                return fc.VariableRef(name, player) if player is not None else None
            case tree.Call(name, _):
                self._error(
                    "unknown-name",
                    f"'{name}' is not a variable of each player",
                    target.span,
                    self.findings.near(name, self._player_variables()) or f"declare it: each player has {name}",
                )
        return None

    def _per_player(self, name: str) -> bool:
        return name in self.header.player_variables or name in ("score", "passed")

    def _player_variables(self) -> list[str]:
        return [*self.header.player_variables, "score", "passed"]

    def _narrow_variable(self, name: str, expr: Expr, span: Span) -> None:
        """Uses an assignment to learn a variable's type."""
        known = self.variable_types[name]
        new = _kind(expr)
        if isinstance(known, Type):
            return
        joined = _join(known, new)
        if joined is not None and joined != known:
            self._learn(name, joined)

    def _action(self, action: tree.Action, span: Span) -> fc.Statement | None:
        if action.name not in STATEMENTS:
            near = self.findings.near(action.name, STATEMENTS)
            charts = [chart.name for chart in self.document.charts]
            if action.name in charts:
                near = f"to run a chart, write 'do {action.name}'"
            self._error("unknown-statement", f"unknown statement '{action.name}'", action.span, near)
            return None
        arities, method = STATEMENTS[action.name]
        if len(action.args) not in arities:
            self._wrong_number(action.name, arities, len(action.args), action.span)
            return None
        build: Callable[..., fc.Statement | None] = getattr(self, method)
        return build(*action.args)

    def _wrong_number(self, name: str, wanted: tuple[int, ...], got: int, span: Span) -> None:
        numbers = " or ".join(map(str, wanted))
        plural = "" if wanted == (1,) else "s"
        self._error("arguments", f"'{name}' takes {numbers} argument{plural}, not {got}", span)

    def _do_gather(self) -> fc.Statement:
        return fc.Gather()

    def _do_shuffle(self, place: tree.Expression) -> fc.Statement | None:
        zone = self._zone(place)
        if zone is None:
            return None
        self._order(zone)
        return fc.ShuffleZone(zone)

    def _do_deal(self, number: tree.Expression) -> fc.Statement | None:
        what = self._typed(number, Type.INT, _Scope())
        seat = Expr("local", Type.PLAYER, name="seat")
        return (
            None
            if what is None
            else fc.Move(MoveBy.NUMBER, what, _zone_expr("pack"), _zone_expr("hand", seat), each_seat=True)
        )

    def _do_stack_empty(self) -> fc.Statement:
        seat = Expr("local", Type.PLAYER, name="seat")
        return fc.Move(MoveBy.ALL, None, _zone_expr("middle", seat), _zone_expr("stack"), each_seat=True)

    def _do_pick_up(self, owner: tree.Expression, number: tree.Expression) -> fc.Statement | None:
        player = self._typed(owner, Type.PLAYER, _Scope())
        what = self._typed(number, Type.INT, _Scope())
        if player is None or what is None:
            return None
        return fc.Move(MoveBy.NUMBER, what, _zone_expr("pack"), _zone_expr("hand", player))

    def _do_move(self, what: tree.Expression, source: tree.Expression, target: tree.Expression) -> fc.Statement | None:
        from_zone, to_zone = self._zone(source), self._zone(target)
        if isinstance(what, tree.Name) and what.name == "all":
            return None if from_zone is None or to_zone is None else fc.Move(MoveBy.ALL, None, from_zone, to_zone)
        expr = self._expr(what, _Scope())
        if expr is None or from_zone is None or to_zone is None:
            return None
        kind = _kind(expr)
        if kind in (Type.CARDS, Type.CARD):
            cards = self._coerce(expr, Type.CARDS, what.span)
            return fc.Move(MoveBy.CARDS, cards, from_zone, to_zone) if cards is not None else None
        if kind in (Type.INT, _NUMERAL, _UNKNOWN):
            number = self._coerce(expr, Type.INT, what.span)
            self._order(from_zone)
            return fc.Move(MoveBy.NUMBER, number, from_zone, to_zone) if number is not None else None
        self._error("type", f"move takes a number, cards or all, not {_described(kind)}", what.span)
        return None

    def _play(self, may_pass: bool, *args: tree.Expression) -> fc.Statement | None:
        player = self._typed(args[0], Type.PLAYER, _Scope())
        cards = self._typed(args[1], Type.CARDS, _Scope())
        target = self._zone(args[2]) if len(args) == 3 else None
        if player is None or cards is None or (len(args) == 3 and target is None):
            return None
        return fc.Play(player, cards, _zone_expr("hand", player), target or _zone_expr("middle", player), may_pass)

    def _do_play(self, *args: tree.Expression) -> fc.Statement | None:
        return self._play(False, *args)

    def _do_play_or_pass(self, *args: tree.Expression) -> fc.Statement | None:
        return self._play(True, *args)

    def _do_pick(
        self,
        who: tree.Expression,
        number: tree.Expression,
        what: tree.Expression,
        source: tree.Expression,
        target: tree.Expression,
    ) -> fc.Statement | None:
        player = self._typed(who, Type.PLAYER, _Scope())
        count = self._typed(number, Type.INT, _Scope())
        cards = self._typed(what, Type.CARDS, _Scope())
        from_zone, to_zone = self._zone(source), self._zone(target)
        if player is None or count is None or cards is None or from_zone is None or to_zone is None:
            return None
        return fc.Pick(player, count, cards, from_zone, to_zone)

    def _do_choose(self, who: tree.Expression, place: tree.Expression, what: tree.Expression) -> fc.Statement | None:
        player = self._typed(who, Type.PLAYER, _Scope())
        target = self._place(place)
        values = self._domain(what, _Scope())
        if target is None and isinstance(place, tree.Name) and place.name not in self.variable_types:
            self._error("not-a-variable", f"'{place.name}' cannot be chosen", place.span)
        if target is None and not isinstance(place, (tree.Name, tree.Call)):
            self._error("not-a-variable", "the second argument of choose is the variable to set", place.span)
        if player is None or target is None or values is None:
            return None
        domain, element = values
        if element is Type.CARD:
            self._error("type", "cards are not chosen with choose", what.span, "use pick or playCard")
            return None
        known = self.variable_types[target.name]
        if not isinstance(known, Type):
            self.undecided.add(target.name)
            joined = _join(known, element)
            if joined is not None and joined != known:
                self._learn(target.name, joined)
            return None if not isinstance(element, Type) else fc.Choose(player, target, domain)
        coerced = self._coerce_domain(domain, known, what.span)
        return fc.Choose(player, target, coerced) if coerced is not None else None

    def _do_publish(self, text: tree.Expression) -> fc.Statement | None:
        if not isinstance(text, tree.Text):
            self._error("type", "publish takes a text in quotes", text.span)
            return None
        parts: list[str | Expr] = []
        end = 0
        for match in _EMBEDDED.finditer(text.value):
            if match.start() > end:
                parts.append(text.value[end : match.start()])
            end = match.end()
            place = _inside(text, match.start(1))
            expression = parse_expression(match.group(1), Findings())
            if expression is None:
                width = len(match.group())
                span = place(Span(1, -1, 1, width - 1))
                self._error("syntax", f"'{match.group()}' is not an expression", span)
                return None
            expr = self._expr(_placed(expression, place), _Scope())
            expr = self._settle(expr) if expr is not None else None
            if expr is None:
                return None
            parts.append(expr)
        if end < len(text.value):
            parts.append(text.value[end:])
        return fc.Publish(tuple(parts))

    def _do_show(self, what: tree.Expression, to: tree.Expression) -> fc.Statement | None:
        cards = self._typed(what, Type.CARDS, _Scope())
        if isinstance(to, tree.Name) and to.name == "all":
            return fc.Show(cards, None) if cards is not None else None
        audience = self._typed(to, Type.PLAYER, _Scope())
        return fc.Show(cards, audience) if cards is not None and audience is not None else None

    def _zone(self, place: tree.Expression) -> Expr | None:
        if isinstance(place, (tree.Name, tree.Call)) and not self._is_known(place.name):
            self._unknown_zone(place.name, place.span)
            return None
        expr = self._expr(place, _Scope())
        if expr is None:
            return None
        if expr.op != "zone":
            self._error("unknown-zone", "a zone is wanted here", place.span, f"zones: {', '.join(self._zone_names())}")
            return None
        return expr

    def _is_known(self, name: str) -> bool:
        """Whether a name means anything at all."""
        cards = (*self.deck.ranks, *self.deck.suits)
        return name in self.declared or name in self.variable_types or name in RESERVED or name in self.tables or (
            name in cards or name in self.card_names or name in STATEMENTS or name[0].isdigit()
        )  # fmt: skip

    def _unknown_zone(self, name: str, span: Span) -> None:
        if name not in self.findings.lost_names:
            zones = self._zone_names()
            hint = self.findings.near(name, zones) or f"zones: {', '.join(zones)}"
            self._error("unknown-zone", f"unknown zone '{name}'", span, hint)

    def _zone_names(self) -> list[str]:
        return sorted({**BUILT_IN_ZONES, **self.header.zones})

    def _order(self, zone: Expr) -> None:
        assert zone.name is not None
        self.ordered.add(zone.name)

    # --- expressions

    def _typed(self, expression: tree.Expression, wanted: Type, scope: _Scope) -> Expr | None:
        """The expression as `wanted`, or None with the error reported."""
        expr = self._expr(expression, scope)
        return self._coerce(expr, wanted, expression.span) if expr is not None else None

    def _settle(self, expr: Expr) -> Expr | None:
        """Gives a literal that could have several types its default one."""
        kind = _kind(expr)
        if isinstance(kind, Type):
            return expr
        if expr.op in ("variable", "playerVariable"):
            return replace(expr, type=_DEFAULT_TYPE[kind])  # its type is for other nodes to decide
        return self._coerce(expr, _DEFAULT_TYPE[kind], expr.span)

    def _coerce(self, expr: Expr, wanted: Type, span: Span | None) -> Expr | None:
        """The expression as a value of the wanted type."""
        kind = _kind(expr)
        if not isinstance(kind, Type):
            return self._decide(expr, kind, wanted, span)
        if kind is wanted:
            return expr
        if wanted is Type.CARDS and kind is Type.CARD:
            return Expr("single", Type.CARDS, (expr,), span=expr.span)
        if wanted is Type.CARD and expr.op == "zone":
            self._order(expr)
            return Expr("top", Type.CARD, (expr,), span=expr.span)
        if wanted is Type.CARD and expr.op == "template":
            return Expr("theCard", Type.CARD, (expr,), span=expr.span)
        hints = {
            (Type.INT, Type.PLAYER): "write player(...) around it",
            (Type.PLAYER, Type.INT): "write playerNumber(...) around it",
            (Type.CARD, Type.RANK): "write rank(...) around it",
            (Type.CARD, Type.SUIT): "write suit(...) around it",
            (Type.CARDS, Type.INT): "write count(...) around it",
            (Type.RANK, Type.INT): "write rankValue(...) around it",
            (Type.CARD, Type.INT): "write rankValue(...) around it",
        }
        self._error(
            "type", f"{_described(wanted)} is wanted here, not {_described(kind)}", span, hints.get((kind, wanted))
        )
        return None

    def _decide(self, expr: Expr, kind: str, wanted: Type, span: Span | None) -> Expr | None:
        """A numeral, `any`, `none` or a variable of unknown type becomes what is wanted."""
        if expr.op in ("variable", "playerVariable"):
            joined = _join(kind, wanted)
            assert expr.name is not None
            if joined is not None and joined != kind:
                self._learn(expr.name, joined)
            return replace(expr, type=wanted)
        if expr.op == "if":
            branches = [self._coerce(part, wanted, span) for part in expr.args[1:]]
            if branches[0] is None or branches[1] is None:
                return None
            return replace(expr, type=wanted, args=(expr.args[0], branches[0], branches[1]))
        if wanted is Type.CARDS and kind == _NOTHING:
            return Expr("single", Type.CARDS, (Expr("const", Type.CARD, value=NONE),), span=expr.span)
        if wanted not in _FLEXIBLE[kind]:
            what = {_NUMERAL: "a number", _WILD: "'any'", _NOTHING: "'none'"}.get(kind, "this")
            hint = "write player(...) around it" if wanted is Type.PLAYER and kind == _NUMERAL else None
            self._error("type", f"{_described(wanted)} is wanted here, not {what}", span, hint)
            return None
        value = expr.value
        if kind == _NUMERAL and wanted is Type.RANK:
            if str(value) not in self.deck.ranks:
                self._error("unknown-rank", f"the deck has no rank {value}", span)
                return None
            value = self.deck.ranks.index(str(value))
        return Expr("const", wanted, value=value, span=expr.span)

    def _expr(self, expression: tree.Expression, scope: _Scope) -> Expr | None:
        """Elaborates an expression; the result may still be a literal of undecided type."""
        self.budget -= 1
        self.total_budget -= 1
        if self.budget < 0 or self.total_budget < 0:
            if self.budget == -1 or self.total_budget == -1:
                self._too_large(self.node_span or expression.span)
            return None
        if self.depth >= MAX_EXPANDED_DEPTH:
            self.budget = -1
            span = self.node_span or expression.span
            self._error("too-deep", f"expanded, this is nested more than {MAX_EXPANDED_DEPTH} deep", span)
            return None
        self.depth += 1
        expr = self._elaborated(expression, scope)
        self.depth -= 1
        return expr

    def _elaborated(self, expression: tree.Expression, scope: _Scope) -> Expr | None:
        span = expression.span
        match expression:
            case tree.Number(value):
                return Expr(_NUMERAL, Type.INT, value=value, span=span)
            case tree.Text():
                self._error("type", "a text can only be published", span)
                return None
            case tree.Name(name):
                return self._name(name, span, scope)
            case tree.Call(name, args):
                return self._call(name, args, span, scope)
            case tree.Operation():
                return self._operation(expression, scope)
            case tree.Each():
                return self._each(expression, scope)
            case tree.Range() | tree.Values():
                self._error("type", "a set of values can only be chosen from or counted through", span)
                return None
        raise AssertionError(expression)

    def _too_large(self, span: Span) -> None:
        """Reported once for a node, and once for a whole chart: definitions can multiply each other without end."""
        if self.budget == -1:
            message = f"expanded, this is more than {MAX_EXPANSION} parts"
        else:
            message = f"expanded, the chart has more than {MAX_TOTAL_EXPANSION} parts"
        self._error("too-large", message, span, "the definitions it uses multiply each other")

    def _name(self, name: str, span: Span, scope: _Scope) -> Expr | None:
        if name in scope.locals:
            return replace(scope.locals[name], span=span)
        if name in scope.parameters:
            argument, caller = scope.parameters[name]
            return self._expr(argument, caller)
        if name in _CONSTANTS:
            constant = _CONSTANTS[name]
            return Expr(constant.op, constant.type, value=constant.value, span=span)
        if name in ("players", "suits", "ranks"):
            self._error("type", f"'{name}' can only be chosen from or counted through", span)
            return None
        if name in self.header.definitions:
            return self._expand(name, (), span, scope)
        if name in self.header.options:
            return Expr("option", self._option_type(name), name=name, span=span)
        if name in self.header.words:
            return Expr("const", Type.WORD, value=self.header.words[name], span=span)
        if name in self.variable_types and not self._per_player(name):
            return self._variable(Expr("variable", Type.INT, name=name, span=span))
        if name in self.deck.ranks:
            return Expr("const", Type.RANK, value=self.deck.ranks.index(name), span=span)
        if name in self.deck.suits:
            return Expr("const", Type.SUIT, value=self.deck.suits.index(name), span=span)
        if name in self.card_names:
            return Expr("const", Type.CARD, value=self.card_names[name][0], span=span)
        zone = self._zone_named(name)
        if zone is not None:
            if zone[0]:
                self._error("arguments", f"'{name}' is a zone of each player", span, f"write {name}(player)")
                return None
            return _zone_expr(name, span=span)
        self._unknown_name(name, span, scope)
        return None

    def _variable(self, expr: Expr) -> Expr:
        """A variable with its type, as far as known."""
        assert expr.name is not None
        kind = self.variable_types[expr.name]
        if isinstance(kind, Type):
            return Expr(expr.op, kind, expr.args, name=expr.name, span=expr.span)
        self.undecided.add(expr.name)
        return replace(expr, value=_FLEX_MARK[kind])

    def _zone_named(self, name: str) -> tuple[bool, str] | None:
        if name in self.header.zones:
            return (self.header.zones[name].per_player, self.header.zones[name].visibility)
        return BUILT_IN_ZONES.get(name)

    def _option_type(self, name: str) -> Type:
        option = self.header.options[name]
        return Type.INT if option.low is not None else Type.WORD if option.words else Type.BOOL

    def _unknown_name(self, name: str, span: Span, scope: _Scope) -> None:
        if self._per_player(name) or name in self.tables or name in self.header.lists or _is_function(name):
            self._error("arguments", f"'{name}' needs its argument in brackets", span, f"write {name}(...)")
            return
        if name in self.findings.lost_names:
            return
        candidates = [
            *self.declared,
            *self.variable_types,
            *scope.locals,
            *scope.parameters,
            *self.deck.ranks,
            *self.deck.suits,
            *RESERVED,
        ]
        if re.fullmatch(r"(10|[2-9TJQKA])[CDHS]", name):
            self._error("no-such-card", f"the deck has no card {name}", span)
        elif name[0].isdigit():
            self._error("no-such-card", f"the deck has no card '{name}'", span)
        else:
            self._error("unknown-name", f"unknown name '{name}'", span, self.findings.near(name, candidates))

    # --- calls

    def _call(self, name: str, args: tuple[tree.Expression, ...], span: Span, scope: _Scope) -> Expr | None:
        if name in self.header.definitions:
            return self._expand(name, args, span, scope)
        if name in SIMPLE_FUNCTIONS:
            return self._simple(name, args, span, scope)
        if name in FOLDED_FUNCTIONS:
            return self._folded(name, args, span, scope)
        if name in SPECIAL_FUNCTIONS:
            special: Callable[..., Expr | None] = getattr(self, f"_call_{name}")
            return special(args, span, scope)
        if name in self.tables:
            return self._lookup(name, args, span, scope)
        if name in self.header.lists:
            index = self._typed(args[0], Type.INT, scope) if self._takes(1, name, args, span) else None
            return Expr("list", Type.INT, (index,), name=name, span=span) if index is not None else None
        if self._per_player(name):
            player = self._typed(args[0], Type.PLAYER, scope) if self._takes(1, name, args, span) else None
            if player is None:
                return None
            return self._variable(Expr("playerVariable", Type.INT, (player,), name=name, span=span))
        zone = self._zone_named(name)
        if zone is not None:
            return self._zone_call(name, zone[0], args, span, scope)
        if name in AGGREGATES:
            form = "e for x in D" if name in ("sum", "highest", "lowest") else "x in D with c"
            self._error("arguments", f"'{name}' goes through elements", span, f"write {name}({form})")
            return None
        functions = [
            *SIMPLE_FUNCTIONS,
            *FOLDED_FUNCTIONS,
            *SPECIAL_FUNCTIONS,
            *AGGREGATES,
            *self.declared,
            *self.tables,
        ]
        if name in self.variable_types:
            self._error(
                "unknown-name",
                f"'{name}' is not a variable of each player",
                span,
                f"declare it: each player has {name}",
            )
        elif name in STATEMENTS:
            self._error("unknown-name", f"'{name}' is a statement and has no value", span)
        elif name not in self.findings.lost_names:
            self._error("unknown-name", f"unknown function '{name}'", span, self.findings.near(name, functions))
        return None

    def _takes(self, number: int, name: str, args: tuple[tree.Expression, ...], span: Span) -> bool:
        if len(args) != number:
            self._wrong_number(name, (number,), len(args), span)
        return len(args) == number

    def _simple(self, name: str, args: tuple[tree.Expression, ...], span: Span, scope: _Scope) -> Expr | None:
        wanted, result, op = SIMPLE_FUNCTIONS[name]
        if not self._takes(len(wanted), name, args, span):
            return None
        if name == "random" and not self.random_allowed:
            self._error("random", "random stands only in the value of an assignment", span)
            return None
        if name == "partner" and not self.header.teams:
            self._error("teams", "partner needs a 'teams' line", span)
            return None
        parts = [self._typed(arg, kind, scope) for arg, kind in zip(args, wanted, strict=True)]
        typed = tuple(part for part in parts if part is not None)
        return Expr(op, result, typed, span=span) if len(typed) == len(parts) else None

    def _folded(self, name: str, args: tuple[tree.Expression, ...], span: Span, scope: _Scope) -> Expr | None:
        kind, op = FOLDED_FUNCTIONS[name]
        if len(args) < 2:
            self._error("arguments", f"'{name}' takes 2 or more arguments, not {len(args)}", span)
            return None
        parts = [self._typed(arg, kind, scope) for arg in args]
        known = [part for part in parts if part is not None]
        return _balanced(op, kind, known, span) if len(known) == len(parts) else None

    def _call_suit(self, args: tuple[tree.Expression, ...], span: Span, scope: _Scope) -> Expr | None:
        return self._part("suit", Type.SUIT, args, span, scope)

    def _call_rank(self, args: tuple[tree.Expression, ...], span: Span, scope: _Scope) -> Expr | None:
        return self._part("rank", Type.RANK, args, span, scope)

    def _part(self, op: str, result: Type, args: tuple[tree.Expression, ...], span: Span, scope: _Scope) -> Expr | None:
        expr = self._expr(args[0], scope) if self._takes(1, op, args, span) else None
        if expr is None:
            return None
        by_number = _kind(expr) in (Type.INT, _NUMERAL)
        part = self._coerce(expr, Type.INT if by_number else Type.CARD, args[0].span)
        return Expr(op + "At" if by_number else op, result, (part,), span=span) if part is not None else None

    def _call_top(self, args: tuple[tree.Expression, ...], span: Span, scope: _Scope) -> Expr | None:
        return self._end_card("top", args, span, scope)

    def _call_bottom(self, args: tuple[tree.Expression, ...], span: Span, scope: _Scope) -> Expr | None:
        return self._end_card("bottom", args, span, scope)

    def _end_card(self, op: str, args: tuple[tree.Expression, ...], span: Span, scope: _Scope) -> Expr | None:
        zone = self._expr(args[0], scope) if self._takes(1, op, args, span) else None
        if zone is None:
            return None
        if zone.op != "zone":
            self._error("unknown-zone", f"'{op}' takes a zone", args[0].span)
            return None
        self._order(zone)
        return Expr(op, Type.CARD, (zone,), span=span)

    def _call_if(self, args: tuple[tree.Expression, ...], span: Span, scope: _Scope) -> Expr | None:
        if not self._takes(3, "if", args, span):
            return None
        condition = self._typed(args[0], Type.BOOL, scope)
        pair = self._same_type(args[1], args[2], scope)
        if condition is None or pair is None:
            return None
        return Expr("if", pair[0].type, (condition, *pair), span=span, value=_flex_value(pair))

    def _call_size(self, args: tuple[tree.Expression, ...], span: Span, scope: _Scope) -> Expr | None:
        if not self._takes(1, "size", args, span):
            return None
        if not isinstance(args[0], tree.Name) or args[0].name not in self.header.lists:
            self._error("unknown-name", "size takes the name of a list", args[0].span)
            return None
        return Expr("listSize", Type.INT, name=args[0].name, span=span)

    def _lookup(self, name: str, args: tuple[tree.Expression, ...], span: Span, scope: _Scope) -> Expr | None:
        expr = self._expr(args[0], scope) if self._takes(1, name, args, span) else None
        if expr is None:
            return None
        kind = _kind(expr)
        wanted = kind if kind in (Type.RANK, Type.SUIT) else Type.RANK if kind in (_NUMERAL, _WILD) else Type.CARD
        assert isinstance(wanted, Type)
        key = self._coerce(expr, wanted, args[0].span)
        return Expr("table", Type.INT, (key,), name=name, span=span) if key is not None else None

    def _zone_call(
        self, name: str, per_player: bool, args: tuple[tree.Expression, ...], span: Span, scope: _Scope
    ) -> Expr | None:
        if not per_player:
            self._error("arguments", f"'{name}' is one zone, not one for each player", span, f"write {name}")
            return None
        player = self._typed(args[0], Type.PLAYER, scope) if self._takes(1, name, args, span) else None
        return _zone_expr(name, player, span=span) if player is not None else None

    def _expand(self, name: str, args: tuple[tree.Expression, ...], span: Span, scope: _Scope) -> Expr | None:
        definition = self.header.definitions[name]
        self.used_definitions.add(name)
        if name in scope.expanding:
            self._error("recursion", f"definition '{name}' uses itself", definition.span)
            return None
        if not self._takes(len(definition.parameters), name, args, span):
            return None
        inner = _Scope(
            parameters={parameter: (arg, scope) for parameter, arg in zip(definition.parameters, args, strict=True)},
            expanding=(*scope.expanding, name),
        )
        before = len(self.findings.items)
        random_allowed, self.random_allowed = self.random_allowed, False
        expr = self._expr(definition.value, inner)
        self.random_allowed = random_allowed
        if expr is None and len(self.findings.items) == before:
            return None
        return expr

    # --- operators

    def _operation(self, operation: tree.Operation, scope: _Scope) -> Expr | None:
        operator, operands, span = operation.operator, operation.operands, operation.span
        if operator == "!":
            part = self._typed(operands[0], Type.BOOL, scope)
            return Expr("not", Type.BOOL, (part,), span=span) if part is not None else None
        if operator == "-" and len(operands) == 1:
            part = self._typed(operands[0], Type.INT, scope)
            return Expr("negate", Type.INT, (part,), span=span) if part is not None else None
        if operator in ("==", "!="):
            pair = self._same_type(operands[0], operands[1], scope)
            if pair is None:
                return None
            settled = [self._settle(part) for part in pair]
            if settled[0] is None or settled[1] is None:
                return None
            if settled[0].type in (Type.CARDS, Type.TEXT):
                self._error("type", "cards are compared one by one", span, "use 'in', count or empty")
                return None
            return Expr("equal" if operator == "==" else "notEqual", Type.BOOL, (settled[0], settled[1]), span=span)
        if operator == "in":
            return self._membership(operands[0], operands[1], span, scope)
        wanted, result, op = OPERATORS[operator]
        left, right = (self._typed(operand, wanted, scope) for operand in operands)
        return Expr(op, result, (left, right), span=span) if left is not None and right is not None else None

    def _membership(self, left: tree.Expression, right: tree.Expression, span: Span, scope: _Scope) -> Expr | None:
        if isinstance(right, tree.Range):
            value = self._typed(left, Type.INT, scope)
            low, high = self._typed(right.low, Type.INT, scope), self._typed(right.high, Type.INT, scope)
            if value is None or low is None or high is None:
                return None
            above = Expr("greaterEqual", Type.BOOL, (value, low), span=span)
            return Expr("and", Type.BOOL, (above, Expr("lessEqual", Type.BOOL, (value, high), span=span)), span=span)
        card = self._typed(left, Type.CARD, scope)
        cards = self._typed(right, Type.CARDS, scope)
        return Expr("member", Type.BOOL, (card, cards), span=span) if card is not None and cards is not None else None

    def _same_type(self, left: tree.Expression, right: tree.Expression, scope: _Scope) -> tuple[Expr, Expr] | None:
        """Two expressions brought to one type; still undecided when neither decides."""
        first, second = self._expr(left, scope), self._expr(right, scope)
        if first is None or second is None:
            return None
        kinds = (_kind(first), _kind(second))
        for mine, other, expr, span in (
            (kinds[0], kinds[1], second, right.span),
            (kinds[1], kinds[0], first, left.span),
        ):
            if isinstance(mine, Type) and (not isinstance(other, Type) or mine is not other):
                if isinstance(other, Type) and {mine, other} == {Type.CARD, Type.CARDS}:
                    one = self._coerce(first, Type.CARD, left.span), self._coerce(second, Type.CARD, right.span)
                    return (one[0], one[1]) if one[0] is not None and one[1] is not None else None
                coerced = self._coerce(expr, mine, span)
                if coerced is None:
                    return None
                return (first, coerced) if expr is second else (coerced, second)
        if not isinstance(kinds[0], Type) and kinds[0] != kinds[1]:
            assert not isinstance(kinds[1], Type)
            joined = _join(kinds[0], kinds[1])
            if isinstance(joined, Type):
                one = self._coerce(first, joined, left.span), self._coerce(second, joined, right.span)
                return (one[0], one[1]) if one[0] is not None and one[1] is not None else None
        return (first, second)

    # --- aggregates and domains

    def _each(self, each: tree.Each, scope: _Scope) -> Expr | None:
        domain = self._domain(each.domain, scope)
        if domain is None:
            return None
        source, element = domain
        if each.kind == "those" and element is not Type.CARD:
            self._error("type", "those ... makes cards here; other values can only be chosen from", each.span)
            return None
        bound = self._bind(each, source, element, scope)
        if bound is None:
            return None
        name, condition, inner = bound
        if each.kind == "those":
            return Expr("those", Type.CARDS, (source, condition), name=name, span=each.span)
        op = AGGREGATES[each.kind]
        if each.value is None:
            result = Type.INT if op == "countOf" else Type.BOOL
            return Expr(op, result, (source, condition), name=name, span=each.span)
        value = self._typed(each.value, Type.INT, inner)
        if value is None:
            return None
        if op in ("highest", "lowest"):
            assert isinstance(element, Type)
            return Expr(op, element, (source, condition, value), name=name, span=each.span)
        return Expr(op, Type.INT, (source, condition, value), name=name, span=each.span)

    def _bind(
        self, each: tree.Each, source: Expr, element: Type | str, scope: _Scope
    ) -> tuple[str, Expr, _Scope] | None:
        """Binds the element's name and elaborates the condition."""
        kind = element if isinstance(element, Type) else _DEFAULT_TYPE[element]
        taken = {bound.name for bound in scope.locals.values()} | _caller_locals(scope)
        name = each.variable
        while name in taken or name == "seat":
            name += "_"
        if each.variable in RESERVED:
            self._error("reserved-name", f"'{each.variable}' is a word of the language", each.span)
            return None
        inner = _Scope(
            {**scope.locals, each.variable: Expr("local", kind, name=name)},
            {key: value for key, value in scope.parameters.items() if key != each.variable},
            scope.expanding,
        )
        condition = TRUE if each.condition is None else self._typed(each.condition, Type.BOOL, inner)
        return (name, condition, inner) if condition is not None else None

    def _domain(self, domain: tree.Expression, scope: _Scope) -> tuple[Expr, Type | str] | None:
        """What an aggregate or a choice goes through, and the type of its elements (perhaps undecided)."""
        span = domain.span
        match domain:
            case tree.Range(low, high):
                first, last = self._typed(low, Type.INT, scope), self._typed(high, Type.INT, scope)
                if first is None or last is None:
                    return None
                return Expr("range", Type.DOMAIN, (first, last), span=span), Type.INT
            case tree.Name("players"):
                return Expr("players", Type.DOMAIN, span=span), Type.PLAYER
            case tree.Name("suits"):
                return Expr("suits", Type.DOMAIN, span=span), Type.SUIT
            case tree.Name("ranks"):
                return Expr("ranks", Type.DOMAIN, span=span), Type.RANK
            case tree.Values():
                return self._values(domain, scope)
            case tree.Name(name) if name in scope.parameters:
                argument, caller = scope.parameters[name]
                return self._domain(argument, caller)
            case tree.Each(kind="those"):
                return self._those_domain(domain, scope)
        cards = self._typed(domain, Type.CARDS, scope)
        return (cards, Type.CARD) if cards is not None else None

    def _those_domain(self, each: tree.Each, scope: _Scope) -> tuple[Expr, Type | str] | None:
        domain = self._domain(each.domain, scope)
        if domain is None:
            return None
        source, element = domain
        bound = self._bind(each, source, element, scope)
        if bound is None:
            return None
        kind = Type.CARDS if element is Type.CARD else Type.DOMAIN
        return Expr("those", kind, (source, bound[1]), name=bound[0], span=each.span), element

    def _values(self, values: tree.Values, scope: _Scope) -> tuple[Expr, Type | str] | None:
        items: list[Expr] = []
        kind: Type | str = _UNKNOWN
        for item in values.items:
            expr = self._item(item, scope)
            if expr is None:
                return None
            own = _item_kind(expr)
            joined = _join(kind, own)
            if joined is None:
                self._error("type", f"{_described(own)} among values that are each {_described(kind)}", item.span)
                return None
            kind = joined
            items.append(expr)
        if not items:
            self._error("type", "an empty set of values", values.span)
            return None
        expr = Expr("values", Type.DOMAIN, tuple(items), span=values.span)
        if isinstance(kind, Type):
            coerced = self._coerce_domain(expr, kind, values.span)
            return (coerced, kind) if coerced is not None else None
        return expr, kind

    def _item(self, item: tree.Item, scope: _Scope) -> Expr | None:
        value: Expr | None
        if isinstance(item.value, (tree.Range, tree.Values)) or (
            isinstance(item.value, tree.Name) and item.value.name in ("players", "suits", "ranks")
        ):
            domain = self._domain(item.value, scope)
            value = domain[0] if domain is not None else None
        else:
            value = self._expr(item.value, scope)
        if value is None or item.condition is None:
            return value
        condition = self._typed(item.condition, Type.BOOL, scope)
        return Expr("when", value.type, (condition, value), span=item.span) if condition is not None else None

    def _coerce_domain(self, domain: Expr, wanted: Type, span: Span) -> Expr | None:
        """A set of values whose elements are brought to the wanted type."""
        own = {"range": Type.INT, "players": Type.PLAYER, "suits": Type.SUIT, "ranks": Type.RANK}.get(domain.op)
        if own is not None:
            if own is not wanted:
                self._error("type", f"{_described(wanted)} is wanted here, not {_described(own)}", span)
                return None
            return domain
        if domain.op == "those":
            inner = self._coerce_domain(domain.args[0], wanted, span) if domain.type is Type.DOMAIN else None
            if inner is None:
                if domain.type is Type.CARDS:
                    self._error("type", f"{_described(wanted)} is wanted here, not cards", span)
                return None
            return replace(domain, args=(inner, domain.args[1]))
        if domain.op == "when":
            inner = self._coerce_domain(domain.args[1], wanted, span)
            return replace(domain, type=inner.type, args=(domain.args[0], inner)) if inner is not None else None
        if domain.op == "values":
            items = [self._coerce_domain(item, wanted, span) for item in domain.args]
            kept = tuple(item for item in items if item is not None)
            return replace(domain, args=kept) if len(kept) == len(items) else None
        return self._coerce(domain, wanted, domain.span or span)

    # --- the result

    def _check_unused_definitions(self) -> None:
        """Definitions that nothing uses are elaborated as far as possible, so that mistakes in them show."""
        for name, definition in self.header.definitions.items():
            if name not in self.used_definitions and not definition.parameters:
                self.budget = MAX_EXPANSION
                self._expr(definition.value, _Scope(expanding=(name,)))

    def _flowchart(self, bodies: dict[int, fc.Statement | Expr | None]) -> fc.Flowchart:
        nodes: dict[int, fc.Node] = {}
        charts: dict[str, fc.Chart] = {}
        for chart in self.document.charts:
            for node in chart.nodes:
                nodes[node.number] = _node(chart.name, node, bodies[node.number])
            start = next(node.number for node in chart.nodes if isinstance(node.body, tree.Start))
            end = next(node.number for node in chart.nodes if isinstance(node.body, tree.End))
            charts[chart.name] = fc.Chart(chart.name, start, end, tuple(node.number for node in chart.nodes))
        header = self.header
        return fc.Flowchart(
            title=header.title or "Untitled",
            about=tuple(header.about),
            players=header.players,
            teams=header.teams,
            lowest_wins=header.lowest_wins,
            deck=replace(self.deck, restriction=self.restriction),
            tables=MappingProxyType(self.tables),
            lists=MappingProxyType(header.lists),
            words=tuple(header.words),
            options=MappingProxyType({name: self._option(option) for name, option in header.options.items()}),
            zones=MappingProxyType(self._zones()),
            variables=MappingProxyType({name: self._final_variable(name) for name in self.variable_types}),
            charts=MappingProxyType(charts),
            main=self.document.charts[0].name,
            nodes=MappingProxyType(nodes),
            document=self.document,
        )

    def _option(self, option: tree.Option) -> fc.Option:
        kind = self._option_type(option.name)
        if kind is Type.WORD:
            values = [self.header.words[word] for word in option.words]
            default = self.header.words[str(option.default)]
            return fc.Option(option.name, kind, default, min(values), max(values), option.words, option.text)
        low, high = (option.low, option.high) if option.low is not None and option.high is not None else (0, 1)
        return fc.Option(option.name, kind, int(option.default), low, high, (), option.text)

    def _zones(self) -> dict[str, fc.Zone]:
        declared = {name: (zone.per_player, zone.visibility) for name, zone in self.header.zones.items()}
        return {
            name: fc.Zone(name, per_player, fc.Visibility(visibility), name in self.ordered)
            for name, (per_player, visibility) in {**BUILT_IN_ZONES, **declared}.items()
        }

    def _final_variable(self, name: str) -> fc.Variable:
        kind = self.variable_types[name]
        assert isinstance(kind, Type)
        initial: int | None = None
        if self._per_player(name):
            initial = 0 if kind in (Type.INT, Type.BOOL) else NONE
            given = self.header.player_variables.get(name)
            if given is not None:
                expr = self._typed(given, kind, _Scope())
                if expr is not None and expr.op == "negate" and expr.args[0].op == "const":
                    expr = replace(expr.args[0], value=-(expr.args[0].value or 0))
                if expr is None or expr.op != "const" or expr.value is None:
                    self._error("not-constant", f"the first value of '{name}' is a constant", given.span)
                else:
                    initial = expr.value
        return fc.Variable(name, kind, self._per_player(name), initial, name in self.header.secrets)


# --- helpers ---------------------------------------------------------------------------------------------------------

# An undecided variable carries the reason in `value`, so that `_kind` needs no table.
_FLEX_MARK = {_NUMERAL: -11, _WILD: -12, _NOTHING: -13, _UNKNOWN: -14}
_MARK_FLEX = {mark: kind for kind, mark in _FLEX_MARK.items()}


def _kind(expr: Expr) -> Type | str:
    """The expression's type, or which kind of undecided literal or variable it is."""
    if expr.op in _FLEXIBLE:
        return expr.op
    if expr.op in ("variable", "playerVariable", "if") and expr.value is not None:
        return _MARK_FLEX[expr.value]
    return expr.type


def _item_kind(item: Expr) -> Type | str:
    if item.op == "when":
        return _item_kind(item.args[1])
    own = {"range": Type.INT, "players": Type.PLAYER, "suits": Type.SUIT, "ranks": Type.RANK}.get(item.op)
    if item.op == "values":
        return _item_kind(item.args[0])
    return own or _kind(item)


def _flex_value(pair: tuple[Expr, Expr]) -> int | None:
    kind = _kind(pair[0])
    return None if isinstance(kind, Type) else _FLEX_MARK[kind]


def _join(first: Type | str, second: Type | str) -> Type | str | None:
    """What something is that is both; None if it cannot be."""
    if first == second or second == _UNKNOWN:
        return first
    if first == _UNKNOWN:
        return second
    if isinstance(first, Type) and isinstance(second, Type):
        return None
    if isinstance(first, Type):
        return first if first in _FLEXIBLE[second] else None
    if isinstance(second, Type):
        return second if second in _FLEXIBLE[first] else None
    both = _FLEXIBLE[first] & _FLEXIBLE[second]
    return next(iter(both)) if len(both) == 1 else first if _FLEXIBLE[first] <= _FLEXIBLE[second] else second


def _described(kind: Type | str) -> str:
    if not isinstance(kind, Type):
        return {_NUMERAL: "a number", _WILD: "'any'", _NOTHING: "'none'"}.get(kind, "this")
    article = "an" if kind is Type.INT else "" if kind is Type.CARDS else "a"
    words = {Type.INT: "number", Type.BOOL: "yes or no", Type.CARDS: "cards", Type.DOMAIN: "set of values"}
    word = words.get(kind, str(kind))
    return word if kind in (Type.CARDS, Type.BOOL) else f"{'a' if article == 'an' else article} {word}"


def _balanced(op: str, kind: Type, parts: list[Expr], span: Span) -> Expr:
    """Folds two or more parts into a tree that is not deeper than it must be; three fold from the left."""
    if len(parts) == 1:
        return parts[0]
    middle = (len(parts) + 1) // 2
    first, second = _balanced(op, kind, parts[:middle], span), _balanced(op, kind, parts[middle:], span)
    return Expr(op, kind, (first, second), span=span)


def _is_function(name: str) -> bool:
    return name in SIMPLE_FUNCTIONS or name in FOLDED_FUNCTIONS or name in SPECIAL_FUNCTIONS


def _zone_expr(name: str, player: Expr | None = None, span: Span | None = None) -> Expr:
    return Expr("zone", Type.CARDS, (player,) if player is not None else (), name=name, span=span)


def _target(body: tree.Body) -> tree.Expression | None:
    """The variable that a node sets, if any."""
    match body:
        case tree.Assign(target=target):
            return target
        case tree.Action("choose", args) if len(args) == 3:
            return args[1]
    return None


def _caller_locals(scope: _Scope) -> set[str | None]:
    names: set[str | None] = set()
    for _, caller in scope.parameters.values():
        names |= {bound.name for bound in caller.locals.values()} | _caller_locals(caller)
    return names


def _placed(expression: tree.Expression, place: Callable[[Span], Span]) -> tree.Expression:
    """The expression with every part at its place in the file (it came from inside a text)."""

    def moved(part: tree.Expression | None) -> tree.Expression | None:
        return _placed(part, place) if part is not None else None

    span = place(expression.span)
    match expression:
        case tree.Call(name, args):
            return tree.Call(name, tuple(_placed(arg, place) for arg in args), span=span)
        case tree.Operation(operator, operands):
            return tree.Operation(operator, tuple(_placed(part, place) for part in operands), span=span)
        case tree.Range(low, high):
            return tree.Range(_placed(low, place), _placed(high, place), span=span)
        case tree.Each(kind, variable, domain, condition, value):
            return tree.Each(kind, variable, _placed(domain, place), moved(condition), moved(value), span=span)
        case tree.Values(items):
            moved_items = [tree.Item(_placed(i.value, place), moved(i.condition), span=place(i.span)) for i in items]
            return tree.Values(tuple(moved_items), span=span)
        case _:
            return replace(expression, span=span)


def _inside(text: tree.Text, offset: int) -> Callable[[Span], Span]:
    """Where a piece of a text stands that begins after so many characters; the whole text if that cannot be told."""
    whole = text.span
    if whole.line != whole.end_line or whole.end_column - whole.column != len(text.value) + 2:
        return lambda span: whole
    start = whole.column + offset
    return lambda span: Span(whole.line, start + span.column, whole.line, start + span.end_column)


def _codes(names: tuple[str, ...]) -> tuple[str, ...]:
    """Short names: numbers as they are (10 is T), words by their shortest unique beginning in capitals."""
    codes = []
    for name in names:
        if name.isdigit():
            codes.append("T" if name == "10" and not any(other[:1].upper() == "T" for other in names) else name)
            continue
        length = 1
        while length < len(name) and any(
            other != name and other[:length].lower() == name[:length].lower() for other in names
        ):
            length += 1
        codes.append(name[:length].upper())
    return tuple(codes)


def _all_card_names(deck: fc.Deck) -> dict[str, tuple[int, ...]]:
    """Every name by which a chart can call a card: its code, and the rank as a number before the suit's code."""
    names: dict[str, tuple[int, ...]] = {}
    for card in range(deck.size):
        suit = deck.suit_codes[deck.suit_of(card)]
        for rank in {deck.rank_codes[deck.rank_of(card)], deck.ranks[deck.rank_of(card)]}:
            if rank == deck.rank_codes[deck.rank_of(card)] or rank.isdigit():
                names[rank + suit] = (*names.get(rank + suit, ()), card)
    return names


_KINDS = {
    tree.Start: fc.NodeKind.START,
    tree.End: fc.NodeKind.END,
    tree.Choice: fc.NodeKind.CHOICE,
    tree.Do: fc.NodeKind.CALL,
}


def _node(chart: str, node: tree.Node, body: fc.Statement | Expr | None) -> fc.Node:
    kind = _KINDS.get(type(node.body), fc.NodeKind.STATEMENT)
    return fc.Node(
        number=node.number,
        chart=chart,
        kind=kind,
        caption=format_body(node.body),
        next=node.next,
        yes=node.yes,
        no=node.no,
        statement=body if not isinstance(body, Expr) else None,
        condition=body if isinstance(body, Expr) else None,
        private=isinstance(node.body, tree.Choice) and node.body.private,
        label=node.label,
        position=node.position,
        span=node.span,
    )
