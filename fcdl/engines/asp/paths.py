"""The ways through one pass of a game's main loop, walked by `asp/paths.lp` and weighed by `asp/heuristics.lp`.

The facts are those that the heads of these files list. Expressions are numbers; what they are made of:

  const                     constant(E, v(S, C))         suits, ranks and words by name
  player(1), a constant     seat(E, P)
  x, x(p)                   variable(E, X), variable(E, X, A)
  cardsRemaining(p)         remaining(E, A)
  top(z), top(z(p))         top(E, Z), top(E, Z, A)
  player(i)                 player(E, A)
  next(p) ...               seatAfter(E, Op, A)
  playerHas(p, cs)          has(E, A, B)
  all others                part(E, Op, A), part(E, Op, A, B), part(E, Op, A, B, C)

Aggregates, contents of zones and chance have no facts, so what needs them is `unclear`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from clingo import Control, Function, Model, Number, String, Symbol, SymbolType, Tuple_

from fcdl.data import data_text
from fcdl.engines.asp.program import Complaints
from fcdl.language import flowchart as fc
from fcdl.language.arithmetic import BINARY, UNARY, saturate
from fcdl.language.flowchart import ANY, NONE, Expr, MoveBy, NodeKind, Type
from fcdl.language.loops import MainLoop, OutsideError, Place, changes_score
from fcdl.model.game import Game

MAX_INSTANCES = 1000
MAX_STEPS = 1000
MAX_WAYS = 20_000

REASONS = {
    "endless": "how often this loop turns depends on the cards; only a fixed number of turns can be unrolled",
    "secondCard": "a player plays a second card in the same pass",
    "pick": "cards are picked here; the method knows only cards that are played",
    "choose": "a value is chosen here; the method knows only cards that are played",
    "unclear": "what this says cannot be expressed by the cards played and the values at the start of the pass",
    "noNumber": "the score changes here by something that is not a fixed number",
    "lost": "what the players want cannot be followed through the pass",
}

UNKNOWN = Function("unknown")
_TRUE, _FALSE = Function("true"), Function("false")
_COMPARISONS = {
    "equal": "equal",
    "less": "lessThan",
    "lessEqual": "lessOrEqual",
    "greater": "greaterThan",
    "greaterEqual": "greaterOrEqual",
}
_TERMS = {
    "playerNumber",
    "suit",
    "rank",
    "suitAt",
    "rankAt",
    "union",
    "intersect",
    "except",
    "playerHas",
    "if",
    "sameTeam",
}
_OPERATIONS = {
    "add",
    "subtract",
    "multiply",
    "divide",
    "modulo",
    "minimum",
    "maximum",
    "and",
    "or",
    "negate",
    "absolute",
}
_PARTS = {*_COMPARISONS, *_TERMS, *_OPERATIONS, "notEqual", "not", "template", "table", "list", "single", "theCard"}
_VOCABULARY = {"me", "otherPlayer", "myCard", "otherCard"}
_STATIC = {"const", "option", "numberOfPlayers", "listSize"}
_SEATS = {"next", "previous", "partner"}


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the thesis's vocabulary, such as `equal(suit(myCard),trumps)`; a number's name is its text."""

    name: str
    args: tuple[Term, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({','.join(map(str, self.args))})" if self.args else self.name


@dataclass(frozen=True, slots=True)
class Way:
    """One way through the pass, in one instance: `me` is a seat, and the variables that name players name certain ones.

    `conditions` come in the order in which they are asked; `order` says who plays, in order; `wishes` are the
    properties that `me` wants more (1) or less (-1) of.
    """

    instance: int
    seat: int
    weight: int
    conditions: tuple[Term, ...]
    order: tuple[Term, ...]
    wishes: tuple[tuple[int, Term], ...]


def find_ways(game: Game, main: MainLoop) -> list[Way]:
    """Every way through one pass of the main loop, for every instance; OutsideError says why there are none."""
    complaints = Complaints()
    control = Control(["--models=0"], logger=complaints)
    with control.backend() as backend:
        for fact in _Facts(game, main).all:
            backend.add_rule([backend.add_atom(fact)])
    control.add("base", [], data_text("asp", "paths.lp"))
    context = _Primitives(game)

    def ground(*parts: tuple[str, Sequence[Symbol]]) -> None:
        complaints.watch(lambda: control.ground(parts, context=context))
        _refuse(control, main)

    for step in range(MAX_STEPS):
        ground(*[("base", [])] * (step == 0), ("look", [Number(step)]))
        ground(("step", [Number(step)]))
        going = sum(atom.symbol.arguments[1].number > step for atom in control.symbolic_atoms.by_signature("at", 3))
        if not going:
            break
        if going > MAX_WAYS:
            raise OutsideError(f"there are more than {MAX_WAYS} ways through one pass")
    else:
        raise OutsideError(f"one pass takes more than {MAX_STEPS} steps", main.places[main.loop.head].node)
    control.add("worth", [], data_text("asp", "heuristics.lp"))
    ground(("worth", []))
    found: list[Way] = []
    control.solve(on_model=lambda model: found.append(_way(model)))
    return sorted(found, key=lambda way: (way.instance, tuple(map(str, way.conditions))))


def _refuse(control: Control, main: MainLoop) -> None:
    """Raises OutsideError for the first place where the method ends."""
    found = sorted(atom.symbol for atom in control.symbolic_atoms.by_signature("outside", 2))
    for symbol in found:
        where, reason = symbol.arguments
        place = main.places[where.number] if where.type is SymbolType.Number else _culprit(main, where)
        raise OutsideError(REASONS[reason.name], place.node)


def _culprit(main: MainLoop, location: Symbol) -> Place:
    """Where the pass does something to a location that is more than adding a number."""
    inside = [place for place in main.places.values() if place.number in main.loop.places]
    if location.name == "x":
        for place in inside:
            statement = place.node.statement
            if isinstance(statement, fc.Assign) and statement.target.name == location.arguments[0].string:
                value = statement.value
                if value.op not in ("add", "subtract") or all(part.op != "const" for part in value.args):
                    return place
    moves = (place for place in inside if isinstance(place.node.statement, fc.Move | fc.Gather))
    return next(moves, main.places[main.loop.head])


def _way(model: Model) -> Way:
    instance = seat = weight = 0
    told, order, wishes = [], [], []
    for symbol in model.symbols(shown=True):
        match symbol.name, symbol.arguments:
            case "weight", [value]:
                weight = value.number
            case "seat", [number, value]:
                instance, seat = number.number, value.number
            case "told", [time, condition]:
                told.append((time.number, _rank(condition), condition))
            case "order", [time, who]:
                order.append((time.number, who))
            case "wish", [sign, what]:
                wishes.append((sign.number, what))
    conditions = [condition for _, _, condition in sorted(told)]
    return Way(
        instance,
        seat,
        weight,
        tuple(dict.fromkeys(map(_term, conditions))),
        tuple(_term(who) for _, who in sorted(order)),
        tuple((sign, _term(what)) for sign, what in sorted(wishes, reverse=True)),
    )


def _rank(condition: Symbol) -> int:
    """Among the conditions of one step: first who it is, then the card."""
    return 0 if condition.match("equal", 2) and condition.arguments[0].match("player", 1) else 1


def _term(symbol: Symbol) -> Term:
    if symbol.type is SymbolType.Function and symbol.name:
        return Term(symbol.name, tuple(map(_term, symbol.arguments)))
    return Term(str(symbol))


def _name(text: str) -> Symbol:
    """A name of the chart as a term: as it is where ASP allows that, else quoted."""
    if re.fullmatch(r"\d{1,9}", text):
        return Number(int(text))
    return Function(text) if re.fullmatch(r"[a-z][A-Za-z0-9_]*", text) and text != "not" else String(text)


def _variable(text: str) -> Symbol:
    """The name of a variable, which must not be taken for a word of the vocabulary."""
    return String(text) if text in _VOCABULARY else _name(text)


def _pair(symbol: Symbol, known: Symbol = UNKNOWN) -> Symbol:
    return Function("v", [symbol, known])


class _Primitives:
    """The functions that the rules call: terms are built, and folded where their parts are known."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def apply(self, op: Symbol, *values: Symbol) -> Symbol:
        """An operation on values v(S, C)."""
        terms = [value.arguments[0] for value in values]
        known = [value.arguments[1] for value in values]
        name = op.name
        if name in ("and", "or"):
            decisive = Number(0 if name == "and" else 1)
            if decisive in known:
                return _truth(decisive.number)
            open_values = [value for value, number in zip(values, known, strict=True) if number == UNKNOWN]
            if len(open_values) < 2:
                return open_values[0] if open_values else values[0]
        if name == "if" and known[0] != UNKNOWN:
            return values[1] if known[0].number else values[2]
        if name in ("equal", "notEqual") and terms[0] == terms[1]:
            return _truth(int(name == "equal"))
        number = self._calculate(name, known)
        if number is not None and (name in _COMPARISONS or name in ("notEqual", "not", "and", "or", "sameTeam")):
            return _truth(number)
        if number is not None and name != "playerNumber" and all(t.type is SymbolType.Number for t in terms):
            return _pair(Number(number), Number(number))
        return _pair(_build(op, terms), UNKNOWN if number is None else Number(number))

    def _calculate(self, op: str, known: Sequence[Symbol]) -> int | None:
        if any(value.type is not SymbolType.Number for value in known):
            return None
        numbers = [value.number for value in known]
        if op in BINARY:
            return saturate(BINARY[op](*numbers))
        if op in UNARY:
            return saturate(UNARY[op](*numbers))
        if op == "sameTeam":
            a, b = numbers
            return int(a == b or any(a in team and b in team for team in self._game.flowchart.teams))
        return None

    def neg(self, symbol: Symbol) -> Symbol:
        """The opposite of a condition."""
        return _neg(symbol)

    def seatAfter(self, op: Symbol, seat: Symbol) -> Symbol:  # noqa: N802 (a name of the rules)
        """The seat next to a seat, or the next one of its team."""
        if seat.type is not SymbolType.Number or seat.number < 0:
            return Number(NONE)
        players, at = self._game.players, seat.number
        if op.name == "partner":
            team = next((team for team in self._game.flowchart.teams if at in team), (at,))
            return Number(team[(team.index(at) + 1) % len(team)])
        return Number((at + (1 if op.name == "next" else -1)) % players)

    def change(self, before: Symbol, after: Symbol) -> Symbol:
        """By how much a term is more than another one that it is made of; `unclear` if that is no number."""
        total = 0
        while after != before:
            if not after.match("operation", 3) or after.arguments[0].name not in ("add", "subtract"):
                return Function("unclear")
            op, left, right = after.arguments
            if left.type is SymbolType.Number and op.name == "add":
                left, right = right, left
            if right.type is not SymbolType.Number:
                return Function("unclear")
            total += right.number if op.name == "add" else -right.number
            after = left
        return Number(total)


def _truth(value: int) -> Symbol:
    return _pair(_TRUE if value else _FALSE, Number(value))


def _neg(symbol: Symbol) -> Symbol:
    return symbol.arguments[0] if symbol.match("neg", 1) else Function("neg", [symbol])


def _build(op: Symbol, terms: Sequence[Symbol]) -> Symbol:
    """The term of an operation in the thesis's words."""
    name = op.name
    if name in _COMPARISONS:
        return Function(_COMPARISONS[name], terms)
    if name == "notEqual":
        return _neg(Function("equal", terms))
    if name == "not":
        return _neg(terms[0])
    if name in _OPERATIONS:
        return Function("operation", [Function(name), *terms])
    if name == "template":
        return Function("card", terms)
    if name in ("single", "theCard"):
        return terms[0]
    if name in ("table", "list"):
        table = _name(op.arguments[0].string)
        return Function(table.name, terms) if table.type is SymbolType.Function else Function(name, [table, *terms])
    return Function(name, terms)


class _Facts:
    """A game and its loops as facts; `all` has them."""

    def __init__(self, game: Game, main: MainLoop) -> None:
        self.game = game
        self.chart = game.flowchart
        self.main = main
        self._numbers: dict[Expr, int] = {}
        self.all: list[Symbol] = []
        live = live_variables(main)
        self._looked_at: set[str] = set()
        self._indices = sorted(_indices(self.chart, main) & live)
        for place in main.places.values():
            self._place(place)
        self._loops()
        self._start(live)

    def _add(self, name: str, *arguments: Symbol | int | str) -> None:
        symbols = [
            Number(argument)
            if isinstance(argument, int)
            else String(argument)
            if isinstance(argument, str)
            else argument
            for argument in arguments
        ]
        self.all.append(Function(name, symbols))

    # Loops

    def _loops(self) -> None:
        loop, places = self.main.loop, self.main.places
        self._add("begins", Function("pass"), loop.head)
        if loop.head in loop.exits:
            self._add("entry", loop.head)
        for n in loop.places:
            self._add("inside", n)
        for k, inner in enumerate(self.main.others):
            self._add("head", k, inner.head)
            for n in inner.places:
                self._add("inner", k, n)
            for n in inner.exits:
                self._add("exit", k, n)
        scoring = [place for place in places.values() if changes_score(place.node)]
        inside = [place for place in scoring if place.number in loop.places]
        after = [place for place in scoring if place.number in _reachable(self.main) - loop.places]
        if inside and after:
            raise OutsideError("scores change in the main loop and here, after it", after[0].node)
        if not scoring:
            raise OutsideError("no score ever changes, so there is nothing to want")
        if inside:
            self._add("located", Function("inside"))
        for n in loop.exits if not inside else ():
            self._add("begins", Function("after", [Number(n)]), n)
        self._add("scoring", -1 if self.chart.lowest_wins else 1)

    # Who is who, and what is where at the start of the pass

    def _start(self, live: set[str]) -> None:
        players = self.game.players
        if players ** (1 + len(self._indices)) > MAX_INSTANCES:
            raise OutsideError(f"too many variables name players: {', '.join(self._indices)}")
        instances = product(range(players), repeat=1 + len(self._indices))
        for number, (me, *seats) in enumerate(instances):
            self._add("instance", number)
            who = [_who("Player", (seat - me) % players, players) for seat in range(players)]
            for seat in range(players):
                self._add("who", number, seat, who[seat], _who("Card", (seat - me) % players, players))
            self._initial(number, live, who, dict(zip(self._indices, seats, strict=True)))
        for name in self._indices:
            if self.chart.variables[name].type is Type.PLAYER:
                self._add("fresh", name, _variable(name))

    def _initial(self, instance: int, live: set[str], who: Sequence[Symbol], seats: Mapping[str, int]) -> None:
        def put(location: Symbol, value: Symbol) -> None:
            self._add("initial", instance, location, value)

        for variable in self.chart.variables.values():
            name = String(variable.name)
            if variable.per_player:
                for seat, player in enumerate(who):
                    put(Function("x", [name, Number(seat)]), _pair(_of(variable.name, player)))
            elif variable.name in seats:
                seat = seats[variable.name]
                term = who[seat] if variable.type is Type.PLAYER else _variable(variable.name)
                put(Function("x", [name]), _pair(term, Number(seat)))
            elif variable.name in live:
                put(Function("x", [name]), _pair(_variable(variable.name)))
        for seat, player in enumerate(who):
            put(Function("hand", [Number(seat)]), _pair(Function("cardsRemaining", [player])))
        for zone in (self.chart.zones[name] for name in sorted(self._looked_at)):
            if not zone.per_player:
                put(Function("top", [String(zone.name)]), _pair(Function("top", [_name(zone.name)])))
                continue
            for seat, player in enumerate(who):
                put(Function("top", [String(zone.name), Number(seat)]), _pair(_of(zone.name, player)))

    # Nodes

    def _place(self, place: Place) -> None:
        n, node = place.number, place.node
        if place.next is not None:
            self._add("next", n, place.next)
        if node.kind is NodeKind.END and place.next is None:
            self._add("ends", n)
        if node.kind is NodeKind.CHOICE:
            assert node.condition is not None
            assert place.yes is not None
            assert place.no is not None
            self._add("choice", n, self._need(n, node.condition), place.yes, place.no)
            for expr in node.condition.walk():
                if expr.op == "player":
                    self._add("names", n, self._number(expr), Function("value", [Number(self._number(expr.args[0]))]))
                elif expr.op == "variable" and expr.type is Type.PLAYER:
                    self._add("names", n, self._number(expr), Function("fresh", [String(_text(expr))]))
        match node.statement:
            case fc.Assign(target=target, value=value):
                owner = [] if target.player is None else [self._need(n, target.player)]
                self._add("assign", n, target.name, *owner, self._need(n, value))
            case fc.Play() as play:
                self._play(n, play)
            case fc.Move() as move:
                self._move(n, move)
            case fc.Gather():
                for zone in self.chart.zones:
                    self._add("spoils", n, zone)
            case fc.ShuffleZone(zone=zone_expr):
                self._add("spoils", n, _text(zone_expr))
            case fc.Pick():
                self._add("forbidden", n, Function("pick"))
            case fc.Choose():
                self._add("forbidden", n, Function("choose"))

    def _play(self, n: int, play: fc.Play) -> None:
        player = self._need(n, play.player)
        self._add("play", n, player, self._need(n, play.cards), Function("yes" if play.may_pass else "no"))
        owner = [self._need(n, part) for part in play.target.args]
        self._add("target", n, _text(play.target), *owner)
        if play.player.op == "player":
            self._add("names", n, player, Function("written", [self._written(play.player.args[0])]))
        elif play.player.op == "variable":
            self._add("names", n, player, Function("fresh", [String(_text(play.player))]))

    def _move(self, n: int, move: fc.Move) -> None:
        self._add("spoils", n, _text(move.source))
        to_hand = move.target.op == "zone" and move.target.name == "hand"
        if to_hand and move.by is MoveBy.NUMBER and move.what is not None and not move.each_seat:
            self._add("gains", n, self._need(n, move.target.args[0]), self._need(n, move.what))
        else:
            self._add("spoils", n, _text(move.target))

    # Expressions

    def _need(self, n: int, expr: Expr) -> int:
        for part in expr.walk():
            self._add("uses", n, self._number(part))
        self._add("needs", n, self._number(expr))
        return self._number(expr)

    def _number(self, expr: Expr) -> int:
        if expr not in self._numbers:
            self._numbers[expr] = len(self._numbers)
            self._describe(self._numbers[expr], expr)
        return self._numbers[expr]

    def _describe(self, e: int, expr: Expr) -> None:
        op = expr.op
        if op in _STATIC:
            value = self.game.static(expr)
            if expr.type is Type.PLAYER and value >= 0:
                self._add("seat", e, value)
            else:
                self._add("constant", e, _pair(self._constant(expr.type, value), Number(value)))
        elif op in ("variable", "playerVariable"):
            self._add("variable", e, _text(expr), *map(self._number, expr.args))
        elif op == "cardsRemaining" or (op == "count" and expr.args[0].op == "zone" and expr.args[0].name == "hand"):
            owner = expr.args[0] if op == "cardsRemaining" else expr.args[0].args[0]
            self._add("remaining", e, self._number(owner))
        elif op == "top":
            self._looked_at.add(_text(expr.args[0]))
            self._add("top", e, _text(expr.args[0]), *map(self._number, expr.args[0].args))
        elif op == "player":
            self._add("player", e, self._number(expr.args[0]))
        elif op in _SEATS:
            self._add("seatAfter", e, Function(op), self._number(expr.args[0]))
        elif op == "playerHas":
            self._add("has", e, *map(self._number, expr.args))
        elif op in _PARTS:
            term = Function(op, [String(_text(expr))]) if op in ("table", "list") else Function(op)
            self._add("part", e, term, *map(self._number, expr.args))

    def _constant(self, kind: Type, value: int) -> Symbol:
        if kind is Type.INT:
            return Number(value)
        if kind is Type.BOOL:
            return _TRUE if value else _FALSE
        if kind is Type.CARD and value >= 0:
            deck = self.chart.deck
            return Function("card", [_name(deck.ranks[deck.rank_of(value)]), _name(deck.suits[deck.suit_of(value)])])
        return _name({NONE: "none", ANY: "any"}.get(value) or self.game.value_text(kind, value))

    def _written(self, expr: Expr) -> Symbol:
        """An expression as the chart has it, with nothing put in for its variables."""
        if expr.op in _STATIC:
            return self._constant(expr.type, self.game.static(expr))
        if expr.op == "variable":
            return _variable(_text(expr))
        if expr.op == "playerVariable":
            return _of(_text(expr), self._written(expr.args[0]))
        return _build(Function(expr.op, [String(expr.name)] if expr.name else []), list(map(self._written, expr.args)))


def _text(expr: Expr) -> str:
    """The name of a variable, a zone or a table; nothing for cards that are no zone."""
    return expr.name or ""


def _of(name: str, player: Symbol) -> Symbol:
    term = _name(name)
    return Function(term.name, [player]) if term.type is SymbolType.Function else Tuple_([term, player])


def _who(what: str, distance: int, players: int) -> Symbol:
    """`me` and `otherPlayer` (the k-th one after me, if there are several), `myCard` and `otherCard`."""
    if distance == 0:
        return Function("me" if what == "Player" else "myCard")
    return Function(f"other{what}", [] if players == 2 else [Number(distance)])


def _variables(exprs: Iterable[Expr]) -> Iterator[Expr]:
    return (part for expr in exprs for part in expr.walk() if part.op == "variable")


def _written_variable(place: Place) -> str | None:
    statement = place.node.statement
    if isinstance(statement, fc.Assign | fc.Choose) and statement.target.player is None:
        return statement.target.name
    return None


def _reachable(main: MainLoop) -> set[int]:
    """The places of the loop and all that can be reached from it."""
    found: set[int] = set()
    pending = [main.loop.head]
    while pending:
        n = pending.pop()
        if n not in found:
            found.add(n)
            pending.extend(main.places[n].successors)
    return found


def live_variables(main: MainLoop) -> set[str]:
    """The variables that a pass, or what comes after it, reads before it assigns them."""
    live: dict[int, set[str]] = {n: set() for n in _reachable(main)}
    changed = True
    while changed:
        changed = False
        for n in sorted(live, reverse=True):
            place = main.places[n]
            after = {x for m in place.successors for x in live[m]} - {_written_variable(place)}
            now = after | {_text(expr) for expr in _variables(place.node.exprs())}
            if now != live[n]:
                live[n], changed = now, True
    return live[main.loop.head]


def _indices(chart: fc.Flowchart, main: MainLoop) -> set[str]:
    """The variables that hold players, or numbers from which players are made."""
    found = {name for name, variable in chart.variables.items() if variable.type is Type.PLAYER}
    exprs = [expr for place in main.places.values() for expr in place.node.exprs()]
    named = [part.args[0] for expr in exprs for part in expr.walk() if part.op == "player"]
    found.update(_text(expr) for expr in _variables(named))
    while True:
        sources = [
            statement.value
            for place in main.places.values()
            if isinstance(statement := place.node.statement, fc.Assign) and statement.target.name in found
        ]
        more = {_text(expr) for expr in _variables(sources) if expr.type in (Type.INT, Type.PLAYER)} - found
        if not more:
            return {name for name in found if name in chart.variables and not chart.variables[name].per_player}
        found |= more
