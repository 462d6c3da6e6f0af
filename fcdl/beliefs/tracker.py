"""What a seat has seen, made ready for sampling: the deals that are possible, and a script to check worlds by.

The script is the seat's events since the last decision before the last shuffle of everything, as numbers that the C
engine compares with the events of a world that it plays: records of kind, number of values, values.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from copy import copy
from typing import Self

from fcdl.beliefs import script
from fcdl.beliefs.deals import MAX_DEALS, Deal, UncountableError
from fcdl.beliefs.follower import Follower, Movement, PuzzleError
from fcdl.beliefs.formula import FALSE, TRUE, Formula, UnclearError, Value, holds, negated
from fcdl.beliefs.script import DECISIONS, KIND
from fcdl.beliefs.secrets import Hiding
from fcdl.beliefs.symbolic import CardSet, Evaluator
from fcdl.engines.native.constants import FIRST_PICK, SCRIPT_NUMBER, SCRIPT_ORDER
from fcdl.language import flowchart as fc
from fcdl.model.events import Event
from fcdl.model.game import Game


class ForkError(Exception):
    """The seat cannot tell how the chart goes on: both ways have to be followed."""


class Names(script.Names):
    """Numbers of a game's names, and what else is fixed for a game."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.ordered = [
            name
            for zone in game.flowchart.zones.values()
            if zone.ordered and zone.name != "pack"
            for name in ([f"{zone.name}({seat})" for seat in range(game.players)] if zone.per_player else [zone.name])
        ]
        self.hiding = Hiding(game.flowchart)


