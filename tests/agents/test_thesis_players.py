"""What all players of the theses have in common: whole games, no hidden knowledge, their own game only."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from fcdl.agents import AgentError, Thinker, make_agent
from fcdl.arena.play import play
from fcdl.data import data_text
from fcdl.engines import make_engine
from fcdl.language.load import load_flowchart
from fcdl.model.chance import RandomChance
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move
from fcdl.model.outcome import Reason
from tests.games.table import make_game

DURAK = ("durak.random", "durak.greedy", "durak.smart")
MONTE_CARLO = "oh_hell.montecarlo:samples=1,iterations=100,visits=10"
OH_HELL = ("oh_hell.random", *(f"oh_hell.informed:version={version}" for version in (1, 2, 3)), MONTE_CARLO)
HEARTS = ("hearts.rules", "hearts.rules:threshold=0")
GAMES = dict.fromkeys(DURAK, "durak") | dict.fromkeys(OH_HELL, "oh_hell") | dict.fromkeys(HEARTS, "hearts")

Options = Mapping[str, str | int]
VARIANTS: Mapping[str, Sequence[tuple[int, Options]]] = {
    "durak": [
        *[(2, {"lowestRank": rank}) for rank in (2, 6, 9, 12, 13)],
        (2, {"trumps": "no"}),
        *[(players, {}) for players in (3, 4, 6)],
    ],
    "oh_hell": [
        *[(players, {"firstHand": 5}) for players in (2, 3, 4, 7)],
        (4, {"firstHand": 9}),
        (3, {"firstHand": 4, "rounds": "downAndUp", "noTrumps": 3, "hook": "no"}),
        (4, {"firstHand": 4, "halfBlind": 2}),
        (5, {"firstHand": 4, "blind": 1}),
    ],
    "hearts": [
        (4, {"target": 0}),
        (4, {"target": 20, "passTo": "leftRightAcross", "firstTrick": "noPoints", "queenBreaks": "yes"}),
        (4, {"target": 0, "passing": "no", "anyClub": "yes", "firstTrick": "anything", "jackBonus": "yes"}),
    ],
}


class Checked:
    """A player that now and then is compared with one that knows nothing of the game so far."""

    def __init__(self, name: str, game: Game) -> None:
        self.name = name
        self.game = game
        self.agent = make_agent(name, game)

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        """What the player chooses."""
        seed = rng.random()
        move = self.agent.choose(observation, legal, random.Random(seed))
        if seed < 0.05:
            fresh = make_agent(self.name, self.game)
            assert isinstance(fresh, Thinker)
            assert fresh.choose(observation, legal, random.Random(seed)) == move
            assert fresh.think(observation, legal, random.Random(seed)).move == move
        return move


@pytest.mark.parametrize("name", GAMES)
def test_whole_games_are_played_and_nothing_depends_on_what_was_read_before(name: str) -> None:
    for players, options in VARIANTS[GAMES[name]]:
        game = make_game(GAMES[name], players, options)
        engine = make_engine(game)
        agents = [Checked(name, game) for _ in range(players)]
        for seed in ("1", "2"):
            assert play(engine, agents, seed, seed).reason == str(Reason.END)


class OtherWorld(RandomChance):
    """The same first cards of the pack and the same last one as another seed's, all else mixed anew."""

    def __init__(self, seed: int, kept: int) -> None:
        super().__init__(seed)
        self.kept = kept

    def shuffle(self, cards: Sequence[int]) -> list[int]:
        """One order in two parts."""
        order = super().shuffle(cards)
        hidden = order[self.kept : -1]
        random.Random(f"{order} mixed").shuffle(hidden)
        return [*order[: self.kept], *hidden, order[-1]]


@pytest.mark.parametrize("name", GAMES)
def test_worlds_that_look_the_same_are_played_the_same(name: str) -> None:
    game = make_game(GAMES[name], 2 if GAMES[name] == "durak" else 4)
    engine = make_engine(game)
    hand = 6 if GAMES[name] == "durak" else 13
    first_player, other_first_player = make_agent(name, game), make_agent(name, game)
    compared = 0
    for seed in range(80):
        chances = (RandomChance(seed), OtherWorld(seed, hand))
        states = [engine.start(chance) for chance in chances]
        assert engine.events(states[0]) != engine.events(states[1])
        while engine.mover(states[0]) == engine.mover(states[1]) == 0:
            told, other = (engine.observe(state, 0) for state in states)
            legal = engine.legal(states[0])
            if told != other:
                break
            move = first_player.choose(told, legal, random.Random(seed))
            assert move == other_first_player.choose(other, legal, random.Random(seed))
            compared += 1
            states = [engine.apply(state, move, chance) for state, chance in zip(states, chances, strict=True)]
    assert compared >= 15


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("other", ["trumps", "durak", "oh_hell", "hearts"])
def test_only_their_own_game_is_played(name: str, other: str) -> None:
    game = make_game(other)
    if GAMES[name] == other:
        make_agent(name, game)
        return
    with pytest.raises(AgentError, match=f"'{name.partition(':')[0]}' plays .* only, not {game.flowchart.title}"):
        make_agent(name, game)


def test_a_renamed_copy_is_the_same_game_and_a_chart_that_lacks_what_is_needed_is_not(tmp_path: Path) -> None:
    text = data_text("games", "durak.fcdl")
    copy = tmp_path / "fools.fcdl"
    copy.write_text(text)
    make_agent("durak.smart", Game.make(load_flowchart(str(copy)), name="fools"))
    copy.write_text(text.replace("trumpSuit", "best"))
    with pytest.raises(AgentError, match=r"needs trumpSuit, which this chart of Durak does not have"):
        make_agent("durak.smart", Game.make(load_flowchart(str(copy)), name="fools"))


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("oh_hell.informed:version=4", "expected a whole number from 1 to 3"),
        ("hearts.rules:threshold=27", "expected a whole number from 0 to 26"),
        ("durak.smart:depth=1", r"agent 'durak\.smart' has no parameter 'depth'"),
    ],
)
def test_bad_parameters_are_named(agent: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        make_agent(agent, make_game("trumps"))


def test_an_observation_that_does_not_go_on_is_read_from_the_start() -> None:
    game = make_game("hearts", 4, {"target": 0})
    engine = make_engine(game)
    agent = make_agent("hearts.rules", game)
    chosen: dict[Observation, str] = {}
    for turn in range(2):
        for seed in (1, 2):
            state, chance = engine.start(RandomChance(seed)), RandomChance(seed)
            for _ in range(30):
                seat = engine.mover(state)
                assert seat is not None
                told = engine.observe(state, seat)
                move = agent.choose(told, engine.legal(state), random.Random(7))
                assert chosen.setdefault(told, str(move)) == str(move)
                state = engine.apply(state, move, chance)
        assert len(chosen) == 60, turn
