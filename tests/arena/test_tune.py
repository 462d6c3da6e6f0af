"""Curves and tuning: ranges of parameters, trials that can be resumed, and deals that were not tuned on."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from fcdl.agents import AgentError, agent
from fcdl.agents.agent import AgentKind, Parameter, one_of, real
from fcdl.arena.ranges import Range, read_open
from fcdl.arena.run import Run
from fcdl.arena.simulate import Counting, Setup
from fcdl.arena.sweep import Contest
from fcdl.arena.tune import Tuning
from fcdl.cli import main
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move
from tests.games.table import make_game


class Careful:
    """A player of Durak, the better the nearer `care` is to 0.7: otherwise it often passes for no reason."""

    def __init__(self, game: Game, care: float, mood: str) -> None:
        self.luck = 1 - abs(care - 0.7) if mood == "good" else 0.0

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        return rng.choice(legal) if rng.random() < self.luck else legal[-1]


KINDS: Mapping[str, AgentKind] = {
    "careful": AgentKind(
        Careful, "", {"care": Parameter(real(0, 1), 0.1, ""), "mood": Parameter(one_of("good", "bad"), "good", "")}
    )
}


@pytest.fixture(autouse=True)
def careful(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more agent."""
    monkeypatch.setattr(agent, "KIND_MODULES", (*agent.KIND_MODULES, __name__))


