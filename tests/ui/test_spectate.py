"""Games that computers play for people to watch, logs of recorded games, and a person's own statistics."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fcdl.cli import main
from fcdl.ui.statistics import standings
from fcdl.ui.store import records_file


def fcdl(*arguments: str, typed: str = "") -> str:
    result = CliRunner().invoke(main, list(arguments), input=typed)
    assert result.exit_code == 0, result.output
    return result.output


def test_computers_can_be_watched_and_the_log_of_the_record_says_the_same(tmp_path: Path) -> None:
    file = tmp_path / "watched.jsonl"
    watched = fcdl("play", "trumps", "--seats", "random/greedy", "--seed", "5", "-o", str(file)).splitlines()
    assert any("plays" in line for line in watched)
    assert watched[-1].startswith("player 1 (greedy): ")
    told = fcdl("replay", str(file), "--text").splitlines()
    assert told[0] == "trumps, random/greedy, seed 5"
    assert [line.strip() for line in told[1:]] == watched[1 if watched[0].startswith("seed") else 0 : -2]
    assert "replayed exactly" in fcdl("replay", str(file))
    hidden = fcdl("replay", str(file), "--text", "--view", "0", "--line", "1")
    assert hidden != "\n".join(told)


def test_options_of_the_log_need_it(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    fcdl("play", "trumps", "--seats", "random/random", "--seed", "5", "-o", str(file))
    for arguments, message in ((["--line", "1"], "need --text"), (["--text", "--view", "2"], "numbered 0 to 1")):
        result = CliRunner().invoke(main, ["replay", str(file), *arguments])
        assert result.exit_code == 2
        assert message in result.output


def record(**changes: object) -> str:
    from fcdl.language.load import load_flowchart

    value: dict[str, object] = {
        "fcdl": 1, "game": "hearts", "hash": load_flowchart("hearts").hash, "players": 4, "options": {},
        "seed": "1", "agents": ["ismcts:ms=300", "human", "random", "random"], "chance": [], "moves": [],
        "scores": [30, 20, 105, 60], "reason": "end", "events": "",
    }  # fmt: skip
    return json.dumps(value | changes) + "\n"


def test_own_statistics_count_finished_games_by_game_and_opponents(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    lines = [
        record(),
        record(scores=[10, 40, 105, 60]),
        record(scores=[40, 40, 105, 60]),
        record(agents=["human", "random", "random", "random"]),
        record(hash="0" * 64, scores=[1, 2, 3, 4]),
        record(agents=["random"] * 4),
        record(reason="broken off"),
        "damaged\n",
        '{"agents": 7}\n',
    ]
    file.write_text("".join(lines))
    most, other = standings(file)
    assert (most.opponents, most.games, most.judged, most.won) == ("normal, random, random", 4, 3, 1.5)
    assert most.scores.mean == pytest.approx((20 + 40 + 40 + 2) / 4)
    assert (other.games, other.won) == (1, 0)
    assert "normal, random, random" in fcdl("stats", str(file))
    assert json.loads(fcdl("stats", str(file), "--json"))[0]["win_rate"] == 0.5


def test_a_game_that_was_played_is_in_the_statistics() -> None:
    assert "not finished a game" in fcdl("stats")
    moves = "".join(f"{rank}{suit}\n" for _ in range(8) for rank in "A3456789T" for suit in "CDHS")
    fcdl("play", "agram", "--seats", "human/random", "--seed", "1", typed=moves)
    assert records_file().exists()
    (row,) = json.loads(fcdl("stats", "--json"))
    assert (row["game"], row["opponents"], row["games"]) == ("agram", "random", 1)
    assert row["win_rate"] in (0, 1)
