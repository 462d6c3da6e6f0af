"""Heuristics in card language."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fcdl.engines.asp.paths import Term
from fcdl.heuristics.derive import ME, Heuristic, Heuristics, is_identity
from fcdl.language.flowchart import Deck

_LESS = {"lessThan": "less than", "greaterThan": "more than", "lessOrEqual": "at most", "greaterOrEqual": "at least"}
_HEIGHT = {"lessThan": "lower than", "greaterThan": "higher than"}


def describe(derived: Heuristics) -> str:
    """All heuristics as a page: first what to want, then what is good and bad for whoever plays first."""
    heuristics = derived.heuristics
    lines = [
        f"{derived.game.flowchart.title}: {_number(len(heuristics), 'heuristic')}",
        f"You want {_wishes(derived)}.",
    ]
    for mine, title in ((True, "When you play first"), (False, "When they play first")):
        group = [heuristic for heuristic in heuristics if (heuristic.order[:1] == (ME,)) == mine]
        for good, label in ((True, "good for you"), (False, "bad for you")):
            part = [heuristic for heuristic in group if (heuristic.weight > 0) == good]
            if part:
                lines += ["", f"{title}, {label}:"]
                part.sort(key=lambda heuristic: -abs(heuristic.weight))
                lines += [f"  {signed(item.weight):>4}  {sentence(derived, item, weight=False)}" for item in part]
    return "\n".join(lines) + "\n"


def sentence(derived: Heuristics, heuristic: Heuristic, *, weight: bool = True) -> str:
    """A heuristic as one sentence: `You lead any card; ...; your card is lower than theirs: −1.`"""
    text = "; ".join(_Speaker(derived.game.flowchart.deck, heuristic).phrases()) or "always"
    end = f": {signed(heuristic.weight)}." if weight else "."
    return text[:1].upper() + text[1:] + end


def signed(weight: int) -> str:
    """A number with its sign."""
    return f"{weight:+d}".replace("-", "−")


def _number(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _wishes(derived: Heuristics) -> str:
    parts = []
    for sign, what in derived.wishes:
        owner = what.args[0] if what.args else None
        if what.name == "score" and owner is not None:
            parts.append(f"a {'higher' if sign > 0 else 'lower'} score for {_WHOM.get(owner.name, 'others')}")
        elif what.name == "cardsRemaining" and owner is not None:
            parts.append(f"{'more' if sign > 0 else 'fewer'} cards in {_WHOSE.get(owner.name, 'their')} hand")
        else:
            whose = "" if owner is None else f" of {_WHOM.get(owner.name, 'others')}"
            parts.append(f"{'more' if sign > 0 else 'less'} {_words(what.name)}{whose}")
    parts.sort(key=lambda part: "you" not in part.split() and "your" not in part.split())
    return _join(list(dict.fromkeys(parts)), "and")


_WHOM = {"me": "you", "otherPlayer": "them"}
_WHOSE = {"me": "your", "otherPlayer": "their"}


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

    def __init__(self, deck: Deck, heuristic: Heuristic) -> None:
        self.deck = deck
        self.conditions = heuristic.conditions
        self.players = dict.fromkeys(heuristic.order)
        passing = [
            term for term in self.conditions if _positive(term).args[:1] and _positive(term).args[0].name == "passed"
        ]
        self.may_pass = {_positive(term).args[0].args[0] for term in passing}
        self.passed = {term.args[0].args[0] for term in passing if term.name == "equal"}

    def phrases(self) -> list[str]:
        """What is played, in order, and between that what is asked."""
        said: list[str] = []
        asked: list[Term] = []
        players = iter(self.players)
        for condition in self.conditions:
            positive = _positive(condition)
            if is_identity(condition):
                if condition.args[0].name == "player" and condition.args[0].args[0].name.isdigit():
                    said.append(f"you are player {condition.args[0].args[0]}")
            elif condition.name == "cardInstanceOf":
                self._play(said, asked, next(players), condition.args[1])
                asked = []
            elif not (
                positive.args[:1] and positive.args[0].name == "passed" and positive.args[0].args[0] in self.may_pass
            ):
                asked.append(condition)
        return said + self._asked(asked)

    def _play(self, said: list[str], asked: list[Term], player: Term, cards: Term) -> None:
        """Somebody plays; after a diamond that asked whether he has such cards that is one phrase."""
        last = _positive(asked[-1]) if asked else None
        if player in self.passed:
            said += [*self._asked(asked), self.does(player, "pass")]
        elif last is not None and last.name == "playerHas" and last.args[0] == player:
            forced = asked[-1] == Term("playerHas", (player, cards))
            what = "must play one" if forced else f"{'play' if self.plural(player) else 'plays'} {self.cards(cards)}"
            said += [*self._asked(asked[:-1]), f"{self.condition(asked[-1])} and {what}"]
        else:
            first = player == next(iter(self.players)) and len(self.players) > 1 and not self.may_pass
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
        if term.name in ("myCard", "otherCard"):
            if term.args:
                return f"the card of {self.who(Term('otherPlayer', term.args))}"
            return "your card" if term.name == "myCard" else "their card"
        if term.name in ("me", "otherPlayer"):
            return self.who(term)
        if term.name == "cardsRemaining":
            return f"the number of cards of {_WHOM.get(term.args[0].name, 'others')}"
        if term.name == "operation" and len(term.args) == 3 and term.args[0].name in _SIGNS:
            return f"{self.thing(term.args[1])} {_SIGNS[term.args[0].name]} {self.thing(term.args[2])}"
        if term.args:
            return f"the {_words(term.name)} of {_join([self.thing(arg) for arg in term.args], 'and')}"
        if self.constant(term) or term.name.lstrip("-").isdigit() or term.name.endswith("s"):
            return _words(term.name)
        return f"the {_words(term.name)}"

    def constant(self, term: Term) -> bool:
        """Whether it is the name of a suit or a rank."""
        return not term.args and term.name.strip('"') in (*self.deck.suits, *self.deck.ranks)

    def suit(self, term: Term) -> str:
        """Cards of a suit: `heart`, `card of your card's suit`."""
        if self.constant(term):
            return term.name.removesuffix("s")
        if term.name == "suit" and term.args[0].name in ("myCard", "otherCard") and not term.args[0].args:
            return f"card of {self.thing(term.args[0])}'s suit"
        return f"card of {self.thing(term)}"

    def cards(self, term: Term) -> str:
        """Cards of which one may be played: `any card`, `a 2`, `a card of the last suit, ... or an 8`."""
        parts = list(_flat(term, "union"))
        if len(parts) > 1:
            return _join([self.cards(part) for part in parts], "or")
        if term.name != "card":
            return f"one of {self.thing(term)}"
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
        return f"{self.thing(left)} is {not_}{how}{self.thing(right)}"


_SIGNS = {"add": "plus", "subtract": "minus", "multiply": "times", "divide": "divided by", "modulo": "modulo"}
_ORDINALS = {"1": "first", "2": "second", "3": "third"}


def _positive(term: Term) -> Term:
    return term.args[0] if term.name == "neg" else term