def fcdl(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == code, result.output
    return result.stdout if code == 0 else result.output


# --- ranges


def test_ranges_are_read_by_what_the_parameter_takes() -> None:
    found = read_open("ismcts:iterations=10..1000,c=1..2,pick=visits|value,nodes=500")
    assert found.ranges == {
        "iterations": Range(10, 1000, whole=True),
        "c": Range(1, 2),
        "pick": Range(words=("visits", "value")),
    }
    assert found.usual == "ismcts:nodes=500"
    assert found.ranges["iterations"].values(3) == ["10", "100", "1000"], "by orders of magnitude"
    assert found.ranges["c"].values(3) == ["1", "1.5", "2"]
    assert Range(1, 6, whole=True).values(9) == ["1", "2", "3", "4", "5", "6"]
    assert found.with_values({"c": "1.5"}) == "ismcts:nodes=500,c=1.5"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ismcts:c=1", "leaves nothing open"),
        ("ismcts:c=2..1", "the lower one first"),
        ("ismcts:c=a..b", "expected two numbers"),
        ("ismcts:pick=visits|", "separated by"),
        ("ismcts:pick=visits|most", "expected one of"),
        ("ismcts:d=1..2", "no parameter 'd'"),
        ("isomcts:c=1..2", "unknown agent"),
        ("minimax:depth=1..1000", "from 0 to 256"),
    ],
)
def test_bad_ranges_are_said(text: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        read_open(text)


# --- curves


def test_a_curve_has_every_value_on_the_same_deals(tmp_path: Path) -> None:
    plot, rows = tmp_path / "curve.svg", tmp_path / "rows.csv"
    arguments = ["sweep", "durak", "--agent", "careful:care=0..1", "--against", "random", "--points", "5"]
    arguments += ["--games", "40", "--seed", "2"]
    result = json.loads(fcdl(*arguments, "--json", "-o", str(plot), "--rows", str(rows)))
    shares = [row["win_rate"] for row in result["values"]]
    assert [row["value"] for row in result["values"]] == ["0", "0.25", "0.5", "0.75", "1"]
    assert max(shares) == shares[3] > shares[0]
    assert sum("dot" in node.get("class", "") for node in ElementTree.fromstring(plot.read_text()).iter()) == 5
    found = list(csv.DictReader(rows.read_text().splitlines()))
    assert len(found) == 5 * 40 * 2
    deals = [[row["deal"] for row in found if row["match"] == f"care={value}"] for value in ("0", "1")]
    assert deals[0] == deals[1]
    jobs = json.loads(fcdl(*arguments, "--json", "-j", "2"))
    assert [row["win_rate"] for row in jobs["values"]] == shares
    assert len(fcdl(*arguments, "--csv").splitlines()) == 6
    assert "care" in fcdl(*arguments)


def test_a_curve_has_one_parameter() -> None:
    agent_text = "careful:care=0..1,mood=good|bad"
    assert "give one range" in fcdl("sweep", "durak", "--agent", agent_text, "--against", "random", code=2)


def test_lists_of_equally_many_values_go_together() -> None:
    agent = read_open("careful:mood=good|bad,care=0.1|0.9")
    key, values = agent.curve(9)
    assert key == "mood"
    assert [agent.with_values(value) for value in values] == ["careful:mood=good,care=0.1", "careful:mood=bad,care=0.9"]
    with pytest.raises(AgentError, match="equally many"):
        read_open("careful:mood=good|bad,care=0.1|0.5|0.9").curve(9)


def test_an_agent_can_be_swept_against_itself_and_words_are_drawn_as_rows(tmp_path: Path) -> None:
    arguments = [
        "sweep",
        "durak",
        "--agent",
        "careful:care=0.7,mood=good|bad",
        "--against",
        "careful:care=0.7,mood=good",
    ]
    result = json.loads(fcdl(*arguments, "--games", "20", "--json", "-o", str(tmp_path / "rows.svg")))
    assert result["values"][0]["win_rate"] == pytest.approx(0.5, abs=0.2)
    assert ">bad</text>" in (tmp_path / "rows.svg").read_text()


# --- tuning


def contest(games: str = "tune") -> Contest:
    return Contest(Setup(make_game("durak"), "native", (), games, mirror=True), "random", Counting())


def tuned(folder: Path, trials: int, run: Run | None = None) -> Tuning:
    tuning = Tuning(contest(), read_open("careful:care=0..1,mood=good|bad"), folder, 50)
    with run or Run() as playing:
        for _ in tuning.play(playing, trials):
            pass
    return tuning


def test_tuning_finds_good_values_gives_up_bad_ones_and_is_the_same_when_it_was_interrupted(tmp_path: Path) -> None:
    whole = tuned(tmp_path / "whole", 12)
    best = whole.best()
    assert best is not None
    assert best.values["mood"] == "good"
    assert 0.4 < float(best.values["care"]) <= 1
    tried = whole.tried()
    pruned = [one for one in tried if one.pruned]
    assert pruned
    assert all(one.games < 50 and one.figure.high < best.figure.high for one in pruned)
    part = tuned(tmp_path / "part", 5)
    part.study.ask()  # a trial whose process was killed
    assert [one.summary() for one in tuned(tmp_path / "part", 12).tried()] == [one.summary() for one in tried]
    assert {"trials.svg", "care.svg", "mood.svg"} == set(whole.plots())
    for picture in whole.plots().values():
        ElementTree.fromstring(picture)


def test_the_command_reports_held_out_deals_and_keeps_its_study(tmp_path: Path) -> None:
    import optuna

    folder = tmp_path / "study"
    arguments = ["tune", "durak", "--agent", "careful:care=0..1", "--against", "random", "--seed", "1"]
    arguments += ["--trials", "4", "--games", "20", "--held-out", "40", "--resume", str(folder)]
    result: dict[str, Any] = json.loads(fcdl(*arguments, "--json"))
    assert len(result["trials"]) == 4
    assert [row["against"] for row in result["held_out"]] == ["random", "random", "careful"]
    assert all(row["games"] == 40 for row in result["held_out"])
    assert {"study.db", "journal.jsonl", "manifest.json", "trials.svg", "care.svg", "result.json"} <= {
        path.name for path in folder.iterdir()
    }
    study = optuna.load_study(study_name="fcdl", storage=f"sqlite:///{folder / 'study.db'}")
    assert len(study.trials) == 4
    again = json.loads(fcdl(*arguments, "--json"))
    assert again["trials"] == result["trials"]
    assert "not tuned on" in fcdl(*arguments)
