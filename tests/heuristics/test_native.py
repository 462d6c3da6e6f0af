"""Heuristics on the native engine: functions find the one path that applies to a cycle, and what the cycle changes."""

from collections.abc import Iterator
from itertools import zip_longest

import pytest

from fcdl.engines.native.functions import Function
from fcdl.heuristics import Heuristic, Heuristics, Parameter, derive
from fcdl.heuristics.symbols import conjunction
from fcdl.language.flowchart import Expr, Type
from fcdl.language.load import load_flowchart
from fcdl.model import Game, Move
from fcdl.model.chance import RandomChance
from tests.heuristics.cycles import Cycle, bindings, cycles, picks_up

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.engines.native import NativeEngine

GAMES = ["trumps", "kings_and_jacks", "crazy_eights", "oh_hell", "durak", "skat", "hearts"]
ZERO = Expr("const", Type.INT, value=0)


def functions(derived: Heuristics) -> Iterator[Function]:
    """Whether each path applies, what it is worth, and what I have of what I want."""
    for number, path in enumerate(paths(derived)):
        tests = conjunction(condition.test for condition in path.conditions)
        yield function(f"applies {number}", path.parameters, tests)
        if path.worth is not None:
            yield function(f"worth {number}", path.parameters, path.worth)
    total = ZERO
    for goal in derived.goals:
        factor = Expr("const", Type.INT, value=goal.factor)
        have = Expr("multiply", Type.INT, (factor, goal.what))
        if goal.context:
            have = Expr("if", Type.INT, (conjunction(goal.context), have, ZERO))
        total = Expr("add", Type.INT, (total, have))
    yield function("goal", (), total)


def paths(derived: Heuristics) -> tuple[Heuristic, ...]:
    return (*derived.heuristics, *derived.neutral, *derived.open)


def function(name: str, parameters: tuple[Parameter, ...], body: Expr) -> Function:
    return Function(name, (("me", Type.PLAYER), *((item.name, item.type) for item in parameters)), body)


def follows(one: Cycle, following: Cycle) -> bool:
    """Whether nothing happens between two cycles, so that the native engine stops between them."""
    return (one.after.variables, one.after.zones) == (following.before.variables, following.before.zones)


def check(derived: Heuristics, number: int) -> set[int]:
    """Checks so many cycles, at their first decisions on the native engine; returns the paths that applied to any."""
    game = derived.game
    engine = NativeEngine(game, functions=tuple(functions(derived)))
    starts = tuple(node.number for node in derived.starts)
    picking = picks_up(game)
    seen: set[int] = set()
    done = seed = 0
    while done < number:
        seed += 1
        moves: list[Move] = []
        found = list(cycles(game, starts, str(seed), moves))
        chance = RandomChance(str(seed))
        positions = [engine.start(chance)]
        for move in moves:
            positions.append(engine.apply(positions[-1], move, chance))
        for one, following in zip_longest(found, found[1:]):
            before = positions[one.first]
            for me in range(game.players):
                active = []
                for index, path in enumerate(paths(derived)):
                    bound = bindings(path, one, me, game.players) if path.start == one.start else None
                    if bound is not None and engine.call(before, f"applies {index}", *bound.values()):
                        active.append((index, list(bound.values())))
                assert len(active) == 1, (seed, me, one.decisions, active)
                index, values = active[0]
                seen.add(index)
                short = picking and not one.after.zones["pack", None]
                if following is None or not follows(one, following) or short or paths(derived)[index].worth is None:
                    continue
                change = engine.call(positions[following.first], "goal", me) - engine.call(before, "goal", me)
                assert engine.call(before, f"worth {index}", *values) == change, (seed, me, one.decisions, index)
        done += len(found)
    return seen


@pytest.mark.parametrize("game", GAMES)
def test_cycles_on_the_native_engine(game: str) -> None:
    check(derive(Game.make(load_flowchart(game), name=game)), 100 if game in ("skat", "hearts") else 300)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_ten_thousand_cycles_on_the_native_engine(game: str) -> None:
    derived = derive(Game.make(load_flowchart(game), name=game))
    seen = check(derived, 10_000)
    # Trumps: whoever cannot follow a trump plays no trump, which four of the thesis's heuristics ask for.
    if game in ("trumps", "kings_and_jacks", "crazy_eights"):
        assert len(derived.heuristics) - len(seen) == (4 if game == "trumps" else -len(derived.neutral))
