"""The worlds that clingo enumerates are exactly those that a brute-force search finds.

The search knows nothing of puzzles and formulas: it plays every order of the pack, every random number and every hidden
move, and keeps what looks the same to the seat.
"""

import random
from collections.abc import Iterator
from itertools import permutations

import pytest

from fcdl.beliefs.worlds import worlds
from fcdl.engines import make_engine
from fcdl.language.load import load_text
from fcdl.model import Chance, Engine, Game, Move, Observation, RandomChance, State
from fcdl.model.events import Event

Hidden = frozenset[tuple[int, tuple[str, ...]]]

TRICKS = """
deck ranks 2 3 4 suits clubs hearts
chart main
start
Shuffle
Deal(2)
leader = player(random(2))
trick:
cardsRemaining(player(0)) > 0?    no -> finish
playCard(leader, card(any, any))
playerHas(next(leader), card(any, suit(middle(leader))))?   no -> free
playCard(next(leader), card(any, suit(middle(leader)))) -> done
free:
playCard(next(leader), card(any, any))
done:
score(leader) = score(leader) + rankValue(middle(leader))
Stack.empty    -> trick
finish:
end
"""

PASSING = """
deck ranks 2 3 4 suits clubs hearts
zone parcel(player): seen by owner
define allTwos = every(d in hand(player(1)) where rank(d) == 2)
chart main
start
Shuffle
Deal(2)
pick(player(0), 1, card(any, any), hand(player(0)), parcel(player(0)))
pick(player(1), 1, cards c in cards where rank(c) != 2 | allTwos, hand(player(1)), parcel(player(1)))
move(all, parcel(player(0)), hand(player(1)))
move(all, parcel(player(1)), hand(player(0)))
first = lowest(min(rankValue(c) for c in hand(p)) for p in players)
playCard(first, cards c in hand(first) where every(d in hand(first) where rankValue(d) >= rankValue(c)))
playCardOrPass(next(first), card(any, hearts))
score(first) = count(c in hand(next(first)) where suit(c) == hearts)
pickUp(first, 1)
end
"""

SHEDDING = """
deck ranks 2 3 suits clubs hearts spades
zone table: face up
chart main
start
Shuffle
Deal(1)
move(1, pack, table)
turn = player(0)
again:
playCardOrPass(turn, card(any, suit(table)), table)
passed(turn)?    no -> played
pickUp(turn, 1)
played:
empty(hand(turn)) | empty(pack)?    yes -> finish
turn = next(turn) -> again
finish:
end
"""

SECRET_BIDS = """
deck ranks 2 3 suits clubs hearts
each player has bid = 0
secret bid
chart main
start
Shuffle
Deal(2)
choose(player(0), bid(player(0)), {0, 1 if playerHas(player(0), card(3, hearts)), 2})
choose(player(1), bid(player(1)), numbers k in 0 to 2 where k != count(c in hand(player(1)) where suit(c) == clubs))
bid(player(0)) > bid(player(1))?    no -> other
show(hand(player(0)), player(1))
other:
playCard(player(0), card(any, any))
playCard(player(1), card(any, any))
end
"""

CHARTS = {"tricks": TRICKS, "passing": PASSING, "shedding": SHEDDING, "secret bids": SECRET_BIDS}


class SearchChance:
    """Answers from a script; asked once too often it says what was asked."""

    def __init__(self, script: list[int | tuple[int, ...]]) -> None:
        self.script = script
        self.used = 0
        self.question: int | tuple[int, ...] | None = None

    def _answer(self, question: int | tuple[int, ...]) -> int | tuple[int, ...]:
        if self.used == len(self.script):
            self.question = question
            raise LookupError
        self.used += 1
        return self.script[self.used - 1]

    def shuffle(self, cards: object) -> list[int]:
        assert isinstance(cards, (list, tuple))
        answer = self._answer(tuple(cards))
        assert isinstance(answer, tuple)
        return list(answer)

    def number(self, below: int) -> int:
        answer = self._answer(below)
        assert isinstance(answer, int)
        return answer


def _continuations(engine: Engine, state: State | None, move: Move | None) -> Iterator[State]:
    """Every position that a move (or the start) can lead to, over all outcomes of chance."""
    pending: list[list[int | tuple[int, ...]]] = [[]]
    while pending:
        script = pending.pop()
        chance = SearchChance(script)
        try:
            yield engine.start(chance) if state is None or move is None else engine.apply(state, move, chance)
        except LookupError:
            question = chance.question
            answers = range(question) if isinstance(question, int) else permutations(question or ())
            pending.extend([*script, answer] for answer in answers)


def _agrees(events: tuple[Event, ...], seen: tuple[Event, ...]) -> bool:
    return events == seen[: len(events)]


def brute_force(engine: Engine, observation: Observation) -> set[Hidden]:
    """What was hidden, in every history that looks like the observation."""
    seat, seen = observation.seat, observation.events
    found: set[Hidden] = set()
    pending = list(_continuations(engine, None, None))
    while pending:
        state = pending.pop()
        view = engine.observe(state, seat).events
        if not _agrees(view, seen):
            continue
        if len(view) == len(seen):
            found.add(_hidden(engine.events(state), seat))
            continue
        if engine.mover(state) is None:
            continue
        for move in engine.legal(state):
            pending.extend(_continuations(engine, state, move))
    return found


def _hidden(events: tuple[Event, ...], seat: int) -> Hidden:
    """The hidden parts of the events by their place in the observation."""
    parts = []
    place = 0
    for event in events:
        view = event.seen_by(seat)
        if view is None:
            continue
        if event.cards is not None and view.cards is None and event.kind != "show":
            parts.append((place, tuple(sorted(event.cards))))
        if event.value is not None and view.value is None:
            parts.append((place, (event.value,)))
        place += 1
    return frozenset(parts)


def _positions(engine: Engine, chance: Chance, rng: random.Random) -> Iterator[State]:
    state = engine.start(chance)
    while True:
        yield state
        if engine.mover(state) is None:
            return
        state = engine.apply(state, rng.choice(engine.legal(state)), chance)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", CHARTS)
def test_enumerated_worlds_are_those_of_a_brute_force_search(name: str, seed: int) -> None:
    flowchart = load_text(CHARTS[name]).flowchart
    assert flowchart is not None
    game = Game.make(flowchart, name=name)
    engine = make_engine(game)
    for state in _positions(engine, RandomChance(seed), random.Random(seed)):
        for seat in range(game.players):
            observation = engine.observe(state, seat)
            expected = brute_force(engine, observation)
            listed = [world.hidden for world in worlds(game, observation)]
            hidden = {frozenset((place, tuple(sorted(cards))) for place, cards in world) for world in listed}
            assert len(hidden) == len(listed), "a world came twice"
            assert _without_known(hidden, expected) == expected


def _without_known(hidden: set[Hidden], expected: set[Hidden]) -> set[Hidden]:
    """The search also lists parts that the seat can work out for itself; adds those to what the puzzle lists."""
    if not expected:
        return hidden
    places = {place for world in hidden for place, _ in world}
    certain = {part for part in frozenset.intersection(*expected) if part[0] not in places}
    return {world | certain for world in hidden}
