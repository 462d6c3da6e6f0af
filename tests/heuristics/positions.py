"""Positions of Kings and Jacks as in appendix A of the thesis: the other player has led, and I hold these cards."""

from __future__ import annotations

from collections.abc import Sequence

from fcdl.engines.native import NativeEngine
from fcdl.engines.native.engine import State
from fcdl.model import Move, ScriptedChance

ME, OTHER = 0, 1

QUEEN_OR_NINE = (
    "7C 7D 5H / 2C KH 3S / JD QD 4S / 7D TD 2S / 4D 6H 7S / AH 2H 4S / KC 4C 6S / 9C 3D 4S / KD JH 5H / 3D 4D TD / "
    "7D 8D 2S / AC TD AH / 6C 7C 8D / 4C 9C 2S / TD KH 6S / 3C 2H 4H / 4C 5H JS / JD 3D JS"
)
"""The models of example 7.1: what the opponent may hold after leading the 8 of hearts."""
SEVEN_OR_EIGHT = (
    "8S 8H 7H 3H / 8S TD 3C QC / 9S KH TD AC / 7S 2S TC JC / QS 8D 5D 3C / 8S KS 2H JH / TS 9S 2S TD / QS TD 4C 2C / "
    "2D 9C 5C JC / 6S 5S 2H 5D / 9S 5S KH 7D / 8S 5S 3H 9C"
)
"""The models of example 7.2: what the opponent may hold after leading the 6 of clubs."""


def hands(models: str) -> list[list[str]]:
    """The hands that a text of models lists."""
    return [model.split() for model in models.split(" / ")]


def position(engine: NativeEngine, mine: Sequence[str], led: str, tricks: str, others: Sequence[str]) -> State:
    """The position after the tricks (`TC-5C ...`: the opponent leads and wins each of them) and the next lead."""
    deck = engine.game.flowchart.deck
    played = [trick.split("-") for trick in tricks.split()]
    dealt = [
        [*(answer for _, answer in played), *mine],
        [*(lead for lead, _ in played), led, *others],
    ]
    cards = [deck.cards_with_code(code)[0] for hand in dealt for code in hand]
    order = [*cards, *(card for card in engine.game.cards if card not in cards)]
    chance = ScriptedChance([order, OTHER])
    state = engine.start(chance)
    for lead, answer in played:
        for card in (lead, answer):
            state = engine.apply(state, Move("play", card), chance)
    return engine.apply(state, Move("play", led), chance)


def queen_or_nine(engine: NativeEngine, others: Sequence[str]) -> State:
    """Example 7.1; the two other cards are made up, for the thesis does not tell them."""
    return position(engine, ["9H", "QH", "9D", "TS"], "8H", "TC-5C AD-2D AS-5S", others)


def seven_or_eight(engine: NativeEngine, others: Sequence[str]) -> State:
    """Example 7.2; the three other cards are made up."""
    return position(engine, ["7C", "8C", "4D", "AH", "3S"], "6C", "AS-4S AD-3D", others)
