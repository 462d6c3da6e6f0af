"""Conditions, cards and players in card language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from fcdl.heuristics.choices import offers, rank_words, suit_words
from fcdl.heuristics.definitions import DEFINED
from fcdl.heuristics.derive import OTHERS, OURS, Heuristic, Heuristics, partners
from fcdl.heuristics.english import (
    DONE,
    counted,
    does,
    done_to,
    is_noun,
    is_plural,
    join,
    named,
    part_name,
    verb_of,
    with_article,
    words,
)
from fcdl.heuristics.paths import Condition
from fcdl.heuristics.situation import UNSAID
from fcdl.heuristics.symbols import seat_expr
from fcdl.heuristics.terms import TAKES, Term, term_of
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import Expr, Type
from fcdl.language.ops import ARITHMETIC, OPS, Form
from fcdl.language.saying import called

ME = Term("me")
ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth"}
_LESS = {row.fact: row.says.removeprefix("is ") for row in OPS.values() if row.denies and row.takes[0] is Type.INT}
_HEIGHT = {
    ("lessThan", False): "lower than",
    ("lessThan", True): "not lower than",
    ("greaterThan", False): "higher than",
    ("greaterThan", True): "not higher than",
    ("lessOrEqual", False): "not higher than",
    ("lessOrEqual", True): "higher than",
    ("greaterOrEqual", False): "not lower than",
    ("greaterOrEqual", True): "lower than",
}
"""How one card is compared with another; with True, how it is not."""
_SIGNS = {row.fact: row.says for row in OPS.values() if row.form is Form.INFIX and row.name in ARITHMETIC}
_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
_MODALS = {"can", "may", "must"}
_PREPOSITIONS = {"above", "at", "below", "in", "of", "on", "over", "under", "with", "without"}
PLAYED = ("cardInstanceOf", TAKES)
"""What says that something is played."""
_CARD = re.compile(r"(my|other)(.*?)(Cards?|Choice)")
_LONG = 24
MAX_PHRASE = 160
_ODD = re.compile(
    r"\b(union|intersect|except|neg|defined|those|single|true|false|template|member|least of)\b"
    r"|\b(and|or|equal|not|sum|count of|sum of|largest|smallest|highest|lowest|rank at|suit at|any) of\b"
    r"|\bthe any\b|the [a-z]['\u2019]?[ ,.;]|  |[(){}=_<>&|\[\]]|, else .*, else |, else \d+ is |[a-z][A-Z]"
)
"""What reads like a formula."""
_MELDS = {name: OPS[name].says for name in ("isGroup", "isFlush", "isSequence")}


class Speaker:
    """Says the conditions of one heuristic, or of none.

    `alike`: another player who has a role (the declarer) is only another player, whoever it is.
    """

    def __init__(self, derived: Heuristics, heuristic: Heuristic | None, *, alike: bool = False) -> None:
        self.derived, self.game, self.heuristic, self.alike = derived, derived.game, heuristic, alike
        self.chart, self.deck = self.game.flowchart, self.game.flowchart.deck
        parameters = heuristic.parameters if heuristic is not None else ()
        first = parameters[0].expr if parameters and parameters[0].distance and self.game.players > 2 else None
        self.lead = None if first is None else term_of(first, self.game)
        self.players = dict.fromkeys(self.at(item.distance) for item in parameters)
        self.plays = " ".join(n.caption for n in self.chart.nodes.values() if isinstance(n.statement, fc.Play))
        self.facts = dict(self._contexts())
        self.partners = partners(self.game)
        self.parts: dict[Term, str] = {}
        """Players by the part that they have."""
        self.opposites: dict[str, str] = {}
        """Of what the summary says of me, how the opposite is said."""
        self.unsaid = False
        """Whether there was a condition that would read like a formula."""
        self.told = False
        """Whether there was one that was said."""
        self.one_by_one = False
        """Whether conditions in a row are not joined to one phrase."""
        self._bound: dict[Term, str] = {}
        for condition in heuristic.summary.mine if heuristic is not None else ():
            self.name_by_part(condition.term)

    def _contexts(self) -> Iterator[tuple[Expr, bool]]:
        """What is known of what the goals depend on."""
        known = {_positive_test(test) for goal in self.derived.goals for test in goal.context}
        for condition in self.heuristic.conditions if self.heuristic is not None else ():
            positive = _positive_test(condition.test)
            if condition.kind == "asked" and positive in known:
                yield positive, positive == condition.test

    def name_by_part(self, condition: Term) -> None:
        """From now on a player is called by the role that the condition gives them."""
        if is_identity(condition) and condition.args[1].args and not condition.args[0].args:
            self.parts.setdefault(condition.args[1], f"the {self.named(condition.args[0].name)}")

    def call(self, term: Term, name: str) -> None:
        """From now on something is called so."""
        self._bound[term] = name

    def at(self, distance: int) -> Term:
        """The player so many seats after me."""
        return term_of(seat_expr(distance), self.game)

    def term(self, condition: Condition) -> Term:
        """A condition with the chart's definitions in it."""
        if condition.kind == "who" or _is_of_passing(condition.term) or condition.term.name == TAKES:
            return condition.term
        if condition.kind == "card" and condition.term.name == "cardInstanceOf":
            member = condition.test if condition.test.op == "member" else condition.test.args[1]
            return Term("cardInstanceOf", (condition.term.args[0], self.term_of(member.args[1], self.plays)))
        return self.term_of(condition.test, condition.answer[0] if condition.answer is not None else "")

    def term_of(self, expr: Expr, caption: str = "") -> Term:
        """An expression as a term with the chart's definitions in it."""
        return term_of(self.derived.definitions.named(expr, self.facts, caption), self.game)

    # Whole heuristics

    def phrases(self) -> list[str]:
        """What is played, in order, and between that what is asked."""
        assert self.heuristic is not None
        conditions = [self.term(condition) for condition in self.heuristic.conditions]
        said: list[str] = []
        asked: list[Term] = []
        for number, condition in enumerate(conditions):
            if is_identity(condition):
                seat = condition.args[0].name == "player" and condition.args[0].args[0].name.isdigit()
                if seat and condition.args[1] == ME:
                    said.append(f"you are player {condition.args[0].args[0]}")
                elif condition.args[0].name in self.derived.later - self.movers:
                    said.append(self.condition(condition))
            elif condition.name in PLAYED:
                following = conditions[number + 1] if number + 1 < len(conditions) else None
                passes = following.name == "equal" if following is not None and _is_of_passing(following) else None
                self._play(said, asked, condition, passes)
                asked = []
            elif not _is_of_passing(condition) or conditions[number - 1].name not in PLAYED:
                asked.append(condition)
        return said + self._asked(asked)

    def _play(self, said: list[str], asked: list[Term], condition: Term, passes: bool | None) -> None:
        """Somebody plays; after a diamond that asked whether they have such cards that is one phrase."""
        card, cards = condition.args
        player = _player_of(card)
        last = _positive(asked[-1]) if asked else None
        if passes:
            said += [*self._asked(asked), self.does(player, "pass")]
        elif condition.name == TAKES:
            said += [*self._asked(asked), f"{self.does(player, cards.name)} cards"]
        elif last is not None and last.name == "playerHas" and last.args[0] == player:
            forced = asked[-1] == Term("playerHas", (player, cards))
            what = "must play one" if forced else f"{'play' if self.plural(player) else 'plays'} {self.cards(cards)}"
            said += [*self._asked(asked[:-1]), f"{self.condition(asked[-1])} and {what}"]
        else:
            first = not said and passes is None and len(self.players) > 1
            said += [*self._asked(asked), f"{self.does(player, 'lead' if first else 'play')} {self.cards(cards)}"]

    def _asked(self, asked: Sequence[Term]) -> list[str]:
        """Conditions in a row; what a card is not is left out where it is said what it is."""
        if self.one_by_one and len(asked) > 1:
            return [phrase for term in asked for phrase in self._asked([term])]
        clauses: dict[str, list[Term]] = {}
        for term in _sharper([part for whole in asked for part in _conjuncts(whole)]):
            positive = _positive(term)
            several = self._subject(positive) is not None or _is_choice(positive)
            clauses.setdefault(str(positive.args[0]) if several else str(term), []).append(term)
        said: list[str] = []
        alternatives: list[str] = []
        for terms in clauses.values():
            positives = [term for term in terms if term.name != "neg"]
            if not positives and _is_choice(_positive(terms[0])):
                said.append(self._other_choice([_positive(term) for term in terms]))
            elif len(terms) == 1 or positives:
                for term in positives or terms:
                    (alternatives if self._has_alternatives(term) else said).append(self.condition(term))
            else:
                kinds = [self._kind(_positive(term)) for term in terms]
                said.append(f"{self._subject(_positive(terms[0]))} is neither {join(kinds, 'nor')}")
        self.unsaid = self.unsaid or not all(map(_is_plain, (*said, *alternatives)))
        said, alternatives = ([text for text in texts if _is_plain(text)] for texts in (said, alternatives))
        self.told = self.told or bool(said or alternatives)
        return [*([join(said, "and")] if said else []), *alternatives]

    def _other_choice(self, terms: Sequence[Term]) -> str:
        """What is chosen if it is none of some values: the only one left, if there is one."""
        player, not_chosen = _player_of(terms[0].args[0]), [term.args[1].name for term in terms]
        offered = [options for options in self._offered if options.issuperset(not_chosen)]
        left = {frozenset(options.difference(not_chosen)) for options in offered}
        if len(left) == 1 and len(only := next(iter(left))) == 1:
            return self._chooses(player, Term(next(iter(only))), no=False)
        if len(terms) == 1:
            return self.condition(terms[0], no=True)
        verbs = [verb_of(self.thing(term.args[1])) for term in terms if self.constant(term.args[1])]
        if len(verbs) == len(terms) and None not in verbs:
            said = [verb if self.plural(player) else does(verb) for verb in verbs if verb is not None]
            return f"{self.who(player)} neither {join(said, 'nor')}"
        values = join([self.thing(term.args[1]) for term in terms], "nor")
        return f"{self.who(player)} {self._choose(player)} neither {values}"

    @cached_property
    def _offered(self) -> list[set[str]]:
        """The words that may be chosen, for each choice between words."""
        return [{self.term_of(item).name for item in items} for choice in self._choices if (items := offers(choice))]

    @cached_property
    def _choices(self) -> list[fc.Choose]:
        statements = [node.statement for node in self.chart.nodes.values()]
        return [statement for statement in statements if isinstance(statement, fc.Choose)]

    def _has_alternatives(self, term: Term) -> bool:
        """Whether a condition is said with an `or` between sentences."""
        whole = _positive(term)
        parts = list(_flat(whole, "or" if term is whole else "and"))
        return len(parts) > 1 and (term is not whole or len({self._subject(part) for part in parts}) > 1)

    def summary(self) -> list[str]:
        """A merged path in short: what concerns me, what comes of it, and what is short to say of the others."""
        assert self.heuristic is not None
        short = self.heuristic.summary
        mine = {item.term for item in short.mine}
        settled = {item.term for item in short.settled}
        parts = [item for item in self.heuristic.conditions if item.kind == "asked"]
        asked = [item for item in parts if item.term not in mine and item.term not in settled]
        said = []
        for item in short.mine:
            phrases, opposite = (self._asked([term]) for term in (self.term(item), _opposite(self.term(item))))
            said += phrases
            if len(phrases) == len(opposite) == 1:
                self.opposites[phrases[0]] = opposite[0]
        outcome: dict[int, list[str]] = {}
        for name, distance in short.outcome:
            if name not in self.movers:
                outcome.setdefault(distance, []).append(part_name(self.named(name)))
        others = "another player becomes" if len(self.partners) == 1 else "an opponent becomes"
        for distance, names in outcome.items():
            sides = {OTHERS: others, OURS: "you or your partner become"}
            one = sides[distance] if distance < 0 else self.does(self.at(distance), "become")
            said.append(f"{one} {join(names, 'and')}")
        if not any(_is_long(part) for item in asked for part in _flat(item.term, "or")):
            said += self._of_others([self.term(item) for item in asked])
        several = any(distance < 0 for _, distance in short.outcome)
        of_settled = [self.term(item) for item in short.settled]
        said += [self.condition(_anybody(term) if several else term) for term in of_settled]
        return [text for text in dict.fromkeys(said) if is_clear(text)]

    @cached_property
    def movers(self) -> set[str]:
        """The variables that only go around the table: whose turn it is."""
        statements = [node.statement for node in self.chart.nodes.values()]
        return {"turn"} | {
            one.target.name
            for one in statements
            if isinstance(one, fc.Assign)
            and one.value.op in ("next", "previous")
            and one.value.args[0].op == "variable"
            and one.value.args[0].name == one.target.name
        }

    @cached_property
    def hands_matter(self) -> bool:
        """Whether what is wanted has to do with the cards in hand."""
        parts = [part for goal in self.derived.goals for part in goal.what.walk()]
        return any(part.op == "cardsRemaining" or (part.op == "zone" and part.name == "hand") for part in parts)

    def _of_others(self, asked: list[Term]) -> list[str]:
        """What is asked of the others; what is asked of several alike is said once."""
        if len(asked) == 1 and asked[0].name == "operation" and asked[0].args[0].name == "or":
            parts, quantity = list(_flat(asked[0], "or")), "some other player"
        else:
            parts, quantity = asked, "all others"
        alike: dict[Term, list[Term]] = {}
        for term in parts:
            alike.setdefault(_anybody(term, self.lead), []).append(term)
        if quantity == "some other player" and len(alike) > 1:
            return []
        said = []
        for general, terms in alike.items():
            if len(terms) == 1:
                said += self._asked(terms)
            elif general.name == "neg" and quantity == "all others":
                none, number = "neither" if len(terms) == 2 else "none", _NUMBERS.get(len(terms))
                nobody = f"{none} of the {number} others" if number else "none of the others"
                said.append(self._of_any(nobody, general.args[0]))
            else:
                said.append(self._of_any(quantity, general))
        return said

    def _of_any(self, subject: str, general: Term) -> str:
        """What is said of another player, of some or none of them."""
        other, card = Term("otherPlayer"), Term("rankValue", (Term("otherCard"),))
        match list(_conjuncts(general)):
            case [
                Term("playerHas", (player, cards)),
                Term("lessThan", (rank, higher)) | Term("greaterThan", (higher, rank)),
            ] if player == other and higher == card and rank.name == "rankValue" and subject != "all others":
                than = self._whose(rank.args[0])
                return f"{subject} has {self.cards(cards)} and plays a card higher than {than}"
        return f"for {subject}: {self.condition(general)}"

    def effects(self) -> list[str]:
        """What comes into hands: whoever gets cards that were played takes them, others are drawn."""
        assert self.heuristic is not None
        statements = [node.statement for node in self.chart.nodes.values()]
        played = {one.target.name for one in statements if isinstance(one, fc.Play)}
        taken: dict[int, list[str]] = {}
        drawn: dict[int, list[str]] = {}
        for zone, distance in dict.fromkeys(self.heuristic.summary.effects):
            (taken if zone in played else drawn).setdefault(distance, []).append(f"the {self.named(zone)}")
        said = [
            f"{self.does(self.at(distance), 'take')} the cards of {join(zones, 'and')}"
            for distance, zones in taken.items()
        ]
        alike: dict[str, list[int]] = {}
        for distance, zones in drawn.items():
            alike.setdefault(join(zones, "and"), []).append(distance)
        for source, distances in alike.items():
            if len(distances) == 1:
                said.append(f"{self.does(self.at(distances[0]), 'draw')} from {source}")
            elif len(distances) == self.game.players:
                said.append(f"{'both' if self.game.players == 2 else 'all'} draw from {source}")
            else:
                said.append(f"{join([self.who(self.at(one)) for one in sorted(distances)], 'and')} draw from {source}")
        return said

    # Who

    def plural(self, player: Term) -> bool:
        """Whether verbs go with the player as with `you` and `they`."""
        return not player.args and player not in self._bound

    def who(self, player: Term) -> str:
        """`you`, `they`, `the declarer` or `the second player after you`."""
        if player in self._bound:
            return self._bound[player]
        if player in self.parts:
            return self.parts[player]
        return self._seat(player)

    def _seat(self, player: Term) -> str:
        if player.args and player.args[0].name.isdigit():
            number = int(player.args[0].name)
            alike = self.alike and player in self.parts
            if number in self.partners:
                return "your partner"
            other = "another player" if len(self.partners) == 1 else "an opponent"
            return other if alike else f"the {ORDINALS.get(number, f'{number}th')} player after you"
        return "you" if player == ME else "they" if player.name == "otherPlayer" else self.thing(player)

    def does(self, player: Term, verb: str) -> str:
        """`you play`."""
        return f"{self.who(player)} {verb if self.plural(player) else does(verb)}"

    def _has(self, player: Term) -> str:
        return f"{self.who(player)} {'have' if self.plural(player) else 'has'}"

    # What

    def named(self, name: str) -> str:
        """What a thing of the chart is called inside a sentence."""
        return named(self.chart, name)

    def thing(self, term: Term) -> str:
        """A value: `your card`, `the suit of their card`, `trumps`."""
        if term in self._bound:
            return self._bound[term]
        if term.name.startswith(f'"{UNSAID}'):
            return words(term.name.split(UNSAID)[1])
        if term == self.lead:
            return "the card led"
        if match := _CARD.fullmatch(term.name):
            if match[3] == "Choice" and (kind := self._chosen.get(term)) is not None:
                return f"the {kind} {self.who(_player_of(term))} {self._choose(_player_of(term))}"
            which = f"{words(match[2]).lower()} {match[3].lower()}".strip()
            if term.args:
                return f"the {which} of {self.who(Term('otherPlayer', term.args))}"
            return f"your {which}" if match[1] == "my" else f"their {which}"
        if term.name in ("me", "otherPlayer"):
            return self.who(term)
        if term.name == "cardsRemaining":
            return self._owned("number of cards", term.args[0])
        if term.name == DEFINED:
            return self._defined_number(term)
        if term.name == "top" and (hand := self._hand_in(term.args[0])) is not None:
            return self._owned("card", hand)
        if term.name in ("top", "bottom"):
            return f"the {term.name} card of {self.thing(term.args[0])}"
        if term.name == "count" and _is_set(term.args[0]):
            return f"the number of {self._set(term.args[0])}"
        if term.name == "count":
            return f"the number of {self._cards_of(term.args[0]).removeprefix('the ')}"
        if term.name == "sum" and term.args[2] == Term("true") and term.args[3].args == (term.args[0],):
            where = term.args[1]
            cards = f"the {self._set(where)}" if _is_set(where) else self._cards_of(where)
            return f"the {counted(self.chart, term.args[3].name)} of {cards}"
        if term.name == "if":
            yes, no = self.thing(term.args[1]), self.thing(term.args[2])
            return f"{yes} if {self.condition(term.args[0])}, else {no}"
        if term.name in DONE and term.args and term.name in self.chart.variables:
            return f"what {self._has(term.args[0])} {done_to(self.chart, term.name, DONE)}"
        if term.name in (*self.chart.variables, *self.chart.zones) and term.args:
            return self._owned(self.named(term.name), term.args[0])
        if term.name == "operation" and len(term.args) == 3 and term.args[0].name in _SIGNS:
            return f"{self.thing(term.args[1])} {_SIGNS[term.args[0].name]} {self.thing(term.args[2])}"
        if term.name == "operation":
            said = OPS[term.args[0].name].says or words(term.args[0].name)
            return f"the {said} of {join([self.thing(arg) for arg in term.args[1:]], 'and')}"
        if len(term.args) == 1 and self._bound.get(term.args[0]) == "it":
            return f"its {counted(self.chart, term.name)}"
        if term.args:
            return f"the {counted(self.chart, term.name)} of {join([self.thing(arg) for arg in term.args], 'and')}"
        if self.constant(term):
            return called(self.chart, term.name.strip('"'))
        if term.name.lstrip("-").isdigit() or is_plural(self.named(term.name)):
            return self.named(term.name)
        variable = self.chart.variables.get(term.name)
        if variable is not None and variable.type is Type.PLAYER and term.name == "turn":
            return "the player whose turn it is"
        if variable is not None and variable.type in (Type.SUIT, Type.RANK):
            return f"the {(suit_words if variable.type is Type.SUIT else rank_words)(self.chart, term.name)}"
        said = self.named(term.name)
        more = " card" if variable is not None and variable.type is Type.CARD and "card" not in said else ""
        return f"the {said}{more}"

    def _cards_of(self, where: Term) -> str:
        """The cards somewhere: `the cards in the pile`, `the cards you have won`."""
        if where.name in DONE and where.args and where.name in self.chart.zones:
            return f"the cards {self._has(where.args[0])} {done_to(self.chart, where.name, DONE)}"
        return f"the cards in {self.thing(where)}"

    def _set(self, chosen: Term) -> str:
        """A set of cards that is played or taken: `cards that you play`."""
        conditions = self.heuristic.conditions if self.heuristic is not None else ()
        told = [one.term.args[1].name for one in conditions if one.term.name == TAKES and one.term.args[0] == chosen]
        statements = [node.statement for node in self.chart.nodes.values()]
        every = [one.word for one in statements if isinstance(one, fc.TakeSet)]
        return f"cards that {self.does(_player_of(chosen), (told or every or ['play'])[0])}"

    @cached_property
    def _chosen(self) -> dict[Term, str]:
        """What kind of thing each choice is, but for words, which are said as they are."""
        kinds = {Type.RANK: "rank", Type.SUIT: "suit", Type.PLAYER: "player", Type.INT: "number"}
        parameters = self.heuristic.parameters if self.heuristic is not None else ()
        return {term_of(item.expr, self.game): kinds[item.type] for item in parameters if item.type in kinds}

    def _defined_number(self, term: Term) -> str:
        """A value that the chart has a name for: `your deadwood`, `its suit`."""
        name, *args = term.args
        said = self.named(name.name).removesuffix(" of")
        if not args:
            return f"the {said}"
        more = f" with {join([self.thing(arg) for arg in args[1:]], 'and')}" if len(args) > 1 else ""
        if args[0].name in ("me", "otherPlayer"):
            return f"{self._owned(said, args[0])}{more}"
        if self._bound.get(args[0]) == "it":
            return f"its {said}{more}"
        return f"the {said} of {self.thing(args[0])}{more}"

    def _hand_in(self, cards: Term) -> Term | None:
        """Whose hand the cards come from, if they are a hand, or were when the cycle began."""
        return next((part.args[0] for part in _flat(cards, "union") if part.name == "hand" and part.args), None)

    def _whose(self, card: Term) -> str:
        """A card that another one is compared with: `yours`."""
        text = self.thing(card)
        return {"your card": "yours", "their card": "theirs"}.get(text, text)

    def _owned(self, what: str, player: Term) -> str:
        if player in (ME, Term("otherPlayer")):
            return f"{'your' if player == ME else 'their'} {what}"
        return f"the {what} of {self.who(player)}"

    def constant(self, term: Term) -> bool:
        """Whether it is the name of a suit, a rank or a word."""
        known = (*self.deck.suits, *self.deck.ranks, *self.chart.words)
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
            return join([self.cards(part) for part in parts], "or")
        if term.name == "those" and _is_any(term.args[2], term.args[0]):
            return "any card"
        if term.name == "those":
            said = _card(self._relative(term.args[2], term.args[0]))
            return said if is_clear(said) else "a card that may be played"
        if term.name in ("hand", "allCards"):
            return "any card"
        if term.name == "if":
            yes, no = self.cards(term.args[1]), self.cards(term.args[2])
            return f"{yes} if {self.condition(term.args[0])}, else {no}"
        if term.name != "card":
            return "a card that may be played"
        rank, suit = term.args
        if rank.name == "any" and suit.name == "any":
            return "any card"
        if rank.name == "any":
            return with_article(self.suit(suit))
        name = rank.name if self.constant(rank) else f"card of {self.thing(rank)}"
        if suit.name == "any":
            return with_article(name)
        return f"the {name} of {self.thing(suit)}"

    def relative(self, condition: Expr, card: Expr) -> str:
        """A condition on a card as a clause, with the chart's definitions in it."""
        return self._relative(self.term_of(condition), term_of(card, self.game))

    def card_that(self, condition: Expr, card: Expr) -> str:
        """A card for which a condition holds: `a card that beats your card`, `a trump`."""
        return _card(self.relative(condition, card))

    def _relative(self, condition: Term, card: Term) -> str:
        """A condition on a card as a clause: `that beats your card`, `whose rank is on the table`."""
        for parts, word in ((list(_conjuncts(condition)), "and"), (list(_flat(condition, "or")), "or")):
            if len(parts) > 1:
                return join([self._relative(part, card) for part in parts], word)
        before = self._bound
        self._bound = {**before, card: "it"}
        said = self.condition(condition)
        self._bound = before
        if said.startswith("it "):
            return f"that{said[2:]}"
        if said.startswith("its "):
            return f"whose{said[3:]}"
        if said.endswith(" it"):
            return f"that {said[:-3]}"
        return f"for which {said}"

    # Conditions

    def condition(self, term: Term, no: bool = False) -> str:
        """A condition or its opposite."""
        name = term.name
        if name == "neg":
            return self.condition(term.args[0], not no)
        if name == DEFINED:
            return self._defined(term, no)
        if name == "playerHas":
            return self._player_has(term.args[0], self.cards(term.args[1]), no)
        if name in ("some", "every"):
            return self._some(term, no)
        if name == "operation" and term.args[0].name in ("and", "or"):
            return self._several(list(_flat(term, term.args[0].name)), term.args[0].name, no)
        if name == "equal" and (said := self._equal(term, no)) is not None:
            return said
        if name in _LESS or name == "equal":
            return self._compare(term, no)
        if (match := _CARD.fullmatch(name)) and match[3] == "Choice":
            return self._says_yes(_player_of(term), no)
        if name in self.chart.variables and term.args:
            is_ = "are" if self.plural(term.args[0]) else "is"
            return f"{self.who(term.args[0])} {is_} {_not(no)}{called(self.chart, name)}"
        if name == "empty":
            return f"{self.thing(term.args[0])} is {_not(no)}empty"
        if name in _MELDS:
            return f"{self.thing(term.args[-1])} is {_not(no)}{_MELDS[name]}"
        if name == "if":
            test, yes, other = term.args
            return f"{self.condition(yes, no)} if {self.condition(test)}, else {self.condition(other, no)}"
        return f"“{called(self.chart, name) if not term.args else self.thing(term)}” {_holds(no)}"

    def _player_has(self, player: Term, cards: str, no: bool) -> str:
        if no:
            cards = "no card at all" if cards == "any card" else "no " + re.sub(r"^(an?|the) ", "", cards)
        return f"{self._has(player)} {cards}"

    def _some(self, term: Term, no: bool) -> str:
        """Whether some or all cards somewhere fit a condition."""
        card, where, condition = term.args
        if where.name == "subsets":
            return self._some_set(where.args[0], card, condition, no)
        hand = next((part for part in _parts(where) if part.name == "hand"), None)
        if term.name == "some" and hand is not None:
            return self._player_has(hand.args[0], _card(self._relative(condition, card)), no)
        if term.name == "some":
            return f"there is {'no' if no else 'a'} card {self._relative(condition, card)} in {self._zones(where)}"
        if hand is not None:
            return f"{self._has(hand.args[0])} {_not(no)}only cards {self._relative(condition, card)}"
        return f"there are {_not(no)}only cards {self._relative(condition, card)} in {self._zones(where)}"

    def _some_set(self, cards: Term, chosen: Term, condition: Term, no: bool) -> str:
        """Whether there is a set of cards that is a meld; any other kind of set has no name."""
        melds = _meld_names(condition, chosen)
        if melds is None:
            return "there are those cards"  # like a formula: it is left unsaid
        hand = next((part for part in _parts(cards) if part.name == "hand"), None)
        if hand is not None:
            return self._player_has(hand.args[0], melds, no)
        return f"there is {'no ' + melds.removeprefix('a ') if no else melds} in {self._zones(cards)}"

    def _zones(self, where: Term) -> str:
        return join([self.thing(part) for part in _flat(where, "union")], "or")

    def _defined(self, term: Term, no: bool) -> str:
        """A condition that the chart has a name for: its name is read as what it says of its first argument."""
        name, *args = term.args
        first, *rest = words(name.name).split()
        if len(args) > 1 and self._bound.get(args[1]) == "it" and first not in _MODALS and self._is_player(args[0]):
            args = args[1:]  # what a card is for the player who plays it
        if not args:
            return _fact(called(self.chart, name.name), no)
        after = " ".join(rest)
        objects = f" {join([self.thing(arg) for arg in args[1:]], 'and')}" if len(args) > 1 else ""
        player = args[0].name in ("me", "otherPlayer")
        subject = self.who(args[0]) if player else self.thing(args[0])
        plural = player and self.plural(args[0])
        is_ = f"{subject} {'are' if plural else 'is'} {_not(no)}"
        if first in _MODALS:
            verb = {"can": "cannot"}.get(first, f"{first} not") if no else first
            return f"{subject} {verb} {after}{objects}" if player else f"one {verb} {after}{objects} {subject}"
        if first == "is":
            return f"{is_}{after if objects or player else _kind_of(after)}{objects}"
        if first == "has":
            return f"{subject} {'have' if plural else 'has'} {f'no {after}' if no else _kind_of(after)}{objects}"
        if first in _PREPOSITIONS:
            return f"{is_}{first} the {after}{objects}"
        if first.endswith("s") and not first.endswith("ss"):
            base = first.removesuffix("s")
            verb = f"{'do' if plural else 'does'} not {base}" if no else base if plural else first
            return " ".join(f"{subject} {verb} {after}{objects}".split())
        if not objects and not player:
            return f"{is_}{_kind_of(words(name.name))}"
        return f"{is_}{first} {after}{objects}".rstrip()

    def _is_player(self, term: Term) -> bool:
        return term.name in ("me", "otherPlayer")

    def _several(self, parts: list[Term], word: str, no: bool) -> str:
        subjects = {self._subject(part) for part in parts}
        if len(subjects) == 1 and None not in subjects and word == "or":
            kinds = join([self._kind(part) for part in parts], "nor" if no else "or")
            return f"{subjects.pop()} is {'neither ' if no else ''}{kinds}"
        said = [self.condition(part, no) for part in parts]
        return join(said, {"and": "or", "or": "and"}[word] if no else word)

    def _subject(self, term: Term) -> str | None:
        """The card of `your card is a king`."""
        if term.name == "equal" and term.args[0].name in ("rank", "suit") and self.constant(term.args[1]):
            return self.thing(term.args[0].args[0])
        return None

    def _kind(self, term: Term) -> str:
        return with_article(self.suit(term.args[1]) if term.args[0].name == "suit" else term.args[1].name)

    def _equal(self, term: Term, no: bool) -> str | None:
        """What is said in a path of its own when two things are the same."""
        left, right = term.args
        if is_identity(term) and _CARD.fullmatch(left.name):
            player = _player_of(left)
            whom = {"they": "them", "you": "you"}.get(self.who(right), self.who(right))
            return self._does_not(player, f"choose {whom}") if no else self.does(player, f"choose {whom}")
        if is_identity(term) and not left.args:
            verb = "are" if not right.args else "is"
            later = "in the end " if left.name in self.derived.later else ""
            return f"{later}{self._seat(right)} {verb} {_not(no)}the {self.named(left.name)}"
        if right.name == "none" and (match := _CARD.fullmatch(left.name)):
            player = _player_of(left)
            if not match[2]:
                return f"{self.does(player, 'play')} a card" if no else self.does(player, "pass")
            return f"{self.does(player, 'play')} {'a' if no else 'no'} {match[2].lower()} card"
        if left.name == "passed":
            return f"{self.does(left.args[0], 'play')} a card" if no else self.does(left.args[0], "pass")
        if (subject := self._subject(term)) is not None:
            return f"{subject} is {_not(no)}{self._kind(term)}"
        return None

    def _compare(self, term: Term, no: bool) -> str:
        left, right = term.args
        if (match := _CARD.fullmatch(left.name)) and match[3] == "Choice" and term.name == "equal":
            return self._chooses(_player_of(left), right, no)
        if left.name == right.name == "rankValue" and (term.name, no) in _HEIGHT:
            return f"{self.thing(left.args[0])} is {_HEIGHT[term.name, no]} {self._whose(right.args[0])}"
        if (said := self._cards_left(term, no) or self._cards_in(term, no)) is not None:
            return said
        how = "" if term.name == "equal" else _LESS[term.name] + " "
        if left.name == "suit" and term.name == "equal" and re.fullmatch("[a-z]+s", right.name) and not right.args:
            return f"{self.thing(left.args[0])} is {'no' if no else 'a'} {right.name.removesuffix('s')}"
        if left.name in ("suit", "rank") and not left.args[0].args and left.args[0].name in ("myCard", "otherCard"):
            return f"{self.thing(left.args[0])}'s {left.name} is {_not(no)}{how}{self.thing(right)}"
        several = is_plural(self.named(left.name)) and left.name in self.chart.variables
        ours, theirs = self.thing(left), self.thing(right)
        for whose, others in (("your", "theirs"), ("their", "yours")):
            if ours.startswith(f"{whose} ") and theirs == ours.replace(whose, others.removesuffix("s"), 1):
                theirs = others
        return f"{ours} {'are' if several else 'is'} {_not(no)}{_fewer(how, several)}{theirs}"

    def _chooses(self, player: Term, value: Term, no: bool) -> str:
        """Somebody chooses a value; a word that is a verb they do: `they fold`."""
        said = self.thing(value)
        verb = verb_of(said) if self.constant(value) and value.name.strip('"') in self.chart.words else None
        what = f"choose {said}" if verb is None else verb
        return self._does_not(player, what) if no else self.does(player, what)

    def _says_yes(self, player: Term, no: bool) -> str:
        """Somebody answers a question; if it is the only one, it is said what they do."""
        kinds = self.chart.variables
        names = {choice.target.name for choice in self._choices if kinds[choice.target.name].type is Type.BOOL}
        verb = verb_of(called(self.chart, *names), third=True) if len(names) == 1 else None
        if verb is not None:
            return self._does_not(player, verb) if no else self.does(player, verb)
        to = f" to “{called(self.chart, *names)}”" if len(names) == 1 else ""
        return f"{self.does(player, 'say')} {'no' if no else 'yes'}{to}"

    def _does_not(self, player: Term, verb: str) -> str:
        return f"{self.who(player)} {'do' if self.plural(player) else 'does'} not {verb}"

    def _choose(self, player: Term) -> str:
        return "choose" if self.plural(player) else "chooses"

    def _cards_left(self, term: Term, no: bool) -> str | None:
        """How many cards somebody has."""
        left, right = term.args
        if (said := self._left_over(term, no)) is not None:
            return said
        played = 0
        if left.name == "operation" and left.args[0].name == "subtract" and left.args[2].name.isdigit():
            left, played = left.args[1], int(left.args[2].name)
        if left.name != "cardsRemaining" or not right.name.isdigit():
            return None
        player, number = left.args[0], int(right.name)
        if number == 0 and term.name in ("greaterThan", "equal"):
            none = no == (term.name == "greaterThan")
            return f"{self._has(player)} {'no ' if none else ''}cards{' left' if played else ''}"
        how = "" if term.name == "equal" else _fewer(_LESS[term.name] + " ", True)
        return f"{self._has(player)} {_not(no)}{how}{number + played} cards"

    def _left_over(self, term: Term, no: bool) -> str | None:
        """Whether sets of cards that are played or taken leave nothing where they come from."""
        left, right = term.args
        if right.name != "0" or term.name not in ("greaterThan", "equal"):
            return None
        sets = 0
        while left.name == "operation" and left.args[0].name == "subtract":
            if not (left.args[2].name == "count" and _is_set(left.args[2].args[0])):
                return None
            left, sets = left.args[1], sets + 1
        nothing = no == (term.name == "greaterThan")
        if sets and left.name == "cardsRemaining":
            return f"{self._has(left.args[0])} {'no ' if nothing else ''}cards left"
        if sets and left.name == "count":
            return f"{self.thing(left.args[0])} is then {_not(not nothing)}empty"
        return None

    def _cards_in(self, term: Term, no: bool) -> str | None:
        """How many cards lie somewhere, if it is one number that is asked for."""
        left, right = term.args
        gone = 0
        if left.name == "operation" and left.args[0].name in ("add", "subtract") and left.args[2].name.isdigit():
            gone = int(left.args[2].name) * (1 if left.args[0].name == "subtract" else -1)
            left = left.args[1]
        if left.name != "count" or not right.name.isdigit() or self._hand_in(left.args[0]) is not None:
            return None
        number, where = int(right.name) + gone, self.thing(left.args[0])
        if number < 0 or (number == 0 and term.name not in ("equal", "greaterThan")):
            return None
        if number == 0:
            return f"{where} is {_not(no == (term.name == 'equal'))}empty"
        how = "" if term.name == "equal" else _fewer(_LESS[term.name] + " ", True)
        cards = "one card" if number == 1 else f"{_NUMBERS.get(number, number)} cards"
        return f"there {'is' if number == 1 else 'are'} {_not(no)}{how}{cards} in {where}"


