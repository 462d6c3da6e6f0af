"""The random and the informed players of William Sarsfield's thesis on Oh Hell (2024, sections 3.1, 3.2 and 5.1)."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

from fcdl.agents.agent import AgentKind, Parameter, one_of, real, whole
from fcdl.agents.rules import Advice, RulePlayer, rank_value, require_game, suit_code
from fcdl.model.game import Game
from fcdl.model.moves import Move

NEEDS = ("hand", "middle", "trumps", "leadSuit", "bid", "tricks", "handSize")


@dataclass(frozen=True, slots=True)
class Weights:
    """What each heuristic counts for in the value of a card (section 3.2.4); they add up to one."""

    win: float
    same_suit: float
    follow_suit: float
    trumps: float
    safety: float


# Appendix B has the 13 weights in one list: five for leading, then bidding without `win`, following without `safety`.
# That list gives `follow_suit` before `same_suit` for bidding; all this is as the program of the thesis reads it.
LEADING = Weights(0.285903516922823, 0.1343298885883228, 0.2513171910666505, 0.2654805206104466, 0.06296888281175703)
BIDDING = Weights(0, 0.40322548219933846, 0.19781578320406684, 0.1057952046865951, 0.29316352990999955)
FOLLOWING = Weights(0.24951563665051385, 0.25987660163497556, 0.23694603672039563, 0.25366172499411493, 0)

BID_ABOVE = {1: 0.0, 2: 0.7, 3: 0.5}
"""A card worth more than this is counted as a trick when bidding, by version (the first one goes by ranks); those of
the program."""

WEIGHTS = {"lead": (LEADING, ""), "bid": (BIDDING, "win"), "follow": (FOLLOWING, "safety")}
"""What weights are for, with their defaults, and the heuristic that does not count then."""


def beats(card: str, other: str, lead: str, trumps: str) -> bool:
    """Whether a card wins over another in a trick with this suit led."""
    if card[1] == other[1]:
        return card[1] in (lead, trumps) and rank_value(card) > rank_value(other)
    return card[1] == trumps or (card[1] == lead and other[1] != trumps)


class Heuristics:
    """The five heuristics of sections 3.2.3 and 3.2.4, each from 0 to 1, for a hand and the unseen cards."""

    def __init__(self, hand: Sequence[str], unseen: Sequence[str], trumps: str) -> None:
        self.trumps = trumps
        self.hand = hand
        self.number = len(unseen)
        self.ranks: dict[str, list[int]] = {suit: [] for suit in "HDSC"}
        for card in unseen:
            self.ranks[card[1]].append(rank_value(card))

    def lower(self, card: str) -> int:
        """Unseen cards of its suit that it beats."""
        rank = rank_value(card)
        return sum(other < rank for other in self.ranks[card[1]])

    def win(self, card: str, lead: str) -> float:
        """The part of the unseen cards that it beats with this suit led."""
        if card[1] not in (lead, self.trumps):
            return 0.0
        beaten = self.number - len(self.ranks[card[1]]) + self.lower(card)
        if card[1] != self.trumps:
            beaten -= len(self.ranks.get(self.trumps, ()))
        return beaten / self.number

    def same_suit(self, card: str) -> float:
        """The part of the unseen cards of its suit that it beats; all if there are none."""
        return self.lower(card) / len(self.ranks[card[1]]) if self.ranks[card[1]] else 1.0

    def follow_suit(self, card: str) -> float:
        """The part of the unseen cards that follow suit."""
        return len(self.ranks[card[1]]) / self.number

    def trump(self, card: str) -> float:
        """1 for a trump, else the part of the unseen cards that are trumps."""
        return 1.0 if card[1] == self.trumps else len(self.ranks.get(self.trumps, ())) / self.number

    def safety(self, card: str) -> float:
        """The part of the hand that is of its suit."""
        return sum(other[1] == card[1] for other in self.hand) / len(self.hand)

    def value(self, card: str, lead: str, weights: Weights) -> float:
        """The weighted sum."""
        return (
            weights.win * self.win(card, lead)
            + weights.same_suit * self.same_suit(card)
            + weights.follow_suit * self.follow_suit(card)
            + weights.trumps * self.trump(card)
            + weights.safety * self.safety(card)
        )


class OhHellRandom(RulePlayer):
    """Any card, and any bid below the size of the hand: the program of the thesis never bids all tricks."""

    def __init__(self, game: Game) -> None:
        require_game(game, "oh_hell.random", "Oh Hell", NEEDS)
        super().__init__(game)

    def advise(self, seat: int, legal: Sequence[Move], rng: random.Random) -> Advice:
        """All moves but the highest bid."""
        size = self.table.value("handSize")
        return [move for move in legal if move != Move("choose", size)], "Anything."


class Informed(RulePlayer):
    """Bids a trick for every good card; wins tricks unless it has as many as it bid (section 3.2.2, figure 3.5).

    Version 1 judges cards by their rank alone, version 2 by the part of the unseen cards that they beat, version 3 by
    five heuristics. A bid that is forbidden becomes one more, or one less where that is too many.
    """

    def __init__(
        self,
        game: Game,
        version: int,
        bid_above: float | None = None,
        first_bidder: str = "bidding",
        **weights: float,
    ) -> None:
        require_game(game, "oh_hell.informed", "Oh Hell", (*NEEDS, "dealer"))
        super().__init__(game)
        self.version = version
        self.bid_above = BID_ABOVE[version] if bid_above is None else bid_above
        self.leading, self.bidding, self.following = (
            Weights(**{name: weights.get(f"{use}_{name}", default) for name, default in asdict(defaults).items()})
            for use, (defaults, _) in WEIGHTS.items()
        )
        self.first_bids_as_leader = first_bidder == "leading"

    def advise(self, seat: int, legal: Sequence[Move], rng: random.Random) -> Advice:
        """A bid or a card."""
        hand = self.table.known(f"hand({seat})")
        trumps = suit_code(self.table.value("trumps"))
        heuristics = Heuristics(hand, tuple(self.table.unseen), trumps)
        if legal[0].kind == "choose":
            return self._bid(seat, legal, heuristics, rng)
        trick = [card for player in range(self.game.players) for card in self.table.known(f"middle({player})")]
        wants = self.table.value("tricks", seat) != self.table.value("bid", seat)
        if trick:
            return self._follow(legal, trick, wants, heuristics)
        best = self._best if wants else self._worst
        moves = best(legal, lambda card: self._leading_value(card, heuristics))
        return moves, "It leads its best card to win." if wants else "It leads its worst card to lose."

    def _bid(self, seat: int, legal: Sequence[Move], heuristics: Heuristics, rng: random.Random) -> Advice:
        if not heuristics.hand:  # bidding blind
            bid = round(int(self.table.value("handSize")) / self.game.players)
        else:
            leads = self.first_bids_as_leader and seat == (int(self.table.value("dealer")) + 1) % self.game.players
            bid = sum(self._is_trick(card, heuristics, rng, leads) for card in heuristics.hand)
        for choice in (bid, bid + 1, bid - 1):
            if (move := Move("choose", str(choice))) in legal:
                return [move], f"It counts {bid} tricks."
        raise AssertionError("at most one bid is forbidden")

    def _is_trick(self, card: str, heuristics: Heuristics, rng: random.Random, leads: bool) -> bool:
        if self.version == 1:
            lucky = rng.randint(7, 14) < rank_value(card)
            return lucky or (card[1] == heuristics.trumps and rank_value(card) > 7)
        if self.version == 2 or leads:
            return self._leading_value(card, heuristics) > self.bid_above
        return heuristics.value(card, "", self.bidding) > self.bid_above

    def _leading_value(self, card: str, heuristics: Heuristics) -> float:
        match self.version:
            case 1:
                return rank_value(card)
            case 2:
                return heuristics.win(card, card[1]) * heuristics.same_suit(card)
            case _:
                return heuristics.value(card, card[1], self.leading)

    def _follow(self, legal: Sequence[Move], trick: Sequence[str], wants: bool, heuristics: Heuristics) -> Advice:
        """Algorithm 1 and figure 3.5; the last player saves strong cards when it wins, sheds them when it loses."""
        lead, trumps = suit_code(self.table.value("leadSuit")), heuristics.trumps
        winning = [move for move in legal if all(beats(move.what, other, lead, trumps) for other in trick)]
        losing = [move for move in legal if move not in winning]
        is_last = len(trick) == self.game.players - 1

        def value(card: str) -> float:
            if self.version == 2:
                return heuristics.win(card, lead)
            return heuristics.value(card, lead, self.following)

        if self.version == 1:
            return (winning if wants else losing) or legal, "Any card that wins." if wants else "Any card that loses."
        if wants and winning:
            moves = self._worst(winning, value) if is_last else self._best(winning, value)
            return moves, "The weakest card that wins for sure." if is_last else "The strongest card that may win."
        if not wants and losing:
            moves = self._best(losing, value) if is_last else self._worst(losing, value)
            return moves, "The strongest card that loses for sure." if is_last else "The weakest card, to lose."
        if wants and self.version == 3:
            return self._worst(legal, value), "It cannot win: the weakest card."
        return legal, "It cannot do what it wants: any card."

    @staticmethod
    def _best(moves: Sequence[Move], value: Callable[[str], float]) -> list[Move]:
        return [max(moves, key=lambda move: value(move.what))]

    @staticmethod
    def _worst(moves: Sequence[Move], value: Callable[[str], float]) -> list[Move]:
        return [min(moves, key=lambda move: value(move.what))]


def _weights() -> dict[str, Parameter]:
    """The 13 weights of version 3."""
    words = {
        "win": "beating unseen cards",
        "same_suit": "beating unseen cards of its suit",
        "follow_suit": "many unseen cards of its suit",
        "trumps": "being a trump",
        "safety": "having more of its suit",
    }
    uses = {"lead": "leading", "bid": "bidding", "follow": "following"}
    return {
        f"{use}_{name}": Parameter(real(0, 1), weight, f"weight of {words[name]} when {uses[use]} (version 3)")
        for use, (defaults, without) in WEIGHTS.items()
        for name, weight in asdict(defaults).items()
        if name != without
    }


KINDS: Mapping[str, AgentKind] = {
    "oh_hell.random": AgentKind(OhHellRandom, "plays Oh Hell at random, and never bids all tricks", {}),
    "oh_hell.informed": AgentKind(
        Informed,
        "plays Oh Hell by rules: bids what it can win and plays to make it",
        {
            "version": Parameter(whole(1, 3), 3, "1 looks at ranks, 2 counts cards, 3 weighs five rules of thumb"),
            "bid_above": Parameter(
                real(0, 1), None, "a card worth more than this is a trick when bidding; default: 0.7 or 0.5, by version"
            ),
            "first_bidder": Parameter(
                one_of("bidding", "leading"),
                "bidding",
                "the weights of whoever bids first: those for bidding, or (the thesis's program) for leading",
            ),
        }
        | _weights(),
    ),
}
