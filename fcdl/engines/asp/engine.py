"""The ASP engine: states in, states out, with the referee's rules in between."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from clingo import Function, Number, String, Symbol, SymbolType, Tuple_

from fcdl.engines.asp.primitives import Primitives
from fcdl.engines.asp.program import Grounding, by_signature, merge, rules
from fcdl.engines.asp.segments import Segments
from fcdl.engines.asp.translate import Translation, numbers, start_facts
from fcdl.language.flowchart import Choose, Expr, Publish, Type
from fcdl.model import (
    LOOP_LIMIT,
    PASS,
    PASS_LIMIT,
    STEP_LIMIT,
    Chance,
    Event,
    Game,
    IllegalMoveError,
    Move,
    Observation,
    Outcome,
    Reason,
    State,
)
from fcdl.model.engine import own_state
from fcdl.model.events import observation
from fcdl.model.trail import Trail

CHUNK = 500
"""Nodes visited in one grounding; a longer path is cut into several."""

_CHART_INPUTS = (
    "state/2", "private/1", "draws/2", "constant/2", "players/1", "suits/1", "ranks/1", "card/3", "member/3", "entry/3",
    "item/3", "length/2", "variable/4", "zone/4", "owners/3", "key/4", "asked/1",
)  # fmt: skip
STATIC = (
    "kind/3", "leads/3", "needs/5", "arity/3", "turn/4", "constant/2", "reads/2", "part/3", "part/4", "conditional/4",
    "aggregate/6", "subsets/7", "place/2", "placeOf/3", "contents/1", "location/1", "variableOf/3", "pile/3",
    "pile/4", "fixed/2",
    "function/3", "function/4", "limits/3", "sees/2", "knows/2", "watches/2", "everyone/1", "ordered/1", "plain/1",
    "absent/2", "players/1", "key/4",
)  # fmt: skip
"""What chart.lp shows and the referee reads: the same for every position of a game."""
POSITION = ("now/1", "arrive/2", "resume/2", "given/1", "remaining/1", "limit/1")
"""What the referee reads of a position."""

Watch = Callable[[Grounding], None]
_REASONS = {"end": Reason.END, "fault": Reason.FAULT, "stuck": Reason.NO_LEGAL_MOVE}


History = Trail[tuple[Symbol, ...]]
"""Events so far as the referee's terms."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Where and why the referee stopped: its terms."""

    node: int
    calls: Symbol
    why: Symbol


@dataclass(frozen=True, slots=True)
class AspState:
    """A position: where the game stands, why, and every variable and zone as the referee's terms."""

    pause: Pause
    position: tuple[Symbol, ...]
    history: History
    steps: int
    legal: tuple[Move, ...] = field(compare=False)
    given: tuple[Symbol, ...] = field(compare=False)
    """For each legal move the referee's term."""
    over: Reason | None = None
    passes: int = 0
    """Passes in a row before this."""
    before: History | None = field(default=None, compare=False)
    """The history at the decision before."""

    @property
    def node(self) -> int:
        """The node where the game stands."""
        return self.pause.node