def _is_set(term: Term) -> bool:
    """Whether a term is a set of cards that somebody chooses."""
    return (match := _CARD.fullmatch(term.name)) is not None and match[3] == "Cards"


def _meld_names(condition: Term, chosen: Term) -> str | None:
    """What a set is called for which a condition holds: `a group or a run`; None if there is no name for it."""
    alternatives = list(_flat(condition, "or"))
    if len(alternatives) > 1:
        names = [_meld_names(part, chosen) for part in alternatives]
        return None if None in names else join([name for name in names if name is not None], "or")
    parts = list(_flat(condition, "and"))
    if any(part.name not in _MELDS or part.args[-1] != chosen for part in parts):
        return None
    kinds = {part.name for part in parts}
    return {
        frozenset({"isGroup"}): "a group",
        frozenset({"isFlush"}): "a flush",
        frozenset({"isSequence"}): "a sequence",
        frozenset({"isFlush", "isSequence"}): "a run",
    }.get(frozenset(kinds))


def is_clear(text: str) -> bool:
    """Whether a card player would say it so; what is too long or too much like a formula is left unsaid."""
    return len(text) <= MAX_PHRASE and _ODD.search(text) is None


def _is_plain(text: str) -> bool:
    """Whether a condition is clear and not a long sum."""
    return is_clear(text) and len(re.findall(r" (?:plus|minus|times) ", text)) < 3


