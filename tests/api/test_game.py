"""Loading games in three ways, the table of actions, and the names that `import fcdl` has."""

import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import fcdl
from fcdl.data import data_text
from fcdl.language.load import load_text
from fcdl.model.game import Game as ModelGame


def test_every_public_name_is_there() -> None:
    assert len(fcdl.__all__) == len(set(fcdl.__all__)) <= 25
    for name in fcdl.__all__:
        assert getattr(fcdl, name) is not None
    assert set(fcdl.__all__) <= set(dir(fcdl))
    with pytest.raises(AttributeError, match="no attribute 'lode'"):
        fcdl.lode  # noqa: B018


def test_import_alone_loads_nothing_else() -> None:
    code = "import fcdl, json, sys; print(json.dumps([name for name in sys.modules if name.startswith('fcdl')]))"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert json.loads(output) == ["fcdl"]


def test_name_file_and_text_are_the_same_game(tmp_path: Path) -> None:
    text = data_text("games", "durak.fcdl")
    file = tmp_path / "mine.fcdl"
    file.write_text(text)
    games = [fcdl.load(chart, 3, lowestRank=7) for chart in ("durak", file, str(file), text)]
    assert [game.name for game in games] == ["durak", "mine", "mine", "game"]
    assert len({game.flowchart.hash for game in games}) == 1
    assert all(game.players == 3 and game.options["lowestRank"] == 7 for game in games)


def test_options_can_come_as_a_mapping() -> None:
    assert fcdl.load("hearts", options={"target": "0"}) == fcdl.load("hearts", target=0)


def test_what_a_game_does_not_have_is_refused() -> None:
    with pytest.raises(fcdl.GameError, match=r"no option 'targets' .did you mean 'target'"):
        fcdl.load("hearts", targets=3)
    with pytest.raises(fcdl.GameError, match="not 3"):
        fcdl.load("hearts", 3)
    with pytest.raises(fcdl.ChartError):
        fcdl.load("no_such_game")
    with pytest.raises(fcdl.ChartError) as caught:
        fcdl.load('game "X"\nchart main\n    start\n')
    assert [finding for finding in caught.value.findings if finding.severity == "error"]


def test_check_tells_everything_and_raises_nothing() -> None:
    assert [finding for finding in fcdl.check("skat") if finding.severity != "note"] == []
    assert fcdl.check("no_such_game")[0].code == "unreadable"


@pytest.mark.parametrize("name", fcdl.builtin_names())
def test_game_travels_as_text(name: str) -> None:
    game = fcdl.load(name)
    twin = pickle.loads(pickle.dumps(game))
    assert type(twin) is fcdl.Game
    assert (twin.flowchart.hash, twin.options, twin.players, twin.name) == (
        game.flowchart.hash,
        game.options,
        game.players,
        game.name,
    )
    assert pickle.loads(pickle.dumps(game)) is twin
    chart = load_text(data_text("games", f"{name}.fcdl")).flowchart
    assert chart is not None
    assert type(pickle.loads(pickle.dumps(ModelGame.make(chart, name=name)))) is ModelGame


@pytest.mark.parametrize("name", fcdl.builtin_names())
def test_table_of_actions_has_no_move_twice(name: str) -> None:
    actions = fcdl.load(name).actions
    assert len(set(actions)) == len(actions)
    assert [actions.number(move) for move in actions if "#" not in move.what] == [
        number for number, move in enumerate(actions) if "#" not in move.what
    ]
    with pytest.raises(KeyError):
        actions.number(fcdl.Move("choose", "nonsense"))


def test_card_keeps_its_number_whatever_the_options() -> None:
    small, large = fcdl.load("durak"), fcdl.load("durak", lowestRank=2)
    assert list(small.actions) == list(large.actions)


def test_playouts_are_the_c_engines() -> None:
    game = fcdl.load("trumps")
    found = game.playouts(50, seed=3)
    assert np.array_equal(found.scores, game.native.play_games(50, 3).scores)
    assert found.moves == 50 * 14


@pytest.mark.parametrize("ending", ["svg", "dot"])
def test_drawing_is_written(tmp_path: Path, ending: str) -> None:
    fcdl.load("trumps").draw(tmp_path / f"x.{ending}")
    assert "trumps" in (tmp_path / f"x.{ending}").read_text().lower()
    with pytest.raises(ValueError, match="must end in"):
        fcdl.load("trumps").draw("x.pdf")


def test_agent_is_written_as_on_the_command_line() -> None:
    import random

    game = fcdl.load("trumps")
    state = game.new(seed=1)
    assert game.agent("random").choose(state.observation(), state.legal, random.Random(1)) in state.legal
    with pytest.raises(fcdl.AgentError, match="unknown agent"):
        game.agent("zzz")


def test_a_world_has_cards_and_moves_but_no_past() -> None:
    game = fcdl.load("trumps")
    state = game.new(seed=3)
    state.play(state.legal[0])
    world = game.worlds(state.observation(), 1, seed=1)[0]
    assert world.state.zones == dict(world.zones)
    assert world.state.copy().play(world.state.legal[0]).zones != world.state.zones
    for ask in (lambda: world.state.events, world.state.observation, lambda: world.state.reseeded(1).events):
        with pytest.raises(fcdl.FcdlError, match="a world has no past"):
            ask()


def test_a_seed_that_is_no_number_is_a_clear_error() -> None:
    with pytest.raises(fcdl.GameError, match="a seed is a whole number, not 'abc'"):
        fcdl.load("trumps").new(seed="abc")  # type: ignore[arg-type]
