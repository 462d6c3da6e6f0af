"""What can be said about a move in the chart's own vocabulary: the candidates for heuristics measured by play.

For every decision of a chart there are conditions on the move (the card played or picked, the value chosen) and on the
situation, each an expression of the chart's language with its words. Its locals are `me` and the move: `card` or
`value`. All of them are about what the deciding seat sees (`language/sight.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import permutations

from fcdl.heuristics.definitions import Definitions
from fcdl.heuristics.derive import Heuristics
from fcdl.heuristics.speech import Speaker, with_article
from fcdl.heuristics.speech import words as words_of
from fcdl.heuristics.symbols import ME, flattened, negated
from fcdl.language import flowchart as fc
from fcdl.language import tree
from fcdl.language.diagnostics import ChartError
from fcdl.language.expression import read_expression
from fcdl.language.flow import live_variables, through_calls
from fcdl.language.flowchart import Expr, Node, Type, Visibility
from fcdl.language.sight import hidden_part
from fcdl.model.game import Game

CARD = Expr("local", Type.CARD, name="card")
MEASURED = (fc.Play, fc.Pick, fc.Choose)
_SPOKEN = Expr("local", Type.CARD, name="myCard")
_SYNTAX = re.compile(r"[(){}\[\]_=<>!&|#*“”\"]|[a-z][A-Z]|\bnone\b|\btrue\b|\bfalse\b")
_LONGEST = 90
_LARGEST = 120
_AHEAD = 30
_LOOP_NAMES = re.compile(r"turn|[a-z]\d?")
_NUMBERS = 12
_MIDDLE = re.compile(r"the middle of the (?:player of the )?([\w ]+?)(?=$|,| and | or | is )")
_TURNED = {"less": "greater", "greater": "less", "lessEqual": "greaterEqual", "greaterEqual": "lessEqual",
           "equal": "equal", "notEqual": "notEqual"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Feature:
    """Something that holds (1) or not (0) of a move, or of a situation; or a number that it has.

    `phrase` says it: of a move what is played (`a low card`), of a situation when that is (`when you are the leader`).
    """

    phrase: str
    expr: Expr
    size: int
    """How much there is to understand."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A node at which a player decides, what can be said of its moves, and of the situations in which it comes."""

    node: Node
    moves: tuple[Feature, ...]
    situations: tuple[Feature, ...]
    leading: Expr | None
    """Whether no card has been played to where cards go from here."""

    @property
    def statement(self) -> fc.Play | fc.Pick | fc.Choose:
        """The decision."""
        statement = self.node.statement
        assert isinstance(statement, MEASURED)
        return statement

    @property
    def parameter(self) -> Expr:
        """The move as a local of the features."""
        statement = self.statement
        return CARD if not isinstance(statement, fc.Choose) else Expr("local", self.kind, name="value")

    @property
    def kind(self) -> Type:
        """The type of what is decided."""
        found = next((part.type for move in self.moves for part in move.expr.walk() if part.name == "value"), None)
        return found or Type.CARD

    @property
    def may_pass(self) -> bool:
        """Whether one may pass."""
        return isinstance(self.statement, fc.Play) and self.statement.may_pass


def words(name: str) -> str:
    """A name of the chart as people write it, without the number of a series."""
    return words_of(name).rstrip("0123456789") or name


def decisions(game: Game) -> tuple[Decision, ...]:
    """The decisions of a game's chart for a card or a value; those for a set of cards have no features."""
    reader, nodes = _Reader(game), game.flowchart.nodes.values()
    return tuple(reader.decision(node) for node in nodes if isinstance(node.statement, MEASURED))


def replaced(expr: Expr, parts: Mapping[Expr, Expr]) -> Expr:
    """An expression with other expressions in the place of some of its parts, the outermost first."""
    if expr in parts:
        return parts[expr]
    if not expr.args:
        return expr
    return Expr(expr.op, expr.type, tuple(replaced(arg, parts) for arg in expr.args), expr.value, expr.name)


def plain_speaker(game: Game) -> Speaker:
    """Somebody who says conditions without any heuristics."""
    nothing: tuple[()] = ()
    definitions = Definitions(game, game.flowchart.variables)
    empty = Heuristics(game, nothing, nothing, nothing, nothing, nothing, nothing, nothing, definitions)
    return Speaker(empty, None)


