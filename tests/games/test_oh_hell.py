"""Oh Hell, refereed: the rules as Sarsfield gives them, and what the options change."""

from __future__ import annotations

from itertools import chain

import pytest

from fcdl.model.outcome import Reason
from tests.games.table import Played, decisions, make_game, play, suit, trick_winner

ROTATION = ["hearts", "diamonds", "spades", "clubs"]

OPTIONS: list[dict[str, str | int]] = [
    {},
    {"rounds": "downAndUp"},
    {"firstHand": 26},
    {"firstHand": 1, "rounds": "downAndUp"},
    {"firstHand": 5, "noTrumps": 5, "rounds": "downAndUp"},
    {"noTrumps": 1},
    {"halfBlind": 1},
    {"blind": 1},
    {"firstHand": 9, "rounds": "downAndUp", "halfBlind": 3, "blind": 2, "noTrumps": 4},
    {"hook": "no"},
    {"firstHand": 4, "rounds": "constant"},
    {"firstHand": 3, "rounds": "constant", "numberOfRounds": 5},
    {"firstHand": 5, "rounds": "downAndUp", "numberOfRounds": 7},
    {"firstHand": 3, "numberOfRounds": 50},
]


def referee(played: Played) -> tuple[int, ...]:
    """Checks every bid and every card of a game and returns the scores it should end with."""
    seats = played.game.players
    option = {name: played.game.option_text(name) for name in played.game.options}
    largest = min(int(option["firstHand"]), 52 // seats)
    sizes = list(range(largest, 0, -1))
    if option["rounds"] == "downAndUp":
        sizes += range(2, largest + 1)
    limit = int(option["numberOfRounds"])
    if option["rounds"] == "constant":
        sizes = [largest] * (limit or largest)
    elif limit:
        sizes = sizes[:limit]

    story = decisions(played)
    scores = [0] * seats
    dealer = -1
    suits_used = 0
    for number, size in enumerate(sizes, start=1):
        special = {n for n in ("noTrumps", "halfBlind", "blind") if option[n] != "0" and number % int(option[n]) == 0}
        bids: dict[int, int] = {}
        for bidder in range(seats):
            bid = next(story)
            dealer = dealer if dealer >= 0 else (bid.seat - 1) % seats
            assert bid.seat == (dealer + 1 + bidder) % seats
            forbidden = size - sum(bids.values()) if option["hook"] == "yes" and bid.seat == dealer else None
            assert bid.legal == tuple(f"choose {tricks}" for tricks in range(size + 1) if tricks != forbidden)
            assert all(len(hand) == (0 if "blind" in special else size) for hand in bid.hands)
            rotating = special <= {"blind"}
            assert bid.values["trumps"] == (ROTATION[suits_used % 4] if rotating else "none")
            bids[bid.seat] = int(bid.move.removeprefix("choose "))
        suits_used += rotating

        tricks = [0] * seats
        leader = (dealer + 1) % seats
        trumps: str | None = None
        for left in range(size, 0, -1):
            trick: list[tuple[int, str]] = []
            for turn in range(seats):
                card = next(story)
                trumps = trumps or card.values["trumps"]
                assert card.values["trumps"] == trumps
                assert (trumps == "none") == ("noTrumps" in special)
                hand = card.hand
                assert (card.seat, len(hand)) == ((leader + turn) % seats, left)
                following = {held for held in hand if trick and suit(held) == suit(trick[0][1])}
                assert card.legal_cards == (following or hand)
                trick.append((card.seat, card.card))
            leader = trick_winner(trick, (trumps or "none")[0].upper())
            tricks[leader] += 1
        scores = [
            score + won + 10 * (won == bids[seat]) for seat, (score, won) in enumerate(zip(scores, tricks, strict=True))
        ]
        dealer = (dealer + 1) % seats
    assert next(story, None) is None
    return tuple(scores)


@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(f"{k}={v}" for k, v in options.items()))
def test_every_bid_card_and_point_is_by_the_rules(players: int, options: dict[str, str | int]) -> None:
    played = play(make_game("oh_hell", players, options), seed=players)
    assert played.outcome.reason is Reason.END
    assert played.outcome.scores == referee(played)


def test_the_pack_limits_the_first_hand() -> None:
    largest = [
        int(next(decisions(play(make_game("oh_hell", players, {"firstHand": 26}), seed=1))).values["largest"])
        for players in range(2, 8)
    ]
    assert largest == [26, 17, 13, 10, 8, 7]


def test_random_players_score_45_at_a_table_of_four() -> None:
    # 91 tricks for four players are 22.75 points each. A random bid out of 0..n is right with probability 1/(n+1),
    # whatever happens: 1/2 + ... + 1/14 = 2.25 bids, 22.5 points. The dealer's forbidden bid costs a little.
    # (The thesis has 52, which is what 13 rounds of 13 cards give: docs/results.md.)
    game = make_game("oh_hell", 4)
    scores = list(chain.from_iterable(play(game, seed).outcome.scores for seed in range(40)))
    assert sum(scores) / len(scores) == pytest.approx(45, abs=4)
