"""What the header lines declare: deck, tables, zones, options, variables, words and definitions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from types import MappingProxyType

from fcdl.language import flowchart as fc
from fcdl.language import tree
from fcdl.language.diagnostics import Findings, Span
from fcdl.language.flowchart import MAX_CARDS, MAX_PLAYERS, MAX_RANGE, Type
from fcdl.language.places import place_count
from fcdl.language.resolve.kinds import NUMERAL, UNKNOWN, with_article
from fcdl.language.resolve.vocabulary import (
    BUILT_IN_ZONES,
    FACE_VALUES,
    MAX_EXPANSION,
    MAX_TOTAL_EXPANSION,
    RESERVED,
    STANDARD_RANKS,
    STANDARD_SUITS,
    STATEMENTS,
)
from fcdl.language.seats import spread
from fcdl.language.text import key_text


@dataclass(slots=True)
class Header:
    """Everything the header lines declare."""

    title: str = ""
    genre: str = ""
    tags: tuple[str, ...] = ()
    about: list[str] = field(default_factory=list)
    players: tuple[int, int] = (2, 2)
    teams: tuple[tuple[int, ...], ...] = ()
    lowest_wins: bool = False
    wishes: tuple[tuple[bool, tree.Expression], ...] = ()
    decks: list[tree.Deck] = field(default_factory=list)
    orders: list[tree.Order] = field(default_factory=list)
    tables: list[tree.Table] = field(default_factory=list)
    lists: dict[str, tuple[int, ...]] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)
    options: dict[str, tree.Option] = field(default_factory=dict)
    zones: dict[str, tree.Zone] = field(default_factory=dict)
    variables: dict[str, tuple[tuple[tree.Key, ...], tree.Expression | None]] = field(
        default_factory=lambda: {"score": (tree.PER_PLAYER, None), "passed": (tree.PER_PLAYER, None)}
    )
    """The families of variables: their keys and first values."""
    secrets: dict[str, Span] = field(default_factory=dict)
    definitions: dict[str, tree.Define] = field(default_factory=dict)
    expectations: list[tree.Expect] = field(default_factory=list)
    always: list[tree.Expression] = field(default_factory=list)
    says: list[tree.Say] = field(default_factory=list)
    hand_order: tuple[tree.Expression, ...] = ()


class Declarations:
    """Collects what a document declares and reports what is declared wrongly."""

    def __init__(self, document: tree.Document, findings: Findings) -> None:
        self.written = document
        self.document, self.boxes = (read := spread(document)).document, read.boxes
        self.findings = findings
        self.header = Header()
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
        self.deck: fc.Deck
        self.used_definitions: set[str] = set()
        self.said: dict[fc.Expr, tree.Expression] = {}

    def _error(self, code: str, message: str, span: Span | None, hint: str | None = None) -> None:
        node = self.boxes.get(self.node, self.node) if self.node is not None else None
        self.findings.error(code, message, span, node=node, hint=hint)

    def _learn(self, name: str, kind: Type | str) -> None:
        """Notes what a variable's type is, as far as it is known now."""
        self.variable_types[name] = kind
        self.learned.add(name)

    def _collect_header(self) -> None:
        once: dict[type, tree.Header] = {}
        for item in self.document.header:
            if isinstance(item, (tree.Title, tree.Genre, tree.Players, tree.Teams, tree.Wins, tree.Goal, tree.Sort)):
                if type(item) in once:
                    self._error("doubled-line", "duplicate line: there can be only one of this kind", item.span)
                once[type(item)] = item
            self._collect(item)
        self._check_players(once.get(tree.Players), once.get(tree.Teams))

    def _collect(self, item: tree.Header) -> None:
        header = self.header
        match item:
            case tree.Title(title):
                header.title = title
            case tree.Genre((genre, *tags)):
                header.genre, header.tags = genre, tuple(tags)
            case tree.About(text):
                header.about.append(text)
            case tree.Players(low, high):
                header.players = (low, high)
            case tree.Teams(teams):
                header.teams = teams
            case tree.Wins(lowest):
                header.lowest_wins = lowest
            case tree.Goal(wishes):
                header.wishes = wishes
            case tree.Always(condition):
                header.always.append(condition)
            case tree.Say():
                header.says.append(item)
            case tree.Sort(keys):
                header.hand_order = keys
            case tree.Deck():
                header.decks.append(item)
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
                        self._error("doubled-name", f"duplicate word '{word}'", item.span)
                    elif self._declare(word, item.span, "word"):
                        header.words[word] = len(header.words)
            case tree.Option():
                self._collect_option(item)
            case tree.Zone(name, keys):
                self._check_keys(name, keys, item.span)
                built_in = BUILT_IN_ZONES.get(name)
                if built_in is not None and built_in[0] != keys:
                    self._error(
                        "zone-owner",
                        f"'{name}' is {'one zone for each' if built_in[0] else 'not one zone for each'} player",
                        item.span,
                    )
                elif name in header.zones or built_in is not None or self._declare(name, item.span, "zone"):
                    if name in header.zones:
                        self._error("doubled-name", f"duplicate zone '{name}'", item.span)
                    header.zones[name] = item
                if not fc.Family(name, keys).owned and item.visibility in ("owner", "others"):
                    more = "".join(f", {key_text(key)}" for key in keys)
                    self._error(
                        "zone-owner", f"zone '{name}' has no owner: write 'zone {name}(player{more}): ...'", item.span
                    )
            case tree.Variables(keys, variables):
                self._check_keys(variables[0][0], keys, item.span)
                for name, value in variables:
                    if self._declare(
                        name, item.span, "player variable" if keys == tree.PER_PLAYER else "variable with keys"
                    ):
                        header.variables[name] = (keys, value)
            case tree.Secret(names):
                for name in names:
                    header.secrets[name] = item.span
            case tree.Expect():
                header.expectations.append(item)
            case tree.Define(name, parameters):
                if self._declare(name, item.span, "definition"):
                    header.definitions[name] = item
                if len(set(parameters)) < len(parameters):
                    self._error("doubled-name", f"definition '{name}' has two parameters with the same name", item.span)

    def _check_keys(self, name: str, keys: tuple[tree.Key, ...], span: Span) -> None:
        """Two keys at most, the owner first, and numbers that are fixed and few."""
        if len(keys) > fc.MAX_KEYS:
            self._error("keys", f"'{name}' has {len(keys)} keys; there can be {fc.MAX_KEYS}", span)
        for key in keys:
            if key.kind == "number" and not 0 <= key.high - key.low < MAX_RANGE:
                self._error("keys", f"the numbers from {key.low} to {key.high} are none or more than {MAX_RANGE}", span)
        for key in keys[1:]:
            if key.kind in ("player", "team"):
                hint = "say first whose it is" if not fc.Family(name, keys).owned else None
                self._error("keys", f"'{key.kind}' can only be the first key", span, hint)

    @property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        """The teams."""
        return self.header.teams

    def _check_places(self) -> None:
        """The places of all families together are few, whatever the number of players; a team needs teams."""
        if any(finding.code == "keys" for finding in self.findings.items):
            return
        for limit, what, families in (
            (fc.MAX_ZONES, "zones", {name: (zone.keys, zone.span) for name, zone in self.header.zones.items()}),
            (fc.MAX_VARIABLES, "values of variables", self._variable_lines()),
        ):
            total = 0
            for name, (keys, span) in families.items():
                if any(key.kind == "team" for key in keys) and not self.header.teams:
                    self._error("teams", f"'{name}' needs a 'teams' line", span)
                before, total = total, total + place_count(self, fc.Family(name, keys), self.header.players[1])
                if before <= limit < total:
                    self._error("keys", f"the chart has more than {limit} {what}", span)

    def _variable_lines(self) -> dict[str, tuple[tuple[tree.Key, ...], Span]]:
        lines = [item for item in self.document.header if isinstance(item, tree.Variables)]
        return {name: (item.keys, item.span) for item in lines for name, _ in item.variables}

    def _declare(self, name: str, span: Span, what: str) -> bool:
        """Notes a name and what it is; False if it is taken."""
        if name in RESERVED or name == "rankValue" or name in STATEMENTS:
            self._error("reserved-name", f"'{name}' is a word of the language", span, "choose another name")
            return False
        kind = self.declared.get(name)
        if kind is not None:
            self._error("doubled-name", f"'{name}' is already the name of {with_article(kind)}", span)
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
                self._error("option-range", f"{item.default} is not between {item.low} and {item.high}", item.span)
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
            self._error("players", f"the number of players must be from 1 to {MAX_PLAYERS}", players.span)
            self.header.players = (2, 2)
        if teams is None:
            return
        members = sorted(member for team in self.header.teams for member in team)
        if high > MAX_PLAYERS:
            self.header.teams = ()
        elif low != high or members != list(range(high)):
            self._error(
                "teams", "teams need a fixed number of players, with each seat (from 0) in exactly one team", teams.span
            )
            self.header.teams = ()

    def _collect_deck(self) -> None:
        parts = [self._deck_part(part) for part in self.header.decks or [tree.Deck()]]
        size = sum(len(part.ranks) * len(part.suits) * part.copies for part in parts)
        if not 1 <= size <= MAX_CARDS or any(part.copies < 1 for part in parts):
            how_many = str(size) if size < 10**9 else "more"
            self._error("deck-size", f"a deck has 1 to {MAX_CARDS} cards, not {how_many}", parts[-1].span)
            parts = [self._deck_part(tree.Deck())]
        declared = self.declared
        ranks = tuple(dict.fromkeys(rank for part in parts for rank in part.ranks))
        suits = tuple(dict.fromkeys(suit for part in parts for suit in part.suits))
        for name in (*ranks, *suits):
            if name in declared or name in RESERVED:
                self._error(
                    "doubled-name",
                    f"'{name}' is a rank or suit and also {with_article(declared.get(name, 'word of the language'))}",
                    next(part.span for part in parts if name in (*part.ranks, *part.suits)),
                )
        copies: dict[tuple[int, int], list[fc.Face]] = {}
        for number, part in enumerate(parts):
            for suit, rank in product(map(suits.index, part.suits), map(ranks.index, part.ranks)):
                copies.setdefault((rank, suit), []).extend([fc.Face(rank, suit, number)] * part.copies)
        self.deck = fc.Deck(
            ranks,
            suits,
            _codes([part.ranks for part in parts]),
            _codes([part.suits for part in parts]),
            tuple(face for faces in copies.values() for face in faces),
        )
        self._check_codes(parts)
        self.card_names = {name: cards for name, cards in _all_card_names(self.deck).items() if name not in declared}

    def _deck_part(self, part: tree.Deck) -> tree.Deck:
        """A part of the deck with its ranks and suits, each once."""
        ranks, suits = part.ranks or STANDARD_RANKS, part.suits or STANDARD_SUITS
        for names, what in ((ranks, "rank"), (suits, "suit")):
            for name in sorted({name for name in names if names.count(name) > 1}):
                self._error("doubled-name", f"duplicate {what} '{name}' in the deck", part.span)
        return replace(part, ranks=tuple(dict.fromkeys(ranks)), suits=tuple(dict.fromkeys(suits)))

    def _check_codes(self, parts: list[tree.Deck]) -> None:
        """Cards are called by their codes, everywhere: those of two cards must not be the same."""
        deck, seen = self.deck, dict[str, int]()
        for card in range(deck.size):
            other = seen.setdefault(deck.code(card), card)
            if deck.first_copies[other] != deck.first_copies[card]:
                first, second = (
                    f"{deck.ranks[deck.rank_of(one)]} of {deck.suits[deck.suit_of(one)]}" for one in (other, card)
                )
                message = f"the {first} and the {second} would both be called {deck.code(card)}"
                self._error("same-code", message, parts[deck.cards[card].part].span, "name ranks or suits otherwise")
                return

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
                    f"'{key}' is not a {'rank' if ranks_only else 'rank, suit or card'} of the deck",
                    table.span,
                    self.findings.near(key, (*self.deck.ranks, *self.deck.suits)),
                )
                continue
            place, keys = found[0]
            for number in keys:
                if number in place:
                    self._error("doubled-name", f"duplicate entry '{key}' in '{table.name}'", table.span)
                place[number] = value
        return fc.Table(
            table.name, MappingProxyType(cards), MappingProxyType(ranks), MappingProxyType(suits), table.otherwise or 0
        )

    def _collect_variables(self) -> None:
        """Names that are assigned somewhere are variables."""
        self.variable_types = {"score": Type.INT, "passed": Type.BOOL}
        for name, (_, value) in self.header.variables.items():
            self.variable_types.setdefault(name, UNKNOWN if value is not None else NUMERAL)
        declared = self.declared
        self.first_assignment: dict[str, Span] = {}
        for node in self._nodes():
            target = assigned_target(node.body)
            if isinstance(target, tree.Name):
                name = target.name
                if name in RESERVED or name in self.tables:
                    self._reserved_target(name, target.span, node.number)
                elif name in declared:
                    self._reserved_target(name, target.span, node.number, declared[name])
                elif name in self.deck.ranks or name in self.deck.suits or name in self.card_names:
                    self._reserved_target(name, target.span, node.number, "rank, suit or card")
                else:
                    self.variable_types.setdefault(name, UNKNOWN)
                    self.first_assignment.setdefault(name, target.span)
        for name, span in self.header.secrets.items():
            if name not in self.variable_types:
                self._error(
                    "unknown-name", f"no variable '{name}'", span, self.findings.near(name, self.variable_types)
                )

    def _reserved_target(self, name: str, span: Span, node: int, kind: str = "word of the language") -> None:
        self.node = node
        hint = f"write '{self._written(name)}'" if name in self.header.variables else "choose another name"
        self._error("not-a-variable", f"'{name}' is {with_article(kind)} and cannot be assigned", span, hint)
        self.node = None

    def _nodes(self) -> Iterable[tree.Node]:
        for chart in self.document.charts:
            yield from chart.nodes

    def _written(self, name: str) -> str:
        """How a zone or variable is written."""
        zone = self._zone_named(name)
        keys = zone[0] if zone is not None else self.header.variables.get(name, ((), None))[0]
        return f"{name}({', '.join('player' if key.kind == 'team' else key.kind for key in keys)})" if keys else name

    def _zone_named(self, name: str) -> tuple[tuple[tree.Key, ...], str] | None:
        if name in self.header.zones:
            return (self.header.zones[name].keys, self.header.zones[name].visibility)
        return BUILT_IN_ZONES.get(name)

    def _option_type(self, name: str) -> Type:
        option = self.header.options[name]
        return Type.INT if option.low is not None else Type.WORD if option.words else Type.BOOL


