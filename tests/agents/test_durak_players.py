"""The players of the Durak thesis (chapter 4): its examples, and the same rules as policies of the native engine."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

import pytest

from fcdl.agents.agent import AgentError, Clairvoyant
from fcdl.agents.durak import (
    DurakGreedy,
    DurakPlayer,
    DurakRandom,
    DurakSmart,
    basic_evaluation,
    greedy_policy,
    is_badly_covered,
    weaknesses,
)
from fcdl.agents.rules import rank_value, suit_code
from fcdl.model.chance import RandomChance
from fcdl.model.events import Event, observation
from fcdl.model.moves import PASS
from tests.agents.told import dealt, make_game, moved, observed, played, plays, said
from tests.games.table import Played
from tests.games.test_durak import thesis_counts

pytest.importorskip("fcdl.engines.native._engine")
from fcdl.beliefs.sampler import Beliefs
from fcdl.engines.native import NativeEngine
from fcdl.engines.native.engine import State
from fcdl.engines.native.search import Search

GAME = make_game("durak", 2)
ALL = [GAME.flowchart.deck.code(card) for card in GAME.cards]


def situation(mine: str, theirs: str, *, defender: int, trumps: str = "spades", left: int = 0) -> list[Event]:
    """Player 0 has these cards and player 1 those, which 0 has not seen; all others but `left` are on the discard."""
    gone = [card for card in ALL if card not in f"{mine} {theirs}".split()]
    in_pack = gone[:left]
    return [
        *dealt(GAME, 0, mine),
        moved("pack", "hand(1)", len(theirs.split())),
        moved("pack", "discard", " ".join(gone[len(in_pack) :])),
        *said({"trumpSuit": trumps, "attacker": str(1 - defender), "defender": str(defender), "taking": "no"}),
    ]


def chosen(agent: DurakPlayer, events: list[Event], legal: str) -> set[str]:
    return {str(agent.choose(observed(0, events), plays(legal), random.Random(seed))) for seed in range(30)}


def test_greedy_attacks_and_defends_with_the_lowest_card() -> None:
    # Section 1.10: A has 6H 8C 8D AC; B has 8H AH 6S KC, spades are trumps, and beats the 6H with the 8H (4.2.1).
    attack = situation("6H 8C 8D AC", "8H AH 6S KC", defender=1)
    assert chosen(DurakGreedy(GAME), attack, "6H 8C 8D AC") == {"play 6H"}
    defence = [*situation("8H AH 6S KC", "8C 8D AC 6H", defender=0), played(1, "6H", "attack")]
    assert chosen(DurakGreedy(GAME), defence, "8H AH 6S pass") == {"play 8H"}


def test_greedy_throws_in_no_trumps_while_there_are_cards_to_draw() -> None:
    # Figure 4.2
    for left, move in ((3, "pass"), (0, "play 7S")):
        events = [*situation("7S 9S 7D", "8H AH", defender=1, left=left), played(0, "7D", "attack")]
        assert chosen(DurakGreedy(GAME), events, "7S pass") == {move}
    only_trumps = situation("7S 9S", "8H AH", defender=1, left=3)
    assert chosen(DurakGreedy(GAME), only_trumps, "7S 9S") == {"play 7S"}, "somebody must attack"
    defence = [*situation("7S 9S", "8H AH", defender=0, left=3), played(1, "AH", "attack")]
    assert chosen(DurakGreedy(GAME), defence, "7S 9S pass") == {"play 7S"}, "better than to take"


def test_the_face_up_trump_card_is_still_to_be_drawn() -> None:
    events = situation("7S 9S 7D", "8H AH", defender=1, left=1)
    events += [moved("pack", "trumpCard", "6C"), played(0, "7D", "attack")]
    assert chosen(DurakGreedy(GAME), events, "7S pass") == {"pass"}


def test_a_weakness_is_a_rank_that_can_be_beaten_in_every_suit() -> None:
    # The example of section 2.8.
    mine, theirs = ["TH", "TS", "KD"], ["QH", "QS", "JC"]
    assert weaknesses(mine, theirs) == ["T"]
    assert not is_badly_covered("T", mine, {"K"}, theirs)
    assert is_badly_covered("T", mine, {"Q"}, theirs)
    assert weaknesses(["TH", "TD"], theirs) == [], "nothing beats the ten of diamonds"


def test_smart_with_one_weakness_plays_it_last() -> None:
    # Section 4.2.2: KD first, then the tens; clubs stand for the trumps that player O does not have.
    events = situation("TH TS KD", "QH QS JD", defender=1, trumps="clubs")
    assert chosen(DurakSmart(GAME), events, "TH TS KD") == {"play KD"}
    assert chosen(DurakGreedy(GAME), events, "TH TS KD") == {"play TH", "play TS"}
    last = situation("TH TS", "QH QS JD", defender=1, trumps="clubs")
    assert len(chosen(DurakSmart(GAME), last, "TH TS")) == 1


def test_smart_with_several_weaknesses_attacks_with_a_badly_covered_one() -> None:
    # Figure 4.7: the 7H is beaten by the JH and ends the attack; the 8S is beaten by the 9S, and then the 9D follows.
    events = situation("7H 8S 9D KD", "JH 9S 6D", defender=1, trumps="clubs")
    assert chosen(DurakSmart(GAME), events, "7H 8S 9D KD") == {"play 8S"}
    assert chosen(DurakGreedy(GAME), events, "7H 8S 9D KD") == {"play 7H"}
    with_trumps = situation("7H 8S 9D KD", "JH 9S 6C", defender=1, trumps="clubs")
    assert chosen(DurakSmart(GAME), with_trumps, "7H 8S 9D KD") == {"play 7H"}, "not against trumps"
    early = situation("7H 8S 9D KD", "JH 9S 6D", defender=1, trumps="clubs", left=4)
    assert chosen(DurakSmart(GAME), early, "7H 8S 9D KD") == {"play 7H"}, "the opponent's hand is not known"


def test_smart_defends_with_a_rank_that_the_opponent_does_not_have() -> None:
    events = [*situation("9H QH AH", "9D 9S TD 7H", defender=0), played(1, "7H", "attack")]
    assert chosen(DurakSmart(GAME), events, "9H QH AH pass") == {"play QH"}
    assert chosen(DurakGreedy(GAME), events, "9H QH AH pass") == {"play 9H"}
    all_known = [*situation("9H QH 6S", "9D QS TD 7H", defender=0), played(1, "7H", "attack")]
    assert chosen(DurakSmart(GAME), all_known, "9H QH 6S pass") == {"play 9H"}, "no trump for this"


def test_smart_goes_by_the_cards_it_has_seen_while_there_are_others_to_draw() -> None:
    # As in the program of the thesis, the first card of figure 4.3 is the one that came into the hand first.
    start = situation("QH AH 6D", "9D QS TD 7H", defender=0, left=6)
    drawn = [*start, *said({"bouts": "2"}), moved("pack", "hand(0)", "8H 9H")]
    attacked = [*drawn, played(1, "7H", "attack")]
    assert chosen(DurakSmart(GAME), attacked, "8H 9H QH AH pass") == {"play QH"}, "not the lowest"
    assert chosen(DurakGreedy(GAME), attacked, "8H 9H QH AH pass") == {"play 8H"}
    taken = [*start, *said({"bouts": "2"}), played(0, "6D", "attack"), moved("pack", "attack", "QC")]
    taken += [moved("attack", "hand(1)", "6D QC"), moved("pack", "hand(0)", "8H 9H"), played(1, "7H", "attack")]
    assert chosen(DurakSmart(GAME), taken, "8H 9H QH AH pass") == {"play AH"}, "the opponent took a queen"


def test_smart_gives_no_trumps_to_a_defender_who_takes() -> None:
    events = [*situation("7S 7D AD", "8H AH", defender=1), played(0, "7D", "attack")]
    assert chosen(DurakSmart(GAME), [*events, *said({"taking": "yes"})], "7S pass") == {"pass"}
    assert chosen(DurakSmart(GAME), events, "7S pass") == {"play 7S"}


def test_random_passes_about_one_time_in_five() -> None:
    events = [*situation("9H QH AH", "9D 7H", defender=0), played(1, "7H", "attack")]
    agent, dice = DurakRandom(GAME), random.Random(4)
    passes = sum(agent.choose(observed(0, events), plays("9H QH AH pass"), dice) == PASS for _ in range(2000))
    # 21 of 100 (figure 4.1: a number from 0 to 99 that is at most 20), standard deviation 18.
    assert abs(passes - 420) < 4 * 18
    first = situation("9H QH AH", "9D 7H", defender=1)
    assert "pass" not in chosen(agent, first, "9H QH AH")


def positions(engine: NativeEngine, games: int, seed: int) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """All decisions of some games, with what happened before; half of the moves at random, half the lowest card."""
    dice = random.Random(seed)
    for number in range(games):
        chance = RandomChance(f"{seed} {number}")
        state = engine.start(chance)
        events: tuple[Event, ...] = ()
        while engine.mover(state) is not None:
            events += engine.latest(state)
            yield state, events
            legal = engine.legal(state)
            cards = [move for move in legal if move != PASS]
            lowest = min(cards, key=lambda move: rank_value(move.what), default=PASS)
            state = engine.apply(state, dice.choice(legal) if dice.random() < 0.5 else lowest, chance)


@pytest.mark.parametrize(
    ("players", "options"), [(2, {}), (2, {"trumps": "no"}), (2, {"lowestRank": 2}), (3, {}), (4, {"lowestRank": 9})]
)
def test_the_policy_of_the_native_engine_is_the_greedy_player(players: int, options: dict[str, str | int]) -> None:
    game = make_game("durak", players, options)
    policy = greedy_policy(game)
    engine = NativeEngine(game, policies=[policy])
    agent = DurakGreedy(game)
    compared = 0
    for state, events in positions(engine, 5, 5):
        legal, seat = engine.legal(state), engine.mover(state)
        assert seat is not None
        if len(legal) == 1:
            continue
        agent.table.read(observation(events, seat))
        advised, _ = agent.advise(seat, legal, random.Random(0))
        worths = {}
        for move in legal:
            number = engine.move_id(state, move)
            assert number is not None
            worth = (f"{policy.name}.passing", seat) if move == PASS else (f"{policy.name}.play", seat, number)
            worths[move] = engine.call(state, *worth)
        assert set(advised) == {move for move in legal if worths[move] == max(worths.values())}
        compared += 1
    assert compared > 60


def plain_evaluation(hands: list[list[str]], table: list[str], early: bool, attacker: int, trumps: str) -> int:
    """Figures 4.5, 4.6 and 4.8 for player 0; `table` is what was played in this bout."""

    def value(card: str) -> int:
        return rank_value(card) + (9 if card[1] == trumps else 0)

    result = (len(hands[1]) - len(hands[0])) * (1 if early else 15)
    if len(hands[0]) == len(hands[1]):
        result += sum(map(value, hands[0])) - sum(map(value, hands[1]))
    ranks = {card[0] for card in table}
    possible = [card for card in hands[attacker] if not table or card[0] in ranks]
    theirs = hands[1 - attacker]
    attacks = len(table) % 2 == 0
    if not early and attacks and not any(card[1] == trumps for card in theirs):
        result += 500 * (len(weaknesses(possible, theirs)) == 1) * (1 if attacker == 0 else -1)
    return result


def test_the_basic_evaluation_is_that_of_the_thesis() -> None:
    engine = NativeEngine(GAME, functions=[basic_evaluation(GAME)])
    seen = set()
    for state, events in positions(engine, 30, 6):
        table = told_zones(events)
        hands = [table.get(f"hand({seat})", []) for seat in (0, 1)]
        attack, defence = table.get("attack", []), table.get("defence", [])
        if len(attack) > len(defence) + 1:
            continue  # added after a take
        early = bool(table.get("pack") or table.get("trumpCard"))
        values = {event.name: event.value for event in events if event.kind == "assign"}
        bout = attack + defence
        attacker, trumps = int(values["attacker"] or 0), suit_code(str(values["trumpSuit"]))
        expected = plain_evaluation(hands, bout, early, attacker, trumps)
        assert engine.call(state, "durak.basic", 0) == expected
        assert engine.call(state, "durak.basic", 1) == -expected
        seen.add((early, abs(expected) > 400))
    assert seen == {(True, False), (False, False), (False, True)}


def told_zones(events: Sequence[Event]) -> dict[str, list[str]]:
    """Where all cards are, from all events."""
    zones: dict[str, list[str]] = {"pack": list(ALL)}
    for event in events:
        if event.kind in ("move", "play"):
            for card in event.cards or ():
                zones[str(event.source)].remove(card)
                zones.setdefault(str(event.target), []).append(card)
    return zones


def test_with_open_cards_smart_knows_the_opponents_ranks() -> None:
    engine = NativeEngine(GAME)
    agent = DurakSmart(GAME)
    assert isinstance(agent, Clairvoyant)
    differences = 0
    for state, events in positions(engine, 10, 7):
        seat, legal = engine.mover(state), engine.legal(state)
        assert seat is not None
        told = observation(events, seat)
        agent.table.read(told)
        if len(legal) == 1 or agent.defender != seat or not agent.is_early:
            continue
        ranks = {card[0] for card in told_zones(events)[f"hand({1 - seat})"]}
        plain = [move for move in legal if move != PASS and not agent.is_trump(move.what)]
        safe = {move for move in plain if move.what[0] not in ranks}
        closed = agent.choose(told, legal, random.Random(1))
        taken = {card[0] for card in agent.seen(1 - seat)}
        assert not plain or closed.what[0] not in taken or {move.what[0] for move in plain} <= taken
        assert plain or closed == DurakGreedy(GAME).choose(told, legal, random.Random(1))
        agent.peek(state.data)
        opened = agent.choose(told, legal, random.Random(1))
        assert opened in safe if safe else opened == DurakGreedy(GAME).choose(told, legal, random.Random(1))
        assert agent.choose(told, legal, random.Random(1)) == closed, "what was seen is forgotten"
        differences += opened != closed
    assert differences > 5


def test_when_nothing_is_left_to_draw_all_worlds_are_the_same() -> None:
    # Section 2.9; then the search has one tree with all iterations, as in the program of the thesis.
    engine = NativeEngine(GAME)
    beliefs = Beliefs(engine)
    counts: dict[bool, set[int]] = {True: set(), False: set()}
    for state, events in positions(engine, 2, 8):
        seat, left = engine.mover(state), told_zones(events)
        assert seat is not None
        worlds = beliefs.sample(observation(events, seat), 5, 1)
        early = bool(left.get("pack") or left.get("trumpCard"))
        counts[early].add(len(Search(engine, worlds.positions, worlds.weights, seat).copies))
    assert counts[False] == {1}
    assert max(counts[True]) == 5


def test_the_basic_evaluation_is_for_two() -> None:
    with pytest.raises(AgentError, match=r"eval=durak\.basic works for two players only"):
        basic_evaluation(make_game("durak", 3))
    with pytest.raises(AgentError, match="plays Durak only, not Hearts"):
        greedy_policy(make_game("hearts", 4))


@pytest.mark.slow
def test_two_greedy_players_need_as_many_plies_as_in_the_thesis() -> None:
    """By the program's way of counting: draws add nothing to the sums, which are divided by all games.

    Sections 2.6 and 2.7: 44.0 plies and 2.17 choices, but 8.3 bouts and 5.3 plies a bout. 8.3 is about the percentage
    of draws, which the program prints beside the bouts; 44.0 / 8.3 is 5.3.
    """
    engine, games = NativeEngine(GAME), 1000
    players = [DurakGreedy(GAME), DurakGreedy(GAME)]
    counts, logarithms = [], []
    for number in range(games):
        events: tuple[Event, ...] = ()
        legal_moves, chance = [], RandomChance(number)
        state = engine.start(chance)
        while (seat := engine.mover(state)) is not None:
            events += engine.latest(state)
            legal = engine.legal(state)
            legal_moves.append(tuple(map(str, legal)))
            logarithms.append(math.log(max(1, sum(move != PASS for move in legal))))
            move = players[seat].choose(observation(events, seat), legal, random.Random(f"{number} {len(legal_moves)}"))
            state = engine.apply(state, move, chance)
        outcome = engine.outcome(state)
        assert outcome is not None
        if any(outcome.scores):
            counts.append(thesis_counts(Played(GAME, events + engine.latest(state), tuple(legal_moves), outcome)))
    assert sum(ply for _, ply in counts) / games == pytest.approx(44.0, rel=0.04)
    assert sum(bout for bout, _ in counts) / games == pytest.approx(12.6, rel=0.04)
    assert math.exp(sum(logarithms) / len(logarithms)) == pytest.approx(2.17, abs=0.05)
    assert 1 - len(counts) / games == pytest.approx(0.083, abs=0.03)
