"""How a game is talked about to one seat: the words of its chart, or derived ones. All that is said has its home here.

Words are made from the table of the seat (`Table`: what its events say) and from nothing else, so they cannot tell what
the seat has not seen; a line of the chart that needs more is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from fcdl.engines.stepping import SteppingState, Values
from fcdl.language import flowchart as fc
from fcdl.language.blind import PLACE
from fcdl.language.diagnostics import printable
from fcdl.language.flowchart import NONE, Expr, Say, Type
from fcdl.language.ops import BY_ORDER, depends_on_play
from fcdl.language.saying import called, decisions_called, lines_about, says_exprs, spaced
from fcdl.language.seats import LAID_ASIDE, chosen_name
from fcdl.model.events import Event
from fcdl.model.game import Game, GameError
from fcdl.model.moves import PASS, Move
from fcdl.model.reasons import NOTHING_BOUND, Bound
from fcdl.model.table import Pile, Table

MAX_WORK = 50_000
"""So many parts of expressions are looked at for one text; charts come from anybody."""
LISTED = 4
"""Of more answers than this a question names none."""
BLACK_AND_RED = ("clubs", "diamonds", "spades", "hearts")
_VERBS = {"is": "are", "has": "have", "does": "do", "was": "were"}
_ONE = re.compile(r"(?<!player )(?<![\d.,])1 (point|trick|card|round|deal|chip|book|pair)s\b")
_MINUS = re.compile(r"(?<!\w)-(?=\d)")
_NAMED = re.compile(r"\bplayer (\d+)('s)?(?: ([a-z]+))?")


def you_form(verb: str) -> str:
    """A verb of the third person, to the one who does it: `takes` is `take`."""
    if verb in _VERBS:
        return _VERBS[verb]
    if verb.endswith(("sses", "shes", "ches", "xes", "oes")):
        return verb[:-2]
    if verb.endswith("ies") and len(verb) > 4:
        return f"{verb[:-3]}y"
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def third_person(phrase: str) -> str:
    """What somebody does, from what it is called: `take` is `takes`, `pass` is `passes`."""
    verb, blank, rest = phrase.partition(" ")
    for base, form in (("are", "is"), ("have", "has"), ("do", "does")):
        if verb == base:
            return form + blank + rest
    ending = "es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else "s"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        verb, ending = verb[:-1], "ies"
    return verb + ending + blank + rest


def sentence(text: str) -> str:
    """A text as a sentence of its own begins."""
    return text[:1].upper() + text[1:]


def either(texts: Sequence[str], word: str = "or") -> str:
    """`a, b or c`; of nothing `nobody`."""
    return f"{', '.join(texts[:-1])} {word} {texts[-1]}" if len(texts) > 1 else "".join(texts) or "nobody"


class _UnseenError(Exception):
    """The seat does not know this, or it takes too long to find out."""


class _Seen(Values):
    """The values of expressions, as far as a table tells them; raises _UnseenError."""

    def __init__(self, table: Table) -> None:
        super().__init__(table.game)
        self.table = table
        self.state = SteppingState(0, _Variables(table), _Zones(table))
        self.work = 0

    def of(self, expr: Expr, bound: Bound) -> int:
        """The value of an expression."""
        self.work = MAX_WORK
        return self.value(expr, self.state, bound)

    def said(self, expr: Expr, bound: Bound) -> str:
        """The value of an expression as published texts say it."""
        self.work = MAX_WORK
        return self.text(expr, self.state, bound)

    def value(self, expr: Expr, state: SteppingState, bound: Bound = NOTHING_BOUND) -> int:
        """The value of an expression; how many cards lie where is always known."""
        self.work -= 1
        if self.work < 0:
            raise _UnseenError
        if expr.op in ("count", "empty") and expr.args[0].op == "zone":
            size = self._size(self.slot(expr.args[0], state, bound))
            return size if expr.op == "count" else int(size == 0)
        if expr.op == "cardsRemaining":
            return self._size(("hand", self.value(expr.args[0], state, bound)))
        if expr.op in BY_ORDER and (zone := expr.args[BY_ORDER[expr.op]]).op == "zone":
            pile = _pile(self.table, self.slot(zone, state, bound))
            if pile is not None and pile.mixed and not (expr.op == "top" and pile.top is not None):
                raise _UnseenError
            if pile is not None and expr.op == "top" and pile.top is not None:
                return self.deck.cards_with_code(pile.top)[0]
        return super().value(expr, state, bound)

    def _size(self, slot: tuple[str, int | None]) -> int:
        pile = _pile(self.table, slot)
        return len(pile.cards) if pile is not None else 0


def _pile(table: Table, slot: tuple[str, int | None]) -> Pile | None:
    """The pile of a zone; None where there is no such place."""
    zone, place = slot
    if place not in table.game.places_of(table.game.flowchart.zones[zone]):
        return None
    return table.zones[table.game.place_text(zone, place)]


class _Variables(Mapping[tuple[str, int | None], int]):
    """The variables of a table as numbers."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def __getitem__(self, slot: tuple[str, int | None]) -> int:
        variable = self.table.game.flowchart.variables[slot[0]]
        if slot[1] not in self.table.game.places_of(variable):
            raise KeyError(slot)
        text = self.table.values.get(slot)
        if text is None:
            if variable.secret:
                raise _UnseenError
            return NONE  # it has no value yet
        return self.table.game.value_from_text(variable.type, text)

    def __iter__(self) -> Iterator[tuple[str, int | None]]:
        return iter(self.table.values)

    def __len__(self) -> int:
        return len(self.table.values)


