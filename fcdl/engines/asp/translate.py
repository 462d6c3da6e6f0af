"""From a game to facts: the chart in the vocabulary of Law's thesis (2013, 4.2.1), extended for what the language adds.

This docstring is the specification; `asp/chart.lp` reads the facts. Whatever a user named (variables, zones, tables,
suits, words ...) is a quoted string, so that no name can be mistaken for a word of this vocabulary. All values are
numbers: players are seats, suits and ranks positions in the deck's lists, cards positions in the deck, bools 0 and 1,
`none` -1 and `any` -2.

Nodes (N: a node's number; M: where its arrow leads; A: the start of another chart):

  start                                 state(N, startTerminal(M)).
  end                                   state(N, endTerminal).
  i < 2?                yes -> Y no -> M  state(N, choice(Y, M, lessThan(variable("i"), 2))).
  private ...?                          ... and private(N).
  do trick                              state(N, statement(M, do(A))).
  leader = random(2)                    state(N, statement(M, assign(variable("leader"), random(2)))).   draws(N, 2).
  score(p) = 0                          state(N, statement(M, assign(variable("score", P), 0))).
  Shuffle                               state(N, statement(M, shuffle)).
  shuffle(stack)                        state(N, statement(M, shuffle(zone("stack")))).
  move(2, pack, skat)                   state(N, statement(M, move(number(2), zone("pack"), zone("skat")))).
  move(all, ...), move(cards, ...)      ... move(all, A, B), move(cards(E), A, B)
  move(2, pack, skat, 3)                ... insert(number(2), zone("pack"), zone("skat"), 3)
  Deal(7)                               ... eachSeat(move(number(7), zone("pack"), zone("hand", local("seat"))))
  playCard(p, cs, to)                   ... playCard(P, Cs, zone("hand", P), To)
  playCardOrPass(p, cs, to)             ... playCardOrPass(P, Cs, zone("hand", P), To)
  pick(p, n, cs, from, to)              ... pick(P, N, Cs, From, To)
  playCards(p, sets, to)                ... takeSet(play, 0, P, Sets, zone("hand", P), To); 1: or passes
  takeOrPass(p, sets, from, to)         ... takeSet(take, 1, P, Sets, From, To)
  choose(p, x, values)                  ... choose(P, variable("x"), Values)
  publish("a #{x} b")                   ... publish(Values): the expressions in the text
  show(cs, p), show(cs, all)            ... show(Cs, P), show(Cs, all)

Expressions:

  17  true  none  any                   17  true  none  any
  hearts, queen, left, QS, player(1)    constant(suit, "hearts"), (rank, "queen"), (word, "left"), (card, 49), ...
  x, score(p), an option, a local       variable("x"), variable("score", P), option("target"), local("c")
  numberOfPlayers                       numberOfPlayers
  a + b, max(a, b), a & b, !a, -a       operation(add, A, B), (maximum, A, B), (and, A, B), (negation, A), (negate, A)
  a == b, !=, <, <=, >, >=              equal, notEqual, lessThan, lessOrEqual, greaterThan, greaterOrEqual
  if(c, a, b)                           if(C, A, B)
  player(i), next(p), sameTeam(p, q)    player(I), next(P), sameTeam(P, Q); also playerNumber, previous, partner
  suit(c), rank(c), suit(i), rank(i)    suit(C), rank(C), suitAt(I), rankAt(I)
  points(c), of a rank, of a suit       table("points", C), rankTable("points", R), suitTable("points", S)
  bids(i), size(bids)                   list("bids", I), listSize("bids")
  hand(p), pack                         zone("hand", P), zone("pack")
  slot(p, n)                            zone("slot", place("slot", P, N)); so for variables
  won(p) with a key `team`              zone("won", place("won", team(P)))
  top(z), bottom(z), cards as a card    top(Z), bottom(Z), theCard(Cs)
  top(z, n), bottom(z, n)               topCards(Z, N), bottomCards(Z, N)
  at(z, n), position(c, z)              at(Z, N), position(C, Z)
  card(r, s), a card as cards, cards    card(R, S), single(C), cards
  union(a, b), except(a, b) ...         union(A, B), intersect(A, B), except(A, B)
  count(cs), empty(cs), c in cs         count(Cs), empty(Cs), member(C, Cs)
  playerHas(p, cs), cardsRemaining(p)   playerHas(P, Cs), cardsRemaining(P)
  isGroup(cs), deadwood(cs, points, 3)  meld(isGroup, "", Cs), meld(deadwood, "points", Cs, 3) ...
  cards c in d where e                  those("c", D, E)
  sum(w for c in d where e)             sum("c", D, E, W); also largest (max), smallest (min), highest, lowest
  count(c in d where e)                 count("c", D, E); also some, every
  players, suits, ranks, a to b         players, suits, ranks, range(A, B)
  sets s in subsets(cs, a to b) where e  those("s", subsets("s", Cs, A, B, Lasts, 0), E): Lasts is the part of E that
                                        lasts (fcdl/language/sets.py); 1 at the end: copies of a card are one
  highest(e for s in subsets(cs))       theSet(highest("s", subsets(...), true, E))
  {a, b if c, 0 to n}                   append(one(A), append(if(C, one(B), nothing), range(0, N)))
  random(n)                             random(N)

Inside of what binds a local, a part without locals is wrapped as fixed(E): it has one value for all elements.

The rest of the game: constant(E, V) for every constant, option and fixed domain; players(Number), suits(Number),
ranks(Number), card(C, R, S); member(Team, Place, P); entry(Table, Key, V) with keys card(C),
rank(R), suit(S) and else; item(List, I, V), length(List, Number); variable(X, Places, Secret, V), V being what it
reads where there is no such place; zone(X, Places, Visibility, Ordered). Places is 0 for what has no keys; otherwise
there are so many places, counted from 0, with owners(X, Place, Seats). The place of a player is the seat; for other
keys key(X, Number, Low, High) says what their values are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clingo import Function, Number, String, Symbol, Tuple_

from fcdl.language import flowchart as fc
from fcdl.language.flowchart import ANY, NONE, TRUE, Expr, MoveBy, Node, NodeKind, Type
from fcdl.language.ops import ARITHMETIC, BINDERS, OF_CARDS, OPS, complete, looked_into, players_from
from fcdl.language.places import key_values
from fcdl.language.sets import looking
from fcdl.model.game import Game

_AS_CALLED = frozenset((
    "equal", "notEqual", "less", "lessEqual", "greater", "greaterEqual", "if", "player", "playerNumber", "next",
    "previous", "partner", "sameTeam", "suit", "rank", "suitAt", "rankAt", "top", "bottom", "at", "position",
    "topCards", "bottomCards", "theCard", "template", "single", "union", "intersect", "except", "count", "empty",
    "member", "playerHas", "cardsRemaining", "range",
    "random", "zone", "list", "listSize", "local", "place",
))  # fmt: skip
"""Ops that `asp/chart.lp` knows by their names in facts, with the name of a zone, a list ... before the arguments."""
_CASES = frozenset((
    "const", "variable", "playerVariable", "table", "option", "numberOfPlayers", "allCards", "players", "suits",
    "playersFrom", "ranks", "values", "when",
))  # fmt: skip
"""Ops that are translated one by one; `when` stands within `values` only."""
_OPERATIONS = frozenset((*ARITHMETIC, "and", "or", "not"))
complete("asp/translate.py", _AS_CALLED, _CASES, _OPERATIONS, BINDERS, OF_CARDS, ("subsets",))
_LEAVES = frozenset(
    (
        "const", "variable", "option", "numberOfPlayers", "local", "allCards", "players", "suits", "ranks", "listSize",
    )
)  # fmt: skip


def numbers(values: Iterable[int]) -> Symbol:
    """Numbers as one term."""
    return Tuple_([Number(value) for value in values])


def nothing_of(kind: Type) -> int:
    """What a variable of this type reads when it has no value."""
    return 0 if kind in (Type.INT, Type.BOOL) else NONE


class Translation:
    """A game as facts; `facts` has them all. `asked` are further expressions, whose terms are in asked(E)."""

    def __init__(self, game: Game, asked: Iterable[Expr] = ()) -> None:
        self.game = game
        self.chart = game.flowchart
        self._constants: dict[Symbol, Symbol] = {}
        self.facts: list[Symbol] = []
        for node in self.chart.nodes.values():
            self.facts.extend(self._node(node))
        self.facts.extend(self._declarations())
        self.facts.extend(Function("asked", [self.expression(expr, True)]) for expr in asked)
        self.facts.extend(Function("constant", [term, value]) for term, value in self._constants.items())

    def _node(self, node: Node) -> Iterator[Symbol]:
        number = Number(node.number)
        match node.kind:
            case NodeKind.START:
                what = Function("startTerminal", [_number(node.next)])
            case NodeKind.END:
                what = Function("endTerminal")
            case NodeKind.CHOICE:
                assert node.condition is not None
                what = Function("choice", [_number(node.yes), _number(node.no), self.expression(node.condition)])
                if node.private:
                    yield Function("private", [number])
            case NodeKind.STATEMENT | NodeKind.CALL:
                assert node.statement is not None
                what = Function("statement", [_number(node.next), self.statement(node.statement)])
                if isinstance(node.statement, fc.Assign):
                    for expr in node.statement.value.walk():
                        if expr.op == "random":
                            yield Function("draws", [number, self.expression(expr.args[0])])
        yield Function("state", [number, what])

    def statement(self, statement: fc.Statement) -> Symbol:
        """A statement's term."""
        match statement:
            case fc.Assign(target=target, value=value):
                return Function("assign", [self._location(target), self.expression(value)])
            case fc.Gather():
                return Function("shuffle")
            case fc.ShuffleZone(zone=zone):
                return Function("shuffle", [self.expression(zone)])
            case fc.Move(by=by, what=what, source=source, target=to, each_seat=each_seat, place=place):
                amount = Function("all")
                if what is not None:
                    amount = Function("number" if by is MoveBy.NUMBER else "cards", [self.expression(what)])
                ends = [self.expression(source), self.expression(to)]
                if place is not None:
                    return Function("insert", [amount, *ends, self.expression(place)])
                move = Function("move", [amount, *ends])
                return Function("eachSeat", [move]) if each_seat else move
            case fc.Play(player=player, cards=cards, source=source, target=to, may_pass=may_pass):
                name = "playCardOrPass" if may_pass else "playCard"
                return Function(name, [self.expression(part) for part in (player, cards, source, to)])
            case fc.Pick(player=player, number=number, cards=cards, source=source, target=to):
                return Function("pick", [self.expression(part) for part in (player, number, cards, source, to)])
            case fc.TakeSet(player=player, sets=sets, source=source, target=to, may_pass=may_pass, word=word):
                parts = [self.expression(part) for part in (player, sets, source, to)]
                return Function("takeSet", [Function(word), Number(may_pass), *parts])
            case fc.Choose(player=player, target=target, values=values):
                return Function("choose", [self.expression(player), self._location(target), self.expression(values)])
            case fc.Publish(parts=parts):
                said = [Function("one", [self.expression(part)]) for part in parts if isinstance(part, Expr)]
                return Function("publish", [self._join(said)])
            case fc.Show(cards=cards, audience=audience):
                to_whom = Function("all") if audience is None else self.expression(audience)
                return Function("show", [self.expression(cards), to_whom])
            case fc.CallChart(chart=chart):
                return Function("do", [Number(self.chart.charts[chart].start)])

    def _location(self, target: fc.VariableRef) -> Symbol:
        name = String(target.name)
        return Function("variable", [name] if target.player is None else [name, self.expression(target.player)])

    def expression(self, expr: Expr, inside: bool = False) -> Symbol:
        """An expression's term; `inside` of what binds a local, parts without locals are marked as fixed."""
        if inside and expr.op not in _LEAVES and not _free(expr):
            return Function("fixed", [self.expression(expr)])
        op = expr.op
        name = [String(expr.name)] if expr.name is not None else []
        if op == "const":
            return self._constant(expr)
        if op == "subsets":
            return self._subsets(expr, TRUE, "set", inside)
        if op in BINDERS:
            domain, *rest = expr.args
            if domain.op == "subsets":
                asked = rest[0] if op != "every" else Expr("not", Type.BOOL, (rest[0],))
                found = looking(self.chart, domain, asked, str(expr.name))
                of = self._subsets(found.domain, found.lasts, str(expr.name), inside)
            else:
                of = self.expression(domain, inside)
            args = [of, *(self.expression(arg, True) for arg in rest)]
            term = Function("count" if op == "countOf" else op, [*name, *args])
            return Function("theSet", [term]) if op in ("highest", "lowest") and expr.type is Type.CARDS else term
        if op == "playersFrom":
            return self.expression(players_from(expr.args[0], self.game.players), inside)
        if op == "values":
            return self._join([self._item(item, inside) for item in expr.args])
        args = [self.expression(arg, inside and arg is not looked_into(expr)) for arg in expr.args]
        if op == "place" and self.chart.family(expr.name or "").keys[0].kind == "team":
            args[0] = Function("team", [args[0]])
        if op in _OPERATIONS:
            return Function("operation", [Function(OPS[op].fact), *args])
        if op in OF_CARDS:
            return Function("meld", [Function(op), String(expr.name or ""), *args])
        if op in _AS_CALLED:
            return Function(OPS[op].fact, [*name, *args])
        match op:
            case "variable" | "playerVariable":
                return Function("variable", [*name, *args])
            case "table":
                kinds = {Type.RANK: "rankTable", Type.SUIT: "suitTable"}
                return Function(kinds.get(expr.args[0].type, "table"), [*name, *args])
            case "option":
                assert expr.name is not None
                return self._known(Function("option", name), Number(self.game.options[expr.name]))
            case "numberOfPlayers":
                return self._known(Function(op), Number(self.game.players))
            case "allCards":
                return self._known(Function("cards"), numbers(self.game.cards))
            case "players":
                return self._known(Function(op), numbers(range(self.game.players)))
            case "suits":
                return self._known(Function(op), numbers(range(len(self.chart.deck.suits))))
            case "ranks":
                return self._known(Function(op), numbers(range(len(self.chart.deck.ranks))))
        raise AssertionError(f"an expression of unknown kind: {op}")

    def _subsets(self, expr: Expr, lasts: Expr, name: str, inside: bool) -> Symbol:
        """Sets of cards, of which those that fail what lasts are not extended."""
        fixed = inside and not (any(map(_free, expr.args)) or _free(lasts, frozenset((name,))))
        within = inside and not fixed
        parts = [self.expression(arg, within) for arg in expr.args]
        copies_are_one = Number(expr.value or 0)
        term = Function("subsets", [String(name), *parts, self.expression(lasts, True), copies_are_one])
        return Function("fixed", [term]) if fixed else term

    def _join(self, lists: list[Symbol]) -> Symbol:
        """The lists one after another, as one list."""
        if not lists:
            return self._nothing()
        result = lists[-1]
        for one in reversed(lists[:-1]):
            result = Function("append", [one, result])
        return result

    def _item(self, item: Expr, inside: bool) -> Symbol:
        if item.op == "when":
            condition, what = item.args
            return Function("if", [self.expression(condition, inside), self._item(what, inside), self._nothing()])
        if item.type in (Type.DOMAIN, Type.CARDS):
            return self.expression(item, inside)
        return Function("one", [self.expression(item, inside)])

    def _nothing(self) -> Symbol:
        return self._known(Function("nothing"), Tuple_([]))

    def _constant(self, expr: Expr) -> Symbol:
        value = expr.value
        assert value is not None
        if expr.type is Type.INT:
            return self._known(Number(value), Number(value))
        if expr.type is Type.BOOL:
            return self._known(Function("true" if value else "false"), Number(value))
        if value in (NONE, ANY):
            return self._known(Function("none" if value == NONE else "any"), Number(value))
        match expr.type:
            case Type.SUIT:
                text: Symbol = String(self.chart.deck.suits[value])
            case Type.RANK:
                text = String(self.chart.deck.ranks[value])
            case Type.WORD:
                text = String(self.chart.words[value])
            case _:
                text = Number(value)
        return self._known(Function("constant", [Function(str(expr.type)), text]), Number(value))

    def _known(self, term: Symbol, value: Symbol) -> Symbol:
        self._constants[term] = value
        return term

    def _declarations(self) -> Iterator[Symbol]:
        deck = self.chart.deck
        yield Function("players", [Number(self.game.players)])
        yield Function("suits", [Number(len(deck.suits))])
        yield Function("ranks", [Number(len(deck.ranks))])
        self._known(Function("cards"), numbers(self.game.cards))
        for card in range(deck.size):
            yield Function("card", [Number(card), Number(deck.rank_of(card)), Number(deck.suit_of(card))])
        for index, team in enumerate(self.chart.teams):
            for place, player in enumerate(team):
                yield Function("member", [Number(index), Number(place), Number(player)])
        for table in self.chart.tables.values():
            name = String(table.name)
            for kind, entries in (("card", table.cards), ("rank", table.ranks), ("suit", table.suits)):
                for key, value in entries.items():
                    yield Function("entry", [name, Function(kind, [Number(key)]), Number(value)])
            yield Function("entry", [name, Function("else"), Number(table.otherwise)])
        for list_name, values in self.chart.lists.items():
            yield Function("length", [String(list_name), Number(len(values))])
            for place, value in enumerate(values):
                yield Function("item", [String(list_name), Number(place), Number(value)])
        for family in (*self.chart.variables.values(), *self.chart.zones.values()):
            yield from self._keys(family)
        for variable in self.chart.variables.values():
            yield Function(
                "variable",
                [
                    String(variable.name),
                    self._places(variable),
                    Number(variable.secret),
                    Number(nothing_of(variable.type)),
                ],
            )
        for zone in self.chart.zones.values():
            yield Function(
                "zone",
                [
                    String(zone.name),
                    self._places(zone),
                    Function(str(zone.visibility)),
                    Number(zone.ordered),
                ],
            )

    def _places(self, family: fc.Family) -> Symbol:
        return Number(len(self.game.places_of(family)) if family.keys else 0)

    def _keys(self, family: fc.Family) -> Iterator[Symbol]:
        name = String(family.name)
        for number, key in enumerate(() if family.per_player else family.keys):
            values = key_values(self.chart, key, self.game.players)
            yield Function("key", [name, Number(number), Number(values.start), Number(values.stop - 1)])
        for place in self.game.places_of(family) if family.keys else ():
            seats = numbers(sorted(self.game.owners(family.name, place)))
            yield Function("owners", [name, _number(place), seats])


