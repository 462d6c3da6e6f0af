"""Made-up charts that are valid and end: random statements and expressions of every kind, with few ways back.

They make no sense as games. They are there because two engines that agree on seven games may still disagree about
a language of sixty operations.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

HEADER = """game "Made up"
players {players}
{teams}
deck ranks 2 3 10 jack ace suits clubs hearts spades copies {copies}
{part}
table points: hearts 1, JS 13, 10 4, else -2
order power: jack 2 3 ace 10
list steps: 3, 1, 4, 1, 5
words left, right
option limit = 3 from 0 to 5 "A number."
option odd = no "A switch."
zone pile: face up
zone secrets(player): seen by owner
zone gifts(player): seen by others
zone deep: face down
zone slot(player, 1 to 2): face down
zone row(suit): face up
zone box({side}, rank): seen by owner
zone heap(-1 to 1): face up
each player has wins = 0, plan = left, mate = none
each suit has led = 0
each player and 1 to 3 has mark = 0
each {side} has tricks = 0
each rank has likes = none
secret hidden, plan, mark
"""
FIRST = """
chart main
    start
    n = 2
    hidden = 1
    b = true
    p = player(0)
    s = hearts
    r = jack
    c = top(pack)
    w = left
    rounds = 0
    mate(player(0)) = player(1)
    mate(player(1)) = next(p)
    Shuffle
    Deal({deal})
