"""A slow, plain interpreter of charts, written from docs/language-design.md and nothing else.

It is the third opinion when engines disagree, and quick enough (unlike ASP) to check thousands of generated charts.
Zones are lists from the top, or deck-ordered where the chart does not look at their order; everything else is an int.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from fcdl.language import flowchart as fc
from fcdl.language.flowchart import ANY, MAX_CHOICES, MAX_RANGE, NONE, Expr, MoveBy, NodeKind, Type
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

Slot = tuple[str, int | None]
"""A variable or a zone, and its player."""


class _GameOverError(Exception):
    def __init__(self, reason: Reason) -> None:
        self.reason = reason


@dataclass
class ReferenceState:
    """A position; treated as immutable."""

    node: int
    variables: dict[Slot, int]
    zones: dict[Slot, list[int]]
    calls: list[int] = field(default_factory=list)
    steps: int = 0
    since_move: int = 0
    picks_left: int | None = None
    passes: int = 0
    told: int = 0
    """Events before the last move."""
    events: list[Event] = field(default_factory=list)
    result: Outcome | None = None


def saturate(value: int) -> int:
    return max(-(2**31), min(2**31 - 1, value))


class ReferenceEngine:
    """The `Engine` contract, in the plainest way."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.chart = game.flowchart
        self.deck = game.flowchart.deck
        self.seats = range(game.players)
        self.everybody = frozenset(self.seats)

    @property
    def game(self) -> Game:
        return self._game

    # --- the contract

    def start(self, chance: Chance) -> ReferenceState:
        variables: dict[Slot, int] = {}
        for variable in self.chart.variables.values():
            first = variable.initial
            if first is None:
                first = 0 if variable.type in (Type.INT, Type.BOOL) else NONE
            for owner in self.seats if variable.per_player else (None,):
                variables[variable.name, owner] = first
        zones: dict[Slot, list[int]] = {}
        for zone in self.chart.zones.values():
            for owner in self.seats if zone.per_player else (None,):
                zones[zone.name, owner] = []
        zones["pack", None] = list(self.game.cards)
        state = ReferenceState(self.chart.charts[self.chart.main].start, variables, zones)
        self._run(state, chance)
        return state

    def mover(self, state: ReferenceState) -> int | None:
        return None if state.result is not None else self._value(self._decision(state).player, state, {})

    def legal(self, state: ReferenceState) -> tuple[Move, ...]:
        if state.result is not None:
            return ()
        statement = self._decision(state)
        if isinstance(statement, fc.Choose):
            kind = self.chart.variables[statement.target.name].type
            return tuple(Move("choose", self.game.value_text(kind, value)) for value in self._offers(statement, state))
        kind_name = "pick" if isinstance(statement, fc.Pick) else "play"
        moves = [Move(kind_name, code) for code in self._candidates(statement, state)]
        return (*moves, PASS) if isinstance(statement, fc.Play) and statement.may_pass else tuple(moves)

    def apply(self, state: ReferenceState, move: Move, chance: Chance) -> ReferenceState:
        if move not in self.legal(state):
            raise IllegalMoveError(str(move))
        after = replace(
            state,
            variables=dict(state.variables),
            zones={slot: list(cards) for slot, cards in state.zones.items()},
            calls=list(state.calls),
            events=list(state.events),
            passes=state.passes + 1 if move == PASS else 0,
            told=len(state.events),
        )
        statement = self._decision(after)
        seat = self._value(statement.player, after, {})
        if isinstance(statement, fc.Choose):
            variable = self.chart.variables[statement.target.name]
            (value,) = (
                v for v in self._offers(statement, after) if self.game.value_text(variable.type, v) == move.what
            )
            owner = self._owner(statement.target, after)
            after.variables[variable.name, owner] = value
            seers = self._seers_of(variable, owner) | {seat}
            after.events.append(
                Event("choose", seat=seat, name=variable.name, owner=owner, value=move.what, seers=seers)
            )
        elif move == PASS:
            after.variables["passed", seat] = 1
            after.events.append(Event("pass", seat=seat, seers=self.everybody))
        else:
            card = self._candidates(statement, after)[move.what]
            source, target = self._slot(statement.source, after, {}), self._slot(statement.target, after, {})
            self._put(card, source, target, after)
            if isinstance(statement, fc.Play) and statement.may_pass:
                after.variables["passed", seat] = 0
            seers = self._zone_seers(source) | self._zone_seers(target) | {seat}
            event = Event(
                move.kind, seat=seat, source=_text(source), target=_text(target), cards=(move.what,), seers=seers
            )
            after.events.append(event)
        after.since_move = 0
        if isinstance(statement, fc.Pick):
            assert after.picks_left is not None
            after.picks_left -= 1
        self._run(after, chance, going_on=True)
        return after

    def outcome(self, state: ReferenceState) -> Outcome | None:
        return state.result

    def events(self, state: ReferenceState) -> tuple[Event, ...]:
        return tuple(state.events)

    def latest(self, state: ReferenceState) -> tuple[Event, ...]:
        return tuple(state.events[state.told :])

    def observe(self, state: ReferenceState, seat: int) -> Observation:
        return observation(self.events(state), seat)

    # --- running

    def _run(self, state: ReferenceState, chance: Chance, *, going_on: bool = False) -> None:
        """To the next decision; `going_on`: the decision at the current node has just been made."""
        try:
            if going_on:
                if state.passes >= PASS_LIMIT:
                    raise _GameOverError(Reason.STALEMATE)
                if isinstance(self._decision(state), fc.Pick) and self._stops_at_pick(state):
                    return
                self._follow(state, self.chart.nodes[state.node].next)
            while True:
                state.steps += 1
                state.since_move += 1
                if state.since_move > LOOP_LIMIT or state.steps > STEP_LIMIT:
                    raise _GameOverError(Reason.STEP_LIMIT)
                if self._arrive(state, chance):
                    return
        except _GameOverError as over:
            scores = tuple(state.variables["score", seat] for seat in self.seats)
            node = None if over.reason is Reason.END else state.node
            state.events.append(Event("end", value=str(over.reason), seers=self.everybody))
            state.result = Outcome(scores, over.reason, node)

    def _follow(self, state: ReferenceState, number: int | None) -> None:
        assert number is not None
        state.node = number

    def _arrive(self, state: ReferenceState, chance: Chance) -> bool:
        """Does what a node does and goes on; whether a player has to decide."""
        node = self.chart.nodes[state.node]
        if node.kind is NodeKind.END:
            if not state.calls:
                raise _GameOverError(Reason.END)
            self._follow(state, state.calls.pop())
            return False
        if node.kind is NodeKind.CHOICE:
            assert node.condition is not None
            yes = bool(self._value(node.condition, state, {}))
            seers = frozenset[int]() if node.private else self.everybody
            state.events.append(
                Event("branch", node=node.number, value="yes" if yes else "no", seers=seers, private=node.private)
            )
            self._follow(state, node.yes if yes else node.no)
            return False
        statement = node.statement
        if isinstance(statement, fc.CallChart):
            assert node.next is not None
            state.calls.append(node.next)
            self._follow(state, self.chart.charts[statement.chart].start)
            return False
        if isinstance(statement, fc.Pick):
            state.picks_left = self._value(statement.number, state, {})
            if self._stops_at_pick(state):
                return True
        elif isinstance(statement, (fc.Play, fc.Choose)):
            self._need_player(self._value(statement.player, state, {}))
            if isinstance(statement, fc.Choose):
                self._owner(statement.target, state)
            else:
                self._target(statement.target, state, {})
            if not self.legal(state):
                raise _GameOverError(Reason.NO_LEGAL_MOVE)
            return True
        elif statement is not None:
            self._execute(statement, state, chance)
        self._follow(state, node.next)
        return False

    def _stops_at_pick(self, state: ReferenceState) -> bool:
        statement = self._decision(state)
        assert isinstance(statement, fc.Pick)
        assert state.picks_left is not None
        self._need_player(self._value(statement.player, state, {}))
        self._target(statement.target, state, {})
        return state.picks_left > 0 and bool(self._candidates(statement, state))

    def _decision(self, state: ReferenceState) -> fc.Decision:
        statement = self.chart.nodes[state.node].statement
        assert isinstance(statement, (fc.Play, fc.Pick, fc.Choose))
        return statement

    def _candidates(self, statement: fc.Play | fc.Pick, state: ReferenceState) -> dict[str, int]:
        """Card codes in deck order, each with the first of its copies."""
        source = self._zone(statement.source, state, {})
        found: dict[str, int] = {}
        for card in sorted(set(source) & self._cards(statement.cards, state, {})):
            found.setdefault(self.deck.code(card), card)
        return dict(sorted(found.items(), key=lambda item: item[1]))

    def _offers(self, statement: fc.Choose, state: ReferenceState) -> list[int]:
        return list(dict.fromkeys(self._elements(statement.values, state, {})))[:MAX_CHOICES]

    # --- statements

    def _execute(self, statement: fc.Statement, state: ReferenceState, chance: Chance) -> None:
        match statement:
            case fc.Assign(target=target, value=expr):
                owner = self._owner(target, state)
                variable = self.chart.variables[target.name]
                value = self._value(expr, state, {}, chance)
                state.variables[target.name, owner] = value
                text = self.game.value_text(variable.type, value)
                seers = self._seers_of(variable, owner)
                state.events.append(Event("assign", name=target.name, owner=owner, value=text, seers=seers))
            case fc.Gather():
                for cards in state.zones.values():
                    cards.clear()
                state.zones["pack", None] = list(chance.shuffle(list(self.game.cards)))
                state.events.append(Event("shuffle", source="pack", number=len(self.game.cards), seers=self.everybody))
            case fc.ShuffleZone(zone=zone):
                slot = self._slot(zone, state, {})
                if slot[1] is not None:
                    self._need_player(slot[1])
                if len(state.zones[slot]) > 1:
                    state.zones[slot] = list(chance.shuffle(sorted(state.zones[slot])))
                state.events.append(
                    Event("shuffle", source=_text(slot), number=len(state.zones[slot]), seers=self.everybody)
                )
            case fc.Move():
                self._move(statement, state)
            case fc.Publish(parts=parts):
                text = "".join(part if isinstance(part, str) else self._said(part, state) for part in parts)
                state.events.append(Event("publish", value=text, seers=self.everybody))
            case fc.Show(cards=expr, audience=audience):
                cards = sorted(self._cards(expr, state, {}))
                to = None if audience is None else self._value(audience, state, {})
                seers = self.everybody if to is None else frozenset({to} - {NONE})
                codes = tuple(map(self.deck.code, cards))
                if cards:
                    owner = None if to == NONE else to
                    source = _text(self._slot(expr, state, {})) if expr.op == "zone" else None
                    event = Event("show", source=source, number=len(cards), cards=codes, owner=owner, seers=seers)
                    state.events.append(event)
            case _:
                raise AssertionError(statement)

    def _move(self, statement: fc.Move, state: ReferenceState) -> None:
        number = self._value(statement.what, state, {}) if statement.by is MoveBy.NUMBER and statement.what else 0
        for seat in self.seats if statement.each_seat else (NONE,):
            bound = {"seat": seat}
            source, target = self._slot(statement.source, state, bound), self._target(statement.target, state, bound)
            cards = self._zone(statement.source, state, bound)
            if statement.by is MoveBy.NUMBER:
                cards = cards[: max(number, 0)]
            elif statement.by is MoveBy.CARDS:
                assert statement.what is not None
                cards = sorted(set(cards) & self._cards(statement.what, state, bound))
            for card in cards:
                self._put(card, source, target, state)
            if cards:
                seers = self._zone_seers(source) | self._zone_seers(target)
                codes = tuple(map(self.deck.code, cards))
                event = Event(
                    "move", source=_text(source), target=_text(target), number=len(cards), cards=codes, seers=seers
                )
                state.events.append(event)

    def _put(self, card: int, source: Slot, target: Slot, state: ReferenceState) -> None:
        state.zones[source].remove(card)
        state.zones[target].insert(0, card)

    def _said(self, expr: Expr, state: ReferenceState) -> str:
        if expr.type is Type.CARDS:
            return " ".join(self.deck.code(card) for card in sorted(self._cards(expr, state, {}))) or "none"
        value = self._value(expr, state, {})
        text = self.game.value_text(expr.type, value)
        return f"player {text}" if expr.type is Type.PLAYER and value >= 0 else text

    # --- places and who sees them

    def _need_player(self, player: int) -> int:
        if player == NONE:
            raise _GameOverError(Reason.FAULT)
        return player

    def _owner(self, target: fc.VariableRef, state: ReferenceState) -> int | None:
        return None if target.player is None else self._need_player(self._value(target.player, state, {}))

    def _seers_of(self, variable: fc.Variable, owner: int | None) -> frozenset[int]:
        if not variable.secret:
            return self.everybody
        return frozenset() if owner is None else frozenset({owner})

    def _slot(self, zone: Expr, state: ReferenceState, bound: Mapping[str, int]) -> Slot:
        assert zone.name is not None
        return zone.name, self._value(zone.args[0], state, bound) if zone.args else None

    def _target(self, zone: Expr, state: ReferenceState, bound: Mapping[str, int]) -> Slot:
        name, owner = self._slot(zone, state, bound)
        return name, owner if owner is None else self._need_player(owner)

    def _zone(self, zone: Expr, state: ReferenceState, bound: Mapping[str, int]) -> list[int]:
        """The cards of a zone from the top (or in deck order)."""
        slot = self._slot(zone, state, bound)
        cards = list(state.zones.get(slot, ()))
        return cards if self.chart.zones[slot[0]].ordered or slot[0] == "pack" else sorted(cards)

    def _zone_seers(self, slot: Slot) -> frozenset[int]:
        return self.game.seers(slot[0], slot[1])

    # --- expressions

    def _cards(self, expr: Expr, state: ReferenceState, bound: Mapping[str, int]) -> set[int]:
        args = expr.args
        match expr.op:
            case "zone":
                return set(self._zone(expr, state, bound))
            case "allCards":
                return set(self.game.cards)
            case "single":
                return {self._value(args[0], state, bound)} - {NONE}
            case "template":
                rank, suit = (self._value(arg, state, bound) for arg in args)
                return {
                    card
                    for card in self.game.cards
                    if rank in (ANY, self.deck.rank_of(card)) and suit in (ANY, self.deck.suit_of(card))
                }
            case "union":
                return self._cards(args[0], state, bound) | self._cards(args[1], state, bound)
            case "intersect":
                return self._cards(args[0], state, bound) & self._cards(args[1], state, bound)
            case "except":
                return self._cards(args[0], state, bound) - self._cards(args[1], state, bound)
            case "if":
                return self._cards(args[1 if self._value(args[0], state, bound) else 2], state, bound)
            case "those":
                return set(self._elements(expr, state, bound))
        raise AssertionError(expr.op)

    def _elements(self, expr: Expr, state: ReferenceState, bound: Mapping[str, int]) -> Iterator[int]:
        """The elements of a domain, in order."""
        match expr.op:
            case "players":
                yield from self.seats
            case "suits":
                yield from range(len(self.deck.suits))
            case "ranks":
                yield from range(len(self.deck.ranks))
            case "range":
                low, high = (self._value(arg, state, bound) for arg in expr.args)
                yield from range(low, min(high + 1, low + MAX_RANGE))
            case "values":
                for item in expr.args:
                    yield from self._elements(item, state, bound)
            case "when":
                if self._value(expr.args[0], state, bound):
                    yield from self._elements(expr.args[1], state, bound)
            case "those":
                assert expr.name is not None
                for element in self._elements(expr.args[0], state, bound):
                    if self._value(expr.args[1], state, {**bound, expr.name: element}):
                        yield element
            case _ if expr.type is Type.CARDS:
                yield from sorted(self._cards(expr, state, bound))
            case _:
                yield self._value(expr, state, bound)

    def _value(self, expr: Expr, state: ReferenceState, bound: Mapping[str, int], chance: Chance | None = None) -> int:
        op, args, name = expr.op, expr.args, expr.name
        if op in ("sum", "largest", "smallest", "highest", "lowest", "countOf", "some", "every"):
            return self._aggregate(expr, state, bound)
        if op in ("count", "empty"):
            size = len(self._cards(args[0], state, bound))
            return size if op == "count" else int(size == 0)
        if op == "theCard":
            return min(self._cards(args[0], state, bound), default=NONE)
        if op in ("top", "bottom"):
            cards = self._zone(args[0], state, bound)
            return (cards[0] if op == "top" else cards[-1]) if cards else NONE
        if op == "member":
            return int(self._value(args[0], state, bound) in self._cards(args[1], state, bound))
        if op == "playerHas":
            hand = state.zones.get(("hand", self._value(args[0], state, bound)), [])
            return int(not self._cards(args[1], state, bound).isdisjoint(hand))
        if op == "if":
            return self._value(args[1 if self._value(args[0], state, bound, chance) else 2], state, bound, chance)
        values = [self._value(arg, state, bound, chance) for arg in args]
        if op == "random":
            assert chance is not None
            return chance.number(values[0]) if values[0] >= 2 else 0
        if op == "cardsRemaining":
            return len(state.zones.get(("hand", values[0]), []))
        if op == "playerVariable":
            default = 0 if expr.type in (Type.INT, Type.BOOL) else NONE
            return state.variables.get((str(name), values[0]), default)
        match op:
            case "const":
                assert expr.value is not None
                return expr.value
            case "variable":
                return state.variables[str(name), None]
            case "option":
                return self.game.options[str(name)]
            case "numberOfPlayers":
                return self.game.players
            case "local":
                return bound[str(name)]
            case "listSize":
                return len(self.chart.lists[str(name)])
            case "list":
                numbers = self.chart.lists[str(name)]
                return numbers[values[0]] if 0 <= values[0] < len(numbers) else 0
            case "table":
                return self._table(str(name), args[0].type, values[0])
        return saturate(self._function(op, *values))

    def _table(self, name: str, kind: Type, key: int) -> int:
        table = self.chart.tables[name]
        if kind is Type.CARD:
            return table.of_card(self.deck, key)
        return table.of_rank(key) if kind is Type.RANK else table.of_suit(key)

    def _function(self, op: str, a: int, b: int = 0) -> int:
        players = self.game.players
        teams = {seat: team for team in self.chart.teams for seat in team}
        match op:
            case "add":
                return a + b
            case "subtract":
                return a - b
            case "multiply":
                return a * b
            case "divide":
                return a // b if b else 0
            case "modulo":
                return a % b if b else 0
            case "minimum":
                return min(a, b)
            case "maximum":
                return max(a, b)
            case "negate":
                return -a
            case "absolute":
                return abs(a)
            case "equal" | "notEqual":
                return int((a == b) == (op == "equal"))
            case "less" | "lessEqual":
                return int(a < b or (op == "lessEqual" and a == b))
            case "greater" | "greaterEqual":
                return int(a > b or (op == "greaterEqual" and a == b))
            case "and":
                return int(a and b)
            case "or":
                return int(a or b)
            case "not":
                return int(not a)
            case "playerNumber":
                return a
            case "player" | "suitAt" | "rankAt":
                limit = {"player": players, "suitAt": len(self.deck.suits), "rankAt": len(self.deck.ranks)}[op]
                return a if 0 <= a < limit else NONE
            case "sameTeam":
                return int(a == b or (a >= 0 and b in teams.get(a, ())))
        if a < 0:
            return NONE
        match op:
            case "next":
                return (a + 1) % players
            case "previous":
                return (a - 1) % players
            case "partner":
                team = teams[a]
                return team[(team.index(a) + 1) % len(team)]
            case "suit":
                return self.deck.suit_of(a)
            case "rank":
                return self.deck.rank_of(a)
        raise AssertionError(op)

    def _aggregate(self, expr: Expr, state: ReferenceState, bound: Mapping[str, int]) -> int:
        assert expr.name is not None
        chosen: list[tuple[int, Mapping[str, int]]] = []
        holds: list[bool] = []
        for element in self._elements(expr.args[0], state, bound):
            inner = {**bound, expr.name: element}
            holds.append(bool(self._value(expr.args[1], state, inner)))
            if holds[-1]:
                chosen.append((element, inner))
        match expr.op:
            case "countOf":
                return len(chosen)
            case "some":
                return int(any(holds))
            case "every":
                return int(all(holds))
        values = [(element, self._value(expr.args[2], state, inner)) for element, inner in chosen]
        match expr.op:
            case "sum":
                total = 0
                for _, value in values:
                    total = saturate(total + value)
                return total
            case "largest":
                return max((value for _, value in values), default=0)
            case "smallest":
                return min((value for _, value in values), default=0)
            case "highest":
                return max(values, key=lambda pair: pair[1])[0] if values else NONE
        return min(values, key=lambda pair: pair[1])[0] if values else NONE


def _text(slot: Slot) -> str:
    return slot[0] if slot[1] is None else f"{slot[0]}({slot[1]})"