def chart_facts(game: Game) -> list[Symbol]:
    """The game as facts."""
    return Translation(game).facts


def start_facts(game: Game) -> list[Symbol]:
    """The first position: every card in the pack in deck order, every variable at its first value."""
    facts = []
    for zone in game.flowchart.zones.values():
        for place in _place_symbols(game, zone):
            cards = game.cards if zone.name == "pack" else ()
            facts.append(Function("zone", [Function("zone", [String(zone.name), *place]), numbers(cards)]))
    for variable in game.flowchart.variables.values():
        first = variable.initial if variable.initial is not None else nothing_of(variable.type)
        for place in _place_symbols(game, variable):
            facts.append(Function("value", [Function("variable", [String(variable.name), *place]), Number(first)]))
    return facts


def _place_symbols(game: Game, family: fc.Family) -> list[list[Symbol]]:
    return [[] if place is None else [Number(place)] for place in game.places_of(family)]


def _number(value: int | None) -> Symbol:
    assert value is not None
    return Number(value)


def _free(expr: Expr, bound: frozenset[str] = frozenset()) -> bool:
    """Whether the expression has a local that is bound outside of it."""
    if expr.op == "local":
        return expr.name not in bound
    if expr.op in BINDERS:
        assert expr.name is not None
        domain, *rest = expr.args
        return _free(domain, bound) or any(_free(arg, bound | {expr.name}) for arg in rest)
    return any(_free(arg, bound) for arg in expr.args)
