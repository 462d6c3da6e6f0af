"""What can be said about a move in the chart's own vocabulary: the candidates for heuristics measured by play.

For every decision of a chart there are conditions on the move (the card or the cards that are played, picked or taken,
the value chosen) and on the situation, each an expression of the chart's language with its words. Its locals are `me`
and the move: `card`, `chosen` (a set of cards) or `value`. All are about what the deciding seat sees
(`language/sight.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, permutations

from fcdl.heuristics.choices import rank_words, suit_words
from fcdl.heuristics.english import with_article
from fcdl.heuristics.set_features import SetFeatures, lifted
from fcdl.heuristics.symbols import ME, conjunction, flattened, negated
from fcdl.heuristics.vocabulary import (
    CARD,
    SET,
    Feature,
    Vocabulary,
    is_card_language,
    lying_in,
    of_suit,
    replaced,
    words,
)
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import Expr, Node, Type, Visibility
from fcdl.language.saying import answer_words
from fcdl.language.sight import hidden_part
from fcdl.model.game import Game

_SPOKEN = Expr("local", Type.CARD, name="myCard")
_LARGEST = 120
_AHEAD = 30
_LOOP_NAMES = re.compile(r"turn|[a-z]\d?")
_NUMBERS = 12
_COUNTED = 6
_SEEN_IN_PLAY = ("zone", "playerVariable", "variable", "cardsRemaining")
_POKER_HANDS = ("a pair or better", "two pairs or better", "three of a kind or better", "a straight or better")
_MIDDLE = re.compile(r"the middle of the (?:player of the )?([\w ]+?)(?=$|,| and | or | is )")
_TURNED = {"less": "greater", "greater": "less", "lessEqual": "greaterEqual", "greaterEqual": "lessEqual",
           "equal": "equal", "notEqual": "notEqual"}  # fmt: skip

CardDecision = fc.Play | fc.Pick | fc.TakeSet


@dataclass(frozen=True, slots=True)
class Decision:
    """A node at which a player decides, what can be said of its moves, and of the situations in which it comes."""

    node: Node
    moves: tuple[Feature, ...]
    situations: tuple[Feature, ...]
    leading: Expr | None
    """Whether no card has been played to where cards go from here."""
    numbers: tuple[Feature, ...] = ()
    """What the chart counts of the player or the table; from how many on it matters, play must show."""

    @property
    def statement(self) -> fc.Decision:
        """The decision."""
        statement = self.node.statement
        assert isinstance(statement, fc.Decision)
        return statement

    @property
    def parameter(self) -> Expr:
        """The move as a local of the features."""
        match self.statement:
            case fc.Choose():
                return Expr("local", self.kind, name="value")
            case fc.TakeSet():
                return SET
        return CARD

    @property
    def kind(self) -> Type:
        """The type of what is decided."""
        found = next((part.type for move in self.moves for part in move.expr.walk() if part.name == "value"), None)
        return found or Type.CARD

    @property
    def may_pass(self) -> bool:
        """Whether one may pass."""
        return isinstance(self.statement, fc.Play | fc.TakeSet) and self.statement.may_pass


def decisions(game: Game) -> tuple[Decision, ...]:
    """The decisions of a game's chart."""
    reader, nodes = _Reader(game), game.flowchart.nodes.values()
    return tuple(reader.decision(node) for node in nodes if node.is_decision)


