"""From node to node, written from docs/language-design.md and nothing else; slow, but quick enough for a person."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from itertools import islice

from fcdl.engines.stepping.state import Slot, SteppingState, Trail
from fcdl.engines.stepping.values import SteppingFacts, Values
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import MAX_CHOICES, NONE, Expr, MoveBy, NodeKind, Type
from fcdl.language.melds import cards_of
from fcdl.language.sets import MAX_OFFERED
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
)
from fcdl.model.events import observation
from fcdl.model.reasons import NOTHING_BOUND, WRITTEN, Bound, Wording, why_illegal


class _GameOverError(Exception):
    def __init__(self, reason: Reason) -> None:
        self.reason = reason


class SteppingEngine:
    """The `Engine` contract, and `begin`, `step` and `decide`, which go on by one node only."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.chart = game.flowchart
        self.deck = game.flowchart.deck
        self.seats = range(game.players)
        self.everybody = frozenset(self.seats)
        self.values = Values(game)
        self._observed: dict[int, tuple[Trail | None, tuple[Event, ...]]] = {}
        """What each seat had seen when it was last asked for."""

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._game

    # --- by one node

    def begin(self) -> SteppingState:
        """At the start of the chart; nothing has been done."""
        variables: dict[Slot, int] = {}
        for variable in self.chart.variables.values():
            first = variable.initial
            if first is None:
                first = 0 if variable.type in (Type.INT, Type.BOOL) else NONE
            for place in self.game.places_of(variable):
                variables[variable.name, place] = first
        zones: dict[Slot, tuple[int, ...]] = {}
        for zone in self.chart.zones.values():
            for place in self.game.places_of(zone):
                zones[zone.name, place] = ()
        zones["pack", None] = self.game.cards
        state = SteppingState(NONE, variables, zones)
        self._arrive(state, self.chart.charts[self.chart.main].start)
        return state

    def step(self, state: SteppingState, chance: Chance) -> SteppingState:
        """Does what the node says and arrives at the next; not where a player decides, nor after the end."""
        if state.waiting or state.result is not None:
            raise ValueError("a player decides here" if state.waiting else "the game is over")
        after = copy(state)
        try:
            self._arrive(after, self._pass(after, chance))
        except _GameOverError as over:
            self._finish(after, over.reason)
        return after

    def decide(self, state: SteppingState, move: Move) -> SteppingState:
        """Makes a move and arrives at the next node; raises IllegalMoveError."""
        if move not in self.legal(state):
            raise IllegalMoveError(self.why_illegal(state, move))
        after = copy(state)
        after.waiting = False
        after.before_move = state.trail
        after.since_move = 0
        after.passes = state.passes + 1 if move == PASS else 0
        self._do_move(after, self._decision(after), move)
        try:
            if after.passes >= PASS_LIMIT:
                raise _GameOverError(Reason.STALEMATE)
            statement = self._decision(after)
            if isinstance(statement, fc.Pick):
                after.picks_left -= 1
                after.waiting = self._stops_at_pick(after, statement)
            if not after.waiting:
                self._arrive(after, self._next(after))
        except _GameOverError as over:
            self._finish(after, over.reason)
        return after

    # --- the contract

    def start(self, chance: Chance) -> SteppingState:
        """From the start to the first decision (or the end)."""
        return self._run(self.begin(), chance)

    def apply(self, state: SteppingState, move: Move, chance: Chance) -> SteppingState:
        """On to the next decision (or the end); raises IllegalMoveError."""
        return self._run(self.decide(state, move), chance)

    def mover(self, state: SteppingState) -> int | None:
        """The seat that decides; None when nobody does."""
        return self.values.value(self._decision(state).player, state) if state.waiting else None

    def legal(self, state: SteppingState) -> tuple[Move, ...]:
        """All legal moves, in order."""
        if not state.waiting:
            return ()
        return self._moves(state, self._decision(state))

    def outcome(self, state: SteppingState) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return state.result

    def events(self, state: SteppingState) -> tuple[Event, ...]:
        """Everything that happened so far."""
        return tuple(state.newest_events())[::-1]

    def latest(self, state: SteppingState) -> tuple[Event, ...]:
        """What happened since the decision before."""
        return tuple(state.newest_events(state.before_move))[::-1]

    def observe(self, state: SteppingState, seat: int) -> Observation:
        """What one seat has seen so far; quick for a position that comes after the one that was asked for before."""
        known, seen = self._observed.get(seat, (None, ()))
        new: list[Event] = []
        trail = state.trail
        while trail is not None and trail is not known:
            trail, event = trail
            new.append(event)
        if trail is None:
            seen = ()
        seen += observation(tuple(reversed(new)), seat).events
        self._observed[seat] = state.trail, seen
        return Observation(seat, seen)

    # --- running

    def _run(self, state: SteppingState, chance: Chance) -> SteppingState:
        while not state.waiting and state.result is None:
            state = self.step(state, chance)
        return state

    def _finish(self, state: SteppingState, reason: Reason) -> None:
        scores = tuple(state.variables["score", seat] for seat in self.seats)
        state.waiting = False
        state.tell(Event("end", value=str(reason), seers=self.everybody))
        state.result = Outcome(scores, reason, None if reason is Reason.END else state.node)

    def _next(self, state: SteppingState) -> int:
        number = self.chart.nodes[state.node].next
        assert number is not None
        return number

    def _arrive(self, state: SteppingState, number: int) -> None:
        """Counts the node and looks whether a player has to decide there."""
        state.node = number
        state.steps += 1
        state.since_move += 1
        if state.since_move > LOOP_LIMIT or state.steps > STEP_LIMIT:
            raise _GameOverError(Reason.STEP_LIMIT)
        statement = self.chart.nodes[number].statement
        if isinstance(statement, fc.Pick):
            state.picks_left = self.values.value(statement.number, state)
            state.waiting = self._stops_at_pick(state, statement)
        elif isinstance(statement, (fc.Play, fc.TakeSet, fc.Choose)):
            self._need_player(self.values.value(statement.player, state))
            if isinstance(statement, fc.Choose):
                self._owner(statement.target, state)
            else:
                self._target(statement.target, state)
            state.waiting = bool(self._moves(state, statement))
            if not state.waiting and not (isinstance(statement, fc.TakeSet) and statement.word == "take"):
                raise _GameOverError(Reason.NO_LEGAL_MOVE)

    def _pass(self, state: SteppingState, chance: Chance) -> int:
        """Does what a node does; returns the node that comes next."""
        node = self.chart.nodes[state.node]
        if node.kind is NodeKind.END:
            if not state.calls:
                raise _GameOverError(Reason.END)
            *calls, caller = state.calls
            state.calls = tuple(calls)
            after = self.chart.nodes[caller].next
            assert after is not None
            return after
        if node.condition is not None:
            yes = bool(self.values.value(node.condition, state))
            seers = frozenset[int]() if node.private else self.everybody
            word = "yes" if yes else "no"
            state.tell(Event("branch", node=node.number, value=word, seers=seers, private=node.private))
            following = node.yes if yes else node.no
            assert following is not None
            return following
        if isinstance(node.statement, fc.CallChart):
            state.calls = (*state.calls, node.number)
            return self.chart.charts[node.statement.chart].start
        if node.statement is not None and not isinstance(node.statement, (fc.Pick, fc.TakeSet)):
            self._execute(node.statement, state, chance)
        return self._next(state)

    # --- decisions

    def _decision(self, state: SteppingState) -> fc.Decision:
        statement = self.chart.nodes[state.node].statement
        assert isinstance(statement, fc.Decision)
        return statement

    def _stops_at_pick(self, state: SteppingState, statement: fc.Pick) -> bool:
        self._need_player(self.values.value(statement.player, state))
        self._target(statement.target, state)
        return state.picks_left > 0 and bool(self._candidates(statement, state))

    def _moves(self, state: SteppingState, statement: fc.Decision) -> tuple[Move, ...]:
        if isinstance(statement, fc.Choose):
            kind = self.chart.variables[statement.target.name].type
            return tuple(Move("choose", self.game.value_text(kind, value)) for value in self._offers(statement, state))
        if isinstance(statement, fc.TakeSet):
            sets = [self.game.move_of_set(statement.word, cards_of(cards)) for cards in self._sets(statement, state)]
            return (*sets, PASS) if statement.may_pass else tuple(sets)
        kind_name = "pick" if isinstance(statement, fc.Pick) else "play"
        moves = [Move(kind_name, code) for code in self._candidates(statement, state)]
        return (*moves, PASS) if isinstance(statement, fc.Play) and statement.may_pass else tuple(moves)

    def _candidates(self, statement: fc.Play | fc.Pick, state: SteppingState) -> dict[str, int]:
        """Card codes in deck order, each with the first of its copies."""
        source = self.values.zone(statement.source, state)
        found: dict[str, int] = {}
        for card in sorted(set(source) & self.values.cards(statement.cards, state)):
            found.setdefault(self.deck.code(card), card)
        return found

    def _sets(self, statement: fc.TakeSet, state: SteppingState) -> list[int]:
        return list(islice(self.values.elements(statement.sets, state), MAX_OFFERED))

    def _offers(self, statement: fc.Choose, state: SteppingState) -> list[int]:
        return list(dict.fromkeys(self.values.elements(statement.values, state)))[:MAX_CHOICES]

    def _do_move(self, state: SteppingState, statement: fc.Decision, move: Move) -> None:
        seat = self.values.value(statement.player, state)
        if isinstance(statement, fc.Choose):
            variable = self.chart.variables[statement.target.name]
            texts = {self.game.value_text(variable.type, value): value for value in self._offers(statement, state)}
            owner = self._owner(statement.target, state)
            seers = self._seers_of(variable, owner) | {seat}
            self._set(state, (variable.name, owner), texts[move.what])
            state.tell(Event("choose", seat=seat, name=variable.name, owner=owner, value=move.what, seers=seers))
        elif move == PASS:
            self._set(state, ("passed", seat), 1)
            state.tell(Event("pass", seat=seat, seers=self.everybody))
        else:
            number = None
            if isinstance(statement, fc.TakeSet):
                texts = {
                    self.game.move_of_set("", cards_of(cards)).what: cards for cards in self._sets(statement, state)
                }
                cards = list(cards_of(texts[move.what]))
                number = len(cards)
            else:
                cards = [self._candidates(statement, state)[move.what]]
            source, target = self.values.slot(statement.source, state), self.values.slot(statement.target, state)
            self._put(cards, source, target, state)
            if not isinstance(statement, fc.Pick) and statement.may_pass:
                self._set(state, ("passed", seat), 0)
            event = self._cards_event(move.kind, source, target, move.cards)
            state.tell(replace(event, seat=seat, number=number, seers=event.seers | {seat}))

    def why_illegal(self, state: SteppingState, move: Move, wording: Wording = WRITTEN) -> str:
        """Why a move is illegal there, in one sentence."""
        player = self.mover(state)
        if player is None:
            return f"illegal move '{move}': nobody decides here"
        last = next(state.newest_events(), None)
        came_by = None
        if last is not None and last.kind == "branch" and last.node is not None:
            came_by = last.node, last.value == "yes"
        facts = SteppingFacts(self.values, state)
        return why_illegal(facts, self.chart.nodes[state.node], player, move, self.legal(state), came_by, wording)

    # --- statements

    def _execute(self, statement: fc.Statement, state: SteppingState, chance: Chance) -> None:
        match statement:
            case fc.Assign(target=target, value=expr):
                owner = self._owner(target, state)
                variable = self.chart.variables[target.name]
                value = self.values.assigned(expr, state, chance)
                self._set(state, (target.name, owner), value)
                text = self.game.value_text(variable.type, value)
                seers = self._seers_of(variable, owner)
                state.tell(Event("assign", name=target.name, owner=owner, value=text, seers=seers))
            case fc.Gather():
                gathered: dict[Slot, tuple[int, ...]] = dict.fromkeys(state.zones, ())
                gathered["pack", None] = tuple(chance.shuffle(list(self.game.cards)))
                state.zones = gathered
                state.tell(Event("shuffle", source="pack", number=len(self.game.cards), seers=self.everybody))
            case fc.ShuffleZone(zone=zone):
                slot = self._target(zone, state)
                cards = state.zones[slot]
                if len(cards) > 1:
                    state.zones = {**state.zones, slot: tuple(chance.shuffle(sorted(cards)))}
                state.tell(
                    Event("shuffle", source=self.game.place_text(*slot), number=len(cards), seers=self.everybody)
                )
            case fc.Move():
                self._move(statement, state)
            case fc.Publish(parts=parts):
                text = "".join(part if isinstance(part, str) else self.values.text(part, state) for part in parts)
                state.tell(Event("publish", value=text, seers=self.everybody))
            case fc.Show():
                self._show(statement, state)
            case _:
                raise AssertionError(statement)

    def _move(self, statement: fc.Move, state: SteppingState) -> None:
        by_number = statement.by is MoveBy.NUMBER and statement.what is not None
        number = self.values.value(statement.what, state) if by_number and statement.what is not None else 0
        for seat in self.seats if statement.each_seat else (NONE,):
            bound = {"seat": seat}
            source = self.values.slot(statement.source, state, bound)
            target = self._target(statement.target, state, bound)
            cards = self.values.zone(statement.source, state, bound)
            if by_number:
                cards = cards[: max(number, 0)]
            elif statement.what is not None:
                cards = tuple(sorted(set(cards) & self.values.cards(statement.what, state, bound)))
            if cards:
                place = 1 if statement.place is None else self.values.value(statement.place, state, bound)
                self._put(cards, source, target, state, place)
                codes = tuple(map(self.deck.code, cards))
                state.tell(replace(self._cards_event("move", source, target, codes), number=len(cards)))

    def _show(self, statement: fc.Show, state: SteppingState) -> None:
        cards = sorted(self.values.cards(statement.cards, state))
        if not cards:
            return
        to = None if statement.audience is None else self.values.value(statement.audience, state)
        seers = self.everybody if to is None else frozenset({to} - {NONE})
        whole_zone = statement.cards.op == "zone"
        source = self.game.place_text(*self.values.slot(statement.cards, state)) if whole_zone else None
        codes = tuple(map(self.deck.code, cards))
        owner = None if to == NONE else to
        state.tell(Event("show", source=source, number=len(cards), cards=codes, owner=owner, seers=seers))

    def _set(self, state: SteppingState, slot: Slot, value: int) -> None:
        state.variables = {**state.variables, slot: value}

    def _put(
        self, cards: list[int] | tuple[int, ...], source: Slot, target: Slot, state: SteppingState, place: int = 1
    ) -> None:
        """Moves cards one after another, each onto the top or to another place."""
        for card in cards:
            left = list(state.zones[source])
            left.remove(card)
            state.zones = {**state.zones, source: tuple(left)}
            pile = list(state.zones[target])
            pile.insert(max(place, 1) - 1, card)
            state.zones = {**state.zones, target: tuple(pile)}

    # --- places and who sees them

    def _need_player(self, player: int) -> int:
        if player == NONE:
            raise _GameOverError(Reason.FAULT)
        return player

    def _owner(self, target: fc.VariableRef, state: SteppingState) -> int | None:
        return None if target.player is None else self._need_player(self.values.value(target.player, state))

    def _target(self, zone: Expr, state: SteppingState, bound: Bound = NOTHING_BOUND) -> Slot:
        name, owner = self.values.slot(zone, state, bound)
        return name, owner if owner is None else self._need_player(owner)

    def _seers_of(self, variable: fc.Variable, place: int | None) -> frozenset[int]:
        return self.game.value_seers(variable.name, place)

    def _cards_event(self, kind: str, source: Slot, target: Slot, codes: tuple[str, ...]) -> Event:
        """Cards went from one zone to another, which is seen by all who see one of them."""
        seers = self.game.seers(*source) | self.game.seers(*target)
        return Event(
            kind, source=self.game.place_text(*source), target=self.game.place_text(*target), cards=codes, seers=seers
        )
