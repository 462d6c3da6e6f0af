"""The Monte Carlo player of William Sarsfield's thesis on Oh Hell (2024, section 3.3 and appendix A).

It deals the unseen cards at random to the others, whatever suits they have shown not to have (section 4.3), and
searches a tree of each deal by UCT; every player goes for their own points. The limits are those of section 3.3.4. One
fault of appendix A is not repeated: its playouts took cards out of the hands that it meant to leave out of a choice.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from fcdl.agents.agent import AgentKind, MoveValue, Parameter, Thought, one_of, real, whole
from fcdl.agents.oh_hell import NEEDS
from fcdl.agents.rules import forced, require_game
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move
from fcdl.model.table import Table

BONUS = 10

SUIT_SIZE = 13
EMPTY: Sequence[int] = ()


@dataclass(slots=True)
class Deal:
    """A hand being played: cards by number, the trick so far, whose turn it is, tricks and bids (None when bidding)."""

    hands: list[list[int]]
    trick: list[int]
    turn: int
    tricks: list[int]
    bids: Sequence[int] | None
    trumps: int
    """The trump suit, -1 if there is none."""

    def copy(self) -> Deal:
        """A deal of its own to play on."""
        hands = [hand[:] for hand in self.hands]
        return Deal(hands, self.trick[:], self.turn, self.tricks[:], self.bids, self.trumps)

    def options(self) -> list[int]:
        """The cards that may be played."""
        hand = self.hands[self.turn]
        if not self.trick:
            return hand
        suit = self.trick[0] // SUIT_SIZE
        return [card for card in hand if card // SUIT_SIZE == suit] or hand

    def play(self, card: int) -> None:
        """One card; the last of a trick gives it to the highest."""
        players = len(self.hands)
        self.hands[self.turn].remove(card)
        self.trick.append(card)
        self.turn = (self.turn + 1) % players
        if len(self.trick) == players:
            worth = strengths(self.trick[0] // SUIT_SIZE, self.trumps)
            winner = max(range(players), key=lambda place: worth[self.trick[place]])
            self.turn = (self.turn + winner) % players
            self.tricks[self.turn] += 1
            self.trick = []

    def play_out(self, rng: random.Random) -> list[int]:
        """The points of all players after the rest at random; whoever has made their bid takes no more tricks.

        The cards are gone then. This is where the time goes: everything is in local names.
        """
        hands, tricks, bids, turn, chance = self.hands, self.tricks, self.bids, self.turn, rng.random
        players, played = len(hands), len(self.trick)
        lead, worth, best, winner = -1, EMPTY, -1, -1
        if played:
            lead = self.trick[0] // SUIT_SIZE
            worth = strengths(lead, self.trumps)
            place = max(range(played), key=lambda place: worth[self.trick[place]])
            best, winner = worth[self.trick[place]], (turn - played + place) % players
        while hand := hands[turn]:
            if played == 0:
                card = hand.pop(int(chance() * len(hand)))
                lead = card // SUIT_SIZE
                worth = strengths(lead, self.trumps)
                best, winner = worth[card], turn
            else:
                options = [card for card in hand if card // SUIT_SIZE == lead] or hand
                if bids is not None and bids[turn] == tricks[turn]:
                    options = [card for card in options if worth[card] < best] or options
                card = options[int(chance() * len(options))]
                hand.remove(card)
                if worth[card] > best:
                    best, winner = worth[card], turn
            played += 1
            turn = (turn + 1) % players
            if played == players:
                tricks[winner] += 1
                turn, played = winner, 0
        if bids is None:
            return tricks
        return [won + BONUS * (won == bid) for won, bid in zip(tricks, bids, strict=True)]


@cache
def strengths(lead: int, trumps: int) -> Sequence[int]:
    """What each card is worth in a trick with this suit led; the highest takes it."""
    above = {lead: SUIT_SIZE} | {trumps: 2 * SUIT_SIZE}
    return [rank + above[suit] if suit in above else 0 for suit in range(4) for rank in range(SUIT_SIZE)]


@dataclass(slots=True)
class Node:
    """A deal in the tree; `wins` are points of the player whose card led here."""

    deal: Deal
    left: int
    """How many moves the tree may still grow from here."""
    parent: Node | None = None
    untried: list[int] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    visits: int = 0
    wins: float = 0.0

    def __post_init__(self) -> None:
        if self.left:
            self.untried = self.deal.options()[:]

    def best_child(self, c: float) -> Node:
        """The child of the highest upper bound (UCT)."""
        log = 2 * math.log(sum(child.visits for child in self.children))
        return max(self.children, key=lambda node: node.wins / node.visits + c * math.sqrt(log / node.visits))

    def expand(self) -> Node:
        """A new child for the next card."""
        deal = self.deal.copy()
        deal.play(self.untried.pop(0))
        child = Node(deal, self.left - 1, self)
        self.children.append(child)
        return child


@dataclass(frozen=True, slots=True)
class Limits:
    """How a tree is searched: at most so many playouts, or so many of one card; exploration; moves deep."""

    iterations: int
    visits: int
    c: float
    depth: int


def search(deal: Deal, limits: Limits, rng: random.Random) -> list[float]:
    """What the mover's cards are worth, in the order of `options`; ends early when one was tried so often."""
    root = Node(deal, limits.depth)
    for _ in range(limits.iterations):
        node = root
        while node.children and not node.untried:
            node = node.best_child(limits.c)
        if node.untried:
            node = node.expand()
        points = node.deal.copy().play_out(rng)
        while node.parent is not None:
            node.visits += 1
            node.wins += points[node.parent.deal.turn]
            if node.parent is root and node.visits >= limits.visits:
                return _worths(root)
            node = node.parent
    return _worths(root)