def assigned_target(body: tree.Body) -> tree.Expression | None:
    """The variable that a node sets, if any."""
    match body:
        case tree.Assign(target=target):
            return target
        case tree.Action("choose", args) if len(args) == 3:
            return args[1]
    return None


def _codes(parts: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Short names: numbers as they are (10 is T), words by their shortest unique beginning in capitals.

    The names of a later part leave those of the parts before it as they are.
    """
    codes: dict[str, str] = {}
    taken = [name for names in parts for name in names]
    for names in parts:
        new = [name for name in names if name not in codes]
        found = {name: _code(name, new, codes.values(), taken) for name in new}
        codes.update(found)
    return tuple(codes.values())


def _code(name: str, names: list[str], codes: Collection[str], everything: list[str]) -> str:
    if name.isdigit():
        return "T" if name == "10" and not any(other[:1].upper() == "T" for other in everything) else name
    length = 1
    while length < len(name) and (
        name[:length].upper() in codes
        or any(other != name and other[:length].lower() == name[:length].lower() for other in names)
    ):
        length += 1
    return name[:length].upper()


def _all_card_names(deck: fc.Deck) -> dict[str, tuple[int, ...]]:
    """Every name by which a chart can call a card: its code, and the rank as a number before the suit's code."""
    names: dict[str, tuple[int, ...]] = {}
    for card in range(deck.size):
        suit = deck.suit_codes[deck.suit_of(card)]
        for rank in {deck.rank_codes[deck.rank_of(card)], deck.ranks[deck.rank_of(card)]}:
            if rank == deck.rank_codes[deck.rank_of(card)] or rank.isdigit():
                names[rank + suit] = (*names.get(rank + suit, ()), card)
    return names
