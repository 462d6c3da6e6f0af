"""`python -m fcdl.agents.skat_training`: learns what contracts of Skat are worth from games that are played out.

In every game one of three random hands plays alone: a contract and the cards to put away are chosen by the values known
so far, and often at random. First many games are played by `skat.rules`, on which the networks are trained; then fewer
by a player that searches, on which their odds are corrected (by a line for each kind of contract).
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fcdl.agents import Agent, make_agent
from fcdl.agents import skat_values as sv
from fcdl.agents.skat import rules_policy
from fcdl.engines.native import _engine
from fcdl.engines.native.engine import NativeEngine
from fcdl.language.load import load_flowchart
from fcdl.model.chance import ScriptedChance
from fcdl.model.game import Game
from fcdl.model.moves import Move

CALLS = (("pass", "pass", "bid"), ("bid", "pass", "pass"), ("pass", "bid", "pass"))
"""How forehand, middlehand and rearhand come to play alone, at 18."""
HIDDEN = (48, 24)
ROUNDS = 5
"""After each of them contracts are chosen by what was learned so far."""
RATE, BATCH, PASSES = 2e-3, 256, 8
WORDS = {"suit": "suitGame", "grand": "grand", "null": "nullGame", "ouvert": "nullGame"}

Outcome = tuple[bool, bool]
"""Whether the declarer won, and with schneider."""


@dataclass(slots=True)
class Lessons:
    """What one kind of contract came to: inputs, so many each time, and a pair of outcomes for each."""

    width: int
    rows: list[sv.Floats] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)

    def arrays(self) -> tuple[sv.Floats, sv.Floats]:
        """Both as arrays."""
        rows = np.vstack([np.zeros((0, self.width), np.float32), *self.rows])
        return rows, np.array(self.outcomes, np.float32).reshape(-1, 2)


@dataclass(frozen=True, slots=True)
class Choice:
    """What the declarer does before the first card."""

    contract: int
    hand: tuple[int, ...]
    skat: tuple[int, int]
    by_hand: bool


class Table:
    """Deals and declares; a player of its own plays the cards."""

    def __init__(self, seed: int) -> None:
        game = Game.make(load_flowchart("skat"), name="skat")
        self.engine = NativeEngine(game, policies=[rules_policy(game)])
        self.game = game
        self.rng = np.random.default_rng(seed)

    def moves(self, seat: int, choice: Choice) -> list[Move]:
        """From the first bid to the first card."""
        texts = [f"choose {call}" for call in CALLS[seat]]
        if choice.by_hand:
            texts.append("choose handGame")
        else:
            texts += ["choose takeSkat", *(f"pick {sv.name(card)}" for card in choice.skat)]
        texts.append(f"choose {WORDS[sv.KINDS[choice.contract]]}")
        if choice.contract < sv.GRAND:
            texts.append(f"choose {sv.NAMES[sv.SUITS[choice.contract]]}")
        if choice.contract >= sv.NULL or choice.by_hand:
            texts.append(f"choose {'ouvert' if choice.contract == sv.OUVERT else 'nothing'}")
        return [Move.parse(text) for text in texts]

    def choose(self, cards: Sequence[int], values: sv.Values | None, seat: int) -> Choice:
        """A contract for twelve cards (the last two lie in the skat), the best by the values or one at random."""
        by_hand = self.rng.random() < 0.1
        contract = self._contract(cards)
        if by_hand:
            return Choice(contract, tuple(cards[:10]), (cards[10], cards[11]), True)
        if values is not None and self.rng.random() < 0.75:
            hands, skats, pairs = sv.put_away(cards)
            held = hands[0] | skats[0]
            found = []
            for one in sv.CONTRACTS:
                win, schneider = values.chances(one, hands, skats, seat)
                expected = sv.results(one, win, schneider, sv.matadors(one, held), False, 18, "plain")
                place = int(np.argmax(expected))
                found.append((float(expected[place]) + 12 * self.rng.standard_normal(), one, pairs[place]))
            _, contract, skat = max(found)
        else:
            skat = self._discards(cards, contract)
        hand = tuple(card for card in cards if card not in skat)
        return Choice(contract, hand, skat, False)

    def _contract(self, cards: Sequence[int]) -> int:
        """One that fits a little: many trumps, jacks and aces, low cards."""
        jacks = sum(card % 8 == sv.JACK for card in cards)
        aces = sum(card % 8 == 7 for card in cards)
        low = sum(card % 8 < 3 for card in cards)
        lengths = [sum(card // 8 == suit and card % 8 != sv.JACK for card in cards) for suit in range(4)]
        merits = [*(length + 0.0 for length in lengths), jacks + aces - 1.0, low - 3.0, low - 4.0]
        return int(np.argmax(np.array(merits) + 1.5 * self.rng.standard_normal(7)))

    def _discards(self, cards: Sequence[int], contract: int) -> tuple[int, int]:
        """Two cards that may be missed."""
        if contract >= sv.NULL:
            merit = [card % 8 + 2 * self.rng.standard_normal() for card in cards]
        else:
            lengths = [sum(card // 8 == suit for card in cards) for suit in range(4)]
            merit = [
                sv.card_points()[card] / 4
                - lengths[card // 8]
                - (20 if card % 8 == sv.JACK or card // 8 == contract else 4 if card % 8 == 7 else 0)
                + 2 * self.rng.standard_normal()
                for card in cards
            ]
        first, second = np.argsort(merit)[-2:]
        return cards[first], cards[second]

    def deal(self, values: sv.Values | None) -> tuple[list[int], int, Choice]:
        """A deal in our numbers (seat by seat, then the skat), who plays alone, and what."""
        order = [int(card) for card in self.rng.permutation(32)]
        seats = [int(seat) for seat in self.rng.permutation(3)]
        # Mostly the one with the best cards plays alone: so it is when people bid.
        if self.rng.random() < 0.8:
            seats.sort(key=lambda seat: -_strength(order[10 * seat : 10 * seat + 10]))
        seat = seats[0]
        return order, seat, self.choose([*order[10 * seat : 10 * seat + 10], *order[30:]], values, seat)

    def chance(self, order: Sequence[int]) -> ScriptedChance:
        """The deal as the engine needs it."""
        deck = self.game.flowchart.deck
        return ScriptedChance([[deck.cards_with_code(sv.name(card))[0] for card in order]])


def _strength(cards: Sequence[int]) -> float:
    """Roughly, to see who would bid most."""
    jacks = sum(card % 8 == sv.JACK for card in cards)
    aces = sum(card % 8 == 7 for card in cards)
    return jacks + aces + max(sum(card // 8 == suit and card % 8 != sv.JACK for card in cards) for suit in range(4))


Player = Callable[[Table, list[int], int, Choice], Outcome]


def by_rules(table: Table, order: list[int], seat: int, choice: Choice) -> Outcome:
    """Plays a game out by `skat.rules`."""
    play = _engine.Play(table.engine.book, chance=table.chance(order))
    for move in table.moves(seat, choice):
        play.play(move)
    scores = np.zeros((1, 3), np.int32)
    policies = table.engine.by_seat("skat.rules")
    table.engine.program.playouts(play.dump(), 0, 1, int(table.rng.integers(2**62)), scores, policies, True)
    return _outcome(int(scores[0, seat]), choice)


def by_search(agent: str, table: Table) -> Player:
    """Plays a game out with the same player in all seats."""
    agents: list[Agent] = [make_agent(agent, table.game) for _ in range(3)]

    def play(table: Table, order: list[int], seat: int, choice: Choice) -> Outcome:
        engine, chance = table.engine, table.chance(order)
        dice = random.Random(int(table.rng.integers(2**62)))
        state = engine.start(chance)
        for move in table.moves(seat, choice):
            state = engine.apply(state, move, chance)
        while (mover := engine.mover(state)) is not None:
            move = agents[mover].choose(engine.observe(state, mover), engine.legal(state), dice)
            state = engine.apply(state, move, chance)
        return _outcome(state.scores[seat], choice)

    return play


def _outcome(score: int, choice: Choice) -> Outcome:
    """Won if positive; schneider makes the value higher than the row of trumps does (or is the end of the deck)."""
    if score <= 0 or choice.contract >= sv.NULL:
        return score > 0, False
    tops = sv.matadors(choice.contract, sv._held([*choice.hand, *choice.skat]))
    return True, score > sv.BASES[choice.contract] * (tops + 1 + choice.by_hand)


def play(table: Table, games: int, values: sv.Values | None, player: Player, name: str) -> dict[str, Lessons]:
    """Games, and what they teach, by kind of contract."""
    lessons = {kind: Lessons(width) for kind, width in sv.INPUTS.items()}
    for number in range(games):
        if number % max(1, games // 10) == 0:
            print(f"{name}: {number} of {games} games", file=sys.stderr, flush=True)
        order, seat, choice = table.deal(values)
        outcome = player(table, order, seat, choice)
        hands, skats = sv._held(choice.hand)[None], sv._held(choice.skat)[None]
        lesson = lessons[sv.KINDS[choice.contract]]
        lesson.rows.append(sv.inputs(choice.contract, hands, skats, seat))
        lesson.outcomes.append(outcome)
    return lessons


def train(rows: sv.Floats, outcomes: sv.Floats, rng: np.random.Generator) -> sv.Network:
    """A network whose odds fit the outcomes, by Adam."""
    widths = [rows.shape[1], *HIDDEN, 2]
    layers = [
        [(rng.standard_normal((wide, narrow)) * np.sqrt(2 / wide)).astype(np.float32), np.zeros(narrow, np.float32)]
        for wide, narrow in pairwise(widths)
    ]
    means = [[np.zeros_like(part) for part in layer] for layer in layers]
    squares = [[np.zeros_like(part) for part in layer] for layer in layers]
    steps = PASSES * -(-len(rows) // BATCH)
    for step in range(1, steps + 1):
        chosen = rng.integers(0, len(rows), BATCH)
        gradients = _gradients(layers, rows[chosen], outcomes[chosen])
        rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
        for layer, mean, square, gradient in zip(layers, means, squares, gradients, strict=True):
            for part in range(2):
                mean[part] += 0.1 * (gradient[part] - mean[part])
                square[part] += 0.001 * (gradient[part] ** 2 - square[part])
                correct = mean[part] / (1 - 0.9**step), square[part] / (1 - 0.999**step)
                layer[part] -= (rate * correct[0] / (np.sqrt(correct[1]) + 1e-8)).astype(np.float32)
    return sv.Network(tuple((weights, bias) for weights, bias in layers))


def _gradients(
    layers: Sequence[Sequence[sv.Floats]], rows: sv.Floats, outcomes: sv.Floats
) -> list[tuple[sv.Floats, sv.Floats]]:
    seen = [rows]
    for weights, bias in layers[:-1]:
        seen.append(np.maximum(seen[-1] @ weights + bias, 0))
    weights, bias = layers[-1]
    error = (1 / (1 + np.exp(-np.clip(seen[-1] @ weights + bias, -30, 30))) - outcomes) / len(rows)
    gradients = []
    for place in range(len(layers) - 1, -1, -1):
        gradients.append((seen[place].T @ error + 1e-5 * layers[place][0], error.sum(0)))
        error = (error @ layers[place][0].T) * (seen[place] > 0)
    return gradients[::-1]


def corrected(network: sv.Network, lessons: Lessons) -> tuple[sv.Network, str]:
    """The network with its odds moved and stretched to what other players make of the same contracts, and in words."""
    if len(lessons.outcomes) < 30:
        return network, "too few games"
    rows, outcomes = lessons.arrays()
    odds = network.odds(rows)
    *others, (weights, bias) = network.layers
    weights, bias = weights.copy(), bias.copy()
    told = []
    for output in range(2):
        line = _line(odds[:, output], outcomes[:, output])
        weights[:, output] *= line[0]
        bias[output] = bias[output] * line[0] + line[1]
        told.append(f"{line[0]:.2f} x {line[1]:+.2f}")
    return sv.Network((*others, (weights, bias))), ", ".join(told)


def _line(odds: sv.Floats, outcomes: sv.Floats) -> tuple[float, float]:
    """Slope and height by Newton's method, a little drawn to leaving things as they are."""
    slope, height = 1.0, 0.0
    for _ in range(30):
        likely = 1 / (1 + np.exp(-np.clip(slope * odds + height, -30, 30)))
        weight = likely * (1 - likely) + 1e-9
        gradient = np.array([((likely - outcomes) * odds).sum() + 10 * (slope - 1), (likely - outcomes).sum() + height])
        curve = np.array(
            [[(weight * odds * odds).sum() + 10, (weight * odds).sum()], [(weight * odds).sum(), weight.sum() + 1]]
        )
        change = np.linalg.solve(curve, gradient)
        slope, height = slope - float(change[0]), height - float(change[1])
    return max(0.2, min(3.0, slope)), height


