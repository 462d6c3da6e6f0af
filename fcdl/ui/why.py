"""Why a move is not legal, for a person: only where the reason tells nothing that they may not know."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from fcdl.engines.stepping import SteppingEngine, SteppingFacts, SteppingState, Values
from fcdl.errors import FcdlError
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import Expr, Type
from fcdl.language.saying import ME, called
from fcdl.language.sight import decisive, hidden_part
from fcdl.model.chance import ScriptedChance
from fcdl.model.engine import IllegalMoveError
from fcdl.model.game import Game
from fcdl.model.moves import Move
from fcdl.model.reasons import NOTHING_BOUND, Bound, Wording
from fcdl.model.tally import tallies
from fcdl.ui.journal import Step
from fcdl.ui.must import NO_TALK, TableTalk, plainly

if TYPE_CHECKING:
    from fcdl.heuristics.speech import Speaker
    from fcdl.heuristics.terms import Term

SECONDS = 5.0
"""Charts come from anybody, and some take long to be followed; what was followed is kept for the next question."""


class _TooSlowError(FcdlError):
    """The time is over."""


class _LimitedValues(Values):
    """Values that have to be found before a time of the clock."""

    until = 0.0

    def value(self, expr: Expr, state: SteppingState, bound: Bound = NOTHING_BOUND) -> int:
        """The value of an expression; raises _TooSlowError."""
        if time.monotonic() > self.until:
            raise _TooSlowError
        return super().value(expr, state, bound)


class AtTheTable(Wording):
    """For those who play: what the chart's things are called, and nothing where there are no words for them."""

    everything = False

    def __init__(self, game: Game, decides: Expr, value: Callable[[Expr], int | None]) -> None:
        self.game, self.decides, self.value = game, decides, value

    def place(self, node: fc.Node) -> str:
        """Nothing: nobody at the table counts nodes."""
        return ""

    def text(self, expr: Expr, flowchart: fc.Flowchart, names: Mapping[str, str] | None = None) -> str:
        """A thing: `the suit led`."""
        return self._said(expr, names or {}, lambda speaker, term: speaker.thing(term))

    def holds(self, condition: Expr, flowchart: fc.Flowchart, names: Mapping[str, str], holds: bool) -> str:
        """A condition: `you have no hearts`; a variable as it is shown: `“hearts broken” is no`."""
        if condition.op == "variable" and not condition.args:
            return f"“{called(flowchart, condition.name or '')}” is {'yes' if holds else 'no'}"
        if condition.op == "every":
            return ""  # that not all of one's cards are such is not why one of them may not be played
        said = self._said(condition, names, lambda speaker, term: speaker.condition(term, not holds))
        for part in condition.walk():  # a card that all know by its name: `the top card of the attack`
            if said and part.type is Type.CARD and part.op == "top" and (name := self.text(part, flowchart)) in said:
                card = self.value(part)
                said = said.replace(name, self.game.value_text(Type.CARD, card)) if card is not None else said
        return said

    def inside(self, zone: Expr, flowchart: fc.Flowchart) -> str:
        """`on the board`, `in your row`; `there` if there are no words for it."""
        from fcdl.heuristics.vocabulary import lying_in

        if zone.op == "zone" and not zone.args:
            return f" {lying_in(flowchart, zone.name or '')}"
        said = self.text(zone, flowchart)
        return f" in {said}" if said else " there"

    def because(self, diamond: fc.Node, yes: bool, such: str) -> str:
        """Only that one has such a card as one must play: all other conditions are the chart's business."""
        must = diamond.condition is not None and diamond.condition.op == "playerHas"
        return f" because {such}" if such and must else ""

    def _said(self, expr: Expr, names: Mapping[str, str], say: Callable[[Speaker, Term], str]) -> str:
        from fcdl.heuristics.speech import is_clear
        from fcdl.heuristics.terms import Term
        from fcdl.heuristics.vocabulary import is_card_language, plain_speaker, replaced

        speaker = plain_speaker(self.game)
        for name, stands_for in names.items():
            speaker.call(Term(name), stands_for)
        try:
            said = say(speaker, speaker.term_of(replaced(expr, {self.decides: ME})))
        except (AssertionError, AttributeError, LookupError, TypeError, ValueError, RecursionError):
            return ""  # nobody has said such a thing before
        return said if is_card_language(said) and is_clear(said) else ""


