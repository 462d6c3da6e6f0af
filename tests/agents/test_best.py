"""`best`: what was measured to be strongest, and plain `ismcts` where nothing was or it cannot be used."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from fcdl.agents import best
from fcdl.agents.agent import Thinker, make_agent, parse_agent
from fcdl.agents.best import Row, row_for, rows
from fcdl.agents.search import InformationSetAgent
from fcdl.engines.native import NativeEngine
from fcdl.model import Game, RandomChance
from tests import best as measuring
from tests.cli.test_commands import run
from tests.games.table import make_game

DURAK = [
    Row(
        "durak", 20, "policy=durak.greedy,curiosity=0.5", 0.625, (0.55, 0.69), 240, "python -m tests.best durak --ms 20"
    ),
    Row("durak", 2000, "simulation=durak.greedy", 0.6, (0.52, 0.68), 240, "python -m tests.best durak --ms 2000"),
]


@pytest.fixture
def durak(monkeypatch: pytest.MonkeyPatch) -> Game:
    game = make_game("durak")
    monkeypatch.setattr(best, "rows", lambda: {game.flowchart.hash: DURAK})
    return game


def player(text: str, game: Game) -> InformationSetAgent:
    agent = make_agent(text, game)
    assert isinstance(agent, InformationSetAgent)
    return agent


def said(agent: InformationSetAgent) -> str:
    engine = NativeEngine(agent.game)
    state = engine.start(RandomChance(1))
    assert isinstance(agent, Thinker)
    thought = agent.think(engine.observe(state, state.mover), engine.legal(state), random.Random(1))
    return " ".join(thought.reasons)


def test_what_was_measured_counts_for_its_players_and_nearly_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    two, three = make_game("durak"), make_game("durak", players=3)
    monkeypatch.setattr(best, "rows", lambda: {two.flowchart.hash: [replace(DURAK[0], players=2)]})
    assert row_for(two, 100) is not None
    assert row_for(three, 100) is None
    assert row_for(two, 1000) is None
    assert row_for(two, 2) is None


def test_best_is_what_was_measured_with_nearly_that_time(durak: Game) -> None:
    quick, slow = player("best:ms=5", durak), player("best:ms=900", durak)
    assert (quick.common.ms, quick.prior, quick.common.simulation, quick.curiosity) == (
        5,
        "durak.greedy",
        "durak.greedy",
        0.5,
    )
    assert (slow.common.ms, slow.prior, slow.common.simulation, slow.curiosity) == (900, None, "durak.greedy", 1.0)
    assert (
        "This is ismcts:policy=durak.greedy,curiosity=0.5, the strongest that was measured for this game: "
        "62% (55% to 69%) of 240 games against plain ismcts."
    ) in said(quick)


def test_what_is_given_counts_more_than_what_was_measured(durak: Game) -> None:
    agent = player("best:ms=5,prior=none,simulation=random,curiosity=1", durak)
    assert (agent.prior, agent.common.simulation, agent.curiosity) == (None, None, 1.0)


def test_best_is_plain_where_nothing_was_measured(durak: Game) -> None:
    agent = player("best:ms=5", make_game("trumps"))
    assert (agent.prior, agent.common.simulation) == (None, None)
    assert "This is plain ismcts. Nothing was measured for this game with these players and this time." in said(agent)


def test_best_is_plain_where_a_policy_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game("trumps")
    row = Row("trumps", 100, "policy=durak.greedy", 0.6, (0.5, 0.7), 100, "")
    monkeypatch.setattr(best, "rows", lambda: {game.flowchart.hash: [row]})
    agent = player("best:ms=20", game)
    assert agent.prior is None
    assert "policy=durak.greedy, cannot be used here: " in said(agent)


def test_the_agents_command_says_what_best_is(durak: Game) -> None:
    text = run("agents", "best").stdout
    assert "durak, 20 ms" in text
    assert "python -m tests.best durak --ms 20" in " ".join(text.split())
    (described,) = json.loads(run("agents", "best", "--json").stdout)
    assert [row["parameters"] for row in described["measured"]] == [row.parameters for row in DURAK]


def test_every_row_is_an_agent_that_was_better_than_plain_ismcts() -> None:
    for row in (row for found in rows().values() for row in found):
        assert parse_agent(row.agent)
        assert row.interval[0] > 0.5
        assert row.command.startswith(f"python -m tests.best {row.game} --ms {row.ms} ")


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty table to write into."""
    (tmp_path / best.TABLE).write_text("{}")
    monkeypatch.setattr(best, "files", lambda package: tmp_path)
    monkeypatch.setattr(best, "__file__", str(tmp_path / "best.py"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    rows.cache_clear()
    yield tmp_path / best.TABLE
    rows.cache_clear()


def test_rows_are_written_and_replaced(table: Path) -> None:
    game = make_game("durak")
    for row in DURAK:
        measuring.save(game, row.ms, row)
    assert row_for(game, 10) == DURAK[0]
    assert row_for(game, 5000) == DURAK[1]
    measuring.save(game, 20, None)
    assert row_for(game, 10) is None
    assert row_for(game, 5000) == DURAK[1]


def test_measuring_leaves_out_what_a_game_has_not_and_continues_where_it_was(table: Path) -> None:
    words = ["kuhn_poker", "--ms", "1", "--games", "4", "--confirm", "4"]
    words += ["--candidate", "policy=durak.greedy", "--candidate", "curiosity=0.3"]
    outputs = [CliRunner().invoke(measuring.main, words) for _ in "12"]
    assert [output.exit_code for output in outputs] == [0, 0]
    assert "policy=durak.greedy: left out, " in outputs[0].output
    assert "curiosity=0.3: " in outputs[0].output
    assert outputs[0].output == outputs[1].output  # or the clock would have made other moves
    journal = table.parent / "fcdl" / "best" / "kuhn_poker-2-1" / "journal.jsonl"
    assert journal.exists()
