"""Statements: what each node says, with its expressions typed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from fcdl.language import flowchart as fc
from fcdl.language import tree
from fcdl.language.diagnostics import MAX_HINTS, Findings, Span
from fcdl.language.flowchart import Expr, MoveBy, Type
from fcdl.language.parser import parse_expression
from fcdl.language.resolve.expressions import Expressions, Scope, zone_expr
from fcdl.language.resolve.kinds import NUMERAL, PLURALS, UNKNOWN, described, join, kind_of
from fcdl.language.resolve.vocabulary import BUILT_IN_ZONES, RESERVED, STATEMENTS
from fcdl.language.sets import is_of_sets

_EMBEDDED = re.compile(r"#\{([^}]*)\}")


class Statements(Expressions):
    """Elaborates the bodies of nodes; None where that fails, with the error reported."""

    def _body(self, node: tree.Node) -> fc.Statement | Expr | None:
        match node.body:
            case tree.Assign(target, value):
                return self._assign(target, value, node.span)
            case tree.Broken():
                return None  # reported by the parser
            case tree.Action():
                return self._action(node.body, node.span)
            case tree.Do(chart):
                return fc.CallChart(chart)
            case tree.Choice(condition):
                return self._typed(condition, Type.BOOL, Scope())
        return None

    def _assign(self, target: tree.Name | tree.Call, value: tree.Expression, span: Span) -> fc.Assign | None:
        place = self._place(target)
        self.random_allowed = True
        expr = self._expr(value, Scope())
        self.random_allowed = False
        if place is None or expr is None:
            return None
        self._narrow_variable(place.name, expr, value.span)
        kind = self.variable_types[place.name]
        if not isinstance(kind, Type):
            self.undecided.add(place.name)
        coerced = self._coerce(expr, kind, value.span) if isinstance(kind, Type) else expr
        if coerced is None:
            return None
        if sum(part.op == "random" for part in coerced.walk()) > 1:
            self._error("random", "random appears twice in one assignment", value.span, "use two assignments")
        for part in coerced.walk():
            if part.op == "random" and any(inner.op == "local" for inner in part.walk()):
                self._error("random", "random is drawn once, not for each element", part.span or value.span)
        return fc.Assign(place, coerced)

    def _place(self, target: tree.Expression) -> fc.VariableRef | None:
        match target:
            case tree.Name(name):
                if name in self.variable_types and name not in self.header.variables:
                    return fc.VariableRef(name)
                return None  # a family's name alone is reported with the variables
            case tree.Call(name, args) if name in self.header.variables:
                index = self._place_of(name, self.header.variables[name][0], args, target.span, Scope())
                return fc.VariableRef(name, index) if index is not None else None
            case tree.Call(name, _) if name not in self.findings.lost_names:
                self._error(
                    "unknown-name",
                    f"'{name}' is not a variable of each player",
                    target.span,
                    self.findings.near(name, self.header.variables) or f"declare it: each player has {name}",
                )
        return None

    def _narrow_variable(self, name: str, expr: Expr, span: Span) -> None:
        """Uses an assignment to learn a variable's type."""
        known = self.variable_types[name]
        new = kind_of(expr)
        if isinstance(known, Type):
            return
        joined = join(known, new)
        if joined is not None and joined != known:
            self._learn(name, joined)

    def _action(self, action: tree.Action, span: Span) -> fc.Statement | None:
        if action.name not in STATEMENTS:
            near = self.findings.near(action.name, STATEMENTS)
            charts = [chart.name for chart in self.document.charts]
            if action.name in charts:
                near = f"to run a chart, write 'do {action.name}'"
            elif not action.args and self._is_label(action.name):
                near = f"a label ends in ':', write '{action.name}:'; an arrow to it is '-> {action.name}'"
            self._error("unknown-statement", f"unknown statement '{action.name}'", action.span, near)
            return None
        arities, method = STATEMENTS[action.name]
        if len(action.args) not in arities:
            self._wrong_number(action.name, arities, len(action.args), action.span)
            return None
        build: Callable[..., fc.Statement | None] = getattr(self, method)
        return build(*action.args)

    def _is_label(self, name: str) -> bool:
        """Whether a name is a label."""
        if not self.findings.hints or len(self.findings.items) >= MAX_HINTS:
            return False
        return any(node.label == name for node in self._nodes())

    def _do_gather(self) -> fc.Statement:
        return fc.Gather()

    def _do_shuffle(self, place: tree.Expression) -> fc.Statement | None:
        zone = self._zone(place)
        if zone is None:
            return None
        self._order(zone)
        return fc.ShuffleZone(zone)

    def _do_deal(self, number: tree.Expression) -> fc.Statement | None:
        what = self._typed(number, Type.INT, Scope())
        seat = Expr("local", Type.PLAYER, name="seat")
        return (
            None
            if what is None
            else fc.Move(MoveBy.NUMBER, what, zone_expr("pack"), zone_expr("hand", seat), each_seat=True)
        )

    def _do_stack_empty(self) -> fc.Statement:
        seat = Expr("local", Type.PLAYER, name="seat")
        return fc.Move(MoveBy.ALL, None, zone_expr("middle", seat), zone_expr("stack"), each_seat=True)

    def _do_pick_up(self, owner: tree.Expression, number: tree.Expression) -> fc.Statement | None:
        player = self._typed(owner, Type.PLAYER, Scope())
        what = self._typed(number, Type.INT, Scope())
        if player is None or what is None:
            return None
        return fc.Move(MoveBy.NUMBER, what, zone_expr("pack"), zone_expr("hand", player))

    def _do_move(
        self,
        what: tree.Expression,
        source: tree.Expression,
        target: tree.Expression,
        where: tree.Expression | None = None,
    ) -> fc.Statement | None:
        from_zone, to_zone = self._zone(source), self._zone(target)
        place = self._typed(where, Type.INT, Scope()) if where is not None else None
        amount = self._amount(what)
        if amount is None or from_zone is None or to_zone is None or (where is not None and place is None):
            return None
        if place is not None:
            self._order(to_zone)
        by, expr = amount
        if by is MoveBy.NUMBER:
            self._order(from_zone)
        return fc.Move(by, expr, from_zone, to_zone, place=place)

    def _amount(self, what: tree.Expression) -> tuple[MoveBy, Expr | None] | None:
        """What is moved."""
        if isinstance(what, tree.Name) and what.name == "all":
            return MoveBy.ALL, None
        expr = self._expr(what, Scope())
        if expr is None:
            return None
        kind = kind_of(expr)
        if kind in (Type.CARDS, Type.CARD):
            cards = self._coerce(expr, Type.CARDS, what.span)
            return (MoveBy.CARDS, cards) if cards is not None else None
        if kind in (Type.INT, NUMERAL, UNKNOWN):
            number = self._coerce(expr, Type.INT, what.span)
            return (MoveBy.NUMBER, number) if number is not None else None
        self._error("type", f"move takes a number, cards or all, not {described(kind)}", what.span)
        return None

    def _play(self, may_pass: bool, *args: tree.Expression) -> fc.Statement | None:
        player = self._typed(args[0], Type.PLAYER, Scope())
        cards = self._typed(args[1], Type.CARDS, Scope())
        target = self._zone(args[2]) if len(args) == 3 else None
        if player is None or cards is None or (len(args) == 3 and target is None):
            return None
        return fc.Play(player, cards, zone_expr("hand", player), target or zone_expr("middle", player), may_pass)

    def _do_play(self, *args: tree.Expression) -> fc.Statement | None:
        return self._play(False, *args)

    def _do_play_or_pass(self, *args: tree.Expression) -> fc.Statement | None:
        return self._play(True, *args)

    def _do_play_cards(self, *args: tree.Expression) -> fc.Statement | None:
        return self._take_set("play", False, args[0], args[1], None, args[2] if len(args) == 3 else None)

    def _do_play_cards_or_pass(self, *args: tree.Expression) -> fc.Statement | None:
        return self._take_set("play", True, args[0], args[1], None, args[2] if len(args) == 3 else None)

    def _do_take(self, *args: tree.Expression) -> fc.Statement | None:
        return self._take_set("take", False, *args)

    def _do_take_or_pass(self, *args: tree.Expression) -> fc.Statement | None:
        return self._take_set("take", True, *args)

    def _take_set(
        self,
        word: str,
        may_pass: bool,
        who: tree.Expression,
        what: tree.Expression,
        source: tree.Expression | None,
        target: tree.Expression | None,
    ) -> fc.Statement | None:
        """Only sets of cards in the source are offered, and copies of a card are one: the `subsets` say so."""
        player = self._typed(who, Type.PLAYER, Scope())
        domain = self._domain(what, Scope())
        zones = [self._zone(place) for place in (source, target) if place is not None]
        if player is None or domain is None or None in zones:
            return None
        sets, element = domain
        if not is_of_sets(sets):
            hint = "write sets s in subsets(hand(p)) where ...; for one card there are playCard and pick"
            found = PLURALS.get(element, "values") if isinstance(element, Type) else "values"
            self._error("type", f"expected sets of cards, not {found}", what.span, hint)
            return None
        places = [zone for zone in zones if zone is not None]
        from_zone = places.pop(0) if source is not None else zone_expr("hand", player)
        to_zone = places.pop(0) if target is not None else zone_expr("middle", player)
        return fc.TakeSet(player, _among(sets, from_zone), from_zone, to_zone, may_pass, word)

    def _do_pick(
        self,
        who: tree.Expression,
        number: tree.Expression,
        what: tree.Expression,
        source: tree.Expression,
        target: tree.Expression,
    ) -> fc.Statement | None:
        player = self._typed(who, Type.PLAYER, Scope())
        count = self._typed(number, Type.INT, Scope())
        cards = self._typed(what, Type.CARDS, Scope())
        from_zone, to_zone = self._zone(source), self._zone(target)
        if player is None or count is None or cards is None or from_zone is None or to_zone is None:
            return None
        return fc.Pick(player, count, cards, from_zone, to_zone)

    def _do_choose(self, who: tree.Expression, place: tree.Expression, what: tree.Expression) -> fc.Statement | None:
        player = self._typed(who, Type.PLAYER, Scope())
        target = self._place(place)
        values = self._domain(what, Scope())
        if target is None and isinstance(place, tree.Name) and place.name not in self.variable_types:
            self._error("not-a-variable", f"'{place.name}' cannot be chosen", place.span)
        if target is None and not isinstance(place, (tree.Name, tree.Call)):
            self._error("not-a-variable", "the second argument of choose is the variable to set", place.span)
        if player is None or target is None or values is None:
            return None
        domain, element = values
        if element in (Type.CARD, Type.CARDS):
            self._error("type", "choose does not work for cards", what.span, "use pick or playCard")
            return None
        known = self.variable_types[target.name]
        if not isinstance(known, Type):
            self.undecided.add(target.name)
            joined = join(known, element)
            if joined is not None and joined != known:
                self._learn(target.name, joined)
            return None if not isinstance(element, Type) else fc.Choose(player, target, domain)
        coerced = self._coerce_domain(domain, known, what.span)
        return fc.Choose(player, target, coerced) if coerced is not None else None

    def _do_publish(self, text: tree.Expression) -> fc.Statement | None:
        if not isinstance(text, tree.Text):
            self._error("type", "publish takes a text in quotes", text.span)
            return None
        parts = self._template(text, Scope())
        return fc.Publish(parts) if parts is not None else None

    def _template(self, text: tree.Text, scope: Scope) -> tuple[str | Expr, ...] | None:
        """The parts of a text with `#{...}` in it."""
        parts: list[str | Expr] = []
        end = 0
        for match in _EMBEDDED.finditer(text.value):
            if match.start() > end:
                parts.append(text.value[end : match.start()])
            end = match.end()
            place = _inside(text, match.start(1))
            expression = parse_expression(match.group(1), Findings())
            if expression is None:
                width = len(match.group())
                span = place(Span(1, -1, 1, width - 1))
                self._error("syntax", f"'{match.group()}' is not an expression", span)
                return None
            expr = self._embedded(_placed(expression, place), scope)
            if expr is None:
                return None
            parts.append(expr)
        if end < len(text.value):
            parts.append(text.value[end:])
        return tuple(parts)

    def _embedded(self, expression: tree.Expression, scope: Scope) -> Expr | None:
        """An expression whose value stands in a text."""
        expr = self._expr(expression, scope)
        return self._settle(expr) if expr is not None else None

    def _do_show(self, what: tree.Expression, to: tree.Expression) -> fc.Statement | None:
        cards = self._typed(what, Type.CARDS, Scope())
        if isinstance(to, tree.Name) and to.name == "all":
            return fc.Show(cards, None) if cards is not None else None
        audience = self._typed(to, Type.PLAYER, Scope())
        return fc.Show(cards, audience) if cards is not None and audience is not None else None

    def _zone(self, place: tree.Expression) -> Expr | None:
        if isinstance(place, (tree.Name, tree.Call)) and not self._is_known(place.name):
            self._unknown_zone(place)
            return None
        expr = self._expr(place, Scope())
        if expr is None:
            return None
        if expr.op != "zone":
            self._error("unknown-zone", "expected a zone", place.span, f"zones: {', '.join(self._zone_names())}")
            return None
        return expr

    def _is_known(self, name: str) -> bool:
        """Whether a name means anything at all."""
        cards = (*self.deck.ranks, *self.deck.suits)
        return name in self.declared or name in self.variable_types or name in RESERVED or name in self.tables or (
            name in cards or name in self.card_names or name in STATEMENTS or name[0].isdigit()
        )  # fmt: skip

    def _unknown_zone(self, place: tree.Name | tree.Call) -> None:
        name = place.name
        if name not in self.findings.lost_names:
            owner = "(player)" if isinstance(place, tree.Call) else ""
            hint = self.findings.near(name, self._zone_names()) or f"add a header line: zone {name}{owner}: face up"
            self._error("unknown-zone", f"unknown zone '{name}'", place.span, hint)

    def _zone_names(self) -> list[str]:
        return sorted({**BUILT_IN_ZONES, **self.header.zones})


