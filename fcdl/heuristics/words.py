"""Heuristics in card language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fcdl.heuristics.after import never_negative
from fcdl.heuristics.derive import Heuristic, Heuristics
from fcdl.heuristics.symbols import linear, seat_expr
from fcdl.heuristics.terms import Term, term_of
from fcdl.heuristics.wishes import Wish
from fcdl.model.game import Game

ME = Term("me")
_LESS = {"lessThan": "less than", "greaterThan": "more than", "lessOrEqual": "at most", "greaterOrEqual": "at least"}
_HEIGHT = {"lessThan": "lower than", "greaterThan": "higher than"}


def describe(derived: Heuristics) -> str:
    """All heuristics as a page: first what to want, then what is good and bad for me by when I play."""
    heuristics = derived.heuristics
    lines = [
        f"{derived.game.flowchart.title}: {_number(len(heuristics), 'heuristic')}",
        f"You want {_wishes(derived)}.",
    ]
    for start in derived.starts:
        if start != derived.starts[0]:
            lines += ["", f"When it goes on with “{start.caption}”:"]
        here = [item for item in (*heuristics, *derived.open) if item.start == start.number]
        sections: dict[tuple[str, ...], list[str]] = {}
        for title in dict.fromkeys(_title(item) for item in here):
            sections.setdefault(tuple(_section(derived, [i for i in here if _title(i) == title])), []).append(title)
        for section, titles in sections.items():
            whole = _join([titles[0], *(title.removeprefix("When you play ") for title in titles[1:])], "or")
            lines += [line.replace("{}", whole) if line.startswith("{}") else line for line in section]
    return "\n".join(lines) + "\n"


def _section(derived: Heuristics, group: Sequence[Heuristic]) -> Iterator[str]:
    """The lines about some heuristics; `{}` is for when I play."""
    for label in ("good for you", "bad for you", "it depends", "not known"):
        part = [item for item in group if _label(derived, item) == label]
        if part:
            yield from ("", "{}, " + label + ":")
            said = [
                (-abs(item.weight or 0), _column(derived, item), sentence(derived, item, weight=False)) for item in part
            ]
            yield from (f"  {weight:>4}  {text}" for _, weight, text in sorted(said))


def sentence(derived: Heuristics, heuristic: Heuristic, *, weight: bool = True) -> str:
    """A heuristic as one sentence: `You lead any card; ...; your card is lower than theirs: −1.`"""
    speaker = _Speaker(derived.game, heuristic)
    phrases = speaker.summary() if heuristic.summary.merged else speaker.phrases()
    if heuristic.summary.merged and weight:
        phrases.insert(0, _title(heuristic).removeprefix("When "))
    if heuristic.worth is not None and heuristic.weight is None:
        phrases += speaker.effects()
    text = "; ".join(phrases) or "always"
    end = ""
    if weight or heuristic.weight is None:
        end = f": {_worth(derived, heuristic)}"
    return text[:1].upper() + text[1:] + end + "."


def _title(heuristic: Heuristic) -> str:
    """When I play in the pass."""
    players = list(dict.fromkeys(item.distance for item in heuristic.parameters))
    if not heuristic.summary.merged:
        return "When you play first" if heuristic.leads else "When they play first"
    if 0 not in players:
        return "When you do not play"
    place = players.index(0)
    if place and place == len(players) - 1:
        return "When you play last"
    return "When you lead" if not place else f"When you play {_PLACES.get(place, f'{place + 1}th')}"


def _label(derived: Heuristics, heuristic: Heuristic) -> str:
    if heuristic.worth is None:
        return "not known"
    total = linear(heuristic.worth)
    chart = derived.game.flowchart
    natural = all(never_negative(part, chart) for part in total.parts)
    if natural and total.constant >= 0 and all(times > 0 for times in total.parts.values()):
        return "good for you"
    if natural and total.constant <= 0 and all(times < 0 for times in total.parts.values()):
        return "bad for you"
    return "it depends"


def _column(derived: Heuristics, heuristic: Heuristic) -> str:
    if heuristic.weight is not None:
        return signed(heuristic.weight)
    return {"good for you": "+", "bad for you": "−"}.get(_label(derived, heuristic), "?")


def _worth(derived: Heuristics, heuristic: Heuristic) -> str:
    """What it is worth: a number, or how it is counted."""
    if heuristic.worth is None:
        return "its worth is not known"
    if heuristic.weight is not None:
        return signed(heuristic.weight)
    total = linear(heuristic.worth)
    cards = {item.expr for item in heuristic.parameters}
    tables = {part.name for part in total.parts if part.op == "table"}
    counted = {part.args[0] for part in total.parts if part.op == "table"}
    if len(tables) == 1 and counted == cards and len(set(total.parts.values())) == 1 and not total.constant:
        times = next(iter(total.parts.values()))
        factor = "" if abs(times) == 1 else f"{abs(times)} times "
        return f"{'plus' if times > 0 else 'minus'} {factor}the {_words(tables.pop() or '')} of all cards played"
    if any(part.op in ("if", "minimum", "maximum") for whole in total.parts for part in whole.walk()):
        return "worth what that changes"
    speaker = _Speaker(derived.game, heuristic)
    parts = []
    for part, times in total.parts.items():
        factor = "" if abs(times) == 1 else f"{abs(times)} times "
        parts.append(f"{'plus' if times > 0 else 'minus'} {factor}{speaker.thing(term_of(part, derived.game))}")
    parts += [f"{'plus' if total.constant > 0 else 'minus'} {abs(total.constant)}"] * bool(total.constant)
    return " ".join(parts)


def signed(weight: int) -> str:
    """A number with its sign."""
    return f"{weight:+d}".replace("-", "−")


def _number(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _wishes(derived: Heuristics) -> str:
    """What I want, then what I want of the others; alike things of several others once."""
    parts: dict[str, bool] = {}
    for wish in derived.wishes:
        text, mine = _wish(derived, wish)
        speaker = _Speaker(derived.game, None)
        context = _join([speaker.condition(term_of(test, derived.game)) for test in wish.context], "and")
        parts[f"{text} if {context}" if context else text] = mine
    ordered = sorted(parts, key=lambda part: not parts[part])
    return _join(ordered, "and") if not any(" and " in part for part in ordered) else "; ".join(ordered)


def _wish(derived: Heuristics, wish: Wish) -> tuple[str, bool]:
    """A wish in words, and whether it is about me."""
    what, more = term_of(wish.what, derived.game), wish.factor > 0
    owner = next((part for part in _parts(what) if part.name in ("me", "otherPlayer")), None)
    mine = owner is not None and owner.name == "me"
    whose, whom = ("your", "you") if mine else ("their", "them")
    if what.name == "score":
        return f"a {'higher' if more else 'lower'} score for {whom}", mine
    if what.name == "cardsRemaining":
        return f"{'more' if more else 'fewer'} cards in {whose} hand", mine
    if wish.what.op == "absolute":
        a, b = (_words(part.name) for part in what.args[1].args[1:])
        return f"{whose} {a} {'far from' if more else 'near'} {whose} {b} (counts {abs(wish.factor)})", mine
    times = f" (counts {abs(wish.factor)})" if abs(wish.factor) != 1 else ""
    name = _words(what.name) if what.name.endswith("s") else f"“{_words(what.name)}”"
    return f"{'more' if more else 'fewer'} {name} for {whom}{times}", mine


def _parts(term: Term) -> Iterator[Term]:
    yield term
    for arg in term.args:
        yield from _parts(arg)


def _words(name: str) -> str:
    """`lastSuit` as `last suit`."""
    return re.sub(r"(?<=[a-z0-9])[A-Z]", lambda match: " " + match.group().lower(), name.strip('"'))


def _join(parts: list[str], word: str) -> str:
    """`a, b and c`."""
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}" if len(parts) > 1 else "".join(parts)


def _a(noun: str) -> str:
    return f"an {noun}" if noun[:1] in "aeiou" or noun in ("8", "11", "18") else f"a {noun}"


def _flat(term: Term, op: str) -> Iterator[Term]:
    """The parts of `a or b or c`, of unions likewise."""
    if term.name == op:
        for part in term.args:
            yield from _flat(part, op)
    elif term.name == "operation" and term.args[0].name == op:
        for part in term.args[1:]:
            yield from _flat(part, op)
    else:
        yield term


class _Speaker:
    """Says the conditions of one heuristic."""

    def __init__(self, game: Game, heuristic: Heuristic | None) -> None:
        self.game, self.deck, self.heuristic = game, game.flowchart.deck, heuristic
        conditions = heuristic.conditions if heuristic is not None else ()
        parameters = heuristic.parameters if heuristic is not None else ()
        self.conditions = [condition.term for condition in conditions]
        answered = (*conditions, *(heuristic.summary.mine if heuristic is not None else ()))
        self.answers = {condition.term: condition.answer for condition in answered if condition.answer is not None}
        first = parameters[0].expr if parameters and parameters[0].distance and game.players > 2 else None
        self.lead = None if first is None else term_of(first, game)
        self.players = dict.fromkeys(term_of(seat_expr(item.distance), game) for item in parameters)

    def phrases(self) -> list[str]:
        """What is played, in order, and between that what is asked."""
        said: list[str] = []
        asked: list[Term] = []
        for number, condition in enumerate(self.conditions):
            if is_identity(condition):
                if condition.args[0].name == "player" and condition.args[0].args[0].name.isdigit():
                    said.append(f"you are player {condition.args[0].args[0]}")
            elif condition.name == "cardInstanceOf":
                following = self.conditions[number + 1] if number + 1 < len(self.conditions) else None
                passes = following.name == "equal" if following is not None and _is_of_passing(following) else None
                self._play(said, asked, condition, passes)
                asked = []
            elif not _is_of_passing(condition) or self.conditions[number - 1].name != "cardInstanceOf":
                asked.append(condition)
        return said + self._asked(asked)

    def _play(self, said: list[str], asked: list[Term], condition: Term, passes: bool | None) -> None:
        """Somebody plays; after a diamond that asked whether he has such cards that is one phrase."""
        card, cards = condition.args
        player = _player_of(card)
        last = _positive(asked[-1]) if asked else None
        if passes:
            said += [*self._asked(asked), self.does(player, "pass")]
        elif last is not None and last.name == "playerHas" and last.args[0] == player:
            forced = asked[-1] == Term("playerHas", (player, cards))
            what = "must play one" if forced else f"{'play' if self.plural(player) else 'plays'} {self.cards(cards)}"
            said += [*self._asked(asked[:-1]), f"{self.condition(asked[-1])} and {what}"]
        else:
            first = not said and passes is None and len(self.players) > 1
            said += [*self._asked(asked), f"{self.does(player, 'lead' if first else 'play')} {self.cards(cards)}"]

    def _asked(self, asked: list[Term]) -> list[str]:
        """Conditions in a row; what a card is not is left out where it is said what it is."""
        clauses: dict[str, list[Term]] = {}
        for term in asked:
            positive = _positive(term)
            alone = str(term) if self._subject(positive) is None else str(positive.args[0])
            clauses.setdefault(alone, []).append(term)
        said = []
        for terms in clauses.values():
            positives = [term for term in terms if term.name != "neg"]
            if len(terms) == 1 or positives:
                said += [self.condition(term) for term in positives or terms]
            else:
                kinds = [self._kind(_positive(term)) for term in terms]
                said.append(f"{self._subject(_positive(terms[0]))} is neither {_join(kinds, 'nor')}")
        return [_join(said, "and")] if said else []

    def summary(self) -> list[str]:
        """A merged way in short: what concerns me, what comes of it, and what is short to say of the others."""
        assert self.heuristic is not None
        short = self.heuristic.summary
        said = [self.condition(item.term) for item in short.mine]
        mine = {item.term for item in short.mine}
        asked = [part.term for part in self.heuristic.conditions if part.kind == "asked" and part.term not in mine]
        for name, distance in short.outcome:
            one = "another player becomes" if distance < 0 else self.does(self._at(distance), "become")
            said.append(f"{one} {_words(name)}")
        settled = [item.term for item in short.settled]
        said += self._of_others([term for term in asked if term not in settled])
        several = any(distance < 0 for _, distance in short.outcome)
        return said + [self.condition(_anybody(term) if several else term) for term in settled]

    def _of_others(self, asked: list[Term]) -> list[str]:
        """What is asked of the others, as far as it is short; what is asked of several alike is said once."""
        if len(asked) == 1 and asked[0].name == "operation" and asked[0].args[0].name == "or":
            parts, quantity = list(_flat(asked[0], "or")), "for some other"
        else:
            parts, quantity = asked, "for all others"
        alike: dict[Term, list[Term]] = {}
        for term in parts:
            alike.setdefault(_anybody(term, self.lead), []).append(term)
        if any(_is_long(term) for term in parts) or (quantity == "for some other" and len(alike) > 1):
            return []
        said = []
        for general, terms in alike.items():
            if len(terms) == 1:
                said.append(self.condition(terms[0]))
            elif general.name == "neg" and quantity == "for all others":
                said.append(f"for none of {_NUMBERS.get(len(terms), 'the')} others: {self.condition(general.args[0])}")
            else:
                said.append(f"{quantity}: {self.condition(general)}")
        return said

    def effects(self) -> list[str]:
        """What comes into hands."""
        assert self.heuristic is not None
        zones: dict[int, list[str]] = {}
        for zone, distance in self.heuristic.summary.effects:
            zones.setdefault(distance, []).append(_words(zone))
        return [
            f"{self.does(self._at(distance), 'get')} cards from {_join(list(dict.fromkeys(names)), 'and')}"
            for distance, names in zones.items()
        ]

    def _at(self, distance: int) -> Term:
        return term_of(seat_expr(distance), self.game)

    # Who

    def plural(self, player: Term) -> bool:
        """Whether verbs go with the player as with `you` and `they`."""
        return not player.args

    def who(self, player: Term) -> str:
        """`you`, `they` or `player 2 after you`."""
        if player.args:
            return f"the {_ORDINALS.get(player.args[0].name, player.args[0].name + 'th')} player after you"
        return "you" if player == ME else "they"

    def does(self, player: Term, verb: str) -> str:
        """`you play`."""
        ending = "" if self.plural(player) else "es" if verb.endswith("s") else "s"
        return f"{self.who(player)} {verb}{ending}"

    # What

    def thing(self, term: Term) -> str:
        """A value: `your card`, `the suit of their card`, `trumps`."""
        if term == self.lead:
            return "the card led"
        if match := _CARD.fullmatch(term.name):
            which = f"{_words(match[2]).lower()} {match[3].lower()}".strip()
            if term.args:
                return f"the {which} of {self.who(Term('otherPlayer', term.args))}"
            return f"your {which}" if match[1] == "my" else f"their {which}"
        if term.name in ("me", "otherPlayer"):
            return self.who(term)
        if term.name == "cardsRemaining":
            return self._owned("number of cards", term.args[0])
        if term.name == "count":
            return f"the number of cards in {self.thing(term.args[0])}"
        if term.name in self.game.flowchart.variables and term.args:
            return self._owned(_words(term.name), term.args[0])
        if term.name == "operation" and len(term.args) == 3 and term.args[0].name in _SIGNS:
            return f"{self.thing(term.args[1])} {_SIGNS[term.args[0].name]} {self.thing(term.args[2])}"
        if term.args:
            return f"the {_words(term.name)} of {_join([self.thing(arg) for arg in term.args], 'and')}"
        if self.constant(term) or term.name.lstrip("-").isdigit() or term.name.endswith("s"):
            return _words(term.name)
        return f"the {_words(term.name)}"

    def _owned(self, what: str, player: Term) -> str:
        if player.args:
            return f"the {what} of {self.who(player)}"
        return f"{'your' if player == ME else 'their'} {what}"

    def constant(self, term: Term) -> bool:
        """Whether it is the name of a suit, a rank or a word."""
        known = (*self.deck.suits, *self.deck.ranks, *self.game.flowchart.words)
        return not term.args and term.name.strip('"') in known

    def suit(self, term: Term) -> str:
        """Cards of a suit: `heart`, `card of your card's suit`."""
        if self.constant(term):
            return term.name.removesuffix("s")
        if term.name == "suit" and term.args[0] == self.lead:
            return "card of the suit led"
        if term.name == "suit" and term.args[0].name in ("myCard", "otherCard") and not term.args[0].args:
            return f"card of {self.thing(term.args[0])}'s suit"
        return f"card of {self.thing(term)}"

    def cards(self, term: Term) -> str:
        """Cards of which one may be played: `any card`, `a 2`, `a card of the last suit, ... or an 8`."""
        parts = list(_flat(term, "union"))
        if len(parts) > 1:
            return _join([self.cards(part) for part in parts], "or")
        if term.name != "card":
            return "a card that may be played"
        rank, suit = term.args
        if rank.name == "any" and suit.name == "any":
            return "any card"
        if rank.name == "any":
            return _a(self.suit(suit))
        name = rank.name if self.constant(rank) else f"card of {self.thing(rank)}"
        if suit.name == "any":
            return _a(name)
        return f"the {name} of {self.thing(suit)}"

    # Conditions

    def condition(self, term: Term, no: bool = False) -> str:
        """A condition or its opposite."""
        if not no and term in self.answers and _is_long(term):
            caption, yes = self.answers[term]
            return f"“{caption}” is {'so' if yes else 'not so'}"
        if term.name == "neg":
            return self.condition(term.args[0], not no)
        if term.name == "playerHas":
            cards = self.cards(term.args[1])
            if no:
                cards = "no card at all" if cards == "any card" else "no " + re.sub(r"^(an?|the) ", "", cards)
            return f"{self.who(term.args[0])} {'have' if self.plural(term.args[0]) else 'has'} {cards}"
        if term.name == "operation" and term.args[0].name in ("and", "or"):
            return self._several(list(_flat(term, term.args[0].name)), term.args[0].name, no)
        if term.name == "equal" and (subject := self._subject(term)) is not None:
            return f"{subject} is {'not ' if no else ''}{self._kind(term)}"
        if term.name in _LESS or term.name == "equal":
            return self._compare(term, no)
        return f"{'it is not so that ' if no else ''}{self.thing(term)}"

    def _several(self, parts: list[Term], word: str, no: bool) -> str:
        subjects = {self._subject(part) for part in parts}
        if len(subjects) == 1 and None not in subjects and (word == "or" or not no):
            kinds = [self._kind(part) for part in parts]
            either = f"neither {' nor '.join(kinds)}" if no else _join(kinds, word)
            return f"{subjects.pop()} is {either}"
        return ("it is not so that " if no else "") + _join([self.condition(part) for part in parts], word)

    def _subject(self, term: Term) -> str | None:
        """The card of `your card is a king`."""
        if term.name == "equal" and term.args[0].name in ("rank", "suit") and self.constant(term.args[1]):
            return self.thing(term.args[0].args[0])
        return None

    def _kind(self, term: Term) -> str:
        return _a(self.suit(term.args[1]) if term.args[0].name == "suit" else term.args[1].name)

    def _compare(self, term: Term, no: bool) -> str:
        left, right = term.args
        not_ = "not " if no else ""
        if left.name == right.name == "rankValue" and term.name in _HEIGHT:
            other = {"your card": "yours", "their card": "theirs"}.get(
                self.thing(right.args[0]), self.thing(right.args[0])
            )
            return f"{self.thing(left.args[0])} is {not_}{_HEIGHT[term.name]} {other}"
        how = "" if term.name == "equal" else _LESS[term.name] + " "
        if left.name == "suit" and term.name == "equal" and re.fullmatch("[a-z]+s", right.name) and not right.args:
            return f"{self.thing(left.args[0])} is {'no' if no else 'a'} {right.name.removesuffix('s')}"
        if left.name in ("suit", "rank") and not left.args[0].args and left.args[0].name in ("myCard", "otherCard"):
            return f"{self.thing(left.args[0])}'s {left.name} is {not_}{how}{self.thing(right)}"
        verb = "are" if self.thing(left).endswith("s") and left.args else "is"
        return f"{self.thing(left)} {verb} {not_}{how}{self.thing(right)}"


_SIGNS = {"add": "plus", "subtract": "minus", "multiply": "times", "divide": "divided by", "modulo": "modulo"}
_ORDINALS = {"1": "first", "2": "second", "3": "third"}
_PLACES = {1: "second", 2: "third"}
_CARD = re.compile(r"(my|other)(.*)(Card|Choice)")
_LONG = 24
_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def is_identity(condition: Term) -> bool:
    """Whether a condition says who somebody is."""
    return condition.name == "equal" and condition.args[1].name in ("me", "otherPlayer")


def _is_long(term: Term) -> bool:
    parts = list(_parts(term))
    return len(parts) > _LONG or any(part.name in ("if", "some", "every", "those", "sum", "count") for part in parts)


def _is_of_passing(condition: Term) -> bool:
    positive = _positive(condition)
    return positive.name == "equal" and positive.args[0].name == "passed"


def _player_of(card: Term) -> Term:
    """Who plays a card."""
    return ME if card.name.startswith("my") else Term("otherPlayer", card.args)


def _positive(term: Term) -> Term:
    return term.args[0] if term.name == "neg" else term


def _anybody(term: Term, but: Term | None = None) -> Term:
    """A term about one of several others as if there were only one, but for one card."""
    if term == but:
        return term
    numbered = term.name == "otherPlayer" or (term.name.startswith("other") and _CARD.fullmatch(term.name))
    if numbered and term.args:
        return Term(term.name)
    return Term(term.name, tuple(_anybody(arg, but) for arg in term.args))
