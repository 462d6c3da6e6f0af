"""Policies are learned from what a seat sees and nothing else, the same for any number of processes, and their files
are read with care."""

from __future__ import annotations

import json
import random
import zlib
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from fcdl.agents import AgentError
from fcdl.agents.agent import make_agent
from fcdl.arena.executors import Processes
from fcdl.arena.run import Journal, Manifest, Run
from fcdl.cli import main
from fcdl.engines.native.engine import NativeEngine
from fcdl.learning.files import FIRST_LINE, PolicyError, parse_policy, read_policy, shipped
from fcdl.learning.learn import Plan, compared, learn, learned_for
from fcdl.model import RandomChance
from tests.engines.native.test_networks import file_of, random_policy
from tests.games.table import make_game

TINY = Plan(rounds=2, first=2400, decisions=400, playouts=4, hidden=32, seed="7")


def test_learning_helps_and_is_the_same_for_any_number_of_processes() -> None:
    game = make_game("trumps")
    alone = [progress.file.to_bytes() for progress in learn(game, TINY)]
    with Run(Processes(2)) as run:
        together = [progress.file.to_bytes() for progress in learn(game, TINY, pieces=run.pieces)]
    assert alone == together
    policy = parse_policy(alone[-1], "here").policy(game)
    wins, ahead = compared(game, policy, None)
    assert wins > 0.53
    assert ahead > 0.2


def test_a_run_that_was_interrupted_goes_on_to_the_same_policy(tmp_path: Path) -> None:
    game = make_game("trumps")
    whole = [progress.file.to_bytes() for progress in learn(game, TINY)][-1]
    manifest = Manifest.of(game, [], "7", ["learn"])

    class StopError(Exception):
        pass

    def stop(number: int, part: float) -> None:
        if number == 1 and part > 0.3:
            raise StopError

    with pytest.raises(StopError), Run(journal=Journal(tmp_path, manifest)) as run:
        list(learn(game, TINY, pieces=run.pieces, tell=stop))
    with Run(journal=Journal(tmp_path, manifest)) as run:
        resumed = [progress.file.to_bytes() for progress in learn(game, TINY, pieces=run.pieces)][-1]
    assert resumed == whole


def test_a_game_for_which_nothing_was_learned_gets_a_policy_at_once() -> None:
    game = make_game("agram")
    assert shipped(game) is None
    policy = learned_for(game)
    assert learned_for(game).weights is policy.weights
    assert compared(game, policy, None)[0] > 0.5


def test_files_are_read_as_they_were_written(tmp_path: Path) -> None:
    engine = NativeEngine(make_game("durak"))
    policy = random_policy(engine)
    path = tmp_path / "durak.policy"
    file_of(policy).write(path)
    again = read_policy(path).policy(engine.game)
    pairs = zip(again.weights.arrays(), policy.weights.arrays(), strict=True)
    assert all(np.array_equal(one, two) for one, two in pairs)
    assert again.view == policy.view
    assert [entry.name for entry in tmp_path.iterdir()] == ["durak.policy"]


def test_policies_of_other_games_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "trumps.policy"
    file_of(random_policy(NativeEngine(make_game("trumps")))).write(path)
    with pytest.raises(PolicyError, match="another chart"):
        read_policy(path).policy(make_game("durak"))
    file = file_of(random_policy(NativeEngine(make_game("durak"))))
    with pytest.raises(PolicyError, match="for 2 players, not 3"):
        file.policy(make_game("durak", players=3))


def hostile() -> dict[str, bytes]:
    """Files that are no policies."""
    whole = file_of(random_policy(NativeEngine(make_game("trumps")))).to_bytes()
    _, header, numbers = whole.split(b"\n", 2)
    parts = json.loads(header)

    def changed(**others: object) -> bytes:
        return FIRST_LINE + json.dumps(parts | others).encode() + b"\n" + numbers

    view = parts["view"]
    huge = {"fields": [{"kind": "cards", "count": 10**9}], "answers": view["answers"]}
    bomb = zlib.compress(bytes(50_000_000))
    return {
        "nothing": b"",
        "another file": b"PK\x03\x04 something",
        "no header": FIRST_LINE + b"x" * 100,
        "cut off": whole[:-100],
        "cut off in the header": whole[:200],
        "no JSON": FIRST_LINE + b"{,}\n",
        "deep JSON": FIRST_LINE + b"[" * 100_000 + b"\n",
        "a list": FIRST_LINE + b"[]\n",
        "huge": changed(view=huge),
        "negative": changed(view={"fields": [{"kind": "cards", "count": -5}], "answers": []}),
        "not a number": changed(hidden="many"),
        "too many hidden units": changed(hidden=10**6),
        "no temperature": changed(temperature=0),
        "endless temperature": changed(temperature=float("inf")),
        "other numbers": changed(sha256="0" * 64),
        "a bomb": FIRST_LINE + header + b"\n" + bomb,
        "an unknown key": changed(view={"fields": [{"kind": "cards", "count": 3, "odd": 1}], "answers": []}),
    }


@pytest.mark.parametrize("what", list(hostile()))
def test_hostile_files_are_refused(what: str) -> None:
    with pytest.raises(PolicyError):
        parse_policy(hostile()[what], "file")


def test_players_take_the_file_of_a_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["learn", "trumps", "--rounds", "1", "--decisions", "400", "--seed", "1"]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    assert Path("trumps.policy").exists()
    game = make_game("trumps")
    engine, chance = NativeEngine(game), RandomChance(1)
    for text in ("policy:file=trumps.policy", "ismcts:iterations=50,policy=trumps.policy"):
        state = engine.start(chance)
        agent = make_agent(text, game)
        assert agent.choose(engine.observe(state, state.mover), engine.legal(state), random.Random(1))
    with pytest.raises((AgentError, PolicyError), match=r"nowhere\.policy"):
        make_agent("policy:file=nowhere.policy", game)
