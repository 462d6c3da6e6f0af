"""The rule-based players of Azamat Zarlykov's thesis on Durak (2023, chapter 4).

The thesis has two players, one attacker and one defender; with more players "the opponent" is the defender for those
who attack, and everybody else for the defender.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from fcdl.agents.agent import AgentError, AgentKind, Thought
from fcdl.agents.rules import Advice, RulePlayer, rank_value, require_game, suit_code
from fcdl.language.flowchart import Type
from fcdl.model.events import Event, Observation
from fcdl.model.game import Game
from fcdl.model.moves import PASS, Move
from fcdl.model.table import Reader

if TYPE_CHECKING:
    from fcdl.engines.native.engine import NativeEngine
    from fcdl.engines.native.functions import Function
    from fcdl.engines.native.policies import Policy

NEEDS = ("hand", "attack", "defence", "discard", "trumpCard", "trumpSuit", "attacker", "defender")


class DurakPlayer(RulePlayer):
    """A player that knows the table of Durak."""

    def __init__(self, game: Game, name: str) -> None:
        require_game(game, name, "Durak", NEEDS)
        super().__init__(game)

    @property
    def is_early(self) -> bool:
        """Whether there are cards left to draw, the trump card included (section 1.1)."""
        return self.table.count("pack") + self.table.count("trumpCard") > 0

    @property
    def defender(self) -> int:
        """The seat that defends."""
        return int(self.table.value("defender"))

    def is_trump(self, card: str) -> bool:
        """Whether a card is a trump."""
        return card[1] == suit_code(self.table.value("trumpSuit"))

    def value(self, card: str) -> int:
        """A card's rank; trumps come after the ace (section 1.4)."""
        return rank_value(card) + (13 if self.is_trump(card) else 0)

    def lowest(self, moves: Sequence[Move]) -> list[Move]:
        """The moves with cards of the lowest value."""
        low = min(self.value(move.what) for move in moves)
        return [move for move in moves if self.value(move.what) == low]


