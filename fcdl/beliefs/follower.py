"""Following a chart beside what a seat has seen.

The path through a chart is public, so a seat can follow it node by node beside the events it saw. Every diamond, every
played card and every assigned value says something about hidden cards. A `Follower` walks, knows what the seat knows,
and tells its `Listener` what happened and what must hold.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import TypeVar

from fcdl.beliefs.clock import NO_CLOCK, Clock, OutOfTimeError
from fcdl.beliefs.formula import (
    FALSE,
    TRUE,
    Count,
    Formula,
    TooManyCasesError,
    UnclearError,
    Value,
    both,
    either,
    holds,
    known,
    negated,
)
from fcdl.beliefs.secrets import Hiding
from fcdl.beliefs.symbolic import CardSet, Evaluator, Knowledge, Zone
from fcdl.errors import FcdlError
from fcdl.language import flowchart as fc
from fcdl.language.melds import mask_of
from fcdl.language.sight import sees_value
from fcdl.model.events import Event
from fcdl.model.game import Game
from fcdl.model.outcome import Reason

Result = TypeVar("Result")


class PuzzleError(FcdlError):
    """An observation that cannot be followed through its chart, with the reason."""


class ExhaustedError(Exception):
    """All that was seen has been followed."""


@dataclass(frozen=True, slots=True)
class Movement:
    """Cards that moved: from where, how many, to where, which (None: not seen), and how they were taken.

    `end` is the end of the source from which they were taken, 0 the top, -1 the bottom; None: from anywhere.
    """

    source: str
    target: str
    number: int
    cards: tuple[int, ...] | None
    event: int
    """The place of its event in the observation."""
    decided: bool = False
    """Whether a player decided it."""
    end: int | None = None
    everything: bool = False
    """Whether all cards of the source moved, in its order."""
    inserted: bool = False
    """Whether they came to a place of the target that need not be its top."""


class Listener:
    """What a follower tells, and what it asks. A listener takes what it needs."""

    follows_secrets = False
    """Whether secret values are followed as alternatives (`hidden_value`), or forgotten."""

    def taken(self, event: Event) -> None:
        """The next event was followed."""

    def require(self, formula: Formula) -> None:
        """Something must hold."""

    def unclear(self, reason: str) -> None:
        """The seat was told something that no formula says."""

    def private_answer(self, node: fc.Node, condition: Formula | None) -> bool:
        """How a diamond was left that nobody sees; raises UnclearError if the seat cannot tell.

        The condition is that for `yes`; None if no formula says it.
        """
        if condition is TRUE or condition is FALSE:
            return condition is TRUE
        raise UnclearError("a private diamond depends on hidden cards")

    def published(self, text: str) -> None:
        """A text that depends on something hidden was published."""

    def gathered(self) -> None:
        """All cards went to the pack, which is shuffled: everything hidden so far is void."""

    def shuffled(self, zone: str) -> None:
        """A zone of at least two cards is shuffled."""

    def number_drawn(self, below: int | None, candidates: tuple[int, ...] | None) -> None:
        """Chance is asked for a number below `below`; which it can have been, if the seat can tell."""

    def hidden_value(self, index: int, alternatives: tuple[int, ...], kind: fc.Type) -> Value:
        """The hidden value of an event, one of several."""
        raise UnclearError("a secret value")

    def end_seen(self, zone: str, end: int, card: int) -> None:
        """The card at an end of an ordered zone is seen: 0 is the top, -1 the bottom."""

    def moved(self, movement: Movement, chosen: CardSet | None) -> None:
        """Cards move; `chosen`: those that had to, with the condition of each (None: any of the source)."""


class Follower:
    """Follows a chart beside one seat's events, and goes on when there are more of them."""

    def __init__(self, game: Game, seat: int, listener: Listener, hiding: Hiding | None = None) -> None:
        self.game = game
        self.listener = listener
        self.seat = seat
        self.hiding = hiding or Hiding(game.flowchart)
        self.in_play = frozenset(game.cards)
        self.events: tuple[Event, ...] = ()
        self.position = 0
        self.knowledge = Knowledge(game, {name: Zone() for name in game.zones}, {})
        self.returns: list[int] = []
        self.too_much: set[int] = set()
        """Nodes whose questions were given up: they are not asked again."""
        self.picks_left: int | None = None
        chart = game.flowchart
        self.node: int | None = chart.charts[chart.main].start
        for variable in chart.variables.values():
            if variable.initial is not None:
                for place in game.places_of(variable):
                    self.knowledge.variables[variable.name, place] = known(variable.initial)
        pack = self.knowledge.zones["pack"]
        pack.count, pack.sure, pack.order = len(game.cards), set(game.cards), list(reversed(game.cards))

    def copy_for(self, listener: Listener) -> Follower:
        """A follower that can go another way, and tells somebody else."""
        other = copy(self)
        other.listener = listener
        other.knowledge = self.knowledge.copy()
        other.returns = self.returns[:]
        return other

    # --- walking

    def follow(self, events: tuple[Event, ...], clock: Clock = NO_CLOCK) -> None:
        """Goes on; `events` begin with those followed so far. Raises PuzzleError, and OutOfTimeError between nodes."""
        self.events = events
        nodes = self.game.flowchart.nodes
        try:
            while self.node is not None:
                if clock.is_over:
                    raise OutOfTimeError
                self.node = self._pass(nodes[self.node])
        except ExhaustedError:
            return
        except UnclearError as error:
            raise PuzzleError(f"node {self.node} cannot be followed: {error}") from None

    def finish(self) -> None:
        """Follows an early end of the game; raises PuzzleError if events are left that do not fit the chart."""
        if self.position < len(self.events) and self.events[self.position].kind == "end":
            self.listener.taken(self.events[self.position])
            self.position += 1
        if self.position < len(self.events):
            raise PuzzleError(f"event {self.position + 1} does not fit the chart")

    def _pass(self, node: fc.Node) -> int | None:
        """Follows one node and returns the next; None at the end."""
        match node.kind:
            case fc.NodeKind.CALL:
                assert isinstance(node.statement, fc.CallChart)
                assert node.next is not None
                self.returns.append(node.next)
                return self.game.flowchart.charts[node.statement.chart].start
            case fc.NodeKind.END:
                return self.returns.pop() if self.returns else None
            case fc.NodeKind.CHOICE:
                return self._choice(node)
            case fc.NodeKind.STATEMENT:
                assert node.statement is not None
                self._statement(node.statement)
        return node.next

    def _choice(self, node: fc.Node) -> int | None:
        question = node.condition
        assert question is not None
        if node.private:
            condition = self._try(lambda: holds(Evaluator(self.knowledge).value(question)))
            return node.yes if self.listener.private_answer(node, condition) else node.no
        event = self._take("branch")
        if event.node != node.number:
            raise PuzzleError(f"event {self.position} is of another diamond")
        answer = event.value == "yes"
        if self.hiding(question):
            condition = self._try(lambda: holds(Evaluator(self.knowledge).value(question)))
            if condition is not None:
                self.listener.require(condition if answer else negated(condition))
        return node.yes if answer else node.no

    def _take(self, *kinds: str) -> Event:
        """The next event, which must be of one of these kinds."""
        if self.position >= len(self.events):
            raise ExhaustedError
        event = self.events[self.position]
        if event.kind == "end" and event.value != Reason.END:
            raise ExhaustedError
        if event.kind not in kinds:
            raise PuzzleError(f"event {self.position + 1} is '{event.kind}' where the chart has '{kinds[0]}'")
        self.position += 1
        self.listener.taken(event)
        return event

    def _peek(self) -> Event | None:
        return self.events[self.position] if self.position < len(self.events) else None

    def _try(self, evaluate: Callable[[], Result]) -> Result | None:
        """A formula (or what else is evaluated), or None with a note when it cannot be said."""
        if self.node in self.too_much:
            self.listener.unclear("it depends on hidden cards in too many ways")
            return None
        try:
            return evaluate()
        except UnclearError as error:
            if isinstance(error, TooManyCasesError) and self.node is not None:
                self.too_much.add(self.node)
            self.listener.unclear(str(error))
            return None

    def cards_of(self, event: Event) -> tuple[int, ...] | None:
        """The cards that the seat saw; of equal copies those that it knows to be there, else the first that may be."""
        if event.cards is None:
            return None
        deck = self.game.flowchart.deck
        if deck.copies == 1:
            return tuple(deck.cards_with_code(code)[0] for code in event.cards)
        zone = self.knowledge.zones[event.source] if event.source is not None else Zone()
        cards: list[int] = []
        for code in event.cards:
            copies = [c for c in deck.cards_with_code(code) if c not in cards and c in self.in_play]
            top = zone.order[-1 - len(cards)] if zone.order and len(cards) < len(zone.order) else None
            if event.kind == "move" and top in copies:
                copies = [top]
            known, possible = [c for c in copies if c in zone.sure], [c for c in copies if c in zone.perhaps]
            if not copies:
                raise PuzzleError(f"'{code}' was seen more often than the deck has it")
            cards.append((known or possible or copies)[0])
        return tuple(cards)

    # --- statements

    def _statement(self, statement: fc.Statement) -> None:
        match statement:
            case fc.Assign():
                self._assign(statement)
            case fc.Gather():
                self._gather()
            case fc.ShuffleZone():
                self._shuffle(statement)
            case fc.Move():
                self._move(statement)
            case fc.Play():
                self._play(statement)
            case fc.Pick():
                self._pick(statement)
            case fc.TakeSet():
                self._take_set(statement)
            case fc.Choose():
                self._choose(statement)
            case fc.Publish():
                self._publish(statement)
            case fc.Show():
                self._show(statement)

    def _place(self, target: fc.VariableRef) -> tuple[str, int | None]:
        owner = Evaluator(self.knowledge).number(target.player) if target.player is not None else None
        return (target.name, owner)

    def _parse(self, name: str, text: str) -> int:
        return self.game.value_from_text(self.game.flowchart.variables[name].type, text)

    def _assign(self, statement: fc.Assign) -> None:
        place = self._place(statement.target)
        if place[1] == fc.NONE:
            raise ExhaustedError
        index = self.position
        event = self._peek()
        draw = self.hiding.draw(statement.value)
        if event is not None and event.kind == "assign" and draw is not None:
            text = event.value
            self._draw(statement.value, draw, None if text is None else self._parse(place[0], text))
        event = self._take("assign")
        if event.value is not None:
            number = self._parse(place[0], event.value)
            self._see_end(statement.value, number)
            if draw is None and self.hiding(statement.value):
                condition = self._try(lambda: Evaluator(self.knowledge).value(statement.value).get(number, FALSE))
                if condition is not None:
                    self.listener.require(condition)
            self.knowledge.variables[place] = known(number)
            return
        self._assign_unseen(statement, place, index, draw)

    def _assign_unseen(
        self, statement: fc.Assign, place: tuple[str, int | None], index: int, draw: fc.Expr | None
    ) -> None:
        if not self.listener.follows_secrets:
            self.knowledge.variables.pop(place, None)
            if draw is not None:
                self.listener.unclear("a secret number")
            return
        chance = None
        if draw is not None:
            below = Evaluator(self.knowledge).number(draw.args[0])
            chance = self._hidden_value(index, tuple(range(max(1, below))), fc.Type.INT)
        self.knowledge.variables[place] = Evaluator(self.knowledge, chance).value(statement.value)

    def _draw(self, value: fc.Expr, draw: fc.Expr, result: int | None) -> None:
        """A random number that led to a result (None: not seen)."""
        try:
            below = Evaluator(self.knowledge).number(draw.args[0])
        except UnclearError:
            self.listener.number_drawn(None, None)
            return
        if below < 2:
            return
        candidates = None
        if result is not None and below <= fc.MAX_RANGE:
            try:
                candidates = tuple(
                    number for number in range(below) if result in Evaluator(self.knowledge, known(number)).value(value)
                )
            except UnclearError:
                candidates = None
        self.listener.number_drawn(below, candidates)

    def _hidden_value(self, index: int, alternatives: tuple[int, ...], kind: fc.Type) -> Value:
        if len(alternatives) == 1:
            return known(alternatives[0])
        return self.listener.hidden_value(index, alternatives, kind)

    def _gather(self) -> None:
        self._forget_secrets()
        if self._peek() is None:
            raise ExhaustedError
        self.listener.gathered()
        self._take("shuffle")
        self.knowledge.step = 0
        for zone in self.knowledge.zones.values():
            zone.count, zone.sure, zone.perhaps, zone.order = 0, set(), set(), []
        pack = self.knowledge.zones["pack"]
        pack.count, pack.sure, pack.order = len(self.game.cards), set(self.game.cards), None

    def _forget_secrets(self) -> None:
        """Before a shuffle of everything: secrets that nobody reads any more are void."""
        variables = self.knowledge.variables
        for place in [place for place, value in variables.items() if len(value) > 1]:
            if self.listener.follows_secrets and place[0] in self.hiding.lasting:
                raise UnclearError("a secret variable outlives a shuffle of all cards")
            del variables[place]

    def unknown_secrets(self) -> set[str]:
        """Secret variables whose value the seat does not know."""
        return {
            variable.name
            for variable in self.game.flowchart.variables.values()
            if not sees_value(variable, None)
            for place in self.game.places_of(variable)
            if len(self.knowledge.variables.get((variable.name, place), ())) != 1
        }

    def _shuffle(self, statement: fc.ShuffleZone) -> None:
        name = Evaluator(self.knowledge).zone_name(statement.zone)
        if name is None or self._peek() is None:
            raise ExhaustedError
        if self.knowledge.zones[name].count > 1:
            self.listener.shuffled(name)
            self.knowledge.zones[name].order = None
        self._take("shuffle")

    # --- cards

    def _move(self, statement: fc.Move) -> None:
        seats = range(self.game.players) if statement.each_seat else (None,)
        for seat in seats:
            evaluator = Evaluator(self.knowledge, bound={"seat": seat} if seat is not None else {})
            source, target = evaluator.zone_name(statement.source), evaluator.zone_name(statement.target)
            if target is None:
                raise ExhaustedError
            event = self._peek()
            moved = None
            if event is not None and event.kind == "move" and (event.source, event.target) == (source, target):
                moved = self._take("move")
            if source is None:
                continue
            end = self._end(statement)
            chosen = self._chosen(statement, evaluator, source)
            if moved is not None:
                everything = statement.by is fc.MoveBy.ALL
                number, index = moved.number or 0, self.position - 1
                cards = self.cards_of(moved)
                inserted = statement.place is not None
                movement = Movement(
                    source, target, number, cards, index, end=end, everything=everything, inserted=inserted
                )
                self._relocate(movement, chosen)
            elif chosen is not None:
                self.listener.require(negated(either(chosen.values())))

    def _end(self, statement: fc.Move) -> int | None:
        """From which end of an ordered zone a move takes its cards."""
        if statement.by is not fc.MoveBy.CARDS:
            return 0
        assert statement.what is not None
        end = _end_of(statement.what)
        return end[1] if end is not None and end[0] == statement.source else None

    def _see_end(self, expr: fc.Expr, card: int) -> None:
        """A card is seen that an expression may say to be the top or the bottom of a zone."""
        end = _end_of(expr)
        name = Evaluator(self.knowledge).zone_name(end[0]) if end is not None else None
        if end is None or name is None or card < 0 or self.game.flowchart.deck.copies > 1:
            return
        self.listener.end_seen(name, end[1], card)
        if card in self.knowledge.zones[name].perhaps:
            for zone in self.knowledge.zones.values():
                zone.perhaps.discard(card)
            self.knowledge.zones[name].sure.add(card)
            self._tidy()

    def _chosen(self, statement: fc.Move, evaluator: Evaluator, source: str) -> CardSet | None:
        """The cards that a move of given cards takes; None when any cards of the source may be the ones."""
        if statement.by is not fc.MoveBy.CARDS:
            return None
        assert statement.what is not None
        if self._end(statement) is not None and self.knowledge.zones[source].order is None:
            return None  # the end of a shuffled pile can be any of its cards
        what = statement.what
        wanted = self._try(lambda: evaluator.cards(what))
        if wanted is None:
            return None
        members = self.knowledge.members(source)
        return {card: both((members[card], wanted[card])) for card in members if card in wanted}

    def _relocate(self, movement: Movement, chosen: CardSet | None) -> None:
        """One movement, and what the seat knows afterwards."""
        self.listener.moved(movement, chosen)
        number, cards = movement.number, movement.cards
        origin, goal = self.knowledge.zones[movement.source], self.knowledge.zones[movement.target]
        if cards is None:
            cards = self.inferred(origin, number)
        self.knowledge.step += 1
        if cards is not None:
            self._relocate_seen(origin, goal, cards)
        else:
            self._relocate_unseen(origin, goal, number)
        origin.count -= number
        goal.count += number
        if movement.inserted and goal.count > 1:
            goal.order = None
        self._tidy()

    def inferred(self, origin: Zone, number: int) -> tuple[int, ...] | None:
        """Unseen cards that the seat knows all the same: all of a zone whose cards it knows."""
        if len(origin.sure) == origin.count == number:
            return tuple(reversed(origin.order)) if origin.order is not None else tuple(sorted(origin.sure))
        return None

    def _relocate_seen(self, origin: Zone, goal: Zone, cards: tuple[int, ...]) -> None:
        for card in cards:
            if card not in origin.sure:
                for zone in self.knowledge.zones.values():
                    zone.perhaps.discard(card)
            origin.sure.discard(card)
            goal.sure.add(card)
            if origin.order is not None and card in origin.order:
                origin.order.remove(card)
            if goal.order is not None:
                goal.order.append(card)

    def _relocate_unseen(self, origin: Zone, goal: Zone, number: int) -> None:
        everything = number == origin.count
        possible = origin.sure | origin.perhaps
        goal.order = None if goal.count + number > 1 or len(possible) > 1 else goal.order
        goal.perhaps |= possible
        origin.perhaps = set() if everything else possible
        if everything:
            goal.perhaps -= origin.sure
            goal.sure |= origin.sure
        origin.sure = set()
        origin.order = [] if everything else None

    def _tidy(self) -> None:
        """Where only as many cards are possible as there are places, they are there."""
        found: set[int] = set()
        for zone in self.knowledge.zones.values():
            if zone.count == 0:
                if zone.sure or zone.perhaps or zone.order != []:
                    zone.sure, zone.perhaps, zone.order = set(), set(), []
            elif zone.perhaps:
                if len(zone.sure) == zone.count:
                    zone.perhaps = set()
                elif len(zone.sure) + len(zone.perhaps - zone.sure) == zone.count:
                    zone.sure |= zone.perhaps
                    found |= zone.perhaps
                    zone.perhaps = set()
        if found:
            for zone in self.knowledge.zones.values():
                zone.perhaps -= found

    # --- decisions

    def _play(self, statement: fc.Play) -> None:
        if self._peek() is None:
            raise ExhaustedError
        evaluator = Evaluator(self.knowledge)
        player = evaluator.number(statement.player)
        event = self._take("play", "pass")
        if event.kind == "pass":
            self.knowledge.variables["passed", player] = known(1)
            return
        self._one_card(evaluator, statement.cards, statement.source, statement.target, event)
        if statement.may_pass:
            self.knowledge.variables["passed", player] = known(0)

    def _one_card(self, evaluator: Evaluator, cards: fc.Expr, source: fc.Expr, target: fc.Expr, event: Event) -> None:
        """A card that somebody played or picked: it was one that was allowed."""
        start, goal = evaluator.zone_name(source), evaluator.zone_name(target)
        assert start is not None
        assert goal is not None
        seen = self.cards_of(event)
        if seen is None or self.hiding(cards):
            self._try(lambda: self._require_legal(evaluator, cards, start, seen))
        self._relocate(Movement(start, goal, 1, seen, self.position - 1, decided=True), None)

    def _require_legal(self, evaluator: Evaluator, cards: fc.Expr, start: str, seen: tuple[int, ...] | None) -> None:
        if seen is not None:
            self.listener.require(evaluator.contains(cards, seen[0]))
            return
        legal, step = evaluator.cards(cards), self.knowledge.step
        for card in self.knowledge.members(start):
            self.listener.require(either((negated(Formula("moved", (step, card))), legal.get(card, FALSE))))

    def _pick(self, statement: fc.Pick) -> None:
        player = Evaluator(self.knowledge).number(statement.player)
        if self.picks_left is None:
            self.picks_left = Evaluator(self.knowledge).number(statement.number)
        while self.picks_left > 0:
            event = self._peek()
            if event is None:
                raise ExhaustedError
            if event.kind != "pick" or event.seat != player:
                evaluator = Evaluator(self.knowledge)
                source = evaluator.cards(statement.source)
                cards = evaluator.cards(statement.cards)
                self.listener.require(negated(either(both((source[card], cards.get(card, FALSE))) for card in source)))
                break
            self._take("pick")
            self._one_card(Evaluator(self.knowledge), statement.cards, statement.source, statement.target, event)
            self.picks_left -= 1
        self.picks_left = None

    def _take_set(self, statement: fc.TakeSet) -> None:
        event = self._peek()
        if event is None:
            raise ExhaustedError
        evaluator = Evaluator(self.knowledge)
        player = evaluator.number(statement.player)
        may_skip = statement.word == "take" and not statement.may_pass
        if may_skip and (event.kind, event.seat) != ("take", player):
            if self.hiding(statement.sets):
                self._try(lambda: self.listener.require(negated(either(evaluator.domain(statement.sets).values()))))
            return
        event = self._take(statement.word, "pass")
        if event.kind == "pass":
            self.knowledge.variables["passed", player] = known(1)
            return
        start, goal = evaluator.zone_name(statement.source), evaluator.zone_name(statement.target)
        assert start is not None
        assert goal is not None
        seen = self.cards_of(event)
        if seen is None:
            self.listener.unclear("a set of cards that was not seen")
        elif self.hiding(statement.sets):
            self._try(lambda: self.listener.require(evaluator.contains_set(statement.sets, mask_of(seen))))
        number = event.number or 0
        self._relocate(Movement(start, goal, number, seen, self.position - 1, decided=True), None)
        if statement.may_pass:
            self.knowledge.variables["passed", player] = known(0)

    def _choose(self, statement: fc.Choose) -> None:
        if self._peek() is None:
            raise ExhaustedError
        evaluator = Evaluator(self.knowledge)
        place = self._place(statement.target)
        index = self.position
        event = self._take("choose")
        if event.value is not None:
            number = self._parse(place[0], event.value)
            if self.hiding(statement.values):
                condition = self._try(lambda: evaluator.domain(statement.values).get(number, FALSE))
                if condition is not None:
                    self.listener.require(condition)
            self.knowledge.variables[place] = known(number)
            return
        self._choose_unseen(statement, evaluator, place, index)

    def _choose_unseen(
        self, statement: fc.Choose, evaluator: Evaluator, place: tuple[str, int | None], index: int
    ) -> None:
        if not self.listener.follows_secrets:
            self.knowledge.variables.pop(place, None)
            self.listener.unclear("a secret choice")
            return
        offered = evaluator.domain(statement.values)
        kind = self.game.flowchart.variables[place[0]].type
        value = self._hidden_value(index, tuple(offered), kind)
        for number, condition in value.items():
            self.listener.require(either((negated(condition), offered[number])))
        self.knowledge.variables[place] = value

    # --- words

    def _publish(self, statement: fc.Publish) -> None:
        event = self._take("publish")
        if not any(self.hiding(part) for part in statement.parts if not isinstance(part, str)):
            return
        self.listener.published(event.value or "")
        try:
            said = "".join(part if isinstance(part, str) else self._said(part) for part in statement.parts)
        except UnclearError as error:
            self.listener.unclear(str(error))
            return
        if said != event.value:
            raise PuzzleError(f"'{event.value}' was published where the chart says '{said}'")

    def _said(self, part: fc.Expr) -> str:
        evaluator = Evaluator(self.knowledge)
        if part.type is fc.Type.CARDS:
            cards = evaluator.cards(part)
            if any(condition is not TRUE for condition in cards.values()):
                raise UnclearError("a published text names hidden cards")
            return self.game.published_cards(sorted(cards))
        return self.game.published_text(part.type, evaluator.number(part))

    def _show(self, statement: fc.Show) -> None:
        evaluator = Evaluator(self.knowledge)
        event = self._peek()
        if event is not None and event.kind == "show":
            self._take("show")
            cards = self.cards_of(event)
        else:
            event, cards = None, ()
        if cards:
            self._see_end(statement.cards, cards[0])
        shown = self._try(lambda: evaluator.cards(statement.cards))
        if shown is None:
            return
        if event is None:
            self.listener.require(negated(either(shown.values())))
            return
        if cards is None:
            self.listener.require(Count(shown.values()).get(event.number or 0, FALSE))
            return
        for card, condition in shown.items():
            self.listener.require(condition if card in cards else negated(condition))
        if statement.cards.op == "zone":
            self._learn(evaluator.zone_name(statement.cards), cards)

    def _learn(self, name: str | None, cards: tuple[int, ...]) -> None:
        """The whole content of a zone was shown."""
        if name is None:
            return
        zone = self.knowledge.zones[name]
        zone.sure, zone.perhaps = set(cards), set()
        for other in self.knowledge.zones.values():
            if other is not zone:
                other.perhaps -= zone.sure
        self._tidy()


def _end_of(expr: fc.Expr) -> tuple[fc.Expr, int] | None:
    """The zone whose top (0) or bottom (-1) an expression is; None if it is none."""
    if expr.op == "single":
        expr = expr.args[0]
    return (expr.args[0], 0 if expr.op == "top" else -1) if expr.op in ("top", "bottom") else None