class _Zones(Mapping[tuple[str, int | None], tuple[int, ...]]):
    """The zones of a table, from the top."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def __getitem__(self, slot: tuple[str, int | None]) -> tuple[int, ...]:
        pile = _pile(self.table, slot)
        if pile is None:
            raise KeyError(slot)
        if None in pile.cards:
            raise _UnseenError
        met: dict[str, int] = {}
        found = []
        for code in reversed(pile.known):
            found.append(self.table.game.flowchart.deck.cards_with_code(code)[met.get(code, 0)])
            met[code] = met.get(code, 0) + 1
        return tuple(found)

    def __iter__(self) -> Iterator[tuple[str, int | None]]:
        return iter(self.table.game.places.values())

    def __len__(self) -> int:
        return len(self.table.game.places)


class Talk:
    """Talks to one seat (None: to nobody in particular) about what its table shows."""

    def __init__(self, game: Game, table: Table, seat: int | None) -> None:
        self.game, self.chart, self.table, self.seat = game, game.flowchart, table, seat
        self._seen = _Seen(table)
        self._ordered: tuple[object, Mapping[str, int]] | None = None

    @cached_property
    def _decisions(self) -> dict[str, frozenset[int]]:
        """The decisions that the lines of the chart are about."""
        return {say.name: decisions_called(self.chart, say.name) for say in self.chart.says}

    # --- texts

    def _say(self, lines: Iterable[Say], me: int | None = None, card: int | None = None) -> str | None:
        """The first line whose condition holds and that can be told; None if there is none."""
        for say in lines:
            text = self._text(say, me, card)
            if text is not None:
                return text
        return None

    def _text(self, say: Say, me: int | None, card: int | None = None) -> str | None:
        """A line as the seat reads it; None where its condition does not hold, or the seat does not know enough."""
        bound: Bound = {name: value for name, value in (("me", me), ("card", card)) if value is not None}
        try:
            if say.condition is not None and not self._seen.of(say.condition, bound):
                return None
            text = _MINUS.sub("−", _ONE.sub(r"1 \1", self._parts(say.text, bound)))
            return printable(text)
        except (_UnseenError, GameError, LookupError, ValueError, AssertionError, RecursionError):
            return None

    def _parts(self, parts: Sequence[str | Expr], bound: Bound) -> str:
        text, to_you = "", False
        for part in parts:
            if isinstance(part, Expr):
                said, to_you = self._value(part, bound)
                text += said
                continue
            if to_you and (verb := re.match(r" ([a-z]+)\b", part)):
                part = f" {you_form(verb[1])}{part[verb.end() :]}"
            elif to_you and part.startswith("'s"):
                text, part = f"{text}r", part[2:]
            text, to_you = text + part, False
        return text

    def _value(self, expr: Expr, bound: Bound) -> tuple[str, bool]:
        """A value in words, and whether it is the reader."""
        if expr.type is Type.PLAYER:
            seat = self._seen.of(expr, bound)
            return (self.name(seat) if seat >= 0 else "nobody"), seat == self.seat
        if expr.type is Type.WORD:
            number = self._seen.of(expr, bound)
            return called(self.chart, self.chart.words[number]) if number >= 0 else "none", False
        if expr.type is Type.DOMAIN and _is_of_players(expr):
            return either(
                [self.name(seat) for seat in self._seen.elements(expr, self._seen.state, bound)], "and"
            ), False
        return self._seen.said(expr, bound), False

    # --- names

    def name(self, seat: int) -> str:
        """A player to the reader: `you`, `player 2`, or the name that the chart has for the seat."""
        return "you" if seat == self.seat else self.third_name(seat)

    def third_name(self, seat: int) -> str:
        """A player, also the reader, as everybody else says it."""
        return self._own_name(seat) or f"player {seat}"

    def _own_name(self, seat: int) -> str:
        """What a player is called, or what the chart calls the seat in every position; empty if neither is said."""
        return self.game.person(seat) or self._seat_names[seat]

    @cached_property
    def _seat_names(self) -> list[str]:
        """The names of seats that no play changes."""
        fixed = [say for say in lines_about(self.chart, "player") if not any(map(_changes, says_exprs(say)))]
        return [self._say(fixed, seat) or "" for seat in range(self.game.players)]

    def title(self, seat: int) -> str:
        """A player as the head of a line: `player 1`, `you`; with a name, `Ann (you)`."""
        if seat != self.seat:
            return self.third_name(seat)
        named = self._own_name(seat)
        return f"{named} (you)" if named else "you"

    def position(self, seat: int) -> str:
        """What a seat is now, where play changes it: `forehand`; empty if the chart does not say."""
        moving = [say for say in lines_about(self.chart, "player") if any(map(_changes, says_exprs(say)))]
        return self._say(moving, seat) or ""

    def label(self, name: str, owner: int | None) -> str:
        """What a variable or zone is called now; empty: it is not to be shown now."""
        lines = list(lines_about(self.chart, name))
        if not lines:
            return spaced(name)
        text = self._say(lines, owner)
        return text if text is not None else "" if any(say.condition is not None for say in lines) else spaced(name)

    def value(self, variable: fc.Variable, value: str) -> str:
        """The value of a variable in words."""
        if variable.type is Type.PLAYER and value.isdigit():
            return self.name(int(value))
        return called(self.chart, value) if variable.type is Type.WORD else value

    # --- decisions

    def question(self, node: fc.Node, seat: int, legal: Sequence[Move], picked: int = 0) -> str:
        """What is asked at a decision; `picked`: of several cards so many are picked already."""
        asked = (say for say in self.chart.says if say.role == "ask" and node.number in self._decisions[say.name])
        text = self._say(asked, seat) or self._derived_question(node, seat, legal)
        text = sentence(text).removesuffix(".")
        if isinstance(node.statement, fc.Pick):
            number = self._number(node.statement, seat)
            text += f" ({picked + 1} of {number})" if number > 1 else ""
        return text

    def _number(self, pick: fc.Pick, seat: int) -> int:
        try:
            return self._seen.of(pick.number, {"me": seat})
        except (_UnseenError, GameError, LookupError, ValueError, AssertionError, RecursionError):
            return 1

    def _derived_question(self, node: fc.Node, seat: int, legal: Sequence[Move]) -> str:
        match node.statement:
            case fc.Choose(target=target) if target.name == PLACE:
                return f"draw one of {len(legal)} face-down cards"
            case fc.Choose(target=target):
                return self._derived_choice(node, chosen_name(target.name), seat, legal)
            case fc.Pick(target=target):
                number = self._number(node.statement, seat)
                cards = "a card" if number == 1 else f"{number} cards"
                zone = called(self.chart, target.name or "")
                return f"pick {cards} {'to lay aside' if target.name == LAID_ASIDE else f'for the {zone}'}"
            case fc.TakeSet(word=word, may_pass=may_pass):
                return f"{word} cards" + (f" or {self.answer(node, PASS, seat)}" if may_pass else "")
            case fc.Play(may_pass=True):
                return f"play a card or {self.answer(node, PASS, seat)}"
        return "play a card"

    def _derived_choice(self, node: fc.Node, name: str, seat: int, legal: Sequence[Move]) -> str:
        kind, title = self.chart.variables[name].type, called(self.chart, name)
        answers = [self.answer(node, move, seat) for move in legal]
        if kind is Type.PLAYER:
            return f"{title}: which player?"
        if kind is Type.INT:
            numbers = sorted(int(move.what) for move in legal)
            if len(numbers) > LISTED and numbers == list(range(numbers[0], numbers[-1] + 1)):
                return f"{title}: {numbers[0]} to {numbers[-1]}?"
        return f"{title}: {either(answers)}?" if len(answers) <= LISTED else f"{title}?"

    def answer(self, node: fc.Node | None, move: Move, seat: int | None) -> str:
        """What a move is called that is no card: `bid 18`, `take`; a value that has no words as it is."""
        is_pass = move == PASS
        value = "pass" if is_pass else move.what
        here = (
            say
            for say in self.chart.says
            if (say.role, say.answer) == ("", value) and node is not None and node.number in self._decisions[say.name]
        )
        said = self._say(here, seat)
        if said:
            return said
        if is_pass and "pass" in self.chart.words:
            return "pass"
        kind = None
        if node is not None and isinstance(node.statement, fc.Choose):
            kind = self.chart.variables[node.statement.target.name].type
        if is_pass or kind is Type.WORD:
            return self._say(lines_about(self.chart, value), seat) or called(self.chart, value)
        return self.name(int(value)) if kind is Type.PLAYER and value.isdigit() else value

    def deed(self, node: fc.Node | None, move: Move, seat: int | None) -> str:
        """What one does with a move: `play 6C`, `bid 18`; as the chart tells it, if that does not depend on play:
        `pass 6C`."""
        if not move.cards:
            return self.answer(node, move, seat)
        if len(move.cards) == 1 and node is not None and seat is not None:
            told = (say for say in self.chart.says if say.role == "tell" and not say.answer)
            first = next((say for say in told if node.number in self._decisions[say.name]), None)
            if first is not None and first.condition is None and all(part.op == "local" for part in says_exprs(first)):
                text = self._text(first, seat, self.chart.deck.cards_with_code(move.what)[0])
                who, _, deed = (text or "").partition(" ")
                if who == "you" and move.what in deed.split():
                    return deed
        return str(move)

    # --- events

    def told(self, event: Event, made: Sequence[int]) -> str | None:
        """The sentence of an event after it has happened, where `made` are the decisions that it may come from; None
        if the chart has none, empty if nothing is to be said."""
        me = event.seat if event.seat is not None else event.owner
        if event.kind == "assign" and event.value is None:
            return None
        found = []
        for say in self.chart.says:
            if say.role != "tell" or (say.answer and say.answer != ("pass" if event.kind == "pass" else event.value)):
                continue
            if event.kind == "assign":
                fits = say.name == event.name
            else:
                fits = bool(made) and self._decisions[say.name].issuperset(made)
            if fits:
                found.append(say)
        owned = event.seat is not None or (event.name is not None and self.chart.variables[event.name].owned)
        card = self.chart.deck.cards_with_code(event.cards[0])[0] if event.cards and len(event.cards) == 1 else None
        return self._say(found, me if owned else None, card)

    def published(self, text: str) -> str:
        """A text for everybody as the reader is told it."""

        def named(match: re.Match[str]) -> str:
            seat, own, verb = int(match[1]), match[2] or "", match[3]
            rest = f" {verb}" if verb else ""
            if seat >= self.game.players:
                return match[0]
            if seat != self.seat:
                return self.third_name(seat) + own + rest
            if own:
                return f"your{rest}"
            starts = match.start() == 0 or text[: match.start()].endswith((". ", ": "))
            return f"you {you_form(verb)}" if verb and starts else f"you{rest}"

        return printable(_NAMED.sub(named, text))

    # --- rules, rounds and hands

    def rules(self) -> list[str]:
        """The rules as the chart says them with these options; nothing if it does not."""
        return self._all("rules")

    def summary(self) -> list[str]:
        """What the chart says at the end of a round."""
        return [sentence(text) for text in self._all("summary")]

    def _all(self, subject: str) -> list[str]:
        texts = (self._text(say, None) for say in lines_about(self.chart, subject))
        return [text for text in texts if text]

    def card_order(self) -> Mapping[str, int]:
        """The place of every card in a hand, from the left."""
        keys = self.chart.hand_order or _derived_order(self.chart)
        read = {part.name for key in keys for part in key.walk() if part.op in ("variable", "playerVariable")}
        state = [(slot, value) for slot, value in self.table.values.items() if slot[0] in read]
        zones = any(part.op in ("zone", "playerHas") for key in keys for part in key.walk())
        if self._ordered is None or self._ordered[0] != state or zones:
            self._ordered = state, self._card_order(keys)
        return self._ordered[1]

    def _card_order(self, keys: Sequence[Expr]) -> Mapping[str, int]:
        deck = self.chart.deck
        suits = [suit for suit in BLACK_AND_RED if suit in deck.suits]
        suits += [suit for suit in deck.suits if suit not in suits]
        found = {}
        for card in self.game.cards:
            by_rank = (suits.index(deck.suits[deck.suit_of(card)]), -deck.rank_of(card))
            values = [-value for value in (self._key(key, card) for key in keys)]
            for place, key in enumerate(keys):
                if key.type is Type.SUIT and 0 <= -values[place] < len(deck.suits):
                    values[place] = suits.index(deck.suits[-values[place]])
            found[deck.code(card)] = (*values, *by_rank)
        return {code: place for place, code in enumerate(sorted(found, key=lambda code: found[code]))}

    def _key(self, key: Expr, card: int) -> int:
        try:
            return self._seen.of(key, {"card": card, **({"me": self.seat} if self.seat is not None else {})})
        except (_UnseenError, GameError, LookupError, ValueError, AssertionError, RecursionError):
            return 0


def _changes(expr: Expr) -> bool:
    """Whether play changes an expression; who `me` is does not."""
    return depends_on_play(expr)


def _is_of_players(domain: Expr) -> bool:
    while domain.op in ("those", "when"):
        domain = domain.args[0 if domain.op == "those" else 1]
    return domain.op in ("players", "playersFrom")


def _derived_order(chart: fc.Flowchart) -> tuple[Expr, ...]:
    """Trumps first: cards of a suit that is called so."""
    card = Expr("local", Type.CARD, name="card")
    for variable in chart.variables.values():
        shared = variable.type is Type.SUIT and not variable.keys and not variable.secret
        if shared and "trump" in variable.name.lower():
            suit = Expr("suit", Type.SUIT, (card,))
            return (Expr("equal", Type.BOOL, (suit, Expr("variable", Type.SUIT, name=variable.name))),)
    return ()