class DurakRandom(DurakPlayer):
    """Passes or takes in one of five decisions, else plays any card (section 4.1, figure 4.1)."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, "durak.random")

    def advise(self, seat: int, legal: Sequence[Move], rng: random.Random) -> Advice:
        """A number from 0 to 99 that is at most 20 means to pass, once a card lies on the table."""
        if PASS in legal and rng.randrange(100) <= 20:
            return [PASS], "One time in five it passes."
        return [move for move in legal if move != PASS], "Any card."


class DurakGreedy(DurakPlayer):
    """Plays the lowest card it can (section 4.2.1, figure 4.2)."""

    def __init__(self, game: Game, name: str = "durak.greedy") -> None:
        super().__init__(game, name)

    def advise(self, seat: int, legal: Sequence[Move], rng: random.Random) -> Advice:
        """The lowest card that is not a trump; early in the game it attacks with no trump if it can pass."""
        cards = [move for move in legal if move != PASS]
        low = self.lowest(cards)
        if not self.is_trump(low[0].what):
            return low, "The lowest card that is not a trump."
        if self.is_early and seat != self.defender and PASS in legal:
            return [PASS], "No trumps are thrown in while there are cards to draw."
        return low, "The lowest trump, as there is nothing else."


_Arrival = tuple[int, bool, str, int]


class _Arrivals(Reader):
    """When cards came into the hands: with the deal, or after which bout; together, by suit and rank."""

    def __init__(self) -> None:
        super().__init__()
        self.restart()

    def restart(self) -> None:
        """As at the start of the game."""
        self.bouts = 0
        self.hands: defaultdict[str, dict[Move, _Arrival]] = defaultdict(dict)

    def see(self, event: Event) -> None:
        """One more event."""
        if event.kind == "assign" and event.name == "bouts":
            self.bouts += 1
        elif event.target is not None:
            drawn = event.source in ("pack", "trumpCard")
            for card in event.cards or ():
                self.hands[event.target][Move("play", card)] = (self.bouts, drawn, card[1], rank_value(card))


class DurakSmart(DurakGreedy):
    """Looks at the opponent's hand where it is known, else plays like the greedy player (section 4.2.2).

    It is known when the cards are open, and at the end of the game, when none are left to draw. Figure 4.3 lacks the
    "not" that the text has. As in the program of the thesis, its rules are about cards that are not trumps, and at the
    end of the game it gives no trumps to a defender who takes. The text does not say how it defends before that when
    cards are closed: in the program by the same rule, going by those cards of the opponent that it has seen, so that it
    often plays just the first card (of figure 4.3), not the lowest. First is what came into the hand first.
    """

    clairvoyant = False

    def __init__(self, game: Game) -> None:
        super().__init__(game, "durak.smart")
        self._peeked: bytes | None = None
        self._arrived = _Arrivals()
        self._observation: Observation | None = None

    def peek(self, position: bytes) -> None:
        """The true position of the next choice."""
        self._peeked = position

    def think(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Thought:
        """As all players with rules; what was peeked at is forgotten."""
        self._observation = observation
        try:
            return super().think(observation, legal, rng)
        finally:
            self._peeked = None

    def advise(self, seat: int, legal: Sequence[Move], rng: random.Random) -> Advice:
        """A strategy if there is one for the situation."""
        cards = [move for move in legal if move != PASS]
        plain = [move for move in cards if not self.is_trump(move.what)]
        if plain and seat == self.defender:
            others = [player for player in range(self.game.players) if player != seat]
            ranks = {card[0] for player in others for card in self.hand(player) or self.seen(player)}
            safe = [move for move in plain if move.what[0] not in ranks]
            if safe:
                first = min(safe, key=self._arrivals(seat).__getitem__)
                return [first], "The first card of a rank that the opponent is not known to have, to stop the attack."
        elif plain and not self.is_early:
            theirs = self.hand(self.defender)
            if theirs is not None and not any(map(self.is_trump, theirs)):
                return self._attack(cards, plain, theirs)
        elif PASS in legal and not self.is_early and seat != self.defender and self.table.value("taking") == "yes":
            return [PASS], "The defender who takes gets no trumps."
        return super().advise(seat, legal, rng)

    def hand(self, player: int) -> list[str] | None:
        """A player's hand if it is open, or none are left to draw and no other hand is unknown (section 2.9)."""
        if self._peeked is not None:
            return [card for number, card in self._cards if self._engine.call(self._peeked, "holds", player, number)]
        if self.is_early:
            return None
        known = self.table.known(f"hand({player})")
        missing = self.table.count(f"hand({player})") - len(known)
        if missing == 0:
            return known
        return [*known, *self.table.unseen] if missing == len(self.table.unseen) else None

    def seen(self, player: int) -> list[str]:
        """The cards in a player's hand that everybody has seen."""
        return self.table.known(f"hand({player})")

    def _arrivals(self, seat: int) -> Mapping[Move, _Arrival]:
        """When the cards of the hand came into it: with the deal, or after which bout; together, by suit and rank."""
        assert self._observation is not None
        self._arrived.follow(self._observation.events)
        return self._arrived.hands[f"hand({seat})"]

    @cached_property
    def _cards(self) -> tuple[tuple[int, str], ...]:
        return tuple((card, self.game.flowchart.deck.code(card)) for card in self.game.cards)

    @cached_property
    def _engine(self) -> NativeEngine:
        from fcdl.engines.native.engine import NativeEngine
        from fcdl.engines.native.functions import Function

        parameters = {"p": Type.PLAYER, "c": Type.CARD}
        holds = Function.read(self.game.flowchart, "holds", "playerHas(p, c)", parameters, wanted=Type.BOOL)
        return NativeEngine(self.game, functions=[holds])

    def _attack(self, cards: Sequence[Move], plain: Sequence[Move], theirs: Sequence[str]) -> Advice:
        """Figure 4.7: with one weakness, its cards come last; with more, one that is badly covered comes first."""
        mine = [move.what for move in cards]
        weak = weaknesses(mine, theirs)
        strong = [move for move in cards if move.what[0] not in weak]
        ranks = {move.what[0] for move in strong}
        if len(weak) == 1:
            if not strong:
                return cards[:1], "Only the weakness is left to attack with."
            return self.lowest(strong), "With one weakness, all other cards come first."
        if 1 < len(weak) <= len(ranks):
            for rank in weak:
                if is_badly_covered(rank, mine, ranks, theirs):
                    return [next(move for move in cards if move.what[0] == rank)], "The weakness is badly covered."
        return self.lowest(plain), "The lowest card that is not a trump."