def is_card_language(phrase: str) -> bool:
    """Whether a phrase is one that card players say: short, and nothing of a chart's syntax in it."""
    return len(phrase) <= _LONGEST and not _SYNTAX.search(phrase)


class _Reader:
    """Finds the features of the decisions of one game."""

    def __init__(self, game: Game) -> None:
        self.game, self.chart = game, game.flowchart
        self.deck = self.chart.deck
        self.speaker = plain_speaker(game)
        self.after = through_calls(self.chart)
        self.live = live_variables(self.chart.nodes, self.after)
        self.read = cache(self._read)
        self.definitions = [item for item in self.chart.document.header if isinstance(item, tree.Define)]

    def decision(self, node: Node) -> Decision:
        """One decision with its features."""
        statement = node.statement
        assert isinstance(statement, MEASURED)
        if isinstance(statement, fc.Choose):
            kind = self.chart.variables[statement.target.name].type
            moves, leading = self._values(node, kind), None
        else:
            kind, moves = Type.CARD, self._cards(node, statement)
            leading = self._empty(statement.target) if self._has_leads() else None
        put = {statement.player: ME}
        if not isinstance(statement, fc.Choose):
            mine = replaced(statement.source, put)
            put[Expr("local", Type.CARDS, name="mine")] = mine
            legal = Expr("intersect", Type.CARDS, (mine, replaced(statement.cards, put)))
            put[Expr("local", Type.CARDS, name="legal")] = legal
        return Decision(
            node, tuple(self._seen(moves, put)), tuple(self._seen(self._situations(node, kind), put)), leading
        )

    def _seen(self, features: Iterator[Feature], put: Mapping[Expr, Expr]) -> Iterator[Feature]:
        """The features that can be said and that the player sees, each once."""
        known: set[Expr] = set()
        for feature in features:
            expr = replaced(feature.expr, put)
            if expr in known or expr.op == "const" or not is_card_language(feature.phrase):
                continue
            known.add(expr)
            if sum(1 for _ in expr.walk()) <= _LARGEST and hidden_part(self.chart, expr, ME) is None:
                yield Feature(feature.phrase, expr, feature.size)

    def _read(self, text: str, kind: Type = Type.CARD, wanted: Type = Type.BOOL) -> Expr | None:
        """An expression about a move; None where the chart has no such thing."""
        given = {"me": Type.PLAYER, "mine": Type.CARDS, "legal": Type.CARDS}
        given["card" if kind is Type.CARD else "value"] = kind
        try:
            return read_expression(self.chart, text, given, wanted=wanted)
        except ChartError:
            return None

    def _said(self, phrase: str, text: str, size: int = 1, kind: Type = Type.CARD) -> Iterator[Feature]:
        expr = self.read(text, kind)
        if expr is not None:
            yield Feature(phrase, expr, size)

    # Cards

    def _cards(self, node: Node, statement: fc.Play | fc.Pick) -> Iterator[Feature]:
        for name in self._heights():
            yield from self._height(name)
        for suit in dict.fromkeys(self.deck.suit_of(card) for card in self.game.cards):
            name = self.deck.suits[suit]
            yield from self._said(with_article(name.removesuffix("s")), f"suit(card) == {name}", 2)
        for rank in dict.fromkeys(self.deck.rank_of(card) for card in self.game.cards):
            yield from self._said(with_article(self.deck.ranks[rank]), f"rank(card) == {self.deck.ranks[rank]}", 3)
        yield from self._named_cards()
        yield from self._by_variables(node)
        yield from self._in_hand()
        yield from self._on_table(statement.target)
        yield from self._defined(Type.CARD)
        yield from self._asked(node, statement)

    def _heights(self) -> list[str]:
        """The tables by which cards are compared: those that the chart uses, or the order of the ranks."""
        used = {part.name for node in self.chart.nodes.values() for e in node.exprs() for part in e.walk()
                if part.op == "table"}  # fmt: skip
        return ["rankValue", *(name for name in self.chart.tables if name in used and name != "rankValue")]

    def _height(self, name: str) -> Iterator[Feature]:
        table = self.chart.tables[name]
        values = sorted(table.of_card(self.deck, card) for card in self.game.cards)
        if values[0] == values[-1]:
            return
        high, low = values[len(values) * 2 // 3], values[(len(values) - 1) // 3]
        plain, kind = name == "rankValue", words(name)
        size = 1 if plain else 3
        if not plain and values[0] == 0 == values[len(values) // 3]:
            yield from self._said(f"a card with {kind}", f"{name}(card) > 0", 2)
        if low < high:
            yield from self._said(_tall("high", name), f"{name}(card) >= {high}", size)
            yield from self._said(_tall("low", name), f"{name}(card) <= {low}", size)
        each = f"{name}(cc1) for cc1 in legal"
        yield from self._said(_tallest("highest", name), f"{name}(card) == max({each})", size + 1)
        yield from self._said(_tallest("lowest", name), f"{name}(card) == min({each})", size + 1)

    def _named_cards(self) -> Iterator[Feature]:
        named = {
            part.value
            for node in self.chart.nodes.values()
            for expr in node.exprs()
            for part in expr.walk()
            if part.op == "const" and part.type is Type.CARD and part.value is not None and part.value >= 0
        }
        for card in sorted(named):
            rank, suit = self.deck.ranks[self.deck.rank_of(card)], self.deck.suits[self.deck.suit_of(card)]
            same = Expr("equal", Type.BOOL, (CARD, Expr("const", Type.CARD, value=card)))
            yield Feature(f"the {rank} of {suit}", same, 2)

    def _variables(self, node: Node) -> list[fc.Variable]:
        """The variables that still say something there."""
        every = self.chart.variables.values()
        return [one for one in every if not one.keys and one.name in self.live.get(node.number, ())]

    def _by_variables(self, node: Node) -> Iterator[Feature]:
        for variable in self._variables(node):
            name = variable.name
            if variable.type is Type.SUIT:
                yield from self._said(of_suit(name), f"suit(card) == {name}", 1)
            elif variable.type is Type.RANK:
                said = words(name) if "rank" in words(name) else f"{words(name)} rank"
                yield from self._said(f"a card of the {said}", f"rank(card) == {name}", 1)
            elif variable.type is Type.CARD:
                for part in ("suit", "rank"):
                    text = f"{part}(card) == {part}({name})"
                    yield from self._said(f"a card of the {part} of the {words(name)}", text, 2)

    def _in_hand(self) -> Iterator[Feature]:
        suit, rank = "count(intersect(mine, card(any, suit(card))))", "count(intersect(mine, card(rank(card), any)))"
        longest = "max(count(intersect(mine, card(any, ss1))) for ss1 in suits)"
        near = "suit(cc1) == suit(card) & abs(rankValue(cc1) - rankValue(card)) == 1"
        if len(self.deck.suits) > 1:
            yield from self._said("your only card of its suit", f"{suit} == 1", 2)
            yield from self._said("a card of your longest suit", f"{suit} == {longest}", 2)
        yield from self._said("a card whose rank you hold twice or more", f"{rank} > 1", 2)
        yield from self._said("a card next to another of its suit in your hand", f"some(cc1 in mine with {near})", 4)

    def _on_table(self, target: Expr) -> Iterator[Feature]:
        for zone in self.chart.zones.values():
            if zone.visibility is not Visibility.ALL or zone.name in ("pack", "stack", "middle"):
                continue
            if (zone.per_player and zone.name == target.name) or (zone.keys and not zone.per_player):
                continue
            place = f"{zone.name}(me)" if zone.per_player else zone.name
            where = f"{'your' if zone.per_player else 'the'} {words(zone.name)}"
            lies = f"in {where}" if zone.per_player else _in(zone.name)
            text = f"some(cc1 in {place} with rank(cc1) == rank(card))"
            yield from self._said(f"a card whose rank lies {lies}", text, 3)
            if zone.ordered:
                for part in ("suit", "rank"):
                    text = f"{part}(card) == {part}(top({place}))"
                    yield from self._said(f"a card of the {part} of the top card of {where}", text, 3)

    def _defined(self, kind: Type) -> Iterator[Feature]:
        """What the chart defines, of the move and of the player."""
        move = "card" if kind is Type.CARD else "value"
        for item in self.definitions:
            if len(item.parameters) not in (1, 2):
                continue
            for args in permutations((move, "me"), len(item.parameters)):
                expr = self.read(f"{item.name}({', '.join(args)})", kind) if move in args else None
                if expr is not None and kind is Type.CARD:
                    yield from self._condition(expr, 2)

    def _asked(self, node: Node, statement: fc.Play | fc.Pick) -> Iterator[Feature]:
        """The diamonds' conditions that follow, with the card where it will lie then."""
        if isinstance(statement, fc.Pick) and statement.number.value != 1:
            return
        for condition in _conditions_after(self.chart, self.after, node, statement):
            whole = (
                [condition] if condition.op not in ("and", "or") else [condition, *flattened(condition.op, condition)]
            )
            for part in whole:
                if CARD in part.walk():
                    yield from self._condition(part, 3)

    def _condition(self, expr: Expr, size: int) -> Iterator[Feature]:
        """A condition on the card, and its opposite if that is shorter to say."""
        first = _card_first(expr)
        compound = first.op in ("and", "or")
        for test, extra in ((first, 2),) if compound else ((first, 0), (negated(first), 1)):
            try:
                said = f"a card {self.speaker.relative(replaced(test, {CARD: _SPOKEN}), _SPOKEN)}"
                said = _MIDDLE.sub(r"the \1's card", said)
            except (AssertionError, AttributeError, LookupError, TypeError, ValueError, RecursionError):
                continue  # nobody has said such a thing before
            if "for which" not in said:
                yield Feature(said, test, size + extra)

    # Values

    def _values(self, node: Node, kind: Type) -> Iterator[Feature]:
        match kind:
            case Type.INT:
                yield Feature("one more", Expr("local", Type.INT, name="value"), 1)
                for number in range(_NUMBERS):
                    yield from self._said(str(number), f"value == {number}", 2, kind)
                    yield from self._said(f"{number} or less", f"value <= {number}", 2, kind)
                    yield from self._said(f"{number} or more", f"value >= {number}", 2, kind)
            case Type.BOOL:
                yield from self._said("yes", "value", 1, kind)
            case Type.WORD:
                for number, word in enumerate(self.chart.words):
                    local = Expr("local", kind, name="value")
                    yield Feature(words(word), Expr("equal", Type.BOOL, (local, Expr("const", kind, value=number))), 1)
            case Type.SUIT | Type.RANK:
                yield from self._suit_or_rank(kind)
            case Type.PLAYER:
                yield from self._players()
            case Type.CARD:
                for name in self._heights():
                    yield from self._height(name)
                yield from self._by_variables(node)
                yield from self._defined(Type.CARD)

    def _suit_or_rank(self, kind: Type) -> Iterator[Feature]:
        name, all_of = str(kind), f"{kind}s"
        held = "count(intersect(hand(me), card({})))".format("any, {}" if kind is Type.SUIT else "{}, any")
        mine = held.format("value")
        most = f"max({held.format('vv1')} for vv1 in {all_of})"
        yield from self._said(f"the {name} that you hold most of", f"{mine} == {most}", 1, kind)
        yield from self._said(f"a {name} that you hold twice or more", f"{mine} > 1", 1, kind)
        yield from self._said(f"a {name} that you do not hold", f"{mine} == 0", 1, kind)
        for one in self.deck.suits if kind is Type.SUIT else self.deck.ranks:
            yield from self._said(one, f"value == {one}", 2, kind)

    def _players(self) -> Iterator[Feature]:
        kind = Type.PLAYER
        yield from self._said("yourself", "value == me", 1, kind)
        if self.game.players > 2:
            yield from self._said("the next player", "value == next(me)", 1, kind)
            yield from self._said("the player before you", "value == previous(me)", 2, kind)
            if self.chart.teams:
                yield from self._said("a partner", "sameTeam(value, me) & value != me", 1, kind)
            for how, word in (("max", "most"), ("min", "fewest")):
                text = f"count(hand(value)) == {how}(count(hand(pp1)) for pp1 in players with pp1 != me)"
                yield from self._said(f"the player with the {word} cards", text, 2, kind)
            for how, word in (("max", "highest"), ("min", "lowest")):
                text = f"score(value) == {how}(score(pp1) for pp1 in players with pp1 != me)"
                yield from self._said(f"the player with the {word} score", text, 2, kind)

    # Situations

    def _situations(self, node: Node, kind: Type) -> Iterator[Feature]:
        statement = node.statement
        assert isinstance(statement, fc.Decision)
        for variable in self._variables(node):
            if _LOOP_NAMES.fullmatch(variable.name):
                continue
            who = Expr("variable", variable.type, name=variable.name)
            if variable.type is Type.PLAYER and who != statement.player:
                yield from self._said(f"when you are the {words(variable.name)}", f"{variable.name} == me")
        if not isinstance(statement, fc.Choose):
            leading = self._empty(statement.target)
            if leading is not None and not self._has_leads():
                yield Feature("when nothing has been played yet", leading, 1)
            yield from self._said("with at most two cards left", "count(mine) <= 2", 2)
            return
        yield from self._hands(node)

    def _hands(self, node: Node) -> Iterator[Feature]:
        """What a player has in hand who chooses something."""
        values = sorted(self.chart.tables["rankValue"].of_card(self.deck, card) for card in self.game.cards)
        high = values[len(values) * 3 // 4]
        for number, many in ((1, "a high card"), (2, "two high cards or more"), (4, "four high cards or more")):
            text = f"count(cc1 in hand(me) with rankValue(cc1) >= {high}) >= {number}"
            yield from self._said(f"with {many}", text, number)
        pair = "some(rr1 in ranks with count(intersect(hand(me), card(rr1, any))) > 1)"
        yield from self._said("with two cards of one rank", pair, 1)
        long = max(2, round(len(self.game.cards) / len(self.deck.suits) / 3))
        yield from self._said(
            f"with {long} cards or more of one suit",
            f"some(ss1 in suits with count(intersect(hand(me), card(any, ss1))) >= {long})",
            2,
        )
        for zone in self.chart.zones.values():
            if zone.visibility is Visibility.ALL and not zone.keys and zone.name not in ("pack", "stack"):
                text = f"some(cc1 in hand(me) with some(cc2 in {zone.name} with rank(cc1) == rank(cc2)))"
                yield from self._said(f"with a card whose rank lies {_in(zone.name)}", text, 2)
        yield from self._open_cards()
        for variable in self._variables(node):
            if variable.type is Type.SUIT:
                text = f"count(intersect(hand(me), card(any, {variable.name}))) >= {long}"
                yield from self._said(f"with {long} cards or more of the {_suit_words(variable.name)}", text, 2)

    def _open_cards(self) -> Iterator[Feature]:
        """How high the cards are that lie where everybody sees them."""
        for zone in self.chart.zones.values():
            if zone.visibility is not Visibility.ALL or zone.keys or zone.name == "pack":
                continue
            for name in self._heights():
                values = sorted(self.chart.tables[name].of_card(self.deck, card) for card in self.game.cards)
                for how, test in (
                    ("high", f">= {values[len(values) * 2 // 3]}"),
                    ("low", f"<= {values[len(values) // 3]}"),
                ):
                    if zone.ordered:
                        text = f"!empty({zone.name}) & {name}(top({zone.name})) {test}"
                        yield from self._said(f"when {_tall(how, name)} lies on top of the {words(zone.name)}", text, 2)
                    else:
                        text = f"some(cc1 in {zone.name} with {name}(cc1) {test})"
                        yield from self._said(f"when {_tall(how, name)} lies {_in(zone.name)}", text, 2)

    def _empty(self, target: Expr) -> Expr | None:
        zone = self.chart.zones[target.name or ""]
        if zone.name in ("hand", "pack") or (zone.keys and not zone.per_player):
            return None
        name = zone.name
        return self.read(f"!some(pp1 in players with count({name}(pp1)) > 0)" if zone.per_player else f"empty({name})")

    def _has_leads(self) -> bool:
        return bool(re.search("lead|led\\b", " ".join((*self.chart.variables, *self.chart.charts)), re.IGNORECASE))


def _tall(how: str, table: str) -> str:
    """A card that is high or low in a table: `a high card`, `a card with a low power`, `a card with many points`."""
    if table == "rankValue":
        return f"a {how} card"
    many = {"high": "many", "low": "few"}[how] if words(table).endswith("s") else f"a {how}"
    return f"a card with {many} {words(table)}"


def _tallest(how: str, table: str) -> str:
    """The highest or the lowest of my cards in a table."""
    if table == "rankValue":
        return f"your {how} card"
    most = {"highest": "most", "lowest": "fewest"}[how] if words(table).endswith("s") else how
    return f"your card with the {most} {words(table)}"


def _in(zone: str) -> str:
    """Where a card lies: `in the discards`, `on the board`."""
    return f"{'on' if words(zone).endswith(('board', 'table', 'stack', 'pile')) else 'in'} the {words(zone)}"


def _card_first(expr: Expr) -> Expr:
    """A comparison with the card on its left side."""
    if expr.op in _TURNED and CARD not in expr.args[0].walk():
        return Expr(_TURNED[expr.op], expr.type, expr.args[::-1])
    return expr


def _suit_words(name: str) -> str:
    """A variable that has a suit: `trump suit`, `trumps`, `suit led`."""
    said = words(name)
    if said == "led":
        return "suit led"
    return said if "suit" in said or said.endswith("s") else f"{said} suit"


def of_suit(name: str) -> str:
    """A card of the suit that a variable has: `a trump`, `a card of the suit led`."""
    said = _suit_words(name)
    return with_article(said.removesuffix("s")) if said.endswith("s") and " " not in said else f"a card of the {said}"


def _conditions_after(
    chart: fc.Flowchart, after: Mapping[int, tuple[int, ...]], node: Node, statement: fc.Play | fc.Pick
) -> Iterator[Expr]:
    """What diamonds ask between a decision and the next one, said by the card and the position before it."""
    source, target = statement.source, statement.target
    mine = {statement.player: ME}
    held, put = replaced(source, mine), replaced(target, mine)
    single = Expr("single", Type.CARDS, (CARD,))
    start: dict[Expr, Expr | None] = {
        statement.player: ME,
        Expr("top", Type.CARD, (put,)): CARD,
        Expr("theCard", Type.CARD, (put,)): CARD,
        put: Expr("union", Type.CARDS, (put, single)),
        held: Expr("except", Type.CARDS, (held, single)),
    }
    if node.next is None:
        return
    seen: set[int] = set()
    pending = [(node.next, start)]
    while pending and len(seen) < _AHEAD:
        number, known = pending.pop(0)
        if number in seen:
            continue
        seen.add(number)
        here = chart.nodes[number]
        if here.is_decision or isinstance(here.statement, fc.Gather):
            continue
        if here.condition is not None:
            condition = _said_before(here.condition, mine, known)
            if condition is not None:
                yield condition
        pending += [(to, _changed(here.statement, mine, known)) for to in after.get(number, ())]


def _said_before(expr: Expr, mine: Mapping[Expr, Expr], known: Mapping[Expr, Expr | None]) -> Expr | None:
    """An expression by the position before; None where that is not known."""
    if any(known.get(Expr(part.op, part.type, name=part.name), part) is None for part in expr.walk()):
        return None
    variables = {key: value for key, value in known.items() if value is not None and key.op == "variable"}
    others = {key: value for key, value in known.items() if value is not None and key.op != "variable"}
    return replaced(replaced(expr, {**mine, **variables}), others)


def _changed(
    statement: fc.Statement | None, mine: Mapping[Expr, Expr], known: dict[Expr, Expr | None]
) -> dict[Expr, Expr | None]:
    """What is known after a statement."""
    match statement:
        case fc.Assign(target=fc.VariableRef(name=name, player=None), value=value):
            variable = Expr("variable", value.type, name=name)
            chance = any(part.op == "random" for part in value.walk())
            return {**known, variable: None if chance else _said_before(value, mine, known)}
        case fc.Assign(target=fc.VariableRef(name=name), value=value):
            return {**known, Expr("playerVariable", value.type, name=name): None}
        case fc.Move(source=source, target=target):
            lost = {Expr("zone", Type.CARDS, name=zone.name): None for zone in (source, target)}
            return {**known, **lost}
    return known