def _among(sets: Expr, source: Expr) -> Expr:
    """Those of the sets that are made of cards of a zone, copies being one."""
    if sets.op != "subsets":
        return replace(sets, args=(_among(sets.args[0], source), *sets.args[1:]))
    cards, *sizes = sets.args
    if cards != source:
        cards = Expr("intersect", Type.CARDS, (cards, source), span=cards.span)
    return replace(sets, args=(cards, *sizes), value=1)


def _placed(expression: tree.Expression, place: Callable[[Span], Span]) -> tree.Expression:
    """The expression with every part at its place in the file (it came from inside a text)."""

    def moved(part: tree.Expression | None) -> tree.Expression | None:
        return _placed(part, place) if part is not None else None

    span = place(expression.span)
    match expression:
        case tree.Call(name, args):
            return tree.Call(name, tuple(_placed(arg, place) for arg in args), span=span)
        case tree.Operation(operator, operands):
            return tree.Operation(operator, tuple(_placed(part, place) for part in operands), span=span)
        case tree.Range(low, high):
            return tree.Range(_placed(low, place), _placed(high, place), span=span)
        case tree.PlayersFrom(first):
            return tree.PlayersFrom(_placed(first, place), span=span)
        case tree.Each(_, _, domain, condition, value):
            return replace(
                expression,
                domain=_placed(domain, place),
                condition=moved(condition),
                value=moved(value),
                span=span,
            )
        case tree.Values(items):
            moved_items = [tree.Item(_placed(i.value, place), moved(i.condition), span=place(i.span)) for i in items]
            return tree.Values(tuple(moved_items), span=span)
        case _:
            return replace(expression, span=span)


def _inside(text: tree.Text, offset: int) -> Callable[[Span], Span]:
    """Where a piece of a text stands that begins after so many characters; the whole text if that cannot be told."""
    whole = text.span
    if whole.line != whole.end_line or whole.end_column - whole.column != len(text.value) + 2:
        return lambda span: whole
    start = whole.column + offset
    return lambda span: Span(whole.line, start + span.column, whole.line, start + span.end_column)
