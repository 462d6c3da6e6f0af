"""Cycles of random games, and what heuristics say about them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from fcdl.engines.stepping import SteppingEngine, SteppingState
from fcdl.heuristics import Heuristic, Heuristics
from fcdl.language import flowchart as fc
from fcdl.language.loops import main_loop
from fcdl.model import Game, Move
from fcdl.model.chance import RandomChance


@dataclass
class Cycle:
    """One cycle: the node where it began, the positions before and after it, and who decided what."""

    start: int
    before: SteppingState
    after: SteppingState
    first: int
    """How many moves of the game came before it."""
    decisions: list[tuple[int, int]] = field(default_factory=list)
    arrivals: dict[int, int] = field(default_factory=dict)


def cycles(game: Game, starts: tuple[int, ...], seed: str, moves: list[Move]) -> Iterator[Cycle]:
    """The cycles of one random game: from the head of the main loop, or from another start that is reached again.

    The moves of the game are put into a list.
    """
    engine, chance, source = SteppingEngine(game), RandomChance(seed), random.Random(seed)
    main = main_loop(game.flowchart)
    inside = {main.places[n].node.number for n in main.loop.places}
    closing = {main.places[n].node.number for n in main.closing}
    state = engine.begin()
    current: Cycle | None = None
    while state.result is None:
        node = state.node
        if current is not None:
            current.arrivals[node] = current.arrivals.get(node, 0) + 1
            over = node == starts[0] or node in closing or node not in inside
            if over or (node in starts and current.arrivals[node] > 1):
                current.after = state
                if current.decisions:
                    yield current
                current = None if over else Cycle(node, state, state, len(moves), arrivals={node: 1})
        if node == starts[0]:
            current = Cycle(node, state, state, len(moves), arrivals={node: 1})
        mover = engine.mover(state)
        if mover is None:
            state = engine.step(state, chance)
            continue
        move = source.choice(engine.legal(state))
        if current is not None:
            current.decisions.append((mover, decided(game, state, move)))
        moves.append(move)
        state = engine.decide(state, move)


def decided(game: Game, state: SteppingState, move: Move) -> int:
    if move.kind == "pass":
        return fc.NONE
    if move.kind == "choose":
        statement = game.flowchart.nodes[state.node].statement
        assert isinstance(statement, fc.Choose)
        return game.value_from_text(game.flowchart.variables[statement.target.name].type, move.what)
    return game.flowchart.deck.cards_with_code(move.what)[0]


def bindings(heuristic: Heuristic, one: Cycle, me: int, players: int) -> dict[str, int] | None:
    """What the parameters of a heuristic are in a cycle; None if some of these decisions were not made."""
    found = {"me": me}
    for parameter in heuristic.parameters:
        seat = (me + parameter.distance) % players
        mine = [value for mover, value in one.decisions if mover == seat]
        if len(mine) <= parameter.turn:
            return None
        found[parameter.name] = mine[parameter.turn]
    return found


def picks_up(game: Game) -> bool:
    """Whether a fixed number of cards is picked up: weights count them even when the pack has fewer."""
    main = main_loop(game.flowchart)
    statements = [main.places[n].node.statement for n in main.loop.places]
    return any(
        isinstance(item, fc.Move) and item.by is fc.MoveBy.NUMBER and item.what is not None and item.what.op == "const"
        for item in statements
    )


def check(derived: Heuristics, number: int) -> set[int]:
    """Checks so many cycles: exactly one path applies for each player, and its worth is what the cycle changed.

    Returns the numbers of the heuristics that applied to any of them.
    """
    game = derived.game
    value = SteppingEngine(game).values.value
    everything = (*derived.heuristics, *derived.neutral, *derived.open)
    starts = tuple(node.number for node in derived.starts)
    picking = picks_up(game)
    seen: set[int] = set()
    done = seed = 0
    while done < number:
        seed += 1
        for one in cycles(game, starts, str(seed), []):
            compared = not picking or one.after.zones["pack", None]
            for me in range(game.players):
                active = []
                for path in everything:
                    bound = bindings(path, one, me, game.players) if path.start == one.start else None
                    if bound is not None and all(value(part.test, one.before, bound) for part in path.conditions):
                        active.append((path, bound))
                assert len(active) == 1, (seed, me, one.start, one.decisions, [path.number for path, _ in active])
                path, bound = active[0]
                if path.worth is not None and compared:
                    expected = sum(
                        goal.factor * (value(goal.what, one.after, bound) - value(goal.what, one.before, bound))
                        for goal in derived.goals
                        if all(value(test, one.before, bound) for test in goal.context)
                    )
                    assert value(path.worth, one.before, bound) == expected, (seed, me, one.decisions, path.number)
                seen.add(path.number)
            done += 1
            if done >= number:
                break
    return seen - {0}
