"""The moves of a game as numbers: one fixed table for a chart, its players and its options.

The table has, as far as the chart can ask for them: `play C` for every card of the deck, `pick C` for every card,
`pass`, and `choose V` for every value that may ever be on offer. Cards come in deck order, those that an option takes
out of the pack included, so that a card has the same number whatever the options are; copies of a card are one move.
A set of cards (`play 3C 3H`, `take 3C 4H`) has a number of its own where the chart allows few sets of the deck: by
their sizes, or because they are all of one rank or suit. Where it allows more, and where no bound on a chosen number
follows from the chart, the table has `choose #1`, `choose #2` ... at its end: the first, second ... move on offer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import overload

from fcdl.api.bounds import Bounds
from fcdl.language.flowchart import MAX_CHOICES, Choose, Expr, Pick, Play, TakeSet
from fcdl.language.melds import cards_of
from fcdl.language.sets import MAX_LOOKED_AT, MAX_OFFERED, first_cards, innermost, lasting, parts, sets_of
from fcdl.model.game import Game
from fcdl.model.moves import PASS, Move
from fcdl.model.static import NotStaticError, evaluate_static


class Actions(Sequence[Move]):
    """All moves that a game can ever ask for; a move's place is its number."""

    def __init__(self, game: Game) -> None:
        statements = [node.statement for node in game.flowchart.nodes.values()]
        deck = game.flowchart.deck
        codes = list(dict.fromkeys(map(deck.code, range(deck.size))))
        self.cards = len(codes)
        plays = [item for item in statements if isinstance(item, Play)]
        moves = [Move("play", code) for code in codes] if plays else []
        if any(isinstance(item, Pick) for item in statements):
            moves += [Move("pick", code) for code in codes]
        takes = [item for item in statements if isinstance(item, TakeSet)]
        sets = [_sets(game, item) for item in takes]
        if any(item.may_pass for item in plays) or any(item.may_pass for item in takes):
            moves.append(PASS)
        bounds = Bounds(game)
        self.by_place = False
        """Whether a move on offer can be outside the table."""
        for node in game.flowchart.nodes.values():
            if isinstance(node.statement, Choose):
                kind = game.flowchart.variables[node.statement.target.name].type
                values = bounds.choices(node)
                self.by_place |= values is None
                moves += [Move("choose", game.value_text(kind, value)) for value in sorted(values or ())]
        moves += [move for found in sets for move in found or ()]
        self._moves = tuple(dict.fromkeys(moves))
        self._numbers = {move: number for number, move in enumerate(self._moves)}
        places = MAX_OFFERED + 1 if None in sets else MAX_CHOICES if self.by_place else 0
        self.by_place = places > 0
        self._moves += tuple(Move("choose", f"#{place}") for place in range(1, places + 1))

    @overload
    def __getitem__(self, number: int) -> Move: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[Move, ...]: ...
    def __getitem__(self, number: int | slice) -> Move | tuple[Move, ...]:
        return self._moves[number]

    def __len__(self) -> int:
        return len(self._moves)

    def __iter__(self) -> Iterator[Move]:
        return iter(self._moves)

    def __repr__(self) -> str:
        return f"<{len(self)} actions: {self[0]} ... {self[-1]}>" if self._moves else "<no actions>"

    def find(self, move: Move) -> int | None:
        """The number of a move; None if it has no number of its own."""
        return self._numbers.get(move)

    def number(self, move: Move, legal: Sequence[Move] = ()) -> int:
        """The number of a move; `legal` are the moves on offer, which matter where values have no bound."""
        number = self._numbers.get(move)
        if number is None and self.by_place and move in legal:
            number = len(self._numbers) + legal.index(move)
        if number is None:
            raise KeyError(f"'{move}' is not in the table of actions")
        return number

    def numbers(self, legal: Sequence[Move]) -> list[int]:
        """The numbers of all moves on offer."""
        if self.by_place:
            first = len(self._numbers)
            return [self._numbers.get(move, first + place) for place, move in enumerate(legal)]
        return [self._numbers[move] for move in legal]

    @property
    def table(self) -> tuple[dict[Move, int], int]:
        """The numbers of moves, and the number of the first legal one where it is not among them; -1: all are."""
        return self._numbers, len(self._numbers) if self.by_place else -1

    def move(self, number: int, legal: Sequence[Move] = ()) -> Move | None:
        """The move with this number; None if there is none, or nothing in this place among the legal moves."""
        if 0 <= number < len(self._numbers):
            return self._moves[number]
        place = number - len(self._numbers)
        return legal[place] if self.by_place and 0 <= place < len(legal) else None


def _sets(game: Game, statement: TakeSet) -> list[Move] | None:
    """All sets of the deck that a decision can ever offer, as moves; None if they are too many for the table."""
    chart, sets, deck = game.flowchart, statement.sets, game.flowchart.deck
    subsets = innermost(sets)
    lasts: list[tuple[Expr, str]] = []
    while sets.op == "those":
        if sets.args[0] is subsets:
            lasts += [(part, str(sets.name)) for part in parts(lasting(chart, subsets, sets.args[1], str(sets.name)))]
        sets = sets.args[0]

    looked_at = 0

    def may_last(cards: int) -> bool:
        nonlocal looked_at
        looked_at += 1
        return all(_static(part, game, {name: cards}) != 0 for part, name in lasts)

    low, high = (_static(size, game, {}) for size in subsets.args[1:])
    most = deck.size if high is None else high
    cards = range(deck.size)
    found = list(islice(sets_of(cards, low or 1, most, may_last, first_cards(deck, cards)), MAX_OFFERED + 1))
    if len(found) > MAX_OFFERED or looked_at == MAX_LOOKED_AT:
        return None
    return [game.move_of_set(statement.word, cards_of(one)) for one in found]


def _static(expr: Expr, game: Game, bound: dict[str, int]) -> int | None:
    """The value of an expression, if it does not depend on the play."""
    try:
        return evaluate_static(expr, game, bound)
    except NotStaticError:
        return None
