"""Expressions: every name gets its meaning, every part its type; definitions are expanded."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from fcdl.language import tree
from fcdl.language.diagnostics import Span
from fcdl.language.flowchart import MAX_CARDS, NONE, TRUE, Expr, Type
from fcdl.language.places import KEY_TYPES
from fcdl.language.resolve.declarations import Declarations
from fcdl.language.resolve.kinds import (
    DEFAULT_TYPE,
    DOMAIN_TYPES,
    FLEX_MARK,
    FLEXIBLE,
    NOTHING,
    NUMERAL,
    PLURALS,
    UNKNOWN,
    WILD,
    described,
    expected,
    flexible_value,
    item_kind,
    join,
    kind_of,
)
from fcdl.language.resolve.vocabulary import (
    AGGREGATES,
    CONSTANT_EXPRESSIONS,
    FOLDED_FUNCTIONS,
    LATER,
    MAX_EXPANDED_DEPTH,
    MAX_EXPANSION,
    MAX_TOTAL_EXPANSION,
    OPERATORS,
    RESERVED,
    SIGNATURES,
    SIMPLE_FUNCTIONS,
    SPECIAL_FUNCTIONS,
    STATEMENTS,
    TABLED_FUNCTIONS,
)
from fcdl.language.text import key_text

_Found = TypeVar("_Found")
MELD_SIZE = 3
"""The least number of cards in a meld, unless a chart says another."""


@dataclass(slots=True)
class Scope:
    """What names mean inside definitions and aggregates: bound elements, and parameters with the caller's scope."""

    locals: dict[str, Expr] = field(default_factory=dict)
    parameters: dict[str, tuple[tree.Expression, Scope]] = field(default_factory=dict)
    expanding: tuple[str, ...] = ()