def loss(network: sv.Network, lessons: Lessons) -> tuple[float, float]:
    """The mean surprise at wins, in bits, of the network and of the mean alone."""
    rows, outcomes = lessons.arrays()
    likely = np.clip(1 / (1 + np.exp(-network.odds(rows)[:, 0])), 1e-4, 1 - 1e-4)
    won = outcomes[:, 0]
    mean = np.clip(won.mean(), 1e-4, 1 - 1e-4)

    def bits(chance: npt.NDArray[np.float64] | float) -> float:
        return float(-(won * np.log2(chance) + (1 - won) * np.log2(1 - np.asarray(chance))).mean())

    return bits(likely), bits(mean)


def learned(seed: int, games: int, searched: int, agent: str) -> sv.Values:
    """Values learned from so many games by rules (in rounds), corrected by so many by a search player."""
    table = Table(seed)
    values: sv.Values | None = None
    kept = {kind: Lessons(width) for kind, width in sv.INPUTS.items()}
    for number in range(ROUNDS):
        found = play(table, games // ROUNDS, values, by_rules, f"round {number + 1} by rules")
        for kind, lessons in found.items():
            if values is not None and lessons.outcomes:
                ours, mean = loss(values.networks[kind], lessons)
                print(f"  {kind}: {len(lessons.outcomes)} new games, {ours:.3f} bits of {mean:.3f}", file=sys.stderr)
            kept[kind].rows += lessons.rows
            kept[kind].outcomes += lessons.outcomes
        values = sv.Values({kind: train(*lessons.arrays(), table.rng) for kind, lessons in kept.items()})
    assert values is not None
    if searched:
        found = play(table, searched, values, by_search(agent, table), f"by {agent}")
        networks = {}
        for kind, lessons in found.items():
            networks[kind], told = corrected(values.networks[kind], lessons)
            if not lessons.outcomes:
                continue
            before, mean = loss(values.networks[kind], lessons)
            after, _ = loss(networks[kind], lessons)
            share = np.mean([outcome[0] for outcome in lessons.outcomes])
            print(
                f"  {kind}: {len(lessons.outcomes)} games, {100 * share:.0f} % won, odds {told},"
                f" {before:.3f} to {after:.3f} bits of {mean:.3f}",
                file=sys.stderr,
            )
        values = sv.Values(networks)
    return values


def main(arguments: Sequence[str] | None = None) -> None:
    """Learns and writes the file."""
    parser = argparse.ArgumentParser(prog="python -m fcdl.agents.skat_training", description=__doc__)
    parser.add_argument("--games", type=int, default=200_000, help="games by rules")
    parser.add_argument("--searched", type=int, default=3_000, help="games by a player that searches")
    parser.add_argument("--agent", default="ismcts:iterations=1000", help="that player")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, default=Path("skat_values.npz"))
    given = parser.parse_args(arguments)
    if given.games < 1000 or given.searched < 0:
        parser.error("--games is at least 1000, --searched at least 0")
    sv.save(learned(given.seed, given.games, given.searched, given.agent), given.output)


if __name__ == "__main__":
    main()
