"""A game as a tree with explicit chance: a shuffle becomes draws card by card, and only as far as cards are drawn.

A question to chance is a shuffle or a `random`. What was answered so far is kept by the place of the question in the
game: the cards drawn of a shuffle from the top, or the number. Whatever is not answered yet is filled in, and the game
is followed to its next decision; if a card that was only filled in has left the pile, or a number was, that is asked
first. So Leduc Poker has 6 × 5 × 4 deals and not the 720 orders of its cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from fcdl.api.game import Game
from fcdl.language.flowchart import (
    Expr,
    Move,
    MoveBy,
    Node,
    Pick,
    Play,
    ShuffleZone,
    TakeSet,
    Visibility,
    statement_exprs,
)
from fcdl.model.events import Event
from fcdl.model.moves import Move as Choice

REMEMBERED = 100_000
"""Nodes of the tree that are kept."""

Answers = tuple[tuple[int, int | tuple[int, ...]], ...]
"""By the place of the question: a number, or the numbers of the cards drawn so far (those of `Tree.codes`)."""


@dataclass(frozen=True, slots=True)
class Question:
    """What chance is asked: which question of the game it is, and the outcomes with their probabilities."""

    place: int
    outcomes: tuple[tuple[int, float], ...]
    is_card: bool


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """Where answers and moves lead: to a question to chance, or to a decision or the end."""

    answers: Answers
    moves: tuple[Choice, ...]
    question: Question | None
    state: Any
    """The engine's state; behind a question it is filled in, and nobody may see it."""
    mover: int | None
    legal: tuple[Choice, ...]
    texts: dict[int, str] = field(default_factory=dict)
    """What players have seen, as text, as far as somebody asked."""

    def __deepcopy__(self, memo: object) -> Point:
        return self


@dataclass(slots=True)
class _Filled:
    """Chance that gives the answers there are and fills in the rest."""

    tree: Tree
    answers: Mapping[int, int | tuple[int, ...]]
    asked: list[tuple[int, ...] | int] = field(default_factory=list)
    """The questions so far: the cards of a shuffle, or the bound of a number."""

    def shuffle(self, cards: Sequence[int]) -> list[int]:
        """The cards drawn so far, then the rest in deck order."""
        drawn = self.answers.get(len(self.asked), ())
        assert isinstance(drawn, tuple)
        self.asked.append(tuple(cards))
        rest, first = list(cards), []
        for number in drawn:
            card = next(card for card in rest if self.tree.code_number(card) == number)
            rest.remove(card)
            first.append(card)
        return first + rest

    def number(self, below: int) -> int:
        """The number, 0 if it is not known yet."""
        answer = self.answers.get(len(self.asked), 0)
        assert isinstance(answer, int)
        self.asked.append(below)
        return answer


class Tree:
    """The tree of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        deck = game.flowchart.deck
        self.codes = tuple(dict.fromkeys(deck.code(card) for card in game.cards))
        self._numbers = {card: self.codes.index(deck.code(card)) for card in game.cards}
        self._looked_into = {zone for zone in game.flowchart.zones if self._is_looked_into(zone)}
        self.reach = lru_cache(REMEMBERED)(self._reach)

    def __deepcopy__(self, memo: object) -> Tree:
        return self

    def code_number(self, card: int) -> int:
        """The number of a card in `codes`."""
        return self._numbers[card]

    def _reach(self, answers: Answers, moves: tuple[Choice, ...]) -> Point:
        """Where these answers of chance and moves lead, in the order in which the game asks for them."""
        chance = _Filled(self, dict(answers))
        engine = self.game.engine
        state = engine.start(chance)
        for move in moves:
            state = engine.apply(state, move, chance)
        question = self._question(chance, engine.events(state))
        return Point(answers, moves, question, state, engine.mover(state), engine.legal(state))

    def after(self, point: Point, action: int) -> Point:
        """Where an outcome of chance or a move, given by its number, leads from a point."""
        question = point.question
        if question is None:
            move = self.game.actions.move(action, point.legal)
            assert move is not None
            return self.reach(point.answers, (*point.moves, move))
        answers = dict(point.answers)
        drawn = answers.get(question.place, ())
        answers[question.place] = (*drawn, action) if question.is_card and isinstance(drawn, tuple) else action
        return self.reach(tuple(sorted(answers.items())), point.moves)

    def _question(self, chance: _Filled, events: Sequence[Event]) -> Question | None:
        """The first thing that was filled in and matters; numbers are asked when all shuffles before are settled."""
        number = next(
            (
                place
                for place, asked in enumerate(chance.asked)
                if isinstance(asked, int) and place not in chance.answers
            ),
            len(chance.asked),
        )
        shuffles = [place for place, asked in enumerate(chance.asked) if not isinstance(asked, int)]
        told = [at for at, event in enumerate(events) if event.kind == "shuffle" and self._asks(event)]
        for place, at in zip(shuffles, told, strict=True):
            cards, drawn = chance.asked[place], chance.answers.get(place, ())
            assert isinstance(cards, tuple)
            assert isinstance(drawn, tuple)
            if place < number and len(drawn) < min(len(cards), self._needed(events[at:])):
                left = Counter(map(self.code_number, cards))
                left.subtract(drawn)
                total = len(cards) - len(drawn)
                outcomes = tuple((code, count / total) for code, count in sorted(left.items()) if count)
                return Question(place, outcomes, is_card=True)
        if number == len(chance.asked):
            return None
        below = chance.asked[number]
        assert isinstance(below, int)
        return Question(number, tuple((value, 1 / below) for value in range(below)), is_card=False)

    def _asks(self, event: Event) -> bool:
        """Whether a shuffle asked chance: one of fewer than two cards does not, but for `Shuffle` itself."""
        return (event.number or 0) > 1 or event.number == len(self.game.cards)

    def _needed(self, events: Sequence[Event]) -> int:
        """How many cards of a shuffle have to be known, by what happened from that shuffle on."""
        zone, size = events[0].source, events[0].number or 0
        assert zone is not None
        if zone.partition("(")[0] in self._looked_into:
            return size
        left = 0
        for event in events[1:]:
            if event.kind == "shuffle" and event.source in (zone, "pack"):
                break
            if event.source == zone and event.target is not None:
                left += 1 if event.number is None else event.number
        return left

    def _is_looked_into(self, zone: str) -> bool:
        """Whether the chart asks more of a zone than how many cards it has and the next ones from its top."""
        chart = self.game.flowchart
        seen = chart.zones[zone].visibility is not Visibility.NOBODY
        return seen or any(_mentions(expr, zone) for node in chart.nodes.values() for expr in _looks(node))


def _looks(node: Node) -> list[Expr]:
    """The expressions of a node that look at cards where they are: all but the piles that cards are taken from."""
    statement = node.statement
    if isinstance(statement, ShuffleZone):
        return []
    if isinstance(statement, Move) and statement.by is not MoveBy.CARDS:
        return [statement.what] if statement.what is not None else []
    found = [] if statement is None else list(statement_exprs(statement))
    if isinstance(statement, Play | Pick | TakeSet | Move):
        found = [expr for expr in found if expr is not statement.target]
    return found if node.condition is None else [*found, node.condition]


def _mentions(expr: Expr, zone: str) -> bool:
    if expr.op in ("count", "empty") and expr.args[0].op == "zone":
        return any(_mentions(part, zone) for part in expr.args[0].args)
    if (expr.op == "zone" and expr.name == zone) or (expr.op == "playerHas" and zone == "hand"):
        return True
    return any(_mentions(part, zone) for part in expr.args)
