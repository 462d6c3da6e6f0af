"""Why a card may not be played, as card players say it: `You must follow clubs.`

Found from the conditions of the rule that the card does not meet, and from the cards that may be played: a sentence is
said only if it is true of all of them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from fcdl.language.flowchart import ANY, Expr, Pick, Play, Type
from fcdl.language.ops import BINDERS
from fcdl.language.saying import called
from fcdl.language.sight import hidden_part
from fcdl.model.reasons import Facts, expr_text, rank_words, simple_conditions, taken_branch
from fcdl.ui.talk import either

_HIGHER = {"greater": True, "greaterEqual": True, "less": False, "lessEqual": False}
_DONE = re.compile(r"(.* )?(\w+(?:ed|en)|led|won|lost|made|met|shown)")
"""What a yes or no tells that has happened: `hearts broken`."""
CARD = Expr("local", Type.CARD, name="card")


@dataclass(frozen=True, slots=True)
class Unmet:
    """A simple condition on a card that it does not meet."""

    facts: Facts
    expr: Expr
    name: str
    """What the card is called in it."""
    holds: bool
    """Whether it holds for the card, and should not."""
    listed: bool = False
    """Whether the chart names the cards that are asked for, so that all of them are said."""

    def met_by(self, card: int) -> bool:
        """Whether another card meets it."""
        return self.facts.value(self.expr, {self.name: card}) == (not self.holds)

    @property
    def of_card(self) -> bool:
        """Whether it depends on the card."""
        return self._mentions(self.expr)

    def _mentions(self, expr: Expr) -> bool:
        if expr.op == "local":
            return expr.name == self.name
        if expr.name == self.name and expr.op in BINDERS:  # a card of its own that is called the same
            return self._mentions(expr.args[0])
        return any(map(self._mentions, expr.args))

    def sides(self) -> tuple[Expr, Expr, bool] | None:
        """Of a comparison the side that depends on the card, the other, and whether they have changed places."""
        if len(self.expr.args) != 2:
            return None
        left, right = self.expr.args
        if self._mentions(left) == self._mentions(right):
            return None
        return (left, right, False) if self._mentions(left) else (right, left, True)

    def equality(self, kind: Type) -> tuple[Expr, int, bool] | None:
        """What of the card is compared, with which value, and whether the card must be so (or must not)."""
        sides = self.sides()
        if sides is None or sides[0].type is not kind or self.expr.op not in ("equal", "notEqual"):
            return None
        value = self.facts.value(sides[1])
        if not isinstance(value, int) or value < 0:
            return None
        return sides[0], value, (self.expr.op == "equal") is not self.holds

    def wants_higher(self) -> bool | None:
        """Whether a higher card than another is asked for, or a lower one; None if that is not what it asks."""
        sides = self.sides()
        if sides is None or self.expr.op not in _HIGHER:
            return None
        mine, other, turned = sides
        of_a_card = mine.op == "table" and mine.args[0].op == "local" and other.op == "table"
        return _HIGHER[self.expr.op] is not (turned is not self.holds) if of_a_card else None


@dataclass(frozen=True, slots=True)
class TableTalk:
    """What those at the table say and see of a decision."""

    led: str | None = None
    """The first card of the trick."""
    otherwise: str = ""
    """What a pass is called."""
    verb: str = "play"
    """What one does with a card."""
    answers: bool = False
    """Whether cards answer others, as in a defence: then what beats what is said in the words of the chart."""


NO_TALK = TableTalk()


def plainly(facts: Facts, statement: Play | Pick, card: int, may: Sequence[int], talk: TableTalk) -> str:
    """`must follow clubs`, `may not lead hearts: they have not been broken yet`; empty if nothing so simple is true.

    `may` are the cards that may be played.
    """
    reason = _Reason(facts, statement, card, may, talk)
    return reason.said(talk.otherwise if isinstance(statement, Play) and statement.may_pass else "")


class _Reason:
    def __init__(self, facts: Facts, statement: Play | Pick, card: int, may: Sequence[int], talk: TableTalk) -> None:
        self.facts, self.card, self.may, self.verb = facts, card, may, talk.verb
        self.chart, self.player = facts.game.flowchart, statement.player
        self.led = self.chart.deck.cards_with_code(talk.led)[0] if talk.led is not None else None
        self.leads = isinstance(statement, Play) and not statement.may_pass and talk.led is None
        self.unmet = list(_asked(facts, statement.cards, card))

    def said(self, otherwise: str) -> str:
        """What is to be said; `otherwise` is what one may do instead."""
        demand = self._trumps() or self._demand() or self._higher()
        if demand:
            return f"must {demand}" + (f", or {otherwise}" if otherwise else "")
        return self._forbidden()

    # --- what must be played

    def _demand(self) -> str:
        """Suits and ranks that are asked for."""
        asked = [(one, words) for one in self.unmet if (words := self._asks_for(one))]
        asked = [(one, words) for one, words in asked if one.listed or not self.may or any(map(one.met_by, self.may))]
        if not asked or not all(any(one.met_by(card) for one, _ in asked) for card in self.may):
            return ""
        follow = list(dict.fromkeys(text for _, (verb, text) in asked if verb == "follow"))
        play = list(dict.fromkeys(text for _, (verb, text) in asked if verb == "play"))
        parts = [f"follow {either(follow)}"] if follow else []
        return " or ".join([*parts, *([f"{self.verb} {either(play)}"] if play else [])])

    def _asks_for(self, one: Unmet) -> tuple[str, str] | None:
        deck = self.chart.deck
        if (suit := one.equality(Type.SUIT)) is not None and suit[2]:
            of_card, value, _ = suit
            name = deck.suits[value]
            if self.led is not None and self.facts.value(of_card, {one.name: self.led}) == value:
                return "follow", name
            if name == "trumps":
                return "play", "a trump"
            return "play", f"a trump ({name})" if value in self._trump_suits() else name
        if (rank := one.equality(Type.RANK)) is not None and rank[2] and rank[0].op == "rank":
            return "play", rank_words(deck.ranks[rank[1]])
        return None

    def _trump_suits(self) -> Iterator[int]:
        for variable in self.chart.variables.values():
            known = variable.type is Type.SUIT and not variable.keys and not variable.secret
            if known and "trump" in called(self.chart, variable.name):
                value = self.facts.value(Expr("variable", Type.SUIT, name=variable.name))
                if isinstance(value, int):
                    yield value

    def _trumps(self) -> str:
        """That only trumps will do, or none, where the hand is sorted by what is a trump."""
        keys = [key for key in self.chart.hand_order if key.type is Type.BOOL and "trump" in self._text(key)]
        keys = [key for key in keys if hidden_part(self.chart, key, self.player) is None]
        if not keys or self.led is None or not self.may or not any(one.of_card for one in self.unmet):
            return ""
        trumps = {card: self.facts.value(keys[0], {"card": card}) for card in (*self.may, self.card, self.led)}
        if not trumps[self.card] and all(trumps[card] for card in self.may):
            return "follow trumps" if trumps[self.led] else f"{self.verb} a trump"
        suit_of, deck = self.chart.deck.suit_of, self.chart.deck
        if trumps[self.card] and all(suit_of(card) == suit_of(self.led) and not trumps[card] for card in self.may):
            return f"follow {deck.suits[suit_of(self.led)]}, and {deck.code(self.card)} is a trump"
        return ""

    def _text(self, expr: Expr) -> str:
        return expr_text(expr, self.chart).lower()

    def _higher(self) -> str:
        """That only higher cards will do."""
        wanted = [one.wants_higher() for one in self.unmet if one.wants_higher() is not None and self._all_meet(one)]
        if not wanted or not self.may:
            return ""
        suits = {self.chart.deck.suit_of(card) for card in (*self.may, self.card)}
        noun = "card"
        if len(suits) == 1:
            suit = suits.pop()
            noun = "trump" if suit in self._trump_suits() else self.chart.deck.suits[suit].removesuffix("s")
        return f"{self.verb} a {'higher' if wanted[0] else 'lower'} {noun}"

    def _all_meet(self, one: Unmet) -> bool:
        return all(map(one.met_by, self.may))

    # --- what may not be played

    def _forbidden(self) -> str:
        """A suit, or this very card, that may not be played yet."""
        code = self.chart.deck.code(self.card)
        does = "lead" if self.leads and self._is_trick_game else self.verb
        for one in self.unmet:
            if (suit := one.equality(Type.SUIT)) is not None and not suit[2] and self._all_meet(one):
                name = self.chart.deck.suits[suit[1]]
                return f"may not {does} {name}{self._yet(name)}"
        for one in self.unmet:
            sides = one.sides()
            is_card = sides is not None and sides[0].op == "local" and one.equality(Type.CARD) is not None
            if is_card and sides is not None and self._all_meet(one):
                if sides[1].op == "variable":
                    words = called(self.chart, sides[1].name or "")
                    return f"may not {does} {code}: it is the {words}{'' if 'card' in words else ' card'}"
                return f"may not {does} {code}{self._yet(code)}" if sides[1].op == "const" else ""
        return ""

    @cached_property
    def _is_trick_game(self) -> bool:
        """Whether other decisions are to play to what lies there."""
        plays = [node.statement for node in self.chart.nodes.values() if isinstance(node.statement, Play)]
        return len(plays) > 1 and all(play.target.name == "middle" and not play.may_pass for play in plays)

    def _yet(self, subject: str) -> str:
        """`: they have not been broken yet`, ` yet`, or nothing, by what else is in the way."""
        others = [one for one in self.unmet if not one.of_card]
        for one in others:
            words = called(self.chart, one.expr.name or "") if one.expr.op == "variable" else ""
            done = _DONE.fullmatch(words)
            if done is not None and not one.holds:
                what = (done[1] or "").strip()
                who = "they" if what == subject else what
                has = "have" if who == "they" or who.endswith("s") else "has"
                return f": {who} {has} not been {done[2]} yet" if who else " yet"
        return " yet" if any(map(_comes, others)) else ""


def _comes(one: Unmet) -> bool:
    """Whether a condition will hold later: something that happens, or a number that grows."""
    counts = one.expr.op in ("greater", "greaterEqual") and one.expr.args[0].op == "variable"
    return not one.holds and (one.expr.op == "variable" or counts)


def _asked(facts: Facts, cards: Expr, card: int) -> Iterator[Unmet]:
    """The conditions that a card does not meet, of cards that are asked for."""
    cards = taken_branch(facts, cards)
    if cards.op == "those" and cards.name is not None:
        domain, condition = cards.args
        inside = facts.value(domain)
        if isinstance(inside, tuple) and card not in inside:
            yield from _asked(facts, domain, card)
            return
        for simple, holds in simple_conditions(facts, condition, {cards.name: card}, wanted=False, plain=sys.maxsize):
            yield Unmet(facts, simple, cards.name, holds)
    elif cards.op == "union":
        for part in cards.args:
            yield from _asked(facts, part, card)
    elif cards.op == "template":
        rank, suit = cards.args
        fixed = [
            Expr("equal", Type.BOOL, (Expr(op, kind, (CARD,)), arg))
            for op, kind, arg in (("rank", Type.RANK, rank), ("suit", Type.SUIT, suit))
            if facts.value(arg) != ANY
        ]
        if len(fixed) == 1:
            yield Unmet(facts, fixed[0], "card", holds=False, listed=True)