class AspEngine:
    """Plays one game with clingo; a decision costs some ten milliseconds."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._deck = game.flowchart.deck
        self._rules = rules(("referee.lp", "expressions.lp"), STATIC + POSITION)
        self._functions = Primitives(game)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._game

    @cached_property
    def static(self) -> dict[str, list[Symbol]]:
        """The chart taken apart by chart.lp."""
        return static_facts(Translation(self._game))

    @cached_property
    def segments(self) -> Segments:
        """What the referee needs of the chart and of the rules, by where it starts."""
        return Segments(self._game.flowchart, self.static)

    def start(self, chance: Chance, watch: Watch | None = None) -> AspState:
        """From the start to the first decision (or the end); `watch` is given every grounding."""
        chart = self._game.flowchart
        place = Function("arrive", [Number(chart.charts[chart.main].start), Tuple_([])])
        return self._run([place], tuple(start_facts(self._game)), History(None, ()), 0, chance, watch)

    def apply(self, state: State, move: Move, chance: Chance, watch: Watch | None = None) -> AspState:
        """On to the next decision (or the end); raises IllegalMoveError. `watch` is given every grounding."""
        state = own_state(state, AspState)
        if move not in state.legal:
            from fcdl.engines.asp.explain import why_illegal

            raise IllegalMoveError(why_illegal(self, state, move))
        given = state.given[state.legal.index(move)]
        facts = [_resume(state.pause), Function("given", [given])]
        what = state.pause.why.arguments[1]
        if what.name == "pick":
            facts.append(Function("remaining", [what.arguments[1]]))
        after = self._run(facts, state.position, state.history, state.steps, chance, watch)
        return after if move != PASS else self._passed(state, after)

    def _passed(self, before: AspState, after: AspState) -> AspState:
        """Counts passes in a row; too many end the game where the last one was made."""
        passes = before.passes + 1
        if passes < PASS_LIMIT:
            return replace(after, passes=passes)
        (pass_event, *_), *_ = after.history.since(before.history)
        history = History(before.history, (pass_event, self._end_event(Reason.STALEMATE)))
        end = replace(before, history=history, before=before.history, legal=(), given=())
        return replace(end, over=Reason.STALEMATE, passes=passes)

    def mover(self, state: State) -> int | None:
        """The seat that decides; None when the game is over."""
        state = own_state(state, AspState)
        return None if state.over is not None else state.pause.why.arguments[0].number

    def legal(self, state: State) -> tuple[Move, ...]:
        """All legal moves: cards in deck order then pass, values in the order the chart offers them."""
        state = own_state(state, AspState)
        return state.legal

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended; None while it goes on."""
        state = own_state(state, AspState)
        if state.over is None:
            return None
        scores = tuple(self.value(state, "score", seat) for seat in range(self._game.players))
        return Outcome(scores, state.over, None if state.over is Reason.END else state.node)

    def events(self, state: State) -> tuple[Event, ...]:
        """Everything that happened so far."""
        state = own_state(state, AspState)
        return self._told(state.history.since())

    def latest(self, state: State) -> tuple[Event, ...]:
        """What happened since the decision before."""
        state = own_state(state, AspState)
        return self._told(state.history.since(state.before))

    def _told(self, parts: Iterable[tuple[Symbol, ...]]) -> tuple[Event, ...]:
        return tuple(self.event(term) for part in parts for term in part)

    def observe(self, state: State, seat: int) -> Observation:
        """What one seat has seen so far."""
        return observation(self.events(state), seat)

    def value(self, state: AspState, name: str, seat: int | None = None) -> int:
        """A variable's value."""
        location = Function("variable", [String(name), *([Number(seat)] if seat is not None else [])])
        for fact in state.position:
            if fact.name == "value" and fact.arguments[0] == location:
                return fact.arguments[1].number
        raise KeyError(name)

    def cards(self, state: AspState, zone: str, seat: int | None = None) -> tuple[int, ...]:
        """The cards of a zone, from the top if it is ordered, otherwise in deck order."""
        location = Function("zone", [String(zone), *([Number(seat)] if seat is not None else [])])
        for fact in state.position:
            if fact.name == "zone" and fact.arguments[0] == location:
                return tuple(card.number for card in fact.arguments[1].arguments)
        raise KeyError(zone)

    # Running

    def _run(
        self,
        inputs: Sequence[Symbol],
        position: tuple[Symbol, ...],
        history: History,
        steps: int,
        chance: Chance,
        watch: Watch | None,
    ) -> AspState:
        """Grounds, asks chance and grounds again until a player must decide or the game is over."""
        loop = 0
        before = history
        while True:
            left = min(LOOP_LIMIT - loop, STEP_LIMIT - steps)
            grounding = self._referee(inputs, position, min(CHUNK, left))
            if watch is not None:
                watch(grounding)
            passed, pause, position, events = _read(grounding)
            loop, steps = loop + passed, steps + passed
            if events:
                history = History(history, events)
            match pause.why.name:
                case "chance":
                    inputs = [_resume(pause), Function("given", [self._ask(pause.why.arguments[0], chance)])]
                case "pause" if loop < LOOP_LIMIT and steps < STEP_LIMIT:
                    inputs = [Function("arrive", [Number(pause.node), pause.calls])]
                case "pause":
                    end = self._end_event(Reason.STEP_LIMIT)
                    history = History(history, (end,))
                    return AspState(pause, position, history, steps, (), (), Reason.STEP_LIMIT, before=before)
                case "end":
                    reason = _REASONS[pause.why.arguments[0].name]
                    return AspState(pause, position, history, steps, (), (), reason, before=before)
                case _:
                    moves = self._moves(pause)
                    legal, given = tuple(move for move, _ in moves), tuple(term for _, term in moves)
                    return AspState(pause, position, history, steps, legal, given, before=before)

    def _referee(self, inputs: Sequence[Symbol], position: Iterable[Symbol], limit: int) -> Grounding:
        """One grounding of the referee: the first input is the place, the others the answer that it waited for."""
        place = inputs[0]
        static, sections = self.segments.get(place.arguments[0].number, place.name == "resume")
        now = {"now/1": [Tuple_([fact]) for fact in position], "limit/1": [Tuple_([Number(limit)])]}
        facts = merge(static, now, by_signature(inputs))
        return self._rules.ground(facts, self._functions, sections=sections)

    def ground_again(self, state: AspState) -> Grounding:
        """The grounding of a decision itself, for those who want to know why its moves are legal."""
        place = Function("arrive", [Number(state.node), state.pause.calls])
        return self._referee([place], state.position, 1)

    def _end_event(self, reason: Reason) -> Symbol:
        seats = numbers(range(self._game.players))
        return Function("event", [Number(0), Number(0), Function("end", [String(str(reason))]), seats])

    def _ask(self, question: Symbol, chance: Chance) -> Symbol:
        if question.name == "number":
            return Function("number", [Number(chance.number(question.arguments[0].number))])
        cards = [card.number for card in question.arguments[0].arguments]
        return Function("order", [numbers(chance.shuffle(cards))])

    def _moves(self, pause: Pause) -> list[tuple[Move, Symbol]]:
        """The legal moves with the referee's terms for them."""
        what = pause.why.arguments[1]
        if what.name == "choose":
            kind = self.choice_type(pause.node)
            return [
                (Move("choose", self._game.value_text(kind, value.number)), Function("choose", [value]))
                for value in what.arguments[0].arguments
            ]
        if what.name == "sets":
            word, sets, may_pass = what.arguments
            taken = [
                (self._game.move_of_set(word.name, (card.number for card in cards.arguments)), Function("set", [cards]))
                for cards in sets.arguments
            ]
            return [*taken, (PASS, Function("pass"))] if may_pass.number else taken
        moves = [
            (Move(what.name, self._deck.code(card.number)), Function(what.name, [card]))
            for card in what.arguments[0].arguments
        ]
        if what.name == "play" and what.arguments[1].number:
            moves.append((PASS, Function("pass")))
        return moves

    def choice_type(self, node: int) -> Type:
        """The type of the values that are chosen at a node."""
        statement = self._game.flowchart.nodes[node].statement
        assert isinstance(statement, Choose)
        return self._game.flowchart.variables[statement.target.name].type

    # Events

    def event(self, term: Symbol) -> Event:
        """An event from the referee's term."""
        _, _, what, seats = term.arguments
        seers = frozenset(seat.number for seat in seats.arguments)
        args = what.arguments
        match what.name:
            case "assign":
                name, owner = self._variable(args[0])
                return Event("assign", name=name, owner=owner, value=self._text(name, args[1]), seers=seers)
            case "choose":
                name, owner = self._variable(args[1])
                text = self._text(name, args[2])
                return Event("choose", seat=args[0].number, name=name, owner=owner, value=text, seers=seers)
            case "branch":
                node = args[0].number
                private = self._game.flowchart.nodes[node].private
                return Event("branch", node=node, value="yes" if args[1].number else "no", seers=seers, private=private)
            case "move":
                cards = self._codes(args[2])
                source, target = self._zone(args[0]), self._zone(args[1])
                return Event("move", source=source, target=target, number=len(cards), cards=cards, seers=seers)
            case "shuffle":
                return Event("shuffle", source=self._zone(args[0]), number=args[1].number, seers=seers)
            case "play" | "pick":
                seat, source, target = args[0].number, self._zone(args[1]), self._zone(args[2])
                cards = (self._deck.code(args[3].number),)
                return Event(what.name, seat=seat, source=source, target=target, cards=cards, seers=seers)
            case "sets":
                word, seat, source, target = args[0].name, args[1].number, self._zone(args[2]), self._zone(args[3])
                cards = self._codes(args[4])
                return Event(word, seat=seat, source=source, target=target, number=len(cards), cards=cards, seers=seers)
            case "pass":
                return Event("pass", seat=args[0].number, seers=seers)
            case "publish":
                return Event("publish", value=self._published(args[0].number, args[1].arguments), seers=seers)
            case "show":
                cards = self._codes(args[0])
                owner = args[1].number if args[1].type is SymbolType.Number and args[1].number >= 0 else None
                shown = self._zone(args[2]) if args[2].arguments else None
                return Event("show", source=shown, number=len(cards), cards=cards, owner=owner, seers=seers)
            case _:
                reason = args[0].string if args[0].type is SymbolType.String else str(_REASONS[args[0].name])
                return Event("end", value=reason, seers=seers)

    def _zone(self, location: Symbol) -> str:
        """A zone as it is written in events."""
        return self._game.place_text(*self._variable(location))

    def _variable(self, location: Symbol) -> tuple[str, int | None]:
        """The name and the place of a variable or zone."""
        name, *place = location.arguments
        return name.string, place[0].number if place else None

    def _text(self, variable: str, value: Symbol) -> str:
        return self._game.value_text(self._game.flowchart.variables[variable].type, value.number)

    def _codes(self, cards: Symbol) -> tuple[str, ...]:
        return tuple(self._deck.code(card.number) for card in cards.arguments)

    def _published(self, node: int, values: Sequence[Symbol]) -> str:
        statement = self._game.flowchart.nodes[node].statement
        assert isinstance(statement, Publish)
        rest = iter(values)
        return "".join(
            self.value_text(part, next(rest)) if isinstance(part, Expr) else part for part in statement.parts
        )

    def value_text(self, expr: Expr, value: Symbol) -> str:
        """A value as it is written in published texts."""
        if expr.type is Type.CARDS:
            return self._game.published_cards([card.number for card in value.arguments])
        return self._game.published_text(expr.type, value.number)


