"""Worlds: the hidden parts of a game that do not contradict what a seat has seen, enumerated by clingo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fcdl.beliefs.formula import Formula
from fcdl.beliefs.puzzle import Puzzle, PuzzleError, make_puzzle
from fcdl.engines.asp.worlds import Fact, Solution, solve
from fcdl.model.events import Observation
from fcdl.model.game import Game


@dataclass(frozen=True, slots=True)
class World:
    """One hidden world: what each event that the seat saw only in part was, and where all cards are now."""

    hidden: tuple[tuple[int, tuple[str, ...]], ...]
    """By the event's place in the observation: the cards that moved, in deck order, or the value."""
    zones: tuple[tuple[str, tuple[str, ...]], ...]
    """The cards of every zone, in deck order; empty zones are left out."""


def worlds(
    game: Game,
    observation: Observation,
    *,
    limit: int = 0,
    seconds: float | None = None,
    random_seed: int | None = None,
) -> Iterator[World]:
    """All worlds (or the first `limit`) since all cards were last shuffled; each exactly once.

    Raises PuzzleError when the seat was told something that no formula says, and GaveUpError after `seconds`.
    """
    puzzle = make_puzzle(game, observation)
    if puzzle.unclear:
        raise PuzzleError(f"the worlds cannot be enumerated: {puzzle.unclear[0]}")
    for solution in solve(facts(puzzle), limit=limit, seconds=seconds, random_seed=random_seed):
        yield _world(puzzle, solution)


def facts(puzzle: Puzzle) -> Iterator[Fact]:
    """The puzzle as `asp/worlds.lp` reads it; zones and formulas are numbered."""
    zones = {name: index for index, name in enumerate(puzzle.game.zones)}
    yield Fact("start", (zones[puzzle.start],))
    for card in puzzle.game.cards:
        yield Fact("card", (card,))
    for number, step in enumerate(puzzle.steps):
        yield Fact("step", (number, zones[step.source], step.number, zones[step.target]))
        if step.cards is None:
            yield Fact("hidden", (number,))
        for card in step.cards or ():
            yield Fact("seen", (number, card))
    for event, alternatives in puzzle.hidden_values.items():
        for value in alternatives:
            yield Fact("alternative", (event, value))
    numbers: dict[Formula, int] = {}
    for formula in puzzle.required:
        yield from _formula_facts(formula, zones, numbers)
        yield Fact("required", (numbers[formula],))


_CONNECTIVES = {"and": "isAnd", "or": "isOr", "not": "isNot", "atLeast": "isAtLeast", "true": "isTrue"}


def _formula_facts(formula: Formula, zones: dict[str, int], numbers: dict[Formula, int]) -> Iterator[Fact]:
    """A formula and its parts; every distinct formula gets one number. `false` has no fact: it never holds."""
    if formula in numbers:
        return
    for part in formula.parts:
        yield from _formula_facts(part, zones, numbers)
    number = numbers[formula] = len(numbers)
    arguments = tuple(zones[item] if isinstance(item, str) else item for item in formula.atom)
    match formula.kind:
        case "at":
            yield Fact("isAt", (number, *arguments))
        case "moved":
            yield Fact("isMoved", (number, *arguments))
        case "hidden":
            yield Fact("isValue", (number, *arguments))
        case kind if kind in _CONNECTIVES:
            yield Fact(_CONNECTIVES[kind], (number, *arguments))
    for part in formula.parts:
        yield Fact("part", (number, numbers[part]))


def _world(puzzle: Puzzle, solution: Solution) -> World:
    game = puzzle.game
    code = game.flowchart.deck.code
    moved: dict[int, list[int]] = {}
    for number, card in solution.moves:
        moved.setdefault(number, []).append(card)
    place = dict.fromkeys(game.cards, puzzle.start)
    hidden: list[tuple[int, tuple[str, ...]]] = []
    for number, step in enumerate(puzzle.steps):
        moving = step.cards if step.cards is not None else tuple(moved.get(number, ()))
        for card in moving:
            place[card] = step.target
        if step.cards is None:
            hidden.append((step.event, tuple(map(code, sorted(moving)))))
    for event, value in solution.values:
        hidden.append((event, (game.value_text(puzzle.value_types[event], value),)))
    zones = tuple(
        (zone, cards)
        for zone in game.zones
        if (cards := tuple(code(card) for card in game.cards if place[card] == zone))
    )
    return World(tuple(sorted(hidden)), zones)
