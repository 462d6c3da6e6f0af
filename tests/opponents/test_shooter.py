"""The opponent that shoots the moon, and the command that measures what it gains."""

from __future__ import annotations

import json
import random

import pytest

from fcdl.agents import Agent
from fcdl.agents.agent import KIND_MODULES
from fcdl.agents.hearts import HeartsRules
from fcdl.engines import make_engine
from fcdl.model import RandomChance, ScriptedChance
from fcdl.model.moves import Move
from tests.games.table import make_game
from tests.opponents import moon
from tests.opponents.shooter import NEVER, Shooter

GAME = make_game("hearts", options={"target": "0", "passing": "no"})
ENGINE = make_engine(GAME)
STRONG = "AS KS QS JS TS AH KH QH JH TH AC KC AD"


def dealt(first: str) -> list[int]:
    """A deal in which seat 0 has these cards; Shuffle's order is dealt in turns or in hands, so it is looked up."""
    deck = GAME.flowchart.deck
    mine = [deck.cards_with_code(code)[0] for code in first.split()]
    rest = [card for card in range(52) if card not in mine]
    for order in ([*mine, *rest], [card for four in zip(mine, *[iter(rest)] * 3, strict=True) for card in four]):
        state = ENGINE.start(ScriptedChance([order]))
        if set(ENGINE.zones(state)["hand(0)"]) == set(first.split()):  # type: ignore[attr-defined]
            return order
    raise AssertionError


def test_a_hand_that_takes_everything_shoots_the_moon() -> None:
    order = dealt(STRONG)
    chance = ScriptedChance([order])
    state = ENGINE.start(chance)
    players: list[Agent] = [Shooter(GAME, True, 0.35, 20), *[HeartsRules(GAME, NEVER) for _ in range(3)]]
    dice = random.Random(1)
    while (seat := ENGINE.mover(state)) is not None:
        move = players[seat].choose(ENGINE.observe(state, seat), ENGINE.legal(state), dice)
        state = ENGINE.apply(state, move, chance)
    outcome = ENGINE.outcome(state)
    assert outcome is not None
    assert outcome.scores == (0, 26, 26, 26)


def test_once_another_has_points_it_plays_like_the_rules() -> None:
    """Also where it never shoots, and in hands that do not allow it: move by move the same as `hearts.rules`."""
    for shoot in (True, False):
        player, rules = Shooter(GAME, shoot, 0.35, 10), HeartsRules(GAME, NEVER)
        chance = RandomChance("weak")
        state = ENGINE.start(chance)
        compared = 0
        while (seat := ENGINE.mover(state)) is not None:
            legal = ENGINE.legal(state)
            move = legal[0]
            if seat == 1:
                seen = ENGINE.observe(state, seat)
                dice, same = random.Random(len(legal)), random.Random(len(legal))
                same.getrandbits(63)
                move = rules.choose(seen, legal, same)
                taken = sum(ENGINE.outcome(state) is None and state.scores[other] for other in (0, 2, 3))  # type: ignore[attr-defined]
                if taken or not shoot:
                    assert player.choose(seen, legal, dice) == move
                    compared += len(legal) > 1
            state = ENGINE.apply(state, move, chance)
        assert compared > 3


def test_the_gain_is_counted_from_pairs_of_games() -> None:
    one = moon.Round((0, 26), (5, 7), tried=True, shot=True, others_shot=False)
    assert one.gain == 24
    row = moon.Against("a", [one, moon.Round((20, 2), (20, 2), False, False, False)]).summary()
    assert row["gain_of_shooting"]["mean"] == 12
    assert row["was_shot"]["rounds"] == row["tried"] == 1
    assert "gain of shooting: 12.00" in moon.told(row)


def test_the_command_measures_players(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcdl.agents.agent.KIND_MODULES", KIND_MODULES)
    moon.main(["--agents", "random/hearts.rules", "--deals", "1", "--json"])
    rows = json.loads(capsys.readouterr().out)
    assert [row["agent"] for row in rows] == ["random", "hearts.rules"]
    assert all(row["rounds"] == 1 for row in rows)


def test_passing_keeps_what_the_moon_needs() -> None:
    game = make_game("hearts", options={"target": "0"})
    engine = make_engine(game)
    chance = ScriptedChance([dealt("AS KS QS JS AH KH QH JH AC KC 2D 3D 4D")])
    state = engine.start(chance)
    player = Shooter(game, True, 0.1, 20)
    picked = set()
    dice = random.Random(1)
    for _ in range(3):
        move = player.choose(engine.observe(state, 0), engine.legal(state), dice)
        assert move.kind == "pick"
        picked.add(move)
        state = engine.apply(state, move, chance)
    assert not picked & {Move("pick", card) for card in ("AH", "KH", "QH", "JH", "AS", "QS")}
