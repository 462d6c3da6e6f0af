"""Hearts, refereed: the rules as Teunisse gives them. (tests/oracle compares other options with OpenSpiel.)"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fcdl.model.chance import RandomChance
from fcdl.model.outcome import Reason
from tests.games.table import ClumpedChance, Played, decisions, make_game, play, suit, trick_winner


def points(card: str) -> int:
    """Penalty points of a card."""
    return 13 if card == "QS" else int(suit(card) == "H")


def referee(played: Played, passes: Callable[[int], int], target: int) -> tuple[tuple[int, ...], int]:
    """Checks every card of a game by the thesis's rules; returns the scores it should end with, and its rounds."""
    story = decisions(played)
    scores = [0, 0, 0, 0]
    number = 0
    first = next(story)
    while True:
        number += 1
        if passes(number):
            dealt = first.hands
            parcels: list[set[str]] = [set(), set(), set(), set()]
            for seat in range(4):
                for left in (13, 12, 11):
                    assert (first.seat, len(first.legal)) == (seat, left)
                    parcels[seat].add(first.card)
                    first = next(story)
            held = [dealt[seat] - parcels[seat] | parcels[(seat - passes(number)) % 4] for seat in range(4)]
            assert list(first.hands) == held

        taken = [0, 0, 0, 0]
        broken = False
        leader = next(seat for seat in range(4) if "2C" in first.hands[seat])
        for number_of_trick in range(13):
            trick: list[tuple[int, str]] = []
            for turn in range(4):
                decision = first if not trick and not number_of_trick else next(story)
                hand = decision.hand
                assert (decision.seat, len(hand)) == ((leader + turn) % 4, 13 - number_of_trick)
                if not trick and not number_of_trick:
                    allowed = frozenset({"2C"})
                elif not trick:
                    allowed = frozenset(card for card in hand if broken or suit(card) != "H") or hand
                else:
                    allowed = frozenset(card for card in hand if suit(card) == suit(trick[0][1]))
                    allowed = allowed or frozenset(card for card in hand if number_of_trick or card != "QS")
                assert decision.legal_cards == allowed
                trick.append((decision.seat, decision.card))
            leader = trick_winner(trick)
            taken[leader] += sum(points(card) for _, card in trick)
            broken = broken or any(suit(card) == "H" for _, card in trick)
        assert sum(taken) == 26
        if 26 in taken:
            taken = [26 - own for own in taken]
        scores = [score + own for score, own in zip(scores, taken, strict=True)]
        if max(scores) > target:
            assert next(story, None) is None
            return tuple(scores), number
        first = next(story)


@pytest.mark.parametrize("chance", [RandomChance, ClumpedChance])
@pytest.mark.parametrize(
    ("options", "passes", "target"),
    [
        ({}, lambda number: number % 4, 100),
        ({"passTo": "leftRightAcross"}, lambda number: (0, 1, 3, 2)[number % 4], 100),
        ({"passTo": "left", "target": 30}, lambda _: 1, 30),
        ({"passTo": "across", "target": 30}, lambda _: 2, 30),
        ({"passTo": "right", "target": 30}, lambda _: 3, 30),
        ({"passing": "no", "target": 30}, lambda _: 0, 30),
    ],
)
def test_every_card_and_point_is_by_the_rules(
    options: dict[str, str | int], passes: Callable[[int], int], target: int, chance: type[RandomChance]
) -> None:
    for seed in range(5):
        played = play(make_game("hearts", options=options), seed, chance=chance(seed))
        assert played.outcome.reason is Reason.END
        assert played.outcome.scores == referee(played, passes, target)[0]


def test_target_zero_is_one_round_of_26_points_or_a_moon() -> None:
    game = make_game("hearts", options={"target": 0})
    moons = 0
    for seed in range(40):
        played = play(game, seed, chance=ClumpedChance(seed))
        assert referee(played, lambda number: number % 4, 0)[1] == 1
        moons += sorted(played.outcome.scores) == [0, 26, 26, 26]
        assert sum(played.outcome.scores) in (26, 78)
    assert moons > 0


def test_players_with_equally_few_points_share_the_win() -> None:
    game = make_game("hearts", options={"target": 0})
    tied = next(
        outcome for seed in range(200) if (outcome := play(game, seed).outcome).scores.count(min(outcome.scores)) == 2
    )
    assert len(game.winning_sides(tied.scores)) == 2


def test_nobody_sees_what_others_pass() -> None:
    played = play(make_game("hearts", options={"target": 0}), seed=3)
    picks = [event for event in played.events if event.kind == "pick"]
    assert len(picks) == 12
    assert all(event.seers == {event.seat} for event in picks)
    gifts = [event for event in played.events if event.kind == "move" and str(event.source).startswith("parcel")]
    assert [event.seers for event in gifts] == [{seat, (seat + 1) % 4} for seat in range(4)]