def static_facts(translation: Translation) -> dict[str, list[Symbol]]:
    """A game taken apart by chart.lp."""
    game = translation.game
    functions = Primitives(game)
    grounding = rules(("chart.lp",), _CHART_INPUTS).ground(by_signature(translation.facts), functions)
    result: dict[str, list[Symbol]] = {}
    for signature in STATIC:
        name, _, arity = signature.partition("/")
        result[signature] = [Tuple_(fact.arguments) for fact in grounding.facts(name, int(arity))]
    return result


def _read(grounding: Grounding) -> tuple[int, Pause, tuple[Symbol, ...], tuple[Symbol, ...]]:
    """What the referee derived: nodes visited, where it stopped, the position there and the events on the way."""
    [stop] = grounding.facts("stop", 4)
    passed, node, calls, why = stop.arguments
    out = tuple(fact.arguments[0] for fact in grounding.facts("out", 1))
    events = sorted(grounding.facts("event", 4), key=_event_order)
    return passed.number, Pause(node.number, calls, why), out, tuple(events)


def _resume(pause: Pause) -> Symbol:
    return Function("resume", [Number(pause.node), pause.calls])


def _event_order(event: Symbol) -> tuple[int, int]:
    arguments = event.arguments
    return arguments[0].number, arguments[1].number
