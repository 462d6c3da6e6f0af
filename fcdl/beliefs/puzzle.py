"""From what a seat has seen to a puzzle about what it has not: who can hold which card.

Everything that following the chart says about hidden cards is collected as formulas. The hidden worlds are exactly the
solutions of the puzzle. It begins at the last time all cards were shuffled: nothing hidden before that matters any
more.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fcdl.beliefs.follower import Follower, Listener, Movement, PuzzleError
from fcdl.beliefs.formula import FALSE, TRUE, Formula, Value, negated, same
from fcdl.beliefs.symbolic import CardSet
from fcdl.language import flowchart as fc
from fcdl.model.events import Observation
from fcdl.model.game import Game

__all__ = ["Puzzle", "PuzzleError", "Step", "make_puzzle"]


@dataclass(frozen=True, slots=True)
class Step:
    """A movement of cards: from where, how many, to where, which (None if the seat did not see it)."""

    source: str
    target: str
    number: int
    cards: tuple[int, ...] | None
    event: int
    """Its place among the observation's events."""


@dataclass(slots=True)
class Puzzle:
    """The steps since the last shuffle of everything, what must hold, and hidden values with their alternatives."""

    game: Game
    seat: int
    start: str
    """The zone in which all cards were at the beginning."""
    steps: list[Step] = field(default_factory=list)
    required: list[Formula] = field(default_factory=list)
    hidden_values: dict[int, tuple[int, ...]] = field(default_factory=dict)
    value_types: dict[int, fc.Type] = field(default_factory=dict)
    unclear: list[str] = field(default_factory=list)
    """What the seat was told but the puzzle does not say; if empty, the solutions are exactly the worlds."""


def make_puzzle(game: Game, observation: Observation) -> Puzzle:
    """Follows the chart beside the observation; raises PuzzleError if that cannot be done."""
    if game.flowchart.deck.copies > 1:
        raise PuzzleError("worlds of decks with copies of a card are not enumerated")
    maker = _PuzzleMaker(game, observation.seat)
    maker.follower.follow(observation.events)
    return maker.puzzle


class _PuzzleMaker(Listener):
    """Collects steps and formulas."""

    follows_secrets = True

    def __init__(self, game: Game, seat: int) -> None:
        self.follower = Follower(game, seat, self)
        self.puzzle = Puzzle(game, seat, "pack")

    def gathered(self) -> None:
        """A new puzzle begins."""
        self.puzzle = Puzzle(self.puzzle.game, self.puzzle.seat, "pack")

    def require(self, formula: Formula) -> None:
        """Collects a formula."""
        if formula is not TRUE:
            self.puzzle.required.append(formula)

    def unclear(self, reason: str) -> None:
        """Keeps the reason."""
        self.puzzle.unclear.append(reason)

    def hidden_value(self, index: int, alternatives: tuple[int, ...], kind: fc.Type) -> Value:
        """One of several, said by atoms."""
        self.puzzle.hidden_values[index] = alternatives
        self.puzzle.value_types[index] = kind
        return {number: Formula("hidden", (index, number)) for number in alternatives}

    def moved(self, movement: Movement, chosen: CardSet | None) -> None:
        """A step of the puzzle."""
        knowledge = self.follower.knowledge
        step, origin, cards = knowledge.step, knowledge.zones[movement.source], movement.cards
        if cards is None:
            cards = self.follower.inferred(origin, movement.number)
        if chosen is not None:
            for card in knowledge.members(movement.source):
                condition = chosen.get(card, FALSE)
                if cards is None:
                    self.require(same(Formula("moved", (step, card)), condition))
                else:
                    self.require(condition if card in cards else negated(condition))
        self.puzzle.steps.append(Step(movement.source, movement.target, movement.number, cards, movement.event))
