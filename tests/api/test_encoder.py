"""Observations as numbers: what each column says is so, and nothing hidden is in it."""

import random

import numpy as np
import pytest

import fcdl
from fcdl.api.encoder import Encoder
from tests.agents.test_no_cheating import engine, twins
from tests.api.test_state import TWO_DECKS, play_at_random
from tests.games.some import some_games

GAMES = fcdl.builtin_names()


def states(game: fcdl.Game, seed: int, moves: int) -> list[fcdl.State]:
    """The positions of a random game."""
    rng, state = random.Random(seed), game.new(seed)
    found: list[fcdl.State] = []
    while not state.over and len(found) < moves:
        found.append(state.copy())
        state.play(rng.choice(state.legal))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_every_column_has_a_name_of_its_own(name: str) -> None:
    encoder = fcdl.load(name).encoder
    assert len(encoder.columns) == len(set(encoder.columns)) == encoder.shape[0]
    assert encoder.encode(encoder.game.new(1).observation()).shape == encoder.shape


@pytest.mark.parametrize("chart", [*some_games(), pytest.param(TWO_DECKS, id="copies")])
def test_numbers_say_what_is_on_the_table(chart: str) -> None:
    """What is held is there, what is there may be there, and places have their sizes; for every seat."""
    game = fcdl.load(chart)
    encoder = game.encoder
    for state in states(game, 3, 60)[::7]:
        zones = state.zones
        for me in range(game.players):
            parts = encoder.split(encoder.encode(state.observation(me)))
            for zone in game.zones:
                name, _, owner = zone.partition("(")
                place = encoder.places.index(encoder._spoken(*game.places[zone], me))
                cards = zones.get(zone, ())
                assert parts["sizes"][place] == len(cards)
                for number, code in enumerate(encoder.cards):
                    held, maybe = parts["held"][place, number], parts["maybe"][place, number]
                    assert held <= cards.count(code)
                    assert held == cards.count(code) or maybe == 1
                if name == "hand" and owner[:-1] == str(me) and game.flowchart.zones["hand"].visibility == "owner":
                    assert parts["held"][place].sum() == len(cards)
            for (variable, offset), column in zip(encoder._variables, _value_columns(encoder), strict=True):
                owner_seat = None if offset is None else (offset + me) % game.players
                key = variable.name if owner_seat is None else f"{variable.name}({owner_seat})"
                if variable.type == "int" and parts["values"][column]:
                    assert parts["values"][column + 1] == int(state.values[key])


def _value_columns(encoder: Encoder) -> list[int]:
    names = [name for name in encoder.columns if name.startswith("values ")]
    return [place for place, name in enumerate(names) if name.endswith(" known")]


@pytest.mark.parametrize("name", some_games())
def test_worlds_that_look_the_same_have_the_same_numbers(name: str) -> None:
    table = engine(name)
    game = fcdl.load(name, table.game.players, options={key: table.game.option_text(key) for key in table.game.options})
    for state, twin in twins(table, 9, 4):
        one, two = (Encoder(game).encode(table.observe(position, position.mover)) for position in (state, twin))
        assert np.array_equal(one, two)


def test_reading_on_gives_what_reading_from_the_start_gives() -> None:
    game = fcdl.load("durak", 3)
    kept = game.encoder
    for state in states(game, 5, 80):
        seen = state.observation()
        assert np.array_equal(kept.encode(seen), Encoder(game).encode(seen))


def test_numbers_are_counted_from_the_seat_that_sees() -> None:
    game = fcdl.load("hearts", target=0, passing="no")
    state = play_at_random(game.new(seed=2), moves=9)
    last = state.moves[-1]
    for me in range(4):
        parts = game.encoder.split(game.encoder.encode(state.observation(me)))
        by, what = int(parts["history"][0, :4].argmax()), int(parts["history"][0, 4:].argmax())
        mover = state.events[[event.move for event in state.events].index(last)].seat
        assert ((me + by) % 4, game.actions[what]) == (mover, last)
        assert parts["seat"].argmax() == me


def test_secret_picks_of_others_are_not_told() -> None:
    game = fcdl.load("hearts", target=0)
    state = game.new(seed=1).play("pick AS")
    mine, others = (game.encoder.split(game.encoder.encode(state.observation(seat))) for seat in (0, 1))
    assert mine["history"][0, 4:].sum() == 1
    assert others["history"][0, 4:].sum() == 0
    assert others["history"][0, :4].sum() == 1


def test_history_is_as_long_as_asked_for() -> None:
    game = fcdl.load("trumps")
    encoder = Encoder(game, history=3)
    assert encoder.parts["history"].shape == (3, 2 + 52)
    state = play_at_random(game.new(seed=1), moves=5)
    assert encoder.split(encoder.encode(state.observation(0)))["history"].sum() == 6


def test_mask_has_the_legal_actions() -> None:
    game = fcdl.load("skat")
    state = game.new(seed=1)
    assert list(np.flatnonzero(game.encoder.mask(state.legal))) == sorted(state.actions)
