"""The true state sampling ratio: what it is by brute force, 1 without a model, resumable, by groups."""

import json
import math
import random
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from fcdl.api.game import load
from fcdl.arena import tssr
from fcdl.arena.play import play
from fcdl.arena.tssr import Measured, RatioError, Study, ratio, rows
from fcdl.beliefs.models import PolicyModel
from fcdl.beliefs.sampler import EQUAL, UNIFORM, Beliefs
from fcdl.cli import main
from fcdl.engines.native.engine import NativeEngine
from fcdl.engines.native.policies import Policy
from tests.beliefs.test_sampler import ALL, key, probabilities, small_game


def watched(measuring: tssr._Measuring, seed: str) -> tssr._Witness:
    """A game that was played by the model."""
    witness = tssr._Witness(measuring, random.Random(seed))
    play(measuring.engine, measuring.agents, seed, seed, witness=witness)
    return witness


@pytest.mark.parametrize("name", ["hands", "passes", "passing"])
def test_it_is_what_brute_force_finds(name: str) -> None:
    """In charts whose positions tell the whole history."""
    engine = small_game(name, ALL[name])
    measuring = tssr._Measuring(Study(engine.game, UNIFORM, (), "3", 1000))
    for seed in ("a", "b"):
        witness = watched(measuring, seed)
        for position, found in zip(witness.positions, witness.measured(0), strict=True):
            observation = engine.observe(position.state, position.seat)
            world = key(engine, position.state.data)
            model, chance = (probabilities(engine, observation, how)[world] for how in (UNIFORM, EQUAL))
            assert found.ratio == pytest.approx(model / chance, rel=0.1)


def test_equation_5_3() -> None:
    flat = np.zeros(99)
    assert ratio(0.0, flat, flat, 0.0) == pytest.approx(1)
    assert ratio(0.0, flat, flat, 0.01) == pytest.approx(1)
    assert ratio(0.0, np.full(99, -1e9), flat, 0.0) == pytest.approx(100), "all weight on the true world: at most n"
    assert ratio(math.log(2), flat, flat, 0.0) == pytest.approx(100 * 2 / 101)
    # By hand: 1, 2 or 3 of three draws are the true world, one of two, which is three times as likely as the other.
    by_hand = 2 * (3 / 8 * 3 / (3 + 2) + 3 / 8 * 6 / (6 + 1) + 1 / 8)
    two_of_three = ratio(math.log(3), np.zeros(2), np.zeros(2), 1 / 3)
    assert two_of_three == pytest.approx(3 * (12 / 27 * 3 / 5 + 6 / 27 * 6 / 7 + 1 / 27))
    assert by_hand > two_of_three / 2
    assert ratio(-math.inf, flat, flat, 0.0) == 0


@pytest.mark.parametrize("name", ["hearts", "skat"])
def test_equal_worlds_have_the_ratio_1(name: str) -> None:
    measuring = tssr._Measuring(Study(load(name), EQUAL, (), "1", 30, decisions=5))
    found = measuring.game(0)
    assert isinstance(found, list)
    assert [one.ratio for one in found] == pytest.approx([1.0] * 5)


def test_an_endless_temperature_is_any_move() -> None:
    """Its worths make no difference any more; what is left is what random players tell."""
    game = load("durak", 2)
    engine = NativeEngine(game, policies=[Policy("low", play="-rankValue(rank(card))")])
    model = PolicyModel(engine.compiled_policies["low"], softness=1e12, doubt=0)
    random_play = tssr._Measuring(Study(game, UNIFORM, (), "2", 50, decisions=6))
    endless = tssr._Measuring(Study(game, UNIFORM, (), "2", 50, decisions=6))
    endless.engine, endless.model, endless.beliefs = engine, model, Beliefs(engine, model)
    one, other = random_play.game(0), endless.game(0)
    assert isinstance(one, list)
    assert isinstance(other, list)
    assert [a.ratio for a in one] == pytest.approx([b.ratio for b in other])


def test_a_model_that_is_right_is_better_than_chance() -> None:
    measuring = tssr._Measuring(Study(load("durak", 2), "durak.greedy", ("durak.greedy",) * 2, "5", 100, decisions=10))
    logs = [math.log(one.ratio) for index in range(6) for one in measuring.game(index)]  # type: ignore[union-attr]
    assert np.mean(logs) > 3 * np.std(logs) / len(logs) ** 0.5


def test_groups_and_intervals() -> None:
    study = Study(load("skat"), EQUAL, (), "1", by=("contract",))
    games = [
        [Measured(None, ("none",), 1.0, None, True), Measured(number % 4, ("grand",), 2.0 + number, 5, True)]
        for number in range(12)
    ]
    found = rows(study, games, 3)
    assert [(row.groups, row.cards, row.before) for row in found] == [
        (("all",), None, False),
        (("all",), None, True),
        (("all",), (0, 2), False),
        (("all",), (3, 5), False),
        (("grand",), None, False),
        (("grand",), (0, 2), False),
        (("grand",), (3, 5), False),
        (("none",), None, False),
        (("none",), None, True),
    ]
    whole, grand = found[0], found[4]
    assert grand.mean == pytest.approx(7.5)
    assert grand.interval[0] < 7.5 < grand.interval[1]
    assert (whole.decisions, whole.games) == (24, 12)
    assert study.from_json(json.loads(json.dumps(study.to_json(games[3])))) == games[3]


@pytest.mark.parametrize(("by", "message"), [("matadors", "secret"), ("contrakt", "did you mean 'contract'")])
def test_bad_groups(by: str, message: str) -> None:
    with pytest.raises(RatioError, match=message):
        Study(load("skat"), EQUAL, (), "1", by=(by,))


def test_the_command(tmp_path: Path) -> None:
    text = "tssr skat --model greedy --games 2 --seed 1 --worlds 20 --decisions 4 --by declarer --agents random --json"
    arguments = text.split()
    one = CliRunner().invoke(main, [*arguments, "--resume", str(tmp_path / "run"), "-o", str(tmp_path / "all.csv")])
    assert one.exit_code == 0, one.output
    result = json.loads(one.stdout)
    assert result["rows"][0]["declarer"] == "all"
    assert result["rows"][0]["decisions"] == 8
    again = CliRunner().invoke(main, [*arguments, "--resume", str(tmp_path / "run"), "-o", str(tmp_path / "c.svg")])
    assert json.loads(again.stdout)["rows"] == result["rows"]
    assert (tmp_path / "all.csv").read_text().count("\n") == 9
    assert (tmp_path / "c.svg").read_text().startswith("<svg")
    wrong = CliRunner().invoke(main, ["tssr", "skat", "--model", "gredy"])
    assert wrong.exit_code == 2
    assert "expected one of" in wrong.output