def is_identity(condition: Term) -> bool:
    """Whether a condition says who somebody is."""
    return condition.name == "equal" and condition.args[1].name in ("me", "otherPlayer")


def _card(clause: str) -> str:
    """A card with a clause: `a card that beats your card`; `a trump`, not `a card that is a trump`."""
    kind = re.fullmatch(r"that is (an? [^,;]+)", clause)
    return kind[1] if kind and not re.search(r"\b(and|or|if|than|as)\b", kind[1]) else f"a card {clause}"


def _kind_of(name: str) -> str:
    """What something is: `a fox`, but `wild`."""
    return with_article(name) if is_noun(name) else name


def _not(no: bool) -> str:
    return "not " if no else ""


def _holds(no: bool) -> str:
    return "does not hold" if no else "holds"


def _fewer(how: str, several: bool) -> str:
    return how.replace("less", "fewer") if several else how


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


def _conjuncts(term: Term) -> Iterator[Term]:
    """What a condition says at once: the parts of an `and`, the opposites of those of an `or` that does not hold."""
    if term.name == "neg" and not _one_subject(term.args[0]):
        for part in _flat(term.args[0], "or"):
            yield _opposite(part)
    else:
        yield from _flat(term, "and")


def _one_subject(term: Term) -> bool:
    """Whether all alternatives are about the rank or the suit of one card."""
    subjects = {part.args[0] if part.name == "equal" else part for part in _flat(term, "or")}
    return len(subjects) == 1


