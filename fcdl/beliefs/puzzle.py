"""From what a seat has seen to a puzzle about what it has not: who can hold which card.

The path through a chart is public, so a seat can follow it node by node beside the events it saw. Every diamond, every
played card and every assigned value says something about hidden cards; all that is collected as formulas. The hidden
worlds are exactly the solutions of the puzzle. It begins at the last time all cards were shuffled: nothing hidden
before that matters any more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from fcdl.beliefs.formula import FALSE, TRUE, Formula, Value, both, count_of, either, holds, known, negated, same
from fcdl.beliefs.symbolic import CardSet, Evaluator, Knowledge, UnclearError, Zone
from fcdl.errors import FcdlError
from fcdl.language import flowchart as fc
from fcdl.model.events import Event, Observation
from fcdl.model.game import Game
from fcdl.model.outcome import Reason


class PuzzleError(FcdlError):
    """An observation that cannot be followed through its chart, with the reason."""


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
    follower = _Follower(game, observation)
    follower.run()
    return follower.puzzle


class _ExhaustedError(Exception):
    """All that was seen has been followed."""


class _Follower:
    def __init__(self, game: Game, observation: Observation) -> None:
        self.game = game
        self.seat = observation.seat
        self.events = observation.events
        self.position = 0
        self.knowledge = Knowledge(game, {name: Zone() for name in game.zones}, {})
        self.returns: list[int] = []
        for variable in game.flowchart.variables.values():
            if variable.per_player:
                assert variable.initial is not None
                for seat in range(game.players):
                    self.knowledge.variables[variable.name, seat] = known(variable.initial)
        self.codes = {code: card for card in reversed(game.cards) for code in [game.flowchart.deck.code(card)]}
        if len(self.codes) < len(game.cards):
            raise PuzzleError("worlds of decks with copies of a card are not enumerated")
        self.puzzle = Puzzle(game, self.seat, "pack")
        pack = self.knowledge.zones["pack"]
        pack.count, pack.sure, pack.order = len(game.cards), set(game.cards), list(reversed(game.cards))

    # --- walking

    def run(self) -> None:
        chart = self.game.flowchart
        node = chart.nodes[chart.charts[chart.main].start]
        try:
            while True:
                following = self._pass(node)
                if following is None:
                    return
                node = chart.nodes[following]
        except _ExhaustedError:
            return
        except UnclearError as error:
            raise PuzzleError(f"node {node.number} cannot be followed: {error}") from None

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
            return node.yes if Evaluator(self.knowledge).number(question) else node.no
        event = self._take("branch")
        answer = event.value == "yes"
        condition = self._try(lambda: holds(Evaluator(self.knowledge).value(question)))
        if condition is not None:
            self._require(condition if answer else negated(condition))
        return node.yes if answer else node.no

    def _take(self, *kinds: str) -> Event:
        """The next event, which must be of one of these kinds."""
        if self.position >= len(self.events):
            raise _ExhaustedError
        event = self.events[self.position]
        if event.kind == "end" and event.value != Reason.END:
            raise _ExhaustedError
        if event.kind not in kinds:
            raise PuzzleError(f"event {self.position + 1} is '{event.kind}' where the chart has '{kinds[0]}'")
        self.position += 1
        return event

    def _peek(self) -> Event | None:
        return self.events[self.position] if self.position < len(self.events) else None

    def _try(self, evaluate: Callable[[], Formula]) -> Formula | None:
        """A formula, or None with a note when it cannot be said."""
        try:
            return evaluate()
        except UnclearError as error:
            self.puzzle.unclear.append(str(error))
            return None

    def _require(self, formula: Formula) -> None:
        if formula is not TRUE:
            self.puzzle.required.append(formula)

    def _cards(self, event: Event) -> tuple[int, ...] | None:
        if event.cards is None:
            return None
        return tuple(self.codes[code] for code in event.cards)

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
            raise _ExhaustedError
        index = self.position
        event = self._take("assign")
        draws = [part for part in statement.value.walk() if part.op == "random"]
        if event.value is not None:
            number = self._parse(place[0], event.value)
            if not draws:
                value = self._try(lambda: Evaluator(self.knowledge).value(statement.value).get(number, FALSE))
                if value is not None:
                    self._require(value)
            self.knowledge.variables[place] = known(number)
            return
        chance = self._draw(index, draws[0]) if draws else None
        self.knowledge.variables[place] = Evaluator(self.knowledge, chance).value(statement.value)

    def _draw(self, index: int, draw: fc.Expr) -> Value:
        """A hidden random number."""
        below = Evaluator(self.knowledge).number(draw.args[0])
        return self._hidden_value(index, tuple(range(max(1, below))), fc.Type.INT)

    def _hidden_value(self, index: int, alternatives: tuple[int, ...], kind: fc.Type) -> Value:
        if len(alternatives) == 1:
            return known(alternatives[0])
        self.puzzle.hidden_values[index] = alternatives
        self.puzzle.value_types[index] = kind
        return {number: Formula("hidden", (index, number)) for number in alternatives}

    def _gather(self) -> None:
        """Everything hidden so far is void: a new puzzle begins."""
        if any(len(value) > 1 for value in self.knowledge.variables.values()):
            raise UnclearError("a secret variable outlives a shuffle of all cards")
        self._take("shuffle")
        self.puzzle = Puzzle(self.game, self.seat, "pack")
        self.knowledge.step = 0
        for zone in self.knowledge.zones.values():
            zone.count, zone.sure, zone.perhaps, zone.order = 0, set(), set(), []
        pack = self.knowledge.zones["pack"]
        pack.count, pack.sure, pack.order = len(self.game.cards), set(self.game.cards), None

    def _shuffle(self, statement: fc.ShuffleZone) -> None:
        name = Evaluator(self.knowledge).zone_name(statement.zone)
        if name is None:
            raise _ExhaustedError
        self._take("shuffle")
        if self.knowledge.zones[name].count > 1:
            self.knowledge.zones[name].order = None

    # --- cards

    def _move(self, statement: fc.Move) -> None:
        seats = range(self.game.players) if statement.each_seat else (None,)
        for seat in seats:
            evaluator = Evaluator(self.knowledge, bound={"seat": seat} if seat is not None else {})
            source, target = evaluator.zone_name(statement.source), evaluator.zone_name(statement.target)
            if target is None:
                raise _ExhaustedError
            event = self._peek()
            moved = None
            if event is not None and event.kind == "move" and (event.source, event.target) == (source, target):
                moved = self._take("move")
            if source is None:
                continue
            chosen = self._chosen(statement, evaluator, source)
            if moved is not None:
                self._relocate(source, target, moved.number or 0, self._cards(moved), chosen)
            elif chosen is not None:
                self._require(negated(either(chosen.values())))

    def _chosen(self, statement: fc.Move, evaluator: Evaluator, source: str) -> CardSet | None:
        """The cards that a move of given cards takes; None when any cards of the source may be the ones."""
        if statement.by is not fc.MoveBy.CARDS:
            return None
        assert statement.what is not None
        expr = statement.what
        if expr.op == "single" and expr.args[0].op in ("top", "bottom") and self.knowledge.zones[source].order is None:
            return None  # the end of a shuffled pile can be any of its cards
        try:
            wanted = evaluator.cards(expr)
        except UnclearError as error:
            self.puzzle.unclear.append(str(error))
            return None
        members = self.knowledge.members(source)
        return {card: both((members[card], wanted[card])) for card in members if card in wanted}

    def _relocate(
        self, source: str, target: str, number: int, cards: tuple[int, ...] | None, chosen: CardSet | None
    ) -> None:
        """One movement: a step of the puzzle, and what the seat knows afterwards."""
        step = self.knowledge.step
        origin, goal = self.knowledge.zones[source], self.knowledge.zones[target]
        if cards is None and len(origin.sure) == origin.count == number:
            cards = tuple(reversed(origin.order)) if origin.order is not None else tuple(sorted(origin.sure))
        if chosen is not None:
            for card in self.knowledge.members(source):
                condition = chosen.get(card, FALSE)
                if cards is None:
                    self._require(same(Formula("moved", (step, card)), condition))
                else:
                    self._require(condition if card in cards else negated(condition))
        self.puzzle.steps.append(Step(source, target, number, cards, self.position - 1))
        self.knowledge.step += 1
        if cards is not None:
            self._relocate_seen(origin, goal, cards)
        else:
            self._relocate_unseen(origin, goal, number)
        origin.count -= number
        goal.count += number
        self._tidy()

    def _relocate_seen(self, origin: Zone, goal: Zone, cards: tuple[int, ...]) -> None:
        for card in cards:
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
        for zone in self.knowledge.zones.values():
            if zone.count == 0:
                zone.sure, zone.perhaps, zone.order = set(), set(), []
            elif len(zone.sure) == zone.count:
                zone.perhaps = set()
            elif len(zone.sure | zone.perhaps) == zone.count:
                zone.sure |= zone.perhaps
                zone.perhaps = set()
        sure = {card for zone in self.knowledge.zones.values() for card in zone.sure}
        for zone in self.knowledge.zones.values():
            zone.perhaps -= sure

    # --- decisions

    def _play(self, statement: fc.Play) -> None:
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
        """A card that somebody played or picked: it was one that he could."""
        start, goal = evaluator.zone_name(source), evaluator.zone_name(target)
        assert start is not None
        assert goal is not None
        seen = self._cards(event)
        try:
            legal = evaluator.cards(cards)
        except UnclearError as error:
            self.puzzle.unclear.append(str(error))
        else:
            if seen is not None:
                self._require(legal.get(seen[0], FALSE))
            else:
                step = self.knowledge.step
                for card in self.knowledge.members(start):
                    self._require(either((negated(Formula("moved", (step, card))), legal.get(card, FALSE))))
        self._relocate(start, goal, 1, seen, None)

    def _pick(self, statement: fc.Pick) -> None:
        player = Evaluator(self.knowledge).number(statement.player)
        number = Evaluator(self.knowledge).number(statement.number)
        for _ in range(number):
            event = self._peek()
            if event is None:
                raise _ExhaustedError
            if event.kind != "pick" or event.seat != player:
                evaluator = Evaluator(self.knowledge)
                source = evaluator.cards(statement.source)
                cards = evaluator.cards(statement.cards)
                self._require(negated(either(both((source[card], cards.get(card, FALSE))) for card in source)))
                return
            self._take("pick")
            self._one_card(Evaluator(self.knowledge), statement.cards, statement.source, statement.target, event)

    def _choose(self, statement: fc.Choose) -> None:
        evaluator = Evaluator(self.knowledge)
        place = self._place(statement.target)
        index = self.position
        event = self._take("choose")
        offered = evaluator.domain(statement.values)
        if event.value is not None:
            number = self._parse(place[0], event.value)
            self._require(offered.get(number, FALSE))
            self.knowledge.variables[place] = known(number)
            return
        kind = self.game.flowchart.variables[place[0]].type
        value = self._hidden_value(index, tuple(offered), kind)
        for number, condition in value.items():
            self._require(either((negated(condition), offered[number])))
        self.knowledge.variables[place] = value

    # --- words

    def _publish(self, statement: fc.Publish) -> None:
        event = self._take("publish")
        try:
            texts = [
                part if isinstance(part, str) else self._said(part) for part in statement.parts
            ]  # fmt: skip
        except UnclearError as error:
            self.puzzle.unclear.append(str(error))
            return
        if "".join(texts) != event.value:
            raise PuzzleError(f"'{event.value}' was published where the chart says '{''.join(texts)}'")

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
        shown = evaluator.cards(statement.cards)
        event = self._peek()
        if event is None or event.kind != "show":
            self._require(negated(either(shown.values())))
            return
        self._take("show")
        cards = self._cards(event)
        if cards is None:
            self._require(count_of(shown.values()).get(event.number or 0, FALSE))
            return
        for card, condition in shown.items():
            self._require(condition if card in cards else negated(condition))
        if statement.cards.op == "zone":
            self._learn(evaluator.zone_name(statement.cards), cards)

    def _learn(self, name: str | None, cards: tuple[int, ...]) -> None:
        """The whole content of a zone was shown."""
        if name is None:
            return
        zone = self.knowledge.zones[name]
        zone.sure, zone.perhaps = set(cards), set()
        for other in self.knowledge.zones.values():
            other.perhaps -= zone.sure
        self._tidy()