def _worths(root: Node) -> list[float]:
    return [child.wins / child.visits for child in root.children]


class MonteCarlo:
    """Bids what its cards take on average (algorithm 2), plays the card that is worth most."""

    def __init__(self, game: Game, samples: int, ms: int | None, steady: int, bids: str, **limits: Any) -> None:
        require_game(game, "oh_hell.montecarlo", "Oh Hell", (*NEEDS, "total", "dealer"))
        self.game = game
        self.table = Table(game)
        self.samples = samples
        self.limits = Limits(**limits)
        self.ms = ms
        self.steady = steady
        self.reads_bids_by_turn = bids == "turn"
        deck = game.flowchart.deck
        self._numbers = {deck.code(card): card for card in game.cards}

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        """A bid or a card."""
        return self.think(observation, legal, rng).move

    def think(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Thought:
        """The same with the values of the cards."""
        if len(legal) == 1:
            return forced(legal)
        self.table.read(observation)
        bids = legal[0].kind == "choose"
        hand = sorted(self._numbers[card] for card in self.table.known(f"hand({observation.seat})"))
        if bids and not hand:
            share = int(self.table.value("handSize")) / self.game.players
            return Thought(_bid(share, observation.seat, legal, self.table), (), ("It has seen no cards.",))
        worths = self._worths(observation.seat, hand, bids, rng)
        if bids:
            mean = sum(worths) / len(worths)
            return Thought(
                _bid(mean, observation.seat, legal, self.table), (), (f"Its cards take {mean:.2f} tricks on average.",)
            )
        values = [MoveValue(move, worth) for move, worth in zip(legal, worths, strict=True)]
        values.sort(key=lambda value: -value.value)
        return Thought(values[0].move, tuple(values))

    def _worths(self, seat: int, hand: list[int], bids: bool, rng: random.Random) -> list[float]:
        """What each card is worth on average over many deals."""
        started = time.perf_counter()
        sums: list[float] = []
        same, last = 0, -1
        done = 0
        while done < self.samples if self.ms is None else time.perf_counter() - started < self.ms / 1000:
            found = search(self._deal(seat, hand, bids, rng), self.limits, rng)
            sums = [total + worth for total, worth in zip(sums or [0.0] * len(found), found, strict=True)]
            done += 1
            result = round(sum(sums) / len(sums) / done) if bids else sums.index(max(sums))
            same, last = (same + 1 if result == last else 1), result
            if same == self.steady:
                break
        return [total / done for total in sums]

    def _deal(self, seat: int, hand: list[int], bids: bool, rng: random.Random) -> Deal:
        """The unseen cards dealt at random; when bidding, as if this seat led."""
        table, players = self.table, self.game.players
        trumps = table.value("trumps")
        suit = -1 if trumps == "none" else self.game.flowchart.deck.suits.index(trumps)
        unseen = sorted(self._numbers[card] for card in table.unseen)
        rng.shuffle(unseen)
        hands = [
            [unseen.pop() for _ in range(table.count(f"hand({player})"))] for player in range(players) if player != seat
        ]
        hands.insert(seat, hand[:])
        if bids:
            return Deal(hands, [], seat, [0] * players, None, suit)
        order = [(seat + turn) % players for turn in range(1, players)]
        trick = [self._numbers[card] for player in order for card in table.known(f"middle({player})")]
        numbers = {name: [int(table.value(name, player)) for player in range(players)] for name in ("tricks", "bid")}
        if self.reads_bids_by_turn:
            first = int(table.value("dealer")) + 1
            numbers["bid"] = [numbers["bid"][(first + place) % players] for place in range(players)]
        return Deal(hands, trick, seat, numbers["tricks"], numbers["bid"], suit)


def _bid(mean: float, seat: int, legal: Sequence[Move], table: Table) -> Move:
    """Algorithm 2: the nearest number; the last to bid goes down if the others bid too many, else up, if it may."""
    allowed = {int(move.what) for move in legal}
    bid = round(mean)
    if seat == int(table.value("dealer")):
        too_many = int(table.value("total")) > int(table.value("handSize"))
        first, second = (math.floor, math.ceil) if too_many else (math.ceil, math.floor)
        bid = first(mean) if first(mean) in allowed else second(mean)
    return Move("choose", str(min(allowed, key=lambda number: abs(number - bid))))


KINDS: Mapping[str, AgentKind] = {
    "oh_hell.montecarlo": AgentKind(
        MonteCarlo,
        "plays Oh Hell by trying moves in random games (Monte Carlo)",
        {
            "samples": Parameter(whole(1, 10_000), 10, "guesses at the hidden cards"),
            "iterations": Parameter(whole(100, 1_000_000), 5000, "most playouts for one guess"),
            "visits": Parameter(whole(2, 1_000_000), 1000, "stop with a guess after this many playouts of one card"),
            "c": Parameter(real(0, 100), 2.0, "how eagerly it tries cards that looked worse so far"),
            "depth": Parameter(whole(1, 52), 12, "moves that the tree is deep"),
            "steady": Parameter(whole(1, 10_000), 10, "stop when this many guesses in a row say the same"),
            "bids": Parameter(
                one_of("seat", "turn"),
                "seat",
                "turn: the thesis's fault, for comparison; it takes the n-th bid made for that of seat n",
            ),
            "ms": Parameter(
                whole(1, 3_600_000), None, "milliseconds per move; replaces samples (the thesis uses 5000)"
            ),
        },
    ),
}