def _parts(term: Term) -> Iterator[Term]:
    yield term
    for arg in term.args:
        yield from _parts(arg)


def _is_long(term: Term) -> bool:
    parts = list(_parts(term))
    return len(parts) > _LONG or any(part.name in ("if", "some", "every", "those", "sum", "count") for part in parts)


def _is_any(condition: Term, card: Term) -> bool:
    """Whether every card is one for which a condition holds."""
    return condition == Term("neg", (Term("equal", (card, Term("none"))),))


def _is_choice(term: Term) -> bool:
    """Whether a condition says which value somebody chose."""
    return term.name == "equal" and (match := _CARD.fullmatch(term.args[0].name)) is not None and match[3] == "Choice"


def _is_of_passing(condition: Term) -> bool:
    positive = _positive(condition)
    return positive.name == "equal" and positive.args[0].name == "passed"


def _player_of(card: Term) -> Term:
    """Who plays a card."""
    return ME if card.name.startswith("my") else Term("otherPlayer", card.args)


def _sharper(terms: Sequence[Term]) -> list[Term]:
    """Conditions in which of two numbers that differ, and of which one is not more, it is less."""
    unequal = {frozenset(term.args[0].args) for term in terms if term.name == "neg" and term.args[0].name == "equal"}
    ordered = {frozenset(positive.args) for term in terms if (positive := _positive(term)).name in _LESS}
    found = []
    for term in terms:
        positive = _positive(term)
        if frozenset(positive.args) not in unequal & ordered:
            found.append(term)
        elif positive.name in _LESS:
            less = positive.name.startswith("less") == (term is positive)
            left, right = positive.args
            if ME in _parts(right) and ME not in _parts(left):  # what is mine comes first
                left, right, less = right, left, not less
            found.append(Term("lessThan" if less else "greaterThan", (left, right)))
    return found


def _fact(name: str, no: bool) -> str:
    """A fact that is about nobody, as a sentence if it is one: `betting is over`."""
    if match := re.fullmatch("(.+ (?:is|are)) (.+)", name):
        return f"{match[1]} {_not(no)}{match[2]}"
    return f"“{name}” {_holds(no)}"


def _opposite(term: Term) -> Term:
    return term.args[0] if term.name == "neg" else Term("neg", (term,))


def _positive(term: Term) -> Term:
    return term.args[0] if term.name == "neg" else term


def _positive_test(test: Expr) -> Expr:
    return test.args[0] if test.op == "not" else test


def _anybody(term: Term, but: Term | None = None) -> Term:
    """A term about one of several others as if there were only one, but for one card."""
    if term == but:
        return term
    numbered = term.name == "otherPlayer" or (term.name.startswith("other") and _CARD.fullmatch(term.name))
    if numbered and term.args:
        return Term(term.name)
    return Term(term.name, tuple(_anybody(arg, but) for arg in term.args))
