"""Games of shedding cards go and score as their published rules say, written here once more in plain Python."""

from __future__ import annotations

import pytest

from tests.charts.told import steps, told

HIGH = "23456789TJQKA"
POINTS = {"8": 50, "A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}


def worth(cards: list[str]) -> int:
    """What cards in hand count in Crazy Eights."""
    return sum(POINTS.get(card[0]) or int(card[0]) for card in cards)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("seats", "actions"), [(2, "no"), (3, "yes"), (5, "no")])
def test_eights_are_matched_and_the_rest_is_counted(seats: int, actions: str, seed: int) -> None:
    played, (*_, deal) = told("eights", seed, seats, actions=actions, mustPlay="no" if seed % 2 else "yes")
    wanted = ""
    for event, zones in steps(deal):
        if event.kind == "choose":
            wanted = str(event.value)[0].upper()
        elif event.kind == "play":
            (card,), top = event.cards or ("",), zones["stack"][-1]
            assert card[0] == "8" or card[1] == wanted or card[0] == top[0]
            wanted = card[1]
        elif event.kind == "move" and event.target == "stack" and not wanted:
            wanted = (event.cards or ("",))[0][1]
    hands = [worth(deal.zones[f"hand({seat})"]) for seat in range(seats)]
    winner = hands.index(min(hands))
    assert played.outcome.scores == tuple(sum(hands) - seats * min(hands) if s == winner else 0 for s in range(seats))
    assert min(hands) == 0 or len(deal.zones["stack"]) == 1


def test_eights_are_drawn_from_the_shuffled_pile_when_the_pack_is_gone() -> None:
    deals = [told("eights", seed, 2, mustPlay="no")[1][-1] for seed in range(5)]
    assert any(event.source == "stack" and event.target == "pack" for deal in deals for event in deal.of("move"))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_skitgubbe_is_played_in_two_halves_and_the_last_one_loses(seats: int, seed: int) -> None:
    played, (deal,) = told("skitgubbe", seed, seats)
    trumps, out = "", list[int]()
    duel = list[tuple[int, int]]()
    plays = list[list[str]]()
    for event, zones in steps(deal):
        card = (event.cards or ("",))[0]
        if event.kind == "assign" and event.name == "trumps" and event.value != "none":
            trumps = str(event.value)[0].upper()
        elif (event.kind == "play" and event.target != "trick") or (
            event.source == "pack" and "middle" in str(event.target)
        ):
            seat = int(str(event.target)[-2])
            duel.append((seat, HIGH.index(card[0])))
            assert len(duel) % 2 or duel[-2][0] == (seat - 1) % seats, "tricks are for neighbours"
        elif str(event.target).startswith("won") and duel and len(duel) % 2 == 0:
            (one, first), (two, second) = duel[-2:]
            if first != second:
                assert event.target == f"won({one if first > second else two})"
        elif event.kind == "play":
            cards, hand, top = list(event.cards or ()), zones[f"hand({event.seat})"], (zones["trick"] or [""])[-1]
            places = [HIGH.index(each[0]) for each in cards]
            assert len({each[1] for each in cards}) == 1, "a run is of one suit"
            assert places == list(range(places[0], places[0] + len(cards)))
            assert plays or not top, "the first play is a lead"
            higher = card[1] == top[1:] and places[0] > HIGH.index(top[0])
            assert not top or higher or card[1] == trumps != top[1]
            plays.append(cards)
            if len(hand) == len(cards):
                out.append(event.seat or 0)
        elif event.source == "trick" and event.target == "stack":
            assert sorted(event.cards or ()) == sorted(each for cards in plays for each in cards)
            plays.clear()
        elif event.source == "trick":
            assert sorted(event.cards or ()) == sorted(plays.pop()), "what was played last is taken"
    assert len(out) == seats - 1
    assert all(score == (seats - 1 - out.index(s) if s in out else 0) for s, score in enumerate(played.outcome.scores))
    (loser,) = set(range(seats)) - set(out)
    assert deal.zones[f"hand({loser})"]
