"""All built-in games play to the end on the ASP engine; rules are checked by code that knows nothing of the charts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from fcdl.engines.asp import AspEngine, AspState
from fcdl.language.load import load_flowchart
from fcdl.model import Event, Game, RandomChance, Reason
from tests.engines.asp.charts import builtin, play

RANKS = "23456789TJQKA"
SMALL = [
    ("trumps", {}),
    ("kings_and_jacks", {}),
    ("durak", {"lowestRank": "11"}),
    ("oh_hell", {"firstHand": "3"}),
    ("hearts", {"target": "0"}),
    ("skat", {}),
]
WHOLE = [*SMALL[:2], ("durak", {}), ("oh_hell", {"firstHand": "5"}), ("hearts", {"target": "0"}), ("skat", {})]


def plays(engine: AspEngine, state: AspState) -> list[tuple[int, str]]:
    return [
        (event.seat, event.cards[0])
        for event in engine.events(state)
        if event.kind == "play" and event.seat is not None and event.cards is not None
    ]


def tricks(engine: AspEngine, state: AspState, players: int) -> Iterator[list[tuple[int, str]]]:
    cards = plays(engine, state)
    return (cards[start : start + players] for start in range(0, len(cards), players))


def dealt_hands(events: tuple[Event, ...]) -> dict[int, set[str]]:
    """What everybody got in the first deal."""
    hands: dict[int, set[str]] = {}
    for event in events:
        if event.kind == "move" and event.source == "pack" and event.target is not None and event.cards:
            seat = int(event.target.removeprefix("hand(").removesuffix(")"))
            hands.setdefault(seat, set()).update(event.cards)
    return hands


def winner(trick: list[tuple[int, str]], trump: str | None) -> int:
    """Who wins a trick: the highest trump, otherwise the highest card of the suit led."""
    led = trick[0][1][1]
    return max(trick, key=lambda play: (play[1][1] == trump, play[1][1] == led, RANKS.index(play[1][0])))[0]


def assert_suit_is_followed(trick: list[tuple[int, str]], hands: dict[int, set[str]]) -> None:
    led = trick[0][1][1]
    for seat, card in trick:
        assert card in hands[seat]
        assert card[1] == led or not any(held[1] == led for held in hands[seat])
        hands[seat].remove(card)


def check_trumps(engine: AspEngine, seed: int) -> None:
    state = play(engine, seed)
    events = engine.events(state)
    trump = next(event.value for event in events if event.name == "trumps")
    assert trump is not None
    hands, scores, leads = dealt_hands(events), [0, 0], None
    for trick in tricks(engine, state, 2):
        assert leads in (None, trick[0][0])
        assert_suit_is_followed(trick, hands)
        leads = winner(trick, trump[0].upper())
        scores[leads] += 1
    assert sum(scores) == 7
    assert_ends_with(engine, state, scores)


def check_kings_and_jacks(engine: AspEngine, seed: int) -> None:
    state = play(engine, seed)
    hands, scores = dealt_hands(engine.events(state)), [0, 0]
    for trick in tricks(engine, state, 2):
        assert_suit_is_followed(trick, hands)
        scores[winner(trick, None)] -= 10 * sum(card[0] in "KJ" for _, card in trick)
    assert_ends_with(engine, state, scores)


def check_hearts(engine: AspEngine, seed: int) -> None:
    """One round: 26 points in all, or three times 26 when somebody took all of them."""
    state = play(engine, seed)
    scores = [0, 0, 0, 0]
    for trick in tricks(engine, state, 4):
        scores[winner(trick, None)] += sum({"H": 1}.get(card[1], 13 if card == "QS" else 0) for _, card in trick)
    assert plays(engine, state)[0][1] == "2C"
    assert sum(scores) == 26
    if 26 in scores:
        scores = [0 if score == 26 else 26 for score in scores]
    assert_ends_with(engine, state, scores)


def check_oh_hell(engine: AspEngine, seed: int) -> None:
    """Every trick is a point, and 10 for whoever made their bid."""
    state = play(engine, seed)
    players = engine.game.players
    scores, bids, taken, trump = [0] * players, [0] * players, [0] * players, None
    pending: list[tuple[int, str]] = []
    hand_over = [event for event in engine.events(state) if event.kind in ("choose", "play", "assign")]
    bidding = 0
    for event in hand_over:
        if event.kind == "assign" and event.name == "trumps":
            trump = None if event.value == "none" else str(event.value)[0].upper()
        elif event.kind == "choose":
            bids[event.seat or 0], bidding = int(event.value or 0), bidding + 1
        elif event.kind == "play" and event.cards and event.seat is not None:
            pending.append((event.seat, event.cards[0]))
            if len(pending) == players:
                taken[winner(pending, trump)] += 1
                pending = []
        elif event.kind == "assign" and event.name == "round" and bidding:
            scores = [s + t + 10 * (t == b) for s, t, b in zip(scores, taken, bids, strict=True)]
            taken, bidding = [0] * players, 0
    assert_ends_with(engine, state, scores)


def check_durak(engine: AspEngine, seed: int) -> None:
    """Whoever holds cards at the end has lost; nobody: a draw."""
    state = play(engine, seed)
    left = [len(engine.cards(state, "hand", seat)) for seat in range(engine.game.players)]
    assert sum(1 for cards in left if cards) <= 1
    assert_ends_with(engine, state, [(-1 if cards else 1) if any(left) else 0 for cards in left])


def check_skat(engine: AspEngine, seed: int) -> None:
    """Only the declarer scores, a lost game counts double, and all tricks have 120 card points with the skat."""
    state = play(engine, seed)
    outcome = engine.outcome(state)
    assert outcome is not None
    assert outcome.reason is Reason.END
    assert sum(1 for score in outcome.scores if score) <= 1
    points = Counter({"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2})
    assert sum(points[engine.game.flowchart.deck.code(card)[0]] for card in engine.game.cards) == 120
    for score in outcome.scores:
        assert score >= 0 or score % 2 == 0


def assert_ends_with(engine: AspEngine, state: AspState, scores: list[int]) -> None:
    outcome = engine.outcome(state)
    assert outcome is not None
    assert (list(outcome.scores), outcome.reason) == (scores, Reason.END)
    assert engine.events(state)[-1].kind == "end"


CHECKS = {
    "trumps": check_trumps,
    "kings_and_jacks": check_kings_and_jacks,
    "durak": check_durak,
    "oh_hell": check_oh_hell,
    "hearts": check_hearts,
    "skat": check_skat,
}


@pytest.mark.parametrize(("name", "options"), SMALL)
def test_random_players_reach_the_end_by_the_rules(name: str, options: dict[str, str]) -> None:
    CHECKS[name](builtin(name, options), seed=1)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), WHOLE)
def test_a_hundred_games_by_the_rules(name: str, options: dict[str, str]) -> None:
    engine = builtin(name, options)
    for seed in range(100):
        CHECKS[name](engine, seed)


def check_crazy_eights(engine: AspEngine, seed: int, limit: int) -> None:
    """Whoever runs out of cards wins; random players may take very long."""
    state = play(engine, seed, limit)
    outcome = engine.outcome(state)
    if outcome is not None:
        empty = [seat for seat in (0, 1) if not engine.cards(state, "hand", seat)]
        assert [seat for seat, score in enumerate(outcome.scores) if score == 1] == empty[:1]


def test_crazy_eights_ends_when_somebody_runs_out() -> None:
    check_crazy_eights(builtin("crazy_eights"), seed=3, limit=60)


@pytest.mark.slow
def test_a_hundred_games_of_crazy_eights() -> None:
    engine = builtin("crazy_eights")
    for seed in range(100):
        check_crazy_eights(engine, seed, limit=10_000)


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [
        ("durak", 3, {"trumps": "no", "lowestRank": "12"}),
        ("oh_hell", 3, {"firstHand": "2", "rounds": "downAndUp", "blind": "2", "halfBlind": "3", "noTrumps": "2"}),
        ("skat", None, {"scoring": "seegerFabian"}),
        ("hearts", None, {"target": "0", "passing": "no", "jackBonus": "yes", "noTrickBonus": "yes", "anyClub": "yes"}),
    ],
)
def test_options_and_other_numbers_of_players_play(name: str, players: int | None, options: dict[str, str]) -> None:
    engine = builtin(name, options, players)
    outcome = engine.outcome(play(engine, seed=2))
    assert outcome is not None
    assert outcome.reason is Reason.END


@pytest.mark.parametrize("name", ["trumps", "kings_and_jacks", "crazy_eights"])
def test_thesis_charts_in_state_form_play_as_the_built_in_ones(name: str) -> None:
    path = Path(__file__).parents[2] / "data" / "law2013" / f"{name}.states.lp"
    thesis = AspEngine(Game.make(load_flowchart(path, form="states"), name=name))
    results = []
    for engine in (thesis, builtin(name)):
        chance, rng = RandomChance(4), random.Random(4)
        state, said = engine.start(chance), []
        for _ in range(20):
            if engine.mover(state) is None:
                break
            move = rng.choice(engine.legal(state))
            said.append((engine.mover(state), str(move)))
            state = engine.apply(state, move, chance)
        outcome = engine.outcome(state)
        results.append((said, outcome and outcome.scores))
    assert results[0] == results[1]


def test_observations_hide_the_hands_of_others() -> None:
    engine = builtin("trumps")
    state = engine.start(RandomChance(0))
    deals = [event for event in engine.observe(state, 0).events if event.kind == "move"]
    assert [(event.target, event.number, event.cards is None) for event in deals] == [
        ("hand(0)", 7, False),
        ("hand(1)", 7, True),
    ]


def test_the_grounding_does_not_grow_with_the_history() -> None:
    engine = builtin("durak", {"lowestRank": "11"})
    sizes: list[int] = []
    chance, rng = RandomChance(1), random.Random(1)
    state = engine.start(chance)
    while engine.mover(state) is not None:
        state = engine.apply(
            state, rng.choice(engine.legal(state)), chance, lambda grounding: sizes.append(len(grounding))
        )
    half = len(sizes) // 2
    assert half > 10
    assert max(sizes[half:]) < 2 * max(sizes[:half])


def test_the_same_chance_gives_the_same_events() -> None:
    engine = builtin("skat")
    first, second = (engine.events(play(engine, seed=7)) for _ in range(2))
    assert first == second
