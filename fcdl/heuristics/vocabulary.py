"""The words in which a chart's moves and situations are described, and how they are read as expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from fcdl.heuristics.choices import suit_words
from fcdl.heuristics.definitions import Definitions
from fcdl.heuristics.derive import Heuristics
from fcdl.heuristics.english import PARTICIPLES, counted, done_to, is_plural, named, with_article
from fcdl.heuristics.speech import Speaker
from fcdl.language import flowchart as fc
from fcdl.language import tree
from fcdl.language.diagnostics import ChartError
from fcdl.language.expression import read_expression
from fcdl.language.flow import live_variables, through_calls
from fcdl.language.flowchart import Expr, Flowchart, Node, Type
from fcdl.model.game import Game

CARD = Expr("local", Type.CARD, name="card")
SET = Expr("local", Type.CARDS, name="chosen")
"""The move as a local of the features: a card, a set of cards (or a value, whose type the chart says)."""
_SYNTAX = re.compile(r"[(){}\[\]_=<>!&|#*“”\"]|[a-z][A-Z]|\bnone\b|\btrue\b|\bfalse\b")
_LONGEST = 90


@dataclass(frozen=True, slots=True)
class Feature:
    """Something that holds (1) or not (0) of a move, or of a situation; or a number that it has.

    `phrase` says it: of a move what is played (`a low card`; of a number, `each card more`), of a situation when that
    is (`when you are the leader`).
    """

    phrase: str
    expr: Expr
    size: int
    """How much there is to understand."""


def words(chart: Flowchart, name: str) -> str:
    """What a thing of the chart is called inside a sentence, without the number of a series."""
    return named(chart, name).rstrip("0123456789") or name


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


def lying_in(chart: Flowchart, zone: str) -> str:
    """Where a card lies: `in the discards`, `on the board`, `among the cards drawn`."""
    done = done_to(chart, zone, PARTICIPLES)
    if done in PARTICIPLES:
        return f"among the cards {done}"
    said = words(chart, zone)
    return f"{'on' if said.endswith(('board', 'table', 'stack', 'pile')) else 'in'} the {said}"


def of_suit(chart: Flowchart, name: str) -> str:
    """A card of the suit that a variable has: `a trump`, `a card of the suit led`."""
    said = suit_words(chart, name)
    return with_article(said.removesuffix("s")) if said.endswith("s") and " " not in said else f"a card of the {said}"


class Vocabulary:
    """What a chart has words for."""

    def __init__(self, game: Game) -> None:
        self.game, self.chart = game, game.flowchart
        self.deck = self.chart.deck
        self.speaker = plain_speaker(game)
        self.after = through_calls(self.chart)
        self.live = live_variables(self.chart.nodes, self.after)
        self.read = cache(self._read)
        self.definitions = [item for item in self.chart.document.header if isinstance(item, tree.Define)]

    def _read(self, text: str, kind: Type = Type.CARD, wanted: Type = Type.BOOL) -> Expr | None:
        """An expression about a move; None where the chart has no such thing."""
        given = {"me": Type.PLAYER, "mine": Type.CARDS, "legal": Type.CARDS}
        given[str({Type.CARD: CARD.name, Type.CARDS: SET.name}.get(kind, "value"))] = kind
        try:
            return read_expression(self.chart, text, given, wanted=wanted)
        except ChartError:
            return None

    def said(
        self, phrase: str, text: str, size: int = 1, kind: Type = Type.CARD, wanted: Type = Type.BOOL
    ) -> Iterator[Feature]:
        """A feature, if the chart has such a thing."""
        expr = self.read(text, kind, wanted)
        if expr is not None:
            yield Feature(phrase, expr, size)

    # Tables

    @cached_property
    def heights(self) -> list[str]:
        """The tables by which cards are compared, first that by which they are simply high and low."""
        used = {part.name for node in self.chart.nodes.values() for e in node.exprs() for part in e.walk()
                if part.op == "table"}  # fmt: skip
        names = [name for name in self.chart.tables if name in used]
        orders = [name for name in names if self._is_order(name)]
        first = "rankValue" if "rankValue" in used or not orders else orders[0]
        alike = [name for name in orders if self._ranking(name) == self._ranking(first)]
        return [first, *(name for name in names if name != first and name not in alike)]

    def values(self, table: str) -> list[int]:
        """What the cards of the game have in a table, in order."""
        return sorted(self.chart.tables[table].of_card(self.deck, card) for card in self.game.cards)

    def _is_order(self, table: str) -> bool:
        """Whether a table puts the ranks in an order."""
        of = self.chart.tables[table].of_card
        pairs = {(self.deck.rank_of(card), of(self.deck, card)) for card in self.game.cards}
        return len({rank for rank, _ in pairs}) == len(pairs) == len({value for _, value in pairs})

    def _ranking(self, table: str) -> list[int]:
        of = self.chart.tables[table].of_card
        return sorted(self.game.cards, key=lambda card: (of(self.deck, card), card))

    def counted(self, table: str) -> str:
        """What cards have in a table, without the number of a series."""
        return counted(self.chart, table).rstrip("0123456789") or table

    def tall(self, how: str, table: str) -> str:
        """A card that is high or low in a table: `a high card`, `a card with a low power`, `... with many points`."""
        if table == self.heights[0]:
            return f"a {how} card"
        said = self.counted(table)
        many = {"high": "many", "low": "few"}[how] if is_plural(said) else f"a {how}"
        return f"a card with {many} {said}"

    def tallest(self, how: str, table: str) -> str:
        """The highest or the lowest of my cards in a table."""
        if table == self.heights[0]:
            return f"your {how} card"
        said = self.counted(table)
        most = {"highest": "most", "lowest": "fewest"}[how] if is_plural(said) else how
        return f"your card with the {most} {said}"

    # Cards and variables

    def named_cards(self) -> Iterator[tuple[str, Expr]]:
        """The cards that the chart calls by their names."""
        named = {
            part.value
            for node in self.chart.nodes.values()
            for expr in node.exprs()
            for part in expr.walk()
            if part.op == "const" and part.type is Type.CARD and part.value is not None and part.value >= 0
        }
        for card in sorted(named):
            rank, suit = self.deck.ranks[self.deck.rank_of(card)], self.deck.suits[self.deck.suit_of(card)]
            yield f"the {rank} of {suit}", Expr("const", Type.CARD, value=card)

    def suits(self) -> list[str]:
        """The suits that there are cards of."""
        return [self.deck.suits[suit] for suit in dict.fromkeys(self.deck.suit_of(card) for card in self.game.cards)]

    def ranks(self) -> list[str]:
        """The ranks that there are cards of."""
        return [self.deck.ranks[rank] for rank in dict.fromkeys(self.deck.rank_of(card) for card in self.game.cards)]

    def variables(self, node: Node) -> list[fc.Variable]:
        """The variables that still say something there."""
        every = self.chart.variables.values()
        return [one for one in every if not one.keys and one.name in self.live.get(node.number, ())]
