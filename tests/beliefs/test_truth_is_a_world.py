"""For every built-in game and seat: what really happened is one of the worlds, and every world's puzzle is exact."""

import random
from collections.abc import Iterator

import pytest

from fcdl.beliefs.formula import Formula
from fcdl.beliefs.puzzle import Puzzle, make_puzzle
from fcdl.beliefs.worlds import worlds
from fcdl.engines import make_engine
from fcdl.language.load import load_flowchart
from fcdl.model import Engine, Event, Game, RandomChance, State

GAMES: list[tuple[str, int, dict[str, str | int]]] = [
    ("trumps", 2, {}),
    ("kings_and_jacks", 2, {}),
    ("crazy_eights", 2, {}),
    ("durak", 2, {}),
    ("durak", 3, {"lowestRank": 10}),
    ("oh_hell", 3, {"firstHand": 4, "blind": 2, "halfBlind": 3}),
    ("hearts", 4, {"target": 30}),
    ("skat", 3, {}),
]


def positions(engine: Engine, seed: int) -> Iterator[State]:
    chance, rng = RandomChance(seed), random.Random(seed)
    state = engine.start(chance)
    while engine.mover(state) is not None:
        yield state
        state = engine.apply(state, rng.choice(engine.legal(state)), chance)


class Truth:
    """What really happened since the last shuffle of everything, as far as the puzzle's steps go."""

    def __init__(self, puzzle: Puzzle, events: tuple[Event, ...]) -> None:
        seen = [event for event in events if event.seen_by(puzzle.seat) is not None]
        deck = puzzle.game.flowchart.deck
        self.moved = [{deck.cards_with_code(code)[0] for code in seen[step.event].cards or ()} for step in puzzle.steps]
        place = dict.fromkeys(puzzle.game.cards, puzzle.start)
        self.places = [dict(place)]
        for step, cards in zip(puzzle.steps, self.moved, strict=True):
            assert {place[card] for card in cards} <= {step.source}
            place.update(dict.fromkeys(cards, step.target))
            self.places.append(dict(place))
        self.values = {
            event: puzzle.game.value_from_text(puzzle.value_types[event], seen[event].value or "")
            for event in puzzle.hidden_values
        }

    def holds(self, formula: Formula) -> bool:
        match formula.kind, formula.atom:
            case "at", (int(step), int(card), zone):
                return self.places[step][card] == zone
            case "moved", (int(step), int(card)):
                return card in self.moved[step]
            case "hidden", (int(event), value):
                return self.values[event] == value
            case "atLeast", (int(number),):
                return sum(map(self.holds, formula.parts)) >= number
            case "not", _:
                return not self.holds(formula.parts[0])
            case "or", _:
                return any(map(self.holds, formula.parts))
        return formula.kind in ("and", "true") and all(map(self.holds, formula.parts))


@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_truth_is_a_world(name: str, players: int, options: dict[str, str | int]) -> None:
    game = Game.make(load_flowchart(name), name=name, players=players, options=options)
    engine = make_engine(game)
    rng = random.Random(name)
    for seed in range(3):
        states = list(positions(engine, seed))
        for state in rng.sample(states, min(4, len(states))):
            for seat in range(players):
                puzzle = make_puzzle(game, engine.observe(state, seat))
                assert puzzle.unclear == []
                truth = Truth(puzzle, engine.events(state))
                assert all(map(truth.holds, puzzle.required))


@pytest.mark.parametrize(("name", "players", "options"), GAMES)
def test_worlds_are_found_late_in_the_game(name: str, players: int, options: dict[str, str | int]) -> None:
    game = Game.make(load_flowchart(name), name=name, players=players, options=options)
    engine = make_engine(game)
    state = list(positions(engine, 5))[-2]
    for seat in range(players):
        found = list(worlds(game, engine.observe(state, seat), limit=50, seconds=60))
        assert found
        for world in found:
            cards = [card for _, content in world.zones for card in content]
            assert sorted(cards) == sorted(game.flowchart.deck.code(card) for card in game.cards)
            assert {zone for zone, _ in world.zones} <= set(game.zones)
