"""Passes of random games, and what heuristics say about them."""

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
class Pass:
    """One pass: the node where it began, the positions before and after it, and who decided what."""

    start: int
    before: SteppingState
    after: SteppingState
    first: int
    """How many moves of the game came before it."""
    decisions: list[tuple[int, int]] = field(default_factory=list)
    arrivals: dict[int, int] = field(default_factory=dict)


def passes(game: Game, starts: tuple[int, ...], seed: str, moves: list[Move]) -> Iterator[Pass]:
    """The passes of one random game: from the head of the main loop, or from another start that is reached again.

    The moves of the game are put into a list.
    """
    engine, chance, source = SteppingEngine(game), RandomChance(seed), random.Random(seed)
    main = main_loop(game.flowchart)
    inside = {main.places[n].node.number for n in main.loop.places}
    closing = {main.places[n].node.number for n in main.closing}
    state = engine.begin()
    current: Pass | None = None
    while state.result is None:
        node = state.node
        if current is not None:
            current.arrivals[node] = current.arrivals.get(node, 0) + 1
            over = node == starts[0] or node in closing or node not in inside
            if over or (node in starts and current.arrivals[node] > 1):
                current.after = state
                if current.decisions:
                    yield current
                current = None if over else Pass(node, state, state, len(moves), arrivals={node: 1})
        if node == starts[0]:
            current = Pass(node, state, state, len(moves), arrivals={node: 1})
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


def bindings(heuristic: Heuristic, one: Pass, me: int, players: int) -> dict[str, int] | None:
    """What the parameters of a heuristic are in a pass; None if some of these decisions were not made."""
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
    """Checks so many passes: exactly one way applies for each player, and its worth is what the pass changed.

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
        for one in passes(game, starts, str(seed), []):
            compared = not picking or one.after.zones["pack", None]
            for me in range(game.players):
                active = []
                for way in everything:
                    bound = bindings(way, one, me, game.players) if way.start == one.start else None
                    if bound is not None and all(value(part.test, one.before, bound) for part in way.conditions):
                        active.append((way, bound))
                assert len(active) == 1, (seed, me, one.start, one.decisions, [way.number for way, _ in active])
                way, bound = active[0]
                if way.worth is not None and compared:
                    expected = sum(
                        wish.factor * (value(wish.what, one.after, bound) - value(wish.what, one.before, bound))
                        for wish in derived.wishes
                        if all(value(test, one.before, bound) for test in wish.context)
                    )
                    assert value(way.worth, one.before, bound) == expected, (seed, me, one.decisions, way.number)
                seen.add(way.number)
            done += 1
            if done >= number:
                break
    return seen - {0}
