"""The rule-based player of the Hearts thesis (section 4.2), rule by rule."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from fcdl.agents.hearts import HeartsRules
from fcdl.model.events import Event
from fcdl.model.moves import Move
from tests.agents.told import dealt, make_game, moved, observed, played, plays, said

GAME = make_game("hearts", 4)
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def choices(hand: str, trick: str, legal: str, taken: Sequence[str] = (), threshold: int = 14) -> set[str]:
    """The cards that player 3 plays, with many seeds; the trick was led by player 0, `taken` is by seat."""
    events: list[Event] = dealt(GAME, 3, hand)
    for seat, cards in enumerate(taken):
        events.append(moved("stack", f"won({seat})", cards))
    for seat, card in enumerate(trick.split()):
        events.append(played(seat, card))
    if trick:
        events += said({"leadSuit": SUITS[trick[1]]})
    agent = HeartsRules(GAME, threshold)
    return {agent.choose(observed(3, events), plays(legal), random.Random(seed)).what for seed in range(40)}


def test_the_lowest_card_is_led_and_any_of_several() -> None:
    assert choices("4C KD 4S 9S", "", "4C KD 4S 9S") == {"4C", "4S"}


def test_rule_1_the_queen_of_spades_goes_first() -> None:
    assert choices("QS AH 3D", "4C 9C", "QS AH 3D") == {"QS"}


def test_rule_2_then_any_heart() -> None:
    assert choices("2H AH AD", "4C 9C", "2H AH AD") == {"2H", "AH"}


def test_rule_3_then_the_highest_card_that_does_not_take_the_trick() -> None:
    assert choices("3C 8C TC 5D", "4C 9C", "3C 8C TC") == {"8C"}
    assert choices("3C 8C TC", "4C KH", "3C 8C TC") == {"3C"}, "only the suit led counts"


def test_rule_4_else_any_card() -> None:
    assert choices("TC JC AC", "4C 9C", "TC JC AC") == {"TC", "JC", "AC"}
    assert choices("3C KD 5S KS", "4H 9H", "3C KD 5S KS") == {"3C", "KD", "5S", "KS"}, "rule 3 is for followers"


@pytest.mark.parametrize("taken", [("", "", "", "QS"), ("", "2H", "", "QS 3H")])
def test_the_moon_is_not_shot_before_the_threshold_nor_once_another_has_points(taken: Sequence[str]) -> None:
    assert choices("4C KD 9S", "", "4C KD 9S", taken) == {"4C"}


def test_shooting_the_moon_turns_the_rules_round() -> None:
    taken = ("4S", "", "", "QS 3H")
    assert choices("4C KD 9S", "", "4C KD 9S", taken) == {"KD"}
    assert choices("3C TC AC", "4C 9C", "3C TC AC", taken) == {"TC"}, "the lowest card that takes it so far"
    assert choices("3C 4C", "5C 9C", "3C 4C", taken) == {"3C", "4C"}
    assert choices("2H AH 3D", "4C 9C", "2H AH 3D", taken) == {"3D"}, "points are kept"
    assert choices("2H AH", "4C 9C", "2H AH", taken) == {"2H", "AH"}


def test_threshold_0_shoots_from_the_start_and_26_never() -> None:
    assert choices("4C KD 9S", "", "4C KD 9S", threshold=0) == {"KD"}
    assert choices("4C KD 9S", "", "4C KD 9S", ("", "", "", "QS 2H 3H 4H"), threshold=26) == {"4C"}


def test_any_cards_are_passed() -> None:
    legal = [Move("pick", card) for card in ("2C", "3D", "QS")]
    agent = HeartsRules(GAME, 14)
    told = observed(3, dealt(GAME, 3, "2C 3D QS"))
    assert {agent.choose(told, legal, random.Random(seed)) for seed in range(40)} == set(legal)


def test_it_says_which_rule_it_follows() -> None:
    told = observed(3, [*dealt(GAME, 3, "QS AH"), played(0, "4C"), *said({"leadSuit": "clubs"})])
    thought = HeartsRules(GAME, 14).think(told, plays("QS AH"), random.Random(1))
    assert thought.move == Move("play", "QS")
    assert thought.reasons == ("Get rid of the queen of spades (rule 1).",)