def weaknesses(mine: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """The ranks of which each of my cards is lower than a card of its suit that they have (section 2.8), in order."""

    def is_beaten(card: str) -> bool:
        return any(other[1] == card[1] and rank_value(other) > rank_value(card) for other in theirs)

    ranks = sorted({card[0] for card in mine}, key=rank_value)
    return [rank for rank in ranks if all(is_beaten(card) for card in mine if card[0] == rank)]


def is_badly_covered(rank: str, mine: Sequence[str], strong: Collection[str], theirs: Sequence[str]) -> bool:
    """Whether every defence of this weakness is of a strong rank, so that the attack can go on (4.3.1)."""
    suits = {card[1] for card in mine if card[0] == rank}
    covers = [card for card in theirs if card[1] in suits and rank_value(card) > rank_value(rank)]
    return all(card[0] in strong for card in covers)


def greedy_policy(game: Game) -> Policy:
    """The greedy player in the chart's language, for playouts (`simulation=durak.greedy`)."""
    from fcdl.engines.native.policies import Policy

    require_game(game, "durak.greedy", "Durak", NEEDS)
    return Policy(
        "durak.greedy",
        play="-2 * rankValue(card) - if(suit(card) == trumpSuit, 26, 0)",
        # less than the ace, more than the lowest trump
        passing="if(me != defender & count(pack) + count(trumpCard) > 0, -29, -1000)",
    )


def basic_evaluation(game: Game) -> Function:
    """The value of a position for a player (section 4.3.1, `eval=durak.basic`), in the chart's language.

    The program of the thesis gives 500 for a single weakness. Cards that are added after a take are no attack here.
    """
    from fcdl.engines.native.functions import Function

    require_game(game, "durak.basic", "Durak", (*NEEDS, "lowestRank"))
    if game.players != 2:
        raise AgentError("eval=durak.basic works for two players only")

    def hand_value(player: str) -> str:
        trump_bonus = "15 - lowestRank"  # the number of ranks
        return f"sum(rankValue(c) + if(suit(c) == trumpSuit, {trump_bonus}, 0) for c in hand({player}))"

    early = "count(pack) + count(trumpCard) > 0"
    sizes = "cardsRemaining(next(me)) - cardsRemaining(me)"
    playable = "(empty(attack) | some(t in union(attack, defence) where rank(t) == r))"
    beaten = "some(d in hand(defender) where suit(d) == suit(c) & rankValue(d) > rankValue(c))"
    weak = (
        f"{playable} & some(c in hand(attacker) where rank(c) == r)"
        f" & every(c in hand(attacker) where rank(c) != r | {beaten})"
    )
    one_weakness = (
        "count(attack) == count(defence) & every(d in hand(defender) where suit(d) != trumpSuit)"
        f" & count(r in ranks where {weak}) == 1"
    )
    text = (
        f"if(cardsRemaining(me) == cardsRemaining(next(me)), {hand_value('me')} - {hand_value('next(me)')}, 0)"
        f" + ({sizes}) * if({early}, 1, 15)"
        f" + if(!({early}) & {one_weakness}, if(me == attacker, 500, -500), 0)"
    )
    return Function.read(game.flowchart, "durak.basic", text, {"me": Type.PLAYER})


KINDS: Mapping[str, AgentKind] = {
    "durak.random": AgentKind(DurakRandom, "plays Durak at random, and seldom passes", {}),
    "durak.greedy": AgentKind(DurakGreedy, "plays Durak with its lowest cards, and saves trumps", {}),
    "durak.smart": AgentKind(
        DurakSmart, "plays Durak like greedy, but prefers ranks that the opponent is not known to hold", {}
    ),
}

POLICIES: Mapping[str, Callable[[Game], Policy]] = {"durak.greedy": greedy_policy}
EVALUATIONS: Mapping[str, Callable[[Game], Function]] = {"durak.basic": basic_evaluation}