class Explainer:
    """Follows a game node by node, as far as it is asked; questions from several threads wait for each other."""

    def __init__(self, game: Game, seconds: float = SECONDS) -> None:
        self.game = game
        self.seconds = seconds
        self._engine = SteppingEngine(game)
        self._values = self._engine.values = _LimitedValues(game)
        self._lock = threading.Lock()
        self._followed: list[tuple[Step, SteppingState]] = []

    def sentence(self, steps: Sequence[Step], node: int, move: Move, talk: TableTalk = NO_TALK) -> str | None:
        """Why a move is illegal after these steps; None where that could tell too much, or takes too long.

        The sentence tells how the decision was reached: only for those who know where the game stands.
        """
        statement = self.game.flowchart.nodes[node].statement
        if not isinstance(statement, fc.Play | fc.Pick | fc.TakeSet) or not self._may_tell(statement):
            return None
        with self._lock:
            self._values.until = time.monotonic() + self.seconds
            try:
                state = self._follow(steps)
                mover = self._engine.mover(state)
                self._engine.decide(state, move)
            except IllegalMoveError:
                facts = SteppingFacts(self._values, state)
                wording = AtTheTable(self.game, statement.player, partial(_card, facts))
                plain = self._plainly(state, statement, move, talk)
                if plain:
                    return f"You {plain}."
                return _to_the_person(self._engine.why_illegal(state, move, wording), move, mover)
            except FcdlError:
                return None
        return None

    def _plainly(self, state: SteppingState, statement: fc.Decision, move: Move, talk: TableTalk) -> str:
        """As card players say it, if it is as simple as that."""
        deck, legal = self.game.flowchart.deck, self._engine.legal(state)
        kind = "play" if isinstance(statement, fc.Play) else "pick"
        if not isinstance(statement, fc.Play | fc.Pick) or move.kind != kind or talk.answers:
            return ""
        held = self._values.zone(statement.source, state)
        card = next((card for card in deck.cards_with_code(move.what) if card in held), None)
        if card is None:
            return ""
        may = [deck.cards_with_code(one.what)[0] for one in legal if one.kind == kind]
        return plainly(SteppingFacts(self._values, state), statement, card, may, talk)

    def tally(self, steps: Sequence[Step], node: int, move: Move) -> str:
        """What the cards of a set come to after these steps (`7 of 7`); empty as with `sentence`, or if it is none."""
        statement = self.game.flowchart.nodes[node].statement
        if not isinstance(statement, fc.TakeSet) or not self._may_tell(statement):
            return ""
        with self._lock:
            self._values.until = time.monotonic() + self.seconds
            try:
                facts = SteppingFacts(self._values, self._follow(steps))
                return ", ".join(map(str, tallies(facts, statement, self._cards(facts, statement, move))))
            except FcdlError:
                return ""

    def _cards(self, facts: SteppingFacts, statement: fc.TakeSet, move: Move) -> int:
        """The cards of a set as a bit mask; those of them that lie there."""
        mask = 0
        lying = sorted(self._values.zone(statement.source, facts.state))
        for code in move.cards:
            alike = (card for card in lying if self.game.flowchart.deck.code(card) == code and not mask >> card & 1)
            mask |= sum(1 << card for card in islice(alike, 1))
        return mask

    def _follow(self, steps: Sequence[Step]) -> SteppingState:
        """The position after these steps, from the last one that was followed before."""
        same = 0
        while same < min(len(steps), len(self._followed)) and self._followed[same][0] == steps[same]:
            same += 1
        del self._followed[same:]
        for step in steps[same:]:
            chance = ScriptedChance(step.chance)
            if step.move is None:
                state = self._engine.start(chance)
            else:
                state = self._engine.apply(self._followed[-1][1], step.move, chance)
            self._followed.append((step, state))
        return self._followed[-1][1]

    def _may_tell(self, statement: fc.Decision) -> bool:
        """Whether everything that decides which cards are legal is seen by the one who plays."""
        asked = decisive(statement)
        assert asked is not None
        return all(hidden_part(self.game.flowchart, expr, asked[0]) is None for expr in asked[1])


def _card(facts: SteppingFacts, expr: Expr) -> int | None:
    """The card that an expression is; None if there is none."""
    value = facts.value(expr)
    return value if isinstance(value, int) and value >= 0 else None


def _to_the_person(text: str, move: Move, seat: int | None) -> str:
    """A sentence about a player as one says it to them; the legal moves can be seen anyway."""
    reason = text.partition("; legal:")[0].removeprefix(f"illegal move '{move}': ")
    for verb, spoken in [("has ", "have "), ("does not have ", "do not have "), ("", "")]:
        reason = reason.replace(f"player {seat} {verb}", f"you {spoken}")
    return f"{reason[:1].upper()}{reason[1:]}."