class Tracker(Follower):
    """Follows the chart beside a seat's events and keeps deals and script up to date."""

    def __init__(self, game: Game, seat: int, names: Names) -> None:
        super().__init__(game, seat, names.hiding)
        self.names = names
        self.deals = [Deal(game.cards, names.ordered, shuffled=False, copies=game.flowchart.deck.copies > 1)]
        self.script = array("i")
        self.last_decision = 0
        """Where in the script the last decision is."""
        self.picks = 0
        self.uncountable: str | None = None
        """Why the deals cannot be counted, if they cannot."""
        self.unmoved: set[int] = set()
        self.bases = b""
        """The positions in which the script can begin; none: the start of the game."""
        self.texts: list[tuple[int, str]] = []
        """Published texts that depend on something hidden, with their places in the script."""
        self.assumed: bool | None = None
        """How the next private diamond is to be left."""
        self.open_questions: list[tuple[str, frozenset[int]] | None] = []
        """What must hold but is not said by the deals: one of these cards was in this zone; None: something else."""
        self.linked = False
        """Whether something hidden outlived a shuffle of all cards."""

    def before_gathering(self, lasting: bool) -> bytes | None:
        """Positions at the last decision: of one world, or of many if secrets last; None before any decision."""
        raise NotImplementedError

    def copy(self) -> Self:
        """A tracker that can go another way."""
        other = copy(self)
        other.knowledge = self.knowledge.copy()
        other.returns = self.returns[:]
        other.deals = [deal.copy() for deal in self.deals]
        other.script = self.script[:]
        other.unmoved = set(self.unmoved)
        other.texts = self.texts[:]
        other.open_questions = self.open_questions[:]
        return other

    def private_answer(self, node: fc.Node, question: fc.Expr) -> bool:
        """A known answer, or the one that is assumed; worlds in which it is another are rejected."""
        condition = self._try(lambda: holds(Evaluator(self.knowledge).value(question)))
        if condition is TRUE or condition is FALSE:
            answer = condition is TRUE
        elif self.assumed is None:
            raise ForkError
        else:
            answer, self.assumed = self.assumed, None
            if condition is not None:
                self.require(condition if answer else negated(condition))
        self._write(KIND["branch"], (self.names.nodes[node.number], int(answer)))
        return answer

    def published(self, text: str) -> None:
        """A text by which worlds are checked."""
        self.texts.append((len(self.script), text))

    def finish(self) -> None:
        """Follows an early end of the game; raises PuzzleError if events are left that do not fit the chart."""
        if self.position < len(self.events) and self.events[self.position].kind == "end":
            self.taken(self.events[self.position])
            self.position += 1
        if self.position < len(self.events):
            raise PuzzleError(f"event {self.position + 1} does not fit the chart")

    # --- the script

    def _write(self, kind: int, values: Iterable[int]) -> None:
        listed = list(values)
        self.script.extend((kind, len(listed)))
        self.script.extend(listed)

    def taken(self, event: Event) -> None:
        """One more record."""
        kind = event.kind
        if kind in DECISIONS:
            self.last_decision = len(self.script)
        self._write(KIND[kind], self._values(event))

    def _values(self, event: Event) -> list[int]:
        values = self.names.values(event)
        if event.kind in ("play", "pick") and event.cards is None:
            values[3] = FIRST_PICK - self.picks
        return values

    def number_drawn(self, below: int | None, candidates: tuple[int, ...] | None) -> None:
        """Chance answers with one of the candidates, or with any number."""
        self._write(SCRIPT_NUMBER, candidates or ())

    # --- the deals

    def gathered(self) -> None:
        """Everything begins anew, from the last decision on."""
        lasting = bool(self.unknown_secrets() & self.hiding.lasting)
        bases = self.before_gathering(lasting)
        if bases is not None:
            self.bases = bases
            self.linked |= lasting
            self.texts = [(at - self.last_decision, text) for at, text in self.texts if at > self.last_decision]
            del self.script[: self.last_decision]
        elif self.knowledge.step:
            self.uncountable = "cards were dealt twice before anybody decided anything"
            return
        self.last_decision = 0
        self._forget_orders()
        self.picks = 0
        self.uncountable = None
        self.open_questions = []
        cards = self.game.cards
        self.deals = [Deal(cards, self.names.ordered, shuffled=True, copies=self.game.flowchart.deck.copies > 1)]
        self._write(SCRIPT_ORDER, range(len(cards)))

    def _forget_orders(self) -> None:
        """An earlier order does not matter any more."""
        at = 0
        while at < len(self.script):
            kind, length = self.script[at], self.script[at + 1]
            if kind == SCRIPT_ORDER:
                self.script[at + 1 : at + 2 + length] = array("i", [0])
                self.texts = [(where - length if where > at else where, text) for where, text in self.texts]
                length = 0
            at += 2 + length

    def forget_secrets(self) -> None:
        """Secrets of the last hand are not followed into the next one."""
        variables = self.knowledge.variables
        for place in [place for place, value in variables.items() if len(value) > 1]:
            del variables[place]

    def shuffled(self, zone: str) -> None:
        """A new order of a zone."""
        if self.uncountable is not None:
            self._write(SCRIPT_ORDER, ())
            return
        try:
            orders = [deal.shuffle(zone) for deal in self.deals]
            if any(order != orders[0] for order in orders):
                raise UncountableError(f"{zone} is shuffled after hidden picks")
            self._write(SCRIPT_ORDER, orders[0])
        except UncountableError as error:
            self.uncountable = str(error)
            self._write(SCRIPT_ORDER, ())

    def moved(self, movement: Movement, chosen: CardSet | None) -> None:
        """The deals after a movement."""
        unmoved, self.unmoved = self.unmoved, set()
        if self.uncountable is not None:
            return
        must_move: set[int] = set()
        if chosen is not None and movement.cards is None:
            members = self.knowledge.members(movement.source)
            unmoved |= {card for card in members if chosen.get(card, FALSE) is FALSE}
            must_move = {card for card in members if chosen.get(card) in (TRUE, members[card])}
            if len(unmoved | must_move) < len(members):
                self.open_questions.append(None)
        elif chosen is not None and movement.cards is not None:
            for card, condition in chosen.items():
                self.require(condition if card in movement.cards else negated(condition))
        self._answer_questions(movement)
        try:
            self.deals = [
                after for deal in self.deals for after in deal.move(movement, unmoved, must_move) if after.possible
            ]
            if len(self.deals) > MAX_DEALS:
                raise UncountableError("hidden picks can have gone in too many ways")
        except UncountableError as error:
            self.uncountable = str(error)
            return
        picks = max((len(deal.picks) for deal in self.deals), default=self.picks)
        if not movement.decided and picks > self.picks:
            self.script[-movement.number :] = array("i", [FIRST_PICK - n for n in range(self.picks, picks)])
        self.picks = picks

    def _answer_questions(self, movement: Movement) -> None:
        """A card seen leaving a zone was there before; after a hidden movement out of it one cannot say."""
        cards = frozenset(movement.cards or ())
        self.open_questions = [
            None if question is not None and movement.cards is None and question[0] == movement.source else question
            for question in self.open_questions
            if question is None or question[0] != movement.source or not question[1] & cards
        ]

    # --- what must hold, as far as it says something about single cards

    def unclear(self, reason: str) -> None:
        """Worlds are checked by playing them, so nothing is lost."""
        self.open_questions.append(None)

    def require(self, formula: Formula) -> None:
        """What a formula says about single cards."""
        if self.uncountable is not None or formula is TRUE:
            return
        step = self.knowledge.step
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
            case _:
                self.open_questions.append(None)

    def require_not(self, formula: Formula) -> None:
        """What the negation of a formula says about single cards."""
        if self.uncountable is not None:
            return
        step = self.knowledge.step
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
            case _:
                self.open_questions.append(None)

    def _require_one(self, formula: Formula) -> None:
        """One of several parts holds: a card is in one of several zones, or one of several cards is in a zone."""
        atoms = [part.atom for part in formula.parts if part.kind == "at" and part.atom[0] == self.knowledge.step]
        cards = frozenset(int(atom[1]) for atom in atoms)
        zones = {str(atom[2]) for atom in atoms}
        if len(atoms) == len(formula.parts) and len(cards) == 1:
            for deal in self.deals:
                deal.restrict(int(atoms[0][1]), zones, inside=True)
        elif len(atoms) == len(formula.parts) and len(zones) == 1:
            self.open_questions.append((zones.pop(), cards))
        else:
            self.open_questions.append(None)

    # --- secrets are not followed: worlds that contradict what they lead to are rejected

    def hidden_value(self, index: int, alternatives: tuple[int, ...], kind: fc.Type) -> Value:
        """Not followed."""
        raise UnclearError("a secret value")

    def _assign_unseen(
        self, statement: fc.Assign, place: tuple[str, int | None], index: int, draw: fc.Expr | None
    ) -> None:
        self.knowledge.variables.pop(place, None)
        if draw is not None:
            self.open_questions.append(None)

    def _choose_unseen(
        self, statement: fc.Choose, evaluator: Evaluator, place: tuple[str, int | None], index: int
    ) -> None:
        self.knowledge.variables.pop(place, None)
        self.open_questions.append(None)
