"""Which paths can apply at all: of the others `asp/possible.lp` shows that their conditions contradict each other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from clingo import Function, Number, String, Symbol, Tuple_

from fcdl.engines.asp.cycles import Path
from fcdl.engines.asp.engine import STATIC, static_facts
from fcdl.engines.asp.primitives import Primitives
from fcdl.engines.asp.program import Budget, merge, rules
from fcdl.engines.asp.translate import Translation, numbers
from fcdl.language.flowchart import ANY, NONE, Expr, Type
from fcdl.model.game import Game

_ME = Function("local", [String("me")])
_INPUTS = ("path/1", "asks/2", "plays/3", "card/1", "domain/2")
SECONDS = 60.0
"""For each path."""


def possible(game: Game, paths: Sequence[Path], from_hands: bool) -> frozenset[int]:
    """The numbers of the paths that have an answer set: no other path ever applies to a cycle. Raises GaveUpError.

    `from_hands`: whoever plays a card in a cycle holds it where the cycle begins.
    """
    translation = Translation(game, [test for path in paths for test in path.conditions])
    read = {
        part for path in paths for test in path.conditions for part in test.walk() if part.op in ("variable", "local")
    }
    cards = {part.name for part in read if part.type is Type.CARD}
    inputs = {
        "path/1": [numbers([number]) for number in range(len(paths))],
        "asks/2": [
            Tuple_([Number(number), translation.expression(test, True)])
            for number, path in enumerate(paths)
            for test in path.conditions
        ],
        "plays/3": [
            Tuple_([Number(number), Function("local", [String(name)]), Number(distance)])
            for number, path in enumerate(paths)
            for name, distance, _ in path.parameters
            if from_hands and name in cards
        ],
        "card/1": [numbers([card]) for card in game.cards],
        "domain/2": list(_domains(game, read)),
    }
    facts = merge(static_facts(translation), inputs)
    grounding = rules(("possible.lp",), STATIC + _INPUTS).ground(facts, Primitives(game))

    def has_answer(number: int) -> bool:
        return any(True for _ in grounding.answers(Budget(SECONDS), [Function("tried", [Number(number)])]))

    return frozenset(filter(has_answer, range(len(paths))))


def _domains(game: Game, read: Collection[Expr]) -> Iterator[Symbol]:
    """The values that variables, parameters and `me` can have."""
    chart = game.flowchart
    values = {
        Type.BOOL: range(2),
        Type.PLAYER: range(NONE, game.players),
        Type.SUIT: range(ANY, len(chart.deck.suits)),
        Type.RANK: range(ANY, len(chart.deck.ranks)),
        Type.WORD: range(NONE, len(chart.words)),
        Type.CARD: (NONE, *game.cards),
    }
    for seat in range(game.players):
        yield Tuple_([_ME, Number(seat)])
    for op, name, kind in sorted({(part.op, part.name or "", part.type) for part in read}, key=lambda item: item[:2]):
        symbol = Function(op, [String(name)])
        if symbol != _ME:
            yield from (Tuple_([symbol, Number(value)]) for value in values.get(kind, ()))