class Expressions(Declarations):
    """Elaborates expressions of the syntax tree to typed ones; None where that fails, with the error reported."""

    def _wrong_number(self, name: str, wanted: tuple[int, ...], got: int, span: Span) -> None:
        numbers = " or ".join(map(str, wanted))
        plural = "" if wanted == (1,) else "s"
        self._error("arguments", f"'{name}' takes {numbers} argument{plural}, not {got}", span, self._form(name))

    def _form(self, name: str) -> str | None:
        """How a statement, function or definition is written."""
        if name in self.header.variables or self._zone_named(name) is not None:
            return f"write {self._written(name)}"
        if name in self.header.definitions:
            parameters = ", ".join(self.header.definitions[name].parameters)
            return f"write {name}({parameters})" if parameters else f"write {name}"
        return f"write {SIGNATURES[name]}" if name in SIGNATURES else None

    def _order(self, zone: Expr) -> None:
        assert zone.name is not None
        self.ordered.add(zone.name)

    def _typed(self, expression: tree.Expression, wanted: Type, scope: Scope) -> Expr | None:
        """The expression as `wanted`, or None with the error reported."""
        expr = self._expr(expression, scope)
        return self._coerce(expr, wanted, expression.span) if expr is not None else None

    def _settle(self, expr: Expr) -> Expr | None:
        """Gives a literal that could have several types its default one."""
        kind = kind_of(expr)
        if isinstance(kind, Type):
            return expr
        if expr.op in ("variable", "playerVariable"):
            return replace(expr, type=DEFAULT_TYPE[kind])  # its type is for other nodes to decide
        return self._coerce(expr, DEFAULT_TYPE[kind], expr.span)

    def _coerce(self, expr: Expr, wanted: Type, span: Span | None) -> Expr | None:
        """The expression as a value of the wanted type."""
        kind = kind_of(expr)
        if not isinstance(kind, Type):
            return self._decide(expr, kind, wanted, span)
        if kind is wanted:
            return expr
        if wanted is Type.CARDS and kind is Type.CARD:
            return self._copies(expr) or Expr("single", Type.CARDS, (expr,), span=expr.span)
        if wanted is Type.CARD and expr.op == "zone":
            self._order(expr)
            return Expr("top", Type.CARD, (expr,), span=expr.span)
        if wanted is Type.CARD and expr.op == "template":
            return Expr("theCard", Type.CARD, (expr,), span=expr.span)
        hints = {
            (Type.INT, Type.PLAYER): "write player(...) around it",
            (Type.PLAYER, Type.INT): "write playerNumber(...) around it",
            (Type.CARD, Type.RANK): "write rank(...) around it",
            (Type.CARD, Type.SUIT): "write suit(...) around it",
            (Type.CARDS, Type.INT): "write count(...) around it",
            (Type.RANK, Type.INT): "write rankValue(...) around it",
            (Type.CARD, Type.INT): "write rankValue(...) around it",
        }
        self._error(
            "type",
            f"{expected(wanted)}, not {described(kind)}",
            span,
            self._as_cards(expr, kind) if wanted is Type.CARDS else hints.get((kind, wanted)),
        )
        return None

    def _copies(self, expr: Expr) -> Expr | None:
        """All the cards that a card's name means, in a deck with copies; None if it is no name, or means one card."""
        if expr.op != "const" or expr.type is not Type.CARD or expr.value is None or expr.value < 0:
            return None
        if self.deck.first_copies.count(self.deck.first_copies[expr.value]) == 1:
            return None
        rank = Expr("const", Type.RANK, value=self.deck.rank_of(expr.value))
        suit = Expr("const", Type.SUIT, value=self.deck.suit_of(expr.value))
        return Expr("template", Type.CARDS, (rank, suit), span=expr.span)

    def _as_cards(self, expr: Expr, kind: Type) -> str | None:
        """How the cards of a suit or a rank are written."""
        if kind not in (Type.SUIT, Type.RANK):
            return None
        shown = expr.name if expr.op == "variable" else None
        if expr.op == "const" and expr.value is not None and expr.value >= 0:
            shown = (self.deck.suits if kind is Type.SUIT else self.deck.ranks)[expr.value]
        return f"write card(any, {shown or '...'})" if kind is Type.SUIT else f"write card({shown or '...'}, any)"

    def _decide(self, expr: Expr, kind: str, wanted: Type, span: Span | None) -> Expr | None:
        """A numeral, `any`, `none` or a variable of unknown type becomes what is wanted."""
        if expr.op in ("variable", "playerVariable"):
            joined = join(kind, wanted)
            assert expr.name is not None
            if joined is not None and joined != kind:
                self._learn(expr.name, joined)
            return replace(expr, type=wanted)
        if expr.op == "if":
            branches = [self._coerce(part, wanted, span) for part in expr.args[1:]]
            if branches[0] is None or branches[1] is None:
                return None
            return replace(expr, type=wanted, args=(expr.args[0], branches[0], branches[1]))
        if wanted is Type.CARDS and kind == NOTHING:
            return Expr("single", Type.CARDS, (Expr("const", Type.CARD, value=NONE),), span=expr.span)
        if wanted not in FLEXIBLE[kind]:
            what = {NUMERAL: "a number", WILD: "'any'", NOTHING: "'none'"}.get(kind, "this")
            hint = "write player(...) around it" if wanted is Type.PLAYER and kind == NUMERAL else None
            if wanted is Type.CARDS and kind == WILD:
                hint = "write cards"
            elif wanted is Type.CARDS and kind == NUMERAL and str(expr.value) in self.deck.ranks:
                hint = f"write card({expr.value}, any)"
            self._error("type", f"{expected(wanted)}, not {what}", span, hint)
            return None
        value = expr.value
        if kind == NUMERAL and wanted is Type.RANK:
            if str(value) not in self.deck.ranks:
                self._error("unknown-rank", f"the deck has no rank {value}", span)
                return None
            value = self.deck.ranks.index(str(value))
        return Expr("const", wanted, value=value, span=expr.span)

    def _expr(self, expression: tree.Expression, scope: Scope) -> Expr | None:
        """Elaborates an expression; the result may still be a literal of undecided type."""
        self.budget -= 1
        self.total_budget -= 1
        if self.budget < 0 or self.total_budget < 0:
            if self.budget == -1 or self.total_budget == -1:
                self._too_large(self.node_span or expression.span)
            return None
        if self.depth >= MAX_EXPANDED_DEPTH:
            self.budget = -1
            span = self.node_span or expression.span
            self._error("too-deep", f"expanded, this is nested more than {MAX_EXPANDED_DEPTH} deep", span)
            return None
        self.depth += 1
        expr = self._elaborated(expression, scope)
        self.depth -= 1
        return expr

    def _elaborated(self, expression: tree.Expression, scope: Scope) -> Expr | None:
        span = expression.span
        match expression:
            case tree.Number(value):
                return Expr(NUMERAL, Type.INT, value=value, span=span)
            case tree.Text():
                self._error("type", "a text can only be published", span)
                return None
            case tree.Name(name):
                return self._name(name, span, scope)
            case tree.Call(name, args):
                return self._call(name, args, span, scope)
            case tree.Operation():
                return self._operation(expression, scope)
            case tree.Each():
                return self._each(expression, scope)
            case tree.Range() | tree.PlayersFrom() | tree.Values():
                self._error("type", "a set of values can only be used in choose, or after 'in'", span)
                return None
        raise AssertionError(expression)

    def _too_large(self, span: Span) -> None:
        """Reported once for a node, and once for a whole chart: definitions can multiply each other without end."""
        if self.budget == -1:
            message = f"expanded, this is more than {MAX_EXPANSION} parts"
        else:
            message = f"expanded, the chart has more than {MAX_TOTAL_EXPANSION} parts"
        self._error("too-large", message, span, "the definitions it uses multiply each other")

    def _name(self, name: str, span: Span, scope: Scope) -> Expr | None:
        if name in scope.locals:
            return replace(scope.locals[name], span=span)
        if name in scope.parameters:
            argument, caller = scope.parameters[name]
            return self._expr(argument, caller)
        if name in CONSTANT_EXPRESSIONS:
            constant = CONSTANT_EXPRESSIONS[name]
            return Expr(constant.op, constant.type, value=constant.value, span=span)
        if name in ("players", "suits", "ranks"):
            self._error("type", f"'{name}' can only be used in choose, or after 'in'", span)
            return None
        if name in self.header.definitions:
            return self._expand(name, (), span, scope, self._expr)
        if name in self.header.options:
            return Expr("option", self._option_type(name), name=name, span=span)
        if name in self.header.words:
            return Expr("const", Type.WORD, value=self.header.words[name], span=span)
        if name in self.variable_types and name not in self.header.variables:
            return self._variable(Expr("variable", Type.INT, name=name, span=span))
        if name in self.deck.ranks:
            return Expr("const", Type.RANK, value=self.deck.ranks.index(name), span=span)
        if name in self.deck.suits:
            return Expr("const", Type.SUIT, value=self.deck.suits.index(name), span=span)
        if name in self.card_names:
            return Expr("const", Type.CARD, value=self.card_names[name][0], span=span)
        zone = self._zone_named(name)
        if zone is not None:
            if zone[0]:
                each = " and ".join(map(key_text, zone[0]))
                self._error("arguments", f"'{name}' is a zone of each {each}", span, f"write {self._written(name)}")
                return None
            return zone_expr(name, span=span)
        self._unknown_name(name, span, scope)
        return None

    def _variable(self, expr: Expr) -> Expr:
        """A variable with its type, as far as known."""
        assert expr.name is not None
        kind = self.variable_types[expr.name]
        if isinstance(kind, Type):
            return Expr(expr.op, kind, expr.args, name=expr.name, span=expr.span)
        self.undecided.add(expr.name)
        return replace(expr, value=FLEX_MARK[kind])

    def _unknown_name(self, name: str, span: Span, scope: Scope) -> None:
        families = self.header.variables
        if name in families or name in self.tables or name in self.header.lists or _is_function(name):
            self._error("arguments", f"'{name}' needs its argument in brackets", span, f"write {name}(...)")
            return
        if name in self.findings.lost_names:
            return
        candidates = [
            *self.declared,
            *self.variable_types,
            *scope.locals,
            *scope.parameters,
            *self.deck.ranks,
            *self.deck.suits,
            *RESERVED,
        ]
        if re.fullmatch(r"(10|[2-9TJQKA])[CDHS]", name):
            self._error("no-such-card", f"the deck has no card {name}", span)
        elif name[0].isdigit():
            self._error("no-such-card", f"the deck has no card '{name}'", span)
        else:
            hint = self._card_meant(name) or self.findings.near(name, candidates)
            self._error("unknown-name", f"unknown name '{name}'", span, hint)

    def _card_meant(self, name: str) -> str | None:
        """The hint for a card whose suit was written first, or in small letters."""
        if len(name) > 10:
            return None
        upper = name.upper()
        if upper in self.card_names:
            return f"did you mean '{upper}'?"
        turned = (upper[cut:] + upper[:cut] for cut in range(1, len(upper)))
        card = next((code for code in turned if code in self.card_names), None)
        return f"did you mean '{card}'? The rank comes first" if card is not None else None

    def _call(self, name: str, args: tuple[tree.Expression, ...], span: Span, scope: Scope) -> Expr | None:
        if name in self.header.definitions:
            return self._expand(name, args, span, scope, self._expr)
        if _is_function(name) and not (name in LATER and self._is_own(name)):
            return self._function(name, args, span, scope)
        if name in self.tables:
            return self._lookup(name, args, span, scope)
        if name in self.header.lists:
            index = self._typed(args[0], Type.INT, scope) if self._takes(1, name, args, span) else None
            return Expr("list", Type.INT, (index,), name=name, span=span) if index is not None else None
        if name in self.header.variables:
            index = self._place_of(name, self.header.variables[name][0], args, span, scope)
            if index is None:
                return None
            return self._variable(Expr("playerVariable", Type.INT, (index,), name=name, span=span))
        zone = self._zone_named(name)
        if zone is not None:
            return self._zone_call(name, zone[0], args, span, scope)
        if name in AGGREGATES:
            self._error(
                "arguments", f"'{name}' looks at elements one by one", span, f"write {AGGREGATES[name].written}"
            )
            return None
        functions = [
            *SIMPLE_FUNCTIONS,
            *FOLDED_FUNCTIONS,
            *SPECIAL_FUNCTIONS,
            *TABLED_FUNCTIONS,
            *AGGREGATES,
            *self.declared,
            *self.tables,
        ]
        if name in self.findings.lost_names:
            return None
        if name in self.variable_types:
            self._error(
                "unknown-name",
                f"'{name}' is not a variable of each player",
                span,
                f"declare it: each player has {name}",
            )
        elif name in STATEMENTS:
            self._error("unknown-name", f"'{name}' is a statement and has no value", span)
        else:
            self._error("unknown-name", f"unknown function '{name}'", span, self.findings.near(name, functions))
        return None

    def _function(self, name: str, args: tuple[tree.Expression, ...], span: Span, scope: Scope) -> Expr | None:
        if name in SIMPLE_FUNCTIONS:
            return self._simple(name, args, span, scope)
        if name in FOLDED_FUNCTIONS:
            return self._folded(name, args, span, scope)
        if name in TABLED_FUNCTIONS:
            return self._tabled(name, args, span, scope)
        special: Callable[..., Expr | None] = getattr(self, f"_call_{name}")
        return special(args, span, scope)

    def _is_own(self, name: str) -> bool:
        """Whether a name is one that the chart gave to something."""
        return name in self.declared or name in self.tables or name in self.variable_types

    def _takes(self, number: int, name: str, args: tuple[tree.Expression, ...], span: Span) -> bool:
        if len(args) != number:
            self._wrong_number(name, (number,), len(args), span)
        return len(args) == number

    def _simple(self, name: str, args: tuple[tree.Expression, ...], span: Span, scope: Scope) -> Expr | None:
        op = SIMPLE_FUNCTIONS[name]
        if not self._takes(len(op.takes), name, args, span):
            return None
        if name == "random" and not self.random_allowed:
            self._error("random", "random may only appear in the value of an assignment", span)
            return None
        if name == "partner" and not self.header.teams:
            self._error("teams", "partner needs a 'teams' line", span)
            return None
        parts = [self._typed(arg, kind, scope) for arg, kind in zip(args, op.takes, strict=True) if kind is not None]
        typed = tuple(part for part in parts if part is not None)
        assert op.gives is not None
        return Expr(op.name, op.gives, typed, span=span) if len(typed) == len(args) else None

    def _tabled(self, name: str, args: tuple[tree.Expression, ...], span: Span, scope: Scope) -> Expr | None:
        """A function of cards by a table (`rankValue` if none is named), and perhaps a number (3)."""
        op = TABLED_FUNCTIONS[name]
        most = len(op.takes) + 1
        if not 1 <= len(args) <= most:
            self._wrong_number(name, tuple(range(1, most + 1)), len(args), span)
            return None
        cards = self._typed(args[0], Type.CARDS, scope)
        table = self._table_named(args[1]) if len(args) > 1 else "rankValue"
        number: Expr | None = Expr("const", Type.INT, value=MELD_SIZE)
        if len(args) > 2:
            number = self._typed(args[2], Type.INT, scope)
        if cards is None or table is None or number is None:
            return None
        assert op.gives is not None
        return Expr(op.name, op.gives, (cards, number)[: len(op.takes)], name=table, span=span)

    def _table_named(self, expression: tree.Expression) -> str | None:
        if isinstance(expression, tree.Name) and expression.name in self.tables:
            return expression.name
        hint = f"tables: {', '.join(sorted(self.tables))}"
        self._error("type", "expected the name of a table or an order", expression.span, hint)
        return None

    def _call_isRun(self, args: tuple[tree.Expression, ...], span: Span, scope: Scope) -> Expr | None:  # noqa: N802
        sequence = self._tabled("isSequence", args, span, scope)
        if sequence is None:
            return None
        flush = Expr("isFlush", Type.BOOL, sequence.args, span=span)
        return Expr("and", Type.BOOL, (flush, sequence), span=span)

    def _folded(self, name: str, args: tuple[tree.Expression, ...], span: Span, scope: Scope) -> Expr | None:
        op = FOLDED_FUNCTIONS[name]
        kind = op.gives
        assert kind is not None
        if len(args) < 2:
            self._error("arguments", f"'{name}' takes 2 or more arguments, not {len(args)}", span, self._form(name))
            return None
        parts = [self._typed(arg, kind, scope) for arg in args]
        known = [part for part in parts if part is not None]
        return _balanced(op.name, kind, known, span) if len(known) == len(parts) else None

    def _call_suit(self, args: tuple[tree.Expression, ...], span: Span, scope: Scope) -> Expr | None:
        return self._part("suit", Type.SUIT, args, span, scope)

    def _call_rank(self, args: tuple[tree.Expression, ...], span: Span, scope: Scope) -> Expr | None:
        return self._part("rank", Type.RANK, args, span, scope)

    def _part(self, op: str, result: Type, args: tuple[tree.Expression, ...], span: Span, scope: Scope) -> Expr | None:
        expr = self._expr(args[0], scope) if self._takes(1, op, args, span) else None
        if expr is None:
            return None
        by_number = kind_of(expr) in (Type.INT, NUMERAL)
        part = self._coerce(expr, Type.INT if by_number else Type.CARD, args[0].span)
        return Expr(op + "At" if by_number else op, result, (part,), span=span) if part is not None else None

    def _call_top(self, args: tuple[tree.Expression, ...], span: Span, scope: Scope) -> Expr | None:
        return self._end_card("top", args, span, scope)

    def _call_bottom(self, args: tuple[tree.Expression, ...], span: Span, scope: Scope) -> Expr | None:
        return self._end_card("bottom", args, span, scope)

    def _end_card(self, op: str, args: tuple[tree.Expression, ...], span: Span, scope: Scope) -> Expr | None:
        if len(args) == 2:
            return self._placed(f"{op}Cards", Type.CARDS, args, span, scope)
        if len(args) != 1:
            self._wrong_number(op, (1, 2), len(args), span)
            return None
        zone = self._ordered_zone(op, args[0], scope)
        return Expr(op, Type.CARD, (zone,), span=span) if zone is not None else None

    def _call_at(self, args: tuple[tree.Expression, ...], span: Span, scope: Scope) -> Expr | None:
        return self._placed("at", Type.CARD, args, span, scope) if self._takes(2, "at", args, span) else None

    def _call_position(self, args: tuple[tree.Expression, ...], span: Span, scope: Scope) -> Expr | None:
        if not self._takes(2, "position", args, span):
            return None
        card, zone = self._typed(args[0], Type.CARD, scope), self._ordered_zone("position", args[1], scope)
        return None if card is None or zone is None else Expr("position", Type.INT, (card, zone), span=span)

    def _placed(self, op: str, kind: Type, args: tuple[tree.Expression, ...], span: Span, scope: Scope) -> Expr | None:
        """Cards of a zone by their number in it."""
        zone, number = (
            self._ordered_zone(op.removesuffix("Cards"), args[0], scope),
            self._typed(args[1], Type.INT, scope),
        )
        return None if zone is None or number is None else Expr(op, kind, (zone, number), span=span)

    def _ordered_zone(self, op: str, place: tree.Expression, scope: Scope) -> Expr | None:
        zone = self._expr(place, scope)
        if zone is None:
            return None
        if zone.op != "zone":
            self._error("unknown-zone", f"'{op}' takes a zone", place.span)
            return None
        self._order(zone)
        return zone

    def _call_if(self, args: tuple[tree.Expression, ...], span: Span, scope: Scope) -> Expr | None:
        if not self._takes(3, "if", args, span):
            return None
        condition = self._typed(args[0], Type.BOOL, scope)
        pair = self._same_type(args[1], args[2], scope)
        if condition is None or pair is None:
            return None
        return Expr("if", pair[0].type, (condition, *pair), span=span, value=flexible_value(pair))

    def _call_size(self, args: tuple[tree.Expression, ...], span: Span, scope: Scope) -> Expr | None:
        if not self._takes(1, "size", args, span):
            return None
        if not isinstance(args[0], tree.Name) or args[0].name not in self.header.lists:
            self._error("unknown-name", "size takes the name of a list", args[0].span)
            return None
        return Expr("listSize", Type.INT, name=args[0].name, span=span)

    def _lookup(self, name: str, args: tuple[tree.Expression, ...], span: Span, scope: Scope) -> Expr | None:
        expr = self._expr(args[0], scope) if self._takes(1, name, args, span) else None
        if expr is None:
            return None
        kind = kind_of(expr)
        wanted = kind if kind in (Type.RANK, Type.SUIT) else Type.RANK if kind in (NUMERAL, WILD) else Type.CARD
        assert isinstance(wanted, Type)
        key = self._coerce(expr, wanted, args[0].span)
        return Expr("table", Type.INT, (key,), name=name, span=span) if key is not None else None

    def _zone_call(
        self, name: str, keys: tuple[tree.Key, ...], args: tuple[tree.Expression, ...], span: Span, scope: Scope
    ) -> Expr | None:
        if not keys:
            self._error("arguments", f"'{name}' is one zone, not one for each player", span, f"write {name}")
            return None
        index = self._place_of(name, keys, args, span, scope)
        return zone_expr(name, index, span=span) if index is not None else None

    def _place_of(
        self,
        name: str,
        keys: tuple[tree.Key, ...],
        args: tuple[tree.Expression, ...],
        span: Span,
        scope: Scope,
    ) -> Expr | None:
        """Which of a family's places is meant: a player if that is the only key."""
        if not self._takes(len(keys), name, args, span):
            return None
        parts = [self._typed(arg, KEY_TYPES[key.kind], scope) for arg, key in zip(args, keys, strict=True)]
        typed = tuple(part for part in parts if part is not None)
        if len(typed) < len(keys):
            return None
        return typed[0] if keys == tree.PER_PLAYER else Expr("place", Type.PLACE, typed, name=name, span=span)

    def _expand(
        self,
        name: str,
        args: tuple[tree.Expression, ...],
        span: Span,
        scope: Scope,
        elaborate: Callable[[tree.Expression, Scope], _Found | None],
    ) -> _Found | None:
        definition = self.header.definitions[name]
        self.used_definitions.add(name)
        if name in scope.expanding:
            self._error("recursion", f"definition '{name}' uses itself", definition.span)
            return None
        if not self._takes(len(definition.parameters), name, args, span):
            return None
        inner = Scope(
            parameters={parameter: (arg, scope) for parameter, arg in zip(definition.parameters, args, strict=True)},
            expanding=(*scope.expanding, name),
        )
        random_allowed, self.random_allowed = self.random_allowed, False
        found = elaborate(definition.value, inner)
        self.random_allowed = random_allowed
        if isinstance(found, Expr) and not scope.expanding:
            self.said.setdefault(found, tree.Call(name, args) if args else tree.Name(name))
        return found

    def _operation(self, operation: tree.Operation, scope: Scope) -> Expr | None:
        operator, operands, span = operation.operator, operation.operands, operation.span
        if operator == "!":
            part = self._typed(operands[0], Type.BOOL, scope)
            return Expr("not", Type.BOOL, (part,), span=span) if part is not None else None
        if operator == "-" and len(operands) == 1:
            part = self._typed(operands[0], Type.INT, scope)
            return Expr("negate", Type.INT, (part,), span=span) if part is not None else None
        if operator in ("==", "!="):
            pair = self._same_type(operands[0], operands[1], scope)
            if pair is None:
                return None
            settled = [self._settle(part) for part in pair]
            if settled[0] is None or settled[1] is None:
                return None
            if settled[0].type in (Type.CARDS, Type.TEXT):
                self._error("type", "cards can only be compared one by one", span, "use 'in', count or empty")
                return None
            for card, other in ((settled[0], settled[1]), (settled[1], settled[0])):
                copies = self._copies(other)
                if copies is not None:  # `c == QS`: whichever copy it is
                    same = Expr("member", Type.BOOL, (card, copies), span=span)
                    return same if operator == "==" else Expr("not", Type.BOOL, (same,), span=span)
            return Expr(OPERATORS[operator].name, Type.BOOL, (settled[0], settled[1]), span=span)
        if operator == "in":
            return self._membership(operands[0], operands[1], span, scope)
        op = OPERATORS[operator]
        wanted = op.takes[0]
        assert wanted is not None
        assert op.gives is not None
        left, right = (self._typed(operand, wanted, scope) for operand in operands)
        return Expr(op.name, op.gives, (left, right), span=span) if left is not None and right is not None else None

    def _membership(self, left: tree.Expression, right: tree.Expression, span: Span, scope: Scope) -> Expr | None:
        if isinstance(right, tree.Range):
            value = self._typed(left, Type.INT, scope)
            low, high = self._typed(right.low, Type.INT, scope), self._typed(right.high, Type.INT, scope)
            if value is None or low is None or high is None:
                return None
            above = Expr("greaterEqual", Type.BOOL, (value, low), span=span)
            return Expr("and", Type.BOOL, (above, Expr("lessEqual", Type.BOOL, (value, high), span=span)), span=span)
        card = self._typed(left, Type.CARD, scope)
        cards = self._typed(right, Type.CARDS, scope)
        if card is None or cards is None:
            return None
        copies = self._copies(card)
        if copies is not None:
            shared = Expr("intersect", Type.CARDS, (cards, copies), span=span)
            return Expr("not", Type.BOOL, (Expr("empty", Type.BOOL, (shared,), span=span),), span=span)
        return Expr("member", Type.BOOL, (card, cards), span=span)

    def _same_type(self, left: tree.Expression, right: tree.Expression, scope: Scope) -> tuple[Expr, Expr] | None:
        """Two expressions brought to one type; still undecided when neither decides."""
        first, second = self._expr(left, scope), self._expr(right, scope)
        if first is None or second is None:
            return None
        kinds = (kind_of(first), kind_of(second))
        for mine, other, expr, span in (
            (kinds[0], kinds[1], second, right.span),
            (kinds[1], kinds[0], first, left.span),
        ):
            if isinstance(mine, Type) and (not isinstance(other, Type) or mine is not other):
                if isinstance(other, Type) and {mine, other} == {Type.CARD, Type.CARDS}:
                    one = self._coerce(first, Type.CARD, left.span), self._coerce(second, Type.CARD, right.span)
                    return (one[0], one[1]) if one[0] is not None and one[1] is not None else None
                coerced = self._coerce(expr, mine, span)
                if coerced is None:
                    return None
                return (first, coerced) if expr is second else (coerced, second)
        if not isinstance(kinds[0], Type) and kinds[0] != kinds[1]:
            assert not isinstance(kinds[1], Type)
            joined = join(kinds[0], kinds[1])
            if isinstance(joined, Type):
                one = self._coerce(first, joined, left.span), self._coerce(second, joined, right.span)
                return (one[0], one[1]) if one[0] is not None and one[1] is not None else None
        return (first, second)

    def _each(self, each: tree.Each, scope: Scope) -> Expr | None:
        domain = self._domain(each.domain, scope)
        if domain is None:
            return None
        source, element = domain
        if each.kind == "those" and element is not Type.CARD:
            self._error("type", "only cards can be used here; other values can only be used in choose", each.span)
            return None
        bound = self._bind(each, source, element, scope)
        if bound is None:
            return None
        name, condition, inner = bound
        if each.kind == "those":
            return Expr("those", Type.CARDS, (source, condition), name=name, span=each.span)
        op = AGGREGATES[each.kind]
        value = self._typed(each.value, Type.INT, inner) if each.value is not None else None
        if value is None and each.value is not None:
            return None
        gives = op.gives or element
        assert isinstance(gives, Type)
        args = (source, condition) if value is None else (source, condition, value)
        return Expr(op.name, gives, args, name=name, span=each.span)

    def _bind(self, each: tree.Each, source: Expr, element: Type | str, scope: Scope) -> tuple[str, Expr, Scope] | None:
        """Binds the element's name and elaborates the condition."""
        kind = element if isinstance(element, Type) else DEFAULT_TYPE[element]
        taken = {bound.name for bound in scope.locals.values()} | _caller_locals(scope)
        name = each.variable
        while name in taken or name == "seat":
            name += "_"
        if each.variable in RESERVED:
            hint = "write cards c in ... where ..." if each.variable == "cards" else None
            self._error("reserved-name", f"'{each.variable}' is a word of the language", each.span, hint)
            return None
        named = each.domain.name if isinstance(each.domain, (tree.Name, tree.Call)) else ""
        is_parameter = named in scope.parameters or self._defines_domain(named, scope)
        right = PLURALS.get(kind, "values")
        if each.noun not in ("", "values", right) and not is_parameter:
            self._error(
                "type", f"these are {right}, not {each.noun}", each.span, f"write {right} {each.variable} in ..."
            )
            return None
        inner = Scope(
            {**scope.locals, each.variable: Expr("local", kind, name=name)},
            {key: value for key, value in scope.parameters.items() if key != each.variable},
            scope.expanding,
        )
        condition = TRUE if each.condition is None else self._typed(each.condition, Type.BOOL, inner)
        return (name, condition, inner) if condition is not None else None

    def _domain(self, domain: tree.Expression, scope: Scope) -> tuple[Expr, Type | str] | None:
        """What an aggregate or a choice goes through, and the type of its elements (perhaps undecided)."""
        span = domain.span
        match domain:
            case tree.Range(low, high):
                first, last = self._typed(low, Type.INT, scope), self._typed(high, Type.INT, scope)
                if first is None or last is None:
                    return None
                return Expr("range", Type.DOMAIN, (first, last), span=span), Type.INT
            case tree.Name("players"):
                return Expr("players", Type.DOMAIN, span=span), Type.PLAYER
            case tree.PlayersFrom(player):
                first = self._typed(player, Type.PLAYER, scope)
                if first is None:
                    return None
                return Expr("playersFrom", Type.DOMAIN, (first,), span=span), Type.PLAYER
            case tree.Name("suits"):
                return Expr("suits", Type.DOMAIN, span=span), Type.SUIT
            case tree.Name("ranks"):
                return Expr("ranks", Type.DOMAIN, span=span), Type.RANK
            case tree.Values():
                return self._values(domain, scope)
            case tree.Name(name) if name in scope.parameters:
                argument, caller = scope.parameters[name]
                return self._domain(argument, caller)
            case tree.Name(name) if self._defines_domain(name, scope):
                return self._expand(name, (), span, scope, self._domain)
            case tree.Call(name, args) if self._defines_domain(name, scope):
                return self._expand(name, args, span, scope, self._domain)
            case tree.Call("subsets", args) if not self._is_own("subsets"):
                return self._subsets(args, span, scope)
            case tree.Each(kind="those"):
                return self._those_domain(domain, scope)
        cards = self._typed(domain, Type.CARDS, scope)
        return (cards, Type.CARD) if cards is not None else None

    def _defines_domain(self, name: str, scope: Scope) -> bool:
        """Whether a name is defined as elements of a domain, which are no value of their own: sets of cards, say."""
        if name in scope.locals or name in scope.parameters or name not in self.header.definitions:
            return False
        match self.header.definitions[name].value:
            case tree.Each(kind="those") | tree.Call("subsets"):
                return True
            case tree.Name(other) | tree.Call(other) if other != name and name not in scope.expanding:
                return self._defines_domain(other, Scope(expanding=(*scope.expanding, name)))
        return False

    def _subsets(self, args: tuple[tree.Expression, ...], span: Span, scope: Scope) -> tuple[Expr, Type | str] | None:
        if len(args) not in (1, 2):
            self._wrong_number("subsets", (1, 2), len(args), span)
            return None
        cards = self._typed(args[0], Type.CARDS, scope)
        low: Expr | None = Expr("const", Type.INT, value=1)
        high: Expr | None = Expr("const", Type.INT, value=MAX_CARDS)
        if len(args) == 2:
            ends = (args[1].low, args[1].high) if isinstance(args[1], tree.Range) else (args[1], args[1])
            low, high = (self._typed(end, Type.INT, scope) for end in ends)
        if cards is None or low is None or high is None:
            return None
        return Expr("subsets", Type.DOMAIN, (cards, low, high), span=span), Type.CARDS

    def _those_domain(self, each: tree.Each, scope: Scope) -> tuple[Expr, Type | str] | None:
        domain = self._domain(each.domain, scope)
        if domain is None:
            return None
        source, element = domain
        bound = self._bind(each, source, element, scope)
        if bound is None:
            return None
        kind = Type.CARDS if element is Type.CARD else Type.DOMAIN
        return Expr("those", kind, (source, bound[1]), name=bound[0], span=each.span), element

    def _values(self, values: tree.Values, scope: Scope) -> tuple[Expr, Type | str] | None:
        items: list[Expr] = []
        kind: Type | str = UNKNOWN
        for item in values.items:
            expr = self._item(item, scope)
            if expr is None:
                return None
            own = item_kind(expr)
            joined = join(kind, own)
            if joined is None:
                self._error("type", f"{described(own)} among values that are each {described(kind)}", item.span)
                return None
            kind = joined
            items.append(expr)
        if not items:
            self._error("type", "an empty set of values", values.span)
            return None
        expr = Expr("values", Type.DOMAIN, tuple(items), span=values.span)
        if isinstance(kind, Type):
            coerced = self._coerce_domain(expr, kind, values.span)
            return (coerced, kind) if coerced is not None else None
        return expr, kind

    def _item(self, item: tree.Item, scope: Scope) -> Expr | None:
        value: Expr | None
        if isinstance(item.value, (tree.Range, tree.PlayersFrom, tree.Values)) or (
            isinstance(item.value, tree.Name) and item.value.name in ("players", "suits", "ranks")
        ):
            domain = self._domain(item.value, scope)
            value = domain[0] if domain is not None else None
        else:
            value = self._expr(item.value, scope)
        if value is None or item.condition is None:
            return value
        condition = self._typed(item.condition, Type.BOOL, scope)
        return Expr("when", value.type, (condition, value), span=item.span) if condition is not None else None

    def _coerce_domain(self, domain: Expr, wanted: Type, span: Span) -> Expr | None:
        """A set of values whose elements are brought to the wanted type."""
        own = DOMAIN_TYPES.get(domain.op)
        if own is not None:
            if own is not wanted:
                self._error("type", f"{expected(wanted)}, not {described(own)}", span)
                return None
            return domain
        if domain.op == "those":
            inner = self._coerce_domain(domain.args[0], wanted, span) if domain.type is Type.DOMAIN else None
            if inner is None:
                if domain.type is Type.CARDS:
                    self._error("type", f"{expected(wanted)}, not cards", span)
                return None
            return replace(domain, args=(inner, domain.args[1]))
        if domain.op == "when":
            inner = self._coerce_domain(domain.args[1], wanted, span)
            return replace(domain, type=inner.type, args=(domain.args[0], inner)) if inner is not None else None
        if domain.op == "values":
            items = [self._coerce_domain(item, wanted, span) for item in domain.args]
            kept = tuple(item for item in items if item is not None)
            return replace(domain, args=kept) if len(kept) == len(items) else None
        return self._coerce(domain, wanted, domain.span or span)


def _balanced(op: str, kind: Type, parts: list[Expr], span: Span) -> Expr:
    """Folds two or more parts into a tree that is not deeper than it must be; three fold from the left."""
    if len(parts) == 1:
        return parts[0]
    middle = (len(parts) + 1) // 2
    first, second = _balanced(op, kind, parts[:middle], span), _balanced(op, kind, parts[middle:], span)
    return Expr(op, kind, (first, second), span=span)


def _is_function(name: str) -> bool:
    return any(name in known for known in (SIMPLE_FUNCTIONS, FOLDED_FUNCTIONS, SPECIAL_FUNCTIONS, TABLED_FUNCTIONS))


def zone_expr(name: str, index: Expr | None = None, span: Span | None = None) -> Expr:
    """A zone; of a family the one of a player or at a place."""
    return Expr("zone", Type.CARDS, (index,) if index is not None else (), name=name, span=span)


def _caller_locals(scope: Scope) -> set[str | None]:
    names: set[str | None] = set()
    for _, caller in scope.parameters.values():
        names |= {bound.name for bound in caller.locals.values()} | _caller_locals(caller)
    return names