"""
PARTS = (
    "deck ranks joker suits red black copies 2",
    "deck cards c in ranks 0 to 21 suits trumps where rankValue(c) != limit",
    "deck ranks 2 ace suits hearts copies 3",
    "deck cards c in standard copies 2 where suit(c) == diamonds | odd",
    "deck ranks 1 to 40 suits stars moons copies 2",
)
"""Further parts of the deck: some have copies of its cards, some make it wide."""
ZONES = ("hand(P)", "middle(P)", "secrets(P)", "gifts(P)", "pack", "stack", "pile", "deep",
         "slot(P, I)", "row(S)", "box(P, R)", "heap(I)")  # fmt: skip
VARIABLES = {"int": "n", "bool": "b", "player": "p", "suit": "s", "rank": "r", "card": "c", "word": "w"}
LOCAL_NAMES = ("x", "y", "z")


class Writer:
    """Writes expressions and statements with a hypothesis `draw`."""

    def __init__(self, draw: DrawFn) -> None:
        self.draw = draw
        self.bound: list[tuple[str, str]] = []

    def one_of(self, *options: str) -> str:
        return self.draw(st.sampled_from(options))

    def number(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def zone(self, depth: int) -> str:
        return self.keyed(self.one_of(*ZONES), depth)

    def keyed(self, place: str, depth: int) -> str:
        """A zone or variable with something for each key."""
        name, _, keys = place.removesuffix(")").partition("(")
        kinds = {"P": "player", "I": "int", "S": "suit", "R": "rank"}
        written = [self.expr(kinds[key], depth - 1) for key in keys.split(", ") if key]
        return f"{name}({', '.join(written)})" if written else name

    def local(self, kind: str) -> str | None:
        names = [name for name, own in self.bound if own == kind]
        return self.one_of(*names) if names and self.number(0, 2) else None

    def expr(self, kind: str, depth: int) -> str:
        local = self.local(kind)
        if local is not None:
            return local
        written: str = getattr(self, f"{kind}_expr")(depth)
        return written

    def each(self, depth: int, domain: str | None = None) -> tuple[str, str, str]:
        """Domain, name and condition of an aggregate; the name stays bound until `done`."""
        kind = domain or self.one_of("cards", "players", "suits", "ranks", "range")
        if kind == "sets":
            return self.sets(depth)
        first = f" from {self.expr('player', depth - 1)}" if kind == "players" and self.number(0, 1) else ""
        text = {"players": f"players{first}", "suits": "suits", "ranks": "ranks"}.get(kind)
        element = {"players": "player", "suits": "suit", "ranks": "rank", "range": "int", "cards": "card"}[kind]
        if kind == "cards":
            text = self.expr("cards", depth - 1)
        elif kind == "range":
            text = f"{self.expr('int', 0)} to {self.number(-1, 6)}"
        name = LOCAL_NAMES[len(self.bound) % 3] + str(len(self.bound))
        self.bound.append((name, element))
        return str(text), name, self.expr("bool", depth - 1)

    def sets(self, depth: int) -> tuple[str, str, str]:
        """Domain, name and condition of sets of cards: few cards, so that the plain engines are not slow."""
        few = f"cards k in {self.zone(0)} where points(k) <= {self.number(0, 2)} | power(k) > {self.number(1, 6)}"
        size = self.one_of("1 to 2", "2", "1 to 3", f"{self.expr('int', 0)} to 2")
        name = "s" + str(len(self.bound))
        self.bound.append((name, "cards"))
        lasts = self.one_of(
            f"isGroup({name})", f"isFlush({name})", f"count({name}) < {self.expr('int', 0)}",
            f"sum(points(d) for d in {name}) == {self.expr('int', 0)}", f"every(d in {name} where d in ({few}))",
            f"!(c in {name})", "true",
        )  # fmt: skip
        condition = f"{lasts} {self.one_of('&', '|')} {self.expr('bool', depth - 1)}"
        return f"subsets({few}, {size})", name, condition

    def aggregate(self, op: str, depth: int, *, value: bool, domain: str | None = None) -> str:
        if len(self.bound) >= 3:
            return "0" if op in ("sum", "max", "min", "count") else "true"
        if domain is None and depth > 1 and self.number(0, 4) == 0:
            domain = "sets"
        source, name, condition = self.each(depth, domain)
        inner = f"{self.expr('int', depth - 1)} for {name}" if value else name
        self.bound.pop()
        return f"{op}({inner} in {source} with {condition})"

    def int_expr(self, depth: int) -> str:
        if depth <= 0:
            return self.one_of(
                "n", "0", "1", "2", "7", "limit", "numberOfPlayers", "2147483647", "wins(p)", "hidden", "score(p)"
            )
        kind = self.number(0, 17)

        def part() -> str:
            return self.expr("int", depth - 1)

        match kind:
            case 0 | 1:
                return f"({part()} {self.one_of('+', '-', '*', '/', '%')} {part()})"
            case 2:
                return f"{self.one_of('min', 'max')}({part()}, {part()})"
            case 3:
                return f"abs(-{part()})"
            case 4 | 5:
                return f"count({self.expr('cards', depth - 1)})"
            case 6:
                key = self.expr(self.one_of("card", "rank", "suit"), depth - 1)
                return f"{self.one_of('points', 'power', 'rankValue')}({key})"
            case 7:
                return f"{self.one_of('wins', 'score')}({self.expr('player', depth - 1)})"
            case 8:
                return f"steps({part()})"
            case 9:
                return f"if({self.expr('bool', depth - 1)}, {part()}, {part()})"
            case 10:
                return self.aggregate(self.one_of("sum", "max", "min"), depth, value=True)
            case 11:
                return self.aggregate("count", depth, value=False)
            case 14:
                word = self.one_of("pokerValue", "pokerClass", "longestSequence", "longestRun")
                return f"{word}({self.expr('cards', depth - 1)})"
            case 15:
                table = self.one_of("points", "power", "rankValue")
                return f"deadwood(hand({self.expr('player', depth - 1)}), {table}, {self.expr('int', 0)})"
            case 12:
                return f"playerNumber({self.expr('player', depth - 1)})"
            case 13:
                return self.keyed(self.one_of("led(S)", "mark(P, I)", "tricks(P)"), depth)
            case 16:
                return f"position({self.expr('card', depth - 1)}, {self.zone(depth)})"
            case _:
                return f"cardsRemaining({self.expr('player', depth - 1)})"

    def bool_expr(self, depth: int) -> str:
        if depth <= 0:
            return self.one_of("b", "true", "false", "odd", "passed(p)", "n > 2", "s == hearts")

        def part() -> str:
            return self.expr("bool", depth - 1)

        match self.number(0, 11):
            case 11:
                word = self.one_of("isGroup", "isFlush", "isSequence", "isRun")
                return f"{word}({self.expr('cards', depth - 1)})"
            case 0 | 1:
                return f"({part()} {self.one_of('&', '|')} {part()})"
            case 2:
                return f"!({part()})"
            case 3:
                ints = self.expr("int", depth - 1), self.expr("int", depth - 1)
                return f"({ints[0]} {self.one_of('<', '<=', '>', '>=', '==', '!=')} {ints[1]})"
            case 4 | 5:
                kind = self.one_of("player", "suit", "rank", "card", "word")
                return f"({self.expr(kind, depth - 1)} {self.one_of('==', '!=')} {self.expr(kind, depth - 1)})"
            case 6:
                return f"empty({self.expr('cards', depth - 1)})"
            case 7:
                return f"playerHas({self.expr('player', depth - 1)}, {self.expr('cards', depth - 1)})"
            case 8:
                return f"({self.expr('card', depth - 1)} in {self.expr('cards', depth - 1)})"
            case 9:
                return self.aggregate(self.one_of("some", "every"), depth, value=False)
            case _:
                return f"sameTeam({self.expr('player', depth - 1)}, {self.expr('player', depth - 1)})"

    def player_expr(self, depth: int) -> str:
        if depth <= 0:
            return self.one_of("p", "p", "player(0)", "player(1)", "player(n % 2)", "mate(p)", "likes(r)")
        match self.number(0, 4):
            case 0:
                return f"{self.one_of('next', 'previous')}({self.expr('player', depth - 1)})"
            case 1:
                return f"player({self.expr('int', depth - 1)} % {self.one_of('2', '2', '2', '5')})"
            case 2:
                return self.aggregate("highest", depth, value=True, domain="players") if len(self.bound) < 3 else "p"
            case 3:
                return f"mate({self.expr('player', depth - 1)})"
            case _:
                return f"if({self.expr('bool', depth - 1)}, {self.expr('player', depth - 1)}, p)"

    def suit_expr(self, depth: int) -> str:
        if depth <= 0:
            return self.one_of("s", "hearts", "clubs", "s")
        return self.one_of(f"suit({self.expr('card', depth - 1)})", f"suit({self.expr('int', depth - 1)})", "s")

    def rank_expr(self, depth: int) -> str:
        if depth <= 0:
            return self.one_of("r", "jack", "ace", "r")
        return self.one_of(f"rank({self.expr('card', depth - 1)})", f"rank({self.expr('int', depth - 1)})", "r")

    def word_expr(self, depth: int) -> str:
        return self.one_of("w", "left", "right", "plan(p)")

    def card_expr(self, depth: int) -> str:
        if depth <= 0:
            return self.one_of("c", "JS", "10H", "top(middle(p))", "top(pile)", "bottom(pack)")
        match self.number(0, 4):
            case 4:
                return f"at({self.zone(depth)}, {self.expr('int', depth - 1)})"
            case 0:
                return f"{self.one_of('top', 'bottom')}({self.zone(depth)})"
            case 1 if len(self.bound) < 3:
                return self.aggregate(self.one_of("highest", "lowest"), depth, value=True, domain="cards")
            case 2:
                return f"if({self.expr('bool', depth - 1)}, {self.expr('card', depth - 1)}, c)"
            case _:
                return self.one_of("c", "2C", "AH")

    def cards_expr(self, depth: int) -> str:
        if depth <= 0:
            return self.one_of("hand(p)", "cards", "card(any, hearts)", "card(jack, any)", "pile", "pack", "card(r, s)")

        def part() -> str:
            return self.expr("cards", depth - 1)

        match self.number(0, 9):
            case 9 if depth > 1 and len(self.bound) < 2:
                source, name, condition = self.sets(depth)
                value = self.expr("int", 1)
                self.bound.pop()
                return f"{self.one_of('highest', 'lowest')}({value} for {name} in {source} where {condition})"
            case 8:
                return f"melds(hand({self.expr('player', depth - 1)}), {self.one_of('points', 'power')})"
            case 0 | 1:
                return f"{self.one_of('union', 'intersect', 'except')}({part()}, {part()})"
            case 2:
                rank = self.one_of("any", self.expr("rank", depth - 1))
                return f"card({rank}, {self.one_of('any', self.expr('suit', depth - 1))})"
            case 3 | 4 if len(self.bound) < 3:
                source, name, condition = self.each(depth, "cards")
                self.bound.pop()
                return f"(those {name} in {source} with {condition})"
            case 5:
                return f"if({self.expr('bool', depth - 1)}, {part()}, {part()})"
            case 6:
                return f"{self.one_of('top', 'bottom')}({self.zone(depth)}, {self.expr('int', depth - 1)})"
            case _:
                return self.zone(depth)

    def values(self, depth: int) -> tuple[str, str]:
        """A variable to choose, and the values offered."""
        match self.number(0, 6):
            case 6:
                return self.keyed(self.one_of("led(S)", "mark(P, I)", "tricks(P)"), depth), "{0 to 2}"
            case 0:
                return "n", f"{{0 to {self.number(0, 3)}, {self.expr('int', depth)} if {self.expr('bool', depth)}, 2}}"
            case 1:
                return "s", "suits"
            case 2:
                return "p", "players"
            case 3:
                return f"plan({self.expr('player', depth)})", f"{{left, right if {self.expr('bool', depth)}}}"
            case 4:
                return "hidden", f"numbers v in 0 to {self.expr('int', 0)} where v % 2 == {self.number(0, 1)}"
            case _:
                return f"wins({self.expr('player', depth)})", f"{{{self.expr('int', depth)}, 1}}"

    def box(self, seat: str) -> str:
        """A statement for all seats, or for some; `seat` goes round."""
        first = f" from {self.expr('player', 1)}" if self.number(0, 1) else ""
        self.bound.append((seat, "player"))
        where = f" where {self.expr('bool', 2)}" if self.number(0, 1) else ""
        choice = f"choose({seat}, wins({seat}), {{0, {self.expr('int', 1)}, 2 if {self.expr('bool', 1)}}})"
        zone = self.zone(1)
        cards = self.expr("cards", 1)
        statement = self.one_of(
            self.statement(2), self.statement(2), self.statement(2), f"together {choice}",
            f"together playCard({seat}, {cards})", f"together playCard({seat}, cards, {zone})",
            f"together pick({seat}, 2, {cards}, hand({seat}), {zone})", f"playCard({seat}, cards)",
        )  # fmt: skip
        self.bound.pop()
        return f"{statement} for {seat} in players{first}{where}"

    def statement(self, depth: int) -> str:

        def player() -> str:
            return self.expr("player", 1)

        match self.number(0, 25):
            case 21:
                place = self.keyed(self.one_of("led(S)", "mark(P, I)", "tricks(P)"), 1)
                return f"{place} = {self.expr('int', depth)}"
            case 22:
                return f"likes({self.expr('rank', 1)}) = {player()}"
            case 23 | 24 | 25:
                source, name, condition = self.sets(depth)
                self.bound.pop()
                sets = f"sets {name} in {source} where {condition}"
                zones = f"{self.zone(0)}, {self.zone(0)}"
                return self.one_of(
                    f"playCards(p, {sets})", f"playCardsOrPass(p, {sets}, {self.zone(0)})",
                    f"take(p, {sets}, {zones})", f"takeOrPass({player()}, {sets}, {zones})",
                )  # fmt: skip
            case 18:
                return f"playCardOrPass(p, {self.expr('cards', depth)})"
            case 19:
                return f"pick(p, 2, {self.expr('cards', depth)}, {self.zone(0)}, {self.zone(0)})"
            case 20:
                return f"playCard(next(p), {self.one_of('cards', self.expr('cards', depth))})"
            case 0 | 1 | 2:
                kind = self.one_of(*VARIABLES)
                return f"{VARIABLES[kind]} = {self.expr(kind, depth)}"
            case 3:
                return f"{self.one_of('wins', 'score')}({player()}) = {self.expr('int', depth)}"
            case 4:
                return f"n = random({self.expr('int', 1)}) + {self.expr('int', 0)}"
            case 5:
                return self.one_of("Shuffle", "Stack.empty", f"shuffle({self.zone(1)})")
            case 6:
                return f"pickUp({player()}, {self.expr('int', 1)})"
            case 7 | 8:
                what = self.one_of("all", str(self.number(0, 3)), self.expr("cards", depth), self.expr("card", depth))
                place = self.one_of("", "", f", {self.expr('int', 1)}", f", {self.number(0, 4)}")
                return f"move({what}, {self.zone(1)}, {self.zone(1)}{place})"
            case 9 | 10:
                return f"playCard({player()}, {self.expr('cards', depth)})"
            case 11:
                return f"playCardOrPass({player()}, {self.expr('cards', depth)}, {self.zone(1)})"
            case 12:
                zones = f"{self.zone(1)}, {self.zone(1)}"
                return f"pick({player()}, {self.expr('int', 0)}, {self.expr('cards', depth)}, {zones})"
            case 13:
                variable, values = self.values(1)
                return f"choose({player()}, {variable}, {values})"
            case 14:
                kind = self.one_of("int", "player", "suit", "cards", "card", "word", "bool")
                return f'publish("It is #{{{self.expr(kind, 1)}}}.")'
            case 15:
                return f"show({self.expr('cards', 1)}, {self.one_of('all', player())})"
            case 16:
                return f"mate({player()}) = {player()}"
            case _:
                return f"plan({player()}) = {self.expr('word', 0)}"


@st.composite
def charts(draw: DrawFn) -> str:
    """The text of a chart."""
    return chart_text(Writer(draw))


def chart_text(writer: Writer) -> str:
    """The text of a chart, by whoever writes it."""
    players = writer.number(2, 4)
    teams = "teams 0 2, 1 3" if players == 4 and writer.number(0, 1) else ""
    copies = writer.one_of("1", "2", "8")
    part = writer.one_of("", "", *PARTS)
    side = "team" if teams else "player"
    text = HEADER.format(players=players, copies=copies, teams=teams, part=part, side=side) + FIRST.format(
        deal=writer.number(0, 4)
    )
    return text + _nodes(writer, "m", writer.number(3, 9), calls=True) + _sub_chart(writer)


def _sub_chart(writer: Writer) -> str:
    return "\nchart sub\n    start\n" + _nodes(writer, "s", writer.number(1, 3), calls=False)


def _nodes(writer: Writer, prefix: str, count: int, *, calls: bool) -> str:
    lines: list[str] = []
    for index in range(count):
        label = f"{prefix}{index}"
        later = [f"{prefix}{number}" for number in range(index + 1, count)] + [f"{prefix}End"]
        match writer.number(0, 7):
            case 6:
                lines.append(f"{label}:\n    {writer.box('mainSeat' if calls else 'subSeat')}")
            case 7 if calls:
                lines.append(f"{label}:\n    do sub for caller in players from {writer.expr('player', 1)}")
            case 0:
                private = writer.one_of("", "", "private ")
                arrows = f"yes -> {writer.one_of(*later)} no -> {writer.one_of(*later)}"
                lines.append(f"{label}:\n    {private}{writer.expr('bool', 3)}? {arrows}")
            case 2 if calls:
                lines.append(f"{label}:\n    do sub")
            case _:
                lines.append(f"{label}:\n    {writer.statement(2)}")
    lines.append(f"{prefix}End:")
    if calls:
        lines.append("    rounds = rounds + 1")
        lines.append(f"    rounds < 3? yes -> {prefix}0 no -> over\nover:")
    return "\n".join([*lines, "    end", ""])
