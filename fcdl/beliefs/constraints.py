"""What a seat's observation says about single cards: the deals that are possible, and what they do not say.

`Constraints` turn movements and formulas into masks of pools (`deals.py`). What cannot be said so stays an open
question: worlds that answer it wrongly are rejected when they are played.
"""

from __future__ import annotations

import random
from copy import copy
from itertools import islice

from fcdl.beliefs.deals import MANY_DEALS, MAX_DEALS, SOME_DEALS, Deal, UncountableError
from fcdl.beliefs.follower import Movement
from fcdl.beliefs.formula import FALSE, TRUE, Formula, negated
from fcdl.beliefs.symbolic import CardSet
from fcdl.model.game import Game


class Constraints:
    """The deals that are possible since the last shuffle of all cards."""

    def __init__(self, game: Game) -> None:
        self.cards = game.cards
        self.copies = game.flowchart.deck.copies > 1
        self.ordered = [
            name
            for zone in game.flowchart.zones.values()
            if zone.ordered and zone.name != "pack"
            for name in (game.place_text(zone.name, place) for place in game.places_of(zone))
        ]
        self.uncountable: str | None = None
        """Why the deals cannot be counted, if they cannot."""
        self.thinned, self.seed = False, 0
        """Whether the deals are only some of those that are possible, and which ones."""
        self.looked_at = 0
        """How many deals there were after each movement, all in all."""
        self.step = 0
        """The number of the movement that comes next: atoms of formulas are about the moment before it."""
        self.begin(shuffled=False)

    def begin(self, *, shuffled: bool) -> None:
        """All cards are in the pack, shuffled or in deck order."""
        self.deals = [Deal(self.cards, self.ordered, shuffled=shuffled, copies=self.copies)]
        self.picks = 0
        """How many hidden picks there were."""
        self.unmoved: set[int] = set()
        self.uncountable, self.thinned = None, False
        self.open_questions: list[tuple[str, frozenset[int]] | None] = []
        """What must hold but is not said by the deals: one of these cards was in this zone; None: something else."""

    def copy(self) -> Constraints:
        """Constraints that can go another way."""
        other = copy(self)
        other.deals = [deal.copy() for deal in self.deals]
        other.unmoved = set(self.unmoved)
        other.open_questions = self.open_questions[:]
        return other

    def unclear(self) -> None:
        """Something must hold that no formula says."""
        self.open_questions.append(None)

    def shuffle(self, zone: str) -> list[int]:
        """A new order of a zone: its places, none if they cannot be told."""
        if self.uncountable is not None:
            return []
        try:
            orders = [deal.shuffle(zone) for deal in self.deals]
            if any(order != orders[0] for order in orders):
                raise UncountableError(f"{zone} is shuffled after hidden picks")
        except UncountableError as error:
            self.uncountable = str(error)
            return []
        return orders[0]

    def move(self, movement: Movement, members: CardSet, chosen: CardSet | None) -> None:
        """The deals after a movement; `members` are the cards that can be in its source."""
        unmoved, self.unmoved = self.unmoved, set()
        if movement.inserted and self.uncountable is None:
            self.uncountable = "cards were put into the middle of a pile"
        if self.uncountable is not None:
            return
        must_move: set[int] = set()
        if chosen is not None and movement.cards is None:
            unmoved |= {card for card in members if chosen.get(card, FALSE) is FALSE}
            must_move = {card for card in members if chosen.get(card) in (TRUE, members[card])}
            if len(unmoved | must_move) < len(members):
                self.open_questions.append(None)
        elif chosen is not None and movement.cards is not None:
            for card, condition in chosen.items():
                self.require(condition if card in movement.cards else negated(condition))
        self._answer_questions(movement)
        try:
            self._follow(movement, unmoved, must_move)
        except UncountableError as error:
            self.uncountable = str(error)
            return
        self.picks = max((len(deal.picks) for deal in self.deals), default=self.picks)

    def _follow(self, movement: Movement, unmoved: set[int], must_move: set[int]) -> None:
        """The deals after a movement; of too many, some that are drawn at random stand for all."""
        chance = random.Random(f"{self.seed} {self.step}")
        if len(self.deals) > MAX_DEALS // 8:  # there may be more after it than are looked at
            chance.shuffle(self.deals)
        moved = (after for deal in self.deals for after in deal.move(movement, unmoved, must_move) if after.possible)
        found = list(islice(moved, MANY_DEALS))
        self.looked_at += len(found)
        if len(found) > MAX_DEALS:
            found, self.thinned = chance.sample(found, SOME_DEALS), True
        self.deals = found

    def _answer_questions(self, movement: Movement) -> None:
        """A card seen leaving a zone was there before; after a hidden movement out of it one cannot say."""
        cards = frozenset(movement.cards or ())
        self.open_questions = [
            None if question is not None and movement.cards is None and question[0] == movement.source else question
            for question in self.open_questions
            if question is None or question[0] != movement.source or not question[1] & cards
        ]

    # --- what must hold, as far as it says something about single cards

    def require(self, formula: Formula) -> None:
        """What a formula says about single cards."""
        if self.uncountable is not None or formula is TRUE:
            return
        step = self.step
        match formula.kind, formula.atom:
            case "and", _:
                for part in formula.parts:
                    self.require(part)
            case "not", _:
                self.require_not(formula.parts[0])
            case "at", (at, int(card), str(zone)) if at == step:
                for deal in self.deals:
                    deal.restrict(card, (zone,), inside=True)
            case "or", _:
                self._require_one(formula)
            case "atLeast", (int(number),):
                self._limit(formula, number, len(formula.parts))
            case _:
                self.open_questions.append(None)

    def require_not(self, formula: Formula) -> None:
        """What the negation of a formula says about single cards."""
        if self.uncountable is not None:
            return
        step = self.step
        match formula.kind, formula.atom:
            case "or", _:
                for part in formula.parts:
                    self.require_not(part)
            case "not", _:
                self.require(formula.parts[0])
            case "at", (at, int(card), str(zone)) if at == step:
                for deal in self.deals:
                    deal.restrict(card, (zone,), inside=False)
            case "moved", (at, int(card)) if at == step:
                self.unmoved.add(card)
            case "atLeast", (int(number),):
                self._limit(formula, 0, number - 1)
            case "and", _:
                self._limit(formula, 0, len(formula.parts) - 1)
            case _:
                self.open_questions.append(None)

    def _require_one(self, formula: Formula) -> None:
        """One of several parts holds: a card is in one of several zones, or one of several cards is in a zone."""
        atoms = [part.atom for part in formula.parts if part.kind == "at" and part.atom[0] == self.step]
        cards = frozenset(int(atom[1]) for atom in atoms)
        zones = {str(atom[2]) for atom in atoms}
        if len(atoms) == len(formula.parts) and len(cards) == 1:
            for deal in self.deals:
                deal.restrict(int(atoms[0][1]), zones, inside=True)
        elif len(atoms) == len(formula.parts) and len(zones) == 1:
            self.open_questions.append((zones.pop(), cards))
            for deal in self.deals:
                deal.limit(cards, str(atoms[0][2]), 1, len(cards))
        else:
            self.open_questions.append(None)

    def _limit(self, formula: Formula, low: int, high: int) -> None:
        """So many of the parts hold. Deals are drawn by it where it says how many of some cards are in one zone."""
        self.open_questions.append(None)
        atoms = [part.atom for part in formula.parts if part.kind == "at" and part.atom[0] == self.step]
        if len(atoms) == len(formula.parts) and len({atom[2] for atom in atoms}) == 1:
            for deal in self.deals:
                deal.limit({int(atom[1]) for atom in atoms}, str(atoms[0][2]), low, high)
