"""Players that users bring: `module:Class` on the command line, classes and agents in Python; their faults are told."""

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

import fcdl
from fcdl.agents import make_agent, parse_agent
from fcdl.cli import main

MODULE = """
class Last:
    def __init__(self, game):
        self.game = game

    def choose(self, observation, legal, rng):
        return legal[-1]

class Text(Last):
    def choose(self, observation, legal, rng):
        return str(legal[0])

class Wrong(Last):
    def choose(self, observation, legal, rng):
        return "play ZZ"

class Broken(Last):
    def choose(self, observation, legal, rng):
        return legal[99]

class Unmade:
    def __init__(self, game):
        raise RuntimeError("no luck")

class NoChoice:
    def __init__(self, game):
        pass

number = 3
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """A folder with a module of players; its name, another one in every test because modules stay imported."""
    name = f"own_{abs(hash(request.node.name))}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    (tmp_path / f"{name}_bad.py").write_text("1 / 0")
    monkeypatch.chdir(tmp_path)
    return name


class First:
    """An agent that is made in Python."""

    def __init__(self, game: object) -> None:
        self.game = game

    def choose(self, observation: fcdl.Observation, legal: Sequence[fcdl.Move], rng: random.Random) -> fcdl.Move:
        return legal[0]


def simulated(agents: str, *more: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["simulate", "trumps", "--agents", agents, "--games", "4", "--json", *more])
    return result.exit_code, result.output


@pytest.mark.parametrize("more", [[], ["--jobs", "2"]])
def test_own_agent_plays_in_a_simulation(folder: str, more: list[str]) -> None:
    code, output = simulated(f"{folder}:Last/random", "--seed", "1", *more)
    assert code == 0, output
    assert [row["agent"] for row in json.loads(output)["agents"]] == [f"{folder}:Last", "random"]


def test_own_agents_play_in_a_tournament(folder: str) -> None:
    agents = f"{folder}:Last/{folder}:Text/random"
    result = CliRunner().invoke(main, ["tournament", "trumps", "--agents", agents, "--games", "4", "--max-games", "4"])
    assert result.exit_code == 0, result.output
    assert f"{folder}:" in result.output


def test_own_agent_sits_at_the_table(folder: str) -> None:
    arguments = ["play", "trumps", "--plain", "--no-keep", "--pace", "0", "--seed", "2", "--seats"]
    result = CliRunner().invoke(main, [*arguments, f"human/{folder}:Last"], input="7C\n")
    assert "Player 1 plays" in result.output, result.output


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("NAME:Nobody/random", "module 'NAME' has no class 'Nobody'"),
        ("NAME:number/random", "module 'NAME' has no class 'number'"),
        ("NAME:Unmade/random", "agent 'NAME:Unmade' cannot be made: RuntimeError: no luck"),
        ("NAME:NoChoice/random", r"agent 'NAME:NoChoice' has no method choose\(observation, legal, rng\)"),
        ("NAME:Wrong/random", "agent 'NAME:Wrong' chose play ZZ, which is not one of: play"),
        ("NAME:Broken/random", r"agent 'NAME:Broken' failed: IndexError: .*NAME\.py:19"),
        ("NAME_bad:X/random", r"cannot import 'NAME_bad': ZeroDivisionError: .*NAME_bad\.py:1"),
        ("no_such_module:X/random", "there is no agent and no module 'no_such_module'"),
        ("a-b:X/random", "is not the name of a module"),
    ],
)
def test_fault_of_an_own_agent_is_told(folder: str, what: str, message: str) -> None:
    import re

    code, output = simulated(what.replace("NAME", folder))
    assert code == 2
    assert re.search(message.replace("NAME", folder), output)
    assert "Traceback" not in output


def test_folder_is_searched_only_for_that_syntax(folder: str) -> None:
    import sys

    before = list(sys.path)
    assert parse_agent(f"{folder}:Last") == (f"{folder}:Last", {})
    assert sys.path == before
    with pytest.raises(fcdl.AgentError, match="unknown agent"):
        parse_agent(folder)


def test_classes_and_agents_play_in_python() -> None:
    game = fcdl.load("trumps")
    assert make_agent(First, game).choose(game.new(1).observation(), game.new(1).legal, random.Random(1))
    results = game.simulate([First, First(game)], games=6, seed=2)
    assert [row["agent"] for row in results.summary["agents"]] == ["First", "First"]
    assert len(results.rows) == 12
    assert {row["won"] for row in results.rows} <= {0.0, 0.5, 1.0}
    assert sum(row["won"] for row in results.rows) == 6
    assert (
        game.simulate([First, "random"], games=6, seed=2, jobs=2).rows
        == game.simulate([First, "random"], games=6, seed=2).rows
    )
    standings = game.tournament([First, "random"], games=10, seed=1)
    assert {row["agent"] for row in standings["agents"]} == {"First", "random"}


def test_own_agent_gets_the_game_with_all_its_methods() -> None:
    seen = []

    def make(game: fcdl.Game) -> First:
        seen.append(game.actions)
        return First(game)

    fcdl.load("trumps").simulate([make, "random"], games=1)
    assert seen


def test_every_seat_needs_an_agent() -> None:
    with pytest.raises(fcdl.AgentError, match="4 players need 4 agents, not 2"):
        fcdl.load("hearts").simulate("random/random")
