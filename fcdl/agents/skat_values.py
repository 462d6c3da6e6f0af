"""What contracts of Skat are worth: how likely they are won, by small networks, and what is expected of that.

A network sees the ten cards of the declarer and the two in the skat, suit by suit, whether the suits other than trumps
change places or not, and which seat the declarer has. Its file is made by `python -m fcdl.agents.skat_training`.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fcdl.errors import FcdlError

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]

SUITS = "DHSC"
RANKS = "789TJQKA"
NAMES = {"D": "diamonds", "H": "hearts", "S": "spades", "C": "clubs"}
BASES = (9, 10, 11, 12, 24)
"""Of the suits and of grand."""
NULL_BASES = {(False, False): 23, (True, False): 35, (False, True): 46, (True, True): 59}
"""By hand and ouvert."""
GRAND, NULL, OUVERT = 4, 5, 6
"""Contracts are numbered: the suits first; null ouvert is one of its own."""
CONTRACTS = tuple(range(7))
KINDS = ("suit", "suit", "suit", "suit", "grand", "null", "ouvert")
"""Which network judges each contract."""
INPUTS = {"suit": 69, "grand": 68, "null": 67, "ouvert": 67}
JACK = RANKS.index("J")
PLAIN = np.array([place for place in range(8) if place != JACK])
POWER = {rank: place for place, rank in enumerate("789QKTA")}
VERSION = 1
MAX_BYTES = 1_000_000


class ValuesError(FcdlError):
    """A file of values that cannot be used."""


def number(card: str) -> int:
    """0 to 31, suit by suit."""
    return 8 * SUITS.index(card[1]) + RANKS.index(card[0])


def name(card: int) -> str:
    """The card of a number."""
    return RANKS[card % 8] + SUITS[card // 8]


@cache
def card_points() -> npt.NDArray[np.int64]:
    """Of every card."""
    return np.array([{"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}.get(name(card)[0], 0) for card in range(32)])


def inputs(contract: int, hands: Bools, skats: Bools, seat: int) -> Floats:
    """What a network sees of these hands and skats (one row of 32 for each), for a seat from forehand on."""
    rows = len(hands)
    hand, skat = hands.reshape(rows, 4, 8), skats.reshape(rows, 4, 8)
    places = np.zeros((rows, 3), np.float32)
    places[:, seat] = 1
    if contract >= NULL:
        return np.hstack([_sorted_suits(hand, skat), places])
    jacks = np.hstack([hand[:, :, JACK], skat[:, :, JACK]])
    put_away = (skats @ card_points())[:, None] / 20
    hand, skat = hand[:, :, PLAIN], skat[:, :, PLAIN]
    if contract == GRAND:
        return np.hstack([jacks, _sorted_suits(hand, skat), places, put_away]).astype(np.float32)
    others = [suit for suit in range(4) if suit != contract]
    trumps = np.hstack([hand[:, contract], skat[:, contract]])
    length = (hand[:, contract].sum(1) + jacks[:, :4].sum(1))[:, None] / 6
    side = _sorted_suits(hand[:, others], skat[:, others])
    return np.hstack([jacks, trumps, side, places, put_away, length]).astype(np.float32)


def _sorted_suits(hand: Bools, skat: Bools) -> Floats:
    """The suits in an order that does not depend on which they are."""
    weights = 1 << np.arange(hand.shape[2])
    keys = (hand @ weights) * 256 + skat @ weights
    order = np.argsort(-keys, axis=1)[:, :, None]
    both = np.concatenate([np.take_along_axis(hand, order, 1), np.take_along_axis(skat, order, 1)], axis=2)
    return both.reshape(len(hand), -1).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Network:
    """Two hidden layers; the outputs are odds (as logarithms) of a win and of schneider."""

    layers: tuple[tuple[Floats, Floats], ...]

    def odds(self, rows: Floats) -> Floats:
        """A pair for each row."""
        for weights, bias in self.layers[:-1]:
            rows = np.maximum(rows @ weights + bias, 0)
        weights, bias = self.layers[-1]
        return rows @ weights + bias


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract with what is expected of it."""

    number: int
    by_hand: bool
    discards: tuple[str, str]
    """Nothing of a hand game."""
    win: float
    """How likely it is won."""
    expected: float
    """The expected result, in points."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """What winning and losing bring besides the value of the game."""

    won: int
    lost: int
    """Of the declarer, with what the others get for it."""


STAKES = {"plain": Stakes(0, 0), "seegerFabian": Stakes(50, 90)}


class Values:
    """The networks by kind of contract, and what follows from them."""

    def __init__(self, networks: dict[str, Network]) -> None:
        self.networks = networks

    def chances(self, contract: int, hands: Bools, skats: Bools, seat: int) -> tuple[Floats, Floats]:
        """How likely a win is, and a win with schneider."""
        odds = self.networks[KINDS[contract]].odds(inputs(contract, hands, skats, seat))
        likely = (1 / (1 + np.exp(-np.clip(odds, -30, 30)))).astype(np.float32)
        win = likely[:, 0]
        return win, np.minimum(likely[:, 1], win) if contract < NULL else np.zeros_like(win)

    def declaration(self, cards: Sequence[str], bid: int, seat: int, scoring: str) -> Contract:
        """The best contract with twelve cards, and what to put away."""
        own = [number(card) for card in cards]
        hands, skats, pairs = put_away(own)
        held = _held(own)
        best: Contract | None = None
        for contract in CONTRACTS:
            win, schneider = self.chances(contract, hands, skats, seat)
            expected = results(contract, win, schneider, matadors(contract, held), False, bid, scoring)
            place = int(np.argmax(expected))
            if best is None or expected[place] > best.expected:
                low, high = (name(card) for card in pairs[place])
                best = Contract(contract, False, (low, high), float(win[place]), float(expected[place]))
        assert best is not None
        return best

    def expectation(self, cards: Sequence[str], bids: Sequence[int], seat: int, scoring: str, skats: int) -> Floats:
        """For every bid the expected result of taking the skat and declaring the best, over some of all skats."""
        own = [number(card) for card in cards]
        found = some_skats(own, skats)
        parts = [put_away([*own, *pair]) for pair in found]
        hands, laid = np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
        best = np.full((len(bids), len(found)), -np.inf, np.float32)
        for contract in CONTRACTS:
            win, schneider = (one.reshape(len(found), -1) for one in self.chances(contract, hands, laid, seat))
            worth = 2 * win + schneider
            place = np.argmax(worth, axis=1)[:, None]
            win, schneider = np.take_along_axis(win, place, 1)[:, 0], np.take_along_axis(schneider, place, 1)[:, 0]
            tops = np.array([matadors(contract, _held([*own, *pair])) for pair in found])
            for row, bid in enumerate(bids):
                expected = results(contract, win, schneider, tops, False, bid, scoring)
                best[row] = np.maximum(best[row], expected)
        mean: Floats = best.mean(1)
        return mean

    def hand_game(self, cards: Sequence[str], bid: int, seat: int, scoring: str, skats: int) -> Contract:
        """The best contract without the skat."""
        own = [number(card) for card in cards]
        found = some_skats(own, skats)
        hands = np.repeat(_held(own)[None], len(found), 0)
        laid = np.array([_held(pair) for pair in found])
        best: Contract | None = None
        for contract in CONTRACTS:
            win, schneider = self.chances(contract, hands, laid, seat)
            tops = np.array([matadors(contract, _held([*own, *pair])) for pair in found])
            expected = float(results(contract, win, schneider, tops, True, bid, scoring).mean())
            if best is None or expected > best.expected:
                best = Contract(contract, True, ("", ""), float(win.mean()), expected)
        assert best is not None
        return best


def _held(cards: Sequence[int]) -> Bools:
    held = np.zeros(32, np.bool_)
    held[list(cards)] = True
    return held


def put_away(cards: Sequence[int]) -> tuple[Bools, Bools, list[tuple[int, int]]]:
    """All ways to put two of twelve cards away: hands, skats, and the cards."""
    pairs = list(combinations(cards, 2))
    skats = np.zeros((len(pairs), 32), np.bool_)
    for row, pair in enumerate(pairs):
        skats[row, list(pair)] = True
    return _held(cards) & ~skats, skats, pairs


def some_skats(cards: Sequence[int], number: int) -> list[tuple[int, int]]:
    """So many of the skats that can lie there, always the same ones."""
    pairs = list(combinations([card for card in range(32) if card not in cards], 2))
    chosen = np.random.default_rng(0).permutation(len(pairs))[:number]
    return [pairs[place] for place in chosen]


def matadors(contract: int, held: Bools) -> int:
    """How many of the highest trumps in a row are held, or are not; 0 in null, where they do not count."""
    if contract >= NULL:
        return 0
    trumps = [8 * suit + JACK for suit in (3, 2, 1, 0)]
    if contract < GRAND:
        trumps += [8 * contract + RANKS.index(rank) for rank in "ATKQ987"]
    row = held[trumps]
    breaks = np.flatnonzero(row != row[0])
    return int(breaks[0]) if len(breaks) else len(trumps)


def results(
    contract: int, win: Floats, schneider: Floats, tops: Any, by_hand: bool, bid: int, scoring: str
) -> npt.NDArray[np.float64]:
    """What is expected of a contract at a bid; one that is worth less than the bid is lost, unless schneider helps."""
    stakes = STAKES[scoring]
    if contract >= NULL:
        value = np.full(win.shape, NULL_BASES[by_hand, contract == OUVERT])
        chance = np.where(value >= bid, win, 0.0)
        lost = 2 * np.maximum(value, bid) + stakes.lost
        null: npt.NDArray[np.float64] = chance * (value + stakes.won) - (1 - chance) * lost
        return null
    base = BASES[contract]
    multiplier = np.asarray(tops) + 1 + by_hand
    enough, more_is_enough = base * multiplier >= bid, base * (multiplier + 1) >= bid
    chance = np.where(enough, win, np.where(more_is_enough, schneider, 0.0))
    gain = base * (multiplier * chance + schneider * more_is_enough)
    least = -(-bid // base)
    lost = 2 * base * np.maximum(multiplier, least)
    expected: npt.NDArray[np.float64] = gain + chance * stakes.won - (1 - chance) * (lost + stakes.lost)
    return expected


# --- files


def save(values: Values, path: Path) -> None:
    """Writes the networks, whole or not at all."""
    arrays: dict[str, npt.NDArray[Any]] = {"version": np.array(VERSION)}
    for kind, network in values.networks.items():
        for place, (weights, bias) in enumerate(network.layers):
            arrays[f"{kind}_{place}_weights"], arrays[f"{kind}_{place}_bias"] = weights, bias
    beside = path.with_suffix(".new.npz")
    np.savez_compressed(beside, allow_pickle=False, **arrays)
    beside.replace(path)


def load(path: Path) -> Values:
    """Reads networks; raises ValuesError."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValuesError(f"{path} is larger than a file of values can be")
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as arrays:
            if int(arrays["version"]) != VERSION:
                raise ValuesError(f"{path} was made by another version of fcdl")
            return Values({kind: _network(arrays, kind) for kind in INPUTS})
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise ValuesError(f"{path} is not a file of values ({error})") from None


def _network(arrays: Any, kind: str) -> Network:
    layers, width = [], INPUTS[kind]
    for place in range(3):
        weights, bias = (arrays[f"{kind}_{place}_{what}"].astype(np.float32) for what in ("weights", "bias"))
        fits = weights.shape[:1] == (width,) and weights.shape[1:] == bias.shape and np.isfinite(weights).all()
        if not fits or not np.isfinite(bias).all():
            raise ValueError(f"the network of {kind} does not fit")
        width = len(bias)
        layers.append((weights, bias))
    if width != 2:
        raise ValueError(f"the network of {kind} does not fit")
    return Network(tuple(layers))


@cache
def builtin() -> Values:
    """Those that come with fcdl."""
    return load(Path(str(resources.files("fcdl.agents") / "skat_values.npz")))
