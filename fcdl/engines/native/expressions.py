"""Expressions as instructions: numbers into slots, cards into sets, conditions into jumps.

Terms that terms.py can tabulate become one instruction. Set comprehensions become operations on card sets:
`cards c in D where p(c) & q(c)` is D, cut down by the cards with p and the cards with q.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from operator import and_, or_

from fcdl.engines.native.assembler import Assembler, Label
from fcdl.engines.native.constants import SIZES
from fcdl.engines.native.terms import Term
from fcdl.language.flowchart import MAX_RANGE, NONE, Type
from fcdl.language.melds import HAND
from fcdl.language.ops import HIGHEST, LOWEST, OF_CARDS, OPS, World, complete, melding_of, poker_of
from fcdl.language.places import KEY_TYPES

MAX_TABLE = 4096
MAX_WEIGHTS = 4
"""A sum over cards counts those of each value if there are not more values than this."""
PLACE_BITS = 10
"""As in melds.h."""
MAX_CASES = 5
"""Conditions on cards are taken apart so many times by other conditions."""
_FINITE = (Type.BOOL, Type.PLAYER, Type.SUIT, Type.RANK, Type.CARD, Type.WORD)
_BINARY = {
    "add": "ADD", "subtract": "SUB", "multiply": "MUL", "divide": "DIV", "modulo": "MOD", "minimum": "MIN",
    "maximum": "MAX", "equal": "EQ", "notEqual": "NE", "less": "LT", "lessEqual": "LE",
}  # fmt: skip
_UNARY = {"negate": "NEG", "absolute": "ABS"}
_OF_PLAYER = ("next", "previous", "partner", "teamOf")
complete(
    "engines/native/expressions.py",
    _BINARY,
    _UNARY,
    ("const", "variable", "playerVariable", "local", "if", "and", "or", "not", "member", "top", "bottom", "theCard"),
    ("at", "topCards", "bottomCards", "position"),
    ("count", "random", "sum", "largest", "smallest", "highest", "lowest", "some", "countOf"),
    ("list", "table", "suit", "rank", "player", "suitAt", "rankAt", "next", "previous", "partner"),
    ("zone", "allCards", "template", "single", "union", "intersect", "except", "those", "range", "values", "when"),
    ("subsets",),
    # terms.py makes other terms of these
    ("greater", "greaterEqual", "empty", "every", "sameTeam", "playerNumber", "wordNumber", "option"),
    ("numberOfPlayers", "listSize", "players", "playersFrom", "suits", "ranks", "place"),
    (row.name for row in OPS.values() if row.lowered is not None),
    ("isGroup", "isFlush", "isSequence", "longestSequence", "longestRun", "pokerValue", "pokerClass"),
    ("deadwood", "melds"),
)


class ExpressionCompiler(Assembler):
    """Compiles terms."""

    # --- ints

    def number(self, term: Term) -> int:
        """The slot that holds the term's value, after the code emitted here."""
        if term.op == "const":
            return self.constant(term.number)
        if term.op == "variable":
            assert term.name is not None
            return self.variable(term.name)
        if term.op == "local":
            assert term.name is not None
            return self.locals[term.name]
        if term.op == "playerVariable" and term.args[0].op == "const" and term.args[0].number >= 0:
            assert term.name is not None
            return self.variable(term.name, term.args[0].number)
        if term.op == "random" and self.drawn is not None:
            return self.drawn
        if term in self.known:
            return self.known[term]
        slot = self.temporary()
        self.number_into(term, slot)
        self.known[term] = slot
        return slot

    def number_into(self, term: Term, slot: int) -> None:
        """Puts the term's value into a slot; the slot is written only when all has been read."""
        atom = self.only_atom(term)
        if atom is not None and term is not atom and not self._is_cheap(term):
            self._tabulated(term, atom, slot)
            return
        match term.op:
            case "random" if self.drawn is None:
                self.emit("RANDOM", slot, self.number(term.args[0]))
            case "const" | "variable" | "local" | "random":
                self.emit("COPY", slot, self.number(term))
            case "playerVariable":
                self._load_player_variable(term, slot)
            case "if":
                self._branch_into(term, slot)
            case "and" | "or" | "not" | "full":
                self._truth_into(term, slot)
            case "member":
                self.emit("MEMBER", slot, self.number(term.args[0]), self.cards(term.args[1]))
            case "top" | "bottom":
                base, player = self.zone(term.args[0])
                self.emit("TOP" if term.op == "top" else "BOTTOM", slot, base, player)
            case "at":
                self.emit("AT", slot, *self.zone(term.args[0]), self.number(term.args[1]))
            case "position":
                self.emit("POSITION", slot, self.number(term.args[0]), *self.zone(term.args[1]))
            case "theCard":
                self.emit("FIRST", slot, self.cards(term.args[0]))
            case "count":
                self._count_into(term.args[0], slot)
            case "sum" | "largest" | "smallest" | "highest" | "lowest" | "some" | "countOf":
                self._aggregate_into(term, slot)
            case "bestSeat":
                self._best_seat_into(term, slot)
            case op if op in OF_CARDS:
                self._of_cards_into(term, slot)
            case op if op in _BINARY:
                if op == "add" and self._sum_of_tops(term, slot):
                    return
                self.emit(_BINARY[op], slot, self.number(term.args[0]), self.number(term.args[1]))
            case op if op in _UNARY:
                self.emit(_UNARY[op], slot, self.number(term.args[0]))
            case _:
                self.emit("TABLE", slot, self._function_table(term), self.number(term.args[0]))

    def only_atom(self, term: Term) -> Term | None:
        """The only atom of a term, if it has few values."""
        if len(term.atoms) != 1:
            return None
        (atom,) = term.atoms
        return atom if atom.type in _FINITE else None

    def _is_cheap(self, term: Term) -> bool:
        """Whether a term is a single instruction without a table: an operation on slots that are there."""
        if term.op not in _BINARY and term.op not in ("not", "and", "or"):
            return False
        return all(arg.op in ("const", "variable", "local") for arg in term.args)

    def _tabulated(self, term: Term, atom: Term, slot: int) -> None:
        domain = self.terms.domain(atom.type)
        table = self.table(domain.start, self.terms.values(term, atom, domain))
        if atom.op == "top":
            self.emit("TOPTABLE", slot, table, *self.zone(atom.args[0]))
        else:
            self.emit("TABLE", slot, table, self.number(atom))

    def _function_table(self, term: Term) -> int:
        """The table of a function of one number."""
        function = self.terms.functions[term.op](term.name, term.args)
        if term.op == "list":
            assert term.name is not None
            domain = range(-1, len(self.chart.lists[term.name]) + 1)
        elif term.op == "keyAdds":
            key, _ = self.terms.key(str(term.name))
            numbers = key.kind == "number"
            domain = range(key.low - 1, key.high + 2) if numbers else self.terms.domain(KEY_TYPES[key.kind])
        elif term.op in _OF_PLAYER:
            domain = self.terms.domain(Type.PLAYER)
        elif term.op in ("player", "suitAt", "rankAt"):
            kind = {"player": Type.PLAYER, "suitAt": Type.SUIT, "rankAt": Type.RANK}[term.op]
            domain = range(-1, self.terms.domain(kind).stop + 1)
        else:
            domain = self.terms.domain(Type.CARD if term.op in ("suit", "rank") else term.args[0].type)
        return self.table(domain.start, map(function, domain))

    def _load_player_variable(self, term: Term, slot: int) -> None:
        player = term.args[0]
        default = self.constant(0 if term.type in (Type.INT, Type.BOOL) else NONE)
        assert term.name is not None
        if player.op == "const":
            source = self.variable(term.name, player.number) if player.number >= 0 else default
            self.emit("COPY", slot, source)
        else:
            self.emit("LOADP", slot, self.variable(term.name), self.number(player), default)

    def _branch_into(self, term: Term, slot: int) -> None:
        condition, yes, no = term.args
        otherwise, done = Label(), Label()
        self.jump(condition, otherwise, when=False)
        self.number_into(yes, slot)
        self.emit("JUMP", done)
        self.put(otherwise)
        self.number_into(no, slot)
        self.put(done)

    def _truth_into(self, term: Term, slot: int) -> None:
        parts = term.args
        if self._is_cheap(term):
            self.emit({"and": "AND", "or": "OR", "not": "NOT"}[term.op], slot, *map(self.number, parts))
            return
        yes, done = Label(), Label()
        if term.op in ("or", "and") and parts[0].op == "variable" and self.number(parts[0]) == slot:
            # x = x | y: nothing to do if x holds already, or if y does not (and the other way round for &).
            self.jump(parts[0], done, when=term.op == "or")
            self.jump(parts[1], done, when=term.op == "and")
            self.emit("COPY", slot, self.one if term.op == "or" else self.zero)
            self.put(done)
            return
        self.jump(term, yes, when=True)
        self.emit("COPY", slot, self.zero)
        self.emit("JUMP", done)
        self.put(yes)
        self.emit("COPY", slot, self.one)
        self.put(done)

    def _count_into(self, cards: Term, slot: int) -> None:
        if cards.op == "intersect":
            self.emit("COUNTBOTH", slot, self.cards(cards.args[0]), self.cards(cards.args[1]))
        else:
            self.emit("COUNT", slot, self.cards(cards))

    def _of_cards_into(self, term: Term, slot: int) -> None:
        """A function of cards."""
        cards = self.cards(term.args[0])
        match term.op:
            case "isGroup":
                self.emit("ALIKE", slot, cards, self._alike_in_rank)
            case "isFlush":
                self.emit("ALIKE", slot, cards, self._alike_in_suit)
            case "isSequence" | "longestSequence":
                operation = "SEQUENCE" if term.op == "isSequence" else "LONGEST"
                self.emit(operation, slot, cards, self._value_table(str(term.name)))
            case "longestRun":
                self.emit("LONGESTRUN", slot, cards, self._value_table(str(term.name)), self._suit_table)
            case "deadwood":
                size = self.number(term.args[1])
                self.emit("DEADWOOD", slot, cards, size, *self._meld_tables(str(term.name)))
            case _:
                poker = poker_of(World(self.chart, self.game.players))
                self.emit("POKER", slot, cards, self._card_table(poker.position), self._suit_table, poker.top)
                if term.op == "pokerClass":
                    self.emit("DIV", slot, slot, self.constant(poker.base**HAND))

    def _card_table(self, entries: Iterable[int]) -> int:
        """A table with an entry for none and for each card."""
        return self.table(NONE, [0, *entries])

    def _alike_table(self, value: Callable[[int], int]) -> int:
        """A table with the cards for each card that have the same value."""
        return self.set_table(0, self._alike(value))

    def _alike(self, value: Callable[[int], int]) -> list[int]:
        values, alike = [value(card) for card in range(self.terms.deck.size)], dict[int, int]()
        for card, same in enumerate(values):
            alike[same] = alike.get(same, 0) | 1 << card
        return [alike[same] for same in values]

    @cached_property
    def _alike_in_rank(self) -> int:
        return self._alike_table(self.terms.deck.rank_of)

    @cached_property
    def _alike_in_suit(self) -> int:
        return self._alike_table(self.terms.deck.suit_of)

    @cached_property
    def _suit_table(self) -> int:
        deck = self.terms.deck
        return self._card_table(map(deck.suit_of, range(deck.size)))

    def _value_table(self, name: str) -> int:
        number = self.value_tables.get(name)
        if number is None:
            table, deck = self.chart.tables[name], self.terms.deck
            number = self._card_table(table.of_card(deck, card) for card in range(deck.size))
            self.value_tables[name] = number
        return number

    def _meld_tables(self, name: str) -> tuple[int, int]:
        """The tables for a division into melds: what cards count, and their places (see melds.h)."""
        melding, size = melding_of(World(self.chart, self.game.players), name), self.terms.deck.size
        places = [
            (melding.suit[card] << PLACE_BITS | melding.order[card]) << PLACE_BITS | melding.rank[card]
            for card in range(size)
        ]
        return self._value_table(name), self._card_table(places)

    def _sum_of_tops(self, term: Term, slot: int) -> bool:
        """Recognises the sum over all players of one function of the top cards of their zones."""
        tops = self._same_of_tops(flattened(term, "add"))
        if tops is not None:
            self.emit("SUMTOPS", slot, *tops)
        return tops is not None

    def _same_of_tops(self, parts: list[Term]) -> tuple[int, int] | None:
        """The table and the zone, if the parts are the same function of the top cards of all players' zones."""
        if len(parts) != self.game.players:
            return None
        zones, tables = set[str | None](), set[tuple[int, ...]]()
        domain = self.terms.domain(Type.CARD)
        for seat, part in enumerate(parts):
            atom = self.only_atom(part)
            if atom is None or atom.op != "top":
                return None
            zone = atom.args[0]
            if not zone.args or zone.args[0].op != "const" or zone.args[0].number != seat:
                return None
            zones.add(zone.name)
            tables.add(tuple(self.terms.values(part, atom, domain)))
        if len(zones) != 1 or len(tables) != 1:
            return None
        entries = tables.pop()
        if max(map(abs, entries)) * self.game.players > HIGHEST:
            return None
        return self.table(domain.start, entries), self.zone_base[str(zones.pop())]

    # --- aggregates

    def _aggregate_into(self, term: Term, slot: int) -> None:
        domain = term.args[0]
        if domain.type is Type.CARDS and self._card_aggregate_into(term, slot):
            return
        result = self.temporary()
        match term.op:
            case "some":
                done = Label()
                self.emit("COPY", result, self.one)
                self.each(domain, str(term.name), lambda: self.emit("JUMP", done))
                self.emit("COPY", result, self.zero)
                self.put(done)
            case "countOf":
                self.emit("COPY", result, self.zero)
                self.each(domain, str(term.name), lambda: self.emit("ADD", result, result, self.one))
            case "sum":
                self.emit("COPY", result, self.zero)
                self.each(domain, str(term.name), lambda: self.emit("ADD", result, result, self.number(term.args[1])))
            case _:
                self._best_into(term, result)
        self.emit("COPY", slot, result)

    def _best_into(self, term: Term, result: int) -> None:
        """The element with the best value, or that value."""
        wants_element = term.op in ("highest", "lowest")
        highest = term.op in ("highest", "largest")
        value, found = self.temporary(), self.temporary()
        of_sets = term.type is Type.CARDS
        if of_sets:
            self.emit("MCOPY", result, self.set_constant(0))
        else:
            self.emit("COPY", result, self.none if wants_element else self.zero)
        self.emit("COPY", found, self.zero)

        def consider() -> None:
            new = self.number(term.args[1])
            take, leave = Label(), Label()
            self.emit("JF", found, take)
            self.emit("JLE", *((new, value) if highest else (value, new)), leave)
            self.put(take)
            self.emit("COPY", value, new)
            self.emit("COPY", found, self.one)
            best = self.locals[str(term.name)] if wants_element else value
            self.emit("MCOPY" if of_sets else "COPY", result, best)
            self.put(leave)

        self.each(term.args[0], str(term.name), consider)

    def _best_seat_into(self, term: Term, slot: int) -> None:
        """The player with the highest or lowest value, the first of equals."""
        best, value = self.temporary(), self.temporary()
        self.emit("COPY", best, self.none)
        surely_found = False
        for seat in range(self.game.players):
            condition, own = term.args[2 * seat : 2 * seat + 2]
            if condition is self.terms.false:
                continue
            take, leave = Label(), Label()
            self.jump(condition, leave, when=False)
            new = self.number(own)
            if seat > 0:
                if not surely_found:
                    self.emit("JEQ", best, self.none, take)
                self.emit("JLE", *((new, value) if term.name == "highest" else (value, new)), leave)
            self.put(take)
            self.emit("COPY", value, new)
            self.emit("COPY", best, self.constant(seat))
            self.put(leave)
            surely_found = surely_found or condition is self.terms.true
        self.emit("COPY", slot, best)

    def _card_aggregate_into(self, term: Term, slot: int) -> bool:
        """An aggregate over cards whose values do not depend on the position."""
        value, entries = term.args[1], self._card_values(term)
        if entries is None:
            return False
        element = self.local_term(str(term.name), Type.CARD)
        domain = self.terms.domain(Type.CARD)
        if term.op == "sum":
            weights = self.terms.by_value(value, element)
            weights.pop(0, None)
            if max(map(abs, entries)) * self.terms.deck.size > HIGHEST:
                return False
            cards = self.cards(term.args[0])
            if len(weights) > MAX_WEIGHTS:
                self.emit("SUMBY", slot, cards, self.table(domain.start, entries))
                return True
            result = self.temporary()
            self.emit("COPY", result, self.zero)
            for weight, group in weights.items():
                self.emit("WEIGH", result, cards, self.set_constant(group), self.constant(weight))
            self.emit("COPY", slot, result)
            return True
        best = "MAXBY" if term.op in ("highest", "largest") else "MINBY"
        cards = self.cards(term.args[0])
        if term.op in ("highest", "lowest"):
            self.emit(best, slot, cards, self.table(domain.start, entries))
            return True
        card = self.temporary()
        self.emit(best, card, cards, self.table(domain.start, entries))
        self.emit("TABLE", slot, self.table(domain.start, [0, *entries[1:]]), card)
        return True

    def local_term(self, name: str, kind: Type) -> Term:
        """The term of an aggregate's element."""
        return self.terms.intern("local", kind, (), None, name)

    def each(self, domain: Term, name: str, body: Callable[[], None], asked: Term | None = None) -> None:
        """Runs the body's code for every element, which is a local of this name; the body asks first what is asked."""
        before = self.locals.get(name)
        if domain.type is Type.CARDS:
            self._each_card(domain, name, body)
        elif domain.op == "those":
            inner, condition = domain.args

            def guarded() -> None:
                skip = Label()
                self.locals[name] = self.locals[str(domain.name)]
                self.jump(condition, skip, when=False)
                body()
                self.put(skip)

            self.each(inner, str(domain.name), guarded, asked=condition)
        elif domain.op == "subsets":
            total = self._total(domain, asked)
            if total is not None:
                self._each_sum(domain, name, total, body)
            else:
                self._each_set(domain, name, body)
        elif domain.op == "range":
            self._each_int(domain, name, body)
        elif domain.op == "values":
            for item in domain.args:
                self.each(item, name, body)
        elif domain.op == "when":
            skip = Label()
            self.jump(domain.args[0], skip, when=False)
            self.each(domain.args[1], name, body)
            self.put(skip)
        else:
            self.locals[name] = self.number(domain)
            self.known.clear()
            body()
        if before is None:
            self.locals.pop(name, None)
        else:
            self.locals[name] = before

    def _each_card(self, domain: Term, name: str, body: Callable[[], None]) -> None:
        rest, card = self.set_temporary(), self.temporary()
        self.cards_into(domain, rest)
        again, done = Label(), Label()
        self.emit("EACHCARD", card, rest, done)
        self.put(again)
        self.locals[name] = card
        self._looped(body)
        self.emit("AGAINCARD", card, rest, again)
        self.put(done)

    def _each_set(self, domain: Term, name: str, body: Callable[[], None]) -> None:
        """Goes through sets of cards; one that fails what lasts is not extended."""
        cards, low, high, lasts = domain.args
        current, looked_at = self.set_temporary(), self.temporary()
        among, least = self.cards(cards), self.number(low)
        operands = (current, among, looked_at, least, self.number(high))
        on, skipping = "NEXTSET", "SKIPSET"
        if domain.value and self._has_copies():
            on, skipping = "NEXTKIND", "SKIPKIND"
        elif (company := self._company(lasts, str(domain.name))) is not None:
            on, skipping = "NEXTCLOSE", "SKIPCLOSE"
            operands = (current, among, looked_at, self._sizes(low, high), self.set_table(0, company))
        again, following, skip, done = Label(), Label(), Label(), Label()
        self.emit("MCOPY", current, self.set_constant(0))
        self.emit("COPY", looked_at, self.zero)
        self.emit("JUMP", following)
        self.put(again)
        self.locals[name] = self.locals[str(domain.name)] = current
        self.jump(lasts, skip, when=False)
        if not (low.is_const and low.number <= 1):
            size = self.temporary()
            self.emit("COUNT", size, current)
            self.emit("JLT", size, least, following)
        self._looped(body)
        self.put(following)
        self.emit(on, *operands, again)
        if lasts is not self.terms.true:
            self.emit("JUMP", done)
            self.put(skip)
            self.emit(skipping, *operands, again)
        self.put(done)

    def _total(self, domain: Term, asked: Term | None) -> Term | None:
        """The sum over a set's cards that must be a number, if that is all that lasts and sizes do not matter."""
        _, low, high, lasts = domain.args
        sizes_matter = not (low.is_const and high.is_const and low.number <= 1 and high.number >= self.terms.deck.size)
        if asked is None or sizes_matter or lasts.op != "lessEqual" or (domain.value and self._has_copies()):
            return None
        total, wanted = lasts.args
        must_be = any(
            part.op == "equal" and part.args in ((total, wanted), (wanted, total)) for part in flattened(asked, "and")
        )
        is_sum = total.op == "sum" and self._is_local(total.args[0], str(domain.name))
        return total if must_be and is_sum and self._card_values(total) is not None else None

    def _each_sum(self, domain: Term, name: str, total: Term, body: Callable[[], None]) -> None:
        """Goes through the sets of cards with a certain sum."""
        current, looked_at = self.set_temporary(), self.temporary()
        values = self._card_values(total)
        assert values is not None
        among, wanted = self.cards(domain.args[0]), self.number(domain.args[3].args[1])
        operands = (current, among, looked_at, wanted, self.table(self.terms.domain(Type.CARD).start, values))
        again, following = Label(), Label()
        self.emit("MCOPY", current, self.set_constant(0))
        self.emit("COPY", looked_at, self.zero)
        self.emit("JUMP", following)
        self.put(again)
        self.locals[name] = self.locals[str(domain.name)] = current
        self._looped(body)
        self.put(following)
        self.emit("NEXTSUM", *operands, again)

    def _card_values(self, term: Term) -> list[int] | None:
        """The values of an aggregate over cards by card, if they do not depend on the position."""
        if any(atom.op != "local" or atom.name != term.name for atom in term.args[1].atoms):
            return None
        return self.terms.values(term.args[1], self.local_term(str(term.name), Type.CARD), self.terms.domain(Type.CARD))

    def _sizes(self, low: Term, high: Term) -> int:
        """The slot of the least and the largest number of cards, as one number."""
        if low.is_const and high.is_const:
            least, most = (min(max(term.number, 0), SIZES - 1) for term in (low, high))
            return self.constant(least * SIZES + most)
        least, most = self.temporary(), self.temporary()
        for term, slot in ((low, least), (high, most)):
            self.emit("MAX", slot, self.number(term), self.zero)
            self.emit("MIN", slot, slot, self.constant(SIZES - 1))
        self.emit("MUL", least, least, self.constant(SIZES))
        self.emit("ADD", least, least, most)
        return least

    def _company(self, lasts: Term, name: str) -> list[int] | None:
        """By card those that may be in a set with it, if what lasts says so."""
        match lasts.op:
            case "and" | "or":
                first, second = (self._company(part, name) for part in lasts.args)
                if first is None or second is None:
                    return None if lasts.op == "or" else first or second
                return list(map(and_ if lasts.op == "and" else or_, first, second))
            case "isGroup" if self._is_local(lasts.args[0], name):
                return self._alike(self.terms.deck.rank_of)
            case "isFlush" if self._is_local(lasts.args[0], name):
                return self._alike(self.terms.deck.suit_of)
        return None

    @staticmethod
    def _is_local(term: Term, name: str) -> bool:
        return term.op == "local" and term.name == name

    def _has_copies(self) -> bool:
        deck = self.terms.deck
        return len({deck.code(card) for card in range(deck.size)}) < deck.size

    def _each_int(self, domain: Term, name: str, body: Callable[[], None]) -> None:
        low, high = domain.args
        if low.is_const and high.is_const and high.number - low.number < min(self.game.players, 8):
            # The players, most often.
            for value in range(low.number, high.number + 1):
                self.locals[name] = self.constant(value)
                self.known.clear()
                body()
            return
        element, last = self.temporary(), self.number(high)
        self.number_into(low, element)
        if not (low.is_const and high.is_const and high.number - low.number < MAX_RANGE):
            furthest = self.temporary()
            self.emit("ADD", furthest, element, self.constant(MAX_RANGE - 1))
            self.emit("MIN", furthest, furthest, last)
            last = furthest
        again, done = Label(), Label()
        self.emit("JLT", last, element, done)
        self.put(again)
        self.locals[name] = element
        self._looped(body)
        self.emit("AGAIN", element, last, again)
        self.put(done)

    def _looped(self, body: Callable[[], None]) -> None:
        """A body to which a loop goes back: there must be an instruction, and it must not count arrivals."""
        assert not self.pending
        body()

    # --- card sets

    def zone(self, term: Term) -> tuple[int, int]:
        """The operands of a zone: its first slot and the slot of its place."""
        assert term.name is not None
        base = self.zone_base[term.name]
        if not term.args:
            return base, self.zero
        player = term.args[0]
        if player.op == "const":
            return (base + player.number, self.zero) if player.number >= 0 else (base, self.none)
        return base, self.number(player)

    def cards(self, term: Term) -> int:
        """The slot of a card set, after the code emitted here. A zone's own slot may be the answer: it is only read."""
        if term.op == "cards":
            return self.set_constant(term.number)
        if term.op == "local":
            return self.locals[str(term.name)]
        if term.op == "zone" and (not term.args or (term.args[0].op == "const" and term.args[0].number >= 0)):
            return self.zone(term)[0]
        if term in self.known:
            return self.known[term]
        if term.op == "those" and self.only_atom(term) is None:
            slot = self.select(self.cards(term.args[0]), term.args[1], self.local_term(str(term.name), Type.CARD))
        else:
            slot = self.set_temporary()
            self.cards_into(term, slot)
        self.known[term] = slot
        return slot

    def cards_into(self, term: Term, slot: int) -> None:
        """Puts a card set into a temporary."""
        atom = self.only_atom(term)
        if atom is not None and term.op != "zone":
            self.emit("MTABLE", slot, self.cards_table(term, atom), self.number(atom))
            return
        match term.op:
            case "cards" | "local":
                self.emit("MCOPY", slot, self.cards(term))
            case "highest" | "lowest":
                found = self.set_temporary()
                self._best_into(term, found)
                self.emit("MCOPY", slot, found)
            case "zone":
                static = not term.args or (term.args[0].op == "const" and term.args[0].number >= 0)
                if static:
                    self.emit("MCOPY", slot, self.zone(term)[0])
                else:
                    self.emit("MZONE", slot, *self.zone(term))
            case "union" | "intersect" | "except":
                operation = {"union": "MOR", "intersect": "MAND", "except": "MDIFF"}[term.op]
                self.emit(operation, slot, self.cards(term.args[0]), self.cards(term.args[1]))
            case "if":
                otherwise, done = Label(), Label()
                self.jump(term.args[0], otherwise, when=False)
                self.cards_into(term.args[1], slot)
                self.emit("JUMP", done)
                self.put(otherwise)
                self.cards_into(term.args[2], slot)
                self.put(done)
            case "those":
                element = self.local_term(str(term.name), Type.CARD)
                self.emit("MCOPY", slot, self.select(self.cards(term.args[0]), term.args[1], element))
            case "template":
                rank, suit = term.args
                if rank.is_const:
                    self._template_into(rank, suit, slot, of_suit=True)
                else:
                    self._template_into(rank, suit, slot, of_suit=False)
            case "topCards" | "bottomCards":
                number = self.number(term.args[1])
                self.emit("MENDS", slot, *self.zone(term.args[0]), number, int(term.op == "bottomCards"))
            case "melds":
                cards, size = self.cards(term.args[0]), self.number(term.args[1])
                self.emit("MELDS", slot, cards, size, *self._meld_tables(str(term.name)))
            case "single":
                domain = self.terms.domain(Type.CARD)
                table = self.set_table(domain.start, [0, *(1 << card for card in domain[1:])])
                self.emit("MTABLE", slot, table, self.number(term.args[0]))
            case _:
                raise AssertionError(term.op)

    def _template_into(self, rank: Term, suit: Term, slot: int, *, of_suit: bool) -> None:
        """`card(rank, suit)` where one of them is known."""
        template = self.terms.functions["template"](None, ())
        domain = self.terms.domain(Type.SUIT if of_suit else Type.RANK)
        entries = [template(rank.number, value) if of_suit else template(value, suit.number) for value in domain]
        self.emit("MTABLE", slot, self.set_table(domain.start, entries), self.number(suit if of_suit else rank))

    def cards_table(self, term: Term, atom: Term) -> int:
        """The table of a card set that depends on one atom."""
        domain = self.terms.domain(atom.type)
        return self.set_table(domain.start, self.terms.values(term, atom, domain))

    def select(
        self, domain: int, condition: Term, element: Term, into: int | None = None, *, one_will_do: bool = False
    ) -> int:
        """The slot of the cards of a set for which a condition holds; `into` is a slot that may be used for them.

        If one will do, there may be only some of them, but not none if there are any.
        """
        if condition is self.terms.true:
            return domain
        if condition is self.terms.false:
            return self.set_constant(0)
        chosen = self._selected_by_table(condition, element)
        if chosen is not None:
            return self._both(domain, chosen, into)
        if condition.op in ("and", "or"):
            case = self.terms.repeated_condition(condition, element)
            if case is not None and self.cases < MAX_CASES:
                return self._select_by_case(domain, condition, element, case, into, one_will_do)
            return self._select_parts(domain, condition, element, one_will_do)
        if condition.op == "not":
            slot = self.set_temporary()
            self.emit("MDIFF", slot, domain, self.select(domain, condition.args[0], element))
            return slot
        if condition.op == "member" and condition.args[0] is element and element.name not in condition.args[1].locals:
            slot = self.set_temporary()
            self.emit("MAND", slot, domain, self.cards(condition.args[1]))
            return slot
        if condition.op == "full" and condition.args[0].op == "those":
            inner, inner_condition = condition.args[0].args
            if element.name not in inner.locals and inner.type is Type.CARDS:
                return self._select_some(domain, condition.args[0], inner_condition, element)
        compared = self._select_compared(condition, element)
        if compared is not None:
            return self._both(domain, compared)
        return self._select_one_by_one(domain, condition, element, one_will_do)

    def _select_by_case(
        self, domain: int, condition: Term, element: Term, case: Term, into: int | None, one_will_do: bool
    ) -> int:
        """A condition on a card that depends several times on another: one way if that holds, one if it does not."""
        result, otherwise, done = into or self.set_temporary(), Label(), Label()
        self.cases += 1
        for holds in (True, False):
            if holds:
                self.jump(case, otherwise, when=False)
            else:
                self.emit("JUMP", done)
                self.put(otherwise)
            assumed = self.terms.assume(condition, case, holds)
            chosen = self.select(domain, assumed, element, result, one_will_do=one_will_do)
            if chosen != result:
                self.emit("MCOPY", result, chosen)
        self.put(done)
        self.cases -= 1
        return result

    def _both(self, first: int, second: int, into: int | None = None) -> int:
        if first == self.set_constant(self.terms.in_play):
            return second
        slot = into or self.set_temporary()
        self.emit("MAND", slot, first, second)
        return slot

    def _selected_by_table(self, condition: Term, element: Term) -> int | None:
        """The cards for which a condition holds that has at most one further atom."""
        others = condition.atoms - {element}
        if len(others) > 1 or element not in condition.atoms:
            return None
        if not others:
            masks = self.terms.selections(condition, element, None, (0,))
            return self.set_constant(masks[0] & self.terms.in_play) if masks is not None else None
        (atom,) = others
        if atom.type not in _FINITE or atom.locals & {element.name}:
            return None
        domain = self.terms.domain(atom.type)
        masks = self.terms.selections(condition, element, atom, domain)
        if masks is None:
            return None
        slot = self.set_temporary()
        table = self.set_table(domain.start, [mask & self.terms.in_play for mask in masks])
        self.emit("MTABLE", slot, table, self.number(atom))
        return slot

    def _select_parts(self, domain: int, condition: Term, element: Term, one_will_do: bool) -> int:
        """`and` and `or`: parts that do not look at the card first, and those that share an atom together."""
        op = condition.op
        parts = flattened(condition, op)
        fixed = [part for part in parts if element.name not in part.locals]
        groups: dict[frozenset[Term], Term] = {}
        for part in parts:
            if element.name in part.locals:
                key = part.atoms - {element}
                key = key if len(key) <= 1 else frozenset((part,))
                groups[key] = self.terms.make(op, Type.BOOL, groups[key], part) if key in groups else part
        if len(groups) == 1 and not fixed:
            groups = {frozenset((part,)): part for part in parts}  # together they have no table
        result, done = self.set_temporary(), Label()
        if fixed:
            guard = fixed[0]
            for part in fixed[1:]:
                guard = self.terms.make(op, Type.BOOL, guard, part)
            self.emit("MCOPY", result, self.set_constant(0) if op == "and" else domain)
            self.jump(guard, done, when=op == "or")
        chosen = None
        parts = sorted(groups.values(), key=lambda part: part.size)
        for part in parts:
            if op == "and":
                last = one_will_do and part is parts[-1]
                chosen = self.select(domain if chosen is None else chosen, part, element, one_will_do=last)
            elif chosen is None:
                chosen = self.select(domain, part, element, one_will_do=one_will_do)
            else:
                if one_will_do:
                    self.emit("MCOPY", result, chosen)
                    self.emit("JFULL", result, done)
                slot = self.set_temporary()
                self.emit("MOR", slot, chosen, self.select(domain, part, element))
                chosen = slot
        assert chosen is not None
        if not fixed and not (one_will_do and op == "or"):
            return chosen
        self.emit("MCOPY", result, chosen)
        self.put(done)
        return result

    def _select_some(self, domain: int, those: Term, condition: Term, element: Term) -> int:
        """Cards for which some card of another set fulfils a condition: the union over that set."""
        result = self.set_temporary()
        self.emit("MCOPY", result, self.set_constant(0))
        self.each(
            those.args[0],
            str(those.name),
            lambda: self.emit("MOR", result, result, self.select(domain, condition, element)),
        )
        return result

    def _select_compared(self, condition: Term, element: Term) -> int | None:
        """A comparison of a function of the card with a number that does not depend on it."""
        if condition.op not in ("equal", "notEqual", "less", "lessEqual"):
            return None
        first, second = condition.args
        if first.atoms == {element} and element.name not in second.locals:
            mine, other = first, second
        elif second.atoms == {element} and element.name not in first.locals:
            mine, other = second, first
        else:
            return None
        values = self.terms.by_value(mine, element)
        low, high = min(values) - 1, max(values) + 1
        if high - low > MAX_TABLE or low < LOWEST or high > HIGHEST:
            return None
        stand_in = self.local_term("a number", Type.INT)
        pair = (first, stand_in) if other is second else (stand_in, second)
        comparison = self.terms.intern(condition.op, Type.BOOL, pair, None, None)
        masks = self.terms.selections(comparison, element, stand_in, range(low, high + 1))
        assert masks is not None
        slot = self.set_temporary()
        table = self.set_table(low, [mask & self.terms.in_play for mask in masks])
        self.emit("MTABLE", slot, table, self.number(other))
        return slot

    def _select_one_by_one(self, domain: int, condition: Term, element: Term, one_will_do: bool) -> int:
        """The general case: a loop over the cards."""
        result, rest, card = self.set_temporary(), self.set_temporary(), self.temporary()
        bit = self.set_temporary()
        cards = self.terms.domain(Type.CARD)
        singles = self.set_table(cards.start, [0, *(1 << number for number in cards[1:])])
        self.emit("MCOPY", result, self.set_constant(0))
        self.emit("MCOPY", rest, domain)
        again, skip, done = Label(), Label(), Label()
        self.emit("EACHCARD", card, rest, done)
        self.put(again)
        name = str(element.name)
        before = self.locals.get(name)
        self.locals[name] = card
        self.jump(condition, skip, when=False)
        self.emit("MTABLE", bit, singles, card)
        self.emit("MOR", result, result, bit)
        if one_will_do:
            self.emit("JUMP", done)
        self.put(skip)
        if before is None:
            self.locals.pop(name)
        else:
            self.locals[name] = before
        self.emit("AGAINCARD", card, rest, again)
        self.put(done)
        return result

    # --- conditions

    def jump(self, term: Term, target: Label, *, when: bool) -> None:
        """Goes to the target if the condition is as `when` says, and on otherwise."""
        if term.op == "const":
            if bool(term.number) == when:
                self.emit("JUMP", target)
            return
        if term.op == "not":
            self.jump(term.args[0], target, when=not when)
            return
        atom = self.only_atom(term)
        if atom is not None and term is not atom and not self._is_cheap(term):
            self._jump_by_table(term, atom, target, when)
            return
        if term.op in ("and", "or"):
            self._jump_by_parts(term, target, when)
        elif term.op in ("equal", "notEqual", "less", "lessEqual"):
            self._jump_compared(term, target, when)
        elif term.op == "full":
            self._jump_full(term.args[0], target, when)
        elif term.op == "some" and term.args[0].type is not Type.CARDS:
            done = Label()
            found = target if when else done
            self.each(term.args[0], str(term.name), lambda: self.emit("JUMP", found))
            if not when:
                self.emit("JUMP", target)
            self.put(done)
        else:
            self.emit("JT" if when else "JF", self.number(term), target)

    def _jump_by_table(self, term: Term, atom: Term, target: Label, when: bool) -> None:
        domain = self.terms.domain(atom.type)
        table = self.table(domain.start, self.terms.values(term, atom, domain))
        if atom.op == "top":
            self.emit("JTOP" if when else "JTOPNOT", table, *self.zone(atom.args[0]), target)
        else:
            self.emit("JTABLE" if when else "JTABLENOT", table, self.number(atom), target)

    def _jump_by_parts(self, term: Term, target: Label, when: bool) -> None:
        if term.op == "or" and self._jump_any_top(term, target, when):
            return
        if (term.op == "or") == when:
            for part in term.args:
                self.jump(part, target, when=when)
        else:
            skip = Label()
            self.jump(term.args[0], skip, when=not when)
            self.jump(term.args[1], target, when=when)
            self.put(skip)

    def _jump_any_top(self, term: Term, target: Label, when: bool) -> bool:
        """Recognises a condition on the top card of any player's zone."""
        tops = self._same_of_tops(flattened(term, "or"))
        if tops is None:
            return False
        if when:
            self.emit("JANYTOP", *tops, target)
        else:
            skip = Label()
            self.emit("JANYTOP", *tops, skip)
            self.emit("JUMP", target)
            self.put(skip)
        return True

    def _jump_compared(self, term: Term, target: Label, when: bool) -> None:
        first, second = term.args
        if term.op == "less" or term.op == "lessEqual":
            # first <= second means that second < first does not hold
            turned = term.op == "lessEqual"
            less = when != turned
            pair = (second, first) if turned else (first, second)
            atoms = self.only_atom(pair[0]), self.only_atom(pair[1])
            if atoms[0] is not None and atoms[1] is not None and atoms[0].op == atoms[1].op == "top":
                tables = [self._atom_table(part, atom) for part, atom in zip(pair, atoms, strict=True) if atom]
                if tables[0] == tables[1]:
                    zones = (*self.zone(atoms[0].args[0]), *self.zone(atoms[1].args[0]))
                    self.emit("JTOPLT" if less else "JTOPNLT", tables[0], *zones, target)
                    return
            slots = self.number(pair[0]), self.number(pair[1])
            self.emit("JLT", *slots, target) if less else self.emit("JLE", slots[1], slots[0], target)
            return
        equal = (term.op == "equal") == when
        self.emit("JEQ" if equal else "JNE", self.number(first), self.number(second), target)

    def _atom_table(self, term: Term, atom: Term) -> int:
        domain = self.terms.domain(atom.type)
        return self.table(domain.start, self.terms.values(term, atom, domain))

    def _jump_full(self, cards: Term, target: Label, when: bool) -> None:
        if cards.op == "zone":
            base, player = self.zone(cards)
            if player == self.zero:
                self.emit("JFULL" if when else "JEMPTY", base, target)
            else:
                self.emit("JZFULL" if when else "JZEMPTY", base, player, target)
            return
        if cards.op == "intersect":
            first, second = cards.args
            if second.op == "zone" and first.op != "zone":
                first, second = second, first
            atom = self.only_atom(second)
            if first.op == "zone" and atom is not None:
                operands = (*self.zone(first), self.cards_table(second, atom), self.number(atom))
                self.emit("JZHAS" if when else "JZHASNOT", *operands, target)
                return
            if first.op == "zone" and self.zone(first)[1] != self.zero:
                self.emit("JMEETS" if when else "JMEETSNOT", *self.zone(first), self.cards(second), target)
            else:
                self.emit("JHAS" if when else "JHASNOT", self.cards(first), self.cards(second), target)
            return
        if cards.op == "those" and cards not in self.known and self.only_atom(cards) is None:
            element = self.local_term(str(cards.name), Type.CARD)
            found = self.select(self.cards(cards.args[0]), cards.args[1], element, one_will_do=True)
        else:
            found = self.cards(cards)
        self.emit("JFULL" if when else "JEMPTY", found, target)


def flattened(term: Term, op: str) -> list[Term]:
    """The parts of a nest of `and`s or of `or`s."""
    if term.op != op:
        return [term]
    return [part for arg in term.args for part in flattened(arg, op)]
