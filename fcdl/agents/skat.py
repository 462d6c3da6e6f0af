"""A player of Skat after Douglas Rebstock's thesis (2019, chapters 3 and 4): bids by what contracts are worth.

How likely a contract is won with ten cards in the hand and two in the skat is judged by small networks (`skat_values`),
learned from games that were played out. From that come all decisions before the first card:

- the declaration: of all contracts and all pairs of cards to put away, the one whose expected result is best (the
  thesis's maximum value; as every contract was tried in training, none has to be ruled out for being unlikely);
- the bid: the mean of that over all skats that can lie on the table, as in Kermit, the thesis's opponent. It bids as
  long as this is above what passing is worth; `aggression` is how many points it gives away for playing alone. A
  contract worth less than the bid is lost, so that the expected result gets less with every bid.
- hand games: if the best contract without the skat is expected to bring more than looking at it.

Cards are played by any other player (`play=ismcts:iterations=2000`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from fcdl.agents.agent import (
    Agent,
    AgentError,
    AgentKind,
    MoveValue,
    Parameter,
    Thinker,
    Thought,
    at_random,
    make_agent,
    parse_agent,
    real,
    whole,
)
from fcdl.agents.rules import forced, require_game
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move
from fcdl.model.table import Table

if TYPE_CHECKING:
    from fcdl.agents.skat_values import Contract, Values
    from fcdl.engines.native.policies import Policy

NEEDS = ("hand", "skat", "stack", "middle", "declarer", "contract", "trumpSuit", "highestBid", "step", "scoring")


class SkatBidder:
    """Bids, declares and puts cards away by expected results; another player plays the cards."""

    def __init__(self, game: Game, play: str, aggression: float, skats: int) -> None:
        require_game(game, "skat.bidder", "Skat", (*NEEDS, "forehand"))
        self.game = game
        self.player: Agent = make_agent(play, game)
        self.aggression = aggression
        self.skats = skats
        self.table = Table(game)
        self.scoring = game.option_text("scoring")
        self.bids = tuple(game.flowchart.lists["bids"])
        self._expectation = lru_cache(maxsize=64)(self._expected_of)
        self._declaration = lru_cache(maxsize=64)(self._declared_with)

    @cached_property
    def values(self) -> Values:
        """What contracts are worth."""
        from fcdl.agents.skat_values import builtin

        return builtin()

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        """One of the legal moves."""
        if legal[0].kind == "play":
            return self.player.choose(observation, legal, rng)
        return self.think(observation, legal, rng).move

    def think(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Thought:
        """The same with what is expected of it."""
        if legal[0].kind == "play":
            if isinstance(self.player, Thinker):
                return self.player.think(observation, legal, rng)
            return Thought(self.player.choose(observation, legal, rng), ())
        if len(legal) == 1:
            return forced(legal)
        try:
            return self._think(observation, legal)
        except Exception as error:  # whatever it is, it must not end a game
            return at_random(legal, rng, error)

    def _think(self, observation: Observation, legal: Sequence[Move]) -> Thought:
        self.table.read(observation)
        seat = observation.seat
        hand = tuple(sorted(self.table.known(f"hand({seat})")))
        place = (seat - int(self.table.value("forehand"))) % 3
        words = {move.what for move in legal}
        if "pass" in words:
            return self._call(legal, hand, place)
        if "takeSkat" in words:
            return self._use_of_skat(legal, hand, place)
        if legal[0].what.isdigit():  # a bid may be higher than it has to: the lowest is enough
            return Thought(min(legal, key=lambda move: int(move.what)), ())
        contract = self._contract(hand, place)
        return Thought(next(move for move in legal if move.what in _said(contract)), (), (_in_words(contract),))

    def _call(self, legal: Sequence[Move], hand: tuple[str, ...], place: int) -> Thought:
        """To bid or hold, or to pass."""
        holding = any(move.what == "hold" for move in legal)
        bid = self._bid if holding else self.bids[int(self.table.value("step"))]
        expected = self._expectation(hand, place)[self.bids.index(bid)]
        goes_on = expected >= -self.aggression
        move = next(move for move in legal if (move.what == "pass") != goes_on)
        values = [MoveValue(one, -self.aggression if one.what == "pass" else expected) for one in legal]
        values.sort(key=lambda value: value.move != move)
        return Thought(move, tuple(values), (f"Playing alone at {bid} is expected to bring {expected:+.0f} points.",))

    def _use_of_skat(self, legal: Sequence[Move], hand: tuple[str, ...], place: int) -> Thought:
        taken = self._expectation(hand, place)[self.bids.index(self._bid)]
        by_hand = self.values.hand_game(hand, self._bid, place, self.scoring, self.skats)
        move = next(move for move in legal if (move.what == "handGame") == (by_hand.expected > taken))
        reason = f"With the skat {taken:+.0f} points are expected, without it {by_hand.expected:+.0f}."
        values = [MoveValue(one, by_hand.expected if one.what == "handGame" else taken) for one in legal]
        values.sort(key=lambda value: value.move != move)
        return Thought(move, tuple(values), (reason,))

    def _contract(self, hand: tuple[str, ...], place: int) -> Contract:
        """What to play: twelve cards with those that were put away already, or ten without the skat."""
        own = tuple(sorted({*hand, *self.table.known("skat")}))
        if self.table.value("skatUse") == "handGame":
            return self.values.hand_game(hand, self._bid, place, self.scoring, self.skats)
        return self._declaration(own, self._bid, place)

    @property
    def _bid(self) -> int:
        return int(self.table.value("highestBid"))

    def _expected_of(self, hand: tuple[str, ...], place: int) -> tuple[float, ...]:
        """For every bid."""
        found = self.values.expectation(hand, self.bids, place, self.scoring, self.skats)
        return tuple(float(one) for one in found)

    def _declared_with(self, cards: tuple[str, ...], bid: int, place: int) -> Contract:
        return self.values.declaration(cards, bid, place, self.scoring)


def _said(contract: Contract) -> set[str]:
    """What is said and put away in the course of a declaration."""
    from fcdl.agents.skat_values import GRAND, NAMES, OUVERT, SUITS

    if contract.number < GRAND:
        words = {"suitGame", NAMES[SUITS[contract.number]], "nothing"}
    elif contract.number == GRAND:
        words = {"grand", "nothing"}
    else:
        words = {"nullGame", "ouvert" if contract.number == OUVERT else "nothing"}
    return words | set(contract.discards)


def _in_words(contract: Contract) -> str:
    from fcdl.agents.skat_values import GRAND, NAMES, OUVERT, SUITS

    names = {GRAND: "grand", OUVERT: "null ouvert"}
    name = NAMES[SUITS[contract.number]] if contract.number < GRAND else names.get(contract.number, "null")
    how = " by hand" if contract.by_hand else ""
    return (
        f"{name.capitalize()}{how} is won {100 * contract.win:.0f} % of the time;"
        f" {contract.expected:+.0f} points are expected."
    )


def _player(text: str) -> str:
    """Reads who plays the cards; `+` stands between its parameters."""
    text = text.replace("+", ",")
    try:
        parse_agent(text)
    except AgentError as error:
        raise ValueError(f"expected an agent; {error}" if text else "expected an agent") from None
    return text


# --- card play for playouts


def rules_policy(game: Game) -> Policy:
    """Simple card play in the chart's language, for playouts (`simulation=skat.rules`).

    It looks at the tricks, which everybody has seen, and as declarer at the skat, and at no hidden card.
    """
    from fcdl.engines.native.policies import Policy

    require_game(game, "skat.rules", "Skat", NEEDS)
    leads = "empty(middle(leader))"
    best = "max(strength(middle(p)) for p in players where !empty(middle(p)))"
    takes = f"strength(card) > {best}"
    trick = "sum(points(middle(p)) for p in players)"
    seen = "(c in stack | c in hand(me) | some(p in players where c in middle(p)) | me == declarer & c in skat)"
    sure = f"every(c in cards where {seen} | plainSuit(c) != plainSuit(card) | power(c) <= power(card))"
    trumps_out = f"some(c in cards where !{seen} & isTrump(c))"
    declarer_takes = "highest(strength(middle(p)) for p in players where !empty(middle(p))) == declarer"
    trump_cost = "if(isTrump(card), power(card), 0)"
    alone_leads = (
        f"if(isTrump(card), if({trumps_out}, if({sure}, 90, 40 - points(card)), 10),"
        f" if({sure}, 60 + points(card), 20 - 2 * points(card)))"
    )
    alone_follows = (
        f"if({takes}, if(next(me) == leader | {sure}, 40 + {trick} + points(card) - {trump_cost},"
        f" 20 + {trick} - points(card)), 32 - 3 * points(card) - if(isTrump(card), 8, 0))"
    )
    pair_leads = f"if(isTrump(card), 0 - points(card), if({sure}, 50 + points(card), 20 - points(card)))"
    pair_follows = (
        f"if(!empty(middle(declarer)), if({declarer_takes},"
        f" if({takes}, 60 + points(card) - {trump_cost}, 20 - 3 * points(card) - if(isTrump(card), 5, 0)),"
        " 50 + 3 * points(card) - if(isTrump(card), 10, 0)),"
        f" if({takes}, if({sure}, 40 + points(card), 10 - 2 * points(card)),"
        " 20 - 2 * points(card) - if(isTrump(card), 5, 0)))"
    )
    null = (
        f"if({leads}, 0 - rankValue(card), if(suit(card) != suit(led), rankValue(card),"
        f" if(me == declarer & !({takes}), 50 + rankValue(card), 0 - rankValue(card))))"
    )
    return Policy(
        "skat.rules",
        play=f"if(contract == nullGame, {null}, if(me == declarer, if({leads}, {alone_leads}, {alone_follows}),"
        f" if({leads}, {pair_leads}, {pair_follows})))",
        open=True,
    )


KINDS: Mapping[str, AgentKind] = {
    "skat.bidder": AgentKind(
        SkatBidder,
        "bids and declares Skat by expected results; another player plays the cards",
        {
            "play": Parameter(
                _player, "ismcts", "who plays the cards, with + between its parameters: ismcts:iterations=500+worlds=50"
            ),
            "aggression": Parameter(
                real(-200, 200), 5.0, "how many points it risks to lose to play alone rather than to pass"
            ),
            "skats": Parameter(whole(1, 231), 77, "how many of all skats it looks at before it bids"),
        },
    )
}
POLICIES: Mapping[str, Callable[[Game], Policy]] = {"skat.rules": rules_policy}
