"""What can be said about a set of cards that is played or taken at once, in the chart's own vocabulary.

A number (`each card more`, `each diamond`) says more of sets than a condition does: most features here are numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from fcdl.heuristics.english import with_article
from fcdl.heuristics.vocabulary import CARD, SET, Feature, Vocabulary, replaced, words
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import Expr, Type

_ELEMENT = Expr("local", Type.CARD, name="cc0")
_SIZES = {2: "two", 3: "three", 4: "four", 5: "five"}


class SetFeatures:
    """Finds the features of the decisions for sets; in their texts `chosen` is the set, `mine` whence it comes."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    def find(self, statement: fc.TakeSet) -> Iterator[Feature]:
        """All of them, also such as the chart cannot say or the player cannot see."""
        held = statement.source.name == "hand"
        yield from self._sizes(held)
        for table in self.vocabulary.heights:
            yield from self._heights(table, held)
        yield from self._named_cards()
        yield from self._melds(held)
        yield from self._defined()

    def _is(self, phrase: str, text: str, size: int) -> Iterator[Feature]:
        yield from self.vocabulary.said(phrase, text, size, Type.CARDS)

    def _each(self, phrase: str, text: str, size: int) -> Iterator[Feature]:
        """A number: what each one of it is worth."""
        yield from self.vocabulary.said(f"each {phrase}", text, size, Type.CARDS, Type.INT)

    def _sizes(self, held: bool) -> Iterator[Feature]:
        yield from self._each("card more", "count(chosen)", 1)
        everything = "all your cards" if held else "everything that lies there"
        yield from self._is(everything, "count(chosen) == count(mine)", 1)
        yield from self._is("a single card", "count(chosen) == 1", 2)
        for number, word in _SIZES.items():
            yield from self._is(f"{word} cards", f"count(chosen) == {number}", 3)

    def _heights(self, table: str, held: bool) -> Iterator[Feature]:
        values = self.vocabulary.values(table)
        high, low = values[len(values) * 2 // 3], values[(len(values) - 1) // 3]
        first = table == self.vocabulary.heights[0]
        said, size = self.vocabulary.counted(table), 1 if first else 3
        if low < high:
            for how, test in (("high", f">= {high}"), ("low", f"<= {low}")):
                cards = self.vocabulary.tall(how, table).removeprefix("a ").replace("card", "cards", 1)
                yield from self._is(cards, f"every(cc1 in chosen with {table}(cc1) {test})", size)
        highest = f"max({table}(cc1) for cc1 in chosen)"
        if first:
            yield from self._each("rank higher", highest, 3)
            if held:
                yield from self._is("your highest cards", f"{highest} == max({table}(cc1) for cc1 in mine)", 2)
                yield from self._is("your lowest cards", f"{highest} == min({table}(cc1) for cc1 in mine)", 2)
        else:
            more = f"of the {said}" if said.endswith("s") else f"in {said}"
            yield from self._each(f"one more {more}", f"sum({table}(cc1) for cc1 in chosen)", 3)
            if values[0] == 0 == values[len(values) // 3]:
                yield from self._each(f"card with {said}", f"count(cc1 in chosen with {table}(cc1) > 0)", 2)

    def _named_cards(self) -> Iterator[Feature]:
        for name, card in self.vocabulary.named_cards():
            yield Feature(name, Expr("member", Type.BOOL, (card, SET)), 2)

    def _melds(self, held: bool) -> Iterator[Feature]:
        yield from self._is("cards of one rank", "isGroup(chosen) & count(chosen) > 1", 2)
        yield from self._is("cards of one suit", "isFlush(chosen) & count(chosen) > 1", 3)
        if held:
            kept = "some(cc1 in chosen with some(cc2 in except(mine, chosen) with rank(cc1) == rank(cc2)))"
            yield from self._is("only some of your cards of a rank", kept, 2)
            pairs = "count(rr1 in ranks with count(intersect(except(mine, chosen), card(rr1, any))) > 1)"
            yield from self._each("pair that you keep", pairs, 4)

    def _defined(self) -> Iterator[Feature]:
        """What the chart defines of several cards: whether they are a bomb, how much they have of something."""
        for item in self.vocabulary.definitions:
            if len(item.parameters) not in (1, 2):
                continue
            first, _, rest = words(self.vocabulary.chart, item.name).partition(" ")
            for args in permutations(("chosen", "me"), len(item.parameters)):
                text = f"{item.name}({', '.join(args)})"
                if "chosen" not in args:
                    continue
                yield from self._each(f"one more in {words(self.vocabulary.chart, item.name)}", text, 4)
                if first == "is" and rest:
                    yield from self._is(with_article(rest), text, 2)


def lifted(features: Iterator[Feature]) -> Iterator[Feature]:
    """Conditions on a card as numbers of cards of a set: `a diamond` becomes `each diamond`."""
    for feature in features:
        article, _, noun = feature.phrase.partition(" ")
        if article in ("a", "an"):
            holds = replaced(feature.expr, {CARD: _ELEMENT})
            number = Expr("countOf", Type.INT, (SET, holds), name=_ELEMENT.name)
            yield Feature(f"each {noun}", number, feature.size)