class _Reader(Vocabulary):
    """Finds the features of the decisions of one game."""

    def decision(self, node: Node) -> Decision:
        """One decision with its features."""
        statement = node.statement
        assert isinstance(statement, fc.Decision)
        put, leading = {statement.player: ME}, None
        match statement:
            case fc.Choose():
                kind = self.chart.variables[statement.target.name].type
                moves = self._values(node, kind)
            case fc.TakeSet():
                kind, moves = Type.CARDS, self._sets(node, statement)
            case fc.Play() | fc.Pick():
                kind, moves = Type.CARD, self._cards(node, statement)
        if not isinstance(statement, fc.Choose):
            leading = self._empty(self._landing(node, statement)) if self._has_leads() else None
            mine = put[Expr("local", Type.CARDS, name="mine")] = replaced(statement.source, put)
        if isinstance(statement, fc.Play | fc.Pick):
            legal = Expr("intersect", Type.CARDS, (mine, replaced(statement.cards, put)))
            put[Expr("local", Type.CARDS, name="legal")] = legal
        return Decision(
            node,
            tuple(self._seen(moves, put)),
            tuple(self._seen(self._situations(node, kind), put)),
            leading,
            tuple(self._seen(self._numbers(), put))[:_COUNTED],
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

    # Cards

    def _cards(self, node: Node, statement: fc.Play | fc.Pick) -> Iterator[Feature]:
        for name in self.heights:
            yield from self._height(name)
        yield from self._kinds()
        for phrase, card in self.named_cards():
            yield Feature(phrase, Expr("equal", Type.BOOL, (CARD, card)), 2)
        yield from self._by_variables(node)
        yield from self._in_hand()
        yield from self._on_table(statement.target)
        yield from self._defined(Type.CARD)
        yield from self._kept(statement)
        yield from self._asked(node, statement)
        yield from self._takes(node, statement)

    def _sets(self, node: Node, statement: fc.TakeSet) -> Iterator[Feature]:
        """What there is to say of sets, and how many of their cards are what there is to say of a card."""
        yield from SetFeatures(self).find(statement)
        cards = (self._kinds(), self._by_variables(node), self._on_table(statement.target), self._defined(Type.CARD))
        yield from lifted(chain(*cards))

    def _kinds(self) -> Iterator[Feature]:
        for suit in self.suits():
            yield from self.said(with_article(suit.removesuffix("s")), f"suit(card) == {suit}", 2)
        for rank in self.ranks():
            yield from self.said(with_article(rank), f"rank(card) == {rank}", 3)

    def _height(self, name: str) -> Iterator[Feature]:
        values = self.values(name)
        if values[0] == values[-1]:
            return
        high, low = values[len(values) * 2 // 3], values[(len(values) - 1) // 3]
        plain, kind = name == self.heights[0], self.counted(name)
        size = 1 if plain else 3
        if not plain and values[0] == 0 == values[len(values) // 3]:
            yield from self.said(f"a card with {kind}", f"{name}(card) > 0", 2)
        if low < high:
            yield from self.said(self.tall("high", name), f"{name}(card) >= {high}", size)
            yield from self.said(self.tall("low", name), f"{name}(card) <= {low}", size)
        each = f"{name}(cc1) for cc1 in legal"
        yield from self.said(self.tallest("highest", name), f"{name}(card) == max({each})", size + 1)
        yield from self.said(self.tallest("lowest", name), f"{name}(card) == min({each})", size + 1)

    def _by_variables(self, node: Node) -> Iterator[Feature]:
        for variable in self.variables(node):
            name = variable.name
            if variable.type is Type.SUIT:
                yield from self.said(of_suit(self.chart, name), f"suit(card) == {name}", 1)
            elif variable.type is Type.RANK:
                yield from self.said(f"a card of the {rank_words(self.chart, name)}", f"rank(card) == {name}", 1)
            elif variable.type is Type.CARD:
                for part in ("suit", "rank"):
                    text = f"{part}(card) == {part}({name})"
                    yield from self.said(f"a card of the {part} of the {words(self.chart, name)}", text, 2)

    def _in_hand(self) -> Iterator[Feature]:
        suit, rank = "count(intersect(mine, card(any, suit(card))))", "count(intersect(mine, card(rank(card), any)))"
        longest = "max(count(intersect(mine, card(any, ss1))) for ss1 in suits)"
        order = self.heights[0]
        near = f"suit(cc1) == suit(card) & abs({order}(cc1) - {order}(card)) == 1"
        if len(self.deck.suits) > 1:
            yield from self.said("your only card of its suit", f"{suit} == 1", 2)
            yield from self.said("a card of your longest suit", f"{suit} == {longest}", 2)
        yield from self.said("a card whose rank you hold twice or more", f"{rank} > 1", 2)
        yield from self.said("a card next to another of its suit in your hand", f"some(cc1 in mine with {near})", 4)

    def _on_table(self, target: Expr) -> Iterator[Feature]:
        for zone in self.chart.zones.values():
            if zone.visibility is not Visibility.ALL or zone.name in ("pack", "stack", "middle"):
                continue
            if (zone.per_player and zone.name == target.name) or (zone.keys and not zone.per_player):
                continue
            place = f"{zone.name}(me)" if zone.per_player else zone.name
            where = f"{'your' if zone.per_player else 'the'} {words(self.chart, zone.name)}"
            lies = f"in {where}" if zone.per_player else lying_in(self.chart, zone.name)
            text = f"some(cc1 in {place} with rank(cc1) == rank(card))"
            yield from self.said(f"a card whose rank lies {lies}", text, 3)
            if zone.ordered:
                for part in ("suit", "rank"):
                    text = f"{part}(card) == {part}(top({place}))"
                    yield from self.said(f"a card of the {part} of the top card of {where}", text, 3)

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

    def _kept(self, statement: fc.Play | fc.Pick) -> Iterator[Feature]:
        """What the chart counts of the cards that are left in hand without the card."""
        left = Expr("except", Type.CARDS, (Expr("local", Type.CARDS, name="mine"), Expr("single", Type.CARDS, (CARD,))))
        hand = Expr("zone", Type.CARDS, (ME,), name="hand")
        for item in self.definitions if statement.source.name == "hand" else ():
            if len(item.parameters) == 1:
                for feature in self.said("", f"{item.name}(hand(me))", 2, wanted=Type.INT):
                    said = words(self.chart, item.name).removesuffix(" of")
                    yield Feature(f"each one more in {said} that you keep", replaced(feature.expr, {hand: left}), 3)

    def _asked(self, node: Node, statement: fc.Play | fc.Pick) -> Iterator[Feature]:
        """The diamonds' conditions that follow, with the card where it will lie then."""
        for here, known in self._ahead(node, statement):
            if here.condition is None:
                continue
            condition = _said_before(here.condition, {statement.player: ME}, known)
            if condition is None:
                continue
            whole = (
                [condition] if condition.op not in ("and", "or") else [condition, *flattened(condition.op, condition)]
            )
            for part in whole:
                if CARD in part.walk():
                    yield from self._condition(part, 3)

    def _takes(self, node: Node, statement: fc.Play | fc.Pick) -> Iterator[Feature]:
        """Which cards can be taken with the card, if the player is asked for that next."""
        for here, known in self._ahead(node, statement):
            take = here.statement
            if not isinstance(take, fc.TakeSet) or take.word != "take" or take.player != statement.player:
                continue
            if take.sets.op != "those" or take.sets.args[0].op != "subsets":
                continue
            for phrase, more, size in self._catches(take):
                domain, condition = take.sets.args
                some = Expr("some", Type.BOOL, (domain, conjunction([condition, *more])), name=take.sets.name)
                expr = _said_before(some, {statement.player: ME}, known)
                if expr is not None:
                    yield Feature(f"a card that takes {phrase}", expr, size)

    def _catches(self, take: fc.TakeSet) -> Iterator[tuple[str, list[Expr], int]]:
        """What sets to take can be like, by conditions on them: the chart's own cards, suits and ranks."""
        chosen = Expr("local", Type.CARDS, name=take.sets.name)
        number = Expr("count", Type.INT, (chosen,))
        yield "something", [], 1
        yield "two cards or more", [Expr("greater", Type.BOOL, (number, Expr("const", Type.INT, value=1)))], 2
        yield "everything", [Expr("equal", Type.BOOL, (number, Expr("count", Type.INT, (take.source,))))], 2
        for phrase, card in self.named_cards():
            yield phrase, [Expr("member", Type.BOOL, (card, chosen))], 2
        exprs = [expr for node in self.chart.nodes.values() for expr in node.exprs()]
        constants = {part for expr in exprs for part in expr.walk() if part.op == "const" and (part.value or 0) >= 0}
        for kind, names in ((Type.SUIT, self.deck.suits), (Type.RANK, self.deck.ranks)):
            for one in sorted((part for part in constants if part.type is kind), key=lambda part: part.value or 0):
                any_ = Expr("const", Type.RANK if kind is Type.SUIT else Type.SUIT, value=fc.ANY)
                cards = Expr("template", Type.CARDS, (any_, one) if kind is Type.SUIT else (one, any_))
                none = Expr("empty", Type.BOOL, (Expr("intersect", Type.CARDS, (chosen, cards)),))
                yield with_article(names[one.value or 0].removesuffix("s")), [negated(none)], 3

    def _landing(self, node: Node, statement: CardDecision) -> Expr:
        """Where a card lies in the end that is played: the chart may move it on at once, to where all can see it."""
        for here, _ in self._ahead(node, statement):
            move = here.statement
            if isinstance(move, fc.Move) and move.by is fc.MoveBy.ALL and move.source == statement.target:
                zone = self.chart.zones[move.target.name or ""]
                if zone.visibility is Visibility.ALL and not zone.keys and zone.name != "stack":
                    return move.target
        return statement.target

    def _ahead(self, node: Node, statement: CardDecision) -> Iterator[tuple[Node, Known]]:
        """The nodes up to the next decision, that included, each with what is known there by the move."""
        if isinstance(statement, fc.Pick) and statement.number.value != 1:
            return
        mine = {statement.player: ME}
        held, put = replaced(statement.source, mine), replaced(statement.target, mine)
        chosen = SET if isinstance(statement, fc.TakeSet) else Expr("single", Type.CARDS, (CARD,))
        start: dict[Expr, Expr | None] = {
            statement.player: ME,
            put: Expr("union", Type.CARDS, (put, chosen)),
            held: Expr("except", Type.CARDS, (held, chosen)),
        }
        if not isinstance(statement, fc.TakeSet):
            start |= {Expr(op, Type.CARD, (put,)): CARD for op in ("top", "theCard")}
        if node.next is None:
            return
        seen: set[int] = set()
        pending: list[tuple[int, Known]] = [(node.next, start)]
        while pending and len(seen) < _AHEAD:
            number, known = pending.pop(0)
            if number in seen:
                continue
            seen.add(number)
            here = self.chart.nodes[number]
            if isinstance(here.statement, fc.Gather):
                continue
            yield here, known
            if not here.is_decision:
                pending += [(to, _changed(here.statement, mine, known)) for to in self.after.get(number, ())]

    def _condition(self, expr: Expr, size: int) -> Iterator[Feature]:
        """A condition on the card, and its opposite if that is shorter to say."""
        first = _card_first(expr)
        compound = first.op in ("and", "or")
        for test, extra in ((first, 2),) if compound else ((first, 0), (negated(first), 1)):
            try:
                said = self.speaker.card_that(replaced(test, {CARD: _SPOKEN}), _SPOKEN)
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
                    yield from self.said(str(number), f"value == {number}", 2, kind)
                    yield from self.said(f"{number} or less", f"value <= {number}", 2, kind)
                    yield from self.said(f"{number} or more", f"value >= {number}", 2, kind)
            case Type.BOOL:
                yield from self.said("yes", "value", 1, kind)
            case Type.WORD:
                for number, word in enumerate(self.chart.words):
                    local, said = Expr("local", kind, name="value"), answer_words(self.chart, node, word)
                    yield Feature(said, Expr("equal", Type.BOOL, (local, Expr("const", kind, value=number))), 1)
            case Type.SUIT | Type.RANK:
                yield from self._suit_or_rank(kind)
            case Type.PLAYER:
                yield from self._players()
            case Type.CARD:
                for name in self.heights:
                    yield from self._height(name)
                yield from self._by_variables(node)
                yield from self._defined(Type.CARD)

    def _suit_or_rank(self, kind: Type) -> Iterator[Feature]:
        name, all_of = str(kind), f"{kind}s"
        held = "count(intersect(hand(me), card({})))".format("any, {}" if kind is Type.SUIT else "{}, any")
        mine = held.format("value")
        most = f"max({held.format('vv1')} for vv1 in {all_of})"
        yield from self.said(f"the {name} that you hold most of", f"{mine} == {most}", 1, kind)
        yield from self.said(f"a {name} that you hold twice or more", f"{mine} > 1", 1, kind)
        yield from self.said(f"a {name} that you do not hold", f"{mine} == 0", 1, kind)
        for one in self.deck.suits if kind is Type.SUIT else self.deck.ranks:
            yield from self.said(one, f"value == {one}", 2, kind)

    def _players(self) -> Iterator[Feature]:
        kind = Type.PLAYER
        yield from self.said("yourself", "value == me", 1, kind)
        if self.game.players > 2:
            yield from self.said("the next player", "value == next(me)", 1, kind)
            yield from self.said("the player before you", "value == previous(me)", 2, kind)
            if self.chart.teams:
                yield from self.said("a partner", "sameTeam(value, me) & value != me", 1, kind)
            for how, word in (("max", "most"), ("min", "fewest")):
                text = f"count(hand(value)) == {how}(count(hand(pp1)) for pp1 in players with pp1 != me)"
                yield from self.said(f"the player with the {word} cards", text, 2, kind)
            for how, word in (("max", "highest"), ("min", "lowest")):
                text = f"score(value) == {how}(score(pp1) for pp1 in players with pp1 != me)"
                yield from self.said(f"the player with the {word} score", text, 2, kind)

    # Situations

    def _situations(self, node: Node, kind: Type) -> Iterator[Feature]:
        statement = node.statement
        assert isinstance(statement, fc.Decision)
        for variable in self.variables(node):
            if _LOOP_NAMES.fullmatch(variable.name):
                continue
            who = Expr("variable", variable.type, name=variable.name)
            if variable.type is Type.PLAYER and who != statement.player:
                yield from self.said(f"when you are the {words(self.chart, variable.name)}", f"{variable.name} == me")
        if isinstance(statement, fc.Choose):
            yield from self._hands(node)
            return
        target = self._landing(node, statement)
        leading = self._empty(target)
        if leading is not None and not self._has_leads():
            open_zone = not self.chart.zones[target.name or ""].keys
            lies = f"lies {lying_in(self.chart, target.name or '')}" if open_zone else "has been played yet"
            yield Feature(f"when nothing {lies}", leading, 1)
        if statement.source.name == "hand":
            yield from self.said("with at most two cards left", "count(mine) <= 2", 2)
        if isinstance(statement, fc.TakeSet):
            few = "some(pp1 in players with pp1 != me & count(hand(pp1)) <= 2)"
            yield from self.said("when another player has at most two cards left", few, 3)

    def _hands(self, node: Node) -> Iterator[Feature]:
        """What a player has in hand who chooses something."""
        values = sorted(self.chart.tables["rankValue"].of_card(self.deck, card) for card in self.game.cards)
        high = values[len(values) * 3 // 4]
        for number, many in ((1, "a high card"), (2, "two high cards or more"), (4, "four high cards or more")):
            text = f"count(cc1 in hand(me) with rankValue(cc1) >= {high}) >= {number}"
            yield from self.said(f"with {many}", text, number)
        pair = "some(rr1 in ranks with count(intersect(hand(me), card(rr1, any))) > 1)"
        yield from self.said("with two cards of one rank", pair, 1)
        long = max(2, round(len(self.game.cards) / len(self.deck.suits) / 3))
        yield from self.said(
            f"with {long} cards or more of one suit",
            f"some(ss1 in suits with count(intersect(hand(me), card(any, ss1))) >= {long})",
            2,
        )
        for zone in self.chart.zones.values():
            if zone.visibility is Visibility.ALL and not zone.keys and zone.name not in ("pack", "stack"):
                text = f"some(cc1 in hand(me) with some(cc2 in {zone.name} with rank(cc1) == rank(cc2)))"
                yield from self.said(f"with a card whose rank lies {lying_in(self.chart, zone.name)}", text, 2)
        yield from self._open_cards()
        for variable in self.variables(node):
            if variable.type is Type.SUIT:
                text = f"count(intersect(hand(me), card(any, {variable.name}))) >= {long}"
                yield from self.said(
                    f"with {long} cards or more of the {suit_words(self.chart, variable.name)}", text, 2
                )

        for number, hand in enumerate(_POKER_HANDS, start=1):
            text = f"{self._poker_class} >= {number}" if self._poker_class else ""
            yield from self.said(f"with {hand}", text, 1) if text else ()

    @cached_property
    def _poker_class(self) -> str:
        """The class of a player's poker hand, with what lies open, in a chart that knows such hands."""
        parts = (part.op for node in self.chart.nodes.values() for expr in node.exprs() for part in expr.walk())
        if not {"pokerValue", "pokerClass"}.intersection(parts):
            return ""
        shared = [zone.name for zone in self.chart.zones.values() if zone.visibility is Visibility.ALL]
        zones = [name for name in shared if not self.chart.zones[name].keys and name not in ("pack", "stack")]
        cards = ", ".join(("hand(me)", *zones))
        return f"pokerClass(union({cards}))" if zones else f"pokerClass({cards})"

    def _numbers(self) -> Iterator[Feature]:
        """The numbers that the chart defines: of nothing, of a player, of the cards in a place of the player."""
        places = {"hand(me)": "your {}"}
        for zone in self.chart.zones.values():
            if zone.per_player and len(zone.keys) == 1 and zone.name not in ("hand", "middle"):
                places[f"{zone.name}(me)"] = f"the {{}} of your {words(self.chart, zone.name)}"
        for item in self.definitions:
            said = words(self.chart, item.name).removesuffix(" of")
            if not item.parameters:
                for feature in self.said(f"the {said}", item.name, 2, wanted=Type.INT):
                    if any(part.op in _SEEN_IN_PLAY for part in feature.expr.walk()):
                        yield feature
            if len(item.parameters) == 1:
                for place, phrase in places.items():
                    yield from self.said(phrase.replace("{}", said), f"{item.name}({place})", 2, wanted=Type.INT)
                yield from self.said(f"your {said}", f"{item.name}(me)", 2, wanted=Type.INT)

    def _open_cards(self) -> Iterator[Feature]:
        """How high the cards are that lie where everybody sees them."""
        for zone in self.chart.zones.values():
            if zone.visibility is not Visibility.ALL or zone.keys or zone.name == "pack":
                continue
            for name in self.heights:
                values = self.values(name)
                for how, test in (
                    ("high", f">= {values[len(values) * 2 // 3]}"),
                    ("low", f"<= {values[len(values) // 3]}"),
                ):
                    if zone.ordered:
                        text = f"!empty({zone.name}) & {name}(top({zone.name})) {test}"
                        lies = f"lies on top of the {words(self.chart, zone.name)}"
                        yield from self.said(f"when {self.tall(how, name)} {lies}", text, 2)
                    else:
                        text = f"some(cc1 in {zone.name} with {name}(cc1) {test})"
                        yield from self.said(
                            f"when {self.tall(how, name)} lies {lying_in(self.chart, zone.name)}", text, 2
                        )

    def _empty(self, target: Expr) -> Expr | None:
        zone = self.chart.zones[target.name or ""]
        if zone.name in ("hand", "pack") or (zone.keys and not zone.per_player):
            return None
        name = zone.name
        return self.read(f"!some(pp1 in players with count({name}(pp1)) > 0)" if zone.per_player else f"empty({name})")

    def _has_leads(self) -> bool:
        return bool(re.search("lead|led\\b", " ".join((*self.chart.variables, *self.chart.charts)), re.IGNORECASE))


def _card_first(expr: Expr) -> Expr:
    """A comparison with the card on its left side."""
    if expr.op in _TURNED and CARD not in expr.args[0].walk():
        return Expr(_TURNED[expr.op], expr.type, expr.args[::-1])
    return expr


Known = dict[Expr, Expr | None]
"""Expressions by the position before a move; None where that is not known."""


def _said_before(expr: Expr, mine: Mapping[Expr, Expr], known: Known) -> Expr | None:
    """An expression by the position before; None where that is not known."""
    if any(known.get(Expr(part.op, part.type, name=part.name), part) is None for part in expr.walk()):
        return None
    variables = {key: value for key, value in known.items() if value is not None and key.op == "variable"}
    others = {key: value for key, value in known.items() if value is not None and key.op != "variable"}
    return replaced(replaced(expr, {**mine, **variables}), others)


def _changed(statement: fc.Statement | None, mine: Mapping[Expr, Expr], known: Known) -> Known:
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
